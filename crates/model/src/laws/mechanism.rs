//! Mechanisms with a start-up time and a time per byte, and the size from which one is faster than another.

use super::law::start;
use super::{positive, step};
use crate::answer::{number, Outcome, Unit};
use crate::Listed;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mechanism {
    pub name: String,
    pub what: String,
    pub start_us: f64,
    pub mb_s: f64,
    pub source: String,
}

impl Mechanism {
    /// # Errors
    /// A sentence that names the entry.
    pub fn check(&self) -> Result<(), String> {
        start(&format!("start_us of `{}`", self.name), self.start_us)?;
        positive(&format!("mb_s of `{}`", self.name), self.mb_s)
    }

    /// # Errors
    /// There is no such figure, or its value is not valid.
    pub fn set(&mut self, figure: &str, value: f64) -> Result<Option<f64>, String> {
        let mut changed = self.clone();
        let old = match figure {
            "start_us" => std::mem::replace(&mut changed.start_us, value),
            "mb_s" => std::mem::replace(&mut changed.mb_s, value),
            _ => return Err(format!("the mechanism `{}` has the figures start_us and mb_s", self.name)),
        };
        changed.check()?;
        changed.source = format!("{}, changed by you", self.source.trim_end_matches(", changed by you"));
        *self = changed;
        Ok(Some(old))
    }

    pub fn list(&self) -> Vec<Listed> {
        let source = format!("{} ({})", self.what, self.source);
        vec![
            Listed::new(format!("{}.start_us", self.name), format!("{} us", number(self.start_us)), &source),
            Listed::new(format!("{}.mb_s", self.name), format!("{} MB/s", number(self.mb_s)), &source),
        ]
    }
}

/// The size in bytes from which `large` is better than `small`. If the processor waits for the data, both cost their
/// start and their bytes. If it has other work (`nonblocking`), `small` still costs its whole time, and `large` its
/// start only.
///
/// # Errors
/// There is no such size: one of the two is better throughout.
pub fn crossover(small: &Mechanism, large: &Mechanism, nonblocking: bool) -> Result<Outcome, String> {
    let later = large.start_us - small.start_us;
    let (per_byte, how) = if nonblocking {
        let how = format!(
            "{} us x {} MB/s: the bytes that `{}` moves while `{}` starts",
            number(later),
            number(small.mb_s),
            small.name,
            large.name
        );
        (1.0 / small.mb_s, how)
    } else {
        let how = format!("{} us / (1/{} - 1/{})", number(later), number(small.mb_s), number(large.mb_s));
        (1.0 / small.mb_s - 1.0 / large.mb_s, how)
    };
    if later < 0.0 && per_byte < 0.0 {
        return Err(format!("`{}` starts later than `{}`: exchange the two names", small.name, large.name));
    }
    if later <= 0.0 || per_byte <= 0.0 {
        let better = if later <= 0.0 { large } else { small };
        return Err(format!("`{}` is at least as good at every size", better.name));
    }
    let bytes = later / per_byte;
    let steps = vec![
        step(1, format!("{}: start", small.name), small.start_us, Unit::Microseconds, &small.source),
        step(1, format!("{}: rate", small.name), small.mb_s, Unit::MegabytesPerSecond, &small.source),
        step(1, format!("{}: start", large.name), large.start_us, Unit::Microseconds, &large.source),
        step(1, format!("{}: rate", large.name), large.mb_s, Unit::MegabytesPerSecond, &large.source),
        step(0, "crossover", bytes, Unit::Bytes, how),
    ];
    let waiting = if nonblocking { "without waiting" } else { "waiting for the data" };
    let label = format!("size from which `{}` beats `{}`, {waiting}", large.name, small.name);
    Ok(Outcome { label, value: bytes, unit: Unit::Bytes, steps, notes: vec![] })
}
