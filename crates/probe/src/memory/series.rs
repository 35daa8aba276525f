//! Series and values: the functions by which the parts of the area measure and record.

use crate::{Effort, Fact, Failure, Findings, Kernel, Session, Stimulus};
use fathom_profile::{Curve, Evidence, Missing, Reading, Reason, Series, Value};
use std::time::{Duration, Instant};

/// The system's claims that the measurements start from.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// The size of a page that the system maps; the page that the processor translates may be larger.
    pub page_bytes: f64,
    /// The largest size of an array.
    pub most_bytes: f64,
}

/// Records the findings of the parts of the area, which end at `until`.
pub struct Recorder<'a> {
    pub found: &'a mut Findings,
    pub until: Instant,
}

/// A chase, see `runtime/probe/memory.c`.
pub fn chase(bytes: f64, stride: f64, order: &'static str) -> Stimulus {
    Stimulus::new(Kernel::Chase).with("bytes", bytes as u64).with("stride", stride as u64).word("order", order)
}

impl Recorder<'_> {
    /// The machine's figures of its memory.
    ///
    /// # Errors
    /// The runner is broken.
    pub fn system(&mut self, session: &mut Session) -> Result<System, Failure> {
        let facts = match session.runner.run(&Stimulus::new(Kernel::MemorySystem), 1, Duration::from_millis(100)) {
            Ok(samples) => samples.facts,
            Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
            Err(_) => Default::default(),
        };
        let free = facts.get(&Fact::FreeBytes).copied().filter(|b| *b > 0.0).unwrap_or(1e9);
        let wanted = match session.effort {
            Effort::Quick => 64.0,
            Effort::Normal => 256.0,
            Effort::Thorough => 1024.0,
        } * f64::from(1 << 20);
        let most_bytes = 2f64.powf((free / 4.0).min(wanted).log2().floor());
        Ok(System { page_bytes: facts.get(&Fact::PageBytes).copied().unwrap_or(4096.0), most_bytes })
    }

    /// Measures a series, each point at (x, stimulus), x rising. A burst of disturbance can cover all samples of a
    /// point, so every point that stands out from its neighbours is measured again (in a thorough probe every point),
    /// and the undisturbed measurement counts. The series ends at the first failure, which is reported as missing.
    ///
    /// # Errors
    /// The runner is broken.
    pub fn series(&mut self, session: &mut Session, name: &str, points: &[(f64, Stimulus)]) -> Result<Series, Failure> {
        let until = (session.effort != Effort::Thorough).then_some(self.until);
        let mut readings = self.readings(session, name, points, until)?;
        for _ in 0..2 {
            for i in 0..readings.len() {
                let beside = [i.checked_sub(1), Some(i + 1)].into_iter().flatten();
                let others: Vec<f64> = beside.filter_map(|k| readings.get(k)).map(|r| r.y).collect();
                let stands_out = !session.is_exact()
                    && session.now() < self.until
                    && !others.is_empty()
                    && others.iter().all(|y| readings[i].y > 1.04 * y);
                if stands_out {
                    if let Ok(again) = session.point(points[i].0, &points[i].1) {
                        readings[i] = merged(readings[i], again);
                    }
                }
            }
        }
        Ok(Series::new(name, readings))
    }

    /// The value that the area has recorded under this name.
    pub fn known(&self, name: &str) -> Option<f64> {
        self.found.values.iter().find(|v| v.name.strip_prefix("memory.") == Some(name)).and_then(|v| v.value)
    }

    /// Measures a series of few points, each of which is short and worth its time however late it is.
    ///
    /// # Errors
    /// The runner is broken.
    pub fn brief(&mut self, session: &mut Session, name: &str, points: &[(f64, Stimulus)]) -> Result<Series, Failure> {
        let points = self.readings(session, name, points, None)?;
        Ok(Series::new(name, points))
    }

    /// The points before the first that cannot be measured, which is reported as missing; large ones only until
    /// `until`.
    fn readings(
        &mut self,
        session: &mut Session,
        name: &str,
        points: &[(f64, Stimulus)],
        until: Option<Instant>,
    ) -> Result<Vec<Reading>, Failure> {
        let mut readings = vec![];
        for (x, stimulus) in points {
            // Small points cost almost nothing.
            let large = stimulus.number("bytes").is_some_and(|b| b > 4 << 20);
            let what = format!("{name} from {x} on");
            if large && until.is_some_and(|until| session.now() > until) {
                self.missing(&what, Reason::Time, "no time was left for it; a more thorough probe has more");
                break;
            }
            match session.point(*x, stimulus) {
                Ok(reading) => readings.push(reading),
                Err(broken @ Failure::Broken(_)) => return Err(broken),
                Err(why) => {
                    self.note(&what, &why);
                    break;
                }
            }
        }
        Ok(readings)
    }

    pub fn curve(&mut self, name: &str, title: &str, (x, y): (&str, &str), log: (bool, bool), series: Vec<Series>) {
        let series: Vec<Series> = series.into_iter().filter(|s| !s.points.is_empty()).collect();
        if !series.is_empty() {
            self.found.curves.push(Curve {
                name: format!("memory.{name}"),
                title: title.to_string(),
                x: x.to_string(),
                y: y.to_string(),
                log_x: log.0,
                log_y: log.1,
                series,
            });
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of a value")]
    pub fn value(
        &mut self,
        name: &str,
        value: f64,
        unit: &str,
        interval: (f64, f64),
        confidence: f64,
        rule: String,
        evidence: &[&str],
    ) {
        self.push(name, Some(value), unit, Some(interval), confidence, rule, evidence);
    }

    /// Records that a value cannot be known here, with the reason.
    pub fn unknowable(&mut self, name: &str, unit: &str, why: String, evidence: &[&str]) {
        self.push(name, None, unit, None, 0.0, why, evidence);
    }

    /// `evidence`: `curve/series`, without the area's name.
    #[expect(clippy::too_many_arguments, reason = "the parts of a value")]
    fn push(
        &mut self,
        name: &str,
        value: Option<f64>,
        unit: &str,
        interval: Option<(f64, f64)>,
        confidence: f64,
        rule: String,
        evidence: &[&str],
    ) {
        let evidence = evidence.iter().filter_map(|e| e.split_once('/')).map(|(curve, series)| Evidence {
            curve: format!("memory.{curve}"),
            series: series.to_string(),
            at: vec![],
        });
        let name = format!("memory.{name}");
        let value = match value {
            Some(v) => Value::known(name, v, unit, confidence, rule),
            None => Value::unknown(name, unit, rule),
        };
        let value = value.between(interval.map(|i| i.0), interval.map(|i| i.1));
        self.found.values.push(value.resting_on(evidence.collect()));
    }

    pub fn missing(&mut self, what: &str, reason: Reason, why: &str) {
        self.found.missing.push(Missing::new(format!("memory: {what}"), reason, why));
    }

    /// Records what could not be measured because of a failure.
    pub fn note(&mut self, what: &str, failure: &Failure) {
        self.found.missing.push(failure.missing(format!("memory: {what}")));
    }
}

/// Merges two measurements of one point. Disturbance only lengthens times: where they differ, the lower one is the
/// machine's, and the samples of the other are outliers.
pub fn merged(a: Reading, b: Reading) -> Reading {
    let (lower, other) = if a.y <= b.y { (a, b) } else { (b, a) };
    let apart = other.low > lower.high;
    Reading {
        samples: a.samples + b.samples,
        outliers: lower.outliers + if apart { other.samples } else { other.outliers },
        ..lower
    }
}

/// Sizes from `first` to `last`, `per_octave` per octave, each a whole number of `grain`s, without repetition.
pub fn sizes(first: f64, last: f64, per_octave: f64, grain: f64) -> Vec<f64> {
    let n = ((last / first).log2() * per_octave + 1e-9) as usize;
    let mut all: Vec<f64> =
        (0..=n).map(|i| (first * 2f64.powf(i as f64 / per_octave) / grain).round().max(1.0) * grain).collect();
    all.dedup();
    all
}
