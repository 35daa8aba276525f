//! Sizes and layout: x86-64 System V, bit-fields and attributes included, and how shared arrays spread over threads.
//!
//! `lower` computes addresses of shared members and elements from these figures while the C compiler lays out the
//! same types for private accesses, so they must agree with gcc and clang to the byte. All arithmetic is checked:
//! a size that does not fit in 64 bits is unknown (`None`).

use crate::*;

impl IntKind {
    pub fn bytes(self) -> u64 {
        use IntKind::*;
        match self {
            Bool | Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong | LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }
    pub fn signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }
}

impl FloatKind {
    pub fn bytes(self) -> u64 {
        match self {
            FloatKind::Float => 4,
            FloatKind::Double => 8,
            FloatKind::LongDouble | FloatKind::Float128 => 16,
        }
    }
}

/// Size and alignment of built-in types that have no [`TyKind`] of their own; size 0 if unknown.
fn opaque_layout(name: &str) -> (u64, u64) {
    match name {
        "__builtin_va_list" | "__gnuc_va_list" => (24, 8),
        "_Float16" | "__bf16" | "__fp16" => (2, 2),
        "_Float32" | "_Decimal32" => (4, 4),
        "_Float64" | "_Float32x" | "_Decimal64" => (8, 8),
        "_Float64x" | "_Decimal128" | "__float80" => (16, 16),
        _ => (0, 1),
    }
}

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
            // GNU C: sizeof(void) is 1. A shared void has no size at all.
            TyKind::Void if d.quals.shared.is_some() => return None,
            TyKind::Void => Size::fixed(1),
            TyKind::Int(k) => Size::fixed(k.bytes()),
            TyKind::Float(k) => Size::fixed(k.bytes()),
            TyKind::Complex(k) => Size::fixed(2 * k.bytes()),
            TyKind::Opaque(n) => match opaque_layout(n) {
                (0, _) => return None,
                (n, _) => Size::fixed(n),
            },
            TyKind::Pointer(p) if self.types.is_shared(*p) && !self.types.phaseless_pointee(*p) => Size::fixed(16),
            TyKind::Pointer(_) => Size::fixed(8),
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

    /// `_Alignof`; 1 where it is unknown.
    pub fn align_of(&self, t: Ty) -> u64 {
        match self.types.kind(t) {
            TyKind::Error | TyKind::Function(_) | TyKind::Void => 1,
            TyKind::Int(k) => k.bytes(),
            TyKind::Float(k) | TyKind::Complex(k) => k.bytes(),
            TyKind::Opaque(n) => opaque_layout(n).1,
            TyKind::Pointer(p) if self.types.is_shared(*p) && !self.types.phaseless_pointee(*p) => 16,
            TyKind::Pointer(_) => 8,
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
        let elem = self.size_of(self.types.ultimate(t))?.bytes;
        let count = self.elem_count(t)?;
        let per_thread = match self.types.shared(t) {
            Some(Block::Of(b)) => {
                let threads = self.options.static_threads.map_or(1, |n| n.max(1) as u64);
                // ceil(ceil(n T / B) / T) = ceil(n / B) with T threads known or not.
                let round = b.checked_mul(threads)?;
                if count.times_threads {
                    count.bytes.div_ceil(b.max(1)).checked_mul(b)?
                } else {
                    count.bytes.div_ceil(round.max(1)).checked_mul(b)?
                }
            }
            Some(Block::Star) => return None,
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
        match self.options.static_threads {
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
}

impl Layout {
    pub fn new(is_union: bool) -> Self {
        Layout { is_union, align: 1, ..Layout::default() }
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
    /// such boundary. Unnamed ones do not raise the alignment of the record.
    fn bit_field(&mut self, m: &MemberShape, width: u32) -> u128 {
        let unit = (m.size as u128 * 8).max(8);
        if width == 0 {
            let to = (m.align.max(m.asked).max(1) as u128) * 8;
            self.pos = self.pos.next_multiple_of(to);
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
        if m.named {
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
