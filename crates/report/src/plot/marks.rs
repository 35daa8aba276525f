//! Marks: lines at values of an axis, with labels that do not overlap.

use super::{Direction, Mark, Plot};
use crate::axis::Scale;
use crate::inline::{percent, shortened};
use maud::{html, Markup};

/// The width of the narrowest picture in which labels must be readable, in px, and the width of a letter.
const NARROW: f64 = 270.0;
const LETTER: f64 = 6.4;
const LONGEST: usize = 24;

/// The lines and labels, and the number of rows of labels above the picture.
pub fn marks(plot: &Plot, x: &Scale, y: &Scale) -> (Markup, usize) {
    let (vertical, rows) = vertical(plot, x);
    (html! { (vertical) (horizontal(plot, y)) }, rows)
}

fn vertical(plot: &Plot, x: &Scale) -> (Markup, usize) {
    let mut marks: Vec<(f64, &Mark)> = inside(plot, Direction::X, x).map(|m| (x.place(m.at), m)).collect();
    marks.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Where each row's last label ends.
    let mut rows: Vec<f64> = vec![];
    let lines = html! {
        @for (at, mark) in marks {
            @let label = shortened(&mark.label, LONGEST);
            @let width = label.chars().count() as f64 * LETTER / NARROW;
            // Near the ends a label stands inside.
            @let (start, anchor) = match at {
                at if at - width / 2.0 < 0.0 => (at, "start"),
                at if at + width / 2.0 > 1.0 => (at - width, "end"),
                at => (at - width / 2.0, "middle"),
            };
            @let up = 4 + 15 * row_for(&mut rows, start, width);
            line.mark x1=(percent(at)) x2=(percent(at)) y1={ "-" (up) } y2="100%" {}
            text.mark x=(percent(at)) y={ "-" (up + 1) } text-anchor=(anchor) { (label) }
        }
    };
    (lines, rows.len())
}

/// The first row with room for a label.
fn row_for(rows: &mut Vec<f64>, start: f64, width: f64) -> usize {
    let row = rows.iter().position(|end| *end <= start).unwrap_or(rows.len());
    rows.resize(rows.len().max(row + 1), 0.0);
    rows[row] = start + width + LETTER / NARROW;
    row
}

fn horizontal(plot: &Plot, y: &Scale) -> Markup {
    let mut marks: Vec<(f64, &Mark)> = inside(plot, Direction::Y, y).map(|m| (y.place(m.at), m)).collect();
    marks.sort_by(|a, b| b.0.total_cmp(&a.0));
    // Labels stand on their lines, at the right or, where the one above is near, at the left.
    let (mut last, mut right) = (f64::INFINITY, true);
    let sides: Vec<bool> = marks
        .iter()
        .map(|(at, _)| {
            right = last - at > 0.06 || !right;
            last = *at;
            right
        })
        .collect();
    html! {
        @for ((at, mark), right) in marks.into_iter().zip(sides) {
            @let (x, dx, anchor) = if right { ("100%", -6, "end") } else { ("0", 6, "start") };
            @let top = percent(1.0 - at);
            line.mark x1="0" x2="100%" y1=(top) y2=(top) {}
            text.mark x=(x) dx=(dx) y=(top) dy="-4" text-anchor=(anchor) { (shortened(&mark.label, LONGEST)) }
        }
    }
}

fn inside<'a>(plot: &'a Plot, direction: Direction, scale: &'a Scale) -> impl Iterator<Item = &'a Mark> {
    plot.marks.iter().filter(move |m| m.direction == direction && m.at.is_finite() && scale.holds(m.at))
}

/// The marks outside of the picture, in a sentence.
pub fn outside(plot: &Plot) -> Option<String> {
    let (x, y) = plot.scales();
    let reached = |m: &Mark| match m.direction {
        Direction::X => plot.x.shows(m.at) && x.holds(m.at),
        Direction::Y => plot.y.shows(m.at) && y.holds(m.at),
    };
    let text = |m: &Mark| {
        let axis = if m.direction == Direction::X { &plot.x } else { &plot.y };
        let value = axis.text(m.at);
        if m.label.contains(&value) {
            m.label.clone()
        } else {
            format!("{} ({value})", m.label)
        }
    };
    let list: Vec<String> = plot.marks.iter().filter(|m| !reached(m)).map(text).collect();
    (!list.is_empty()).then(|| format!("Outside of the picture: {}.", list.join(", ")))
}
