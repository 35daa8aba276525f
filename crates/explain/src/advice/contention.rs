//! Locks that threads wait for.

use super::{number, percent, time, Advice};
use crate::job::Job;

/// A lock is contended if the mean wait is this many times the shortest.
const TIMES_SHORTEST: f64 = 3.0;

pub fn advise(job: &Job) -> Vec<Advice> {
    let mut out = vec![];
    for l in &job.locks {
        let mean = l.waited_ns / l.taken.max(1) as f64;
        if l.by < 2 || l.taken < 16 || mean < TIMES_SHORTEST * l.shortest_ns.max(1.0) {
            continue;
        }
        let Some(site) = job.sites.get(l.site) else { continue };
        let held = l.held_ns / l.taken as f64;
        let gain = l.waited_ns - l.shortest_ns * l.taken as f64;
        let what = if held > mean {
            "this lock is contended, and held for a long time: move work out of it, or give each part of the data a \
             lock of its own"
        } else {
            "this lock is contended: combine privately and take it once for many updates, or use upc_atomic or a reduction"
        };
        let mut evidence = vec![
            format!(
                "taken {} times by {} threads, which waited {} ({} of their time)",
                number(l.taken as f64),
                l.by,
                time(l.waited_ns),
                percent(l.waited_ns / job.thread_ns().max(1.0))
            ),
            format!(
                "a wait: {} on average, {} at best, {} at worst; held for {} on average",
                time(mean),
                time(l.shortest_ns),
                time(l.longest_ns),
                time(held)
            ),
        ];
        if job.crowded {
            evidence.push("there are more threads than processors: part of the waiting is for a processor".into());
        }
        out.push(Advice {
            rule: "contention",
            file: site.about.file.clone(),
            line: site.about.line,
            what: what.into(),
            evidence,
            gain_ns: gain,
            gain_share: 0.0,
            confidence: if job.crowded { 0.6 } else { 0.9 },
        });
    }
    out
}
