//! From curves to properties of the machine: pure functions, tested on machines whose properties are known
//! (`tests/synthetic.rs`).
//!
//! Each takes measured points and returns what follows from them, or nothing. None assumes anything about real
//! machines: the only figures here are those of the laws, and how clear a result must be to count.

pub mod built;
pub mod law;
pub mod levels;
pub mod line;
pub mod stores;
pub mod tlb;
pub mod usable;
pub mod ways;
