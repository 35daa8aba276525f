//! The tests of this crate in one program, which is linked once.

mod ahead;
mod foresight;
mod machines;
mod nodes;
mod polls;
mod programs;
mod ranges;
mod reproduce;
mod scripted;
mod served;
mod split_c;
mod tables;
mod voyager;
mod x1;
