//! Message queues (`msg.h`; on a simulated StarT-Voyager its own): overhead of sending and receiving, latency, gap and
//! bandwidth of Express, Tag-On, Basic and Bulk messages by size, where several threads may use a queue and where one
//! does; and which statements of the StarT-Voyager study hold here.
//!
//! Source: the study's section 6, whose Figures 4 to 7 have the same curves. Its six curves compare messages that the
//! network endpoint keeps coherent with caches (Reclaim) with messages that software flushes. Where hardware keeps
//! caches coherent, the former are the usual ones.

mod curves;
mod plan;
mod statements;

use crate::passes::{wanted, Passes};
use crate::{Fact, Failure, Findings, Kernel, Session, Stimulus};
use fathom_profile::names;

/// Bytes of a word where the machine does not say what an Express message carries.
const WORD: f64 = 8.0;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let first = Stimulus::new(Kernel::Queue).word("measure", "send").word("mechanism", "express").with("bytes", 8);
    let word = match session.measure_with_facts(&first.word("threads", "many")) {
        Ok((_, samples)) => samples.facts.get(&Fact::Bytes).copied().unwrap_or(WORD),
        Err(failure) => {
            findings.note_missing(names::QUEUES, failure)?;
            return Ok(findings);
        }
    };
    let mut passes = Passes::default();
    let (until, effort) = (session.until, session.effort);
    passes.measure(session, &plan::cases(word as u64, effort, session.is_exact()), wanted(effort), until)?;
    curves::conclude(&passes, word, &mut findings);
    findings.values.extend(statements::all(&passes, word));
    findings.missing.append(&mut passes.missing);
    Ok(findings)
}

#[cfg(test)]
mod tests;
