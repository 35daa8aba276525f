//! The page size of address translation and the number of pages it holds, from walks through lines spread far apart.
//!
//! N lines lie at random places, one in each S bytes. Compared with as many lines on few pages, spread equally randomly
//! over the sets of the caches, the excess is the cost of translation. It begins at a number of lines that is inversely
//! proportional to S as long as several lines share a page. Once each line has its own page the number stays: S is then
//! the page's size, and the number is how many pages the translation holds.

/// Octaves by which the number may fall with each doubling beyond the page: half of the fall while lines share a page.
const MOST_FALL: f64 = 0.5;
/// Octaves by which it may drop once, beyond the page.
const MOST_DROP: f64 = 0.7;

/// The result of the walks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Translation {
    pub page_bytes: f64,
    /// Pages that are translated at no cost.
    pub entries: f64,
    /// The deviation of the numbers from the rule, as a factor (1 is none), and the confidence that it leaves, 0 to 1.
    pub off: f64,
    pub confidence: f64,
}

/// The measurements at one spacing: (lines, ns spread, ns on few pages), by rising lines.
pub type Walk = Vec<(f64, f64, f64)>;

/// For each spacing S: (S, its measurements), S doubling. None if the cost does not begin at two or more spacings on
/// either side of a page's size.
pub fn translation(walks: &[(f64, Walk)]) -> Option<Translation> {
    let onsets: Vec<(f64, f64)> = walks.iter().filter_map(|(s, walk)| Some((*s, onset(walk)?))).collect();
    if onsets.len() < 3 {
        return None;
    }
    // The page is the spacing up to which the number halves with each doubling, and beyond which it stays, or falls by
    // less: far apart, pages are spread over the translation's sets by chance, and some sets overflow early.
    let mut best: Option<(f64, f64)> = None;
    for &(page, at_page) in &onsets {
        let (below, beyond): (Vec<_>, Vec<_>) = onsets.iter().partition(|(s, _)| *s <= page);
        let entries: Vec<f64> = below.iter().map(|(s, n)| (n * s / page).log2()).collect();
        let middle = median(entries.clone());
        // By this much with each doubling, or once.
        let falls = beyond.iter().map(|(s, n)| (at_page / n).log2() / (s / page).log2()).collect();
        let fall = if beyond.is_empty() { 0.0 } else { median(falls).clamp(0.0, MOST_FALL) };
        let drops = beyond.iter().map(|(_, n)| middle - n.log2()).collect();
        let drop = if beyond.is_empty() { 0.0 } else { median(drops).clamp(0.0, MOST_DROP) };
        let sum = |deviations: Vec<f64>| deviations.iter().map(|d| d.abs().min(1.5)).sum::<f64>();
        let falling = sum(beyond.iter().map(|(s, n)| n.log2() + fall * (s / page).log2() - middle).collect());
        let dropped = sum(beyond.iter().map(|(_, n)| n.log2() + drop - middle).collect());
        let off = (sum(entries.iter().map(|e| e - middle).collect()) + falling.min(dropped)) / onsets.len() as f64;
        if best.is_none_or(|b| off < b.1) {
            best = Some((page, off));
        }
    }
    let (page_bytes, off) = best?;
    let at_page = onsets.iter().find(|(s, _)| *s == page_bytes)?.1;
    let (below, above) =
        (onsets.iter().filter(|o| o.0 < page_bytes).count(), onsets.iter().filter(|o| o.0 > page_bytes).count());
    if below == 0 || above == 0 || off > 0.35 {
        return None;
    }
    Some(Translation { page_bytes, entries: at_page, off: off.exp2(), confidence: (1.0 - 2.0 * off).clamp(0.1, 1.0) })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    fathom_profile::statistics::quantile(&values, 0.5)
}

/// The number of lines from which translation has a cost: between the last point without and the first with.
pub fn onset(walk: &[(f64, f64, f64)]) -> Option<f64> {
    let costs = |w: &(f64, f64, f64)| w.1 > 1.3 * w.2;
    let at = (0..walk.len()).find(|&i| walk[i..(i + 3).min(walk.len())].iter().all(costs))?;
    if at == 0 || at + 2 >= walk.len() {
        return None;
    }
    Some((walk[at - 1].0 * walk[at].0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_where_the_number_stops_falling() {
        for (page, entries) in [(4096.0, 64.0), (16384.0, 160.0), (8192.0, 32.0)] {
            let walks: Vec<(f64, Walk)> = (10..=16)
                .map(|k| 2f64.powi(k))
                .map(|s| {
                    let cost = |n: f64| if n * (s / page).min(1.0) > entries { 2.0 } else { 0.0 };
                    (s, (6..44).map(|i| 2f64.powf(f64::from(i) / 4.0)).map(|n| (n, 1.3 + cost(n), 1.3)).collect())
                })
                .collect();
            let found = translation(&walks).unwrap();
            assert_eq!(found.page_bytes, page);
            assert!((found.entries / entries - 1.0).abs() < 0.2, "{found:?}");
        }
    }

    #[test]
    fn sets_that_overflow_early_are_no_larger_page() {
        // Beyond the page, chance fills some sets first: the number falls further, more and more slowly.
        for stays in [[256.0, 128.0, 64.0, 46.0, 40.0, 34.0], [256.0, 128.0, 64.0, 40.0, 40.0, 40.0]] {
            let walks: Vec<(f64, Walk)> = (0..6)
                .map(|k| {
                    let cost = |n: f64| if n > stays[k] { 5.0 } else { 0.0 };
                    let walk =
                        (20..46).map(|i| 2f64.powf(f64::from(i) / 5.0)).map(|n| (n, 1.3 + cost(n), 1.3)).collect();
                    (1024.0 * 2f64.powi(k as i32), walk)
                })
                .collect();
            let found = translation(&walks).unwrap();
            assert_eq!(found.page_bytes, 4096.0);
            assert!((found.entries / 64.0 - 1.0).abs() < 0.1, "{found:?}");
        }
    }
}
