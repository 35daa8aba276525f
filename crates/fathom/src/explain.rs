//! `fathom explain`: the communication of a program line by line, from the traces that a run with `--explain` left.

mod load;
mod page;
mod profile;
mod text;

use clap::Args;
use fathom_explain::{advise, lines, Advice, Costs, Line, Service};
use fathom_toolchain::{Failure, Result};
use serde::Serialize;
use std::path::PathBuf;

/// Show where a program communicates, what that costs, and how to improve it.
///
/// Reads the trace of the last `fathom run --explain PROGRAM` and shows, for each line: the number of accesses and
/// bytes to own memory, to near threads (on the same computer) and to far ones; the form that the compiler chose, and
/// why; the measured and the predicted time. Then it gives advice, with its evidence.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The program, or the folder with its traces (default: the only one in this folder)
    program: Option<PathBuf>,
    /// Write an HTML page with the source, the communication between threads, and a timeline
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
    /// The profile of `fathom probe` for predictions (default: profile.toml in this folder, if it is there)
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Number of lines to show (0: all)
    #[arg(long, value_name = "N", default_value_t = 12)]
    lines: usize,
}

const EXAMPLES: &str = "\
Examples:
  fathom run --explain -n 4 heat.upc   run, and write a trace: heat.explain
  fathom explain heat                  describe its lines
  fathom explain heat --html heat.html

docs/explaining.md describes the columns and the rules of the advice.";

/// All findings, in the order in which they are shown.
#[derive(Serialize)]
pub(crate) struct Findings<'a> {
    program: &'a str,
    conduit: &'a str,
    threads: usize,
    wall_ns: f64,
    remarks: &'a [String],
    prediction: &'a str,
    lines: &'a [Line],
    advice: &'a [Advice],
    /// From thread, to thread.
    accesses: Vec<Vec<f64>>,
    bytes: Vec<Vec<f64>>,
    /// How the program's far accesses were served, and the share of them that a mechanism served; null if there are none.
    far: Service,
    far_share_served: Option<f64>,
    events_left_out: u64,
}

pub fn main(options: &Options) -> Result<()> {
    let folder = load::folder(options.program.as_deref())?;
    let mut job = load::job(&folder)?;
    let changed = load::changed_since(&job);
    if !changed.is_empty() {
        job.remarks.push(format!("{} changed after this run: lines may have moved; run it again", changed.join(", ")));
    }
    let costs: Costs = profile::costs(options.profile.as_deref())?;
    let lines = lines(&job, &costs);
    let advice = advise(&job, &costs);
    let (accesses, bytes) = job.matrix();
    let findings = Findings {
        program: &job.program,
        conduit: &job.conduit,
        threads: job.threads,
        wall_ns: job.wall_ns,
        remarks: &job.remarks,
        prediction: &costs.source,
        lines: &lines,
        advice: &advice,
        accesses,
        bytes,
        far: job.service(),
        far_share_served: job.service().share(),
        events_left_out: job.events_lost,
    };
    if let Some(file) = &options.html {
        let html = page::html(&job, &findings);
        crate::probe::output::write(file, html.as_bytes())?;
    }
    if options.json {
        let text = serde_json::to_string_pretty(&findings).map_err(|e| Failure::new(e.to_string()))?;
        println!("{text}");
    } else {
        text::print(&job, &findings, options.lines);
        if let Some(file) = &options.html {
            println!("\nwritten: {}", file.display());
        }
    }
    Ok(())
}
