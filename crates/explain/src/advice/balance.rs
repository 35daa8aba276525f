//! Barriers: threads that wait for one that has more to do, and barriers that are too many.

use super::{number, percent, time, Advice};
use crate::costs::Costs;
use crate::job::Job;

/// The late thread waits at most this share of what the others do.
const LATE: f64 = 0.5;

pub fn advise(job: &Job, costs: &Costs) -> Vec<Advice> {
    let mut out = vec![];
    for s in job.sites.iter().filter(|s| matches!(s.about.construct.as_str(), "upc_barrier" | "upc_wait")) {
        let waits: Vec<(usize, f64)> = s.of.iter().map(|x| (x.thread, x.timed_ns)).collect();
        let calls = s.of.iter().map(|x| x.record.calls).max().unwrap_or(0);
        if waits.len() < 2 || calls == 0 {
            continue;
        }
        let total: f64 = waits.iter().map(|w| w.1).sum();
        let mean = total / waits.len() as f64;
        let Some(late) = waits.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        let others = (total - late.1) / (waits.len() - 1) as f64;
        // What would be left if all came together: each waits as long as the late one does.
        let gain = total - late.1 * waits.len() as f64;
        let place = format!(
            "{} barriers here; the threads wait {} of their time for each other",
            number(calls as f64),
            percent(total / job.thread_ns().max(1.0))
        );
        let crowded = "there are more threads than processors: some of the waiting is for a processor";
        if late.1 < LATE * others {
            let mut evidence = vec![
                place,
                format!(
                    "thread {} waits {}, the others {} on average: it comes last",
                    late.0,
                    time(late.1),
                    time(others)
                ),
            ];
            evidence.extend(job.crowded.then(|| crowded.to_string()));
            out.push(Advice {
                rule: "imbalance",
                file: s.about.file.clone(),
                line: s.about.line,
                what: format!(
                    "thread {} has more to do before this barrier than the others: divide the work more evenly",
                    late.0
                ),
                evidence,
                gain_ns: gain,
                gain_share: 0.0,
                confidence: if job.crowded { 0.5 } else { 0.8 },
            });
            continue;
        }
        let each = mean / calls as f64;
        let Some(alone) = costs.barrier_ns.filter(|_| costs.fits(job)) else { continue };
        if each < 3.0 * alone || job.crowded {
            continue;
        }
        out.push(Advice {
            rule: "imbalance",
            file: s.about.file.clone(),
            line: s.about.line,
            what: "a different thread is late each time: between these barriers the work varies; fewer barriers, or upc_notify \
                   and upc_wait with own work between them, would hide it"
                .into(),
            evidence: vec![place, format!("a wait takes {}, a barrier alone {}", time(each), time(alone))],
            gain_ns: total - alone * calls as f64 * waits.len() as f64,
            gain_share: 0.0,
            confidence: 0.5,
        });
    }
    out
}
