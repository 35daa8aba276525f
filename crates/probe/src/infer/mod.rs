//! From curves to what the machine is: pure functions, tested on machines whose truth is known (`tests/synthetic.rs`).
//!
//! Each takes measured points and gives what follows from them, or nothing where nothing follows. None knows what any real
//! machine is like: the only figures in here are those of the laws, and how clear something must be to count.

pub mod built;
pub mod law;
pub mod levels;
pub mod line;
pub mod stores;
pub mod tlb;
pub mod usable;
pub mod ways;
