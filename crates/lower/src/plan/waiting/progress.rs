//! One cycle of statements: what it sets, what ends it, and whether each way through it makes progress.

use super::super::effects::visit;
use super::super::library::library_name;
use super::{Cycle, Known};
use fathom_sema::SymId;
use fathom_syntax::ast::*;
use fathom_syntax::token::Name;
use fathom_syntax::visit::{walk_children, Child};
use std::collections::{HashMap, HashSet};

/// A condition under which code runs, and whether it must hold.
type Guard = (ExprId, bool);

/// A variable that is set in the cycle.
struct Set {
    var: SymId,
    how: How,
    guards: Vec<Guard>,
}

#[derive(Clone, Copy)]
enum How {
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

/// Functions after which nothing else comes.
const ENDS: [&str; 4] = ["exit", "_Exit", "abort", "upc_global_exit"];

pub(super) struct Round<'k, 'a> {
    known: &'k Known<'a>,
    cycle: Cycle<'a>,
    sets: Vec<Set>,
    /// The conditions that lead out of it, each way out by itself.
    exits: Vec<Vec<Guard>>,
    /// Each iteration does something that orders accesses, and gives others their turn.
    orders: bool,
    labels: HashSet<Name>,
    /// Variables that begin anew in each iteration.
    renewed: HashSet<SymId>,
    /// Private variables whose values others decide.
    shared: HashSet<SymId>,
    /// Variables whose values depend on which iteration it is; those among them that carry this from one to the next.
    counts: HashSet<SymId>,
    carried: HashSet<SymId>,
    /// What called functions set that read shared memory.
    set_by_calls: HashSet<SymId>,
}

impl<'k, 'a> Round<'k, 'a> {
    pub fn new(known: &'k Known<'a>, cycle: Cycle<'a>) -> Round<'k, 'a> {
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
        // What the condition reads has been set in the iteration before.
        if let Some((cond, _)) = cycle.cond {
            seen.exits.push(vec![(cond, false)]);
        }
        cycle.parts.iter().for_each(|part| seen.child(*part));
        seen.guards.clear();
        cycle.step.iter().chain(cycle.cond.iter().map(|(cond, _)| cond)).for_each(|e| seen.expr(*e));
        let Seen { mentioned, sets, exits, orders, set_by_calls, .. } = seen;
        let renewed = mentioned.into_iter().filter_map(|(v, is_set)| is_set.then_some(v)).collect();
        let mut labels = HashSet::new();
        for part in &cycle.parts {
            visit(known.facts.u, *part, |n| {
                if let Child::Stmt(s) = n {
                    labels.extend(if let StmtKind::Label(name, _) = known.facts.u[s].kind { Some(name) } else { None });
                }
            });
        }
        let (shared, counts, carried) = Default::default();
        let mut round =
            Round { known, cycle, sets, exits, orders, labels, renewed, shared, counts, carried, set_by_calls };
        round.carried = round.sets.iter().map(|set| set.var).filter(|v| round.is_carried(*v)).collect();
        round.counts = round.closure(|set, found| {
            let from = |e: ExprId| round.uses_any(e, &round.carried) || round.uses_any(e, found);
            round.carried.contains(&set.var) || set.value().is_some_and(from)
        });
        round.shared = round.closure(|set, found| {
            let from = |e: ExprId| known.is_shared(e) || round.uses_any(e, found);
            // Variables that count go their own way, whoever decides when.
            let decided = || !round.carried.contains(&set.var) && set.guards.iter().any(|(e, _)| from(*e));
            matches!(set.how, How::Found) || set.value().is_some_and(from) || decided()
        });
        round
    }

    /// Does a thread that goes through it wait for another one?
    pub fn waits(&self) -> bool {
        if self.orders || self.exits.iter().any(|exit| exit.is_empty()) {
            return false;
        }
        let mut looks = false;
        for (e, _) in self.exits.iter().flatten() {
            self.leaves(*e, &mut |leaf| looks |= self.looks(leaf));
        }
        looks
            && (self.does_nothing_else()
                || !self.exits.iter().any(|exit| exit.iter().all(|(e, holds)| self.comes(*e, *holds))))
    }

    /// The variables of which `is_one` says so, given those that have been found before.
    fn closure(&self, is_one: impl Fn(&Set, &HashSet<SymId>) -> bool) -> HashSet<SymId> {
        let mut found = HashSet::new();
        loop {
            let more: Vec<SymId> = self
                .sets
                .iter()
                .filter(|set| !found.contains(&set.var) && is_one(set, &found))
                .map(|set| set.var)
                .collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    fn uses_any(&self, e: ExprId, of: &HashSet<SymId>) -> bool {
        !of.is_empty() && self.known.facts.names_in(e).iter().any(|v| of.contains(v))
    }

    /// Does its value in one iteration depend on the one that it had before?
    fn is_carried(&self, v: SymId) -> bool {
        if self.renewed.contains(&v) {
            return false;
        }
        let of = |v: SymId| self.sets.iter().filter(move |set| set.var == v);
        if of(v).any(|set| matches!(set.how, How::Step(_) | How::Somehow)) {
            return true;
        }
        let (mut reached, mut at) = (vec![v], 0);
        while at < reached.len() {
            for name in of(reached[at]).filter_map(Set::value).flat_map(|value| self.known.facts.names_in(value)) {
                if name == v {
                    return true;
                }
                if !reached.contains(&name) {
                    reached.push(name);
                }
            }
            at += 1;
        }
        false
    }

    /// The parts of a condition, taken apart at `!`, `&&` and `||`.
    fn leaves(&self, e: ExprId, f: &mut impl FnMut(ExprId)) {
        let e = self.known.facts.unparen(e);
        match self.known.facts.u[e].kind {
            ExprKind::Unary(UnOp::Not, x) => self.leaves(x, f),
            ExprKind::Binary(BinOp::And | BinOp::Or, a, b) => {
                self.leaves(a, f);
                self.leaves(b, f);
            }
            _ => f(e),
        }
    }

    /// Does the condition become true, or false, because the cycle counts?
    fn comes(&self, e: ExprId, holds: bool) -> bool {
        let e = self.known.facts.unparen(e);
        match self.known.facts.u[e].kind {
            ExprKind::Unary(UnOp::Not, x) => self.comes(x, !holds),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => match (op == BinOp::And) == holds {
                true => self.comes(a, holds) && self.comes(b, holds),
                false => self.comes(a, holds) || self.comes(b, holds),
            },
            _ => match self.known.facts.s.const_int(self.known.facts.p, e) {
                Some(value) => (value != 0) == holds,
                None => self.makes_progress(&self.basis(e)),
            },
        }
    }

    /// Does the condition follow from shared memory, so that nothing but a write of another thread may change it?
    fn looks(&self, e: ExprId) -> bool {
        let basis = self.basis(e);
        let is_shared = |e: ExprId| self.known.is_shared(e);
        let mut sets = self.sets.iter().filter(|set| basis.contains(&set.var));
        let follows = is_shared(e)
            || sets.any(|set| {
                matches!(set.how, How::Found)
                    || set.value().is_some_and(is_shared)
                    || set.guards.iter().any(|(e, _)| is_shared(*e))
            })
            || basis.iter().any(|v| self.set_by_calls.contains(v));
        follows && !self.makes_progress(&basis)
    }

    /// The variables from which it follows whether a condition holds.
    fn basis(&self, e: ExprId) -> HashSet<SymId> {
        let names = |e: ExprId| self.known.facts.names_in(e);
        let mut basis: HashSet<SymId> = names(e).into_iter().collect();
        loop {
            let before = basis.len();
            for set in &self.sets {
                if basis.contains(&set.var)
                    && !self.known.facts.s.types.is_shared(self.known.facts.s.symbols[set.var.0 as usize].ty)
                {
                    basis.extend(set.value().into_iter().chain(set.guards.iter().map(|(e, _)| *e)).flat_map(names));
                }
            }
            if basis.len() == before {
                return basis;
            }
        }
    }

    /// Does it change no memory, and read memory only at places that stay the same?
    fn does_nothing_else(&self) -> bool {
        let facts = &self.known.facts;
        let conds = self.cycle.step.iter().chain(self.cycle.cond.iter().map(|(cond, _)| cond)).map(|e| Child::Expr(*e));
        self.cycle.parts.iter().copied().chain(conds).all(|part| {
            let fx = facts.effects(part);
            let writes = !(fx.written.is_empty() && fx.pointed_written.is_empty() && fx.elements_written.is_empty());
            let mut moves = false;
            visit(facts.u, part, |n| {
                let Child::Expr(e) = n else { return };
                let is_memory = matches!(
                    facts.u[e].kind,
                    ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { arrow: true, .. }
                );
                moves |= is_memory && self.uses_any(e, &self.counts);
            });
            !fx.changes && !writes && !moves && fx.stops.is_empty()
        })
    }

    /// Does each way through an iteration change one of the variables, in a way that differs from one iteration to the next?
    fn makes_progress(&self, wanted: &HashSet<SymId>) -> bool {
        if !self.carried.iter().any(|v| wanted.contains(v)) {
            return false;
        }
        let mut way = Way { round: self, wanted, scopes: vec![Scope::Loop(true)], only_private: vec![] };
        let conds = self.cycle.step.iter().chain(self.cycle.cond.iter().map(|(cond, _)| cond));
        if conds.into_iter().any(|e| way.expr(*e)) {
            return true;
        }
        let mut at = Some(false);
        for part in &self.cycle.parts {
            at = match *part {
                Child::Stmt(s) => way.stmt(s, at),
                part => at.map(|progress| progress | way.child(part)),
            };
        }
        // The statements of a `goto` are gone through again at the `goto` alone.
        let falls = self.cycle.label.is_some() || at != Some(false);
        falls && !matches!(way.scopes[..], [Scope::Loop(false)])
    }
}

impl Set {
    fn value(&self) -> Option<ExprId> {
        match self.how {
            How::To(e) | How::Step(Some(e)) | How::Bits(e) => Some(e),
            How::Step(None) | How::Found | How::Somehow => None,
        }
    }
}

/// What has been seen of a cycle, in its order.
struct Seen<'k, 'a> {
    known: &'k Known<'a>,
    label: Option<Name>,
    guards: Vec<Guard>,
    /// Inner statements which `break` leaves, and loops among them.
    breaks: u32,
    loops: u32,
    /// The first time that a variable is mentioned, is it set?
    mentioned: HashMap<SymId, bool>,
    sets: Vec<Set>,
    exits: Vec<Vec<Guard>>,
    orders: bool,
    set_by_calls: HashSet<SymId>,
}

impl<'a> Seen<'_, 'a> {
    fn child(&mut self, n: Child<'a>) {
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

    fn expr(&mut self, e: ExprId) {
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
                // What else it does with an array is not known.
                Some(v) if facts.is_array(x) => {
                    self.expr(*arg);
                    self.set(Some(v), How::Somehow);
                }
                _ => self.expr(*arg),
            }
        }
        if ENDS.contains(&name) {
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

/// What a jump leaves.
enum Scope {
    /// Has each way back to the loop's head made progress?
    Loop(bool),
    /// The ways out by `break`.
    Switch(Vec<bool>),
}

/// The ways through an iteration, in the order of the text: has each of them made progress? None: no way leads there.
struct Way<'r, 'k, 'a> {
    round: &'r Round<'k, 'a>,
    wanted: &'r HashSet<SymId>,
    scopes: Vec<Scope>,
    /// The conditions around, innermost last: are they private?
    only_private: Vec<bool>,
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

    fn stmt(&mut self, id: StmtId, at: Option<bool>) -> Option<bool> {
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
                loops.map(|to| self.back(to, at));
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

    fn child(&mut self, n: Child<'a>) -> bool {
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
    fn expr(&mut self, e: ExprId) -> bool {
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
                    // Made again, `|=` changes nothing. What is added may be zero as long as the thread waits.
                    Assign(Some(op), l, r) => {
                        let may_stay = matches!(op, BinOp::BitAnd | BinOp::BitOr) || self.round.known.is_shared(*r);
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
