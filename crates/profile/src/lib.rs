//! A profile of a machine: its data, its file, and the names that the readers of profiles use.
//!
//! `fathom-probe` writes profiles; the models, `fathom-tune`, `fathom explain` and reports read them. Everything on
//! which they must agree stands here and nowhere else: the form of the file, the names of values and curves, the
//! reasons for missing ones.

pub mod check;
mod data;
mod file;
pub mod highlights;
pub mod mechanism;
pub mod names;
pub mod reason;
pub mod repeat;
pub mod statistics;
pub mod way;

pub use data::*;
pub use file::{read_machine, NoMachine};
pub use reason::Reason;
