//! The usable part of a cache: the largest array of which nearly all loads hit, read where the time leaves that of a
//! hit.
//!
//! The curve is taken as it is. No law of the transition is assumed, because the effect of a neighbour follows none.

/// The size at which the share of misses exceeds `misses`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usable {
    pub bytes: f64,
    /// The size if the time of a hit is off by as much as samples deviate.
    pub low: f64,
    pub high: f64,
}

/// From (bytes, ns) by rising bytes, the times of a hit and of the next level, the allowed share of misses, and the
/// deviation of times, as a share. None if the time never leaves that of a hit, or is never that of a hit.
pub fn usable(points: &[(f64, f64)], hit_ns: f64, next_ns: f64, misses: f64, off: f64) -> Option<Usable> {
    let limit = hit_ns + misses * (next_ns - hit_ns);
    let at = |limit: f64| passes(points, limit);
    let bytes = at(limit)?;
    // A limit below the time of a hit would be meaningless.
    let low = at((limit - off * hit_ns).max(hit_ns * 1.005)).unwrap_or(points.first()?.0);
    let high = at(limit + off * hit_ns).unwrap_or(bytes);
    Some(Usable { bytes, low: low.min(bytes), high: high.max(bytes) })
}

/// The size at which the times exceed the limit for good. Disturbed points are isolated.
fn passes(points: &[(f64, f64)], limit: f64) -> Option<f64> {
    let above = |i: usize| points.get(i).is_none_or(|p| p.1 > limit);
    let i = (0..points.len()).find(|&i| above(i) && above(i + 1) && above(i + 2))?;
    let (a, b) = (points.get(i.checked_sub(1)?)?, points[i]);
    // The point before may have been disturbed, too: then it was above.
    let share = ((limit - a.1) / (b.1 - a.1)).clamp(0.0, 1.0);
    Some(a.0 * (b.0 / a.0).powf(if share.is_finite() { share } else { 0.5 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_array_that_still_hits() {
        let points: Vec<(f64, f64)> = (0..20)
            .map(|i| 1024.0 * 2f64.powf(f64::from(i) / 4.0))
            .map(|x| (x, 1.0 + 9.0 * (1.0 - 8192.0 / x).max(0.0)))
            .collect();
        let found = usable(&points, 1.0, 10.0, 0.05, 0.02).unwrap();
        assert!((found.bytes / (8192.0 / 0.95) - 1.0).abs() < 0.05, "{found:?}");
        assert!(found.low <= found.bytes && found.bytes <= found.high && found.high < 10_000.0, "{found:?}");
    }

    #[test]
    fn a_disturbed_point_does_not_count() {
        let mut points: Vec<(f64, f64)> =
            (1..=12).map(|i| (f64::from(i) * 1024.0, if i <= 8 { 1.0 } else { 5.0 })).collect();
        points[3].1 = 9.0;
        let found = usable(&points, 1.0, 5.0, 0.05, 0.02).unwrap();
        assert!(found.bytes > 8000.0 && found.bytes < 9300.0, "{found:?}");
    }

    #[test]
    fn what_never_overflows_has_no_end() {
        let flat: Vec<(f64, f64)> = (1..=12).map(|i| (f64::from(i) * 1024.0, 1.0)).collect();
        assert_eq!(usable(&flat, 1.0, 5.0, 0.05, 0.02), None);
    }
}
