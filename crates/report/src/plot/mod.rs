//! Plots: y against x, a line or a cloud of points for each of several series.
//!
//! This file defines a plot; `draw` makes the picture, `data` the table beside it.

mod data;
mod draw;
mod marks;

use crate::axis::Axis;
use crate::inline::{inline, note_line, slug};
use crate::page::{PageContext, Part};
use maud::{html, Markup};

/// A measured point with the interval in which y lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub low: f64,
    pub high: f64,
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self { x, y, low: y, high: y }
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Line,
    Scatter,
}

/// Points that belong together.
pub struct Series {
    name: String,
    style: Style,
    points: Vec<Point>,
    fits: Vec<Fit>,
}

/// A curve through a series' points, and its range.
struct Fit {
    label: String,
    from: f64,
    to: f64,
    curve: Box<dyn Fn(f64) -> f64>,
}

impl Series {
    /// Joined by a line, in the order given.
    pub fn line<P: Into<Point>>(name: impl Into<String>, points: impl IntoIterator<Item = P>) -> Self {
        let points = points.into_iter().map(Into::into).collect();
        Self { name: name.into(), style: Style::Line, points, fits: vec![] }
    }

    /// Each point by itself.
    pub fn scatter<P: Into<Point>>(name: impl Into<String>, points: impl IntoIterator<Item = P>) -> Self {
        Self { style: Style::Scatter, ..Self::line(name, points) }
    }

    /// A curve that describes the series from one x to another, dashed in its colour; the label (a formula) stands in the
    /// legend.
    #[must_use]
    pub fn fit(mut self, label: impl Into<String>, from: f64, to: f64, curve: impl Fn(f64) -> f64 + 'static) -> Self {
        self.fits.push(Fit { label: label.into(), from, to, curve: Box::new(curve) });
        self
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    X,
    Y,
}

/// A value on an axis, with its name.
#[derive(Clone, Debug)]
struct Mark {
    direction: Direction,
    at: f64,
    label: String,
}

/// The points that a value rests on, which are ringed when the reader follows the link.
#[derive(Clone, Debug)]
struct Evidence {
    anchor: String,
    label: String,
    points: Vec<(f64, f64)>,
}

/// A plot. In a page it takes the whole width, and a table with its numbers can be opened under it.
pub struct Plot {
    title: String,
    anchor: String,
    note: String,
    x: Axis,
    y: Axis,
    ordered: bool,
    light: Option<String>,
    series: Vec<Series>,
    marks: Vec<Mark>,
    evidence: Vec<Evidence>,
}

impl Plot {
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        let title = title.into();
        let (note, anchor) = (String::new(), slug(&title));
        Self { title, anchor, note, x, y, ordered: false, light: None, series: vec![], marks: vec![], evidence: vec![] }
    }

    /// The name for links to the plot; by default the title's slug.
    #[must_use]
    pub fn anchor(mut self, name: &str) -> Self {
        self.anchor = slug(name);
        self
    }

    /// A sentence under the title.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// The series are steps of a quantity (strides, sizes): their colours form a scale.
    #[must_use]
    pub fn ordered(mut self) -> Self {
        self.ordered = true;
        self
    }

    /// There are very many points: no tooltips, and instead of the table a sentence that says where the numbers are.
    #[must_use]
    pub fn light(mut self, numbers_are: impl Into<String>) -> Self {
        self.light = Some(numbers_are.into());
        self
    }

    #[must_use]
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// A vertical line at a value of x: a size that was inferred.
    #[must_use]
    pub fn mark_x(mut self, at: f64, label: impl Into<String>) -> Self {
        self.marks.push(Mark { direction: Direction::X, at, label: label.into() });
        self
    }

    /// A horizontal line at a value of y.
    #[must_use]
    pub fn mark_y(mut self, at: f64, label: impl Into<String>) -> Self {
        self.marks.push(Mark { direction: Direction::Y, at, label: label.into() });
        self
    }

    /// Points (x, y) that a value rests on. A link to `anchor` shows the plot with these points ringed, and the label.
    #[must_use]
    pub fn evidence(
        mut self,
        anchor: &str,
        label: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let (anchor, label, points) = (slug(anchor), label.into(), points.into_iter().collect());
        self.evidence.push(Evidence { anchor, label, points });
        self
    }

    /// Can the axes show the point?
    fn shows(&self, p: &Point) -> bool {
        self.x.shows(p.x) && self.y.shows(p.y)
    }

    /// The points that the axes cannot show, in a sentence.
    fn hidden(&self) -> Option<String> {
        let hidden = self.series.iter().flat_map(|s| &s.points).filter(|p| !self.shows(p)).count();
        let are = if hidden == 1 { "point is" } else { "points are" };
        (hidden > 0).then(|| format!("{hidden} {are} not shown: no number, or not above 0 on a logarithmic axis."))
    }
}

impl Part for Plot {
    fn html(&self, place: &mut PageContext) -> Markup {
        let id = place.anchor(&self.anchor);
        let caption = format!("{id}-caption");
        let mut shown = vec![];
        for evidence in &self.evidence {
            let Some(anchor) = place.exact_anchor(&evidence.anchor) else { continue };
            place.rule(&format!(
                "#{anchor}:target~.evidence.e-{anchor},#{anchor}:target~svg .e-{anchor}{{display:block}}"
            ));
            shown.push((anchor, evidence));
        }
        place.series(self.series.len());
        let notes = [Some(self.note.clone()).filter(|n| !n.is_empty()), self.hidden(), marks::outside(self)];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        html! {
            figure.plot id=(id) {
                @for (anchor, _) in &shown { span.target id=(anchor) {} }
                figcaption id=(caption) { (inline(&self.title)) }
                (note_line(&notes.join(" ")))
                @for (anchor, evidence) in &shown {
                    p.evidence.{ "e-" (anchor) } { (inline(&evidence.label)) }
                }
                @if self.series.iter().flat_map(|s| &s.points).any(|p| self.shows(p)) {
                    (draw::legend(self))
                    (draw::picture(self, &id, &caption, &shown))
                } @else {
                    p.none { "There are no points to show." }
                }
                (data::table(self))
            }
        }
    }
}
