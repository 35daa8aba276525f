//! iceoryx2's publish-subscribe between processes: messages are made in memory that it lends, and not copied. A publisher
//! whose subscriber is behind waits for it. A service for each direction and size.

use crate::contender::{self, idle, Contender, Link, LINE};
use iceoryx2::port::listener::Listener;
use iceoryx2::port::notifier::Notifier;
use iceoryx2::port::publisher::Publisher;
use iceoryx2::port::subscriber::Subscriber;
use iceoryx2::prelude::*;
use std::ffi::{c_int, c_long};
use std::ptr::addr_of_mut;

type Ipc = ipc::Service;

/// Of this process. Ports live as long as it does.
struct Ports {
    me: usize,
    node: Node<Ipc>,
    publisher: Option<Publisher<Ipc, [u64], ()>>,
    subscriber: Option<Subscriber<Ipc, [u64], ()>>,
    listener: Option<Listener<Ipc>>,
    notifier: Option<Notifier<Ipc>>,
    silent: Vec<Subscriber<Ipc, [u64], ()>>,
}
static mut PORTS: Option<Ports> = None;

/// Nobody else has a service of this name: it has the number of the process that started us.
fn name(what: &str) -> ServiceName {
    let parent = unsafe { libc_getppid() };
    format!("fathom-bench-queues/{parent}/{what}").as_str().try_into().expect("a service's name")
}
extern "C" {
    #[link_name = "getppid"]
    fn libc_getppid() -> c_int;
}

unsafe fn ports() -> &'static mut Ports {
    (*addr_of_mut!(PORTS)).as_mut().expect("`open` comes first")
}

unsafe extern "C" fn open(me: c_int, _: c_int) {
    set_log_level(LogLevel::Error);
    let node = NodeBuilder::new().create::<Ipc>().expect("a node");
    let me = me as usize;
    PORTS = Some(Ports { me, node, publisher: None, subscriber: None, listener: None, notifier: None, silent: vec![] });
    let event = ports().node.service_builder(&name("wake")).event().open_or_create().expect("an event");
    match me {
        0 => ports().listener = Some(event.listener_builder().create().expect("a listener")),
        _ => ports().notifier = Some(event.notifier_builder().create().expect("a notifier")),
    }
    prepare(8);
}

/// Ports for messages of this length.
unsafe extern "C" fn prepare(bytes: usize) {
    let p = ports();
    (p.publisher, p.subscriber) = (None, None);
    let service = |to: usize| {
        p.node
            .service_builder(&name(&format!("{to}/{bytes}")))
            .publish_subscribe::<[u64]>()
            .payload_alignment(Alignment::new(LINE).expect("a power of two"))
            .enable_safe_overflow(false)
            // As many as a lane of ours has slots, while they take little memory.
            .subscriber_max_buffer_size(if bytes <= 4096 { 256 } else { 4 })
            .subscriber_max_borrowed_samples(2)
            .max_publishers(9)
            .max_subscribers(1)
            .max_nodes(16)
            .open_or_create()
            .expect("a service")
    };
    // Participants from 2 on only send.
    if p.me < 2 {
        p.subscriber = Some(service(p.me).subscriber_builder().create().expect("a subscriber"));
    }
    let there = service(usize::from(p.me == 0));
    let publisher = there
        .publisher_builder()
        .initial_max_slice_len(bytes.div_ceil(8))
        .max_loaned_samples(2)
        .backpressure_strategy(BackpressureStrategy::RetryUntilDelivered);
    p.publisher = Some(publisher.create().expect("a publisher"));
}

unsafe extern "C" fn close() {
    PORTS = None;
}

impl Link for Ports {
    #[inline(always)]
    fn send(&mut self, bytes: usize, make: impl Fn(*mut u8)) {
        let publisher = self.publisher.as_ref().expect("`prepare` comes first");
        let mut sample = publisher.loan_slice_uninit(bytes.div_ceil(8)).expect("memory for a message");
        make(sample.payload_mut().as_mut_ptr() as *mut u8);
        let receivers = unsafe { sample.assume_init() }.send().expect("a message");
        assert_eq!(receivers, 1, "a message has gone to nobody");
    }
    #[inline(always)]
    fn take(&mut self, _: usize, read: impl Fn(*const u8) -> u64) -> u64 {
        let subscriber = self.subscriber.as_ref().expect("`prepare` comes first");
        let mut tries = 0;
        loop {
            if let Some(sample) = subscriber.receive().expect("a message") {
                return read(sample.payload().as_ptr() as *const u8);
            }
            idle(&mut tries);
        }
    }
}

crate::loops!(ports());
unsafe extern "C" fn bulk_out(n: c_long, bytes: usize) {
    contender::bulk(ports(), n, bytes);
}

/// Sleeping is done by events; a message beside each, as in the others.
unsafe extern "C" fn wake_in() {
    let p = ports();
    let listener = p.listener.as_mut().expect("participant 0 listens");
    let mut woken = false;
    while !woken {
        listener.blocking_wait(|_| woken = true).expect("an event");
    }
    receive(1, 8);
}
unsafe extern "C" fn wake_out() {
    send(1, 8);
    ports().notifier.as_ref().expect("participant 1 notifies").notify().expect("an event");
}

/// Each queue is a subscriber, asked in turn.
unsafe extern "C" fn poll_open(queues: c_int) {
    let p = ports();
    p.silent.clear();
    for q in 0..queues {
        let service = p.node.service_builder(&name(&format!("poll/{queues}/{q}"))).publish_subscribe::<[u64]>();
        let service = service.open_or_create().expect("a service");
        p.silent.push(service.subscriber_builder().create().expect("a subscriber"));
    }
}
unsafe extern "C" fn poll(n: c_long) -> c_long {
    let all = &ports().silent;
    (0..n).map(|_| c_long::from(all.iter().any(|s| s.has_samples().expect("a look")))).sum()
}

#[no_mangle]
pub static contender_iceoryx2: Contender = Contender {
    name: c"iceoryx2".as_ptr(),
    rows: contender::ROUND_TRIPS | contender::STREAM | contender::BULK | contender::SENDERS,
    open: Some(open),
    prepare: Some(prepare),
    close: Some(close),
    ping: Some(ping),
    pong: Some(pong),
    send: Some(send),
    receive: Some(receive),
    bulk_out: Some(bulk_out),
    bulk_in: Some(receive),
    wake_in: Some(wake_in),
    wake_out: Some(wake_out),
    poll_open: Some(poll_open),
    poll: Some(poll),
    ..contender::NONE
};
