//! The examples that check their results and end with a status other than 0 if these are wrong, on the conduits smp and
//! mpi. Adding a program to one of the folders is adding a file.
//!
//! * `examples/nas`, class S: those in UPC, and those in C as OpenMP and as serial programs, compare their results with
//!   official values.
//! * `examples/coherence`: for fractions of a second; what they measure is nobody's business here, the data are.
//! * `bench/livermore`: kernels on shared arrays have C's results, bit by bit. One thread would measure them.
//! * `examples/sorts`: small sorts, of all distributions, by numbers of processors that are no powers of two, too.

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
        for on in shared_and_mpi(&conduits) {
            let path = path.clone();
            trials.push(Trial::test(format!("nas::{}::{}", stem(&path), on.label), move || upc(&path, &on)));
        }
    }
    for path in files(&folder, "c") {
        trials.push(Trial::test(format!("nas::{}", stem(&path)), move || c(&path)));
    }
    trials.push(Trial::test("nas::an_unknown_class_is_an_error", unknown_class));
    trials.push(Trial::test("nas::a_wrong_result_is_an_error", wrong_result));
    for path in files(&root().join("examples/sorts"), "sc") {
        for on in shared_and_mpi(&conduits) {
            let path = path.clone();
            trials.push(Trial::test(format!("sorts::{}::{}", stem(&path), on.label), move || {
                small(&path, &on, 1, &["all", "301"], "the keys are sorted, the same as by a serial sort\n")
            }));
        }
    }
    for path in files(&root().join("examples/coherence"), "upc") {
        // The last argument is the time in seconds; the others have words to move before it, between two threads.
        let (arguments, least) = match stem(&path).as_str() {
            "barriers" => (&["0.1"][..], 1),
            "handover" => (&["1000", "0.1"][..], 2),
            _ => (&["1000", "0.1"][..], 1),
        };
        for on in shared_and_mpi(&conduits) {
            let path = path.clone();
            trials.push(Trial::test(format!("coherence::{}::{}", stem(&path), on.label), move || {
                small(&path, &on, least, arguments, "all data and all orders were right\n")
            }));
        }
    }
    for on in shared_and_mpi(&conduits) {
        trials.push(Trial::test(format!("livermore::shared::{}", on.label), move || livermore(&on)));
    }
    trials.push(Trial::test("coherence::wrong_data_are_an_error", wrong_data));
    trials.push(Trial::test("sorts::a_wrong_order_is_an_error", wrong_order));
    trials.push(Trial::test("sorts::a_changed_key_is_an_error", changed_key));
    libtest_mimic::run(&arguments, trials).exit();
}

fn shared_and_mpi(conduits: &[On]) -> Vec<On> {
    conduits.iter().filter(|on| ["smp", "mpi"].contains(&on.label.as_str())).cloned().collect()
}

/// `fathom VERB`, in the environment that the conduit needs.
fn with(verb: &str, path: &Path, on: &On) -> Command {
    let mut command = fathom();
    on.environment(&mut command, &stem(path));
    command.arg(verb);
    command
}

fn compile(path: &Path, on: &On, program: &Path) -> Result<(), Failed> {
    let mut command = with("cc", path, on);
    command.args(on.options()).args(["-O2", "-o"]).arg(program).arg(path);
    succeeds(command).map(drop)
}

fn upc(path: &Path, on: &On) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let program = scratch.path().join("program");
    compile(path, on, &program)?;
    let counts = if on.is_mpi() { &["2"][..] } else { &["1", "2", "3"] };
    for n in counts {
        let mut command = with("run", path, on);
        command.args(["-n", n]).arg(&program);
        verifies(command)?;
    }
    Ok(())
}

/// A small problem, on several numbers of threads, `least` and more: the last line must be `end`. On mpi the threads are
/// near each other, and then as far as on different computers.
fn small(path: &Path, on: &On, least: u32, arguments: &[&str], end: &str) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let program = scratch.path().join("program");
    compile(path, on, &program)?;
    let runs = match on.is_mpi() {
        true => &[(3, false), (3, true)][..],
        false => &[(1, false), (2, false), (3, false), (4, false), (5, false), (8, false)],
    };
    for (n, far) in runs.iter().filter(|(n, _)| *n >= least) {
        let mut command = with("run", path, on);
        command
            .envs(far.then_some(("FATHOM_NODE_MAX", "1")))
            .args(["-n", &n.to_string()])
            .arg(&program)
            .args(arguments);
        let output = succeeds(command)?;
        if !output.ends_with(end) {
            return Err(format!("on {n} threads the last line is not: {end}{output}").into());
        }
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

fn livermore(on: &On) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let (home, program) = (root().join("bench/livermore"), scratch.path().join("program"));
    let mut objects = vec![];
    let mut compile = |source: &str, object: &str, options: &[&str]| {
        objects.push(scratch.path().join(object));
        let mut command = with("cc", &home, on);
        command.args(on.options()).args(["-O2", "-ffp-contract=off", "-c"]).args(options);
        command.arg("-o").args(objects.last()).arg(home.join(source));
        succeeds(command)
    };
    for group in ["k01_06", "k07_12", "k13_18", "k19_24"] {
        let source = format!("{group}.c");
        compile(&source, &format!("cc_{group}.o"), &["-DLFK_SIDE=cc_"])?;
        compile(&source, &format!("shared_{group}.o"), &["-DLFK_SIDE=shared_kernel_", "-DLFK_SHARED"])?;
        compile(&source, &format!("cast_{group}.o"), &["-DLFK_SIDE=cast_", "-DLFK_CAST"])?;
    }
    for source in ["data.c", "forall.upc", "shared.upc"] {
        compile(source, &format!("{source}.o"), &[])?;
    }
    let mut command = with("cc", &home, on);
    command.args(on.options()).args(&objects).args(["-lm", "-o"]).arg(&program);
    succeeds(command)?;
    for (n, far) in [("2", false), ("3", true)] {
        let mut command = with("run", &home, on);
        command.envs(far.then_some(("FATHOM_NODE_MAX", "1"))).args(["-n", n]).arg(&program);
        let output = succeeds(command)?;
        if !output.ends_with(" threads: all kernels have C's results, bit by bit\n") {
            return Err(output.into());
        }
    }
    Ok(())
}

/// Without the last pass of radix sort the keys are all there, but not in order.
fn wrong_order() -> Result<(), Failed> {
    let replaced = ("PASSES = (32 + BITS - 1) / BITS", "PASSES = 2");
    broken("sorts/radix.sc", "radix.sc", replaced, &["bulk", "301", "random"], "WRONG")
}

/// The keys are in order and as many as before, but some have become others.
fn changed_key() -> Result<(), Failed> {
    let replaced = ("*next[p]++ :- key[i];", "*next[p]++ :- key[i] | 1;");
    broken("sorts/sample.sc", "sample.sc", replaced, &["fine", "301", "random"], "WRONG")
}

fn wrong_data() -> Result<(), Failed> {
    let replaced = ("a[i] = word(round, i);", "a[i] = word(round, i) + (i == 9);");
    broken("coherence/handover.upc", "coherence.h", replaced, &["100", "0.1"], "checks FAILED")
}

/// A copy of an example, in one file of which a text is replaced, must say so and end with status 1.
fn broken(program: &str, file: &str, replaced: (&str, &str), arguments: &[&str], says: &str) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let program = root().join("examples").join(program);
    for entry in std::fs::read_dir(program.with_file_name(""))? {
        let entry = entry?;
        let mut text = std::fs::read_to_string(entry.path())?;
        if entry.file_name() == file {
            if !text.contains(replaced.0) {
                return Err(format!("{file} does not contain {}", replaced.0).into());
            }
            text = text.replace(replaced.0, replaced.1);
        }
        std::fs::write(scratch.path().join(entry.file_name()), text)?;
    }
    let mut command = fathom();
    let copy = scratch.path().join(program.file_name().unwrap_or_default());
    command.args(["run", "-n", "2"]).arg(copy).args(arguments);
    let outcome = run(command, LIMIT);
    match outcome.status == 1 && outcome.stdout.contains(says) {
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
