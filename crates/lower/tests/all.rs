//! The tests of this crate in one program, which is linked once; those with a harness of their own are programs by themselves.

mod atomic_functions;
mod count;
mod far;
mod fetches;
mod gathers;
mod pure;
mod strips;
mod support;
mod together;
mod updates;
mod waiting;
