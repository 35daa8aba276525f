//! The report of a simulated run: the times of a program on one machine or on several, side by side.

use fathom_machine::Time;
use fathom_report::{Cell, Table};
use fathom_simulate::program::{Outcome, Spent};

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
}

/// Columns of the report.
pub const WIDTH: usize = 100;

/// The part that only simulated accesses have.
const MEMORY: &str = "memory";

type Part = fn(&Spent) -> u64;
const PARTS: [(&str, Part); 6] = [
    ("work", |s| s.work),
    (MEMORY, |s| s.memory),
    ("overhead", |s| s.overhead),
    ("waiting for transfers", |s| s.transfers),
    ("waiting for others", |s| s.waiting),
    ("contention", |s| s.contention),
];

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
        let of_memory = self.outcomes.iter().any(|o| sum(o, |s| s.memory) > 0);
        for (name, part) in PARTS.into_iter().filter(|(name, _)| of_memory || *name != MEMORY) {
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
        format!("{}, {threads}\n\n{}\n{}{declared}\n", self.program, table.text(WIDTH), self.basis)
    }
}

fn sum(outcome: &Outcome, of: fn(&Spent) -> u64) -> u128 {
    outcome.threads.iter().map(|s| u128::from(of(s))).sum()
}

/// The mean over the threads, and its share of their time.
fn share(outcome: &Outcome, part: Part) -> String {
    let all = sum(outcome, |s| s.end) as f64;
    let part = sum(outcome, part) as f64;
    let percent = if all > 0.0 { 100.0 * part / all } else { 0.0 };
    format!("{} ({percent:.0} %)", time(part / outcome.threads.len().max(1) as f64))
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
