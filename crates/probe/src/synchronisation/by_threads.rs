//! Fits by number of threads, separate for one thread, for one processor per thread, and for threads that take turns.

use crate::fits::{self, About, Fitted};
use crate::passes::Passes;
use crate::{Effort, Fact, Failure, Findings, Kernel, Session, Stimulus};
use fathom_model::answer::Unit;
use fathom_model::laws::Law;
use fathom_profile::{Missing, Reason};
use std::time::Duration;

/// The number of processors of the machine, which every kernel of several threads reports.
///
/// # Errors
/// As [`crate::Runner::run`].
pub fn processors(session: &mut Session) -> Result<usize, Failure> {
    let stimulus = Stimulus::new(Kernel::Barrier).word("kind", "world");
    let samples = session.runner.run(&stimulus, 1, Duration::from_millis(20))?;
    Ok(samples.facts.get(&Fact::Processors).map_or(session.runner.threads(), |p| (*p as usize).max(1)))
}

/// The boundaries at which one form cannot hold on both sides: one thread waits for no other, and beyond the processors
/// threads take turns.
pub fn boundaries(processors: usize) -> Vec<f64> {
    let mut boundaries = vec![1.0, processors as f64];
    boundaries.dedup();
    boundaries
}

/// Fits a series on each side of the boundaries, and makes a law of it if it has a name; notes what cannot be fitted.
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
    // Noted only where it matters.
    let is_crowded = processors > 1 && pieces.iter().any(|p| p.fit.from > processors as f64);
    let crowd = format!("measured on {processors} processors: from {} threads on they take turns", processors + 1);
    let note = is_crowded.then_some(crowd.as_str());
    let source = "measured on this machine";
    fits::law(&About { name, what, of: "threads", unit: Unit::Nanoseconds, source, note }, &pieces)
}

/// Whether time is short: measures only the runtime's versions, and not those they are compared with.
pub fn is_brief(effort: Effort) -> bool {
    effort == Effort::Quick
}
