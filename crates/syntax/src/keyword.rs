//! Keywords of C11, of the GNU dialect, of UPC 1.3 and of Split-C, in every spelling, and the names of built-in types.
//!
//! [`Names`](crate::token::Names) interns the spellings below first and in this order, so the number of a name gives
//! its keyword. Where a dialect does not have the keyword, it is a name like any other. Built-in type names such as
//! `_Float32` are not keywords: some C libraries define them by `typedef` when the compiler lacks them, so the parser
//! starts with them as typedef names that may be declared again.

/// A keyword, all spellings folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kw {
    /// Not a keyword.
    None,
    Auto,
    Break,
    Case,
    Char,
    Const,
    Continue,
    Default,
    Do,
    Double,
    Else,
    Enum,
    Extern,
    Float,
    For,
    Goto,
    If,
    Inline,
    Int,
    Long,
    Register,
    Restrict,
    Return,
    Short,
    Signed,
    Sizeof,
    Static,
    Struct,
    Switch,
    Typedef,
    Union,
    Unsigned,
    Void,
    Volatile,
    While,
    Alignas,
    Alignof,
    Atomic,
    Bool,
    Complex,
    Imaginary,
    Generic,
    Noreturn,
    StaticAssert,
    ThreadLocal,
    // GNU
    Asm,
    Attribute,
    AutoType,
    Extension,
    Int128,
    Label,
    Typeof,
    Real,
    Imag,
    VaArg,
    Offsetof,
    TypesCompatible,
    ChooseExpr,
    ConvertVector,
    BitCast,
    // UPC 1.3, 6.2
    Shared,
    Strict,
    Relaxed,
    Threads,
    MyThread,
    UpcForall,
    UpcBarrier,
    UpcNotify,
    UpcWait,
    UpcFence,
    UpcLocalsizeof,
    UpcBlocksizeof,
    UpcElemsizeof,
    // Split-C; `MYPROC` and `PROCS` are `MyThread` and `Threads`.
    Global,
    Spread,
}

/// Spelling and meaning; the index is the number of the name.
pub const KEYWORDS: &[(&str, Kw)] = &[
    ("auto", Kw::Auto),
    ("break", Kw::Break),
    ("case", Kw::Case),
    ("char", Kw::Char),
    ("const", Kw::Const),
    ("continue", Kw::Continue),
    ("default", Kw::Default),
    ("do", Kw::Do),
    ("double", Kw::Double),
    ("else", Kw::Else),
    ("enum", Kw::Enum),
    ("extern", Kw::Extern),
    ("float", Kw::Float),
    ("for", Kw::For),
    ("goto", Kw::Goto),
    ("if", Kw::If),
    ("inline", Kw::Inline),
    ("int", Kw::Int),
    ("long", Kw::Long),
    ("register", Kw::Register),
    ("restrict", Kw::Restrict),
    ("return", Kw::Return),
    ("short", Kw::Short),
    ("signed", Kw::Signed),
    ("sizeof", Kw::Sizeof),
    ("static", Kw::Static),
    ("struct", Kw::Struct),
    ("switch", Kw::Switch),
    ("typedef", Kw::Typedef),
    ("union", Kw::Union),
    ("unsigned", Kw::Unsigned),
    ("void", Kw::Void),
    ("volatile", Kw::Volatile),
    ("while", Kw::While),
    ("_Alignas", Kw::Alignas),
    ("_Alignof", Kw::Alignof),
    ("_Atomic", Kw::Atomic),
    ("_Bool", Kw::Bool),
    ("_Complex", Kw::Complex),
    ("_Imaginary", Kw::Imaginary),
    ("_Generic", Kw::Generic),
    ("_Noreturn", Kw::Noreturn),
    ("_Static_assert", Kw::StaticAssert),
    ("_Thread_local", Kw::ThreadLocal),
    ("__alignof", Kw::Alignof),
    ("__alignof__", Kw::Alignof),
    ("__asm", Kw::Asm),
    ("__asm__", Kw::Asm),
    ("asm", Kw::Asm),
    ("__attribute", Kw::Attribute),
    ("__attribute__", Kw::Attribute),
    ("__auto_type", Kw::AutoType),
    ("__complex", Kw::Complex),
    ("__complex__", Kw::Complex),
    ("__const", Kw::Const),
    ("__const__", Kw::Const),
    ("__extension__", Kw::Extension),
    ("__imag", Kw::Imag),
    ("__imag__", Kw::Imag),
    ("__inline", Kw::Inline),
    ("__inline__", Kw::Inline),
    ("__int128", Kw::Int128),
    ("__label__", Kw::Label),
    ("__real", Kw::Real),
    ("__real__", Kw::Real),
    ("__restrict", Kw::Restrict),
    ("__restrict__", Kw::Restrict),
    ("__signed", Kw::Signed),
    ("__signed__", Kw::Signed),
    ("__thread", Kw::ThreadLocal),
    ("__typeof", Kw::Typeof),
    ("__typeof__", Kw::Typeof),
    ("typeof", Kw::Typeof),
    ("__volatile", Kw::Volatile),
    ("__volatile__", Kw::Volatile),
    ("__builtin_va_arg", Kw::VaArg),
    ("__builtin_offsetof", Kw::Offsetof),
    ("__builtin_types_compatible_p", Kw::TypesCompatible),
    ("__builtin_choose_expr", Kw::ChooseExpr),
    ("__builtin_convertvector", Kw::ConvertVector),
    ("__builtin_bit_cast", Kw::BitCast),
    // Here UPC's begin.
    ("shared", Kw::Shared),
    ("strict", Kw::Strict),
    ("relaxed", Kw::Relaxed),
    ("THREADS", Kw::Threads),
    ("MYTHREAD", Kw::MyThread),
    ("upc_forall", Kw::UpcForall),
    ("upc_barrier", Kw::UpcBarrier),
    ("upc_notify", Kw::UpcNotify),
    ("upc_wait", Kw::UpcWait),
    ("upc_fence", Kw::UpcFence),
    ("upc_localsizeof", Kw::UpcLocalsizeof),
    ("upc_blocksizeof", Kw::UpcBlocksizeof),
    ("upc_elemsizeof", Kw::UpcElemsizeof),
    // Here Split-C's begin.
    ("global", Kw::Global),
    ("spread", Kw::Spread),
    ("PROCS", Kw::Threads),
    ("MYPROC", Kw::MyThread),
];

/// The number of the first name that `kw` is the meaning of.
const fn first(kw: Kw) -> u32 {
    let mut i = 0;
    while KEYWORDS[i].1 as u8 != kw as u8 {
        i += 1;
    }
    i as u32
}

/// The names of UPC's keywords, and of Split-C's.
const UPC: std::ops::Range<u32> = first(Kw::Shared)..first(Kw::Global);
const SPLIT_C: std::ops::Range<u32> = first(Kw::Global)..KEYWORDS.len() as u32;

/// Is the name with this number a keyword of the dialect?
#[inline]
pub fn is_keyword(name: u32, dialect: crate::Dialect) -> bool {
    let other = match dialect {
        crate::Dialect::Upc => SPLIT_C,
        crate::Dialect::SplitC => UPC,
    };
    name < SPLIT_C.end && !other.contains(&name)
}

/// Type names that gcc or clang predeclare; interned right after the keywords.
pub const BUILTIN_TYPES: &[&str] = &[
    "__builtin_va_list",
    "__builtin_ms_va_list",
    "__builtin_sysv_va_list",
    "__int128_t",
    "__uint128_t",
    "_Float16",
    "_Float32",
    "_Float64",
    "_Float128",
    "_Float32x",
    "_Float64x",
    "_Float128x",
    "__float128",
    "__float80",
    "__ibm128",
    "__bf16",
    "__fp16",
    "_Decimal32",
    "_Decimal64",
    "_Decimal128",
    // Vectors of ARM (neon.rs).
    "__Int8x8_t",
    "__Int16x4_t",
    "__Int32x2_t",
    "__Int64x1_t",
    "__Int8x16_t",
    "__Int16x8_t",
    "__Int32x4_t",
    "__Int64x2_t",
    "__Uint8x8_t",
    "__Uint16x4_t",
    "__Uint32x2_t",
    "__Uint64x1_t",
    "__Uint8x16_t",
    "__Uint16x8_t",
    "__Uint32x4_t",
    "__Uint64x2_t",
    "__Float16x4_t",
    "__Float32x2_t",
    "__Float64x1_t",
    "__Float16x8_t",
    "__Float32x4_t",
    "__Float64x2_t",
    "__Poly8x8_t",
    "__Poly16x4_t",
    "__Poly64x1_t",
    "__Poly8x16_t",
    "__Poly16x8_t",
    "__Poly64x2_t",
    "__Bfloat16x4_t",
    "__Bfloat16x8_t",
    "__Poly8_t",
    "__Poly16_t",
    "__Poly64_t",
    "__Poly128_t",
    "__builtin_aarch64_simd_qi",
    "__builtin_aarch64_simd_hi",
    "__builtin_aarch64_simd_si",
    "__builtin_aarch64_simd_di",
    "__builtin_aarch64_simd_hf",
    "__builtin_aarch64_simd_sf",
    "__builtin_aarch64_simd_df",
    "__builtin_aarch64_simd_bf",
    "__builtin_aarch64_simd_poly8",
    "__builtin_aarch64_simd_poly16",
    "__builtin_aarch64_simd_poly64",
    "__builtin_aarch64_simd_poly128",
];

/// The meaning of the name with this number.
#[inline]
pub fn keyword(name: u32) -> Kw {
    match KEYWORDS.get(name as usize) {
        Some(&(_, kw)) => kw,
        None => Kw::None,
    }
}

impl Kw {
    /// A type specifier, type qualifier or attribute: a type name may begin with it.
    #[inline]
    pub fn starts_type(self) -> bool {
        use Kw::*;
        matches!(
            self,
            Void | Char
                | Short
                | Int
                | Long
                | Float
                | Double
                | Signed
                | Unsigned
                | Bool
                | Complex
                | Imaginary
                | Int128
                | Struct
                | Union
                | Enum
                | Typeof
                | AutoType
                | Attribute
                | Const
                | Volatile
                | Restrict
                | Atomic
                | Shared
                | Strict
                | Relaxed
                | Global
                | Spread
        )
    }
}
