//! Shared accesses. A relaxed one is the C lvalue `*(T *)address`; a strict one is a read or write with the fences
//! that order it against everything else of the thread (UPC 1.3, 6.5.1.1 and appendix B). So it is where the object is
//! known to be in reach of loads and stores; otherwise `far` has the forms.

use crate::code::Code;
use crate::explain::Use;
use crate::far::{Access, Place, Reach};
use crate::pointer::{Layout, OpText};
use crate::Lower;
use fathom_sema::{Block, Ty, TyKind};
use fathom_syntax::ast::*;

/// The base of a chain of subscripts, and the index in ultimate elements.
struct Chain {
    root: Root,
    index: Option<Code>,
}

enum Root {
    /// A static shared array: its first element is on thread 0 with phase 0.
    Object(ExprId),
    /// A pointer-to-shared value of this type.
    Pointer(Code, Ty),
    /// An array member of a shared record: C's own array.
    Member(ExprId),
}

impl Lower<'_> {
    /// Does the expression designate a shared object?
    pub(crate) fn is_shared_lvalue(&self, e: ExprId) -> bool {
        self.s.designates_shared(e)
    }

    pub(crate) fn is_strict(&self, e: ExprId) -> bool {
        self.s.expr_strict.get(e.index()).copied().unwrap_or(false) && self.is_shared_lvalue(e)
    }

    /// Reads a shared object; for an array, the pointer to its first element.
    pub(crate) fn read(&mut self, e: ExprId) -> Code {
        let t = self.s.ty(e);
        if let TyKind::Array(..) = self.s.types.kind(t) {
            return self.pointer_to(e);
        }
        if self.s.types.is_void(t) && !self.options.direct {
            return code!["((void)(", self.address(e), "))"];
        }
        let lv = match self.access(e, Use::Read) {
            Access::Direct(lv) => lv,
            Access::Far(target) => return self.far_read(e, target),
        };
        if !self.is_strict(e) || self.s.types.is_void(t) {
            return lv;
        }
        if self.is_phased(t) {
            return code!["fathom_strict_load2((fathom_ptr)&", lv, ")"];
        }
        let v = self.temp("v");
        let place = self.temp("at");
        if let Some(ty) = self.atomic_word(e) {
            return code![
                format!("__extension__ ({{ {} = &", self.c_type(ty, &format!("*{place}"))),
                lv,
                format!("; fathom_strict_begin(); {}; __atomic_load({place}, &{v}, 5); {v}; }})", self.c_type(ty, &v))
            ];
        }
        let ty = self.temp_type(e, lv.clone());
        code![
            "__extension__ ({ fathom_strict_begin(); ",
            ty,
            format!(" {v} = "),
            lv,
            format!("; fathom_strict_end(); {v}; }})")
        ]
    }

    /// The type for a temporary that holds the value of shared lvalue `e`.
    fn temp_type(&mut self, e: ExprId, lv: Code) -> Code {
        let t = self.unqualified(self.s.ty(e));
        match self.s.types.kind(t) {
            TyKind::Record(_) => code!["__typeof__(", lv, ")"],
            _ => self.c_cast(t).into(),
        }
    }

    pub(crate) fn unqualified(&self, t: Ty) -> Ty {
        self.s.types.plain(t)
    }

    /// The type of `e`, if a single atomic load or store can move it: a scalar of a machine word, no bit-field.
    pub(crate) fn atomic_word(&mut self, e: ExprId) -> Option<Ty> {
        let t = self.unqualified(self.s.ty(e));
        let size = self.s.size_of(t)?;
        let scalar = matches!(self.s.types.kind(t), TyKind::Int(_) | TyKind::Float(_) | TyKind::Enum(_))
            || (matches!(self.s.types.kind(t), TyKind::Pointer(_)) && !self.is_phased(t));
        let word = matches!(size.bytes, 1 | 2 | 4 | 8) && !size.times_threads;
        (scalar && word && !self.is_bit_field(e)).then_some(t)
    }

    pub(crate) fn is_bit_field(&self, e: ExprId) -> bool {
        self.s.bit_field(e).is_some()
    }

    /// `l = value` for a shared `l`; `value` has been converted. Yields the value.
    pub(crate) fn write(&mut self, l: ExprId, value: Code) -> Code {
        let lv = match self.access(l, Use::Write) {
            Access::Direct(lv) => lv,
            Access::Far(target) => return self.far_write(l, target, value),
        };
        if !self.is_strict(l) {
            return code![lv, " = ", value];
        }
        if self.is_phased(self.s.ty(l)) {
            return code!["fathom_strict_store2((fathom_ptr)&", lv, ", ", value, ")"];
        }
        let v = self.temp("v");
        if let Some(ty) = self.atomic_word(l) {
            let place = self.temp("at");
            return code![
                format!("__extension__ ({{ {} = ", self.c_type(ty, &v)),
                value,
                format!("; {} = ({})&", self.c_type(ty, &format!("*{place}")), self.c_type(ty, "*")),
                lv,
                format!("; __atomic_store({place}, &{v}, 5); fathom_fence_after_atomic(); {v}; }})")
            ];
        }
        let ty = self.temp_type(l, lv.clone());
        code![
            "__extension__ ({ ",
            ty,
            format!(" {v} = "),
            value,
            "; fathom_strict_begin(); ",
            lv,
            format!(" = {v}; fathom_fence(); {v}; }})")
        ]
    }

    /// `l op= r` for a shared arithmetic `l`.
    pub(crate) fn write_op(&mut self, op: BinOp, l: ExprId, r: Code) -> Code {
        let text = format!(" {}= ", op.text());
        let lv = match self.access(l, Use::Update) {
            Access::Direct(lv) => lv,
            Access::Far(target) => {
                // Before the object is read: the operand may write to it. Promoted, which the operator does anyway: a
                // bit-field has no type that a variable can have.
                let name = self.temp("r");
                let operand = code![format!("__auto_type {name} = +("), r, "); "];
                return self.far_update(l, target, operand, |lv| code!["(", lv, text, name, ")"]);
            }
        };
        if !self.is_strict(l) {
            return code![lv, text, r];
        }
        let v = self.temp("v");
        let t = self.unqualified(self.s.ty(l));
        code![
            format!("__extension__ ({{ fathom_strict_begin(); {} {v} = (", self.c_cast(t)),
            lv,
            text,
            r,
            format!("); fathom_fence(); {v}; }})")
        ]
    }

    /// `++` or `--` on a shared arithmetic lvalue.
    pub(crate) fn step(&mut self, op: UnOp, l: ExprId) -> Code {
        let step = |lv: Code| match op {
            UnOp::PreInc => code!["++", lv],
            UnOp::PreDec => code!["--", lv],
            UnOp::PostInc => code![lv, "++"],
            _ => code![lv, "--"],
        };
        let stepped = match self.access(l, Use::Update) {
            Access::Direct(lv) => step(lv),
            Access::Far(target) => return self.far_update(l, target, Code::new(), |lv| step(lv.into())),
        };
        if !self.is_strict(l) {
            return stepped;
        }
        let v = self.temp("v");
        let t = self.unqualified(self.s.ty(l));
        code![
            format!("__extension__ ({{ fathom_strict_begin(); {} {v} = ", self.c_cast(t)),
            stepped,
            format!("; fathom_fence(); {v}; }})")
        ]
    }

    /// The C lvalue for a shared object that must be near: its own bytes.
    pub(crate) fn lvalue(&mut self, e: ExprId) -> Code {
        let place = self.place(e);
        if self.settled(&place.reach) == Reach::Near {
            return place.lvalue;
        }
        let star = self.c_pointer(self.s.ty(e));
        code![format!("(*({star})fathom_cast("), self.word_at(place), "))"]
    }

    /// The C lvalue for a shared object, and whether it may be read and written.
    pub(crate) fn place(&mut self, e: ExprId) -> Place {
        if !self.s.types.is_shared(self.s.ty(e)) {
            return Place { lvalue: self.expr(e), reach: Reach::Near };
        }
        if let Some(place) = self.alias_place(e) {
            return place;
        }
        let u = self.u;
        match &u[e].kind {
            ExprKind::Paren(x) | ExprKind::Unary(UnOp::Extension, x) => self.place(*x),
            ExprKind::Unary(UnOp::Real, x) => self.part_of(*x, "(__real__ ", ")"),
            ExprKind::Unary(UnOp::Imag, x) => self.part_of(*x, "(__imag__ ", ")"),
            ExprKind::Member { base, name, arrow } => {
                let field = self.p.source.name(*name).to_owned();
                if *arrow {
                    let t = self.s.rvalue_ty(*base);
                    let word = self.word_of(*base);
                    let record = self.s.types.pointee(t).unwrap_or(Ty::ERROR);
                    let record = self.c_type(record, "*");
                    let lvalue = code!["((", record, ")fathom_place(", word, format!("))->{field}")];
                    Place { lvalue, reach: self.reach() }
                } else {
                    self.part_of(*base, "", &format!(".{field}"))
                }
            }
            ExprKind::Index(..) if self.member_array(e) => {
                let ExprKind::Index(a, i) = u[e].kind else { unreachable!() };
                let (a, i) = if self.s.types.is_shared(self.s.ty(a)) { (a, i) } else { (i, a) };
                let (a, i) = (self.place(a), self.expr(i));
                Place { lvalue: code![a.lvalue, "[", i, "]"], reach: a.reach }
            }
            // Everything on one thread: C's own subscript, which its compiler knows best.
            ExprKind::Index(a, i) if self.layout(self.s.ty(e)).block == Block::Indefinite => {
                let is_base = |x: ExprId| self.is_shared_ptr(self.s.ty(x)) || self.s.types.is_shared(self.s.ty(x));
                let (a, i) = if is_base(*a) { (*a, *i) } else { (*i, *a) };
                let i = self.expr(i);
                if let TyKind::Array(..) = self.s.types.kind(self.s.ty(a)) {
                    let a = self.place(a);
                    return Place { lvalue: code![a.lvalue, "[", i, "]"], reach: a.reach };
                }
                let star = self.c_pointer(self.s.ty(e));
                let lvalue = code![format!("(({star})fathom_place("), self.word_of(a), "))[", i, "]"];
                Place { lvalue, reach: self.reach() }
            }
            ExprKind::Generic { .. } | ExprKind::ChooseExpr(..) if self.s.chosen.contains_key(&e) => {
                let choice = self.s.chosen[&e];
                self.place(choice)
            }
            _ => {
                let t = self.s.ty(e);
                let address = self.address(e);
                let star = self.c_pointer(t);
                let lvalue = code![format!("(*({star})fathom_place("), address, "))"];
                Place { lvalue, reach: self.reach() }
            }
        }
    }

    /// A part of the object `whole`, on the same thread.
    fn part_of(&mut self, whole: ExprId, before: &str, after: &str) -> Place {
        let whole = self.place(whole);
        Place { lvalue: code![before, whole.lvalue, after], reach: whole.reach }
    }

    /// The C type of a private pointer to an object of shared type `t`.
    fn c_pointer(&self, t: Ty) -> String {
        match self.s.types.kind(t) {
            TyKind::Array(..) => self.c_type(t, "(*)"),
            TyKind::Void => "char *".to_owned(),
            _ => self.c_type(t, "*"),
        }
    }

    /// A subscript whose array is a member of a shared record: C does it.
    fn member_array(&self, e: ExprId) -> bool {
        match self.u[e].kind {
            ExprKind::Index(a, i) => {
                let array = |x| {
                    matches!(self.s.types.kind(self.s.ty(x)), TyKind::Array(..)) && self.s.types.is_shared(self.s.ty(x))
                };
                let a = if array(a) { a } else { i };
                array(a) && self.member_array(a)
            }
            ExprKind::Paren(x) => self.member_array(x),
            ExprKind::Member { .. } => true,
            _ => false,
        }
    }

    /// The address word of a shared lvalue.
    pub(crate) fn address(&mut self, e: ExprId) -> Code {
        let u = self.u;
        match &u[e].kind {
            ExprKind::Paren(x) | ExprKind::Unary(UnOp::Extension, x) => self.address(*x),
            ExprKind::Ident(_) => match self.s.expr_sym[e.index()] {
                Some(sym) => {
                    let name = self.object_name(sym);
                    format!("fathom_static({name})").into()
                }
                None => "(fathom_ptr)0".into(),
            },
            ExprKind::Unary(UnOp::Deref, p) => {
                if let Some((base, index)) = self.pointer_sum(*p) {
                    return self.address_at(base, index, e);
                }
                self.word_of(*p)
            }
            ExprKind::Index(..) if !self.member_array(e) => {
                let chain = self.chain(e);
                self.chain_address(chain, e)
            }
            ExprKind::Generic { .. } | ExprKind::ChooseExpr(..) if self.s.chosen.contains_key(&e) => {
                let choice = self.s.chosen[&e];
                self.address(choice)
            }
            ExprKind::Index(..) | ExprKind::Member { .. } => {
                // A bit-field has no address; nobody asks for one.
                let place = self.place(e);
                self.word_at(place)
            }
            // Nothing else designates a shared object.
            _ => "(fathom_ptr)0".into(),
        }
    }

    /// `p + i` or `p - i`, taken apart: `*(p + i)` needs no phase of the sum.
    fn pointer_sum(&self, e: ExprId) -> Option<(ExprId, (bool, ExprId))> {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.pointer_sum(x),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), l, r) => {
                let shared = |x: ExprId| {
                    let t = self.s.ty(x);
                    self.is_shared_ptr(t)
                        || (matches!(self.s.types.kind(t), TyKind::Array(..)) && self.s.types.is_shared(t))
                };
                match (shared(l), shared(r)) {
                    (true, false) => Some((l, (op == BinOp::Sub, r))),
                    (false, true) if op == BinOp::Add => Some((r, (false, l))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn address_at(&mut self, base: ExprId, (minus, index): (bool, ExprId), e: ExprId) -> Code {
        let elem = self.s.ty(e);
        let index = self.expr(index);
        let index = self.scaled(index, elem);
        let index = if minus { code!["-(", index, ")"] } else { index };
        let mut chain = self.root_of(base);
        chain.index = Some(match chain.index.take() {
            Some(i) => code![i, " + ", index],
            None => index,
        });
        self.chain_address(chain, e)
    }

    /// Takes `a[i][j]…` apart down to an array object or a pointer.
    fn chain(&mut self, e: ExprId) -> Chain {
        match self.u[e].kind {
            ExprKind::Paren(x) => self.chain(x),
            ExprKind::Index(a, i) => {
                let is_base = |x: ExprId| {
                    let t = self.s.ty(x);
                    self.is_shared_ptr(t)
                        || self.s.types.is_shared(t) && matches!(self.s.types.kind(t), TyKind::Array(..))
                };
                let (a, i) = if is_base(a) { (a, i) } else { (i, a) };
                let elem = self.s.ty(e);
                let index = self.expr(i);
                let index = self.scaled(index, elem);
                let mut chain = self.root_of(a);
                chain.index = Some(match chain.index.take() {
                    Some(x) => code![x, " + ", index],
                    None => index,
                });
                chain
            }
            _ => self.root_of(e),
        }
    }

    fn root_of(&mut self, base: ExprId) -> Chain {
        let t = self.s.ty(base);
        if let TyKind::Array(..) = self.s.types.kind(t) {
            return match self.u[base].kind {
                ExprKind::Paren(x) => self.root_of(x),
                ExprKind::Ident(_) => Chain { root: Root::Object(base), index: None },
                ExprKind::Index(..) if !self.member_array(base) => self.chain(base),
                ExprKind::Index(..) | ExprKind::Member { .. } => Chain { root: Root::Member(base), index: None },
                ExprKind::Unary(UnOp::Deref, p) => {
                    let pt = self.s.rvalue_ty(p);
                    let p = self.expr(p);
                    Chain { root: Root::Pointer(p, pt), index: None }
                }
                _ => {
                    let p = self.expr(base);
                    let pt = self.s.rvalue_ty(base);
                    Chain { root: Root::Pointer(p, pt), index: None }
                }
            };
        }
        let p = self.expr(base);
        Chain { root: Root::Pointer(p, t), index: None }
    }

    fn chain_address(&mut self, chain: Chain, e: ExprId) -> Code {
        let l = self.layout(self.s.ty(e));
        match chain.root {
            Root::Object(base) => {
                let start = self.address(base);
                match chain.index {
                    Some(i) => self.elem_address(start, i, l),
                    None => start,
                }
            }
            Root::Pointer(p, t) => match chain.index {
                Some(i) => {
                    let sum = self.add(p, i, t);
                    self.word(sum, t)
                }
                None => self.word(p, t),
            },
            Root::Member(base) => {
                let place = self.place(base);
                let start = self.word_at(place);
                let i = chain.index.unwrap_or_else(|| "0".into());
                code!["(", start, " + (unsigned long)(", i, format!(") * {}ul)", l.size)]
            }
        }
    }

    /// Element `i` of an array whose first element is at `start` on thread 0, phase 0.
    pub(crate) fn elem_address(&self, start: Code, i: Code, l: Layout) -> Code {
        match l.block {
            Block::Indefinite => code!["(", start, " + (unsigned long)(", i, format!(") * {}ul)", l.size)],
            Block::Of(1) => code!["fathom_cyclic_elem(", start, ", ", i, format!(", {}ul)", l.size)],
            Block::Of(b) => code!["fathom_block_elem(", start, ", ", i, format!(", {b}ul, {}ul)", l.size)],
            Block::Star => start,
        }
    }

    /// A pointer-to-shared to `e`: `&e`, or the pointer to the first element that array `e` decays to. Both have the
    /// same address and phase, and the same number of words, because they have the same ultimate element type.
    pub(crate) fn pointer_to(&mut self, e: ExprId) -> Code {
        let t = self.s.ty(e);
        let l = self.layout(t);
        if self.s.types.phaseless_pointee(t) || self.s.types.is_void(t) {
            return self.address(e);
        }
        let Block::Of(b) = l.block else { return self.address(e) };
        match self.u[e].kind {
            ExprKind::Paren(x) | ExprKind::Unary(UnOp::Extension, x) => self.pointer_to(x),
            ExprKind::Unary(UnOp::Deref, p) => {
                let pt = self.s.rvalue_ty(p);
                if self.is_phased(pt) {
                    self.expr(p)
                } else {
                    code!["fathom_pptr_of(", self.word_of(p), ", 0)"]
                }
            }
            ExprKind::Index(..) if !self.member_array(e) => {
                let chain = self.chain(e);
                let index = chain.index.unwrap_or_else(|| "0l".into());
                match chain.root {
                    Root::Object(base) => {
                        let start = self.address(base);
                        code!["fathom_block_at(", start, ", ", index, format!(", {b}ul, {}ul)", l.size)]
                    }
                    Root::Pointer(p, pt) => self.add(p, index, pt),
                    Root::Member(_) => code!["fathom_pptr_of(", self.address(e), ", 0)"],
                }
            }
            _ => code!["fathom_pptr_of(", self.address(e), ", 0)"],
        }
    }
}
