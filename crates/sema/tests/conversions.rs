//! What is recorded of every value: the conversions that its context demands (C11 6.3), and what it stands for.

use crate::common;
use common::*;
use fathom_sema::{Conversion, Sema};
use fathom_syntax::ast::ExprId;
use fathom_syntax::Parsed;

/// The conversions of the last expression of the statement that is spelled so: `lvalue int, arithmetic double`.
fn conversions_in(text: &str, spelled: &str) -> String {
    let (p, s, d) = analyse(text, dynamic());
    assert!(d.is_empty(), "{text}: {d:#?}");
    told(&p, &s, find(&p, spelled))
}

fn find(p: &Parsed, spelled: &str) -> ExprId {
    let mut all = (0..p.unit.exprs.len()).filter(|&i| p.source.range_text(p.unit.exprs[i].toks) == spelled);
    ExprId(all.next_back().unwrap_or_else(|| panic!("no `{spelled}`")) as u32)
}

fn told(p: &Parsed, s: &Sema, e: ExprId) -> String {
    let steps = s.conversions(e).map(|(c, t)| format!("{c:?} {}", s.show(p, t)));
    steps.collect::<Vec<_>>().join(", ")
}

const DECLS: &str = "char c; short h; int i; unsigned u; long l; float f; double d; _Bool b; int a[3]; int *p; void *v;
    struct S { unsigned w : 3; unsigned q : 32; long m : 20; int x; } r; enum E { A } e; int fn(int, double); int var(char *, ...);
    int old(); shared int *s; shared [4] int *s4; shared void *sv; shared const int *sc; shared int g; const int k;";

fn in_statement(statement: &str, spelled: &str) -> String {
    conversions_in(&format!("{DECLS}\nlong probe(void) {{ {statement} }}"), spelled)
}

#[test]
fn operands_convert_to_their_common_type() {
    for (statement, spelled, told) in [
        ("i + d;", "i", "Lvalue int, Arithmetic double"),
        ("i + d;", "d", "Lvalue double"),
        ("c + h;", "c", "Lvalue char, Arithmetic int"),
        ("i < u;", "i", "Lvalue int, Arithmetic unsigned int"),
        ("l == i;", "i", "Lvalue int, Arithmetic long"),
        ("h << l;", "h", "Lvalue short, Promotion int"),
        ("h << l;", "l", "Lvalue long"),
        ("-c;", "c", "Lvalue char, Promotion int"),
        ("~b;", "b", "Lvalue _Bool, Promotion int"),
        ("!c;", "c", "Lvalue char"),
        ("c && d;", "c", "Lvalue char"),
        ("1 ? c : d;", "c", "Lvalue char, Arithmetic double"),
        ("c ?: d;", "c", "Lvalue char, Arithmetic double"),
        ("r.w + 1;", "r.w", "Lvalue unsigned int, Arithmetic int"),
        ("r.q + 1;", "1", "Arithmetic unsigned int"),
        ("r.m + 1;", "r.m", "Lvalue long, Arithmetic int"),
        ("-(r.w);", "(r.w)", "Lvalue unsigned int, Promotion int"),
        ("e + 1;", "1", "Arithmetic unsigned int"),
        ("c += d;", "c", "Arithmetic double"),
        ("c <<= l;", "c", "Promotion int"),
        ("switch (c) default: ;", "c", "Lvalue char, Promotion int"),
        ("k + l;", "k", "Lvalue int, Arithmetic long"),
        ("3 + l;", "3", "Arithmetic long"),
        ("i, d;", "i", "Lvalue int"),
    ] {
        assert_eq!(in_statement(statement, spelled), told, "{statement}");
    }
}

#[test]
fn values_convert_to_the_type_that_takes_them() {
    for (statement, spelled, told) in [
        ("d = i;", "i", "Lvalue int, Assignment double"),
        ("d = i;", "d", ""),
        ("double t = i;", "i", "Lvalue int, Assignment double"),
        ("double t[2] = { c };", "c", "Lvalue char, Assignment double"),
        ("return i;", "i", "Lvalue int, Assignment long"),
        ("fn(d, i);", "d", "Lvalue double, Assignment int"),
        ("fn(d, i);", "fn", "Function int (*)(int, double)"),
        ("var(0, f);", "f", "Lvalue float, DefaultArgument double"),
        ("var(0, f);", "0", "NullPointer char *"),
        ("old(h);", "h", "Lvalue short, DefaultArgument int"),
        ("old(r.w);", "r.w", "Lvalue unsigned int, DefaultArgument int"),
        ("(char)d;", "d", "Lvalue double, Cast char"),
        ("(void)d;", "d", "Lvalue double, Cast void"),
        ("p = a;", "a", "Array int *"),
        ("v = a;", "a", "Array int *, Assignment void *"),
        ("p = 0;", "0", "NullPointer int *"),
        ("p = (void *)0;", "(void *)0", "NullPointer int *"),
        ("p == 0;", "0", "NullPointer int *"),
        ("p == v;", "p", "Lvalue int *, Pointer void *"),
        ("1 ? p : 0;", "0", "NullPointer int *"),
        ("1 ? v : p;", "p", "Lvalue int *, Pointer void *"),
        ("upc_barrier c;", "c", "Lvalue char, Assignment int"),
    ] {
        assert_eq!(in_statement(statement, spelled), told, "{statement}");
    }
}

#[test]
fn pointers_to_shared_convert_too() {
    for (statement, spelled, told) in [
        ("i = g;", "g", "Lvalue int"),
        ("d = g;", "g", "Lvalue int, Assignment double"),
        ("g = l;", "l", "Lvalue long, Assignment int"),
        ("sv = s4;", "s4", "Lvalue shared [4] int *, Assignment shared void *"),
        ("s = 0;", "0", "NullPointer shared int *"),
        ("s == 0;", "0", "NullPointer shared int *"),
        ("s4 != (void *)0;", "(void *)0", "NullPointer shared [4] int *"),
        ("(void *)0 == s4;", "(void *)0", "NullPointer shared [4] int *"),
        ("(void *)0 == s4;", "s4", "Lvalue shared [4] int *"),
        ("sv == s;", "s", "Lvalue shared int *, Pointer shared void *"),
        ("s == sv;", "s", "Lvalue shared int *, Pointer shared void *"),
        ("s - sc;", "sc", "Lvalue shared const int *, Pointer shared int *"),
        ("s + h;", "h", "Lvalue short"),
        ("(shared int *)s4;", "s4", "Lvalue shared [4] int *, Cast shared int *"),
        ("(int *)s;", "s", "Lvalue shared int *, Cast int *"),
        ("1 ? s : 0;", "0", "NullPointer shared int *"),
        ("1 ? sc : s;", "s", "Lvalue shared int *, Pointer shared const int *"),
        ("b = s;", "s", "Lvalue shared int *, Assignment _Bool"),
    ] {
        assert_eq!(in_statement(statement, spelled), told, "{statement}");
    }
}

#[test]
fn expressions_stand_for_what_is_inside() {
    for (written, inside) in [
        ("(i)", "i"),
        ("((i))", "i"),
        ("__extension__ (i)", "i"),
        ("_Generic(d, float: c, default: (r.w))", "r.w"),
        ("__builtin_choose_expr(0, c, (i))", "i"),
        ("(_Generic(d, double: (g)))", "g"),
        ("-i", "-i"),
    ] {
        let (p, s, e) = typed(DECLS, written, dynamic());
        assert_eq!(p.source.range_text(p.unit[s.stands_for(e)].toks), inside, "{written}");
        assert_eq!(s.ty(e), s.ty(s.stands_for(e)), "{written}");
        assert_eq!(s.bit_field(e).is_some(), inside == "r.w", "{written}");
        assert_eq!(s.designates_shared(e), inside == "g", "{written}");
    }
}

/// `used_ty` is where the last step leads.
#[test]
fn the_type_that_the_context_uses_is_that_after_all_steps() {
    let (p, s, _) = typed(DECLS, "c + d", dynamic());
    let e = find(&p, "c");
    assert_eq!(s.show(&p, s.ty(e)), "char");
    assert_eq!(s.show(&p, s.used_ty(e)), "double");
    assert_eq!(s.conversion(e).map(|c| c.0), Some(Conversion::Arithmetic));
}
