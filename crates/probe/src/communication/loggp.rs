//! LogGP's parameters, their predictions, and the error of the predictions.

use super::gather::{certainty, evidence, mapped, powers, reading, Axes, Gathered};
use super::infer::{loggp, LogGp, Signature};
use super::partners::Partner;
use crate::{Fact, Failure, Kernel, Session, Stimulus};
use fathom_model::loggp::{Given, Parameters};
use fathom_model::MachineFile;
use fathom_profile::statistics::quantile;
use fathom_profile::{Reading, Reason, Series, Value};

const BURSTS: &str = "communication.bursts";
const RECEPTIONS: &str = "communication.receptions";
const TRIPS: &str = "communication.loggp.round_trip";
/// A delay was too short if more than this share of the replies had not arrived.
const MOST_LATE: f64 = 0.05;
/// An operation that is as long can be timed by itself.
const LEAST_TIMED_NS: f64 = 5000.0;
/// Larger messages are long ones everywhere.
const MOST_TRIED_AS_MEDIUM: u64 = 4096;

pub fn probe(session: &mut Session, g: &mut Gathered, partner: &Partner) -> Result<(), Failure> {
    let short = |kernel: Kernel| Stimulus::new(kernel).word("kind", "short");
    let Some(mut trip) = g.point(session, "LogGP: round trip", 0.0, &short(Kernel::RoundTrip))? else {
        return Ok(());
    };
    let Some(interval) = g.point(session, "LogGP: flood", 0.0, &short(Kernel::Flood))? else {
        return Ok(());
    };
    // Where the gap is nearly as long as a round trip, or longer, one would wait for that of the one before. On a real machine, trips so
    // short that one alone cannot be timed show no such thing.
    if interval.y > trip.y / 2.0 && (session.is_exact() || trip.y > LEAST_TIMED_NS) {
        g.pause_ns = Some((2.0 * interval.y).ceil() as u64);
        match g.point(session, "LogGP: round trip", 0.0, &short(Kernel::RoundTrip))? {
            Some(alone) => trip = alone,
            None => return Ok(()),
        }
    }
    let bursts = bursts(session, g)?;
    let receptions = receptions(session, g, trip.y.max(interval.y))?;
    let all = trips(session, g, partner)?;
    // The parameters are judged by other points than those they are inferred from.
    let pick = |odd: usize| all.points.iter().skip(odd).step_by(2).copied().collect::<Vec<Reading>>();
    let (base, held_out) = (pick(0), pick(1));
    let signature = Signature {
        round_trip: trip.y,
        bursts: bursts.points.clone(),
        receptions: receptions.points.clone(),
        interval: interval.y,
        round_trips: base.clone(),
    };
    match loggp(&signature) {
        Ok(found) => {
            values(g, &found, &trip, &interval, [&bursts, &receptions, &all]);
            let predicted = judge(g, &found, &held_out, &all);
            let series = vec![all, Series::new("predicted by LogGP", predicted)];
            let title = "Round trip of messages: measured, and predicted by LogGP";
            g.curve(Axes { curve: TRIPS, title, x: "bytes", y: "ns", log_x: true }, series);
            let threads = session.runner.threads();
            g.figures(Box::new(move |machine: &mut MachineFile| machine.loggp = Some(parameters(&found, threads))));
        }
        Err(why) => g.missing("LogGP's parameters", Reason::Other, &why),
    }
    let title = "Sending in bursts: a message's time";
    g.curve(Axes { curve: BURSTS, title, x: "messages", y: "ns", log_x: true }, vec![bursts]);
    let title = "Taking a reply after a delay";
    g.curve(Axes { curve: RECEPTIONS, title, x: "delay_ns", y: "ns", log_x: true }, vec![receptions]);
    Ok(())
}

/// The time of a message by the number sent in a row.
fn bursts(session: &mut Session, g: &mut Gathered) -> Result<Series, Failure> {
    let mut points = vec![];
    for n in powers(1, 64, 2) {
        let stimulus = Stimulus::new(Kernel::SendOverhead).with("burst", n).word("kind", "short");
        let Some(whole) = g.point(session, "LogGP: bursts", n as f64, &stimulus)? else { break };
        points.push(mapped(&whole, |ns| ns / n as f64));
    }
    Ok(Series::new("short", points))
}

/// The time to take a reply by the delay after the request; only where the replies had arrived.
fn receptions(session: &mut Session, g: &mut Gathered, trip_ns: f64) -> Result<Series, Failure> {
    let mut points = vec![];
    for times in [1.5, 2.0, 3.0, 4.0, 6.0] {
        if !session.time_left() {
            g.missing("LogGP: receptions", Reason::Time, "no time was left");
            break;
        }
        let delay = (trip_ns * times).ceil();
        let stimulus = Stimulus::new(Kernel::ReceiveOverhead).with("delay_ns", delay as u64).word("kind", "short");
        match session.measure_with_facts(&g.addressed(stimulus)) {
            Ok((e, samples)) if samples.facts.get(&Fact::Late).is_some_and(|late| *late <= MOST_LATE) => {
                let (samples, outliers) = (e.samples, e.outliers);
                points.push(Reading { x: delay, y: e.value, low: e.low, high: e.high, samples, outliers });
            }
            // The delay was too short; a longer one may succeed.
            Ok(_) | Err(Failure::Impossible(..)) => {}
            Err(failure) => g.findings.note_missing("LogGP: receptions", failure)?,
        }
    }
    Ok(Series::new("short", points))
}

/// Round trips of messages, of the kind that is faster at each size.
fn trips(session: &mut Session, g: &mut Gathered, partner: &Partner) -> Result<Series, Failure> {
    let of = |kind: &'static str| move |bytes| Stimulus::new(Kernel::RoundTrip).word("kind", kind).with("bytes", bytes);
    let long = g.series(session, "LogGP: round trips of long messages", &powers(64, 1 << 19, 2), of("long"))?;
    let sizes = powers(64, partner.max_medium.min(MOST_TRIED_AS_MEDIUM), 2);
    let medium = g.series(session, "LogGP: round trips of medium messages", &sizes, of("medium"))?;
    let faster = |r: &Reading| reading(&medium, r.x).filter(|m| m.y < r.y).unwrap_or(*r);
    Ok(Series::new("measured", long.points.iter().map(faster).collect()))
}

fn values(g: &mut Gathered, found: &LogGp, trip: &Reading, interval: &Reading, from: [&Series; 3]) {
    let [bursts, receptions, trips] = from;
    let burst = bursts.points.iter().find(|b| b.x == found.burst);
    let sure = |readings: &[Option<&Reading>]| readings.iter().flatten().map(|r| certainty(r)).fold(1.0, f64::min);
    let middle = receptions.points.get(receptions.points.len() / 2);
    let mut add =
        |name: &str, unit: &str, value: f64, range: (Option<f64>, Option<f64>), confidence: f64, rule: String, e| {
            let value = Value::known(format!("communication.loggp.{name}"), value, unit, confidence, rule);
            g.findings.values.push(value.between(range.0, range.1).resting_on(e));
        };
    let of = |r: Option<&Reading>| (r.map(|r| r.low), r.map(|r| r.high));
    let rule = format!("time of a message in bursts of {}, the least of all bursts", found.burst);
    add("o_send.ns", "ns", found.o_send, of(burst), sure(&[burst]), rule, evidence(BURSTS, bursts));
    let ys = receptions.points.iter().map(|r| r.y);
    let range = (ys.clone().reduce(f64::min), ys.reduce(f64::max));
    let rule = "the poll that takes a reply which is there already: median over delays after the request".to_string();
    add("o_recv.ns", "ns", found.o_recv, range, sure(&[middle]), rule, evidence(RECEPTIONS, receptions));
    let rule = "interval of short messages in a flood".to_string();
    add("g.ns", "ns", found.gap, of(Some(interval)), sure(&[Some(interval)]), rule, vec![]);
    let rest = if found.rest < 0.0 {
        format!("; that is {:.1} ns: the two sides' overheads overlap, and nothing is left for L", found.rest)
    } else {
        String::new()
    };
    let rule = format!("half of the round trip of {:.1} ns less o_send and o_recv{rest}", trip.y);
    let confidence = if found.rest < 0.0 { 0.3 } else { sure(&[burst, middle, Some(trip)]) };
    add("L.ns", "ns", found.latency, (None, None), confidence, rule, vec![]);
    let rule =
        "what a byte adds to half the round trip of a message, medium or long, whichever is faster; every other size"
            .to_string();
    let confidence = trips.points.iter().map(certainty).fold(1.0, f64::min);
    add("G.ns_byte", "ns_byte", found.gap_per_byte, (None, None), confidence, rule, evidence(TRIPS, trips));
}

/// Predicts round trips of sizes that were not used for the parameters; returns the predictions and notes the median
/// error, as a share.
fn judge(g: &mut Gathered, found: &LogGp, held_out: &[Reading], all: &Series) -> Vec<Reading> {
    let predicted = |r: &Reading| 2.0 * found.message_ns(r.x);
    let mut errors: Vec<f64> = held_out.iter().map(|r| (predicted(r) / r.y - 1.0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    if !errors.is_empty() {
        let rule = format!(
            "median of |predicted / measured - 1| over the round trips of messages of {} sizes that G was not \
             inferred from, 2 (o_send + (n-1) G + L + o_recv)",
            errors.len()
        );
        let sure = held_out.iter().map(certainty).fold(1.0, f64::min);
        let value = Value::known("communication.loggp.error", quantile(&errors, 0.5), "", sure, rule)
            .between(errors.first().copied(), errors.last().copied())
            .resting_on(super::gather::at(TRIPS, all, held_out.iter().map(|r| r.x).collect()));
        g.findings.values.push(value);
    }
    all.points.iter().map(|r| Reading { y: predicted(r), low: predicted(r), high: predicted(r), ..*r }).collect()
}

fn parameters(found: &LogGp, threads: usize) -> Parameters {
    let us = |ns: f64, source: &str| Some(Given { value: ns / 1000.0, source: format!("measured: {source}") });
    Parameters {
        latency: us(found.latency, "half a round trip of short messages less both overheads"),
        o_send: us(found.o_send, "short messages in short bursts"),
        o_recv: us(found.o_recv, "taking a reply that is there"),
        gap: us(found.gap, "interval of short messages in a flood"),
        gap_per_byte: us(found.gap_per_byte, "messages by size"),
        processors: (threads >= 2).then(|| Given { value: threads as f64, source: "threads of the probe".into() }),
        combine: None,
    }
}
