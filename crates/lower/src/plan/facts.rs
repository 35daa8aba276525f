//! Questions about expressions, types and statements whose answers do not depend on where the code stands: what
//! designates shared objects, how a subscript is made, what a loop does not change. They read tables and decide
//! nothing.

use super::effects::{visit, Effects, Written};
use super::pure::PureFunctions;
use super::strips::Shift;
use super::translated::Translated;
use super::waiting::Waiting;
use fathom_sema::{Block, IntKind, Len, Linkage, Sema, SymId, SymKind, Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;
use fathom_syntax::visit::{walk, Child};
use fathom_syntax::Parsed;

#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub p: &'a Parsed,
    pub u: &'a Unit,
    pub s: &'a Sema,
    pub translated: &'a Translated,
    pub pure: &'a PureFunctions,
    pub waiting: &'a Waiting,
}

/// The subscripts of `x[i][j]…`, where `x` is a variable.
pub(crate) struct Subscripts {
    pub sym: SymId,
    pub root: ExprId,
    pub indices: Vec<ExprId>,
}

impl Facts<'_> {
    /// Does the expression designate a shared object?
    pub fn is_shared_lvalue(&self, e: ExprId) -> bool {
        self.s.designates_shared(e)
    }

    pub fn is_strict(&self, e: ExprId) -> bool {
        self.s.expr_strict.get(e.index()).copied().unwrap_or(false) && self.is_shared_lvalue(e)
    }

    /// Is the type a pointer-to-shared?
    pub fn is_shared_ptr(&self, t: Ty) -> bool {
        self.s.types.shared_pointee(t).is_some()
    }

    pub fn is_array(&self, e: ExprId) -> bool {
        matches!(self.s.types.kind(self.s.ty(e)), TyKind::Array(..))
    }

    /// Is an object of the type one element, or, where the type counts over processors, one block?
    pub fn count_is_one(&self, t: Ty) -> bool {
        !self.s.types.is_array(t) || self.s.types.spread_block(t) == Some(t)
    }

    pub fn is_split_c(&self) -> bool {
        self.s.options.dialect == fathom_syntax::Dialect::SplitC
    }

    /// The number of ultimate elements of a type with constant dimensions.
    pub fn const_count(&self, mut t: Ty) -> Option<u64> {
        let mut n = 1u64;
        while let TyKind::Array(e, len) = *self.s.types.kind(t) {
            let Len::Const(c) = len else { return None };
            n = n.checked_mul(c)?;
            t = e;
        }
        Some(n)
    }

    /// The layout of what a variable of type `t` names or points to.
    pub fn layout_of_root(&self, t: Ty) -> Option<Block> {
        match *self.s.types.kind(t) {
            TyKind::Pointer(p) => self.s.types.shared(p),
            _ => self.s.types.shared(t),
        }
    }

    pub fn unparen(&self, e: ExprId) -> ExprId {
        self.s.stands_for(e)
    }

    pub fn without_casts(&self, e: ExprId) -> ExprId {
        match self.u[e].kind {
            ExprKind::Paren(x) | ExprKind::Cast(_, x) => self.without_casts(x),
            _ => e,
        }
    }

    pub fn is_null(&self, e: ExprId) -> bool {
        self.s.const_int(self.p, self.without_casts(e)) == Some(0)
    }

    /// The variable that an expression names.
    pub fn bare(&self, e: ExprId) -> Option<SymId> {
        let e = self.unparen(e);
        match self.u[e].kind {
            ExprKind::Ident(_) => self.s.expr_sym[e.index()],
            _ => None,
        }
    }

    /// A private variable by its bare name: mentioning it twice evaluates nothing twice.
    pub fn is_plain_variable(&self, e: ExprId) -> bool {
        match self.u[e].kind {
            ExprKind::Paren(e) => self.is_plain_variable(e),
            ExprKind::Ident(_) => !self.s.types.is_shared(self.s.ty(e)),
            _ => false,
        }
    }

    /// The variable at the root of an access or of a pointer expression.
    pub fn root_symbol(&self, e: ExprId) -> Option<SymId> {
        use ExprKind::*;
        match self.u[e].kind {
            Ident(_) => self.s.expr_sym[e.index()],
            Paren(x) | Unary(UnOp::Deref | UnOp::AddrOf | UnOp::Extension | UnOp::Real | UnOp::Imag, x) => {
                self.root_symbol(x)
            }
            Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, x) | Cast(_, x) => self.root_symbol(x),
            Member { base, .. } => self.root_symbol(base),
            Index(a, b) | Binary(BinOp::Add | BinOp::Sub, a, b) => {
                let shared = |x: ExprId| {
                    let t = self.s.ty(x);
                    self.is_shared_ptr(t) || self.s.types.is_shared(t)
                };
                self.root_symbol(if shared(a) { a } else { b })
            }
            _ => None,
        }
    }

    /// Split-C: a block of a spread array, a whole on its processor.
    pub fn is_block(&self, e: ExprId) -> bool {
        let e = self.unparen(e);
        match self.u[e].kind {
            ExprKind::Index(a, i) => self.is_block_at(e, a) || self.is_block_at(e, i),
            ExprKind::Unary(UnOp::Deref, p) => self.is_block_at(e, p),
            _ => false,
        }
    }

    fn is_block_at(&self, e: ExprId, base: ExprId) -> bool {
        let to = self.s.types.pointee(self.s.rvalue_ty(base)).and_then(|to| self.s.types.shared(to));
        matches!(to, Some(Block::Spread { .. })) && self.s.types.shared(self.s.ty(e)) == Some(Block::Indefinite)
    }

    /// Is it an object of a vector type, shared?
    pub fn is_shared_vector(&self, e: ExprId) -> bool {
        matches!(self.s.types.kind(self.s.ty(e)), TyKind::Vector(..)) && self.is_shared_lvalue(e)
    }

    /// The operands of a subscript of a shared array or vector, that one first.
    pub fn array_and_index(&self, a: ExprId, i: ExprId) -> (ExprId, ExprId) {
        match (self.is_array(a) && self.is_shared_lvalue(a)) || self.is_shared_vector(a) {
            true => (a, i),
            false => (i, a),
        }
    }

    /// A subscript whose array is a member of a shared record, a vector, or a block of a spread array: C's own subscript
    /// serves.
    pub fn member_array(&self, e: ExprId) -> bool {
        match self.u[e].kind {
            ExprKind::Index(a, i) => {
                let (a, _) = self.array_and_index(a, i);
                let shared = self.is_array(a) && self.is_shared_lvalue(a);
                self.is_shared_vector(a) || (shared && (self.member_array(a) || self.is_block(a)))
            }
            ExprKind::Paren(x) => self.member_array(x),
            ExprKind::Member { .. } => true,
            _ => false,
        }
    }

    /// Takes apart a subscript chain whose root is a static shared array or a private pointer-to-shared variable. All
    /// subscripts are of one object: in `p[i][j]` where `p[i]` is itself a pointer, `[j]` begins at another object.
    pub fn subscripts(&self, e: ExprId) -> Option<Subscripts> {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.subscripts(x),
            ExprKind::Ident(_) => {
                let sym = self.s.expr_sym[e.index()]?;
                Some(Subscripts { sym, root: e, indices: vec![] })
            }
            ExprKind::Index(a, i) => {
                let a = self.uncast(a);
                if matches!(self.s.types.kind(self.s.ty(a)), TyKind::Vector(..)) {
                    return None;
                }
                // `p[i][j]` through a pointer that is an element itself is not one object.
                if !self.is_array(a) && !matches!(self.u[self.unparen(a)].kind, ExprKind::Ident(_)) {
                    return None;
                }
                let mut s = self.subscripts(a)?;
                if !s.indices.is_empty() && !self.is_array(a) {
                    return None;
                }
                s.indices.push(i);
                Some(s)
            }
            _ => None,
        }
    }

    /// `(T *)p`, where the cast changes no more than qualifiers of the objects: `p`.
    pub fn uncast(&self, e: ExprId) -> ExprId {
        let to = |t: Ty| self.s.types.pointee(t).map(|t| (self.s.types.unqual(t), self.s.types.shared(t)));
        match self.u[self.unparen(e)].kind {
            ExprKind::Cast(_, p) if self.is_shared_ptr(self.s.ty(p)) => {
                let is_plain = |t: Ty| {
                    self.s
                        .types
                        .pointee(t)
                        .map(|t| self.s.types.quals(t))
                        .is_some_and(|q| !q.is_volatile && !q.is_atomic)
                };
                let same = to(self.s.ty(e)) == to(self.s.ty(p)) && is_plain(self.s.ty(e)) && is_plain(self.s.ty(p));
                if same {
                    p
                } else {
                    e
                }
            }
            _ => e,
        }
    }

    /// The expression `up` subscripts outwards from `e`.
    pub fn above(&self, e: ExprId, up: usize) -> ExprId {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.above(x, up),
            ExprKind::Index(a, _) if up > 0 => self.above(a, up - 1),
            _ => e,
        }
    }

    /// Does `e` keep its value through the loop, as far as its text says, and may it be computed even if the loop runs no
    /// iteration?
    pub fn invariant(&self, e: ExprId, fx: &Effects) -> bool {
        let mut divides = false;
        visit(self.u, Child::Expr(e), |n| {
            divides |=
                matches!(n, Child::Expr(x) if matches!(self.u[x].kind, ExprKind::Binary(BinOp::Div | BinOp::Rem, ..)));
        });
        !divides && self.keeps(e, fx)
    }

    /// Does `e` keep its value through the loop, as far as its text says?
    pub fn keeps(&self, e: ExprId, fx: &Effects) -> bool {
        match &self.u[e].kind {
            ExprKind::Number | ExprKind::Char | ExprKind::Threads | ExprKind::MyThread => true,
            ExprKind::SizeofType(..) | ExprKind::SizeofExpr(..) => self.keeps_size(e, fx),
            ExprKind::Paren(x) | ExprKind::Unary(UnOp::Plus | UnOp::Neg | UnOp::BitNot, x) => self.keeps(*x, fx),
            ExprKind::Cast(t, x) => self.keeps_type(*t, fx) && self.keeps(*x, fx),
            ExprKind::Binary(_, a, b) => self.keeps(*a, fx) && self.keeps(*b, fx),
            ExprKind::Cond(c, a, b) => [Some(*c), *a, Some(*b)].into_iter().flatten().all(|x| self.keeps(x, fx)),
            ExprKind::Ident(_) => self.s.expr_sym[e.index()].is_some_and(|sym| self.is_fixed(sym, fx)),
            _ => false,
        }
    }

    /// Has the `sizeof` the same value before the loop, where what the loop declares is not known?
    pub fn keeps_size(&self, e: ExprId, fx: &Effects) -> bool {
        !self.sizes_vla(e) && !self.names_assigned(self.u[e].toks, fx)
    }

    /// Is the type that a cast names the same before the loop, and not one that is translated?
    pub fn keeps_type(&self, t: TypeNameId, fx: &Effects) -> bool {
        !self.translated.type_name(t) && !self.names_assigned(self.u[t].toks, fx)
    }

    /// Has the text the name of a variable that the loop assigns or declares?
    fn names_assigned(&self, at: TokRange, fx: &Effects) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let name = |sym: &SymId| self.p.source.name(self.s.symbols[sym.0 as usize].name);
        self.p
            .source
            .range_text(at)
            .split(|c| !is_part(c))
            .any(|word| !word.is_empty() && fx.assigned.iter().any(|sym| name(sym) == word))
    }

    /// Is it an array of variable length, or does it lead to one?
    pub fn is_computed(&self, t: Ty) -> bool {
        self.s.types.has_vla(t)
            || match self.s.types.kind(t) {
                TyKind::Pointer(to) | TyKind::Array(to, _) => self.is_computed(*to),
                TyKind::Function(of) => self.is_computed(of.ret),
                _ => false,
            }
    }

    /// Is it `sizeof` of a variable-length array? Its operand is evaluated (C17 6.5.3.4 p2).
    pub fn sizes_vla(&self, e: ExprId) -> bool {
        let operand = match self.u[e].kind {
            ExprKind::SizeofType(_, t) => self.s.type_name_ty[t.index()],
            ExprKind::SizeofExpr(_, x) => self.s.ty(x),
            _ => return false,
        };
        self.s.types.has_vla(operand)
    }

    /// As `keeps`, for a bound that may also be read from memory, shared memory too: `row[j + 1]`, `grid->n`. Relaxed reads
    /// of one object may be one read if nothing between them orders accesses (B.2).
    pub fn keeps_bound(&self, e: ExprId, fx: &Effects) -> bool {
        if self.keeps(e, fx) {
            return true;
        }
        let t = self.s.ty(e);
        let q = self.s.types.quals(t);
        let is_read = !self.is_array(e) && !q.is_volatile && !q.is_atomic && !self.is_strict(e);
        let may_be_written = || {
            let object = |sym: SymId| self.s.symbols[sym.0 as usize].ty;
            let shared = fx.shared_written.iter().map(|t| Some(*t));
            let objects = fx.written.iter().filter_map(|w| match *w {
                Written::Object(sym) => Some(Some(object(sym))),
                Written::Anything => Some(None),
                Written::Target(_) | Written::Local => None,
            });
            let private = fx.pointed_written.iter().chain(&fx.elements_written).map(|t| Some(*t));
            let named = fx.assigned.iter().map(|sym| &self.s.symbols[sym.0 as usize]);
            let named = named.filter(|s| s.address_taken || s.linkage == Linkage::External).map(|s| Some(s.ty));
            let overlaps = |written: Option<Ty>| {
                written.is_none_or(|w| self.may_overlap(self.s.types.unqual(self.s.types.ultimate(w)), t))
            };
            // A call that may change anything is among the stops.
            !fx.stops.is_empty() || shared.chain(objects).chain(private).chain(named).any(overlaps)
        };
        match &self.u[e].kind {
            ExprKind::Paren(x) | ExprKind::Unary(UnOp::Plus | UnOp::Neg | UnOp::BitNot, x) => self.keeps_bound(*x, fx),
            ExprKind::Cast(t, x) => self.keeps_type(*t, fx) && self.keeps_bound(*x, fx),
            ExprKind::Binary(_, a, b) => self.keeps_bound(*a, fx) && self.keeps_bound(*b, fx),
            ExprKind::Cond(c, a, b) => [Some(*c), *a, Some(*b)].into_iter().flatten().all(|x| self.keeps_bound(x, fx)),
            // An array that the loop declares is another one in each iteration.
            ExprKind::Ident(_) => match self.is_array(e) {
                true => self.bare(e).is_none_or(|sym| !fx.assigned.contains(&sym)),
                false => self.s.types.is_shared(t) && is_read && !may_be_written(),
            },
            ExprKind::Index(a, i) => {
                let reads = |x: ExprId| self.keeps_bound(x, fx);
                reads(*a) && reads(*i) && (self.is_array(e) || (is_read && !may_be_written()))
            }
            // An array in a structure is not read as a whole.
            ExprKind::Member { base, arrow: true, .. } | ExprKind::Unary(UnOp::Deref, base) => {
                self.keeps_bound(*base, fx) && (self.is_array(e) || (is_read && !may_be_written()))
            }
            ExprKind::Member { base, .. } => {
                let is_place = self.is_array(e) && self.bare(*base).is_some_and(|sym| !fx.assigned.contains(&sym));
                let is_fixed = self.variable_is_fixed(*base, fx) || self.keeps_bound(*base, fx);
                is_place || (is_fixed && (self.is_array(e) || (is_read && !may_be_written())))
            }
            _ => false,
        }
    }

    /// A private structure by its name, of which the loop changes no part.
    fn variable_is_fixed(&self, e: ExprId, fx: &Effects) -> bool {
        self.bare(e).is_some_and(|sym| self.is_fixed(sym, fx))
    }

    /// A private scalar that nothing in the loop changes.
    pub fn is_fixed(&self, sym: SymId, fx: &Effects) -> bool {
        let s = &self.s.symbols[sym.0 as usize];
        let q = self.s.types.quals(s.ty);
        if matches!(s.kind, SymKind::EnumConst(_)) {
            return true;
        }
        if self.s.types.is_shared(s.ty) || q.is_volatile || q.is_atomic || fx.assigned.contains(&sym) {
            return false;
        }
        let has_name = |sym: &SymId| !self.s.symbols[sym.0 as usize].local;
        if self.s.options.aliases && has_name(&sym) && fx.assigned.iter().any(has_name) {
            return false;
        }
        let private_to_function = s.local && !s.is_static && !s.address_taken;
        let may_change = fx.changes || s.address_taken || self.may_be_among(&fx.pointed_written, sym);
        private_to_function || !may_change
    }

    pub fn same_all(&self, a: &[ExprId], b: &[ExprId]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(*a, *b))
    }

    /// Two invariant expressions that are spelled the same and name the same variables.
    fn same(&self, a: ExprId, b: ExprId) -> bool {
        use ExprKind::*;
        match (&self.u[a].kind, &self.u[b].kind) {
            (Paren(a), _) => self.same(*a, b),
            (_, Paren(b)) => self.same(a, *b),
            (Ident(_), Ident(_)) => self.s.expr_sym[a.index()] == self.s.expr_sym[b.index()],
            (Number | Char, Number | Char) => {
                self.p.source.range_text(self.u[a].toks) == self.p.source.range_text(self.u[b].toks)
            }
            (Threads, Threads) | (MyThread, MyThread) => true,
            (Unary(o, a), Unary(p, b)) => o == p && self.same(*a, *b),
            (Binary(o, a, c), Binary(p, b, d)) => o == p && self.same(*a, *b) && self.same(*c, *d),
            _ => false,
        }
    }

    /// What the names in an expression stand for, in source order.
    pub fn names_in(&self, e: ExprId) -> Vec<SymId> {
        let mut found = vec![];
        visit(self.u, Child::Expr(e), |n| {
            if let Child::Expr(x) = n {
                found.extend(self.s.expr_sym[x.index()]);
            }
        });
        found
    }

    pub fn uses(&self, e: ExprId, sym: SymId) -> bool {
        let mut found = false;
        visit(self.u, Child::Expr(e), |n| {
            if let Child::Expr(x) = n {
                found |= self.s.expr_sym[x.index()] == Some(sym);
            }
        });
        found
    }

    /// c, if the expression is `var + c`.
    pub fn offset_from(&self, e: ExprId, var: SymId) -> Option<i64> {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.offset_from(x, var),
            ExprKind::Ident(_) => (self.s.expr_sym[e.index()] == Some(var)).then_some(0),
            ExprKind::Binary(BinOp::Add, l, r) => match self.offset_from(l, var) {
                Some(a) => a.checked_add(self.summand(e, r)?),
                None => self.offset_from(r, var)?.checked_add(self.summand(e, l)?),
            },
            ExprKind::Binary(BinOp::Sub, l, r) => self.offset_from(l, var)?.checked_sub(self.summand(e, r)?),
            _ => None,
        }
    }

    /// c and the summands that do not name `var`, if the expression is `var` + c + summands, each of them added or (true)
    /// subtracted. The sum of their values, as `long`, is the expression's: C does not add in a narrower unsigned type.
    pub fn sum_from(&self, e: ExprId, var: SymId) -> Option<(i64, Shift)> {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.sum_from(x, var),
            ExprKind::Ident(_) => (self.s.expr_sym[e.index()] == Some(var)).then_some((0, vec![])),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), l, r) => {
                let (inner, other) = match (self.uses(l, var), self.uses(r, var)) {
                    (true, false) => (l, r),
                    (false, true) if op == BinOp::Add => (r, l),
                    _ => return None,
                };
                let minus = op == BinOp::Sub;
                let (at, mut shift) = self.sum_from(inner, var)?;
                if self.s.const_int(self.p, other).is_some() {
                    let c = self.summand(e, other)?;
                    return Some((if minus { at.checked_sub(c)? } else { at.checked_add(c)? }, shift));
                }
                let is_int = |x: ExprId| matches!(*self.s.types.kind(self.s.rvalue_ty(x)), TyKind::Int(k) if !matches!(k, IntKind::Int128 | IntKind::UInt128));
                let wraps = self.unsigned(self.s.ty(e)) && self.s.size_of(self.s.ty(e))?.bytes < 8;
                if !is_int(other) || !is_int(inner) || wraps {
                    return None;
                }
                shift.push((minus, other));
                Some((at, shift))
            }
            _ => None,
        }
    }

    pub fn same_shift(&self, a: &Shift, b: &Shift) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|((m, a), (n, b))| m == n && self.same(*a, *b))
    }

    /// The constant that is added or subtracted in `sum`; none if it is the large one that an unsigned sum takes as a
    /// negative one, `i + 0xffffffffu`.
    fn summand(&self, sum: ExprId, e: ExprId) -> Option<i64> {
        let value = i64::try_from(self.s.const_int(self.p, e)?).ok()?;
        let wraps = self.unsigned(self.s.ty(sum)) && value > i64::from(i32::MAX);
        (!wraps).then_some(value)
    }

    /// Is it an unsigned type that arithmetic does not promote to a signed one?
    pub fn unsigned(&self, t: Ty) -> bool {
        matches!(*self.s.types.kind(t), TyKind::Int(IntKind::UInt | IntKind::ULong | IntKind::ULongLong))
    }

    /// May code stand before the loop, or the loop be written otherwise? Not if control can enter it without passing its
    /// head, or if a pragma, OpenMP's for instance, speaks of it.
    pub fn is_free(&self, id: StmtId) -> bool {
        !self.entered_sideways(id) && self.pragma_before(id).is_none()
    }

    /// The pragma of the C compiler that stands before a statement, with the white space around it.
    pub fn pragma_before(&self, id: StmtId) -> Option<&str> {
        let text = self.p.source.text_before(self.u[id].toks.lo);
        (text.contains('#') || text.contains("_Pragma")).then_some(text).filter(|t| t.contains("ragma"))
    }

    /// Can control enter the loop without passing its head?
    pub fn entered_sideways(&self, id: StmtId) -> bool {
        let (mut cases, mut labels) = (false, false);
        visit(self.u, Child::Stmt(id), |n| {
            labels |= matches!(n, Child::Stmt(s) if matches!(self.u[s].kind, StmtKind::Label(..)));
        });
        // A switch inside the loop has its own cases.
        walk(self.u, Child::Stmt(id), |n| {
            let Child::Stmt(s) = n else { return true };
            cases |= matches!(self.u[s].kind, StmtKind::Case(..) | StmtKind::Default(_));
            !matches!(self.u[s].kind, StmtKind::Switch { .. })
        });
        labels || cases
    }

    pub fn reads_shared(&self, e: ExprId) -> bool {
        let mut found = false;
        visit(self.u, Child::Expr(e), |n| found |= matches!(n, Child::Expr(x) if self.s.types.is_shared(self.s.ty(x))));
        found
    }

    pub fn is_loop(&self, s: StmtId) -> bool {
        use StmtKind::*;
        matches!(self.u[s].kind, For { .. } | While { .. } | DoWhile { .. } | Forall { .. })
    }

    /// The subscript expressions below a node, in source order.
    pub fn elements(&self, root: Child) -> Vec<ExprId> {
        let mut found = vec![];
        visit(self.u, root, |n| match n {
            Child::Expr(e) if matches!(self.u[e].kind, ExprKind::Index(..)) => found.push(e),
            _ => {}
        });
        found
    }
}
