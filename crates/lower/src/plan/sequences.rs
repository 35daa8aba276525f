//! Access sequences: accesses of an innermost loop whose last access shows which threads all of them reached. An
//! explained program then counts the accesses, and does not look up the thread of each.
//!
//! Two kinds are recognised: accesses by a pointer that the loop only steps and never sets, to an array that lies on
//! one thread; and accesses by a pointer that the loop moves by one element from access to access, because the pointer
//! is mentioned only in one `*p++`, or because every iteration accesses `*p` once and has one `p++`.

use super::effects::visit;
use super::facts::Facts;
use fathom_sema::{Block, SymId};
use fathom_syntax::ast::*;
use fathom_syntax::visit::{walk, Child};

pub(crate) struct AccessSequence {
    /// Block size; 0 if the whole array is on one thread.
    pub block: u64,
    pub phase: Phase,
}

/// The number of elements of the block up to and including the one accessed.
pub(crate) enum Phase {
    /// It is the last one.
    Last,
    /// As many as the pointer's phase says.
    Of(SymId),
    /// One more than the pointer's phase.
    After(SymId),
}

impl Facts<'_> {
    /// How the access `e` follows from the one before it in the innermost loop `id`; none if that is not known.
    pub fn access_sequence(&self, e: ExprId, id: StmtId) -> Option<AccessSequence> {
        let p = self.base_pointer(e)?;
        let symbol = &self.s.symbols[p.0 as usize];
        let q = self.s.types.quals(symbol.ty);
        if !symbol.local || symbol.is_static || symbol.address_taken || q.is_volatile || q.is_atomic {
            return None;
        }
        if self.entered_sideways(id) {
            return None;
        }
        let parts = self.repeated(id);
        match self.layout_of_root(symbol.ty)? {
            Block::Indefinite => self.never_set(p, &parts).then_some(AccessSequence { block: 0, phase: Phase::Last }),
            Block::Of(block) => {
                let pointee = self.s.types.pointee(symbol.ty)?;
                let after = self.steps_itself(e, p, &parts);
                if !self.count_is_one(pointee) || !(after || self.stepped_once_each(e, p, id, &parts)) {
                    return None;
                }
                let phase = match (block, after) {
                    (1, _) => Phase::Last,
                    (_, true) => Phase::Of(p),
                    (_, false) => Phase::After(p),
                };
                Some(AccessSequence { block, phase })
            }
            Block::Star | Block::Spread { .. } => None,
        }
    }

    /// The parts of a loop that are repeated.
    fn repeated(&self, id: StmtId) -> Vec<Child<'_>> {
        let (heads, body) = match &self.u[id].kind {
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => (vec![*cond], body),
            StmtKind::For { cond, step, body, .. } | StmtKind::Forall { cond, step, body, .. } => {
                (cond.iter().chain(step).copied().collect(), body)
            }
            _ => return vec![Child::Stmt(id)],
        };
        heads.into_iter().map(Child::Expr).chain([Child::Stmt(*body)]).collect()
    }

    /// The pointer variable from which arithmetic alone computes the accessed object.
    fn base_pointer(&self, e: ExprId) -> Option<SymId> {
        use ExprKind::*;
        match self.u[e].kind {
            Paren(x) | Unary(UnOp::Extension, x) | Member { base: x, arrow: false, .. } => self.base_pointer(x),
            Member { base: x, arrow: true, .. } | Unary(UnOp::Deref, x) => self.pointer_variable(x),
            Index(a, _) if self.is_array(a) => self.base_pointer(a),
            Index(a, _) => self.pointer_variable(a),
            _ => None,
        }
    }

    fn pointer_variable(&self, x: ExprId) -> Option<SymId> {
        use ExprKind::*;
        match self.u[x].kind {
            Paren(x) => self.pointer_variable(x),
            Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, y) => self.pointer_variable(y),
            Binary(BinOp::Add | BinOp::Sub, a, _) => self.pointer_variable(a),
            Ident(_) if self.is_shared_ptr(self.s.ty(x)) && self.is_plain_variable(x) => self.bare(x),
            _ => None,
        }
    }

    /// Do these parts neither set nor declare the pointer? Stepping it is allowed.
    pub fn never_set(&self, p: SymId, parts: &[Child]) -> bool {
        let mut ok = true;
        for part in parts {
            visit(self.u, *part, |n| match n {
                Child::Expr(e) => {
                    ok &= !matches!(self.u[e].kind, ExprKind::Assign(None, l, _) if self.bare(l) == Some(p))
                }
                Child::Decl(d) => {
                    let declares = |x: &InitDeclarator| self.s.declarator_sym[x.declarator.index()] == Some(p);
                    ok &= !self.u[d].declarators.iter().any(declares);
                }
                _ => {}
            });
        }
        ok
    }

    /// Is `*p++` the access, and the only mention of p?
    fn steps_itself(&self, e: ExprId, p: SymId, parts: &[Child]) -> bool {
        let ExprKind::Unary(UnOp::Deref, x) = self.u[self.unparen(e)].kind else { return false };
        let ExprKind::Unary(UnOp::PostInc, y) = self.u[self.unparen(x)].kind else { return false };
        let mut mentions = 0;
        for part in parts {
            visit(self.u, *part, |n| {
                mentions += usize::from(
                    matches!(n, Child::Expr(e) if matches!(self.u[e].kind, ExprKind::Ident(_)) && self.bare(e) == Some(p)),
                );
            });
        }
        self.bare(y) == Some(p) && mentions == 1 && self.never_set(p, parts)
    }

    /// Does every iteration access `*p` by `e` once, and step p by one once? (The last one may end early.)
    fn stepped_once_each(&self, e: ExprId, p: SymId, id: StmtId, parts: &[Child]) -> bool {
        let ExprKind::Unary(UnOp::Deref, x) = self.u[self.unparen(e)].kind else { return false };
        if self.bare(x) != Some(p) || matches!(self.u[id].kind, StmtKind::Forall { .. }) || !self.never_set(p, parts) {
            return false;
        }
        let (mut changes, mut continues, mut steps, mut accesses) = (0, false, 0, 0);
        for part in parts {
            visit(self.u, *part, |n| match n {
                Child::Expr(e) => changes += usize::from(self.changed(e) == Some(p)),
                Child::Stmt(s) => continues |= matches!(self.u[s].kind, StmtKind::Continue),
                _ => {}
            });
            self.always(*part, &mut |at| {
                let is_step = matches!(self.u[at].kind, ExprKind::Unary(UnOp::PreInc | UnOp::PostInc, y) if self.bare(y) == Some(p));
                steps += usize::from(is_step);
                accesses += usize::from(at == e);
            });
        }
        changes == 1 && steps == 1 && accesses == 1 && !continues
    }

    /// The variable that an expression itself changes.
    fn changed(&self, e: ExprId) -> Option<SymId> {
        match self.u[e].kind {
            ExprKind::Assign(_, l, _)
            | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l) => self.bare(l),
            _ => None,
        }
    }

    /// Calls `f` on the expressions that are evaluated once whenever the whole is.
    fn always(&self, whole: Child, f: &mut dyn FnMut(ExprId)) {
        walk(self.u, whole, |n| {
            let certain = match n {
                Child::Expr(e) => {
                    f(e);
                    match self.u[e].kind {
                        ExprKind::Cond(first, ..) | ExprKind::Binary(BinOp::And | BinOp::Or, first, _) => Some(first),
                        ExprKind::StmtExpr(_) | ExprKind::SizeofExpr(..) | ExprKind::SizeofType(..) => return false,
                        ExprKind::Generic { .. } | ExprKind::ChooseExpr(..) => return false,
                        _ => return true,
                    }
                }
                Child::Stmt(s) => match self.u[s].kind {
                    StmtKind::If { cond, .. } | StmtKind::Switch { cond, .. } => Some(cond),
                    StmtKind::While { .. } | StmtKind::DoWhile { .. } => None,
                    StmtKind::For { .. } | StmtKind::Forall { .. } => None,
                    _ => return true,
                },
                _ => return true,
            };
            if let Some(e) = certain {
                self.always(Child::Expr(e), f);
            }
            false
        });
    }
}
