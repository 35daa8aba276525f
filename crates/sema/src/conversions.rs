//! The implicit and explicit conversions of every value (C11 6.3), recorded once by the code that types the expression
//! around it.
//!
//! A value is converted in at most two steps. The first turns an lvalue, an array or a function into a value (6.3.2.1);
//! its result is [`Sema::rvalue_ty`]. The second is what the operator, call, declaration or statement around the value
//! demands. A step that would not change the type is not recorded, except the first one of an lvalue.

use crate::scope::Checker;
use crate::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    /// The value of an object (6.3.2.1 p2).
    Lvalue,
    /// An array becomes a pointer to its first element (6.3.2.1 p3).
    Array,
    /// A function becomes a pointer to it (6.3.2.1 p4).
    Function,
    /// Integer promotion alone (6.3.1.1 p2).
    Promotion,
    /// To the common type of both operands (6.3.1.8), promotion included.
    Arithmetic,
    /// Of an argument without a parameter (6.5.2.2 p6).
    DefaultArgument,
    /// As if by assignment: assignment, initialization, argument, result of a function (6.5.16.1).
    Assignment,
    /// A null pointer constant becomes a pointer (6.3.2.3 p3), whatever the context.
    NullPointer,
    /// A pointer takes the type of the other operand (6.5.8, 6.5.9, 6.5.15).
    Pointer,
    /// Written as a cast (6.5.4).
    Cast,
}

/// Both steps of one expression.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Steps {
    read: Option<Conversion>,
    then: Option<(Conversion, Ty)>,
}

impl Sema {
    /// The conversion that the context applies to the value of `e`, and the resulting type; `None` if it applies none.
    pub fn conversion(&self, e: ExprId) -> Option<(Conversion, Ty)> {
        self.conversions[e.index()].then
    }

    /// Is `e` a null pointer constant that its context converts to a pointer?
    pub fn is_null(&self, e: ExprId) -> bool {
        matches!(self.conversion(e), Some((Conversion::NullPointer, _)))
    }

    /// Both steps, in order, each with its resulting type.
    pub fn conversions(&self, e: ExprId) -> impl Iterator<Item = (Conversion, Ty)> {
        let steps = self.conversions[e.index()];
        let value = self.rvalue_ty(e);
        steps.read.map(|c| (c, value)).into_iter().chain(steps.then)
    }

    /// The type in which the context uses the value of `e`: after all conversions.
    pub fn used_ty(&self, e: ExprId) -> Ty {
        self.conversion(e).map_or(self.rvalue_ty(e), |(_, to)| to)
    }

    /// The expression that `e` stands for: parentheses, `__extension__`, `_Generic` and `__builtin_choose_expr` peeled
    /// off. It designates the same object and has the same value.
    pub fn stands_for(&self, e: ExprId) -> ExprId {
        self.stands_for[e.index()]
    }

    /// Width in bits, if `e` designates a bit-field.
    pub fn bit_field(&self, e: ExprId) -> Option<u32> {
        self.bit_fields.get(&self.stands_for(e)).copied()
    }

    /// Does the expression designate a shared object? Every operator that makes a value drops the qualifiers.
    pub fn designates_shared(&self, e: ExprId) -> bool {
        self.types.is_shared(self.ty(e))
    }
}

impl Checker<'_> {
    /// Records the type of an expression, and what it stands for.
    pub fn set_ty(&mut self, e: ExprId, t: Ty) {
        self.s.expr_ty[e.index()] = t;
        let same = match self.u[e].kind {
            ExprKind::Paren(i) | ExprKind::Unary(UnOp::Extension, i) => Some(i),
            ExprKind::Generic { .. } | ExprKind::ChooseExpr(..) => self.s.chosen.get(&e).copied(),
            _ => None,
        };
        self.s.stands_for[e.index()] = same.map_or(e, |i| self.s.stands_for(i));
    }

    /// Records that the value of `e` is used.
    pub fn read(&mut self, e: ExprId) {
        let t = self.s.ty(e);
        let how = match self.s.types.kind(t) {
            TyKind::Array(..) => Some(Conversion::Array),
            TyKind::Function(_) => Some(Conversion::Function),
            TyKind::Error | TyKind::Void => None,
            _ => self.is_lvalue(e).then_some(Conversion::Lvalue),
        };
        self.s.conversions[e.index()].read = how;
    }

    pub(crate) fn is_lvalue(&self, e: ExprId) -> bool {
        let mut e = self.s.stands_for(e);
        loop {
            match self.u[e].kind {
                ExprKind::Member { base, arrow: false, .. } => e = self.s.stands_for(base),
                ExprKind::Unary(UnOp::Real | UnOp::Imag, whole) => e = self.s.stands_for(whole),
                ExprKind::Ident(_) => {
                    let symbol = self.s.expr_sym[e.index()].map(|s| &self.s.symbols[s.0 as usize]);
                    return symbol.is_some_and(|s| s.kind == SymKind::Object);
                }
                ExprKind::Index(..)
                | ExprKind::Member { .. }
                | ExprKind::Unary(UnOp::Deref, _)
                | ExprKind::CompoundLit(..) => return true,
                _ => return false,
            }
        }
    }

    /// Records the conversion that the context applies to the value of `e`, which has been typed.
    pub fn convert(&mut self, e: ExprId, why: Conversion, to: Ty) {
        let from = self.s.rvalue_ty(e);
        let to = self.s.types.unqual(to);
        let t = &self.s.types;
        let unknown = |x: Ty| matches!(t.kind(x), TyKind::Error);
        self.s.conversions[e.index()].then = if from == to || unknown(from) || unknown(to) {
            None
        } else if t.pointee(to).is_some()
            && (t.is_integer(from) || t.pointee(from) == Some(Ty::VOID))
            && self.s.is_null_constant(self.p, e)
        {
            Some((Conversion::NullPointer, to))
        } else {
            Some((why, to))
        };
    }

    /// The integer promotions (C 6.3.1.1 p2) of the value of `e`, of type `t`.
    pub fn promoted(&self, e: ExprId, t: Ty) -> Ty {
        match self.s.bit_field(e) {
            Some(width) => self.s.types.promote_bit_field(t, width),
            None => self.s.types.promote(t),
        }
    }

    /// Records the integer promotions; gives the type.
    pub fn promote(&mut self, e: ExprId, t: Ty) -> Ty {
        let to = self.promoted(e, t);
        self.convert(e, Conversion::Promotion, to);
        to
    }

    /// Records the usual arithmetic conversions (6.3.1.8) of two values; gives the common type.
    pub fn convert_to_common(&mut self, (l, lt): (ExprId, Ty), (r, rt): (ExprId, Ty)) -> Ty {
        let (a, b) = (self.promoted(l, lt), self.promoted(r, rt));
        let to = self.s.types.common(a, b);
        if !matches!(self.s.types.kind(to), TyKind::Vector(..)) {
            self.convert(l, Conversion::Arithmetic, to);
            self.convert(r, Conversion::Arithmetic, to);
        }
        to
    }

    /// Records the default argument promotions (6.5.2.2 p6).
    pub fn promote_argument(&mut self, e: ExprId, t: Ty) {
        let to = match *self.s.types.kind(t) {
            TyKind::Float(FloatKind::Float) => Ty::DOUBLE,
            TyKind::Int(_) | TyKind::Enum(_) => self.promoted(e, t),
            _ => t,
        };
        self.convert(e, Conversion::DefaultArgument, to);
    }
}
