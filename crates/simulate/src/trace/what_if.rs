//! What the time of a recorded run depends on: replays with other figures, other work, and no network.

use super::{Replay, Trace};
use crate::program::charges::{Charges, How, Times};
use crate::program::stops::{Done, Ended, Record, Stopped, Threads, Transfer, Turn};
use crate::program::{charges, simulate, simulate_told, Failure, History, Outcome, Pictures, TOO_LONG};
use fathom_machine::quantity::Quantity;
use fathom_machine::{Description, Due, Time};

/// The change of a figure, as a share.
const CHANGE: f64 = 0.05;

/// How the time follows a figure of the machine, or the work.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    pub name: String,
    /// None for the work.
    pub value: Option<Quantity>,
    /// The relative change of the time per relative change of the figure.
    pub elasticity: f64,
    /// For a figure that is a time: how often it lies on the longest chain of what waits for each other.
    pub count: Option<f64>,
}

/// Why a replay failed: the machine's, or the trace's.
pub type Reason = String;

fn failed(why: Failure) -> Reason {
    match why {
        Failure::Ended => "the trace cannot be performed there".into(),
        Failure::Deadlock(who) => format!("the trace cannot be performed there: {who}"),
        Failure::TooLong => TOO_LONG.into(),
    }
}

/// A replay on a machine.
///
/// # Errors
/// What the machine lacks for the run, or that the trace cannot be performed there.
pub fn replayed(trace: &Trace, machine: &Description) -> Result<Outcome, Reason> {
    scaled(trace, machine, |_| 1.0)
}

/// The same, with what a page draws of it, and with what each thread did when.
///
/// # Errors
/// As [`replayed`].
pub fn told(trace: &Trace, machine: &Description, is_drawn: bool, has_history: bool) -> Result<Outcome, Reason> {
    let threads = trace.head.threads;
    let pictures = is_drawn.then(|| Pictures::new(threads));
    let history = has_history.then(|| History::new(threads));
    simulate_told(&mut Replay::new(trace), &mut *prepared(trace, machine)?, threads, pictures, history).map_err(failed)
}

/// A replay with the work of each thread times a factor.
///
/// # Errors
/// As [`replayed`].
pub fn scaled(trace: &Trace, machine: &Description, factor: impl Fn(usize) -> f64) -> Result<Outcome, Reason> {
    let threads = trace.head.threads;
    let mut machine = prepared(trace, machine)?;
    let factors = (0..threads as usize).map(factor).collect();
    simulate(&mut Scaled { job: Replay::new(trace), factors }, &mut *machine, threads).map_err(failed)
}

fn prepared(trace: &Trace, machine: &Description) -> Result<Box<dyn Charges>, Reason> {
    let mut prepared = charges(machine, trace.head.threads)?;
    if trace.has_accesses() {
        prepared.prepare_memory(machine, trace.head.threads)?;
    }
    Ok(prepared)
}

/// The time if communication took none: work, and the order of what threads do.
///
/// # Errors
/// As [`replayed`].
pub fn without_network(trace: &Trace, machine: &Description) -> Result<Time, Reason> {
    let memory = if trace.has_accesses() { Some(prepared(trace, machine)?) } else { None };
    let outcome = simulate(&mut Replay::new(trace), &mut Free { memory }, trace.head.threads).map_err(failed)?;
    Ok(outcome.time())
}

/// The time if every thread had the mean work of all, on this machine. `outcome`: a replay there.
///
/// # Errors
/// As [`replayed`].
pub fn balanced(trace: &Trace, machine: &Description, outcome: &Outcome) -> Result<Time, Reason> {
    let work: Vec<f64> = outcome.threads.iter().map(|t| t.work as f64).collect();
    let mean = work.iter().sum::<f64>() / work.len().max(1) as f64;
    let factor = |t: usize| if work[t] > 0.0 { mean / work[t] } else { 1.0 };
    Ok(scaled(trace, machine, factor)?.time())
}

/// How the time follows the work, and each figure of the machine that has to do with communication; the strongest first.
///
/// # Errors
/// As [`replayed`].
pub fn sensitivities(trace: &Trace, machine: &Description, outcome: &Outcome) -> Result<Vec<Sensitivity>, Reason> {
    let time = outcome.time() as f64;
    let slope = |up: Outcome, down: Outcome| (up.time() as f64 - down.time() as f64) / (2.0 * CHANGE);
    let work = slope(scaled(trace, machine, |_| 1.0 + CHANGE)?, scaled(trace, machine, |_| 1.0 - CHANGE)?);
    let mut all = vec![Sensitivity { name: "work".into(), value: None, elasticity: work / time, count: None }];
    let names: Vec<String> =
        machine.figures().map(|(name, _)| name).filter(|name| communicates(machine, name)).collect();
    for name in names {
        let Ok(value) = machine.quantity(&name) else { continue };
        let is_time = value.unit == fathom_machine::quantity::TIME;
        if value.value == 0.0 || value.unit == fathom_machine::quantity::COUNT {
            continue;
        }
        let changed = |factor: f64| machine.with_factor(&name, factor).and_then(|m| replayed(trace, &m));
        let slope = match (changed(1.0 + CHANGE), changed(1.0 - CHANGE)) {
            (Ok(up), Ok(down)) => slope(up, down),
            // At the end of what such a figure may be.
            (Ok(up), Err(_)) => (up.time() as f64 - time) / CHANGE,
            (Err(_), Ok(down)) => (time - down.time() as f64) / CHANGE,
            // One that cannot be a little greater or less, such as a size that is a power of two.
            (Err(_), Err(_)) => continue,
        };
        let count = is_time.then_some(slope / value.value);
        all.push(Sensitivity { name, value: Some(value), elasticity: slope / time, count });
    }
    all.sort_by(|a, b| b.elasticity.abs().total_cmp(&a.elasticity.abs()).then_with(|| a.name.cmp(&b.name)));
    Ok(all)
}

/// The network, what moves data to and from it, and code that operates them: not the processor's way to its own memory.
pub(super) fn communicates(machine: &Description, figure: &str) -> bool {
    let part = figure.split('.').next().unwrap_or_default();
    let is_apart = |kind: &str| {
        fathom_machine::parts::DEVICES.contains(&kind)
            || [fathom_machine::build::SHELL, "global-memory"].contains(&kind)
    };
    matches!(part, "network" | "near" | "code")
        || machine.engines.contains_key(part)
        || machine.parts.get(part).is_some_and(|p| is_apart(&p.kind))
}

/// Threads whose work is multiplied.
struct Scaled<T> {
    job: T,
    factors: Vec<f64>,
}

impl<T: Threads> Threads for Scaled<T> {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        let mut stopped = self.job.go_on(t, turn)?;
        let factor = self.factors[t as usize];
        if factor != 1.0 {
            let scale = |work: &mut Time| *work = (*work as f64 * factor).round() as Time;
            scale(&mut stopped.work);
            for Record { work, what, .. } in &mut stopped.records {
                scale(work);
                if let Done::Accesses(list) = what {
                    list.iter_mut().for_each(|access| scale(&mut access.work));
                }
            }
        }
        Ok(stopped)
    }
}

/// A machine on which communication takes no time.
struct Free {
    /// The processors' own memories, where accesses are simulated.
    memory: Option<Box<dyn Charges>>,
}

impl Charges for Free {
    fn transfer(&mut self, now: Time, _: u32, _: &Transfer, _: How) -> Times {
        let now = Due::on_time(now);
        Times { free: now, arrives: now, complete: now }
    }
    fn message(&mut self, now: Time, _: u32, _: u32, _: u64) -> Times {
        let now = Due::on_time(now);
        Times { free: now, arrives: now, complete: now }
    }
    fn receive(&mut self, now: Time, _: u32, _: u32, _: u64) -> Time {
        now
    }
    fn poll(&mut self, now: Time, _: u32) -> Time {
        now
    }
    fn prepare_memory(&mut self, _: &Description, _: u32) -> Result<(), String> {
        Ok(())
    }
    fn access(&mut self, now: Time, me: u32, at: u64, is_write: bool) -> Time {
        self.memory.as_mut().map_or(now, |memory| memory.access(now, me, at, is_write))
    }
}
