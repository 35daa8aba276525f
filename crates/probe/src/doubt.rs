//! The effect of disturbance on confidence: values of a disturbed area are less certain.
//!
//! An interval shows how far the samples of one point lie apart. Disturbance of all samples, or of an area as a whole,
//! does not show there; it shows in the number of outliers, and in the computer's report on other processes.

use fathom_profile::names::area_of;
use fathom_profile::Value;

/// A share of outliers up to this leaves full confidence: interrupts of a quiet computer cause a few hundredths.
const USUAL_OUTLIERS: f64 = 0.1;
/// Disturbance does not lower the factor below this.
const LEAST: f64 = 0.5;

/// The factor for this number of outliers among the samples.
pub fn of_outliers(samples: usize, outliers: usize) -> f64 {
    left(outliers as f64 / samples.max(1) as f64 - USUAL_OUTLIERS)
}

/// The factor for the share of the processors' time that other processes took.
pub fn of_time_taken(share: f64) -> f64 {
    left(share)
}

fn left(lost: f64) -> f64 {
    (1.0 - lost.max(0.0)).max(LEAST)
}

/// Multiplies the confidence of an area's values by this factor.
pub fn lower(values: &mut [Value], area: &str, left: f64) {
    for value in values.iter_mut().filter(|v| left < 1.0 && area_of(&v.name) == Some(area)) {
        value.confidence *= left;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_falls_with_disturbance() {
        let factors = [0, 5, 10, 20, 40, 100].map(|outliers| of_outliers(100, outliers));
        assert_eq!(factors[..3], [1.0; 3]);
        assert!(factors[2..].windows(2).all(|f| f[1] < f[0] || f[0] == LEAST), "{factors:?}");
        assert_eq!([of_time_taken(0.0), of_time_taken(0.2), of_time_taken(0.9)], [1.0, 0.8, LEAST]);
    }

    #[test]
    fn an_area_s_values_are_lowered_and_no_others() {
        let value = |name: &str| Value::known(name, 1.0, "ns", 1.0, "");
        let mut values = [value("memory.random.ns"), value("sharing.unit.bytes")];
        lower(&mut values, "memory", 0.8);
        assert_eq!(values.map(|v| v.confidence), [0.8, 1.0]);
    }
}
