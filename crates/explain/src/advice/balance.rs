//! Barriers: threads that wait for one that has more work, and barriers at which a different one is late each time.
//!
//! If there are more threads than processors a wait says little about the work, and there is no advice.

use super::{number, percent, time, Advice};
use crate::job::{Job, Share, Site};
use crate::site::Kind;
use std::collections::BTreeMap;

/// A thread that did not run for this share of its delay is late for that reason.
const DISPLACED: f64 = 0.5;
/// The number of reads of one address that counts as waiting.
const MANY_READS: f64 = 1000.0;
/// The least number of barriers at one place that give evidence.
const LEAST: usize = 4;
/// The same thread is late if it is last in this share of them.
const MOSTLY: f64 = 0.6;
/// A wait counts at most this many times the usual wait, so that occasional disturbances do not count as work.
const USUAL: f64 = 3.0;
/// A thread with this many times the others' accesses has more work.
const MORE: f64 = 1.2;
/// A thread that comes last waits at most this share of the others' wait.
const LATE: f64 = 0.5;

pub fn advise(job: &Job) -> Vec<Advice> {
    if job.crowded {
        return vec![];
    }
    let waits = |s: &&Site| s.about.ends_barrier();
    job.sites.iter().enumerate().filter(|(_, s)| waits(s)).filter_map(|(i, s)| site(job, i, s)).collect()
}

fn site(job: &Job, index: usize, s: &Site) -> Option<Advice> {
    let calls = s.of.iter().map(|x| x.record.calls).min()? as usize;
    if s.of.len() < 2 || s.of.len() != job.threads || calls < LEAST {
        return None;
    }
    let waits: Vec<f64> = s.of.iter().map(|x| x.measured_ns(&s.about).unwrap_or(0.0)).collect();
    let total: f64 = waits.iter().sum();
    let (late, least) = waits.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1))?;
    let thread = s.of[late].thread;
    let others = (total - least) / (waits.len() - 1) as f64;
    let gain = (total - least * waits.len() as f64) * usual(job, index, calls);
    let mut evidence = vec![format!(
        "{} barriers here; the threads wait {} of their time for each other",
        number(calls as f64),
        percent(total / job.thread_ns().max(1.0))
    )];
    let often = often_last(job, index, thread);
    let one = *least < LATE * others && often.is_none_or(|share| share >= MOSTLY);
    // Late because another process had its processor: the program could not avoid that.
    let displaced = job.displaced_ns.iter().sum::<f64>() > gain;
    let displaced = displaced
        || match one {
            true => job.absent_ns.get(thread).is_some_and(|ns| *ns > DISPLACED * (others - least)),
            false => job.displaced_ns.iter().sum::<f64>() > DISPLACED * total,
        };
    if displaced {
        return None;
    }
    let made = |t: usize| accesses(job, t);
    let theirs =
        s.of.iter().filter(|x| x.thread != thread).map(|x| made(x.thread)).sum::<f64>() / (s.of.len() - 1) as f64;
    let more = made(thread) > MORE * theirs;
    let spins = one.then(|| spins(job, thread)).flatten();
    let what = if one {
        evidence.push(format!("thread {thread} waits {}, the others {} on average", time(*least), time(others)));
        evidence.extend(often.map(|share| format!("it came last at {} of the observed barriers", percent(share))));
        match spins {
            Some(s) => {
                let place = format!("line {}", s.about.line);
                evidence.push(format!(
                    "thread {thread} reads `{}` repeatedly ({place}), like a thread that waits for another",
                    s.about.text
                ));
                format!(
                    "thread {thread} comes last, because it waits for others in {place}: pass work on in smaller \
                     parts, so that it can begin earlier"
                )
            }
            None => {
                evidence.push(format!(
                    "shared accesses in all: {} by thread {thread}, {} by the others on average",
                    number(made(thread)),
                    number(theirs)
                ));
                match more {
                    true => format!(
                        "thread {thread} has more to do before this barrier than the others: divide the work more evenly"
                    ),
                    false => format!(
                        "thread {thread} comes to this barrier later than the others, although it makes no more \
                         shared accesses: it has more private work, or the same work takes longer"
                    ),
                }
            }
        }
    } else {
        let (spread, n) = spread(job, index)?;
        evidence.push(format!(
            "a different thread comes last each time, on average {} after the first ({n} barriers)",
            time(spread)
        ));
        let split = if s.about.is_split_c { "" } else { ", or upc_notify and upc_wait with own work between them" };
        format!(
            "the work between these barriers varies from thread to thread and from time to time: use fewer barriers{split}"
        )
    };
    Some(Advice {
        rule: "imbalance",
        file: s.about.file.clone(),
        line: s.about.line,
        what,
        evidence,
        gain_ns: if one { gain } else { total * usual(job, index, calls) * 0.5 },
        gain_share: 0.0,
        confidence: match (one, often) {
            _ if spins.is_some() => 0.5,
            (true, Some(_)) if more => 0.9,
            (true, _) => 0.6,
            _ => 0.4,
        },
    })
}

/// The site where a thread reads the same address repeatedly, many more times than there are elements to read.
fn spins(job: &Job, thread: usize) -> Option<&Site> {
    let often = |s: &&Site| {
        let reads = |x: &&Share| x.thread == thread && x.accesses().all() > MANY_READS;
        let same = |x: &Share| {
            // A run through a row's pointer is of one place if the row is one element.
            let one_element = s.about.block != Some(0) && s.about.row <= 1;
            let runs = !s.about.is_private() || one_element;
            runs && x.stays_put()
        };
        s.about.kind() == Kind::Read && s.of.iter().find(reads).is_some_and(same)
    };
    job.sites.iter().filter(often).max_by(|a, b| a.accesses().all().total_cmp(&b.accesses().all()))
}

/// The waits at the barriers of a place, by thread: barriers at which a thread waited long enough to be recorded; the
/// other threads' waits are nearly 0. None if there are too few.
fn instances(job: &Job, index: usize) -> Option<Vec<Vec<f64>>> {
    let mut by: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for e in job.events.iter().filter(|e| e.site == index) {
        by.entry(e.barrier?).or_insert_with(|| vec![0.0; job.threads])[e.thread] = e.end_ns - e.start_ns;
    }
    (by.len() >= LEAST).then(|| by.into_values().collect())
}

fn longest(waits: &[f64]) -> f64 {
    waits.iter().copied().fold(0.0, f64::max)
}

fn shortest(waits: &[f64]) -> f64 {
    waits.iter().copied().fold(f64::MAX, f64::min)
}

/// The share of the waits at a place that remains if each counts at most a limited multiple of the usual one of
/// `calls`.
fn usual(job: &Job, index: usize, calls: usize) -> f64 {
    let Some(all) = instances(job, index) else { return 1.0 };
    let mut waits: Vec<f64> = all.iter().map(|i| longest(i)).collect();
    waits.resize(waits.len().max(calls), 0.0);
    waits.sort_by(f64::total_cmp);
    let most = USUAL * waits[waits.len() / 2];
    waits.iter().map(|w| w.min(most)).sum::<f64>() / waits.iter().sum::<f64>().max(1.0)
}

/// The number of a thread's shared accesses.
fn accesses(job: &Job, thread: usize) -> f64 {
    let of = |s: &Site| s.of.iter().filter(|x| x.thread == thread).map(|x| x.accesses().all()).sum::<f64>();
    job.sites.iter().map(of).sum()
}

/// The share of the barriers at which no thread waited for less time than this one.
fn often_last(job: &Job, index: usize, thread: usize) -> Option<f64> {
    let all = instances(job, index)?;
    let last = all.iter().filter(|waits| waits[thread] <= shortest(waits)).count();
    Some(last as f64 / all.len() as f64)
}

/// The mean difference between the longest and the shortest wait, and the number of barriers.
fn spread(job: &Job, index: usize) -> Option<(f64, usize)> {
    let all = instances(job, index)?;
    let sum: f64 = all.iter().map(|i| longest(i) - shortest(i)).sum();
    Some((sum / all.len() as f64, all.len()))
}
