//! Loops around a loop in strips that read rows of it which move on evenly, and whose bounds stay: what many iterations read is fetched together
//! (`runtime/gas/nest.c`, docs/decisions/0020). The questions are those of loops in strips, about all that the nest reads and writes.

use super::build::Planner;
use super::counting::Counting;
use super::effects::Effects;
use super::kept::Inner;
use super::promises::Promises;
use super::slots::Slot;
use super::strips::{Missed, Strips};
use super::views::{Kind, View};
use super::Proof;
use fathom_sema::SymId;
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

impl Planner<'_> {
    /// The version of a loop in which each iteration finds the rows of the loop inside; `fx` are the body's effects.
    pub fn nest_strips(&mut self, id: StmtId, body: StmtId, c: &Counting, fx: &Effects) -> Result<Strips, Missed> {
        let [inside] = self.loops_in(body)[..] else { return Err(Missed::NotInnermost) };
        self.may_fetch_ahead(id, body, fx)?;
        if self.may_be_left(body, Some(inside)) {
            return Err(Missed::Jumps);
        }
        let (inner, of_bounds) = self.inner(inside, body, c, fx)?;
        let Inner { is_fixed: true, ref steps, ref counting, .. } = inner else { return Err(Missed::Bound) };
        if !steps.is_empty() || !of_bounds.is_empty() {
            return Err(Missed::Bound);
        }
        let var = counting.var;
        let own = self.effects(Child::Stmt(self.body_of(inside).ok_or(Missed::NotCounted)?));
        let slots = self.slots(inside, var, &own)?;
        let declared = self.declared_in(body);
        let moves = |s: &Slot| {
            let root = self.is_array(s.root) || (self.is_fixed(s.sym, fx) && !declared.contains(&s.sym));
            let shift = s.shift.iter().map(|(_, e)| e);
            root && s.prefix.iter().chain(shift).all(|e| self.moves_evenly(*e, c.var, &declared, fx))
        };
        // Of what else it reads, its own strips may fetch more.
        if !slots.iter().all(moves) || !self.reads_only(inside, var, &own, &slots) {
            return Err(Missed::Index);
        }
        let reads: Vec<ExprId> = self.elements(Child::Stmt(body));
        let reads: Vec<ExprId> = reads.into_iter().filter(|e| self.slot_of(*e, var, &own, &slots).is_some()).collect();
        if reads.iter().any(|e| !self.u[inside].toks.contains(self.u[*e].toks)) {
            return Err(Missed::Index);
        }
        // Its counter is no memory that pointers lead to.
        let mut written = self.compared_writes(body, &Promises::default(), &reads);
        written.retain(|l| self.bare(*l) != Some(var));
        let writes = self.writes((body, &written), c.var, fx, &slots, &Promises::default())?;
        let outer = (self.landed.len(), self.is_inside_strips);
        let mut views = vec![];
        for s in slots {
            let kind = Kind::Landed { var, shift: s.shift, low: s.low, high: s.high };
            let elem = self.elem_ty(s.root);
            let proof = Some(Proof::Landed);
            views.push(self.make(View { sym: s.sym, root: s.root, prefix: s.prefix, elem, kind, proof }));
        }
        self.landed.extend(&views);
        self.is_inside_strips = true;
        let versions = self.versions(body, 0, |_| false);
        self.landed.truncate(outer.0);
        self.is_inside_strips = outer.1;
        let is_unordered = |s: StmtId| self.body_of(s).is_some_and(|b| self.promises(s, b).unordered);
        Ok(Strips {
            slots: views,
            gathers: vec![],
            sources: vec![],
            others: Missed::Index,
            writes,
            before_run: vec![],
            versions,
            kept: None,
            may_be_left: false,
            nest: Some(inner),
            assumed: None,
            unchecked: is_unordered(id) || is_unordered(inside),
            copies_to: None,
            instead: None,
        })
    }

    /// Does it stay, or change by the same number in each iteration? Nothing in it is `declared` in the body.
    fn moves_evenly(&self, e: ExprId, var: SymId, declared: &[SymId], fx: &Effects) -> bool {
        if declared.iter().any(|sym| self.uses(e, *sym)) {
            return false;
        }
        if !self.uses(e, var) {
            return self.invariant(e, fx);
        }
        let wraps =
            self.unsigned(self.s.rvalue_ty(e)) && self.s.size_of(self.s.rvalue_ty(e)).is_none_or(|s| s.bytes < 8);
        let moves = |x: ExprId| self.moves_evenly(x, var, declared, fx);
        match self.u[e].kind {
            ExprKind::Paren(x) => moves(x),
            ExprKind::Ident(_) => true,
            ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => !wraps && moves(a) && moves(b),
            ExprKind::Binary(BinOp::Mul, a, b) => {
                !wraps && moves(a) && moves(b) && (!self.uses(a, var) || !self.uses(b, var))
            }
            _ => false,
        }
    }
}
