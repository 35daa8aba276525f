//! Key figures: the few most important values.

use crate::escape::{escape, inline};
use crate::page::{PageContext, Part};

/// Cards with a label, a value, and a note each.
#[derive(Default)]
pub struct Figures(Vec<(String, String, String)>);

impl Figures {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a card; the note may be empty.
    #[must_use]
    pub fn card(mut self, label: impl Into<String>, value: impl Into<String>, note: impl Into<String>) -> Self {
        self.0.push((label.into(), value.into(), note.into()));
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Part for Figures {
    fn html(&self, _: &mut PageContext) -> String {
        let card = |(label, value, note): &(String, String, String)| {
            let note =
                if note.is_empty() { String::new() } else { format!("<dd class=\"more\">{}</dd>", inline(note)) };
            format!("<div><dt>{}</dt><dd>{}</dd>{note}</div>\n", escape(label), escape(value))
        };
        format!("<dl class=\"figures\">\n{}</dl>\n", self.0.iter().map(card).collect::<String>())
    }
}
