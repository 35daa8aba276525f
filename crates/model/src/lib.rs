//! Models of machines: arithmetic on measured figures, with the derivation of every result.
//!
//! No I/O and no other crate of this project: figures come in as values ([`MachineFile`]), results go out as values
//! that can be printed ([`Answer`]). Units stand in names; a MB is 10^6 bytes.

pub mod answer;
pub mod choice;
pub mod copy_transfer;
pub mod fit;
pub mod laws;
pub mod loggp;
mod machine_file;
pub mod query;
pub mod regret;

pub use answer::Answer;
pub use machine_file::{Listed, MachineFile};
