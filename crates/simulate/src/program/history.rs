//! What every thread did when: one after the other, without gaps, and the operations that it began and completed.
//!
//! The [`engine`](super::engine) charges a thread's time in advance, up to its next event, and a request that the thread
//! serves in the meantime moves the rest back. So the end of a lane stays open: a [`Piece`](Item::Piece) has a length
//! and no beginning, and what lies in front of the engine's own time can still be split. What is behind it is written
//! to a stream of bytes, of which a long run needs a few for each operation.

use crate::program::accounts::{Accounts, At, Part, SERVING};
use crate::program::stops::{Done, Note, Transfer};
use crate::trace::wire::{put, put_step, Reader};
use fathom_machine::Time;
use std::collections::{HashMap, VecDeque};

/// What a thread spends its time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Work,
    Memory,
    Overhead,
    Transfers,
    /// Waiting between its notification of a barrier and the barrier's end.
    Barrier,
    /// Waiting for messages, and sleeps.
    Waiting,
    Contention,
    /// Requests of other threads.
    Serving,
}

pub const KINDS: [Kind; 8] = [
    Kind::Work,
    Kind::Memory,
    Kind::Overhead,
    Kind::Transfers,
    Kind::Barrier,
    Kind::Waiting,
    Kind::Contention,
    Kind::Serving,
];

/// Where a thread is: what it spends its time on, and the number of the place in the program's text.
pub type State = (Kind, u32);

/// Something that takes no time itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The state changes.
    Now(State),
    /// A transfer begins. Its number is the thread's own.
    Put {
        with: u32,
        bytes: u64,
        number: u64,
    },
    Get {
        with: u32,
        bytes: u64,
        number: u64,
    },
    /// The thread may use its own memory again; of a get, the data have come.
    Complete {
        number: u64,
        is_blocking: bool,
    },
    /// The thread knows that the data of a put have arrived.
    Arrived {
        number: u64,
    },
    /// A look whether a transfer is complete, in vain.
    Tested {
        number: u64,
    },
    /// A lock of a thread's memory, at an offset.
    Asked {
        with: u32,
        lock: u64,
    },
    Taken {
        with: u32,
        lock: u64,
    },
    Freed {
        with: u32,
        lock: u64,
    },
    /// An atomic operation on a thread's memory, besides the messages of which it consists; its number is as of a transfer.
    Atomic {
        with: u32,
        what: Atomic,
        bytes: u64,
        number: u64,
    },
    /// An active message.
    Sent {
        with: u32,
        bytes: u64,
        is_reply: bool,
    },
    Served {
        with: u32,
        bytes: u64,
        is_reply: bool,
    },
    Notified,
    /// The barrier is complete, and the thread knows.
    Passed,
    /// The thread has ended.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomic {
    Update,
    Swap,
    Compare,
    Fetch,
}

const ATOMICS: [Atomic; 4] = [Atomic::Update, Atomic::Swap, Atomic::Compare, Atomic::Fetch];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Piece(State, Time),
    Point(Event),
}

/// A request that was served: what was noted meanwhile, at its times, and for how long it stopped the thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Serving {
    from: Time,
    time: Time,
    events: Vec<(Time, Event)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lane {
    /// What may still be split, from `begin` to `end`.
    open: VecDeque<Item>,
    begin: Time,
    end: Time,
    /// Requests served later than `end`: inside of work that is charged when it is done.
    ahead: Vec<Serving>,
    /// What a request that is being served does.
    aside: Vec<(Time, Event)>,
    /// The numbers of transfers that were begun, by the program's; of relaxed puts; of the one that is being performed.
    begun: HashMap<u64, (u64, bool)>,
    relaxed: Vec<u64>,
    /// Atomic operations under way, by the other thread.
    atomics: HashMap<u32, VecDeque<u64>>,
    current: (u64, bool),
    transfers: u64,
    /// Barriers that it has notified, and passed.
    barriers: (u64, u64),
    written: Stream,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Stream {
    bytes: Vec<u8>,
    last: Time,
    state: Option<State>,
}

/// The lanes of all threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    lanes: Vec<Lane>,
    /// The engine's time: nothing happens before it any more.
    now: Time,
    /// The names of the places, if they have any.
    pub places: Vec<At>,
}

/// A lane's open end is written when it has so many items.
const OPEN: usize = 512;

impl History {
    pub fn new(threads: u32) -> Self {
        History { lanes: vec![Lane::default(); threads as usize], now: 0, places: vec![] }
    }

    pub fn threads(&self) -> u32 {
        self.lanes.len() as u32
    }

    /// What a thread did, in its order, with the times.
    pub fn of(&self, t: u32) -> Events<'_> {
        Events { r: Reader::new(&self.lanes[t as usize].written.bytes, 0), at: 0 }
    }

    /// Nothing happens before this time any more.
    pub fn advance(&mut self, now: Time) {
        self.now = self.now.max(now);
    }

    /// Thread `t` spends time, at a place.
    pub fn spend(&mut self, t: u32, place: u32, part: Part, from: Time, to: Time) {
        let lane = &mut self.lanes[t as usize];
        if place == SERVING {
            let events = std::mem::take(&mut lane.aside);
            return lane.serve(Serving { from, time: to - from, events });
        }
        let kind = match part {
            Part::Work => Kind::Work,
            Part::Memory => Kind::Memory,
            Part::Overhead => Kind::Overhead,
            Part::Transfers => Kind::Transfers,
            Part::Waiting if lane.barriers.0 > lane.barriers.1 => Kind::Barrier,
            Part::Waiting => Kind::Waiting,
            Part::Contention => Kind::Contention,
        };
        lane.spend((kind, place), to - from);
        if lane.open.len() > OPEN {
            lane.write(self.now);
        }
    }

    /// Something happens to a thread at the end of what it has spent.
    pub fn note(&mut self, t: u32, event: Event) {
        let lane = &mut self.lanes[t as usize];
        match event {
            Event::Notified => lane.barriers.0 += 1,
            Event::Passed => lane.barriers.1 += 1,
            _ => {}
        }
        lane.point(event);
    }

    /// Thread `t` sends or takes a message at a time, as a part of what it does, or of a request that it serves.
    pub fn message(&mut self, t: u32, place: u32, at: Time, event: Event) {
        let lane = &mut self.lanes[t as usize];
        match place {
            SERVING => lane.aside.push((at, event)),
            _ => lane.point(event),
        }
    }

    /// A request is served. If it took no time of the thread, what it did happened beside.
    pub fn served(&mut self, t: u32) {
        let lane = &mut self.lanes[t as usize];
        let mut events = std::mem::take(&mut lane.aside);
        // Messages do not overtake each other.
        let mut last = 0;
        events.iter_mut().for_each(|(at, _)| {
            *at = last.max(*at);
            last = *at;
        });
        events.into_iter().for_each(|(at, event)| {
            lane.serve(Serving { from: at, time: 0, events: vec![(at, event)] });
        });
    }

    /// What a thread has done begins, as a whole.
    pub fn begin(&mut self, t: u32, what: &Done) {
        let (transfer, id) = match what {
            Done::Blocking(transfer) | Done::Relaxed(transfer) => (transfer, None),
            Done::Begun(transfer, id) => (transfer, Some(*id)),
            _ => return,
        };
        if !transfer.piece.is_rest {
            self.transfer(t, transfer, id);
        }
    }

    /// A transfer begins, as a whole.
    pub fn transfer(&mut self, t: u32, transfer: &Transfer, id: Option<u64>) {
        let lane = &mut self.lanes[t as usize];
        let number = lane.transfers;
        lane.transfers += 1;
        lane.current = (number, transfer.is_put);
        if let Some(id) = id {
            lane.begun.insert(id, (number, transfer.is_put));
        }
        let &Transfer { with, bytes, is_put, .. } = transfer;
        lane.point(match is_put {
            true => Event::Put { with, bytes, number },
            false => Event::Get { with, bytes, number },
        });
    }

    /// The transfer that the thread began last is complete.
    pub fn complete(&mut self, t: u32) {
        let lane = &mut self.lanes[t as usize];
        let (number, is_put) = lane.current;
        lane.complete(number, is_put, true);
    }

    /// The relaxed put that the thread began last has been handed over.
    pub fn handed_over(&mut self, t: u32) {
        let lane = &mut self.lanes[t as usize];
        let number = lane.current.0;
        lane.point(Event::Complete { number, is_blocking: false });
        lane.relaxed.push(number);
    }

    /// All relaxed puts have arrived.
    pub fn settled(&mut self, t: u32) {
        let lane = &mut self.lanes[t as usize];
        for number in std::mem::take(&mut lane.relaxed) {
            lane.point(Event::Arrived { number });
        }
    }

    /// A transfer that was begun is complete.
    pub fn awaited(&mut self, t: u32, id: u64) {
        let lane = &mut self.lanes[t as usize];
        if let Some((number, is_put)) = lane.begun.remove(&id) {
            lane.complete(number, is_put, false);
        }
    }

    /// What messages mean: a number of [`NOTES`](crate::program::stops::NOTES).
    pub fn noted(&mut self, t: u32, note: &Note) {
        let lane = &mut self.lanes[t as usize];
        let Note { what, with, bytes, offset: lock } = *note;
        match what {
            0 => lane.point(Event::Asked { with, lock }),
            1 => lane.point(Event::Taken { with, lock }),
            2 => lane.point(Event::Freed { with, lock }),
            3..=6 => {
                let number = lane.transfers;
                lane.transfers += 1;
                lane.atomics.entry(with).or_default().push_back(number);
                lane.point(Event::Atomic { with, what: ATOMICS[usize::from(what - 3)], bytes, number });
            }
            _ => {
                if let Some(number) = lane.atomics.get_mut(&with).and_then(VecDeque::pop_front) {
                    lane.point(Event::Complete { number, is_blocking: false });
                }
            }
        }
    }

    /// A transfer that was begun is not complete.
    pub fn tested(&mut self, t: u32, id: u64) {
        let lane = &mut self.lanes[t as usize];
        if let Some((number, _)) = lane.begun.get(&id) {
            let number = *number;
            lane.point(Event::Tested { number });
        }
    }

    /// The run is over.
    pub(crate) fn finish(&mut self, accounts: &Accounts) {
        self.places = accounts.names();
        for lane in &mut self.lanes {
            lane.spend((Kind::Work, 0), 0);
            for serving in std::mem::take(&mut lane.ahead) {
                lane.append(serving);
            }
            lane.point(Event::End);
            lane.write(Time::MAX);
        }
    }
}

impl Lane {
    fn point(&mut self, event: Event) {
        self.open.push_back(Item::Point(event));
    }

    fn complete(&mut self, number: u64, is_put: bool, is_blocking: bool) {
        self.point(Event::Complete { number, is_blocking });
        if is_put {
            self.point(Event::Arrived { number });
        }
    }

    fn push(&mut self, state: State, time: Time) {
        if time > 0 {
            self.open.push_back(Item::Piece(state, time));
            self.end += time;
        }
    }

    /// Time is spent from the end on, between the requests that were served meanwhile.
    fn spend(&mut self, state: State, mut time: Time) {
        let mut ahead = std::mem::take(&mut self.ahead).into_iter();
        while let Some(serving) = ahead.next() {
            let before = serving.from.saturating_sub(self.end);
            if before > time && serving.time == 0 {
                // Beside the thread, and later than this.
                self.ahead = std::iter::once(serving).chain(ahead).collect();
                break;
            }
            // One that took the thread's time took it from this work, even if the thread had the processor first.
            self.push(state, before.min(time));
            time -= before.min(time);
            self.append(serving);
        }
        self.push(state, time);
    }

    /// A request, at the end.
    fn append(&mut self, Serving { from, time, events }: Serving) {
        let mut done = 0;
        for (at, event) in events {
            let offset = at.saturating_sub(from).clamp(done, time.max(done));
            self.push((Kind::Serving, 0), offset - done);
            self.point(event);
            done = offset;
        }
        self.push((Kind::Serving, 0), time - done);
    }

    /// A request is served from a time on. What the thread does from then on comes later.
    fn serve(&mut self, serving: Serving) {
        let from = serving.from;
        if from > self.end || !self.ahead.is_empty() {
            return self.ahead.push(serving);
        }
        // Short in most cases: the open end is what lies in front of the engine's time.
        let (mut after, mut at) = (VecDeque::new(), self.end);
        while at > from {
            let Some(item) = self.open.pop_back() else { break };
            match item {
                Item::Piece(state, time) if at - time < from => {
                    after.push_front(Item::Piece(state, at - from));
                    self.open.push_back(Item::Piece(state, from - (at - time)));
                    at = from;
                }
                Item::Piece(_, time) => {
                    at -= time;
                    after.push_front(item);
                }
                Item::Point(_) => after.push_front(item),
            }
        }
        let end = self.end;
        self.append(serving);
        debug_assert!(self.end >= end);
        self.open.append(&mut after);
    }

    /// Writes what lies before a time.
    fn write(&mut self, now: Time) {
        let Lane { open, begin, written, .. } = self;
        while let Some(item) = open.front() {
            match item {
                Item::Piece(_, time) if *begin + time > now => break,
                Item::Piece(state, time) => {
                    written.now(*begin, *state);
                    *begin += time;
                }
                Item::Point(event) => written.event(*begin, *event),
            }
            open.pop_front();
        }
    }
}

impl Stream {
    fn now(&mut self, at: Time, state: State) {
        if self.state != Some(state) {
            self.state = Some(state);
            self.event(at, Event::Now(state));
        }
    }

    fn event(&mut self, at: Time, event: Event) {
        let to = &mut self.bytes;
        put_step(to, self.last, at);
        self.last = at;
        let mut say = |kind: u8, numbers: &[u64]| {
            to.push(kind);
            numbers.iter().for_each(|n| put(to, *n));
        };
        match event {
            Event::Now((kind, place)) => say(0, &[kind as u64, place.into()]),
            Event::Put { with, bytes, number } => say(1, &[with.into(), bytes, number]),
            Event::Get { with, bytes, number } => say(2, &[with.into(), bytes, number]),
            Event::Complete { number, is_blocking } => say(3 + u8::from(is_blocking), &[number]),
            Event::Arrived { number } => say(5, &[number]),
            Event::Tested { number } => say(6, &[number]),
            Event::Sent { with, bytes, is_reply } => say(7 + u8::from(is_reply), &[with.into(), bytes]),
            Event::Served { with, bytes, is_reply } => say(9 + u8::from(is_reply), &[with.into(), bytes]),
            Event::Asked { with, lock } => say(14, &[with.into(), lock]),
            Event::Taken { with, lock } => say(15, &[with.into(), lock]),
            Event::Freed { with, lock } => say(16, &[with.into(), lock]),
            Event::Atomic { with, what, bytes, number } => say(17 + what as u8, &[with.into(), bytes, number]),
            Event::Notified => say(11, &[]),
            Event::Passed => say(12, &[]),
            Event::End => say(13, &[]),
        }
    }
}

/// What a thread did, with the times.
pub struct Events<'a> {
    r: Reader<'a>,
    at: Time,
}

impl Iterator for Events<'_> {
    type Item = (Time, Event);

    fn next(&mut self) -> Option<(Time, Event)> {
        if self.r.is_at_end() {
            return None;
        }
        self.at = self.r.step(self.at)?;
        let r = &mut self.r;
        let event = match r.byte()? {
            0 => Event::Now((KINDS[r.number()? as usize], r.small()?)),
            1 => Event::Put { with: r.small()?, bytes: r.number()?, number: r.number()? },
            2 => Event::Get { with: r.small()?, bytes: r.number()?, number: r.number()? },
            kind @ (3 | 4) => Event::Complete { number: r.number()?, is_blocking: kind == 4 },
            5 => Event::Arrived { number: r.number()? },
            6 => Event::Tested { number: r.number()? },
            kind @ (7 | 8) => Event::Sent { with: r.small()?, bytes: r.number()?, is_reply: kind == 8 },
            kind @ (9 | 10) => Event::Served { with: r.small()?, bytes: r.number()?, is_reply: kind == 10 },
            11 => Event::Notified,
            12 => Event::Passed,
            14 => Event::Asked { with: r.small()?, lock: r.number()? },
            15 => Event::Taken { with: r.small()?, lock: r.number()? },
            16 => Event::Freed { with: r.small()?, lock: r.number()? },
            kind @ 17..=20 => {
                let what = ATOMICS[usize::from(kind - 17)];
                Event::Atomic { with: r.small()?, what, bytes: r.number()?, number: r.number()? }
            }
            _ => Event::End,
        };
        Some((self.at, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(history: &History, t: u32) -> Vec<(Time, Kind)> {
        let states = history.of(t).filter_map(|(at, event)| match event {
            Event::Now((kind, _)) => Some((at, kind)),
            _ => None,
        });
        states.collect()
    }

    #[test]
    fn a_request_splits_what_the_thread_does_and_moves_the_rest() {
        let mut history = History::new(1);
        history.spend(0, 1, Part::Overhead, 0, 10);
        history.spend(0, 1, Part::Transfers, 10, 50);
        history.note(0, Event::Notified);
        // Inside of the wait.
        history.message(0, SERVING, 22, Event::Served { with: 0, bytes: 8, is_reply: false });
        history.spend(0, SERVING, Part::Overhead, 20, 25);
        // Inside of work that is charged later: from 55 to 105, less 5.
        history.spend(0, SERVING, Part::Overhead, 60, 65);
        history.spend(0, 1, Part::Work, 60, 105);
        // Beside the thread.
        history.message(0, SERVING, 105, Event::Served { with: 0, bytes: 8, is_reply: true });
        history.served(0);
        history.spend(0, 1, Part::Waiting, 105, 110);
        history.finish(&Accounts::new(None));
        let expected = [
            (0, Kind::Overhead),
            (10, Kind::Transfers),
            (20, Kind::Serving),
            (25, Kind::Transfers),
            (55, Kind::Work),
            (60, Kind::Serving),
            (65, Kind::Work),
            (105, Kind::Barrier),
        ];
        assert_eq!(pieces(&history, 0), expected);
        let points: Vec<_> = history.of(0).filter(|(_, event)| !matches!(event, Event::Now(_))).collect();
        let served = |is_reply| Event::Served { with: 0, bytes: 8, is_reply };
        assert_eq!(points, [(22, served(false)), (55, Event::Notified), (105, served(true)), (110, Event::End)]);
    }
}
