//! Types of shared objects and of expressions on them, by clause of UPC 1.3.

use crate::common;
use common::*;
use fathom_sema::{Block, Len, SymKind, TyKind};

#[test]
fn c6_4_2_operators_give_the_type_of_the_pointer() {
    let d = "shared [4] int a[4 * THREADS], *p; shared int c[THREADS]; shared [] double *i; shared void *g;
             shared [2] int m[2 * THREADS][3]; int *shared q; shared int *shared r; int k;";
    for (e, t) in [
        ("a", "shared [4] int [4*THREADS]"),
        ("a[k]", "shared [4] int"),
        ("a + k", "shared [4] int *"),
        ("k + a", "shared [4] int *"),
        ("p - a", "long"),
        ("p == a", "int"),
        ("p += 2", "shared [4] int *"),
        ("p++", "shared [4] int *"),
        ("&a", "shared [4] int (*)[4*THREADS]"),
        ("&a[1]", "shared [4] int *"),
        ("m[1]", "shared [2] int [3]"),
        ("m + 1", "shared [2] int (*)[3]"),
        ("&m[1]", "shared [2] int (*)[3]"),
        ("*m[1]", "shared [2] int"),
        ("*i", "shared [] double"),
        ("i[2] + c[1]", "double"),
        ("c[1] = 3", "int"),
        ("c[1]++", "int"),
        ("-c[0]", "int"),
        ("q", "int *shared"),
        ("q + 1", "int *"),
        ("r", "shared int *shared"),
        ("*r", "shared int"),
        ("&r", "shared int *shared *"),
        ("k ? p : 0", "shared [4] int *"),
        ("k ? g : p", "shared void *"),
        ("(shared [] int *)p", "shared [] int *"),
        ("(int *)p", "int *"),
        ("(shared int)k", "int"),
        ("p, k", "int"),
        ("THREADS", "int"),
        ("MYTHREAD", "int"),
    ] {
        assert_eq!(ty_of(d, e), t, "{e}");
    }
}

#[test]
fn c6_4_4_members_of_shared_objects_have_indefinite_block_size() {
    let d = "struct s { int x; const double d[4]; struct { char c; } in; union { int u; }; shared [3] int *p; unsigned b : 3; };
             strict shared [4] struct s a[4 * THREADS]; shared struct s *q; struct s priv;";
    for (e, t) in [
        ("a[1].x", "shared [] strict int"),
        ("&q->x", "shared [] int *"),
        ("q->d", "shared [] const double [4]"),
        ("q->d + 1", "shared [] const double *"),
        ("q->in", "shared [] struct {...}"),
        ("&q->in.c", "shared [] char *"),
        ("&q->u", "shared [] int *"),
        ("q->p", "shared [3] int *shared []"),
        ("q->p[1]", "shared [3] int"),
        ("priv.p[1]", "shared [3] int"),
        ("priv.x", "int"),
        ("q->b + 1", "int"),
    ] {
        assert_eq!(ty_of(d, e), t, "{e}");
    }
}

#[test]
fn c6_4_1_sizeof_operators() {
    let d = "shared [4] int a[8 * THREADS]; shared [] double i[5]; shared int *p; shared [3] char m[2 * THREADS][6]; shared int s;";
    for (e, dynamic_value, static_value) in [
        ("sizeof a", None, Some(8 * 3 * 4)),
        ("sizeof i", Some(40), Some(40)),
        ("upc_localsizeof(a)", Some(32), Some(32)),
        ("upc_localsizeof(i)", Some(40), Some(40)),
        ("upc_localsizeof(m)", Some(12), Some(12)),
        ("upc_localsizeof(s)", Some(4), Some(4)),
        ("upc_blocksizeof(a)", Some(4), Some(4)),
        ("upc_blocksizeof(*p)", Some(1), Some(1)),
        ("upc_blocksizeof(i)", Some(0), Some(0)),
        ("upc_elemsizeof(m)", Some(1), Some(1)),
        ("upc_elemsizeof(shared [2] long [3])", Some(8), Some(8)),
        ("sizeof p", Some(8), Some(8)),
        ("sizeof(shared [4] int *)", Some(16), Some(16)),
        ("sizeof(shared void *)", Some(16), Some(16)),
        ("sizeof p[0]", Some(4), Some(4)),
    ] {
        assert_eq!(value_of_with(d, e, dynamic()), dynamic_value, "{e}");
        assert_eq!(value_of_with(d, e, threads(3)), static_value, "{e} with 3 threads");
    }
}

#[test]
fn c6_5_1_1_block_sizes_through_typedefs() {
    let d = "typedef shared [2] int T; T x; typedef int A[10]; shared [3] A t[3 * THREADS]; const T y = 1; typedef T *P; P p;
             typedef shared int S; strict S z; shared const volatile int w; typedef T V[2]; V *v; shared [B0] int b0[4]; "
        .replace("[B0]", "[0]");
    for (e, t) in [
        ("x", "shared [2] int"),
        ("t", "shared [3] int [3*THREADS][10]"),
        ("y", "shared [2] const int"),
        ("p", "shared [2] int *"),
        ("z", "shared strict int"),
        ("w", "shared const volatile int"),
        ("*v", "shared [2] int [2]"),
        ("b0", "shared [] int [4]"),
    ] {
        assert_eq!(ty_of(&d, e), t, "{e}");
    }
}

#[test]
fn c6_5_1_1_p16_computed_block_size() {
    let d = "shared [*] int a[10 * THREADS], m[THREADS][7], s; extern shared [*] char w[3][THREADS * 2];";
    for (e, t) in [
        ("a", "shared [10] int [10*THREADS]"),
        ("m", "shared [7] int [THREADS][7]"),
        ("s", "shared int"),
        ("w", "shared [6] char [3][2*THREADS]"),
    ] {
        assert_eq!(ty_of(d, e), t, "{e}");
    }
    let d = "shared [*] int a[10], b[] = {1, 2, 3, 4, 5}, c[3][3], z[1];";
    for (e, t) in [
        ("a", "shared [3] int [10]"),
        ("b", "shared [2] int [5]"),
        ("c", "shared [3] int [3][3]"),
        ("z", "shared int [1]"),
    ] {
        assert_eq!(ty_of_with(d, e, threads(4)), t, "{e}");
    }
}

#[test]
fn c6_5_2_1_sizes_that_are_multiples_of_threads() {
    for (size, n) in [("THREADS", 1), ("(THREADS)", 1), ("5*THREADS", 5), ("THREADS*(2*3)", 6), ("(4)*(THREADS)", 4)] {
        let (p, s, _) = typed(&format!("shared int a[{size}];"), "a", dynamic());
        let TyKind::Array(_, len) = *s.types.kind(symbol_ty(&s, &p, "a")) else { panic!() };
        assert_eq!(len, Len::Threads(n), "{size}");
    }
    let (p, s, d) = analyse("shared int a[2 * THREADS * 3];", dynamic());
    assert_eq!(
        *s.types.kind(symbol_ty(&s, &p, "a")),
        TyKind::Array(s.types.ultimate(symbol_ty(&s, &p, "a")), Len::Threads(6))
    );
    assert_eq!(d.len(), 1);
    assert_eq!(ty_of_with("shared int a[THREADS];", "a", threads(5)), "shared int [5]");
}

#[test]
fn c6_7_1_strict_and_relaxed_by_type_and_pragma() {
    let strict = |decls: &str, body: &str| {
        let (p, s, _) = analyse(&format!("{decls}\nvoid probe(void) {{ {body} }}"), dynamic());
        s.expr_strict[last_expr(&p).index()]
    };
    let d = "shared int x; strict shared int st; relaxed shared int re; shared int *p; strict shared int *sp; struct s { int m; }; strict shared struct s t;";
    assert!(!strict(d, "x;"));
    assert!(strict(d, "st;"));
    assert!(strict(d, "*sp;"));
    assert!(strict(d, "t.m;"));
    assert!(strict(d, "(sp[1]);"));
    let on = format!("{d}\n#pragma upc strict\n");
    assert!(strict(&on, "x;"));
    assert!(strict(&on, "*p;"));
    assert!(!strict(&on, "re;"));
    assert!(!strict(&format!("{on}#pragma upc relaxed\n"), "x;"));
    // Inside a block, until its end; then what was before.
    assert!(strict(d, "{\n#pragma upc strict\n x; }"));
    assert!(strict(d, "{\n#pragma upc strict\n { { x; } } }"));
    assert!(!strict(d, "{\n#pragma upc strict\n x; } x;"));
    assert!(!strict(&on, "{\n#pragma upc relaxed\n x; }"));
    assert!(strict(&on, "{\n#pragma upc relaxed\n x; } x;"));
    // A pragma in a function ends with it.
    assert!(!strict(&format!("{d} void g(void) {{\n#pragma upc strict\n x; }}"), "x;"));
}

#[test]
fn generic_selection_tells_block_sizes_apart() {
    let d = "shared int *c; shared [2] int *b; shared int x; int *l;";
    let generic =
        |e: &str| format!("_Generic({e}, shared int *: 1, shared [2] int *: 2, int *: 3, int: 4, default: 5)");
    for (e, v) in [("c", 1), ("b", 2), ("l", 3), ("x", 4), ("&x", 1), ("(shared [] int *)0", 5)] {
        assert_eq!(value_of(d, &generic(e)), Some(v), "{e}");
    }
}

#[test]
fn symbols_say_how_they_are_used() {
    let (p, s, _) = analyse(
        "shared int t; shared int d = 1; extern shared int e; static shared int i; int a[3], b[3], *q; shared int *z;
         void f(int n) { static shared int t; q = &n; a[1] = 2; q = b; { static shared int t; t = 1; } q = &*q; }",
        dynamic(),
    );
    let all = |name: &str| {
        let n = p.source.names.get(name).unwrap();
        s.symbols.iter().filter(|s| s.name == n && s.kind == SymKind::Object).cloned().collect::<Vec<_>>()
    };
    let one = |name: &str| all(name).remove(0);
    assert_eq!(all("t").iter().map(|s| s.serial).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(one("t").tentative && !one("t").defined && one("t").is_static && !one("t").local);
    assert!(all("t")[1].local && all("t")[1].is_static);
    assert!(one("d").defined && !one("d").tentative);
    assert!(!one("e").defined && !one("e").tentative);
    assert_eq!(one("i").linkage, fathom_sema::Linkage::Internal);
    assert!(one("n").address_taken && one("n").is_param && !one("a").address_taken && one("b").address_taken);
    assert!(!one("z").is_param && !s.types.is_shared(one("z").ty));
}

#[test]
fn redeclarations_make_the_composite_type() {
    let d = "extern shared [2] int a[]; shared [2] int a[2 * THREADS]; int f(); int f(shared int *p); extern shared [*] int w[]; shared [*] int w[4 * THREADS];";
    let (p, s, diags) = analyse(d, dynamic());
    assert!(diags.iter().all(|d| d.code == "U543"), "{diags:?}");
    assert_eq!(s.show(&p, symbol_ty(&s, &p, "a")), "shared [2] int [2*THREADS]");
    assert_eq!(s.show(&p, symbol_ty(&s, &p, "f")), "int (shared int *)");
    assert_eq!(s.types.shared(symbol_ty(&s, &p, "w")), Some(Block::Of(4)));
}

#[test]
fn initializers_name_the_type_of_their_subobject() {
    let (p, s, d) = analyse(
        "struct q { int a; double b[2]; }; shared struct q x[2 * THREADS] = {1, 2.0, 3.0, {4, {5, 6}}, [3].b[1] = 7};",
        dynamic(),
    );
    assert!(d.is_empty());
    let mut seen = vec![];
    for (i, init) in p.unit.inits.iter().enumerate() {
        seen.push((p.source.range_text(init.toks).to_string(), s.show(&p, s.init_ty[i])));
    }
    let of = |text: &str| seen.iter().find(|x| x.0 == text).unwrap().1.as_str();
    assert_eq!(of("1"), "shared [] int");
    assert_eq!(of("3.0"), "shared [] double");
    assert_eq!(of("{4, {5, 6}}"), "shared struct q");
    assert_eq!(of("{5, 6}"), "shared [] double [2]");
    assert_eq!(of("7"), "shared [] double");
}

#[test]
fn c_declarations_of_upc_types() {
    let d = "struct s { int x; }; typedef struct { int y; } T; enum { A } anon;
             shared int *p; shared [4] int *b; shared void *g; shared int **pp; shared int *arr[3]; int (*fp)(shared void *, int);
             const T *t; shared int *const cp = 0; shared struct s sh; shared int *f(shared [] T *, ...); int *restrict r; shared int *shared sp;
             strict shared int *(*ret(void))[2];";
    let (p, s, diags) = analyse(d, dynamic());
    assert!(diags.is_empty(), "{diags:?}");
    for (name, text) in [
        ("p", "fathom_ptr p"),
        ("b", "fathom_pptr b"),
        ("g", "fathom_pptr g"),
        ("pp", "fathom_ptr *pp"),
        ("arr", "fathom_ptr arr[3]"),
        ("fp", "int (*fp)(fathom_pptr, int)"),
        ("t", "const T *t"),
        ("cp", "const fathom_ptr cp"),
        ("sh", "struct s sh"),
        ("f", "fathom_ptr f(fathom_ptr, ...)"),
        ("r", "int *restrict r"),
        ("sp", "fathom_ptr sp"),
        ("ret", "fathom_ptr (*ret(void))[2]"),
        ("anon", "enum fathom_anon_0 anon"),
    ] {
        assert_eq!(s.c_type(&p, symbol_ty(&s, &p, name), name), text);
    }
    let t = symbol_ty(&s, &p, "pp");
    assert_eq!(s.c_type(&p, t, ""), "fathom_ptr *");
}
