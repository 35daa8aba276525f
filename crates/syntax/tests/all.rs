//! The tests of this crate in one program, which is linked once.

mod common;
mod declarations;
mod expressions;
mod lexing;
mod real;
mod robustness;
mod statements;
