//! `fathom simulate` and `fathom replay`: where the time goes: by line, by operation, in a row, on other machines, with other figures.

use crate::support;
use support::simulate::{replay, simulate, with, RING};
use support::{root, Outcome};

#[test]
fn machines_are_compared_side_by_side() {
    let dir = with("ring.upc", RING);
    let both = simulate(dir.path(), &["--machine", "t3d", "--machine=ib-edr", "-n", "4", "-O1", "ring.upc"]);
    assert_eq!(both.status, 0, "{}", both.transcript());
    let times = both.stderr.lines().find(|l| l.starts_with("time")).unwrap();
    let alone = |machine| {
        let outcome = simulate(dir.path(), &["--machine", machine, "-n", "4", "-O1", "ring.upc"]);
        let line = outcome.stderr.lines().find(|l| l.starts_with("time")).unwrap().to_string();
        line.trim_start_matches("time").trim().to_string()
    };
    assert!(times.contains(&alone("t3d")) && times.contains(&alone("ib-edr")), "{times}");
}
/// On the machine of the run a replay has its times, to the picosecond; on another one that machine's.
#[test]
fn a_trace_is_replayed() {
    let dir = with("ring.upc", RING);
    let in_dir = |name: &str| dir.path().join(name);
    for (machine, work) in [("t3d", "counted"), ("t3d", "accesses"), ("ib-edr", "none"), ("paragon", "accesses")] {
        let args = ["--machine", machine, "--work", work, "-n5", "--trace", "ring.trace", "-o", "run", "ring.upc"];
        let outcome = simulate(dir.path(), &args);
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
        let again = replay(dir.path(), &["ring.trace", "-o", "replay"]);
        assert_eq!((again.status, again.transcript().contains("error")), (0, false), "{}", again.transcript());
        let read = |name| std::fs::read_to_string(in_dir(name)).unwrap();
        assert_eq!(read("run"), read("replay"), "{machine}, {work}");
    }
    // Of threads that take turns at a lock, from each machine to each.
    let machines = ["t3d", "paragon", "ib-edr", "slingshot-11", "voyager"];
    for from in machines {
        let run = ["--machine", from, "-n5", "--trace", "any.trace", "-o", "run", "ring.upc"];
        assert_eq!(simulate(dir.path(), &run).status, 0);
        let to: Vec<&str> = machines.iter().flat_map(|m| ["--machine", *m]).collect();
        let all = replay(dir.path(), &[&["any.trace"], &to[..]].concat());
        assert_eq!(all.status, 0, "{from}: {}", all.transcript());
    }
    let others = replay(dir.path(), &["ring.trace", "--machine", "t3d", "--machine", "paragon"]);
    assert_eq!(others.status, 0, "{}", others.transcript());
    assert!(others.stderr.contains("Recorded on paragon, whose work it has"), "{}", others.stderr);
    assert!(others.stderr.contains("requests of several threads to one"), "{}", others.stderr);

    for (option, value, why) in [
        ("--nodes", "0", "'0' is not valid for --nodes"),
        ("--threads-per-node", "0", "'0' is not valid for --threads-per-node"),
        ("--placement", "cyclic", "'cyclic' is not a placement"),
    ] {
        let wrong = replay(dir.path(), &["ring.trace", option, value]);
        assert!(wrong.status == 1 && wrong.stderr.contains(why), "{option}: {}", wrong.transcript());
    }

    let whole = std::fs::read(in_dir("ring.trace")).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 4;
    let mut newer = whole.clone();
    newer[8] += 1;
    for (name, bytes, why) in [
        ("cut", &whole[..whole.len() / 2], "is cut off or damaged"),
        ("short", &whole[..9], "is cut off or damaged"),
        ("damaged", &damaged, "is cut off or damaged"),
        ("newer", &newer, "by another version of Fathom"),
        ("foreign", b"hello", "is not a trace of a simulated run"),
        ("empty", b"", "is cut off or damaged"),
    ] {
        std::fs::write(in_dir(name), bytes).unwrap();
        let outcome = replay(dir.path(), &[name]);
        assert!(outcome.status == 1 && outcome.stderr.contains(why), "{name}: {}", outcome.stderr);
    }
    let both = ["--machine", "t3d", "--machine", "paragon", "--trace", "x", "-n", "2", "ring.upc"];
    assert!(simulate(dir.path(), &both).stderr.contains("a trace is that of one run"));
}
/// A read is a request and the data: each latency lies twice in a row for each read, and half as long work makes half of the work's share.
#[test]
fn the_time_depends_on_what_lies_in_a_row() {
    let program = r#"
#include <fathom_work.h>
#include <stdlib.h>
#include <upc.h>
shared int x[THREADS];
int main(int argc, char **argv) {
    if (MYTHREAD == 0) {
        fathom_declare_work(1e5, 0);
        for (int i = 0; i < atoi(argv[1]); i++) (void)*(volatile shared int *)&x[1];
    }
    return 0;
}
"#;
    let dir = with("reads.upc", program);
    let file = "name = 'test'\n[simulated]\nabout = 'a test'\n[simulated.network]\nkind = 'loggp'\n\
        ports = { value = 4, other = 'a test' }\nL = { value = '5 us', other = 'a test' }\n\
        o_send = { value = '200 ns', other = 'a test' }\no_recv = { value = '300 ns', other = 'a test' }\n\
        g = { value = '100 ns', other = 'a test' }\nG = { value = '1 ns / (1 B)', other = 'a test' }\n[simulated.work]\n";
    let costs = ["integer", "multiply", "divide", "float", "float_divide", "load", "store", "branch", "call", "shared"];
    let costs: String = costs.iter().map(|c| format!("{c} = {{ value = '1 ns', other = 'a test' }}\n")).collect();
    std::fs::write(dir.path().join("test.toml"), file.to_owned() + &costs).unwrap();
    let in_a_row = |reads: &str, figure: &str| -> (f64, String) {
        let args = ["--machine", "test.toml", "-n", "2", "--trace", "t", "-o", "run", "reads.upc", reads];
        let outcome = simulate(dir.path(), &args);
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
        let told = replay(dir.path(), &["t", "--what-if"]);
        assert_eq!(told.status, 0, "{}", told.transcript());
        let line = told.stderr.lines().find(|l| l.starts_with(figure)).unwrap_or_default();
        (line.split_whitespace().last().and_then(|n| n.parse().ok()).unwrap_or(f64::NAN), told.stderr)
    };
    for (figure, each) in [("network.L", 2.0), ("network.o_send", 1.0), ("network.o_recv", 1.0)] {
        let (fewer, (more, said)) = (in_a_row("200", figure).0, in_a_row("1000", figure));
        assert_eq!(more - fewer, 800.0 * each, "{figure}\n{said}");
    }
    let (_, said) = in_a_row("1", "work");
    // 100 us of work, on one thread of two.
    let bound = |what: &str| said.lines().find(|l| l.starts_with(what)).unwrap_or_default().to_string();
    assert!(bound("If communication took no time: 10").contains(" us"), "{said}");
    assert!(bound("If all threads had the mean work").contains(" us"), "{said}");
}
/// Each line has what happens there: the loop of line 8 works alone, line 10 gets, line 12 takes a lock, line 15
/// copies.
#[test]
fn the_report_says_which_lines_take_the_time() {
    let program = r#"
#include <upc_relaxed.h>
shared int a[THREADS];
shared [4096] char big[4096 * THREADS];
double sum;
int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int i = 0; i < 100000; i++) sum += i * 0.5;
    for (int t = 0; t < 50; t++)
        sum += a[(MYTHREAD + 1) % THREADS];
    for (int i = 0; i < 7; i++) {
        upc_lock(lock);
        upc_unlock(lock);
    }
    if (MYTHREAD == 0) { char c[4096]; upc_memget(c, &big[4096], sizeof c); }
    if (MYTHREAD == 1) for (int i = 0; i < 3; i++) a[0] = i;
    upc_barrier;
    return 0;
}
"#;
    let dir = with("lines.upc", program);
    for args in [&["--machine", "t3d"][..], &["--machine", "t3d", "--work=accesses"], &["--machine", "ib-edr", "-O2"]] {
        let all = [args, &["-n", "4", "--all-lines", "lines.upc"]].concat();
        let outcome = simulate(dir.path(), &all);
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
        let line = |number: u32| {
            let head = format!("lines.upc:{number} ");
            let mut found = outcome.stderr.lines().filter(|l| l.starts_with(&head));
            let line = found.next().unwrap_or_else(|| panic!("{number}: {}", outcome.stderr)).to_string();
            assert_eq!(found.next(), None);
            line
        };
        // The last columns: calls and bytes.
        let ends = |number: u32, with: &[&str]| {
            let line = line(number);
            assert!(line.split_whitespace().collect::<Vec<_>>().ends_with(with), "{line}");
        };
        ends(8, &["0", "0"]);
        ends(10, &["200", "800"]);
        ends(15, &["1", "4096"]);
        ends(16, &["3", "12"]);
        ends(17, &["4", "0"]);
        assert!(line(8).contains("100 %") || line(8).contains("99 %"), "{}", outcome.stderr);
        // A lock is messages, at least one of each thread but the lock's own each time.
        let calls = line(12).split_whitespace().rev().nth(1).unwrap().parse::<u32>().unwrap();
        assert!(calls >= 21, "{}", line(12));
        let again = simulate(dir.path(), &all);
        assert_eq!(again.stderr, outcome.stderr);
    }
    let few = simulate(dir.path(), &["--machine", "t3d", "-n", "4", "lines.upc"]);
    let is_shown = |l: &&str| l.starts_with("lines.upc:") || l.starts_with('(');
    let shown = few.stderr.lines().filter(is_shown).count();
    assert!(shown == 10 && few.stderr.contains("more lines have less (--all-lines)"), "{}", few.stderr);
}
#[test]
fn the_time_of_one_operation_is_explained() {
    let dir = tempfile::tempdir().unwrap();
    let args =
        ["--machine", "t3d", "--machine", "ib-edr", "--explain-time", "get 8", "--explain-time=barrier", "-n", "16"];
    let told = simulate(dir.path(), &args);
    assert_eq!(told.status, 0, "{}", told.transcript());
    for part in ["get 8 on t3d", "barrier on ib-edr", "sets the segment register", "16 threads", "all "] {
        assert!(told.stdout.contains(part), "{part}: {}", told.stdout);
    }
    assert_eq!(simulate(dir.path(), &args).stdout, told.stdout);
    for (args, why) in [
        (&["--explain-time", "get 8"][..], "the machine is missing"),
        (&["--machine", "t3d", "--explain-time", "fly 8"], "get BYTES, put BYTES, message BYTES, or barrier"),
        (&["--machine", "t3d", "--explain-time", "get 8", "prog.upc"], "--explain-time runs no program: `prog.upc`"),
        (&["--machine", "t3d", "--explain-time", "get 8", "-n", "1"], "needs two of them"),
        (&["--machine", "t3d", "--explain-time", "get 8", "-n", "9999"], "2048"),
        (&["--machine", "t3d", "--explain-time", "get 8", "-n", "0"], "`-n 0` is not a valid number of threads"),
    ] {
        let refused = simulate(dir.path(), args);
        assert!(refused.status == 1 && refused.stderr.contains(why), "{}", refused.transcript());
    }
}
#[test]
fn a_page_shows_the_run() {
    let program = "#include <upc_relaxed.h>\nshared double a[THREADS];\nint main(void) {\n    double sum = 0;\n    \
        if (MYTHREAD == 2)\n        for (int i = 0; i < 321; i++) sum += a[1];\n    upc_barrier;\n    return sum < 0;\n}\n";
    let dir = with("reads.upc", program);
    let page = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let args = ["--machine", "ib-edr", "-n", "4", "--html", "a.html", "--trace=t", "-o", "report", "reads.upc"];
    let outcome = simulate(dir.path(), &args);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    let a = page("a.html");
    // 321 words go from thread 1 to thread 2, and besides only what the runtime's end says.
    assert!(a.contains("thread 1 to thread 2: 2.508 KiB"), "{a}");
    for part in ["Where the time goes", "waiting for transfers", "contention", "reads.upc:6", "<svg", "for (int i = 0"]
    {
        assert!(a.contains(part), "{part}");
    }
    assert!(!a.contains("src=\"http") && !a.contains("url(http"), "a page loads nothing");
    // The same run, and its replay, have the same page.
    let again = simulate(dir.path(), &["--html=b.html", "--machine", "ib-edr", "-n4", "-o", "report", "reads.upc"]);
    assert_eq!(again.status, 0, "{}", again.transcript());
    assert_eq!(replay(dir.path(), &["t", "--html", "c.html"]).status, 0);
    assert!(page("b.html") == a && page("c.html") == a);
    assert_eq!(replay(dir.path(), &["t", "--what-if", "--html", "d.html", "--machine", "t3d"]).status, 0);
    assert!(page("d.html").contains("What the time depends on"));
    let cannot = simulate(dir.path(), &["--html", ".", "--machine", "ib-edr", "-n4", "reads.upc"]);
    assert!(cannot.status == 1 && cannot.stderr.contains("cannot write ."), "{}", cannot.stderr);
}
#[test]
fn a_figure_of_the_machine_can_be_set() {
    let dir = with("ring.upc", RING);
    let time = |args: &[&str]| -> f64 {
        let outcome = simulate(dir.path(), &[&["--machine", "now", "-n", "3"], args, &["ring.upc"]].concat());
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
        let said = outcome.stdout.split(", ").nth(2).unwrap().to_string();
        said.split_whitespace().next().unwrap().parse().unwrap()
    };
    let (own, slow) = (time(&[]), time(&["--set", "network.o_send=102.9 us"]));
    assert!(slow > 10.0 * own, "{own} {slow}");
    // Of several the last one counts, and what is the file's own changes nothing.
    assert_eq!(time(&["--set", "network.o_send=102.9 us", "--set=network.o_send=2.9 us"]), own);
    let outcome = simulate(dir.path(), &["--machine", "now", "--set", "network.L = 1 ms", "--explain-time", "get 8"]);
    assert!(outcome.stdout.contains("1.000 ms"), "{}", outcome.transcript());
    let both = ["--machine", "now", "--set", "network.L=1 us", "--trace", "t", "-n", "2", "ring.upc"];
    let outcome = simulate(dir.path(), &both);
    assert!(outcome.status != 0 && outcome.stderr.contains("a trace names the machine"), "{}", outcome.transcript());
    for (set, why) in [
        ("network.L", "`--set network.L` does not set a figure"),
        ("=5 us", "`--set =5 us` does not set a figure"),
        (
            "network.x=5 us",
            "--set network.x=5 us: on the machine `now`, there is no figure `network.x`; there are network.",
        ),
        ("netwrok.L=5 us", "; did you mean `network.L`?"),
        ("network.o_sned=5 us", "; did you mean `network.o_send`?"),
        ("network.L=5 B", "figure `network.L` must be a time, not a size in bytes"),
    ] {
        let outcome = simulate(dir.path(), &["--machine", "now", "--set", set, "-n", "2", "ring.upc"]);
        assert!(outcome.status != 0 && outcome.stderr.contains(why), "{}", outcome.transcript());
        assert!(outcome.stderr.contains("help: "), "{}", outcome.transcript());
    }
}
/// A thread that kills the process which has started it.
const PARRICIDE: &str = r#"
#include <signal.h>
#include <unistd.h>
#include <upc.h>
shared int x[THREADS];
int main(void) {
    for (int i = 0; i < 5000; i++) x[(MYTHREAD + 1) % THREADS] = i;
    upc_barrier;
    if (MYTHREAD == 0) kill(getppid(), SIGKILL);
    for (;;) upc_barrier;
}
"#;
#[test]
fn a_starter_that_is_killed_is_reported_and_its_trace_is_cut() {
    let dir = with("kills.upc", PARRICIDE);
    let outcome = simulate(dir.path(), &["--machine", "ib-edr", "-n", "3", "--trace", "t", "kills.upc"]);
    assert_eq!(outcome.status, 137, "{}", outcome.transcript());
    assert!(outcome.stderr.contains("starts the program's threads was killed (signal 9)"), "{}", outcome.transcript());
    let outcome = replay(dir.path(), &["t"]);
    assert!(outcome.status != 0 && outcome.stderr.contains("t is cut off or damaged"), "{}", outcome.transcript());
}
/// Near the greatest value that a figure may have, and where it is 0, reports do not leave it out.
#[test]
fn figures_at_the_ends_of_what_they_may_be_are_reported() {
    let dir = with("ring.upc", RING);
    let args = ["--machine", "now", "--set", "network.g=999 s", "-n", "2", "--what-if", "ring.upc"];
    let outcome = simulate(dir.path(), &args);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    let told = outcome.stderr.split("10 % more of").nth(1).unwrap();
    let line = told.lines().find(|l| l.starts_with("network.g "));
    assert!(line.is_some_and(|l| l.contains("999.000 s")), "{}", outcome.stderr);
    // A byte of a short message takes 0 to 26 ns there.
    let outcome = simulate(dir.path(), &["--machine", "now", "-n", "2", "--range=3", "ring.upc"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    let told = outcome.stderr.split("with the greatest").nth(1).unwrap();
    let line = told.lines().find(|l| l.starts_with("network.G "));
    assert!(line.is_some_and(|l| l.contains(" 0.0000 ns/B") && l.contains("26.0000 ns/B")), "{}", outcome.stderr);
}

/// The figure `late` of a network: a thread that has waited goes on late, by times that are the same in each run.
#[test]
fn threads_that_wait_go_on_late_where_the_machine_file_says_so() {
    let dir = with("ring.upc", RING);
    let file = std::fs::read_to_string(root().join("machines/ib-edr.toml")).unwrap();
    let late = "[simulated.network]\nlate = { value = \"5 us\", other = \"a test\" }\n";
    let late = file.replace("[simulated.network]\n", late);
    assert_ne!(late, file);
    std::fs::write(dir.path().join("late.toml"), late).unwrap();
    let of = |args: &[&str]| {
        let outcome = simulate(dir.path(), &[args, &["-n", "4", "ring.upc"]].concat());
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
        outcome
    };
    let us = |outcome: &Outcome| -> f64 {
        let line = outcome.stderr.lines().find(|line| line.starts_with("time")).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        words[1].parse::<f64>().unwrap() * if words[2] == "ms" { 1000.0 } else { 1.0 }
    };
    let punctual = of(&["--machine", "ib-edr"]);
    let first = of(&["--machine", "late.toml", "--trace", "t"]);
    assert_eq!(of(&["--machine", "late.toml"]).stderr, first.stderr);
    assert_eq!(replay(dir.path(), &["t"]).stderr, first.stderr);
    // Five locks of each of four threads in a row: each waits at least once.
    assert!(us(&first) > us(&punctual) + 20.0 * 5.0, "{}\n{}", first.stderr, punctual.stderr);
    let never = of(&["--machine", "late.toml", "--set", "network.late=0 us"]);
    assert_eq!(us(&never), us(&punctual));
}

/// What a program is given, and so its run, must not depend on how much memory the computer has on which it is simulated: here
/// 896 GiB of addresses are asked for.
#[test]
fn this_computers_memory_does_not_limit_the_machines() {
    let program = "#include <stdio.h>\n#include <upc.h>\nshared int got;\nint main(void) {\n    \
        shared char *p = upc_alloc(14ul << 30);\n    for (int t = 0; t < THREADS; t++) {\n        \
        if (t == MYTHREAD) got += p != NULL;\n        upc_barrier;\n    }\n    \
        if (MYTHREAD == 0) printf(\"%d have memory\\n\", got);\n    return 0;\n}\n";
    let dir = with("much.upc", program);
    let outcome = simulate(dir.path(), &["--machine", "ib-edr", "-n64", "much.upc"]);
    assert!(outcome.status == 0 && outcome.stdout == "64 have memory\n", "{}", outcome.transcript());
}
