//! Questions about subtrees: what they contain, what they assign.

use fathom_sema::{Sema, SymId};
use fathom_syntax::ast::*;

#[derive(Clone, Copy)]
pub(crate) enum Node {
    Expr(ExprId),
    Stmt(StmtId),
    Decl(DeclId),
    Init(InitId),
}

/// Calls `f` on every node of the subtree, parents first; operands of `sizeof` and the like are not visited.
pub(crate) fn visit(u: &Unit, root: Node, f: &mut impl FnMut(Node)) {
    let mut todo = vec![root];
    while let Some(n) = todo.pop() {
        f(n);
        let at = todo.len();
        children(u, n, &mut todo);
        todo[at..].reverse();
    }
}

fn children(u: &Unit, n: Node, out: &mut Vec<Node>) {
    use Node::*;
    match n {
        Expr(e) => match &u[e].kind {
            ExprKind::Paren(x) | ExprKind::Unary(_, x) | ExprKind::Member { base: x, .. } => out.push(Expr(*x)),
            ExprKind::Cast(_, x) | ExprKind::VaArg(x, _) | ExprKind::ConvertVector(x, _) => out.push(Expr(*x)),
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Comma(a, b) => {
                out.extend([Expr(*a), Expr(*b)]);
            }
            ExprKind::Call { callee, args } => {
                out.push(Expr(*callee));
                out.extend(args.iter().map(|a| Expr(*a)));
            }
            ExprKind::Cond(c, t, f) => {
                out.push(Expr(*c));
                out.extend(t.iter().map(|t| Expr(*t)));
                out.push(Expr(*f));
            }
            ExprKind::CompoundLit(_, i) => out.push(Init(*i)),
            ExprKind::Generic { assocs, .. } => out.extend(assocs.iter().map(|(_, e)| Expr(*e))),
            ExprKind::StmtExpr(s) => out.push(Stmt(*s)),
            ExprKind::ChooseExpr(_, a, b) => out.extend([Expr(*a), Expr(*b)]),
            _ => {}
        },
        Stmt(s) => match &u[s].kind {
            StmtKind::Expr(e)
            | StmtKind::Return(e)
            | StmtKind::Notify(e)
            | StmtKind::Wait(e)
            | StmtKind::Barrier(e) => {
                out.extend(e.iter().map(|e| Expr(*e)));
            }
            StmtKind::Compound(items) => {
                for i in items {
                    match i {
                        BlockItem::Stmt(s) => out.push(Stmt(*s)),
                        BlockItem::Decl(d) => out.push(Decl(*d)),
                        BlockItem::Fn(f) => out.push(Stmt(f.body)),
                        _ => {}
                    }
                }
            }
            StmtKind::If { cond, then, els } => {
                out.extend([Expr(*cond), Stmt(*then)]);
                out.extend(els.iter().map(|s| Stmt(*s)));
            }
            StmtKind::Switch { cond, body } | StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                out.extend([Expr(*cond), Stmt(*body)]);
            }
            StmtKind::For { init, cond, step, body } | StmtKind::Forall { init, cond, step, body, .. } => {
                match init {
                    ForInit::Expr(e) => out.push(Expr(*e)),
                    ForInit::Decl(d) => out.push(Decl(*d)),
                    ForInit::None => {}
                }
                out.extend(cond.iter().chain(step).map(|e| Expr(*e)));
                if let StmtKind::Forall { affinity: Affinity::Expr(e), .. } = &u[s].kind {
                    out.push(Expr(*e));
                }
                out.push(Stmt(*body));
            }
            StmtKind::GotoComputed(e) => out.push(Expr(*e)),
            StmtKind::Label(_, s) | StmtKind::Default(s) | StmtKind::Case(_, _, s) => out.push(Stmt(*s)),
            StmtKind::Asm(es) => out.extend(es.iter().map(|e| Expr(*e))),
            StmtKind::Decl(d) => out.push(Decl(*d)),
            StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Break | StmtKind::Fence | StmtKind::Error => {}
        },
        Decl(d) => {
            for x in &u[d].declarators {
                for v in &u[x.declarator].derivs {
                    if let Deriv::Array { size: ArraySize::Expr(e), .. } = v {
                        out.push(Expr(*e));
                    }
                }
                out.extend(x.init.iter().map(|i| Init(*i)));
            }
        }
        Init(i) => match &u[i].kind {
            InitKind::Expr(e) => out.push(Expr(*e)),
            InitKind::List(items) => out.extend(items.iter().map(|i| Init(i.init))),
        },
    }
}

/// What the body of a loop may do, as far as its text says.
#[derive(Default)]
pub(crate) struct Effects {
    /// Variables assigned, stepped, or whose address is taken.
    pub assigned: Vec<SymId>,
    /// Calls of anything: it may change what is not local to the function, and may contain a `upc_forall`.
    pub calls: bool,
    /// Labels, static objects, nested functions, assembly: the text cannot be written twice.
    pub once_only: bool,
}

pub(crate) fn effects(u: &Unit, s: &Sema, root: Node) -> Effects {
    let mut fx = Effects::default();
    visit(u, root, &mut |n| match n {
        Node::Expr(e) => match &u[e].kind {
            ExprKind::Assign(_, l, _)
            | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec | UnOp::AddrOf, l) => {
                if let Some(sym) = variable(u, s, *l) {
                    fx.assigned.push(sym);
                }
            }
            ExprKind::Call { .. } => fx.calls = true,
            ExprKind::LabelAddr(_) => fx.once_only = true,
            _ => {}
        },
        Node::Stmt(st) => match &u[st].kind {
            StmtKind::Label(..) | StmtKind::Asm(_) | StmtKind::Goto(_) | StmtKind::GotoComputed(_) => {
                fx.once_only = true
            }
            StmtKind::Compound(items) => {
                fx.once_only |= items.iter().any(|i| matches!(i, BlockItem::Fn(_) | BlockItem::LocalLabels(..)));
            }
            // A barrier lets other threads write; what is loop-invariant in private memory stays so.
            _ => {}
        },
        Node::Decl(d) => {
            let is_static = |k: &Spec| {
                matches!(k.kind, SpecKind::Storage(Storage::Static | Storage::Extern | Storage::Typedef))
                    || matches!(k.kind, SpecKind::Record(_) | SpecKind::Enum(_))
            };
            fx.once_only |= u[d].specs.items.iter().any(is_static);
            for x in &u[d].declarators {
                fx.assigned.extend(s.declarator_sym[x.declarator.index()]);
            }
        }
        Node::Init(_) => {}
    });
    fx
}

/// The variable that an lvalue is (part of): `x`, `x.m`, `x[i]` of a private array.
pub(crate) fn variable(u: &Unit, s: &Sema, e: ExprId) -> Option<SymId> {
    match u[e].kind {
        ExprKind::Paren(x) => variable(u, s, x),
        ExprKind::Member { base, arrow: false, .. } => variable(u, s, base),
        ExprKind::Ident(_) => s.expr_sym[e.index()],
        _ => None,
    }
}
