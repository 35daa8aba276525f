//! Whether stores to one line are merged: on their way out of the buffer, while they wait in it, and where they bypass
//! the caches.

use super::caches::Caches;
use super::series::{Recorder, System};
use crate::infer::stores;
use crate::{Effort, Failure, Kernel, Session, Stimulus};
use fathom_profile::Series;

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, recorder: &mut Recorder, system: &System, caches: &Caches) -> Result<(), Failure> {
    leaving(session, recorder, system, caches)?;
    waiting(session, recorder, caches)
}

/// Stores that fill lines word by word, several lines in turn.
fn leaving(session: &mut Session, recorder: &mut Recorder, system: &System, caches: &Caches) -> Result<(), Failure> {
    let line = caches.line_bytes.unwrap_or(64.0);
    let quick = session.effort == Effort::Quick;
    let last = caches.levels.last().map_or(1e6, |l| l.bytes);
    let memory = (4.0 * last).min(system.most_bytes / 2.0);
    let mut places: Vec<(String, f64)> =
        caches.levels.iter().enumerate().map(|(i, l)| (format!("level {}", i + 1), l.bytes * 0.5)).collect();
    places.push(("memory".into(), memory));
    let turns = |lines: u64, bytes: f64| {
        let block = line * 32.0;
        Stimulus::new(Kernel::Turns)
            .with("lines", lines)
            .with("bytes", ((bytes / block).max(1.0) * block) as u64)
            .with("line", line as u64)
    };
    let mut series: Vec<Series> = vec![];
    for (name, bytes) in places.iter().take(if quick { 1 } else { places.len() }) {
        let points: Vec<_> = [1, 2, 4, 8].map(|k| (k as f64, turns(k, *bytes))).into();
        series.push(recorder.brief(session, name, &points)?);
    }
    if let Some((row, turn)) = series.first().and_then(|s| Some((s.points.first()?.y, s.points.get(3)?.y))) {
        let rule = format!(
            "stores that hit the first level take {row:.3} ns each where the words of a line are written in a row, {turn:.3} ns where \
             eight lines are in turn: 1 if the buffer gives each to the cache by itself"
        );
        let factor = turn / row;
        recorder.value(
            "l1d.store_merging.factor",
            factor,
            "",
            (0.95 * factor, 1.05 * factor),
            0.85,
            rule,
            &["turns/level 1"],
        );
    }
    let points: Vec<_> =
        [1, 2, 4, 8, 12, 16, 20, 24, 32].map(|k| (k as f64, turns(k, memory).word("op", "nontemporal"))).into();
    let past = recorder.brief(session, "past the caches", &points)?;
    let at: Vec<(f64, f64)> = past.points.iter().map(|p| (p.x, p.y)).collect();
    match held(&at) {
        Some(h) => {
            let rule = format!(
                "non-temporal stores to the words of K lines in turn: {:.2} ns each with up to {:.0} lines, {:.2} ns with {:.0}: then lines \
                 leave before they are full",
                h.within_ns, h.lines, h.beyond_ns, h.beyond
            );
            let interval = (h.lines, h.beyond - 1.0);
            recorder.value("non_temporal.lines", h.lines, "lines", interval, 0.85, rule, &["turns/past the caches"]);
        }
        None => {
            let why = if at.is_empty() {
                "there are no stores that pass the caches"
            } else {
                "stores that pass the caches cost about the same whatever number of lines is filled in turn"
            };
            recorder.unknowable("non_temporal.lines", "lines", why.into(), &["turns/past the caches"]);
        }
    }
    series.push(past);
    recorder.curve("turns", "Stores that fill lines in turn", ("lines", "ns"), (true, true), series);
    Ok(())
}

/// The number of lines that a buffer merges at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    pub lines: f64,
    /// The next number that was tried.
    pub beyond: f64,
    pub within_ns: f64,
    pub beyond_ns: f64,
}

/// From (lines in turn, ns of a store), lines rising: the greatest number before the steepest rise, if the time more
/// than doubles there, because a line that leaves half full costs a separate transfer.
pub fn held(points: &[(f64, f64)]) -> Option<Held> {
    let rise = |w: &[(f64, f64)]| w[1].1 / w[0].1;
    let steepest = points.windows(2).max_by(|a, b| rise(a).total_cmp(&rise(b)))?;
    // Lines in turn may cost in proportion to their number for other reasons: only a steeper rise counts.
    (rise(steepest) > 2.0 && rise(steepest) > 1.25 * steepest[1].0 / steepest[0].0).then(|| Held {
        lines: steepest[0].0,
        beyond: steepest[1].0,
        within_ns: steepest[0].1,
        beyond_ns: steepest[1].1,
    })
}

/// Stores that wait behind a load: whether it matters that they go to one line.
fn waiting(session: &mut Session, recorder: &mut Recorder, caches: &Caches) -> Result<(), Failure> {
    const NAME: &str = "store_buffer.merging.factor";
    let evidence = ["stores/stores between", "waiting/stores to eight lines between"];
    if session.effort == Effort::Quick {
        return Ok(());
    }
    let Some(one) = recorder.known("store_buffer.stores") else {
        recorder.unknowable(NAME, "", "how many stores wait in the buffer is not known".into(), &evidence[..1]);
        return Ok(());
    };
    let bytes = super::hiding::bytes_of_misses(caches);
    let points: Vec<_> = (0..=20)
        .map(|i| i * 8)
        .map(|n| (f64::from(n), super::hiding::stores_between(n as u64, bytes).word("lines", "many")))
        .collect();
    let series = recorder.brief(session, "stores to eight lines between", &points)?;
    let at: Vec<(f64, f64)> = series.points.iter().map(|p| (p.x, p.y)).collect();
    match stores::depth(&at) {
        Some(many) => {
            let factor = one / many.stores;
            let rule = format!(
                "{one:.0} stores to one line wait behind a load that misses, {:.0} to eight lines in turn: 1 if each has a place of its own \
                 whatever its line is",
                many.stores
            );
            let half = 4.0 / many.stores + 2.0 / one;
            recorder.value(
                NAME,
                factor,
                "",
                (factor * (1.0 - half), factor * (1.0 + half)),
                many.confidence,
                rule,
                &evidence,
            );
        }
        None => recorder.unknowable(
            NAME,
            "",
            "stores to several lines between two misses never make the second wait".into(),
            &evidence,
        ),
    }
    recorder.curve(
        "waiting",
        "Two misses with stores to several lines between",
        ("stores", "ns"),
        (false, false),
        vec![series],
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_buffers_is_where_lines_leave_half_full() {
        let points = |held: f64| -> Vec<(f64, f64)> {
            [1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 32.0]
                .map(|k| (k, if k <= held { 0.3 + 0.08 * k } else { 12.0 }))
                .into()
        };
        for (truth, found) in [(4.0, 4.0), (10.0, 8.0), (16.0, 16.0), (20.0, 20.0)] {
            let h = held(&points(truth)).unwrap();
            assert_eq!(h.lines, found);
            assert!(truth < h.beyond);
        }
    }

    #[test]
    fn what_only_grows_with_the_number_of_lines_says_nothing() {
        let points: Vec<(f64, f64)> = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0].map(|k| (k, 0.2 * k)).into();
        assert_eq!(held(&points), None);
        assert_eq!(held(&points.iter().map(|p| (p.0, 1.0)).collect::<Vec<_>>()), None);
    }
}
