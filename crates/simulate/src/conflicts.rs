//! The kernel `conflicts` on a simulated machine: smallest groups of lines that do not fit into a cache together, found by
//! leaving lines out, as `runtime/probe/memory_conflicts.c` does it on this computer. Nothing disturbs a simulated machine, so
//! that a group that is missed in every round does not fit, and no second look is needed.

use crate::runner::At;
use fathom_probe::{Fact, Failure, Samples, Stimulus};
use fathom_profile::Reason;
use std::collections::BTreeMap;

/// Rounds before a group is in the cache, and rounds that are looked at.
const WARM: usize = 3;
const ROUNDS: usize = 3;

/// A search for lines that share a set.
struct Hunt<'a> {
    at: &'a mut At,
    stride: u64,
    /// Of a line within its stride; of what is loaded before it, so that its address is translated.
    offset: u64,
    beside: u64,
    /// Lines that sweep the caches before the one in question.
    broom: Vec<u64>,
    /// A load that takes longer, in picoseconds, misses.
    threshold: u64,
}

impl Hunt<'_> {
    /// Whether a load of the line misses.
    fn misses(&mut self, line: u64) -> bool {
        self.at.dependent_load(line * self.stride + self.beside);
        let before = self.at.now;
        self.at.dependent_load(line * self.stride + self.offset);
        self.at.now - before > self.threshold
    }

    /// Whether lines do not fit: in each round one of them, or of the broom, is missed.
    fn overflows(&mut self, lines: &[u64]) -> bool {
        let broom = self.broom.clone();
        // All of them, also after one that misses.
        let mut round = || lines.iter().chain(&broom).filter(|&&line| self.misses(line)).count() > 0;
        (0..WARM).for_each(|_| _ = round());
        (0..ROUNDS).all(|_| round())
    }

    /// The lines without those that may be left out while the rest does not fit: none if all fit.
    fn smallest(&mut self, mut lines: Vec<u64>) -> Option<Vec<u64>> {
        if !self.overflows(&lines) {
            return None;
        }
        let mut piece = lines.len().div_ceil(2);
        loop {
            let mut from = 0;
            while from < lines.len() {
                let to = (from + piece).min(lines.len());
                let rest = [&lines[..from], &lines[to..]].concat();
                if !rest.is_empty() && self.overflows(&rest) {
                    lines = rest;
                } else {
                    from = to;
                }
            }
            if piece == 1 {
                return Some(lines);
            }
            piece = piece.div_ceil(2);
        }
    }

    /// How many of the broom belong to the group's set: without one of them the rest fits.
    fn in_broom(&mut self, group: &[u64]) -> usize {
        let all = self.broom.clone();
        let mut belong = 0;
        for i in 0..all.len() {
            self.broom = [&all[..i], &all[i + 1..]].concat();
            belong += usize::from(!self.overflows(group));
        }
        self.broom = all;
        belong
    }
}

/// Groups of one line more than a cache has ways: a sample is a group's number of lines minus one.
pub fn groups(at: &mut At, stimulus: &Stimulus, wanted: usize) -> Result<Samples, Failure> {
    let number = |name, other| stimulus.number(name).unwrap_or(other);
    let (bytes, stride) = (number("bytes", 0), number("stride", 4096));
    let lines = if stride >= 512 { bytes / stride } else { 0 };
    let taking_part = number("lines", lines).min(lines) as usize;
    if taking_part < 6 {
        return Err(Failure::Broken(format!("`{stimulus}` is not possible")));
    }
    if number("inner_ps", 0) > 0 {
        let why = "no lines are sought here that sweep two caches before the one in question".into();
        return Err(Failure::Impossible(Reason::Operation, why));
    }
    let broom = (number("broom", 32) as usize).min(taking_part / 2);
    let mut random = fastrand::Rng::with_seed(7);
    let mut samples = Samples::default();
    let mut facts: BTreeMap<Fact, f64> = BTreeMap::new();
    for _ in 0..3 * wanted {
        if samples.ns.len() == wanted {
            break;
        }
        let offset = 64 * random.u64(..stride / 64);
        // The broom are neighbours, so that each set of the cache before has its part of them; the others come in any order.
        let first = random.u64(..=lines - broom as u64);
        let swept: Vec<u64> = (first..first + broom as u64).collect();
        let mut others: Vec<u64> = (0..lines).filter(|line| !swept.contains(line)).collect();
        random.shuffle(&mut others);
        others.truncate(taking_part - broom);
        let beside = (offset + stride / 2 + 256) % stride;
        let threshold = number("threshold_ps", 20_000);
        let mut hunt = Hunt { at, stride, offset, beside, broom: swept, threshold };
        if broom > 0 && hunt.overflows(&[]) {
            continue;
        }
        let fresh = others.split_off(others.len() / 3);
        let Some(group) = hunt.smallest(others) else { continue };
        let ways = group.len() - 1 + hunt.in_broom(&group);
        // Others that can take a member's place.
        let mut with = group.clone();
        let mut congruent = 0;
        for line in &fresh {
            with[0] = *line;
            congruent += usize::from(hunt.overflows(&with));
        }
        samples.ns.push(ways as f64);
        *facts.entry(Fact::Fresh(ways as u32)).or_default() += fresh.len() as f64;
        *facts.entry(Fact::Congruent(ways as u32)).or_default() += congruent as f64;
    }
    if samples.ns.is_empty() {
        let why = format!("no set of {taking_part} lines that does not fit was found");
        return Err(Failure::Impossible(Reason::Unseen, why));
    }
    samples.facts = facts;
    Ok(samples)
}
