//! `fathom replay --export-otf2`: archives of OTF2, read back by OTF2's own readers and compared with our reports.
//!
//! Needs the OTF2 library and its Python reader (Debian: libopen-trace-format2-dev, otf2-tools, python3-otf2).
//! FATHOM_TEST_OTF2=required (or CI=true) fails where they are missing.

use crate::support;
use fathom_simulate::program::{At, Outcome as Simulated, Part, Spent};
use fathom_simulate::trace::{what_if, Trace};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::{fathom, root, run, Outcome};

const LIMIT: Duration = Duration::from_secs(240);

fn perform(folder: &Path, args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.current_dir(folder).args(args);
    run(command, LIMIT)
}

/// Reads an archive, checks what must hold in each, and prints what it adds up to.
const READER: &str = r#"
import collections, sys, otf2
from otf2.events import *
sums, lines, counts = collections.Counter(), collections.Counter(), collections.Counter()
stacks, last = collections.defaultdict(list), collections.Counter()
sent, served = collections.defaultdict(list), collections.defaultdict(list)
open_transfers, is_put, holds = collections.defaultdict(set), {}, {}
with otf2.reader.open(sys.argv[1]) as trace:
    assert trace.timer_resolution == 10**12
    for location, e in trace.events:
        t = int(location.name.split()[1])
        now, stack = e.time, stacks[t]
        if stack:
            name, passed = stack[-1].canonical_name, now - last[t]
            if len(stack) == 2:
                sums[t, name] += passed
                lines[name, stack[-1].source_file or "", stack[-1].begin_line_number] += passed
            else:
                assert passed == 0, (location, e, "outside of all regions")
        last[t] = now
        if isinstance(e, Enter):
            stack.append(e.region)
            assert len(stack) <= 2
        elif isinstance(e, Leave):
            assert stack.pop() == e.region
            counts[t, "end"] = now
        elif isinstance(e, (RmaPut, RmaGet)):
            kind = "puts" if isinstance(e, RmaPut) else "gets"
            counts[t, kind] += 1
            counts[t, "bytes"] += e.bytes
            assert (t, e.matching_id) not in is_put
            is_put[t, e.matching_id] = kind == "puts"
            open_transfers[t].add(e.matching_id)
        elif isinstance(e, (RmaOpCompleteBlocking, RmaOpCompleteNonBlocking)):
            open_transfers[t].remove(e.matching_id)
            counts[t, "blocking" if isinstance(e, RmaOpCompleteBlocking) else "nonblocking"] += 1
        elif isinstance(e, RmaAtomic):
            # Its bytes are those of messages.
            counts[t, "atomics"] += 1
            open_transfers[t].add(e.matching_id)
            counts[t, "nonblocking"] -= 1
        elif isinstance(e, (RmaRequestLock, RmaAcquireLock, RmaReleaseLock)):
            lock, kind = (e.remote.rank if hasattr(e.remote, "rank") else str(e.remote), e.lock_id), type(e)
            if kind is RmaAcquireLock:
                assert lock not in holds
                holds[lock] = t
                counts[t, "locks"] += 1
            elif kind is RmaReleaseLock:
                assert holds.pop(lock) == t
        elif isinstance(e, RmaOpCompleteRemote):
            assert is_put[t, e.matching_id] and e.matching_id not in open_transfers[t]
            counts[t, "arrived"] += 1
        elif isinstance(e, MpiSend):
            counts[t, "messages"] += 1
            counts[t, "bytes"] += e.msg_length
            sent[t, e.receiver, e.msg_tag].append((now, e.msg_length))
        elif isinstance(e, MpiRecv):
            served[e.sender, t, e.msg_tag].append((now, e.msg_length))
        elif isinstance(e, RmaCollectiveBegin):
            counts[t, "barriers"] += 1
        elif isinstance(e, RmaCollectiveEnd):
            counts[t, "passed"] += 1
    for key, came in served.items():
        # In their order, none before it was sent; what comes after a thread's end is not served.
        assert len(came) <= len(sent[key])
        for there, here in zip(sent[key], came):
            assert there[1] == here[1] and there[0] <= here[0], (key, there, here)
assert not any(stacks.values()) and not any(open_transfers.values())
for (t, what), n in sorted(counts.items()): print("count", t, what.replace(" ", "_"), n)
for (t, what), n in sorted(sums.items()): print("time", t, what.replace(" ", "_"), n)
for (what, file, line), n in sorted(lines.items()): print("line", what.replace(" ", "_"), line, n, file)
"#;

/// Whether OTF2 can be written and read here; a test without it is skipped, or fails where it is required.
fn has_otf2() -> bool {
    let has =
        |program: &str, args: &[&str]| Command::new(program).args(args).output().is_ok_and(|out| out.status.success());
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|v| v == value);
    let can_write = has("pkg-config", &["otf2"]) || has("otf2-config", &["--version"]);
    if can_write && has(python(), &["-c", "import otf2"]) && has("otf2-print", &["--version"]) {
        return true;
    }
    let missing = "no OTF2 was found (Debian: libopen-trace-format2-dev, otf2-tools, python3-otf2)";
    assert!(!is("FATHOM_TEST_OTF2", "required") && !is("CI", "true"), "{missing}, and its tests are required");
    eprintln!("skipped: {missing}");
    false
}

/// The system's own has the package's module.
fn python() -> &'static str {
    if Path::new("/usr/bin/python3").exists() {
        "/usr/bin/python3"
    } else {
        "python3"
    }
}

type Sums = BTreeMap<(String, String, String), u64>;

/// What the reader says of an archive: counts and times by thread and name; times by name, file and line.
fn read(archive: &Path) -> Sums {
    let script = archive.with_extension("py");
    std::fs::write(&script, READER).unwrap();
    let out = Command::new(python()).arg(&script).arg(archive).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let line = |line: &str| {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        match words[..] {
            ["line", what, number, n, file] => {
                ((format!("line {what}"), file.to_string(), number.to_string()), n.parse().unwrap())
            }
            [kind, t, what, n] => ((kind.to_string(), t.to_string(), what.to_string()), n.parse().unwrap()),
            _ => panic!("{line}"),
        }
    };
    String::from_utf8(out.stdout).unwrap().lines().map(line).collect()
}

/// Records a program, exports it, and compares what OTF2's reader finds with our own replay; how many events of each kind.
fn agrees(name: &str, machine: &str, args: &[&str]) -> BTreeMap<String, u64> {
    let dir = tempfile::tempdir().unwrap();
    let file = root().join(name);
    let mut all = vec!["simulate", "--machine", machine, "--trace", "t"];
    let at = args.iter().position(|arg| *arg == "--").unwrap_or(args.len());
    all.extend(&args[..at]);
    all.push(file.to_str().unwrap());
    all.extend(args.iter().skip(at + 1));
    let ran = perform(dir.path(), &all);
    assert_eq!(ran.status, 0, "{}", ran.transcript());
    let out = perform(dir.path(), &["replay", "t", "--export-otf2", "archive"]);
    assert_eq!(out.status, 0, "{}", out.transcript());
    let trace = Trace::read(&std::fs::read(dir.path().join("t")).unwrap()).unwrap();
    let description = fathom_machine::Description::of_file(&machine_file(machine)).unwrap().unwrap();
    let ours = what_if::replayed(&trace, &description).unwrap();
    let anchor = dir.path().join("archive/traces.otf2");
    compare(&ours, &read(&anchor));
    // Each event that we say there is, for the other reader.
    let printed = Command::new("otf2-print").arg(&anchor).output().unwrap();
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    let is_event = |line: &&str| line.starts_with(|c: char| c.is_ascii_uppercase()) && !line.starts_with("Event ");
    let events = printed.lines().filter(is_event).count();
    assert!(out.stderr.contains(&format!("has {events} events of {} locations", ours.threads.len())), "{}", out.stderr);
    let mut kinds = BTreeMap::new();
    printed.lines().filter(is_event).filter_map(|line| line.split(' ').next()).for_each(|kind| {
        *kinds.entry(kind.to_string()).or_insert(0) += 1;
    });
    kinds
}

fn machine_file(name: &str) -> String {
    std::fs::read_to_string(root().join("machines").join(format!("{name}.toml"))).unwrap()
}

fn compare(ours: &Simulated, theirs: &Sums) {
    let of = |kind: &str, t: usize, what: &str| {
        *theirs.get(&(kind.to_string(), t.to_string(), what.to_string())).unwrap_or(&0)
    };
    for (t, spent) in ours.threads.iter().enumerate() {
        let Spent { puts, gets, messages, bytes, barriers, end, .. } = *spent;
        let counted =
            ["puts", "gets", "messages", "bytes", "barriers", "passed", "end"].map(|what| of("count", t, what));
        assert_eq!(counted, [puts, gets, messages, bytes, barriers, barriers, end], "thread {t}");
        assert_eq!(of("count", t, "blocking") + of("count", t, "nonblocking"), puts + gets, "thread {t}");
        let times = |names: &[&str]| names.iter().map(|name| of("time", t, name)).sum::<u64>();
        for (part, names) in [
            (Part::Work, &["work"][..]),
            (Part::Memory, &["memory"]),
            (Part::Overhead, &["overhead", "serving"]),
            (Part::Transfers, &["waiting_for_transfers"]),
            (Part::Waiting, &["barrier", "waiting_for_others"]),
            (Part::Contention, &["contention"]),
        ] {
            assert_eq!(times(names), spent.part(part), "thread {t}, {part:?}");
        }
    }
    // By line; work stands where the thread communicated next, and in our report where it is counted.
    for line in &ours.lines {
        let At::Line(file, number) = &line.at else { continue };
        let times = |names: &[&str]| {
            let one = |name: &&str| theirs.get(&(format!("line {name}"), file.clone(), number.to_string()));
            names.iter().filter_map(one).map(|n| u128::from(*n)).sum::<u128>()
        };
        assert_eq!(times(&["overhead"]), line.part(Part::Overhead), "{file}:{number}");
        assert_eq!(times(&["waiting_for_transfers"]), line.part(Part::Transfers), "{file}:{number}");
        assert_eq!(times(&["barrier", "waiting_for_others"]), line.part(Part::Waiting), "{file}:{number}");
    }
    assert!(ours.lines.iter().any(|line| matches!(line.at, At::Line(..))));
}

#[test]
fn blocking_transfers_barriers_and_messages_are_exported() {
    if has_otf2() {
        let kinds = agrees("examples/sort.upc", "ib-edr", &["-n", "6", "--", "3000"]);
        assert!(kinds["RMA_OP_COMPLETE_BLOCKING"] > 100, "{kinds:?}");
    }
}

/// Locks and atomic operations: threads serve each other while they work and wait.
#[test]
fn threads_that_serve_each_other_are_exported() {
    if has_otf2() {
        let kinds = agrees("tests/run/lib-atomic-contention.upc", "ib-edr", &["-n", "5"]);
        assert!(kinds["RMA_ATOMIC"] > 100, "{kinds:?}");
        let kinds = agrees("tests/run/lib-locks.upc", "t3d", &["-n", "4"]);
        let taken = kinds["RMA_ACQUIRE_LOCK"];
        // Attempts do not wait, and some locks are freed while they are held.
        assert!(taken > 10 && kinds["RMA_REQUEST_LOCK"] < taken, "{kinds:?}");
        assert!((taken - 4..=taken).contains(&kinds["RMA_RELEASE_LOCK"]), "{kinds:?}");
        agrees("tests/run/lib-collectives-at-random.upc", "slingshot-11", &["-n", "4"]);
    }
}

/// On the T3D long transfers come in pieces, and relaxed puts and gets are waited for later.
#[test]
fn split_phase_transfers_are_exported() {
    if has_otf2() {
        for version in ["get", "put", "bulk"] {
            let args = ["-n", "4", "--", version, "50", "8", "20", "2"];
            let kinds = agrees("examples/em3d/em3d.sc", "t3d", &args);
            assert!(kinds.contains_key("RMA_OP_COMPLETE_NON_BLOCKING") || version == "bulk", "{version}: {kinds:?}");
        }
        agrees(
            "examples/em3d/em3d.sc",
            "t3d",
            &["--work", "accesses", "-n", "2", "--", "simple", "20", "4", "20", "1"],
        );
    }
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let dir =
        support::folder(&[("p.upc", "#include <upc.h>\nint main(void) { upc_barrier; return 0; }\n"), ("full/x", "")]);
    assert_eq!(perform(dir.path(), &["simulate", "--machine", "ib-edr", "-n", "2", "--trace", "t", "p.upc"]).status, 0);
    let refused = perform(dir.path(), &["replay", "t", "--export-otf2", "full"]);
    assert!(refused.status == 1 && refused.stderr.contains("full is not an empty folder"), "{}", refused.transcript());
    let two = ["replay", "t", "--machine", "t3d", "--machine", "ib-edr", "--export-otf2", "x"];
    let refused = perform(dir.path(), &two);
    assert!(refused.status == 1 && refused.stderr.contains("give one --machine"), "{}", refused.transcript());
    let mut command = fathom();
    command.current_dir(dir.path()).args(["replay", "t", "--export-otf2", "x"]);
    // Where OTF2 is not installed: nothing knows it.
    command.env("PKG_CONFIG_LIBDIR", "/nowhere").env("PKG_CONFIG_PATH", "").env("PATH", "/usr/bin:/bin");
    let refused = run(command, LIMIT);
    let is_clear =
        refused.stderr.contains("OTF2 was not found") && refused.stderr.contains("libopen-trace-format2-dev");
    assert!(refused.status == 1 && is_clear, "{}", refused.transcript());
    assert!(!dir.path().join("x").exists());
}
