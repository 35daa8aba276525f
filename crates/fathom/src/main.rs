//! The command. One file per subcommand, each thin: the work is in `fathom-toolchain`.
//!
//! `cc` and `run` take a C compiler's options, which no option parser knows; they scan their own arguments, and the
//! declarations here serve their help pages and completions. Under the names `upcc`, `splitc` and `upcrun`, the same binary takes
//! the options of Berkeley UPC's commands.

mod bench;
mod broker;
mod cc;
mod completions;
mod doctor;
mod explain;
mod install;
mod machines;
mod man;
mod model;
mod probe;
mod queues;
mod replay;
mod reproduce;
mod run;
mod simulate;
mod tune;

use clap::{Args, CommandFactory, Parser, Subcommand};
use fathom_toolchain::{Failure, Result};
use std::any::Any;
use std::io::Write;
use std::process::ExitCode;

/// Compile and run UPC programs: parallel programs that share memory.
#[derive(Parser)]
#[command(name = "fathom", version, after_help = EXAMPLES, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Subcommands,
}

const EXAMPLES: &str = "\
Examples:
  fathom run -n 4 heat.upc             compile (once) and run on 4 threads
  fathom cc -O2 -o heat heat.upc       make an executable; FATHOM_THREADS=4 ./heat runs it
  fathom cc -T 4 -O2 -c part.upc       an object for exactly 4 threads
  fathom model 't3d: Q(1,64)'          predict a machine's performance, step by step
  fathom run --explain heat.upc        run, and write a trace; then: fathom explain heat
  fathom probe                         measure this computer: profile.toml

Environment:
  FATHOM_THREADS   threads of a program that is started without fathom run
  FATHOM_HEAP      bytes of shared heap per thread (K, M, G)
  FATHOM_CONDUIT   the conduit: smp (default), mpi, template
  FATHOM_CC, CC    the C compiler (default: cc, gcc or clang)
  FATHOM_CACHE     the cache (default: XDG_CACHE_HOME/fathom or ~/.cache/fathom)";

#[derive(Subcommand)]
enum Subcommands {
    #[command(disable_help_flag = true, override_usage = "fathom cc [OPTIONS] FILE...")]
    Cc(cc::Options),
    #[command(disable_help_flag = true, override_usage = "fathom run [-n N] [OPTIONS] FILE [ARGS]...")]
    Run(run::Options),
    /// Show the parts of this computer that Fathom uses, and what does not work without the missing ones
    Doctor,
    Install(install::Options),
    Completions(completions::Options),
    Bench(bench::Options),
    Broker(broker::Options),
    Model(model::Options),
    Explain(explain::Options),
    Probe(probe::Options),
    Queues(queues::Options),
    Replay(replay::Options),
    Reproduce(reproduce::Options),
    #[command(
        disable_help_flag = true,
        override_usage = "fathom simulate --machine NAME -n N [OPTIONS] FILE [ARGS]..."
    )]
    Simulate(simulate::Options),
    Tune(tune::Options),
}

/// The arguments that a subcommand scans by itself.
#[derive(Args)]
struct Raw {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
    /// Print this page
    #[arg(short, long)]
    help: bool,
}

fn main() -> ExitCode {
    report_unwritten_output();
    match std::panic::catch_unwind(dispatch) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            fathom_toolchain::scratch::stop_if_signalled();
            if !failure.what.is_empty() {
                let _ = writeln!(std::io::stderr(), "fathom: error: {failure}");
            }
            ExitCode::from(u8::try_from(failure.status).unwrap_or(1))
        }
        Err(panic) => ExitCode::from(if unwritten(&*panic).is_some() { 1 } else { 101 }),
    }
}

/// Output that cannot be written ends the command by a panic of `print!`, which removes temporary files. That is not a
/// fault of this program: the message says what is wrong, and none is given to a pipe that nobody reads.
fn report_unwritten_output() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match unwritten(panic.payload()) {
        None => usual(panic),
        Some(what) if what.contains("Broken pipe") => {}
        Some(what) => _ = writeln!(std::io::stderr(), "fathom: error: cannot write to {what}"),
    }));
}

fn unwritten(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<String>()?.strip_prefix("failed printing to ")
}

fn dispatch() -> Result<()> {
    let mut args = vec![];
    for arg in std::env::args_os() {
        args.push(arg.into_string().map_err(|a| Failure::new(format!("the argument {a:?} is not UTF-8")))?);
    }
    let called = args.first().map(|a| a.rsplit('/').next().unwrap_or(a).to_string()).unwrap_or_default();
    match (called.as_str(), args.get(1).map(String::as_str)) {
        ("upcc" | "splitc", _) => cc::main(&args[1..]),
        ("upcrun", _) => run::upcrun(&args[1..]),
        (_, Some("cc")) => cc::main(&args[2..]),
        (_, Some("run")) => run::main(&args[2..]),
        (_, Some("simulate")) => simulate::main(&args[2..]),
        _ => match Cli::parse().command {
            Subcommands::Cc(options) => cc::main(&options.raw.rest),
            Subcommands::Run(options) => run::main(&options.raw.rest),
            Subcommands::Doctor => printing(doctor::main),
            Subcommands::Install(options) => install::main(&options),
            Subcommands::Bench(options) => bench::main(&options),
            Subcommands::Broker(options) => broker::main(&options),
            Subcommands::Model(options) => printing(|| model::main(&options)),
            Subcommands::Explain(options) => printing(|| explain::main(&options)),
            Subcommands::Probe(options) => probe::main(&options),
            Subcommands::Queues(options) => printing(|| queues::main(&options)),
            Subcommands::Replay(options) => replay::main(&options),
            Subcommands::Reproduce(options) => reproduce::main(&options),
            Subcommands::Simulate(options) => simulate::main(&options.raw.rest),
            Subcommands::Tune(options) => printing(|| tune::main(&options)),
            Subcommands::Completions(options) => printing(|| {
                completions::main(&options);
                Ok(())
            }),
        },
    }
}

/// For subcommands that only print: in `fathom model --list | head` they end, without a message, as soon as head stops
/// reading. Subcommands that clean up at their end, or that write to child processes, must not end like that.
fn printing(work: impl FnOnce() -> Result<()>) -> Result<()> {
    // SAFETY: no handler, only the default.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    work()
}

/// Prints the page of a subcommand.
fn help(subcommand: &str) -> Result<()> {
    let mut command = Cli::command();
    command.build();
    if let Some(page) = command.find_subcommand_mut(subcommand) {
        let _ = page.print_long_help();
    }
    Ok(())
}
