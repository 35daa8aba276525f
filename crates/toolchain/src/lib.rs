//! Everything between a command line and a running program: the C compiler, the front end, the runtime's library, the
//! cache, and launching. [`pipeline`] is the map.

pub mod args;
pub mod beside;
pub mod cache;
pub mod command;
pub mod compiler;
pub mod conduit;
mod depend;
pub mod doctor;
pub mod failure;
mod job;
pub mod launch;
pub mod libfabric;
mod locate;
pub mod mpi;
pub mod note;
pub mod otf2;
mod own;
pub mod pipeline;
pub mod probe;
pub mod program;
pub mod progress;
pub mod render;
pub mod runtime;
pub mod scratch;
pub mod sdk;
pub mod steps;
mod text;
pub mod tuning;
mod workers;

pub use failure::{Failure, Result};
