//! Single lines: the unit of coherence, a line that goes back and forth, and the distances between cores.

use crate::communication::gather::{at, evidence, mapped, powers, Axes, Gathered};
use crate::communication::partners::Partner;
use crate::{Effort, Failure, Kernel, Session, Stimulus};
use fathom_profile::{names, Value};

/// The number of bytes kept coherent together, if it can be determined.
pub fn unit(session: &mut Session, g: &mut Gathered) -> Result<Option<f64>, Failure> {
    const CURVE: &str = "sharing.counters";
    let beside = |distance| Stimulus::new(Kernel::FalseSharing).with("distance_bytes", distance);
    let series = g.series(session, "two counters: add to one of them", &powers(8, 2048, 2), beside)?;
    let found = super::infer::coherence_unit(&series.points);
    if let Some(last) = series.points.last() {
        let value = match found {
            Some(u) => {
                let rule = format!(
                    "the smallest distance of two counters from which on two threads that add to one each do not disturb each other: \
                     below it an addition takes {:.1} times as long",
                    u.contrast
                );
                let below = series.points.iter().rfind(|p| p.x < u.bytes).map(|p| p.x);
                Value::known(names::SHARING_UNIT_BYTES, u.bytes, "bytes", u.clearness, rule).between(below, u.bytes)
            }
            None => {
                let why = format!(
                    "up to {} bytes, two counters' distance makes no clear difference to who adds to them",
                    last.x
                );
                Value::unknown(names::SHARING_UNIT_BYTES, "bytes", why)
            }
        };
        g.findings.values.push(value.resting_on(evidence(CURVE, &series)));
        if let Some(u) = found {
            let rule = "time of an addition to a counter when another thread adds to one in the same unit, over the time of one \
                        that is alone in its unit; the median of the distances within it";
            let value = Value::known("sharing.false_sharing.slowdown", u.slowdown, "", u.clearness, rule);
            g.findings.values.push(value.resting_on(evidence(CURVE, &series)));
        }
    }
    let title = "False sharing: two counters, two threads";
    g.curve(Axes { curve: CURVE, title, x: "distance_bytes", y: "ns", log_x: true }, vec![series]);
    Ok(found.map(|u| u.bytes))
}

pub fn ping_pong(session: &mut Session, g: &mut Gathered) -> Result<(), Failure> {
    let with = |lines| Stimulus::new(Kernel::PingPong).with("lines", lines);
    let rule = "a word that two threads write in turn, there and back";
    g.single(session, "sharing.line.round_trip.ns", &with(1), rule)?;
    let rule = "two words in lines of their own, each written by one thread and read by the other, there and back";
    g.single(session, "sharing.two_lines.round_trip.ns", &with(2), rule)?;
    Ok(())
}

/// From each core to every other core.
pub fn matrix(session: &mut Session, g: &mut Gathered, place: &Partner) -> Result<(), Failure> {
    const CURVE: &str = "sharing.cores";
    let most = match session.effort {
        Effort::Quick => 8,
        Effort::Normal => 32,
        Effort::Thorough => 256,
    };
    // Evenly chosen, so that all sockets are included.
    let step = place.cores.len().div_ceil(most).max(1);
    let cores: Vec<u64> = place.cores.iter().copied().step_by(step).collect();
    if cores.len() < 3 {
        return Ok(());
    }
    let mut all = vec![];
    for from in &cores {
        let others: Vec<u64> = cores.iter().copied().filter(|c| c != from).collect();
        let there =
            |to| Stimulus::new(Kernel::PingPong).with("lines", 1).with("processor", *from).with("other_processor", to);
        let mut series = g.series(session, &format!("cores: from {from}"), &others, there)?;
        series.points = series.points.iter().map(|r| mapped(r, |ns| ns / 2.0)).collect();
        all.push(series);
    }
    let points = || all.iter().flat_map(|s| s.points.iter().map(move |p| (s, p)));
    let least = points().min_by(|a, b| a.1.y.total_cmp(&b.1.y));
    let most = points().max_by(|a, b| a.1.y.total_cmp(&b.1.y));
    for (name, what, extreme) in [("nearest", "least", least), ("farthest", "most", most)] {
        if let Some((series, r)) = extreme {
            let rule = format!(
                "half of a line's round trip, the {what} of {} pairs of cores: {} to core {}",
                points().count(),
                series.name,
                r.x
            );
            g.measured(&format!("sharing.cores.{name}.ns"), "ns", r, &rule, at(CURVE, series, vec![r.x]));
        }
    }
    let title = "A line from core to core";
    g.curve(Axes { curve: CURVE, title, x: "core", y: "ns", log_x: false }, all);
    Ok(())
}
