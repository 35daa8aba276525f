//! What a page draws of a run: who did what when, and who moved how much to whom. Both have a bounded size, whatever
//! the number of threads and however long the run.

use crate::program::accounts::{Part, PARTS};
use fathom_machine::Time;

/// The greatest numbers of lanes, of bins of a lane, and of rows and columns of the traffic.
const LANES: usize = 256;
const BINS: usize = 800;
const SIDE: usize = 512;
/// The length of a bin at first.
const BIN: Time = 1000;

/// A timeline and a matrix of traffic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pictures {
    pub threads: usize,
    /// The length of a bin; it doubles when the run becomes too long for the bins.
    pub bin: Time,
    /// By lane and bin: what its threads spent on each part.
    lanes: Vec<Vec<[Time; PARTS.len()]>>,
    side: usize,
    /// Row by row: bytes to the thread of a column from that of a row.
    bytes: Vec<u64>,
    /// Operations that the thread of a row has begun with that of a column.
    operations: Vec<u64>,
}

/// How many threads share a lane, or a row.
fn share(threads: usize, most: usize) -> usize {
    threads.div_ceil(most).max(1)
}

impl Pictures {
    pub fn new(threads: u32) -> Self {
        let threads = threads as usize;
        let side = threads.div_ceil(share(threads, SIDE));
        Pictures {
            threads,
            bin: BIN,
            lanes: vec![vec![]; threads.div_ceil(share(threads, LANES))],
            side,
            bytes: vec![0; side * side],
            operations: vec![0; side * side],
        }
    }

    /// Thread `t` spends the time from `from` to `to` on a part.
    pub fn spend(&mut self, t: u32, part: Part, mut from: Time, to: Time) {
        if from >= to {
            return;
        }
        while (to - 1) / self.bin >= BINS as Time {
            self.coarsen();
        }
        let lane = t as usize / share(self.threads, LANES);
        let lane = &mut self.lanes[lane];
        let last = ((to - 1) / self.bin) as usize;
        if lane.len() <= last {
            lane.resize(last + 1, [0; PARTS.len()]);
        }
        while from < to {
            let bin = from / self.bin;
            let end = to.min((bin + 1) * self.bin);
            lane[bin as usize][part as usize] += end - from;
            from = end;
        }
    }

    /// Makes one bin of two.
    fn coarsen(&mut self) {
        self.bin *= 2;
        for lane in &mut self.lanes {
            for i in 0..lane.len().div_ceil(2) {
                let second = lane.get(2 * i + 1).copied().unwrap_or_default();
                let mut both = lane[2 * i];
                both.iter_mut().zip(second).for_each(|(a, b)| *a += b);
                lane[i] = both;
            }
            lane.truncate(lane.len().div_ceil(2));
        }
    }

    /// Thread `by` begins an operation, or goes on with it, that moves bytes.
    pub fn operate(&mut self, by: u32, with: u32, is_read: bool, begins: bool, bytes: u64) {
        let share = share(self.threads, SIDE);
        let (by, with) = (by as usize / share, with as usize / share);
        let (from, to) = if is_read { (with, by) } else { (by, with) };
        self.operations[by * self.side + with] += u64::from(begins);
        self.bytes[from * self.side + to] += bytes;
    }

    /// How many threads a lane stands for, and what they spent on each part in each bin.
    pub fn timeline(&self) -> (usize, &[Vec<[Time; PARTS.len()]>]) {
        (share(self.threads, LANES), &self.lanes)
    }

    /// How many threads a row and a column stand for; rows of bytes, and of operations.
    pub fn traffic(&self) -> (usize, [Vec<Vec<u64>>; 2]) {
        let rows = |all: &[u64]| all.chunks(self.side).map(<[u64]>::to_vec).collect();
        (share(self.threads, SIDE), [rows(&self.bytes), rows(&self.operations)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bins_have_what_was_spent(
            spent in prop::collection::vec((0..700u32, 0..PARTS.len(), 0..1_000_000_000u64, 0..9_000_000u64), 1..100),
            threads in 700..3000u32,
        ) {
            let mut pictures = Pictures::new(threads);
            let mut sums = [0; PARTS.len()];
            for (t, part, from, time) in spent {
                pictures.spend(t, PARTS[part], from, from + time);
                sums[part] += time;
            }
            let (_, lanes) = pictures.timeline();
            prop_assert!(lanes.len() <= LANES && lanes.iter().all(|lane| lane.len() <= BINS));
            for (i, sum) in sums.into_iter().enumerate() {
                prop_assert_eq!(lanes.iter().flatten().map(|bin| bin[i]).sum::<Time>(), sum);
            }
        }
    }

    #[test]
    fn bytes_go_from_where_they_are_and_operations_are_whose_who_asks() {
        let mut pictures = Pictures::new(3);
        pictures.operate(0, 2, true, true, 8);
        pictures.operate(0, 1, false, true, 100);
        pictures.operate(0, 1, false, false, 50);
        let (share, [bytes, operations]) = pictures.traffic();
        assert_eq!((share, bytes), (1, vec![vec![0, 150, 0], vec![0; 3], vec![8, 0, 0]]));
        assert_eq!(operations, [vec![0, 1, 1], vec![0; 3], vec![0; 3]]);
        let mut many = Pictures::new(1024);
        many.operate(1023, 0, false, true, 1);
        assert_eq!((many.traffic().0, many.traffic().1[0][511][0]), (2, 1));
    }
}
