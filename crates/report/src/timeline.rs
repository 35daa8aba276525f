//! Timelines: the activities of each thread over time. Intervals that are too close to be seen apart are merged, so
//! that the page stays small for any number of them.

use crate::axis::Axis;
use crate::escape::{escape, inline, slug};
use crate::page::{PageContext, Part};
use crate::style::series_class;
use crate::Unit;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The greatest number of columns of a lane; the number when many intervals share a column and only their mean is
/// visible; and the greatest number of cells of all lanes.
const COLUMNS: usize = 1200;
const COARSE: usize = 400;
const CELLS: usize = 60_000;
/// The number of rows of a lane: an interval that fills a column's time partly has less height.
const LEVELS: usize = 4;

/// Lane `lane` did `kind` from `start` to `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub lane: usize,
    pub kind: usize,
    pub start_ns: f64,
    pub end_ns: f64,
}

/// Intervals by lane, coloured by kind. No activity is known between them.
pub struct Timeline {
    title: String,
    note: String,
    lanes: Vec<String>,
    kinds: Vec<String>,
    intervals: Vec<Interval>,
}

impl Timeline {
    pub fn new<L: Into<String>, K: Into<String>>(
        title: impl Into<String>,
        lanes: impl IntoIterator<Item = L>,
        kinds: impl IntoIterator<Item = K>,
    ) -> Self {
        let lanes = lanes.into_iter().map(Into::into).collect();
        let kinds = kinds.into_iter().map(Into::into).collect();
        Self { title: title.into(), note: String::new(), lanes, kinds, intervals: vec![] }
    }

    /// A sentence under the title.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// Adds intervals; those of unknown lanes or kinds, or that end before they start, are left out.
    #[must_use]
    pub fn intervals(mut self, intervals: impl IntoIterator<Item = Interval>) -> Self {
        let (lanes, kinds) = (self.lanes.len(), self.kinds.len());
        let sound = |i: &Interval| {
            i.lane < lanes && i.kind < kinds && i.start_ns.is_finite() && i.end_ns.is_finite() && i.start_ns <= i.end_ns
        };
        self.intervals.extend(intervals.into_iter().filter(sound));
        self
    }

    fn ends(&self) -> (f64, f64) {
        self.intervals.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |e, i| (e.0.min(i.start_ns), e.1.max(i.end_ns)))
    }

    /// The drawing: for each lane runs of columns (from, to) with a kind and a height.
    fn runs(&self, columns: usize) -> Vec<Vec<(usize, usize, usize, usize)>> {
        let (first, last) = self.ends();
        let width = ((last - first) / columns as f64).max(f64::MIN_POSITIVE);
        // Time by lane, column, kind.
        let mut time: Vec<BTreeMap<(usize, usize), f64>> = vec![BTreeMap::new(); self.lanes.len()];
        for i in &self.intervals {
            let (from, to) = ((i.start_ns - first) / width, (i.end_ns - first) / width);
            let (a, b) = ((from as usize).min(columns - 1), (to as usize).min(columns - 1));
            for column in a..=b {
                let inside = (to.min(column as f64 + 1.0) - from.max(column as f64)).max(0.0);
                // An interval that ends where a column begins is not in it; an interval without duration is drawn
                // nevertheless.
                if inside > 0.0 || a == b {
                    *time[i.lane].entry((column, i.kind)).or_insert(0.0) += inside;
                }
            }
        }
        time.iter().map(joined).collect()
    }
}

/// The kind with the most time in each column, its height by its share of the column, joined where neighbours are
/// equal.
fn joined(time: &BTreeMap<(usize, usize), f64>) -> Vec<(usize, usize, usize, usize)> {
    let mut columns: BTreeMap<usize, (usize, f64, f64)> = BTreeMap::new();
    for ((column, kind), share) in time {
        let seen = columns.entry(*column).or_insert((*kind, *share, 0.0));
        seen.2 += share;
        if *share > seen.1 {
            (seen.0, seen.1) = (*kind, *share);
        }
    }
    let mut runs: Vec<(usize, usize, usize, usize)> = vec![];
    for (column, (kind, _, all)) in columns {
        let level = ((all * LEVELS as f64).round() as usize).clamp(1, LEVELS);
        match runs.last_mut() {
            Some((_, to, k, l)) if *to == column && *k == kind && *l == level => *to = column + 1,
            _ => runs.push((column, column + 1, kind, level)),
        }
    }
    runs
}

impl Part for Timeline {
    fn html(&self, place: &mut PageContext) -> String {
        let id = place.anchor(&slug(&self.title));
        let caption = format!("<figcaption id=\"{id}-caption\">{}</figcaption>", inline(&self.title));
        let lanes = self.lanes.len();
        if self.intervals.is_empty() {
            return format!("<figure id=\"{id}\" class=\"timeline\">{caption}\n<p class=\"none\">There is nothing to show.</p>\n</figure>\n");
        }
        place.series(self.kinds.len());
        let fine = if self.intervals.len() / lanes > COLUMNS { COARSE } else { COLUMNS };
        let columns = fine.min(CELLS / lanes).max(100);
        // A lane is four rows and a gap.
        let high = LEVELS + 1;
        let mut paths = vec![String::new(); self.kinds.len()];
        for (lane, runs) in self.runs(columns).iter().enumerate() {
            for (from, to, kind, level) in runs {
                let top = lane * high + LEVELS - level;
                let _ = write!(paths[*kind], "M{from} {top}h{}v{level}h-{}z", to - from, to - from);
            }
        }
        let paths: String = paths
            .iter()
            .enumerate()
            .filter(|(_, d)| !d.is_empty())
            .map(|(k, d)| format!("<path class=\"{} t{k}\" d=\"{d}\"/>\n", series_class(k)))
            .collect();
        let axis = Axis::new("time").unit(Unit::Ns);
        let (first, last) = self.ends();
        let scale = axis.scale_exactly(first, last);
        let mut labels = String::new();
        let ticks = axis.ticks(&scale);
        for (n, tick) in ticks.iter().enumerate() {
            let at = scale.place(tick.value) * 100.0;
            let wide = if n % ticks.len().div_ceil(4).max(1) == 0 { "" } else { " class=\"wide\"" };
            let _ = write!(labels, "<line class=\"grid\" x1=\"{at:.2}%\" x2=\"{at:.2}%\" y1=\"0\" y2=\"100%\"/><text{wide} x=\"{at:.2}%\" y=\"100%\" dy=\"17\" text-anchor=\"middle\">{}</text>", escape(&tick.label));
        }
        let every = lanes.div_ceil(32).max(1);
        for (lane, name) in self.lanes.iter().enumerate().step_by(every) {
            let middle = (lane as f64 + 0.4) / lanes as f64 * 100.0;
            let _ = write!(
                labels,
                "<text x=\"0\" dx=\"-7\" y=\"{middle:.2}%\" dy=\"4\" text-anchor=\"end\">{}</text>",
                escape(&crate::escape::shortened(name, 9))
            );
        }
        let grounds: String = (0..lanes).map(|l| format!("M0 {}h{columns}v{LEVELS}h-{columns}z", l * high)).collect();
        let height = (lanes as f64 * if lanes <= 16 { 26.0 } else { 420.0 / lanes as f64 }).clamp(40.0, 640.0);
        let key = |(k, name): (usize, &String)| {
            format!(
            "<li class=\"{}\"><label title=\"{}\"><input type=\"checkbox\" checked data-t=\"{k}\"><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><rect width=\"13\" height=\"13\" rx=\"2\" fill=\"currentColor\"/></svg><span>{}</span></label></li>",
            series_class(k), escape(name), inline(name))
        };
        let legend: String = self.kinds.iter().enumerate().map(key).collect();
        let note = if self.note.is_empty() {
            String::new()
        } else {
            format!("<p class=\"note-line\">{}</p>\n", inline(&self.note))
        };
        format!(
            "<figure id=\"{id}\" class=\"timeline\">{caption}\n{note}<ul class=\"legend\" aria-label=\"Kinds\">{legend}</ul>\n\
             <svg class=\"picture\" role=\"img\" aria-labelledby=\"{id}-caption\" aria-describedby=\"{id}-desc\" style=\"height:{height:.0}px\">\
             <desc id=\"{id}-desc\">{} intervals of {lanes} lanes, from {} to {}. The table below holds the sums.</desc>\n\
             <svg class=\"cells\" width=\"100%\" height=\"100%\" viewBox=\"0 0 {columns} {}\" preserveAspectRatio=\"none\"><path class=\"lane\" style=\"fill:var(--card)\" d=\"{grounds}\"/>\n</svg>{labels}\n\
             <svg class=\"cells\" width=\"100%\" height=\"100%\" viewBox=\"0 0 {columns} {}\" preserveAspectRatio=\"none\">\n{paths}</svg></svg>\n<div class=\"x-title\">{}</div>\n{}</figure>\n",
            self.intervals.len(),
            escape(&Unit::Ns.text(first)),
            escape(&Unit::Ns.text(last)),
            lanes * high,
            lanes * high,
            escape(&axis.title(&scale)),
            self.table(),
        )
    }
}

impl Timeline {
    /// The time of each kind in each lane.
    fn table(&self) -> String {
        let mut sums = vec![vec![0.0; self.kinds.len()]; self.lanes.len()];
        for i in &self.intervals {
            sums[i.lane][i.kind] += i.end_ns - i.start_ns;
        }
        let heads: String =
            self.kinds.iter().map(|k| format!("<th scope=\"col\" class=\"n\">{}</th>", inline(k))).collect();
        let mut rows = String::new();
        for (name, sums) in self.lanes.iter().zip(&sums) {
            let cells: String =
                sums.iter().map(|v| format!("<td class=\"n\">{}</td>", escape(&Unit::Ns.text(*v)))).collect();
            let _ = writeln!(rows, "<tr><th scope=\"row\">{}</th>{cells}</tr>", inline(name));
        }
        format!(
            "<details class=\"data\"><summary>Table: time of each kind</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table: {}\">\
             <table><thead><tr><td></td>{heads}</tr></thead><tbody>\n{rows}</tbody></table></div></details>\n",
            escape(&self.title)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(lane: usize, kind: usize, start_ns: f64, end_ns: f64) -> Interval {
        Interval { lane, kind, start_ns, end_ns }
    }

    #[test]
    fn neighbours_alike_are_joined_and_the_longest_wins_a_column() {
        let line = Timeline::new("t", ["0"], ["a", "b"]).intervals([
            interval(0, 0, 0.0, 3.0),
            interval(0, 0, 3.0, 4.0),
            interval(0, 1, 4.0, 4.9),
            interval(0, 0, 4.9, 5.0),
            interval(0, 1, 9.99, 10.0),
        ]);
        assert_eq!(line.runs(10), [[(0, 4, 0, LEVELS), (4, 5, 1, LEVELS), (9, 10, 1, 1)]]);
    }

    #[test]
    fn a_hundred_thousand_intervals_are_a_small_picture() {
        let many = (0..100_000).map(|i| {
            let at = f64::from(i) * 10.0;
            interval(i as usize % 16, (i as usize * 7919) % 5, at, at + 100.0)
        });
        let line = Timeline::new("t", (0..16).map(|t| t.to_string()), ["a", "b", "c", "d", "e"]).intervals(many);
        let html = line.html(&mut PageContext::default());
        assert!(html.len() < 600_000, "{}", html.len());
    }

    #[test]
    fn nonsense_is_left_out() {
        let line =
            Timeline::new("t", ["0"], ["a"]).intervals([interval(1, 0, 0.0, 1.0), interval(0, 0, 2.0, f64::NAN)]);
        assert!(line.html(&mut PageContext::default()).contains("nothing to show"));
        let point = Timeline::new("t", ["0"], ["a"]).intervals([interval(0, 0, 5.0, 5.0)]);
        assert_eq!(point.runs(10)[0].len(), 1);
    }
}
