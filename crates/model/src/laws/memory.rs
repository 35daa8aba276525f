//! The time of an access to an array that is traversed repeatedly, around the size of the cache.
//!
//! Below the size of the cache every access hits; above it by the size of a way or more, every line misses; between the
//! two, with least-recently-used replacement, A (W - C) bytes of the cache are replaced before they are needed again:
//! the transition law of the SPP-1000 study, section 3. With a stride below the line's length only the first access to
//! a line misses; the others may have to wait until their part of the line arrives.

use super::{positive, step};
use crate::answer::{number, Outcome, Unit};
use crate::Listed;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    pub cycle_ns: f64,
    pub cache_bytes: f64,
    pub associativity: f64,
    pub line_bytes: f64,
    pub load_hit_cycles: f64,
    /// A load that fetches a line, at a stride of a line or more.
    pub load_miss_cycles: f64,
    /// Between the arrivals of two elements of a line.
    pub load_element_cycles: f64,
    pub store_hit_cycles: f64,
    pub store_miss_cycles: f64,
    pub source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Load,
    Store,
}

/// Accesses are of 64 bits.
const ELEMENT: f64 = 8.0;

impl Memory {
    fn entries(&self) -> [(&'static str, f64, &'static str); 9] {
        [
            ("cycle_ns", self.cycle_ns, "ns"),
            ("cache_bytes", self.cache_bytes, "bytes"),
            ("associativity", self.associativity, "ways"),
            ("line_bytes", self.line_bytes, "bytes"),
            ("load_hit_cycles", self.load_hit_cycles, "cycles"),
            ("load_miss_cycles", self.load_miss_cycles, "cycles"),
            ("load_element_cycles", self.load_element_cycles, "cycles"),
            ("store_hit_cycles", self.store_hit_cycles, "cycles"),
            ("store_miss_cycles", self.store_miss_cycles, "cycles"),
        ]
    }

    fn slot(&mut self, name: &str) -> Option<&mut f64> {
        Some(match name {
            "cycle_ns" => &mut self.cycle_ns,
            "cache_bytes" => &mut self.cache_bytes,
            "associativity" => &mut self.associativity,
            "line_bytes" => &mut self.line_bytes,
            "load_hit_cycles" => &mut self.load_hit_cycles,
            "load_miss_cycles" => &mut self.load_miss_cycles,
            "load_element_cycles" => &mut self.load_element_cycles,
            "store_hit_cycles" => &mut self.store_hit_cycles,
            "store_miss_cycles" => &mut self.store_miss_cycles,
            _ => return None,
        })
    }

    /// # Errors
    /// A sentence that names the entry.
    pub fn check(&self) -> Result<(), String> {
        self.entries().into_iter().try_for_each(|(name, value, _)| positive(name, value))?;
        let lines = self.line_bytes / ELEMENT;
        match lines >= 1.0 && lines.fract() == 0.0 {
            true => Ok(()),
            false => Err(format!("line_bytes is {}, not a multiple of {ELEMENT}", self.line_bytes)),
        }
    }

    pub fn is_name(&self, name: &str) -> bool {
        self.entries().iter().any(|e| e.0 == name)
    }

    /// # Errors
    /// The machine would not be valid with it.
    pub fn set(&mut self, name: &str, value: f64) -> Result<Option<f64>, String> {
        let mut changed = self.clone();
        let old = changed.slot(name).map(|slot| std::mem::replace(slot, value));
        let old = old.ok_or_else(|| format!("there is no figure `{name}`"))?;
        changed.check()?;
        changed.source = format!("{}, changed by you", self.source.trim_end_matches(", changed by you"));
        *self = changed;
        Ok(Some(old))
    }

    pub fn list(&self) -> Vec<Listed> {
        let entries = self.entries().into_iter();
        entries
            .map(|(name, value, unit)| Listed::new(name, format!("{} {unit}", number(value)), &self.source))
            .collect()
    }

    /// The time of an access in cycles if every line misses, and its derivation.
    fn miss(&self, access: Access, stride: f64) -> (f64, String) {
        let per_line = (self.line_bytes / ELEMENT / stride).max(1.0);
        let miss = if access == Access::Load { self.load_miss_cycles } else { self.store_miss_cycles };
        if per_line == 1.0 {
            return (miss, self.source.clone());
        }
        if access == Access::Store {
            return (miss / per_line, format!("{} / {per_line}: one miss a line ({})", number(miss), self.source));
        }
        let wait = (per_line - 1.0) * stride * self.load_element_cycles;
        let how = format!(
            "({} + {}) / {per_line}: a miss and the line's arrival ({})",
            number(miss),
            number(wait),
            self.source
        );
        ((miss + wait) / per_line, how)
    }

    /// The mean time of an access to an array of `bytes`, by a stride in elements of 8 bytes.
    ///
    /// # Errors
    /// The stride does not divide the line, or the array is empty.
    pub fn time(&self, access: Access, bytes: f64, stride: f64) -> Result<Outcome, String> {
        let elements = self.line_bytes / ELEMENT;
        if stride < elements && (elements / stride).fract() != 0.0 {
            return Err(format!("a stride below the line's {elements} elements must divide that number"));
        }
        let (hit, verb) = match access {
            Access::Load => (self.load_hit_cycles, "load"),
            Access::Store => (self.store_hit_cycles, "store"),
        };
        let (c, a, w) = (self.cache_bytes, self.associativity, bytes);
        let end = c * (1.0 + 1.0 / a);
        let (miss, how_miss) = self.miss(access, stride);
        let mut steps = vec![];
        let cycles = if w <= c {
            let how = format!("the array fits in the cache of {} bytes ({})", number(c), self.source);
            steps.push(step(1, "hit", hit, Unit::Cycles, how));
            hit
        } else if w >= end {
            steps.push(step(1, "miss", miss, Unit::Cycles, how_miss));
            miss
        } else {
            steps.push(step(2, "hit", hit, Unit::Cycles, self.source.clone()));
            steps.push(step(2, "miss", miss, Unit::Cycles, how_miss));
            let resident = (c - a * (w - c)) / w;
            let mixed = hit * resident + miss * (1.0 - resident);
            let how = format!(
                "between {} and {} bytes: {} % of the accesses hit, 1 - (A+1)(W-C)/W",
                number(c),
                number(end),
                number(100.0 * resident)
            );
            steps.push(step(1, "transition", mixed, Unit::Cycles, how));
            mixed
        };
        let ns = cycles * self.cycle_ns;
        steps.push(step(
            0,
            "an access",
            ns,
            Unit::Nanoseconds,
            format!("{} cycles of {} ns", number(cycles), self.cycle_ns),
        ));
        let notes = vec![format!("{ELEMENT} bytes an access: {} MB/s", number(1000.0 * ELEMENT / ns))];
        let label = format!("{verb}, array of {} bytes, stride {}", number(w), number(stride));
        Ok(Outcome { label, value: ns, unit: Unit::Nanoseconds, steps, notes })
    }
}
