//! What the command says about far accesses in loops, and what FATHOM_COMM_CHECK finds in a program.

use crate::support;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::command::ok;
use support::{fathom, folder, run, Outcome};

#[test]
fn remarks_say_which_loops_can_fetch_far_data_ahead() {
    let dir = folder(&[(
        "sum.upc",
        "#include <upc_relaxed.h>\nshared int a[10 * THREADS], b[THREADS];\nint sum(int n) {\n    int s = 0;\n\
             for (int i = 0; i < n; i++)\n        s += a[i];\n    return s + b[n];\n}\n",
    )]);
    let said = |options: &str| ok(&dir, &format!("cc -O2 --conduit template -c {options} sum.upc")).stderr;
    assert_eq!(said(""), "");
    let both = said("-Rcomm -Rcomm-missed");
    assert!(both.contains("sum.upc:6:14: note: far reads of this loop are fetched in strips [-Rcomm]"), "{both}");
    assert!(
        both.contains("sum.upc:7:16: note: not fetched in strips: the access is not in a loop [-Rcomm-missed]"),
        "{both}"
    );
    let served = said("-Rcomm");
    assert!(served.contains("[-Rcomm]") && !served.contains("missed"), "{served}");
    // Writes take no loop, and no option.
    fs::write(
        dir.path().join("put.upc"),
        "#include <upc_relaxed.h>\nstruct large { char c[4089]; };\nstruct bits { int low : 4; };\nshared int a[THREADS];\n\
             shared struct large l[THREADS];\nshared struct bits b[THREADS];\nvoid put(int i, struct large x) {\n    \
             a[i] = i;\n    l[i] = x;\n    b[i].low = 1;\n}\n",
    )
    .expect("a program");
    for options in ["", "-fno-comm-opt "] {
        let said = ok(&dir, &format!("cc -O2 --conduit template -c {options}-Rcomm -Rcomm-missed put.upc")).stderr;
        for expected in [
            "put.upc:8:5: note: far writes are gathered at run time: many to one thread travel in one message [-Rcomm]",
            "put.upc:9:5: note: each write is a message of its own: the object has 4 KB or more [-Rcomm-missed]",
            "put.upc:10:5: note: each write reads and writes by messages of its own: the object is a bit-field [-Rcomm-missed]",
        ] {
            assert!(said.contains(expected), "{expected}: {said}");
        }
    }
    let without = said("-fno-comm-opt -Rcomm");
    assert!(without.contains("can be fetched in strips") && without.contains("hint: -fcomm-opt"), "{without}");
    assert_eq!(ok(&dir, "cc -O2 --conduit smp -c -Rcomm -Rcomm-missed sum.upc").stderr, "", "nothing is far");
}

/// Writes beyond an array, where the compiler does not look for the elements that it has fetched.
const HIDDEN_WRITE: &str = r#"#include <upc_relaxed.h>
#include <stdio.h>
shared [64] int a[64 * THREADS];
static volatile int here[4];
int main(void) {
    long beyond = (int *)&a[MYTHREAD * 64] - (int *)here;
    int s = 0;
    for (int i = 0; i < 50; i++) {
        if (i == 10) here[beyond + 11] = 5;
        s += a[i];
    }
    printf("sum %d\n", s);
    return 0;
}
"#;

#[test]
fn what_loops_have_fetched_is_compared_at_its_use() {
    let dir = folder(&[("p.upc", HIDDEN_WRITE)]);
    ok(&dir, "cc --conduit template -O1 -fcomm-check -o p p.upc");
    let with = |check: &str| {
        let mut command = fathom();
        command.current_dir(dir.path()).args(["run", "-n", "1", "./p"]);
        command.env("FATHOM_COMM", "strips,force").env("FATHOM_COMM_CHECK", check);
        run(command, Duration::from_secs(60))
    };
    let quiet = with("0");
    assert_eq!((quiet.status, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, "sum 0\n", ""));
    let said = with("1");
    assert_eq!((said.status, said.stdout.as_str()), (0, "sum 0\n"), "{}", said.transcript());
    let place = "p.upc:10 uses 4 bytes of thread 0 that the loop of line 8 fetched";
    assert_eq!(said.stderr.matches(place).count(), 1, "{}", said.stderr);
    let ended = with("stop");
    assert!(ended.status == 1 && ended.stdout.is_empty() && ended.stderr.contains(place), "{}", ended.transcript());
    let wrong = with("2");
    assert!(wrong.status == 1 && wrong.stderr.contains("FATHOM_COMM_CHECK=2: expected 0, 1"), "{}", wrong.transcript());
    ok(&dir, "cc --conduit template -O1 -fcomm-opt -o p p.upc");
    let blind = with("1").stderr;
    assert!(blind.contains("compile the program with -fcomm-check"), "{blind}");
}

/// Promises that an index is constant, and changes it unless it is told to keep to that. The elements are far apart, and the
/// memory for lists is little, so that the table is not fetched whole.
const BROKEN_PROMISE: &str = r#"#include <upc_relaxed.h>
#include <stdio.h>
shared int a[6400 * THREADS];
static int pick[64], start[17];
int main(int argc, char **argv) {
    for (int i = 0; i < 64; i++) pick[i] = 100 * i, a[100 * i] = i;
    for (int i = 0; i < 16; i++) start[i + 1] = start[i] + i % 5;
    for (int times = 0; times < 2; times++) {
        int s = 0;
#pragma fathom constant(pick, start)
        for (int i = 0; i < 16; i++)
            for (int k = start[i]; k < start[i + 1]; k++) s += a[pick[k]];
        printf("sum %d\n", s);
        if (argc > 1) pick[3] = 4000;
    }
    return 0;
}
"#;

#[test]
fn a_broken_promise_is_found() {
    let dir = folder(&[("p.upc", BROKEN_PROMISE)]);
    ok(&dir, "cc --conduit template -O1 -fcomm-check -o p p.upc");
    let with = |check: &str, argument: &[&str]| {
        let mut command = fathom();
        command.current_dir(dir.path()).args(["run", "-n", "1", "./p"]).args(argument);
        command.env("FATHOM_COMM", "gathers,kept=20000,force").env("FATHOM_COMM_CHECK", check);
        run(command, Duration::from_secs(60))
    };
    let kept = "sum 435\nsum 435\n";
    let quiet = with("1", &[]);
    assert_eq!((quiet.status, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, kept, ""));
    // What is undefined is that the list made first serves again.
    let unseen = with("0", &["change"]);
    assert_eq!((unseen.status, unseen.stdout.as_str(), unseen.stderr.as_str()), (0, kept, ""));
    let said = with("1", &["change"]);
    let place = "the loop of p.upc:11 reads other elements than in its execution before";
    assert_eq!((said.status, said.stdout.as_str()), (0, "sum 435\nsum 472\n"), "{}", said.transcript());
    assert!(
        said.stderr.matches(place).count() == 1 && said.stderr.contains("#pragma fathom constant"),
        "{}",
        said.stderr
    );
    let ended = with("stop", &["change"]);
    assert!(ended.status == 1 && ended.stderr.contains(place), "{}", ended.transcript());
}

/// Thread 0 reads a word of thread 1 before and after that thread writes it; only files order the accesses.
const RACE: &str = r#"#include <upc_relaxed.h>
#include <stdio.h>
#include <unistd.h>
shared int x[THREADS];
static void make(const char *name) { fclose(fopen(name, "w")); }
int main(void) {
    if (MYTHREAD == 0) {
        int before = x[1];
        make("read");
        while (access("written", F_OK)) usleep(1000);
        int after = x[1];
        after += x[1];
        printf("%d %d\n", before, after);
    } else {
        while (access("read", F_OK)) upc_poll(), usleep(1000);
        x[1] = 7;
        make("written");
    }
    return 0;
}
"#;

#[test]
fn what_lines_keep_is_compared_at_its_use() {
    let dir = folder(&[("p.upc", RACE)]);
    ok(&dir, "cc --conduit template -O1 -g -o p p.upc");
    let with = |check: &str| {
        for name in ["read", "written"] {
            let _ = fs::remove_file(dir.path().join(name));
        }
        let mut command = fathom();
        command.current_dir(dir.path()).args(["run", "-n", "2", "./p"]);
        command.env("FATHOM_COMM", "lines=64").env("FATHOM_COMM_CHECK", check);
        run(command, Duration::from_secs(60))
    };
    let quiet = with("0");
    assert_eq!((quiet.status, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, "0 0\n", ""));
    let said = with("1");
    assert_eq!((said.status, said.stdout.as_str()), (0, "0 0\n"), "{}", said.transcript());
    for line in [11, 12] {
        let place = format!("main (p.upc:{line}) uses 4 bytes of thread 1 that an access in main (p.upc:8) fetched");
        assert_eq!(said.stderr.matches(&place).count(), 1, "{}", said.stderr);
    }
}

const CALLS_F: &str = r#"#include <upc_relaxed.h>
#include <stdio.h>
shared long t[300 * THREADS];
long f(long x);
int main(void) {
    upc_forall (int i = 0; i < 300 * THREADS; i++; i) t[i] = i;
    upc_barrier;
    long s = 0;
    if (!MYTHREAD)
        for (int i = 0; i < 300 * THREADS; i++) s += t[i] * f(i);
    upc_barrier;
    if (!MYTHREAD) printf("sum %ld\n", s);
    return 0;
}
"#;
const COMPUTES: &str = "long f(long x) { return x % 7; }\n";
/// It changes what the loop comes to later.
const WRITES: &str = "#include <upc_relaxed.h>\nextern shared long t[300 * THREADS];\n\
    long f(long x) { if (x + 2 < 300) t[x + 2] = 5; return x % 7; }\n";
const CALLS_H: &str = "long h(long x);\nlong f(long x) { return h(x) + 1; }\n";
const H_COMPUTES: &str = "long h(long x) { return x % 5; }\n";
const H_CALLS_F: &str = "long f(long x);\nlong h(long x) { return x > 0 ? 3 : f(x + 1); }\n";
const H_WRITES: &str = "#include <upc_relaxed.h>\nextern shared long t[300 * THREADS];\n\
    long f(long);\nlong h(long x) { if (x + 2 < 300) t[x + 2] = 5; return x ? x % 5 : f(1); }\n";
const CALLS_G: &str = "long g(long x) { return x % 7; }\nlong f(long x) { return g(x); }\n";
const WEAK: &str = "__attribute__((weak)) long f(long x) { return x % 7; }\n";
const FETCHES: bool = true;
const AS_WRITTEN: bool = false;

/// Runs `p`, linked with libraries of this folder. What it says names the last loop that fetched ahead.
fn run_linked(dir: &Path, comm: &str, preloaded: Option<&str>) -> Outcome {
    let mut command = fathom();
    command.current_dir(dir).args(["run", "-n", "2", "./p"]);
    command.env("FATHOM_COMM", comm).env("FATHOM_COMM_SITES", "1").env("LD_LIBRARY_PATH", dir);
    if let Some(library) = preloaded {
        command.env("LD_PRELOAD", dir.join(library));
    }
    run(command, Duration::from_secs(60))
}

/// A loop fetches ahead if the function that it calls does nothing but compute, whichever that is in the program, and never otherwise.
#[test]
fn loops_fetch_ahead_if_functions_of_other_files_only_compute() {
    let sources = [
        ("main.upc", CALLS_F),
        ("computes.upc", COMPUTES),
        ("computes.c", COMPUTES),
        ("writes.upc", WRITES),
        ("wrapped.upc", "long __real_f(long x);\nlong __wrap_f(long x) { return __real_f(x); }\n"),
        ("calls.upc", CALLS_H),
        ("h.upc", H_COMPUTES),
        ("h.c", H_COMPUTES),
        ("back.upc", H_CALLS_F),
        ("hw.upc", H_WRITES),
        ("weak.upc", WEAK),
        ("beside.upc", CALLS_G),
        ("g.c", "long g(long x) { return x % 6; }\n"),
    ];
    let dir = folder(&sources);
    let cc = |line: &str| ok(&dir, &format!("cc --conduit template {line}"));
    cc("-O2 -c main.upc computes.upc writes.upc wrapped.upc calls.upc h.upc back.upc hw.upc weak.upc");
    cc("-O2 -c -o oc.o computes.c");
    cc("-O0 -c -o slow.o computes.upc");
    cc("-O2 -fPIC -c -o pic.o computes.upc");
    cc("-O2 -fPIC -c beside.upc");
    let by_others = |line: &str| {
        let mut words = line.split(' ');
        let mut command = Command::new(words.next().expect("a command"));
        assert!(command.current_dir(dir.path()).args(words).status().expect(line).success(), "{line}");
    };
    by_others("cc -O2 -c -o plain.o computes.c");
    by_others("cc -O2 -c -o hplain.o h.c");
    by_others("cc -shared -fPIC -O2 -o libother.so computes.c");
    by_others("cc -shared -o libfc.so pic.o");
    by_others("cc -shared -o libbeside.so beside.o");
    by_others("cc -shared -fPIC -O2 -o libg.so g.c");
    by_others("ar rcs libf.a computes.o");
    by_others("ar rcs libw.a writes.o");
    let run_with = |comm: &str, preloaded: Option<&str>| run_linked(dir.path(), comm, preloaded);
    for (objects, preloaded, expected) in [
        ("computes.o", None, FETCHES),
        ("libf.a", None, FETCHES),
        ("calls.o h.o", None, FETCHES),
        ("calls.o back.o", None, FETCHES),
        ("-L. -lfc", None, FETCHES),
        ("-L. -lbeside", None, FETCHES),
        ("writes.o", None, AS_WRITTEN),
        ("libw.a", None, AS_WRITTEN),
        ("oc.o", None, FETCHES),
        ("plain.o", None, AS_WRITTEN),
        ("slow.o", None, AS_WRITTEN),
        ("weak.o", None, AS_WRITTEN),
        ("weak.o computes.o", None, FETCHES),
        ("weak.o writes.o", None, AS_WRITTEN),
        ("calls.o hplain.o", None, AS_WRITTEN),
        ("calls.o hw.o", None, AS_WRITTEN),
        // The program has two functions f, or calls another one by that name.
        ("-L. -lfc", Some("libother.so"), AS_WRITTEN),
        ("-L. -lother -lfc", None, AS_WRITTEN),
        ("-L. -lbeside", Some("libg.so"), AS_WRITTEN),
        ("-Wl,-z,muldefs writes.o computes.o", None, AS_WRITTEN),
        ("-Wl,-z,muldefs plain.o computes.o", None, AS_WRITTEN),
        ("-Wl,--wrap=f computes.o wrapped.o", None, AS_WRITTEN),
    ] {
        cc(&format!("-O2 -o p main.o {objects}"));
        let off = run_with("off", preloaded);
        let on = run_with("strips,force", preloaded);
        let has_fetched = on.stderr.contains("the last loop that fetches ahead");
        assert_eq!(
            (on.status, on.stdout.as_str(), has_fetched),
            (0, off.stdout.as_str(), expected),
            "{objects}: {}",
            on.transcript()
        );
    }
}

const COUNTS: &str = r#"#include <upc_relaxed.h>
#include <stdio.h>
shared long t[300 * THREADS];
long next(shared long *p, long i);
int main(void) {
    shared long *p = t + (MYTHREAD + 1) % THREADS;
    long sum = 0;
    for (int i = 0; i < 900; i++) sum += next(p, i * 7 % 300 * THREADS) * i;
    upc_barrier;
    printf("sum %ld\n", sum);
    return 0;
}
"#;
const NEXT: &str = "#include <upc_relaxed.h>\n#include <bupc_extensions.h>\n\
    long next(shared long *p, long i) { return bupc_atomicL_fetchadd_relaxed(&p[i], 1); }\n";
const NEXT_BY_VALUE: &str = "#include <upc_relaxed.h>\n#include <bupc_extensions.h>\n\
    long next(shared long *p, long x) { return bupc_atomicL_fetchadd_relaxed(p, x); }\n";
const NEXT_AND_MORE: &str = "#include <upc_relaxed.h>\n#include <bupc_extensions.h>\n\
    static int calls;\nlong next(shared long *p, long i) { return bupc_atomicL_fetchadd_relaxed(&p[i], ++calls); }\n";

/// A loop makes the atomic operations of a function of another file together if that is one, whichever it is in the program, and never otherwise.
#[test]
fn loops_make_atomic_operations_of_other_files_together() {
    let sources = [
        ("main.upc", COUNTS),
        ("next.upc", NEXT),
        ("value.upc", NEXT_BY_VALUE),
        ("more.upc", NEXT_AND_MORE),
        (
            "wrapped.upc",
            "#include <upc.h>\nlong __real_next(shared long *, long);\n\
             long __wrap_next(shared long *p, long i) { return __real_next(p, i) + 1; }\n",
        ),
    ];
    let dir = folder(&sources);
    let cc = |line: &str| ok(&dir, &format!("cc --conduit template {line}"));
    cc("-O2 -c main.upc next.upc value.upc more.upc wrapped.upc");
    cc("-O0 -c -o slow.o next.upc");
    cc("-O2 -fPIC -c -o pic.o next.upc");
    cc("-O2 -fPIC -c -o mpic.o more.upc");
    for (library, object) in [("libnext.so", "pic.o"), ("libmore.so", "mpic.o")] {
        let mut command = Command::new("cc");
        assert!(command
            .current_dir(dir.path())
            .args(["-shared", "-o", library, object])
            .status()
            .expect("cc")
            .success());
    }
    for (objects, expected) in [
        ("next.o", FETCHES),
        ("-L. -lnext", FETCHES),
        ("value.o", AS_WRITTEN),
        ("more.o", AS_WRITTEN),
        ("slow.o", AS_WRITTEN),
        ("-L. -lmore -lnext", AS_WRITTEN),
        ("-Wl,-z,muldefs more.o next.o", AS_WRITTEN),
        ("-Wl,--wrap=next next.o wrapped.o", AS_WRITTEN),
    ] {
        cc(&format!("-O2 -o p main.o {objects}"));
        let [off, on] = ["off", "gathers,force"].map(|comm| {
            let outcome = run_linked(dir.path(), comm, None);
            let mut lines: Vec<String> = outcome.stdout.lines().map(str::to_owned).collect();
            lines.sort();
            (outcome, lines)
        });
        let has_fetched = on.0.stderr.contains("the last loop that fetches ahead");
        assert_eq!((on.0.status, &on.1, has_fetched), (0, &off.1, expected), "{objects}: {}", on.0.transcript());
    }
}

/// What is written to numbers is no pointer, also where a program has the library's headers; where a type may be any, it may be one.
#[test]
fn types_tell_what_a_write_may_reach() {
    let program = "#include <upc_relaxed.h>\n#ifdef ANY\ntypedef double any __attribute__((may_alias));\n#endif\nshared [] double *far;\nstatic struct { double re[16]; } work;\nvoid copy(void) { for (int i = 0; i < 16; i++) work.re[i] = far[i]; }\n";
    let dir = folder(&[("types.upc", program)]);
    for (define, is_served) in [("-DNONE", true), ("-DANY", false)] {
        let built = ok(&dir, &format!("cc -O2 --conduit template -c -Rcomm {define} types.upc"));
        assert_eq!(built.stderr.contains("fetched in strips"), is_served, "{define}: {}", built.transcript());
    }
}
