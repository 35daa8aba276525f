//! The conformance suite of `runtime/conformance`, on every conduit: as it is, and as a reference build, where every
//! override is off and everything crosses as messages. The suite's own run.sh builds and runs; here it is dealt out.
//!
//! A few numbers of threads are tested, others for each conduit. With FATHOM_TEST_WIDE=1 there are more numbers, the
//! reference builds of the conduits other than smp, the second MPI, and jobs between computers and under Slurm; a
//! filter may also name each of these. With FATHOM_TEST_ALL=1 there is every number from 1 to 8. mpi is tested with
//! every MPI that is here, with ranks that share memory, with some of them, and with none (FATHOM_NODE_MAX). Where there
//! is no MPI these tests are ignored, unless FATHOM_TEST_MPI=required or CI=true. libfabric is tested with the provider that the
//! conduit chooses, with tcp and shm, with sets of one computer that reach each other through memory alone, and on two network
//! namespaces; where it is missing, its tests are ignored, unless FATHOM_TEST_LIBFABRIC=required. FATHOM_SEED repeats a run.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use support::{root, run, Belonging, Outcome};

/// The suite for one conduit, built when the first test needs it.
struct Build {
    conduit: &'static str,
    mpicc: Option<String>,
    /// Of libfabric. With `chosen` the conduit chooses, as on the network of a user who says nothing. There is none that is called
    /// memory: sets of one computer reach each other without libfabric, and it would show if it were opened.
    provider: Option<&'static str>,
    reference: bool,
    folder: OnceLock<Result<PathBuf, String>>,
}

/// One trial: the number of threads, how many of them may be near each other (mpi; 0: as it comes), and how many
/// processors the runtime is told that there are (FATHOM_CORES; 0: nothing): what it chooses depends on whether threads
/// have a processor each.
#[derive(Clone, Copy)]
struct Job {
    threads: u32,
    node_max: u32,
    cores: u32,
    /// With the wrapper that checks both sides of conduit.h (FATHOM_CONDUIT_CHECK).
    checked: bool,
    /// Is it part of the narrow run?
    narrow: bool,
}

/// What a build is tested with.
struct Jobs {
    cases: Vec<Job>,
    ends: Vec<Job>,
    checked: Job,
    stress: Job,
    /// How often the stress is repeated.
    times: &'static str,
}

/// The cases in which threads wait for each other: what a job of many threads has time for.
const WAITING: [&str; 4] = ["barriers", "progress", "locks", "messages_to"];

/// The ends that threads which are not near hear of from each other, over a tree.
const TOLD: [&str; 5] = [
    "barrier_that_one_thread_never_reaches",
    "barrier_that_the_last_reaches_late_and_leaves_at_once",
    "end_by_exit_0_of_all",
    "end_in_order_with_messages_to_those_who_have_returned",
    "lock_held_by_a_thread_that_has_terminated",
];

fn main() {
    let arguments = support::side_by_side(Arguments::from_args());
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|v| v == value);
    let mut trials = vec![
        (Trial::test("mpi_under_slurm", || network("slurm.sh")), false),
        (Trial::test("mpi_between_two_computers", || network("namespaces.sh")), false),
        (Trial::test("network_of_known_delay", || network("wire.sh")), true),
        (Trial::test("transfers_with_several_computers_together", || network("overlap.sh")), true),
    ];
    let has_libfabric = fathom_toolchain::libfabric::Libfabric::find().is_ok();
    if !has_libfabric {
        let missing = Trial::test("libfabric (it was not found)", || {
            Err("libfabric is not here, and its tests are required".into())
        });
        trials.push((missing.with_ignored_flag(!is("FATHOM_TEST_LIBFABRIC", "required")), true));
    }
    for reference in [false, true] {
        trials.extend(build_trials(Build::new("smp", None, reference)));
        trials.extend(build_trials(Build::new("template", None, reference)));
        for mpicc in support::conduits::mpiccs() {
            trials.extend(build_trials(Build::new("mpi", Some(mpicc), reference)));
        }
        for provider in ["chosen", "tcp", "shm", "memory"].into_iter().filter(|_| has_libfabric) {
            let build = Build { provider: Some(provider), ..Build::new("libfabric", None, reference) };
            trials.extend(build_trials(build));
        }
    }
    if support::conduits::mpiccs().is_empty() {
        let required = is("FATHOM_TEST_MPI", "required") || is("CI", "true");
        let missing =
            Trial::test("mpi (no MPI was found)", || Err("mpicc is not here, and mpi's tests are required".into()));
        trials.push((missing.with_ignored_flag(!required), true));
    }
    trials.push((Trial::test("every_declaration_is_documented", documentation), true));
    trials.push((Trial::test("headers_suit_c_and_cpp", headers), true));
    let mut trials = support::narrowed(&arguments, trials, "tests of the conduits");
    // These wait most of the time: first, so that the others run beside them.
    trials.sort_by_key(|trial| match trial.name() {
        name if name.starts_with("mpi_") || name.contains("::hosts") => 0,
        name if name.starts_with("mpi") && name.contains("::ends") => 1,
        name if name.contains("::ends") => 2,
        _ => 3,
    });
    libtest_mimic::run(&arguments, trials).exit();
}

impl Build {
    fn new(conduit: &'static str, mpicc: Option<String>, reference: bool) -> Build {
        Build { conduit, mpicc, provider: None, reference, folder: OnceLock::new() }
    }

    fn label(&self) -> String {
        let mpi = self.mpicc.as_deref().and_then(|m| m.strip_prefix("mpicc")).unwrap_or_default();
        let provider = self.provider.map(|p| format!(".{p}")).unwrap_or_default();
        format!("{}{mpi}{provider}{}", self.conduit, if self.reference { "::reference" } else { "" })
    }

    fn script(&self) -> Command {
        let mut command = Command::new(root().join("runtime/conformance/run.sh"));
        command.env_remove("FATHOM_THREADS").env_remove("FATHOM_CORES").env_remove("CFLAGS").env("FATHOM_HEAP", "128m");
        command.env_remove("FI_PROVIDER").envs(self.provider.filter(|&p| p != "chosen").map(|p| ("FI_PROVIDER", p)));
        // Else threads of a computer reach each other through memory, and libfabric would go untested.
        let through_libfabric = match self.provider {
            Some("shm") => Some("always"),
            Some("chosen" | "tcp") => Some("never"),
            _ => None,
        };
        command.envs(through_libfabric.map(|way| ("FATHOM_LIBFABRIC_RMA", way)));
        if let Some(mpicc) = &self.mpicc {
            command.env("MPICC", mpicc).env("MPIRUN", mpicc.replace("mpicc", "mpirun"));
        }
        command
    }

    /// Where the suite is, built from these sources before or now.
    fn built(&self) -> Result<&Path, Failed> {
        let build = || {
            let name = format!("conformance-{}", self.label().replace("::", "-"));
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
            let stamp = folder.join("stamp");
            let made_of = format!("{:x} {:?}", fingerprint(&root().join("runtime")), std::env::var_os("CC"));
            if folder.join("suite").exists() && std::fs::read_to_string(&stamp).is_ok_and(|s| s == made_of) {
                return Ok(folder);
            }
            let _ = std::fs::remove_dir_all(&folder);
            let mut command = self.script();
            command.arg("build").arg(self.conduit).args(self.reference.then_some("--reference")).arg(&folder);
            let outcome = run(command, Duration::from_secs(300));
            if outcome.status != 0 {
                return Err(format!("the suite does not build\n{}", outcome.transcript()));
            }
            std::fs::write(&stamp, made_of).map_err(|e| format!("{}: {e}", stamp.display()))?;
            Ok(folder)
        };
        Ok(self.folder.get_or_init(build).as_deref().map_err(|why| why.clone())?)
    }

    fn jobs(&self) -> Jobs {
        let job = |threads, node_max, cores| Job { threads, node_max, cores, checked: false, narrow: false };
        let near = |list: &[u32]| list.iter().map(|&threads| job(threads, 0, 0)).collect::<Vec<_>>();
        let far = |threads, node_max| job(threads, node_max, 0);
        let told = |threads, cores| job(threads, 0, cores);
        let always = |job: Job| Job { narrow: true, ..job };
        let second = self.mpicc.as_deref() == Some("mpicc.mpich");
        let mut cases = match (self.conduit, self.reference) {
            // Each way of waiting, whatever this computer has: a core each for few and for many, and cores shared.
            ("smp", false) => {
                let mut jobs = near(&[1, 2, 3, 8]);
                jobs.extend([always(told(4, 0)), always(told(2, 1)), told(5, 5), told(8, 16), always(told(16, 16))]);
                jobs.extend([told(64, 64), told(64, 1)]);
                jobs
            }
            ("smp", true) => [near(&[1, 2, 6]), vec![always(told(5, 16))]].concat(),
            ("template", false) => vec![told(1, 0), always(told(5, 0))],
            ("mpi", false) if second => vec![far(2, 0), far(3, 1), far(4, 2)],
            ("mpi", false) => vec![far(1, 0), far(2, 1), always(far(5, 2))],
            ("libfabric", false) if self.provider == Some("tcp") => vec![far(2, 1), always(far(5, 2))],
            ("libfabric", false) => vec![far(1, 1), far(2, 1), always(far(3, 1)), far(4, 2), far(5, 2), far(8, 3)],
            ("libfabric", true) => vec![far(3, 1)],
            _ => near(&[3]),
        };
        if std::env::var_os("FATHOM_TEST_ALL").is_some() {
            cases = near(&[1, 2, 3, 4, 5, 6, 7, 8]);
            if self.conduit == "smp" {
                let grid = [1, 5, 16, 64].into_iter().flat_map(|c| [1, 2, 3, 4, 5, 8, 16, 64].map(|n| (n, c)));
                cases.extend(grid.map(|(n, c)| told(n, c)));
            }
            if self.conduit == "mpi" && !self.reference {
                cases.extend((2..=8).flat_map(|n| [far(n, 1), far(n, 2), far(n, 3)]));
            }
        }
        let ends = match (self.conduit, self.reference) {
            ("smp", false) => vec![told(1, 0), always(told(4, 0))],
            ("mpi", false) if second => vec![far(3, 2)],
            ("mpi", false) => vec![always(far(3, 2))],
            ("mpi" | "libfabric", true) => vec![],
            // Who hears of an end how does not depend on the provider.
            ("libfabric", false) if matches!(self.provider, Some("tcp" | "memory")) => vec![far(3, 2)],
            ("libfabric", false) => vec![always(far(3, 2))],
            ("template", false) => vec![always(told(3, 0)), told(20, 0)],
            _ => near(&[3]),
        };
        let (stress, times) = match (self.conduit, self.reference) {
            ("smp", false) if support::conduits::is_wide() => (told(4, 0), "80"),
            ("smp", false) => (told(4, 0), "20"),
            ("smp", true) => (told(3, 0), "10"),
            ("mpi", false) => (far(4, 2), "8"),
            ("libfabric", false) => (far(4, 2), "3"),
            ("libfabric", true) => (far(3, 1), "3"),
            _ => (far(3, 0), "3"),
        };
        // Building the runtime takes longer than its cases do: the narrow run has four builds.
        let narrow = self.conduit == "smp" || (!self.reference && !second);
        let checked = Job { threads: 3, checked: true, narrow, ..stress };
        Jobs { cases, ends, checked, stress: Job { narrow, ..stress }, times }
    }
}

/// What a trial does with the build.
type Test = Box<dyn FnOnce(&Build) -> Result<(), Failed> + Send>;

fn build_trials(build: Build) -> Vec<Belonging> {
    let build = Arc::new(build);
    let Jobs { cases, ends, checked, stress, times } = build.jobs();
    let mut trials = vec![];
    let mut add = |what: &str, job: Job, test: Test| {
        let for_test = Arc::clone(&build);
        trials.push((Trial::test(name(&build, what, job), move || test(&for_test)), job.narrow));
    };
    for job in cases {
        let only: &[&str] = if job.threads > 8 { &WAITING } else { &[] };
        add("cases", job, Box::new(move |build| play(build, job, "run", only)));
    }
    for job in ends {
        let only: &[&str] = if job.threads > 8 { &TOLD } else { &[] };
        add("ends", job, Box::new(move |build| play(build, job, "ends", only)));
    }
    // Of template all cases: it has no overrides, and so everything passes the wrapper. Elsewhere those about messages and waiting.
    let only: &[&str] = if build.conduit == "template" { &[] } else { &["messages", "barriers", "progress", "locks"] };
    // A reference build says that no thread is near, whatever the conduit says.
    if !build.reference {
        add("checked", checked, Box::new(move |build| play(build, checked, "run", only)));
    }
    add("stress", stress, Box::new(move |build| play(build, stress, "run", &["--times", times, "stress_of_all"])));
    if build.label() == "libfabric.chosen" {
        let job = Job { narrow: true, ..stress };
        add("hosts", job, Box::new(hosts));
    }
    if build.label() == "mpi.openmpi" {
        // Many more ranks than processors, in sets that share memory. MPICH takes several times as long to start them.
        let job = Job { threads: 96, node_max: 32, narrow: false, ..stress };
        let many = [root().join("tests/mpi/many.c")];
        add("many", job, Box::new(move |build| good(build, job, &many)));
    }
    if !build.reference {
        let sources = ["c", "cpp"].iter().flat_map(|ending| support::files(&root().join("examples/c"), ending));
        let sources: Vec<_> = sources.collect();
        add("examples", stress, Box::new(move |build| good(build, stress, &sources)));
    }
    trials
}

fn name(build: &Build, what: &str, job: Job) -> String {
    let near = if job.node_max > 0 { format!("-of-{}", job.node_max) } else { String::new() };
    let cores = if job.cores > 0 { format!("-on-{}", job.cores) } else { String::new() };
    format!("{}::{what}::{}{near}{cores}", build.label(), job.threads)
}

fn play(build: &Build, job: Job, verb: &str, arguments: &[&str]) -> Result<(), Failed> {
    played(build, job, verb, arguments).map(drop)
}

/// What one of the script's verbs does with the build, which must succeed.
fn played(build: &Build, job: Job, verb: &str, arguments: &[&str]) -> Result<Outcome, Failed> {
    let mut command = build.script();
    if job.node_max > 0 {
        command.env("FATHOM_NODE_MAX", job.node_max.to_string());
    }
    if job.cores > 0 {
        command.env("FATHOM_CORES", job.cores.to_string());
    }
    if job.checked {
        command.env("FATHOM_CONDUIT_CHECK", "1");
    }
    command.arg(verb).arg(build.built()?).arg(job.threads.to_string()).args(arguments);
    let outcome = run(command, Duration::from_secs(300));
    if outcome.timed_out {
        return Err(format!("did not end in time\n{}", outcome.transcript()).into());
    }
    if outcome.status != 0 {
        return Err(outcome.transcript().into());
    }
    match outcome.left_behind {
        true => Err("processes of the job were left behind".into()),
        false => Ok(outcome),
    }
}

/// Programs that check themselves, and say so.
fn good(build: &Build, job: Job, sources: &[PathBuf]) -> Result<(), Failed> {
    let folder = build.built()?;
    for source in sources {
        let program = folder.join(source.file_stem().unwrap_or_default());
        let mut command = build.script();
        command.arg("compile").arg(folder).arg(&program).arg(source);
        let outcome = run(command, Duration::from_secs(120));
        if outcome.status != 0 {
            return Err(outcome.transcript().into());
        }
        let program = program.to_string_lossy().into_owned();
        let outcome = played(build, job, "start", &[&program])?;
        if !outcome.stdout.trim_end().ends_with(": good") {
            return Err(outcome.transcript().into());
        }
    }
    match sources.is_empty() {
        true => Err("there are no programs".into()),
        false => Ok(()),
    }
}

/// Of the names and contents of all files below.
fn fingerprint(folder: &Path) -> u64 {
    fn add(folder: &Path, hasher: &mut DefaultHasher) {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).collect();
        paths.sort();
        for path in paths {
            path.hash(hasher);
            match path.is_dir() {
                true => add(&path, hasher),
                false => std::fs::read(&path).unwrap_or_default().hash(hasher),
            }
        }
    }
    let mut hasher = DefaultHasher::new();
    add(folder, &mut hasher);
    hasher.finish()
}

/// Two network namespaces with nothing but TCP between them, one of them dying; or with Slurm on them (tests/mpi).
fn network(script: &str) -> Result<(), Failed> {
    let mut command = Command::new("bash");
    command.arg(root().join("tests/mpi").join(script)).env("FATHOM", env!("CARGO_BIN_EXE_fathom"));
    let outcome = run(command, Duration::from_secs(1200));
    match outcome.status {
        0 => Ok(()),
        _ => Err(outcome.transcript().into()),
    }
}

/// Jobs of libfabric on two computers (tests/libfabric/hosts.sh).
fn hosts(build: &Build) -> Result<(), Failed> {
    let mut command = Command::new("bash");
    command
        .arg(root().join("tests/libfabric/hosts.sh"))
        .arg(build.built()?)
        .env("FATHOM", env!("CARGO_BIN_EXE_fathom"));
    command.env_remove("CFLAGS");
    let outcome = run(command, Duration::from_secs(1200));
    match outcome.status {
        0 => Ok(()),
        _ => Err(outcome.transcript().into()),
    }
}

/// fathom.h has a comment for every declaration: doxygen, where it is, finds nothing to warn of.
fn documentation() -> Result<(), Failed> {
    if fathom_toolchain::compiler::which("doxygen").is_none() {
        return match std::env::var("CI").as_deref() {
            Ok("true") => Err("doxygen is not here".into()),
            _ => Ok(()),
        };
    }
    let out = tempfile::tempdir()?;
    let mut command = Command::new("sh");
    let overrides = format!("(cat Doxyfile; echo OUTPUT_DIRECTORY={}) | doxygen -", out.path().display());
    command.current_dir(root().join("docs")).args(["-c", &overrides]);
    let outcome = run(command, Duration::from_secs(120));
    let pages =
        ["html/group__fathom__transfers.html", "man/man3/fathom_put.3"].map(|page| out.path().join(page).exists());
    match outcome.status == 0 && outcome.stderr.trim().is_empty() && pages == [true; 2] {
        true => Ok(()),
        false => Err(outcome.transcript().into()),
    }
}

/// The public headers under the compilers that are here, as C and as C++, without a warning.
fn headers() -> Result<(), Failed> {
    let out = tempfile::tempdir()?;
    let runtime = root().join("runtime");
    let mut tried = 0;
    for (compiler, language, standard) in [
        ("gcc", "c", "c11"),
        ("gcc", "c", "gnu17"),
        ("clang", "c", "c11"),
        ("g++", "c++", "c++17"),
        ("g++", "c++", "gnu++20"),
        ("clang++", "c++", "c++17"),
    ] {
        if fathom_toolchain::compiler::which(compiler).is_none() {
            continue;
        }
        tried += 1;
        for conduit in ["smp/fathom_conduit.h", "distributed.h"] {
            let mut command = Command::new(compiler);
            command.args([
                &format!("-std={standard}"),
                "-Wall",
                "-Wextra",
                "-Wpedantic",
                "-Werror",
                "-O2",
                "-x",
                language,
            ]);
            command.arg(format!("-DFATHOM_CONDUIT_HEADER=\"conduit/{conduit}\""));
            for include in ["", "include", "lang"] {
                command.arg("-I").arg(runtime.join(include));
            }
            // Included, so that nobody minds functions that are not called.
            command.args(["-include", "fathom.h", "-include", "fathom_queues.h", "-x", language, "-c", "/dev/null"]);
            command.arg("-o").arg(out.path().join("headers.o"));
            let outcome = run(command, Duration::from_secs(60));
            if outcome.status != 0 {
                return Err(format!("{compiler} -std={standard}, {conduit}: {}", outcome.transcript()).into());
            }
        }
    }
    match tried {
        0 => Err("no C compiler was tried".into()),
        _ => Ok(()),
    }
}
