//! Statements, blocks, inline assembly, and what UPC adds.

use crate::common;
use common::{clean, found, parsed};
use fathom_syntax::ast::*;
use fathom_syntax::Parsed;

/// The text of a function's body must be clean; its items.
fn body(text: &str) -> (Parsed, Vec<String>) {
    let p = clean(&format!("void f(void) {{ {text} }}"));
    let Some(Item::Fn(f)) = p.unit.items.last() else { panic!() };
    let StmtKind::Compound(items) = &p.unit[f.body].kind else { panic!() };
    let v = items
        .iter()
        .map(|i| match i {
            BlockItem::Stmt(s) => p.source.range_text(p.unit[*s].toks).to_string(),
            BlockItem::Decl(d) => format!("decl {}", p.source.range_text(p.unit[*d].toks)),
            BlockItem::Fn(f) => format!("fn {}", p.source.range_text(f.toks)),
            BlockItem::Pragma(p, _) => format!("{p:?}"),
            BlockItem::LocalLabels(l, _) => format!("{} labels", l.len()),
            BlockItem::StaticAssert(..) => "assert".into(),
        })
        .collect();
    (p, v)
}

fn kinds(text: &str) -> Vec<String> {
    let (p, _) = body(text);
    let word = |k: &StmtKind| format!("{k:?}").split([' ', '(', '{']).next().unwrap_or("").to_string();
    p.unit.stmts.iter().map(|s| word(&s.kind)).collect()
}

#[test]
fn all_statements_of_c() {
    let text = "; { } if (a) b; else c; switch (a) { case 1: case 2 ... 5: x; default: break; } while (a) continue; \
        do x; while (y); for (;;) ; for (int i = 0; i < 3; i++) { } for (i = 0;;) break; goto l; l: return; return x + 1;";
    let (_, items) = body(text);
    assert_eq!(items.len(), 12);
    assert_eq!(items.join(" "), text.split_whitespace().collect::<Vec<_>>().join(" "));
    assert_eq!(kinds("l: m: x;"), ["Expr", "Label", "Label", "Compound"]);
    assert_eq!(kinds("if (a) if (b) c; else d;").len(), 5);
}

#[test]
fn else_if_chains_nest_to_the_right() {
    let (p, items) = body("if (a) x; else if (b) y; else z;");
    assert_eq!(items.len(), 1);
    let StmtKind::Compound(b) = &p.unit.stmts.last().unwrap().kind else { panic!() };
    let BlockItem::Stmt(s) = b[0] else { panic!() };
    let StmtKind::If { els: Some(e), .. } = p.unit[s].kind else { panic!() };
    assert_eq!(p.source.range_text(p.unit[e].toks), "if (b) y; else z;");
    assert!(matches!(p.unit[e].kind, StmtKind::If { els: Some(_), .. }));
}

#[test]
fn declarations_and_statements_mix() {
    let (_, items) = body("int x; x = 1; int y = x; typedef int T; T z; T: x; sizeof(T);");
    assert_eq!(
        items,
        ["decl int x;", "x = 1;", "decl int y = x;", "decl typedef int T;", "decl T z;", "T: x;", "sizeof(T);"]
    );
}

#[test]
fn gnu_statements() {
    body("__label__ a, b; a: b: goto *p; void *t[] = { &&a };");
    body("int g(int x) { return x; } g(1); auto int h(void); int h(void) { return 2; }");
    body("__attribute__((fallthrough)); l: __attribute__((unused)) x; l2: ; [[fallthrough]]; __attribute__((unused)) int y;");
    body("switch (1) { case 1: { } __attribute__((fallthrough)); case 2: int x; x = 1; default: }");
    body("x = ({ goto l; l: 3; }); __extension__ ({ 1; }); __extension__ int y; _Static_assert(1, \"\");");
    let (p, _) = body("asm(\"nop\"); asm volatile (\"a\" \"b\" : \"=r\"(x), [n] \"+m\"(*p) : \"r\"(1 + y) : \"memory\", \"cc\"); \
        __asm__ __volatile__ (\"x\" :: \"i\"(3)); asm goto (\"jmp %l0\" : : : : out, l2); asm inline (\"\" : : \"r\"(a)); out: ;");
    let operands: usize = p.unit.stmts.iter().map(|s| if let StmtKind::Asm(v) = &s.kind { v.len() } else { 0 }).sum();
    assert_eq!(operands, 5);
}

#[test]
fn synchronisation_statements() {
    // UPC 1.3, 6.6.1
    let (_, items) = body("upc_barrier; upc_barrier 3; upc_notify(x); upc_wait x + 1; upc_fence; upc_notify;upc_wait;");
    assert_eq!(items.len(), 7);
    assert_eq!(found("void f(void) { upc_fence 1; }"), "S0106");
    assert_eq!(found("void f(void) { upc_barrier\n x(); }"), "");
}

#[test]
fn upc_forall_heads() {
    // UPC 1.3, 6.6.2
    let affinity = |text: &str| {
        let (p, _) = body(text);
        p.unit
            .stmts
            .iter()
            .find_map(|s| match s.kind {
                StmtKind::Forall { affinity: Affinity::None, .. } => Some("none".to_string()),
                StmtKind::Forall { affinity: Affinity::Continue(r), .. } => Some(p.source.range_text(r).to_string()),
                StmtKind::Forall { affinity: Affinity::Expr(e), .. } => {
                    Some(p.source.range_text(p.unit[e].toks).to_string())
                }
                _ => None,
            })
            .unwrap()
    };
    assert_eq!(affinity("upc_forall (i = 0; i < n; i++; &a[i]) x;"), "&a[i]");
    assert_eq!(affinity("upc_forall (int i = 0, j; i < n; i++, j--; i) { }"), "i");
    assert_eq!(affinity("upc_forall (;;; continue) ;"), "continue");
    assert_eq!(affinity("upc_forall (;;;) ;"), "none");
    assert_eq!(affinity("upc_forall ((f(), i=0); (g(), i<10); (h(), i++); (1, i)) ;"), "(1, i)");
    let p = parsed("void f(void) { upc_forall (i = 0; i < 3; i++) x; y; }");
    assert_eq!(common::codes(&p).len(), 1);
    assert_eq!(p.diags[0].code, "S0109");
    assert!(p.diags[0].hint.is_some() && p.diags[0].clause.is_some());
    assert_eq!(found("void f(void) { for (i = 0; i < 3; i++; i) x; }"), "S0110");
    assert_eq!(found("void f(void) { upc_forall (i = 0; i < 3; i++; i; 3) x; y; }"), "S0107");
}

#[test]
fn pragmas_stand_where_the_language_has_them() {
    // UPC 1.3, 6.7.1 p4
    let p = clean("#pragma upc strict\nint x;\n#pragma upc relaxed\nvoid f(void) {\n#pragma upc strict\n#pragma upc relaxed\nint y; { \n#pragma upc strict\n x; } }\n#pragma upc strict\n");
    let at = |i: usize| matches!(p.unit.items[i], Item::Pragma(..));
    assert_eq!((0..p.unit.items.len()).map(at).collect::<Vec<_>>(), [true, false, true, false, true]);
    let (_, items) = body("\n#pragma upc strict\n x;");
    assert_eq!(items, ["Strict", "x;"]);
    clean("void f(void) { _Pragma(\"upc strict\") x; _Pragma(\"omp parallel\") y; }");
    let late = "void f(void) { x;\n#pragma upc strict\n y; }";
    assert_eq!(found(late), "WS0111");
    for text in [
        "int x =\n#pragma upc strict\n3;",
        "struct S { int x;\n#pragma upc strict\nint y; };",
        "int x[] = {\n#pragma upc strict\n1, \n#pragma upc strict\n };",
        "void f(void) { if (x)\n#pragma upc strict\n y; }",
        "void f(void) { if (x) y;\n#pragma upc strict\n else z; }",
        "void f(void) { for (;\n#pragma upc strict\n;) z; }",
        "enum {\n#pragma upc strict\nA };",
    ] {
        assert!(found(text).starts_with("WS0111"), "{text}: {}", found(text));
        assert!(!found(text).contains(" S"), "{text}: {}", found(text));
    }
    assert_eq!(found("#pragma upc fast\nint x;"), "S0005");
    assert_eq!(found("#pragma upc\nint x;"), "S0005");
    clean("#pragma upc_something\n#pragma GCC poison x\n#pragma\nint x;");
    clean("# pragma  upc   strict\nint x;");
}

#[test]
fn promises_stand_before_loops() {
    let of = |pragma: &str, text: &str| format!("void f(void) {{ x;\n#pragma {pragma}\n{text} }}");
    let known = ["independent", "unordered // really", "constant(a)", "constant ( s.a , p -> q )"];
    for pragma in known.map(|p| format!("fathom {p}")) {
        clean(&of(&pragma, "for (;;) a + s.a + p->q;"));
        clean(&of(&pragma, "upc_forall (;;; a) { s.a + p->q; }"));
        clean(&of(&format!("omp simd\n#pragma {pragma}\n#pragma fathom independent"), "while (a) s.a + p->q;"));
        clean(&format!("void f(void) {{ _Pragma(\"{pragma}\") do a + s.a + p->q; while (1); }}"));
        for text in ["y;", "{ for (;;) a + s.a + p->q; }", "", "int z;", "if (1) for (;;) y;"] {
            assert_eq!(found(&of(&pragma, text)), "WS0119", "{pragma}: {text}");
        }
        assert_eq!(found(&format!("#pragma {pragma}\nint x;")), "WS0119");
        let p = clean(&of(&pragma, "for (;;) a + s.a + p->q;"));
        assert!(!p.source.text.contains("pragma") && p.source.promises.len() == 1);
    }
    for pragma in ["fathom", "fathom fast", "fathom independent x", "fathom unordered(a)", "fathom constant"] {
        assert_eq!(found(&of(pragma, "for (;;) y;")), "S0011", "{pragma}");
    }
    for list in ["", "()", "(1)", "(a", "(a,)", "(a[1])", "(*a)", "(a) b", "(p->)"] {
        assert_eq!(found(&of(&format!("fathom constant{list}"), "for (;;) a;")), "S0011", "{list}");
    }
    assert_eq!(found(&of("fathom constant(a, b, p->q)", "for (;;) aa + b.a + p->qq;")), "WS0119 WS0119");
    // Of other compilers there are more, and in more places.
    for (pragma, n) in [("bupc ivdep", 1), ("pgas defer_sync", 1), ("bupc other", 0), ("pgas defer_sync x", 0)] {
        for text in ["y;", "for (;;) y;", "int z;"] {
            assert_eq!(clean(&of(pragma, text)).source.promises.len(), n, "{pragma}: {text}");
        }
    }
    clean("void f(void) { for (;;)\n#pragma pgas defer_sync\n y; if (x) y;\n#pragma pgas defer_sync\n else y; }");
}

#[test]
fn errors_in_statements_leave_the_rest_alone() {
    assert_eq!(found("void f(void) { x = 1\n y = 2; if (a { b; } c = ; d; }"), "S0106 S0107 S0102");
    assert_eq!(found("void f(void) { else x; }"), "S0114");
    assert_eq!(found("void f(void) { if (x) int y; }"), "S0115");
    assert_eq!(found("void f(void) { if (x) }"), "S0115");
    assert_eq!(found("void f(void) { do x; }"), "S0101");
    assert_eq!(found("void f(void) { return 1 }"), "S0106");
    assert_eq!(found("void f(void) { foo_t x; foo_t *y; }"), "S0104");
    assert_eq!(found("void f(void) { a b c; d; }"), "S0104 S0106");
    assert_eq!(found("void f(void) { case: x; goto ; break }"), "S0102 S0101 S0106");
    assert_eq!(found("void f(void) { while x; } int y;"), "S0101");
}

#[test]
fn missing_semicolons_point_after_the_last_token() {
    let p = parsed("void f(void)\n{\n    x = 1\n    y = 2;\n}\n");
    let d = &p.diags[0];
    assert_eq!((d.code, p.source.range_text(d.span), d.after), ("S0106", "1", true));
    assert_eq!(p.source.tok_place(d.span.lo).line, 3);
}
