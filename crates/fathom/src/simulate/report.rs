//! The report of a simulated run: the times of a program on one machine or on several, side by side.

use fathom_machine::Time;
use fathom_report::{Cell, Table};
use fathom_simulate::program::{At, Line, Outcome, Part, Spent, PARTS};
use std::collections::{BTreeMap, BTreeSet};

/// What a report is about.
pub struct Sheet<'a> {
    pub program: &'a str,
    pub threads: u32,
    pub machines: &'a [String],
    /// One for each machine.
    pub outcomes: &'a [Outcome],
    /// The sentence about the work that is charged.
    pub basis: &'a str,
    /// The work that the program has declared, of all threads.
    pub declared: &'a [Time],
    /// Whether all lines of the program are shown.
    pub all_lines: bool,
}

/// Columns of the report.
pub const WIDTH: usize = 100;

/// The parts and their names, in full and at the head of a column.
const NAMES: [(Part, &str, &str); PARTS.len()] = [
    (Part::Work, "work", "work"),
    (Part::Memory, "memory", "memory"),
    (Part::Overhead, "overhead", "overhead"),
    (Part::Transfers, "waiting for transfers", "transfers"),
    (Part::Waiting, "waiting for others", "others"),
    (Part::Contention, "contention", "contention"),
];

/// What stands beside lines in a table of them.
pub const WITHOUT_LINE: &str = "Serving is requests of other threads; elsewhere is the runtime's start and end.";

/// The lines that are shown if nobody asks for all.
const LINES: usize = 10;

impl Sheet<'_> {
    pub fn text(&self) -> String {
        let threads = if self.threads == 1 { "1 thread".into() } else { format!("{} threads", self.threads) };
        let mut header = vec![String::new()];
        header.extend(self.machines.iter().cloned());
        let mut table = Table::new(header.iter().map(String::as_str).collect::<Vec<_>>());
        let mut row = |name: &str, of: &dyn Fn(&Outcome) -> String| {
            let mut cells = vec![Cell::from(name.to_string())];
            cells.extend(self.outcomes.iter().map(|o| Cell::from(of(o))));
            table.push(cells);
        };
        row("time", &|o| time(o.time() as f64));
        for (part, name, _) in self.parts() {
            row(&format!("  {name}"), &|o| share(o, part));
        }
        row("puts", &|o| sum(o, |s| s.puts).to_string());
        row("gets", &|o| sum(o, |s| s.gets).to_string());
        row("messages", &|o| sum(o, |s| s.messages).to_string());
        row("bytes", &|o| sum(o, |s| s.bytes).to_string());
        row("barriers", &|o| o.threads.iter().map(|s| s.barriers).max().unwrap_or(0).to_string());
        let work = self.outcomes.iter().map(|o| sum(o, |s| s.work)).sum::<u128>() as f64;
        let declared = self.declared.iter().map(|d| u128::from(*d)).sum::<u128>() as f64;
        let declared = match declared > 0.0 && work > 0.0 {
            true => format!("\nThe program has declared {:.0} % of its work.", 100.0 * declared / work),
            false => String::new(),
        };
        let lines: String =
            self.machines.iter().zip(self.outcomes).map(|(machine, o)| self.lines(machine, o)).collect();
        format!("{}, {threads}\n\n{}{lines}\n{}{declared}\n", self.program, table.text(WIDTH), self.basis)
    }

    /// The parts that this report has: simulated accesses alone have one of the memory.
    pub fn parts(&self) -> Vec<(Part, &'static str, &'static str)> {
        let has = |part| part != Part::Memory || self.outcomes.iter().any(|o| sum(o, |s| s.memory) > 0);
        NAMES.into_iter().filter(|(part, ..)| has(*part)).collect()
    }

    /// What the time on a machine goes to, line by line; nothing if no line is known.
    fn lines(&self, machine: &str, outcome: &Outcome) -> String {
        if !outcome.lines.iter().any(|line| matches!(line.at, At::Line(..))) {
            return String::new();
        }
        let head = ["line", "time", "share"].into_iter().chain(self.parts().into_iter().map(|(.., name)| name));
        let mut table = Table::new(head.chain(["calls", "bytes"]));
        let names = Names::of_lines(&outcome.lines);
        let most = if self.all_lines { usize::MAX } else { LINES };
        let all = sum(outcome, |s| s.end) as f64;
        let threads = outcome.threads.len().max(1) as f64;
        for line in outcome.lines.iter().take(most) {
            let of = line.sum() as f64;
            let mean = of / threads;
            let mut cells = vec![
                Cell::from(names.of(line)),
                Cell::number(mean, time(mean)),
                Cell::number(of / all, percent(of, all)),
            ];
            cells.extend(self.parts().iter().map(|(part, ..)| {
                let part = line.part(*part) as f64;
                Cell::number(part / all, if part > 0.0 { percent(part, of) } else { String::new() })
            }));
            cells.push(Cell::number(line.operations as f64, line.operations.to_string()));
            cells.push(Cell::number(line.bytes as f64, line.bytes.to_string()));
            table.push(cells);
        }
        let rest = match outcome.lines.len().saturating_sub(most) {
            0 => String::new(),
            1 => "One more line has less (--all-lines).\n".into(),
            n => format!("{n} more lines have less (--all-lines).\n"),
        };
        let on = if self.machines.len() > 1 { format!(" on {machine}") } else { String::new() };
        format!(
            "\nBy line{on}: the mean time of a thread, its share, and what it is made of.\n{WITHOUT_LINE}\n\n{}{rest}",
            table.text(WIDTH)
        )
    }
}

fn sum(outcome: &Outcome, of: fn(&Spent) -> u64) -> u128 {
    outcome.threads.iter().map(|s| u128::from(of(s))).sum()
}

/// The mean over the threads, and its share of their time.
fn share(outcome: &Outcome, part: Part) -> String {
    let all = sum(outcome, |s| s.end) as f64;
    let part = outcome.threads.iter().map(|s| u128::from(s.part(part))).sum::<u128>() as f64;
    format!("{} ({})", time(part / outcome.threads.len().max(1) as f64), percent(part, all))
}

/// A share for a reader.
pub fn percent(part: f64, all: f64) -> String {
    format!("{:.0} %", if all > 0.0 { 100.0 * part / all } else { 0.0 })
}

/// Short names of files: the last part of a path, if no other file has the same.
pub struct Names<'a>(BTreeMap<&'a str, BTreeSet<&'a str>>);

impl<'a> Names<'a> {
    pub fn of_lines(lines: &'a [Line]) -> Self {
        let mut names = BTreeMap::<_, BTreeSet<_>>::new();
        for line in lines {
            if let At::Line(file, _) = &line.at {
                names.entry(last(file)).or_default().insert(file.as_str());
            }
        }
        Names(names)
    }

    /// A line for a reader.
    pub fn of(&self, line: &Line) -> String {
        match &line.at {
            At::Line(file, line) => {
                let short = last(file);
                let is_one = self.0.get(short).is_none_or(|files| files.len() == 1);
                format!("{}:{line}", if is_one { short } else { file })
            }
            At::Serving => "(serving)".into(),
            At::Elsewhere => "(elsewhere)".into(),
        }
    }
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Picoseconds for a reader.
pub fn time(ps: f64) -> String {
    match ps {
        ps if ps >= 1e12 => format!("{:.3} s", ps / 1e12),
        ps if ps >= 1e9 => format!("{:.3} ms", ps / 1e9),
        ps if ps >= 1e6 => format!("{:.3} us", ps / 1e6),
        ps => format!("{:.1} ns", ps / 1e3),
    }
}
