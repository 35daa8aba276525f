//! A disruptor (the crate `disruptor`, after LMAX's) of words between threads of one process: one for each direction, with
//! one producer; and one with many producers, to one consumer. Consumers poll.

use crate::contender::{self, idle, Contender, Link, BATCH};
use disruptor::{
    build_multi_producer, build_single_producer, BusySpin, EventPoller, MultiProducer, MultiProducerBarrier, Producer,
    SingleConsumerBarrier, SingleProducer, SingleProducerBarrier,
};
use std::cell::RefCell;
use std::ffi::{c_int, c_long};
use std::sync::Mutex;

const SLOTS: usize = 256;

/// What a thread has of a pair of disruptors; what it waits for comes batch by batch.
struct Ends {
    producer: SingleProducer<u64, SingleConsumerBarrier>,
    poller: EventPoller<u64, SingleProducerBarrier>,
}
type Sender = MultiProducer<u64, SingleConsumerBarrier>;
type Receiver = EventPoller<u64, MultiProducerBarrier>;
enum Part {
    Sends(Sender),
    Receives(Receiver),
}

static PAIR: Mutex<[Option<Ends>; 2]> = Mutex::new([None, None]);
static CROWD: Mutex<Vec<Option<Part>>> = Mutex::new(Vec::new());
thread_local! {
    static ENDS: RefCell<Option<Ends>> = const { RefCell::new(None) };
    static PART: RefCell<Option<Part>> = const { RefCell::new(None) };
}

unsafe extern "C" fn create(_: c_int) {
    let one = || {
        let (poller, builder) = build_single_producer(SLOTS, || 0u64, BusySpin).new_event_poller();
        (builder.build(), poller)
    };
    let ((to_0, from_1), (to_1, from_0)) = (one(), one());
    *PAIR.lock().unwrap() =
        [Some(Ends { producer: to_1, poller: from_1 }), Some(Ends { producer: to_0, poller: from_0 })];
}
unsafe extern "C" fn open(me: c_int, _: c_int) {
    ENDS.set(PAIR.lock().unwrap()[me as usize].take());
}

impl Link for Ends {
    #[inline(always)]
    fn send(&mut self, _: usize, make: impl Fn(*mut u8)) {
        self.producer.publish(|word| make(word as *mut u64 as *mut u8));
    }
    #[inline(always)]
    fn take(&mut self, _: usize, read: impl Fn(*const u8) -> u64) -> u64 {
        let mut tries = 0;
        loop {
            if let Ok(mut events) = self.poller.take(1) {
                if let Some(word) = (&mut events).next() {
                    return read(word as *const u64 as *const u8);
                }
            }
            idle(&mut tries);
        }
    }
}

fn with_ends<T>(f: impl FnOnce(&mut Ends) -> T) -> T {
    ENDS.with_borrow_mut(|e| f(e.as_mut().expect("`open` comes first")))
}
unsafe extern "C" fn ping(n: c_long, bytes: usize) -> u64 {
    with_ends(|e| contender::ping(e, n, bytes))
}
unsafe extern "C" fn pong(n: c_long, bytes: usize) -> u64 {
    with_ends(|e| contender::pong(e, n, bytes))
}
unsafe extern "C" fn send(n: c_long, bytes: usize) {
    with_ends(|e| contender::send(e, n, bytes))
}
unsafe extern "C" fn receive(n: c_long, bytes: usize) -> u64 {
    with_ends(|e| contender::receive(e, n, bytes))
}
unsafe extern "C" fn batch_out(n: c_long, _: usize) {
    with_ends(|e| {
        let mut i = 0u64;
        while i < n as u64 {
            let count = BATCH.min((n as u64 - i) as usize);
            e.producer.batch_publish(count, |words| {
                for word in words {
                    *word = i;
                    i += 1;
                }
            });
        }
    })
}
unsafe extern "C" fn batch_in(n: c_long, _: usize) -> u64 {
    with_ends(|e| {
        let (mut left, mut s) = (n as u64, 0);
        while left > 0 {
            if let Ok(mut words) = e.poller.take(left.min(BATCH as u64)) {
                for word in &mut words {
                    s += unsafe { std::ptr::read_volatile(word) };
                    left -= 1;
                }
            }
        }
        s
    })
}

unsafe extern "C" fn create_crowd(participants: c_int) {
    let (poller, builder) = build_multi_producer(SLOTS, || 0u64, BusySpin).new_event_poller();
    let producer = builder.build();
    let mut all = vec![Some(Part::Receives(poller))];
    all.extend((1..participants).map(|_| Some(Part::Sends(producer.clone()))));
    *CROWD.lock().unwrap() = all;
}
unsafe extern "C" fn open_crowd(me: c_int, _: c_int) {
    PART.set(CROWD.lock().unwrap()[me as usize].take());
}
unsafe extern "C" fn send_crowd(n: c_long, _: usize) {
    PART.with_borrow_mut(|p| {
        let Some(Part::Sends(producer)) = p else { panic!("participant 0 does not send") };
        for i in 0..n as u64 {
            let mut tries = 0;
            while producer.try_publish(|word| *word = i).is_err() {
                idle(&mut tries);
            }
        }
    })
}
unsafe extern "C" fn receive_crowd(n: c_long, _: usize) -> u64 {
    PART.with_borrow_mut(|p| {
        let Some(Part::Receives(poller)) = p else { panic!("only participant 0 receives") };
        let (mut left, mut s, mut tries) = (n as u64, 0, 0);
        while left > 0 {
            match poller.take(1) {
                Ok(mut words) => {
                    for word in &mut words {
                        s += unsafe { std::ptr::read_volatile(word) };
                        left -= 1;
                    }
                }
                Err(_) => idle(&mut tries),
            }
        }
        s
    })
}

#[no_mangle]
pub static contender_disruptor: Contender = Contender {
    name: c"disruptor".as_ptr(),
    kind: contender::THREADS,
    rows: contender::ROUND_TRIPS | contender::STREAM | contender::BATCHES,
    most: 8,
    create: Some(create),
    open: Some(open),
    ping: Some(ping),
    pong: Some(pong),
    send: Some(send),
    receive: Some(receive),
    batch_out: Some(batch_out),
    batch_in: Some(batch_in),
    ..contender::NONE
};

#[no_mangle]
pub static contender_disruptor_many: Contender = Contender {
    name: c"disruptor, many producers".as_ptr(),
    kind: contender::THREADS,
    rows: contender::SENDERS,
    most: 8,
    create: Some(create_crowd),
    open: Some(open_crowd),
    send: Some(send_crowd),
    receive: Some(receive_crowd),
    ..contender::NONE
};
