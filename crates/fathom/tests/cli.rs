//! The command as its users type it: files in, files out, messages, statuses.

use crate::support;
use std::fs;
use std::process::Command;
use std::time::Duration;
use support::command::{eventually, f, names, not_ignored, ok, start, HELLO, PART_DATA, PART_MAIN};
use support::{fathom, fathom_in, folder, run, Outcome, FATHOM};

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
