//! Which calls of `upc_memget` are under way together, and which statements prevent it.

use crate::support;
use fathom_lower::plan::Plan;
use fathom_lower::Options;

const FAR: Options = Options { direct: false, explain: false, count: false, strips: true, check: false, hiding: &[] };

const DECLARED: &str = "void upc_memget(void *, const shared void *, unsigned long); void upc_memput(shared void *, const void *, unsigned long); \
    unsigned long upc_threadof(shared void *); shared [4] double a[4 * THREADS], b[4 * THREADS]; typedef shared [] double *row; shared row dir[THREADS]; strict shared int flag; \
    shared int count[THREADS]; struct s { row part[8]; double *buf; struct s *next; unsigned bytes : 20; } *g, here; \
    row rows[8]; double copy[99], *to[8]; int n, sizes[8]; volatile int v; int f(int); \
    void cleans(int **); extern int lens[]; struct { int n, a[]; } flexible;\n";

/// The numbers of calls of each group in a function's body.
fn groups(body: &str) -> Vec<String> {
    let source =
        format!("{DECLARED}void t(int k, double *x, double *y, row p, row q, struct s *h) {{ int i, j; {body} }}\n");
    let (parsed, sema) = support::checked(&source).unwrap_or_else(|said| panic!("{body}: {said}"));
    let plan = Plan::new(&parsed, &sema, FAR);
    let said = plan.verdicts(&parsed, &sema, true).into_iter().map(|v| v.text);
    let said = said.filter(|t| t.contains("upc_memget"));
    said.map(|t| t.split(" calls").next().unwrap().to_owned()).collect()
}

#[test]
fn groups_of_statements() {
    let (one, two) = (&["the loop's"][..], &["2"][..]);
    for (body, expected) in [
        ("upc_memget(x, p, 8); upc_memget(y, q, 8);", two),
        ("for (i = 0; i < k; i++) upc_memget(x + i, p + i, 8);", one),
        // Alone, nothing is gained.
        ("upc_memget(x, p, 8);", &[]),
        ("if (k) upc_memget(x, p, 8); else upc_memget(x, q, 8);", &[]),
        ("if (k) upc_memget(x, p, 8); else upc_memget(x, q, 8); upc_memget(y, q, 8);", &["3"]),
        // What a group may read and set.
        ("for (i = 1; i < THREADS; i++) { int t = (MYTHREAD + i) % THREADS; if (t == n) continue; upc_memget(to[t], dir[t], sizes[t] * sizeof *x); }", one),
        ("while (k--) ; upc_memget(x, p, 8); k = k * 2 + n, j = k; p += 2; upc_memget(y, p, k);", two),
        ("do { upc_memget(g->buf + i, g->part[i], 8 * (unsigned long)n); i++; } while (i < n);", one),
        ("for (i = 0; i < 8; i++) for (j = 0; j < 8; j++) upc_memget(&copy[8 * i + j], &a[i + j], sizeof(double));", one),
        ("upc_memget(h->buf, &dir[k][3], 8); const int t = upc_threadof(p); upc_memget(here.buf, rows[t], 8);", two),
        ("upc_memget(x, p, count[MYTHREAD]); upc_memget(y, q, *&n);", two),
        // Statements before and behind do not matter.
        ("f(1); upc_memget(x, p, 8); upc_memget(y, q, 8); f(2); upc_memget(x, p, 8); upc_memget(y, q, 8);", &["2", "2"]),
        ("for (i = 0; i < k; i++) { upc_memget(x, p, 8); upc_memget(y, q, 8); f(*x + *y); }", two),
        // The arguments are not computed twice without an effect, or not known to be computed at all.
        ("upc_memget(x++, p, 8); upc_memget(y, q, 8);", &[]),
        ("upc_memget(x, p, f(8)); upc_memget(y, q, 8);", &[]),
        ("upc_memget(x, p, 8); upc_memget(y, k ? h->part[0] : q, 8);", &[]),
        ("upc_memget(x, p, 8); if (h->next) upc_memget(y, q, 8);", &[]),
        ("upc_memget(x, p, 8); upc_memget(y, h->next->part[0], 8);", &[]),
        ("upc_memget(x, p, 8); upc_memget(y, q, h->bytes);", &[]),
        ("upc_memget(x, p, 8); upc_memget(y, q, v);", &[]),
        ("upc_memget(x, p, 8); upc_memget(y, q, flag);", &[]),
        // Types whose sizes are computed, or that say less than all, and attributes that call.
        ("upc_memget(x, p, 8); int (*rows)[f(3)] = 0; upc_memget(y, q, 8 + !rows);", &[]),
        ("upc_memget(x, p, 8); int (*rows)[*sizes] = 0; upc_memget(y, q, 8 + !rows);", &[]),
        ("upc_memget(x, p, 8); int *c __attribute__((cleanup(cleans))) = 0; upc_memget(y, q, 8);", &[]),
        ("upc_memget(x, p, 8); int * __attribute__((cleanup(cleans))) c = 0; upc_memget(y, q, 8);", &[]),
        ("upc_memget(x, p, lens[k]); upc_memget(y, q, 8);", two),
        ("upc_memget(x, p, flexible.n); upc_memget(y, q, flexible.a[0]);", two),
        ("for (i = 0; i < lens[k]; i++) upc_memget(x, p, 8);", &[]),
        ("register struct { int m, n; } r = {8, 8}; upc_memget(x, p, r.m); upc_memget(y, q, r.n);", two),
        // `k` is reached by a pointer.
        ("int *pk = &_Generic(0, int: k); upc_memget(x, p, 8); k = 3; upc_memget(y, q, 8); *pk = 1;", &[]),
        ("int *pk = &__builtin_choose_expr(1, k, i); upc_memget(x, p, 8); k = 3; upc_memget(y, q, 8); *pk = 1;", &[]),
        // Other statements.
        ("upc_memget(x, p, 8); *y = 0; upc_memget(y, q, 8);", &[]),
        ("upc_memget(x, p, 8); n = 3; upc_memget(y, q, 8);", &[]),
        ("int *pk = &k; upc_memget(x, p, 8); k = 3; upc_memget(y, q, 8); *pk = 1;", &[]),
        ("upc_memget(x, p, 8); upc_memput(p, x, 8); upc_memget(y, q, 8);", &[]),
        ("upc_memget(x, p, 8); upc_barrier; upc_memget(y, q, 8);", &[]),
        ("for (i = 0; i < k; i++) { upc_memget(x + i, p + i, 8); if (x[i]) break; }", &[]),
        ("for (i = 0; i < k; i++) { upc_memget(x + i, p + i, 8); if (i == n) return; }", &[]),
        ("upc_memget(x, p, 8); again: upc_memget(y, q, 8); if (k--) goto again;", &[]),
        ("switch (k) { case 1: upc_memget(x, p, 8); case 2: upc_memget(y, q, 8); }", &[]),
        ("upc_memget(x, p, 8); static int t; upc_memget(y, q, 8); t++;", &[]),
        ("upc_memget(x, p, 8);\n#pragma omp parallel for\nfor (i = 0; i < k; i++) upc_memget(y + i, q + i, 8);", &[]),
        ("for (i = 0; i < k; i++) { if (i == 3) break; upc_memget(x + i, p + i, 8); }", one),
        ("for (;;) { if (i++ == 3) break; upc_memget(x + i, p + i, 8); }", &[]),
    ] {
        assert_eq!(groups(body), expected, "{body}");
    }
}

#[test]
fn near_and_slow_programs_have_none() {
    let body = "for (i = 0; i < k; i++) upc_memget(x + i, p + i, 8);";
    let source = format!("{DECLARED}void t(int k, double *x, row p) {{ int i; {body} }}\n");
    let is_together = |options| support::generated(&source, options).unwrap().contains("fathom_together_get(");
    assert!(is_together(FAR));
    for options in [
        Options { direct: true, ..FAR },
        Options { explain: true, ..FAR },
        Options { count: true, ..FAR },
        Options { strips: false, ..FAR },
    ] {
        assert!(!is_together(options));
    }
}
