//! Queries of any kind: an answer, or a complaint that stands on the text.

use crate::machines;
use fathom_model::query::{ask, Options, WORDS};
use machines::{answer, machine};
use proptest::prelude::*;

const MACHINES: [&str; 4] = ["t3d", "paragon", "voyager", "spp1000"];

/// The values of an answer are numbers, its steps end in them, and every way is there once.
#[track_caller]
fn sound(name: &str, query: &str) {
    for result in answer(&machine(name), query).results {
        let last = result.steps.last().expect(query);
        assert!(result.value.is_finite() && result.value > 0.0, "{name}: {query}: {result:?}");
        assert_eq!((last.value, last.unit, last.depth), (result.value, result.unit, 0), "{name}: {query}: {result:?}");
    }
}

#[test]
fn what_a_machine_says_can_be_asked_can_be_asked() {
    let mut asked = 0;
    for name in MACHINES {
        let hint = machines::complaint(&machine(name), "").hint.expect("what can be asked");
        let (_, list) = hint.split_once(": ").expect("a list");
        for query in list.split("; ").filter(|q| !q.contains('…')) {
            asked += 1;
            match ask(query, &machine(name), Options::default()) {
                Ok(_) => sound(name, query),
                // What is not in print.
                Err(e) => assert!(e.message.contains(" has no ") && e.hint.expect(query).contains("--set"), "{query}"),
            }
        }
    }
    assert!(asked > 10, "{asked}");
}

/// C23 is measured; here it is only looked up: the tabulated congestions, and one between.
#[test]
fn congestion_slows_down_what_crosses_the_network() {
    let m = machine("paragon");
    let at = |congestion| ask("Q'(1,64)", &m, Options { congestion: Some(congestion) }).unwrap().results[0].value;
    assert!(at(1.0) >= at(1.5) && at(1.5) >= at(2.0) && at(2.0) > at(4.0));
    assert_eq!(at(4.0), 22.0);
    assert!(ask("Q(1,64)", &m, Options { congestion: Some(9.0) }).is_err());
}

/// A machine that was measured at several sizes of blocks, one processor on each side.
const BY_SIZE: &str = r#"
    name = "by size"
    [copy_transfer]
    congestion = 1
    processors = "each"
    by_size = [
        { transfer = "1C1", points = [{ bytes = 1024, mb_s = 8000 }, { bytes = 4096, mb_s = 2000 }], source = "made up" },
        { transfer = "1S0", points = [{ bytes = 1024, mb_s = 500 }], source = "made up" },
        { transfer = "0R1", points = [{ bytes = 1024, mb_s = 400 }], source = "made up" },
    ]
    network = [{ transfer = "Nd", points = [{ congestion = 1, mb_s = 900 }], source = "made up" }]
"#;

#[test]
fn the_size_of_a_block_says_which_figure_holds() {
    let m: fathom_model::MachineFile = toml::from_str(BY_SIZE).unwrap();
    assert_eq!(m.check(), Ok(()));
    let value = |query: &str| answer(&m, query).results[0].value;
    assert_eq!((value("1C1 of 1KiB"), value("1C1 of 4K"), value("1C1")), (8000.0, 2000.0, 2000.0));
    // The time of a byte, half way in the logarithm: (1/8000 + 1/2000) / 2.
    assert!((value("1C1 of 2048") - 3200.0).abs() < 1e-9);
    // Two processors: one sends, the other receives; but a copy beside both would take a third.
    assert_eq!(value("1S0 || Nd || 0R1"), 400.0);
    let ways = answer(&m, "Q(1,1) of 1024").results;
    assert!(ways.iter().all(|w| !w.label.contains("co-processor")) && ways.len() == 4, "{ways:?}");
    let beyond = answer(&m, "1C1 of 1MB").results.remove(0);
    assert!(beyond.notes[0].contains("the largest measured") && beyond.value == 2000.0, "{beyond:?}");
}

#[test]
fn a_transfer_is_set_at_all_sizes() {
    let mut m: fathom_model::MachineFile = toml::from_str(BY_SIZE).unwrap();
    assert_eq!(m.set("1C1", 50.0), Ok(Some(2000.0)));
    assert_eq!(answer(&m, "1C1 of 1024").results[0].value, 50.0);
    assert_eq!(m.check(), Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered_or_complained_about(
        index in 0..MACHINES.len(),
        text in prop_oneof![
            "[ 01w6CSFRDNadpoQ'(),|ωé∘]{0,30}",
            "\\PC{0,20}",
            ("[ ]{0,2}", prop::sample::select(WORDS.to_vec()), "( (near|far|cached|blt|prefetch|loop|on|stride|[0-9.-]{1,6}(kB|MiB|G)?|é)){0,4}")
                .prop_map(|(a, b, c)| a + b + &c),
        ],
    ) {
        if let Err(c) = ask(&text, &machine(MACHINES[index]), Options::default()) {
            prop_assert!(text.get(c.at.clone()).is_some(), "{:?} at {:?}", text, c.at);
            prop_assert!(!c.message.is_empty());
        }
    }

    #[test]
    fn a_way_never_beats_its_slowest_transfer(
        x in prop::sample::select(vec!["1", "2", "16", "64", "512", "w"]),
        y in prop::sample::select(vec!["1", "2", "16", "64", "512", "w"]),
        paragon: bool,
    ) {
        let m = machine(if paragon { "paragon" } else { "t3d" });
        let ways = answer(&m, &format!("Q({x},{y})")).results;
        prop_assert!(ways.windows(2).all(|w| w[0].value >= w[1].value));
        for way in &ways {
            prop_assert!(way.steps.iter().all(|s| way.value <= s.value), "{:?}", way);
        }
        let mut labels: Vec<&String> = ways.iter().map(|w| &w.label).collect();
        labels.sort();
        labels.dedup();
        prop_assert_eq!(labels.len(), ways.len());
    }
}
