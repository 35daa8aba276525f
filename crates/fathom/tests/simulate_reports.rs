//! `fathom simulate`: what its report says besides the times: what they depend on, the lines of programs in C, and how much of
//! the program's own time is charged.

use crate::support;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::{fathom, folder, root, run, Outcome};

const LIMIT: Duration = Duration::from_secs(240);

fn perform(folder: &Path, args: &[&str]) -> Outcome {
    let mut command = fathom();
    command.current_dir(folder).args(args);
    run(command, LIMIT)
}

fn succeeds(folder: &Path, args: &[&str]) -> Outcome {
    let outcome = perform(folder, args);
    assert_eq!(outcome.status, 0, "{args:?}: {}", outcome.transcript());
    outcome
}

const NEIGHBOURS: &str = r#"
#include <upc_relaxed.h>
shared int a[THREADS];
double sum;
int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    for (int r = 0; r < 20; r++) {
        for (int i = 0; i < 100 * (MYTHREAD + 1); i++) sum += i * 0.5;
        sum += a[(MYTHREAD + 1) % THREADS];
        upc_lock(lock);
        upc_unlock(lock);
        upc_barrier;
    }
    return 0;
}
"#;

/// One command tells what a trace and a replay tell.
#[test]
fn what_the_time_depends_on_needs_no_trace() {
    let dir = folder(&[("p.upc", NEIGHBOURS), ("empty/x", "")]);
    let part = |text: &str, machine: &str| {
        let from = text.split_once(&format!("\nOn {machine}:\n")).unwrap_or_else(|| panic!("{text}")).1.to_string();
        from.split("\nOn ").next().unwrap().to_string()
    };
    let machines = ["ib-edr", "t3d"];
    let run_of =
        ["simulate", "--machine", "ib-edr", "--machine", "t3d", "-n", "4", "--what-if", "--html", "w.html", "p.upc"];
    let mut command = fathom();
    command.current_dir(dir.path()).args(run_of).env("TMPDIR", dir.path().join("empty"));
    let both = run(command, LIMIT);
    assert_eq!(both.status, 0, "{}", both.transcript());
    for machine in machines {
        succeeds(dir.path(), &["simulate", "--machine", machine, "-n", "4", "--trace", "t", "p.upc"]);
        let replayed = succeeds(dir.path(), &["replay", "t", "--what-if"]).stderr;
        let told = part(&both.stderr, machine);
        assert_eq!(told.trim_end(), part(&replayed, machine).trim_end());
        assert!(told.contains("If all threads had the mean work") && told.contains("work"), "{told}");
        // The same beside a trace that is kept.
        let kept =
            succeeds(dir.path(), &["simulate", "--machine", machine, "-n", "4", "--trace", "k", "--what-if", "p.upc"]);
        assert_eq!(part(&kept.stderr, machine).trim_end(), told.trim_end());
        assert_eq!(std::fs::read(dir.path().join("k")).unwrap(), std::fs::read(dir.path().join("t")).unwrap());
    }
    let page = std::fs::read_to_string(dir.path().join("w.html")).unwrap();
    assert!(page.contains("What the time depends on on ib-edr") && page.contains("If communication took no time"));
    // The file of the trace is gone.
    let left =
        |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().starts_with(".tmp");
    assert!(!std::fs::read_dir(dir.path().join("empty")).unwrap().any(left));
}

const RING: &str = r#"#include <fathom.h>
static long get(int from, fathom_ptr box) {
    return (long)fathom_get_value(fathom_on(from, box), sizeof(long));
}
int main(int argc, char **argv) {
    fathom_init(&argc, &argv);
    fathom_ptr box = fathom_alloc_all(sizeof(long));
    long mine = fathom_me(), sum = 0;
    fathom_put(fathom_on((fathom_me() + 1) % fathom_count(), box), &mine, sizeof mine);
    fathom_barrier_all();
    for (int t = 0; t < fathom_count(); t++)
        sum += get(t, box);
    fathom_barrier_all();
    for (int i = 0; i < 3; i++)
        fathom_fetch_add(fathom_on(0, box), 1);
    fathom_finalize();
    return sum != fathom_count() * (fathom_count() - 1) / 2;
}
"#;

/// A program in C on fathom.h, compiled without our front end.
fn in_c(folder: &Path, flags: &[&str]) {
    let runtime = root().join("runtime");
    let mut command = Command::new("cc");
    command
        .current_dir(folder)
        .args(["-std=gnu11", "-c", "ring.c", "-I"])
        .arg(&runtime)
        .arg("-I")
        .arg(runtime.join("include"));
    command.arg("-DFATHOM_CONDUIT_HEADER=\"conduit/distributed.h\"").args(flags);
    let compiled = command.output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    succeeds(folder, &["cc", "--conduit", "sim", "ring.o", "-o", "ring"]);
}

#[test]
fn programs_in_c_have_lines() {
    let dir = folder(&[("ring.c", RING)]);
    for optimization in ["-O0", "-O2"] {
        in_c(dir.path(), &["-g", optimization]);
        let args = ["simulate", "--machine", "ib-edr", "-n", "4", "--all-lines", "--trace", "t", "./ring"];
        let outcome = succeeds(dir.path(), &args);
        let line = |number: u32| {
            let head = format!("ring.c:{number} ");
            let mut found = outcome.stderr.lines().filter(|l| l.starts_with(&head));
            let line = found.next().unwrap_or_else(|| panic!("{number}: {}", outcome.stderr));
            assert_eq!(found.next(), None);
            line.split_whitespace().collect::<Vec<_>>()
        };
        // The put, and the gets, which stand where they are called first of all: with their bytes.
        assert!(line(9).ends_with(&["4", "32"]), "{:?}", line(9));
        assert!(line(3).ends_with(&["12", "96"]), "{:?}", line(3));
        assert!(outcome.stderr.contains("ring.c:10 ") && outcome.stderr.contains("ring.c:15 "), "{}", outcome.stderr);
        // Always the same, and in a replay.
        assert_eq!(succeeds(dir.path(), &args).stderr, outcome.stderr);
        let replayed = succeeds(dir.path(), &["replay", "t", "--all-lines"]);
        assert!(outcome.stderr.starts_with(&replayed.stderr), "{}", replayed.stderr);
        assert!(outcome.stderr.contains("The program's own work is not counted"), "{}", outcome.stderr);
    }
    in_c(dir.path(), &["-O2"]);
    let without = succeeds(dir.path(), &["simulate", "--machine", "ib-edr", "-n", "4", "./ring"]);
    assert!(!without.stderr.contains("ring.c:") && without.stderr.contains("compile it with -g"), "{}", without.stderr);
}

/// The front end takes a source in C on fathom.h as it takes one in UPC: its work is counted, and calls of fathom.h, which it
/// does not know, have their lines, too.
#[test]
fn sources_in_c_on_fathom_h_are_compiled_and_counted() {
    let counted = RING.replace("sum += get(t, box);", "sum += get(t, box) * 3 / 3;");
    let dir = folder(&[("ring.c", &counted)]);
    let args = ["simulate", "--machine", "t3d", "-n", "4", "--all-lines", "--trace", "t", "ring.c"];
    let outcome = succeeds(dir.path(), &args);
    let line = |number: u32| {
        let head = format!("ring.c:{number} ");
        let mut found = outcome.stderr.lines().filter(|l| l.starts_with(&head));
        let line = found.next().unwrap_or_else(|| panic!("{number}: {}", outcome.stderr));
        assert_eq!(found.next(), None, "{}", outcome.stderr);
        line.split_whitespace().collect::<Vec<_>>()
    };
    // The put and the gets with their bytes; the loop's work, which stands in the same file.
    assert!(line(9).ends_with(&["4", "32"]), "{:?}", line(9));
    assert!(line(3).ends_with(&["12", "96"]), "{:?}", line(3));
    assert!(line(12).ends_with(&["100", "%", "0", "0"]), "only work: {:?}", line(12));
    assert!(outcome.stderr.contains("Work is the operations in the program's own source"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("is not counted"), "{}", outcome.stderr);
    assert_eq!(succeeds(dir.path(), &args).stderr, outcome.stderr);
    let replayed = succeeds(dir.path(), &["replay", "t", "--all-lines"]);
    assert!(outcome.stderr.starts_with(&replayed.stderr), "{}", replayed.stderr);
    // C++ is the C++ compiler's.
    std::fs::copy(dir.path().join("ring.c"), dir.path().join("ring.cpp")).unwrap();
    let refused = perform(dir.path(), &["simulate", "--machine", "t3d", "-n", "4", "ring.cpp"]);
    assert!(refused.status == 1 && refused.stderr.contains("is a source in C++"), "{}", refused.stderr);
    assert!(refused.stderr.contains("pkg-config --cflags --libs fathom-sim"), "{}", refused.stderr);
    // The same source on this computer.
    succeeds(dir.path(), &["run", "-n", "3", "ring.c"]);
}

/// Works for as long as it takes to be sampled, in a library or in its own source.
const BUSY: &str = r#"
#include <string.h>
#include <sys/resource.h>
#include <upc.h>
char from[1 << 16], to[1 << 16];
double a[1000], sum;
static double used(void) {
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    return r.ru_utime.tv_sec + 1e-6 * r.ru_utime.tv_usec;
}
int main(int argc, char **argv) {
    if (MYTHREAD == 0)
        while (used() < 1.5) {
            if (argc > 1)
                for (int i = 0; i < 1000; i++) { memmove(to, from + i % 7, sizeof to - 7); from[i] += to[i]; }
            else
                for (int k = 0; k < 1000; k++)
                    for (int i = 0; i < 1000; i++) a[i] = a[i] * 0.5 + sum, sum += a[i];
        }
    upc_barrier;
    return 0;
}
"#;

#[test]
fn the_share_of_work_that_is_not_charged_is_measured() {
    let dir = folder(&[("busy.upc", BUSY), ("p.upc", NEIGHBOURS)]);
    let told = |args: &[&str]| {
        let all =
            [&["simulate", "--machine", "ib-edr", "-n", "2", "--check-work", "-O2", "busy.upc"][..], args].concat();
        let text = succeeds(dir.path(), &all).stderr;
        let at = text.find(" of the program's own time").unwrap_or_else(|| panic!("{text}"));
        let percent: f64 = text[..at].lines().last().unwrap().trim_end_matches(" %").parse().unwrap();
        (percent, text)
    };
    let (percent, text) = told(&["library"]);
    assert!(
        percent > 50.0 && text.contains("warning: that is more than 5 %") && text.contains("busy.upc:16"),
        "{text}"
    );
    let (percent, text) = told(&[]);
    assert!(percent < 50.0, "{text}");
    // The times do not depend on it, and what takes no time says so.
    let plain = succeeds(dir.path(), &["simulate", "--machine", "t3d", "-n", "3", "p.upc"]).stderr;
    let checked = succeeds(dir.path(), &["simulate", "--machine", "t3d", "-n", "3", "--check-work", "p.upc"]).stderr;
    assert!(checked.starts_with(&plain) && checked.contains("too little time here"), "{checked}");
    let refused = perform(dir.path(), &["simulate", "--machine", "t3d", "--check-work", "--work=none", "p.upc"]);
    assert!(
        refused.status == 1 && refused.stderr.contains("--check-work asks what counted work"),
        "{}",
        refused.stderr
    );
}
