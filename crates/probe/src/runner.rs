//! The interface between the probes and the machine that performs a stimulus.

use crate::{Samples, Stimulus};
use fathom_profile::{Missing, Reason};
use std::time::{Duration, Instant};

/// A machine that performs stimuli: this computer, a simulated machine, or a test's synthetic machine.
pub trait Runner {
    /// The number of threads that perform a stimulus together.
    fn threads(&self) -> usize;

    /// Performs `stimulus` at least `repetitions` times and returns one sample for each, within about `limit`.
    ///
    /// # Errors The kernel is unknown to the machine, refused its arguments, died, or ran out of time.
    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, limit: Duration) -> Result<Samples, Failure>;

    /// The clock that measures the machine's time. All runners of a machine have the same.
    fn clock(&self) -> Clock {
        Clock::Real
    }

    /// Another runner of the same machine, with another number of threads.
    ///
    /// # Errors
    /// The runner does not exist: the machine does not have this number of threads, or the runner cannot be started.
    fn with_threads(&mut self, threads: usize) -> Result<Box<dyn Runner>, Failure> {
        Err(Failure::Impossible(
            Reason::Threads,
            format!("there are runners with {} threads only, not with {threads}", self.threads()),
        ))
    }
}

/// The clock that measures a probe's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// This computer's clock. Measurements are disturbed, so they are repeated.
    Real,
    /// A simulated machine's clock and its present time, counted from any fixed moment. Measurements are exact: every
    /// look gives the same samples, so there is only one.
    Virtual(Instant),
    /// The same for a machine whose samples deviate like a computer's, so that measurements are repeated: a simulated
    /// machine on which threads are late at random, or a test's synthetic one, whose results must not depend on the speed of
    /// the test.
    Uneven(Instant),
}

impl Clock {
    pub fn now(self) -> Instant {
        match self {
            Clock::Real => Instant::now(),
            Clock::Virtual(now) | Clock::Uneven(now) => now,
        }
    }
}

/// The reason why there are no samples.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// This machine cannot perform it (no huge pages, only one processor), with the reason. The probe goes on without
    /// it.
    #[error("{1}")]
    Impossible(Reason, String),
    /// It ran longer than its limit.
    #[error("`{stimulus}` took more than {} s", limit.as_secs_f64())]
    Late { stimulus: String, limit: Duration },
    /// The runner is broken: it cannot measure anything more.
    #[error("{0}")]
    Broken(String),
}

impl Failure {
    /// The entry for a measurement that is missing because of this failure.
    pub fn missing(&self, what: impl Into<String>) -> Missing {
        let reason = match self {
            Failure::Impossible(reason, _) => *reason,
            Failure::Late { .. } => Reason::Late,
            Failure::Broken(_) => Reason::Failed,
        };
        Missing::new(what, reason, self.to_string())
    }
}
