//! `fathom reproduce`: claims that whole programs show, and those that tests of this repository show.

use crate::support;
use fathom_simulate::reproduce::{shown, By, STUDIES};
use std::time::Duration;
use support::{fathom, root, run, Outcome};

const LIMIT: Duration = Duration::from_secs(240);

fn reproduce(args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.arg("reproduce").args(args).env("COLUMNS", "200");
    run(command, LIMIT)
}

#[test]
fn tests_that_are_named_exist() {
    let mut named = 0;
    for one in STUDIES.iter().flat_map(|study| shown(study.id)) {
        let By::Test(test) = one.by else { continue };
        let (file, name) = test.split_once("::").unwrap_or((test, ""));
        let text = std::fs::read_to_string(root().join(file)).unwrap_or_else(|why| panic!("{file}: {why}"));
        assert!(text.contains(name), "{file} has no test `{name}`");
        named += 1;
    }
    assert!(named > 5, "{named}");
}

#[test]
fn programs_run_where_they_are_asked_for() {
    // By name, or by --programs; else they are only listed.
    let line = |outcome: &Outcome, id: &str| {
        let found = outcome.stdout.lines().find(|l| l.starts_with(id)).map(String::from);
        found.unwrap_or_else(|| panic!("no {id}: {}", outcome.transcript()))
    };
    let outcome = reproduce(&["t3d", "--only", "T69,T70a,T70b"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    assert!(outcome.stdout.contains("3 of 3 by whole programs are as printed"), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("calibration"), "no result of a part was asked for: {}", outcome.stdout);
    let reads = line(&outcome, "T69");
    // About 4,000 edges lead to the 2,000 nodes of two processors.
    assert!(reads.contains("2.308"), "{reads}");
    let outcome = reproduce(&["x1", "--only", "X01,X15,X17b"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    assert!(line(&outcome, "X01").contains("a test") && !line(&outcome, "X15").contains("not run"));
    assert!(outcome.stdout.contains("1 of 1 results are as printed"), "{}", outcome.stdout);
    // The study whose parts are the fastest.
    let outcome = reproduce(&["now"]);
    assert!(line(&outcome, "N24").contains("not run"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("18 by whole programs, which --programs runs"), "{}", outcome.stdout);
}

#[test]
fn a_mechanism_that_a_machine_does_not_have_is_answered_by_those_that_it_has() {
    let outcome = reproduce(&["t3d", "--without", "buffer.merge"]);
    assert_eq!(outcome.status, 1, "{}", outcome.transcript());
    let says = |what: &str| assert!(outcome.stderr.contains(what), "no `{what}`: {}", outcome.stderr);
    says("the machine `t3d` cannot be without `buffer.merge`: figure `buffer.merge` is not a switch");
    says("buffer.merges");
    assert!(!outcome.stderr.contains("read_ahead.on"), "it is off: {}", outcome.stderr);
    // What is left out may be what breaks a statement; the number of a claim stands for all of its results.
    let outcome = reproduce(&["t3d", "--only", "t64", "--without", "buffer"]);
    assert!(["T64a", "T64b"].iter().all(|id| outcome.stdout.contains(id)), "{}", outcome.transcript());
    let outcome = reproduce(&["t3d", "--only", "T64", "--machine", "paragon"]);
    let says = "the programs of the study `t3d` cannot run on the machine `paragon`: there is no part `shell`";
    assert!(outcome.status == 1 && outcome.stderr.contains(says), "{}", outcome.transcript());
    // Without a study's name a mechanism of one machine is missing in another.
    let outcome = reproduce(&["--only", "N04", "--without", "network.serve"]);
    assert!(outcome.stderr.contains("not as printed, without a known reason: N04"), "{}", outcome.stderr);
    let outcome = reproduce(&["--without", "nes.one_access"]);
    assert!(outcome.stderr.contains("name a study whose machine has it: voyager"), "{}", outcome.stderr);
}

#[test]
fn programs_run_on_the_machine_that_is_named() {
    // By the T3D's operations there is less between them than by messages.
    let ratio = |args: &[&str]| -> f64 {
        let outcome = reproduce(&[&["x1", "--only", "X15"], args].concat());
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
        let line = outcome.stdout.lines().find(|l| l.starts_with("X15")).unwrap();
        let before = line.split(" times").nth(1).unwrap();
        before.split_whitespace().last().unwrap().parse().unwrap()
    };
    let (own, other) = (ratio(&[]), ratio(&["--machine", "t3d"]));
    assert!(own != other && own < 0.5 && other < 0.5, "{own} {other}");
}

#[test]
fn programs_slow_down_by_the_model_as_overhead_and_gap_are_turned() {
    let outcome = reproduce(&["now", "--only", "N24,N34"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    assert!(outcome.stdout.contains("2 of 2 by whole programs are as printed"), "{}", outcome.stdout);
    // Without the other processor's part a put has half of its overheads.
    let outcome = reproduce(&["now", "--only", "N24", "--without", "network.serve"]);
    assert!(outcome.status != 0 && outcome.stderr.contains("without a known reason: N24"), "{}", outcome.transcript());
    let outcome = reproduce(&["now", "--only", "N24", "--machine", "ib-edr"]);
    assert!(
        outcome.stderr.contains("the machine has not the parameters that the study turns"),
        "{}",
        outcome.transcript()
    );
}
