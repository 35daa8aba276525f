//! Random programs without races, whose loops over shared arrays may run in strips and gather (docs/decisions/0012, 0014), compute the same with
//! every mechanism of FATHOM_COMM as on `smp` without any of them, compiled with -O0.
//!
//! The narrow run has two programs, each on template with one number of threads. `FATHOM_TEST_SEEDS="100 300"` makes those of seeds 100 to 299; one that fails is named by
//! its seed and kept in target/tmp.
//!
//! `FATHOM_TEST_PROGRAMS="0 1000"` makes small programs of seeds 0 to 999 instead, [`TOGETHER`] of them in one file, and says how many
//! passed; `.ci/run random` does so. Most of their time a C compiler takes, and far accesses one by one the rest, so that a file is
//! compiled mostly without optimisation, and runs mostly with mechanisms that spare far accesses. A failure names its seed, and
//! `FATHOM_TEST_PROGRAMS=SEED` repeats it alone, with all that it computes, in the same states. FATHOM_TEST_MPI=no leaves mpi out.

#[path = "random_loops/programs.rs"]
mod programs;
mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::collections::btree_map::{BTreeMap, Entry};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
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
const COMM: [&str; 14] = [
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
    "gathers,foresee=2",
    "on,foresee=5,force",
];
const CHECKED: [&str; 3] = ["strips=3,force", "gathers=9,force", "gathers,foresee=4,lines=64"];
/// The same for small programs: those that make many far accesses one by one, with one number of threads, and those that make few.
const MANY_MESSAGES: [&str; 4] = ["off", "strips=3,force", "gathers=5,force", "updates"];
const FEW_MESSAGES: [&str; 11] = [
    "on",
    "on,force",
    "on,strips=1,force",
    "on,strips=2,gathers=3,force",
    "on,strips=17,force",
    "on,strips=7,outbox=128,lines=8",
    "on,gathers=1,lines=16,force",
    "on,gathers=50,outbox=128",
    "on,kept=64,force",
    "on,foresee=1,strips=9",
    "on,foresee=3,kept=64",
];
const FEW_CHECKED: [&str; 3] = ["on,strips=3,force", "on,gathers=9,force", "on,foresee=3"];

/// What programs ran in, all together.
static PASSED: AtomicU64 = AtomicU64::new(0);
static STATES: AtomicU64 = AtomicU64::new(0);

fn main() {
    let mut arguments = support::side_by_side(Arguments::from_args());
    // Each is compiled three to six times and run up to fifty times.
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
    let conclusion = libtest_mimic::run(&arguments, trials);
    let (passed, states) = (PASSED.load(Ordering::Relaxed), STATES.load(Ordering::Relaxed));
    if passed > 0 {
        println!("{passed} random programs passed, {states} times together");
    }
    conclusion.exit();
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

/// One MPI where there is one.
fn mpi(seed: u64) -> Option<Far> {
    let mpiccs = conduits::mpiccs();
    (!mpiccs.is_empty()).then(|| ("mpi", Some(mpiccs[seed as usize % mpiccs.len()].clone())))
}

/// An executable's name, the options that it is compiled with, and where it runs: numbers of threads and settings.
struct Build {
    far: Far,
    name: &'static str,
    options: Vec<&'static str>,
    /// The C compiler, if not the usual one.
    cc: Option<&'static str>,
    runs: Vec<(u32, Settings)>,
}
type Settings = Vec<(&'static str, &'static str)>;

/// Runs with each number of threads and each of the settings of FATHOM_COMM, and what else is set.
fn runs(counts: &[u32], comm: &[&'static str], others: &[(&'static str, &'static str)]) -> Vec<(u32, Settings)> {
    let with = |comm: &&'static str| others.iter().copied().chain([("FATHOM_COMM", *comm)]).collect::<Settings>();
    counts.iter().flat_map(|n| comm.iter().map(move |comm| (*n, with(comm)))).collect()
}

const STOPS: [(&str, &str); 1] = [("FATHOM_COMM_CHECK", "stop")];
const ALONE: [(&str, &str); 1] = [("FATHOM_NODE_MAX", "1")];
/// Of three threads two are near each other.
const SETS: [(&str, &str); 1] = [("FATHOM_NODE_MAX", "2")];

/// A program alone: on template, and in the wide run with one MPI.
fn one(seed: u64) -> Result<(), Failed> {
    let is_chosen = conduits::is_wide() || std::env::var_os("FATHOM_TEST_SEEDS").is_some();
    let counts = if is_chosen { &COUNTS[..] } else { &COUNTS[..1] };
    let mut builds = vec![];
    let mpi = if conduits::is_wide() { mpi(seed) } else { None };
    for far in [("template", None)].into_iter().chain(mpi) {
        // Where processes are started by mpirun, one number of threads is enough.
        let (counts, others) = if far.1.is_some() { (&COUNTS[..1], &ALONE[..]) } else { (counts, &[][..]) };
        let checks = [others, &STOPS].concat();
        let build =
            |name, options: &[_], runs| Build { far: far.clone(), name, options: options.to_vec(), cc: None, runs };
        builds.push(build("strips", &["-O1", "-fcomm-opt"], runs(counts, &COMM, others)));
        builds.push(build("check", &["-O1", "-fcomm-check"], runs(counts, &CHECKED, &checks)));
    }
    let elsewhere = !seed.is_multiple_of(2);
    check((&programs::program(seed, elsewhere), elsewhere), &format!("{seed}"), &builds, 1)
}

/// Small programs. From file to file the numbers of threads and what makes many messages change; one file of eight is compiled with
/// optimisation, and one of four runs with an MPI, far and with near threads.
fn many(seeds: std::ops::Range<u64>) -> Result<(), Failed> {
    let file = (seeds.start / TOGETHER) as usize;
    let of = |n: usize, numbers: &'static [u32]| std::slice::from_ref(&numbers[n % numbers.len()]);
    let (level, cc) = if file.is_multiple_of(8) { ("-O1", None) } else { ("-O0", quick_compiler()) };
    let far = |name, option, runs| Build { far: ("template", None), name, options: vec![level, option], cc, runs };
    let many_messages = [MANY_MESSAGES[file % MANY_MESSAGES.len()], "lines=8"];
    let runs_far = [
        runs(of(file / 4, &COUNTS), &many_messages, &[]),
        runs(of(file, &COUNTS), &FEW_MESSAGES, &[]),
        runs(of(file + 1, &COUNTS), &FEW_MESSAGES[file % 3..file % 3 + 3], &[]),
    ];
    let mut builds = vec![
        far("strips", "-fcomm-opt", runs_far.concat()),
        far("check", "-fcomm-check", runs(of(file + 2, &COUNTS), &FEW_CHECKED, &STOPS)),
    ];
    if let (true, Some(mpi)) =
        (file % 4 == 1 && std::env::var("FATHOM_TEST_MPI").as_deref() != Ok("no"), mpi(seeds.start / TOGETHER / 4))
    {
        let near = runs(&COUNTS[..1], &["on,strips=5,gathers=7,force"], &[]);
        let far = runs(&COUNTS[..1], &["on,force", "on,strips=9,gathers=2"], &ALONE);
        let sets = runs(&COUNTS[..1], &["on,outbox=128"], &SETS);
        builds.push(Build {
            far: mpi,
            name: "mpi",
            options: vec![level, "-fcomm-opt"],
            cc: None,
            runs: [near, far, sets].concat(),
        });
    }
    let number = seeds.end - seeds.start;
    let elsewhere = file / 2 % 2 == 1;
    let text = programs::many(seeds.clone(), elsewhere);
    check((&text, elsewhere), &format!("{}-{}", seeds.start, seeds.end - 1), &builds, number)
}

/// Without optimisation clang takes less than half of GCC's time.
fn quick_compiler() -> Option<&'static str> {
    support::command::has("clang").then_some("clang")
}

/// Runs a file of `number` programs everywhere, perhaps with functions elsewhere; `seeds` are those that it was made of.
fn check((text, elsewhere): (&str, bool), seeds: &str, builds: &[Build], number: u64) -> Result<(), Failed> {
    let dir = folder(&[("p.upc", text), ("functions.upc", programs::FUNCTIONS)]);
    let sources = if elsewhere { &["p.upc", "functions.upc"][..] } else { &["p.upc"] };
    let fail = |why: String| {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-loops-{seeds}.upc"));
        let _ = std::fs::write(&kept, text);
        Failed::from(format!("seed {seeds}: {why}\nthe program: {}", kept.display()))
    };
    let smp: Far = ("smp", None);
    compile(dir.path(), sources, &smp, &["-O0"], builds.iter().find_map(|build| build.cc), "plain").map_err(fail)?;
    let mut expected = BTreeMap::new();
    let mut states = 0;
    for build in builds {
        compile(dir.path(), sources, &build.far, &build.options, build.cc, build.name).map_err(fail)?;
        for (n, settings) in &build.runs {
            if let Entry::Vacant(vacant) = expected.entry(*n) {
                vacant.insert(output(dir.path(), "plain", *n, &smp, &[]).map_err(fail)?);
            }
            let what = format!("{}, {n} threads, {:?}, {settings:?}", build.far.0, build.options);
            let got = output(dir.path(), build.name, *n, &build.far, settings).map_err(fail)?;
            let expected = &expected[n];
            let differs = got.lines().zip(expected.lines()).find(|(a, b)| a != b);
            if let Some((got, expected)) = differs {
                return Err(fail(format!("{what}: `{got}` instead of `{expected}`")));
            }
            if got.lines().count() != expected.lines().count() {
                return Err(fail(format!("{what}: another number of lines\n{got}")));
            }
            states += 1;
        }
    }
    PASSED.fetch_add(number, Ordering::Relaxed);
    STATES.fetch_add(number * states, Ordering::Relaxed);
    Ok(())
}

fn compile(
    dir: &Path,
    sources: &[&str],
    (conduit, mpicc): &Far,
    options: &[&str],
    cc: Option<&str>,
    to: &str,
) -> Result<(), String> {
    let mut command = fathom();
    mpicc.iter().for_each(|mpicc| conduits::mpi_environment(&mut command, mpicc));
    command.envs(cc.map(|cc| ("FATHOM_CC", cc)));
    command.current_dir(dir).args(["cc", "--conduit", conduit]).args(options).args(sources).args(["-o", to]);
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
    }
    command.current_dir(dir).args(["run", "-n", &n.to_string()]).arg(format!("./{program}"));
    command.envs(settings.iter().copied());
    let outcome = run(command, Duration::from_secs(60));
    match outcome.status == 0 && !outcome.timed_out {
        true => Ok(outcome.stdout),
        false => Err(format!("{conduit}, {n} threads, {program}, {settings:?}: failed\n{}", outcome.transcript())),
    }
}
