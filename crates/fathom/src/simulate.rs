//! `fathom simulate`: runs a program on a simulated machine, and tells its time there.

pub mod report;

use crate::{machines, Raw};
use clap::Args;
use fathom_simulate::program::{charges, simulate, Charges, Failure as Stopped, Job, Outcome};
use fathom_simulate::trace::{Head, Recorder};
use fathom_toolchain::failure::OrIo;
use fathom_toolchain::program::{Run, Simulated};
use fathom_toolchain::{Failure, Result};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

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
    /// Number of threads
    #[arg(short = 'n', long = "threads", value_name = "N")]
    threads: Option<u32>,
    /// Bytes of shared heap per thread, with K, M or G
    #[arg(long, value_name = "SIZE")]
    heap: Option<String>,
    /// What the program's work between its communication costs: none, or measured[:RATIO], the processor's time here
    /// multiplied by RATIO, which differs from run to run
    #[arg(long, value_name = "HOW")]
    work: Option<String>,
    /// Write the report to this file instead of the standard error
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write what the threads did to this file, for `fathom replay`
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    pub raw: Raw,
}

const EXAMPLES: &str = "\
Examples:
  fathom simulate --machine ib-edr -n 64 heat.upc
  fathom simulate --machine ib-edr --machine slingshot-11 -n 256 -O3 sort.sc 1000000";

/// The options of this command itself.
#[derive(Default)]
struct Own {
    machines: Vec<String>,
    output: Option<PathBuf>,
    trace: Option<PathBuf>,
    /// The ratio.
    measured: Option<f64>,
}

pub fn main(args: &[String]) -> Result<()> {
    if args.is_empty() {
        return crate::help("simulate");
    }
    let (own, rest) = scan(args)?;
    let run = Run::scan(&rest)?;
    if run.job.show_help {
        return crate::help("simulate");
    }
    if own.machines.is_empty() {
        return Err(Failure::new("the machine is missing: give it with --machine").hint(machines::simulated_names()));
    }
    let file = run.file.display().to_string();
    if let Some(path) = &own.output {
        std::fs::OpenOptions::new().append(true).create(true).open(path).or_io("write", path)?;
    }
    if own.trace.is_some() && own.machines.len() > 1 {
        return Err(Failure::new("a trace is that of one run: give one machine with --trace")
            .hint("`fathom replay FILE --machine NAME --machine NAME` compares machines"));
    }
    let described = own.machines.iter().map(|name| machines::simulated(name)).collect::<Result<Vec<_>>>()?;
    // Mistakes are found before anything is compiled.
    let program = run.simulated()?;
    let mut outcomes = vec![];
    for (name, description) in own.machines.iter().zip(&described) {
        let mut machine = charges(description, program.threads)
            .map_err(|why| Failure::new(format!("the machine `{name}` cannot run this program: {why}")))?;
        let head = Head { program: file.clone(), threads: program.threads, machine: name.clone(), basis: basis(&own) };
        outcomes.push(on_one_processor(|| perform(&program, &own, &head, &mut *machine))?);
    }
    let sheet = report::Sheet {
        program: &file,
        threads: program.threads,
        machines: &own.machines,
        outcomes: &outcomes,
        basis: &basis(&own),
    };
    let report = sheet.text();
    match &own.output {
        Some(path) => std::fs::write(path, report).or_io("write", path),
        None => {
            let _ = std::io::stderr().write_all(report.as_bytes());
            Ok(())
        }
    }
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
            "-o" => {
                own.output = Some(value()?.into());
                2
            }
            "--trace" => {
                own.trace = Some(value()?.into());
                2
            }
            a if a.starts_with("--trace=") => {
                own.trace = Some(a["--trace=".len()..].into());
                1
            }
            "--work" => {
                own.measured = measured(&value()?)?;
                2
            }
            a if a.starts_with("--work=") => {
                own.measured = measured(&a["--work=".len()..])?;
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
                rest.extend([arg.clone(), value()?]);
                2
            }
            _ => {
                rest.push(arg.clone());
                1
            }
        };
    }
    rest.extend(args[at.min(args.len())..].iter().cloned());
    Ok((own, rest))
}

/// Whether this is the conduit of simulated machines: there is no choice.
fn is_simulated(conduit: &str) -> Result<()> {
    match fathom_toolchain::conduit::simulated()? {
        own if own == conduit => Ok(()),
        own => Err(Failure::new(format!("`fathom simulate` runs on the conduit {own}, not {conduit}"))
            .hint("leave --conduit out")),
    }
}

/// The ratio of `--work`.
fn measured(how: &str) -> Result<Option<f64>> {
    let ratio = match how.split_once(':') {
        None if how == "none" => return Ok(None),
        None if how == "measured" => Some(1.0),
        Some(("measured", ratio)) => ratio.parse().ok().filter(|r: &f64| (0.001..=1e6).contains(r)),
        _ => None,
    };
    let hint = "--work none, --work measured, or --work measured:RATIO with a ratio of 0.001 to 1000000";
    ratio.map(Some).ok_or_else(|| Failure::new(format!("`{how}` is no way to charge work")).hint(hint))
}

/// What the report says about the work that is charged.
fn basis(own: &Own) -> String {
    match own.measured {
        None => "Work is not charged: the times are those of communication alone.".into(),
        Some(ratio) => format!(
            "Work is the processor's time on this computer times {ratio}: it differs from run to run, and so do the times."
        ),
    }
}

/// Computes the times of a job that has begun, and writes the trace that is asked for.
fn compute(
    job: &mut Job,
    own: &Own,
    head: &Head,
    machine: &mut dyn Charges,
) -> Result<std::result::Result<Outcome, Stopped>> {
    let Some(path) = &own.trace else { return Ok(simulate(job, machine, head.threads)) };
    let file = std::fs::File::create(path).or_io("write", path)?;
    let mut recorder = Recorder::new(job, std::io::BufWriter::new(file), head);
    let outcome = simulate(&mut recorder, machine, head.threads);
    recorder.finish().or_io("write", path)?;
    Ok(outcome)
}

fn perform(program: &Simulated, own: &Own, head: &Head, machine: &mut dyn Charges) -> Result<Outcome> {
    let mut job = Job::new(program.threads, own.measured)
        .map_err(|why| Failure::new(format!("no memory for a job of {} threads: {why}", program.threads)))?;
    let mut command = Command::new(&program.program);
    command.args(&program.args).envs(program.env.iter().map(|(k, v)| (k, v)));
    command.env("FATHOM_SIM", job.descriptor().to_string());
    // What was chosen for this computer is not for the machine.
    command.env("FATHOM_TUNING", "");
    if own.machines.len() > 1 {
        // It can be read once.
        command.stdin(std::process::Stdio::null());
    }
    // SAFETY: system calls only. Addresses are the same in each run, and the program ends if this process does.
    unsafe {
        command.pre_exec(|| {
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            Ok(())
        })
    };
    let child = command.spawn().or_io("start", &program.program)?;
    let outcome = match job.begin(child) {
        Ok(()) => compute(&mut job, own, head, machine)?,
        Err(ended) => Err(ended.into()),
    };
    let ended = |status: Option<ExitStatus>| {
        use std::os::unix::process::ExitStatusExt;
        status.map_or(1, |s| s.code().unwrap_or_else(|| 128 + s.signal().unwrap_or(0)))
    };
    match outcome {
        Ok(outcome) => match ended(job.end().or_io("wait for", &program.program)?) {
            0 => Ok(outcome),
            status => Err(Failure::reported(status)),
        },
        Err(Stopped::Ended) => Err(Failure::reported(ended(job.end().or_io("wait for", &program.program)?))),
        Err(Stopped::Deadlock(_)) if job.ends_by_itself() => {
            Err(Failure::reported(ended(job.end().or_io("wait for", &program.program)?)))
        }
        Err(Stopped::Deadlock(who)) => {
            job.stop().or_io("stop", &program.program)?;
            Err(Failure::new(format!("the program waits for ever: {who}, and nothing is under way")))
        }
    }
}

/// Taking turns is faster where nobody has to be woken on another processor.
fn on_one_processor<T>(work: impl FnOnce() -> T) -> T {
    // SAFETY: a set of processors on the stack, for the calling thread and what it starts.
    let before = unsafe {
        let mut before: libc::cpu_set_t = std::mem::zeroed();
        let size = std::mem::size_of_val(&before);
        let known = libc::sched_getaffinity(0, size, &mut before) == 0;
        let here = libc::sched_getcpu();
        if known && here >= 0 {
            let mut one: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(here as usize, &mut one);
            libc::sched_setaffinity(0, size, &one);
        }
        known.then_some(before)
    };
    let result = work();
    if let Some(before) = before {
        // SAFETY: as above.
        unsafe { libc::sched_setaffinity(0, std::mem::size_of_val(&before), &before) };
    }
    result
}
