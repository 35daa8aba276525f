//! Which shapes are measured by which mechanisms, in which order.

use super::table::{filled_by, is_crowded};
use crate::Stimulus;
use std::sync::OnceLock;

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
const SAMPLE_US: u64 = 60;
/// The memory that the longest movement of a strided shape spans: beyond what the last cache gives.
const MOST_SPAN: u64 = 96 << 20;
/// And what it fills: more than most share of a last cache. Longer ones take longer and say the same.
const MOST_FILLED: u64 = 32 << 20;
/// The most elements by a list of places, which takes as much memory again.
const MOST_PLACES: u64 = 1 << 19;

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

    /// `place`: other pages, with another number, of which some fill sets of a cache more evenly than others.
    pub fn stimulus(&self, mechanism: &'static str, bytes: u64, place: usize) -> Stimulus {
        Stimulus::new("mechanism")
            .word("decision", self.decision)
            .word("take", mechanism)
            .word("direction", self.direction)
            .with("element", self.element)
            .with("stride", self.stride)
            .with("bytes", bytes)
            .with("place", place as u64)
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

/// What the caches of a processor's own hold, which is where mechanisms change places.
#[derive(Clone, Copy)]
pub struct Caches {
    pub l1_bytes: u64,
    pub l2_bytes: u64,
}

impl Caches {
    /// As the operating system or the processor has it; what most have, where they say nothing.
    pub fn claimed() -> Self {
        static CLAIMED: OnceLock<Caches> = OnceLock::new();
        *CLAIMED.get_or_init(|| {
            let claims = crate::claims::claims();
            let claimed = |name: &str, usual| claims.iter().find(|c| c.name == name).map_or(usual, |c| c.value as u64);
            let l1_bytes = claimed("memory.l1.bytes", 32 << 10).max(4 << 10);
            Self { l1_bytes, l2_bytes: claimed("memory.l2.bytes", 1 << 20).max(4 * l1_bytes) }
        })
    }

    /// Bytes that a movement fills: two of which a cache holds the one and not the other lie close together, so that little
    /// is left open about where it overflows; between caches a few are enough.
    fn fills(self) -> [f64; 9] {
        let (l1, l2) = (self.l1_bytes as f64, self.l2_bytes as f64);
        let between = (l1 * l2).sqrt();
        [l1 / 8.0, l1 / 3.0, l1 * 0.75, l1 * 1.15, l1 * 1.7, between, l2 * 0.75, l2 * 1.5, l2 * 4.0]
    }
}

/// Payloads of a few elements, those that fill caches, and the longest. Counts leave a rest where many elements are moved at a time.
fn spread(decision: &'static str, direction: &'static str, element: u64, stride: u64, asks_stride: bool) -> Case {
    // Elements of a list are apart on one side.
    let filled = filled_by(if asks_stride { decision } else { "gather" }, element, Some(stride));
    // Beyond a processor's own caches sets are spread over the whole.
    let crowding = if asks_stride && is_crowded(element, stride) { filled / (2 * element.max(64)) } else { 1 };
    let most = (MOST_SPAN / stride).min(MOST_FILLED / filled * crowding);
    let most = if decision.ends_with("indexed") { most.min(MOST_PLACES) } else { most };
    let of_caches = Caches::claimed().fills().map(|bytes| (bytes / filled as f64) as u64);
    let mut counts: Vec<u64> = of_caches.into_iter().chain([9, 45, most]).filter(|n| *n >= 9 && *n <= most).collect();
    counts.iter_mut().filter(|n| **n >= 16).for_each(|n| *n = *n / 16 * 16 + 7);
    counts.sort_unstable();
    // Two that are nearly the same say no more than one.
    counts.dedup_by(|b, a| *b < *a * 5 / 4);
    let bytes = counts.iter().map(|n| n * element).collect();
    Case { decision, direction, element, stride, asks_stride, bytes, mechanisms: mechanisms(decision, element) }
}

fn gather_and_scatter(cases: &mut Vec<Case>, elements: &[u64], strides: fn(u64) -> Vec<u64>) {
    for &element in elements {
        for stride in strides(element) {
            let stride = as_aligned(element, stride);
            cases.push(spread("gather", "get", element, stride, true));
            cases.push(spread("scatter", "put", element, stride, true));
        }
    }
}

/// Elements of no power of two do not lie in lines as those that are one do: their strides are mostly multiples of what the
/// elements are aligned to, and so a part of them lies across two lines.
fn as_aligned(element: u64, stride: u64) -> u64 {
    if element.is_power_of_two() || stride.is_multiple_of(element) || is_crowded(element, stride) {
        stride
    } else {
        stride + (1 << element.trailing_zeros())
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
    cases.extend(strides.iter().map(|stride| spread("strided", "put", element, as_aligned(element, *stride), true)));
}

/// Neighbours of an element, and lines in other pages. Strides beyond a line are odd numbers of lines, which reach all sets of a
/// cache.
fn near_and_far(element: u64) -> Vec<u64> {
    let mut strides = vec![2 * element, 5184];
    if element < 16 {
        // Of every second element there are vectors that no other stride has.
        strides.push(5 * element);
    }
    strides
}
/// Lines in the same page, and elements in a line or two.
fn medium(element: u64) -> Vec<u64> {
    if element < 16 {
        vec![704, 64]
    } else if element < 128 {
        vec![704]
    } else {
        vec![5 * element]
    }
}
fn rest(element: u64) -> Vec<u64> {
    let all = [5 * element, 1344, 2880];
    let before = [near_and_far(element), medium(element)].concat();
    all.into_iter().filter(|stride| *stride >= 5 * element && !before.contains(stride)).collect()
}

/// Of rows of matrices, often, whose elements all fall on a few sets of a cache: an eighth of them, and fewer.
fn on_few_sets(element: u64) -> Vec<u64> {
    let all = [2560, 10240, 20480];
    all.into_iter().filter(|stride| is_crowded(element, *stride)).collect()
}

/// In the order of what they are worth: first what is common, then what makes it finer.
pub fn cases() -> Vec<Case> {
    let small = [1, 2, 4, 8, 16, 24, 32, 64];
    // Not powers of two, and every second one no whole words: what programs move seldom is, and nothing is as well aligned.
    let whole: Vec<u64> = small.into_iter().chain((7..=24).map(|k| (1u64 << k) / 80 * 104 + 5 * (k % 2))).collect();
    let mut cases = vec![contiguous("put", &whole), contiguous("get", &whole)];
    // Powers of two are classes of their own, and what is between them is (runtime/core/tuning.h).
    let (usual, other, between, last) = ([8, 64], [4, 16, 32], [24, 40, 12], [256, 2, 184, 128, 88, 1]);
    gather_and_scatter(&mut cases, &usual, near_and_far);
    indexed(&mut cases, 8);
    transpose(&mut cases, 8);
    gather_and_scatter(&mut cases, &other, near_and_far);
    gather_and_scatter(&mut cases, &usual, medium);
    indexed(&mut cases, 64);
    strided(&mut cases, 8, &[16, 5184]);
    gather_and_scatter(&mut cases, &between, near_and_far);
    gather_and_scatter(&mut cases, &last[..3], near_and_far);
    gather_and_scatter(&mut cases, &usual, on_few_sets);
    transpose(&mut cases, 4);
    transpose(&mut cases, 16);
    gather_and_scatter(&mut cases, &other, medium);
    for element in [4, 16, 32, 24, 40, 256, 12, 2, 128, 88, 184] {
        indexed(&mut cases, element);
    }
    for element in [64, 16, 24, 40, 32] {
        strided(&mut cases, element, &[2 * element, 5184]);
    }
    transpose(&mut cases, 64);
    for element in [8, 64, 16, 24, 40, 32] {
        strided(&mut cases, element, &[704]);
    }
    gather_and_scatter(&mut cases, &other, on_few_sets);
    for element in [8, 64, 24] {
        strided(&mut cases, element, &on_few_sets(element));
    }
    for element in [256, 2, 184] {
        strided(&mut cases, element, &[2 * element, 5184]);
    }
    gather_and_scatter(&mut cases, &between, medium);
    gather_and_scatter(&mut cases, &last[3..], near_and_far);
    gather_and_scatter(&mut cases, &[24, 128, 256, 184], on_few_sets);
    gather_and_scatter(&mut cases, &last, medium);
    gather_and_scatter(&mut cases, &usual, rest);
    gather_and_scatter(&mut cases, &other, rest);
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
