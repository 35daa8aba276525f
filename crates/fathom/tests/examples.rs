//! The examples that check their results and end with a status other than 0 if these are wrong, on the conduits smp and
//! mpi. Adding a program to one of the folders is adding a file.
//!
//! * `examples/nas`, class S: those in UPC, and those in C as OpenMP and as serial programs, compare their results with
//!   official values.
//! * `examples/coherence`: for fractions of a second; what they measure is nobody's business here, the data are.
//! * `bench/livermore`: kernels on shared arrays have C's results, bit by bit. One thread would measure them.
//! * `examples/sorts`: small sorts, of all distributions, by numbers of processors that are no powers of two, too.
//! * `examples/connect`: the components of a small grid, by as many processors.
//! * `examples/transfers`: the FFT agrees with FFTW. FATHOM_TEST_FFTW=required (or CI=true) fails where there is no FFTW.
//!   The programs themselves run as `tests/run/example-*`.
//!
//! Each check must be able to fail: [`BROKEN`].

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
    for on in shared_and_mpi(&conduits) {
        trials.push(Trial::test(format!("connect::{}", on.label), move || {
            let path = root().join("examples/connect/connect.sc");
            small(&path, &on, 1, &["9", "31", "60", "2"], "the labels are the serial program's\n")
        }));
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
    for on in shared_and_mpi(&conduits) {
        let name = format!("transfers::the_fft_agrees_with_fftw::{}", on.label);
        trials.push(Trial::test(name, move || agrees_with_fftw(&on)));
    }
    for case in BROKEN {
        trials
            .push(Trial::test(format!("a_mistake_is_found::{}::{}", case.program, case.mistake), move || broken(case)));
    }
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

fn agrees_with_fftw(on: &On) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let probe = scratch.path().join("probe.c");
    std::fs::write(&probe, "#include <fftw3.h>\nint main(void) { return fftw_alignment_of(0) != 0; }\n")?;
    let mut command = Command::new(std::env::var_os("FATHOM_CC").unwrap_or_else(|| "cc".into()));
    command.arg("-o").arg(scratch.path().join("probe")).arg(&probe).arg("-lfftw3");
    if let Err(why) = succeeds(command) {
        let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|v| v == value);
        if is("FATHOM_TEST_FFTW", "required") || is("CI", "true") {
            return Err(format!("no FFTW was found (Debian: libfftw3-dev), and its test is required\n{why:?}").into());
        }
        eprintln!("skipped: no FFTW was found to compare with (Debian: libfftw3-dev)");
        return Ok(());
    }
    let program = scratch.path().join("program");
    let with = |verb: &str| {
        let mut command = fathom();
        on.environment(&mut command, "fftw");
        command.arg(verb);
        command
    };
    let mut command = with("cc");
    command.args(on.options()).args(["-O2", "-DFFTW", "-o"]).arg(&program);
    command.arg(root().join("examples/transfers/transpose.upc")).args(["-lfftw3", "-lm"]);
    succeeds(command)?;
    for n in ["1", "2", "3", "4"] {
        let mut command = with("run");
        command.args(["-n", n]).arg(&program).args(["all", "128", "1"]);
        let output = succeeds(command)?;
        if !output.ends_with("the transforms are right, and FFTW's\n") {
            return Err(format!("nothing was compared with FFTW:\n{output}").into());
        }
    }
    Ok(())
}

/// A copy of an example with a mistake: it must say so, and end with status 1.
struct Broken {
    mistake: &'static str,
    program: &'static str,
    /// The file in its folder that has the mistake.
    file: &'static str,
    right: &'static str,
    wrong: &'static str,
    arguments: &'static [&'static str],
    says: &'static str,
}

const BROKEN: &[Broken] = &[
    Broken {
        mistake: "the last pass is left out",
        program: "sorts/radix.sc",
        file: "radix.sc",
        right: "PASSES = (32 + BITS - 1) / BITS",
        wrong: "PASSES = 2",
        arguments: &["bulk", "301", "random"],
        says: "WRONG",
    },
    Broken {
        mistake: "some keys become others",
        program: "sorts/sample.sc",
        file: "sample.sc",
        right: "*next[p]++ :- key[i];",
        wrong: "*next[p]++ :- key[i] | 1;",
        arguments: &["fine", "301", "random"],
        says: "WRONG",
    },
    Broken {
        mistake: "one round",
        program: "connect/connect.sc",
        file: "connect.sc",
        right: "while (changed) {",
        wrong: "while (changed && !rounds) {",
        arguments: &["9", "31", "60"],
        says: "NOT the serial program's",
    },
    Broken {
        mistake: "a word is wrong",
        program: "coherence/handover.upc",
        file: "coherence.h",
        right: "a[i] = word(round, i);",
        wrong: "a[i] = word(round, i) + (i == 9);",
        arguments: &["100", "0.1"],
        says: "checks FAILED",
    },
    Broken {
        mistake: "the other halo",
        program: "transfers/sor.upc",
        file: "sor.upc",
        right: "+ (1 - side) * halo",
        wrong: "+ side * halo",
        arguments: &["packed", "32", "4"],
        says: "WRONG",
    },
    Broken {
        mistake: "the wrong side",
        program: "transfers/sor.upc",
        file: "sor.upc",
        right: "there, 1 - side, 0)",
        wrong: "there, side, 0)",
        arguments: &["chained", "32", "4"],
        says: "WRONG",
    },
    Broken {
        mistake: "no stride",
        program: "transfers/transpose.upc",
        file: "transpose.upc",
        right: "= from[i * apart + j]",
        wrong: "= from[i + j]",
        arguments: &["packed", "32", "1"],
        says: "WRONG",
    },
    Broken {
        mistake: "the first column",
        program: "transfers/transpose.upc",
        file: "transpose.upc",
        right: "matrix_of[1][t] + first",
        wrong: "matrix_of[1][t]",
        arguments: &["automatic", "32", "1"],
        says: "WRONG",
    },
    Broken {
        mistake: "always the first node",
        program: "transfers/fem.upc",
        file: "fem.upc",
        right: "= from[i]",
        wrong: "= from[0]",
        arguments: &["packed", "20"],
        says: "WRONG",
    },
    Broken {
        mistake: "the first neighbour's place",
        program: "transfers/fem.upc",
        file: "fem.upc",
        right: "= values[v] + there[n]",
        wrong: "= values[v]",
        arguments: &["automatic", "20"],
        says: "WRONG",
    },
];

fn broken(case: &Broken) -> Result<(), Failed> {
    let scratch = tempfile::tempdir()?;
    let program = root().join("examples").join(case.program);
    for entry in std::fs::read_dir(program.with_file_name(""))? {
        let entry = entry?;
        let mut text = std::fs::read_to_string(entry.path())?;
        if entry.file_name() == case.file {
            if !text.contains(case.right) {
                return Err(format!("{} does not contain {}", case.file, case.right).into());
            }
            text = text.replace(case.right, case.wrong);
        }
        std::fs::write(scratch.path().join(entry.file_name()), text)?;
    }
    let mut command = fathom();
    let copy = scratch.path().join(program.file_name().unwrap_or_default());
    command.args(["run", "-n", "2"]).arg(copy).args(case.arguments);
    let outcome = run(command, LIMIT);
    match outcome.status == 1 && outcome.stdout.contains(case.says) {
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
