//! By how much a thread that has waited goes on late, at random: the system or other programs have its processor just
//! then, or the network was late itself.
//!
//! Round trips of short messages are timed one by one. In each both threads wait once, so that a trip takes what it takes
//! without lateness and two times that are distributed exponentially, as delays by events are that have nothing to do with
//! each other: a gamma distribution of shape 2. The mean above the fastest tenth gives the mean of one such time. Without it,
//! the lateness would be in every latency, and programs in which many threads wait for each other would be predicted too fast.

use super::gather::{evidence, Axes, Gathered};
use crate::{Effort, Fact, Failure, Kernel, Session, Stimulus};
use fathom_profile::statistics::{quantile, sorted};
use fathom_profile::{names, Reading, Reason, Series, Value};

const CURVE: &str = "communication.late";
/// How many waits of a round trip may be late.
const WAITS: f64 = 2.0;
/// The shares of round trips that the curve shows.
const SHARES: [f64; 9] = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99];
/// Fewer round trips say nothing of how they are distributed.
const FEWEST: usize = 60;
/// A trip that is later than the fastest tenth by so many times the mean lateness would come once in ten thousand, if lateness
/// is as supposed: it has another cause.
const TOO_LATE: f64 = 12.0;
/// The least lateness that can be told, as a share of the way of a message. What is measured is known no better.
const LEAST: f64 = 0.005;

pub fn probe(session: &mut Session, g: &mut Gathered) -> Result<(), Failure> {
    // On an exact machine nothing is late at random.
    if session.is_exact() {
        return Ok(());
    }
    if !session.time_left() {
        g.missing(names::LATE_NS, Reason::Time, "no time was left");
        return Ok(());
    }
    // A sample as short as that is one operation.
    let stimulus = g.addressed(Stimulus::new(Kernel::RoundTrip).word("kind", "short").with("sample_us", 1));
    let count = match session.effort {
        Effort::Quick => 100,
        Effort::Normal => 400,
        Effort::Thorough => 2000,
    };
    let limit = session.effort.limit_of_a_point();
    let samples = match session.runner.run(&stimulus, count, limit) {
        Ok(samples) => samples,
        Err(failure) => return g.findings.note_missing(names::LATE_NS, failure),
    };
    (session.progress)(&stimulus.to_string());
    if samples.facts.get(&Fact::Operations).is_some_and(|n| *n > 1.0) {
        g.missing(names::LATE_NS, Reason::Other, "round trips are too short to be timed one by one");
        return Ok(());
    }
    let trips = sorted(samples.ns.iter().copied());
    let found = lateness(&trips);
    let reading = |share: &f64, ns: f64| Reading {
        x: share * 100.0,
        y: ns,
        low: ns,
        high: ns,
        samples: trips.len(),
        outliers: 0,
    };
    let measured = SHARES.iter().map(|share| reading(share, quantile(&trips, *share))).collect();
    let measured = Series::new("measured", measured);
    let mut series = vec![measured.clone()];
    let value = match &found {
        Ok(found) => {
            let expected = |share: &f64| reading(share, found.start_ns + found.mean_ns * gamma_quantile(*share));
            series.push(Series::new("late twice at random", SHARES.iter().map(expected).collect()));
            let others = match found.others {
                0 => String::new(),
                n => format!(
                    "; {n} of them, which were later than {TOO_LATE:.0} times that, are left out: `high` has them",
                ),
            };
            let shape = match found.is_of_shape {
                true => "",
                false => {
                    "; but they are not distributed as times that are late at random: something else disturbed them"
                }
            };
            let rule = format!(
                "of {} round trips of short messages, each timed by itself, the mean less the fastest tenth, for each of two \
                 waits{others}{shape}",
                trips.len(),
            );
            let sure = if found.is_of_shape { 0.8 } else { 0.2 };
            Value::known(names::LATE_NS, found.mean_ns, "ns", sure, rule).between(found.low_ns, found.high_ns)
        }
        Err(why) => Value::unknown(names::LATE_NS, "ns", why.clone()),
    };
    g.findings.values.push(value.resting_on(evidence(CURVE, &measured)));
    let title = "Round trips of short messages, one by one";
    g.curve(Axes { curve: CURVE, title, x: "percent", y: "ns", log_x: false }, series);
    Ok(())
}

/// What round trips say of lateness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lateness {
    /// Of one wait.
    pub mean_ns: f64,
    pub low_ns: f64,
    pub high_ns: f64,
    /// A round trip in which nobody is late.
    pub start_ns: f64,
    /// Round trips that are too late to be late at random.
    pub others: usize,
    /// The median lies where it lies if times are late at random.
    pub is_of_shape: bool,
}

/// From sorted times of round trips.
///
/// # Errors
/// A sentence: why there is none.
pub fn lateness(trips: &[f64]) -> Result<Lateness, String> {
    if trips.len() < FEWEST {
        return Err(format!("{} round trips were timed one by one, and {FEWEST} are needed", trips.len()));
    }
    let [tenth, half, nine] = [0.1, 0.5, 0.9].map(|share| (quantile(trips, share), gamma_quantile(share)));
    // By the slower tenth, which nothing that happens more rarely can move.
    let by_shares = (nine.0 - tenth.0) / (nine.1 - tenth.1);
    let limit = tenth.0 + TOO_LATE * by_shares;
    let kept = &trips[..trips.partition_point(|trip| *trip <= limit)];
    let mean = |of: &[f64]| (of.iter().sum::<f64>() / of.len() as f64 - tenth.0) / (WAITS - tenth.1);
    let mean_ns = mean(kept);
    if mean_ns < LEAST * half.0 / 2.0 {
        return Err(format!(
            "a thread that has waited goes on {mean_ns:.0} ns late in the mean, less than {} % of a message's way of {:.0} ns: \
             that cannot be told from how exactly it is known",
            LEAST * 100.0,
            half.0 / 2.0
        ));
    }
    // Twice the deviation of the mean, and of the tenth.
    let deviation = 2.0 * mean_ns * (f64::sqrt(WAITS) + 1.0) / (WAITS - tenth.1) / (kept.len() as f64).sqrt();
    let (low, high) = (mean_ns.min(by_shares), mean_ns.max(by_shares).max(mean(trips)));
    // 0.34 if both are late at random, 0.27 if one is, 0.5 if times lie evenly about their median; a tenth of it is chance.
    let middle = (half.0 - tenth.0) / (nine.0 - tenth.0);
    Ok(Lateness {
        mean_ns,
        low_ns: (low - deviation).max(0.0),
        high_ns: high + deviation,
        start_ns: tenth.0 - mean_ns * tenth.1,
        others: trips.len() - kept.len(),
        is_of_shape: (0.2..0.48).contains(&middle),
    })
}

/// The time that this share of the sums of two exponentially distributed times of mean 1 does not exceed.
fn gamma_quantile(share: f64) -> f64 {
    let (mut low, mut high) = (0.0, 50.0);
    for _ in 0..60 {
        let middle: f64 = (low + high) / 2.0;
        match 1.0 - (1.0 + middle) * (-middle).exp() < share {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trips(count: usize, late: f64, seed: u64) -> Vec<f64> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut draw = || -(1.0 - random.f64()).ln() * late;
        sorted((0..count).map(|_| 600_000.0 + draw() + draw()))
    }

    #[test]
    fn the_mean_lateness_of_random_trips_is_found_within_its_interval() {
        let mut outside = 0;
        for seed in 0..200 {
            for late in [5_000.0, 18_000.0, 60_000.0] {
                let found = lateness(&trips(400, late, seed)).unwrap();
                assert!((found.mean_ns / late - 1.0).abs() < 0.25, "{found:?}, truth {late}");
                assert!((found.start_ns / 600_000.0 - 1.0).abs() < 0.02 && found.is_of_shape, "{found:?}");
                outside += usize::from(late < found.low_ns || late > found.high_ns);
            }
        }
        assert!(outside <= 6, "{outside} of 600 are outside");
    }

    #[test]
    fn what_cannot_be_told_is_left_out_with_the_reason() {
        let equal = vec![600_000.0; 400];
        assert!(lateness(&equal).unwrap_err().contains("0 ns late in the mean, less than 0.5 %"));
        assert!(lateness(&trips(400, 1_000.0, 1)).unwrap_err().contains("less than 0.5 %"));
        assert!(lateness(&trips(59, 60_000.0, 1)).unwrap_err().contains("59 round trips"));
    }

    #[test]
    fn a_few_trips_that_are_much_later_do_not_move_the_mean_but_its_range() {
        let mut disturbed = trips(400, 10_000.0, 3);
        let alone = lateness(&disturbed).unwrap();
        disturbed.extend([4_600_000.0; 4]);
        let found = lateness(&disturbed).unwrap();
        assert!(found.others == alone.others + 4 && (found.mean_ns / alone.mean_ns - 1.0).abs() < 0.02, "{found:?}");
        assert!(found.high_ns > alone.mean_ns + 4e4 / 2.0, "{found:?}");
    }

    /// As they were seen beside a compiler.
    #[test]
    fn trips_that_something_else_disturbs_are_not_of_that_shape() {
        let mut random = fastrand::Rng::with_seed(4);
        let trips = sorted((0..400).map(|_| if random.f64() < 0.4 { 4e6 } else { 8e6 } + 1e6 * random.f64()));
        assert!(!lateness(&trips).unwrap().is_of_shape);
    }

    #[test]
    fn the_shares_of_two_late_times_are_those_of_the_gamma_distribution() {
        for (share, at) in [(0.1, 0.531_812), (0.5, 1.678_347), (0.9, 3.889_720)] {
            assert!((gamma_quantile(share) - at).abs() < 1e-5, "{share}: {}", gamma_quantile(share));
        }
    }
}
