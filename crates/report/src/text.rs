//! Words between the pictures.

use crate::inline::{inline, link, slug};
use crate::page::{PageContext, Part};
use maud::{html, Markup};

/// A paragraph; an empty line begins the next. Text between `backticks` is set as code.
pub struct Text(String);

impl Text {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl Part for Text {
    fn html(&self, _: &mut PageContext) -> Markup {
        let paragraphs = self.0.split("\n\n").map(str::trim).filter(|p| !p.is_empty());
        html! { @for paragraph in paragraphs { p { (inline(paragraph)) } } }
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
    fn html(&self, _: &mut PageContext) -> Markup {
        html! { ul.links { @for (text, anchor) in &self.0 { li { (link(anchor, text)) } } } }
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
    fn html(&self, place: &mut PageContext) -> Markup {
        html! { h3 id=(place.anchor(&slug(&self.0))) { (inline(&self.0)) } }
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
    fn html(&self, _: &mut PageContext) -> Markup {
        // The sign tells it, too, to readers who do not see the colour.
        let (class, sign) = match self.tone {
            Tone::Plain => ("plain", "•"),
            Tone::Good => ("good", "✓"),
            Tone::Warning => ("warning", "!"),
        };
        html! {
            div.note.(class) {
                span.sign aria-hidden="true" { (sign) }
                div { strong { (self.title) } " " (inline(&self.text)) }
            }
        }
    }
}
