//! The regret of a choice: its time divided by that of the fastest mechanism, from noisy times.
//!
//! The least of several noisy times is biased: among equally fast mechanisms the luckiest looks fastest, and the choice
//! looks worse than it is, the more so the more mechanisms there are. So the measurements are halved: one half
//! determines the fastest, the other compares the choice with it, and then the halves are exchanged (cross-validation
//! in two parts). Times are compared within a round, in which all mechanisms were measured one after the other, so that
//! slow changes affect all equally.

/// The times of every mechanism in one round, in ns.
pub type Round = Vec<f64>;

/// Chosen / fastest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regret {
    /// 1 if the choice was the fastest in both halves, or faster than the one that the other half determined.
    pub value: f64,
    /// The least and the greatest of the runs' medians of chosen / fastest, with the fastest over all runs.
    pub low: f64,
    pub high: f64,
    /// The mechanism that was the fastest over all runs.
    pub fastest: usize,
}

/// The regret of mechanism `chosen`. A run is a process with rounds of its own, whose memory has other addresses than
/// that of the next; every second run is in the other half. None if there are fewer than two runs, or one without a
/// round.
pub fn regret(chosen: usize, runs: &[Vec<Round>]) -> Option<Regret> {
    if runs.len() < 2 || runs.iter().any(Vec::is_empty) {
        return None;
    }
    let half = |odd: usize| runs.iter().skip(odd).step_by(2).flatten().collect::<Vec<&Round>>();
    let halves = [half(0), half(1)];
    let fold = |judge: &[&Round], other: &[&Round]| typical(other, chosen, fastest(judge, chosen)).ln();
    let value = ((fold(&halves[0], &halves[1]) + fold(&halves[1], &halves[0])) / 2.0).exp().max(1.0);
    let all: Vec<&Round> = runs.iter().flatten().collect();
    let fastest = fastest(&all, chosen);
    let of_runs = runs.iter().map(|run| typical(&run.iter().collect::<Vec<_>>(), chosen, fastest));
    let (low, high) = of_runs.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), r| (low.min(r), high.max(r)));
    Some(Regret { value, low, high, fastest })
}

/// The mechanism that is faster than the choice by the greatest factor; the choice itself, if none is faster.
fn fastest(rounds: &[&Round], chosen: usize) -> usize {
    let slower = |other: usize| typical(rounds, chosen, other);
    let others = (0..rounds[0].len()).filter(|m| *m != chosen);
    others.fold(chosen, |best, m| if slower(m) > slower(best) { m } else { best })
}

/// The median over the rounds of the ratio of the time of one to that of the other.
fn typical(rounds: &[&Round], one: usize, other: usize) -> f64 {
    let mut ratios: Vec<f64> = rounds.iter().map(|r| r[one] / r[other]).collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    (ratios[(n - 1) / 2] * ratios[n / 2]).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of rounds around the means, with deviations of a share of them; the clock runs at another speed in each round.
    fn runs(means: &[f64], deviation: f64, seed: u64) -> Vec<Vec<Round>> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut normal = || (0..12).map(|_| random.f64()).sum::<f64>() - 6.0;
        let mut round = || -> Round {
            let speed = (0.2 * normal()).exp();
            means.iter().map(|m| m * speed * (deviation * normal()).exp()).collect()
        };
        (0..4).map(|_| (0..3).map(|_| round()).collect()).collect()
    }

    #[test]
    fn exact_times_give_the_exact_ratio() {
        let r = regret(0, &runs(&[13.0, 10.0, 11.0], 0.0, 1)).unwrap();
        assert!((r.value - 1.3).abs() < 1e-9 && (r.low - 1.3).abs() < 1e-9 && r.fastest == 1, "{r:?}");
        assert_eq!(regret(1, &runs(&[13.0, 10.0, 11.0], 0.0, 1)).unwrap().value, 1.0);
    }

    #[test]
    fn luck_is_not_counted_as_regret() {
        // Five that are equally fast, by measurements that are off by a tenth.
        let (mut fair, mut naive) = (0.0, 0.0);
        for seed in 1..=400 {
            let runs = runs(&[10.0; 5], 0.1, seed);
            fair += regret(0, &runs).unwrap().value.ln() / 400.0;
            let all: Vec<&Round> = runs.iter().flatten().collect();
            naive += typical(&all, 0, fastest(&all, 0)).ln() / 400.0;
        }
        assert!(fair < 0.025 && naive > 0.035, "{fair} {naive}");
    }

    #[test]
    fn what_is_really_slower_is_found_under_noise() {
        let mean = (1..=400).map(|seed| regret(0, &runs(&[13.0, 10.0, 11.5, 12.0], 0.1, seed)).unwrap().value.ln());
        let mean = (mean.sum::<f64>() / 400.0).exp();
        assert!((1.26..1.32).contains(&mean), "{mean}");
    }

    #[test]
    fn one_run_says_nothing() {
        assert_eq!(regret(0, &runs(&[1.0, 2.0], 0.0, 1)[..1]), None);
        assert_eq!(regret(0, &[vec![vec![1.0]], vec![]]), None);
    }
}
