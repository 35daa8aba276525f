//! Many queues at once: polling, sleeping, and event loops.

use crate::receive::{empty, millis};
use crate::{ffi, Error, Inner, Message, Queue, Shared};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::sync::Arc;
use std::time::Duration;

/// Queues of one endpoint that are polled together: the one with the lowest number first. A poll costs the same for any number of
/// empty queues.
///
/// ```
/// # fn main() -> Result<(), fathom_queue::Error> {
/// # use std::time::Duration;
/// let endpoint = fathom_queue::Endpoint::new()?;
/// let (urgent, usual, out) = (endpoint.queue(0, 0)?, endpoint.queue(1, 0)?, endpoint.transmit(0, 2)?);
/// out.connect(0, &urgent, 1)?;
/// out.connect(1, &usual, 1)?;
/// let mut set = endpoint.set();
/// set.add(&urgent)?;
/// set.add(&usual)?;
/// assert!(set.poll().is_none());
/// out.express(1, 0, 10)?;
/// out.express(0, 0, 20)?;
/// assert_eq!(set.poll().map(|m| m.word()), Some(20));
/// assert_eq!(set.wait(Some(Duration::from_secs(1))).map(|m| m.word()), Some(10));
/// # Ok(())
/// # }
/// ```
pub struct Set<'q> {
    raw: ffi::Set,
    /// By their numbers.
    queues: Vec<Option<&'q Queue<Shared>>>,
    inner: Arc<Inner>,
}

// SAFETY: a set is read by polls of any thread; it has only shared queues.
unsafe impl Send for Set<'_> {}
// SAFETY: as above.
unsafe impl Sync for Set<'_> {}

impl<'q> Set<'q> {
    pub(crate) fn new(inner: &Arc<Inner>) -> Self {
        let mut raw = ffi::Set { endpoint: inner.raw(), mask: [0; 8], empty_word: 0, empty_tag: 0, first: 0, last: 0 };
        // SAFETY: the endpoint lives.
        unsafe { ffi::msg_set_init(&mut raw, inner.raw()) };
        Set { raw, queues: vec![], inner: inner.clone() }
    }

    /// # Errors
    /// The queue belongs to another endpoint.
    pub fn add(&mut self, queue: &'q Queue<Shared>) -> Result<(), Error> {
        if !Arc::ptr_eq(queue.inner(), &self.inner) {
            return Err(Error::Failed("a set has queues of one endpoint, and this queue belongs to another".into()));
        }
        // SAFETY: both live.
        unsafe { ffi::msg_set_add(&mut self.raw, queue.raw()) };
        let number = usize::from(queue.number());
        self.queues.resize(self.queues.len().max(number + 1), None);
        self.queues[number] = Some(queue);
        Ok(())
    }

    fn message(&self, found: ffi::Message) -> Option<Message<'q>> {
        let queue = self.queues.get(usize::from(found.queue)).copied().flatten()?;
        Some(queue.message(found))
    }

    /// The next message of the first queue that has one. Any threads may call it at once.
    pub fn poll(&self) -> Option<Message<'q>> {
        let mut found = empty();
        // SAFETY: the endpoint and its queues live.
        unsafe { ffi::msg_poll(&self.raw, &mut found) }.then(|| self.message(found))?
    }

    /// The same, and sleeps while there is none: at most so long, or for ever.
    pub fn wait(&self, timeout: Option<Duration>) -> Option<Message<'q>> {
        let mut found = empty();
        // SAFETY: as above.
        unsafe { ffi::msg_wait(&self.raw, &mut found, timeout.map_or(-1, millis)) }.then(|| self.message(found))?
    }

    /// From now on a message makes the endpoint's [`Events`] readable. False: there may be messages already, to be polled for
    /// instead of sleeping. After the sleep, and if it was false: [`disarm`](Self::disarm).
    pub fn arm(&mut self) -> bool {
        // SAFETY: as above; one thread at a time, because of `&mut self`.
        unsafe { ffi::msg_arm(&self.raw) }
    }

    pub fn disarm(&mut self) {
        // SAFETY: as above.
        unsafe { ffi::msg_disarm(&self.raw) }
    }
}

/// The descriptor of an endpoint for `poll`, `epoll`, and what is made of them.
///
/// With tokio:
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use fathom_queue::{Endpoint, Events, Message, Set};
/// use tokio::io::unix::AsyncFd;
///
/// async fn next<'q>(set: &mut Set<'q>, events: &AsyncFd<Events>) -> std::io::Result<Message<'q>> {
///     loop {
///         if let Some(message) = set.poll() {
///             return Ok(message);
///         }
///         if set.arm() {
///             events.readable().await?.clear_ready();
///         }
///         set.disarm();
///     }
/// }
///
/// let endpoint = Endpoint::new()?;
/// let (inbox, out) = (endpoint.queue(0, 0)?, endpoint.transmit(0, 1)?);
/// out.connect(0, &inbox, 1)?;
/// let sender = std::thread::spawn(move || {
///     std::thread::sleep(std::time::Duration::from_millis(20));
///     out.send(0, 1, b"awaited").expect("room")
/// });
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
/// let text = runtime.block_on(async {
///     let events = AsyncFd::new(endpoint.events()?)?;
///     let mut set = endpoint.set();
///     set.add(&inbox)?;
///     let message = next(&mut set, &events).await?;
///     Ok::<_, Box<dyn std::error::Error>>(message.data().to_vec())
/// })?;
/// assert_eq!(text, b"awaited");
/// # sender.join().unwrap();
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Events {
    fd: RawFd,
    _alive: Arc<Inner>,
}

impl Events {
    pub(crate) fn new(inner: &Arc<Inner>) -> Result<Self, Error> {
        // SAFETY: the endpoint lives; the library locks what it sets up here.
        let fd = unsafe { ffi::msg_fd(inner.raw()) };
        if fd < 0 {
            return Err(Error::last());
        }
        Ok(Events { fd, _alive: inner.clone() })
    }
}

impl AsRawFd for Events {
    fn as_raw_fd(&self) -> RawFd {
        self.fd
    }
}

impl AsFd for Events {
    fn as_fd(&self) -> BorrowedFd<'_> {
        // SAFETY: the endpoint owns it, and lives as long as this.
        unsafe { BorrowedFd::borrow_raw(self.fd) }
    }
}
