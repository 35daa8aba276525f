//! The T3D's shell: remote operations, their times, and the hazards that programs have to avoid (T3D study, sections 3 to
//! 5). Claims are numbered as in the project's list of them.

use fathom_machine::parts::block_transfer::Place;
use fathom_machine::parts::shell::{join, Read};
use fathom_machine::{machine, Data, Description, Machine, Thread, Time, Words};

fn description() -> Description {
    let path = format!("{}/../../machines/t3d.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

/// Processors 0 and 1 share a port; 2 is one hop away from both.
const AWAY: u32 = 2;

fn threads<D: Data>() -> (Machine<D>, Vec<Thread>) {
    threads_of(&description())
}

fn threads_of<D: Data>(description: &Description) -> (Machine<D>, Vec<Thread>) {
    (machine(description, 8).unwrap(), (0..8).map(Thread::new).collect())
}

#[track_caller]
fn near(ours: f64, printed: f64, tolerance: f64) {
    assert!((ours / printed - 1.0).abs() <= tolerance, "{ours} instead of {printed}");
}

fn cycles(ps: Time) -> f64 {
    ps as f64 / 1e12 * 150e6
}

/// Mean ns of an operation on words of another processor by `stride` over `bytes`.
fn sawtooth(bytes: u64, stride: u64, read: Read, mut operation: impl FnMut(&mut Machine<()>, &mut Thread, u64)) -> f64 {
    let (mut world, mut all) = threads::<()>();
    let p = &mut all[0];
    world.set_segment(p, 1, AWAY, read);
    let mut began = 0;
    for pass in 0..3 {
        if pass == 1 {
            began = p.now;
        }
        (0..bytes).step_by(stride as usize).for_each(|at| operation(&mut world, p, join(1, at)));
    }
    (p.now - began) as f64 / 1000.0 / (2 * (bytes / stride)) as f64
}

#[test]
fn addresses_are_two_five_and_twenty_seven_bits() {
    // T20, T21: 32 segments of 128 MB in 4 GB; register 0 stays with its own processor.
    assert_eq!(join(31, (128 << 20) - 1), (1 << 32) - 1);
    let (mut world, mut all) = threads::<()>();
    world.set_segment(&mut all[3], 0, AWAY, Read::Cached);
    assert_eq!(world.nodes[3].shell.as_ref().unwrap().borrow().segment(5).processor, 3);
    near(cycles(all[3].now), 23.0, 0.001); // T19
}

#[test]
fn remote_reads_take_what_the_study_prints() {
    let load = |w: &mut Machine<()>, p: &mut Thread, at: u64| w.load(p, at);
    near(sawtooth(65536, 8, Read::Uncached, load), 610.0, 0.03); // T25
    near(sawtooth(65536, 32, Read::Cached, load), 765.0, 0.03); // T26
    near(sawtooth(65536, 8, Read::Cached, load), (765.0 + 3.0 * 6.67) / 4.0, 0.03); // T27
    near(sawtooth(65536, 16, Read::Cached, load), (765.0 + 6.67) / 2.0, 0.03);
    near(sawtooth(4096, 8, Read::Cached, load), 6.67, 0.01); // once in the cache
    let (on, off) = (sawtooth(65536, 32, Read::Uncached, load), sawtooth(1 << 20, 16384, Read::Uncached, load));
    near(off - on, 100.0, 0.1); // T28
}

#[test]
fn a_hop_takes_thirteen_to_twenty_nanoseconds() {
    // T29: the torus is 16 wide, with two processors for each port.
    let read = |away: u32| {
        let mut world: Machine<()> = machine(&description(), 64).unwrap();
        let mut p = Thread::new(0);
        world.set_segment(&mut p, 1, away, Read::Uncached);
        let began = p.now;
        world.load(&mut p, join(1, 64));
        (p.now - began) as f64 / 1000.0
    };
    let there_and_back = (read(2 * 5) - read(2)) / 8.0;
    assert!((13.0..=20.0).contains(&there_and_back), "{there_and_back}");
}

#[test]
fn writes_take_what_the_study_prints() {
    let blocking = |w: &mut Machine<()>, p: &mut Thread, at: u64| {
        w.store(p, at, ());
        w.barrier(p);
        w.wait_for_writes(p);
    };
    near(sawtooth(65536, 32, Read::Uncached, blocking), 880.0, 0.04); // T33
    let store = |w: &mut Machine<()>, p: &mut Thread, at: u64| w.store(p, at, ());
    let by = |stride| sawtooth(65536, stride, Read::Uncached, store);
    near(by(32), 115.0, 0.05); // T49
    near(by(64), 115.0, 0.05);
    assert!(by(8) < by(16) + 1.0 && by(16) < by(32), "T50: {} {} {}", by(8), by(16), by(32));
}

/// Cycles per word of a group of prefetches, each popped and stored.
fn group(n: u64) -> f64 {
    let (mut world, mut all) = threads::<()>();
    let p = &mut all[0];
    world.set_segment(p, 1, AWAY, Read::Uncached);
    world.load(p, join(1, 4096)); // opens the page
    let began = p.now;
    (0..n).for_each(|i| world.prefetch(p, join(1, 8 * i)));
    if n < 4 {
        world.barrier(p);
    }
    for i in 0..n {
        world.pop(p).unwrap();
        world.store(p, 8 * i, ());
    }
    cycles(p.now - began) / n as f64
}

#[test]
fn prefetches_hide_most_of_the_latency() {
    let read = 610.0 / 6.667;
    assert!((group(1) - read - 15.0).abs() <= 8.0, "T41: {}", group(1) - read);
    assert!(group(4) < 0.7 * read, "T42: {}", group(4));
    near(group(16), 31.0, 0.05); // T43
    assert!((2..=16).all(|n| group(n) < group(n - 1)), "more prefetches at once are never slower for each");
}

// ---- hazards: the same parts, with words ----------------------------------------------------------------------------

fn words(at: u64, value: u64) -> Words {
    Words::one(at, value)
}

#[test]
fn a_synonym_in_the_write_buffer_reads_the_old_word() {
    // T23: two registers name one processor. With a barrier between, the hazard is gone.
    for (by, has_barrier, expected) in [(1, false, 7), (2, false, 0), (2, true, 7)] {
        let (mut world, mut all) = threads::<Words>();
        let p = &mut all[0];
        world.set_segment(p, 1, AWAY, Read::Uncached);
        world.set_segment(p, 2, AWAY, Read::Uncached);
        world.store(p, join(1, 64), words(64, 7));
        if has_barrier {
            world.barrier(p);
            world.wait_for_writes(p);
        }
        assert_eq!(world.load(p, join(by, 64)).at(64), expected, "by register {by}, barrier: {has_barrier}");
    }
}

#[test]
fn synonyms_drive_each_other_out_of_the_cache() {
    // T24: both lines have the same place in a direct-mapped cache, so that neither can be old while the other is read.
    let (mut world, mut all) = threads::<Words>();
    let p = &mut all[0];
    world.set_segment(p, 1, AWAY, Read::Cached);
    world.set_segment(p, 2, AWAY, Read::Cached);
    for (index, expected) in [(1, true), (1, false), (2, true), (1, true)] {
        let before = p.now;
        world.load(p, join(index, 64));
        assert_eq!(p.now - before > 100_000, expected, "register {index} misses");
    }
}

#[test]
fn the_status_bit_is_clear_while_a_store_waits_in_the_buffer() {
    // T34
    for (has_barrier, is_complete) in [(false, false), (true, true)] {
        let (mut world, mut all) = threads::<Words>();
        let p = &mut all[0];
        world.set_segment(p, 1, AWAY, Read::Uncached);
        world.store(p, join(1, 64), words(64, 7));
        if has_barrier {
            world.barrier(p);
        }
        let asked = world.wait_for_writes(p);
        assert_eq!(asked > 1, has_barrier);
        // What the owner sees at this moment.
        let now = p.now;
        let owner = &mut all[AWAY as usize];
        owner.now = now;
        assert_eq!(world.load(owner, 64).at(64) == 7, is_complete, "barrier: {has_barrier}");
    }
}

#[test]
fn a_cached_remote_line_is_stale_until_it_is_flushed() {
    // T37, T36
    let (mut world, mut all) = threads::<Words>();
    world.set_segment(&mut all[0], 1, AWAY, Read::Cached);
    assert_eq!(world.load(&mut all[0], join(1, 64)).at(64), 0);
    let owner = &mut all[AWAY as usize];
    owner.now = 10_000_000;
    world.store(owner, 64, words(64, 7));
    world.barrier(owner);
    all[0].now = 20_000_000;
    assert_eq!(world.load(&mut all[0], join(1, 64)).at(64), 0, "the owner's update is not seen");
    let before = all[0].now;
    world.flush(&mut all[0], join(1, 64));
    near(cycles(all[0].now - before), 23.0, 0.05);
    assert_eq!(world.load(&mut all[0], join(1, 64)).at(64), 7);
}

#[test]
fn a_remote_write_drives_out_the_line_at_its_place_even_another() {
    // T38: 8 KB apart, so at the same place of the cache.
    for invalidates in [true, false] {
        let described = if invalidates { description() } else { description().without("shell.invalidates").unwrap() };
        let (mut world, mut all) = threads_of::<Words>(&described);
        let time = |world: &mut Machine<Words>, p: &mut Thread| {
            let before = p.now;
            world.load(p, 64);
            p.now - before
        };
        let owner = &mut all[AWAY as usize];
        time(&mut world, owner);
        assert_eq!(time(&mut world, owner), 6667);
        world.set_segment(&mut all[0], 1, AWAY, Read::Uncached);
        all[0].now = 1_000_000;
        world.store(&mut all[0], join(1, 64 + 8192), words(64, 7));
        world.barrier(&mut all[0]);
        world.wait_for_writes(&mut all[0]);
        let owner = &mut all[AWAY as usize];
        owner.now = 10_000_000;
        assert_eq!(time(&mut world, owner) > 6667, invalidates);
    }
}

/// Writes one byte of a word: reads the word, changes it, writes it.
fn write_byte(world: &mut Machine<Words>, p: &mut Thread, at: u64, byte: u32, value: u64, then: Option<u64>) -> u64 {
    let old = then.unwrap_or_else(|| world.load(p, at).at(at));
    let new = old & !(0xFF << (8 * byte)) | value << (8 * byte);
    world.store(p, at, words(at, new));
    world.barrier(p);
    world.wait_for_writes(p);
    new
}

#[test]
fn two_bytes_of_a_word_written_at_once_lose_one() {
    // T39: both read the word before either writes it. One after the other, both are there.
    for at_once in [true, false] {
        let (mut world, mut all) = threads::<Words>();
        all.iter_mut().take(2).for_each(|p| world.set_segment(p, 1, AWAY, Read::Uncached));
        let early = at_once.then(|| world.load(&mut all[1], join(1, 64)).at(64));
        write_byte(&mut world, &mut all[0], join(1, 64), 0, 0xAA, None);
        all[1].now = all[1].now.max(all[0].now);
        write_byte(&mut world, &mut all[1], join(1, 64), 1, 0xBB, early);
        let now = all[1].now + 1_000_000;
        let owner = &mut all[AWAY as usize];
        owner.now = now;
        assert_eq!(world.load(owner, 64).at(64), if at_once { 0xBB00 } else { 0xBBAA });
    }
}

#[test]
fn loads_pass_local_stores() {
    // T40: each processor stores to its own memory and then reads the other's; without barriers, both may read 0.
    for has_barrier in [false, true] {
        let (mut world, mut all) = threads::<Words>();
        world.set_segment(&mut all[0], 1, 1, Read::Uncached);
        world.set_segment(&mut all[1], 1, 0, Read::Uncached);
        // The stores are made last thing before the loads' requests arrive.
        for p in all.iter_mut().take(2) {
            p.now = 1_000_000;
            world.store(p, 64, words(64, 1));
            if has_barrier {
                world.barrier(p);
            }
        }
        let seen: Vec<u64> = all.iter_mut().take(2).map(|p| world.load(p, join(1, 64)).at(64)).collect();
        assert_eq!(seen, if has_barrier { [1, 1] } else { [0, 0] });
    }
}

#[test]
fn a_prefetch_may_still_be_in_the_write_buffer() {
    // T46: fewer than four need a barrier before the first is taken.
    for n in 1..=16 {
        for has_barrier in [false, true] {
            let (mut world, mut all) = threads::<Words>();
            let p = &mut all[0];
            world.set_segment(p, 1, AWAY, Read::Uncached);
            (0..n).for_each(|i| world.prefetch(p, join(1, 8 * i)));
            if has_barrier {
                world.barrier(p);
            }
            assert_eq!(world.pop(p).is_some(), has_barrier || n >= 4, "{n} prefetches, barrier: {has_barrier}");
        }
    }
}

// ---- what stands beside the memories --------------------------------------------------------------------------------

#[test]
fn a_store_goes_where_its_register_named_when_it_was_made() {
    // A segment register is set by a store, which leaves after those before it. If it were set at once, a store that
    // waits in the write buffer would go to the other processor.
    for (waits, expected) in [(true, [7, 0]), (false, [0, 7])] {
        let described = if waits { description() } else { description().without("shell.set_waits").unwrap() };
        let (mut world, mut all) = threads_of::<Words>(&described);
        let p = &mut all[0];
        world.set_segment(p, 1, AWAY, Read::Uncached);
        world.store(p, join(1, 64), words(64, 7));
        world.set_segment(p, 1, AWAY + 2, Read::Uncached);
        world.barrier(p);
        world.wait_for_writes(p);
        let now = p.now;
        let seen = [AWAY, AWAY + 2].map(|owner| {
            let mut owner = Thread { me: owner as usize, now };
            world.load(&mut owner, 64).at(64)
        });
        assert_eq!(seen, expected);
    }
}

#[test]
fn a_block_transfer_moves_words_and_competes_with_loads() {
    let loads = |has_transfer: bool| {
        let (mut world, all) = threads::<Words>();
        let mut owner = all[AWAY as usize];
        (0..512).for_each(|i| world.store(&mut owner, 8 * i, words(8 * i, 100 + i)));
        world.barrier(&mut owner);
        let mut p = Thread { now: owner.now, ..all[0] };
        if has_transfer {
            let [from, to] = [(AWAY, 0), (0, 1 << 20)].map(|(processor, at)| Place { processor, at });
            assert!(world.begin_transfer(&mut p, from, to, 4096));
            assert_eq!((p.now - owner.now) / 1_000_000, 180, "the start in us");
        } else {
            p.now += 180_000_000;
        }
        // The owner reads other memory meanwhile.
        owner.now = p.now;
        let before = owner.now;
        (0..100).for_each(|i| _ = world.load(&mut owner, (8 << 20) + 32 * i));
        let took = owner.now - before;
        world.wait_for_transfer(&mut p);
        let there = (0..512).all(|i| world.load(&mut p, (1 << 20) + 8 * i).at((1 << 20) + 8 * i) == 100 + i);
        assert_eq!(there, has_transfer);
        took
    };
    // Each page that the engine opens, the owner has to open again.
    assert!(loads(true) > loads(false) * 5 / 4, "{} {}", loads(true), loads(false));
}

#[test]
fn registers_count_for_all_and_a_swap_is_one_operation() {
    let (mut world, mut all) = threads::<Words>();
    let got: Vec<u64> = (0..4).map(|me| world.fetch_and_increment(&mut all[me], AWAY, 0).unwrap()).collect();
    assert_eq!(got, [0, 1, 2, 3]);
    near(cycles(all[0].now), 150.0, 0.001); // T63
    assert!(all[1].now > all[0].now, "one after the other");
    // A lock: the first that swaps gets 0.
    let seen: Vec<u64> = (0..3)
        .map(|me| {
            world.set_segment(&mut all[me], 1, AWAY, Read::Uncached);
            all[me].now += 10_000_000 * me as Time;
            world.swap(&mut all[me], join(1, 64), words(64, 1 + me as u64)).at(64)
        })
        .collect();
    assert_eq!(seen, [0, 1, 2]);
}

#[test]
fn a_message_interrupts_what_its_receiver_does() {
    let (mut world, mut all) = threads::<()>();
    assert!(world.send(&mut all[0], AWAY, [1, 2, 3, 4]));
    near(cycles(all[0].now), 122.0, 0.001); // T61
    let p = &mut all[AWAY as usize];
    world.load(p, 64);
    assert!(p.now < 1_000_000, "nothing has arrived");
    p.now = 5_000_000;
    world.load(p, 64);
    assert!((30_000_000..30_100_000).contains(&p.now), "25 us: {}", p.now);
    assert_eq!(world.receive(p, true).unwrap().words, [1, 2, 3, 4]);
    assert!(p.now > 63_000_000, "33 us: {}", p.now);
    assert!(world.receive(p, true).is_none());
}

#[test]
fn dropping_all_lines_drops_each() {
    let (mut world, mut all) = threads::<()>();
    let p = &mut all[0];
    let pass = |world: &mut Machine<()>, p: &mut Thread| {
        let before = p.now;
        (0..256).for_each(|i| world.load(p, 32 * i));
        p.now - before
    };
    let (cold, warm) = (pass(&mut world, p), pass(&mut world, p));
    world.flush_all(p);
    assert_eq!((pass(&mut world, p), warm), (cold, 256 * 6667));
}

#[test]
fn stores_to_others_share_the_bus_with_loads_from_memory() {
    // T56: a line is loaded in 145 ns and leaves in 225.
    let line = |described: &Description| {
        let (mut world, mut all) = threads_of::<()>(described);
        let p = &mut all[0];
        world.set_segment(p, 1, AWAY, Read::Uncached);
        let began = p.now;
        for at in (0..1 << 16).step_by(32) {
            (0..4).for_each(|i| world.load(p, at + 8 * i));
            (0..4).for_each(|i| world.store(p, join(1, at + 8 * i), ()));
        }
        (p.now - began) as f64 / 1000.0 / 2048.0
    };
    near(line(&description()), 145.0 + 225.0, 0.03);
    near(line(&description().without("shell.shares_bus").unwrap()), 145.0 + 3.0 * 6.67 + 4.0 * 20.0, 0.03);
}

#[test]
fn a_processor_goes_on_while_a_word_comes_out_of_the_prefetch_queue() {
    for (goes_on, expected) in [(true, 27.0), (false, 30.0)] {
        let described = if goes_on { description() } else { description().without("processor.goes_on").unwrap() };
        let (mut world, mut all) = threads_of::<()>(&described);
        let p = &mut all[0];
        world.set_segment(p, 1, AWAY, Read::Uncached);
        (0..16).for_each(|i| world.prefetch(p, join(1, 8 * i)));
        let (began, mut before) = (p.now, None);
        for i in 16..4096 {
            let word = world.pop_ahead(p).unwrap();
            if let Some(((), there)) = before.replace(word) {
                p.now = p.now.max(there);
                world.store(p, 8 * i, ());
            }
            world.prefetch(p, join(1, 8 * i));
        }
        near(cycles(p.now - began) / 4080.0, expected, 0.02);
    }
}
