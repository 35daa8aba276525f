//! Relations between types: compatible, composite, promoted, common (C 6.2.7, 6.3.1.8; UPC 6.5.1.1 p13, p14).
//!
//! Recursion over types is bounded by [`MAX_TYPE_DEPTH`]; records compare by identity, so it never enters them.

use crate::*;

/// Steps that one comparison of types may take: function types that name each other twice would double the work at
/// every level. Types that differ only beyond it count as compatible.
const FUEL: u32 = 2_000;

impl Types {
    /// Are the types compatible, qualifiers included? The block size is part of the type (6.5.1.1 p13).
    pub fn compatible(&self, a: Ty, b: Ty) -> bool {
        self.compatible_within(a, b, &mut { FUEL })
    }

    /// Compatible but for the qualifiers at the top (those of the ultimate element type, for arrays).
    pub fn same_shape(&self, a: Ty, b: Ty) -> bool {
        self.same_shape_within(a, b, &mut { FUEL })
    }

    fn compatible_within(&self, a: Ty, b: Ty, fuel: &mut u32) -> bool {
        a == b || (self.same_quals(a, b) && self.same_shape_within(a, b, fuel))
    }

    fn same_quals(&self, a: Ty, b: Ty) -> bool {
        let (mut p, mut q) = (self.quals(a), self.quals(b));
        // `[*]` of an array whose size is not known yet: whatever it becomes.
        if p.shared == Some(Block::Star) && q.shared.is_some() {
            p.shared = q.shared;
        }
        if q.shared == Some(Block::Star) && p.shared.is_some() {
            q.shared = p.shared;
        }
        p == q
    }

    fn same_shape_within(&self, a: Ty, b: Ty, fuel: &mut u32) -> bool {
        if a == b || *fuel == 0 {
            return true;
        }
        *fuel -= 1;
        match (self.kind(a), self.kind(b)) {
            (TyKind::Error | TyKind::Opaque(_), _) | (_, TyKind::Error | TyKind::Opaque(_)) => true,
            (TyKind::Pointer(p), TyKind::Pointer(q)) => self.compatible_within(*p, *q, fuel),
            (TyKind::Array(p, m), TyKind::Array(q, n)) => {
                let len = match (m, n) {
                    (Len::Const(m), Len::Const(n)) | (Len::Threads(m), Len::Threads(n)) => m == n,
                    (Len::Const(_), Len::Threads(_)) | (Len::Threads(_), Len::Const(_)) => false,
                    _ => true,
                };
                len && self.compatible_within(*p, *q, fuel)
            }
            (TyKind::Function(f), TyKind::Function(g)) => {
                self.compatible_within(f.ret, g.ret, fuel)
                    && (!f.proto
                        || !g.proto
                        || f.variadic == g.variadic
                            && f.params.len() == g.params.len()
                            && f.params.iter().zip(&g.params).all(|(&p, &q)| self.same_shape_within(p, q, fuel)))
            }
            (TyKind::Enum(e), TyKind::Int(_)) => self.same_shape_within(self.enums[e.0 as usize].underlying, b, fuel),
            (TyKind::Int(_), TyKind::Enum(e)) => self.same_shape_within(a, self.enums[e.0 as usize].underlying, fuel),
            (k, l) => k == l,
        }
    }

    /// The composite of two compatible types (C 6.2.7 p3).
    pub fn composite(&mut self, a: Ty, b: Ty) -> Ty {
        self.composite_within(a, b, &mut { FUEL })
    }

    fn composite_within(&mut self, a: Ty, b: Ty, fuel: &mut u32) -> Ty {
        if a == b || *fuel == 0 {
            return a;
        }
        *fuel -= 1;
        match (self.kind(a).clone(), self.kind(b).clone()) {
            (TyKind::Array(p, m), TyKind::Array(q, n)) => {
                let e = self.composite_within(p, q, fuel);
                let len = match (m, n) {
                    (Len::Unknown, n) => n,
                    (Len::Vla(_), Len::Const(_) | Len::Threads(_)) => n,
                    _ => m,
                };
                self.array(e, len)
            }
            (TyKind::Pointer(p), TyKind::Pointer(q)) => {
                let to = self.composite_within(p, q, fuel);
                self.intern(TyKind::Pointer(to), self.quals(a))
            }
            (TyKind::Function(f), TyKind::Function(g)) => {
                if !g.proto {
                    return a;
                }
                if !f.proto {
                    return b;
                }
                let ret = self.composite_within(f.ret, g.ret, fuel);
                let params = f.params.iter().zip(&g.params).map(|(&p, &q)| self.composite_within(p, q, fuel)).collect();
                self.intern(TyKind::Function(FnTy { ret, params, variadic: f.variadic, proto: true }), self.quals(a))
            }
            _ if self.quals(a).shared == Some(Block::Star) => {
                let block = self.quals(b).shared;
                self.map_quals(a, |q| Quals { shared: block.or(q.shared), ..q })
            }
            _ => a,
        }
    }

    /// Integer promotions (C 6.3.1.1 p2).
    pub fn promote(&self, t: Ty) -> Ty {
        match *self.kind(t) {
            TyKind::Int(k) if rank(k) < rank(IntKind::Int) => Ty::INT,
            TyKind::Enum(e) => {
                let u = self.enums[e.0 as usize].underlying;
                if u == t {
                    Ty::UINT
                } else {
                    self.promote(u)
                }
            }
            _ => self.unqual(t),
        }
    }

    /// Integer promotion of a bit-field: to int if that has all its values, else to unsigned int, else to the declared
    /// type (C 6.3.1.1 p2, and what clang makes of types wider than int).
    pub fn promote_bit_field(&self, t: Ty, width: u32) -> Ty {
        let declared = match *self.kind(t) {
            TyKind::Enum(e) => self.enums[e.0 as usize].underlying,
            _ => self.unqual(t),
        };
        let TyKind::Int(kind) = *self.kind(declared) else { return declared };
        let int = self.bits(IntKind::Int);
        match width {
            _ if width > int => declared,
            _ if width == int && !self.is_signed(kind) => Ty::UINT,
            _ => Ty::INT,
        }
    }

    /// Qualified or unqualified versions of compatible types, with the same block size (UPC 6.5.1.1 p13).
    pub fn like(&self, a: Ty, b: Ty) -> bool {
        self.same_block(a, b) && self.like_shape(a, b)
    }

    /// Integer types with the same block size that differ in signedness alone, plain `char` included.
    pub fn like_but_for_sign(&self, a: Ty, b: Ty) -> bool {
        let rank_of = |t: Ty| match *self.kind(t) {
            TyKind::Enum(e) => match *self.kind(self.enums[e.0 as usize].underlying) {
                TyKind::Int(k) => Some(rank(k)),
                _ => None,
            },
            TyKind::Int(k) => Some(rank(k)),
            _ => None,
        };
        self.same_block(a, b) && rank_of(a).is_some() && rank_of(a) == rank_of(b)
    }

    pub(crate) fn same_block(&self, a: Ty, b: Ty) -> bool {
        let (x, y) = (self.shared(a), self.shared(b));
        x == y || x == Some(Block::Star) || y == Some(Block::Star)
    }

    /// As [`Types::same_shape`], but an array's qualifiers, which are its elements', are left out too.
    pub fn like_shape(&self, a: Ty, b: Ty) -> bool {
        match (self.kind(a), self.kind(b)) {
            (TyKind::Array(x, m), TyKind::Array(y, n)) => {
                (m == n || matches!(m, Len::Unknown | Len::Vla(_)) || matches!(n, Len::Unknown | Len::Vla(_)))
                    && self.like_shape(*x, *y)
            }
            _ => self.same_shape(a, b),
        }
    }

    /// Usual arithmetic conversions (C 6.3.1.8), vectors included: an operation on a vector keeps its type.
    pub fn common(&mut self, a: Ty, b: Ty) -> Ty {
        let (a, b) = (self.promote(a), self.promote(b));
        if a == b {
            return a;
        }
        match (self.kind(a), self.kind(b)) {
            (TyKind::Vector(..), _) => a,
            (_, TyKind::Vector(..)) => b,
            (TyKind::Complex(k), TyKind::Complex(l) | TyKind::Float(l)) | (TyKind::Float(k), TyKind::Complex(l)) => {
                let k = wider(*k, *l);
                self.intern(TyKind::Complex(k), Quals::default())
            }
            (TyKind::Complex(_), TyKind::Int(_)) => a,
            (TyKind::Int(_), TyKind::Complex(_)) => b,
            (TyKind::Float(k), TyKind::Float(l)) => {
                if wider(*k, *l) == *k {
                    a
                } else {
                    b
                }
            }
            (TyKind::Float(_), TyKind::Int(_)) => a,
            (TyKind::Int(_), TyKind::Float(_)) => b,
            (TyKind::Int(k), TyKind::Int(l)) => {
                let (k, l) = (*k, *l);
                let (rk, rl) = (rank(k), rank(l));
                if self.is_signed(k) == self.is_signed(l) {
                    return if rk >= rl { a } else { b };
                }
                let (u, ru, s, rs, st) = if self.is_signed(k) { (b, rl, k, rk, a) } else { (a, rk, l, rl, b) };
                if ru >= rs {
                    u
                } else if self.bits(s) > self.bits(if s == k { l } else { k }) {
                    st
                } else {
                    // `long long` with `unsigned long`: neither fits.
                    Ty::ULONGLONG
                }
            }
            _ => Ty::ERROR,
        }
    }
}

fn wider(a: FloatKind, b: FloatKind) -> FloatKind {
    let r = |k| match k {
        FloatKind::Float => 0,
        FloatKind::Double => 1,
        FloatKind::LongDouble => 2,
        FloatKind::Float128 => 3,
    };
    if r(a) >= r(b) {
        a
    } else {
        b
    }
}

fn rank(k: IntKind) -> u32 {
    use IntKind::*;
    match k {
        Bool => 0,
        Char | SChar | UChar => 1,
        Short | UShort => 2,
        Int | UInt => 3,
        Long | ULong => 4,
        LongLong | ULongLong => 5,
        Int128 | UInt128 => 6,
    }
}
