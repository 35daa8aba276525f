//! Tools for measuring an area: series of points, parts of the time, and values with their evidence.
//!
//! A point that this machine cannot measure, or that there is no time for, ends its series and is noted once; only a
//! broken runner ends the area.

use crate::findings::Figures;
use crate::{rounds, Failure, Findings, Kernel, Session, Stimulus};
use fathom_profile::{Curve, Evidence, Missing, Reading, Reason, Series, Value};
use std::time::Duration;

/// The measurements of one area so far.
pub(crate) struct Gathered {
    pub findings: Findings,
    /// The thread that thread 0 measures with, unless a stimulus names one.
    pub partner: u64,
    /// Before an operation that waits for its end: so long that the network has let go of what the one before has sent.
    pub pause_ns: Option<u64>,
}

impl Default for Gathered {
    fn default() -> Self {
        Self { findings: Findings::default(), partner: 1, pause_ns: None }
    }
}

/// A heading and its axes.
#[derive(Clone, Copy)]
pub(crate) struct Axes {
    /// The curve's name in the file.
    pub curve: &'static str,
    pub title: &'static str,
    pub x: &'static str,
    pub y: &'static str,
    pub log_x: bool,
}

impl Gathered {
    /// Measures a series: a point for each x, or fewer if they become impossible or time runs out. It also ends behind
    /// a point whose operations, all those of a group, take more than half of a point's time: the next would take all
    /// of it for one sample, and over a slow network the largest sizes would leave no time for anything else.
    ///
    /// # Errors
    /// The runner is broken.
    pub fn series(
        &mut self,
        session: &mut Session,
        what: &str,
        xs: &[u64],
        stimulus: impl Fn(u64) -> Stimulus,
    ) -> Result<Series, Failure> {
        let mut points = vec![];
        for x in xs {
            let stimulus = stimulus(*x);
            let Some(reading) = self.point(session, what, *x as f64, &stimulus)? else { break };
            points.push(reading);
            let sample_ns = reading.y * stimulus.number("group").unwrap_or(1) as f64;
            if sample_ns > session.effort.limit_of_a_point().as_nanos() as f64 / 2.0 && xs.last() != Some(x) {
                self.missing(what, Reason::Time, &format!("more than {x} would take longer than a point's time"));
                break;
            }
        }
        let name = what.rsplit(": ").next().unwrap_or(what);
        Ok(Series::new(name, points))
    }

    /// The stimulus with this partner, if it names none; of operations that wait for each other, with the pause between them.
    pub fn addressed(&self, stimulus: Stimulus) -> Stimulus {
        let is_alone = match stimulus.kernel() {
            Kernel::RoundTrip => true,
            Kernel::Put | Kernel::Get => stimulus.number("group").is_none() && stimulus.chosen("way").is_none(),
            _ => false,
        };
        let stimulus = match self.pause_ns {
            Some(pause) if is_alone => stimulus.with("pause_ns", pause),
            _ => stimulus,
        };
        let is_usual = self.partner == 1 || stimulus.number("with").is_some();
        if is_usual {
            stimulus
        } else {
            stimulus.with("with", self.partner)
        }
    }

    /// Measures a point, or notes the reason why there is none.
    ///
    /// # Errors
    /// The runner is broken.
    pub fn point(
        &mut self,
        session: &mut Session,
        what: &str,
        x: f64,
        stimulus: &Stimulus,
    ) -> Result<Option<Reading>, Failure> {
        if !session.time_left() {
            // An earlier round may have had the time.
            let earlier: Vec<_> = session.earlier(&self.addressed(stimulus.clone())).into_iter().map(|l| l.0).collect();
            if let Some(e) = rounds::median(&earlier) {
                let (samples, outliers) = (e.samples, e.outliers);
                return Ok(Some(Reading { x, y: e.value, low: e.low, high: e.high, samples, outliers }));
            }
            self.missing(what, Reason::Time, "no time was left");
            return Ok(None);
        }
        match session.point(x, &self.addressed(stimulus.clone())) {
            Ok(reading) => Ok(Some(reading)),
            Err(failure) => {
                self.findings.note_missing(what, failure)?;
                Ok(None)
            }
        }
    }

    /// Adds figures for the machine file.
    pub fn figures(&mut self, figures: Figures) {
        self.findings.add(Findings { figures: Some(figures), ..Findings::default() });
    }

    pub fn missing(&mut self, what: &str, reason: Reason, why: &str) {
        let missing = Missing::new(what, reason, why);
        if !self.findings.missing.contains(&missing) {
            self.findings.missing.push(missing);
        }
    }

    /// Adds a curve of those series that have points.
    pub fn curve(&mut self, axes: Axes, series: Vec<Series>) {
        let series: Vec<Series> = series.into_iter().filter(|s| !s.points.is_empty()).collect();
        if series.is_empty() {
            return;
        }
        self.findings.curves.push(Curve {
            name: axes.curve.into(),
            title: axes.title.into(),
            x: axes.x.into(),
            y: axes.y.into(),
            log_x: axes.log_x,
            log_y: true,
            series,
        });
    }

    /// Adds a point's reading as a value.
    pub fn measured(&mut self, name: &str, unit: &str, reading: &Reading, rule: &str, evidence: Vec<Evidence>) {
        let value = Value::known(name, reading.y, unit, certainty(reading), rule);
        self.findings.values.push(value.between(reading.low, reading.high).resting_on(evidence));
    }

    /// Measures a single value and adds it.
    ///
    /// # Errors
    /// The runner is broken.
    pub fn single(
        &mut self,
        session: &mut Session,
        name: &str,
        stimulus: &Stimulus,
        rule: &str,
    ) -> Result<Option<Reading>, Failure> {
        let reading = self.point(session, name, 0.0, stimulus)?;
        if let Some(reading) = &reading {
            let rule = format!("{rule}: median of {} samples of `{stimulus}`", reading.samples - reading.outliers);
            self.measured(name, "ns", reading, &rule, vec![]);
        }
        Ok(reading)
    }
}

/// A confidence from 0 to 1: the narrower the confidence interval, the higher.
pub(crate) fn certainty(reading: &Reading) -> f64 {
    let spread = (reading.high - reading.low) / 2.0 / reading.y.abs().max(f64::MIN_POSITIVE);
    if spread.is_finite() {
        (1.0 - 2.0 * spread).clamp(0.1, 1.0)
    } else {
        0.1
    }
}

/// All points of a series as evidence.
pub(crate) fn evidence(curve: &str, series: &Series) -> Vec<Evidence> {
    at(curve, series, series.points.iter().map(|p| p.x).collect())
}

pub(crate) fn at(curve: &str, series: &Series, at: Vec<f64>) -> Vec<Evidence> {
    vec![Evidence { curve: curve.into(), series: series.name.clone(), at }]
}

/// The reading at x.
pub(crate) fn reading(series: &Series, x: f64) -> Option<Reading> {
    series.points.iter().find(|p| p.x == x).copied()
}

/// A reading in another unit; `f` is monotonic.
pub(crate) fn mapped(r: &Reading, f: impl Fn(f64) -> f64) -> Reading {
    let (a, b) = (f(r.low), f(r.high));
    Reading { y: f(r.y), low: a.min(b), high: a.max(b), ..*r }
}

/// Runs a part of an area within a share of the area's remaining time.
pub(crate) fn within<T>(session: &mut Session, share: f64, part: impl FnOnce(&mut Session) -> T) -> T {
    let until = session.until;
    let now = session.now();
    session.until = now + Duration::from_secs_f64(until.saturating_duration_since(now).as_secs_f64() * share);
    let result = part(session);
    session.until = until;
    result
}

/// From `from` to `to`, each `times` times the one before.
pub(crate) fn powers(from: u64, to: u64, times: u64) -> Vec<u64> {
    std::iter::successors(Some(from), |x| Some(x * times)).take_while(|x| *x <= to).collect()
}
