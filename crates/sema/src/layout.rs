//! Sizes and layout on the unit's target, with bit-fields and attributes, and how shared arrays spread over threads.
//!
//! What differs between targets comes from [`Target`]; the rules for structs below are common to their ABIs. `lower`
//! computes addresses of shared members and elements from these figures while the C compiler lays out the same types
//! for private accesses, so they must agree with gcc and clang to the byte. All arithmetic is checked: a size that does
//! not fit in 64 bits is unknown (`None`).

use crate::*;
use fathom_syntax::target::Extent;

impl Types {
    fn int_extent(&self, k: IntKind) -> Extent {
        use IntKind::*;
        match k {
            Bool | Char | SChar | UChar => Extent::natural(1),
            Short | UShort => self.target.short,
            Int | UInt => self.target.int,
            Long | ULong => self.target.long,
            LongLong | ULongLong => self.target.long_long,
            Int128 | UInt128 => self.target.int128,
        }
    }

    fn float_extent(&self, k: FloatKind) -> Extent {
        match k {
            FloatKind::Float => self.target.float,
            FloatKind::Double => self.target.double,
            FloatKind::LongDouble => self.target.long_double,
            FloatKind::Float128 => self.target.float128,
        }
    }

    /// Width of an integer type; `_Bool` counts with its padding.
    pub fn bits(&self, k: IntKind) -> u32 {
        self.int_extent(k).bytes as u32 * 8
    }

    pub fn is_signed(&self, k: IntKind) -> bool {
        use IntKind::*;
        match k {
            Char => self.target.char_is_signed,
            _ => matches!(k, SChar | Short | Int | Long | LongLong | Int128),
        }
    }

    /// `wchar_t`
    pub fn wchar(&self) -> Ty {
        if self.target.wchar_is_signed {
            Ty::INT
        } else {
            Ty::UINT
        }
    }
}

/// One word, or two if the pointer carries a phase (`runtime/lang/prelude.h`).
const POINTER_TO_SHARED: Extent = Extent::natural(8);
const POINTER_WITH_PHASE: Extent = Extent::natural(16);

impl Size {
    pub fn fixed(bytes: u64) -> Size {
        Size { bytes, times_threads: false }
    }
}

impl Sema {
    /// `sizeof`: `None` if the type is incomplete, of variable length or unknown. A pointer-to-shared is one word,
    /// or two if it carries a phase.
    pub fn size_of(&self, t: Ty) -> Option<Size> {
        let d = self.types.get(t);
        Some(match &d.kind {
            TyKind::Error | TyKind::Function(_) => return None,
            // GNU C: sizeof(void) is 1. A shared void has no size.
            TyKind::Void if d.quals.shared.is_some() => return None,
            TyKind::Void => Size::fixed(1),
            TyKind::Int(k) => Size::fixed(self.types.int_extent(*k).bytes),
            TyKind::Float(k) => Size::fixed(self.types.float_extent(*k).bytes),
            TyKind::Complex(k) => Size::fixed(2 * self.types.float_extent(*k).bytes),
            TyKind::Opaque(n) => Size::fixed(self.options.target.named(n)?.bytes),
            TyKind::Pointer(to) => Size::fixed(self.pointer_extent(*to).bytes),
            TyKind::Array(e, len) => {
                let s = self.size_of(*e)?;
                let (n, threads) = match *len {
                    Len::Const(n) => (n, false),
                    Len::Threads(n) => (n, true),
                    Len::Unknown | Len::Vla(_) => return None,
                };
                if threads && s.times_threads {
                    return None;
                }
                Size { bytes: s.bytes.checked_mul(n)?, times_threads: threads || s.times_threads }
            }
            TyKind::Record(r) => {
                let r = self.types.record(*r);
                r.fields.as_ref()?;
                Size::fixed(r.size)
            }
            TyKind::Enum(e) => return self.size_of(self.types.enums[e.0 as usize].underlying),
            TyKind::Vector(_, n) => Size::fixed(*n),
        })
    }

    fn pointer_extent(&self, to: Ty) -> Extent {
        match self.types.is_shared(to) {
            false => self.options.target.pointer,
            true if self.types.phaseless_pointee(to) => POINTER_TO_SHARED,
            true => POINTER_WITH_PHASE,
        }
    }

    /// `_Alignof`; 1 where it is unknown.
    pub fn align_of(&self, t: Ty) -> u64 {
        match self.types.kind(t) {
            TyKind::Error | TyKind::Function(_) | TyKind::Void => 1,
            TyKind::Int(k) => self.types.int_extent(*k).align,
            TyKind::Float(k) | TyKind::Complex(k) => self.types.float_extent(*k).align,
            TyKind::Opaque(n) => self.options.target.named(n).map_or(1, |extent| extent.align),
            TyKind::Pointer(to) => self.pointer_extent(*to).align,
            TyKind::Array(e, _) => self.align_of(*e),
            TyKind::Record(r) => self.types.record(*r).align.max(1),
            TyKind::Enum(e) => self.align_of(self.types.enums[e.0 as usize].underlying),
            TyKind::Vector(_, n) => (*n).max(1),
        }
    }

    /// `upc_elemsizeof`: bytes of the ultimate element type; 1 for `void` and for types without a size.
    pub fn elem_size(&self, t: Ty) -> u64 {
        self.size_of(self.types.ultimate(t)).map_or(1, |s| s.bytes)
    }

    /// Number of objects of the ultimate element type in a type, possibly times THREADS; 1 for a non-array.
    pub fn elem_count(&self, mut t: Ty) -> Option<Size> {
        let mut n = Size::fixed(1);
        while let TyKind::Array(e, len) = *self.types.kind(t) {
            match len {
                Len::Const(k) => n.bytes = n.bytes.checked_mul(k)?,
                Len::Threads(k) if !n.times_threads => {
                    n = Size { bytes: n.bytes.checked_mul(k)?, times_threads: true };
                }
                _ => return None,
            }
            t = e;
        }
        Some(n)
    }

    /// `upc_localsizeof` (6.4.1.2): the most bytes of the type that any one thread has, an upper bound in whole
    /// blocks. In the dynamic environment an array without a THREADS dimension is counted as if on one thread.
    pub fn local_size(&self, t: Ty) -> Option<u64> {
        if !self.types.is_array(t) {
            return self.size_of(t).filter(|s| !s.times_threads).map(|s| s.bytes);
        }
        if let Some(block) = self.types.spread_block(t) {
            let each = self.size_of(block).filter(|s| !s.times_threads)?;
            return self.blocks_here(t, block)?.checked_mul(each.bytes);
        }
        let elem = self.size_of(self.types.ultimate(t))?.bytes;
        let count = self.elem_count(t)?;
        let per_thread = match self.types.shared(t) {
            Some(Block::Of(b)) => {
                let threads = self.options.threads.map_or(1, |n| n.max(1) as u64);
                // ceil(ceil(n T / B) / T) = ceil(n / B) with T threads known or not.
                let round = b.checked_mul(threads)?;
                if count.times_threads {
                    count.bytes.div_ceil(b.max(1)).checked_mul(b)?
                } else {
                    count.bytes.div_ceil(round.max(1)).checked_mul(b)?
                }
            }
            Some(Block::Star | Block::Spread { .. }) => return None,
            Some(Block::Indefinite) | None if count.times_threads => return None,
            Some(Block::Indefinite) | None => count.bytes,
        };
        per_thread.checked_mul(elem)
    }

    /// The block size that `[*]` stands for on an object of type `t` (6.5.1.1 p16):
    /// `(sizeof(a) / upc_elemsizeof(a) + THREADS - 1) / THREADS`, at least 1.
    pub fn star_block(&self, t: Ty) -> Option<u64> {
        let n = self.elem_count(t)?;
        if n.times_threads {
            return Some(n.bytes.max(1));
        }
        match self.options.threads {
            Some(threads) => Some(n.bytes.div_ceil(threads.max(1) as u64).max(1)),
            // A scalar has one element whatever THREADS is; an array needs a THREADS dimension.
            None if n.bytes <= 1 => Some(1),
            None => None,
        }
    }

    /// A member by name, found through anonymous members; its offset counts from the start of the record.
    pub fn field(&self, r: RecordId, name: Name) -> Option<(Field, u64)> {
        for f in self.types.record(r).fields.as_deref()? {
            if f.name == Some(name) {
                return Some((f.clone(), f.offset));
            }
            if f.name.is_none() && f.bits.is_none() {
                if let Some(inner) = self.types.record_of(f.ty) {
                    if inner != r {
                        if let Some((g, o)) = self.field(inner, name) {
                            return Some((g, f.offset.saturating_add(o)));
                        }
                    }
                }
            }
        }
        None
    }
}

/// One member as `Layout` sees it.
pub(crate) struct MemberShape {
    pub size: u64,
    /// Natural alignment of the type.
    pub align: u64,
    /// `aligned` attribute or `_Alignas` on the member, else 0.
    pub asked: u64,
    /// `packed` on the member or its record.
    pub packed: bool,
    /// The most that `#pragma pack` lets a member be aligned to, else 0.
    pub pack: u64,
    pub bits: Option<u32>,
    pub named: bool,
}

impl MemberShape {
    fn limit(&self, align: u64) -> u64 {
        if self.pack > 0 {
            align.min(self.pack)
        } else {
            align
        }
    }
}

/// Places members one after the other (or on top of each other, in a union).
#[derive(Default)]
pub(crate) struct Layout {
    is_union: bool,
    /// Bits used so far.
    pos: u128,
    /// The largest member of a union, in bytes.
    widest: u64,
    align: u64,
    unnamed_bit_fields_align: bool,
}

impl Layout {
    pub fn new(is_union: bool, target: Target) -> Self {
        let unnamed_bit_fields_align = target.unnamed_bit_fields_align;
        Layout { is_union, align: 1, unnamed_bit_fields_align, ..Layout::default() }
    }

    /// Byte offset and bit within that byte.
    pub fn place(&mut self, m: &MemberShape) -> (u64, u32) {
        if self.is_union {
            self.pos = 0;
        }
        let at = match m.bits {
            Some(width) => self.bit_field(m, width),
            None => {
                let align = m.limit(if m.packed { m.asked } else { m.align.max(m.asked) }.max(1));
                self.align = self.align.max(align);
                let at = self.pos.next_multiple_of(align as u128 * 8);
                self.pos = at + m.size as u128 * 8;
                at
            }
        };
        self.widest = self.widest.max(clamp(self.pos.div_ceil(8)));
        (clamp(at / 8), (at % 8) as u32)
    }

    /// A bit-field does not cross a boundary of its declared type, unless packed; one of width 0 moves to the next
    /// such boundary. The target determines whether an unnamed one raises the
    /// alignment of the record.
    fn bit_field(&mut self, m: &MemberShape, width: u32) -> u128 {
        let unit = (m.size as u128 * 8).max(8);
        if width == 0 {
            let to = m.align.max(m.asked).max(1);
            if self.unnamed_bit_fields_align {
                // Neither `packed` nor `#pragma pack` lowers this.
                self.align = self.align.max(to);
            }
            self.pos = self.pos.next_multiple_of(to as u128 * 8);
            return self.pos;
        }
        // As gcc and clang have it: where `#pragma pack` is in force, `packed` does not lower this further.
        let align = if m.packed && m.pack == 0 { 1 } else { m.limit(m.align) };
        let asked = m.limit(m.asked);
        if asked > 0 {
            self.pos = self.pos.next_multiple_of(asked as u128 * 8);
        }
        if !m.packed && m.pack == 0 && self.pos % unit + width as u128 > unit {
            self.pos = self.pos.next_multiple_of((m.align.max(1) as u128) * 8);
        }
        if m.named || self.unnamed_bit_fields_align {
            self.align = self.align.max(align).max(asked);
        }
        let at = self.pos;
        self.pos += width as u128;
        at
    }

    /// Size and alignment of the record; `asked` is that of the record's own attribute.
    pub fn finish(self, asked: u64) -> (u64, u64) {
        let align = self.align.max(asked).max(1);
        let bytes = if self.is_union { self.widest } else { clamp(self.pos.div_ceil(8)) };
        (bytes.checked_next_multiple_of(align).unwrap_or(bytes), align)
    }
}

fn clamp(n: u128) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
