//! `fathom probe` as its users type it, and the prober behind it. Nothing here asserts a time: the computer may be busy.

use crate::support;
use fathom_probe::area::AREAS;
use fathom_probe::host::{Host, Launch};
use fathom_probe::measure::{self, Plan};
use fathom_probe::{Effort, Failure, Kernel, Runner, Samples, Stimulus};
use fathom_profile::Profile;
use fathom_toolchain::probe::Prober;
use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};
use support::{fathom, run, Outcome};

/// For a command that measures next to nothing, on a computer that has much else to do.
const LIMIT: Duration = Duration::from_secs(240);

fn probe_in(dir: &std::path::Path, args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.current_dir(dir).arg("probe").args(args);
    run(command, LIMIT)
}

fn probe(args: &[&str]) -> Outcome {
    probe_in(&std::env::temp_dir(), args)
}

/// The prober for smp, in the cache that all tests share.
fn prober() -> Prober {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| std::env::set_var("FATHOM_CACHE", support::cache()));
    Prober::find(Some("smp")).unwrap()
}

fn host(threads: usize) -> Host {
    let (command, env) = prober().command(threads, &[]).unwrap();
    let launch = Launch { command: command.words, env, threads, guard: |_| Box::new(()) };
    Host::start(launch).unwrap().with_grace(Duration::from_secs(60))
}

fn clock(host: &mut Host) -> Result<Samples, Failure> {
    host.run(&Stimulus::new(Kernel::Clock).with("sample_us", 50), 5, Duration::from_millis(200))
}

/// The processes of this test's own that are probers with a mark in their environment.
fn marked(mark: &str) -> Vec<i32> {
    support::marked(mark)
}

// ---- the command -----------------------------------------------------------------------------------------------------

/// A network with a step of latency: its figures in ns.
const NETWORK: &str = r#"
name = "a network with a step"
[simulated]
about = "a test's"
[simulated.network]
kind = "loggp"
ports = { value = 4, assumed = "a test", range = [2, 4] }
L = { value = "5 us", other = "a test" }
o_send = { value = "1 us", other = "a test" }
o_recv = { value = "2 us", other = "a test" }
g = { value = "3 us", other = "a test" }
G = { value = "1 ns / 1 B", other = "a test" }
from_2 = { value = "64 KB", other = "a test" }
L_2 = { value = "40 us", other = "a test" }
"#;
/// What it has besides where processors answer puts and gets.
const SERVE: &str = "serve = { value = \"30 us\", other = \"a test\" }\n";
/// And where puts and gets that are under way together cost less than messages.
const STREAMS: &str = r#"
o_put = { value = "200 ns", other = "a test" }
g_put = { value = "400 ns", other = "a test" }
o_get = { value = "1 us", other = "a test" }
g_get = { value = "1500 ns", other = "a test" }
o_relaxed = { value = "300 ns", other = "a test" }
g_relaxed = { value = "5 us", other = "a test" }
"#;

/// The prober on a simulated network finds the network's figures, and the file made of them gives its times. A look at
/// messages takes 100 ns there, so that what was waited for is known no better.
#[test]
fn a_simulated_network_comes_back_as_a_machine_file() {
    let text = comes_back(NETWORK, 0.0);
    // Puts that are under way together are as many messages there.
    figures_are(&text, &[("g_put", 3e6, 200e3)]);
}

#[test]
fn a_simulated_network_whose_processors_answer_comes_back_as_a_machine_file() {
    comes_back(&format!("{NETWORK}{SERVE}"), 30e6);
}

/// Are the figures of the network, in picoseconds, as they should be, but for so much?
fn figures_are(text: &str, should: &[(&str, f64, f64)]) {
    let found = fathom_machine::Description::of_file(text).unwrap().unwrap();
    for &(name, should, grain) in should {
        let is = found.quantity(&format!("network.{name}")).unwrap().value;
        assert!((is - should).abs() <= grain, "{name}: {is} instead of {should}\n{text}");
    }
}

#[test]
fn a_simulated_network_with_streams_of_puts_and_gets_comes_back_as_a_machine_file() {
    let text = comes_back(&format!("{NETWORK}{STREAMS}"), 0.0);
    // In picoseconds. An overhead that is shorter than the interval of a put, here 400 ns and 8 bytes, cannot be told.
    let should = [
        ("o_put", 407e3, 100e3),
        ("g_put", 400e3, 100e3),
        ("o_get", 1000e3, 200e3),
        ("g_get", 1500e3, 100e3),
        ("g_relaxed", 5000e3, 100e3),
    ];
    figures_are(&text, &should);
}

#[test]
fn what_a_stream_sends_the_other_way_comes_back_in_a_machine_file() {
    const BACK: &str = "back_put = { value = \"250 ns\", other = \"a test\" }\n\
                        back_get = { value = \"900 ns\", other = \"a test\" }\n\
                        back_relaxed = { value = \"2 us\", other = \"a test\" }\n";
    let text = comes_back(&format!("{NETWORK}{STREAMS}{BACK}"), 0.0);
    // In picoseconds. Words of 8 bytes take 7 ns more than a gap.
    let should = [
        ("g_put", 400e3, 100e3),
        ("g_get", 1500e3, 100e3),
        ("g_relaxed", 5000e3, 100e3),
        ("back_put", 250e3, 60e3),
        ("back_get", 900e3, 100e3),
        ("back_relaxed", 2000e3, 100e3),
    ];
    figures_are(&text, &should);
}

/// Threads that go on late by 5 us in the mean on a network whose messages take 8 us, or by 60 us of 300: the lateness comes
/// back as a figure of its own, and the latency does not have it.
#[test]
fn threads_that_go_on_late_at_random_come_back_in_a_machine_file() {
    for (late, latency, grain) in [(5.0, 5.0, 0.15), (60.0, 300.0, 0.06)] {
        let network = NETWORK
            .replace(
                "[simulated.network]\n",
                &format!("[simulated.network]\nlate = {{ value = \"{late} us\", other = \"a test\" }}\n"),
            )
            .replace("\"5 us\", other", &format!("\"{latency} us\", other"));
        let text = written(&network, &[]);
        let found = fathom_machine::Description::of_file(&text).unwrap().unwrap();
        let of = |name: &str| found.quantity(&format!("network.{name}")).unwrap().value / 1e6;
        let is = of("late");
        assert!((is / late - 1.0).abs() < 0.25, "late: {is} us instead of {late}\n{text}");
        let [low, high] = found.figures().find(|(name, _)| name == "network.late").unwrap().1.range.clone().unwrap();
        let is = of("L");
        assert!((is / latency - 1.0).abs() < grain, "L: {is} us instead of {latency}, late {low:?} {high:?}\n{text}");
    }
}

/// A gap that is longer than a round trip: one trip, put or get after the other would wait for it, and hide the latency and how
/// late threads are.
#[test]
fn a_gap_longer_than_a_round_trip_hides_neither_latency_nor_lateness() {
    let late = "[simulated.network]\nlate = { value = \"2 us\", other = \"a test\" }\n";
    let network = NETWORK.replace("[simulated.network]\n", late).replace("\"3 us\", other", "\"60 us\", other");
    let text = written(&network, &[]);
    let found = fathom_machine::Description::of_file(&text).unwrap().unwrap();
    let of = |name: &str| found.quantity(&format!("network.{name}")).map_or(0.0, |figure| figure.value / 1e6);
    for (name, should, grain) in [("late", 2.0, 0.25), ("L", 5.0, 0.2), ("g", 60.0, 0.02), ("o_recv", 2.0, 0.1)] {
        assert!((of(name) / should - 1.0).abs() < grain, "{name}: {} us instead of {should}\n{text}", of(name));
    }
}

/// Nobody is late, or by too little to be told: the file has no such figure, and says why.
#[test]
fn a_lateness_that_cannot_be_told_is_no_figure_of_a_machine_file() {
    let text = written(NETWORK, &[]);
    assert!(!text.contains("\nlate = ") && text.contains("# No `late`: "), "{text}");
    let little = NETWORK
        .replace("[simulated.network]\n", "[simulated.network]\nlate = { value = \"500 ns\", other = \"a test\" }\n")
        .replace("\"5 us\", other", "\"300 us\", other");
    let text = written(&little, &[]);
    assert!(!text.contains("\nlate = "), "{text}");
    assert!(text.contains("# No `late`: a thread that has waited goes on "), "{text}");
    assert!(text.contains("less than 0.5 % of a message's way"), "{text}");
}

/// The machine file that a quick probe of the network writes.
fn written(network: &str, more: &[&str]) -> String {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("truth.toml"), network).unwrap();
    let args = ["--machine", "truth.toml", "--quick", "--only", "communication", "--as-machine", "mine.toml"];
    let outcome = probe_in(dir.path(), &[&args[..], more].concat());
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    std::fs::read_to_string(dir.path().join("mine.toml")).unwrap()
}

/// The machine file that was written.
fn comes_back(network: &str, serve: f64) -> String {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("truth.toml"), network).unwrap();
    let args = ["--machine", "truth.toml", "--quick", "--only", "communication", "--as-machine", "mine.toml"];
    let outcome = probe_in(dir.path(), &[&args[..], &["--ports", "64"]].concat());
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let text = std::fs::read_to_string(dir.path().join("mine.toml")).unwrap();
    let found = fathom_machine::Description::of_file(&text).unwrap().unwrap();
    let truth = fathom_machine::Description::of_file(network).unwrap().unwrap();
    let of = |d: &fathom_machine::Description, name: &str| d.quantity(&format!("network.{name}")).unwrap().value;
    // In picoseconds, and picoseconds a byte.
    for (name, grain) in [("o_send", 200e3), ("o_recv", 200e3), ("g", 200e3), ("L", 200e3), ("L_2", 500e3), ("G", 20.0)]
    {
        let (is, should) = (of(&found, name), of(&truth, name));
        assert!((is - should).abs() <= grain, "{name}: {is} instead of {should}\n{text}");
    }
    let answers = found.quantity("network.serve").map_or(0.0, |q| q.value);
    assert!((answers - serve).abs() <= 500e3, "serve: {answers} instead of {serve}\n{text}");
    let step = of(&found, "from_2");
    assert!((16384.0..=65536.0).contains(&step), "{text}");
    assert_eq!(of(&found, "ports"), 64.0);
    // Each figure but the number asked for says when and where it was measured.
    assert!(found.figures().all(|(name, f)| name == "network.ports" || f.measured.is_some()), "{text}");

    // From the finished profile the same, with costs of operations.
    let costs: String = fathom_machine::description::WORK.iter().map(|class| format!("{class}_ns = 0.5\n")).collect();
    std::fs::write(dir.path().join("costs.toml"), format!("[work]\n{costs}")).unwrap();
    let args = ["--from", "profile.toml", "--as-machine", "again.toml", "--ports", "64", "--costs", "costs.toml"];
    let outcome = probe_in(dir.path(), &args);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let again = std::fs::read_to_string(dir.path().join("again.toml")).unwrap();
    let again = fathom_machine::Description::of_file(&again).unwrap().unwrap();
    for name in ["ports", "o_send", "o_recv", "g", "L", "L_2", "G", "from_2"] {
        let (first, second) = (of(&found, name), of(&again, name));
        // A profile's numbers are rounded.
        assert!((first - second).abs() <= 1e-3 * first, "{name}: {first}, then {second}");
    }
    let costs = again.work_costs().unwrap().unwrap();
    assert_eq!(costs, [500.0; 10]);
    a_node_and_a_network_make_one_machine(dir.path());
    text
}

/// Of two profiles, one of threads that share memory. It is that of the network, with what else a node's has.
fn a_node_and_a_network_make_one_machine(dir: &std::path::Path) {
    let far = std::fs::read_to_string(dir.join("profile.toml")).unwrap();
    let mut near = far.replace("conduit = \"sim\"", "conduit = \"smp\"").replace(".far.", ".near.");
    let write = |near: &str| std::fs::write(dir.join("near.toml"), near).unwrap();
    let both = ["--from", "near.toml", "--from", "profile.toml", "--as-machine", "both.toml"];
    write(&near);
    let outcome = probe_in(dir, &both);
    assert_eq!(outcome.status, 1);
    assert!(outcome.stderr.contains("the profile has no `synchronisation.flag.ns`"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--only memory,communication,synchronisation"), "{}", outcome.stderr);
    for (name, unit, value) in
        [("synchronisation.flag.ns", "ns", 70.0), ("memory.bandwidth.all.memory.copy.mb_s", "mb_s", 40_000.0)]
    {
        near += &format!(
            "\n[[values]]\nname = \"{name}\"\nvalue = {value:?}\nunit = \"{unit}\"\nlow = {:?}\nhigh = {:?}\n\
             confidence = 0.9\nrule = \"a test\"\n",
            0.9 * value,
            1.1 * value
        );
    }
    write(&near);
    let outcome = probe_in(dir, &both);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let text = std::fs::read_to_string(dir.join("both.toml")).unwrap();
    let found = fathom_machine::Description::of_file(&text).unwrap().unwrap();
    let of = |name: &str| found.quantity(name).unwrap().value;
    // 40 GB/s of STREAM, which counts each byte twice; in bytes a picosecond.
    assert!((of("near.memory_rate") - 0.02).abs() < 1e-9 && of("near.notice") == 70_000.0, "{text}");
    assert!((of("near.put_rate") - 0.001).abs() < 1e-4 && of("near.get") == 70_000.0, "{text}");
    assert!((of("network.L") - 5e6).abs() < 2e5 && found.network.is_some(), "{text}");
    assert!(found.figures().filter(|(name, _)| name.starts_with("near.")).all(|(_, f)| f.measured.is_some()), "{text}");
    let outcome = probe_in(dir, &["--from", "near.toml", "--as-machine", "node.toml"]);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let text = std::fs::read_to_string(dir.join("node.toml")).unwrap();
    let found = fathom_machine::Description::of_file(&text).unwrap().unwrap();
    assert!(found.network.is_none() && found.nodes(8).count() == 1, "{text}");
    let outcome = probe_in(dir, &["--from", "near.toml", "--from", "near.toml", "--as-machine", "node.toml"]);
    assert!(outcome.status == 1 && outcome.stderr.contains("two profiles share memory"), "{}", outcome.stderr);
}

#[test]
fn what_shares_memory_is_no_network() {
    let dir = tempfile::tempdir().unwrap();
    let outcome = probe_in(dir.path(), &["--quick", "--only", "surface", "--machine", "t3d"]);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let outcome = probe_in(dir.path(), &["--from", "profile.toml", "--as-machine", "mine.toml"]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.stderr.contains("communication.loggp.o_send.ns"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--conduit mpi"), "{}", outcome.stderr);
    assert!(!dir.path().join("mine.toml").exists());
    let outcome = probe_in(dir.path(), &["--ports", "64"]);
    assert_eq!(outcome.status, 2, "{}", outcome.stderr);
}

#[test]
fn a_simulated_machine_is_found_as_its_file_says() {
    let dir = tempfile::tempdir().unwrap();
    let outcome = probe_in(dir.path(), &["--machine", "t3d", "--only", "surface", "--check"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
    assert!(outcome.stdout.contains("surface.write_buffer.entries"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains(", 0 differ,"), "{}", outcome.stdout);
    let profile = Profile::read(&dir.path().join("profile.toml")).unwrap();
    assert_eq!(profile.value("surface.l1.bytes").and_then(|v| v.value), Some(8192.0));
    assert!(dir.path().join("profile.html").exists());
}

#[test]
fn mistakes_in_machine_files_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let good = std::fs::read_to_string(support::root().join("machines/t3d.toml")).unwrap();
    for (from, to, why) in [
        ("next = \"dram\"", "next = \"drum\"", "`read_ahead` asks `drum`, which is not a part"),
        ("next = \"dram\"", "next = \"cache\"", "asks itself, over others"),
        (
            "ways = { value = 1,",
            "ways = { value = \"1 ns\",",
            "figure `cache.ways` must be a number without a unit, not a time",
        ),
        ("depth = { value = 4,", "deep = { value = 4,", "there is no figure `buffer.depth`"),
        ("size = { value = \"8 KB\", printed", "size = { value = \"8 KB\", said", "unknown field `said`"),
        ("kind = \"cache\"", "kind = \"cash\"", "there is no kind of part `cash`; the kinds are cache, "),
    ] {
        assert!(good.contains(from), "{from}");
        std::fs::write(dir.path().join("m.toml"), good.replacen(from, to, 1)).unwrap();
        let outcome = probe_in(dir.path(), &["--machine", "./m.toml"]);
        assert_eq!(outcome.status, 1, "{to}: {}", outcome.stdout);
        assert!(outcome.stderr.contains(why), "{to}: {}", outcome.stderr);
        assert!(outcome.stderr.starts_with("fathom: error: ") && !outcome.stderr.contains("panicked"));
    }
    let outcome = probe(&["--machine", "paragonn"]);
    assert!(outcome.stderr.contains("there is no machine `paragonn`"), "{}", outcome.stderr);
    let outcome = probe(&["--machine", "cm5"]);
    assert!(outcome.stderr.contains("cannot be simulated") && outcome.stderr.contains("t3d"), "{}", outcome.stderr);
}

#[test]
fn the_areas_are_named() {
    let outcome = probe(&["--list"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
    for area in AREAS {
        assert!(
            outcome.stdout.lines().any(|l| l.starts_with(area.name) && l.ends_with(area.what)),
            "{}",
            outcome.stdout
        );
    }
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_measured() {
    let dir = tempfile::tempdir().unwrap();
    let started = Instant::now();
    for (args, part) in [
        (&["--only", "memory,weather"][..], "the areas are memory"),
        (&["--quick", "--thorough"], "cannot be used with"),
        (&["-n", "0"], "0"),
        (&["-n", "many"], "many"),
        (&["--repeat", "0"], "0"),
        (&["--conduit", "pigeon"], "the conduits"),
        (&["-o", "no/such/folder/profile.toml"], "no/such/folder"),
        (&["-o", "."], "."),
        (&["--html", "no/such/folder/profile.html"], "no/such/folder"),
        (&["-o", "a.html"], "would both be"),
    ] {
        let outcome = probe_in(dir.path(), args);
        assert!(outcome.status != 0 && outcome.stderr.contains(part), "{args:?}: {}", outcome.transcript());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0, "{args:?} left a file");
    }
    assert!(started.elapsed() < LIMIT);
}

/// Each mechanism and each measure, on real queues: the kernel checks that every message came whole and in its turn.
#[test]
fn messages_of_every_mechanism_are_measured_and_checked() {
    let mut host = host(2);
    let limit = Duration::from_millis(20);
    for (mechanism, bytes) in [
        ("express", 8),
        ("express", 64),
        ("tag_on", 16),
        ("in_place", 64),
        ("basic", 4),
        ("copy", 1024),
        ("bulk", 4096),
    ] {
        for measure in ["send", "receive", "latency", "gap"] {
            for threads in ["many", "one"] {
                let stimulus = Stimulus::new(Kernel::Queue).word("measure", measure).word("mechanism", mechanism);
                let stimulus = stimulus.with("bytes", bytes).word("threads", threads);
                let samples = match host.run(&stimulus, 2, limit) {
                    // One processor cannot have two threads that wait for each other.
                    Err(Failure::Impossible(fathom_profile::Reason::Processors, _)) => continue,
                    other => other.unwrap_or_else(|why| panic!("{stimulus}: {why}")),
                };
                assert!(samples.ns.iter().all(|ns| *ns > 0.0) && !samples.ns.is_empty(), "{stimulus}: {samples:?}");
                assert_eq!(samples.facts.get(&fathom_probe::Fact::Bytes), Some(&8.0));
            }
        }
    }
    let of = |rest: &str| format!("queue measure=send threads=many {rest}");
    for (text, why) in [
        (of("mechanism=express bytes=12"), "error `bytes` is 12: give a multiple of 8"),
        (of("mechanism=pigeon"), "error"),
        (of("mechanism=copy bytes=2048"), "impossible size a message by `copy` has at most 1024 bytes"),
        (of("mechanism=express flush=1"), "error messages by `express` are not flushed"),
    ] {
        let answer = host.ask(&text, 1, limit).unwrap();
        assert!(answer.contains(why), "{text}: {answer}");
    }
}

#[test]
fn one_stimulus_can_be_asked_for() {
    let outcome = probe(&["--ask", "clock sample_us=50"]);
    assert!(outcome.status == 0 && outcome.stdout.starts_with("samples "), "{}", outcome.transcript());
    let outcome = probe(&["--ask", "weather"]);
    assert!(outcome.stdout.contains("error no kernel is called `weather`"), "{}", outcome.transcript());
}

#[test]
fn an_area_is_measured_and_written_and_nothing_else_is() {
    let dir = tempfile::tempdir().unwrap();
    let outcome = probe_in(dir.path(), &["--quick", "--only", "synchronisation", "--repeat", "2", "-n", "2"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    assert!(!outcome.left_behind && outcome.stdout.contains("profile.toml"), "{}", outcome.transcript());
    let text = std::fs::read_to_string(dir.path().join("profile.toml")).unwrap();
    let profile = Profile::from_toml(&text).unwrap();
    assert!(profile.values.iter().all(|v| v.name.starts_with("synchronisation.")), "{text}");
    assert_eq!((profile.about.runs, profile.about.effort.as_str()), (2, "quick"));
    assert!(profile.about.repeats.iter().all(|r| (1..=2).contains(&r.values.len())), "{text}");
    is_consistent(&profile);
    let files: BTreeSet<_> =
        std::fs::read_dir(dir.path()).unwrap().flatten().map(|e| e.file_name().into_string().unwrap()).collect();
    assert_eq!(files, ["profile.html", "profile.toml"].map(String::from).into());
}

// ---- the prober ------------------------------------------------------------------------------------------------------

#[test]
fn a_prober_answers_a_line_with_a_line_whatever_it_is_asked() {
    let mut host = host(2);
    let long = format!("clock x={}", "1".repeat(5000));
    let many = format!("clock{}", " a=1".repeat(100));
    for (line, answer) in [
        ("clock sample_us=50", "samples "),
        ("weather", "error no kernel is called `weather`"),
        ("=", "error a request begins with the name of a kernel"),
        ("clock 5", "error `5` is not a valid argument"),
        ("clock sample_us=soon", "error `sample_us` must be a number, not `soon`"),
        (long.as_str(), "error a request has at most"),
        (many.as_str(), "error a request has at most"),
        ("clock sample_us=99999999999999999999", "error `sample_us` must be a number"),
        ("frequency  sample_us=50", "samples "),
    ] {
        let said = host.ask(line, 3, Duration::from_millis(100)).unwrap();
        assert!(said.starts_with(answer), "`{line}` was answered by `{said}`");
    }
}

#[test]
fn a_prober_that_hangs_is_ended_and_the_next_stimulus_is_answered() {
    let mark = format!("hanging-{}", std::process::id());
    let (command, mut env) = prober().command(2, &[]).unwrap();
    env.push((support::MARK.into(), mark.clone()));
    let launch = Launch { command: command.words, env, threads: 2, guard: |_| Box::new(()) };
    let mut host = Host::start(launch).unwrap().with_grace(Duration::from_secs(1));
    let before = marked(&mark);
    assert_eq!(before.len(), 3, "two threads and who looks after them");
    for pid in &before {
        // SAFETY: kill() takes numbers; the processes carry this test's mark.
        unsafe { libc::kill(*pid, libc::SIGSTOP) };
    }
    assert!(matches!(clock(&mut host), Err(Failure::Late { .. })));
    let killed = Instant::now(); // what has been killed may take a moment to be gone
    let is_left = || marked(&mark).iter().any(|pid| before.contains(pid));
    while is_left() && killed.elapsed() < support::GONE {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!is_left(), "one is left");
    let mut host = host.with_grace(Duration::from_secs(60));
    assert_eq!(clock(&mut host).map(|s| s.ns.is_empty()), Ok(false));
    drop(host);
    let ended = Instant::now();
    while !marked(&mark).is_empty() && ended.elapsed() < support::GONE {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(marked(&mark).is_empty());
}

#[test]
fn a_prober_that_dies_is_told_of_and_replaced() {
    let mark = format!("dying-{}", std::process::id());
    let (command, mut env) = prober().command(2, &[]).unwrap();
    env.push((support::MARK.into(), mark.clone()));
    let launch = Launch { command: command.words, env, threads: 2, guard: |_| Box::new(()) };
    let mut host = Host::start(launch).unwrap();
    support::kill_marked(&mark);
    let Err(Failure::Broken(why)) = clock(&mut host) else { panic!("no failure") };
    assert!(why.contains("clock") && why.contains("ended"), "{why}");
    assert!(clock(&mut host).is_ok());
}

#[test]
fn the_end_of_the_requests_is_the_end_of_the_prober() {
    for threads in [1, 2] {
        let (command, env) = prober().command(threads, &[]).unwrap();
        let mut command_line = Command::new(&command.words[0]);
        command_line.envs(env);
        let outcome = run(command_line, LIMIT); // its input is empty
        assert_eq!((outcome.status, outcome.stderr.as_str(), outcome.left_behind), (0, "", false));
        assert!(outcome.stdout.starts_with(&format!("ready conduit=smp threads={threads} ")), "{}", outcome.stdout);
    }
}

// ---- profiles --------------------------------------------------------------------------------------------------------

/// What holds of every profile, whatever was measured.
fn is_consistent(profile: &Profile) {
    let mut names = BTreeSet::new();
    for value in &profile.values {
        let name = &value.name;
        assert!(names.insert(name), "{name} is there twice");
        assert!(AREAS.iter().any(|a| name.starts_with(&format!("{}.", a.name))), "{name} is of no area");
        assert!((0.0..=1.0).contains(&value.confidence), "{name} is {} sure", value.confidence);
        assert!(!value.rule.is_empty(), "{name} has no rule");
        if let (Some(low), Some(v), Some(high)) = (value.low, value.value, value.high) {
            assert!(low <= v && v <= high, "{name}: {v} is not between {low} and {high}");
        }
        // Where nothing could be known, the points may be what is missing.
        for evidence in value.evidence.iter().filter(|_| value.value.is_some()) {
            let curve = profile.curve(&evidence.curve).unwrap_or_else(|| panic!("{name}: no curve {}", evidence.curve));
            let series = curve.series(&evidence.series);
            let series = series.unwrap_or_else(|| panic!("{name}: {} has no series {}", curve.name, evidence.series));
            for x in &evidence.at {
                assert!(series.points.iter().any(|p| p.x == *x), "{name}: {} has no point at {x}", curve.name);
            }
        }
    }
    let mut names = BTreeSet::new();
    for curve in &profile.curves {
        assert!(names.insert(&curve.name), "the curve {} is there twice", curve.name);
        for series in &curve.series {
            let rising = series.points.windows(2).all(|w| w[0].x < w[1].x);
            assert!(rising, "{}, {}: its points do not rise", curve.name, series.name);
            for p in &series.points {
                assert!(p.low <= p.y && p.y <= p.high && p.y.is_finite(), "{}, {}: {p:?}", curve.name, series.name);
            }
        }
    }
    for fit in &profile.fits {
        let curve = profile.curve(&fit.curve).unwrap_or_else(|| panic!("a fit of {}, which is not there", fit.curve));
        assert!(curve.series(&fit.series).is_some(), "a fit of {}, {}", fit.curve, fit.series);
    }
    assert_eq!(profile.machine.check(), Ok(()));
}

#[test]
fn every_area_can_be_measured_in_a_moment_and_what_it_says_is_consistent() {
    let plan = Plan {
        areas: AREAS.iter().collect(),
        effort: Effort::Quick,
        budget: Duration::from_secs(2),
        processors: 2,
        cycle_ns: None,
        claims: vec![],
    };
    let mut start = |threads| Ok(Box::new(host(threads)) as Box<dyn Runner>);
    let profile = measure::profile(&plan, "here", &mut start, &mut |_| {});
    is_consistent(&profile);
    let text = profile.to_toml().unwrap();
    let read = Profile::from_toml(&text).unwrap();
    assert_eq!(read.values.len(), profile.values.len());
    is_consistent(&read);
}

#[test]
fn the_printed_results_of_a_study_are_reproduced() {
    let reproduce = |args: &[&str]| {
        let mut command = fathom();
        command.arg("reproduce").args(args).env("COLUMNS", "200");
        run(command, LIMIT)
    };
    // What differs for a reason that is known is no failure.
    let outcome = reproduce(&["--only", "T05,T17,T35"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    let line = |id: &str| outcome.stdout.lines().find(|l| l.starts_with(id)).unwrap_or_default().to_string();
    assert!(line("T05").contains("145 ns") && line("T05").contains("calibration: dram.on_page"), "{}", outcome.stdout);
    assert!(line("T17").contains("emergent: buffer.merges"), "{}", outcome.stdout);
    assert!(line("T35").contains("DIFFERS") && outcome.stdout.contains("T35 differs: "), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("2 of 3 results are as printed"), "{}", outcome.stdout);
    assert!(
        outcome.stdout.starts_with("  ") && outcome.stdout.contains("as printed"),
        "the summary: {}",
        outcome.stdout
    );
    assert!(!outcome.stdout.contains("SPP-1000"), "a study without these results: {}", outcome.stdout);
    // What a model predicts, and what a machine does. The study is of two machines, one of which has these results.
    let outcome = reproduce(&["copy-transfer", "--only", "C13,C29"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
    // C13 has four results.
    assert!(outcome.stdout.contains("5 of 5 results are as printed"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("calibration: 1S0") && !outcome.stdout.contains("CRAY T3D"), "{}", outcome.stdout);
    // What went in and what came out stands before the results, of all of them.
    assert!(outcome.stdout.contains("In: ") && outcome.stdout.contains("Out: "), "{}", outcome.stdout);
    let outcome = reproduce(&["t3d", "--only", "T17", "--without", "buffer.merges"]);
    assert_eq!(outcome.status, 1);
    assert!(
        outcome.stdout.contains("DIFFERS") && outcome.stderr.contains("without a known reason: T17"),
        "{}",
        outcome.stderr
    );
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("page.html");
    let outcome = reproduce(&["spp1000", "--html", page.to_str().unwrap()]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
    let html = std::fs::read_to_string(&page).unwrap();
    // Every result, the reason for each that differs, the study's figures and the machine's.
    for part in ["P06", "What differs", "Figures, drawn anew", "<svg", "hypernode.load"] {
        assert!(html.contains(part), "the page lacks `{part}`");
    }
    let outcome = reproduce(&["spp1000", "--html", dir.path().join("no/page.html").to_str().unwrap()]);
    assert!(outcome.status == 1 && outcome.stderr.contains("page.html"), "{}", outcome.stderr);
    for (args, why) in [
        (&["t4d"][..], "the studies are t3d, workstation, spp1000, copy-transfer"),
        (&["t3d", "--only", "T99"], "there is no program for `T99`"),
        (&["t3d", "--only", "Z9"], "`fathom reproduce STUDY` lists the results"),
        (&["t3d", "--without", "buffer.marges"], "there is no figure `buffer.marges`"),
    ] {
        let outcome = reproduce(args);
        assert!(outcome.status == 1 && outcome.stderr.contains(why), "{args:?}: {}", outcome.stderr);
    }
}
