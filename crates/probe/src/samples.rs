//! Samples of one stimulus and their summary: a median with its confidence interval, and the outliers, which show
//! disturbance and not the machine.

use crate::Fact;
use fathom_profile::statistics::{quantile, sorted};
use std::collections::BTreeMap;

/// A runner's measurements: each value is the mean time of an operation in one repetition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// ns per operation, in the order of measurement. The kernel has subtracted the cost of its loop.
    pub ns: Vec<f64>,
    /// The processor's cycle time during each sample; empty if the runner does not report it.
    pub cycles_ns: Vec<f64>,
    /// The kernel's other results: see [`Fact`].
    pub facts: BTreeMap<Fact, f64>,
}

/// A measured value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The median of the samples that are not outliers.
    pub value: f64,
    /// The 95 % confidence interval of the median.
    pub low: f64,
    pub high: f64,
    /// The number of samples, including outliers.
    pub samples: usize,
    /// The number of outliers (interrupts, changes of frequency, neighbours): reported, and not part of `value`.
    pub outliers: usize,
    /// The greatest sample, including outliers.
    pub worst: f64,
}

impl Samples {
    /// Adds the samples of another request of the same stimulus.
    pub fn extend(&mut self, more: Samples) {
        self.ns.extend(more.ns);
        self.cycles_ns.extend(more.cycles_ns);
        self.facts.extend(more.facts);
    }

    /// None if there are no samples.
    pub fn estimate(&self) -> Option<Estimate> {
        let sorted = sorted(self.ns.iter().copied());
        let worst = *sorted.last()?;
        let limit = outlier_limit(&sorted);
        let kept: Vec<f64> = sorted.iter().copied().filter(|v| *v <= limit).collect();
        let (low, high) = interval_of_median(&kept);
        let (samples, outliers) = (sorted.len(), sorted.len() - kept.len());
        Some(Estimate { value: quantile(&kept, 0.5), low, high, samples, outliers, worst })
    }
}

impl Estimate {
    /// Half the width of the interval, as a share of the value.
    pub fn spread(&self) -> f64 {
        if self.value == 0.0 {
            return 0.0;
        }
        (self.high - self.low) / 2.0 / self.value.abs()
    }

    /// The estimate in another unit: `f` must be monotonic (1/x is).
    #[must_use]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let (a, b) = (f(self.low), f(self.high));
        Self { value: f(self.value), low: a.min(b), high: a.max(b), worst: f(self.worst), ..self }
    }
}

/// The confidence in a value whose interval has this half width, as a share of the value; `weight` is the loss of
/// confidence per unit of width. The interval of one or two samples is meaningless.
pub fn surety(spread: f64, samples: usize, weight: f64) -> f64 {
    let most = if samples < 3 { 0.3 } else { 0.99 };
    (1.0 - weight * spread).clamp(0.1, most)
}

/// Samples above this limit are outliers: disturbance only ever makes things slower. The limit is five deviations of
/// the undisturbed half above the median, and at least 3 % above it.
fn outlier_limit(sorted: &[f64]) -> f64 {
    let median = quantile(sorted, 0.5);
    // In a normal distribution the quartile lies 0.6745 deviations below the median.
    let deviation = (median - quantile(sorted, 0.25)) / 0.6745;
    median + (5.0 * deviation).max(0.03 * median.abs())
}

/// 95 % confidence interval of the median by order statistics (the binomial distribution, approximated by a normal
/// one). For fewer than six values: the least and the greatest.
pub(crate) fn interval_of_median(sorted: &[f64]) -> (f64, f64) {
    let n = sorted.len();
    let half = 1.96 * (n as f64).sqrt() / 2.0;
    let below = ((n as f64 / 2.0 - half).floor().max(0.0)) as usize;
    let above = ((n as f64 / 2.0 + half).ceil() as usize).min(n - 1);
    (sorted[below], sorted[above])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ns: &[f64]) -> Estimate {
        Samples { ns: ns.to_vec(), ..Samples::default() }.estimate().unwrap()
    }

    #[test]
    fn an_interrupt_is_reported_and_does_not_count() {
        let e = of(&[10.0, 10.1, 9.9, 10.0, 55.0, 10.1, 10.0]);
        assert_eq!((e.outliers, e.samples, e.worst), (1, 7, 55.0));
        assert!((e.value - 10.0).abs() < 0.06 && e.high < 10.2, "{e:?}");
    }

    #[test]
    fn two_modes_are_no_outliers() {
        let e = of(&[10.0, 20.0, 10.0, 20.0, 10.0, 20.0, 10.0, 20.0]);
        assert_eq!(e.outliers, 0, "{e:?}");
        assert_eq!((e.low, e.high), (10.0, 20.0));
    }

    #[test]
    fn more_samples_make_the_interval_tighter() {
        let noisy = |n: usize| (0..n).map(|i| 100.0 + ((i * 7919) % 101) as f64 / 10.0).collect::<Vec<_>>();
        assert!(of(&noisy(400)).spread() < of(&noisy(25)).spread() / 2.0);
    }

    #[test]
    fn a_single_sample_is_not_sure() {
        assert!(surety(0.0, 1, 5.0) < 0.5 && surety(0.0, 7, 5.0) > 0.9 && surety(0.5, 7, 5.0) == 0.1);
    }

    #[test]
    fn no_samples_no_estimate() {
        assert_eq!(Samples::default().estimate(), None);
    }
}
