//! From curves of communication to properties: pure functions.

use fathom_model::fit::{fit, Deviations, Fit, Form, Point};
use fathom_profile::{Reading, Series};

/// The number of transfers that must be under way to hide their latency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    pub size: f64,
    /// The measured sizes below and above it; the true value lies between them.
    pub low: f64,
    pub high: f64,
    pub plateau_ns: f64,
    /// Whether the curve has become flat. If not, larger groups may be better still.
    pub is_flat: bool,
}

/// The smallest group within 5 % of the plateau, which is the median of the three largest groups' times. A point counts
/// as within if its interval reaches that range. Source of the idea: the T3D Split-C study, section 5.
pub fn group_size(points: &[Reading]) -> Option<Group> {
    let n = points.len();
    if n < 4 {
        return None;
    }
    let mut last: Vec<f64> = points[n - 3..].iter().map(|p| p.y).collect();
    last.sort_by(f64::total_cmp);
    let plateau = last[1];
    let at = points.iter().position(|p| p.y <= 1.05 * plateau || p.low <= plateau)?;
    let low = points[at.saturating_sub(1)].x;
    let is_flat = at == 0 || points[n - 1].y > 0.95 * points[n - 3].y;
    Some(Group { size: points[at].x, low, high: points[at].x, plateau_ns: plateau, is_flat })
}

/// The size from which one mechanism is faster than another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossover {
    /// Between two measured sizes; `at` is where straight lines through the points (in logarithms) meet.
    At { low: f64, high: f64, at: f64 },
    /// At no size does `large` become faster for good.
    Never,
    /// `large` is faster from the smallest size on.
    Always,
}

/// The size from which `large` is clearly faster than `small` at every size: their intervals do not overlap. Only sizes
/// at which both have points count. None if there are fewer than two.
pub fn crossover(small: &[Reading], large: &[Reading]) -> Option<Crossover> {
    let same_size = |s: &Reading| large.iter().find(|l| l.x == s.x).copied();
    let pairs: Vec<(Reading, Reading)> = small.iter().filter_map(|s| Some((*s, same_size(s)?))).collect();
    if pairs.len() < 2 {
        return None;
    }
    let Some(last) = pairs.iter().rposition(|(s, l)| l.high >= s.low) else {
        return Some(Crossover::Always);
    };
    let Some(after) = pairs.get(last + 1) else {
        return Some(Crossover::Never);
    };
    let before = pairs[last];
    let slower = |p: (Reading, Reading)| (p.1.y / p.0.y).ln();
    let (low, high) = (before.0.x, after.0.x);
    // A mechanism that is equally fast within the intervals may be a little faster in the median.
    let (above, below) = (slower(before).max(0.0), slower(*after));
    Some(Crossover::At { low, high, at: low * (high / low).powf(above / (above - below)) })
}

/// The cost of a mechanism: a start and a time per byte.
#[derive(Clone, Debug)]
pub struct Cost {
    pub start_ns: f64,
    pub ns_per_byte: f64,
    pub fit: Fit,
}

/// # Errors
/// A sentence: no such cost describes the points.
pub fn cost(series: &Series) -> Result<Cost, String> {
    let points: Vec<Point> = series.points.iter().map(|r| Point { x: r.x, y: r.y }).collect();
    let fit = fit(Form::Affine, &points, Deviations::Relative)?;
    let (start_ns, ns_per_byte) = (fit.coefficients[0].value, fit.coefficients[1].value);
    if ns_per_byte <= 0.0 {
        return Err("it does not take longer for more bytes".into());
    }
    Ok(Cost { start_ns: start_ns.max(0.0), ns_per_byte, fit })
}

/// The measurements that LogGP's parameters are inferred from; ns.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    /// The round trip of a message without payload and its reply.
    pub round_trip: f64,
    /// x: messages in a burst; y: time of a message.
    pub bursts: Vec<Reading>,
    /// x: delay after the request; y: time to take the reply if it has arrived.
    pub receptions: Vec<Reading>,
    /// The time between messages without payload in a flood.
    pub interval: f64,
    /// x: bytes; y: round trip of a message and a reply of this size.
    pub round_trips: Vec<Reading>,
}

/// LogGP's parameters, ns.
#[derive(Clone, Debug, PartialEq)]
pub struct LogGp {
    pub latency: f64,
    pub o_send: f64,
    /// The burst that gave it.
    pub burst: f64,
    pub o_recv: f64,
    pub gap: f64,
    pub gap_per_byte: f64,
    /// Half the round trip minus both overheads: the value of L if it could be negative.
    pub rest: f64,
}

/// The published method: o_send is the least time of a message in short bursts (longer ones wait for the gap), o_recv
/// the time to take a reply that has already arrived, g the interval of a flood, L half of a round trip minus both
/// overheads, and G the time that a byte adds to half a round trip.
///
/// Source: Culler et al., Assessing Fast Network Interfaces (1996); Alexandrov et al., LogGP (1995).
///
/// # Errors
/// A sentence: the missing part of the signature.
pub fn loggp(signature: &Signature) -> Result<LogGp, String> {
    let bursts = signature.bursts.iter().filter(|b| b.y > 0.0);
    let burst = bursts.min_by(|a, b| a.y.total_cmp(&b.y)).ok_or("no burst was measured")?;
    let mut receptions: Vec<f64> = signature.receptions.iter().map(|r| r.y).collect();
    if receptions.is_empty() {
        return Err("no reply was there after the delay".into());
    }
    receptions.sort_by(f64::total_cmp);
    let o_recv = fathom_profile::statistics::quantile(&receptions, 0.5);
    let gap_per_byte = per_byte(signature.round_trip / 2.0, &signature.round_trips)?;
    let rest = signature.round_trip / 2.0 - burst.y - o_recv;
    Ok(LogGp {
        latency: rest.max(0.0),
        o_send: burst.y,
        burst: burst.x,
        o_recv,
        gap: signature.interval,
        gap_per_byte,
        rest,
    })
}

/// The time that each byte after the first adds to half a round trip, which takes `start` without payload: least
/// squares of the deviations as shares of the time.
fn per_byte(start: f64, round_trips: &[Reading]) -> Result<f64, String> {
    let (mut above, mut below) = (0.0, 0.0);
    for r in round_trips {
        let (bytes, time) = (r.x - 1.0, r.y / 2.0);
        above += bytes * (time - start) / (time * time);
        below += bytes * bytes / (time * time);
    }
    let slope = above / below;
    if slope.is_finite() && slope > 0.0 {
        Ok(slope)
    } else {
        Err("messages take no longer for more bytes".into())
    }
}

impl LogGp {
    /// The time of a message of n bytes, from the start of sending to the end of reception.
    pub fn message_ns(&self, bytes: f64) -> f64 {
        self.o_send + (bytes - 1.0).max(0.0) * self.gap_per_byte + self.latency + self.o_recv
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reading(x: f64, y: f64) -> Reading {
        Reading { x, y, low: y * 0.995, high: y * 1.005, samples: 9, outliers: 0 }
    }

    fn curve(xs: &[f64], f: impl Fn(f64) -> f64) -> Vec<Reading> {
        xs.iter().map(|x| reading(*x, f(*x))).collect()
    }

    const GROUPS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

    /// The prefetch queue of the T3D, as its study prints it (cycles of 6.67 ns): 31.25 per word from 16 on.
    #[test]
    fn the_prefetch_queue_of_the_t3d_wants_groups_of_sixteen_or_nearly() {
        let time = |n: f64| {
            let all = 4.0 * n + if n < 4.0 { 4.0 } else { 0.0 } + (80.0 - 4.0 * (n - 1.0)).max(0.0) + 26.0 * n;
            all / n
        };
        let found = group_size(&curve(&GROUPS, time)).unwrap();
        assert_eq!((found.size, found.low, found.is_flat), (16.0, 8.0, true), "{found:?}");
        assert!((found.plateau_ns - 30.0).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn a_curve_that_still_falls_is_said_to() {
        let found = group_size(&curve(&GROUPS, |n| 10_000.0 / n)).unwrap();
        assert!(!found.is_flat);
        assert_eq!(group_size(&curve(&GROUPS[..3], |_| 1.0)), None);
    }

    #[test]
    fn where_nothing_is_to_be_hidden_one_is_enough() {
        assert_eq!(group_size(&curve(&GROUPS, |_| 3.0)).unwrap().size, 1.0);
    }

    fn sizes() -> Vec<f64> {
        (3..23).map(|e| f64::from(1 << e)).collect()
    }

    #[test]
    fn what_is_as_fast_within_the_intervals_is_not_faster() {
        let small = curve(&sizes(), |n| 100.0 + n);
        assert_eq!(crossover(&small, &curve(&sizes(), |n| 99.8 + n * 0.999)), Some(Crossover::Never));
        let large = curve(&sizes(), |n| if n > 4096.0 { n / 2.0 } else { 99.8 + n * 0.999 });
        assert_eq!(crossover(&small, &large), Some(Crossover::At { low: 4096.0, high: 8192.0, at: 4096.0 }));
    }

    #[test]
    fn a_crossover_is_that_of_the_two_lines() {
        let small = curve(&sizes(), |n| 100.0 + n / 2.0);
        let large = curve(&sizes(), |n| 9000.0 + n / 20.0);
        let truth = 8900.0 / (1.0 / 2.0 - 1.0 / 20.0);
        let Some(Crossover::At { low, high, at }) = crossover(&small, &large) else { panic!("no crossover") };
        assert!(low <= truth && truth <= high && (at / truth - 1.0).abs() < 0.1, "{low} {at} {high}, truth {truth}");
        assert_eq!(crossover(&large, &small), Some(Crossover::Never));
        assert_eq!(crossover(&large[..2], &small[..2]), Some(Crossover::Always));
        assert_eq!(crossover(&small[..3], &large[5..]), None);
    }

    proptest! {
        #[test]
        fn loggp_comes_back(l in 50.0..5000.0f64, os in 10.0..2000.0f64, or in 10.0..2000.0f64, more in 1.0..3.0f64,
                            per_byte in 0.02..10.0f64, noise in prop::collection::vec(-0.01..0.01f64, 64)) {
            let gap = os.max(or) * more;
            let mut i = 0;
            let mut noisy = |y: f64| { i += 1; y * (1.0 + noise[i % noise.len()]) };
            let signature = Signature {
                round_trip: noisy(2.0 * (l + os + or)),
                bursts: GROUPS.iter().map(|n| reading(*n, noisy(if *n <= 2.0 { os } else { os.max(gap * 0.9) }))).collect(),
                receptions: (0..4).map(|d| reading(f64::from(d), noisy(or))).collect(),
                interval: noisy(gap),
                round_trips: sizes().iter().map(|n| reading(*n, noisy(2.0 * (l + os + or + (n - 1.0) * per_byte)))).collect(),
            };
            let found = loggp(&signature).unwrap();
            let close = |a: f64, b: f64, share: f64| (a - b).abs() <= share * b;
            prop_assert!(close(found.o_send, os, 0.021) && close(found.o_recv, or, 0.011), "{found:?}");
            prop_assert!(close(found.gap, gap, 0.011) && close(found.gap_per_byte, per_byte, 0.03), "{found:?}");
            prop_assert!((found.latency - l).abs() <= 0.021 * (l + os + or), "{found:?}");
        }
    }

    #[test]
    fn a_latency_below_nothing_is_none_and_the_rest_is_kept() {
        let signature = Signature {
            round_trip: 300.0,
            bursts: vec![reading(1.0, 100.0), reading(2.0, 90.0)],
            receptions: vec![reading(1000.0, 80.0)],
            interval: 100.0,
            round_trips: curve(&sizes(), |n| 300.0 + n),
        };
        let found = loggp(&signature).unwrap();
        assert_eq!((found.latency, found.rest, found.burst), (0.0, -20.0, 2.0));
        assert!(loggp(&Signature { receptions: vec![], ..signature }).unwrap_err().contains("no reply"));
    }
}
