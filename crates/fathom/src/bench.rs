//! `fathom bench`: the comparison with plain C, from a checkout of Fathom.

use clap::Args;
use fathom_toolchain::command::Cmd;
use fathom_toolchain::{Failure, Result};
use std::path::PathBuf;

/// Compare UPC programs with plain C, side by side.
///
/// Builds and runs the pairs under bench/ of a checkout of Fathom, prints the table of ratios beside the targets and
/// keeps it as Markdown. The same as 'cargo bench -p fathom-bench'.
#[derive(Args)]
#[command(after_help = "Examples:\n  fathom bench\n  fathom bench --quick triad copy")]
pub struct Options {
    /// Measure less of everything
    #[arg(long)]
    quick: bool,
    /// Only the pairs whose names contain one of these words
    names: Vec<String>,
}

pub fn main(options: &Options) -> Result<()> {
    let here = std::env::current_dir().unwrap_or_default();
    let checkout: PathBuf = here
        .ancestors()
        .find(|d| d.join("bench/Cargo.toml").is_file() && d.join("crates/fathom").is_dir())
        .map(PathBuf::from)
        .ok_or_else(|| {
            Failure::new("the benchmarks were not found").hint("run it in a checkout of Fathom, which contains bench/")
        })?;
    let quick = options.quick.then_some("--quick");
    let cmd = Cmd::new(["cargo", "bench", "--manifest-path"]).arg(checkout.join("Cargo.toml"));
    let cmd = cmd.args(["-p", "fathom-bench", "--"]).args(quick).args(&options.names);
    Err(cmd.exec(&[]))
}
