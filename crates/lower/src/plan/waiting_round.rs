//! One cycle of statements: does a thread that goes through it wait?

use super::effects::visit;
use super::waiting::{Cycle, Known};
use super::waiting_sets::{Guard, How, Seen, Set};
use super::waiting_ways::{Scope, Way};
use fathom_sema::SymId;
use fathom_syntax::ast::*;
use fathom_syntax::token::Name;
use fathom_syntax::visit::Child;
use std::collections::HashSet;

pub(super) struct Round<'k, 'a> {
    pub known: &'k Known<'a>,
    pub cycle: Cycle<'a>,
    sets: Vec<Set>,
    /// The conditions that lead out of it, each way out by itself.
    exits: Vec<Vec<Guard>>,
    /// Each iteration does something that orders accesses, and gives others their turn.
    orders: bool,
    pub labels: HashSet<Name>,
    /// Variables that begin anew in each iteration.
    renewed: HashSet<SymId>,
    /// Private variables whose values others decide.
    pub shared: HashSet<SymId>,
    /// Variables whose values depend on which iteration it is; those among them that carry this from one to the next.
    pub counts: HashSet<SymId>,
    pub carried: HashSet<SymId>,
    /// What called functions set that read shared memory.
    set_by_calls: HashSet<SymId>,
}

impl<'k, 'a> Round<'k, 'a> {
    pub fn new(known: &'k Known<'a>, cycle: Cycle<'a>) -> Round<'k, 'a> {
        let Seen { mentioned, sets, exits, orders, set_by_calls, .. } = Seen::new(known, &cycle);
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
            let follows = || set.value().is_some_and(from) || set.guards.iter().any(|(e, _)| from(*e));
            // Variables that count go their own way, whoever decides when.
            matches!(set.how, How::Found) || (!round.carried.contains(&set.var) && follows())
        });
        round
    }

    /// Does a thread that goes through it wait for another one?
    pub fn waits(&self) -> bool {
        if self.orders || self.exits.iter().any(|exit| exit.is_empty()) {
            return false;
        }
        let facts = &self.known.facts;
        let never = |(e, holds): &Guard| facts.s.const_int(facts.p, *e).is_some_and(|value| (value != 0) != *holds);
        if self.exits.iter().all(|exit| exit.iter().any(never)) {
            return true;
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

    pub fn uses_any(&self, e: ExprId, of: &HashSet<SymId>) -> bool {
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
        self.cycle.parts.iter().copied().chain(self.cycle.conds().map(Child::Expr)).all(|part| {
            let mut jumps = vec![];
            visit(facts.u, part, |n| {
                let Child::Expr(e) = n else { return };
                let ExprKind::Call { callee, .. } = facts.u[e].kind else { return };
                jumps.extend(self.known.jumps(callee).then_some(e));
            });
            let fx = facts.effects_but(part, &jumps);
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
        if self.cycle.conds().any(|e| way.expr(e)) {
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
