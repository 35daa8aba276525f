//! `fathom simulate`: what a program's own work costs: by the machine file's operations and caches, measured, declared, calibrated.

use crate::support;
use support::simulate::{simulate, with, LIMIT, RING};
use support::{fathom, run};

#[test]
fn work_is_measured_if_that_is_asked_for() {
    let dir = with("ring.upc", RING);
    let outcome = simulate(dir.path(), &["--work=measured:3", "--machine", "ib-edr", "-n", "3", "ring.upc"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    assert!(outcome.stderr.contains("on this computer times 3: it differs from run to run"), "{}", outcome.stderr);
    let work = outcome.stderr.lines().find(|l| l.starts_with("work")).unwrap();
    assert!(!work.contains(" 0.0 ns"), "{work}");
    let outcome = simulate(dir.path(), &["--work", "guessed", "--machine", "ib-edr", "-n", "3", "ring.upc"]);
    assert!(outcome.status == 1 && outcome.stderr.contains("`guessed` is no way to charge work"), "{}", outcome.stderr);
}
const LOOPS: &str = r#"
#include <stdio.h>
#include <upc.h>
#include <upc_tick.h>
double a[1000], b[1000];
int main(void) {
    double sum = 0;
    upc_tick_t start = upc_ticks_now();
    for (int i = 0; i < 1000; i++) sum += a[i] * b[i];
    upc_tick_t end = upc_ticks_now();
    printf("%g, %lu ns\n", sum, (unsigned long)upc_ticks_to_ns(end - start));
    return 0;
}
"#;
#[test]
fn operations_cost_what_the_machine_file_says() {
    let dir = with("loops.upc", LOOPS);
    // An iteration: 2 loads, their addresses, a product and a sum, the counter's sum and comparison, and a branch.
    for (machine, cycle, cycles) in
        [("t3d", 1000.0 / 150.0, 2.0 * 2.0 + 4.0 + 2.0 * 3.0 + 1.5), ("paragon", 20.0, 14.5)]
    {
        for optimized in ["-O0", "-O3"] {
            let outcome = simulate(dir.path(), &["--machine", machine, "-n", "1", optimized, "loops.upc"]);
            assert_eq!(outcome.status, 0, "{}", outcome.transcript());
            let ns: f64 = outcome.stdout.trim_start_matches("0, ").trim_end_matches(" ns\n").parse().unwrap();
            // Before the loop, its first test; beside it, the calls that read the clock, and a nanosecond of the clock.
            let expected = cycle * (1000.0 * cycles);
            assert!(ns >= expected - 1.0 && ns <= expected + 40.0 * cycle, "{machine}: {ns} ns, expected {expected}");
            assert!(outcome.stderr.contains("by their costs in the machine file"), "{}", outcome.stderr);
        }
    }
    let free = simulate(dir.path(), &["--machine", "t3d", "--work=none", "-n", "1", "loops.upc"]);
    assert!(free.stderr.contains("Work is not charged"), "{}", free.stderr);
    let file = "name = 'bare'\n[simulated]\nabout = 'a test'\n[simulated.network]\nkind = 'loggp'\n\
        ports = { value = 4, other = 'a test' }\nL = { value = '1 us', other = 'a test' }\n\
        o_send = { value = '1 us', other = 'a test' }\no_recv = { value = '1 us', other = 'a test' }\n\
        g = { value = '1 us', other = 'a test' }\nG = { value = '1 ns / 1 B', other = 'a test' }\n";
    std::fs::write(dir.path().join("bare.toml"), file).unwrap();
    let unknown = simulate(dir.path(), &["--machine", "bare.toml", "--work=counted", "-n", "1", "loops.upc"]);
    assert!(unknown.stderr.contains("does not say what operations cost"), "{}", unknown.stderr);
}
const SWEEPS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#include <upc_tick.h>
double a[8192] __attribute__((aligned(8192)));
static double sweep(int words, double *ns) {
    double sum = 0;
    upc_tick_t start = upc_ticks_now();
    for (int i = 0; i < words; i += 4) sum += a[i];
    *ns = (double)upc_ticks_to_ns(upc_ticks_now() - start) / (words / 4);
    return sum;
}
int main(void) {
    double hit, miss;
    double sum = sweep(512, &hit) + sweep(512, &hit) + sweep(8192, &miss) + sweep(8192, &miss);
    printf("%g %.1f %.1f\n", sum, hit, miss);
    return 0;
}
"#;
/// Caches see addresses, which must not depend on how large the environment is.
#[test]
fn what_caches_see_does_not_depend_on_the_environment() {
    const TOGETHER: &str = r#"
#include <upc.h>
static volatile int fixed[1024];
int main(int argc, char **argv) {
    volatile int mine[1024];
    int sum = 0;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 1024; i++) sum += mine[i] = fixed[i] + argv[0][0];
    return sum == 1;
}
"#;
    let dir = with("together.upc", TOGETHER);
    let report = |size: usize| {
        let mut command = fathom();
        command.current_dir(dir.path()).env("SOMETHING", "x".repeat(size));
        command.args(["simulate", "--machine", "t3d", "--work=accesses", "-n", "1", "-O2", "together.upc"]);
        let outcome = run(command, LIMIT);
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
        outcome.stderr
    };
    let first = report(0);
    for size in [1, 40, 1500, 5000] {
        assert_eq!(report(size), first);
    }
}
/// T3D study, section 2.2: a line of 32 bytes from the same page of memory comes in 145 ns; 8 KB of cache hold 4 KB, and
/// of 64 KB nothing when the sweep comes again.
#[test]
fn the_machines_caches_answer_accesses() {
    let dir = with("sweeps.upc", SWEEPS);
    let outcome = simulate(dir.path(), &["--machine", "t3d", "--work=accesses", "-n", "1", "-O2", "sweeps.upc"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    let ns: Vec<f64> = outcome.stdout.split_whitespace().map(|n| n.parse().unwrap()).collect();
    let (hit, miss) = (ns[1], ns[2]);
    assert!(hit < 100.0 && miss - hit > 0.9 * 145.0 && miss - hit < 1.1 * 145.0, "{}", outcome.stdout);
    // A load costs two cycles if it is only counted, and a hit is one. What counts is no access: neither the sum of the work
    // nor how often a block is performed.
    let counted = simulate(dir.path(), &["--machine", "t3d", "-n", "1", "-O2", "sweeps.upc"]);
    let by_counts: f64 = counted.stdout.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!((by_counts - hit - 6.7).abs() < 2.0, "{hit} ns, counted {by_counts}");
    let again = simulate(dir.path(), &["--machine", "t3d", "--work=accesses", "-n", "1", "-O2", "sweeps.upc"]);
    assert_eq!((again.stdout, again.stderr), (outcome.stdout, outcome.stderr));

    let no_node = simulate(dir.path(), &["--machine", "ib-edr", "--work=accesses", "-n", "1", "sweeps.upc"]);
    assert!(no_node.status == 1 && no_node.stderr.contains("has a network only"), "{}", no_node.stderr);
    let cc = |args: &[&str]| {
        let mut command = fathom();
        command.current_dir(dir.path()).arg("cc").args(args).arg("sweeps.upc");
        run(command, LIMIT)
    };
    assert_eq!(cc(&["--conduit", "sim", "-o", "silent"]).status, 0);
    let silent = simulate(dir.path(), &["--machine", "t3d", "--work=accesses", "-n", "1", "./silent"]);
    assert!(silent.status == 1 && silent.stderr.contains("cc --conduit sim --accesses"), "{}", silent.stderr);
    assert_eq!(cc(&["--conduit", "sim", "--accesses", "-o", "tells"]).status, 0);
    let tells = simulate(dir.path(), &["--machine", "t3d", "-n", "1", "./tells"]);
    assert_eq!(tells.status, 0, "{}", tells.transcript());
    for (args, why) in [
        (&["--accesses", "-o", "x"][..], "on simulated machines only"),
        (&["--conduit", "sim", "-fsanitize=thread", "-o", "x"], "finds nothing"),
    ] {
        let refused = cc(args);
        assert!(refused.status == 1 && refused.stderr.contains(why), "{}", refused.stderr);
    }
}
#[test]
fn work_is_declared_and_calibrated() {
    let program = r#"
#include <fathom_work.h>
#include <stdio.h>
#include <upc.h>
#include <upc_tick.h>
int main(void) {
    upc_tick_t start = upc_ticks_now();
    fathom_declare_work(1e6, 8000);
    printf("%lu\n", (unsigned long)upc_ticks_to_ns(upc_ticks_now() - start));
    return 0;
}
"#;
    let dir = with("declared.upc", program);
    let outcome = simulate(dir.path(), &["--machine", "paragon", "-n", "1", "declared.upc"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    // 3 cycles for an operation, 1.5 for a load, 20 ns a cycle; and two calls.
    let ns: f64 = outcome.stdout.trim().parse().unwrap();
    assert!((60_030_000.0..60_031_000.0).contains(&ns), "{ns}");
    assert!(outcome.stderr.contains("declared 100 % of its work"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("declared.upc:8  60.030 ms  100 %  100 %"), "{}", outcome.stderr);
    let mut elsewhere = fathom();
    elsewhere.current_dir(dir.path()).args(["run", "-n", "1", "declared.upc"]);
    assert_eq!(run(elsewhere, LIMIT).status, 0);

    std::fs::write(dir.path().join("loops.upc"), LOOPS).unwrap();
    let measured = simulate(dir.path(), &["--machine", "ib-edr", "--calibrate=costs.toml", "-n", "1", "loops.upc"]);
    assert_eq!(measured.status, 0, "{}", measured.transcript());
    let by_costs =
        || simulate(dir.path(), &["--machine", "ib-edr", "--work", "calibrated:costs.toml", "-n1", "loops.upc"]);
    let (once, again) = (by_costs(), by_costs());
    assert!(once.status == 0 && once.stderr.contains("fitted to a program's time"), "{}", once.transcript());
    assert_eq!((once.stdout, once.stderr), (again.stdout, again.stderr));
    for (args, why) in [
        (&["--work=calibrated:absent.toml"][..], "absent.toml"),
        (&["--calibrate", "x", "--work", "none"], "give one --machine, and no --work"),
    ] {
        let mut all = vec!["--machine", "ib-edr", "-n", "1"];
        all.extend(args);
        all.push("loops.upc");
        let refused = simulate(dir.path(), &all);
        assert!(refused.status == 1 && refused.stderr.contains(why), "{}", refused.stderr);
    }
}
