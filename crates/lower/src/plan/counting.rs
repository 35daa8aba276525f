//! Counting loops, and the facts about the expressions in their heads.

use super::effects::{visit, Effects};
use super::facts::Facts;
use fathom_sema::{IntKind, Linkage, SymId, Ty, TyKind};
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

/// A loop that counts in other steps: `for (var = lo; var < hi; var += by)`, or down.
#[derive(Clone, Debug)]
pub(crate) struct Stepping {
    /// Where it counts down, `hi` is the bound below.
    pub counting: Counting,
    /// Nothing: one.
    pub by: Option<ExprId>,
    pub is_down: bool,
}

impl Facts<'_> {
    /// Does the loop count up by one with a private variable that its body does not change?
    pub fn counting(&self, init: &ForInit, cond: ExprId, step: ExprId, fx: &Effects) -> Option<Counting> {
        let (c, is_down) = self.counts(init, cond, fx)?;
        let steps = match self.u[self.unparen(step)].kind {
            ExprKind::Unary(UnOp::PreInc | UnOp::PostInc, x) => self.bare(x) == Some(c.var),
            ExprKind::Assign(Some(BinOp::Add), l, r) => {
                self.bare(l) == Some(c.var) && self.s.const_int(self.p, r) == Some(1)
            }
            ExprKind::Assign(None, l, r) => self.bare(l) == Some(c.var) && self.offset_from(r, c.var) == Some(1),
            _ => false,
        };
        (steps && !is_down).then_some(c)
    }

    /// Does it so in steps that are known before it, or down?
    pub fn stepping(&self, init: &ForInit, cond: ExprId, step: ExprId, fx: &Effects) -> Option<Stepping> {
        let (counting, is_down) = self.counts(init, cond, fx)?;
        let by = match self.u[self.unparen(step)].kind {
            ExprKind::Unary(UnOp::PreDec | UnOp::PostDec, x) if is_down => (x, None),
            ExprKind::Assign(Some(BinOp::Add), l, r) if !is_down => (l, Some(r)),
            ExprKind::Assign(Some(BinOp::Sub), l, r) if is_down => (l, Some(r)),
            ExprKind::Assign(None, l, r) => match self.u[self.unparen(r)].kind {
                ExprKind::Binary(BinOp::Add, a, b) if !is_down && self.bare(a) == Some(counting.var) => (l, Some(b)),
                ExprKind::Binary(BinOp::Sub, a, b) if is_down && self.bare(a) == Some(counting.var) => (l, Some(b)),
                _ => return None,
            },
            _ => return None,
        };
        let (l, by) = by;
        let is_known = by.is_none_or(|by| {
            matches!(self.s.types.kind(self.s.rvalue_ty(by)), TyKind::Int(_))
                && self.keeps(by, fx)
                && !self.uses(by, counting.var)
        });
        // Below zero, the comparisons of C differ from those of numbers.
        let signed = |t| matches!(*self.s.types.kind(t), TyKind::Int(kind) if self.s.types.is_signed(kind));
        let (var, hi) = (self.s.symbols[counting.var.0 as usize].ty, self.s.rvalue_ty(counting.hi));
        let is_positive = || self.s.const_int(self.p, counting.hi).is_some_and(|hi| hi >= 0);
        let alike = !is_down || signed(var) == signed(hi) || is_positive();
        (is_known && alike && self.bare(l) == Some(counting.var)).then_some(Stepping { counting, by, is_down })
    }

    /// The bounds of a loop that counts with a private variable that its body does not change; true: down.
    fn counts(&self, init: &ForInit, cond: ExprId, fx: &Effects) -> Option<(Counting, bool)> {
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
        // In `x[i + c]` C adds modulo 2^32, and the places of a loop's elements are computed as `long`: such a sum starts anew only where
        // the variable is near its largest value. `may_wrap` has the loops that may begin there.
        if kind == UInt && self.s.const_int(self.p, lo).is_some_and(|lo| !(0..=i32::MAX.into()).contains(&lo)) {
            return None;
        }
        // A variable that a call could change, or read while the loop counts in another one; or whose address is stored somewhere.
        let is_lasting = !symbol.local || symbol.is_static || symbol.linkage != Linkage::None;
        let may_change = (is_lasting && fx.calls) || self.may_be_among(&fx.pointed, var);
        if fx.assigned.contains(&var) || symbol.address_taken || may_change {
            return None;
        }
        use BinOp::{Ge, Gt, Le, Lt};
        let (op, hi) = match self.u[self.unparen(cond)].kind {
            ExprKind::Binary(op @ (Lt | Le | Gt | Ge), l, r) if self.bare(l) == Some(var) => (op, r),
            ExprKind::Binary(op @ (Lt | Le | Gt | Ge), l, r) if self.bare(r) == Some(var) => match op {
                Lt => (Gt, l),
                Le => (Ge, l),
                Gt => (Lt, l),
                _ => (Le, l),
            },
            _ => return None,
        };
        let (inclusive, is_down) = (matches!(op, Le | Ge), matches!(op, Gt | Ge));
        let TyKind::Int(hi_kind) = *self.s.types.kind(self.s.ty(hi)) else { return None };
        if matches!(hi_kind, Int128 | UInt128) || !self.pure(lo, var) || !self.pure(hi, var) {
            return None;
        }
        if fx.assigned.iter().any(|a| self.uses(hi, *a)) {
            return None;
        }
        // C compares them as unsigned, unless the variable's type has all values of the bound's (C17 6.3.1.8).
        let bytes = |t: Ty| self.s.size_of(t).map_or(8, |s| s.bytes);
        let is_wide = bytes(self.s.ty(hi)) >= bytes(symbol.ty).max(4);
        let mixed_sign = matches!(hi_kind, UInt | ULong | ULongLong) && self.s.types.is_signed(kind) && is_wide;
        Some((Counting { var, lo, hi, inclusive, declares, mixed_sign }, is_down))
    }

    /// May `i + c` in a loop's code start anew at 2^32, unless it is known when it runs that the loop begins far from there?
    pub(super) fn may_wrap(&self, c: &Counting, code: Child) -> bool {
        let is_uint = |t| matches!(*self.s.types.kind(t), TyKind::Int(IntKind::UInt));
        if !is_uint(self.s.symbols[c.var.0 as usize].ty) || self.s.const_int(self.p, c.lo).is_some() {
            return false;
        }
        let mut adds = false;
        visit(self.u, code, |n| {
            let Child::Expr(e) = n else { return };
            let is_sum = matches!(self.u[e].kind, ExprKind::Binary(BinOp::Add | BinOp::Sub, ..));
            adds |= is_sum && is_uint(self.s.ty(e)) && self.offset_from(e, c.var).is_some_and(|by| by != 0);
        });
        adds
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
