//! Types, interned: two types are the same exactly if their [`Ty`] is the same number.
//!
//! A [`Ty`] is a shape ([`TyKind`]) with qualifiers ([`Quals`]). Typedef names are resolved away; a record keeps the
//! name under which C can print it. An array carries no qualifiers of its own: they are pushed to its ultimate
//! element type, as C 6.7.3 p9 and UPC 1.3 6.5.2.1 have it. So an object is shared exactly if its ultimate element
//! type is.

use fathom_syntax::ast::ExprId;
use fathom_syntax::Target;
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Ty(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RecordId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EnumId(pub u32);

/// The block size of a shared type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Block {
    /// `[]` or `[0]`: everything on one thread.
    Indefinite,
    /// `[B]`, B ≥ 1; plain `shared` is `Of(1)`.
    Of(u64),
    /// `[*]` before the array's size is known. In a finished declaration it has been replaced by `Of`, except where
    /// it depends on THREADS in a way that is not constant (never, in a correct program).
    Star,
    /// Split-C: the array dimensions outside the innermost `dims` ones count over the processors, in row-major order and
    /// the processor fastest. What they leave, a block, is a whole on one processor. A block by itself is `Indefinite`.
    Spread { dims: u8 },
}

impl Block {
    /// Pointers to such types carry no phase: one word.
    pub fn phaseless(self) -> bool {
        matches!(self, Block::Indefinite | Block::Of(1) | Block::Spread { .. })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    Strict,
    Relaxed,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
    /// `Some` if the type is shared-qualified.
    pub shared: Option<Block>,
    /// `strict` or `relaxed` written on the type.
    pub access: Option<Access>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntKind {
    Bool,
    /// Plain `char`, distinct from both others.
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    Float128,
}

/// The number of elements of an array type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Len {
    /// `[]`, or `[*]` in a prototype.
    Unknown,
    Const(u64),
    /// `n * THREADS` elements, in the dynamic THREADS environment.
    Threads(u64),
    /// A variable-length array; the expression is the declared size.
    Vla(ExprId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TyKind {
    /// Something went wrong, or something that this front end does not type (an exotic built-in). It converts to
    /// and from everything without a diagnostic.
    Error,
    Void,
    Int(IntKind),
    Float(FloatKind),
    /// `_Complex` of a floating kind.
    Complex(FloatKind),
    /// A built-in type that C knows and we need not: its spelling (`__builtin_va_list`, `_Float16`, …).
    Opaque(String),
    Pointer(Ty),
    Array(Ty, Len),
    Function(FnTy),
    Record(RecordId),
    Enum(EnumId),
    /// Element type and total size in bytes.
    Vector(Ty, u64),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnTy {
    pub ret: Ty,
    /// Adjusted (arrays and functions decayed).
    pub params: Vec<Ty>,
    pub variadic: bool,
    /// Declared with a prototype; otherwise `params` is empty and anything may be passed.
    pub proto: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TyData {
    pub kind: TyKind,
    pub quals: Quals,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for an anonymous struct or union member, or an unnamed bit-field.
    pub name: Option<fathom_syntax::token::Name>,
    pub ty: Ty,
    /// Byte offset; for a bit-field that of the byte where it starts.
    pub offset: u64,
    /// Width in bits, for a bit-field.
    pub bits: Option<u32>,
    /// For a bit-field, the bit of the byte at `offset` where it starts (0 to 7).
    pub bit: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Record {
    pub is_union: bool,
    pub tag: Option<fathom_syntax::token::Name>,
    /// How C names the type: `struct tag`, a typedef name, or, for a record without either, a tag of our own that
    /// `lower` adds to the definition (`struct fathom_anon_3`).
    pub c_name: String,
    /// `c_name` is a tag of our own: the definition must be printed with it.
    pub invented: bool,
    /// `None` while incomplete.
    pub fields: Option<Vec<Field>>,
    pub size: u64,
    pub align: u64,
    /// A member, or a member of a member, is a pointer-to-shared.
    pub holds_shared_pointers: bool,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<fathom_syntax::token::Name>,
    pub c_name: String,
    pub invented: bool,
    pub complete: bool,
    /// The integer type that represents it: `unsigned` if no enumerator is negative, as gcc and clang have it.
    pub underlying: Ty,
}

/// Derived types nest no deeper than this (deeper ones are [`Ty::ERROR`]), so that recursion over a type is safe.
pub const MAX_TYPE_DEPTH: u16 = 400;

/// The multiply-and-rotate hash that compilers use for small keys: the interner is asked for every declarator.
#[derive(Default, Clone, Copy)]
pub struct FastHasher(u64);

impl std::hash::Hasher for FastHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(b as u64);
        }
    }
    fn write_u8(&mut self, n: u8) {
        self.write_u64(n as u64);
    }
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n as u64);
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

pub type FastMap<K, V> = HashMap<K, V, std::hash::BuildHasherDefault<FastHasher>>;

/// The interner and the tables of records and enumerations.
#[derive(Debug)]
pub struct Types {
    /// How wide the basic types are.
    pub(crate) target: Target,
    map: FastMap<TyData, Ty>,
    list: Vec<TyData>,
    /// By `Ty`: how deep its derivations nest.
    depth: Vec<u16>,
    /// By `Ty`: a shared qualifier occurs in it (members of records not looked at).
    mentions_shared: Vec<bool>,
    /// By `Ty`: the type without qualifiers, those of an array's elements included.
    plain: Vec<Ty>,
    /// By `Ty`: the type of the value of an object of this type.
    value: Vec<Ty>,
    pub records: Vec<Record>,
    pub enums: Vec<Enum>,
}

/// Handles of the types that are asked for by name. Their order is that of [`Types::new`].
impl Ty {
    pub const ERROR: Ty = Ty(0);
    pub const VOID: Ty = Ty(1);
    pub const BOOL: Ty = Ty(2);
    pub const CHAR: Ty = Ty(3);
    pub const SCHAR: Ty = Ty(4);
    pub const UCHAR: Ty = Ty(5);
    pub const SHORT: Ty = Ty(6);
    pub const USHORT: Ty = Ty(7);
    pub const INT: Ty = Ty(8);
    pub const UINT: Ty = Ty(9);
    pub const LONG: Ty = Ty(10);
    pub const ULONG: Ty = Ty(11);
    pub const LONGLONG: Ty = Ty(12);
    pub const ULONGLONG: Ty = Ty(13);
    pub const INT128: Ty = Ty(14);
    pub const UINT128: Ty = Ty(15);
    pub const FLOAT: Ty = Ty(16);
    pub const DOUBLE: Ty = Ty(17);
    pub const LONGDOUBLE: Ty = Ty(18);
    pub const FLOAT128: Ty = Ty(19);
}

impl Types {
    pub fn new(target: Target) -> Self {
        use IntKind::*;
        let mut t = Types {
            target,
            map: FastMap::default(),
            list: vec![],
            depth: vec![],
            mentions_shared: vec![],
            plain: vec![],
            value: vec![],
            records: vec![],
            enums: vec![],
        };
        t.intern(TyKind::Error, Quals::default());
        t.intern(TyKind::Void, Quals::default());
        for k in [Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LongLong, ULongLong, Int128, UInt128]
        {
            t.intern(TyKind::Int(k), Quals::default());
        }
        for k in [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128] {
            t.intern(TyKind::Float(k), Quals::default());
        }
        t
    }
    pub fn intern(&mut self, kind: TyKind, quals: Quals) -> Ty {
        let d = TyData { kind, quals };
        if let Some(&t) = self.map.get(&d) {
            return t;
        }
        let (mut depth, mut shared) = (0, d.quals.shared.is_some());
        let mut part = |t: Ty| {
            depth = depth.max(self.depth[t.0 as usize] + 1);
            shared |= self.mentions_shared[t.0 as usize];
        };
        match &d.kind {
            TyKind::Pointer(t) | TyKind::Array(t, _) | TyKind::Vector(t, _) => part(*t),
            TyKind::Function(f) => {
                part(f.ret);
                f.params.iter().for_each(|&p| part(p));
            }
            _ => {}
        }
        if depth > MAX_TYPE_DEPTH {
            return Ty::ERROR;
        }
        let t = Ty(self.list.len() as u32);
        self.list.push(d.clone());
        self.depth.push(depth);
        self.mentions_shared.push(shared);
        self.map.insert(d.clone(), t);
        // Filled in by the calls below, of which none comes back to this type before it is.
        self.plain.push(t);
        self.value.push(t);
        let plain = match d.kind {
            TyKind::Array(e, n) => self.intern(TyKind::Array(self.plain(e), n), Quals::default()),
            ref kind => self.intern(kind.clone(), Quals::default()),
        };
        self.plain[t.0 as usize] = plain;
        self.value[t.0 as usize] = match d.kind {
            TyKind::Array(e, _) => self.pointer(e),
            TyKind::Function(_) => self.pointer(t),
            _ => plain,
        };
        t
    }
    /// Does a shared qualifier occur anywhere in the type (members of records not looked at)?
    pub fn mentions_shared(&self, t: Ty) -> bool {
        self.mentions_shared[t.0 as usize]
    }
    pub fn get(&self, t: Ty) -> &TyData {
        &self.list[t.0 as usize]
    }
    pub fn kind(&self, t: Ty) -> &TyKind {
        &self.get(t).kind
    }
    pub fn quals(&self, t: Ty) -> Quals {
        self.get(t).quals
    }
    pub fn record(&self, r: RecordId) -> &Record {
        &self.records[r.0 as usize]
    }
    /// The same shape with other qualifiers; on an array, those of its ultimate element type.
    pub fn with_quals(&mut self, t: Ty, q: Quals) -> Ty {
        let d = self.get(t).clone();
        match d.kind {
            TyKind::Array(e, n) => {
                let e = self.with_quals(e, q);
                self.intern(TyKind::Array(e, n), Quals::default())
            }
            k => self.intern(k, q),
        }
    }
    /// The same shape with the qualifiers that `f` makes of those of its ultimate element type.
    pub fn map_quals(&mut self, t: Ty, f: impl FnOnce(Quals) -> Quals) -> Ty {
        let old = self.quals(self.ultimate(t));
        let new = f(old);
        if new == old {
            return t;
        }
        self.with_quals(t, new)
    }
    /// Without any qualifiers, shared included; on an array, those of its ultimate element type stay.
    pub fn unqual(&self, t: Ty) -> Ty {
        if self.quals(t) == Quals::default() {
            return t;
        }
        self.plain(t)
    }
    /// Without any qualifiers, those of an array's elements included.
    pub fn plain(&self, t: Ty) -> Ty {
        self.plain[t.0 as usize]
    }
    /// The type of a value: array and function types become pointers, qualifiers go (C 6.3.2.1).
    pub fn decay(&self, t: Ty) -> Ty {
        self.value[t.0 as usize]
    }
    pub fn array(&mut self, elem: Ty, len: Len) -> Ty {
        self.intern(TyKind::Array(elem, len), Quals::default())
    }
    /// `char`, `short`, … `__int128`, `_Bool`, and enumerations.
    pub fn is_integer(&self, t: Ty) -> bool {
        matches!(self.kind(t), TyKind::Int(_) | TyKind::Enum(_))
    }
    pub fn is_arithmetic(&self, t: Ty) -> bool {
        matches!(self.kind(t), TyKind::Int(_) | TyKind::Enum(_) | TyKind::Float(_) | TyKind::Complex(_))
    }
    pub fn is_error(&self, t: Ty) -> bool {
        matches!(self.kind(t), TyKind::Error | TyKind::Opaque(_))
    }
    pub fn is_array(&self, t: Ty) -> bool {
        matches!(self.kind(t), TyKind::Array(..))
    }
    pub fn is_function(&self, t: Ty) -> bool {
        matches!(self.kind(t), TyKind::Function(_))
    }
    pub fn record_of(&self, t: Ty) -> Option<RecordId> {
        match *self.kind(t) {
            TyKind::Record(r) => Some(r),
            _ => None,
        }
    }
    /// The number of dimensions, from the outermost in, that multiply by THREADS.
    pub fn threads_dims(&self, mut t: Ty) -> u32 {
        let mut n = 0;
        while let TyKind::Array(e, len) = *self.kind(t) {
            n += matches!(len, Len::Threads(_)) as u32;
            t = e;
        }
        n
    }
    /// No dimension is left out (some may be known only at run time).
    pub fn dimensions_known(&self, mut t: Ty) -> bool {
        while let TyKind::Array(e, len) = *self.kind(t) {
            if len == Len::Unknown {
                return false;
            }
            t = e;
        }
        true
    }
    pub fn has_vla(&self, mut t: Ty) -> bool {
        while let TyKind::Array(e, len) = *self.kind(t) {
            if matches!(len, Len::Vla(_)) {
                return true;
            }
            t = e;
        }
        false
    }
    /// A private array type whose size is not constant.
    pub fn varies(&self, t: Ty) -> bool {
        self.is_array(t) && !self.is_shared(t) && (self.has_vla(t) || self.threads_dims(t) > 0)
    }
    pub fn pointer(&mut self, to: Ty) -> Ty {
        self.intern(TyKind::Pointer(to), Quals::default())
    }
    /// The type with arrays peeled off.
    pub fn ultimate(&self, mut t: Ty) -> Ty {
        while let TyKind::Array(e, _) = *self.kind(t) {
            t = e;
        }
        t
    }
    /// Block size if the type (or, of an array, the ultimate element type) is shared.
    pub fn shared(&self, t: Ty) -> Option<Block> {
        self.quals(self.ultimate(t)).shared
    }
    pub fn is_shared(&self, t: Ty) -> bool {
        self.shared(t).is_some()
    }
    pub fn pointee(&self, t: Ty) -> Option<Ty> {
        match *self.kind(t) {
            TyKind::Pointer(p) => Some(p),
            _ => None,
        }
    }
    /// The referenced type, if `t` is a pointer-to-shared.
    pub fn shared_pointee(&self, t: Ty) -> Option<Ty> {
        self.pointee(t).filter(|&p| self.is_shared(p))
    }
    pub fn is_void(&self, t: Ty) -> bool {
        matches!(self.kind(t), TyKind::Void)
    }
    /// Is a pointer-to-shared with referenced type `pointee` one word (no phase)? `shared void *` is not.
    pub fn phaseless_pointee(&self, pointee: Ty) -> bool {
        match self.shared(pointee) {
            Some(Block::Of(_)) if self.is_void(pointee) => false,
            block => block.is_some_and(Block::phaseless),
        }
    }
    /// The number of array dimensions.
    pub fn dimensions(&self, mut t: Ty) -> usize {
        let mut n = 0;
        while let TyKind::Array(elem, _) = *self.kind(t) {
            n += 1;
            t = elem;
        }
        n
    }
    /// Split-C: the type of the block, if the type counts over processors.
    pub fn spread_block(&self, t: Ty) -> Option<Ty> {
        let Some(Block::Spread { dims }) = self.shared(t) else { return None };
        let mut block = t;
        for _ in usize::from(dims)..self.dimensions(t) {
            let TyKind::Array(elem, _) = *self.kind(block) else { break };
            block = elem;
        }
        Some(block)
    }
}
