//! Every mechanism of an operation of several threads, each forced in turn: collectives among near and among far
//! threads, and far transfers by the conduit's own operations or by messages.
//!
//! There is a curve for each decision and mechanism, `mechanisms.all-reduce.slices`, and a series for each class of the
//! table, `threads=2` or `computer=this`; x is bytes, y the time of one operation. Operations of several threads differ
//! from one moment to another, so everything is measured in passes, the mechanisms of a size one after the other.

use crate::{fits, Effort, Fact, Failure, Findings, Kernel, Session, Stimulus};
use fathom_profile::mechanism::{Computer, Subject};
use fathom_profile::way::{Asks, Decision, DECISIONS};
use fathom_profile::Series;
use fathom_profile::{Missing, Reading, Reason};
use std::time::{Duration, Instant};

/// The numbers of pieces of a transfer in pieces: few and many.
const PIECES: [u64; 2] = [8, 128];

/// A point of a decision: its series, and its stimulus.
struct Case {
    subject: Subject,
    bytes: u64,
    stimulus: Stimulus,
}

/// The sizes at which a decision is measured.
fn sizes(decision: &Decision, effort: Effort) -> Vec<u64> {
    let step = if effort == Effort::Quick { 2 } else { 1 };
    let exponents: Vec<u32> = match decision.name {
        "atomic" => return vec![8],
        "put" | "get" => (3..=22).collect(),
        "put-together" | "get-together" => (3..=19).collect(),
        "put-pieces" | "get-pieces" => (3..=14).collect(),
        // Below this, one line holds everything, and only one mechanism moves it; but a tree may pass it on.
        "near-gather" | "near-gather-all" | "near-exchange" => (9..=21).collect(),
        _ => (6..=21).collect(),
    };
    // Every other power of two if there is time, otherwise every fourth.
    exponents.iter().step_by(2 * step).map(|e| 1u64 << e).collect()
}

fn cases(decision: &Decision, members: u64, way: &'static str, effort: Effort) -> Vec<Case> {
    let stimulus = |bytes: u64| {
        let kernel = if decision.is_collective() { Kernel::Collective } else { Kernel::FarTransfer };
        Stimulus::new(kernel).word("decision", decision.name).word("take", way).with("bytes", bytes)
    };
    let sizes = sizes(decision, effort);
    if decision.is_collective() {
        let series = |bytes| Case {
            subject: Subject::Threads(members),
            bytes,
            stimulus: stimulus(bytes).with("members", members),
        };
        return sizes.into_iter().map(series).collect();
    }
    let several = decision.name.ends_with("-pieces");
    let counts = if several { &PIECES[..] } else { &[1] };
    let case = |pieces: u64, bytes| Case {
        subject: if several { Subject::Pieces(pieces) } else { Subject::One },
        bytes,
        stimulus: stimulus(bytes).with("pieces", pieces),
    };
    counts.iter().flat_map(|pieces| sizes.iter().map(|bytes| case(*pieces, *bytes)).collect::<Vec<_>>()).collect()
}

/// The number of passes, if there is time.
fn passes(effort: Effort) -> usize {
    match effort {
        Effort::Quick => 2,
        Effort::Normal => 3,
        Effort::Thorough => 9,
    }
}
/// The longest time of a point in one pass.
const LIMIT: Duration = Duration::from_millis(40);

/// Whether loads and stores reach thread 1's memory.
///
/// # Errors
/// The runner is broken.
pub fn is_near(session: &mut Session) -> Result<bool, Failure> {
    match session.runner.run(&Stimulus::new(Kernel::Place).with("with", 1), 1, Duration::from_secs(2)) {
        Ok(samples) => Ok(samples.facts.get(&Fact::Near) != Some(&0.0)),
        Err(broken @ Failure::Broken(_)) => Err(broken),
        // There is no partner to measure with.
        Err(_) => Ok(true),
    }
}

/// Measures with the available threads, and then with more threads than processors.
///
/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, is_near: bool, until: Instant) -> Result<Findings, Failure> {
    let mut findings = Findings::default();
    let all = session.runner.threads() as u64;
    let mut counts: Vec<u64> = std::iter::successors(Some(2), |n| Some(n * 2)).take_while(|n| *n <= all).collect();
    if session.effort == Effort::Quick && counts.len() > 2 {
        counts = vec![2, counts[counts.len() - 1]];
    }
    let now = session.now();
    let left = |share: f64| now + until.saturating_duration_since(now).mul_f64(share);
    let time = if session.effort == Effort::Quick { until } else { left(0.6) };
    measure(session, is_near, &counts, time, &mut findings)?;
    if session.effort != Effort::Quick && session.time_left() {
        let crowd = (all + 1).next_power_of_two();
        let measured = session.with_threads(crowd as usize, |s| measure(s, is_near, &[crowd], until, &mut findings));
        if let Err(failure) = measured {
            findings.note_missing(&format!("mechanisms between {crowd} threads"), failure)?;
        }
    }
    Ok(findings)
}

/// A point, measured in every pass.
struct Point {
    decision: &'static Decision,
    way: &'static str,
    case: Case,
    readings: Vec<Reading>,
    is_lost: bool,
}

fn measure(
    session: &mut Session,
    is_near: bool,
    counts: &[u64],
    until: Instant,
    findings: &mut Findings,
) -> Result<(), Failure> {
    let mut points = points(is_near, counts, session.effort, session.runner.threads());
    let passes = if session.is_exact() { 1 } else { passes(session.effort) };
    let mut late = false;
    for pass in 0..passes {
        for i in 0..points.len() {
            if points[i].is_lost {
                continue;
            }
            if session.now() >= until {
                late |= pass == 0;
                break;
            }
            let point = &points[i];
            match session.glance(&point.case.stimulus, LIMIT) {
                Ok((e, samples)) => {
                    let x = point.case.bytes as f64;
                    let (y, low, high) = (e.value, e.low, e.high);
                    points[i].readings.push(Reading { x, y, low, high, samples: e.samples, outliers: e.outliers });
                    if points[i].decision.asks == Asks::Computer {
                        let this = samples.facts.get(&Fact::ThisComputer) == Some(&1.0);
                        points[i].case.subject = Subject::Computer(if this { Computer::This } else { Computer::Other });
                    }
                }
                Err(broken @ Failure::Broken(_)) => return Err(broken),
                Err(why) => {
                    let (name, way) = (points[i].decision.name, points[i].way);
                    let (subject, bytes) = (points[i].case.subject.clone(), points[i].case.bytes);
                    let is_impossible = matches!(why, Failure::Impossible(..));
                    // An operation that is impossible is so at every size; one that takes too long does so at larger
                    // sizes too.
                    for p in points.iter_mut().filter(|p| p.decision.name == name && p.way == way) {
                        p.is_lost |= is_impossible || (p.case.subject == subject && p.case.bytes >= bytes);
                    }
                    let what = format!("mechanisms.{name}.{way}, {subject}");
                    if !findings.missing.iter().any(|m| m.what == what) {
                        findings.missing.push(why.missing(what));
                    }
                }
            }
        }
    }
    if late {
        let why = "no time was left for some sizes; built-in defaults serve there".to_string();
        findings.missing.push(Missing::new(format!("mechanisms between {} threads", counts[0]), Reason::Time, why));
    }
    points.into_iter().filter(|p| !p.readings.is_empty()).for_each(|p| add(findings, p));
    Ok(())
}

/// All points, sizes rising, the mechanisms of a size one after the other.
fn points(is_near: bool, counts: &[u64], effort: Effort, threads: usize) -> Vec<Point> {
    let mut points = vec![];
    for decision in DECISIONS.iter().filter(|d| d.is_far != is_near) {
        // An operation with one partner is measured once, where every thread has a processor.
        let counts = match decision.is_collective() {
            true if decision.asks == Asks::Threads => counts,
            _ if counts[0] == 2 => &counts[..1],
            _ => &[],
        };
        for &members in counts.iter().filter(|n| **n >= decision.least_threads && **n <= threads as u64) {
            let mut of_ways: Vec<_> = (decision.ways.iter())
                .flat_map(|way| cases(decision, members, way, effort).into_iter().enumerate().map(move |c| (way, c)))
                .collect();
            of_ways.sort_by_key(|(_, (at, _))| *at);
            points.extend(of_ways.into_iter().map(|(way, (_, case))| Point {
                decision,
                way,
                case,
                readings: vec![],
                is_lost: false,
            }));
        }
    }
    points
}

fn add(findings: &mut Findings, point: Point) {
    let merged = Series::of(point.case.subject, fits::merge("", &[point.readings]).points);
    let all = &mut super::curve::of(findings, point.decision.name, point.way).series;
    match all.iter_mut().find(|s| s.of == merged.of) {
        Some(series) => series.points.extend(merged.points),
        None => all.push(merged),
    }
}
