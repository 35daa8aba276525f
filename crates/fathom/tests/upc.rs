//! The UPC programs under `tests/`: adding a test is adding a file.
//!
//! * `tests/run/*.upc` are programs that check themselves. Each runs in the dynamic environment with every number of
//!   threads, and in the static one with one of them (all with FATHOM_TEST_ALL=1). Comments at the top say otherwise:
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
//!   ```
//!
//! * `tests/run/multi/NAME/` is one program of several files, `.upc` and `.c`; the directives stand in its main.upc.
//!
//! * `tests/compile/*.upc` are what the front end must say. `// error: 6.5.2 p8` at the end of a line expects an error of
//!   that clause at that line (`warning:` likewise; `error(7):` means line 7; `C …` is any rule of C). A file x.err beside
//!   x.upc holds `line: code: part of the message` for every finding; UPDATE_EXPECT=1 writes it. What is not expected
//!   must not appear: a file without either compiles cleanly.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use regex::Regex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{fathom, files, folders, root, run, Directives, Outcome};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = vec![];
    for path in files(&root().join("tests/run"), "upc") {
        trials.extend(run_trials(path));
    }
    for dir in folders(&root().join("tests/run/multi")) {
        trials.extend(multi_trials(dir));
    }
    for path in files(&root().join("tests/compile"), "upc") {
        let name = format!("compile::{}", stem(&path));
        trials.push(Trial::test(name, move || compile_test(&path)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

// ---- tests/run -----------------------------------------------------------------------------------------------------

fn run_trials(path: PathBuf) -> Vec<Trial> {
    let directives = Directives::read(&path);
    let flags = directives.flags();
    let named = flags.iter().position(|f| f == "-T").and_then(|at| flags.get(at + 1)?.parse().ok());
    let all: Vec<u32> = match directives.get("threads") {
        Some(list) => list.split_whitespace().filter_map(|n| n.parse().ok()).collect(),
        None => vec![1, 2, 3, 4],
    };
    let mut trials = vec![];
    if let Some(n) = named {
        let name = format!("run::{}::static", stem(&path));
        trials.push(Trial::test(name, move || run_test(&path, &[n], false)));
        return trials;
    }
    if !directives.has("static-only") {
        let (path, counts) = (path.clone(), all.clone());
        trials.push(Trial::test(format!("run::{}::dynamic", stem(&path)), move || run_test(&path, &counts, false)));
    }
    if !directives.has("dynamic-only") {
        let counts = static_counts(&stem(&path), &all);
        trials.push(Trial::test(format!("run::{}::static", stem(&path)), move || run_test(&path, &counts, true)));
    }
    trials
}

/// Every static count costs a compilation: the one that the name picks, so that the suite has all of them.
fn static_counts(name: &str, all: &[u32]) -> Vec<u32> {
    if std::env::var_os("FATHOM_TEST_ALL").is_some() || all.is_empty() {
        return all.to_vec();
    }
    let pick = name.bytes().fold(7usize, |h, b| h.wrapping_mul(31).wrapping_add(b as usize)) % all.len();
    vec![all[pick]]
}

fn run_test(path: &Path, counts: &[u32], fixed: bool) -> Result<(), Failed> {
    let directives = Directives::read(path);
    let limit = directives.get("time-limit").and_then(|v| v.parse().ok()).unwrap_or(120);
    for n in counts {
        let mut command = fathom();
        command.current_dir(path.parent().unwrap_or(Path::new("."))).arg("run").args(directives.flags());
        if fixed {
            command.args(["-T", &n.to_string()]);
        }
        command.args(["-n", &n.to_string()]).arg(path.file_name().unwrap_or_default());
        command.args(directives.get("args").unwrap_or("").split_whitespace());
        let outcome = run(command, Duration::from_secs(limit));
        judge(path, &directives, &outcome).map_err(|why| {
            let environment = if fixed { "static" } else { "dynamic" };
            format!("{n} threads, {environment}: {why}\n{}", outcome.transcript())
        })?;
    }
    Ok(())
}

/// A program of several files: compiled once for each environment, static once for each number of threads.
fn multi_trials(dir: PathBuf) -> Vec<Trial> {
    let name = stem(&dir);
    let directives = Directives::read(&dir.join("main.upc"));
    let all: Vec<u32> = match directives.get("threads") {
        Some(list) => list.split_whitespace().filter_map(|n| n.parse().ok()).collect(),
        None => vec![1, 2, 3, 4],
    };
    let mut trials = vec![];
    if !directives.has("static-only") {
        let (dir, counts) = (dir.clone(), all.clone());
        trials.push(Trial::test(format!("run::multi::{name}::dynamic"), move || multi_test(&dir, &counts, false)));
    }
    if !directives.has("dynamic-only") {
        let counts = static_counts(&name, &all);
        trials.push(Trial::test(format!("run::multi::{name}::static"), move || multi_test(&dir, &counts, true)));
    }
    trials
}

fn multi_test(dir: &Path, counts: &[u32], fixed: bool) -> Result<(), Failed> {
    let main = dir.join("main.upc");
    let directives = Directives::read(&main);
    let mut sources = files(dir, "upc");
    sources.extend(files(dir, "c"));
    let scratch = tempfile::tempdir()?;
    let program = scratch.path().join(stem(dir));
    for (at, n) in counts.iter().enumerate() {
        if fixed || at == 0 {
            let mut command = fathom();
            command.current_dir(dir).arg("cc").args(directives.flags());
            if fixed {
                command.args(["-T", &n.to_string()]);
            }
            command.arg("-o").arg(&program).args(sources.iter().filter_map(|s| s.file_name()));
            let outcome = run(command, Duration::from_secs(120));
            if outcome.status != 0 {
                return Err(format!("does not compile\n{}", outcome.transcript()).into());
            }
        }
        let mut command = fathom();
        command.current_dir(dir).args(["run", "-n", &n.to_string()]).arg(&program);
        let outcome = run(command, Duration::from_secs(60));
        judge(&main, &directives, &outcome).map_err(|why| {
            let environment = if fixed { "static" } else { "dynamic" };
            format!("{n} threads, {environment}: {why}\n{}", outcome.transcript())
        })?;
    }
    Ok(())
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
