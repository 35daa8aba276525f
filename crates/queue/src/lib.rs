//! Message queues between threads and processes of a computer: `msg.h` of Fathom, for Rust.
//!
//! ```
//! use fathom_queue::Endpoint;
//! # fn main() -> Result<(), fathom_queue::Error> {
//! let endpoint = Endpoint::new()?;
//! let inbox = endpoint.queue(0, 0)?;                  // receive queue 0, of the usual size
//! let out = endpoint.transmit(0, 8)?;                 // transmit queue 0, with 8 destinations
//! out.connect(3, &inbox, 77)?;                        // destination 3 is that inbox; we are source 77 there
//!
//! out.express(3, 5, 0x1234)?;                         // tag 5, a word
//! out.send(3, 6, b"some bytes")?;
//!
//! let message = inbox.receive().expect("a message");
//! assert_eq!((message.tag(), message.word(), message.source()), (5, 0x1234, 77));
//! let message = inbox.receive().expect("another");
//! assert_eq!(&*message.data(), b"some bytes");
//! # Ok(())
//! # }
//! ```
//!
//! Queues that any threads may use are [`Shared`]; [`Single`] ones belong to one thread at a time, which the compiler
//! checks, and cost less. [`Records`] are those of a queue that threads take in turn. A [`Message`] borrows its queue and gives its data back when it goes, so data cannot be used
//! after their release:
//!
//! ```compile_fail
//! # use fathom_queue::Endpoint;
//! let endpoint = Endpoint::new().unwrap();
//! let inbox = endpoint.queue(0, 0).unwrap();
//! let message = inbox.receive().unwrap();
//! let data = message.data();
//! drop(message);
//! println!("{data:?}");                               // error: cannot move out of `message`, it is borrowed
//! ```
//!
//! ```compile_fail
//! # use fathom_queue::Endpoint;
//! let endpoint = Endpoint::new().unwrap();
//! let inbox = endpoint.single_queue(0, 0).unwrap();
//! std::thread::scope(|s| {
//!     s.spawn(|| inbox.number());                     // error: a single queue cannot be shared between threads
//! });
//! ```
//!
//! A queue and everything around it lives as long as any handle of its endpoint. Data of a sender in this process cannot
//! change while a message lends them. A sender in another process can change what it sent at any time, so messages of
//! queues that [`answer`](Queue::answer) one copy their data ([`Message::data`]).

mod bulk;
mod error;
mod ffi;
mod receive;
mod region;
mod send;
mod set;

pub use bulk::Job;
pub use error::Error;
pub use receive::{Batch, Kind, Message, Queue};
pub use region::{Block, Region};
pub use send::Transmit;
pub use set::{Events, Set};

use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Any number of threads may use it at once.
#[derive(Debug)]
pub struct Shared(());
/// One thread at a time uses it. Not [`Sync`]: the pointer stands for that.
#[derive(Debug)]
pub struct Single(PhantomData<*const ()>);

/// Of a receive queue: records, which any threads may take. The queue is locked while one of them reads a record.
#[derive(Debug)]
pub struct Records(());

/// How many threads may use a queue at once: [`Shared`], [`Single`], or [`Records`].
pub trait Use: sealed::Use {}
impl Use for Shared {}
impl Use for Single {}
impl Use for Records {}

mod sealed {
    pub trait Use {
        const FLAGS: u32;
    }
    impl Use for super::Shared {
        const FLAGS: u32 = 0;
    }
    impl Use for super::Single {
        const FLAGS: u32 = crate::ffi::SINGLE;
    }
    impl Use for super::Records {
        const FLAGS: u32 = crate::ffi::BASIC;
    }
}

/// What all handles of an endpoint keep alive.
#[derive(Debug)]
pub(crate) struct Inner {
    raw: NonNull<ffi::Endpoint>,
    /// The calls that set something up are for one thread at a time.
    setting_up: Mutex<()>,
    /// Bulk data on their way, or not yet released. (They go after the endpoint has been closed.)
    flights: Mutex<Vec<bulk::Flight>>,
}

// SAFETY: the library's calls on an endpoint may come from any thread; those that set up are behind the mutex.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

impl Inner {
    pub(crate) fn raw(&self) -> *mut ffi::Endpoint {
        self.raw.as_ptr()
    }

    pub(crate) fn set_up(&self) -> MutexGuard<'_, ()> {
        self.setting_up.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: the last handle: no thread uses its queues any more, and no message or block borrows from them.
        unsafe { ffi::msg_endpoint_close(self.raw()) }
    }
}

/// A part of this process that sends and receives: up to 512 receive queues and as many transmit queues. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Endpoint {
    inner: Arc<Inner>,
}

impl Endpoint {
    /// # Errors
    /// There is no memory, or the system has no sealed files in memory (Linux before 5.1).
    pub fn new() -> Result<Endpoint, Error> {
        // SAFETY: it has no conditions.
        let raw = NonNull::new(unsafe { ffi::msg_endpoint_create() }).ok_or_else(Error::last)?;
        Ok(Endpoint { inner: Arc::new(Inner { raw, setting_up: Mutex::new(()), flights: Mutex::default() }) })
    }

    /// Receive queue `number`, from 0 to 511: the lowest has priority in a [`Set`]. `slots`: how many messages of one
    /// sender it takes, a power of two from 4 to 65536, or 0 for 16384.
    ///
    /// # Errors
    /// The number is in use, or an argument is not valid.
    pub fn queue(&self, number: u16, slots: u32) -> Result<Queue<Shared>, Error> {
        Queue::create(&self.inner, number, slots, 0)
    }

    /// The same for one thread at a time.
    ///
    /// # Errors
    /// As [`queue`](Self::queue).
    pub fn single_queue(&self, number: u16, slots: u32) -> Result<Queue<Single>, Error> {
        Queue::create(&self.inner, number, slots, 0)
    }

    /// A queue of records (Basic) in a ring of `bytes`: a power of two from 256 to 2^30, or 0 for 64 KiB.
    ///
    /// # Errors
    /// As [`queue`](Self::queue).
    pub fn record_queue(&self, number: u16, bytes: u32) -> Result<Queue<Single>, Error> {
        Queue::create(&self.inner, number, bytes, ffi::BASIC)
    }

    /// The same for any threads: each takes a record, reads it and gives it back before another does.
    ///
    /// # Errors
    /// As [`queue`](Self::queue).
    pub fn shared_record_queue(&self, number: u16, bytes: u32) -> Result<Queue<Records>, Error> {
        Queue::create(&self.inner, number, bytes, 0)
    }

    /// Transmit queue `number`, from 0 to 511, with `destinations` rows (1 to 4096), none of them connected.
    ///
    /// # Errors
    /// The number is in use, or an argument is not valid.
    pub fn transmit(&self, number: u16, destinations: u32) -> Result<Transmit<Shared>, Error> {
        Transmit::create(&self.inner, number, destinations)
    }

    /// The same for one thread at a time.
    ///
    /// # Errors
    /// As [`transmit`](Self::transmit).
    pub fn single_transmit(&self, number: u16, destinations: u32) -> Result<Transmit<Single>, Error> {
        Transmit::create(&self.inner, number, destinations)
    }

    /// A set of no queues.
    pub fn set(&self) -> Set<'_> {
        Set::new(&self.inner)
    }

    /// How many senders to this endpoint's queues may stay in their large ring when it is empty: 0 to 512, 16 unless set. Neither
    /// order nor room depends on it.
    ///
    /// # Errors
    /// The number is not valid.
    pub fn set_residents(&self, most: u32) -> Result<(), Error> {
        // SAFETY: the endpoint lives, and any thread may call this.
        match unsafe { ffi::msg_set_residents(self.inner.raw(), most) } {
            0 => Ok(()),
            _ => Err(Error::last()),
        }
    }

    /// A descriptor for an event loop, readable when a message has come for an [armed](Set::arm) set.
    ///
    /// # Errors
    /// The system has no descriptors left.
    pub fn events(&self) -> Result<Events, Error> {
        Events::new(&self.inner)
    }
}
