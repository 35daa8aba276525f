//! Result types of functions that compilers know without a declaration.
//!
//! Only results matter: arguments are judged by the C compiler. A built-in that is not here has [`Ty::ERROR`].

use crate::*;

/// The result of calling an undeclared name with arguments of these types, if the name is a built-in's.
pub(crate) fn result(t: &mut Types, name: &str, args: &[Ty]) -> Option<Ty> {
    if name.starts_with("__sync_") || name.starts_with("__atomic_") {
        return Some(atomic(t, name, args));
    }
    let name = name.strip_prefix("__builtin_")?;
    let first = |t: &mut Types| args.first().map_or(Ty::ERROR, |&a| t.unqual(a));
    let void_ptr = t.pointer(Ty::VOID);
    if let Some(rest) = name.strip_prefix("__") {
        // __builtin___memcpy_chk and its like.
        return rest.strip_suffix("_chk").and_then(|n| library(t, n));
    }
    for prefix in ["clrsb", "clz", "ctz", "popcount", "parity", "ffs"] {
        if let Some("" | "l" | "ll" | "g") = name.strip_prefix(prefix) {
            return Some(Ty::INT);
        }
    }
    if name.starts_with("is") || name.starts_with("signbit") {
        return Some(Ty::INT);
    }
    for prefix in ["huge_val", "inf", "nans", "nan"] {
        match name.strip_prefix(prefix) {
            Some("") => return Some(Ty::DOUBLE),
            Some("f" | "f32") => return Some(Ty::FLOAT),
            Some("l") => return Some(Ty::LONGDOUBLE),
            Some("f128" | "q") => return Some(Ty::FLOAT128),
            _ => {}
        }
    }
    Some(match name {
        "expect" | "expect_with_probability" => Ty::LONG,
        "constant_p"
        | "classify_type"
        | "types_compatible_p"
        | "fpclassify"
        | "setjmp"
        | "eh_return_data_regno"
        | "cpu_is"
        | "cpu_supports"
        | "cpu_init" => Ty::INT,
        "unreachable" | "trap" | "prefetch" | "va_start" | "va_end" | "va_copy" | "longjmp" | "__clear_cache"
        | "return" | "eh_return" | "unwind_init" | "stack_restore" | "debugtrap" | "assume" => Ty::VOID,
        "alloca"
        | "alloca_with_align"
        | "frame_address"
        | "return_address"
        | "extract_return_addr"
        | "assume_aligned"
        | "apply"
        | "apply_args"
        | "next_arg"
        | "saveregs"
        | "aggregate_incoming_address"
        | "dwarf_cfa"
        | "stack_save"
        | "thread_pointer" => void_ptr,
        "object_size" | "dynamic_object_size" => Ty::ULONG,
        "bswap16" => Ty::USHORT,
        "bswap32" => Ty::UINT,
        "bswap64" => Ty::ULONG,
        "bswap128" => Ty::UINT128,
        "speculation_safe_value" | "shuffle" | "shufflevector" | "conj" => first(t),
        "complex" => match first(t) {
            Ty::FLOAT => t.intern(TyKind::Complex(FloatKind::Float), Quals::default()),
            Ty::LONGDOUBLE => t.intern(TyKind::Complex(FloatKind::LongDouble), Quals::default()),
            _ => t.intern(TyKind::Complex(FloatKind::Double), Quals::default()),
        },
        n if n.contains("_overflow") => Ty::BOOL,
        n => return library(t, n),
    })
}

/// `__sync_*` and `__atomic_*`: most give the type that their first argument points to.
fn atomic(t: &mut Types, name: &str, args: &[Ty]) -> Ty {
    let bare = name.trim_start_matches("__sync_").trim_start_matches("__atomic_");
    let bare = bare.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
    match bare {
        "synchronize" | "thread_fence" | "signal_fence" | "lock_release" | "load" | "store" | "store_n"
        | "exchange" | "clear" => Ty::VOID,
        "bool_compare_and_swap"
        | "compare_exchange"
        | "compare_exchange_n"
        | "test_and_set"
        | "is_lock_free"
        | "always_lock_free" => Ty::BOOL,
        _ => match args.first().and_then(|&a| t.pointee(a)) {
            Some(to) => t.unqual(to),
            None => Ty::ERROR,
        },
    }
}

/// The result type of a C library function, by its plain name.
pub(crate) fn library(t: &mut Types, name: &str) -> Option<Ty> {
    Some(match name {
        "memcpy" | "memmove" | "memset" | "mempcpy" | "memchr" | "malloc" | "calloc" | "realloc" | "aligned_alloc" => {
            t.pointer(Ty::VOID)
        }
        "strcpy" | "strncpy" | "strcat" | "strncat" | "strchr" | "strrchr" | "strstr" | "strpbrk" | "stpcpy"
        | "stpncpy" | "strdup" | "strndup" | "index" | "rindex" => t.pointer(Ty::CHAR),
        "strlen" | "strspn" | "strcspn" | "strnlen" => Ty::ULONG,
        "memcmp" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "printf" | "fprintf" | "sprintf"
        | "snprintf" | "vprintf" | "vfprintf" | "vsprintf" | "vsnprintf" | "puts" | "putchar" | "fputs" | "fputc"
        | "abs" | "toupper" | "tolower" | "putc" | "scanf" | "sscanf" => Ty::INT,
        "abort" | "exit" | "_exit" | "_Exit" | "free" | "bzero" | "bcopy" => Ty::VOID,
        "labs" => Ty::LONG,
        "llabs" => Ty::LONGLONG,
        "imaxabs" => Ty::LONG,
        "fwrite" => Ty::ULONG,
        _ => return math(name),
    })
}

/// `<math.h>`: the suffix gives the type.
fn math(name: &str) -> Option<Ty> {
    const DOUBLE: &[&str] = &[
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "ceil",
        "copysign",
        "cos",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "exp10",
        "expm1",
        "fabs",
        "fdim",
        "floor",
        "fma",
        "fmax",
        "fmin",
        "fmod",
        "frexp",
        "gamma",
        "hypot",
        "ldexp",
        "lgamma",
        "log",
        "log10",
        "log1p",
        "log2",
        "logb",
        "modf",
        "nearbyint",
        "nextafter",
        "nexttoward",
        "pow",
        "powi",
        "remainder",
        "remquo",
        "rint",
        "round",
        "roundeven",
        "scalbln",
        "scalbn",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "tgamma",
        "trunc",
        "creal",
        "cimag",
        "cabs",
        "carg",
    ];
    for (suffix, ty) in [("", Ty::DOUBLE), ("f", Ty::FLOAT), ("l", Ty::LONGDOUBLE), ("f128", Ty::FLOAT128)] {
        if name.strip_suffix(suffix).is_some_and(|n| DOUBLE.contains(&n)) {
            return Some(ty);
        }
    }
    for (prefix, ty) in [("llround", Ty::LONGLONG), ("llrint", Ty::LONGLONG), ("lround", Ty::LONG), ("lrint", Ty::LONG)]
    {
        if let Some("" | "f" | "l") = name.strip_prefix(prefix) {
            return Some(ty);
        }
    }
    None
}
