//! `fathom run --explain` and `fathom explain`: what is counted is exact on every conduit, advice appears where there is
//! evidence and not where there is none, a trace outlives its thread, and who does not ask pays nothing.

use crate::support;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::conduits::{conduits, On};
use support::{fathom_in, folder, Outcome};

/// Each line that ends in a comment says what it does in all: accesses by `own` and `other`, as expressions of T, the number
/// of threads.
const COUNTED: &str = r#"
#include <upc.h>
#include <upc_nb.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include "part.h"
#define TWICE(x) ((x) + (x))
#define N 24
#define NEXT ((MYTHREAD + 1) % THREADS)
shared int a[N * THREADS], c[N * THREADS];
shared [6] long b[N * THREADS];
shared [4] int m[THREADS][4];
strict shared int flag[THREADS];
struct pair { int low : 4; int high : 12; double d[2]; };
shared struct pair s[THREADS];
shared long word[THREADS];
shared [8] char from[8 * THREADS];
shared [8] char to[8 * THREADS];
upc_lock_t *lock;
int main(void) {
    int i, j, sum = 0;
    char buffer[48];
    upc_forall (i = 0; i < N * THREADS; i++; &a[i]) a[i] = i;           // own 24*T other 0
    upc_forall (i = 0; i < N * THREADS; i++; i) c[i] += 1;              // own 24*T other 0
    upc_forall (i = 0; i < N * THREADS; i++; &b[i]) b[i] = 1;           // own 24*T other 0
    upc_forall (i = 0; i < 2 * THREADS; i++; &a[(i * 1) % 48]) a[i] = 3; // own 2*T other 0
    upc_forall (i = 0; i < 5; i++; continue) sum += a[MYTHREAD];        // own 5*T other 0
    upc_barrier;
    for (i = 0; i < N * THREADS; i++) sum += a[i];                      // own 24*T other 24*T*(T-1)
    for (i = 0; i < 10; i++) a[NEXT] = i;                               // next 10
    for (j = 0; j < 4; j++) sum += m[0][j];                             // own 4 other 4*(T-1)
    sum += TWICE(a[MYTHREAD]);                                          // own 2*T other 0
    for (i = 0; i < 3; i++) flag[NEXT] = i;                             // next 3
    s[MYTHREAD].high++;                                                 // own T other 0
    s[NEXT].low = 1;                                                    // next 1
    s[NEXT].d[1] = 2;                                                   // next 1
    { shared int *p = &a[MYTHREAD]; (*p)++; p += THREADS; sum += *p; }  // own 2*T other 0
    for (i = 0; sum && i < 7; i++) { if (i & 1) continue; sum += a[MYTHREAD]; } // own 4*T other 0
    upc_memget(buffer, &from[8 * NEXT], 8);                             // next 1
    upc_memput(&to[8 * NEXT], buffer, 8);                               // next 1
    upc_memset(&to[8 * MYTHREAD], 0, 8);                                // own T other 0
    upc_sync(upc_memget_nb(buffer, &from[8 * NEXT], 4));                // next 1
    upc_barrier;
    upc_lock(lock = upc_all_lock_alloc()); upc_unlock(lock);
    { upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
      long one = 1;
      upc_atomic_relaxed(d, 0, UPC_ADD, &word[NEXT], &one, 0); }        // next 1
    upc_all_broadcast(to, from, 8, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);   // own 1 other T-1
    part();
    upc_barrier;
    return sum == -1;
}
"#;

const PART_H: &str = "#include <upc.h>\nshared int *cursor(void);\nvoid part(void);\n";

const PART: &str = r#"
#include "part.h"
extern shared int a[24 * THREADS];
shared int *cursor(void) { return &a[MYTHREAD]; }
void part(void) {
    for (int i = 0; i < 6; i++) *cursor() = i;                          // own 6*T other 0
}
"#;

fn f(dir: &Path, on: &On, line: &str, story: &str) -> Outcome {
    with_comm(dir, on, line, story, "")
}

/// The same, with mechanisms of FATHOM_COMM, or those by default.
fn with_comm(dir: &Path, on: &On, line: &str, story: &str, comm: &str) -> Outcome {
    let mut command = support::fathom();
    let words: Vec<&str> = line.split_whitespace().collect();
    command.current_dir(dir).arg(words[0]).args(on.options()).args(&words[1..]);
    on.environment(&mut command, story);
    command.env("FATHOM_COMM", comm);
    support::run(command, std::time::Duration::from_secs(120))
}

fn smp() -> On {
    conduits().expect("conduits").into_iter().find(|c| c.label == "smp").expect("smp is always tested")
}

fn explained(dir: &Path, what: &str) -> Value {
    let outcome = fathom_in(dir, ["explain", what, "--json"]);
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    serde_json::from_str(&outcome.stdout).expect("JSON")
}

fn line<'a>(found: &'a Value, file: &str, number: usize) -> Option<&'a Value> {
    let here = |l: &&Value| l["line"] == number && l["file"].as_str().is_some_and(|f| f.ends_with(file));
    found["lines"].as_array().expect("lines").iter().find(here)
}

/// `24*T*(T-1)`
fn value(expression: &str, threads: f64) -> f64 {
    let factor = |f: &str| match f.trim() {
        "T" => threads,
        "T-1" | "(T-1)" => threads - 1.0,
        n => n.parse().expect("a number"),
    };
    expression.split('*').map(factor).product()
}

fn rules(found: &Value) -> Vec<(String, u64)> {
    let list = found["advice"].as_array().expect("advice").iter();
    list.map(|a| (a["rule"].as_str().expect("a rule").to_string(), a["line"].as_u64().expect("a line"))).collect()
}

/// Compares what was found with the comments in a file of the program; the number of lines that have one.
fn compare(on: &On, threads: u32, found: &Value, file: &str, text: &str) -> usize {
    let t = f64::from(threads);
    let mut seen = 0;
    for (i, l) in text.lines().enumerate() {
        let Some((_, expected)) = l.rsplit_once("// ") else { continue };
        let (expected, bytes) = match expected.split_once(" bytes ") {
            Some((accesses, bytes)) => (accesses, Some(value(bytes, t))),
            None => (expected, None),
        };
        let words: Vec<&str> = expected.split_whitespace().collect();
        let (own, other) = match words.as_slice() {
            ["own", own, "other", other] => (value(own, t), value(other, t)),
            // To the next thread, which alone is oneself.
            ["next", times] if threads == 1 => (value(times, t), 0.0),
            ["next", times] => (0.0, value(times, t) * t),
            _ => panic!("{expected}"),
        };
        let place = format!("{} {threads} threads, {file}:{}: {}", on.label, i + 1, l.trim());
        let line = line(found, file, i + 1).unwrap_or_else(|| panic!("{place}: nothing counted"));
        let at = |what: &str, k: &str| line[what][k].as_f64().expect("a number");
        let accesses = |k: &str| at("accesses", k);
        // Which other threads are near is the conduit's business.
        assert_eq!((accesses("own"), accesses("near") + accesses("far")), (own, other), "{place}");
        if let Some(bytes) = bytes {
            assert_eq!(["own", "near", "far"].iter().map(|k| at("bytes", k)).sum::<f64>(), bytes, "{place}");
        }
        if on.label == "smp" {
            assert_eq!(accesses("far"), 0.0, "{place}");
        }
        if on.is_far() && !on.is_mpi() {
            assert_eq!(accesses("near"), 0.0, "{place}");
        }
        seen += 1;
    }
    seen
}

/// The same for Split-C: reads and writes, gets, puts and stores, bulk and atomic operations.
const SPLIT: &str = r#"
#include <split-c/split-c.h>
#include <split-c/control.h>
#include <split-c/atomic.h>
#include <stdlib.h>
#define NEXT ((MYPROC + 1) % PROCS)
struct pair { int a[3]; double d; } pairs[PROCS]::;
int counts[PROCS]::, grid[PROCS]::[8], one;
char bytes[PROCS]::[64];
void add(int *where, int value) { *where += value; }
void callee(int k, int X[PROCS]::[k]) {
    for (int i = 0; i < k; i++) X[NEXT][i] = i;                         // next 8 bytes 32*T
}
int splitc_main() {
    int i, sum = 0, *global p = toglobal(NEXT, &one), *spread s = counts;
    struct pair pair;
    char buffer[64];
    for (i = 0; i < 10; i++) *p = i;                                    // next 10 bytes 40*T
    for (i = 0; i < 11; i++) sum += *p;                                 // next 11 bytes 44*T
    for (i = 0; i < 12; i++) sum := *p;                                 // next 12 bytes 48*T
    for (i = 0; i < 13; i++) *p := i;                                   // next 13 bytes 52*T
    for (i = 0; i < 14; i++) *p :- i;                                   // next 14 bytes 56*T
    sync();
    all_store_sync();
    for (i = 0; i < PROCS; i++) counts[i] = 1;                          // own T other T*(T-1) bytes 4*T*T
    for (i = 0; i < PROCS; i++) sum += *s++;                            // own T other T*(T-1) bytes 4*T*T
    for_my_1d (i, PROCS) counts[i]++;                                   // own T other 0 bytes 4*T
    pair = pairs[NEXT];                                                 // next 1 bytes 24*T
    pair := pairs[NEXT];                                                // next 1 bytes 24*T
    pairs[NEXT] := pair;                                                // next 1 bytes 24*T
    sync();
    callee(8, grid);
    bulk_read(buffer, bytes[NEXT], 5);                                  // next 1 bytes 5*T
    bulk_write(bytes[NEXT], buffer, 6);                                 // next 1 bytes 6*T
    bulk_get(buffer, bytes[NEXT], 7);                                   // next 1 bytes 7*T
    bulk_put(bytes[NEXT], buffer, 8);                                   // next 1 bytes 8*T
    bulk_store(bytes[NEXT], buffer, 9);                                 // next 1 bytes 9*T
    byte_write(&bytes[NEXT][63], 1);                                    // next 1 bytes 1*T
    all_store_sync();
    for (i = 0; i < 6; i++) fetch_and_add(p, 1);                        // next 6 bytes 24*T
    atomic(add, p, 1);                                                  // next 1 bytes 0
    barrier();
    (*tolocal(&counts[MYPROC]))++;
    sum += all_reduce_to_all_add(1);
    barrier();
    return sum == -1;
}
"#;

#[test]
fn split_c_is_counted_as_upc_is() {
    for on in conduits().expect("conduits") {
        let dir = folder(&[("counted.sc", SPLIT)]);
        let story = format!("explain-split-c-{}", on.label);
        let built = f(dir.path(), &on, "cc --explain -O1 counted.sc -o counted", &story);
        assert_eq!(built.status, 0, "{}: {}", on.label, built.transcript());
        let counts: &[u32] = if on.label == "smp" { &[1, 2, 3, 5] } else { &[1, 3] };
        for n in counts {
            let ran = f(dir.path(), &on, &format!("{} --explain -n {n} ./counted", on.start().join(" ")), &story);
            assert_eq!(ran.status, 0, "{} {n}: {}", on.label, ran.transcript());
            let found = explained(dir.path(), "counted");
            assert_eq!(compare(&on, *n, &found, "counted.sc", SPLIT), 20, "{}", on.label);
            let calls = |text: &str| {
                let number = 1 + SPLIT.lines().position(|l| l.trim() == text).expect("a line");
                line(&found, "counted.sc", number).unwrap_or_else(|| panic!("{text}"))["calls"].as_f64()
            };
            for text in ["sync();", "all_store_sync();", "barrier();", "sum += all_reduce_to_all_add(1);"] {
                assert_eq!(calls(text), Some(f64::from(*n)), "{} {n}: {text}", on.label);
            }
            let advice = rules(&found);
            assert!(advice.iter().all(|(rule, _)| rule != "strict"), "{advice:?}");
        }
    }
}

#[test]
fn every_access_is_counted_once_by_line_and_distance() {
    let mut seen = 0;
    for on in conduits().expect("conduits") {
        let dir = folder(&[("counted.upc", COUNTED), ("part.upc", PART), ("part.h", PART_H)]);
        let story = format!("explain-counts-{}", on.label);
        let built = f(dir.path(), &on, "cc --explain -O1 counted.upc part.upc -o counted", &story);
        assert_eq!(built.status, 0, "{}: {}", on.label, built.transcript());
        let counts: &[u32] = if on.label == "smp" { &[1, 2, 3, 4, 7] } else { &[1, 3] };
        for n in counts {
            let ran = f(dir.path(), &on, &format!("{} --explain -n {n} ./counted", on.start().join(" ")), &story);
            assert_eq!(ran.status, 0, "{} {n}: {}", on.label, ran.transcript());
            let found = explained(dir.path(), "counted");
            assert_eq!(found["threads"], *n);
            assert_eq!(found["remarks"].as_array().map(Vec::len), Some(0), "{} {n}: {}", on.label, found["remarks"]);
            for (file, text) in [("counted.upc", COUNTED), ("part.upc", PART)] {
                seen += compare(&on, *n, &found, file, text);
            }
            // What the lines say is what the matrix says.
            let sum = |v: &Value| -> f64 {
                v.as_array()
                    .expect("rows")
                    .iter()
                    .flat_map(|r| r.as_array().expect("a row"))
                    .filter_map(Value::as_f64)
                    .sum()
            };
            let of_lines: f64 = found["lines"]
                .as_array()
                .expect("lines")
                .iter()
                .map(|l| ["own", "near", "far"].iter().filter_map(|k| l["bytes"][k].as_f64()).sum::<f64>())
                .sum();
            assert_eq!(sum(&found["bytes"]), of_lines, "{} {n}", on.label);
        }
    }
    assert!(seen > 100, "{seen} lines");
}

/// Loops that go from element to element by a pointer are counted by their length: the same as by asking each access. The
/// program is compiled twice, with pointers that walk and with subscripts; who goes where must be the same.
#[test]
fn a_walk_is_counted_as_its_accesses_would_be() {
    let program = r#"
#include <upc.h>
#include <stdlib.h>
#define N 60
shared int a[N * THREADS];
shared [6] long b[N * THREADS];
shared [] short *in;
#ifdef WALK
#define LOOP(pointer, at, n, step, access) { pointer = &at; for (int i = 0; i < n; i++ step(p)) access(p) }
#define AFTER(p)
#define BESIDE(p) , p++
#define READ(p) sum += *p++;
#define WRITE(p) *p++ = i;
#define LOOK(p) sum += *p;
#define STOP(p) { if (*p == -1) break; if (i == 11) break; }
#define SKIP(p) { if (i % 3 == 0) continue; sum += *p; }
#define SOME(p) if (i % 3) sum += *p++;
#define TWO(p) { p += 1; sum += *p; p += 1; }
#else
#define LOOP(pointer, at, n, step, access) { pointer = &at; int k = 0; for (int i = 0; i < n; i++ step(k)) access(k) }
#define AFTER(k)
#define BESIDE(k) , k++
#define READ(k) sum += p[k++];
#define WRITE(k) p[k++] = i;
#define LOOK(k) sum += p[k];
#define STOP(k) { if (p[k] == -1) break; if (i == 11) break; }
#define SKIP(k) { if (i % 3 == 0) continue; sum += p[k]; }
#define SOME(k) if (i % 3) sum += p[k++];
#define TWO(k) { k++; sum += p[k]; k++; }
#endif
int main(void) {
    int sum = 0;
    shared short *list = upc_global_alloc(THREADS, N * sizeof(short));
    in = (shared [] short *)&list[0];
    if (MYTHREAD == 0)
        for (int s = 0; s < 14; s += 3)
            for (int n = 0; n < 40; n += 7) {
                LOOP(shared int *p, a[s], n, AFTER, READ)
                LOOP(shared int *p, a[s], n, BESIDE, LOOK)
                LOOP(shared [6] long *p, b[s], n, AFTER, READ)
                LOOP(shared [6] long *p, b[s], n, AFTER, WRITE)
                LOOP(shared [6] long *p, b[s], n, BESIDE, LOOK)
                LOOP(shared [6] long *p, b[s], n, BESIDE, STOP)
                LOOP(shared [6] long *p, b[s], n, BESIDE, SKIP)
                LOOP(shared [6] long *p, b[s], n, AFTER, SOME)
                LOOP(shared [6] long *p, b[s], n / 3, AFTER, TWO)
                LOOP(shared [] short *p, in[s], n / 2, AFTER, READ)
                LOOP(shared [] short *p, in[s], n / 2, AFTER, TWO)
            }
    upc_barrier;
    return sum == 1;
}
"#;
    let dir = folder(&[("walks.upc", program)]);
    for (name, option) in [("pointers", "-DWALK"), ("subscripts", "-DINDEX")] {
        let line = format!("cc --explain -O1 {option} walks.upc -o {name}");
        let built = f(dir.path(), &smp(), &line, "explain-walks");
        assert_eq!(built.status, 0, "{}", built.transcript());
    }
    let c = fathom_in(dir.path(), ["cc", "-trans", "--explain", "-DWALK", "walks.upc", "-o", "walks.c"]);
    assert_eq!(c.status, 0, "{}", c.transcript());
    let c = fs::read_to_string(dir.path().join("walks.c")).expect("C");
    // Of the eleven accesses SKIP's and TWO's of the blocked array are no walks.
    assert_eq!(c.matches("fathom_explain_walk(&").count(), 9);
    for n in [1, 2, 7] {
        let matrix = |name: &str| {
            let ran = f(dir.path(), &smp(), &format!("run --explain -n {n} ./{name}"), "explain-walks");
            assert_eq!(ran.status, 0, "{}", ran.transcript());
            explained(dir.path(), name)["accesses"].clone()
        };
        assert_eq!(matrix("pointers"), matrix("subscripts"), "{n} threads");
    }
}

/// The mechanisms of FATHOM_COMM. The word at the end of a line names the one that serves all its far accesses.
const SERVED: &str = r#"
#include <upc_relaxed.h>
#include <bupc_extensions.h>
#define N 96
#define NEXT ((MYTHREAD + 1) % THREADS)
struct cell { int low : 4, high : 12; long b; double d[2]; };
shared [8] long x[N * THREADS];
shared [8] long y[N * THREADS];
shared long c[N * THREADS];
shared int index[N * THREADS];
shared [4] struct cell cells[N * THREADS];
shared [N] long counts[N * THREADS];
shared int bound;
strict shared int flag[THREADS];
shared [] long *list;
int idx[N * 16];
long copy[N * 16];
shared [8] long *shared all_of;
int main(void) {
    long s = 0;
    int i, j, n = N * THREADS, off = N / 2;
    shared [8] long *p, *q;
    shared long *r;
    shared [8] long *in = x;
    shared [4] struct cell *e;
    for (i = 0; i < n; i++) idx[i] = (i * 7 + MYTHREAD) % n;
    upc_forall (i = 0; i < n; i++; &index[i]) index[i] = (i * 5) % n;
    if (MYTHREAD == 0) { bound = n; all_of = x; }
    upc_barrier;
    list = (shared [] long *)&counts[NEXT * N];
    upc_barrier;
    for (i = 0; i < n; i++) s += x[i];                                  // strip
    for (i = 0; i < n; i++) copy[i] = c[i];                             // strip
    for (i = 2; i < n - 3; i++) s += x[i - 1] + 2 * x[i] - x[i + 3] + c[i - 2]; // strip
    for (i = 0; i < n - off; i++) s += in[i + off];                     // strip
    for (i = 0; i < n; i++) if (i % 3) s += x[i];                       // strip
    for (i = 0; i < n; i++) { if (i == n / 2) break; s += c[i]; }       // strip
    for (i = 0; i < n; i++) { if (i % 5 == 0) continue; s += x[i] + cells[i].b; } // strip
    for (i = 0; i < n; i++) s += cells[i].d[1] + cells[i].high;         //
    for (i = 0; i < N; i++) s += list[i];                               // strip
    for (i = 0; i < bound; i++) s += x[i];                              //
    for (i = 0; i < n; i++) s += x[idx[i]];                             // gather
    for (i = 0; i < n; i++) { int k = idx[i]; s += c[k] + cells[k].b; } // gather
    for (i = 0; i < n; i++) s += x[index[i]];                           // both
    for (i = 0; i < n; i++) if (idx[i] & 1) s += x[idx[i]];             // gather
    for (i = 0; i < n; i++) copy[i] = c[idx[i]] + x[i];                 // both
    for (i = 0; i < 8; i++) for (j = 0; j < 12; j++) s += counts[NEXT * N + i * 12 + j]; // both
    for (p = x; p < x + n; p++) s += *p;                                // strip
    p = x, q = x + n; while (p != q) s += *p++;                         // strip
    for (p = x + 1; p < x + n - 1; p++) s += p[-1] + p[1];              // strip
    for (r = c; r < c + n; r++) if (r != c + 3) s += *r;                // strip
    for (e = cells; e < cells + n; e++) s += e->b + (long)e->d[0];      // strip
    upc_forall (i = 0; i < n; i++; &y[i]) y[i] = x[n - 1 - i];          // gather
    upc_forall (i = 0; i < n; i++; i) s += c[i] + x[idx[i]];            // gather
    upc_barrier;
    for (i = 0; i < n; i++) counts[idx[i]] += 1;                        // owner
    for (i = 0; i < N; i++) bupc_atomicL_fetchadd_relaxed(&counts[NEXT * N + i], 1); // owner
    upc_barrier;
    for (i = 0; i < N; i++) y[(NEXT * 8 + i % 8) % n + i / 8 * 8 * THREADS] = i; // outbox
    for (i = 0; i < N; i++) cells[i].low = i & 3;                       //
    for (i = 0; i < N; i++) s += counts[i] ^= 3;                        //
    for (i = 0; i < N; i++) flag[NEXT] = i;                             // strict
    for (j = 0; j < 3; j++) s += flag[NEXT];                            // strict
    for (j = 0; j < 2; j++) s += x[j];                                  // alone
    for (i = 0, j = 0; i < n; i += 2, j++) s += x[i];                   // line
    for (i = 0; i < n; i++) x[i] = x[i] + 1;                            //
    upc_barrier;
    return s == 1;
}
"#;

/// Whatever serves an access, it is counted once, for the same place and thread as one that is made alone; and the trace says
/// what served it.
#[test]
fn mechanisms_change_no_count_and_are_named() {
    for on in conduits().expect("conduits").into_iter().filter(|c| c.is_far() && c.label != "sim") {
        let dir = folder(&[("served.upc", SERVED)]);
        let story = format!("explain-served-{}", on.label);
        let built = f(dir.path(), &on, "cc --explain -O1 -fcomm-opt served.upc -o served", &story);
        assert_eq!(built.status, 0, "{}: {}", on.label, built.transcript());
        for n in [2, 3] {
            let run = |comm: &str| {
                let line = format!("{} --explain -n {n} ./served", on.start().join(" "));
                let ran = with_comm(dir.path(), &on, &line, &story, comm);
                assert_eq!(ran.status, 0, "{} {n} {comm}: {}", on.label, ran.transcript());
                explained(dir.path(), "served")
            };
            // Lines of a size that is named are kept however long the program takes.
            let (off, served) = (run("off"), run("outbox,updates,lines=512,gathers"));
            assert_eq!(
                off["far"]["alone"].as_f64().zip(off["far"]["strict"].as_f64()).map(|(a, b)| a + b),
                off["far"]["accesses"].as_f64()
            );
            let parts = run("outbox=128,updates,lines=64,strips=7,gathers=5,foresee=3,force");
            let mut words = 0;
            for (i, text) in SERVED.lines().enumerate() {
                let place = format!("{} {n} threads, line {}: {}", on.label, i + 1, text.trim());
                let of = |found: &Value| line(found, "served.upc", i + 1).map(|l| l["accesses"].clone());
                assert_eq!(of(&served), of(&off), "{place}: on and off");
                assert_eq!(of(&parts), of(&off), "{place}: in short strips and off");
                let Some(l) = line(&served, "served.upc", i + 1) else { continue };
                let far = |name: &str| l["far"][name].as_f64().unwrap_or_else(|| panic!("{place}: {name}"));
                let by = ["outbox", "owner", "line", "strip", "gather", "strict", "split_phase", "alone"];
                assert_eq!(by.map(far).iter().sum::<f64>(), far("accesses"), "{place}: {}", l["far"]);
                let Some((_, word)) = text.rsplit_once("// ") else { continue };
                if far("accesses") == 0.0 {
                    continue;
                }
                words += 1;
                let share = match word.trim() {
                    "both" => far("strip") + far("gather"),
                    "line" => far("alone") + far("line"),
                    "alone" => far("alone") + far("line"),
                    word => far(word),
                };
                assert_eq!(share, far("accesses"), "{place}: {}", l["far"]);
                match word.trim() {
                    "line" => assert!(far("line") > far("alone"), "{place}: {}", l["far"]),
                    // When an outbox is sent depends on time.
                    "strip" | "gather" | "both" => {
                        assert!((1.0..far("accesses")).contains(&far("messages")), "{place}: {}", l["far"]);
                    }
                    _ => {}
                }
            }
            assert!(words > 20 || !on.label.starts_with("template"), "{} {n}: {words} lines", on.label);
        }
    }
}

/// A thread that reads what it has just written does without an outbox only where little was in it.
#[test]
fn what_its_writer_reads_is_gathered_if_it_is_much() {
    let program = "#include <upc_relaxed.h>\n#define N 100\nshared [N] long w[N * THREADS];\nint main(void) {\n    long s = 0;\n    upc_barrier;\n    if (MYTHREAD == 0)\n        for (int k = 0; k < 40; k++) {\n            for (int i = N; i < 2 * N; i++) w[i] = i;\n            s += w[N + k];\n        }\n    upc_barrier;\n    if (MYTHREAD == 0)\n        for (int k = 0; k < 400; k++) {\n            w[N + k % 7] = k;\n            s += w[N + k % 7];\n        }\n    upc_barrier;\n    return s == 1;\n}\n";
    for on in conduits().expect("conduits").into_iter().filter(|c| c.label == "template") {
        let dir = folder(&[("back.upc", program)]);
        let story = format!("explain-back-{}", on.label);
        let built = f(dir.path(), &on, "cc --explain -O1 back.upc -o back", &story);
        assert_eq!(built.status, 0, "{}: {}", on.label, built.transcript());
        let ran =
            with_comm(dir.path(), &on, &format!("{} --explain -n 2 ./back", on.start().join(" ")), &story, "outbox");
        assert_eq!(ran.status, 0, "{}: {}", on.label, ran.transcript());
        let found = explained(dir.path(), "back");
        let of = |number: usize, name: &str| line(&found, "back.upc", number).expect("line")["far"][name].as_f64();
        assert_eq!(of(9, "outbox"), Some(4000.0));
        assert!(of(15, "alone") > Some(300.0), "{:?}", of(15, "alone"));
    }
}

/// What is written to two threads that are near each other travels in one message, and counts as one. Where the progress thread sends, there are more.
#[test]
fn what_travels_together_is_one_message() {
    let program = "#include <upc_relaxed.h>\nshared int a[THREADS];\nint main(void) {\n    upc_barrier;\n    if (MYTHREAD == 0)\n        for (int i = 0; i < 1000; i++) {\n            a[2] = a[3] = i;\n            upc_fence;\n        }\n    upc_barrier;\n    return 0;\n}\n";
    for on in conduits().expect("conduits").into_iter().filter(|c| c.label == "mpi") {
        let dir = folder(&[("near.upc", program)]);
        let story = format!("explain-bundles-{}", on.label);
        let built = f(dir.path(), &on, "cc --explain -O1 near.upc -o near", &story);
        assert_eq!(built.status, 0, "{}: {}", on.label, built.transcript());
        let messages = |comm: &str| {
            let mut command = support::fathom();
            command.current_dir(dir.path()).arg("run").args(on.options()).args(["--explain", "-n", "4", "./near"]);
            on.environment(&mut command, &story);
            command.env("FATHOM_COMM", comm).env("FATHOM_NODE_MAX", "2");
            let ran = support::run(command, std::time::Duration::from_secs(120));
            assert_eq!(ran.status, 0, "{} {comm}: {}", on.label, ran.transcript());
            explained(dir.path(), "near")["far"]["messages"].as_f64().expect("messages")
        };
        let (apart, together) = (messages("outbox"), messages("bundles"));
        assert!(together < 0.9 * apart, "{}: {together} and {apart}", on.label);
    }
}

#[test]
fn a_run_leaves_a_trace_that_text_and_page_are_made_of() {
    let program = "#include <upc.h>\nshared int a[8 * THREADS];\nint main(void) {\n    for (int i = 0; i < 8 * THREADS; i++)\n        a[i] += i;\n    upc_barrier;\n    return 0;\n}\n";
    let dir = folder(&[("small.upc", program)]);
    let ran = f(dir.path(), &smp(), "run --explain -n 2 small.upc", "explain-page");
    assert_eq!(ran.status, 0, "{}", ran.transcript());
    let text = fathom_in(dir.path(), ["explain", "small", "--html", "small.html"]);
    assert_eq!(text.status, 0, "{}", text.transcript());
    assert!(text.stdout.contains("small.upc:5") && text.stdout.contains("2 threads by smp"), "{}", text.stdout);
    let page = fs::read_to_string(dir.path().join("small.html")).expect("a page");
    for part in ["Communication between threads", "thread 1", "a[i] += i;", "upc_barrier", "</html>"] {
        assert!(page.contains(part), "{part}");
    }
    // Fewer threads leave no traces of the earlier ones behind.
    let ran = f(dir.path(), &smp(), "run --explain -n 1 small.upc", "explain-page");
    assert_eq!(ran.status, 0, "{}", ran.transcript());
    assert_eq!(fs::read_dir(dir.path().join("small.explain")).expect("traces").count(), 1);
    assert_eq!(explained(dir.path(), "small")["threads"], 1);
    assert_eq!(fathom_in(dir.path(), ["explain", "nothing"]).status, 1);
}

/// Neither the C nor the object of a program has anything of the counting unless asked, and the program's folder stays as it
/// was. (That the same C comes out as before there was the option, the other tests of the compiler show.)
#[test]
fn who_does_not_ask_pays_nothing() {
    let dir = folder(&[("counted.upc", COUNTED), ("part.h", PART_H)]);
    let translate = |options: &[&str], out: &str| {
        let words = ["cc", "-trans", "counted.upc", "-o", out].into_iter().chain(options.iter().copied());
        let outcome = fathom_in(dir.path(), words);
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
        fs::read_to_string(dir.path().join(out)).expect("C")
    };
    let (off, on) = (translate(&[], "off.c"), translate(&["--explain"], "on.c"));
    for word in ["fathom_explain", "fathom_site", "fathom_run", "explain.h"] {
        assert!(!off.contains(word), "{word} in code that is not to be explained");
        assert!(on.contains(word), "no {word} in code that is");
    }
    let object = |options: &[&str], out: &str| {
        let words = ["cc", "-O2", "-c", "counted.upc", "-o", out].into_iter().chain(options.iter().copied());
        let outcome = fathom_in(dir.path(), words);
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
        fs::read(dir.path().join(out)).expect("an object")
    };
    let (off_o, on_o) = (object(&[], "off.o"), object(&["--explain"], "on.o"));
    for word in ["fathom_explain", "fathom_site"] {
        let is_in = |bytes: &[u8]| bytes.windows(word.len()).any(|w| w == word.as_bytes());
        assert!(!is_in(&off_o), "{word} in an object that is not to be explained");
        assert!(is_in(&on_o), "no {word} in one that is");
    }
    // The loops are the same ones.
    assert_eq!(off.matches("fathom_cyclic_count(").count(), on.matches("fathom_cyclic_count(").count());
    let plain =
        folder(&[("p.upc", "#include <upc.h>\nshared int x;\nint main(void) { x = 1; upc_barrier; return 0; }\n")]);
    assert_eq!(f(plain.path(), &smp(), "run -n 2 p.upc", "explain-off").status, 0);
    assert_eq!(fs::read_dir(plain.path()).expect("a folder").count(), 1, "a run without --explain leaves nothing");
}

/// An object that is addressed through a constant, and source text with characters that records escape.
const LARGE: &str = r#"
#include <upc.h>
shared [1ul << 22] double large[(1ul << 22) * THREADS];
shared int a[16 * THREADS];
int main(void) {
    large[MYTHREAD << 22] = 1.5;
    upc_barrier;
    return a["\t\\\\="[0]] + large[0] != 1.5;
}
"#;

#[test]
fn a_large_object_and_any_source_text_are_in_the_trace() {
    let dir = folder(&[("large.upc", LARGE)]);
    f(dir.path(), &smp(), "run --explain -n 2 large.upc", "large");
    let found = explained(dir.path(), "large");
    let text = found.to_string();
    assert!(text.contains("large[MYTHREAD << 22]"), "{text}");
    let texts: Vec<&str> = found["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .flat_map(|l| l["places"].as_array().expect("places"))
        .filter_map(|p| p["text"].as_str())
        .collect();
    assert!(texts.contains(&r#"a["\t\\\\="[0]]"#), "{texts:?}");
}

#[test]
fn a_trace_outlives_its_thread() {
    let program = "#include <upc.h>\n#include <signal.h>\nshared int a[THREADS];\nint main(int argc, char **argv) {\n    for (int i = 0; i < 50; i++) a[(MYTHREAD + i) % THREADS] = i;\n    upc_barrier;\n    if (MYTHREAD == 1) { if (argc > 1) raise(SIGKILL); upc_global_exit(3); }\n    upc_barrier;\n    return 0;\n}\n";
    let dir = folder(&[("dies.upc", program)]);
    for end in ["", " killed"] {
        let ran = f(dir.path(), &smp(), &format!("run --explain -n 2 dies.upc{end}"), "explain-dies");
        assert_ne!(ran.status, 0);
        let found = explained(dir.path(), "dies");
        let a = &line(&found, "dies.upc", 5).expect("the line before the end")["accesses"];
        assert_eq!((a["own"].as_f64(), a["near"].as_f64()), (Some(50.0), Some(50.0)), "{end}: {found}");
        let remarks = found["remarks"].to_string();
        assert!(remarks.contains("did not end normally"), "{remarks}");
    }
    // A file that is cut off, and one that is none: the rest is read, and what is missing is said.
    let traces = dir.path().join("dies.explain");
    fs::write(traces.join("thread-0001"), b"FATHOMX\n cut").expect("a damaged trace");
    let found = explained(dir.path(), "dies");
    assert!(found["remarks"].to_string().contains("left out"), "{}", found["remarks"]);
    fs::write(traces.join("thread-0000"), b"").expect("a damaged trace");
    let outcome = fathom_in(dir.path(), ["explain", "dies"]);
    assert_eq!(outcome.status, 1, "{}", outcome.transcript());
}

/// Far accesses one at a time are worth gathering, and a cyclic array that is used in blocks wants blocks; the same work
/// done well gets no such advice. `reference` makes the other threads far on any computer.
#[test]
fn advice_appears_where_there_is_evidence_and_not_where_there_is_none() {
    let program = |body: &str, layout: &str| {
        format!(
            "#include <upc.h>\n#define N 2000\nshared {layout} double a[N * THREADS];\nint main(void) {{\n    double sum = 0, copy[N];\n    {body}\n    upc_barrier;\n    return sum == 12345;\n}}\n"
        )
    };
    let walk = "for (int i = 0; i < N; i++) sum += a[(MYTHREAD + 1) % THREADS * N + i];";
    let writes = "for (int i = 0; i < N; i++) a[(MYTHREAD + 1) % THREADS * N + i] = i;";
    let copied =
        "upc_memget(copy, &a[(MYTHREAD + 1) % THREADS * N], sizeof copy); for (int i = 0; i < N; i++) sum += copy[i];";
    let mine = "for (int i = 0; i < N; i++) a[MYTHREAD * N + i] += 1;";
    let forall = "upc_forall (int i = 0; i < N * THREADS; i++; &a[i]) a[i] += 1;";
    let again =
        "for (int r = 0; r < 300; r++) for (int i = 0; i < 10; i++) sum += a[(MYTHREAD + 1) % THREADS * N + i];";
    let cases = [
        ("aggregate", "off", walk, "[N]", Some("aggregate")),
        ("writes", "off", writes, "[N]", Some("aggregate")),
        ("gathered", "on", writes, "[N]", None),
        ("kept", "lines=512", walk, "[N]", None),
        ("copied", "off", copied, "[N]", None),
        ("block", "off", mine, "", Some("block")),
        ("blocked", "off", mine, "[N]", None),
        ("forall", "off", forall, "", None),
        ("cache", "off", again, "[N]", Some("cache")),
    ];
    let on = conduits().expect("conduits").into_iter().find(|c| c.label == "reference").expect("reference");
    for (name, comm, body, layout, expected) in cases {
        let file = format!("{name}.upc");
        let dir = folder(&[(&file, &program(body, layout))]);
        let ran = with_comm(dir.path(), &on, &format!("run --explain -n 2 {file}"), "explain-advice", comm);
        assert_eq!(ran.status, 0, "{}", ran.transcript());
        let found = explained(dir.path(), name);
        let of_line = |l: u64| -> Vec<String> {
            rules(&found).into_iter().filter(|(_, at)| *at == l).map(|(rule, _)| rule).collect()
        };
        match expected {
            Some(rule) => assert!(of_line(6).contains(&rule.to_string()), "{name}: {}", found["advice"]),
            None => assert!(of_line(6).is_empty(), "{name}: {}", found["advice"]),
        }
    }
}

/// A spread array whose elements are used by other processors than theirs wants blocks, in Split-C's notation.
#[test]
fn advice_on_spread_arrays_is_in_the_words_of_split_c() {
    let program = |array: &str, element: &str| {
        format!(
            "#include <split-c/split-c.h>\n#define N 2000\ndouble {array};\nint splitc_main() {{\n    int i;\n    \
             for (i = 0; i < N; i++) {element} += 1;\n    barrier();\n    return 0;\n}}\n"
        )
    };
    let on = conduits().expect("conduits").into_iter().find(|c| c.label == "reference").expect("reference");
    let cases = [
        ("cyclic", program("a[N * PROCS]::", "a[MYPROC * N + i]"), true),
        ("blocked", program("a[PROCS]::[N]", "a[MYPROC][i]"), false),
    ];
    for (name, text, wants_blocks) in cases {
        let file = format!("{name}.sc");
        let dir = folder(&[(&file, &text)]);
        let ran = f(dir.path(), &on, &format!("run --explain -n 2 {file}"), "explain-spread");
        assert_eq!(ran.status, 0, "{}", ran.transcript());
        let found = explained(dir.path(), name);
        let advice = found["advice"].to_string();
        assert_eq!(advice.contains("block `a` by 2000 (`a[PROCS]::[2000]`) instead of 1"), wants_blocks, "{advice}");
        assert!(!advice.contains("shared ["), "{advice}");
        assert!(wants_blocks || rules(&found).iter().all(|(_, at)| *at != 6), "{advice}");
    }
}

/// The mechanism is the one that the runtime takes, with what decided: the built-in rule, or the table's line.
#[test]
fn a_bulk_call_says_which_mechanism_moved_its_data_and_why() {
    let program = "#include <upc.h>\n#include <bupc_extensions.h>\nshared [8192] char a[8192 * THREADS];\nint main(void) {\n    static char to[8192];\n    int next = (MYTHREAD + 1) % THREADS;\n    upc_memget(to, &a[next * 8192], 4096);\n    bupc_memget_fstrided(to, 8, 8, 64, &a[next * 8192], 8, 64, 64);\n    upc_barrier;\n    return 0;\n}\n";
    let table = "contiguous: string < 100000, library\ngather element=8..15: prefetch\n";
    let dir = folder(&[("bulk.upc", program), ("table", table)]);
    let taken = |found: &Value, at: usize| -> Value {
        line(found, "bulk.upc", at).expect("a line")["places"][0]["mechanisms"][0].clone()
    };
    let says = |t: &Value, decision: &str, mechanism: &str, because: &str| {
        assert_eq!((t["decision"].as_str(), t["mechanism"].as_str()), (Some(decision), Some(mechanism)), "{t}");
        assert_eq!(t["because"].as_str(), Some(because), "{t}");
    };
    let run = |variables: &[(&str, &str)]| {
        let mut command = support::fathom();
        command.current_dir(dir.path()).args(["run", "--explain", "-n", "2", "bulk.upc"]);
        smp().environment(&mut command, "explain-mechanisms");
        command.env("XDG_CONFIG_HOME", dir.path()).envs(variables.iter().copied());
        let ran = support::run(command, std::time::Duration::from_secs(120));
        assert_eq!(ran.status, 0, "{}", ran.transcript());
        explained(dir.path(), "bulk")
    };
    let found = run(&[]);
    let contiguous = taken(&found, 7);
    assert!(contiguous["because"].as_str().is_some_and(|b| b.starts_with("built in: ")), "{contiguous}");
    assert_eq!(contiguous["bytes"], serde_json::json!([4096, 4096]));
    assert_eq!(taken(&found, 8)["shape"], "8-byte elements 64 bytes apart");
    let found = run(&[("FATHOM_TUNING", "table")]);
    says(&taken(&found, 7), "contiguous", "string", "table table: string < 100000, library");
    says(&taken(&found, 8), "gather", "prefetch", "table table: prefetch");
}

/// The runtime's structures are what the reader takes them for: sizes and offsets by a C compiler.
#[test]
fn reader_and_runtime_agree_on_the_trace() {
    let root = support::root();
    let dir = folder(&[(
        "o.c",
        "#include \"lang/explain_trace.h\"\n#define AT(f, word) _Static_assert(__builtin_offsetof(struct trace_header, f) == 8 + 8 * (word), #f)\nAT(version, 0); AT(start_ticks, 8); AT(text_at, 14); AT(locks, 24); AT(objects, 25); AT(events, 27); AT(events_lost, 29);\nAT(processors, 32); AT(fence_ticks, 33); AT(choices_at, 34); AT(processor_ns, 35); AT(site_samples, 36); AT(served_at, 37); AT(conduit, 38); AT(host, 40); AT(boot, 48); AT(program, 53); AT(table, 117);\n_Static_assert(sizeof(struct trace_stat) == 112 && sizeof(struct trace_sample) == 24 && sizeof(struct trace_lock) == 72 && sizeof(struct trace_choice) == 176 && TRACE_CHOICES == 8 && TRACE_LOCKS == 256 && TRACE_SERVED == 4, \"\");\n",
    )]);
    let runtime = root.join("runtime");
    let status = Command::new(std::env::var("CC").unwrap_or("cc".into()))
        .arg("-fsyntax-only")
        .arg("-DFATHOM_CONDUIT_HEADER=\"conduit/smp/fathom_conduit.h\"")
        .args([runtime.join(""), runtime.join("include"), runtime.join("lang")].map(|p| format!("-I{}", p.display())))
        .arg(dir.path().join("o.c"))
        .status()
        .expect("a C compiler");
    assert!(status.success());
}
