//! Order statistics for all code that reads or writes profiles.

/// The value below which the share `q` of the sorted values lies, interpolated between two values. NaN if there are
/// none.
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    if sorted.is_empty() {
        return f64::NAN;
    }
    let at = q.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (i, share) = (at.floor() as usize, at.fract());
    let next = sorted[(i + 1).min(sorted.len() - 1)];
    sorted[i] + (next - sorted[i]) * share
}

/// The median of values in any order. NaN if there are none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    quantile(&sorted(values), 0.5)
}

/// The values in increasing order.
pub fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values() {
        assert_eq!([0.0, 0.5, 0.75, 1.0].map(|q| quantile(&[1.0, 2.0, 4.0, 8.0, 16.0], q)), [1.0, 4.0, 8.0, 16.0]);
        assert_eq!((quantile(&[1.0, 2.0], 0.25), median([3.0, 1.0, 2.0])), (1.25, 2.0));
        assert!(median([]).is_nan());
    }
}
