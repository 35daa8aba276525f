//! One example for every rule: it is reported, once, and nothing else is.

use crate::common;
use common::*;
use fathom_sema::rules;
use fathom_syntax::Severity;

/// (code, text that breaks the rule once, in the dynamic environment)
const EXAMPLES: &[(&str, &str)] = &[
    ("U301", "void f(void) { THREADS = 3; }"),
    ("U302", "int *f(void) { return &MYTHREAD; }"),
    ("U303", "shared [0xffffffffffffffff] int *p;"),
    ("U304", "enum { A = 2 * THREADS };"),
    ("U401", "int x; unsigned long f(void) { return upc_localsizeof(x); }"),
    ("U402", "shared int *p; unsigned long f(void) { return upc_blocksizeof(p); }"),
    ("U403", "unsigned long f(void) { return upc_elemsizeof(int); }"),
    ("U404", "struct s; shared struct s *p; unsigned long f(void) { return sizeof *p; }"),
    ("U405", "unsigned long f(void) { return upc_localsizeof(shared void); }"),
    ("U406", "shared struct { int b : 3; } s; unsigned long f(void) { return upc_blocksizeof(s.b); }"),
    ("U407", "extern shared [] int a[]; unsigned long f(void) { return upc_elemsizeof(a); }"),
    ("U408", "shared int a[THREADS]; _Static_assert(sizeof a > 0, \"\");"),
    ("U411", "shared int *s; int *p; int f(void) { return s == p; }"),
    ("U412", "shared void *s; int f(void) { return s < s; }"),
    ("U413", "shared void *s; void f(void) { s + 1; }"),
    ("U414", "shared int *s; void f(void) { s * 2; }"),
    ("U415", "shared int *s; shared [2] int *t; long f(void) { return s - t; }"),
    ("U416", "shared int *s; int *p; void f(int x) { x ? s : p; }"),
    ("U417", "shared int *s; shared [2] int *t; void f(int x) { x ? s : t; }"),
    ("U418", "shared int *s; void f(int x) { x ? s : 1; }"),
    ("U421", "int *p; void f(void) { (shared int *)p; }"),
    ("U422", "void f(void) { (shared int *)16; }"),
    ("U423", "shared int *s; void f(void) { (double)s; }"),
    ("U424", "shared int *s; int *p; void f(void) { s = p; }"),
    ("U425", "shared int *s; int *p; void f(void) { p = s; }"),
    ("U426", "shared int *s; shared [2] int *t; void f(void) { s = t; }"),
    ("U427", "shared int *s; void f(long x) { s = x; }"),
    ("U428", "shared int *s; void f(long x) { x = s; }"),
    ("U429", "shared const int *s; shared int *t; void f(void) { t = s; }"),
    ("U430", "shared int *p; shared unsigned *q; void f(void) { p = q; }"),
    ("U430", "shared [] char *p; shared [] unsigned char *q; int f(void) { return p == q; }"),
    ("U431", "shared void *s; void f(void) { *s; }"),
    ("U432", "shared struct { int b : 3; } s; void f(void) { &s.b; }"),
    ("U434", "shared struct { int b; } s; void f(void) { s.c; }"),
    ("U435", "shared int a[THREADS]; void f(void) { a[1.5]; }"),
    ("U436", "int printf(const char *, ...); shared int *p; void f(void) { printf(\"%p\", p); }"),
    ("U437", "shared int x; void f(void) { __asm__(\"\" : \"=r\"(x)); }"),
    ("U437", "shared int x; void f(void) { __asm__(\"\" : : \"m\"(x), \"r\"(x)); }"),
    ("U501", "shared strict relaxed int a;"),
    ("U502", "shared [2] shared [3] int *a;"),
    ("U503", "int *shared [2] shared [3] *a;"),
    ("U504", "int *shared strict relaxed a;"),
    ("U511", "strict int a;"),
    ("U512", "struct s { shared int a; };"),
    ("U513", "shared [*] int *a;"),
    ("U514", "typedef shared [*] int T[4 * THREADS];"),
    ("U515", "shared [2] void *a;"),
    ("U516", "int n; shared [n] int *a;"),
    ("U517", "shared [-1] int *a;"),
    ("U521", "void f(void) { shared int a; }"),
    ("U522", "void f(shared int a);"),
    ("U523", "_Thread_local shared int a;"),
    ("U524", "shared int f(void);"),
    ("U525", "typedef int F(void); shared F f;"),
    ("U526", "shared _Atomic int a;"),
    ("U531", "shared int a[10];"),
    ("U532", "shared int a[THREADS][THREADS];"),
    ("U533", "shared int a[THREADS + 1];"),
    ("U534", "shared int a[THREADS * 0];"),
    ("U535", "shared [] int a[THREADS];"),
    ("U536", "int n; shared [] int a[n];"),
    ("U537", "struct s; shared struct s a;"),
    ("U538", "extern shared int a; extern shared [2] int a;"),
    ("U539", "shared int a[THREADS * 2 * 3];"),
    ("U540", "shared [] char a[1ul << 40];"),
    ("U541", "int f(void); shared int a = f();"),
    ("U542", "shared [] int a[2] = {1, 2, 3};"),
    ("U543", "extern shared int a[];"),
    ("U544", "extern shared [*] int a[][THREADS]; int f(void) { a[0][0] = 1; return a[0][1]; }"),
    ("U544", "extern shared [*] int a[][THREADS]; int f(void) { return a[0][1]; } shared [*] int a[2][THREADS];"),
    ("U545", "extern shared [*] int a[][THREADS];"),
    ("U601", "shared int *s; void f(void) { upc_barrier s; }"),
    ("U611", "int *p; void f(void) { upc_forall (;;; p) ; }"),
    ("U612", "void f(void) { upc_forall (;;; -1) ; }"),
    ("U613", "void f(void) { upc_forall (;;; 1) break; }"),
    ("U614", "void f(void) { goto l; upc_forall (;;; 1) { l: ; } }"),
    ("U615", "void f(void) { upc_forall (;;; 1) upc_barrier; }"),
    ("U801", "void f(void) { upc_all_nothing(1); }"),
    (
        "U802",
        "typedef shared struct fathom_lock_opaque upc_lock_t; unsigned long f(void) { return sizeof(upc_lock_t); }",
    ),
    ("U803", "unsigned long f(void) { return sizeof(upc_tick_t); }"),
    ("U803", "void f(void) { upc_sync(0); upc_sync(0); }"),
    ("U803", "int f(void) { return UPC_INC; }"),
    (
        "U804",
        "void upc_atomic_strict(int *, void *); int *d; shared int *p; void f(void) { upc_atomic_strict(d, &p); }",
    ),
    ("P101", "global int *p;"),
    ("P101", "int spread x;"),
    ("P102", "int *global spread p;"),
    ("P103", "void (*global f)(void);"),
    ("P111", "int x; int *global p; void f(void) { p = &x; }"),
    ("P111", "int *spread p; void f(int *q) { p = q; }"),
    ("P112", "int *global p; int *q; void f(void) { q = p; }"),
    ("P112", "void g(int *q); int x[2]::[3]; void f(void) { g(x[1]); }"),
    ("P113", "int *global p; int *spread q; void f(void) { q = p; }"),
    ("P114", "int *global p; void f(long i) { p = i; }"),
    ("P114", "int *global p; void f(long i) { p = (int *global)i; }"),
    ("P115", "int *global p; long f(void) { return p; }"),
    ("P116", "int *global p; double *global q; void f(void) { p = q; }"),
    ("P116", "int *global p; double *global q; int f(void) { return p == q; }"),
    ("P119", "int *global p; int *spread q; int f(void) { return p < q; }"),
    ("P119", "int *global p, *q; int f(void) { return p == q; }"),
    ("P117", "int f(int x) { return *__fathom_tolocal(x); }"),
    ("P118", "int (*spread p)[4]; int *spread q; void f(void) { q = p; }"),
    ("P121", "int *p; void f(void) { *p :- 1; }"),
    ("P122", "int x, y; void f(void) { x := y; }"),
    ("P123", "int *global p; void f(int x) { x + 1 := *p; }"),
    ("P131", "int x[2]:: = {1, 2};"),
    ("P132", "int x[PROCS][PROCS]::;"),
    ("P132", "int x[PROCS]::[PROCS];"),
    ("P132", "int x[2]::[3][PROCS];"),
    ("P132", "void f(void) { int x[]::; }"),
    ("P133", "struct s { int x[2]::; };"),
    ("P134", "void f(int n) { goto l; { int x[n]::; l: x[0] = 1; } }"),
    ("P134", "void f(int n) { { int x[n]::; l: x[0] = 1; } goto l; }"),
    ("P134", "void f(int n) { switch (n) { int x[n]::; case 1: x[0] = 1; } }"),
    ("T101", "void f(void) { g(); }"),
    ("T102", "shared struct { int a; } s; void f(void) { if (s) ; }"),
    ("T103", "shared int s; void f(void) { *s; }"),
    ("T104", "shared struct { int a; } s; void f(void) { s = 1; }"),
    ("T105", "shared int s; void f(void) { s(); }"),
    ("T106", "shared const int s = 1; void f(void) { s = 2; }"),
];

#[test]
fn every_rule_is_reported_once_and_alone() {
    for rule in rules::TABLE {
        let examples: Vec<_> = EXAMPLES.iter().filter(|e| e.0 == rule.code).collect();
        assert!(!examples.is_empty(), "{} has no example", rule.code);
        for (code, text) in examples {
            let options = if code.starts_with('P') { split_c() } else { dynamic() };
            let (_, _, diags) = analyse(text, options);
            let found: Vec<_> = diags.iter().map(|d| d.code).collect();
            assert_eq!(found, [*code], "{text}\n{diags:#?}");
            let severity = if rule.warning { Severity::Warning } else { Severity::Error };
            assert_eq!(diags[0].severity, severity, "{code}");
            assert_eq!(diags[0].clause, rule.clause, "{code}");
            assert!(!diags[0].span.is_empty(), "{code}");
        }
    }
}

#[test]
fn codes_are_distinct_and_in_order() {
    let key = |c: &str| c.replace('T', "Z").replace('P', "Y");
    let codes: Vec<_> = rules::TABLE.iter().map(|r| key(r.code)).collect();
    assert!(codes.windows(2).all(|w| w[0] < w[1]), "{codes:?}");
}

/// The table in the documentation is the table in the code. UPDATE_EXPECT=1 writes it.
#[test]
fn documentation_lists_every_rule() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    let mut table = String::from("| code | | clause | meaning | what to do |\n|---|---|---|---|---|\n");
    for r in rules::TABLE {
        let kind = if r.warning { "warning" } else { "error" };
        let hint = r.hint.unwrap_or("").replace('|', "\\|");
        table.push_str(&format!("| {} | {kind} | {} | {} | {hint} |\n", r.code, r.clause.unwrap_or(""), r.meaning));
    }
    let text = std::fs::read_to_string(&path).expect("docs/diagnostics.md");
    let (begin, end) = ("<!-- types: begin -->\n", "<!-- types: end -->");
    let from = text.find(begin).expect("the mark where the table begins") + begin.len();
    let to = text.find(end).expect("the mark where the table ends");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{}{table}{}", &text[..from], &text[to..])).expect("can be written");
        return;
    }
    assert_eq!(&text[from..to], table, "run the test with UPDATE_EXPECT=1");
}

#[test]
fn static_environment_lifts_the_rules_about_threads() {
    for text in [
        "shared int x[10 + THREADS];",
        "shared [] int x[THREADS];",
        "shared int x[10];",
        "shared int x[THREADS][4 * THREADS];",
        "shared int x[THREADS * THREADS];",
        "shared int x[THREADS * 100 * 20];",
        "shared int (**p)[THREADS][THREADS];",
        "typedef shared int (*t)[THREADS][13][THREADS];",
        "shared void *q; shared void *f(void) { return (shared int (*)[THREADS][THREADS])q; }",
        "enum { A = THREADS }; shared int a[THREADS]; char b[sizeof a];",
    ] {
        assert_eq!(codes_with(text, threads(4)), "", "{text}");
        assert_ne!(codes(text), "", "{text}");
    }
}

#[test]
fn pointers_to_shared_are_no_numbers() {
    let d = "shared int *s; int a[3];";
    for body in ["a[s];", "switch (s) { }", "+s;", "~s;", "s % 2;", "int x = 1; x += s;", "s << 1;", "s & 1;"] {
        assert_eq!(body_codes(d, body), "U414", "{body}");
    }
    for body in ["!s;", "s && a;", "if (s) ;", "s ? 1 : 2;", "_Bool b = s;", "(long)s;", "(void)s;", "s, 1;"] {
        assert_eq!(body_codes(d, body), "", "{body}");
    }
}

#[test]
fn names_declared_again_in_other_scopes_do_not_conflict() {
    for text in [
        "void f(void) { int cmp(shared int *p) { return !p; } cmp(0); } void g(void) { int cmp(int *p) { return !p; } cmp(0); }",
        "void f(void) { auto int cmp(shared int *p); int cmp(shared int *p) { return !p; } }",
        "typedef shared int T; void f(void) { typedef shared [2] int T; T *p = 0; (void)p; }",
        "typedef shared int T; typedef shared int T; extern T *x; shared int *x;",
        "shared int x; void f(void) { int x = 1; { extern shared int x; x = 2; } }",
    ] {
        assert_eq!(codes(text), "", "{text}");
    }
    assert_eq!(codes("typedef shared int T; typedef shared [2] int T;"), "U538");
}
