//! From curves of sharing to properties: pure functions.

use fathom_profile::statistics::quantile;
use fathom_profile::Reading;

/// The unit of coherence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    pub bytes: f64,
    /// The time of an addition to a counter whose neighbour is in the same unit, divided by that where it is not.
    pub contrast: f64,
    /// The same ratio for the median distance within the unit.
    pub slowdown: f64,
    /// The least distance of all points from the threshold, as a share of the distance to the two levels: 1 is perfect.
    pub clearness: f64,
}

/// A slowdown below this is not significant.
const LEAST_CONTRAST: f64 = 1.5;

/// From the time of additions to a counter by the distance of another thread's counter: the smallest distance from
/// which on the two do not disturb each other. The threshold is the geometric mean of the undisturbed time (the median
/// of the three farthest) and the time of the nearest. None if there is no effect.
pub fn coherence_unit(points: &[Reading]) -> Option<Unit> {
    let n = points.len();
    if n < 5 {
        return None;
    }
    let mut far: Vec<f64> = points[n - 3..].iter().map(|p| p.y).collect();
    far.sort_by(f64::total_cmp);
    let (alone, shared) = (far[1], points[0].y);
    let contrast = shared / alone;
    if !contrast.is_finite() || contrast < LEAST_CONTRAST {
        return None;
    }
    let threshold = (alone * shared).sqrt();
    let last = points.iter().rposition(|p| p.y > threshold)?;
    let unit = points.get(last + 1)?;
    let half = contrast.ln() / 2.0;
    let distance = |p: &Reading| ((p.y / threshold).ln().abs() / half).min(1.0);
    let clearness = points.iter().map(distance).fold(1.0, f64::min);
    // A point on the wrong side before the last one contradicts the rule.
    let is_consistent = points[..last].iter().all(|p| p.y > threshold);
    let mut within: Vec<f64> = points[..=last].iter().map(|p| p.y / alone).collect();
    within.sort_by(f64::total_cmp);
    let slowdown = quantile(&within, 0.5);
    Some(Unit { bytes: unit.x, contrast, slowdown, clearness: if is_consistent { clearness } else { 0.1 } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counters(unit: f64, contrast: f64, noise: &[f64]) -> Vec<Reading> {
        let points = (3..12).map(|e| f64::from(1 << e)).enumerate();
        points
            .map(|(i, x)| {
                let y = 5.0 * if x < unit { contrast } else { 1.0 } * (1.0 + noise[i]);
                Reading { x, y, low: y, high: y, samples: 9, outliers: 0 }
            })
            .collect()
    }

    proptest! {
        /// Contention varies a lot: 40 % more or less.
        #[test]
        fn the_unit_comes_back(e in 4..9u32, contrast in 4.0..40.0f64, noise in prop::collection::vec(0.0..0.4f64, 9)) {
            let unit = f64::from(1 << e);
            let found = coherence_unit(&counters(unit, contrast, &noise)).unwrap();
            prop_assert_eq!(found.bytes, unit);
            prop_assert!(found.clearness > 0.1);
        }
    }

    #[test]
    fn without_contrast_there_is_no_unit() {
        assert_eq!(coherence_unit(&counters(64.0, 1.2, &[0.0; 9])), None);
        assert_eq!(coherence_unit(&counters(64.0, 9.0, &[0.0; 9])[..4]), None);
    }

    #[test]
    fn what_never_comes_to_rest_has_no_unit() {
        assert_eq!(coherence_unit(&counters(1e9, 9.0, &[0.0; 9])), None);
    }

    #[test]
    fn a_contradiction_takes_the_confidence_away() {
        let mut points = counters(256.0, 9.0, &[0.0; 9]);
        points[2].y = 5.0;
        let found = coherence_unit(&points).unwrap();
        assert_eq!((found.bytes, found.clearness), (256.0, 0.1));
    }
}
