//! A source file with figures beside its lines.

use crate::inline::{inline, slug};
use crate::page::{PageContext, Part};
use crate::table::Cell;
use crate::text::{Note, Tone};
use maud::{html, Markup};

/// A line of the source.
pub struct Line {
    pub number: usize,
    pub text: String,
    /// One for each column; empty for a line that has none.
    pub cells: Vec<Cell>,
    /// Highlighted: much of the time is spent here.
    pub hot: bool,
    /// Remarks that stand under the line.
    pub notes: Vec<(Tone, String, String)>,
}

impl Line {
    pub fn new(number: usize, text: impl Into<String>) -> Self {
        Self { number, text: text.into(), cells: vec![], hot: false, notes: vec![] }
    }
}

/// Lines of a source, with columns of figures before them. A line's anchor is `slug` of the file's name, a blank and the
/// line's number, to which [`Cell::link`] may link.
pub struct Listing {
    file: String,
    columns: Vec<String>,
    lines: Vec<Line>,
}

impl Listing {
    pub fn new<S: Into<String>>(file: impl Into<String>, columns: impl IntoIterator<Item = S>) -> Self {
        Self { file: file.into(), columns: columns.into_iter().map(Into::into).collect(), lines: vec![] }
    }

    #[must_use]
    pub fn line(mut self, line: Line) -> Self {
        self.push(line);
        self
    }

    pub fn push(&mut self, line: Line) {
        self.lines.push(line);
    }
}

impl Part for Listing {
    fn html(&self, place: &mut PageContext) -> Markup {
        let width = self.columns.len() + 2;
        let empty = Cell::default();
        let before = std::iter::once(None).chain(self.lines.iter().map(|line| Some(line.number)));
        let rows = html! {
            @for (line, before) in self.lines.iter().zip(before) {
                // Lines that are not shown leave a gap.
                @if before.is_some_and(|before| before + 1 < line.number) { tr.gap { td colspan=(width) { "⋯" } } }
                @let id = place.exact_anchor(&format!("{} {}", self.file, line.number));
                tr id=[id] class=[line.hot.then_some("hot")] {
                    @for i in 0..self.columns.len() { (line.cells.get(i).unwrap_or(&empty).html("")) }
                    td.nr { (line.number) }
                    td.source.code { (line.text) }
                }
                @if !line.notes.is_empty() {
                    tr.remark {
                        td colspan=(width - 1) {}
                        td {
                            @for (tone, title, text) in &line.notes { (Note::new(*tone, title, text).html(place)) }
                        }
                    }
                }
            }
        };
        html! {
            h3 id=(place.anchor(&slug(&self.file))) { code { (self.file) } }
            div.scroll.broad tabindex="0" role="region" aria-label=(self.file) {
                table.listing {
                    thead {
                        tr {
                            @for column in &self.columns { th.n scope="col" { (inline(column)) } }
                            th.n scope="col" { "line" }
                            th scope="col" { "source" }
                        }
                    }
                    tbody { (rows) }
                }
            }
        }
    }
}
