//! The T3D's shell: remote operations, their times, and the hazards that programs have to avoid (T3D study, sections 3 to
//! 5). Claims are numbered as in the project's list of them.

use fathom_machine::parts::shell::{join, Read, Segment, Shell};
use fathom_machine::{machine, Access, Data, Description, Kind, Machine, Time, Words};
use std::cell::RefCell;
use std::rc::Rc;

fn description() -> Description {
    let path = format!("{}/../../machines/t3d.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

/// A processor that performs one operation after the other.
struct Processor<D> {
    me: usize,
    now: Time,
    shell: Rc<RefCell<Shell<D>>>,
}

/// Processors 0 and 1 share a port; 2 is one hop away from both.
const AWAY: u32 = 2;

struct World<D> {
    machine: Machine<D>,
}

impl<D: Data> World<D> {
    fn of(description: &Description) -> (Self, Vec<Processor<D>>) {
        let machine: Machine<D> = machine(description, 8).unwrap();
        let processors = machine.nodes.iter().enumerate();
        let processors = processors.map(|(me, n)| Processor { me, now: 0, shell: n.shell.clone().unwrap() }).collect();
        (World { machine }, processors)
    }

    fn new() -> (Self, Vec<Processor<D>>) {
        Self::of(&description())
    }

    fn access(&mut self, p: &mut Processor<D>, access: Access<D>) -> fathom_machine::Reply<D> {
        self.machine.settle(p.now);
        self.machine.nodes[p.me].memory.access(p.now, &access)
    }

    fn load(&mut self, p: &mut Processor<D>, at: u64) -> D {
        let is_uncached = at >> 27 != 0 && p.shell.borrow().segment(at).read == Read::Uncached;
        let kind = if is_uncached { Kind::Uncached } else { Kind::Load };
        let reply = self.access(p, Access { kind, ..Access::load(at, 8) });
        p.now = reply.free;
        reply.data
    }

    fn store(&mut self, p: &mut Processor<D>, at: u64, data: D) {
        let reply = self.access(p, Access::store(at, 8, data));
        p.now = reply.free.max(p.now + self.machine.nodes[p.me].processor.store);
    }

    fn barrier(&mut self, p: &mut Processor<D>) {
        let node = &mut self.machine.nodes[p.me];
        p.now = node.memory.drain(p.now).max(p.now + node.processor.barrier);
    }

    fn prefetch(&mut self, p: &mut Processor<D>, at: u64) {
        let reply = self.access(p, Access { kind: Kind::Prefetch, ..Access::load(at, 8) });
        p.now = reply.free.max(p.now + p.shell.borrow().prefetch());
    }

    fn pop(&mut self, p: &mut Processor<D>) -> Option<D> {
        self.machine.settle(p.now);
        let (data, now) = p.shell.borrow_mut().pop(p.now)?;
        p.now = now;
        Some(data)
    }

    /// Asks the status bit until it is clear.
    fn wait(&mut self, p: &mut Processor<D>) -> u32 {
        let mut asked = 0;
        loop {
            let (is_busy, now) = p.shell.borrow_mut().is_busy(p.now);
            (p.now, asked) = (now, asked + 1);
            if !is_busy {
                return asked;
            }
        }
    }

    fn flush(&mut self, p: &mut Processor<D>, at: u64) {
        self.machine.nodes[p.me].memory.forget(at);
        p.now += p.shell.borrow().flush();
    }
}

fn set<D: Data>(p: &mut Processor<D>, index: usize, processor: u32, read: Read) {
    p.now = p.shell.borrow_mut().set(p.now, index, Segment { processor, read });
}

#[track_caller]
fn near(ours: f64, printed: f64, tolerance: f64) {
    assert!((ours / printed - 1.0).abs() <= tolerance, "{ours} instead of {printed}");
}

fn cycles(ps: Time) -> f64 {
    ps as f64 / 1e12 * 150e6
}

/// Mean ns of an operation on words of another processor by `stride` over `bytes`.
fn sawtooth(
    bytes: u64,
    stride: u64,
    read: Read,
    mut operation: impl FnMut(&mut World<()>, &mut Processor<()>, u64),
) -> f64 {
    let (mut world, mut all) = World::<()>::new();
    let p = &mut all[0];
    set(p, 1, AWAY, read);
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
    let (_, mut all) = World::<()>::new();
    set(&mut all[3], 0, AWAY, Read::Cached);
    assert_eq!(all[3].shell.borrow().segment(5).processor, 3);
    near(cycles(all[3].now), 23.0, 0.001); // T19
}

#[test]
fn remote_reads_take_what_the_study_prints() {
    let load = |w: &mut World<()>, p: &mut Processor<()>, at: u64| w.load(p, at);
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
        let machine: Machine<()> = machine(&description(), 64).unwrap();
        let mut all = machine.nodes.iter().enumerate();
        let p = all.next().map(|(me, n)| Processor { me, now: 0, shell: n.shell.clone().unwrap() });
        let (mut world, mut p) = (World { machine }, p.unwrap());
        set(&mut p, 1, away, Read::Uncached);
        let began = p.now;
        world.load(&mut p, join(1, 64));
        (p.now - began) as f64 / 1000.0
    };
    let there_and_back = (read(2 * 5) - read(2)) / 8.0;
    assert!((13.0..=20.0).contains(&there_and_back), "{there_and_back}");
}

#[test]
fn writes_take_what_the_study_prints() {
    let blocking = |w: &mut World<()>, p: &mut Processor<()>, at: u64| {
        w.store(p, at, ());
        w.barrier(p);
        w.wait(p);
    };
    near(sawtooth(65536, 32, Read::Uncached, blocking), 880.0, 0.04); // T33
    let store = |w: &mut World<()>, p: &mut Processor<()>, at: u64| w.store(p, at, ());
    let by = |stride| sawtooth(65536, stride, Read::Uncached, store);
    near(by(32), 115.0, 0.05); // T49
    near(by(64), 115.0, 0.05);
    assert!(by(8) < by(16) + 1.0 && by(16) < by(32), "T50: {} {} {}", by(8), by(16), by(32));
}

/// Cycles per word of a group of prefetches, each popped and stored.
fn group(n: u64) -> f64 {
    let (mut world, mut all) = World::<()>::new();
    let p = &mut all[0];
    set(p, 1, AWAY, Read::Uncached);
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
        let (mut world, mut all) = World::<Words>::new();
        let p = &mut all[0];
        set(p, 1, AWAY, Read::Uncached);
        set(p, 2, AWAY, Read::Uncached);
        world.store(p, join(1, 64), words(64, 7));
        if has_barrier {
            world.barrier(p);
            world.wait(p);
        }
        assert_eq!(world.load(p, join(by, 64)).at(64), expected, "by register {by}, barrier: {has_barrier}");
    }
}

#[test]
fn synonyms_drive_each_other_out_of_the_cache() {
    // T24: both lines have the same place in a direct-mapped cache, so that neither can be old while the other is read.
    let (mut world, mut all) = World::<Words>::new();
    let p = &mut all[0];
    set(p, 1, AWAY, Read::Cached);
    set(p, 2, AWAY, Read::Cached);
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
        let (mut world, mut all) = World::<Words>::new();
        let p = &mut all[0];
        set(p, 1, AWAY, Read::Uncached);
        world.store(p, join(1, 64), words(64, 7));
        if has_barrier {
            world.barrier(p);
        }
        let asked = world.wait(p);
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
    let (mut world, mut all) = World::<Words>::new();
    set(&mut all[0], 1, AWAY, Read::Cached);
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
        let (mut world, mut all) = World::<Words>::of(&described);
        let time = |world: &mut World<Words>, p: &mut Processor<Words>| {
            let before = p.now;
            world.load(p, 64);
            p.now - before
        };
        let owner = &mut all[AWAY as usize];
        time(&mut world, owner);
        assert_eq!(time(&mut world, owner), 6667);
        set(&mut all[0], 1, AWAY, Read::Uncached);
        all[0].now = 1_000_000;
        world.store(&mut all[0], join(1, 64 + 8192), words(64, 7));
        world.barrier(&mut all[0]);
        world.wait(&mut all[0]);
        let owner = &mut all[AWAY as usize];
        owner.now = 10_000_000;
        assert_eq!(time(&mut world, owner) > 6667, invalidates);
    }
}

/// Writes one byte of a word: reads the word, changes it, writes it.
fn write_byte(
    world: &mut World<Words>,
    p: &mut Processor<Words>,
    at: u64,
    byte: u32,
    value: u64,
    then: Option<u64>,
) -> u64 {
    let old = then.unwrap_or_else(|| world.load(p, at).at(at));
    let new = old & !(0xFF << (8 * byte)) | value << (8 * byte);
    world.store(p, at, words(at, new));
    world.barrier(p);
    world.wait(p);
    new
}

#[test]
fn two_bytes_of_a_word_written_at_once_lose_one() {
    // T39: both read the word before either writes it. One after the other, both are there.
    for at_once in [true, false] {
        let (mut world, mut all) = World::<Words>::new();
        all.iter_mut().take(2).for_each(|p| set(p, 1, AWAY, Read::Uncached));
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
        let (mut world, mut all) = World::<Words>::new();
        set(&mut all[0], 1, 1, Read::Uncached);
        set(&mut all[1], 1, 0, Read::Uncached);
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
            let (mut world, mut all) = World::<Words>::new();
            let p = &mut all[0];
            set(p, 1, AWAY, Read::Uncached);
            (0..n).for_each(|i| world.prefetch(p, join(1, 8 * i)));
            if has_barrier {
                world.barrier(p);
            }
            assert_eq!(world.pop(p).is_some(), has_barrier || n >= 4, "{n} prefetches, barrier: {has_barrier}");
        }
    }
}
