//! Descriptors that others have handed over are closed by threads of their own. To close one may take as long as its maker likes: a socket
//! that lingers, a file of a user's own file system. The broker's loop waits for none of them.
//!
//! Each user can hold up so many closings, and no other user's. Of a user who does, nothing is read until one of them ends
//! (`is_held_up`): so the broker keeps a limited number of that user's descriptors.

use std::collections::HashMap;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::mpsc::{channel, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Closings of one user under way, at most.
const MOST: usize = 64;
/// A thread ends when it has had nothing to do for so long.
const IDLE: Duration = Duration::from_secs(10);
const STACK: usize = 64 * 1024;

/// One that somebody else has made, or that holds what somebody else has made: a connection with packets that nobody has read.
#[derive(Debug)]
pub struct Foreign {
    fd: Option<OwnedFd>,
    /// The user's number.
    of: u32,
    is_connection: bool,
}

impl Foreign {
    /// One that a user has sent.
    pub fn sent(fd: OwnedFd, of: u32) -> Self {
        Foreign { fd: Some(fd), of, is_connection: false }
    }

    /// A connection to a user's program.
    pub fn connection(fd: OwnedFd, of: u32) -> Self {
        Foreign { fd: Some(fd), of, is_connection: true }
    }
}

impl AsFd for Foreign {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_ref().expect("it is there until it is dropped").as_fd()
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let Some(fd) = self.fd.take() else { return };
        // Its packets wait for nobody (`close_by_ending`), so that it need not wait itself.
        let rest = if self.is_connection && is_held_up(self.of) { close_by_ending(fd) } else { Some(fd) };
        if let Some(fd) = rest {
            close(fd, self.of);
        }
    }
}

#[derive(Default)]
struct User {
    /// In `waiting`, or taken from there and not closed yet.
    under_way: usize,
    /// Until one of those is closed.
    held: Vec<OwnedFd>,
}

struct Closers {
    waiting: Vec<(u32, OwnedFd)>,
    idle: usize,
    users: Option<HashMap<u32, User>>,
}

static CLOSERS: Mutex<Closers> = Mutex::new(Closers { waiting: vec![], idle: 0, users: None });
static CHANGED: Condvar = Condvar::new();

fn closers() -> MutexGuard<'static, Closers> {
    CLOSERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Is nothing to be read from this user's programs now, because too many of its descriptors are not closed yet?
pub fn is_held_up(user: u32) -> bool {
    closers().users.as_ref().and_then(|users| users.get(&user)).is_some_and(|u| u.under_way == MOST)
}

fn close(fd: OwnedFd, of: u32) {
    let mut closers = closers();
    let user = closers.users.get_or_insert_default().entry(of).or_default();
    if user.under_way == MOST {
        user.held.push(fd);
        return;
    }
    user.under_way += 1;
    closers.waiting.push((of, fd));
    if closers.idle >= closers.waiting.len() {
        CHANGED.notify_one();
        return;
    }
    // If there can be no thread, one that exists closes it, or the next that can be.
    let _ = std::thread::Builder::new().stack_size(STACK).spawn(serve);
}

fn serve() {
    let mut closers = closers();
    loop {
        if let Some((of, fd)) = closers.waiting.pop() {
            drop(closers);
            drop(fd);
            closers = self::closers();
            ended(&mut closers, of);
            continue;
        }
        closers.idle += 1;
        let late;
        (closers, late) = CHANGED.wait_timeout(closers, IDLE).unwrap_or_else(PoisonError::into_inner);
        closers.idle -= 1;
        if late.timed_out() && closers.waiting.is_empty() {
            return;
        }
    }
}

/// One of the user's descriptors is closed: the next is, or there is one less.
fn ended(closers: &mut Closers, of: u32) {
    let Some(users) = &mut closers.users else { return };
    let Some(user) = users.get_mut(&of) else { return };
    match user.held.pop() {
        Some(fd) => closers.waiting.push((of, fd)),
        None => {
            user.under_way -= 1;
            if user.under_way == 0 {
                users.remove(&of);
            }
        }
    }
}

/// Closes a connection with the table of descriptors of a thread that ends: the kernel lets no socket linger then, and asks no file
/// that has never been received. What is left of it, if there can be no such thread.
fn close_by_ending(fd: OwnedFd) -> Option<OwnedFd> {
    let ((has, does_it), (closed, is_closed)) = (sync_channel(1), channel::<()>());
    let ends = move || {
        // SAFETY: from here on this thread has a copy of the table, and uses none of it.
        let own = unsafe { libc::unshare(libc::CLONE_FILES) } == 0;
        let _ = has.send(own);
        if own {
            let _ = is_closed.recv();
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(ends);
    if thread.is_err() || !does_it.recv().unwrap_or(false) {
        return Some(fd);
    }
    // It is the thread's copy that is the last.
    drop(fd);
    drop(closed);
    None
}
