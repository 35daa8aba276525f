//! The part of the tuning table for operations of several threads: from the curves of `ways` and the number of polls
//! before yielding.
//!
//! A decision replaces the default only by a clearly better mechanism: the gain exceeds the difference between passes.
//! A line covers measured classes only: a team of two tells nothing about a team of eight.

use crate::time::nanoseconds;
use fathom_model::choice::{choose, line, Range, Rules, TimeLaw};
use fathom_profile::mechanism::Subject;
use fathom_profile::names::{self, SPINS};
use fathom_profile::statistics::median;
use fathom_profile::way::{self, Asks, Decision};
use fathom_profile::{Profile, Reading, Value};
use std::collections::BTreeMap;
use std::fmt;

/// The choice for one class of one decision.
pub struct Line {
    pub name: &'static str,
    /// ` threads=2..3`, ` computer=this`; empty: for all.
    key: String,
    pub laws: Vec<TimeLaw>,
    pub ranges: Vec<Range>,
    /// Time / that of the fastest, geometric mean over the measured sizes: with these ranges, and without a table.
    pub regret: f64,
    pub regret_without: f64,
    /// The relative difference between passes: a mechanism is chosen only if it is better by more.
    pub doubt: f64,
    pub is_default: bool,
}

/// The lines of a profile.
pub struct JointTable {
    pub lines: Vec<Line>,
    pub spins: Option<Value>,
}

/// Larger numbers of threads are in the last class (runtime/core/tuning.h).
const LAST_CLASS: u64 = 512;

pub fn joint_table(profile: &Profile) -> JointTable {
    let mut lines = vec![];
    for decision in way::DECISIONS {
        let mut by_key: BTreeMap<(u64, String), BTreeMap<usize, Vec<&Reading>>> = BTreeMap::new();
        for (rank, way) in decision.ways.iter().enumerate() {
            let name = names::mechanism_curve(decision.name, way);
            for series in profile.curves.iter().filter(|c| c.name == name).flat_map(|c| &c.series) {
                let Some(subject) = &series.of else { continue };
                let of_key = by_key.entry(key(decision, subject)).or_default();
                of_key.entry(rank).or_default().extend(&series.points);
            }
        }
        let decided = |((threads, key), measured): (_, BTreeMap<_, _>)| decide(decision, threads, key, &measured);
        lines.extend(by_key.into_iter().filter_map(decided));
    }
    let spins = profile.values.iter().find(|v| v.name == SPINS && v.value.is_some()).cloned();
    JointTable { lines, spins }
}

/// The class of a series: the number of threads, 0 if it does not matter, and its text in the table.
fn key(decision: &Decision, subject: &Subject) -> (u64, String) {
    match (decision.asks, subject) {
        (Asks::Threads, Subject::Threads(n)) if *n >= LAST_CLASS => (LAST_CLASS, format!(" threads={LAST_CLASS}..")),
        (Asks::Threads, Subject::Threads(n)) => {
            let first = 1 << (*n).max(1).ilog2();
            (first, format!(" threads={first}..{}", 2 * first - 1))
        }
        (Asks::Computer, Subject::Computer(_)) => (0, format!(" {subject}")),
        _ => (0, String::new()),
    }
}

/// Time of a mechanism by size: the geometric mean if several series are of one class (few pieces and many).
fn law(way: &str, points: &[&Reading]) -> Option<TimeLaw> {
    let mut at: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for p in points {
        at.entry(p.x as u64).or_default().push(p.y);
    }
    let most = at.values().map(Vec::len).max()?;
    let mean = |v: &[f64]| (v.iter().map(|y| y.ln()).sum::<f64>() / v.len() as f64).exp();
    TimeLaw::new(way, at.into_iter().filter(|(_, v)| v.len() == most).map(|(x, v)| (x as f64, mean(&v))).collect())
}

fn decide(
    decision: &'static Decision,
    threads: u64,
    key: String,
    measured: &BTreeMap<usize, Vec<&Reading>>,
) -> Option<Line> {
    let default = decision.default_for(threads);
    let laws: Vec<TimeLaw> = measured.iter().filter_map(|(rank, points)| law(decision.ways[*rank], points)).collect();
    if laws.len() < 2 {
        return None; // nothing to choose
    }
    let sizes: Vec<f64> = {
        let mut xs: Vec<f64> = measured.values().flatten().map(|p| p.x).collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        xs
    };
    // The conduit's own choice is not a mechanism: the others are compared with it.
    let candidates: Vec<TimeLaw> = laws.iter().filter(|l| l.mechanism != "auto").cloned().collect();
    let chosen = choose(&candidates, Rules::default())?;
    let doubt = doubt(measured);
    let taken = |n: f64| {
        let range = chosen.ranges.iter().find(|r| r.below.is_none_or(|b| n < b as f64));
        range.map(|r| r.mechanism.as_str())
    };
    let usual = |n: f64| default.iter().find(|d| d.1.is_none_or(|b| n < b as f64)).map(|d| d.0);
    let regret = regret(&laws, &sizes, &taken);
    let regret_without = self::regret(&laws, &sizes, &usual);
    let is_default = regret_without / regret <= 1.0 + doubt;
    let ranges = if is_default { default_ranges(default, &laws, &sizes) } else { chosen.ranges };
    Some(Line {
        name: decision.name,
        key,
        laws,
        ranges,
        regret: if is_default { regret_without } else { regret },
        regret_without,
        doubt,
        is_default,
    })
}

/// Half of the relative difference between the passes of a point; the median over all points.
fn doubt(measured: &BTreeMap<usize, Vec<&Reading>>) -> f64 {
    median(measured.values().flatten().map(|p| (p.high - p.low) / (2.0 * p.y))).clamp(0.0, 1.0)
}

fn regret<'a>(laws: &[TimeLaw], sizes: &[f64], taken: &dyn Fn(f64) -> Option<&'a str>) -> f64 {
    let losses = sizes.iter().filter_map(|&n| {
        let own = laws.iter().find(|l| Some(l.mechanism.as_str()) == taken(n))?.ns(n)?;
        let best = laws.iter().filter_map(|l| l.ns(n)).fold(own, f64::min);
        Some((own / best).ln())
    });
    let losses: Vec<f64> = losses.collect();
    (losses.iter().sum::<f64>() / losses.len().max(1) as f64).exp()
}

/// The default mechanisms, with the predictions in the middle of each range.
fn default_ranges(default: way::Default, laws: &[TimeLaw], sizes: &[f64]) -> Vec<Range> {
    let mut from = 0;
    let ranges = default.iter().map(|(way, below)| {
        let own: Vec<f64> =
            sizes.iter().copied().filter(|n| *n >= from as f64 && below.is_none_or(|b| *n < b as f64)).collect();
        let at = own.get(own.len() / 2).copied().unwrap_or(from as f64);
        let mut predicted_ns: Vec<(String, f64)> =
            laws.iter().filter_map(|l| Some((l.mechanism.clone(), l.ns(at)?))).collect();
        predicted_ns.sort_by(|a, b| a.1.total_cmp(&b.1));
        let range = Range { mechanism: (*way).into(), from, below: *below, at: at as u64, predicted_ns };
        from = below.unwrap_or(from);
        range
    });
    ranges.collect()
}

impl Line {
    /// The text of the table, without the reason.
    pub fn line(&self) -> String {
        format!("{}{}: {}", self.name, self.key, line(&self.ranges))
    }

    /// The predictions, in a few words.
    pub fn reason(&self) -> String {
        let ranges = self.ranges.iter().map(|r| {
            let times: Vec<String> =
                r.predicted_ns.iter().map(|(way, ns)| format!("{way} {}", nanoseconds(*ns))).collect();
            format!("{} B: {}", r.at, times.join(", "))
        });
        let all = ranges.collect::<Vec<_>>().join("; ");
        match self.is_default {
            true => format!("{all}; the default: nothing was better by more than passes differ"),
            false => all,
        }
    }
}

impl JointTable {
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.spins.is_none()
    }

    pub fn spins_line(&self) -> Option<String> {
        self.spins.as_ref()?.value.map(|n| format!("spins: {}", n as u64))
    }
}

impl fmt::Display for JointTable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for l in &self.lines {
            writeln!(f, "{:72} # {}", l.line(), l.reason())?;
        }
        match (&self.spins, self.spins_line()) {
            (Some(spins), Some(line)) => writeln!(f, "{line:72} # {}", spins.rule),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_profile::mechanism::Computer;
    use fathom_profile::{Curve, Series};

    fn curve(name: &str, subject: Subject, spread: f64, ns: impl Fn(f64) -> f64) -> Curve {
        let points = (9..21).step_by(2).map(|k| f64::from(1u32 << k)).map(|x| {
            let y = ns(x);
            Reading { x, y, low: y * (1.0 - spread), high: y * (1.0 + spread), samples: 9, outliers: 0 }
        });
        Curve {
            name: format!("mechanisms.{name}"),
            title: String::new(),
            x: "bytes".into(),
            y: "ns".into(),
            log_x: true,
            log_y: true,
            series: vec![Series::of(subject, points.collect())],
        }
    }

    fn lines(curves: Vec<Curve>) -> Vec<String> {
        let profile = Profile { curves, ..Profile::empty("m") };
        joint_table(&profile).lines.iter().map(Line::line).collect()
    }

    #[test]
    fn a_way_that_is_clearly_better_serves_the_teams_that_it_was_measured_with() {
        let whole = |n: f64| 200.0 + n;
        let slices = |n: f64| 1200.0 + n / 2.0;
        let made = lines(vec![
            curve("all-reduce.whole", Subject::Threads(4), 0.02, whole),
            curve("all-reduce.slices", Subject::Threads(4), 0.02, slices),
        ]);
        assert_eq!(made.len(), 1);
        let below =
            made[0].strip_prefix("all-reduce threads=4..7: whole < ").unwrap().strip_suffix(", slices").unwrap();
        assert!((1800..2200).contains(&below.parse::<u64>().unwrap()), "{made:?}");
    }

    #[test]
    fn what_is_better_by_less_than_passes_differ_changes_nothing() {
        let made = lines(vec![
            curve("broadcast.read", Subject::Threads(2), 0.3, |n| n),
            curve("broadcast.help", Subject::Threads(2), 0.3, |n| n * 0.9),
        ]);
        assert_eq!(made, ["broadcast threads=2..3: read < 8192, help"]);
    }

    #[test]
    fn what_the_conduit_decides_stays_unless_something_is_better() {
        let message = |n: f64| 500.0 + n / 2.0;
        let direct = |n: f64| 2000.0 + n / 4.0;
        let of = |auto: fn(f64) -> f64| {
            lines(vec![
                curve("put.auto", Subject::Computer(Computer::This), 0.02, auto),
                curve("put.direct", Subject::Computer(Computer::This), 0.02, direct),
                curve("put.message", Subject::Computer(Computer::This), 0.02, message),
            ])
        };
        assert_eq!(of(|n| (500.0 + n / 2.0f64).min(2000.0 + n / 4.0)), ["put computer=this: auto"]);
        let made = of(|n| 2000.0 + n / 4.0);
        assert!(made[0].starts_with("put computer=this: message < ") && made[0].ends_with(", direct"), "{made:?}");
    }

    #[test]
    fn one_way_alone_is_no_choice() {
        assert!(lines(vec![curve("far-scatter.flat", Subject::Threads(4), 0.02, |n| n)]).is_empty());
    }

    /// The runtime's own are the truth.
    #[test]
    fn defaults_are_those_of_the_runtime() {
        let runtime = include_str!("../../../runtime/core/tuning.c");
        for d in way::DECISIONS {
            for (from, default) in d.defaults {
                assert!(default.iter().all(|(way, _)| d.ways.contains(way)), "{}", d.name);
                let key = if *from == 1 { String::new() } else { format!(" threads={from}..") };
                let line = format!("\"{}{key}: {}\"", d.name, line(&default_ranges(default, &[], &[])));
                assert!(runtime.contains(&line), "{line}");
            }
            let others = runtime.matches(&format!("    \"{} ", d.name)).count() + 1;
            assert_eq!(others, d.defaults.len(), "{}: the runtime has lines that are not here", d.name);
        }
    }
}
