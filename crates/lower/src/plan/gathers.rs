//! Gathers (docs/decisions/0014): reads `t[f(i)]` of a counting loop whose places the program computes from what the loop does
//! not change, often `t[index[i]]`. The places of a strip of iterations are computed before it, and the elements are
//! fetched together.
//!
//! That is allowed where it is known ahead which iterations make the read, so that nothing is computed and read which the
//! program would not, and where no write of the loop reaches the table or what places and conditions are computed from. In C that
//! is seldom known: a store through a pointer may change `index`. Where the types do not exclude it (C17 6.5 p7), ranges are
//! compared before the loop.
//!
//! A place may be computed by way of variables of the body that an iteration sets once, before it uses them
//! ([`Step::Set`]), and the read may stand under conditions that are computed like places ([`Step::When`]).

use super::accesses::Condition;
use super::build::Planner;
use super::effects::{visit, Effects};
use super::facts::Subscripts;
use super::promises::Promises;
use super::slots::Slot;
use super::strips::{Missed, Shift, Write};
use fathom_sema::{Block, Linkage, SymId, SymKind, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;
use fathom_syntax::visit::Child;
use std::collections::HashMap;

/// As many as `FATHOM_STRIP_GATHERS` and `FATHOM_STRIP_SOURCES` of runtime/lang/strip.h.
pub(super) const MOST_GATHERS: usize = 6;
const MOST_SOURCES: usize = 8;
/// Bytes of an element: of larger ones a loop seldom uses all.
const MOST_BYTES: u64 = 256;

/// Elements of a table that a loop gathers: the same one in each iteration, wherever it is written.
#[derive(Clone)]
pub(crate) struct Gather {
    pub sym: SymId,
    pub root: ExprId,
    pub elements: Vec<ExprId>,
    /// The number of gathers that must have been made before the places are known.
    pub level: u32,
    /// What comes before the place, in the order of the text.
    pub steps: Vec<Step>,
    /// Private objects that are read for the place.
    pub reads: Vec<ExprId>,
    /// Is the place computed from what a slot has landed?
    pub uses_slots: bool,
    /// Gathered elements that the place is computed from.
    needs: Vec<ExprId>,
}

/// A part of an iteration that its places are computed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// A variable gets its value.
    Set(SymId, ExprId),
    /// The rest only if the condition holds, or does not.
    When(ExprId, bool),
}

impl Step {
    pub fn expr(self) -> ExprId {
        match self {
            Step::Set(_, e) | Step::When(e, _) => e,
        }
    }
}

impl Gather {
    /// The table of an atomic operation (`fetches`).
    pub(super) fn of_fetch(sym: SymId, root: ExprId, steps: Vec<Step>, reads: Vec<ExprId>) -> Gather {
        Gather { sym, root, elements: vec![], level: 0, steps, reads, uses_slots: false, needs: vec![] }
    }

    /// Is its element fetched whenever that of the other one is?
    fn covers(&self, other: &Gather) -> bool {
        let mut conditions = self.steps.iter().filter(|s| matches!(s, Step::When(..)));
        conditions.all(|s| other.steps.contains(s))
    }
}

/// A variable that an iteration sets once: to this value, which it has in this part of the text.
pub(super) struct Setting {
    value: ExprId,
    scope: TokRange,
}

/// Private memory from which places are computed, and which the loop may write.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// `p[var + shift + offset]`, whose elements have this many bytes.
    Elements { root: ExprId, shift: Shift, offset: i64, bytes: u64 },
    /// The whole of a variable.
    Variable { root: ExprId },
}

/// What a place is computed from.
pub(super) struct Place<'s> {
    settings: &'s HashMap<SymId, Setting>,
    reads: Vec<ExprId>,
    shared: Vec<ExprId>,
    steps: Vec<Step>,
    /// The loop's variable is among it.
    varies: bool,
}

impl Place<'_> {
    /// Does it depend on the loop's variable?
    pub fn varies(&self) -> bool {
        self.varies
    }

    /// Is it computed from variables alone?
    pub fn reads_nothing(&self) -> bool {
        self.reads.is_empty() && self.shared.is_empty()
    }

    /// Private objects and shared ones that are read, and the steps.
    pub fn parts(self) -> (Vec<ExprId>, Vec<ExprId>, Vec<Step>) {
        (self.reads, self.shared, self.steps)
    }
}

impl Planner<'_> {
    /// The gathers of a loop's body, each behind those that it needs; and why other reads are none.
    /// Of the elements that are `own`, because this thread has them, only those are gathered that others need.
    pub fn gathers(
        &self,
        body: StmtId,
        var: SymId,
        fx: &Effects,
        slots: &[Slot],
        own: impl Fn(ExprId) -> bool,
    ) -> (Vec<Gather>, Missed) {
        self.gathers_in(body, body, var, fx, slots, own)
    }

    /// Those of a part of the body, whose places may be computed by way of all of it.
    pub fn gathers_in(
        &self,
        part: StmtId,
        body: StmtId,
        var: SymId,
        fx: &Effects,
        slots: &[Slot],
        own: impl Fn(ExprId) -> bool,
    ) -> (Vec<Gather>, Missed) {
        let mut found = Vec::<Gather>::new();
        let settings = self.settings(body);
        let mut open = self.elements(Child::Stmt(part));
        open.retain(|e| {
            self.s.types.is_shared(self.s.ty(*e)) && !self.is_array(*e) && self.slot_of(*e, var, fx, slots).is_none()
        });
        // Elements inside a subscript come before the one that has it; what else a place needs may be found later.
        open.reverse();
        let missed = loop {
            let (before, mut missed) = (open.len(), Missed::Index);
            open.retain(|e| match self.gather(*e, (body, &settings), var, fx, slots, &found) {
                Err(why) => {
                    if why != Missed::Index {
                        missed = why;
                    }
                    true
                }
                Ok(g) => {
                    let same = |f: &&mut Gather| f.sym == g.sym && self.is_same_text(f.elements[0], *e);
                    match found.iter_mut().filter(same).find(|f| f.covers(&g) || g.covers(f)) {
                        Some(f) if f.covers(&g) => f.elements.push(*e),
                        Some(f) => {
                            let elements = g.elements.iter().chain(&f.elements).copied().collect();
                            let needs = f.needs.iter().chain(&g.needs).copied().collect();
                            *f = Gather { elements, needs, ..g };
                        }
                        None => found.push(g),
                    }
                    false
                }
            });
            if open.len() == before {
                break missed;
            }
        };
        found.sort_by_key(|g| std::cmp::Reverse(g.level));
        let mut needed: Vec<ExprId> = vec![];
        found.retain(|g| {
            let is_wanted = g.elements.iter().any(|e| needed.contains(e) || !own(*e));
            if is_wanted {
                needed.extend(&g.needs);
            }
            is_wanted
        });
        if found.len() > MOST_GATHERS {
            return (vec![], Missed::TooMany);
        }
        found.sort_by_key(|g| g.level);
        (found, missed)
    }

    pub(super) fn slot_of<'b>(&self, e: ExprId, var: SymId, fx: &Effects, slots: &'b [Slot]) -> Option<&'b Slot> {
        let s = self.strip_element(e, var, fx)?;
        slots.iter().find(|t| {
            t.by_pointer.is_empty()
                && t.sym == s.sym
                && self.same_all(&t.prefix, &s.prefix)
                && self.same_shift(&t.shift, &s.shift)
                && (t.low..=t.high).contains(&s.low)
        })
    }

    /// Is it one element of a shared array, or behind a pointer-to-shared that the loop does not change, of a layout that is known?
    pub(super) fn is_of_table(&self, element: Ty, s: &Subscripts, fx: &Effects) -> bool {
        let t = self.s.ty(s.root);
        let fits = match *self.s.types.kind(t) {
            TyKind::Array(..) => self.s.types.is_shared(t) && self.count_is_one(element),
            TyKind::Pointer(elem) => {
                s.indices.len() == 1
                    && self.count_is_one(elem)
                    && self.is_fixed(s.sym, fx)
                    && !self.s.types.is_shared(t)
                    && self.s.size_of(elem).is_some()
            }
            _ => false,
        };
        fits && matches!(self.layout_of_root(t), Some(Block::Of(_) | Block::Indefinite))
    }

    fn gather(
        &self,
        e: ExprId,
        (body, settings): (StmtId, &HashMap<SymId, Setting>),
        var: SymId,
        fx: &Effects,
        slots: &[Slot],
        found: &[Gather],
    ) -> Result<Gather, Missed> {
        let s = self.subscripts(e).ok_or(Missed::Index)?;
        if !self.is_of_table(self.s.ty(e), &s, fx) {
            return Err(Missed::Index);
        }
        self.is_read(e)?;
        if self.s.elem_size(self.elem_ty(s.root)) > MOST_BYTES {
            return Err(Missed::TooLarge);
        }
        let mut place = Place { settings, reads: vec![], shared: vec![], steps: vec![], varies: false };
        if !s.indices.iter().all(|i| self.is_place(*i, var, fx, &mut place)) || !place.varies {
            return Err(Missed::Index);
        }
        for (condition, holds) in self.conditions(e, body).ok_or(Missed::Conditional)? {
            if !self.is_place(condition, var, fx, &mut place) {
                return Err(Missed::Conditional);
            }
            place.steps.push(Step::When(condition, holds));
        }
        place.steps.sort_by_key(|s| self.u[s.expr()].toks.lo);
        let parts = [s.root].into_iter().chain(s.indices).chain(place.steps.iter().map(|s| s.expr()));
        if self.has_two_of_a_name(parts, &place.steps) {
            return Err(Missed::Index);
        }
        let (mut level, mut uses_slots, mut needs) = (0, false, vec![]);
        for x in place.shared {
            if self.slot_of(x, var, fx, slots).is_some() {
                uses_slots = true;
                continue;
            }
            let before = found.iter().find(|g| g.elements.contains(&x)).ok_or(Missed::Index)?;
            level = level.max(before.level + 1);
            needs.push(x);
            uses_slots |= before.uses_slots;
        }
        Ok(Gather {
            sym: s.sym,
            root: s.root,
            elements: vec![e],
            level,
            steps: place.steps,
            reads: place.reads,
            uses_slots,
            needs,
        })
    }

    /// The conditions under which an iteration makes this read, and whether each must hold or fail; none if the loop may be
    /// left early, or the read jumped over in another way than by `if (…) continue;`.
    pub(super) fn conditions(&self, e: ExprId, body: StmtId) -> Option<Vec<(ExprId, bool)>> {
        let access = self.accesses_of.get(&e).and_then(|x| self.accesses.get(x))?;
        self.conditions_at(self.u[e].toks, &access.conditions, body)
    }

    /// The same of what stands at a place in the body, under these conditions.
    pub(super) fn conditions_at(
        &self,
        at: TokRange,
        around: &[Condition],
        body: StmtId,
    ) -> Option<Vec<(ExprId, bool)>> {
        use StmtKind::*;
        let whole = self.u[body].toks;
        let mut found = vec![];
        for c in around {
            let (x, holds) = match *c {
                Condition::Holds(x) => (x, Some(true)),
                Condition::Fails(x) => (x, Some(false)),
                Condition::Case(x) => (x, None),
            };
            if whole.contains(self.u[x].toks) {
                found.push((x, holds?));
            }
        }
        let (mut known, mut continues, mut is_inner) = (true, false, false);
        visit(self.u, Child::Stmt(body), |n| match n {
            Child::Stmt(s) => match &self.u[s].kind {
                Break | Return(_) | Goto(_) | GotoComputed(_) => known = false,
                Continue => continues = true,
                Compound(items) => {
                    let stmts = items.iter().filter_map(|i| match i {
                        BlockItem::Stmt(s) => Some(*s),
                        _ => None,
                    });
                    // What comes before the read in a block that has it.
                    let has_read = self.u[s].toks.contains(at);
                    for s in stmts.filter(|s| has_read && self.u[*s].toks.hi <= at.lo) {
                        match self.u[s].kind {
                            _ if !self.has_continue(s) => {}
                            If { cond, then, els }
                                if self.continues(then) && !els.is_some_and(|s| self.has_continue(s)) =>
                            {
                                found.push((cond, false));
                            }
                            _ => known = false,
                        }
                    }
                }
                _ => {}
            },
            Child::Expr(x) => {
                is_inner |= matches!(self.u[x].kind, ExprKind::StmtExpr(_));
                known &= !matches!(self.u[x].kind, ExprKind::Call { callee, .. } if self.may_end(callee));
            }
            _ => {}
        });
        // A block within an expression has no place in the order of the text.
        (known && !(continues && is_inner)).then_some(found)
    }

    /// Does every iteration make this read?
    pub(super) fn is_always_made(&self, e: ExprId, body: StmtId) -> bool {
        self.conditions(e, body).is_some_and(|c| c.is_empty())
    }

    /// Does every way through the statement end the iteration?
    fn continues(&self, s: StmtId) -> bool {
        match &self.u[s].kind {
            StmtKind::Continue => true,
            StmtKind::Compound(items) => matches!(items.last(), Some(BlockItem::Stmt(s)) if self.continues(*s)),
            _ => false,
        }
    }

    fn has_continue(&self, s: StmtId) -> bool {
        let mut found = false;
        visit(self.u, Child::Stmt(s), |n| {
            found |= matches!(n, Child::Stmt(s) if matches!(self.u[s].kind, StmtKind::Continue));
        });
        found
    }

    /// The variables that an iteration sets once, where a block has this as a statement or declaration of its own: what
    /// follows it in the block, has the value. No label leads there, except those of a `switch`.
    pub(super) fn settings(&self, body: StmtId) -> HashMap<SymId, Setting> {
        self.settings_but(body, None)
    }

    /// The same where the address of one of them does no harm.
    pub(super) fn settings_but(&self, body: StmtId, addressed: Option<SymId>) -> HashMap<SymId, Setting> {
        let mut found = HashMap::new();
        let (mut times, mut is_switched) = (HashMap::<SymId, u32>::new(), false);
        for l in self.written_lvalues(body) {
            self.private_variable(l).into_iter().for_each(|(sym, _)| *times.entry(sym).or_default() += 1);
        }
        visit(self.u, Child::Stmt(body), |n| match n {
            Child::Stmt(s) => match &self.u[s].kind {
                StmtKind::Case(..) | StmtKind::Default(_) => is_switched = true,
                StmtKind::Compound(items) => {
                    let end = self.u[s].toks.hi;
                    let mut set = |sym: Option<SymId>, value: ExprId| {
                        let scope = TokRange::new(self.u[value].toks.hi, end);
                        sym.into_iter().for_each(|sym| _ = found.insert(sym, Setting { value, scope }));
                    };
                    for item in items {
                        match item {
                            BlockItem::Stmt(s) => {
                                let StmtKind::Expr(Some(e)) = self.u[*s].kind else { continue };
                                let ExprKind::Assign(None, l, value) = self.u[self.unparen(e)].kind else { continue };
                                set(self.bare(l), value);
                            }
                            BlockItem::Decl(d) => {
                                for x in &self.u[*d].declarators {
                                    let Some(InitKind::Expr(value)) = x.init.map(|i| &self.u[i].kind) else { continue };
                                    set(self.s.declarator_sym[x.declarator.index()], *value);
                                }
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            },
            Child::Decl(d) => {
                for x in self.u[d].declarators.iter().filter(|x| x.init.is_some()) {
                    let sym = self.s.declarator_sym[x.declarator.index()];
                    sym.into_iter().for_each(|sym| *times.entry(sym).or_default() += 1);
                }
            }
            _ => {}
        });
        found.retain(|sym, _| {
            let s = &self.s.symbols[sym.0 as usize];
            let q = self.s.types.quals(s.ty);
            let kind = self.s.types.kind(s.ty);
            let is_scalar = matches!(kind, TyKind::Int(_) | TyKind::Enum(_) | TyKind::Float(_) | TyKind::Pointer(_));
            let is_private = !self.s.types.is_shared(s.ty) && !self.is_shared_ptr(s.ty);
            let has_address = s.address_taken && addressed != Some(*sym);
            let is_own = s.local && !s.is_static && !has_address && !q.is_volatile && !q.is_atomic;
            !is_switched && is_scalar && is_private && is_own && times.get(sym) == Some(&1)
        });
        found
    }

    /// A place of which nothing is known yet.
    pub(super) fn no_place<'s>(&self, settings: &'s HashMap<SymId, Setting>) -> Place<'s> {
        Place { settings, reads: vec![], shared: vec![], steps: vec![], varies: false }
    }

    /// Do these expressions name a variable that is called like one of those that the steps set? Before the loop all stand
    /// in one block.
    pub(super) fn has_two_of_a_name(&self, parts: impl Iterator<Item = ExprId>, steps: &[Step]) -> bool {
        let name = |sym: SymId| self.p.source.name(self.s.symbols[sym.0 as usize].name);
        let set = || steps.iter().filter_map(|s| if let Step::Set(sym, _) = s { Some(*sym) } else { None });
        let is_other = |sym: SymId| set().any(|s| s != sym && name(s) == name(sym));
        let mut found = set().any(is_other);
        for part in parts {
            visit(self.u, Child::Expr(part), |n| {
                let Child::Expr(x) = n else { return };
                found |= self.s.expr_sym[x.index()].is_some_and(is_other);
            });
        }
        found
    }

    /// Has the expression a value that is known before the iteration that uses it? All its parts but `var` must keep
    /// theirs in the loop: that is known of variables, and must be shown of the objects that `place` has.
    pub(super) fn is_place(&self, e: ExprId, var: SymId, fx: &Effects, place: &mut Place<'_>) -> bool {
        use ExprKind::*;
        if self.is_shared_lvalue(e) {
            return self.is_shared_place(e, var, fx, place);
        }
        match self.u[e].kind {
            Number | Char | Threads | MyThread => true,
            SizeofType(..) | SizeofExpr(..) => self.keeps_size(e, fx),
            Paren(x) | Unary(UnOp::Plus | UnOp::Neg | UnOp::BitNot | UnOp::Not, x) => self.is_place(x, var, fx, place),
            Cast(t, x) => self.keeps_type(t, fx) && self.is_place(x, var, fx, place),
            // What the body itself declares is not known before it.
            Call { callee, ref args } => {
                self.bare(callee).is_none_or(|f| !fx.assigned.contains(&f))
                    && self.is_value(callee, args)
                    && args.iter().all(|x| self.is_place(*x, var, fx, place))
            }
            Binary(_, a, b) => self.is_place(a, var, fx, place) && self.is_place(b, var, fx, place),
            Cond(c, a, b) => [Some(c), a, Some(b)].into_iter().flatten().all(|x| self.is_place(x, var, fx, place)),
            Ident(_) if self.s.expr_sym[e.index()] == Some(var) => {
                place.varies = true;
                true
            }
            Ident(_) => {
                let Some(sym) = self.s.expr_sym[e.index()] else { return false };
                let (at, settings) = (self.u[e].toks, place.settings);
                if let Some(set) = settings.get(&sym) {
                    let step = Step::Set(sym, set.value);
                    if at.lo < set.scope.lo || set.scope.hi < at.hi || !self.is_place(set.value, var, fx, place) {
                        return false;
                    }
                    if !place.steps.contains(&step) {
                        place.steps.push(step);
                    }
                    return true;
                }
                let symbol = &self.s.symbols[sym.0 as usize];
                let is_constant = matches!(symbol.kind, SymKind::EnumConst(_));
                !self.is_shared_ptr(symbol.ty)
                    && match self.s.types.kind(symbol.ty) {
                        TyKind::Array(..) => !fx.assigned.contains(&sym),
                        TyKind::Record(_) => false,
                        _ => is_constant || self.is_fixed(sym, fx),
                    }
            }
            Index(..) | Member { .. } | Unary(UnOp::Deref, _) => {
                place.reads.push(e);
                !self.is_array(e) && self.is_private_place(e, var, fx, place)
            }
            _ => false,
        }
    }

    /// The same of a private lvalue: may what it designates be found so?
    fn is_private_place(&self, e: ExprId, var: SymId, fx: &Effects, place: &mut Place<'_>) -> bool {
        use ExprKind::*;
        let t = self.s.ty(e);
        let q = self.s.types.quals(t);
        if q.is_volatile || q.is_atomic || self.s.types.is_shared(t) || self.is_shared_ptr(t) {
            return false;
        }
        match self.u[e].kind {
            Paren(x) | Member { base: x, arrow: false, .. } => self.is_private_place(x, var, fx, place),
            Ident(_) => self.s.expr_sym[e.index()].is_some_and(|sym| !fx.assigned.contains(&sym)),
            Index(a, i) if self.is_array(a) => {
                self.is_private_place(a, var, fx, place) && self.is_place(i, var, fx, place)
            }
            Index(a, i) => self.is_place(a, var, fx, place) && self.is_place(i, var, fx, place),
            Unary(UnOp::Deref, p) | Member { base: p, arrow: true, .. } => self.is_place(p, var, fx, place),
            _ => false,
        }
    }

    /// An element, or a member of one, of a shared array.
    fn is_shared_place(&self, e: ExprId, var: SymId, fx: &Effects, place: &mut Place<'_>) -> bool {
        use ExprKind::*;
        match self.u[e].kind {
            Paren(x) | Member { base: x, arrow: false, .. } => self.is_shared_place(x, var, fx, place),
            Index(a, i) if self.member_array(e) => {
                let (a, i) = self.array_and_index(a, i);
                self.is_place(i, var, fx, place) && self.is_shared_place(a, var, fx, place)
            }
            Index(..) => {
                // It has landed, or is gathered itself: other elements do not serve.
                place.shared.push(e);
                place.varies = true;
                // With -fcomm-check its place is computed again, to compare.
                let settings = place.settings;
                let mut inner = Place { settings, reads: vec![], shared: vec![], steps: vec![], varies: false };
                let mut indices = self.subscripts(e).into_iter().flat_map(|s| s.indices);
                if indices.all(|i| self.is_place(i, var, fx, &mut inner)) {
                    let known = place.steps.clone();
                    place.steps.extend(inner.steps.into_iter().filter(|s| !known.contains(s)));
                }
                !self.is_array(e) && self.is_read(e).is_ok()
            }
            _ => false,
        }
    }

    /// Two expressions of the same tokens that name the same variables.
    pub(super) fn is_same_text(&self, a: ExprId, b: ExprId) -> bool {
        self.p.source.words(self.u[a].toks) == self.p.source.words(self.u[b].toks)
            && self.names_in(a) == self.names_in(b)
    }

    /// What must be compared before the loop, so that no write of it changes the places or the tables; or a write that
    /// cannot be compared. `written` is what the loop writes and no promise excepts; `writes` has those that the slots ask for.
    pub fn gather_writes(
        &self,
        (body, written): (StmtId, &[ExprId]),
        var: SymId,
        fx: &Effects,
        gathers: &[Gather],
        writes: &mut Vec<Write>,
        promises: &Promises,
    ) -> Result<Vec<Source>, Missed> {
        let mut sources = vec![];
        let own = self.declared_in(body);
        let reads = || gathers.iter().flat_map(|g| &g.reads).copied();
        for &l in written {
            let lt = self.lvalue_type(l);
            if self.is_shared_lvalue(l) {
                let object = self.shared_object(l);
                let table = |g: &&Gather| match object {
                    _ if promises.unordered => false,
                    // Distinct objects do not overlap.
                    Some(sym) if self.is_array(g.root) => sym == g.sym,
                    _ => self.may_be_one(lt, self.s.types.unqual(self.elem_ty(g.root))),
                };
                if !promises.unordered && gathers.iter().any(|g| object == Some(g.sym)) {
                    return Err(Missed::Written);
                }
                let of_table = gathers.iter().any(|g| table(&g));
                let mut compared = of_table;
                for r in reads() {
                    if self.private_variable(r).is_none() && self.may_be_one(lt, self.lvalue_type(r)) {
                        sources.push(self.source(r, var, fx).ok_or(Missed::IndexWritten)?);
                        compared = true;
                    }
                }
                if compared {
                    let element = self.element_in(l).and_then(|e| self.strip_element(e, var, fx));
                    let Some(w) = element else {
                        if of_table {
                            writes.push(Write::Whole { root: self.whole(l, body, fx)? });
                            continue;
                        }
                        let root = self.element_in(l).and_then(|e| self.subscripts(e)).map(|s| s.root);
                        let of_array = root.filter(|r| object.is_some() && self.is_array(*r));
                        writes.push(of_array.map_or(Write::Anything, |root| Write::Array { root }));
                        continue;
                    };
                    let is_known = |x: &Write| {
                        matches!(x, Write::Elements { root, prefix, shift, offset } if self.bare(*root) == self.bare(w.root)
                            && *offset == w.low && self.same_shift(shift, &w.shift) && self.same_all(prefix, &w.prefix))
                    };
                    if !writes.iter().any(is_known) {
                        writes.push(Write::Elements { root: w.root, prefix: w.prefix, shift: w.shift, offset: w.low });
                    }
                }
                continue;
            }
            let variable = self.private_variable(l);
            // No pointer that is there before the iteration leads to a variable of its own.
            if variable.is_some_and(|(sym, _)| own.contains(&sym)) {
                continue;
            }
            for r in reads() {
                let overlaps = self.may_be_one(lt, self.lvalue_type(r));
                match (variable, self.private_variable(r)) {
                    (Some((written, _)), Some((read, _))) if written != read => continue,
                    (Some(_), Some(_)) => return Err(Missed::IndexWritten),
                    _ if !overlaps => continue,
                    // A pointer may lead to the variable.
                    (Some((sym, root)), None) => {
                        let symbol = &self.s.symbols[sym.0 as usize];
                        let is_array = matches!(self.s.types.kind(symbol.ty), TyKind::Array(..));
                        if !is_array && !symbol.address_taken && symbol.linkage != Linkage::External {
                            continue;
                        }
                        writes.push(Write::Variable { root });
                    }
                    (None, _) => match self.private_write(l, body, var, fx)? {
                        // It is among the writes already.
                        Some(Write::Local { .. }) => {}
                        _ => return Err(Missed::IndexWritten),
                    },
                }
                sources.push(self.source(r, var, fx).ok_or(Missed::IndexWritten)?);
            }
        }
        let same = |a: &Source, b: &Source| match (a, b) {
            (Source::Variable { root: a }, Source::Variable { root: b }) => self.bare(*a) == self.bare(*b),
            (
                Source::Elements { root: a, shift: s, offset: o, bytes: n },
                Source::Elements { root: b, shift: t, offset: p, bytes: m },
            ) => self.bare(*a) == self.bare(*b) && self.same_shift(s, t) && (o, n) == (p, m),
            _ => false,
        };
        let mut each: Vec<Source> = vec![];
        for s in sources {
            if !each.iter().any(|x| same(x, &s)) {
                each.push(s);
            }
        }
        if each.len() > MOST_SOURCES {
            return Err(Missed::TooMany);
        }
        Ok(each)
    }

    /// The variables that the body declares.
    pub(super) fn declared_in(&self, body: StmtId) -> Vec<SymId> {
        let mut found = vec![];
        visit(self.u, Child::Stmt(body), |n| {
            if let Child::Decl(d) = n {
                found.extend(self.u[d].declarators.iter().filter_map(|x| self.s.declarator_sym[x.declarator.index()]));
            }
        });
        found
    }

    /// May two lvalues of these types designate the same bytes?
    pub(super) fn may_be_one(&self, a: Ty, b: Ty) -> bool {
        self.may_overlap(a, b) || self.may_overlap(b, a)
    }

    /// The variable that a private lvalue is a part of, if no pointer leads to it.
    pub(super) fn private_variable(&self, l: ExprId) -> Option<(SymId, ExprId)> {
        use ExprKind::*;
        match self.u[l].kind {
            Ident(_) => Some((self.s.expr_sym[l.index()]?, l)),
            Paren(x) | Unary(UnOp::Extension | UnOp::Real | UnOp::Imag, x) | Member { base: x, arrow: false, .. } => {
                self.private_variable(x)
            }
            Index(a, _) if self.is_array(a) => self.private_variable(a),
            _ => None,
        }
    }

    /// The bytes that a private read concerns in all iterations; none if that is not known before the loop.
    fn source(&self, r: ExprId, var: SymId, fx: &Effects) -> Option<Source> {
        if let Some((_, root)) = self.private_variable(r) {
            return Some(Source::Variable { root });
        }
        match self.u[r].kind {
            ExprKind::Paren(x) | ExprKind::Member { base: x, arrow: false, .. } => self.source(x, var, fx),
            ExprKind::Index(p, i) => {
                let fixed = self.bare(p).is_some_and(|sym| self.is_fixed(sym, fx));
                let (offset, shift) = self.sum_from(i, var)?;
                let keeps = shift.iter().all(|(_, x)| self.invariant(*x, fx) && !self.uses(*x, var));
                let bytes = self.s.size_of(self.s.ty(r)).filter(|s| !s.times_threads)?.bytes;
                (fixed && keeps).then_some(Source::Elements { root: p, shift, offset, bytes })
            }
            _ => None,
        }
    }
}
