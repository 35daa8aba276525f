//! The declarations of `msg.h` that this crate uses. A test compares layouts and numbers with the header's.

use std::ffi::{c_char, c_int, c_uint, c_void};

#[repr(C)]
pub struct Endpoint(c_void);
#[repr(C)]
pub struct Queue(c_void);
#[repr(C)]
pub struct Transmit(c_void);
#[repr(C)]
pub struct Region(c_void);

pub const FULL: c_int = 1;
pub const NO_ROW: c_int = 2;
pub const TOO_LONG: c_int = 3;
pub const WRONG: c_int = 4;
#[allow(dead_code)] // every other number
pub const FAILED: c_int = 5;

pub const SINGLE: c_uint = 1;
pub const BASIC: c_uint = 2;

pub const EMPTY: u8 = 0;
pub const EXPRESS: u8 = 1;
pub const DATA: u8 = 2;
pub const BULK: u8 = 3;
pub const RECORD: u8 = 4;
#[allow(dead_code)] // of queues of records in sets, which this crate does not have
pub const READY: u8 = 5;

pub const NO_TICKET: u64 = u64::MAX;
pub const MOST_RUN: usize = 65536;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Message {
    pub word: u64,
    pub data: *const c_void,
    pub bytes: u64,
    pub source: u32,
    pub queue: u16,
    pub tag: u8,
    pub kind: u8,
    pub lane: u16,
    pub serial: u32,
    pub place: u64,
}

#[repr(C)]
pub struct Set {
    pub endpoint: *mut Endpoint,
    pub mask: [u64; 8],
    pub empty_word: u64,
    pub empty_tag: u8,
    pub first: u8,
    pub last: u8,
}

/// `state` of a job that is done: the library's own number, which a test asks it for.
pub const JOB_DONE: u32 = 2;

#[repr(C)]
#[derive(Debug)]
pub struct Job {
    pub state: u32,
    pub ticket: u64,
    pub next: *mut Job,
    pub row: *mut c_void,
    pub data: *const c_void,
    pub bytes: u64,
    pub offset: u64,
    pub stamp: u64,
}

extern "C" {
    pub fn msg_error() -> *const c_char;
    pub fn msg_endpoint_create() -> *mut Endpoint;
    pub fn msg_set_residents(e: *mut Endpoint, most: c_uint) -> c_int;
    pub fn msg_endpoint_close(e: *mut Endpoint);
    pub fn msg_queue_create(e: *mut Endpoint, number: c_int, slots: u32, flags: c_uint) -> *mut Queue;
    pub fn msg_transmit_create(e: *mut Endpoint, number: c_int, destinations: c_uint, flags: c_uint) -> *mut Transmit;
    pub fn msg_region_create(t: *mut Transmit, bytes: usize) -> *mut Region;
    pub fn msg_region_memory(r: *const Region) -> *mut c_void;
    pub fn msg_connect(t: *mut Transmit, destination: c_uint, q: *mut Queue, source: u32) -> c_int;
    pub fn msg_dial(t: *mut Transmit, destination: c_uint, socket: c_int, timeout_ms: c_int) -> c_int;
    pub fn msg_answer(q: *mut Queue, source: u32, socket: c_int, timeout_ms: c_int) -> c_int;
    pub fn msg_disconnect(t: *mut Transmit, destination: c_uint) -> c_int;
    pub fn msg_express(t: *mut Transmit, destination: c_uint, tag: c_uint, word: u64) -> c_int;
    pub fn msg_tag_on(
        t: *mut Transmit,
        destination: c_uint,
        tag: c_uint,
        word: u32,
        data: *const c_void,
        bytes: u32,
        ticket: *mut u64,
    ) -> c_int;
    pub fn msg_is_released(t: *mut Transmit, destination: c_uint, ticket: u64) -> bool;
    pub fn msg_send(
        t: *mut Transmit,
        destination: c_uint,
        tag: c_uint,
        data: *const c_void,
        bytes: u32,
        ticket: *mut u64,
    ) -> c_int;
    pub fn msg_set_window(q: *mut Queue, bytes: usize) -> c_int;
    pub fn msg_bulk(
        t: *mut Transmit,
        destination: c_uint,
        tag: c_uint,
        word: u16,
        offset: u64,
        data: *const c_void,
        bytes: u64,
        job: *mut Job,
    ) -> c_int;
    pub fn msg_bulk_is_done(job: *const Job) -> bool;
    pub fn msg_bulk_copy(
        t: *mut Transmit,
        destination: c_uint,
        tag: c_uint,
        word: u16,
        offset: u64,
        data: *const c_void,
        bytes: u64,
        ticket: *mut u64,
    ) -> c_int;
    pub fn msg_basic_reserve(t: *mut Transmit, destination: c_uint, bytes: u32) -> *mut c_void;
    pub fn msg_basic_add(t: *mut Transmit, destination: c_uint, tag: c_uint, bytes: u32);
    pub fn msg_basic_reserve_many(t: *mut Transmit, destination: c_uint, bytes: u32, count: u32) -> *mut c_void;
    pub fn msg_basic_add_many(t: *mut Transmit, destination: c_uint, tag: c_uint, count: u32);
    pub fn msg_basic_publish(t: *mut Transmit, destination: c_uint);
    pub fn msg_basic_send(t: *mut Transmit, destination: c_uint, tag: c_uint, data: *const c_void, bytes: u32)
        -> c_int;
    pub fn msg_wait_for_room(t: *mut Transmit, destination: c_uint, timeout_ms: c_int) -> bool;
    pub fn msg_receive(q: *mut Queue, m: *mut Message) -> bool;
    pub fn msg_receive_many(q: *mut Queue, m: *mut Message, most: usize) -> usize;
    pub fn msg_release(q: *mut Queue, m: *const Message);
    pub fn msg_set_init(s: *mut Set, e: *mut Endpoint);
    pub fn msg_set_add(s: *mut Set, q: *const Queue);
    pub fn msg_poll(s: *const Set, m: *mut Message) -> bool;
    pub fn msg_wait(s: *const Set, m: *mut Message, timeout_ms: c_int) -> bool;
    pub fn msg_fd(e: *mut Endpoint) -> c_int;
    pub fn msg_arm(s: *const Set) -> bool;
    pub fn msg_disarm(s: *const Set);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    extern "C" {
        static fathom_queue_layout: [usize; 36];
    }

    #[test]
    fn the_declarations_are_those_of_the_header() {
        let own = [
            size_of::<Message>(),
            offset_of!(Message, word),
            offset_of!(Message, data),
            offset_of!(Message, bytes),
            offset_of!(Message, source),
            offset_of!(Message, queue),
            offset_of!(Message, tag),
            offset_of!(Message, kind),
            offset_of!(Message, lane),
            offset_of!(Message, serial),
            offset_of!(Message, place),
            size_of::<Set>(),
            offset_of!(Set, mask),
            offset_of!(Set, empty_word),
            FULL as usize,
            NO_ROW as usize,
            TOO_LONG as usize,
            WRONG as usize,
            FAILED as usize,
            EMPTY as usize,
            EXPRESS as usize,
            DATA as usize,
            BULK as usize,
            RECORD as usize,
            READY as usize,
            size_of::<Job>(),
            offset_of!(Job, state),
            offset_of!(Job, ticket),
            offset_of!(Job, next),
            offset_of!(Job, row),
            offset_of!(Job, data),
            offset_of!(Job, bytes),
            offset_of!(Job, offset),
            offset_of!(Job, stamp),
            JOB_DONE as usize,
            MOST_RUN,
        ];
        // SAFETY: a constant array of C, of this length.
        assert_eq!(own, unsafe { fathom_queue_layout });
    }
}
