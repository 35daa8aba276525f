//! Rounds: measurements of one stimulus at widely separated moments.
//!
//! Samples taken in succession agree more closely with each other than with samples taken a minute later. In the
//! meantime the host may have moved a processor or may do more work for its neighbours, memory may consist of other
//! pages, and the frequency may have changed. So areas are measured in rounds, with other areas between them, and a
//! point is the median of the rounds' medians. With three rounds or more, one round that was disturbed as a whole does
//! not count.

use crate::cycle::Cycles;
use crate::samples::interval_of_median;
use crate::{Estimate, Samples, Stimulus};
use fathom_profile::statistics::{quantile, sorted};
use std::collections::HashMap;

/// The samples of each number of threads and stimulus, in this round and in earlier rounds.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    round: usize,
    seen: HashMap<(usize, Stimulus), Vec<(usize, Samples)>>,
}

impl Rounds {
    /// Starts the next round.
    pub fn next_round(&mut self) {
        self.round += 1;
    }

    /// Keeps the samples of this round.
    pub fn keep(&mut self, threads: usize, stimulus: &Stimulus, samples: &Samples) {
        self.seen.entry((threads, stimulus.clone())).or_default().push((self.round, samples.clone()));
    }

    /// The latest samples, from this round or an earlier one.
    pub fn last(&self, threads: usize, stimulus: &Stimulus) -> Option<&Samples> {
        self.seen.get(&(threads, stimulus.clone()))?.last().map(|(_, samples)| samples)
    }

    /// The samples of earlier rounds, the oldest first.
    pub fn earlier(&self, threads: usize, stimulus: &Stimulus) -> Vec<&Samples> {
        let all = self.seen.get(&(threads, stimulus.clone()));
        all.into_iter().flatten().filter(|(round, _)| *round < self.round).map(|(_, samples)| samples).collect()
    }
}

/// Combines a look's estimate with those of earlier looks at the same stimulus, in the reference's cycles.
pub fn together(cycles: &Cycles, stimulus: &Stimulus, earlier: &[&Samples], now: Estimate) -> Estimate {
    let of = |samples: &&Samples| Samples { ns: cycles.samples(stimulus, samples), ..Samples::default() }.estimate();
    let all: Vec<Estimate> = earlier.iter().filter_map(of).chain([now]).collect();
    median(&all).unwrap_or(now)
}

/// The median of looks. One look is its own median. The interval of two looks holds both; the interval of more looks is
/// that of the median of their medians. None if there are no looks.
pub fn median(looks: &[Estimate]) -> Option<Estimate> {
    let one = *looks.first()?;
    if looks.len() == 1 {
        return Some(one);
    }
    let medians = sorted(looks.iter().map(|e| e.value));
    let (low, high) = interval_of_median(&medians);
    Some(Estimate {
        value: quantile(&medians, 0.5),
        low,
        high,
        samples: looks.iter().map(|e| e.samples).sum(),
        outliers: looks.iter().map(|e| e.outliers).sum(),
        worst: looks.iter().map(|e| e.worst).fold(one.worst, f64::max),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kernel;

    fn samples(ns: f64) -> Samples {
        Samples { ns: vec![ns, ns * 1.001, ns * 0.999], ..Samples::default() }
    }

    #[test]
    fn a_round_that_was_disturbed_as_a_whole_does_not_count() {
        let (mut looks, stimulus) = (Rounds::default(), Stimulus::new(Kernel::Flag));
        for ns in [10.0, 25.0] {
            looks.keep(2, &stimulus, &samples(ns));
            looks.next_round();
        }
        let now = samples(10.2).estimate().unwrap();
        let e = together(&Cycles::default(), &stimulus, &looks.earlier(2, &stimulus), now);
        assert_eq!((e.value, e.low, e.high, e.samples), (10.2, 10.0, 25.0, 9));
    }

    #[test]
    fn rounds_are_told_apart_and_so_are_numbers_of_threads() {
        let (mut looks, stimulus) = (Rounds::default(), Stimulus::new(Kernel::Barrier));
        looks.keep(2, &stimulus, &samples(10.0));
        assert!(looks.earlier(2, &stimulus).is_empty(), "it is of this round");
        looks.next_round();
        assert_eq!((looks.earlier(2, &stimulus).len(), looks.earlier(4, &stimulus).len()), (1, 0));
    }

    #[test]
    fn one_look_is_itself() {
        let e = samples(7.0).estimate().unwrap();
        assert_eq!(median(&[e]), Some(e));
        assert_eq!(median(&[]), None);
    }
}
