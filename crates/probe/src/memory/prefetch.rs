//! The effect of prefetchers on dependent loads: lines in order, compared with the same lines of the same pages in an
//! order that no prefetcher can foresee.
//!
//! Both walks visit page after page, so that translation costs both the same, and they differ only in the order within
//! a page.

use super::caches::Caches;
use super::series::{chase, Recorder, System};
use super::translation::Reach;
use crate::{Effort, Failure, Session};
use fathom_profile::Series;

/// The limit at which runs begin to be foreseen, or a stride ceases to be: the geometric mean of a line's time at best
/// and at worst.
fn middle(best: f64, worst: f64) -> f64 {
    (best * worst).sqrt()
}

/// # Errors
/// The runner is broken.
pub fn probe(
    session: &mut Session,
    recorder: &mut Recorder,
    system: &System,
    reach: Reach,
    caches: &Caches,
) -> Result<(), Failure> {
    let line = caches.line_bytes.unwrap_or(64.0);
    let last = caches.levels.last().map_or(1e6, |l| l.bytes);
    let bytes = (4.0 * last).clamp(f64::from(16 << 20), f64::from(64 << 20)).min(system.most_bytes);
    let page = reach.page_bytes;
    let most = if session.effort == Effort::Quick { line } else { page / 4.0 };
    let strides = super::series::sizes(line, most.max(line), 1.0, line);
    // The same number of lines for every stride, as far as memory allows.
    let all = |stride: f64| (bytes * stride / line).min(system.most_bytes);
    let points = |order: &'static str| -> Vec<_> {
        strides.iter().map(|&s| (s, chase(all(s), s, order).with("within", page as u64))).collect()
    };
    let up = recorder.brief(session, "upwards", &points("linear"))?;
    let any = recorder.brief(session, "any order within a page", &points("local"))?;
    let down = if session.effort == Effort::Quick { vec![] } else { points("reverse") };
    let down = recorder.brief(session, "downwards", &down)?;
    let gains = |s: &Series| -> Vec<(f64, f64, f64, f64)> {
        let both = s.points.iter().zip(&any.points);
        both.map(|(p, a)| (p.x, a.y / p.y, a.low / p.high, a.high / p.low)).collect()
    };
    for (name, series) in [("prefetch.gain", &up), ("prefetch.down.gain", &down)] {
        if let (Some((_, gain, low, high)), Some(p), Some(a)) =
            (gains(series).first().copied(), series.points.first(), any.points.first())
        {
            let rule = format!(
                "dependent loads from memory line after line, {}, take {:.1} ns, in any order within a page {:.1} ns: 1 if nothing is fetched ahead",
                series.name, p.y, a.y
            );
            let evidence = format!("prefetch/{}", series.name);
            recorder.value(name, gain, "", (low, high), 0.9, rule, &[&evidence, "prefetch/any order within a page"]);
        }
    }
    if session.effort != Effort::Quick {
        stride(recorder, &gains(&up));
        runs(session, recorder, bytes, line, page)?;
    }
    let title = "Dependent loads in order, from memory";
    recorder.curve("prefetch", title, ("stride_bytes", "ns"), (true, true), vec![up, any, down]);
    Ok(())
}

/// The largest stride that is foreseen, from (stride, gain, low, high), strides rising.
fn stride(recorder: &mut Recorder, gains: &[(f64, f64, f64, f64)]) {
    let evidence = ["prefetch/upwards", "prefetch/any order within a page"];
    match foreseen(&gains.iter().map(|g| (g.0, g.1)).collect::<Vec<_>>()) {
        Some((bytes, gain)) => {
            let rule =
                format!("the largest stride at which loads in order gain {gain:.1} or more, half of the most by ratio");
            recorder.value("prefetch.stride.bytes", bytes, "bytes", (bytes, 2.0 * bytes), 0.7, rule, &evidence);
        }
        None => {
            let why = "loads in order are no faster than in any order at the smallest stride: nothing is fetched ahead"
                .into();
            recorder.unknowable("prefetch.stride.bytes", "bytes", why, &evidence);
        }
    }
}

/// From (stride, gain): the largest stride up to which all gain at least half, by ratio, of the best gain; and that
/// best gain. None if the first gains less than a tenth.
pub fn foreseen(gains: &[(f64, f64)]) -> Option<(f64, f64)> {
    if gains.first()?.1 < 1.1 {
        return None;
    }
    let half = middle(1.0, gains.iter().map(|g| g.1).fold(1.0, f64::max));
    gains.iter().take_while(|g| g.1 >= half).last().map(|g| (g.0, half))
}

/// The number of lines in order after which prefetching begins: runs of this length, in any order of runs.
fn runs(session: &mut Session, recorder: &mut Recorder, bytes: f64, line: f64, page: f64) -> Result<(), Failure> {
    let lengths = super::series::sizes(1.0, (page / line).max(2.0), 1.0, 1.0);
    let points: Vec<_> =
        lengths.iter().map(|&n| (n, chase(bytes, line, "runs").with("within", (n * line) as u64))).collect();
    let series = recorder.brief(session, "runs", &points)?;
    let evidence = ["prefetch_runs/runs"];
    let at: Vec<(f64, f64)> = series.points.iter().map(|p| (p.x, p.y)).collect();
    match begins(&at) {
        Some((n, later)) => {
            let rule = format!("after {n} lines in order further ones take {later:.1} ns each: at most half of what a line alone takes");
            recorder.value("prefetch.begins.lines", n, "lines", (n / 2.0, n), 0.7, rule, &evidence);
        }
        None => {
            let why = "however long runs are, further lines take more than half of what a line alone takes".into();
            recorder.unknowable("prefetch.begins.lines", "lines", why, &evidence);
        }
    }
    let title = "Dependent loads from memory in runs of so many lines";
    recorder.curve("prefetch_runs", title, ("lines", "ns"), (true, true), vec![series]);
    Ok(())
}

/// From (length of runs, ns per load), lengths doubling from 1: the least length from which each further line of a run
/// costs at most half of a line alone, and its cost there.
pub fn begins(runs: &[(f64, f64)]) -> Option<(f64, f64)> {
    let alone = runs.first()?.1;
    let further: Vec<(f64, f64)> =
        runs.windows(2).map(|w| (w[0].0, (w[1].0 * w[1].1 - w[0].0 * w[0].1) / (w[1].0 - w[0].0))).collect();
    let first = further.iter().rposition(|(_, ns)| *ns > alone / 2.0).map_or(0, |i| i + 1);
    further.get(first).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_stride_that_is_foreseen() {
        assert_eq!(
            foreseen(&[(64.0, 12.0), (128.0, 9.0), (256.0, 4.0), (512.0, 1.1), (1024.0, 1.0)]).unwrap().0,
            256.0
        );
        assert_eq!(foreseen(&[(64.0, 1.02), (128.0, 1.0)]), None);
        assert_eq!(foreseen(&[]), None);
    }

    #[test]
    fn runs_begin_to_be_foreseen_where_further_lines_become_cheap() {
        // The first `after` lines of a run take 100 ns, all others 20 ns.
        let machine = |after: f64| -> Vec<(f64, f64)> {
            let ns = |n: f64| (100.0 * n.min(after) + 20.0 * (n - after).max(0.0)) / n;
            (0..7).map(|k| 2f64.powi(k)).map(|n| (n, ns(n))).collect()
        };
        for after in [1.0, 2.0, 4.0, 16.0] {
            assert_eq!(begins(&machine(after)), Some((after, 20.0)));
        }
        assert_eq!(begins(&machine(1000.0)), None);
    }
}
