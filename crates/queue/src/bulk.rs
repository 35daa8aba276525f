//! Bulk: much data into a window of the receiver's memory, in the background or by the calling thread.
//!
//! A part of a window is lent to the message that says that data have come there, until that message is dropped; what would
//! write it before is refused. So data of a sender in this process lie still while a message lends them.

use crate::{ffi, Error, Inner, Shared, Single, Transmit};
use std::fmt;
use std::ops::Range;
use std::ptr::{null, null_mut, NonNull};
use std::sync::{Arc, MutexGuard, PoisonError};

/// Data on their way into a window, or there and not yet released.
pub(crate) struct Flight {
    /// Made by `Box`; the library's service thread writes it until it is done.
    job: NonNull<ffi::Job>,
    transmit: NonNull<ffi::Transmit>,
    destination: u32,
    window: Range<u64>,
    /// What the service thread reads.
    data: Option<Box<[u8]>>,
    /// A [`Job`] refers to it.
    is_watched: bool,
}

// SAFETY: the service thread's part ends with the job, which the library's calls find out in any thread.
unsafe impl Send for Flight {}

impl fmt::Debug for Flight {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Flight(to {}, {:?})", self.destination, self.window)
    }
}

impl Flight {
    fn is_done(&self) -> bool {
        // SAFETY: the job lives as long as this.
        unsafe { ffi::msg_bulk_is_done(self.job.as_ptr()) }
    }

    /// Nothing writes or reads this part of the window any more.
    fn is_over(&self) -> bool {
        // SAFETY: as above, and a job that is done is not written; the transmit queue lives as long as the endpoint.
        self.is_done()
            && unsafe { ffi::msg_is_released(self.transmit.as_ptr(), self.destination, (*self.job.as_ptr()).ticket) }
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        // SAFETY: it was made by `Box`, and is done, or the service thread has ended with its endpoint.
        drop(unsafe { Box::from_raw(self.job.as_ptr()) });
    }
}

impl Inner {
    fn flights(&self) -> MutexGuard<'_, Vec<Flight>> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A copy that goes on in the background, and its data. It may be dropped before it is done: the copy goes on.
#[derive(Debug)]
pub struct Job {
    inner: Arc<Inner>,
    job: NonNull<ffi::Job>,
}

// SAFETY: it is looked at through the list of flights, behind a mutex.
unsafe impl Send for Job {}
// SAFETY: as above.
unsafe impl Sync for Job {}

impl Job {
    /// The data have been copied and the message has been sent.
    pub fn is_done(&self) -> bool {
        // SAFETY: a flight that is watched is not removed.
        unsafe { ffi::msg_bulk_is_done(self.job.as_ptr()) }
    }

    /// The data again, once they have been copied and the message has been sent.
    ///
    /// # Errors
    /// It is not done: the job.
    pub fn finish(self) -> Result<Box<[u8]>, Job> {
        if !self.is_done() {
            return Err(self);
        }
        let mut flights = self.inner.flights();
        let data = flights.iter_mut().find(|f| f.job == self.job).and_then(|f| f.data.take());
        drop(flights);
        Ok(data.unwrap_or_default())
    }

    /// The same, and yields the processor until it is done: which needs a receiver that takes messages, if its queue is full.
    pub fn wait(mut self) -> Box<[u8]> {
        loop {
            self = match self.finish() {
                Ok(data) => return data,
                Err(job) => job,
            };
            std::thread::yield_now();
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let mut flights = self.inner.flights();
        if let Some(flight) = flights.iter_mut().find(|f| f.job == self.job) {
            flight.is_watched = false;
        }
    }
}

impl<U: crate::Use> Transmit<U> {
    /// Forgets flights that are over. Refuses a part of a window in which one is not.
    fn clear(&self, flights: &mut Vec<Flight>, destination: u32, window: &Range<u64>) -> Result<(), Error> {
        flights.retain(|f| f.is_watched || !f.is_over());
        let meets = |f: &Flight| {
            let is_same_row = f.transmit.as_ptr() == self.raw() && f.destination == destination;
            is_same_row && f.window.start < window.end && window.start < f.window.end && !f.is_over()
        };
        match flights.iter().any(meets) {
            true => Err(Error::Full),
            false => Ok(()),
        }
    }

    /// # Safety
    /// On a single transmit queue no other thread sends.
    unsafe fn copy_bulk(&self, to: u32, tag: u8, word: u16, offset: u64, data: &[u8]) -> Result<(), Error> {
        let bytes = data.len() as u64;
        let window = offset..offset.checked_add(bytes).ok_or(Error::TooLong)?;
        let mut flights = self.inner().flights();
        self.clear(&mut flights, to, &window)?;
        let mut job = Box::new(ffi::Job::new(ffi::JOB_DONE));
        let at = data.as_ptr().cast();
        // SAFETY: the transmit queue lives, the data as long as the call; the rest is the caller's.
        Error::check(unsafe {
            ffi::msg_bulk_copy(self.raw(), to, tag.into(), word, offset, at, bytes, &mut job.ticket)
        })?;
        flights.push(Flight {
            job: NonNull::from(Box::leak(job)),
            transmit: self.handle(),
            destination: to,
            window,
            data: None,
            is_watched: false,
        });
        Ok(())
    }
}

impl Transmit<Shared> {
    /// Copies `data` to `offset` (a multiple of 64) of the window that the destination's queue has for this sender
    /// ([`Queue::set_window`](crate::Queue::set_window)), by the endpoint's service thread, while this thread goes on. Then the receiver gets a
    /// message with the word, the tag and the data; other messages of the row may overtake it. Jobs of an endpoint are done one after the other.
    ///
    /// # Errors
    /// With the data: [`Error::Full`], a message lends this part of the window, or a copy into it goes on; [`Error::TooLong`], it is not
    /// within the window; [`Error::NoRow`], [`Error::Wrong`], [`Error::Failed`].
    pub fn bulk(
        &self,
        destination: u32,
        tag: u8,
        word: u16,
        offset: u64,
        data: impl Into<Box<[u8]>>,
    ) -> Result<Job, (Error, Box<[u8]>)> {
        let data = data.into();
        let bytes = data.len() as u64;
        let Some(end) = offset.checked_add(bytes) else { return Err((Error::TooLong, data)) };
        let window = offset..end;
        let mut flights = self.inner().flights();
        if let Err(why) = self.clear(&mut flights, destination, &window) {
            return Err((why, data));
        }
        let job = Box::into_raw(Box::new(ffi::Job::new(0)));
        let at = data.as_ptr().cast();
        // SAFETY: the transmit queue lives; job and data stay in the list until the job is done, or its endpoint has ended.
        let status = unsafe { ffi::msg_bulk(self.raw(), destination, tag.into(), word, offset, at, bytes, job) };
        if let Err(why) = Error::check(status) {
            // SAFETY: the library has not kept it.
            drop(unsafe { Box::from_raw(job) });
            return Err((why, data));
        }
        // SAFETY: a box is not null.
        let job = unsafe { NonNull::new_unchecked(job) };
        let (transmit, data) = (self.handle(), Some(data));
        flights.push(Flight { job, transmit, destination, window, data, is_watched: true });
        drop(flights);
        Ok(Job { inner: self.inner().clone(), job })
    }

    /// The same by the calling thread, which returns when the message is on its way.
    ///
    /// # Errors
    /// As [`bulk`](Self::bulk); [`Error::Full`] also if there is no room for the message: the window's bytes may have been written then.
    pub fn bulk_copy(&self, destination: u32, tag: u8, word: u16, offset: u64, data: &[u8]) -> Result<(), Error> {
        // SAFETY: it is shared.
        unsafe { self.copy_bulk(destination, tag, word, offset, data) }
    }
}

impl Transmit<Single> {
    /// As [`Transmit::<Shared>::bulk_copy`].
    ///
    /// # Errors
    /// As there.
    pub fn bulk_copy(&mut self, destination: u32, tag: u8, word: u16, offset: u64, data: &[u8]) -> Result<(), Error> {
        // SAFETY: `&mut self`.
        unsafe { self.copy_bulk(destination, tag, word, offset, data) }
    }
}

impl ffi::Job {
    fn new(state: u32) -> Self {
        ffi::Job {
            state,
            ticket: ffi::NO_TICKET,
            next: null_mut(),
            row: null_mut(),
            data: null(),
            bytes: 0,
            offset: 0,
            stamp: 0,
        }
    }
}
