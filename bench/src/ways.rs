//! The regret of what the tuning table chooses between threads: collectives, far transfers, pieces, atomics.
//!
//! A table is made first, by `fathom probe` and `fathom tune`, as a user would: near threads on conduit smp, far ones on
//! conduit mpi, each thread as if it were alone on its computer. Then every way of every line of the table is timed by force at
//! sizes that the table was not made from, each in a process of its own, the ways of a size one after the other.

use crate::ask::ask;
use crate::build::{output, run, Builder, Failure};
use fathom_model::regret::{regret, Round};
use fathom_profile::way::{decision, Asks, Decision};
use std::process::Command;

/// Processes for each way of each size.
const RUNS: usize = 4;
/// Between those that the prober measures, which are powers of two.
const SIZES: [u64; 4] = [1536, 12_288, 98_304, 786_432];
const PIECES: [u64; 3] = [24, 384, 6144];
const MOST_TOGETHER: u64 = 1 << 19;

struct Cell {
    decision: &'static Decision,
    key: String,
    threads: u64,
    bytes: u64,
    chosen: usize,
}

struct Found {
    cell: Cell,
    fastest: usize,
    regret: f64,
    without: f64,
}

pub fn measure(builder: &Builder, quick: bool) -> Result<(), Failure> {
    let mut all = vec![];
    for conduit in ["smp", "mpi"] {
        match measure_on(builder, conduit, quick) {
            Ok(found) => all.extend(found),
            Err(why) => println!("bench: ways on {conduit}: {why}"),
        }
    }
    all.sort_by(|a, b| b.regret.total_cmp(&a.regret));
    let mean = |of: fn(&Found) -> f64| (all.iter().map(|f| of(f).ln()).sum::<f64>() / all.len().max(1) as f64).exp();
    let worst = all.iter().map(|f| f.regret).fold(1.0, f64::max);
    for f in &all {
        let (d, bytes) = (f.cell.decision, f.cell.bytes);
        let (chosen, fastest) = (d.ways[f.cell.chosen], d.ways[f.fastest]);
        let (name, key, regret, without) = (d.name, &f.cell.key, f.regret, f.without);
        println!(
            "{name}{key} {bytes} B: chosen {chosen}, fastest {fastest}, {regret:.3}; without a table {without:.3}"
        );
    }
    println!(
        "ways: {} cells, geometric mean {:.3} (without a table {:.3}), worst {worst:.2}",
        all.len(),
        mean(|f| f.regret),
        mean(|f| f.without)
    );
    Ok(())
}

fn measure_on(builder: &Builder, conduit: &str, quick: bool) -> Result<Vec<Found>, Failure> {
    let profile = builder.work.join(format!("ways-{conduit}.toml"));
    let mut probe = fathom(builder, conduit);
    probe.args(["--only", "mechanisms", "-o"]).arg(&profile);
    run(if quick { probe.arg("--quick") } else { &mut probe })?;
    let table = output(Command::new(&builder.fathom).arg("tune").arg(&profile).arg("--print"))?;
    let mut found = vec![];
    for cell in table.lines().flat_map(|line| cells(line, quick)) {
        let mut runs: Vec<Vec<Round>> = vec![];
        for _ in 0..if quick { 2 } else { RUNS } {
            let ways = cell.decision.ways.iter();
            let round: Result<Round, Failure> = ways.map(|way| time(builder, conduit, &cell, way)).collect();
            runs.push(vec![round?]);
        }
        let without = usual(&cell);
        if let (Some(chosen), Some(without)) = (regret(cell.chosen, &runs), regret(without, &runs)) {
            found.push(Found { fastest: chosen.fastest, regret: chosen.value, without: without.value, cell });
        }
    }
    Ok(found)
}

fn fathom(builder: &Builder, conduit: &str) -> Command {
    let mut probe = Command::new(&builder.fathom);
    probe.args(["probe", "--conduit", conduit]).env("FATHOM_NODE_MAX", "1");
    probe
}

/// What serves without a table.
fn usual(cell: &Cell) -> usize {
    let default = cell.decision.default_for(cell.threads);
    let way = default.iter().find(|(_, below)| below.is_none_or(|b| cell.bytes < b)).map_or("", |d| d.0);
    cell.decision.ways.iter().position(|w| *w == way).unwrap_or(0)
}

/// `all-reduce threads=4..7: whole < 16384, slices # why`: at the sizes that it is asked for here.
fn cells(line: &str, quick: bool) -> Vec<Cell> {
    let line = line.split('#').next().unwrap_or("");
    let Some((head, ranges)) = line.split_once(':') else { return vec![] };
    let (name, key) = head.find(' ').map_or((head, ""), |at| head.split_at(at));
    let Some(decision) = decision(name) else { return vec![] };
    let threads = key.strip_prefix(" threads=").and_then(|k| k.split("..").next()?.parse().ok()).unwrap_or(2);
    let sizes = match name {
        "atomic" => &[8][..],
        "put-pieces" | "get-pieces" => &PIECES,
        _ => &SIZES,
    };
    let step = if quick { 2 } else { 1 };
    let cell = |bytes: &u64| {
        let way = ranges.split(',').find_map(|range| match range.split_once('<') {
            Some((way, below)) => (*bytes < below.trim().parse::<u64>().ok()?).then(|| way.trim().to_string()),
            None => Some(range.trim().to_string()),
        })?;
        let chosen = decision.ways.iter().position(|w| *w == way)?;
        Some(Cell { decision, key: key.into(), threads, bytes: *bytes, chosen })
    };
    let fits = |bytes: &&u64| !name.ends_with("-together") || **bytes <= MOST_TOGETHER;
    sizes.iter().step_by(step).filter(fits).filter_map(cell).collect()
}

/// ns of one operation: the median of some samples.
fn time(builder: &Builder, conduit: &str, cell: &Cell, way: &str) -> Result<f64, Failure> {
    let (name, bytes, threads) = (cell.decision.name, cell.bytes, cell.threads);
    let is_collective = cell.decision.asks == Asks::Threads || name == "stream";
    let stimulus = match is_collective {
        true => format!("collective decision={name} take={way} bytes={bytes} members={threads} samples=9"),
        false => format!("far_transfer decision={name} take={way} bytes={bytes} pieces=32 samples=9"),
    };
    let mut probe = fathom(builder, conduit);
    Ok(ask(probe.args(["-n", &threads.to_string()]), &stimulus)?.median_ns())
}
