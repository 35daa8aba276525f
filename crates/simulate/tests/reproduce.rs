//! The studies' printed results on their simulated machines.

use fathom_machine::Description;
use fathom_simulate::reproduce::{reproduce, Class, Row, STUDIES};
use std::collections::BTreeMap;

fn described(name: &str) -> Description {
    let path = format!("{}/../../machines/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

#[test]
fn printed_results_are_found_and_their_class_is_computed() {
    for study in STUDIES {
        let rows = reproduce(study, &described(study.machine)).unwrap();
        let is_known = |id: &str| study.differs.iter().any(|(known, _)| *known == id);
        // What is said to differ does so, and nothing else.
        let wrong = rows.iter().filter(|r| r.passes == is_known(r.claim.id)).map(|r| (r.claim.id, r.ours));
        assert_eq!(wrong.collect::<Vec<_>>(), [], "{}", study.name);
        let by_id: BTreeMap<&str, &Row> = rows.iter().map(|r| (r.claim.id, r)).collect();
        assert_eq!(by_id.len(), study.claims.len(), "each result once");
        match (study.id, study.machine) {
            ("t3d", _) => classes_of_the_t3d_study(&by_id),
            ("copy-transfer", "t3d") => classes_of_the_copy_transfer_study(&by_id),
            _ => {}
        }
    }
}

fn classes_of_the_t3d_study(by_id: &BTreeMap<&str, &Row>) {
    // What stands in the file is no result that emerged.
    for (id, figure) in [("T05", "dram.on_page"), ("T25", "shell.uncached_read"), ("T07", "dram.busy")] {
        assert_eq!(by_id[id].class, Class::Calibration(figure.into()), "{id}");
    }
    for (id, figure) in [("T02", "cache.size"), ("T04", "cache.ways"), ("T16", "buffer.depth")] {
        assert_eq!(by_id[id].class, Class::Inferred(figure.into()), "{id}");
    }
    // Memory's time and four lines make the 35 ns.
    assert_eq!(by_id["T15"].class, Class::Emergent(vec!["dram.on_page".into(), "buffer.depth".into()]));
    assert_eq!(by_id["T23"].class, Class::Emergent(vec!["buffer".into()]));
    assert!(matches!(&by_id["T43"].class, Class::Emergent(from) if from.len() > 3), "{:?}", by_id["T43"].class);
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

fn classes_of_the_copy_transfer_study(by_id: &BTreeMap<&str, &Row>) {
    let class = |id: &str| &by_id[id].class;
    // A prediction that is one of the table's figures is none that emerged.
    assert_eq!(*class("C09.2"), Class::Calibration("Nadp@2".into()));
    assert_eq!(*class("C03"), Class::Emergent(vec!["1C1".into(), "Nd@2".into()]));
    assert_eq!(*class("C25.2"), Class::Calibration("read_ahead.hit".into()));
    assert_eq!(*class("C22"), Class::Emergent(vec!["cache".into()]));
    // 35 and 52 MB/s stand nowhere: a load of a word and the line after it that nobody needs; a deposited word.
    for (id, figures) in [("C21.64S0", &["dram.on_page", "read_ahead.busy"][..]), ("C21.0D64", &["dram.on_page"])] {
        let Class::Emergent(from) = class(id) else { panic!("{id}: {:?}", class(id)) };
        assert!(figures.iter().all(|f| from.iter().any(|found| found == f)), "{id}: {from:?}");
    }
}

#[test]
fn without_read_ahead_contiguous_loads_are_slower_and_others_faster() {
    let study = STUDIES.iter().find(|s| s.id == "copy-transfer" && s.machine == "t3d").unwrap();
    let off = (study.measure)(&described("t3d").without("read_ahead.on").unwrap()).unwrap();
    assert!((off["C24"] - 1.0).abs() < 1e-9 && off["C21.64S0"] > 45.0 && off["C25.2"] < 200.0, "{off:?}");
}
