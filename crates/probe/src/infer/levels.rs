//! The levels of a hierarchy, from the mean time of an access as a function of the size of the array walked through.
//!
//! The time is t(W) = t_1 + sum of (t_{i+1} - t_i) m_i(W), where m_i is the share of accesses that miss in level i: a
//! law of W, the level's capacity, and its kind of transition. Capacities, kinds and times are fitted by least squares
//! of relative deviations; levels are added as long as the fit requires one more. A level shows only if the time rises
//! by at least an eighth. No value is read at a threshold, so that wide transitions, such as those of shared and of
//! partitioned caches, give the capacity too.

use super::law::{Law, LAWS};

/// A cache as a curve shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    pub bytes: f64,
    /// The interval of the capacity with about 95 % confidence, if the law is right.
    pub low: f64,
    pub high: f64,
    pub law: Law,
    /// The time of a hit.
    pub hit_ns: f64,
    /// The time of an access to the next level.
    pub next_ns: f64,
    /// From 0 to 1: how much of the rise exceeds the residual.
    pub confidence: f64,
}

/// The fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    pub caches: Vec<Level>,
    /// The time where every cache misses, or the only time.
    pub last_ns: f64,
    /// Standard deviation of the relative deviations.
    pub residual: f64,
    /// Points above those of larger arrays, which no array of that size would show. They are left out.
    pub odd: Vec<f64>,
    first_ns: f64,
}

/// The greatest number of levels.
const MOST: usize = 5;
/// The least rise that counts as a level, as a share of the time before.
const LEAST_RISE: f64 = 0.125;
/// The error of the laws themselves: smaller relative deviations are not evidence for one more level.
const OFF: f64 = 0.015;
/// A point that is higher than a later one by this factor was disturbed.
const ODD: f64 = 1.06;
/// Capacities to try per octave, and then around the best.
const STEPS: usize = 8;
const FINE_STEPS: usize = 64;

/// A level during the search.
#[derive(Clone, Copy, PartialEq)]
struct Guess {
    bytes: f64,
    law: Law,
}

/// The points without disturbed ones.
struct Points {
    at: Vec<(f64, f64)>,
}

/// Finds the levels in (bytes, ns) by rising bytes. None if there are fewer than eight points, or a time is not positive.
pub fn levels(points: &[(f64, f64)]) -> Option<Levels> {
    if points.len() < 8 || points.iter().any(|p| !(p.1 > 0.0 && p.0 > 0.0)) {
        return None;
    }
    let (at, odd) = without_odd(points);
    let points = Points { at };
    let (first, last) = (points.at.first()?.0, points.at.last()?.0);
    let octaves = (last / first).log2();
    let grid: Vec<f64> =
        (1..(octaves * STEPS as f64) as usize).map(|i| first * 2f64.powf(i as f64 / STEPS as f64)).collect();

    let mut guesses: Vec<Guess> = vec![];
    let mut fit = points.solve(&guesses);
    while guesses.len() < MOST {
        let Some((more, better)) = points.one_more(&guesses, &grid) else { break };
        let (more, better) = points.refine(more, better);
        let n = points.at.len() as f64;
        let gain = n * ((fit.sum / n + OFF * OFF) / (better.sum / n + OFF * OFF)).ln();
        // Two times, the capacity and the kind of the transition: about 1.5 times what Bayes' criterion requires.
        if gain < 4.5 * n.ln() || !apart(&more, &better) {
            break;
        }
        (guesses, fit) = (more, better);
    }
    Some(points.report(&guesses, &fit, odd))
}

/// Leaves out points that lie above larger arrays' points: a larger array is never faster, so they were disturbed.
fn without_odd(points: &[(f64, f64)]) -> (Vec<(f64, f64)>, Vec<f64>) {
    let odd = |i: usize| {
        let later = &points[i + 1..(i + 4).min(points.len())];
        // The last points have fewer later points to contradict them, so all of those must do so.
        later.iter().filter(|p| p.1 * ODD < points[i].1).count() * 2 > later.len()
    };
    let (out, kept): (Vec<usize>, Vec<usize>) = (0..points.len()).partition(|&i| odd(i));
    (kept.iter().map(|&i| points[i]).collect(), out.iter().map(|&i| points[i].0).collect())
}

/// Whether each level is a rise that counts, and twice the one before.
fn apart(guesses: &[Guess], fit: &Solved) -> bool {
    let mut before = fit.steps[0];
    for (i, step) in fit.steps[1..].iter().enumerate() {
        if *step < LEAST_RISE * before || (i > 0 && guesses[i].bytes < 1.9 * guesses[i - 1].bytes) {
            return false;
        }
        before += step;
    }
    true
}

/// The times for a set of guesses: the first time, and what each level adds; the sum of squared relative deviations.
#[derive(Clone)]
struct Solved {
    steps: Vec<f64>,
    sum: f64,
}

impl Points {
    /// Least squares, no step below 0.
    fn solve(&self, guesses: &[Guess]) -> Solved {
        let columns: Vec<Vec<f64>> = guesses.iter().map(|g| self.column(g)).collect();
        let refs: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        self.solve_columns(&refs)
    }

    fn column(&self, guess: &Guess) -> Vec<f64> {
        self.at.iter().map(|p| guess.law.misses(p.0 / guess.bytes)).collect()
    }

    fn solve_columns(&self, columns: &[&[f64]]) -> Solved {
        let k = columns.len() + 1;
        let value = |j: usize, i: usize| if j == 0 { 1.0 } else { columns[j - 1][i] };
        let mut a = vec![vec![0.0; k]; k];
        let mut b = vec![0.0; k];
        for (i, p) in self.at.iter().enumerate() {
            let w = 1.0 / (p.1 * p.1);
            for r in 0..k {
                let vr = value(r, i) * w;
                if vr == 0.0 {
                    continue;
                }
                b[r] += vr * p.1;
                for (c, cell) in a[r].iter_mut().enumerate().take(r + 1) {
                    *cell += vr * value(c, i);
                }
            }
        }
        for r in 0..k {
            let lower: Vec<f64> = (r + 1..k).map(|c| a[c][r]).collect();
            a[r][r + 1..].copy_from_slice(&lower);
        }
        let steps = not_negative(&a, &b);
        let sum = self
            .at
            .iter()
            .enumerate()
            .map(|(i, p)| {
                let y: f64 = (0..k).map(|j| steps[j] * value(j, i)).sum();
                // A deviation counts by its square up to a fifth, and beyond only linearly: it may be disturbance.
                let d = ((y - p.1) / p.1).abs();
                if d <= 0.2 {
                    d * d
                } else {
                    0.2 * (2.0 * d - 0.2)
                }
            })
            .sum();
        Solved { steps, sum }
    }

    /// The sum, including the laws' handicaps: the criterion between fits with the same number of levels.
    fn score(&self, guesses: &[Guess], fit: &Solved) -> f64 {
        let off = self.at.len() as f64 * OFF * OFF / 4.0;
        guesses.iter().fold(fit.sum + off, |sum, g| sum * g.law.handicap())
    }

    /// The best place and kind for one more level.
    fn one_more(&self, guesses: &[Guess], grid: &[f64]) -> Option<(Vec<Guess>, Solved)> {
        let mut best: Option<(Vec<Guess>, Solved)> = None;
        let columns: Vec<Vec<f64>> = guesses.iter().map(|g| self.column(g)).collect();
        for &bytes in grid {
            if guesses.iter().any(|g| (g.bytes / bytes).log2().abs() < 0.8) {
                continue;
            }
            for law in LAWS {
                let guess = Guess { bytes, law };
                let mine = self.column(&guess);
                let place = guesses.iter().filter(|g| g.bytes < bytes).count();
                let mut refs: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
                refs.insert(place, &mine);
                let fit = self.solve_columns(&refs);
                let mut more = guesses.to_vec();
                more.insert(place, guess);
                if best.as_ref().is_none_or(|b| self.score(&more, &fit) < self.score(&b.0, &b.1)) {
                    best = Some((more, fit));
                }
            }
        }
        best
    }

    /// Moves each level in turn until the fit no longer improves.
    fn refine(&self, mut guesses: Vec<Guess>, mut fit: Solved) -> (Vec<Guess>, Solved) {
        for _ in 0..3 {
            let before = fit.sum;
            for i in 0..guesses.len() {
                let centre = guesses[i].bytes;
                // Large steps too: another kind of transition has its best capacity elsewhere.
                let far = (-14..=14).map(|s| 4 * s);
                let steps: Vec<i32> = far.chain(-3..=3).collect();
                let mut columns: Vec<Vec<f64>> = guesses.iter().map(|g| self.column(g)).collect();
                for law in LAWS {
                    for &step in &steps {
                        let bytes = centre * 2f64.powf(f64::from(step) / FINE_STEPS as f64);
                        let mut moved = guesses.clone();
                        moved[i] = Guess { bytes, law };
                        if moved.windows(2).any(|g| g[0].bytes >= g[1].bytes) {
                            continue;
                        }
                        columns[i] = self.column(&moved[i]);
                        let refs: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
                        let tried = self.solve_columns(&refs);
                        if self.score(&moved, &tried) < self.score(&guesses, &fit) {
                            (guesses, fit) = (moved, tried);
                        }
                    }
                }
            }
            if fit.sum > 0.99 * before {
                break;
            }
        }
        (guesses, fit)
    }

    /// The capacities of a level at which the fit is not clearly worse.
    fn interval(&self, guesses: &[Guess], fit: &Solved, i: usize) -> (f64, f64) {
        let n = self.at.len() as f64;
        let free = (n - 3.0 * guesses.len() as f64 - 1.0).max(1.0);
        // Deviations no larger than the laws' own error are not evidence against a capacity.
        let limit = (fit.sum + n * OFF * OFF / 4.0) * (1.0 + 4.0 / free);
        let holds = |bytes: f64| {
            LAWS.iter().any(|&law| {
                let mut moved = guesses.to_vec();
                moved[i] = Guess { bytes, law };
                self.solve(&moved).sum <= limit
            })
        };
        let reach = |sign: f64| {
            let mut last = guesses[i].bytes;
            for step in (1..=FINE_STEPS / 2).step_by(2) {
                let bytes = guesses[i].bytes * 2f64.powf(sign * step as f64 / FINE_STEPS as f64);
                if !holds(bytes) {
                    break;
                }
                last = bytes;
            }
            last
        };
        // At least as wide as the distance of the points on either side requires.
        let (grain, bytes) = (self.grain(guesses[i].bytes), guesses[i].bytes);
        (reach(-1.0).min(bytes / grain), reach(1.0).max(bytes * grain))
    }

    /// A quarter of the way between the points on either side, as a factor.
    fn grain(&self, bytes: f64) -> f64 {
        let before = self.at.iter().map(|p| p.0).filter(|x| *x <= bytes).fold(f64::NAN, f64::max);
        let after = self.at.iter().map(|p| p.0).filter(|x| *x > bytes).fold(f64::NAN, f64::min);
        Some((after / before).powf(0.25)).filter(|g| g.is_finite()).unwrap_or(1.0)
    }

    /// The standard deviation of the relative deviations within two octaves of a capacity.
    fn off_around(&self, guesses: &[Guess], fit: &Solved, bytes: f64) -> f64 {
        let near = self.at.iter().filter(|p| (p.0 / bytes).log2().abs() <= 2.0);
        let off = near.map(|p| {
            let levels = guesses.iter().zip(&fit.steps[1..]);
            let y = levels.fold(fit.steps[0], |t, (g, step)| t + step * g.law.misses(p.0 / g.bytes));
            ((y - p.1) / p.1).min(1.0).powi(2)
        });
        let off: Vec<f64> = off.collect();
        (off.iter().sum::<f64>() / off.len().max(1) as f64).sqrt()
    }

    /// The number of points that show the time of level `i` alone: the levels before it miss, and it hits.
    fn on_plateau(&self, guesses: &[Guess], i: usize) -> usize {
        let misses = |level: usize, bytes: f64| guesses.get(level).map_or(0.0, |g| g.law.misses(bytes / g.bytes));
        let shows = |bytes: f64| (i == 0 || misses(i - 1, bytes) > MOSTLY) && misses(i, bytes) < 1.0 - MOSTLY;
        self.at.iter().filter(|p| shows(p.0)).count()
    }

    fn report(&self, guesses: &[Guess], fit: &Solved, odd: Vec<f64>) -> Levels {
        let residual = (fit.sum / self.at.len() as f64).sqrt();
        let mut time = fit.steps[0];
        let mut caches: Vec<Level> = guesses
            .iter()
            .enumerate()
            .map(|(i, g)| {
                let (hit_ns, next_ns) = (time, time + fit.steps[i + 1]);
                time = next_ns;
                let (low, high) = self.interval(guesses, fit, i);
                let rise = (next_ns - hit_ns) / hit_ns;
                let off = self.off_around(guesses, fit, g.bytes);
                let confidence = (1.0 - 2.0 * residual / rise).clamp(0.0, 1.0) * sharpness(g.bytes, low, high);
                let confidence = confidence.min(what_a_fit_leaves(off)).max(0.05);
                Level { bytes: g.bytes, low, high, law: g.law, hit_ns, next_ns, confidence }
            })
            .collect();
        for i in 0..=guesses.len() {
            let sure = most_by_plateau(self.on_plateau(guesses, i));
            // If no point shows a time, the levels on either side of it are doubtful: they may be one.
            for level in caches.iter_mut().skip(i.saturating_sub(1)).take(2) {
                level.confidence = level.confidence.min(sure);
            }
        }
        for i in 1..caches.len() {
            if caches[i].bytes < CLOSE * caches[i - 1].bytes {
                for level in &mut caches[i - 1..=i] {
                    level.confidence = level.confidence.min(MOST_OF_CLOSE);
                }
            }
        }
        // A miscounted level makes all levels behind it wrong.
        for i in 1..caches.len() {
            caches[i].confidence = caches[i].confidence.min(caches[i - 1].confidence);
        }
        Levels { caches, last_ns: time, residual, odd, first_ns: fit.steps[0] }
    }
}

/// Solves a x = b with x >= 0 by leaving out negative variables, the most negative first. The first is never left out.
fn not_negative(a: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let mut used: Vec<usize> = (0..b.len()).collect();
    loop {
        let x = solve(a, b, &used);
        let worst = (1..used.len()).filter(|&i| x[i] < 0.0).min_by(|&i, &j| x[i].total_cmp(&x[j]));
        match worst {
            Some(i) => {
                used.remove(i);
            }
            None => {
                let mut full = vec![0.0; b.len()];
                for (i, &u) in used.iter().enumerate() {
                    full[u] = x[i];
                }
                return full;
            }
        }
    }
}

/// Gauss elimination of the rows and columns in use; a variable that the others determine is 0.
fn solve(a: &[Vec<f64>], b: &[f64], used: &[usize]) -> Vec<f64> {
    let n = used.len();
    let mut m: Vec<Vec<f64>> = used.iter().map(|&r| used.iter().map(|&c| a[r][c]).chain([b[r]]).collect()).collect();
    for i in 0..n {
        let pivot = (i..n).max_by(|&r, &s| m[r][i].abs().total_cmp(&m[s][i].abs())).unwrap_or(i);
        m.swap(i, pivot);
        if m[i][i].abs() < 1e-14 {
            continue;
        }
        let above = m[i].clone();
        for (_, row) in m.iter_mut().enumerate().filter(|(r, _)| *r != i) {
            let factor = row[i] / above[i];
            for (to, from) in row.iter_mut().zip(&above).skip(i) {
                *to -= factor * from;
            }
        }
    }
    (0..n).map(|i| if m[i][i].abs() < 1e-14 { 0.0 } else { m[i][n] / m[i][i] }).collect()
}

impl Level {
    /// Extends the interval to these capacities; a wider interval lowers the confidence as well.
    pub fn widen(&mut self, low: f64, high: f64) {
        let before = sharpness(self.bytes, self.low, self.high);
        (self.low, self.high) = (self.low.min(low), self.high.max(high));
        self.confidence = (self.confidence * sharpness(self.bytes, self.low, self.high) / before).max(0.05);
    }

    /// The largest array with a share of at least `hits` under the law.
    pub fn usable_bytes(&self, hits: f64) -> f64 {
        let (mut low, mut high) = (0.0, 4.0);
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if self.law.misses(middle) <= 1.0 - hits {
                low = middle;
            } else {
                high = middle;
            }
        }
        low * self.bytes
    }
}

/// Levels closer together than this may be one with a wide transition, which limits their confidence.
const CLOSE: f64 = 4.0;
const MOST_OF_CLOSE: f64 = 0.8;
/// Most loads miss a level if at least this share does.
const MOSTLY: f64 = 0.85;

/// The most confidence of levels by the number of points that show their time alone. Without any, one wide transition
/// may look like two.
fn most_by_plateau(points: usize) -> f64 {
    match points {
        0 => 0.6,
        1 => 0.8,
        _ => 1.0,
    }
}

/// The factor that deviations leave of the confidence. The laws are off by one or two hundredths; with larger
/// deviations another law holds.
fn what_a_fit_leaves(off: f64) -> f64 {
    (1.0 - 2.5 * (off - 0.02).max(0.0)).max(0.05)
}

/// The factor that an interval leaves of the confidence: 1, up to a quarter of the value.
fn sharpness(bytes: f64, low: f64, high: f64) -> f64 {
    (bytes / (high - low)).min(4.0) / 4.0
}

impl Levels {
    /// The capacity of level `i` that fits these points best with all else fixed; None if there are too few points.
    pub fn alone(&self, i: usize, points: &[(f64, f64)]) -> Option<f64> {
        if points.len() < 4 {
            return None;
        }
        let level = &self.caches[i];
        let off = |bytes: f64| {
            let t = |w: f64| {
                self.at(w)
                    + (level.next_ns - level.hit_ns) * (level.law.misses(w / bytes) - level.law.misses(w / level.bytes))
            };
            points.iter().map(|p| (t(p.0) / p.1).ln().abs()).sum::<f64>()
        };
        let all = (-96..=96).map(|step| level.bytes * 2f64.powf(f64::from(step) / 64.0));
        all.min_by(|a, b| off(*a).total_cmp(&off(*b)))
    }

    /// The fitted time of an array of this size.
    pub fn at(&self, bytes: f64) -> f64 {
        self.caches.iter().fold(self.first_ns, |t, l| t + (l.next_ns - l.hit_ns) * l.law.misses(bytes / l.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(first: f64, last: f64, per_octave: f64) -> Vec<f64> {
        let n = ((last / first).log2() * per_octave) as usize;
        (0..=n).map(|i| first * 2f64.powf(i as f64 / per_octave)).collect()
    }

    #[test]
    fn one_time_is_no_cache() {
        let flat: Vec<(f64, f64)> = grid(4096.0, 1e8, 4.0).iter().map(|&b| (b, 100.0 + (b % 7.0) / 10.0)).collect();
        assert!(levels(&flat).unwrap().caches.is_empty());
    }

    #[test]
    fn three_levels_and_their_times_come_back() {
        let law = |b: f64| {
            1.5 + 3.0 * Law::Even { ways: 8.0 }.misses(b / 32768.0)
                + 10.0 * Law::Chance { ways: 8, by_age: 1.0 }.misses(b / 1.25e6)
                + 90.0 * Law::Even { ways: 0.0 }.misses(b / 9e6)
        };
        let mut points: Vec<(f64, f64)> = grid(2048.0, 256e6, 5.0).iter().map(|&b| (b, law(b))).collect();
        points[10].1 *= 3.0; // an interrupt
        let found = levels(&points).unwrap();
        assert_eq!(found.odd, [points[10].0]);
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 0.06, "{a} is not {b}: {found:?}");
        assert_eq!(found.caches.len(), 3, "{found:?}");
        for (level, truth) in found.caches.iter().zip([32768.0, 1.25e6, 9e6]) {
            near(level.bytes, truth);
        }
        near(found.caches[1].hit_ns, 4.5);
        near(found.last_ns, 104.5);
    }
}
