//! The caches: how many, how large, lines and ways, and the time of a hit.
//!
//! Capacities are fitted (`capacities.rs`), ways and sets behind the first level counted (`conflicts.rs`): where both say a size, sets are
//! the sharper of the two. Walks in entirely random order, which is what other programs measure, give the times.

use super::translation::Reach;
use super::walk::{chase, System, Walk};
use super::{capacities, conflicts};
use crate::infer::{levels, line, ways};
use crate::{Effort, Failure, Session};
use fathom_profile::{Reason, Series};

/// What was found.
#[derive(Clone, Debug)]
pub struct Caches {
    pub levels: Vec<levels::Level>,
    pub line_bytes: Option<f64>,
    /// The time of a load in random order from an array far larger than the last level.
    pub random_ns: f64,
}

const SERIES: [&str; 2] = ["sizes/within the reach of translation", "sizes/random"];

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, walk: &mut Walk, system: &System, reach: Reach) -> Result<Caches, Failure> {
    let quick = session.effort == Effort::Quick;
    let Some(capacities) = capacities::probe(session, walk, system, reach)? else {
        walk.missing("caches", Reason::Other, "too few sizes could be measured");
        return Ok(Caches { levels: vec![], line_bytes: None, random_ns: f64::NAN });
    };
    let (found, near) = (capacities.levels, capacities.curve);
    let line = line_of_first(session, walk, &found)?;
    let ways = ways_of_first(session, walk, &found, system)?;
    let sets = conflicts::probe(session, walk, &found, system, ways.map(|w| f64::from(w.ways)))?;

    // What fits into most caches costs little; of what does not, a few sizes show the rest.
    let mut grid = super::walk::sizes(4096.0, system.most_bytes.min(FEW_FROM), if quick { 2.0 } else { 4.0 }, 512.0);
    grid.extend(super::walk::sizes(FEW_FROM, system.most_bytes, 1.0, 512.0));
    grid.dedup();
    let random: Vec<_> = grid.iter().map(|&b| (b, chase(b, 64.0, "random"))).collect();
    let random = walk.series(session, "random", &random)?;
    let random_ns = random.points.last().map_or(f64::NAN, |p| p.y);
    let times: Vec<f64> =
        found.caches.iter().enumerate().map(|(i, c)| hit_time(&random, &found, i).unwrap_or(c.hit_ns)).collect();
    walk.curve("sizes", "Time of a load by the size of the array", ("bytes", "ns"), (true, true), vec![near, random]);
    report(walk, &found, &times, line, ways, &sets);
    Ok(Caches { levels: found.caches, line_bytes: line.map(|l| l.bytes), random_ns })
}

/// Random walks through arrays larger than this are few.
const FEW_FROM: f64 = (4 << 20) as f64;

/// The time of a hit: the median in random order of arrays that fit with room to spare and are clearly larger than the level
/// before.
fn hit_time(random: &Series, found: &levels::Levels, i: usize) -> Option<f64> {
    let from = if i == 0 { 0.0 } else { found.caches[i - 1].bytes * 1.8 };
    let to = found.caches[i].bytes * 0.6;
    let mut inside: Vec<f64> = random.points.iter().filter(|p| p.x >= from && p.x <= to).map(|p| p.y).collect();
    inside.sort_by(f64::total_cmp);
    if inside.is_empty() {
        return None;
    }
    // Translation adds to the larger ones: the lower half counts.
    Some(fathom_profile::statistics::quantile(&inside, 0.25))
}

/// The name of a level: the first is of data only on every machine that has two first-level caches.
fn name(i: usize) -> String {
    if i == 0 {
        "l1d".into()
    } else {
        format!("l{}", i + 1)
    }
}

/// The first level's line: pairs of loads in an array of several times its size, that fits into the second level.
fn line_of_first(
    session: &mut Session,
    walk: &mut Walk,
    found: &levels::Levels,
) -> Result<Option<line::Line>, Failure> {
    let Some(first) = found.caches.first() else { return Ok(None) };
    let bytes = found
        .caches
        .get(1)
        .map_or(first.bytes * 8.0, |l2| (first.bytes * 8.0).min(l2.bytes / 2.0))
        .max(first.bytes * 2.5);
    let block = 1024.0;
    let points: Vec<_> = (3..10)
        .map(|k| 2f64.powi(k))
        .map(|d| (d, chase((bytes / block).round() * block, block, "random").with("pair", d as u64)))
        .collect();
    // A step between two points is as easily a disturbance of one of them: all are measured twice, some time apart.
    let mut pairs = walk.series(session, "pairs", &points)?;
    let again = walk.series(session, "pairs", &points[..pairs.points.len()])?;
    for (one, other) in pairs.points.iter_mut().zip(again.points) {
        *one = super::walk::merged(*one, other);
    }
    let line = line::line(&pairs.points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>(), first.hit_ns);
    walk.curve("pairs", "Two loads at a distance", ("distance_bytes", "ns"), (true, false), vec![pairs]);
    match line {
        Some(l) => {
            let rule = format!(
                "of two loads less than {0} bytes apart the second takes {1:.1} ns, a hit; at {0} bytes {2:.1} ns. Measured between the first \
                 two levels, where a prefetcher that fetches neighbours from memory has nothing to do",
                l.bytes, l.inside_ns, l.outside_ns
            );
            walk.value("line.bytes", l.bytes, "bytes", (l.bytes, l.bytes), l.confidence, rule, &["pairs/pairs"]);
        }
        None => {
            walk.unknowable("line.bytes", "bytes", "two loads cost the same at every distance".into(), &["pairs/pairs"])
        }
    }
    Ok(line)
}

/// The first level's ways.
fn ways_of_first(
    session: &mut Session,
    walk: &mut Walk,
    found: &levels::Levels,
    system: &System,
) -> Result<Option<ways::Ways>, Failure> {
    let Some(first) = found.caches.first() else { return Ok(None) };
    let most = if session.effort == Effort::Quick { 24 } else { 40 };
    let (mut series, mut walks) = (vec![], vec![]);
    for k in 0..3 {
        // An odd multiple, so that the translations do not all want one set as well.
        let apart = system.page_bytes * 5.0 * 2f64.powi(k);
        let points: Vec<_> = (1..=most).map(|n| (f64::from(n), chase(f64::from(n) * apart, apart, "random"))).collect();
        let one = walk.series(session, &format!("{apart} apart"), &points)?;
        walks.push((apart, one.points.iter().map(|p| p.y).collect::<Vec<_>>()));
        series.push(one);
    }
    walk.curve("conflicts", "Few lines that want the same set", ("lines", "ns"), (false, false), series);
    let name = format!("conflicts/{} apart", walks[0].0);
    let ways = ways::ways(&walks, first.hit_ns, first.next_ns);
    // If not, groups of lines may say it.
    if let Some(w) = ways {
        let rule = format!(
            "{} lines {} bytes apart are all hit, one more is missed, at this spacing and at twice",
            w.ways, w.spacing
        );
        let n = f64::from(w.ways);
        walk.value("l1d.ways", n, "ways", (n, n), w.confidence, rule, &[&name]);
        let rule = format!(
            "of one line more than there are ways {:.0} % of the loads miss: {}",
            w.missed_by_one_more * 100.0,
            if w.missed_by_one_more > 0.85 {
                "the oldest is replaced, or nearly"
            } else {
                "not simply the oldest is replaced"
            }
        );
        let share = w.missed_by_one_more;
        walk.value("l1d.missed_by_one_more", share, "", (share * 0.9, (share * 1.1).min(1.0)), 0.8, rule, &[&name]);
    }
    Ok(ways)
}

/// What the laws may be off by where pages are spread over a cache by chance, and nothing else says a size.
const BY_CHANCE: f64 = 1.15;
/// An array of which this share of loads hits is one that a program can count on.
const COUNTED_ON: f64 = 0.95;

fn report(
    walk: &mut Walk,
    found: &levels::Levels,
    times: &[f64],
    line: Option<line::Line>,
    ways: Option<ways::Ways>,
    sets: &[Option<conflicts::Sets>],
) {
    let n = found.caches.len();
    let rule = format!(
        "rises of the time of a load that are not of translation; the fit leaves {:.1} %",
        found.residual * 100.0
    );
    walk.value(
        "cache_levels",
        n as f64,
        "",
        (n as f64, n as f64),
        found.caches.iter().map(|c| c.confidence).fold(1.0, f64::min),
        rule,
        &SERIES[..1],
    );
    for (i, cache) in found.caches.iter().enumerate() {
        let mut bytes = cache.bytes;
        let mut rule = format!(
            "t(W) = {:.2} + ({:.2} - {:.2}) m(W) ns, m: {}; C fitted by least squares",
            cache.hit_ns,
            cache.next_ns,
            cache.hit_ns,
            cache.law.name()
        );
        let sets = sets.get(i).and_then(Option::as_ref);
        let first_ways = ways.map(|w| f64::from(w.ways)).or(sets.map(|s| s.ways)).filter(|_| i == 0);
        let mut is_whole = false;
        if let (Some(l), Some(ways)) = (line, first_ways) {
            // Sets are a power of two in number: of those sizes the nearest.
            let count = (bytes / (l.bytes * ways)).log2().round().exp2();
            let whole = count * l.bytes * ways;
            if (whole / bytes).ln().abs() < 0.15 {
                rule =
                    format!("{rule}, {bytes:.0}; with {count} sets of {ways} ways of {} bytes it is {whole}", l.bytes);
                (bytes, is_whole) = (whole, true);
            }
        }
        let mut interval = (cache.low.min(bytes), cache.high.max(bytes));
        let mut confidence = cache.confidence;
        if let Some(sets) = sets.filter(|s| s.bytes.is_finite() && !is_whole) {
            rule = format!("{} ways, as found; {}. By the curve alone it is {bytes:.0}: {rule}", sets.ways, sets.rule);
            (bytes, interval, confidence) = (sets.bytes, (sets.low, sets.high), sets.agreed);
        } else if i > 0 {
            interval = (interval.0.min(bytes / BY_CHANCE), interval.1.max(bytes * BY_CHANCE));
        }
        walk.value(&format!("{}.bytes", name(i)), bytes, "bytes", interval, confidence, rule, &SERIES[..1]);
        if i > 0 {
            let usable = cache.usable_bytes(COUNTED_ON);
            let rule = format!(
                "of arrays up to this size {:.0} % of the loads hit, on ordinary pages: the fitted law ({}) at that share. The \
                 interval is how much that differs from place to place",
                COUNTED_ON * 100.0,
                cache.law.name()
            );
            let interval = (usable * cache.low / cache.bytes, usable * cache.high / cache.bytes);
            walk.value(
                &format!("{}.usable.bytes", name(i)),
                usable,
                "bytes",
                interval,
                cache.confidence,
                rule,
                &SERIES[..1],
            );
        }
        let rule =
            "random order: the lower quartile of arrays that fit, and are larger than the level before".to_string();
        walk.value(
            &format!("{}.hit.ns", name(i)),
            times[i],
            "ns",
            (times[i] * 0.98, times[i] * 1.02),
            cache.confidence,
            rule,
            &SERIES[1..],
        );
    }
}
