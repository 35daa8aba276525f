//! Initializers: which subobject each one initializes (C 6.7.9), with brace elision and designators.
//!
//! The walk keeps a stack of partly initialized aggregates, so depth of nesting and size of arrays cost nothing.

use crate::checks::c6_4;
use crate::literal::{each_char, literal};
use crate::rules;
use crate::scope::Checker;
use crate::*;

/// An aggregate whose members or elements are being initialized in turn.
struct Frame {
    ty: Ty,
    next: u64,
    /// The number of members or elements; `None` if unknown (an array to be completed, or THREADS-dependent).
    len: Option<u64>,
}

impl<'a> Checker<'a> {
    /// Types an initializer of an object of type `ty`; gives the type, completed if it was an array of unknown size.
    pub fn init(&mut self, ty: Ty, i: InitId) -> Ty {
        if !self.enter() {
            return ty;
        }
        let full = match &self.u[i].kind {
            InitKind::Expr(e) => self.init_expr(ty, *e),
            InitKind::List(items) => self.init_list(ty, items, self.u[i].toks),
        };
        self.s.init_ty[i.index()] = full;
        self.leave();
        full
    }

    fn init_expr(&mut self, ty: Ty, e: ExprId) -> Ty {
        let t = self.expr(e);
        if let Some(full) = self.string_for(ty, e, t) {
            return full;
        }
        self.init_typed(ty, e, t);
        match (self.s.types.kind(ty), self.s.types.kind(t)) {
            // GNU C: an array initialized by a compound literal.
            (&TyKind::Array(elem, Len::Unknown), &TyKind::Array(_, len)) => self.s.types.array(elem, len),
            _ => ty,
        }
    }

    /// An expression, typed already, for an object that takes it whole.
    fn init_typed(&mut self, ty: Ty, e: ExprId, t: Ty) {
        if self.s.types.is_array(ty) {
            if self.s.types.is_shared(ty) && !self.s.types.is_array(t) {
                self.report(&rules::NOT_SCALAR, self.u[e].toks, "a shared array is initialized by a single value");
            }
            return;
        }
        let v = self.decayed(e, t);
        let to = self.s.types.unqual(ty);
        if self.s.types.is_shared(ty) {
            c6_4::stored(self, to, e, v);
        }
        self.convert(e, Conversion::Assignment, to);
        c6_4::assignable(self, to, e, v, "initialization");
    }

    /// If a string literal initializes a whole character array: its completed type.
    fn string_for(&mut self, ty: Ty, e: ExprId, t: Ty) -> Option<Ty> {
        let TyKind::Array(elem, len) = *self.s.types.kind(ty) else {
            return None;
        };
        let s = self.s.stands_for(e);
        if !matches!(self.u[s].kind, ExprKind::Str) {
            return None;
        }
        if !self.s.types.is_integer(elem) {
            return None;
        }
        let TyKind::Array(_, n) = *self.s.types.kind(t) else {
            return None;
        };
        if let (Len::Const(room), Len::Const(n), true) = (len, n, self.s.types.is_shared(ty)) {
            // The terminating zero may be left out (C 6.7.9 p14).
            if n - 1 > room {
                self.report(&rules::INITIALIZER_EXCESS, self.u[s].toks, "the string is longer than the shared array");
            }
        }
        Some(if len == Len::Unknown { self.s.types.array(elem, n) } else { ty })
    }

    fn frame(&self, ty: Ty) -> Frame {
        let len = match self.s.types.kind(ty) {
            TyKind::Array(_, Len::Const(n)) => Some(*n),
            TyKind::Array(..) => None,
            TyKind::Record(r) => Some(self.s.types.record(*r).fields.as_ref().map_or(0, |f| f.len() as u64)),
            TyKind::Vector(e, bytes) => self.s.size_of(*e).map(|s| bytes / s.bytes.max(1)),
            _ => Some(1),
        };
        Frame { ty, next: 0, len }
    }

    fn is_aggregate(&self, ty: Ty) -> bool {
        match self.s.types.kind(ty) {
            TyKind::Array(..) | TyKind::Vector(..) => true,
            TyKind::Record(r) => self.s.types.record(*r).fields.is_some(),
            _ => false,
        }
    }

    /// The type of the subobject that a frame has reached, skipping unnamed bit-fields.
    fn current(&mut self, f: &mut Frame) -> Option<Ty> {
        if let TyKind::Record(r) = *self.s.types.kind(f.ty) {
            let rec = self.s.types.record(r);
            let fields = rec.fields.as_deref().unwrap_or(&[]);
            while fields.get(f.next as usize).is_some_and(|g| g.name.is_none() && g.bits.is_some()) {
                f.next += 1;
            }
            let ty = fields.get(f.next as usize)?.ty;
            let q = self.s.types.quals(f.ty);
            return Some(self.member_type(q, ty));
        }
        if f.len.is_some_and(|n| f.next >= n) {
            return None;
        }
        match *self.s.types.kind(f.ty) {
            TyKind::Array(e, _) => Some(e),
            TyKind::Vector(e, _) => Some(e),
            _ => Some(f.ty),
        }
    }

    /// Moves past the subobject reached. After one member, a union is done.
    fn advance(&self, f: &mut Frame) {
        f.next = match self.s.types.kind(f.ty) {
            TyKind::Record(r) if self.s.types.record(*r).is_union => u64::MAX,
            _ => f.next.saturating_add(1),
        };
    }

    fn init_list(&mut self, ty: Ty, items: &'a [InitItem], at: TokRange) -> Ty {
        if !self.is_aggregate(ty) {
            let mut excess = false;
            for (n, item) in items.iter().enumerate() {
                self.init(if n == 0 { ty } else { Ty::ERROR }, item.init);
                excess |= n > 0;
            }
            if excess && self.s.types.is_shared(ty) {
                self.report(&rules::INITIALIZER_EXCESS, at, "more than one initializer for a shared scalar");
            }
            return ty;
        }
        if let [InitItem { designators, init }] = items {
            if let (true, InitKind::Expr(e)) = (designators.is_empty(), &self.u[*init].kind) {
                if matches!(self.u[self.s.stands_for(*e)].kind, ExprKind::Str) && self.s.types.is_array(ty) {
                    let t = self.expr(*e);
                    if let Some(full) = self.string_for(ty, *e, t) {
                        self.s.init_ty[init.index()] = full;
                        return full;
                    }
                }
            }
        }
        let mut stack = vec![self.frame(ty)];
        let mut count = 0u64;
        let mut excess = None;
        for item in items {
            if !item.designators.is_empty() {
                stack.truncate(1);
                if !self.designate(&mut stack, &item.designators) {
                    // Names nothing: typed on its own, and said if the C compiler will not see it.
                    self.init(Ty::ERROR, item.init);
                    excess.get_or_insert(self.u[item.init].toks);
                    stack.truncate(1);
                    continue;
                }
            }
            if !self.place(&mut stack, item.init) {
                self.init(Ty::ERROR, item.init);
                excess.get_or_insert(self.u[item.init].toks);
            }
            count = count.max(self.reached(&stack));
        }
        if let (Some(at), true) = (excess, self.s.types.is_shared(ty)) {
            self.report(&rules::INITIALIZER_EXCESS, at, "this initializer is outside the shared object");
        }
        match *self.s.types.kind(ty) {
            TyKind::Array(e, Len::Unknown) => self.s.types.array(e, Len::Const(count)),
            _ => ty,
        }
    }

    /// How many elements of the outermost aggregate have been begun.
    fn reached(&self, stack: &[Frame]) -> u64 {
        stack.first().map_or(0, |f| f.next)
    }

    /// Follows a designator list from the outermost aggregate. The frames stand at the designated subobject.
    fn designate(&mut self, stack: &mut Vec<Frame>, path: &'a [Designator]) -> bool {
        for (depth, d) in path.iter().enumerate() {
            if depth > 0 {
                let Some(mut top) = stack.pop() else { return false };
                let sub = self.current(&mut top);
                self.advance(&mut top);
                stack.push(top);
                match sub {
                    Some(sub) if self.is_aggregate(sub) => stack.push(self.frame(sub)),
                    _ => return false,
                }
            }
            match *d {
                Designator::Index(i) => {
                    self.value(i);
                    if !self.designate_index(stack, i) {
                        return false;
                    }
                }
                Designator::Range(lo, hi) => {
                    self.value(lo);
                    self.value(hi);
                    if !self.designate_index(stack, hi) {
                        return false;
                    }
                }
                Designator::Field(n) => {
                    if !self.designate_field(stack, n) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn designate_index(&mut self, stack: &mut [Frame], i: ExprId) -> bool {
        let Some(n) = self.s.const_int(self.p, i).and_then(|n| u64::try_from(n).ok()) else {
            return false;
        };
        let Some(f) = stack.last_mut() else { return false };
        f.next = n;
        self.s.types.is_array(f.ty) && f.len.is_none_or(|len| n < len)
    }

    /// A member by name, descending through anonymous structs and unions.
    fn designate_field(&mut self, stack: &mut Vec<Frame>, name: Name) -> bool {
        loop {
            let Some(f) = stack.last() else { return false };
            let Some(r) = self.s.types.record_of(f.ty) else {
                return false;
            };
            let fields = self.s.types.record(r).fields.as_deref().unwrap_or(&[]);
            let found = fields.iter().position(|g| g.name == Some(name));
            let inner = |g: &Field| {
                let anonymous = g.name.is_none() && g.bits.is_none();
                self.s.types.record_of(g.ty).filter(|&i| anonymous && i != r)
            };
            let through = found
                .is_none()
                .then(|| fields.iter().position(|g| inner(g).is_some_and(|i| self.s.field(i, name).is_some())));
            let Some(at) = found.or(through.flatten()) else {
                return false;
            };
            let Some(mut top) = stack.pop() else { return false };
            top.next = at as u64;
            if found.is_some() {
                stack.push(top);
                return true;
            }
            let sub = self.current(&mut top);
            self.advance(&mut top);
            stack.push(top);
            match sub {
                Some(sub) => stack.push(self.frame(sub)),
                None => return false,
            }
        }
    }

    /// Gives one initializer to the next subobject, entering aggregates whose braces were left out. False if there
    /// is none left.
    fn place(&mut self, stack: &mut Vec<Frame>, i: InitId) -> bool {
        let mut typed = None;
        loop {
            let Some(mut top) = stack.pop() else { return false };
            let Some(sub) = self.current(&mut top) else {
                if stack.is_empty() {
                    stack.push(top);
                    return false;
                }
                continue;
            };
            self.advance(&mut top);
            stack.push(top);
            let InitKind::Expr(e) = self.u[i].kind else {
                self.init(sub, i);
                return true;
            };
            let t = match typed {
                Some(t) => t,
                None => {
                    let t = self.expr(e);
                    typed = Some(t);
                    t
                }
            };
            if let Some(full) = self.string_for(sub, e, t) {
                self.s.init_ty[i.index()] = full;
                return true;
            }
            let whole = match self.s.types.kind(sub) {
                TyKind::Record(r) => {
                    self.s.types.record_of(t) == Some(*r)
                        || self.s.types.is_error(t)
                        || self.s.types.record(*r).fields.is_none()
                }
                TyKind::Vector(..) => matches!(self.s.types.kind(t), TyKind::Vector(..) | TyKind::Error),
                TyKind::Array(..) => false,
                _ => true,
            };
            if whole {
                self.s.init_ty[i.index()] = sub;
                self.s.init_unbraced[i.index()] = stack.len() > 1;
                self.init_typed(sub, e, t);
                return true;
            }
            let frame = self.frame(sub);
            stack.push(frame);
        }
    }

    /// Reports an initializer of a shared object that must be computed at run time by reading objects or calling
    /// functions.
    pub fn constant_init(&mut self, i: InitId) {
        if !self.enter() {
            return;
        }
        match &self.u[i].kind {
            InitKind::Expr(e) => {
                if let Some(at) = self.not_constant(*e, true) {
                    self.report(
                        &rules::INITIALIZER_NOT_CONSTANT,
                        at,
                        "the initializer of a shared object must be constant",
                    );
                }
            }
            InitKind::List(items) => {
                for item in items {
                    self.constant_init(item.init);
                }
            }
        }
        self.leave();
    }

    /// The part of an expression that is not constant: a call, an assignment, or the value of an object. With
    /// `value`, the expression's value is used; without, only the address of what it designates.
    fn not_constant(&self, e: ExprId, value: bool) -> Option<TokRange> {
        let x = &self.u[e];
        let ty = self.s.expr_ty[e.index()];
        match &x.kind {
            ExprKind::Ident(_) => {
                let sym = &self.s.symbols[self.s.expr_sym[e.index()]?.0 as usize];
                let address = self.s.types.is_array(ty) || self.s.types.is_function(ty);
                let object = sym.kind == SymKind::Object;
                (object && (value && !address || !sym.is_static)).then_some(x.toks)
            }
            ExprKind::MyThread
            | ExprKind::Call { .. }
            | ExprKind::Assign(..)
            | ExprKind::StmtExpr(_)
            | ExprKind::VaArg(..) => {
                let builtin =
                    matches!(&x.kind, ExprKind::Call { callee, .. } if self.s.expr_sym[callee.index()].is_none());
                (!builtin).then_some(x.toks)
            }
            ExprKind::Unary(UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec, _) => Some(x.toks),
            ExprKind::Unary(UnOp::AddrOf, i) => self.not_constant(*i, false),
            ExprKind::Unary(UnOp::Deref, i) => {
                if value && !self.s.types.is_array(ty) && !self.s.types.is_function(ty) {
                    return Some(x.toks);
                }
                self.not_constant(*i, true)
            }
            ExprKind::Paren(i) | ExprKind::Unary(UnOp::Extension, i) => self.not_constant(*i, value),
            ExprKind::Unary(_, i) | ExprKind::Cast(_, i) => self.not_constant(*i, true),
            ExprKind::Binary(_, a, b) => self.not_constant(*a, true).or_else(|| self.not_constant(*b, true)),
            ExprKind::Cond(c, a, b) => self
                .not_constant(*c, true)
                .or_else(|| a.and_then(|a| self.not_constant(a, true)))
                .or_else(|| self.not_constant(*b, true)),
            ExprKind::Comma(..) => Some(x.toks),
            ExprKind::Index(a, b) => {
                if value && !self.s.types.is_array(ty) {
                    return Some(x.toks);
                }
                self.not_constant(*a, true).or_else(|| self.not_constant(*b, true))
            }
            ExprKind::Member { base, arrow, .. } => {
                if value && !self.s.types.is_array(ty) {
                    return Some(x.toks);
                }
                self.not_constant(*base, *arrow)
            }
            _ => None,
        }
    }
}

/// The characters of the string literals in a range of tokens, terminating zero left out.
pub fn string_chars(source: &Source, toks: TokRange) -> Vec<u32> {
    let mut out = vec![];
    let strings = |t: &u32| source.tokens[*t as usize].kind == fathom_syntax::token::TokKind::Str;
    let wide = (toks.lo..toks.hi).filter(strings).any(|t| !matches!(literal(source.tok_text(t)).prefix, "" | "u8"));
    for t in (toks.lo..toks.hi).filter(strings) {
        each_char(literal(source.tok_text(t)).body, wide, |c| out.push(c));
    }
    out
}
