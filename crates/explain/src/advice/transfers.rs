//! Short transfers by the library, one after the other: fewer and longer ones, or several under way at once.

use super::{number, time, Advice};
use crate::costs::Costs;
use crate::job::Job;
use crate::site::{About, Kind};

const LEAST: f64 = 64.0;
const SHORT_BYTES: f64 = 1024.0;
/// This many short transfers become one.
const TOGETHER: f64 = 16.0;

pub fn advise(job: &Job, costs: &Costs) -> Vec<Advice> {
    let mut out = vec![];
    for s in job.sites.iter().filter(|s| s.about.kind() == Kind::Transfer && !is_split_phase(&s.about)) {
        let (by, calls) = (s.accesses(), s.calls());
        let Some(measured) = s.measured_ns() else { continue };
        let bytes = s.bytes().all() / calls.max(1.0);
        if by.remote() < LEAST || by.remote() < 0.5 * by.all() || bytes >= SHORT_BYTES {
            continue;
        }
        let far = by.far > by.near;
        let each = measured / calls;
        let block = costs.transfer(far, s.about.fetches(), bytes * TOGETHER, each);
        let gain = (each - block.ns / TOGETHER) * calls;
        let a = &s.about;
        let several = match a.is_split_c {
            true if a.fetches() => "bulk_get) and wait for all (sync)".to_string(),
            true => "bulk_put) and wait for all (sync)".to_string(),
            false => format!("{}_nb) and wait for all (upc_sync)", a.construct),
        };
        let mut evidence = vec![
            format!(
                "{} calls of {:.0} bytes each, {} per call: mostly latency, not the data",
                number(calls),
                bytes,
                time(each)
            ),
            format!("{TOGETHER} at once: {} for all of them", time(block.ns)),
        ];
        if !block.measured {
            evidence.push(Costs::assumption(far));
        }
        out.push(Advice {
            rule: "transfers",
            file: a.file.clone(),
            line: a.line,
            what: format!("let `{}` move more at a time, or begin several ({several}", a.construct),
            evidence,
            gain_ns: gain,
            gain_share: 0.0,
            confidence: if block.measured { 0.6 } else { 0.4 },
        });
    }
    out
}

/// Does the call return before the data have moved?
fn is_split_phase(a: &About) -> bool {
    a.construct.contains("_nb") || matches!(a.construct.as_str(), "bulk_get" | "bulk_put" | "bulk_store")
}
