//! `../contender.h` and the loops of `../loops.h`, for a contender that is a `Link`.

use std::ffi::{c_char, c_int, c_long};

pub const LINE: usize = 64;
pub const MOST: usize = 4 << 20;
pub const BATCH: usize = 64;

pub const ROUND_TRIPS: c_int = 1;
pub const STREAM: c_int = 2;
pub const BATCHES: c_int = 4;
pub const BULK: c_int = 8;
pub const SENDERS: c_int = 16;

pub const PROCESSES: c_int = 0;
pub const THREADS: c_int = 1;

type Out = unsafe extern "C" fn(c_long, usize);
type In = unsafe extern "C" fn(c_long, usize) -> u64;

/// `struct contender`, field by field.
#[repr(C)]
pub struct Contender {
    pub name: *const c_char,
    pub kind: c_int,
    pub rows: c_int,
    pub least: usize,
    pub most: usize,
    pub unbound: c_int,
    pub create: Option<unsafe extern "C" fn(c_int)>,
    pub open: Option<unsafe extern "C" fn(c_int, c_int)>,
    pub prepare: Option<unsafe extern "C" fn(usize)>,
    pub close: Option<unsafe extern "C" fn()>,
    pub ping: Option<In>,
    pub pong: Option<In>,
    pub send: Option<Out>,
    pub receive: Option<In>,
    pub batch_out: Option<Out>,
    pub batch_in: Option<In>,
    pub bulk_out: Option<Out>,
    pub bulk_in: Option<In>,
    pub wake_in: Option<unsafe extern "C" fn()>,
    pub wake_out: Option<unsafe extern "C" fn()>,
    pub poll_open: Option<unsafe extern "C" fn(c_int)>,
    pub poll: Option<unsafe extern "C" fn(c_long) -> c_long>,
    pub together_row: *const c_char,
    pub together: Option<Out>,
}
// All of it is constant.
unsafe impl Sync for Contender {}

pub const NONE: Contender = Contender {
    name: std::ptr::null(),
    kind: PROCESSES,
    rows: 0,
    least: 0,
    most: 0,
    unbound: 0,
    create: None,
    open: None,
    prepare: None,
    close: None,
    ping: None,
    pong: None,
    send: None,
    receive: None,
    batch_out: None,
    batch_in: None,
    bulk_out: None,
    bulk_in: None,
    wake_in: None,
    wake_out: None,
    poll_open: None,
    poll: None,
    together_row: std::ptr::null(),
    together: None,
};

extern "C" {
    static crowded: c_int;
}

/// Gives the processor away now and then where participants share it.
#[inline(always)]
pub fn idle(tries: &mut u32) {
    *tries += 1;
    if *tries % 128 == 0 && unsafe { crowded } != 0 {
        std::thread::yield_now();
    }
}

/// One participant's ends.
pub trait Link {
    /// Sends a message that `make` writes.
    fn send(&mut self, bytes: usize, make: impl Fn(*mut u8));
    /// Waits for a message, and returns what `read` says about it.
    fn take(&mut self, bytes: usize, read: impl Fn(*const u8) -> u64) -> u64;
}

#[inline(always)]
fn lines(bytes: usize) -> usize {
    bytes.div_ceil(LINE)
}
#[inline(always)]
fn make(message: *mut u8, bytes: usize, i: u64) {
    for l in 0..lines(bytes) {
        unsafe { (message.add(l * LINE) as *mut u64).write_volatile(i + l as u64) }
    }
}
#[inline(always)]
fn sum(message: *const u8, bytes: usize) -> u64 {
    (0..lines(bytes)).fold(0, |s, l| s + unsafe { (message.add(l * LINE) as *const u64).read_volatile() })
}

#[inline(always)]
pub fn ping(link: &mut impl Link, n: c_long, bytes: usize) -> u64 {
    let mut s = 0;
    for i in 0..n as u64 {
        link.send(bytes, |p| make(p, bytes, i));
        s += link.take(bytes, |p| sum(p, bytes));
    }
    s
}
#[inline(always)]
pub fn pong(link: &mut impl Link, n: c_long, bytes: usize) -> u64 {
    let mut s = 0;
    for i in 0..n as u64 {
        s += link.take(bytes, |p| sum(p, bytes));
        link.send(bytes, |p| make(p, bytes, i));
    }
    s
}
#[inline(always)]
pub fn send(link: &mut impl Link, n: c_long, bytes: usize) {
    (0..n as u64).for_each(|i| link.send(bytes, |p| make(p, bytes, i)));
}
#[inline(always)]
pub fn receive(link: &mut impl Link, n: c_long, bytes: usize) -> u64 {
    (0..n).fold(0, |s, _| s + link.take(bytes, |p| sum(p, bytes)))
}
/// The same data again and again, but for their first word.
pub fn bulk(link: &mut impl Link, n: c_long, bytes: usize) {
    // Lines begin where those of the message do.
    let mut data = vec![0u64; (MOST + LINE) / 8];
    let first = data.as_ptr().align_offset(LINE);
    for l in 0..MOST / LINE {
        data[first + l * LINE / 8] = l as u64;
    }
    for i in 0..n as u64 {
        data[first] = i;
        link.send(bytes, |p| unsafe { std::ptr::copy_nonoverlapping(data[first..].as_ptr() as *const u8, p, bytes) });
    }
}

/// The functions of a contender whose link is what `$link` evaluates to.
#[macro_export]
macro_rules! loops {
    ($link:expr) => {
        unsafe extern "C" fn ping(n: std::ffi::c_long, bytes: usize) -> u64 {
            $crate::contender::ping($link, n, bytes)
        }
        unsafe extern "C" fn pong(n: std::ffi::c_long, bytes: usize) -> u64 {
            $crate::contender::pong($link, n, bytes)
        }
        unsafe extern "C" fn send(n: std::ffi::c_long, bytes: usize) {
            $crate::contender::send($link, n, bytes)
        }
        unsafe extern "C" fn receive(n: std::ffi::c_long, bytes: usize) -> u64 {
            $crate::contender::receive($link, n, bytes)
        }
    };
}
