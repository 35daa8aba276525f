//! Programs whose operations are counted: what is charged, and where.

use crate::support;
use fathom_lower::plan::work::CLASSES;
use fathom_lower::Options;

fn counted(source: &str) -> String {
    let options = Options { direct: false, explain: false, count: true, strips: false, check: false, hiding: &[] };
    support::generated(&format!("{source}\n"), options).unwrap_or_else(|said| panic!("{source}: {said}"))
}

/// The charges in the order of the text: `2 integer, 1 load`, and `tick` for those of loops that may wait.
fn charges(source: &str) -> Vec<String> {
    let c = counted(source);
    let of = |name: &str| {
        let table = c.split(&format!("{name} = fathom_work_cost((const unsigned[]){{")).nth(1).expect("its counts");
        let counts = table.split('}').next().unwrap().split(", ").map(|n| n.parse::<u32>().unwrap());
        let named = CLASSES.iter().zip(counts).filter(|(_, n)| *n > 0).map(|(class, n)| format!("{n} {class}"));
        named.collect::<Vec<_>>().join(", ")
    };
    let found = c.match_indices("fathom_work += ").map(|(at, what)| {
        let name: String = c[at + what.len()..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let ticks = c[at + what.len() + name.len()..].starts_with(") > fathom_work_limit");
        format!("{}{}", of(&name), if ticks { ", tick" } else { "" })
    });
    found.collect()
}

#[test]
fn operations_are_counted_by_class() {
    for (statement, counts) in [
        ("i = j;", ""),
        ("i = j + k * 3;", "1 integer, 1 multiply"),
        ("i = j * 8 + 2 * 3;", "2 integer"),
        ("i = j / k + j % 16;", "2 integer, 1 divide"),
        ("i = j / 10;", "1 multiply"),
        ("x = y * z + 1.0;", "2 float"),
        ("x = y / z;", "1 float_divide"),
        ("x = sqrt(y);", "1 float_divide"),
        ("x = i;", "1 float"),
        ("x = (double)i * y;", "2 float"),
        ("x = a[i];", "1 integer, 1 load"),
        ("x = a[3];", "1 load"),
        ("a[i + 1] = x;", "1 integer, 1 store"),
        ("a[i] += x;", "1 integer, 1 float, 1 load, 1 store"),
        ("g++;", "1 integer, 1 load, 1 store"),
        ("r = *p;", "3 load"),
        ("i = p->n;", "1 load"),
        ("i = r.n;", ""),
        ("x = i ? y * z : y;", "1 float, 1 branch"),
        ("i = j && k;", "1 branch"),
        ("i = sizeof(a[j + k]);", ""),
        ("f(i + j, x);", "1 integer, 1 call"),
        ("x = in(y);", ""),
        ("x = s[i];", "1 integer, 1 load, 1 shared"),
        ("s[MYTHREAD] = x;", "1 integer, 1 store, 1 shared"),
        ("q = q + i;", "1 shared"),
        // What has been computed from registers is there, until one of them changes.
        ("i = (j + k) * (j + k);", "1 integer, 1 multiply"),
        ("i = j + k; k = j + k;", "1 integer"),
        ("i = j + k; j = 1; k = j + k;", "2 integer"),
    ] {
        let found = charges(&format!(
            "double sqrt(double); struct rec {{ int n; double v[2]; }}; double a[9]; int g; void f(int, double);\n\
             static inline double in(double v) {{ return v; }}\n\
             shared double s[THREADS];\n\
             void t(int i, int j, int k, double x, double y, double z, struct rec r, struct rec *p, shared double *q) {{\n\
             {statement} }}"
        ));
        assert_eq!(found.join("; "), counts, "{statement}");
    }
}

#[test]
fn each_block_is_charged_where_it_is_performed() {
    for (body, expected) in [
        ("if (i) x = y; else a[0] = y;", &["1 branch", "1 store"][..]),
        // What follows a way out is performed only without it.
        ("if (i) return; a[0] = y;", &["1 branch", "1 store"]),
        ("if (i) { a[0] = x; return; } a[1] = y; a[2] = y;", &["1 branch", "1 store", "2 store"]),
        ("{ a[0] = y; { a[1] = x; } } a[2] = y;", &["3 store"]),
        (
            "switch (i) { case 1: a[0] = x; case 2: a[0] = y; a[1] = y; break; default: g = 1; }",
            &["1 integer, 1 branch", "1 store", "2 store", "1 store"],
        ),
        // A loop's head is performed once more than its body.
        ("for (i = 0; i < j; i++) a[i] = x;", &["1 integer, 1 branch", "3 integer, 1 store, 1 branch"]),
        ("while (i < j) i++;", &["1 integer, 1 branch", "2 integer, 1 branch, tick"]),
        ("do a[i] = x; while (i++ < j);", &["3 integer, 1 store, 1 branch, tick"]),
        ("for (;;) { if (g) break; }", &["1 branch", "1 load, 2 branch, tick"]),
        ("for (i = 0; i + 4 <= j; i += 4, k++) g = i;", &["2 integer, 1 branch", "4 integer, 1 store, 1 branch"]),
        ("for (i = 0; k + 4 <= j; i += 4) g = i;", &["2 integer, 1 branch", "1 integer, 1 store, 1 branch, tick"]),
        ("for (i = j; i; i >>= 1) g = i;", &["1 branch", "1 integer, 1 store, 1 branch"]),
        ("again: a[0] = x; if (g) goto again;", &["1 load, 1 store, 1 branch, tick", "1 branch"]),
        // What a loop does not change is computed before it, and before all loops around it.
        (
            "for (i = 0; i < j; i++) a[i] = j * k;",
            &["1 integer, 1 multiply, 1 branch", "3 integer, 1 float, 1 store, 1 branch"],
        ),
        (
            "for (i = 0; i < j; i++) for (int l = 0; l < j; l++) a[l] = a[i * 9 + l] + a[j * k];",
            &[
                "1 integer, 1 multiply, 1 branch",
                "3 integer, 1 multiply, 2 branch",
                "6 integer, 1 float, 2 load, 1 store, 1 branch",
            ],
        ),
        (
            "x = ({ int n = i + j; for (i = 0; i < n; i++) g++; n; });",
            &["2 integer, 1 float, 1 branch", "3 integer, 1 load, 1 store, 1 branch"],
        ),
    ] {
        let c = format!("double a[9]; volatile int g; void t(int i, int j, int k, double x, double y) {{ {body} }}");
        assert_eq!(charges(&c), expected, "{body}\n{}", counted(&c));
    }
}

/// Nothing comes between a pragma and the loop, or the loops, of which it speaks.
#[test]
fn pragmas_keep_their_loops() {
    let c = counted(
        "void t(double *a, int n) {\n#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++)\nfor (int j = 0; j \
         < n; j++) a[i * n + j] = 0;\nif (n)\n#pragma omp atomic\na[0] += 1; }",
    );
    let text: String = c.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("collapse(2) for (int i = 0; i < n; i++) for (int j = 0;"), "{text}");
    assert!(text.contains("omp atomic a[0] += 1;"), "{text}");
}

#[test]
fn functions_of_the_runtime_and_of_system_headers_are_not_counted() {
    let c = charges(
        "# 1 \"/usr/include/x.h\" 1 3\nstatic inline int there(int a, int b) { return a * b; }\n# 2 \"t.upc\" 2\n\
         static inline int fathom_own(int a) { return a * a; } int here(int a) { return there(a, fathom_own(a)) + 1; }",
    );
    assert_eq!(c, ["1 integer"]);
}

#[test]
fn the_runtime_knows_the_same_classes() {
    let header = include_str!("../../../runtime/conduit/work.h");
    let classes = header.split("enum fathom_work_class {").nth(1).unwrap().split("};").next().unwrap();
    let names: Vec<String> = classes.split(',').map(|name| name.trim().to_lowercase()).collect();
    let ours: Vec<String> = CLASSES.iter().chain([&"classes"]).map(|name| format!("fathom_work_{name}")).collect();
    assert_eq!(names, ours);
}
