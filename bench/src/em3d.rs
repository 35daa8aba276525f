//! EM3D, the study's Figure 9: nanoseconds an edge by the percentage of remote edges, one line for each version, as a
//! page.
//!
//! `em3d/run.sh` measures and prints tables for Markdown; this draws them. `em3d` is shared memory, `em3d:mpi` two
//! network namespaces that stand for two computers (needs root).

use crate::build::{output, Builder, Failure};
use crate::em3d_table::{findings, tables};
use fathom_report::{Axis, Page, Plot, Section, Series, Text, Unit};
use std::process::Command;

/// What the study had, and why the versions differ; what this run shows is computed (`findings`).
const SHARED: &str = "In the study a blocking read of another processor's value took 128 cycles, so each version that \
    fetched less often, or did not wait, was faster. On shared memory a read is one load, and the values of both \
    processors fit into a cache: a ghost saves only the misses that follow each half step, when the other processor has \
    written the values anew. What can remain is the order of blocking reads, each of which is complete before the next \
    begins, so that the compiler cannot join them into vector instructions.";
const DISTRIBUTED: &str = "In the study, with a fifth of the edges remote and more, Simple was slowest, then Bundle, \
    Unroll, Get and Put, and Bulk fastest. Between computers each blocking read is a round trip: Simple waits for each edge, \
    Bundle and Unroll for each value once, Get for many values at a time, Put for none, and Bulk sends one message to each \
    processor.";

pub fn measure(builder: &Builder, quick: bool, conduit: &str) -> Result<(), Failure> {
    let mut command = Command::new(builder.home.join("em3d/run.sh"));
    let repetitions = if quick { "3" } else { "9" };
    command.args([conduit, "2", repetitions]).env("FATHOM", &builder.fathom);
    let text = output(&mut command)?;
    print!("{text}");
    let tables = tables(&text)?;
    let mut head = text.lines();
    let (machine, setting) = (head.next().unwrap_or_default(), head.next().unwrap_or_default());
    let mut page = Page::new("EM3D by version and by remote edges").subtitle(setting).footer(machine);
    for (i, table) in tables.into_iter().enumerate() {
        let x = Axis::new("remote edges").unit(Unit::Named("%".into())).from_zero();
        let mut plot =
            Plot::new(format!("Time per edge, {}", table.language), x, Axis::new("time per edge").unit(Unit::Ns).log())
                .note("the median of the repetitions; bars go from the lowest to the highest");
        let found = findings(&table, if conduit == "smp" { 0.0 } else { 20.0 });
        for (version, points) in table.versions {
            plot = plot.series(Series::line(version, points));
        }
        let mut section = Section::new(table.language).part(plot);
        if i == 0 {
            section = section.part(Text::new(if conduit == "smp" { SHARED } else { DISTRIBUTED }));
        }
        section = section.part(Text::new(found));
        page = page.section(section);
    }
    let path = builder.work.join(format!("em3d-{conduit}.html"));
    std::fs::write(&path, page.html()).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    println!("\n{}", path.display());
    Ok(())
}
