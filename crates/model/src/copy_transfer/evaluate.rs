//! The throughput of a composition, by the sequential, the parallel and the resource rule, with every step kept.

use super::{Composition, Machine, Pattern, Processors, Resource, Transfer};
use crate::answer::{number, Step, Unit};

/// The rule that gave a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// A figure of the machine.
    Figure { source: String },
    /// `X o Y`: the reciprocal of the sum of reciprocals (3.3).
    Sequential,
    /// `X || Y`: the lesser (3.3).
    Parallel,
    /// A shared bandwidth: `times` x the whole is at most `mb_s` (3.3, 3.4.1).
    Limited { what: String, times: f64, mb_s: f64, source: String },
    /// A block of `bytes`: the starts, and then its bytes.
    Started { bytes: f64 },
}

/// A remark for the reader of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Note(pub String);

/// A value, the composition it belongs to, and the values from which it was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    pub text: String,
    pub mb_s: f64,
    /// The time before the first byte has passed all stages; part of `mb_s` only by the rule `Started`.
    pub start_ns: f64,
    pub rule: Rule,
    pub parts: Vec<Derivation>,
    pub notes: Vec<Note>,
}

/// The reason why a composition has no value, and the basic transfer (counted from 0, in order) that causes it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{problem}")]
pub struct EvaluateError {
    pub transfer: usize,
    pub problem: Problem,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    #[error(
        "`{left}` writes pattern {wrote}, but `{right}` reads pattern {reads}: a stage must read the pattern that \
    the one before it writes"
    )]
    Mismatch { left: String, right: String, wrote: Pattern, reads: Pattern },
    #[error("`{left}` and `{right}` both need {resource}: they cannot run at the same time")]
    Shared { left: String, right: String, resource: Resource },
    #[error("this machine has no figure for `{0}`")]
    Unknown(Transfer),
    #[error("`{0}` at congestion {1} is not known: it is outside of the measured range")]
    Congestion(Transfer, f64),
}

/// Evaluates a composition on a machine.
///
/// `congestion` is the demand on a link of the network divided by its capacity.
///
/// # Errors
/// Patterns that do not match, parallel stages that need the same resource, or a transfer without a figure.
pub fn evaluate(c: &Composition, machine: &Machine, congestion: f64) -> Result<Derivation, EvaluateError> {
    let mut whole = Evaluation { machine, congestion, done: 0 }.step(c)?;
    for limit in &machine.limits {
        let most = limit.mb_s / limit.times;
        if whole.mb_s > most {
            let rule = Rule::Limited {
                what: limit.what.clone(),
                times: limit.times,
                mb_s: limit.mb_s,
                source: limit.source.clone(),
            };
            whole = Derivation { mb_s: most, rule, notes: vec![], ..whole.clone() }.over(whole);
        }
    }
    let start_ns = whole.start_ns;
    match machine.block_bytes.filter(|_| start_ns > 0.0) {
        Some(bytes) => {
            let mb_s = bytes * 1000.0 / (start_ns + bytes * 1000.0 / whole.mb_s);
            Ok(Derivation { mb_s, rule: Rule::Started { bytes }, notes: vec![], ..whole.clone() }.over(whole))
        }
        None => {
            if start_ns > 0.0 {
                let start = number(start_ns);
                whole.notes.push(Note(format!(
                    "a start of {start} ns is not included: add `of SIZE` for a block of that size"
                )));
            }
            Ok(whole)
        }
    }
}

struct Evaluation<'a> {
    machine: &'a Machine,
    congestion: f64,
    /// Basic transfers before the present place.
    done: usize,
}

impl Evaluation<'_> {
    fn error<T>(&self, after: usize, problem: Problem) -> Result<T, EvaluateError> {
        Err(EvaluateError { transfer: self.done + after, problem })
    }

    fn step(&mut self, c: &Composition) -> Result<Derivation, EvaluateError> {
        let (parts, sequential) = match c {
            Composition::Basic(t) => return self.basic(*t),
            Composition::Sequence(parts) => (parts, true),
            Composition::Parallel(parts) => (parts, false),
        };
        let mut before = 0;
        for pair in parts.windows(2) {
            before += pair[0].transfers().len();
            let (wrote, reads) = (pair[0].patterns().1, pair[1].patterns().0);
            if wrote != reads {
                let (left, right) = (pair[0].to_string(), pair[1].to_string());
                return self.error(before, Problem::Mismatch { left, right, wrote, reads });
            }
        }
        if !sequential {
            if let Some((after, problem)) = shared_resource(parts, self.machine) {
                return self.error(after, problem);
            }
        }
        let parts: Vec<Derivation> = parts.iter().map(|p| self.step(p)).collect::<Result<_, _>>()?;
        let mb_s = if sequential {
            1.0 / parts.iter().map(|p| 1.0 / p.mb_s).sum::<f64>()
        } else {
            parts.iter().map(|p| p.mb_s).fold(f64::INFINITY, f64::min)
        };
        let rule = if sequential { Rule::Sequential } else { Rule::Parallel };
        let start_ns = parts.iter().map(|p| p.start_ns).sum();
        Ok(Derivation { text: c.to_string(), mb_s, start_ns, rule, parts, notes: vec![] })
    }

    fn basic(&mut self, t: Transfer) -> Result<Derivation, EvaluateError> {
        let Some(found) = self.machine.throughput(t, self.congestion) else {
            let known = t.kind.is_network() && self.machine.has(t.kind);
            return self.error(0, if known { Problem::Congestion(t, self.congestion) } else { Problem::Unknown(t) });
        };
        self.done += 1;
        let mut source = found.source;
        if t.kind.is_network() {
            source.push_str(&format!(", congestion {}", self.congestion));
        }
        let notes = found.stand_in.map(Note).into_iter().collect();
        let (text, start_ns) = (t.to_string(), self.machine.start_ns(t.kind));
        Ok(Derivation { text, mb_s: found.mb_s, start_ns, rule: Rule::Figure { source }, parts: vec![], notes })
    }
}

/// Parallel stages must not need the same resource. If there are two processors, two stages may need a processor.
/// Gives the first transfer, counted within `parts`, of the stage that is one too many.
fn shared_resource(parts: &[Composition], machine: &Machine) -> Option<(usize, Problem)> {
    let mut used: Vec<(Resource, &Composition)> = vec![];
    let mut before = 0;
    for part in parts {
        let mut own: Vec<Resource> = part.transfers().iter().map(|t| t.kind.resource()).collect();
        own.sort_unstable();
        own.dedup();
        for resource in own {
            let others: Vec<&Composition> = used.iter().filter(|(r, _)| *r == resource).map(|(_, c)| *c).collect();
            let most = match (resource, machine.processors) {
                (Resource::Processor, Processors::WithCoProcessor | Processors::Each) => 2,
                _ => 1,
            };
            if others.len() >= most {
                let after = part.transfers().iter().position(|t| t.kind.resource() == resource).unwrap_or(0);
                let (left, right) = (others[0].to_string(), part.to_string());
                return Some((before + after, Problem::Shared { left, right, resource }));
            }
            used.push((resource, part));
        }
        before += part.transfers().len();
    }
    None
}

impl Derivation {
    /// The same, made of one part.
    fn over(self, part: Derivation) -> Derivation {
        Derivation { parts: vec![part], ..self }
    }

    /// Every remark of the derivation, once.
    pub fn all_notes(&self) -> Vec<&Note> {
        let mut notes: Vec<&Note> = self.notes.iter().collect();
        for part in &self.parts {
            for note in part.all_notes() {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        notes
    }

    /// The steps from the figures to the value.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = vec![];
        self.collect(&mut steps, 0);
        steps
    }

    fn collect(&self, steps: &mut Vec<Step>, depth: usize) {
        for part in &self.parts {
            part.collect(steps, depth + 1);
        }
        let values: Vec<String> = self.parts.iter().map(|p| number(p.mb_s)).collect();
        let how = match &self.rule {
            Rule::Figure { source } => source.clone(),
            Rule::Sequential => {
                format!("1 / ({})", values.iter().map(|v| format!("1/{v}")).collect::<Vec<_>>().join(" + "))
            }
            Rule::Parallel => format!("the least of {}", values.join(", ")),
            Rule::Started { bytes } => {
                let (start, bytes) = (number(self.start_ns / 1000.0), number(*bytes));
                format!("{bytes} bytes / (a start of {start} us + {bytes} / {})", values.join(", "))
            }
            Rule::Limited { what, times, mb_s, source } => {
                format!("{what}: {times} x this is at most {} MB/s ({source})", number(*mb_s))
            }
        };
        let (value, unit) = (self.mb_s, Unit::MegabytesPerSecond);
        steps.push(Step { depth, what: self.text.clone(), value, unit, how });
    }
}
