//! What a load from memory takes: in random order as programs meet it, without the part that is translation, on huge pages; and how single
//! loads are spread around the mean.

use super::caches::Caches;
use super::translation::Reach;
use super::{chase, System, Walk};
use crate::profile::{Reading, Series};
use crate::{Failure, Session, Stimulus};

/// Lines of a page that are visited together, at places that nothing can foresee.
const LINES_A_PAGE: f64 = 4.0;

/// # Errors
/// The runner is broken.
pub fn probe(
    session: &mut Session,
    walk: &mut Walk,
    system: &System,
    reach: Reach,
    caches: &Caches,
) -> Result<(), Failure> {
    let bytes = system.most_bytes;
    let last = caches.levels.last().map_or(1e6, |l| l.bytes);
    let stride = reach.page_bytes / LINES_A_PAGE;
    // As many lines as fill the last level many times over, though they are spread thin.
    if bytes / stride * 64.0 < 2.0 * last {
        let why = format!("the largest array that was measured, {bytes} bytes, is not large enough beside the last cache of {last:.0}");
        walk.unknowable("dram.ns", "ns", why, &[]);
        return Ok(());
    }
    let dense = chase(bytes, 64.0, "random");
    let apart = chase(bytes, stride, "random").with("jitter", 64);
    let together = chase(bytes, stride, "local").with("within", reach.page_bytes as u64).with("jitter", 64);
    let huge = chase(bytes, 64.0, "random").word("pages", "huge");
    let mut points: Vec<(&str, Reading)> = vec![];
    let all = [
        ("random", dense),
        ("a few lines of each page, random", apart),
        ("page by page", together),
        ("huge pages, random", huge),
    ];
    for (name, stimulus) in all {
        match session.point(bytes, &stimulus) {
            Ok(p) => points.push((name, p)),
            Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
            Err(why) => walk.missing(name, &why.to_string()),
        }
    }
    let get = |name: &str| points.iter().find(|p| p.0 == name).map(|p| p.1);
    if let Some(p) = get("random") {
        let rule = format!(
            "a load in random order from {bytes} bytes on pages of {} bytes, translation included",
            system.page_bytes
        );
        walk.value("random.ns", p.y, "ns", (p.low, p.high), 0.95, rule, &["memory_time/random"]);
    }
    if let (Some(a), Some(t)) = (get("a few lines of each page, random"), get("page by page")) {
        let k = LINES_A_PAGE;
        let alone = |a: f64, t: f64| (k * t - a) / (k - 1.0);
        let ns = alone(a.y, t.y);
        let rule = format!(
            "{k} lines of a page, at places that no prefetcher foresees: visited together they cost {:.1} ns each, one of {k} with a translation; in \
             random order {:.1} ns each, all with one. Without it: ({k} x {:.1} - {:.1}) / {}",
            t.y, a.y, t.y, a.y, k - 1.0
        );
        let evidence = ["memory_time/page by page", "memory_time/a few lines of each page, random"];
        walk.value("dram.ns", ns, "ns", (alone(a.high, t.low), alone(a.low, t.high)), 0.8, rule, &evidence);
        let rule = "random order less the same loads without translation".to_string();
        walk.value("translation.ns", a.y - ns, "ns", (0.8 * (a.y - ns), 1.2 * (a.y - ns)), 0.7, rule, &evidence);
    }
    if let (Some(n), Some(h)) = (get("random"), get("huge pages, random")) {
        let rule = format!("random order on huge pages, {:.1} ns, against {:.1} ns on normal ones", h.y, n.y);
        walk.value(
            "huge_pages.gain",
            n.y / h.y,
            "",
            (n.low / h.high, n.high / h.low),
            0.9,
            rule,
            &["memory_time/huge pages, random", "memory_time/random"],
        );
    }
    let series = points.into_iter().map(|(name, p)| Series { name: name.into(), points: vec![p] }).collect();
    walk.curve("memory_time", "A load from memory", ("bytes", "ns"), (true, false), series);
    moments(session, walk, bytes, caches)
}

/// The spread of single loads, of each level and of memory.
fn moments(session: &mut Session, walk: &mut Walk, bytes: f64, caches: &Caches) -> Result<(), Failure> {
    const SHARES: [(&str, f64); 6] =
        [("p01_ns", 1.0), ("p10_ns", 10.0), ("p50_ns", 50.0), ("p90_ns", 90.0), ("p99_ns", 99.0), ("p999_ns", 99.9)];
    let mut series = vec![];
    let places = caches.levels.iter().enumerate().map(|(i, l)| (format!("level {}", i + 1), l.bytes * 0.6));
    for (name, size) in places.chain([("memory".to_string(), bytes)]) {
        let stimulus = Stimulus::new("moments")
            .with("bytes", (size / 64.0) as u64 * 64)
            .with("stride", 64)
            .word("order", "random");
        let limit = session.effort.limit_of_a_point();
        let samples = match session.runner.run(&stimulus, 1, limit) {
            Ok(samples) => samples,
            Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
            Err(why) => {
                walk.missing("distribution", &why.to_string());
                break;
            }
        };
        let n = samples.facts.get("timed").copied().unwrap_or(0.0) as usize;
        let points = SHARES
            .iter()
            .filter_map(|(fact, share)| samples.facts.get(*fact).map(|ns| (*share, *ns)))
            .map(|(x, y)| Reading { x, y, low: y, high: y, samples: n, outliers: 0 })
            .collect();
        if name == "memory" {
            for (fact, what) in [("p50_ns", "p50"), ("p99_ns", "p99")] {
                if let Some(ns) = samples.facts.get(fact) {
                    let rule = format!("of {n} groups of four loads in random order, each timed by itself");
                    walk.value(
                        &format!("random.{what}.ns"),
                        *ns,
                        "ns",
                        (*ns, *ns),
                        0.8,
                        rule,
                        &["distribution/memory"],
                    );
                }
            }
        }
        series.push(Series { name, points });
    }
    walk.curve(
        "distribution",
        "Single loads: how many percent take no longer",
        ("percent", "ns"),
        (false, true),
        series,
    );
    Ok(())
}
