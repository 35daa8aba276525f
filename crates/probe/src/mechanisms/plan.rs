//! Which shapes are measured by which mechanisms, in which order.

use crate::Stimulus;

/// A shape, its sizes, and the mechanisms that can move it.
pub struct Case {
    pub decision: &'static str,
    pub direction: &'static str,
    /// Bytes; a contiguous transfer has elements of 1.
    pub element: u64,
    /// Bytes from one element to the next where they are not contiguous.
    pub stride: u64,
    /// Does the decision depend on it?
    pub asks_stride: bool,
    /// Of payload.
    pub bytes: Vec<u64>,
    pub mechanisms: &'static [&'static str],
}

/// The most that is moved in place (runtime/lang/copy.h).
pub const MOST_IN_PLACE: u64 = 32;
/// How long a sample takes, unless one movement takes longer.
const SAMPLE_US: u64 = 100;
/// The memory that a strided shape spans: from within the first cache to beyond what the last one gives.
const SPANS: [u64; 8] = [1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 26];
/// The most elements of a movement, and of one by a list of places: these take as much memory again.
const MOST_ELEMENTS: u64 = 1 << 22;
const MOST_PLACES: u64 = 1 << 20;

impl Case {
    /// Bytes of memory from the first element to the last.
    pub fn span(&self, bytes: u64) -> u64 {
        bytes / self.element * self.stride
    }

    /// The name of its series.
    pub fn shape(&self) -> String {
        let stride = if self.asks_stride { format!(" stride={}", self.stride) } else { String::new() };
        format!("element={}{stride} {}", self.element, self.direction)
    }

    pub fn stimulus(&self, mechanism: &'static str, bytes: u64) -> Stimulus {
        Stimulus::new("mechanism")
            .word("decision", self.decision)
            .word("take", mechanism)
            .word("direction", self.direction)
            .with("element", self.element)
            .with("stride", self.stride)
            .with("bytes", bytes)
            .with("sample_us", SAMPLE_US)
    }
}

/// What `Case::shape` says: element, stride, direction.
pub fn parse_shape(name: &str) -> Option<(u64, Option<u64>, &str)> {
    let (mut element, mut stride, mut direction) = (None, None, None);
    for word in name.split(' ') {
        match word.split_once('=') {
            Some(("element", n)) => element = Some(n.parse().ok()?),
            Some(("stride", n)) => stride = Some(n.parse().ok()?),
            None => direction = Some(word),
            _ => return None,
        }
    }
    Some((element?, stride, direction?))
}

/// Does a decision depend on the size of elements?
pub fn asks_element(decision: &str) -> bool {
    matches!(decision, "gather" | "scatter" | "strided" | "put-indexed" | "get-indexed" | "transpose")
}

/// The mechanisms of a decision for elements of so many bytes; the default first.
pub fn mechanisms(decision: &str, element: u64) -> &'static [&'static str] {
    match (decision, element) {
        ("contiguous", _) => &["library", "in-place", "string", "stream"],
        ("transpose", _) => &["loop", "tiles"],
        ("gather" | "scatter", 4 | 8) => &["loop", "prefetch", "vector"],
        ("gather", 32..) => &["wide", "loop", "prefetch", "stream"],
        // Only whole lines pass the caches by.
        ("scatter", e) if e % 64 == 0 => &["wide", "loop", "prefetch", "stream"],
        ("scatter", 32..) => &["wide", "loop", "prefetch"],
        ("strided" | "put-indexed" | "get-indexed", 32..) => &["wide", "loop", "prefetch"],
        _ => &["loop", "prefetch"],
    }
}

fn contiguous(direction: &'static str, bytes: &[u64]) -> Case {
    let mechanisms = mechanisms("contiguous", 1);
    Case {
        decision: "contiguous",
        direction,
        element: 1,
        stride: 1,
        asks_stride: false,
        bytes: bytes.to_vec(),
        mechanisms,
    }
}

/// Payloads of a few elements, and those of the spans. Counts leave a rest where many elements are moved at a time.
fn spread(decision: &'static str, direction: &'static str, element: u64, stride: u64, asks_stride: bool) -> Case {
    let most = if decision.ends_with("indexed") { MOST_PLACES } else { MOST_ELEMENTS };
    let of_spans = SPANS.iter().map(|span| (span / stride).min(most));
    let mut counts: Vec<u64> = of_spans.chain([9, 45]).filter(|n| *n >= 9).collect();
    counts.iter_mut().filter(|n| **n >= 16).for_each(|n| *n = *n / 16 * 16 + 7);
    counts.sort_unstable();
    // Two that are nearly the same say no more than one.
    counts.dedup_by(|b, a| *b < *a * 3 / 2);
    let bytes = counts.iter().map(|n| n * element).collect();
    Case { decision, direction, element, stride, asks_stride, bytes, mechanisms: mechanisms(decision, element) }
}

fn gather_and_scatter(cases: &mut Vec<Case>, elements: &[u64], strides: fn(u64) -> Vec<u64>) {
    for &element in elements {
        for stride in strides(element) {
            cases.push(spread("gather", "get", element, stride, true));
            cases.push(spread("scatter", "put", element, stride, true));
        }
    }
}

fn indexed(cases: &mut Vec<Case>, element: u64) {
    cases.push(spread("put-indexed", "put", element, 2 * element, false));
    cases.push(spread("get-indexed", "get", element, 2 * element, false));
}

/// Of squares: rows of whole lines, as those of matrices mostly are, of which two fall on one set of a cache now and then; powers
/// of two would all fall on the same.
const SIDES: [u64; 9] = [9, 23, 48, 80, 112, 208, 368, 784, 1520];

/// Squares: the stride is a row, and grows with the size.
fn transpose(cases: &mut Vec<Case>, element: u64) {
    let mut case = spread("transpose", "put", element, element, false);
    case.bytes = SIDES.iter().map(|side| side * side * element).collect();
    cases.push(case);
}

fn strided(cases: &mut Vec<Case>, element: u64, strides: &[u64]) {
    cases.extend(strides.iter().map(|stride| spread("strided", "put", element, *stride, true)));
}

/// Neighbours of an element, and lines in other pages. Strides are five times a power of two, not a power of two: those
/// would show the sets of a cache, not its speed.
fn near_and_far(element: u64) -> Vec<u64> {
    let mut strides = vec![2 * element, 5120];
    if element < 16 {
        // Of every second element there are vectors that no other stride has.
        strides.push(5 * element);
    }
    strides
}
/// Lines in the same page, and elements in a line or two.
fn medium(element: u64) -> Vec<u64> {
    if element < 16 {
        vec![640, 64]
    } else {
        vec![5 * element.max(128)]
    }
}
fn rest(element: u64) -> Vec<u64> {
    let all = [5 * element, 1280, 20480];
    let before = [near_and_far(element), medium(element)].concat();
    all.into_iter().filter(|stride| *stride >= 5 * element && !before.contains(stride)).collect()
}

/// Of rows of matrices, often, whose elements all fall on a few sets of a cache: beside those that do not, for where it matters.
fn on_few_sets(_: u64) -> Vec<u64> {
    vec![1024, 4096]
}

/// In the order of what they are worth: first what is common, then what makes it finer.
pub fn cases() -> Vec<Case> {
    let small = [1, 2, 4, 8, 16, 24, 32, 64];
    // Not powers of two, and every second one no whole words: what programs move seldom is, and nothing is as well aligned.
    let whole: Vec<u64> = small.into_iter().chain((7..=24).map(|k| (1u64 << k) / 80 * 104 + 5 * (k % 2))).collect();
    let mut cases = vec![contiguous("put", &whole), contiguous("get", &whole)];
    // Powers of two are classes of their own, and what is between them is (runtime/core/tuning.h).
    let (usual, other, between, last) = ([8, 64], [4, 16, 32], [24, 40, 12], [256, 2, 184, 128, 88, 42, 1]);
    gather_and_scatter(&mut cases, &usual, near_and_far);
    indexed(&mut cases, 8);
    transpose(&mut cases, 8);
    gather_and_scatter(&mut cases, &other, near_and_far);
    gather_and_scatter(&mut cases, &usual, medium);
    indexed(&mut cases, 64);
    strided(&mut cases, 8, &[16, 5120]);
    gather_and_scatter(&mut cases, &between, near_and_far);
    gather_and_scatter(&mut cases, &last[..3], near_and_far);
    transpose(&mut cases, 4);
    transpose(&mut cases, 16);
    gather_and_scatter(&mut cases, &other, medium);
    for element in [4, 16, 32, 24, 40, 256, 12, 2, 128, 88, 184] {
        indexed(&mut cases, element);
    }
    strided(&mut cases, 64, &[128, 5120]);
    strided(&mut cases, 16, &[32, 5120]);
    strided(&mut cases, 24, &[48, 5120]);
    strided(&mut cases, 40, &[80, 5120]);
    transpose(&mut cases, 64);
    for element in [8, 16, 64, 24, 40] {
        strided(&mut cases, element, &[640]);
    }
    for element in [256, 2, 184] {
        strided(&mut cases, element, &[2 * element, 5120]);
    }
    gather_and_scatter(&mut cases, &usual, on_few_sets);
    gather_and_scatter(&mut cases, &between, medium);
    gather_and_scatter(&mut cases, &last[3..], near_and_far);
    gather_and_scatter(&mut cases, &last, medium);
    gather_and_scatter(&mut cases, &usual, rest);
    gather_and_scatter(&mut cases, &other, rest);
    gather_and_scatter(&mut cases, &other, on_few_sets);
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_read_as_it_was_written() {
        for case in cases() {
            let stride = case.asks_stride.then_some(case.stride);
            assert_eq!(parse_shape(&case.shape()), Some((case.element, stride, case.direction)));
        }
        assert_eq!(parse_shape("nonsense=1 put"), None);
    }

    #[test]
    fn no_point_is_planned_twice() {
        let mut seen = std::collections::BTreeSet::new();
        let mut points = 0;
        for case in cases() {
            for bytes in &case.bytes {
                points += case.mechanisms.len();
                assert!(
                    seen.insert((case.decision, case.shape(), *bytes)),
                    "{} {} {bytes}",
                    case.decision,
                    case.shape()
                );
            }
        }
        assert!(points > 500, "{points}");
    }
}
