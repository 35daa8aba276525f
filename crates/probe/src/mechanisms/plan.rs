//! Which shapes are measured by which mechanisms, in which order.

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
/// The memory that a strided shape spans: from within the first cache to beyond what the last one gives.
const SPANS: [u64; 8] = [1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26];
const BETWEEN: [u64; 6] = [1 << 15, 1 << 17, 1 << 19, 1 << 21, 1 << 23, 1 << 25];

impl Case {
    /// The name of its series.
    pub fn shape(&self) -> String {
        let stride = if self.asks_stride { format!(" stride={}", self.stride) } else { String::new() };
        format!("element={}{stride} {}", self.element, self.direction)
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
    matches!(decision, "gather" | "scatter" | "strided" | "indexed" | "transpose")
}

/// The mechanisms of a decision for elements of so many bytes; the default first.
pub fn mechanisms(decision: &str, element: u64) -> &'static [&'static str] {
    match (decision, element) {
        ("contiguous", _) => &["library", "in-place", "string", "stream"],
        ("transpose", _) => &["loop", "tiles"],
        ("gather" | "scatter", 4 | 8) => &["loop", "prefetch", "vector"],
        ("gather" | "scatter", 64..) => &["wide", "loop", "prefetch", "stream"],
        ("strided" | "indexed", 32..) => &["wide", "loop", "prefetch"],
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

/// Payloads of the spans, of at least 8 elements.
fn spread(
    decision: &'static str,
    direction: &'static str,
    (element, stride): (u64, u64),
    asks_stride: bool,
    spans: &[u64],
) -> Case {
    let payload = |span: &u64| span / stride * element;
    let bytes = spans.iter().map(payload).filter(|b| *b >= 8 * element).collect();
    let mechanisms = mechanisms(decision, element);
    Case { decision, direction, element, stride, asks_stride, bytes, mechanisms }
}

/// Squares: the stride is a row, and grows with the size.
fn transpose(element: u64, spans: &[u64]) -> Case {
    spread("transpose", "put", (element, element), false, spans)
}

/// Gather and scatter of elements at strides.
fn strided(elements: &[u64], strides: fn(u64) -> Vec<u64>, spans: &[u64]) -> Vec<Case> {
    let mut cases = vec![];
    for &element in elements {
        for stride in strides(element) {
            for (decision, direction) in [("gather", "get"), ("scatter", "put")] {
                cases.push(spread(decision, direction, (element, stride), true, spans));
            }
        }
    }
    cases
}

fn near_and_far(element: u64) -> Vec<u64> {
    vec![2 * element, 512, 4096]
}

fn medium(element: u64) -> Vec<u64> {
    vec![(4 * element).max(64), 1024, 16384].into_iter().filter(|s| *s != 2 * element).collect()
}

fn all(element: u64) -> Vec<u64> {
    near_and_far(element).into_iter().chain(medium(element)).collect()
}

/// What is measured first, then what makes it finer.
pub fn rounds() -> Vec<Vec<Case>> {
    let small = [1, 2, 4, 8, 16, 24, 32, 64];
    let powers = |from: u32, to: u32, step: usize| (from..=to).step_by(step).map(|k| 1u64 << k).collect::<Vec<_>>();
    let whole = [&small[..], &powers(8, 24, 2)].concat();
    let indexed = |element: u64, spans: &[u64]| {
        ["put", "get"].map(|direction| spread("indexed", direction, (element, 2 * element), false, spans))
    };
    let doubles = |element: u64, spans: &[u64]| {
        vec![2 * element, 512, 4096]
            .into_iter()
            .map(|s| spread("strided", "put", (element, s), true, spans))
            .collect::<Vec<_>>()
    };
    let coarse = [&SPANS[..]].concat();

    let mut first = vec![contiguous("put", &whole), contiguous("get", &whole)];
    first.extend(strided(&[8, 64], near_and_far, &coarse));
    first.extend(indexed(8, &coarse));
    first.push(transpose(8, &coarse));

    let mut second = strided(&[4, 16], near_and_far, &coarse);
    second.extend(indexed(64, &coarse));
    second.extend(doubles(8, &coarse));
    second.extend([transpose(4, &coarse), transpose(16, &coarse), transpose(64, &coarse)]);

    let mut third = strided(&[4, 8, 16, 64], medium, &coarse);
    third.extend(doubles(64, &coarse));
    third.extend(doubles(16, &coarse));
    third.extend(indexed(16, &coarse));
    third.extend(indexed(4, &coarse));

    let between = powers(9, 23, 2);
    let mut fourth = vec![contiguous("put", &between), contiguous("get", &between)];
    fourth.extend(strided(&[4, 8, 16, 64], all, &BETWEEN));
    for element in [4, 8, 16, 64] {
        fourth.extend(indexed(element, &BETWEEN));
        fourth.extend(doubles(element, &BETWEEN));
        fourth.push(transpose(element, &BETWEEN));
    }
    vec![first, second, third, fourth]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_read_as_it_was_written() {
        for case in rounds().into_iter().flatten() {
            let stride = case.asks_stride.then_some(case.stride);
            assert_eq!(parse_shape(&case.shape()), Some((case.element, stride, case.direction)));
        }
        assert_eq!(parse_shape("nonsense=1 put"), None);
    }

    #[test]
    fn no_point_is_planned_twice() {
        let mut seen = std::collections::BTreeSet::new();
        let mut points = 0;
        for case in rounds().into_iter().flatten() {
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
        assert!(points > 500);
    }
}
