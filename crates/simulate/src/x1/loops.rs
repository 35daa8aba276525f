//! Vector loops in the memory of an MSP: one SSP alone, four that divide a loop, and SPMD threads on SSPs that share an
//! E-cache without knowing of each other (X1 study, sections 2 and 8).
//!
//! SSPs act in the order of time, access by access.

use super::{SSPS, X1};
use fathom_machine::parts::vector::{Loop, Running, Stream};
use fathom_machine::{Description, Time};

const WORD: u64 = 8;

impl X1 {
    /// Each SSP performs its loops, one after the other, from `now` on: when the last one has ended.
    fn together(&mut self, now: Time, mut work: Vec<std::vec::IntoIter<Loop>>) -> Time {
        let unit = self.vector.clone();
        let mut ssps: Vec<Running> = work.iter().map(|_| unit.at(now)).collect();
        let mut at_work: Vec<(Time, usize)> = (0..work.len()).map(|i| (now, i)).collect();
        while let Some(place) = (0..at_work.len()).min_by_key(|place| at_work[*place]) {
            let i = at_work[place].1;
            if ssps[i].step(&mut self.node.memory) {
                at_work[place].0 = ssps[i].now();
                continue;
            }
            match work[i].next() {
                Some(next) => ssps[i].then(next),
                None => _ = at_work.swap_remove(place),
            }
        }
        ssps.iter().map(|ssp| ssp.end()).max().unwrap_or(now)
    }
}

// ---- MG ---------------------------------------------------------------------------------------------------------------

/// The grid of class B: 256 elements in each direction, and one more at each side.
const LEVELS: [u64; 8] = [256, 128, 64, 32, 16, 8, 4, 2];
/// Of each plane only so many of the rows are performed, in an E-cache that is smaller by the same factor: what fits into it
/// does so in both.
const SHARE: u64 = 8;
/// Planes before the one that counts: the stencil reaches one plane further, and what it reads should be there.
const WARM: u64 = 2;

/// The residual of array 0 with right side 1 is array 2; the smoother changes array 0 by array 2.
const OPERATORS: [[u64; 3]; 2] = [[0, 1, 2], [2, 0, 0]];

/// The arrays of a grid.
struct Grid {
    n: u64,
    /// Rows of a plane that are performed.
    rows: u64,
    base: u64,
}

impl Grid {
    fn row(&self, array: u64, plane: u64, row: u64) -> u64 {
        // Arrays do not begin at the same place of the cache.
        let size = (self.n + 2) * (self.rows + 2) * (self.n + 2) * WORD + 4160;
        self.base + array * size + ((plane * (self.rows + 2) + row) * (self.n + 2)) * WORD
    }

    /// A row of the residual, or of the smoother, which have the same shape: sums over the rows around into two private rows,
    /// and from these, the row itself and another array a row of the result.
    fn stencil(&self, ssp: u64, arrays: [u64; 3], plane: u64, row: u64) -> [Loop; 2] {
        let [from, with, to] = arrays;
        let around = [(0, 1), (2, 1), (1, 0), (1, 2), (0, 0), (0, 2), (2, 0), (2, 2)];
        let private = |which: u64| (1 << 33) + ssp * 16_448 + which * 8_224;
        let of = |(z, y): (u64, u64)| self.row(from, plane + z, row + y);
        let mut sums: Vec<Stream> = around.iter().map(|at| Stream::load(of(*at))).collect();
        sums.extend([0, 1].map(|which| Stream::store(private(which))));
        let mut last: Vec<Stream> = [0, 1].map(|which| Stream::load(private(which))).to_vec();
        last.extend([Stream::load(of((1, 1))), Stream::load(self.row(with, plane + 1, row + 1))]);
        last.push(Stream::store(self.row(to, plane + 1, row + 1)));
        // Shifted rows are in the registers' reach: their operations count, their references do not.
        [
            Loop { streams: sums, iterations: self.n + 2, operations: 6 },
            Loop { streams: last, iterations: self.n, operations: 12 },
        ]
    }

    /// A plane by one SSP, of one operator: the arrays that it reads, and the one that it writes.
    fn plane(&self, ssp: u64, arrays: [u64; 3], plane: u64) -> std::vec::IntoIter<Loop> {
        (0..self.rows).flat_map(|row| self.stencil(ssp, arrays, plane, row)).collect::<Vec<_>>().into_iter()
    }
}

/// The time of a V-cycle's residuals and smoothers, by so many SSPs that divide the planes of each grid among them: the
/// outermost loop, which is not vectorised.
///
/// # Errors
/// The description has a mistake. This holds for all functions here.
pub fn multigrid(description: &Description, ssps: u64) -> Result<Time, String> {
    let mut all = 0;
    for n in LEVELS {
        // Small grids are performed as a whole.
        let share = if n >= SHARE * SSPS { SHARE } else { 1 };
        let smaller = description.with_factor("ecache.size", 1.0 / share as f64);
        let mut x1 = X1::new(&smaller.unwrap_or_else(|_| description.clone()))?;
        let grid = Grid { n, rows: n / share, base: 1 << 20 };
        let at_work = ssps.min(n);
        let planes = n.div_ceil(at_work);
        let warm = WARM.min(planes - 1);
        let mut now = 0;
        for arrays in OPERATORS {
            let mut began = now;
            for plane in 0..=warm {
                if plane == warm {
                    began = now;
                }
                let work = |ssp: u64| grid.plane(ssp, arrays, (ssp * planes + plane).min(n - 1));
                now = x1.together(now, (0..at_work).map(work).collect());
            }
            all += (now - began) * planes * share;
            all += if at_work > 1 { x1.code.streams } else { 0 };
        }
    }
    Ok(all)
}

// ---- SPMD threads -----------------------------------------------------------------------------------------------------

/// What each thread sweeps again and again: a quarter of what would fill the E-cache with four of them.
const PART: u64 = 16;
/// The distance of the threads' memories: processes have the same addresses, and what is behind them is equal in its low
/// bits.
const APART: u64 = 1 << 32;
const SWEEPS: u64 = 4;

/// The time of SPMD threads on SSPs of an MSP, each of which sweeps data of its own that begin `stagger` bytes further than
/// those of the one before, at addresses with equal low bits. Their efficiency is the time of one alone by that.
pub fn sweeps(description: &Description, threads: u64, stagger: u64) -> Result<Time, String> {
    let mut x1 = X1::new(description)?;
    let pieces = of_ecache(description)? / PART / (64 * WORD);
    let (mut now, mut began) = (0, 0);
    for sweep in 0..SWEEPS {
        if sweep == 1 {
            began = now;
        }
        let work = |thread: u64| {
            let base = (thread + 1) * APART + thread * stagger;
            let of = |i: u64| {
                let at = base + i * 64 * WORD;
                Loop { streams: vec![Stream::load(at), Stream::store(at)], iterations: 64, operations: 2 }
            };
            (0..pieces).map(of).collect::<Vec<_>>().into_iter()
        };
        now = x1.together(now, (0..threads).map(work).collect());
    }
    Ok(now - began)
}

/// The bytes of the E-cache, or of the one that was there.
pub fn of_ecache(description: &Description) -> Result<u64, String> {
    description.quantity("ecache.size").map(|q| q.value as u64)
}

/// The SSPs that share an E-cache if this many threads are spread evenly over two nodes, and the SSPs of an MSP are given
/// out one after the other.
pub fn sharers(threads: u64) -> u64 {
    threads.div_ceil(2).min(SSPS)
}
