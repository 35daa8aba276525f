//! The arrows of ARCHITECTURE.md, read from the Cargo manifests and the runtime's includes.

use crate::support;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use support::root;

/// What each crate may depend on, of ours. A crate that is not here may depend on none.
const CRATES: &[(&str, &[&str])] = &[
    ("syntax", &[]),
    ("sema", &["syntax"]),
    ("lower", &["syntax", "sema", "explain"]),
    ("emit", &["syntax", "sema", "lower"]),
    ("toolchain", &["syntax", "sema", "lower", "emit"]),
    ("model", &[]),
    ("profile", &["model"]),
    ("tune", &["model", "profile"]),
    ("probe", &["model", "profile", "report"]),
    ("report", &[]),
    ("machine", &[]),
    ("simulate", &["machine", "model", "probe", "profile"]),
    ("explain", &[]),
    ("broker", &[]),
    ("queue", &[]), // the message queues for Rust: a library of its own
    (
        "fathom",
        &[
            "broker",
            "syntax",
            "sema",
            "lower",
            "emit",
            "toolchain",
            "model",
            "profile",
            "tune",
            "probe",
            "report",
            "explain",
            "machine",
            "simulate",
        ],
    ),
];

#[test]
fn crates_depend_in_one_direction() {
    let name = Regex::new(r"^fathom-(\w+)(\.workspace)?\s*=").expect("a regex");
    let mut seen = 0;
    for entry in std::fs::read_dir(root().join("crates")).expect("crates/").flatten() {
        let manifest = entry.path().join("Cargo.toml");
        let Ok(text) = std::fs::read_to_string(&manifest) else {
            continue;
        };
        let own = entry.file_name().to_string_lossy().into_owned();
        let allowed = CRATES.iter().find(|(n, _)| *n == own).map_or(&[][..], |(_, list)| list);
        let mut section = "";
        for line in text.lines() {
            if line.starts_with('[') {
                section = line;
            }
            // What only tests use (dev-dependencies) draws no arrow.
            let Some(found) = name.captures(line).filter(|_| section == "[dependencies]") else {
                continue;
            };
            seen += 1;
            assert!(allowed.contains(&&found[1]), "{own} must not depend on {}", &found[1]);
        }
    }
    assert!(seen >= 8, "the manifests were not understood: {seen} arrows");
}

/// What is decided is not printed: the plan knows no generated code, and what writes it comes after.
#[test]
fn the_plan_writes_nothing() {
    let mut seen = 0;
    for entry in std::fs::read_dir(root().join("crates/lower/src/plan")).expect("the folder").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("readable");
        for word in ["crate::write", "crate::code", "code!["] {
            assert!(!text.contains(word), "{} mentions {word}", entry.path().display());
        }
        seen += 1;
    }
    assert!(seen >= 8, "the plan was not found: {seen} files");
}

/// The text of a source without comments and without tests.
fn code(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The modules of a crate, by their paths (`memory::walk`; the crate's own is empty), without those of tests.
fn modules(source: &Path) -> BTreeMap<Vec<String>, String> {
    let mut files = BTreeMap::new();
    collect(source, source, &mut files);
    let path = |file: &str| {
        let mut path: Vec<String> = file.trim_end_matches(".rs").split('/').map(Into::into).collect();
        path.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
        path
    };
    let is_of_tests = |file: &str| ["tests.rs", "synthetic.rs"].iter().any(|name| file.ends_with(name));
    let of_code = files.iter().filter(|(file, _)| !is_of_tests(file));
    of_code.map(|(file, text)| (path(file), code(text))).collect()
}

/// The paths that a tree of `use` names: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expanded(tree: &str) -> Vec<String> {
    let Some((before, rest)) = tree.split_once('{') else { return vec![tree.trim().to_string()] };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in inside.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            c => parts.last_mut().expect("a part").push(c),
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| expanded(&format!("{}{}", before.trim(), part.trim()))).collect()
}

/// The modules that each module names, but for the crate's own, which names all and is named for what it re-exports.
fn arrows(modules: &BTreeMap<Vec<String>, String>) -> BTreeMap<&Vec<String>, BTreeSet<&Vec<String>>> {
    let used = Regex::new(r"(?s)\buse ([^;]+);").expect("a regex");
    let named = Regex::new(r"\b(?:crate|super|self)(?:::\w+)+").expect("a regex");
    let own = modules.get(&vec![]).map_or("", String::as_str);
    let exported: BTreeMap<String, Vec<String>> = (used.captures_iter(own).flat_map(|c| expanded(&c[1])))
        .filter_map(|path| path.split_once("::").map(|(module, item)| (item.to_string(), vec![module.to_string()])))
        .collect();
    let resolved = |from: &[String], path: &str| -> Option<&Vec<String>> {
        let words: Vec<&str> = path.split("::").map(str::trim).collect();
        let (mut at, rest) = match words[0] {
            "crate" => (vec![], &words[1..]),
            "self" => (from.to_vec(), &words[1..]),
            _ => (from.to_vec(), &words[..]),
        };
        for word in rest {
            if *word == "super" {
                at.pop();
                continue;
            }
            at.push((*word).into());
            if !modules.contains_key(&at) {
                at.pop();
                // An item of this module; of the crate's own, one that it re-exports.
                at = exported.get(*word).filter(|_| at.is_empty()).cloned().unwrap_or(at);
                break;
            }
        }
        modules.get_key_value(&at).map(|found| found.0)
    };
    let arrows = modules.iter().filter(|(from, _)| !from.is_empty()).map(|(from, text)| {
        let of_use = used.captures_iter(text).flat_map(|c| expanded(&c[1]));
        let elsewhere = used.replace_all(text, "").into_owned();
        let paths: Vec<String> = of_use.chain(named.find_iter(&elsewhere).map(|m| m.as_str().to_string())).collect();
        let beside = modules.keys().filter(|m| m.len() == from.len() + 1 && m.starts_with(from));
        let called = beside.filter(|m| elsewhere.contains(&format!("{}::", m[from.len()])));
        let to = paths.iter().filter_map(|path| resolved(from, path)).chain(called);
        (from, to.filter(|to| *to != from && !to.is_empty()).collect())
    });
    arrows.collect()
}

/// A module that reaches itself, if there is one.
fn circle<'a>(arrows: &BTreeMap<&'a Vec<String>, BTreeSet<&'a Vec<String>>>) -> Option<&'a Vec<String>> {
    arrows.keys().copied().find(|start| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![*start]);
        while let Some(module) = next.pop() {
            next.extend(arrows.get(module).into_iter().flatten().filter(|to| seen.insert(**to)));
        }
        seen.contains(start)
    })
}

#[test]
fn modules_of_a_crate_form_no_circle() {
    for (name, least) in [("probe", 100), ("profile", 5), ("tune", 1)] {
        let modules = modules(&root().join("crates").join(name).join("src"));
        let arrows = arrows(&modules);
        let count: usize = arrows.values().map(BTreeSet::len).sum();
        assert!(count >= least, "the sources of {name} were not understood: {count} arrows");
        assert_eq!(circle(&arrows), None, "a circle in {name}");
    }
    let of = |to: &str| vec![to.to_string()];
    let both = [(of("a"), "use crate::b::{C, d};".to_string()), (of("b"), "fn f() { super::a::g(); }".to_string())];
    assert!(circle(&arrows(&BTreeMap::from(both))).is_some(), "a circle is found");
}

/// A probe sees a machine through a `Runner` alone: else it could not measure one that is no host. These files are of
/// the computer that this runs on, and of time that passes while nothing is measured.
const OF_THIS_COMPUTER: &[&str] = &["computer/", "host.rs", "runner.rs", "session.rs", "cycle.rs", "measure.rs"];

#[test]
fn areas_and_inferences_see_no_computer_but_the_one_that_is_measured() {
    let source = root().join("crates/probe/src");
    let mut files = BTreeMap::new();
    collect(&source, &source, &mut files);
    for (file, text) in files.iter().filter(|(file, _)| !OF_THIS_COMPUTER.iter().any(|of| file.starts_with(of))) {
        for word in ["std::fs", "std::arch", "std::env", "libc::", "Instant::now", "thread::sleep", "computer::"] {
            assert!(!code(text).contains(word), "{file} must not know `{word}`");
        }
    }
    assert!(files.len() > 50, "the sources were not found");
}

/// Which rooms of the runtime each may include from. `include` is what everybody stands on; `lang/prelude.h`,
/// `calls.h` and `unit.h` are shared with generated code and belong to every room.
const ROOMS: &[(&str, &[&str])] = &[
    ("lang", &["lang", "gas", "queues", "include"]),
    ("queues", &["queues", "msg", "core", "conduit", "include"]),
    ("gas", &["gas", "core", "conduit", "include"]),
    ("core", &["core", "conduit", "include"]),
    ("conduit", &["conduit", "core", "include"]),
    ("include", &["include", "lang"]),
    ("msg", &["msg", "include"]),             // a library of its own
    ("probe", &["probe", "include", "lang"]), // a program
    ("otf2", &["otf2"]),                      // another
];
const SHARED_WITH_GENERATED_CODE: &[&str] = &[
    "lang/prelude.h",
    "lang/copy.h",
    "lang/calls.h",
    "lang/unit.h",
    "lang/forall.h",
    "lang/computes.h",
    "lang/strip.h",
    "lang/kept.h",
    "lang/update.h",
    "lang/ahead.h",
    "lang/batch.h",
    "lang/fetch.h",
    "lang/together.h",
];

#[test]
fn rooms_of_the_runtime_include_in_one_direction() {
    let runtime = root().join("runtime");
    let mut files = BTreeMap::new();
    collect(&runtime, &runtime, &mut files);
    let include = Regex::new(r#"(?m)^\s*#\s*include\s+["<]([^">]+)[">]"#).expect("a regex");
    let mut arrows = BTreeSet::new();
    for (path, text) in &files {
        let room = path.split('/').next().unwrap_or("");
        let Some((_, allowed)) = ROOMS.iter().find(|(r, _)| *r == room) else {
            continue;
        };
        for c in include.captures_iter(text) {
            let beside = Path::new(path).parent().unwrap_or(Path::new("")).join(&c[1]).display().to_string();
            let candidates = [beside, c[1].to_string(), format!("include/{}", &c[1]), format!("lang/{}", &c[1])];
            let Some(target) = candidates.iter().find(|t| files.contains_key(*t)) else {
                continue;
            };
            if SHARED_WITH_GENERATED_CODE.contains(&target.as_str()) {
                continue;
            }
            let to = target.split('/').next().unwrap_or("").to_string();
            assert!(allowed.contains(&to.as_str()), "{path} must not include {target}: {room} may include {allowed:?}");
            if to != room {
                arrows.insert((room.to_string(), to));
            }
        }
    }
    assert!(arrows.len() >= 3, "the includes were not understood: {arrows:?}");
}

fn collect(root: &Path, dir: &Path, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(dir).expect("the runtime's folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if path.extension().is_some_and(|e| e == "c" || e == "h" || e == "rs") {
            let name = path.strip_prefix(root).expect("below").display().to_string();
            files.insert(name, String::from_utf8_lossy(&std::fs::read(&path).expect("readable")).into_owned());
        }
    }
}

/// The value of `#define NAME value` or of `NAME = value` in an enumeration, a decimal number.
fn defined(file: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(root().join(file)).expect(file);
    let value = Regex::new(&format!(r"(?m)(?:#define {name}|\b{name} =) +(\d+)")).expect("a regex");
    let found = value.captures(&text).unwrap_or_else(|| panic!("{file} does not define {name}"));
    found[1].parse().expect("a number")
}

/// Numbers that stand both in Rust and in C.
#[test]
fn the_front_end_and_the_runtime_agree_on_numbers() {
    use fathom_sema::segments::*;
    let bits = defined("runtime/lang/prelude.h", "FATHOM_SEG_BITS");
    let first = defined("runtime/lang/prelude.h", "FATHOM_FIRST");
    assert_eq!((SEGMENT_BITS as u64, FIRST_SEGMENT), (bits, first));
    let explained = (fathom_explain::file::SEGMENT_BITS as u64, fathom_explain::file::FIRST_SEGMENT as u64);
    assert_eq!(explained, (bits, first));
    assert_eq!(MAX_BLOCK_SIZE, defined("runtime/include/fathom_predefined.h", "UPC_MAX_BLOCK_SIZE"));
    assert_eq!(LINE_BYTES, defined("runtime/core/tuning.h", "CORE_LINE"));
    // Near segments end where the address space of x86-64 does.
    let near = defined("runtime/conduit/conduit.h", "CONDUIT_MAX_NEAR");
    assert_eq!((first + near) << bits, 1 << 47);
    let guide = std::fs::read_to_string(root().join("docs/guide.md")).expect("the guide");
    let limits = format!("{} GiB for each thread, {near} threads on one computer", SEGMENT_BYTES >> 30);
    assert!(guide.contains(&limits), "docs/guide.md does not say: {limits}");
}

/// `checks/` of `sema` finds errors; types are computed elsewhere. So its functions give an answer or nothing, no type.
#[test]
fn checks_compute_no_types() {
    let result = Regex::new(r"fn (\w+)[^{;]*?\) -> ([^{]+) \{").expect("a regex");
    let makes = Regex::new(r"\.(intern|with_quals|map_quals|set_ty|convert)\(|expr_ty\[[^]]*\] =").expect("a regex");
    let mut seen = 0;
    for file in std::fs::read_dir(root().join("crates/sema/src/checks")).expect("checks/").flatten() {
        let (name, text) = (file.file_name(), std::fs::read_to_string(file.path()).expect("a source"));
        for f in result.captures_iter(&text) {
            seen += 1;
            assert!(!f[2].contains("Ty") && !f[2].contains("Block"), "{name:?}: {} gives {}", &f[1], &f[2]);
        }
        if let Some(made) = makes.find(&text) {
            panic!("{name:?} computes a type: {}", made.as_str());
        }
    }
    assert!(seen >= 8, "{seen} functions with a result");
}

/// What is special about a conduit stands in its description (`runtime/conduit/NAME/conduit.toml`).
#[test]
fn no_code_depends_on_the_name_of_a_conduit() {
    let name = Regex::new(r#""(mpi|template)""#).expect("a regex");
    let mut seen = 0;
    for of in ["toolchain", "lower", "emit", "fathom"] {
        let mut folders = vec![root().join("crates").join(of).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a crate's sources").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).expect("readable");
                let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
                seen += 1;
                for line in code.lines().filter(|l| !l.trim_start().starts_with("//")) {
                    assert!(!name.is_match(line), "{}: {line}", path.display());
                }
            }
        }
    }
    assert!(seen >= 40, "the sources were not found: {seen}");
}

/// Where a crate's tests are one program, a file that nobody names would never run.
#[test]
fn each_file_of_tests_is_in_a_program() {
    let (name, part) = (Regex::new(r#"(?m)^name = "(\w+)""#).unwrap(), Regex::new(r"(?m)^mod (\w+);").unwrap());
    let mut seen = 0;
    for entry in std::fs::read_dir(root().join("crates")).expect("crates/").flatten() {
        let manifest = std::fs::read_to_string(entry.path().join("Cargo.toml")).unwrap_or_default();
        if !manifest.contains("autotests = false") {
            continue;
        }
        let all = std::fs::read_to_string(entry.path().join("tests/all.rs")).expect("all.rs");
        let tests = manifest.split("[[test]]").skip(1).collect::<String>();
        let named: BTreeSet<&str> =
            name.captures_iter(&tests).chain(part.captures_iter(&all)).map(|c| c.get(1).unwrap().as_str()).collect();
        for file in std::fs::read_dir(entry.path().join("tests")).expect("tests/").flatten() {
            let path = file.path();
            let is_program = path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").exists();
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            seen += usize::from(is_program);
            assert!(!is_program || named.contains(&*stem), "{}: no program has it; name it in all.rs", path.display());
        }
    }
    assert!(seen >= 60, "the tests were not found: {seen}");
}

/// `cargo test` leaves out what takes long; CI has a part that leaves out nothing.
#[test]
fn ci_tests_all_crates_and_has_a_wide_part() {
    let script = std::fs::read_to_string(root().join(".ci/run")).expect("CI's script");
    for line in [
        "cargo test --workspace --locked --no-fail-fast",
        "FATHOM_TEST_WIDE=1 cargo test --workspace --locked --no-fail-fast",
    ] {
        assert!(script.lines().any(|l| l.trim() == line), "no `{line}` in .ci/run");
    }
}
