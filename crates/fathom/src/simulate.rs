//! `fathom simulate`: runs a program on a simulated machine, and tells its time there.

pub mod calibrate;
mod check_work;
mod explain_time;
mod lines;
pub mod on_nodes;
pub mod page;
pub mod range;
pub mod report;
pub mod what_if;

use crate::{machines, Raw};
use clap::Args;
use fathom_machine::{Description, Time};
use fathom_simulate::program::explain_time::Operation;
use fathom_simulate::program::{
    charges, simulate_drawn, At, Charges, Failure as Stopped, Job, Outcome, Pictures, Places, Work, TOO_LONG,
};
use fathom_simulate::trace::{is_trace, Head, Recorder};
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::note::Note;
use fathom_toolchain::program::{Run, Simulated};
use fathom_toolchain::{Failure, Result};
use on_nodes::OnNodes;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// Run a program on a simulated machine, and report its time there.
///
/// The program runs as usual, one thread at a time; its output is what it prints. The time of its communication is
/// computed from the machine file. The same run gives the same times on every computer.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The machine: a name, or a machine file; several are compared
    #[arg(long, value_name = "NAME")]
    machine: Vec<String>,
    /// Another value of a figure of the machine file, such as network.L='50 us'; may be repeated. `fathom model --list
    /// NAME` prints the figures; those that are derived from this one follow
    #[arg(long, value_name = "FIGURE=VALUE")]
    set: Vec<String>,
    /// Number of threads
    #[arg(short = 'n', long = "threads", value_name = "N")]
    threads: Option<u32>,
    /// Threads on each node, if the machine file says what they share [default: 1]
    #[arg(long, value_name = "K")]
    threads_per_node: Option<u32>,
    /// Nodes: with --threads-per-node instead of -n, or with -n instead of --threads-per-node
    #[arg(long, value_name = "M")]
    nodes: Option<u32>,
    /// Which threads are on one node: blocks, of consecutive numbers, or round-robin [default: blocks]
    #[arg(long, value_name = "HOW")]
    placement: Option<String>,
    /// Bytes of shared heap per thread, with K, M or G
    #[arg(long, value_name = "SIZE")]
    heap: Option<String>,
    /// What the program's work between its communication costs: counted, its operations by the costs in the machine file;
    /// accesses, the same with each access to memory by the machine's caches; calibrated:FILE, by the costs that
    /// --calibrate has written; none; or measured[:RATIO], the processor's time here multiplied by RATIO, which differs
    /// from run to run [default: counted, if the machine file has costs]
    #[arg(long, value_name = "HOW")]
    work: Option<String>,
    /// Measure the program's work on this computer, and write to FILE what its operations cost here
    #[arg(long, value_name = "FILE")]
    calibrate: Option<PathBuf>,
    /// Write to FILE what the threads did: `fathom replay FILE` computes its time on other machines
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Also tell between which times the result lies, where the machine file has ranges: runs with the costs of operations
    /// at their ends, replays with each figure at its ends, and this number of samples of all [default: 30]
    #[arg(long, value_name = "SAMPLES", num_args = 0..=1, require_equals = true)]
    range: Option<Option<usize>>,
    /// Also tell what the time depends on: the work, each figure of the machine's network; and what it would be without a
    /// network, and with the work spread evenly
    #[arg(long)]
    what_if: bool,
    /// Also measure, on this computer, what share of the program's own time is spent in code that is not charged, such as
    /// functions of libraries; that share differs from run to run
    #[arg(long)]
    check_work: bool,
    /// Run no program, and tell what the time of one operation consists of: get BYTES, put BYTES, message BYTES
    /// (between the threads that are nearest and farthest), or barrier
    #[arg(long, value_name = "OP")]
    explain_time: Vec<String>,
    /// Write a page to FILE: the parts of the time, the lines, the threads over time, and who moved how much to whom
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Report all lines of the program, not the ten that take the most time
    #[arg(long)]
    all_lines: bool,
    /// Write the report to this file instead of the standard error
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    pub raw: Raw,
}

const EXAMPLES: &str = "\
Examples:
  fathom simulate --machine ib-edr -n 64 heat.upc
  fathom simulate --machine ib-edr -n 64 --what-if heat.upc
  fathom simulate --machine slingshot-11 --threads-per-node 128 -n 1024 heat.upc
  fathom simulate --machine ib-edr --machine slingshot-11 -n 256 -O3 sort.sc 1000000
  fathom simulate --machine now --set network.L='50 us' -n 16 -O3 sort.sc 1000000";

/// What a report lacks of a program that our front end has not compiled.
fn not_ours(work: &Work, outcome: &Outcome) -> &'static str {
    let has_lines = outcome.lines.iter().any(|line| matches!(line.at, At::Line(..)));
    match (work, has_lines) {
        (_, false) => "No line of the program is known: compile it with -g.\n",
        (Work::Counted(_) | Work::Accesses(_), true) => {
            "The program's own work is not counted, because `fathom cc` has not compiled it.\n"
        }
        _ => "",
    }
}

/// The options of this command itself.
#[derive(Default)]
struct Own {
    machines: Vec<String>,
    /// Figures with the values that they have instead of the machine file's.
    set: Vec<(String, String)>,
    output: Option<PathBuf>,
    charged: Charged,
    calibrate: Option<PathBuf>,
    trace: Option<PathBuf>,
    what_if: bool,
    check_work: bool,
    all_lines: bool,
    html: Option<PathBuf>,
    explain_time: Vec<Operation>,
    on_nodes: OnNodes,
    /// The number of samples of the figures' ranges, if they are asked for.
    range: Option<usize>,
    /// The number that is given to the job, too.
    threads: Option<u32>,
}

/// How the program's own work is charged.
#[derive(Clone, Default, PartialEq)]
pub enum Charged {
    /// Counted, if the machine file says what operations cost.
    #[default]
    IfKnown,
    Counted,
    /// The same, and the machine's caches answer loads and stores.
    Accesses,
    /// By the costs in this file.
    Calibrated(PathBuf),
    Not,
    /// By the processor's time here, times this.
    Measured(f64),
}

pub fn main(args: &[String]) -> Result<()> {
    if args.is_empty() {
        return crate::help("simulate");
    }
    let (mut own, mut rest) = scan(args)?;
    if let (None, Some(threads)) = (own.threads, own.on_nodes.threads()) {
        own.threads = Some(threads);
        rest.splice(0..0, ["-n".to_string(), threads.to_string()]);
    }
    own.on_nodes.apply(&mut own.machines, own.threads)?;
    if own.charged == Charged::Accesses {
        rest.insert(0, "--accesses".into());
    }
    if !own.explain_time.is_empty() {
        return explain(&own, &rest);
    }
    if own.check_work {
        check_work::check(&own.charged)?;
        // It needs lines; the code is the same.
        rest.insert(0, "-g".into());
    }
    let run = Run::scan_of("fathom simulate --machine ib-edr -n 64 heat.upc", &rest)?;
    if run.job.show_help {
        return crate::help("simulate");
    }
    if own.calibrate.is_some() && (own.charged != Charged::IfKnown || own.machines.len() > 1) {
        return Err(
            Failure::new("--calibrate measures the program's work, once").hint("give one --machine, and no --work")
        );
    }
    is_no_trace(&run.file)?;
    need_machine(&own)?;
    let file = run.file.display().to_string();
    for path in [&own.output, &own.html, &own.trace, &own.calibrate].into_iter().flatten() {
        can_be_written(path)?;
    }
    if own.trace.is_some() && own.machines.len() > 1 {
        return Err(Failure::new("a trace is that of one run: give one machine with --trace")
            .hint("`fathom replay FILE --machine NAME --machine NAME` compares machines"));
    }
    if own.trace.is_some() && !own.set.is_empty() {
        return Err(Failure::new("a trace names the machine of its run, which is not that of --set")
            .hint("write a machine file with the other value, and give its path with --machine"));
    }
    let described = own.machines.iter().map(|name| described(name, &own.set)).collect::<Result<Vec<_>>>()?;
    if own.calibrate.is_some() {
        own.charged = Charged::Measured(1.0);
    }
    let works = own.machines.iter().zip(&described).map(|(name, machine)| work(&own.charged, name, machine));
    let works = works.collect::<Result<Vec<_>>>()?;
    if let (true, Some((name, _))) = (own.check_work, own.machines.iter().zip(&works).find(|(_, w)| **w == Work::Free))
    {
        return Err(Failure::new(format!("--check-work asks what counted work leaves out, and {name} counts none"))
            .hint("take a machine with the table `simulated.work`, or --work calibrated:FILE"));
    }
    // Mistakes are found before anything is compiled.
    let program = run.simulated()?;
    if own.range.is_some() && (own.calibrate.is_some() || matches!(own.charged, Charged::Measured(_))) {
        return Err(Failure::new("--range compares runs, and measured work differs from run to run")
            .hint("leave --range out, or take another --work"));
    }
    let (mut outcomes, mut declared, mut depend, mut beside) = (vec![], vec![], vec![], String::new());
    let mut warnings = vec![];
    for ((name, description), work) in own.machines.iter().zip(&described).zip(&works) {
        let mut machine = machine(name, description, program.threads, work)?;
        let head = || -> Result<Head> {
            let (program, threads, machine) = (file.clone(), program.threads, name.clone());
            Ok(Head { program, threads, machine, file: machines::fingerprint(name)?, basis: basis(&own, &works) })
        };
        let recorded = what_if::Recorded::new(own.trace.as_deref(), own.what_if || own.range.is_some())?;
        let trace = recorded.as_ref().map(|recorded| Ok((recorded.path().to_path_buf(), head()?))).transpose()?;
        let Performed { outcome, counted, checked, is_ours, memory } =
            on_one_processor(|places| perform(&program, &own, work, &mut *machine, trace.as_ref(), None, places))?;
        if let (Some(path), Work::Measured(_, costs)) = (&own.calibrate, work) {
            let costs = costs.ok_or_else(|| {
                Failure::new(format!("the machine `{name}` does not say what operations cost"))
                    .hint("take a machine with the table `simulated.work`: its costs are scaled")
            })?;
            let measured = outcome.threads.iter().map(|t| t.work).sum();
            let what = format!("{file}, with {} threads: those of {name}, scaled", program.threads);
            calibrate::write(path, &what, &costs, counted.0, measured)?;
            beside.extend(calibrate::warning(measured, program.threads));
        }
        warnings.extend(memory_warning(name, description, memory));
        let asked = recorded.as_ref().filter(|_| own.what_if);
        depend.push(asked.map(|r| r.depends(name, description, &outcome)).transpose()?);
        declared.push(counted.1);
        if !is_ours && outcomes.is_empty() {
            beside.push_str(not_ours(work, &outcome));
        }
        beside.extend(checked);
        outcomes.push(outcome);
        if let (Some(samples), Some((recorded, head))) = (own.range, &trace) {
            beside += &range::of_run(&program, &own, (name, description), recorded, head, samples)?;
        }
    }
    let basis = basis(&own, &works);
    let (machines, threads) = (&own.machines[..], program.threads);
    let sheet = report::Sheet {
        program: &file,
        threads,
        machines,
        outcomes: &outcomes,
        basis: &basis,
        declared: &declared,
        all_lines: own.all_lines,
    };
    let mut report = sheet.text();
    let pairs = own.machines.iter().zip(&depend);
    report.extend(pairs.filter_map(|(name, depends)| depends.as_ref().map(|d| d.text(name))));
    report.push_str(&beside);
    // They depend on this computer's pages, and are no part of the report.
    warnings.iter().for_each(|warning| eprintln!("fathom: warning: {warning}"));
    if let Some(path) = &own.html {
        std::fs::write(path, page::html(&sheet, depend)).or_io("write", path)?;
    }
    match &own.output {
        Some(path) => std::fs::write(path, report).or_io("write", path),
        None => {
            let _ = std::io::stderr().write_all(report.as_bytes());
            Ok(())
        }
    }
}

/// Whether this file can be written at the end. What it has stays until then.
fn can_be_written(path: &Path) -> Result<()> {
    let is_new = !path.exists();
    std::fs::OpenOptions::new().append(true).create(true).open(path).or_io("write", path)?;
    if is_new {
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// A trace is not run again.
fn is_no_trace(path: &Path) -> Result<()> {
    let mut first = vec![];
    let read = std::fs::File::open(path).and_then(|file| file.take(8).read_to_end(&mut first));
    match read.is_ok() && is_trace(&first) {
        true => Err(Failure::new(format!("{} is not a program, but the trace of a run", path.display()))
            .hint("`fathom replay FILE --machine NAME` computes its time on a machine")),
        false => Ok(()),
    }
}

/// Tells what the time of operations consists of.
fn explain(own: &Own, rest: &[String]) -> Result<()> {
    need_machine(own)?;
    let text = rest.join(" ");
    let number = ["-n", "-np", "--threads=", "--threads"].iter().find_map(|name| text.strip_prefix(name));
    let threads = match (text.is_empty(), number.map(|n| n.trim().parse::<u32>())) {
        (true, _) => None,
        (_, Some(Ok(n))) if n > 0 => Some(n),
        (_, Some(_)) => {
            return Err(Failure::new(format!("`{text}` is not a valid number of threads")).hint("give 1 to 1048576"))
        }
        _ => {
            return Err(Failure::new(format!("--explain-time runs no program: `{text}` has no meaning"))
                .hint("give only machines and -n, the number of threads"))
        }
    };
    let described = own.machines.iter().map(|name| described(name, &own.set)).collect::<Result<Vec<_>>>()?;
    let report = explain_time::text(&own.machines, &described, &own.explain_time, threads)?;
    match &own.output {
        Some(path) => std::fs::write(path, report).or_io("write", path),
        None => {
            let _ = std::io::stdout().write_all(report.as_bytes());
            Ok(())
        }
    }
}

fn need_machine(own: &Own) -> Result<()> {
    match own.machines.is_empty() {
        true => Err(Failure::new("the machine is missing: give it with --machine").hint(machines::simulated_names())),
        false => Ok(()),
    }
}

fn operation(text: &str) -> Result<Operation> {
    let unknown = || Failure::new(format!("`{text}` is not an operation whose time can be explained"));
    Operation::parse(text)
        .ok_or_else(|| unknown().hint("get BYTES, put BYTES, message BYTES, or barrier; BYTES is 1 to 1073741824"))
}

fn scan(args: &[String]) -> Result<(Own, Vec<String>)> {
    let (mut own, mut rest, mut at) = (Own::default(), vec![], 0);
    while let Some(arg) = args.get(at) {
        let value = || {
            let missing = || Failure::new(format!("the option '{arg}' needs a value after it"));
            args.get(at + 1).cloned().ok_or_else(missing)
        };
        at += match arg.as_str() {
            "--machine" => {
                own.machines.push(value()?);
                2
            }
            "--set" => {
                own.set.push(setting(&value()?)?);
                2
            }
            a if a.starts_with("--set=") => {
                own.set.push(setting(&a["--set=".len()..])?);
                1
            }
            "-o" => {
                own.output = Some(value()?.into());
                2
            }
            "--work" => {
                own.charged = charged(&value()?)?;
                2
            }
            a if a.starts_with("--work=") => {
                own.charged = charged(&a["--work=".len()..])?;
                1
            }
            "--calibrate" => {
                own.calibrate = Some(value()?.into());
                2
            }
            a if a.starts_with("--calibrate=") => {
                own.calibrate = Some(a["--calibrate=".len()..].into());
                1
            }
            "--trace" => {
                own.trace = Some(value()?.into());
                2
            }
            a if a.starts_with("--trace=") => {
                own.trace = Some(a["--trace=".len()..].into());
                1
            }
            "--check-work" => {
                own.check_work = true;
                1
            }
            "--what-if" => {
                own.what_if = true;
                1
            }
            "--explain-time" => {
                own.explain_time.push(operation(&value()?)?);
                2
            }
            a if a.starts_with("--explain-time=") => {
                own.explain_time.push(operation(&a["--explain-time=".len()..])?);
                1
            }
            "--html" => {
                own.html = Some(value()?.into());
                2
            }
            a if a.starts_with("--html=") => {
                own.html = Some(a["--html=".len()..].into());
                1
            }
            "--all-lines" => {
                own.all_lines = true;
                1
            }
            "--conduit" => {
                is_simulated(&value()?)?;
                2
            }
            a if a.starts_with("--conduit=") || a.starts_with("-network=") => {
                is_simulated(a.split_once('=').map_or("", |(_, name)| name))?;
                1
            }
            a if a.starts_with("-o") && a.len() > 2 => {
                own.output = Some(a["-o".len()..].into());
                1
            }
            a if a.starts_with("--machine=") => {
                own.machines.push(a["--machine=".len()..].into());
                1
            }
            // What follows the program's name is the program's.
            a if !a.starts_with('-') => break,
            // An option whose value is the next argument keeps it.
            "-n" | "-np" | "--threads" | "--heap" | "-T" | "-D" | "-I" | "-include" => {
                if matches!(arg.as_str(), "-n" | "-np" | "--threads" | "-T") {
                    own.threads = value()?.parse().ok();
                }
                rest.extend([arg.clone(), value()?]);
                2
            }
            a if a == "--range" || a.starts_with("--range=") => {
                own.range = range::option(a)?;
                1
            }
            a if own.on_nodes.take(a, value)? => 2,
            a if a.split_once('=').map_or(Ok(false), |(o, v)| own.on_nodes.take(o, || Ok(v.to_string())))? => 1,
            a => {
                if let Some(n) = ["--threads=", "-np", "-n", "-T"].iter().find_map(|name| a.strip_prefix(name)) {
                    own.threads = n.parse().ok();
                }
                rest.push(arg.clone());
                1
            }
        };
    }
    rest.extend(args[at.min(args.len())..].iter().cloned());
    Ok((own, rest))
}

/// What `--set` says: a figure and its value.
fn setting(text: &str) -> Result<(String, String)> {
    let parts = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    match parts.filter(|(name, value)| !name.is_empty() && !value.is_empty()) {
        Some((name, value)) => Ok((name.into(), value.into())),
        None => Err(Failure::new(format!("`--set {text}` does not set a figure"))
            .hint("give a figure's name and its value, such as --set network.L='50 us'")),
    }
}

/// The machine of this name, with the figures that `--set` changes.
fn described(name: &str, set: &[(String, String)]) -> Result<Description> {
    set.iter().try_fold(machines::simulated(name)?, |description, (figure, value)| {
        let invalid = |why| Failure::new(format!("--set {figure}={value}: on the machine `{name}`, {why}"));
        let hint = || {
            format!(
                "`fathom model --list {name}` prints the figures that it has; to add one, write it into a machine file of your own"
            )
        };
        description.with_value(figure, value).map_err(|why| invalid(why).hint(hint()))
    })
}

/// Whether this is the conduit of simulated machines: there is no choice.
fn is_simulated(conduit: &str) -> Result<()> {
    match fathom_toolchain::conduit::simulated()? {
        own if own == conduit => Ok(()),
        own => Err(Failure::new(format!("`fathom simulate` runs on the conduit {own}, not {conduit}"))
            .hint("leave --conduit out")),
    }
}

/// What `--work` says.
fn charged(how: &str) -> Result<Charged> {
    let ratio = match how.split_once(':') {
        None if how == "none" => return Ok(Charged::Not),
        None if how == "counted" => return Ok(Charged::Counted),
        None if how == "accesses" => return Ok(Charged::Accesses),
        None if how == "measured" => Some(1.0),
        Some(("calibrated", file)) if !file.is_empty() => return Ok(Charged::Calibrated(file.into())),
        Some(("measured", ratio)) => ratio.parse().ok().filter(|r: &f64| (0.001..=1e6).contains(r)),
        _ => None,
    };
    let hint =
        "--work counted, accesses, calibrated:FILE, none, measured, or measured:RATIO with a ratio of 0.001 to 1000000";
    ratio.map(Charged::Measured).ok_or_else(|| Failure::new(format!("`{how}` is no way to charge work")).hint(hint))
}

/// What work costs on a machine.
fn work(charged: &Charged, name: &str, machine: &Description) -> Result<Work> {
    let costs = machine.work_costs().map_err(|why| Failure::new(format!("the machine `{name}`: {why}")))?;
    match (charged, costs) {
        (Charged::Measured(ratio), costs) => Ok(Work::Measured(*ratio, costs)),
        (Charged::Calibrated(file), _) => calibrate::read(file).map(Work::Counted),
        (Charged::Counted | Charged::IfKnown, Some(costs)) => Ok(Work::Counted(costs)),
        (Charged::Not | Charged::IfKnown, _) => Ok(Work::Free),
        (Charged::Accesses, Some(costs)) => Ok(Work::Accesses(costs)),
        (Charged::Counted | Charged::Accesses, None) => {
            Err(Failure::new(format!("the machine `{name}` does not say what operations cost"))
                .hint("add the table `simulated.work` to its file, or take --work none"))
        }
    }
}

/// Runs a program on a machine, as these arguments of `fathom simulate` say: what it cost, and what it printed.
pub fn outcome(
    (name, description): (&str, &Description),
    charged: &Charged,
    args: &[String],
) -> Result<(Outcome, String)> {
    let mut args = args.to_vec();
    if *charged == Charged::Accesses {
        args.insert(0, "--accesses".into());
    }
    let program = Run::scan(&args)?.simulated()?;
    let work = work(charged, name, description)?;
    let mut machine = machine(name, description, program.threads, &work)?;
    let mut said = String::new();
    let run = |places| perform(&program, &Own::default(), &work, &mut *machine, None, Some(&mut said), places);
    let outcome = on_one_processor(run)?.outcome;
    Ok((outcome, said))
}

/// The machine with this number of threads; with their memories, if accesses are charged.
fn machine(name: &str, description: &Description, threads: u32, work: &Work) -> Result<Box<dyn Charges>> {
    let ready = charges(description, threads).and_then(|mut machine| match work {
        Work::Accesses(_) => machine.prepare_memory(description, threads).map(|()| machine),
        _ => Ok(machine),
    });
    ready.map_err(|why| Failure::new(format!("the machine `{name}` cannot run this program: {why}")))
}

/// A run.
struct Performed {
    outcome: Outcome,
    /// The counted work of all threads, and what of it was declared.
    counted: (Time, Time),
    /// What `--check-work` says.
    checked: Option<String>,
    /// Our front end has compiled some of it.
    is_ours: bool,
    /// Of the thread that had most when it ended, and which that is.
    memory: (u64, u32),
}

/// Runs the program. What it prints goes to `said`, or else where the output of this process goes.
fn perform(
    program: &Simulated,
    own: &Own,
    work: &Work,
    machine: &mut dyn Charges,
    trace: Option<&(PathBuf, Head)>,
    said: Option<&mut String>,
    places: Option<Places>,
) -> Result<Performed> {
    let mut job = Job::new(program.threads, work, places)
        .map_err(|why| Failure::new(format!("no memory for a job of {} threads: {why}", program.threads)))?;
    let mut command = Command::new(&program.program);
    command.args(&program.args).envs(program.env.iter().map(|(k, v)| (k, v)));
    command.env("FATHOM_SIM", job.descriptor().to_string());
    let samples = own.check_work.then(check_work::Samples::new).transpose()?;
    samples.iter().for_each(|samples| samples.ask(&mut command));
    lines::find(&mut job, &program.program);
    // What was chosen for this computer is not for the machine.
    command.env("FATHOM_TUNING", "");
    if own.machines.len() > 1 {
        // It can be read once.
        command.stdin(Stdio::null());
    }
    if said.is_some() {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
    }
    // SAFETY: system calls only. Addresses are the same in each run, and the program ends if this process does.
    unsafe {
        command.pre_exec(|| {
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            be_ended_first();
            Ok(())
        })
    };
    let mut child = command.spawn().or_io("start", &program.program)?;
    // Read beside the run, since a pipe that is full would stop the program.
    let output = child.stdout.take().map(|mut pipe| {
        std::thread::spawn(move || {
            let mut text = String::new();
            pipe.read_to_string(&mut text).map(|_| text)
        })
    });
    let begun = job.begin(child);
    let has_begun = begun.is_ok();
    if has_begun && matches!(work, Work::Accesses(_)) && !job.has_accesses() {
        job.stop().or_io("stop", &program.program)?;
        return Err(Failure::new("the program does not say where it accesses memory")
            .hint("make it with `fathom cc --conduit sim --accesses`"));
    }
    let pictures = own.html.as_ref().map(|_| Pictures::new(program.threads));
    let outcome = match begun {
        Ok(()) => compute(&mut job, machine, program.threads, trace, pictures)?,
        Err(ended) => Err(ended.into()),
    };
    let ended = |status: Option<ExitStatus>| {
        use std::os::unix::process::ExitStatusExt;
        status.map_or(1, |s| s.code().unwrap_or_else(|| 128 + s.signal().unwrap_or(0)))
    };
    match outcome {
        Ok(outcome) => match ended(job.end().or_io("wait for", &program.program)?) {
            0 => {
                if let (Some(said), Some(Ok(Ok(text)))) = (said, output.map(std::thread::JoinHandle::join)) {
                    *said = text;
                }
                let checked = samples.map(|samples| samples.text(&program.program, job.files())).transpose()?;
                let (counted, is_ours) = (job.counted(), !job.files().is_empty());
                Ok(Performed { outcome, counted, checked, is_ours, memory: job.memory() })
            }
            status => Err(no_report(status)),
        },
        Err(Stopped::Ended) => {
            use std::os::unix::process::ExitStatusExt;
            let status = job.end().or_io("wait for", &program.program)?;
            // Whatever else ends it, it says so itself.
            if status.and_then(|s| s.signal()) == Some(libc::SIGKILL) {
                let mut killed = Failure::new("the process that starts the program's threads was killed (signal 9)")
                    .hint(MEMORY_RUNS_OUT);
                killed.status = ended(status);
                return Err(killed);
            }
            match (has_begun, Note::of(&program.program)) {
                (true, _) => Err(no_report(ended(status))),
                (false, Some(_)) => Err(Failure::reported(ended(status))),
                (false, None) => {
                    let ended = status.map_or("ended".into(), |status| format!("ended ({status})"));
                    Err(Failure::new(format!(
                        "{} {ended}, and no program for simulated machines has begun",
                        program.program.display()
                    ))
                    .hint("make it with `fathom cc --conduit sim`, or in C with `pkg-config --libs fathom-sim`"))
                }
            }
        }
        Err(Stopped::Deadlock(_)) if job.ends_by_itself() => {
            Err(no_report(ended(job.end().or_io("wait for", &program.program)?)))
        }
        Err(Stopped::Deadlock(who)) => {
            job.stop().or_io("stop", &program.program)?;
            Err(Failure::new(format!("the program waits for ever: {who}, and nothing is under way")))
        }
        Err(Stopped::TooLong) => {
            job.stop().or_io("stop", &program.program)?;
            Err(Failure::new(TOO_LONG))
        }
    }
}

/// A thread had more memory than a node of the machine has.
fn memory_warning(name: &str, description: &Description, (bytes, thread): (u64, u32)) -> Option<String> {
    let node = description.memory_bytes().ok().filter(|node| bytes > *node)?;
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    Some(format!(
        "thread {thread} had {} MiB of memory when it ended, and a node of {name} has {} MiB: the times are those of a \
         machine that has as much",
        mib(bytes),
        mib(node)
    ))
}

/// Where memory runs out, the system is to end one of the program's threads, and not this process, which can say so. Calls of
/// the system only, for a process that has been forked; where it does not permit this, the choice is the system's.
fn be_ended_first() {
    const FIRST: &[u8] = b"1000";
    // SAFETY: a file is opened, written and closed.
    unsafe {
        let file = libc::open(c"/proc/self/oom_score_adj".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        if file >= 0 {
            libc::write(file, FIRST.as_ptr().cast(), FIRST.len());
            libc::close(file);
        }
    }
}

/// The program has ended with this status. A signal that ended it was reported where it came.
fn no_report(status: i32) -> Failure {
    let why = format!("the program ended with status {status}: there is no report of its time");
    let failure = Failure::reported(status);
    match status - 128 {
        ..0 => Failure { what: why, ..failure },
        libc::SIGKILL => Failure { what: "a thread was killed: there is no report of its time".into(), ..failure }
            .hint(MEMORY_RUNS_OUT),
        _ => failure,
    }
}

const MEMORY_RUNS_OUT: &str = "the system does so where memory runs out: use fewer threads, or a smaller --heap";

/// Computes the times of a job that has begun, and writes the trace that is asked for.
fn compute(
    job: &mut Job,
    machine: &mut dyn Charges,
    threads: u32,
    trace: Option<&(PathBuf, Head)>,
    pictures: Option<Pictures>,
) -> Result<std::result::Result<Outcome, Stopped>> {
    let Some((path, head)) = trace else { return Ok(simulate_drawn(job, machine, threads, pictures)) };
    let file = std::fs::File::create(path).or_io("write", path)?;
    let mut recorder = Recorder::new(job, std::io::BufWriter::new(file), head);
    let outcome = simulate_drawn(&mut recorder, machine, threads, pictures);
    // A trace without an end is known by that: the run did not come to its end, either.
    if outcome.is_ok() {
        recorder.finish(|job| job.counted().1).or_io("write", path)?;
    }
    Ok(outcome)
}

/// Taking turns is faster where nobody has to be woken on another processor, and where a process that is woken does not
/// interrupt the one that has woken it, which is about to wait anyway: that is the policy SCHED_BATCH. `work` is told which
/// processor that is, and which others there are.
fn on_one_processor<T>(work: impl FnOnce(Option<Places>) -> T) -> T {
    let waits_for_its_turn = libc::sched_param { sched_priority: 0 };
    let mut places = None;
    // SAFETY: sets of processors and parameters on the stack, for the calling thread and what it starts.
    let before = unsafe {
        let mut before: libc::cpu_set_t = std::mem::zeroed();
        let size = std::mem::size_of_val(&before);
        let known = libc::sched_getaffinity(0, size, &mut before) == 0;
        let here = libc::sched_getcpu();
        if known && here >= 0 {
            let (mut threads, mut beside): (libc::cpu_set_t, _) = (std::mem::zeroed(), before);
            libc::CPU_SET(here as usize, &mut threads);
            libc::CPU_CLR(here as usize, &mut beside);
            if libc::sched_setaffinity(0, size, &threads) == 0 && libc::CPU_COUNT(&beside) > 0 {
                places = Some(Places { threads, beside });
            }
        }
        (known.then_some(before), libc::sched_getscheduler(0))
    };
    // SAFETY: as above.
    let is_batch = before.1 == libc::SCHED_OTHER
        && unsafe { libc::sched_setscheduler(0, libc::SCHED_BATCH, &raw const waits_for_its_turn) } == 0;
    let result = work(places);
    // SAFETY: as above.
    unsafe {
        if is_batch {
            libc::sched_setscheduler(0, libc::SCHED_OTHER, &raw const waits_for_its_turn);
        }
        if let Some(set) = before.0 {
            libc::sched_setaffinity(0, std::mem::size_of_val(&set), &set);
        }
    }
    result
}

/// On what the times in the report rest: the work, and figures that were set.
fn basis(own: &Own, works: &[Work]) -> String {
    let set: Vec<String> = own.set.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    match set.is_empty() {
        true => basis_of_work(own, works),
        false => format!("{}\nSet, instead of the machine file's: {}.", basis_of_work(own, works), set.join(", ")),
    }
}

fn basis_of_work(own: &Own, works: &[Work]) -> String {
    let of = |which: fn(&Work) -> bool| -> Vec<&str> {
        own.machines.iter().zip(works).filter(|(_, w)| which(w)).map(|(name, _)| name.as_str()).collect()
    };
    let free = of(|w| *w == Work::Free);
    let counted = of(|w| matches!(w, Work::Counted(_)));
    match works.first() {
        Some(Work::Accesses(_)) => "Work is the operations in the program's own source, by their costs in the machine file; its accesses to\n\
             memory are those of the program compiled here, by the machine's caches. Functions of libraries are not charged."
            .into(),
        Some(Work::Measured(ratio, _)) => format!(
            "Work is the processor's time on this computer times {ratio}: it differs from run to run, and so do the times."
        ),
        _ if matches!(own.charged, Charged::Calibrated(_)) => "Work is the operations in the program's own source, by costs that were fitted to a program's time on a computer."
            .into(),
        _ if counted.is_empty() => "Work is not charged: the times are those of communication alone.".into(),
        _ => {
            let mut said = "Work is the operations in the program's own source, by their costs in the machine file. Functions of\n\
                 libraries, and misses in caches, are not charged."
                .to_string();
            if !free.is_empty() {
                said += &format!("\nNot charged on {}, whose file has no costs.", free.join(", "));
            }
            said
        }
    }
}
