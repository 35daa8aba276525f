//! The regret of the choice: over the grid, every mechanism by force and the tuning table's choice, in turn in one process.
//!
//! A table is made first, by `fathom probe` and `fathom tune`, as a user would. The regret of a cell is the time of the mechanism
//! that the table chooses over that of the one with the least median. The choice, and the same mechanism by force, are the same
//! instructions: their rounds are one sample. So a choice that is the fastest has a regret of 1, and what noise there is
//! between two runs of one thing is not counted; what it would have been is printed, too.

use crate::build::{run, Builder, Failure, FAST};
use crate::grid::{self, Cell};
use crate::report::machine;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The targets: geometric mean, and worst.
const MEAN: f64 = 1.03;
const WORST: f64 = 1.25;

/// A cell, and what was found.
struct Line {
    cell: Cell,
    chosen: String,
    best: String,
    best_ns: f64,
    /// Of the medians; and the least and greatest of the rounds' ratios.
    regret: (f64, f64, f64),
    /// The choice by itself, round by round.
    apart: f64,
    /// Of what serves without a table.
    without: f64,
}

pub fn measure(builder: &Builder, quick: bool) -> Result<(), Failure> {
    let work = builder.work.join("choice");
    std::fs::create_dir_all(&work).map_err(|e| format!("cannot make {}: {e}", work.display()))?;
    let program = build(builder, &work)?;
    let table = match std::env::var_os("BENCH_TABLE") {
        Some(table) => table.into(),
        None => {
            let (profile, table) = (work.join("profile.toml"), work.join("table"));
            let mut probe = Command::new(&builder.fathom);
            probe.args(["probe", "--only", "mechanisms", "-o"]).arg(&profile);
            if quick {
                probe.arg("--quick");
            }
            run(&mut probe)?;
            run(Command::new(&builder.fathom).arg("tune").arg(&profile).arg("-o").arg(&table))?;
            table
        }
    };
    let cells = grid::cells(quick);
    let rounds = if quick { 5 } else { 9 };
    let mut child = Command::new(&program)
        .args([rounds.to_string(), "400".into()])
        .env("FATHOM_THREADS", "2")
        .env("FATHOM_TUNING", &table)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot run {}: {e}", program.display()))?;
    let mut asks = child.stdin.take().ok_or("no standard input")?;
    let text: String = cells.iter().map(ask).collect();
    // Longer than a pipe holds, and answered meanwhile.
    let writer = std::thread::spawn(move || asks.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let _ = writer.join();
    if !output.status.success() {
        return Err(format!("{} ended with {}", program.display(), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<Line> =
        text.lines().filter(|l| l.starts_with("choice\t")).map(|l| read(l, &cells)).collect::<Result<_, _>>()?;
    let notes: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("left out\t")).collect();
    let page = report(builder, &lines, &notes, rounds);
    println!("{page}");
    if !quick && std::env::var_os("BENCH_TABLE").is_none() {
        let path = builder.home.join("choice/RESULTS.md");
        std::fs::write(&path, page).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    }
    Ok(())
}

fn build(builder: &Builder, work: &std::path::Path) -> Result<std::path::PathBuf, Failure> {
    let runtime = builder.home.join("../runtime");
    let program = work.join("choice");
    let mut objects = vec![];
    for source in [builder.home.join("choice/choice.c"), runtime.join("probe/movement.c")] {
        let object = work.join(source.with_extension("o").file_name().unwrap_or_default());
        let mut cc = Command::new(&builder.cc);
        cc.args(FAST).args(["-std=gnu17", "-D_GNU_SOURCE", "-DFATHOM_CONDUIT_HEADER=\"conduit/smp/fathom_conduit.h\""]);
        for folder in ["", "include", "lang"] {
            cc.arg("-I").arg(runtime.join(folder));
        }
        run(cc.arg("-c").arg(&source).arg("-o").arg(&object))?;
        objects.push(object);
    }
    let mut link = Command::new(&builder.fathom);
    link.args(["cc", "--conduit", "smp"])
        .args(FAST)
        .args(&objects)
        .arg("-o")
        .arg(&program)
        .env("FATHOM_CC", &builder.cc);
    run(&mut link)?;
    Ok(program)
}

fn name(c: &Cell) -> String {
    format!("{} {} {} {} {}", c.pattern, c.direction, c.element, c.stride, c.bytes)
}

fn ask(c: &Cell) -> String {
    format!("{} {}\n", name(c), c.mechanisms().join(" "))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn read(line: &str, cells: &[Cell]) -> Result<Line, Failure> {
    let broken = || format!("not a line of result: {line}");
    let mut fields = line.split('\t').skip(1);
    let asked = fields.next().ok_or_else(broken)?;
    let cell = cells.iter().find(|c| name(c) == asked).ok_or_else(broken)?.clone();
    let mut series = vec![];
    for field in fields {
        let mut words = field.split(' ');
        let name = words.next().ok_or_else(broken)?.to_string();
        let ns: Option<Vec<f64>> = words.map(|w| w.parse().ok()).collect();
        series.push((name, ns.filter(|ns| !ns.is_empty()).ok_or_else(broken)?));
    }
    if series.len() < 2 {
        return Err(broken());
    }
    let chosen = series[0].0.trim_start_matches("choice:").to_string();
    let apart = series[0].1.clone();
    if let Some(same) = (1..series.len()).find(|k| series[*k].0 == chosen) {
        let rounds = series[0].1.clone();
        series[same].1.extend(rounds);
    }
    let medians: Vec<f64> = series.iter().map(|(_, ns)| median(&mut ns.clone())).collect();
    let best = (1..series.len()).min_by(|a, b| medians[*a].total_cmp(&medians[*b])).ok_or_else(broken)?;
    let taken = series.iter().rposition(|s| s.0 == chosen).unwrap_or(0);
    let ratios = |of: &[f64]| -> Vec<f64> { of.iter().zip(&series[best].1).map(|(a, b)| a / b).collect() };
    let mut choice = ratios(&series[taken].1);
    choice.sort_by(f64::total_cmp);
    let regret = (medians[taken] / medians[best]).max(1.0);
    // What there would be without a table: the first of the mechanisms, or the vectors of 32 bytes.
    let default = if (32..256).contains(&cell.element) { "wide" } else { cell.mechanisms()[0] };
    let without = series.iter().position(|s| s.0 == default).unwrap_or(1);
    Ok(Line {
        chosen,
        best: series[best].0.clone(),
        best_ns: medians[best],
        regret: (regret, choice[0], choice[choice.len() - 1]),
        apart: median(&mut ratios(&apart)),
        without: (medians[without] / medians[best]).max(1.0),
        cell,
    })
}

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
}

fn report(builder: &Builder, lines: &[Line], notes: &[&str], rounds: usize) -> String {
    let mean = geometric_mean(lines.iter().map(|l| l.regret.0));
    let worst = lines.iter().map(|l| l.regret.0).fold(1.0, f64::max);
    let verdict = |met: bool| if met { "met" } else { "MISSED" };
    let mut t = String::from("# The regret of the choice\n\n");
    let _ = writeln!(t, "`cargo bench -p fathom-bench -- choice` on {}.\n", machine(builder).join("; "));
    let _ = writeln!(
        t,
        "Time of the chosen mechanism / time of the fastest, over {} cells of patterns, directions, elements, strides and \
         sizes, conduit smp, 2 threads. The table was made by `fathom probe` and `fathom tune`, from other sizes than these. \
         Mechanisms and choice ran in turn, {rounds} rounds, of which the medians count. A choice and the same mechanism by force \
         are the same instructions, and one sample: a choice that is the fastest has a regret of 1. The choice timed by itself, \
         with the noise of that, has a geometric mean of {:.3}. The range is that of the rounds.\n",
        lines.len(),
        geometric_mean(lines.iter().map(|l| l.apart))
    );
    let _ = writeln!(t, "| | found | target | | without a table |\n|---|---|---|---|---|");
    let without = geometric_mean(lines.iter().map(|l| l.without));
    let worst_without = lines.iter().map(|l| l.without).fold(1.0, f64::max);
    let _ = writeln!(t, "| geometric mean | {mean:.3} | ≤ {MEAN} | {} | {without:.3} |", verdict(mean <= MEAN));
    let _ = writeln!(t, "| worst | {worst:.2} | ≤ {WORST} | {} | {worst_without:.2} |\n", verdict(worst <= WORST));
    let mut patterns: Vec<&str> = lines.iter().map(|l| l.cell.pattern).collect();
    patterns.dedup();
    let _ = writeln!(t, "| pattern | cells | geometric mean | worst | without a table |\n|---|---|---|---|---|");
    patterns.sort_unstable();
    patterns.dedup();
    for pattern in patterns {
        let of: Vec<&Line> = lines.iter().filter(|l| l.cell.pattern == pattern).collect();
        let _ = writeln!(
            t,
            "| {pattern} | {} | {:.3} | {:.2} | {:.3} |",
            of.len(),
            geometric_mean(of.iter().map(|l| l.regret.0)),
            of.iter().map(|l| l.regret.0).fold(1.0, f64::max),
            geometric_mean(of.iter().map(|l| l.without))
        );
    }
    let _ = writeln!(t, "\n## Cells, the worst first\n");
    let _ = writeln!(t, "| pattern | | element | stride | bytes | chosen | fastest | its time | regret | range |");
    let _ = writeln!(t, "|---|---|---|---|---|---|---|---|---|---|");
    let mut sorted: Vec<&Line> = lines.iter().collect();
    sorted.sort_by(|a, b| b.regret.0.total_cmp(&a.regret.0));
    for l in sorted {
        let c = &l.cell;
        let _ = writeln!(
            t,
            "| {} | {} | {} | {} | {} | {} | {} | {:.4} us | {:.3} | {:.2} to {:.2} |",
            c.pattern,
            c.direction,
            c.element,
            c.stride,
            c.bytes,
            l.chosen,
            l.best,
            l.best_ns / 1e3,
            l.regret.0,
            l.regret.1,
            l.regret.2
        );
    }
    for note in notes {
        let _ = writeln!(t, "\nLeft out: {note}.");
    }
    t
}
