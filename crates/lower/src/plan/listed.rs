//! Loops in strips whose iterations do not follow each other: a `upc_forall`, of which this thread has some, in blocks or from a list that is made ahead
//! (docs/decisions/0012, 0014); a C loop that counts in steps, or down.

use super::affinity::{Home, Owner, Start};
use super::build::Planner;
use super::counting::{Counting, Stepping};
use super::effects::Effects;
use super::gathers::{Gather, Place};
use super::slots::Slot;
use super::strips::{Missed, Strips};
use super::views::Ref;
use fathom_sema::{Block, SymId};
use fathom_syntax::ast::*;
use std::collections::HashMap;

/// Iterations of a block of a `upc_forall` whose blocks run one after the other: what shorter ones read is gathered. The same where
/// not all that is read comes in blocks as long.
const SHORTEST_BLOCK: u64 = 4;
const SHORTEST_OTHER_BLOCK: u64 = 32;

impl Planner<'_> {
    /// The version of a `upc_forall` whose iterations this thread knows, in strips of its own iterations: all that they read
    /// of other threads is gathered.
    pub fn own_strips(
        &mut self,
        id: StmtId,
        body: StmtId,
        c: &Counting,
        owner: &Owner,
        fx: &Effects,
    ) -> Result<Strips, Missed> {
        let listed = self.kept_strips(id, body, c, fx);
        if !self.is_innermost(body) || listed.is_ok() {
            return listed;
        }
        self.may_strip(id, body, fx)?;
        if let Some(strips) = self.strips_of_blocks(id, body, c, owner, fx) {
            return Ok(strips);
        }
        let own = |e: ExprId| self.is_owned(e, c.var, fx, owner);
        let gathers = self.gathers(body, c.var, fx, &[], own);
        self.gathered_strips(id, body, c, fx, gathers)
    }

    /// The same of one whose iterations come in blocks, and which reads nothing but elements `x[i + c]`. If these come in blocks as long, most of
    /// them are read in place (`runtime/gas/halo.c`); otherwise each block is a loop in strips.
    fn strips_of_blocks(
        &mut self,
        id: StmtId,
        body: StmtId,
        c: &Counting,
        owner: &Owner,
        fx: &Effects,
    ) -> Option<Strips> {
        let Owner::Blocked { block, .. } = owner else { return None };
        self.each_iteration(c, fx).ok()?;
        let slots = self.slots(body, c.var, fx).ok()?;
        let own = |e: ExprId| self.is_owned(e, c.var, fx, owner);
        let (gathers, _) = self.gathers(body, c.var, fx, &slots, own);
        let reads_others = slots.iter().any(|s| s.low != s.high || !self.is_own(s, owner));
        let are_as_long = slots.iter().all(|s| self.layout_of_root(self.s.ty(s.root)) == Some(Block::Of(*block)));
        let is_long = *block >= if are_as_long { SHORTEST_BLOCK } else { SHORTEST_OTHER_BLOCK };
        if !gathers.is_empty() || !reads_others || !is_long {
            return None;
        }
        let compared = self.compared(id, body, c.var, fx, &slots, &[]).ok()?;
        Some(self.in_strips((body, 0), body, c, fx, (&slots, &[]), compared, Missed::Index))
    }

    /// The same of a `upc_forall` whose iterations' affinities are computed ahead.
    pub fn tested_strips(
        &mut self,
        id: StmtId,
        body: StmtId,
        c: &Counting,
        affinity: ExprId,
        fx: &Effects,
    ) -> Result<Strips, Missed> {
        let element = match self.u[self.unparen(affinity)].kind {
            ExprKind::Unary(UnOp::AddrOf, x) => Some(x),
            _ => None,
        };
        self.may_strip(id, body, fx)?;
        self.each_iteration(c, fx)?;
        let own = |e: ExprId| element.is_some_and(|x| self.is_same_text(x, e));
        let gathers = self.gathers(body, c.var, fx, &[], own);
        self.gathered_strips(id, body, c, fx, gathers)
    }

    /// The version of a C loop that counts in steps, or down: all that it reads of other threads is gathered.
    pub fn stepped_strips(
        &mut self,
        id: StmtId,
        body: StmtId,
        stepping: &Stepping,
        fx: &Effects,
    ) -> Result<Strips, Missed> {
        let c = &stepping.counting;
        self.may_strip(id, body, fx)?;
        self.each_iteration(c, fx)?;
        let is_mine = |e: ExprId| matches!(self.u[self.unparen(e)].kind, ExprKind::MyThread);
        let is_threads = |e: ExprId| matches!(self.u[self.unparen(e)].kind, ExprKind::Threads);
        // for (i = MYTHREAD; i < n; i += THREADS) runs the iterations that upc_forall (…; i) gives to this thread.
        let home = Home { pointer: None, prefix: vec![], rows: vec![], offset: 0 };
        let owner = Owner::Cyclic { home, start: Start::Zero };
        let is_cyclic = is_mine(c.lo) && stepping.by.is_some_and(is_threads);
        let own = |e: ExprId| is_cyclic && self.is_owned(e, c.var, fx, &owner);
        let gathers = self.gathers(body, c.var, fx, &[], own);
        self.gathered_strips(id, body, c, fx, gathers)
    }

    fn gathered_strips(
        &mut self,
        id: StmtId,
        body: StmtId,
        c: &Counting,
        fx: &Effects,
        (gathers, others): (Vec<Gather>, Missed),
    ) -> Result<Strips, Missed> {
        if gathers.is_empty() {
            return Err(others);
        }
        let (writes, sources) = self.compared(id, body, c.var, fx, &[], &gathers)?;
        let strips = self.in_strips((body, 0), body, c, fx, (&[], &gathers), (writes, sources), others);
        Ok(Strips { unchecked: self.promises(id, body).unordered, ..strips })
    }

    /// Is the affinity of each iteration known before the loop, without reading memory?
    pub fn has_known_owners(&self, affinity: ExprId, var: SymId, fx: &Effects) -> bool {
        let e = self.unparen(affinity);
        let settings = HashMap::new();
        let mut place = self.no_place(&settings);
        let is_known = match self.u[e].kind {
            ExprKind::Unary(UnOp::AddrOf, x) => self.is_known_address(x, var, fx, &mut place),
            _ if self.is_array(e) => self.is_known_address(e, var, fx, &mut place),
            _ if self.is_shared_ptr(self.s.ty(e)) => self.is_known_pointer(e, var, fx, &mut place),
            _ => self.is_place(e, var, fx, &mut place),
        };
        is_known && place.reads_nothing()
    }

    /// The same of the address of a shared object.
    fn is_known_address(&self, e: ExprId, var: SymId, fx: &Effects, place: &mut Place<'_>) -> bool {
        match self.u[self.unparen(e)].kind {
            ExprKind::Ident(_) => self.s.types.is_shared(self.s.ty(e)),
            ExprKind::Index(a, i) => {
                let known = match self.is_array(a) {
                    true => self.is_known_address(a, var, fx, place),
                    false => self.is_known_pointer(a, var, fx, place),
                };
                known && self.is_place(i, var, fx, place)
            }
            ExprKind::Member { base, arrow: false, .. } => self.is_known_address(base, var, fx, place),
            _ => false,
        }
    }

    /// The same of a pointer-to-shared.
    fn is_known_pointer(&self, e: ExprId, var: SymId, fx: &Effects, place: &mut Place<'_>) -> bool {
        match self.u[self.unparen(e)].kind {
            _ if self.is_array(e) => self.is_known_address(e, var, fx, place),
            ExprKind::Ident(_) => {
                self.bare(e).is_some_and(|sym| self.is_fixed(sym, fx)) && !self.s.types.is_shared(self.s.ty(e))
            }
            ExprKind::Binary(BinOp::Add | BinOp::Sub, a, i) => {
                self.is_known_pointer(a, var, fx, place) && self.is_place(i, var, fx, place)
            }
            _ => false,
        }
    }

    fn is_owned(&self, e: ExprId, var: SymId, fx: &Effects, owner: &Owner) -> bool {
        self.strip_element(e, var, fx).is_some_and(|s| self.is_own(&s, owner))
    }

    /// Is the element always on the thread that runs the iteration?
    fn is_own(&self, s: &Slot, owner: &Owner) -> bool {
        if !s.shift.is_empty() {
            return false;
        }
        match owner {
            Owner::Cyclic { home, .. } => {
                let (sym, root, prefix) = (s.sym, s.root, s.prefix.clone());
                let is_cyclic = self.layout_of_root(self.s.ty(root)) == Some(Block::Of(1));
                is_cyclic && self.is_at_home(home, &Ref { sym, root, prefix, offset: s.low, block: 1 })
            }
            Owner::Pieces { .. } => false,
            Owner::Blocked { offset, block, start, .. } => {
                self.is_array(s.root)
                    && !matches!(start, Start::Pointer(_))
                    && self.layout_of_root(self.s.ty(s.root)) == Some(Block::Of(*block))
                    && s.low == *offset
                    && self.same_all(&s.prefix, start.prefix())
            }
        }
    }
}
