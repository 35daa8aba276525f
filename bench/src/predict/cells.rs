//! The grid: ways to transfer a block, pairs of patterns, sizes. And as many cells again that nobody chose: drawn from a fixed
//! seed, and never looked at while the model or the probe was improved.

use crate::dice::Dice;
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
        format!("whole how={} from={} to={} bytes={}", self.way.name(), self.from, self.to, self.bytes)
    }
}

/// No side of a cell spans more memory.
const MOST_SPAN: u64 = 64 << 20;

fn fits(from: Pattern, to: Pattern, bytes: u64) -> bool {
    let span = |p| match p {
        Pattern::Strided(n) => bytes * u64::from(n),
        Pattern::Indexed => bytes * 8,
        Pattern::Contiguous | Pattern::Fixed => bytes,
    };
    span(from).max(span(to)) <= MOST_SPAN
}

/// Sizes from 1 KiB to 16 MiB. Strides: those that are probed, and two between them.
pub fn grid() -> Vec<Cell> {
    let strides = [2, 4, 8, 24, 64, 200, 512].map(Pattern::Strided);
    let (one, any) = (Pattern::Contiguous, Pattern::Indexed);
    let mut pairs = vec![(one, one), (any, one), (one, any), (any, any)];
    pairs.extend(strides.iter().flat_map(|s| [(one, *s), (*s, one)]));
    let mut cells = vec![];
    for way in Way::ALL {
        for &(from, to) in &pairs {
            let sizes = (0..8).map(|k| 1024u64 << (2 * k)).filter(|bytes| fits(from, to, *bytes));
            cells.extend(sizes.map(|bytes| Cell { way, from, to, bytes }));
        }
    }
    cells
}

/// The cells that were drawn: any stride from 2 to 600 words, any size from 1 KiB to 16 MiB, evenly in their logarithms.
pub fn drawn(count: usize) -> Vec<Cell> {
    let mut dice = Dice::new(20_261_122);
    let mut share = move || dice.share();
    let mut cells: Vec<Cell> = vec![];
    while cells.len() < count {
        let way = Way::ALL[(share() * 4.0) as usize];
        let mut pattern = || match share() {
            kind if kind < 0.35 => Pattern::Contiguous,
            kind if kind < 0.5 => Pattern::Indexed,
            _ => Pattern::Strided((2.0 * 300f64.powf(share())) as u32),
        };
        let (from, to) = (pattern(), pattern());
        let bytes = (1024.0 * 16384f64.powf(share())) as u64 / 8 * 8;
        if fits(from, to, bytes) {
            cells.push(Cell { way, from, to, bytes });
        }
    }
    cells
}
