//! The grid: ways to transfer a block, pairs of patterns, sizes.

use fathom_model::copy_transfer::Pattern;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Within one thread: gathered into a buffer, scattered from it.
    Alone,
    /// Put straight to its place in the other thread's memory.
    Direct,
    /// Gathered, put as one block, scattered by the receiver.
    Packing,
    /// Gathered, sent and scattered message by message.
    Messages,
}

impl Way {
    pub const ALL: [Way; 4] = [Way::Alone, Way::Direct, Way::Packing, Way::Messages];

    pub fn name(self) -> &'static str {
        match self {
            Way::Alone => "alone",
            Way::Direct => "direct",
            Way::Packing => "packing",
            Way::Messages => "messages",
        }
    }
}

/// A whole transfer of a block of so many bytes.
#[derive(Clone, Debug)]
pub struct Cell {
    pub way: Way,
    pub from: Pattern,
    pub to: Pattern,
    pub bytes: u64,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} ({},{}) of {} bytes", self.way.name(), self.from, self.to, self.bytes)
    }
}

impl Cell {
    /// As the prober takes it.
    pub fn stimulus(&self) -> String {
        format!(
            "whole how={} from={} to={} bytes={} samples=9 limit_ms=400",
            self.way.name(),
            self.from,
            self.to,
            self.bytes
        )
    }
}

/// No side of a cell spans more memory.
const MOST_SPAN: u64 = 64 << 20;

/// Sizes from 1 KiB to 16 MiB, none but the first among those that are probed. Strides: those that are probed, and two
/// between them, for which the next larger stands in.
pub fn all(quick: bool) -> Vec<Cell> {
    let strides = [2, 4, 8, 24, 64, 200, 512].map(Pattern::Strided);
    let (one, any) = (Pattern::Contiguous, Pattern::Indexed);
    let mut pairs = vec![(one, one), (any, one), (one, any), (any, any)];
    pairs.extend(strides.iter().flat_map(|s| [(one, *s), (*s, one)]));
    let mut cells = vec![];
    for way in Way::ALL {
        for &(from, to) in &pairs {
            for bytes in (0..8).map(|k| 1024u64 << (2 * k)) {
                let span = |p| match p {
                    Pattern::Strided(n) => bytes * u64::from(n),
                    Pattern::Indexed => bytes * 8,
                    Pattern::Contiguous | Pattern::Fixed => bytes,
                };
                if span(from).max(span(to)) <= MOST_SPAN {
                    cells.push(Cell { way, from, to, bytes });
                }
            }
        }
    }
    cells.into_iter().step_by(if quick { 5 } else { 1 }).collect()
}
