//! What a `upc_forall` over rows reads of far threads' rows (`runtime/gas/halo_rows.c`): the loops in strips of its body that read
//! `x[i + c][j]`, with `i` counted by the `upc_forall`. What all of them read is known before it.

use super::build::Planner;
use super::counting::Counting;
use super::effects::Effects;
use super::views::Kind;
use super::{Loop, RegionId, ViewId};
use fathom_sema::{SymId, TyKind};
use fathom_syntax::ast::*;

/// A loop in strips in a `upc_forall`.
pub(crate) struct Halo {
    pub region: RegionId,
    pub lo: ExprId,
    pub hi: ExprId,
    pub inclusive: bool,
    /// Views of rows, whose number the variable of the `upc_forall` is added to.
    pub slots: Vec<ViewId>,
}

impl Planner<'_> {
    /// Those of the body, as it is written in the region.
    pub fn halos(&self, region: RegionId, body: StmtId, c: &Counting, fx: &Effects) -> Vec<Halo> {
        let mut own = self.declared_in(body);
        own.push(c.var);
        let of_loop = |l: &Loop| {
            let (Some(Ok(strips)), Some(inner)) = (&l.strips, &l.counting) else { return None };
            let known = |e: ExprId| self.is_sum(e, &own, fx);
            let slots = strips.slots.iter().copied().filter(|v| self.is_row(*v, c.var, &own, fx)).collect::<Vec<_>>();
            if strips.nest.is_some() {
                return None; // its slots are those of another loop
            }
            let is_known = known(inner.lo) && known(inner.hi) && !inner.mixed_sign && !slots.is_empty();
            let (lo, hi, inclusive) = (inner.lo, inner.hi, inner.inclusive);
            is_known.then_some(Halo { region, lo, hi, inclusive, slots })
        };
        let loops = self.regions[region.0 as usize].loops.values();
        loops.filter_map(|l| of_loop(&self.loops[l.0 as usize])).collect()
    }

    /// Elements `x[var + c][…]`, and nothing else of it varies.
    fn is_row(&self, v: ViewId, var: SymId, own: &[SymId], fx: &Effects) -> bool {
        let view = self.view(v);
        let Kind::Landed { ref shift, .. } = view.kind else { return false };
        let known = |e: ExprId| self.is_sum(e, own, fx);
        let has_root = self.is_array(view.root)
            || self.bare(view.root).is_some_and(|sym| !own.contains(&sym) && self.is_fixed(sym, fx));
        let numbered = view.prefix.iter().filter(|e| self.offset_from(**e, var).is_some()).count();
        let others_known = view.prefix.iter().all(|e| self.offset_from(*e, var).is_some() || known(*e));
        has_root && numbered == 1 && others_known && shift.iter().all(|(_, e)| known(*e))
    }

    /// Numbers, variables that nothing changes and that are not `own`, and these with a number added: it is computed where the program may not
    /// come to it, so it must not overflow.
    fn is_sum(&self, e: ExprId, own: &[SymId], fx: &Effects) -> bool {
        use ExprKind::*;
        match self.u[e].kind {
            Number | Char | Threads | MyThread => true,
            SizeofType(..) | SizeofExpr(..) => self.keeps_size(e, fx),
            Paren(x) | Unary(UnOp::Plus | UnOp::Neg, x) => self.is_sum(x, own, fx),
            _ if self.s.const_int(self.p, e).is_some() => true,
            Binary(BinOp::Add | BinOp::Sub, a, b) => {
                self.is_sum(a, own, fx)
                    && self.is_sum(b, own, fx)
                    && [a, b].iter().any(|x| self.s.const_int(self.p, *x).is_some())
            }
            Ident(_) => {
                let is_number = matches!(self.s.types.kind(self.s.ty(e)), TyKind::Int(_) | TyKind::Enum(_));
                let sym = self.s.expr_sym[e.index()];
                is_number && sym.is_some_and(|sym| !own.contains(&sym) && self.is_fixed(sym, fx))
            }
            _ => false,
        }
    }
}
