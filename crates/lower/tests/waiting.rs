//! Which loops wait for another thread, and poll. That those which do so end, tests/run/story-many-ways-of-waiting.upc tests.

use crate::support;
use fathom_lower::Options;

const NEAR: Options = Options { direct: true, explain: false, count: false, strips: false, check: false, hiding: &[] };
const FAR: Options = Options { direct: false, explain: false, count: false, strips: true, check: false, hiding: &[] };

fn polls(function: &str) -> bool {
    let source = format!(
        "double fabs(double); shared int a[9 * THREADS], b[9 * THREADS]; shared double x[9 * THREADS]; shared int flag, *shared where; \
         strict shared int strict_flag; struct node {{ int key; shared struct node *next; }}; shared struct node *shared head; enum {{ N = 9 }};\n\
         {function}\n"
    );
    let [near, far] = [NEAR, FAR].map(|options| {
        support::generated(&source, options)
            .unwrap_or_else(|said| panic!("{function}: {said}"))
            .contains("fathom_turn();")
    });
    assert_eq!(near, far, "{function}");
    near
}

#[test]
fn loops_that_wait() {
    for f in [
        "void f(void) { while (!flag) ; }",
        "void f(int i) { int tries = 0; while (!a[i] && tries < 99) tries++; }",
        "void f(void) { int old, now = 0; do { old = now; now = flag; } while (old == now); }",
        "void f(void) { for (int i = 0; i < N; i++) while (!a[i]) ; }",
        "void f(void) { int i = 0; while (i < N) if (a[i]) i++; }",
        "int g(shared int *); void f(void) { while (!g(&flag)) ; }",
        "void f(void) { int done = 0; while (!done) { done = 1; for (int i = 0; i < N; i++) if (!a[i]) { done = 0; break; } } }",
        // Left by a function that does not come back.
        "void g(void); void f(void) { for (;;) if (flag) g(); }",
        "void longjmp(void *, int); void f(void) { int n = N; while (n--) if (flag) longjmp(0, 1); }",
        // What is added may be zero.
        "void f(void) { int n = 0; while (n < N) n += flag; }",
        // Labels in blocks.
        "void f(void) { int n; { again: n = flag; } if (!n) goto again; }",
        // Pointers-to-local that come from elsewhere.
        "struct k { int *p; }; void g(struct k *k) { while (!*k->p) ; } void f(struct k *k) { k->p = (int *)&a[MYTHREAD]; g(k); }",
        "struct k { int *p; }; struct k g(void) { struct k k = { (int *)&a[MYTHREAD] }; return k; } void f(void) { struct k k = g(); while (!*k.p) ; }",
        "void g(int **p) { *p = (int *)&a[MYTHREAD]; } void f(void) { int *p; g(&p); while (!*p) ; }",
        "void g(int *p) { while (!*p) ; } void f(void) { void (*h)(int *) = g; h((int *)&a[MYTHREAD]); }",
        // Results at a pointer.
        "struct k { int n; }; void g(struct k *k) { k->n = flag; } void f(struct k *k) { while (!k->n) g(k); }",
    ] {
        assert!(polls(f), "{f}");
    }
}

/// What these loops read differs from one iteration to the next, or something else in them gives other threads their turn.
#[test]
fn loops_that_compute() {
    for f in [
        "void f(void) { while (!strict_flag) ; }",
        "void f(void) { while (!flag) upc_fence; }",
        "void f(void) { do { if (flag) break; } while (0); }",
        // Sets in trees.
        "int f(int v) { while (a[v] != v) v = a[v]; return v; }",
        "int f(int v) { int up; while ((up = a[v]) != v) v = up; return v; }",
        "int f(int v) { int r = v; while (r != a[r]) r = a[r]; while (v != r) { int n = a[v]; a[v] = r; v = n; } return r; }",
        // Searches.
        "int f(int k) { int lo = 0, hi = N; while (lo < hi) { int m = (lo + hi) / 2; if (a[m] < k) lo = m + 1; else hi = m; } return lo; }",
        "int f(int k) { int i = 0; while (i < N && a[i] != k) i++; return i; }",
        "int f(int k) { for (int i = 0; i < N; i++) if (a[i] == k) return i; return -1; }",
        "int f(int k) { int i = 0, found = 0; while (!found) { if (a[i] == k) found = 1; i++; } return i; }",
        "int f(int k) { int i = 0; do { if (a[i] < 0) continue; if (a[i] == k) return i; } while (++i < N); return -1; }",
        "int f(int k) { int h = k % N; while (a[h] != 0 && a[h] != k) h = (h + 1) % N; return h; }",
        "int f(int k) { shared struct node *p = head; while (p && p->key != k) p = p->next; return p != 0; }",
        "int f(void) { shared struct node *p = head, *q; while ((q = p->next) != 0) p = q; return p->key; }",
        // Sorting.
        "void f(int *c) { int i = 0, j = 0, k = 0; while (i < N && j < N) { if (a[i] < b[j]) c[k++] = a[i++]; else c[k++] = b[j++]; } }",
        "int f(void) { int i = 0, j = 0, n = 0; while (i < N && j < N) if (a[i] < b[j]) i++; else if (a[i] > b[j]) j++; else i++, j++, n++; return n; }",
        "void f(int i, int j, int p) { do { while (a[i] < p) i++; while (a[j] > p) j--; \
         if (i <= j) { int t = a[i]; a[i] = a[j]; a[j] = t; i++; j--; } } while (i <= j); }",
        "void f(int i, int n) { for (;;) { int c = 2 * i + 1; if (c >= n) break; if (a[i] >= a[c]) break; int t = a[i]; a[i] = a[c]; a[c] = t; i = c; } }",
        "void f(void) { for (int i = 1; i < N; i++) { int v = a[i], j = i; while (j > 0 && a[j - 1] > v) { a[j] = a[j - 1]; j--; } a[j] = v; } }",
        // Counters that are shared.
        "void f(void) { while (a[MYTHREAD] < N) a[MYTHREAD]++; }",
        "void f(void) { int *c = (int *)&a[MYTHREAD]; while (*c < N) (*c)++; }",
        // Walks.
        "long f(void) { long s = 0; shared int *p = a, *e = a + N; while (p != e) s += *p++; return s; }",
        "long f(void) { long s = 0; int *p = (int *)&a[MYTHREAD]; while (*p) s += *p++; return s; }",
        // Numbers.
        "double f(int i) { double v = x[i], w; do { w = v; v = 0.5 * (v + x[i] / v); } while (fabs(v - w) > 1e-12); return v; }",
        "int f(int i) { int u = a[i], v = b[i]; while (v) { int t = u % v; u = v; v = t; } return u; }",
        "int f(int i) { int n = 0; unsigned v = a[i]; while (v) { v &= v - 1; n++; } return n; }",
        "void f(int n, double *s) { for (int i = 0; i < n && !flag; i++) *s += x[i]; }",
        "int g(int i) { return a[i]; } int f(int i) { while (i >= 0) i = g(i); return i; }",
        "void f(int i) { long s = 0; while (s < N) s += a[i++]; }",
        "void f(int n) { int s = 0, i = 0; while (s < N) { s += a[i]; i = (i + 1) % n; } }",
        // Pointers-to-local that do not lead to shared memory.
        "struct k { int *p, *q; }; void g(struct k *k) { while (*k->q) *k->q -= 1; } void f(struct k *k) { k->p = (int *)&a[MYTHREAD]; g(k); }",
        "void g(int *n) { *n -= flag; } void f(int *n) { g(n); while (*n > 0) (*n)--; }",
        // What is added is seldom zero, and a program that gives up does not wait.
        "void f(int i) { double s = 9; while (s > 3) s -= x[i]; }",
        "void g(void) __attribute__((noreturn)); void f(int n) { for (int k = 0; k < n; k++) for (int i = 0; i < N; i++) if (a[i] != i) g(); }",
        // Functions of the runtime.
        "int fathom_g(int *at) { while (!*at) ; return 1; } void f(void) { int (*h)(int *) = 0; h((int *)&a[MYTHREAD]); }",
        "int fathom_g(int *at) { while (!*at) ; return 1; } void f(void) { fathom_g((int *)&a[MYTHREAD]); }",
        // Jumps.
        "void f(void) { int i; { i = 0; again: i += a[i] + 1; } if (i < N) goto again; }",
        "void f(void) { int i = 0; for (;;) switch (a[i]) { case 0: return; case 1: i++; break; case 2: i = b[i]; break; default: i += 2; } }",
        "void f(void) { int i = 0; again: if (a[i] > 3) { i++; goto again; } }",
    ] {
        assert!(!polls(f), "{f}");
    }
}

/// The loops around are looked at once each, however deep they are.
#[test]
fn loops_in_loops() {
    let mut f = String::from("flag = 1;");
    for _ in 0..40 {
        f = format!("while (!flag) {{ {f} }}");
    }
    assert!(polls(&format!("void f(void) {{ {f} }}")));
}
