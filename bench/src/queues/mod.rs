//! Message queues beside their peers (`bench/queues/`).
//!
//! `programs.rs` says which contenders there are, how they are built and started; `table.rs` what is compared with what and the
//! targets; `page.rs` prints and writes `queues/RESULTS.md`. A peer that is not on this computer is left out, with a word.

mod page;
mod programs;
mod table;

use crate::build::{output, Builder, Failure};
use crate::comm::{first_line, Samples};

/// How long and how often.
struct Effort {
    /// Every program is started as often as this; a ratio is taken of each pair of neighbours.
    repetitions: usize,
    /// Batches of each row in one of these runs, and how long one takes. (Of rows with more participants than processors
    /// 30 times as long: `harness.c`.)
    batches: u32,
    batch_us: u32,
}

/// All contenders, or only those programs that are named.
pub fn measure(builder: &Builder, quick: bool, wanted: &[&str]) -> Result<(), Failure> {
    let effort = match quick {
        true => Effort { repetitions: 3, batches: 5, batch_us: 300 },
        false => Effort { repetitions: 5, batches: 9, batch_us: 300 },
    };
    let work = builder.work.join("queues");
    std::fs::create_dir_all(&work).map_err(|e| format!("cannot make {}: {e}", work.display()))?;

    let (mut built, mut notes) = (Vec::new(), Vec::new());
    let mut shared = programs::Shared::default();
    for program in programs::all().into_iter().filter(|p| wanted.is_empty() || wanted.contains(&p.name)) {
        match program.build(builder, &work, &mut shared) {
            Ok(path) => built.push((program, path)),
            Err(why) => notes.push(format!("{} is left out: {}", program.name, first_line(&why))),
        }
    }
    if built.is_empty() {
        let names: Vec<_> = programs::all().iter().map(|p| p.name).collect();
        return Err(format!("no contender to measure; there are {}", names.join(", ")));
    }
    let samples = in_turn(&built, &effort, &mut notes);
    let targets = table::targets(&samples);
    page::print(&samples, &targets, &notes);
    if !quick && wanted.is_empty() {
        page::write_markdown(builder, &samples, &targets, &notes, &effort)?;
    }
    Ok(())
}

/// Starts the programs one after the other, and again, forwards and backwards.
fn in_turn(programs: &[(programs::Program, std::path::PathBuf)], effort: &Effort, notes: &mut Vec<String>) -> Samples {
    let mut samples = Samples::default();
    let mut lost = vec![false; programs.len()];
    for repetition in 0..effort.repetitions {
        for k in 0..programs.len() {
            let k = if repetition % 2 == 0 { k } else { programs.len() - 1 - k };
            let (program, path) = &programs[k];
            if lost[k] {
                continue;
            }
            let mut command = program.command(path);
            command.args([effort.batches.to_string(), effort.batch_us.to_string()]);
            match output(&mut command).and_then(|text| samples.read(repetition, &text)) {
                Ok(()) => eprint!("."),
                Err(why) => {
                    lost[k] = true;
                    notes.push(format!("{} did not run to its end: {}", program.name, first_line(&why)));
                    eprintln!("\nbench: {why}");
                }
            }
        }
    }
    eprintln!();
    samples
}
