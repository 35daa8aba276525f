//! The two primitives of contention: a resource that serves one at a time, and a queue with a number of places.

use crate::Time;
use std::collections::VecDeque;

/// A moment that may come later because others use the same resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    pub at: Time,
    /// How much earlier it would come if its thread had the resources for itself.
    pub late: Time,
}

impl Due {
    /// A moment that does not depend on others.
    pub fn on_time(at: Time) -> Self {
        Due { at, late: 0 }
    }

    /// The later of two, and when it would come without others.
    pub fn max(self, other: Due) -> Due {
        let at = self.at.max(other.at);
        Due { at, late: at - (self.at - self.late).max(other.at - other.late) }
    }

    /// After a time that does not depend on others.
    pub fn after(self, time: Time) -> Due {
        Due { at: self.at + time, late: self.late }
    }

    /// What of the time from `now` until then is waiting for others' use of resources.
    pub fn late_after(self, now: Time) -> Time {
        self.late.min(self.at.saturating_sub(now))
    }
}

/// A resource that serves one request at a time, in the order of arrival.
///
/// A chain of calls computes the future of one access at resources that another agent may want earlier. So a server
/// remembers the last few times at which it was idle, and a request that is computed later but arrives earlier gets the
/// first of them. If that is too short, the request would in truth delay those behind it, which have had their answer. It
/// then begins later itself, by what is lacking, as the first of them would have: the sum of the two waits is right. And
/// the server works as long as it would: what is lacking is taken from the idle times that follow. So requests in the
/// order of arrival are served exactly; the error of others is measured in tests/reference.rs.
#[derive(Clone, Debug)]
pub struct ServerOf<const REMEMBERED: usize> {
    free: Time,
    /// The idle times, from begin to end, in the order of time; the first `count` places are used. They stand here and
    /// not in a list elsewhere, since a network has many servers and each message asks several.
    idle: [(Time, Time); REMEMBERED],
    count: usize,
}

/// A server that remembers few idle times: those who ask it are near each other in time.
pub type Server = ServerOf<4>;

/// A server that remembers the idle times of a whole flight. The answer to a request takes its time at a port or a link
/// when the request begins, a flight ahead, and messages that pass before it find their place among such answers.
pub type Port = ServerOf<64>;

impl<const REMEMBERED: usize> Default for ServerOf<REMEMBERED> {
    fn default() -> Self {
        ServerOf { free: 0, idle: [(0, 0); REMEMBERED], count: 0 }
    }
}

impl<const REMEMBERED: usize> ServerOf<REMEMBERED> {
    /// So many idle times are forgotten at once, since it takes time to move the others.
    const FORGOTTEN: usize = REMEMBERED.div_ceil(8);

    /// Serves a request that arrives at `at` and takes `needs`; returns the time at which its service begins.
    #[inline]
    pub fn take(&mut self, at: Time, needs: Time) -> Time {
        if at >= self.free {
            if needs == 0 {
                return at;
            }
            if at > self.free {
                if self.count == REMEMBERED {
                    self.idle.copy_within(Self::FORGOTTEN.., 0);
                    self.count -= Self::FORGOTTEN;
                }
                self.idle[self.count] = (self.free, at);
                self.count += 1;
            }
            self.free = at + needs;
            return at;
        }
        // Most requests that come too late for an idle time come after all of them.
        if self.count > 0 && at < self.idle[self.count - 1].1 {
            if let Some(begin) = self.take_idle(at, needs) {
                return begin;
            }
        }
        let begin = self.free;
        self.free += needs;
        begin
    }

    /// Serves a request that arrives before the end of an idle time.
    fn take_idle(&mut self, at: Time, needs: Time) -> Option<Time> {
        let idle = &mut self.idle[..self.count];
        // A request without need arrives before the end, too: at the end another one begins.
        let i = idle.iter().position(|&(_, to)| at < to)?;
        let (from, to) = idle[i];
        let begin = at.max(from);
        if begin + needs > to {
            let lacking = begin + needs - to;
            idle[i].1 = begin;
            self.catch_up(i + 1, lacking);
            return Some(begin + lacking);
        }
        let (before, after) = ((from, begin), (begin + needs, to));
        // What is left of it before and after keeps the order of times.
        match (from < begin, begin + needs < to) {
            (false, false) => {
                idle.copy_within(i + 1.., i);
                self.count -= 1;
            }
            (true, false) => idle[i] = before,
            (false, true) => idle[i] = after,
            (true, true) if self.count < REMEMBERED => {
                self.idle.copy_within(i + 1..self.count, i + 2);
                (self.idle[i], self.idle[i + 1]) = (before, after);
                self.count += 1;
            }
            (true, true) => {
                // The oldest is forgotten.
                idle.copy_within(1..i.max(1), 0);
                if i > 0 {
                    idle[i - 1] = before;
                }
                idle[i] = after;
            }
        }
        Some(begin)
    }

    /// Shortens the idle times from number `first` on by `lacking`, and the time after them by what they do not have.
    fn catch_up(&mut self, first: usize, mut lacking: Time) {
        for (from, to) in &mut self.idle[first..self.count] {
            let taken = lacking.min(*to - *from);
            *from += taken;
            lacking -= taken;
        }
        self.free += lacking;
        let mut kept = 0;
        for i in 0..self.count {
            if self.idle[i].0 < self.idle[i].1 {
                self.idle[kept] = self.idle[i];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// The time from which it is idle.
    pub fn free_from(&self) -> Time {
        self.free
    }
}

/// A queue of `depth` places in front of a resource. A request that finds all places taken waits until one is left.
#[derive(Clone, Debug)]
pub struct Places {
    left: VecDeque<Time>,
    depth: usize,
}

impl Places {
    pub fn new(depth: usize) -> Self {
        Places { left: VecDeque::with_capacity(depth), depth: depth.max(1) }
    }

    /// The time at which a request that arrives at `at` has a place. Its [`leave`](Self::leave) must follow before the
    /// next one enters.
    pub fn enter(&mut self, at: Time) -> Time {
        if self.left.len() == self.depth {
            return at.max(self.left.pop_front().unwrap_or(at));
        }
        at
    }

    /// The request leaves its place at `at`.
    pub fn leave(&mut self, at: Time) {
        self.left.push_back(at);
    }

    /// The time at which all places are empty.
    pub fn empty_from(&self) -> Time {
        self.left.iter().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_later_of_two_moments_is_late_by_what_both_would_be_earlier() {
        let (a, b) = (Due { at: 100, late: 30 }, Due { at: 90, late: 5 });
        assert_eq!(a.max(b), Due { at: 100, late: 15 }, "alone, they would come at 70 and 85");
        assert_eq!((a.max(b), a.after(7)), (b.max(a), Due { at: 107, late: 30 }));
        assert_eq!([a.late_after(0), a.late_after(80), a.late_after(120)], [30, 20, 0]);
    }

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
    fn a_request_without_need_overtakes_nobody() {
        let mut server = Server::default();
        server.take(100, 10);
        assert_eq!([server.take(100, 0), server.take(99, 0)], [110, 99]);
    }

    #[test]
    fn the_request_after_a_full_queue_waits_for_the_first_to_leave() {
        let mut places = Places::new(2);
        for (at, gets, leaves) in [(0, 0, 30), (1, 1, 40), (2, 30, 60), (35, 40, 70), (65, 65, 90)] {
            assert_eq!(places.enter(at), gets);
            places.leave(leaves);
        }
        assert_eq!(places.empty_from(), 90);
    }
}
