//! The tests of this crate in one program, which is linked once.

mod c_types;
mod common;
mod constraints;
mod conversions;
mod real_c;
mod robustness;
mod upc_types;
