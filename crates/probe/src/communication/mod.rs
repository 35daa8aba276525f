//! The operations of `gas.h` between threads, on any conduit: put and get, blocks, messages, atomics, LogGP.
//!
//! Thread 0 measures with thread 1; where threads differ in distance, the nearest and the farthest are compared. Parts
//! are measured in the order of their importance, each within a share of the remaining time.
//!
//! Source of the questions: the T3D Split-C study, sections 4 to 7; of LogGP: see [`infer::loggp`].

mod blocks;
mod data;
mod distance;
pub(crate) mod gather;
pub mod infer;
mod late;
mod loggp;
mod messages;
pub(crate) mod partners;

use crate::{Failure, Findings, Session};
use fathom_profile::{names, Value};
use gather::{within, Gathered};
use partners::Partner;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session) -> Result<Findings, Failure> {
    let mut gathered = Gathered::default();
    if let Some(partner) = choose_partner(session, &mut gathered)? {
        let g = &mut gathered;
        within(session, 0.25, |s| loggp::probe(s, g, &partner))?;
        if !partner.is_near {
            late::probe(session, g)?;
        }
        within(session, 0.3, |s| data::by_size(s, g))?;
        within(session, 0.35, |s| data::groups(s, g, partner.is_near))?;
        within(session, 0.35, |s| messages::probe(s, g, &partner))?;
        within(session, 0.75, |s| blocks::probe(s, g))?;
        within(session, 0.5, |s| messages::atomics(s, g, &partner))?;
        within(session, 0.6, |s| data::by_stride(s, g))?;
        distance::probe(session, g)?;
    }
    Ok(gathered.findings)
}

/// The most threads examined in the search for a far one.
const MOST_LOOKED_AT: u64 = 1024;

/// Chooses the thread that thread 0 measures with: the first far thread, because communication between computers limits
/// the speed of a job on several of them; if all are near, thread 1.
fn choose_partner(session: &mut Session, g: &mut Gathered) -> Result<Option<Partner>, Failure> {
    let Some(mut partner) = Partner::of(session, 1, g)? else {
        return Ok(None);
    };
    let threads = session.runner.threads() as u64;
    for thread in 2..threads.min(MOST_LOOKED_AT) {
        if !partner.is_near {
            break;
        }
        // Threads without their own core cannot be measured with; the distances note that.
        let mut aside = Gathered::default();
        if let Some(other) = Partner::of(session, thread, &mut aside)?.filter(|other| !other.is_near) {
            (partner, g.partner) = (other, thread);
        }
    }
    let rule = match partner.is_near {
        true => "the thread that thread 0 measured with; all threads are near",
        false => "the thread that thread 0 measured with: the first that is not near",
    };
    g.findings.values.push(Value::known(names::PARTNER, g.partner as f64, "", 1.0, rule));
    Ok(Some(partner))
}

#[cfg(test)]
mod tests;
