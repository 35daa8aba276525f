//! The page of the regret: the method, the figures of either grid beside the targets, by pattern, and every cell.

use super::{Line, MEAN, MORE_RUNS, ROUNDS, RUNS, SEED, WORST};
use crate::build::Builder;
use crate::report::machine;
use std::fmt::Write as _;

fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = values.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
}

fn worst(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(1.0, f64::max)
}

pub fn page(builder: &Builder, grids: &[(&str, Vec<Line>)], notes: &[String]) -> String {
    let mut t = String::from("# The regret of the choice\n\n");
    let _ = writeln!(t, "`cargo bench -p fathom-bench -- choice` on {}.\n", machine(builder).join("; "));
    let _ = writeln!(
        t,
        "Time of the chosen mechanism / time of the fastest, conduit smp, 2 threads. The table was made by `fathom probe --only \
         mechanisms` and `fathom tune`. The grid by hand has other sizes than the probe, and mostly other strides; \
         the drawn grid has random patterns, elements, strides and sizes from the seed {SEED} (`bench/src/grid.rs`), \
         and was not used in making the choice.\n\n\
         Each of {RUNS} processes timed every cell in {ROUNDS} rounds, all mechanisms in turn in each, the chosen one \
         by the table and the others by override. Cells that may be on either side of {WORST} were timed in \
         {MORE_RUNS} \
         processes more. The least of several noisy times is too small: so one half of the processes determines the \
         fastest mechanism, the other half the ratio of the choice to it (the median of the ratios within a round), \
         and then the halves are exchanged; the regret of a cell is the geometric mean of the two, and not below 1 \
         (`fathom_model::regret`). The \
         range is that of the processes' medians, relative to the fastest mechanism over all of them.\n"
    );
    let _ = writeln!(t, "| grid | cells | | found | target | | without a table |\n|---|---|---|---|---|---|---|");
    let verdict = |met: bool| if met { "met" } else { "MISSED" };
    for (name, lines) in grids {
        let (mean, most) =
            (geometric_mean(lines.iter().map(|l| l.regret.value)), worst(lines.iter().map(|l| l.regret.value)));
        let (bare, bare_most) =
            (geometric_mean(lines.iter().map(|l| l.without)), worst(lines.iter().map(|l| l.without)));
        let count = lines.len();
        let _ = writeln!(
            t,
            "| {name} | {count} | geometric mean | {mean:.3} | ≤ {MEAN} | {} | {bare:.3} |",
            verdict(mean <= MEAN)
        );
        let over = lines.iter().filter(|l| l.regret.value > WORST).count();
        let over = if over > 0 { format!(" ({over} cells)") } else { String::new() };
        let _ =
            writeln!(t, "| | | worst | {most:.2} | ≤ {WORST} | {}{over} | {bare_most:.2} |", verdict(most <= WORST));
    }
    for (name, lines) in grids {
        let _ = writeln!(t, "\n## The grid {}\n", if *name == "drawn" { "that was drawn" } else { name });
        by_pattern(&mut t, lines);
        cells(&mut t, lines);
    }
    for note in notes {
        let _ = writeln!(t, "\nLeft out: {note}.");
    }
    t
}

fn by_pattern(t: &mut String, lines: &[Line]) {
    let mut patterns: Vec<&str> = lines.iter().map(|l| l.cell.pattern).collect();
    patterns.sort_unstable();
    patterns.dedup();
    let _ = writeln!(t, "| pattern | cells | geometric mean | worst | without a table |\n|---|---|---|---|---|");
    for pattern in patterns {
        let of = || lines.iter().filter(|l| l.cell.pattern == pattern);
        let _ = writeln!(
            t,
            "| {pattern} | {} | {:.3} | {:.2} | {:.3} |",
            of().count(),
            geometric_mean(of().map(|l| l.regret.value)),
            worst(of().map(|l| l.regret.value)),
            geometric_mean(of().map(|l| l.without))
        );
    }
}

fn cells(t: &mut String, lines: &[Line]) {
    let _ = writeln!(t, "\nThe worst first:\n");
    let _ = writeln!(
        t,
        "| pattern | | element | stride | bytes | chosen | fastest | its time | regret | range | processes |"
    );
    let _ = writeln!(t, "|---|---|---|---|---|---|---|---|---|---|---|");
    let mut sorted: Vec<&Line> = lines.iter().collect();
    sorted.sort_by(|a, b| b.regret.value.total_cmp(&a.regret.value));
    for l in sorted {
        let (c, r) = (&l.cell, &l.regret);
        let _ = writeln!(
            t,
            "| {} | {} | {} | {} | {} | {} | {} | {:.4} us | {:.3} | {:.2} to {:.2} | {} |",
            c.pattern,
            c.direction,
            c.element,
            c.stride,
            c.bytes,
            l.chosen,
            l.fastest,
            l.fastest_ns / 1e3,
            r.value,
            r.low,
            r.high,
            l.runs
        );
    }
}
