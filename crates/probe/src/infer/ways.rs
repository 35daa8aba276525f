//! Associativity, from walks through few lines that compete for one set.
//!
//! Lines a multiple of the way's size apart share a set. As many lines as ways stay; with one more, at least one line
//! of each lap misses, and all of them if the oldest is replaced. The necessary distance is unknown at first: the
//! spacing is doubled, and the number that stays halves each time until it is the number of ways, and then remains.

/// The result of the walks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ways {
    pub ways: u32,
    /// The least spacing at which only the ways are left: a multiple of the way's size, unless it is the first spacing
    /// tried.
    pub spacing: f64,
    /// The share of loads that miss with one line more than there are ways: 1 where the oldest is replaced.
    pub missed_by_one_more: f64,
    pub confidence: f64,
}

/// For each spacing: (spacing, [ns with 1, 2, 3, … lines]), spacings doubling; the time of a hit and of the next level.
/// None if the walks do not agree, or no line ever missed.
pub fn ways(walks: &[(f64, Vec<f64>)], hit_ns: f64, next_ns: f64) -> Option<Ways> {
    let stays: Vec<Option<usize>> = walks.iter().map(|(_, ns)| most_that_stay(ns, hit_ns, next_ns)).collect();
    for i in 0..walks.len().saturating_sub(1) {
        let (Some(here), Some(next)) = (stays[i], stays[i + 1]) else { continue };
        if here != next || here == 0 {
            continue;
        }
        // The number must stay from here on: later spacings that disagree show another effect (translations) only if
        // they give less.
        let agree = stays[i..].iter().filter(|s| **s == Some(here)).count();
        let one_more = *walks[i].1.get(here)?;
        let missed = ((one_more - hit_ns) / (next_ns - hit_ns)).clamp(0.0, 1.0);
        let confidence = (agree as f64 / (walks.len() - i) as f64).clamp(0.1, 1.0);
        return Some(Ways { ways: here as u32, spacing: walks[i].0, missed_by_one_more: missed, confidence });
    }
    None
}

/// The number of lines that stay: the last number before the times leave the time of a hit for good.
fn most_that_stay(ns: &[f64], hit_ns: f64, next_ns: f64) -> Option<usize> {
    // One line too many causes at least one miss per lap, so the mean over `n` lines must rise by at least a share of
    // 1/n.
    let over = |i: usize| ns[i] > hit_ns + 0.5 * (next_ns - hit_ns) / (i + 1) as f64 && ns[i] > 1.04 * hit_ns;
    // Disturbed points are isolated: a rise must persist.
    (0..ns.len())
        .find(|&i| {
            (i..(i + 4).min(ns.len())).filter(|&k| over(k)).count() * 4 > 3 * (i + 4).min(ns.len()).saturating_sub(i)
        })
        .filter(|&i| i + 2 < ns.len())
}

/// The most frequent result of several independent searches, and the share of searches that gave it. None if there are
/// fewer than three searches, or if no result comes from more than half of them.
pub fn agreed(found: &[f64]) -> Option<(f64, f64)> {
    let count = |value: f64| found.iter().filter(|f| **f == value).count();
    let most = found.iter().copied().max_by_key(|f| count(*f))?;
    let share = count(most) as f64 / found.len() as f64;
    (found.len() >= 3 && share > 0.5 && most > 0.0).then_some((most, share))
}

/// The number of sets that lines a stride apart can fall into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Classes {
    pub number: f64,
    /// Three deviations of the binomial distribution to either side.
    pub low: f64,
    pub high: f64,
}

/// From the number of fresh lines that fell into given sets. None if they are too few.
pub fn classes(fresh: f64, congruent: f64) -> Option<Classes> {
    if congruent < 8.0 || fresh < congruent {
        return None;
    }
    let deviation = (congruent * (1.0 - congruent / fresh)).sqrt();
    let number = fresh / congruent;
    let high = fresh / (congruent - 3.0 * deviation).max(1.0);
    Some(Classes { number, low: fresh / (congruent + 3.0 * deviation), high })
}

impl Classes {
    /// Multiplies the numbers of two selections of sets that hardware makes independently.
    #[must_use]
    pub fn times(self, other: Classes) -> Classes {
        let number = self.number * other.number;
        let part = |own: f64, others: f64| ((own - 1.0).powi(2) + (others - 1.0).powi(2)).sqrt();
        let above = part(self.high / self.number, other.high / other.number);
        let below = part(self.number / self.low, other.number / other.low);
        Classes { number, low: number / (1.0 + below), high: number * (1.0 + above) }
    }

    /// The possible powers of two: mostly bits of an address select a set.
    pub fn powers_of_two(self) -> Vec<f64> {
        let (first, last) = (self.low.log2().ceil() as i32, self.high.log2().floor() as i32);
        (first..=last).map(|k| 2f64.powi(k)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_age(ways: usize, most: usize) -> Vec<f64> {
        (1..=most).map(|k| if k <= ways { 1.3 } else { 4.2 }).collect()
    }

    #[test]
    fn the_number_that_no_longer_shrinks() {
        let walks = vec![(4096.0, by_age(12, 40)), (8192.0, by_age(12, 40)), (16384.0, by_age(12, 40))];
        let found = ways(&walks, 1.3, 4.2).unwrap();
        assert_eq!((found.ways, found.spacing), (12, 4096.0));
        assert!(found.missed_by_one_more > 0.99);
        // A way of 16 KiB: 4 KiB apart, four times as many lines stay.
        let walks =
            vec![(4096.0, by_age(8, 40)), (8192.0, by_age(4, 40)), (16384.0, by_age(2, 40)), (32768.0, by_age(2, 40))];
        assert_eq!(ways(&walks, 1.3, 4.2).unwrap().ways, 2);
    }

    #[test]
    fn a_disturbed_walk_does_not_count() {
        let mut one = by_age(8, 40);
        one[3] = 9.0;
        assert_eq!(ways(&[(4096.0, one), (8192.0, by_age(8, 40))], 1.3, 4.2).unwrap().ways, 8);
    }

    #[test]
    fn what_never_misses_has_no_ways() {
        let flat = vec![1.3; 40];
        assert_eq!(ways(&[(4096.0, flat.clone()), (8192.0, flat)], 1.3, 4.2), None);
    }

    #[test]
    fn what_shares_a_set_says_how_many_there_are() {
        let found = classes(4016.0, 113.0).unwrap();
        assert!(found.low < 32.0 && found.high > 40.0, "{found:?}");
        assert_eq!(found.powers_of_two(), [32.0]);
        assert_eq!(classes(200.0, 200.0).unwrap().powers_of_two(), [1.0]);
        assert_eq!(classes(100.0, 9.0).unwrap().powers_of_two(), [8.0, 16.0, 32.0, 64.0]);
        assert_eq!(classes(100.0, 3.0), None);
        let both = found.times(Classes { number: 8.0, low: 7.0, high: 9.0 });
        assert!(both.low < 256.0 && both.high > 256.0 && both.low > 8.0 * found.low * 0.8, "{both:?}");
    }
}
