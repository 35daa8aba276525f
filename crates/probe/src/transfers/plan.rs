//! Which transfers are measured, and over which blocks: as many as there is time for.

use super::{Effort, Failure, Pattern, Session, Stimulus};

pub struct Plan {
    /// In words.
    strides: Vec<u32>,
    /// Of payload, rising.
    sizes: Vec<f64>,
    /// A side of a transfer takes no more memory than this, from its first byte to its last.
    most_bytes: f64,
    /// Pairs of two strides, too.
    all_pairs: bool,
}

const MIB: f64 = 1_048_576.0;

impl Plan {
    /// # Errors
    /// The runner is broken.
    pub fn new(session: &mut Session) -> Result<Plan, Failure> {
        let (strides, factor, most_bytes): (&[u32], f64, f64) = match session.effort {
            Effort::Quick => (&[2, 8, 64, 512], 16.0, 16.0 * MIB),
            Effort::Normal => (&[2, 4, 8, 16, 64, 256, 512], 2.0, 128.0 * MIB),
            Effort::Thorough => (&[2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024], 2.0, 512.0 * MIB),
        };
        let free = match session.measure_with_facts(&Stimulus::new("room")) {
            Ok((_, samples)) => samples.facts.get("available_bytes").copied(),
            Err(Failure::Impossible(_)) => None,
            Err(failure) => return Err(failure),
        };
        // Four times as much is in use at a time at most: two sides, and their lists of addresses.
        let most_bytes = free.map_or(16.0 * MIB, |free| most_bytes.min(free / 16.0));
        let mut sizes = vec![1024.0];
        let next = |k: i32| 2048.0 * factor.powi(k);
        sizes.extend((0..).map(next).take_while(|s| *s <= most_bytes));
        Ok(Plan { strides: strides.to_vec(), sizes, most_bytes, all_pairs: session.effort == Effort::Thorough })
    }

    /// 1, the strides, w.
    pub fn patterns(&self) -> Vec<Pattern> {
        let strides = self.strides.iter().map(|n| Pattern::Strided(*n));
        std::iter::once(Pattern::Contiguous).chain(strides).chain([Pattern::Indexed]).collect()
    }

    /// Those of a copy: what compositions are made of has a contiguous side; the others are few unless there is time.
    pub fn pairs(&self) -> Vec<(Pattern, Pattern)> {
        let patterns = self.patterns();
        let wanted =
            |x: Pattern, y: Pattern| self.all_pairs || x == Pattern::Contiguous || y == Pattern::Contiguous || x == y;
        let mut pairs = vec![];
        for &x in &patterns {
            pairs.extend(patterns.iter().filter(|y| wanted(x, **y)).map(|y| (x, *y)));
        }
        pairs
    }

    /// How many points there are in all, about.
    pub fn points(&self) -> usize {
        let copies: usize = self.pairs().iter().map(|(x, y)| self.sizes(&[*x, *y]).len()).sum();
        let sides: usize = self.patterns().iter().map(|p| self.sizes(&[*p]).len()).sum();
        copies + 3 * sides + 1
    }

    /// The blocks whose sides lie within the memory that may be used.
    pub fn sizes(&self, sides: &[Pattern]) -> Vec<f64> {
        let span = |pattern: &Pattern| match pattern {
            Pattern::Strided(n) => f64::from(*n),
            // Two lists of addresses beside the words; and each word is slow.
            Pattern::Indexed => 16.0,
            Pattern::Contiguous | Pattern::Fixed => 1.0,
        };
        let widest = sides.iter().map(span).fold(1.0, f64::max);
        self.sizes.iter().copied().filter(|bytes| bytes * widest <= self.most_bytes).collect()
    }
}
