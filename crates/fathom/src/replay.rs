//! `fathom replay`: the times of a recorded program on other machines, without running it.

use crate::machines;
use crate::simulate::report::Sheet;
use clap::Args;
use fathom_simulate::program::{charges, simulate, Failure as Stopped};
use fathom_simulate::trace::{Choices, Replay, Trace};
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use std::io::Write;
use std::path::PathBuf;

/// Report the time of a recorded run on this or another simulated machine.
///
/// Reads what `fathom simulate --trace FILE` has written, and computes the times again, without the program. What the
/// program chose by the time, such as the order in which locks were taken, stays as it was.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The trace
    file: PathBuf,
    /// The machine: a name, or a machine file; several are compared (default: that of the run)
    #[arg(long, value_name = "NAME")]
    machine: Vec<String>,
    /// Write the report to this file instead of the standard error
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fathom simulate --machine ib-edr -n 64 --trace heat.sim heat.upc
  fathom replay heat.sim --machine slingshot-11 --machine t3d";

pub fn main(options: &Options) -> Result<()> {
    let bytes = std::fs::read(&options.file).or_io("read", &options.file)?;
    let invalid = |why: String| Failure::new(format!("{} {why}", options.file.display()));
    let trace = Trace::read(&bytes).map_err(invalid)?;
    drop(bytes);
    let head = &trace.head;
    let machines = match options.machine.is_empty() {
        true => std::slice::from_ref(&head.machine),
        false => &options.machine[..],
    };
    let mut outcomes = vec![];
    for name in machines {
        let description = machines::simulated(name)?;
        let mut machine = charges(&description, head.threads)
            .and_then(|mut machine| match trace.has_accesses() {
                true => machine.prepare_memory(&description, head.threads).map(|()| machine),
                false => Ok(machine),
            })
            .map_err(|why| Failure::new(format!("the machine `{name}` cannot run this program: {why}")))?;
        let outcome = simulate(&mut Replay::new(&trace), &mut *machine, head.threads);
        outcomes.push(outcome.map_err(|why| {
            let who = if let Stopped::Deadlock(who) = why { format!(": {who}") } else { String::new() };
            Failure::new(format!("the trace {} cannot be performed on {name}{who}", options.file.display()))
                .hint("run the program there: `fathom simulate`")
        })?);
    }
    let (program, threads, basis) = (&head.program, head.threads, &head.basis);
    let declared = vec![trace.choices.declared; machines.len()];
    let mut report = Sheet { program, threads, machines, outcomes: &outcomes, basis, declared: &declared }.text();
    if machines.iter().any(|m| *m != head.machine) {
        report.push_str(&about(&trace.choices, &head.machine));
    }
    match &options.output {
        Some(path) => std::fs::write(path, report).or_io("write", path),
        None => {
            let _ = std::io::stderr().write_all(report.as_bytes());
            Ok(())
        }
    }
}

/// What another machine could have changed.
fn about(choices: &Choices, machine: &str) -> String {
    let kinds = [
        (choices.clocks, "reads of a clock"),
        (choices.tests, "tests whether a transfer is complete"),
        (choices.limits, "waits that ended by their limit"),
        (choices.strict, "strict reads"),
        (choices.rivals, "requests of several threads to one (locks, atomic operations)"),
    ];
    let list: Vec<String> = kinds.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    match list.is_empty() {
        true => format!(
            "Recorded on {machine}, whose work it has. Nothing that the program did depended on the time.\n"
        ),
        false => format!(
            "Recorded on {machine}, whose work it has. What the program did may have depended on the time, and is kept as it was\n\
             there: {}.\n",
            list.join(", ")
        ),
    }
}
