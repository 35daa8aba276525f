//! The printed results of a study beside those of its simulated machine.
//!
//! A [`Claim`] is what a study prints: a figure, or a statement that holds or not. Whether our result is that same
//! figure of the machine file (a calibration) or follows from others (emergent) is computed, not asserted: every figure
//! is changed by 5 % up and down, or doubled and halved if it is a whole number, and a statement is asked again without
//! the mechanism that must break it.
//!
//! [`report`] puts a [`Ledger`] before the results: how many figures went in, of which sort, and how many results came
//! out. And it lets figures that are assumed be anything within their ranges: a result that then holds in less than
//! half of the cases depends on an assumption.

mod copy_transfer;
pub mod drawing;
mod listed;
mod now;
pub(crate) mod parallel;
mod remembered;
mod samples;
mod shown;
mod spp1000;
mod t3d;
mod verdicts;
mod voyager;
mod workstation;
mod x1;

use fathom_machine::description::Content;
use fathom_machine::quantity::{self, Quantity};
use fathom_machine::{Description, Figure, Status};
use std::collections::BTreeMap;

pub use listed::{claim_of, Kind, Listed, LISTED};
pub use shown::{shown, why_programs_differ, By, Changed, Shown, WITHOUT};
pub use verdicts::{count, is_covered, verdicts, Classes, Entry, Verdict};

/// A printed result.
pub struct Claim {
    /// Its number in the project's list.
    pub id: &'static str,
    pub what: &'static str,
    pub expected: Expected,
    /// Where it is printed.
    pub source: &'static str,
}

const fn claim(id: &'static str, what: &'static str, expected: Expected, source: &'static str) -> Claim {
    Claim { id, what, expected, source }
}

/// What a study prints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// A figure with its unit; the share by which ours may deviate.
    Near(f64, &'static str, f64),
    /// A figure between two.
    Between(f64, f64, &'static str),
    /// A statement; and the mechanism without which it must not hold, if the machine can be without, or with which it must
    /// not hold, if that is one of the study's [`added`](Study::added).
    Holds(Option<&'static str>),
    /// A table: at least so many of these figures, each with its number, come within this share of what is printed.
    Most(usize, &'static [(&'static str, f64)], &'static str, f64),
}

/// A study of a machine that is simulated. A study of two machines is two of these.
pub struct Study {
    /// The study's name in commands.
    pub id: &'static str,
    /// The machine's name.
    pub machine: &'static str,
    pub name: &'static str,
    pub claims: &'static [Claim],
    /// Performs the programs of all claims: our results by number, a statement that holds as 1.
    pub measure: fn(&Description) -> Result<Results, String>,
    /// Results that a model computes from the study's own tables, if there are such.
    pub predictions: Option<Predictions>,
    /// Claims that our results do not meet, with the reason.
    pub differs: &'static [(&'static str, &'static str)],
    /// Mechanisms that the machine does not have, and with which a statement must not hold: a name that [`Expected::Holds`]
    /// gives, and the machine with it.
    pub added: &'static [(&'static str, Change)],
    /// Results that are several readings of one printed figure whose label is doubtful: one of them is enough.
    pub readings: &'static [&'static [&'static str]],
    /// Claims of the project's list of which nothing, or not all, has a program here, with the reason.
    pub left_out: &'static [(&'static [&'static str], &'static str)],
}

/// A change of a machine.
pub type Change = fn(&Description) -> Result<Description, String>;

/// What a model or a definition makes of a study's own measured figures.
pub struct Predictions {
    /// The figures as the study prints them, by name.
    pub figures: fn() -> Result<Inputs, String>,
    pub predict: fn(&Inputs) -> Result<Results, String>,
}

/// Printed figures by name.
pub type Inputs = BTreeMap<String, f64>;

/// Results by the number of the claim.
pub type Results = BTreeMap<&'static str, f64>;

/// The studies.
pub const STUDIES: &[Study] = &[
    t3d::STUDY,
    workstation::STUDY,
    spp1000::STUDY,
    copy_transfer::T3D,
    copy_transfer::PARAGON,
    x1::STUDY,
    voyager::STUDY,
    now::STUDY,
];

/// Why this result differs from what is printed, as far as we know.
pub fn why_differs(study: &Study, id: &str) -> Option<&'static str> {
    study.differs.iter().find(|(of, _)| *of == id).map(|(_, why)| *why)
}

/// How a result comes about.
#[derive(Clone, Debug, PartialEq)]
pub enum Class {
    /// This figure of the machine file is the printed one, and a program finds it again.
    Calibration(String),
    /// This size or number of the machine file is the printed one, and an inference finds it by times alone.
    Inferred(String),
    /// It follows from figures that differ from it, or from a mechanism: these, the strongest first.
    Emergent(Vec<String>),
    /// Of the figures of a table that are as printed, so many are emergent, and so many calibrations.
    Table { emergent: usize, calibrations: usize },
    /// A statement that nothing could break.
    Open,
}

/// A claim beside our result.
pub struct Row {
    pub claim: &'static Claim,
    pub ours: f64,
    pub passes: bool,
    pub class: Class,
    /// The figures of a table that differ: number, printed, ours.
    pub differing: Vec<(&'static str, f64, f64)>,
    /// In how many samples of what is assumed it passes.
    pub held: usize,
    /// The assumed figure on which it rests, if it passes in less than half of them.
    pub rests_on: Option<String>,
}

/// All results of a study, and what went in.
pub struct Report {
    pub ledger: Ledger,
    pub rows: Vec<Row>,
}

/// The figures of the machine file beside the results.
pub struct Ledger {
    /// The figures of each status, and how many of them matter to a result.
    pub figures: Vec<(Status, usize, usize)>,
    /// How often what is assumed was drawn anew.
    pub samples: usize,
}

/// Changes of a figure, as factors.
const CHANGE: f64 = 0.05;
/// A result follows a figure if it changes as much as this share of the figure's change.
const ALMOST_ALL: f64 = 0.9;
/// A figure is the printed one if they differ by less.
const SAME: f64 = 0.02;
/// A figure on which a result depends less than this is not named.
const NAMED: f64 = 0.02;

/// Every claim of a study on this machine, without samples.
///
/// # Errors
/// The description has a mistake.
pub fn reproduce(study: &Study, description: &Description) -> Result<Vec<Row>, String> {
    Ok(report(study, description, 0)?.rows)
}

/// The number of samples that show what rests on assumptions.
pub const SAMPLES: usize = 50;

/// Every claim of a study on this machine, the figures that went in, and what rests on assumptions by so many samples.
///
/// # Errors
/// The description has a mistake.
pub fn report(study: &Study, description: &Description, samples: usize) -> Result<Report, String> {
    // No result here is that of a program whose operations are counted.
    let mut description = description.clone();
    description.work.clear();
    let description = &description;
    let ours = measured(study, description)?;
    let mut elasticities = elasticities(study, description, &ours)?;
    let mut inputs = Inputs::new();
    if let Some(predictions) = &study.predictions {
        inputs = (predictions.figures)()?;
        elasticities.extend(elasticities_of_predictions(predictions, &inputs)?);
    }
    let without = without(study, description);
    let drawn = samples::draw(study, description, samples)?;
    let row = |claim: &'static Claim| {
        let value = *ours.get(claim.id).ok_or_else(|| format!("claim {} has no program", claim.id))?;
        let differing = differing(claim, &ours);
        let class = match claim.expected {
            Expected::Most(_, all, unit, tolerance) => {
                let as_printed = all.iter().filter(|(id, _)| !differing.iter().any(|(other, ..)| other == id));
                let classes: Vec<Class> = as_printed
                    .map(|(id, v)| {
                        class(description, &inputs, &elasticities, (id, ours[id]), Expected::Near(*v, unit, tolerance))
                    })
                    .collect();
                let count = |is: fn(&Class) -> bool| classes.iter().filter(|c| is(c)).count();
                Class::Table {
                    emergent: count(|c| matches!(c, Class::Emergent(_))),
                    calibrations: count(|c| matches!(c, Class::Calibration(_))),
                }
            }
            Expected::Holds(Some(mechanism)) if without.get(mechanism).and_then(|r| r.get(claim.id)) == Some(&0.0) => {
                Class::Emergent(vec![mechanism.into()])
            }
            Expected::Holds(_) => Class::Open,
            expected => class(description, &inputs, &elasticities, (claim.id, value), expected),
        };
        let (held, rests_on) = drawn.of(claim);
        Ok(Row { claim, ours: value, passes: passes(claim.expected, value), class, differing, held, rests_on })
    };
    let rows: Vec<Row> = study.claims.iter().map(row).collect::<Result<_, String>>()?;
    let ledger = Ledger { figures: figures(description, &inputs, &elasticities, &rows), samples: drawn.len() };
    Ok(Report { ledger, rows })
}

/// The results of a study's programs and of its model; of a table, how many figures are as printed.
fn measured(study: &Study, description: &Description) -> Result<Results, String> {
    let mut found = (study.measure)(description)?;
    if let Some(predictions) = &study.predictions {
        found.extend((predictions.predict)(&(predictions.figures)()?)?);
    }
    for claim in study.claims {
        if let Expected::Most(_, all, ..) = claim.expected {
            let count = all.len() - differing(claim, &found).len();
            found.insert(claim.id, count as f64);
        }
    }
    Ok(found)
}

/// The figures of a table that differ: number, printed, ours.
fn differing(claim: &Claim, found: &Results) -> Vec<(&'static str, f64, f64)> {
    let Expected::Most(_, all, unit, tolerance) = claim.expected else { return vec![] };
    let ours = |id: &str| found.get(id).copied().unwrap_or(f64::NAN);
    let all = all.iter().map(|(id, printed)| (*id, *printed, ours(id)));
    all.filter(|(_, printed, ours)| !passes(Expected::Near(*printed, unit, tolerance), *ours)).collect()
}

/// The results without each mechanism that a statement names, or with it if the machine has none; but for those of which the
/// machine is without already.
fn without(study: &Study, description: &Description) -> BTreeMap<&'static str, Results> {
    let mut mechanisms: Vec<&'static str> = study
        .claims
        .iter()
        .filter_map(|c| if let Expected::Holds(mechanism) = c.expected { mechanism } else { None })
        .collect();
    mechanisms.sort_unstable();
    mechanisms.dedup();
    let change = |mechanism: &&'static str| match study.added.iter().find(|(name, _)| name == mechanism) {
        Some((_, with)) => with(description),
        None => description.without(mechanism),
    };
    let results = parallel::map(&mechanisms, |mechanism| measured(study, &change(mechanism)?));
    mechanisms.into_iter().zip(results).filter_map(|(mechanism, results)| Some((mechanism, results.ok()?))).collect()
}

/// The figures of each status, and how many of them matter: a result changes with them, or is broken without them.
/// `inputs` are the printed figures from which a model predicts.
fn figures(
    description: &Description,
    inputs: &Inputs,
    elasticities: &Elasticities,
    rows: &[Row],
) -> Vec<(Status, usize, usize)> {
    let breaks =
        |name: &str| rows.iter().any(|r| matches!(&r.class, Class::Emergent(from) if from.iter().any(|f| f == name)));
    let matters = |name: &str| {
        let of = elasticities.iter().find(|(n, _)| n == name);
        of.is_some_and(|(_, on)| on.values().any(|e| e.is_finite() && e.abs() >= NAMED)) || breaks(name)
    };
    let mut count: BTreeMap<Status, (usize, usize)> = BTreeMap::new();
    let described = description.figures().map(|(name, figure)| {
        let meant = figure.derived.as_ref().and_then(|_| name_in(description, figure)).map(String::from);
        (figure.origin().0, meant.unwrap_or(name))
    });
    for (status, name) in described.chain(inputs.keys().map(|name| (Status::Printed, name.clone()))) {
        let (all, used) = count.entry(status).or_default();
        *all += 1;
        *used += usize::from(matters(&name));
    }
    count.into_iter().map(|(status, (all, used))| (status, all, used)).collect()
}

fn passes(expected: Expected, ours: f64) -> bool {
    match expected {
        // A tolerance of 0 is for whole numbers, which come from measurements.
        Expected::Near(value, _, tolerance) => (ours - value).abs() <= value * tolerance.max(1e-9),
        Expected::Between(low, high, _) => (low..=high).contains(&ours),
        Expected::Holds(_) => ours == 1.0,
        Expected::Most(least, ..) => ours >= least as f64,
    }
}

/// For each figure, the relative change of each result per relative change of the figure.
type Elasticities = Vec<(String, BTreeMap<&'static str, f64>)>;

fn elasticities(study: &Study, description: &Description, ours: &Results) -> Result<Elasticities, String> {
    let mut steps = vec![];
    for (name, described) in description.figures() {
        // Some parts know another part's figure under a name of their own. It is not changed by itself.
        if described.derived.is_some() && name_in(description, described).is_some() {
            continue;
        }
        let Ok(figure) = description.quantity(&name) else { continue };
        // Whole numbers, and sizes that have to be powers of two, have no neighbours 5 % away.
        steps.push((name, if is_whole(figure) { [2.0, 0.5] } else { [1.0 + CHANGE, 1.0 - CHANGE] }));
    }
    let each: Vec<(&str, f64)> = steps.iter().flat_map(|(name, by)| by.map(|factor| (name.as_str(), factor))).collect();
    let results = parallel::map(&each, |(name, factor)| measured(study, &description.with_factor(name, *factor)?));
    let mut all = vec![];
    for ((name, steps), results) in steps.into_iter().zip(results.chunks(2)) {
        // Some figures cannot be halved, such as one way.
        let (up, down, change) = match results {
            [Ok(up), Ok(down)] => (up, down, steps[0] / steps[1]),
            [Ok(up), Err(_)] => (up, ours, steps[0]),
            [Err(_), Ok(down)] => (ours, down, 1.0 / steps[1]),
            _ => continue,
        };
        let change = change.ln();
        let mut on = BTreeMap::new();
        for (id, own) in ours {
            let (Some(up), Some(down)) = (up.get(id), down.get(id)) else { continue };
            // A result near zero has no relative change. What one of both machines does not show, such as a cache that is
            // larger than what a probe sweeps, is compared with the machine as it is.
            let (up, down, change) = match (up.is_nan(), down.is_nan()) {
                (true, false) => (own, down, -steps[1].ln()),
                (false, true) => (up, own, steps[0].ln()),
                _ => (up, down, change),
            };
            if up * down > 0.0 {
                on.insert(*id, (up / down).ln() / change);
            }
        }
        all.push((name, on));
    }
    Ok(all)
}

/// The name of another figure, if that is the value of this one.
fn name_in<'a>(description: &Description, figure: &'a Figure) -> Option<&'a str> {
    match &figure.value {
        Content::Text(name) if description.quantity(name).is_ok() => Some(name),
        _ => None,
    }
}

fn elasticities_of_predictions(predictions: &Predictions, inputs: &Inputs) -> Result<Elasticities, String> {
    let mut all = vec![];
    for (name, value) in inputs {
        let of = |factor: f64| {
            let mut changed = inputs.clone();
            changed.insert(name.clone(), value * factor);
            (predictions.predict)(&changed)
        };
        let (up, down) = (of(1.0 + CHANGE)?, of(1.0 - CHANGE)?);
        let change = ((1.0 + CHANGE) / (1.0 - CHANGE)).ln();
        let of = |id: &&'static str| Some((*id, (up.get(id)? / down.get(id)?).ln() / change));
        all.push((name.clone(), up.keys().filter_map(of).collect()));
    }
    Ok(all)
}

fn is_whole(figure: Quantity) -> bool {
    let is_power = figure.value >= 1.0 && (figure.value as u64).is_power_of_two() && figure.value.fract() == 0.0;
    figure.unit == quantity::COUNT || (figure.unit == quantity::BYTES && is_power)
}

/// `inputs` are the figures of predictions, in MB/s.
fn class(
    description: &Description,
    inputs: &Inputs,
    elasticities: &Elasticities,
    (id, ours): (&str, f64),
    expected: Expected,
) -> Class {
    let mut on: Vec<(&str, f64)> =
        elasticities.iter().filter_map(|(name, of)| Some((name.as_str(), of.get(id)?.abs()))).collect();
    on.retain(|(_, e)| *e >= NAMED && e.is_finite());
    on.sort_by(|a, b| b.1.total_cmp(&a.1));
    let is_inferred = matches!(expected, Expected::Near(_, "bytes" | "", 0.0));
    // A figure within a printed range is this result only if the result follows it and is as large.
    let least = if matches!(expected, Expected::Between(..)) { ALMOST_ALL } else { NAMED };
    let expected = match expected {
        Expected::Between(_, _, unit) => Expected::Near(ours, unit, 0.0),
        other => other,
    };
    let is_input = |name: &str| match (inputs.get(name), expected) {
        (Some(input), Expected::Near(value, "MB/s", _)) => (input / value - 1.0).abs() < SAME,
        _ => false,
    };
    let is_it = |name: &str| is_input(name) || is_printed(description, name, expected);
    match on.iter().find(|(name, e)| *e >= least && is_it(name)) {
        Some((name, _)) if is_inferred => Class::Inferred((*name).into()),
        Some((name, _)) => Class::Calibration((*name).into()),
        None if on.is_empty() => Class::Open,
        None => Class::Emergent(on.iter().map(|(name, _)| (*name).into()).collect()),
    }
}

/// Whether the printed result stands in the machine file: as this figure, or in its formula.
fn is_printed(description: &Description, name: &str, expected: Expected) -> bool {
    let is_it = |q: Quantity| match expected {
        Expected::Near(value, unit, _) => in_unit(description, q, unit).is_some_and(|v| (v / value - 1.0).abs() < SAME),
        Expected::Between(..) | Expected::Holds(_) | Expected::Most(..) => false,
    };
    description.quantity(name).is_ok_and(is_it) || description.constants(name).into_iter().any(is_it)
}

/// A quantity in this unit; None if it is of another kind.
fn in_unit(description: &Description, q: Quantity, unit: &str) -> Option<f64> {
    let (kind, scale) = match unit {
        "ns" => (quantity::TIME, 1000.0),
        "cycles" => (quantity::TIME, 1.0 / description.quantity("processor.clock").ok()?.value),
        "bytes" => (quantity::BYTES, 1.0),
        "MB/s" => (quantity::RATE, 1e-6),
        "" => (quantity::COUNT, 1.0),
        _ => return None,
    };
    (q.unit == kind).then_some(q.value / scale)
}

/// A machine of `machines/`.
#[cfg(test)]
fn described(machine: &str) -> Description {
    let path = format!("{}/../../machines/{machine}.toml", env!("CARGO_MANIFEST_DIR"));
    Description::of_file(&std::fs::read_to_string(path).unwrap()).unwrap().unwrap()
}
