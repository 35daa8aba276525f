//! What is measured: each program with its sizes, flags, environments and numbers of threads.

use crate::build::{output, Builder, Failure, FAST, PLAIN};
use crate::result::{parse, Measured};
use std::process::Command;

/// One build and one run of a program of `programs/`.
pub struct Run {
    pub program: &'static str,
    pub flags: &'static [&'static str],
    /// Definitions for both sides, such as the size.
    pub defines: &'static [&'static str],
    /// THREADS is known to the compiler.
    pub static_threads: bool,
    pub threads: u32,
    quick: bool,
}

impl Run {
    pub fn title(&self) -> String {
        let env = if self.static_threads { "static" } else { "dynamic" };
        format!(
            "{} {} {} ({env}, {} threads)",
            self.program,
            self.flags.join(" "),
            self.defines.join(" "),
            self.threads
        )
    }
}

/// Arrays of 96 MiB: three of them are beyond what one core's share of any cache holds.
const DRAM: &[&str] = &["-DN=12582912", "-DROWS=4096", "-DCOLS=2048", "-DBENCH_PAIRS=7", "-DBENCH_BATCH_NS=5e7"];
const CACHE: &[&str] = &["-DN=32768"];

pub fn jobs(quick: bool) -> Vec<Run> {
    let mut jobs = Vec::new();
    for (program, sizes, flags) in [
        ("triad", &[CACHE, DRAM][..], &[FAST, PLAIN][..]),
        ("stencil", &[CACHE, DRAM], &[FAST, PLAIN]),
        ("indefinite", &[&[]], &[FAST, PLAIN]),
        ("pointer", &[&[]], &[FAST]),
        ("scalar", &[&[]], &[FAST]),
        ("copy", &[&[]], &[FAST]),
        ("barrier", &[&[]], &[FAST]),
    ] {
        for &defines in sizes {
            for &flags in flags {
                // What only the memory limits is the same with all flags.
                if quick && defines == DRAM || flags == PLAIN && (quick || defines == DRAM) {
                    continue;
                }
                for static_threads in [false, true] {
                    if static_threads && matches!(program, "copy" | "barrier") {
                        continue;
                    }
                    for threads in [1, 2] {
                        if threads == 1 && program == "barrier" {
                            continue;
                        }
                        jobs.push(Run { program, flags, defines, static_threads, threads, quick });
                    }
                }
            }
        }
    }
    jobs
}

/// In what physical pages its arrays lie changes a process's speed in cache by a tenth either way: the median of several
/// processes counts.
const PROCESSES: usize = 5;

/// Builds and runs; the lines of result.
pub fn measure(builder: &Builder, job: &Run) -> Result<Vec<Measured>, Failure> {
    let programs = builder.home.join("programs");
    let upc = programs.join(format!("{}.upc", job.program));
    let object = builder.work.join(format!("{}_c.o", job.program));
    let executable = builder.work.join(job.program);
    let flags = [job.flags, job.defines].concat();
    builder.cc(&object, &programs.join(format!("{}_c.c", job.program)), &flags)?;
    let mut args: Vec<String> = flags.iter().map(|s| s.to_string()).collect();
    if job.quick && job.program != "barrier" {
        args.push("-DBENCH_PAIRS=5".into());
    }
    if job.static_threads {
        args.extend(["-T".into(), job.threads.to_string()]);
    }
    for path in [&upc, &object] {
        args.push(path.display().to_string());
    }
    args.extend(["-o".into(), executable.display().to_string()]);
    builder.fathom_cc(&args)?;

    let mut runs = Vec::new();
    for _ in 0..if job.quick || job.defines == DRAM { 1 } else { PROCESSES } {
        let mut run = Command::new(&executable);
        run.env("FATHOM_THREADS", job.threads.to_string());
        runs.push(parse(&output(&mut run)?)?);
    }
    let mut lines = merge(runs);
    for line in &mut lines {
        line.flags = job.flags.join(" ");
        line.environment = if job.static_threads { "static" } else { "dynamic" };
    }
    Ok(lines)
}

/// One line for each that the runs have in common: from the run whose median is the median, with the range of all.
fn merge(runs: Vec<Vec<Measured>>) -> Vec<Measured> {
    let lines = runs.iter().map(Vec::len).min().unwrap_or(0);
    let line = |i: usize| {
        let mut all: Vec<&Measured> = runs.iter().map(|r| &r[i]).collect();
        all.sort_by(|a, b| a.median.total_cmp(&b.median));
        let mut m = all[all.len() / 2].clone();
        m.lowest = all.iter().map(|r| r.lowest).fold(m.lowest, f64::min);
        m.highest = all.iter().map(|r| r.highest).fold(m.highest, f64::max);
        m
    };
    (0..lines).map(line).collect()
}
