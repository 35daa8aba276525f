//! The constraints of the UPC specification, one file per clause of chapter 6. Each function checks one thing that
//! the typing code asks about, reports, and returns a type to go on with. The rules' texts are in [`crate::rules`].

pub(crate) mod c6_3;
pub(crate) mod c6_4;
pub(crate) mod c6_5;
pub(crate) mod c6_6;
