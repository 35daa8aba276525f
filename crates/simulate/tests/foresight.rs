//! Turns that threads hand on among themselves ([`Threads::foresee`]): the same turns, in the same order, with the same
//! times, as those of an engine that gives each one itself.

use crate::scripted;
use fathom_machine::Time;
use fathom_simulate::program::stops::{
    Done, Ended, Foreseen, Message, Piece, Record, Stop, Stopped, Threads, Transfer, Turn,
};
use fathom_simulate::program::{charges, simulate, Outcome};
use proptest::prelude::*;
use scripted::{end, network};
use std::collections::VecDeque;

/// What happened: a thread's turn, or its serving a message.
type Seen = (u32, Option<u32>, Time);

/// Threads that do what they are told between their stops.
struct Scripts {
    threads: Vec<VecDeque<Stopped>>,
    seen: Vec<Seen>,
}

impl Scripts {
    fn new(threads: &[Vec<Stopped>]) -> Self {
        Scripts { threads: threads.iter().map(|stops| stops.clone().into()).collect(), seen: vec![] }
    }
}

impl Threads for Scripts {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        match turn {
            Turn::Run { now, .. } => {
                self.seen.push((t, None, *now));
                Ok(self.threads[t as usize].pop_front().unwrap_or_else(end))
            }
            Turn::Serve(from, _) => {
                self.seen.push((t, Some(*from), 0));
                Ok(Stopped { stop: Stop::Served, ..end() })
            }
        }
    }
}

/// Threads that go on as runtime/conduit/sim/turns.c has them go on: before they are asked to.
struct Ahead {
    job: Scripts,
    /// The turns after the next one that is asked for.
    next: Vec<Foreseen>,
    /// What has been taken and not asked for.
    taken: VecDeque<(Foreseen, Stopped)>,
    count: usize,
}

impl Threads for Ahead {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        if let Some((expected, stopped)) = self.taken.pop_front() {
            assert_eq!((expected.thread, &expected.turn), (t, turn), "a turn that was taken is another one's");
            assert!(self.next.is_empty());
            return Ok(stopped);
        }
        let next = std::mem::take(&mut self.next);
        let first = self.job.go_on(t, turn)?;
        let event = |t: u32, turn: &Turn, stopped: &Stopped| match turn {
            Turn::Run { now, .. } => (now + stopped.records.first().map_or(stopped.work, |r| r.work), t),
            Turn::Serve(..) => (0, t),
        };
        let mut soonest = event(t, turn, &first);
        for told in next {
            if (told.at, told.thread) > soonest {
                break;
            }
            let stopped = self.job.go_on(told.thread, &told.turn)?;
            soonest = soonest.min(event(told.thread, &told.turn, &stopped));
            self.count += 1;
            self.taken.push_back((told, stopped));
        }
        Ok(first)
    }

    fn foresee(&mut self, turns: Vec<Foreseen>) {
        assert!(self.taken.is_empty(), "turns are foreseen while others are left");
        self.next = turns;
    }
}

/// The outcome with turns one by one, and with turns ahead; how many were ahead.
fn both(threads: &[Vec<Stopped>]) -> (Outcome, usize) {
    let (count, machine) = (threads.len() as u32, network());
    let mut plain = Scripts::new(threads);
    let expected = simulate(&mut plain, &mut *charges(&machine, count).unwrap(), count).unwrap();
    let mut ahead = Ahead { job: Scripts::new(threads), next: vec![], taken: VecDeque::new(), count: 0 };
    let found = simulate(&mut ahead, &mut *charges(&machine, count).unwrap(), count).unwrap();
    assert!(ahead.taken.is_empty());
    assert_eq!(ahead.job.seen, plain.seen);
    assert_eq!(found, expected);
    (found, ahead.count)
}

#[test]
fn threads_that_read_their_clocks_in_turn_need_no_engine_between_them() {
    let (threads, reads) = (32, 50);
    let clock = Stopped { stop: Stop::Clock, work: 1000, ..end() };
    let (outcome, ahead) = both(&vec![vec![clock; reads]; threads]);
    assert!(ahead * 10 > outcome.turns as usize * 9, "{ahead} of {}", outcome.turns);
}

fn record(threads: u32) -> impl Strategy<Value = Record> {
    (0..8u64, 0..3u8, 0..threads).prop_map(|(work, what, with)| {
        let transfer = Transfer { is_put: what == 0, with, bytes: 8, offset: 0, piece: Piece::default() };
        let message = Message { to: with, is_reply: false, bytes: 8, tag: 0, image: vec![] };
        let what = if what == 2 { Done::Sent(message) } else { Done::Blocking(transfer) };
        Record { work: work * 1000, what, place: 0 }
    })
}

fn stopped(threads: u32) -> impl Strategy<Value = Stopped> {
    let get = |with| Transfer { is_put: false, with, bytes: 8, offset: 0, piece: Piece::default() };
    let stop = prop_oneof![
        4 => Just(Stop::Clock),
        2 => Just(Stop::Order),
        2 => Just(Stop::Full),
        1 => (1..9u64).prop_map(|ns| Stop::Sleep(ns * 1000)),
        1 => (1..9u64).prop_map(|ns| Stop::Wait(ns * 1000)),
        1 => (0..threads).prop_map(move |with| Stop::Arrival(get(with))),
    ];
    let records = prop_oneof![5 => Just(vec![]), 1 => prop::collection::vec(record(threads), 1..3)];
    (records, stop, 0..6u64, prop::bool::weighted(0.9)).prop_map(|(records, stop, work, may_serve)| Stopped {
        records,
        stop,
        work: work * 1000,
        may_serve,
        place: 0,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn turns_taken_ahead_are_those_that_the_engine_gives(
        threads in (2..7u32).prop_flat_map(|n| {
            prop::collection::vec(prop::collection::vec(stopped(n), 0..20), n as usize)
        }),
    ) {
        both(&threads);
    }
}
