//! The page of the comparison: the method, each ratio beside its target, and what the tools say where they go wrong.

use super::tools::{self, Tools, ARRAY_BYTES, PASSES};
use super::{Latency, Pairs, Results, BANDWIDTH, LATENCY};
use crate::build::Builder;
use crate::report::machine;
use fathom_report::Unit;
use std::fmt::Write as _;

pub fn page(builder: &Builder, results: &Results) -> String {
    let mut t = String::from("# The probe beside lmbench, multichase and STREAM\n\n");
    let _ = writeln!(
        t,
        "Written by `cargo bench -p fathom-bench -- peers`. Our figures are those of the probe's stimuli, each in a \
         process of its own, in \
         turn with theirs, bound to the same processor. A ratio is ours / theirs within a round; the table has the \
         median of the rounds, \
         the least and the greatest; the median is judged. *The profile* is the point of `memory.sizes` that a probe \
         of the \
         same run has at that size, on normal pages.\n"
    );
    for line in machine(builder).into_iter().chain(versions(&results.tools)) {
        let _ = writeln!(t, "- {line}");
    }
    latencies(&mut t, &results.latencies);
    rates(&mut t, results);
    answers(&mut t, results);
    if !results.notes.is_empty() {
        t.push('\n');
        for note in &results.notes {
            let _ = writeln!(t, "- {note}");
        }
    }
    t
}

fn versions(tools: &Tools) -> Vec<String> {
    let mut all = vec![];
    if let Ok(folder) = &tools.lmbench {
        let version = tools::version(&folder.join("lat_mem_rd")).unwrap_or_else(|| "of an unknown version".into());
        all.push(format!("lmbench: lat_mem_rd {version}, unmodified"));
    }
    if let Ok(programs) = &tools.stream {
        let version = programs.first().and_then(|(_, p)| tools::version(p)).unwrap_or_default();
        all.push(format!("STREAM {version}, arrays of {} MB, best of {PASSES} passes", ARRAY_BYTES / 1_000_000));
    }
    all
}

/// Median, range, target, verdict: the end of a row.
fn judged(pairs: &Pairs, target: Option<f64>) -> String {
    let (middle, least, greatest) = pairs.ratio();
    let verdict = match target {
        Some(within) if (middle - 1.0).abs() <= within => format!("± {:.0} % | met", within * 100.0),
        Some(within) => format!("± {:.0} % | MISSED", within * 100.0),
        None => " | ".into(),
    };
    format!("{middle:.3} | {least:.3}–{greatest:.3} | {} | {verdict}", pairs.rounds.len())
}

fn latencies(t: &mut String, all: &[Latency]) {
    let _ = writeln!(
        t,
        "\n## Latency\n\nmultichase with `-s 64` and `-T` = size, one sample of half a second; `lat_mem_rd -t` with a stride of 64, its \
         calibration replaced by its settings (`ENOUGH=50000 TIMING_O=0 LOOP_O=0.00001`), the last line of its table; \
         huge pages for it are \
         glibc's (`glibc.malloc.hugetlb=1`). Ours: `chase`, the median of 7 samples, in random order, and with \
         another page at every load, on pages \
         first touched in that order, which is the order of `lat_mem_rd -t` (`memory.another_page.ns`).\n\n\
         | size | pages | ours | ns | beside | ns | ratio | range | rounds | target | | the profile |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    let mut sorted: Vec<&Latency> = all.iter().collect();
    sorted.sort_by_key(|l| (&l.tool, &l.order, l.huge, l.bytes));
    for l in sorted {
        let _ = writeln!(
            t,
            "| {} | {} | {} | {:.2} | {} | {:.2} | {} | {} |",
            Unit::Bytes.text(l.bytes as f64),
            if l.huge { "huge" } else { "normal" },
            l.order,
            l.pairs.ours(),
            l.tool,
            l.pairs.theirs(),
            judged(&l.pairs, l.is_alike().then_some(LATENCY)),
            l.profile_ns.map_or(String::new(), |ns| format!("{ns:.2} ns"))
        );
    }
}

fn rates(t: &mut String, results: &Results) {
    if results.rates.is_empty() {
        return;
    }
    let _ = writeln!(
        t,
        "\n## Bandwidth\n\nSTREAM compiled with `-O3 -march=native`, each width of vectors, without calls of the library's copy; one thread, normal \
         pages. Ours: `stream`, the best of as many passes.\n\n\
         | operation | vectors | ours, GB/s | STREAM, GB/s | ratio | range | rounds | target | \
         |\n|---|---|---|---|---|---|---|---|---|"
    );
    for r in &results.rates {
        let bits = if r.bits > 0 { format!("{} bits", r.bits) } else { "any".into() };
        let (ours, theirs) = (r.pairs.ours() / 1e3, r.pairs.theirs() / 1e3);
        let judged = judged(&r.pairs, Some(BANDWIDTH));
        let _ = writeln!(t, "| {} | {bits} | {ours:.2} | {theirs:.2} | {judged} |", r.operation);
    }
}

fn answers(t: &mut String, results: &Results) {
    if results.answers.is_empty() {
        return;
    }
    let _ = writeln!(
        t,
        "\n## Where they are known to go wrong\n\nEach asked once.\n\n| asked | said | the profile |\n|---|---|---|"
    );
    for a in &results.answers {
        let _ = writeln!(t, "| {} | {} | {} |", a.asked, a.said, a.profile);
    }
}
