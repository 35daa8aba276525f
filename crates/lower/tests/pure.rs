//! Functions that do nothing but compute: loops that call them fetch ahead all the same.

mod support;

use fathom_lower::plan::Plan;
use fathom_lower::Options;

const FAR: Options = Options { direct: false, explain: false, count: false, strips: true, check: false };

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
        "long f(long);",
        "static long f(long x) { return more(x); }",
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
