//! Martin, Vahdat, Culler and Anderson, Effects of Communication Latency, Overhead, and Bandwidth in a Cluster
//! Architecture (ISCA'97): how programs on the Berkeley NOW slow down as LogGP's parameters are turned.
//!
//! Of the paper we have the abstract, its baseline as others quote it, and its models, but not its tables and curves.
//! So [`super::shown`] compares whole programs with the two figures and the statements that are printed in abstracts,
//! and their slopes with the models. Here threads without work of their own show what the models say of messages
//! alone:
//!
//! - overhead: r + 2 m o, with m the messages that the busiest processor sends, since as many come to it;
//! - gap, for messages in bursts: r + m g.

use super::{claim, Claim, Expected, Results, Study};
use crate::program::stops::{Done, Ended, Piece, Record, Stop, Stopped, Threads, Transfer, Turn};
use crate::program::{charges, simulate, Failure, TOO_LONG};
use fathom_machine::{Description, Time};
use std::collections::VecDeque;
use Expected::{Holds, Near};

pub const STUDY: Study = Study {
    id: "now",
    machine: "now",
    name: "Effects of communication latency, overhead and bandwidth in a cluster (Berkeley NOW)",
    claims: CLAIMS,
    measure,
    predictions: None,
    differs: &[],
    added: &[],
    readings: &[],
    left_out: &[
        (
            &["the tables of slowdowns and messages, and the curves, of each application"],
            "we have the paper's abstract and not its text; slopes are compared with its models instead (--programs)",
        ),
        (&["Barnes, P-Ray, Murphi, NOW-sort"], "no program of ours; NOW-sort is about disks"),
    ],
};

#[rustfmt::skip]
const CLAIMS: &[Claim] = &[
    claim("N01", "blocking reads: slope by overhead, by messages", Near(2.0, "times", 0.01), "its model r + 2 m o"),
    claim("N02", "gets under way: slope by overhead, by messages", Near(2.0, "times", 0.01), "its model r + 2 m o"),
    claim("N03", "puts under way: slope by gap, by messages", Near(1.0, "times", 0.01), "its model r + m g, for bursts"),
    claim("N04", "both processors take part in a read", Holds(Some("network.serve")), "Split-C's reads are active messages"),
];

/// Threads, and the transfers of each.
const THREADS: u32 = 16;
const TRANSFERS: u32 = 400;
/// Each transfer is a request and an answer, and each thread answers as many as it asks for.
const MESSAGES: f64 = 2.0 * TRANSFERS as f64;

fn measure(description: &Description) -> Result<Results, String> {
    let slope = |name: &str, from: f64, threads: &dyn Fn(u32) -> Vec<Record>| -> Result<f64, String> {
        let machine = description.with_factor(name, from)?;
        let more = machine.with_factor(name, 2.0)?;
        let difference = time(&more, threads)? as f64 - time(&machine, threads)? as f64;
        Ok(difference / machine.quantity(name)?.value)
    };
    let mut found = Results::new();
    // From an overhead on at which the gap limits nothing, also if only one of the processors takes part.
    let reads = slope("network.o_send", 4.0, &blocking)?;
    found.insert("N01", reads / MESSAGES);
    found.insert("N02", slope("network.o_send", 4.0, &|t| begun(t, false))? / MESSAGES);
    // From a gap on at which nothing else limits the messages.
    found.insert("N03", slope("network.g", 16.0, &|t| begun(t, true))? / MESSAGES);
    found.insert("N04", f64::from(u8::from(reads > 1.5 * MESSAGES)));
    Ok(found)
}

fn record(what: Done) -> Record {
    Record { work: 0, what, place: 0 }
}

fn transfer(with: u32, is_put: bool) -> Transfer {
    Transfer { is_put, with, bytes: 8, offset: 0, piece: Piece::default() }
}

/// A thread reads one word after the other from its neighbour.
fn blocking(t: u32) -> Vec<Record> {
    (0..TRANSFERS).map(|_| record(Done::Blocking(transfer((t + 1) % THREADS, false)))).collect()
}

/// A thread begins its transfers, with all others in turn, and waits for them.
fn begun(t: u32, is_put: bool) -> Vec<Record> {
    let with = |i: u32| transfer((t + 1 + i % (THREADS - 1)) % THREADS, is_put);
    let begin = (0..TRANSFERS).map(|i| record(Done::Begun(with(i), u64::from(i) + 1)));
    begin.chain((1..=TRANSFERS).map(|i| record(Done::Await(u64::from(i))))).collect()
}

/// When all threads have done what `records` gives to each.
fn time(machine: &Description, records: &dyn Fn(u32) -> Vec<Record>) -> Result<Time, String> {
    let stopped = |t| Stopped { records: records(t), stop: Stop::End, work: 0, may_serve: true, place: 0 };
    let mut job = Once((0..THREADS).map(|t| VecDeque::from([stopped(t)])).collect());
    let outcome = simulate(&mut job, &mut *charges(machine, THREADS)?, THREADS).map_err(|why| match why {
        Failure::Ended => "the threads have no end".to_string(),
        Failure::Deadlock(who) => who,
        Failure::TooLong => TOO_LONG.into(),
    })?;
    Ok(outcome.time())
}

/// Threads that stop once, and end.
struct Once(Vec<VecDeque<Stopped>>);

impl Threads for Once {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        let nothing = |stop| Stopped { records: vec![], stop, work: 0, may_serve: true, place: 0 };
        Ok(match turn {
            Turn::Run { .. } => self.0[t as usize].pop_front().unwrap_or_else(|| nothing(Stop::End)),
            Turn::Serve(..) => nothing(Stop::Served),
        })
    }
}
