//! Threads that poll their own memory, and say that they do the same again and again ([`Stop::Again`]): the times are those
//! of turns for each poll.

use crate::scripted;
use fathom_machine::Time;
use fathom_simulate::program::stops::{
    Done, Ended, Message, Piece, Record, Stop, Stopped, Threads, Touched, Transfer, Turn,
};
use fathom_simulate::program::{charges, simulate_drawn, Failure, Outcome, Pictures};
use proptest::prelude::*;
use scripted::{end, network};
use std::collections::VecDeque;

/// What a thread does between two stops, or until a word of its memory is great enough.
#[derive(Clone, Debug)]
enum Step {
    Stop(Stopped),
    /// Writes the word of another thread.
    Write(u32, u64),
    Poll {
        work: Time,
        fences: bool,
        until: u64,
    },
}

struct Scripts {
    threads: Vec<VecDeque<Step>>,
    words: Vec<u64>,
    /// Polls of each thread in a row.
    polls: Vec<usize>,
    /// After so many polls that are alike, a thread says so.
    enough: usize,
    /// Whether it has said so.
    again: Vec<bool>,
    touched: (u32, Vec<u32>),
    /// Turns, and polls that the engine has performed itself.
    turns: u64,
    repeated: u64,
}

impl Scripts {
    fn new(threads: &[Vec<Step>], enough: usize) -> Self {
        let count = threads.len();
        Scripts {
            threads: threads.iter().map(|steps| steps.clone().into()).collect(),
            words: vec![0; count],
            polls: vec![0; count],
            enough,
            again: vec![false; count],
            touched: (0, vec![]),
            turns: 0,
            repeated: 0,
        }
    }

    fn next(&mut self, t: u32) -> Stopped {
        let me = t as usize;
        self.again[me] = false;
        loop {
            match self.threads[me].pop_front() {
                Some(Step::Stop(stopped)) => {
                    self.polls[me] = 0;
                    return stopped;
                }
                Some(Step::Write(to, value)) => {
                    self.words[to as usize] = value.max(self.words[to as usize]);
                    if self.again[to as usize] {
                        self.touched.0 = t;
                        self.touched.1.push(to);
                    }
                }
                Some(Step::Poll { until, .. }) if self.words[me] >= until => self.polls[me] = 0,
                Some(step @ Step::Poll { work, fences, .. }) => {
                    self.threads[me].push_front(step);
                    self.polls[me] += 1;
                    self.again[me] = self.polls[me] > self.enough;
                    let stop = if self.again[me] { Stop::Again } else { Stop::Order };
                    let settles = Record { work, what: Done::Settle, place: 1 };
                    return match fences {
                        true => Stopped { records: vec![settles], stop, place: 2, ..end() },
                        false => Stopped { work, stop, place: 2, ..end() },
                    };
                }
                None => return end(),
            }
        }
    }
}

impl Threads for Scripts {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        match turn {
            Turn::Run { .. } => {
                self.turns += 1;
                Ok(self.next(t))
            }
            Turn::Serve(..) => Ok(Stopped { stop: Stop::Served, ..end() }),
        }
    }

    fn touched(&mut self, t: u32) -> Touched {
        match self.touched.0 == t {
            true => Touched::These(std::mem::take(&mut self.touched.1)),
            false => Touched::These(vec![]),
        }
    }

    fn repeated(&mut self, _: u32, times: u64) {
        self.repeated += times;
    }
}

/// The run, how many turns the threads had, and how many polls the engine has performed itself.
fn run(threads: &[Vec<Step>], enough: usize, draws: bool) -> Result<(Outcome, u64, u64), Failure> {
    let (count, machine) = (threads.len() as u32, network());
    let mut job = Scripts::new(threads, enough);
    let pictures = draws.then(|| Pictures::new(count));
    let mut machine = charges(&machine, count).unwrap();
    let mut outcome = simulate_drawn(&mut job, &mut *machine, count, pictures)?;
    (outcome.turns, outcome.events) = (0, 0);
    Ok((outcome, job.turns, job.repeated))
}

fn poll(work: Time, until: u64) -> Step {
    Step::Poll { work, fences: work.is_multiple_of(2), until }
}

fn works(ns: u64) -> Step {
    Step::Stop(Stopped { stop: Stop::Full, work: ns * 1000, ..end() })
}

/// A chain: each thread waits for the one before it.
fn chain(threads: u32, rounds: u64) -> Vec<Vec<Step>> {
    let of = |t: u32| -> Vec<Step> {
        let round = |r: u64| {
            let waits = (t > 0).then(|| poll(700 + u64::from(t), r));
            let writes = (t + 1 < threads).then_some(Step::Write(t + 1, r));
            waits.into_iter().chain([works(20_000)]).chain(writes)
        };
        (1..=rounds).flat_map(round).collect()
    };
    (0..threads).map(of).collect()
}

#[test]
fn threads_that_poll_have_few_turns_and_the_same_times() {
    let threads = chain(8, 5);
    let (expected, all, none) = run(&threads, usize::MAX, false).unwrap();
    let (found, turns, repeated) = run(&threads, 3, false).unwrap();
    assert_eq!(found, expected);
    assert_eq!((turns + repeated, none), (all, 0));
    assert!(turns * 10 < all, "{turns} of {all}");
}

#[test]
fn threads_that_all_poll_end_in_a_sentence() {
    let threads = vec![vec![poll(500, 1)], vec![poll(600, 1)], vec![works(5)]];
    let failed = run(&threads, 3, false);
    let Err(Failure::Deadlock(sentence)) = failed else { panic!("{failed:?}") };
    let expected = "threads 0, 1 wait for a change of shared objects that nobody changes, thread 2 has terminated";
    assert_eq!(sentence, expected);
}

fn step(threads: u32) -> impl Strategy<Value = Step> {
    let stop = |stop, work: Time| Step::Stop(Stopped { stop, work: work * 1000, ..end() });
    let transfer = |with| Transfer { is_put: false, with, bytes: 8, offset: 0, piece: Piece::default() };
    let message = |to| Message { to, is_reply: false, bytes: 8, tag: 0, image: vec![] };
    let record = |what| Record { work: 500, what, place: 3 };
    prop_oneof![
        4 => (0..threads, 1..4u64).prop_map(|(to, value)| Step::Write(to, value)),
        3 => (0..3u64, 1..4u64).prop_map(|(work, until)| poll(500 + work, until)),
        2 => (0..60u64).prop_map(works),
        2 => (0..9u64).prop_map(move |work| stop(Stop::Clock, work)),
        1 => (1..90u64).prop_map(move |ns| stop(Stop::Sleep(ns * 1000), 1)),
        1 => (1..9u64).prop_map(move |ns| stop(Stop::Wait(ns * 1000), 1)),
        2 => (0..threads).prop_map(move |with| stop(Stop::Arrival(transfer(with)), 2)),
        1 => (0..threads).prop_map(move |with| {
            Step::Stop(Stopped { records: vec![record(Done::Sent(message(with)))], stop: Stop::Full, ..end() })
        }),
        1 => (0..threads).prop_map(move |with| {
            Step::Stop(Stopped { records: vec![record(Done::Relaxed(transfer(with)))], stop: Stop::Full, ..end() })
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever happens beside them. At the end thread 0 sets all words so that all polls end.
    #[test]
    fn polls_that_the_engine_performs_take_the_times_of_turns(
        mut threads in (2..6u32).prop_flat_map(|n| {
            prop::collection::vec(prop::collection::vec(step(n), 0..16), n as usize)
        }),
        draws in any::<bool>(),
    ) {
        let count = threads.len() as u32;
        let releases = (0..count).map(|t| Step::Write(t, 9));
        threads.push([works(3000)].into_iter().chain(releases).chain([works(1)]).collect());
        let (expected, all, _) = run(&threads, usize::MAX, draws).unwrap();
        let (found, turns, repeated) = run(&threads, 2, draws).unwrap();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(turns + repeated, all);
    }
}
