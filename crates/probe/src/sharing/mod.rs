//! Coherence: the cost of keeping memory the same for all threads. Passing data from its writer to its reader,
//! invalidating the copies of readers, false sharing, and a line that goes back and forth.
//!
//! Source: the SPP-1000 study, sections 4.2 and 4.3.

pub mod infer;
mod lines;
mod pass;
mod sharers;

use crate::communication::gather::{within, Gathered};
use crate::communication::partners::Partner;
use crate::{Failure, Findings, Session};
use fathom_profile::Reason;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let mut gathered = Gathered::default();
    let g = &mut gathered;
    match Partner::of(session, 1, g)? {
        Some(place) if place.is_near => {
            let unit = within(session, 0.2, |s| lines::unit(s, g))?;
            within(session, 0.7, |s| pass::probe(s, g, unit, &place))?;
            within(session, 0.4, |s| lines::ping_pong(s, g))?;
            within(session, 0.5, |s| sharers::probe(s, g, unit, &place))?;
            lines::matrix(session, g, &place)?;
        }
        Some(_) => g.missing("sharing", Reason::Apart, "the threads share no memory on this conduit"),
        None => {}
    }
    Ok(gathered.findings)
}

#[cfg(test)]
mod tests;
