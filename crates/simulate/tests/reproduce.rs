//! The studies' printed results on their simulated machines.

use fathom_machine::Description;
use fathom_simulate::reproduce::{reproduce, Class, Row, STUDIES};
use std::collections::{BTreeMap, BTreeSet};

fn described(name: &str) -> Description {
    let path = format!("{}/../../machines/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

fn rows(machine: &str) -> Vec<Row> {
    let study = STUDIES.iter().find(|s| s.machine == machine).unwrap();
    let rows = reproduce(study, &described(study.machine)).unwrap();
    let ids: BTreeSet<&str> = rows.iter().map(|r| r.claim.id).collect();
    assert_eq!(ids.len(), study.claims.len(), "each result once");
    rows
}

fn differing(rows: &[Row]) -> Vec<(&str, f64)> {
    rows.iter().filter(|r| !r.passes).map(|r| (r.claim.id, r.ours)).collect()
}

#[test]
fn printed_results_are_found_and_their_class_is_computed() {
    let rows = rows("t3d");
    assert_eq!(differing(&rows), []);
    let by_id: BTreeMap<&str, &Row> = rows.iter().map(|r| (r.claim.id, r)).collect();
    // What stands in the file is no result that emerged.
    for (id, figure) in [("T05", "dram.on_page"), ("T25", "shell.uncached_read"), ("T07", "dram.busy")] {
        assert_eq!(by_id[id].class, Class::Calibration(figure.into()), "{id}");
    }
    for (id, figure) in [("T02", "cache.size"), ("T04", "cache.ways"), ("T16", "buffer.depth")] {
        assert_eq!(by_id[id].class, Class::Inferred(figure.into()), "{id}");
    }
    // 35 ns stand nowhere: memory's time and four lines make them.
    assert_eq!(by_id["T15"].class, Class::Emergent(vec!["dram.on_page".into(), "buffer.depth".into()]));
    assert_eq!(by_id["T23"].class, Class::Emergent(vec!["buffer".into()]));
    assert!(matches!(&by_id["T43"].class, Class::Emergent(from) if from.len() > 3), "{:?}", by_id["T43"].class);
}

#[test]
fn shared_memory_is_as_printed_but_for_rates_of_far_stores() {
    let rows = rows("spp1000");
    // Far stores at strides of one and two words take longer than here, for which the study has no cause.
    assert_eq!(differing(&rows), [("P17", 6.0)]);
    let by_id: BTreeMap<&str, &Row> = rows.iter().map(|r| (r.claim.id, r)).collect();
    assert_eq!((by_id["P16"].ours, by_id["P18"].ours), (65.0, 12.0));
    let Class::Table { emergent, calibrations } = by_id["P16"].class else { panic!("{:?}", by_id["P16"].class) };
    assert!(emergent > 40 && emergent + calibrations == 65, "{emergent} {calibrations}");
    assert_eq!(by_id["P06"].class, Class::Calibration("hypernode.load".into()));
    assert_eq!(by_id["P13a"].class, Class::Calibration("rings.again".into()), "a fitted figure is called one");
    assert_eq!(by_id["P12a"].class, Class::Inferred("interconnect.size".into()));
    for (id, mechanism) in [("P15", "rings.interleaved"), ("P20", "rings.early"), ("P21", "interconnect")] {
        assert_eq!(by_id[id].class, Class::Emergent(vec![mechanism.into()]), "{id}");
    }
}

#[test]
fn a_machine_without_a_mechanism_differs_from_what_is_printed() {
    let study = STUDIES.iter().find(|s| s.machine == "t3d").unwrap();
    for (without, differs) in [("buffer.merges", "T17"), ("shell.invalidates", "T38"), ("cache", "T37")] {
        let results = (study.measure)(&described("t3d").without(without).unwrap()).unwrap();
        assert_eq!(results[differs], 0.0, "without {without}");
    }
    let slower = described("t3d").with_factor("dram.on_page", 1.2).unwrap();
    let results = (study.measure)(&slower).unwrap();
    assert!((results["T05"] / 174.0 - 1.0).abs() < 0.01 && results["T16"] == 4.0, "{results:?}");
}

#[test]
fn what_is_assumed_of_shared_memory_decides_no_result_but_the_barriers() {
    let study = STUDIES.iter().find(|s| s.machine == "spp1000").unwrap();
    let machine = described("spp1000");
    let ours = (study.measure)(&machine).unwrap();
    let assumed = machine.figures().filter_map(|(name, _)| Some((machine.range(&name).ok()??, name)));
    let assumed: Vec<_> = assumed.collect();
    assert!(assumed.len() >= 4, "{assumed:?}");
    for (range, name) in assumed {
        for end in range {
            let changed = machine.with_factor(&name, end.value / machine.quantity(&name).unwrap().value).unwrap();
            let theirs = (study.measure)(&changed).unwrap();
            let differing: Vec<_> = ours.iter().filter(|(id, v)| (theirs[*id] / **v - 1.0).abs() > 0.01).collect();
            assert!(differing.iter().all(|(id, _)| **id == "P23"), "{name} as {}: {differing:?}", end.value);
            assert!((1.8..2.2).contains(&theirs["P23"]), "{name} as {}: {}", end.value, theirs["P23"]);
        }
    }
}
