//! The tuning table of a profile: for every decision and every shape that was measured, which mechanism from which size
//! on, and why; a shape speaks for those around it. The format is docs/tuning.md's, the reader runtime/core/tuning.c.

use super::plan;
use crate::profile::Profile;
use fathom_model::choice::{choose, line, Choice, Law, Rules};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

/// The first line of a table.
pub const HEADING: &str = "# fathom tuning table 1";

/// Classes of elements and of strides, by powers of two, that the runtime tells apart (runtime/core/tuning.h).
const ELEMENT_CLASSES: u32 = 9;
const STRIDE_CLASSES: u32 = 15;

pub struct Table {
    pub conduit: String,
    /// What the profile is of, and when it was taken.
    pub source: String,
    pub decisions: Vec<Decision>,
}

/// A line of the table.
pub struct Decision {
    pub name: String,
    /// The shape that was measured. A decision that does not ask for the stride has none.
    pub element: u64,
    pub stride: Option<u64>,
    /// The shapes that it speaks for, in bytes, first and last; None: all.
    pub elements: Option<(u64, Option<u64>)>,
    pub strides: Option<(u64, Option<u64>)>,
    pub laws: Vec<Law>,
    pub choice: Choice,
}

/// Of one shape: the points of each mechanism by direction.
type Measured = BTreeMap<String, BTreeMap<String, Vec<(f64, f64)>>>;

/// The table that follows from a profile. Empty of decisions where the mechanisms were not measured.
pub fn table(profile: &Profile, rules: Rules) -> Table {
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
    let known: Vec<(String, u64, Option<u64>)> = shapes.keys().cloned().collect();
    let decisions = shapes.into_iter().filter_map(|((name, element, stride), measured)| {
        let laws = laws(&name, element, measured);
        let choice = choose(&laws, rules)?;
        let of_decision = || known.iter().filter(|k| k.0 == name);
        let elements: BTreeSet<u64> = of_decision().map(|k| k.1).collect();
        let strides: BTreeSet<u64> = of_decision().filter(|k| k.1 == element).filter_map(|k| k.2).collect();
        let elements = (plan::asks_element(&name)).then(|| neighbourhood(element, &elements, ELEMENT_CLASSES));
        let strides = stride.map(|s| neighbourhood(s, &strides, STRIDE_CLASSES));
        Some(Decision { name, element, stride, elements, strides, laws, choice })
    });
    let about = &profile.about;
    let conduit = if about.conduit.is_empty() { "smp".to_string() } else { about.conduit.clone() };
    let source = format!("{}, {} effort, taken {} s after 1970", about.machine, about.effort, about.taken_unix_s);
    Table { conduit, source, decisions: decisions.collect() }
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

fn class(bytes: u64, classes: u32) -> u32 {
    bytes.max(1).ilog2().min(classes - 1)
}

/// The classes that are nearer to this value than to another that was measured, as bytes; of two as near the greater has
/// it. The last class has no end.
fn neighbourhood(value: u64, measured: &BTreeSet<u64>, classes: u32) -> (u64, Option<u64>) {
    let own = class(value, classes);
    let below = measured.iter().map(|m| class(*m, classes)).filter(|c| *c < own).max();
    let above = measured.iter().map(|m| class(*m, classes)).filter(|c| *c > own).min();
    let from = below.map_or(0, |b| (b + own).div_ceil(2));
    let to = above.map(|a| (own + a).div_ceil(2) - 1);
    (1 << from, to.map(|t| (1 << (t + 1)) - 1))
}

fn key(f: &mut String, name: &str, range: Option<(u64, Option<u64>)>) {
    let Some((from, to)) = range else { return };
    let to = to.map(|t| t.to_string()).unwrap_or_default();
    if from > 1 || !to.is_empty() {
        let _ = write!(f, " {name}={from}..{to}");
    }
}

impl Decision {
    /// As the table has it, without the reason.
    pub fn line(&self) -> String {
        let mut text = self.name.clone();
        key(&mut text, "element", self.elements);
        key(&mut text, "stride", self.strides);
        format!("{text}: {}", line(&self.choice.ranges))
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
            writeln!(f, "{:72} # {}", d.line(), d.reason())?;
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
        let lines: Vec<String> = table(&p, Rules::default()).decisions.iter().map(Decision::line).collect();
        assert_eq!(
            lines,
            [
                "gather element=1..31 stride=1..127: loop",
                "gather element=1..31 stride=128..: prefetch",
                "gather element=32..: loop",
            ]
        );
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
        assert_eq!(t.decisions[0].line(), "contiguous: library");
        assert!(t.decisions[0].reason().contains("stream 1.05 x"), "{}", t.decisions[0].reason());
        assert!(t.to_string().starts_with(HEADING));
    }

    #[test]
    fn a_profile_without_mechanisms_decides_nothing() {
        assert!(table(&profile(vec![]), Rules::default()).decisions.is_empty());
    }
}
