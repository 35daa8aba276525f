//! Declaration specifiers to a type: type keywords, typedef names, typeof, qualifiers, layout, attributes.

use crate::checks::{c6_5, split_c};
use crate::rules;
use crate::scope::Checker;
use crate::*;
use fathom_syntax::neon::{neon, Element, Neon};

/// What a list of declaration specifiers says.
#[derive(Clone, Copy)]
pub(crate) struct Specified {
    pub ty: Ty,
    pub storage: Option<Storage>,
    pub thread_local: bool,
    pub inline: bool,
    /// An attribute forbids `static`.
    pub external: bool,
    /// `aligned` or `_Alignas`, else 0.
    pub align: u64,
    /// The alignment that the typedef's declaration gave its name, else 0.
    pub type_align: u64,
    /// `packed` among the attributes (of a member).
    pub packed: bool,
    pub auto_type: bool,
    /// `shared`, as written here (not through a typedef).
    pub shared: Option<TokRange>,
    /// `shared [..]`: the layout was written here.
    pub layout: Option<TokRange>,
    /// The type is that of an expression, `typeof(e)`.
    pub of_expr: bool,
    /// The record or enumeration that was defined here, if the type is it and has no qualifiers.
    pub defines: Option<Tagged>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tagged {
    Record(RecordId),
    Enum(EnumId),
}

/// What attributes say about an object, member or type.
#[derive(Clone, Copy, Default)]
pub(crate) struct Attrs {
    pub align: u64,
    pub packed: bool,
    pub vector_size: u64,
    pub mode: Option<Name>,
    /// `transparent_union`
    pub transparent: bool,
    /// Is about a symbol that other units see, or gives `inline` another meaning.
    pub external: bool,
}

/// Qualifiers gathered from one list, with where they stand.
#[derive(Default)]
pub(crate) struct QualList {
    pub quals: Quals,
    pub shared: Option<TokRange>,
    pub layout: Option<TokRange>,
    pub access: Option<TokRange>,
    /// Block size written.
    pub block: Option<Block>,
    /// Split-C: `global` or `spread`.
    pub reach: Option<(Qual, TokRange)>,
}

impl<'a> Checker<'a> {
    pub fn attrs(&mut self, list: &'a [Attr]) -> Attrs {
        let mut out = Attrs::default();
        for a in list {
            match self.name(a.name) {
                "packed" => out.packed = true,
                "transparent_union" => out.transparent = true,
                "gnu_inline" | "weak" | "weakref" | "alias" | "ifunc" => out.external = true,
                "aligned" => {
                    out.align = match a.args.first() {
                        None => self.s.options.target.largest_align,
                        Some(&e) => {
                            self.value(e);
                            self.alignment(e)
                        }
                    }
                }
                "vector_size" => {
                    if let Some(&e) = a.args.first() {
                        self.value(e);
                        let n = self.s.const_int(self.p, e).and_then(|n| u64::try_from(n).ok());
                        out.vector_size = n.filter(|n| n.is_power_of_two()).unwrap_or(0);
                    }
                }
                "mode" => {
                    if let Some(&e) = a.args.first() {
                        if let ExprKind::Ident(n) = self.u[e].kind {
                            out.mode = Some(n);
                        }
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn alignment(&self, e: ExprId) -> u64 {
        let n = self.s.const_int(self.p, e).and_then(|n| u64::try_from(n).ok());
        n.filter(|n| n.is_power_of_two() && *n <= 1 << 28).unwrap_or(0)
    }

    /// Applies `vector_size` and `mode` to the type that they qualify.
    pub fn apply_attrs(&mut self, t: Ty, a: &Attrs) -> Ty {
        let mut t = t;
        if let Some(mode) = a.mode {
            t = self.mode(t, mode);
        }
        if a.vector_size > 0 && self.s.types.is_arithmetic(t) {
            let q = self.s.types.quals(t);
            let e = self.s.types.unqual(t);
            t = self.s.types.intern(TyKind::Vector(e, a.vector_size), q);
        }
        t
    }

    /// `__attribute__((mode(DI)))`: the type of that machine mode, with the signedness of the declared one.
    fn mode(&mut self, t: Ty, mode: Name) -> Ty {
        let q = self.s.types.quals(t);
        let signed = match self.s.types.kind(t) {
            TyKind::Int(k) => self.s.types.is_signed(*k),
            _ => true,
        };
        let pick = |s, u| if signed { s } else { u };
        use IntKind::*;
        let kind = match self.name(mode).trim_matches('_') {
            "QI" | "byte" => TyKind::Int(pick(SChar, UChar)),
            "HI" => TyKind::Int(pick(Short, UShort)),
            "SI" => TyKind::Int(pick(Int, UInt)),
            "DI" | "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
                TyKind::Int(pick(Long, ULong))
            }
            "TI" => TyKind::Int(pick(Int128, UInt128)),
            "SF" => TyKind::Float(FloatKind::Float),
            "DF" => TyKind::Float(FloatKind::Double),
            "XF" => TyKind::Float(FloatKind::LongDouble),
            "TF" => TyKind::Float(FloatKind::Float128),
            "SC" => TyKind::Complex(FloatKind::Float),
            "DC" => TyKind::Complex(FloatKind::Double),
            "XC" => TyKind::Complex(FloatKind::LongDouble),
            "TC" => TyKind::Complex(FloatKind::Float128),
            _ => return t,
        };
        self.s.types.intern(kind, q)
    }

    pub fn specs(&mut self, specs: &'a DeclSpecs) -> Specified {
        let mut out = Specified {
            ty: Ty::ERROR,
            storage: None,
            thread_local: false,
            inline: false,
            external: false,
            align: 0,
            type_align: 0,
            packed: false,
            auto_type: false,
            shared: None,
            layout: None,
            of_expr: false,
            defines: None,
        };
        let mut words = Words::default();
        let mut base = None;
        let mut attrs = Attrs::default();
        let mut quals = QualList::default();
        for spec in &specs.items {
            match &spec.kind {
                SpecKind::Storage(Storage::ThreadLocal) => out.thread_local = true,
                SpecKind::Storage(s) => out.storage = Some(*s),
                SpecKind::Type(TypeKw::AutoType) => out.auto_type = true,
                SpecKind::Type(k) => words.add(*k),
                SpecKind::TypedefName(n) => {
                    base = Some(match self.lookup(*n).map(|s| &self.s.symbols[s.0 as usize]) {
                        Some(s) if s.kind == SymKind::Typedef => {
                            out.type_align = s.align;
                            s.ty
                        }
                        _ => Ty::ERROR,
                    });
                }
                SpecKind::Record(r) => {
                    let id = self.record_spec(*r);
                    if self.u[*r].members.is_some() {
                        out.defines = Some(Tagged::Record(id));
                    }
                    base = Some(self.s.types.intern(TyKind::Record(id), Quals::default()));
                }
                SpecKind::Enum(e) => {
                    let id = self.enum_spec(*e);
                    if self.u[*e].enumerators.is_some() {
                        out.defines = Some(Tagged::Enum(id));
                    }
                    base = Some(self.s.types.intern(TyKind::Enum(id), Quals::default()));
                }
                SpecKind::TypeofExpr(e) => {
                    self.unevaluated += 1;
                    base = Some(self.expr(*e));
                    self.unevaluated -= 1;
                    out.of_expr = true;
                }
                SpecKind::TypeofType(t) => base = Some(self.type_name(*t)),
                SpecKind::AtomicType(t) => {
                    base = Some(self.type_name(*t));
                    quals.quals.is_atomic = true;
                }
                SpecKind::AlignasExpr(e) => {
                    self.value(*e);
                    out.align = out.align.max(self.alignment(*e));
                }
                SpecKind::AlignasType(t) => {
                    let t = self.type_name(*t);
                    out.align = out.align.max(self.s.align_of(t));
                }
                SpecKind::Attr(list) => {
                    let a = self.attrs(list);
                    out.align = out.align.max(a.align);
                    out.packed |= a.packed;
                    out.external |= a.external;
                    attrs.vector_size = attrs.vector_size.max(a.vector_size);
                    attrs.mode = attrs.mode.or(a.mode);
                }
                SpecKind::Qual(_) | SpecKind::Shared(_) => self.qualifier(&mut quals, spec, false),
                SpecKind::Inline => out.inline = true,
                SpecKind::Noreturn | SpecKind::Extension => {}
            }
        }
        let base = match base {
            Some(t) => t,
            None => self.words_type(&words),
        };
        let base = self.apply_attrs(base, &attrs);
        out.shared = quals.shared;
        out.layout = quals.layout;
        out.ty = self.qualify(base, quals, false);
        if self.s.types.quals(out.ty) != Quals::default() {
            out.defines = None;
        }
        out
    }

    /// Adds one qualifier to a list; `pointer`: it is the list after `*`, not declaration specifiers.
    pub fn qualifier(&mut self, list: &mut QualList, spec: &'a Spec, pointer: bool) {
        let q = &mut list.quals;
        match &spec.kind {
            SpecKind::Qual(Qual::Const) => q.is_const = true,
            SpecKind::Qual(Qual::Volatile) => q.is_volatile = true,
            SpecKind::Qual(Qual::Restrict) => q.is_restrict = true,
            SpecKind::Qual(Qual::Atomic) => q.is_atomic = true,
            SpecKind::Qual(k @ (Qual::Strict | Qual::Relaxed)) => {
                let access = if *k == Qual::Strict { Access::Strict } else { Access::Relaxed };
                list.access.get_or_insert(spec.toks);
                if q.access.is_some_and(|a| a != access) {
                    c6_5::strict_and_relaxed(self, spec.toks, pointer);
                } else {
                    q.access = Some(access);
                }
            }
            SpecKind::Qual(k @ (Qual::Global | Qual::Spread)) => split_c::qualifier(self, list, *k, spec.toks, pointer),
            SpecKind::Shared(layout) => {
                list.shared.get_or_insert(spec.toks);
                let block = match *layout {
                    Layout::None => None,
                    Layout::Empty => Some(Block::Indefinite),
                    Layout::Star => Some(Block::Star),
                    Layout::Expr(e) => {
                        self.value(e);
                        Some(self.block_size(e))
                    }
                };
                if let Some(b) = block {
                    list.layout.get_or_insert(spec.toks);
                    if list.block.is_some_and(|old| old != b) {
                        c6_5::two_block_sizes(self, spec.toks, pointer);
                    }
                    // Of two, go on with a definite one: less follows from it.
                    if b != Block::Indefinite || list.block.is_none() {
                        list.block = Some(b);
                    }
                }
            }
            _ => {}
        }
    }

    /// The block size that an expression in a layout qualifier gives; 1 for one that is wrong.
    fn block_size(&mut self, e: ExprId) -> Block {
        let value = self.s.const_int(self.p, e);
        c6_5::block_size(self, e, value);
        match value.and_then(|n| u64::try_from(n).ok()) {
            Some(0) => Block::Indefinite,
            Some(n) if n <= MAX_BLOCK_SIZE => Block::Of(n),
            _ => Block::Of(1),
        }
    }

    pub fn set_block(&mut self, ty: Ty, block: Block) -> Ty {
        self.s.types.map_quals(ty, |q| Quals { shared: Some(block), ..q })
    }

    pub fn unshare(&mut self, ty: Ty) -> Ty {
        self.s.types.map_quals(ty, |q| Quals { shared: None, access: None, ..q })
    }

    /// Replaces `[*]` by the block size that it stands for, once the size is known (6.5.1.1 p16).
    pub fn resolve_star(&mut self, ty: Ty) -> Ty {
        if self.s.types.shared(ty) != Some(Block::Star) {
            return ty;
        }
        match self.s.star_block(ty) {
            Some(b) => self.set_block(ty, Block::Of(b)),
            None if self.s.types.dimensions_known(ty) => self.set_block(ty, Block::Of(1)),
            None => ty,
        }
    }

    /// The type that a pointer refers to.
    pub fn referenced(&mut self, ty: Ty, layout: Option<TokRange>, at: TokRange) -> Ty {
        match c6_5::referenced(self, ty, layout, at) {
            true => ty,
            false => self.set_block(ty, Block::Of(1)),
        }
    }

    /// Puts a list of qualifiers on a type; of an array, on its ultimate element type.
    pub fn qualify(&mut self, t: Ty, list: QualList, pointer: bool) -> Ty {
        if list.quals == Quals::default() && list.shared.is_none() {
            return t;
        }
        let old = self.s.types.quals(self.s.types.ultimate(t));
        let mut q = list.quals;
        q.is_const |= old.is_const;
        q.is_volatile |= old.is_volatile;
        q.is_restrict |= old.is_restrict;
        q.is_atomic |= old.is_atomic;
        match (q.access, old.access) {
            (Some(a), Some(b)) if a != b => {
                c6_5::strict_and_relaxed(self, list.access.unwrap_or_default(), pointer);
            }
            _ => q.access = q.access.or(old.access),
        }
        q.shared = old.shared;
        if let Some(at) = list.shared {
            // A typedef's block size stands unless this list gives one; then there must be only one.
            q.shared = match (list.block, old.shared) {
                (None, Some(b)) => Some(b),
                (None, None) => Some(Block::Of(1)),
                (Some(b), Some(o)) if b != o => {
                    c6_5::two_block_sizes(self, list.layout.unwrap_or(at), pointer);
                    Some(o)
                }
                (Some(b), _) => Some(b),
            };
            let ultimate = self.s.types.ultimate(t);
            if self.s.types.is_function(ultimate) {
                self.report(&rules::SHARED_FUNCTION, at, "a function type cannot be shared");
                q.shared = None;
            } else if q.is_atomic {
                self.report(&rules::ATOMIC_SHARED, at, "an _Atomic type cannot be shared");
                q.is_atomic = false;
            }
        }
        if let (Some(at), None) = (list.access, q.shared) {
            if !self.s.types.is_error(self.s.types.ultimate(t)) {
                self.report(&rules::REFERENCE_WITHOUT_SHARED, at, format!("`{}` without `shared`", self.text(at)));
            }
            q.access = None;
        }
        if self.s.types.is_error(t) && q.shared.is_none() {
            return t;
        }
        self.s.types.with_quals(t, q)
    }

    /// A type of `arm_neon.h` that GCC has built in.
    fn neon_type(&mut self, name: &str, n: Neon) -> Ty {
        let t = &mut self.s.types;
        let element = match (n.element, n.bits) {
            (Element::Int, 8) => Ty::SCHAR,
            (Element::Int, 16) => Ty::SHORT,
            (Element::Int, 32) => Ty::INT,
            (Element::Int, _) => Ty::LONG,
            (Element::Uint | Element::Poly, 8) => Ty::UCHAR,
            (Element::Uint | Element::Poly, 16) => Ty::USHORT,
            (Element::Uint | Element::Poly, 32) => Ty::UINT,
            (Element::Uint | Element::Poly, 64) => Ty::ULONG,
            (Element::Uint | Element::Poly, _) => Ty::UINT128,
            (Element::Float, 32) => Ty::FLOAT,
            (Element::Float, 64) => Ty::DOUBLE,
            (Element::Float, _) => t.intern(TyKind::Opaque("__fp16".into()), Quals::default()),
            (Element::Bfloat, _) => t.intern(TyKind::Opaque("__bf16".into()), Quals::default()),
        };
        if n.lanes == 0 {
            return element;
        }
        let bytes = n.bits * n.lanes / 8;
        let vector = t.intern(TyKind::Vector(element, bytes), Quals::default());
        if n.vectors == 0 {
            return vector;
        }
        if let Some(known) = t.records.iter().position(|r| r.c_name == name) {
            return t.intern(TyKind::Record(RecordId(known as u32)), Quals::default());
        }
        let array = t.intern(TyKind::Array(vector, Len::Const(n.vectors)), Quals::default());
        let val = self.p.source.names.get("val");
        t.records.push(Record {
            c_name: name.into(),
            fields: Some(vec![Field { name: val, ty: array, offset: 0, bits: None, bit: 0 }]),
            size: bytes * n.vectors,
            align: bytes,
            ..Record::default()
        });
        let id = RecordId(t.records.len() as u32 - 1);
        t.intern(TyKind::Record(id), Quals::default())
    }

    fn words_type(&mut self, w: &Words) -> Ty {
        let float = |t: &mut Types, k| {
            let kind = if w.complex { TyKind::Complex(k) } else { TyKind::Float(k) };
            t.intern(kind, Quals::default())
        };
        let t = &mut self.s.types;
        let u = w.unsigned;
        if let Some(n) = w.word {
            let text = self.p.source.name(n);
            return match text {
                "__int128" | "__int128_t" if u => Ty::UINT128,
                "__int128" | "__int128_t" => Ty::INT128,
                "__uint128_t" => Ty::UINT128,
                "_Float128" | "__float128" => float(t, FloatKind::Float128),
                _ => match neon(text) {
                    Some(n) => self.neon_type(text, n),
                    None => t.intern(TyKind::Opaque(text.into()), Quals::default()),
                },
            };
        }
        if w.void {
            Ty::VOID
        } else if w.bool {
            Ty::BOOL
        } else if w.char {
            match (w.signed, u) {
                (_, true) => Ty::UCHAR,
                (true, _) => Ty::SCHAR,
                _ => Ty::CHAR,
            }
        } else if w.float {
            float(t, FloatKind::Float)
        } else if w.double && w.long > 0 {
            float(t, FloatKind::LongDouble)
        } else if w.double || (w.complex && !w.int && w.long == 0) {
            float(t, FloatKind::Double)
        } else if w.complex {
            Ty::ERROR
        } else if w.short {
            if u {
                Ty::USHORT
            } else {
                Ty::SHORT
            }
        } else {
            // `int` itself, and the implicit int of old programs.
            match (w.long, u) {
                (0, false) => Ty::INT,
                (0, true) => Ty::UINT,
                (1, false) => Ty::LONG,
                (1, true) => Ty::ULONG,
                (_, false) => Ty::LONGLONG,
                (_, true) => Ty::ULONGLONG,
            }
        }
    }
}

/// The type keywords of one specifier list.
#[derive(Default)]
struct Words {
    void: bool,
    bool: bool,
    char: bool,
    short: bool,
    int: bool,
    long: u32,
    float: bool,
    double: bool,
    signed: bool,
    unsigned: bool,
    complex: bool,
    word: Option<Name>,
}

impl Words {
    fn add(&mut self, k: TypeKw) {
        match k {
            TypeKw::Void => self.void = true,
            TypeKw::Char => self.char = true,
            TypeKw::Short => self.short = true,
            TypeKw::Int => self.int = true,
            TypeKw::Long => self.long = self.long.saturating_add(1),
            TypeKw::Float => self.float = true,
            TypeKw::Double => self.double = true,
            TypeKw::Signed => self.signed = true,
            TypeKw::Unsigned => self.unsigned = true,
            TypeKw::Bool => self.bool = true,
            TypeKw::Complex | TypeKw::Imaginary => self.complex = true,
            TypeKw::AutoType => {}
            TypeKw::Word(n) => self.word = Some(n),
        }
    }
}
