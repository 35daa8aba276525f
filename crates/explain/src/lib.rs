//! From the traces that an explained program leaves to what is said about it: which lines communicate, how much, between
//! whom, how long that takes, and what could be done about it.
//!
//! Pure: bytes in ([`file`]), findings out. `fathom explain` reads the files and writes text, pages and JSON. What a trace
//! holds is declared in `runtime/lang/explain_trace.h`, what the compiler says about a place in `crates/lower`'s `explain`.

pub mod advice;
pub mod costs;
pub mod file;
pub mod job;
pub mod lines;
pub mod site;

pub use advice::{advise, Advice};
pub use costs::{Costs, Mechanism};
pub use file::Trace;
pub use job::{Job, Site};
pub use lines::{lines, Line, Taken};
