//! A curve that was fitted to measurements of a machine, as its study printed it.

use super::{positive, step};
use crate::answer::{number, Outcome, Unit};
use crate::fit::Form;
use crate::Listed;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Law {
    /// The word to ask with: `barrier`.
    pub name: String,
    /// "time of a barrier".
    pub what: String,
    /// What is varied: "processors".
    pub of: String,
    pub form: Form,
    /// In the form's order.
    pub coefficients: Vec<f64>,
    pub unit: Unit,
    /// Where the fit holds.
    pub from: f64,
    pub to: f64,
    pub source: String,
    /// Points that the study found elsewhere.
    #[serde(default)]
    pub exceptions: Vec<Exception>,
    #[serde(default)]
    pub note: Option<String>,
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
        if self.coefficients.len() != self.form.names().len() {
            let names = self.form.names().join(", ");
            return Err(format!("the law `{}` is {}: its coefficients are {names}", self.name, self.form));
        }
        if !self.coefficients.iter().all(|c| c.is_finite()) || (self.from..=self.to).is_empty() {
            return Err(format!("the law `{}` has coefficients or a range that are no numbers", self.name));
        }
        if self.form.needs_positive_x() && self.from <= 0.0 {
            return Err(format!("the law `{}` is {}: it begins above 0", self.name, self.form));
        }
        Ok(())
    }

    /// What the law says at x.
    ///
    /// # Errors
    /// The formula has no value there.
    pub fn at(&self, x: f64) -> Result<Outcome, String> {
        let value = self.form.value(&self.coefficients, x);
        if !value.is_finite() {
            return Err(format!(
                "{} has no value for {} {}",
                self.form.formula(&self.coefficients),
                number(x),
                self.of
            ));
        }
        let how =
            format!("{} with x = {} {} ({})", self.form.formula(&self.coefficients), number(x), self.of, self.source);
        let mut notes: Vec<String> = self.note.iter().cloned().collect();
        if !(self.from..=self.to).contains(&x) {
            notes.push(format!(
                "{} {} is outside of what the law was fitted to, {} to {}: do not trust this value",
                number(x),
                self.of,
                number(self.from),
                number(self.to)
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

    /// Changes a coefficient.
    ///
    /// # Errors
    /// There is no such coefficient.
    pub fn set(&mut self, coefficient: &str, value: f64) -> Result<Option<f64>, String> {
        let names = self.form.names();
        let Some(i) = names.iter().position(|n| *n == coefficient) else {
            return Err(format!("the law `{}` has the coefficients {}", self.name, names.join(", ")));
        };
        if !value.is_finite() {
            return Err(format!("a coefficient is a number, not {value}"));
        }
        self.source = format!("{}, changed by you", self.source.trim_end_matches(", changed by you"));
        Ok(Some(std::mem::replace(&mut self.coefficients[i], value)))
    }

    pub fn list(&self) -> Vec<Listed> {
        let names = self.form.names().iter().zip(&self.coefficients);
        let what = format!("{}: {}", self.what, self.form.formula(&self.coefficients));
        names
            .map(|(n, c)| {
                let source = format!(
                    "{what} {}, {} to {} {} ({})",
                    self.unit,
                    number(self.from),
                    number(self.to),
                    self.of,
                    self.source
                );
                Listed::new(format!("{}.{n}", self.name), number(*c), &source)
            })
            .collect()
    }
}

/// A start-up must not be below 0; a rate is above.
pub(super) fn start(what: &str, value: f64) -> Result<(), String> {
    if value == 0.0 {
        return Ok(());
    }
    positive(what, value)
}
