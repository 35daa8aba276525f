//! From a profile to a tuning table: for every decision the fastest mechanism, by the measurements of each.
//!
//! The format is docs/tuning.md's, the reader runtime/core/tuning.c. A pure function of a profile: nothing is
//! measured here.

pub mod joint_table;
pub mod table;
mod time;

pub use joint_table::{joint_table, JointTable};
pub use table::{table, Decision, Span, Table, HEADING};
pub use time::nanoseconds;
