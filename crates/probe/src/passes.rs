//! Measuring in passes: many short looks at every case, one pass after the other, instead of one long look at each.
//!
//! Operations of several threads differ more from one moment to another (where the system has put the threads, what
//! else it does) than within a moment, so that the confidence interval of one long look is too narrow. Curves are
//! fitted to the passes' medians, and the spread of the medians gives a value's range. Passes also divide a short time
//! fairly: every case is measured once before any is measured twice.

use crate::fits;
use crate::{Effort, Estimate, Fact, Failure, Samples, Session, Stimulus};
use fathom_model::fit::Point;
use fathom_profile::statistics::quantile;
use fathom_profile::{Curve, Evidence, Missing, Reading, Series, Value};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A point of a series.
#[derive(Clone, Debug)]
pub struct Case {
    pub curve: &'static str,
    pub series: &'static str,
    pub x: f64,
    pub stimulus: Stimulus,
}

/// The measurements.
#[derive(Clone, Debug, Default)]
pub struct Passes {
    /// By curve and series, in the order of the cases.
    series: Vec<((&'static str, &'static str), Vec<Reading>)>,
    /// By curve, series and x: the kernel's facts, one for each look.
    facts: BTreeMap<(&'static str, &'static str, u64), BTreeMap<Fact, Vec<f64>>>,
    pub missing: Vec<Missing>,
}

/// The shortest look: a look has a few samples.
const SHORTEST: Duration = Duration::from_millis(15);

/// The number of passes if time allows. Four points are enough for the simplest fit.
pub fn wanted(effort: Effort) -> usize {
    match effort {
        Effort::Quick => 4,
        Effort::Normal => 4,
        Effort::Thorough => 15,
    }
}

impl Passes {
    /// Measures all cases, `passes` times if there is time before `until`, and at least once. Includes the measurements
    /// from earlier rounds of the area.
    ///
    /// # Errors The runner is broken. Cases that are impossible or late are noted as missing and not tried again.
    pub fn measure(
        &mut self,
        session: &mut Session,
        cases: &[Case],
        passes: usize,
        until: Instant,
    ) -> Result<(), Failure> {
        let mut possible: Vec<&Case> = cases.iter().collect();
        // If the machine always gives the same samples, one look is as good as many and counts as all of them.
        let (passes, copies) = if session.is_exact() { (1, passes) } else { (passes, 1) };
        for pass in 0..passes {
            let mut left = possible.len() * (passes - pass);
            let mut failed = vec![];
            for (i, case) in possible.iter().enumerate() {
                let time = session.left_until(until);
                if pass > 0 && time.is_zero() {
                    return Ok(());
                }
                let limit = (time / left.max(1) as u32).max(SHORTEST);
                left -= 1;
                if pass == 0 {
                    session.earlier(&case.stimulus).into_iter().for_each(|look| self.add(case, look));
                }
                match session.glance(&case.stimulus, limit) {
                    Ok(look) => (0..copies).for_each(|_| self.add(case, look.clone())),
                    Err(broken @ Failure::Broken(_)) => return Err(broken),
                    Err(why) => {
                        let what = format!("{} ({}) at {}", case.curve, case.series, case.x);
                        self.missing.push(why.missing(what));
                        failed.push(i);
                    }
                }
            }
            failed.into_iter().rev().for_each(|i| {
                possible.remove(i);
            });
        }
        Ok(())
    }

    fn add(&mut self, case: &Case, (e, seen): (Estimate, Samples)) {
        let (samples, outliers) = (e.samples, e.outliers);
        self.of(case).push(Reading { x: case.x, y: e.value, low: e.low, high: e.high, samples, outliers });
        let facts = self.facts.entry((case.curve, case.series, case.x.to_bits())).or_default();
        seen.facts.into_iter().for_each(|(name, v)| facts.entry(name).or_default().push(v));
    }

    fn of(&mut self, case: &Case) -> &mut Vec<Reading> {
        let key = (case.curve, case.series);
        let at = self.series.iter().position(|(k, _)| *k == key).unwrap_or_else(|| {
            self.series.push((key, vec![]));
            self.series.len() - 1
        });
        &mut self.series[at].1
    }

    fn readings(&self, curve: &str, series: &str) -> &[Reading] {
        self.series.iter().find(|((c, s), _)| *c == curve && *s == series).map_or(&[], |(_, r)| r)
    }

    /// The median look of each pass: the points to fit.
    pub fn points(&self, curve: &str, series: &str) -> Vec<Point> {
        self.readings(curve, series).iter().map(|r| Point { x: r.x, y: r.y }).collect()
    }

    pub fn series(&self, curve: &str) -> Vec<Series> {
        let of_it = self.series.iter().filter(|((c, _), _)| *c == curve);
        of_it.map(|((_, name), readings)| fits::merge(name, std::slice::from_ref(readings))).collect()
    }

    /// A curve with this name and its series; None if nothing was measured.
    pub fn curve(&self, name: &str, title: &str, x: &str, y: &str, log: (bool, bool)) -> Option<Curve> {
        let series = self.series(name);
        let texts = (name.into(), title.into(), x.into(), y.into());
        let (name, title, x, y) = texts;
        (!series.is_empty()).then_some(Curve { name, title, x, y, log_x: log.0, log_y: log.1, series })
    }

    /// The median of a fact over all passes.
    pub fn fact(&self, curve: &'static str, series: &'static str, x: f64, fact: Fact) -> Option<f64> {
        let mut all = self.facts.get(&(curve, series, x.to_bits()))?.get(&fact)?.clone();
        all.sort_by(f64::total_cmp);
        Some(quantile(&all, 0.5)).filter(|v| v.is_finite())
    }

    /// A value that is a measured point: the median of the passes. Its range holds half of them, and its confidence is
    /// greater the closer they are. None if it was not measured.
    pub fn value(&self, name: &str, curve: &'static str, series: &'static str, x: f64, rule: &str) -> Option<Value> {
        let mut all: Vec<f64> = self.readings(curve, series).iter().filter(|r| r.x == x).map(|r| r.y).collect();
        all.sort_by(f64::total_cmp);
        if all.is_empty() {
            return None;
        }
        let (value, low, high) = (quantile(&all, 0.5), quantile(&all, 0.25), quantile(&all, 0.75));
        let spread = if value == 0.0 { 1.0 } else { ((high - low) / 2.0 / value).abs() };
        let sure = (1.0 - 2.0 * spread).clamp(0.1, if all.len() < 3 { 0.7 } else { 0.99 });
        let rule = format!("{rule}; the median of {} looks", all.len());
        let evidence = Evidence { curve: curve.into(), series: series.into(), at: vec![x] };
        Some(Value::known(name, value, "ns", sure, rule).between(low, high).resting_on(vec![evidence]))
    }
}

/// Numbers of threads to measure with: from 1 to the processors, and up to four times as many, so that threads must
/// share processors. `most` is the greatest number that the runtime or the system can start.
pub fn thread_counts(processors: usize, effort: Effort, most: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = vec![1, processors];
    let mut n = 2;
    while n < processors {
        counts.push(n);
        if effort != Effort::Quick && n + n / 2 < processors {
            counts.push(n + n / 2);
        }
        n *= 2;
    }
    let beyond: &[usize] = if effort == Effort::Quick { &[2, 4] } else { &[2, 3, 4, 6, 8] };
    counts.push(processors + 1);
    counts.extend(beyond.iter().map(|halves| processors * halves / 2).filter(|n| *n > processors));
    counts.retain(|n| *n <= most);
    counts.sort_unstable();
    counts.dedup();
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_counts_cover_both_sides_of_the_processors() {
        assert_eq!(thread_counts(2, Effort::Normal, 768), [1, 2, 3, 4, 6, 8]);
        assert_eq!(thread_counts(1, Effort::Normal, 768), [1, 2, 3, 4]);
        assert_eq!(thread_counts(8, Effort::Normal, 768), [1, 2, 3, 4, 6, 8, 9, 12, 16, 24, 32]);
        assert_eq!(thread_counts(8, Effort::Quick, 200), [1, 2, 4, 8, 9, 16]);
        assert_eq!(thread_counts(8, Effort::Normal, 14), [1, 2, 3, 4, 6, 8, 9, 12]);
        assert!(thread_counts(192, Effort::Thorough, 400).iter().all(|n| *n <= 400));
    }
}
