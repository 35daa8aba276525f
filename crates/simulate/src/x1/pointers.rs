//! What arithmetic on pointers-to-shared takes, by counting its operations (X1 study, section 5; the formulas are those of
//! the language).
//!
//! A pointer plus `i`, with `T` threads, blocks of `B` elements of `s` bytes:
//!
//! - indefinite: `a + i s`, and nothing else;
//! - cyclic: `n = t + i`, `q = n / T`, `t' = n - q T`, `a' = a + q s`;
//! - with phase: `n = ph + i`, `q = n / B`, `ph' = n - q B`, `m = t + q`, `r = m / T`, `t' = m - r T`,
//!   `a' = a + (ph' - ph) s + r B s`.
//!
//! A pointer without phase is one word with the thread in its high bits: if that is the machine's own pointer, an
//! indefinite one needs no more than a private one. `s` is a power of two; `T` is known when the program starts, so that
//! its quotients are divisions.

use super::X1;
use fathom_machine::Time;

/// A pointer-to-shared by what is known of its block size, and a private pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    Private,
    Indefinite,
    Cyclic,
    /// Block-cyclic, with a phase. `is_power` is whether the block size is a constant and a power of two.
    Generic {
        is_power: bool,
    },
}

/// Operations of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub simple: u64,
    pub multiply: u64,
    pub divide: u64,
}

impl Count {
    const fn simple(simple: u64) -> Self {
        Count { simple, multiply: 0, divide: 0 }
    }

    const fn and(self, other: Self) -> Self {
        Count {
            simple: self.simple + other.simple,
            multiply: self.multiply + other.multiply,
            divide: self.divide + other.divide,
        }
    }
}

/// A quotient, and the remainder as what is left: a division, a product, a difference.
const QUOTIENT: Count = Count { simple: 1, multiply: 1, divide: 1 };
/// The same by a power of two that is known: a shift and a mask.
const SHIFTS: Count = Count::simple(2);
/// A place is scaled and added.
const SCALED: Count = Count::simple(2);
/// The thread is taken out of the high bits of a word; it is put in again.
const TAKE: Count = Count::simple(1);
const INSERT: Count = Count::simple(2);

impl X1 {
    /// The operations of a pointer plus an integer.
    pub fn count(&self, pointer: Pointer) -> Count {
        match pointer {
            Pointer::Private => SCALED,
            Pointer::Indefinite if self.code.global_pointers => SCALED,
            // Thread and address are taken apart and put together again.
            Pointer::Indefinite => TAKE.and(Count::simple(1)).and(SCALED).and(INSERT),
            // t + i, its quotient, the address, the thread.
            Pointer::Cyclic => TAKE.and(Count::simple(1)).and(QUOTIENT).and(SCALED).and(INSERT),
            Pointer::Generic { is_power } => {
                let by_block = if is_power { SHIFTS } else { QUOTIENT };
                // ph + i, its quotient; t + q, its quotient; (ph' - ph) s; r B s, of which B s is known.
                let phase = Count::simple(1).and(by_block);
                let thread = TAKE.and(Count::simple(1)).and(QUOTIENT).and(INSERT);
                let whole = if is_power { SCALED } else { Count { simple: 1, multiply: 1, divide: 0 } };
                phase.and(thread).and(Count::simple(1)).and(SCALED).and(whole)
            }
        }
    }

    /// The time of a pointer plus an integer.
    pub fn add(&self, pointer: Pointer) -> Time {
        let Count { simple, multiply, divide } = self.count(pointer);
        simple * self.code.simple + multiply * self.code.multiply + divide * self.code.divide
    }

    /// A pointer with phase as the study's own test has it.
    pub fn generic(&self) -> Pointer {
        Pointer::Generic { is_power: self.code.power_of_two }
    }
}
