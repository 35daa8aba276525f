//! Barriers of every kind we have, and locks under contention, by number of threads: up to a processor each, and beyond.
//!
//! A barrier's time is that of a loop of barriers at which all arrive together (the SPP-1000 study, section 5). The two sides
//! of "a processor for each thread" are different worlds: there waiting is looking, beyond it is making room for others.
//! So are one thread, which waits for nobody, and several. Fits are made for each of the three by itself.

mod barriers;
mod locks;

use crate::fits::{self, About, Fitted};
use crate::passes::{thread_counts, wanted, Passes};
use crate::{Effort, Failure, Findings, Session, Stimulus};
use fathom_model::answer::Unit;
use fathom_model::laws::Law;
use fathom_profile::{Missing, Reason};
use std::time::{Duration, Instant};

/// More threads than this are not started only to be measured, unless each has a processor.
const MOST_THREADS: usize = 256;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let processors = processors(session)?;
    let mut counts = thread_counts(processors, session.effort, MOST_THREADS.max(processors));
    // Where not all of the machine takes part, no more is started than was asked for.
    counts.retain(|n| session.runner.threads() >= processors || *n <= session.runner.threads());
    let mut passes = Passes::default();
    for (i, &threads) in counts.iter().enumerate() {
        let left = session.until.saturating_duration_since(Instant::now());
        let until = Instant::now() + left / (counts.len() - i) as u32;
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

/// How many processors the machine has: a kernel of several threads says so, whatever it measures.
fn processors(session: &mut Session) -> Result<usize, Failure> {
    let stimulus = Stimulus::new("barrier").word("kind", "world");
    let samples = session.runner.run(&stimulus, 1, Duration::from_millis(20))?;
    Ok(samples.facts.get("processors").map_or(session.runner.threads(), |p| (*p as usize).max(1)))
}

/// Where one form cannot hold on both sides: one thread waits for nobody, and beyond the processors threads take turns.
pub fn boundaries(processors: usize) -> Vec<f64> {
    let mut boundaries = vec![1.0, processors as f64];
    boundaries.dedup();
    boundaries
}

/// Fits a series on each side of the boundaries, and makes a law of it if it is to have a name; what cannot be fitted is noted.
pub fn fit_by_threads(
    passes: &Passes,
    of: (&'static str, &'static str),
    processors: usize,
    about: Option<(&str, &str)>,
    findings: &mut Findings,
) -> Option<Law> {
    let points = passes.points(of.0, of.1);
    if points.is_empty() {
        return None;
    }
    let plan = fits::Plan::new(of.0, of.1);
    let mut pieces: Vec<Fitted> = vec![];
    for part in fits::stretches(&points, &boundaries(processors)) {
        match plan.fit(&part) {
            Ok(fitted) => pieces.push(fitted),
            Err(why) => findings.missing.push(Missing::new(
                format!("fit of {} ({}) from {} threads", of.0, of.1, part[0].x),
                Reason::Other,
                why,
            )),
        }
    }
    findings.fits.extend(pieces.iter().map(|p| p.curve.clone()));
    let (name, what) = about?;
    // Said only where it matters.
    let is_crowded = processors > 1 && pieces.iter().any(|p| p.fit.from > processors as f64);
    let crowd = format!("measured on {processors} processors: from {} threads on they take turns", processors + 1);
    let note = is_crowded.then_some(crowd.as_str());
    let source = "measured on this machine";
    fits::law(&About { name, what, of: "threads", unit: Unit::Nanoseconds, source, note }, &pieces)
}

/// With little time: what the runtime has, and not what it is compared with.
pub fn is_brief(effort: Effort) -> bool {
    effort == Effort::Quick
}

#[cfg(test)]
mod tests;
