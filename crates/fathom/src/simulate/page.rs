//! The report of a simulated run as a page: the parts of its time, its lines, who did what when, who moved how much to
//! whom, and what the time depends on.

use super::report::{self, Names, Sheet};
use fathom_report::{
    slug, Bars, Cell, Figures, HeatMap, Interval, Listing, Page, Section, Table, Text, Timeline, Unit,
};
use fathom_simulate::program::{At, Line, Outcome, Part, Pictures};
use std::collections::BTreeMap;

/// A line with at least this share of the time is marked.
const HOT: f64 = 0.05;
/// Lines of a source around those that take time.
const AROUND: usize = 3;
/// Bars of lines.
const BARS: usize = 12;

/// What the time on a machine depends on, as far as somebody has asked.
pub struct Depends {
    pub table: Table,
    /// Sentences.
    pub bounds: Vec<String>,
}

/// One self-contained HTML file. `depends`: for each machine.
pub fn html(sheet: &Sheet, depends: Vec<Option<Depends>>) -> String {
    let threads = if sheet.threads == 1 { "1 thread".into() } else { format!("{} threads", sheet.threads) };
    let machines = sheet.machines.join(", ");
    let mut page = Page::new(sheet.program.rsplit('/').next().unwrap_or(sheet.program))
        .subtitle(format!("{threads} on {machines}, simulated"))
        .footer(format!("fathom {} · fathom simulate", env!("CARGO_PKG_VERSION")))
        .section(glance(sheet));
    let is_one = sheet.machines.len() == 1;
    for ((machine, outcome), depends) in sheet.machines.iter().zip(sheet.outcomes).zip(depends) {
        let named = |what: &str| if is_one { what.to_string() } else { format!("{what} on {machine}") };
        page = page.section(lines(named("Lines"), sheet, outcome, is_one));
        if let Some(pictures) = &outcome.pictures {
            page = page
                .section(timeline(named("When"), sheet, pictures))
                .section(traffic(named("Communication between threads"), pictures));
        }
        if let Some(Depends { table, bounds }) = depends {
            let mut section = Section::new(named("What the time depends on")).part(table);
            bounds.into_iter().for_each(|b| section.push(Text::new(b)));
            page = page.section(section);
        }
    }
    // The source of several machines would be several times the same, with other figures.
    if let ([outcome], true) = (sheet.outcomes, is_one) {
        let source = source(outcome);
        page = if source.is_empty() { page } else { page.section(source) };
    }
    page.html()
}

fn ns(ps: f64) -> f64 {
    ps / 1e3
}

/// All threads' time.
fn all(outcome: &Outcome) -> f64 {
    outcome.threads.iter().map(|t| t.end as f64).sum::<f64>().max(1.0)
}

fn part(outcome: &Outcome, part: Part) -> f64 {
    outcome.threads.iter().map(|t| t.part(part) as f64).sum()
}

fn glance(sheet: &Sheet) -> Section {
    let mut section = Section::new("At a glance");
    for (machine, outcome) in sheet.machines.iter().zip(sheet.outcomes) {
        let sum = |of: fn(&fathom_simulate::program::Spent) -> u64| outcome.threads.iter().map(of).sum::<u64>();
        let (puts, gets, messages) = (sum(|t| t.puts), sum(|t| t.gets), sum(|t| t.messages));
        let barriers = outcome.threads.iter().map(|t| t.barriers).max().unwrap_or(0);
        section.push(
            Figures::new()
                .card("Time", report::time(outcome.time() as f64), machine.clone())
                .card("Puts and gets", (puts + gets).to_string(), format!("{puts} puts, {gets} gets"))
                .card("Messages", messages.to_string(), "")
                .card("Bytes", Unit::Bytes.text(sum(|t| t.bytes) as f64), "")
                .card("Barriers", barriers.to_string(), "of a thread"),
        );
    }
    let mut bars = Bars::new("Where the time goes", Unit::Ns)
        .series(sheet.machines.iter().cloned())
        .note("The mean times of a thread, which add up to its own.");
    for (which, name, _) in sheet.parts() {
        bars.push(name, sheet.outcomes.iter().map(|o| ns(part(o, which) / o.threads.len().max(1) as f64)));
    }
    section.push(bars);
    section.push(Text::new(sheet.basis.replace('\n', " ")));
    section
}

fn lines(title: String, sheet: &Sheet, outcome: &Outcome, has_source: bool) -> Section {
    let names = Names::of_lines(&outcome.lines);
    let (all, threads) = (all(outcome), outcome.threads.len().max(1) as f64);
    let mut section = Section::new(title);
    let known = outcome.lines.iter().filter(|line| line.sum() as f64 >= 0.001 * all).take(BARS);
    let mut bars = Bars::new("The most expensive lines", Unit::Ns).note("The mean time of a thread.");
    known.for_each(|line| bars.push(names.of(line), [ns(line.sum() as f64 / threads)]));
    section.push(bars);
    let parts = sheet.parts();
    let heads = ["line", "time", "share"].into_iter().chain(parts.iter().map(|(.., name)| *name));
    let mut table = Table::new(heads.chain(["calls", "bytes"]).collect::<Vec<_>>())
        .caption(format!("The mean time of a thread, its share, and what it is made of. {}", report::WITHOUT_LINE));
    for line in &outcome.lines {
        let of = line.sum() as f64;
        let name = Cell::from(names.of(line)).tight();
        let name = if has_source && of >= HOT * all { linked(name, line) } else { name };
        let mut cells = vec![name, Cell::number(of, Unit::Ns.text(ns(of / threads))), Cell::bar(of / all)];
        cells.extend(parts.iter().map(|(which, ..)| {
            let share = line.part(*which) as f64 / of.max(1.0);
            Cell::number(share, if share > 0.0 { report::percent(share, 1.0) } else { String::new() })
        }));
        cells.push(Cell::number(line.operations as f64, line.operations.to_string()));
        cells.push(Cell::number(line.bytes as f64, Unit::Bytes.text(line.bytes as f64)));
        table.push(cells);
    }
    section.part(table)
}

/// A cell that leads to the line in the source.
fn linked(cell: Cell, line: &Line) -> Cell {
    match &line.at {
        At::Line(file, number) if !read(file).is_empty() => cell.link(&slug(&format!("{file} {number}"))),
        _ => cell,
    }
}

fn timeline(title: String, sheet: &Sheet, pictures: &Pictures) -> Section {
    let (share, lanes) = pictures.timeline();
    let parts = sheet.parts();
    let mut intervals = vec![];
    for (lane, bins) in lanes.iter().enumerate() {
        for (bin, spent) in bins.iter().enumerate() {
            let mut from = bin as f64 * ns(pictures.bin as f64);
            for (kind, (which, ..)) in parts.iter().enumerate() {
                let time = ns(spent[*which as usize] as f64) / share as f64;
                if time > 0.0 {
                    intervals.push(Interval { lane, kind, start_ns: from, end_ns: from + time });
                    from += time;
                }
            }
        }
    }
    let named = |lane: usize| match share {
        1 => format!("thread {lane}"),
        _ => format!("{}–{}", lane * share, ((lane + 1) * share).min(pictures.threads) - 1),
    };
    let mut picture = Timeline::new("Threads", (0..lanes.len()).map(named), parts.iter().map(|(_, name, _)| *name));
    picture = picture.intervals(intervals);
    let bin = Unit::Ns.text(ns(pictures.bin as f64));
    picture = picture.note(match share {
        1 => format!("The colour is what a thread does most in {bin}."),
        _ => format!("A row is {share} threads; the colour is what they do most in {bin}."),
    });
    Section::new(title).part(picture)
}

fn traffic(title: String, pictures: &Pictures) -> Section {
    let (share, [bytes, operations]) = pictures.traffic();
    let values = |rows: Vec<Vec<u64>>| rows.into_iter().map(|r| r.into_iter().map(|n| n as f64).collect()).collect();
    let (axes, each) = match share {
        1 => (("from thread", "to thread"), String::new()),
        _ => (("from group", "to group"), format!(" A group is {share} threads.")),
    };
    let asks = if share == 1 { ("thread", "with thread") } else { ("group", "with group") };
    Section::new(title)
        .part(
            HeatMap::new("Bytes", axes, Unit::Bytes, values(bytes))
                .log()
                .note(format!("Puts, gets and messages, in the direction of the data.{each}")),
        )
        .part(
            HeatMap::new("Operations", asks, Unit::None, values(operations))
                .log()
                .note(format!("Puts, gets and messages, by the thread that begins them.{each}")),
        )
}

fn read(file: &str) -> Vec<String> {
    let bytes = std::fs::read(file).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().map(String::from).collect()
}

/// The files with the expensive lines, as far as they are where they were.
fn source(outcome: &Outcome) -> Section {
    let (all, threads) = (all(outcome), outcome.threads.len().max(1) as f64);
    let mut files: BTreeMap<&str, BTreeMap<usize, &Line>> = BTreeMap::new();
    for line in &outcome.lines {
        if let At::Line(file, number) = &line.at {
            files.entry(file).or_default().insert(*number as usize, line);
        }
    }
    let mut section = Section::new("Source");
    for (file, lines) in files {
        let is_hot = |line: &Line| line.sum() as f64 >= HOT * all;
        let hot: Vec<usize> = lines.iter().filter(|(_, line)| is_hot(line)).map(|(n, _)| *n).collect();
        let text = read(file);
        if text.is_empty() || hot.is_empty() {
            continue;
        }
        let is_short = text.len() <= 200;
        let mut listing = Listing::new(file, ["time", "calls", "bytes"]);
        for (number, text) in (1..).zip(text) {
            let line = lines.get(&number);
            let is_near = hot.iter().any(|h| h.abs_diff(number) <= AROUND);
            if !(is_short || is_near || line.is_some()) {
                continue;
            }
            let mut row = fathom_report::Line::new(number, text);
            if let Some(line) = line {
                let time = line.sum() as f64;
                row.hot = is_hot(line);
                row.cells = vec![
                    Cell::number(time, Unit::Ns.text(ns(time / threads))).with_bar(time / all),
                    Cell::number(line.operations as f64, line.operations.to_string()),
                    Cell::number(line.bytes as f64, Unit::Bytes.text(line.bytes as f64)),
                ];
            }
            listing.push(row);
        }
        section.push(listing);
    }
    section
}
