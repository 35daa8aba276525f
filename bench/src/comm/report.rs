//! The tables: on the terminal room by room, in the end those rows that miss, and as Markdown.

use super::room::{self, Room};
use super::table::{Line, Measure};
use super::Effort;
use crate::build::{Builder, Failure};
use crate::report::machine;
use crate::result::Target;
use std::fmt::Write;

pub struct Table {
    pub room: Room,
    pub lines: Vec<Line>,
    pub notes: Vec<String>,
}

fn goal(line: &Line) -> String {
    match line.target {
        Target::AtLeast(t) => format!("≥ {t}"),
        Target::AtMost(t) => format!("≤ {t}"),
        Target::None => String::new(),
    }
}

fn verdict(line: &Line) -> &'static str {
    match (line.met(), &line.found, line.target) {
        (Some(true), ..) => "met",
        (Some(false), ..) => "MISSED",
        (None, None, Target::AtLeast(_) | Target::AtMost(_)) => "not measured",
        _ => "",
    }
}

/// In the unit of what is compared: 313 ns, 12.4 GB/s, 55 M/s.
fn figure(ns: f64, bytes: f64, measure: Measure) -> String {
    match measure {
        Measure::Time if ns >= 1e5 => format!("{:.0} us", ns / 1e3),
        Measure::Time if ns >= 1e4 => format!("{:.1} us", ns / 1e3),
        Measure::Time if ns >= 100.0 => format!("{ns:.0} ns"),
        Measure::Time => format!("{ns:.2} ns"),
        Measure::Rate if bytes > 0.0 && bytes / ns < 0.1 => format!("{:.1} MB/s", 1e3 * bytes / ns),
        Measure::Rate if bytes > 0.0 => format!("{:.2} GB/s", bytes / ns),
        Measure::Rate => format!("{:.1} M/s", 1e3 / ns),
    }
}

/// row, ours, figure, theirs, figure, ratio, range, target, verdict
fn cells(line: &Line) -> [String; 8] {
    let theirs = match &line.their_row {
        Some(row) => format!("{}: {row}", line.theirs),
        None => line.theirs.to_string(),
    };
    let row = match line.ours {
        "fathom" => line.row.replace('_', " "),
        other => format!("{} ({other})", line.row.replace('_', " ")),
    };
    let (mut ours_figure, mut their_figure, mut ratio, mut range) = Default::default();
    if let Some(f) = &line.found {
        ours_figure = figure(f.ours_ns, f.bytes, line.measure);
        their_figure = figure(f.theirs_ns, f.bytes, line.measure);
        ratio = format!("{:.3}", f.median);
        range = format!("{:.3}–{:.3}", f.lowest, f.highest);
    }
    [row, ours_figure, theirs, their_figure, ratio, range, goal(line), verdict(line).to_string()]
}

fn print_line(line: &Line) {
    let [row, ours, theirs, their, ratio, range, goal, verdict] = cells(line);
    println!("{row:<32} {ours:>12}  {theirs:<26} {their:>12} {ratio:>8} {range:>14} {goal:>7} {verdict}");
}

pub fn print(room: &Room, lines: &[Line], notes: &[String]) {
    println!("\n{}", room.title);
    lines.iter().filter(|l| l.found.is_some()).for_each(print_line);
    match lines.iter().filter(|l| l.found.is_none()).count() {
        0 => {}
        absent => println!("{absent} rows were not measured"),
    }
    notes.iter().for_each(|n| println!("{n}"));
}

pub fn summary(tables: &[Table]) {
    let judged = || tables.iter().flat_map(|t| t.lines.iter().map(move |l| (t, l))).filter(|(_, l)| l.met().is_some());
    let missed: Vec<_> = judged().filter(|(_, l)| l.met() == Some(false)).collect();
    let all = judged().count();
    println!("\n{} of {} rows meet their target", all - missed.len(), all);
    for (table, line) in missed {
        print!("{}: ", table.room.title);
        print_line(line);
    }
}

/// Writes `bench/comm/RESULTS.md`.
pub fn write_markdown(builder: &Builder, tables: &[Table], effort: &Effort) -> Result<(), Failure> {
    let mut text = format!(
        "# Communication: Fathom beside plain C and its peers\n\n\
         Written by `cargo bench -p fathom-bench -- comm`. Two processes, each bound to a processor of its own, for \
         all programs. Every program was started {} times, in turn; a row is measured in {} batches of about {} us \
         each, and the median counts; ratios are of neighbouring runs, and the table has their median, the lowest and \
         the \
         highest. `c` is plain C in the same two processes and on the same memory as ours, batch by batch in turn. A \
         ratio is ours over theirs, of times (a target of ≤) or of rates (≥); it is judged by its first two places. \
         A put is complete at its target in all columns; `bulk` is one transfer after the other, `stream` 16 under way \
         at a time. `strided` and `indexed` have pieces (512x8: 512 of 8 bytes) that are contiguous here and in every \
         second place there, in order or shuffled. `fetch-and-add both`: by both processes, to one word. Rows without \
         a \
         target are for orientation.\n\n",
        effort.repetitions, effort.batches, effort.batch_us
    );
    for line in machine(builder).into_iter().chain(room::versions().into_iter().map(|v| format!("peer: {v}"))) {
        let _ = writeln!(text, "- {line}");
    }
    for table in tables {
        let judged = table.lines.iter().filter(|l| l.met().is_some()).count();
        let met = table.lines.iter().filter(|l| l.met() == Some(true)).count();
        let _ = writeln!(
            text,
            "\n## {}\n\n{} {met} of {judged} rows meet their target.\n\n\
             | what | ours | beside | theirs | ratio | range | target | |\n|---|---|---|---|---|---|---|---|",
            table.room.title, table.room.about
        );
        for line in &table.lines {
            let _ = writeln!(text, "| {} |", cells(line).join(" | "));
        }
        if !table.notes.is_empty() {
            text.push('\n');
            for note in &table.notes {
                let _ = writeln!(text, "- {note}");
            }
        }
    }
    let path = builder.home.join("comm/RESULTS.md");
    std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
