//! What is compared with what, and what the project wants of it.

use super::room::{Kind, Room};
use super::sample::Samples;
use crate::result::Target;

/// Is less time better, or more bytes or messages in the same time? The ratio is ours over theirs in what is named.
#[derive(Clone, Copy, PartialEq)]
pub enum Measure {
    Time,
    /// Bytes in a time, or messages where an operation has no bytes.
    Rate,
}

pub struct Comparison {
    row: String,
    ours: &'static str,
    theirs: &'static str,
    /// Ours is compared with this row of theirs.
    their_row: String,
    measure: Measure,
    target: Target,
}

pub struct Line {
    pub row: String,
    pub ours: &'static str,
    pub theirs: &'static str,
    pub their_row: Option<String>,
    pub measure: Measure,
    pub target: Target,
    /// None where a side has no figure.
    pub found: Option<Found>,
}

pub struct Found {
    pub ours_ns: f64,
    pub theirs_ns: f64,
    pub bytes: f64,
    pub median: f64,
    pub lowest: f64,
    pub highest: f64,
}

impl Comparison {
    pub fn of(self, samples: &Samples) -> Line {
        let pair = samples.get(self.ours, &self.row).zip(samples.get(self.theirs, &self.their_row));
        let found = pair.and_then(|(ours, theirs)| {
            let (median, low, high) = ours.over(theirs)?;
            let (median, lowest, highest) = match self.measure {
                Measure::Time => (median, low, high),
                Measure::Rate => (1.0 / median, 1.0 / high, 1.0 / low),
            };
            let (ours_ns, theirs_ns) = (ours.median_ns(), theirs.median_ns());
            Some(Found { ours_ns, theirs_ns, bytes: ours.bytes, median, lowest, highest })
        });
        Line {
            their_row: (self.their_row != self.row).then_some(self.their_row),
            row: self.row,
            ours: self.ours,
            theirs: self.theirs,
            measure: self.measure,
            target: self.target,
            found,
        }
    }
}

impl Line {
    /// None where there is no target, or no figure. Targets have two places, and so has the ratio that is judged: the
    /// same machine code on both sides comes out as 1.003 as often as 0.997.
    pub fn met(&self) -> Option<bool> {
        let ratio = (self.found.as_ref()?.median * 100.0).round() / 100.0;
        match self.target {
            Target::AtLeast(t) => Some(ratio >= t),
            Target::AtMost(t) => Some(ratio <= t),
            Target::None => None,
        }
    }
}

/// "Faster" and "ahead": anything below the other's time, above its rate.
const FASTER: Target = Target::AtMost(1.0);
const MORE: Target = Target::AtLeast(1.0);

pub fn comparisons(room: &Room) -> Vec<Comparison> {
    let mut all = match room.kind {
        Kind::Smp => smp(),
        Kind::Mpi => mpi(),
    };
    all.retain(|c| room.has(c.theirs));
    all
}

#[derive(Default)]
struct List(Vec<Comparison>);

impl List {
    fn time(&mut self, row: &str, theirs: &'static str, target: Target) {
        self.add("fathom", row, theirs, row, Measure::Time, target);
    }
    fn rate(&mut self, row: &str, theirs: &'static str, target: Target) {
        self.add("fathom", row, theirs, row, Measure::Rate, target);
    }
    fn add(
        &mut self,
        ours: &'static str,
        row: &str,
        theirs: &'static str,
        their_row: &str,
        measure: Measure,
        target: Target,
    ) {
        let (row, their_row) = (row.to_string(), their_row.to_string());
        self.0.push(Comparison { row, ours, theirs, their_row, measure, target });
    }
}

fn smp() -> Vec<Comparison> {
    use Measure::*;
    use Target::*;
    let mut l = List::default();
    for (row, against_c) in [("put 8", 1.0), ("put 8 constant", 1.2), ("get 8", 1.0), ("get 8 constant", 1.2)] {
        l.time(row, "c", AtMost(against_c));
        l.time(row, "gasnet", FASTER);
        // MPI has no form for a constant size.
        if row.len() < 6 {
            l.time(row, "mpi, allocated", None);
        }
        l.time(row, "shmem", None);
    }
    l.time("round trip short", "c", AtMost(1.3));
    l.time("round trip short", "c, one line", None);
    l.time("round trip short", "gasnet", AtMost(0.6));
    l.time("round trip short", "mpi", None);
    l.time("round trip medium 64", "gasnet", None);
    l.time("round trip medium 64", "mpi", None);
    l.rate("flood short", "gasnet", AtLeast(1.3));
    l.rate("flood medium 512", "gasnet", AtLeast(1.3));
    // In the first cache, where it is seen what the library itself costs, and beyond it, where plain C itself has less
    // than twice of what GASNet has: there being ahead is the target.
    for (size, against_gasnet) in [("512x8", 2.0), ("128x64", 1.2), ("2048x8", 1.0), ("2048x64", 1.0)] {
        for kind in ["strided_put", "strided_get", "indexed_put", "indexed_get"] {
            let row = format!("{kind} {size}");
            l.rate(&row, "c", AtLeast(0.9));
            l.rate(&row, "gasnet", AtLeast(against_gasnet));
        }
    }
    l.time("barrier", "c", AtMost(1.3));
    l.time("barrier", "c, one line", None);
    l.time("barrier", "gasnet", AtMost(0.6));
    l.time("barrier", "gasnet, notify and wait", None);
    l.time("barrier", "mpi", None);
    l.time("barrier", "shmem", None);
    for row in ["fetch-and-add", "fetch-and-add both"] {
        l.time(row, "c", AtMost(1.2));
        l.time(row, "gasnet", None);
    }
    l.add("fathom, domain", "fetch-and-add", "c", "fetch-and-add", Time, None);
    l.time("fetch-and-add", "shmem", None);
    for direction in ["put", "get"] {
        for bytes in [1024, 8192, 65536, 524288, 4194304, 67108864] {
            let row = format!("bulk {direction} {bytes}");
            l.rate(&row, "c", if direction == "put" { AtLeast(0.97) } else { None });
            l.rate(&row, "gasnet", None);
        }
    }
    for row in ["all-reduce 8", "broadcast 8", "broadcast 65536"] {
        l.time(row, "gasnet", FASTER);
        l.time(row, "mpi", FASTER);
        l.time(row, "shmem", None);
    }
    l.0
}

fn mpi() -> Vec<Comparison> {
    use Measure::*;
    use Target::*;
    let mut l = List::default();
    for direction in ["put", "get"] {
        for bytes in [8, 64, 512, 1024, 8192, 65536, 524288, 4194304] {
            let row = format!("bulk {direction} {bytes}");
            // Up to a few KB a transfer is latency; from there on it is bandwidth.
            if bytes <= 8192 {
                l.time(&row, "mpi", AtMost(1.1));
                l.time(&row, "gasnet", FASTER);
            } else {
                l.rate(&row, "mpi", AtLeast(0.95));
                l.rate(&row, "gasnet", MORE);
            }
        }
        for bytes in [8, 512, 8192, 65536, 524288, 4194304] {
            let row = format!("stream {direction} {bytes}");
            l.rate(&row, "mpi", AtLeast(0.95));
            l.rate(&row, "gasnet", MORE);
        }
    }
    l.time("round trip short", "mpi", AtMost(1.3));
    l.time("round trip short", "gasnet", FASTER);
    l.time("round trip medium 64", "mpi", None);
    l.time("round trip medium 64", "gasnet", FASTER);
    l.rate("flood short", "gasnet", MORE);
    l.rate("flood medium 512", "gasnet", MORE);
    l.time("barrier", "mpi", AtMost(1.1));
    l.time("barrier", "gasnet", FASTER);
    for row in ["all-reduce 8", "broadcast 8", "broadcast 65536"] {
        l.time(row, "mpi", None);
        l.time(row, "gasnet", FASTER);
    }
    // What the road costs both: an 8-byte put beside a message back and forth.
    l.add("fathom", "bulk put 8", "mpi", "round trip short", Time, None);
    l.0
}
