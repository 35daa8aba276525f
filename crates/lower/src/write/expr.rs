//! Expressions: the dispatcher. [`Writer::expr`] yields C for the *value* of an expression; an expression that
//! designates a shared object is read on the way (`access`), and code that is not translated stays a range of the
//! source.

use crate::code::Code;
use crate::write::Writer;
use fathom_sema::{Ty, TyKind};
use fathom_syntax::ast::*;
use fathom_syntax::token::TokRange;

impl Writer<'_> {
    pub(crate) fn expr(&mut self, e: ExprId) -> Code {
        let u = self.u;
        let toks = u[e].toks;
        if !self.translated.expr(e) {
            return toks.into();
        }
        if let Some(name) = self.known.get(&e) {
            return name.clone().into();
        }
        if self.is_shared_lvalue(e) {
            return self.read(e);
        }
        match &u[e].kind {
            ExprKind::Paren(x) => code!["(", self.expr(*x), ")"],
            ExprKind::Ident(_) | ExprKind::Threads | ExprKind::MyThread => toks.into(),
            ExprKind::Unary(op, x) => self.unary(e, *op, *x),
            ExprKind::Binary(op, l, r) => self.binary(toks, *op, *l, *r),
            ExprKind::Assign(op, l, r) => self.assign(toks, *op, *l, *r),
            ExprKind::Split(op, l, r) => self.split(*op, *l, *r),
            ExprKind::Cond(c, t, f) => self.conditional(e, *c, *t, *f),
            ExprKind::Call { callee, args } => self.call(e, *callee, args),
            ExprKind::Cast(t, x) => self.cast(*t, *x),
            ExprKind::CompoundLit(t, i) => {
                let ty = self.s.type_name_ty[t.index()];
                if self.mentions_ty(ty) {
                    let ty = self.unqualified(ty);
                    let init = self.init(*i);
                    // The braces of a list are those of the aggregate; a pointer has none, and a phased one is a structure in C.
                    return match self.is_shared_ptr(ty) {
                        true if self.is_phased(ty) => code!["(*(", self.s.c_type(self.p, ty, "[1]"), "){", init, "})"],
                        true => code!["(", self.c_cast(ty), "){", init, "}"],
                        false => code!["(", self.c_cast(ty), ")", init],
                    };
                }
                let mut parts = vec![];
                self.type_name_parts(*t, &mut parts);
                if self.translated.init(*i) {
                    parts.push((u[*i].toks, self.init(*i)));
                }
                self.splice(toks, parts)
            }
            ExprKind::SizeofExpr(k, x) => {
                let t = self.s.ty(*x);
                self.sizeof(*k, t).unwrap_or_else(|| self.splice_exprs(toks, &[*x]))
            }
            ExprKind::SizeofType(k, t) => {
                let ty = self.s.type_name_ty[t.index()];
                match self.sizeof(*k, ty) {
                    Some(code) => code,
                    None => {
                        let mut parts = vec![];
                        self.type_name_parts(*t, &mut parts);
                        self.splice(toks, parts)
                    }
                }
            }
            ExprKind::Generic { .. } | ExprKind::ChooseExpr(..) => match self.s.chosen.get(&e) {
                Some(&x) => code!["(", self.expr(x), ")"],
                None => toks.into(),
            },
            ExprKind::StmtExpr(s) => {
                let code = self.stmt(*s);
                code!["__extension__ (", code, ")"]
            }
            ExprKind::VaArg(x, t) | ExprKind::ConvertVector(x, t) => {
                let mut parts = vec![];
                self.part(*x, &mut parts);
                self.type_name_parts(*t, &mut parts);
                self.splice(toks, parts)
            }
            ExprKind::Offsetof(t, ds) => {
                let mut parts = vec![];
                self.type_name_parts(*t, &mut parts);
                for d in ds {
                    if let Designator::Index(x) = d {
                        self.part(*x, &mut parts);
                    }
                }
                self.splice(toks, parts)
            }
            ExprKind::TypesCompatible(..) => match self.s.const_int(self.p, e) {
                Some(v) => format!("{v}").into(),
                None => toks.into(),
            },
            ExprKind::Index(a, b) => self.splice_exprs(toks, &[*a, *b]),
            ExprKind::Comma(a, b) => code![self.expr(*a), ", ", self.expr(*b)],
            ExprKind::Member { base, .. } => self.splice_exprs(toks, &[*base]),
            ExprKind::Number | ExprKind::Char | ExprKind::Str | ExprKind::LabelAddr(_) | ExprKind::Error => toks.into(),
        }
    }

    /// A type name in place: printed anew if it mentions shared types, otherwise with its expressions lowered.
    pub(crate) fn type_name_parts(&mut self, id: TypeNameId, parts: &mut Vec<(TokRange, Code)>) {
        if !self.translated.type_name(id) {
            return;
        }
        let u = self.u;
        let ty = self.s.type_name_ty[id.index()];
        if self.mentions_ty(ty) || self.retyped_specs(&u[id].specs) {
            parts.push((u[id].toks, self.c_cast(ty).into()));
        } else {
            self.specs_parts(&u[id].specs, parts);
            self.declarator_parts(u[id].declarator, parts);
        }
    }

    /// The value of a scalar expression as a C condition: a phased pointer is its address.
    pub(crate) fn cond(&mut self, e: ExprId) -> Code {
        let t = self.s.rvalue_ty(e);
        if self.is_shared_ptr(t) {
            return self.word_of(e);
        }
        self.expr(e)
    }

    fn unary(&mut self, e: ExprId, op: UnOp, x: ExprId) -> Code {
        let toks = self.u[e].toks;
        match op {
            UnOp::AddrOf if self.is_shared_lvalue(x) => self.pointer_to(x),
            UnOp::Not => {
                let c = self.cond(x);
                code!["!(", c, ")"]
            }
            UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec => {
                let t = self.s.ty(x);
                if self.is_shared_ptr(t) {
                    let pointee = self.s.types.pointee(t).unwrap_or(Ty::ERROR);
                    let n =
                        if self.count_is_one(pointee) { "1l".to_owned() } else { format!("({})", self.count(pointee)) };
                    let down = matches!(op, UnOp::PreDec | UnOp::PostDec);
                    let index = Code::from(if down { format!("-{n}") } else { n });
                    return self.update_pointer(x, index, matches!(op, UnOp::PostInc | UnOp::PostDec));
                }
                if self.is_shared_lvalue(x) {
                    let code = self.step(op, x);
                    return code!["(", code, ")"];
                }
                self.splice_exprs(toks, &[x])
            }
            _ => self.splice_exprs(toks, &[x]),
        }
    }

    fn binary(&mut self, toks: TokRange, op: BinOp, l: ExprId, r: ExprId) -> Code {
        if matches!(op, BinOp::And | BinOp::Or) {
            let (a, b) = (self.cond(l), self.cond(r));
            let mut parts = vec![];
            if self.translated.expr(l) {
                parts.push((self.u[l].toks, a));
            }
            if self.translated.expr(r) {
                parts.push((self.u[r].toks, b));
            }
            return self.splice(toks, parts);
        }
        let (lt, rt) = (self.s.rvalue_ty(l), self.s.rvalue_ty(r));
        if self.is_shared_ptr(lt) || self.is_shared_ptr(rt) {
            return self.pointer_binary(op, l, r);
        }
        self.splice_exprs(toks, &[l, r])
    }

    fn assign(&mut self, toks: TokRange, op: Option<BinOp>, l: ExprId, r: ExprId) -> Code {
        let t = self.s.ty(l);
        if let Some(op) = op {
            if self.is_shared_ptr(t) {
                let pointee = self.s.types.pointee(t).unwrap_or(Ty::ERROR);
                let index = self.expr(r);
                let index = self.scaled(index, pointee);
                let index = if op == BinOp::Sub { code!["-(", index, ")"] } else { index };
                return self.update_pointer(l, index, false);
            }
            if self.is_shared_lvalue(l) {
                let value = self.expr(r);
                let code = self.write_op(op, l, value);
                return code!["(", code, ")"];
            }
            return self.splice_exprs(toks, &[l, r]);
        }
        let value = self.converted(r);
        if self.is_shared_lvalue(l) {
            let code = self.write(l, value);
            return code!["(", code, ")"];
        }
        let target = self.expr(l);
        let mut parts = vec![];
        if self.translated.expr(l) {
            parts.push((self.u[l].toks, target));
        }
        parts.push((self.u[r].toks, value));
        self.splice(toks, parts)
    }

    fn conditional(&mut self, e: ExprId, c: ExprId, t: Option<ExprId>, f: ExprId) -> Code {
        let ty = self.s.rvalue_ty(e);
        if !self.is_shared_ptr(ty) {
            let cond = self.cond(c);
            let mut parts = vec![];
            if self.translated.expr(c) {
                parts.push((self.u[c].toks, cond));
            }
            for x in t.into_iter().chain([f]) {
                self.part(x, &mut parts);
            }
            return self.splice(self.u[e].toks, parts);
        }
        match t {
            Some(t) => {
                let (c, t, f) = (self.cond(c), self.converted(t), self.converted(f));
                code!["(", c, " ? ", t, " : ", f, ")"]
            }
            None => {
                let v = self.temp("v");
                let vt = self.value_type(ty);
                let value = self.converted(c);
                let f = self.converted(f);
                let test = self.word(v.as_str().into(), ty);
                code![format!("__extension__ ({{ {vt} {v} = "), value, "; ", test, format!(" ? {v} : "), f, "; })"]
            }
        }
    }

    fn cast(&mut self, t: TypeNameId, x: ExprId) -> Code {
        let to = self.s.type_name_ty[t.index()];
        let from = self.s.rvalue_ty(x);
        if self.s.types.is_void(to) {
            return code!["((void)(", self.expr(x), "))"];
        }
        if self.is_shared_ptr(to) || self.is_shared_ptr(from) {
            let defined = self.sizes_of_definitions(&self.u[t].specs);
            let value = self.converted(x);
            return code!["(", defined, value, ")"];
        }
        let value = self.expr(x);
        if self.mentions_ty(to) {
            return code!["((", self.c_cast(to), ")", value, ")"];
        }
        let mut parts = vec![];
        self.type_name_parts(t, &mut parts);
        let ty = self.splice(self.u[t].toks, parts);
        code!["((", ty, ")", value, ")"]
    }

    /// `(void)sizeof(struct S { … }), ` for each record or enumeration that the specifiers of a cast define, because the
    /// type of the cast is not written.
    fn sizes_of_definitions(&mut self, specs: &DeclSpecs) -> Code {
        let mut out = Code::new();
        for s in &specs.items {
            if let Some(definition) = self.definition_in(s) {
                out.push("(void)sizeof(").push(definition).push("), ");
            }
        }
        out
    }

    /// The size operators on shared types, and `sizeof` of types that are printed differently. `None`: C can do it.
    fn sizeof(&mut self, k: SizeofKind, t: Ty) -> Option<Code> {
        let text = match k {
            SizeofKind::UpcLocalsizeof => format!("{}ul", self.s.local_size(t)?),
            SizeofKind::UpcElemsizeof => format!("{}ul", self.s.elem_size(t)),
            SizeofKind::UpcBlocksizeof => match self.s.types.shared(t) {
                Some(fathom_sema::Block::Of(b)) => format!("{b}ul"),
                _ => "0ul".to_owned(),
            },
            SizeofKind::Alignof => {
                if !self.mentions_ty(t) {
                    return None;
                }
                format!("{}ul", self.s.align_of(t))
            }
            SizeofKind::Sizeof => {
                // A typedef of an array of THREADS elements is none in C.
                let size = self.s.size_of(t);
                if !self.mentions_ty(t) && !size.is_some_and(|size| size.times_threads) {
                    return None;
                }
                let Some(size) = size else {
                    // Of variable length.
                    let is_array = self.s.types.is_shared(t) && self.s.types.is_array(t);
                    let count = self.count_down_to(t, None);
                    let bytes = || format!("({}ul * (unsigned long)({count}))", self.s.elem_size(t));
                    return is_array.then(|| bytes().into());
                };
                if size.times_threads {
                    format!("({}ul * (unsigned long){})", size.bytes, self.threads())
                } else {
                    format!("{}ul", size.bytes)
                }
            }
        };
        Some(text.into())
    }

    /// The function type of a call's callee, through a pointer or not.
    pub(crate) fn callee_type(&mut self, callee: ExprId) -> Option<fathom_sema::FnTy> {
        let mut t = self.s.ty(callee);
        if let TyKind::Pointer(p) = *self.s.types.kind(t) {
            t = p;
        }
        match self.s.types.kind(t) {
            TyKind::Function(f) => Some(f.clone()),
            _ => None,
        }
    }
}
