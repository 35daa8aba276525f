//! Split-C's operations on the simulated T3D: what they cost, and that their sequences avoid the machine's hazards.
//! Each hazard is shown beside it, by the same accesses without the sequence. Results are numbered as in the project's
//! list.

use fathom_machine::parts::shell::{join, Read};
use fathom_machine::{Description, Thread, Time, Words};
use fathom_simulate::split_c::{Bulk, Global, SplitC, What, GETS, SLOTS};

fn description() -> Description {
    let path = format!("{}/../../machines/t3d.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

/// Processors 0 and 1 share a port; 2 is one hop away from both.
const AWAY: u32 = 2;
const LONG: Time = 10_000_000;

fn setup() -> (SplitC<Words>, Vec<Thread>) {
    (SplitC::new(&description(), 4).unwrap(), (0..4).map(Thread::new).collect())
}

fn away(at: u64) -> Global {
    Global::new(AWAY, at)
}

fn word(at: u64, value: u64) -> Words {
    Words::one(at, value)
}

/// What the owner of an address has there, by its own load, at this time.
fn owner_sees(s: &mut SplitC<Words>, now: Time, p: Global) -> u64 {
    let mut owner = Thread { me: p.processor() as usize, now };
    s.machine.load(&mut owner, p.at()).at(p.at())
}

#[test]
fn a_read_after_a_put_is_no_synonym() {
    // T23: one register serves all remote accesses, so that the write buffer sees that both are one word.
    let (mut s, all) = setup();
    let mut t = all[0];
    s.put(&mut t, away(64), word(64, 7));
    assert_eq!(s.read(&mut t, away(64)).at(64), 7);
    // By way of another processor between, whose number the register then has.
    s.put(&mut t, away(64), word(64, 8));
    s.read(&mut t, Global::new(3, 64));
    assert_eq!(s.read(&mut t, away(64)).at(64), 8);
    // Its own memory is register 0, also by a global pointer.
    s.put(&mut t, Global::new(0, 64), word(64, 9));
    assert_eq!(s.machine.load(&mut t, 64).at(64), 9);
}

#[test]
fn a_write_is_there_when_it_returns() {
    // T34: the barrier before the status bit is read.
    let (mut s, all) = setup();
    let mut t = all[0];
    s.write(&mut t, away(64), word(64, 7));
    assert_eq!(owner_sees(&mut s, t.now, away(64)), 7);
    let (mut s, all) = setup();
    let mut t = all[0];
    s.put(&mut t, away(64), word(64, 7));
    s.machine.wait_for_writes(&mut t);
    assert_eq!(owner_sees(&mut s, t.now, away(64)), 0, "without it");
}

#[test]
fn a_read_sees_what_the_owner_has_written_since() {
    // T37: reads are uncached.
    let (mut s, all) = setup();
    let (mut t, mut owner) = (all[0], all[AWAY as usize]);
    assert_eq!(s.read(&mut t, away(64)).at(64), 0);
    owner.now = LONG;
    s.write(&mut owner, away(64), word(64, 7));
    t.now = owner.now;
    assert_eq!(s.read(&mut t, away(64)).at(64), 7);
    // A cached block is dropped when it has been copied, line by line or as a whole.
    for bytes in [64, 16384] {
        let (mut s, all) = setup();
        let (mut t, mut owner) = (all[0], all[AWAY as usize]);
        for (value, now) in [(7, LONG), (8, 100 * LONG)] {
            owner.now = now;
            s.write(&mut owner, away(0), word(0, value));
            t.now = owner.now;
            s.bulk_read(&mut t, Bulk::Cached, 1 << 20, away(0), bytes, Time::MAX);
            assert_eq!(s.machine.load(&mut t, 1 << 20).at(1 << 20), value, "{bytes} bytes");
        }
    }
}

#[test]
fn an_owner_sees_what_was_written_into_its_cached_line_and_its_other_lines_keep_their_words() {
    // T38: the mode in which Split-C runs drops the owner's line, and any other at the same place of the cache.
    let sees = |description: &Description, at: u64| {
        let mut s = SplitC::<Words>::new(description, 4).unwrap();
        let (mut t, mut owner) = (Thread::new(0), Thread::new(AWAY as usize));
        s.machine.store(&mut owner, 64, word(64, 5));
        s.machine.barrier(&mut owner);
        [(); 2].iter().for_each(|()| assert_eq!(s.machine.load(&mut owner, 64).at(64), 5));
        t.now = LONG;
        s.write(&mut t, away(at), word(at, 7));
        owner_sees(&mut s, t.now, away(64))
    };
    assert_eq!((sees(&description(), 64), sees(&description(), 64 + 8192)), (7, 5));
    let stale = description().without("shell.invalidates").unwrap();
    assert_eq!(sees(&stale, 64), 5, "without it the owner's cache stays old");
}

#[test]
fn owners_change_bytes_so_that_none_is_lost() {
    // T39: both requests are on their way at once.
    let (mut s, all) = setup();
    for (me, byte) in [(0, 0), (1, 1)] {
        let mut t = all[me];
        assert!(s.byte_write(&mut t, away(64), byte, 0xAA + byte as u8 * 0x11));
    }
    let mut owner = Thread { now: LONG, ..all[AWAY as usize] };
    while s.poll(&mut owner).is_some() {}
    s.machine.barrier(&mut owner);
    assert_eq!(owner_sees(&mut s, owner.now, away(64)), 0xBBAA);
}

#[test]
fn a_write_to_its_own_memory_is_seen_by_others_before_it_reads_theirs() {
    // T40: writes through global pointers wait, also to this processor's memory.
    let (mut s, all) = setup();
    let seen: Vec<u64> = {
        let mut all = [all[0], all[1]];
        for t in &mut all {
            let own = Global::new(t.me as u32, 64);
            t.now = LONG;
            s.write(t, own, word(64, 1));
        }
        all.iter_mut().map(|t| s.read(t, Global::new(1 - t.me as u32, 64)).at(64)).collect()
    };
    assert_eq!(seen, [1, 1]);
}

#[test]
fn gets_arrive_however_many_they_are() {
    // T46: fewer than four, and more than the queue has places.
    for n in 1..=3 * GETS as u64 {
        let (mut s, all) = setup();
        let (mut t, mut owner) = (all[0], all[AWAY as usize]);
        (0..n).for_each(|i| s.machine.store(&mut owner, 8 * i, word(8 * i, 100 + i)));
        s.machine.barrier(&mut owner);
        t.now = LONG;
        (0..n).for_each(|i| s.get(&mut t, 4096 + 16 * i, away(8 * i)));
        s.sync(&mut t);
        let got: Vec<u64> = (0..n).map(|i| s.machine.load(&mut t, 4096 + 16 * i).at(4096 + 16 * i)).collect();
        assert_eq!(got, (100..100 + n).collect::<Vec<_>>());
    }
}

#[test]
fn a_global_pointer_is_a_word_of_16_and_48_bits_to_which_integers_are_added() {
    // T22
    let mut random = fastrand::Rng::with_seed(22);
    for _ in 0..1000 {
        // A T3D's addresses have a bit 42 of 0, and more than it has processors.
        let (processor, at, more) = (random.u32(0..1 << 16), random.u64(0..1 << 42), random.u64(0..1 << 42));
        let p = Global::new(processor, at);
        assert_eq!(p.bits(), u64::from(processor) << 48 | at);
        assert_eq!((p.processor(), p.at()), (processor, at));
        assert_eq!(p.plus(more), Global::new(processor, at + more), "the number of the processor stays");
        assert_eq!(p.plus(more).bits(), p.bits() + more);
    }
    assert_eq!(std::mem::size_of::<Global>(), 8, "as large as an address");
}

#[test]
fn puts_are_limited_by_nothing_and_gets_by_the_queue() {
    // T52
    let (mut s, all) = setup();
    let mut t = all[0];
    let n = 4 * GETS as u64;
    (0..n).for_each(|i| s.put(&mut t, away(8 * i), word(8 * i, 100 + i)));
    s.sync(&mut t);
    assert!((0..n).all(|i| owner_sees(&mut s, t.now, away(8 * i)) == 100 + i));
    // A seventeenth prefetch without a table that takes the others first loses the first word.
    for i in 0..=GETS as u64 {
        s.machine.prefetch(&mut t, join(1, 8 * i));
    }
    assert_eq!(s.machine.pop(&mut t).unwrap().at(8), 101);
}

#[test]
fn every_way_of_bulk_transfer_copies_the_words() {
    for how in [Bulk::Uncached, Bulk::Cached, Bulk::Prefetch, Bulk::Engine] {
        for bytes in [8, 24, 56, 128, 1000, 8192] {
            let (mut s, all) = setup();
            let (mut t, mut owner) = (all[0], all[AWAY as usize]);
            (0..bytes).step_by(8).for_each(|i| s.machine.store(&mut owner, 64 + i, word(64 + i, 100 + i)));
            s.machine.barrier(&mut owner);
            t.now = owner.now;
            assert_eq!(s.bulk_read(&mut t, how, 1 << 20, away(64), bytes, Time::MAX), Some(bytes));
            let to = |i| (1 << 20) + i;
            let is_there = (0..bytes).step_by(8).all(|i| s.machine.load(&mut t, to(i)).at(to(i)) == 100 + i);
            assert!(is_there, "{how:?}, {bytes} bytes");
            // And back to another place.
            s.bulk_put(&mut t, away(1 << 21), 1 << 20, bytes);
            s.sync(&mut t);
            let is_back = (0..bytes).step_by(8).all(|i| owner_sees(&mut s, t.now, away((1 << 21) + i)) == 100 + i);
            assert!(is_back, "{how:?}, {bytes} bytes, back");
        }
    }
}

#[test]
fn a_queue_takes_messages_of_many_senders_and_refuses_more_than_it_holds() {
    let (mut s, mut all) = setup();
    let share = SLOTS / 4;
    for i in 0..=share {
        for t in all.iter_mut().filter(|t| t.me != AWAY as usize) {
            let is_sent = s.send(t, AWAY, What::User, [t.me as u64, i, 0, 0]);
            assert_eq!(is_sent, i < share, "message {i} of {}", t.me);
        }
    }
    let mut owner = Thread { now: all[0].now + LONG, ..all[AWAY as usize] };
    let mut next = [0; 4];
    while let Some(message) = s.poll(&mut owner) {
        let [from, i, ..] = message.words;
        assert_eq!((u64::from(message.from), i), (from, next[from as usize]), "in the order of each sender");
        next[from as usize] += 1;
    }
    assert_eq!(next, [share, share, 0, share]);
    // Now there is room again, around the end of the ring.
    s.machine.barrier(&mut owner);
    let mut t = Thread { now: owner.now + LONG, ..all[0] };
    for i in 0..share {
        assert!(s.send(&mut t, AWAY, What::User, [0, 100 + i, 0, 0]));
    }
    owner.now = t.now + LONG;
    let got: Vec<u64> = std::iter::from_fn(|| s.poll(&mut owner)).map(|m| m.words[1]).collect();
    assert_eq!(got, (100..100 + share).collect::<Vec<_>>());
}

#[test]
fn the_data_of_a_message_are_there_before_its_control_word() {
    // Polled at every moment from before the message on: the first time that it is found, it is whole.
    let (mut s, all) = setup();
    let mut t = all[0];
    s.send(&mut t, AWAY, What::User, [11, 12, 13, 14]);
    let mut owner = all[AWAY as usize];
    let message = loop {
        match s.poll(&mut owner) {
            Some(message) => break message,
            None => assert!(owner.now < LONG),
        }
    };
    assert_eq!(message.words, [11, 12, 13, 14]);
}

#[test]
fn stores_are_counted_where_they_arrive() {
    let (mut s, all) = setup();
    let (mut t, mut owner) = (all[0], all[AWAY as usize]);
    for i in 0..4 {
        assert!(s.store(&mut t, away(8 * i), 100 + i));
    }
    owner.now = t.now + LONG;
    while s.stored(AWAY as usize) < 32 {
        assert!(s.poll(&mut owner).is_some());
    }
    let seen: Vec<u64> = (0..4).map(|i| s.machine.load(&mut owner, 8 * i).at(8 * i)).collect();
    assert_eq!(seen, [100, 101, 102, 103]);
}

#[test]
fn a_second_register_for_one_processor_would_be_a_hazard() {
    // T23 without Split-C's rule: the store waits in the write buffer, and the load by the other register passes it.
    let (mut s, all) = setup();
    let mut t = all[0];
    s.machine.set_segment(&mut t, 2, AWAY, Read::Uncached);
    s.put(&mut t, away(64), word(64, 7));
    assert_eq!(s.machine.load(&mut t, join(2, 64)).at(64), 0);
}
