//! Accesses that need more than a C lvalue: to objects that may be far, and strict ones. Each becomes a statement
//! expression over the functions of the conduit's header (runtime/conduit/distributed.h, smp/fathom_conduit.h), which
//! move the object: by loads and stores where it is near, by calls where it is not, between fences where the access is
//! strict.
//!
//! An object that is read, modified and written, such as a bit-field, is *opened*: a pointer leads to the object itself
//! or to a private copy, C does the operation there with its own conversions, and closing brings the copy back. The
//! address is computed once. Of a record that holds a bit-field only the bytes with the field's own bits move, so that
//! other threads may write its other members meanwhile (C11 3.14).

use crate::code::Code;
use crate::plan::accesses::Use;
use crate::plan::updates::{Operand, Update};
use crate::plan::Form;
use crate::write::pointer::OpText;
use crate::write::Writer;
use fathom_sema::{Ty, TyKind};
use fathom_syntax::ast::*;

/// A C lvalue of the object. If the object is near, its address is the object's. Otherwise its address is the object's
/// word: then it serves to find members and elements, and the word of the object found, but not for a load or store
/// (`fathom_place` of runtime/conduit/distributed.h). With `Form::Far` it is always a word.
pub(crate) struct ObjectLvalue {
    pub lvalue: Code,
    pub form: Form,
}

/// How to access a shared object.
pub(crate) enum Access {
    /// By this C lvalue.
    Direct(Code),
    Far(Target),
}

/// The object that an access moves if it may be far.
pub(crate) struct Target {
    place: ObjectLvalue,
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

fn is_near(f: Form) -> bool {
    matches!(f, Form::Near { .. })
}

impl Writer<'_> {
    /// How to read or write the shared object `e`.
    pub(crate) fn access(&mut self, e: ExprId, use_: Use) -> Access {
        if self.options.direct && !self.is_strict(e) && (!self.options.explain || !self.is_bit_field(e)) {
            let place = self.place(e);
            return Access::Direct(self.counted(e, use_, place).lvalue);
        }
        let strict = self.is_strict(e) && !self.s.types.is_void(self.s.ty(e));
        if let Some((place, record, bits)) = self.bit_field(e) {
            let place = self.counted(e, use_, place);
            if is_near(place.form) && !strict {
                return Access::Direct(code![place.lvalue, format!(".{}", bits.name)]);
            }
            return Access::Far(Target { place, ty: record, bits: Some(bits) });
        }
        let place = self.place(e);
        let place = self.counted(e, use_, place);
        if is_near(place.form) && !strict {
            return Access::Direct(place.lvalue);
        }
        let ty = self.unqualified(self.s.ty(e));
        Access::Far(Target { place, ty, bits: None })
    }

    /// If `e` is a bit-field: the record that contains it, and where in it.
    fn bit_field(&mut self, e: ExprId) -> Option<(ObjectLvalue, Ty, BitField)> {
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
        let lvalue = if arrow { self.pointed(base) } else { self.place(base).lvalue };
        let place = ObjectLvalue { lvalue, form: self.form(e) };
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

    /// The record of a bit-field, and the bytes of it with the field's bits.
    pub(crate) fn bit_field_bytes(&mut self, e: ExprId) -> Option<(Code, u64, u64)> {
        self.bit_field(e).map(|(place, _, bits)| (place.lvalue, bits.skip, bits.bytes))
    }

    /// `*e`, the object that a pointer-to-shared leads to.
    fn pointed(&mut self, e: ExprId) -> Code {
        let t = self.s.rvalue_ty(e);
        let word = self.word_of(e);
        let object = self.s.types.pointee(t).unwrap_or(Ty::ERROR);
        code!["(*(", self.c_type(object, "*"), ")fathom_place(", word, "))"]
    }

    /// The word of the object at a place.
    pub(crate) fn word_at(&self, place: ObjectLvalue) -> Code {
        match place.form {
            Form::Near { .. } => code!["fathom_word(&", place.lvalue, ")"],
            Form::Far => code!["fathom_place_word(&", place.lvalue, ")"],
            Form::Tested(v) => code![format!("fathom_word_if({}, &", self.near_name(v)), place.lvalue, ")"],
        }
    }

    /// The C condition that an object with the word `at` is near.
    fn near(&self, form: Form, at: &str) -> String {
        match form {
            Form::Near { .. } => "1".to_owned(),
            Form::Far => format!("fathom_is_near({at})"),
            Form::Tested(v) => self.near_name(v),
        }
    }

    /// The word for accesses that are in order with all others of their kind: UPC's strict ones, each also a fence, or
    /// Split-C's, which only wait for each other.
    fn ordered(&self) -> &'static str {
        if self.is_split_c() {
            "blocking"
        } else {
            "strict"
        }
    }

    pub(crate) fn far_read(&mut self, e: ExprId, target: Target) -> Code {
        let strict = self.is_strict(e);
        let Target { place, ty, bits } = target;
        let form = place.form;
        if strict && bits.is_none() && self.is_phased(ty) {
            return code!["(", self.here(self.u[e].toks, ", "), "fathom_strict_load2(", self.word_at(place), "))"];
        }
        let here = self.here(self.u[e].toks, "; ");
        let (at, copy, v) = (self.temp("at"), self.temp("copy"), self.temp("v"));
        let near = self.near(form, &at);
        let object = self.c_type(ty, &copy);
        let star = self.c_type(ty, "*");
        let word = self.word_at(place);
        if let Some(b) = bits {
            let (open, end) = match strict {
                true => ("fathom_strict_open", "fathom_strict_end(); "),
                false if self.is_volatile(e) => ("fathom_volatile_open", ""),
                false => ("fathom_open", ""),
            };
            return code![
                format!("__extension__ ({{ const fathom_ptr {at} = "),
                word,
                format!("; {here}{object}; {} {v} = (({star})", b.promoted),
                format!("{open}({near}, {at}, &{copy}, {}, {}))->{}; {end}{v}; }})", b.skip, b.bytes, b.name)
            ];
        }
        if strict {
            let ordered = self.ordered();
            let object = if self.atomic_word(e).is_some() { "" } else { "_object" };
            let read = format!("fathom_{ordered}_read{object}");
            return code![
                format!("__extension__ ({{ const fathom_ptr {at} = "),
                word,
                format!("; {here}{}; {read}({near}, {at}, &{v}, sizeof {v}); {v}; }})", self.c_type(ty, &v))
            ];
        }
        let volatile = if self.is_volatile(e) { "volatile_" } else { "" };
        let open = match form {
            Form::Far => code![format!("fathom_{volatile}read("), word, format!(", &{copy}, sizeof {copy})")],
            _ => code![format!("fathom_{volatile}open({near}, "), word, format!(", &{copy}, 0, sizeof {copy})")],
        };
        // With `volatile` if the program says so.
        let star = self.c_type(self.s.ty(e), "*");
        code![format!("__extension__ ({{ {here}{object}; *({star})"), open, "; })"]
    }

    pub(crate) fn far_write(&mut self, e: ExprId, target: Target, value: Code) -> Code {
        let strict = self.is_strict(e);
        if strict && target.bits.is_none() && self.is_phased(target.ty) {
            let here = self.here(self.u[e].toks, ", ");
            return code!["(", here, "fathom_strict_store2(", self.word_at(target.place), ", ", value, "))"];
        }
        let v = self.temp("v");
        if let Some(declared) = target.bits.as_ref().map(|b| b.declared.clone()) {
            // The value comes first: computing it may write to the same bytes.
            let before = code![format!("{declared} {v} = "), value, "; "];
            return self.far_update(e, target, before, |lv| code![lv, format!(" = {v}")]);
        }
        let Target { place, ty, .. } = target;
        let at = self.temp("at");
        let near = self.near(place.form, &at);
        let ordered = self.ordered();
        let write = match (strict, self.atomic_word(e)) {
            (false, _) => "fathom_write".to_owned(),
            (true, Some(_)) => format!("fathom_{ordered}_write"),
            (true, None) => format!("fathom_{ordered}_write_object"),
        };
        let keep = self.kept(e);
        let here = self.here(self.u[e].toks, "; ");
        code![
            format!("__extension__ ({{ {} = ", self.c_type(ty, &v)),
            value,
            format!("; const fathom_ptr {at} = "),
            self.word_at(place),
            format!("; {here}{write}({near}, {at}, &{v}, sizeof {v}); {keep}{v}; }})")
        ]
    }

    /// C behind a store, which keeps one to a volatile object from being merged with the next one (C11 6.7.3 p7).
    fn kept(&self, e: ExprId) -> &'static str {
        if self.is_volatile(e) {
            "__asm__ volatile (\"\" ::: \"memory\"); "
        } else {
            ""
        }
    }

    fn is_volatile(&self, e: ExprId) -> bool {
        self.s.types.quals(self.s.ty(e)).is_volatile
    }

    /// `e op= operand` where the value is not used: where the object is near, C's operator; otherwise its owner computes it, by 1
    /// if there is no operand.
    pub(crate) fn update_by_owner(
        &mut self,
        e: ExprId,
        target: Target,
        update: Update,
        op: BinOp,
        operand: Option<Code>,
    ) -> Code {
        let Target { place, ty, .. } = target;
        let (at, r) = (self.temp("at"), self.temp("r"));
        let near = self.near(place.form, &at);
        // Before the address is computed, because the operand may write to the object; promoted, as the operator would do.
        let (before, r) = match operand {
            Some(x) => (code![format!("__auto_type {r} = +("), x, "); "], r),
            None => (Code::new(), "1".to_owned()),
        };
        let Update { object, op: name, operand } = update;
        let call = match operand {
            Operand::Integer => {
                format!("({at}, FATHOM_UPDATE_{object}, FATHOM_UPDATE_{name}, (unsigned long){r}")
            }
            Operand::Float => format!("_float({at}, FATHOM_UPDATE_{name}, (float){r}"),
            Operand::Double => format!("_double({at}, FATHOM_UPDATE_{object}, FATHOM_UPDATE_{name}, (double){r}"),
        };
        // The functions of floating-point operands are inline, and call the one that is counted.
        let function = match self.options.explain && operand == Operand::Integer {
            true => "fathom_explain_far_update",
            false => "fathom_far_update",
        };
        let star = self.c_type(ty, "*");
        let here = self.here(self.u[e].toks, "; ");
        code![
            "__extension__ ({ ",
            before,
            format!("const fathom_ptr {at} = "),
            self.word_at(place),
            format!("; {here}if (__builtin_expect({near}, 1)) *({star})fathom_local({at}) {}= {r}; ", op.text()),
            format!("else {function}{call}); (void)0; }})")
        ]
    }

    /// An expression that changes the object and yields a value. `change` makes it, from the lvalue to change; `before`
    /// is the declarations that it uses.
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
        let strict = if self.is_strict(e) { "strict_" } else { "" };
        let open = if strict.is_empty() && self.is_volatile(e) { "volatile_" } else { strict };
        let (lvalue, result, skip, bytes) = match &bits {
            Some(b) => (format!("{q}->{}", b.name), format!("{} {v}", b.promoted), b.skip, b.bytes.to_string()),
            None => (format!("(*{q})"), self.c_type(ty, &v), 0, format!("sizeof {copy}")),
        };
        let is_near = self.near(place.form, &at);
        let here = self.here(self.u[e].toks, "; ");
        code![
            "__extension__ ({ ",
            before,
            format!("const fathom_ptr {at} = "),
            self.word_at(place),
            format!("; {here}const int {near} = {is_near}; {object}; "),
            format!("{} = ", self.c_type(ty, &format!("*{q}"))),
            format!("fathom_{open}open({near}, {at}, &{copy}, {skip}, {bytes}); "),
            format!("{result} = "),
            change(&lvalue),
            format!("; fathom_{strict}close({near}, {at}, {q}, {skip}, {bytes}); {}{v}; }})", self.kept(e))
        ]
    }
}
