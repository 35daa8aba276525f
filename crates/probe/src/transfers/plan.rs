//! The transfers to measure, and their blocks: as many as time allows.

use crate::{Effort, Fact, Failure, Kernel, Session, Stimulus};
use fathom_model::copy_transfer::{Kind, Pattern, Transfer};

pub struct Plan {
    /// In words. Powers of two, with which all words fall on few sets of a cache, and some of them plus a line, with
    /// which words fall on all sets.
    strides: Vec<u32>,
    /// The sizes of the payload, rising.
    sizes: Vec<f64>,
    /// The most memory that a side of a transfer takes, from its first byte to its last.
    most_bytes: f64,
    /// Whether to measure pairs of two strides too.
    all_pairs: bool,
    /// The number of further sizes of a transfer, between sizes whose times per byte differ by at least the factor
    /// `step` and whose ratio is at least `closest`.
    pub more: usize,
    pub step: f64,
    pub closest: f64,
}

const MIB: f64 = 1_048_576.0;
/// The strides, in words, of a probe that is neither quick nor thorough.
const USUAL: [u32; 9] = [2, 4, 8, 16, 64, 72, 256, 512, 520];

impl Plan {
    /// # Errors
    /// The runner is broken.
    pub fn new(session: &mut Session) -> Result<Plan, Failure> {
        let (strides, factor, most_bytes): (&[u32], f64, f64) = match session.effort {
            Effort::Quick => (&[2, 8, 64, 72, 512], 16.0, 16.0 * MIB),
            Effort::Normal => (&USUAL, 4.0, 64.0 * MIB),
            Effort::Thorough => (
                &[2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 72, 96, 128, 136, 256, 264, 512, 520, 1024, 1032],
                2.0,
                512.0 * MIB,
            ),
        };
        let free = match session.measure_with_facts(&Stimulus::new(Kernel::Room)) {
            Ok((_, samples)) => samples.facts.get(&Fact::AvailableBytes).copied(),
            Err(Failure::Impossible(..)) => None,
            Err(failure) => return Err(failure),
        };
        // At most four times as much is in use at a time: two sides, and their lists of addresses.
        let most_bytes = free.map_or(16.0 * MIB, |free| most_bytes.min(free / 16.0));
        let sizes = (0..).map(|k| 1024.0 * factor.powi(k)).take_while(|s| *s <= most_bytes).collect();
        let (more, step, closest) = match session.effort {
            Effort::Quick => (1, 1.5, 4.0),
            Effort::Normal => (4, 1.15, 1.9),
            Effort::Thorough => (8, 1.1, 1.3),
        };
        let all_pairs = session.effort == Effort::Thorough;
        Ok(Plan { strides: strides.to_vec(), sizes, most_bytes, all_pairs, more, step, closest })
    }

    /// 1, the strides, w.
    pub fn patterns(&self) -> Vec<Pattern> {
        let strides = self.strides.iter().map(|n| Pattern::Strided(*n));
        std::iter::once(Pattern::Contiguous).chain(strides).chain([Pattern::Indexed]).collect()
    }

    /// The pairs of a copy. Compositions use copies with a contiguous side. Other pairs have usual strides only, and
    /// are measured only if there is time: all pairs would take most of the time of a profile.
    pub fn pairs(&self) -> Vec<(Pattern, Pattern)> {
        let patterns = self.patterns();
        let usual = |p: Pattern| match p {
            Pattern::Strided(n) => USUAL.contains(&n),
            _ => true,
        };
        let wanted = |x: Pattern, y: Pattern| {
            x == Pattern::Contiguous || y == Pattern::Contiguous || x == y || self.all_pairs && usual(x) && usual(y)
        };
        let mut pairs = vec![];
        for &x in &patterns {
            pairs.extend(patterns.iter().filter(|y| wanted(x, **y)).map(|y| (x, *y)));
        }
        pairs
    }

    /// The greatest number of points.
    pub fn points(&self) -> usize {
        let of = |kind, from, to| self.sizes(&Transfer { kind, from, to }).len() + self.more;
        let copies: usize = self.pairs().iter().map(|(x, y)| of(Kind::Copy, *x, *y)).sum();
        let sides: usize = self.patterns().iter().map(|p| of(Kind::LoadSend, *p, Pattern::Fixed)).sum();
        copies + 3 * sides + of(Kind::NetworkData, Pattern::Fixed, Pattern::Fixed)
    }

    /// The blocks whose sides fit into the available memory.
    pub fn sizes(&self, transfer: &Transfer) -> Vec<f64> {
        let span = |pattern: Pattern| match pattern {
            Pattern::Strided(n) => f64::from(n),
            // Two lists of addresses beside the words; and each word is slow.
            Pattern::Indexed => 16.0,
            Pattern::Contiguous | Pattern::Fixed => 1.0,
        };
        let widest = span(transfer.from).max(span(transfer.to));
        self.sizes.iter().copied().filter(|bytes| bytes * widest <= self.most_bytes).collect()
    }
}
