//! Kernels of local memory on a simulated machine, besides those of [`super::runner`]: the operations that the files
//! `memory_more.c`, `memory_turns.c`, `memory_visits.c` and `memory_rows.c` of `runtime/probe` describe. Nothing disturbs a
//! simulated machine, so that one look at each is enough.

use crate::runner::At;
use crate::walk;
use fathom_probe::{Fact, Failure, Samples, Stimulus};
use fathom_profile::Reason;
use std::collections::BTreeMap;

fn ns(ps: u64) -> f64 {
    ps as f64 / 1000.0
}

fn impossible(stimulus: &Stimulus) -> Failure {
    Failure::Broken(format!("`{stimulus}` is not possible"))
}

/// The most loads that are timed.
const MOST_MOMENTS: usize = 1 << 16;

/// Dependent loads, each timed by itself, or four by four: the distribution of their times.
pub fn moments(at: &mut At, stimulus: &Stimulus) -> Samples {
    let together = stimulus.number("together").unwrap_or(4).max(1) as usize;
    let walk = walk::of(stimulus);
    walk.iter().for_each(|&address| at.dependent_load(address));
    let timed: Vec<&[u64]> = walk.chunks_exact(together).take(MOST_MOMENTS).collect();
    let mut times: Vec<f64> = timed
        .iter()
        .map(|some| {
            let before = at.now;
            some.iter().for_each(|&address| at.dependent_load(address));
            ns(at.now - before) / together as f64
        })
        .collect();
    let seen = times.iter().step_by(times.len() / 200 + 1).copied().collect();
    times.sort_by(f64::total_cmp);
    let last = times.len().saturating_sub(1) as f64;
    let quantile = |q: f64| times.get((q * last + 0.5) as usize).copied().unwrap_or(0.0);
    let quantiles = [
        (Fact::P01, 0.01),
        (Fact::P10, 0.1),
        (Fact::P50, 0.5),
        (Fact::P90, 0.9),
        (Fact::P99, 0.99),
        (Fact::P999, 0.999),
        (Fact::Worst, 1.0),
    ];
    let mut facts: BTreeMap<Fact, f64> = quantiles.iter().map(|(fact, q)| (*fact, quantile(*q))).collect();
    // The clock is read without taking time, and counts picoseconds.
    facts.extend([(Fact::Timed, times.len() as f64), (Fact::ClockNs, 0.0), (Fact::TickNs, 0.001)]);
    Samples { ns: seen, facts, ..Samples::default() }
}

/// No line has more bytes.
const APART: u64 = 128;

/// Two chains of loads that miss, with stores between one and the next: ns per pair of loads with its stores.
pub fn stores(at: &mut At, stimulus: &Stimulus) -> Result<f64, Failure> {
    let number = |name, other| stimulus.number(name).unwrap_or(other);
    let count = number("count", 0);
    if number("chains", 1) != 2 {
        return Err(impossible(stimulus));
    }
    let walk = walk::of(stimulus);
    // Eight lines behind the array, or a word of one.
    let (from, lines) = (number("bytes", 0).next_multiple_of(8 * APART), stimulus.chosen("lines") == Some("many"));
    let word = |i: u64| from + if lines { i % 8 * APART } else { i % 8 * 8 };
    let mut ready = [0; 2];
    let mut began = 0;
    for lap in 0..2 {
        if lap == 1 {
            began = at.now;
        }
        for (i, &address) in walk.iter().enumerate() {
            // A load waits for the one of its chain before it, and the stores for their turn in the program.
            let start = at.now.max(ready[i % 2]);
            let reply = at.node.processor.load(&mut at.node.memory, start, address);
            (at.now, ready[i % 2]) = (reply.free, reply.done);
            (0..count).for_each(|i| at.store(word(i)));
        }
        at.now = at.now.max(ready[0]).max(ready[1]);
    }
    Ok(ns(at.now - began) / (walk.len() as f64 / 2.0))
}

/// Stores that fill lines word by word, so many lines in turn: ns per store.
pub fn turns(at: &mut At, stimulus: &Stimulus) -> Result<f64, Failure> {
    let number = |name, other| stimulus.number(name).unwrap_or(other);
    if stimulus.chosen("op") == Some("nontemporal") {
        let why = "this machine has no stores that bypass the caches".into();
        return Err(Failure::Impossible(Reason::Operation, why));
    }
    let (bytes, line, lines) = (number("bytes", 0), number("line", 64), number("lines", 1));
    let block = line * lines;
    if line < 8 || lines == 0 || bytes < block {
        return Err(impossible(stimulus));
    }
    let words = (line / 8).min(8);
    // Once through all of it first: then lines are where they will be.
    (0..bytes).step_by(line as usize).for_each(|address| at.store(address));
    let blocks = bytes / block;
    let passes = 1 + 4096 / (blocks * lines * words);
    let began = at.now;
    for from in (0..passes).flat_map(|_| (0..blocks).map(|b| b * block)) {
        for word in 0..words {
            (0..lines).for_each(|l| at.store(from + l * line + word * 8));
        }
    }
    Ok(ns(at.now - began) / (passes * blocks * lines * words) as f64)
}

/// A few lines of one set, visited in an order that the area `replacement` makes as well: ns per visit.
pub fn visits(at: &mut At, stimulus: &Stimulus) -> Result<f64, Failure> {
    let number = |name, other| stimulus.number(name).unwrap_or(other);
    let (lines, times, apart) = (number("lines", 2), number("times", 1), number("apart", 4096));
    if lines == 0 || times == 0 || !apart.is_multiple_of(64) {
        return Err(impossible(stimulus));
    }
    let mut order: Vec<u64> = (0..lines * times).map(|i| i / times).collect();
    let mut x = number("seed", 1);
    for i in (2..=order.len()).rev() {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        order.swap(i - 1, ((x >> 32) % i as u64) as usize);
    }
    let mut seen = vec![0; lines as usize];
    let lap: Vec<u64> = order
        .into_iter()
        .map(|line| {
            let word = seen[line as usize];
            seen[line as usize] += 1;
            apart / 128 * 64 + line * apart + 8 * word
        })
        .collect();
    const LAPS: usize = 32;
    let mut began = 0;
    for i in 0..2 * LAPS {
        if i == LAPS {
            began = at.now;
        }
        lap.iter().for_each(|&address| at.dependent_load(address));
    }
    Ok(ns(at.now - began) / (LAPS * lap.len()) as f64)
}

/// The granularity of places of pairs.
const PLACE: u64 = 64;

/// Pairs of lines in no cache, loaded in turn and each by itself: by how much a load of the pair takes longer. All pairs, and
/// then all of them again.
pub fn rows(at: &mut At, stimulus: &Stimulus, pairs: usize) -> Result<Samples, Failure> {
    let number = |name, other| stimulus.number(name).unwrap_or(other);
    let (bytes, apart) = (number("bytes", 0), number("apart", 0));
    if bytes < 4 * PLACE || apart >= bytes / 2 || !apart.is_multiple_of(PLACE) {
        return Err(impossible(stimulus));
    }
    // The second line lies within the array whichever bits differ.
    let places = 1 << (bytes / PLACE).ilog2();
    let mut random = fastrand::Rng::with_seed(7);
    let all: Vec<[u64; 2]> = (0..pairs)
        .map(|_| {
            let one = random.u64(..places);
            let other = one ^ if apart > 0 { apart / PLACE } else { random.u64(1..places) };
            [one * PLACE, other * PLACE]
        })
        .collect();
    let mut flushed = |lines: &[u64]| {
        let mut time = 0;
        // The first time opens rows.
        for _ in 0..2 {
            lines.iter().for_each(|&line| at.flush(line));
            let before = at.now;
            lines.iter().for_each(|&line| at.dependent_load(line));
            time = at.now - before;
        }
        ns(time) / lines.len() as f64
    };
    let (mut added, mut alone) = (vec![], vec![]);
    for both in all.iter().chain(&all) {
        let pair = flushed(both);
        let each = (flushed(&both[..1]) + flushed(&both[1..])) / 2.0;
        added.push(pair - each);
        alone.push(each);
    }
    alone.sort_by(f64::total_cmp);
    let median = alone[alone.len() / 2];
    let facts = BTreeMap::from([(Fact::AloneNs, median), (Fact::Pairs, pairs as f64), (Fact::Passes, 2.0)]);
    Ok(Samples { ns: added, facts, ..Samples::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_machine::{node, Description};
    use fathom_probe::Kernel;

    /// A cache of 4 KB with two ways before memory with two banks of pages of 2 KB.
    fn at() -> At {
        let text = r#"
[simulated]
about = "a test"
memory = "cache"
[simulated.processor]
clock = { value = "100 MHz", other = "test" }
store = { value = "1 cycle", other = "test" }
[simulated.parts.cache]
kind = "cache"
next = "buffer"
size = { value = "4 KB", other = "test" }
line = { value = "32 B", other = "test" }
ways = { value = 2, other = "test" }
hit = { value = "10 ns", other = "test" }
write = { value = "through", other = "test" }
allocate = { value = "read", other = "test" }
[simulated.parts.buffer]
kind = "write-buffer"
next = "dram"
depth = { value = 4, other = "test" }
line = { value = "32 B", other = "test" }
merges = { value = true, other = "test" }
merge = { value = "100 ns", other = "test" }
[simulated.parts.dram]
kind = "dram"
size = { value = "1 MB", other = "test" }
page = { value = "2 KB", other = "test" }
banks = { value = 2, other = "test" }
on_page = { value = "100 ns", other = "test" }
off_page = { value = "50 ns", other = "test" }
busy = { value = "200 ns", other = "test" }
"#;
        let description = Description::of_file(text).unwrap().unwrap();
        At { node: node(&description).unwrap(), now: 0 }
    }

    #[test]
    fn single_loads_have_the_times_of_hits_and_misses() {
        let stimulus = Stimulus::new(Kernel::Moments).with("bytes", 2048).with("stride", 32).with("together", 1);
        let found = moments(&mut at(), &stimulus);
        assert_eq!([found.facts[&Fact::P01], found.facts[&Fact::Worst]], [10.0, 10.0]);
        assert_eq!(found.facts[&Fact::Timed], 64.0);
        let large = Stimulus::new(Kernel::Moments).with("bytes", 65536).with("stride", 32).with("together", 1);
        assert!(moments(&mut at(), &large).facts[&Fact::P50] >= 100.0);
    }

    #[test]
    fn lines_in_turn_merge_only_one_at_a_time() {
        let turns = |lines| {
            let s = Stimulus::new(Kernel::Turns).with("bytes", 2048).with("line", 32).with("lines", lines);
            turns(&mut at(), &s).unwrap()
        };
        // Four stores of a line, or each its own: the buffer has four places and memory takes 100 ns.
        assert!(turns(1) < 11.0 && turns(2) > 2.0 * turns(1), "{} {}", turns(1), turns(2));
        let past = Stimulus::new(Kernel::Turns).with("bytes", 2048).word("op", "nontemporal");
        assert!(matches!(super::turns(&mut at(), &past), Err(Failure::Impossible(..))));
    }

    #[test]
    fn a_third_line_of_a_set_of_two_ways_is_missed() {
        let visits = |lines| {
            let s = Stimulus::new(Kernel::Visits).with("lines", lines).with("apart", 2048).with("times", 2);
            visits(&mut at(), &s.with("seed", 3)).unwrap()
        };
        assert_eq!(visits(2), 10.0);
        assert!(visits(3) > 30.0, "{}", visits(3));
    }

    #[test]
    fn rows_add_what_their_places_cost() {
        let rows = |apart| {
            let s = Stimulus::new(Kernel::Rows).with("bytes", 1 << 16).with("apart", apart);
            let found = rows(&mut at(), &s, 5).unwrap();
            assert_eq!(found.ns.len(), 10);
            assert_eq!(found.ns[..5], found.ns[5..]);
            found.ns.iter().sum::<f64>() / 10.0
        };
        // A page of the other bank, and one of the same.
        assert_eq!(rows(1024), 0.0);
        assert!(rows(2048) > 40.0 && rows(4096) > rows(2048), "{} {}", rows(2048), rows(4096));
    }
}
