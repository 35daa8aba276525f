//! Tables: one definition for a terminal and for a page.

use crate::inline::{inline, link, slug};
use crate::page::{PageContext, Part};
use maud::{html, Markup};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The content of a row in a column.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    text: String,
    /// The key by which a column of numbers is sorted.
    key: Option<f64>,
    /// A share from 0 to 1, drawn as a bar behind the text.
    bar: Option<f64>,
    link: Option<String>,
    more: Vec<(String, String)>,
    number: bool,
    tight: bool,
}

impl Cell {
    /// A number: right-aligned, sorted by its value, written as `text`.
    pub fn number(value: f64, text: impl Into<String>) -> Self {
        Self { text: text.into(), key: Some(value), number: true, ..Self::default() }
    }

    /// A share from 0 to 1 as a bar with its percentage.
    pub fn bar(share: f64) -> Self {
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        Self { bar: Some(share), ..Self::number(share, format!("{:.0} %", share * 100.0)) }
    }

    /// Draws a bar of this length (0 to 1) behind the cell.
    #[must_use]
    pub fn with_bar(mut self, share: f64) -> Self {
        self.bar = Some(if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 });
        self
    }

    /// Links to the anchor of this name in the page, see [`slug`].
    #[must_use]
    pub fn link(mut self, anchor: &str) -> Self {
        self.link = Some(slug(anchor));
        self
    }

    /// The text is not broken into lines.
    #[must_use]
    pub fn tight(mut self) -> Self {
        self.tight = true;
        self
    }

    /// Adds a link with a text of its own, which a terminal does not show.
    #[must_use]
    pub fn and_link(mut self, text: impl Into<String>, anchor: &str) -> Self {
        self.more.push((text.into(), slug(anchor)));
        self
    }

    /// As a cell of a row; `head` comes before it if the columns are not side by side.
    pub(crate) fn html(&self, head: &str) -> Markup {
        let text = html! {
            @match &self.link {
                Some(anchor) => (link(anchor, &self.text)),
                None => (inline(&self.text)),
            }
            @for (text, anchor) in &self.more { " " (link(anchor, text)) }
        };
        // A long cell without breaks would push the others out of sight.
        let short = self.text.chars().count() <= 28;
        let classes = [
            (self.number && !short, "l"),
            (self.number, "n"),
            (self.bar.is_some(), "b"),
            (self.tight && !self.number && short, "t"),
        ];
        let classes: Vec<&str> = classes.into_iter().filter(|c| c.0).map(|c| c.1).collect();
        let class = (!classes.is_empty()).then(|| classes.join(" "));
        let key = self.key.filter(|key| key.is_finite());
        html! {
            td class=[class] data-k=[key] data-h=[(!head.is_empty()).then_some(head)] {
                @match self.bar {
                    Some(bar) => span style=(format_args!("--b:{:.1}%", bar * 100.0)) { (text) },
                    None => (text),
                }
            }
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// A table with more rows scrolls inside itself.
const TALL: usize = 16;

/// A table with at least this number of columns is as wide as the screen allows.
const BROAD: usize = 8;

/// Rows under columns. In a page it is sorted by a click on a column, and scrolls inside itself if it is too wide.
#[derive(Clone, Debug, Default)]
pub struct Table {
    caption: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
    unsorted: bool,
    stacked: bool,
}

impl Table {
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Self {
        Self { columns: columns.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    #[must_use]
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.caption = text.into();
        self
    }

    /// The order of the rows has a meaning: no sorting.
    #[must_use]
    pub fn in_order(mut self) -> Self {
        self.unsorted = true;
        self
    }

    /// On a phone the cells of a row stand below each other, for tables with long texts.
    #[must_use]
    pub fn stacked(mut self) -> Self {
        self.stacked = true;
        self
    }

    /// Adds a row; missing cells are empty.
    #[must_use]
    pub fn row<C: Into<Cell>>(mut self, cells: impl IntoIterator<Item = C>) -> Self {
        self.push(cells);
        self
    }

    pub fn push<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let mut row: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        row.resize(self.columns.len(), Cell::default());
        self.rows.push(row);
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// For a terminal with `width` columns: columns of text are wrapped if there is not enough room, numbers never.
    pub fn text(&self, width: usize) -> String {
        let clean = |text: &str| text.replace('`', "").replace(|c: char| c.is_control(), " ");
        let rows: Vec<Vec<String>> = self.rows.iter().map(|r| r.iter().map(|c| clean(&c.text)).collect()).collect();
        let heads: Vec<String> = self.columns.iter().map(|c| clean(c)).collect();
        let numbers: Vec<bool> = (0..heads.len())
            .map(|i| !self.rows.is_empty() && self.rows.iter().all(|r| r[i].number || r[i].text.is_empty()))
            .collect();
        let all = || std::iter::once(&heads).chain(&rows);
        let mut widths: Vec<usize> = (0..heads.len()).map(|i| all().map(|r| r[i].width()).max().unwrap_or(0)).collect();
        // The widest column of text is narrowed first, down to a readable width.
        let sum = |widths: &[usize]| widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        while sum(&widths) > width {
            let widest = (0..widths.len()).filter(|i| !numbers[*i] && widths[*i] > 12).max_by_key(|i| widths[*i]);
            let Some(widest) = widest else { break };
            widths[widest] -= 1;
        }
        let mut out = String::new();
        let mut line = |cells: &[String]| {
            let pieces: Vec<Vec<String>> = cells.iter().zip(&widths).map(|(c, w)| wrapped(c, *w)).collect();
            for l in 0..pieces.iter().map(Vec::len).max().unwrap_or(0) {
                let mut text = String::new();
                for (i, piece) in pieces.iter().enumerate() {
                    let piece = piece.get(l).map_or("", String::as_str);
                    let room = " ".repeat(widths[i].saturating_sub(piece.width()));
                    let gap = if i == 0 { "" } else { "  " };
                    text += &if numbers[i] { format!("{gap}{room}{piece}") } else { format!("{gap}{piece}{room}") };
                }
                out.push_str(text.trim_end());
                out.push('\n');
            }
        };
        if heads.iter().any(|h| !h.is_empty()) {
            line(&heads);
            line(&widths.iter().map(|w| "─".repeat(*w)).collect::<Vec<_>>());
        }
        rows.iter().for_each(|r| line(r));
        out
    }
}

/// Lines of at most `width` columns, broken at blanks if there are any.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let room = word.width();
        if used > 0 && used + 1 + room > width {
            lines.push(String::new());
            used = 0;
        } else if used > 0 {
            lines.last_mut().expect("a line").push(' ');
            used += 1;
        }
        for c in word.chars() {
            let w = c.width().unwrap_or(0);
            if used + w > width && used > 0 {
                lines.push(String::new());
                used = 0;
            }
            lines.last_mut().expect("a line").push(c);
            used += w;
        }
    }
    lines
}

impl Part for Table {
    fn html(&self, _: &mut PageContext) -> Markup {
        let number = |i: usize| !self.rows.is_empty() && self.rows.iter().all(|r| r[i].number || r[i].text.is_empty());
        let sorted = |title: &str| !self.unsorted && self.rows.len() >= 3 && !title.is_empty();
        let head = |i: usize| if self.stacked && i > 0 { self.columns[i].as_str() } else { "" };
        // A scrolling region must be reachable by keyboard, and needs a name.
        let name = if self.caption.is_empty() { self.columns.join(", ") } else { self.caption.clone() };
        let (broad, tall) = (self.columns.len() >= BROAD, self.rows.len() > TALL);
        html! {
            div.scroll.broad[broad].tall[tall] tabindex="0" role="region" aria-label=(name.replace('`', "")) {
                table class=[self.stacked.then_some("stack")] {
                    @if !self.caption.is_empty() { caption { (inline(&self.caption)) } }
                    thead {
                        tr {
                            @for (i, title) in self.columns.iter().enumerate() {
                                th scope="col" class=[number(i).then_some("n")] {
                                    @if sorted(title) {
                                        button type="button" { (inline(title)) }
                                    } @else {
                                        (inline(title))
                                    }
                                }
                            }
                        }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr { @for (i, cell) in row.iter().enumerate() { (cell.html(head(i))) } }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_for_a_terminal() {
        let table = Table::new(["what", "bytes", "why"])
            .row([Cell::from("größe"), Cell::number(32.0, "32 KiB"), "a rule that has many words".into()])
            .row([Cell::from("線"), Cell::number(64.0, "64 B"), "short".into()]);
        let expected = "\
what    bytes  why
─────  ──────  ────────────
größe  32 KiB  a rule that
               has many
               words
線       64 B  short
";
        assert_eq!(table.text(27), expected);
    }

    #[test]
    fn what_cannot_be_narrower_is_wider_than_the_terminal() {
        let table = Table::new(["a"]).row([Cell::number(1.0, "1234567890")]);
        assert!(table.text(3).contains("1234567890"));
        assert_eq!(Table::new(["x"]).row(["abcdefghijklmnopqrstuvwxyz"]).text(13).lines().count(), 4);
    }
}
