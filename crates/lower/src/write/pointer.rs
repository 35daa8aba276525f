//! Pointers-to-shared: their two representations, conversions between them, and arithmetic (UPC 1.3, 6.4.2, 6.4.3).

use crate::code::Code;
use crate::write::far::Access;
use crate::write::Writer;
use fathom_sema::{Block, Conversion, Len, Ty, TyKind};
use fathom_syntax::ast::*;

/// How the elements that a pointer-to-shared walks over are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub block: Block,
    /// Bytes of an ultimate element; of a spread array, nothing (`block_bytes` knows).
    pub size: u64,
}

impl Writer<'_> {
    /// Is the type a pointer-to-shared of two words?
    pub(crate) fn is_phased(&self, t: Ty) -> bool {
        self.s.types.shared_pointee(t).is_some_and(|p| !self.s.types.phaseless_pointee(p))
    }
    /// Layout of a shared type (an object's, or a pointer's referenced type).
    pub(crate) fn layout(&self, t: Ty) -> Layout {
        let block = match self.s.types.shared(t) {
            Some(Block::Of(_) | Block::Star) if self.s.types.is_void(t) => Block::Indefinite,
            block => block.unwrap_or(Block::Indefinite),
        };
        Layout { block, size: self.s.elem_size(t).max(1) }
    }

    /// The number of ultimate elements in an object of type `t`, as a C expression of type long; 1 for a non-array. For a
    /// type that counts over processors, the number of blocks.
    pub(crate) fn count(&self, t: Ty) -> String {
        self.count_down_to(t, self.s.types.spread_block(t))
    }

    /// Bytes of a block of a spread array, as a C expression.
    pub(crate) fn block_bytes(&self, t: Ty) -> String {
        let block = self.s.types.spread_block(t).unwrap_or(t);
        format!("{}ul * (unsigned long)({})", self.s.elem_size(block).max(1), self.count_down_to(block, None))
    }

    /// The number of elements of an array, down to those of type `inner`, as a C expression.
    pub(crate) fn count_down_to(&self, t: Ty, inner: Option<Ty>) -> String {
        let (mut n, mut threads, mut vla) = (1u64, false, String::new());
        let mut t = t;
        while let TyKind::Array(e, len) = *self.s.types.kind(t) {
            if Some(t) == inner {
                break;
            }
            match len {
                Len::Const(c) => n = n.saturating_mul(c),
                Len::Threads(c) => {
                    n = n.saturating_mul(c);
                    threads = true;
                }
                Len::Unknown => {}
                Len::Vla(e) => vla += &format!(" * (long)({})", self.s.dimension(self.p, e)),
            }
            t = e;
        }
        format!("{n}l{}{vla}", if threads { format!(" * {}", self.threads()) } else { String::new() })
    }
    /// The index `i`, given in units of the referenced type, in ultimate elements.
    pub(crate) fn scaled(&self, index: Code, pointee: Ty) -> Code {
        if self.count_is_one(pointee) {
            code!["(long)(", index, ")"]
        } else {
            code!["(long)(", index, ") * (", self.count(pointee), ")"]
        }
    }

    /// The address word of a value of pointer-to-shared type `t`.
    pub(crate) fn word(&self, value: Code, t: Ty) -> Code {
        if self.is_phased(t) {
            code!["fathom_word_of(", value, ")"]
        } else {
            value
        }
    }

    pub(crate) fn null(&self, t: Ty) -> Code {
        if self.is_phased(t) {
            "(fathom_pptr){0, 0}".into()
        } else {
            "(fathom_ptr)0".into()
        }
    }

    /// May the conversion of `e` to `to` be one that C does not know?
    pub(crate) fn crosses(&self, e: ExprId, to: Ty) -> bool {
        self.mentions_ty(to) || self.is_shared_ptr(self.s.rvalue_ty(e))
    }

    /// The value of `e` in the type that its context converts it to.
    pub(crate) fn converted(&mut self, e: ExprId) -> Code {
        match self.s.conversion(e) {
            Some((Conversion::NullPointer, to)) if self.is_shared_ptr(to) => self.null(to),
            Some((_, to)) => {
                let value = self.expr(e);
                self.convert(value, self.s.rvalue_ty(e), to)
            }
            None => self.expr(e),
        }
    }

    /// Converts a value between types, at least one of which may be a pointer-to-shared; other values pass through.
    pub(crate) fn convert(&mut self, value: Code, from: Ty, to: Ty) -> Code {
        match (self.s.types.shared_pointee(from), self.s.types.shared_pointee(to)) {
            (Some(f), Some(t)) => {
                let (fw, tw) = (self.s.types.phaseless_pointee(f), self.s.types.phaseless_pointee(t));
                match (fw, tw) {
                    (true, true) => value,
                    (true, false) => code!["fathom_pptr_of(", value, ", 0)"],
                    (false, true) => code!["fathom_word_of(", value, ")"],
                    (false, false) => {
                        if self.phase_survives(f, t) {
                            value
                        } else {
                            code!["fathom_pptr_of(fathom_word_of(", value, "), 0)"]
                        }
                    }
                }
            }
            // A pointer-to-local or an integer from a pointer-to-shared (6.4.3 p4).
            (Some(_), None) => {
                let word = self.word(value, from);
                match self.s.types.kind(to) {
                    TyKind::Pointer(_) if self.is_split_c() => {
                        code!["((", self.c_cast(to), ")fathom_split_local(", word, "))"]
                    }
                    TyKind::Pointer(_) => code!["((", self.c_cast(to), ")fathom_cast(", word, "))"],
                    TyKind::Int(_) | TyKind::Enum(_) => code!["((", self.c_cast(to), ")", word, ")"],
                    _ => word,
                }
            }
            // Split-C: any object of a processor can be pointed to.
            (None, Some(_)) if self.is_split_c() && self.s.types.pointee(from).is_some() => {
                code!["fathom_split_global(", value, ")"]
            }
            // An integer made into a pointer-to-shared: implementation-defined, the inverse of the above.
            (None, Some(t)) if !matches!(self.s.types.kind(from), TyKind::Error) => {
                let word = code!["(fathom_ptr)(", value, ")"];
                if self.s.types.phaseless_pointee(t) {
                    word
                } else {
                    code!["fathom_pptr_of(", word, ", 0)"]
                }
            }
            _ => value,
        }
    }

    /// 6.4.3 p2: the phase survives conversions to and from generic pointers, and between types of equal block and
    /// element size.
    fn phase_survives(&self, f: Ty, t: Ty) -> bool {
        if self.s.types.is_void(f) || self.s.types.is_void(t) {
            return true;
        }
        let complete = |x| self.s.size_of(x).is_some() || matches!(self.s.types.kind(x), TyKind::Array(..));
        self.s.types.shared(f) == self.s.types.shared(t)
            && self.s.elem_size(f) == self.s.elem_size(t)
            && complete(f)
            && complete(t)
    }

    /// `p + index`, where `index` counts ultimate elements; `p` and the result have pointer type `t`.
    pub(crate) fn add(&mut self, p: Code, index: Code, t: Ty) -> Code {
        let pointee = self.s.types.pointee(t).unwrap_or(Ty::ERROR);
        let l = self.layout(pointee);
        match l.block {
            _ if self.is_phased(t) && self.s.types.is_void(pointee) => {
                code!["fathom_void_add(", p, ", ", index, ")"]
            }
            Block::Indefinite => code!["fathom_flat_add(", p, ", ", index, format!(", {}ul)", l.size)],
            Block::Of(1) => code!["fathom_cyclic_add(", p, ", ", index, format!(", {}ul)", l.size)],
            Block::Of(b) => code!["fathom_block_add(", p, ", ", index, format!(", {b}ul, {}ul)", l.size)],
            Block::Spread { .. } => {
                code!["fathom_cyclic_add(", p, ", ", index, format!(", {})", self.block_bytes(pointee))]
            }
            Block::Star => code!["fathom_block_add(", p, ", ", index, format!(", 1ul, {}ul)", l.size)],
        }
    }

    /// `a - b` in units of the referenced type.
    pub(crate) fn diff(&mut self, a: Code, b: Code, t: Ty) -> Code {
        let pointee = self.s.types.pointee(t).unwrap_or(Ty::ERROR);
        let l = self.layout(pointee);
        let d = match l.block {
            Block::Indefinite => code!["fathom_flat_diff(", a, ", ", b, format!(", {}ul)", l.size)],
            Block::Of(1) => code!["fathom_cyclic_diff(", a, ", ", b, format!(", {}ul)", l.size)],
            Block::Of(n) => code!["fathom_block_diff(", a, ", ", b, format!(", {n}ul, {}ul)", l.size)],
            Block::Spread { .. } => {
                code!["fathom_cyclic_diff(", a, ", ", b, format!(", {})", self.block_bytes(pointee))]
            }
            Block::Star => code!["0l"],
        };
        if self.count_is_one(pointee) {
            d
        } else {
            code!["(", d, " / (", self.count(pointee), "))"]
        }
    }

    /// A binary operator with at least one pointer-to-shared operand.
    pub(crate) fn pointer_binary(&mut self, op: BinOp, l: ExprId, r: ExprId) -> Code {
        let (lt, rt) = (self.s.rvalue_ty(l), self.s.rvalue_ty(r));
        let (lp, rp) = (self.is_shared_ptr(lt), self.is_shared_ptr(rt));
        match op {
            BinOp::Add | BinOp::Sub if lp && rp => {
                // Subtraction; the operands have one type except for qualifiers.
                let (a, b) = (self.expr(l), self.converted(r));
                self.diff(a, b, lt)
            }
            BinOp::Add | BinOp::Sub => {
                let (p, i, t) = if lp { (l, r, lt) } else { (r, l, rt) };
                let pointee = self.s.types.pointee(t).unwrap_or(Ty::ERROR);
                let index = self.expr(i);
                let index = self.scaled(index, pointee);
                let index = if op == BinOp::Sub { code!["-(", index, ")"] } else { index };
                let p = self.expr(p);
                self.add(p, index, t)
            }
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge if lp && rp => {
                let op = op.text();
                // 6.4.2 p8: the pointers compare as their difference compares with 0. On one thread the words compare
                // the same way.
                let pointee = self.s.types.pointee(lt).unwrap_or(Ty::ERROR);
                if self.layout(pointee).block == Block::Indefinite {
                    let (a, b) = (self.word_of(l), self.word_of(r));
                    return code!["(", a, format!(" {op} "), b, ")"];
                }
                let (a, b) = (self.expr(l), self.converted(r));
                let d = self.diff(a, b, lt);
                code!["(", d, format!(" {op} 0)")]
            }
            _ => {
                // Equality, with a pointer-to-shared or null on either side: the phase does not count (6.4.2 p6).
                let (a, b) = (self.word_of(l), self.word_of(r));
                code!["(", a, format!(" {} ", op.text()), b, ")"]
            }
        }
    }

    /// The address word of a pointer-to-shared expression, or 0 for a null pointer constant.
    pub(crate) fn word_of(&mut self, e: ExprId) -> Code {
        let t = self.s.rvalue_ty(e);
        if !self.is_shared_ptr(t) {
            if self.s.is_null(e) {
                return "(fathom_ptr)0".into();
            }
            return code!["(fathom_ptr)(", self.expr(e), ")"];
        }
        let value = self.expr(e);
        self.word(value, t)
    }

    /// `++` and `--` on a pointer-to-shared lvalue (private or shared), and `p += i`.
    pub(crate) fn update_pointer(&mut self, target: ExprId, index: Code, post: bool) -> Code {
        let t = self.s.ty(target);
        if self.is_plain_variable(target) {
            let name = Code::from(self.u[target].toks);
            if !post {
                let sum = self.add(name.clone(), index, t);
                return code!["(", name, " = ", sum, ")"];
            }
            let old = self.temp("old");
            let sum = self.add(old.as_str().into(), index, t);
            let ty = self.value_type(t);
            return code![
                format!("__extension__ ({{ {ty} {old} = "),
                name.clone(),
                "; ",
                name,
                " = ",
                sum,
                format!("; {old}; }})")
            ];
        }
        let ty = self.value_type(t);
        let lv = match self.access(target, crate::plan::accesses::Use::Update) {
            Access::Direct(lv) => lv,
            Access::Far(object) => {
                let (by, old) = (self.temp("by"), self.temp("old"));
                let before = code![format!("const long {by} = "), index, "; "];
                let sum = self.add(old.as_str().into(), by.into(), t);
                return self.far_update(target, object, before, |lv| {
                    let new = if post {
                        code![lv, " = ", sum, format!("; {old}; }})")]
                    } else {
                        code![lv, " = ", sum, "; })"]
                    };
                    code![format!("__extension__ ({{ {ty} {old} = {lv}; "), new]
                });
            }
        };
        let (place, old) = (self.temp("at"), self.temp("old"));
        let sum = self.add(old.as_str().into(), index, t);
        let new = self.temp("new");
        code![
            format!("__extension__ ({{ {ty} *{place} = ({ty} *)&"),
            lv,
            format!("; {ty} {old} = *{place}; {ty} {new} = "),
            sum,
            format!("; *{place} = {new}; {}; }})", if post { &old } else { &new })
        ]
    }

    /// The C type of a pointer-to-shared value.
    pub(crate) fn value_type(&self, t: Ty) -> &'static str {
        if self.is_phased(t) {
            "fathom_pptr"
        } else {
            "fathom_ptr"
        }
    }
}

pub(crate) trait OpText {
    fn text(self) -> &'static str;
}

impl OpText for BinOp {
    fn text(self) -> &'static str {
        use BinOp::*;
        match self {
            Mul => "*",
            Div => "/",
            Rem => "%",
            Add => "+",
            Sub => "-",
            Shl => "<<",
            Shr => ">>",
            Lt => "<",
            Gt => ">",
            Le => "<=",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
            And => "&&",
            Or => "||",
        }
    }
}
