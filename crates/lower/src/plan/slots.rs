//! The slots of a loop in strips: the elements `x[i + c]` that it reads, those of one array (or pointer) together.

use super::build::Planner;
use super::effects::Effects;
use super::facts::Subscripts;
use super::strips::{Missed, Shift};
use fathom_sema::{Block, SymId, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// As many as `FATHOM_STRIP_SLOTS` of runtime/lang/strip.h.
pub(super) const MOST_SLOTS: usize = 6;
/// Elements of one array that are further apart have a slot each.
const REACH: i64 = 64;

/// A slot that is being collected.
pub(super) struct Slot {
    pub sym: SymId,
    pub root: ExprId,
    pub prefix: Vec<ExprId>,
    pub shift: Shift,
    pub low: i64,
    pub high: i64,
    /// The root is no variable, but a pointer that the loop finds in memory and does not change: these elements are read by way of
    /// it, so far from `var` + `shift`.
    pub by_pointer: Vec<(ExprId, i64)>,
}

impl Planner<'_> {
    /// What the loop reads as `x[i + c]`; `c` may have summands that the loop does not change.
    pub(super) fn slots(&self, body: StmtId, var: SymId, fx: &Effects) -> Result<Vec<Slot>, Missed> {
        let (mut slots, mut missed) = (Vec::<Slot>::new(), Missed::Index);
        for e in self.elements(Child::Stmt(body)) {
            let Some(s) = self.strip_element(e, var, fx) else { continue };
            match self.is_read(e) {
                Ok(()) => {}
                Err(why) => {
                    missed = why;
                    continue;
                }
            }
            self.add_slot(&mut slots, s, |t, s| t.sym == s.sym && self.same_all(&t.prefix, &s.prefix));
        }
        // A view serves all elements of its range, whatever is done with them.
        for e in self.elements(Child::Stmt(body)) {
            let Some(s) = self.strip_element(e, var, fx) else { continue };
            if let Err(why) = self.is_read(e) {
                let n = slots.len();
                slots.retain(|t| {
                    t.sym != s.sym
                        || !self.same_all(&t.prefix, &s.prefix)
                        || !self.same_shift(&t.shift, &s.shift)
                        || s.low < t.low
                        || s.low > t.high
                });
                if slots.len() < n {
                    missed = why;
                }
            }
        }
        match slots.len() {
            0 => Err(missed),
            n if n > MOST_SLOTS => Err(Missed::TooMany),
            _ => Ok(slots),
        }
    }

    /// Adds a slot, to one of the same array (or pointer) whose elements are near.
    fn add_slot(&self, slots: &mut Vec<Slot>, s: Slot, is_same: impl Fn(&Slot, &Slot) -> bool) {
        let near = |t: &&mut Slot| {
            let (low, high) = (t.low.min(s.low), t.high.max(s.high));
            is_same(t, &s) && self.same_shift(&t.shift, &s.shift) && high.checked_sub(low).is_some_and(|d| d <= REACH)
        };
        match slots.iter_mut().find(near) {
            Some(t) => {
                (t.low, t.high) = (t.low.min(s.low), t.high.max(s.high));
                t.by_pointer.extend(s.by_pointer);
            }
            None => slots.push(s),
        }
    }

    /// What an iteration always reads as `p[i + c]`, where p is a pointer-to-shared that the loop finds in memory, private or shared,
    /// and does not change: `rows[k][i]`, `grid->row[i]`.
    pub(super) fn slots_by_pointers(&self, body: StmtId, var: SymId, each_iteration: &Effects) -> Vec<Slot> {
        let mut slots = Vec::<Slot>::new();
        for e in self.elements(Child::Stmt(body)) {
            if let Some(s) = self.slot_by_pointer(e, body, var, each_iteration) {
                self.add_slot(&mut slots, s, |t, s| self.is_same_text(t.root, s.root));
            }
        }
        slots
    }

    fn slot_by_pointer(&self, e: ExprId, body: StmtId, var: SymId, fx: &Effects) -> Option<Slot> {
        let ExprKind::Index(p, index) = self.u[e].kind else { return None };
        let root = self.uncast(p);
        let t = self.s.ty(root);
        let TyKind::Pointer(elem) = *self.s.types.kind(t) else { return None };
        if self.is_array(e) || !self.s.types.is_shared(elem) || self.subscripts(e).is_some() {
            return None;
        }
        let fits = self.count_is_one(elem) && self.s.size_of(elem).is_some_and(|s| !s.times_threads);
        let is_known = matches!(self.layout_of_root(t), Some(Block::Of(_) | Block::Indefinite));
        if !fits || !is_known || self.uses(root, var) || !self.keeps_bound(root, fx) {
            return None;
        }
        // The pointer is read before the loop, which an iteration may not do.
        if !self.is_always_made(e, body) || self.is_read(e).is_err() {
            return None;
        }
        let (at, shift) = self.sum_from(index, var)?;
        // The loop runs, so that what it divides by is not zero.
        let keeps = |x: &ExprId| self.keeps(*x, fx) && !self.uses(*x, var) && self.same_all(&[*x], &[*x]);
        let sym = *self.names_in(root).first()?;
        shift.iter().all(|(_, x)| keeps(x)).then(|| Slot {
            sym,
            root,
            prefix: vec![],
            shift,
            low: at,
            high: at,
            by_pointer: vec![(e, at)],
        })
    }

    /// The element `x[prefix]…[var + shift + c]`, where x is a shared array, or a pointer-to-shared that the loop does not change.
    pub(super) fn strip_element(&self, e: ExprId, var: SymId, fx: &Effects) -> Option<Slot> {
        if self.is_array(e) || !self.s.types.is_shared(self.s.ty(e)) {
            return None;
        }
        let Subscripts { sym, root, indices } = self.subscripts(e)?;
        let (&index, prefix) = indices.split_last()?;
        let t = self.s.ty(root);
        let fits = match *self.s.types.kind(t) {
            TyKind::Array(..) => self.s.types.is_shared(t) && self.count_is_one(self.s.ty(e)),
            // Of rows, too: `p[z][y][i]`.
            TyKind::Pointer(elem) => {
                self.count_is_one(self.s.ty(e))
                    && self.is_fixed(sym, fx)
                    && !self.s.types.is_shared(t)
                    && self.s.size_of(elem).is_some()
                    && self.const_count(elem).is_some()
            }
            _ => false,
        };
        if !fits || !prefix.iter().all(|i| self.invariant(*i, fx) && !self.uses(*i, var)) {
            return None;
        }
        if !matches!(self.layout_of_root(t)?, Block::Of(_) | Block::Indefinite) {
            return None;
        }
        let (at, shift) = self.sum_from(index, var)?;
        // A view finds its elements by their text.
        let keeps = |x: &ExprId| self.invariant(*x, fx) && !self.uses(*x, var) && self.same_all(&[*x], &[*x]);
        shift.iter().all(|(_, x)| keeps(x)).then(|| Slot {
            sym,
            root,
            prefix: prefix.to_vec(),
            shift,
            low: at,
            high: at,
            by_pointer: vec![],
        })
    }
}
