//! The constraints of the UPC specification, one file per clause of chapter 6, and those of Split-C. Each function checks one
//! constraint when the typing code asks for it, reports an error, and returns at most whether the program is right. It
//! computes no types. The texts of the rules are in [`crate::rules`].

pub(crate) mod c6_3;
pub(crate) mod c6_4;
pub(crate) mod c6_5;
pub(crate) mod c6_6;
pub(crate) mod split_c;
