//! The models of tests/protocols, each checked exhaustively (run.sh there). The narrow run checks the first way of each
//! model that must hold, and the first that must fail: these are quick. FATHOM_TEST_WIDE=1 checks all ways, a filter
//! those that it names. Where spin is missing they are ignored, unless FATHOM_TEST_SPIN=required or CI=true.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;
use support::{root, run};

fn main() {
    let arguments = Arguments::from_args();
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|v| v == value);
    let trials = if fathom_toolchain::compiler::which("spin").is_some() {
        let list = run(script(&["--list"]), Duration::from_secs(60)).stdout;
        let mut met = BTreeSet::new();
        let trials = list.lines().map(|line| {
            let is_first = met.insert(line.splitn(3, ':').take(2).collect::<Vec<_>>());
            let line = line.to_string();
            (Trial::test(line.clone(), move || check(&line)), is_first)
        });
        let trials = trials.collect();
        support::narrowed(&arguments, trials, "checks of models")
    } else {
        let required = is("FATHOM_TEST_SPIN", "required") || is("CI", "true");
        let missing = Trial::test("protocols (spin was not found: apt install spin)", || {
            Err("spin is not here, and the checks of the models are required".into())
        });
        vec![missing.with_ignored_flag(!required)]
    };
    libtest_mimic::run(&arguments, trials).exit();
}

fn script(arguments: &[&str]) -> Command {
    let mut command = Command::new(root().join("tests/protocols/run.sh"));
    command.args(arguments);
    command
}

fn check(line: &str) -> Result<(), Failed> {
    let outcome = run(script(&[&format!("={line}")]), Duration::from_secs(600));
    match outcome.status == 0 && !outcome.timed_out {
        true => Ok(()),
        false => Err(outcome.transcript().into()),
    }
}
