//! The bare queue inside iceoryx2, of words, between one sender and one receiver, in memory that two processes share.

use crate::contender::{self, idle, Contender, Link};
use iceoryx2_bb_lock_free::spsc::queue::Queue;
use std::ffi::{c_int, c_void};
use std::ptr::addr_of_mut;

type Words = Queue<u64, 256>;

struct Ends {
    inbox: *const Words,
    outbox: *const Words,
}
static mut QUEUES: [*mut Words; 2] = [std::ptr::null_mut(); 2];
static mut ENDS: Ends = Ends { inbox: std::ptr::null(), outbox: std::ptr::null() };

extern "C" {
    fn mmap(at: *mut c_void, bytes: usize, access: c_int, flags: c_int, file: c_int, offset: i64) -> *mut c_void;
}

unsafe extern "C" fn create(_: c_int) {
    const READ_WRITE: c_int = 3;
    const SHARED_ANONYMOUS: c_int = 0x21; // Linux: MAP_SHARED | MAP_ANONYMOUS
    for q in &mut *addr_of_mut!(QUEUES) {
        let at = mmap(std::ptr::null_mut(), size_of::<Words>(), READ_WRITE, SHARED_ANONYMOUS, -1, 0);
        assert!(at as isize != -1, "no shared memory");
        *q = at as *mut Words;
        q.write(Words::new());
    }
}
unsafe extern "C" fn open(me: c_int, _: c_int) {
    let me = me as usize;
    ENDS = Ends { inbox: QUEUES[me], outbox: QUEUES[1 - me] };
}

unsafe fn ends() -> &'static mut Ends {
    &mut *addr_of_mut!(ENDS)
}

impl Link for Ends {
    #[inline(always)]
    fn send(&mut self, _: usize, make: impl Fn(*mut u8)) {
        let (mut word, mut tries) = (0u64, 0);
        make(&raw mut word as *mut u8);
        while unsafe { !(*self.outbox).push(&word) } {
            idle(&mut tries);
        }
    }
    #[inline(always)]
    fn take(&mut self, _: usize, read: impl Fn(*const u8) -> u64) -> u64 {
        let mut tries = 0;
        loop {
            if let Some(word) = unsafe { (*self.inbox).pop() } {
                return read(&raw const word as *const u8);
            }
            idle(&mut tries);
        }
    }
}

crate::loops!(ends());

#[no_mangle]
pub static contender_spsc: Contender = Contender {
    name: c"iceoryx2, bare queue".as_ptr(),
    rows: contender::ROUND_TRIPS | contender::STREAM,
    most: 8,
    create: Some(create),
    open: Some(open),
    ping: Some(ping),
    pong: Some(pong),
    send: Some(send),
    receive: Some(receive),
    ..contender::NONE
};
