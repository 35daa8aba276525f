//! A block by each mechanism that can move it: the cost of each, and the size from which one is faster than another.

use super::data;
use super::gather::{at, certainty, powers, Axes, Gathered};
use super::infer::{cost, crossover, Cost, Crossover};
use super::partners::sizes;
use crate::{Effort, Failure, Kernel, Session, Stimulus};
use fathom_model::laws::Mechanism;
use fathom_model::MachineFile;
use fathom_profile::{Reading, Reason, Series, Value};

/// A mechanism: the kernel's word for it, its name in the machine file, and a description.
type Way = (&'static str, &'static str, &'static str);

struct Family {
    kernel: Kernel,
    curve: &'static str,
    title: &'static str,
    ways: &'static [Way],
}

const FAMILIES: [Family; 3] = [
    Family {
        kernel: Kernel::BlockPut,
        curve: "communication.block_put",
        title: "A block put, by mechanism",
        ways: &[
            ("whole", "put", "one put"),
            ("pieces", "put-pieces", "puts of 4096 bytes, all under way together"),
            ("long", "put-long", "a long message, answered"),
            ("medium", "put-medium", "medium messages whose handler copies, the last answered"),
        ],
    },
    Family {
        kernel: Kernel::BlockGet,
        curve: "communication.block_get",
        title: "A block fetched, by mechanism",
        ways: &[
            ("whole", "get", "one get"),
            ("pieces", "get-pieces", "gets of 4096 bytes, all under way together"),
            ("long", "get-long", "a request, answered by a long message"),
            ("medium", "get-medium", "requests, answered by medium messages whose handler copies"),
        ],
    },
    Family {
        kernel: Kernel::Scatter,
        curve: "communication.scatter",
        title: "Words put 64 bytes apart, by mechanism",
        ways: &[
            ("strided", "scatter-strided", "one strided put of words 64 bytes apart"),
            ("elements", "scatter-elements", "a put for each word, 64 bytes apart, all under way together"),
            ("packed", "scatter-packed", "messages of packed words that their handler puts 64 bytes apart"),
        ],
    },
];

const STRIDE: u64 = 64;
const LARGEST: u64 = 1 << 20;
/// Elements of a scatter lie up to 8 times as far apart as they are long.
const LARGEST_SCATTER: u64 = 1 << 18;

pub fn probe(session: &mut Session, g: &mut Gathered) -> Result<(), Failure> {
    for family in &FAMILIES {
        let largest = if family.kernel == Kernel::Scatter { LARGEST_SCATTER } else { LARGEST };
        let sizes: Vec<u64> = match session.effort {
            Effort::Quick => powers(8, largest, 8),
            _ => sizes(session.effort, largest),
        };
        let mut all = vec![];
        for (word, name, _) in family.ways {
            let what = format!("{}: {name}", family.title);
            all.push(g.series(session, &what, &sizes, |bytes| {
                let stimulus = Stimulus::new(family.kernel).word("way", word).with("bytes", bytes);
                if family.kernel == Kernel::Scatter {
                    stimulus.with("stride", STRIDE)
                } else {
                    stimulus
                }
            })?);
        }
        mechanisms(g, family, &all);
        crossovers(g, family, &all);
        let (curve, title) = (family.curve, family.title);
        g.curve(Axes { curve, title, x: "bytes", y: "ns", log_x: true }, all);
        if let Some(curve) = g.findings.curves.last().filter(|c| c.name == family.curve).cloned() {
            g.findings.fits.extend(curve.series.iter().filter_map(|s| data::affine_fit(&curve, s)));
        }
    }
    Ok(())
}

/// Writes the costs into the machine file.
fn mechanisms(g: &mut Gathered, family: &Family, all: &[Series]) {
    for ((_, name, what), series) in family.ways.iter().zip(all) {
        match cost(series) {
            Ok(cost) => g.figures(enter(mechanism(name, what, &cost))),
            Err(_) if series.points.is_empty() => {}
            Err(why) => g.missing(
                &format!("the mechanism {name}"),
                Reason::Other,
                &format!("no start and time of a byte: {why}"),
            ),
        }
    }
}

fn mechanism(name: &str, what: &str, cost: &Cost) -> Mechanism {
    let source = format!(
        "measured: {}, for {} to {} bytes, deviations of {:.1} %",
        cost.fit.formula,
        cost.fit.from,
        cost.fit.to,
        100.0 * cost.fit.residual_sd
    );
    let (start_us, mb_s) = (cost.start_ns / 1000.0, 1000.0 / cost.ns_per_byte);
    Mechanism { name: name.into(), what: what.into(), start_us, mb_s, source }
}

/// Keeps one mechanism of each name: the last measured.
fn enter(mechanism: Mechanism) -> crate::findings::Figures {
    Box::new(move |machine: &mut MachineFile| {
        machine.mechanisms.retain(|m| m.name != mechanism.name);
        machine.mechanisms.push(mechanism);
    })
}

/// The size from which each of the others is faster than the first, and the fastest of all.
fn crossovers(g: &mut Gathered, family: &Family, all: &[Series]) {
    let Some((first, others)) = all.split_first() else {
        return;
    };
    let (_, small, _) = family.ways[0];
    for ((_, large, _), series) in family.ways[1..].iter().zip(others) {
        let Some(found) = crossover(&first.points, &series.points) else {
            continue;
        };
        let name = format!("{}.{}_over_{}.bytes", family.curve, large.replace('-', "_"), small.replace('-', "_"));
        let (last, least) = (series.points[series.points.len() - 1].x, series.points[0].x);
        let (at_bytes, low, high, rule) = match found {
            Crossover::At { low, high, at } => {
                let rule = format!("`{large}` is faster than `{small}` at {high} bytes and more, and not at {low}");
                (Some(at), Some(low), Some(high), rule)
            }
            Crossover::Never => {
                (None, None, None, format!("`{large}` is not faster than `{small}` up to {last} bytes"))
            }
            Crossover::Always => {
                (Some(least), None, Some(least), format!("`{large}` is faster than `{small}` from {least} bytes on"))
            }
        };
        let sure = first.points.iter().chain(&series.points).map(certainty).fold(1.0, f64::min);
        let confidence = sure.min(clearness(&first.points, &series.points, high.unwrap_or(last)));
        let xs: Vec<f64> = [low, high].into_iter().flatten().collect();
        let mut evidence = at(family.curve, first, xs.clone());
        evidence.extend(at(family.curve, series, xs));
        let value = match at_bytes {
            Some(at) => Value::known(name, at, "bytes", confidence, rule),
            None => Value::unknown(name, "bytes", rule).sure(confidence),
        };
        g.findings.values.push(value.between(low, high).resting_on(evidence));
    }
}

/// How clear it is which of two is faster at a size: 0.5 at 7 %, nearly 1 at 50 %.
fn clearness(first: &[Reading], other: &[Reading], bytes: f64) -> f64 {
    let y = |points: &[Reading]| points.iter().find(|p| p.x == bytes).map(|p| p.y);
    match (y(first), y(other)) {
        (Some(a), Some(b)) => 1.0 - (-10.0 * (a / b).ln().abs()).exp(),
        _ => 0.0,
    }
}
