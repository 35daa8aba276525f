//! Operations on the simulated X1, and what an E-cache does to threads that share it.

use fathom_machine::parts::global::join;
use fathom_machine::Description;
use fathom_simulate::x1::layers::{away, Layer};
use fathom_simulate::x1::loops::{multigrid, of_ecache, sharers, sweeps};
use fathom_simulate::x1::pointers::Pointer;
use fathom_simulate::x1::X1;

fn description() -> Description {
    let path = format!("{}/../../machines/x1.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

fn x1() -> X1 {
    X1::new(&description()).unwrap()
}

#[test]
fn puts_go_on_and_one_wait_serves_all_of_them() {
    let (mut one, mut many) = (x1(), x1());
    let waited = one.blocking_put(0, Layer::GasNet, away(0));
    let stored = (0..100).fold(0, |now, i| many.put(now, Layer::GasNet, away(8 * i)));
    let all = many.blocking_put(stored, Layer::GasNet, away(800));
    assert!(stored < waited && all < 2 * waited, "{stored} {waited} {all}");
}

#[test]
fn each_layer_costs_more_than_the_one_below() {
    let latency = |layer| x1().put_latency(0, layer, away(0));
    let (gasnet, upc, shmem) = (latency(Layer::GasNet), latency(Layer::Upc), latency(Layer::Shmem));
    let mpi = x1().message(0, away(0));
    assert!(gasnet < upc && upc < shmem && shmem < mpi, "{gasnet} {upc} {shmem} {mpi}");
}

#[test]
fn a_load_from_another_node_passes_no_cache() {
    let mut x1 = x1();
    let get = |x1: &mut X1, now, at| x1.get(now, Layer::GasNet, at) - now;
    let later = |n: u64| n * 1_000_000_000;
    let far = [get(&mut x1, later(0), join(1, 64)), get(&mut x1, later(1), join(1, 64))];
    let near = [get(&mut x1, later(2), 64), get(&mut x1, later(3), 64)];
    assert!(far[0] == far[1] && near[1] < near[0] && near[0] < far[0], "{far:?} {near:?}");
}

#[test]
fn pointers_that_know_more_need_less() {
    let with = x1();
    let [private, indefinite, cyclic, blocks, any] = [
        Pointer::Private,
        Pointer::Indefinite,
        Pointer::Cyclic,
        Pointer::Generic { is_power: true },
        Pointer::Generic { is_power: false },
    ]
    .map(|pointer| with.count(pointer));
    assert_eq!(private, indefinite);
    assert_eq!([private, cyclic, blocks, any].map(|count| count.divide), [0, 1, 1, 2]);
    assert!(cyclic.simple < blocks.simple);
    // Without the machine's own pointers, thread and address are taken apart.
    let without = X1::new(&description().without("code.global_pointers").unwrap()).unwrap();
    assert!(without.add(Pointer::Indefinite) > 2 * with.add(Pointer::Indefinite));
}

#[test]
fn more_threads_than_ways_drive_each_other_out() {
    let description = description();
    let of = |d: &Description, threads, stagger| {
        let [alone, all] = [1, threads].map(|threads| sweeps(d, threads, stagger).unwrap() as f64);
        alone / all
    };
    assert_eq!([1, 2, 4, 8, 48].map(sharers), [1, 1, 2, 4, 4]);
    assert!((of(&description, 2, 0) - 1.0).abs() < 0.01);
    assert!(of(&description, 4, 0) < 0.8);
    // Each remedy that the study names, by itself.
    let ways = description.with_factor("ecache.ways", 2.0).unwrap();
    let stagger = of_ecache(&description).unwrap() / 8;
    assert!(of(&ways, 4, 0) > 0.99 && of(&description, 4, stagger) > 0.99);
    // One way is not enough for two. That costs time only where the way to memory is too slow for their misses.
    let direct = description.with_factor("ecache.ways", 0.5).unwrap();
    assert!(of(&direct, 2, 0) > 0.99 && of(&direct.with_factor("bus.rate", 0.25).unwrap(), 2, 0) < 0.95);
}

#[test]
fn an_msp_divides_loops_among_its_ssps_as_far_as_memory_allows() {
    let ratio = |d: &Description| multigrid(d, 1).unwrap() as f64 / multigrid(d, 4).unwrap() as f64;
    let slow = description().with_factor("bus.rate", 0.25).unwrap();
    let (as_it_is, slow) = (ratio(&description()), ratio(&slow));
    assert!(as_it_is < 4.0 && slow < 2.0, "{as_it_is} {slow}");
}
