//! `fathom simulate`: programs on simulated machines take the same time each time; how they go on and end; what cannot be simulated.

use crate::support;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Arc;
use std::thread::JoinHandle;
use support::simulate::{simulate, with, LIMIT, RING};
use support::{fathom, root, run};

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

/// No operation on shared data happens in the loop: it is known to wait, or its work alone lets time go on, where the compiler does
/// not see whose memory it reads.
#[test]
fn a_loop_that_waits_for_its_own_memory_ends() {
    let program = r#"
#include <stdio.h>
#include <string.h>
#include <upc.h>
shared int flag[THREADS];
int main(void) {
    volatile int *seen = (volatile int *)&flag[MYTHREAD], *unseen;
    memcpy(&unseen, &seen, sizeof unseen);
    if (MYTHREAD == 0) {
        while (!*WHICH)
            ;
    } else
        flag[0] = 1;
    upc_barrier;
    printf("%d\n", *WHICH);
    return 0;
}
"#;
    for which in ["seen", "unseen"] {
        let dir = with("spin.upc", &program.replace("WHICH", which));
        let outcome = simulate(dir.path(), &["--machine", "ib-edr", "-n", "2", "spin.upc"]);
        let mut flags: Vec<&str> = outcome.stdout.lines().collect();
        flags.sort_unstable();
        assert_eq!((outcome.status, flags), (0, vec!["0", "1"]), "{}", outcome.transcript());
    }
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
    for (what, status) in [("1", 7), ("3", 9)] {
        let sentence = format!("the program ended with status {status}: there is no report of its time");
        assert!(of(what).stderr.contains(&sentence), "{}", of(what).transcript());
    }
    let left = of("4");
    assert!(left.status == 1 && left.stderr.contains("thread 1 has terminated"), "{}", left.transcript());
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
        (&["--machine", "t3d", "-n", "2", "--trace", "no/such", "ring.upc"], "cannot write no/such"),
        (&["--machine", "t3d", "-n", "2", "--calibrate", "no/such", "ring.upc"], "cannot write no/such"),
        (&["--machine", "t3d", "-n", "2", "/bin/true"], "/bin/true ended (exit status: 0), and no program for"),
        (&["--machine", "t3d", "-n", "2", "/bin/false"], "/bin/false ended (exit status: 1), and no program for"),
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
        (
            "L =",
            "back_put = { value = \"1 us\", other = \"a test\" }\nL =",
            "comes with `network.o_put` and `network.g_put`",
        ),
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
