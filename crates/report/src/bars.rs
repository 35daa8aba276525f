//! Bar charts: a length for each label, and a series for each of several settings.

use crate::escape::{escape, inline, slug};
use crate::page::{PageContext, Part};
use crate::style::series_class;
use crate::Unit;

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
    fn html(&self, place: &mut PageContext) -> String {
        let id = place.anchor(&slug(&self.title));
        let finite = || self.groups.iter().flat_map(|g| &g.1).copied().filter(|v| v.is_finite());
        let most = finite().fold(0.0, f64::max);
        place.series(self.series.len());
        let mut rows = String::new();
        for (label, values) in &self.groups {
            for (i, value) in values.iter().enumerate() {
                let head = match i {
                    0 => format!("<th scope=\"rowgroup\" rowspan=\"{}\">{}</th>", values.len(), inline(label)),
                    _ => String::new(),
                };
                let width =
                    if value.is_finite() && most > 0.0 { (value / most * 100.0).clamp(0.0, 100.0) } else { 0.0 };
                let bar = match value.is_finite() {
                    true => format!("<i style=\"width:{width:.2}%\"></i>"),
                    false => String::new(),
                };
                let name = self.series.get(i).map_or("", String::as_str);
                rows.push_str(&format!(
                    "<tr class=\"{}\">{head}<td class=\"n\">{}</td><td class=\"track\" title=\"{}\">{bar}</td></tr>\n",
                    series_class(i),
                    escape(&self.unit.text(*value)),
                    escape(name),
                ));
            }
        }
        let key = |(i, name): (usize, &String)| {
            format!("<li class=\"{}\"><i></i><span>{}</span></li>", series_class(i), inline(name))
        };
        let legend = match self.series.len() {
            0 | 1 => String::new(),
            _ => format!("<ul class=\"key\">{}</ul>\n", self.series.iter().enumerate().map(key).collect::<String>()),
        };
        let note = if self.note.is_empty() {
            String::new()
        } else {
            format!("<p class=\"note-line\">{}</p>\n", inline(&self.note))
        };
        let body = match self.groups.is_empty() {
            true => "<p class=\"none\">There is nothing to show.</p>\n".to_string(),
            false => format!("<table class=\"bars\"><tbody>\n{rows}</tbody></table>\n"),
        };
        format!(
            "<figure id=\"{id}\" class=\"bar-chart\"><figcaption>{}</figcaption>\n{note}{legend}{body}</figure>\n",
            inline(&self.title)
        )
    }
}
