//! The kernel `conflicts` on a synthetic machine: the search of `runtime/probe/memory_conflicts.c`, load by load. The
//! clock deviates with each timed load, and sometimes an interrupt occurs.

use super::machine::{Chance, Machine};
use fathom_probe::Fact;
use fathom_probe::{Failure, Samples, Stimulus};
use fathom_profile::Reason;
use std::collections::BTreeMap;
use std::time::Duration;

const WARM: i32 = 3;
const ROUNDS: i32 = 12;
const SURE: i32 = 36;
const LOADS: i32 = 6400;
const PARDONED: i32 = 1;
const TRIES: usize = 3;
/// The extra time of a timed load: the clock is read twice, and each reading waits.
const CLOCK_NS: f64 = 15.0;

struct Hunt<'a> {
    machine: &'a mut Machine,
    stride: u64,
    offset: u64,
    beside: u64,
    broom: Vec<u64>,
    threshold_ns: f64,
    left_ns: f64,
    clock: Chance,
}

impl Hunt<'_> {
    fn is_late(&self) -> bool {
        self.left_ns < 0.0
    }

    fn load(&mut self, line: u64, offset: u64) -> f64 {
        let ns = self.machine.load_ns(line * self.stride + offset);
        self.left_ns -= ns;
        ns
    }

    fn timed(&mut self, line: u64) -> f64 {
        let ns = self.load(line, self.offset);
        let late = if self.clock.below(5000) == 0 { 2000.0 } else { 0.0 };
        self.left_ns -= CLOCK_NS + late;
        ns * (1.0 + 0.02 * self.clock.deviation()) + 0.3 * self.clock.deviation() + late
    }

    fn sweep(&mut self) {
        for i in 0..self.broom.len() {
            self.load(self.broom[i], self.offset);
        }
    }

    fn is_slow(&mut self, line: u64) -> bool {
        self.load(line, self.beside);
        self.timed(line) > self.threshold_ns
    }

    fn overflows(&mut self, set: &[u64]) -> bool {
        let (mut without, mut all_many) = (0, true);
        let many = (set.len() / 8).max(3);
        for round in 0..WARM + ROUNDS + LOADS / (set.len() as i32 + 1) {
            if self.is_late() {
                break;
            }
            if round < WARM {
                set.iter().for_each(|&line| _ = self.load(line, self.offset));
                self.sweep();
                self.sweep();
                continue;
            }
            let mut slow = 0;
            for &line in set {
                slow += usize::from(self.is_slow(line));
            }
            for i in 0..self.broom.len() {
                slow += usize::from(self.is_slow(self.broom[i]));
            }
            self.sweep();
            if slow == 0 {
                without += 1;
                if without > PARDONED {
                    return false;
                }
            }
            all_many &= slow >= many;
            if round + 1 == WARM + SURE && all_many {
                return true;
            }
        }
        true
    }

    fn smallest_set(&mut self, candidates: &[u64]) -> Option<Vec<u64>> {
        let mut set = candidates.to_vec();
        if !self.overflows(&set) {
            return None;
        }
        let mut piece = (set.len() / 4).max(1);
        loop {
            let (mut smaller, mut at) = (false, 0);
            while at < set.len() && set.len() > 1 && !self.is_late() {
                let out = piece.min(set.len() - at);
                let rest: Vec<u64> = [&set[..at], &set[at + out..]].concat();
                if !rest.is_empty() && self.overflows(&rest) {
                    set = rest;
                    smaller = true;
                } else {
                    at += out;
                }
            }
            if self.is_late() {
                return None;
            }
            if piece > set.len() / 4 && piece > 1 {
                piece = (set.len() / 4).max(1);
            } else if piece > 1 {
                piece = piece.div_ceil(2);
            } else if !smaller {
                return self.overflows(&set).then_some(set);
            }
        }
    }

    fn is_smallest(&mut self, set: &[u64]) -> bool {
        let mut fits = !self.overflows(&[]);
        for i in 0..set.len() {
            fits = fits && !self.is_late() && !self.overflows(&[&set[..i], &set[i + 1..]].concat());
        }
        fits && !self.is_late() && self.overflows(set)
    }

    fn in_broom(&mut self, set: &[u64]) -> usize {
        let broom = self.broom.clone();
        let mut found = 0;
        for i in 0..broom.len() {
            self.broom = [&broom[..i], &broom[i + 1..]].concat();
            found += usize::from(!self.overflows(set));
        }
        self.broom = broom;
        found
    }

    fn congruent_with(&mut self, set: &[u64], lines: &[u64]) -> Vec<u64> {
        let mut other = set.to_vec();
        let mut found = vec![];
        for &line in lines {
            other[0] = line;
            if set.contains(&line) || self.overflows(&other) {
                found.push(line);
            }
        }
        found
    }

    /// The number of ways, the set, the number of fresh lines and of those among them that can replace a member.
    fn search(&mut self, lines: &[u64]) -> Option<(usize, Vec<u64>, [f64; 2])> {
        let (candidates, fresh) = lines.split_at(lines.len() / 3);
        let mut set = self.smallest_set(candidates)?;
        let mut tried = 1;
        while !self.is_smallest(&set) {
            if tried == TRIES {
                return None;
            }
            set = self.smallest_set(&set)?;
            tried += 1;
        }
        let ways = set.len() - 1 + self.in_broom(&set);
        let congruent = self.congruent_with(&set, fresh).len();
        (!self.is_late()).then_some((ways, set, [fresh.len() as f64, congruent as f64]))
    }

    /// Sets the first lines aside as the broom, and returns the others; None if the first do not fit by themselves.
    fn bind_broom(&mut self, lines: &[u64], broom: usize) -> Option<Vec<u64>> {
        let (first, rest) = lines.split_at(broom.min(lines.len() / 2));
        self.broom = first.to_vec();
        (broom == 0 || !self.overflows(&[])).then(|| rest.to_vec())
    }

    fn search_with_broom(&mut self, lines: &[u64], broom: usize) -> Option<(usize, Vec<u64>, [f64; 2])> {
        let lines = self.bind_broom(lines, broom)?;
        self.search(&lines)
    }

    /// The lines of one set of the cache before.
    fn keep_one_set(&mut self, lines: &[u64], broom: usize, most: usize, counted: &mut [f64; 2]) -> Option<Vec<u64>> {
        let lines = self.bind_broom(lines, broom)?;
        let (_, set, more) = self.search(&lines[..most.min(lines.len())])?;
        (0..2).for_each(|i| counted[i] += more[i]);
        let kept = self.congruent_with(&set, &lines);
        (!self.is_late()).then_some(kept)
    }
}

pub fn run(machine: &mut Machine, stimulus: &Stimulus, wanted: usize, limit_ns: f64) -> Result<Samples, Failure> {
    let number = |name, other| stimulus.number(name).unwrap_or(other);
    let (stride, broom) = (number("stride", 4096), number("broom", 32) as usize);
    let ns = |name| number(name, 0) as f64 / 1000.0;
    let (threshold, inner) = (ns("threshold_ps"), ns("inner_ps"));
    let n = number("bytes", 0) / stride;
    let clock = Chance::new(machine.seed ^ 0xC10C);
    let mut chance = Chance::new(11);
    let mut h =
        Hunt { machine, stride, offset: 0, beside: 0, broom: vec![], threshold_ns: 0.0, left_ns: limit_ns, clock };
    let mut ways = vec![];
    let mut inners = [0.0; 2];
    let mut facts = BTreeMap::new();
    let mut kept: Vec<u64> = vec![];
    for tried in 0..TRIES * wanted {
        if ways.len() >= wanted || h.is_late() {
            break;
        }
        if inner == 0.0 || tried % TRIES == 0 || kept.is_empty() {
            h.offset = 64 * chance.below(stride / 64);
            h.beside = (h.offset + stride / 2 + 256) % stride;
            let before = number(if inner > 0.0 { "inner_broom" } else { "broom" }, 32).min(n);
            let first = chance.below(n - before + 1);
            let mut rest: Vec<u64> = (0..n).filter(|i| *i < first || *i >= first + before).collect();
            chance.shuffle(&mut rest);
            kept = (first..first + before).chain(rest).take(number("lines", n) as usize).collect();
            if inner > 0.0 {
                h.threshold_ns = inner;
                kept = h
                    .keep_one_set(
                        &kept,
                        number("inner_broom", 32) as usize,
                        (number("inner_bytes", n * stride) / stride) as usize,
                        &mut inners,
                    )
                    .unwrap_or_default();
            }
        }
        if inner > 0.0 {
            chance.shuffle(&mut kept);
        }
        h.threshold_ns = threshold;
        let Some((found, _, counted)) = h.search_with_broom(&kept, broom) else { continue };
        *facts.entry(Fact::Fresh(found as u32)).or_insert(0.0) += counted[0];
        *facts.entry(Fact::Congruent(found as u32)).or_insert(0.0) += counted[1];
        ways.push(found as f64);
    }
    let spent_ns = (limit_ns - h.left_ns).max(0.0);
    h.machine.spent += Duration::from_nanos(spent_ns as u64);
    if ways.is_empty() {
        let late = if h.is_late() { "the time was over before a" } else { "no" };
        return Err(Failure::Impossible(
            Reason::Unseen,
            format!("{late} set of {n} lines that does not fit was found"),
        ));
    }
    facts.insert(Fact::InnerFresh, inners[0]);
    facts.insert(Fact::InnerCongruent, inners[1]);
    Ok(Samples { ns: ways, facts, ..Samples::default() })
}
