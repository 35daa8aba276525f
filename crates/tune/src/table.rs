//! The tuning table of a profile: for every decision and every measured shape, the mechanisms with their ranges of
//! sizes, and the reasons. A shape represents the shapes around it, and its measurements also count, with less weight,
//! when its neighbours are decided. The format is docs/tuning.md's, the reader runtime/core/tuning.c.

use crate::time::nanoseconds;
use fathom_model::choice::{choose_among, line, Choice, Neighbour, Range, Rules, TimeLaw};
use fathom_profile::mechanism::{aligned, asks_element, filled_by, is_crowded, mechanisms, Direction, Subject};
use fathom_profile::Profile;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The first line of a table, with the version that the runtime reads (CORE_TABLE_VERSION).
pub const HEADING: &str = "# fathom tuning table 2";

/// The classes that the runtime distinguishes (runtime/core/tuning.h): of strides, by powers of two; of elements, each
/// power of two and each interval between two of them.
const STRIDE_CLASSES: u32 = 15;
const ELEMENT_CLASSES: u32 = 17;
/// Strides that reach few sets of a cache are in classes of their own, by the power of two that divides them: the least
/// one, and the number of classes.
const FIRST_ALIGNED: u64 = 512;
const ALIGNED_CLASSES: u32 = 4;

pub struct Table {
    pub conduit: String,
    /// The profile's machine, and when it was taken.
    pub source: String,
    pub decisions: Vec<Decision>,
}

/// First and last, in bytes; without a last one the span has no end.
pub type Span = (u64, Option<u64>);

/// The decision for a shape: a line of the table, or one for each span of elements.
pub struct Decision {
    pub name: String,
    /// The measured shape. It has no stride if the decision does not depend on one.
    pub element: u64,
    pub stride: Option<u64>,
    /// The shapes that it represents; None: all.
    pub elements: Vec<Span>,
    pub strides: Option<Span>,
    /// `strides` are powers of two; the decision is for strides that are multiples of these and so reach few sets of a
    /// cache.
    pub is_crowded: bool,
    pub laws: Vec<TimeLaw>,
    pub choice: Choice,
}

/// The points of one shape, by mechanism and direction.
type Measured = BTreeMap<String, BTreeMap<Direction, Vec<(f64, f64)>>>;

/// A measured shape, and its laws.
struct Shape {
    decision: String,
    element: u64,
    stride: Option<u64>,
    laws: Vec<TimeLaw>,
}

/// The table that follows from a profile. It has no decisions if the mechanisms were not measured.
pub fn table(profile: &Profile, rules: Rules) -> Table {
    let shapes = shapes(profile);
    let mut decisions: Vec<Decision> = vec![];
    let mut done = BTreeSet::new();
    for shape in &shapes {
        if !done.insert((&shape.decision, shape.is_crowded(), element_class(shape.element))) {
            continue;
        }
        let of_kind = shapes.iter().filter(|s| s.decision == shape.decision && s.is_crowded() == shape.is_crowded());
        let elements: BTreeSet<u64> = of_kind.map(|s| s.element).collect();
        let asks = asks_element(&shape.decision);
        let elements = if asks { nearest_elements(shape.element, &elements) } else { vec![] };
        let first = decisions.len();
        for strides in shape.classes() {
            let Some(decision) = decide(shape, &elements, strides, &shapes, rules) else { continue };
            match decisions[first..].last_mut() {
                Some(before) if before.is_nearly(&decision) => before.widen(decision),
                _ => decisions.push(decision),
            }
        }
    }
    // Later lines count: those of powers of two, and of strides that are crowded.
    decisions.sort_by_key(|d| (d.name.clone(), d.is_crowded, d.element.is_power_of_two(), d.element, d.strides));
    let about = &profile.about;
    let conduit = if about.conduit.is_empty() { "smp".to_string() } else { about.conduit.clone() };
    let source = format!("{}, {} effort, taken {} s after 1970", about.machine, about.effort, about.taken_unix_s);
    Table { conduit, source, decisions }
}

/// Decides for elements like a shape's, and a class of strides: by the measurements of such elements with the nearest
/// stride, and with less weight by those of other strides nearby.
fn decide(of: &Shape, elements: &[Span], strides: Option<Span>, shapes: &[Shape], rules: Rules) -> Option<Decision> {
    // The middle of the class; but there are no strides shorter than the element.
    let middle = strides.map(|(from, to)| {
        if of.is_crowded() {
            return from as f64;
        }
        let from = from.max(of.element);
        ((from * to.map_or(2 * from, |t| (t + 1).max(2 * of.element))) as f64).sqrt()
    });
    let class = |s: &Shape| (s.is_crowded(), element_class(s.element));
    let like = shapes.iter().filter(|s| s.decision == of.decision && class(s) == class(of));
    let weighed: Vec<(&Shape, f64)> = like.map(|s| (s, s.weight(middle))).collect();
    let &(nearest, most) = weighed.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let neighbours = weighed.iter().filter(|(s, w)| !std::ptr::eq(*s, nearest) && *w >= LEAST_WEIGHT * most);
    let neighbours: Vec<Neighbour> = neighbours.map(|(s, w)| Neighbour { laws: &s.laws, weight: w / most }).collect();
    Some(Decision {
        name: of.decision.clone(),
        element: nearest.element,
        stride: nearest.stride,
        elements: elements.to_vec(),
        strides,
        is_crowded: of.is_crowded(),
        choice: choose_among(&nearest.laws, &neighbours, rules)?,
        laws: nearest.laws.clone(),
    })
}

fn shapes(profile: &Profile) -> Vec<Shape> {
    let mut shapes: BTreeMap<(String, u64, Option<u64>), Measured> = BTreeMap::new();
    for (decision, mechanism, subject, series) in profile.mechanisms() {
        let Subject::Shape(shape) = subject else { continue };
        let of_shape = shapes.entry((decision.to_string(), shape.element, shape.stride)).or_default();
        let filled = filled_by(decision, shape.element, shape.stride) as f64;
        let points = series.points.iter().map(|p| ((p.x / shape.element as f64).round() * filled, p.y)).collect();
        of_shape.entry(mechanism.to_string()).or_default().insert(shape.direction, points);
    }
    let shape = |((decision, element, stride), measured): ((String, u64, Option<u64>), Measured)| {
        let laws = laws(&decision, element, measured);
        Shape { decision, element, stride, laws }
    };
    shapes.into_iter().map(shape).collect()
}

/// At a distance of one power of two between strides a shape has 14 % of the weight that it has at its own stride.
const REACH: f64 = 0.5;
/// Shapes with less than this share of the nearest shape's weight are ignored.
const LEAST_WEIGHT: f64 = 0.05;

impl Shape {
    fn is_crowded(&self) -> bool {
        self.stride.is_some_and(|stride| is_crowded(self.element, stride))
    }

    /// The classes of strides of its kind: first and last.
    fn classes(&self) -> Vec<Option<Span>> {
        if self.stride.is_none() {
            return vec![None];
        }
        let (count, first) = if self.is_crowded() { (ALIGNED_CLASSES, FIRST_ALIGNED) } else { (STRIDE_CLASSES, 1) };
        let last = |from: u64| if self.is_crowded() { from } else { 2 * from - 1 };
        (0..count).map(|k| Some((first << k, (k + 1 < count).then(|| last(first << k))))).collect()
    }

    /// The weight of this shape for another stride (for a crowded one: for another power of two), which falls with the
    /// distance.
    fn weight(&self, stride: Option<f64>) -> f64 {
        let own = self.stride.map(|s| if self.is_crowded() { aligned(s) } else { s });
        let octaves = own.zip(stride).map_or(0.0, |(a, b)| (a as f64 / b).log2());
        (-(octaves / REACH).powi(2) / 2.0).exp()
    }
}

/// Decisions whose thresholds differ by less than this factor share a line.
const NEARLY: f64 = 1.25;

impl Decision {
    /// Are the mechanisms the same, with about the same thresholds?
    fn is_nearly(&self, other: &Decision) -> bool {
        let alike = |(a, b): (&Range, &Range)| {
            let ratio = a.below.zip(b.below).map_or(1.0, |(a, b)| a as f64 / b as f64);
            a.mechanism == b.mechanism
                && a.below.is_some() == b.below.is_some()
                && (1.0 / NEARLY..NEARLY).contains(&ratio)
        };
        let (own, others) = (&self.choice.ranges, &other.choice.ranges);
        own.len() == others.len() && own.iter().zip(others).all(alike)
    }

    /// Extends this decision to the next class of strides; if only the latter was measured, its ranges are taken.
    fn widen(&mut self, next: Decision) {
        let within = |d: &Decision| {
            let own = d.stride.map(|s| if d.is_crowded { aligned(s) } else { s });
            own.zip(d.strides).is_some_and(|(s, (from, to))| s >= from && to.is_none_or(|t| s <= t))
        };
        let from = self.strides.map(|s| s.0);
        if !within(self) && within(&next) {
            *self = next;
        } else {
            self.strides = next.strides;
        }
        if let (Some(strides), Some(from)) = (&mut self.strides, from) {
            strides.0 = from;
        }
    }
}

/// The laws of a shape, the default mechanism's first. A time is the mean over the directions, which a table does not
/// distinguish.
fn laws(decision: &str, element: u64, measured: Measured) -> Vec<TimeLaw> {
    let order = mechanisms(decision, element);
    let rank = |m: &str| order.iter().position(|o| *o == m).unwrap_or(order.len());
    let mut laws: Vec<(usize, TimeLaw)> = measured
        .into_iter()
        .filter_map(|(mechanism, directions)| {
            let sizes: BTreeSet<u64> = directions.values().flatten().map(|p| p.0 as u64).collect();
            let laws = directions.into_values().map(|points| TimeLaw::new(&mechanism, points));
            let laws: Vec<TimeLaw> = laws.collect::<Option<_>>()?;
            let mean = |bytes: f64| {
                let ns: Vec<f64> = laws.iter().map(|l| l.ns(bytes)).collect::<Option<_>>()?;
                Some((bytes, ns.iter().sum::<f64>() / ns.len() as f64))
            };
            let points = sizes.into_iter().filter_map(|bytes| mean(bytes as f64)).collect();
            Some((rank(&mechanism), TimeLaw::new(&mechanism, points)?))
        })
        .collect();
    laws.sort_by_key(|l| l.0);
    laws.into_iter().map(|l| l.1).collect()
}

fn element_class(bytes: u64) -> u32 {
    (2 * bytes.max(1).ilog2() + u32::from(!bytes.is_power_of_two())).min(ELEMENT_CLASSES - 1)
}

/// The classes of elements that are nearest to this one, as spans. Powers of two are decided by measured powers of two,
/// however far, and other sizes by other measured sizes, if there are any, because the loops differ. The spans of the
/// latter contain powers of two, too, whose lines come later in the table.
fn nearest_elements(value: u64, measured: &BTreeSet<u64>) -> Vec<Span> {
    let middle = |class: u32| f64::from(class / 2) + if class % 2 == 1 { 1.5f64.log2() } else { 0.0 };
    let distance = |class: u32, element: u64| {
        let other_kind = class % 2 != element_class(element) % 2;
        (middle(class) - (element as f64).log2()).abs() + if other_kind { f64::from(ELEMENT_CLASSES) } else { 0.0 }
    };
    let nearest = |class: u32| {
        measured.iter().copied().min_by(|a, b| distance(class, *a).total_cmp(&distance(class, *b)).then(b.cmp(a)))
    };
    let both = measured.iter().any(|m| m.is_power_of_two()) && measured.iter().any(|m| !m.is_power_of_two());
    // There is nothing between 1 and 2.
    let classes = (0..ELEMENT_CLASSES).filter(|c| *c != 1 && !(both && !value.is_power_of_two() && c % 2 == 0));
    let mut spans: Vec<(u32, u32)> = vec![];
    let mut before = None;
    for class in classes {
        if nearest(class).is_some_and(|n| element_class(n) == element_class(value)) {
            match spans.last_mut() {
                Some(span) if before == Some(span.1) => span.1 = class,
                _ => spans.push((class, class)),
            }
        }
        before = Some(class);
    }
    let first = |c: u32| (1u64 << (c / 2)) + u64::from(c % 2);
    let last = |c: u32| if c % 2 == 1 { (1u64 << (c / 2 + 1)) - 1 } else { 1 << (c / 2) };
    spans.iter().map(|&(a, b)| (first(a), (b + 1 < ELEMENT_CLASSES).then(|| last(b)))).collect()
}

/// ` stride=8..15`; empty if the line is for all.
fn key(name: &str, span: Option<Span>) -> String {
    match span {
        None | Some((1, None)) => String::new(),
        Some((from, None)) => format!(" {name}={from}.."),
        Some((from, Some(to))) if from == to => format!(" {name}={from}"),
        Some((from, Some(to))) => format!(" {name}={from}..{to}"),
    }
}

impl Decision {
    /// Bytes of payload of the measured shape / the bytes that the table counts for it.
    pub fn payload_share(&self) -> f64 {
        let element = self.element.max(1);
        element as f64 / filled_by(&self.name, element, self.stride) as f64
    }

    /// The text of the table, without the reason.
    pub fn lines(&self) -> Vec<String> {
        let of = |elements: Option<Span>| {
            let stride = if self.is_crowded { "aligned" } else { "stride" };
            let keys = key("element", elements) + &key(stride, self.strides);
            format!("{}{keys}: {}", self.name, line(&self.choice.ranges))
        };
        if self.elements.is_empty() {
            return vec![of(None)];
        }
        self.elements.iter().map(|span| of(Some(*span))).collect()
    }

    /// The predictions, in a few words.
    pub fn reason(&self) -> String {
        let ranges = self.choice.ranges.iter().map(|r| {
            let own = r.predicted_ns.iter().find(|p| p.0 == r.mechanism).map_or(f64::NAN, |p| p.1);
            let others: Vec<String> = (r.predicted_ns.iter())
                .filter(|p| p.0 != r.mechanism)
                .map(|(other, ns)| format!("{other} {:.2} x", ns / own))
                .collect();
            let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
            format!("{} B: {} {}{others}", r.at, r.mechanism, nanoseconds(own))
        });
        ranges.collect::<Vec<_>>().join("; ")
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{HEADING}")?;
        writeln!(f, "# From {}.", self.source)?;
        writeln!(
            f,
            "# Sizes are bytes of payload, or of cache for lines with a stride; each comment has the predictions for \
             the middle of the line's ranges."
        )?;
        writeln!(f, "conduit {}", self.conduit)?;
        for d in &self.decisions {
            for line in d.lines() {
                writeln!(f, "{line:72} # {}", d.reason())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_profile::mechanism::Shape;
    use fathom_profile::{Curve, Reading, Series};

    fn series(element: u64, stride: Option<u64>, direction: Direction, ns: impl Fn(f64) -> f64) -> Series {
        let points = (8..25).map(|k| f64::from(1u32 << k));
        let points = points.map(|x| Reading { x, y: ns(x), low: ns(x), high: ns(x), samples: 7, outliers: 0 });
        Series::of(Subject::Shape(Shape { element, stride, direction }), points.collect())
    }

    fn profile(curves: Vec<(&str, Vec<Series>)>) -> Profile {
        let curve = |(name, series): (&str, Vec<Series>)| Curve {
            name: name.into(),
            title: String::new(),
            x: "bytes".into(),
            y: "ns".into(),
            log_x: true,
            log_y: true,
            series,
        };
        Profile { curves: curves.into_iter().map(curve).collect(), ..Profile::empty("m") }
    }

    /// What the area `queues` measures becomes a line as what `mechanisms` measures does; runtime/msg/choice.c reads it.
    #[test]
    fn queues_have_a_line_of_their_own() {
        let points = |ns: fn(f64) -> f64| {
            let points = [16.0, 32.0, 64.0, 160.0, 512.0, 1024.0];
            let reading = |x| Reading { x, y: ns(x), low: ns(x), high: ns(x), samples: 7, outliers: 0 };
            let shape = Shape { element: 1, stride: None, direction: Direction::Put };
            vec![Series::of(Subject::Shape(shape), points.into_iter().map(reading).collect())]
        };
        let both = |copy: fn(f64) -> f64| {
            let p = profile(vec![
                ("mechanisms.msg-send.tag-on", points(|_| 150.0)),
                ("mechanisms.msg-send.copy", points(copy)),
            ]);
            table(&p, Rules::default()).decisions[0].lines().remove(0)
        };
        // They cross at 100 bytes.
        let line = both(|n| 100.0 + n / 2.0);
        let below: u64 =
            line.strip_prefix("msg-send: copy < ").unwrap().strip_suffix(", tag-on").unwrap().parse().unwrap();
        assert!((90..=110).contains(&below), "{line}");
        assert_eq!(both(|n| 160.0 + n), "msg-send: tag-on");
        assert_eq!(both(|_| 50.0), "msg-send: copy");
    }

    #[test]
    fn a_shape_speaks_for_its_neighbours() {
        let fast = |n: f64| 100.0 + n / 20.0;
        let slow = |n: f64| 100.0 + n / 10.0;
        let p = profile(vec![
            (
                "mechanisms.gather.loop",
                vec![
                    series(8, Some(16), Direction::Get, fast),
                    series(8, Some(96), Direction::Get, slow),
                    series(64, Some(128), Direction::Get, fast),
                ],
            ),
            (
                "mechanisms.gather.prefetch",
                vec![
                    series(8, Some(16), Direction::Get, slow),
                    series(8, Some(96), Direction::Get, fast),
                    series(64, Some(128), Direction::Get, slow),
                ],
            ),
            ("memory.chase", vec![series(8, None, Direction::Get, fast)]),
        ]);
        let lines: Vec<String> = table(&p, Rules::default()).decisions.iter().flat_map(Decision::lines).collect();
        assert_eq!(
            lines,
            [
                "gather element=1..16 stride=1..31: loop",
                "gather element=1..16 stride=32..: prefetch",
                "gather element=17..: loop",
            ]
        );
    }

    #[test]
    fn strides_that_reach_few_sets_are_decided_by_what_was_measured_of_such() {
        let fast = |n: f64| 100.0 + n / 20.0;
        let slow = |n: f64| 100.0 + n / 10.0;
        let of = |alike: fn(f64) -> f64, crowded: fn(f64) -> f64| {
            vec![series(8, Some(704), Direction::Get, alike), series(8, Some(10240), Direction::Get, crowded)]
        };
        let p =
            profile(vec![("mechanisms.gather.loop", of(fast, slow)), ("mechanisms.gather.prefetch", of(slow, fast))]);
        let lines: Vec<String> = table(&p, Rules::default()).decisions.iter().flat_map(Decision::lines).collect();
        assert_eq!(lines, ["gather: loop", "gather aligned=512..: prefetch"]);
    }

    #[test]
    fn powers_of_two_and_what_is_between_them_speak_for_their_own_kind() {
        let measured = BTreeSet::from([8, 24, 64]);
        let spans = |value| nearest_elements(value, &measured);
        assert_eq!(spans(8), [(1, Some(2)), (4, Some(4)), (8, Some(8)), (16, Some(16))]);
        assert_eq!(spans(24), [(3, Some(255))]);
        assert_eq!(spans(64), [(32, Some(32)), (64, Some(64)), (128, Some(128)), (256, None)]);
        assert_eq!(nearest_elements(16, &BTreeSet::from([16])), [(1, None)]);
    }

    #[test]
    fn classes_are_those_of_the_runtime() {
        let elements = [1, 2, 3, 4, 5, 7, 8, 255, 256, 1000].map(element_class);
        assert_eq!(elements, [0, 2, 3, 4, 5, 5, 6, 15, 16, 16]);
    }

    #[test]
    fn directions_count_alike() {
        let p = profile(vec![
            (
                "mechanisms.contiguous.library",
                vec![series(1, None, Direction::Put, |n| n), series(1, None, Direction::Get, |n| n)],
            ),
            (
                "mechanisms.contiguous.stream",
                vec![series(1, None, Direction::Put, |n| n * 0.7), series(1, None, Direction::Get, |n| n * 1.4)],
            ),
        ]);
        let t = table(&p, Rules::default());
        assert_eq!(t.decisions[0].lines(), ["contiguous: library"]);
        assert!(t.decisions[0].reason().contains("stream 1.05 x"), "{}", t.decisions[0].reason());
        assert!(t.to_string().starts_with(HEADING));
    }

    #[test]
    fn a_profile_without_mechanisms_decides_nothing() {
        assert!(table(&profile(vec![]), Rules::default()).decisions.is_empty());
    }
}
