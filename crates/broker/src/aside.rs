//! Descriptors that others have handed over are closed by threads of their own. To close one may take as long as its maker likes: a socket
//! that lingers, a file of a user's own file system. The broker's loop waits for none of them.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// As many closings can hang before others wait for them.
const MOST: usize = 64;
/// A thread ends when it has had nothing to do for so long.
const IDLE: Duration = Duration::from_secs(10);

/// One that somebody else has made, or that holds what somebody else has made: a connection with packets that nobody has read.
#[derive(Debug)]
pub struct Foreign(Option<OwnedFd>);

impl From<OwnedFd> for Foreign {
    fn from(fd: OwnedFd) -> Self {
        Foreign(Some(fd))
    }
}

impl AsFd for Foreign {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_ref().expect("it is there until it is dropped").as_fd()
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        if let Some(fd) = self.0.take() {
            close(fd);
        }
    }
}

struct Closers {
    waiting: Vec<OwnedFd>,
    threads: usize,
    idle: usize,
}

static CLOSERS: Mutex<Closers> = Mutex::new(Closers { waiting: vec![], threads: 0, idle: 0 });
static CHANGED: Condvar = Condvar::new();

fn close(fd: OwnedFd) {
    let mut closers = CLOSERS.lock().unwrap_or_else(PoisonError::into_inner);
    closers.waiting.push(fd);
    if closers.idle >= closers.waiting.len() || closers.threads == MOST {
        CHANGED.notify_one();
        return;
    }
    // If there can be no thread, one that exists closes it, or the next that can be.
    if std::thread::Builder::new().stack_size(64 * 1024).spawn(serve).is_ok() {
        closers.threads += 1;
    }
}

fn serve() {
    let mut closers = CLOSERS.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if let Some(fd) = closers.waiting.pop() {
            drop(closers);
            drop(fd);
            closers = CLOSERS.lock().unwrap_or_else(PoisonError::into_inner);
            continue;
        }
        closers.idle += 1;
        let late;
        (closers, late) = CHANGED.wait_timeout(closers, IDLE).unwrap_or_else(PoisonError::into_inner);
        closers.idle -= 1;
        if late.timed_out() && closers.waiting.is_empty() {
            closers.threads -= 1;
            return;
        }
    }
}
