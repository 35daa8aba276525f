//! Every mechanism that can move a piece of data, by force, over patterns and sizes: what the tuning table is made from.
//!
//! A curve for each decision and mechanism, `mechanisms.gather.prefetch`; a series for each shape, `element=8 stride=64
//! get`; x is the bytes of payload, y the time of one transfer through the calls that a program makes. What is measured
//! first matters most, and what there is no time for is left out: its neighbours speak for it.

mod plan;
pub mod table;

use crate::profile::{Curve, Missing, Reading, Series};
use crate::{Failure, Findings, Session, Stimulus};
use plan::Case;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let mut left_out = 0;
    for case in plan::rounds().into_iter().flatten() {
        if !session.time_left() {
            left_out += 1;
            continue;
        }
        for mechanism in case.mechanisms {
            measure(session, &case, mechanism, &mut findings)?;
        }
    }
    if left_out > 0 {
        let why = format!("no time was left for {left_out} shapes; those that were measured speak for them");
        findings.missing.push(Missing { what: "mechanisms, finer".into(), why });
    }
    for curve in &mut findings.curves {
        for series in &mut curve.series {
            series.points.sort_by(|a, b| a.x.total_cmp(&b.x));
        }
    }
    Ok(findings)
}

fn measure(
    session: &mut Session,
    case: &Case,
    mechanism: &'static str,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let mut points = vec![];
    for &bytes in &case.bytes {
        if mechanism == "in-place" && bytes > plan::MOST_IN_PLACE {
            break;
        }
        let stimulus = Stimulus::new("mechanism")
            .word("decision", case.decision)
            .word("take", mechanism)
            .word("direction", case.direction)
            .with("element", case.element)
            .with("stride", case.stride)
            .with("bytes", bytes);
        match session.point(bytes as f64, &stimulus) {
            Ok(point) => points.push(point),
            Err(Failure::Impossible(why)) => {
                let what = format!("mechanisms.{}.{mechanism}, {}", case.decision, case.shape());
                findings.missing.push(Missing { what, why });
                break;
            }
            // This point is lost; the next may do.
            Err(Failure::Late { .. }) => {}
            Err(broken) => return Err(broken),
        }
    }
    add(findings, case, mechanism, points);
    Ok(())
}

fn add(findings: &mut Findings, case: &Case, mechanism: &str, points: Vec<Reading>) {
    if points.is_empty() {
        return;
    }
    let name = format!("mechanisms.{}.{mechanism}", case.decision);
    let at = match findings.curves.iter().position(|c| c.name == name) {
        Some(at) => at,
        None => {
            findings.curves.push(Curve {
                name,
                title: format!("{}: {mechanism}", case.decision),
                x: "bytes".into(),
                y: "ns".into(),
                log_x: true,
                log_y: true,
                series: vec![],
            });
            findings.curves.len() - 1
        }
    };
    let (series, name) = (&mut findings.curves[at].series, case.shape());
    match series.iter_mut().find(|s| s.name == name) {
        Some(series) => series.points.extend(points),
        None => series.push(Series { name, points }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Tally;
    use crate::{Effort, Runner, Samples};
    use std::time::{Duration, Instant};

    /// A machine on which every mechanism takes as many ns as it moves bytes; without vectors.
    struct Machine(usize);

    impl Runner for Machine {
        fn threads(&self) -> usize {
            2
        }
        fn run(&mut self, stimulus: &Stimulus, n: usize, _limit: Duration) -> Result<Samples, Failure> {
            self.0 += 1;
            if stimulus.chosen("take") == Some("vector") {
                return Err(Failure::Impossible("no vectors".into()));
            }
            let ns = stimulus.number("bytes").unwrap() as f64;
            Ok(Samples { ns: vec![ns; n], ..Samples::default() })
        }
    }

    fn probed(until: Duration) -> (Findings, usize) {
        let mut machine = Machine(0);
        let mut session = Session {
            runner: &mut machine,
            effort: Effort::Quick,
            until: Instant::now() + until,
            progress: &mut |_| {},
            tally: Tally::default(),
        };
        let findings = probe(&mut session).unwrap();
        (findings, machine.0)
    }

    #[test]
    fn every_decision_has_its_curves_and_what_cannot_be_is_missing() {
        let (findings, _) = probed(Duration::from_secs(3600));
        for decision in ["contiguous", "gather", "scatter", "strided", "indexed", "transpose"] {
            let prefix = format!("mechanisms.{decision}.");
            let curves: Vec<_> = findings.curves.iter().filter(|c| c.name.starts_with(&prefix)).collect();
            assert!(curves.len() >= 2, "{decision}: {}", curves.len());
            for series in curves.iter().flat_map(|c| &c.series) {
                assert!(series.points.windows(2).all(|p| p[0].x < p[1].x), "{decision}: {series:?}");
            }
        }
        assert!(findings.missing.iter().any(|m| m.what.contains("vector") && m.why == "no vectors"));
        assert!(findings.curves.iter().all(|c| !c.name.ends_with("vector")));
    }

    #[test]
    fn without_time_nothing_is_measured_and_all_is_missing() {
        let (findings, runs) = probed(Duration::ZERO);
        assert_eq!((runs, findings.curves.len()), (0, 0));
        assert!(findings.missing[0].why.starts_with("no time"), "{:?}", findings.missing);
    }
}
