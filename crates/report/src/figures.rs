//! Key figures: the few most important values.

use crate::inline::inline;
use crate::page::{PageContext, Part};
use maud::{html, Markup};

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
    fn html(&self, _: &mut PageContext) -> Markup {
        html! {
            dl.figures {
                @for (label, value, note) in &self.0 {
                    div {
                        dt { (label) }
                        dd { (value) }
                        @if !note.is_empty() { dd.more { (inline(note)) } }
                    }
                }
            }
        }
    }
}
