//! Bar charts: a length for each label, and a series for each of several settings.

use crate::inline::{inline, note_line, percent, slug};
use crate::page::{PageContext, Part};
use crate::style::series_class;
use crate::Unit;
use maud::{html, Markup};

/// A bar chart with horizontal bars, so that labels may have any length.
pub struct Bars {
    title: String,
    unit: Unit,
    series: Vec<String>,
    groups: Vec<(String, Vec<f64>)>,
    note: String,
}

impl Bars {
    /// With one series; see [`Bars::series`].
    pub fn new(title: impl Into<String>, unit: Unit) -> Self {
        Self { title: title.into(), unit, series: vec![], groups: vec![], note: String::new() }
    }

    /// Names the series, if there are several: each group then has a bar for each.
    #[must_use]
    pub fn series<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.series = names.into_iter().map(Into::into).collect();
        self
    }

    /// A sentence under the title.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// Adds a label with its bars, one of each series. NaN means that there is none.
    #[must_use]
    pub fn bar(mut self, label: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        self.push(label, values);
        self
    }

    pub fn push(&mut self, label: impl Into<String>, values: impl IntoIterator<Item = f64>) {
        self.groups.push((label.into(), values.into_iter().collect()));
    }
}

impl Part for Bars {
    fn html(&self, place: &mut PageContext) -> Markup {
        let id = place.anchor(&slug(&self.title));
        let finite = || self.groups.iter().flat_map(|g| &g.1).copied().filter(|v| v.is_finite());
        let most = finite().fold(0.0, f64::max);
        let width = |value: f64| percent(if most > 0.0 { (value / most).clamp(0.0, 1.0) } else { 0.0 });
        place.series(self.series.len());
        html! {
            figure.bar-chart id=(id) {
                figcaption { (inline(&self.title)) }
                (note_line(&self.note))
                @if self.series.len() > 1 {
                    ul.key {
                        @for (i, name) in self.series.iter().enumerate() {
                            li class=(series_class(i)) { i {} span { (inline(name)) } }
                        }
                    }
                }
                @if self.groups.is_empty() {
                    p.none { "There is nothing to show." }
                } @else {
                    table.bars {
                        tbody {
                            @for (label, values) in &self.groups {
                                @for (i, value) in values.iter().enumerate() {
                                    tr class=(series_class(i)) {
                                        @if i == 0 { th scope="rowgroup" rowspan=(values.len()) { (inline(label)) } }
                                        td.n { (self.unit.text(*value)) }
                                        td.track title=(self.series.get(i).map_or("", String::as_str)) {
                                            @if value.is_finite() { i style={ "width:" (width(*value)) } {} }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
