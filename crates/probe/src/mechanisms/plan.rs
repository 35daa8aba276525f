//! The shapes to measure, their mechanisms, and their order.

use crate::Kernel;
use crate::Stimulus;
use fathom_profile::mechanism::{filled_by, is_crowded, mechanisms, Direction, Shape};
use fathom_profile::{names, Claim};

/// A shape, its sizes, and the mechanisms that can move it.
pub struct Case {
    pub decision: &'static str,
    pub direction: Direction,
    /// Bytes; a contiguous transfer has elements of 1.
    pub element: u64,
    /// Bytes from one element to the next if they are not contiguous.
    pub stride: u64,
    /// Whether the decision depends on the stride.
    pub asks_stride: bool,
    /// Sizes of the payload.
    pub bytes: Vec<u64>,
    pub mechanisms: &'static [&'static str],
}

/// The longest transfer in place (runtime/lang/copy.h).
pub const MOST_IN_PLACE: u64 = 32;
/// The length of a sample, unless one movement takes longer.
const SAMPLE_US: u64 = 60;
/// The most memory that a strided movement spans: more than the last cache supplies.
const MOST_SPAN: u64 = 96 << 20;
/// The most memory that it fills: more than the usual share of a last cache. Longer movements take longer without new
/// results.
const MOST_FILLED: u64 = 32 << 20;
/// The most elements of a list of places, because the list takes as much memory as the elements.
const MOST_PLACES: u64 = 1 << 19;

impl Case {
    /// Bytes of memory from the first element to the last.
    pub fn span(&self, bytes: u64) -> u64 {
        bytes / self.element * self.stride
    }

    pub fn shape(&self) -> Shape {
        Shape { element: self.element, stride: self.asks_stride.then_some(self.stride), direction: self.direction }
    }

    /// `place` selects other pages, because some pages fill the sets of a cache more evenly than others.
    pub fn stimulus(&self, mechanism: &'static str, bytes: u64, place: usize) -> Stimulus {
        Stimulus::new(Kernel::Mechanism)
            .word("decision", self.decision)
            .word("take", mechanism)
            .word("direction", self.direction.word())
            .with("element", self.element)
            .with("stride", self.stride)
            .with("bytes", bytes)
            .with("place", place as u64)
            .with("sample_us", SAMPLE_US)
    }
}

fn contiguous(direction: Direction, bytes: &[u64]) -> Case {
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

/// The capacities of a processor's own caches, at which the fastest mechanism changes.
#[derive(Clone, Copy)]
pub struct Caches {
    pub l1_bytes: u64,
    pub l2_bytes: u64,
}

impl Caches {
    /// The capacities that the machine's system claims; usual ones if it makes no claim.
    pub fn claimed(claims: &[Claim]) -> Self {
        let claimed = |level, usual| {
            let name = names::claim_of_cache(level, "bytes");
            claims.iter().find(|c| c.name == name).map_or(usual, |c| c.value as u64)
        };
        let l1_bytes = claimed(1, 32 << 10).max(4 << 10);
        Self { l1_bytes, l2_bytes: claimed(2, 1 << 20).max(4 * l1_bytes) }
    }

    /// The bytes that movements fill. Around the capacity of a cache they lie close together, one inside it and one
    /// beyond, which locates its overflow closely; between caches a few are enough.
    fn fills(self) -> [f64; 9] {
        let (l1, l2) = (self.l1_bytes as f64, self.l2_bytes as f64);
        let between = (l1 * l2).sqrt();
        [l1 / 8.0, l1 / 3.0, l1 * 0.75, l1 * 1.15, l1 * 1.7, between, l2 * 0.75, l2 * 1.5, l2 * 4.0]
    }
}

/// A decision, and the direction that it is measured in.
type Side = (&'static str, Direction);

/// Cases in the order of their requests.
struct Cases {
    caches: Caches,
    cases: Vec<Case>,
}

impl Cases {
    fn add(&mut self, side: Side, element: u64, stride: u64, asks_stride: bool) {
        let case = self.spread(side, element, stride, asks_stride);
        self.cases.push(case);
    }

    /// Payloads of a few elements, payloads that fill caches, and the longest. Counts leave a remainder where many
    /// elements are moved at a time.
    fn spread(&self, (decision, direction): Side, element: u64, stride: u64, asks_stride: bool) -> Case {
        // Elements of a list are apart on one side.
        let filled = filled_by(if asks_stride { decision } else { "gather" }, element, Some(stride));
        // Beyond a processor's own caches, sets are spread over the whole cache.
        let crowding = if asks_stride && is_crowded(element, stride) { filled / (2 * element.max(64)) } else { 1 };
        let most = (MOST_SPAN / stride).min(MOST_FILLED / filled * crowding);
        let most = if decision.ends_with("indexed") { most.min(MOST_PLACES) } else { most };
        let of_caches = self.caches.fills().map(|bytes| (bytes / filled as f64) as u64);
        let mut counts: Vec<u64> =
            of_caches.into_iter().chain([9, 45, most]).filter(|n| *n >= 9 && *n <= most).collect();
        counts.iter_mut().filter(|n| **n >= 16).for_each(|n| *n = *n / 16 * 16 + 7);
        counts.sort_unstable();
        // Two nearly equal sizes show no more than one.
        counts.dedup_by(|b, a| *b < *a * 5 / 4);
        let bytes = counts.iter().map(|n| n * element).collect();
        Case { decision, direction, element, stride, asks_stride, bytes, mechanisms: mechanisms(decision, element) }
    }

    fn gather_and_scatter(&mut self, elements: &[u64], strides: fn(u64) -> Vec<u64>) {
        for &element in elements {
            for stride in strides(element) {
                let stride = as_aligned(element, stride);
                self.add(("gather", Direction::Get), element, stride, true);
                self.add(("scatter", Direction::Put), element, stride, true);
            }
        }
    }

    fn indexed(&mut self, element: u64) {
        self.add(("put-indexed", Direction::Put), element, 2 * element, false);
        self.add(("get-indexed", Direction::Get), element, 2 * element, false);
    }

    /// Squares: the stride is a row, which grows with the size.
    fn transpose(&mut self, element: u64) {
        let mut case = self.spread(("transpose", Direction::Put), element, element, false);
        case.bytes = SIDES.iter().map(|side| side * side * element).collect();
        self.cases.push(case);
    }

    fn strided(&mut self, element: u64, strides: &[u64]) {
        for stride in strides {
            self.add(("strided", Direction::Put), element, as_aligned(element, *stride), true);
        }
    }
}

/// Elements whose size is not a power of two lie in lines differently: their strides are mostly multiples of their
/// alignment, so some of them cross a line boundary.
fn as_aligned(element: u64, stride: u64) -> u64 {
    if element.is_power_of_two() || stride.is_multiple_of(element) || is_crowded(element, stride) {
        stride
    } else {
        stride + (1 << element.trailing_zeros())
    }
}

/// Sides of squares: rows of whole lines, as in most matrices, so that two rows sometimes fall on one set of a cache;
/// powers of two would all fall on the same set.
const SIDES: [u64; 9] = [9, 23, 48, 80, 112, 208, 368, 784, 1520];

/// Neighbours of an element, and lines in other pages. Strides beyond a line are odd numbers of lines, which reach all
/// sets of a cache.
fn near_and_far(element: u64) -> Vec<u64> {
    let mut strides = vec![2 * element, 5184];
    if element < 16 {
        // Every second element can be loaded with vectors, which no other stride allows.
        strides.push(5 * element);
    }
    strides
}
/// Lines in the same page, and elements in one line or two.
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

/// Often strides of matrix rows, whose elements all fall on few sets of a cache: an eighth of them, and fewer.
fn on_few_sets(element: u64) -> Vec<u64> {
    let all = [2560, 10240, 20480];
    all.into_iter().filter(|stride| is_crowded(element, *stride)).collect()
}

/// The cases by importance: common shapes first, then refinements.
pub fn cases(caches: Caches) -> Vec<Case> {
    let small = [1, 2, 4, 8, 16, 24, 32, 64];
    // The sizes are not powers of two, and every second one is not a whole number of words: programs seldom move such
    // sizes, and they are aligned better than all others.
    let whole: Vec<u64> = small.into_iter().chain((7..=24).map(|k| (1u64 << k) / 80 * 104 + 5 * (k % 2))).collect();
    let first = vec![contiguous(Direction::Put, &whole), contiguous(Direction::Get, &whole)];
    let mut cases = Cases { caches, cases: first };
    // Powers of two are classes of their own, and so are the ranges between them (runtime/core/tuning.h).
    let (usual, other, between, last) = ([8, 64], [4, 16, 32], [24, 40, 12], [256, 2, 184, 128, 88, 1]);
    cases.gather_and_scatter(&usual, near_and_far);
    cases.indexed(8);
    cases.transpose(8);
    cases.gather_and_scatter(&other, near_and_far);
    cases.gather_and_scatter(&usual, medium);
    cases.indexed(64);
    cases.strided(8, &[16, 5184]);
    cases.gather_and_scatter(&between, near_and_far);
    cases.gather_and_scatter(&last[..3], near_and_far);
    cases.gather_and_scatter(&usual, on_few_sets);
    cases.transpose(4);
    cases.transpose(16);
    cases.gather_and_scatter(&other, medium);
    for element in [4, 16, 32, 24, 40, 256, 12, 2, 128, 88, 184] {
        cases.indexed(element);
    }
    for element in [64, 16, 24, 40, 32] {
        cases.strided(element, &[2 * element, 5184]);
    }
    cases.transpose(64);
    for element in [8, 64, 16, 24, 40, 32] {
        cases.strided(element, &[704]);
    }
    cases.gather_and_scatter(&other, on_few_sets);
    for element in [8, 64, 24] {
        cases.strided(element, &on_few_sets(element));
    }
    for element in [256, 2, 184] {
        cases.strided(element, &[2 * element, 5184]);
    }
    cases.gather_and_scatter(&between, medium);
    cases.gather_and_scatter(&last[3..], near_and_far);
    cases.gather_and_scatter(&[24, 128, 256, 184], on_few_sets);
    cases.gather_and_scatter(&last, medium);
    cases.gather_and_scatter(&usual, rest);
    cases.gather_and_scatter(&other, rest);
    cases.cases
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A simulated machine has its own caches, independent of the computer that runs this test.
    #[test]
    fn sizes_follow_the_caches_that_are_claimed() {
        let claim = |level, value| Claim { name: names::claim_of_cache(level, "bytes"), value, source: String::new() };
        let sizes = |l2: f64| {
            let cases = cases(Caches::claimed(&[claim(1, 8192.0), claim(2, l2)]));
            cases.into_iter().find(|c| c.decision == "gather").map(|c| c.bytes)
        };
        assert_ne!(sizes(65536.0), sizes(4194304.0));
        assert_eq!(sizes(65536.0), sizes(65536.0));
    }

    #[test]
    fn no_point_is_planned_twice() {
        let mut seen = std::collections::BTreeSet::new();
        let mut points = 0;
        for case in cases(Caches::claimed(&[])) {
            for bytes in &case.bytes {
                points += case.mechanisms.len();
                assert!(
                    seen.insert((case.decision, case.shape(), *bytes)),
                    "{} {:?} {bytes}",
                    case.decision,
                    case.shape()
                );
            }
        }
        assert!(points > 500, "{points}");
    }
}
