//! Integer constant expressions (C 6.6), and array sizes that are multiples of THREADS (UPC 6.5.2.1 p2).
//!
//! Works on expressions that have been typed: `sizeof` looks its operand's type up. THREADS is a constant in the
//! static environment only.

use crate::literal::{character, number};
use crate::*;

/// The value of a constant expression, with the type that decides how it wraps.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Int(i128, Ty),
    Float(f64, Ty),
}

/// How THREADS occurs in the size of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThreadsForm {
    /// Not at all.
    Absent,
    /// `THREADS` times a constant; `plain` if the constant is a single factor.
    Times { n: i128, plain: bool },
    /// More than once.
    Twice,
    /// Added to, divided, …
    Other,
}

impl Sema {
    /// The value of an integer constant expression, or `None` if it is not one.
    pub fn const_int(&self, p: &Parsed, e: ExprId) -> Option<i128> {
        match self.eval(p, e, 0)? {
            Value::Int(v, _) => Some(v),
            Value::Float(..) => None,
        }
    }

    /// Is it an integer constant expression with value 0, or one cast to `void *` (C 6.3.2.3 p3)?
    pub fn is_null_constant(&self, p: &Parsed, e: ExprId) -> bool {
        let mut e = e;
        loop {
            match p.unit[e].kind {
                ExprKind::Paren(i) | ExprKind::Unary(UnOp::Extension, i) => e = i,
                ExprKind::Cast(t, i) => {
                    let to = self.type_name_ty[t.index()];
                    if self.types.pointee(to).is_some_and(|v| v == Ty::VOID) {
                        e = i;
                        continue;
                    }
                    return self.const_int(p, e) == Some(0);
                }
                ExprKind::Number => {
                    return matches!(number(p.source.range_text(p.unit[e].toks)), Some(Value::Int(0, _)));
                }
                _ => return self.const_int(p, e) == Some(0),
            }
        }
    }

    /// Reduces a value to an integer type.
    fn wrap(&self, v: i128, ty: Ty) -> i128 {
        let k = match *self.types.kind(ty) {
            TyKind::Int(k) => k,
            TyKind::Enum(e) => match *self.types.kind(self.types.enums[e.0 as usize].underlying) {
                TyKind::Int(k) => k,
                _ => return v,
            },
            _ => return v,
        };
        if k == IntKind::Bool {
            return (v != 0) as i128;
        }
        let bits = self.types.bits(k);
        if bits >= 128 {
            return v;
        }
        let shift = 128 - bits;
        if self.types.is_signed(k) {
            v << shift >> shift
        } else {
            ((v as u128) << shift >> shift) as i128
        }
    }

    pub(crate) fn eval(&self, p: &Parsed, e: ExprId, depth: u32) -> Option<Value> {
        if depth > fathom_syntax::parse::MAX_HEIGHT {
            return None;
        }
        let size_t = |n: u64| Some(Value::Int(n as i128, Ty::ULONG));
        let x = &p.unit[e];
        let sub = |i: ExprId| self.eval(p, i, depth + 1);
        match &x.kind {
            ExprKind::Number => number(p.source.range_text(x.toks)),
            ExprKind::Char => Some(character(p.source.range_text(x.toks), self.options.target)),
            ExprKind::Threads => self.options.threads.map(|n| Value::Int(n as i128, Ty::INT)),
            ExprKind::Ident(_) => match self.symbols[self.expr_sym[e.index()]?.0 as usize].kind {
                SymKind::EnumConst(v) => Some(Value::Int(v, self.expr_ty[e.index()])),
                _ => None,
            },
            ExprKind::Paren(i) | ExprKind::Unary(UnOp::Extension, i) => sub(*i),
            ExprKind::Unary(op, i) => self.eval_unary(*op, sub(*i)?, self.expr_ty[e.index()]),
            ExprKind::Binary(BinOp::And, a, b) => {
                let (a, b) = (truth(sub(*a)?), || sub(*b));
                Some(Value::Int((a && truth(b()?)) as i128, Ty::INT))
            }
            ExprKind::Binary(BinOp::Or, a, b) => {
                let (a, b) = (truth(sub(*a)?), || sub(*b));
                Some(Value::Int((a || truth(b()?)) as i128, Ty::INT))
            }
            ExprKind::Binary(op, a, b) => self.eval_binary(*op, sub(*a)?, sub(*b)?, e),
            ExprKind::Cond(c, a, b) => {
                let c0 = sub(*c)?;
                let v = if truth(c0) { a.map_or(Some(c0), sub)? } else { sub(*b)? };
                match v {
                    Value::Int(v, _) if self.types.is_integer(self.expr_ty[e.index()]) => {
                        let t = self.expr_ty[e.index()];
                        Some(Value::Int(self.wrap(v, t), t))
                    }
                    v => Some(v),
                }
            }
            ExprKind::Cast(t, i) => {
                let to = self.type_name_ty[t.index()];
                match (sub(*i)?, self.types.kind(to)) {
                    (Value::Int(v, _), TyKind::Int(_) | TyKind::Enum(_)) => Some(Value::Int(self.wrap(v, to), to)),
                    (Value::Float(v, _), TyKind::Int(IntKind::Bool)) => Some(Value::Int((v != 0.0) as i128, to)),
                    (Value::Float(v, _), TyKind::Int(_) | TyKind::Enum(_)) => {
                        Some(Value::Int(self.wrap(v as i128, to), to))
                    }
                    (Value::Int(v, _), TyKind::Float(k)) => Some(Value::Float(narrow(v as f64, *k), to)),
                    (Value::Float(v, _), TyKind::Float(k)) => Some(Value::Float(narrow(v, *k), to)),
                    _ => None,
                }
            }
            ExprKind::SizeofExpr(k, i) => size_t(self.sizeof_value(*k, self.expr_ty[i.index()])?),
            ExprKind::SizeofType(k, t) => size_t(self.sizeof_value(*k, self.type_name_ty[t.index()])?),
            ExprKind::Generic { .. } | ExprKind::ChooseExpr(..) => sub(*self.chosen.get(&e)?),
            ExprKind::Offsetof(t, path) => size_t(self.offset_of(p, self.type_name_ty[t.index()], path, depth + 1)?),
            ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name_ty[a.index()], self.type_name_ty[b.index()]);
                // Top-level qualifiers do not count, but sharedness does.
                let same = self.types.shared(a) == self.types.shared(b) && self.types.same_shape(a, b);
                Some(Value::Int(same as i128, Ty::INT))
            }
            ExprKind::Call { callee, args } => match (&p.unit[*callee].kind, args.as_slice()) {
                (ExprKind::Ident(n), [a]) if p.source.name(*n) == "__builtin_constant_p" => {
                    Some(Value::Int(sub(*a).is_some() as i128, Ty::INT))
                }
                (ExprKind::Ident(n), [a, _]) if p.source.name(*n) == "__builtin_expect" => sub(*a),
                _ => None,
            },
            _ => None,
        }
    }

    fn sizeof_value(&self, k: SizeofKind, t: Ty) -> Option<u64> {
        match k {
            SizeofKind::Sizeof => match self.types.kind(t) {
                TyKind::Function(_) => Some(1),
                _ => self.size_of(t).filter(|s| !s.times_threads).map(|s| s.bytes),
            },
            SizeofKind::Alignof => match self.types.kind(t) {
                TyKind::Error => None,
                _ => Some(self.align_of(t)),
            },
            SizeofKind::UpcLocalsizeof => self.local_size(t),
            SizeofKind::UpcBlocksizeof => match self.types.shared(t)? {
                Block::Indefinite | Block::Spread { .. } => Some(0),
                Block::Of(b) => Some(b),
                Block::Star => None,
            },
            SizeofKind::UpcElemsizeof => self.size_of(self.types.ultimate(t)).map(|s| s.bytes),
        }
    }

    fn offset_of(&self, p: &Parsed, mut t: Ty, path: &[Designator], depth: u32) -> Option<u64> {
        let mut at = 0u64;
        for d in path {
            match *d {
                Designator::Field(n) => {
                    let (f, o) = self.field(self.types.record_of(t)?, n)?;
                    at = at.checked_add(o)?;
                    t = f.ty;
                }
                Designator::Index(i) => {
                    let TyKind::Array(e, _) = *self.types.kind(t) else {
                        return None;
                    };
                    let Value::Int(i, _) = self.eval(p, i, depth)? else {
                        return None;
                    };
                    let bytes = self.size_of(e)?.bytes.checked_mul(u64::try_from(i).ok()?)?;
                    at = at.checked_add(bytes)?;
                    t = e;
                }
                Designator::Range(..) => return None,
            }
        }
        Some(at)
    }

    fn eval_unary(&self, op: UnOp, v: Value, ty: Ty) -> Option<Value> {
        Some(match (op, v) {
            (UnOp::Plus, Value::Int(v, _)) => Value::Int(self.wrap(v, ty), ty),
            (UnOp::Neg, Value::Int(v, _)) => Value::Int(self.wrap(v.wrapping_neg(), ty), ty),
            (UnOp::BitNot, Value::Int(v, _)) => Value::Int(self.wrap(!v, ty), ty),
            (UnOp::Not, v) => Value::Int(!truth(v) as i128, Ty::INT),
            (UnOp::Plus, v) => v,
            (UnOp::Neg, Value::Float(v, t)) => Value::Float(-v, t),
            _ => return None,
        })
    }

    fn eval_binary(&self, op: BinOp, a: Value, b: Value, e: ExprId) -> Option<Value> {
        let ty = self.expr_ty[e.index()];
        let (x, y, t) = match (a, b) {
            (Value::Int(x, s), Value::Int(y, t)) => (x, y, self.common_int(s, t)),
            _ => return self.eval_float(op, as_float(a), as_float(b), ty),
        };
        use BinOp::*;
        let shift = |y: i128| u32::try_from(y).ok().filter(|&n| n < 128);
        if matches!(op, Shl | Shr) {
            let v = if op == Shl { x.wrapping_shl(shift(y)?) } else { x.wrapping_shr(shift(y)?) };
            return Some(Value::Int(self.wrap(v, ty), ty));
        }
        let (x, y) = (self.wrap(x, t), self.wrap(y, t));
        let v = match op {
            Mul => x.wrapping_mul(y),
            Div => x.checked_div(y)?,
            Rem => x.checked_rem(y)?,
            Add => x.wrapping_add(y),
            Sub => x.wrapping_sub(y),
            BitAnd => x & y,
            BitXor => x ^ y,
            BitOr => x | y,
            Lt => return int(x < y),
            Gt => return int(x > y),
            Le => return int(x <= y),
            Ge => return int(x >= y),
            Eq => return int(x == y),
            Ne => return int(x != y),
            Shl | Shr | And | Or => return None,
        };
        Some(Value::Int(self.wrap(v, t), t))
    }

    fn eval_float(&self, op: BinOp, x: f64, y: f64, ty: Ty) -> Option<Value> {
        use BinOp::*;
        let v = match op {
            Mul => x * y,
            Div => x / y,
            Add => x + y,
            Sub => x - y,
            Lt => return int(x < y),
            Gt => return int(x > y),
            Le => return int(x <= y),
            Ge => return int(x >= y),
            Eq => return int(x == y),
            Ne => return int(x != y),
            _ => return None,
        };
        Some(Value::Float(v, ty))
    }

    /// The type in which two integers are compared or combined; [`Types::common`] without interning.
    fn common_int(&self, a: Ty, b: Ty) -> Ty {
        let key = |t: Ty| -> (u32, bool, Ty) {
            let t = match *self.types.kind(t) {
                TyKind::Enum(e) => self.types.enums[e.0 as usize].underlying,
                _ => t,
            };
            match *self.types.kind(t) {
                TyKind::Int(k) if self.types.bits(k) >= self.types.bits(IntKind::Int) => {
                    (self.types.bits(k), !self.types.is_signed(k), t)
                }
                _ => (self.types.bits(IntKind::Int), false, Ty::INT),
            }
        };
        let (x, y) = (key(a), key(b));
        if (x.0, x.1) >= (y.0, y.1) {
            x.2
        } else {
            y.2
        }
    }

    /// How THREADS occurs in an array size in the dynamic environment.
    pub(crate) fn threads_form(&self, p: &Parsed, e: ExprId) -> ThreadsForm {
        match self.threads_in(p, e, 0) {
            0 => ThreadsForm::Absent,
            1 => match self.threads_factor(p, e, 0) {
                Some((n, factors)) => ThreadsForm::Times { n, plain: factors <= 1 },
                None => ThreadsForm::Other,
            },
            _ => ThreadsForm::Twice,
        }
    }

    /// `e` as `n * THREADS`: n, and the number of constants that make it.
    fn threads_factor(&self, p: &Parsed, e: ExprId, depth: u32) -> Option<(i128, u32)> {
        if depth > 1000 {
            return None;
        }
        match p.unit[e].kind {
            ExprKind::Threads => Some((1, 0)),
            ExprKind::Paren(i) | ExprKind::Unary(UnOp::Extension, i) => self.threads_factor(p, i, depth + 1),
            ExprKind::Cast(t, i) if self.types.is_integer(self.type_name_ty[t.index()]) => {
                self.threads_factor(p, i, depth + 1)
            }
            ExprKind::Binary(BinOp::Mul, a, b) => {
                let (t, c) = if let Some(c) = self.const_int(p, b) { (a, c) } else { (b, self.const_int(p, a)?) };
                let (n, k) = self.threads_factor(p, t, depth + 1)?;
                Some((n.checked_mul(c)?, k + 1))
            }
            _ => None,
        }
    }

    /// What makes an expression depend on THREADS: where, and whether it is the size of an array (else THREADS itself).
    pub(crate) fn threads_reason(&self, p: &Parsed, e: ExprId, depth: u32) -> Option<(TokRange, bool)> {
        if depth > 1000 {
            return None;
        }
        let f = |i: ExprId| self.threads_reason(p, i, depth + 1);
        let sized = |t: Ty| self.size_of(t).is_some_and(|s| s.times_threads).then_some((p.unit[e].toks, true));
        match &p.unit[e].kind {
            ExprKind::Threads => Some((p.unit[e].toks, false)),
            ExprKind::SizeofExpr(SizeofKind::Sizeof, i) => sized(self.expr_ty[i.index()]),
            ExprKind::SizeofType(SizeofKind::Sizeof, t) => sized(self.type_name_ty[t.index()]),
            ExprKind::Paren(i) | ExprKind::Unary(_, i) | ExprKind::Cast(_, i) => f(*i),
            ExprKind::Binary(_, a, b) => f(*a).or_else(|| f(*b)),
            ExprKind::Cond(a, b, c) => f(*a).or_else(|| b.and_then(f)).or_else(|| f(*c)),
            _ => None,
        }
    }

    /// Occurrences of THREADS in an expression, up to two.
    fn threads_in(&self, p: &Parsed, e: ExprId, depth: u32) -> u32 {
        if depth > 1000 {
            return 0;
        }
        let f = |i: ExprId| self.threads_in(p, i, depth + 1);
        let n = match &p.unit[e].kind {
            ExprKind::Threads => 1,
            ExprKind::Paren(i) | ExprKind::Unary(_, i) | ExprKind::Cast(_, i) => f(*i),
            ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) | ExprKind::Index(a, b) => f(*a) + f(*b),
            ExprKind::Cond(a, b, c) => f(*a) + b.map_or(0, f) + f(*c),
            ExprKind::Call { callee, args } => f(*callee) + args.iter().map(|&a| f(a)).sum::<u32>().min(2),
            _ => 0,
        };
        n.min(2)
    }
}

fn int(b: bool) -> Option<Value> {
    Some(Value::Int(b as i128, Ty::INT))
}

fn truth(v: Value) -> bool {
    match v {
        Value::Int(v, _) => v != 0,
        Value::Float(v, _) => v != 0.0,
    }
}

fn as_float(v: Value) -> f64 {
    match v {
        // Reading an unsigned 64-bit value needs nothing special: it is positive in the i128.
        Value::Int(v, _) => v as f64,
        Value::Float(v, _) => v,
    }
}

fn narrow(v: f64, k: FloatKind) -> f64 {
    if k == FloatKind::Float {
        v as f32 as f64
    } else {
        v
    }
}
