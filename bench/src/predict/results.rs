//! What came out: a summary on the terminal, `predict/RESULTS.md`, and a page with a plot of predicted against measured.

use super::cells::Way;
use super::{Line, Set, MEDIAN};
use crate::build::{Builder, Failure};
use crate::report::machine;
use fathom_report::{Axis, Page, Plot, Section, Series, Text};
use std::fmt::Write as _;

/// The lower, the median, the upper of |error|, and of how many.
type Quartiles = (f64, f64, f64, usize);

fn quartiles<'a>(lines: impl Iterator<Item = &'a Line>) -> Option<Quartiles> {
    let mut errors: Vec<f64> = lines.map(|l| l.error().abs()).collect();
    errors.sort_by(f64::total_cmp);
    let at = |share: f64| errors.get(((errors.len() as f64 - 1.0) * share).round() as usize).copied();
    Some((at(0.25)?, at(0.5)?, at(0.75)?, errors.len()))
}

fn of(lines: &[Line], way: Option<Way>) -> Option<Quartiles> {
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

/// The rows of a set's table: each way, and all.
fn rows(set: &Set) -> Vec<(&'static str, Quartiles)> {
    let ways = Way::ALL.map(Some).into_iter().chain([None]);
    ways.filter_map(|way| Some((way.map_or("all", Way::name), of(&set.lines, way)?))).collect()
}

pub fn print(sets: &[&Set]) {
    for set in sets {
        println!("{}:", set.name);
        for (name, (low, median, high, n)) in rows(set) {
            let (low, median, high) = (percent(low), percent(median), percent(high));
            println!("  {name:<9} {n:>4} cells: median error {median} (quartiles {low}, {high})");
        }
        for l in worst(&set.lines, 8) {
            println!(
                "  worst: {}: {} gives {:.0} MB/s, measured {:.0}: {:+.0} %",
                l.cell,
                l.composition,
                l.predicted,
                l.measured,
                100.0 * l.error()
            );
        }
        set.lost.iter().take(8).for_each(|l| println!("  not measured: {l}"));
        if set.lost.len() > 8 {
            println!("  not measured: {} cells in all", set.lost.len());
        }
        let met = of(&set.lines, None).is_some_and(|q| q.1 <= MEDIAN && q.3 >= 200);
        let verdict = if met { "pass" } else { "MISS" };
        println!("  median at most {} over at least 200 cells: {verdict}", percent(MEDIAN));
    }
}

/// `bench/predict/RESULTS.md` and, beside it, the page with the plot.
pub fn write(builder: &Builder, sets: &[&Set]) -> Result<(), Failure> {
    let mut text = String::from(
        "# Whole transfers, predicted and measured\n\nWritten by `cargo bench -p fathom-bench -- predict`. The \
         predictions are the copy-transfer model's, from basic transfers that `fathom probe` measured separately; no \
         measurement of a whole transfer is part of them. The error is |predicted - measured| / measured, of \
         throughputs. The grid was used while the model and the probe were improved; the cells that were held out are \
         drawn from a fixed seed. `predicted.html`, written beside it by \
         the same run, has the plot.\n\n",
    );
    for line in machine(builder) {
        let _ = writeln!(text, "- {line}");
    }
    let _ =
        writeln!(text, "\n| set | way | cells | lower quartile | median | upper quartile |\n|---|---|---|---|---|---|");
    for set in sets {
        for (way, (low, median, high, n)) in rows(set) {
            let (low, median, high) = (percent(low), percent(median), percent(high));
            let _ = writeln!(text, "| {} | {way} | {n} | {low} | {median} | {high} |", set.name);
        }
    }
    let _ = writeln!(text, "\nTarget: median at most {} over at least 200 cells.", percent(MEDIAN));
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
    for set in sets {
        let _ = writeln!(text, "\n## The worst, {}\n\n{head}", set.name);
        worst(&set.lines, 20).into_iter().for_each(|l| {
            let _ = writeln!(text, "{}", row(l));
        });
    }
    for set in sets {
        let _ = writeln!(text, "\n## All, {}\n\n{head}", set.name);
        set.lines.iter().for_each(|l| {
            let _ = writeln!(text, "{}", row(l));
        });
        set.lost.iter().for_each(|l| {
            let _ = writeln!(text, "\nNot measured: {l}");
        });
    }
    let folder = builder.home.join("predict");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
    };
    write("RESULTS.md", &text)?;
    write("predicted.html", &page(sets))
}

fn page(sets: &[&Set]) -> String {
    let mut page = Page::new("Whole transfers, predicted and measured");
    for set in sets {
        let summary = of(&set.lines, None).map_or(String::new(), |(low, median, high, n)| {
            format!("{n} cells; median error {}, quartiles {} and {}.", percent(median), percent(low), percent(high))
        });
        page = page.section(Section::new(set.name).part(Text::new(summary)).part(plot(&set.lines)));
    }
    page.html()
}

fn plot(lines: &[Line]) -> Plot {
    let axis = |label: &str| Axis::new(format!("{label}, MB/s")).log();
    let mut plot = Plot::new("Predicted against measured", axis("measured"), axis("predicted"));
    for way in Way::ALL {
        let of_way = lines.iter().filter(|l| l.cell.way == way);
        plot = plot.series(Series::scatter(way.name(), of_way.map(|l| (l.measured, l.predicted))));
    }
    let ends = |f: fn(f64, f64) -> f64, start: f64| lines.iter().map(|l| l.measured).fold(start, f);
    let (least, most) = (ends(f64::min, f64::INFINITY), ends(f64::max, 0.0));
    plot.series(Series::line("as measured", [(least, least), (most, most)]))
}
