//! The memory itself, and how a thread is given its turn.

use super::{
    baton, blocks, head, thread, BATON, BLOCK, FETCH, FIRST_BYTES, HEAD, IN, IN_BYTES, MOST_FETCHES, OUT_BYTES, RUN,
    SERVE,
};
use crate::program::stops::Turn;
use fathom_machine::Time;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::OnceLock;

/// A mapping of the file that the threads map, too.
pub(super) struct Memory {
    file: File,
    base: *mut u8,
    length: usize,
    threads: usize,
    /// All threads' segments, once a thread has asked for a word of them; None: they cannot be mapped.
    segments: OnceLock<Option<Segments>>,
}

struct Segments {
    base: *const u8,
    length: usize,
}

// SAFETY: what one side writes while another one may read it are words, by atomic accesses; the rest belongs to the side
// that has the baton, or to the thread whose block it is.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    pub fn new(threads: u32) -> io::Result<Memory> {
        // SAFETY: a name without a zero byte inside, and flags.
        let fd = unsafe { libc::memfd_create(c"fathom-sim".as_ptr(), 0) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: a new descriptor that nobody else owns.
        let file = unsafe { File::from_raw_fd(fd) };
        let length = blocks(threads as usize) + threads as usize * BLOCK;
        file.set_len(length as u64)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping of a file that is as long.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), length, protection, libc::MAP_SHARED, fd, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Memory { file, base: base.cast(), length, threads: threads as usize, segments: OnceLock::new() })
    }

    pub fn descriptor(&self) -> i32 {
        self.file.as_raw_fd()
    }

    pub fn word(&self, at: usize) -> &AtomicU32 {
        debug_assert!(at + 4 <= self.length && at.is_multiple_of(4));
        // SAFETY: inside the mapping, aligned; both sides use atomic accesses for these words.
        unsafe { &*self.base.add(at).cast::<AtomicU32>() }
    }

    pub fn block(&self, t: u32) -> usize {
        blocks(self.threads) + t as usize * BLOCK
    }

    pub fn baton(&self, t: u32) -> usize {
        HEAD + t as usize * BATON
    }

    pub fn long(&self, at: usize) -> u64 {
        debug_assert!(at + 8 <= self.length);
        // SAFETY: inside the mapping; the thread that writes it is stopped.
        unsafe { self.base.add(at).cast::<u64>().read_unaligned() }
    }

    pub fn set_long(&self, at: usize, value: u64) {
        debug_assert!(at + 8 <= self.length);
        // SAFETY: inside the mapping; the thread that reads it is stopped.
        unsafe { self.base.add(at).cast::<u64>().write_unaligned(value) };
    }

    pub fn bytes(&self, at: usize, count: usize) -> Vec<u8> {
        debug_assert!(at + count <= self.length);
        // SAFETY: inside the mapping; the thread that writes them is stopped.
        unsafe { std::slice::from_raw_parts(self.base.add(at), count) }.to_vec()
    }

    /// Writes what a thread finds when it goes on, and who goes on after it.
    pub fn prepare(&self, t: u32, turn: &Turn, at: Time, next: Option<u32>) -> u32 {
        let (block, baton) = (self.block(t), self.baton(t));
        self.word(block + thread::HAS_STOPPED).store(0, Ordering::Relaxed);
        self.word(baton + baton::NEXT).store(next.map_or(0, |next| next + 1), Ordering::Relaxed);
        self.set_long(baton + baton::AT, at);
        let most = if matches!(turn, Turn::Serve(..)) { OUT_BYTES } else { FIRST_BYTES };
        self.word(block + thread::OUT_MOST).store(most as u32, Ordering::Relaxed);
        match turn {
            Turn::Run { now, answer, barriers: (count, ballot) } => {
                self.set_long(block + thread::NOW, *now);
                self.set_long(block + thread::ANSWER, *answer);
                self.word(block + thread::BARRIERS).store(*count, Ordering::Relaxed);
                for (i, part) in [ballot.kinds, ballot.first, ballot.other].into_iter().enumerate() {
                    self.set_long(block + thread::BALLOT + 8 * i, part);
                }
                RUN
            }
            Turn::Serve(from, message) => {
                let room = block + IN;
                let length = message.image.len().min(IN_BYTES);
                // SAFETY: inside the mapping; the thread that reads it is stopped.
                unsafe { std::ptr::copy_nonoverlapping(message.image.as_ptr(), self.base.add(room), length) };
                self.word(room).store(*from, Ordering::Relaxed);
                self.word(block + thread::IN_BYTES).store(length as u32, Ordering::Relaxed);
                SERVE
            }
        }
    }

    pub fn wake(&self, at: usize, value: u32) {
        self.word(at).store(value, Ordering::Release);
        // SAFETY: a word of the mapping.
        unsafe { libc::syscall(libc::SYS_futex, self.word(at).as_ptr(), libc::FUTEX_WAKE, 1) };
    }

    /// Sleeps until this process has the baton, or for so long. Whether it has.
    pub fn wait_for_baton(&self, ms: i64) -> bool {
        let limit = libc::timespec { tv_sec: 0, tv_nsec: ms * 1_000_000 };
        let word = self.word(head::ENGINE);
        if word.load(Ordering::Acquire) == 0 {
            // SAFETY: a word of the mapping, and a time limit on the stack.
            unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, 0, &raw const limit) };
        }
        word.load(Ordering::Acquire) != 0
    }

    /// If a thread has the baton handed over because it wants words: gives them, and the baton back. Whether it has.
    pub fn fetch(&self) -> bool {
        let Some(t) = self.word(head::FETCHER).swap(0, Ordering::Relaxed).checked_sub(1) else { return false };
        let block = self.block(t);
        match self.segments.get_or_init(|| self.map_segments()) {
            Some(segments) => {
                let count = self.word(block + thread::FETCHES).load(Ordering::Relaxed) as usize;
                for at in (block + FETCH..).step_by(8).take(count.min(MOST_FETCHES)) {
                    self.set_long(at, segments.long(self.long(at) as usize));
                }
            }
            None => self.word(head::CANNOT_FETCH).store(1, Ordering::Relaxed),
        }
        self.word(head::ENGINE).store(0, Ordering::Relaxed);
        self.wake(self.baton(t) + baton::TURN, RUN);
        true
    }

    fn map_segments(&self) -> Option<Segments> {
        let of = |at: usize| self.word(at).load(Ordering::Relaxed);
        let path = format!("/proc/{}/fd/{}", of(head::SEGMENTS_OF), of(head::SEGMENTS));
        let (file, length) = (File::open(path).ok()?, self.long(head::SEGMENTS_BYTES) as usize);
        if file.metadata().ok()?.len() < length as u64 {
            return None;
        }
        let (fd, how) = (file.as_raw_fd(), libc::MAP_SHARED | libc::MAP_NORESERVE);
        // SAFETY: a new mapping of a file that is as long.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ, how, fd, 0) };
        (base != libc::MAP_FAILED).then_some(Segments { base: base.cast(), length })
    }

    pub fn has_stopped(&self, t: u32) -> bool {
        self.word(self.block(t) + thread::HAS_STOPPED).load(Ordering::Acquire) != 0
    }

    /// Whether the process of a thread has ended, without a word.
    pub fn is_gone(&self, t: u32) -> bool {
        let process = self.word(self.block(t) + thread::PROCESS).load(Ordering::Relaxed) as i32;
        // SAFETY: signal 0 only asks.
        process > 0 && unsafe { libc::kill(process, 0) } != 0
    }
}

impl Segments {
    /// A word of a segment; 0 outside of all.
    fn long(&self, at: usize) -> u64 {
        match at.checked_add(8) {
            // SAFETY: inside the mapping; no thread runs.
            Some(end) if end <= self.length => unsafe { self.base.add(at).cast::<u64>().read_unaligned() },
            _ => 0,
        }
    }
}

impl Drop for Segments {
    fn drop(&mut self) {
        // SAFETY: the mapping that was made in `map_segments`.
        unsafe { libc::munmap(self.base.cast_mut().cast(), self.length) };
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping that was made in `new`.
        unsafe { libc::munmap(self.base.cast(), self.length) };
    }
}
