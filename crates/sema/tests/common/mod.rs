//! Helpers: a UPC snippet in, types and diagnostic codes out.
#![allow(dead_code)]

use fathom_sema::{check, Sema, Ty};
use fathom_syntax::ast::{ExprId, StmtKind};
use fathom_syntax::{parse, Diag, Options, Parsed};

pub fn dynamic() -> Options {
    Options::default()
}
pub fn split_c() -> Options {
    Options { dialect: fathom_syntax::Dialect::SplitC, ..Options::default() }
}
pub fn threads(n: u32) -> Options {
    Options { threads: Some(n), ..Options::default() }
}

pub fn analyse(text: &str, options: Options) -> (Parsed, Sema, Vec<Diag>) {
    let p = parse(text.to_string(), options);
    assert!(p.diags.is_empty(), "syntax errors in {text}: {:#?}", p.diags);
    let (s, d) = check(&p, options);
    (p, s, d)
}

/// The codes of all diagnostics, sorted, joined by spaces.
pub fn codes_with(text: &str, options: Options) -> String {
    let (_, _, d) = analyse(text, options);
    let mut c: Vec<_> = d.iter().map(|d| d.code).collect();
    c.sort();
    c.join(" ")
}
pub fn codes(text: &str) -> String {
    codes_with(text, dynamic())
}
/// Codes of statements inside a function, after file-scope declarations.
pub fn body_codes(decls: &str, body: &str) -> String {
    codes(&format!("{decls}\nvoid probe(void) {{ {body} }}"))
}

/// The expression of the last expression statement of the unit.
pub fn last_expr(p: &Parsed) -> ExprId {
    let exprs = p.unit.stmts.iter().filter_map(|s| match s.kind {
        StmtKind::Expr(Some(e)) => Some((s.toks.lo, e)),
        _ => None,
    });
    exprs.max_by_key(|e| e.0).expect("no expression statement").1
}

pub fn typed(decls: &str, expr: &str, options: Options) -> (Parsed, Sema, ExprId) {
    let (p, s, d) = analyse(&format!("{decls}\nvoid probe(void) {{ {expr}; }}"), options);
    assert!(d.is_empty(), "{expr}: {d:#?}");
    let e = last_expr(&p);
    (p, s, e)
}

/// The type of an expression, before conversions, as a user would write it.
pub fn ty_of_with(decls: &str, expr: &str, options: Options) -> String {
    let (p, s, e) = typed(decls, expr, options);
    s.show(&p, s.ty(e))
}
pub fn ty_of(decls: &str, expr: &str) -> String {
    ty_of_with(decls, expr, dynamic())
}
/// The value of an integer constant expression.
pub fn value_of_with(decls: &str, expr: &str, options: Options) -> Option<i128> {
    let (p, s, e) = typed(decls, expr, options);
    s.const_int(&p, e)
}
pub fn value_of(decls: &str, expr: &str) -> Option<i128> {
    value_of_with(decls, expr, dynamic())
}
pub fn symbol_ty(s: &Sema, p: &Parsed, name: &str) -> Ty {
    let n = p.source.names.get(name).expect("no such name");
    s.symbols.iter().find(|s| s.name == n).expect("no such symbol").ty
}
