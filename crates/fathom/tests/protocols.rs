//! The models of tests/protocols, each checked exhaustively in every way that it names (run.sh there). Where spin is
//! missing they are ignored, unless FATHOM_TEST_SPIN=required or CI=true.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::process::Command;
use std::time::Duration;
use support::{root, run};

fn main() {
    let arguments = Arguments::from_args();
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|v| v == value);
    let trials = if fathom_toolchain::compiler::which("spin").is_some() {
        let list = run(script(&["--list"]), Duration::from_secs(60)).stdout;
        list.lines().map(String::from).map(|line| Trial::test(line.clone(), move || check(&line))).collect()
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
