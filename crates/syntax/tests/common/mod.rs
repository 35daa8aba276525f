//! Shorthand for the tests: parse, verify, print trees compactly.
#![allow(dead_code)]

use fathom_syntax::ast::*;
use fathom_syntax::verify::verify;
use fathom_syntax::{parse, Options, Parsed, Severity};

/// Parses and verifies.
pub fn parsed(text: &str) -> Parsed {
    let p = parse(text.to_string(), Options::default());
    if let Err(e) = verify(&p) {
        panic!("{e}\nin: {}", &text[..text.len().min(2000)]);
    }
    p
}

/// Parses and verifies Split-C.
pub fn parsed_split_c(text: &str) -> Parsed {
    let p = parse(text.to_string(), Options { dialect: fathom_syntax::Dialect::SplitC, ..Options::default() });
    if let Err(e) = verify(&p) {
        panic!("{e}\nin: {}", &text[..text.len().min(2000)]);
    }
    p
}

/// Parses what must give no findings at all.
pub fn clean(text: &str) -> Parsed {
    let p = parsed(text);
    assert!(p.diags.is_empty(), "{:?}\nin: {text}", codes(&p));
    p
}

/// `S0106: message`, in order.
pub fn codes(p: &Parsed) -> Vec<String> {
    p.diags.iter().map(|d| format!("{}: {}", d.code, d.message)).collect()
}

/// The codes of all findings, warnings with a `W` before.
pub fn found(text: &str) -> String {
    let p = parsed(text);
    let v: Vec<String> = p
        .diags
        .iter()
        .map(|d| format!("{}{}", if d.severity == Severity::Warning { "W" } else { "" }, d.code))
        .collect();
    v.join(" ")
}

/// The tree of `e` in `int x = e;` after the declarations `before`.
pub fn expr_after(before: &str, e: &str) -> String {
    show_last(&clean(&format!("{before}\nvoid f(void) {{ {e}; }}")))
}

/// The tree of the last statement, an expression, of the function that ends the unit.
pub fn show_last(p: &Parsed) -> String {
    let Some(Item::Fn(f)) = p.unit.items.last() else { panic!("no function") };
    let StmtKind::Compound(items) = &p.unit[f.body].kind else { panic!("no body") };
    let Some(BlockItem::Stmt(s)) = items.last() else { panic!("no statement: {items:?}") };
    let StmtKind::Expr(Some(x)) = p.unit[*s].kind else { panic!("no expression") };
    show(p, x)
}

pub fn expr(e: &str) -> String {
    expr_after("", e)
}

/// An expression as nested lists.
pub fn show(p: &Parsed, e: ExprId) -> String {
    let u = &p.unit;
    let s = |e: ExprId| show(p, e);
    let n = |n| p.source.name(n).to_string();
    match &u[e].kind {
        ExprKind::Ident(_) | ExprKind::Number | ExprKind::Char | ExprKind::Str => p.source.range_text(u[e].toks).into(),
        ExprKind::Threads => "THREADS".into(),
        ExprKind::MyThread => "MYTHREAD".into(),
        ExprKind::Paren(a) => format!("({})", s(*a)),
        ExprKind::Index(a, b) => format!("[index {} {}]", s(*a), s(*b)),
        ExprKind::Call { callee, args } => {
            let args: Vec<String> = args.iter().map(|&a| format!(" {}", s(a))).collect();
            format!("[call {}{}]", s(*callee), args.concat())
        }
        ExprKind::Member { base, name, arrow } => {
            format!("[{} {} {}]", if *arrow { "->" } else { "." }, s(*base), n(*name))
        }
        ExprKind::Unary(op, a) => format!("[{op:?} {}]", s(*a)),
        ExprKind::Binary(op, a, b) => format!("[{op:?} {} {}]", s(*a), s(*b)),
        ExprKind::Split(op, a, b) => format!("[{op:?} {} {}]", s(*a), s(*b)),
        ExprKind::Assign(None, a, b) => format!("[= {} {}]", s(*a), s(*b)),
        ExprKind::Assign(Some(op), a, b) => format!("[{op:?}= {} {}]", s(*a), s(*b)),
        ExprKind::Cond(a, b, c) => {
            format!("[? {} {} {}]", s(*a), b.map_or("-".into(), s), s(*c))
        }
        ExprKind::Comma(a, b) => format!("[, {} {}]", s(*a), s(*b)),
        ExprKind::Cast(t, a) => format!("[cast <{}> {}]", type_name(p, *t), s(*a)),
        ExprKind::CompoundLit(t, i) => format!("[lit <{}> {}]", type_name(p, *t), init(p, *i)),
        ExprKind::SizeofExpr(k, a) => format!("[{k:?} {}]", s(*a)),
        ExprKind::SizeofType(k, t) => format!("[{k:?} <{}>]", type_name(p, *t)),
        ExprKind::Generic { control, assocs } => {
            let a: Vec<String> = assocs
                .iter()
                .map(|(t, e)| format!(" {}: {}", t.map_or("default".into(), |t| type_name(p, t)), s(*e)))
                .collect();
            format!("[generic {}{}]", s(*control), a.concat())
        }
        ExprKind::StmtExpr(b) => format!("[stmts {}]", p.source.range_text(u[*b].toks)),
        ExprKind::LabelAddr(l) => format!("[&& {}]", n(*l)),
        ExprKind::VaArg(a, t) => format!("[va_arg {} <{}>]", s(*a), type_name(p, *t)),
        ExprKind::Offsetof(t, path) => format!("[offsetof <{}>{}]", type_name(p, *t), designators(p, path)),
        ExprKind::TypesCompatible(a, b) => format!("[compatible <{}> <{}>]", type_name(p, *a), type_name(p, *b)),
        ExprKind::ChooseExpr(a, b, c) => format!("[choose {} {} {}]", s(*a), s(*b), s(*c)),
        ExprKind::ConvertVector(a, t) => format!("[convert {} <{}>]", s(*a), type_name(p, *t)),
        ExprKind::Error => "[error]".into(),
    }
}

pub fn designators(p: &Parsed, v: &[Designator]) -> String {
    let one = |d: &Designator| match d {
        Designator::Field(f) => format!(" .{}", p.source.name(*f)),
        Designator::Index(e) => format!(" [{}]", show(p, *e)),
        Designator::Range(a, b) => format!(" [{} ... {}]", show(p, *a), show(p, *b)),
    };
    v.iter().map(one).collect()
}

pub fn init(p: &Parsed, i: InitId) -> String {
    match &p.unit[i].kind {
        InitKind::Expr(e) => show(p, *e),
        InitKind::List(items) => {
            let items: Vec<String> = items
                .iter()
                .map(|i| {
                    let d = designators(p, &i.designators);
                    let d = if d.is_empty() { d } else { format!("{} = ", d.trim_start()) };
                    format!("{d}{}", init(p, i.init))
                })
                .collect();
            format!("{{{}}}", items.join(", "))
        }
    }
}

/// In words: `pointer to array(3) of int`.
pub fn type_name(p: &Parsed, t: TypeNameId) -> String {
    let t = &p.unit[t];
    describe(p, &t.specs, t.declarator)
}

pub fn describe(p: &Parsed, specs: &DeclSpecs, d: DeclaratorId) -> String {
    let mut s = String::new();
    for d in &p.unit[d].derivs {
        match d {
            Deriv::Pointer { quals, .. } => {
                quals.iter().for_each(|q| s += &format!("{} ", p.source.range_text(q.toks)));
                s += "pointer to ";
            }
            Deriv::Array { quals, is_static, size, .. } => {
                let q: Vec<&str> = quals.iter().map(|q| p.source.range_text(q.toks)).collect();
                let st = if *is_static { "static " } else { "" };
                let n = match size {
                    ArraySize::None => String::new(),
                    ArraySize::Star => "*".into(),
                    ArraySize::Expr(e) => show(p, *e),
                };
                s += &format!("array({st}{}{}{n}) of ", q.join(" "), if q.is_empty() { "" } else { " " });
            }
            Deriv::Spread { .. } => s += "spread of ",
            Deriv::Function { params, .. } => {
                let ps = match params {
                    Params::Empty => String::new(),
                    Params::Kr(names) => names.iter().map(|n| p.source.name(n.0)).collect::<Vec<_>>().join(", "),
                    Params::Proto { params, variadic } => {
                        let mut v: Vec<String> = params.iter().map(|q| describe(p, &q.specs, q.declarator)).collect();
                        if *variadic {
                            v.push("...".into());
                        }
                        if v.is_empty() {
                            v.push("void".into());
                        }
                        v.join(", ")
                    }
                };
                s += &format!("function({ps}) returning ");
            }
        }
    }
    let specs: Vec<&str> = specs.items.iter().map(|i| p.source.range_text(i.toks)).collect();
    s + &specs.join(" ")
}

/// Every declarator of the unit's external declarations: `name: type in words`.
pub fn declared(p: &Parsed) -> Vec<String> {
    let mut v = vec![];
    for i in &p.unit.items {
        let mut add = |specs: &DeclSpecs, d: DeclaratorId| {
            let name = p.unit[d].name.map_or("?", |n| p.source.name(n.0));
            v.push(format!("{name}: {}", describe(p, specs, d)));
        };
        match i {
            Item::Decl(d) => p.unit[*d].declarators.iter().for_each(|i| add(&p.unit[*d].specs, i.declarator)),
            Item::Fn(f) => add(&f.specs, f.declarator),
            _ => {}
        }
    }
    v
}

/// The only declaration of `text`, which must be clean.
pub fn one(text: &str) -> String {
    declared(&clean(text)).pop().unwrap_or_default()
}
