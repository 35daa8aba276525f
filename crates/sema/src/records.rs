//! Struct, union and enum specifiers.

use crate::checks::{c6_3, c6_5};
use crate::layout::{Layout as Placer, MemberShape};
use crate::scope::{Checker, Tag};
use crate::specs::Specified;
use crate::*;

impl<'a> Checker<'a> {
    pub fn record_spec(&mut self, id: RecordSpecId) -> RecordId {
        let spec = &self.u[id];
        let r = self.record_id(spec);
        self.s.record_of_spec[id.index()] = Some(r);
        if let Some(members) = &spec.members {
            self.define_record(r, spec, members);
        }
        r
    }

    /// The record that a specifier refers to or introduces (C 6.7.2.3).
    fn record_id(&mut self, spec: &'a RecordSpec) -> RecordId {
        let key = if spec.is_union { "union" } else { "struct" };
        if let Some(tag) = spec.tag {
            let known = if spec.members.is_some() { self.lookup_tag_here(tag) } else { self.lookup_tag(tag) };
            if let Some(Tag::Record(r)) = known {
                let old = self.s.types.record(r);
                // Defining it a second time is C's error; a fresh record keeps the first one's users consistent.
                if old.is_union == spec.is_union && (spec.members.is_none() || old.fields.is_none()) {
                    return r;
                }
            }
        }
        let n = self.s.types.records.len();
        let r = RecordId(n as u32);
        self.s.types.records.push(Record {
            is_union: spec.is_union,
            tag: spec.tag,
            c_name: match spec.tag {
                Some(t) => format!("{key} {}", self.name(t)),
                None => format!("{key} fathom_anon_{n}"),
            },
            invented: spec.tag.is_none(),
            align: 1,
            ..Record::default()
        });
        if let Some(tag) = spec.tag {
            self.bind_tag(tag, Tag::Record(r));
        }
        r
    }

    fn define_record(&mut self, r: RecordId, spec: &'a RecordSpec, members: &'a [Member]) {
        let own = self.attrs(&spec.attrs);
        let pack = self.pack_at(spec.toks);
        let mut place = Placer::new(spec.is_union, self.s.options.target);
        let mut fields: Vec<Field> = vec![];
        let mut holds = false;
        if !self.enter() {
            return;
        }
        for m in members {
            let decl = match m {
                Member::Field(f) => f,
                Member::StaticAssert(e, _) => {
                    self.value(*e);
                    c6_3::constant(self, *e);
                    continue;
                }
                Member::Empty(_) => continue,
            };
            let specs = self.specs(&decl.specs);
            if decl.declarators.is_empty() {
                c6_5::member(self, specs.ty, decl.toks);
                // An anonymous struct or union; `struct S;` or a lone type declares nothing.
                let anonymous = self.s.types.record_of(specs.ty).is_some_and(|i| {
                    let i = self.s.types.record(i);
                    i.tag.is_none() && i.fields.is_some()
                });
                if anonymous {
                    let packed = specs.packed || own.packed;
                    let shape = MemberShape { pack, packed, ..self.shape(&specs, specs.ty) };
                    let (offset, bit) = place.place(&shape);
                    holds |= self.holds_shared_pointers(specs.ty);
                    fields.push(Field { name: None, ty: specs.ty, offset, bits: None, bit });
                }
            }
            for d in &decl.declarators {
                let mut ty = self.declarator(&specs, d.declarator);
                let attrs = self.attrs(&d.attrs);
                ty = self.apply_attrs(ty, &attrs);
                if !c6_5::member(self, ty, d.toks) {
                    ty = self.unshare(ty);
                }
                if self.is_incomplete_record(ty) {
                    // The C compiler objects. Nothing else may contain itself.
                    ty = Ty::ERROR;
                }
                self.s.declarator_ty[d.declarator.index()] = ty;
                if self.s.types.varies(ty) {
                    c6_3::constant_dimensions(self, d.declarator);
                }
                let bits = d.width.map(|w| {
                    self.value(w);
                    c6_3::constant(self, w);
                    let n = self.s.const_int(self.p, w).unwrap_or(0);
                    n.clamp(0, 128) as u32
                });
                let name = self.u[d.declarator].name.map(|n| n.0);
                let packed = specs.packed || own.packed || attrs.packed;
                let natural = self.shape(&specs, ty);
                let asked = natural.asked.max(attrs.align);
                let shape = MemberShape { asked, packed, pack, bits, named: name.is_some(), ..natural };
                let (offset, bit) = place.place(&shape);
                holds |= self.holds_shared_pointers(ty);
                if name.is_some() || bits.is_some() {
                    fields.push(Field { name, ty, offset, bits, bit });
                }
            }
        }
        self.leave();
        let (size, align) = place.finish(own.align);
        let rec = &mut self.s.types.records[r.0 as usize];
        rec.fields = Some(fields);
        rec.size = size;
        rec.align = align;
        rec.holds_shared_pointers = holds;
    }

    /// What a member's type says of its shape; a member of incomplete type takes no room (the C compiler objects, or
    /// it is a flexible array).
    fn shape(&self, specs: &Specified, ty: Ty) -> MemberShape {
        let size = self.s.size_of(ty).filter(|s| !s.times_threads).map_or(0, |s| s.bytes);
        // A typedef's own alignment replaces that of its type, for arrays of it too.
        let own = specs.type_align > 0 && self.s.types.ultimate(ty) == self.s.types.ultimate(specs.ty);
        let align = if own { specs.type_align } else { self.s.align_of(ty) };
        MemberShape { size, align, asked: specs.align, packed: false, pack: 0, bits: None, named: false }
    }

    fn is_incomplete_record(&self, t: Ty) -> bool {
        let r = self.s.types.record_of(self.s.types.ultimate(t));
        r.is_some_and(|r| self.s.types.record(r).fields.is_none())
    }

    /// Is or contains a pointer-to-shared.
    pub fn holds_shared_pointers(&self, t: Ty) -> bool {
        let t = self.s.types.ultimate(t);
        match *self.s.types.kind(t) {
            TyKind::Pointer(p) => self.s.types.is_shared(p),
            TyKind::Record(r) => self.s.types.record(r).holds_shared_pointers,
            _ => false,
        }
    }

    pub fn enum_spec(&mut self, id: EnumSpecId) -> EnumId {
        let spec = &self.u[id];
        let e = self.enum_id(spec);
        self.s.enum_of_spec[id.index()] = Some(e);
        if let Some(list) = &spec.enumerators {
            self.define_enum(e, spec, list);
        }
        e
    }

    fn enum_id(&mut self, spec: &'a EnumSpec) -> EnumId {
        if let Some(tag) = spec.tag {
            let known = if spec.enumerators.is_some() { self.lookup_tag_here(tag) } else { self.lookup_tag(tag) };
            if let Some(Tag::Enum(e)) = known {
                if spec.enumerators.is_none() || !self.s.types.enums[e.0 as usize].complete {
                    return e;
                }
            }
        }
        let n = self.s.types.enums.len();
        let e = EnumId(n as u32);
        self.s.types.enums.push(Enum {
            tag: spec.tag,
            c_name: match spec.tag {
                Some(t) => format!("enum {}", self.name(t)),
                None => format!("enum fathom_anon_{n}"),
            },
            invented: spec.tag.is_none(),
            complete: false,
            underlying: Ty::UINT,
        });
        if let Some(tag) = spec.tag {
            self.bind_tag(tag, Tag::Enum(e));
        }
        e
    }

    fn define_enum(&mut self, e: EnumId, spec: &'a EnumSpec, list: &'a [Enumerator]) {
        let packed = self.attrs(&spec.attrs).packed;
        let mut next = 0i128;
        let (mut min, mut max) = (0i128, 0i128);
        let first = self.s.symbols.len();
        for c in list {
            if let Some(v) = c.value {
                self.value(v);
                c6_3::constant(self, v);
                next = self.s.const_int(self.p, v).unwrap_or(next);
            }
            (min, max) = (min.min(next), max.max(next));
            let ty = if i32::try_from(next).is_ok() { Ty::INT } else { wide(next) };
            let s = self.new_symbol(c.name, SymKind::EnumConst(next), ty, c.toks);
            self.bind(c.name, s);
            next = next.wrapping_add(1);
        }
        let underlying = representation(min, max, packed);
        // Constants that do not fit int all have the type of the enumeration once it is complete.
        if i32::try_from(min).is_err() || i32::try_from(max).is_err() {
            for s in &mut self.s.symbols[first..] {
                if matches!(s.kind, SymKind::EnumConst(_)) {
                    s.ty = underlying;
                }
            }
        }
        let en = &mut self.s.types.enums[e.0 as usize];
        en.complete = true;
        en.underlying = underlying;
    }
}

fn wide(v: i128) -> Ty {
    if u32::try_from(v).is_ok() {
        Ty::UINT
    } else if i64::try_from(v).is_ok() {
        Ty::LONG
    } else {
        Ty::ULONG
    }
}

/// As gcc chooses: unsigned if nothing is negative, `int` size unless more is needed (or less, if packed).
fn representation(min: i128, max: i128, packed: bool) -> Ty {
    let fits = |lo: i128, hi: i128| min >= lo && max <= hi;
    let small: &[(i128, i128, Ty)] = &[
        (0, u8::MAX as i128, Ty::UCHAR),
        (i8::MIN as i128, i8::MAX as i128, Ty::SCHAR),
        (0, u16::MAX as i128, Ty::USHORT),
        (i16::MIN as i128, i16::MAX as i128, Ty::SHORT),
    ];
    if packed {
        if let Some(s) = small.iter().find(|s| fits(s.0, s.1)) {
            return s.2;
        }
    }
    if fits(0, u32::MAX as i128) {
        Ty::UINT
    } else if fits(i32::MIN as i128, i32::MAX as i128) {
        Ty::INT
    } else if fits(0, u64::MAX as i128) {
        Ty::ULONG
    } else {
        Ty::LONG
    }
}
