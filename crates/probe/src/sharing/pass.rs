//! Passing data on: writing data that another thread has read, and reading and writing data that it has written, by
//! stride, with the data in the other's cache and in no cache, near and far.

use crate::communication::gather::{at, certainty, reading, Axes, Gathered};
use crate::communication::partners::Partner;
use crate::{Failure, Kernel, Session, Stimulus};
use fathom_model::laws::{Row, Sharing};
use fathom_model::MachineFile;
use fathom_profile::{Evidence, Reading, Reason, Series, Value};

/// In elements of 8 bytes, as in the study's Table 3.
const STRIDES: [u64; 6] = [1, 2, 4, 8, 16, 32];
/// Fits into the first cache of every processor of today.
const BYTES: u64 = 32768;
const KINDS: [&str; 3] = ["war", "raw", "waw"];

/// A row of the table: the words for distance, state and curve.
struct Case {
    distance: &'static str,
    is_cached: bool,
    name: &'static str,
    curve: &'static str,
    title: &'static str,
}

const CASES: [Case; 4] = [
    Case {
        distance: "near",
        is_cached: true,
        name: "near.cached",
        curve: "sharing.near.cached",
        title: "Passing data on, near, in the other's cache",
    },
    Case {
        distance: "near",
        is_cached: false,
        name: "near.uncached",
        curve: "sharing.near.uncached",
        title: "Passing data on, near, in no cache",
    },
    Case {
        distance: "far",
        is_cached: true,
        name: "far.cached",
        curve: "sharing.far.cached",
        title: "Passing data on, far, in the other's cache",
    },
    Case {
        distance: "far",
        is_cached: false,
        name: "far.uncached",
        curve: "sharing.far.uncached",
        title: "Passing data on, far, in no cache",
    },
];

fn pass(case: &Case, what: &'static str, stride: u64) -> Stimulus {
    let stimulus = Stimulus::new(Kernel::Pass).word("what", what).with("stride", stride).with("bytes", BYTES);
    stimulus.with("flushed", u64::from(!case.is_cached)).word("distance", case.distance)
}

pub fn probe(session: &mut Session, g: &mut Gathered, unit: Option<f64>, place: &Partner) -> Result<(), Failure> {
    let cycle = g.point(session, "the length of a cycle", 0.0, &Stimulus::new(Kernel::Frequency))?;
    let apart = apart(unit);
    let mut rows = vec![];
    for case in &CASES {
        if case.distance == "far" && place.packages < 2 {
            let why = "all processors that can be used here are on one socket";
            g.missing(&format!("sharing.{}", case.name), Reason::Processors, why);
            continue;
        }
        let mut kinds = vec![];
        for kind in KINDS {
            let what = format!("sharing {}: {kind}", case.name);
            kinds.push(g.series(session, &what, &STRIDES, |stride| pass(case, kind, stride))?);
        }
        let dependent = |stride| pass(case, "raw", stride).word("way", "dependent");
        let what = format!("sharing {}: raw, each read after the one before", case.name);
        let chain = g.series(session, &what, &STRIDES, dependent)?;
        derived(g, case, &kinds, &chain, apart);
        if let Some(cycle) = cycle {
            rows.extend(row(case, &kinds, cycle.y));
        }
        kinds.push(chain);
        let (curve, title) = (case.curve, case.title);
        g.curve(Axes { curve, title, x: "stride_elements", y: "ns", log_x: true }, kinds);
    }
    if let Some(cycle) = cycle.filter(|_| !rows.is_empty()) {
        g.figures(Box::new(move |machine: &mut MachineFile| {
            machine.sharing = Some(Sharing {
                cycle_ns: cycle.y,
                strides: STRIDES.map(|s| s as u32).to_vec(),
                apart: apart as u32,
                rows,
                source: format!("measured: passes over {BYTES} bytes, independent accesses"),
            });
        }));
    }
    Ok(())
}

/// The measured stride at which every access is to another unit.
fn apart(unit: Option<f64>) -> u64 {
    let wanted = unit.unwrap_or(64.0) / 8.0;
    STRIDES.into_iter().find(|s| *s as f64 >= wanted).unwrap_or(STRIDES[STRIDES.len() - 1])
}

/// In cycles; None unless every stride was measured.
fn row(case: &Case, kinds: &[Series], cycle_ns: f64) -> Option<Row> {
    // A time below the measurable minimum is not 0.
    let cycles = |s: &Series| s.points.iter().map(|p| (p.y / cycle_ns).max(1e-3)).collect::<Vec<f64>>();
    if kinds.iter().any(|s| s.points.len() != STRIDES.len()) {
        return None;
    }
    let [war, raw, waw] = [&kinds[0], &kinds[1], &kinds[2]].map(cycles);
    Some(Row { distance: case.distance.into(), cached: case.is_cached, war, raw, waw })
}

/// Latency and rate of passing data on (the study's Table 4), and the latency of a read that is not hidden.
fn derived(g: &mut Gathered, case: &Case, kinds: &[Series], chain: &Series, apart: u64) {
    let both = |stride: f64| Some((reading(&kinds[0], stride)?, reading(&kinds[1], stride)?));
    let mut add = |name: &str, unit: &str, (war, raw): (Reading, Reading), f: &dyn Fn(f64) -> f64, rule: String| {
        let (a, b) = (f(war.low + raw.low), f(war.high + raw.high));
        let of = |s: &Series, x: f64| -> Vec<Evidence> { at(case.curve, s, vec![x]) };
        let sure = certainty(&war).min(certainty(&raw));
        let value = Value::known(format!("sharing.{}.{name}", case.name), f(war.y + raw.y), unit, sure, rule);
        let evidence = [of(&kinds[0], war.x), of(&kinds[1], raw.x)].concat();
        g.findings.values.push(value.between(a.min(b), a.max(b)).resting_on(evidence));
    };
    if let Some(pair) = both(apart as f64) {
        let rule = format!("war + raw of an access at stride {apart}, each to another line, as many under way as go");
        add("latency.ns", "ns", pair, &|ns| ns, rule);
    }
    if let Some(pair) = both(1.0) {
        let rule = "8 bytes / (war + raw) at stride 1".to_string();
        add("rate.mb_s", "mb_s", pair, &|ns| 8000.0 / ns, rule);
    }
    if let Some(r) = reading(chain, apart as f64) {
        let rule = format!(
            "reading what another has just written, each read's place named by the one before, at stride {apart} in no \
             order that could be foreseen"
        );
        g.measured(&format!("sharing.{}.read.ns", case.name), "ns", &r, &rule, at(case.curve, chain, vec![r.x]));
    }
}
