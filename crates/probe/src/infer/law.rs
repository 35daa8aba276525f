//! How the share of misses grows around the size of a cache, when an array is walked through again and again in one
//! order.
//!
//! There are two laws. Where the addresses spread evenly over the sets, replacement by age gives the law of the
//! SPP-1000 study (section 3): no access misses up to C, every access misses from C (1 + 1/A) on, and a share
//! (A+1)(W-C)/W misses between. With A = 0 this is the share that no replacement can avoid, 1 - C/W. Random replacement
//! misses a share m with 1 - m = exp(-m W/C). Where the system's pages are spread over a physically indexed cache by
//! chance, the number of lines in a set is a Poisson variable: if more lines share a set than it has ways, all of them
//! miss under replacement by age, and at least the excess under any other rule.

/// How misses set in around the capacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// The transition has the width C/A.
    Even { ways: f64 },
    /// Any line of the set is replaced.
    Random,
    /// Lines per set are Poisson distributed; `by_age` from 0 (only the excess misses) to 1 (all lines of an overfull
    /// set miss).
    Chance { ways: u32, by_age: f64 },
}

/// The laws to try: one of them is close enough to every transition seen so far.
pub const LAWS: [Law; 17] = [
    Law::Even { ways: 0.0 },
    Law::Random,
    Law::Even { ways: 1.0 },
    Law::Even { ways: 2.0 },
    Law::Even { ways: 4.0 },
    Law::Even { ways: 8.0 },
    Law::Even { ways: 16.0 },
    Law::Even { ways: 64.0 },
    Law::Chance { ways: 4, by_age: 1.0 },
    Law::Chance { ways: 8, by_age: 1.0 },
    Law::Chance { ways: 16, by_age: 1.0 },
    Law::Chance { ways: 4, by_age: 0.5 },
    Law::Chance { ways: 8, by_age: 0.5 },
    Law::Chance { ways: 16, by_age: 0.5 },
    Law::Chance { ways: 4, by_age: 0.0 },
    Law::Chance { ways: 8, by_age: 0.0 },
    Law::Chance { ways: 16, by_age: 0.0 },
];

impl Law {
    /// The factor by which a fit with this law must be better than one with another. A cache with one way, or with
    /// random replacement, is rare, and its wide transition looks like that of pages spread by chance.
    pub fn handicap(self) -> f64 {
        match self {
            Law::Even { ways } if ways < 1.5 => 1.2,
            Law::Random => 1.2,
            _ => 1.0,
        }
    }

    /// The share of accesses that miss, for an array of `w` times the capacity.
    pub fn misses(self, w: f64) -> f64 {
        if w <= 0.0 {
            return 0.0;
        }
        match self {
            Law::Even { ways } => ((ways + 1.0) * (w - 1.0) / w).clamp(0.0, 1.0),
            Law::Random => {
                // The lines that stay over a lap in which a share m misses: 1 - m = e^(-m w). Newton, from above.
                let mut m: f64 = if w > 1.0 { 1.0 } else { 0.0 };
                for _ in 0..30 {
                    let e = (-m * w).exp();
                    m -= (1.0 - m - e) / (w * e - 1.0).min(-1e-9);
                }
                m.clamp(0.0, 1.0)
            }
            Law::Chance { ways, by_age } => {
                let mean = f64::from(ways) * w;
                // P(X >= a), and P(X > a), of a Poisson variable. The set of a given line contains that line too: its
                // number of lines is one more than a Poisson variable.
                let below = poisson_below(mean, ways);
                let all = 1.0 - below;
                // sum over k > a of (k - a) P(k), over the mean
                let excess = all - f64::from(ways) / mean * (1.0 - poisson_below(mean, ways + 1));
                (by_age * all + (1.0 - by_age) * excess).clamp(0.0, 1.0)
            }
        }
    }

    /// In words.
    pub fn name(self) -> String {
        match self {
            Law::Even { ways } if ways < 0.05 => "1 - C/W, the share that no replacement avoids".into(),
            Law::Random => "1 - m = exp(-m W/C), random replacement".into(),
            Law::Even { ways } => format!("(A+1)(W-C)/W with A = {ways}"),
            Law::Chance { ways, by_age } => {
                let rule = match by_age {
                    b if b > 0.9 => "all lines of an overfull set miss",
                    b if b < 0.1 => "the lines too many of a set miss",
                    _ => "half of the lines that an overfull set could keep miss",
                };
                format!("pages spread by chance over sets of about {ways} ways, {rule}")
            }
        }
    }
}

/// The probability that a Poisson variable is below `n`.
fn poisson_below(mean: f64, n: u32) -> f64 {
    if mean > 600.0 {
        return 0.0; // e^-mean would vanish; no law has this many ways
    }
    let (mut term, mut sum) = ((-mean).exp(), 0.0);
    for k in 0..n {
        sum += term;
        term *= mean / f64::from(k + 1);
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misses_grow_with_the_array_from_none_to_all() {
        for law in LAWS {
            let shares: Vec<f64> = (1..400).map(|i| law.misses(f64::from(i) / 20.0)).collect();
            assert!(shares.windows(2).all(|s| s[0] <= s[1] + 1e-9), "{law:?}");
            assert!(law.misses(0.2) < 0.02 && law.misses(20.0) > 0.9, "{law:?}");
        }
    }

    #[test]
    fn the_law_of_the_study() {
        let direct = Law::Even { ways: 1.0 };
        assert_eq!((direct.misses(1.0), direct.misses(2.0)), (0.0, 1.0));
        assert!((direct.misses(1.5) - 2.0 * 0.5 / 1.5).abs() < 1e-12);
    }
}
