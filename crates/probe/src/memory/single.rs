//! The distribution of single loads: each dependent load timed by itself, in arrays of several sizes.

use super::caches::Caches;
use super::series::{Recorder, System};
use crate::{Effort, Fact, Failure, Kernel, Session, Stimulus};
use fathom_profile::{Reading, Series};

/// The facts of the kernel, and the percentage of loads that take no longer.
const SHARES: [(Fact, f64); 6] =
    [(Fact::P01, 1.0), (Fact::P10, 10.0), (Fact::P50, 50.0), (Fact::P90, 90.0), (Fact::P99, 99.0), (Fact::P999, 99.9)];

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, recorder: &mut Recorder, system: &System, caches: &Caches) -> Result<(), Failure> {
    let mut series = vec![];
    for (name, bytes, pages) in places(session.effort, system, caches) {
        let stimulus = Stimulus::new(Kernel::Moments)
            .with("bytes", (bytes / 64.0) as u64 * 64)
            .with("together", 1)
            .word("order", "random")
            .word("pages", pages);
        let samples = match session.runner.run(&stimulus, 1, session.effort.limit_of_a_point()) {
            Ok(samples) => samples,
            Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
            Err(why) => {
                recorder.note(&format!("single loads, {name}"), &why);
                continue;
            }
        };
        (session.progress)(&stimulus.to_string());
        let fact = |fact: Fact| samples.facts.get(&fact).copied();
        let n = fact(Fact::Timed).unwrap_or(0.0);
        // One tick is the clock's finest resolution.
        let grain = fact(Fact::TickNs).unwrap_or(0.0);
        let points: Vec<Reading> = SHARES
            .iter()
            .filter_map(|(share, percent)| fact(*share).map(|ns| (*percent, ns.max(grain))))
            .map(|(x, y)| Reading { x, y, low: y, high: y, samples: n as usize, outliers: 0 })
            .collect();
        if name == "memory" {
            for (share, what) in [(Fact::P50, "p50"), (Fact::P99, "p99"), (Fact::P999, "p999")] {
                if let Some(ns) = fact(share) {
                    let rule = format!(
                        "of {n} loads in random order from {bytes:.0} bytes, each timed by itself between two readings of the clock, their own \
                         {:.1} ns subtracted",
                        fact(Fact::ClockNs).unwrap_or(f64::NAN)
                    );
                    let interval = (ns - grain, ns + grain);
                    recorder.value(
                        &format!("random.{what}.ns"),
                        ns,
                        "ns",
                        interval,
                        0.8,
                        rule,
                        &["distribution/memory"],
                    );
                }
            }
        }
        series.push(Series::new(name, points));
    }
    let title = "Single loads: how many percent take no longer";
    recorder.curve("distribution", title, ("percent", "ns"), (false, true), series);
    Ok(())
}

/// Arrays within each level, beyond the last, and in memory on both kinds of pages: (name, bytes, pages).
fn places(effort: Effort, system: &System, caches: &Caches) -> Vec<(String, f64, &'static str)> {
    let last = caches.levels.last().map_or(1e6, |l| l.bytes);
    let memory = (8.0 * last).clamp(f64::from(64 << 20), f64::from(128 << 20)).min(system.most_bytes);
    let mut all: Vec<_> =
        caches.levels.iter().enumerate().map(|(i, l)| (format!("level {}", i + 1), l.bytes * 0.6, "normal")).collect();
    if effort != Effort::Quick {
        all.push(("twice the last level".to_string(), (2.0 * last).min(memory), "normal"));
        all.push(("memory, huge pages".to_string(), memory, "huge"));
    }
    all.push(("memory".to_string(), memory, "normal"));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Findings, Runner, Samples};
    use fathom_profile::Value;
    use std::collections::BTreeMap;
    use std::time::Duration;

    /// A load takes 100 ns, one in fifty 300; there are no huge pages.
    struct Machine;

    impl Runner for Machine {
        fn threads(&self) -> usize {
            1
        }

        fn run(&mut self, stimulus: &Stimulus, _: usize, _: Duration) -> Result<Samples, Failure> {
            if stimulus.chosen("pages") == Some("huge") {
                return Err(Failure::Impossible(fathom_profile::Reason::System, "no huge pages".into()));
            }
            assert_eq!((stimulus.kernel(), stimulus.number("together")), (Kernel::Moments, Some(1)));
            let ns = |share: f64| if share > 98.0 { 300.0 } else { 100.0 };
            let mut facts: BTreeMap<Fact, f64> = SHARES.iter().map(|(n, p)| (*n, ns(*p))).collect();
            facts.extend([(Fact::Timed, 1000.0), (Fact::TickNs, 0.5)]);
            Ok(Samples { ns: vec![100.0], facts, ..Samples::default() })
        }
    }

    #[test]
    fn percentiles_are_those_of_the_machine_and_what_is_not_there_is_missing() {
        let (mut machine, mut found) = (Machine, Findings::default());
        let mut session = Session::new(&mut machine, Effort::Normal, Duration::from_secs(60));
        let until = session.until;
        let caches = Caches { levels: vec![], line_bytes: None, random_ns: 100.0 };
        let system = System { page_bytes: 4096.0, most_bytes: f64::from(256 << 20) };
        probe(&mut session, &mut Recorder { found: &mut found, until }, &system, &caches).unwrap();
        let value = |name: &str| found.values.iter().find(|v: &&Value| v.name == name).and_then(|v| v.value);
        assert_eq!(value("memory.random.p50.ns"), Some(100.0));
        assert_eq!(value("memory.random.p99.ns"), Some(300.0));
        assert_eq!(found.missing.len(), 1);
        assert_eq!(found.curves[0].series.iter().map(|s| s.points.len()).collect::<Vec<_>>(), [6, 6]);
    }
}
