//! The UPC and Split-C programs under `tests/`: adding a test is adding a file.
//!
//! * `tests/run/*.upc` and `tests/run/*.sc` are programs that check themselves. Each runs in the dynamic environment with
//!   every number of threads, on the conduit smp; and in one variant more (see below). Comments at the top say otherwise:
//!
//!   ```text
//!   // threads: 1 2 8          (default 1 2 3 4)
//!   // static-only             // dynamic-only
//!   // flags: -DN=4            (-T among them: only that many threads)
//!   // args: 10 20             arguments of the program
//!   // expect-exit: 3          or `nonzero`
//!   // expect-stdout: text     somewhere in the output; a file x.out beside x.upc is the whole of it
//!   // expect-stderr: regex
//!   // time-limit: 90          seconds for each run, compiling included (default 120)
//!   // conduits: smp            where the subject does not exist on the others
//!   // comm: strips outbox     where threads are far also with FATHOM_COMM set to each of these
//!   // cores: 1 16             on smp also with FATHOM_CORES set to each of these: how threads wait depends on it
//!   ```
//!
//!   The variants are the static environment on smp, with one of the numbers of threads (all with FATHOM_TEST_ALL=1);
//!   and, with a few numbers of threads in the dynamic environment, the reference build of smp, template, and mpi where
//!   there is one, with near threads and with both near and far ones (`support/conduits.rs` says more). The program's
//!   name picks one. FATHOM_TEST_WIDE=1 runs all, and a filter runs the one that it names (`::reference`,
//!   `NAME::static`). FATHOM_TEST_CONDUITS="smp mpi" tests those conduits, and those wholly.
//!
//!   With FATHOM_TEST_EMULATOR="COMMAND OPTION…", programs are compiled by FATHOM_CC for another processor and started by that
//!   command, on smp, its reference build and template, with 1, 3 and 4 threads where the program allows these.
//!
//! * `tests/run/multi/NAME/` is one program of several files, `.upc`, `.sc` and `.c`; the directives stand in its main.upc
//!   or main.sc.
//!
//! * `tests/compile/*.upc` and `*.sc` are what the front end must say. `// error: 6.5.2 p8` at the end of a line expects an
//!   error of that clause at that line (`warning:` likewise; of Split-C: `// error: Split-C, pointers`; `error(7):` means line 7; `C …` is any rule of C). A file x.err beside
//!   x.upc holds `line: code: part of the message` for every finding; UPDATE_EXPECT=1 writes it. What is not expected
//!   must not appear: a file without either compiles cleanly.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use regex::Regex;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use support::conduits::{tested, On};
use support::{emulator, fathom, files, folders, root, run, stem, Directives, Outcome};

fn main() {
    let arguments = support::side_by_side(Arguments::from_args());
    let mut trials = vec![];
    let conduits = tested(&mut trials);
    let mut all = 0;
    let mut add = |program: Program, kind: &str| {
        let variants = variants(&program, &conduits);
        all += variants.len();
        for variant in dealt(&program.name(), variants, arguments.filter.as_deref()) {
            trials.push(variant.trial(&program, kind));
        }
    };
    for path in ["upc", "sc"].iter().flat_map(|language| files(&root().join("tests/run"), language)) {
        add(Program { sources: vec![path.clone()], main: path }, "run");
    }
    for dir in folders(&root().join("tests/run/multi")) {
        let sources: Vec<_> = ["upc", "sc", "c"].iter().flat_map(|language| files(&dir, language)).collect();
        let Some(main) = sources.iter().find(|path| stem(path) == "main").cloned() else { continue };
        add(Program { main, sources }, "run::multi");
    }
    support::say_part(trials.len(), all, "variants of programs");
    for path in ["upc", "sc"].iter().flat_map(|language| files(&root().join("tests/compile"), language)) {
        let name = format!("compile::{}", stem(&path));
        trials.push(Trial::test(name, move || compile_test(&path)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Commands run in the file's folder, so that messages name it as a user would.
fn file_name(path: &Path) -> &OsStr {
    path.file_name().unwrap_or_default()
}

// ---- tests/run -----------------------------------------------------------------------------------------------------

/// A program that checks itself: one source, or several in a folder.
#[derive(Clone)]
struct Program {
    main: PathBuf,
    sources: Vec<PathBuf>,
}

impl Program {
    fn is_one_file(&self) -> bool {
        self.sources.len() == 1
    }
    fn folder(&self) -> &Path {
        self.main.parent().unwrap_or(Path::new("."))
    }
    fn name(&self) -> String {
        if self.is_one_file() {
            stem(&self.main)
        } else {
            stem(self.folder())
        }
    }
    /// `fathom VERB OPTIONS FLAGS` in the program's folder.
    fn command(&self, verb: &str, on: &On, directives: &Directives) -> Command {
        let mut command = fathom();
        on.environment(&mut command, &self.name());
        command.current_dir(self.folder()).arg(verb).args(on.options()).args(directives.flags());
        command
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Environment {
    Dynamic,
    Static,
}

/// One of the ways in which a program runs: each is a trial.
struct Variant {
    on: On,
    /// In the trial's name, which ends with it: `dynamic`, `static`, a conduit that is not smp, or nothing.
    word: String,
    environment: Environment,
    counts: Vec<u32>,
}

impl Variant {
    fn trial(self, program: &Program, kind: &str) -> Trial {
        let program = program.clone();
        let end = if self.word.is_empty() { String::new() } else { format!("::{}", self.word) };
        Trial::test(format!("{kind}::{}{end}", program.name()), move || {
            run_test(&program, &self.on, &self.counts, self.environment)
        })
    }

    /// Does the command line's filter end with the beginning of a part of the word: `::mpi`, `forall::static`?
    fn is_named_by(&self, filter: &str) -> bool {
        let names = |end: &str| !end.is_empty() && self.word.split("::").any(|part| part.starts_with(end));
        filter.rsplit_once("::").is_some_and(|(_, end)| names(end))
    }
}

/// The numbers of threads under an emulator, which takes long.
const EMULATED_COUNTS: [u32; 3] = [1, 3, 4];

/// All variants of a program; that of smp in the ordinary environment is the first.
fn variants(program: &Program, conduits: &[On]) -> Vec<Variant> {
    let directives = Directives::read(&program.main);
    let flags = directives.flags();
    let named: Option<u32> = flags.iter().position(|f| f == "-T").and_then(|at| flags.get(at + 1)?.parse().ok());
    let mut all: Vec<u32> = match (named, directives.get("threads")) {
        (Some(n), _) => vec![n],
        (None, Some(list)) => list.split_whitespace().filter_map(|n| n.parse().ok()).collect(),
        (None, None) => vec![1, 2, 3, 4],
    };
    if emulator().is_some() && all.iter().any(|n| EMULATED_COUNTS.contains(n)) {
        all.retain(|n| EMULATED_COUNTS.contains(n));
    }
    let mut variants = vec![];
    for on in conduits.iter().filter(|on| on.takes(&program.name(), &all, directives.get("conduits"))) {
        let counts = on.counts(&all);
        let (one, dynamic) = (static_counts(&program.name(), &all), Environment::Dynamic);
        let mut grid = vec![];
        if named.is_some() {
            // The flags say -T: neither the one nor the other has to be said again.
            grid.push(("static", Environment::Dynamic, counts));
        } else if on.whole {
            grid.extend((!directives.has("static-only")).then_some(("dynamic", dynamic, counts)));
            grid.extend((!directives.has("dynamic-only")).then_some(("static", Environment::Static, one)));
        } else if directives.has("static-only") {
            grid.push(("", Environment::Static, counts[counts.len() - 1..].to_vec()));
        } else {
            grid.push(("", dynamic, counts));
        }
        for (word, environment, counts) in grid {
            let parts = [word, if on.is_far() { &on.label } else { "" }];
            let word = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("::");
            variants.push(Variant { on: on.clone(), word, environment, counts });
        }
    }
    variants
}

/// Those of a program's variants that are to be run: all; or the first on smp and one of the others, which the
/// program's name picks, and those that the command line names.
fn dealt(program: &str, mut variants: Vec<Variant>, filter: Option<&str>) -> Vec<Variant> {
    if support::conduits::is_wide() {
        return variants;
    }
    let always = usize::from(variants.first().is_some_and(|v| !v.on.is_far()));
    let others = variants.len() - always;
    // The factor separates this choice from those of an MPI and of a number of threads.
    let picked = if others > 0 { always + support::conduits::pick(program, 7 * others) / 7 } else { 0 };
    let mut at = 0;
    variants.retain(|variant| {
        at += 1;
        at <= always || at - 1 == picked || filter.is_some_and(|f| variant.is_named_by(f))
    });
    variants
}

/// Every static count costs a compilation: the one that the name picks, so that the suite has all of them.
fn static_counts(name: &str, all: &[u32]) -> Vec<u32> {
    if std::env::var_os("FATHOM_TEST_ALL").is_some() || all.is_empty() {
        return all.to_vec();
    }
    vec![all[support::conduits::pick(name, all.len())]]
}

fn run_test(program: &Program, on: &On, counts: &[u32], environment: Environment) -> Result<(), Failed> {
    let directives = Directives::read(&program.main);
    let limit = directives.get("time-limit").and_then(|v| v.parse().ok()).unwrap_or(120);
    let scratch = tempfile::tempdir()?;
    let executable = scratch.path().join(program.name());
    let (name, set) = match on.is_far() {
        true => ("FATHOM_COMM", directives.get("comm").unwrap_or("")),
        false => ("FATHOM_CORES", directives.get("cores").unwrap_or("")),
    };
    for (at, n) in counts.iter().enumerate() {
        let fixed = (environment == Environment::Static).then_some(*n);
        // One source on smp is compiled by `run` itself the first time, which is to be tested too. In the narrow run,
        // `run` then starts it again from its cache; in the wide one, `cc` compiles it for the other numbers.
        let again = at == 0 || fixed.is_some() || !support::conduits::is_wide();
        let by_run = program.is_one_file() && !on.is_far() && again && emulator().is_none();
        if !by_run && (fixed.is_some() || !executable.exists()) {
            build(program, on, &directives, fixed, &executable)?;
        }
        let mut command = match emulator() {
            Some(words) => {
                let mut command = support::with_settings_of_tests(&words[0]);
                // For each page of address space qemu's user emulation takes 24 bytes, and heaps would have as much of it
                // as there is memory.
                command
                    .args(&words[1..])
                    .env("FATHOM_THREADS", n.to_string())
                    .env("FATHOM_HEAP", "1g")
                    .arg(&executable);
                command
            }
            None => {
                let mut command = fathom();
                command.args(on.start());
                if by_run {
                    command.args(on.options()).args(directives.flags());
                    command.args(fixed.map(|n| format!("-T{n}")));
                }
                let file = if by_run { Path::new(file_name(&program.main)) } else { &executable };
                command.args(["-n", &n.to_string()]).arg(file);
                command
            }
        };
        on.environment(&mut command, &program.name());
        command.current_dir(program.folder());
        command.args(directives.get("args").unwrap_or("").split_whitespace());
        for value in std::iter::once(None).chain(set.split_whitespace().map(Some)) {
            let mut command = copy(&command);
            command.envs(value.map(|v| (name, v)));
            let outcome = run(command, Duration::from_secs(limit));
            judge(&program.main, &directives, &outcome).map_err(|why| {
                let environment = if fixed.is_some() { "static" } else { "dynamic" };
                let set = value.map_or(String::new(), |v| format!(", {name}={v}"));
                format!("{n} threads, {environment}, {}{set}: {why}\n{}", on.label, outcome.transcript())
            })?;
        }
    }
    Ok(())
}

/// Compiles and links. On the conduits whose threads may be far the objects are the same, and made once.
fn build(program: &Program, on: &On, directives: &Directives, fixed: Option<u32>, to: &Path) -> Result<(), Failed> {
    let flags = directives.flags();
    let is_wide = support::conduits::is_wide();
    // As `fathom run` does, unless the program says otherwise; in the narrow run, a level that compiles faster.
    let level = if is_wide { "-O2" } else { "-O1" };
    let optimise = (!flags.iter().any(|f| f.starts_with("-O"))).then_some(level);
    let options = |mut command: Command| {
        // Programs that repeat something many times do it less often where every access may be a message.
        command.args(on.is_far().then_some("-DFAR_THREADS"));
        command.args(optimise).args(is_wide.then_some("-g")).args(fixed.map(|n| format!("-T{n}")));
        command
    };
    let parts = match on.is_far() && program.is_one_file() {
        true => vec![far_object(program, &options(program.command("cc", on, directives)), fixed)?],
        false => program.sources.iter().map(|s| PathBuf::from(file_name(s))).collect(),
    };
    let mut command = options(program.command("cc", on, directives));
    command.arg("-o").arg(to).args(parts);
    compiled(run(command, Duration::from_secs(120)))
}

fn compiled(outcome: Outcome) -> Result<(), Failed> {
    match outcome.status {
        0 => Ok(()),
        _ => Err(format!("does not compile\n{}", outcome.transcript()).into()),
    }
}

/// An object and how its making went, for all tests that ask for it.
type Made = Arc<OnceLock<Result<PathBuf, String>>>;
static FAR_OBJECTS: Mutex<BTreeMap<(PathBuf, Option<u32>), Made>> = Mutex::new(BTreeMap::new());

fn far_object(program: &Program, like: &Command, fixed: Option<u32>) -> Result<PathBuf, Failed> {
    let key = (program.main.clone(), fixed);
    let slot = FAR_OBJECTS.lock().map_err(|_| "a test has panicked")?.entry(key).or_default().clone();
    let make = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("far-objects");
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let count = fixed.map_or(String::new(), |n| format!("-{n}"));
        let object = folder.join(format!("{}{count}.o", program.name()));
        let mut command = copy(like);
        command.arg("-c").arg("-o").arg(&object).arg(file_name(&program.main));
        compiled(run(command, Duration::from_secs(120))).map_err(|f| f.message().unwrap_or_default().to_string())?;
        Ok(object)
    };
    slot.get_or_init(make).clone().map_err(Failed::from)
}

fn copy(command: &Command) -> Command {
    let mut copy = Command::new(command.get_program());
    copy.args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => copy.env(name, value),
            None => copy.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        copy.current_dir(folder);
    }
    copy
}

fn judge(path: &Path, directives: &Directives, outcome: &Outcome) -> Result<(), String> {
    if outcome.timed_out {
        return Err("did not end in time".into());
    }
    match directives.get("expect-exit") {
        None if outcome.status != 0 => return Err("failed".into()),
        Some("nonzero") if outcome.status == 0 => return Err("expected a status that is not 0".into()),
        Some(v) if v != "nonzero" && v.parse() != Ok(outcome.status) => return Err(format!("expected status {v}")),
        _ => {}
    }
    if let Some(text) = directives.get("expect-stdout") {
        if !outcome.stdout.contains(text) {
            return Err(format!("expected on stdout: {text}"));
        }
    }
    if let Some(pattern) = directives.get("expect-stderr") {
        let regex = Regex::new(pattern).map_err(|e| e.to_string())?;
        if !regex.is_match(&outcome.stderr) {
            return Err(format!("expected on stderr: {pattern}"));
        }
    }
    if let Ok(whole) = std::fs::read_to_string(path.with_extension("out")) {
        if whole != outcome.stdout {
            return Err(format!("stdout is not {}", path.with_extension("out").display()));
        }
    }
    match outcome.left_behind {
        true => Err("processes of the job were left behind".into()),
        false => Ok(()),
    }
}

// ---- tests/compile -------------------------------------------------------------------------------------------------

/// One line of the short format.
#[derive(Debug, Clone)]
struct Finding {
    file: String,
    line: u32,
    level: String,
    code: String,
    message: String,
    clause: String,
}

fn compile_test(path: &Path) -> Result<(), Failed> {
    let directives = Directives::read(path);
    let dir = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut command = fathom();
    command.current_dir(dir).args(["cc", "-fsyntax-only", "--diag-format=short", "-fmax-errors=0"]);
    command.args(directives.flags()).arg(&name);
    let outcome = run(command, Duration::from_secs(60));
    if outcome.timed_out {
        return Err("did not end in time".into());
    }
    let findings = findings(&outcome.stderr);
    let any_error = findings.iter().any(|f| f.level == "error");
    if any_error != (outcome.status != 0) {
        return Err(format!("status and errors disagree\n{}", outcome.transcript()).into());
    }
    let err = path.with_extension("err");
    if std::env::var_os("UPDATE_EXPECT").is_some() && !findings.is_empty() {
        let text: String = findings.iter().map(|f| expected_line(f, &name)).collect();
        std::fs::write(&err, text)?;
    }
    let by_file = std::fs::read_to_string(&err).ok();
    let by_comments = expectations(dir, &name);
    let mut wrong = vec![];
    if !by_comments.is_empty() || by_file.is_none() {
        wrong.extend(against_comments(by_comments, &findings));
    }
    if let Some(text) = by_file {
        wrong.extend(against_file(&text, &findings, &name));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{}\n{}", wrong.join("\n"), outcome.transcript()).into()),
    }
}

fn findings(text: &str) -> Vec<Finding> {
    let ours = Regex::new(r"^(.+?):(\d+):\d+: (error|warning)\[(\w+)\]: (.*?)(?: \[([^\[\]]*)\])?$").expect("a regex");
    let of_cc = Regex::new(r"^(.+?):(\d+):(?:\d+:)? (?:fatal )?(error|warning): (.*)$").expect("a regex");
    let mut list = vec![];
    for line in text.lines() {
        let (found, ours) = match (ours.captures(line), of_cc.captures(line)) {
            (Some(c), _) => (c, true),
            (None, Some(c)) => (c, false),
            (None, None) => continue,
        };
        let part = |i: usize| found.get(i).map_or(String::new(), |m| m.as_str().to_string());
        list.push(Finding {
            file: part(1),
            line: part(2).parse().unwrap_or(0),
            level: part(3),
            code: if ours { part(4) } else { "cc".into() },
            message: if ours { part(5) } else { part(4) },
            clause: if ours { part(6) } else { String::new() },
        });
    }
    list
}

fn expected_line(f: &Finding, main: &str) -> String {
    match f.file == main {
        true => format!("{}: {}: {}\n", f.line, f.code, f.message),
        false => format!("{}:{}: {}: {}\n", f.file, f.line, f.code, f.message),
    }
}

/// Every line of the file is the beginning of a finding's line, up to a part of its message, and the other way round.
fn against_file(text: &str, findings: &[Finding], main: &str) -> Vec<String> {
    let mut left: Vec<String> = findings.iter().map(|f| expected_line(f, main)).collect();
    let mut wrong = vec![];
    for expected in text.lines().filter(|l| !l.trim().is_empty()) {
        let mut parts = expected.splitn(3, ": ");
        let head = format!("{}: {}: ", parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let message = parts.next().unwrap_or("").trim();
        match left.iter().position(|l| l.strip_prefix(&head).is_some_and(|rest| rest.contains(message))) {
            Some(at) => drop(left.remove(at)),
            None => wrong.push(format!("expected by the .err file: {expected}")),
        }
    }
    wrong.extend(left.iter().map(|l| format!("not in the .err file: {}", l.trim_end())));
    wrong
}

/// (file, line, level) → clauses expected there by comments.
type Expected = BTreeMap<(String, u32, String), Vec<String>>;

/// The expectations in a file and in the headers that it includes by `"…"`.
fn expectations(dir: &Path, name: &str) -> Expected {
    let mark = Regex::new(r"//\s*(error|warning)(?:\((\d+)\))?:\s*(.+?)\s*$").expect("a regex");
    let include = Regex::new(r#"^\s*#\s*include\s+"([^"]+)""#).expect("a regex");
    let mut out = Expected::new();
    let text = String::from_utf8_lossy(&std::fs::read(dir.join(name)).unwrap_or_default()).into_owned();
    for (at, line) in text.lines().enumerate() {
        if let Some(c) = mark.captures(line) {
            let number = c.get(2).and_then(|n| n.as_str().parse().ok()).unwrap_or(at as u32 + 1);
            for clause in c[3].split(';') {
                out.entry((name.to_string(), number, c[1].to_string())).or_default().push(clause.trim().to_string());
            }
        }
        if let Some(c) = include.captures(line) {
            out.extend(expectations(dir, &c[1]));
        }
    }
    out
}

fn against_comments(mut expected: Expected, findings: &[Finding]) -> Vec<String> {
    let mut wrong = vec![];
    for f in findings {
        let fits = |clause: &String| clause.starts_with("C ") || f.clause.ends_with(clause.as_str());
        let key = (f.file.clone(), f.line, f.level.clone());
        let at = expected.get(&key).and_then(|clauses| clauses.iter().position(fits));
        match (at, expected.get_mut(&key)) {
            (Some(at), Some(clauses)) => drop(clauses.remove(at)),
            _ => wrong.push(format!(
                "not expected: {}:{}: {}[{}] {} [{}]",
                f.file, f.line, f.level, f.code, f.message, f.clause
            )),
        }
    }
    for ((file, line, level), clauses) in &expected {
        wrong.extend(clauses.iter().map(|c| format!("expected: {file}:{line}: {level} by {c}")));
    }
    wrong
}
