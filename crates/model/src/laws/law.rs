//! A curve that was fitted to measurements of a machine, as its study printed it.

use super::{positive, step};
use crate::answer::{number, Outcome, Unit};
use crate::fit::Form;
use crate::Listed;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Law {
    /// The word in questions: `barrier`.
    pub name: String,
    /// "time of a barrier".
    pub what: String,
    /// The variable: "processors".
    pub of: String,
    pub form: Form,
    /// In the form's order.
    pub coefficients: Vec<f64>,
    pub unit: Unit,
    /// Where the fit holds.
    pub from: f64,
    pub to: f64,
    /// Other ranges, by increasing x, where other forms hold, such as beyond a boundary of the machine's topology.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<Piece>,
    pub source: String,
    /// Points that the study found elsewhere.
    #[serde(default)]
    pub exceptions: Vec<Exception>,
    #[serde(default)]
    pub note: Option<String>,
}

/// A range of a law, with its formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    pub form: Form,
    pub coefficients: Vec<f64>,
    pub from: f64,
    pub to: f64,
}

impl Piece {
    fn check(&self, law: &str) -> Result<(), String> {
        if self.coefficients.len() != self.form.names().len() {
            let names = self.form.names().join(", ");
            return Err(format!("the law `{law}` is {}: its coefficients are {names}", self.form));
        }
        if !self.coefficients.iter().all(|c| c.is_finite()) || (self.from..=self.to).is_empty() {
            return Err(format!("a coefficient or the range of the law `{law}` is not valid"));
        }
        if self.form.needs_positive_x() && self.from <= 0.0 {
            return Err(format!("the law `{law}` is {}: its range must begin above 0", self.form));
        }
        Ok(())
    }

    /// The distance of x from the range.
    fn distance(&self, x: f64) -> f64 {
        (self.from - x).max(x - self.to).max(0.0)
    }

    fn range(&self) -> String {
        format!("{} to {}", number(self.from), number(self.to))
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exception {
    pub at: f64,
    pub says: String,
}

impl Law {
    /// # Errors
    /// A sentence that names the entry.
    pub fn check(&self) -> Result<(), String> {
        let pieces = self.pieces();
        pieces.iter().try_for_each(|p| p.check(&self.name))?;
        match pieces.windows(2).all(|p| p[0].to <= p[1].from) {
            true => Ok(()),
            false => Err(format!("the ranges of the law `{}` overlap, or are not in increasing order", self.name)),
        }
    }

    /// All ranges, by increasing x.
    pub fn pieces(&self) -> Vec<Piece> {
        let Self { form, coefficients, from, to, .. } = self;
        let first = Piece { form: *form, coefficients: coefficients.clone(), from: *from, to: *to };
        std::iter::once(first).chain(self.beyond.iter().cloned()).collect()
    }

    /// Where the law's last range ends.
    pub fn end(&self) -> f64 {
        self.beyond.last().map_or(self.to, |p| p.to)
    }

    /// The range that contains x, or else the nearest.
    fn piece_at(&self, x: f64) -> Piece {
        let pieces = self.pieces();
        let nearest = pieces.iter().min_by(|a, b| a.distance(x).total_cmp(&b.distance(x)));
        nearest.cloned().unwrap_or_else(|| pieces[0].clone())
    }

    /// The law's value at x.
    ///
    /// # Errors
    /// The formula has no value there.
    pub fn at(&self, x: f64) -> Result<Outcome, String> {
        let piece = self.piece_at(x);
        let value = piece.form.value(&piece.coefficients, x);
        let formula = piece.form.formula(&piece.coefficients);
        if !value.is_finite() {
            return Err(format!("{formula} has no value for {} {}", number(x), self.of));
        }
        let how = format!("{formula} with x = {} {} ({})", number(x), self.of, self.source);
        let mut notes: Vec<String> = self.note.iter().cloned().collect();
        if piece.distance(x) > 0.0 {
            notes.push(format!(
                "{} {} is outside of the range of the fit, {}: do not trust this value",
                number(x),
                self.of,
                self.pieces().iter().map(Piece::range).collect::<Vec<_>>().join(" and ")
            ));
        }
        notes.extend(self.exceptions.iter().filter(|e| e.at == x).map(|e| e.says.clone()));
        let label = format!("{}, {} {}", self.what, number(x), self.of);
        Ok(Outcome { label, value, unit: self.unit, steps: vec![step(0, &self.name, value, self.unit, how)], notes })
    }

    /// If this is the cost of entering a parallel loop: the serial time above which p processors are faster than one.
    /// The loop wins if T/p + cost(p) < T.
    ///
    /// # Errors
    /// The formula has no value there, or p is below 2.
    pub fn break_even(&self, p: f64) -> Result<Outcome, String> {
        if p < 2.0 {
            return Err("a parallel loop has at least 2 processors".into());
        }
        let mut outcome = self.at(p)?;
        let cost = outcome.value;
        let us = cost / (1.0 - 1.0 / p);
        outcome.steps[0].depth = 1;
        outcome.steps.push(step(0, "break-even", us, self.unit, format!("{} / (1 - 1/{})", number(cost), number(p))));
        outcome.value = us;
        outcome.label = format!("serial time from which a loop on {} processors wins", number(p));
        Ok(outcome)
    }

    /// Changes a coefficient; that of the second range is called `2.b`.
    ///
    /// # Errors
    /// There is no such coefficient.
    pub fn set(&mut self, coefficient: &str, value: f64) -> Result<Option<f64>, String> {
        let names: Vec<String> = self.named_coefficients().into_iter().map(|(name, ..)| name).collect();
        let Some(mut i) = names.iter().position(|n| *n == coefficient) else {
            return Err(format!("the law `{}` has the coefficients {}", self.name, names.join(", ")));
        };
        if !value.is_finite() {
            return Err(format!("a coefficient must be a finite number, not {value}"));
        }
        self.source = format!("{}, changed by you", self.source.trim_end_matches(", changed by you"));
        let of_pieces = self.beyond.iter_mut().map(|p| &mut p.coefficients);
        for coefficients in std::iter::once(&mut self.coefficients).chain(of_pieces) {
            if let Some(place) = coefficients.get_mut(i) {
                return Ok(Some(std::mem::replace(place, value)));
            }
            i -= coefficients.len();
        }
        Ok(None)
    }

    /// Each coefficient's name, its value, and the range that it belongs to.
    fn named_coefficients(&self) -> Vec<(String, f64, Piece)> {
        let name = |i: usize, n: &str| if i == 0 { n.to_string() } else { format!("{}.{n}", i + 1) };
        let of = |(i, p): (usize, Piece)| {
            let names = p.form.names().iter();
            names.zip(p.coefficients.clone()).map(|(n, c)| (name(i, n), c, p.clone())).collect::<Vec<_>>()
        };
        self.pieces().into_iter().enumerate().flat_map(of).collect()
    }

    pub fn list(&self) -> Vec<Listed> {
        let listed = |(name, value, p): (String, f64, Piece)| {
            let formula = p.form.formula(&p.coefficients);
            let source = format!("{}: {formula} {}, {} {} ({})", self.what, self.unit, p.range(), self.of, self.source);
            Listed::new(format!("{}.{name}", self.name), number(value), &source)
        };
        self.named_coefficients().into_iter().map(listed).collect()
    }
}

/// A start-up must not be below 0; a rate must be above 0.
pub(super) fn start(what: &str, value: f64) -> Result<(), String> {
    if value == 0.0 {
        return Ok(());
    }
    positive(what, value)
}
