//! Turns that threads begin while the engine computes ([`Threads::begin`]): the same times as without.

use crate::scripted;
use fathom_machine::Time;
use fathom_simulate::program::stops::{Done, Ended, Message, Piece, Record, Stop, Stopped, Threads, Transfer, Turn};
use fathom_simulate::program::{charges, simulate, Outcome};
use proptest::prelude::*;
use scripted::{end, network};
use std::collections::{HashMap, VecDeque};

/// Threads that do what they are told between their stops.
struct Scripts {
    threads: Vec<VecDeque<Stopped>>,
    /// Whether they begin turns ahead; those that have begun, and what they stopped at.
    begins: bool,
    begun: HashMap<u32, Stopped>,
    count: usize,
    /// The clocks with which each thread went on.
    clocks: Vec<Vec<Time>>,
}

impl Scripts {
    fn new(threads: &[Vec<Stopped>], begins: bool) -> Self {
        let scripts = threads.iter().map(|stops| stops.clone().into()).collect();
        let clocks = vec![vec![]; threads.len()];
        Scripts { threads: scripts, begins, begun: HashMap::new(), count: 0, clocks }
    }

    fn next(&mut self, t: u32) -> Stopped {
        self.threads[t as usize].pop_front().unwrap_or_else(end)
    }
}

impl Threads for Scripts {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        match turn {
            Turn::Run { now, .. } => {
                self.clocks[t as usize].push(*now);
                match self.begun.remove(&t) {
                    Some(stopped) => Ok(stopped),
                    None => Ok(self.next(t)),
                }
            }
            Turn::Serve(..) => Ok(Stopped { stop: Stop::Served, ..end() }),
        }
    }

    fn begin(&mut self, t: u32, turn: &Turn) -> bool {
        assert!(matches!(turn, Turn::Run { answer: 0, .. }));
        if self.begins {
            let stopped = self.next(t);
            assert!(self.begun.insert(t, stopped).is_none(), "thread {t} begins two turns");
            self.count += 1;
        }
        self.begins
    }

    fn may_serve(&mut self, t: u32) -> Result<bool, Ended> {
        Ok(self.begun[&t].may_serve)
    }
}

/// The outcome, and the threads after it.
fn outcome(threads: &[Vec<Stopped>], begins: bool) -> (Outcome, Scripts) {
    let (count, machine) = (threads.len() as u32, network());
    let mut job = Scripts::new(threads, begins);
    let outcome = simulate(&mut job, &mut *charges(&machine, count).unwrap(), count).unwrap();
    assert!(job.begun.is_empty(), "a turn that was begun was not asked for");
    (outcome, job)
}

/// The outcomes without and with turns ahead, and how many these were.
fn both(threads: &[Vec<Stopped>]) -> (Outcome, Outcome, usize) {
    let ((plain, without), (ahead, with)) = (outcome(threads, false), outcome(threads, true));
    assert_eq!(with.clocks, without.clocks);
    (plain, ahead, with.count)
}

fn get(with: u32, work: Time) -> Record {
    let transfer = Transfer { is_put: false, with, bytes: 8, offset: 0, piece: Piece::default() };
    Record { work, what: Done::Blocking(transfer), place: 0 }
}

fn full(records: Vec<Record>) -> Stopped {
    Stopped { records, stop: Stop::Full, ..end() }
}

#[test]
fn threads_with_full_rooms_begin_their_turns() {
    let (threads, rooms) = (4, 10);
    let room = |t: u32| full((0..50).map(|i| get((t + 1) % threads, 1000 + i)).collect());
    let scripts: Vec<_> = (0..threads).map(|t| vec![room(t); rooms]).collect();
    let (plain, ahead, count) = both(&scripts);
    assert_eq!(ahead, plain);
    // All but the first few: a thread begins when none has had another turn for a while.
    assert!(count >= (rooms - 2) * threads as usize, "{count}");
}

/// A thread waits without a limit, and has begun the turn that ends so before the message came that it waits for.
#[test]
fn what_comes_after_a_turn_has_begun_is_news_at_its_end() {
    let message = Message { to: 0, is_reply: false, bytes: 8, tag: 0, image: vec![] };
    let sends = Record { work: 2_000_000, what: Done::Sent(message), place: 0 };
    let long = |work| (0..100).map(|_| get(1, work)).collect();
    let waits = Stopped { stop: Stop::Wait(0), ..end() };
    let (outcome, job) = outcome(&[vec![full(long(10_000)), waits], vec![full(vec![sends]), end()]], true);
    // The message came while the records were performed.
    assert!(job.count > 0 && outcome.threads[0].end > 2_000_000, "{outcome:?}");
}

fn stopped(threads: u32) -> impl Strategy<Value = Stopped> {
    let stop = prop_oneof![
        8 => Just(Stop::Full),
        1 => Just(Stop::Clock),
        1 => Just(Stop::Order),
        1 => (1..9u64).prop_map(|ns| Stop::Sleep(ns * 1000)),
        1 => (1..9u64).prop_map(|ns| Stop::Wait(ns * 1000)),
    ];
    let record = (0..8u64, 0..threads).prop_map(|(work, with)| get(with, work * 1000));
    (prop::collection::vec(record, 0..60), stop, 0..6u64).prop_map(|(records, stop, work)| Stopped {
        records,
        stop,
        work: work * 1000,
        ..end()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_times_are_those_without_turns_ahead(
        threads in (1..6u32).prop_flat_map(|n| {
            prop::collection::vec(prop::collection::vec(stopped(n), 0..12), n as usize)
        }),
    ) {
        let (plain, ahead, _) = both(&threads);
        prop_assert_eq!(ahead, plain);
    }
}
