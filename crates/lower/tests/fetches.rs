//! Loops whose atomic operations are made for many iterations together, and those where that is not allowed.

use crate::support;
use fathom_lower::plan::Plan;
use fathom_lower::Options;

const FAR: Options = Options { direct: false, explain: false, count: false, strips: true, check: false, hiding: &[] };

const DECLARED: &str = "typedef shared struct domain upc_atomicdomain_t; \
    void upc_atomic_relaxed(upc_atomicdomain_t *, void *restrict, int, shared void *restrict, const void *restrict, const void *restrict); \
    long bupc_atomicL_fetchadd_relaxed(shared void *, long); int bupc_atomicI_swap_relaxed(shared void *, int); \
    double bupc_atomicD_read_relaxed(shared void *); void exit(int); void abort(void); double sqrt(double); int printf(const char *, ...); void other(void); \
    shared long t[4 * THREADS]; shared [4] int w[4 * THREADS]; shared double d[4 * THREADS]; shared volatile long v[THREADS]; \
    shared struct { char c; long n; } s[THREADS]; struct lists { long *list, n, *rows[2]; }; shared [] long *shared at_shared; strict shared long strict_one; long *global;\n";

const ADD: &str = "upc_atomic_relaxed(dom, &r, 1, &t[k[i]], &one, 0)";

/// Whether the loop, `for (int i = 0; i < n; i++)` and this body, is made so.
fn is_fetched(body: &str) -> bool {
    is_fetched_of(&format!("for (int i = 0; i < n; i++) {{ {body}; }}"))
}

fn is_fetched_of(statements: &str) -> bool {
    let source = format!(
        "{DECLARED}long f(upc_atomicdomain_t *dom, int n, const long *k, long *got, int *j, shared long *p, shared double *q, struct lists *m) {{ \
         long r = 0, one = 1, sum = 0; int x = 0; {statements} return r + one + sum + x; }}\n"
    );
    let (parsed, sema) = support::checked(&source).unwrap_or_else(|said| panic!("{statements}: {said}"));
    let plan = Plan::new(&parsed, &sema, FAR);
    let said =
        plan.verdicts(&parsed, &sema, true).iter().any(|v| v.text.contains("atomic operations are fetched together"));
    let code = support::generated(&source, FAR).unwrap_or_else(|said| panic!("{statements}: {said}"));
    assert_eq!(said, code.contains("fathom_fetch_all"), "{statements}: {code}");
    said
}

#[test]
fn loops_that_are_made_so() {
    for body in [
        &format!("{ADD}; sum += r"),
        &format!("{ADD}; w[k[i]] = r; q[r] = 1; d[r] += 2"),
        &format!("{ADD}; p[r] = i"),
        &format!("if (k[i] < 0) continue; {ADD}; got[i] = r"),
        &format!("if (k[i] % 2 && k[i] > 3) {{ {ADD}; sum += r; }} else sum--"),
        &format!("{ADD}; sum += sqrt(r) + t[0] * 0 * sizeof t[i]").replace(" + t[0] * 0", ""),
        &format!("{ADD}; printf(\"%ld\\n\", r)"),
        "long a = i + 1; upc_atomic_relaxed(dom, &got[i], 1, &t[k[i]], &a, 0)",
        "upc_atomic_relaxed(dom, &got[i], 1, &t[k[i]], &k[i + 1], 0)",
        "upc_atomic_relaxed(dom, &r, 2, &s[j[i]].n, 0, 0); sum += r",
        "upc_atomic_relaxed(dom, &r, 2, &p[j[i]], 0, 0); sum += r",
        "upc_atomic_relaxed(dom, j + 0 == j ? &r : &r, 2, &t[i], 0, 0)".replace("j + 0 == j ? &r : &r", "&r").as_str(),
        "sum += bupc_atomicL_fetchadd_relaxed(&t[k[i]], i) + 1",
        "x += bupc_atomicI_swap_relaxed(&w[j[i]], i); j[i] = x",
        "sum += bupc_atomicD_read_relaxed(&d[i * 3 % n])",
        "sum += bupc_atomicL_fetchadd_relaxed(&t[m->list[i]], i)",
        "sum += bupc_atomicL_fetchadd_relaxed(&t[k[i]], 1) + *m->list + m->rows[1][i]",
        "if (k[i] > 2) continue; sum += bupc_atomicL_fetchadd_relaxed(&t[k[i]], 1) + (m->n > 3)",
    ] {
        assert!(is_fetched(body), "{body}");
    }
    let by_lists = "sum += bupc_atomicL_fetchadd_relaxed(&t[m->list[i]], i)";
    assert!(is_fetched_of(&format!("for (int i = m->list[2]; i < m->list[3]; i++) {by_lists};")));
    assert!(is_fetched_of(&format!("long i; for (i = 3; i <= n; ++i) {ADD};")));
    for affinity in ["&w[i]", "i", "&s[i + 1]", "w + i"] {
        let own = ADD.replace("k[i]", "w[i]");
        let loops = format!("upc_forall (int i = 0; i < n; i++; {affinity}) {{ {own}; d[r] = 1; }}");
        assert_eq!(is_fetched_of(&loops), affinity != "i" && affinity != "&s[i + 1]", "{loops}");
        assert!(is_fetched_of(&format!("upc_forall (int i = 0; i < n; i++; {affinity}) {{ {ADD}; }}")), "{affinity}");
        assert!(!is_fetched_of(&format!("upc_forall (int i = 0; i < n; i++; {affinity}) {{ {own}; w[i + 1] = r; }}")));
        assert!(!is_fetched_of(&format!("upc_forall (int i = 0; i < n; i++; {affinity}) {{ {ADD}; t[i]++; }}")));
    }
    assert!(is_fetched_of(&format!("for (int m = 0; m < n; m++) for (int i = 0; i < m; i++) {ADD};")));
}

#[test]
fn each_reason_has_a_loop() {
    for (why, body) in [
        ("the loop reads the table", &format!("{ADD}; sum += t[i]")[..]),
        ("it may read the table", &format!("{ADD}; sum += *p")),
        ("it writes the table", &format!("{ADD}; t[r] = i")),
        ("it may read the table by a pointer of which nothing is known", &format!("{ADD}; sum += *(long *)&t[i]")),
        ("it may write it so", &format!("{ADD}; *(long *)&t[i] = r")),
        ("it may be read behind a pointer that is followed sometimes", &format!("{ADD}; if (i) sum += m->list[i]")),
        ("it may be read behind a pointer that changes", &format!("{ADD}; sum += m->list[i]; m->list = got")),
        ("it may be read behind a pointer of each iteration", &format!("{ADD}; sum += *m->rows[i]")),
        ("there are two operations", &format!("{ADD}; {ADD}")),
        ("something else is called", &format!("{ADD}; other()")),
        ("memory is printed", &format!("{ADD}; printf(\"%s\", (char *)got)")),
        ("the program may give up in it", &format!("if (k[i] < 0) abort(); {ADD}")),
        ("the program ends in it", &format!("{ADD}; if (r > 5) exit(0)")),
        ("the loop is left", &format!("{ADD}; if (r > 5) break")),
        ("the function is left", &format!("{ADD}; if (r > 5) return r")),
        ("there is a loop inside it", &format!("{ADD}; while (x < r) x++")),
        ("it is strict somewhere", &format!("{ADD}; strict_one = 1")),
        ("there is a fence", &format!("{ADD}; upc_fence")),
        ("there is a barrier", &format!("{ADD}; upc_barrier")),
        ("the place is a result", "upc_atomic_relaxed(dom, &r, 1, &t[r], &one, 0)"),
        ("the place is computed from a result", &format!("int y = sum; {ADD}; sum = r").replace("k[i]", "y")),
        ("the condition is a result", &format!("if (r < 9) {ADD}")),
        ("the operand is a result", &format!("{ADD}; one = r")),
        ("the operand gets the result", "upc_atomic_relaxed(dom, &one, 1, &t[k[i]], &one, 0)"),
        ("the operand has another type", "upc_atomic_relaxed(dom, &r, 1, &t[k[i]], &x, 0)"),
        ("the result has another type", "upc_atomic_relaxed(dom, &x, 1, &t[k[i]], &one, 0)"),
        ("there is no result", "upc_atomic_relaxed(dom, 0, 1, &t[k[i]], &one, 0); r++"),
        ("there are two operands", "upc_atomic_relaxed(dom, &r, 1, &t[k[i]], &one, &sum)"),
        ("the domain changes", &format!("{ADD}; dom = 0")),
        ("it is not known which operation it is", "upc_atomic_relaxed(dom, &r, x, &t[k[i]], &one, 0)"),
        ("the object is volatile", "upc_atomic_relaxed(dom, &r, 1, (shared void *)&v[k[i]], &one, 0)"),
        ("the table is a shared pointer's", "upc_atomic_relaxed(dom, &r, 1, &at_shared[k[i]], &one, 0)"),
        ("the pointer to the table changes", "upc_atomic_relaxed(dom, &r, 1, &p[k[i]], &one, 0); p++"),
        ("the object is as wide as no result", "sum += bupc_atomicL_fetchadd_relaxed(&w[k[i]], 1)"),
        ("the places are shared", "sum += bupc_atomicL_fetchadd_relaxed(&t[w[i]], 1)"),
        ("the place has an effect", "sum += bupc_atomicL_fetchadd_relaxed(&t[x++], 1)"),
        ("the operand has an effect", "sum += bupc_atomicL_fetchadd_relaxed(&t[i], x++)"),
        ("there is a label", &format!("{ADD}; if (r) goto end; r = 1; end: r++")),
    ] {
        assert!(!is_fetched(body), "{why}: {body}");
    }
    assert!(!is_fetched_of(&format!("for (int i = 0; i < n; i += 2) {ADD};")));
    let sums = "sum += bupc_atomicL_fetchadd_relaxed(&t[k[i]], -1)";
    for bound in ["t[0]", "*p", "strict_one", "*(long *)&t[0]"] {
        assert!(!is_fetched_of(&format!("for (int i = 0; i < {bound}; i++) {sums};")), "{bound}");
    }
    assert!(is_fetched_of(&format!("for (int i = 0; i < *got; i++) {sums};")));
    assert!(!is_fetched_of(&format!("for (int i = 0; i < n; i++) {{ {ADD}; n--; }}")));
    assert!(!is_fetched_of(&format!("for (int i = 0; i < n; i++, other()) {ADD};")));
    assert!(!is_fetched_of(&format!("int i = 0; while (i < n) {{ {ADD}; i++; }}")));
}

#[test]
fn reasons_are_given() {
    let said = |body: &str| {
        let source = format!(
            "{DECLARED}long f(upc_atomicdomain_t *dom, int n, const long *k, long *got) {{ long r = 0, one = 1, sum = 0; \
             for (int i = 0; i < n; i++) {{ {body}; }} return r + sum; }}\n"
        );
        let (parsed, sema) = support::checked(&source).unwrap_or_else(|said| panic!("{body}: {said}"));
        let all = Plan::new(&parsed, &sema, FAR).verdicts(&parsed, &sema, true);
        let mut missed = all.into_iter().filter(|v| v.text.starts_with("each operation waits for its result: "));
        missed.next().map(|v| v.text.rsplit_once(": ").unwrap().1.to_owned())
    };
    for (body, why) in [
        (format!("{ADD}; sum += t[i]"), "the loop may read the same data in another way"),
        (
            format!("{ADD}; if (r > 5) break"),
            "it is not known ahead whether an iteration reads the element, whose place is computed",
        ),
        (format!("{ADD}; one = r"), "its operand, domain or kind is not known before the loop"),
        (format!("{ADD}; upc_fence"), "the loop synchronises"),
        (
            format!("{ADD}; {ADD}"),
            "the loop makes several such operations, or calls functions that do more than compute",
        ),
        (format!("while (k[i] > r) {ADD}"), "there is a loop inside this loop"),
    ] {
        assert_eq!(said(&body).as_deref(), Some(why), "{body}");
    }
    assert_eq!(said(ADD), None);
}

/// What may overlap is asked about before: what is stored, and what is read.
#[test]
fn private_memory_that_may_be_shared_is_compared() {
    let code = |body: &str| {
        let source = format!(
            "{DECLARED}void f(upc_atomicdomain_t *dom, int n, const long *k, long *got) {{ long r, one = 1; \
             for (int i = 0; i < n; i++) {{ {body}; }} }}\n"
        );
        support::generated(&source, FAR).unwrap_or_else(|said| panic!("{body}: {said}"))
    };
    let said = code(&format!("{ADD}; got[i] = r"));
    assert_eq!(said.matches("fathom_strip_source(").count(), 2, "{said}");
    assert_eq!(said.matches("fathom_strip_stores(").count(), 2, "{said}");
    assert_eq!(said.matches("fathom_fetch_loads(").count(), 2, "{said}");
    let said = code(&format!("{ADD}; w[r] = 1"));
    assert!(said.contains("fathom_strip_writes_array("), "{said}");
    let said = code("one += bupc_atomicD_read_relaxed(&d[k[i]]); *(shared long *)&w[r] = 1");
    assert!(said.contains("fathom_strip_writes_anything("), "{said}");
    let said = code(&format!("{ADD}; d[r] = 1"));
    assert!(!said.contains("fathom_strip_writes"), "{said}");
}
