//! `cargo bench -p fathom-bench`: UPC through Fathom against plain C by the same compiler with the same flags.
//!
//! Every figure is a ratio of two pieces of work that ran in turn in one process (`programs/bench.h`). This program
//! builds the pairs, runs them, reads their lines of result, prints the table beside the targets, and keeps it as
//! `RESULTS.md`. `-- --quick` measures less of everything; `-- triad copy` only what has these words in its name.
//! `choice` is the regret of the tuning table's choice (`choice:gather` of one pattern), `ways` that of what it chooses between
//! threads; `loops` what many loops cost the C compiler; `peers` has the probe beside lmbench, multichase and STREAM
//! (`--more` adds to an earlier run); `em3d` draws the time per edge of each version (`em3d:mpi` between two computers).
//! `queues` has message queues beside their peers (`queues:express` one contender).
//! `real` has predicted times of programs between computers beside real ones (needs root and Open MPI; `--more` predicts
//! once more beside the times of an earlier run).
//! Communication (`comm`; `comm:smp` one of its tables) is compared with other libraries, too, whose programs run beside ours.

mod ask;
mod build;
mod choice;
mod comm;
mod dice;
mod em3d;
mod em3d_table;
mod explain;
mod frontend;
mod grid;
mod livermore;
mod loops;
mod peers;
mod plan;
mod predict;
mod queues;
mod real;
mod real_table;
mod report;
mod result;
mod ways;

use build::{Builder, Failure};
use result::Measured;

fn main() {
    // `cargo test --all-targets` runs this, too, without the flag.
    let args: Vec<String> = std::env::args().skip(1).collect();
    if !args.iter().any(|a| a == "--bench") {
        return;
    }
    let quick = args.iter().any(|a| a == "--quick");
    let wanted: Vec<&str> = args.iter().filter(|a| !a.starts_with('-')).map(String::as_str).collect();
    let more = args.iter().any(|a| a == "--more");
    if let Err(failure) = run(quick, more, &wanted) {
        eprintln!("bench: {failure}");
        std::process::exit(1);
    }
}

fn run(quick: bool, more: bool, wanted: &[&str]) -> Result<(), Failure> {
    let builder = Builder::new()?;
    let mut all: Vec<Measured> = Vec::new();
    let mut notes = Vec::new();
    let want = |name: &str| wanted.is_empty() || wanted.iter().any(|w| name.contains(w));

    for job in plan::jobs(quick).into_iter().filter(|j| want(j.program)) {
        match plan::measure(&builder, &job) {
            Ok(lines) => {
                lines.iter().for_each(report::print);
                all.extend(lines);
            }
            Err(failure) => {
                eprintln!("bench: {failure}");
                notes.push(format!("{} did not run: {failure}", job.title()));
            }
        }
    }
    if want("livermore") {
        let found = livermore::measure(&builder)?;
        found.lines.iter().for_each(report::print);
        all.extend(found.lines);
        notes.extend(found.notes);
    }
    if want("livermore-shared") {
        let found = livermore::measure_shared(&builder)?;
        found.lines.iter().for_each(report::print);
        all.extend(found.lines);
        notes.extend(found.notes);
    }
    if want("frontend") {
        let lines = frontend::measure(&builder)?;
        lines.iter().for_each(report::print);
        all.extend(lines);
    }
    if want("loops") {
        let lines = loops::measure(&builder)?;
        lines.iter().for_each(report::print);
        all.extend(lines);
    }
    notes.iter().for_each(|n| println!("{n}"));
    if !all.is_empty() {
        report::summary(&all);
    }
    if wanted.is_empty() {
        report::write_markdown(&builder, &all, &notes)?;
    }
    if want("predict") {
        predict::measure(&builder, quick)?;
    }
    let patterns: Vec<&str> = wanted.iter().filter_map(|w| w.strip_prefix("choice:")).collect();
    if want("choice") || !patterns.is_empty() {
        choice::measure(&builder, quick, &patterns)?;
    }
    if wanted.contains(&"peers") {
        peers::measure(&builder, quick, more)?;
    }
    if want("explain") {
        explain::measure(&builder, quick)?;
    }
    if wanted.contains(&"em3d") {
        em3d::measure(&builder, quick, "smp")?;
    }
    if wanted.contains(&"em3d:mpi") {
        em3d::measure(&builder, quick, "mpi")?;
    }
    if wanted.contains(&"real") {
        real::measure(&builder, quick, more)?;
    }
    if wanted.contains(&"ways") {
        ways::measure(&builder, quick)?;
    }
    let contenders: Vec<&str> = wanted.iter().filter_map(|w| w.strip_prefix("queues:")).collect();
    if wanted.contains(&"queues") || !contenders.is_empty() {
        queues::measure(&builder, quick, &contenders)?;
    }
    let rooms: Vec<&str> = wanted.iter().filter_map(|w| w.strip_prefix("comm:")).collect();
    if want("comm") || !rooms.is_empty() {
        comm::measure(&builder, quick, &rooms)?;
    }
    Ok(())
}
