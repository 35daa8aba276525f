//! What came out: a summary on the terminal, `predict/RESULTS.md`, and a page with a plot of predicted against measured.

use super::cells::Way;
use super::{Line, MEDIAN};
use crate::build::{Builder, Failure};
use crate::report::machine;
use fathom_report::{Axis, Page, Plot, Section, Series, Text};
use std::fmt::Write as _;

/// Quartiles of |error|, and how many there are.
fn quartiles<'a>(lines: impl Iterator<Item = &'a Line>) -> Option<(f64, f64, f64, usize)> {
    let mut errors: Vec<f64> = lines.map(|l| l.error().abs()).collect();
    errors.sort_by(f64::total_cmp);
    let at = |share: f64| errors.get(((errors.len() as f64 - 1.0) * share).round() as usize).copied();
    Some((at(0.25)?, at(0.5)?, at(0.75)?, errors.len()))
}

fn of(lines: &[Line], way: Option<Way>) -> Option<(f64, f64, f64, usize)> {
    quartiles(lines.iter().filter(|l| way.is_none_or(|w| l.cell.way == w)))
}

fn worst(lines: &[Line], count: usize) -> Vec<&Line> {
    let mut list: Vec<&Line> = lines.iter().collect();
    list.sort_by(|a, b| b.error().abs().total_cmp(&a.error().abs()));
    list.truncate(count);
    list
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

pub fn print(lines: &[Line], lost: &[String]) {
    for way in Way::ALL.map(Some).into_iter().chain([None]) {
        if let Some((low, median, high, n)) = of(lines, way) {
            let name = way.map_or("all", Way::name);
            println!(
                "{name:<9} {n:>4} cells: median error {} (quartiles {}, {})",
                percent(median),
                percent(low),
                percent(high)
            );
        }
    }
    for l in worst(lines, 8) {
        println!(
            "  worst: {}: {} gives {:.0} MB/s, measured {:.0}: {:+.0} %",
            l.cell,
            l.composition,
            l.predicted,
            l.measured,
            100.0 * l.error()
        );
    }
    lost.iter().for_each(|l| println!("not measured: {l}"));
    let met = of(lines, None).is_some_and(|q| q.1 <= MEDIAN && q.3 >= 200);
    println!("median at most {} over at least 200 cells: {}", percent(MEDIAN), if met { "pass" } else { "MISS" });
}

/// `bench/predict/RESULTS.md` and, beside it, the page with the plot.
pub fn write(builder: &Builder, lines: &[Line], lost: &[String]) -> Result<(), Failure> {
    let mut text = String::from(
        "# Whole transfers, predicted and measured\n\nWritten by `cargo bench -p fathom-bench -- predict`. Predicted by the \
         copy-transfer model of basic transfers that `fathom probe` measured by themselves; nothing of a whole transfer is in \
         them. The error is |predicted - measured| / measured, of throughputs. `predicted.html`, written \
         beside it by the same run, has the plot.\n\n",
    );
    for line in machine(builder) {
        let _ = writeln!(text, "- {line}");
    }
    let _ = writeln!(text, "\n| way | cells | lower quartile | median | upper quartile |\n|---|---|---|---|---|");
    for way in Way::ALL.map(Some).into_iter().chain([None]) {
        if let Some((low, median, high, n)) = of(lines, way) {
            let name = way.map_or("all", Way::name);
            let _ = writeln!(text, "| {name} | {n} | {} | {} | {} |", percent(low), percent(median), percent(high));
        }
    }
    let _ = writeln!(text, "\nTarget: median at most {} over at least 200 cells.\n\n## The worst\n", percent(MEDIAN));
    let head = "| cell | composition | predicted MB/s | measured MB/s | error |\n|---|---|---|---|---|";
    let row = |l: &Line| {
        let composition = l.composition.replace('|', "\\|");
        format!(
            "| {} | `{composition}` | {:.0} | {:.0} | {:+.0} % |",
            l.cell,
            l.predicted,
            l.measured,
            100.0 * l.error()
        )
    };
    let _ = writeln!(text, "{head}");
    worst(lines, 20).into_iter().for_each(|l| {
        let _ = writeln!(text, "{}", row(l));
    });
    let _ = writeln!(text, "\n## All\n\n{head}");
    lines.iter().for_each(|l| {
        let _ = writeln!(text, "{}", row(l));
    });
    if !lost.is_empty() {
        let _ = writeln!(text, "\nNot measured:\n");
        lost.iter().for_each(|l| {
            let _ = writeln!(text, "- {l}");
        });
    }
    let folder = builder.home.join("predict");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
    };
    write("RESULTS.md", &text)?;
    write("predicted.html", &page(lines))
}

fn page(lines: &[Line]) -> String {
    let axis = |label: &str| Axis::new(format!("{label}, MB/s")).log();
    let mut plot = Plot::new("Predicted against measured", axis("measured"), axis("predicted"));
    for way in Way::ALL {
        let of_way = lines.iter().filter(|l| l.cell.way == way);
        plot = plot.series(Series::scatter(way.name(), of_way.map(|l| (l.measured, l.predicted))));
    }
    let ends = |f: fn(f64, f64) -> f64, start: f64| lines.iter().map(|l| l.measured).fold(start, f);
    let (least, most) = (ends(f64::min, f64::INFINITY), ends(f64::max, 0.0));
    plot = plot.series(Series::line("as measured", [(least, least), (most, most)]));
    let summary = of(lines, None).map_or(String::new(), |(low, median, high, n)| {
        format!("{n} cells; median error {}, quartiles {} and {}.", percent(median), percent(low), percent(high))
    });
    Page::new("Whole transfers, predicted and measured")
        .section(Section::new("Copy-transfer model").part(Text::new(summary)).part(plot))
        .html()
}
