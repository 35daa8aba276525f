//! Diagnostics as text: the line as the user wrote it, a caret, notes, hint and the clause.

use crate::args::DiagFormat;
use crate::locate::in_original;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use fathom_syntax::token::{Source, TokRange};
use fathom_syntax::{Diag, Severity};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::ops::Range;

/// How to render.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub format: DiagFormat,
    pub colour: bool,
    /// Errors shown; the rest is counted.
    pub max_errors: usize,
    pub warnings: bool,
    /// `-Werror`
    pub warnings_are_errors: bool,
}

/// The text for all diagnostics of a unit, and how many are errors.
pub fn render(source: &Source, diags: &[Diag], style: Style) -> (String, usize) {
    let mut page = Page { source, files: HashMap::new(), style, out: String::new() };
    let mut order: Vec<&Diag> = diags.iter().filter(|d| page.wanted(d)).collect();
    order.sort_by_key(|d| (d.span.lo, d.span.hi));
    let mut seen = HashSet::new();
    let (mut errors, mut warnings, mut hidden) = (0, 0, 0);
    for diag in order {
        if !seen.insert((diag.span.lo, diag.code, diag.message.as_str())) {
            continue;
        }
        if page.is_error(diag) {
            errors += 1;
            if errors > style.max_errors {
                hidden += 1;
                continue;
            }
        } else {
            warnings += 1;
        }
        match style.format {
            DiagFormat::Short => page.short(diag),
            DiagFormat::Full => page.full(diag),
        }
    }
    if style.format == DiagFormat::Full && errors > 0 {
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let mut line = count(errors, "error");
        if warnings > 0 {
            let _ = write!(line, " and {}", count(warnings, "warning"));
        }
        if hidden > 0 {
            let _ = write!(line, " ({hidden} not shown: -fmax-errors=0 shows all)");
        }
        let file = page.main_file().to_string();
        let _ = writeln!(page.out, "{line} in {file}");
    }
    (page.out, errors)
}

struct Page<'a> {
    source: &'a Source,
    /// Lines of the files as they are on disk; `None` where a file cannot be read.
    files: HashMap<u32, Option<Vec<String>>>,
    style: Style,
    out: String,
}

/// A part of one line of a file.
struct Spot {
    file: String,
    line: usize,
    text: String,
    range: Range<usize>,
}

impl<'a> Page<'a> {
    fn is_error(&self, d: &Diag) -> bool {
        d.severity == Severity::Error || self.style.warnings_are_errors
    }

    /// Warnings can be off, and those about system headers are not shown.
    fn wanted(&self, d: &Diag) -> bool {
        d.severity == Severity::Error || (self.style.warnings && !self.source.tok_place(self.clamp(d.span).lo).system)
    }

    fn main_file(&self) -> &str {
        let real = |f: &&String| !f.starts_with('<') && !f.is_empty();
        self.source.files.iter().find(real).map_or("the input", |f| f)
    }

    fn clamp(&self, span: TokRange) -> TokRange {
        let last = self.source.tokens.len().saturating_sub(1) as u32;
        let lo = span.lo.min(last);
        TokRange { lo, hi: span.hi.clamp(lo + 1, last + 1) }
    }

    /// The place of a range of tokens: of its first line, if it has more.
    fn spot(&mut self, span: TokRange) -> Spot {
        let source = self.source;
        let span = self.clamp(span);
        if source.tokens.is_empty() {
            return Spot { file: String::new(), line: 1, text: String::new(), range: 0..0 };
        }
        let lo = source.tokens[span.lo as usize].lo as usize;
        let hi = source.tokens[span.hi as usize - 1].hi as usize;
        let place = source.place(lo as u32);
        let line_start = source.text[..lo].rfind('\n').map_or(0, |n| n + 1);
        let line_end = source.text[lo..].find('\n').map_or(source.text.len(), |n| lo + n);
        let squeezed = &source.text[line_start..line_end];
        let wanted = lo - line_start..hi.min(line_end).max(lo) - line_start;
        let file = source.files.get(place.file as usize).cloned().unwrap_or_default();
        let lines = self.files.entry(place.file).or_insert_with(|| {
            let text = std::fs::read(&file).ok()?;
            Some(String::from_utf8_lossy(&text).lines().map(String::from).collect())
        });
        let (text, range) = match lines.as_ref().and_then(|l| l.get((place.line as usize).wrapping_sub(1))) {
            Some(line) => (line.clone(), in_original(line, squeezed, wanted)),
            None => (squeezed.to_string(), wanted),
        };
        Spot { file, line: place.line as usize, text, range }
    }

    /// Where the caret belongs: after the span, if something is missing there.
    fn spot_of(&mut self, d: &Diag) -> Spot {
        let mut spot = self.spot(d.span);
        if d.after {
            spot.range = spot.range.end..spot.range.end;
        }
        spot
    }

    fn short(&mut self, d: &Diag) {
        let spot = self.spot_of(d);
        let level = if self.is_error(d) { "error" } else { "warning" };
        let _ = write!(
            self.out,
            "{}:{}:{}: {level}[{}]: {}",
            spot.file,
            spot.line,
            spot.range.start + 1,
            d.code,
            d.message
        );
        if let Some(clause) = d.clause {
            let _ = write!(self.out, " [{clause}]");
        }
        self.out.push('\n');
    }

    fn full(&mut self, d: &Diag) {
        let level = if self.is_error(d) { Level::ERROR } else { Level::WARNING };
        let spot = self.spot_of(d);
        let label = (!d.label.is_empty()).then_some(d.label.as_str());
        let mut group = level
            .primary_title(d.message.as_str())
            .id(d.code)
            .element(snippet(&spot, vec![AnnotationKind::Primary.span(spot.range.clone()).label(label)]));
        let notes: Vec<(Spot, &str)> = d.notes.iter().map(|(span, text)| (self.spot(*span), text.as_str())).collect();
        for (spot, text) in &notes {
            group = group.element(snippet(spot, vec![AnnotationKind::Context.span(spot.range.clone()).label(*text)]));
        }
        if let Some(hint) = &d.hint {
            group = group.element(Level::HELP.message(hint.as_str()));
        }
        if let Some(clause) = d.clause {
            group = group.element(Level::NOTE.message(clause));
        }
        let renderer = if self.style.colour { Renderer::styled() } else { Renderer::plain() };
        let report: &[Group<'_>] = &[group];
        self.out.push_str(&renderer.render(report));
        self.out.push_str("\n\n");
    }
}

fn snippet<'s>(spot: &'s Spot, annotations: Vec<Annotation<'s>>) -> Snippet<'s, Annotation<'s>> {
    Snippet::source(spot.text.as_str()).line_start(spot.line).path(spot.file.as_str()).annotations(annotations)
}
