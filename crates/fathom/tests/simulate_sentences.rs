//! `fathom simulate`, `fathom replay` and `fathom reproduce`: sentences for what a user may not know of a run.

use crate::support;
use support::simulate::{replay, simulate, with, LIMIT, RING};
use support::{fathom, root, run};

/// Each thread takes what another has: by a barrier that nobody comes out of, or in a circle.
#[test]
fn who_waits_for_a_lock_for_ever_is_told_so_and_who_has_it() {
    let program = r#"
#include <upc.h>
int main(int argc, char **argv) {
    upc_lock_t *a = upc_all_lock_alloc(), *b = upc_all_lock_alloc();
    upc_lock_t *first = MYTHREAD ? a : b, *second = MYTHREAD ? b : a;
    (void)argv;
    /* Taken and released by others before: who has a lock is who has it now. */
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD) upc_lock(a), upc_unlock(a);
        upc_barrier;
    }
    if (argc > 1 || MYTHREAD == 1) upc_lock(first);
    upc_barrier;
    if (argc > 1 || MYTHREAD != 1) upc_lock(argc > 1 ? second : a);
    upc_barrier;
    return 0;
}
"#;
    let dir = with("lock.upc", program);
    for (args, who) in [
        (&["4", "lock.upc"][..], "threads 0, 2, 3 wait for a lock that thread 1 holds, thread 1 waits at a barrier"),
        (&["2", "lock.upc", "circle"], "threads 0, 1 wait for locks that threads 0, 1 hold"),
    ] {
        let outcome = simulate(dir.path(), &[&["--machine", "ib-edr", "-n"], args].concat());
        let sentence = format!("the program waits for ever: {who}, and nothing is under way");
        assert!(outcome.status == 1 && outcome.stderr.contains(&sentence), "{}", outcome.transcript());
    }
}

#[test]
fn a_calibration_by_too_little_work_is_called_that() {
    let program = "#include <stdlib.h>\n#include <upc.h>\nvolatile double a[1000], sum;\n\
        int main(int argc, char **argv) {\n    for (int k = 0; k < atoi(argv[argc - 1]); k++)\n        \
        for (int i = 0; i < 1000; i++) sum += a[i];\n    return 0;\n}\n";
    let dir = with("work.upc", program);
    let of = |times| simulate(dir.path(), &["--calibrate", "costs", "--machine", "ib-edr", "-n1", "work.upc", times]);
    let (short, long) = (of("3"), of("100000"));
    assert!(short.status == 0 && short.stderr.contains("ms of work on each thread"), "{}", short.transcript());
    assert!(long.status == 0 && !long.stderr.contains("warning"), "{}", long.transcript());
}

#[test]
fn a_trace_given_to_simulate_and_figures_that_a_file_lacks_are_answered() {
    let dir = with("ring.upc", RING);
    let traced = simulate(dir.path(), &["--machine", "ib-edr", "-n2", "--trace", "t", "ring.upc"]);
    assert_eq!(traced.status, 0, "{}", traced.transcript());
    for (args, whys) in [
        (&["t"][..], ["t is not a program, but the trace of a run", "fathom replay"]),
        (
            &["--set", "network.back_get=1 us", "-n2", "ring.upc"],
            ["there is no figure `network.back_get`", "to add one, write it into a machine file of your own"],
        ),
    ] {
        let outcome = simulate(dir.path(), &[&["--machine", "ib-edr"], args].concat());
        assert_eq!(outcome.status, 1, "{}", outcome.transcript());
        whys.into_iter().for_each(|why| assert!(outcome.stderr.contains(why), "no `{why}`: {}", outcome.stderr));
    }
}

#[test]
fn a_replay_says_that_the_machines_file_has_changed_since() {
    let dir = with("ring.upc", RING);
    let file = std::fs::read_to_string(root().join("machines/ib-edr.toml")).unwrap();
    std::fs::write(dir.path().join("m.toml"), &file).unwrap();
    let traced = simulate(dir.path(), &["--machine", "m.toml", "-n2", "--trace", "t", "ring.upc"]);
    assert_eq!(traced.status, 0, "{}", traced.transcript());
    assert_eq!(replay(dir.path(), &["t"]).stderr, traced.stderr);
    let other = file.replace("hop = { value = \"90 ns", "hop = { value = \"95 ns");
    assert_ne!(other, file, "the file has no such figure");
    std::fs::write(dir.path().join("m.toml"), other).unwrap();
    let sentence = "The file of the machine m.toml is not what it was when this run was recorded";
    for (args, is_said) in
        [(&["t"][..], true), (&["t", "--machine", "m.toml"], true), (&["t", "--machine", "ib-edr"], false)]
    {
        let again = replay(dir.path(), args);
        assert_eq!((again.status, again.stderr.contains(sentence)), (0, is_said), "{}", again.transcript());
    }
}

#[test]
fn an_archives_folder_is_made_and_the_one_around_it_is_not() {
    let dir = with("ring.upc", RING);
    let traced = simulate(dir.path(), &["--machine", "ib-edr", "-n2", "--trace", "t", "ring.upc"]);
    assert_eq!(traced.status, 0, "{}", traced.transcript());
    let outcome = replay(dir.path(), &["t", "--export-otf2", "no/such/folder"]);
    assert!(outcome.stderr.contains("there is no folder no/such"), "{}", outcome.transcript());
    assert!(outcome.status == 1 && !dir.path().join("no").exists());
}

#[test]
fn a_sum_is_printed_once() {
    let mut command = fathom();
    command.args(["reproduce", "copy-transfer", "--only", "C01"]);
    let outcome = run(command, LIMIT);
    let sums = outcome.stdout.matches("results are as printed, ").count();
    assert_eq!((outcome.status, sums), (0, 1), "{}", outcome.transcript());
}

#[test]
fn a_profile_is_no_machine_yet() {
    let dir = with("old.toml", "format = \"fathom-profile-0\"\n");
    let outcome = simulate(dir.path(), &["--machine", "old.toml", "-n2", "ring.upc"]);
    let says = outcome.stderr.contains("`fathom probe --from old.toml --as-machine FILE` makes a machine file of it");
    assert!(outcome.status == 1 && says, "{}", outcome.transcript());
    // That of an earlier version is not read.
    let mut command = fathom();
    command.current_dir(dir.path()).args(["probe", "--from", "old.toml", "--as-machine", "m.toml"]);
    let outcome = run(command, LIMIT);
    let says = outcome.stderr.contains("its format is `fathom-profile-0`, but this version reads");
    assert!(outcome.status == 1 && says && !dir.path().join("m.toml").exists(), "{}", outcome.transcript());
}

/// A device that is always full stands for a disk.
#[test]
fn files_for_which_there_is_no_room_are_called_that() {
    let dir = with("ring.upc", RING);
    let traced = simulate(dir.path(), &["--machine", "ib-edr", "-n2", "--trace", "t", "ring.upc"]);
    assert_eq!(traced.status, 0, "{}", traced.transcript());
    std::os::unix::fs::symlink("/dev/full", dir.path().join("full")).unwrap();
    let is_said = |outcome: support::Outcome| {
        assert!(
            outcome.status == 1 && outcome.stderr.contains("full: No space left on device\n"),
            "{}",
            outcome.transcript()
        );
    };
    for option in ["-o", "--html", "--trace"] {
        is_said(simulate(dir.path(), &["--machine", "ib-edr", "-n2", option, "full", "ring.upc"]));
    }
    for option in ["-o", "--html", "--export-goal"] {
        is_said(replay(dir.path(), &["t", option, "full"]));
    }
}

/// A trace that ends at any byte before its last, and units and memory that there are not.
#[test]
fn traces_cut_anywhere_unknown_units_and_too_little_memory_are_answered_in_one_sentence() {
    let dir = with("ring.upc", RING);
    let traced = simulate(dir.path(), &["--machine", "ib-edr", "-n2", "--trace", "t", "ring.upc"]);
    assert_eq!(traced.status, 0, "{}", traced.transcript());
    let whole = std::fs::read(dir.path().join("t")).unwrap();
    let one_sentence = |outcome: &support::Outcome, says: &str| {
        let errors = outcome.stderr.lines().filter(|line| line.starts_with("fathom: error: ")).count();
        let is_said = outcome.status == 1 && outcome.stderr.contains(says) && errors == 1;
        assert!(is_said && !outcome.stderr.contains("panicked"), "no `{says}`: {}", outcome.transcript());
    };
    for end in (0..whole.len()).step_by(whole.len() / 12).chain([whole.len() - 1]) {
        std::fs::write(dir.path().join("cut"), &whole[..end]).unwrap();
        one_sentence(&replay(dir.path(), &["cut"]), "cut is cut off or damaged: record it again");
    }
    let file = std::fs::read_to_string(root().join("machines/ib-edr.toml")).unwrap();
    for (unit, says) in [
        ("MB/fortnight", "`fortnight` is neither a unit nor a figure; units are cycles, ps, "),
        ("furlongs", "`furlongs` is not a unit; units are cycles, ps, "),
    ] {
        let wrong = file.replacen("11794 MB/s", &format!("11794 {unit}"), 1);
        assert_ne!(wrong, file);
        std::fs::write(dir.path().join("m.toml"), wrong).unwrap();
        one_sentence(&simulate(dir.path(), &["--machine", "m.toml", "-n2", "ring.upc"]), says);
    }
    let too_many = simulate(dir.path(), &["--machine", "ib-edr", "-n", "100000", "ring.upc"]);
    one_sentence(&too_many, "it has 648 nodes, one for a thread, and 100000 are asked for");
    let too_large = simulate(dir.path(), &["--machine", "ib-edr", "-n2", "--heap", "900G", "ring.upc"]);
    assert!(too_large.stderr.contains("FATHOM_HEAP is 900 GiB, but"), "{}", too_large.transcript());
}

/// A node of the T3D has 64 MiB.
#[test]
fn more_memory_than_a_node_has_is_warned_of() {
    let program = "#include <stdlib.h>\n#include <string.h>\n#include <upc.h>\nint main(int n, char **args) {\n    \
        size_t bytes = (size_t)atoi(args[1]) << 20;\n    if (MYTHREAD == 1) {\n        \
        memset((void *)upc_alloc(bytes), 1, bytes);\n        memset(malloc(bytes), n, bytes);\n    }\n    \
        upc_barrier;\n    return 0;\n}\n";
    let dir = with("much.upc", program);
    for (machine, each, is_warned) in [("t3d", "20", false), ("t3d", "40", true), ("ib-edr", "40", false)] {
        let outcome = simulate(dir.path(), &["--machine", machine, "-n2", "-O0", "-o", "report", "much.upc", each]);
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
        let lines: Vec<&str> = outcome.stderr.lines().filter(|line| line.contains("warning")).collect();
        let says = |line: &&str| line.starts_with("fathom: warning: thread 1 had 8") && line.contains("t3d has 64 MiB");
        assert_eq!((lines.len(), lines.iter().all(says)), (usize::from(is_warned), true), "{}", outcome.transcript());
        assert!(!std::fs::read_to_string(dir.path().join("report")).unwrap().contains("warning"));
    }
}

/// The system ends the process that it may end first, and this one is left to say so.
#[test]
fn where_memory_runs_out_a_thread_is_ended_and_the_command_says_why() {
    let program = "#include <signal.h>\n#include <stdio.h>\n#include <upc.h>\nint main(void) {\n    \
        FILE *file = fopen(\"/proc/self/oom_score_adj\", \"r\");\n    int first = 0;\n    \
        if (!file || fscanf(file, \"%d\", &first) != 1) return 1;\n    \
        printf(\"thread %d: %d\\n\", MYTHREAD, first);\n    upc_barrier;\n    \
        if (MYTHREAD == 1) raise(SIGKILL);\n    upc_barrier;\n    return 0;\n}\n";
    let dir = with("killed.upc", program);
    let outcome = simulate(dir.path(), &["--machine", "ib-edr", "-n3", "killed.upc"]);
    for thread in 0..3 {
        assert!(outcome.stdout.contains(&format!("thread {thread}: 1000\n")), "{}", outcome.transcript());
    }
    let is_said = ["a thread was killed: there is no report of its time", "the system does so where memory runs out"];
    let is_said = is_said.into_iter().all(|sentence| outcome.stderr.contains(sentence));
    assert!(outcome.status == 137 && is_said, "{}", outcome.transcript());
}
