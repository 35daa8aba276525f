//! Advice: a rule for each kind of improvement of a program. All advice comes with its evidence: the counts, the
//! measurements, the estimated gain and its assumptions. A rule whose gain would be negligible gives no advice.

mod aggregate;
mod balance;
mod blocks;
mod contention;
mod repeat;
mod sharing;
mod strict;
mod transfers;

pub(crate) use aggregate::access_sequence;

use crate::costs::Costs;
use crate::job::Job;
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
pub struct Advice {
    /// The rule's name: aggregate, block, cache, contention, imbalance, sharing, strict, transfers.
    pub rule: &'static str,
    pub file: String,
    pub line: u32,
    /// What to do, in a sentence.
    pub what: String,
    /// Why: sentences with the figures.
    pub evidence: Vec<String>,
    /// The time that it may save, in ns, the sum over all threads.
    pub gain_ns: f64,
    /// The same as a share of the threads' time.
    pub gain_share: f64,
    /// From 0 to 1.
    pub confidence: f64,
}

/// Advice with a gain below this share of the threads' time is not given.
const LEAST_SHARE: f64 = 0.02;

/// All advice that has evidence, by gain.
pub fn advise(job: &Job, costs: &Costs) -> Vec<Advice> {
    let mut all = vec![];
    all.extend(blocks::advise(job, costs));
    all.extend(repeat::advise(job, costs));
    all.extend(aggregate::advise(job, costs));
    all.extend(contention::advise(job));
    all.extend(balance::advise(job));
    all.extend(strict::advise(job));
    all.extend(sharing::advise(job));
    all.extend(transfers::advise(job, costs));
    let total = job.thread_ns();
    for a in &mut all {
        a.gain_share = if total > 0.0 { a.gain_ns / total } else { 0.0 };
    }
    all.retain(|a| a.gain_share >= LEAST_SHARE && a.gain_ns > 0.0);
    // One remedy for one place: with a copy there is no need to aggregate.
    let caches: Vec<(String, u32)> =
        all.iter().filter(|a| a.rule == "cache").map(|a| (a.file.clone(), a.line)).collect();
    all.retain(|a| a.rule != "aggregate" || !caches.contains(&(a.file.clone(), a.line)));
    all.sort_by(|a, b| (b.gain_ns * b.confidence).total_cmp(&(a.gain_ns * a.confidence)));
    all
}

/// `1 234 567`
fn number(n: f64) -> String {
    let digits = format!("{n:.0}");
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out
}

fn time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        ns if ns < 1e9 => format!("{:.1} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
