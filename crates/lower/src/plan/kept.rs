//! Loops whose elements are gathered through one list for many iterations (docs/decisions/0017): each place that they read is fetched once,
//! and the list says for each read which element it is. Two kinds of loops have such a list:
//!
//! * one with one loop in it, which makes the reads, as in a sparse matrix's product: its rows are often too short to be
//!   fetched one by one;
//! * one of which a pragma promises that what its places are computed from is constant. Then the list is kept, and the next
//!   execution with the same [`Kept::key`] computes no places.

use super::build::Planner;
use super::counting::Counting;
use super::effects::{visit, Effects};
use super::gathers::{Gather, Step};
use super::promises::Promises;
use super::strips::{Missed, Strips};
use super::views::{Kind, View};
use super::Proof;
use fathom_sema::{IntKind, SymId, SymKind, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// As many as `FATHOM_KEPT_KEY` of runtime/lang/kept.h, less those that the writer adds.
const MOST_KEY: usize = 10;

pub(crate) struct Kept {
    /// The loop that makes the reads; none: the loop itself.
    pub inner: Option<Inner>,
    /// Private values that determine the places together with what is promised to be constant; none if the list is not kept.
    pub key: Option<Vec<ExprId>>,
    /// `column[k]` of `p[column[k]]`: the index itself, read from memory where the next iteration's follows. Then those of many iterations
    /// are looked at before, and the loop reads the table without a test.
    pub index: Option<ExprId>,
}

pub(crate) struct Inner {
    pub stmt: StmtId,
    pub counting: Counting,
    /// What comes before its bounds.
    pub steps: Vec<Step>,
    /// Each iteration of the outer loop has as many of it, and that is known before.
    pub is_fixed: bool,
    /// It reads elements that follow each other, which its own strips fetch faster unless there are few.
    pub reads_range: bool,
}

impl Planner<'_> {
    /// The version of a loop with a list; `fx` are the body's effects.
    pub fn kept_strips(&mut self, id: StmtId, body: StmtId, c: &Counting, fx: &Effects) -> Result<Strips, Missed> {
        let mut promises = self.promises(id, body);
        promises.constant = self.known_names(promises.constant, body);
        let mut loops = vec![];
        visit(self.u, Child::Stmt(body), |n| {
            if let Child::Stmt(s) = n {
                loops.extend(self.is_loop(s).then_some(s));
            }
        });
        let inner = match loops[..] {
            [] if promises.constant.is_empty() => return Err(Missed::Index),
            [] => None,
            [s] => Some(s),
            _ => return Err(Missed::NotInnermost),
        };
        self.may_fetch_ahead(id, body, fx)?;
        let mut reads = vec![];
        let mut inner = match inner {
            Some(s) => {
                if let Some(b) = self.body_of(s) {
                    promises.constant.extend(self.known_names(self.promises(s, b).constant, b));
                }
                let (inner, of_bounds) = self.inner(s, body, c, fx)?;
                reads = of_bounds;
                Some(inner)
            }
            None => None,
        };
        let (stmt, var) = inner.as_ref().map_or((body, c.var), |i| (i.stmt, i.counting.var));
        let reads_in = self.body_of(stmt).filter(|_| inner.is_some()).unwrap_or(body);
        let (gathers, others) = self.gathers_in(reads_in, body, var, fx, &[], |_| false);
        let [gather] = &gathers[..] else { return Err(if gathers.is_empty() { others } else { Missed::TooMany }) };
        let mut gather = gather.clone();
        // What is set before the loop inside is computed in it, where its counter's name is the counter.
        let is_before = |e: ExprId| inner.as_ref().is_some_and(|i| self.u[e].toks.hi <= self.u[i.stmt].toks.lo);
        if gather.steps.iter().map(|s| s.expr()).any(|e| is_before(e) && self.names(e, var)) {
            return Err(Missed::Index);
        }
        if let Some(i) = &mut inner {
            let own = self.effects(Child::Stmt(reads_in));
            i.reads_range = self.strip_element(gather.elements[0], var, &own).is_some();
        }
        let in_places = gather.reads.clone();
        gather.reads.extend(&reads);
        // Where the inner loop writes, the text does not say what comes first.
        let mut behind: Vec<ExprId> = gather.elements.iter().chain(&gather.reads).copied().collect();
        behind.extend(inner.as_ref().map(|i| i.counting.hi));
        let of_inner = |l: &ExprId| inner.is_some() && self.u[stmt].toks.contains(self.u[*l].toks);
        let mut written = self.compared_writes(body, &promises, &behind);
        let all = self.compared_writes(body, &Promises::default(), &behind);
        written.extend(all.into_iter().filter(|l| of_inner(l) && !written.contains(l)).collect::<Vec<_>>());
        // Its counter is no memory that pointers lead to.
        written.retain(|l| self.bare(*l) != Some(var));
        let mut writes = self.writes((body, &written), c.var, fx, &[], &promises)?;
        let among = std::slice::from_ref(&gather);
        let sources = self.gather_writes((body, &written), c.var, fx, among, &mut writes, &promises)?;
        let vars = [c.var, var];
        let key = match promises.constant.is_empty() {
            true => None,
            false => self.key(&gather, inner.as_ref(), &reads, &in_places, vars, body, &promises.constant),
        };
        if inner.is_none() && key.is_none() {
            return Err(Missed::NotConstant);
        }
        let others = match (promises.constant.is_empty(), &key) {
            (false, None) => Missed::NotConstant,
            _ => others,
        };
        let index = self.index_in_memory(&gather, var);
        let (outer, outer_inner) = (self.landed.len(), self.inner_of_list);
        let elem = self.elem_ty(gather.root);
        let kind = Kind::Gathered { elements: gather.elements.clone(), level: 0, steps: gather.steps.clone() };
        let proof = Some(Proof::Gathered);
        let v = self.make(View { sym: gather.sym, root: gather.root, prefix: vec![], elem, kind, proof });
        self.landed.push(v);
        self.inner_of_list = inner.as_ref().map(|i| i.stmt);
        let versions = self.versions(body, 0, |_| false);
        self.inner_of_list = outer_inner;
        self.landed.truncate(outer);
        Ok(Strips {
            slots: vec![],
            gathers: vec![v],
            sources,
            others,
            writes,
            before_run: vec![],
            versions,
            may_be_left: false,
            copies_to: None,
            instead: None,
            kept: Some(Kept { inner, key, index }),
            nest: None,
            assumed: None,
            unchecked: promises.unordered,
        })
    }

    /// The read of private memory that gives the table's index as it is: element `var` + c of what stays the same in the loop that makes the
    /// reads.
    fn index_in_memory(&self, gather: &Gather, var: SymId) -> Option<ExprId> {
        let [index] = self.subscripts(gather.elements[0])?.indices[..] else { return None };
        let kind = |t| match *self.s.types.kind(t) {
            TyKind::Int(kind) => Some(kind),
            _ => None,
        };
        let mut e = self.unparen(index);
        let wanted = kind(self.s.rvalue_ty(e))?;
        let mut varies = vec![var];
        for step in &gather.steps {
            let Step::Set(sym, value) = *step else { return None };
            if varies.iter().any(|v| self.uses(value, *v)) {
                varies.push(sym);
            }
        }
        while let Some(sym) = self.bare(e) {
            let is_set = |s: &Step| if let Step::Set(x, value) = *s { (x == sym).then_some(value) } else { None };
            e = self.unparen(gather.steps.iter().find_map(is_set)?);
            if kind(self.s.symbols[sym.0 as usize].ty) != Some(wanted) {
                return None;
            }
        }
        use IntKind::*;
        let ExprKind::Index(base, i) = self.u[e].kind else { return None };
        let is_word = matches!(kind(self.s.ty(e))?, Int | UInt | Long | ULong | LongLong | ULongLong);
        let (_, shift) = self.sum_from(i, var)?;
        let stays = |x: ExprId| !varies.iter().any(|v| self.uses(x, *v));
        let is_own = kind(self.s.ty(e)) == Some(wanted) && gather.reads.contains(&e);
        (is_word && is_own && stays(base) && shift.iter().all(|(_, x)| stays(*x))).then_some(e)
    }

    /// The loop inside, whose bounds are computed like places, and what is read for them.
    pub(super) fn inner(
        &self,
        s: StmtId,
        body: StmtId,
        c: &Counting,
        fx: &Effects,
    ) -> Result<(Inner, Vec<ExprId>), Missed> {
        let StmtKind::For { init, cond: Some(cond), step: Some(step), body: inner_body } = &self.u[s].kind else {
            return Err(Missed::NotCounted);
        };
        if !self.is_free(s) || self.pragma_before(*inner_body).is_some() || !self.is_always_reached(s, body) {
            return Err(Missed::Jumps);
        }
        let mut own = self.effects(Child::Stmt(*inner_body));
        let counting = self.counting(init, *cond, *step, &own).ok_or(Missed::NotCounted)?;
        own.assigned.push(counting.var);
        let kind = |t| match *self.s.types.kind(t) {
            TyKind::Int(kind) => Some(kind),
            _ => None,
        };
        let var_is = kind(self.s.symbols[counting.var.0 as usize].ty);
        let counts = matches!(var_is, Some(IntKind::Int | IntKind::Long | IntKind::LongLong)) && !counting.mixed_sign;
        if !counts || counting.var == c.var || !self.keeps_bound(counting.hi, &own) {
            return Err(Missed::Bound);
        }
        let settings = self.settings(body);
        let mut place = self.no_place(&settings);
        let known = [counting.lo, counting.hi].iter().all(|e| self.is_place(*e, c.var, fx, &mut place));
        let (reads, shared, steps) = place.parts();
        let is_set = |s: &Step| matches!(s, Step::Set(..));
        let is_plain = shared.is_empty() && steps.iter().all(is_set);
        if !known || !is_plain || self.has_two_of_a_name([counting.lo, counting.hi].into_iter(), &steps) {
            return Err(Missed::Bound);
        }
        let is_fixed = [counting.lo, counting.hi].iter().all(|e| self.invariant(*e, fx) && !self.uses(*e, c.var));
        Ok((Inner { stmt: s, counting, steps, is_fixed, reads_range: false }, reads))
    }

    /// Is the loop a statement of the body that each iteration comes to?
    fn is_always_reached(&self, s: StmtId, body: StmtId) -> bool {
        let StmtKind::Compound(items) = &self.u[body].kind else { return s == body };
        let before = items.iter().take_while(|i| !matches!(i, BlockItem::Stmt(x) if *x == s));
        let mut jumps = false;
        let mut count = 0;
        for i in before {
            count += 1;
            if let BlockItem::Stmt(x) = i {
                visit(self.u, Child::Stmt(*x), |n| {
                    jumps |= matches!(n, Child::Stmt(x) if matches!(self.u[x].kind, StmtKind::Continue));
                });
            }
        }
        count < items.len() && !jumps
    }

    /// The names, or paths from names, that mean in the loop's body what they mean before it.
    fn known_names(&self, constant: Vec<String>, body: StmtId) -> Vec<String> {
        let own = self.declared_in(body);
        let begins = |text: &str, sym: &SymId| {
            let rest = text.strip_prefix(self.p.source.name(self.s.symbols[sym.0 as usize].name));
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        constant.into_iter().filter(|text| !own.iter().any(|sym| begins(text, sym))).collect()
    }

    /// Does the expression have a variable of this one's name?
    fn names(&self, e: ExprId, var: SymId) -> bool {
        let name = |sym: SymId| self.s.symbols[sym.0 as usize].name;
        let mut found = false;
        visit(self.u, Child::Expr(e), |n| {
            let Child::Expr(x) = n else { return };
            found |= self.s.expr_sym[x.index()].is_some_and(|sym| name(sym) == name(var));
        });
        found
    }

    /// What determines the places beside the constants; none if something else does. It is read before the loop, whether an iteration
    /// reads it or not.
    #[allow(clippy::too_many_arguments)]
    fn key(
        &self,
        gather: &Gather,
        inner: Option<&Inner>,
        of_bounds: &[ExprId],
        in_places: &[ExprId],
        vars: [SymId; 2],
        body: StmtId,
        constant: &[String],
    ) -> Option<Vec<ExprId>> {
        let settings = self.settings(body);
        let varies = |sym: SymId| vars.contains(&sym) || settings.contains_key(&sym);
        let mut key: Vec<ExprId> = vec![];
        let mut add = |e: ExprId| {
            let t = self.s.rvalue_ty(e);
            let fits = matches!(self.s.types.kind(t), TyKind::Int(_) | TyKind::Enum(_) | TyKind::Pointer(_));
            if fits && !key.iter().any(|k| self.is_same_text(*k, e)) {
                key.push(e);
            }
            fits && !self.is_shared_ptr(t)
        };
        let mut good = true;
        for r in of_bounds.iter().chain(in_places) {
            let mut fixed = true;
            visit(self.u, Child::Expr(*r), |n| {
                let Child::Expr(x) = n else { return };
                fixed &= !self.s.expr_sym[x.index()].is_some_and(varies);
                if let ExprKind::Index(a, i) = self.u[x].kind {
                    let i = if self.is_array(a) { i } else { a };
                    fixed &= self.s.const_int(self.p, i).is_some();
                }
            });
            good &= match self.is_constant(*r, constant) {
                true => true,
                false => fixed && self.private_variable(*r).is_some() && add(*r),
            };
        }
        let s = self.subscripts(gather.elements[0])?;
        let steps = gather.steps.iter().chain(inner.into_iter().flat_map(|i| &i.steps));
        let bounds = inner.into_iter().flat_map(|i| [i.counting.lo, i.counting.hi]);
        for e in s.indices.into_iter().chain(steps.map(|s| s.expr())).chain(bounds) {
            visit(self.u, Child::Expr(e), |n| {
                let Child::Expr(x) = n else { return };
                let (ExprKind::Ident(_), Some(sym)) = (&self.u[x].kind, self.s.expr_sym[x.index()]) else { return };
                let symbol = &self.s.symbols[sym.0 as usize];
                let is_value = !matches!(symbol.kind, SymKind::EnumConst(_)) && !varies(sym);
                let is_record = matches!(self.s.types.kind(symbol.ty), TyKind::Record(_));
                if is_value && !is_record {
                    good &= add(x);
                }
            });
        }
        (good && key.len() <= MOST_KEY).then_some(key)
    }

    /// Is the object an element of an array, or behind a pointer, that is promised to be constant? Of pointers that are constant
    /// themselves it is not promised what they lead to.
    fn is_constant(&self, e: ExprId, constant: &[String]) -> bool {
        use ExprKind::*;
        let is_named = |x: ExprId| {
            let text = self.p.source.range_text(self.u[self.unparen(x)].toks);
            let text: String = text.split_ascii_whitespace().collect();
            let leads = matches!(self.s.types.kind(self.s.rvalue_ty(x)), TyKind::Pointer(_));
            leads && constant.contains(&text)
        };
        match self.u[e].kind {
            Paren(x) => self.is_constant(x, constant),
            Index(a, i) => is_named(a) || is_named(i) || (self.is_array(a) && self.is_constant(a, constant)),
            Member { base, arrow, .. } => match arrow {
                true => is_named(base),
                false => self.is_constant(base, constant),
            },
            Unary(UnOp::Deref, p) => match self.u[self.unparen(p)].kind {
                Binary(BinOp::Add | BinOp::Sub, a, b) => is_named(a) || is_named(b),
                _ => is_named(p),
            },
            _ => false,
        }
    }
}
