//! The programs of `examples/nas`, class S, which compare their results with official values: those in UPC on the
//! conduits smp and mpi, those in C as OpenMP and as serial programs. Adding a program is adding a file.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::conduits::{tested, On};
use support::{fathom, files, root, run, stem};

const LIMIT: Duration = Duration::from_secs(120);

fn main() {
    let arguments = support::side_by_side(Arguments::from_args());
    let mut trials = vec![];
    let conduits = tested(&mut trials);
    let folder = root().join("examples/nas");
    for path in files(&folder, "upc") {
        for on in conduits.iter().filter(|on| ["smp", "mpi"].contains(&on.label.as_str())).cloned() {
            let path = path.clone();
            trials.push(Trial::test(format!("nas::{}::{}", stem(&path), on.label), move || upc(&path, &on)));
        }
    }
    for path in files(&folder, "c") {
        trials.push(Trial::test(format!("nas::{}", stem(&path)), move || c(&path)));
    }
    trials.push(Trial::test("nas::an_unknown_class_is_an_error", unknown_class));
    trials.push(Trial::test("nas::a_wrong_result_is_an_error", wrong_result));
    libtest_mimic::run(&arguments, trials).exit();
}

fn upc(path: &Path, on: &On) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let program = scratch.path().join("program");
    let with = |verb: &str| {
        let mut command = fathom();
        on.environment(&mut command, &stem(path));
        command.arg(verb);
        command
    };
    let mut command = with("cc");
    command.args(on.options()).args(["-O2", "-o"]).arg(&program).arg(path);
    succeeds(command)?;
    let counts = if on.is_mpi() { &["2"][..] } else { &["1", "2", "3"] };
    for n in counts {
        let mut command = with("run");
        command.args(["-n", n]).arg(&program);
        verifies(command)?;
    }
    Ok(())
}

/// Without -fopenmp, and with it if the compiler has its library.
fn c(path: &Path) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let compile = |options: &[&str], source: &Path| -> (PathBuf, Command) {
        let program = scratch.path().join(stem(source));
        let mut command = Command::new(std::env::var_os("FATHOM_CC").unwrap_or_else(|| "cc".into()));
        command.args(options).args(["-O2", "-o"]).arg(&program).arg(source).arg("-lm");
        (program, command)
    };
    let (serial, command) = compile(&[], path);
    succeeds(command)?;
    verifies(Command::new(serial))?;

    let probe = scratch.path().join("probe.c");
    std::fs::write(&probe, "#include <omp.h>\nint main(void) { return omp_get_max_threads() == 0; }\n")?;
    let (_, has_openmp) = compile(&["-fopenmp"], &probe);
    if succeeds(has_openmp).is_err() {
        return Ok(());
    }
    let (parallel, command) = compile(&["-fopenmp"], path);
    succeeds(command)?;
    let mut command = Command::new(parallel);
    // Threads that wait do not take the processors from those of other tests.
    command.env("OMP_NUM_THREADS", "2").env("OMP_WAIT_POLICY", "passive");
    verifies(command)
}

fn unknown_class() -> Result<(), Failed> {
    let mut command = fathom();
    command.args(["cc", "-fsyntax-only", "-DCLASS=X"]).arg(root().join("examples/nas/is_bulk.upc"));
    let outcome = run(command, LIMIT);
    match outcome.status != 0 && outcome.stderr.contains("CLASS is S, W or A") {
        true => Ok(()),
        false => Err(outcome.transcript().into()),
    }
}

/// The status of a program whose verification fails: with another sequence of random numbers the ranks are others.
fn wrong_result() -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    for file in ["nas.h", "is.h", "is_bulk.upc"] {
        let text = std::fs::read_to_string(root().join("examples/nas").join(file))?;
        std::fs::write(scratch.path().join(file), text.replace("UINT64_C(314159265)", "UINT64_C(271828183)"))?;
    }
    let mut command = fathom();
    command.args(["run", "-n", "2"]).arg(scratch.path().join("is_bulk.upc"));
    let outcome = run(command, LIMIT);
    match outcome.status == 1 && outcome.stdout.contains("VERIFICATION FAILED") {
        true => Ok(()),
        false => Err(outcome.transcript().into()),
    }
}

fn succeeds(command: Command) -> Result<String, Failed> {
    let text = format!("{command:?}");
    let outcome = run(command, LIMIT);
    match outcome.status == 0 && !outcome.timed_out && !outcome.left_behind {
        true => Ok(outcome.stdout),
        false => Err(format!("{text}\n{}", outcome.transcript()).into()),
    }
}

fn verifies(command: Command) -> Result<(), Failed> {
    let output = succeeds(command)?;
    match output.ends_with(", verified\n") {
        true => Ok(()),
        false => Err(format!("the last line names no verification:\n{output}").into()),
    }
}
