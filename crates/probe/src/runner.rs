//! Who applies a stimulus: the seam between the probes and what is probed.

use crate::{Samples, Stimulus};
use fathom_profile::{Missing, Reason};
use std::time::{Duration, Instant};

/// A machine that performs stimuli: this computer, a simulated machine, or a synthetic one of a test.
pub trait Runner {
    /// How many threads perform a stimulus together.
    fn threads(&self) -> usize;

    /// Performs `stimulus` at least `repetitions` times and gives one sample of each, within about `limit`.
    ///
    /// # Errors
    /// The kernel is not known there, refused its arguments, died, or ran out of time.
    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, limit: Duration) -> Result<Samples, Failure>;

    /// The clock that the machine's time is told by. All runners of a machine have the same.
    fn clock(&self) -> Clock {
        Clock::Real
    }

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

/// Whose time it is that a probe takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// That of the computer that this runs on. What is measured is disturbed: it is looked at again and again.
    Real,
    /// That of a simulated machine, and what it says now, counted from any moment that stays the same. What is
    /// measured is exact: each look says the same, and so there is one.
    Virtual(Instant),
    /// The same of a machine whose samples deviate as a computer's do, so that it is looked at again and again: a
    /// synthetic machine of a test, whose verdict must not hang on how fast the test runs.
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
