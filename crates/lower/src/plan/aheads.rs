//! Near memory that a loop updates at computed places, `t[index[i]] op= x;` or by a relaxed atomic operation, is asked for ahead: the
//! places of some iterations are computed before them, and what is near of these is prefetched. A processor finds such misses by itself
//! only as far ahead as its window of instructions reaches, and what is done for a far element fills that.
//!
//! It is a hint: nothing is read or written that the program would not read. So no write of the loop matters, but the places must be
//! computed without a fault, from memory that these iterations will read anyhow: `index[i + c]` of a variable, in a loop that is
//! not left early. What the loop writes may still be missing there, so nothing of a place may depend on a value to be allowed:
//! no division but by a constant or by THREADS, no choice, no arithmetic of floating types.

use super::build::Planner;
use super::counting::Counting;
use super::effects::{visit, Effects};
use super::gathers::Step;
use super::library::library_name;
use fathom_sema::{SymId, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// Elements whose near memory is asked for.
pub(crate) struct Ahead {
    pub element: ExprId,
    /// What an iteration sets before the place is computed.
    pub steps: Vec<Step>,
}

impl Planner<'_> {
    /// The first element that the loop updates so.
    pub fn ahead(&self, id: StmtId, body: StmtId, c: &Counting, fx: &Effects) -> Option<Ahead> {
        let (mut elements, mut others) = (vec![], false);
        visit(self.u, Child::Stmt(body), |n| {
            let Child::Expr(e) = n else { return };
            if self.updates.objects.get(&e).is_some_and(Result::is_ok) {
                elements.extend(self.element_in(e));
            }
            if let ExprKind::Call { .. } = self.u[e].kind {
                match self.relaxed_atomic(e) {
                    Some(target) => elements.extend(self.addressed(target)),
                    None => others = true,
                }
            }
        });
        // Another call might not return.
        if others {
            return None;
        }
        // These operations change nothing but their targets.
        let fx = fx.without_calls();
        self.may_strip(id, body, &fx).ok()?;
        if self.each_iteration(c, &fx).is_err() || self.reads_shared(c.hi) {
            return None;
        }
        elements.into_iter().find_map(|e| self.ahead_of(e, body, c.var, &fx))
    }

    fn ahead_of(&self, e: ExprId, body: StmtId, var: SymId, fx: &Effects) -> Option<Ahead> {
        let s = self.subscripts(e)?;
        if !self.is_of_table(self.s.ty(e), &s, fx) {
            return None;
        }
        let is_always_made = self.is_always_made(e, body);
        let settings = self.settings(body);
        let mut place = self.no_place(&settings);
        if !is_always_made || !s.indices.iter().all(|i| self.is_place(*i, var, fx, &mut place)) {
            return None;
        }
        let (reads, shared, mut steps) = place.parts();
        steps.sort_by_key(|s| self.u[s.expr()].toks.lo);
        let parts = || [s.root].into_iter().chain(s.indices.iter().copied()).chain(steps.iter().map(|s| s.expr()));
        // Where the list is not read in order, the places of elements that follow each other are near one another.
        let is_computed = !reads.is_empty() && reads.iter().all(|r| self.is_read_anyhow(*r, var, fx));
        let may_fault = parts().any(|x| self.may_fault(x));
        if !is_computed || !shared.is_empty() || may_fault || self.has_two_of_a_name(parts(), &steps) {
            return None;
        }
        Some(Ahead { element: e, steps })
    }

    /// The target of a relaxed atomic operation that writes nothing else.
    fn relaxed_atomic(&self, call: ExprId) -> Option<ExprId> {
        let ExprKind::Call { callee, ref args } = self.u[call].kind else { return None };
        let name = library_name(self.p, self.s, callee)?;
        match name {
            "upc_atomic_relaxed" => (args.len() == 6 && self.is_null(args[1])).then(|| args[3]),
            _ if name.starts_with("bupc_atomic") && name.ends_with("_relaxed") => args.first().copied(),
            _ => None,
        }
    }

    /// The element whose address this is.
    fn addressed(&self, e: ExprId) -> Option<ExprId> {
        match self.u[self.without_casts(e)].kind {
            ExprKind::Unary(UnOp::AddrOf, x) => self.element_in(x),
            _ => None,
        }
    }

    /// Is it an element that only the loop's variable chooses, of an array or by a pointer that the loop does not change?
    fn is_read_anyhow(&self, r: ExprId, var: SymId, fx: &Effects) -> bool {
        match self.u[r].kind {
            ExprKind::Paren(x) | ExprKind::Member { base: x, arrow: false, .. } => self.is_read_anyhow(x, var, fx),
            ExprKind::Index(p, i) => {
                let is_named = self.bare(p).is_some_and(|sym| self.is_array(p) || self.is_fixed(sym, fx));
                is_named
                    && self.sum_from(i, var).is_some_and(|(_, shift)| {
                        shift.iter().all(|(_, x)| self.invariant(*x, fx) && !self.uses(*x, var))
                    })
            }
            _ => false,
        }
    }

    /// Might it fault, or read what the iteration does not, if a value that it is computed from is not the one that it will be?
    fn may_fault(&self, e: ExprId) -> bool {
        let mut found = false;
        visit(self.u, Child::Expr(e), |n| {
            let Child::Expr(x) = n else { return };
            found |= matches!(self.s.types.kind(self.s.rvalue_ty(x)), TyKind::Float(_) | TyKind::Complex(_));
            found |= match self.u[x].kind {
                ExprKind::Binary(BinOp::Div | BinOp::Rem, _, by) => {
                    let is_threads = matches!(self.u[self.unparen(by)].kind, ExprKind::Threads);
                    !is_threads && self.s.const_int(self.p, by).is_none_or(|n| n == 0 || n == -1)
                }
                ExprKind::Binary(BinOp::And | BinOp::Or, ..) | ExprKind::Cond(..) => true,
                _ => false,
            };
        });
        found
    }
}
