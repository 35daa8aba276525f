//! Starting processes, threads and jobs; sharing out the iterations of a loop.

use crate::{Failure, Findings, Session};

/// # Errors
/// The runner is broken.
pub fn probe(_session: &mut Session) -> Result<Findings, Failure> {
    Ok(Findings::default())
}
