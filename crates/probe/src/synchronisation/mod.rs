//! Barriers of every kind we have, and locks under contention, by number of threads: up to a processor each, and beyond.
//!
//! A barrier's time is that of a loop of barriers at which all arrive together (the SPP-1000 study, section 5). With a
//! processor for each thread, a waiting thread looks; with fewer, it must make room for others. One thread, which waits
//! for no other, differs again. So each of the three gets its own fits.

mod barriers;
pub mod by_threads;
mod locks;

use crate::passes::{thread_counts, wanted, Passes};
use crate::{Failure, Findings, Session};
use by_threads::processors;

/// The most threads that are started only to be measured, unless each has a processor.
const MOST_THREADS: usize = 256;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let processors = processors(session)?;
    let mut counts = thread_counts(processors, session.effort, MOST_THREADS.max(processors));
    // If only a part of the machine takes part, at most the requested number of threads is started.
    counts.retain(|n| session.runner.threads() >= processors || *n <= session.runner.threads());
    let mut passes = Passes::default();
    for (i, &threads) in counts.iter().enumerate() {
        let until = session.now() + session.left_until(session.until) / (counts.len() - i) as u32;
        let cases =
            [barriers::cases(threads, processors, session.effort), locks::cases(threads, processors, session.effort)]
                .concat();
        let measured = session.with_threads(threads, |s| passes.measure(s, &cases, wanted(s.effort), until));
        if let Err(failure) = measured {
            findings.note_missing(&format!("synchronisation of {threads} threads"), failure)?;
        }
    }
    let mut laws = vec![];
    barriers::conclude(&passes, &counts, processors, &mut findings, &mut laws);
    locks::conclude(&passes, &counts, processors, &mut findings, &mut laws);
    findings.missing.append(&mut passes.missing);
    findings.figures = Some(Box::new(move |machine| machine.laws.extend(laws)));
    Ok(findings)
}

#[cfg(test)]
mod tests;
