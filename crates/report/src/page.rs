//! A page of sections of parts, as one HTML file.

use crate::escape::{escape, inline, slug};
use crate::style;
use std::collections::BTreeSet;

/// Something that a page can hold.
pub trait Part {
    fn html(&self, place: &mut PageContext) -> String;
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

    /// Adds a rule to the page's style sheet. It must not contain foreign text.
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
        let (mut contents, mut body) = (String::new(), String::new());
        for (section, anchor) in self.sections.iter().zip(&anchors) {
            let title = inline(&section.title);
            contents.push_str(&format!("<li><a href=\"#{anchor}\">{title}</a></li>\n"));
            let parts: String = section.parts.iter().map(|p| p.html(&mut place)).collect();
            body.push_str(&format!(
                "<section aria-labelledby=\"{anchor}\">\n<h2 id=\"{anchor}\">{title}</h2>\n{parts}</section>\n"
            ));
        }
        let optional = |text: &str, tag: &str, class: &str| match text {
            "" => String::new(),
            _ => format!("<{tag} class=\"{class}\">{}</{tag}>\n", inline(text)),
        };
        let contents = match self.sections.len() {
            0 | 1 => String::new(),
            _ => format!("<nav aria-label=\"Contents\"><ul>\n{contents}</ul></nav>\n"),
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>\n{css}{rules}</style>\n</head>\n<body>\n{symbols}\
             <header>\n<div>\n<h1>{heading}</h1>\n{subtitle}</div>\n{switch}</header>\n{contents}<main>\n{body}</main>\n\
             {footer}<script>\n{script}</script>\n</body>\n</html>\n",
            policy = style::POLICY,
            title = escape(&self.title.replace('`', "")),
            css = style::sheet(place.series),
            rules = place.rules,
            symbols = style::symbols(),
            heading = inline(&self.title),
            subtitle = optional(&self.subtitle, "p", "subtitle"),
            switch = style::SWITCH,
            footer = optional(&self.footer, "footer", "foot"),
            script = style::SCRIPT,
        )
    }
}
