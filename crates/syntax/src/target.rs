//! The machine that a program is compiled for, as far as the front end needs it: sizes, alignments and signedness of
//! the basic types.
//!
//! Generated code holds addresses of shared members that are computed from these figures, while the C compiler lays out
//! the same types for private accesses. So they agree with the target's ABI to the byte: the System V ABI for x86-64,
//! AAPCS64 for 64-bit ARM, both as gcc and clang implement them on Linux.

/// Bytes of a type, and the multiple of bytes at which its objects begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    pub bytes: u64,
    pub align: u64,
}

impl Extent {
    /// A type that begins at a multiple of its own size.
    pub const fn natural(bytes: u64) -> Extent {
        Extent { bytes, align: bytes }
    }
}

/// A target's C types. `char` has one byte everywhere; the runtime determines the size of a pointer-to-shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub name: &'static str,
    pub short: Extent,
    pub int: Extent,
    pub long: Extent,
    pub long_long: Extent,
    /// `__int128`
    pub int128: Extent,
    pub float: Extent,
    pub double: Extent,
    pub long_double: Extent,
    /// `_Float128`
    pub float128: Extent,
    /// A pointer to a private object or to a function.
    pub pointer: Extent,
    /// `__builtin_va_list`
    pub va_list: Extent,
    /// Further types that the compilers have, by their spellings.
    pub extended: &'static [(&'static str, Extent)],
    /// Plain `char` (options of the C compiler can change it).
    pub char_is_signed: bool,
    /// `wchar_t`, a type of 4 bytes, is `int`; otherwise it is `unsigned int`.
    pub wchar_is_signed: bool,
    /// Alignment that `__attribute__((aligned))` without a number gives.
    pub largest_align: u64,
    /// An unnamed bit-field raises the alignment of its struct as a named one does (AAPCS64, 10.1.8).
    pub unnamed_bit_fields_align: bool,
}

/// Types that gcc and clang have on every 64-bit target.
macro_rules! extended {
    ($($more:expr),*) => {
        &[
            ("_Float16", Extent::natural(2)),
            ("__bf16", Extent::natural(2)),
            ("__fp16", Extent::natural(2)),
            ("_Float32", Extent::natural(4)),
            ("_Decimal32", Extent::natural(4)),
            ("_Float64", Extent::natural(8)),
            ("_Float32x", Extent::natural(8)),
            ("_Decimal64", Extent::natural(8)),
            ("_Float64x", Extent::natural(16)),
            ("_Decimal128", Extent::natural(16)),
            $($more),*
        ]
    };
}

impl Target {
    pub const X86_64: Target = Target {
        name: "x86-64",
        short: Extent::natural(2),
        int: Extent::natural(4),
        long: Extent::natural(8),
        long_long: Extent::natural(8),
        int128: Extent::natural(16),
        float: Extent::natural(4),
        double: Extent::natural(8),
        long_double: Extent::natural(16),
        float128: Extent::natural(16),
        pointer: Extent::natural(8),
        va_list: Extent { bytes: 24, align: 8 },
        extended: extended![("__float80", Extent::natural(16))],
        char_is_signed: true,
        wchar_is_signed: true,
        largest_align: 16,
        unnamed_bit_fields_align: false,
    };

    pub const AARCH64: Target = Target {
        name: "64-bit ARM",
        va_list: Extent { bytes: 32, align: 8 },
        extended: extended![],
        char_is_signed: false,
        wchar_is_signed: false,
        unnamed_bit_fields_align: true,
        ..Target::X86_64
    };

    /// The target that a C compiler names by `-dumpmachine`: `x86_64-linux-gnu`, `aarch64-unknown-linux-gnu`.
    pub fn of_triple(triple: &str) -> Option<Target> {
        let (processor, system) = triple.split_once('-')?;
        let linux = system.split('-').any(|word| word == "linux");
        // `gnux32` and `gnu_ilp32` have pointers of 4 bytes.
        if !linux || system.ends_with("x32") || system.ends_with("ilp32") {
            return None;
        }
        match processor {
            "x86_64" | "amd64" => Some(Target::X86_64),
            "aarch64" | "arm64" => Some(Target::AARCH64),
            _ => None,
        }
    }

    /// Size and alignment of a built-in type by its spelling.
    pub fn named(&self, spelling: &str) -> Option<Extent> {
        match spelling {
            "__builtin_va_list" | "__gnuc_va_list" => Some(self.va_list),
            _ => self.extended.iter().find(|(name, _)| *name == spelling).map(|(_, extent)| *extent),
        }
    }
}

impl Default for Target {
    /// The target of this build of Fathom where it is known, else x86-64.
    fn default() -> Target {
        if cfg!(target_arch = "aarch64") {
            Target::AARCH64
        } else {
            Target::X86_64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_known_by_the_triples_of_compilers() {
        for triple in ["x86_64-linux-gnu", "x86_64-pc-linux-gnu", "x86_64-redhat-linux", "amd64-unknown-linux-musl"] {
            assert_eq!(Target::of_triple(triple), Some(Target::X86_64), "{triple}");
        }
        for triple in ["aarch64-linux-gnu", "aarch64-unknown-linux-gnu"] {
            assert_eq!(Target::of_triple(triple), Some(Target::AARCH64), "{triple}");
        }
        for triple in ["x86_64-linux-gnux32", "i686-linux-gnu", "riscv64-linux-gnu", "x86_64-apple-darwin", ""] {
            assert_eq!(Target::of_triple(triple), None, "{triple}");
        }
    }
}
