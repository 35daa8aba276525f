//! A machine whose properties are known: caches and a translation, simulated access by access, behind the interface
//! through which the area "memory" measures. It performs the kernels `chase`, as `runtime/probe/memory.c` does, and
//! `conflicts`. Its clock is as inaccurate as a real one: every sample deviates, some are interrupted, and sometimes a
//! disturbance covers all samples of a request.

use fathom_probe::{Clock, Failure, Kernel, Runner, Samples, Stimulus};
use fathom_profile::Reason;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// xorshift64*, our own version: docs/probing.md states rates of right answers over these machines, so a seed must make
/// the same machine under every version of a crate.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Chance(0x9E37_79B9_7F4A_7C15 ^ (seed + 1).wrapping_mul(0xD134_2543_DE82_EF95))
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((u128::from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)) * u128::from(n)) >> 64) as u64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    pub fn shuffle(&mut self, values: &mut [u64]) {
        for i in (1..values.len()).rev() {
            values.swap(i, self.below(i as u64 + 1) as usize);
        }
    }

    /// Approximately normal, with standard deviation 1.
    pub fn deviation(&mut self) -> f64 {
        (0..12).map(|_| self.between(-0.5, 0.5)).sum()
    }
}

/// The rule by which a unit of a full set is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The oldest.
    Age,
    /// The unit that a tree of bits points at (tree-PLRU).
    Tree,
    /// Any.
    Chance,
}

/// A set-associative store of units (lines, or pages). With replacement by age, the youngest comes first in each set.
#[derive(Clone, Debug)]
pub struct Store {
    pub sets: u64,
    pub ways: usize,
    /// Ways of each set that another user always holds.
    pub held: usize,
    pub rule: Rule,
    units: Vec<u64>,
    /// For each set, the bits of its tree: node 1 is the root, 2n and 2n + 1 are below n.
    trees: Vec<u32>,
}

const EMPTY: u64 = u64::MAX;

impl Store {
    pub fn new(sets: u64, ways: usize, rule: Rule) -> Self {
        let trees = if rule == Rule::Tree { vec![0; sets as usize] } else { vec![] };
        Store { sets, ways, held: 0, rule, units: vec![EMPTY; sets as usize * ways], trees }
    }

    /// Ways of each set that are ours.
    pub fn own_ways(&self) -> usize {
        self.ways - self.held
    }

    fn clear(&mut self) {
        self.units.fill(EMPTY);
        self.trees.fill(0);
    }

    /// Loads the unit; returns whether it was present before.
    fn load(&mut self, unit: u64, chance: &mut Chance) -> bool {
        if self.rule == Rule::Tree {
            return self.load_by_tree(unit);
        }
        let (first, own) = ((unit % self.sets) as usize * self.ways, self.own_ways());
        let set = &mut self.units[first..first + own];
        let at = set.iter().position(|u| *u == unit);
        let last = match at {
            Some(0) => return true,
            Some(at) => at,
            None => match set.iter().position(|u| *u == EMPTY) {
                Some(free) => free,
                None if self.rule == Rule::Chance => chance.below(own as u64) as usize,
                None => own - 1,
            },
        };
        set.copy_within(..last, 1);
        set[0] = unit;
        at.is_some()
    }

    fn load_by_tree(&mut self, unit: u64) -> bool {
        let index = (unit % self.sets) as usize;
        let (first, own) = (index * self.ways, self.own_ways());
        let leaves = own.next_power_of_two();
        let (set, tree) = (&mut self.units[first..first + own], &mut self.trees[index]);
        let there = set.iter().position(|u| *u == unit);
        let at = there.or_else(|| set.iter().position(|u| *u == EMPTY)).unwrap_or_else(|| {
            let (mut node, mut from, mut size) = (1, 0, leaves);
            while size > 1 {
                size /= 2;
                let right = *tree >> node & 1 == 1 && from + size < own;
                node = 2 * node + usize::from(right);
                from += if right { size } else { 0 };
            }
            from
        });
        set[at] = unit;
        // Each node on the path points to its other side.
        let (mut node, mut from, mut size) = (1, 0, leaves);
        while size > 1 {
            size /= 2;
            let right = at >= from + size;
            *tree = if right { *tree & !(1 << node) } else { *tree | 1 << node };
            node = 2 * node + usize::from(right);
            from += if right { size } else { 0 };
        }
        there.is_some()
    }
}

#[derive(Clone, Debug)]
pub struct Cache {
    pub store: Store,
    pub hit_ns: f64,
    /// Whether physical addresses index it, which depend on where the system placed the pages.
    pub physical: bool,
}

pub struct Machine {
    pub line: u64,
    pub caches: Vec<Cache>,
    pub memory_ns: f64,
    pub page: u64,
    pub translation: Store,
    pub translation_ns: f64,
    /// The standard deviation of a sample, and the share of samples that are interrupted.
    pub noise: f64,
    pub interrupted: f64,
    pub most_bytes: u64,
    pub seed: u64,
    pub disturbance: Disturbance,
    frames: Vec<u64>,
    chance: Chance,
    known: HashMap<(Stimulus, bool), Mean>,
    /// The number of loads that each level served, memory last.
    served: [u64; 4],
    /// Whether the neighbour is active; and the number of our loads.
    is_beside: bool,
    loads: u64,
    /// The factor on a cycle's time until the frequency changes again, and the number of further requests.
    step: (f64, u64),
    /// The factor on all times during a disturbance, and the number of further requests.
    burst: (f64, u64),
    /// A slow drift of all times.
    drift: f64,
    /// The machine's own time, which is independent of the speed of the test.
    began: Instant,
    pub spent: Duration,
}

/// The time of a sample.
const SAMPLE: Duration = Duration::from_micros(500);

/// The mean time of a load: the part of the caches, and the part of memory.
#[derive(Clone, Copy)]
struct Mean {
    caches_ns: f64,
    memory_ns: f64,
}

/// A disturbance during the whole of a probe, as from other users of the same computer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Disturbance {
    /// Single samples that are interrupted, and one request in fifty that is disturbed as a whole.
    Usual,
    /// Another user holds some ways of every set of a level, all the time.
    Ways,
    /// The system has only pages of some colours for us: of physically indexed caches we have some sets.
    Colours,
    /// A neighbour loads lines of all sets of the cache of this level: one for every `every` of our loads, during the
    /// share `often` of all requests.
    Neighbour { level: usize, every: u64, often: f64 },
    /// The host takes the processor away: a quarter of the samples, every eighth request as a whole, and bursts of
    /// requests.
    Steal,
    /// The frequency steps between three values, for ten to a hundred requests each; `is_told`: the runner reports the
    /// cycle time.
    Steps { is_told: bool },
    /// Samples deviate by 3 to 6 %, and all of them drift by as much.
    Noise,
}

impl Disturbance {
    pub fn name(self) -> &'static str {
        match self {
            Disturbance::Usual => "undisturbed",
            Disturbance::Ways => "ways held",
            Disturbance::Colours => "sets held",
            Disturbance::Neighbour { often, .. } if often >= 1.0 => "neighbour, always",
            Disturbance::Neighbour { .. } => "neighbour, now and then",
            Disturbance::Steal => "steal",
            Disturbance::Steps { is_told: true } => "frequency, told",
            Disturbance::Steps { .. } => "frequency, not told",
            Disturbance::Noise => "noise",
        }
    }
}

impl Machine {
    pub fn random(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let (line, page) = (chance.one_of(&[32, 64, 64, 128]), chance.one_of(&[4096, 4096, 8192, 16384]));
        let mut hit_ns = chance.between(1.0, 1.6);
        let wanted = 1 + chance.below(3);
        let mut bytes = chance.between(12.0, 16.0).exp2(); // 4 to 64 KiB
        let mut caches: Vec<Cache> = vec![];
        for level in 0..wanted {
            let ways = if level == 0 {
                chance.one_of(&[1, 2, 4, 8, 8, 12, 16])
            } else {
                chance.one_of(&[4, 8, 10, 12, 16, 20])
            };
            let sets = (bytes / (line * ways) as f64).log2().round().max(2.0).exp2() as u64;
            let size = (sets * ways * line) as f64;
            if caches.last().is_some_and(|c| size < 3.5 * c.bytes(line)) || size > 1.5 * f64::from(1 << 20) {
                break;
            }
            let rule = if level > 0 && chance.below(3) == 0 { Rule::Chance } else { Rule::Age };
            let physical = level > 0 && chance.below(2) == 0;
            caches.push(Cache { store: Store::new(sets, ways as usize, rule), hit_ns, physical });
            bytes = size * chance.between(2.0, 4.0).exp2();
            hit_ns *= chance.between(2.5, 5.0);
        }
        let last = caches.last().map_or(65536.0, |c| c.bytes(line));
        let most_bytes = ((last * 6.0).log2().ceil().exp2() as u64).max(32 * page);
        let mut frames: Vec<u64> = (0..4 * (1 << 24) / page).collect();
        chance.shuffle(&mut frames);
        // A real translation covers at least four lines of the first cache.
        let most = caches[0].store.sets * caches[0].store.ways as u64 / 4;
        let entries = chance.one_of(&[16, 32, 48, 64, 96, 128]).min(most.max(16));
        let sets = chance.one_of(&[1, 1, if entries.is_multiple_of(64) { 16 } else { 4 }]);
        let translation = Store::new(sets, (entries / sets) as usize, Rule::Age);
        let sound = (chance.between(0.002, 0.02), chance.between(0.0, 0.1));
        let translation_ns = chance.between(3.0, 12.0);
        Machine {
            line,
            caches,
            memory_ns: hit_ns * 1.5,
            page,
            translation,
            translation_ns,
            noise: sound.0,
            interrupted: sound.1,
            most_bytes,
            seed,
            disturbance: Disturbance::Usual,
            frames,
            chance,
            known: HashMap::new(),
            served: [0; 4],
            is_beside: false,
            loads: 0,
            step: (1.0, 0),
            burst: (1.0, 0),
            drift: 1.0,
            began: Instant::now(),
            spent: Duration::ZERO,
        }
    }

    /// A machine of the family that confidence is calibrated on: one to three realistic caches of 16 KiB to
    /// `most_bytes`, with 4 to 20 ways, indexed by physical or by virtual addresses.
    pub fn of_family(seed: u64, most_bytes: u64, disturbance: Disturbance) -> Self {
        let mut chance = Chance::new(seed ^ 0xFA_417E);
        let mut machine = Machine::random(seed);
        let line = chance.one_of(&[64, 64, 64, 128]);
        let page = chance.one_of(&[4096, 4096, 4096, 16384]);
        let wanted = 1 + chance.below(3);
        let (mut bytes, mut hit_ns) = (chance.between(14.0, 16.6).exp2(), chance.between(0.9, 1.8));
        let mut caches: Vec<Cache> = vec![];
        for level in 0..wanted {
            let ways = match level {
                0 => chance.one_of(&[4, 5, 6, 8, 8, 8, 10, 12, 12, 16]),
                _ => chance.one_of(&[4, 8, 8, 10, 11, 12, 16, 16, 20]),
            };
            let sets = (bytes / (line * ways) as f64).log2().round().exp2() as u64;
            let size = (sets * ways * line) as f64;
            if level > 0 && (size < 3.5 * caches[level as usize - 1].bytes(line) || size > most_bytes as f64) {
                break;
            }
            let rule = match level {
                0 => chance.one_of(&[Rule::Age, Rule::Age, Rule::Tree]),
                _ => chance.one_of(&[Rule::Age, Rule::Age, Rule::Tree, Rule::Chance]),
            };
            // A first level is indexed within the page, or by virtual addresses: programs cannot distinguish these.
            let physical = level > 0 && chance.below(3) > 0;
            caches.push(Cache { store: Store::new(sets, ways as usize, rule), hit_ns, physical });
            bytes = size * chance.between(2.0, 5.0).exp2();
            hit_ns *= chance.between(2.5, 5.0);
        }
        let last = caches.last().map_or(65536.0, |c| c.bytes(line));
        machine.most_bytes = ((last * 6.0).log2().ceil().exp2() as u64).max(64 * page);
        let entries = chance.one_of(&[32, 48, 64, 64, 96]).min(caches[0].lines() / 4).max(16);
        let sets = chance.one_of(&[1, if entries.is_multiple_of(16) { 16 } else { 4 }]);
        machine.translation = Store::new(sets, (entries / sets) as usize, Rule::Age);
        machine.translation_ns = chance.between(3.0, 12.0);
        machine.memory_ns = hit_ns.max(20.0) * 1.5;
        // Enough frames for the searches too, which use several times the largest array.
        let mut frames: Vec<u64> = (0..(16 * machine.most_bytes / page).max(1 << 12)).collect();
        (machine.line, machine.page, machine.caches) = (line, page, caches);
        machine.disturbance = disturbance;
        match disturbance {
            Disturbance::Ways => {
                let level = chance.below(machine.caches.len() as u64) as usize;
                let store = &mut machine.caches[level].store;
                store.held = 1 + chance.below(store.ways as u64 / 2) as usize;
            }
            Disturbance::Colours => {
                let (colours, ours) = chance.one_of(&[(2, 1), (4, 1), (4, 2), (4, 3)]);
                frames.retain(|f| f % colours < ours);
            }
            Disturbance::Noise => machine.noise = chance.between(0.03, 0.06),
            _ => {}
        }
        chance.shuffle(&mut frames);
        machine.frames = frames;
        machine.chance = chance;
        machine.begin();
        machine
    }

    fn clear(&mut self) {
        self.caches.iter_mut().for_each(|c| c.store.clear());
        self.translation.clear();
    }

    /// The mean time of a walk's loads, without deviations of the clock.
    fn mean(&mut self, walk: &[u64]) -> Mean {
        self.clear();
        // With random replacement, or with an active neighbour, one lap does not represent all.
        let is_steady = !self.is_beside && self.caches.iter().all(|c| c.store.rule == Rule::Age);
        let (warm, counted) = if is_steady { (2, 1) } else { (3, 2) };
        let (mut sum, mut memory) = (0.0, 0);
        for lap in 0..warm + counted {
            let (mut ns, before) = (0.0, self.served[3]);
            for &address in walk {
                ns += self.load_ns(address);
            }
            if lap >= warm {
                sum += ns;
                memory += self.served[3] - before;
            }
        }
        let loads = (counted * walk.len()) as f64;
        let memory_ns = memory as f64 * self.memory_ns / loads;
        Mean { caches_ns: sum / loads - memory_ns, memory_ns }
    }

    pub fn load_ns(&mut self, address: u64) -> f64 {
        if self.is_beside {
            self.beside();
        }
        let page = address / self.page;
        let ns = if self.translation.load(page, &mut self.chance) { 0.0 } else { self.translation_ns };
        let physical = self.frames[page as usize % self.frames.len()] * self.page + address % self.page;
        for (level, cache) in self.caches.iter_mut().enumerate() {
            let at = if cache.physical { physical } else { address };
            if cache.store.load(at / self.line, &mut self.chance) {
                self.served[level] += 1;
                return ns + cache.hit_ns;
            }
        }
        self.served[3] += 1;
        ns + self.memory_ns
    }

    /// The neighbour's loads between ours.
    fn beside(&mut self) {
        let Disturbance::Neighbour { level, every, .. } = self.disturbance else { return };
        self.loads += 1;
        let level = level.min(self.caches.len() - 1);
        if self.loads.is_multiple_of(every) {
            // The neighbour's own lines, over all sets.
            self.caches[level].store.load((1 << 40) + self.chance.below(1 << 30), &mut self.chance);
        }
    }

    /// Sets the machine's state for the next request.
    fn next_request(&mut self) {
        match self.disturbance {
            Disturbance::Neighbour { often, .. } if often < 1.0 => {
                self.is_beside = self.chance.between(0.0, 1.0) < often;
            }
            Disturbance::Steps { .. } if self.step.1 == 0 => {
                self.step = (self.chance.one_of(&[1.0, 1.08, 1.2]), 10 + self.chance.below(90));
            }
            Disturbance::Noise => self.drift = (self.drift + 0.005 * self.chance.deviation()).clamp(0.96, 1.06),
            _ => {}
        }
        self.step.1 = self.step.1.saturating_sub(1);
        let is_stolen = self.disturbance == Disturbance::Steal;
        self.burst.1 = self.burst.1.saturating_sub(1);
        if self.burst.1 == 0 {
            self.burst = (1.0, 0);
            if self.chance.below(if is_stolen { 8 } else { 50 }) == 0 {
                let long = if is_stolen && self.chance.below(6) == 0 { 3 + self.chance.below(12) } else { 1 };
                self.burst = (self.chance.between(1.0, 2.0), long);
            }
        }
    }

    /// The true mean time, for judging.
    pub fn mean_of(&mut self, stimulus: &Stimulus, is_beside: bool) -> f64 {
        self.is_beside = is_beside;
        let mean = self.mean(&Self::walk(stimulus));
        mean.caches_ns + mean.memory_ns
    }

    /// Restores the state before a probe.
    pub fn begin(&mut self) {
        self.is_beside = matches!(self.disturbance, Disturbance::Neighbour { often, .. } if often >= 1.0);
    }

    /// The greatest number of lines of one set with at least 95 % hits.
    pub fn ways_of(&mut self, level: usize, is_beside: bool) -> usize {
        self.is_beside = is_beside;
        let own = self.caches[level].store.own_ways();
        let hits = |machine: &mut Machine, n: usize| {
            machine.caches[level].store.clear();
            let sets = machine.caches[level].store.sets;
            let mut hits = 0;
            for i in 0..200 * n {
                if machine.is_beside {
                    machine.beside();
                }
                let store = &mut machine.caches[level].store;
                hits += usize::from(store.load((i % n) as u64 * sets, &mut machine.chance));
            }
            hits as f64 / (200 * n) as f64
        };
        (1..=own).rev().find(|&n| hits(self, n) >= 0.95).unwrap_or(1)
    }

    /// The share of a walk's loads that the levels up to this one serve.
    pub fn hits_of(&mut self, stimulus: &Stimulus, level: usize, is_beside: bool) -> f64 {
        self.is_beside = is_beside;
        let walk = Self::walk(stimulus);
        self.clear();
        for lap in 0..5 {
            if lap == 3 {
                self.served = [0; 4];
            }
            walk.iter().for_each(|&address| _ = self.load_ns(address));
        }
        let inside: u64 = self.served[..=level].iter().sum();
        inside as f64 / self.served.iter().sum::<u64>() as f64
    }

    /// The addresses that a chase visits.
    fn walk(stimulus: &Stimulus) -> Vec<u64> {
        let number = |name, other| stimulus.number(name).unwrap_or(other);
        let (bytes, stride, jitter) = (number("bytes", 0), number("stride", 64), number("jitter", 0));
        let (pair, within) = (number("pair", 0), number("within", 4096));
        let mut n = bytes / stride;
        let bit = if pair >= stride { pair / stride } else { 0 };
        n -= if bit > 0 { n % (2 * bit) } else { 0 };
        let mut order = Chance::new(7); // the same in every run
        let mut places: Vec<u64> = (0..n).collect();
        match stimulus.chosen("order") {
            Some("local") => {
                let piece = (within / stride).max(1);
                let mut pieces: Vec<u64> = (0..n.div_ceil(piece)).collect();
                order.shuffle(&mut pieces);
                places.clear();
                for p in pieces {
                    let first = places.len();
                    places.extend(p * piece..((p + 1) * piece).min(n));
                    order.shuffle(&mut places[first..]);
                }
            }
            _ => order.shuffle(&mut places),
        }
        let mut walk = Vec::with_capacity(places.len() * 2);
        for place in places.into_iter().filter(|p| p & bit == 0) {
            let moved = if jitter > 0 && stride > jitter { jitter * order.below(stride / jitter) } else { 0 };
            let address = number("skip", 0) + place * stride + moved;
            walk.extend((pair > 0).then_some(address + pair));
            walk.push(address);
        }
        walk
    }
}

impl Cache {
    pub fn lines(&self) -> u64 {
        self.store.sets * self.store.ways as u64
    }

    pub fn bytes(&self, line: u64) -> f64 {
        (self.store.sets * self.store.ways as u64 * line) as f64
    }
}

impl Runner for Machine {
    fn threads(&self) -> usize {
        1
    }

    fn clock(&self) -> Clock {
        Clock::Uneven(self.began + self.spent)
    }

    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, limit: Duration) -> Result<Samples, Failure> {
        self.next_request();
        if stimulus.kernel() == Kernel::Conflicts {
            return super::conflicts::run(self, stimulus, repetitions, limit.as_secs_f64() * 1e9);
        }
        if stimulus.kernel() != Kernel::Chase || stimulus.chosen("pages") == Some("huge") {
            return Err(Failure::Impossible(Reason::Operation, format!("this machine knows no `{stimulus}`")));
        }
        self.spent += SAMPLE * repetitions as u32;
        let key = (stimulus.clone(), self.is_beside);
        let mean = match self.known.get(&key) {
            Some(mean) => *mean,
            None => {
                let mean = self.mean(&Self::walk(stimulus));
                self.known.insert(key, mean);
                mean
            }
        };
        let mean = (mean.caches_ns * self.step.0 + mean.memory_ns) * self.burst.0 * self.drift;
        let is_stolen = self.disturbance == Disturbance::Steal;
        let (noise, interrupted) = (self.noise, if is_stolen { 0.25 } else { self.interrupted });
        let sample = |chance: &mut Chance| {
            let late = if chance.between(0.0, 1.0) < interrupted { chance.between(1.0, 4.0) } else { 1.0 };
            mean * late * (1.0 + noise * chance.deviation())
        };
        let ns = (0..repetitions).map(|_| sample(&mut self.chance)).collect();
        let is_told = self.disturbance == Disturbance::Steps { is_told: true };
        let cycles_ns = if is_told { vec![CYCLE_NS * self.step.0; repetitions] } else { vec![] };
        Ok(Samples { ns, cycles_ns, ..Samples::default() })
    }
}

/// A cycle at the highest frequency.
pub const CYCLE_NS: f64 = 0.3;
