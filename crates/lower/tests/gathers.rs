//! Loops that gather, and the verdicts on reads of theirs that are not gathered.

use crate::support;
use fathom_lower::plan::Plan;
use fathom_lower::Options;

const FAR: Options = Options { direct: false, explain: false, count: false, strips: true, check: false, hiding: &[] };

const DECLARED: &str = "shared [4] double a[4 * THREADS], b[4 * THREADS]; shared long c[8 * THREADS]; \
    shared [] double *p; shared [] double *q; shared int ix[8 * THREADS]; shared [2] long two[4][2 * THREADS]; \
    struct st { int n; double x[3]; }; shared [2] struct st r[2 * THREADS]; struct big { char c[400]; }; \
    shared struct big large[THREADS]; struct csr { int *column; int n; }; double sqrt(double); int g; int f(int k) { return g += k; } \
    int table[100]; int *gp; shared [4] volatile double v[4 * THREADS];\n";

fn source(body: &str) -> String {
    format!(
        "{DECLARED}void t(int n, double x, double *y, long *z, int *w, long long *u, struct csr *m, char *text) \
         {{ int i; int local[9]; {body} }}\n"
    )
}

/// What became of the reads of a function's body: `gathered`, `strips`, or the reason; writes are left out.
fn verdicts(body: &str) -> Vec<String> {
    let source = source(body);
    let (parsed, sema) = support::checked(&source).unwrap_or_else(|said| panic!("{body}: {said}"));
    let plan = Plan::new(&parsed, &sema, FAR);
    let said = plan.verdicts(&parsed, &sema, true).into_iter();
    let said = said.filter(|v| {
        !v.text.starts_with("far writes") && !v.text.starts_with("each write") && !v.text.contains("this update")
    });
    said.map(|v| match (v.served, v.text.contains("gathered")) {
        (true, true) => "gathered".to_owned(),
        (true, false) => "strips".to_owned(),
        _ => v.text.split_once(": ").unwrap().1.to_owned(),
    })
    .collect()
}

#[test]
fn each_reason_has_a_loop() {
    let subscript = "the subscript is not computed from the loop's variable and what the loop does not change";
    let conditional = "it is not known ahead whether an iteration reads the element, whose place is computed";
    let index = "the loop may write what the element's place is computed from";
    let unknown = "the loop writes through a pointer whose range is not known before it";
    for (body, expected) in [
        ("for (i = 0; i < n; i++) x += a[w[i]];", &["gathered"][..]),
        ("for (long j = n; j <= n + 9; ++j) x += a[u[j]] * sqrt(b[j]);", &["gathered", "strips"]),
        ("for (i = u[0]; i < u[1]; i++) x += p[w[i]];", &["gathered"]),
        (
            "for (i = 0; i < n; i++) x += a[i + i] + a[n - i] + a[(i * 7 + 3) % 11] + a[table[i] >> 1];",
            &["gathered"; 4],
        ),
        // C adds modulo 2^32 here, and so does the computation of the place.
        ("unsigned k = n; for (unsigned j = 0; j < 9; j++) x += a[k + j];", &["gathered"]),
        ("for (i = 0; i < n; i++) x += r[w[i]].x[1] + r[w[i]].n + two[i & 3][w[i]];", &["gathered"; 3]),
        ("for (i = 0; i < n; i++) x += a[m->column[i]] + a[*(w + i)] + a[local[i]];", &["gathered"; 3]),
        // A cast that changes qualifiers alone leads to the same objects; another one does not.
        (
            "for (i = 0; i < n; i++) x += ((const shared [] double *)q)[w[i]] + ((const shared [] double *)p)[w[i]];",
            &["gathered"; 2],
        ),
        ("for (i = 0; i < n; i++) x += ((shared [] double *)two)[w[i]];", &[subscript]),
        // The index is shared, and so is its index.
        ("for (i = 0; i < n; i++) x += a[ix[i]];", &["gathered", "strips"]),
        ("for (i = 0; i < n; i++) x += a[ix[ix[i] + 1]];", &["gathered", "gathered", "strips"]),
        ("for (i = 0; i < n; i++) x += a[c[r[i].n]];", &["gathered", "gathered", "strips"]),
        ("for (i = 0; i < n; i++) y[i] = a[w[i]];", &["gathered"]),
        ("for (i = 0; i < n; i++) w[i] = c[w[i]];", &["gathered"]),
        ("for (i = 0; i < n; i++) table[i] = c[w[i]];", &["gathered"]),
        ("for (i = 0; i < n; i++) local[i] = c[table[i]];", &["gathered"]),
        ("for (i = 0; i < n; i++) y[w[i]] = a[w[i]];", &["gathered"]),
        ("for (i = 0; i < n; i++) b[w[i]] = a[w[i]];", &["gathered"]),
        ("for (i = 0; i < n; i++) c[i] = p[w[i]];", &["gathered"]),
        // What is written is in another object, which is asked.
        ("for (i = 0; i < n; i++) a[i] = p[w[i]];", &["gathered"]),
        ("for (i = 0; i < n; i++) q[i] = p[w[i]];", &["gathered"]),
        ("for (i = 0; i < n; i++) q[w[i]] = a[w[i]];", &["gathered"]),
        ("for (i = 0; i < n; i++) q[w[i]] = p[w[i]];", &["gathered"]),
        // Gathers alone, because the loop writes what it reads otherwise.
        ("for (i = 0; i < n; i++) b[i] = b[i + 1] + a[w[i]];", &["the loop writes the same array", "gathered"]),
        // By way of variables that each iteration sets once.
        ("for (i = 0; i < n; i++) { int k = w[i]; x += a[k] + b[k]; }", &["gathered"; 2]),
        ("for (i = 0; i < n; i++) { int k; k = w[i]; x += r[k].x[1] + r[k].n; }", &["gathered"; 2]),
        ("int k; for (i = 0; i < n; i++) { k = w[i]; x += a[k]; }", &["gathered"]),
        ("for (i = 0; i < n; i++) { int k = w[i], m = table[k]; x += a[m]; }", &["gathered"]),
        ("for (i = 0; i < n; i++) { long k = c[i]; x += a[ix[k]]; }", &["strips", "gathered", "gathered"]),
        ("for (i = 0; i < n; i++) { const double *p = y + i; int k = *p; { x += a[k]; } }", &["gathered"]),
        ("for (i = 0; i < n; i++) { x += a[w[i]]; w++; }", &[subscript]),
        ("for (i = 0; i < n; i++) { x += a[g]; }", &[subscript]),
        ("for (i = 0; i < n; i++) { int k = g; x += a[k]; }", &[subscript]),
        ("for (i = 0; i < n; i++) { int k = w[i]; k++; x += a[k]; }", &[subscript]),
        ("for (i = 0; i < n; i++) { int k = 0; if (x > 3) k = w[i]; x += a[k]; }", &[subscript]),
        ("int k = 0; for (i = 0; i < n; i++) { if (w[i]) { k = w[i]; } x += a[k]; }", &[subscript]),
        ("int k = 0; for (i = 0; i < n; i++) { x += a[k]; k = w[i]; }", &[subscript]),
        ("for (i = 0; i < n; i++) { int k = w[i], *l = &k; *l = 3; x += a[k]; }", &[subscript]),
        ("int k = 0; for (i = 0; i < n; i++) switch (n) { case 0: { k = w[i]; case 1: x += a[k]; } }", &[subscript]),
        ("for (i = 0; i < n; i++) { int k; { int n = w[i]; k = n; } x += a[k + n]; }", &[subscript]),
        (
            "for (i = 0; i < n; i++) { int k = f(i); x += a[k]; }",
            &["the loop calls a function that may synchronise or write"],
        ),
        // Under conditions that are known ahead.
        ("for (i = 0; i < n; i++) if (a[i] > 0) x += a[w[i]];", &["strips", "gathered"]),
        ("for (i = 0; i < n; i++) if (a[w[i]] > 0) x += b[w[i]]; else x -= p[w[i]];", &["gathered"; 3]),
        ("for (i = 0; i < n; i++) x += i & 1 ? a[w[i]] : 0;", &["gathered"]),
        ("for (i = 0; i < n; i++) x += i & 1 && a[w[i]] > 0;", &["gathered"]),
        ("for (i = 0; i < n; i++) x += a[i && w[i]];", &["gathered"]),
        ("for (i = 0; i < n; i++) if (table[i]) { int k = w[i]; if (k >= 0) x += a[k]; }", &["gathered"]),
        ("for (i = 0; i < n; i++) { if (w[i] < 0) { g++; continue; } x += a[w[i]]; }", &["gathered"]),
        ("for (i = 0; i < n; i++) { x += a[w[i]]; if (x > 3) continue; x++; }", &["gathered"]),
        ("for (i = 0; i < n; i++) { if (x > 3) x += a[w[i]]; }", &[conditional]),
        ("for (i = 0; i < n; i++) { if (x > 3) continue; x += a[w[i]]; }", &[conditional]),
        ("for (i = 0; i < n; i++) { if (w[i]) { if (table[i]) continue; } x += a[w[i]]; }", &[conditional]),
        ("for (i = 0; i < n; i++) { if (w[i]) continue; else if (table[i]) continue; x += a[w[i]]; }", &[conditional]),
        ("for (i = 0; i < n; i++) { x = ({ if (w[i]) continue; 1; }) + a[w[i]]; }", &[conditional]),
        ("for (i = 0; i < n; i++) switch (w[i]) { case 1: x += a[w[i]]; }", &[conditional]),
        (
            "for (i = 0; i < n; i++) if (v[i] > 0) x += a[w[i]];",
            &["the object is volatile or atomic", "the object is volatile or atomic"],
        ),
        // Strips alone.
        ("for (i = 0; i < n; i++) { if (i == g) break; x += a[w[i]] + a[i]; }", &[conditional, "strips"]),
        ("for (i = 0; i < n; i++) { x += a[w[i]]; if (x > 3) return; }", &[conditional]),
        ("for (i = 0; i < n; i++) x += large[w[i]].c[0];", &["the table's elements are large"]),
        ("for (i = 0; i < n; i++) x += v[w[i]];", &["the object is volatile or atomic"]),
        ("for (i = 0; i < n; i++) x += a[f(i)];", &["the loop calls a function that may synchronise or write"]),
        ("for (i = 0; i < n; i++) { x += a[table[i]]; table[n - i] = 0; }", &[index]),
        ("for (i = 0; i < n; i++) { x += a[w[i]]; *gp = 0; }", &[index]),
        ("for (i = 0; i < n; i++) { x += a[w[i]]; w[w[i]] = 0; }", &[index]),
        ("for (i = 0; i < n; i++) { x += a[w[i]]; text[w[i]] = 0; }", &[index]),
        ("for (i = 0; i < n; i++) { x += a[m->column[i]]; w[i] = 0; }", &[index]),
        ("for (i = 0; i < n; i++) { if (table[i]) x += a[local[i]]; table[n - i] = 0; }", &[index]),
        ("for (i = 0; i < n; i++) { if (w[i]) x += a[local[i]]; *gp = 0; }", &[index]),
        ("for (i = 0; i < n; i++) { int k = w[i]; x += a[k]; *gp = 0; }", &[index]),
        ("for (i = 0; i < n; i++) a[i] = a[w[i]];", &["the loop writes the same array"]),
        ("for (i = 0; i < n; i++) { shared [] double *o = q; o[w[i]] = a[w[i]]; }", &[unknown]),
    ] {
        assert_eq!(verdicts(body), expected, "{body}");
    }
}

/// What is compared before the loop, because C does not say that it is apart.
#[test]
fn what_may_overlap_is_compared_before_the_loop() {
    for (body, sources, stored, compared) in [
        ("for (i = 0; i < n; i++) x += a[w[i]];", 0, 0, 0),
        ("for (i = 0; i < n; i++) y[i] = a[w[i]];", 0, 1, 0),
        ("for (i = 0; i < n; i++) w[i + 5] = c[w[i - 1]] + a[w[i - 1]];", 1, 1, 0),
        ("for (i = 0; i < n; i++) table[i] = c[w[i]];", 1, 1, 0),
        ("for (i = 0; i < n; i++) w[i] = c[table[i]];", 1, 1, 0),
        ("for (i = 0; i < n; i++) local[i] = c[table[i]];", 0, 0, 0),
        ("for (i = 0; i < n; i++) { int own[2]; own[i & 1] = c[w[i]]; }", 0, 0, 0),
        ("for (i = 0; i < n; i++) q[i] = a[w[i]];", 0, 0, 1),
        // The index may be this thread's part of what the loop writes.
        ("for (i = 0; i < n; i++) c[i] = two[0][z[i]];", 1, 0, 1),
        ("for (i = 0; i < n; i++) b[i] = a[z[i]];", 0, 0, 0),
    ] {
        let text = support::generated(&source(body), FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        let count = |what: &str| text.matches(what).count();
        assert!(text.contains("fathom_gathers_from") && !text.contains("fathom_strips_from"), "{body}\n{text}");
        assert_eq!(
            (count("fathom_strip_source("), count("fathom_strip_stores("), count("fathom_strip_writes(")),
            (sources, stored, compared),
            "{body}\n{text}"
        );
    }
}

/// The same element is gathered once, and gathers that need no other one travel together.
#[test]
fn gathers_share_what_they_can() {
    for (body, gathers, fetches) in [
        ("for (i = 0; i < n; i++) x += a[w[i]] + a[ w[i] ];", 2, 1),
        ("for (i = 0; i < n; i++) x += a[w[i]] + (a[w[i]]) * b[w[i]];", 2, 1),
        ("for (i = 0; i < n; i++) x += a[ix[w[i]]] + b[w[i]];", 3, 2),
        ("for (i = 0; i < n; i++) { int k = w[i]; x += a[k]; x += a[k] + b[k]; }", 2, 1),
        // What some iterations read is fetched with what all read, and not with what others read.
        ("for (i = 0; i < n; i++) { x += a[w[i]]; if (table[i]) x += a[w[i]]; }", 1, 1),
        ("for (i = 0; i < n; i++) { if (table[i]) x += a[w[i]]; x += a[w[i]]; }", 1, 1),
        ("for (i = 0; i < n; i++) { if (table[i]) x += a[w[i]]; else if (w[i]) x += a[w[i]]; }", 2, 1),
        ("for (i = 0; i < n; i++) if (a[w[i]] > 0 && a[w[i]] < 3 && b[w[i]] < 3) x++;", 2, 2),
    ] {
        let text = support::generated(&source(body), FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        let count = |what: &str| text.matches(what).count();
        assert_eq!(
            (count("fathom_strip_gather("), count("fathom_gather_fetch(")),
            (gathers, fetches),
            "{body}\n{text}"
        );
    }
}

/// With `-fcomm-check` what is gathered, and the shared index, are compared where they are used.
#[test]
fn reads_of_gathered_elements_can_be_compared() {
    let source = source("for (i = 0; i < n; i++) x += r[w[i]].n + a[ix[i]];");
    let plain = support::generated(&source, FAR).unwrap();
    let checked = support::generated(&source, Options { check: true, ..FAR }).unwrap();
    assert!(!plain.contains("fathom_strip_use") && plain.contains("fathom_strip_open("));
    // In the version without gathers, the index alone.
    assert_eq!(checked.matches("fathom_strip_use(").count(), 4, "{checked}");
}

/// Where gathers are off, strips serve what the loop reads otherwise.
#[test]
fn loops_that_gather_have_a_version_in_strips_alone() {
    let source = source("for (i = 0; i < n; i++) x += b[i] * a[ix[i]];");
    let text = support::generated(&source, FAR).unwrap();
    let count = |what: &str| text.matches(what).count();
    assert_eq!((count("fathom_gathers_from"), count("fathom_strips_from")), (1, 1), "{text}");
    assert_eq!((count("fathom_strip_gather("), count("fathom_strip_range(")), (1, 4), "{text}");
}

/// What comes before a place stands there in the order of the text, the read's conditions around it.
#[test]
fn the_steps_to_a_place_are_in_order() {
    let source = source("for (i = 0; i < n; i++) { if (w[i] < 0) continue; int k = w[i]; if (k < n) x += a[k]; }");
    let text = support::generated(&source, FAR).unwrap();
    let at = text.find("] = 0; if (!(").expect("a place that is not wanted");
    let steps = &text[at..];
    let find = |what: &str| steps.find(what).unwrap_or_else(|| panic!("{what} is not in\n{text}"));
    assert!(find("if (!(") < find(" int k = ") && find(" int k = ") < find("if (k < n) {"), "{text}");
}

/// What a promise allows, and what it does not.
#[test]
fn promises_spare_comparisons() {
    let all = |promise: &str, body: &str| verdicts(&format!("\n#pragma {promise}\n{body}"));
    let vain = "what is promised of this loop has no effect: ";
    for (promise, body, expected) in [
        ("fathom independent", "for (i = 0; i < n; i++) { x += a[table[i]]; table[n - i] = 0; }", &["gathered"][..]),
        ("fathom independent", "for (i = 0; i < n; i++) { x += a[w[i]]; *gp = 0; }", &["gathered"]),
        ("bupc ivdep", "for (i = 0; i < n; i++) { x += a[w[i]]; text[w[i]] = 0; }", &["gathered"]),
        ("fathom independent", "for (i = 0; i < n; i++) a[i] = a[w[i]];", &["gathered"]),
        ("fathom independent", "for (i = 0; i < n; i++) q[i] = p[w[i]];", &["gathered"]),
        ("fathom independent", "for (i = 0; i < n; i++) q[w[i]] = a[i + 1];", &["strips"]),
        ("fathom independent", "upc_forall (int j = 0; j < n; j++; j) q[j] = p[j];", &["gathered"]),
        // What an iteration reads after it has written may be what it wrote.
        (
            "fathom independent",
            "for (i = 0; i < n; i++) { *gp = 0; x += a[w[i]]; }",
            &[vain, "the loop may write what the element's place is computed from"],
        ),
        ("fathom independent", "for (i = 0; i < n; i++) { q[i] = 0; x += p[w[i]]; }", &["gathered"]),
        ("fathom unordered", "for (i = 0; i < n; i++) { q[i] = 0; x += p[w[i]]; }", &["gathered"]),
        ("fathom unordered", "for (i = 0; i < n; i++) a[i] = a[w[i]];", &["gathered"]),
        ("pgas defer_sync", "for (i = 0; i < n; i++) q[w[i]] = a[i];", &["strips"]),
        // Private accesses are none that it speaks of.
        (
            "fathom unordered",
            "for (i = 0; i < n; i++) { x += a[w[i]]; *gp = 0; }",
            &[vain, "the loop may write what the element's place is computed from"],
        ),
        (
            "fathom independent",
            "for (i = 0; i < n; i++) x += a[f(i)];",
            &[vain, "the loop calls a function that may synchronise or write"],
        ),
        ("bupc other", "for (i = 0; i < n; i++) x += a[w[i]];", &["the loop has labels, static objects or a pragma"]),
    ] {
        let found = all(promise, body);
        let found: Vec<&str> =
            found.iter().map(|v| if *v == expected[0] || !v.is_empty() { v.as_str() } else { vain }).collect();
        let expected: Vec<&str> = match expected {
            [first, why] if *first == vain => vec![why, why],
            _ => expected.to_vec(),
        };
        assert_eq!(found, expected, "{promise}: {body}");
    }
    // Before the body, where programs have Cray's.
    assert_eq!(verdicts("for (i = 0; i < n; i++)\n#pragma pgas defer_sync\n q[w[i]] = a[i];"), ["strips"]);
    // OpenMP's pragma beside it still forbids that code stands before the loop.
    let beside = "\n#pragma omp simd\n#pragma fathom independent\nfor (i = 0; i < n; i++) x += a[w[i]];";
    assert_eq!(verdicts(beside), ["the loop has labels, static objects or a pragma"; 2]);
}

/// What is compared before the loop where nothing is promised, is not.
#[test]
fn promises_leave_nothing_to_compare() {
    for (promise, body, compared) in [
        ("independent", "for (i = 0; i < n; i++) w[i + 5] = c[w[i - 1]] + a[w[i - 1]];", 0),
        ("independent", "for (i = 0; i < n; i++) { y[i] = a[w[i]]; z[i] = a[w[i + 1]]; }", 1),
        ("unordered", "for (i = 0; i < n; i++) q[i] = a[w[i]];", 0),
        ("unordered", "for (i = 0; i < n; i++) w[i] = c[table[i]];", 2),
    ] {
        let text = source(&format!("\n#pragma fathom {promise}\n{body}"));
        let text = support::generated(&text, FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        let count = |what: &str| text.matches(what).count();
        let found = count("fathom_strip_source(") + count("fathom_strip_stores(") + count("fathom_strip_writes(");
        assert_eq!(found, compared, "{promise}: {body}\n{text}");
        assert!(text.contains("fathom_gather_fetch(") && !text.contains("pragma fathom"), "{text}");
    }
}

/// On `smp` a promise is white space.
#[test]
fn promises_do_not_change_the_code_for_smp() {
    let body = "for (i = 0; i < n; i++) x += a[i] * c[w[i]];";
    let line = |promise: &str| source(&format!("\n{promise}\n{body}"));
    let plain = support::generated(&line(&" ".repeat(26)), Options::default()).unwrap();
    for promise in [
        "#pragma fathom independent",
        "#pragma fathom unordered  ",
        "#pragma fathom constant(w)",
        "#pragma pgas defer_sync   ",
    ] {
        let promised = line(promise);
        let text = support::generated(&promised, Options::default()).unwrap();
        assert_eq!(text.replace(' ', ""), plain.replace(' ', ""), "{promise}");
    }
}

/// Loops inside loops, and promised ones, that have a list of what they gather; whether it is kept, and the values that it depends on.
#[test]
fn lists_of_what_is_gathered() {
    let constant = "\n#pragma fathom constant(w, table)\n";
    let rows =
        "for (i = 0; i < n; i++) { double s = 0; for (int k = w[i]; k < w[i + 1]; k++) s += a[table[k]]; y[i] = s; }";
    for (body, values) in [
        (rows.to_owned(), Some(0)),
        // Bounds of the loop and its shift, w, table.
        (format!("{constant}{rows}"), Some(5)),
        (rows.replace("y[i] = s", "x += s"), Some(0)),
        (rows.replace("for (int k", "for (g = 1; g < 3; g++) x++; for (int k"), None),
        (rows.replace("y[i] = s", "w[i] = s"), Some(0)),
        (rows.replace("y[i] = s", "w[table[i]] = s"), None),
        (rows.replace("double s = 0", "double s = 0; if (x > 3) continue"), None),
        (rows.replace("double s = 0", "double s = 0; if (s > 3) break"), None),
        (rows.replace("double s = 0; for", "double s = 0; if (w[i]) for"), None),
        (rows.replace("int k = w[i]", "char k = w[i]"), None),
        (rows.replace("a[table[k]]", "a[table[k]] + b[table[k]]"), None),
        (rows.replace("a[table[k]]", "a[table[k] + n]").replacen("for", &format!("{constant}for"), 1), Some(6)),
        (rows.replace("a[table[k]]", "p[table[k]]").replacen("for", &format!("{constant}for"), 1), Some(6)),
        (rows.replace("a[table[k]]", "a[m->column[k] + table[0]]").replacen("for", &format!("{constant}for"), 1), Some(0)),
        (rows.replace("int k = w[i]", "int lo = w[i], k = lo"), None),
        (rows.replace("for (int k = w[i]", "int lo = w[i]; for (int k = lo"), Some(0)),
        ("\n#pragma fathom constant(w)\nfor (i = 0; i < n; i++) x += a[w[i]];".to_owned(), Some(4)),
        ("\n#pragma fathom constant(w)\nfor (i = 0; i < n; i++) { int k = w[i]; if (k) x += a[k + g]; }".to_owned(), Some(5)),
        ("\n#pragma fathom constant(m->column)\nfor (i = 0; i < n; i++) x += a[m->column[i]];".to_owned(), None),
        ("\n#pragma fathom constant(w)\nfor (i = 0; i < n; i++) x += a[table[w[i]]];".to_owned(), None),
        (
            "\n#pragma fathom constant(w)\nupc_forall (int j = 0; j < n; j++; j) for (int k = w[j]; k < w[j + 1]; k++) x += c[w[k]];"
                .to_owned(),
            Some(4),
        ),
    ] {
        let text = support::generated(&source(&body), FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        let begun: Vec<&str> = text.split("fathom_kept_begin(").skip(1).collect();
        let values_of = |s: &str| s.split(" }, ").nth(1).and_then(|s| s.split(')').next()?.parse::<i32>().ok());
        assert_eq!(begun.len(), usize::from(values.is_some()), "{body}\n{text}");
        assert_eq!(begun.first().and_then(|s| values_of(s)), values, "{body}\n{text}");
    }
    let unnamed = verdicts("\n#pragma fathom constant(w)\nfor (i = 0; i < n; i++) x += a[table[w[i]]];");
    assert_eq!(unnamed, ["gathered"]);
}

/// A loop that sums up one element in each iteration of the loop inside.
fn rows_of(element: &str) -> String {
    format!("for (i = 0; i < n; i++) {{ double s = 0; for (int k = w[i]; k < w[i + 1]; k++) {element} y[i] = s; }}")
}

/// Loops with a list are written once more, for a table that is there as a whole: there the elements are those that the text names.
/// Each is tested where it is read, if its index is not one that lies in memory.
#[test]
fn tables_that_are_there_as_a_whole() {
    for (element, index) in [
        ("p[w[k] - n]", "(unsigned long)((long)(w[k] - n)) - "),
        ("two[i % 4][w[k]]", "(unsigned long)((long)(i % 4) * (2l * (long)fathom_threads) + (long)(w[k])) - "),
        ("r[w[k] * 2].x[1]", "(unsigned long)((long)(w[k] * 2)) - "),
    ] {
        let body = rows_of(&format!("s += {element};"));
        let text = support::generated(&source(&body), FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        let uses: Vec<&str> = text.split("fathom_kept_element(").skip(1).collect();
        assert_eq!(uses.len(), 1, "{body}\n{text}");
        let argument = uses[0].splitn(3, ", ").nth(2).unwrap();
        assert!(argument.starts_with(index), "{body}\n{argument}");
        assert!(!text.contains("fathom_kept_look"), "{body}\n{text}");
    }
}

/// Indices that follow each other in memory are looked at before the loop reads the table, and then it does that without a test.
#[test]
fn indices_that_are_looked_at() {
    let promise = "\n#pragma fathom constant(w)\nfor (i = 0; i < n; i++)";
    let row = |element: &str| rows_of(&format!("s += {element};"));
    for (body, looked, read) in [
        (row("a[w[k]]"), Some("&(w[k]), (unsigned long)count, 4"), "[(long)(w[k])]"),
        (row("a[u[k]]"), Some("&(u[k]), (unsigned long)count, 8"), "[(long)(u[k])]"),
        (
            row("r[m->column[k - 1]].x[2]"),
            Some("&(m->column[k - 1]), (unsigned long)count, 4"),
            "[(long)(m->column[k - 1])].x[2]",
        ),
        (row("a[((unsigned *)w)[k + n]]"), Some("&(((unsigned *)w)[k + n]), (unsigned long)count, -4"), ""),
        (rows_of("{ int e = w[k]; s += a[e] * x; }"), Some("&(w[k]), (unsigned long)count, 4"), "[(long)(e)]"),
        (format!("{promise} {{ int e = w[i]; x += a[e]; }}"), Some("&(w[i]), 1ul, 4"), "[(long)(e)]"),
        (row("a[*(w + k)]"), None, ""),
        (row("a[(char)w[k]]"), None, ""),
        (row("a[((short *)w)[k]]"), None, ""),
        (row("a[w[2 * k]]"), None, ""),
        (row("a[w[-k]]"), None, ""),
        (row("a[w[w[k]]]"), None, ""),
        (rows_of("{ short e = w[k]; s += a[e]; }"), None, ""),
        (rows_of("{ int *c = w + k; s += a[c[k]]; }"), None, ""),
        (rows_of("if (w[k] > 0) s += a[w[k]];"), None, ""),
        (rows_of("s += w[k] > 0 ? a[w[k]] : 0;"), None, ""),
    ] {
        let text = support::generated(&source(&body), FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        assert!(text.contains("fathom_kept_begin("), "{body}\n{text}");
        let uses: Vec<&str> = text.split("fathom_kept_look(").skip(1).collect();
        assert_eq!(uses.len(), usize::from(looked.is_some()), "{body}\n{text}");
        assert_ne!(text.contains("fathom_kept_element("), looked.is_some(), "{body}\n{text}");
        let Some(looked) = looked else { continue };
        // Names of the writer's end with a number.
        let argument = uses[0].split_once(", ").unwrap().1.split("); ").next().unwrap();
        let argument = argument.trim_end_matches([')', ';', ' ', '}']).replace("fathom_", "");
        let plain: String = match argument.split_once("count") {
            Some((before, after)) => format!("{before}count{}", after.trim_start_matches(|c: char| c.is_ascii_digit())),
            None => argument,
        };
        assert_eq!(plain, looked, "{body}\n{text}");
        assert!(text.contains(read), "{body}\n{text}");
    }
}

/// How many reads there will be is known before a table is fetched: by the rows' bounds, and by the conditions of the reads if they have some.
#[test]
fn reads_of_a_whole_table_are_counted_before() {
    let counts = |text: &str| [text.matches(".reads +=").count(), text.matches(".reads++").count()];
    let row = "for (i = 0; i < n; i++) { double s = 0; for (int k = w[i]; k < w[i + 1]; k++)";
    let promise = "\n#pragma fathom constant(w)\nfor (i = 0; i < n; i++)";
    for (body, expected) in [
        (format!("{row} s += a[w[k]]; y[i] = s; }}"), [1, 0]),
        (format!("{row} if (w[k] > 0) s += a[w[k]]; y[i] = s; }}"), [0, 1]),
        (format!("{row} {{ int e = w[k]; if (e < 0) continue; s += a[e]; }} y[i] = s; }}"), [0, 1]),
        (format!("{promise} x += a[w[i]];"), [0, 0]),
        (format!("{promise} if (w[i]) x += a[w[i]];"), [0, 1]),
    ] {
        let text = support::generated(&source(&body), FAR).unwrap_or_else(|said| panic!("{body}: {said}"));
        assert_eq!(counts(&text), expected, "{body}\n{text}");
    }
}
