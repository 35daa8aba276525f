//! The tests of this crate in one program, which is linked once.

mod congestion;
mod hostile;
mod loggp;
mod naive;
mod networks;
mod nodes;
mod pages;
mod reference;
mod spp1000;
mod t3d;
