//! Numbers drawn from a seed, for cells that nobody chose.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

/// Published results name their seeds. A seed must give the same cells always, which SplitMix64 (Steele, Lea and Flood, 2014)
/// does, and a generator that a library may replace does not.
pub struct Dice(SplitMix64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0.next_u64() % n
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Every ratio of sizes as likely as another.
    pub fn size(&mut self, low: f64, high: f64) -> u64 {
        (low * (high / low).powf(self.share())) as u64
    }
}
