//! The studies' printed results on their simulated machines: the part of `fathom reproduce` that `cargo test` performs. All
//! results that parts of a machine show, with 5 samples of the copy-transfer study; crates/fathom/tests/reproduce.rs has some
//! of those by whole programs (docs/machines.md, "Printed results").

use fathom_machine::Description;
use fathom_simulate::reproduce::{
    claim_of, count, is_covered, report, shown, verdicts, why_differs, Class, Entry, Expected, Report, Results, Row,
    Study, Verdict, LISTED, SAMPLES, STUDIES,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

fn described(name: &str) -> Description {
    let path = format!("{}/../../machines/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}

/// The reports of the studies, each computed once for all tests.
static REPORTS: [OnceLock<Report>; STUDIES.len()] = [const { OnceLock::new() }; STUDIES.len()];

/// The report of a study on a machine, with what is true of every report.
fn reported(id: &str, machine: &str) -> &'static Report {
    let place = STUDIES.iter().position(|s| (s.id, s.machine) == (id, machine)).unwrap();
    REPORTS[place].get_or_init(|| checked(&STUDIES[place]))
}

fn checked(study: &Study) -> Report {
    // Samples of the copy-transfer study take long, and say little more.
    let samples = if study.id == "copy-transfer" { 5 } else { SAMPLES };
    let Report { ledger, rows } = report(study, &described(study.machine), samples).unwrap();
    // What is said to differ does so, and nothing else.
    for row in &rows {
        let known = why_differs(study, row.claim.id);
        assert_eq!(row.passes, known.is_none(), "{}: {} is {}", study.name, row.claim.id, row.ours);
    }
    assert_eq!(by_id(&rows).len(), study.claims.len(), "each result once");
    assert!(ledger.figures.iter().all(|(_, all, used)| used <= all), "{:?}", ledger.figures);
    assert!(rows.iter().all(|r| r.held <= ledger.samples));
    Report { ledger, rows }
}

fn by_id(rows: &[Row]) -> BTreeMap<&str, &Row> {
    rows.iter().map(|r| (r.claim.id, r)).collect()
}

#[test]
fn every_study_is_tested_here() {
    let all: Vec<(&str, &str)> = STUDIES.iter().map(|s| (s.id, s.machine)).collect();
    assert_eq!(
        all,
        [
            ("t3d", "t3d"),
            ("workstation", "alpha-workstation"),
            ("spp1000", "spp1000"),
            ("copy-transfer", "t3d"),
            ("copy-transfer", "paragon"),
            ("x1", "x1"),
            ("voyager", "voyager"),
            ("now", "now")
        ],
        "a further study needs a call of `reported`"
    );
}

#[test]
fn the_list_of_claims_and_the_studies_name_the_same() {
    let ids: BTreeSet<&str> = LISTED.iter().map(|claim| claim.id).collect();
    assert_eq!((ids.len(), LISTED.len()), (171, 171), "each once");
    for (letter, all) in [('T', 70), ('C', 30), ('V', 25), ('P', 25), ('X', 21)] {
        assert_eq!(ids.iter().filter(|id| id.starts_with(letter)).count(), all, "{letter}");
    }
    assert_eq!(LISTED.iter().filter(|claim| claim.should_emerge).count(), 41);
    let open: Vec<&&str> = ids.iter().filter(|id| !is_covered(id)).collect();
    assert!(open.is_empty(), "neither shown nor given up: {open:?}");
    // The list is of the five studies; the Berkeley NOW's claims are none of its.
    for study in STUDIES.iter().filter(|study| study.id != "now") {
        let results = study.claims.iter().chain(shown(study.id).iter().map(|one| &one.claim)).map(|claim| claim.id);
        for id in results.chain(study.left_out.iter().flat_map(|(ids, _)| *ids).copied()) {
            assert!(ids.contains(claim_of(id)), "{}: {id} is in no list", study.name);
        }
        // Readings are of one printed figure.
        for of in study.readings {
            let printed = |id: &str| match study.claims.iter().find(|c| c.id == id).map(|c| c.expected) {
                Some(Expected::Near(value, unit, _)) => (vec![value], unit),
                Some(Expected::Most(_, all, unit, _)) => (all.iter().map(|(_, value)| *value).collect(), unit),
                other => panic!("{id}: {other:?}"),
            };
            assert!(of.len() > 1 && of.iter().all(|id| printed(id) == printed(of[0])), "{of:?}");
        }
    }
}

#[test]
fn every_claim_has_the_verdict_that_the_documentation_gives() {
    let all: Vec<(&'static Study, &Report)> =
        STUDIES.iter().map(|study| (study, reported(study.id, study.machine))).collect();
    let entries = verdicts(&all, &Results::new());
    let docs = std::fs::read_to_string(format!("{}/../../docs/machines.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let says = |line: String| assert!(docs.contains(&line), "docs/machines.md does not say `{line}`");
    for verdict in Verdict::ALL {
        says(format!("| {} | {} |", verdict.words(), count(&entries, verdict)));
    }
    let emerging: Vec<&Entry> = entries.iter().filter(|entry| entry.listed.should_emerge).collect();
    let of = |is: fn(&Entry) -> bool| emerging.iter().filter(|entry| is(entry)).count();
    says(format!("of the 41 claims that should emerge, {} are emergent", of(Entry::is_emergent)));
    says(format!("{} are sizes", of(Entry::is_inferred)));
    // What is not as printed has a reason, and what is has none.
    for entry in &entries {
        let has_reason = !matches!(entry.verdict, Verdict::AsPrinted | Verdict::NotRun);
        assert_eq!(entry.why.is_empty(), !has_reason, "{}", entry.listed.id);
        assert!(entry.verdict == Verdict::NotReproduced || !entry.by.is_empty(), "{}", entry.listed.id);
    }
}

#[test]
fn the_workstation_has_what_its_study_compares_with_the_t3d() {
    let by_id = by_id(&reported("workstation", "alpha-workstation").rows);
    // A larger one is not found, since the probes sweep too little, but a smaller one is.
    assert_eq!(by_id["T11b"].class, Class::Inferred("second.size".into()));
    // A page stands nowhere: three levels of tables of words, which reach 43 bits, make it.
    let Class::Emergent(from) = &by_id["T12"].class else { panic!("{:?}", by_id["T12"].class) };
    assert!(["levels", "entry"].iter().all(|figure| from.contains(&format!("translation.{figure}"))), "{from:?}");
    assert_eq!(by_id["T11c"].class, Class::Calibration("memory.on_page".into()));
    // The time of a miss was derived from this very result.
    assert_eq!(by_id["T31"].class, Class::Calibration("translation.miss".into()));
}

#[test]
fn the_copy_transfer_study_has_classes_and_reasons_for_what_differs() {
    let Report { ledger, rows } = reported("copy-transfer", "t3d");
    let by_id = by_id(rows);
    classes_of_the_copy_transfer_study(&by_id);
    // What follows from printed figures alone rests on no assumption.
    assert_eq!((by_id["C03"].held, by_id["C02"].held), (ledger.samples, ledger.samples));
    assert_eq!(rows.iter().filter(|r| r.passes).count(), 46);
    let Report { rows, .. } = reported("copy-transfer", "paragon");
    assert_eq!(rows.iter().filter(|r| r.passes).count(), 27);
}

#[test]
fn the_t3d_has_inputs_and_what_follows_from_them() {
    let Report { ledger, rows } = reported("t3d", "t3d");
    let by_id = by_id(rows);
    let wrong: Vec<&str> = rows.iter().filter(|r| !r.passes).map(|r| r.claim.id).collect();
    assert_eq!(wrong, ["T35", "T64b"]);
    // What stands in the file is no result that emerged.
    for (id, figure) in [
        ("T05", "dram.on_page"),
        ("T25", "shell.uncached_read"),
        ("T07", "dram.busy"),
        ("T53", "engine.rate"),
        ("T63", "registers.fetch_and_increment"),
        ("T48", "code.table"),
    ] {
        assert_eq!(by_id[id].class, Class::Calibration(figure.into()), "{id}");
    }
    for (id, figure) in [("T02", "cache.size"), ("T03", "cache.line"), ("T16", "buffer.depth")] {
        assert_eq!(by_id[id].class, Class::Inferred(figure.into()), "{id}");
    }
    // 35 ns stand nowhere: memory's time and four lines make them.
    assert_eq!(by_id["T15"].class, Class::Emergent(vec!["dram.on_page".into(), "buffer.depth".into()]));
    // The hazards vanish with their mechanisms; so do the two statements about sequences of operations.
    for (id, mechanism) in [
        ("T23", "buffer"),
        ("T24", "cache"),
        ("T34", "buffer"),
        ("T37", "cache"),
        ("T38", "shell.invalidates"),
        ("T39", "processor.words_only"),
        ("T40", "buffer"),
        ("T46", "buffer"),
        ("T55", "engine"),
        ("T65", "barrier.fuzzy"),
        ("T04", "one way"),
        ("T08", "no second cache"),
        ("T09", "no translation"),
        ("T18", "pages of memory"),
        ("T57", "one drop of the whole cache"),
        ("T52", "a queue of 16 prefetches"),
    ] {
        assert_eq!(by_id[id].class, Class::Emergent(vec![mechanism.into()]), "{id}");
    }
    // No single figure is the cost of an operation of Split-C, or what blocks of bytes take.
    for id in ["T32", "T43", "T47", "T51", "T56", "T58", "T59", "T60", "T64a", "T66"] {
        assert!(matches!(&by_id[id].class, Class::Emergent(from) if from.len() > 2), "{id}: {:?}", by_id[id].class);
    }
    assert_eq!(ledger.samples, SAMPLES);
    // Which way is the fastest for 64 bytes rests on the cycles of a loop, and on little else.
    assert!((SAMPLES / 2..SAMPLES).contains(&by_id["T55"].held), "{}", by_id["T55"].held);
    assert_eq!(by_id["T05"].held, SAMPLES);
}

#[test]
fn shared_memory_is_as_printed_but_for_rates_of_far_stores() {
    let Report { ledger, rows } = reported("spp1000", "spp1000");
    // Far stores at strides of one and two words take longer than here, for which the study has no cause.
    let wrong: Vec<(&str, f64)> = rows.iter().filter(|r| !r.passes).map(|r| (r.claim.id, r.ours)).collect();
    assert_eq!(wrong, [("P17.2", 6.0)]);
    // By its definition Table 4 follows from eight printed figures and no other.
    let of_table_4 = rows.iter().find(|r| r.claim.id == "P17").unwrap();
    assert_eq!((of_table_4.ours, &of_table_4.class), (8.0, &Class::Table { emergent: 8, calibrations: 0 }));
    let by_id = by_id(rows);
    assert_eq!((by_id["P16"].ours, by_id["P18"].ours), (65.0, 12.0));
    let Class::Table { emergent, calibrations } = by_id["P16"].class else { panic!("{:?}", by_id["P16"].class) };
    assert!(emergent > 40 && emergent + calibrations == 65, "{emergent} {calibrations}");
    assert_eq!(by_id["P06"].class, Class::Calibration("hypernode.load".into()));
    assert_eq!(by_id["P13a"].class, Class::Calibration("rings.again".into()), "a fitted figure is called one");
    assert_eq!(by_id["P12a"].class, Class::Inferred("interconnect.size".into()));
    for (id, mechanism) in [("P15", "rings.interleaved"), ("P20", "rings.early"), ("P21", "interconnect")] {
        assert_eq!(by_id[id].class, Class::Emergent(vec![mechanism.into()]), "{id}");
    }
    // What is assumed with a range decides none of them.
    assert!(rows.iter().all(|r| !r.passes || r.held == ledger.samples));
}

#[test]
fn the_x1_has_orders_that_follow_from_its_steps_and_its_cache() {
    let Report { ledger, rows } = reported("x1", "x1");
    let wrong: Vec<&str> = rows.iter().filter(|r| !r.passes).map(|r| r.claim.id).collect();
    assert_eq!(wrong, ["X09.2", "X16"]);
    let by_id = by_id(rows);
    // A constant of the library is found by times; where a copy pays here is another size.
    assert_eq!(by_id["X09"].class, Class::Inferred("code.copies_from".into()));
    // What shmem takes is put in, and is called so.
    assert_eq!(by_id["X07a"].class, Class::Calibration("code.shmem".into()));
    for (id, mechanism) in [("X03c", "code.global_pointers"), ("X08", "processor.words_only"), ("X17b", "ecache.ways")]
    {
        assert_eq!(by_id[id].class, Class::Emergent(vec![mechanism.into()]), "{id}");
    }
    for id in ["X07b", "X10", "X17a"] {
        assert!(matches!(&by_id[id].class, Class::Emergent(from) if from.len() > 2), "{id}: {:?}", by_id[id].class);
    }
    // That there is a conflict holds everywhere; that it costs a fifth rests on what is assumed of the vector unit.
    assert!(2 * by_id["X17a"].held < ledger.samples && by_id["X17b"].held == ledger.samples);
}

#[test]
fn voyager_has_orders_that_follow_from_its_bus_and_properties_that_rest_on_mechanisms() {
    let Report { ledger, rows } = reported("voyager", "voyager");
    let wrong: Vec<&str> = rows.iter().filter(|r| !r.passes).map(|r| r.claim.id).collect();
    assert_eq!(wrong, ["V01", "V03", "V10b"]);
    let by_id = by_id(rows);
    assert_eq!(by_id["V24a"].class, Class::Calibration("network.rate".into()));
    assert_eq!(by_id["V15a"].class, Class::Inferred("nes.queues".into()));
    // No figure of Figure 8 is put in.
    for id in ["V01", "V02", "V03", "V04", "V07", "V09a", "V11a", "V12"] {
        assert!(matches!(&by_id[id].class, Class::Emergent(from) if from.len() > 2), "{id}: {:?}", by_id[id].class);
    }
    for (id, mechanism) in [
        ("V17a", "nes.miss_queue"),
        ("V17b", "nes.diverts"),
        ("V18", "nes.serves"),
        ("V19", "nes.translates"),
        ("V20", "nes.one_access"),
        ("V21b", "code.locks"),
        ("V22", "nes.by_priority"),
        ("V23", "nes.one_access"),
        ("V25", "nes.miss_queue"),
    ] {
        assert_eq!(by_id[id].class, Class::Emergent(vec![mechanism.into()]), "{id}");
        assert_eq!(by_id[id].held, ledger.samples, "{id} rests on no assumed figure");
    }
    // On the machine as designed, and not on that on which the study measured overheads, these three differ.
    let study = STUDIES.iter().find(|s| s.id == "voyager").unwrap();
    let designed = (study.measure)(&described("voyager").without("code.imitated").unwrap()).unwrap();
    assert!(designed["V05"] < 100.0 && designed["V08"] < 2.0 && designed["V09b"] > 1.0, "{designed:?}");
    // Whether both loads of 32 bits are what the study counts cannot be told; they come near.
    let two = (study.measure)(&described("voyager").with("code.two_loads").unwrap()).unwrap();
    assert!((two["V03"] / 510.0 - 1.0).abs() < 0.15 && (two["V01"] / 1250.0 - 1.0).abs() < 0.1, "{two:?}");
}

#[test]
fn a_machine_without_a_mechanism_differs_from_what_is_printed() {
    let study = STUDIES.iter().find(|s| s.id == "t3d").unwrap();
    for (without, differs) in [
        ("buffer.merges", "T17"),
        ("shell.invalidates", "T38"),
        ("cache", "T37"),
        ("engine", "T55"),
        ("barrier.fuzzy", "T65"),
        ("processor.words_only", "T39"),
    ] {
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

#[test]
fn on_the_berkeley_now_messages_cost_what_the_models_say() {
    let Report { ledger, rows } = reported("now", "now");
    let by_id = by_id(rows);
    // The slopes hold whatever the figures are; that reads cost both processors rests on one switch.
    assert_eq!(by_id["N04"].class, Class::Emergent(vec!["network.serve".into()]));
    for id in ["N01", "N02", "N03"] {
        assert_eq!((&by_id[id].class, by_id[id].held), (&Class::Open, ledger.samples), "{id}");
    }
    let study = STUDIES.iter().find(|s| s.id == "now").unwrap();
    let alone = (study.measure)(&described("now").without("network.serve").unwrap()).unwrap();
    assert!((alone["N01"] - 1.0).abs() < 0.05, "half of the overheads are missing: {}", alone["N01"]);
}
