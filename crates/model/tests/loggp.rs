//! LogGP against the examples of its literature and against itself.

use crate::machines;
use fathom_model::loggp::{broadcast, exchange, reduce, scan, send, Missing, Parameters};
use machines::{answer, close, complaint, machine};
use proptest::prelude::*;

fn parameters(values: &[(&str, f64)]) -> Parameters {
    let mut p = Parameters::default();
    for (name, value) in values {
        p.set(name, *value).unwrap();
    }
    p
}

/// The machine of the LogP paper's example.
fn paper() -> Parameters {
    parameters(&[("L", 6.0), ("o_send", 2.0), ("o_recv", 2.0), ("g", 4.0), ("G", 0.5), ("P", 8.0)])
}

fn of(ways: Result<Vec<fathom_model::answer::Outcome>, Missing>, label: &str) -> f64 {
    ways.unwrap().iter().find(|w| w.label == label).unwrap_or_else(|| panic!("{label}")).value
}

#[test]
fn the_example_of_the_logp_paper() {
    assert_eq!(of(broadcast(&paper(), 1), "optimal tree"), 24.0);
    // Both overheads alike: backwards it takes as long.
    assert_eq!(of(reduce(&paper(), 1), "optimal tree"), 24.0);
    assert_eq!(of(broadcast(&paper(), 1), "one after the other"), 6.0 * 4.0 + 10.0);
    // Seven messages each, every max(g, 2 o) = 4.
    assert_eq!(of(exchange(&paper(), 1), "direct"), 6.0 * 4.0 + 10.0);
    assert_eq!(of(scan(&paper(), 1), "doubling"), 3.0 * 10.0);
}

#[test]
fn a_long_message_goes_byte_after_byte() {
    assert_eq!(send(&paper(), 1).unwrap().value, 10.0);
    assert_eq!(send(&paper(), 101).unwrap().value, 10.0 + 100.0 * 0.5);
    let no_gap_per_byte = parameters(&[("L", 6.0), ("o_send", 2.0), ("o_recv", 2.0)]);
    assert_eq!(send(&no_gap_per_byte, 1).unwrap().value, 10.0);
    assert_eq!(send(&no_gap_per_byte, 2), Err(Missing(vec!["G"])));
}

#[test]
fn long_blocks_are_not_gathered() {
    let (short, long) = (exchange(&paper(), 1).unwrap(), exchange(&paper(), 10_000).unwrap());
    assert_eq!(long[0].label, "direct");
    assert!(short.iter().all(|w| w.value < long[0].value));
    // Three rounds of four blocks of one byte: 3 x (10 + 3 x 0.5).
    assert_eq!(of(exchange(&paper(), 1), "in rounds, blocks gathered"), 34.5);
}

#[test]
fn combining_counts_when_it_is_known() {
    let mut p = paper();
    assert!(reduce(&p, 8).unwrap()[0].notes[0].contains("combining is assumed to take no time"));
    let free = of(reduce(&p, 8), "binomial tree");
    p.set("combine", 1.0).unwrap();
    assert!(reduce(&p, 8).unwrap()[0].notes.is_empty());
    assert!(of(reduce(&p, 8), "binomial tree") >= free + 3.0 * 8.0);
    close(of(scan(&p, 8), "one after the other"), 7.0 * (10.0 + 7.0 * 0.5 + 8.0), 1e-9);
}

#[test]
fn what_is_missing_is_named_all_at_once() {
    assert_eq!(broadcast(&Parameters::default(), 8), Err(Missing(vec!["L", "o_send", "o_recv", "g", "G", "P"])));
    let c = complaint(&machine("voyager"), "broadcast 8 on 16");
    assert!(c.message.contains("no g,") && c.hint.unwrap().contains("--set g=US"));
    let c = complaint(&machine("t3d"), "send 8");
    assert!(c.message.contains('L') && c.message.contains('G'), "{c}");
    assert!(complaint(&machine("cm5"), "broadcast 8").hint.unwrap().contains("`on P`"));
}

/// Latency is end to end, with both overheads in it (Figure 8 of the StarT-Voyager study).
#[test]
fn machines_have_the_latency_that_is_printed() {
    for (name, us) in [
        ("voyager", 1.25),
        ("cm5", 5.7),
        ("paragon", 8.4),
        ("cs2", 10.8),
        ("start-jr", 27.0),
        ("sparc20-myrinet", 15.7),
    ] {
        close(answer(&machine(name), "send 1").results[0].value, us, 1e-6);
    }
    // 140 MB/s is the peak: a long message comes near it.
    let long = answer(&machine("voyager"), "send 1MB").results[0].value;
    close(1e6 / long, 140.0, 0.1);
}

#[test]
fn sizes_have_units_and_processors_may_be_given() {
    let m = machine("cm5");
    for (one, other) in
        [("send 4096", "send 4KiB"), ("send 4000", "send 4 kB"), ("send 1048576", "send 1M"), ("send 8", "send  8B")]
    {
        assert_eq!(answer(&m, one).results[0].value, answer(&m, other).results[0].value, "{other}");
    }
    for query in
        ["send 0", "send -1", "send 0.5", "send 8x", "send", "send 8 on 4", "broadcast 8 on 1", "broadcast 8 on x"]
    {
        complaint(&m, query);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_optimal_tree_is_never_slower(
        l in 0.1..50.0_f64, os in 0.0..10.0_f64, or in 0.0..10.0_f64, g in 0.0..20.0_f64, big in 0.0..1.0_f64,
        p in 2_u32..600, bytes in 1_u64..5000,
    ) {
        let m = parameters(&[("L", l), ("o_send", os), ("o_recv", or), ("g", g), ("G", big), ("P", f64::from(p))]);
        for ways in [broadcast(&m, bytes).unwrap(), reduce(&m, bytes).unwrap()] {
            let time = |label: &str| ways.iter().find(|w| w.label == label).unwrap().value;
            let slack = 1.0 + 1e-9;
            prop_assert!(time("optimal tree") <= time("binomial tree") * slack);
            prop_assert!(time("optimal tree") <= time("one after the other") * slack);
            prop_assert!(ways.windows(2).all(|w| w[0].value <= w[1].value));
            let one = send(&m, bytes).unwrap().value;
            prop_assert!(time("optimal tree") >= one / slack);
            if p == 2 {
                prop_assert_eq!(time("optimal tree"), one);
            }
        }
        let more = parameters(&[("L", l), ("o_send", os), ("o_recv", or), ("g", g), ("G", big), ("P", f64::from(p + 1))]);
        prop_assert!(broadcast(&m, bytes).unwrap()[0].value <= broadcast(&more, bytes).unwrap()[0].value * (1.0 + 1e-9));
    }
}
