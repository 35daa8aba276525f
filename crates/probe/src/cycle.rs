//! Converts times to one cycle time, because processors change their frequency.
//!
//! Within moments the frequency changes by ten percent and more, as neighbours come and go. Work of a core alone takes
//! a fixed number of cycles, so its time changes with the frequency; work of memory or of another core does not, and
//! most measured times contain both. A prober reports the cycle time with every sample. Times are converted to those at
//! one cycle time, the same for a whole profile, according to the share of the time that is proportional to the cycle.
//!
//! That share shows when the frequency changes between samples of a stimulus: with the right share the converted
//! samples agree best. Where it did not change, stimuli of the same kernel with nearly the same time are evidence, as
//! far as they are clear. Without evidence, times stay as measured.

use crate::{Clock, Kernel, Runner, Samples, Stimulus};
use fathom_profile::statistics::quantile;
use std::time::Duration;

/// Cycles that differ by more than this share belong to different frequencies.
pub const CHANGE: f64 = 0.015;
/// Cycles that differ by less than this share belong to one frequency.
const SAME: f64 = 0.005;
/// The number of shares to try: 0, 0.1, … 1.
const SHARES: usize = 11;
/// Times of one kernel are evidence for each other up to this ratio, the less the further apart they are.
const ALIKE: f64 = 1.5;
/// The clock and the cycle are known to this accuracy; samples cannot agree more closely.
const FINEST: f64 = 0.005;
/// The most that one sample counts: it may be disturbed.
const MOST: f64 = 4.0;
/// The least difference in evidence between the best and the worst share for the share to be known. The unit, as of all
/// evidence, is that of the logarithm of the likelihood.
const CLEAR: f64 = 2.0;
/// With this much evidence from its own samples, a stimulus needs none from others.
const OWN: f64 = 8.0;
/// Evidence from other stimuli counts at most this much.
const OTHERS: f64 = 15.0;

/// What a session knows of cycles.
#[derive(Clone, Debug, Default)]
pub struct Cycles {
    /// The cycle that times are converted to; None: times are not converted.
    pub reference_ns: Option<f64>,
    seen: Vec<Seen>,
}

/// The evidence from the samples of a stimulus.
#[derive(Clone, Debug)]
struct Seen {
    stimulus: Stimulus,
    ns: f64,
    /// For each share, how well the samples agree with it.
    evidence: [f64; SHARES],
}

impl Cycles {
    /// The samples converted to the reference cycle, according to the share of their time that is proportional to the
    /// cycle.
    pub fn samples(&self, stimulus: &Stimulus, samples: &Samples) -> Vec<f64> {
        match self.reference_ns.zip(self.share(stimulus, samples)) {
            Some((reference, share)) => converted(samples, reference, share),
            None => samples.ns.clone(),
        }
    }

    /// Keeps the evidence of the samples, for later stimuli.
    pub fn learn(&mut self, stimulus: &Stimulus, samples: &Samples) {
        let Some((ns, evidence)) = self.reference_ns.and_then(|reference| evidence(samples, reference)) else { return };
        if range(&evidence) < CLEAR / 2.0 {
            return;
        }
        match self.seen.iter_mut().find(|s| s.stimulus == *stimulus) {
            Some(seen) => seen.evidence.iter_mut().zip(evidence).for_each(|(sum, more)| *sum += more),
            None => self.seen.push(Seen { stimulus: stimulus.clone(), ns, evidence }),
        }
    }

    /// Whether the share of the stimulus' time that is proportional to the cycle is unknown, and matters.
    pub fn is_open(&self, stimulus: &Stimulus, samples: &Samples) -> bool {
        let Some(reference) = self.reference_ns else { return false };
        let off = samples.cycles_ns.iter().any(|c| (c / reference - 1.0).abs() > CHANGE);
        off && self.share(stimulus, samples).is_none()
    }

    /// The share of a stimulus' time that is proportional to the cycle. None: there is no evidence.
    fn share(&self, stimulus: &Stimulus, samples: &Samples) -> Option<f64> {
        let (ns, mut sum) = evidence(samples, self.reference_ns?)?;
        let mut others = [0.0; SHARES];
        for seen in &self.seen {
            let weight = 1.0 - (seen.ns / ns).ln().abs() / ALIKE.ln();
            match seen.stimulus == *stimulus {
                true => add(&mut sum, &seen.evidence, 1.0),
                false if seen.stimulus.kernel() == stimulus.kernel() && weight > 0.0 => {
                    add(&mut others, &seen.evidence, weight);
                }
                false => {}
            }
        }
        if range(&sum) < OWN {
            let much = range(&others);
            add(&mut sum, &others, if much > OTHERS { OTHERS / much } else { 1.0 });
        }
        if range(&sum) < CLEAR {
            return None;
        }
        // The mean over all shares, weighted by likelihood: between two equally good shares it lies in the middle.
        let best = sum.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let likely = sum.map(|e| (e - best).exp());
        let mean: f64 = likely.iter().enumerate().map(|(i, l)| share_of(i) * l).sum();
        Some(mean / likely.iter().sum::<f64>())
    }
}

fn share_of(i: usize) -> f64 {
    i as f64 / (SHARES - 1) as f64
}

fn add(sum: &mut [f64; SHARES], more: &[f64; SHARES], weight: f64) {
    sum.iter_mut().zip(more).for_each(|(sum, e)| *sum += weight * e);
}

fn range(evidence: &[f64; SHARES]) -> f64 {
    let (least, greatest) =
        evidence.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, g), e| (l.min(*e), g.max(*e)));
    greatest - least
}

fn converted(samples: &Samples, reference: f64, share: f64) -> Vec<f64> {
    let of = |(ns, cycle): (&f64, &f64)| ns / (1.0 + share * (cycle / reference - 1.0));
    samples.ns.iter().zip(&samples.cycles_ns).map(of).collect()
}

/// The samples' median, and for each share how well the converted samples agree: the logarithm of the likelihood of
/// their deviations, which are taken as exponential on both sides. None if the samples do not report their cycles.
fn evidence(samples: &Samples, reference: f64) -> Option<(f64, [f64; SHARES])> {
    let known = samples.cycles_ns.len() == samples.ns.len() && samples.cycles_ns.iter().all(|c| *c > 0.0);
    if !known || samples.ns.is_empty() || samples.ns.iter().any(|ns| *ns <= 0.0) {
        return None;
    }
    let mut sorted = samples.ns.clone();
    sorted.sort_by(f64::total_cmp);
    let median = quantile(&sorted, 0.5);
    // An interrupt lengthens one cycle only; a frequency recurs. Within one frequency cycles differ by measurement
    // error, which is evidence for no share.
    let samples = &seen_again(samples);
    let cycle = |better: fn(f64, f64) -> f64| samples.cycles_ns.iter().copied().reduce(better).unwrap_or(reference);
    if cycle(f64::max) / cycle(f64::min) - 1.0 < CHANGE {
        return Some((median, [0.0; SHARES]));
    }
    let deviations: Vec<Vec<f64>> = (0..SHARES)
        .map(|i| {
            let mut sorted = converted(samples, reference, share_of(i));
            sorted.sort_by(f64::total_cmp);
            let middle = quantile(&sorted, 0.5);
            sorted.iter().map(|ns| (ns / middle).ln().abs()).collect()
        })
        .collect();
    // The other differences between samples: the median of the deviations with the share that leaves the least.
    let middle = |deviations: &Vec<f64>| {
        let mut sorted = deviations.clone();
        sorted.sort_by(f64::total_cmp);
        quantile(&sorted, 0.5)
    };
    let scale = deviations.iter().map(middle).fold(f64::INFINITY, f64::min).max(FINEST);
    let mut evidence = [0.0; SHARES];
    for (e, deviations) in evidence.iter_mut().zip(&deviations) {
        *e = -deviations.iter().map(|d| (d / scale).min(MOST)).sum::<f64>();
    }
    Some((median, evidence))
}

/// The samples whose cycle recurs in another sample.
fn seen_again(samples: &Samples) -> Samples {
    let cycles = &samples.cycles_ns;
    let again = |i: usize| (0..cycles.len()).any(|k| k != i && (cycles[k] / cycles[i] - 1.0).abs() < SAME);
    let kept: Vec<usize> = (0..cycles.len()).filter(|i| again(*i)).collect();
    let of = |all: &[f64]| kept.iter().map(|i| all[*i]).collect();
    Samples { ns: of(&samples.ns), cycles_ns: of(cycles), ..Samples::default() }
}

/// The time of a cycle now, if the runner can measure it: the least time of several series of dependent additions,
/// which disturbance can only lengthen.
pub fn now_ns(runner: &mut dyn Runner) -> Option<f64> {
    let stimulus = Stimulus::new(Kernel::Frequency).with("sample_us", 30);
    let samples = runner.run(&stimulus, 5, Duration::from_millis(20)).ok()?;
    samples.ns.into_iter().min_by(f64::total_cmp).filter(|ns| *ns > 0.0)
}

/// The most frequent cycle, from looks over a third of a second.
pub fn usual_ns(runner: &mut dyn Runner) -> Option<f64> {
    if runner.clock() != Clock::Real {
        return now_ns(runner); // the cycle does not change
    }
    let looks: Vec<f64> =
        (0..100).map_while(|_| now_ns(runner).inspect(|_| std::thread::sleep(Duration::from_millis(2)))).collect();
    let company = |cycle: f64| looks.iter().filter(|c| (*c / cycle - 1.0).abs() < CHANGE / 2.0).count();
    looks.iter().copied().max_by_key(|c| company(*c))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFERENCE: f64 = 0.25;

    fn cycles() -> Cycles {
        Cycles { reference_ns: Some(REFERENCE), ..Cycles::default() }
    }

    fn chase() -> Stimulus {
        Stimulus::new(Kernel::Chase).with("bytes", 64)
    }

    /// Samples of an operation that takes `ns` at the reference, with a share proportional to the cycle and deviations
    /// of half a percent.
    fn of(ns: f64, share: f64, cycles: &[f64]) -> Samples {
        let noise = [0.0, 0.004, -0.003, 0.005, -0.005, 0.002, -0.002];
        let time = |(i, c): (usize, &f64)| ns * (1.0 + share * (c / REFERENCE - 1.0)) * (1.0 + noise[i % noise.len()]);
        Samples { ns: cycles.iter().enumerate().map(time).collect(), cycles_ns: cycles.to_vec(), ..Samples::default() }
    }

    fn median(mut ns: Vec<f64>) -> f64 {
        ns.sort_by(f64::total_cmp);
        quantile(&ns, 0.5)
    }

    const CHANGING: [f64; 7] = [0.25, 0.28, 0.28, 0.265, 0.28, 0.28, 0.265];
    const SLOW: [f64; 5] = [0.28; 5];

    #[test]
    fn the_share_that_goes_with_the_cycle_is_converted() {
        for share in [0.0, 0.3, 0.5, 0.8, 1.0] {
            let ns = median(cycles().samples(&chase(), &of(5.0, share, &CHANGING)));
            assert!((ns / 5.0 - 1.0).abs() < 0.01, "{share}: {ns}");
        }
    }

    #[test]
    fn a_cycle_that_was_interrupted_does_not_tell() {
        let mut samples = of(5.0, 1.0, &[0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25]);
        (samples.cycles_ns[2], samples.cycles_ns[5]) = (0.34, 0.31);
        assert!(cycles().share(&chase(), &samples).is_none());
    }

    #[test]
    fn an_interrupt_does_not_tell() {
        let mut samples = of(5.0, 1.0, &CHANGING);
        samples.ns[5] *= 3.0;
        samples.ns[0] *= 1.5;
        let ns = median(cycles().samples(&chase(), &samples));
        assert!((ns / 5.0 - 1.0).abs() < 0.015, "{ns}");
    }

    #[test]
    fn a_stimulus_alike_speaks_for_one_that_nobody_can_tell() {
        let mut cycles = cycles();
        let slow = |ns: f64| of(ns, 1.0, &SLOW);
        assert!(cycles.is_open(&chase(), &slow(1.4)));
        assert_eq!(cycles.samples(&chase(), &slow(1.4)), slow(1.4).ns);
        cycles.learn(&chase().with("stride", 8), &of(1.25, 1.0, &CHANGING));
        assert!(!cycles.is_open(&chase(), &slow(1.4)));
        assert!((median(cycles.samples(&chase(), &slow(1.4))) / 1.4 - 1.0).abs() < 0.02);
        assert!(cycles.is_open(&chase(), &slow(14.0)), "another level");
        assert!(cycles.is_open(&Stimulus::new(Kernel::Stream), &slow(1.4)), "another kernel");
    }

    #[test]
    fn what_is_seen_oneself_outweighs_what_others_say() {
        let mut cycles = cycles();
        for i in 0..50 {
            cycles.learn(&chase().with("stride", i), &of(1.3, 1.0, &CHANGING));
        }
        for _ in 0..2 {
            cycles.learn(&chase(), &of(1.25, 0.0, &CHANGING));
        }
        let ns = median(cycles.samples(&chase(), &of(1.25, 0.0, &SLOW)));
        assert!((ns / 1.25 - 1.0).abs() < 0.01, "{ns}");
    }

    #[test]
    fn without_a_reference_or_cycles_nothing_is_converted() {
        let samples = of(1.25, 1.0, &CHANGING);
        assert_eq!(Cycles::default().samples(&chase(), &samples), samples.ns);
        let unknown = Samples { cycles_ns: vec![], ..samples };
        assert_eq!(cycles().samples(&chase(), &unknown), unknown.ns);
        assert!(!cycles().is_open(&chase(), &unknown));
    }
}
