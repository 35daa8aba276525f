//! Receive queues, and messages that lend their data.

use crate::{ffi, Error, Inner, Records, Shared, Single, Use};
use std::borrow::Cow;
use std::ffi::c_int;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// A receive queue.
#[derive(Debug)]
pub struct Queue<U: Use = Shared> {
    raw: NonNull<ffi::Queue>,
    inner: Arc<Inner>,
    number: u16,
    /// Of records, which are released together.
    has_records: bool,
    /// A sender in another process has been connected.
    has_strangers: AtomicBool,
    /// Of [`Records`]: the thread that reads one, as the address of a variable of its own; null: none.
    reader: AtomicPtr<u8>,
    uses: PhantomData<U>,
}

// SAFETY: a queue may be used by any thread; that a single one is used by one at a time follows from `&mut self`, and it is not Sync.
unsafe impl<U: Use> Send for Queue<U> {}
// SAFETY: the library's calls on a shared queue may come from any threads at once.
unsafe impl Sync for Queue<Shared> {}
// SAFETY: as above; the library locks the queue from taking a record to its release.
unsafe impl Sync for Queue<Records> {}

impl<U: Use> Queue<U> {
    pub(crate) fn create(inner: &Arc<Inner>, number: u16, slots: u32, flags: u32) -> Result<Self, Error> {
        let _setting_up = inner.set_up();
        // SAFETY: the endpoint lives, and no other thread sets it up.
        let raw = unsafe { ffi::msg_queue_create(inner.raw(), c_int::from(number), slots, flags | U::FLAGS) };
        let raw = NonNull::new(raw).ok_or_else(Error::last)?;
        let has_records = (flags | U::FLAGS) & ffi::BASIC != 0;
        let (has_strangers, reader) = (AtomicBool::new(false), AtomicPtr::default());
        Ok(Queue { raw, inner: inner.clone(), number, has_records, has_strangers, reader, uses: PhantomData })
    }

    /// The number that it was made with.
    pub fn number(&self) -> u16 {
        self.number
    }

    /// Gives the process at the other end of a Unix socket, which calls [`dial`](crate::Transmit::dial), a row that leads
    /// here. `source`: as which the sender is seen. From then on messages of this queue copy their data.
    ///
    /// # Errors
    /// The peer does not answer in time, or sends what makes no row.
    pub fn answer(&self, source: u32, socket: impl AsFd, timeout: Duration) -> Result<(), Error> {
        self.has_strangers.store(true, Ordering::SeqCst);
        let socket = socket.as_fd().as_raw_fd();
        // SAFETY: queue and socket live; the library locks what two calls of `answer` share.
        Error::check(unsafe { ffi::msg_answer(self.raw(), source, socket, millis(timeout)) })
    }

    /// Each sender that is connected from now on has a window of so many bytes (rounded up to pages, at most 16 GiB) of its
    /// own here, into which it sends [Bulk data](crate::Transmit::bulk).
    ///
    /// # Errors
    /// It is too long, or the queue is one of records.
    pub fn set_window(&self, bytes: usize) -> Result<(), Error> {
        let _setting_up = self.inner.set_up();
        // SAFETY: the queue lives, and no other thread sets its endpoint up.
        Error::check(unsafe { ffi::msg_set_window(self.raw(), bytes) })
    }

    pub(crate) fn raw(&self) -> *mut ffi::Queue {
        self.raw.as_ptr()
    }

    pub(crate) fn inner(&self) -> &Arc<Inner> {
        &self.inner
    }

    /// The next message of the queue.
    ///
    /// # Safety
    /// On a single queue no other thread uses it, and no other message of it exists.
    unsafe fn take(&self) -> Option<Message<'_>> {
        let mut found = empty();
        // SAFETY: the queue lives; the rest is the caller's.
        unsafe { ffi::msg_receive(self.raw(), &mut found) }.then(|| self.message(found))
    }

    /// # Safety
    /// As [`take`](Self::take).
    unsafe fn take_each(&self, most: usize) -> Vec<Message<'_>> {
        let most = if self.has_records { most.min(1) } else { most };
        let mut found = vec![empty(); most];
        // SAFETY: the queue lives, and so many places are there; the rest is the caller's.
        let count = unsafe { ffi::msg_receive_many(self.raw(), found.as_mut_ptr(), most) };
        found.truncate(count);
        found.into_iter().map(|m| self.message(m)).collect()
    }

    pub(crate) fn message(&self, found: ffi::Message) -> Message<'_> {
        let copies = self.has_strangers.load(Ordering::SeqCst);
        Message { found, queue: self.raw, copies, borrows: PhantomData }
    }
}

impl Queue<Shared> {
    /// The next message, if there is one. Any threads may call it at once.
    pub fn receive(&self) -> Option<Message<'_>> {
        // SAFETY: a shared queue has no conditions.
        unsafe { self.take() }
    }

    /// Up to `most` messages that are there already, of one sender and in order, taken by one atomic operation; none if the
    /// queue is empty. Each gives its data back when it goes.
    pub fn receive_many(&self, most: usize) -> Vec<Message<'_>> {
        // SAFETY: as above.
        unsafe { self.take_each(most) }
    }
}

impl Queue<Single> {
    /// The next message, if there is one.
    pub fn receive(&mut self) -> Option<Message<'_>> {
        // SAFETY: `&mut self` as long as the message lives: no other thread, and no other message.
        unsafe { self.take() }
    }

    /// As [`Queue::<Shared>::receive_many`]; of a queue of records one at most, because its records are released together:
    /// [`take_many`](Self::take_many) takes many.
    pub fn receive_many(&mut self, most: usize) -> Vec<Message<'_>> {
        // SAFETY: as above; no two records.
        unsafe { self.take_each(most) }
    }

    /// Up to `most` messages that are there already, of one sender and in order, which are given back together. So many records
    /// of a queue of records are taken at once.
    ///
    /// ```
    /// # fn main() -> Result<(), fathom_queue::Error> {
    /// let endpoint = fathom_queue::Endpoint::new()?;
    /// let (mut inbox, out) = (endpoint.record_queue(0, 0)?, endpoint.transmit(0, 1)?);
    /// out.connect(0, &inbox, 7)?;
    /// assert_eq!(out.send_run(0, 3, 2, b"aabbcc")?, 3);
    /// let taken = inbox.take_many(100);
    /// assert_eq!(taken.len(), 3);
    /// assert!(taken.iter().all(|record| record.len() == 2 && record.tag() == 3));
    /// assert_eq!(*taken[1].data(), *b"bb");
    /// # Ok(())
    /// # }
    /// ```
    pub fn take_many(&mut self, most: usize) -> Batch<'_> {
        let mut found = vec![empty(); most];
        // SAFETY: the queue lives, and so many places are there; `&mut self` as long as the batch lives.
        let count = unsafe { ffi::msg_receive_many(self.raw(), found.as_mut_ptr(), most) };
        found.truncate(count);
        let messages = found.into_iter().map(|m| ManuallyDrop::new(self.message(m))).collect();
        Batch { messages, has_records: self.has_records }
    }
}

impl Queue<Records> {
    /// Takes the next record, if there is one, and lends it to `read`. Other threads that want one wait meanwhile.
    ///
    /// ```
    /// # fn main() -> Result<(), fathom_queue::Error> {
    /// let endpoint = fathom_queue::Endpoint::new()?;
    /// let (inbox, out) = (endpoint.shared_record_queue(0, 0)?, endpoint.transmit(0, 1)?);
    /// out.connect(0, &inbox, 7)?;
    /// assert_eq!(out.send_records(0, &[(1, b"one"), (2, b"two")])?, 2);
    /// std::thread::scope(|scope| {
    ///     for _ in 0..2 {
    ///         scope.spawn(|| inbox.read(|record| assert_eq!((record.len(), record.source()), (3, 7))));
    ///     }
    /// });
    /// assert!(inbox.read(|_| ()).is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    /// `read` reads from the same queue, which its own thread has locked.
    pub fn read<R>(&self, read: impl FnOnce(&Message<'_>) -> R) -> Option<R> {
        thread_local!(static THREAD: u8 = const { 0 });
        let me = THREAD.with(|own| std::ptr::from_ref(own).cast_mut());
        assert!(self.reader.load(Ordering::Relaxed) != me, "this thread reads a record of the queue already");
        // SAFETY: the library locks the queue, if there is a record.
        let record = unsafe { self.take() }?;
        self.reader.store(me, Ordering::Relaxed);
        /// Also if `read` panics: before the record is given back, and the queue with it.
        struct Reading<'q>(&'q AtomicPtr<u8>, Message<'q>);
        impl Drop for Reading<'_> {
            fn drop(&mut self) {
                self.0.store(std::ptr::null_mut(), Ordering::Relaxed);
            }
        }
        let reading = Reading(&self.reader, record);
        Some(read(&reading.1))
    }
}

pub(crate) fn empty() -> ffi::Message {
    ffi::Message {
        word: 0,
        data: std::ptr::null(),
        bytes: 0,
        source: 0,
        queue: 0,
        tag: 0,
        kind: ffi::EMPTY,
        lane: 0,
        serial: 0,
        place: 0,
    }
}

/// For the library: at least one millisecond if it is not zero, and for ever if it is longer than 24 days.
pub(crate) fn millis(timeout: Duration) -> c_int {
    let ms = timeout.as_millis() + u128::from(!timeout.subsec_nanos().is_multiple_of(1_000_000));
    c_int::try_from(ms).unwrap_or(-1)
}

/// How a message came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A word and a tag.
    Express,
    /// Data in place, or a copy.
    Data,
    /// Data in this sender's window.
    Bulk,
    /// A record of a queue of records.
    Record,
}

/// A message, which borrows its queue. Its data go back to the sender when it is dropped.
pub struct Message<'q> {
    found: ffi::Message,
    queue: NonNull<ffi::Queue>,
    copies: bool,
    borrows: PhantomData<&'q ()>,
}

// SAFETY: data may be read, and a message released, by any thread. Messages of a queue of records come from a single queue,
// which they borrow, or are lent to one thread.
unsafe impl Send for Message<'_> {}
// SAFETY: a shared message is only read.
unsafe impl Sync for Message<'_> {}

impl Message<'_> {
    /// 0 to 31.
    pub fn tag(&self) -> u8 {
        self.found.tag
    }

    /// The sender's word: 64 bits of an Express message, 32 bits beside data in place.
    pub fn word(&self) -> u64 {
        self.found.word
    }

    /// Who sent it, as whoever connected the sender has said; no sender can forge it.
    pub fn source(&self) -> u32 {
        self.found.source
    }

    /// The number of its queue.
    pub fn queue(&self) -> u16 {
        self.found.queue
    }

    pub fn kind(&self) -> Kind {
        match self.found.kind {
            ffi::EXPRESS => Kind::Express,
            ffi::BULK => Kind::Bulk,
            ffi::RECORD => Kind::Record,
            _ => Kind::Data,
        }
    }

    /// The number of bytes: of a word that was sent as such 0.
    pub fn len(&self) -> usize {
        self.found.bytes as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes that were sent. They are lent where they lie if all senders of the queue are in this process, where nobody
    /// can change them before their release; else copied, because another process can.
    pub fn data(&self) -> Cow<'_, [u8]> {
        if self.found.kind == ffi::EXPRESS {
            return Cow::Owned(self.found.word.to_ne_bytes()[..self.len().min(8)].to_vec());
        }
        if self.copies {
            let mut copy = vec![0; self.len()];
            self.copy_to(&mut copy);
            return Cow::Owned(copy);
        }
        // SAFETY: the sender is in this process, whose safe code changes data only after their release.
        Cow::Borrowed(unsafe { self.lent() })
    }

    /// Copies the first bytes, at most as many as there are places; returns how many.
    pub fn copy_to(&self, to: &mut [u8]) -> usize {
        let count = self.len().min(to.len());
        if self.found.kind == ffi::EXPRESS {
            to[..count].copy_from_slice(&self.found.word.to_ne_bytes()[..count]);
        } else {
            // SAFETY: the library has checked that so many bytes are mapped. If another process changes them meanwhile,
            // the copy is a mixture, of bytes that all are valid.
            unsafe { std::ptr::copy_nonoverlapping(self.found.data.cast::<u8>(), to.as_mut_ptr(), count) }
        }
        count
    }

    /// The bytes where they lie, whoever sent them. Empty for a word.
    ///
    /// # Safety
    /// The sender does not change them before the message goes: a process that is trusted to keep to that.
    pub unsafe fn lent(&self) -> &[u8] {
        if self.found.data.is_null() || self.is_empty() {
            return &[];
        }
        // SAFETY: the library has checked that so many bytes are mapped, and the sender's keeping still is the caller's.
        unsafe { std::slice::from_raw_parts(self.found.data.cast(), self.len()) }
    }
}

impl Drop for Message<'_> {
    fn drop(&mut self) {
        if (ffi::DATA..=ffi::RECORD).contains(&self.found.kind) {
            // SAFETY: the queue lives as long as the borrow, and this is the message's only release.
            unsafe { ffi::msg_release(self.queue.as_ptr(), &self.found) }
        }
    }
}

/// Messages that were taken together, and are given back together when it is dropped.
#[derive(Debug)]
pub struct Batch<'q> {
    /// Of records the last one's release is that of all: none is dropped by itself.
    messages: Vec<ManuallyDrop<Message<'q>>>,
    has_records: bool,
}

impl<'q> Batch<'q> {
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Message<'q>> + '_ {
        self.messages.iter().map(|m| &**m)
    }
}

impl<'q> std::ops::Index<usize> for Batch<'q> {
    type Output = Message<'q>;
    fn index(&self, i: usize) -> &Message<'q> {
        &self.messages[i]
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let from = if self.has_records { self.len().saturating_sub(1) } else { 0 };
        for message in &mut self.messages[from..] {
            // SAFETY: each once, and none is used afterwards.
            unsafe { ManuallyDrop::drop(message) }
        }
    }
}

impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut all = f.debug_struct("Message");
        all.field("source", &self.source()).field("tag", &self.tag()).field("word", &self.word());
        all.field("kind", &self.kind()).field("len", &self.len()).finish()
    }
}
