//! The costs of running code: starting processes, threads and jobs; switching between them and waking them; sharing a
//! loop among threads, and the length from which that pays.
//!
//! The two costs of the SPP-1000 study (section 2): SSO, the cost of starting a program with p tasks, and PLSO, the
//! cost of entering and leaving a parallel loop. A loop of serial time T wins on p threads if T/p + PLSO(p) < T.

mod loops;
mod starts;
mod waking;

use crate::passes::Passes;
use crate::{Failure, Findings, Session};
use std::time::Instant;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let mut passes = Passes::default();
    let mut laws = vec![];
    // Shares of the time, in tenths: unused time stays for the parts that follow.
    let parts: [(u32, Part); 3] = [(2, waking::measure), (4, loops::measure), (4, starts::measure)];
    let mut tenths = 10;
    for (share, measure) in parts {
        let until = session.now() + session.left_until(session.until) * share / tenths;
        measure(session, &mut passes, until, &mut findings)?;
        tenths -= share;
    }
    waking::conclude(&passes, &mut findings);
    loops::conclude(&passes, &mut findings, &mut laws);
    starts::conclude(&passes, &mut findings, &mut laws);
    findings.missing.append(&mut passes.missing);
    findings.figures = Some(Box::new(move |machine| machine.laws.extend(laws)));
    Ok(findings)
}

type Part = fn(&mut Session, &mut Passes, Instant, &mut Findings) -> Result<(), Failure>;

#[cfg(test)]
mod tests;
