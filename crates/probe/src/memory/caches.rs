//! The caches: how many, how large, lines and ways, and the time of a hit.
//!
//! The walks that look for capacities visit lines in any order within as many pages as are translated at no cost, then go on to
//! the next such piece: translation costs nothing there, and a rise is a cache. The walks in entirely random order, which is what
//! other programs measure, give the times.

use super::translation::Reach;
use super::{chase, System, Walk};
use crate::infer::{levels, line, ways};
use crate::profile::Series;
use crate::{Effort, Failure, Session, Stimulus};

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
    // Half of the reach, and a power of two, so that the pieces of any array are alike.
    let within = 2f64.powf((reach.bytes / 2.0).max(system.page_bytes).log2().floor());
    let local = |bytes: f64| (bytes, chase(bytes, 64.0, "local").with("within", within as u64));
    let grid = super::sizes(2048.0, system.most_bytes, if quick { 3.0 } else { 6.0 }, 512.0);
    let near =
        walk.series(session, "within the reach of translation", &grid.iter().map(|&b| local(b)).collect::<Vec<_>>())?;
    let pairs = |s: &Series| s.points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>();
    let Some(first) = levels::levels(&pairs(&near)) else {
        walk.missing("caches", "too few sizes could be measured");
        return Ok(Caches { levels: vec![], line_bytes: None, random_ns: f64::NAN });
    };
    // Again around each capacity, where the law is decided.
    let near = refined(session, walk, near, &first, quick, local)?;
    let found = levels::levels(&pairs(&near)).unwrap_or(first);
    let grid = super::sizes(4096.0, system.most_bytes, if quick { 2.0 } else { 4.0 }, 512.0);
    let random: Vec<_> = grid.iter().map(|&b| (b, chase(b, 64.0, "random"))).collect();
    let random = walk.series(session, "random", &random)?;
    let random_ns = random.points.last().map_or(f64::NAN, |p| p.y);
    let times: Vec<f64> =
        found.caches.iter().enumerate().map(|(i, c)| hit_time(&random, &found, i).unwrap_or(c.hit_ns)).collect();
    walk.curve("sizes", "Time of a load by the size of the array", ("bytes", "ns"), (true, true), vec![near, random]);

    let line = line_of_first(session, walk, &found)?;
    let ways = ways_of_first(session, walk, &found, system)?;
    report(walk, &found, &times, line, ways);
    ways_of_second(session, walk, &found, system, line)?;
    Ok(Caches { levels: found.caches, line_bytes: line.map(|l| l.bytes), random_ns })
}

/// More sizes around each capacity.
fn refined(
    session: &mut Session,
    walk: &mut Walk,
    mut series: Series,
    found: &levels::Levels,
    quick: bool,
    local: impl Fn(f64) -> (f64, Stimulus),
) -> Result<Series, Failure> {
    let known: Vec<f64> = series.points.iter().map(|p| p.x).collect();
    let mut more: Vec<f64> = vec![];
    for cache in &found.caches {
        let (first, last) = (cache.bytes * 0.7, cache.bytes * 1.7);
        more.extend(super::sizes(first, last, if quick { 5.0 } else { 14.0 }, 512.0));
    }
    more.retain(|b| *b >= known[0] && *b <= known[known.len() - 1] && !known.contains(b));
    more.sort_by(f64::total_cmp);
    more.dedup();
    let more = walk.series(session, &series.name.clone(), &more.into_iter().map(local).collect::<Vec<_>>())?;
    series.points.extend(more.points);
    series.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    Ok(series)
}

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
    Some(crate::samples::quantile(&inside, 0.25))
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
        *one = super::merged(*one, other);
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
    match ways {
        Some(w) => {
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
        None => walk.unknowable(
            "l1d.ways",
            "ways",
            "the number of lines that are all hit is not the same at spacings that share a set".into(),
            &[&name],
        ),
    }
    Ok(ways)
}

/// The second level's ways, by groups of lines that do not fit: the index may be of addresses that nobody here knows.
fn ways_of_second(
    session: &mut Session,
    walk: &mut Walk,
    found: &levels::Levels,
    system: &System,
    line: Option<line::Line>,
) -> Result<(), Failure> {
    let Some(second) = found.caches.get(1) else { return Ok(()) };
    let threshold = (second.hit_ns * second.next_ns).sqrt().max(2.0);
    let line = line.map_or(64.0, |l| l.bytes);
    // Half as many again as fit, at one place of each page.
    let candidates = (1.5 * second.bytes / line / (system.page_bytes / line)).round().clamp(64.0, 8000.0);
    let wanted = if session.effort == Effort::Quick { 5 } else { 11 };
    let stimulus = Stimulus::new("conflicts")
        .with("bytes", (candidates * system.page_bytes) as u64)
        .with("stride", system.page_bytes as u64)
        .with("threshold_ns", threshold.round() as u64)
        .with("broom", 32);
    let samples = match session.runner.run(
        &stimulus,
        wanted,
        session.effort.limit_of_a_point().max(std::time::Duration::from_millis(600)),
    ) {
        Ok(samples) => samples.ns,
        Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
        Err(why) => {
            walk.unknowable("l2.ways", "ways", why.to_string(), &[]);
            return Ok(());
        }
    };
    match ways::agreed(&samples) {
        Some((n, share)) => {
            let rule = format!("of {} smallest groups of lines that do not fit, found among {candidates} pages, {:.0} % have one line more", samples.len(), share * 100.0);
            walk.value("l2.ways", n, "ways", (n, n), share, rule, &[]);
        }
        None => {
            let list: Vec<String> = samples.iter().map(|s| s.to_string()).collect();
            let why = format!(
                "the smallest groups of lines that do not fit are of different sizes ({} lines and one): the pages' physical \
                 addresses are unknown here, and others use this cache meanwhile",
                list.join(", ")
            );
            walk.unknowable("l2.ways", "ways", why, &[]);
        }
    }
    Ok(())
}

fn report(walk: &mut Walk, found: &levels::Levels, times: &[f64], line: Option<line::Line>, ways: Option<ways::Ways>) {
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
        if let (0, Some(l), Some(w)) = (i, line, ways) {
            // Sets are a power of two in number: of those sizes the nearest.
            let sets = (bytes / (l.bytes * f64::from(w.ways))).log2().round().exp2();
            let whole = sets * l.bytes * f64::from(w.ways);
            if (whole / bytes).ln().abs() < 0.15 {
                rule = format!(
                    "{rule}, {bytes:.0}; with {sets} sets of {} ways of {} bytes it is {whole}",
                    w.ways, l.bytes
                );
                bytes = whole;
            }
        }
        let interval = (cache.low.min(bytes), cache.high.max(bytes));
        walk.value(&format!("{}.bytes", name(i)), bytes, "bytes", interval, cache.confidence, rule, &SERIES[..1]);
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
