//! A page of sections of parts, as one HTML file.

use crate::inline::{inline, link, slug};
use crate::style;
use maud::{html, Markup, PreEscaped, DOCTYPE};
use std::collections::BTreeSet;

/// Something that a page can hold.
pub trait Part {
    fn html(&self, place: &mut PageContext) -> Markup;
}

/// The state that the parts of a page share while it is written: used anchors, rules for the style sheet.
#[derive(Default)]
pub struct PageContext {
    anchors: BTreeSet<String>,
    rules: String,
    series: usize,
}

impl PageContext {
    /// An unused anchor like this one.
    pub(crate) fn anchor(&mut self, wanted: &str) -> String {
        let wanted = slug(wanted);
        let mut anchor = wanted.clone();
        let mut n = 2;
        while !self.anchors.insert(anchor.clone()) {
            anchor = format!("{wanted}-{n}");
            n += 1;
        }
        anchor
    }

    /// An anchor with exactly this name, because other parts link to it; None if it is used.
    pub(crate) fn exact_anchor(&mut self, wanted: &str) -> Option<String> {
        let wanted = slug(wanted);
        self.anchors.insert(wanted.clone()).then_some(wanted)
    }

    /// Adds a rule to the page's style sheet. It must not contain foreign text, because it is not escaped.
    pub(crate) fn rule(&mut self, rule: &str) {
        self.rules.push_str(rule);
        self.rules.push('\n');
    }

    /// Records that the page has a picture with this number of series.
    pub(crate) fn series(&mut self, count: usize) {
        self.series = self.series.max(count);
    }
}

/// A part of a page with a heading of its own, to which the page's contents link.
pub struct Section {
    title: String,
    anchor: String,
    parts: Vec<Box<dyn Part>>,
}

impl Section {
    pub fn new(title: impl Into<String>) -> Self {
        let title = title.into();
        Self { anchor: slug(&title), title, parts: vec![] }
    }

    #[must_use]
    pub fn part(mut self, part: impl Part + 'static) -> Self {
        self.push(part);
        self
    }

    pub fn push(&mut self, part: impl Part + 'static) {
        self.parts.push(Box::new(part));
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

/// A page: one self-contained file.
pub struct Page {
    title: String,
    subtitle: String,
    footer: String,
    sections: Vec<Section>,
}

impl Page {
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), subtitle: String::new(), footer: String::new(), sections: vec![] }
    }

    /// A line under the title.
    #[must_use]
    pub fn subtitle(mut self, text: impl Into<String>) -> Self {
        self.subtitle = text.into();
        self
    }

    /// The last line.
    #[must_use]
    pub fn footer(mut self, text: impl Into<String>) -> Self {
        self.footer = text.into();
        self
    }

    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// The file's text.
    pub fn html(&self) -> String {
        let mut place = PageContext::default();
        // Sections first: their parts must not take the anchors that the contents link to.
        let anchors: Vec<String> = self.sections.iter().map(|s| place.anchor(&s.anchor)).collect();
        let body = html! {
            @for (section, anchor) in self.sections.iter().zip(&anchors) {
                section aria-labelledby=(anchor) {
                    h2 id=(anchor) { (inline(&section.title)) }
                    @for part in &section.parts { (part.html(&mut place)) }
                }
            }
        };
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta http-equiv="Content-Security-Policy" content=(style::POLICY);
                    meta name="color-scheme" content="light dark";
                    link rel="icon" href="data:,";
                    title { (self.title.replace('`', "")) }
                    // A browser reads no entities in a style sheet. It holds text of this crate and anchors, which are
                    // letters, digits and dashes.
                    style { (PreEscaped(style::sheet(place.series))) (PreEscaped(&place.rules)) }
                }
                body {
                    (style::symbols())
                    header {
                        div {
                            h1 { (inline(&self.title)) }
                            @if !self.subtitle.is_empty() { p.subtitle { (inline(&self.subtitle)) } }
                        }
                        (style::switch())
                    }
                    @if self.sections.len() > 1 {
                        nav aria-label="Contents" {
                            ul {
                                @for (section, anchor) in self.sections.iter().zip(&anchors) {
                                    li { (link(anchor, &section.title)) }
                                }
                            }
                        }
                    }
                    main { (body) }
                    @if !self.footer.is_empty() { footer.foot { (inline(&self.footer)) } }
                    // Nor does it read entities in a script, which is a file of this crate.
                    script { (PreEscaped(style::SCRIPT)) }
                }
            }
        };
        page.into_string().replace(forbidden, "\u{fffd}")
    }
}

/// Characters that HTML does not allow, and the marks that would turn the direction of the text that follows.
fn forbidden(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Axis, Bars, Cell, Figures, Heading, HeatMap, Interval, Line, Links, Listing, Note, Plot, Series, Table, Text,
        Timeline, Tone, Unit,
    };

    /// Every text that a caller can give is hostile here.
    #[test]
    fn nothing_of_a_text_is_markup() {
        let bad = "\"<script>a('&\u{0}\u{202e}')</script>";
        let axis = || Axis::new(bad).unit(Unit::Named(bad.into()));
        let points = [(1.0, 2.0), (3.0, 4.0)];
        let plot = |style: fn(String, [(f64, f64); 2]) -> Series| {
            let series = style(bad.into(), points).fit(bad, 1.0, 3.0, |x| x);
            let plot = Plot::new(bad, axis(), axis()).note(bad).series(series).mark_x(2.0, bad).mark_y(3.0, bad);
            plot.mark_x(9.0, bad).evidence(bad, bad, points).anchor(bad)
        };
        let interval = |kind| Interval { lane: 0, kind, start_ns: 0.0, end_ns: 9.0 };
        let mut line = Line::new(1, bad);
        line.cells = vec![Cell::bar(0.5).link(bad).and_link(bad, bad), bad.into()];
        line.notes = vec![(Tone::Plain, bad.into(), bad.into())];
        let section = Section::new(bad)
            .part(Text::new(bad))
            .part(Links::new([(bad, bad)]))
            .part(Heading::new(bad))
            .part(Note::new(Tone::Good, bad, bad))
            .part(Figures::new().card(bad, bad, bad))
            .part(Table::new([bad, bad]).caption(bad).stacked().row([bad, bad]).row([bad, bad]).row([bad, bad]))
            .part(Table::new([bad]))
            .part(Listing::new(bad, [bad, bad]).line(line))
            .part(Bars::new(bad, Unit::Named(bad.into())).series([bad, bad]).note(bad).bar(bad, [1.0, 2.0]))
            .part(HeatMap::new(bad, (bad, bad), Unit::Named(bad.into()), vec![vec![1.0, 2.0]]).note(bad))
            .part(Timeline::new(bad, [bad], [bad, bad]).note(bad).intervals([interval(0), interval(1)]))
            .part(plot(Series::line))
            .part(plot(Series::scatter).light(bad));
        let html = Page::new(bad).subtitle(bad).footer(bad).section(section).section(Section::new(bad)).html();
        let escaped = "&quot;&lt;script&gt;a('&amp;\u{fffd}\u{fffd}')&lt;/script&gt;";
        assert!(html.matches(escaped).count() > 60, "{}", html.matches(escaped).count());
        assert_eq!((html.matches("<script").count(), html.matches("</script").count()), (1, 1));
        assert!(!html.contains(forbidden));
    }
}
