//! EM3D, the study's Figure 9: nanoseconds an edge by the percentage of remote edges, one line for each version, as a
//! page.
//!
//! `em3d/run.sh` measures and prints tables for Markdown; this draws them. `em3d` is shared memory, `em3d:mpi` two
//! network namespaces that stand for two computers (needs root).

use crate::build::{output, Builder, Failure};
use fathom_report::{Axis, Page, Plot, Point, Section, Series, Text, Unit};
use std::process::Command;

/// Why the versions are close where memory is shared.
const SHARED: &str = "On shared memory Simple is close to Bulk, unlike on the study's machine. There a blocking read took \
    128 cycles, so each version that fetched less often, or did not wait, was faster. Here a processor reads the other's \
    value by one load, and the values of both fit into its cache: a ghost saves only the misses that follow each half \
    step, when the other processor has written the values anew. What is left of the difference is the order of blocking \
    reads, each of which is complete before the next begins, so that the compiler cannot join them into vector \
    instructions.";
const DISTRIBUTED: &str = "Between computers each blocking read is a round trip, and the order is the study's: Simple \
    waits for each edge, Bundle for each value once, Get for many values at a time, Put for none, and Bulk sends one \
    message to each processor.";

/// A table of one language: the percentages, and each version's points.
struct Measured {
    language: String,
    versions: Vec<(String, Vec<Point>)>,
}

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
        for (version, points) in table.versions {
            plot = plot.series(Series::line(version, points));
        }
        let mut section = Section::new(table.language).part(plot);
        if i == 0 {
            section = section.part(Text::new(if conduit == "smp" { SHARED } else { DISTRIBUTED }));
        }
        page = page.section(section);
    }
    let path = builder.work.join(format!("em3d-{conduit}.html"));
    std::fs::write(&path, page.html()).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    println!("\n{}", path.display());
    Ok(())
}

/// The tables in what `run.sh` prints.
fn tables(text: &str) -> Result<Vec<Measured>, Failure> {
    let mut found: Vec<(Vec<f64>, Measured)> = vec![];
    for line in text.lines().filter(|l| l.starts_with("| ")) {
        let mut cells = line.trim_matches('|').split('|').map(str::trim);
        let name = cells.next().unwrap_or_default().to_owned();
        let wrong = || format!("em3d/run.sh printed a line that is not a row of its tables: {line}");
        if line.contains(" % |") {
            let percents = cells.map(|c| c.trim_end_matches(" %").parse().ok()).collect::<Option<Vec<f64>>>();
            found.push((percents.ok_or_else(wrong)?, Measured { language: name, versions: vec![] }));
        } else {
            let (percents, table) = found.last_mut().ok_or_else(wrong)?;
            let point = |(x, cell): (&f64, &str)| {
                let (y, range) = cell.trim_end_matches(')').split_once(" (")?;
                let (low, high) = range.split_once(" to ")?;
                Some(Point { x: *x, y: y.parse().ok()?, low: low.parse().ok()?, high: high.parse().ok()? })
            };
            let points = percents.iter().zip(cells).map(point).collect::<Option<Vec<_>>>();
            table.versions.push((name, points.ok_or_else(wrong)?));
        }
    }
    match found.is_empty() {
        true => Err("em3d/run.sh printed no table".into()),
        false => Ok(found.into_iter().map(|(_, table)| table).collect()),
    }
}
