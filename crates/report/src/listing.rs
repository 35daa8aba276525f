//! A source file with figures beside its lines.

use crate::escape::{escape, inline, slug};
use crate::page::{PageContext, Part};
use crate::table::Cell;
use crate::text::{Note, Tone};

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
    fn html(&self, place: &mut PageContext) -> String {
        let width = self.columns.len() + 2;
        let mut rows = String::new();
        let mut last = None;
        for line in &self.lines {
            // Lines that are not shown leave a gap.
            if last.is_some_and(|l| l + 1 < line.number) {
                rows.push_str(&format!("<tr class=\"gap\"><td colspan=\"{width}\">⋯</td></tr>\n"));
            }
            last = Some(line.number);
            let id = place.exact_anchor(&format!("{} {}", self.file, line.number));
            let id = id.map_or(String::new(), |id| format!(" id=\"{id}\""));
            let empty = Cell::default();
            let cells: String = (0..self.columns.len()).map(|i| line.cells.get(i).unwrap_or(&empty).html("")).collect();
            rows.push_str(&format!(
                "<tr{id}{}>{cells}<td class=\"nr\">{}</td><td class=\"source code\">{}</td></tr>\n",
                if line.hot { " class=\"hot\"" } else { "" },
                line.number,
                escape(&line.text)
            ));
            if !line.notes.is_empty() {
                let notes: String =
                    line.notes.iter().map(|(tone, title, text)| Note::new(*tone, title, text).html(place)).collect();
                rows.push_str(&format!(
                    "<tr class=\"remark\"><td colspan=\"{}\"></td><td>{notes}</td></tr>\n",
                    width - 1
                ));
            }
        }
        let heads: String =
            self.columns.iter().map(|c| format!("<th scope=\"col\" class=\"n\">{}</th>", inline(c))).collect();
        let id = place.anchor(&slug(&self.file));
        format!(
            "<h3 id=\"{id}\"><code>{}</code></h3>\n<div class=\"scroll broad\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\
             <table class=\"listing\"><thead><tr>{heads}<th scope=\"col\" class=\"n\">line</th><th scope=\"col\">source</th></tr></thead><tbody>\n{rows}</tbody></table></div>\n",
            escape(&self.file),
            escape(&self.file)
        )
    }
}
