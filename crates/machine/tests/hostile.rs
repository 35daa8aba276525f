//! Machine files that are wrong, in all ways that one mistake can be: each gives a machine or one error, never a panic, and
//! never takes the memory or the day. Arithmetic that overflows is a panic here.

use fathom_machine::network::near::Near;
use fathom_machine::{machine, network, Access, Description};
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Asks the machine for everything once.
fn perform(machine_file: &str) -> Result<(), String> {
    let Some(described) = Description::of_file(machine_file)? else { return Ok(()) };
    described.seen()?;
    if !described.near.is_empty() {
        Near::new(&described, 2)?.transfer(0, 0, true, 1 << 32);
    }
    if described.network.is_some() {
        let mut network = network::build(&described)?;
        let (last, mut now) = (network.nodes() - 1, 0);
        for bytes in [0, 1, 8, 4096, 1 << 32] {
            let there = network.carry(now, 0, last, bytes).tail;
            now = network.carry_back(there, last, 0, bytes).tail;
            network.steps(0, last, bytes);
        }
    }
    if described.check_node().is_ok() {
        let mut machine = machine::<()>(&described, 2)?;
        let mut now = 0;
        for i in 0..200 {
            let at = i * 37 * 8;
            let access = if i % 3 == 0 { Access::store(at, 8, ()) } else { Access::load(at, 8) };
            now = machine.nodes[(i % 2) as usize].memory.access(now, &access).done.max(now);
        }
        now = machine.nodes[0].memory.drain(now);
        machine.settle(now);
    }
    Ok(())
}

/// The texts of the machine files that can be simulated, and their names.
fn machine_files() -> Vec<(String, String)> {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../machines")).unwrap();
    let mut all: Vec<(String, String)> = files
        .map(|file| file.unwrap().path())
        .map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap()))
        .filter(|(_, text)| text.contains("[simulated]"))
        .collect();
    all.sort();
    assert!(all.len() >= 9, "{}", all.len());
    all
}

/// Fails with the names of the mutations that panic.
fn none_panics(mutations: impl Iterator<Item = (String, String)>) {
    let (mut panics, mut mistakes, mut number) = (vec![], 0, 0);
    for (what, text) in mutations {
        number += 1;
        match catch_unwind(AssertUnwindSafe(|| perform(&text))) {
            Ok(Ok(())) => {}
            Ok(Err(why)) => {
                mistakes += 1;
                assert!(why.trim().len() > 10, "{what}: {why}");
            }
            Err(_) => panics.push(what),
        }
    }
    assert!(panics.is_empty(), "{} of {number} panic:\n{}", panics.len(), panics.join("\n"));
    assert!(mistakes > number / 4, "only {mistakes} of {number} are seen");
}

const VALUES: [&str; 20] = [
    "0",
    "-1",
    "1e30",
    "nan",
    "4294967295",
    "true",
    "\"x\"",
    "\"0 ns\"",
    "\"1000 s\"",
    "\"20000000 s\"",
    "\"3 B\"",
    "\"1000000 GB\"",
    "\"0 MB/s\"",
    "\"0.00000000000001 B/s\"",
    "\"100000000000000000000000 GB/s\"",
    "\"0 MHz\"",
    "\"1000000 s / (1 B)\"",
    "\"1 x 1\"",
    "\"65536 x 65536\"",
    "\"65535 x 65535 x 65535\"",
];

#[test]
fn no_value_of_a_figure_is_a_panic() {
    let files = machine_files();
    let mut mutations = vec![];
    for (name, text) in &files {
        for (at, key) in text.match_indices("{ value = ") {
            let begin = at + key.len();
            let is_text = text[begin..].starts_with('"');
            let length = text[begin + 1..].find(if is_text { ['"', '"'] } else { [',', ' '] }).unwrap();
            let end = begin + 1 + length + usize::from(is_text);
            let line = text[..at].matches('\n').count() + 1;
            mutations.extend(VALUES.map(|value| (format!("{name}:{line}: {value}"), text, begin..end, value)));
        }
    }
    // An assumed figure needs a range that holds its value; here the value is what is tried.
    let without_ranges =
        |text: String| text.replace("assumed = ", "other = ").replace(", range = [", ", seen = [] } # [");
    none_panics(mutations.into_iter().map(|(what, text, place, value)| {
        let text = format!("{}{value}{}", &text[..place.start], &text[place.end..]);
        (what, without_ranges(text))
    }));
}

#[test]
fn no_line_that_is_missing_or_damaged_is_a_panic() {
    let mut mutations = vec![];
    let mut seed = 1u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for (name, text) in machine_files() {
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            let mut left: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
            left.remove(at);
            mutations.push((format!("{name}:{}: left out", at + 1), left.join("\n")));
            let other = random(lines.len());
            left.insert(at, lines[other].into());
            mutations.push((format!("{name}:{}: as line {}", at + 1, other + 1), left.join("\n")));
            let mut bytes: Vec<u8> = lines[at].bytes().collect();
            if !bytes.is_empty() {
                let where_to = random(bytes.len());
                bytes[where_to] = b"0.-x\"{}[]=(9e"[random(13)];
                left[at] = String::from_utf8_lossy(&bytes).into_owned();
                mutations.push((format!("{name}:{}: {}", at + 1, left[at]), left.join("\n")));
            }
        }
    }
    none_panics(mutations.into_iter());
}

const NETWORK: &str = r#"
    [simulated]
    about = "a test"
    [simulated.network]
    kind = "loggp"
    ports = { value = 4, other = "a test" }
    L = { value = "5 us", assumed = "a test", range = ["1 us", "9 us"] }
    g = { value = "1 us", other = "a test" }
    G = { value = "1 ns / (1 B)", other = "a test" }
"#;

#[test]
fn mistakes_are_named() {
    assert_eq!(perform(NETWORK), Ok(()));
    for (right, wrong, why) in [
        ("\"1 us\", other", "\"2000 s\", other", "`network.g` must be a time from 0 to 1,000 s"),
        ("\"1 us\", other", "\"1 GB/s\", other", "`network.g` must be a time, not a rate"),
        ("value = 4", "value = nan", "`network.ports` must be a number from 0"),
        ("\"9 us\"]", "\"9 MB\"]", "`network.L` is a time, and its range a size in bytes"),
        (
            "[\"1 us\", \"9 us\"]",
            "[\"9 us\", \"1 us\"]",
            "`network.L` is not within its range, which is [least, greatest]",
        ),
        ("[\"1 us\"", "[\"6 us\"", "`network.L` is not within its range"),
        ("[\"1 us\"", "[\"1 parsec\"", "`parsec` is not a unit"),
    ] {
        let said = perform(&NETWORK.replacen(right, wrong, 1)).unwrap_err();
        assert!(said.contains(why), "{wrong}: {said}");
    }
}

#[test]
fn figures_that_follow_from_each_other_without_end_are_an_error() {
    let chain = |number: usize, formula: &dyn Fn(usize) -> String| {
        let figures = (0..number).map(|n| format!("f{n} = {{ value = \"{}\", derived = \"a test\" }}\n", formula(n)));
        format!("{NETWORK}{}f{number} = {{ value = \"1 ns\", other = \"a test\" }}\n", figures.collect::<String>())
    };
    let deep = chain(100_000, &|n| format!("network.f{}", n + 1));
    let wide = chain(30, &|n| ["network.f"; 10].map(|f| format!("{f}{}", n + 1)).join(" + "));
    for text in [deep, wide] {
        let described = Description::of_file(&text).unwrap().unwrap();
        let said = described.quantity("network.f0").unwrap_err();
        assert!(said.contains("too many figures are derived from each other"), "{said}");
    }
}

#[test]
fn what_threads_of_a_node_share_can_be_set() {
    let near = r#"
        [simulated.near]
        nics = { value = 1, other = "a test" }
    "#;
    let described = Description::of_file(&format!("{NETWORK}{near}")).unwrap().unwrap();
    let set = described.with_value("near.nics", "4").unwrap();
    assert_eq!(set.quantity("near.nics").unwrap().value, 4.0);
}
