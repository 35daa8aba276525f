//! Updates of computed places by one operand, `for (i…) t[list[i]] += 1;`, or by a relaxed atomic operation, made for many iterations
//! together: the places are computed first, and then the runtime sorts near ones from far ones, so that no branch is mispredicted and near
//! misses overlap.
//!
//! The loop does nothing else: private variables that are set on the way to the place, conditions, and the update. So all that could tell the difference
//! is private memory that the places are computed from, where a pointer leads into the shared memory that is updated: these addresses go up
//! with the loop's variable or stay, so the runtime compares ranges, and if they meet leaves the iterations to the loop.
//!
//! An address may itself be read from memory, `p->list[k]`, and an operand may fault. They are computed once for a batch, if it has a place: then the program
//! has computed them, too, unless a choice within an expression stands before them. Behind a choice only such reads are taken whose
//! addresses are computed from variables.

use super::build::Planner;
use super::counting::Counting;
use super::effects::{visit, Effects};
use super::gathers::Step;
use super::library::library_name;
use super::updates::Update;
use fathom_sema::SymId;
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// As many as `FATHOM_BATCH_READS` of runtime/lang/batch.h.
const MOST_READS: usize = 8;

/// What a loop does in each iteration, and nothing else.
pub(crate) struct Batch {
    /// The object that is updated: an element of a table, or a part of one.
    pub object: ExprId,
    /// What an iteration sets before the place is computed, and under which conditions it makes the update.
    pub steps: Vec<Step>,
    pub change: Change,
    /// Private objects that are read by way of pointers. Their addresses go up with the loop's variable, or stay.
    pub reads: Vec<ExprId>,
    /// Shared elements that are read, in a loop whose iterations are this thread's. As above if they are near.
    pub shared_reads: Vec<ExprId>,
}

#[derive(Clone, Copy)]
pub(crate) enum Change {
    /// Without an operand: by one.
    Update(Update, Option<ExprId>),
    /// `upc_atomic_relaxed` without a result: the domain, the operation, and a pointer to the operand.
    Atomic([ExprId; 3]),
}

impl Planner<'_> {
    /// The loop's update, if it may be made so. Of a `upc_forall` whose iterations are known the bound is, too.
    pub fn batch(&self, id: StmtId, body: StmtId, c: &Counting, fx: &Effects, is_own: bool) -> Option<Batch> {
        let mut conditions = vec![];
        let (object, change) = self.only_change(self.only_expression(body, &mut conditions)?)?;
        let (fx, calls) = match change {
            Change::Update(..) => (fx.clone(), 0),
            Change::Atomic(_) => (fx.without_calls(), 1),
        };
        if fx.calls || self.may_strip(id, body, &fx).is_err() || !self.computes_only(body, c.hi, calls) {
            return None;
        }
        let element = self.element_in(object)?;
        let s = self.subscripts(element)?;
        if !self.is_of_table(self.s.ty(element), &s, &fx) {
            return None;
        }
        let settings = self.settings(body);
        let mut place = self.no_place(&settings);
        let of_parts = self.subscripts_in(object);
        let mut parts = s.indices.iter().chain(&of_parts).chain(&conditions);
        if !parts.all(|e| self.is_place(*e, c.var, &fx, &mut place)) {
            return None;
        }
        let (mut reads, shared_reads, mut steps) = place.parts();
        steps.extend(conditions.into_iter().map(|e| Step::When(e, true)));
        steps.sort_by_key(|s| self.u[s.expr()].toks.lo);
        let parts = [s.root].into_iter().chain(s.indices).chain(of_parts).chain(steps.iter().map(|s| s.expr()));
        let has_step = |sym: SymId| steps.iter().any(|s| matches!(s, Step::Set(x, _) if *x == sym));
        let is_all = self.declared_in(body).into_iter().all(has_step);
        if !(shared_reads.is_empty() || is_own) || !is_all || self.has_two_of_a_name(parts, &steps) {
            return None;
        }
        // What stays the same.
        let mut fixed = self.no_place(&settings);
        let stays = match change {
            Change::Update(_, operand) => operand.into_iter().all(|e| self.is_place(e, c.var, &fx, &mut fixed)),
            Change::Atomic([domain, op, operand]) => {
                self.bare(domain).is_some_and(|sym| self.is_fixed(sym, &fx))
                    && self.s.const_int(self.p, op).is_some()
                    && self.is_address(operand, &fx)
            }
        };
        let stays = stays && (is_own || self.is_place(c.hi, c.var, &fx, &mut fixed)) && !fixed.varies();
        let (of_fixed, shared, set) = fixed.parts();
        if !stays || !shared.is_empty() || !set.is_empty() {
            return None;
        }
        reads.extend(of_fixed);
        reads.retain(|r| self.private_variable(*r).is_none());
        let varies = |e: ExprId| {
            let names = |step: &Step| matches!(step, Step::Set(sym, _) if self.uses(e, *sym));
            self.uses(e, c.var) || steps.iter().any(names)
        };
        let operand = if let Change::Update(_, operand) = change { operand } else { None };
        let values = steps.iter().flat_map(|s| match *s {
            Step::Set(_, value) => vec![value],
            Step::When(condition, _) => self.conjuncts(condition),
        });
        let chooses = values.chain([object, c.hi]).chain(operand).any(|e| self.chooses(e));
        let mut all = reads.iter().chain(&shared_reads);
        // An operand may be one more.
        let is_good = all.clone().count() < MOST_READS
            && all.all(|r| self.is_in_order(*r, c.var, &varies) && (!chooses || self.has_plain_address(*r)));
        is_good.then_some(Batch { object, steps, change, reads, shared_reads })
    }

    /// Are there only so many calls, and no type that is computed where it stands, as that of an array of variable length is?
    fn computes_only(&self, body: StmtId, hi: ExprId, calls: usize) -> bool {
        let (mut found, mut has_types) = (0, false);
        for root in [Child::Stmt(body), Child::Expr(hi)] {
            visit(self.u, root, |n| match n {
                Child::Expr(e) => found += usize::from(matches!(self.u[e].kind, ExprKind::Call { .. })),
                Child::TypeName(t) => has_types |= self.is_computed(self.s.type_name_ty[t.index()]),
                Child::Decl(d) => {
                    let declared = self.u[d].declarators.iter();
                    let mut symbols = declared.filter_map(|x| self.s.declarator_sym[x.declarator.index()]);
                    has_types |= symbols.any(|sym| self.is_computed(self.s.symbols[sym.0 as usize].ty));
                }
                _ => {}
            });
        }
        found == calls && !has_types
    }

    /// What must all hold for the condition to hold.
    fn conjuncts(&self, condition: ExprId) -> Vec<ExprId> {
        match self.u[condition].kind {
            ExprKind::Paren(x) => self.conjuncts(x),
            ExprKind::Binary(BinOp::And, a, b) => [self.conjuncts(a), self.conjuncts(b)].concat(),
            _ => vec![condition],
        }
    }

    /// Does it depend on a value which parts of the expression are evaluated?
    fn chooses(&self, e: ExprId) -> bool {
        let mut found = false;
        visit(self.u, Child::Expr(e), |n| {
            let Child::Expr(x) = n else { return };
            found |= matches!(self.u[x].kind, ExprKind::Cond(..) | ExprKind::Binary(BinOp::And | BinOp::Or, ..));
        });
        found
    }

    /// Is the object's address computed from variables, without a fault?
    fn has_plain_address(&self, r: ExprId) -> bool {
        let is_plain = |e: ExprId| {
            let mut plain = true;
            visit(self.u, Child::Expr(e), |n| {
                let Child::Expr(x) = n else { return };
                let kind = &self.u[x].kind;
                plain &=
                    !matches!(kind, ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _));
                plain &= !matches!(kind, ExprKind::Binary(BinOp::Div | BinOp::Rem, ..));
            });
            plain
        };
        match self.u[r].kind {
            ExprKind::Paren(x) | ExprKind::Member { base: x, arrow: false, .. } => self.has_plain_address(x),
            ExprKind::Ident(_) => true,
            ExprKind::Index(p, i) => {
                (if self.is_array(p) { self.has_plain_address(p) } else { is_plain(p) }) && is_plain(i)
            }
            ExprKind::Unary(UnOp::Deref, p) | ExprKind::Member { base: p, arrow: true, .. } => is_plain(p),
            _ => false,
        }
    }

    /// The only statement of a body that is an expression; what comes before it in a block declares. The conditions under which it is reached
    /// are added.
    pub(super) fn only_expression(&self, body: StmtId, conditions: &mut Vec<ExprId>) -> Option<ExprId> {
        match &self.u[body].kind {
            StmtKind::Expr(Some(e)) => Some(*e),
            StmtKind::Compound(items) => match items.split_last()? {
                (BlockItem::Stmt(last), before) if before.iter().all(|i| matches!(i, BlockItem::Decl(_))) => {
                    self.only_expression(*last, conditions)
                }
                _ => None,
            },
            StmtKind::If { cond, then, els: None } => {
                conditions.push(*cond);
                self.only_expression(*then, conditions)
            }
            _ => None,
        }
    }

    /// The object that the expression updates, and how.
    fn only_change(&self, e: ExprId) -> Option<(ExprId, Change)> {
        use ExprKind::*;
        match self.u[e].kind {
            Paren(x) => self.only_change(x),
            Assign(Some(_), l, r) => self.update_of(l, Some(r)),
            Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l) => self.update_of(l, None),
            Call { callee, ref args } if library_name(self.p, self.s, callee) == Some("upc_atomic_relaxed") => {
                let [domain, result, op, target, operand, other] = args[..] else { return None };
                let Unary(UnOp::AddrOf, object) = self.u[self.without_casts(target)].kind else { return None };
                (self.is_null(result) && self.is_null(other)).then_some((object, Change::Atomic([domain, op, operand])))
            }
            _ => None,
        }
    }

    fn update_of(&self, l: ExprId, operand: Option<ExprId>) -> Option<(ExprId, Change)> {
        let update = self.updates.objects.get(&l)?.ok()?;
        Some((l, Change::Update(update, operand)))
    }

    /// The subscripts of a part of an element, within it.
    pub(super) fn subscripts_in(&self, part: ExprId) -> Vec<ExprId> {
        match self.u[part].kind {
            ExprKind::Paren(x) | ExprKind::Member { base: x, arrow: false, .. } => self.subscripts_in(x),
            ExprKind::Index(a, i) if self.member_array(part) => {
                let (a, i) = self.array_and_index(a, i);
                let mut found = self.subscripts_in(a);
                found.push(i);
                found
            }
            _ => vec![],
        }
    }

    /// Is it a pointer that the loop does not change: a variable's, the address of one, or null?
    fn is_address(&self, e: ExprId, fx: &Effects) -> bool {
        match self.u[self.without_casts(e)].kind {
            ExprKind::Unary(UnOp::AddrOf, x) => self.bare(x).is_some() && !self.is_shared_lvalue(x),
            ExprKind::Ident(_) => self.bare(self.without_casts(e)).is_some_and(|sym| self.is_fixed(sym, fx)),
            _ => self.is_null(e),
        }
    }

    /// Does the object's address go up with the loop's variable, or stay?
    fn is_in_order(&self, r: ExprId, var: SymId, varies: &impl Fn(ExprId) -> bool) -> bool {
        let goes_up =
            |i: ExprId| self.sum_from(i, var).is_some_and(|(_, shift)| !shift.iter().any(|(_, x)| varies(*x)));
        match self.u[r].kind {
            _ if self.s.bit_field(r).is_some() => false,
            ExprKind::Paren(x) | ExprKind::Member { base: x, arrow: false, .. } => self.is_in_order(x, var, varies),
            ExprKind::Ident(_) => true, // an array
            ExprKind::Index(p, i) => {
                let from = if self.is_array(p) { self.is_in_order(p, var, varies) } else { !varies(p) };
                from && (!varies(i) || goes_up(i))
            }
            ExprKind::Unary(UnOp::Deref, p) | ExprKind::Member { base: p, arrow: true, .. } => !varies(p),
            _ => false,
        }
    }
}
