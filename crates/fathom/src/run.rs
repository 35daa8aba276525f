//! `fathom run`, and `upcrun`: start a program on N threads, compiling it first if it is a source.

use crate::Raw;
use clap::Args;
use fathom_toolchain::program::Run;
use fathom_toolchain::{Failure, Result};

/// Run a UPC program on N threads.
///
/// FILE is a source or an executable. A source is compiled first, with the options before its name (-O2 -g are the
/// default); the program is kept in the cache, so that it starts at once the next time. The arguments after FILE are
/// passed to the program.
#[derive(Args)]
#[command(after_help = MORE)]
pub struct Options {
    /// Number of threads (default: THREADS of -T, else the number of cores)
    #[arg(short = 'n', long = "threads", value_name = "N")]
    threads: Option<u32>,
    /// Compile for exactly N threads (static THREADS)
    #[arg(short = 'T', value_name = "N")]
    fixed: Option<u32>,
    /// Bytes of shared heap per thread, with K, M or G
    #[arg(long, value_name = "SIZE")]
    heap: Option<String>,
    /// The conduit, which carries the program's shared memory: smp (this computer; the default), mpi or libfabric
    /// (a cluster), template. An executable is linked with its conduit
    #[arg(long, value_name = "NAME")]
    conduit: Option<String>,
    /// The computers to run on, with mpi or libfabric; NAME:N gives the number of threads on one
    #[arg(long, value_name = "A,B,...")]
    hosts: Option<String>,
    /// Leave a trace in PROGRAM.explain, which 'fathom explain' reads
    #[arg(long)]
    explain: bool,
    /// Show every step
    #[arg(short = 'v')]
    verbose: bool,
    #[command(flatten)]
    pub raw: Raw,
}

const MORE: &str = "\
Examples:
  fathom run -n 4 heat.upc
  fathom run --conduit mpi -n 8 --hosts node1,node2 heat.upc
  fathom run -n 2 -O3 -DN=4096 --heap 1G transpose.upc 10
  fathom run -n 8 ./heat --steps 100

Environment:
  FATHOM_THREADS   number of threads, unless -n or -T gives it
  FATHOM_HEAP      shared heap per thread, unless --heap gives it
  FATHOM_CONDUIT   the conduit, unless --conduit names one
  FATHOM_HOSTS     the computers, with libfabric, unless --hosts names them
  FATHOM_AGENT     the command that starts the program on another computer, with libfabric (default: ssh)
  FATHOM_EXPLAIN   folder for the trace of a program made with --explain; off: no trace
  FATHOM_CC, CC    the C compiler
  FATHOM_MPICC     the MPI's compiler wrapper (default: mpicc)
  FATHOM_MPIRUN    its launcher (default: the one beside the wrapper)
  FATHOM_CACHE     the cache (default: XDG_CACHE_HOME/fathom or ~/.cache/fathom)";

pub fn main(args: &[String]) -> Result<()> {
    if args.is_empty() {
        return crate::help("run");
    }
    let run = Run::scan(args)?;
    if run.job.show_help {
        return crate::help("run");
    }
    ended(run)
}

/// The job's status is the exit status of this command.
fn ended(run: Run) -> Result<()> {
    match run.start()? {
        0 => Ok(()),
        status => Err(Failure::reported(status)),
    }
}

/// What `upcrun` is, for the page's first line.
pub const UPCRUN_ABOUT: &str = "Start a UPC program on N threads";

pub const UPCRUN_HELP: &str = "\
Usage: upcrun -n N [OPTIONS] PROGRAM [ARGS]...

Starts a program made by upcc (or 'fathom cc') on N threads; one made with -network=mpi by the MPI's launcher.

Options:
  -n N                 number of threads
  -hosts A,B,...       the computers to run on, with -network=mpi
  -shared-heap SIZE    shared heap per thread (K, M, G)
  -v                   show the command

Accepted without effect, because other launchers have them: -q, -N, -c, -p and the options about nodes, pthreads, freezing
and backtraces.";

/// Options of other launchers that have no effect here: a job runs on one computer, and every crash is reported with
/// its place.
const UPCRUN_IGNORED: &str = "\
    -q -quiet -bind-threads -localhost -polite-sync -abort -noabort -encode -encode-args -encode-env -freeze \
    -freeze-on-error -freeze-early -freeze-earlier -backtrace -nobacktrace -backtrace-type -norc";
/// The same, with a number that may be the next argument.
const UPCRUN_IGNORED_WITH_NUMBER: &str = "-N -nodes -c -cpus-per-node -p -pthreads -heap-offset -shared-heap-max";

pub fn upcrun(args: &[String]) -> Result<()> {
    let mut ours = vec![];
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let name = arg.split_once('=').map_or(arg.as_str(), |(name, _)| name);
        let name = name.strip_prefix('-').filter(|rest| rest.starts_with('-')).unwrap_or(name);
        at += match arg.as_str() {
            "-h" | "-help" | "--help" => {
                println!("{UPCRUN_HELP}");
                return Ok(());
            }
            "-V" | "-version" | "--version" => {
                println!("fathom {} (upcrun)", env!("CARGO_PKG_VERSION"));
                return Ok(());
            }
            _ if UPCRUN_IGNORED.split(' ').any(|o| o == name) => 1,
            _ if UPCRUN_IGNORED_WITH_NUMBER.split(' ').any(|o| o == name) => {
                let number = args.get(at + 1).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
                1 + usize::from(number && !arg.contains('='))
            }
            "-n" | "-np" | "-shared-heap" | "-hosts" | "--hosts" => {
                ours.extend(args[at..(at + 2).min(args.len())].iter().cloned());
                2
            }
            a if a == "-v" || a.starts_with("-n") || a.starts_with("-shared-heap=") || a.starts_with("--hosts=") => {
                ours.push(arg.clone());
                1
            }
            a if a.starts_with('-') => {
                return Err(
                    Failure::new(format!("upcrun does not know the option '{a}'")).hint("upcrun --help lists them")
                );
            }
            _ => {
                ours.extend(args[at..].iter().cloned());
                break;
            }
        };
    }
    ended(Run::scan(&ours)?)
}
