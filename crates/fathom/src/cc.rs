//! `fathom cc`, `upcc` and `splitc`: a C driver that knows UPC and Split-C.

use crate::Raw;
use clap::Args;
use fathom_toolchain::args::CommandLine;
use fathom_toolchain::{compiler::Compiler, pipeline, Failure, Result};

/// Compile UPC, Split-C and C files and link them to a program.
///
/// Takes the options of a C compiler: those that are not listed here go to it. `.upc` and `.c` files are UPC, `.sc` files
/// Split-C; objects, archives and libraries are linked. Errors in UPC name the clause of the specification; then come the errors of the C
/// compiler, at the lines of your source.
#[derive(Args)]
#[command(after_help = MORE)]
pub struct Options {
    /// Fix THREADS at N when compiling: faster, and the program runs on exactly N threads
    #[arg(short = 'T', value_name = "N")]
    threads: Option<u32>,
    /// The conduit, which carries the program's shared memory: smp (this computer; the default), mpi (a cluster),
    /// template
    #[arg(long, value_name = "NAME")]
    conduit: Option<String>,
    /// For tests of Fathom: all threads far from each other, everything by messages
    #[arg(long)]
    reference: bool,
    /// Count shared accesses and time communication; the program leaves a trace, which 'fathom explain' reads
    #[arg(long)]
    explain: bool,
    /// With --conduit sim: the program tells where it accesses memory, for 'fathom simulate --work accesses'
    #[arg(long)]
    accesses: bool,
    /// Write the result to FILE
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<String>,
    /// Make an object, do not link
    #[arg(short = 'c')]
    object: bool,
    /// Make assembler, do not assemble
    #[arg(short = 'S')]
    assembly: bool,
    /// Preprocess only
    #[arg(short = 'E')]
    preprocess: bool,
    /// Keep the generated C as NAME.trans.c beside the result
    #[arg(long)]
    keep_c: bool,
    /// Print WHAT and stop: 'plan', what becomes of shared accesses and loops, and why
    #[arg(long, value_name = "WHAT")]
    print: Option<String>,
    /// How errors are shown: full, or short (one line each)
    #[arg(long, value_name = "FORMAT")]
    diag_format: Option<String>,
    /// Show every step
    #[arg(short = 'v')]
    verbose: bool,
    #[command(flatten)]
    pub raw: Raw,
}

const MORE: &str = "\
C compiler options, which are passed to the step that needs them:
  -I -D -U -include -isystem -Wp,…     preprocessor
  -MD -MMD -MF -MT -M -MM              dependencies for make
  -O… -g -std=… -W… -f… -m… -Wc,…      compiler (and linker)
  -l -L -Wl,… -static -shared -s       linker, in your order
  -fsyntax-only -x LANGUAGE -save-temps @FILE

Accepted as in upcc and GUPC:
  -T 4, -T=4, -T4, -fupc-threads-4     THREADS
  -trans                               stop at the generated C
  -network=smp, -network=mpi           --conduit
  -pthreads                            no effect
  -fpermissive                         where a conversion of a pointer-to-shared needs a cast that is
                                       not written (U425, U426): do it, and warn

Examples:
  fathom cc -O3 -march=native -o heat heat.upc -lm
  fathom cc -c a.upc b.c && fathom cc -o prog a.o b.o
  fathom cc -fsanitize=address -g -o heat heat.upc
  fathom cc --conduit mpi -O3 -o heat heat.upc && mpirun -n 4 ./heat
  make CC='fathom cc'

Environment:
  FATHOM_CONDUIT   the conduit, unless --conduit names one
  FATHOM_CC, CC    the C compiler (default: cc, gcc or clang)
  FATHOM_MPICC     the MPI's compiler wrapper (default: mpicc)
  FATHOM_CACHE     the cache (default: XDG_CACHE_HOME/fathom or ~/.cache/fathom)
  TMPDIR           temporary files";

pub fn main(args: &[String]) -> Result<()> {
    let job = CommandLine::scan(args)?;
    if job.show_help || args.is_empty() {
        return crate::help("cc");
    }
    if job.show_version {
        println!("fathom {} (UPC 1.3)", env!("CARGO_PKG_VERSION"));
        println!("C compiler: {}", Compiler::find()?.version(None)?);
        return Ok(());
    }
    if job.question && !job.has_input() {
        let status = Compiler::find()?.cmd().args(args).run_through()?;
        return if status == 0 { Ok(()) } else { Err(Failure::reported(status)) };
    }
    if job.verbose {
        for note in &job.notes {
            eprintln!("fathom: note: {note}");
        }
    }
    pipeline::run(&job)
}
