//! Accesses to objects that may be far (`Options::direct` is false). Each becomes a statement expression that moves the
//! object by `runtime/conduit/distributed.h`: a load or store where it is near, a call where it is not.
//!
//! What is read-modify-written, bit-fields among it, is *opened*: a pointer leads to the object itself or to a private
//! copy, C does the operation there with its own conversions, and closing brings the copy back. The address is computed
//! once. Of a record that holds a bit-field only the bytes with the field's own bits move, so that other threads may
//! write its other members meanwhile (C11 3.14).

use crate::code::Code;
use crate::explain::Use;
use crate::Lower;
use fathom_sema::{Ty, TyKind};
use fathom_syntax::ast::*;

/// How an access finds out whether its object is near.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// It is.
    Near,
    /// By looking at the address.
    Test,
    /// A variable of the generated code says so.
    If(String),
}

/// A C lvalue of the object. Where it is near, its address is the object's, else the object's word: then it serves to
/// find members and elements, and the word of what has been found, but no load or store (`fathom_place` of
/// runtime/conduit/distributed.h). With `Reach::Test` it is always a word.
pub(crate) struct Place {
    pub lvalue: Code,
    pub reach: Reach,
}

/// How to access a shared object.
pub(crate) enum Access {
    /// By this C lvalue.
    Direct(Code),
    Far(Target),
}

/// What an access that may be far moves.
pub(crate) struct Target {
    place: Place,
    /// Type of the object at `place`.
    ty: Ty,
    bits: Option<BitField>,
}

/// A bit-field of the object.
struct BitField {
    name: String,
    /// The bytes of the record that hold it.
    skip: u64,
    bytes: u64,
    /// The C types that it is declared with, and that its value has after the integer promotions.
    declared: String,
    promoted: String,
}

impl Lower<'_> {
    pub(crate) fn reach(&self) -> Reach {
        if self.options.direct {
            Reach::Near
        } else {
            Reach::Test
        }
    }

    /// How to read or write the shared object `e`.
    pub(crate) fn access(&mut self, e: ExprId, use_: Use) -> Access {
        self.explain.through = None;
        if self.options.direct && (!self.options.explain || !self.is_bit_field(e)) {
            let place = self.place(e);
            return Access::Direct(self.counted(e, use_, place).lvalue);
        }
        let strict = self.is_strict(e);
        if let Some((place, record, bits)) = self.bit_field(e) {
            let place = self.counted(e, use_, place);
            if (place.reach == Reach::Near && !strict) || self.options.direct {
                return Access::Direct(code![place.lvalue, format!(".{}", bits.name)]);
            }
            return Access::Far(Target { place, ty: record, bits: Some(bits) });
        }
        let place = self.place(e);
        let place = self.counted(e, use_, place);
        if place.reach == Reach::Near && !strict {
            return Access::Direct(place.lvalue);
        }
        let ty = self.unqualified(self.s.ty(e));
        Access::Far(Target { place, ty, bits: None })
    }

    /// If `e` is a bit-field: the record that it is in, and where in it.
    fn bit_field(&mut self, e: ExprId) -> Option<(Place, Ty, BitField)> {
        let ExprKind::Member { base, name, arrow } = self.u[self.s.stands_for(e)].kind else { return None };
        let t = if arrow {
            let pointer = self.s.rvalue_ty(base);
            self.s.types.pointee(pointer)?
        } else {
            self.s.ty(base)
        };
        if !self.s.types.is_shared(t) {
            return None;
        }
        let TyKind::Record(record) = *self.s.types.kind(t) else { return None };
        let (field, skip) = self.s.field(record, name)?;
        let width = field.bits?;
        let place = if arrow { self.pointed(base) } else { self.place(base) };
        let declared = self.unqualified(field.ty);
        let bits = BitField {
            name: self.p.source.name(name).to_owned(),
            skip,
            bytes: u64::from(field.bit + width).div_ceil(8),
            declared: self.c_cast(declared),
            promoted: self.c_cast(self.s.types.promote_bit_field(declared, width)),
        };
        Some((place, self.unqualified(t), bits))
    }

    /// `*e`, the object that a pointer-to-shared leads to.
    pub(crate) fn pointed(&mut self, e: ExprId) -> Place {
        let t = self.s.rvalue_ty(e);
        let word = self.word_of(e);
        let object = self.s.types.pointee(t).unwrap_or(Ty::ERROR);
        let lvalue = code!["(*(", self.c_type(object, "*"), ")fathom_place(", word, "))"];
        Place { lvalue, reach: self.reach() }
    }

    /// The word of the object at a place.
    pub(crate) fn word_at(&self, place: Place) -> Code {
        match self.settled(&place.reach) {
            _ if self.options.direct => code!["(fathom_ptr)&", place.lvalue],
            Reach::Near => code!["fathom_word(&", place.lvalue, ")"],
            Reach::Test => code!["(fathom_ptr)&", place.lvalue],
            Reach::If(near) => code![format!("fathom_word_if({near}, &"), place.lvalue, ")"],
        }
    }

    /// The C condition that an object with the word `at` is near.
    fn near(&self, reach: &Reach, at: &str) -> String {
        match reach {
            Reach::Near => "1".to_owned(),
            Reach::Test => format!("fathom_is_near({at})"),
            Reach::If(name) => name.clone(),
        }
    }

    /// An object that a single C load or store moves well, so that a copy of it needs no address.
    fn is_scalar(&self, t: Ty) -> bool {
        use TyKind::*;
        matches!(self.s.types.kind(t), Int(_) | Float(_) | Enum(_) | Complex(_) | Pointer(_)) && !self.is_phased(t)
    }

    pub(crate) fn far_read(&mut self, e: ExprId, target: Target) -> Code {
        let strict = self.is_strict(e);
        let Target { place, ty, bits } = target;
        let (at, copy, v) = (self.temp("at"), self.temp("copy"), self.temp("v"));
        let object = self.c_type(ty, &copy);
        let star = self.c_type(ty, "*");
        let near = self.near(&place.reach, &at);
        let test = place.reach == Reach::Test;
        let word = self.word_at(place);
        if let Some(b) = bits {
            let (begin, end) = if strict { ("fathom_strict_begin(); ", "fathom_strict_end(); ") } else { ("", "") };
            return code![
                format!("__extension__ ({{ const fathom_ptr {at} = "),
                word,
                format!("; {object}; {begin}{} {v} = (({star})", b.promoted),
                format!("fathom_open({near}, {at}, &{copy}, {}, {}))->{}; {end}{v}; }})", b.skip, b.bytes, b.name)
            ];
        }
        if !strict {
            let open = if test {
                code!["fathom_read(", word, format!(", &{copy}, sizeof {copy})")]
            } else {
                code![format!("fathom_open({near}, "), word, format!(", &{copy}, 0, sizeof {copy})")]
            };
            return code![format!("__extension__ ({{ {object}; *({star})"), open, "; })"];
        }
        if self.is_phased(ty) {
            return code!["fathom_strict_load2(", word, ")"];
        }
        let value = self.c_type(ty, &v);
        let begin = code![
            format!("__extension__ ({{ const fathom_ptr {at} = "),
            word,
            format!("; {object}; fathom_strict_begin(); ")
        ];
        let opened = format!("({star})fathom_open({near}, {at}, &{copy}, 0, sizeof {copy})");
        if self.atomic_word(e).is_some() {
            return code![begin, format!("{value}; __atomic_load({opened}, &{v}, 5); {v}; }})")];
        }
        code![begin, format!("{value} = *{opened}; fathom_strict_end(); {v}; }})")]
    }

    pub(crate) fn far_write(&mut self, e: ExprId, target: Target, value: Code) -> Code {
        let v = self.temp("v");
        if let Some(declared) = target.bits.as_ref().map(|b| b.declared.clone()) {
            // The value comes first: computing it may write to the same bytes.
            let before = code![format!("{declared} {v} = "), value, "; "];
            return self.far_update(e, target, before, |lv| code![lv, format!(" = {v}")]);
        }
        let Target { place, ty, .. } = target;
        if self.is_strict(e) && self.is_phased(ty) {
            return code!["fathom_strict_store2(", self.word_at(place), ", ", value, ")"];
        }
        let (at, copy) = (self.temp("at"), self.temp("copy"));
        let star = self.c_type(ty, "*");
        let near = self.near(&place.reach, &at);
        let begin = code![
            format!("__extension__ ({{ {} = ", self.c_type(ty, &v)),
            value,
            format!("; const fathom_ptr {at} = "),
            self.word_at(place),
            "; "
        ];
        let store = if self.is_strict(e) {
            if self.atomic_word(e).is_some() {
                format!("if ({near}) {{ fathom_far_fence(); __atomic_store(({star})fathom_local({at}), &{v}, 5); fathom_fence_after_atomic(); }} else fathom_strict_put({at}, &{v}, sizeof {v})")
            } else {
                format!("fathom_strict_begin(); fathom_write({near}, {at}, &{v}, sizeof {v}); fathom_fence()")
            }
        } else if self.is_scalar(ty) {
            let object = self.c_type(ty, &copy);
            let put = if self.options.explain { "fathom_explain_far_put" } else { "fathom_far_put" };
            format!("if ({near}) *({star})fathom_local({at}) = {v}; else {{ {object} = {v}; {put}({at}, &{copy}, sizeof {copy}); }}")
        } else {
            format!("fathom_write({near}, {at}, &{v}, sizeof {v})")
        };
        code![begin, format!("{store}; {v}; }})")]
    }

    /// An expression that changes the object and yields a value. `change` makes it, from the lvalue to change; `before` is
    /// declarations that it uses.
    pub(crate) fn far_update(
        &mut self,
        e: ExprId,
        target: Target,
        before: Code,
        change: impl FnOnce(&str) -> Code,
    ) -> Code {
        let Target { place, ty, bits } = target;
        let (at, copy, q, v) = (self.temp("at"), self.temp("copy"), self.temp("q"), self.temp("v"));
        let near = self.temp("near");
        let object = self.c_type(ty, &copy);
        let (begin, end) = if self.is_strict(e) { ("fathom_strict_begin(); ", "fathom_fence(); ") } else { ("", "") };
        let (lvalue, result, skip, bytes) = match &bits {
            Some(b) => (format!("{q}->{}", b.name), format!("{} {v}", b.promoted), b.skip, b.bytes.to_string()),
            None => (format!("(*{q})"), self.c_type(ty, &v), 0, format!("sizeof {copy}")),
        };
        let is_near = self.near(&place.reach, &at);
        code![
            "__extension__ ({ ",
            before,
            format!("const fathom_ptr {at} = "),
            self.word_at(place),
            format!("; const int {near} = {is_near}; {object}; {begin}"),
            format!("{} = fathom_open({near}, {at}, &{copy}, {skip}, {bytes}); ", self.c_type(ty, &format!("*{q}"))),
            format!("{result} = "),
            change(&lvalue),
            format!("; fathom_close({near}, {at}, {q}, {skip}, {bytes}); {end}{v}; }})")
        ]
    }
}
