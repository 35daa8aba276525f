//! The grids on which choices are judged: patterns, directions, elements, strides, sizes. Of the grid by hand none of the sizes
//! and few of the strides are those that the probes measure (crates/probe/src/mechanisms/plan.rs): between them is where a
//! table must be right. The other grid is drawn from a seed, and nobody has looked at it when the choice was made.

use crate::dice::Dice;

/// A transfer of data between a thread's own memory and another's.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// As the tuning table calls the decision.
    pub pattern: &'static str,
    pub direction: &'static str,
    /// Bytes.
    pub element: u64,
    pub stride: u64,
    pub bytes: u64,
}

impl Cell {
    /// Bytes of memory that the side spans that is not contiguous.
    pub fn span(&self) -> u64 {
        self.bytes / self.element * self.stride
    }

    /// The mechanisms of which one is to be chosen.
    pub fn mechanisms(&self) -> &'static [&'static str] {
        match (self.pattern, self.element) {
            ("contiguous", _) if self.bytes <= 32 => &["in-place", "library", "string", "stream"],
            ("contiguous", _) => &["library", "string", "stream"],
            ("gather" | "scatter", 4 | 8) => &["loop", "prefetch", "vector", "library"],
            ("gather", 32..=256) | ("scatter", 64 | 128 | 192 | 256) => {
                &["loop", "wide", "prefetch", "library", "stream"]
            }
            ("gather", 257..) => &["loop", "prefetch", "library", "stream"],
            ("transpose", _) => &["loop", "tiles"],
            (_, 32..=256) => &["loop", "wide", "prefetch", "library"],
            _ => &["loop", "prefetch", "library"],
        }
    }
}

/// No cell spans more memory.
const MOST_SPAN: u64 = 100_000_000;

/// The cells by hand; with `quick` every third.
pub fn by_hand(quick: bool) -> Vec<Cell> {
    let mut all = vec![];
    let mut add = |pattern, directions: &[&'static str], element: u64, stride: u64, sizes: &[u64]| {
        for &bytes in sizes {
            for &direction in directions {
                let cell = Cell { pattern, direction, element, stride, bytes: bytes / element * element };
                if cell.bytes > 0 && cell.span() <= MOST_SPAN {
                    all.push(cell);
                }
            }
        }
    };
    let both = ["put", "get"];
    let contiguous = [
        64, 100, 300, 700, 1_500, 3_000, 6_000, 12_000, 24_000, 50_000, 100_000, 200_000, 400_000, 800_000, 1_500_000,
        3_000_000, 6_000_000, 12_000_000, 16_000_000,
    ];
    add("contiguous", &both, 1, 1, &contiguous);
    let sizes = [96, 600, 9_600, 153_600, 2_400_000, 16_000_000];
    for element in [4, 8, 16, 32, 64] {
        for stride in [2 * element, 6 * element, 768, 1536, 6144] {
            add("gather", &["get"], element, stride, &sizes);
            add("scatter", &["put"], element, stride, &sizes);
        }
    }
    let sizes = [600, 9_600, 153_600, 2_400_000, 16_000_000];
    for element in [8, 24, 64] {
        for stride in [3 * element, 1536] {
            add("strided", &both, element, stride, &sizes);
        }
    }
    for element in [4, 8, 16, 48, 64] {
        add("put-indexed", &["put"], element, 2 * element, &sizes);
        add("get-indexed", &["get"], element, 2 * element, &sizes);
    }
    for element in [4, 8, 16] {
        add("transpose", &both, element, element, &sizes);
    }
    all.into_iter().step_by(if quick { 3 } else { 1 }).collect()
}

/// So many cells, drawn. Patterns as often as programs may have them. Of the elements half are a power of two up to 512 bytes, a
/// third a multiple of 4 up to 256, the others any size up to 64. Strides are a few elements, or anything up to 32 KB that is aligned as the
/// element is; payloads from 8 elements up to 16 MB.
pub fn drawn(seed: u64, count: usize) -> Vec<Cell> {
    let mut dice = Dice::new(seed);
    let mut cells: Vec<Cell> = vec![];
    while cells.len() < count {
        let pattern = [
            "contiguous",
            "gather",
            "gather",
            "gather",
            "scatter",
            "scatter",
            "scatter",
            "strided",
            "strided",
            "put-indexed",
            "get-indexed",
            "transpose",
        ][dice.below(12) as usize];
        let mut element = match dice.below(6) {
            0..=2 => 1 << dice.below(10),
            3 | 4 => 4 * (1 + dice.below(64)),
            _ => 1 + dice.below(64),
        };
        let aligned = 1 << element.trailing_zeros();
        let mut stride = match dice.below(2) {
            0 => element * (2 + dice.below(15)),
            _ => dice.size(2.0 * element as f64, 32_768.0_f64.max(4.0 * element as f64)) / aligned * aligned,
        };
        if matches!(pattern, "contiguous" | "transpose") {
            // Only whole words are transposed; the stride is the length of a row.
            element = if pattern == "contiguous" { 1 } else { aligned.clamp(4, 64) };
            stride = element;
        } else if pattern.ends_with("indexed") {
            stride = 2 * element;
        }
        let bytes = dice.size((8 * element).max(64) as f64, 16e6) / element * element;
        let direction = match pattern {
            "gather" | "get-indexed" => "get",
            "scatter" | "put-indexed" => "put",
            _ => ["put", "get"][dice.below(2) as usize],
        };
        let cell = Cell { pattern, direction, element, stride, bytes };
        if cell.span() <= MOST_SPAN && !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    cells
}
