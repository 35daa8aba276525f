//! `fathom simulate`: threads that poll their own memory. What they do is computed without a turn for each poll, and takes the
//! time that the turns would take. A run that is recorded has the turns, since a trace has all of them.

use crate::support;
use support::simulate::{simulate, with};

/// Loops that wait, in several forms; two that count their iterations, and a fence that ends after a number of them.
const POLLS: &str = r#"
#include <stdio.h>
#include <upc_relaxed.h>
strict shared int flag[THREADS];
shared int word[THREADS], more[THREADS], last[THREADS];
shared double data[THREADS];
shared long counts[THREADS];
static double x;
static void works(int much) {
    for (int i = 0; i < much; i++) x = x * 1.01 + i;
}
int main(void) {
    int me = MYTHREAD, right = (me + 1) % THREADS;
    long spins = 0;
    for (int r = 1; r <= 3; r++) {
        if (me || r > 1)
            while (flag[me] < r - !me)
                ;
        works(1000 * (1 + me % 3));
        data[right] = x;
        flag[right] = r;
        if (me) {
            while (word[me] < r) upc_fence;
        }
        works(2000);
        word[right] = r;
        upc_fence;
        for (int v; (v = more[me]) < r && (me || r > 1);) upc_poll();
        works(500);
        more[right] = r + !me;
        upc_fence;
        if (me) while (last[me] < r) {
            upc_fence;
            spins++;
        }
        works(700);
        last[right] = r;
        for (int i = 0; i < 50; i++) upc_fence;
    }
    counts[me] = spins;
    upc_barrier;
    if (me == 0)
        for (int t = 0; t < THREADS; t++) printf("%ld ", counts[t]);
    return 0;
}
"#;

#[test]
fn polls_take_the_time_of_their_turns() {
    let dir = with("polls.upc", POLLS);
    for (machine, work) in [("ib-edr", "counted"), ("t3d", "counted"), ("t3d", "accesses"), ("slingshot-11", "none")] {
        let args = |more: &[&str]| {
            let all = ["--machine", machine, "--work", work, "-n5", "-O2", "--all-lines"];
            let outcome = simulate(dir.path(), &[&all[..], more, &["polls.upc"]].concat());
            assert_eq!(outcome.status, 0, "{machine}, {work}: {}", outcome.transcript());
            outcome.stdout
        };
        let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        let counts = args(&["-o", "with"]);
        assert_eq!(counts, args(&["--trace", "trace", "-o", "without"]), "{machine}, {work}");
        assert_eq!(read("with"), read("without"), "{machine}, {work}");
        args(&["-o", "with", "--html", "with.html"]);
        args(&["-o", "without", "--html", "without.html", "--trace", "trace"]);
        assert_eq!(read("with.html"), read("without.html"), "{machine}, {work}");
    }
}

/// An hour of looks at a word: some ten thousand million, far more than there could be turns for.
#[test]
fn a_thread_polls_for_an_hour() {
    let text = "#include <stdio.h>\n#include <unistd.h>\n#include <upc_strict.h>\nshared int flag[THREADS];\n\
                int main(void) {\nif (MYTHREAD) while (flag[MYTHREAD] < 3) ;\n\
                else for (int r = 1; r <= 3; r++) {\nsleep(1200);\nfor (int t = 1; t < THREADS; t++) flag[t] = r;\n}\n\
                upc_barrier;\nif (MYTHREAD == 0) puts(\"over\");\nreturn 0;\n}\n";
    let dir = with("hour.upc", text);
    let outcome = simulate(dir.path(), &["--machine", "ib-edr", "-n4", "hour.upc"]);
    assert_eq!((outcome.status, outcome.stdout.as_str()), (0, "over\n"), "{}", outcome.transcript());
    let of = |what: &str| outcome.stderr.lines().find(|l| l.starts_with(what)).unwrap_or_default().to_string();
    assert!(of("time").contains("3600") && of("time").ends_with(" s"), "{}", outcome.transcript());
}

#[test]
fn threads_that_poll_for_what_nobody_writes_are_told_so() {
    let text = "#include <upc_strict.h>\nshared int flag[THREADS];\n\
                int main(void) {\nwhile (!flag[MYTHREAD]) ;\nreturn 0;\n}\n";
    let dir = with("never.upc", text);
    for machine in ["ib-edr", "t3d"] {
        let outcome = simulate(dir.path(), &["--machine", machine, "-n3", "never.upc"]);
        let expected = "threads 0, 1, 2 wait for a change of shared objects that nobody changes";
        assert!(outcome.status != 0 && outcome.stderr.contains(expected), "{}", outcome.transcript());
    }
}
