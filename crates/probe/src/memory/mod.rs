//! Local memory: caches, lines, associativity, translation, prefetching, write buffers, and the time of each.
//!
//! Each finding serves the next: first the reach of translation, so that the walks that look for caches stay within it;
//! then the caches; lines and ways of the first; then the cost of memory, and what hides it.

pub mod another_page;
pub mod bandwidth;
pub mod caches;
pub mod capacities;
pub mod conflicts;
pub mod hiding;
pub mod memory_time;
pub mod merging;
pub mod prefetch;
pub mod replacement;
pub mod rows;
mod series;
pub mod single;
pub mod transition;
pub mod translation;

pub use series::{Recorder, System};

use crate::{Failure, Findings, Session};

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let (started, until) = (session.now(), session.until);
    let mine = until.saturating_duration_since(started).mul_f64(0.6);
    let mut found = Findings::default();
    let mut recorder = Recorder { found: &mut found, until: started + mine };
    let system = recorder.system(session)?;
    let translation = translation::probe(session, &mut recorder, &system)?;
    let caches = caches::probe(session, &mut recorder, &system, translation)?;
    let known = bandwidth::Known {
        line_bytes: caches.line_bytes.unwrap_or(64.0),
        caches_bytes: caches.levels.iter().map(|l| l.bytes).collect(),
    };
    // Memory is shared with others, and other pages behave like another memory: bandwidths are measured at widely
    // separated moments.
    let look = |session: &mut Session| {
        if session.has_rounds() {
            bandwidth::look(session, &known)?;
            session.tally.rounds.next_round();
        }
        Ok::<(), Failure>(())
    };
    memory_time::probe(session, &mut recorder, &system, translation, &caches)?;
    look(session)?;
    another_page::probe(session, &mut recorder, &system)?;
    replacement::probe(session, &mut recorder)?;
    prefetch::probe(session, &mut recorder, &system, translation, &caches)?;
    single::probe(session, &mut recorder, &system, &caches)?;
    look(session)?;
    rows::probe(session, &mut recorder, &system, &caches)?;
    hiding::probe(session, &mut recorder, &system, &caches)?;
    merging::probe(session, &mut recorder, &system, &caches)?;
    for more in [bandwidth::probe(session, &known, until)?, transition::probe(session, &known)?] {
        found.values.extend(more.values);
        found.curves.extend(more.curves);
        found.fits.extend(more.fits);
        found.missing.extend(more.missing);
        found.figures = more.figures.or(found.figures);
    }
    Ok(found)
}
