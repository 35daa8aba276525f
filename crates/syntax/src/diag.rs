//! Diagnostics: what went wrong, where, how to mend it, and which clause says so.

use crate::token::TokRange;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
}

/// One finding. Rendering is the command's business.
#[derive(Clone, Debug)]
pub struct Diag {
    pub severity: Severity,
    /// Stable identifier: `S…` lexical and syntactic, `T…` types, `U…` a constraint of the UPC specification.
    pub code: &'static str,
    pub message: String,
    /// The tokens to underline, with an optional label printed at the caret.
    pub span: TokRange,
    pub label: String,
    /// Further places: (span, label).
    pub notes: Vec<(TokRange, String)>,
    /// What to do about it.
    pub hint: Option<String>,
    /// The caret belongs after the span's last character: something is missing there.
    pub after: bool,
    /// The clause broken, as `UPC 1.3, 6.5.1.1 p2`.
    pub clause: Option<&'static str>,
}

impl Diag {
    pub fn error(code: &'static str, span: TokRange, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            label: String::new(),
            notes: vec![],
            hint: None,
            after: false,
            clause: None,
        }
    }
    pub fn warning(code: &'static str, span: TokRange, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, span, message)
        }
    }
    pub fn label(mut self, l: impl Into<String>) -> Self {
        self.label = l.into();
        self
    }
    pub fn hint(mut self, h: impl Into<String>) -> Self {
        self.hint = Some(h.into());
        self
    }
    pub fn clause(mut self, c: &'static str) -> Self {
        self.clause = Some(c);
        self
    }
    pub fn note(mut self, span: TokRange, label: impl Into<String>) -> Self {
        self.notes.push((span, label.into()));
        self
    }
}
