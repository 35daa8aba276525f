//! `--range`: the time of a run where figures of the machine are known as ranges only.

use super::what_if::quantity;
use super::{machine, on_one_processor, perform, report, Charged, Own};
use fathom_machine::description::WORK;
use fathom_machine::{Description, Time};
use fathom_report::{Cell, Table};
use fathom_simulate::program::Work;
use fathom_simulate::trace::ranges::{ranged, Ranged, Runs};
use fathom_simulate::trace::{Head, Trace};
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::program::Simulated;
use fathom_toolchain::progress::Progress;
use fathom_toolchain::{Failure, Result};
use std::path::Path;

/// Samples, if nobody says how many.
pub const SAMPLES: usize = 30;
const MOST_SAMPLES: usize = 10_000;

/// Takes `--range` and `--range=SAMPLES`. None: it is another option.
///
/// # Errors
/// The number is not valid.
pub fn option(arg: &str) -> Result<Option<usize>> {
    if arg == "--range" {
        return Ok(Some(SAMPLES));
    }
    arg.strip_prefix("--range=").map(samples).transpose()
}

/// The number of samples.
///
/// # Errors
/// It is not valid.
pub fn samples(text: &str) -> Result<usize> {
    let valid = text.parse().ok().filter(|n| (1..=MOST_SAMPLES).contains(n));
    valid.ok_or_else(|| Failure::new(format!("'{text}' is not a valid number of samples: give 1 to {MOST_SAMPLES}")))
}

/// Runs the program again with all costs of operations at their least and at their greatest, if they have ranges, and
/// replays all over the ranges of the machine's figures: what to report. `recorded` is the run with the file's values.
///
/// # Errors
/// The machine or the program cannot run so.
pub(super) fn of_run(
    program: &Simulated,
    own: &Own,
    (name, description): (&str, &Description),
    recorded: &Path,
    head: &Head,
    samples: usize,
) -> Result<String> {
    let own_trace = read(recorded)?;
    let scratch = fathom_toolchain::scratch::Scratch::new()?;
    let mut ends = vec![];
    for (i, work) in costs_at_ends(description, &own.charged)?.into_iter().flatten().enumerate() {
        let path = scratch.path().join(format!("{i}.trace"));
        let mut machine = machine(name, description, program.threads, &work)?;
        // What it prints has been printed.
        let (trace, mut said) = ((path.clone(), head.clone()), String::new());
        let (own, said) = (Own::default(), Some(&mut said));
        on_one_processor(|places| perform(program, &own, &work, &mut *machine, Some(&trace), said, places))?;
        ends.push(read(&path)?);
    }
    let work = match &ends[..] {
        [least, greatest] => Some([least, greatest]),
        _ => None,
    };
    of_trace(&Runs { own: &own_trace, work }, name, description, samples)
}

/// What to report of a run that was recorded.
///
/// # Errors
/// The machine cannot run it.
pub fn of_trace(runs: &Runs, name: &str, description: &Description, samples: usize) -> Result<String> {
    let bar = Progress::bar();
    let said = |done: usize, all: usize| {
        bar.at(done as f64 / all as f64, format!("{name}: replay {done} of {all}, over the ranges of its figures"));
    };
    let found = ranged(runs, description, samples, &said)
        .map_err(|why| Failure::new(format!("the machine `{name}` cannot run this program: {why}")))?;
    drop(bar);
    Ok(text(name, &found, runs.work.is_some()))
}

fn read(path: &Path) -> Result<Trace> {
    let bytes = std::fs::read(path).or_io("read", path)?;
    Trace::read(&bytes).map_err(|why| Failure::new(format!("{} {why}", path.display())))
}

/// All costs of operations at their least, and at their greatest; None: they have no ranges, or do not count.
fn costs_at_ends(description: &Description, charged: &Charged) -> Result<Option<[Work; 2]>> {
    let is_counted = matches!(charged, Charged::IfKnown | Charged::Counted | Charged::Accesses);
    let Some(costs) = description.work_costs().map_err(Failure::new)?.filter(|_| is_counted) else { return Ok(None) };
    let (mut ends, mut has_range) = ([costs; 2], false);
    for (i, class) in WORK.iter().enumerate() {
        if let Some(range) = description.range(&format!("work.{class}")).map_err(Failure::new)? {
            has_range = true;
            (ends[0][i], ends[1][i]) = (range[0].value, range[1].value);
        }
    }
    let of = |costs| if *charged == Charged::Accesses { Work::Accesses(costs) } else { Work::Counted(costs) };
    Ok(has_range.then(|| ends.map(of)))
}

/// The most figures that are listed.
const LINES: usize = 10;

fn text(name: &str, found: &Ranged, has_work: bool) -> String {
    let shown = |time: Time| report::time(time as f64);
    let mut out = format!("\nRanges, on {name}: {} with the file's values", shown(found.own));
    if let (Some(least), Some(greatest)) = (found.samples.first(), found.samples.last()) {
        let n = found.samples.len();
        let median = shown(found.samples[n / 2]);
        out += &format!("; in {n} samples {} to {},\nhalf of them below {median}", shown(*least), shown(*greatest));
        // Of fewer there is no twentieth.
        let cut = n / 20;
        if cut > 0 {
            let (low, high) = (found.samples[cut], found.samples[n - 1 - cut]);
            out += &format!(", nine of ten between {} and {}", shown(low), shown(high));
        }
        out += ".\n";
    } else {
        out += ".\n";
    }
    if found.failed > 0 {
        out += &format!("{} more samples are machines that cannot run the program.\n", found.failed);
    }
    let matter = found.figures.iter().filter(|f| f.width(found.own) > 0);
    let mut table = Table::new(["figure", "least", "greatest", "time with the least", "with the greatest"]);
    for figure in matter.clone().take(LINES) {
        let end = |i: usize| figure.range.map_or_else(|| "all costs".to_string(), |range| quantity(&range[i]));
        let time = |i: usize| figure.times[i].map_or_else(|| "cannot run".to_string(), shown);
        table.push([Cell::from(figure.name.clone()), end(0).into(), end(1).into(), time(0).into(), time(1).into()]);
    }
    let others = found.figures.len() - matter.clone().count().min(LINES);
    match matter.clone().next() {
        Some(first) => {
            out +=
                &format!("Most depends on `{}`. Each figure at its ends, all others as in the file:\n\n", first.name);
            out += &table.text(report::WIDTH);
            if others > 0 {
                out += &format!("{others} more figures with ranges matter less, or not at all.\n");
            }
        }
        None => out += "No figure that matters to this program has a range.\n",
    }
    if !has_work {
        out += "The work is that of the run: costs of operations do not vary.\n";
    }
    out
}
