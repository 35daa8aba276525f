//! The tests of this crate in one program, which is linked once.

mod copy_transfer;
mod copy_transfer_profile;
mod fit;
mod laws;
mod loggp;
mod machines;
mod query;
