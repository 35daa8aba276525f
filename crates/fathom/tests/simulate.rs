//! `fathom simulate`: programs on simulated machines.

mod support;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use support::{fathom, root, run, Outcome};

const LIMIT: Duration = Duration::from_secs(240);

fn simulate(folder: &Path, args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.current_dir(folder).arg("simulate").args(args);
    run(command, LIMIT)
}

/// A folder with a program in it.
fn with(name: &str, text: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(name), text).unwrap();
    dir
}

const RING: &str = r#"
#include <stdio.h>
#include <upc_relaxed.h>
#include <upc_tick.h>
shared int box[THREADS];
strict shared int token;
int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    upc_tick_t start = upc_ticks_now();
    box[(MYTHREAD + 1) % THREADS] = MYTHREAD;
    upc_barrier;
    int sum = 0;
    for (int t = 0; t < THREADS; t++) sum += box[t];
    for (int i = 0; i < 5; i++) {
        upc_lock(lock);
        token = token + 1;
        upc_unlock(lock);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("sum %d, token %d, %lu ns\n", sum, token, (unsigned long)upc_ticks_to_ns(upc_ticks_now() - start));
    return 0;
}
"#;

#[test]
fn a_run_takes_the_same_time_each_time() {
    let dir = with("ring.upc", RING);
    for machine in ["ib-edr", "t3d", "slingshot-11"] {
        let once = simulate(dir.path(), &["--machine", machine, "-n", "5", "ring.upc"]);
        assert_eq!(once.status, 0, "{}", once.transcript());
        assert!(once.stdout.starts_with("sum 10, token 25, "), "{}", once.stdout);
        assert!(
            once.stderr.starts_with("ring.upc, 5 threads\n") && once.stderr.contains("barriers"),
            "{}",
            once.stderr
        );
        // Nor does it matter what else is in the environment.
        let mut command = fathom();
        command.current_dir(dir.path()).args(["simulate", "--machine", machine, "-n5", "-o", "report", "ring.upc"]);
        command.env("SOMETHING", "x".repeat(3000));
        let again = run(command, LIMIT);
        assert_eq!((again.stdout, again.stderr), (once.stdout, String::new()));
        assert_eq!(std::fs::read_to_string(dir.path().join("report")).unwrap(), once.stderr);
    }
}

/// Endless loops on all processors, until this is dropped.
struct Loops {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Loops {
    fn begin() -> Loops {
        let is_over = Arc::new(AtomicBool::new(false));
        let count = std::thread::available_parallelism().map_or(1, |n| n.get());
        // More than processors, so that whoever simulates shares its own with one.
        let threads = (0..=count).map(|_| {
            let is_over = is_over.clone();
            std::thread::spawn(move || while !is_over.load(Relaxed) {})
        });
        let threads = threads.collect();
        Loops { is_over, threads }
    }
}

impl Drop for Loops {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        self.threads.drain(..).for_each(|thread| _ = thread.join());
    }
}

#[test]
fn three_runs_beside_endless_loops_have_the_report_of_an_idle_computer() {
    let dir = with("ring.upc", RING);
    // A network only, a node with messages in memory and a barrier in hardware, and caches that answer accesses.
    let runs: [&[&str]; 3] = [
        &["--machine", "ib-edr", "--machine", "slingshot-11", "-n", "20", "ring.upc"],
        &["--machine", "t3d", "-n", "20", "ring.upc"],
        &["--machine", "paragon", "--work", "accesses", "-n", "6", "ring.upc"],
    ];
    for args in runs {
        let idle = simulate(dir.path(), args);
        assert_eq!(idle.status, 0, "{}", idle.transcript());
        let loops = Loops::begin();
        for _ in 0..3 {
            let busy = simulate(dir.path(), args);
            assert_eq!((&busy.stdout, &busy.stderr), (&idle.stdout, &idle.stderr));
        }
        drop(loops);
    }
}

const MANY: &str = r#"
#include <stdio.h>
#include <string.h>
#include <upc_relaxed.h>
#define N 700
shared [N] int block[THREADS][N];
shared int seen[THREADS];
strict shared int order[THREADS];
int main(void) {
    int next = (MYTHREAD + 1) % THREADS, last = (MYTHREAD + THREADS - 1) % THREADS, right = 1, mine[N];
    for (int i = 0; i < N; i++) mine[i] = MYTHREAD * N + i;
    upc_memput(&block[next][0], mine, sizeof mine);
    order[next] = MYTHREAD;
    upc_barrier;
    for (int i = 0; i < N; i++) right &= block[MYTHREAD][i] == last * N + i;
    upc_memget(mine, &block[(MYTHREAD + THREADS / 2) % THREADS][0], sizeof mine);
    for (int i = 0; i < N; i++) right &= mine[i] == (MYTHREAD + THREADS / 2 + THREADS - 1) % THREADS * N + i;
    for (int t = 0; t < THREADS; t += 7) right &= order[t] == (t + THREADS - 1) % THREADS;
    upc_memset(&block[next][N / 2], 7, 5 * sizeof(int));
    seen[MYTHREAD] = right;
    upc_barrier;
    right = block[MYTHREAD][N / 2 + 4] == 0x07070707 && block[MYTHREAD][N / 2 + 5] == last * N + N / 2 + 5;
    for (int t = 0; t < THREADS; t++) right &= seen[t];
    if (MYTHREAD == 0 || !right) printf("thread %d: %s\n", MYTHREAD, right ? "right" : "WRONG");
    return !right;
}
"#;

/// Of more than 256 threads a process does not map the others' memory.
#[test]
fn many_threads_reach_each_others_memory() {
    let dir = with("many.upc", MANY);
    for threads in ["256", "257"] {
        let outcome = simulate(dir.path(), &["--machine", "ib-edr", "-n", threads, "-o", "report", "many.upc"]);
        assert_eq!((outcome.status, &*outcome.stdout), (0, "thread 0: right\n"), "{}", outcome.transcript());
    }
}

const WORDS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_nb.h>
enum { WORDS = 3, OWN = 8 };
shared [OWN] long word[OWN * THREADS];
shared [1] int seen[THREADS];
static long *mine[WORDS];
static int half;
int main(void) {
    int right = 1;
    for (int w = 0; w < WORDS; w++) mine[w] = malloc(THREADS * sizeof(long));
    for (int i = 0; i < OWN; i++) word[MYTHREAD * OWN + i] = MYTHREAD * 1000L + i;
    upc_barrier;
    for (int round = 0; round < 2; round++) {
        for (int w = 0; w < WORDS; w++)
            for (int t = 0; t < THREADS; t++)
                upc_memget_nbi(&mine[w][t], &word[t * OWN + (w + t + round) % OWN], sizeof(long));
        /* Not a whole word; and a put to where nothing is read. */
        upc_memget_nbi(&half, (shared [] int *)&word[(MYTHREAD + 1) % THREADS * OWN], sizeof half);
        seen[(MYTHREAD + 1) % THREADS] = round + 1;
        upc_synci();
        for (int w = 0; w < WORDS; w++)
            for (int t = 0; t < THREADS; t++)
                right &= mine[w][t] == t * 1000L + (w + t + round) % OWN + (round && (w + t + round) % OWN ? 500000 : 0);
        right &= half == (MYTHREAD + 1) % THREADS * 1000;
        upc_barrier;
        right &= seen[MYTHREAD] == round + 1;
        for (int i = 1; i < OWN; i++) word[MYTHREAD * OWN + i] += 500000;
        upc_barrier;
    }
    if (MYTHREAD == 0 || !right) printf("thread %d: %s\n", MYTHREAD, right ? "right" : "WRONG");
    return !right;
}
"#;

/// Of more than 256 threads the engine fetches words that are not waited for: more of them than are fetched at once.
#[test]
fn words_of_many_threads_come_before_they_are_waited_for() {
    let dir = with("words.upc", WORDS);
    for threads in ["256", "257"] {
        let outcome = simulate(dir.path(), &["--machine", "t3d", "-n", threads, "-o", "report", "words.upc"]);
        assert_eq!((outcome.status, &*outcome.stdout), (0, "thread 0: right\n"), "{}", outcome.transcript());
    }
}

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

fn replay(folder: &Path, args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.current_dir(folder).arg("replay").args(args);
    run(command, LIMIT)
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

/// The messages of the job's end meet at a few processors, which serve them one after the other: waits for each other must
/// not grow from one to the next.
#[test]
fn many_messages_at_once_take_their_time_and_no_more() {
    let program = "#include <upc.h>\nstrict shared int a[THREADS];\nint main(void) {\n    int t = 0;\n    \
        for (int i = 0; i < 40; i++) a[(MYTHREAD + i) % THREADS] = i, t += a[(MYTHREAD * 7 + i) % THREADS];\n    \
        upc_barrier;\n    return t < 0;\n}\n";
    let dir = with("strict.upc", program);
    let ms = |threads: &str| -> f64 {
        let outcome = simulate(dir.path(), &["--machine", "t3d", "-n", threads, "strict.upc"]);
        let line = outcome.stderr.lines().find(|l| l.starts_with("time")).unwrap_or_default().to_string();
        let words: Vec<&str> = line.split_whitespace().collect();
        let unit = [("us", 1e-3), ("ms", 1.0), ("s", 1e3)].into_iter().find(|(unit, _)| words.last() == Some(unit));
        words[1].parse::<f64>().unwrap() * unit.unwrap().1
    };
    let (few, many) = (ms("32"), ms("128"));
    assert!(many < 4.0 * few, "{few} ms, {many} ms");
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

/// No operation on shared data happens in the loop: its work alone lets time go on.
#[test]
fn a_loop_that_waits_for_its_own_memory_ends() {
    let program = r#"
#include <stdio.h>
#include <upc.h>
shared int flag[THREADS];
int main(void) {
    volatile int *own = (volatile int *)&flag[MYTHREAD];
    if (MYTHREAD == 0) {
        while (!*own)
            ;
    } else
        flag[0] = 1;
    upc_barrier;
    printf("%d\n", *own);
    return 0;
}
"#;
    let dir = with("spin.upc", program);
    let outcome = simulate(dir.path(), &["--machine", "ib-edr", "-n", "2", "spin.upc"]);
    assert_eq!((outcome.status, outcome.stdout.as_str()), (0, "1\n0\n"), "{}", outcome.transcript());
}

/// Claims T68 and T70 of the T3D study: from the version that asks for each value again and again to the one that
/// sends all values together. Bundle and unroll communicate in the same way.
#[test]
fn versions_of_em3d_come_in_the_printed_order_on_the_t3d() {
    let outcome = simulate(
        &root().join("examples/em3d"),
        &["--work=none", "--machine", "t3d", "-n", "32", "-O3", "em3d.sc", "all", "500", "20", "20", "3"],
    );
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    let ns = |version: &str| -> f64 {
        let line = outcome.stdout.lines().find(|l| l.starts_with(version)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    // Their communication alone: the work for the ghosts is the example's own.
    let order: Vec<f64> = ["simple", "bundle", "unroll", "get", "put", "bulk"].map(ns).to_vec();
    assert_eq!(order[1], order[2], "{order:?}");
    let falls = |from: usize, to: usize| order[from] > order[to];
    assert!(falls(0, 1) && falls(2, 3) && falls(3, 4) && falls(4, 5), "{order:?}");
}

#[test]
fn sleeps_and_clocks_are_the_machines() {
    let program = r#"
#include <assert.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <upc.h>
int main(void) {
    struct timespec a, b;
    struct timeval now;
    clock_gettime(CLOCK_MONOTONIC, &a);
    sleep(100000);
    clock_gettime(CLOCK_MONOTONIC, &b);
    gettimeofday(&now, NULL);
    assert(b.tv_sec - a.tv_sec == 100000);
    if (MYTHREAD == 1) usleep(2000000);
    printf("%d %ld %ld\n", MYTHREAD, (long)now.tv_sec, (long)time(NULL));
    return 0;
}
"#;
    let dir = with("sleep.upc", program);
    let outcome = simulate(dir.path(), &["--machine", "ib-edr", "-n", "2", "sleep.upc"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    assert_eq!(outcome.stdout, "0 946784800 946784800\n1 946784800 946784802\n");
}

#[test]
fn what_cannot_be_simulated_is_an_error_that_says_what_to_do() {
    let dir = with("ring.upc", RING);
    for (args, why) in [
        (&["-n", "2", "ring.upc"][..], "the machine is missing: give it with --machine"),
        (&["--machine", "pdp11", "-n", "2", "ring.upc"], "there is no machine `pdp11`"),
        (&["--machine", "cm5", "-n", "2", "ring.upc"], "the machine `cm5` cannot be simulated"),
        (&["--machine", "ib-edr", "ring.upc"], "the number of threads is missing"),
        (&["--machine", "ib-edr", "-n", "2"], "no program to run"),
        (&["--machine", "ib-edr", "-n", "2"], "for example: fathom simulate --machine"),
        (&["--machine", "t3d", "-n", "4096", "ring.upc"], "the network joins 2048 processors, not 4096"),
        (&["--machine", "t3d", "-n", "2", "-o", ".", "ring.upc"], "cannot write ."),
        (&["--machine", "t3d", "-n", "2", "--conduit", "mpi", "ring.upc"], "runs on the conduit sim, not mpi"),
        (&["--machine", "t3d", "-n", "2", "-o"], "the option '-o' needs a value after it"),
    ] {
        let outcome = simulate(dir.path(), args);
        assert!(outcome.status == 1 && outcome.stderr.contains(why), "{args:?}: {}", outcome.transcript());
    }
    // A program that is linked for simulated machines.
    let mut command = fathom();
    command.current_dir(dir.path()).args(["cc", "--conduit", "sim", "-o", "ring", "ring.upc"]);
    assert_eq!(run(command, LIMIT).status, 0);
    let mut command = fathom();
    command.current_dir(dir.path()).args(["run", "-n", "2", "./ring"]);
    let outcome = run(command, LIMIT);
    assert!(outcome.stderr.contains("fathom simulate --machine NAME -n N starts it"), "{}", outcome.transcript());
    let outcome = run(std::process::Command::new(dir.path().join("ring")), LIMIT);
    assert!(
        outcome.status == 1 && outcome.stderr.contains("start it by `fathom simulate`"),
        "{}",
        outcome.transcript()
    );
    assert_eq!(simulate(dir.path(), &["--machine", "ib-edr", "-n", "3", "./ring"]).status, 0);
}

#[test]
fn a_machine_file_with_a_mistake_is_an_error_that_names_its_line() {
    const GOOD: &str = r#"[simulated]
about = "A network for tests."
[simulated.network]
kind = "loggp"
ports = { value = 64, other = "a test" }
L = { value = "5 us", assumed = "a test", range = ["1 us", "9 us"] }
"#;
    let dir = with("ring.upc", RING);
    for (right, wrong, why) in [
        ("5 us", "5 MB", "line 6: figure `network.L` is a size in bytes, and its range a time"),
        ("[\"1 us\"", "[\"6 us\"", "line 6: figure `network.L` is not within its range"),
        ("value = 64", "value = \"64 B\"", "line 5: network: figure `network.ports` must be a number"),
        ("L =", "l =", "line 3: network: there is no figure `network.L`; did you mean `network.l`?"),
        ("5 us", &format!("{}5 us", "(".repeat(50_000)), "too many parentheses"),
    ] {
        let path = dir.path().join("mine.toml");
        std::fs::write(path, GOOD.replacen(right, wrong, 1)).unwrap();
        let outcome = simulate(dir.path(), &["--machine", "mine.toml", "-n", "2", "ring.upc"]);
        assert!(outcome.status == 1 && outcome.stderr.contains(why), "{wrong:.20}: {}", outcome.transcript());
    }
    std::fs::write(dir.path().join("mine.toml"), b"\xff\xfe").unwrap();
    for (file, why) in [("mine.toml", "UTF-8"), ("./", "Is a directory"), ("/dev/zero", "larger than 64 MB")] {
        let outcome = simulate(dir.path(), &["--machine", file, "-n", "2", "ring.upc"]);
        assert!(outcome.status == 1 && outcome.stderr.contains(why), "{file}: {}", outcome.transcript());
        assert!(outcome.stderr.contains("a machine file is text in TOML"), "{file}: {}", outcome.transcript());
    }
}

/// Many that ask one thread without a pause leave it the time to go on.
#[test]
fn who_is_asked_all_the_time_gets_on_nevertheless() {
    let program = r#"
#include <unistd.h>
#include <upc.h>
#include <upc_atomic.h>
shared int flag;
int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_GET | UPC_SET, 0);
    int seen = 0;
    upc_barrier;
    if (MYTHREAD == 0) {
        usleep(10);
        flag = 1;
        upc_fence;
    }
    while (!seen) upc_atomic_strict(domain, &seen, UPC_GET, &flag, NULL, NULL);
    return 0;
}
"#;
    let dir = with("spin.upc", program);
    for n in ["2", "16", "40"] {
        assert_eq!(simulate(dir.path(), &["--machine", "ib-edr", "-n", n, "spin.upc"]).status, 0, "{n}");
    }
}

#[test]
fn what_nobody_rings_for_is_seen_all_the_same() {
    let program = r#"
#include <bupc_extensions.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <upc.h>
shared bupc_sem_t *shared semaphore;
static void on_alarm(int signal) {
    struct timespec t;
    (void)signal;
    clock_gettime(CLOCK_MONOTONIC, &t);
}
int main(void) {
    struct itimerval often = {{0, 200}, {0, 200}};
    signal(SIGALRM, on_alarm);
    if (MYTHREAD == 0) semaphore = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_MPRODUCER);
    upc_barrier;
    setitimer(ITIMER_REAL, &often, NULL);
    if (MYTHREAD == THREADS - 1) bupc_sem_wait(semaphore);
    if (MYTHREAD == 0) {
        usleep(5000);
        bupc_sem_post(semaphore);
    }
    for (int i = 0; i < 2000; i++) upc_barrier;
    return 0;
}
"#;
    let dir = with("wait.upc", program);
    let outcome = simulate(dir.path(), &["--machine", "ib-edr", "-n", "3", "wait.upc"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
}

#[test]
fn a_job_that_ends_early_or_never_ends_the_simulation() {
    let program = r#"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <upc.h>
int main(int argc, char **argv) {
    switch (atoi(argv[1])) {
    case 0: if (MYTHREAD == 1) return 0; break;
    case 1: if (MYTHREAD == 1) upc_global_exit(7); break;
    case 2: if (MYTHREAD == 1) abort(); break;
    case 3: return MYTHREAD == 1 ? 9 : 0;
    case 4: if (MYTHREAD == 1) _exit(0); break;
    case 5: if (MYTHREAD == 1) raise(SIGKILL); break;
    }
    upc_barrier;
    return 0;
}
"#;
    let dir = with("ends.upc", program);
    let of = |what| simulate(dir.path(), &["--machine", "ib-edr", "-n", "3", "ends.upc", what]);
    let never = of("0");
    assert_eq!(never.status, 1, "{}", never.transcript());
    let who = "threads 0, 2 wait at a barrier, thread 1 waits for a message, and nothing is under way";
    assert!(never.stderr.contains(who), "{}", never.stderr);
    assert_eq!(["1", "2", "3", "5"].map(|what| of(what).status), [7, 134, 9, 137]);
    let left = of("4");
    assert!(left.status == 1 && left.stderr.contains("thread 1 has terminated"), "{}", left.transcript());
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
