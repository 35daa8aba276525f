//! Gray-box probes: they infer properties of a machine by running programs on it.
//!
//! A probe is a [`Stimulus`], a [`Runner`] that performs it (this computer, or a simulated machine), and an inference
//! from the measurements to properties of the machine. An inference is a pure function of curves, so that tests can run
//! it on machines whose properties are known. Each inferred value carries its evidence: see [`fathom_profile`].
//!
//! Source of the method: the T3D Split-C study, sections 1 and 2 (gray-box method); the SPP-1000 study.

pub mod area;
pub mod communication;
pub mod computer;
pub mod contradictions;
pub mod cycle;
pub mod doubt;
pub mod findings;
pub mod fits;
pub mod host;
pub mod infer;
pub mod kernel;
pub mod measure;
pub mod mechanisms;
pub mod memory;
pub mod passes;
pub mod queues;
pub mod rounds;
pub mod runner;
pub mod samples;
pub mod scheduling;
pub mod session;
pub mod sharing;
pub mod stimulus;
pub mod surface;
pub mod synchronisation;
#[cfg(test)]
mod synthetic;
pub mod transfers;

pub use area::Area;
pub use findings::Findings;
pub use kernel::{Fact, Kernel};
pub use runner::{Clock, Failure, Runner};
pub use samples::{Estimate, Samples};
pub use session::{Effort, Session};
pub use stimulus::Stimulus;
