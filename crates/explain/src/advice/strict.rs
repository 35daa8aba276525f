//! Strict accesses in loops: each is a fence.

use super::{number, time, Advice};
use crate::job::Job;

const LEAST: f64 = 1000.0;

pub fn advise(job: &Job) -> Vec<Advice> {
    let mut out = vec![];
    for s in job.sites.iter().filter(|s| s.about.strict && s.about.loop_line > 0) {
        let by = s.accesses();
        if by.all() < LEAST * s.of.len() as f64 || job.fence_ns <= 0.0 {
            continue;
        }
        // Waiting for a flag, repeated reads of the same object, is the purpose of strict.
        if s.of.iter().all(|x| x.record.samples.is_empty() || x.stays_put()) {
            continue;
        }
        let a = &s.about;
        out.push(Advice {
            rule: "strict",
            file: a.file.clone(),
            line: a.line,
            what: format!(
                "make the accesses of line {} relaxed, with one upc_fence (or a strict access) where order matters",
                a.line
            ),
            evidence: vec![
                format!(
                    "{} strict accesses by `{}` in the loop of line {}, to different objects",
                    number(by.all()),
                    a.text,
                    a.loop_line
                ),
                format!(
                    "each is a fence ({} here) and prevents the compiler from moving or combining accesses",
                    time(job.fence_ns)
                ),
            ],
            gain_ns: by.all() * job.fence_ns,
            gain_share: 0.0,
            confidence: 0.6,
        });
    }
    out
}
