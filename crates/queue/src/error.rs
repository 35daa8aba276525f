//! Why a call did not do what it was asked for.

use crate::ffi;
use std::ffi::{c_int, CStr};
use std::fmt;

/// Why a call did not do what it was asked for; nothing has been sent or changed then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no room in the row's queue now: try again, or wait with [`Transmit::wait_for_room`](crate::Transmit).
    Full,
    /// This destination has not been connected.
    NoRow,
    /// More bytes than this row or mechanism takes.
    TooLong,
    /// A tag above 31, a mechanism that the row's queue does not take, or data outside of the region.
    Wrong,
    /// Something could not be set up: the reason in a line.
    Failed(String),
}

impl Error {
    /// The reason for which the last call of this thread that sets something up failed.
    pub(crate) fn last() -> Error {
        // SAFETY: a string of this thread, which only its next call changes.
        let why = unsafe { CStr::from_ptr(ffi::msg_error()) };
        Error::Failed(why.to_string_lossy().into_owned())
    }

    pub(crate) fn check(status: c_int) -> Result<(), Error> {
        match status {
            0 => Ok(()),
            ffi::FULL => Err(Error::Full),
            ffi::NO_ROW => Err(Error::NoRow),
            ffi::TOO_LONG => Err(Error::TooLong),
            ffi::WRONG => Err(Error::Wrong),
            _ => Err(Error::last()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Error::Full => "the queue is full",
            Error::NoRow => "this destination is not connected",
            Error::TooLong => "the message is too long for this destination",
            Error::Wrong => "the tag, the mechanism or the place of the data does not fit this destination",
            Error::Failed(why) => why,
        })
    }
}

impl std::error::Error for Error {}
