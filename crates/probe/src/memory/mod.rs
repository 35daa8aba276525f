//! Local memory: caches, lines, associativity, translation, prefetching, write buffers, and the time of each.
//!
//! In an order in which each finding serves the next: what translation reaches, so that the walks that look for caches stay
//! within it; the caches; lines and ways of the first; then what memory costs, and what hides that.

pub mod another_page;
pub mod bandwidth;
pub mod caches;
pub mod capacities;
pub mod conflicts;
pub mod hiding;
pub mod memory_time;
pub mod merging;
pub mod prefetch;
pub mod replacement;
pub mod rows;
pub mod single;
pub mod transition;
pub mod translation;

use crate::{Effort, Failure, Findings, Session, Stimulus};
use fathom_profile::{Curve, Evidence, Missing, Reading, Reason, Series, Value};
use std::time::{Duration, Instant};

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let (started, until) = (Instant::now(), session.until);
    let mine = until.saturating_duration_since(started).mul_f64(0.6);
    let mut found = Findings::default();
    let mut walk = Walk { found: &mut found, until: started + mine };
    let system = walk.system(session)?;
    let translation = translation::probe(session, &mut walk, &system)?;
    let caches = caches::probe(session, &mut walk, &system, translation)?;
    let known = bandwidth::Known {
        line_bytes: caches.line_bytes.unwrap_or(64.0),
        caches_bytes: caches.levels.iter().map(|l| l.bytes).collect(),
    };
    // Memory is shared with others, and another draw of its pages is another memory: its bandwidths are looked at at moments that lie apart.
    let look = |session: &mut Session| {
        if session.effort.looks_again() {
            bandwidth::look(session, &known)?;
            session.tally.looks.next_round();
        }
        Ok::<(), Failure>(())
    };
    memory_time::probe(session, &mut walk, &system, translation, &caches)?;
    look(session)?;
    another_page::probe(session, &mut walk, &system)?;
    replacement::probe(session, &mut walk)?;
    prefetch::probe(session, &mut walk, &system, translation, &caches)?;
    single::probe(session, &mut walk, &system, &caches)?;
    look(session)?;
    rows::probe(session, &mut walk, &system, &caches)?;
    hiding::probe(session, &mut walk, &system, &caches)?;
    merging::probe(session, &mut walk, &system, &caches)?;
    for more in [bandwidth::probe(session, &known, until)?, transition::probe(session, &known)?] {
        found.values.extend(more.values);
        found.curves.extend(more.curves);
        found.fits.extend(more.fits);
        found.missing.extend(more.missing);
        found.figures = more.figures.or(found.figures);
    }
    Ok(found)
}

/// What the system says of itself, where a probe must begin somewhere.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// The size of a page as the system has it: the grain of what is mapped, not yet of what is translated.
    pub page_bytes: f64,
    /// Arrays are not larger.
    pub most_bytes: f64,
}

/// Where the parts of the area put what they find, and until when they may go on.
pub struct Walk<'a> {
    pub found: &'a mut Findings,
    pub until: Instant,
}

/// A chase, see `runtime/probe/memory.c`.
pub fn chase(bytes: f64, stride: f64, order: &'static str) -> Stimulus {
    Stimulus::new("chase").with("bytes", bytes as u64).with("stride", stride as u64).word("order", order)
}

impl Walk<'_> {
    fn system(&mut self, session: &mut Session) -> Result<System, Failure> {
        let facts = match session.runner.run(&Stimulus::new("memory_system"), 1, Duration::from_millis(100)) {
            Ok(samples) => samples.facts,
            Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
            Err(_) => Default::default(),
        };
        let free = facts.get("free_bytes").copied().filter(|b| *b > 0.0).unwrap_or(1e9);
        let wanted = match session.effort {
            Effort::Quick => 64.0,
            Effort::Normal => 256.0,
            Effort::Thorough => 1024.0,
        } * f64::from(1 << 20);
        let most_bytes = 2f64.powf((free / 4.0).min(wanted).log2().floor());
        Ok(System { page_bytes: facts.get("page_bytes").copied().unwrap_or(4096.0), most_bytes })
    }

    /// Measures a series, each point at (x, stimulus), x rising. A burst of disturbance can cover all samples of a point: so every point
    /// that stands out from its neighbours, and in a thorough probe every one, is measured again, and the undisturbed one
    /// counts. What cannot be done is reported as missing, and the series ends there.
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
                let stands_out = Instant::now() < self.until
                    && !others.is_empty()
                    && others.iter().all(|y| readings[i].y > 1.04 * y);
                if stands_out {
                    if let Ok(again) = session.point(points[i].0, &points[i].1) {
                        readings[i] = merged(readings[i], again);
                    }
                }
            }
        }
        Ok(Series { name: name.to_string(), points: readings })
    }

    /// The value of the area that was found under this name.
    pub fn known(&self, name: &str) -> Option<f64> {
        self.found.values.iter().find(|v| v.name.strip_prefix("memory.") == Some(name)).and_then(|v| v.value)
    }

    /// Measures a series of few points, each of which takes little and is worth its time however late it is.
    ///
    /// # Errors
    /// The runner is broken.
    pub fn brief(&mut self, session: &mut Session, name: &str, points: &[(f64, Stimulus)]) -> Result<Series, Failure> {
        let points = self.readings(session, name, points, None)?;
        Ok(Series { name: name.to_string(), points })
    }

    /// The points up to the first that cannot be measured, which is reported as missing; large ones only until then.
    fn readings(
        &mut self,
        session: &mut Session,
        name: &str,
        points: &[(f64, Stimulus)],
        until: Option<Instant>,
    ) -> Result<Vec<Reading>, Failure> {
        let mut readings = vec![];
        for (x, stimulus) in points {
            // What is small costs next to nothing.
            let large = stimulus.number("bytes").is_some_and(|b| b > 4 << 20);
            let what = format!("{name} from {x} on");
            if large && until.is_some_and(|until| Instant::now() > until) {
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

    /// What cannot be known here, and why.
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

    /// What could not be measured because of a failure.
    pub fn note(&mut self, what: &str, failure: &Failure) {
        self.found.missing.push(failure.missing(format!("memory: {what}")));
    }
}

/// Two measurements of one point. Disturbance only adds: where they differ, the lower one is the machine's, and the samples of the
/// other are outliers.
fn merged(a: Reading, b: Reading) -> Reading {
    let (lower, other) = if a.y <= b.y { (a, b) } else { (b, a) };
    let apart = other.low > lower.high;
    Reading {
        samples: a.samples + b.samples,
        outliers: lower.outliers + if apart { other.samples } else { other.outliers },
        ..lower
    }
}

/// From `first` to `last`, so many per octave, each a whole number of `grain`s, none twice.
pub fn sizes(first: f64, last: f64, per_octave: f64, grain: f64) -> Vec<f64> {
    let n = ((last / first).log2() * per_octave + 1e-9) as usize;
    let mut all: Vec<f64> =
        (0..=n).map(|i| (first * 2f64.powf(i as f64 / per_octave) / grain).round().max(1.0) * grain).collect();
    all.dedup();
    all
}
