//! Every mechanism that can move data, each forced in turn, over patterns and sizes: the data for the tuning table.
//!
//! There is a curve for each decision and mechanism, `mechanisms.gather.prefetch`, and a series for each shape,
//! `element=8 stride=64 get`; x is the bytes of payload, y the time of one transfer through the calls that a program
//! makes. The most important shapes come first. Shapes without time left are omitted, and neighbouring shapes decide
//! for them. With time left, everything is measured once or twice more, because disturbance lasts longer than a point
//! takes.

mod alternatives;
mod curve;
mod plan;
mod spins;

use crate::{fits, Effort, Failure, Findings, Session};
use fathom_profile::mechanism::Subject;
use fathom_profile::{Missing, Reading, Reason, Series};
use plan::Case;
use std::time::Duration;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    if !session.time_left() {
        return measure_all(session);
    }
    let is_near = alternatives::is_near(session)?;
    let now = session.now();
    let share = if is_near { WAYS_SHARE } else { 1.0 };
    let until = now + session.until.saturating_duration_since(now).mul_f64(share);
    let mut findings = spins::probe(session)?;
    findings.add(alternatives::probe(session, is_near, until)?);
    if is_near {
        findings.add(measure_all(session)?);
    }
    Ok(findings)
}

/// The share of the time where threads are near: there are fewer mechanisms for joint operations than for moving data.
const WAYS_SHARE: f64 = 0.25;

/// Mechanisms differ by much, or the choice does not matter: more points are worth more than tighter ones.
fn point(
    session: &mut Session,
    case: &Case,
    mechanism: &'static str,
    bytes: u64,
    place: usize,
) -> Result<Reading, Failure> {
    let stimulus = &case.stimulus(mechanism, bytes, place);
    let x = bytes as f64;
    if session.effort == Effort::Thorough {
        return session.point(x, stimulus);
    }
    let most = if case.span(bytes) > LONG { 1 } else { SAMPLES };
    let samples = session.runner.run(stimulus, most, LIMIT)?;
    let Some(e) = samples.estimate() else {
        return Err(Failure::Broken(format!("`{stimulus}` gave no samples")));
    };
    session.tally.samples += e.samples;
    session.tally.outliers += e.outliers;
    (session.progress)(&stimulus.to_string());
    Ok(Reading { x, y: e.value, low: e.low, high: e.high, samples: e.samples, outliers: e.outliers })
}

/// Samples of a point in a pass, and the time limit for them.
const SAMPLES: usize = 2;
const LIMIT: Duration = Duration::from_millis(50);
const PASSES: usize = 3;
/// From this many bytes of memory on, one sample takes as long as several samples of smaller sizes.
const LONG: u64 = 8 << 20;

/// A case, and every look at its points.
struct Looks {
    case: Case,
    /// The points of each mechanism.
    points: Vec<Vec<Reading>>,
    /// For each mechanism, whether this machine cannot perform it.
    lost: Vec<bool>,
}

fn measure_all(session: &mut Session) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let mut all: Vec<Looks> = vec![];
    let mut left_out = 0;
    for case in plan::cases(plan::Caches::claimed(session.claims)) {
        if session.time_left() {
            let mut looks = Looks::new(case);
            looks.look(session, HALVINGS, 0, &mut findings.missing)?;
            all.push(looks);
        } else {
            left_out += 1;
        }
    }
    // Long movements differ most from one time to another, and had only one sample each.
    for looks in &mut all {
        if session.time_left() && !session.is_exact() {
            looks.look_at_long(session, &mut findings.missing)?;
        }
    }
    for pass in 1..if session.is_exact() { 1 } else { PASSES } {
        for looks in &mut all {
            if session.time_left() {
                // A crossing in the first pass may have been a disturbance, or the reverse.
                looks.look(session, 1, pass, &mut findings.missing)?;
            }
        }
    }
    for looks in &all {
        for (mechanism, points) in looks.case.mechanisms.iter().zip(looks.merged()) {
            add(&mut findings, &looks.case, mechanism, points);
        }
    }
    if left_out > 0 {
        let why = format!("no time was left for {left_out} shapes; those that were measured speak for them");
        findings.missing.push(Missing::new("mechanisms, finer", Reason::Time, why));
    }
    Ok(findings)
}

/// The number of times that sizes are halved between two neighbours with different fastest mechanisms.
const HALVINGS: usize = 1;
/// A mechanism that is slower by this factor is clearly slower.
const MATTERS: f64 = 1.05;

impl Looks {
    fn new(case: Case) -> Self {
        let n = case.mechanisms.len();
        Self { case, points: vec![vec![]; n], lost: vec![false; n] }
    }

    /// Looks at every known size, and then at sizes between them.
    fn look(
        &mut self,
        session: &mut Session,
        halvings: usize,
        place: usize,
        missing: &mut Vec<Missing>,
    ) -> Result<(), Failure> {
        let mut sizes = self.case.bytes.clone();
        sizes.extend(self.points.iter().flatten().map(|p| p.x as u64));
        sizes.sort_unstable();
        sizes.dedup();
        self.measure(session, &sizes, place, missing)?;
        for _ in 0..halvings {
            if session.time_left() {
                let sizes = between(&self.case, &self.merged());
                self.measure(session, &sizes, place, missing)?;
            }
        }
        Ok(())
    }

    /// Looks at the long movements twice more, so that there is a median.
    fn look_at_long(&mut self, session: &mut Session, missing: &mut Vec<Missing>) -> Result<(), Failure> {
        let long: Vec<u64> = self.case.bytes.iter().copied().filter(|n| self.case.span(*n) > LONG).collect();
        self.measure(session, &long, 1, missing)?;
        self.measure(session, &long, 2, missing)
    }

    fn measure(
        &mut self,
        session: &mut Session,
        sizes: &[u64],
        place: usize,
        missing: &mut Vec<Missing>,
    ) -> Result<(), Failure> {
        let case = &self.case;
        for &bytes in sizes {
            // One after the other at each size, so that slow changes affect all of them.
            for (k, mechanism) in case.mechanisms.iter().enumerate() {
                if self.lost[k] || (*mechanism == "in-place" && bytes > plan::MOST_IN_PLACE) {
                    continue;
                }
                match point(session, case, mechanism, bytes, place) {
                    Ok(point) => self.points[k].push(point),
                    Err(failure @ Failure::Impossible(..)) => {
                        self.lost[k] = true;
                        let what = format!("mechanisms.{}.{mechanism}, {}", case.decision, case.shape());
                        missing.push(failure.missing(what));
                    }
                    // This point is lost; the next may succeed.
                    Err(Failure::Late { .. }) => {}
                    Err(broken) => return Err(broken),
                }
            }
        }
        Ok(())
    }

    /// The points of each mechanism, sizes rising: the median of several looks.
    fn merged(&self) -> Vec<Vec<Reading>> {
        self.points.iter().map(|p| fits::merge("", std::slice::from_ref(p)).points).collect()
    }
}

/// Sizes between two neighbours with different fastest mechanisms, if the difference is large enough to matter.
fn between(case: &Case, points: &[Vec<Reading>]) -> Vec<u64> {
    let at = |k: usize, x: f64| points[k].iter().find(|p| p.x == x).map(|p| p.y);
    let fastest = |x: f64| {
        let times = (0..points.len()).filter_map(|k| Some((k, at(k, x)?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let mut xs: Vec<f64> = points.iter().flatten().map(|p| p.x).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let mut sizes = vec![];
    for pair in xs.windows(2) {
        let (Some(a), Some(b)) = (fastest(pair[0]), fastest(pair[1])) else { continue };
        let slower = |k: usize, x: f64, best: f64| at(k, x).is_some_and(|t| t > best * MATTERS);
        if a.0 == b.0 || !(slower(b.0, pair[0], a.1) || slower(a.0, pair[1], b.1)) {
            continue;
        }
        let middle = (pair[0] * pair[1]).sqrt() as u64 / case.element * case.element;
        if middle as f64 > pair[0] * 1.1 {
            sizes.push(middle);
        }
    }
    sizes
}

fn add(findings: &mut Findings, case: &Case, mechanism: &str, points: Vec<Reading>) {
    if !points.is_empty() {
        curve::of(findings, case.decision, mechanism).series.push(Series::of(Subject::Shape(case.shape()), points));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Runner, Samples, Stimulus};

    /// A machine without vectors on which every mechanism takes as many ns as it moves bytes.
    struct Machine(usize);

    impl Runner for Machine {
        fn threads(&self) -> usize {
            2
        }
        fn run(&mut self, stimulus: &Stimulus, n: usize, _limit: Duration) -> Result<Samples, Failure> {
            self.0 += 1;
            if stimulus.chosen("take") == Some("vector") {
                return Err(Failure::Impossible(Reason::Operation, "no vectors".into()));
            }
            let ns = stimulus.number("bytes").unwrap_or(1) as f64;
            Ok(Samples { ns: vec![ns; n], ..Samples::default() })
        }
    }

    fn probed(until: Duration) -> (Findings, usize) {
        let mut machine = Machine(0);
        let mut session = Session::new(&mut machine, Effort::Quick, until);
        let findings = probe(&mut session).unwrap();
        (findings, machine.0)
    }

    #[test]
    fn every_decision_has_its_curves_and_what_cannot_be_is_missing() {
        let (findings, _) = probed(Duration::from_secs(3600));
        for decision in ["contiguous", "gather", "scatter", "strided", "put-indexed", "get-indexed", "transpose"] {
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
    fn where_another_becomes_the_fastest_there_are_more_sizes() {
        struct Crossing;
        impl Runner for Crossing {
            fn threads(&self) -> usize {
                2
            }
            fn run(&mut self, stimulus: &Stimulus, n: usize, _limit: Duration) -> Result<Samples, Failure> {
                let bytes = stimulus.number("bytes").unwrap_or(1) as f64;
                let ns = if stimulus.chosen("take") == Some("loop") { bytes } else { 10_000.0 + bytes / 2.0 };
                Ok(Samples { ns: vec![ns; n], ..Samples::default() })
            }
        }
        let mut crossing = Crossing;
        let mut session = Session::new(&mut crossing, Effort::Normal, Duration::from_secs(3600));
        let case = plan::cases(plan::Caches::claimed(&[]))
            .into_iter()
            .find(|c| c.decision == "transpose" && c.element == 8)
            .unwrap();
        let sizes = case.bytes.len();
        let mut looks = Looks::new(case);
        looks.look(&mut session, 2, 0, &mut vec![]).unwrap();
        let points = looks.merged();
        let near: Vec<f64> = points[0].iter().map(|p| p.x).filter(|x| (10_000.0..40_000.0).contains(x)).collect();
        assert!(near.len() >= 3 && near.windows(2).all(|w| w[0] < w[1]), "{near:?}");
        assert!(points[0].len() < sizes + 5, "only there");
    }

    #[test]
    fn without_time_nothing_is_measured_and_all_is_missing() {
        let (findings, runs) = probed(Duration::ZERO);
        assert_eq!((runs, findings.curves.len()), (0, 0));
        assert!(findings.missing[0].reason == Reason::Time, "{:?}", findings.missing);
    }
}
