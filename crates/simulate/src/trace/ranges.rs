//! Between which times a prediction lies, if figures of the machine are known as ranges only.
//!
//! Each figure that has a range and something to do with communication is put at its ends, one at a time, which tells
//! how much it matters; then all are drawn together, each at its least, its own, or its greatest value. Three values, and
//! not any between, since a time is longest and shortest at ends. The seed is fixed. Costs of operations do not stand in
//! a trace, which has work as times; so their ends are runs of their own.
//!
//! A replay takes as long as the run's simulation, so few are made: a figure whose ends change nothing of what any
//! thread spends is not used by the program, and keeps its value in the samples; samples that are the same machine are
//! replayed once.

use super::what_if::{communicates, replayed, Reason};
use super::Trace;
use crate::reproduce::parallel;
use fathom_machine::quantity::Quantity;
use fathom_machine::{Description, Time};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A run, and, if costs of operations have ranges, the same with all of them at their least and at their greatest.
#[derive(Clone, Copy)]
pub struct Runs<'a> {
    pub own: &'a Trace,
    pub work: Option<[&'a Trace; 2]>,
}

/// What a figure's range does to the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Ends {
    /// `work` for the costs of operations.
    pub name: String,
    /// None for `work`.
    pub range: Option<[Quantity; 2]>,
    /// With the least and with the greatest value; None: no such machine can run the program.
    pub times: [Option<Time>; 2],
}

impl Ends {
    /// How far apart the times are.
    pub fn width(&self, own: Time) -> Time {
        let all = self.times.iter().flatten().chain([&own]);
        all.clone().max().unwrap_or(&0) - all.min().unwrap_or(&0)
    }
}

/// What the ranges make of a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranged {
    /// With the values of the file.
    pub own: Time,
    /// The figures with ranges, by what they matter.
    pub figures: Vec<Ends>,
    /// Of the samples, in ascending order.
    pub samples: Vec<Time>,
    /// Samples that are machines which cannot run the program.
    pub failed: usize,
}

/// A figure that varies, with its least and its greatest value as far as a machine can have them.
struct Varied {
    name: String,
    ends: [Option<Quantity>; 2],
    /// Its ends change something.
    is_used: bool,
}

/// A sample: which of the runs, and of each figure which end; None: its own value.
type Sample = (Which, Vec<Option<usize>>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Which {
    Least,
    Own,
    Greatest,
}

/// Replays a run over the ranges of the machine's figures: each end by itself, and this number of samples. `progress`
/// learns, from several threads, how many replays of how many are done.
///
/// # Errors
/// The machine cannot run the program with the values of its file, or a range has a mistake.
pub fn ranged(
    runs: &Runs,
    machine: &Description,
    samples: usize,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<Ranged, Reason> {
    let as_it_is = replayed(runs.own, machine)?;
    let own = as_it_is.time();
    let mut varied = vec![];
    for name in names(machine, runs.own.head.threads) {
        let Some([low, high]) = machine.range(&name)? else { continue };
        varied.push(Varied { name, ends: [Some(low), Some(high)], is_used: true });
    }
    // Each end of each figure.
    let cases: Vec<(usize, usize)> = (0..varied.len()).flat_map(|i| [(i, 0), (i, 1)]).collect();
    let done = AtomicUsize::new(1);
    let step = |all: usize| progress(done.fetch_add(1, Ordering::Relaxed) + 1, all);
    // With the time, whether anything is other than with the file's value.
    let found = parallel::map(&cases, |(i, end)| {
        let Varied { name, ends, .. } = &varied[*i];
        let changed = at(machine, &[(name.as_str(), ends[*end]?)]).ok()?;
        let outcome = replayed(runs.own, &changed).ok();
        step(1 + cases.len() + samples);
        outcome.map(|outcome| (outcome.time(), outcome.threads != as_it_is.threads))
    });
    let mut figures = vec![];
    for (v, found) in varied.iter_mut().zip(found.chunks(2)) {
        v.is_used = found.iter().any(|found| found.is_none_or(|(_, is_other)| is_other));
        let times = [found[0], found[1]].map(|found| found.map(|(time, _)| time));
        let range = v.ends[0].zip(v.ends[1]).map(|(low, high)| [low, high]);
        for (end, time) in v.ends.iter_mut().zip(times) {
            *end = end.filter(|_| time.is_some());
        }
        figures.push(Ends { name: v.name.clone(), range, times });
    }
    if let Some(work) = runs.work {
        let mut times = [None; 2];
        for (time, trace) in times.iter_mut().zip(work) {
            *time = Some(replayed(trace, machine)?.time());
        }
        figures.push(Ends { name: "work".into(), range: None, times });
    }
    figures.sort_by(|a, b| b.width(own).cmp(&a.width(own)).then_with(|| a.name.cmp(&b.name)));
    let mut random = fastrand::Rng::with_seed(7);
    let mut drawn: Vec<Sample> = vec![];
    for _ in 0..samples {
        let mut ends = vec![];
        for v in &varied {
            // Its own value is not set: it may follow from another figure.
            let end = [Some(0), None, Some(1)][random.usize(0..3)];
            ends.push(end.filter(|end| v.is_used && v.ends[*end].is_some()));
        }
        let which = [Which::Least, Which::Own, Which::Greatest][random.usize(0..3)];
        drawn.push((if runs.work.is_some() { which } else { Which::Own }, ends));
    }
    let mut seen = HashSet::new();
    let distinct: Vec<&Sample> = drawn.iter().filter(|sample| seen.insert(*sample)).collect();
    let times = parallel::map(&distinct, |(which, ends)| {
        let trace = match (runs.work, which) {
            (Some([least, _]), Which::Least) => least,
            (Some([_, greatest]), Which::Greatest) => greatest,
            _ => runs.own,
        };
        let values: Vec<(&str, Quantity)> =
            varied.iter().zip(ends).filter_map(|(v, end)| Some((v.name.as_str(), v.ends[(*end)?]?))).collect();
        let outcome = at(machine, &values).ok().and_then(|changed| replayed(trace, &changed).ok());
        step(1 + cases.len() + distinct.len());
        outcome.map(|outcome| outcome.time())
    });
    let times: HashMap<&Sample, Option<Time>> = distinct.iter().copied().zip(times).collect();
    let times: Vec<Option<Time>> = drawn.iter().map(|sample| times[sample]).collect();
    let failed = times.iter().filter(|time| time.is_none()).count();
    let mut samples: Vec<Time> = times.into_iter().flatten().collect();
    samples.sort_unstable();
    Ok(Ranged { own, figures, samples, failed })
}

/// The figures that may matter to communication.
fn names(machine: &Description, threads: u32) -> Vec<String> {
    let is_apart = machine.nodes(threads).per_node() == 1;
    let matters = |name: &String| {
        // How many cores a node has is checked when threads are dealt to nodes, and changes nothing afterwards.
        communicates(machine, name) && name != "near.threads" && !(is_apart && name.starts_with("near."))
    };
    let is_number = |name: &String| machine.quantity(name).is_ok();
    machine.figures().map(|(name, _)| name).filter(|name| matters(name) && is_number(name)).collect()
}

/// The machine with these values. Where one follows from another by its formula, each has its own value in the end.
///
/// # Errors
/// A formula has a mistake, or two figures follow from each other so that not both can have their values.
fn at(machine: &Description, values: &[(&str, Quantity)]) -> Result<Description, String> {
    const CLOSE: f64 = 1e-9;
    let mut changed = machine.clone();
    // A chain of formulas is at most as long as there are values.
    for _ in 0..=values.len() {
        let mut is_done = true;
        for (name, wanted) in values {
            let value = changed.quantity(name)?.value;
            if value == wanted.value {
                continue;
            }
            if value == 0.0 {
                // No factor leads from 0 to another value.
                changed = changed.with_value(name, &wanted.written())?;
                is_done = false;
                continue;
            }
            let factor = wanted.value / value;
            if !factor.is_finite() || factor < 0.0 {
                return Err(format!("figure `{name}` cannot be {}", wanted.value));
            }
            if (factor - 1.0).abs() > CLOSE {
                changed = changed.with_factor(name, factor)?;
                is_done = false;
            }
        }
        if is_done {
            return Ok(changed);
        }
    }
    Err("the figures with ranges follow from each other".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine with these figures of its network.
    fn network(figures: &str) -> Description {
        let all = "[simulated]\nabout = \"A machine for a test.\"\n[simulated.network]\nkind = \"loggp\"\n\
                   ports = { value = 4, other = \"a test\" }\n";
        Description::of_file(&(all.to_owned() + figures)).unwrap().unwrap()
    }

    /// Also where the file's own value is 0, from which no factor leads to another one.
    #[test]
    fn figures_that_are_0_have_the_values_that_are_drawn() {
        let machine = network(
            r#"
            L = { value = "1 us", other = "a test" }
            g = { value = "0 ns", assumed = "a test", range = ["0 ns", "2 us"] }
            o_send = { value = "network.g", derived = "a test" }
            "#,
        );
        let names = names(&machine, 4);
        assert!(["network.g", "network.o_send"].iter().all(|name| names.iter().any(|n| n == name)), "{names:?}");
        let wanted = machine.range("network.g").unwrap().unwrap()[1];
        let changed = at(&machine, &[("network.g", wanted)]).unwrap();
        assert_eq!(changed.quantity("network.g").unwrap(), wanted);
        assert_eq!(changed.quantity("network.o_send").unwrap().value, 2e6, "it follows");
    }

    #[test]
    fn figures_have_the_values_that_are_drawn_though_they_follow_from_each_other() {
        let machine = network(
            r#"
            L = { value = "10 * network.o_send", assumed = "a test", range = ["1 us", "9 us"] }
            g = { value = "network.L / 2", assumed = "a test", range = ["1 ns", "2 us"] }
            o_send = { value = "300 ns", assumed = "a test", range = ["100 ns", "500 ns"] }
            "#,
        );
        let wanted = |name: &str, end: usize| machine.range(name).unwrap().unwrap()[end];
        let values = [
            ("network.L", wanted("network.L", 1)),
            ("network.g", wanted("network.g", 0)),
            ("network.o_send", wanted("network.o_send", 0)),
        ];
        for n in 1..=3 {
            let changed = at(&machine, &values[..n]).unwrap();
            for (name, wanted) in &values[..n] {
                assert!((changed.quantity(name).unwrap().value / wanted.value - 1.0).abs() < 1e-6, "{name}");
            }
        }
        // A figure that was not drawn follows.
        let changed = at(&machine, &values[2..]).unwrap();
        assert_eq!(changed.quantity("network.L").unwrap().value.round(), 1e6);
    }
}
