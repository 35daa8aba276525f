//! The different distances of threads: round trips, puts and gets to each of them.

use super::gather::{at, Axes, Gathered};
use super::partners::Partner;
use crate::{Effort, Failure, Kernel, Session, Stimulus};
use fathom_profile::{Reading, Series};

const CURVE: &str = "communication.by_thread";

type Case = (&'static str, &'static str, fn(u64) -> Stimulus);
const CASES: [Case; 3] = [
    ("round_trip.ns", "round trip of a short message", |t| {
        Stimulus::new(Kernel::RoundTrip).word("kind", "short").with("with", t)
    }),
    ("put.ns", "blocking put of 8 bytes", |t| Stimulus::new(Kernel::Put).with("bytes", 8).with("with", t)),
    ("get.ns", "blocking get of 8 bytes", |t| Stimulus::new(Kernel::Get).with("bytes", 8).with("with", t)),
];

pub fn probe(session: &mut Session, g: &mut Gathered) -> Result<(), Failure> {
    let threads = session.runner.threads() as u64;
    let most = if session.effort == Effort::Thorough { threads } else { threads.min(17) };
    let mut others = vec![];
    for thread in 1..most {
        match Partner::of(session, thread, g)? {
            Some(partner) => others.push((thread, partner.is_near)),
            None => break, // no core for this thread, nor for later ones
        }
    }
    let mut all: Vec<Series> = CASES.iter().map(|(_, title, _)| Series::new(*title, vec![])).collect();
    for (thread, _) in &others {
        for ((_, title, stimulus), series) in CASES.iter().zip(&mut all) {
            let what = format!("distance of thread {thread}: {title}");
            series.points.extend(g.point(session, &what, *thread as f64, &stimulus(*thread))?);
        }
    }
    for (word, is_near) in [("near", true), ("far", false)] {
        for ((name, title, _), series) in CASES.iter().zip(&all) {
            let there = |p: &&Reading| others.iter().any(|(t, near)| *t as f64 == p.x && *near == is_near);
            let mut points: Vec<&Reading> = series.points.iter().filter(there).collect();
            points.sort_by(|a, b| a.y.total_cmp(&b.y));
            let (Some(least), Some(most)) = (points.first(), points.last()) else { continue };
            let rule = match points.len() {
                1 => format!("{title} to thread {}, the only {word} one that has a core", least.x),
                n => {
                    format!("{title} to the best placed of {n} {word} threads; to the worst it takes {:.1} ns", most.y)
                }
            };
            let xs = points.iter().map(|p| p.x).collect();
            g.measured(&format!("communication.{word}.{name}"), "ns", least, &rule, at(CURVE, series, xs));
        }
    }
    let title = "Distance, by thread";
    g.curve(Axes { curve: CURVE, title, x: "thread", y: "ns", log_x: false }, all);
    Ok(())
}
