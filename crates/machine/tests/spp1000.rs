//! The SPP-1000: hypernodes, interconnect caches and the coherence between them (SPP-1000 study, sections 3 and 4).

use fathom_machine::parts::hypernode::in_memory_of;
use fathom_machine::{machine, Data, Description, Machine, Thread, Words};
use std::collections::BTreeMap;

fn description() -> Description {
    let path = format!("{}/../../machines/spp1000.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

fn threads<D: Data>(description: &Description, processors: usize) -> (Machine<D>, Vec<Thread>) {
    (machine(description, processors as u32).unwrap(), (0..processors).map(Thread::new).collect())
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Load,
    Store,
    Flush,
}

/// The cycles of each access of a list of (processor, operation, address), one after the other.
fn cycles(description: &Description, processors: usize, list: &[(usize, Op, u64)]) -> Vec<f64> {
    let (mut world, mut all) = threads::<()>(description, processors);
    let mut now = 0;
    list.iter()
        .map(|&(who, op, at)| {
            // Long after the one before: controllers are idle.
            let t = &mut all[who];
            now += 100_000_000;
            t.now = now;
            match op {
                Op::Load => world.load(t, at),
                Op::Store => world.store(t, at, ()),
                Op::Flush => world.flush(t, at),
            }
            world.barrier(t);
            (t.now - now) as f64 / 10_000.0
        })
        .collect()
}

#[track_caller]
fn near(ours: f64, printed: f64) {
    assert!((ours / printed - 1.0).abs() <= 0.001, "{ours} instead of {printed}");
}

use Op::{Flush, Load, Store};

#[test]
fn accesses_within_a_hypernode_take_the_sum_of_their_steps() {
    let of = |list: &[(usize, Op, u64)]| *cycles(&description(), 8, list).last().unwrap();
    near(of(&[(0, Load, 0)]), 55.4);
    near(of(&[(0, Load, 0), (0, Load, 8)]), 1.0);
    near(of(&[(0, Store, 0)]), 63.3);
    near(of(&[(0, Store, 0), (0, Store, 24)]), 2.0);
    // A copy elsewhere is removed, and one that has left silently is looked for.
    near(of(&[(1, Load, 0), (0, Store, 0)]), 70.0);
    near(of(&[(1, Load, 0), (1, Flush, 0), (0, Store, 0)]), 70.0);
    near(of(&[(1, Store, 0), (1, Flush, 0), (0, Store, 0)]), 63.3);
    // Its own copy is none elsewhere.
    near(of(&[(0, Load, 0), (0, Store, 0)]), 63.3);
    near(of(&[(1, Store, 0), (0, Load, 0)]), 132.0);
    near(of(&[(1, Store, 0), (0, Load, 0), (2, Load, 0)]), 55.4);
    near(of(&[(1, Store, 0), (0, Store, 0)]), 115.0);
    // All copies at once: seven others cost what one does.
    let many: Vec<_> = (1..8).map(|p| (p, Load, 0)).chain([(0, Store, 0)]).collect();
    near(of(&many), 70.0);
}

#[test]
fn accesses_to_other_hypernodes_take_trips() {
    let of = |list: &[(usize, Op, u64)]| *cycles(&description(), 32, list).last().unwrap();
    let far = in_memory_of(1, 0);
    near(of(&[(0, Load, far)]), 369.0);
    // A line of the interconnect cache is a pair of lines, for all processors of the hypernode.
    near(of(&[(0, Load, far), (0, Load, far + 32)]), 55.4);
    near(of(&[(0, Load, far), (7, Load, far)]), 55.4);
    near(of(&[(0, Load, far), (8, Load, far)]), 55.4);
    near(of(&[(0, Load, far), (16, Load, far)]), 369.0);
    // The writer's cache has it: at home, elsewhere.
    near(of(&[(8, Store, far), (0, Load, far)]), 369.0 + 76.6);
    near(of(&[(8, Store, far), (8, Store, far + 32), (0, Load, far)]), 369.0 + 2.0 * 76.6);
    near(of(&[(16, Store, far), (0, Load, far)]), 369.0 + 313.6 + 76.6);
    near(of(&[(16, Store, far), (0, Load, far), (8, Load, far)]), 55.4);
    near(of(&[(16, Store, far), (8, Load, far)]), 369.0 + 76.6);
    near(of(&[(16, Store, far), (16, Flush, far), (8, Store, far)]), 63.3 + 313.6);
    // Copies are removed: of one hypernode, and of three, of which the writer waits for the first.
    near(of(&[(0, Load, far), (8, Store, far)]), 539.0);
    near(of(&[(0, Load, far), (16, Load, far), (24, Load, far), (8, Store, far)]), 539.0);
    let waits = &description().without("rings.early").unwrap();
    let list = [(0, Load, far), (16, Load, far), (24, Load, far), (8, Store, far)];
    near(cycles(waits, 32, &list)[3], 63.3 + 3.0 * 475.7);
    near(of(&[(0, Load, far), (8, Store, far), (0, Load, far + 32)]), 369.0 + 76.6);
    // Without an interconnect cache a line is fetched each time.
    let without = &description().without("interconnect").unwrap();
    near(cycles(without, 32, &[(0, Load, far), (7, Load, far)])[1], 369.0);
}

#[test]
fn a_line_that_an_interconnect_cache_displaces_leaves_its_processors() {
    let of = |list: &[(usize, Op, u64)]| *cycles(&description(), 16, list).last().unwrap();
    let (one, other) = (in_memory_of(1, 0), in_memory_of(1, 128 << 20));
    near(of(&[(0, Load, one + 32), (0, Load, other), (0, Load, one + 32)]), 369.0);
    near(of(&[(0, Store, one + 32), (0, Load, other), (8, Load, one + 32)]), 55.4);
}

#[test]
fn every_load_reads_the_last_store_whoever_stored_it() {
    // Few lines, some of which displace each other in caches and interconnect caches.
    let mut seed = 7u64;
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for description in [description(), description().without("interconnect").unwrap()] {
        let (mut carrying, mut all) = threads::<Words>(&description, 32);
        let (mut timed, mut same) = threads::<()>(&description, 32);
        let mut memory: BTreeMap<u64, u64> = BTreeMap::new();
        let mut now = 0;
        for step in 1..20_000 {
            let offset = [0, 1 << 20, 128 << 20][random(3) as usize] + 8 * random(24);
            let (who, at) = (random(32) as usize, in_memory_of(random(4) as u32, offset));
            let (t, u) = (&mut all[who], &mut same[who]);
            now += random(2) * 10_000_000;
            t.now = t.now.max(now);
            u.now = u.now.max(now);
            match random(8) {
                0..=3 => {
                    let read = carrying.load(t, at).at(at);
                    timed.load(u, at);
                    assert_eq!(read, memory.get(&at).copied().unwrap_or(0), "step {step}: {who} reads {at:x}");
                }
                4..=6 => {
                    carrying.store(t, at, Words::one(at, step));
                    timed.store(u, at, ());
                    memory.insert(at, step);
                }
                _ => {
                    carrying.flush(t, at);
                    timed.flush(u, at);
                }
            }
            assert_eq!(t.now, u.now, "words change no time: step {step}");
        }
    }
}

#[test]
fn mistakes_in_a_description_are_named() {
    let path = format!("{}/../../machines/spp1000.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    for (from, to, why) in [
        ("memory = \"cache\"", "memory = \"interconnect\"", "`cache`"),
        ("kind = \"hypernode\"", "kind = \"sci-rings\"", "part `rings`: it needs a part of the kind `hypernode`"),
        (
            "processors = { value = 8,",
            "processors = { value = 64,",
            "part `hypernode`: figure `processors` must be at most 32",
        ),
        (
            "word = { value = \"2 cycles\"",
            "wort = { value = \"2 cycles\"",
            "part `cache`: `cache` has no figure `wort`",
        ),
        (
            "line = { value = \"32 B\", printed = \"SPP-1000 study, Table 1\" }\nprocessors",
            "line = { value = \"64 B\", printed = \"x\" }\nprocessors",
            "its lines have 32 bytes, those of the hypernode 64",
        ),
        (
            "fetch = { value = \"369 cycles - hypernode.load\"",
            "fetch = { value = \"40 cycles\"",
            "part `rings`: figure `fetch` is less than what a ring takes",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        let said = Description::of_file(&text.replace(from, to))
            .and_then(|d| machine::<()>(&d.unwrap(), 32).map(nothing))
            .unwrap_err();
        assert!(said.contains(why), "{to}: {said}");
    }
    let said = machine::<()>(&description(), 33).map(nothing).unwrap_err();
    assert_eq!(said, "the machine has 4 hypernodes of 8 processors, not 33 processors");
}

fn nothing(_: Machine<()>) {}
