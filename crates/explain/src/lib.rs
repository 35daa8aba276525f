//! From the traces of an explained program to its description: the lines that communicate, the amount, the partners,
//! the time, and advice.
//!
//! Pure: bytes in ([`file`]), findings out. `fathom explain` reads the files and writes text, pages and JSON. The
//! content of a trace is declared in `runtime/lang/explain_trace.h`, the compiler's record of a site in
//! `crates/lower`'s `explain`.

pub mod advice;
pub mod costs;
pub mod file;
pub mod job;
pub mod lines;
pub mod served;
pub mod site;

pub use advice::{advise, Advice};
pub use costs::{Costs, Mechanism};
pub use file::Trace;
pub use job::{Job, Site};
pub use lines::{lines, Line, UsedMechanism};
pub use served::Service;
