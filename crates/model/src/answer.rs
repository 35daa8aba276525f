//! The answer of a model: one or several results, best first, each with the steps that led to it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The query as it was parsed.
    pub query: String,
    /// Are the results alternatives, best first? Otherwise each answers a part of the query.
    #[serde(rename = "ways")]
    pub are_alternatives: bool,
    pub results: Vec<Outcome>,
}

/// One result, with the steps that led to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    pub label: String,
    pub value: f64,
    pub unit: Unit,
    /// In the order of the computation; the last is the value.
    pub steps: Vec<Step>,
    /// Remarks for the reader of the value.
    pub notes: Vec<String>,
}

/// A line of a derivation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The depth in the expression; the whole is at 0.
    pub depth: usize,
    pub what: String,
    pub value: f64,
    pub unit: Unit,
    /// The arithmetic, or the source of a figure.
    pub how: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    #[serde(rename = "MB/s")]
    MegabytesPerSecond,
    #[serde(rename = "s")]
    Seconds,
    #[serde(rename = "us")]
    Microseconds,
    #[serde(rename = "ns")]
    Nanoseconds,
    #[serde(rename = "cycles")]
    Cycles,
    #[serde(rename = "bytes")]
    Bytes,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::MegabytesPerSecond => "MB/s",
            Unit::Seconds => "s",
            Unit::Microseconds => "us",
            Unit::Nanoseconds => "ns",
            Unit::Cycles => "cycles",
            Unit::Bytes => "bytes",
        })
    }
}

/// The reason why there is no answer: the place in the query, the error, the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Complaint {
    /// Bytes of the query.
    pub at: std::ops::Range<usize>,
    pub message: String,
    pub hint: Option<String>,
}

impl Complaint {
    pub fn new(at: std::ops::Range<usize>, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), hint: None }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// A figure for a reader: four digits, without superfluous zeros.
pub fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let magnitude = x.abs().log10().floor() as i32;
    if !(-5..9).contains(&magnitude) {
        return format!("{x:.3e}");
    }
    let decimals = (3 - magnitude).max(0) as usize;
    let text = format!("{x:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_four_digits() {
        for (x, text) in [
            (25.0164, "25.02"),
            (69.0, "69"),
            (142.0, "142"),
            (0.0071428, "0.007143"),
            (1234567.0, "1234567"),
            (0.0, "0"),
            (9.9999, "10"),
            (-1.5, "-1.5"),
            (1e-9, "1.000e-9"),
        ] {
            assert_eq!(number(x), text);
        }
    }
}
