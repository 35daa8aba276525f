//! Heat maps: a value for each row and column, such as the bytes from each sender to each receiver.

use crate::inline::{inline, note_line, percent, slug};
use crate::page::{PageContext, Part};
use crate::style::HEAT;
use crate::Unit;
use maud::{html, Markup};

/// The greatest number of cells along a side; larger matrices are shown in blocks.
const MOST: usize = 128;
/// The greatest numbers of columns: for numbers in the cells, for tooltips, and for the table.
const NUMBERS: usize = 10;
const TIPS: usize = 48;

/// A matrix as a picture.
pub struct HeatMap {
    title: String,
    unit: Unit,
    note: String,
    axes: (String, String),
    values: Vec<Vec<f64>>,
    log: bool,
}

impl HeatMap {
    /// `values[row][column]`; rows and columns are counted from 0, and called `axes.0` and `axes.1` (`from thread`, `to
    /// thread`). NaN means that there is no value.
    pub fn new(title: impl Into<String>, axes: (&str, &str), unit: Unit, values: Vec<Vec<f64>>) -> Self {
        let axes = (axes.0.to_string(), axes.1.to_string());
        Self { title: title.into(), unit, note: String::new(), axes, values, log: false }
    }

    /// Colours follow the logarithm.
    #[must_use]
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }

    /// A sentence under the title.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// The matrix in at most `MOST` blocks per side, each the mean of its cells, and the number of cells along the side
    /// of a block.
    fn blocks(&self) -> (Vec<Vec<f64>>, usize) {
        let columns = self.values.iter().map(Vec::len).max().unwrap_or(0);
        let block = self.values.len().max(columns).div_ceil(MOST).max(1);
        let mean = |r: usize, c: usize| {
            let rows = &self.values[r * block..((r + 1) * block).min(self.values.len())];
            let cells = rows.iter().flat_map(|row| row.iter().skip(c * block).take(block)).filter(|v| v.is_finite());
            let (sum, count) = cells.fold((0.0, 0usize), |(s, n), v| (s + v, n + 1));
            if count == 0 {
                f64::NAN
            } else {
                sum / count as f64
            }
        };
        let rows = self.values.len().div_ceil(block);
        ((0..rows).map(|r| (0..columns.div_ceil(block)).map(|c| mean(r, c)).collect()).collect(), block)
    }
}

/// The step of a value between the least value above 0 and the greatest; None if it is 0.
fn step(value: f64, least: f64, most: f64, log: bool) -> Option<usize> {
    if !value.is_finite() || value <= 0.0 {
        return None;
    }
    let share = match (log, least < most) {
        (_, false) => 1.0,
        (true, true) => (value / least).ln() / (most / least).ln(),
        (false, true) => value / most,
    };
    Some(((share * HEAT as f64).ceil() as usize).clamp(1, HEAT) - 1)
}

impl Part for HeatMap {
    fn html(&self, place: &mut PageContext) -> Markup {
        let id = place.anchor(&slug(&self.title));
        let caption = format!("{id}-caption");
        let (cells, block) = self.blocks();
        let most = cells.iter().flatten().copied().filter(|v| v.is_finite()).fold(0.0, f64::max);
        let mut note = self.note.clone();
        if block > 1 {
            note += &format!(" A cell is the mean of {block} times {block}.");
        }
        html! {
            figure.map id=(id) {
                figcaption id=(caption) { (inline(&self.title)) }
                @if most > 0.0 {
                    (note_line(note.trim()))
                    (self.picture(&id, &caption, &cells, block))
                    (self.table())
                } @else {
                    p.none { "There is nothing to show." }
                }
            }
        }
    }
}

impl HeatMap {
    /// The blocks, of which at least one is above 0.
    fn picture(&self, id: &str, caption: &str, cells: &[Vec<f64>], block: usize) -> Markup {
        let (rows, columns) = (cells.len(), cells[0].len());
        let positive = || cells.iter().flatten().copied().filter(|v| v.is_finite() && *v > 0.0);
        let (least, most) = (positive().fold(f64::INFINITY, f64::min), positive().fold(0.0, f64::max));
        let low = if self.log { least } else { 0.0 };
        let all = || (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
        let steps: Vec<_> =
            all().filter_map(|(r, c)| Some((r, c, step(cells[r][c], least, most, self.log)?))).collect();
        let mut paths = vec![String::new(); HEAT];
        for (r, c, step) in &steps {
            paths[*step] += &square(*r, *c);
        }
        let desc = format!("{id}-desc");
        let view_box = format!("0 0 {columns} {rows}");
        html! {
            div.ramp {
                span { (self.unit.text(low)) }
                svg width=(HEAT * 14) height="12" aria-hidden="true" {
                    @for i in 0..HEAT { rect class={ "h" (i) } x=(i * 14) width="14" height="12" {} }
                }
                span { (self.unit.text(most)) @if self.log { ", logarithmic" } }
            }
            div.y-title { "rows: " (inline(&self.axes.0)) ", columns: " (inline(&self.axes.1)) }
            svg.picture role="img" aria-labelledby=(caption) aria-describedby=(desc)
                style={ "aspect-ratio:" (columns) "/" (rows) } {
                desc id=(desc) {
                    "A matrix of " (self.values.len()) " rows (" (self.axes.0) ") and " (columns * block) " columns ("
                    (self.axes.1) "), up to " (self.unit.text(most)) "."
                }
                rect.lane width="100%" height="100%" fill="var(--card)" {}
                (labels(rows, columns, block))
                svg.cells width="100%" height="100%" viewBox=(view_box) preserveAspectRatio="none" {
                    @for (i, d) in paths.iter().enumerate() {
                        @if !d.is_empty() { path class={ "h" (i) } d=(d) {} }
                    }
                    @if rows.max(columns) <= TIPS {
                        @for (r, c) in all() {
                            @let value = self.unit.text(cells[r][c]);
                            path fill="transparent" d=(square(r, c))
                                data-l={ (self.axes.0) " " (r) " " (self.axes.1) " " (c) ": " (value) } {}
                        }
                    }
                }
                @if columns <= NUMBERS {
                    @for (r, c, step) in &steps {
                        text.cell.{ "k" (step) }.wide[columns > 4] x=(middle(*c, columns)) y=(middle(*r, rows)) dy="4"
                            text-anchor="middle" { (self.unit.text(cells[*r][*c])) }
                    }
                }
            }
        }
    }

    fn table(&self) -> Markup {
        let columns = self.values.iter().map(Vec::len).max().unwrap_or(0);
        html! {
            @if self.values.len().max(columns) <= TIPS {
                details.data {
                    summary { "Table" }
                    div.scroll tabindex="0" role="region" aria-label={ "Table: " (self.title) } {
                        table {
                            thead { tr { td {} @for c in 0..columns { th.n scope="col" { (c) } } } }
                            tbody {
                                @for (r, row) in self.values.iter().enumerate() {
                                    tr {
                                        th scope="row" { (r) }
                                        @for value in row { td.n { (self.unit.text(*value)) } }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The path around a cell.
fn square(row: usize, column: usize) -> String {
    format!("M{column} {row}h1v1h-1z")
}

/// The middle of the i-th of n rows or columns.
fn middle(i: usize, n: usize) -> String {
    percent((i as f64 + 0.5) / n as f64)
}

/// Numbers of rows and columns, as many as have room.
fn labels(rows: usize, columns: usize, block: usize) -> Markup {
    let (every_row, every_column) = (rows.div_ceil(24).max(1), columns.div_ceil(16).max(1));
    let wide = |nth: usize| (nth % 2 == 1 && columns > 8).then_some("wide");
    html! {
        @for r in (0..rows).step_by(every_row) {
            text x="0" dx="-7" y=(middle(r, rows)) dy="4" text-anchor="end" { (r * block) }
        }
        @for (nth, c) in (0..columns).step_by(every_column).enumerate() {
            text class=[wide(nth)] x=(middle(c, columns)) y="0" dy="-6" text-anchor="middle" { (c * block) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_matrix_is_shown_in_blocks() {
        let n = 300;
        let values = (0..n).map(|r| (0..n).map(|c| f64::from(u8::from(r / 3 == c / 3))).collect()).collect();
        let (cells, block) = HeatMap::new("m", ("from", "to"), Unit::Bytes, values).blocks();
        assert_eq!((cells.len(), cells[0].len(), block), (100, 100, 3));
        assert_eq!((cells[7][7], cells[7][8]), (1.0, 0.0));
    }

    #[test]
    fn the_greatest_is_the_last_step_and_nothing_has_none() {
        assert_eq!(step(0.0, 1.0, 9.0, false), None);
        assert_eq!(step(f64::NAN, 1.0, 9.0, true), None);
        assert_eq!((step(9.0, 1.0, 9.0, false), step(9.0, 1.0, 9.0, true)), (Some(HEAT - 1), Some(HEAT - 1)));
        assert_eq!((step(1.0, 1.0, 9.0, true), step(5.0, 5.0, 5.0, true)), (Some(0), Some(HEAT - 1)));
    }
}
