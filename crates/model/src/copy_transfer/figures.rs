//! A basic transfer's figure in a machine's table: its own at the size of the block, or one interpolated between its
//! neighbours'.
//!
//! For sizes, strides and congestions that were not measured, the time per byte is interpolated between two that were.
//! Neighbours of a stride are strides that use the same share of a cache's sets: a stride of 64 lines uses one set in
//! 64, a stride of 65 lines uses all of them, and a block that fits in the cache with the one does not fit with the
//! other.

use super::machine::{kind_of, transfer_of};
use super::{Kind, Machine, Pattern, SizePoint, Transfer};
use crate::answer::number;

/// A throughput with remarks about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub mb_s: f64,
    pub source: String,
    /// The other transfer whose figure is used instead, and why.
    pub stand_in: Option<String>,
}

/// Bytes of a line if the machine does not give them.
const LINE_BYTES: f64 = 64.0;
const WORD_BYTES: f64 = 8.0;

impl Machine {
    /// The throughput of a basic transfer. A stride without a figure of its own is interpolated, or gets that of the
    /// nearest tabulated one: strides beyond a line cost nearly the same (section 4.2).
    pub fn throughput(&self, t: Transfer, congestion: f64) -> Option<Found> {
        if t.kind.is_network() {
            return self.network_throughput(t, congestion);
        }
        self.figure(t, &[Side::From, Side::To], self.block_bytes)
    }

    /// The time of a transfer of this kind before the first byte moves, in ns.
    pub fn start_ns(&self, kind: Kind) -> f64 {
        self.starts.iter().find(|s| kind_of(&s.kind) == Some(kind)).map_or(0.0, |s| s.ns)
    }

    /// A transfer's own figure, or one from those of other strides on these sides.
    fn figure(&self, t: Transfer, sides: &[Side], block: Option<f64>) -> Option<Found> {
        if let Some(found) = self.own(t, block) {
            return Some(found);
        }
        let (side, rest) = sides.split_first()?;
        let Pattern::Strided(wanted) = side.of(t) else { return self.figure(t, rest, block) };
        let mut known = self.strides(t.kind, *side);
        known.retain(|m| self.figure(side.with(t, *m), rest, block).is_some());
        if known.contains(&wanted) {
            return self.figure(t, rest, block);
        }
        // Strides of one class: the nearest by the number of words per set, and by the distance of its strides from
        // this one.
        let class = self.class(wanted);
        let mut classes: Vec<f64> = known.iter().map(|m| self.class(*m)).collect();
        classes.sort_by(f64::total_cmp);
        let distance = |c: f64| (c / class).log2().abs() + self.reach(&known, c, wanted);
        let nearest = classes.into_iter().min_by(|a, b| distance(*a).total_cmp(&distance(*b)))?;
        known.retain(|m| self.class(*m) == nearest);
        // If twice as many words fall into a set, half the block fills it.
        let block = block.map(|bytes| bytes * class / nearest);
        let (below, above): (Vec<u32>, Vec<u32>) = known.into_iter().partition(|m| *m < wanted);
        let (below, above) = (below.into_iter().max(), above.into_iter().min());
        let of = |m: u32| self.figure(side.with(t, m), rest, block).map(|found| (side.with(t, m), m, found));
        match (below.and_then(of), above.and_then(of)) {
            (Some((low, m, a)), Some((high, n, b))) => {
                let share = (f64::from(wanted) / f64::from(m)).ln() / (f64::from(n) / f64::from(m)).ln();
                let note = noted(format!("{t} has no figure of its own: between {low} and {high}"), [&a, &b]);
                Some(Found { mb_s: mixed(a.mb_s, b.mb_s, share), source: a.source, stand_in: Some(note) })
            }
            (Some((other, _, found)), None) | (None, Some((other, _, found))) => {
                let note = noted(format!("{t} has no figure of its own; {other} stands in for it"), [&found]);
                Some(Found { stand_in: Some(note), ..found })
            }
            (None, None) => None,
        }
    }

    /// The distance of a stride from the known ones of a class, in powers of two: 0 between two of them.
    fn reach(&self, known: &[u32], class: f64, wanted: u32) -> f64 {
        let of_class = known.iter().filter(|m| self.class(**m) == class);
        let far: Vec<f64> = of_class.map(|m| (f64::from(*m) / f64::from(wanted)).log2()).collect();
        match far.iter().any(|d| *d < 0.0) && far.iter().any(|d| *d > 0.0) {
            true => 0.0,
            false => far.iter().map(|d| d.abs()).fold(f64::INFINITY, f64::min),
        }
    }

    /// A transfer's own figure, for a block of this size; None: for the largest measured block.
    pub(super) fn own(&self, t: Transfer, block: Option<f64>) -> Option<Found> {
        if let Some(f) = self.figures.iter().find(|f| transfer_of(&f.transfer) == Ok(t)) {
            return Some(Found { mb_s: f.mb_s, source: f.source.clone(), stand_in: None });
        }
        let f = self.by_size.iter().find(|f| transfer_of(&f.transfer) == Ok(t))?;
        let (first, last) = (f.points.first()?, f.points.last()?);
        let found = |mb_s: f64, size: String, stand_in: Option<String>| Found {
            mb_s,
            source: format!("{}, blocks of {size}", f.source),
            stand_in,
        };
        let Some(wanted) = block else {
            return Some(found(last.mb_s, format!("{} bytes, the largest measured", number(last.bytes)), None));
        };
        let size = format!("{} bytes", number(wanted));
        if let Some(p) = f.points.iter().find(|p| p.bytes == wanted) {
            return Some(found(p.mb_s, size, None));
        }
        if wanted < first.bytes || wanted > last.bytes {
            let (nearest, word) = if wanted < first.bytes { (first, "smallest") } else { (last, "largest") };
            let note = format!("{t} at blocks of {} bytes, the {word} measured, stands in", number(nearest.bytes));
            return Some(found(nearest.mb_s, size, Some(note)));
        }
        let pair = f.points.windows(2).find(|w| w[0].bytes < wanted && wanted < w[1].bytes)?;
        Some(found(between(pair[0], pair[1], wanted), size, None))
    }

    /// The strides with which this kind was measured on one side.
    fn strides(&self, kind: Kind, side: Side) -> Vec<u32> {
        let transfers = self.names().filter_map(|name| transfer_of(name).ok());
        let mut known: Vec<u32> = (transfers.filter(|k| k.kind == kind))
            .filter_map(|k| match side.of(k) {
                Pattern::Strided(m) => Some(m),
                _ => None,
            })
            .collect();
        known.sort_unstable();
        known.dedup();
        known
    }

    /// Strides of a class use the same share of a cache's sets. The class is the greatest power of two that divides a
    /// stride, in words, and at least a line, because all sets are used below it.
    fn class(&self, stride: u32) -> f64 {
        let power = 1u32 << stride.trailing_zeros().min(31);
        f64::from(power).max(self.line_bytes.unwrap_or(LINE_BYTES) / WORD_BYTES)
    }

    /// Between two tabulated congestions the throughput is interpolated in its reciprocal (the time of a byte grows with
    /// the congestion); outside of the tabulated range it is not known.
    fn network_throughput(&self, t: Transfer, congestion: f64) -> Option<Found> {
        let n = self.network.iter().find(|n| transfer_of(&n.transfer) == Ok(t))?;
        let mut points = n.points.clone();
        points.sort_by(|a, b| a.congestion.total_cmp(&b.congestion));
        let source = n.source.clone();
        if let Some(p) = points.iter().find(|p| p.congestion == congestion) {
            return Some(Found { mb_s: p.mb_s, source, stand_in: None });
        }
        let pair = points.windows(2).find(|w| w[0].congestion < congestion && congestion < w[1].congestion)?;
        let share = (congestion - pair[0].congestion) / (pair[1].congestion - pair[0].congestion);
        let mb_s = mixed(pair[0].mb_s, pair[1].mb_s, share);
        let stand_in = format!(
            "{t} was measured at congestion {} and {}, and is interpolated between",
            pair[0].congestion, pair[1].congestion
        );
        Some(Found { mb_s, source, stand_in: Some(stand_in) })
    }
}

/// A side of a transfer.
#[derive(Clone, Copy)]
enum Side {
    From,
    To,
}

impl Side {
    fn of(self, t: Transfer) -> Pattern {
        match self {
            Side::From => t.from,
            Side::To => t.to,
        }
    }

    fn with(self, t: Transfer, stride: u32) -> Transfer {
        let pattern = Pattern::Strided(stride);
        match self {
            Side::From => Transfer { from: pattern, ..t },
            Side::To => Transfer { to: pattern, ..t },
        }
    }
}

fn noted<const N: usize>(mut note: String, of: [&Found; N]) -> String {
    for more in of.iter().filter_map(|found| found.stand_in.as_ref()) {
        note.push_str(&format!("; {more}"));
    }
    note
}

/// The throughput whose time per byte lies between those of two, at `share` of the way from the first to the second.
fn mixed(low: f64, high: f64, share: f64) -> f64 {
    1.0 / ((1.0 - share) / low + share / high)
}

/// Between two sizes the time per byte is interpolated linearly in the logarithm of the size, because caches fill by
/// factors.
fn between(low: SizePoint, high: SizePoint, bytes: f64) -> f64 {
    mixed(low.mb_s, high.mb_s, (bytes / low.bytes).ln() / (high.bytes / low.bytes).ln())
}
