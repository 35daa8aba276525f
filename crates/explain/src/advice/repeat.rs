//! The same memory of another thread read again and again: a private copy. Its owner may write to it through C pointers,
//! which nobody sees: so a copy is taken to be good until the next barrier at the latest.

use super::{number, time, Advice};
use crate::costs::Costs;
use crate::file::Sample;
use crate::job::{Job, Site};
use crate::site::Kind;
use std::collections::BTreeSet;

/// Reads of each element between two barriers, on average, from which on a copy is worth it; and samples to know the elements by.
const LEAST_TIMES: f64 = 4.0;
const LEAST_SAMPLES: usize = 16;
const LEAST_READS: f64 = 256.0;
/// A near thread's memory is as good as one's own unless a copy fits into one's own cache, about.
const MOST_NEAR_BYTES: f64 = 1_048_576.0;
/// The samples must reach over this share of the reads.
const SPREAD: f64 = 0.5;

pub fn advise(job: &Job, costs: &Costs) -> Vec<Advice> {
    let barriers: Vec<f64> = (0..job.threads).map(|t| job.barriers_of(t)).collect();
    job.sites
        .iter()
        .filter(|s| s.about.kind() == Kind::Read && !s.about.strict && !s.about.is_private())
        .filter_map(|s| site(job, s, &barriers, costs))
        .collect()
}

fn site(job: &Job, s: &Site, barriers: &[f64], costs: &Costs) -> Option<Advice> {
    let a = &s.about;
    let (mut now, mut then, mut reads, mut distinct) = (0.0, 0.0, 0.0, 0.0);
    let (mut measured, mut far_any, mut often) = (true, false, false);
    for x in &s.of {
        let by = x.accesses();
        let samples: Vec<_> = x.record.samples.iter().filter(|p| p.thread != x.thread).collect();
        if by.remote() < LEAST_READS || samples.len() < LEAST_SAMPLES {
            continue;
        }
        // Samples of the beginning only do not say how far it went.
        let of_threads = x.samples_by_thread();
        let others = || of_threads.iter().filter(|(t, _)| *t != x.thread).map(|(_, list)| list);
        let spread = |list: &Vec<&Sample>| {
            let numbers = || list.iter().map(|p| p.number);
            (numbers().max().unwrap_or(0) - numbers().min().unwrap_or(0)) as f64
        };
        if others().map(spread).sum::<f64>() < SPREAD * by.remote() {
            continue;
        }
        let far = by.far > by.near;
        let single = if far { x.timed_ns / by.far } else { x.near_load_ns? };
        let bytes = x.record.bytes.max(1) as f64;
        // No more elements than between the lowest and the highest on each thread, at the distance that they have.
        let mut elements = 0.0;
        for list in others() {
            let mut offsets: Vec<u64> = list.iter().map(|p| p.offset).collect();
            offsets.sort_unstable();
            offsets.dedup();
            let (Some(lo), Some(hi)) = (offsets.first(), offsets.last()) else { continue };
            let apart = offsets.windows(2).map(|w| w[1] - w[0]).min().unwrap_or(1).max(1);
            elements += (hi - lo) as f64 / apart as f64 + 1.0;
        }
        let copies = stretches(&samples, barriers[x.thread]);
        if by.remote() / elements / copies < LEAST_TIMES {
            continue;
        }
        if !far && elements * bytes > MOST_NEAR_BYTES {
            continue;
        }
        let copy = costs.transfer(far, true, elements * bytes, single);
        now += single * by.remote();
        then += copies * copy.ns;
        often |= copies > 1.0;
        reads += by.remote();
        distinct += elements;
        measured &= copy.measured;
        far_any |= far;
    }
    if distinct == 0.0 {
        return None;
    }
    let written = job.sites.iter().filter(|w| {
        !a.object.is_empty()
            && w.about.object == a.object
            && matches!(w.about.kind(), Kind::Write | Kind::Update)
            && w.accesses().all() > 0.0
    });
    let written: Vec<&Site> = written.collect();
    // Read and written between the same barriers: a copy would not be what the program means.
    let between =
        |s: &Site| -> BTreeSet<u32> { s.of.iter().flat_map(|x| &x.record.samples).map(|p| p.epoch).collect() };
    let reads_at = between(s);
    if written.iter().any(|w| !between(w).is_disjoint(&reads_at)) {
        return None;
    }
    let writers: Vec<String> = written.iter().map(|w| w.about.line.to_string()).collect();
    let mut evidence = vec![
        format!(
            "{} reads of other threads' memory by `{}`, {} each: {}",
            number(reads),
            a.text,
            time(now / reads),
            time(now)
        ),
        format!("of about {} elements: each was read {:.0} times", number(distinct), reads / distinct),
    ];
    if !writers.is_empty() {
        evidence.push(format!(
            "`{}` is written in line {}: the copy is valid until then",
            a.object,
            writers.join(", ")
        ));
    }
    let once = if often { "once after a barrier" } else { "once" };
    if !measured {
        evidence.push(Costs::assumption(far_any));
    }
    Some(Advice {
        rule: "cache",
        file: a.file.clone(),
        line: a.line,
        what: match distinct as u64 <= s.of.len() as u64 {
            true => format!("read `{}` {once} into a private variable", a.text),
            false => format!("copy what `{}` reads into private memory {once} (upc_memget), and read it there", a.text),
        },
        evidence,
        gain_ns: now - then,
        gain_share: 0.0,
        confidence: if writers.is_empty() { 0.8 } else { 0.5 } * if measured { 1.0 } else { 0.8 },
    })
}

/// Between how many pairs of barriers the reads were, of `barriers` in all: in all that lie between them if they were in one,
/// in each or in every so-manieth, as far as samples show.
fn stretches(samples: &[&Sample], barriers: f64) -> f64 {
    let first = samples.iter().map(|p| p.epoch).min().unwrap_or(0);
    let apart = samples.iter().map(|p| p.epoch - first).fold(0, divisor);
    if apart == 0 {
        1.0
    } else {
        barriers / f64::from(apart) + 1.0
    }
}

/// The greatest common one.
fn divisor(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        divisor(b, a % b)
    }
}
