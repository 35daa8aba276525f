//! False sharing: threads write to different objects in the same cache line, which then moves between them with every
//! write, although no thread uses the other's data.
//!
//! The addresses of the sampled writes show it. A line counts if several threads were observed to write to it, and no
//! two of them to the same object. That happens by chance, too (at the end of a part of an array; if threads take turns
//! at it); so most of a site's writes must go to such lines, and only the time of its accesses beyond hits in the first
//! cache counts, because a line that stays with its thread would give hits.

use super::{number, percent, time, Advice};
use crate::job::{Job, Share, Site};
use crate::site::Kind;
use std::collections::{BTreeSet, HashMap};

/// Bytes of a cache line.
const LINE: u64 = 64;
const LEAST_SAMPLES: usize = 16;
/// The least share of a site's sampled writes that go to such lines, and the greatest share to objects that others
/// write to.
const MOSTLY: f64 = 0.5;
const AT_MOST: f64 = 0.05;

/// The writes to a line: thread, and the first and last byte.
type Writes = HashMap<(usize, u64), BTreeSet<(usize, u64, u64)>>;

#[derive(PartialEq)]
enum Line {
    OfOne,
    /// By several threads, each to objects of its own.
    Apart,
    Together,
}

pub fn advise(job: &Job) -> Vec<Advice> {
    let writes = writes(job);
    job.sites.iter().filter(|s| is_write(s)).filter_map(|s| site(job, s, &writes)).collect()
}

fn is_write(s: &Site) -> bool {
    matches!(s.about.kind(), Kind::Write | Kind::Update) && !s.about.is_private() && s.accesses().far == 0.0
}

/// The places of a thread's samples at a site: the line, the first and the last byte.
fn places(x: &Share) -> impl Iterator<Item = ((usize, u64), u64, u64)> + '_ {
    let bytes = x.record.bytes.max(1);
    let single = x.record.samples.iter().filter(|p| p.weight == 1);
    single.map(move |p| ((p.thread, p.offset / LINE), p.offset, p.offset + bytes - 1))
}

fn writes(job: &Job) -> Writes {
    let mut all = Writes::new();
    for x in job.sites.iter().filter(|s| is_write(s)).flat_map(|s| &s.of) {
        for (line, first, last) in places(x) {
            all.entry(line).or_default().insert((x.thread, first, last));
        }
    }
    all
}

fn kind(writes: &BTreeSet<(usize, u64, u64)>) -> Line {
    let threads: BTreeSet<usize> = writes.iter().map(|w| w.0).collect();
    let overlap = |a: &(usize, u64, u64), b: &(usize, u64, u64)| a.0 != b.0 && a.1 <= b.2 && b.1 <= a.2;
    match threads.len() {
        0 | 1 => Line::OfOne,
        _ if writes.iter().any(|a| writes.iter().any(|b| overlap(a, b))) => Line::Together,
        _ => Line::Apart,
    }
}

fn site(job: &Job, s: &Site, writes: &Writes) -> Option<Advice> {
    let (mut apart, mut together, mut seen) = (0, 0, 0);
    let (mut cost, mut accesses) = (0.0, 0.0);
    let mut threads: BTreeSet<usize> = BTreeSet::new();
    for x in &s.of {
        let kinds: Vec<Line> = places(x).filter_map(|(line, ..)| writes.get(&line)).map(kind).collect();
        if kinds.is_empty() {
            continue;
        }
        let here = kinds.iter().filter(|k| **k == Line::Apart).count();
        apart += here;
        together += kinds.iter().filter(|k| **k == Line::Together).count();
        seen += kinds.len();
        if here > 0 {
            threads.insert(x.thread);
            let share = here as f64 / kinds.len() as f64;
            cost += x.loads_ns(&s.about).unwrap_or(0.0) * share;
            accesses += x.accesses().all() * share;
        }
    }
    let share = |n: usize| n as f64 / seen.max(1) as f64;
    // Fetching a line from another cache takes longer than waiting for the thread's own stores.
    if cost < accesses * job.fence_ns {
        return None;
    }
    if seen < LEAST_SAMPLES || threads.len() < 2 || share(apart) < MOSTLY || share(together) > AT_MOST || job.crowded {
        return None;
    }
    let a = &s.about;
    let names: Vec<String> = threads.iter().take(8).map(|t| t.to_string()).collect();
    Some(Advice {
        rule: "sharing",
        file: a.file.clone(),
        line: a.line,
        what: format!(
            "threads write to neighbouring objects in one cache line by `{}`, and take the line from each other \
             (false sharing): give each thread's objects lines of their own, by a private copy, by padding to {LINE} \
             bytes, or by a layout that puts them into their thread's own memory",
            a.text
        ),
        evidence: vec![
            format!(
                "{} of {seen} observed writes went to lines of {LINE} bytes to which other threads write, too \
                 (threads {}), each to objects of its own",
                percent(share(apart)),
                names.join(", ")
            ),
            format!(
                "{} of these take {} each beyond a hit in the first cache: {}",
                number(accesses),
                time(cost / accesses.max(1.0)),
                time(cost)
            ),
        ],
        gain_ns: cost,
        gain_share: 0.0,
        confidence: 0.7,
    })
}
