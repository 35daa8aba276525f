//! Questions about subtrees: what they contain, what they assign.

use fathom_sema::{Sema, SymId};
use fathom_syntax::ast::*;
use fathom_syntax::visit::{walk, Child};

/// Calls `f` on every node of the subtree, parents first, but not on the operands of `sizeof` and its like.
pub(crate) fn visit<'a>(u: &'a Unit, root: Child<'a>, mut f: impl FnMut(Child<'a>)) {
    walk(u, root, |n| {
        f(n);
        !matches!(n, Child::Expr(e) if matches!(u[e].kind, ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..)))
    });
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

pub(crate) fn effects(u: &Unit, s: &Sema, root: Child) -> Effects {
    let mut fx = Effects::default();
    visit(u, root, |n| match n {
        Child::Expr(e) => match &u[e].kind {
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
        Child::Stmt(st) => match &u[st].kind {
            StmtKind::Label(..) | StmtKind::Asm(_) | StmtKind::Goto(_) | StmtKind::GotoComputed(_) => {
                fx.once_only = true
            }
            StmtKind::Compound(items) => {
                fx.once_only |= items.iter().any(|i| matches!(i, BlockItem::Fn(_) | BlockItem::LocalLabels(..)));
            }
            // A barrier lets other threads write; what is loop-invariant in private memory stays so.
            _ => {}
        },
        Child::Decl(d) => {
            let is_static = |k: &Spec| {
                matches!(k.kind, SpecKind::Storage(Storage::Static | Storage::Extern | Storage::Typedef))
                    || matches!(k.kind, SpecKind::Record(_) | SpecKind::Enum(_))
            };
            fx.once_only |= u[d].specs.items.iter().any(is_static);
            for x in &u[d].declarators {
                fx.assigned.extend(s.declarator_sym[x.declarator.index()]);
            }
        }
        Child::Fn(_) => fx.once_only = true,
        Child::Init(_) | Child::TypeName(_) => {}
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
