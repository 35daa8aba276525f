//! The cost of passing data from the processor that writes them to the one that reads them, through coherent memory.
//!
//! A machine's table has the cycles of an access by stride: writing data that another has read (`war`), reading data
//! that another has written (`raw`), writing data that another has written (`waw`). From it the SPP-1000 study derives
//! (Table 4) the latency of passing data, war + raw with every access in another line, and the rate, 8 bytes by war +
//! raw at stride 1.

use super::{positive, step};
use crate::answer::{number, Outcome, Unit};
use crate::Listed;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sharing {
    pub cycle_ns: f64,
    /// The strides of the columns, in elements of 8 bytes.
    pub strides: Vec<u32>,
    /// The stride at which every access is to another line.
    pub apart: u32,
    pub rows: Vec<Row>,
    pub source: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// `near` or `far`.
    pub distance: String,
    /// Are the data in the other processor's cache?
    pub cached: bool,
    pub war: Vec<f64>,
    pub raw: Vec<f64>,
    pub waw: Vec<f64>,
}

impl Row {
    fn kinds(&self) -> [(&'static str, &Vec<f64>); 3] {
        [("war", &self.war), ("raw", &self.raw), ("waw", &self.waw)]
    }

    fn name(&self) -> String {
        format!("{} {}", self.distance, if self.cached { "cached" } else { "uncached" })
    }
}

impl Sharing {
    /// # Errors
    /// A sentence that names the entry.
    pub fn check(&self) -> Result<(), String> {
        positive("cycle_ns", self.cycle_ns)?;
        if !self.strides.contains(&1) || !self.strides.contains(&self.apart) {
            return Err(format!("the strides of the sharing table lack 1 or {}", self.apart));
        }
        for row in &self.rows {
            for (kind, cycles) in row.kinds() {
                if cycles.len() != self.strides.len() || cycles.iter().any(|c| positive(kind, *c).is_err()) {
                    return Err(format!("{kind} of `{}` must have a value above 0 for each stride", row.name()));
                }
            }
        }
        Ok(())
    }

    /// "near cached", "near uncached", …
    pub fn names(&self) -> Vec<String> {
        self.rows.iter().map(Row::name).collect()
    }

    pub fn list(&self) -> Vec<Listed> {
        let mut list = vec![];
        for row in &self.rows {
            for (kind, cycles) in row.kinds() {
                for (stride, cycles) in self.strides.iter().zip(cycles) {
                    let what = format!("{kind} {}, stride {stride}", row.name());
                    list.push(Listed::new(what, format!("{} cycles", number(*cycles)), &self.source));
                }
            }
        }
        list
    }

    /// Latency and rate of passing data to another processor; None if there is no such row.
    pub fn pass(&self, distance: &str, cached: bool) -> Option<[Outcome; 2]> {
        let row = self.rows.iter().find(|r| r.distance == distance && r.cached == cached)?;
        let column = |stride: u32| self.strides.iter().position(|s| *s == stride);
        let sum = |stride: u32| {
            let i = column(stride)?;
            let (war, raw) = (*row.war.get(i)?, *row.raw.get(i)?);
            let source = format!("{}, stride {stride}", self.source);
            let steps =
                vec![step(1, "war", war, Unit::Cycles, source.clone()), step(1, "raw", raw, Unit::Cycles, source)];
            Some((war + raw, steps))
        };
        let name = row.name();
        let (cycles, mut steps) = sum(self.apart)?;
        let us = cycles * self.cycle_ns / 1000.0;
        steps.push(step(0, "latency", us, Unit::Microseconds, format!("(war + raw) x {} ns", self.cycle_ns)));
        let (label, unit) = (format!("latency of passing data to another processor, {name}"), Unit::Microseconds);
        let latency = Outcome { label, value: us, unit, steps, notes: vec![] };
        let (cycles, mut steps) = sum(1)?;
        let mb_s = 8000.0 / (cycles * self.cycle_ns);
        let how = format!("8 bytes / ((war + raw) x {} ns)", self.cycle_ns);
        steps.push(step(0, "rate", mb_s, Unit::MegabytesPerSecond, how));
        let (label, unit) = (format!("rate of passing data to another processor, {name}"), Unit::MegabytesPerSecond);
        let rate = Outcome { label, value: mb_s, unit, steps, notes: vec![] };
        Some([latency, rate])
    }
}
