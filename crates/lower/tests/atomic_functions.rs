//! Functions that are one atomic operation: what their file says of them, and which loops of other files make their calls together.

use crate::support;
use fathom_lower::plan::Plan;
use fathom_lower::Options;

const FAR: Options = Options { direct: false, explain: false, count: false, strips: true, check: false, hiding: &[] };

const DECLARED: &str = "typedef shared struct domain upc_atomicdomain_t; \
    void upc_atomic_relaxed(upc_atomicdomain_t *, void *restrict, int, shared void *restrict, const void *restrict, const void *restrict); \
    void upc_atomic_strict(upc_atomicdomain_t *, void *restrict, int, shared void *restrict, const void *restrict, const void *restrict); \
    long bupc_atomicL_fetchadd_relaxed(shared void *, long); long bupc_atomicL_fetchadd_strict(shared void *, long); \
    int bupc_atomicI_swap_relaxed(shared void *, int); double bupc_atomicD_read_relaxed(shared void *); void other(void); \
    upc_atomicdomain_t *dom; upc_atomicdomain_t *shared shared_dom; extern upc_atomicdomain_t *volatile changing; long global;\n";

/// What the file says of its functions, without what it says of those that only compute.
fn said(functions: &str) -> String {
    let code = support::generated(&format!("{DECLARED}{functions}\n"), FAR);
    let code = code.unwrap_or_else(|said| panic!("{functions}: {said}"));
    code.lines().filter(|l| l.contains("fathom_opens_")).collect::<Vec<_>>().join("\n")
}

#[test]
fn functions_that_are_one_operation() {
    for (function, opens, ends) in [
        (
            "long f(shared long *p, long i) { long r; upc_atomic_relaxed(dom, &r, 4, &p[i], 0, 0); return r; }",
            "fathom_fetch_domain(f, dom, 4, 8ul, 0)",
            "1, 8ul, 0ul",
        ),
        (
            "long f(shared long *p, int i, long x) { long r; upc_atomic_relaxed(dom, (&r), 1, p + i, &x, (void *)0); return (r); }",
            "fathom_fetch_domain(f, dom, 1, 8ul, 1)",
            "3, 8ul, 0ul",
        ),
        (
            "unsigned f(shared [] unsigned *p, unsigned x) { unsigned r = 0; return r; } \
             unsigned g(shared [] unsigned *p, unsigned x) { unsigned r; ; upc_atomic_relaxed(dom, &r, 1, &*p, &x, 0); return r; }",
            "fathom_fetch_domain(f, dom, 1, 4ul, 1)",
            "2, 4ul, 0ul",
        ),
        (
            "long f(shared long *p) { return bupc_atomicL_fetchadd_relaxed(p, -1); }",
            "fathom_fetch_berkeley(f, FATHOM_FETCH_I64, FATHOM_FETCH_ADD)",
            "0, 8ul, 18446744073709551615ul",
        ),
        (
            "int f(shared int *p, int x) { int r = bupc_atomicI_swap_relaxed(p, x); return r; }",
            "fathom_fetch_berkeley(f, FATHOM_FETCH_I32, FATHOM_FETCH_SWAP)",
            "2, 4ul, 0ul",
        ),
        (
            "double f(shared [3] double *const p, const long i) { double r; r = bupc_atomicD_read_relaxed(&p[i]); return r; }",
            "fathom_fetch_berkeley(f, FATHOM_FETCH_F64, FATHOM_FETCH_GET)",
            "1, 8ul, 0ul",
        ),
    ] {
        let said = said(function);
        assert!(said.contains(opens) && said.contains(&format!(", {ends}}};")), "{function}: {said}");
    }
}

#[test]
fn functions_of_which_nothing_is_said() {
    let made = "long r; upc_atomic_relaxed(dom, &r, 1, &p[i], &x, 0); return r;";
    for function in [
        format!("static long f(shared long *p, long i, long x) {{ {made} }} long g(shared long *p) {{ return f(p, 0, 1); }}"),
        format!("__attribute__((weak)) long f(shared long *p, long i, long x) {{ {made} }}"),
        format!("inline long f(shared long *p, long i, long x) {{ {made} }}"),
        format!("long f(long i, shared long *p, long x) {{ {made} }}"),
        format!("long f(shared long *p, long x, long i) {{ {made} }}"),
        format!("long f(shared long *p, long i, long x, int unused) {{ {made} }}"),
        format!("long f(shared long *p, long i, long x, ...) {{ {made} }}"),
        format!("int f(shared long *p, long i, long x) {{ {made} }}"),
        format!("long f(shared long *p, double i, long x) {{ int j = i; {} }}", made.replace("[i]", "[j]")),
        format!("long f(shared long *p, long i, volatile long x) {{ {made} }}"),
        format!("long f(shared long *p, long i, long x) {{ other(); {made} }}"),
        format!("long f(shared long *p, long i, long x) {{ i++; {made} }}"),
        format!("long f(shared long *p, long i, long x) {{ if (i) {{ {made} }} return 0; }}"),
        format!("long f(shared long *p, long i, long x) {{ {made} global++; }}"),
        format!("long f(shared long *p, long i, long x) {{ static {made} }}"),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace("&r,", "&global,")),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace("return r", "return r + 1")),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace("return r", "return x")),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace("[i]", "[i + 1]")),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace("[i]", "[global]")),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace("&x", "&global")),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace(", 1,", ", (int)i,")),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace("&x, 0", "&x, &x")),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace("relaxed", "strict")),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace("dom", "shared_dom")),
        format!("long f(shared long *p, long i, long x) {{ {} }}", made.replace("dom", "changing")),
        format!("long f(shared long *p, long i, long x) {{ int r; {} }}", made.replace("long r;", "")),
        format!("long f(shared int *p, long i, long x) {{ {made} }}"),
        format!("long f(upc_atomicdomain_t *dom, shared long *p, long i, long x) {{ {made} }}"),
        format!("long f(strict shared long *p, long i, long x) {{ {made} }}"),
        format!("long f(shared long *p, long i, long x) {{ void g(void) {{ }} {made} }}"),
        "long f(shared long *p, long x) { long r; upc_atomic_relaxed(dom, &r, 1, p, &x, 0); upc_atomic_relaxed(dom, &r, 1, p, &x, 0); return r; }".into(),
        "void f(shared long *p, long x) { long r; upc_atomic_relaxed(dom, &r, 1, p, &x, 0); }".into(),
        "long f(shared long *p, long x) { return bupc_atomicL_fetchadd_strict(p, x); }".into(),
        "int f(shared int *p, int x) { return bupc_atomicL_fetchadd_relaxed(p, x); }".into(),
        "double f(shared double *p, double x) { return bupc_atomicL_fetchadd_relaxed(p, x); }".into(),
        "int f(shared long *p, int x) { int r = bupc_atomicL_fetchadd_relaxed(p, x); return r; }".into(),
        "long f(shared long *p, int x) { return bupc_atomicL_fetchadd_relaxed(p, x); }".into(),
        "long f(p, x) shared long *p; long x; { return bupc_atomicL_fetchadd_relaxed(p, x); }".into(),
        "long f(shared long *p, long x) __asm__(\"g\"); long f(shared long *p, long x) { return bupc_atomicL_fetchadd_relaxed(p, x); }".into(),
    ] {
        assert_eq!(said(&function), "", "{function}");
    }
}

/// Whether the loop's calls of functions of another file are made together, if these are such operations.
fn is_asked(body: &str) -> bool {
    let source = format!(
        "{DECLARED}long at(shared long *, long); long add(shared long *, int, long); long next(shared long *); long plus(shared long *, long); \
         double read(shared double *, long); int pair(shared [4] int *, long); long strange(shared long *, long *); long here(long *, long); \
         long done(shared long *, long, long, long); long old(); static long known(shared long *p, long i) {{ other(); return i; }} \
         shared long t[4 * THREADS]; shared double d[4 * THREADS]; shared [4] int w[4 * THREADS]; shared [3] long threes[3 * THREADS]; \
         shared struct {{ char c; long n; }} s[THREADS]; shared long m[4 * THREADS][5]; upc_atomicdomain_t *more; upc_atomicdomain_t **to_more;\n\
         long f(int n, const long *k, long *got, int *j, shared long *p, char *bytes) {{ long sum = 0; shared long *q = p; \
         for (int i = 0; i < n; i++) {{ {body}; }} return sum + (q == p); }}\n"
    );
    let (parsed, sema) = support::checked(&source).unwrap_or_else(|said| panic!("{body}: {said}"));
    let verdicts = Plan::new(&parsed, &sema, FAR).verdicts(&parsed, &sema, true);
    let said = verdicts.iter().any(|v| v.text.contains("atomic operations are fetched together, if `"));
    let code = support::generated(&source, FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
    assert_eq!(said, code.contains("fathom_fetch_elsewhere("), "{body}: {code}");
    said
}

#[test]
fn loops_that_ask() {
    for body in [
        "sum += at(t, k[i])",
        "sum += at(p, k[i]); got[i] = sum",
        "at((p), (i))",
        "if (k[i] > 2) got[i] = add(t, j[i], k[i] + 1)",
        "sum += k[i] && add(p, i, i)",
        "if (k[i] == 1) continue; sum += next(&t[k[i]])",
        "sum += plus(&t[k[i]], i)",
        "sum += next((shared long *)&threes[k[i]])",
        "sum += next((shared long *)&s[j[i]].n)",
        "sum += read(d, k[i]) > 1",
        "got[i] = pair(w, k[i]); threes[got[i] & 1] = 2",
        "t[k[i]] = 3, sum += at(p, 1)",
        "long x = k[i] * 2; long y = add(t, x, x); threes[y] = i; m[i][1] = y",
    ] {
        assert!(is_asked(body), "{body}");
    }
}

#[test]
fn loops_that_do_not() {
    for (why, body) in [
        ("the function is known", "sum += known(t, k[i])"),
        ("two calls", "sum += at(t, k[i]) + at(p, i)"),
        ("another call", "sum += at(t, k[i]); other()"),
        ("a result decides about a place", "sum = at(t, sum)"),
        ("the loop may be left", "if ((sum += at(t, k[i])) > 9) break"),
        ("another block size", "sum += at((shared long *)threes, k[i])"),
        ("rows, of which the parameter says nothing", "sum += at((shared long *)m, k[i])"),
        ("no pointer that stays", "sum += at(q, k[i]); q++"),
        ("a shared place", "sum += at(t, d[k[i]])"),
        ("the table is written", "t[k[i]] = 3, sum += at(t, 1)"),
        ("the table is read", "sum += at(t, k[i]) + t[i]"),
        ("the table may be read", "sum += at(t, k[i]) + *p"),
        ("a domain may be changed", "sum += at(t, k[i]); dom = more"),
        ("a domain may be changed by a pointer", "sum += at(t, k[i]); *to_more = more"),
        ("anything may be changed", "sum += at(t, k[i]); bytes[i] = 1"),
        ("a parameter of another kind", "sum += strange(t, got)"),
        ("private memory", "sum += here(got, k[i])"),
        ("more parameters", "sum += done(t, 1, 2, 3)"),
        ("no prototype", "sum += old(t, k[i])"),
        ("a pointer to the function", "long (*call)(shared long *, long) = at; sum += call(t, k[i])"),
    ] {
        assert!(!is_asked(body), "{why}: {body}");
    }
}

/// What is explained is counted and timed for the operation.
#[test]
fn explained_loops_ask_too() {
    let source =
        "long at(shared long *, long); shared long t[4 * THREADS]; long f(int n, const long *k) { long s = 0; \
                  for (int i = 0; i < n; i++) s += at(t, k[i]); return s; }\n";
    let code = support::generated(source, Options { explain: true, ..FAR }).expect("a correct program");
    assert!(code.contains("fathom_explain_fetch_all(&fathom_site_"), "{code}");
    assert!(code.contains("construct=atomic") && code.contains("form=gathered"), "{code}");
}
