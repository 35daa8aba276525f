//! The tables: on the terminal, and as Markdown in `queues/RESULTS.md`.

use super::programs;
use super::table::{rows, Goal, Measure, SIDES};
use super::Effort;
use crate::build::{Builder, Failure};
use crate::comm::Samples;
use crate::report::machine;
use crate::result::Target;
use std::fmt::Write;

fn time(ns: f64) -> String {
    match ns {
        ns if ns >= 1e6 => format!("{:.2} ms", ns / 1e6),
        ns if ns >= 1e4 => format!("{:.1} us", ns / 1e3),
        ns if ns >= 100.0 => format!("{ns:.0} ns"),
        ns => format!("{ns:.1} ns"),
    }
}

/// In the unit of the measure.
fn figure(ns: f64, bytes: f64, measure: Measure) -> String {
    match measure {
        Measure::OneWay => time(ns / 2.0),
        Measure::Time => time(ns),
        Measure::Messages => format!("{:.2} M/s", 1e3 / ns),
        Measure::Bytes => format!("{:.2} GB/s", bytes / ns),
    }
}

/// what, ours, figure, beside, figure, ratio, range, target, verdict
fn cells(goal: &Goal) -> [String; 9] {
    let (mut ours_figure, mut their_figure, mut ratio, mut range) = Default::default();
    if let Some(f) = &goal.found {
        ours_figure = figure(f.ours_ns, f.bytes, goal.measure);
        their_figure = f.theirs_ns.map(|ns| figure(ns, f.bytes, goal.measure)).unwrap_or_default();
        ratio = format!("{:.2}", f.median);
        range = format!("{:.2}–{:.2}", f.lowest, f.highest);
    }
    let beside = match &goal.theirs {
        Some((side, row)) if *row != goal.ours.1 && !row.starts_with(side) => format!("{side}, {row}"),
        Some((side, _)) => side.to_string(),
        None => String::new(),
    };
    let target = match goal.target {
        Target::AtLeast(t) => format!("≥ {t}"),
        // "Faster": anything below it.
        Target::AtMost(0.99) => "< 1".into(),
        Target::AtMost(t) => format!("≤ {t}"),
        Target::None => String::new(),
    };
    let verdict = match (goal.met(), goal.target) {
        (Some(true), _) => "met",
        (Some(false), _) => "MISSED",
        (None, Target::None) => "",
        (None, _) => "not measured",
    };
    let ours = goal.ours.0.to_string();
    [goal.what.clone(), ours, ours_figure, beside, their_figure, ratio, range, target, verdict.into()]
}

fn count(goals: &[Goal]) -> (usize, usize) {
    let judged = goals.iter().filter(|g| g.met().is_some()).count();
    (goals.iter().filter(|g| g.met() == Some(true)).count(), judged)
}

pub fn print(samples: &Samples, goals: &[Goal], notes: &[String]) {
    for (title, rows, measure) in rows() {
        println!("\n{title}");
        println!("{:<28}{}", "", rows.iter().map(|r| format!("{r:>20}")).collect::<String>());
        for line in lines(samples, &rows, measure) {
            println!("{:<28}{}", line.0, line.1.iter().map(|f| format!("{f:>20}")).collect::<String>());
        }
    }
    println!();
    for goal in goals.iter().filter(|g| g.found.is_some()) {
        let [what, ours, figure, beside, theirs, ratio, range, target, verdict] = cells(goal);
        println!(
            "{what:<36} {ours:<20} {figure:>12}  {beside:<26} {theirs:>12} {ratio:>7} {range:>14} {target:>6} {verdict}"
        );
    }
    notes.iter().for_each(|n| println!("{n}"));
    let (met, judged) = count(goals);
    println!("{met} of {judged} rows meet their target");
}

/// Of a table with these rows as its columns: each contender that has one of them, and its figures.
fn lines(samples: &Samples, rows: &[String], measure: Measure) -> Vec<(&'static str, Vec<String>)> {
    let of = |side: &&'static str| {
        let cell = |row: &String| {
            let series = samples.get(side, row)?;
            Some(figure(series.median_ns(), series.bytes, measure))
        };
        let cells: Vec<Option<String>> = rows.iter().map(cell).collect();
        let any = cells.iter().any(Option::is_some);
        any.then(|| (*side, cells.into_iter().map(Option::unwrap_or_default).collect()))
    };
    SIDES.iter().filter_map(of).collect()
}

/// Writes `bench/queues/RESULTS.md`.
/// What follows this line of the page was written by hand, and stays.
const BY_HAND: &str = "## Read this with the figures\n";

pub fn write_markdown(
    builder: &Builder,
    samples: &Samples,
    goals: &[Goal],
    notes: &[String],
    effort: &Effort,
) -> Result<(), Failure> {
    let mut text = format!(
        "# Message queues beside their peers\n\n\
         Written by `cargo bench -p fathom-bench -- queues`. Two processes (`disruptor`: threads), each bound to a processor of \
         its own; `ZeroMQ` and `nng` have threads of their own and are not bound; `Aeron`'s driver is a process of its own, which the two processors share. Every program was started {} times, \
         in turn; a row is measured in {} batches of about {} us each, and the median counts. Ratios are of neighbouring \
         runs: their median, the lowest and the highest. A ratio is ours over theirs, of times (a target of ≤) or of \
         rates (≥).\n\n\
         The sender writes a new word into each line of a message, the receiver reads one of each line. One way is half of \
         a round trip. `MPI`, `pipe`, sockets, POSIX queues and all of shared memory spin; only `wake` and rows with more \
         participants than processors sleep or yield. `Express` and `Tag-On` may be used by any number of threads; \
         `one thread` is `MSG_SINGLE`. `Express, one row`: threads that share one row; in `Express` each sender is a process \
         with a row of its own. The rates of senders are of all together. Of \
         each sender 16384 messages of Express fit into the queue, and 65536 of `Express, 65536 slots`, as of Basic. \
         `compare-and-swap` is one word that nobody reads; of `compare-and-swap, read` each sender swaps into slots of a ring of \
         its own, which a receiver reads: what Express does, without all that makes it a queue.\n\n",
        effort.repetitions, effort.batches, effort.batch_us
    );
    for line in
        machine(builder).into_iter().chain(programs::versions(builder).into_iter().map(|v| format!("peer: {v}")))
    {
        let _ = writeln!(text, "- {line}");
    }
    let (met, judged) = count(goals);
    let _ = writeln!(
        text,
        "\n## Targets\n\n{met} of {judged} rows meet their target. A row without one is for orientation.\n\n\
         | what | ours | | beside | | ratio | range | target | |\n|---|---|---|---|---|---|---|---|---|"
    );
    for goal in goals {
        let _ = writeln!(text, "| {} |", cells(goal).join(" | "));
    }
    for (title, rows, measure) in rows() {
        let found = lines(samples, &rows, measure);
        if found.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n## {title}\n\n| | {} |\n|---|{}", rows.join(" | "), "---|".repeat(rows.len()));
        for (side, figures) in found {
            let _ = writeln!(text, "| {side} | {} |", figures.join(" | "));
        }
    }
    if !notes.is_empty() {
        text.push_str("\n## Notes\n\n");
        notes.iter().for_each(|n| text += &format!("- {n}\n"));
    }
    let path = builder.home.join("queues/RESULTS.md");
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some(at) = before.find(BY_HAND) {
        let _ = write!(text, "\n{}", &before[at..]);
    }
    std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
