//! The tuning table of a profile: for every decision and every shape that was measured, which mechanism from which size
//! on, and why; a shape speaks for those around it, and is heard where its neighbours are decided. The format is
//! docs/tuning.md's, the reader runtime/core/tuning.c.

use super::plan;
use crate::profile::Profile;
use fathom_model::choice::{choose_among, line, Choice, Law, Neighbour, Rules};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The first line of a table.
pub const HEADING: &str = "# fathom tuning table 1";

/// Classes of strides, by powers of two, and of elements, the powers of two and what is between them, that the runtime tells
/// apart (runtime/core/tuning.h).
const STRIDE_CLASSES: u32 = 15;
const ELEMENT_CLASSES: u32 = 17;

pub struct Table {
    pub conduit: String,
    /// What the profile is of, and when it was taken.
    pub source: String,
    pub decisions: Vec<Decision>,
}

/// First and last, in bytes; without an end where the last is none.
pub type Span = (u64, Option<u64>);

/// What was decided for a shape: a line of the table, or one for each span of elements.
pub struct Decision {
    pub name: String,
    /// The shape that was measured. A decision that does not ask for the stride has none.
    pub element: u64,
    pub stride: Option<u64>,
    /// The shapes that it speaks for; none: all.
    pub elements: Vec<Span>,
    pub strides: Option<Span>,
    pub laws: Vec<Law>,
    pub choice: Choice,
}

/// Of one shape: the points of each mechanism by direction.
type Measured = BTreeMap<String, BTreeMap<String, Vec<(f64, f64)>>>;

/// A shape that was measured, and its laws.
struct Shape {
    decision: String,
    element: u64,
    stride: Option<u64>,
    laws: Vec<Law>,
}

/// The table that follows from a profile. Empty of decisions where the mechanisms were not measured.
pub fn table(profile: &Profile, rules: Rules) -> Table {
    let shapes = shapes(profile);
    let decisions = shapes.iter().filter(|s| s.is_first_of_its_class(&shapes)).filter_map(|shape| {
        let neighbours: Vec<Neighbour> = shapes.iter().filter_map(|other| shape.neighbour(other)).collect();
        let choice = choose_among(&shape.laws, &neighbours, rules)?;
        let of_decision = || shapes.iter().filter(|s| s.decision == shape.decision);
        let elements: BTreeSet<u64> = of_decision().map(|s| s.element).collect();
        let strides: BTreeSet<u64> =
            of_decision().filter(|s| s.element == shape.element).filter_map(|s| s.stride).collect();
        let asks = plan::asks_element(&shape.decision);
        Some(Decision {
            name: shape.decision.clone(),
            element: shape.element,
            stride: shape.stride,
            elements: if asks { nearest_elements(shape.element, &elements) } else { vec![] },
            strides: shape.stride.map(|s| nearest_strides(s, &strides)),
            laws: shape.laws.clone(),
            choice,
        })
    });
    let about = &profile.about;
    let conduit = if about.conduit.is_empty() { "smp".to_string() } else { about.conduit.clone() };
    let source = format!("{}, {} effort, taken {} s after 1970", about.machine, about.effort, about.taken_unix_s);
    let mut decisions: Vec<Decision> = decisions.collect();
    // Later lines count: those of powers of two.
    decisions.sort_by_key(|d| (d.name.clone(), d.element.is_power_of_two(), d.element, d.stride));
    Table { conduit, source, decisions }
}

fn shapes(profile: &Profile) -> Vec<Shape> {
    let mut shapes: BTreeMap<(String, u64, Option<u64>), Measured> = BTreeMap::new();
    for curve in &profile.curves {
        let mut name = curve.name.splitn(3, '.');
        let (Some("mechanisms"), Some(decision), Some(mechanism)) = (name.next(), name.next(), name.next()) else {
            continue;
        };
        for series in &curve.series {
            let Some((element, stride, direction)) = plan::parse_shape(&series.name) else { continue };
            let of_shape = shapes.entry((decision.to_string(), element, stride)).or_default();
            let points = series.points.iter().map(|p| (p.x, p.y)).collect();
            of_shape.entry(mechanism.to_string()).or_default().insert(direction.to_string(), points);
        }
    }
    let shape = |((decision, element, stride), measured): ((String, u64, Option<u64>), Measured)| {
        let laws = laws(&decision, element, measured);
        Shape { decision, element, stride, laws }
    };
    shapes.into_iter().map(shape).collect()
}

/// At so many powers of two from a shape to another the other counts for 61 % of itself; at twice as many for 14 %.
const REACH: f64 = 1.0;
/// What counts for less is not asked.
const LEAST_WEIGHT: f64 = 0.05;

impl Shape {
    fn class(&self) -> (&str, u32, Option<u32>) {
        (&self.decision, element_class(self.element), self.stride.map(stride_class))
    }

    fn is_first_of_its_class(&self, shapes: &[Shape]) -> bool {
        shapes.iter().find(|s| s.class() == self.class()).is_some_and(|first| std::ptr::eq(first, self))
    }

    /// What another shape says about this one: the less the further it is, and nothing if it has other mechanisms.
    fn neighbour<'a>(&self, other: &'a Shape) -> Option<Neighbour<'a>> {
        let mechanisms = |s: &Shape| plan::mechanisms(&s.decision, s.element);
        if std::ptr::eq(self, other) || self.decision != other.decision || mechanisms(self) != mechanisms(other) {
            return None;
        }
        let octaves = |a: u64, b: u64| (a as f64 / b as f64).log2();
        let apart =
            octaves(self.element, other.element).hypot(octaves(self.stride.unwrap_or(1), other.stride.unwrap_or(1)));
        let weight = (-(apart / REACH).powi(2) / 2.0).exp();
        let scale = self.touched_per_byte() / other.touched_per_byte();
        (weight >= LEAST_WEIGHT).then_some(Neighbour { laws: &other.laws, weight, scale })
    }

    /// Bytes of memory that are moved between caches for a byte of payload, where elements lie apart: sizes are alike that
    /// fill a cache alike.
    fn touched_per_byte(&self) -> f64 {
        const LINE: u64 = 64;
        let apart = self.stride.unwrap_or(self.element).min(self.element.max(LINE));
        1.0 + apart as f64 / self.element as f64
    }
}

/// The laws of a shape, what serves without a table first. A time is the mean over the directions: a table does not tell
/// them apart.
fn laws(decision: &str, element: u64, measured: Measured) -> Vec<Law> {
    let order = plan::mechanisms(decision, element);
    let rank = |m: &str| order.iter().position(|o| *o == m).unwrap_or(order.len());
    let mut laws: Vec<(usize, Law)> = measured
        .into_iter()
        .filter_map(|(mechanism, directions)| {
            let mut at: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
            for (bytes, ns) in directions.values().flatten() {
                at.entry(*bytes as u64).or_default().push(*ns);
            }
            let full = directions.len();
            let mean = |v: &Vec<f64>| v.iter().sum::<f64>() / v.len() as f64;
            let points =
                at.iter().filter(|(_, v)| v.len() == full).map(|(bytes, v)| (*bytes as f64, mean(v))).collect();
            Some((rank(&mechanism), Law::new(&mechanism, points)?))
        })
        .collect();
    laws.sort_by_key(|l| l.0);
    laws.into_iter().map(|l| l.1).collect()
}

fn stride_class(bytes: u64) -> u32 {
    bytes.max(1).ilog2().min(STRIDE_CLASSES - 1)
}

fn element_class(bytes: u64) -> u32 {
    (2 * bytes.max(1).ilog2() + u32::from(!bytes.is_power_of_two())).min(ELEMENT_CLASSES - 1)
}

/// The classes of strides that are nearer to this one than to another that was measured; of two as near the greater has
/// it. The last class has no end.
fn nearest_strides(value: u64, measured: &BTreeSet<u64>) -> Span {
    let own = stride_class(value);
    let below = measured.iter().map(|m| stride_class(*m)).filter(|c| *c < own).max();
    let above = measured.iter().map(|m| stride_class(*m)).filter(|c| *c > own).min();
    let from = below.map_or(0, |b| (b + own).div_ceil(2));
    let to = above.map(|a| (own + a).div_ceil(2) - 1);
    (1 << from, to.map(|t| (1 << (t + 1)) - 1))
}

/// The classes of elements that are nearest to this one, as spans. A power of two is decided by another, however far, and
/// what is between them by what is, if such were measured: the loops differ. The spans of the latter hold powers of two, too:
/// the lines of those come later in the table.
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

/// ` stride=8..15`; nothing where it is for all.
fn key(name: &str, span: Option<Span>) -> String {
    match span {
        None | Some((1, None)) => String::new(),
        Some((from, None)) => format!(" {name}={from}.."),
        Some((from, Some(to))) if from == to => format!(" {name}={from}"),
        Some((from, Some(to))) => format!(" {name}={from}..{to}"),
    }
}

impl Decision {
    /// As the table has it, without the reason.
    pub fn lines(&self) -> Vec<String> {
        let of = |elements: Option<Span>| {
            let keys = key("element", elements) + &key("stride", self.strides);
            format!("{}{keys}: {}", self.name, line(&self.choice.ranges))
        };
        if self.elements.is_empty() {
            return vec![of(None)];
        }
        self.elements.iter().map(|span| of(Some(*span))).collect()
    }

    /// What was predicted, in a few words.
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

/// A time for people.
pub fn nanoseconds(ns: f64) -> String {
    match ns {
        n if n < 1e3 => format!("{n:.3} ns").replace(".000", ""),
        n if n < 1e6 => format!("{:.3} us", n / 1e3),
        n => format!("{:.3} ms", n / 1e6),
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{HEADING}")?;
        writeln!(f, "# From {}.", self.source)?;
        writeln!(
            f,
            "# Sizes are bytes of payload; behind each line stands what was predicted in the middle of its ranges."
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
    use crate::profile::{Curve, Reading, Series, FORMAT};
    use fathom_model::MachineFile;

    fn series(shape: &str, ns: impl Fn(f64) -> f64) -> Series {
        let points = (8..25).map(|k| f64::from(1u32 << k));
        let points = points.map(|x| Reading { x, y: ns(x), low: ns(x), high: ns(x), samples: 7, outliers: 0 });
        Series { name: shape.into(), points: points.collect() }
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
        Profile {
            format: FORMAT.into(),
            about: crate::profile::About::default(),
            values: vec![],
            curves: curves.into_iter().map(curve).collect(),
            fits: vec![],
            missing: vec![],
            claims: vec![],
            machine: toml::from_str::<MachineFile>("name = 'm'").unwrap(),
        }
    }

    #[test]
    fn a_shape_speaks_for_its_neighbours() {
        let fast = |n: f64| 100.0 + n / 20.0;
        let slow = |n: f64| 100.0 + n / 10.0;
        let p = profile(vec![
            (
                "mechanisms.gather.loop",
                vec![
                    series("element=8 stride=16 get", fast),
                    series("element=8 stride=512 get", slow),
                    series("element=64 stride=128 get", fast),
                ],
            ),
            (
                "mechanisms.gather.prefetch",
                vec![
                    series("element=8 stride=16 get", slow),
                    series("element=8 stride=512 get", fast),
                    series("element=64 stride=128 get", slow),
                ],
            ),
            ("memory.chase", vec![series("x", fast)]),
        ]);
        let lines: Vec<String> = table(&p, Rules::default()).decisions.iter().flat_map(Decision::lines).collect();
        assert_eq!(
            lines,
            [
                "gather element=1..16 stride=1..127: loop",
                "gather element=1..16 stride=128..: prefetch",
                "gather element=17..: loop",
            ]
        );
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
        assert_eq!([1, 2, 3, 4, 16383, 16384, 1 << 30].map(stride_class), [0, 1, 1, 2, 13, 14, 14]);
    }

    #[test]
    fn directions_count_alike() {
        let p = profile(vec![
            ("mechanisms.contiguous.library", vec![series("element=1 put", |n| n), series("element=1 get", |n| n)]),
            (
                "mechanisms.contiguous.stream",
                vec![series("element=1 put", |n| n * 0.7), series("element=1 get", |n| n * 1.4)],
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
