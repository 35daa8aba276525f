//! Message queues beside their peers (`bench/queues/`).
//!
//! `programs.rs` says which contenders there are, how they are built and started; `table.rs` what is compared with what and the
//! targets; `page.rs` prints and writes `queues/RESULTS.md`. A peer that is not on this computer is left out, with a word.

mod page;
mod programs;
mod table;

use crate::build::{Builder, Failure};
use crate::comm::{first_line, in_turn, Effort};

/// All contenders, or only those programs that are named.
pub fn measure(builder: &Builder, quick: bool, wanted: &[&str]) -> Result<(), Failure> {
    // Of rows with more participants than processors, batches take 30 times as long: `harness.c`.
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
    let starts: Vec<_> = built.iter().map(|(program, path)| (program.name, || program.command(path))).collect();
    let samples = in_turn(&starts, &[], &effort, &mut notes);
    let targets = table::targets(&samples);
    page::print(&samples, &targets, &notes);
    if !quick && wanted.is_empty() {
        page::write_markdown(builder, &samples, &targets, &notes, &effort)?;
    }
    Ok(())
}
