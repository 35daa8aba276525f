//! Memory that is sent in place, in blocks that are owned by whoever writes them and lent while a message refers to them.

use crate::{ffi, Error, Inner};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const LINE: usize = 64;

/// Blocks of a transmit queue's memory. Cheap to clone.
///
/// ```
/// # fn main() -> Result<(), fathom_queue::Error> {
/// let endpoint = fathom_queue::Endpoint::new()?;
/// let (inbox, out) = (endpoint.queue(0, 0)?, endpoint.transmit(0, 1)?);
/// let region = out.region(1, 100)?;
/// out.connect(0, &inbox, 1)?;
///
/// let mut block = region.take().expect("a free block");
/// block[..4].copy_from_slice(b"data");
/// out.send_block(0, 1, 42, block, 4).map_err(|(why, _)| why)?;
/// let message = inbox.receive().expect("a message");
/// assert_eq!((&*message.data(), message.word()), (&b"data"[..], 42));
/// assert!(region.take().is_none());                   // the message lends it
/// drop(message);
/// assert!(region.take().is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Region {
    shared: Arc<Blocks>,
}

struct Blocks {
    memory: NonNull<u8>,
    transmit: NonNull<ffi::Transmit>,
    /// Bytes of a block: whole lines.
    bytes: usize,
    state: Mutex<State>,
    _alive: Arc<Inner>,
}

#[derive(Default)]
struct State {
    free: Vec<u32>,
    /// Block, destination and ticket of messages that are on their way.
    lent: Vec<(u32, u32, u64)>,
}

// SAFETY: who has a block is decided behind the mutex; the library's question whether it is released is for any thread.
unsafe impl Send for Blocks {}
// SAFETY: as above.
unsafe impl Sync for Blocks {}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Blocks").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Blocks {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Region {
    pub(crate) fn create(
        transmit: NonNull<ffi::Transmit>,
        inner: &Arc<Inner>,
        count: u32,
        bytes: u32,
    ) -> Result<Region, Error> {
        let bytes = (bytes.max(1) as usize).next_multiple_of(LINE);
        // SAFETY: the transmit queue lives, and no other thread sets it up.
        let raw = unsafe { ffi::msg_region_create(transmit.as_ptr(), bytes.saturating_mul(count as usize)) };
        if raw.is_null() {
            return Err(Error::last());
        }
        // SAFETY: it was made just now.
        let memory = NonNull::new(unsafe { ffi::msg_region_memory(raw) }.cast()).ok_or_else(Error::last)?;
        let state = Mutex::new(State { free: (0..count).rev().collect(), lent: vec![] });
        Ok(Region { shared: Arc::new(Blocks { memory, transmit, bytes, state, _alive: inner.clone() }) })
    }

    /// A block that nobody uses: new, dropped, or sent and released by its receiver. None: there is none now.
    pub fn take(&self) -> Option<Block> {
        let shared = &self.shared;
        let mut state = shared.state();
        if state.free.is_empty() {
            let is_lent = |&(_, destination, ticket): &(u32, u32, u64)| {
                // SAFETY: the transmit queue lives as long as the endpoint.
                !unsafe { ffi::msg_is_released(shared.transmit.as_ptr(), destination, ticket) }
            };
            let (lent, free): (Vec<_>, Vec<_>) = std::mem::take(&mut state.lent).into_iter().partition(is_lent);
            state.lent = lent;
            state.free.extend(free.into_iter().map(|(block, ..)| block));
        }
        let number = state.free.pop()?;
        Some(Block { shared: shared.clone(), number, is_lent: false })
    }
}

/// A block of a [`Region`], which its owner reads and writes, and sends.
pub struct Block {
    shared: Arc<Blocks>,
    number: u32,
    is_lent: bool,
}

impl Block {
    pub(crate) fn is_of(&self, transmit: NonNull<ffi::Transmit>) -> bool {
        self.shared.transmit == transmit
    }

    /// It has been sent, and is not to be used until its message has been released.
    pub(crate) fn lent(mut self, destination: u32, ticket: u64) {
        self.is_lent = true;
        self.shared.state().lent.push((self.number, destination, ticket));
    }

    fn at(&self) -> *mut u8 {
        // SAFETY: blocks lie within the region.
        unsafe { self.shared.memory.as_ptr().add(self.number as usize * self.shared.bytes) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if !self.is_lent {
            self.shared.state().free.push(self.number);
        }
    }
}

impl Deref for Block {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the block is this one's alone until it is lent, and its memory is initialised (zeroes at first).
        unsafe { std::slice::from_raw_parts(self.at(), self.shared.bytes) }
    }
}

impl DerefMut for Block {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.at(), self.shared.bytes) }
    }
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Block({}, {} bytes)", self.number, self.shared.bytes)
    }
}
