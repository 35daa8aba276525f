//! The picture. Positions are percentages of a picture of any size, so that it is as wide as the reader's screen while its
//! text stays as large as the page's; lines are in a stretched inner picture whose strokes are not stretched.

use super::marks::marks;
use super::{Evidence, Plot, Point, Style};
use crate::axis::{Scale, Tick};
use crate::escape::{escape, inline};
use crate::style::{colour, COLOURS, MARKERS};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Above the first number of points a series' markers are small; above the second a plot's points are dots without
/// tooltips.
const DENSE: usize = 48;
const MANY: usize = 2500;

/// The greatest number of labels of an axis on a phone.
const NARROW_LABELS: usize = 5;

/// Side of the inner picture.
const SIDE: f64 = 2000.0;

impl Plot {
    /// The scales that show all points, and nearly all of their intervals.
    pub(super) fn scales(&self) -> (Scale, Scale) {
        let points = || self.series.iter().flat_map(|s| &s.points).filter(|p| self.shows(p));
        let x = self.x.scale(points().map(|p| p.x));
        let tight = self.y.scale(points().map(|p| p.y));
        // A single very wide interval must not compress everything else.
        let ends = points().flat_map(|p| [p.low, p.high]).filter(|v| self.y.shows(*v));
        let near = ends.filter(|v| (-0.25..=1.25).contains(&tight.place(*v)));
        (x, self.y.scale(points().map(|p| p.y).chain(near)))
    }
}

/// The colour and the marker of a series.
fn look(plot: &Plot, i: usize) -> (String, usize) {
    let marker = (i + i / COLOURS) % MARKERS;
    (colour(i, plot.series.len(), plot.ordered), marker)
}

/// The series with their markers; each can be hidden.
pub fn legend(plot: &Plot) -> String {
    if plot.series.len() == 1 && plot.series[0].fits.is_empty() && plot.series[0].name.is_empty() {
        return String::new();
    }
    let mut items = String::new();
    for (i, series) in plot.series.iter().enumerate() {
        let (colour, marker) = look(plot, i);
        let line = if series.style == Style::Line { "<line x1=\"1\" x2=\"27\" y1=\"7\" y2=\"7\"/>" } else { "" };
        let empty = if series.points.iter().any(|p| plot.shows(p)) { "" } else { "<small>no points</small>" };
        let formulas: Vec<String> = series.fits.iter().map(|f| inline(&f.label)).collect();
        let dashed = match formulas.is_empty() {
            true => String::new(),
            false => format!(
                "<svg width=\"22\" height=\"14\" aria-hidden=\"true\"><line class=\"fit\" x1=\"1\" x2=\"21\" y1=\"7\" \
                 y2=\"7\"/></svg><small>{}</small>",
                formulas.join("; ")
            ),
        };
        let _ = writeln!(
            items,
            "<li class=\"{colour}\"><label title=\"{}\"><input type=\"checkbox\" checked data-t=\"{i}\">\
             <svg width=\"28\" height=\"14\" aria-hidden=\"true\">{line}<use href=\"#m{marker}\" x=\"14\" y=\"7\"/></svg>\
             <span>{}{empty}</span>{dashed}</label></li>",
            escape(&series.name),
            inline(&series.name),
        );
    }
    format!("<ul class=\"legend\" aria-label=\"Series\">\n{items}</ul>\n")
}

/// The picture with its axes. `evidence` has its anchors.
pub fn picture(plot: &Plot, id: &str, evidence: &[(String, &Evidence)]) -> String {
    let (x, y) = plot.scales();
    let (x_ticks, y_ticks) = (plot.x.ticks(&x), plot.y.ticks(&y));
    let (marks, rows) = marks(plot, &x, &y);
    let frame = Frame { plot, x: &x, y: &y };
    let many = plot.light.is_some() || plot.series.iter().map(|s| s.points.len()).sum::<usize>() > MANY;
    let mut lines = String::new();
    let mut signs = String::new();
    for i in 0..plot.series.len() {
        frame.lines(i, many, &mut lines);
        if !many {
            frame.signs(i, &mut signs);
        }
    }
    let rings: String = evidence.iter().map(|(anchor, e)| frame.rings(anchor, e)).collect();
    format!(
        "<div class=\"y-title\">{}</div>\n\
         <svg class=\"picture\" role=\"img\" aria-labelledby=\"{id}-caption\" aria-describedby=\"{id}-desc\" style=\"margin-top:{}px\">\n\
         <desc id=\"{id}-desc\">{}</desc>\n{}{}\
         <svg class=\"lines\" width=\"100%\" height=\"100%\" viewBox=\"0 0 {SIDE} {SIDE}\" preserveAspectRatio=\"none\">\n{lines}</svg>\n\
         {marks}{signs}{rings}</svg>\n<div class=\"x-title\">{}</div>\n",
        inline(&plot.y.title(&y)),
        8 + 15 * rows,
        escape(&described(plot)),
        grid(&x_ticks, &x, true),
        grid(&y_ticks, &y, false),
        inline(&plot.x.title(&x)),
    )
}

/// The plot in a sentence, for those who cannot see it.
fn described(plot: &Plot) -> String {
    let names: Vec<&str> = plot.series.iter().take(12).map(|s| s.name.as_str()).collect();
    let marks: Vec<String> = plot.marks.iter().map(|m| m.label.clone()).collect();
    let more = if plot.series.len() > names.len() { ", …" } else { "" };
    let marked = if marks.is_empty() { String::new() } else { format!(" Marked: {}.", marks.join(", ")) };
    format!(
        "{} by {}. Series: {}{more}.{marked} The table below holds the numbers.",
        plot.y.label(),
        plot.x.label(),
        names.join(", ")
    )
}

fn grid(ticks: &[Tick], scale: &Scale, vertical: bool) -> String {
    let mut out = String::new();
    let labels = ticks.iter().filter(|t| t.labelled).count();
    // All labels of y have room; on a phone some of x do not.
    let every = if vertical { labels.div_ceil(NARROW_LABELS) } else { 1 };
    let mut nth = 0;
    for tick in ticks {
        let at = scale.place(tick.value) * 100.0;
        let class = if tick.labelled { "grid" } else { "grid minor" };
        let at = if vertical { at } else { 100.0 - at };
        let (line, text) = match vertical {
            true => (
                format!("x1=\"{at:.2}%\" x2=\"{at:.2}%\" y1=\"0\" y2=\"100%\""),
                format!("x=\"{at:.2}%\" y=\"100%\" dy=\"17\" text-anchor=\"middle\""),
            ),
            false => (
                format!("x1=\"0\" x2=\"100%\" y1=\"{at:.2}%\" y2=\"{at:.2}%\""),
                format!("x=\"0\" y=\"{at:.2}%\" dx=\"-7\" dy=\"4\" text-anchor=\"end\""),
            ),
        };
        let _ = write!(out, "<line class=\"{class}\" {line}/>");
        if tick.labelled {
            let wide = if nth % every == 0 { "" } else { " class=\"wide\"" };
            let _ = write!(out, "<text{wide} {text}>{}</text>", escape(&tick.label));
            nth += 1;
        }
        out.push('\n');
    }
    out
}

/// Draws into a picture of these scales.
struct Frame<'a> {
    plot: &'a Plot,
    x: &'a Scale,
    y: &'a Scale,
}

impl Frame<'_> {
    fn inner(&self, x: f64, y: f64) -> (f64, f64) {
        let far = |v: f64| (v * SIDE).clamp(-SIDE, 2.0 * SIDE);
        (far(self.x.place(x)), far(1.0 - self.y.place(y)))
    }

    /// Lines, intervals, fits, and dots if there are many points.
    fn lines(&self, i: usize, many: bool, out: &mut String) {
        let (series, (colour, _)) = (&self.plot.series[i], look(self.plot, i));
        let _ = write!(out, "<g class=\"{colour} t{i}\">");
        let shown: Vec<&Point> = series.points.iter().filter(|p| self.plot.shows(p)).collect();
        if series.style == Style::Line && shown.len() > 1 {
            let _ = write!(out, "<path class=\"line\" d=\"{}\"/>", self.path(series.points.iter().map(|p| (p.x, p.y))));
        }
        let mut bars = String::new();
        for p in &shown {
            // Below about a pixel there is nothing to see.
            let (low, high) = (p.low.min(p.high), p.low.max(p.high));
            if self.plot.y.shows(low) && self.plot.y.shows(high) && self.y.place(high) - self.y.place(low) > 0.008 {
                let ((x, bottom), (_, top)) = (self.inner(p.x, low), self.inner(p.x, high));
                let _ = write!(bars, "M{x:.1} {bottom:.1}V{top:.1}");
            }
        }
        if !bars.is_empty() {
            let _ = write!(out, "<path class=\"interval\" d=\"{bars}\"/>");
        }
        if many {
            // Dots at the same position are drawn once.
            let place = |p: &&Point| {
                let (x, y) = self.inner(p.x, p.y);
                (x.round() as i64, y.round() as i64)
            };
            let places: BTreeSet<_> = shown.iter().map(place).collect();
            let dots: String = places.into_iter().map(|(x, y)| format!("M{x} {y}h0")).collect();
            let _ = write!(out, "<path class=\"dots\" d=\"{dots}\"/>");
        }
        for fit in &series.fits {
            let _ = write!(
                out,
                "<path class=\"fit\" d=\"{}\"/>",
                self.path(self.x.steps(fit.from, fit.to, 97).into_iter().map(|x| (x, (fit.curve)(x))))
            );
        }
        out.push_str("</g>\n");
    }

    /// A line through points, with a gap where a point cannot be shown.
    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let (mut out, mut last) = (String::new(), String::new());
        let mut pen = 'M';
        for (x, y) in points {
            if !self.plot.shows(&Point::from((x, y))) {
                pen = 'M';
                continue;
            }
            let (x, y) = self.inner(x, y);
            let place = format!("{x:.1} {y:.1}");
            // Points at the same position would only make the page larger.
            if pen == 'M' || place != last {
                let _ = write!(out, "{pen}{place}");
            }
            last = place;
            pen = 'L';
        }
        out
    }

    /// A marker for each point, with the text of its tooltip.
    fn signs(&self, i: usize, out: &mut String) {
        let (series, (colour, marker)) = (&self.plot.series[i], look(self.plot, i));
        let size = if series.points.len() > DENSE { 'd' } else { 'm' };
        let _ = writeln!(out, "<g class=\"{colour} t{i} signs\" data-n=\"{}\">", escape(&series.name));
        for p in series.points.iter().filter(|p| self.plot.shows(p)) {
            let text = format!("{}: {}", self.plot.x.text(p.x), data(self.plot, p));
            let _ = writeln!(
                out,
                "<use href=\"#{size}{marker}\" x=\"{:.2}%\" y=\"{:.2}%\" data-l=\"{}\"/>",
                self.x.place(p.x) * 100.0,
                (1.0 - self.y.place(p.y)) * 100.0,
                escape(&text)
            );
        }
        out.push_str("</g>\n");
    }

    fn rings(&self, anchor: &str, evidence: &Evidence) -> String {
        let shown = evidence.points.iter().filter(|(x, y)| self.plot.shows(&Point::from((*x, *y))));
        let ring = |(x, y): &(f64, f64)| {
            let (left, top) = (self.x.place(*x) * 100.0, (1.0 - self.y.place(*y)) * 100.0);
            format!("<use href=\"#ring\" x=\"{left:.2}%\" y=\"{top:.2}%\"/>")
        };
        format!("<g class=\"rings e-{anchor}\">{}</g>\n", shown.map(ring).collect::<String>())
    }
}

/// y with its interval.
pub fn data(plot: &Plot, p: &Point) -> String {
    match p.low == p.high || !p.low.is_finite() || !p.high.is_finite() {
        true => plot.y.text(p.y),
        false => format!("{} ({})", plot.y.text(p.y), plot.y.range(p.low, p.high)),
    }
}
