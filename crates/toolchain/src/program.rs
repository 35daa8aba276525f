//! `fathom run`: compiles a program from one source, or finds it in the cache, and starts it.
//!
//! Two levels of memory. `start/` remembers which files a program was made of, with their times, sizes and hashes: if
//! none changed, the program starts without any other process. Else the preprocessor runs, and `program/` knows the
//! program by the preprocessed text, so that a change of a comment in a header compiles nothing.

use crate::args::{is_source, thread_count, CommandLine, State};
use crate::cache::{Cache, Key};
use crate::command::Cmd;
use crate::compiler::{file_identity, Compiler};
use crate::conduit;
use crate::depend::prerequisites;
use crate::doctor::{gib, meminfo};
use crate::failure::{Failure, OrIo, Result};
use crate::launch::{Kind, Launch, Launcher};
use crate::mpi;
use crate::note::{self, Note};
use crate::pipeline::unit_of_text;
use crate::progress::Progress;
use crate::steps::{readable, Session};
use serde::{Deserialize, Serialize};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A scanned command line of `fathom run`.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// `-n`
    pub threads: Option<u32>,
    /// `--heap`, as the runtime reads it from FATHOM_HEAP.
    pub heap: Option<String>,
    /// `--hosts`: the computers that an MPI's launcher, or the program itself, is to use.
    pub hosts: Vec<String>,
    /// Options for compiling, before the file's name.
    pub job: CommandLine,
    pub file: PathBuf,
    /// What the program gets.
    pub args: Vec<String>,
}

impl Run {
    /// Scans the arguments after `run`: those before the file are options of `run`, those after it are the program's.
    pub fn scan(args: &[String]) -> Result<Run> {
        Self::scan_of("fathom run -n 4 heat.upc", args)
    }

    /// The same of another command, of which `example` is a use.
    pub fn scan_of(example: &str, args: &[String]) -> Result<Run> {
        let mut run = Run::default();
        let mut state = State::default();
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            let value = || {
                args.get(at + 1)
                    .cloned()
                    .ok_or_else(|| Failure::new(format!("the option '{arg}' needs a value after it")))
            };
            let joined = |prefix: &str| arg.strip_prefix(prefix).map(str::to_string);
            at += match arg.as_str() {
                "-n" | "-np" | "--threads" => {
                    run.threads = Some(thread_count(&value()?)?);
                    2
                }
                "--heap" | "-shared-heap" => {
                    run.heap = Some(heap(&value()?)?);
                    2
                }
                "--hosts" | "-hosts" | "--host" => {
                    run.hosts = hosts(&value()?)?;
                    2
                }
                "--" => {
                    run.rest(&args[at + 1..]);
                    break;
                }
                a if !a.starts_with('-') => {
                    run.rest(&args[at..]);
                    break;
                }
                a if a.starts_with("--hosts=") => {
                    run.hosts = hosts(&a["--hosts=".len()..])?;
                    1
                }
                _ => match (joined("--threads="), joined("--heap=").or(joined("-shared-heap=")), joined("-n")) {
                    (Some(n), _, _) => {
                        run.threads = Some(thread_count(&n)?);
                        1
                    }
                    (_, Some(size), _) => {
                        run.heap = Some(heap(&size)?);
                        1
                    }
                    (_, _, Some(n)) if !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) => {
                        run.threads = Some(thread_count(&n)?);
                        1
                    }
                    _ => run.job.one(arg, args.get(at + 1), &mut state)?,
                },
            };
        }
        if run.file.as_os_str().is_empty() && !run.job.show_help {
            return Err(Failure::new("no program to run").hint(format!("for example: {example}")));
        }
        Ok(run)
    }

    fn rest(&mut self, rest: &[String]) {
        if let Some((file, args)) = rest.split_first() {
            self.file = file.into();
            self.args = args.to_vec();
        }
    }

    /// Compiles the program if it is a source, and replaces this process by the program or its launcher. If the
    /// launcher's exit status is not reliable, it runs as a child instead, and the job's status is returned.
    ///
    /// # Errors
    /// The program cannot be compiled or started.
    pub fn start(mut self) -> Result<i32> {
        let program = self.prepare()?;
        let note = self.conduit_of(&program)?;
        if self.hosts.is_empty() {
            can_be_loaded(&program)?;
        }
        let mut cmd = Cmd::new([&program]).args(&self.args);
        let mut env = self.environment();
        let mut job = None;
        let launcher = launcher_of(&note.conduit)?;
        if launcher == conduit::Launcher::Simulation {
            return Err(Failure::new(format!("{} was made for simulated machines", self.file.display()))
                .hint("fathom simulate --machine NAME -n N starts it"));
        }
        if launcher == conduit::Launcher::Mpi {
            let threads = self.threads_of_launcher(&env)?;
            env.retain(|(name, _)| name != THREADS);
            env.push((THREADS.into(), threads.to_string()));
            let launcher = Launcher::find(note.wrapper.as_deref())?;
            if launcher.kind == Kind::Hydra {
                let wanted = crate::job::JobStatus::new()?;
                env.push((crate::job::STATUS.into(), wanted.file().display().to_string()));
                job = Some(wanted);
            }
            let forwarded = [from_user(&env), env.clone()].concat();
            cmd = launcher.command(&Launch { threads, hosts: &self.hosts, env: &forwarded }, &cmd)?;
        } else if !self.hosts.is_empty() && starts_on_hosts(&note.conduit)? {
            env.push((HOSTS.into(), self.hosts.join(",")));
        } else if !self.hosts.is_empty() {
            return Err(Failure::new(format!(
                "the conduit '{}' runs on this computer only and does not take --hosts",
                note.conduit
            ))
            .hint("build it with --conduit mpi or --conduit libfabric to use several computers"));
        }
        if self.job.verbose {
            let words: Vec<String> = env.iter().map(|(k, v)| format!("{k}={v} ")).collect();
            eprintln!("{}{}", words.concat(), cmd.line());
        }
        match job {
            Some(job) => job.run(&cmd, &env),
            None => Err(cmd.exec(&env)),
        }
    }

    /// The program for a simulated machine, compiled if it is a source, and the number of its threads.
    ///
    /// # Errors
    /// The program cannot be compiled, or was made for another conduit.
    pub fn simulated(mut self) -> Result<Simulated> {
        self.job.conduit = Some(conduit::simulated()?);
        let program = self.prepare()?;
        let note = self.conduit_of(&program)?;
        if launcher_of(&note.conduit)? != conduit::Launcher::Simulation {
            return Err(Failure::new(format!("{} was not made for simulated machines", self.file.display()))
                .hint(format!("make it with --conduit {}", conduit::simulated()?)));
        }
        can_be_loaded(&program)?;
        let said = std::env::var(THREADS).ok().filter(|v| !v.is_empty()).map(|n| thread_count(&n)).transpose()?;
        let threads = self.job.threads.or(self.threads).or(said).ok_or_else(|| {
            Failure::new("the number of threads is missing").hint("give it with -n, for example: -n 64")
        })?;
        let mut env = self.environment();
        env.retain(|(name, _)| name != THREADS);
        env.push((THREADS.into(), threads.to_string()));
        Ok(Simulated { program, args: self.args, env, threads })
    }

    /// The program's note. A file without a note may be a script that starts a program.
    fn conduit_of(&self, program: &Path) -> Result<Note> {
        let asked = self.job.conduit.clone();
        match (Note::of(program), asked) {
            (Some(note), Some(asked)) if note.conduit != asked => Err(Failure::new(format!(
                "{} was made for the conduit {}, not {asked}",
                program.display(),
                note.conduit
            ))
            .hint(format!("leave --conduit out, or make it again with --conduit {asked}"))),
            (Some(note), _) => Ok(note),
            (None, asked) => Ok(Note { conduit: asked.unwrap_or_default(), wrapper: None }),
        }
    }

    /// The number of threads to start: a launcher has no default.
    fn threads_of_launcher(&self, env: &[(String, String)]) -> Result<u32> {
        let said = env.iter().find(|(name, _)| name == THREADS).map(|(_, n)| n.clone());
        match said.or_else(|| std::env::var(THREADS).ok().filter(|v| !v.is_empty())) {
            Some(n) => thread_count(&n),
            None if !self.hosts.is_empty() => {
                Err(Failure::new("the number of threads on the hosts is missing: give it with -n"))
            }
            None => Ok(cores()),
        }
    }

    /// The executable.
    fn prepare(&mut self) -> Result<PathBuf> {
        readable(&self.file)?;
        if self.file.extension().is_some_and(|e| CPP.iter().any(|cpp| e == *cpp)) {
            let (file, package) = (self.file.display(), conduit::wanted(&self.job));
            let flags = format!("$(pkg-config --cflags --libs fathom-{package})");
            return Err(Failure::new(format!("{file} is a source in C++, which the front end does not take"))
                .hint(format!("on fathom.h: c++ -g {file} {flags} -o PROGRAM (after fathom install)")));
        }
        if !is_source(&self.file) {
            // Without a slash, exec would search PATH.
            return Ok(if self.file.components().count() == 1 {
                Path::new(".").join(&self.file)
            } else {
                self.file.clone()
            });
        }
        if let (Some(n), Some(fixed)) = (self.threads, self.job.threads) {
            if n != fixed {
                eprintln!(
                    "fathom: warning: -n {n} disagrees with -T {fixed}: {} is compiled for {fixed} threads and runs on {fixed}",
                    self.file.display()
                );
            }
        }
        // The program should run fast, and a crash should name the line.
        if !self.job.common.iter().any(|f| f.starts_with("-O")) {
            self.job.common.insert(0, "-O2".into());
        }
        if !self.job.common.iter().any(|f| f.starts_with("-g")) {
            self.job.common.insert(0, "-g".into());
        }
        let before = self.job.inputs.len();
        self.job.one(&self.file.to_string_lossy(), None, &mut State::default())?;
        if before > 0 || self.job.inputs.len() != 1 {
            return Err(Failure::new("'run' takes one source; build several with 'fathom cc' and run the program"));
        }
        self.compiled().inspect_err(|_| self.tell_sources_among_arguments())
    }

    /// Compiles the source. One that is wrong in the dynamic THREADS environment only, and many courses' programs are, is
    /// compiled for the number of threads that it is about to run with.
    fn compiled(&mut self) -> Result<PathBuf> {
        let (log, made) = program(&self.job);
        if self.job.threads.is_none() && made.as_ref().is_err_and(|f| f.only_dynamic_threads) {
            let env = std::env::var(THREADS).ok().filter(|v| !v.is_empty());
            let threads = match (self.threads, env) {
                (Some(n), _) => n,
                (None, Some(n)) => thread_count(&n)?,
                (None, None) => cores(),
            };
            let fixed = CommandLine { threads: Some(threads), ..self.job.clone() };
            if let (log, Ok(program)) = program(&fixed) {
                let file = self.file.display();
                eprintln!("fathom: note: {file} needs a fixed number of threads: it is compiled with -T {threads}");
                eprint!("{log}");
                self.job = fixed;
                return Ok(program);
            }
        }
        eprint!("{log}");
        made
    }

    /// Compilers take several sources, and 'run' takes one: the others went to the program, as its arguments.
    fn tell_sources_among_arguments(&self) {
        let Some(other) = self.args.iter().map(Path::new).find(|a| is_source(a) && a.is_file()) else { return };
        let (file, other) = (self.file.display(), other.display());
        eprintln!(
            "fathom: note: {other} is an argument of the program here, not one of its sources; for several sources: \
             fathom cc {file} {other} -o PROGRAM, and then run PROGRAM"
        );
    }

    /// The environment that tells the runtime how many threads and how much memory.
    fn environment(&self) -> Vec<(String, String)> {
        let mut env = vec![];
        let from_user = std::env::var_os(THREADS).is_some();
        // Each may have its number of threads.
        let on_hosts = !self.hosts.is_empty() || std::env::var_os(HOSTS).is_some_and(|v| !v.is_empty());
        let threads = match (self.job.threads, self.threads) {
            (Some(fixed), _) => Some(fixed),
            (None, Some(n)) => Some(n),
            // An executable may be compiled for a fixed number; the runtime checks it.
            (None, None) => (is_source(&self.file) && !from_user && !on_hosts).then(cores),
        };
        env.extend(threads.map(|n| (THREADS.to_string(), n.to_string())));
        if self.job.explain && std::env::var_os(TRACE).is_none_or(|v| v.is_empty()) {
            let folder = std::env::current_dir().unwrap_or_default().join(trace_folder(&self.file));
            env.push((TRACE.to_string(), folder.to_string_lossy().into_owned()));
        }
        env.extend(self.heap.clone().map(|size| ("FATHOM_HEAP".to_string(), size)));
        env
    }
}

/// How names of sources in C++ end.
const CPP: [&str; 5] = ["cpp", "cc", "cxx", "c++", "C"];

/// A program that is ready for a simulated machine.
pub struct Simulated {
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Variables that it needs.
    pub env: Vec<(String, String)>,
    pub threads: u32,
}

/// The runtime's variable for the folder of traces.
const TRACE: &str = "FATHOM_EXPLAIN";

/// Where the threads of a program leave their traces (`--explain`), unless FATHOM_EXPLAIN says otherwise.
pub fn trace_folder(program: &Path) -> PathBuf {
    let name = if is_source(program) { program.file_stem() } else { program.file_name() };
    let mut folder = name.unwrap_or_default().to_os_string();
    folder.push(".explain");
    folder.into()
}

/// The runtime's variable for the number of threads.
pub(crate) const THREADS: &str = "FATHOM_THREADS";
/// The runtime's variable for the computers, where the program itself starts its threads there.
const HOSTS: &str = "FATHOM_HOSTS";

/// Variables that the tools read, and programs do not.
const OF_TOOLS: &[&str] = &[
    "FATHOM_CC",
    "FATHOM_CACHE",
    "FATHOM_RUNTIME",
    "FATHOM_CONDUIT",
    "FATHOM_MPICC",
    "FATHOM_MPIRUN",
    "FATHOM_LIBFABRIC",
];

/// The user's settings for programs, except those that `ours` sets anew.
pub(crate) fn from_user(ours: &[(String, String)]) -> Vec<(String, String)> {
    let for_programs = |name: &str| name.starts_with("FATHOM_") && !OF_TOOLS.contains(&name);
    let all = std::env::vars_os().filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)));
    all.filter(|(k, _)| for_programs(k) && !ours.iter().any(|(o, _)| o == k)).collect()
}

fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u32)
}

fn hosts(list: &str) -> Result<Vec<String>> {
    let names: Vec<String> = list.split(',').map(|h| h.trim().to_string()).collect();
    match names.iter().any(|n| n.is_empty()) {
        true => {
            Err(Failure::new(format!("'{list}' is not a valid list of hosts")).hint("for example: --hosts node1,node2"))
        }
        false => Ok(names),
    }
}

/// A size such as `512M`, `2G` or `64MB`, without the B.
fn heap(v: &str) -> Result<String> {
    let plain = v.trim_end_matches(['B', 'b']).trim_end_matches('i');
    let digits = plain.trim_end_matches(|c: char| "kKmMgGtT".contains(c));
    match !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && plain.len() - digits.len() <= 1 {
        true => Ok(plain.to_string()),
        false => Err(Failure::new(format!("'{v}' is not a valid size"))
            .hint("give bytes, or a number with K, M, G: --heap 512M")),
    }
}

/// What a program was made of.
#[derive(Serialize, Deserialize)]
struct Manifest {
    program: String,
    files: Vec<Stamp>,
}

#[derive(Serialize, Deserialize)]
struct Stamp {
    path: PathBuf,
    bytes: u64,
    modified_ns: i128,
    hash: String,
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let (bytes, modified_ns) = stamp(path)?;
        Some(Stamp { path: std::path::absolute(path).ok()?, bytes, modified_ns, hash: hash_file(path)? })
    }
    /// The file has not changed.
    fn holds(&self) -> bool {
        match stamp(&self.path) {
            Some((bytes, ns)) if bytes == self.bytes => {
                ns == self.modified_ns || hash_file(&self.path).as_ref() == Some(&self.hash)
            }
            _ => false,
        }
    }
}

fn stamp(path: &Path) -> Option<(u64, i128)> {
    let m = std::fs::metadata(path).ok()?;
    Some((m.len(), i128::from(m.mtime()) * 1_000_000_000 + i128::from(m.mtime_nsec())))
}

fn hash_file(path: &Path) -> Option<String> {
    Some(blake3::hash(&std::fs::read(path).ok()?).to_hex().to_string())
}

/// The name of the executable in its folder of the cache, which `ps` and error messages show.
fn program_name(job: &CommandLine) -> String {
    job.inputs[0].path.file_stem().map_or("program".into(), |s| s.to_string_lossy().into_owned())
}

/// The messages of the steps, and the cached executable for a job with one source, compiled if it is not there.
fn program(job: &CommandLine) -> (String, Result<PathBuf>) {
    let mut log = String::new();
    let made = (|| {
        let cc = Compiler::find()?;
        let cache = Cache::open()?;
        let start = start_key(job, &cc).map(|key| cache.root().join("start").join(key));
        if let Some(path) = start.as_ref().and_then(|s| again(&cache, s)) {
            return Ok(path.join(program_name(job)));
        }
        make(job.clone(), &cache, start.as_deref(), &mut log)
    })();
    (log, made)
}

/// The program of a manifest whose files are all unchanged.
fn again(cache: &Cache, start: &Path) -> Option<PathBuf> {
    let manifest: Manifest = serde_json::from_slice(&std::fs::read(start).ok()?).ok()?;
    if !manifest.files.iter().all(Stamp::holds) {
        return None;
    }
    cache.get("program", &manifest.program)
}

/// A hash of everything that decides which files the preprocessor reads, except the contents of the files. None if
/// FATHOM_RUNTIME is set, because that folder may change at any time.
fn start_key(job: &CommandLine, cc: &Compiler) -> Option<String> {
    if std::env::var_os("FATHOM_RUNTIME").is_some() {
        return None;
    }
    let own = std::env::current_exe().ok()?;
    let variables =
        ["CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "SOURCE_DATE_EPOCH", "GCC_EXEC_PREFIX", "COMPILER_PATH"];
    let environment = variables.map(|v| format!("{v}={:?}", std::env::var_os(v)));
    let key = Key::new("start")
        .with(format!("{} {:?}", own.display(), stamp(&own)?))
        .with(std::env::current_dir().ok()?.as_os_str().as_encoded_bytes())
        .with(&cc.identity)
        .with(conduit_identity(job))
        .with(format!("{job:?}"))
        .with_all(environment);
    Some(key.hex())
}

/// The kernel ends a program with a segmentation fault, before its first instruction, if its static data exceeds memory
/// and swap space: it could not hold the data that the program may write.
fn can_be_loaded(program: &Path) -> Result<()> {
    let Some(needed) = note::largest_part_bytes(program) else { return Ok(()) };
    let always = std::fs::read_to_string("/proc/sys/vm/overcommit_memory").is_ok_and(|mode| mode.trim() == "1");
    let Some(memory) = meminfo("MemTotal") else { return Ok(()) };
    let there = memory + meminfo("SwapTotal").unwrap_or(0);
    if always || needed <= there {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} has {} of static data on each thread, but this computer has {} of memory and swap space",
        program.display(),
        gib(needed),
        gib(there)
    ))
    .hint("use smaller static arrays or more threads, or allocate shared memory with upc_all_alloc"))
}

/// How a program of that conduit is started; a file that names none starts by itself.
fn launcher_of(conduit: &str) -> Result<conduit::Launcher> {
    let found = conduit::Description::of(conduit).map(|d| d.map(|d| d.launcher));
    found.map(|l| l.unwrap_or(conduit::Launcher::Program))
}

/// Does a program of that conduit start its threads on other computers itself?
fn starts_on_hosts(conduit: &str) -> Result<bool> {
    Ok(conduit::Description::of(conduit)?.is_some_and(|d| d.hosts))
}

/// The conduit, and the MPI's wrapper if it needs one, by its file: no process is started.
fn conduit_identity(job: &CommandLine) -> String {
    let name = conduit::wanted(job);
    let description = conduit::Description::of(&name).ok().flatten();
    let needs = |need| description.as_ref().is_some_and(|d| d.needs(need));
    let mpi = mpi::wrapper().ok().filter(|_| needs(conduit::Need::Mpi)).map(|w| file_identity(&w));
    let libfabric = std::env::var_os("FATHOM_LIBFABRIC").filter(|_| needs(conduit::Need::Libfabric));
    format!("{name} {mpi:?} {libfabric:?}")
}

/// Preprocesses; then finds the program by its text, or compiles and links it.
fn make(mut job: CommandLine, cache: &Cache, start: Option<&Path>, log: &mut String) -> Result<PathBuf> {
    let scratch = crate::scratch::Scratch::new()?;
    let depend_file = scratch.join("depend");
    job.depend = ["-MD", "-MF", &depend_file.display().to_string(), "-MT", "x"].map(String::from).into();
    let session = Session::open(&job)?;
    let progress = Progress::start(&format!("compiling {}", job.inputs[0].path.display()), 0);
    let input = &job.inputs[0];
    let object = session.scratch.join("program.o");
    let text = session.preprocess(input, &[], &object, log)?;
    let version = session.cc.version(Some(cache))?;
    let library = session.sources.library_key(&session.cc, &version, &session.recipe()?);
    let linked: Vec<PathBuf> = linked_files(&job);
    let key = Key::new("program")
        .with(&text)
        .with(library)
        .with(format!("{:?} {:?} {:?} {}", job.common, job.link, job.threads, program_name(&job)))
        .with(format!("{} {} {:?} {}", job.explain, job.accesses, job.comm_opt, job.comm_check))
        .with_all(linked.iter().map(|f| hash_file(f).unwrap_or_default()))
        .with(own_identity())
        .hex();
    let path = cache.get_or_build("program", &key, |dir| {
        unit_of_text(&session, input, text, &object, log)?;
        drop(progress);
        session.link(&[object], &dir.join(program_name(&job)), log)
    })?;
    if let Some(start) = start {
        remember(cache, start, &key, &depend_file, &linked)?;
    }
    Ok(path.join(program_name(&job)))
}

/// The parts of this binary that determine its output.
fn own_identity() -> String {
    let own = std::env::current_exe().unwrap_or_default();
    format!("{} {:?}", env!("CARGO_PKG_VERSION"), stamp(&own))
}

/// Objects and archives on the command line.
fn linked_files(job: &CommandLine) -> Vec<PathBuf> {
    let arg = |item: &crate::args::LinkItem| match item {
        crate::args::LinkItem::Arg(a) if !a.starts_with('-') => Some(PathBuf::from(a)),
        _ => None,
    };
    job.link.iter().filter_map(arg).filter(|p| p.is_file()).collect()
}

/// Writes the manifest. A file that is already gone again makes the next start compile, nothing worse.
fn remember(cache: &Cache, start: &Path, program: &str, depend_file: &Path, linked: &[PathBuf]) -> Result<()> {
    let rule = std::fs::read_to_string(depend_file).or_io("read", depend_file)?;
    let files: Option<Vec<Stamp>> = prerequisites(&rule).iter().chain(linked).map(|p| Stamp::of(p)).collect();
    let Some(files) = files else { return Ok(()) };
    let manifest = Manifest { program: program.to_string(), files };
    cache.publish_file(start, &serde_json::to_vec(&manifest).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(line: &str) -> Run {
        Run::scan(&shlex::split(line).unwrap()).unwrap()
    }

    #[test]
    fn what_follows_the_file_is_the_programs() {
        let r = scan("-n 4 -O3 -DN=2 --heap 64MB heat.upc -n 7 --help");
        assert_eq!((r.threads, r.heap.as_deref()), (Some(4), Some("64M")));
        assert_eq!(r.job.common, ["-O3"]);
        assert_eq!(r.job.preprocess, ["-DN=2"]);
        assert_eq!(r.args, ["-n", "7", "--help"]);
        let r = scan("--conduit mpi --hosts a,b:2 -n 2 heat.upc");
        assert_eq!((r.job.conduit.as_deref(), r.hosts), (Some("mpi"), vec!["a".to_string(), "b:2".into()]));
        assert!(Run::scan(&["--hosts".into(), "a,,b".into(), "x".into()]).is_err());
        assert_eq!(scan("-n3 x").threads, Some(3));
        assert_eq!(scan("-nostdlib x").threads, None);
    }

    #[test]
    fn threads_are_not_guessed_for_several_computers() {
        let has = |line: &str| scan(line).environment().iter().any(|(k, _)| k == "FATHOM_THREADS");
        assert!(!has("--hosts a:2,b:3 x.upc"));
        assert!(has("--hosts a,b -n 5 x.upc") && has("x.upc"));
        assert!(starts_on_hosts("libfabric").unwrap() && !starts_on_hosts("smp").unwrap());
        assert!(!starts_on_hosts("mpi").unwrap() && !starts_on_hosts("").unwrap());
    }

    #[test]
    fn threads_come_from_the_option_the_source_or_the_machine() {
        let threads =
            |line: &str| scan(line).environment().into_iter().find(|(k, _)| k == "FATHOM_THREADS").map(|(_, v)| v);
        assert_eq!(threads("-n 3 x.upc"), Some("3".into()));
        assert_eq!(threads("-T 5 x.upc"), Some("5".into()));
        assert_eq!(threads("-n 3 -T 5 x.upc"), Some("5".into()));
        assert!(Run::scan(&["-n".into(), "0".into(), "x".into()]).is_err());
        assert!(Run::scan(&["-n".into(), "4".into()]).is_err());
    }

    #[test]
    fn sizes_are_numbers_with_a_unit() {
        assert_eq!(heap("2GiB").ok(), Some("2G".into()));
        assert_eq!(heap("4096").ok(), Some("4096".into()));
        assert!(heap("much").is_err() && heap("-1").is_err() && heap("").is_err());
    }
}
