//! What `--explain` costs: the same programs with it and without, in turn, and the ratio of their best times.
//!
//! `explain/loops.upc` has a loop for each kind of access and call, on several conduits and numbers of threads; the examples
//! are whole programs. The best of short repetitions counts, not a median: threads that outnumber processors, and
//! whatever else the computer does, lengthen both sides, but not by the same factor.

use crate::build::{output, run, Builder, Failure};
use crate::report;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

/// The target: time with `--explain` / time without.
const TARGET: f64 = 2.0;
const ROUNDS: usize = 4;

/// The conduit and the threads of the loops; `passes` over the arrays make a repetition.
struct Setting {
    name: &'static str,
    conduit: &'static str,
    threads: u32,
    /// Threads of one computer told that they share no memory.
    apart: bool,
    repetitions: u32,
    passes: u32,
    /// Elements a thread.
    elements: u32,
}

const SETTINGS: &[Setting] = &[
    Setting {
        name: "smp, 1 thread",
        conduit: "smp",
        threads: 1,
        apart: false,
        repetitions: 40,
        passes: 8,
        elements: 2048,
    },
    Setting {
        name: "smp, 2 threads",
        conduit: "smp",
        threads: 2,
        apart: false,
        repetitions: 40,
        passes: 4,
        elements: 2048,
    },
    Setting {
        name: "smp, 4 threads",
        conduit: "smp",
        threads: 4,
        apart: false,
        repetitions: 40,
        passes: 2,
        elements: 2048,
    },
    Setting {
        name: "smp, 8 threads",
        conduit: "smp",
        threads: 8,
        apart: false,
        repetitions: 40,
        passes: 1,
        elements: 2048,
    },
    Setting {
        name: "smp, 12 threads",
        conduit: "smp",
        threads: 12,
        apart: false,
        repetitions: 40,
        passes: 1,
        elements: 2048,
    },
    Setting {
        name: "mpi, 2 near threads",
        conduit: "mpi",
        threads: 2,
        apart: false,
        repetitions: 40,
        passes: 4,
        elements: 2048,
    },
    Setting {
        name: "mpi, 2 far threads",
        conduit: "mpi",
        threads: 2,
        apart: true,
        repetitions: 10,
        passes: 1,
        elements: 128,
    },
    Setting {
        name: "template, 2 far threads",
        conduit: "template",
        threads: 2,
        apart: false,
        repetitions: 10,
        passes: 1,
        elements: 128,
    },
];

/// Whole programs, by what they are asked for.
const PROGRAMS: &[&str] = &["heat", "life", "matmul", "pi", "sort", "stream"];

/// Names and ratios with the time without, ns, in the order of the program.
type Rows = Vec<(String, f64, f64)>;

pub fn measure(builder: &Builder, quick: bool) -> Result<(), Failure> {
    let work = builder.work.join("explain");
    std::fs::create_dir_all(&work).map_err(|e| format!("cannot make {}: {e}", work.display()))?;
    let rounds = if quick { 2 } else { ROUNDS };
    let mut tables: Vec<(&str, Rows)> = vec![];
    let mut notes = vec![];
    for setting in SETTINGS.iter().filter(|p| !quick || p.threads == 2) {
        match loops(builder, setting, rounds) {
            Ok(rows) => tables.push((setting.name, rows)),
            Err(failure) => {
                notes.push(format!("{} was left out: {}", setting.name, failure.lines().next().unwrap_or("")))
            }
        }
    }
    let programs = programs(builder, rounds)?;
    let page = page(builder, &tables, &programs, &notes);
    println!("{page}");
    if !quick {
        let path = builder.home.join("explain/RESULTS.md");
        std::fs::write(&path, page).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    }
    Ok(())
}

/// The two builds of a source; loops with so many elements a thread.
fn both(
    builder: &Builder,
    source: &std::path::Path,
    conduit: &str,
    elements: u32,
) -> Result<[std::path::PathBuf; 2], Failure> {
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let mut made = vec![];
    for (suffix, option) in [("off", None), ("on", Some("--explain"))] {
        let program = builder.work.join(format!("explain/{name}-{conduit}-{suffix}"));
        let mut cc = Command::new(&builder.fathom);
        cc.args(["cc", "--conduit", conduit, "-O2"])
            .args(option)
            .args((elements > 0).then(|| format!("-DN={elements}")))
            .arg(source)
            .arg("-o")
            .arg(&program)
            .arg("-lm");
        run(cc.env("FATHOM_CC", &builder.cc))?;
        made.push(program);
    }
    made.try_into().map_err(|_| "two programs".into())
}

fn start(builder: &Builder, program: &std::path::Path, threads: u32, apart: bool) -> Command {
    let mut c = Command::new(&builder.fathom);
    c.args(["run", "-n", &threads.to_string()]).arg(program).env("FATHOM_EXPLAIN", builder.work.join("explain/trace"));
    if apart {
        c.env("FATHOM_NODE_MAX", "1");
    }
    c
}

fn loops(builder: &Builder, setting: &Setting, rounds: usize) -> Result<Rows, Failure> {
    let programs = both(builder, &builder.home.join("explain/loops.upc"), setting.conduit, setting.elements)?;
    let mut order: Vec<String> = vec![];
    let mut best: [HashMap<String, f64>; 2] = Default::default();
    for _ in 0..rounds {
        for (side, program) in programs.iter().enumerate() {
            let mut command = start(builder, program, setting.threads, setting.apart);
            command.args([setting.repetitions.to_string(), setting.passes.to_string()]);
            for line in output(&mut command)?.lines().filter_map(|l| l.strip_prefix("loop\t")) {
                let (name, ns) = line.split_once('\t').ok_or("not a line of result")?;
                let ns: f64 = ns.parse().map_err(|_| format!("not a time: {line}"))?;
                if !order.iter().any(|n| n == name) {
                    order.push(name.into());
                }
                let known = best[side].entry(name.into()).or_insert(f64::MAX);
                *known = known.min(ns);
            }
        }
    }
    let row = |name: String| {
        let (off, on) = (best[0].get(&name)?, best[1].get(&name)?);
        Some((name, on / off, *off))
    };
    Ok(order.into_iter().filter_map(row).collect())
}

fn programs(builder: &Builder, rounds: usize) -> Result<Rows, Failure> {
    let mut rows = vec![];
    for name in PROGRAMS {
        let builds = both(builder, &builder.home.join(format!("../examples/{name}.upc")), "smp", 0)?;
        let mut best = [f64::MAX; 2];
        for _ in 0..rounds {
            for (side, program) in builds.iter().enumerate() {
                let begin = Instant::now();
                output(&mut start(builder, program, 2, false))?;
                best[side] = best[side].min(begin.elapsed().as_nanos() as f64);
            }
        }
        rows.push((name.to_string(), best[1] / best[0], best[0]));
    }
    Ok(rows)
}

fn page(builder: &Builder, tables: &[(&str, Rows)], programs: &Rows, notes: &[String]) -> String {
    let mut t = String::from("# What `--explain` costs\n\n");
    let machine = report::machine(builder).join("; ");
    let _ = writeln!(t, "`cargo bench -p fathom-bench -- explain` on {machine}.\n");
    let _ = writeln!(
        t,
        "Time with `--explain` / time without (target: below {TARGET}), by the best of many short repetitions on both sides, \
         which ran in turn. Loops: `bench/explain/loops.upc`, -O2; in brackets ns an operation without.\n"
    );
    let missed: Vec<String> = tables
        .iter()
        .flat_map(|(setting, rows)| {
            rows.iter().filter(|r| r.1 >= TARGET).map(move |r| format!("{} ({setting}) {:.2}", r.0, r.1))
        })
        .collect();
    let all = tables.iter().map(|(_, rows)| rows.len()).sum::<usize>();
    let _ = writeln!(
        t,
        "{} of {all} meet the target{}\n",
        all - missed.len(),
        if missed.is_empty() { ".".into() } else { format!("; not: {}.", missed.join(", ")) }
    );
    let mut names: Vec<&str> = vec![];
    for (name, ..) in tables.iter().flat_map(|(_, rows)| rows) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let heads: Vec<&str> = tables.iter().map(|(setting, _)| *setting).collect();
    let _ = writeln!(t, "| loop | {} |\n|---|{}", heads.join(" | "), "---|".repeat(heads.len()));
    for name in names {
        let cell = |rows: &Rows| match rows.iter().find(|r| r.0 == name) {
            Some((_, ratio, ns)) => format!("{ratio:.2} ({})", figure(*ns)),
            None => "·".into(),
        };
        let cells: Vec<String> = tables.iter().map(|(_, rows)| cell(rows)).collect();
        let _ = writeln!(t, "| {name} | {} |", cells.join(" | "));
    }
    let _ = writeln!(
        t,
        "\nWhole programs, smp, 2 threads, start and end included:\n\n| program | ratio | ms without |\n|---|---|---|"
    );
    for (name, ratio, ns) in programs {
        let _ = writeln!(t, "| {name} | {ratio:.2} | {:.1} |", ns / 1e6);
    }
    notes.iter().for_each(|n| t.push_str(&format!("\n{n}\n")));
    t
}

fn figure(ns: f64) -> String {
    match ns {
        ns if ns < 10.0 => format!("{ns:.2}"),
        ns if ns < 100.0 => format!("{ns:.1}"),
        ns => format!("{ns:.0}"),
    }
}
