//! Atomic operations whose results a loop uses, `place = upc_atomic_relaxed(…, &next[bin[i]], …); list[place] = i;`, made for many iterations
//! together (docs/decisions/0019): their places and operands are computed first, the threads that have the objects carry them out,
//! and then the loop's own text finds the results.
//!
//! So operations are made earlier than the program makes them, behind each other as it does. Relaxed accesses to different places have no
//! order; what could tell the difference is an access of the loop to the same table, and what places and operands are computed from. Both
//! are excluded by their names and types, or compared at run time, as for gathers. An operation that is made must be one that
//! the program makes: nothing leaves the loop before its end.
//!
//! The call may be one of a function of another file that is such an operation (`atomic_functions`).

use super::accesses::{conditions_of, Use};
use super::atomic_functions::Parameters;
use super::build::Planner;
use super::counting::Counting;
use super::effects::{visit, Effects, Written};
use super::facts::{Facts, Subscripts};
use super::gathers::{Gather, Setting, Step, MOST_GATHERS};
use super::library::library_name;
use super::promises::Promises;
use super::pure::Purity;
use super::strips::{Missed, Strips, Write};
use super::updates::bupc_atomic;
use super::views::{Kind, View};
use super::Proof;
use fathom_sema::{IntKind, SymId, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;
use std::collections::HashMap;

/// An atomic operation of a loop, the only one.
pub(crate) struct Fetch {
    pub call: ExprId,
    pub object: Object,
    /// Its type.
    pub ty: Ty,
    /// What an iteration sets before place and operand are computed, and under which conditions it makes the operation.
    pub steps: Vec<Step>,
    pub operation: Operation,
    pub operand: Option<ExprId>,
    /// Shared elements that are read for the place, in a loop whose iterations are this thread's: they must be near.
    pub shared_reads: Vec<ExprId>,
    /// The questions before the loop, of which the table and the arrays of these elements are the gathers.
    pub strips: Strips,
    /// Private memory that the loop reads and that may be a part of the table.
    pub loads: Vec<Write>,
}

/// What the operation is made on.
#[derive(Clone, Copy)]
pub(crate) enum Object {
    /// An element of a table, or a part of one.
    Named(ExprId),
    /// `table[index]`, of which a function has table and index as arguments; and the index' type there.
    Indexed { table: ExprId, index: ExprId, ty: Ty },
}

#[derive(Clone, Copy)]
pub(crate) enum Operation {
    /// `upc_atomic_relaxed`: the domain, the operation, and the private object that gets the result.
    Domain([ExprId; 3]),
    /// `bupc_atomicX_OP_relaxed`: type and operation, as `enum fathom_fetch_type` and `enum fathom_fetch_op` name them.
    Berkeley(&'static str, &'static str),
    /// A function of another file, if that says that it is an operation on what these parameters say.
    Elsewhere(SymId, Parameters),
}

/// A call, as far as its text says.
pub(super) struct Call {
    pub call: ExprId,
    pub object: Object,
    pub operation: Operation,
    pub operand: Option<ExprId>,
    /// The private object that gets the result.
    pub result: Option<ExprId>,
}

/// The table that has an operation's object.
struct Table {
    s: Subscripts,
    of_element: Ty,
    of_object: Ty,
    /// Subscripts within the element.
    of_parts: Vec<ExprId>,
}

impl Planner<'_> {
    /// The loop's atomic operation, if it may be made so; or why its call may not. Of a `upc_forall` whose iterations are known, and
    /// are this thread's own, the bound is, too.
    pub fn fetch(
        &mut self,
        id: StmtId,
        body: StmtId,
        c: &Counting,
        fx: &Effects,
        is_own: bool,
    ) -> Option<Result<Fetch, (ExprId, Missed)>> {
        let found = self.only_fetch(body)?;
        let call = found.call;
        let is_sure = !matches!(found.operation, Operation::Elsewhere(..));
        let fx = self.without_fetch(&found, fx);
        let allowed = self.may_strip(id, body, &fx).and_then(|()| match is_own {
            true => Ok(Effects { assigned: [&fx.assigned[..], &[c.var]].concat(), ..fx.clone() }),
            false => self.each_iteration(c, &fx),
        });
        let bound = (!is_own).then_some(c.hi);
        let made = allowed.and_then(|fx| self.fetch_in((body, bound), c.var, &fx, found));
        // Of a function that may be no operation at all nothing is missed.
        (made.is_ok() || is_sure).then(|| made.map_err(|why| (call, why)))
    }

    fn fetch_in(
        &mut self,
        (body, hi): (StmtId, Option<ExprId>),
        var: SymId,
        fx: &Effects,
        found: Call,
    ) -> Result<Fetch, Missed> {
        let Call { call, object, operation, operand, result } = found;
        let Table { s, of_element, of_object: t, of_parts } = self.table(object).ok_or(Missed::Index)?;
        let q = self.s.types.quals(t);
        let is_strict = matches!(object, Object::Named(x) if self.is_strict(x));
        let is_table = self.is_of_table(of_element, &s, fx);
        if !is_table || is_strict || q.is_volatile || q.is_atomic || self.may_change_domain(operation, fx) {
            return Err(Missed::Index);
        }
        let settings = self.settings_with_operand(body, operand);
        let mut place = self.no_place(&settings);
        if !s.indices.iter().chain(&of_parts).all(|i| self.is_place(*i, var, fx, &mut place)) {
            return Err(Missed::Index);
        }
        if let Operation::Domain([domain, op, _]) = operation {
            let is_fixed = self.bare(domain).is_some_and(|sym| self.is_fixed(sym, fx));
            if !is_fixed || self.s.const_int(self.p, op).is_none() {
                return Err(Missed::Operation);
            }
        }
        let kept = operand.filter(|x| self.is_kept_operand(*x, body, fx));
        if kept.is_none() && !operand.is_none_or(|x| self.is_place(x, var, fx, &mut place)) {
            return Err(Missed::Operation);
        }
        let conditions = self.evaluated_under(call, body).ok_or(Missed::Conditional)?;
        if !conditions.iter().all(|(condition, _)| self.is_place(*condition, var, fx, &mut place)) {
            return Err(Missed::Conditional);
        }
        let (mut reads, shared, mut steps) = place.parts();
        reads.extend(kept);
        steps.extend(conditions.into_iter().map(|(condition, holds)| Step::When(condition, holds)));
        steps.sort_by_key(|s| self.u[s.expr()].toks.lo);
        let parts = [s.root].into_iter().chain(s.indices).chain(of_parts).chain(operand);
        let parts = parts.chain(steps.iter().map(|s| s.expr()));
        if (hi.is_some() && !shared.is_empty()) || self.has_two_of_a_name(parts, &steps) {
            return Err(Missed::Index);
        }
        let mut gathers = vec![Gather::of_fetch(s.sym, s.root, steps.clone(), reads)];
        for read in &shared {
            let of =
                self.subscripts(*read).filter(|of| self.is_array(of.root) && of.sym != s.sym).ok_or(Missed::Index)?;
            if gathers.iter().all(|g| g.sym != of.sym) {
                gathers.push(Gather::of_fetch(of.sym, of.root, vec![], vec![]));
            }
        }
        if gathers.len() > MOST_GATHERS {
            return Err(Missed::TooMany);
        }
        let written: Vec<ExprId> = self.written_lvalues(body).into_iter().chain(result).collect();
        let promises = Promises::default();
        let mut writes = self.writes((body, &written), var, fx, &[], &promises)?;
        let sources = self.gather_writes((body, &written), var, fx, &gathers, &mut writes, &promises)?;
        let loads = self.loads((body, hi, t), var, fx, &gathers[0])?;
        let views = gathers.into_iter().map(|g| {
            let kind = Kind::Gathered { elements: vec![], level: 0, steps: g.steps };
            let (elem, proof) = (self.elem_ty(g.root), Some(Proof::Gathered));
            self.make(View { sym: g.sym, root: g.root, prefix: vec![], elem, kind, proof })
        });
        let strips = Strips::of_tables(views.collect(), sources, writes);
        let ty = self.s.types.unqual(t);
        Ok(Fetch { call, object, ty, steps, operation, operand, shared_reads: shared, strips, loads })
    }

    fn table(&self, object: Object) -> Option<Table> {
        match object {
            Object::Named(object) => {
                let element = self.element_in(object)?;
                let (of_element, of_object) = (self.s.ty(element), self.s.ty(object));
                let (s, of_parts) = (self.subscripts(element)?, self.subscripts_in(object));
                Some(Table { s, of_element, of_object, of_parts })
            }
            Object::Indexed { table, index, .. } => {
                let t = self.s.types.pointee(self.s.rvalue_ty(table))?;
                let s = Subscripts { sym: self.bare(table)?, root: table, indices: vec![index] };
                Some(Table { s, of_element: t, of_object: t, of_parts: vec![] })
            }
        }
    }

    /// The conditions under which an iteration evaluates this expression; none as for `conditions`.
    fn evaluated_under(&self, e: ExprId, body: StmtId) -> Option<Vec<(ExprId, bool)>> {
        self.conditions_at(self.u[e].toks, &conditions_of(**self, body, e)?, body)
    }

    /// May the loop write the variable by which a function of another file finds its domain?
    fn may_change_domain(&self, operation: Operation, fx: &Effects) -> bool {
        let Operation::Elsewhere(f, _) = operation else { return false };
        let is_like_one = |t: Ty| self.is_shared_ptr(t) || self.may_be_one(t, self.s.symbols[f.0 as usize].ty);
        fx.pointed_written.iter().any(|t| is_like_one(*t))
            || fx
                .assigned
                .iter()
                .map(|sym| &self.s.symbols[sym.0 as usize])
                .any(|x| !x.local && self.is_shared_ptr(x.ty))
    }

    /// The body's only call that is more than a computation, if it is an atomic operation whose result is used.
    fn only_fetch(&self, body: StmtId) -> Option<Call> {
        let (mut found, mut others) = (None, false);
        visit(self.u, Child::Stmt(body), |n| {
            let Child::Expr(e) = n else { return };
            let ExprKind::Call { callee, ref args } = self.u[e].kind else { return };
            if self.purity(callee) == Some(Purity::Computes) {
                return;
            }
            let name = library_name(self.p, self.s, callee);
            if let Some(call) = self.call_of_atomic_function(e, callee, args) {
                others |= found.is_some();
                found = Some(Some(call));
                return;
            }
            if name.is_some_and(|name| self.only_prints_values(name, args)) {
                return;
            }
            others |= found.is_some();
            found = name.map(|name| self.fetch_call(e, name, args));
            others |= found.is_none();
        });
        found?.filter(|_| !others)
    }

    fn fetch_call(&self, call: ExprId, name: &str, args: &[ExprId]) -> Option<Call> {
        let addressed = |p: ExprId| match self.u[self.without_casts(p)].kind {
            ExprKind::Unary(UnOp::AddrOf, x) => Some(x),
            _ => None,
        };
        if name == "upc_atomic_relaxed" {
            let [domain, result, op, target, operand, other] = *args else { return None };
            let object = addressed(target)?;
            let result_object = addressed(result)?;
            let operand = if self.is_null(operand) { None } else { Some(addressed(operand)?) };
            let same = |x: ExprId| {
                let is_private = !self.is_shared_lvalue(x) && self.s.bit_field(x).is_none();
                is_private && self.is_number_as_wide(self.s.ty(x), self.s.ty(object))
            };
            let fits = self.is_null(other)
                && same(result_object)
                && operand.is_none_or(same)
                && self.is_number_as_wide(self.s.ty(object), self.s.ty(object));
            let operation = Operation::Domain([domain, op, result_object]);
            let object = Object::Named(object);
            return fits.then_some(Call { call, object, operation, operand, result: Some(result_object) });
        }
        if self.updates.atomics.contains_key(&call) {
            return None;
        }
        let (ty, op) = bupc_atomic(name)?;
        let bytes = if ty.ends_with("32") { 4 } else { 8 };
        let (object, operand) = match *args {
            [p] => (addressed(p)?, None),
            [p, x] => (addressed(p)?, Some(x)),
            _ => return None,
        };
        let t = self.s.ty(object);
        let fits = self.is_number_as_wide(t, t) && self.s.size_of(t).is_some_and(|s| s.bytes == bytes);
        let (object, operation) = (Object::Named(object), Operation::Berkeley(ty, op));
        fits.then_some(Call { call, object, operation, operand, result: None })
    }

    /// The effects without the call, but with what it writes.
    fn without_fetch(&self, found: &Call, fx: &Effects) -> Effects {
        let mut fx = fx.without_calls();
        if let Some(result) = found.result {
            let t = self.lvalue_type(result);
            fx.written.push(Written::Local);
            fx.pointed_written.push(t);
            fx.elements_written.push(t);
        }
        fx
    }

    /// What iterations set; among it the operand, which has an address because the call wants one.
    fn settings_with_operand(&self, body: StmtId, operand: Option<ExprId>) -> HashMap<SymId, Setting> {
        let own = self.declared_in(body);
        let sym = operand.and_then(|x| self.bare(x)).filter(|s| own.contains(s) && self.addresses_of(*s, body) == 1);
        self.settings_but(body, sym)
    }

    fn addresses_of(&self, sym: SymId, body: StmtId) -> usize {
        let mut found = 0;
        visit(self.u, Child::Stmt(body), |n| {
            let Child::Expr(e) = n else { return };
            let ExprKind::Unary(UnOp::AddrOf, x) = self.u[e].kind else { return };
            found += usize::from(self.names_in(x).contains(&sym));
        });
        found
    }

    /// Is the operand a variable whose address the body takes for this call alone, and which it does not write? A pointer may still lead to it.
    fn is_kept_operand(&self, x: ExprId, body: StmtId, fx: &Effects) -> bool {
        let Some(sym) = self.bare(x) else { return false };
        let symbol = &self.s.symbols[sym.0 as usize];
        let q = self.s.types.quals(symbol.ty);
        let is_written =
            self.written_lvalues(body).into_iter().any(|l| self.private_variable(l).is_some_and(|w| w.0 == sym));
        symbol.address_taken
            && fx.assigned.contains(&sym)
            && !is_written
            && self.addresses_of(sym, body) == 1
            && !self.declared_in(body).contains(&sym)
            && !q.is_volatile
            && !q.is_atomic
    }

    /// What the loop reads, in its body and for its bound, besides by the operation itself, and may be in the table.
    fn loads(
        &self,
        (body, hi, object): (StmtId, Option<ExprId>, Ty),
        var: SymId,
        fx: &Effects,
        table: &Gather,
    ) -> Result<Vec<Write>, Missed> {
        let whole = self.u[body].toks;
        let is_of_bound = |at| hi.is_some_and(|hi| self.u[hi].toks.contains(at));
        let in_table = self.s.types.unqual(object);
        let may_be = |l: ExprId| self.may_be_one(self.lvalue_type(l), in_table);
        for (&e, a) in self.accesses {
            let at = self.u[e].toks;
            if a.use_ == Use::Address || !(whole.contains(at) || is_of_bound(at)) {
                continue;
            }
            let is_other = match self.shared_object(e) {
                Some(sym) if self.is_array(table.root) => sym != table.sym,
                _ => !may_be(e),
            };
            // What is written without being read, the other questions compare.
            if !is_other && a.use_ != Use::Write {
                return Err(Missed::TableUsed);
            }
        }
        let is_always = |l: ExprId| {
            is_of_bound(self.u[l].toks) || self.evaluated_under(l, body).is_some_and(|conditions| conditions.is_empty())
        };
        let (mut found, mut missed) = (vec![], None);
        let mut look = |n: Child| {
            let Child::Expr(x) = n else { return };
            let is_lvalue = matches!(
                self.u[x].kind,
                ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _)
            );
            if !is_lvalue || self.is_array(x) || self.is_shared_lvalue(x) || !self.through_pointer(x) || !may_be(x) {
                return;
            }
            match self.private_range((x, &is_always), body, var, fx) {
                Ok(read) => found.extend(read),
                Err(_) => missed = Some(Missed::TableUsed),
            }
        };
        visit(self.u, Child::Stmt(body), &mut look);
        hi.into_iter().for_each(|hi| visit(self.u, Child::Expr(hi), &mut look));
        missed.map_or(Ok(found), Err)
    }
}

impl Facts<'_> {
    /// Is it a type of numbers that has 4 or 8 bytes, as many as the other?
    pub(super) fn is_number_as_wide(&self, t: Ty, other: Ty) -> bool {
        let bytes = |t: Ty| self.s.size_of(t).filter(|s| !s.times_threads).map(|s| s.bytes);
        let is_number = match self.s.types.kind(t) {
            TyKind::Int(k) => *k != IntKind::Bool,
            TyKind::Float(_) => true,
            _ => false,
        };
        is_number && matches!(bytes(t), Some(4 | 8)) && bytes(t) == bytes(other)
    }
}
