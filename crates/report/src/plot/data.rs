//! The table beside a plot: the numbers of the picture.

use super::draw::data;
use super::Plot;
use crate::inline::{inline, note_line};
use maud::{html, Markup};
use std::collections::BTreeMap;

/// The greatest number of rows of a useful table.
const MOST_ROWS: usize = 1000;
/// The greatest number of cells: with more the page would become too large.
const MOST_CELLS: usize = 12_000;

/// A table that the reader can open. Empty if there are no points.
pub fn table(plot: &Plot) -> Markup {
    if let Some(sentence) = &plot.light {
        return note_line(sentence);
    }
    // Total order of floating-point numbers as bits, so that equal x come together.
    let key = |x: f64| {
        let bits = x.to_bits() as i64;
        bits ^ ((bits >> 63) as u64 >> 1) as i64
    };
    let mut rows: BTreeMap<i64, (f64, Vec<Vec<String>>)> = BTreeMap::new();
    let count: usize = plot.series.iter().map(|s| s.points.len()).sum();
    for (i, series) in plot.series.iter().enumerate() {
        for p in &series.points {
            let row = rows.entry(key(p.x)).or_insert_with(|| (p.x, vec![vec![]; plot.series.len()]));
            row.1[i].push(data(plot, p));
        }
    }
    if count == 0 {
        return Markup::default();
    }
    // A column for each series, unless hardly any x is shared.
    let wide = plot.series.len() > 1 && rows.len() * plot.series.len() <= 3 * count;
    let mut head = vec![plot.x.label().to_string()];
    let mut body: Vec<Vec<String>> = vec![];
    if wide || plot.series.len() == 1 {
        head.extend(plot.series.iter().map(|s| if s.name.is_empty() { plot.y.label().into() } else { s.name.clone() }));
        for (x, cells) in rows.values() {
            body.push(std::iter::once(plot.x.text(*x)).chain(cells.iter().map(|c| c.join("; "))).collect());
        }
    } else {
        head = vec!["series".into(), plot.x.label().into(), plot.y.label().into()];
        for series in &plot.series {
            body.extend(series.points.iter().map(|p| vec![series.name.clone(), plot.x.text(p.x), data(plot, p)]));
        }
    }
    let most = MOST_ROWS.min(MOST_CELLS / head.len()).max(1);
    let (all, left) = (body.len(), body.len().saturating_sub(most));
    body.truncate(most);
    html! {
        details.data {
            summary { "Table: " (count) @if count == 1 { " point" } @else { " points" } }
            div.scroll tabindex="0" role="region" aria-label={ "Table: " (plot.title) } {
                table {
                    thead { tr { @for title in &head { th scope="col" { (inline(title)) } } } }
                    tbody { @for row in &body { tr { @for cell in row { td { (cell) } } } } }
                }
            }
            @if left > 0 { (note_line(&format!("{left} of {all} rows are left out."))) }
        }
    }
}
