//! The number of stores that a processor keeps waiting, from two misses with stores between them.
//!
//! As long as all stores between fit into the buffer, the two misses overlap. With one store more, the second miss
//! waits until a store leaves, which is after the first miss is done: the time of the pair rises to nearly twice.

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    pub stores: f64,
    pub together_ns: f64,
    pub apart_ns: f64,
    pub confidence: f64,
}

/// From (stores between, ns of the pair), stores rising. None if no step is a third or more.
pub fn depth(points: &[(f64, f64)]) -> Option<Depth> {
    let median = |part: &[(f64, f64)]| {
        let mut ys: Vec<f64> = part.iter().map(|p| p.1).collect();
        ys.sort_by(f64::total_cmp);
        fathom_profile::statistics::quantile(&ys, 0.5)
    };
    // The stores themselves take time too. A line on each side would fit better with more points; these are medians of
    // the points near the cut.
    let around = |i: usize| (median(&points[i - 3..i]), median(&points[i..(i + 3).min(points.len())]));
    let rise = |i: usize| around(i).1 / around(i).0;
    let cuts = 3..points.len().saturating_sub(2);
    let best = cuts.clone().map(rise).max_by(f64::total_cmp)?;
    // Medians are equally good with the cut one point off: among cuts of about equal quality, takes the largest step
    // between points.
    let step = |i: usize| points[i].1 / points[i - 1].1;
    let i = cuts.filter(|&i| rise(i) > 0.95 * best).max_by(|&i, &k| step(i).total_cmp(&step(k)))?;
    let (together_ns, apart_ns) = around(i);
    if best < 1.33 {
        return None;
    }
    Some(Depth {
        stores: (points[i - 1].0 + points[i].0) / 2.0,
        together_ns,
        apart_ns,
        confidence: ((best - 1.0) / 0.6).clamp(0.1, 1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_the_depth() {
        let points: Vec<(f64, f64)> = (0..40)
            .map(|i| f64::from(i) * 4.0)
            .map(|n| (n, if n <= 56.0 { 60.0 + n / 10.0 } else { 110.0 + n / 10.0 }))
            .collect();
        let found = depth(&points).unwrap();
        assert!((found.stores - 58.0).abs() < 2.1, "{found:?}");
        let rising: Vec<(f64, f64)> = (0..40).map(|i| (f64::from(i), 60.0 + f64::from(i))).collect();
        assert_eq!(depth(&rising), None);
    }
}
