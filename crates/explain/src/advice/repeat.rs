//! Repeated reads of the same memory of another thread: a private copy. Its owner may write to it through C pointers,
//! which are not traced: so a copy is assumed to be valid until the next barrier at the latest.

use super::aggregate::SERVED;
use super::{number, time, Advice};
use crate::costs::Costs;
use crate::file::Sample;
use crate::job::{Job, Site};
use crate::site::Kind;
use std::collections::BTreeSet;

/// The least mean number of reads of each element between two barriers for which a copy pays, and the least number of
/// samples that determine the elements.
const LEAST_TIMES: f64 = 4.0;
const LEAST_SAMPLES: usize = 16;
const LEAST_READS: f64 = 256.0;
/// The greatest copy of a near thread's memory: a copy gains only if it fits into the thread's own cache,
/// approximately.
const MOST_NEAR_BYTES: f64 = 1_048_576.0;
/// The samples must extend over this share of the reads.
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
        if x.service(a).share().is_some_and(|share| share >= SERVED) {
            continue;
        }
        let samples: Vec<_> = x.record.samples.iter().filter(|p| p.thread != x.thread).collect();
        if by.remote() < LEAST_READS || samples.len() < LEAST_SAMPLES {
            continue;
        }
        // Samples of the beginning only do not tell the range of the accesses.
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
    // Read and written between the same barriers: a copy would change the program's meaning.
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
            false => {
                let get = if a.is_split_c { "bulk_read" } else { "upc_memget" };
                format!("copy what `{}` reads into private memory {once} ({get}), and read it there", a.text)
            }
        },
        evidence,
        gain_ns: now - then,
        gain_share: 0.0,
        confidence: if writers.is_empty() { 0.8 } else { 0.5 } * if measured { 1.0 } else { 0.8 },
    })
}

/// The number of intervals between barriers with reads, of `barriers` in all, by the samples: all intervals between the
/// first and the last read, or every n-th of them.
fn stretches(samples: &[&Sample], barriers: f64) -> f64 {
    let first = samples.iter().map(|p| p.epoch).min().unwrap_or(0);
    let apart = samples.iter().map(|p| p.epoch - first).fold(0, divisor);
    if apart == 0 {
        1.0
    } else {
        barriers / f64::from(apart) + 1.0
    }
}

/// The greatest common divisor.
fn divisor(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        divisor(b, a % b)
    }
}
