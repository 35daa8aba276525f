//! Counting loops, and the facts about the expressions in their heads.

use super::effects::{visit, Effects};
use super::facts::Facts;
use fathom_sema::{IntKind, SymId, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// A loop that counts up by one: `for (var = lo; var < hi; var++)`.
#[derive(Clone, Debug)]
pub(crate) struct Counting {
    pub var: SymId,
    pub lo: ExprId,
    pub hi: ExprId,
    pub inclusive: bool,
    pub declares: Option<DeclId>,
    /// Signed variable, unsigned comparison.
    pub mixed_sign: bool,
}

impl Facts<'_> {
    /// Does the loop count up by one with a private variable that its body does not change?
    pub fn counting(&self, init: &ForInit, cond: ExprId, step: ExprId, fx: &Effects) -> Option<Counting> {
        let (var, lo, declares) = match init {
            ForInit::Expr(e) => {
                let ExprKind::Assign(None, l, r) = self.u[*e].kind else { return None };
                (self.bare(l)?, r, None)
            }
            ForInit::Decl(d) => {
                let [x] = self.u[*d].declarators.as_slice() else { return None };
                let InitKind::Expr(lo) = self.u[x.init?].kind else { return None };
                (self.s.declarator_sym[x.declarator.index()]?, lo, Some(*d))
            }
            ForInit::None => return None,
        };
        let symbol = &self.s.symbols[var.0 as usize];
        let q = self.s.types.quals(symbol.ty);
        let TyKind::Int(kind) = *self.s.types.kind(symbol.ty) else { return None };
        use IntKind::*;
        if matches!(kind, Bool | Int128 | UInt128) || q.shared.is_some() || q.is_volatile || q.is_atomic || q.is_const {
            return None;
        }
        // A variable that a call could change, or whose address is stored somewhere.
        let may_change = (!symbol.local && fx.calls) || self.may_be_among(&fx.pointed, var);
        if fx.assigned.contains(&var) || symbol.address_taken || may_change {
            return None;
        }
        let (hi, inclusive) = match self.u[self.unparen(cond)].kind {
            ExprKind::Binary(op @ (BinOp::Lt | BinOp::Le), l, r) if self.bare(l) == Some(var) => (r, op == BinOp::Le),
            ExprKind::Binary(op @ (BinOp::Gt | BinOp::Ge), l, r) if self.bare(r) == Some(var) => (l, op == BinOp::Ge),
            _ => return None,
        };
        let steps = match self.u[self.unparen(step)].kind {
            ExprKind::Unary(UnOp::PreInc | UnOp::PostInc, x) => self.bare(x) == Some(var),
            ExprKind::Assign(Some(BinOp::Add), l, r) => {
                self.bare(l) == Some(var) && self.s.const_int(self.p, r) == Some(1)
            }
            ExprKind::Assign(None, l, r) => self.bare(l) == Some(var) && self.offset_from(r, var) == Some(1),
            _ => false,
        };
        let TyKind::Int(hi_kind) = *self.s.types.kind(self.s.ty(hi)) else { return None };
        if matches!(hi_kind, Int128 | UInt128) || !steps || !self.pure(lo, var) || !self.pure(hi, var) {
            return None;
        }
        if fx.assigned.iter().any(|a| self.uses(hi, *a)) {
            return None;
        }
        let mixed_sign = matches!(hi_kind, UInt | ULong | ULongLong) && self.s.types.is_signed(kind);
        Some(Counting { var, lo, hi, inclusive, declares, mixed_sign })
    }

    /// No side effect, no call, no strict access, no use of `var`: evaluated once or in every iteration is the same,
    /// because the clauses are single-valued (6.6.2 p6).
    fn pure(&self, e: ExprId, var: SymId) -> bool {
        let mut ok = true;
        visit(self.u, Child::Expr(e), |n| match n {
            Child::Expr(x) => match &self.u[x].kind {
                ExprKind::Call { .. } | ExprKind::Assign(..) | ExprKind::StmtExpr(_) | ExprKind::CompoundLit(..) => {
                    ok = false
                }
                ExprKind::VaArg(..) => ok = false,
                ExprKind::SizeofType(..) | ExprKind::SizeofExpr(..) => ok &= !self.sizes_vla(x),
                ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, _) => ok = false,
                ExprKind::Ident(_) => {
                    let q = self.s.types.quals(self.s.ty(x));
                    ok &= self.s.expr_sym[x.index()] != Some(var) && !q.is_volatile && !self.is_strict(x);
                }
                _ => ok &= !self.is_strict(x),
            },
            Child::TypeName(_) => {}
            _ => ok = false,
        });
        ok
    }
}
