//! Programs in virtual time.
//!
//! The threads of a program are processes that the runtime's conduit `sim` starts. One of them runs at a time. It performs
//! its operations at once and records them, until it stops where it must know what others have done by then. The
//! [`engine`] computes times from the records, in the order of time, by a machine's [`charges`], and lets the thread go
//! on that is earliest. So the result depends on the program, its input and the machine, and on nothing else.
//!
//! [`stops`] has what a thread tells the engine; [`shared`] is the memory through which it does so.

pub mod accounts;
pub mod charges;
pub mod engine;
pub mod explain_time;
pub mod history;
mod near;
mod pages;
pub mod pictures;
mod queue;
pub mod shared;
pub mod stops;

pub use accounts::{At, Line, Part, Spent, PARTS};
pub use charges::{charges, Charges};
pub use engine::{simulate, simulate_drawn, simulate_told, Failure, Outcome, TOO_LONG};
pub use history::History;
pub use pictures::Pictures;
pub use queue::Outstanding;
pub use shared::{Job, Places, Work};
