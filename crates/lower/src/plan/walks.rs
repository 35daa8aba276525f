//! Loops that walk along shared memory with a pointer (docs/decisions/0012): `while (p != end) s += *p++;`, or
//! `for (p = a; p < a + n; p++) … *p …`. Such a loop is written once more, on landed data, as a counting loop is: its iterations
//! are numbered, and `*p` is the element of that number. The pointer itself takes its steps as the program says, so that
//! whatever else uses it, and what comes after the loop, finds it where it should be.

use super::accesses::{Condition, Use};
use super::build::Planner;
use super::effects::{visit, Effects};
use super::promises::Promises;
use super::slots::Slot;
use super::strips::{Missed, Strips, Write};
use super::views::{Kind, View};
use super::{Proof, Version, When};
use fathom_sema::{Block, SymId, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// A loop that steps a pointer-to-shared by one in each iteration, up to a place that it does not change.
pub(crate) struct Walk {
    /// The pointer, as the condition names it.
    pub pointer: ExprId,
    pub end: ExprId,
    pub step: Option<ExprId>,
    pub body: StmtId,
    pub strips: Strips,
}

impl Planner<'_> {
    /// The loop on landed data, if it walks.
    pub fn walk(&mut self, id: StmtId) -> Option<Result<Walk, Missed>> {
        let u = self.u;
        let (init, cond, step, body) = match &u[id].kind {
            StmtKind::While { cond, body } => (None, *cond, None, *body),
            StmtKind::For { init, cond: Some(cond), step, body } => (Some(init), *cond, *step, *body),
            _ => return None,
        };
        let (pointer, end) = match u[self.unparen(cond)].kind {
            ExprKind::Binary(BinOp::Lt, l, r) => (l, r),
            ExprKind::Binary(BinOp::Gt, l, r) => (r, l),
            ExprKind::Binary(BinOp::Ne, l, r) if self.walks(r).is_some() => match self.walks(l) {
                Some(sym) if self.steps(Child::Stmt(id), sym) > 0 => (l, r),
                _ => (r, l),
            },
            ExprKind::Binary(BinOp::Ne, l, r) => (l, r),
            _ => return None,
        };
        let sym = self.walks(pointer)?;
        (self.steps(Child::Stmt(id), sym) > 0).then(|| self.walk_of(id, (init, step, body), (sym, pointer, end)))
    }

    fn walk_of(
        &mut self,
        id: StmtId,
        (init, step, body): (Option<&ForInit>, Option<ExprId>, StmtId),
        (sym, pointer, end): (SymId, ExprId, ExprId),
    ) -> Result<Walk, Missed> {
        let fx = self.effects_of_iteration(body);
        let mut all = fx.clone();
        if let Some(step) = step {
            let more = self.effects(Child::Expr(step));
            if more.calls || !more.stops.is_empty() || !more.written.is_empty() {
                return Err(Missed::NotCounted);
            }
            all.assigned.extend(more.assigned);
        }
        if !self.begins_purely(init) || !self.is_end(end, self.s.rvalue_ty(pointer), &all) {
            return Err(Missed::NotCounted);
        }
        self.may_strip(id, body, &fx)?;
        let in_step = step.map_or(0, |e| self.steps(Child::Expr(e), sym));
        let in_body = self.steps(Child::Stmt(body), sym);
        let moved = self.moved(step, body, sym).ok_or(Missed::NotCounted)?;
        if in_step + in_body != 1 {
            return Err(Missed::NotCounted);
        }
        // What the loop reads by the pointer.
        let (mut elements, mut low, mut high) = (vec![], i64::MAX, i64::MIN);
        let whole = self.u[body].toks;
        let accesses = self.accesses;
        for (e, a) in accesses {
            if !whole.contains(self.u[*e].toks) {
                continue;
            }
            let Some((x, offset)) = self.walked(*e, sym, moved) else {
                if self.root_symbol(*e) == Some(sym) && a.use_ != Use::Read {
                    return Err(Missed::Written);
                }
                continue;
            };
            let q = self.s.types.quals(self.s.ty(x));
            match a.use_ {
                Use::Read if a.strict => return Err(Missed::Strict),
                Use::Read if [q, self.s.types.quals(self.s.ty(*e))].iter().any(|q| q.is_volatile || q.is_atomic) => {
                    return Err(Missed::Volatile)
                }
                Use::Read => {}
                Use::Write | Use::Update => return Err(Missed::Written),
                Use::Address => return Err(Missed::Address),
            }
            // Of a record that holds a bit-field only the bytes with the field move.
            if matches!(self.u[x].kind, ExprKind::Member { .. }) && self.s.bit_field(x).is_some() {
                continue;
            }
            if offset.unsigned_abs() > 64 {
                continue;
            }
            (low, high) = (low.min(offset), high.max(offset));
            elements.push((x, offset));
        }
        if elements.is_empty() {
            return Err(Missed::Index);
        }
        let slot = Slot { sym, root: pointer, prefix: vec![], shift: vec![], low, high, by_pointer: vec![] };
        let writes = self.writes((body, &self.written_lvalues(body)), sym, &all, &[slot], &Promises::default())?;
        // The body steps what it writes through; so must the clause.
        let is_set = |root: ExprId| {
            self.bare(root).is_some_and(|sym| step.is_some_and(|e| !self.never_set(sym, &[Child::Expr(e)])))
        };
        let root_of = |w: &Write| match *w {
            Write::Elements { root, .. }
            | Write::Whole { root }
            | Write::Local { root, .. }
            | Write::Object { root } => Some(root),
            Write::Array { .. } | Write::Anything | Write::Variable { .. } => None,
        };
        if writes.iter().filter_map(root_of).any(is_set) {
            return Err(Missed::WritesUnknown);
        }
        let elem = self.elem_ty(pointer);
        let kind = Kind::Walked { elements, low, high };
        let v = self.make(View { sym, root: pointer, prefix: vec![], elem, kind, proof: Some(Proof::Landed) });
        let outer = self.landed.len();
        self.landed.push(v);
        let parts: Vec<Child> = [Child::Stmt(body)].into_iter().chain(step.map(Child::Expr)).collect();
        let region = self.region(&parts);
        self.landed.truncate(outer);
        let strips = Strips {
            slots: vec![v],
            gathers: vec![],
            sources: vec![],
            others: Missed::Index,
            writes,
            before_run: vec![],
            versions: vec![Version { when: When::Always, independent: false, region }],
            kept: None,
            may_be_left: self.may_be_left(body, None),
            assumed: None,
            unchecked: false,
            copies_to: None,
            instead: None,
            nest: None,
        };
        Ok(Walk { pointer, end, step, body, strips })
    }

    /// The variable that may walk: a pointer-to-shared of this function that nothing else leads to.
    fn walks(&self, e: ExprId) -> Option<SymId> {
        let sym = self.bare(e)?;
        let s = &self.s.symbols[sym.0 as usize];
        let TyKind::Pointer(elem) = *self.s.types.kind(s.ty) else { return None };
        let q = self.s.types.quals(s.ty);
        let block = self.s.types.shared(elem)?;
        let is_own = s.local && !s.is_static && !s.address_taken && !self.s.types.is_shared(s.ty);
        let fits = matches!(block, Block::Of(_) | Block::Indefinite) && self.count_is_one(elem);
        let is_object = !self.s.types.is_void(elem) && self.s.size_of(elem).is_some_and(|s| !s.times_threads);
        (is_own && fits && is_object && !q.is_volatile && !q.is_atomic && !q.is_const).then_some(sym)
    }

    /// How often the text assigns or steps the variable.
    fn steps(&self, root: Child<'_>, sym: SymId) -> usize {
        let mut count = 0;
        visit(self.u, root, |n| {
            let Child::Expr(e) = n else { return };
            match self.u[e].kind {
                ExprKind::Assign(_, l, _)
                | ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec | UnOp::AddrOf, l) => {
                    count += usize::from(self.bare(l) == Some(sym));
                }
                _ => {}
            }
        });
        count
    }

    /// Is it `p++`, `++p` or `p += 1`?
    fn is_step(&self, e: ExprId, sym: SymId) -> bool {
        match self.u[self.unparen(e)].kind {
            ExprKind::Unary(UnOp::PreInc | UnOp::PostInc, x) => self.bare(x) == Some(sym),
            ExprKind::Assign(Some(BinOp::Add), l, r) => {
                self.bare(l) == Some(sym) && self.s.const_int(self.p, r) == Some(1)
            }
            _ => false,
        }
    }

    /// Where each iteration steps the pointer once: in the third clause or in the last statement of the body (no expression), or in
    /// this `*p++` of the body.
    fn moved(&self, step: Option<ExprId>, body: StmtId, sym: SymId) -> Option<Option<ExprId>> {
        use StmtKind::*;
        if step.is_some_and(|e| self.operands(e).iter().any(|x| self.is_step(*x, sym))) {
            return Some(None);
        }
        let mut jumps = false;
        visit(self.u, Child::Stmt(body), |n| {
            jumps |= matches!(n, Child::Stmt(s) if matches!(self.u[s].kind, Continue | Goto(_) | GotoComputed(_) | Switch { .. }));
            jumps |= matches!(n, Child::Expr(e) if matches!(self.u[e].kind, ExprKind::StmtExpr(_)));
        });
        if jumps {
            return None;
        }
        if let Compound(items) = &self.u[body].kind {
            if let Some(BlockItem::Stmt(s)) = items.last() {
                if matches!(self.u[*s].kind, Expr(Some(e)) if self.is_step(e, sym)) {
                    return Some(None);
                }
            }
        }
        // `*p++` in a statement that each iteration comes to.
        let mut found = None;
        let mut look = |s: StmtId| {
            if !matches!(self.u[s].kind, Expr(Some(_))) {
                return;
            }
            visit(self.u, Child::Stmt(s), |n| {
                let Child::Expr(e) = n else { return };
                if self.is_stepped_deref(e, sym) {
                    found = Some(e);
                }
            });
        };
        match &self.u[body].kind {
            Compound(items) => items.iter().for_each(|i| {
                if let BlockItem::Stmt(s) = i {
                    look(*s);
                }
            }),
            _ => look(body),
        }
        let e = found?;
        let access = self.accesses.iter().find(|(x, _)| self.walked(**x, sym, Some(e)).is_some_and(|(y, _)| y == e));
        let whole = self.u[body].toks;
        let always = access?.1.conditions.iter().all(|c| match *c {
            Condition::Holds(x) | Condition::Fails(x) | Condition::Case(x) => !whole.contains(self.u[x].toks),
        });
        let mut mentions = 0;
        visit(self.u, Child::Stmt(body), |n| {
            mentions += usize::from(
                matches!(n, Child::Expr(x) if self.s.expr_sym[x.index()] == Some(sym) && matches!(self.u[x].kind, ExprKind::Ident(_))),
            );
        });
        (always && mentions == 1).then_some(Some(e))
    }

    fn is_stepped_deref(&self, e: ExprId, sym: SymId) -> bool {
        let ExprKind::Unary(UnOp::Deref, p) = self.u[e].kind else { return false };
        matches!(self.u[self.unparen(p)].kind, ExprKind::Unary(UnOp::PostInc, x) if self.bare(x) == Some(sym))
    }

    fn operands(&self, e: ExprId) -> Vec<ExprId> {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.operands(x),
            ExprKind::Comma(a, b) => [self.operands(a), self.operands(b)].concat(),
            _ => vec![e],
        }
    }

    /// The expression by which an access reaches an element of the walk, and the element's distance from the pointer. `->` reaches
    /// a member of it.
    fn walked(&self, e: ExprId, sym: SymId, moved: Option<ExprId>) -> Option<(ExprId, i64)> {
        use ExprKind::*;
        match self.u[e].kind {
            Paren(x) | Member { base: x, arrow: false, .. } => self.walked(x, sym, moved),
            Index(a, i) if self.member_array(e) => self.walked(self.array_and_index(a, i).0, sym, moved),
            _ if moved.is_some() => (Some(e) == moved).then_some((e, 0)),
            Unary(UnOp::Deref, p) if self.bare(p) == Some(sym) => Some((e, 0)),
            Member { base: p, arrow: true, .. } if self.bare(p) == Some(sym) => Some((e, 0)),
            Index(p, i) if self.bare(p) == Some(sym) => Some((e, i64::try_from(self.s.const_int(self.p, i)?).ok()?)),
            _ => None,
        }
    }

    /// May the first clause be written once more before the loop?
    fn begins_purely(&self, init: Option<&ForInit>) -> bool {
        let mut set: Vec<(Option<SymId>, ExprId)> = vec![];
        match init {
            None | Some(ForInit::None) => {}
            Some(ForInit::Expr(e)) => {
                for x in self.operands(*e) {
                    let ExprKind::Assign(None, l, r) = self.u[self.unparen(x)].kind else { return false };
                    let Some(sym) = self.bare(l) else { return false };
                    set.push((Some(sym), r));
                }
            }
            Some(ForInit::Decl(d)) => {
                for x in &self.u[*d].declarators {
                    let Some(InitKind::Expr(value)) = x.init.map(|i| &self.u[i].kind) else { return false };
                    set.push((None, *value));
                }
            }
        }
        set.iter().all(|(_, r)| {
            let fx = self.effects(Child::Expr(*r));
            let mut reads = false;
            visit(self.u, Child::Expr(*r), |n| {
                let Child::Expr(x) = n else { return };
                reads |= self.accesses.get(&x).is_some_and(|a| a.use_ != Use::Address);
            });
            let is_quiet = !fx.calls && fx.assigned.is_empty() && fx.written.is_empty() && fx.stops.is_empty();
            is_quiet && !reads && set.iter().all(|(sym, _)| sym.is_none_or(|sym| !self.uses(*r, sym)))
        })
    }

    /// Is it a place of the pointer's type that the loop does not change?
    fn is_end(&self, e: ExprId, t: Ty, fx: &Effects) -> bool {
        let to = |t: Ty| self.s.types.pointee(t).map(|t| self.s.types.unqual(t));
        let own = self.s.rvalue_ty(e);
        let layout = |t: Ty| self.s.types.pointee(t).and_then(|t| self.s.types.shared(t));
        self.is_shared_ptr(own) && to(own) == to(t) && layout(own) == layout(t) && self.is_fixed_place(e, fx)
    }

    fn is_fixed_place(&self, e: ExprId, fx: &Effects) -> bool {
        use ExprKind::*;
        match self.u[e].kind {
            Paren(x) => self.is_fixed_place(x, fx),
            Ident(_) => {
                let Some(sym) = self.s.expr_sym[e.index()] else { return false };
                match self.is_array(e) {
                    true => self.s.types.is_shared(self.s.ty(e)),
                    false => !self.s.types.is_shared(self.s.ty(e)) && self.is_fixed(sym, fx),
                }
            }
            Binary(BinOp::Add | BinOp::Sub, a, b) => {
                let is_place = |x: ExprId| self.is_shared_ptr(self.s.rvalue_ty(x));
                match (is_place(a), is_place(b)) {
                    (true, false) => self.is_fixed_place(a, fx) && self.invariant(b, fx),
                    (false, true) => self.is_fixed_place(b, fx) && self.invariant(a, fx),
                    _ => false,
                }
            }
            Unary(UnOp::AddrOf, x) => match self.u[self.unparen(x)].kind {
                Index(a, i) => self.is_fixed_place(a, fx) && self.invariant(i, fx),
                _ => false,
            },
            _ => false,
        }
    }
}
