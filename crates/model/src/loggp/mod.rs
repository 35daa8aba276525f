//! LogGP: the time of messages between P processors, from six parameters.
//!
//! A message of n bytes keeps its sender busy for `o_send`, leaves it a byte every `G`, spends `L` on the way and keeps
//! its receiver busy for `o_recv`: o_send + (n-1) G + L + o_recv. A processor is free while its network interface sends
//! the rest of a message; the interface starts the next message at least `g` after the last byte of the one before, so
//! that messages leave every max(o_send, (n-1) G + g).
//!
//! Source: Culler et al., LogP (1993); Alexandrov et al., LogGP (1995). Here the two sides have different overheads.

mod collective;

pub use collective::{broadcast, exchange, reduce, scan};

use crate::answer::{number, Outcome, Step, Unit};
use crate::Listed;
use serde::{Deserialize, Serialize};

/// The parameters of a machine, under `[loggp]` in its file. They are not all published for every machine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    #[serde(rename = "L_us")]
    pub latency: Option<Given>,
    #[serde(rename = "o_send_us")]
    pub o_send: Option<Given>,
    #[serde(rename = "o_recv_us")]
    pub o_recv: Option<Given>,
    #[serde(rename = "g_us")]
    pub gap: Option<Given>,
    #[serde(rename = "G_us_per_byte")]
    pub gap_per_byte: Option<Given>,
    #[serde(rename = "P")]
    pub processors: Option<Given>,
    /// The time in which a receiver combines a byte with its own, in reductions and scans.
    #[serde(rename = "combine_us_per_byte")]
    pub combine: Option<Given>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    pub value: f64,
    pub source: String,
}

/// Names, as the literature writes them, and units.
const NAMES: [(&str, &str); 7] =
    [("L", "us"), ("o_send", "us"), ("o_recv", "us"), ("g", "us"), ("G", "us/byte"), ("P", ""), ("combine", "us/byte")];

/// The limit on processors, more than any machine has, because the computation grows with them.
pub const MOST_PROCESSORS: u64 = 1 << 22;

impl Parameters {
    fn slot(&mut self, name: &str) -> Option<&mut Option<Given>> {
        Some(match name {
            "L" => &mut self.latency,
            "o_send" => &mut self.o_send,
            "o_recv" => &mut self.o_recv,
            "g" => &mut self.gap,
            "G" => &mut self.gap_per_byte,
            "P" => &mut self.processors,
            "combine" => &mut self.combine,
            _ => return None,
        })
    }

    fn get(&self, name: &str) -> Option<&Given> {
        match name {
            "L" => self.latency.as_ref(),
            "o_send" => self.o_send.as_ref(),
            "o_recv" => self.o_recv.as_ref(),
            "g" => self.gap.as_ref(),
            "G" => self.gap_per_byte.as_ref(),
            "P" => self.processors.as_ref(),
            "combine" => self.combine.as_ref(),
            _ => None,
        }
    }

    /// Is this the name of a parameter?
    pub fn is_name(name: &str) -> bool {
        NAMES.iter().any(|(n, _)| *n == name)
    }

    /// Changes a parameter. Returns the old value.
    ///
    /// # Errors
    /// A sentence: the value is not valid.
    pub fn set(&mut self, name: &str, value: f64) -> Result<Option<f64>, String> {
        sensible(name, value)?;
        let slot = self.slot(name).ok_or_else(|| format!("`{name}` is not a parameter of LogGP"))?;
        Ok(slot.replace(Given { value, source: "set by you".into() }).map(|old| old.value))
    }

    /// Checks the values.
    ///
    /// # Errors
    /// A sentence that names the parameter.
    pub fn check(&self) -> Result<(), String> {
        NAMES.iter().try_for_each(|(name, _)| self.get(name).map_or(Ok(()), |g| sensible(name, g.value)))
    }

    pub fn list(&self) -> Vec<Listed> {
        let entries = NAMES.iter().filter_map(|(name, unit)| self.get(name).map(|g| (name, unit, g)));
        entries
            .map(|(name, unit, g)| Listed::new(*name, format!("{} {unit}", number(g.value)).trim_end(), &g.source))
            .collect()
    }
}

fn sensible(name: &str, value: f64) -> Result<(), String> {
    let good = match name {
        "P" => value.fract() == 0.0 && value >= 2.0 && value <= MOST_PROCESSORS as f64,
        _ => value >= 0.0 && value.is_finite(),
    };
    match (good, name) {
        (true, _) => Ok(()),
        (false, "P") => Err(format!("P is a whole number from 2 to {MOST_PROCESSORS}, not {value}")),
        (false, _) => Err(format!("{name} is at least 0, not {value}")),
    }
}

/// Parameters that a prediction needs and the machine does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} missing", .0.join(", "))]
pub struct Missing(pub Vec<&'static str>);

/// A message of n bytes on a machine, the basis of all predictions.
struct Message<'a> {
    parameters: &'a Parameters,
    bytes: u64,
    steps: Vec<Step>,
    missing: Vec<&'static str>,
}

impl<'a> Message<'a> {
    fn new(parameters: &'a Parameters, bytes: u64) -> Self {
        Self { parameters, bytes, steps: vec![], missing: vec![] }
    }

    fn step(&mut self, depth: usize, what: impl Into<String>, us: f64, how: impl Into<String>) -> f64 {
        self.steps.push(Step { depth, what: what.into(), value: us, unit: Unit::Microseconds, how: how.into() });
        us
    }

    fn value(&mut self, name: &'static str) -> f64 {
        match self.parameters.get(name) {
            Some(given) => given.value,
            None => {
                if !self.missing.contains(&name) {
                    self.missing.push(name);
                }
                f64::NAN
            }
        }
    }

    /// A parameter as a step of its own.
    fn parameter(&mut self, depth: usize, name: &'static str) -> f64 {
        let value = self.value(name);
        let source = self.parameters.get(name).map_or(String::new(), |g| g.source.clone());
        self.step(depth, name, value, source)
    }

    /// The bytes after the first. A message of one byte needs no G.
    fn rest(&mut self, depth: usize, bytes: u64) -> f64 {
        if bytes <= 1 {
            return 0.0;
        }
        let per_byte = self.value("G");
        let rest = (bytes - 1) as f64;
        let source = self.parameters.get("G").map_or("", |g| g.source.as_str());
        let how = format!("{} bytes after the first x G = {} us ({source})", rest, number(per_byte));
        self.step(depth, "(n-1) G", rest * per_byte, how)
    }

    /// From the start of a message to the end of its reception.
    fn time(&mut self, depth: usize) -> f64 {
        let o_send = self.parameter(depth + 1, "o_send");
        let rest = self.rest(depth + 1, self.bytes);
        let latency = self.parameter(depth + 1, "L");
        let o_recv = self.parameter(depth + 1, "o_recv");
        let how = "o_send + (n-1) G + L + o_recv";
        self.step(depth, format!("a message of {} bytes", self.bytes), o_send + rest + latency + o_recv, how)
    }

    /// The time between two messages of one processor, which is busy for `busy` with each.
    fn interval(&mut self, depth: usize, busy: f64, named: &str) -> f64 {
        let gap = self.parameter(depth + 1, "g");
        let rest = if self.bytes > 1 { (self.bytes - 1) as f64 * self.value("G") } else { 0.0 };
        let how = format!("the greater of {named} = {} and (n-1) G + g = {}", number(busy), number(rest + gap));
        self.step(depth, "between two messages", busy.max(rest + gap), how)
    }

    /// If the number is not given, more than two, so that other missing parameters are found, too.
    fn processors(&mut self) -> u64 {
        let p = self.value("P");
        if p.is_nan() {
            3
        } else {
            p as u64
        }
    }

    fn finish(self, label: impl Into<String>, us: f64, notes: Vec<String>) -> Result<Outcome, Missing> {
        if !self.missing.is_empty() {
            return Err(Missing(self.missing));
        }
        Ok(Outcome { label: label.into(), value: us, unit: Unit::Microseconds, steps: self.steps, notes })
    }
}

/// One message, from one processor to another.
///
/// # Errors
/// The missing parameters.
pub fn send(parameters: &Parameters, bytes: u64) -> Result<Outcome, Missing> {
    let mut m = Message::new(parameters, bytes);
    let us = m.time(0);
    m.finish(format!("send {bytes}"), us, vec![])
}
