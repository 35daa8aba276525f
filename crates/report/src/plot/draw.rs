//! The picture. Positions are percentages of a picture of any size, so that it is as wide as the reader's screen while its
//! text stays as large as the page's; lines are in a stretched inner picture whose strokes are not stretched.

use super::marks::marks;
use super::{Evidence, Plot, Point, Style};
use crate::axis::{Scale, Tick};
use crate::inline::{inline, percent};
use crate::style::{colour, COLOURS, MARKERS};
use maud::{html, Markup};
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
pub fn legend(plot: &Plot) -> Markup {
    if plot.series.len() == 1 && plot.series[0].fits.is_empty() && plot.series[0].name.is_empty() {
        return Markup::default();
    }
    html! {
        ul.legend aria-label="Series" {
            @for (i, series) in plot.series.iter().enumerate() {
                @let (colour, marker) = look(plot, i);
                li class=(colour) {
                    label title=(series.name) {
                        input type="checkbox" checked data-t=(i);
                        svg width="28" height="14" aria-hidden="true" {
                            @if series.style == Style::Line { line x1="1" x2="27" y1="7" y2="7" {} }
                            use href={ "#m" (marker) } x="14" y="7" {}
                        }
                        span {
                            (inline(&series.name))
                            @if !series.points.iter().any(|p| plot.shows(p)) { small { "no points" } }
                        }
                        @if !series.fits.is_empty() {
                            svg width="22" height="14" aria-hidden="true" { line.fit x1="1" x2="21" y1="7" y2="7" {} }
                            small {
                                @for (i, fit) in series.fits.iter().enumerate() {
                                    @if i > 0 { "; " }
                                    (inline(&fit.label))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The picture with its axes. `evidence` has its anchors.
pub fn picture(plot: &Plot, id: &str, caption: &str, evidence: &[(String, &Evidence)]) -> Markup {
    let (x, y) = plot.scales();
    let (x_ticks, y_ticks) = (plot.x.ticks(&x), plot.y.ticks(&y));
    let (marks, rows) = marks(plot, &x, &y);
    let frame = Frame { plot, x: &x, y: &y };
    let many = plot.light.is_some() || plot.series.iter().map(|s| s.points.len()).sum::<usize>() > MANY;
    let (desc, view_box) = (format!("{id}-desc"), format!("0 0 {SIDE} {SIDE}"));
    html! {
        div.y-title { (inline(&plot.y.title(&y))) }
        svg.picture role="img" aria-labelledby=(caption) aria-describedby=(desc)
            style={ "margin-top:" (8 + 15 * rows) "px" } {
            desc id=(desc) { (described(plot)) }
            (grid(&x_ticks, &x, true))
            (grid(&y_ticks, &y, false))
            svg.lines width="100%" height="100%" viewBox=(view_box) preserveAspectRatio="none" {
                @for i in 0..plot.series.len() { (frame.lines(i, many)) }
            }
            (marks)
            @if !many { @for i in 0..plot.series.len() { (frame.signs(i)) } }
            @for (anchor, evidence) in evidence { (frame.rings(anchor, evidence)) }
        }
        div.x-title { (inline(&plot.x.title(&x))) }
    }
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

fn grid(ticks: &[Tick], scale: &Scale, vertical: bool) -> Markup {
    let place = |tick: &Tick| {
        let at = scale.place(tick.value);
        percent(if vertical { at } else { 1.0 - at })
    };
    let labelled: Vec<&Tick> = ticks.iter().filter(|t| t.labelled).collect();
    // All labels of y have room; on a phone some of x do not.
    let every = if vertical { labelled.len().div_ceil(NARROW_LABELS) } else { 1 };
    let wide = |nth: usize| (!nth.is_multiple_of(every)).then_some("wide");
    html! {
        @for tick in ticks {
            @let at = place(tick);
            @if vertical {
                line.grid.minor[!tick.labelled] x1=(at) x2=(at) y1="0" y2="100%" {}
            } @else {
                line.grid.minor[!tick.labelled] x1="0" x2="100%" y1=(at) y2=(at) {}
            }
        }
        @for (nth, tick) in labelled.into_iter().enumerate() {
            @if vertical {
                text class=[wide(nth)] x=(place(tick)) y="100%" dy="17" text-anchor="middle" { (tick.label) }
            } @else {
                text class=[wide(nth)] x="0" y=(place(tick)) dx="-7" dy="4" text-anchor="end" { (tick.label) }
            }
        }
    }
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

    fn outer(&self, x: f64, y: f64) -> (String, String) {
        (percent(self.x.place(x)), percent(1.0 - self.y.place(y)))
    }

    /// Lines, intervals, fits, and dots if there are many points.
    fn lines(&self, i: usize, many: bool) -> Markup {
        let (series, (colour, _)) = (&self.plot.series[i], look(self.plot, i));
        let shown: Vec<&Point> = series.points.iter().filter(|p| self.plot.shows(p)).collect();
        let intervals = self.intervals(&shown);
        html! {
            g class={ (colour) " t" (i) } {
                @if series.style == Style::Line && shown.len() > 1 {
                    path.line d=(self.path(series.points.iter().map(|p| (p.x, p.y)))) {}
                }
                @if !intervals.is_empty() { path.interval d=(intervals) {} }
                @if many { path.dots d=(self.dots(&shown)) {} }
                @for fit in &series.fits {
                    @let xs = self.x.steps(fit.from, fit.to, 97).into_iter();
                    path.fit d=(self.path(xs.map(|x| (x, (fit.curve)(x))))) {}
                }
            }
        }
    }

    fn intervals(&self, shown: &[&Point]) -> String {
        let mut bars = String::new();
        for p in shown {
            // Below about a pixel there is nothing to see.
            let (low, high) = (p.low.min(p.high), p.low.max(p.high));
            if self.plot.y.shows(low) && self.plot.y.shows(high) && self.y.place(high) - self.y.place(low) > 0.008 {
                let ((x, bottom), (_, top)) = (self.inner(p.x, low), self.inner(p.x, high));
                let _ = write!(bars, "M{x:.1} {bottom:.1}V{top:.1}");
            }
        }
        bars
    }

    /// Dots at the same position are drawn once.
    fn dots(&self, shown: &[&Point]) -> String {
        let place = |p: &&Point| {
            let (x, y) = self.inner(p.x, p.y);
            (x.round() as i64, y.round() as i64)
        };
        let places: BTreeSet<_> = shown.iter().map(place).collect();
        places.into_iter().map(|(x, y)| format!("M{x} {y}h0")).collect()
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
    fn signs(&self, i: usize) -> Markup {
        let (series, (colour, marker)) = (&self.plot.series[i], look(self.plot, i));
        let size = if series.points.len() > DENSE { 'd' } else { 'm' };
        html! {
            g class={ (colour) " t" (i) " signs" } data-n=(series.name) {
                @for p in series.points.iter().filter(|p| self.plot.shows(p)) {
                    @let (left, top) = self.outer(p.x, p.y);
                    use href={ "#" (size) (marker) } x=(left) y=(top)
                        data-l={ (self.plot.x.text(p.x)) ": " (data(self.plot, p)) } {}
                }
            }
        }
    }

    fn rings(&self, anchor: &str, evidence: &Evidence) -> Markup {
        html! {
            g class={ "rings e-" (anchor) } {
                @for (x, y) in evidence.points.iter().filter(|p| self.plot.shows(&Point::from(**p))) {
                    @let (left, top) = self.outer(*x, *y);
                    use href="#ring" x=(left) y=(top) {}
                }
            }
        }
    }
}

/// y with its interval.
pub fn data(plot: &Plot, p: &Point) -> String {
    match p.low == p.high || !p.low.is_finite() || !p.high.is_finite() {
        true => plot.y.text(p.y),
        false => format!("{} ({})", plot.y.text(p.y), plot.y.range(p.low, p.high)),
    }
}
