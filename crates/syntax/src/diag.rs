//! Diagnostics: the error, its place, how to correct it, and the clause that it violates.

//!
//! The codes of this crate; `W` marks warnings.
//!
//! | code | what | code | what |
//! |---|---|---|---|
//! | S0001 | an unexpected character | S0105 | a type or declaration where a value is required |
//! | S0002 | a string literal without an end | S0106 | a missing `;` |
//! | S0003 | a character constant without an end, or empty | S0107 | a missing closing bracket |
//! | S0004 | a comment without an end | S0108 | nested too deeply, or too long a chain |
//! | S0005 | an unknown `#pragma upc` | S0109 | `upc_forall` with three clauses |
//! | S0006 W | a newline in a string literal | S0110 | `for` with four clauses |
//! | S0007 | a directive that should have been preprocessed | S0111 W | `#pragma upc` where it has no effect |
//! | S0009 | 4 GiB of text or more | S0112 W | implicit `int` |
//! | S0010 | too many errors and warnings | S0113 | an unmatched `}` |
//! | S0011 | an unknown `#pragma fathom` | S0119 W | `#pragma fathom` that stands before no loop, or names what the loop has not |
//! | S0101 | something else was expected | S0114 | `else` without `if` |
//! | S0102 | an expression was expected | S0115 | a statement was expected |
//! | S0103 | a declaration was expected | S0116 W | no `;` at the end of a struct |
//! | S0104 | an unknown type name | S0117 W | parameter names without types in a mere declaration |
//! |  |  | S0118 W | a statement as UPC 1.0 spelled it |

use crate::token::TokRange;

/// The code of an unknown type name.
pub const UNKNOWN_TYPE: &str = "S0104";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
}

/// One error or warning. The command renders it.
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
    /// The violated clause, as `UPC 1.3, 6.5.1.1 p2`.
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
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
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
