//! What the tests share: where things are, and running a command with a time limit that takes all its children along.
#![allow(dead_code)]

pub mod command;
pub mod conduits;
pub mod simulate;

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

pub const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");

/// The repository.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::canonicalize(&root).unwrap_or(root)
}

/// Two trials for each processor, unless the command line says otherwise: programs of several threads wait a good part of
/// their time, for launchers and for each other.
pub fn side_by_side(mut arguments: libtest_mimic::Arguments) -> libtest_mimic::Arguments {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    arguments.test_threads.get_or_insert(2 * cores);
    arguments
}

/// A trial, and whether it belongs to the narrow run.
pub type Belonging = (libtest_mimic::Trial, bool);

/// The trials of the narrow run and those that the command line's filter names, or all with FATHOM_TEST_WIDE=1. A line
/// on stderr says whether some are left out.
pub fn narrowed(arguments: &libtest_mimic::Arguments, all: Vec<Belonging>, what: &str) -> Vec<libtest_mimic::Trial> {
    let (everything, count) = (conduits::is_wide(), all.len());
    let is_named = |name: &str| arguments.filter.as_ref().is_some_and(|filter| name.contains(filter.as_str()));
    let chosen = all.into_iter().filter(|(trial, narrow)| everything || *narrow || is_named(trial.name()));
    let chosen: Vec<_> = chosen.map(|(trial, _)| trial).collect();
    say_part(chosen.len(), count, what);
    chosen
}

/// Says on stderr how many tests of how many are chosen, if not all are.
pub fn say_part(chosen: usize, count: usize, what: &str) {
    if chosen < count {
        eprintln!(
            "{chosen} of {count} {what}; FATHOM_TEST_WIDE=1 adds the others, and so does a filter that names them"
        );
    }
}

/// The cache that all tests share, so that each program is built once whoever asks for it.
pub fn cache() -> PathBuf {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    // SAFETY: geteuid cannot fail.
    let me = unsafe { libc::geteuid() };
    // A cache below somebody else's folder is not used: a checkout may belong to another user than who tests it.
    let theirs = target.ancestors().any(|f| f.metadata().is_ok_and(|m| ![0, me].contains(&m.uid())));
    let place = match theirs {
        true => Path::new("/tmp").join(format!("fathom-tests-{me}")),
        false => target.join("fathom-cache"),
    };
    let _ = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&place);
    place
}

/// The command with the tests' cache and without the developer's settings.
pub fn fathom() -> Command {
    with_settings_of_tests(FATHOM)
}

/// The same for a program that is not started by it.
pub fn with_settings_of_tests(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env("FATHOM_CACHE", cache());
    for setting in ["FATHOM_THREADS", "FATHOM_HEAP", "FATHOM_CONDUIT", "FATHOM_CORES"] {
        command.env_remove(setting);
    }
    command
}

/// FATHOM_TEST_EMULATOR: the command, with its options, that runs programs which FATHOM_CC has made for another processor.
pub fn emulator() -> Option<Vec<String>> {
    let words = std::env::var("FATHOM_TEST_EMULATOR").unwrap_or_default();
    let words: Vec<String> = words.split_whitespace().map(String::from).collect();
    (!words.is_empty()).then_some(words)
}

/// A C compiler that optimises little, for tests that build the runtime in a cache of their own and whose subject is
/// not the code: the build takes half the time. (With -O0 it takes as long as with -O2, because the runtime inlines much
/// even then.)
pub fn fast_compiler() -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let named = ["FATHOM_CC", "CC"].iter().find_map(|v| std::env::var(v).ok().filter(|c| !c.trim().is_empty()));
        let folder = cache().join("compilers");
        std::fs::create_dir_all(&folder).expect("a folder");
        let (path, fresh) = (folder.join("fast-cc"), folder.join(format!("fast-cc-{}", std::process::id())));
        let script = format!("#!/bin/sh\nexec {} \"$@\" -O1 -g0\n", named.as_deref().unwrap_or("cc"));
        std::fs::write(&fresh, script).expect("a script");
        std::fs::set_permissions(&fresh, PermissionsExt::from_mode(0o755)).expect("its mode");
        std::fs::rename(&fresh, &path).expect("its name");
        path
    };
    MADE.get_or_init(make).clone()
}

pub struct Outcome {
    /// Exit status; 128 + signal.
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
    pub timed_out: bool,
    /// Processes of the command's group were still there a while after it ended.
    pub left_behind: bool,
}

impl Outcome {
    /// For the message of a failed test.
    pub fn transcript(&self) -> String {
        let tail = |s: &str| {
            let skip = s.lines().count().saturating_sub(60);
            s.lines().skip(skip).collect::<Vec<_>>().join("\n")
        };
        format!("status {}\n--- stdout\n{}\n--- stderr\n{}", self.status, tail(&self.stdout), tail(&self.stderr))
    }
}

/// Each run has a number, in the environment of all its processes.
static RUNS: AtomicUsize = AtomicUsize::new(0);
pub const MARK: &str = "FATHOM_TEST_RUN";

/// The processes that a run has started, whatever group they are in now: launchers give those of a job their own.
pub fn marked(mark: &str) -> Vec<i32> {
    let wanted = format!("{MARK}={mark}");
    let has_mark = |pid: &i32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&b| b == 0).any(|v| v == wanted.as_bytes())
    };
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|e| e.file_name().to_str()?.parse().ok()).filter(has_mark).collect()
}

pub fn kill_marked(mark: &str) {
    for pid in marked(mark) {
        // SAFETY: kill() takes numbers; the process carries this run's mark.
        unsafe { libc::kill(pid, libc::SIGKILL) };
    }
}

/// How much slower a computer may be than the one that limits were chosen for, and how long what is killed may take to be
/// gone: others may use the computer as well, and limits are there to find what hangs.
const SLOWER: u32 = 5;
pub const GONE: Duration = Duration::from_secs(120);

/// Runs to the end or to the limit; then ends everything that it has started.
pub fn run(mut command: Command, limit: Duration) -> Outcome {
    let limit = limit * SLOWER;
    let mark = format!("{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    command.env(MARK, &mark);
    // Open MPI keeps its session in one folder per user; jobs that start and end at the same time take it from each other.
    let session = tempfile::Builder::new().prefix("fathom-mpi-").tempdir().expect("a temporary folder");
    command.env("OMPI_MCA_orte_tmpdir_base", session.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let group = -(child.id() as i32);
    let reader = |mut pipe: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = vec![];
            let _ = pipe.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let stdout = reader(Box::new(child.stdout.take().expect("piped")));
    let stderr = reader(Box::new(child.stderr.take().expect("piped")));
    let started = Instant::now();
    let mut timed_out = false;
    let mut pause = Duration::from_millis(1);
    let status = loop {
        match child.try_wait().expect("a child can be waited for") {
            Some(status) => break status,
            None if started.elapsed() > limit => {
                timed_out = true;
                // SAFETY: kill() takes numbers; the group is that of our own child, not reaped yet.
                unsafe { libc::kill(group, libc::SIGKILL) };
                kill_marked(&mark);
                break child.wait().expect("a killed child ends");
            }
            None => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
        }
    };
    let ended = Instant::now();
    // SAFETY: signal 0 only asks whether the group still has members.
    let alive = || unsafe { libc::kill(group, 0) } == 0 || !marked(&mark).is_empty();
    while alive() && ended.elapsed() < GONE {
        std::thread::sleep(Duration::from_millis(2));
    }
    let left_behind = alive();
    if left_behind {
        // SAFETY: as above; otherwise the pipes would stay open and the readers would wait for ever.
        unsafe { libc::kill(group, libc::SIGKILL) };
        kill_marked(&mark);
    }
    Outcome {
        status: status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)),
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
        timed_out,
        left_behind: left_behind && !timed_out,
    }
}

/// Runs `fathom` with arguments in a folder.
pub fn fathom_in<S: AsRef<OsStr>>(dir: &Path, args: impl IntoIterator<Item = S>) -> Outcome {
    let mut command = fathom();
    command.current_dir(dir).args(args);
    run(command, Duration::from_secs(120))
}

/// The files of a folder with an extension, sorted.
pub fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut list: Vec<PathBuf> = std::fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == extension))
        .collect();
    list.sort();
    list
}

/// A folder with files in it; a name may begin with folders in it.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder in it");
        std::fs::write(path, text).expect("a file in it");
    }
    dir
}

/// The file's name without its extension.
#[allow(dead_code)]
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The folders in a folder, sorted.
pub fn folders(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut list: Vec<PathBuf> = entries.map(|e| e.path()).filter(|p| p.is_dir()).collect();
    list.sort();
    list
}

/// `// name: value` among the comments that a file begins with.
pub struct Directives(Vec<(String, String)>);

impl Directives {
    pub fn read(path: &Path) -> Directives {
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        let comments = text.lines().take_while(|l| l.starts_with("//")).map(|l| l.trim_start_matches('/').trim());
        Directives(
            comments
                .map(|line| match line.split_once(':') {
                    Some((name, value)) => (name.trim().to_string(), value.trim().to_string()),
                    None => (line.to_string(), String::new()),
                })
                .collect(),
        )
    }
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
    pub fn flags(&self) -> Vec<String> {
        self.get("flags").map(|f| f.split_whitespace().map(String::from).collect()).unwrap_or_default()
    }
}
