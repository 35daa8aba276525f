//! `fathom replay`: the times of a recorded program on other machines, without running it.

mod otf2;

use crate::machines;
use crate::simulate::on_nodes::{self, OnNodes};
use crate::simulate::page;
use crate::simulate::range;
use crate::simulate::report::Sheet;
use crate::simulate::what_if::depends;
use clap::Args;
use fathom_machine::Description;
use fathom_simulate::trace::ranges::Runs;
use fathom_simulate::trace::{goal, what_if, Choices, Trace};
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::{Failure, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

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
    /// Threads on each node [default: as in the run, if no machine is given, else 1]
    #[arg(long, value_name = "K")]
    threads_per_node: Option<u32>,
    /// The number of nodes, instead of --threads-per-node
    #[arg(long, value_name = "M")]
    nodes: Option<u32>,
    /// Which threads are on one node: blocks, of consecutive numbers, or round-robin [default: blocks]
    #[arg(long, value_name = "HOW")]
    placement: Option<String>,
    /// Also tell what the time depends on: the work, each figure of the machine's network; and what it would be without a
    /// network, and with the work spread evenly
    #[arg(long)]
    what_if: bool,
    /// Also tell between which times the result lies, where the machine file has ranges: replays with each figure at its
    /// ends, and this number of samples of all [default: 30]
    #[arg(long, value_name = "SAMPLES", num_args = 0..=1, require_equals = true)]
    range: Option<Option<String>>,
    /// Write a page to FILE: the parts of the time, the lines, the threads over time, who moved how much to whom, and
    /// with --what-if what the time depends on
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Report all lines of the program, not the ten that take the most time
    #[arg(long)]
    all_lines: bool,
    /// Also write the run as a schedule of GOAL, which LogGOPSim reads, with the overheads of the machine's processors
    #[arg(long, value_name = "FILE")]
    export_goal: Option<PathBuf>,
    /// Also write the run as an archive of OTF2 in DIR, a folder that does not exist yet: needs the OTF2 library
    #[arg(long, value_name = "DIR")]
    export_otf2: Option<PathBuf>,
    /// Write the report to this file instead of the standard error
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fathom simulate --machine ib-edr -n 64 --trace heat.sim heat.upc
  fathom replay heat.sim --machine slingshot-11 --machine t3d
  fathom replay heat.sim --what-if
  fathom replay heat.sim --export-goal heat.goal
  fathom replay heat.sim --export-otf2 heat-otf2";

pub fn main(options: &Options) -> Result<()> {
    let bytes = std::fs::read(&options.file).or_io("read", &options.file)?;
    let invalid = |why: String| Failure::new(format!("{} {why}", options.file.display()));
    let trace = Trace::read(&bytes).map_err(invalid)?;
    drop(bytes);
    let head = &trace.head;
    let mut machines = match options.machine.is_empty() {
        true => vec![head.machine.clone()],
        false => options.machine.clone(),
    };
    let mut on_nodes = OnNodes::default();
    let number = |n: Option<u32>| n.map(|n| n.to_string());
    for (option, value) in [
        ("--threads-per-node", number(options.threads_per_node)),
        ("--nodes", number(options.nodes)),
        ("--placement", options.placement.clone()),
    ] {
        if let Some(value) = value {
            on_nodes.take(option, || Ok(value))?;
        }
    }
    // That of the run may have other nodes there.
    if options.machine.is_empty() && (on_nodes.per_node.is_some() || on_nodes.nodes.is_some()) {
        machines = vec![on_nodes::split(&head.machine)?.0.to_string()];
    }
    on_nodes.apply(&mut machines, Some(head.threads))?;
    let machines = &machines[..];
    if options.export_goal.is_some() && machines.len() > 1 {
        return Err(Failure::new("a schedule has the overheads of one machine: give one --machine with --export-goal"));
    }
    if let Some(folder) = &options.export_otf2 {
        if machines.len() > 1 {
            return Err(Failure::new("an archive has the times of one machine: give one --machine with --export-otf2"));
        }
        otf2::check(folder)?;
    }
    let (mut outcomes, mut beside, mut depend) = (vec![], String::new(), vec![]);
    for name in machines {
        let description = machines::simulated(name)?;
        let outcome = what_if::told(&trace, &description, options.html.is_some(), options.export_otf2.is_some())
            .map_err(|why| Failure::new(format!("the machine `{name}` cannot run this program: {why}")))?;
        let depends = options.what_if.then(|| depends(&trace, name, &description, &outcome)).transpose()?;
        beside.extend(depends.iter().map(|depends| depends.text(name)));
        if let Some(samples) = &options.range {
            let samples = samples.as_deref().map_or(Ok(range::SAMPLES), range::samples)?;
            let runs = Runs { own: &trace, work: None };
            beside.push_str(&range::of_trace(&runs, name, &description, samples)?);
        }
        depend.push(depends);
        outcomes.push(outcome);
    }
    let (program, threads, basis) = (&head.program, head.threads, &head.basis);
    let declared = vec![trace.choices.declared; machines.len()];
    let all_lines = options.all_lines;
    let sheet = Sheet { program, threads, machines, outcomes: &outcomes, basis, declared: &declared, all_lines };
    if let Some(path) = &options.html {
        std::fs::write(path, page::html(&sheet, depend)).or_io("write", path)?;
    }
    let mut report = sheet.text();
    let has_changed = machines.contains(&head.machine) && machines::fingerprint(&head.machine)? != head.file;
    if has_changed {
        report.push_str(&format!(
            "The file of the machine {} is not what it was when this run was recorded: the times are those by the file as it is now.\n",
            head.machine
        ));
    }
    if has_changed || machines.iter().any(|m| *m != head.machine) {
        report.push_str(&about(&trace.choices, &head.machine));
    }
    report.push_str(&beside);
    if let Some(path) = &options.export_goal {
        report.push_str(&export(&trace, &options.file, &machines[0], path)?);
    }
    if let Some(folder) = &options.export_otf2 {
        report.push_str(&otf2::export(&trace, &machines[0], &outcomes[0], folder)?);
    }
    match &options.output {
        Some(path) => std::fs::write(path, report).or_io("write", path),
        None => {
            let _ = std::io::stderr().write_all(report.as_bytes());
            Ok(())
        }
    }
}

/// Writes a schedule of GOAL, and says how to simulate it.
fn export(trace: &Trace, file: &Path, name: &str, path: &Path) -> Result<String> {
    let machine = machines::simulated(name)?;
    let how = match parameters(&machine) {
        Ok(parameters) => {
            format!("txt2bin -i {0} -o {0}.bin && LogGOPSim -f {0}.bin {parameters} -o 0 -S 2147483647", path.display())
        }
        Err(why) => format!("LogGOPSim's L, g and G are to be chosen, with -o 0 -S 2147483647: {name} {why}"),
    };
    let about = format!(
        "Written by Fathom: {}, recorded on {}.\nTimes are in picoseconds. Work includes the overheads of {name}: o is 0.\n{how}",
        trace.head.program, trace.head.machine
    );
    let failed = |failure| match failure {
        goal::Failure::Machine(why) => Failure::new(format!("the machine `{name}` {why}")),
        goal::Failure::Trace(why) => Failure::new(format!("{} {why}", file.display())),
        goal::Failure::Io(error) => Failure::io("write", path, &error),
    };
    let mut to = BufWriter::new(File::create(path).or_io("write", path)?);
    let written = goal::write(trace, &machine, &about, &mut to).map_err(failed)?;
    Ok(format!("\n{} has {} operations of {} ranks:\n{how}\n", path.display(), written.operations, written.ranks))
}

/// The options of LogGOPSim for a machine's network. Its numbers are whole: picoseconds.
///
/// # Errors
/// The end of a sentence that begins with the machine's name.
fn parameters(machine: &Description) -> std::result::Result<String, String> {
    let network = machine.of_network();
    if machine.network.as_ref().is_none_or(|n| n.kind != "loggp") {
        return Err("has another network than one of kind `loggp`".into());
    }
    if network.has("from_2") {
        return Err("has parameters that depend on the size of a message".into());
    }
    if network.has("serve") {
        return Err(
            "has processors that answer puts and gets (`serve`), which GOAL cannot say of one that is at work".into()
        );
    }
    let per_byte = if network.has("G") { network.time_per_byte("G")?.round() } else { 0.0 };
    Ok(format!("-L {} -g {} -G {per_byte}", network.time("L")?, network.time_or_zero("g")?))
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
