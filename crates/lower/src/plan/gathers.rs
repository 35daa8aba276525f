//! Gathers (docs/decisions/0014): reads `t[f(i)]` of a counting loop whose places the program computes from what the loop does
//! not change, often `t[index[i]]`. The places of a strip of iterations are computed before it, and the elements are
//! fetched together.
//!
//! That is allowed where every iteration makes the read, so that nothing is computed and read which the program would not,
//! and where no write of the loop reaches the table or what places are computed from. In C that is seldom known: a store
//! through a pointer may change `index`. Where the types do not exclude it (C17 6.5 p7), ranges are compared before the loop.

use super::accesses::Condition;
use super::build::Planner;
use super::effects::{visit, Effects};
use super::strips::{Missed, Shift, Slot, Write};
use fathom_sema::{Block, Linkage, SymId, SymKind, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::visit::Child;

/// As many as `FATHOM_STRIP_GATHERS` and `FATHOM_STRIP_SOURCES` of runtime/lang/strip.h.
const MOST_GATHERS: usize = 6;
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
    /// Private objects that are read for the place.
    reads: Vec<ExprId>,
    /// Is the place computed from what a slot has landed?
    pub uses_slots: bool,
}

/// Private memory from which places are computed, and which the loop may write.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// `p[var + shift + offset]`, whose elements have this many bytes.
    Elements { root: ExprId, shift: Shift, offset: i64, bytes: u64 },
    /// The whole of a variable.
    Variable { root: ExprId },
}

/// What is read for a place.
#[derive(Default)]
struct Place {
    reads: Vec<ExprId>,
    shared: Vec<ExprId>,
}

impl Planner<'_> {
    /// The gathers of a loop's body, each behind those that it needs; and why other reads are none.
    pub fn gathers(&self, body: StmtId, var: SymId, fx: &Effects, slots: &[Slot]) -> (Vec<Gather>, Missed) {
        let (mut found, mut missed) = (Vec::<Gather>::new(), Missed::Index);
        // Elements inside a subscript come before the one that has it.
        for e in self.elements(Child::Stmt(body)).into_iter().rev() {
            if !self.s.types.is_shared(self.s.ty(e)) || self.is_array(e) || self.slot_of(e, var, fx, slots).is_some() {
                continue;
            }
            match self.gather(e, body, var, fx, slots, &found) {
                Err(Missed::Index) => {}
                Err(why) => missed = why,
                Ok(g) => match found.iter_mut().find(|f| f.sym == g.sym && self.is_same_text(f.elements[0], e)) {
                    Some(f) => f.elements.push(e),
                    None => found.push(g),
                },
            }
        }
        if found.len() > MOST_GATHERS {
            return (vec![], Missed::TooMany);
        }
        found.sort_by_key(|g| g.level);
        (found, missed)
    }

    fn slot_of<'b>(&self, e: ExprId, var: SymId, fx: &Effects, slots: &'b [Slot]) -> Option<&'b Slot> {
        let s = self.strip_element(e, var, fx)?;
        slots.iter().find(|t| {
            t.sym == s.sym
                && self.same_all(&t.prefix, &s.prefix)
                && self.same_shift(&t.shift, &s.shift)
                && (t.low..=t.high).contains(&s.low)
        })
    }

    fn gather(
        &self,
        e: ExprId,
        body: StmtId,
        var: SymId,
        fx: &Effects,
        slots: &[Slot],
        found: &[Gather],
    ) -> Result<Gather, Missed> {
        let s = self.subscripts(e).ok_or(Missed::Index)?;
        let t = self.s.ty(s.root);
        let fits = match *self.s.types.kind(t) {
            TyKind::Array(..) => self.s.types.is_shared(t) && self.count_is_one(self.s.ty(e)),
            TyKind::Pointer(elem) => {
                s.indices.len() == 1
                    && self.count_is_one(elem)
                    && self.is_fixed(s.sym, fx)
                    && !self.s.types.is_shared(t)
                    && self.s.size_of(elem).is_some()
            }
            _ => false,
        };
        let layout = self.layout_of_root(t);
        if !fits || !matches!(layout, Some(Block::Of(_) | Block::Indefinite)) {
            return Err(Missed::Index);
        }
        if !s.indices.iter().any(|i| self.uses(*i, var)) {
            return Err(Missed::Index);
        }
        self.is_read(e)?;
        if self.s.elem_size(self.elem_ty(s.root)) > MOST_BYTES {
            return Err(Missed::TooLarge);
        }
        let mut place = Place::default();
        if !s.indices.iter().all(|i| self.is_place(*i, var, fx, &mut place)) {
            return Err(Missed::Index);
        }
        if !self.is_unconditional(e, body) {
            return Err(Missed::Conditional);
        }
        let (mut level, mut uses_slots) = (0, false);
        for x in place.shared {
            if self.slot_of(x, var, fx, slots).is_some() {
                uses_slots = true;
                continue;
            }
            let before = found.iter().find(|g| g.elements.contains(&x)).ok_or(Missed::Index)?;
            level = level.max(before.level + 1);
            uses_slots |= before.uses_slots;
        }
        Ok(Gather { sym: s.sym, root: s.root, elements: vec![e], level, reads: place.reads, uses_slots })
    }

    /// Does each iteration make this read?
    fn is_unconditional(&self, e: ExprId, body: StmtId) -> bool {
        let whole = self.u[body].toks;
        let within = |x: ExprId| whole.lo <= self.u[x].toks.lo && self.u[x].toks.hi <= whole.hi;
        let Some(access) = self.accesses_of.get(&e).and_then(|x| self.accesses.get(x)) else { return false };
        let is_conditional = access.conditions.iter().any(|c| match *c {
            Condition::Holds(x) | Condition::Fails(x) | Condition::Case(x) => within(x),
        });
        let mut jumps = false;
        visit(self.u, Child::Stmt(body), |n| {
            use StmtKind::*;
            jumps |= matches!(n, Child::Stmt(s) if matches!(self.u[s].kind, Break | Continue | Return(_) | Goto(_) | GotoComputed(_)));
        });
        !is_conditional && !jumps
    }

    /// Has the expression a value that is known before the iteration that uses it? All its parts but `var` must keep
    /// theirs in the loop: that is known of variables, and must be shown of the objects that `place` has.
    fn is_place(&self, e: ExprId, var: SymId, fx: &Effects, place: &mut Place) -> bool {
        use ExprKind::*;
        if self.is_shared_lvalue(e) {
            return self.is_shared_place(e, var, fx, place);
        }
        match self.u[e].kind {
            Number | Char | Threads | MyThread => true,
            SizeofType(..) | SizeofExpr(..) => !self.sizes_vla(e),
            Paren(x) | Unary(UnOp::Plus | UnOp::Neg | UnOp::BitNot | UnOp::Not, x) => self.is_place(x, var, fx, place),
            Cast(t, x) => !self.translated.type_name(t) && self.is_place(x, var, fx, place),
            Binary(op, a, b) => {
                !matches!(op, BinOp::And | BinOp::Or)
                    && self.is_place(a, var, fx, place)
                    && self.is_place(b, var, fx, place)
            }
            Ident(_) if self.s.expr_sym[e.index()] == Some(var) => true,
            Ident(_) => {
                let Some(sym) = self.s.expr_sym[e.index()] else { return false };
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
    fn is_private_place(&self, e: ExprId, var: SymId, fx: &Effects, place: &mut Place) -> bool {
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
    fn is_shared_place(&self, e: ExprId, var: SymId, fx: &Effects, place: &mut Place) -> bool {
        use ExprKind::*;
        match self.u[e].kind {
            Paren(x) | Member { base: x, arrow: false, .. } => self.is_shared_place(x, var, fx, place),
            Index(a, i) if self.member_array(e) => {
                let a_is_array = self.is_array(a) && self.s.types.is_shared(self.s.ty(a));
                let (a, i) = if a_is_array { (a, i) } else { (i, a) };
                self.is_place(i, var, fx, place) && self.is_shared_place(a, var, fx, place)
            }
            Index(..) => {
                place.shared.push(e);
                !self.is_array(e) && self.is_read(e).is_ok()
            }
            _ => false,
        }
    }

    /// Two expressions of the same tokens that name the same variables.
    fn is_same_text(&self, a: ExprId, b: ExprId) -> bool {
        let names = |e: ExprId| {
            let mut found = vec![];
            visit(self.u, Child::Expr(e), |n| {
                if let Child::Expr(x) = n {
                    found.extend(self.s.expr_sym[x.index()]);
                }
            });
            found
        };
        self.p.source.range_text(self.u[a].toks) == self.p.source.range_text(self.u[b].toks) && names(a) == names(b)
    }

    /// What must be compared before the loop, so that no write of it changes the places or the tables; or a write that
    /// cannot be compared. `writes` has those that the slots ask for.
    pub fn gather_writes(
        &self,
        body: StmtId,
        var: SymId,
        fx: &Effects,
        gathers: &[Gather],
        writes: &mut Vec<Write>,
    ) -> Result<Vec<Source>, Missed> {
        let mut sources = vec![];
        let own = self.declared_in(body);
        let reads = || gathers.iter().flat_map(|g| &g.reads).copied();
        for l in self.written_lvalues(body) {
            let lt = self.lvalue_type(l);
            if self.is_shared_lvalue(l) {
                let object = self.shared_object(l);
                let table = |g: &&Gather| match object {
                    // Distinct objects do not overlap.
                    Some(sym) if self.is_array(g.root) => sym == g.sym,
                    _ => self.may_be_one(lt, self.s.types.unqual(self.elem_ty(g.root))),
                };
                if gathers.iter().any(|g| object == Some(g.sym)) {
                    return Err(Missed::Written);
                }
                let by_pointer = |g: &Gather| !self.is_array(g.root);
                if gathers.iter().filter(table).any(by_pointer) {
                    return Err(Missed::TableWritten);
                }
                let mut compared = gathers.iter().any(|g| table(&g));
                for r in reads() {
                    if self.private_variable(r).is_none() && self.may_be_one(lt, self.lvalue_type(r)) {
                        sources.push(self.source(r, var, fx).ok_or(Missed::IndexWritten)?);
                        compared = true;
                    }
                }
                if compared {
                    let element = self.element_in(l).and_then(|e| self.strip_element(e, var, fx));
                    let w = element.ok_or(Missed::WritesUnknown)?;
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
    fn declared_in(&self, body: StmtId) -> Vec<SymId> {
        let mut found = vec![];
        visit(self.u, Child::Stmt(body), |n| {
            if let Child::Decl(d) = n {
                found.extend(self.u[d].declarators.iter().filter_map(|x| self.s.declarator_sym[x.declarator.index()]));
            }
        });
        found
    }

    /// May two lvalues of these types designate the same bytes?
    fn may_be_one(&self, a: Ty, b: Ty) -> bool {
        self.may_overlap(a, b) || self.may_overlap(b, a)
    }

    /// The type by which an object is read or written.
    fn lvalue_type(&self, l: ExprId) -> Ty {
        self.s.types.unqual(self.union_around(l).unwrap_or(self.s.ty(l)))
    }

    /// The variable that a private lvalue is a part of, if no pointer leads to it.
    fn private_variable(&self, l: ExprId) -> Option<(SymId, ExprId)> {
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
