//! Probes on simulated machines: a [`Runner`](fathom_probe::Runner) whose operations are accesses of crate `machine`, and
//! whose clock is virtual.
//!
//! Everything is a pure function of the machine's description and of the stimulus.

mod conflicts;
mod kernels;
pub mod program;
mod queues;
pub mod reproduce;
pub mod runner;
pub mod split_c;
pub mod trace;
pub mod transfers;
pub mod voyager;
mod walk;
pub mod x1;

pub use queues::has_queues;
pub use runner::Simulated;
