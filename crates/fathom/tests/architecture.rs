//! The arrows of ARCHITECTURE.md, read from the Cargo manifests and the runtime's includes.

mod support;

use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use support::root;

/// What each crate may depend on, of ours. A crate that is not here may depend on none.
const CRATES: &[(&str, &[&str])] = &[
    ("syntax", &[]),
    ("sema", &["syntax"]),
    ("lower", &["syntax", "sema"]),
    ("emit", &["syntax", "sema", "lower"]),
    ("toolchain", &["syntax", "sema", "lower", "emit"]),
    ("model", &[]),
    ("profile", &["model"]),
    ("probe", &["model", "profile", "report"]),
    ("report", &[]),
    ("explain", &[]),
    ("fathom", &["syntax", "sema", "lower", "emit", "toolchain", "model", "profile", "probe", "report", "explain"]),
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

/// Which rooms of the runtime each may include from. `include` is what everybody stands on; `lang/prelude.h`,
/// `calls.h` and `unit.h` are shared with generated code and belong to every room.
const ROOMS: &[(&str, &[&str])] = &[
    ("lang", &["lang", "gas", "include"]),
    ("gas", &["gas", "core", "conduit", "include"]),
    ("core", &["core", "conduit", "include"]),
    ("conduit", &["conduit", "core", "include"]),
    ("include", &["include", "lang"]),
    ("probe", &["probe", "include", "lang"]), // a program
];
const SHARED_WITH_GENERATED_CODE: &[&str] =
    &["lang/prelude.h", "lang/copy.h", "lang/calls.h", "lang/unit.h", "lang/forall.h"];

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
        } else if path.extension().is_some_and(|e| e == "c" || e == "h") {
            let name = path.strip_prefix(root).expect("below").display().to_string();
            files.insert(name, String::from_utf8_lossy(&std::fs::read(&path).expect("readable")).into_owned());
        }
    }
}
