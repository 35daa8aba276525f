//! The grid on which predictions and choices are judged: patterns, directions, elements, strides, sizes. None of its sizes
//! and few of its strides are those that the probes measure (crates/probe/src/mechanisms/plan.rs): between them is where a
//! table or a model must be right.

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
        match (self.pattern, self.element, self.stride == 2 * self.element) {
            ("contiguous", ..) if self.bytes <= 32 => &["in-place", "library", "string", "stream"],
            ("contiguous", ..) => &["library", "string", "stream"],
            ("gather" | "scatter", 4 | 8, _) => &["loop", "prefetch", "vector", "library"],
            ("gather", 64.., _) => &["loop", "wide", "prefetch", "library", "stream"],
            ("scatter", 64.., _) => &["loop", "wide", "prefetch", "library", "stream"],
            ("gather", 32.., _) => &["loop", "wide", "prefetch", "library", "stream"],
            ("transpose", ..) => &["loop", "tiles"],
            (_, 32.., _) => &["loop", "wide", "prefetch", "library"],
            _ => &["loop", "prefetch", "library"],
        }
    }
}

/// No cell spans more memory.
const MOST_SPAN: u64 = 100_000_000;

/// All cells; with `quick` every third.
pub fn cells(quick: bool) -> Vec<Cell> {
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
        add("indexed", &both, element, 2 * element, &sizes);
    }
    for element in [4, 8, 16] {
        add("transpose", &both, element, element, &sizes);
    }
    all.into_iter().step_by(if quick { 3 } else { 1 }).collect()
}
