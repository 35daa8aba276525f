//! Traces of simulated runs: what the engine was told by a program's threads, so that it can be told again, on another
//! machine and without the program.
//!
//! A trace holds what threads did, not when: for each thread the [`Stopped`](crate::program::stops::Stopped) of its turns,
//! in their order, and the messages that it served, with what it sent then. Work is the only time in it. [`Recorder`]
//! writes one beside a run; [`Replay`] performs it, [`what_if`] asks what its time depends on, and
//! [`ranges`] between which times it lies. Both are [`Threads`](crate::program::stops::Threads).
//!
//! # The file
//!
//! `FATHOMS\n`, the version, and a [`Head`]; then blocks of the threads' streams, each with the thread's number and its
//! length; then the [`Choices`] of the run, and 8 bytes to check all bytes before. Numbers are of variable length
//! ([`wire`]); a record is 4 to 10 bytes, since places and sizes are written as differences to those of the record before.

mod format;
pub mod goal;
pub mod otf2;
pub mod ranges;
mod recorder;
mod replay;
pub mod what_if;
pub mod wire;

pub use format::{Choices, Head};
pub use recorder::Recorder;
pub use replay::{Replay, Trace};

/// A number that tells the text of a machine file from other ones.
pub fn fingerprint(text: &str) -> u64 {
    let mut check = wire::Check::default();
    check.add(text.as_bytes());
    check.0
}

/// Whether these are the first bytes of a trace.
pub fn is_trace(bytes: &[u8]) -> bool {
    bytes.starts_with(format::MAGIC)
}
