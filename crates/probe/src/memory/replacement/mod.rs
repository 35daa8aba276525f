//! Which line is replaced when a set of the first level is full, as far as the miss rates of visit sequences show it.
//!
//! A few lines more than a set has ways are visited in random orders, each order again and again. Every replacement
//! rule misses another share of each order. Performing the rule gives that share, and the orders chosen are those on
//! which the rules differ most. The rule whose shares fit the measured times best is the nearest. Real caches need not
//! follow any of them exactly, so the findings include how much of the differences the nearest rule explains, and how
//! much the nearest rule of another kind.
//!
//! The method of inferring a policy from sequences by simulation: Abel and Reineke, "Measurement-based modeling of the
//! cache replacement policy", RTAS 2013.

pub mod policy;

use super::series::Recorder;
use crate::{Effort, Failure, Kernel, Session, Stimulus};
use fathom_profile::{Reading, Series};
use policy::Policy;
use std::time::Duration;

/// An order of visits, and its measurement.
#[derive(Clone, Debug)]
pub struct Order {
    pub lines: usize,
    pub times: usize,
    pub seed: u64,
    /// The share of visits that miss under each of [`Policy::all`].
    pub shares: Vec<f64>,
    /// ns per visit, minus the time of a hit.
    pub added_ns: f64,
}

/// Orders that distinguish the policies: among visits to one, two and four lines more than there are ways, the `each`
/// whose shares differ most.
pub fn orders(ways: usize, times: usize, each: usize) -> Vec<Order> {
    const TRIED: u64 = 30;
    let policies = Policy::all(ways);
    let apart = |shares: &[f64]| {
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        shares.iter().map(|s| (s - mean).powi(2)).sum::<f64>()
    };
    let mut found = vec![];
    for lines in [ways + 1, ways + 2, ways + 4] {
        let order = |seed: u64| {
            let lap = policy::visits(lines, times, seed);
            let shares = policies.iter().map(|p| policy::missed(*p, ways, &lap)).collect();
            Order { lines, times, seed, shares, added_ns: 0.0 }
        };
        let mut all: Vec<Order> = (1..=TRIED).map(order).collect();
        all.sort_by(|a, b| apart(&b.shares).total_cmp(&apart(&a.shares)));
        found.extend(all.into_iter().take(each));
    }
    found
}

/// How well a policy fits the measurements.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    pub policy: Policy,
    /// The share of the squares of the added times that it explains. It counts more than differences between orders,
    /// because a rule may miss the same share of every order.
    pub explained: f64,
    /// The time of a miss minus that of a hit, by least squares.
    pub miss_ns: f64,
}

/// The conclusion.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It belongs to the family of recent use, with this many groups.
    Recent { groups: usize },
    /// Another policy is nearer.
    Other(Policy),
    /// No policy fits, or two of different kinds do.
    Open,
}

/// The nearest must leave at most this share unexplained, ...
const UNEXPLAINED: f64 = 0.05;
/// ... and the next of another kind at least this many times as much. The ratio of two variances over 36 orders exceeds
/// this by chance in one case of twenty (F distribution).
const CLEARER: f64 = 1.76;

/// All policies, the nearest first. None if nothing was missed.
pub fn fits(ways: usize, orders: &[Order]) -> Option<Vec<Fit>> {
    let all: f64 = orders.iter().map(|o| o.added_ns.powi(2)).sum();
    if orders.len() < 6 || orders.iter().map(|o| o.added_ns).sum::<f64>() <= 0.0 {
        return None;
    }
    let mut fits: Vec<Fit> = Policy::all(ways)
        .into_iter()
        .enumerate()
        .map(|(i, policy)| {
            let both = |f: &dyn Fn(f64, f64) -> f64| orders.iter().map(|o| f(o.shares[i], o.added_ns)).sum::<f64>();
            let miss_ns = both(&|s, ns| s * ns) / both(&|s, _| s * s).max(f64::MIN_POSITIVE);
            Fit { policy, explained: 1.0 - both(&|s, ns| (ns - miss_ns * s).powi(2)) / all, miss_ns }
        })
        .collect();
    fits.sort_by(|a, b| b.explained.total_cmp(&a.explained));
    Some(fits)
}

/// The kinds to distinguish: the strict order of use, trees, and policies without this kind of recent use.
fn kind(policy: Policy, ways: usize) -> u8 {
    match policy {
        Policy::Recent { groups } if groups == ways => 0,
        Policy::Recent { .. } => 1,
        _ => 2,
    }
}

/// The nearest policy, if it is near and clearly nearer than those of other kinds.
pub fn answer(ways: usize, fits: &[Fit]) -> Answer {
    let Some(best) = fits.first() else { return Answer::Open };
    let rival = fits.iter().find(|f| kind(f.policy, ways) != kind(best.policy, ways));
    let left = |f: &Fit| 1.0 - f.explained;
    if left(best) > UNEXPLAINED || rival.is_some_and(|r| left(r) < CLEARER * left(best)) {
        return Answer::Open;
    }
    match best.policy {
        Policy::Recent { groups } => Answer::Recent { groups },
        other => Answer::Other(other),
    }
}

/// # Errors
/// The runner is broken.
pub fn probe(session: &mut Session, recorder: &mut Recorder) -> Result<(), Failure> {
    const NAME: &str = "l1d.replacement.groups";
    let known = ["l1d.usable.ways", "l1d.ways", "l1d.bytes", "line.bytes"].map(|name| recorder.known(name));
    let [Some(ways), Some(built), Some(bytes), Some(line)] = known else {
        recorder.unknowable(NAME, "groups", "the first level's ways, size or line are not known".into(), &[]);
        return Ok(());
    };
    if ways < 2.0 {
        recorder.unknowable(NAME, "groups", "a set has one way: there is nothing to choose".into(), &[]);
        return Ok(());
    }
    let (lines, apart, times) = (ways as usize, (bytes / built / 64.0).round() * 64.0, (line / 8.0).clamp(1.0, 4.0));
    let (each, passes) = if session.effort == Effort::Quick { (8, 3) } else { (12, 6) };
    let visit = |lines: usize, seed: u64| {
        let s = Stimulus::new(Kernel::Visits).with("lines", lines as u64).with("apart", apart as u64);
        s.with("times", times as u64).with("seed", seed).with("sample_us", 50)
    };
    let mut orders = orders(lines, times as usize, each);
    let wanted: Vec<(usize, u64)> =
        std::iter::once((lines, 1)).chain(orders.iter().map(|o| (o.lines, o.seed))).collect();
    // Which line is replaced depends on the set's previous contents, which differ in every pass.
    let mut ns = vec![vec![]; wanted.len()];
    for _ in 0..passes {
        for (&(lines, seed), all) in wanted.iter().zip(&mut ns) {
            match session.glance(&visit(lines, seed), Duration::from_millis(15)) {
                Ok((estimate, _)) => all.push(estimate.value),
                Err(Failure::Broken(why)) => return Err(Failure::Broken(why)),
                Err(why) => {
                    recorder.unknowable(NAME, "groups", why.to_string(), &[]);
                    return Ok(());
                }
            }
        }
    }
    let median = |all: &mut Vec<f64>| {
        all.sort_by(f64::total_cmp);
        fathom_profile::statistics::quantile(all, 0.5)
    };
    let ns: Vec<f64> = ns.iter_mut().map(median).collect();
    orders.iter_mut().zip(&ns[1..]).for_each(|(o, all)| o.added_ns = all - ns[0]);
    report(recorder, lines, &orders, ns[0]);
    Ok(())
}

fn report(recorder: &mut Recorder, ways: usize, orders: &[Order], hit_ns: f64) {
    const NAME: &str = "l1d.replacement.groups";
    let evidence = ["replacement/measured"];
    let Some(fits) = fits(ways, orders) else {
        let why =
            "orders of more lines than there are ways take no longer than those of as many: they do not share a set";
        recorder.unknowable(NAME, "groups", why.into(), &[]);
        return;
    };
    let mut kinds: Vec<&Fit> = vec![];
    for fit in &fits {
        if !kinds.iter().any(|k| kind(k.policy, ways) == kind(fit.policy, ways)) {
            kinds.push(fit);
        }
    }
    let said: Vec<String> =
        kinds.iter().map(|f| format!("{}: {:.1} %", f.policy.in_words(ways), 100.0 * f.explained.max(0.0))).collect();
    let rule = format!(
        "{} orders of visits to more lines of a set than its {ways} ways, chosen to tell rules apart, compared with rules of replacement that are performed; how much \
         of the added times the nearest of each kind explains: {}",
        orders.len(),
        said.join("; ")
    );
    match answer(ways, &fits) {
        Answer::Recent { groups } => {
            let n = groups as f64;
            let rule = format!("gives way: {}. {rule}", fits[0].policy.in_words(ways));
            recorder.value(NAME, n, "groups", (n, n), fits[0].explained.clamp(0.1, 0.95), rule, &evidence);
        }
        Answer::Other(policy) => {
            let rule = format!("not by recent use in groups; nearest: {}. {rule}", policy.in_words(ways));
            recorder.unknowable(NAME, "groups", rule, &evidence);
        }
        Answer::Open => {
            recorder.unknowable(NAME, "groups", format!("no rule is clearly the nearest. {rule}"), &evidence)
        }
    }
    let series = |name: String, y: &dyn Fn(&Order) -> f64| {
        let point = |(i, o): (usize, &Order)| {
            let y = hit_ns + y(o);
            Reading { x: (i + 1) as f64, y, low: y, high: y, samples: 1, outliers: 0 }
        };
        Series::new(name, orders.iter().enumerate().map(point).collect())
    };
    let mut all = vec![series("measured".into(), &|o| o.added_ns)];
    for fit in kinds {
        let i = Policy::all(ways).iter().position(|p| *p == fit.policy).unwrap_or(0);
        let would = |o: &Order| fit.miss_ns * o.shares[i];
        all.push(series(fit.policy.in_words(ways), &would));
    }
    recorder.curve("replacement", "Orders of visits to lines of one set", ("order", "ns"), (false, false), all);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The measurements of a machine with this policy, with times that deviate by a share.
    fn machine(policy: Policy, ways: usize, noise: f64, seed: u64) -> Vec<Order> {
        let mut chance = fastrand::Rng::with_seed(seed);
        let mut deviation = || (0..12).map(|_| chance.f64() - 0.5).sum::<f64>();
        let i = Policy::all(ways).iter().position(|p| *p == policy).unwrap();
        let mut orders = orders(ways, 4, 12);
        for o in &mut orders {
            o.added_ns = (1.3 + 2.9 * o.shares[i]) * (1.0 + noise * deviation()) - 1.3;
        }
        orders
    }

    #[test]
    fn every_rule_comes_back_from_a_machine_that_has_it() {
        for ways in [2, 8, 12, 16] {
            for truth in Policy::all(ways) {
                let fits = fits(ways, &machine(truth, ways, 0.01, ways as u64)).unwrap();
                let wanted = match truth {
                    Policy::Recent { groups } => Answer::Recent { groups },
                    other => Answer::Other(other),
                };
                assert_eq!(answer(ways, &fits), wanted, "{ways} ways, {truth:?}: {fits:?}");
            }
        }
    }

    #[test]
    fn where_nothing_goes_with_the_times_none_is_named() {
        let mut orders = machine(Policy::Any, 8, 0.0, 1);
        let mut chance = fastrand::Rng::with_seed(5);
        orders.iter_mut().for_each(|o| o.added_ns = 0.5 + chance.f64());
        assert_eq!(answer(8, &fits(8, &orders).unwrap()), Answer::Open);
        orders.iter_mut().for_each(|o| o.added_ns = 0.0);
        assert!(fits(8, &orders).is_none());
    }
}
