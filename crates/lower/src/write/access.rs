//! Shared accesses. A relaxed access to an object that is known to be in reach of loads and stores is the C lvalue
//! `*(T *)address`; `far` has the forms of all others.

use crate::code::Code;
use crate::plan::accesses::Use;
use crate::plan::Form;
use crate::write::far::{Access, ObjectLvalue};
use crate::write::pointer::{Layout, OpText};
use crate::write::Writer;
use fathom_sema::{Block, Len, Ty, TyKind};
use fathom_syntax::ast::*;

/// The base of a chain of subscripts, and the index in ultimate elements.
struct Chain {
    root: Root,
    index: Option<Code>,
    /// The index is less than 2^32, by its type.
    is_narrow: bool,
}

enum Root {
    /// A static shared array: its first element is on thread 0 with phase 0.
    Object(ExprId),
    /// A pointer-to-shared value of this type.
    Pointer(Code, Ty),
    /// An array member of a shared record, or a block of a spread array: C's own array.
    Member(ExprId),
}

impl From<Root> for Chain {
    fn from(root: Root) -> Chain {
        Chain { root, index: None, is_narrow: false }
    }
}

/// What an address is wanted for.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    /// An access: the object exists.
    Object,
    /// C's subscripts of a block of a spread array: it exists, or its pointer is one behind the array's last block.
    Block,
    /// Any pointer, also one that leads out of the array: programs take `&a[i]` for an affinity.
    Pointer,
}

impl Writer<'_> {
    /// Reads a shared object; for an array, the pointer to its first element.
    pub(crate) fn read(&mut self, e: ExprId) -> Code {
        let t = self.s.ty(e);
        if let TyKind::Array(..) = self.s.types.kind(t) {
            return self.pointer_to(e);
        }
        if self.s.types.is_void(t) && !self.options.direct {
            return code!["((void)(", self.address(e), "))"];
        }
        if let Some(checked) = self.checked_read(e) {
            return checked;
        }
        match self.access(e, Use::Read) {
            Access::Direct(lv) => lv,
            Access::Far(target) => self.far_read(e, target),
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
        match self.access(l, Use::Write) {
            Access::Direct(lv) => code![lv, " = ", value],
            Access::Far(target) => self.far_write(l, target, value),
        }
    }

    /// `l op= r` for a shared arithmetic `l`.
    pub(crate) fn write_op(&mut self, op: BinOp, l: ExprId, r: Code) -> Code {
        let text = format!(" {}= ", op.text());
        match (self.access(l, Use::Update), self.plan.update(l)) {
            (Access::Direct(lv), _) => code![lv, text, r],
            (Access::Far(target), Some(update)) => self.update_by_owner(l, target, update, op, Some(r)),
            (Access::Far(target), None) => {
                // Before the object is read, because the operand may write to it. The value is promoted, as the
                // operator would do anyway: a bit-field has no type that a variable can have.
                let name = self.temp("r");
                let operand = code![format!("__auto_type {name} = +("), r, "); "];
                self.far_update(l, target, operand, |lv| code!["(", lv, text, name, ")"])
            }
        }
    }

    /// `++` or `--` on a shared arithmetic lvalue.
    pub(crate) fn step(&mut self, op: UnOp, l: ExprId) -> Code {
        let step = |lv: Code| match op {
            UnOp::PreInc => code!["++", lv],
            UnOp::PreDec => code!["--", lv],
            UnOp::PostInc => code![lv, "++"],
            _ => code![lv, "--"],
        };
        match (self.access(l, Use::Update), self.plan.update(l)) {
            (Access::Direct(lv), _) => step(lv),
            (Access::Far(target), Some(update)) => {
                let down = matches!(op, UnOp::PreDec | UnOp::PostDec);
                self.update_by_owner(l, target, update, if down { BinOp::Sub } else { BinOp::Add }, None)
            }
            (Access::Far(target), None) => self.far_update(l, target, Code::new(), |lv| step(lv.into())),
        }
    }

    /// The C lvalue for a shared object that must be near: its own bytes.
    pub(crate) fn lvalue(&mut self, e: ExprId) -> Code {
        let place = self.place(e);
        if let Form::Near { .. } = place.form {
            return place.lvalue;
        }
        let star = self.c_pointer(self.s.ty(e));
        code![format!("(*({star})fathom_cast("), self.word_at(place), "))"]
    }

    /// The C lvalue for a shared object, and how it may be read and written.
    pub(crate) fn place(&mut self, e: ExprId) -> ObjectLvalue {
        ObjectLvalue { lvalue: self.found(e), form: self.form(e) }
    }

    /// The C lvalue of a place.
    fn found(&mut self, e: ExprId) -> Code {
        if !self.s.types.is_shared(self.s.ty(e)) {
            return self.expr(e);
        }
        if let Some(v) = self.plan.served(self.region, e) {
            return self.element(v, e);
        }
        let u = self.u;
        match &u[e].kind {
            ExprKind::Paren(x) | ExprKind::Unary(UnOp::Extension, x) => self.found(*x),
            ExprKind::Unary(UnOp::Real, x) => code!["(__real__ ", self.found(*x), ")"],
            ExprKind::Unary(UnOp::Imag, x) => code!["(__imag__ ", self.found(*x), ")"],
            ExprKind::Member { base, name, arrow } => {
                let field = self.p.source.name(*name).to_owned();
                if !*arrow {
                    return code![self.found(*base), format!(".{field}")];
                }
                let t = self.s.rvalue_ty(*base);
                let word = self.word_of(*base);
                let record = self.s.types.pointee(t).unwrap_or(Ty::ERROR);
                let record = self.c_type(record, "*");
                code!["((", record, ")fathom_place(", word, format!("))->{field}")]
            }
            ExprKind::Index(..) if self.member_array(e) => {
                let ExprKind::Index(a, i) = u[e].kind else { unreachable!() };
                let (a, i) = if self.s.types.is_shared(self.s.ty(a)) { (a, i) } else { (i, a) };
                if self.is_shared_vector(a) {
                    // clang takes no address of `vector[i]`.
                    let star = self.c_pointer(self.s.ty(e));
                    return code![format!("(({star})&"), self.found(a), ")[", self.expr(i), "]"];
                }
                code![self.found(a), "[", self.expr(i), "]"]
            }
            // The whole array is on one thread: C's own subscript, which the C compiler optimises best.
            ExprKind::Index(a, i) if self.layout(self.s.ty(e)).block == Block::Indefinite && !self.is_block(e) => {
                let is_base = |x: ExprId| self.is_shared_ptr(self.s.ty(x)) || self.s.types.is_shared(self.s.ty(x));
                let (a, i) = if is_base(*a) { (*a, *i) } else { (*i, *a) };
                let i = self.expr(i);
                if self.is_array(a) {
                    return code![self.found(a), "[", i, "]"];
                }
                let star = self.c_pointer(self.s.ty(e));
                code![format!("(({star})fathom_place("), self.word_of(a), "))[", i, "]"]
            }
            ExprKind::Generic { .. } | ExprKind::ChooseExpr(..) if self.s.chosen.contains_key(&e) => {
                let choice = self.s.chosen[&e];
                self.found(choice)
            }
            _ => {
                let t = self.s.ty(e);
                let wanted = if self.s.types.is_array(t) { Wanted::Block } else { Wanted::Object };
                let address = self.address_of(e, wanted);
                let star = self.c_pointer(t);
                code![format!("(*({star})fathom_place("), address, "))"]
            }
        }
    }

    /// The C type of a private pointer to an object of shared type `t`.
    fn c_pointer(&self, t: Ty) -> String {
        match self.s.types.kind(t) {
            TyKind::Array(..) => self.c_type(t, "(*)"),
            TyKind::Void => "char *".to_owned(),
            _ => self.c_type(t, "*"),
        }
    }

    /// The address word of a shared lvalue.
    pub(crate) fn address(&mut self, e: ExprId) -> Code {
        self.address_of(e, Wanted::Pointer)
    }

    fn address_of(&mut self, e: ExprId, wanted: Wanted) -> Code {
        let u = self.u;
        match &u[e].kind {
            ExprKind::Paren(x) | ExprKind::Unary(UnOp::Extension, x) => self.address_of(*x, wanted),
            ExprKind::Ident(_) => match self.s.expr_sym[e.index()] {
                Some(sym) if self.is_automatic(sym) => u[e].toks.into(),
                Some(sym) => {
                    let name = self.object_name(sym);
                    format!("fathom_static({name})").into()
                }
                None => "(fathom_ptr)0".into(),
            },
            ExprKind::Unary(UnOp::Deref, p) => {
                if let Some((base, index)) = self.pointer_sum(*p) {
                    return self.address_at(base, index, e, wanted);
                }
                self.word_of(*p)
            }
            ExprKind::Index(..) if !self.member_array(e) => {
                let chain = self.chain(e);
                self.chain_address(chain, e, wanted)
            }
            ExprKind::Generic { .. } | ExprKind::ChooseExpr(..) if self.s.chosen.contains_key(&e) => {
                let choice = self.s.chosen[&e];
                self.address_of(choice, wanted)
            }
            ExprKind::Index(..) | ExprKind::Member { .. } => {
                // A bit-field has no address, and no caller asks for one.
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

    fn address_at(&mut self, base: ExprId, (minus, index): (bool, ExprId), e: ExprId, wanted: Wanted) -> Code {
        let elem = self.pointee_of(base);
        let index = self.expr(index);
        let index = self.scaled(index, elem);
        let index = if minus { code!["-(", index, ")"] } else { index };
        let mut chain = self.root_of(base);
        chain.is_narrow = false;
        chain.index = Some(match chain.index.take() {
            Some(i) => code![i, " + ", index],
            None => index,
        });
        self.chain_address(chain, e, wanted)
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
                let elem = self.pointee_of(a);
                let index = self.expr(i);
                let index = self.scaled(index, elem);
                let mut chain = self.root_of(a);
                chain.is_narrow = chain.index.is_none() && self.is_narrow(i, elem);
                chain.index = Some(match chain.index.take() {
                    Some(x) => code![x, " + ", index],
                    None => index,
                });
                chain
            }
            _ => self.root_of(e),
        }
    }

    /// The type of the objects over which the pointer, or the array, `base` counts.
    fn pointee_of(&self, base: ExprId) -> Ty {
        self.s.types.pointee(self.s.rvalue_ty(base)).unwrap_or(Ty::ERROR)
    }

    fn root_of(&mut self, base: ExprId) -> Chain {
        let t = self.s.ty(base);
        if self.is_array(base) && self.is_block(base) {
            return Chain::from(Root::Member(base));
        }
        if let TyKind::Array(..) = self.s.types.kind(t) {
            return match self.u[base].kind {
                ExprKind::Paren(x) => self.root_of(x),
                ExprKind::Ident(_) => Chain::from(Root::Object(base)),
                ExprKind::Index(..) if !self.member_array(base) => self.chain(base),
                ExprKind::Index(..) | ExprKind::Member { .. } => Chain::from(Root::Member(base)),
                ExprKind::Unary(UnOp::Deref, p) => {
                    let pt = self.s.rvalue_ty(p);
                    let p = self.expr(p);
                    Chain::from(Root::Pointer(p, pt))
                }
                _ => {
                    let p = self.expr(base);
                    let pt = self.s.rvalue_ty(base);
                    Chain::from(Root::Pointer(p, pt))
                }
            };
        }
        let p = self.expr(base);
        Chain::from(Root::Pointer(p, t))
    }

    fn chain_address(&mut self, chain: Chain, e: ExprId, wanted: Wanted) -> Code {
        let l = self.layout(self.s.ty(e));
        match chain.root {
            Root::Object(base) => {
                let start = self.address(base);
                match chain.index {
                    Some(i) => match self.array_of(base, l) {
                        Some(array) => code!["fathom_array_elem(&", array, ", ", i, ")"],
                        None => {
                            let t = self.s.ty(base);
                            self.static_elem_address(start, i, t, chain.is_narrow, wanted)
                        }
                    },
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
                code!["fathom_flat_add(", start, ", ", i, format!(", {}ul)", l.size)]
            }
        }
    }

    /// The name of the description of a static array, for code that seldom runs; none where a call would cost too much,
    /// or where the computation is small.
    fn array_of(&mut self, base: ExprId, l: Layout) -> Option<String> {
        let Block::Of(block @ 2..) = l.block else { return None };
        let sym = self.s.expr_sym[base.index()].filter(|_| self.plan.region(self.region).seldom)?;
        let object = self.object_name(sym);
        let name = object.replacen("fathom_at_", "fathom_array_", 1);
        if self.described.insert(sym) {
            let object = self.object_symbol(sym)?;
            self.hoisted.push(format!(
                "static const struct fathom_array {name} __attribute__((unused)) = {{{object}, {block}ul, {}ul}};\n",
                l.size
            ));
        }
        Some(name)
    }

    /// Has each thread exactly one element of the cyclic array?
    fn is_one_on_each(&self, t: Ty) -> bool {
        let block = match self.s.types.shared(t) {
            Some(Block::Of(1)) => None,
            Some(Block::Spread { .. }) => self.s.types.spread_block(t),
            _ => return false,
        };
        let (mut n, mut threads, mut t) = (1u64, false, t);
        while let TyKind::Array(elem, len) = *self.s.types.kind(t) {
            if Some(t) == block {
                break;
            }
            match len {
                Len::Const(c) => n = n.saturating_mul(c),
                Len::Threads(c) if !threads => (n, threads) = (n.saturating_mul(c), true),
                _ => return false,
            }
            t = elem;
        }
        threads && n == 1
    }

    /// Is the subscript `i`, which counts elements of type `elem`, of a type of 32 bits or fewer, and not scaled?
    fn is_narrow(&self, i: ExprId, elem: Ty) -> bool {
        self.count_is_one(elem) && self.s.size_of(self.s.rvalue_ty(i)).is_some_and(|size| size.bytes <= 4)
    }

    /// As `elem_address`, of an array that is declared. The division by THREADS, which gives the row of an element of a
    /// cyclic array, is shorter for a subscript of 32 bits, and not needed where there is one row.
    fn static_elem_address(&self, start: Code, i: Code, t: Ty, is_narrow: bool, wanted: Wanted) -> Code {
        let l = self.layout(t);
        let size = match l.block {
            Block::Spread { .. } => self.block_bytes(t),
            Block::Of(1) => format!("{}ul", l.size),
            _ => return self.elem_address(start, i, t),
        };
        let function = match (self.is_one_on_each(t), wanted) {
            (true, Wanted::Object) => return code!["fathom_threads_on(", start, ", ", i, ")"],
            (true, Wanted::Block) => "fathom_row_elem(",
            _ if is_narrow => "fathom_cyclic_elem_narrow(",
            _ => "fathom_cyclic_elem(",
        };
        code![function, start, ", ", i, ", ", size, ")"]
    }

    /// Element `i` of an array of type `t` whose first element is at `start` on thread 0, phase 0.
    pub(crate) fn elem_address(&self, start: Code, i: Code, t: Ty) -> Code {
        let l = self.layout(t);
        match l.block {
            Block::Spread { .. } => {
                code!["fathom_cyclic_elem(", start, ", ", i, format!(", {})", self.block_bytes(t))]
            }
            Block::Indefinite => code!["fathom_flat_add(", start, ", ", i, format!(", {}ul)", l.size)],
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
