//! Walking the tree: the direct children of a node, whatever it is, and whole subtrees.
//!
//! Specifiers, declarators, records and enumerations have no place of their own here: the expressions, type names and
//! so on inside them (array sizes, `typeof`, widths of bit-fields, attributes' arguments) are children of the
//! declaration, type name or function that they belong to. The parameters of a function definition count, and so do
//! those of a mere prototype.
//!
//! Children come in source order, but for attributes. [`walk`] does not recurse, so trees may have any height.

use crate::ast::*;

/// A node that stands directly below another.
#[derive(Clone, Copy, Debug)]
pub enum Child<'a> {
    Expr(ExprId),
    Stmt(StmtId),
    Decl(DeclId),
    TypeName(TypeNameId),
    Init(InitId),
    /// A function definition: a nested one, or an external one when a walk starts at it.
    Fn(&'a FnDef),
}

/// The direct children of any node.
pub fn walk_children<'a>(u: &'a Unit, node: Child<'a>, f: &mut impl FnMut(Child<'a>)) {
    match node {
        Child::Expr(e) => walk_expr_children(u, e, f),
        Child::Stmt(s) => walk_stmt_children(u, s, f),
        Child::Decl(d) => walk_decl_children(u, d, f),
        Child::TypeName(t) => walk_type_name_children(u, t, f),
        Child::Init(i) => walk_init_children(u, i, f),
        Child::Fn(d) => walk_fn_children(u, d, f),
    }
}

/// Visits `node` and everything below it, parents before children and in source order. Where `f` returns false,
/// what is below that node is left out.
pub fn walk<'a>(u: &'a Unit, node: Child<'a>, mut f: impl FnMut(Child<'a>) -> bool) {
    let mut todo = vec![node];
    while let Some(n) = todo.pop() {
        if !f(n) {
            continue;
        }
        let from = todo.len();
        walk_children(u, n, &mut |c| todo.push(c));
        todo[from..].reverse();
    }
}

pub fn walk_expr_children<'a>(u: &'a Unit, e: ExprId, f: &mut impl FnMut(Child<'a>)) {
    use Child::{Expr, Init, Stmt, TypeName};
    match &u[e].kind {
        ExprKind::Ident(_) | ExprKind::Threads | ExprKind::MyThread | ExprKind::LabelAddr(_) => {}
        ExprKind::Number | ExprKind::Char | ExprKind::Str | ExprKind::Error => {}
        ExprKind::Paren(a) | ExprKind::Unary(_, a) | ExprKind::SizeofExpr(_, a) => f(Expr(*a)),
        ExprKind::Member { base, .. } => f(Expr(*base)),
        ExprKind::Index(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Assign(_, a, b)
        | ExprKind::Split(_, a, b)
        | ExprKind::Comma(a, b) => {
            f(Expr(*a));
            f(Expr(*b));
        }
        ExprKind::Call { callee, args } => {
            f(Expr(*callee));
            args.iter().for_each(|&a| f(Expr(a)));
        }
        ExprKind::Cond(a, b, c) => {
            f(Expr(*a));
            b.iter().for_each(|&b| f(Expr(b)));
            f(Expr(*c));
        }
        ExprKind::Cast(t, a) => {
            f(TypeName(*t));
            f(Expr(*a));
        }
        ExprKind::CompoundLit(t, i) => {
            f(TypeName(*t));
            f(Init(*i));
        }
        ExprKind::SizeofType(_, t) => f(TypeName(*t)),
        ExprKind::Generic { control, assocs } => {
            f(Expr(*control));
            for (t, e) in assocs {
                t.iter().for_each(|&t| f(TypeName(t)));
                f(Expr(*e));
            }
        }
        ExprKind::StmtExpr(s) => f(Stmt(*s)),
        ExprKind::ConvertVector(a, t) if u[*t].toks.lo < u[*a].toks.lo => {
            f(TypeName(*t)); // `__builtin_bit_cast`
            f(Expr(*a));
        }
        ExprKind::VaArg(a, t) | ExprKind::ConvertVector(a, t) => {
            f(Expr(*a));
            f(TypeName(*t));
        }
        ExprKind::Offsetof(t, path) => {
            f(TypeName(*t));
            walk_designators(path, f);
        }
        ExprKind::TypesCompatible(a, b) => {
            f(TypeName(*a));
            f(TypeName(*b));
        }
        ExprKind::ChooseExpr(a, b, c) => {
            f(Expr(*a));
            f(Expr(*b));
            f(Expr(*c));
        }
    }
}

pub fn walk_stmt_children<'a>(u: &'a Unit, s: StmtId, f: &mut impl FnMut(Child<'a>)) {
    use Child::{Expr, Stmt};
    match &u[s].kind {
        StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Break | StmtKind::Fence | StmtKind::Error => {}
        StmtKind::Expr(e) | StmtKind::Return(e) | StmtKind::Notify(e) | StmtKind::Wait(e) | StmtKind::Barrier(e) => {
            e.iter().for_each(|&e| f(Expr(e)))
        }
        StmtKind::GotoComputed(e) => f(Expr(*e)),
        StmtKind::Asm(operands) => operands.iter().for_each(|o| f(Expr(o.expr))),
        StmtKind::Decl(d) => f(Child::Decl(*d)),
        StmtKind::Compound(items) => items.iter().for_each(|i| walk_block_item(i, f)),
        StmtKind::If { cond, then, els } => {
            f(Expr(*cond));
            f(Stmt(*then));
            els.iter().for_each(|&s| f(Stmt(s)));
        }
        StmtKind::Switch { cond, body } | StmtKind::While { cond, body } => {
            f(Expr(*cond));
            f(Stmt(*body));
        }
        StmtKind::DoWhile { body, cond } => {
            f(Stmt(*body));
            f(Expr(*cond));
        }
        StmtKind::For { init, cond, step, body } => {
            walk_loop_head(init, *cond, *step, f);
            f(Stmt(*body));
        }
        StmtKind::Forall { init, cond, step, affinity, body } => {
            walk_loop_head(init, *cond, *step, f);
            if let Affinity::Expr(e) = affinity {
                f(Expr(*e));
            }
            f(Stmt(*body));
        }
        StmtKind::Label(_, s) | StmtKind::Default(s) => f(Stmt(*s)),
        StmtKind::Case(a, b, s) => {
            f(Expr(*a));
            b.iter().for_each(|&b| f(Expr(b)));
            f(Stmt(*s));
        }
    }
}

fn walk_loop_head<'a>(init: &ForInit, cond: Option<ExprId>, step: Option<ExprId>, f: &mut impl FnMut(Child<'a>)) {
    match init {
        ForInit::None => {}
        ForInit::Expr(e) => f(Child::Expr(*e)),
        ForInit::Decl(d) => f(Child::Decl(*d)),
    }
    cond.iter().chain(step.iter()).for_each(|&e| f(Child::Expr(e)));
}

fn walk_block_item<'a>(item: &'a BlockItem, f: &mut impl FnMut(Child<'a>)) {
    match item {
        BlockItem::Stmt(s) => f(Child::Stmt(*s)),
        BlockItem::Decl(d) => f(Child::Decl(*d)),
        BlockItem::Fn(d) => f(Child::Fn(d)),
        BlockItem::StaticAssert(e, _) => f(Child::Expr(*e)),
        BlockItem::Pragma(..) | BlockItem::LocalLabels(..) => {}
    }
}

/// The child of an external declaration, if it has one.
pub fn walk_item<'a>(item: &'a Item, f: &mut impl FnMut(Child<'a>)) {
    match item {
        Item::Fn(d) => f(Child::Fn(d)),
        Item::Decl(d) => f(Child::Decl(*d)),
        Item::StaticAssert(e, _) => f(Child::Expr(*e)),
        Item::Pragma(..) | Item::Asm(_) | Item::Empty(_) | Item::Error(_) => {}
    }
}

pub fn walk_fn_children<'a>(u: &'a Unit, d: &'a FnDef, f: &mut impl FnMut(Child<'a>)) {
    walk_specs(u, &d.specs.items, f);
    walk_declarator(u, d.declarator, f);
    d.kr_decls.iter().for_each(|&k| f(Child::Decl(k)));
    f(Child::Stmt(d.body));
}

pub fn walk_decl_children<'a>(u: &'a Unit, d: DeclId, f: &mut impl FnMut(Child<'a>)) {
    let d = &u[d];
    walk_specs(u, &d.specs.items, f);
    for i in &d.declarators {
        walk_declarator(u, i.declarator, f);
        walk_attrs(&i.attrs, f);
        i.init.iter().for_each(|&i| f(Child::Init(i)));
    }
}

pub fn walk_type_name_children<'a>(u: &'a Unit, t: TypeNameId, f: &mut impl FnMut(Child<'a>)) {
    walk_specs(u, &u[t].specs.items, f);
    walk_declarator(u, u[t].declarator, f);
}

pub fn walk_init_children<'a>(u: &'a Unit, i: InitId, f: &mut impl FnMut(Child<'a>)) {
    match &u[i].kind {
        InitKind::Expr(e) => f(Child::Expr(*e)),
        InitKind::List(items) => {
            for i in items {
                walk_designators(&i.designators, f);
                f(Child::Init(i.init));
            }
        }
    }
}

fn walk_designators<'a>(v: &[Designator], f: &mut impl FnMut(Child<'a>)) {
    for d in v {
        match d {
            Designator::Field(_) => {}
            Designator::Index(e) => f(Child::Expr(*e)),
            Designator::Range(a, b) => {
                f(Child::Expr(*a));
                f(Child::Expr(*b));
            }
        }
    }
}

fn walk_attrs<'a>(attrs: &[Attr], f: &mut impl FnMut(Child<'a>)) {
    attrs.iter().flat_map(|a| &a.args).for_each(|&e| f(Child::Expr(e)));
}

/// What stands in specifiers or in a list of qualifiers.
pub fn walk_specs<'a>(u: &'a Unit, specs: &'a [Spec], f: &mut impl FnMut(Child<'a>)) {
    for s in specs {
        match &s.kind {
            SpecKind::TypeofExpr(e) | SpecKind::AlignasExpr(e) | SpecKind::Shared(Layout::Expr(e)) => {
                f(Child::Expr(*e))
            }
            SpecKind::TypeofType(t) | SpecKind::AtomicType(t) | SpecKind::AlignasType(t) => f(Child::TypeName(*t)),
            SpecKind::Attr(attrs) => walk_attrs(attrs, f),
            SpecKind::Record(r) => walk_record(u, *r, f),
            SpecKind::Enum(e) => {
                for e in u[*e].enumerators.iter().flatten() {
                    e.value.iter().for_each(|&e| f(Child::Expr(e)));
                }
                walk_attrs(&u[*e].attrs, f);
            }
            SpecKind::Storage(_) | SpecKind::Type(_) | SpecKind::TypedefName(_) | SpecKind::Qual(_) => {}
            SpecKind::Shared(_) | SpecKind::Inline | SpecKind::Noreturn | SpecKind::Extension => {}
        }
    }
}

fn walk_record<'a>(u: &'a Unit, r: RecordSpecId, f: &mut impl FnMut(Child<'a>)) {
    for m in u[r].members.iter().flatten() {
        match m {
            Member::Field(d) => {
                walk_specs(u, &d.specs.items, f);
                for d in &d.declarators {
                    walk_declarator(u, d.declarator, f);
                    d.width.iter().for_each(|&e| f(Child::Expr(e)));
                    walk_attrs(&d.attrs, f);
                }
            }
            Member::StaticAssert(e, _) => f(Child::Expr(*e)),
            Member::Empty(_) => {}
        }
    }
    walk_attrs(&u[r].attrs, f);
}

/// What stands in a declarator: array sizes, qualifiers, parameters.
pub fn walk_declarator<'a>(u: &'a Unit, d: DeclaratorId, f: &mut impl FnMut(Child<'a>)) {
    for d in &u[d].derivs {
        match d {
            Deriv::Pointer { quals, .. } => walk_specs(u, quals, f),
            Deriv::Array { quals, size, .. } => {
                walk_specs(u, quals, f);
                if let ArraySize::Expr(e) = size {
                    f(Child::Expr(*e));
                }
            }
            Deriv::Function { params: Params::Proto { params, .. }, .. } => {
                for p in params {
                    walk_specs(u, &p.specs.items, f);
                    walk_declarator(u, p.declarator, f);
                    walk_attrs(&p.attrs, f);
                }
            }
            Deriv::Spread { .. } | Deriv::Function { .. } => {}
        }
    }
}
