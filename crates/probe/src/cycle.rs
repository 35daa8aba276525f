//! Processors change their frequency from one moment to the next, by ten percent and more, as their neighbours come and go.
//! What a core does alone takes a number of cycles, and so its time changes with them; what memory or another core takes does
//! not. Every answer of a prober says what a cycle took meanwhile: times of the core are converted to those of one cycle, the
//! same for a whole profile, and others stay as they are.
//!
//! Which of the two a stimulus is shows when the frequency changes between two of its batches: then either the times agree, or
//! the cycles do. Where it did not change, a stimulus of the same kernel with nearly the same time speaks for it.

use crate::{Runner, Samples, Stimulus};
use std::time::Duration;

/// Two batches tell something if their cycles differ by more.
pub const CHANGE: f64 = 0.015;
/// The one agrees better than the other if its spread is smaller by this factor.
const CLEARER: f64 = 2.0;
/// Times of one kernel that are so close are of one kind.
const ALIKE: f64 = 0.1;

/// What a session knows of cycles.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// The cycle that times are converted to; none: as they are.
    pub reference_ns: Option<f64>,
    /// By kernel and time: is it the core's?
    decided: Vec<(String, f64, bool)>,
}

/// What one request gave.
pub struct Batch {
    ns: Vec<f64>,
    cycle_ns: Option<f64>,
}

impl Batch {
    pub fn of(samples: &Samples) -> Batch {
        let cycle_ns = samples.facts.get("cycle_ns").copied().filter(|c| *c > 0.0);
        Batch { ns: samples.ns.clone(), cycle_ns }
    }

    fn median(&self) -> f64 {
        let mut sorted = self.ns.clone();
        sorted.sort_by(f64::total_cmp);
        crate::samples::quantile(&sorted, 0.5)
    }
}

impl Clock {
    /// The samples of all batches of a stimulus, each converted if they are times of the core.
    pub fn samples(&mut self, kernel: &str, batches: &[Batch]) -> Vec<f64> {
        let of_core = self.reference_ns.filter(|_| self.is_of_core(kernel, batches) == Some(true));
        let factor = |b: &Batch| of_core.zip(b.cycle_ns).map_or(1.0, |(reference, cycle)| reference / cycle);
        batches.iter().flat_map(|b| b.ns.iter().map(move |ns| ns * factor(b))).collect()
    }

    /// Is it still open what a stimulus is, and does it matter?
    pub fn is_open(&mut self, kernel: &str, batches: &[Batch]) -> bool {
        let Some(reference) = self.reference_ns else { return false };
        let off = |b: &Batch| b.cycle_ns.is_some_and(|c| (c / reference - 1.0).abs() > CHANGE);
        batches.iter().any(off) && self.is_of_core(kernel, batches).is_none()
    }

    /// None: nobody can tell yet.
    fn is_of_core(&mut self, kernel: &str, batches: &[Batch]) -> Option<bool> {
        let points: Vec<(f64, f64)> = batches.iter().filter_map(|b| Some((b.cycle_ns?, b.median()))).collect();
        if points.len() < batches.len() || points.is_empty() || points.iter().any(|p| p.1 <= 0.0) {
            return None;
        }
        let time = points.iter().map(|p| p.1).sum::<f64>() / points.len() as f64;
        if spread(points.iter().map(|p| p.0)) > CHANGE {
            let (times, cycles) = (spread(points.iter().map(|p| p.1)), spread(points.iter().map(|p| p.1 / p.0)));
            // Where neither agrees, something else disturbs, and nothing is to be converted.
            let is_of_core = cycles * CLEARER < times;
            if is_of_core || times * CLEARER < cycles {
                self.decided.push((kernel.to_string(), time, is_of_core));
                return Some(is_of_core);
            }
        }
        let alike = |(name, ns, _): &&(String, f64, bool)| name == kernel && (ns / time - 1.0).abs() < ALIKE;
        self.decided.iter().rev().find(alike).map(|d| d.2)
    }
}

/// What a cycle takes now, if the runner can tell: the least of some dependent additions, which can only be disturbed
/// upwards.
pub fn now_ns(runner: &mut dyn Runner) -> Option<f64> {
    let stimulus = Stimulus::new("frequency").with("sample_us", 30);
    let samples = runner.run(&stimulus, 5, Duration::from_millis(20)).ok()?;
    samples.ns.into_iter().min_by(f64::total_cmp).filter(|ns| *ns > 0.0)
}

/// The cycle that is seen most, of looks over a third of a second.
pub fn usual_ns(runner: &mut dyn Runner) -> Option<f64> {
    let looks: Vec<f64> =
        (0..100).map_while(|_| now_ns(runner).inspect(|_| std::thread::sleep(Duration::from_millis(2)))).collect();
    let company = |cycle: f64| looks.iter().filter(|c| (*c / cycle - 1.0).abs() < CHANGE / 2.0).count();
    looks.iter().copied().max_by_key(|c| company(*c))
}

/// (greatest - least) / least.
fn spread(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    values.fold(0.0, f64::max) / least - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(ns: f64, cycle_ns: f64) -> Batch {
        Batch { ns: vec![ns, ns * 1.001, ns], cycle_ns: Some(cycle_ns) }
    }

    fn clock() -> Clock {
        Clock { reference_ns: Some(0.25), ..Clock::default() }
    }

    #[test]
    fn times_of_the_core_are_converted() {
        let mut clock = clock();
        let samples = clock.samples("chase", &[batch(5.0 * 0.25, 0.25), batch(5.0 * 0.28, 0.28)]);
        assert!(samples.iter().all(|ns| (ns / 1.25 - 1.0).abs() < 0.002), "{samples:?}");
    }

    #[test]
    fn times_of_memory_stay() {
        let mut clock = clock();
        assert_eq!(clock.samples("chase", &[batch(100.0, 0.25), batch(100.0, 0.28)])[3], 100.0);
        assert!(!clock.is_open("chase", &[batch(100.0, 0.25), batch(100.0, 0.28)]));
    }

    #[test]
    fn what_agrees_in_neither_stays() {
        assert_eq!(clock().samples("barrier", &[batch(100.0, 0.25), batch(150.0, 0.28)])[3], 150.0);
    }

    #[test]
    fn a_stimulus_alike_speaks_for_one_that_nobody_can_tell() {
        let mut clock = clock();
        assert!(clock.is_open("chase", &[batch(1.4, 0.28)]));
        clock.samples("chase", &[batch(1.25, 0.25), batch(1.4, 0.28)]);
        assert!(!clock.is_open("chase", &[batch(1.4, 0.28)]));
        assert!((clock.samples("chase", &[batch(1.4, 0.28)])[0] - 1.25).abs() < 1e-9);
        assert!(clock.is_open("chase", &[batch(14.0, 0.28)]), "another level");
        assert!(clock.is_open("stream", &[batch(1.4, 0.28)]), "another kernel");
    }

    #[test]
    fn without_a_reference_or_a_cycle_nothing_is_converted() {
        let batches = [batch(1.25, 0.25), batch(1.4, 0.28)];
        assert_eq!(Clock::default().samples("chase", &batches)[3], 1.4);
        let unknown = [Batch { ns: vec![1.0], cycle_ns: None }, batch(1.4, 0.28)];
        assert_eq!(clock().samples("chase", &unknown)[1], 1.4);
    }
}
