//! Loops that run in strips, and the verdicts on those that do not.

use crate::support;
use fathom_lower::plan::Plan;
use fathom_lower::Options;

const FAR: Options = Options { direct: false, explain: false, count: false, strips: true, check: false, hiding: &[] };

const DECLARED: &str = "shared [4] double a[4 * THREADS], b[4 * THREADS]; shared double c[8 * THREADS]; \
    shared [] double *p; shared [] double *q; strict shared double s[THREADS]; \
    shared [4] volatile double v[4 * THREADS]; double sqrt(double); \
    struct st { int n; double x[3]; }; shared [2] struct st r[2 * THREADS]; int g; shared int at[9 * THREADS]; \
    double f(int k) { return g += k; }\n";

/// The verdicts on the accesses of a function's body: `served`, or the reason.
fn verdicts(body: &str) -> Vec<String> {
    let source = format!(
        "{DECLARED}void t(int n, double x, double *y, double *z, int *w, shared [] double *l) {{ int i; {body} }}\n"
    );
    let (parsed, sema) = support::checked(&source).unwrap_or_else(|said| panic!("{body}: {said}"));
    let plan = Plan::new(&parsed, &sema, FAR);
    let said = plan.verdicts(&parsed, &sema, true).into_iter();
    said.map(|v| if v.served { "served".to_owned() } else { v.text.split_once(": ").unwrap().1.to_owned() }).collect()
}

#[test]
fn each_reason_has_a_loop() {
    let counted = "the loop does not count a variable up by one to a fixed bound";
    let subscript = "the subscript is not computed from the loop's variable and what the loop does not change";
    let conditional = "it is not known ahead whether an iteration reads the element, whose place is computed";
    let unknown = "the loop writes through a pointer whose range is not known before it";
    let inside = "there is a loop inside this loop";
    for (body, expected) in [
        ("for (i = 0; i < n; i++) x += a[i];", &["served"][..]),
        ("for (int j = 1; j <= n; ++j) x += a[j - 1] + c[j + 1] * sqrt(l[j]);", &["served"; 3]),
        ("for (i = 0; i < n; i++) x += r[i].x[1] + r[i].n;", &["served"; 2]),
        ("for (i = 0; i < n; i++) if (a[i] > 0) break;", &["served"]),
        ("for (i = 0; i < n; i++) y[i] = a[i];", &["served"]),
        ("for (i = 0; i < n; i++) *y++ = a[i];", &["served"]),
        ("for (i = 0; i < n; i++) x += a[n + i] - a[i + 2 * n - 1] * p[i - (n + MYTHREAD)];", &["served"; 3]),
        ("for (i = 0; i < n; i++) for (int j = 0; j < n; j++) x += a[i * n + j];", &["served"]),
        ("for (i = 0; i < n; i++) { x += a[i + g]; g = 0; }", &[subscript]),
        ("for (i = 0; i < n; i++) { x += a[i + w[0]]; w = 0; }", &[subscript]),
        ("unsigned m = n; for (long j = 0; j < 9; j++) x += a[m + j];", &["served"]),
        ("for (i = 1; i < n; i *= 2) x += a[i];", &[counted]),
        ("while (i < n) x += a[i++];", &[counted]),
        ("for (i = 0; i < n; i++) x += a[i], n--;", &[counted]),
        ("for (i = 0; i < n; i++) for (int j = 0; j < n; j++) x += a[i] * y[j];", &["served"]),
        ("for (i = 0; i < n; i++) { x += a[i]; for (int j = 0; j < n; j++) x += y[j]; }", &["served"]),
        ("for (i = 0; i < n; i++) { x += a[i]; while (x > 3) x -= a[i + 1]; }", &["served"; 2]),
        ("for (i = 0; i < n; i++) { x += a[i]; for (int j = 0; j < n; j++) *y++ = r[i].x[j]; }", &["served"; 2]),
        ("for (i = 0; i < n; i++) { x += a[i]; for (int j = 0; j < n; j++) x += c[j]; }", &[subscript, "served"]),
        ("for (i = 0; i < n; i++) { x += a[i]; while (x > 3) x -= *p; }", &[inside, counted]),
        ("for (i = 0; i < n; i++) { x += a[i]; while (x > 3) { upc_fence; x--; } }", &["the loop synchronises"]),
        ("for (i = 0; i < n; i++) { x += a[i]; upc_forall (int j = 0; j < n; j++; j) x += 1; }", &[inside]),
        ("for (i = 0; i < n; i++) { x += a[i]; again: x += 1; }", &["the loop has labels, static objects or a pragma"]),
        ("for (i = 0; i < n; i++) x += a[i] + s[0];", &["the loop makes strict accesses"]),
        ("for (i = 0; i < n; i++) { x += a[i]; upc_fence; }", &["the loop synchronises"]),
        ("for (i = 0; i < n; i++) { x += a[i]; upc_barrier; }", &["the loop synchronises"]),
        ("for (i = 0; i < n; i++) x += f(i) * a[i];", &["the loop calls a function that may synchronise or write"]),
        ("int printf(const char *, ...); for (i = 0; i < n; i++) if (a[i] > 3) printf(\"%d %g\\n\", i, a[i]);", &["served"; 2]),
        ("void upc_global_exit(int); for (i = 0; i < n; i++) if (a[i] > 3) upc_global_exit(1);", &["served"]),
        ("for (i = 0; i < n; i++) if (a[i] > 3) { f(a[i]); return; }", &["served"; 2]),
        ("for (i = 0; i < n; i++) { if (a[i] > 3) { f(i); break; } x += 1; }", &["served"]),
        ("_Noreturn void end(void); for (i = 0; i < g; i++) if (a[i] > 3) { f(i); end(); }", &["served"]),
        ("for (i = 0; i < n; i++) if (a[i] > 3) { f(i); x += a[i]; return; }", &["the loop calls a function that may synchronise or write"; 2]),
        ("for (i = 0; i < n; i++) if (a[i] > 3) { if (x > 3) break; f(i); }", &["the loop calls a function that may synchronise or write"]),
        ("for (i = 0; i < n; i++) switch (i) { default: if (a[i] > 3) { f(i); break; } }", &["the loop calls a function that may synchronise or write"]),
        ("int printf(const char *, ...); for (i = 0; i < n; i++) if (a[i] > 3) printf(\"%d%n\", i, w);", &["the loop calls a function that may synchronise or write"]),
        ("for (i = 0; i < n; i++) x += v[i];", &["the object is volatile or atomic"]),
        (
            "for (i = 0; i < n - 1; i++) a[i + 1] = a[i];",
            &["served", "the loop writes the same array"],
        ),
        ("for (i = 0; i < n; i++) *(w[i] + y) = a[i];", &["served"]),
        ("for (i = 0; i < n; i++) { double *o = w[i] ? y : z; *o = a[i]; }", &[unknown]),
        ("for (i = 0; i < n; i++) p[w[i]] = a[i];", &["served"; 2]),
        ("for (i = 0; i < n; i++) *(p + w[i]) = a[i];", &["served"; 2]),
        ("for (i = 0; i < n; i++) *q++ = a[i];", &["served", unknown]),
        ("shared [] double *o = q; for (i = 0; i < n; i++) if (w[i]) *o++ = a[i];", &["served"; 2]),
        ("for (i = 0; i < n; i++) b[w[i]] = p[i];", &["served"; 2]),
        ("for (i = 0; i < n; i++) { shared [] double *o = q; o[w[i]] = a[i]; }", &["served", unknown]),
        ("for (i = 0; i < n; i++) { q = p + n; q[w[i]] = a[i]; }", &["served", unknown]),
        ("static shared [] double *shared o; for (i = 0; i < n; i++) o[w[i]] = a[i];", &[unknown, "served", unknown]),
        // What a upc_forall reads is gathered, but for what this thread has.
        ("upc_forall (i = 0; i < n; i++; i) x += a[i + 1];", &["served"]),
        ("upc_forall (i = 0; i < n; i++; &b[i]) x += a[i] + a[i + 1];", &["served"; 2]),
        ("upc_forall (i = 0; i < n; i++; &c[i]) { if (x > 3) x += c[i + 1]; }", &[conditional]),
        ("upc_forall (i = 0; i < n; i++; i) { x += a[i + 1]; upc_fence; }", &["the loop synchronises"]),
        ("upc_forall (i = 0; i < n; i++; i) { x += a[i + 1]; if (i == 3) continue; a[i] = 0; }", &[
            "the loop writes the same array",
            "served",
        ]),
        ("upc_forall (i = 0; i < n; i++; w[i]) x += a[i];", &[
            "the upc_forall's affinity does not say ahead which iterations are this thread's",
        ]),
        // A sparse matrix times a vector: the inner loop's bounds are shared, and read once.
        (
            "upc_forall (i = 0; i < n; i++; &b[i]) { double s = 0; for (int k = at[i]; k < at[i + 1]; k++) s += c[k] * a[w[k]]; b[i] = s; }",
            &[subscript, subscript, "served", "served"],
        ),
        // A pointer to what is written is read before the loop, if every iteration follows it and no write reaches it.
        ("double **m = &y; for (i = 0; i < n; i++) m[n][i + 1] = a[i];", &["served"]),
        ("struct g { int n; double *p; } *o = 0; for (i = 0; i < n; i++) o->p[i] = a[i];", &["served"]),
        ("struct g { int n; double *p; } *o = 0; for (i = 0; i < n; i++) { *o->p = a[i]; o->n++; }", &["served"]),
        ("double **m = &y; for (i = 0; i < n; i++) m[i][n] = a[i];", &[unknown]),
        ("double **m = &y; for (i = 0; i < n; i++) if (i & 1) m[n][i] = a[i];", &[unknown]),
        ("double **m = &y; for (i = 0; i < n; i++) { if (i & 1) continue; m[n][i] = a[i]; }", &[unknown]),
        ("double **m = &y; for (i = 0; i < n; i++) { m[n][i] = a[i]; m[w[i]] = y; }", &[unknown]),
        ("double **m = &y; upc_forall (i = 0; i < n; i++; i) m[n][i] = a[i + 1];", &[unknown]),
        ("for (i = 0; i < (n < g ? n : g); i++) x += a[i + (n ? 1 : 2)];", &["served"]),
        ("for (i = 0; i < (n < g ? n : g); i++) { x += a[i]; g++; }", &[counted]),
        ("for (i = 0; i < (n ? at[1] : 7); i++) x += a[i];", &[subscript, "served"]),
        // Pointers in memory.
        ("shared [] double *row[4]; for (i = 0; i < n; i++) x += row[n + 1][i] * row[n + 1][i - n];", &["served"; 2]),
        ("struct g { shared [3] double *p; } *o; for (i = 0; i < n; i++) *y++ = o->p[i + 2];", &["served"]),
        ("static shared [] double *shared row[THREADS]; for (i = 0; i < n; i++) x += row[n][i];", &["served"; 2]),
        ("shared [] double *row[4]; for (i = 0; i < n; i++) if (x > 3) x += row[1][i];", &[subscript]),
        ("shared [] double *row[4]; for (i = 0; i < n; i++) { x += row[1][i]; row[w[i]] = p; }", &[subscript]),
        ("shared [] double *row[4]; for (i = 0; i < n; i++) x += row[i][i];", &[subscript]),
        ("shared [] double *row[4]; for (i = 0; i < n; i++) x += sqrt(row[n / 3][n % 3 * n + i]);", &["served"]),
        ("shared [] double *row[4]; for (i = 0; i < n; i++) x += f(row[n][i]);", &["the loop calls a function that may synchronise or write"]),
        ("shared [] double *row[4]; for (i = 0; i < n; i++) a[i] = row[n][i];", &["served"; 2]),
        // Pointers that walk.
        ("while (p != q) x += *p++;", &[counted]),
        ("while (l != q) x += *l++;", &["served"]),
        ("while (q > l) x += *l++;", &["served"]),
        ("while (l < q + n) { *y++ = *l; l++; }", &["served"]),
        ("for (l = p; l < &p[n]; l++, y++) x += *l * l[1] + *y;", &["served"; 2]),
        ("shared [2] struct st *o; for (o = r; o != r + n; o += 1) x += o->x[1] + (*o).n;", &["served"; 2]),
        ("for (l = q; l < q + n; l++) { if (*l > 3) continue; if (*l < 0) break; }", &["served"; 2]),
        ("while (l != q) { if (x > 3) continue; x += *l++; }", &[counted]),
        ("while (l != q) { if (x > 3) x += *l++; else l++; }", &[counted; 1]),
        ("while (l != q) { x += *l++; x += *l; }", &[counted; 2]),
        ("while (l != q) { x += *l; l += 2; }", &[counted]),
        ("while (l != q) { x += *l; l++; q--; }", &[counted]),
        ("while (l != q) { x += *l; l++; x++; }", &[counted]),
        ("while (l != q) { x += *l; l = l + n; }", &[counted]),
        // Rows, by a pointer to them.
        ("shared [15] double (*k)[3][5] = 0; for (i = 0; i < n; i++) x += k[n][1][i + n];", &["served"]),
        ("shared [15] double (*k)[3][5] = 0; for (i = 0; i < n; i++) x += k[i][1][n];", &[subscript]),
        // A type that is only named may be named twice.
        ("for (shared [2] struct st *k = r; k < r + n; k++) x += k->x[1];", &["served"]),
        ("for (i = 0; i < n; i++) { struct st own = { i, { a[i] } }; x += own.x[0]; }", &["served"]),
        ("for (i = 0; i < n; i++) { struct in { double x; } own = { a[i] }; x += own.x; }", &["the loop has labels, static objects or a pragma"]),
        ("while (l != q) { x += *l; *q = 0; l++; }", &["served"; 2]),
        ("for (l = p; l < p + n; l++) { x += *l; *l = 0; }", &["the loop writes the same array", "served"]),
        ("for (l = p; l < p + n; l++) { x += *l; upc_fence; }", &["the loop synchronises"]),
        ("x = a[n];", &["the access is not in a loop"]),
    ] {
        assert_eq!(verdicts(body), expected, "{body}");
    }
}

/// The ranges that are compared before the loop, because the C language does not say that they are apart.
#[test]
fn what_may_overlap_is_compared_before_the_loop() {
    let c = |body: &str| {
        support::generated(&format!("{DECLARED}void t(int n, double x, double *y, int *w) {{ int i; {body} }}\n"), FAR)
            .unwrap_or_else(|said| panic!("{body}: {said}"))
    };
    for (body, compared, stored) in [
        ("for (i = 0; i < n; i++) x += a[i];", 0, 0),
        ("for (i = 0; i < n; i++) b[i] = a[i];", 0, 0),
        ("for (i = 0; i < n; i++) q[i] = a[i];", 1, 0),
        ("for (i = 0; i < n; i++) a[i] = p[i];", 1, 0),
        ("for (i = 0; i < n; i++) q[n + i] = a[n - 1 + i];", 1, 0),
        ("for (i = 0; i < n; i++) y[i + 1] = a[i];", 0, 1),
        ("for (i = 0; i < n; i++) y[w[i]] = a[i];", 0, 1),
        ("for (i = 0; i < n; i++) b[w[i]] = a[i];", 0, 0),
    ] {
        let text = c(body);
        let count = |what: &str| text.matches(what).count();
        assert_eq!(count("fathom_strip_open("), 1, "{body}\n{text}");
        assert_eq!(
            (count("fathom_strip_writes("), count("fathom_strip_stores(")),
            (compared, stored),
            "{body}\n{text}"
        );
    }
}

/// Of a place that is computed late, the object in which it is.
#[test]
fn objects_are_compared_where_places_are_not_known() {
    for (body, object) in [
        ("for (i = 0; i < n; i++) q[w[i]] = a[i];", ", q, 0l, 0ul)"),
        ("for (i = 0; i < n; i++) b[w[i]] = p[i];", ", fathom_static(fathom_at_b), "),
    ] {
        let source = format!("{DECLARED}void t(int n, double x, double *y, int *w) {{ int i; {body} }}\n");
        let text = support::generated(&source, FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        let asked = text.split("fathom_strip_writes_object(").nth(1).and_then(|s| s.split("fathom_strip_open").next());
        assert!(asked.is_some_and(|s| s.contains(object)), "{body}\n{text}");
    }
}

/// Two elements share a slot only if they are as far from each other in each iteration.
#[test]
fn elements_share_a_slot_if_the_same_is_added() {
    let slots = |body: &str| {
        let source = format!("{DECLARED}void t(int n, int m, double x) {{ int i; {body} }}\n");
        support::generated(&source, FAR).unwrap().matches("fathom_strip_range(").count()
    };
    assert_eq!(slots("for (i = 0; i < n; i++) x += a[n + i] + a[i + n + 3] + a[(n) + (i - 1)];"), 1);
    assert_eq!(slots("for (i = 0; i < n; i++) x += a[n + i] + a[i - n] + a[m + i] + a[i];"), 4);
}

/// A counter of few values starts anew before a large bound: then the elements of a strip are not those of the loop.
#[test]
fn counters_that_may_start_anew_are_asked_before_the_loop() {
    let c = |body: &str| support::generated(&format!("{DECLARED}void t(int n, double x) {{ {body} }}\n"), FAR).unwrap();
    assert!(c("for (unsigned char c = 0; c < n; c++) x += a[c];").contains(" <= 255l && "));
    assert!(c("for (unsigned char c = 0; c <= 255; c++) x += a[c];").contains(" <= 255l && "));
    assert!(c("for (unsigned u = 0; u < 5000000000l; u++) x += a[u];").contains(" <= 4294967295l && "));
    for body in [
        "for (unsigned char c = 0; c < 255; c++) x += a[c];",
        "for (unsigned char c = 0; c <= 254; c++) x += a[c];",
        "for (unsigned u = 0; u < n; u++) x += a[u];",
        "for (int i = 0; i < n; i++) x += a[i];",
    ] {
        assert!(!c(body).contains("l && (fathom_strip_begin"), "{body}");
    }
    assert!(c("for (unsigned long k = n; k < 300; k++) x += a[k];").contains(" >= 0 && (fathom_strip_begin"));
}

/// Rows are fetched before a `upc_forall` that reads them, unless an expression would be computed that may overflow, divide or read.
#[test]
fn rows_are_fetched_before_a_forall() {
    let rows = |body: &str| {
        let source = format!(
            "{DECLARED}enum {{ WIDE = 40 }}; shared [WIDE] double m[9 * THREADS][WIDE], o[9 * THREADS][WIDE];\n\
             void t(int n, int k, int *w, double x) {{ int i, j; upc_forall (i = 1; i < n; i++; &o[i][0]) {{ {body} }} }}\n"
        );
        support::generated(&source, FAR).unwrap().matches("fathom_rows_fetch(").count()
    };
    for (body, fetched) in [
        ("for (j = 0; j < WIDE; j++) o[i][j] = m[i - 1][j] + m[i + 1][j];", 1),
        ("for (j = 1; j <= n - 1; j++) o[i][j] = m[i - 1][j + k]; if (k) for (j = 0; j < 9; j++) x += m[i + 1][j];", 2),
        ("for (j = 0; j < n * k; j++) o[i][j] = m[i + 1][j];", 0),
        ("for (j = 0; j < n / k; j++) o[i][j] = m[i + 1][j];", 0),
        ("for (j = 0; j < w[3]; j++) o[i][j] = m[i + 1][j];", 0),
        ("int last = i; for (j = 0; j < last; j++) o[i][j] = m[i + 1][j];", 0),
        ("for (j = 0; j < 9; j++) o[i][j] = m[i * 2][j];", 0),
        ("for (j = 0; j < 9; j++) o[i][j] = m[i + 1][j]; upc_fence;", 0),
    ] {
        assert_eq!(rows(body), fetched, "{body}");
    }
}

/// Loops around rows that move on evenly, and how many slots they have; 0: the loops inside ask for themselves.
#[test]
fn rows_of_a_nest_are_known_before_it() {
    let rows = "for (i = 0; i < n; i++) { double s = 0; for (int j = 1; j < 9; j++) s += y[j] * m[i][j]; z[i] = s; }";
    let reads = |element: &str| rows.replace("m[i][j]", element);
    for (body, slots) in [
        (rows.to_owned(), 1),
        (reads("p[j]"), 1),
        (reads("(p[j] + m[n + i - 1][j] + m[n + i + 1][j] + m[2 * i][j + 1])"), 4),
        (reads("(m[i][j - 1] + m[i][j + 1])"), 1),
        (reads("l[i * n + j]"), 1),
        (reads("l[(long)i * n + j]"), 0),
        (reads("l[i * i + j]"), 0),
        (reads("m[i / 2][j]"), 0),
        (reads("m[w[i]][j]"), 0),
        (reads("(m[i][j] + c[w[j]])"), 0),
        (reads("c[j]").replace("double s = 0", "double s = 0; x += c[i]"), 1),
        (reads("(m[i][j] + c[n])"), 0),
        (rows.replace("j < 9", "j < i"), 0),
        (rows.replace("j < 9", "j < n"), 1),
        (rows.replace("j < 9", "j < g").replace("double s = 0", "double s = 0; g++"), 0),
        (rows.replace("z[i] = s", "c[i] = s"), 1),
        (rows.replace("z[i] = s", "m[i][0] = s"), 0),
        (reads("l[j]").replace("z[i] = s", "c[i] = s"), 1),
        (reads("l[j]").replace("z[i] = s", "c[w[i]] = s"), 1),
        (rows.replace("z[i] = s", "f(i)"), 0),
        (rows.replace("z[i] = s", "z[i] = s; if (s > 3) break"), 0),
        (rows.replace("z[i] = s", "z[i] = s; if (s > 3) return"), 0),
        (rows.replace("z[i] = s", "if (s > 3) continue; z[i] = s"), 1),
        (rows.replace("s += y", "if (s > 3) break; else s += y"), 1),
        (rows.replace("double s = 0", "double s = 0; if (x > 3) continue"), 0),
        (rows.replace("double s = 0", "double s = 0; int k = w[i]").replace("m[i]", "m[k]"), 0),
        (rows.replace("double s = 0", "double s = 0; shared [] double *p = l + i").replace("m[i][j]", "p[j]"), 0),
        (rows.replace("double s = 0", "double s = 0; for (int k = 0; k < 3; k++) s += z[k]"), 0),
        (rows.replace("for (int j", "int j; for (j").replace("z[i] = s", "z[i] = m[i][j]"), 0),
    ] {
        let source = format!(
            "shared [9] double m[9 * THREADS][9]; {DECLARED}void t(int n, double x, double *y, double *z, int *w, shared [] double *l) {{ int i; {body} }}\n"
        );
        let text = support::generated(&source, FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        let asked: Vec<&str> = text.split("fathom_strip_begin(&fathom_next").skip(1).collect();
        let found =
            asked.first().map_or(0, |s| s.split("; }").next().map_or(0, |s| s.matches("fathom_strip_range(").count()));
        assert_eq!(found, slots, "{body}\n{text}");
        assert_eq!(text.matches("fathom_nest_begin(").count(), usize::from(slots > 0), "{body}\n{text}");
    }
    let text = support::generated(
        &format!("shared [9] double m[9 * THREADS][9]; {DECLARED}void t(int n, double *y) {{ for (int i = 0; i < n; i++) for (int j = 0; j < 9; j++) y[j] += m[i][j]; }}\n"),
        FAR,
    );
    let text = text.unwrap();
    let nest = text.split("fathom_nest_next(").nth(1).and_then(|s| s.split("} else {").next()).unwrap();
    // What has landed is read without a question.
    assert!(!nest.contains("fathom_is_near") && !nest.contains("fathom_strip_next"), "{text}");
}

/// Only the first strip of a loop that may be left is short, and fetched alone.
#[test]
fn loops_that_may_be_left_say_so() {
    for (body, left) in [
        ("for (i = 0; i < n; i++) x += a[i];", false),
        ("for (i = 0; i < n; i++) { if (y[i] > 3) continue; x += a[i]; }", false),
        ("for (i = 0; i < n; i++) if ((x += a[i]) > 3) break;", true),
        ("for (i = 0; i < n; i++) if ((x += a[i]) > 3) return;", true),
        ("for (l = q; l < q + n; l++) x += *l;", false),
        ("for (l = q; l < q + n; l++) if (*l > 3) break;", true),
    ] {
        let source = format!("{DECLARED}void t(int n, double x, double *y, shared [] double *l) {{ int i; {body} }}\n");
        let text = support::generated(&source, FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        assert!(text.contains("fathom_strip_begin("), "{body}\n{text}");
        assert_eq!(text.contains(".may_be_left = 1"), left, "{body}\n{text}");
    }
}

/// A bound that the loop may set by another name is no fixed one.
#[test]
fn a_variable_may_have_two_names() {
    for (second, is_served) in [("int second;", true), ("extern int second __attribute__((alias(\"first\")));", false)]
    {
        let source = format!(
            "{DECLARED}int first = 9; {second} void t(double x) {{ for (int i = 0; i < first; i++) {{ x += a[i]; second = 4; }} }}\n"
        );
        let text = support::generated(&source, FAR).unwrap();
        assert_eq!(text.contains("fathom_strip_begin("), is_served, "{text}");
    }
}

/// With `-fcomm-check` each read of what has landed is compared, a bit-field by the bytes that hold it.
#[test]
fn reads_of_landed_elements_can_be_compared() {
    let body = "for (i = 0; i < n; i++) x += r[i].x[n] + r[i].n + bits[i].b + c[i];";
    let source = format!(
        "{DECLARED}struct sb {{ int a; unsigned f : 3, b : 9; }}; shared struct sb bits[THREADS];\n\
         void t(int n, double x) {{ int i; {body} }}\n"
    );
    let plain = support::generated(&source, FAR).unwrap();
    let checked = support::generated(&source, Options { check: true, ..FAR }).unwrap();
    assert!(!plain.contains("fathom_strip_use") && plain.contains("fathom_strip_open("));
    assert_eq!(checked.matches("fathom_strip_use(").count(), 4, "{checked}");
    assert!(checked.contains("fathom_strip_open_to_check(") && checked.contains(", 4ul, 2ul, &"), "{checked}");
}

/// Without the option, and where loads and stores reach everything, nothing changes.
#[test]
fn strips_are_for_far_data() {
    let source =
        format!("{DECLARED}double t(int n) {{ double x = 0; for (int i = 0; i < n; i++) x += a[i]; return x; }}\n");
    let c = |options| support::generated(&source, options).unwrap();
    let direct = Options { direct: true, ..FAR };
    assert_eq!(c(direct), c(Options { strips: false, ..direct }));
    assert!(!c(Options { strips: false, ..FAR }).contains("strip"));
    assert!(!c(Options { count: true, ..FAR }).contains("fathom_strip_"));
    assert!(c(Options { explain: true, ..FAR }).contains("fathom_explain_strip_next"));
}
