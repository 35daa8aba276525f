//! The law of the SPP-1000 study (section 3) for the time of an access around the size of a cache, fitted to sweeps.
//!
//! An array of W bytes is swept again and again. Up to the cache's size C an access costs T_hit; from C (1 + 1/A) on it
//! costs T_miss. Between the two it costs, with least-recently-used replacement, T_hit (C - A(W-C))/W + T_miss
//! (A+1)(W-C)/W. For given C and A this is linear in the two times; the fit searches for C and A. A cache with another
//! replacement gets the A whose transition is equally wide.

use super::bandwidth::Known;
use crate::findings::Findings;
use crate::{Effort, Fact, Failure, Kernel, Session, Stimulus};
use fathom_model::laws::Memory;
use fathom_model::MachineFile;
use fathom_profile::{Coefficient, Curve, Evidence, FittedCurve, Reading, Series, Value};

/// The fit to the sweeps of one kind of access.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    pub cache_bytes: f64,
    /// A of the law: C/A is the width of the transition.
    pub associativity: f64,
    pub hit_ns: f64,
    pub miss_ns: f64,
    /// Standard deviation of the residuals, as a share of the value.
    pub residual: f64,
}

/// The share of accesses that miss.
fn misses(bytes: f64, cache: f64, ways: f64) -> f64 {
    ((ways + 1.0) * (bytes - cache) / bytes).clamp(0.0, 1.0)
}

impl Transition {
    /// The law's value for an array of this size.
    pub fn at(&self, bytes: f64) -> f64 {
        let share = misses(bytes, self.cache_bytes, self.associativity);
        self.hit_ns * (1.0 - share) + self.miss_ns * share
    }
}

/// The associativities to try: between them the law changes little.
const WAYS: [f64; 11] = [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0];

/// Fits the law to (bytes, ns) by rising bytes; deviations are in proportion to the value. The best fit has the
/// smallest residual in proportion to the rise that it explains, because without a rise anything fits. None if the time
/// does not rise by a tenth, or if a side of the cache's size has fewer than three points.
pub fn fit(points: &[(f64, f64)]) -> Option<Transition> {
    let mut best: Option<Transition> = None;
    let sizes: Vec<f64> = points.iter().map(|p| p.0).collect();
    for pair in sizes.windows(2) {
        for k in 0..8 {
            let cache = pair[0] * (pair[1] / pair[0]).powf(f64::from(k) / 8.0);
            for ways in WAYS {
                let Some(t) = with(points, cache, ways).filter(|t| t.miss_ns > 1.1 * t.hit_ns) else { continue };
                let score = |t: &Transition| t.residual / (t.miss_ns / t.hit_ns).ln();
                if best.is_none_or(|b| score(&t) < score(&b)) {
                    best = Some(t);
                }
            }
        }
    }
    best
}

/// Least squares for the two times, each point weighted by the reciprocal of its value. Sizes beyond three times the
/// cache's size belong to other levels.
fn with(points: &[(f64, f64)], cache: f64, ways: f64) -> Option<Transition> {
    let near: Vec<(f64, f64)> = points.iter().copied().filter(|p| p.0 <= 3.0 * cache).collect();
    let inside = near.iter().filter(|p| p.0 <= cache).count();
    let beyond = near.iter().filter(|p| p.0 >= cache * (1.0 + 1.0 / ways)).count();
    if inside < 3 || beyond < 3 {
        return None;
    }
    let (mut aa, mut ab, mut bb, mut ay, mut by) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for &(bytes, ns) in &near {
        let share = misses(bytes, cache, ways);
        let (a, b) = ((1.0 - share) / ns, share / ns);
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ay += a;
        by += b;
    }
    let det = aa * bb - ab * ab;
    if det.abs() < 1e-12 * aa * bb {
        return None;
    }
    let (hit_ns, miss_ns) = ((ay * bb - by * ab) / det, (by * aa - ay * ab) / det);
    let mut t = Transition { cache_bytes: cache, associativity: ways, hit_ns, miss_ns, residual: 0.0 };
    let sum: f64 = near.iter().map(|&(bytes, ns)| (t.at(bytes) / ns - 1.0).powi(2)).sum();
    t.residual = (sum / (near.len() as f64 - 4.0).max(1.0)).sqrt();
    (hit_ns > 0.0 && miss_ns > 0.0).then_some(t)
}

/// Sizes from 4 KiB to well beyond the first cache.
fn sizes(known: &Known, effort: Effort) -> Vec<f64> {
    let steps = match effort {
        Effort::Quick => 4,
        Effort::Normal => 6,
        Effort::Thorough => 12,
    };
    let first = known.caches_bytes.first().copied().unwrap_or(65536.0);
    let end = (4.0 * first).max(65536.0);
    let size = |i: i32| 4096.0 * 2f64.powf(f64::from(i) / f64::from(steps));
    // Whole lines, and multiples of the kernels' unit of work.
    (0..).map(|i| (size(i) / 512.0).round() * 512.0).take_while(|s| *s <= end).collect()
}

fn sweep(op: &'static str, bytes: f64, stride: f64) -> Stimulus {
    Stimulus::new(Kernel::Sweep).word("op", op).with("bytes", bytes as u64).with("stride", stride as u64)
}

/// ns of an access.
fn point(session: &mut Session, op: &'static str, bytes: f64, stride: f64) -> Result<Reading, Failure> {
    let stimulus = sweep(op, bytes, stride);
    let (e, samples) = session.measure_with_facts(&stimulus)?;
    let accesses = samples.facts.get(&Fact::Accesses).copied();
    let n = accesses.ok_or_else(|| Failure::Broken(format!("`{stimulus}` did not say its accesses")))?;
    let e = e.map(|ns| ns / n);
    Ok(Reading { x: bytes, y: e.value, low: e.low, high: e.high, samples: e.samples, outliers: e.outliers })
}

/// Sweeps around the first cache and fits the law; with it the machine can answer `load 1MiB`.
///
/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, known: &Known) -> Result<Findings, Failure> {
    let mut found = Findings::default();
    match measure(session, known, &mut found) {
        Ok(()) => {}
        Err(failure) => found.note_missing("memory.sweep", failure)?,
    }
    Ok(found)
}

fn measure(session: &mut Session, known: &Known, found: &mut Findings) -> Result<(), Failure> {
    let line = known.line_bytes;
    let mut series = vec![];
    let mut fits = vec![];
    for op in ["load", "store"] {
        let mut points = vec![];
        for bytes in sizes(known, session.effort) {
            points.push(point(session, op, bytes, line)?);
        }
        let name = format!("{op}, stride {line} bytes");
        let pairs: Vec<(f64, f64)> = points.iter().map(|r| (r.x, r.y)).collect();
        if let Some(t) = fit(&pairs) {
            found.fits.push(fitted(&t, &name, &pairs));
            fits.push(t);
        }
        series.push(Series::new(name, points));
    }
    // At this size every line misses, and its elements are loaded in order.
    let word = match fits.first() {
        Some(t) => Some(point(session, "load", (2.5 * t.cache_bytes / 512.0).round() * 512.0, 8.0)?),
        None => None,
    };
    let cycle = session.measure(&Stimulus::new(Kernel::Frequency));
    found.curves.push(Curve {
        name: "memory.sweep".into(),
        title: "Time of an access to an array that is swept again and again".into(),
        x: "bytes".into(),
        y: "ns".into(),
        log_x: true,
        log_y: true,
        series,
    });
    let (&[load, store], Some(word), Ok(cycle)) = (&fits[..], word, cycle) else {
        let why = "the time of an access does not rise in the way of a cache, or the clock's cycle is not known";
        found.missing.push(fathom_profile::Missing::new("machine.memory", fathom_profile::Reason::Other, why));
        return Ok(());
    };
    values(&load, &store, found);
    let memory = figures(&load, &store, word.y, line, cycle.value);
    found.figures = Some(Box::new(move |machine: &mut MachineFile| machine.memory = Some(memory)));
    Ok(())
}

/// The law's figures, in cycles.
fn figures(load: &Transition, store: &Transition, word_ns: f64, line: f64, cycle_ns: f64) -> Memory {
    let elements = line / 8.0;
    let per_line = elements * word_ns - load.miss_ns;
    // An element cannot arrive faster than one that is in the cache.
    let element = (per_line / (elements - 1.0).max(1.0)).max(0.0).max(load.hit_ns * 0.5);
    Memory {
        cycle_ns,
        cache_bytes: load.cache_bytes.round(),
        associativity: load.associativity,
        line_bytes: line,
        load_hit_cycles: load.hit_ns / cycle_ns,
        load_miss_cycles: load.miss_ns / cycle_ns,
        load_element_cycles: element / cycle_ns,
        store_hit_cycles: store.hit_ns / cycle_ns,
        store_miss_cycles: store.miss_ns / cycle_ns,
        source: "measured: sweeps of loads and stores around the first cache, memory.sweep".into(),
    }
}

fn fitted(t: &Transition, series: &str, points: &[(f64, f64)]) -> FittedCurve {
    let near = || points.iter().filter(|p| p.0 <= 3.0 * t.cache_bytes);
    let n = near().count() as f64;
    let half = 2.0 * t.residual / n.sqrt();
    let coefficient = |name: &str, value: f64| Coefficient {
        name: name.into(),
        value,
        low: value * (1.0 - half),
        high: value * (1.0 + half),
    };
    // The size is known no more accurately than the points next to it.
    let below = points.iter().rev().find(|p| p.0 <= t.cache_bytes).map_or(t.cache_bytes, |p| p.0);
    let above = points.iter().find(|p| p.0 >= t.cache_bytes).map_or(t.cache_bytes, |p| p.0);
    FittedCurve {
        curve: "memory.sweep".into(),
        series: series.into(),
        form: "transition".into(),
        formula: format!(
            "{:.3} up to C = {:.0}, {:.3} from C (1 + 1/A) on with A = {}, T_hit (C - A(W-C))/W + T_miss (A+1)(W-C)/W between",
            t.hit_ns, t.cache_bytes, t.miss_ns, t.associativity
        ),
        coefficients: vec![
            Coefficient { name: "C_bytes".into(), value: t.cache_bytes, low: below, high: above },
            Coefficient { name: "A".into(), value: t.associativity, low: t.associativity, high: t.associativity },
            coefficient("T_hit_ns", t.hit_ns),
            coefficient("T_miss_ns", t.miss_ns),
        ],
        residual_sd: t.residual,
        relative: true,
        from: points.first().map_or(0.0, |p| p.0),
        to: near().next_back().map_or(0.0, |p| p.0),
        points: near().count(),
        left_out: vec![],
        reason: "the law of the SPP-1000 study, section 3; C and A by search".into(),
        tried: vec![],
    }
}

fn values(load: &Transition, store: &Transition, found: &mut Findings) {
    let evidence = |series: usize| {
        let series = &found.curves.last().map(|c| c.series[series].clone());
        let (name, at) = series
            .as_ref()
            .map_or((String::new(), vec![]), |s| (s.name.clone(), s.points.iter().map(|p| p.x).collect()));
        vec![Evidence { curve: "memory.sweep".into(), series: name, at }]
    };
    let mut list = vec![];
    for (i, (op, t)) in [("load", load), ("store", store)].into_iter().enumerate() {
        for (what, ns) in [("hit", t.hit_ns), ("miss", t.miss_ns)] {
            let rule = format!(
                "the law of a sweep around a cache of {:.0} bytes, fitted; {:.1} % are left over",
                t.cache_bytes,
                100.0 * t.residual
            );
            let sure = (1.0 - 4.0 * t.residual).clamp(0.1, 0.99);
            let value = Value::known(format!("memory.sweep.{op}_{what}.ns"), ns, "ns", sure, rule);
            let value = value.between(ns * (1.0 - 2.0 * t.residual), ns * (1.0 + 2.0 * t.residual));
            list.push(value.resting_on(evidence(i)));
        }
    }
    found.values.extend(list);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sweep over a cache with these figures, with independent deviations of a share `noise`.
    fn sweep(truth: Transition, noise: f64, seed: u64) -> Vec<(f64, f64)> {
        let mut random = fastrand::Rng::with_seed(seed);
        let known = Known { caches_bytes: vec![truth.cache_bytes], ..Known::default() };
        let at = |w: f64, r: f64| (w, truth.at(w) * (1.0 + noise * r));
        sizes(&known, Effort::Normal).into_iter().map(|w| at(w, random.f64() * 2.0 - 1.0)).collect()
    }

    #[test]
    fn the_law_gives_back_the_cache_that_made_the_sweep() {
        for cache_bytes in [16384.0, 32768.0, 49152.0, 131_072.0] {
            for associativity in [1.0, 2.0, 4.0, 8.0] {
                let truth = Transition { cache_bytes, associativity, hit_ns: 0.4, miss_ns: 2.1, residual: 0.0 };
                for seed in 1..6 {
                    let t = fit(&sweep(truth, 0.02, seed)).unwrap();
                    assert!((t.cache_bytes / cache_bytes - 1.0).abs() < 0.15, "{truth:?} {t:?}");
                    assert!((t.hit_ns / 0.4 - 1.0).abs() < 0.03, "{truth:?} {t:?}");
                    assert!((t.miss_ns / 2.1 - 1.0).abs() < 0.06, "{truth:?} {t:?}");
                }
            }
        }
    }

    #[test]
    fn a_time_that_does_not_rise_is_no_cache() {
        let flat: Vec<(f64, f64)> =
            (0..30).map(|i| (4096.0 * 1.2f64.powi(i), 0.5 + 0.001 * f64::from(i % 3))).collect();
        assert_eq!(fit(&flat), None);
    }

    #[test]
    fn the_figures_answer_as_the_law_does() {
        let load = Transition { cache_bytes: 32768.0, associativity: 4.0, hit_ns: 0.5, miss_ns: 2.0, residual: 0.01 };
        let memory = figures(&load, &load, 0.8, 64.0, 0.25);
        assert_eq!(memory.check(), Ok(()));
        for bytes in [16384.0, 36000.0, 80000.0] {
            let answer = memory.time(fathom_model::laws::Access::Load, bytes, 8.0).unwrap();
            assert!((answer.value - load.at(bytes)).abs() < 1e-9, "{answer:?}");
        }
    }
}
