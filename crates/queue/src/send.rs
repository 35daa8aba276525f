//! Transmit queues: rows to connect, and sending.

use crate::receive::millis;
use crate::region::{Block, Region};
use crate::{ffi, Error, Inner, Queue, Shared, Single, Use};
use std::ffi::c_int;
use std::marker::PhantomData;
use std::os::fd::{AsFd, AsRawFd};
use std::ptr::{null_mut, NonNull};
use std::sync::Arc;
use std::time::Duration;

/// A transmit queue: a table of destinations.
#[derive(Debug)]
pub struct Transmit<U: Use = Shared> {
    raw: NonNull<ffi::Transmit>,
    inner: Arc<Inner>,
    uses: PhantomData<U>,
}

// SAFETY: a transmit queue may be used by any thread; a single one by one at a time, because it is not Sync.
unsafe impl<U: Use> Send for Transmit<U> {}
// SAFETY: the library's calls on a shared transmit queue may come from any threads at once.
unsafe impl Sync for Transmit<Shared> {}

impl<U: Use> Transmit<U> {
    pub(crate) fn create(inner: &Arc<Inner>, number: u16, destinations: u32) -> Result<Self, Error> {
        let _setting_up = inner.set_up();
        // SAFETY: the endpoint lives, and no other thread sets it up.
        let raw = unsafe { ffi::msg_transmit_create(inner.raw(), c_int::from(number), destinations, U::FLAGS) };
        let raw = NonNull::new(raw).ok_or_else(Error::last)?;
        Ok(Transmit { raw, inner: inner.clone(), uses: PhantomData })
    }

    /// Destination `destination` is `queue`, a queue of this process, which sees us as `source`.
    ///
    /// # Errors
    /// The destination is connected already, or the queue has 512 senders.
    pub fn connect<V: Use>(&self, destination: u32, queue: &Queue<V>, source: u32) -> Result<(), Error> {
        let _setting_up = self.inner.set_up();
        // SAFETY: both live; the library locks what two senders that connect to a queue share.
        Error::check(unsafe { ffi::msg_connect(self.raw(), destination, queue.raw(), source) })
    }

    /// The destination is the queue of the process at the other end of a Unix socket that
    /// [answers](crate::Queue::answer).
    ///
    /// # Errors
    /// The destination is connected already; the peer does not answer in time, or sends what makes no row.
    pub fn dial(&self, destination: u32, socket: impl AsFd, timeout: Duration) -> Result<(), Error> {
        let _setting_up = self.inner.set_up();
        let socket = socket.as_fd().as_raw_fd();
        // SAFETY: transmit queue and socket live.
        Error::check(unsafe { ffi::msg_dial(self.raw(), destination, socket, millis(timeout)) })
    }

    /// Gives the destination back, while threads may be sending: sends return [`Error::NoRow`] from now on, and it can be connected
    /// anew. All that was sent before is received, and blocks come back when the receiver has dropped their messages.
    ///
    /// # Errors
    /// The destination is not connected.
    pub fn disconnect(&self, destination: u32) -> Result<(), Error> {
        let _setting_up = self.inner.set_up();
        // SAFETY: the transmit queue lives.
        Error::check(unsafe { ffi::msg_disconnect(self.raw(), destination) })
    }

    /// Memory of `count` blocks of at least `bytes` each, for messages that are sent in place: before the rows are connected that
    /// send from it.
    ///
    /// # Errors
    /// There is one already, or no memory.
    pub fn region(&self, count: u32, bytes: u32) -> Result<Region, Error> {
        let _setting_up = self.inner.set_up();
        Region::create(self.raw, &self.inner, count, bytes)
    }

    pub(crate) fn raw(&self) -> *mut ffi::Transmit {
        self.raw.as_ptr()
    }

    pub(crate) fn handle(&self) -> NonNull<ffi::Transmit> {
        self.raw
    }

    pub(crate) fn inner(&self) -> &Arc<Inner> {
        &self.inner
    }

    /// # Safety
    /// On a single transmit queue no other thread sends.
    unsafe fn put_records(&self, destination: u32, records: &[(u8, &[u8])]) -> Result<usize, Error> {
        let mut sent = 0;
        for &(tag, data) in records {
            let bytes = u32::try_from(data.len()).map_err(|_| Error::TooLong);
            let at = match bytes {
                // SAFETY: the transmit queue lives; the rest is the caller's.
                Ok(bytes) if tag < 32 => unsafe { ffi::msg_basic_reserve(self.raw(), destination, bytes) },
                _ => null_mut(),
            };
            if at.is_null() {
                break;
            }
            // SAFETY: so many bytes were reserved, for this thread alone. (`reserve` has seen that they fit into u32.)
            unsafe {
                std::ptr::copy_nonoverlapping(data.as_ptr(), at.cast(), data.len());
                ffi::msg_basic_add(self.raw(), destination, tag.into(), data.len() as u32);
            }
            sent += 1;
        }
        if sent > 0 {
            // SAFETY: as above.
            unsafe { ffi::msg_basic_publish(self.raw(), destination) };
            return Ok(sent);
        }
        let Some(&(tag, data)) = records.first() else { return Ok(0) };
        // Why there was no place for the first one. (Or there is one now.)
        let bytes = u32::try_from(data.len()).map_err(|_| Error::TooLong)?;
        // SAFETY: as above.
        let status = unsafe { ffi::msg_basic_send(self.raw(), destination, tag.into(), data.as_ptr().cast(), bytes) };
        Error::check(status).map(|()| 1)
    }

    /// # Safety
    /// On a single transmit queue no other thread sends.
    unsafe fn put_run(&self, destination: u32, tag: u8, bytes: usize, data: &[u8]) -> Result<usize, Error> {
        if bytes == 0 || !data.len().is_multiple_of(bytes) || tag >= 32 {
            return Err(Error::Wrong);
        }
        let length = u32::try_from(bytes).map_err(|_| Error::TooLong)?;
        let (all, piece) = (data.len() / bytes, bytes.next_multiple_of(8));
        let (mut sent, mut fits) = (0, ffi::MOST_RUN);
        while sent < all && fits > 0 {
            let count = fits.min(all - sent);
            // SAFETY: the transmit queue lives; the rest is the caller's.
            let at = unsafe { ffi::msg_basic_reserve_many(self.raw(), destination, length, count as u32) };
            if at.is_null() {
                fits = count / 2;
                continue;
            }
            let records = &data[sent * bytes..][..count * bytes];
            if piece == bytes {
                // SAFETY: so many pieces were reserved, for this thread alone.
                unsafe { std::ptr::copy_nonoverlapping(records.as_ptr(), at.cast(), records.len()) };
            } else {
                for (i, record) in records.chunks_exact(bytes).enumerate() {
                    // SAFETY: as above; each is rounded up to 8.
                    unsafe { std::ptr::copy_nonoverlapping(record.as_ptr(), at.cast::<u8>().add(i * piece), bytes) };
                }
            }
            // SAFETY: as above.
            unsafe { ffi::msg_basic_add_many(self.raw(), destination, tag.into(), count as u32) };
            sent += count;
        }
        if sent > 0 {
            // SAFETY: as above.
            unsafe { ffi::msg_basic_publish(self.raw(), destination) };
            return Ok(sent);
        }
        match data.get(..bytes) {
            // Why there was no place for the first one. (Or there is one now.)
            // SAFETY: the caller's.
            Some(first) => unsafe { self.put_records(destination, &[(tag, first)]) },
            None => Ok(0),
        }
    }

    /// # Safety
    /// On a single transmit queue no other thread sends.
    unsafe fn put_word(&self, destination: u32, tag: u8, word: u64) -> Result<(), Error> {
        // SAFETY: the transmit queue lives; the rest is the caller's.
        Error::check(unsafe { ffi::msg_express(self.raw(), destination, tag.into(), word) })
    }

    /// # Safety
    /// As [`put_word`](Self::put_word).
    unsafe fn put(&self, destination: u32, tag: u8, data: &[u8]) -> Result<(), Error> {
        let bytes = u32::try_from(data.len()).map_err(|_| Error::TooLong)?;
        let data = data.as_ptr().cast();
        // SAFETY: as above; without a ticket all data are copied.
        Error::check(unsafe { ffi::msg_send(self.raw(), destination, tag.into(), data, bytes, null_mut()) })
    }

    /// # Safety
    /// As [`put_word`](Self::put_word).
    unsafe fn put_block(
        &self,
        destination: u32,
        tag: u8,
        word: u32,
        block: Block,
        len: usize,
    ) -> Result<(), (Error, Block)> {
        if !block.is_of(self.raw) || len > block.len() {
            return Err((Error::Wrong, block));
        }
        let mut ticket = ffi::NO_TICKET;
        let Ok(bytes) = u32::try_from(len) else { return Err((Error::TooLong, block)) };
        let at = block.as_ptr().cast();
        // SAFETY: as above; the block is not written before its message has been released: `lent` sees to that.
        let status = unsafe { ffi::msg_tag_on(self.raw(), destination, tag.into(), word, at, bytes, &mut ticket) };
        match Error::check(status) {
            Ok(()) => block.lent(destination, ticket),
            Err(why) => return Err((why, block)),
        }
        Ok(())
    }
}

impl Transmit<Shared> {
    /// A word with a tag (0 to 31), in one atomic operation. Any threads may call it at once.
    ///
    /// # Errors
    /// [`Error::Full`], [`Error::NoRow`], [`Error::Wrong`].
    pub fn express(&self, destination: u32, tag: u8, word: u64) -> Result<(), Error> {
        // SAFETY: it is shared.
        unsafe { self.put_word(destination, tag, word) }
    }

    /// A copy of `data`: up to 8 bytes as a word, up to 1 KiB otherwise; a record up to half its ring.
    ///
    /// # Errors
    /// [`Error::Full`], [`Error::NoRow`], [`Error::TooLong`], [`Error::Wrong`].
    pub fn send(&self, destination: u32, tag: u8, data: &[u8]) -> Result<(), Error> {
        // SAFETY: it is shared.
        unsafe { self.put(destination, tag, data) }
    }

    /// So many records (tag, data), in order and sent together; returns how many: fewer if there is no room for more, or the next cannot be
    /// sent. Other threads wait meanwhile.
    ///
    /// # Errors
    /// Why the first one was not sent: [`Error::Full`], [`Error::NoRow`], [`Error::TooLong`] (it is longer than half the ring),
    /// [`Error::Wrong`] (also if the queue is not one of records).
    pub fn send_records(&self, destination: u32, records: &[(u8, &[u8])]) -> Result<usize, Error> {
        // SAFETY: it is shared.
        unsafe { self.put_records(destination, records) }
    }

    /// Records of `bytes` each, which lie one behind the other in `data`, in order and sent together; returns how many: fewer if there is
    /// no room for more. Up to 65536 have one header, so one of 8 bytes takes 8 bytes of the ring. Other threads wait meanwhile.
    ///
    /// # Errors
    /// As [`send_records`](Self::send_records); [`Error::Wrong`] also if `bytes` is 0, or `data` is not a multiple of it.
    pub fn send_run(&self, destination: u32, tag: u8, bytes: usize, data: &[u8]) -> Result<usize, Error> {
        // SAFETY: it is shared.
        unsafe { self.put_run(destination, tag, bytes, data) }
    }

    /// The first `len` bytes of a block as they lie, beside a word. The block is free again when the receiver has dropped the message.
    ///
    /// # Errors
    /// As [`send`](Self::send), with the block.
    pub fn send_block(
        &self,
        destination: u32,
        tag: u8,
        word: u32,
        block: Block,
        len: usize,
    ) -> Result<(), (Error, Block)> {
        // SAFETY: it is shared.
        unsafe { self.put_block(destination, tag, word, block, len) }
    }

    /// Sleeps until the destination's queue has taken something; false: the time is over, or there is no such destination.
    pub fn wait_for_room(&self, destination: u32, timeout: Duration) -> bool {
        // SAFETY: it lives.
        unsafe { ffi::msg_wait_for_room(self.raw(), destination, millis(timeout)) }
    }
}

impl Transmit<Single> {
    /// So many records (tag, data), in order and sent together; returns how many: fewer if there is no room for more, or the next cannot be
    /// sent.
    ///
    /// # Errors
    /// Why the first one was not sent: [`Error::Full`], [`Error::NoRow`], [`Error::TooLong`] (it is longer than half the ring),
    /// [`Error::Wrong`] (also if the queue is not one of records).
    pub fn send_records(&mut self, destination: u32, records: &[(u8, &[u8])]) -> Result<usize, Error> {
        // SAFETY: `&mut self`.
        unsafe { self.put_records(destination, records) }
    }

    /// As [`Transmit::<Shared>::send_run`].
    ///
    /// # Errors
    /// The same.
    pub fn send_run(&mut self, destination: u32, tag: u8, bytes: usize, data: &[u8]) -> Result<usize, Error> {
        // SAFETY: `&mut self`.
        unsafe { self.put_run(destination, tag, bytes, data) }
    }

    /// As [`Transmit::<Shared>::express`].
    ///
    /// # Errors
    /// The same.
    pub fn express(&mut self, destination: u32, tag: u8, word: u64) -> Result<(), Error> {
        // SAFETY: `&mut self`.
        unsafe { self.put_word(destination, tag, word) }
    }

    /// As [`Transmit::<Shared>::send`].
    ///
    /// # Errors
    /// The same.
    pub fn send(&mut self, destination: u32, tag: u8, data: &[u8]) -> Result<(), Error> {
        // SAFETY: `&mut self`.
        unsafe { self.put(destination, tag, data) }
    }

    /// As [`Transmit::<Shared>::send_block`].
    ///
    /// # Errors
    /// The same.
    pub fn send_block(
        &mut self,
        destination: u32,
        tag: u8,
        word: u32,
        block: Block,
        len: usize,
    ) -> Result<(), (Error, Block)> {
        // SAFETY: `&mut self`.
        unsafe { self.put_block(destination, tag, word, block, len) }
    }

    /// As [`Transmit::<Shared>::wait_for_room`].
    pub fn wait_for_room(&mut self, destination: u32, timeout: Duration) -> bool {
        // SAFETY: it lives.
        unsafe { ffi::msg_wait_for_room(self.raw(), destination, millis(timeout)) }
    }
}
