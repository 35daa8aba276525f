//! Bandwidths of local memory: streams of loads and stores through arrays of every size, by one thread and by all; and
//! the latency of memory while other threads load.
//!
//! The streams are those of STREAM (copy, scale, add, triad), a load and a store alone, and the two kinds of stores
//! that bypass the caches. MB/s count the bytes that the program reads and writes, as STREAM does. A store into a cache
//! reads the line first, so that the memory moves more bytes; a second figure includes them.

use crate::findings::Findings;
use crate::samples::{surety, Estimate};
use crate::{Effort, Fact, Failure, Kernel, Session, Stimulus};
use fathom_profile::statistics::quantile;
use fathom_profile::{names, Curve, Evidence, Reading, Series, Value};
use fathom_report::Unit;
use std::time::{Duration, Instant};

/// What the area knows from its latency measurements.
#[derive(Clone, Debug)]
pub struct Known {
    pub line_bytes: f64,
    /// The capacity of each level that one processor can use, from the nearest on.
    pub caches_bytes: Vec<f64>,
}

impl Default for Known {
    fn default() -> Self {
        Self { line_bytes: 64.0, caches_bytes: vec![] }
    }
}

/// A kind of stream: its word for the kernels, and its name for people.
const STREAMS: [(&str, &str); 8] = [
    ("load", "load"),
    ("store", "store"),
    ("copy", "copy"),
    ("scale", "scale"),
    ("add", "add"),
    ("triad", "triad"),
    ("store-past", "store past the caches"),
    ("copy-past", "copy past the caches"),
];
/// The streams measured at every size; the others are measured at each level only.
const CURVES: [&str; 4] = ["load", "store", "copy", "copy-past"];

/// The smallest arrays: they fit into every first-level cache, and are large enough for the loop to run smoothly.
const LEAST_BYTES: f64 = 8192.0;

/// A level of memory, and the size of arrays that represents it.
struct Level {
    name: String,
    bytes: f64,
}

/// Measures the streams of one thread, until about `until`.
///
/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, known: &Known, until: Instant) -> Result<Findings, Failure> {
    let mut found = Findings::default();
    let most = largest(session, known)?;
    let levels = levels(known, most);
    let limit = limit_of_a_look(session);
    at_levels(session, &levels, Kernel::Stream, "", limit, &mut found)?;
    by_size(session, most, until, &mut found)?;
    Ok(found)
}

/// Looks at every level; a later [`probe`] includes these looks: see [`crate::rounds`].
///
/// # Errors
/// The runner is broken.
pub fn look(session: &mut Session, known: &Known) -> Result<(), Failure> {
    let levels = levels(known, largest(session, known)?);
    at_levels(session, &levels, Kernel::Stream, "", limit_of_a_look(session), &mut Findings::default()).map(|_| ())
}

/// Three looks are worth more than one that takes as long as the three together.
fn limit_of_a_look(session: &Session) -> Duration {
    session.effort.limit_of_a_point() / if session.has_rounds() { 8 } else { 1 }
}

/// Measures with all threads: their total bandwidth, and latency while other threads load.
///
/// # Errors
/// The runner is broken.
pub fn probe_together(session: &mut Session, known: &Known) -> Result<Findings, Failure> {
    let mut found = Findings::default();
    // Each thread has its own arrays.
    let most = largest(session, known)? / session.runner.threads() as f64;
    let levels = levels(known, most);
    let limit = share(session, STREAMS.len() * levels.len() + IDLE.len());
    if at_levels(session, &levels, Kernel::StreamAll, "all.", limit, &mut found)? {
        under_load(session, most, limit, &mut found)?;
    }
    Ok(found)
}

/// The time for one of this many points.
fn share(session: &Session, points: usize) -> Duration {
    let left = session.left_until(session.until);
    (left / points.max(1) as u32).max(Duration::from_millis(100))
}

/// The largest arrays: well beyond the last cache, and at most an eighth of the free memory, because computers that run
/// out of memory kill processes instead of refusing allocations.
fn largest(session: &mut Session, known: &Known) -> Result<f64, Failure> {
    let mib = f64::from(1 << 20);
    let last = known.caches_bytes.last().copied().unwrap_or(0.0);
    let wanted = match session.effort {
        Effort::Quick => (4.0 * last).clamp(64.0 * mib, 128.0 * mib),
        Effort::Normal => (4.0 * last).clamp(256.0 * mib, 512.0 * mib),
        Effort::Thorough => (8.0 * last).clamp(512.0 * mib, 4096.0 * mib),
    };
    let free = match session.measure_with_facts(&Stimulus::new(Kernel::Room)) {
        Ok((_, samples)) => samples.facts.get(&Fact::AvailableBytes).copied(),
        Err(Failure::Broken(_)) => return Ok(64.0 * mib),
        Err(_) => None,
    };
    Ok(free.map_or(64.0 * mib, |free| wanted.min(free / 8.0)).max(4.0 * mib))
}

/// Each cache at a size that is clearly inside it and beyond the one before, and memory at the largest size.
fn levels(known: &Known, most: f64) -> Vec<Level> {
    let mut levels = vec![];
    let mut before = 0.0;
    for (i, &bytes) in known.caches_bytes.iter().enumerate() {
        // The geometric mean is equally far from both; half of a cache leaves room for other contents.
        let within = (bytes / 2.0).min(if before > 0.0 { f64::sqrt(bytes * before) } else { bytes });
        if within > before * 1.2 && within <= most {
            levels.push(Level { name: format!("l{}", i + 1), bytes: within.max(LEAST_BYTES) });
        }
        before = bytes;
    }
    if levels.is_empty() {
        levels.push(Level { name: "l1".into(), bytes: 2.0 * LEAST_BYTES });
    }
    if most >= 2.0 * before {
        levels.push(Level { name: "memory".into(), bytes: most });
    }
    levels
}

fn stream(kernel: Kernel, op: &'static str, bytes: f64) -> Stimulus {
    Stimulus::new(kernel).word("op", op).with("bytes", bytes as u64)
}

/// A stream's rate: MB/s as STREAM counts them, and MB/s with the lines that are read before they are written.
struct Rate {
    counted: Estimate,
    moved_mb_s: f64,
    width_bytes: f64,
    /// MB/s at the 0th, 5th, … percentile of the samples.
    percentiles: Vec<(f64, f64)>,
}

const PERCENTS: [f64; 7] = [0.0, 5.0, 25.0, 50.0, 75.0, 95.0, 100.0];

fn rate(session: &mut Session, stimulus: &Stimulus, limit: Duration) -> Result<Rate, Failure> {
    let (estimate, samples) = session.measure_within(stimulus, limit)?;
    let fact = |fact: Fact| samples.facts.get(&fact).copied();
    let no = |name: &str| Failure::Broken(format!("`{stimulus}` did not say its {name}"));
    let bytes = fact(Fact::Bytes).ok_or_else(|| no("bytes"))?;
    let moved = fact(Fact::MovedBytes).ok_or_else(|| no("moved_bytes"))?;
    let mb_s = |ns: f64| bytes * 1000.0 / ns;
    let mut rates: Vec<f64> = samples.ns.iter().map(|ns| mb_s(*ns)).collect();
    rates.sort_by(f64::total_cmp);
    Ok(Rate {
        counted: estimate.map(mb_s),
        moved_mb_s: mb_s(estimate.value) * moved / bytes,
        width_bytes: fact(Fact::WidthBytes).unwrap_or(8.0),
        percentiles: PERCENTS.iter().map(|p| (*p, quantile(&rates, p / 100.0))).collect(),
    })
}

fn reading(x: f64, e: &Estimate) -> Reading {
    Reading { x, y: e.value, low: e.low, high: e.high, samples: e.samples, outliers: e.outliers }
}

/// Measures every stream at every level. False if no stream can be measured.
fn at_levels(
    session: &mut Session,
    levels: &[Level],
    kernel: Kernel,
    whose: &str,
    limit: Duration,
    found: &mut Findings,
) -> Result<bool, Failure> {
    let curve = format!("memory.bandwidth.{whose}levels");
    let mut series = vec![];
    let mut spread = vec![];
    for (op, title) in STREAMS {
        let mut points = vec![];
        for level in levels {
            let what = format!("memory.bandwidth.{whose}{}.{op}", level.name);
            match rate(session, &stream(kernel, op, level.bytes), limit) {
                Ok(r) => {
                    points.push(reading(level.bytes, &r.counted));
                    if level.name == "memory" {
                        let at =
                            |(x, y): &(f64, f64)| Reading { x: *x, y: *y, low: *y, high: *y, samples: 1, outliers: 0 };
                        spread.push(Series::new(title, r.percentiles.iter().map(at).collect()));
                    }
                    let evidence = Evidence { curve: curve.clone(), series: title.into(), at: vec![level.bytes] };
                    found.values.extend(level_values(&what, level, title, &r, evidence));
                }
                Err(failure @ Failure::Impossible(..)) if whose.is_empty() => found.note_missing(&what, failure)?,
                Err(failure @ Failure::Impossible(..)) => {
                    // Nothing can be measured here with all threads.
                    found.missing.push(failure.missing("memory.bandwidth.all"));
                    return Ok(false);
                }
                Err(failure) => found.note_missing(&what, failure)?,
            }
        }
        series.push(Series::new(title, points));
    }
    let whom = if whose.is_empty() { "one thread" } else { "all threads together" };
    found.curves.push(Curve {
        name: curve,
        title: format!("Bandwidth at each level of memory, {whom}"),
        x: "bytes".into(),
        y: "mb_s".into(),
        log_x: true,
        log_y: true,
        series,
    });
    if !spread.is_empty() {
        found.curves.push(Curve {
            name: format!("memory.bandwidth.{whose}percentiles"),
            title: format!("Bandwidth of memory: percentiles of the samples, {whom}"),
            x: "percent".into(),
            y: "mb_s".into(),
            log_x: false,
            log_y: false,
            series: spread,
        });
    }
    Ok(true)
}

fn level_values(what: &str, level: &Level, title: &str, r: &Rate, evidence: Evidence) -> Vec<Value> {
    let confidence = surety(r.counted.spread(), r.counted.samples, 10.0);
    let size = level.bytes;
    let value = |name: String, value: f64, share: f64, rule: String| {
        Value::known(name, value, "mb_s", confidence, rule)
            .between(r.counted.low * share, r.counted.high * share)
            .resting_on(vec![evidence.clone()])
    };
    let width = 8.0 * r.width_bytes;
    let rule = format!(
        "{title} over arrays of {} together, in vectors of {width:.0} bits; bytes that the program reads and writes",
        Unit::Bytes.text(size)
    );
    let mut values = vec![value(format!("{what}.mb_s"), r.counted.value, 1.0, rule)];
    let share = r.moved_mb_s / r.counted.value;
    if share != 1.0 && level.name == "memory" {
        let rule = format!("{share:.2} x the same: with the lines that are read because they are to be written");
        values.push(value(format!("{what}.moved.mb_s"), r.moved_mb_s, share, rule));
    }
    values
}

/// The curve of each stream by size, with as many points as time allows.
fn by_size(session: &mut Session, most: f64, until: Instant, found: &mut Findings) -> Result<(), Failure> {
    let factor = if session.effort == Effort::Quick { 4.0 } else { 2.0 };
    let mut series: Vec<Series> = CURVES.iter().map(|op| Series::new(title(op), vec![])).collect();
    let mut size = LEAST_BYTES;
    while size <= most && session.now() < until {
        for (op, series) in CURVES.iter().zip(&mut series) {
            match rate(session, &stream(Kernel::Stream, op, size), session.effort.limit_of_a_point()) {
                Ok(r) => series.points.push(reading(size, &r.counted)),
                Err(Failure::Impossible(..)) => {}
                Err(failure) => found.note_missing(&format!("memory.bandwidth of {op}, {size} bytes"), failure)?,
            }
        }
        size *= factor;
    }
    series.retain(|s| !s.points.is_empty());
    found.curves.push(Curve {
        name: "memory.bandwidth".into(),
        title: "Bandwidth by the size of the arrays together, one thread".into(),
        x: "bytes".into(),
        y: "mb_s".into(),
        log_x: true,
        log_y: false,
        series,
    });
    Ok(())
}

fn title(op: &str) -> &'static str {
    STREAMS.iter().find(|s| s.0 == op).map_or("", |s| s.1)
}

/// Turns of an empty loop after each 8 KiB; with a negative number no other thread loads.
const IDLE: [i64; 9] = [-1, 100_000, 30_000, 10_000, 4000, 1500, 500, 150, 0];

/// Latency of memory under a load that increases step by step.
fn under_load(session: &mut Session, most: f64, limit: Duration, found: &mut Findings) -> Result<(), Failure> {
    let bytes = most.min(268_435_456.0) as u64;
    let pages = ["huge", "normal"];
    let stimulus = |idle: i64, pages| {
        let s = Stimulus::new(Kernel::Loaded).with("bytes", bytes).with("load_bytes", bytes).word("pages", pages);
        if idle < 0 {
            s.word("sleep", "yes")
        } else {
            s.with("idle", idle as u64)
        }
    };
    // Uses the kind of pages with the lowest cost of translation.
    let mut kind = 0;
    let (mut points, mut slow) = (vec![], vec![]);
    for (i, idle) in IDLE.into_iter().enumerate() {
        let measured = match session.measure_within(&stimulus(idle, pages[kind]), limit) {
            Err(Failure::Impossible(..)) if i == 0 && kind == 0 => {
                kind = 1;
                session.measure_within(&stimulus(idle, pages[kind]), limit)
            }
            other => other,
        };
        match measured {
            Ok((e, samples)) => {
                let x = samples.facts.get(&Fact::LoadMbS).copied().unwrap_or(0.0);
                points.push(reading(x, &e));
                let mut sorted = samples.ns.clone();
                sorted.sort_by(f64::total_cmp);
                let y = quantile(&sorted, 0.95);
                slow.push(Reading { x, y, low: y, high: y, samples: sorted.len(), outliers: 0 });
            }
            Err(failure) => return found.note_missing("memory.loaded_latency", failure),
        }
    }
    for list in [&mut points, &mut slow] {
        list.sort_by(|a, b| a.x.total_cmp(&b.x));
        list.dedup_by(|later, former| later.x == former.x); // the other threads had no processor: the same load twice
    }
    let (Some(idle), Some(full)) = (points.first().copied(), points.last().copied()) else { return Ok(()) };
    let evidence =
        |r: &Reading| Evidence { curve: "memory.loaded_latency".into(), series: "median".into(), at: vec![r.x] };
    let others = session.runner.threads() - 1;
    for (name, r, rule) in [
        (names::IDLE_LATENCY_NS, idle, "a chase through memory while the other threads sleep".to_string()),
        (
            names::LOADED_LATENCY_NS,
            full,
            format!("the same while {others} other threads load {:.0} MB/s, all they can", full.x),
        ),
    ]
    .into_iter()
    .take(points.len().min(2))
    {
        let rule = format!("{rule}; {} on {} pages", Unit::Bytes.text(bytes as f64), pages[kind]);
        let sure = surety((r.high - r.low) / 2.0 / r.y, r.samples, 3.0).min(0.9);
        let value = Value::known(name, r.y, "ns", sure, rule);
        found.values.push(value.between(r.low, r.high).resting_on(vec![evidence(&r)]));
    }
    found.curves.push(Curve {
        name: "memory.loaded_latency".into(),
        title: "Latency of memory while others load".into(),
        x: "mb_s".into(),
        y: "ns".into(),
        log_x: false,
        log_y: false,
        series: vec![Series::new("median", points), Series::new("95th percentile", slow)],
    });
    Ok(())
}
