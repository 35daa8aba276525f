//! Resources that serve one request at a time, in the order of arrival.
//!
//! A chain of calls computes the future of one access at resources that another agent may want earlier. So a server
//! remembers the last few times at which it was idle, and a request that is computed later but arrives earlier gets the
//! first of them. If that is too short, the request would in truth delay those behind it, which have had their answer. It
//! then begins later itself, by what is lacking, as the first of them would have: the sum of the two waits is right. But a long
//! request waits no longer than for those behind it to be served, if that is less: a message of 100 ms is not 100 ms late because
//! one of 60 us has had its answer. And
//! the server works as long as it would: what is lacking is taken from the idle times that follow. So requests in the
//! order of arrival are served exactly; the error of others is measured in tests/reference.rs.
//!
//! A network asks several of its many servers for each message, and most requests come when a server is free, or after
//! all of its idle times. What such a request needs to know is the server's [`Head`]; the heads of a network lie
//! together, apart from the idle times, so that the processor's caches hold them.

use crate::{prefetch, Time};

/// An idle time, from begin to end.
type Idle = (Time, Time);

/// What is asked first of a server: half of a line of the processor's caches.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Head {
    /// From then on it is idle.
    free: Time,
    /// The end of the last idle time; 0: there is none.
    since: Time,
    /// The place of the first idle time, and their number.
    first: u16,
    count: u16,
    /// Of a server among [`Ports`]: which ring is its own, from 1 on; 0: it has been asked nothing yet.
    ring: u32,
}

/// The idle times of a server, in the order of time, in a ring of `N` places (a power of 2): what is forgotten and what
/// comes moves no other.
struct Ring<'a, const N: usize> {
    places: &'a mut [Idle; N],
    first: &'a mut u16,
    count: &'a mut u16,
}

impl<const N: usize> Ring<'_, N> {
    /// So many idle times are forgotten at once.
    const FORGOTTEN: u16 = N.div_ceil(8) as u16;

    fn count(&self) -> usize {
        *self.count as usize
    }

    fn place(&self, i: usize) -> usize {
        (*self.first as usize + i) % N
    }

    fn get(&self, i: usize) -> Idle {
        self.places[self.place(i)]
    }

    fn set(&mut self, i: usize, idle: Idle) {
        self.places[self.place(i)] = idle;
    }

    fn forget(&mut self, count: u16) {
        *self.first = self.place(count as usize) as u16;
        *self.count -= count;
    }

    fn push(&mut self, idle: Idle) {
        if self.count() == N {
            self.forget(Self::FORGOTTEN);
        }
        self.set(self.count(), idle);
        *self.count += 1;
    }

    /// The first that ends after `at`; there is one.
    #[inline]
    fn position(&self, at: Time) -> usize {
        // Most often one of the last few.
        let mut least = self.count() - 1;
        let near = least.saturating_sub(16);
        while least > near {
            if self.get(least - 1).1 <= at {
                return least;
            }
            least -= 1;
        }
        // It is not after `least`. Which half it is in is not foreseeable: no jump depends on it.
        let (mut low, mut size) = (0, least + 1);
        while size > 1 {
            let half = size / 2;
            low += half * usize::from(self.get(low + half - 1).1 <= at);
            size -= half;
        }
        low
    }

    fn remove(&mut self, i: usize) {
        if i < self.count() / 2 {
            for k in (0..i).rev() {
                self.set(k + 1, self.get(k));
            }
            self.forget(1);
        } else {
            for k in i + 1..self.count() {
                self.set(k - 1, self.get(k));
            }
            *self.count -= 1;
        }
    }

    /// Puts one in front of number `i`; there is room.
    fn insert(&mut self, i: usize, idle: Idle) {
        *self.count += 1;
        if i < self.count() / 2 {
            *self.first = self.place(N - 1) as u16;
            for k in 0..i {
                self.set(k, self.get(k + 1));
            }
        } else {
            for k in (i + 1..self.count()).rev() {
                self.set(k, self.get(k - 1));
            }
        }
        self.set(i, idle);
    }

    /// How long a request waits that could begin at a time and lacks so much of an idle time: until it has that, or until the first of
    /// the idle times from number `next` on that is long enough, after all of which the server is idle from `free` on.
    fn waits(&self, mut next: usize, (begin, lacking): (Time, Time), needs: Time, free: Time) -> Time {
        loop {
            let (from, to) = if next < self.count() { self.get(next) } else { (free, Time::MAX) };
            if from - begin >= lacking {
                return lacking;
            }
            if to - from >= needs {
                return from - begin;
            }
            next += 1;
        }
    }

    /// Shortens the idle times from number `first` on by `lacking`, of which the one before them may be empty; returns
    /// what they do not have.
    fn shorten(&mut self, first: usize, mut lacking: Time) -> Time {
        let mut next = first;
        while lacking > 0 && next < self.count() {
            let (from, to) = self.get(next);
            let taken = lacking.min(to - from);
            lacking -= taken;
            if from + taken < to {
                self.set(next, (from + taken, to));
                break;
            }
            next += 1;
        }
        // Those of which nothing is left lie side by side, up to `next`.
        let (from, to) = self.get(first - 1);
        let mut kept = first - usize::from(from == to);
        let gone = next - kept;
        if gone > 0 && kept < self.count() - next {
            for k in (0..kept).rev() {
                self.set(k + gone, self.get(k));
            }
            self.forget(gone as u16);
        } else if gone > 0 {
            for k in next..self.count() {
                self.set(kept, self.get(k));
                kept += 1;
            }
            *self.count = kept as u16;
        }
        lacking
    }
}

impl Head {
    /// Serves a request that arrives at `at` and takes `needs`; returns the time at which its service begins.
    #[inline(always)]
    fn take<const N: usize>(&mut self, places: &mut [Idle; N], at: Time, needs: Time) -> Time {
        if at >= self.free {
            if needs == 0 {
                return at;
            }
            if at > self.free {
                let Head { free, first, count, .. } = self;
                Ring { places, first, count }.push((*free, at));
                self.since = at;
            }
            self.free = at + needs;
            return at;
        }
        // Most requests that come too late for an idle time come after all of them.
        if at < self.since {
            return self.take_idle(places, at, needs);
        }
        let begin = self.free;
        self.free += needs;
        begin
    }

    /// Serves a request that arrives before the end of the last idle time.
    #[inline(never)]
    fn take_idle<const N: usize>(&mut self, places: &mut [Idle; N], at: Time, needs: Time) -> Time {
        let Head { free, since, first, count, .. } = self;
        let mut ring = Ring { places, first, count };
        // A request without need arrives before the end, too: at the end another one begins.
        let i = ring.position(at);
        let (from, to) = ring.get(i);
        let begin = at.max(from);
        let end = begin + needs;
        if end > to {
            let lacking = end - to;
            let waits = ring.waits(i + 1, (begin, lacking), needs, *free);
            ring.set(i, (from, begin));
            *free += ring.shorten(i + 1, lacking);
            *since = ring.count().checked_sub(1).map_or(0, |last| ring.get(last).1);
            return begin + waits;
        }
        // What is left of it before and after keeps the order of times.
        match (from < begin, end < to) {
            (false, false) => ring.remove(i),
            (true, false) => ring.set(i, (from, begin)),
            (false, true) => ring.set(i, (end, to)),
            (true, true) if ring.count() < N => {
                ring.set(i, (end, to));
                ring.insert(i, (from, begin));
            }
            (true, true) => {
                // The oldest is forgotten.
                ring.set(i, (end, to));
                if i > 0 {
                    ring.forget(1);
                    ring.insert(i - 1, (from, begin));
                }
            }
        }
        if i + 1 >= ring.count() {
            *since = ring.count().checked_sub(1).map_or(0, |last| ring.get(last).1);
        }
        begin
    }
}

/// A server that remembers few idle times: those who ask it are near each other in time.
#[derive(Clone, Debug, Default)]
pub struct Server {
    head: Head,
    idle: [Idle; 4],
}

impl Server {
    /// Serves a request that arrives at `at` and takes `needs`; returns the time at which its service begins.
    #[inline]
    pub fn take(&mut self, at: Time, needs: Time) -> Time {
        self.head.take(&mut self.idle, at, needs)
    }

    /// The time from which it is idle.
    pub fn free_from(&self) -> Time {
        self.head.free
    }
}

/// Servers that remember the idle times of a whole flight, by their numbers: the ports or the links of a network. The
/// answer to a request takes its time at a port or a link when the request begins, a flight ahead, and messages that pass
/// before it find their place among such answers.
#[derive(Clone, Debug, Default)]
pub struct Ports {
    heads: Vec<Head>,
    /// Of those that have been asked: a simulation of a few operations on a large machine would take most of its time to make
    /// rings for all.
    idle: Vec<Places>,
}

/// Four of them in each line of the processor's caches.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Places([Idle; REMEMBERED]);

const REMEMBERED: usize = 64;

impl Ports {
    pub fn new(count: usize) -> Ports {
        Ports { heads: vec![Head::default(); count], idle: vec![] }
    }

    pub fn len(&self) -> usize {
        self.heads.len()
    }

    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// A request for the server with this number will come: what it needs to look at, the processor begins to read.
    #[inline]
    pub fn expect(&self, number: u32) {
        let Head { first, count, ring, .. } = self.heads[number as usize];
        if let Some(idle) = self.idle.get((ring as usize).wrapping_sub(1)) {
            // The last few, which lie in one or two lines of the processor's caches: four of five requests look no further.
            let last = (first + count.saturating_sub(1)) as usize;
            for before in [0, 3] {
                prefetch(&idle.0[last.wrapping_sub(before) % REMEMBERED]);
            }
        }
    }

    /// As [`Server::take`], of a server by its number.
    ///
    /// # Panics
    /// There is none with this number.
    #[inline(always)]
    pub fn take(&mut self, number: u32, at: Time, needs: Time) -> Time {
        let head = &mut self.heads[number as usize];
        if let Some(idle) = self.idle.get_mut((head.ring as usize).wrapping_sub(1)) {
            return head.take(&mut idle.0, at, needs);
        }
        Self::take_first(head, &mut self.idle, at, needs)
    }

    #[cold]
    #[inline(never)]
    fn take_first(head: &mut Head, idle: &mut Vec<Places>, at: Time, needs: Time) -> Time {
        let ring = idle.len();
        idle.push(Places([(0, 0); REMEMBERED]));
        head.ring = ring as u32 + 1;
        head.take(&mut idle[ring].0, at, needs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_server_works_as_long_as_in_the_order_of_arrival(
            requests in prop::collection::vec((0..200u64, 0..40u64), 1..=4 + 1),
        ) {
            let mut server = Server::default();
            for &(at, needs) in &requests {
                prop_assert!(server.take(at, needs) >= at);
            }
            let mut sorted: Vec<_> = requests.iter().filter(|r| r.1 > 0).collect();
            sorted.sort();
            let end = sorted.iter().fold(0, |free, &&(at, needs)| at.max(free) + needs);
            prop_assert_eq!(server.free_from(), end);
        }
    }

    #[test]
    fn a_server_serves_one_after_the_other() {
        let mut server = Server::default();
        assert_eq!([server.take(0, 10), server.take(3, 10), server.take(50, 5)], [0, 10, 50]);
        assert_eq!(server.free_from(), 55);
    }

    #[test]
    fn an_earlier_request_uses_idle_time() {
        let mut server = Server::default();
        server.take(100, 10);
        assert_eq!(server.take(20, 30), 20);
        assert_eq!(server.take(0, 20), 0, "what was left before");
        assert_eq!(server.take(0, 50), 50, "what was left after");
        assert_eq!(server.take(0, 1), 110);
    }

    #[test]
    fn a_request_that_does_not_fit_waits_for_what_it_lacks_and_those_behind_it_pay() {
        let mut server = Server::default();
        assert_eq!([server.take(100, 10), server.take(112, 10)], [100, 112]);
        // In truth it is served from 95 to 115 and delays the two others by 15 and 13, which had their answer.
        assert_eq!(server.take(95, 20), 95 + 15);
        // Of the 15, 2 were idle time.
        assert_eq!(server.free_from(), 122 + 13);
        assert_eq!([server.take(111, 1), server.take(94, 1)], [135, 94]);
    }

    #[test]
    fn a_long_request_waits_no_longer_than_for_the_short_ones_behind_it() {
        let mut server = Server::default();
        assert_eq!([server.take(100, 10), server.take(112, 10)], [100, 112]);
        // It lacks 985; those behind it are served at 122, and what is idle between them is too short.
        assert_eq!(server.take(90, 995), 122);
        assert_eq!(server.free_from(), 122 + 985 - 2);
        // An idle time behind the first of them is long enough.
        let mut server = Server::default();
        assert_eq!([server.take(100, 10), server.take(200, 10)], [100, 200]);
        assert_eq!(server.take(90, 40), 110);
    }

    #[test]
    fn a_request_without_need_overtakes_nobody() {
        let mut server = Server::default();
        server.take(100, 10);
        assert_eq!([server.take(100, 0), server.take(99, 0)], [110, 99]);
    }

    /// A server in the plainest way: a list of the idle times, all of which are looked at.
    #[derive(Default)]
    struct Plain {
        free: Time,
        idle: Vec<Idle>,
    }

    impl Plain {
        fn take(&mut self, most: usize, at: Time, needs: Time) -> Time {
            let Some(i) = self.idle.iter().position(|&(_, to)| at < to) else {
                let begin = at.max(self.free);
                if needs > 0 || at < self.free {
                    if begin > self.free {
                        if self.idle.len() == most {
                            self.idle.drain(..most.div_ceil(8));
                        }
                        self.idle.push((self.free, begin));
                    }
                    self.free = begin + needs;
                }
                return begin;
            };
            let (from, to) = self.idle[i];
            let begin = at.max(from);
            let mut lacking = (begin + needs).saturating_sub(to);
            // Until it has what is lacking, or until an idle time that is long enough.
            let behind = self.idle[i + 1..].iter().copied().chain([(self.free, Time::MAX)]);
            let fits = behind.filter(|(from, to)| to - from >= needs).map(|(from, _)| from - begin).next();
            let answer = begin + lacking.min(fits.unwrap_or(lacking));
            let left = [(from, begin), (begin + needs, to)].into_iter().filter(|(from, to)| from < to);
            let left: Vec<Idle> = left.collect();
            let count = left.len();
            self.idle.splice(i..=i, left);
            for (from, to) in self.idle.iter_mut().skip(i + count) {
                let taken = lacking.min(*to - *from);
                (*from, lacking) = (*from + taken, lacking - taken);
            }
            self.free += lacking;
            self.idle.retain(|(from, to)| from < to);
            if self.idle.len() > most {
                self.idle.remove(0);
            }
            answer
        }
    }

    proptest! {
        #[test]
        fn a_server_answers_as_a_plain_list_of_idle_times_does(
            // Times go on, and requests come before them by up to a few hundred.
            requests in prop::collection::vec((0..30u64, 0..600u64, 0..12u64), 1..600),
        ) {
            let (mut now, mut server, mut ports) = (0, Server::default(), Ports::new(2));
            let (mut few, mut many) = (Plain::default(), Plain::default());
            for (step, before, needs) in requests {
                now += step;
                let at = (now + 600).saturating_sub(before * u64::from(before % 3 > 0));
                prop_assert_eq!(server.take(at, needs), few.take(4, at, needs));
                prop_assert_eq!(ports.take(1, at, needs), many.take(REMEMBERED, at, needs));
            }
            prop_assert_eq!((server.free_from(), ports.heads[1].free), (few.free, many.free));
            prop_assert_eq!(ports.heads[0].free, 0);
        }
    }
}
