//! Rows and banks of the memory chips, as far as they show: the extra time of a load because another load needs another
//! row of the same bank.
//!
//! Pairs of lines are loaded in turn, and each line alone (`runtime/probe/memory_rows.c`); a pair that shares a bank
//! takes longer every time. So the times have two modes, or only one: banks may be invisible, rows may be closed after
//! every access, or others may use the machine. Only a second mode that is clearly separate is called a conflict; its
//! share of the pairs gives the number of banks.

use super::caches::Caches;
use super::series::{Recorder, System};
use crate::{Effort, Failure, Kernel, Session, Stimulus};
use fathom_profile::statistics::quantile;
use fathom_profile::{Reading, Series};
use std::time::Duration;

/// The result of the pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// The number of pairs, and of pairs whose two measurements agree.
    pub pairs: usize,
    pub agreeing: usize,
    /// The standard deviation of a pair's time, from the difference of its two measurements.
    pub deviation_ns: f64,
    /// The main mode, and the first and the ninth decile.
    pub main_ns: f64,
    pub low_ns: f64,
    pub high_ns: f64,
    /// The second mode.
    pub conflict: Option<Conflict>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conflict {
    /// The time above the main mode.
    pub ns: f64,
    /// The number of pairs in it.
    pub pairs: usize,
}

/// From each pair's two measurements, in ns above the lines alone. None if there are fewer than 50 pairs.
pub fn modes(pairs: &[(f64, f64)]) -> Option<Modes> {
    if pairs.len() < 50 {
        return None;
    }
    let sorted = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all
    };
    // Half of a normal distribution lies within 0.6745 deviations; the mean of two has half of the deviation of their
    // difference.
    let apart = sorted(pairs.iter().map(|(a, b)| (a - b).abs()).collect());
    let deviation = (quantile(&apart, 0.5) / 0.6745 / 2.0).max(0.05);
    let agree = |(a, b): &&(f64, f64)| (a - b).abs() <= 2.0 * 3.0 * deviation;
    let values = sorted(pairs.iter().filter(agree).map(|(a, b)| (a + b) / 2.0).collect());
    let main = main_mode(&values, deviation);
    Some(Modes {
        pairs: pairs.len(),
        agreeing: values.len(),
        deviation_ns: deviation,
        main_ns: main,
        low_ns: quantile(&values, 0.1),
        high_ns: quantile(&values, 0.9),
        conflict: conflict(&values, main, deviation),
    })
}

/// The number of sorted values within `half` of `at`.
fn around(values: &[f64], at: f64, half: f64) -> usize {
    values.partition_point(|v| *v <= at + half) - values.partition_point(|v| *v < at - half)
}

fn main_mode(values: &[f64], deviation: f64) -> f64 {
    values.iter().copied().max_by_key(|v| around(values, *v, deviation)).unwrap_or(0.0)
}

/// A second mode above the main one: windows of two deviations to each side, separated by a valley whose emptiness is
/// significant. The values beyond it that do not belong to this mode (both measurements disturbed) must be fewer than
/// those that do.
fn conflict(values: &[f64], main: f64, deviation: f64) -> Option<Conflict> {
    let half = 2.0 * deviation;
    let candidates = values.iter().copied().filter(|v| *v > main + 3.0 * half);
    let peak = candidates.max_by_key(|v| around(values, *v, half))?;
    let high = around(values, peak, half) as f64;
    let steps = ((peak - main) / deviation) as usize;
    let valley = (2..steps).map(|i| around(values, main + i as f64 * deviation, half)).min()? as f64;
    // Counts deviate by their square roots: three of them, so that chance does not reach this at any of the places
    // tried.
    if high < 10.0 || valley > high / 3.0 || high - valley < 3.0 * (high + valley).sqrt() {
        return None;
    }
    let bottom =
        (2..steps).map(|i| main + i as f64 * deviation).find(|at| around(values, *at, half) as f64 == valley)?;
    let beyond: Vec<f64> = values[values.partition_point(|v| *v <= bottom)..].to_vec();
    let within = around(&beyond, peak, 2.0 * half);
    (2 * within > beyond.len()).then_some(Conflict { ns: peak - main, pairs: within })
}

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, recorder: &mut Recorder, system: &System, caches: &Caches) -> Result<(), Failure> {
    let last = caches.levels.last().map_or(1e6, |l| l.bytes);
    let bytes = (4.0 * last).min(system.most_bytes / 2.0).max(f64::from(8 << 20)) as u64;
    let (pairs, passes, limit_ms) = match session.effort {
        Effort::Quick => (300, 12, 100),
        Effort::Normal => (1000, 24, 600),
        Effort::Thorough => (4000, 48, 8000),
    };
    let any = Stimulus::new(Kernel::Rows).with("bytes", bytes).with("passes", passes);
    let found = match session.runner.run(&any, pairs, Duration::from_millis(limit_ms)) {
        Ok(samples) => halves(&samples.ns),
        Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
        Err(why) => {
            recorder.unknowable("dram.conflict.ns", "ns", why.to_string(), &[]);
            return Ok(());
        }
    };
    (session.progress)(&any.to_string());
    report(recorder, &found);
    distances(session, recorder)
}

/// The samples of a request: all pairs, and then all of them again.
fn halves(ns: &[f64]) -> Vec<(f64, f64)> {
    let (first, second) = ns.split_at(ns.len() / 2);
    first.iter().copied().zip(second.iter().copied()).collect()
}

fn report(recorder: &mut Recorder, pairs: &[(f64, f64)]) {
    let evidence = ["rows/pairs"];
    let Some(m) = modes(pairs) else {
        recorder.unknowable(
            "dram.conflict.ns",
            "ns",
            "too few pairs of lines could be measured in its time".into(),
            &[],
        );
        return;
    };
    let seen = format!(
        "{} of {} pairs of lines anywhere agree with themselves, to {:.1} ns; a load beside another takes {:.1} ns more than alone, between \
         {:.1} and {:.1} for eight tenths of them",
        m.agreeing, m.pairs, m.deviation_ns, m.main_ns, m.low_ns, m.high_ns
    );
    match m.conflict {
        Some(c) => {
            let rule = format!("{seen}; a second mode of {} pairs takes {:.1} ns more: lines of two rows of a bank", c.pairs, c.ns);
            let d = 2.0 * m.deviation_ns;
            recorder.value("dram.conflict.ns", c.ns, "ns", (c.ns - d, c.ns + d), 0.8, rule, &evidence);
            let (n, k) = (m.agreeing as f64, c.pairs as f64);
            let rule = format!("{} of {} pairs at random get into each other's way: one in so many", c.pairs, m.agreeing);
            let interval = (n / (k + 2.0 * k.sqrt()), n / (k - 2.0 * k.sqrt()).max(1.0));
            recorder.value("dram.banks", n / k, "banks", interval, 0.7, rule, &evidence);
        }
        None => recorder.unknowable(
            "dram.conflict.ns",
            "ns",
            format!(
                "one mode: {seen}. Banks are too many for pairs to meet in one, rows are closed after each access, or what others do with \
                 this memory hides them"
            ),
            &evidence,
        ),
    }
    let mut values: Vec<f64> = pairs.iter().map(|(a, b)| (a + b) / 2.0).collect();
    values.sort_by(f64::total_cmp);
    let points = [1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 98.0, 99.0]
        .map(|q: f64| (q, quantile(&values, q / 100.0)))
        .map(|(x, y)| Reading { x, y, low: y, high: y, samples: pairs.len(), outliers: 0 });
    let series = vec![Series::new("pairs", points.into())];
    let title = "Two lines of memory in turn: how many percent of pairs add no more";
    recorder.curve("rows", title, ("percent", "ns"), (false, false), series);
}

/// The same by distance within a huge page, where distances of virtual and physical addresses are equal.
fn distances(session: &mut Session, recorder: &mut Recorder) -> Result<(), Failure> {
    let (pairs, limit) = match session.effort {
        Effort::Quick => return Ok(()),
        Effort::Normal => (40, Duration::from_millis(25)),
        Effort::Thorough => (200, Duration::from_millis(500)),
    };
    let mut points = vec![];
    for apart in (6..=20).map(|k| 1u64 << k) {
        let s = Stimulus::new(Kernel::Rows)
            .with("bytes", 16 << 20)
            .with("apart", apart)
            .with("passes", 12)
            .word("pages", "huge");
        match session.runner.run(&s, pairs, limit) {
            Ok(samples) => {
                let mut ns: Vec<f64> = halves(&samples.ns).into_iter().map(|(a, b)| (a + b) / 2.0).collect();
                ns.sort_by(f64::total_cmp);
                let (y, low, high) = (quantile(&ns, 0.5), quantile(&ns, 0.1), quantile(&ns, 0.9));
                points.push(Reading { x: apart as f64, y, low, high, samples: ns.len(), outliers: 0 });
            }
            Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
            Err(why) => {
                recorder.note("rows of memory by distance", &why);
                break;
            }
        }
    }
    let series = vec![Series::new("within a huge page", points)];
    let title = "Two lines of memory in turn, by the bit in which their addresses differ";
    recorder.curve("rows_apart", title, ("distance_bytes", "ns"), (true, false), series);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Memory {
        conflict_ns: f64,
        one_in: usize,
        /// `disturbed` of a thousand measurements are disturbed, by at most `up_to_ns`.
        disturbed: usize,
        up_to_ns: usize,
    }

    fn pairs(m: &Memory, n: usize, seed: u64) -> Vec<(f64, f64)> {
        let mut chance = fastrand::Rng::with_seed(seed);
        (0..n)
            .map(|_| {
                let truth = if chance.usize(..m.one_in) == 0 { m.conflict_ns } else { 0.0 };
                let mut one = || {
                    let deviation: f64 = (0..12).map(|_| chance.f64() - 0.5).sum();
                    let late = if chance.usize(..1000) < m.disturbed { chance.usize(..m.up_to_ns) as f64 } else { 0.0 };
                    truth + 3.0 * deviation + if chance.bool() { late } else { -late }
                };
                (one(), one())
            })
            .collect()
    }

    #[test]
    fn conflicts_come_back_with_their_time_and_the_number_of_banks() {
        let mut found = 0;
        for seed in 0..60 {
            let mut chance = fastrand::Rng::with_seed(seed);
            let (one_in, conflict_ns) = ([4, 8, 16, 32][chance.usize(..4)], 24.0 + 40.0 * chance.f64());
            let m = Memory { conflict_ns, one_in, disturbed: 100, up_to_ns: 80 };
            let modes = modes(&pairs(&m, 1000, seed + 100)).unwrap();
            let Some(c) = modes.conflict else { continue };
            found += 1;
            assert!((c.ns - conflict_ns).abs() < 6.0, "{conflict_ns}: {modes:?}");
            let banks = modes.agreeing as f64 / c.pairs as f64;
            assert!((banks / one_in as f64).ln().abs() < 0.6, "{one_in}: {modes:?}");
        }
        assert!(found >= 54, "{found} of 60");
    }

    #[test]
    fn one_mode_is_not_called_two_however_disturbed() {
        for seed in 0..100 {
            for disturbed in [0, 50, 200, 400] {
                let m = Memory { conflict_ns: 0.0, one_in: 2, disturbed, up_to_ns: 90 };
                let found = modes(&pairs(&m, 1000, seed)).unwrap();
                assert_eq!(found.conflict, None, "seed {seed}, {disturbed}: {found:?}");
            }
        }
        assert_eq!(modes(&[(0.0, 0.0); 20]), None);
    }
}
