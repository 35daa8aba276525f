//! The capacities of the caches, from the rise of a load's time with the size of the array.
//!
//! Lines are visited in any order within as many pages as are translated at no cost, then the walk goes on to the next
//! such piece: translation costs nothing there, so a rise shows a cache. Beyond the first level, chance decides which
//! of an array's pages share sets: sets that too many pages share overflow early, others never. So the sizes around
//! such a capacity are measured at several places of memory, on other pages and at different times. Their middle
//! follows the law of chance, and their range shows how much one program differs from another.

use super::series::{chase, Recorder, System};
use super::translation::Reach;
use crate::infer::levels::{self, Levels};
use crate::{Effort, Failure, Session, Stimulus};
use fathom_profile::{Reading, Series};
use std::time::Duration;

/// The levels, and the curve that they were found in.
pub struct Capacities {
    pub levels: Levels,
    pub curve: Series,
    /// For each level that was first found, the measurements around it at each place.
    pub places: Vec<Vec<Vec<Reading>>>,
}

/// How to measure the sizes around a capacity.
struct Places {
    most: f64,
    per_octave: f64,
    limit: Duration,
}

impl Places {
    fn of(effort: Effort) -> Places {
        let (most, per_octave, limit_ms) = match effort {
            Effort::Quick => (3.0, 5.0, 40),
            Effort::Normal => (6.0, 8.0, 100),
            Effort::Thorough => (12.0, 14.0, 2000),
        };
        Places { most, per_octave, limit: Duration::from_millis(limit_ms) }
    }
}

/// For arrays larger than this there are fewer points: each takes seconds to build and to walk.
const LARGE_BYTES: f64 = (16 << 20) as f64;
/// The most places times bytes, with at least two places.
const AT_ALL_PLACES: f64 = (32 << 20) as f64;

/// None if too few sizes could be measured.
///
/// # Errors
/// The runner is broken.
pub fn probe(
    session: &mut Session,
    recorder: &mut Recorder,
    system: &System,
    reach: Reach,
) -> Result<Option<Capacities>, Failure> {
    let quick = session.effort == Effort::Quick;
    // Half of the reach, and a power of two, so that the pieces of any array are alike.
    let within = 2f64.powf((reach.bytes / 2.0).max(system.page_bytes).log2().floor());
    let local = |bytes: f64| chase(bytes, 64.0, "local").with("within", within as u64);
    let mut grid =
        super::series::sizes(2048.0, system.most_bytes.min(LARGE_BYTES), if quick { 3.0 } else { 4.0 }, 512.0);
    if system.most_bytes > LARGE_BYTES {
        let few = if session.effort == Effort::Thorough { 4.0 } else { 2.0 };
        grid.extend(super::series::sizes(LARGE_BYTES, system.most_bytes.min(4.0 * LARGE_BYTES), few, 512.0));
        grid.extend(super::series::sizes(4.0 * LARGE_BYTES, system.most_bytes, few / 2.0, 512.0));
        grid.dedup();
    }
    let points: Vec<_> = grid.iter().map(|&b| (b, local(b))).collect();
    let mut curve = recorder.series(session, "within the reach of translation", &points)?;
    let Some(first) = levels::levels(&pairs(&curve.points)) else { return Ok(None) };

    let mut places: Vec<Vec<Vec<Reading>>> = vec![];
    for (i, cache) in first.caches.iter().enumerate() {
        let at = if i == 0 {
            let sizes = around(cache.bytes, if quick { 5.0 } else { 14.0 }, &curve, system);
            let points: Vec<_> = sizes.iter().map(|&b| (b, local(b))).collect();
            vec![recorder.series(session, &curve.name.clone(), &points)?.points]
        } else {
            at_places(session, recorder, system, cache.bytes, &curve, &local, within)?
        };
        merge(&mut curve.points, &at);
        places.push(at);
    }
    let mut levels = levels::levels(&pairs(&curve.points)).unwrap_or(first);
    for (i, claim) in refused(session, &levels, system) {
        // Before a claim is called wrong, the range between it and the curve is measured once more, with more points.
        let bytes = levels.caches[i].bytes;
        if i > 0 {
            let at = at_places(session, recorder, system, claim, &curve, &local, within)?;
            merge(&mut curve.points, &at);
            places.push(at);
            continue;
        }
        let sizes = super::series::sizes(bytes.min(claim) * 0.8, bytes.max(claim) * 1.4, FINER, 512.0);
        let points: Vec<_> = sizes.iter().filter(|b| **b <= system.most_bytes).map(|&b| (b, local(b))).collect();
        let again = recorder.series(session, &curve.name.clone(), &points)?.points;
        keep_the_lower(&mut curve.points, again);
    }
    levels = levels::levels(&pairs(&curve.points)).unwrap_or(levels);
    for i in 1..levels.caches.len() {
        let bytes = levels.caches[i].bytes;
        // The places that were measured for this level, if the refined fit still has the level there.
        let Some(at) = places.iter().find(|p| {
            let sizes: Vec<f64> = p.iter().flatten().map(|r| r.x).collect();
            p.len() > 1 && sizes.iter().any(|x| *x < bytes) && sizes.iter().any(|x| *x > bytes)
        }) else {
            continue;
        };
        let alone: Vec<f64> = at.iter().filter_map(|place| levels.alone(i, &pairs(place))).collect();
        let least = alone.iter().copied().fold(f64::INFINITY, f64::min);
        let most = alone.iter().copied().fold(0.0, f64::max);
        if alone.len() > 1 {
            levels.caches[i].widen(least, most);
        }
    }
    Ok(Some(Capacities { levels, curve, places }))
}

fn pairs(points: &[Reading]) -> Vec<(f64, f64)> {
    points.iter().map(|p| (p.x, p.y)).collect()
}

/// Points per octave of the second look.
const FINER: f64 = 12.0;
/// A claim differs from the curve if it differs by at least this share.
const DIFFERS: f64 = 0.1;

/// Levels for which the system claims another size: (level, claimed bytes).
fn refused(session: &Session, levels: &Levels, system: &System) -> Vec<(usize, f64)> {
    let claim = |i: usize| {
        let name = fathom_profile::names::claim_of_cache(i as u32 + 1, "bytes");
        session.claims.iter().find(|c| c.name == name).map(|c| c.value)
    };
    let all = levels.caches.iter().enumerate().filter_map(|(i, level)| Some((i, level.bytes, claim(i)?)));
    let differ =
        all.filter(|(_, bytes, claim)| (bytes / claim - 1.0).abs() > DIFFERS && 2.0 * claim <= system.most_bytes);
    if session.is_exact() {
        return vec![]; // a second look would give the same
    }
    differ.map(|(i, _, claim)| (i, claim)).collect()
}

/// Adds points; of two points of one size the lower counts, because disturbance only lengthens times.
fn keep_the_lower(points: &mut Vec<Reading>, more: Vec<Reading>) {
    for again in more {
        match points.iter_mut().find(|p| p.x == again.x) {
            Some(point) => *point = super::series::merged(*point, again),
            None => points.push(again),
        }
    }
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
}

/// Sizes around a capacity.
fn around(bytes: f64, per_octave: f64, curve: &Series, system: &System) -> Vec<f64> {
    let first = curve.points.first().map_or(bytes, |p| p.x);
    let mut sizes = super::series::sizes(bytes * 0.7, bytes * 1.7, per_octave, 512.0);
    sizes.retain(|b| *b >= first && *b <= system.most_bytes);
    sizes
}

/// Measures the sizes around a capacity at several places; returns a list for each place.
fn at_places(
    session: &mut Session,
    recorder: &mut Recorder,
    system: &System,
    bytes: f64,
    curve: &Series,
    local: &impl Fn(f64) -> Stimulus,
    within: f64,
) -> Result<Vec<Vec<Reading>>, Failure> {
    let plan = Places::of(session.effort);
    let mut sizes = around(bytes, plan.per_octave, curve, system);
    // The curve's points between them were measured at one place only.
    let last = sizes.last().copied().unwrap_or(0.0);
    sizes.extend(curve.points.iter().map(|p| p.x).filter(|x| *x > 0.7 * bytes && *x < last));
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let room = (system.most_bytes - last).max(0.0);
    let most = plan.most.min((AT_ALL_PLACES / bytes).round().max(2.0));
    // Other pages lie half an array further on.
    let count = (1.0 + (2.0 * room / bytes).floor()).min(most) as usize;
    let mut all = vec![];
    for place in 0..count {
        let skip = (room * place as f64 / (count.max(2) - 1) as f64 / within).floor() * within;
        let mut readings = vec![];
        for &x in &sizes {
            if place > 0 && x > (4 << 20) as f64 && session.now() > recorder.until {
                return Ok(all);
            }
            match session.glance(&local(x).with("skip", skip as u64), plan.limit) {
                Ok((e, _)) => readings.push(Reading {
                    x,
                    y: e.value,
                    low: e.low,
                    high: e.high,
                    samples: e.samples,
                    outliers: e.outliers,
                }),
                Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
                Err(why) => {
                    recorder.note(&format!("{} from {x} on, {skip} bytes further on", curve.name), &why);
                    break;
                }
            }
        }
        all.push(readings);
    }
    Ok(all)
}

/// Replaces single points by measurements at several places: the mean of the middle ones, and the range of all.
fn merge(points: &mut Vec<Reading>, places: &[Vec<Reading>]) {
    for x in places.iter().flatten().map(|r| r.x).collect::<Vec<_>>() {
        let mut at: Vec<Reading> = places.iter().filter_map(|p| p.iter().find(|r| r.x == x)).copied().collect();
        at.sort_by(|a, b| a.y.total_cmp(&b.y));
        let cut = at.len() / 3;
        let middle = &at[cut..at.len() - cut];
        let merged = Reading {
            x,
            y: middle.iter().map(|r| r.y).sum::<f64>() / middle.len() as f64,
            low: at.iter().map(|r| r.low).fold(f64::INFINITY, f64::min),
            high: at.iter().map(|r| r.high).fold(0.0, f64::max),
            samples: at.iter().map(|r| r.samples).sum(),
            outliers: at.iter().map(|r| r.outliers).sum(),
        };
        points.retain(|p| p.x != x);
        points.push(merged);
    }
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(x: f64, y: f64) -> Reading {
        Reading { x, y, low: y, high: y, samples: 5, outliers: 0 }
    }

    #[test]
    fn a_second_look_takes_disturbance_away_and_adds_none() {
        let mut points = vec![reading(1.0, 1.0), reading(2.0, 9.0), reading(4.0, 4.0)];
        keep_the_lower(&mut points, vec![reading(2.0, 2.0), reading(3.0, 3.0), reading(4.0, 7.0)]);
        assert_eq!(pairs(&points), [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0)]);
        assert_eq!(points[1].samples, 10);
    }

    #[test]
    fn several_places_stand_for_one_point() {
        let mut points = vec![reading(1.0, 9.0), reading(2.0, 9.0)];
        let places: Vec<Vec<Reading>> = [1.0, 2.0, 30.0].map(|y| vec![reading(2.0, y), reading(3.0, y)]).to_vec();
        merge(&mut points, &places);
        assert_eq!(pairs(&points), [(1.0, 9.0), (2.0, 2.0), (3.0, 2.0)]);
        assert_eq!((points[1].low, points[1].high, points[1].samples), (1.0, 30.0, 15));
    }
}
