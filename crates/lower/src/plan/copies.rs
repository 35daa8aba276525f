//! Loops that only copy shared elements to private ones: `for (i = lo; i < hi; i++) own[i + c] = x[i + d];`. They are a bulk get
//! (`fathom_strip_copy`).

use super::build::Planner;
use super::counting::Counting;
use super::effects::Effects;
use super::slots::Slot;
use fathom_sema::TyKind;
use fathom_syntax::ast::*;

impl Planner<'_> {
    /// The array or pointer that such a loop copies to, and c.
    pub fn copy_to(&self, body: StmtId, c: &Counting, fx: &Effects, slots: &[Slot]) -> Option<(ExprId, i64)> {
        let [slot] = slots else { return None };
        let mut conditions = vec![];
        let ExprKind::Assign(None, to, from) = self.u[self.only_expression(body, &mut conditions)?].kind else {
            return None;
        };
        let (to, from) = (self.unparen(to), self.unparen(from));
        let source = self.strip_element(from, c.var, fx)?;
        let ExprKind::Index(root, index) = self.u[to].kind else { return None };
        let sym = self.bare(root)?;
        let (t, elem) = (self.s.symbols[sym.0 as usize].ty, self.s.ty(to));
        let q = self.s.types.quals(elem);
        let is_private = match self.s.types.kind(t) {
            TyKind::Array(..) => !self.s.types.is_shared(t),
            TyKind::Pointer(_) => !self.is_shared_ptr(t) && self.is_fixed(sym, fx),
            _ => false,
        };
        let is_same = self.s.types.unqual(elem) == self.s.types.unqual(self.s.ty(from));
        let is_plain = is_private && is_same && !q.is_volatile && !q.is_atomic && !self.s.types.is_shared(elem);
        let is_whole =
            conditions.is_empty() && slot.low == slot.high && source.sym == slot.sym && slot.by_pointer.is_empty();
        let offset = self.offset_from(index, c.var)?;
        (is_plain && is_whole && self.declared_in(body).is_empty()).then_some((root, offset))
    }
}
