//! Functions that do nothing but compute: loops that call them fetch ahead all the same.

use crate::support;
use fathom_lower::plan::Plan;
use fathom_lower::Options;

const FAR: Options = Options { direct: false, explain: false, count: false, strips: true, check: false, hiding: &[] };

/// What is said of the loop's read of `t`, if it calls `f`, which this declares.
fn said(functions: &str, read: &str) -> String {
    let source = format!(
        "double sqrt(double); void exit(int); void abort(void); int printf(const char *, ...); void other(void); long more(long); \
         shared long t[4 * THREADS]; shared long one; strict shared long strict_one; long global; volatile long changing; const long fixed = 3; \
         long table[9]; struct pair {{ long a, b; }};\n{functions}\n\
         long loop(int n, const long *k) {{ long s = 0; for (int i = 0; i < n; i++) s += {read}; return s; }}\n"
    );
    let (parsed, sema) = support::checked(&source).unwrap_or_else(|said| panic!("{functions}: {said}"));
    assert!(support::generated(&source, FAR).is_ok_and(|code| code.contains(" f")), "{functions}");
    let verdicts = Plan::new(&parsed, &sema, FAR).verdicts(&parsed, &sema, true);
    verdicts.last().map(|v| v.text.clone()).unwrap_or_default()
}

const STRIPS: &str = "far reads of this loop are fetched in strips";
const GATHERED: &str = "far reads of this loop are gathered: their places are computed ahead";
const CALLS: &str = "not fetched in strips: the loop calls a function that may synchronise or write";

#[test]
fn functions_that_only_compute() {
    for f in [
        "long f(long x) { return x * 3; }",
        "static inline long f(long x) { long y = 1; for (int i = 0; i < 3; i++) y *= x; return y; }",
        "static long f(long x) { x += 2; long a[3] = {x, 1}; a[x & 1]++; struct pair p = {1, 2}; p.b = a[0]; return p.b; }",
        "static long g(long x) { return x ? x : 1; } static long f(long x) { return g(x) + (long)sqrt(x); }",
        "static long f(long x) { return x < 2 ? x : f(x - 1) + f(x - 2); }",
        "static long f(long x) { switch (x) { case 1: return 2; default: goto end; } end: return sizeof one; }",
        "enum { E = 4 }; static long f(long x) { return x + E + THREADS + MYTHREAD; }",
    ] {
        assert_eq!(said(f, "t[i] + f(i)"), STRIPS, "{f}");
        assert_eq!(said(f, "t[f(k[i])]"), GATHERED, "{f}");
    }
}

/// They may be called, but their value may change in the loop.
#[test]
fn functions_that_read_memory() {
    for f in [
        "static long f(long x) { return x + global; }",
        "static long f(long x) { return table[x]; }",
        "static long f(long x) { static const long c[] = {1, 2}; return c[x & 1]; }",
        "static long g(const long *p) { return *p; } static long f(long x) { return g(table) + x; }",
        "static long f(long x) { if (x < 0) abort(); return x; }",
        "static long f(long x) { if (x < 0) exit(1); return x; }",
        "static long g(struct pair *p) { return p->a; } static long f(long x) { struct pair p = {x, x}; return g(&p); }",
    ] {
        assert_eq!(said(f, "t[i] + f(i)"), STRIPS, "{f}");
        assert_ne!(said(f, "t[f(k[i])]"), GATHERED, "{f}");
    }
}

/// The iterations behind such a call may not be made: nothing is computed for them.
#[test]
fn functions_that_end_the_program() {
    let ends = "static long g(long x) { if (x < 0) exit(1); return x; } static long f(long x) { return g(x) + 1; }";
    for read in ["t[k[i]] + f(i)", "t[k[i]] + (exit(0), 1)"] {
        assert!(said(ends, read).contains("it is not known ahead whether an iteration reads the element"), "{read}");
    }
    assert_eq!(said(ends, "t[i] + f(i)"), STRIPS);
    assert_eq!(said("static long f(long x) { return x; }", "t[k[i]] + (k[i] < 0 ? (abort(), 1) : f(i))"), GATHERED);
    for known in [
        "__builtin_expect(k[i] > 3, 0)",
        "__builtin_popcountl(k[i])",
        "cosh(k[i])",
        "fabsf(i)",
        "__builtin_isnan(k[i] * 1.0)",
        "__builtin_ctz(k[i] | 7)",
    ] {
        assert_eq!(
            said("double cosh(double); float fabsf(float);", &format!("t[k[i]] + {known}")),
            GATHERED,
            "{known}"
        );
        assert_eq!(said("double cosh(double); float fabsf(float);", &format!("t[(long){known}]")), GATHERED, "{known}");
    }
    assert_eq!(said("", "t[i] + __builtin_add_overflow(i, 1, &s)"), CALLS);
    assert_eq!(said("double cosh(double) __asm__(\"other\");", "t[i] + cosh(i)"), CALLS);
    // Effects in the loop itself that no call shows.
    let quiet = "static long f(long x) { return x; } void g(long *);";
    for read in ["t[i] + sizeof(long[global++])", "t[i] + ({ long y __attribute__((cleanup(g))) = 1; y; })"] {
        assert!(said(quiet, read).starts_with("not fetched in strips"), "{read}");
    }
    let declared = "long f(long); long f(long x) { return x; }";
    assert_eq!(said(declared, "t[f(k[i])]"), GATHERED);
    assert_ne!(said(declared, "({ long f(long); t[f(k[i])]; })"), GATHERED);
}

#[test]
fn functions_that_do_more() {
    for f in [
        "void g(long); static long f(long x) { g(x); return x; }",
        "static long (*g)(long); static long f(long x) { return g(x); }",
        "static long f(long x) { global = x; return x; }",
        "static long f(long x) { return table[x]++; }",
        "static long f(long x) { static long n; return n++; }",
        "static long f(long x) { extern long global; return global++; }",
        "static long f(long x) { long *p = &x; *p = 3; return x; }",
        "static long f(long x) { return t[x]; }",
        "static long f(long x) { return one; }",
        "static long f(long x) { one = x; return x; }",
        "static long f(long x) { upc_fence; return x; }",
        "static long f(long x) { upc_barrier; return x; }",
        "static long f(long x) { strict_one = x; return x; }",
        "static long f(long x) { return changing; }",
        "static long f(long x) { printf(\"%ld\\n\", x); return x; }",
        "static long f(long x) { other(); return x; }",
        "static long f(long x) { __asm__(\"\"); return x; }",
        "static long (*f)(long);",
        "static long g(long); static long f(long x) { return x ? g(x - 1) : 0; } static long g(long x) { return x ? f(x - 1) : global++; }",
        "__attribute__((weak)) long f(long x) { return x; }",
        "__attribute__((weak)) long f(long); long f(long x) { return x; }",
        "long f(long x) { return x; }\n#pragma weak f",
        "static long f(long x) { return x + sizeof(long[global++]); }",
        "static long f(long x) { long a[2][x]; return x + sizeof a[global++]; }",
        "static long f(long x) { long a[global++]; return x; }",
        "void g(long *); static long f(long x) { long y __attribute__((cleanup(g))) = x; return y; }",
        "double cbrt(double) __asm__(\"other\"); static long f(long x) { return cbrt(x); }",
        "static long f(long x) { shared long *p = &t[x]; return *p; }",
        "static long f(long x) { int i; upc_forall (i = 0; i < x; i++; i) x--; return x; }",
    ] {
        assert_eq!(said(f, "t[i] + f(i)"), CALLS, "{f}");
    }
}

/// Of functions of other files that is assumed which the loop needs; it asks whether it is so.
#[test]
fn functions_of_other_files() {
    let if_so = |said: &str, names: &str| format!("{said}, if {names} only compute");
    let f = "`f`, which is in another file,";
    let one = |said: &str| if_so(said, f) + "s";
    assert_eq!(said("long f(long);", "t[i] + f(i)"), one(STRIPS));
    assert_eq!(said("long f(long);", "t[f(k[i])]"), one(GATHERED));
    assert_eq!(said("long f(long) __attribute__((const));", "t[i] + f(i)"), one(STRIPS));
    let of_more = "static long f(long x) { return more(x) + 1; }";
    assert_eq!(
        said(of_more, "t[i] + f(i)"),
        STRIPS.to_owned() + ", if `more`, which is in another file, only computes"
    );
    let both = "`more` and `f`, which are in other files,";
    assert_eq!(said("long f(long);", "t[i] + f(more(i))"), if_so(STRIPS, both));
    for f in [
        "void g(long); long f(long x) { g(x); return x; }",
        "long f(long) __asm__(\"other\");",
        "long f(long) __attribute__((pure)); long f(long) __asm__(\"other\");",
        "#pragma redefine_extname f other\nlong f(long);",
        "long (*f)(long);",
    ] {
        assert_eq!(said(f, "t[i] + f(i)"), CALLS, "{f}");
    }
    let is_asked = |code: &str, question: &str| code.contains(question);
    let code = |read: &str| {
        let source = format!(
            "shared long t[4 * THREADS]; long f(long);\nlong loop(int n, const long *k) {{ long s = 0; \
             for (int i = 0; i < n; i++) s += {read}; return s; }}\n"
        );
        support::generated(&source, FAR).expect("code")
    };
    assert!(is_asked(&code("t[i] + f(i)"), "fathom_only_computes(&fathom_computes_f, fathom_named_f, 1) && ("));
    assert!(is_asked(&code("t[f(k[i])]"), "fathom_only_computes(&fathom_computes_f, fathom_named_f, 0) && ("));
    assert!(!is_asked(&code("k[i]"), "fathom_only_computes"), "nothing is fetched");
    assert!(!is_asked(&code("f(i)"), "fathom_only_computes"), "nothing is fetched");
}

/// What a file says of its functions: the number of those that these have to call, and whether they read memory.
#[test]
fn what_files_say_of_their_functions() {
    let declared =
        "shared long t[4 * THREADS]; long more(long); long least(long); long global; void exit(int); void abort(void);";
    let said = |f: &str, options| {
        let code = support::generated(&format!("{declared}\n{f}\n"), options).expect("code");
        let line = code.lines().find(|l| l.starts_with("const struct fathom_computes fathom_computes_f ="));
        line.map(|l| l.split_once("fathom_this_f, ").expect("its function").1.to_owned())
    };
    for (f, expected) in [
        ("long f(long x) { return x + 1; }", Some("0, 0, 0};")),
        ("long f(long x) { return x + global; }", Some("0, 0, 1};")),
        ("long f(long x) { if (!x) abort(); return x; }", Some("0, 0, 1};")),
        ("long f(long x) { return more(x); }", Some("fathom_called_f, 1, 0};")),
        (
            "static long g(long x) { return more(least(x)); } long f(long x) { return g(x); }",
            Some("fathom_called_f, 2, 0};"),
        ),
        ("long g(long x) { return more(x); } long f(long x) { return g(x); }", Some("fathom_called_f, 2, 0};")),
        ("long g(long x) __asm__(\"h\"); long g(long x) { return x; } long f(long x) { return g(x); }", None),
        ("inline long g(long x) { return x; } long f(long x) { return g(x); }", Some("0, 0, 0};")),
        ("long f(long *x) { return more(*x); }", Some("fathom_called_f, 1, 1};")),
        ("long f(long x) { return x ? f(x - 1) : 1; }", Some("0, 0, 0};")),
        ("long f(long x) { if (!x) exit(1); return x; }", None),
        ("long f(long x) { return t[x]; }", None),
        ("long f(long x) { return global++; }", None),
        ("static long f(long x) { return x; } long (*g)(long) = f;", None),
        ("inline long f(long x) { return x; } long g(long x) { return f(x); }", None),
        ("extern inline long f(long x) { return x; }", None),
        ("long f(long x) __attribute__((weak)); long f(long x) { return x; }", None),
        ("long f(long x) __asm__(\"g\"); long f(long x) { return x; }", None),
        ("long (*f)(long) = more;", None),
    ] {
        assert_eq!(said(f, FAR).as_deref(), expected, "{f}");
    }
    let f = "long f(long x) { return x + 1; }";
    assert_eq!(said(f, Options { direct: true, ..FAR }), None);
    assert_eq!(said(f, Options { strips: false, ..FAR }), None);
    assert_eq!(said(f, Options { count: true, ..FAR }), None);
}
