//! Random programs without races, whose loops over shared arrays may run in strips and gather (docs/decisions/0012, 0014), compute the same with
//! every mechanism of FATHOM_COMM as on `smp` without any of them, compiled with -O0.
//!
//! The narrow run has two programs, each on template with one number of threads. `FATHOM_TEST_SEEDS="100 300"` makes those of seeds 100 to 299; one that fails is named by
//! its seed and kept in target/tmp.
//!
//! `FATHOM_TEST_PROGRAMS="0 1000"` makes small programs of seeds 0 to 999 instead, [`TOGETHER`] of them in one file, as compiling and starting
//! takes longest; `.ci/run random` does so. A line of a program that differs begins with its seed.

#[path = "random_loops/programs.rs"]
mod programs;
mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::time::Duration;
use support::{conduits, fathom, folder, run};

/// Programs of the narrow run, and of the wide one.
const NARROW: u64 = 2;
const WIDE: u64 = 24;
/// Small programs in one file.
const TOGETHER: u64 = 50;
/// Numbers of threads; the narrow run has the first, and so has mpi.
const COUNTS: [u32; 3] = [3, 1, 4];
/// What each is run with where threads are far: the ways through strips with all their seams, beside writes that are
/// gathered and lines that are kept.
const COMM: [&str; 12] = [
    "off",
    "strips",
    "strips=1,force",
    "strips=3,force",
    "strips=17,force",
    "strips=64",
    "strips=7,outbox=128,lines=8",
    "updates,lines,strips",
    "gathers",
    "gathers=1,force",
    "gathers=5,force",
    "updates,lines,gathers=50",
];

fn main() {
    let mut arguments = support::side_by_side(Arguments::from_args());
    // Each is compiled four times and run up to fifty times.
    arguments.test_threads = arguments.test_threads.map(|n| n.min(2));
    let trials = match named("FATHOM_TEST_PROGRAMS") {
        Some(small) => {
            let (last, files) = (small.end, small.step_by(TOGETHER as usize));
            let seeds = files.map(|from| from..last.min(from + TOGETHER));
            seeds.map(|s| Trial::test(format!("programs_{}_to_{}", s.start, s.end - 1), move || many(s))).collect()
        }
        None => {
            let range = named("FATHOM_TEST_SEEDS");
            let range = range.unwrap_or(1..1 + if conduits::is_wide() { WIDE } else { NARROW });
            range.map(|seed| Trial::test(format!("seed_{seed}"), move || one(seed))).collect()
        }
    };
    libtest_mimic::run(&arguments, trials).exit();
}

/// The seeds that a setting names: the first and the one behind the last, or one.
fn named(setting: &str) -> Option<std::ops::Range<u64>> {
    let text = std::env::var(setting).ok()?;
    let numbers: Result<Vec<u64>, _> = text.split_whitespace().map(str::parse).collect();
    match numbers.as_deref() {
        Ok([from]) => Some(*from..from + 1),
        Ok([from, to]) => Some(*from..*to),
        _ => panic!("{setting}: two numbers"),
    }
}

/// A conduit whose threads are far, with the MPI's compiler wrapper.
type Far = (&'static str, Option<String>);

/// Those on which a seed's program runs: template, and in the wide run one MPI where there is one.
fn far_conduits(seed: u64) -> Vec<Far> {
    let mpiccs = if conduits::is_wide() { conduits::mpiccs() } else { vec![] };
    let mpicc = (!mpiccs.is_empty()).then(|| mpiccs[seed as usize % mpiccs.len()].clone());
    let mpi = mpicc.map(|mpicc| ("mpi", Some(mpicc)));
    [("template", None)].into_iter().chain(mpi).collect()
}

fn counts() -> &'static [u32] {
    if conduits::is_wide()
        || ["FATHOM_TEST_SEEDS", "FATHOM_TEST_PROGRAMS"].iter().any(|s| std::env::var_os(s).is_some())
    {
        &COUNTS
    } else {
        &COUNTS[..1]
    }
}

fn one(seed: u64) -> Result<(), Failed> {
    check(&programs::program(seed), &format!("{seed}"), &far_conduits(seed))
}

fn many(seeds: std::ops::Range<u64>) -> Result<(), Failed> {
    check(&programs::many(seeds.clone()), &format!("{}-{}", seeds.start, seeds.end - 1), &far_conduits(seeds.start))
}

/// Runs a program everywhere; `seeds` are those that it was made of.
fn check(text: &str, seeds: &str, conduits: &[Far]) -> Result<(), Failed> {
    let dir = folder(&[("p.upc", text)]);
    let fail = |why: String| {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-loops-{seeds}.upc"));
        let _ = std::fs::write(&kept, text);
        Failed::from(format!("seed {seeds}: {why}\nthe program: {}", kept.display()))
    };
    let smp: Far = ("smp", None);
    compile(dir.path(), &smp, &["-O0"], "plain").map_err(fail)?;
    let mut expected = vec![];
    for n in counts() {
        expected.push(output(dir.path(), "plain", *n, &smp, &[]).map_err(fail)?);
    }
    for far in conduits {
        let conduit = far.0;
        compile(dir.path(), far, &["-O1", "-fcomm-opt"], "strips").map_err(fail)?;
        compile(dir.path(), far, &["-O1", "-fcomm-check"], "check").map_err(fail)?;
        for (n, expected) in counts().iter().zip(&expected) {
            // Where processes are started by mpirun, one number of threads is enough.
            if conduit == "mpi" && *n != COUNTS[0] {
                continue;
            }
            let runs = COMM.iter().map(|comm| ("strips", vec![("FATHOM_COMM", *comm)]));
            let checks = ["strips=3,force", "gathers=9,force", "gathers,lines=64"]
                .map(|comm| ("check", vec![("FATHOM_COMM", comm), ("FATHOM_COMM_CHECK", "stop")]));
            for (program, settings) in runs.chain(checks) {
                let got = output(dir.path(), program, *n, far, &settings).map_err(fail)?;
                let differs = got.lines().zip(expected.lines()).find(|(a, b)| a != b);
                if let Some((got, expected)) = differs {
                    let what = format!("{conduit}, {n} threads, {program}, {settings:?}");
                    return Err(fail(format!("{what}: `{got}` instead of `{expected}`")));
                }
                if got.lines().count() != expected.lines().count() {
                    return Err(fail(format!("{conduit}, {n} threads, {settings:?}: another number of lines\n{got}")));
                }
            }
        }
    }
    Ok(())
}

fn compile(dir: &Path, (conduit, mpicc): &Far, options: &[&str], to: &str) -> Result<(), String> {
    let mut command = fathom();
    mpicc.iter().for_each(|mpicc| conduits::mpi_environment(&mut command, mpicc));
    command.current_dir(dir).args(["cc", "--conduit", conduit]).args(options).args(["p.upc", "-o", to]);
    let outcome = run(command, Duration::from_secs(120));
    match outcome.status {
        0 => Ok(()),
        _ => Err(format!("does not compile with {options:?}\n{}", outcome.transcript())),
    }
}

/// What the program prints.
fn output(
    dir: &Path,
    program: &str,
    n: u32,
    (conduit, mpicc): &Far,
    settings: &[(&str, &str)],
) -> Result<String, String> {
    let mut command = fathom();
    if let Some(mpicc) = mpicc {
        conduits::mpi_environment(&mut command, mpicc);
        command.env("FATHOM_NODE_MAX", "1");
    }
    command.current_dir(dir).args(["run", "-n", &n.to_string()]).arg(format!("./{program}"));
    command.envs(settings.iter().copied());
    let outcome = run(command, Duration::from_secs(60));
    match outcome.status == 0 && !outcome.timed_out {
        true => Ok(outcome.stdout),
        false => Err(format!("{conduit}, {n} threads, {program}, {settings:?}: failed\n{}", outcome.transcript())),
    }
}
