//! From a profile to a tuning table: for every decision the fastest mechanism, by the measurements of each.
//!
//! The format is docs/tuning.md's, the reader runtime/core/tuning.c. A pure function of a profile: nothing is
//! measured here.

pub mod table;
mod time;
pub mod way_table;

pub use table::{table, Decision, Span, Table, HEADING};
pub use time::nanoseconds;
pub use way_table::{way_table, WayTable};
