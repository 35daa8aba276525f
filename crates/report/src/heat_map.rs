//! Heat maps: a value for each row and column, such as the bytes from each sender to each receiver.

use crate::escape::{escape, inline, slug};
use crate::page::{PageContext, Part};
use crate::style::HEAT;
use crate::Unit;
use std::fmt::Write;

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
    fn html(&self, place: &mut PageContext) -> String {
        let id = place.anchor(&slug(&self.title));
        let (cells, block) = self.blocks();
        let (rows, columns) = (cells.len(), cells.first().map_or(0, Vec::len));
        let caption = format!("<figcaption id=\"{id}-caption\">{}</figcaption>", inline(&self.title));
        let positive = || cells.iter().flatten().copied().filter(|v| v.is_finite() && *v > 0.0);
        let (least, most) = (positive().fold(f64::INFINITY, f64::min), positive().fold(0.0, f64::max));
        if rows == 0 || columns == 0 || most == 0.0 {
            return format!("<figure id=\"{id}\" class=\"map\">{caption}\n<p class=\"none\">There is nothing to show.</p>\n</figure>\n");
        }
        let mut note = self.note.clone();
        if block > 1 {
            let _ = write!(note, " A cell is the mean of {block} times {block}.");
        }
        let note = if note.is_empty() { note } else { format!("<p class=\"note-line\">{}</p>\n", inline(note.trim())) };
        let at = |i: usize, n: usize| (i as f64 + 0.5) / n as f64 * 100.0;
        let mut out = String::new();
        let mut paths = vec![String::new(); HEAT];
        for (r, row) in cells.iter().enumerate() {
            for (c, value) in row.iter().enumerate() {
                let Some(step) = step(*value, least, most, self.log) else { continue };
                let _ = write!(paths[step], "M{c} {r}h1v1h-1z");
                if columns <= NUMBERS {
                    let _ = writeln!(
                        out,
                        "<text class=\"cell k{step}{}\" x=\"{:.2}%\" y=\"{:.2}%\" dy=\"4\" text-anchor=\"middle\">{}</text>",
                        if columns > 4 { " wide" } else { "" },
                        at(c, columns),
                        at(r, rows),
                        escape(&self.unit.text(*value)),
                    );
                }
            }
        }
        let mut tips = String::new();
        if rows.max(columns) <= TIPS {
            for (r, row) in cells.iter().enumerate() {
                for (c, value) in row.iter().enumerate() {
                    let words = format!("{} {r} {} {c}: {}", self.axes.0, self.axes.1, self.unit.text(*value));
                    let _ = write!(
                        tips,
                        "<path fill=\"transparent\" d=\"M{c} {r}h1v1h-1z\" data-l=\"{}\"/>",
                        escape(&words)
                    );
                }
            }
        }
        let filled = |(i, d): (usize, &String)| {
            if d.is_empty() {
                String::new()
            } else {
                format!("<path class=\"h{i}\" d=\"{d}\"/>\n")
            }
        };
        let paths: String = paths.iter().enumerate().map(filled).collect();
        let (every_row, every_column) = (rows.div_ceil(24).max(1), columns.div_ceil(16).max(1));
        let mut labels = String::new();
        for r in (0..rows).step_by(every_row) {
            let _ = write!(
                labels,
                "<text x=\"0\" dx=\"-7\" y=\"{:.2}%\" dy=\"4\" text-anchor=\"end\">{}</text>",
                at(r, rows),
                r * block
            );
        }
        for (n, c) in (0..columns).step_by(every_column).enumerate() {
            let wide = if n % 2 == 1 && columns > 8 { " class=\"wide\"" } else { "" };
            let _ = write!(
                labels,
                "<text{wide} x=\"{:.2}%\" y=\"0\" dy=\"-6\" text-anchor=\"middle\">{}</text>",
                at(c, columns),
                c * block
            );
        }
        let ramp: String =
            (0..HEAT).map(|i| format!("<rect class=\"h{i}\" x=\"{}\" width=\"14\" height=\"12\"/>", i * 14)).collect();
        let low = if self.log { least } else { 0.0 };
        let desc = format!(
            "A matrix of {} rows ({}) and {} columns ({}), up to {}.",
            self.values.len(),
            self.axes.0,
            columns * block,
            self.axes.1,
            self.unit.text(most)
        );
        format!(
            "<figure id=\"{id}\" class=\"map\">{caption}\n{note}\
             <div class=\"ramp\"><span>{}</span><svg width=\"{}\" height=\"12\" aria-hidden=\"true\">{ramp}</svg><span>{}{}</span></div>\n\
             <div class=\"y-title\">rows: {}, columns: {}</div>\n\
             <svg class=\"picture\" role=\"img\" aria-labelledby=\"{id}-caption\" aria-describedby=\"{id}-desc\" style=\"aspect-ratio:{columns}/{rows}\">\
             <desc id=\"{id}-desc\">{}</desc>\n<rect class=\"lane\" width=\"100%\" height=\"100%\" fill=\"var(--card)\"/>\n{labels}\n\
             <svg class=\"cells\" width=\"100%\" height=\"100%\" viewBox=\"0 0 {columns} {rows}\" preserveAspectRatio=\"none\">\n{paths}{tips}</svg>\n{out}</svg>\n{}</figure>\n",
            escape(&self.unit.text(low)),
            HEAT * 14,
            escape(&self.unit.text(most)),
            if self.log { ", logarithmic" } else { "" },
            inline(&self.axes.0),
            inline(&self.axes.1),
            escape(&desc),
            self.table(),
        )
    }
}

impl HeatMap {
    fn table(&self) -> String {
        let columns = self.values.iter().map(Vec::len).max().unwrap_or(0);
        if self.values.len().max(columns) > TIPS {
            return String::new();
        }
        let heads: String = (0..columns).map(|c| format!("<th scope=\"col\" class=\"n\">{c}</th>")).collect();
        let mut rows = String::new();
        for (r, row) in self.values.iter().enumerate() {
            let cells: String =
                row.iter().map(|v| format!("<td class=\"n\">{}</td>", escape(&self.unit.text(*v)))).collect();
            let _ = writeln!(rows, "<tr><th scope=\"row\">{r}</th>{cells}</tr>");
        }
        format!(
            "<details class=\"data\"><summary>Table</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: {}\">\
             <table><thead><tr><td></td>{heads}</tr></thead><tbody>\n{rows}</tbody></table></div></details>\n",
            escape(&self.title)
        )
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
