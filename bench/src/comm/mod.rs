//! The table of communication: ours, plain C and the peers, in turn, many times (`bench/comm/`).
//!
//! `room.rs` says which programs there are, how they are built and started; `table.rs` what is compared with what and
//! the targets; `sample.rs` keeps the figures; `report.rs` prints and writes `comm/RESULTS.md`. Peers that are not on
//! this computer are left out, and the rows that need them say so.

mod report;
mod room;
mod sample;
mod table;

use crate::build::{output, Builder, Failure};
pub(crate) use sample::Samples;
use std::process::Command;

/// How long and how often.
pub(crate) struct Effort {
    /// Every program is started as often as this; a ratio is taken of each pair of neighbours.
    pub(crate) repetitions: usize,
    /// Batches of each row in one of these runs, and how long one takes.
    pub(crate) batches: u32,
    pub(crate) batch_us: u32,
}

/// All rooms, or those whose names are asked for; the results of all are kept.
pub fn measure(builder: &Builder, quick: bool, wanted: &[&str]) -> Result<(), Failure> {
    let effort = match quick {
        true => Effort { repetitions: 3, batches: 9, batch_us: 250 },
        false => Effort { repetitions: 11, batches: 31, batch_us: 300 },
    };
    let work = builder.work.join("comm");
    std::fs::create_dir_all(&work).map_err(|e| format!("cannot make {}: {e}", work.display()))?;

    let mut tables = Vec::new();
    let wants = |room: &room::Room| wanted.is_empty() || wanted.contains(&room.name);
    for room in room::all().into_iter().filter(wants) {
        let mut notes = Vec::new();
        let mut programs = Vec::new();
        for program in room.programs {
            match program.build(builder, &work) {
                Ok(built) => programs.push((program, built)),
                Err(why) => notes.push(format!("{} is left out: {}", program.name, first_line(&why))),
            }
        }
        let starts: Vec<_> =
            programs.iter().map(|(program, built)| (program.name, || program.command(built))).collect();
        let samples = in_turn(&starts, room.rows, &effort, &mut notes);
        let lines: Vec<_> = table::comparisons(&room).into_iter().map(|c| c.of(&samples)).collect();
        report::print(&room, &lines, &notes);
        tables.push(report::Table { room, lines, notes });
    }
    report::summary(&tables);
    if !quick && wanted.is_empty() {
        report::write_markdown(builder, &tables, &effort)?;
    }
    Ok(())
}

/// Starts programs, each a name and how it is called, one after the other, and again, forwards and backwards. `rows`: what
/// they are asked for besides.
pub(crate) fn in_turn(
    programs: &[(&str, impl Fn() -> Command)],
    rows: &[&str],
    effort: &Effort,
    notes: &mut Vec<String>,
) -> Samples {
    let mut samples = Samples::default();
    let mut lost = vec![false; programs.len()];
    for repetition in 0..effort.repetitions {
        for k in 0..programs.len() {
            let k = if repetition % 2 == 0 { k } else { programs.len() - 1 - k };
            let (name, command) = &programs[k];
            if lost[k] {
                continue;
            }
            let mut command = command();
            command.args([effort.batches.to_string(), effort.batch_us.to_string()]).args(rows);
            match output(&mut command).and_then(|text| samples.read(repetition, &text)) {
                Ok(()) => eprint!("."),
                Err(why) => {
                    lost[k] = true;
                    notes.push(format!("{name} did not run to its end: {}", first_line(&why)));
                    eprintln!("\nbench: {why}");
                }
            }
        }
    }
    eprintln!();
    samples
}

/// Of a failure: what ended, and the first line that it wrote. A command is long.
pub(crate) fn first_line(failure: &str) -> String {
    let mut lines = failure.lines();
    let ended = lines.next().unwrap_or_default();
    let ended = ended.rfind(" ended with ").map_or(ended, |at| &ended[at + 1..]);
    match lines.find(|l| !l.trim().is_empty()) {
        Some(said) => format!("{ended}: {}", said.trim()),
        None => ended.to_string(),
    }
}
