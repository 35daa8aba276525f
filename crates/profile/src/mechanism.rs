//! The subjects of the measurements of mechanisms and of a tuning table: decisions, the mechanisms that can serve each,
//! and shapes of data. A probe measures them and `fathom-tune` decides about them; the reader of the table is
//! runtime/core/tuning.c.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The subject of a series of a mechanism's curve.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// Elements of memory.
    Shape(Shape),
    /// This number of threads takes part.
    Threads(u64),
    /// Is the other thread on this computer?
    Computer(Computer),
    /// A transfer of so many pieces.
    Pieces(u64),
    /// A single transfer.
    One,
}

/// Elements of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shape {
    /// Bytes of an element; a contiguous transfer has elements of 1.
    pub element: u64,
    /// Bytes from one element to the next, for decisions that depend on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stride: Option<u64>,
    pub direction: Direction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Put,
    Get,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Computer {
    This,
    Other,
}

impl Direction {
    /// The word for it in stimuli.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Put => "put",
            Direction::Get => "get",
        }
    }
}

/// For people: names of series.
impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Subject::Shape(shape) => shape.fmt(f),
            Subject::Threads(n) => write!(f, "threads={n}"),
            Subject::Computer(Computer::This) => f.write_str("computer=this"),
            Subject::Computer(Computer::Other) => f.write_str("computer=other"),
            Subject::Pieces(n) => write!(f, "pieces={n}"),
            Subject::One => f.write_str("one"),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "element={}", self.element)?;
        if let Some(stride) = self.stride {
            write!(f, " stride={stride}")?;
        }
        write!(f, " {}", self.direction.word())
    }
}

/// Does a decision depend on the size of elements?
pub fn asks_element(decision: &str) -> bool {
    matches!(decision, "gather" | "scatter" | "strided" | "put-indexed" | "get-indexed" | "transpose")
}

/// The mechanisms of a decision for elements of this size; the default first.
pub fn mechanisms(decision: &str, element: u64) -> &'static [&'static str] {
    match (decision, element) {
        ("contiguous", _) => &["library", "in-place", "string", "stream"],
        ("transpose", _) => &["loop", "tiles"],
        ("msg-send", _) => &["tag-on", "copy"],
        ("gather" | "scatter", 4 | 8) => &["loop", "prefetch", "vector"],
        ("gather", 32..) => &["wide", "loop", "prefetch", "stream"],
        // Only whole lines can bypass the caches.
        ("scatter", e) if e % 64 == 0 => &["wide", "loop", "prefetch", "stream"],
        ("scatter", 32..) => &["wide", "loop", "prefetch"],
        ("strided" | "put-indexed" | "get-indexed", 32..) => &["wide", "loop", "prefetch"],
        _ => &["loop", "prefetch"],
    }
}

// ---- crowded strides ------------------------------------------------------------------------------------------------

const LINE: u64 = 64;
const PAGE: u64 = 4096;

/// The largest power of two that divides a stride, up to a page: beyond a page the physical address determines the set.
pub fn aligned(stride: u64) -> u64 {
    (1 << stride.trailing_zeros()).min(PAGE)
}

/// Does a stride reach an eighth of the sets of a cache or less?
pub fn is_crowded(element: u64, stride: u64) -> bool {
    aligned(stride) >= 8 * element.max(LINE)
}

/// The bytes of a cache that an element fills, on both sides. If a decision depends on strides, the table's sizes count
/// these, so that one threshold tells for all strides of a class when a cache overflows. The runtime counts in the same
/// way (core_filled of runtime/core/tuning.h); without a stride, the payload.
pub fn filled_by(decision: &str, element: u64, stride: Option<u64>) -> u64 {
    let Some(stride) = stride else { return element };
    let lines = (LINE + element.saturating_sub(LINE.min(aligned(stride)))).min(stride);
    // Sets that no element reaches hold nothing: they count as filled.
    let apart = lines.max(aligned(stride));
    apart + if decision == "strided" { apart } else { element }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;

    #[test]
    fn sizes_are_what_a_cache_must_hold() {
        let of = |element, stride| filled_by("gather", element, Some(stride)) - element;
        // Neighbours share lines; elements apart have lines of their own; and lie across two, if they are not aligned.
        assert_eq!([of(8, 16), of(8, 64), of(8, 4160), of(60, 840), of(128, 320)], [16, 64, 64, 116, 128]);
        // Sets that are left out; up to a page.
        assert_eq!([of(8, 128), of(8, 768), of(8, 4096), of(8, 40960), of(256, 2048)], [128, 256, 4096, 4096, 2048]);
        assert_eq!(filled_by("strided", 8, Some(768)), 512);
        assert_eq!(filled_by("put-indexed", 8, None), 8);
        let crowded = [(8, 256), (8, 512), (8, 1536), (64, 512), (128, 512), (128, 1024), (512, 4096), (520, 40960)];
        let is = crowded.map(|(element, stride)| is_crowded(element, stride));
        assert_eq!(is, [false, true, true, true, false, true, true, false]);
    }

    #[test]
    fn a_subject_survives_a_file() {
        let shape = |stride| Subject::Shape(Shape { element: 8, stride, direction: Direction::Get });
        let all = [shape(Some(64)), shape(None), Subject::Threads(4), Subject::Computer(Computer::Other), Subject::One];
        for of in all {
            let series = Series { of: Some(of.clone()), ..Series::new(of.to_string(), vec![]) };
            let text = toml::to_string(&series).unwrap();
            assert_eq!(toml::from_str::<Series>(&text).unwrap(), series, "{text}");
        }
        assert_eq!(shape(Some(64)).to_string(), "element=8 stride=64 get");
    }
}
