//! The table: on the terminal line by line, in the end a summary, and as Markdown with the computer that it is from.

use crate::build::{output, Builder, Failure};
use crate::result::{Measured, Target};
use std::fmt::Write;
use std::process::Command;

fn verdict(m: &Measured) -> &'static str {
    match m.met() {
        Some(true) => "pass",
        Some(false) => "MISS",
        None => "",
    }
}

fn goal(m: &Measured) -> String {
    match m.target {
        Target::AtLeast(t) => format!("≥ {t}"),
        Target::AtMost(t) => format!("≤ {t}"),
        Target::None => String::new(),
    }
}

pub fn print(m: &Measured) {
    println!(
        "{:<13} {:<44} {:<18} {:<7} {}  {:>7.3} ({:.3}–{:.3}) {:>7} {:<4}  {}",
        m.row,
        m.variant,
        m.flags,
        m.environment,
        m.threads,
        m.median,
        m.lowest,
        m.highest,
        goal(m),
        verdict(m),
        m.note
    );
}

pub fn summary(all: &[Measured]) {
    let judged: Vec<_> = all.iter().filter(|m| m.met().is_some()).collect();
    let missed: Vec<_> = judged.iter().filter(|m| m.met() == Some(false)).collect();
    println!("\n{} of {} rows meet their target", judged.len() - missed.len(), judged.len());
    for m in missed {
        print(m);
    }
}

/// Writes `bench/RESULTS.md`.
pub fn write_markdown(builder: &Builder, all: &[Measured], notes: &[String]) -> Result<(), Failure> {
    let mut text = String::from(
        "# Fathom against plain C\n\nWritten by `cargo bench -p fathom-bench`. Both sides of a row ran in turn in one \
         process, compiled by the same compiler with the same flags; figures are the median of the ratios of \
         neighbouring batches (in cache: of five processes' medians), with the lowest and the highest of all batches. \
         A target of ≥ means Fathom's speed over C's, ≤ Fathom's time over C's.\n\n",
    );
    for line in machine(builder) {
        let _ = writeln!(text, "- {line}");
    }
    let mut row = "";
    for m in all {
        if m.row != row {
            row = &m.row;
            let _ = writeln!(
                text,
                "\n## {row}\n\n| variant | flags | THREADS | threads | median | range | target | | figures |\n\
                 |---|---|---|---|---|---|---|---|---|"
            );
        }
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.3} | {:.3}–{:.3} | {} | {} | {} |",
            m.variant,
            m.flags,
            m.environment,
            m.threads,
            m.median,
            m.lowest,
            m.highest,
            goal(m),
            verdict(m),
            m.note
        );
    }
    if !notes.is_empty() {
        text.push_str("\n## Notes\n\n");
        for n in notes {
            let _ = writeln!(text, "- {}", n.lines().next().unwrap_or_default());
        }
    }
    let path = builder.home.join("RESULTS.md");
    std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// What the figures were measured on.
pub fn machine(builder: &Builder) -> Vec<String> {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|l| l.starts_with(name)).unwrap_or_default();
        line.split_once(':').map(|(_, v)| v.trim().to_string()).unwrap_or_default()
    };
    let cpu = read("/proc/cpuinfo");
    let cores = std::thread::available_parallelism().map_or(0, |n| n.get());
    let cache = |index: u32| read(&format!("/sys/devices/system/cpu/cpu0/cache/index{index}/size")).trim().to_string();
    let model = format!(
        "{} (family {}, model {})",
        field(&cpu, "model name"),
        field(&cpu, "cpu family"),
        field(&cpu, "model\t")
    );
    let compiler = output(Command::new(&builder.cc).arg("--version")).unwrap_or_default();
    vec![
        format!("processor: {model}, {cores} cores, L1d {}, L2 {}, L3 {}", cache(0), cache(2), cache(3)),
        format!("memory: {}", field(&read("/proc/meminfo"), "MemTotal")),
        format!("kernel: Linux {}", read("/proc/sys/kernel/osrelease").trim()),
        format!("compiler: {}", compiler.lines().next().unwrap_or_default()),
    ]
}
