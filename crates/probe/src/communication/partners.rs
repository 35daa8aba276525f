//! The thread that thread 0 measures with, and the sizes of the transfers.

use super::gather::{powers, Gathered};
use crate::{Effort, Fact, Failure, Kernel, Session, Stimulus};
use std::time::Duration;

/// A thread, as seen from thread 0.
#[derive(Clone, Debug)]
pub(crate) struct Partner {
    /// Whether loads and stores reach its memory.
    pub is_near: bool,
    pub max_medium: u64,
    /// The cores to choose from, by their first processor.
    pub cores: Vec<u64>,
    pub packages: usize,
}

impl Partner {
    /// None, with the reason noted, if this machine does not let two threads measure together.
    pub fn of(session: &mut Session, thread: u64, gathered: &mut Gathered) -> Result<Option<Partner>, Failure> {
        let stimulus = Stimulus::new(Kernel::Place).with("with", thread);
        match session.runner.run(&stimulus, 1, Duration::from_secs(2)) {
            Ok(samples) => {
                let fact = |fact: Fact| samples.facts.get(&fact).copied().unwrap_or(0.0);
                let cores = (0..fact(Fact::Cores) as u32).map(|i| fact(Fact::Core(i)) as u64).collect();
                let max_medium = (fact(Fact::MaxMedium) as u64).max(1);
                let packages = (fact(Fact::Packages) as usize).max(1);
                Ok(Some(Partner { is_near: fact(Fact::Near) == 1.0, max_medium, cores, packages }))
            }
            Err(failure) => {
                gathered.findings.note_missing("communication between threads", failure)?;
                Ok(None)
            }
        }
    }
}

/// Sizes from 8 bytes on, closer together if there is more time.
pub(crate) fn sizes(effort: Effort, to: u64) -> Vec<u64> {
    powers(8, to, if effort == Effort::Quick { 4 } else { 2 })
}
