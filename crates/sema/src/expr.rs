//! The type of every expression.
//!
//! [`Checker::expr`] gives the type before conversions, qualifiers and arrays as they are; [`Checker::value`] the type
//! of the value. An expression of shared type designates a shared object, because every operator that makes a value
//! drops the qualifiers; its strictness is settled where it is typed, with the pragma then in force (6.7.1).

use crate::checks::{c6_3, c6_4, c6_5};
use crate::consteval::Value;
use crate::literal::{each_char, literal, number};
use crate::rules;
use crate::scope::Checker;
use crate::*;

impl<'a> Checker<'a> {
    /// Types an expression; the result is also in `expr_ty`.
    pub fn expr(&mut self, e: ExprId) -> Ty {
        if !self.enter() {
            return Ty::ERROR;
        }
        let t = self.expr_kind(e);
        self.leave();
        self.set_ty(e, t);
        if self.s.types.mentions_shared(t) && self.s.types.is_shared(t) {
            let q = self.s.types.quals(self.s.types.ultimate(t));
            self.s.expr_strict[e.index()] = match q.access {
                Some(a) => a == Access::Strict,
                None => self.strict,
            };
        }
        t
    }

    /// Types an expression whose value is used: arrays and functions become pointers, qualifiers go.
    pub fn value(&mut self, e: ExprId) -> Ty {
        let t = self.expr(e);
        self.decayed(e, t)
    }

    /// The conversions of an expression already typed; an array that decays has its address taken.
    pub fn decayed(&mut self, e: ExprId, t: Ty) -> Ty {
        match self.s.types.kind(t) {
            TyKind::Array(..) => self.take_address(e),
            TyKind::Record(r) if self.s.types.quals(t).shared.is_some() && self.s.types.record(*r).fields.is_none() => {
                c6_4::incomplete_access(self, t, self.u[e].toks);
                return Ty::ERROR;
            }
            _ => {}
        }
        self.read(e);
        self.s.types.decay(t)
    }

    /// The object that an lvalue is part of escapes.
    pub fn take_address(&mut self, mut e: ExprId) {
        loop {
            match &self.u[e].kind {
                ExprKind::Paren(i) | ExprKind::Unary(UnOp::Extension | UnOp::Real | UnOp::Imag, i) => e = *i,
                ExprKind::Member { base, arrow: false, .. } => e = *base,
                ExprKind::Index(a, b) => {
                    let of_array = |i: ExprId| self.s.types.is_array(self.s.expr_ty[i.index()]);
                    match (of_array(*a), of_array(*b)) {
                        (true, _) => e = *a,
                        (_, true) => e = *b,
                        _ => return,
                    }
                }
                ExprKind::Cond(_, a, b) => {
                    if let Some(a) = a {
                        self.take_address(*a);
                    }
                    e = *b;
                }
                ExprKind::Comma(_, b) => e = *b,
                ExprKind::Generic { .. } | ExprKind::ChooseExpr(..) => match self.s.chosen.get(&e) {
                    Some(choice) => e = *choice,
                    None => return,
                },
                ExprKind::Ident(_) => {
                    if let Some(s) = self.s.expr_sym[e.index()] {
                        self.sym(s).address_taken = true;
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    fn expr_kind(&mut self, e: ExprId) -> Ty {
        let x = &self.u[e];
        match &x.kind {
            ExprKind::Ident(n) => self.ident(e, *n),
            ExprKind::Threads | ExprKind::MyThread => Ty::INT,
            ExprKind::Number => match number(self.text(x.toks)) {
                Some(Value::Int(_, t) | Value::Float(_, t)) => t,
                None => Ty::ERROR,
            },
            ExprKind::Char => match literal(self.text(x.toks)).prefix {
                "u" => Ty::USHORT,
                "U" => Ty::UINT,
                "L" => self.s.types.wchar(),
                _ => Ty::INT,
            },
            ExprKind::Str => self.string(x.toks),
            ExprKind::Paren(i) => self.expr(*i),
            ExprKind::Index(a, b) => self.index(e, *a, *b),
            ExprKind::Call { callee, args } => self.call(e, *callee, args),
            ExprKind::Member { base, name, arrow } => self.member(e, *base, *name, *arrow),
            ExprKind::Unary(op, i) => self.unary(e, *op, *i),
            ExprKind::Binary(..) => self.binary_chain(e),
            ExprKind::Assign(op, l, r) => self.assign(e, *op, *l, *r),
            ExprKind::Split(op, l, r) => self.split(e, *op, *l, *r),
            ExprKind::Cond(c, a, b) => self.conditional(e, *c, *a, *b),
            ExprKind::Comma(a, b) => {
                self.value(*a);
                self.value(*b)
            }
            ExprKind::Cast(t, i) => {
                let to = self.type_name(*t);
                let from = self.value(*i);
                self.convert(*i, Conversion::Cast, to);
                if !c6_4::cast(self, to, *i, from) {
                    return Ty::ERROR;
                }
                self.s.types.unqual(to)
            }
            ExprKind::CompoundLit(t, i) => {
                let ty = self.type_name(*t);
                let full = self.init(ty, *i);
                if self.s.types.is_shared(full) {
                    self.report(&rules::AUTOMATIC_SHARED, x.toks, "a compound literal cannot be shared");
                }
                full
            }
            ExprKind::SizeofExpr(k, i) => {
                self.unevaluated += 1;
                let t = self.expr(*i);
                self.unevaluated -= 1;
                c6_3::sizeof_operand(self, *k, t, Some(*i), x.toks);
                Ty::ULONG
            }
            ExprKind::SizeofType(k, t) => {
                let t = self.type_name(*t);
                c6_3::sizeof_operand(self, *k, t, None, x.toks);
                Ty::ULONG
            }
            ExprKind::Generic { control, assocs } => self.generic(e, *control, assocs),
            ExprKind::StmtExpr(s) => self.stmt_expr(*s),
            ExprKind::LabelAddr(_) => self.s.types.pointer(Ty::VOID),
            ExprKind::VaArg(i, t) => {
                self.expr(*i);
                let t = self.type_name(*t);
                self.s.types.unqual(t)
            }
            ExprKind::Offsetof(t, path) => {
                self.type_name(*t);
                for d in path {
                    if let Designator::Index(i) = d {
                        self.value(*i);
                    }
                }
                Ty::ULONG
            }
            ExprKind::TypesCompatible(a, b) => {
                self.type_name(*a);
                self.type_name(*b);
                Ty::INT
            }
            ExprKind::ChooseExpr(c, if_not, if_zero) => {
                self.value(*c);
                let (a, b) = (self.expr(*if_not), self.expr(*if_zero));
                let (chosen, t) = match self.s.const_int(self.p, *c) {
                    Some(0) => (*if_zero, b),
                    Some(_) => (*if_not, a),
                    None => return Ty::ERROR,
                };
                self.s.chosen.insert(e, chosen);
                t
            }
            ExprKind::ConvertVector(i, t) => {
                self.value(*i);
                let t = self.type_name(*t);
                self.s.types.unqual(t)
            }
            ExprKind::Error => Ty::ERROR,
        }
    }

    fn ident(&mut self, e: ExprId, n: Name) -> Ty {
        let Some(s) = self.lookup(n) else {
            return self.unknown_name(n, self.u[e].toks);
        };
        self.s.expr_sym[e.index()] = Some(s);
        let of_enclosing_function = s.0 < self.body.symbols_before;
        let sym = &mut self.s.symbols[s.0 as usize];
        sym.address_taken |= of_enclosing_function && sym.local && !sym.is_static && sym.kind == SymKind::Object;
        match sym.kind {
            SymKind::Typedef => Ty::ERROR,
            SymKind::Object => {
                let ty = sym.ty;
                if self.s.types.shared(ty) != Some(Block::Star) {
                    return ty;
                }
                c6_5::star_unknown(self, s, self.u[e].toks);
                self.set_block(ty, Block::Of(1))
            }
            _ => sym.ty,
        }
    }

    /// `__func__`, what the compiler knows by itself, and names of libraries whose header is missing.
    fn unknown_name(&mut self, n: Name, at: TokRange) -> Ty {
        if let Some(header) = fathom_syntax::library::header_of(self.name(n)) {
            if !self.without_header.contains(&n) && !self.in_system_header(at) {
                self.without_header.push(n);
                self.diags.push(without_header(self.name(n), header, at));
            }
        }
        if let "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" = self.name(n) {
            let len = self.body.name.map_or(0, |f| self.name(f).len()) as u64;
            let q = Quals { is_const: true, ..Quals::default() };
            let c = self.s.types.with_quals(Ty::CHAR, q);
            return self.s.types.array(c, Len::Const(len + 1));
        }
        Ty::ERROR
    }

    fn string(&mut self, toks: TokRange) -> Ty {
        let (mut len, mut elem) = (1u64, Ty::CHAR);
        for wide in [false, true] {
            len = 1;
            for t in toks.lo..toks.hi {
                if self.p.source.tokens[t as usize].kind != fathom_syntax::token::TokKind::Str {
                    continue;
                }
                let l = literal(self.p.source.tok_text(t));
                match l.prefix {
                    "L" => elem = self.s.types.wchar(),
                    "u" => elem = Ty::USHORT,
                    "U" => elem = Ty::UINT,
                    _ => {}
                }
                if !wide && !l.body.contains('\\') {
                    len += l.body.len() as u64;
                } else {
                    each_char(l.body, wide, |_| len += 1);
                }
            }
            if elem == Ty::CHAR {
                break;
            }
        }
        self.s.types.array(elem, Len::Const(len))
    }

    fn index(&mut self, e: ExprId, a: ExprId, b: ExprId) -> Ty {
        let (ta, tb) = (self.expr(a), self.expr(b));
        let (pa, pb) = (self.s.types.decay(ta), self.s.types.decay(tb));
        if let TyKind::Vector(elem, _) = *self.s.types.kind(pa) {
            let q = self.s.types.quals(ta);
            // An element lies where the vector lies, as a member does in its record.
            return self.member_type(q, elem);
        }
        let (ptr, int, at) = if self.s.types.pointee(pa).is_some() { (pa, pb, b) } else { (pb, pa, a) };
        let Some(to) = self.s.types.pointee(ptr) else {
            if c6_4::operand(self, a, pa, self.u[e].toks) {
                c6_4::operand(self, b, pb, self.u[e].toks);
            }
            return Ty::ERROR;
        };
        if self.s.types.is_shared(to) {
            let is_object = c6_4::subscript(self, to, int, at, self.u[e].toks);
            return if is_object { self.designated(to) } else { Ty::ERROR };
        }
        // The C compiler would take a pointer-to-shared for a number.
        c6_4::no_pointer(self, int, at, self.u[at].toks);
        to
    }

    fn member(&mut self, e: ExprId, base: ExprId, name: Name, arrow: bool) -> Ty {
        let t = if arrow {
            let p = self.value(base);
            match self.s.types.pointee(p) {
                Some(t) => t,
                None => return Ty::ERROR,
            }
        } else {
            self.expr(base)
        };
        let Some(r) = self.s.types.record_of(t) else {
            c6_4::no_record(self, t, self.u[e].toks);
            return Ty::ERROR;
        };
        let Some((f, _)) = self.s.field(r, name) else {
            if self.s.types.is_shared(t) {
                let text = format!("`{}` has no member `{}`", self.show(t), self.name(name));
                let known = self.s.types.record(r).fields.is_some();
                let rule = if known { &rules::NO_MEMBER } else { &rules::DEREFERENCE_VOID };
                self.report(rule, self.u[e].toks, text);
            }
            return Ty::ERROR;
        };
        if let Some(bits) = f.bits {
            self.s.bit_fields.insert(e, bits);
        }
        let q = self.s.types.quals(t);
        self.member_type(q, f.ty)
    }

    /// The type of a member of an object with qualifiers `q`: shared members have indefinite block size (6.4.4 p1).
    pub fn member_type(&mut self, q: Quals, ty: Ty) -> Ty {
        if q == Quals::default() {
            return ty;
        }
        self.s.types.map_quals(ty, |m| Quals {
            is_const: m.is_const || q.is_const,
            is_volatile: m.is_volatile || q.is_volatile,
            shared: q.shared.map(|_| Block::Indefinite),
            access: q.access,
            ..m
        })
    }

    fn unary(&mut self, e: ExprId, op: UnOp, i: ExprId) -> Ty {
        match op {
            UnOp::Extension => self.expr(i),
            UnOp::AddrOf => {
                let t = self.expr(i);
                c6_4::address_of(self, i, t, self.u[e].toks);
                self.take_address(i);
                if *self.s.types.kind(t) == TyKind::Error {
                    return Ty::ERROR;
                }
                self.s.types.pointer(t)
            }
            UnOp::Deref => {
                let t = self.value(i);
                match self.s.types.pointee(t) {
                    Some(to) if c6_4::dereference(self, to, self.u[e].toks) => self.designated(to),
                    Some(_) => Ty::ERROR,
                    None => {
                        c6_4::operand(self, i, t, self.u[e].toks);
                        Ty::ERROR
                    }
                }
            }
            UnOp::Not => {
                self.condition(i);
                Ty::INT
            }
            UnOp::Plus | UnOp::Neg | UnOp::BitNot => {
                let t = self.value(i);
                if c6_4::no_pointer(self, t, i, self.u[e].toks) {
                    return Ty::ERROR;
                }
                self.promote(i, t)
            }
            UnOp::PreInc | UnOp::PreDec | UnOp::PostInc | UnOp::PostDec => {
                let t = self.expr(i);
                c6_4::modified(self, i, t, self.u[e].toks);
                let t = self.s.types.unqual(t);
                c6_4::complete_pointer(self, t, self.u[e].toks);
                t
            }
            UnOp::Real | UnOp::Imag => {
                let t = self.expr(i);
                let q = self.s.types.quals(t);
                match *self.s.types.kind(t) {
                    TyKind::Complex(k) => self.s.types.intern(TyKind::Float(k), q),
                    _ => t,
                }
            }
        }
    }

    /// A chain `a + b + c + …` leans left and may be long: a loop walks its spine, without recursion.
    fn binary_chain(&mut self, e: ExprId) -> Ty {
        let mut spine = vec![];
        let mut at = e;
        while let ExprKind::Binary(_, l, _) = self.u[at].kind {
            spine.push(at);
            at = l;
        }
        let mut left = self.expr(at);
        let mut l = at;
        while let Some(x) = spine.pop() {
            let ExprKind::Binary(op, _, r) = self.u[x].kind else {
                break;
            };
            let lt = self.decayed(l, left);
            let rt = self.value(r);
            left = self.binary(op, x, (l, lt), (r, rt));
            self.set_ty(x, left);
            l = x;
        }
        left
    }

    fn binary(&mut self, op: BinOp, e: ExprId, (l, lt): (ExprId, Ty), (r, rt): (ExprId, Ty)) -> Ty {
        use BinOp::*;
        let t = &self.s.types;
        if t.shared_pointee(lt).is_some() || t.shared_pointee(rt).is_some() {
            return self.shared_binary(op, e, (l, lt), (r, rt));
        }
        if let And | Or = op {
            c6_4::scalar(self, l, lt);
            c6_4::scalar(self, r, rt);
            return Ty::INT;
        }
        if t.is_error(lt) || t.is_error(rt) {
            return if matches!(op, Lt | Gt | Le | Ge | Eq | Ne) { Ty::INT } else { Ty::ERROR };
        }
        if t.record_of(lt).is_some() || t.record_of(rt).is_some() {
            let text = format!("operands are `{}` and `{}`", self.show(lt), self.show(rt));
            self.report(&rules::OPERANDS, self.u[e].toks, text);
            return Ty::ERROR;
        }
        let vector = matches!(t.kind(lt), TyKind::Vector(..)) || matches!(t.kind(rt), TyKind::Vector(..));
        let (pl, pr) = (t.pointee(lt), t.pointee(rt));
        match op {
            Lt | Gt | Le | Ge | Eq | Ne if vector => self.vector_mask(lt, rt),
            Lt | Gt | Le | Ge | Eq | Ne => {
                if let (Some(a), Some(b)) = (pl, pr) {
                    c6_4::nested_pointers(self, a, b, self.u[e].toks);
                }
                match (pl, pr) {
                    (None, None) => drop(self.convert_to_common((l, lt), (r, rt))),
                    _ => self.convert_to_one_pointer((l, lt), (r, rt)),
                }
                Ty::INT
            }
            Add | Sub if pl.is_some() && pr.is_some() => {
                if op == Sub {
                    Ty::LONG
                } else {
                    Ty::ERROR
                }
            }
            Add | Sub if pl.is_some() => lt,
            Add if pr.is_some() => rt,
            _ if pl.is_some() || pr.is_some() => Ty::ERROR,
            Shl | Shr if !vector => {
                self.promote(r, rt);
                self.promote(l, lt)
            }
            _ => self.convert_to_common((l, lt), (r, rt)),
        }
    }

    /// A binary operator with at least one pointer-to-shared operand (UPC 6.4.2).
    fn shared_binary(&mut self, op: BinOp, e: ExprId, (l, lt): (ExprId, Ty), (r, rt): (ExprId, Ty)) -> Ty {
        use BinOp::*;
        let t = &self.s.types;
        let both = t.shared_pointee(lt).is_some() && t.shared_pointee(rt).is_some();
        let result = match op {
            Lt | Gt | Le | Ge | Eq | Ne | And | Or => Ty::INT,
            Sub if both => Ty::LONG,
            _ if t.shared_pointee(lt).is_some() => lt,
            _ => rt,
        };
        if let And | Or = op {
            c6_4::scalar(self, l, lt);
            c6_4::scalar(self, r, rt);
            return Ty::INT;
        }
        if t.is_error(lt) || t.is_error(rt) {
            return if op == Sub { Ty::ERROR } else { result };
        }
        if both || matches!(op, Eq | Ne) {
            self.convert_to_one_pointer((l, lt), (r, rt));
        }
        if !c6_4::binary(self, op, e, (l, lt), (r, rt)) && result != Ty::INT {
            return Ty::ERROR;
        }
        result
    }

    /// Records the conversions of two operands that are compared or subtracted, at least one of them a pointer: a null
    /// pointer constant takes the type of the other operand, any pointer that of a generic one (C 6.5.9 p5), and the
    /// right one that of the left one where they differ only in qualifiers.
    fn convert_to_one_pointer(&mut self, (l, lt): (ExprId, Ty), (r, rt): (ExprId, Ty)) {
        let t = &self.s.types;
        let generic = |x: Ty| t.pointee(x).is_some_and(|to| t.is_void(to));
        let right_is_null = t.pointee(lt).is_some() && self.s.is_null_constant(self.p, r);
        let left_is_null = t.pointee(rt).is_some() && self.s.is_null_constant(self.p, l);
        if left_is_null || t.pointee(lt).is_none() || (generic(rt) && !generic(lt) && !right_is_null) {
            self.convert(l, Conversion::Pointer, rt);
        } else {
            self.convert(r, Conversion::Pointer, lt);
        }
    }

    /// Comparing vectors gives a vector of signed integers of the same width.
    fn vector_mask(&mut self, lt: Ty, rt: Ty) -> Ty {
        let v = self.s.types.common(lt, rt);
        let TyKind::Vector(elem, bytes) = *self.s.types.kind(v) else {
            return Ty::ERROR;
        };
        let int = match self.s.size_of(elem).map_or(0, |s| s.bytes) {
            1 => Ty::SCHAR,
            2 => Ty::SHORT,
            4 => Ty::INT,
            _ => Ty::LONG,
        };
        self.s.types.intern(TyKind::Vector(int, bytes), Quals::default())
    }

    fn assign(&mut self, e: ExprId, op: Option<BinOp>, l: ExprId, r: ExprId) -> Ty {
        let lt = self.expr(l);
        let rt = self.value(r);
        let at = self.u[e].toks;
        if rt != Ty::ERROR {
            c6_4::modified(self, l, lt, at);
        }
        let to = self.s.types.unqual(lt);
        match op {
            None => {
                if self.s.types.is_shared(lt) {
                    c6_4::stored(self, to, r, rt);
                }
                self.convert(r, Conversion::Assignment, to);
                c6_4::assignable(self, to, r, rt, "assignment");
            }
            Some(op) => {
                c6_4::compound_assignment(self, op, (l, to), (r, rt), at);
                let t = &self.s.types;
                match op {
                    _ if !t.is_arithmetic(to) || !t.is_arithmetic(rt) => {}
                    BinOp::Shl | BinOp::Shr => {
                        self.promote(l, to);
                        self.promote(r, rt);
                    }
                    _ => drop(self.convert_to_common((l, to), (r, rt))),
                }
            }
        }
        to
    }

    fn conditional(&mut self, e: ExprId, c: ExprId, a: Option<ExprId>, b: ExprId) -> Ty {
        let ct = self.condition(c);
        let (a, at) = match a {
            Some(a) => (a, self.value(a)),
            None => (c, ct),
        };
        let bt = self.value(b);
        let to = self.result_of_either((a, at), (b, bt), self.u[e].toks);
        let arithmetic = self.s.types.is_arithmetic(to);
        if arithmetic || self.s.types.pointee(to).is_some() {
            let why = if arithmetic { Conversion::Arithmetic } else { Conversion::Pointer };
            self.convert(a, why, to);
            self.convert(b, why, to);
        }
        to
    }

    /// The type of `?:` (C 6.5.15, UPC 6.4.2 p1).
    fn result_of_either(&mut self, (a, at): (ExprId, Ty), (b, bt): (ExprId, Ty), here: TokRange) -> Ty {
        let t = &self.s.types;
        if at == bt {
            return if t.is_integer(at) { self.promoted(a, at) } else { at };
        }
        if t.is_void(at) || t.is_void(bt) {
            return Ty::VOID;
        }
        if t.is_error(at) || t.is_error(bt) {
            return if t.is_error(at) { bt } else { at };
        }
        let (pa, pb) = (t.pointee(at), t.pointee(bt));
        match (pa, pb) {
            (None, None) if t.is_arithmetic(at) && t.is_arithmetic(bt) => {
                let (x, y) = (self.promoted(a, at), self.promoted(b, bt));
                self.s.types.common(x, y)
            }
            (None, None) => at,
            _ if self.s.is_null_constant(self.p, b) && pa.is_some() => at,
            _ if self.s.is_null_constant(self.p, a) && pb.is_some() => bt,
            _ => match (t.shared_pointee(at), t.shared_pointee(bt)) {
                (Some(x), Some(y)) if t.is_void(x) || t.is_void(y) || t.like(x, y) => self.merge_pointees(x, y),
                (None, None) => match (pa, pb) {
                    (Some(x), Some(y)) => {
                        c6_4::nested_pointers(self, x, y, here);
                        self.merge_pointees(x, y)
                    }
                    (Some(_), None) => at,
                    _ => bt,
                },
                (x, _) => {
                    c6_4::conditional(self, at, bt, here);
                    if x.is_some() {
                        at
                    } else {
                        bt
                    }
                }
            },
        }
    }

    /// The pointer that both results of `?:` convert to (C 6.5.15 p6).
    fn merge_pointees(&mut self, x: Ty, y: Ty) -> Ty {
        let t = &mut self.s.types;
        let (qx, qy) = (t.quals(t.ultimate(x)), t.quals(t.ultimate(y)));
        let to = if t.is_void(x) {
            x
        } else if t.is_void(y) {
            y
        } else if t.same_shape(x, y) {
            t.composite(x, y)
        } else {
            Ty::VOID
        };
        let to = t.map_quals(to, |q| Quals {
            is_const: qx.is_const || qy.is_const,
            is_volatile: qx.is_volatile || qy.is_volatile,
            access: match (qx.access, qy.access) {
                (Some(Access::Strict), _) | (_, Some(Access::Strict)) => Some(Access::Strict),
                (a, b) => a.and(b),
            },
            ..q
        });
        t.pointer(to)
    }

    /// An expression used as a truth value.
    pub fn condition(&mut self, e: ExprId) -> Ty {
        let t = self.value(e);
        c6_4::scalar(self, e, t);
        t
    }
}
