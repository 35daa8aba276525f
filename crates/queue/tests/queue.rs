//! The crate as its users have it: threads, sockets, loans, errors, event loops.

use fathom_queue::{Endpoint, Error, Kind, Queue, Records, Shared, Single, Transmit};
use std::borrow::Cow;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// For what hangs.
const LONG: Duration = Duration::from_secs(600);

fn pair() -> (Endpoint, Queue, Transmit) {
    let endpoint = Endpoint::new().unwrap();
    let (inbox, out) = (endpoint.queue(0, 4).unwrap(), endpoint.transmit(0, 2).unwrap());
    out.connect(0, &inbox, 7).unwrap();
    (endpoint, inbox, out)
}

#[test]
fn words_and_bytes_come_in_order_with_their_source() {
    let (_endpoint, inbox, out) = pair();
    out.express(0, 31, u64::MAX).unwrap();
    out.send(0, 1, b"12345678").unwrap();
    out.send(0, 2, &[9; 100]).unwrap();
    out.send(0, 3, b"").unwrap();
    let first = inbox.receive().unwrap();
    assert_eq!((first.tag(), first.word(), first.source(), first.kind()), (31, u64::MAX, 7, Kind::Express));
    assert_eq!(&*inbox.receive().unwrap().data(), b"12345678");
    let third = inbox.receive().unwrap();
    assert!(matches!(third.data(), Cow::Borrowed(bytes) if bytes == [9; 100]) && third.len() == 100);
    let mut some = [0; 3];
    assert_eq!((third.copy_to(&mut some), some), (3, [9; 3]));
    assert!(inbox.receive().unwrap().is_empty());
    assert!(inbox.receive().is_none());
}

#[test]
fn many_are_taken_at_once_and_each_is_released() {
    let (endpoint, inbox, out) = pair();
    assert!(inbox.receive_many(10).is_empty() && inbox.receive_many(0).is_empty());
    for round in 0..20 {
        out.express(0, 1, round).unwrap();
        (1..4).for_each(|i| out.send(0, 2, &[i; 50]).unwrap());
        assert_eq!(out.send(0, 0, &[0; 50]), Err(Error::Full));
        let first = inbox.receive_many(3);
        assert_eq!(first.iter().map(|m| m.word()).collect::<Vec<_>>(), [round, 0, 0]);
        let rest = inbox.receive_many(10);
        assert!(rest.len() == 1 && *rest[0].data() == [3; 50] && *first[2].data() == [2; 50]);
    }
    let mut records = endpoint.record_queue(1, 0).unwrap();
    out.connect(1, &records, 7).unwrap();
    (0..3).for_each(|i| out.send(1, i, &[i; 50]).unwrap());
    for i in 0..3 {
        let record = records.receive_many(10);
        assert!(record.len() == 1 && record[0].tag() == i && *record[0].data() == [i; 50]);
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let (endpoint, inbox, out) = pair();
    assert_eq!(out.express(1, 0, 0), Err(Error::NoRow));
    assert_eq!(out.express(9, 0, 0), Err(Error::NoRow));
    assert_eq!(out.express(0, 32, 0), Err(Error::Wrong));
    assert_eq!(out.send(0, 0, &[0; 2000]), Err(Error::TooLong));
    (0..4).for_each(|i| out.express(0, 0, i).unwrap());
    assert_eq!(out.express(0, 0, 4), Err(Error::Full));
    assert!(!out.wait_for_room(0, Duration::from_millis(1)));
    assert_eq!((0..4).map(|_| inbox.receive().unwrap().word()).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(out.wait_for_room(0, LONG));
    let text = |why: Error| why.to_string();
    assert!(text(endpoint.queue(0, 0).unwrap_err()).contains("exists already"));
    assert!(text(endpoint.set_residents(513).unwrap_err()).contains("0 to 512"));
    endpoint.set_residents(0).unwrap();
    assert!(text(endpoint.queue(1, 5).unwrap_err()).contains("power of two"));
    assert!(text(endpoint.queue(512, 0).unwrap_err()).contains("0 to 511"));
    assert!(text(out.connect(0, &inbox, 1).unwrap_err()).contains("connected already"));
    let other = Endpoint::new().unwrap();
    assert!(text(other.set().add(&inbox).unwrap_err()).contains("another"));
}

#[test]
fn any_threads_send_and_receive_each_message_once() {
    const SENDERS: u64 = 4;
    const EACH: u64 = 20_000;
    let endpoint = Endpoint::new().unwrap();
    let (inbox, out) = (endpoint.queue(0, 0).unwrap(), endpoint.transmit(0, 1).unwrap());
    out.connect(0, &inbox, 0).unwrap();
    let taken = AtomicU64::new(0);
    let taken = std::thread::scope(|scope| {
        let taken = &taken;
        for sender in 0..SENDERS {
            let out = &out;
            scope.spawn(move || {
                for i in 0..EACH {
                    let word = sender * EACH + i;
                    // Words and bytes by turns: both are slots of one ring.
                    let send = |w: u64| match w % 2 {
                        0 => out.express(0, 1, w),
                        _ => out.send(0, 2, &[&w.to_ne_bytes()[..], &[0; 30]].concat()),
                    };
                    while send(word) == Err(Error::Full) {
                        out.wait_for_room(0, LONG);
                    }
                }
            });
        }
        let receivers: Vec<_> = (0..2)
            .map(|_| {
                let (inbox, endpoint) = (&inbox, &endpoint);
                scope.spawn(move || {
                    let mut set = endpoint.set();
                    set.add(inbox).unwrap();
                    let mut words = vec![];
                    while taken.load(Ordering::SeqCst) < SENDERS * EACH {
                        let Some(message) = set.wait(Some(Duration::from_millis(20))) else { continue };
                        taken.fetch_add(1, Ordering::SeqCst);
                        let data = message.data();
                        let word = if message.tag() == 1 {
                            message.word().to_ne_bytes()
                        } else {
                            data[..8].try_into().unwrap()
                        };
                        words.push(u64::from_ne_bytes(word));
                    }
                    words
                })
            })
            .collect();
        receivers.into_iter().map(|r| r.join().unwrap()).collect::<Vec<_>>()
    });
    let mut all = taken.concat();
    all.sort_unstable();
    assert!(all.iter().copied().eq(0..SENDERS * EACH), "{} messages", all.len());
}

#[test]
fn single_queues_and_records() {
    let endpoint = Endpoint::new().unwrap();
    let mut inbox: Queue<Single> = endpoint.single_queue(0, 0).unwrap();
    let mut records = endpoint.record_queue(1, 0).unwrap();
    let mut out: Transmit<Single> = endpoint.single_transmit(0, 2).unwrap();
    out.connect(0, &inbox, 1).unwrap();
    out.connect(1, &records, 2).unwrap();
    // A single queue may go to another thread as a whole.
    std::thread::spawn(move || {
        for i in 0..1000u64 {
            out.express(0, 1, i).unwrap();
            out.send(1, 2, &vec![i as u8; 3000]).unwrap();
            assert_eq!(inbox.receive().unwrap().word(), i);
            let record = records.receive().unwrap();
            assert!(record.kind() == Kind::Record && *record.data() == vec![i as u8; 3000]);
        }
    })
    .join()
    .unwrap();
}

#[test]
fn blocks_are_lent_until_their_message_goes() {
    let endpoint = Endpoint::new().unwrap();
    let (inbox, out) = (endpoint.queue(0, 0).unwrap(), endpoint.transmit(0, 2).unwrap());
    let region = out.region(2, 1000).unwrap();
    out.connect(0, &inbox, 1).unwrap();
    let mut one = region.take().unwrap();
    let two = region.take().unwrap();
    assert!(region.take().is_none());
    drop(two);
    assert!(region.take().is_some());
    one.fill(5);
    let (why, mut one) = out.send_block(1, 0, 0, one, 10).unwrap_err();
    assert_eq!(why, Error::NoRow);
    one[0] = 6;
    out.send_block(0, 3, 99, one, 1000).unwrap();
    let message = inbox.receive().unwrap();
    let _other = region.take().unwrap();
    assert!(region.take().is_none(), "a message that is read lends its block");
    assert!(matches!(message.data(), Cow::Borrowed(b) if b[0] == 6 && b[1..] == [5; 999]));
    drop(message);
    assert!(region.take().is_some());
    // Another transmit queue's block.
    let elsewhere = endpoint.transmit(1, 1).unwrap();
    let block = elsewhere.region(1, 64).unwrap().take().unwrap();
    assert_eq!(out.send_block(0, 0, 0, block, 1).unwrap_err().0, Error::Wrong);
}

#[test]
fn a_destination_is_given_back_and_nothing_is_lost() {
    let endpoint = Endpoint::new().unwrap();
    let (inbox, out) = (endpoint.queue(0, 0).unwrap(), endpoint.transmit(0, 2).unwrap());
    let region = out.region(1, 64).unwrap();
    let why = out.disconnect(1).unwrap_err().to_string();
    assert_eq!(why, "row 1 of transmit queue 0 is not connected");
    assert!(out.disconnect(2).unwrap_err().to_string().contains("has no row 2 (0 to 1)"));
    out.connect(1, &inbox, 1).unwrap();
    let mut block = region.take().unwrap();
    block.fill(7);
    out.send_block(1, 3, 0, block, 64).unwrap();
    out.disconnect(1).unwrap();
    assert_eq!(out.express(1, 0, 0), Err(Error::NoRow));
    assert!(region.take().is_none(), "a message that waits lends its block, whatever became of the row");
    out.connect(1, &inbox, 2).unwrap();
    assert!(region.take().is_none());
    let message = inbox.receive().unwrap();
    assert_eq!((message.source(), &*message.data()), (1, &[7; 64][..]));
    assert!(region.take().is_none());
    drop(message);
    assert!(region.take().is_some());
}

#[test]
fn strangers_connect_by_a_socket_and_their_data_are_copied() {
    let (here, there) = UnixStream::pair().unwrap();
    let sender = std::thread::spawn(move || {
        let endpoint = Endpoint::new().unwrap();
        let out = endpoint.transmit(0, 1).unwrap();
        out.dial(0, &there, LONG).unwrap();
        out.send(0, 1, b"who are you, and do you trust me?").unwrap();
        let refused = out.dial(0, &there, LONG).unwrap_err();
        assert!(refused.to_string().contains("connected already"), "{refused}");
        endpoint
    });
    let endpoint = Endpoint::new().unwrap();
    let inbox = endpoint.queue(3, 0).unwrap();
    inbox.answer(55, &here, LONG).unwrap();
    let mut set = endpoint.set();
    set.add(&inbox).unwrap();
    let message = set.wait(Some(LONG)).unwrap();
    assert_eq!((message.source(), message.queue()), (55, 3));
    assert!(matches!(message.data(), Cow::Owned(bytes) if bytes == b"who are you, and do you trust me?"));
    drop(sender.join().unwrap());
    let failed = inbox.answer(56, &here, Duration::from_millis(50)).unwrap_err();
    assert!(matches!(failed, Error::Failed(_)), "{failed:?}");
}

#[test]
fn an_event_loop_is_woken() {
    let (endpoint, inbox, out) = pair();
    let events = endpoint.events().unwrap();
    let mut set = endpoint.set();
    set.add(&inbox).unwrap();
    let readable = |ms| {
        let mut poll = libc::pollfd { fd: events.as_fd().as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor.
        unsafe { libc::poll(&mut poll, 1, ms) == 1 }
    };
    for round in 0..100 {
        assert!(set.arm());
        assert!(!readable(0));
        std::thread::scope(|scope| {
            scope.spawn(|| out.express(0, 0, round).unwrap());
            assert!(readable(10_000));
        });
        set.disarm();
        assert_eq!(set.poll().unwrap().word(), round);
    }
    out.express(0, 0, 5).unwrap();
    assert!(!set.arm(), "a message is there");
    set.disarm();
}

#[test]
fn handles_keep_their_endpoint_alive() {
    fn is_send<T: Send>() {}
    fn is_sync<T: Sync>() {}
    is_send::<Queue<Shared>>();
    is_sync::<Queue<Shared>>();
    is_send::<Queue<Single>>();
    is_send::<Transmit<Single>>();
    is_sync::<Transmit<Shared>>();
    let (endpoint, inbox, out) = pair();
    drop(endpoint);
    out.send(0, 1, &[3; 50]).unwrap();
    drop(out);
    assert_eq!(*inbox.receive().unwrap().data(), [3; 50]);
}

#[test]
fn threads_share_a_queue_of_records() {
    const SENDERS: u64 = 3;
    const EACH: u64 = 5_000;
    let endpoint = Endpoint::new().unwrap();
    let inbox: Queue<Records> = endpoint.shared_record_queue(0, 4096).unwrap();
    let out = endpoint.transmit(0, 1).unwrap();
    out.connect(0, &inbox, 7).unwrap();
    let taken = AtomicU64::new(0);
    let taken = std::thread::scope(|scope| {
        for sender in 0..SENDERS {
            let out = &out;
            scope.spawn(move || {
                let mut next = 0;
                while next < EACH {
                    // Lengths and numbers of records by turns; those of one call follow each other.
                    let made: Vec<Vec<u8>> = (next..EACH.min(next + 1 + next % 5))
                        .map(|i| [&(sender * EACH + i).to_ne_bytes()[..], &vec![i as u8; (i % 40) as usize]].concat())
                        .collect();
                    let records: Vec<(u8, &[u8])> = made.iter().map(|data| (sender as u8, &data[..])).collect();
                    match out.send_records(0, &records) {
                        Ok(sent) => next += sent as u64,
                        Err(Error::Full) => _ = out.wait_for_room(0, LONG),
                        Err(why) => panic!("{why}"),
                    }
                }
            });
        }
        let receive = || {
            let mut words = vec![];
            while taken.load(Ordering::SeqCst) < SENDERS * EACH {
                let word = inbox.read(|record| {
                    let data = record.data();
                    let word = u64::from_ne_bytes(data[..8].try_into().unwrap());
                    assert_eq!(
                        (record.kind(), record.source(), u64::from(record.tag())),
                        (Kind::Record, 7, word / EACH)
                    );
                    assert!(data[8..] == vec![(word % EACH) as u8; (word % EACH % 40) as usize]);
                    word
                });
                match word {
                    Some(word) => {
                        taken.fetch_add(1, Ordering::SeqCst);
                        words.push(word);
                    }
                    None => std::thread::yield_now(),
                }
            }
            words
        };
        let receivers: Vec<_> = (0..2).map(|_| scope.spawn(receive)).collect();
        receivers.into_iter().map(|r| r.join().unwrap()).collect::<Vec<_>>()
    });
    for words in &taken {
        for sender in 0..SENDERS {
            let own: Vec<_> = words.iter().filter(|w| **w / EACH == sender).collect();
            assert!(own.is_sorted(), "records of one sender in the wrong order");
        }
    }
    let mut all = taken.concat();
    all.sort_unstable();
    assert!(all.iter().copied().eq(0..SENDERS * EACH), "{} records", all.len());
}

#[test]
fn a_record_is_given_back_when_its_reader_panics_and_is_not_read_twice_by_a_thread() {
    let endpoint = Endpoint::new().unwrap();
    let inbox = endpoint.shared_record_queue(0, 256).unwrap();
    let out = endpoint.transmit(0, 2).unwrap();
    out.connect(0, &inbox, 7).unwrap();
    assert!(inbox.read(|_| ()).is_none());
    assert_eq!(out.send_records(0, &[]), Ok(0));
    assert_eq!(out.send_records(0, &[(1, b"one"), (2, b"two"), (3, &[0; 500])]), Ok(2));
    let twice = std::panic::AssertUnwindSafe(|| inbox.read(|_| inbox.read(|_| ())));
    let why = std::panic::catch_unwind(twice).unwrap_err();
    assert!(why.downcast_ref::<&str>().unwrap().contains("reads a record of the queue already"));
    let other = std::thread::scope(|scope| scope.spawn(|| inbox.read(|r| r.data().to_vec())).join().unwrap());
    assert_eq!(other.unwrap(), b"two");
    assert_eq!(out.send_records(1, &[(0, b"")]), Err(Error::NoRow));
    assert_eq!(out.send_records(0, &[(32, b"")]), Err(Error::Wrong));
    assert_eq!(out.send_records(0, &[(1, &[0; 500])]), Err(Error::TooLong));
    let full = vec![(1, &[5u8; 56][..]); 9];
    assert_eq!(out.send_records(0, &full), Ok(3), "of 64 bytes each, in 256, of which the last 32 are no place");
    assert_eq!(out.send_records(0, &full), Err(Error::Full));
}

#[test]
fn runs_of_records_are_sent_with_one_header_and_taken_together() {
    for bytes in [8, 3, 100] {
        const RECORDS: usize = 1000;
        let endpoint = Endpoint::new().unwrap();
        let mut inbox = endpoint.record_queue(0, 4096).unwrap();
        let out = endpoint.transmit(0, 2).unwrap();
        out.connect(0, &inbox, 7).unwrap();
        let data: Vec<u8> = (0..RECORDS).flat_map(|i| vec![(i % 251) as u8; bytes]).collect();
        let (mut sent, mut got) = (0, 0);
        while got < RECORDS {
            match out.send_run(0, 5, bytes, &data[sent * bytes..]) {
                Ok(n) => sent += n,
                Err(why) => assert_eq!(why, Error::Full),
            }
            let taken = inbox.take_many(70);
            assert!(!taken.is_empty() && taken.len() <= 70);
            for (i, record) in taken.iter().enumerate() {
                assert_eq!((record.kind(), record.tag(), record.source()), (Kind::Record, 5, 7));
                assert!(matches!(record.data(), Cow::Borrowed(d) if d == &data[(got + i) * bytes..][..bytes]));
            }
            assert_eq!(*taken[0].data(), data[got * bytes..][..bytes]);
            got += taken.len();
        }
        assert!(sent == RECORDS && inbox.take_many(9).is_empty() && inbox.take_many(0).is_empty());
        assert_eq!(out.send_run(0, 0, bytes, &[]), Ok(0));
        assert_eq!(out.send_run(1, 0, bytes, &data), Err(Error::NoRow));
        assert_eq!(out.send_run(0, 32, bytes, &data), Err(Error::Wrong));
        assert_eq!(out.send_run(0, 0, 0, &data), Err(Error::Wrong));
        assert_eq!(out.send_run(0, 0, 7, &[0; 13]), Err(Error::Wrong));
        assert_eq!(out.send_run(0, 0, 5000, &[0; 10_000]), Err(Error::TooLong));
    }
    // 8 bytes take 8 bytes of the ring, but for the headers.
    let endpoint = Endpoint::new().unwrap();
    let (inbox, out) = (endpoint.record_queue(0, 4096).unwrap(), endpoint.transmit(0, 1).unwrap());
    out.connect(0, &inbox, 7).unwrap();
    assert!(out.send_run(0, 1, 8, &[0; 8000]).is_ok_and(|n| (500..512).contains(&n)));
    // Of another queue each is given back by itself.
    let endpoint = Endpoint::new().unwrap();
    let mut inbox = endpoint.single_queue(0, 4).unwrap();
    let mut out = endpoint.single_transmit(0, 1).unwrap();
    out.connect(0, &inbox, 7).unwrap();
    for _ in 0..10 {
        (0..4).for_each(|i| out.send(0, i, &[i; 20]).unwrap());
        let taken = inbox.take_many(9);
        assert_eq!(taken.iter().map(|m| m.data()[0]).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(out.send(0, 0, &[0; 20]), Err(Error::Full));
    }
    assert_eq!(out.send_run(0, 0, 8, &[0; 16]), Err(Error::Wrong));
}

#[test]
fn bulk_data_come_into_the_window_and_lie_still_until_they_are_released() {
    const LINE: u64 = 64;
    let endpoint = Endpoint::new().unwrap();
    let (inbox, out) = (endpoint.queue(0, 4).unwrap(), endpoint.transmit(0, 2).unwrap());
    inbox.set_window(1 << 16).unwrap();
    assert!(endpoint.record_queue(1, 0).unwrap().set_window(4096).is_err());
    out.connect(0, &inbox, 7).unwrap();
    let job = out.bulk(0, 5, 0xabcd, LINE, vec![3; 10_000]).unwrap();
    assert_eq!(job.wait()[..], [3; 10_000]);
    let message = inbox.receive().unwrap();
    assert_eq!((message.kind(), message.tag(), message.word(), message.len()), (Kind::Bulk, 5, 0xabcd, 10_000));
    assert!(matches!(message.data(), Cow::Borrowed(data) if data == [3; 10_000]));
    // What the message lends is not written; what lies beside it is.
    assert_eq!(out.bulk_copy(0, 5, 1, 0, &[4; 65]), Err(Error::Full));
    let (why, data) = out.bulk(0, 5, 1, LINE * 100, vec![4; 64]).unwrap_err();
    assert_eq!((why, data.len()), (Error::Full, 64));
    out.bulk_copy(0, 5, 1, 0, &[4; 64]).unwrap();
    assert_eq!(*inbox.receive().unwrap().data(), [4; 64]);
    assert!(message.data().iter().all(|b| *b == 3));
    drop(message);
    out.bulk_copy(0, 5, 2, 0, &[6; 20_000]).unwrap();
    assert_eq!(*inbox.receive().unwrap().data(), [6; 20_000]);
    // A job whose queue is full goes on without its handle; the data are kept until then.
    (0..4).for_each(|i| out.express(0, 0, i).unwrap());
    let job = out.bulk(0, 9, 3, 0, vec![8; 5000]).unwrap();
    let job = job.finish().unwrap_err();
    assert_eq!(out.bulk_copy(0, 5, 2, 0, &[6; 64]), Err(Error::Full));
    drop(job);
    let last = loop {
        match inbox.receive() {
            Some(m) if m.kind() == Kind::Bulk => break m,
            _ => std::thread::yield_now(),
        }
    };
    assert_eq!((last.tag(), &*last.data()), (9, &[8; 5000][..]));
    assert_eq!(out.bulk_copy(0, 0, 0, (1 << 16) - LINE, &[0; 65]), Err(Error::TooLong));
    assert_eq!(out.bulk_copy(0, 0, 0, u64::MAX, &[0; 65]), Err(Error::TooLong));
    assert_eq!(out.bulk_copy(0, 0, 0, LINE * 1000 + 1, &[0]), Err(Error::Wrong));
    assert_eq!(out.bulk_copy(0, 32, 0, 0, &[0]), Err(Error::Full), "what the last message lends comes first");
    assert_eq!(out.bulk_copy(1, 0, 0, 0, &[0]), Err(Error::NoRow));
    assert_eq!(out.bulk(1, 0, 0, 0, vec![1; 3]).unwrap_err(), (Error::NoRow, vec![1; 3].into()));
}

#[test]
fn a_job_that_never_ends_keeps_its_data_until_the_endpoint_goes() {
    let endpoint = Endpoint::new().unwrap();
    let (inbox, out) = (endpoint.queue(0, 4).unwrap(), endpoint.transmit(0, 1).unwrap());
    inbox.set_window(4096).unwrap();
    out.connect(0, &inbox, 7).unwrap();
    (0..4).for_each(|i| out.express(0, 0, i).unwrap());
    drop(out.bulk(0, 1, 1, 0, vec![1; 4096]).unwrap());
}
