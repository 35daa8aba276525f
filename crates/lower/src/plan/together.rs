//! Calls of `upc_memget` that are under way together. In `for (t…) upc_memget(&copy[t][0], part[t], bytes);`, or in two calls one after the
//! other, each waits for data of another computer before the next one asks for its own. A group is a sequence of statements, loops
//! too, that do nothing but call `upc_memget` and set private variables to find out its arguments. The calls begin transfers, and what
//! comes after the group waits for all of them. UPC 1.3, B.3.2.1: what these calls read they read as if by relaxed accesses of unspecified
//! size and order; so only what this thread writes and reads itself could tell the difference:
//!
//! * A group writes variables that no pointer leads to, and what the calls write.
//! * It reads such variables, and others. Others by their names, of which the runtime is told before the group; a call that writes one of them is
//!   waited for at once. In arguments, also objects by pointers, whose extents stand before the call: if one of them is being written, the
//!   call waits for it. Their addresses must be known before they are read, so what is read by a pointer is not followed.
//! * A call whose own memory overlaps with that of one under way waits for that one (runtime/gas/together.c).

use super::effects::visit;
use super::facts::Facts;
use super::library::library_name;
use fathom_sema::{Len, Linkage, SymId, SymKind, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;
use fathom_syntax::visit::{walk_item, Child};
use std::collections::HashMap;

/// The groups of a unit.
#[derive(Default)]
pub(crate) struct Together {
    pub groups: Vec<Group>,
    /// By their first statements, and by their last ones.
    pub first: HashMap<StmtId, usize>,
    pub last: HashMap<StmtId, usize>,
    /// By the statements that are calls.
    pub calls: HashMap<StmtId, Call>,
}

pub(crate) struct Group {
    /// Private variables, arrays or scalars, that statements of the group read: a mention of each.
    pub named: Vec<ExprId>,
    /// The first call, and how many the text has.
    pub call: ExprId,
    pub calls: usize,
}

pub(crate) struct Call {
    pub group: usize,
    pub expr: ExprId,
    /// The objects that the arguments read by pointers: private ones, and shared ones.
    pub private: Vec<ExprId>,
    pub shared: Vec<ExprId>,
}

/// As `FATHOM_TOGETHER_NAMED` of runtime/lang/together.h.
const MOST_NAMED: usize = 16;
/// Of one call: the extents stand in the code.
const MOST_READ: usize = 8;

impl Together {
    pub fn new(f: Facts) -> Together {
        let mut found = Together::default();
        for item in &f.u.items {
            let mut bodies = vec![];
            walk_item(item, &mut |n| {
                visit(f.u, n, |n| {
                    if let Child::Stmt(s) = n {
                        bodies.push(s);
                    }
                });
            });
            // An outer statement comes before those inside it.
            let mut taken = vec![];
            for s in bodies {
                let toks = f.u[s].toks;
                let is_inside = |t: &TokRange| t.lo <= toks.lo && toks.hi <= t.hi;
                if taken.iter().any(is_inside) || !f.translated.stmt(s) {
                    continue;
                }
                match &f.u[s].kind {
                    StmtKind::Compound(items) => found.in_block(f, items, &mut taken),
                    _ => {
                        let mut search = Search::new(f);
                        if search.stmt(s, 0) {
                            found.add(f, vec![(Some(s), search)], &mut taken);
                        }
                    }
                }
            }
        }
        found
    }

    /// The groups among the statements of a block.
    fn in_block(&mut self, f: Facts, items: &[BlockItem], taken: &mut Vec<TokRange>) {
        let mut run = vec![];
        for item in items {
            let mut search = Search::new(f);
            match item {
                BlockItem::Stmt(s) if search.stmt(*s, 0) => run.push((Some(*s), search)),
                BlockItem::Decl(d) if search.decl(*d) => run.push((None, search)),
                _ => self.add(f, std::mem::take(&mut run), taken),
            }
        }
        self.add(f, run, taken);
    }

    /// Makes a group of these statements and declarations, from the first to the last that has calls, if that is worth while.
    fn add(&mut self, f: Facts, run: Vec<(Option<StmtId>, Search)>, taken: &mut Vec<TokRange>) {
        let has_calls = |(_, search): &(Option<StmtId>, Search)| !search.calls.is_empty();
        let Some(at) = run.iter().position(has_calls) else { return };
        let end = run.iter().rposition(has_calls).unwrap_or(at);
        let (Some(first), Some(last)) = (run[at].0, run[end].0) else { return };
        let (mut named, mut calls, mut has_loop, mut on_a_way) = (vec![], vec![], false, 0);
        for (_, search) in run.into_iter().take(end + 1).skip(at) {
            named.extend(search.named);
            calls.extend(search.calls);
            has_loop |= search.has_loop;
            on_a_way += search.on_a_way;
        }
        named.sort_by_key(|e| (f.s.expr_sym[e.index()], *e));
        named.dedup_by_key(|e| f.s.expr_sym[e.index()]);
        if !(has_loop || on_a_way > 1) || named.len() > MOST_NAMED {
            return;
        }
        let group = self.groups.len();
        self.groups.push(Group { named, call: calls[0].1.expr, calls: calls.len() });
        self.calls.extend(calls.into_iter().map(|(s, call)| (s, Call { group, ..call })));
        self.first.insert(first, group);
        self.last.insert(last, group);
        taken.push(TokRange::new(f.u[first].toks.lo, f.u[last].toks.hi));
    }
}

/// May statements be part of a group, and what do they read?
struct Search<'a> {
    f: Facts<'a>,
    named: Vec<ExprId>,
    calls: Vec<(StmtId, Call)>,
    /// Is a call in a loop? How many calls are there at most on a way through the statements?
    has_loop: bool,
    on_a_way: usize,
    /// What the arguments of the call at hand read by pointers; none elsewhere, where nothing may be read so.
    read: Option<(Vec<ExprId>, Vec<ExprId>)>,
}

impl<'a> Search<'a> {
    fn new(f: Facts<'a>) -> Self {
        Search { f, named: vec![], calls: vec![], has_loop: false, on_a_way: 0, read: None }
    }

    /// `loops`: how many loops of the group are around the statement.
    fn stmt(&mut self, s: StmtId, loops: u32) -> bool {
        let f = self.f;
        if f.pragma_before(s).is_some() {
            return false;
        }
        match &f.u[s].kind {
            StmtKind::Expr(None) => true,
            StmtKind::Expr(Some(e)) => match f.u[*e].kind {
                ExprKind::Call { callee, ref args } if library_name(f.p, f.s, callee) == Some("upc_memget") => {
                    self.call(s, *e, args, loops)
                }
                _ => self.sets(*e),
            },
            StmtKind::Compound(items) => items.iter().all(|i| match i {
                BlockItem::Stmt(s) => self.stmt(*s, loops),
                BlockItem::Decl(d) => self.decl(*d),
                _ => false,
            }),
            StmtKind::If { cond, then, els } => {
                let before = self.on_a_way;
                let is_good = self.value(*cond, false) && self.stmt(*then, loops);
                let by_then = std::mem::replace(&mut self.on_a_way, before);
                let is_good = is_good && els.is_none_or(|s| self.stmt(s, loops));
                self.on_a_way = self.on_a_way.max(by_then);
                is_good
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.value(*cond, false) && self.stmt(*body, loops + 1)
            }
            StmtKind::For { init, cond, step, body } => {
                let begins = match init {
                    ForInit::None => true,
                    ForInit::Expr(e) => self.sets(*e),
                    ForInit::Decl(d) => self.decl(*d),
                };
                begins
                    && cond.is_none_or(|e| self.value(e, false))
                    && step.is_none_or(|e| self.sets(e))
                    && self.stmt(*body, loops + 1)
            }
            StmtKind::Break | StmtKind::Continue => loops > 0,
            _ => false,
        }
    }

    fn call(&mut self, s: StmtId, expr: ExprId, args: &[ExprId], loops: u32) -> bool {
        self.read = Some((vec![], vec![]));
        let is_good = args.len() == 3 && args.iter().all(|a| self.value(*a, true));
        let (private, shared) = self.read.take().unwrap_or_default();
        if !is_good || private.len() + shared.len() > MOST_READ {
            return false;
        }
        self.has_loop |= loops > 0;
        self.on_a_way += 1;
        self.calls.push((s, Call { group: 0, expr, private, shared }));
        true
    }

    /// A declaration of variables that no pointer leads to.
    fn decl(&mut self, d: DeclId) -> bool {
        let f = self.f;
        // An attribute may name a function to be called; it may also stand behind a `*`.
        let text = f.p.source.range_text(f.u[d].toks);
        let has_attributes = text.contains("attribute") || text.contains("[[");
        let is_good = |x: &InitDeclarator| {
            let is_own = |sym: &SymId| self.is_own(*sym) && !f.is_computed(f.s.symbols[sym.0 as usize].ty);
            f.s.declarator_sym[x.declarator.index()].as_ref().is_some_and(is_own)
                && x.trailer.is_empty()
                && match x.init.map(|i| &f.u[i].kind) {
                    None => true,
                    Some(InitKind::Expr(e)) => self.value(*e, false),
                    Some(_) => false,
                }
        };
        !has_attributes && !f.u[d].declarators.is_empty() && f.u[d].declarators.iter().all(is_good)
    }

    /// An automatic scalar that no pointer leads to.
    fn is_own(&self, sym: SymId) -> bool {
        let s = &self.f.s.symbols[sym.0 as usize];
        let q = self.f.s.types.quals(s.ty);
        self.is_hidden(sym) && !q.is_volatile && !q.is_atomic && self.is_scalar_type(s.ty)
    }

    /// An automatic variable that no pointer leads to; it may be a `register`.
    fn is_hidden(&self, sym: SymId) -> bool {
        let s = &self.f.s.symbols[sym.0 as usize];
        s.kind == SymKind::Object
            && s.local
            && !s.is_static
            && s.linkage == Linkage::None
            && !s.address_taken
            && !self.f.s.types.is_shared(s.ty)
    }

    /// Is the size of the variable what `sizeof` says? Not if it is incomplete here, or its last member is an array of any length.
    fn has_known_extent(&self, e: ExprId) -> bool {
        let f = self.f;
        let mut t = f.s.ty(e);
        loop {
            t = match f.s.types.kind(t) {
                TyKind::Array(_, Len::Unknown | Len::Const(0)) => return false,
                TyKind::Array(to, _) => *to,
                TyKind::Record(r) => match f.s.types.record(*r).fields.as_ref() {
                    None => return false,
                    Some(fields) => match fields.last() {
                        None => return true,
                        Some(last) => last.ty,
                    },
                },
                _ => return true,
            }
        }
    }

    fn is_scalar_type(&self, t: Ty) -> bool {
        let t = self.f.s.types.kind(t);
        matches!(t, TyKind::Int(_) | TyKind::Float(_) | TyKind::Pointer(_) | TyKind::Enum(_))
    }

    /// An expression that sets such variables.
    fn sets(&mut self, e: ExprId) -> bool {
        use ExprKind::*;
        let f = self.f;
        let is_own = |l: ExprId| f.bare(l).is_some_and(|sym| self.is_own(sym));
        match f.u[e].kind {
            Paren(x) => self.sets(x),
            Comma(a, b) => self.sets(a) && self.sets(b),
            Assign(_, l, r) => is_own(l) && self.value(r, false),
            Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, l) => is_own(l),
            _ => false,
        }
    }

    /// Is the expression computed without an effect, from what a group may read? `always`: is it an argument, and what it reads is always
    /// read?
    fn value(&mut self, e: ExprId, always: bool) -> bool {
        use ExprKind::*;
        let f = self.f;
        match f.u[e].kind {
            Number | Char | Str | Threads | MyThread => true,
            SizeofType(_, t) => !f.is_computed(f.s.type_name_ty[t.index()]),
            SizeofExpr(..) => !f.sizes_vla(e) && !self.is_computed_size(e),
            Paren(x) | Unary(UnOp::Plus | UnOp::Neg | UnOp::BitNot | UnOp::Not, x) => self.value(x, always),
            Cast(t, x) => !f.is_computed(f.s.type_name_ty[t.index()]) && self.value(x, always),
            Unary(UnOp::AddrOf, x) => f.s.bit_field(x).is_none() && self.place(x, always).is_some(),
            Binary(BinOp::And | BinOp::Or, a, b) => self.value(a, false) && self.value(b, false),
            Binary(_, a, b) => self.value(a, always) && self.value(b, always),
            Cond(c, Some(a), b) => self.value(c, false) && self.value(a, false) && self.value(b, false),
            Call { callee, ref args } => {
                let name = library_name(f.p, f.s, callee);
                matches!(name, Some("upc_threadof" | "upc_phaseof" | "upc_addrfield"))
                    && args.iter().all(|a| self.value(*a, false))
            }
            Ident(_) => match f.s.expr_sym[e.index()] {
                Some(sym) if matches!(f.s.symbols[sym.0 as usize].kind, SymKind::EnumConst(_)) => true,
                Some(sym) if self.is_own(sym) => true,
                _ => self.reads(e, always),
            },
            Index(..) | Member { .. } | Unary(UnOp::Deref, _) => self.reads(e, always),
            _ => false,
        }
    }

    /// `sizeof` of an expression that has a type defined in it, or an array of a computed size.
    fn is_computed_size(&self, e: ExprId) -> bool {
        let ExprKind::SizeofExpr(_, x) = self.f.u[e].kind else { return false };
        let mut found = false;
        visit(self.f.u, Child::Expr(x), |n| found |= matches!(n, Child::Stmt(_)));
        found
    }

    /// The value of an lvalue; of an array, its address.
    fn reads(&mut self, e: ExprId, always: bool) -> bool {
        let f = self.f;
        let t = f.s.ty(e);
        if f.is_array(e) {
            return !f.s.types.has_vla(t) && self.place(e, always).is_some();
        }
        let q = f.s.types.quals(t);
        if q.is_volatile || q.is_atomic || f.s.bit_field(e).is_some() || !self.is_scalar_type(t) || f.is_strict(e) {
            return false;
        }
        // What is read by a pointer leads no further.
        let Some(root) = self.place(e, false) else { return false };
        match (root, &mut self.read) {
            (Root::Named(x), _) => self.named.push(x),
            (Root::Own, _) => {}
            (Root::Private, Some((private, _))) if always => private.push(e),
            (Root::Shared, Some((_, shared))) if always => shared.push(e),
            _ => return false,
        }
        true
    }

    /// Where an object is: its address is computed without an effect. `always` as for values: pointers on the way are read.
    fn place(&mut self, e: ExprId, always: bool) -> Option<Root> {
        use ExprKind::*;
        let f = self.f;
        let by_pointer = |t: Ty| match f.s.types.pointee(t) {
            Some(to) if f.s.types.is_shared(to) => Root::Shared,
            _ => Root::Private,
        };
        match f.u[e].kind {
            Paren(x) => self.place(x, always),
            Ident(_) => {
                let sym = f.s.expr_sym[e.index()]?;
                let s = &f.s.symbols[sym.0 as usize];
                if s.kind != SymKind::Object {
                    return None;
                }
                if f.s.types.is_shared(f.s.ty(e)) {
                    return Some(Root::Shared);
                }
                Some(match self.is_hidden(sym) {
                    true => Root::Own,
                    false if self.has_known_extent(e) => Root::Named(e),
                    false => Root::Private,
                })
            }
            Member { base, arrow: false, .. } => self.place(base, always),
            Member { base, arrow: true, .. } | Unary(UnOp::Deref, base) => {
                self.value(base, always).then(|| by_pointer(f.s.rvalue_ty(base)))
            }
            Index(a, i) => {
                let (a, i) = if f.s.types.pointee(f.s.rvalue_ty(a)).is_some() { (a, i) } else { (i, a) };
                if !self.value(i, false) || f.is_shared_vector(a) {
                    return None;
                }
                if f.is_array(a) {
                    return self.place(a, always);
                }
                f.s.types.pointee(f.s.rvalue_ty(a))?;
                self.value(a, always).then(|| by_pointer(f.s.rvalue_ty(a)))
            }
            _ => None,
        }
    }
}

/// What an object is part of, or reached by.
enum Root {
    /// A variable that no pointer leads to.
    Own,
    /// A private variable: this mention of it.
    Named(ExprId),
    /// What a pointer leads to.
    Private,
    Shared,
}
