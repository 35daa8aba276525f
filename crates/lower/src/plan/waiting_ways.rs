//! The ways through an iteration, and whether each of them makes progress.

use super::waiting_round::Round;
use fathom_sema::SymId;
use fathom_syntax::ast::*;
use fathom_syntax::visit::{walk_children, Child};
use std::collections::HashSet;

/// What a jump leaves.
pub(super) enum Scope {
    /// Has each way back to the loop's head made progress?
    Loop(bool),
    /// The ways out by `break`.
    Switch(Vec<bool>),
}

/// The ways through an iteration, in the order of the text: has each of them made progress? None: no way leads there.
pub(super) struct Way<'r, 'k, 'a> {
    pub round: &'r Round<'k, 'a>,
    pub wanted: &'r HashSet<SymId>,
    pub scopes: Vec<Scope>,
    /// The conditions around, innermost last: are they private?
    pub only_private: Vec<bool>,
}

impl<'a> Way<'_, '_, 'a> {
    fn is_shared(&self, e: ExprId) -> bool {
        self.round.known.is_shared(e) || self.round.uses_any(e, &self.round.shared)
    }

    /// Two ways that come together. Which one it is, others decide if the condition is shared; this thread does otherwise, and takes the one that leads on.
    fn joined(a: Option<bool>, b: Option<bool>, is_shared: bool) -> Option<bool> {
        match (a, b) {
            (Some(a), Some(b)) if is_shared => Some(a && b),
            (Some(a), Some(b)) => Some(a || b),
            (a, b) => a.or(b),
        }
    }

    fn back(&mut self, to: usize, at: Option<bool>) {
        let is_own = !self.only_private.is_empty() && self.only_private.iter().all(|is| *is);
        if let (Some(Scope::Loop(all)), Some(false), false) = (self.scopes.get_mut(to), at, is_own) {
            *all = false;
        }
    }

    pub fn stmt(&mut self, id: StmtId, at: Option<bool>) -> Option<bool> {
        use StmtKind::*;
        let u = self.round.known.facts.u;
        match &u[id].kind {
            If { cond, then, els } => {
                let at = at.map(|progress| progress | self.expr(*cond));
                let is_shared = self.is_shared(*cond);
                self.only_private.push(!is_shared);
                let a = self.stmt(*then, at);
                let b = match els {
                    Some(els) => self.stmt(*els, at),
                    None => at,
                };
                self.only_private.pop();
                Self::joined(a, b, is_shared)
            }
            Compound(items) => items.iter().fold(at, |at, item| match item {
                BlockItem::Stmt(s) => self.stmt(*s, at),
                BlockItem::Decl(d) => at.map(|progress| progress | self.child(Child::Decl(*d))),
                _ => at,
            }),
            Switch { cond, body } => {
                let at = at.map(|progress| progress | self.expr(*cond));
                let is_shared = self.is_shared(*cond);
                self.only_private.push(!is_shared);
                self.scopes.push(Scope::Switch(vec![]));
                let mut way = None;
                let mut has_default = false;
                match &u[*body].kind {
                    Compound(items) => {
                        for item in items {
                            let BlockItem::Stmt(mut s) = item else { continue };
                            while let Case(_, _, next) | Default(next) = u[s].kind {
                                has_default |= matches!(u[s].kind, Default(_));
                                way = Self::joined(way, at, is_shared);
                                s = next;
                            }
                            way = self.stmt(s, way);
                        }
                    }
                    _ => way = self.stmt(*body, at),
                }
                let Some(Scope::Switch(outs)) = self.scopes.pop() else { return way };
                self.only_private.pop();
                let way = outs.into_iter().fold(way, |way, out| Self::joined(way, Some(out), is_shared));
                if has_default {
                    way
                } else {
                    Self::joined(way, at, is_shared)
                }
            }
            While { cond, body } => {
                let at = at.map(|progress| progress | self.expr(*cond));
                self.inner(at, Some(*cond), None, *body)
            }
            DoWhile { cond, body } => {
                let at = at.map(|progress| progress | self.expr(*cond));
                self.inner(at, None, None, *body)
            }
            For { init, cond, step, body } | Forall { init, cond, step, body, .. } => {
                let begins = match init {
                    ForInit::None => false,
                    ForInit::Expr(e) => self.expr(*e),
                    ForInit::Decl(d) => self.child(Child::Decl(*d)),
                };
                let at = at.map(|progress| progress | begins | cond.is_some_and(|e| self.expr(e)));
                self.inner(at, *cond, *step, *body)
            }
            Break => {
                if let (Some(Scope::Switch(outs)), Some(at)) = (self.scopes.last_mut(), at) {
                    outs.push(at);
                }
                None
            }
            Continue => {
                let loops = self.scopes.iter().rposition(|scope| matches!(scope, Scope::Loop(_)));
                if let Some(to) = loops {
                    self.back(to, at);
                }
                None
            }
            Goto(name) => {
                if Some(*name) == self.round.cycle.label || self.round.labels.contains(name) {
                    self.back(0, at);
                }
                None
            }
            Return(_) | GotoComputed(_) => None,
            Label(_, s) | Case(_, _, s) | Default(s) => self.stmt(*s, at),
            _ => {
                let mut progress = false;
                walk_children(u, Child::Stmt(id), &mut |n| progress |= self.child(n));
                at.map(|at| at | progress)
            }
        }
    }

    /// A loop inside: its body runs, unless others decide.
    fn inner(&mut self, at: Option<bool>, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId) -> Option<bool> {
        let may_not_run = cond.is_some_and(|e| self.is_shared(e));
        self.only_private.push(!may_not_run);
        self.scopes.push(Scope::Loop(true));
        let way = self.stmt(body, at);
        let all = !matches!(self.scopes.pop(), Some(Scope::Loop(false)));
        self.only_private.pop();
        let progress = step.is_some_and(|e| self.expr(e)) || (all && way == Some(true));
        at.map(|at| at | (progress && !may_not_run))
    }

    pub fn child(&mut self, n: Child<'a>) -> bool {
        match n {
            Child::Expr(e) => self.expr(e),
            Child::Stmt(s) => self.stmt(s, Some(false)) == Some(true),
            Child::Decl(d) => {
                let u = self.round.known.facts.u;
                u[d].declarators.iter().filter_map(|x| x.init).fold(false, |all, i| all | self.child(Child::Init(i)))
            }
            Child::Fn(_) => false,
            Child::Init(_) | Child::TypeName(_) => {
                let mut progress = false;
                walk_children(self.round.known.facts.u, n, &mut |n| progress |= self.child(n));
                progress
            }
        }
    }

    /// Does the expression make progress, whichever of its operands are evaluated?
    pub fn expr(&mut self, e: ExprId) -> bool {
        use ExprKind::*;
        let u = self.round.known.facts.u;
        match &u[e].kind {
            SizeofExpr(..) | SizeofType(..) => false,
            Binary(BinOp::And | BinOp::Or, a, b) => self.expr(*a) || (self.expr(*b) && !self.is_shared(*a)),
            Cond(cond, a, b) => {
                let (first, a, b) = (self.expr(*cond), a.is_some_and(|a| self.expr(a)), self.expr(*b));
                first || (a && b) || ((a || b) && !self.is_shared(*cond))
            }
            StmtExpr(s) => self.stmt(*s, Some(false)) == Some(true),
            kind => {
                let mut progress = match kind {
                    Assign(None, l, r) => self.is_step(*l) && self.moves(*l, *r),
                    // Made again, they change nothing.
                    Assign(Some(BinOp::BitAnd | BinOp::BitOr), l, r) => {
                        self.is_step(*l) && self.round.uses_any(*r, &self.round.counts)
                    }
                    // What is in shared memory may be zero. Programs count what they wait for by integers.
                    Assign(Some(_), l, r) => {
                        let facts = &self.round.known.facts;
                        let may_stay = facts.s.types.is_integer(facts.s.ty(*l)) && self.is_shared(*r);
                        self.is_step(*l) && (!may_stay || self.round.uses_any(*r, &self.round.counts))
                    }
                    Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec | UnOp::AddrOf, l) => {
                        self.is_step(*l)
                    }
                    _ => false,
                };
                walk_children(u, Child::Expr(e), &mut |n| progress |= self.child(n));
                progress
            }
        }
    }

    /// Is the value of `l` another one in each iteration?
    fn moves(&self, l: ExprId, value: ExprId) -> bool {
        let facts = &self.round.known.facts;
        match facts.u[facts.unparen(value)].kind {
            ExprKind::Cond(cond, Some(a), b) => match (self.moves(l, a), self.moves(l, b)) {
                (a, b) if self.is_shared(cond) => a && b,
                (a, b) => a || b,
            },
            _ if facts.bare(value).is_some() && facts.bare(value) == facts.bare(l) => false,
            _ => self.round.uses_any(value, &self.round.counts),
        }
    }

    fn is_step(&self, l: ExprId) -> bool {
        let is_one = |v: SymId| self.wanted.contains(&v) && self.round.carried.contains(&v);
        self.round.known.root(l).is_some_and(is_one)
    }
}
