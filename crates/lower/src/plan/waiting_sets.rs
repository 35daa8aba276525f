//! What a cycle sets, and the conditions that lead out of it.

use super::effects::visit;
use super::library::library_name;
use super::waiting::{Cycle, Known};
use fathom_sema::SymId;
use fathom_syntax::ast::*;
use fathom_syntax::token::Name;
use fathom_syntax::visit::{walk_children, Child};
use std::collections::{HashMap, HashSet};

/// A condition under which code runs, and whether it must hold.
pub(super) type Guard = (ExprId, bool);

/// A variable that is set in the cycle.
pub(super) struct Set {
    pub var: SymId,
    pub how: How,
    pub guards: Vec<Guard>,
}

#[derive(Clone, Copy)]
pub(super) enum How {
    /// To a value.
    To(ExprId),
    /// From its own value, by `++` or `op=`.
    Step(Option<ExprId>),
    /// By `|=` or `&=`, which change nothing where they are made again.
    Bits(ExprId),
    /// By a function, to what it finds in shared memory.
    Found,
    /// In an unknown way.
    Somehow,
}

impl Set {
    pub fn value(&self) -> Option<ExprId> {
        match self.how {
            How::To(e) | How::Step(Some(e)) | How::Bits(e) => Some(e),
            How::Step(None) | How::Found | How::Somehow => None,
        }
    }
}

/// What has been seen of a cycle, in its order.
pub(super) struct Seen<'k, 'a> {
    known: &'k Known<'a>,
    label: Option<Name>,
    guards: Vec<Guard>,
    /// Inner statements which `break` leaves, and loops among them.
    breaks: u32,
    loops: u32,
    /// The first time that a variable is mentioned, is it set?
    pub mentioned: HashMap<SymId, bool>,
    pub sets: Vec<Set>,
    pub exits: Vec<Vec<Guard>>,
    pub orders: bool,
    pub set_by_calls: HashSet<SymId>,
}

impl<'k, 'a> Seen<'k, 'a> {
    pub fn new(known: &'k Known<'a>, cycle: &Cycle<'a>) -> Seen<'k, 'a> {
        let mut seen = Seen {
            known,
            label: cycle.label,
            guards: vec![],
            breaks: 0,
            loops: 0,
            mentioned: HashMap::new(),
            sets: vec![],
            exits: vec![],
            orders: false,
            set_by_calls: HashSet::new(),
        };
        seen.exits.extend(cycle.cond.map(|cond| vec![(cond, false)]));
        cycle.parts.iter().for_each(|part| seen.child(*part));
        seen.guards.clear();
        // What the condition reads has been set in the iteration before.
        cycle.conds().for_each(|e| seen.expr(e));
        seen
    }

    pub fn child(&mut self, n: Child<'a>) {
        match n {
            Child::Expr(e) => self.expr(e),
            Child::Stmt(s) => self.stmt(s),
            Child::Decl(d) => {
                let (u, s) = (self.known.facts.u, self.known.facts.s);
                for x in &u[d].declarators {
                    x.init.iter().for_each(|i| self.child(Child::Init(*i)));
                    let Some(v) = s.declarator_sym[x.declarator.index()] else { continue };
                    let is_static = s.symbols[v.0 as usize].is_static;
                    self.mentioned.entry(v).or_insert(!is_static);
                    if let (Some(InitKind::Expr(value)), false) = (x.init.map(|i| &u[i].kind), is_static) {
                        self.set(Some(v), How::To(*value));
                    }
                }
            }
            Child::Fn(_) => {}
            Child::Init(_) | Child::TypeName(_) => walk_children(self.known.facts.u, n, &mut |n| self.child(n)),
        }
    }

    fn set(&mut self, var: Option<SymId>, how: How) {
        self.sets.extend(var.map(|var| Set { var, how, guards: self.guards.clone() }));
    }

    fn under(&mut self, e: ExprId, holds: bool, f: impl FnOnce(&mut Self)) {
        self.guards.push((e, holds));
        f(self);
        // Behind a statement that may go elsewhere there are other guards, which stay.
        let at = self.guards.iter().rposition(|guard| *guard == (e, holds));
        at.map(|at| self.guards.remove(at));
    }

    fn stmt(&mut self, id: StmtId) {
        use StmtKind::*;
        let u = self.known.facts.u;
        let always = self.guards.is_empty() && self.loops == 0;
        match &u[id].kind {
            If { cond, then, els } => {
                self.expr(*cond);
                self.under(*cond, true, |seen| seen.stmt(*then));
                els.iter().for_each(|els| self.under(*cond, false, |seen| seen.stmt(*els)));
                if self.jumps(*then, true) {
                    self.guards.push((*cond, false));
                }
                if els.is_some_and(|els| self.jumps(els, true)) {
                    self.guards.push((*cond, true));
                }
            }
            Switch { cond, body } => {
                self.expr(*cond);
                self.breaks += 1;
                self.under(*cond, true, |seen| seen.stmt(*body));
                self.breaks -= 1;
                if self.jumps(*body, false) {
                    self.guards.push((*cond, true));
                }
            }
            While { cond, body } => {
                self.expr(*cond);
                self.inner(|seen| seen.under(*cond, true, |seen| seen.stmt(*body)));
            }
            DoWhile { body, cond } => {
                self.inner(|seen| seen.stmt(*body));
                self.expr(*cond);
            }
            For { init, cond, step, body } | Forall { init, cond, step, body, .. } => {
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => self.expr(*e),
                    ForInit::Decl(d) => self.child(Child::Decl(*d)),
                }
                cond.iter().for_each(|e| self.expr(*e));
                let parts = |seen: &mut Self| {
                    seen.stmt(*body);
                    step.iter().for_each(|e| seen.expr(*e));
                };
                self.inner(|seen| match cond {
                    Some(cond) => seen.under(*cond, true, parts),
                    None => parts(seen),
                });
            }
            Break if self.breaks == 0 => self.exits.push(self.guards.clone()),
            Return(e) => {
                e.iter().for_each(|e| self.expr(*e));
                self.exits.push(self.guards.clone());
            }
            Goto(name) if Some(*name) == self.label => {
                self.exits.extend(self.guards.iter().map(|(e, holds)| vec![(*e, !holds)]).collect::<Vec<_>>());
            }
            Goto(_) | GotoComputed(_) => self.exits.push(self.guards.clone()),
            Notify(_) | Wait(_) | Barrier(_) | Fence => self.orders |= always,
            _ => walk_children(u, Child::Stmt(id), &mut |n| self.child(n)),
        }
    }

    fn inner(&mut self, f: impl FnOnce(&mut Self)) {
        let guards = self.guards.len();
        (self.breaks, self.loops) = (self.breaks + 1, self.loops + 1);
        f(self);
        (self.breaks, self.loops) = (self.breaks - 1, self.loops - 1);
        self.guards.truncate(guards);
    }

    /// May it go somewhere else than to what follows it?
    fn jumps(&self, s: StmtId, by_break: bool) -> bool {
        use StmtKind::*;
        let mut jumps = false;
        visit(self.known.facts.u, Child::Stmt(s), |n| {
            jumps |= match n {
                Child::Stmt(s) => match self.known.facts.u[s].kind {
                    Break => by_break,
                    Continue | Return(_) | Goto(_) | GotoComputed(_) => true,
                    _ => false,
                },
                _ => false,
            };
        });
        jumps
    }

    pub fn expr(&mut self, e: ExprId) {
        use ExprKind::*;
        let (u, s) = (self.known.facts.u, self.known.facts.s);
        self.orders |=
            self.known.facts.is_strict(e) && !self.known.facts.is_array(e) && self.guards.is_empty() && self.loops == 0;
        match &u[e].kind {
            Ident(_) => {
                s.expr_sym[e.index()].map(|v| self.mentioned.entry(v).or_insert(false));
            }
            SizeofExpr(..) | SizeofType(..) => {}
            Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                self.expr(*a);
                self.under(*a, *op == BinOp::And, |seen| seen.expr(*b));
            }
            Cond(cond, a, b) => {
                self.expr(*cond);
                a.iter().for_each(|a| self.under(*cond, true, |seen| seen.expr(*a)));
                self.under(*cond, false, |seen| seen.expr(*b));
            }
            Assign(op, l, r) => {
                self.expr(*r);
                let var = self.known.root(*l);
                let is_renewed = op.is_none() && self.guards.is_empty() && self.known.facts.is_plain_variable(*l);
                match var {
                    Some(v) if is_renewed => _ = self.mentioned.entry(v).or_insert(true),
                    _ => self.expr(*l),
                }
                let how = match op {
                    None => How::To(*r),
                    Some(BinOp::BitAnd | BinOp::BitOr) => How::Bits(*r),
                    Some(_) => How::Step(Some(*r)),
                };
                self.set(var, how);
            }
            Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l) => {
                self.expr(*l);
                self.set(self.known.root(*l), How::Step(None));
            }
            Unary(UnOp::AddrOf, l) => {
                self.expr(*l);
                self.set(self.place_of(*l), How::Somehow);
            }
            Call { callee, args } => {
                self.call(*callee, args);
            }
            _ => walk_children(u, Child::Expr(e), &mut |n| self.child(n)),
        }
    }

    fn call(&mut self, callee: ExprId, args: &[ExprId]) {
        let facts = &self.known.facts;
        let reads = self.known.call_reads(callee);
        if let Some(f) = self.known.called(callee).filter(|f| f.reads_shared) {
            self.set_by_calls.extend(&f.sets);
        }
        let name = library_name(facts.p, facts.s, callee).unwrap_or("");
        let is_lock = ["upc_lock", "upc_unlock"].contains(&name) || name.starts_with("upc_all_");
        self.orders |= is_lock && self.guards.is_empty() && self.loops == 0;
        self.expr(callee);
        for arg in args {
            let mut x = *arg;
            while let ExprKind::Paren(y) | ExprKind::Cast(_, y) = facts.u[x].kind {
                x = y;
            }
            let place = match facts.u[x].kind {
                ExprKind::Unary(UnOp::AddrOf, l) => self.place_of(l),
                _ if facts.is_array(x) => self.place_of(x),
                _ => None,
            };
            match place {
                Some(v) if reads => {
                    self.mentioned.entry(v).or_insert(false);
                    self.set(Some(v), How::Found);
                }
                None if reads => {
                    self.expr(*arg);
                    let t = facts.s.rvalue_ty(*arg);
                    let is_result = |t| !facts.s.types.is_shared(t) && !facts.s.types.quals(t).is_const;
                    if facts.s.types.pointee(t).is_some_and(is_result) {
                        self.set(self.known.root(x), How::Found);
                    }
                }
                // What else it does with an array is not known.
                Some(v) if facts.is_array(x) => {
                    self.expr(*arg);
                    self.set(Some(v), How::Somehow);
                }
                _ => self.expr(*arg),
            }
        }
        if self.known.never_returns(callee) {
            self.exits.push(self.guards.clone());
        }
    }

    /// The private variable that an lvalue is a part of.
    fn place_of(&self, l: ExprId) -> Option<SymId> {
        use ExprKind::*;
        let facts = &self.known.facts;
        match facts.u[l].kind {
            Ident(_) => facts.s.expr_sym[l.index()].filter(|_| !facts.s.types.is_shared(facts.s.ty(l))),
            Paren(x) | Member { base: x, arrow: false, .. } => self.place_of(x),
            Index(a, _) if facts.is_array(a) => self.place_of(a),
            _ => None,
        }
    }
}
