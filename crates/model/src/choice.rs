//! The choice of a mechanism by size: a law of each mechanism from its measurements, and the ranges of sizes for each.
//!
//! A law goes through its points: between two of them the time is a start and a time per byte, so that a law bends
//! where a cache overflows. The choice is the list of ranges, of limited length, with the least cost over the sizes,
//! where every ratio of sizes counts equally. A change of mechanism has a cost of its own, or noise would determine the
//! table.
//!
//! The shapes of a program differ from the measured ones, and measurements have errors. So the choice does not minimise
//! the expected time, but the expected regret, the time divided by that of the fastest mechanism, over sizes near the
//! given one and over the measurements of nearby shapes. Of two mechanisms that take the same time here, the one with
//! the smaller losses elsewhere is chosen; and large regrets count more than in proportion.

use serde::Serialize;

/// Time of a mechanism by size.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeLaw {
    pub mechanism: String,
    /// (bytes, ns), by increasing bytes.
    points: Vec<(f64, f64)>,
}

/// A range of sizes with its mechanism.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Range {
    pub mechanism: String,
    /// The first size, in bytes: the first range begins at 0.
    pub from: u64,
    /// The sizes are below this; None: without end.
    pub below: Option<u64>,
    /// A size in the middle of the range's measurements, and the mechanisms' times there, in ns, fastest first.
    pub at: u64,
    pub predicted_ns: Vec<(String, f64)>,
}

/// The choice, and its predicted gain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    pub ranges: Vec<Range>,
    /// Predicted time / that of the fastest, geometric mean and worst over all sizes.
    pub regret: f64,
    pub worst: f64,
    /// The same for the first law alone, which is the default without a table.
    pub regret_without: f64,
}

/// A shape nearby, whose laws are evidence for the one that is decided.
#[derive(Clone, Debug)]
pub struct Neighbour<'a> {
    pub laws: &'a [TimeLaw],
    /// The weight of its evidence; 1: as for the shape itself.
    pub weight: f64,
}

/// How a choice is made.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub most_ranges: usize,
    /// The least saving that justifies a change of mechanism: a share of the time over an octave of sizes.
    pub change: f64,
    /// A loss of r, in logarithms of time, counts as r + caution r².
    pub caution: f64,
}

impl Default for Rules {
    fn default() -> Self {
        Self { most_ranges: 4, change: 0.04, caution: 2.0 }
    }
}

impl TimeLaw {
    /// None if there are no points.
    pub fn new(mechanism: &str, mut points: Vec<(f64, f64)>) -> Option<Self> {
        points.retain(|p| p.0 > 0.0 && p.1 > 0.0 && p.0.is_finite() && p.1.is_finite());
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points.dedup_by(|b, a| a.0 == b.0);
        (!points.is_empty()).then(|| Self { mechanism: mechanism.to_string(), points })
    }

    /// (bytes, ns), by increasing bytes.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// The time in ns for this size; None outside of the measured range.
    pub fn ns(&self, bytes: f64) -> Option<f64> {
        let i = self.points.partition_point(|p| p.0 < bytes);
        let above = self.points.get(i)?;
        if above.0 == bytes {
            return Some(above.1);
        }
        let below = self.points.get(i.checked_sub(1)?)?;
        let share = (bytes - below.0) / (above.0 - below.0);
        Some(below.1 + share * (above.1 - below.1))
    }

    fn ends(&self) -> (f64, f64) {
        (self.points[0].0, self.points[self.points.len() - 1].0)
    }
}

/// Steps of an octave at which laws are compared.
const STEPS: usize = 8;

/// Sizes around the given one, as powers of two, and their weights: the sizes in a class of shapes vary by this much.
const ABOUT: [(f64, f64); 5] = [(-0.5, 1.0), (-0.25, 2.0), (0.0, 3.0), (0.25, 2.0), (0.5, 1.0)];

/// Chooses among laws. The first is that of the default mechanism. None without laws.
///
/// A law is not defined outside of its points: its mechanism is not chosen there, unless the first law has no points
/// there either.
pub fn choose(laws: &[TimeLaw], rules: Rules) -> Option<Choice> {
    choose_among(laws, &[], rules)
}

/// The same, with the evidence of neighbours.
pub fn choose_among(laws: &[TimeLaw], neighbours: &[Neighbour], rules: Rules) -> Option<Choice> {
    let first = laws.first()?;
    let low = laws.iter().map(|l| l.ends().0).fold(f64::INFINITY, f64::min);
    let high = laws.iter().map(|l| l.ends().1).fold(0.0, f64::max);
    let steps = ((high / low).log2() * STEPS as f64).round() as usize;
    let sizes: Vec<f64> = (0..=steps)
        .map(|i| if i == steps { high } else { (low * 2f64.powf(i as f64 / STEPS as f64)).round() })
        .collect();
    // log(time / best) of each law at each size.
    let loss: Vec<Vec<f64>> = sizes
        .iter()
        .map(|&n| {
            let times: Vec<Option<f64>> = laws.iter().map(|l| l.ns(n)).collect();
            let best = times.iter().flatten().copied().fold(f64::INFINITY, f64::min);
            times.iter().map(|t| t.map_or(f64::INFINITY, |t| (t / best).ln())).collect()
        })
        .collect();
    let expected: Vec<Vec<f64>> = (sizes.iter().zip(&loss))
        .map(|(&n, own)| {
            let expected = expected(laws, neighbours, n, rules);
            expected.into_iter().zip(own).map(|(e, own)| if own.is_finite() { e } else { *own }).collect()
        })
        .collect();
    let taken = cheapest(&expected, laws.len(), rules);
    let mean = |of: &dyn Fn(usize) -> f64| {
        let known: Vec<f64> = (0..sizes.len()).map(of).filter(|l| l.is_finite()).collect();
        (known.iter().sum::<f64>() / known.len().max(1) as f64).exp()
    };
    let worst = (0..sizes.len()).map(|i| loss[i][taken[i]]).filter(|l| l.is_finite()).fold(0.0, f64::max).exp();
    debug_assert!(!first.points.is_empty());
    Some(Choice {
        ranges: ranges(laws, &sizes, &taken),
        regret: mean(&|i| loss[i][taken[i]]),
        worst,
        regret_without: mean(&|i| loss[i][0]),
    })
}

/// The cost of each law for a size: the mean loss over the known sizes and shapes around it, where large losses count
/// more than in proportion.
fn expected(laws: &[TimeLaw], neighbours: &[Neighbour], bytes: f64, rules: Rules) -> Vec<f64> {
    let own = Neighbour { laws, weight: 1.0 };
    let mut sums = vec![(0.0, 0.0); laws.len()];
    for view in std::iter::once(&own).chain(neighbours) {
        for (octaves, share) in ABOUT {
            let at = bytes * octaves.exp2();
            let times: Vec<Option<f64>> = view.laws.iter().map(|l| l.ns(at)).collect();
            let best = times.iter().flatten().copied().fold(f64::INFINITY, f64::min);
            for (law, time) in view.laws.iter().zip(times) {
                let sum = laws.iter().position(|l| l.mechanism == law.mechanism).map(|l| &mut sums[l]);
                let (Some(sum), Some(time)) = (sum, time) else { continue };
                let r = (time / best).ln();
                sum.0 += view.weight * share * (r + rules.caution * r * r);
                sum.1 += view.weight * share;
            }
        }
    }
    sums.iter().map(|(sum, weights)| sum / weights).collect()
}

/// The law chosen at each size, so that the sum of losses and of the costs of changes is least (dynamic programming
/// over sizes, laws, and ranges used so far). An unknown loss costs much, but less than making no choice.
fn cheapest(loss: &[Vec<f64>], laws: usize, rules: Rules) -> Vec<usize> {
    const UNKNOWN: f64 = 10.0;
    let price = rules.change * STEPS as f64;
    let most = rules.most_ranges.max(1);
    let at = |i: usize, l: usize| if loss[i][l].is_finite() { loss[i][l] } else { UNKNOWN };
    // cost[l][r]: law l serves at this size, in the r-th range; from[i][l][r]: the state before.
    let mut cost = vec![vec![f64::INFINITY; most]; laws];
    for (l, row) in cost.iter_mut().enumerate() {
        // Of two that are equally good, the default.
        row[0] = at(0, l) + l as f64 * 1e-9;
    }
    let mut from: Vec<Vec<Vec<(usize, usize)>>> = vec![];
    for i in 1..loss.len() {
        let mut next = vec![vec![f64::INFINITY; most]; laws];
        let mut back = vec![vec![(0, 0); most]; laws];
        for l in 0..laws {
            for r in 0..most {
                let mut best = (cost[l][r], (l, r));
                if r > 0 {
                    for (other, row) in cost.iter().enumerate().filter(|(other, _)| *other != l) {
                        if row[r - 1] + price < best.0 {
                            best = (row[r - 1] + price, (other, r - 1));
                        }
                    }
                }
                next[l][r] = best.0 + at(i, l);
                back[l][r] = best.1;
            }
        }
        cost = next;
        from.push(back);
    }
    let mut state = (0, 0);
    for l in 0..laws {
        for r in 0..most {
            if cost[l][r] < cost[state.0][state.1] {
                state = (l, r);
            }
        }
    }
    let mut taken = vec![state.0];
    for back in from.iter().rev() {
        state = back[state.0][state.1];
        taken.push(state.0);
    }
    taken.reverse();
    taken
}

fn ranges(laws: &[TimeLaw], sizes: &[f64], taken: &[usize]) -> Vec<Range> {
    let mut list: Vec<Range> = vec![];
    let mut start = 0;
    for i in 1..=taken.len() {
        if i < taken.len() && taken[i] == taken[start] {
            continue;
        }
        let at = sizes[start + (i - 1 - start) / 2];
        let mut predicted: Vec<(String, f64)> =
            laws.iter().filter_map(|l| Some((l.mechanism.clone(), l.ns(at)?))).collect();
        predicted.sort_by(|a, b| a.1.total_cmp(&b.1));
        let below = (i < taken.len()).then(|| crossing(&laws[taken[start]], &laws[taken[i]], sizes[i - 1], sizes[i]));
        list.push(Range {
            mechanism: laws[taken[start]].mechanism.clone(),
            from: list.last().and_then(|r| r.below).unwrap_or(0),
            below,
            at: at as u64,
            predicted_ns: predicted,
        });
        start = i;
    }
    list
}

/// The size between two sizes from which the second law is faster; the upper one if it cannot be determined.
fn crossing(first: &TimeLaw, second: &TimeLaw, low: f64, high: f64) -> u64 {
    let gap = |n: f64| Some(first.ns(n)? - second.ns(n)?);
    let (Some(a), Some(b)) = (gap(low), gap(high)) else {
        // The end of the first law, if that is the reason for the change.
        let end = first.ends().1;
        return if end < high { end as u64 + 1 } else { high as u64 };
    };
    if a >= 0.0 || b <= 0.0 {
        return high as u64;
    }
    (low + (high - low) * (-a / (b - a))).ceil() as u64
}

/// `loop < 4096, prefetch`: the text of the tuning table.
pub fn line(ranges: &[Range]) -> String {
    let parts: Vec<String> = ranges
        .iter()
        .map(|r| match r.below {
            Some(below) => format!("{} < {below}", r.mechanism),
            None => r.mechanism.clone(),
        })
        .collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(name: &str, f: impl Fn(f64) -> f64) -> TimeLaw {
        TimeLaw::new(name, (4..25).map(|k| 2f64.powi(k)).map(|n| (n, f(n))).collect()).unwrap()
    }

    #[test]
    fn the_crossing_of_two_affine_laws_is_found() {
        // 100 + n/8 = 700 + n/16 at 9600.
        let c =
            choose(&[law("short", |n| 100.0 + n / 8.0), law("long", |n| 700.0 + n / 16.0)], Rules::default()).unwrap();
        assert_eq!(c.ranges.len(), 2);
        let at = c.ranges[0].below.unwrap();
        assert!((8800..=10500).contains(&at), "{at}");
        assert_eq!((c.ranges[0].mechanism.as_str(), c.ranges[1].mechanism.as_str()), ("short", "long"));
        assert!(c.regret < 1.005 && c.worst < 1.05 && c.regret_without > 1.2, "{c:?}");
        assert_eq!(line(&c.ranges), format!("short < {at}, long"));
    }

    #[test]
    fn a_cliff_makes_a_range_of_its_own() {
        let cached = |n: f64| if n < 1e6 { n * 0.02 } else { n * 0.1 };
        let c = choose(&[law("cached", cached), law("stream", |n| n * 0.05)], Rules::default()).unwrap();
        assert_eq!(c.ranges.len(), 2, "{c:?}");
        assert!((500_000..1_100_000).contains(&c.ranges[0].below.unwrap()));
        assert_eq!(c.ranges[1].predicted_ns[0].0, "stream");
    }

    #[test]
    fn noise_changes_nothing() {
        let noisy = |seed: u64| {
            move |n: f64| 50.0 + n / 10.0 * (1.0 + 0.02 * fastrand::Rng::with_seed(seed ^ n.to_bits()).f64())
        };
        let c = choose(&[law("usual", noisy(7919)), law("other", noisy(104_729))], Rules::default()).unwrap();
        assert_eq!(line(&c.ranges), "usual", "{c:?}");
    }

    #[test]
    fn of_two_that_are_near_that_serves_which_loses_less() {
        // Equal at 4096; below it the second loses much, beyond it the first a little.
        let first = law("first", |n| 100.0 + n / 10.0);
        let second = law("second", |n| if n < 4096.0 { 1200.0 } else { 1200.0 + (n - 4096.0) / 12.0 } - 690.4);
        let c = choose(&[first, second], Rules::default()).unwrap();
        assert_eq!(c.ranges.len(), 2, "{c:?}");
        assert!(c.ranges[0].below.unwrap() > 4500, "{c:?}");
    }

    #[test]
    fn neighbours_outvote_what_is_hardly_so_and_not_what_is_clear() {
        let (usual, better) = (|n: f64| n, |n: f64| n * 0.8);
        let here = [law("usual", |n| n), law("other", |n| n * 0.97)];
        let there = [law("usual", better), law("other", usual)];
        let neighbour = |weight| [Neighbour { laws: &there, weight }];
        let taken =
            |laws: &[TimeLaw], weight| line(&choose_among(laws, &neighbour(weight), Rules::default()).unwrap().ranges);
        assert_eq!((taken(&here, 0.0), taken(&here, 0.5)), ("other".into(), "usual".into()));
        let clear = [law("usual", |n| n * 1.4), law("other", |n| n)];
        assert_eq!(taken(&clear, 0.5), "other");
    }

    #[test]
    fn a_gain_over_a_wide_range_counts_though_it_is_small() {
        let c = choose(&[law("usual", |n| n), law("better", |n| n * 0.95)], Rules::default()).unwrap();
        assert_eq!(line(&c.ranges), "better");
    }

    #[test]
    fn there_are_no_more_ranges_than_allowed() {
        let wave = |phase: f64| move |n: f64| n * (1.5 + (n.log2() * 0.9 + phase).sin());
        for most in 1..5 {
            let rules = Rules { most_ranges: most, ..Rules::default() };
            let c = choose(&[law("a", wave(0.0)), law("b", wave(2.0)), law("c", wave(4.0))], rules).unwrap();
            assert_eq!(c.ranges.len(), most, "{c:?}");
            let thresholds: Vec<u64> = c.ranges.iter().filter_map(|r| r.below).collect();
            assert!(thresholds.windows(2).all(|w| w[0] < w[1]));
        }
    }

    #[test]
    fn a_mechanism_serves_only_where_it_was_measured() {
        let small = TimeLaw::new("in-place", vec![(8.0, 1.0), (32.0, 1.0)]).unwrap();
        let c = choose(&[law("library", |n| 5.0 + n / 50.0), small], Rules::default()).unwrap();
        let text = line(&c.ranges);
        // Below 16 bytes only in-place is known, up to 32 it is faster.
        assert_eq!(text, "in-place < 33, library");
    }

    #[test]
    fn laws_say_nothing_outside_of_their_points() {
        let l = TimeLaw::new("x", vec![(10.0, 20.0), (30.0, 40.0), (f64::NAN, 1.0)]).unwrap();
        assert_eq!(
            (l.ns(9.0), l.ns(10.0), l.ns(20.0), l.ns(30.0), l.ns(31.0)),
            (None, Some(20.0), Some(30.0), Some(40.0), None)
        );
        assert_eq!(TimeLaw::new("x", vec![(0.0, 1.0)]), None);
        assert_eq!(choose(&[], Rules::default()), None);
    }
}
