//! The types of `arm_neon.h` on 64-bit ARM that GCC has built in: vectors, by names that are always there (`__Int8x8_t`), and
//! structs of two to four of them (`int8x8x2_t`), which `#pragma GCC aarch64 "arm_neon.h"` declares. The header itself names elements
//! by their machine modes, too (`__builtin_aarch64_simd_sf`).

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    Int,
    Uint,
    Float,
    Poly,
    Bfloat,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neon {
    pub element: Element,
    /// Of an element.
    pub bits: u64,
    /// Elements of a vector; 0 for the type of one element (`__Poly8_t`).
    pub lanes: u64,
    /// Vectors of the struct; 0 for a vector.
    pub vectors: u64,
}

/// The names of vectors and elements, as `BUILTIN_TYPES` lists them, and of structs.
pub fn neon(name: &str) -> Option<Neon> {
    if let Some(mode) = name.strip_prefix("__builtin_aarch64_simd_") {
        return element_of(mode);
    }
    let name = name.strip_suffix("_t")?;
    let (name, is_struct) = name.strip_prefix("__").map_or((name, true), |rest| (rest, false));
    let digit = name.find(|c: char| c.is_ascii_digit())?;
    let element = match (&name[..digit], is_struct) {
        ("Int", false) | ("int", true) => Element::Int,
        ("Uint", false) | ("uint", true) => Element::Uint,
        ("Float", false) | ("float", true) => Element::Float,
        ("Poly", false) | ("poly", true) => Element::Poly,
        ("Bfloat", false) | ("bfloat", true) => Element::Bfloat,
        _ => return None,
    };
    let mut numbers = name[digit..].split('x').map(|n| n.parse::<u64>().ok());
    let bits = numbers.next()??;
    let lanes = numbers.next().unwrap_or(Some(0))?;
    let vectors = numbers.next().unwrap_or(Some(0))?;
    let whole = if is_struct {
        matches!(vectors, 2..=4) && matches!(bits * lanes, 64 | 128)
    } else {
        vectors == 0 && (matches!(bits * lanes, 64 | 128) || (lanes == 0 && element == Element::Poly))
    };
    (whole && numbers.next().is_none()).then_some(Neon { element, bits, lanes, vectors })
}

fn element_of(mode: &str) -> Option<Neon> {
    let (element, bits) = match mode {
        "qi" => (Element::Int, 8),
        "hi" => (Element::Int, 16),
        "si" => (Element::Int, 32),
        "di" => (Element::Int, 64),
        "hf" => (Element::Float, 16),
        "sf" => (Element::Float, 32),
        "df" => (Element::Float, 64),
        "bf" => (Element::Bfloat, 16),
        _ => (Element::Poly, mode.strip_prefix("poly")?.parse().ok()?),
    };
    Some(Neon { element, bits, lanes: 0, vectors: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_the_types_are() {
        let is = |element, bits, lanes, vectors| Some(Neon { element, bits, lanes, vectors });
        assert_eq!(neon("__Int8x16_t"), is(Element::Int, 8, 16, 0));
        assert_eq!(neon("__Poly128_t"), is(Element::Poly, 128, 0, 0));
        assert_eq!(neon("float32x4x3_t"), is(Element::Float, 32, 4, 3));
        assert_eq!(neon("__builtin_aarch64_simd_poly16"), is(Element::Poly, 16, 0, 0));
        for other in ["int8_t", "int32x4_t", "int8x8x5_t", "__Int8x4_t", "__int128_t", "x2_t", "int8x8x2x2_t"] {
            assert_eq!(neon(other), None, "{other}");
        }
    }
}
