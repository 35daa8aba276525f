//! The basic transfers of the copy-transfer model on this machine: C, S, F, R, D and N for each pair of patterns.

use crate::memory::bandwidth::{self, Known};
use crate::{Failure, Findings, Session};

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let mut found = Findings::default();
    // The area memory has one thread; what takes all of them is measured here.
    found.add(bandwidth::probe_together(session, &Known::default())?);
    Ok(found)
}
