//! The caches: their number, sizes, lines and ways, and the time of a hit.
//!
//! Capacities are fitted (`capacities.rs`); ways and sets behind the first level are counted (`conflicts.rs`). Where
//! both give a size, the counted sets are more accurate. Walks in fully random order, which other programs measure,
//! give the times.

use super::series::{chase, Recorder, System};
use super::translation::Reach;
use super::{capacities, conflicts};
use crate::infer::{built, levels, line, usable, ways};
use crate::{Effort, Failure, Session};
use fathom_profile::names::cache as name;
use fathom_profile::statistics::median;
use fathom_profile::{Claim, Reading, Reason, Series};

/// The findings.
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
pub fn probe(session: &mut Session, recorder: &mut Recorder, system: &System, reach: Reach) -> Result<Caches, Failure> {
    let quick = session.effort == Effort::Quick;
    let Some(capacities) = capacities::probe(session, recorder, system, reach)? else {
        recorder.missing("caches", Reason::Other, "too few sizes could be measured");
        return Ok(Caches { levels: vec![], line_bytes: None, random_ns: f64::NAN });
    };
    let (found, near, places) = (capacities.levels, capacities.curve, capacities.places);
    let line = line_of_first(session, recorder, &found)?;
    let ways = ways_of_first(session, recorder, &found, system)?;
    let sets = conflicts::probe(session, recorder, &found, system, ways.map(|w| f64::from(w.ways)))?;

    // Sizes that fit into most caches cost little; of larger ones, a few are enough.
    let mut grid = super::series::sizes(4096.0, system.most_bytes.min(FEW_FROM), if quick { 2.0 } else { 4.0 }, 512.0);
    grid.extend(super::series::sizes(FEW_FROM, system.most_bytes, 1.0, 512.0));
    grid.dedup();
    let random: Vec<_> = grid.iter().map(|&b| (b, chase(b, 64.0, "random"))).collect();
    let random = recorder.series(session, "random", &random)?;
    let random_ns = random.points.last().map_or(f64::NAN, |p| p.y);
    let times: Vec<Option<f64>> = (0..found.caches.len()).map(|i| hit_time(&random, &found, i)).collect();
    let usable: Vec<_> = (0..found.caches.len()).map(|i| usable_of(&found, &near, &places, i)).collect();
    recorder.curve(
        "sizes",
        "Time of a load by the size of the array",
        ("bytes", "ns"),
        (true, true),
        vec![near, random],
    );
    report_levels(recorder, &found);
    for i in 0..found.caches.len() {
        let sets = sets.get(i).and_then(Option::as_ref);
        let measured = measured(&found, i, line, ways, sets);
        report_built(recorder, i, &found.caches[i], &built::built(&measured, &claimed(session.claims, i)));
        report_usable(recorder, i, &found.caches[i], usable[i]);
        report_time(recorder, i, &found.caches[i], times[i]);
    }
    Ok(Caches { levels: found.caches, line_bytes: line.map(|l| l.bytes), random_ns })
}

/// For arrays larger than this there are few random walks.
const FEW_FROM: f64 = (4 << 20) as f64;

/// The time of a hit: the median in random order over arrays that fit with room to spare and are clearly larger than
/// the level before.
fn hit_time(random: &Series, found: &levels::Levels, i: usize) -> Option<f64> {
    let from = if i == 0 { 0.0 } else { found.caches[i - 1].bytes * 1.8 };
    let to = found.caches[i].bytes * 0.6;
    let mut inside: Vec<f64> = random.points.iter().filter(|p| p.x >= from && p.x <= to).map(|p| p.y).collect();
    inside.sort_by(f64::total_cmp);
    if inside.is_empty() {
        return None;
    }
    // Translation slows the larger ones: the lower half counts.
    Some(fathom_profile::statistics::quantile(&inside, 0.25))
}

/// The first level's line: pairs of loads in an array of several times its size that fits into the second level.
fn line_of_first(
    session: &mut Session,
    recorder: &mut Recorder,
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
    // A step between two points may be a disturbance of one of them: all are measured twice, some time apart.
    let mut pairs = recorder.series(session, "pairs", &points)?;
    let again = recorder.series(session, "pairs", &points[..pairs.points.len()])?;
    for (one, other) in pairs.points.iter_mut().zip(again.points) {
        *one = super::series::merged(*one, other);
    }
    let line = line::line(&pairs.points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>(), first.hit_ns);
    recorder.curve("pairs", "Two loads at a distance", ("distance_bytes", "ns"), (true, false), vec![pairs]);
    match line {
        Some(l) => {
            let rule = format!(
                "of two loads less than {0} bytes apart the second takes {1:.1} ns, a hit; at {0} bytes {2:.1} ns. Measured between the first \
                 two levels, where a prefetcher that fetches neighbours from memory has nothing to do",
                l.bytes, l.inside_ns, l.outside_ns
            );
            recorder.value("line.bytes", l.bytes, "bytes", (l.bytes, l.bytes), l.confidence, rule, &["pairs/pairs"]);
        }
        None => recorder.unknowable(
            "line.bytes",
            "bytes",
            "two loads cost the same at every distance".into(),
            &["pairs/pairs"],
        ),
    }
    Ok(line)
}

/// Walks through few lines that compete for the same set, at three spacings.
fn conflicts_of(
    session: &mut Session,
    recorder: &mut Recorder,
    system: &System,
    most: i32,
) -> Result<Vec<(f64, Series)>, Failure> {
    let mut all = vec![];
    for k in 0..3 {
        // An odd multiple, so that the translations do not also compete for one set.
        let apart = system.page_bytes * 5.0 * 2f64.powi(k);
        let points: Vec<_> = (1..=most).map(|n| (f64::from(n), chase(f64::from(n) * apart, apart, "random"))).collect();
        all.push((apart, recorder.series(session, &format!("{apart} apart"), &points)?));
    }
    Ok(all)
}

/// The most confidence if only the second of two looks shows the property.
const TWO_LOOKS: f64 = 0.85;
/// The most confidence of walks that agree.
const MOST_OF_WAYS: f64 = 0.97;

/// The first level's ways.
fn ways_of_first(
    session: &mut Session,
    recorder: &mut Recorder,
    found: &levels::Levels,
    system: &System,
) -> Result<Option<ways::Ways>, Failure> {
    let Some(first) = found.caches.first() else { return Ok(None) };
    let most = if session.effort == Effort::Quick { 24 } else { 40 };
    let mut series = conflicts_of(session, recorder, system, most)?;
    let walks = |series: &[(f64, Series)]| -> Vec<(f64, Vec<f64>)> {
        series.iter().map(|(apart, one)| (*apart, one.points.iter().map(|p| p.y).collect())).collect()
    };
    let mut ways = ways::ways(&walks(&series), first.hit_ns, first.next_ns);
    let mut looked = String::new();
    let claim = claimed(session.claims, 0).ways.filter(|claim| ways.is_some_and(|w| f64::from(w.ways) != *claim));
    if let Some(claim) = claim.filter(|_| !session.is_exact()) {
        // A second look comes before a claim is called wrong, and of each point the lower value counts, because a
        // neighbour may come and go.
        let again = conflicts_of(session, recorder, system, most)?;
        for ((_, one), (_, other)) in series.iter_mut().zip(again) {
            for (point, again) in one.points.iter_mut().zip(other.points) {
                *point = super::series::merged(*point, again);
            }
        }
        let second = ways::ways(&walks(&series), first.hit_ns, first.next_ns);
        let agree = second.map(|w| w.ways) == ways.map(|w| w.ways);
        let seen = ways.map_or(0, |w| w.ways);
        looked = match agree {
            true => format!("; the system claims {claim}, and a second look says the same"),
            false => format!("; the system claims {claim}, and a first look had said {seen}"),
        };
        let sure = if agree { 1.0 } else { TWO_LOOKS };
        ways = second.map(|w| ways::Ways { confidence: w.confidence.min(sure), ..w });
    }
    let (name, series) = (format!("conflicts/{} apart", series[0].0), series.into_iter().map(|(_, one)| one).collect());
    recorder.curve("conflicts", "Few lines that want the same set", ("lines", "ns"), (false, false), series);
    // If not, groups of lines may show the ways.
    if let Some(w) = ways {
        let rule = format!(
            "{} lines {} bytes apart are all hit, one more is missed, at this spacing and at twice{looked}",
            w.ways, w.spacing
        );
        let n = f64::from(w.ways);
        recorder.value(
            "l1d.usable.ways",
            n,
            "ways",
            (n, n),
            w.confidence.min(MOST_OF_WAYS).min(first.confidence),
            rule,
            &[&name],
        );
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
        recorder.value("l1d.missed_by_one_more", share, "", (share * 0.9, (share * 1.1).min(1.0)), 0.8, rule, &[&name]);
    }
    Ok(ways)
}

/// The error of the laws where pages are spread over a cache by chance and no other figure of the size exists.
const BY_CHANCE: f64 = 1.15;
/// A program can rely on an array if at least this share of its loads hits.
const COUNTED_ON: f64 = 0.95;
/// Two methods whose figures differ by at most this factor agree.
const AGREE: f64 = 1.1;

/// The most confidence if two methods disagree, or only one gives a figure.
const MOST_OF_ONE: f64 = 0.8;

fn report_levels(recorder: &mut Recorder, found: &levels::Levels) {
    let n = found.caches.len() as f64;
    let rule = format!(
        "rises of the time of a load that are not of translation; the fit leaves {:.1} %",
        found.residual * 100.0
    );
    let confidence = found.caches.iter().map(|c| c.confidence).fold(1.0, f64::min);
    recorder.value("cache_levels", n, "", (n, n), confidence, rule, &SERIES[..1]);
}

/// The system's claim about level `i`.
fn claimed(claims: &[Claim], i: usize) -> built::Claimed {
    let find = |what: &str| {
        let name = fathom_profile::names::claim_of_cache(i as u32 + 1, what);
        claims.iter().find(|c| c.name == name)
    };
    let (bytes, ways) = (find("bytes"), find("ways"));
    let source = bytes.or(ways).map_or(String::new(), |c| c.source.clone());
    built::Claimed { bytes: bytes.map(|c| c.value), ways: ways.map(|c| c.value), source }
}

/// What the curve, the line, the ways and the sets together show of level `i`.
fn measured(
    found: &levels::Levels,
    i: usize,
    line: Option<line::Line>,
    ways: Option<ways::Ways>,
    sets: Option<&conflicts::Sets>,
) -> built::Measured {
    let cache = &found.caches[i];
    let mut bytes = cache.bytes;
    let mut rule = format!(
        "t(W) = {:.2} + ({:.2} - {:.2}) m(W) ns, m: {}; C fitted by least squares",
        cache.hit_ns,
        cache.next_ns,
        cache.hit_ns,
        cache.law.name()
    );
    let counted = sets.map(|s| (s.ways, s.agreed.min(cache.confidence)));
    let stay = ways.filter(|_| i == 0).map(|w| (f64::from(w.ways), w.confidence)).or(counted);
    let mut is_counted = false;
    if let (Some(l), Some((ways, _)), 0) = (line, stay, i) {
        // The number of sets is a power of two: takes the nearest such size.
        let count = (bytes / (l.bytes * ways)).log2().round().exp2();
        let whole = count * l.bytes * ways;
        if (whole / bytes).ln().abs() < 0.15 {
            rule = format!("{rule}, {bytes:.0}; with {count} sets of {ways} ways of {} bytes it is {whole}", l.bytes);
            (bytes, is_counted) = (whole, true);
        }
    }
    let mut interval = (cache.low.min(bytes), cache.high.max(bytes));
    let mut confidence = cache.confidence;
    if let Some(sets) = sets.filter(|s| s.bytes.is_finite() && !is_counted) {
        rule = format!("{} ways, as found; {}. By the curve alone it is {bytes:.0}: {rule}", sets.ways, sets.rule);
        (bytes, interval, confidence) = (sets.bytes, (sets.low, sets.high), sets.agreed.min(confidence));
        is_counted = true;
    } else if i > 0 {
        interval = (interval.0.min(bytes / BY_CHANCE), interval.1.max(bytes * BY_CHANCE));
    }
    built::Measured { bytes, low: interval.0, high: interval.1, confidence, ways: stay, is_counted, rule }
}

fn report_built(recorder: &mut Recorder, i: usize, cache: &levels::Level, built: &built::Built) {
    let mut give = |what: &str, unit: &str, figure: &built::Figure| {
        // Figures of a doubtful level are not certain either.
        let confidence = figure.confidence.min(cache.confidence);
        let (name, interval) = (format!("{}.{what}", name(i)), (figure.low, figure.high));
        recorder.value(&name, figure.value, unit, interval, confidence, figure.rule.clone(), &SERIES[..1]);
    };
    give("bytes", "bytes", &built.bytes);
    match &built.ways {
        Some(ways) => give("ways", "ways", ways),
        None => {
            let why = "neither was it measured, nor does the system say it".to_string();
            recorder.unknowable(&format!("{}.ways", name(i)), "ways", why, &[]);
        }
    }
}

/// The size at which the curve leaves the time of a hit: for all places together, and the range over the places.
fn usable_of(found: &levels::Levels, curve: &Series, places: &[Vec<Vec<Reading>>], i: usize) -> Option<usable::Usable> {
    let cache = &found.caches[i];
    let pairs = |points: &[Reading]| points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>();
    // Where the level before is not much smaller, some loads still hit it, and the fitted time of a hit lies between
    // the two levels.
    let fits: Vec<f64> =
        curve.points.iter().filter(|p| p.x > 0.35 * cache.bytes && p.x < 0.65 * cache.bytes).map(|p| p.y).collect();
    let most_ns = cache.hit_ns + 0.3 * (cache.next_ns - cache.hit_ns);
    let hit_ns = if fits.len() < 2 { cache.hit_ns } else { median(fits).clamp(cache.hit_ns, most_ns) };
    let read = |points: &[(f64, f64)]| {
        let off = found.residual.clamp(0.01, 0.1);
        usable::usable(points, hit_ns, cache.next_ns, 1.0 - COUNTED_ON, off)
    };
    let mut all = read(&pairs(&curve.points))?;
    // Replaces points of the merged curve by the points of each place around the capacity.
    for place in places.iter().flatten().filter(|p| p.len() > 3) {
        let (first, last) = (place[0].x, place[place.len() - 1].x);
        if !(first..last).contains(&cache.bytes) {
            continue;
        }
        let mut points = pairs(&curve.points);
        points.retain(|p| p.0 < first || p.0 > last);
        points.extend(pairs(place));
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let Some(own) = read(&points) {
            (all.low, all.high) = (all.low.min(own.bytes), all.high.max(own.bytes));
        }
    }
    Some(all)
}

fn report_usable(recorder: &mut Recorder, i: usize, cache: &levels::Level, usable: Option<usable::Usable>) {
    let name = format!("{}.usable.bytes", name(i));
    let by_law = cache.usable_bytes(COUNTED_ON);
    let Some(usable) = usable else {
        recorder.unknowable(
            &name,
            "bytes",
            "the time of a load does not leave that of a hit for good".into(),
            &SERIES[..1],
        );
        return;
    };
    let apart = (usable.bytes / by_law).ln().abs().exp();
    let (low, high) =
        if apart > AGREE { (usable.low.min(by_law), usable.high.max(by_law)) } else { (usable.low, usable.high) };
    let rule = format!(
        "of arrays up to this size {:.0} % of the loads hit, on ordinary pages: there the time passes {:.2} ns; by the fitted law ({}) it would \
         be {by_law:.0} bytes. The interval is how much that differs from place to place",
        COUNTED_ON * 100.0,
        cache.hit_ns + (1.0 - COUNTED_ON) * (cache.next_ns - cache.hit_ns),
        cache.law.name()
    );
    let sharp = (usable.bytes / (high - low)).min(3.0) / 3.0;
    let agree = if apart > AGREE { MOST_OF_ONE } else { 1.0 };
    let confidence = (cache.confidence * sharp).min(agree).max(0.05);
    recorder.value(&name, usable.bytes, "bytes", (low, high), confidence, rule, &SERIES[..1]);
}

/// The time of a hit, by random order and by the fit. One of them is higher where it includes hits of the level before,
/// or translation.
fn report_time(recorder: &mut Recorder, i: usize, cache: &levels::Level, by_random: Option<f64>) {
    let ns = by_random.unwrap_or(cache.hit_ns);
    let apart = (ns / cache.hit_ns).ln().abs().exp();
    let rule = format!(
        "random order: the lower quartile of arrays that fit, and are larger than the level before; by the fit of orders that translation \
         costs nothing it is {:.2} ns",
        cache.hit_ns
    );
    let interval = (ns.min(cache.hit_ns) * 0.98, ns.max(cache.hit_ns) * 1.02);
    let agree = (1.0 - 2.0 * (apart - 1.04).max(0.0)).max(0.1);
    // Behind the first level, both methods see loads that the level before still serves, whichever line it replaces.
    let alone = if by_random.is_some() && i == 0 { 1.0 } else { MOST_OF_ONE };
    let confidence = cache.confidence.min(agree).min(alone);
    recorder.value(&format!("{}.hit.ns", name(i)), ns, "ns", interval, confidence, rule, &SERIES[1..]);
}
