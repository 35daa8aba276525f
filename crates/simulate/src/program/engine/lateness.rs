//! By how much a thread that has waited goes on late: other programs, or the system, have its processor just then.
//!
//! The times are exponentially distributed, as those of events that have nothing to do with each other are. They are drawn by
//! von Neumann's method (Various techniques used in connection with random digits, 1951), which compares random numbers and
//! computes no logarithm, so that they are the same on every computer. Each thread has its own row of them, by its number.

use fathom_machine::Time;

pub struct Lateness {
    mean: Time,
    state: u64,
}

impl Lateness {
    /// Of a thread; 0: it is never late.
    pub fn new(thread: u32, mean: Time) -> Self {
        Lateness { mean, state: u64::from(thread).wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    /// The next one.
    pub fn draw(&mut self) -> Time {
        if self.mean == 0 {
            return 0;
        }
        for whole in 0.. {
            // The length of the row that falls, from a random number on, is odd with the probability of the exponential.
            let first = self.random();
            let (mut last, mut length) = (first, 1);
            loop {
                let next = self.random();
                if next > last {
                    break;
                }
                (last, length) = (next, length + 1);
            }
            if length % 2 == 1 {
                let parts = (whole << 32 | u128::from(first)) * u128::from(self.mean);
                return (parts >> 32) as Time;
            }
        }
        0
    }

    /// 32 random bits: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    fn random(&mut self) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_exponential_with_the_mean_and_differ_by_thread() {
        const MEAN: Time = 20_000_000;
        let draws = |thread| {
            let mut lateness = Lateness::new(thread, MEAN);
            (0..200_000).map(|_| lateness.draw()).collect::<Vec<_>>()
        };
        let (first, second) = (draws(0), draws(1));
        assert_ne!(first, second);
        assert_eq!(first, draws(0));
        for all in [first, second] {
            // Of an exponential distribution, this share is above K means: exp(-K).
            for (k, share) in [(0.5, 0.6065), (1.0, 0.3679), (2.0, 0.1353), (4.0, 0.0183)] {
                let above = all.iter().filter(|late| **late as f64 > k * MEAN as f64).count() as f64 / all.len() as f64;
                assert!((above - share).abs() < 0.006, "{k}: {above}, expected {share}");
            }
            let mean = all.iter().sum::<Time>() as f64 / all.len() as f64;
            assert!((mean / MEAN as f64 - 1.0).abs() < 0.01, "{mean}");
        }
        assert_eq!(Lateness::new(3, 0).draw(), 0);
    }
}
