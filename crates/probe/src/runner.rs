//! Who applies a stimulus: the seam between the probes and what is probed.

use crate::{Samples, Stimulus};
use fathom_profile::{Missing, Reason};
use std::time::Duration;

/// A machine that performs stimuli: this computer, a simulated machine, or a synthetic one of a test.
pub trait Runner {
    /// How many threads perform a stimulus together.
    fn threads(&self) -> usize;

    /// Performs `stimulus` at least `repetitions` times and gives one sample of each, within about `limit`.
    ///
    /// # Errors
    /// The kernel is not known there, refused its arguments, died, or ran out of time.
    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, limit: Duration) -> Result<Samples, Failure>;

    /// Another runner of the same machine, with another number of threads.
    ///
    /// # Errors
    /// There is none: the machine has no such number, or it cannot be started.
    fn with_threads(&mut self, threads: usize) -> Result<Box<dyn Runner>, Failure> {
        Err(Failure::Impossible(
            Reason::Threads,
            format!("there are runners with {} threads only, not with {threads}", self.threads()),
        ))
    }
}

/// Why there are no samples.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// This machine cannot perform it (no huge pages, one processor only): says why. The probe goes on without.
    #[error("{1}")]
    Impossible(Reason, String),
    /// It ran longer than it may.
    #[error("`{stimulus}` took more than {} s", limit.as_secs_f64())]
    Late { stimulus: String, limit: Duration },
    /// The runner is broken: nothing more can be measured with it.
    #[error("{0}")]
    Broken(String),
}

impl Failure {
    /// What is missing because of it.
    pub fn missing(&self, what: impl Into<String>) -> Missing {
        let reason = match self {
            Failure::Impossible(reason, _) => *reason,
            Failure::Late { .. } => Reason::Late,
            Failure::Broken(_) => Reason::Failed,
        };
        Missing::new(what, reason, self.to_string())
    }
}
