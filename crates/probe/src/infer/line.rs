//! The length of a line, from pairs of loads.
//!
//! Blocks are visited in random order; in each, the place D bytes from its beginning is loaded first, then its
//! beginning. Both loads miss, unless they share a line: then the second hits. The array lies in the second level, so
//! that the result is the first level's line. Prefetchers that fetch the neighbour of a line from memory, which makes a
//! line look twice as long, have nothing to fetch there, and bring nothing into the first level.

/// A line's length, and the difference that shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub bytes: f64,
    /// ns of the second load of a pair inside a line, and outside.
    pub inside_ns: f64,
    pub outside_ns: f64,
    pub confidence: f64,
}

/// From (D, mean ns of the two loads), D rising by factors of two, and the time of a load that hits. None if no step
/// is clear.
pub fn line(pairs: &[(f64, f64)], hit_ns: f64) -> Option<Line> {
    let first = |ns: f64| 2.0 * ns - hit_ns; // the first load of a pair that shares a line
    let mut best: Option<(f64, usize)> = None;
    for cut in 1..pairs.len() {
        let (inside, outside) = pairs.split_at(cut);
        let (a, b) = (median(inside), median(outside));
        // Inside: (miss + hit) / 2; outside: miss. Deviations from these are evidence against this cut.
        let off = |part: &[(f64, f64)], y: f64| part.iter().map(|p| ((p.1 - y) / y).abs().min(0.5)).sum::<f64>();
        let sum = off(inside, a) + off(outside, b) + (first(a) / b - 1.0).abs().min(0.5);
        if best.is_none_or(|x| sum < x.0) {
            best = Some((sum, cut));
        }
    }
    let (off, cut) = best?;
    let (a, b) = (median(&pairs[..cut]), median(&pairs[cut..]));
    let clear = b / a - 1.0;
    let mean_off = off / pairs.len() as f64;
    if clear < 0.15 || mean_off > clear / 2.0 {
        return None;
    }
    let confidence = (1.0 - 2.0 * mean_off / clear).clamp(0.05, 1.0);
    Some(Line { bytes: pairs[cut].0, inside_ns: hit_ns, outside_ns: 2.0 * b - first(a), confidence })
}

fn median(part: &[(f64, f64)]) -> f64 {
    let mut ys: Vec<f64> = part.iter().map(|p| p.1).collect();
    ys.sort_by(f64::total_cmp);
    fathom_profile::statistics::quantile(&ys, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_the_line() {
        let at = |line: f64| {
            let pairs: Vec<(f64, f64)> =
                (3..10).map(|k| 2f64.powi(k)).map(|d| (d, if d < line { 3.0 } else { 4.6 } + d % 7.0 * 0.01)).collect();
            super::line(&pairs, 1.4)
        };
        for bytes in [16.0, 32.0, 64.0, 128.0, 256.0] {
            assert_eq!(at(bytes).unwrap().bytes, bytes);
        }
    }

    #[test]
    fn no_step_no_line() {
        let flat: Vec<(f64, f64)> = (3..10).map(|k| (2f64.powi(k), 5.0 + f64::from(k % 3) * 0.05)).collect();
        assert_eq!(line(&flat, 1.4), None);
    }
}
