//! Words between the pictures.

use crate::escape::{escape, inline, slug};
use crate::page::{PageContext, Part};

/// A paragraph; an empty line begins the next. Text between `backticks` is set as code.
pub struct Text(String);

impl Text {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl Part for Text {
    fn html(&self, _: &mut PageContext) -> String {
        let paragraphs = self.0.split("\n\n").filter(|p| !p.trim().is_empty());
        paragraphs.map(|p| format!("<p>{}</p>\n", inline(p.trim()))).collect()
    }
}

/// A line of links to other parts of the page.
pub struct Links(Vec<(String, String)>);

impl Links {
    /// Each a text and the name of an anchor.
    pub fn new<T: Into<String>>(links: impl IntoIterator<Item = (T, T)>) -> Self {
        Self(links.into_iter().map(|(text, anchor)| (text.into(), slug(&anchor.into()))).collect())
    }
}

impl Part for Links {
    fn html(&self, _: &mut PageContext) -> String {
        let link = |(text, anchor): &(String, String)| format!("<li><a href=\"#{anchor}\">{}</a></li>\n", inline(text));
        format!("<ul class=\"links\">\n{}</ul>\n", self.0.iter().map(link).collect::<String>())
    }
}

/// A heading within a section.
pub struct Heading(String);

impl Heading {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl Part for Heading {
    fn html(&self, place: &mut PageContext) -> String {
        let id = place.anchor(&slug(&self.0));
        format!("<h3 id=\"{id}\">{}</h3>\n", inline(&self.0))
    }
}

/// The kind of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Good,
    Warning,
}

/// A highlighted remark: a title and a sentence.
pub struct Note {
    tone: Tone,
    title: String,
    text: String,
}

impl Note {
    pub fn new(tone: Tone, title: impl Into<String>, text: impl Into<String>) -> Self {
        Self { tone, title: title.into(), text: text.into() }
    }
}

impl Part for Note {
    fn html(&self, _: &mut PageContext) -> String {
        // The sign tells it, too, to readers who do not see the colour.
        let (class, sign) = match self.tone {
            Tone::Plain => ("plain", "•"),
            Tone::Good => ("good", "✓"),
            Tone::Warning => ("warning", "!"),
        };
        format!(
            "<div class=\"note {class}\"><span class=\"sign\" aria-hidden=\"true\">{sign}</span><div><strong>{}</strong> {}</div></div>\n",
            escape(&self.title),
            inline(&self.text)
        )
    }
}
