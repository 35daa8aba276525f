//! A profile as a page for people.
