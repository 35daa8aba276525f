//! The command as its users type it: files in, files out, messages, statuses.

mod support;

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use support::{fathom, fathom_in, folder, run, Outcome, FATHOM};
use tempfile::TempDir;

/// Prints who it is; its sum of shared data needs every thread.
const HELLO: &str = r#"
#include <upc.h>
#include <stdio.h>
shared int ticket[THREADS];
int main(int argc, char **argv) {
    ticket[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    int sum = 0;
    for (int i = 0; i < THREADS; i++) sum += ticket[i];
    if (MYTHREAD == 0) printf("threads %d sum %d args %d\n", THREADS, sum, argc - 1);
    return argc > 1 && argv[1][0] == 'x' ? 7 : 0;
}
"#;

/// Two units that share an array.
const PART_MAIN: &str = r#"
#include <upc.h>
#include <stdio.h>
extern shared int data[THREADS];
int total(void);
int main(void) {
    data[MYTHREAD] = 10;
    upc_barrier;
    if (MYTHREAD == 0) printf("total %d\n", total());
    return 0;
}
"#;
const PART_DATA: &str = r#"
#include <upc.h>
shared int data[THREADS];
int total(void) {
    int sum = 0;
    for (int i = 0; i < THREADS; i++) sum += data[i];
    return sum;
}
"#;

/// `fathom` with a line of arguments.
fn f(dir: &TempDir, line: &str) -> Outcome {
    fathom_in(dir.path(), line.split_whitespace())
}

/// The same, which must work.
fn ok(dir: &TempDir, line: &str) -> Outcome {
    let outcome = f(dir, line);
    assert_eq!(outcome.status, 0, "fathom {line}: {}", outcome.transcript());
    outcome
}

/// A program that was made, on some threads.
fn start(dir: &TempDir, program: &str, threads: Option<u32>, args: &[&str]) -> Outcome {
    let mut command = Command::new(dir.path().join(program));
    command.current_dir(dir.path()).args(args).env_remove("FATHOM_THREADS");
    if let Some(n) = threads {
        command.env("FATHOM_THREADS", n.to_string());
    }
    run(command, Duration::from_secs(60))
}

fn names(dir: &Path) -> Vec<String> {
    let mut list: Vec<String> =
        fs::read_dir(dir).expect("a folder").flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    list.sort();
    list
}

#[test]
fn run_compiles_runs_and_passes_arguments_and_status() {
    let dir = folder(&[("hello.upc", HELLO)]);
    assert_eq!(ok(&dir, "run -n 3 hello.upc").stdout, "threads 3 sum 6 args 0\n");
    let second = f(&dir, "run -n 2 hello.upc x -n 9");
    assert_eq!((second.stdout.as_str(), second.status), ("threads 2 sum 3 args 3\n", 7));
    assert_eq!(names(dir.path()), ["hello.upc"], "nothing may appear beside the source");
}

#[test]
fn run_starts_again_without_the_compiler_until_a_header_changes() {
    let source =
        "#include \"n.h\"\n#include <stdio.h>\nint main(void) { if (MYTHREAD == 0) printf(\"%d\\n\", N); return 0; }\n";
    let dir = folder(&[("p.upc", source), ("n.h", "#define N 1\n")]);
    let steps = |outcome: &Outcome| outcome.stderr.lines().filter(|l| l.contains(" -E ") || l.contains(" -c ")).count();
    let first = ok(&dir, "run -v -n 1 p.upc");
    assert_eq!(first.stdout, "1\n");
    assert!(steps(&first) >= 2, "{}", first.transcript());
    assert_eq!(steps(&ok(&dir, "run -v -n 1 p.upc")), 0, "the second start needs no compiler");
    fs::write(dir.path().join("n.h"), "#define N 2\n").expect("a new header");
    assert_eq!(ok(&dir, "run -n 1 p.upc").stdout, "2\n");
    // A comment changes the header but not the program: preprocessed, not compiled.
    fs::write(dir.path().join("n.h"), "#define N 2 /* two */\n").expect("a new header");
    assert_eq!(steps(&ok(&dir, "run -v -n 1 p.upc")), 1);
}

#[test]
fn run_takes_static_threads_from_the_option_and_warns_about_another_number() {
    let dir = folder(&[("hello.upc", HELLO)]);
    assert_eq!(ok(&dir, "run -T 2 hello.upc").stdout, "threads 2 sum 3 args 0\n");
    let outcome = ok(&dir, "run -n 4 -T 2 hello.upc");
    assert_eq!(outcome.stdout, "threads 2 sum 3 args 0\n");
    assert!(outcome.stderr.contains("-n 4") && outcome.stderr.contains("-T 2"), "{}", outcome.stderr);
}

#[test]
fn run_fixes_the_number_of_threads_where_the_source_needs_it() {
    let source = "#include <stdio.h>\nshared int a[10];\nshared [40 / THREADS] int b[40];\nint main(void) {\n    \
                  upc_forall (int i = 0; i < 10; i++; &a[i]) a[i] = THREADS;\n    upc_barrier;\n    \
                  if (MYTHREAD == 0) printf(\"%d %d\\n\", a[9], (int)upc_blocksizeof(b));\n    return 0;\n}\n";
    let wrong = source.replace("return 0", "return a");
    let dir = folder(&[("fixed.upc", source), ("wrong.upc", &wrong)]);
    let outcome = ok(&dir, "run -n 4 fixed.upc");
    assert_eq!(outcome.stdout, "4 10\n");
    assert!(outcome.stderr.contains("fixed.upc needs a fixed number of threads: it is compiled with -T 4"));
    assert_eq!(ok(&dir, "run -n 2 fixed.upc").stdout, "2 20\n");
    // An option was given, or there are other errors: they are reported, and so are those of `cc`.
    let outcome = ok(&dir, "run -T 5 fixed.upc");
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("5 8\n", ""));
    for (line, code) in [("run -n 4 wrong.upc", "U428"), ("run -n 4 wrong.upc", "U531"), ("cc fixed.upc", "U531")] {
        let outcome = f(&dir, line);
        assert!(outcome.status == 1 && outcome.stderr.contains(code), "{}", outcome.transcript());
        assert!(!outcome.stderr.contains("it is compiled with"), "{}", outcome.transcript());
    }
}

#[test]
fn cc_makes_a_program_that_runs_by_itself() {
    let dir = folder(&[("hello.upc", HELLO)]);
    let quiet = ok(&dir, "cc -O1 -Wall -o hello hello.upc");
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
    assert_eq!(start(&dir, "hello", Some(4), &[]).stdout, "threads 4 sum 10 args 0\n");
    assert_eq!(ok(&dir, "run -n 2 hello").stdout, "threads 2 sum 3 args 0\n");
    ok(&dir, "cc hello.upc");
    assert_eq!(names(dir.path()), ["a.out", "hello", "hello.upc"]);
}

#[test]
fn cc_compiles_several_files_at_once_or_apart() {
    let dir = folder(&[("main.upc", PART_MAIN), ("data.upc", PART_DATA)]);
    ok(&dir, "cc -o whole main.upc data.upc");
    assert_eq!(start(&dir, "whole", Some(3), &[]).stdout, "total 30\n");
    ok(&dir, "cc -c main.upc data.upc");
    assert_eq!(names(dir.path()), ["data.o", "data.upc", "main.o", "main.upc", "whole"]);
    ok(&dir, "cc -c -o renamed.o data.upc");
    ok(&dir, "cc -o apart main.o renamed.o");
    assert_eq!(start(&dir, "apart", Some(2), &[]).stdout, "total 20\n");
}

#[test]
fn cc_links_archives_and_libraries_in_order() {
    let helper = "double half(double x);\n#include <math.h>\ndouble half(double x) { return sqrt(x * x) / 2; }\n";
    let main = "#include <stdio.h>\ndouble half(double);\nint main(void) { if (!MYTHREAD) printf(\"%g\\n\", half(5)); return 0; }\n";
    let dir = folder(&[("half.c", helper), ("m.upc", main)]);
    ok(&dir, "cc -c half.c");
    let made = Command::new("ar").current_dir(dir.path()).args(["rcs", "libhalf.a", "half.o"]).status();
    assert!(made.expect("ar").success());
    ok(&dir, "cc -o m m.upc -L. -lhalf -lm");
    assert_eq!(start(&dir, "m", Some(1), &[]).stdout, "2.5\n");
}

/// The runtime's internal names are its own: the program's functions of the same names are not called by it.
#[test]
fn a_program_may_use_the_names_inside_the_runtime() {
    let main = "#include <stdio.h>\n#include <stdlib.h>\n#include <upc.h>\n\
                int blocks_give(int x) { abort(); }\nvoid core_memory_start(void) { abort(); }\n\
                int main(void) { upc_free(upc_alloc(64)); upc_barrier; if (!MYTHREAD) puts(\"fine\"); return 0; }\n";
    let dir = folder(&[("m.upc", main)]);
    ok(&dir, "cc -o m m.upc");
    assert_eq!(start(&dir, "m", Some(2), &[]).stdout, "fine\n");
}

#[test]
fn units_of_different_environments_do_not_run_together() {
    let dir = folder(&[("main.upc", PART_MAIN), ("data.upc", PART_DATA)]);
    ok(&dir, "cc -T 2 -c main.upc");
    ok(&dir, "cc -T 3 -c data.upc");
    let linked = f(&dir, "cc -o bad main.o data.o");
    let failed = if linked.status == 0 { start(&dir, "bad", None, &[]) } else { linked };
    assert_ne!(failed.status, 0);
    assert!(failed.stderr.contains('2') && failed.stderr.contains('3'), "{}", failed.transcript());
}

#[test]
fn a_static_program_refuses_another_number_of_threads() {
    let dir = folder(&[("hello.upc", HELLO)]);
    ok(&dir, "cc -T 2 -o two hello.upc");
    assert_eq!(start(&dir, "two", None, &[]).stdout, "threads 2 sum 3 args 0\n");
    let failed = start(&dir, "two", Some(3), &[]);
    assert_ne!(failed.status, 0, "{}", failed.transcript());
    assert!(failed.stderr.contains('2') && failed.stderr.contains('3'), "{}", failed.transcript());
}

#[test]
fn dash_e_and_dash_s_and_keep_c_show_the_stages() {
    let dir = folder(&[("hello.upc", HELLO)]);
    let text = ok(&dir, "cc -E hello.upc").stdout;
    assert!(text.contains("shared int ticket[THREADS];") && text.contains("# 1 \"hello.upc\""));
    let text = ok(&dir, "cc -E -T 5 hello.upc").stdout;
    assert!(text.contains("shared int ticket[5];"));
    ok(&dir, "cc -S -o hello.s hello.upc");
    assert!(fs::read_to_string(dir.path().join("hello.s")).expect("assembler").contains("main"));
    ok(&dir, "cc --keep-c -c -o kept.o hello.upc");
    let c = fs::read_to_string(dir.path().join("hello.trans.c")).expect("the generated C");
    assert!(c.contains("fathom_units") && c.contains("\"hello.upc\""));
    ok(&dir, "cc -trans -o hello.c hello.upc");
    assert!(fs::read_to_string(dir.path().join("hello.c")).expect("the generated C").contains("fathom_units"));
}

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
        "#include <upc_relaxed.h>\nstruct large { char c[65]; };\nstruct bits { int low : 4; };\nshared int a[THREADS];\n\
             shared struct large l[THREADS];\nshared struct bits b[THREADS];\nvoid put(int i, struct large x) {\n    \
             a[i] = i;\n    l[i] = x;\n    b[i].low = 1;\n}\n",
    )
    .expect("a program");
    for options in ["", "-fno-comm-opt "] {
        let said = ok(&dir, &format!("cc -O2 --conduit template -c {options}-Rcomm -Rcomm-missed put.upc")).stderr;
        for expected in [
            "put.upc:8:5: note: far writes are gathered at run time: many to one thread travel in one message [-Rcomm]",
            "put.upc:9:5: note: each write is a message of its own: the object has more than 64 bytes [-Rcomm-missed]",
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

#[test]
fn the_plan_is_printed_without_a_c_compiler() {
    let source = "shared int a[THREADS];\nvoid f(int n) { upc_forall (int i = 0; i < n; i++; &a[i]) a[i] = i; }\n";
    // Preprocessed text needs no preprocessor either.
    let dir = folder(&[("loop.i", source), ("loop.upc", source)]);
    for file in ["loop.i", "loop.upc"] {
        let text = ok(&dir, &format!("cc --print plan {file}")).stdout;
        assert!(text.contains("shared by &a[i]: iterations THREADS apart"), "{text}");
    }
    ok(&dir, "cc --print plan -o loop.plan loop.upc");
    assert!(fs::read_to_string(dir.path().join("loop.plan")).expect("the plan").contains("function f"));
    assert!(!dir.path().join("loop.o").exists());
    let refused = f(&dir, "cc --print nonsense loop.upc");
    assert!(refused.stderr.contains("--print plan"), "{}", refused.stderr);
}

#[test]
fn dependencies_name_the_users_files_and_the_object() {
    let dir = folder(&[
        ("a.upc", "#include <upc.h>\n#include \"b.h\"\nint main(void) { return B; }\n"),
        ("b.h", "#define B 0\n"),
    ]);
    ok(&dir, "cc -MMD -MP -c a.upc -o sub.o");
    let rule = fs::read_to_string(dir.path().join("sub.d")).expect("the rule");
    assert!(rule.starts_with("sub.o:") && rule.contains("a.upc") && rule.contains("\nb.h:"), "{rule}");
    assert!(!rule.contains("prelude"), "{rule}");
    ok(&dir, "cc -MD -MF x.d -MT target -c a.upc");
    let rule = fs::read_to_string(dir.path().join("x.d")).expect("the rule");
    assert!(rule.starts_with("target:") && rule.contains("stdlib.h") && !rule.contains("fathom-cache"), "{rule}");
    assert_eq!(
        ok(&dir, "cc -MM a.upc").stdout.split_whitespace().collect::<Vec<_>>(),
        ["a.o:", "\\", "a.upc", "\\", "b.h"]
    );
}

#[test]
fn headers_beside_the_source_are_found_last() {
    let dir = folder(&[
        (
            "src/a.upc",
            "#include <upc.h>\n#include <b.h>\n#include <assert.h>\nint main(void) { assert(1); return f() + c; }\n",
        ),
        ("src/b.h", "#include \"c.h\"\nshared int s;\nstatic inline int f(void) { int unused; return s; }\n"),
        ("src/c.h", "enum { c };\n"),
        ("src/assert.h", "#error the system has one\n"),
        ("other/b.h", "enum { c };\nstatic inline int f(void) { return 3; }\n"),
    ]);
    ok(&dir, "run -n 1 src/a.upc");
    // They are the user's: warnings are about them too, and dependencies name them.
    let outcome = ok(&dir, "cc -Wall -MMD -MP -MF a.d -c -o a.o src/a.upc");
    assert!(outcome.stderr.contains("src/b.h:3:") && outcome.stderr.contains("unused"), "{}", outcome.stderr);
    let rule = fs::read_to_string(dir.path().join("a.d")).expect("the rule");
    assert_eq!(rule, "a.o: \\\n src/a.upc \\\n src/b.h \\\n src/c.h\nsrc/b.h:\nsrc/c.h:\n");
    assert_eq!(ok(&dir, "cc -MM src/a.upc").stdout, "a.o: \\\n src/a.upc \\\n src/b.h \\\n src/c.h\n");
    assert_eq!(f(&dir, "run -n 1 -Iother src/a.upc").status, 3, "a folder of the user's comes before");
    let outcome = f(&dir, "cc -Isrc -c -o a.o src/a.upc");
    assert!(outcome.status != 0 && outcome.stderr.contains("the system has one"), "{}", outcome.stderr);
}

#[test]
fn errors_have_a_code_a_caret_a_clause_and_the_status_of_a_compiler() {
    let source =
        "#include <upc.h>\n#define BAD shared int\nvoid f(void) {\n    BAD  x;   /* no automatic shared object */\n}\n";
    let dir = folder(&[("bad.upc", source)]);
    let outcome = f(&dir, "cc -c bad.upc");
    assert_eq!(outcome.status, 1);
    for part in ["error[U", "bad.upc:4:", "BAD  x;", "^", "UPC 1.3, 6.5.2 p8", "1 error in bad.upc"] {
        assert!(outcome.stderr.contains(part), "no {part} in:\n{}", outcome.stderr);
    }
    assert!(!outcome.stderr.contains('\x1b'), "no colour in a pipe");
    assert!(!dir.path().join("bad.o").exists());
    let short = f(&dir, "cc --diag-format=short -c bad.upc").stderr;
    assert!(short.starts_with("bad.upc:4:") && short.lines().count() == 1, "{short}");
    assert!(f(&dir, "cc -fdiagnostics-color=always -c bad.upc").stderr.contains('\x1b'));
}

#[test]
fn errors_of_the_c_compiler_are_at_the_users_lines_and_name_the_step() {
    let dir = folder(&[("bad.upc", "int main(void) {\n    struct nowhere n;\n    return 0;\n}\n")]);
    let outcome = f(&dir, "cc -c bad.upc");
    assert_eq!(outcome.status, 1, "{}", outcome.transcript());
    assert!(outcome.stderr.contains("bad.upc:2:"), "{}", outcome.stderr);
    let missing = f(&folder(&[("m.upc", "#include \"nowhere.h\"\n")]), "cc -c m.upc");
    assert!(missing.status == 1 && missing.stderr.contains("preprocessing m.upc failed"), "{}", missing.stderr);
    let unlinked = f(&folder(&[("l.upc", "int g(void); int main(void) { return g(); }\n")]), "cc l.upc");
    assert!(unlinked.status == 1 && unlinked.stderr.contains("linking a.out failed"), "{}", unlinked.stderr);
}

#[test]
fn main_may_be_in_an_archive_and_is_missed_where_there_is_none() {
    let unit = "#include <upc.h>\nshared int x;\n";
    let dir = folder(&[("unit.upc", unit), ("main.c", "int main(void) { return 5; }\n"), ("empty.upc", "")]);
    for file in ["unit.upc", "empty.upc"] {
        let missed = f(&dir, &format!("run -n 2 {file}"));
        assert!(missed.status == 1 && missed.stderr.contains("needs a function `main`"), "{}", missed.transcript());
    }
    assert_eq!(f(&dir, "cc -c main.c").status, 0);
    let made = std::process::Command::new("ar").args(["rcs", "libmain.a", "main.o"]).current_dir(&dir).status();
    assert!(made.is_ok_and(|s| s.success()));
    let linked = f(&dir, "cc -o program unit.upc -L. -lmain");
    assert_eq!(linked.status, 0, "{}", linked.transcript());
    assert_eq!(f(&dir, "run -n 2 ./program").status, 5);
}

#[test]
fn wrong_command_lines_say_what_to_do() {
    let dir =
        folder(&[("a.upc", HELLO), ("b.upc", HELLO), ("program.upc", "\x7fELF\x02\x01\x01"), ("four.c", "\x7fELF")]);
    for (line, expected) in [
        ("cc", "Usage:"),
        ("cc -c program.upc", "program.upc is a program or an object, not a source"),
        ("run -n 2 program.upc", "rename it"),
        ("cc -E program.upc", "not a source"),
        ("cc -c four.c", "not a source"),
        ("cc -O2", "no input files"),
        ("cc -c nowhere.upc", "cannot read nowhere.upc"),
        ("cc nowhere.o", "cannot read nowhere.o"),
        ("cc -c -o x.o a.upc b.upc", "several inputs"),
        ("cc -o a.upc a.upc", "is an input as well"),
        ("cc -network=ibv a.upc", "there is no conduit 'ibv'"),
        ("cc --conduit launch a.upc", "smp"),
        ("run --hosts a,,b a.upc", "is not a valid list of hosts"),
        ("run --conduit smp --hosts a -n 2 a.upc", "does not take --hosts"),
        ("cc -T 0 a.upc", "number of threads"),
        ("run -n 2", "no program to run"),
        ("run -n many a.upc", "number of threads"),
        ("run -n 2 nowhere.upc", "cannot read nowhere.upc"),
        ("run --heap much a.upc", "is not a valid size"),
        ("nonsense", "unrecognized subcommand"),
    ] {
        let outcome = f(&dir, line);
        let said = outcome.stdout + &outcome.stderr;
        assert!(said.contains(expected), "fathom {line}: no '{expected}' in:\n{said}");
        assert!(line == "cc" || outcome.status != 0, "fathom {line}");
    }
}

#[test]
fn a_missing_compiler_and_an_unusable_cache_are_explained() {
    let dir = folder(&[("a.upc", HELLO), ("file", "")]);
    let with = |variable: &str, value: &str| {
        let mut command = fathom();
        command.current_dir(dir.path()).args(["cc", "-c", "a.upc"]);
        command.env_remove("FATHOM_CC").env_remove("CC").env(variable, value);
        run(command, Duration::from_secs(60))
    };
    let outcome = with("FATHOM_CC", "no-such-compiler");
    assert!(outcome.status == 1 && outcome.stderr.contains("FATHOM_CC"), "{}", outcome.transcript());
    let outcome = with("PATH", "/nowhere");
    assert!(outcome.status == 1 && outcome.stderr.contains("no C compiler was found"), "{}", outcome.transcript());
    let outcome = with("FATHOM_CACHE", "file/below");
    assert!(outcome.status == 1 && outcome.stderr.contains("FATHOM_CACHE"), "{}", outcome.transcript());
    let outcome = with("TMPDIR", "/nowhere");
    assert!(outcome.status == 1 && outcome.stderr.contains("TMPDIR"), "{}", outcome.transcript());
}

/// Functions of old Split-C programs have no type, and end with or without a value: neither compiler has anything to say.
#[test]
fn old_split_c_compiles_without_a_word() {
    let source =
        "#include <split-c/split-c.h>\nint x;\nsplitc_main(argc, argv)\n    int argc;\n    char **argv;\n{\n    \
                  if (argc > 1) return;\n    x = toproc(toglobal(0, &x));\n}\n";
    let function = "int helper(n) { if (n) return; }\n";
    let dir = folder(&[("old.sc", source), ("typed.sc", function)]);
    let has_clang = std::process::Command::new("clang").arg("--version").output().is_ok_and(|o| o.status.success());
    for compiler in ["cc", "clang"].iter().filter(|c| **c == "cc" || has_clang) {
        let check = |line: &str| {
            let mut command = fathom();
            command.current_dir(dir.path()).args(line.split(' ')).env("FATHOM_CC", compiler);
            run(command, Duration::from_secs(60))
        };
        for file in ["old.sc", "typed.sc"] {
            let outcome = check(&format!("cc -fsyntax-only {file}"));
            assert!(outcome.status == 0 && outcome.stderr.is_empty(), "{compiler}: {}", outcome.transcript());
        }
        // But whoever asks is told.
        let outcome = check("cc -fsyntax-only -Wall typed.sc");
        assert!(outcome.status == 0 && outcome.stderr.contains("return-type"), "{compiler}: {}", outcome.transcript());
    }
}

/// Constants lie where others reach them, and stay read-only; a crash there is not taken for a null pointer.
#[test]
fn writing_to_a_string_literal_in_split_c_is_named() {
    let source = "char *s = \"abc\";\nint splitc_main(void) { s[1] = 'x'; return 0; }\n";
    let dir = folder(&[("literal.sc", source)]);
    let outcome = f(&dir, "run -n 2 literal.sc");
    assert!(outcome.status == 139 && outcome.stderr.contains("(a constant"), "{}", outcome.transcript());
}

/// The stack of a Split-C program is shared memory. The process that looks up the line must not write to it, too.
#[test]
fn a_message_on_the_stack_of_split_c_names_the_line() {
    let source =
        "#include <split-c/split-c.h>\nint splitc_main(void)\n{\n    int i;\n    int *spread p = (int *spread)\
                  all_spread_malloc(PROCS, 100);\n    for (i = 0; i < 400; i++) ((int *)(p + MYPROC))[i] = -1;\n    \
                  all_spread_free(p);\n    return 0;\n}\n";
    let dir = folder(&[("overrun.sc", source)]);
    let outcome = f(&dir, "run -n 1 overrun.sc");
    assert!(outcome.status != 0, "{}", outcome.transcript());
    assert!(outcome.stderr.contains("heap is damaged"), "{}", outcome.transcript());
    assert!(outcome.stderr.contains(" in splitc_main (overrun.sc:7)"), "{}", outcome.transcript());
}

/// Rules that both languages have speak of Split-C in its own words, and so do crashes.
#[test]
fn messages_on_split_c_are_in_its_words() {
    let number = "int *global p; int splitc_main(void) { switch (p) {} return p % 2; }\n";
    let nowhere = "#include <split-c/split-c.h>\nint splitc_main(void) { return *toglobal(PROCS + 4, &errors); }\n";
    let many = "#include <split-c/split-c.h>\nint x;\nvoid f(int *p) { *p = 1; }\nint splitc_main(void) { \
                atomic(f, toglobal(0, &x), 1, 2, 3, 4, 5); return 0; }\n";
    let nowhere = nowhere.replace("int splitc", "int errors;\nint splitc");
    let dir = folder(&[("number.sc", number), ("nowhere.sc", &nowhere), ("many.sc", many), ("none.sc", "int x;\n")]);
    let outcome = f(&dir, "cc -c number.sc");
    assert!(outcome.status == 1 && outcome.stderr.contains("does not apply to global pointers"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("-to-shared"), "{}", outcome.stderr);
    let outcome = f(&dir, "run -n 2 nowhere.sc");
    let text = "(a global pointer to processor 6, but there are 2 processors)";
    assert!(outcome.status == 139 && outcome.stderr.contains(text), "{}", outcome.transcript());
    let outcome = f(&dir, "cc -c many.sc");
    assert!(outcome.status == 1 && outcome.stderr.contains("at most four arguments"), "{}", outcome.transcript());
    let outcome = f(&dir, "cc none.sc");
    assert!(outcome.status == 1 && outcome.stderr.contains("`splitc_main`"), "{}", outcome.transcript());
}

/// The layout of C types follows the machine for which the C compiler compiles, not the one that it runs on.
#[test]
fn the_c_compiler_names_the_target() {
    let source =
        "#include <upc.h>\nshared [] char a['\\377' > 0 ? 30 : 10];\nint main(void) { return upc_localsizeof(a); }\n";
    let dir = folder(&[("a.upc", source)]);
    let compiler = |name: &str, machine: &str| {
        let script = format!("#!/bin/sh\ncase \"$*\" in *-dumpmachine*) echo {machine} ;; *) exec cc \"$@\" ;; esac\n");
        std::fs::write(dir.path().join(name), script).unwrap();
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(dir.path().join(name), executable).unwrap();
    };
    let translate = |options: &str| {
        let mut command = fathom();
        command.current_dir(dir.path()).args(format!("cc {options} -trans -o a.c a.upc").split(' '));
        command.env("FATHOM_CC", "./compiler");
        run(command, Duration::from_secs(60))
    };
    for (machine, options, size) in [
        ("x86_64-linux-gnu", "-O1", "return 10ul"),
        ("aarch64-linux-gnu", "-O1", "return 30ul"),
        ("aarch64-linux-gnu", "-fsigned-char", "return 10ul"),
        ("x86_64-linux-gnu", "-funsigned-char", "return 30ul"),
    ] {
        compiler("compiler", machine);
        let outcome = translate(options);
        assert_eq!(outcome.status, 0, "{machine}: {}", outcome.transcript());
        let c = std::fs::read_to_string(dir.path().join("a.c")).unwrap();
        assert!(c.contains(size), "{machine} {options}: no `{size}`");
    }
    compiler("compiler", "riscv64-linux-gnu");
    let outcome = translate("-O1");
    assert!(outcome.status == 1 && outcome.stderr.contains("'riscv64-linux-gnu'"), "{}", outcome.transcript());
}

/// make hands `CC='fathom cc'` of its command line to the commands that it starts: to us.
#[test]
fn fathom_never_takes_itself_for_the_c_compiler() {
    let dir = folder(&[("a.upc", HELLO)]);
    let this = fathom().get_program().to_string_lossy().into_owned();
    std::os::unix::fs::symlink(&this, dir.path().join("upcc")).unwrap();
    std::fs::write(dir.path().join("wrapper"), format!("#!/bin/sh\nexec '{this}' cc \"$@\"\n")).unwrap();
    std::fs::set_permissions(dir.path().join("wrapper"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let with = |variable: &str, value: &str| {
        let mut command = fathom();
        command.current_dir(dir.path()).args(["cc", "-c", "a.upc"]);
        command.env_remove("FATHOM_CC").env_remove("CC").env(variable, value);
        run(command, Duration::from_secs(60))
    };
    for itself in [format!("'{this}' cc"), "./upcc -T=2".to_string()] {
        let outcome = with("CC", &itself);
        assert_eq!(outcome.status, 0, "CC={itself}: {}", outcome.transcript());
        let outcome = with("FATHOM_CC", &itself);
        assert!(outcome.status == 1 && outcome.stderr.contains("is fathom itself"), "{}", outcome.transcript());
    }
    let outcome = with("CC", "./wrapper");
    assert!(outcome.status == 1 && outcome.stderr.contains("FATHOM_CC names another"), "{}", outcome.transcript());
}

#[test]
fn without_a_home_the_cache_goes_to_the_temporary_folder() {
    let dir = folder(&[("a.upc", HELLO)]);
    let tmp = folder(&[]);
    let mut command = fathom();
    command.current_dir(dir.path()).args(["cc", "-fsyntax-only", "a.upc"]).env_remove("FATHOM_CACHE");
    command.env_remove("XDG_CACHE_HOME").env("HOME", "/proc/nowhere").env("TMPDIR", tmp.path());
    let outcome = run(command, Duration::from_secs(60));
    assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    let left = names(tmp.path());
    assert!(left.len() == 1 && left[0].starts_with("fathom-cache-"), "{left:?}");
}

#[test]
fn temporary_files_are_removed_on_success_failure_and_signals() {
    let slow: String = (0..4000).map(|i| format!("double f{i}(double x) {{ return x * {i} + f{i}_(x); }}\n")).collect();
    let declared: String = (0..4000).map(|i| format!("double f{i}_(double);\n")).collect();
    let slow = declared + &slow;
    let dir =
        folder(&[("good.upc", HELLO), ("bad.upc", "shared shared [2] [3] int x;\n"), ("slow.upc", slow.as_str())]);
    let tmp = folder(&[]);
    let command = |line: &str| {
        let mut command = fathom();
        command.current_dir(dir.path()).args(line.split_whitespace()).env("TMPDIR", tmp.path());
        command
    };
    assert_eq!(run(command("cc -o good good.upc"), Duration::from_secs(60)).status, 0);
    assert_eq!(names(tmp.path()), [""; 0]);
    assert_eq!(run(command("cc -c bad.upc"), Duration::from_secs(60)).status, 1);
    assert_eq!(names(tmp.path()), [""; 0]);
    let mut child = command("cc -O3 -c slow.upc").spawn().expect("fathom");
    while names(tmp.path()).is_empty() && child.try_wait().expect("a child of ours").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    // SAFETY: the child is ours and was not waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
    let status = child.wait().expect("an end");
    assert!(!status.success());
    // The C compiler, told to stop as well, removes its own; on a busy computer later.
    assert!(eventually(|| names(tmp.path()).is_empty()), "left behind: {:?}", names(tmp.path()));
}

/// Does it become true within ten minutes? The computer may be busy, and only what hangs takes that long.
fn eventually(done: impl Fn() -> bool) -> bool {
    (0..30_000).any(|_| {
        let is_done = done();
        if !is_done {
            std::thread::sleep(Duration::from_millis(20));
        }
        is_done
    })
}

/// What runs in the background of a shell without job control is started with SIGINT and SIGQUIT ignored.
fn not_ignored(command: &mut std::process::Command, signal: i32) {
    // SAFETY: signal may be called between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::signal(signal, libc::SIG_DFL);
            Ok(())
        })
    };
}

#[test]
fn a_second_source_is_an_argument_and_said_to_be_one_where_the_first_needs_it() {
    let dir = folder(&[
        ("a.upc", "int other(void);\nint main(int n, char **v) { return other() + n + !v; }\n"),
        ("b.c", "int other(void) { return 0; }\n"),
        ("alone.upc", HELLO),
    ]);
    let outcome = fathom_in(dir.path(), ["run", "-n", "1", "a.upc", "b.c"]);
    assert!(outcome.status != 0 && outcome.stderr.contains("undefined reference"), "{}", outcome.transcript());
    assert!(outcome.stderr.contains("fathom cc a.upc b.c -o PROGRAM"), "{}", outcome.transcript());
    // A program may take a source's name; and what is no file is none.
    let outcome = fathom_in(dir.path(), ["run", "-n", "1", "alone.upc", "b.c"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""));
    let outcome = fathom_in(dir.path(), ["run", "-n", "1", "a.upc", "absent.c"]);
    assert!(outcome.status != 0 && !outcome.stderr.contains("is an argument"), "{}", outcome.transcript());
}

/// A signal from the terminal also ends the C compiler, and it may arrive at any moment.
#[test]
fn a_signal_is_not_reported_as_a_failure_and_leaves_nothing_half_written() {
    // The compiler ends as if it had got the signal first, and leaves a file of its own.
    let compiler =
        "#!/bin/sh\ncase \" $* \" in *\" -E \"*) echo > \"$TMPDIR/left\"; kill -TERM $PPID; exit 143 ;; esac\n\
                    exec cc \"$@\"\n";
    let dir = folder(&[("a.upc", HELLO), ("compiler", compiler)]);
    let script = dir.path().join("compiler");
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("an executable");
    let tmp = folder(&[]);
    let mut command = fathom();
    command.current_dir(dir.path()).args(["cc", "-c", "a.upc"]).env("CC", &script).env("TMPDIR", tmp.path());
    let outcome = run(command, Duration::from_secs(60));
    assert_eq!((outcome.status, outcome.stderr.as_str()), (128 + libc::SIGTERM, ""));
    assert_eq!(names(tmp.path()), [""; 0]);

    // While the program is linked: neither the linker's file nor the process that writes it stays.
    let mark = format!("{}-linking", std::process::id());
    let compiler = "#!/bin/sh\ncase \" $* \" in *\" -c \"*|*\" -E \"*|*-dump*|*-print*) exec cc \"$@\" ;; esac\n\
                    case \" $* \" in *\" -o program \"*) ;; *) exec cc \"$@\" ;; esac\n\
                    echo half > program; sleep 100000 & kill -$SIGNAL $PPID; wait\n";
    fs::write(&script, compiler).expect("a script");
    for (name, signal) in [("TERM", libc::SIGTERM), ("QUIT", libc::SIGQUIT)] {
        let mut command = fathom();
        command.current_dir(dir.path()).args(["cc", "-o", "program", "a.upc"]).env("CC", &script);
        command.env("TMPDIR", tmp.path()).env("SIGNAL", name).env(support::MARK, &mark);
        not_ignored(&mut command, libc::SIGQUIT);
        let outcome = run(command, Duration::from_secs(600));
        assert_eq!(outcome.status, 128 + signal, "{}", outcome.transcript());
        assert_eq!((names(tmp.path()), dir.path().join("program").exists()), (vec![], false));
        assert!(eventually(|| support::marked(&mark).is_empty()), "processes are left");
    }

    // While the runtime's sources are written into the cache.
    let cache = folder(&[]);
    let unfinished = cache.path().join("tmp");
    let is_writing = || {
        let made = fs::read_dir(&unfinished).into_iter().flatten().flatten();
        made.flat_map(|e| fs::read_dir(e.path().join("entry"))).flatten().next().is_some()
    };
    for _ in 0..10 {
        let mut command = fathom();
        command.current_dir(dir.path()).args(["cc", "-c", "a.upc"]).env("FATHOM_CACHE", cache.path());
        let mut child = command.spawn().expect("fathom");
        while !is_writing() && child.try_wait().expect("a child of ours").is_none() {}
        // SAFETY: the child is ours and was not waited for.
        unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
        child.wait().expect("an end");
        assert_eq!(names(&unfinished), [""; 0]);
        let _ = fs::remove_dir_all(cache.path().join("source"));
    }
}

#[test]
fn install_puts_one_binary_and_its_names_and_they_work() {
    let dir = folder(&[("hello.upc", HELLO)]);
    ok(&dir, "install --bin-only --prefix here");
    ok(&dir, "install --bin-only --prefix here");
    let bin = dir.path().join("here/bin");
    assert_eq!(names(&bin), ["fathom", "splitc", "upcc", "upcrun"]);
    let as_name = |name: &str, args: &[&str]| {
        let mut command = Command::new(bin.join(name));
        command.current_dir(dir.path()).env("FATHOM_CACHE", support::cache()).env_remove("FATHOM_THREADS").args(args);
        run(command, Duration::from_secs(60))
    };
    let made = as_name("upcc", &["-T", "4", "-pthreads", "-network=smp", "-o", "hello", "hello.upc"]);
    assert_eq!(made.status, 0, "{}", made.transcript());
    assert_eq!(as_name("upcrun", &["-q", "-n", "4", "./hello", "a"]).stdout, "threads 4 sum 10 args 1\n");
    let others =
        "-N 1 -c=2 --cpus-per-node 2 -nobacktrace -freeze=1 -pthreads --localhost -shared-heap=8MB -pthreads=2";
    let many: Vec<&str> = others.split(' ').chain(["-n", "4", "-pthreads", "./hello", "-p", "2"]).collect();
    assert_eq!(as_name("upcrun", &many).stdout, "threads 4 sum 10 args 2\n");
    assert!(as_name("upcc", &["--version"]).stdout.contains("UPC 1.3"));
    assert!(as_name("upcrun", &["--help"]).stdout.contains("Usage: upcrun"));
    assert_ne!(as_name("upcrun", &["--nonsense", "./hello"]).status, 0);
}

#[test]
fn output_that_nobody_reads_or_that_has_no_room_is_not_a_panic() {
    let dir = folder(&[("bad.upc", "shared shared [2] [3] int x;\n")]);
    // stderr goes to the same place, as in `2>&1 | head`, or into a file.
    let end = |line: &str, output: fs::File, beside: bool| {
        let said = dir.path().join("said");
        let errors = if beside { output.try_clone() } else { fs::File::create(&said) };
        let mut command = fathom();
        command.current_dir(dir.path()).args(line.split_whitespace()).stdout(output).stderr(errors.expect("a file"));
        let status = command.status().expect("fathom").code();
        (status, fs::read_to_string(&said).unwrap_or_default())
    };
    let unread = || fs::File::from(std::os::fd::OwnedFd::from(std::io::pipe().expect("a pipe").1));
    let full = || fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    assert_eq!(end("cc --version", unread(), false), (Some(1), String::new()));
    assert_eq!(end("cc -c bad.upc", unread(), true).0, Some(1));
    assert_eq!(end("run nowhere.upc", unread(), true).0, Some(1));
    let (status, said) = end("cc --version", full(), false);
    assert!(status == Some(1) && said.starts_with("fathom: error: cannot write to stdout: No space left"), "{said}");
    assert_eq!(end("install --bin-only --prefix here", unread(), false), (Some(0), String::new()));
    assert_eq!(names(&dir.path().join("here/bin")), ["fathom", "splitc", "upcc", "upcrun"]);
}

/// The conduits but smp that programs can be built for here, with an MPI's compiler wrapper.
fn far_conduits() -> Vec<(&'static str, Option<String>)> {
    let mpis = support::conduits::mpiccs().into_iter().map(|wrapper| ("mpi", Some(wrapper)));
    [("template", None)].into_iter().chain(mpis).collect()
}

/// `fathom` with an MPI chosen.
fn with_mpi(dir: &TempDir, mpicc: &Option<String>, line: &str) -> Outcome {
    let mut command = fathom();
    command.current_dir(dir.path()).args(line.split_whitespace());
    if let Some(mpicc) = mpicc {
        command.env("FATHOM_MPICC", mpicc);
    }
    run(command, Duration::from_secs(120))
}

#[test]
fn every_conduit_builds_and_an_executable_knows_its_own() {
    let dir = folder(&[("hello.upc", HELLO)]);
    for (conduit, mpicc) in far_conduits() {
        let direct = with_mpi(&dir, &mpicc, &format!("run --conduit {conduit} -n 3 hello.upc"));
        assert_eq!(direct.stdout, "threads 3 sum 6 args 0\n", "{conduit}: {}", direct.transcript());
        let made = with_mpi(&dir, &mpicc, &format!("cc -network={conduit} -O1 -o hello hello.upc"));
        assert_eq!((made.status, made.stderr.as_str()), (0, ""), "{}", made.transcript());
        // Without a word about the conduit, and whatever MPI is the default now.
        let started = ok(&dir, "run -v -n 2 ./hello a b");
        assert_eq!(started.stdout, "threads 2 sum 3 args 2\n", "{}", started.transcript());
        assert_eq!(started.stderr.contains("mpi"), conduit == "mpi", "{}", started.transcript());
        let seven = f(&dir, "run -n 2 ./hello x");
        assert_eq!(seven.status, 7, "{}", seven.transcript());
        let wrong = f(&dir, "run --conduit smp -n 2 ./hello");
        assert!(
            wrong.status == 1 && wrong.stderr.contains(&format!("made for the conduit {conduit}")),
            "{}",
            wrong.stderr
        );
    }
}

#[test]
fn plain_mpirun_starts_a_program_and_one_mpis_launcher_is_not_anothers() {
    let dir = folder(&[("hello.upc", HELLO)]);
    let mpiccs = support::conduits::mpiccs();
    for mpicc in &mpiccs {
        let made = with_mpi(&dir, &Some(mpicc.clone()), "cc --conduit mpi -o hello hello.upc");
        assert_eq!(made.status, 0, "{}", made.transcript());
        for launcher in &mpiccs {
            let mut command = Command::new(launcher.replace("mpicc", "mpirun"));
            for permission in
                ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"]
            {
                command.env(permission, "1");
            }
            command.current_dir(dir.path()).args(["-n", "3", "./hello"]).env_remove("FATHOM_THREADS");
            let outcome = run(command, Duration::from_secs(60));
            if launcher == mpicc {
                assert_eq!(outcome.stdout, "threads 3 sum 6 args 0\n", "{mpicc}: {}", outcome.transcript());
            } else {
                assert!(outcome.status != 0 && outcome.stdout.is_empty(), "{}", outcome.transcript());
                assert_eq!(
                    outcome.stderr.matches("mpirun has started 3 processes").count(),
                    1,
                    "{}",
                    outcome.transcript()
                );
            }
        }
    }
}

/// Computes for ever; each thread says once that it is there.
const ENDLESS: &str = r#"
#include <upc.h>
#include <stdio.h>
shared int word[THREADS];
int main(void) {
    upc_barrier;
    printf("here\n");
    fflush(stdout);
    for (;;) word[(MYTHREAD + 1) % THREADS]++;
}
"#;

/// Whoever ends the command ends the whole job, on every conduit; the kernel sees to it where nobody is told (SIGKILL).
#[test]
fn a_killed_job_leaves_no_process() {
    let dir = folder(&[("endless.upc", ENDLESS)]);
    let conduits = [("smp", None)].into_iter().chain(far_conduits());
    for (conduit, mpicc) in conduits {
        let made = with_mpi(&dir, &mpicc, &format!("cc --conduit {conduit} -o endless endless.upc"));
        assert_eq!(made.status, 0, "{}", made.transcript());
        for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGKILL] {
            let mark = format!("{}-{conduit}-{signal}", std::process::id());
            let output = fs::File::create(dir.path().join("output")).expect("a file");
            let mut command = fathom();
            command.current_dir(dir.path()).args(["run", "-n", "3", "./endless"]).env(support::MARK, &mark);
            not_ignored(&mut command, libc::SIGINT);
            let mut child = command.stdout(output).stderr(std::process::Stdio::null()).spawn().expect("fathom");
            let wait_until = |what: &str, done: &dyn Fn() -> bool| {
                if !eventually(done) {
                    support::kill_marked(&mark);
                    panic!("{conduit} {mpicc:?}, signal {signal}: {what}");
                }
            };
            let lines = || fs::read_to_string(dir.path().join("output")).unwrap_or_default().lines().count();
            wait_until("the threads do not start", &|| lines() == 3);
            // SAFETY: the child is ours and was not waited for.
            unsafe { libc::kill(child.id() as i32, signal) };
            let status = child.wait().expect("an end");
            assert!(!status.success() || conduit == "mpi", "{conduit} {mpicc:?}, signal {signal}: {status}");
            wait_until("processes are left", &|| support::marked(&mark).is_empty());
        }
    }
}

#[test]
fn the_conduit_comes_from_the_environment_where_no_option_says_it() {
    let dir = folder(&[("hello.upc", HELLO)]);
    let c = |conduit: &str, option: &str| {
        let mut command = fathom();
        let line = format!("cc {option} -trans -o out.c hello.upc");
        command.current_dir(dir.path()).args(line.split_whitespace()).env("FATHOM_CONDUIT", conduit);
        let outcome = run(command, Duration::from_secs(60));
        (outcome.status, fs::read_to_string(dir.path().join("out.c")).unwrap_or_default(), outcome.stderr)
    };
    let (far, near) = (c("template", ""), c("template", "--conduit smp"));
    assert!(far.0 == 0 && far.1.contains("distributed.h"), "{}", far.2);
    assert!(near.0 == 0 && !near.1.contains("distributed.h"), "{}", near.2);
    let unknown = c("carrier-pigeon", "");
    assert!(unknown.0 == 1 && unknown.2.contains("carrier-pigeon") && unknown.2.contains("template"), "{}", unknown.2);
}

#[test]
fn units_for_different_kinds_of_conduit_do_not_run_together() {
    let dir = folder(&[("main.upc", PART_MAIN), ("data.upc", PART_DATA)]);
    ok(&dir, "cc --conduit smp -c main.upc");
    ok(&dir, "cc --conduit template -c data.upc");
    let linked = f(&dir, "cc --conduit smp -o bad main.o data.o");
    let failed = if linked.status == 0 { start(&dir, "bad", Some(2), &[]) } else { linked };
    assert!(
        failed.status != 0 && failed.stderr.contains("data.upc was compiled for a conduit"),
        "{}",
        failed.transcript()
    );
}

#[test]
fn a_missing_mpi_is_explained() {
    let dir = folder(&[("a.upc", HELLO)]);
    let with = |variable: &str, value: &str| {
        let mut command = fathom();
        command.current_dir(dir.path()).args(["cc", "--conduit", "mpi", "-o", "a", "a.upc"]).env(variable, value);
        run(command, Duration::from_secs(60))
    };
    let outcome = with("FATHOM_MPICC", "no-such-mpicc");
    assert!(outcome.status == 1 && outcome.stderr.contains("FATHOM_MPICC"), "{}", outcome.transcript());
    let outcome = with("FATHOM_MPICC", "true");
    assert!(outcome.status == 1 && outcome.stderr.contains("does not say how to link"), "{}", outcome.transcript());
    // A PATH with a C compiler and no MPI.
    let tools = folder(&[]);
    for tool in ["cc", "gcc", "ld", "as", "ar", "objcopy"] {
        if let Some(path) = fathom_toolchain::compiler::which(tool) {
            std::os::unix::fs::symlink(path, tools.path().join(tool)).expect("a link");
        }
    }
    let mut command = fathom();
    command.current_dir(dir.path()).args(["cc", "--conduit", "mpi", "-o", "a", "a.upc"]);
    command.env("PATH", tools.path()).env_remove("FATHOM_MPICC").env_remove("CC").env_remove("FATHOM_CC");
    let outcome = run(command, Duration::from_secs(60));
    assert!(outcome.status == 1 && outcome.stderr.contains("libopenmpi-dev"), "{}", outcome.transcript());
}

/// Each thread tells the next; C11 and C++17.
const RING: &str = r#"
#include <fathom.h>
#include <stdio.h>
int main(int argc, char **argv) {
    fathom_init(&argc, &argv);
    fathom_ptr box = fathom_alloc_all(sizeof(long));
    long mine = fathom_me();
    fathom_put(fathom_on((fathom_me() + 1) % fathom_count(), box), &mine, sizeof mine);
    fathom_barrier_all();
    long sum = 0;
    for (int t = 0; t < fathom_count(); t++) sum += (long)fathom_get_value(fathom_on(t, box), sizeof(long));
    if (fathom_me() == 0) printf("%s: %d threads, sum %ld\n", fathom_conduit_name(), fathom_count(), sum);
    fathom_finalize();
    return 0;
}
"#;

const RING_CMAKE: &str = "\
cmake_minimum_required(VERSION 3.13)
project(ring C)
find_package(fathom REQUIRED COMPONENTS smp template)
add_executable(ring ring.c)
target_link_libraries(ring fathom::fathom)
add_executable(ring-template ring.c)
target_link_libraries(ring-template fathom::template)
";

/// Is the program here? In CI it has to be.
fn has(program: &str) -> bool {
    let found = fathom_toolchain::compiler::which(program).is_some();
    assert!(found || std::env::var("CI").is_err(), "{program} is needed for this test");
    found
}

/// A program over the message queues alone.
const QUEUES: &str = r#"
#include <msg.h>
#include <stdio.h>
int main(void) {
    msg_endpoint *e = msg_endpoint_create();
    msg_queue *q = e ? msg_queue_create(e, 0, 0, 0) : NULL;
    msg_transmit *t = e ? msg_transmit_create(e, 0, 1, 0) : NULL;
    msg_message m;
    if (!q || !t || msg_connect(t, 0, q, 7) != MSG_OK || msg_express(t, 0, 3, 42) != MSG_OK || !msg_receive(q, &m)) {
        puts(msg_error());
        return 1;
    }
    printf("word %d from %u\n", (int)m.word, m.source);
    return 0;
}
"#;

#[test]
fn c_programs_find_the_installed_library_by_pkg_config_and_by_cmake() {
    let dir = folder(&[("ring.c", RING), ("ring.cc", RING), ("queues.c", QUEUES), ("CMakeLists.txt", RING_CMAKE)]);
    ok(&dir, "install --prefix first");
    // Nothing in the tree depends on where it is.
    fs::rename(dir.path().join("first"), dir.path().join("moved")).expect("a new name");
    let shell = |line: &str| {
        let mut command = Command::new("sh");
        command
            .current_dir(dir.path())
            .args(["-ec", line])
            .env("PKG_CONFIG_PATH", dir.path().join("moved/lib/pkgconfig"));
        command.env_remove("FATHOM_THREADS");
        let outcome = run(command, Duration::from_secs(120));
        assert_eq!(outcome.status, 0, "{line}: {}", outcome.transcript());
        outcome.stdout
    };
    if has("pkg-config") {
        for (package, conduit) in [("fathom", "smp"), ("fathom-smp", "smp"), ("fathom-template", "template")] {
            shell(&format!(
                "cc -std=gnu11 -Wall -Wextra -Werror ring.c $(pkg-config --cflags --libs {package}) -o ring"
            ));
            assert_eq!(shell("./ring"), format!("{conduit}: 1 threads, sum 0\n"));
            assert_eq!(shell("FATHOM_THREADS=3 ./ring"), format!("{conduit}: 3 threads, sum 3\n"));
        }
        shell("cc -std=c11 -Wall -Wextra -Werror queues.c $(pkg-config --cflags --libs fathom-msg) -o queues");
        assert_eq!(shell("./queues"), "word 42 from 7\n");
        // libfathom has the queues, too, and gives way to the library of their own, whichever comes first.
        for packages in ["fathom", "fathom-msg fathom", "fathom fathom-msg"] {
            shell(&format!("cc -std=gnu11 queues.c $(pkg-config --cflags --libs {packages}) -o queues"));
            assert_eq!(shell("./queues"), "word 42 from 7\n");
        }
        if has("c++") {
            shell("c++ -std=gnu++17 -Wall -Wextra -Werror ring.cc $(pkg-config --cflags --libs fathom) -o ring");
            assert_eq!(shell("FATHOM_THREADS=4 ./ring"), "smp: 4 threads, sum 6\n");
        }
        if !support::conduits::mpiccs().is_empty() && fathom_toolchain::mpi::wrapper().is_ok() {
            shell("cc -O2 ring.c $(pkg-config --cflags --libs fathom-mpi) -o ring");
            assert_eq!(ok(&dir, "run -n 3 ./ring").stdout, "mpi: 3 threads, sum 3\n");
        }
    }
    if has("cmake") {
        shell("cmake -S . -B build -DCMAKE_PREFIX_PATH=$PWD/moved >&2 && cmake --build build >&2");
        assert_eq!(shell("FATHOM_THREADS=3 build/ring"), "smp: 3 threads, sum 3\n");
        assert_eq!(shell("FATHOM_THREADS=2 build/ring-template"), "template: 2 threads, sum 1\n");
    }
}

/// More than 2 GiB a thread in objects that are each too small to lie apart from the others.
const MANY_SMALL: &str = r#"
#include <upc.h>
#include <stdio.h>
#define B (16777215ul)
#define A(n) shared [B] char a##n[B * THREADS];
#define T(n) A(n##0) A(n##1) A(n##2) A(n##3) A(n##4) A(n##5) A(n##6) A(n##7) A(n##8) A(n##9)
T(1) T(2) T(3) T(4) T(5) T(6) T(7) T(8) T(9) T(10) T(11) T(12) T(13)
shared int behind;
int main(void) {
    a10[MYTHREAD * B] = 2, a139[MYTHREAD * B + 5] = 1;
    behind = 3;
    upc_barrier;
    if (MYTHREAD == 0) printf("%d %d %d\n", a139[5], a10[0], behind);
    return 0;
}
"#;

#[test]
fn static_data_that_code_cannot_reach_is_explained() {
    let dir = folder(&[("many.upc", MANY_SMALL)]);
    let failed = f(&dir, "cc -o many many.upc");
    assert_ne!(failed.status, 0);
    assert!(failed.stderr.contains("help: code can address 2 GiB of static data"), "{}", failed.transcript());
    let mut command = fathom();
    command.current_dir(dir.path()).args(["run", "-n", "1", "-mcmodel=large", "many.upc"]);
    command.env("FATHOM_CC", support::fast_compiler());
    let ran = run(command, Duration::from_secs(120));
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "1 2 3\n"), "{}", ran.transcript());
}

#[test]
fn static_data_beyond_the_memory_is_explained() {
    let source =
        "#include <upc.h>\nshared [15ul << 30] double a[(15ul << 30) * THREADS];\nint main(void) { a[5] = 1; }\n";
    let dir = folder(&[("huge.upc", source)]);
    let outcome = f(&dir, "run -n 1 huge.upc");
    let meminfo = fs::read_to_string("/proc/meminfo").expect("meminfo");
    let kib = |key: &str| -> u64 {
        let line = meminfo.lines().find_map(|l| l.strip_prefix(key)).expect("a line");
        line.split_whitespace().next().and_then(|n| n.parse().ok()).expect("a number")
    };
    if kib("MemTotal:") + kib("SwapTotal:") < 120 << 20 {
        assert_ne!(outcome.status, 0, "{}", outcome.transcript());
        assert!(outcome.stderr.contains("120.0 GiB"), "{}", outcome.transcript());
        assert!(outcome.stderr.contains("use smaller"), "{}", outcome.transcript());
    } else {
        assert_eq!(outcome.status, 0, "{}", outcome.transcript());
    }
}

/// The text of a man page, as a reader sees its characters.
fn page_text(troff: &str) -> String {
    let mut text = String::new();
    for line in troff.lines().filter(|l| !l.starts_with(".\\\"")) {
        text.push_str(line);
        text.push('\n');
    }
    for (escape, plain) in [
        ("\\fB", ""),
        ("\\fI", ""),
        ("\\fR", ""),
        ("\\&", ""),
        ("\\-", "-"),
        ("\\(dq", "\""),
        ("\\(aq", "'"),
        ("\\*(Aq", "'"),
        ("\\[u2026]", "…"),
        ("\\e", "\\"),
        ("\\\\", "\\"),
    ] {
        text = text.replace(escape, plain);
    }
    text.to_lowercase()
}

#[test]
fn man_pages_say_what_help_says() {
    let dir = folder(&[]);
    ok(&dir, "install --prefix here");
    let man = dir.path().join("here/share/man/man1");
    let pages = names(&man);
    let subcommands: Vec<&str> = pages.iter().filter_map(|p| p.strip_prefix("fathom-")?.strip_suffix(".1")).collect();
    assert!(subcommands.len() >= 10 && subcommands.contains(&"cc") && subcommands.contains(&"tune"), "{pages:?}");
    let help_of = |program: &str, args: &[&str]| {
        let mut command = Command::new(dir.path().join("here/bin").join(program));
        command.args(args);
        run(command, Duration::from_secs(60)).stdout
    };
    let mut compared = vec![("fathom.1".to_string(), help_of("fathom", &["--help"]))];
    compared.push(("upcrun.1".to_string(), help_of("upcrun", &["--help"])));
    for name in subcommands {
        let words: Vec<&str> = name.split('-').chain(["--help"]).collect();
        compared.push((format!("fathom-{name}.1"), help_of("fathom", &words)));
    }
    for (page, help) in &compared {
        let text = page_text(&fs::read_to_string(man.join(page)).expect("a page"));
        let of_layout = ["Usage:", "Commands:", "Arguments:", "Options:", "  help "];
        let words = help.lines().filter(|line| !of_layout.iter().any(|start| line.starts_with(start)));
        for word in words.flat_map(str::split_whitespace) {
            let word = word.to_lowercase();
            // clap puts a default and the possible values in brackets, the page puts the latter in a list.
            assert!(
                text.contains(word.trim_matches(|c| "[]<>,:.".contains(c))),
                "{page} lacks '{word}' of --help:\n{text}"
            );
        }
    }
    assert!(fs::read_to_string(man.join("upcc.1")).expect("a page").contains("fathom-cc.1"));
    if has("groff") {
        for page in &pages {
            let mut command = Command::new("groff");
            command.current_dir(man.parent().expect("a folder")).args(["-man", "-ww", "-Tutf8", "-s"]);
            let shown = run(
                {
                    command.arg(format!("man1/{page}"));
                    command
                },
                Duration::from_secs(60),
            );
            assert_eq!((shown.status, shown.stderr.as_str()), (0, ""), "{page}");
        }
    }
}

#[test]
fn every_help_page_has_examples() {
    let dir = folder(&[]);
    for line in
        ["--help", "cc --help", "run --help", "install --help", "completions --help", "bench --help", "model --help"]
    {
        assert!(ok(&dir, line).stdout.contains("Example"), "fathom {line}");
    }
    assert!(ok(&dir, "completions bash").stdout.contains("complete"));
    assert!(ok(&dir, "doctor").stdout.contains("C compiler"));
    let version = Command::new(FATHOM).arg("--version").output().expect("fathom");
    assert!(String::from_utf8_lossy(&version.stdout).contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn source_bytes_that_are_not_utf8_reach_the_program() {
    let dir = folder(&[]);
    let source = b"#include <stdio.h>\nint main(void) { if (MYTHREAD == 0) puts(\"caf\xe9\"); return 0; }\n";
    fs::write(dir.path().join("l.upc"), source).expect("a file");
    ok(&dir, "cc -o l l.upc");
    let output = Command::new(dir.path().join("l")).env("FATHOM_THREADS", "1").output().expect("the program");
    assert_eq!(output.stdout, b"caf\xe9\n");
}

#[test]
fn folders_with_blanks_in_their_names_work() {
    let dir = folder(&[]);
    let inner = dir.path().join("a b");
    fs::create_dir(&inner).expect("a folder");
    fs::write(inner.join("h e.upc"), HELLO).expect("a file");
    let mut command = fathom();
    command.current_dir(&inner).args(["run", "-n", "2", "h e.upc"]);
    let outcome = run(command, Duration::from_secs(120));
    assert_eq!(outcome.stdout, "threads 2 sum 3 args 0\n", "{}", outcome.transcript());
}

#[test]
fn concurrent_first_uses_of_an_empty_cache_all_work() {
    let dir = folder(&[("hello.upc", HELLO)]);
    // A name with blanks works for a cache, too.
    let cache = dir.path().join("c c");
    std::thread::scope(|s| {
        for _ in 0..3 {
            s.spawn(|| {
                let mut command = fathom();
                command.current_dir(dir.path()).args(["run", "-n", "2", "hello.upc"]);
                command.env("FATHOM_CACHE", &cache).env("FATHOM_CC", support::fast_compiler());
                let outcome = run(command, Duration::from_secs(120));
                assert_eq!(outcome.stdout, "threads 2 sum 3 args 0\n", "{}", outcome.transcript());
            });
        }
    });
    assert_eq!(names(&cache.join("tmp")), [""; 0]);
}

#[test]
fn a_reader_that_has_enough_is_no_failure() {
    for args in [&["model", "--list"][..], &["completions", "bash"], &["doctor"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output =
            fathom().args(args).stdout(writer).stderr(std::process::Stdio::piped()).output().expect("fathom runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
}

/// A measuring script that fails names the step that failed, whatever the step itself printed.
#[test]
fn a_measuring_script_says_what_failed() {
    let mut command = Command::new("bash");
    command.arg(support::root().join("bench/split-c/run.sh")).arg("1").env("FATHOM", "false");
    let outcome = run(command, Duration::from_secs(60));
    assert_ne!(outcome.status, 0);
    assert!(outcome.stderr.contains("compiling local.sc failed with status 1"), "{}", outcome.transcript());
}
