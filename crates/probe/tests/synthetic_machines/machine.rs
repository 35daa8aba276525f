//! A machine whose truth is known: caches and a translation, simulated access by access, behind the seam through which the
//! area "memory" measures. It performs the kernels `chase` as `runtime/probe/memory.c` does, and `conflicts`. Its clock is as bad as
//! a real one: every sample deviates, some are interrupted, and now and then a disturbance covers all samples of a request.

use fathom_probe::{Failure, Kernel, Runner, Samples, Stimulus};
use fathom_profile::Reason;
use std::collections::HashMap;
use std::time::Duration;

/// xorshift64*.
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

    /// About normal, of standard deviation 1.
    pub fn deviation(&mut self) -> f64 {
        (0..12).map(|_| self.between(-0.5, 0.5)).sum()
    }
}

/// A set-associative store of units (lines, or pages), the youngest first in each set.
#[derive(Clone, Debug)]
pub struct Store {
    pub sets: u64,
    pub ways: usize,
    /// Any unit of the set is replaced, not the oldest.
    pub by_chance: bool,
    units: Vec<u64>,
}

const EMPTY: u64 = u64::MAX;

impl Store {
    pub fn new(sets: u64, ways: usize, by_chance: bool) -> Self {
        Store { sets, ways, by_chance, units: vec![EMPTY; sets as usize * ways] }
    }

    /// Is the unit there? It is now.
    fn load(&mut self, unit: u64, chance: &mut Chance) -> bool {
        let first = (unit % self.sets) as usize * self.ways;
        let set = &mut self.units[first..first + self.ways];
        let at = set.iter().position(|u| *u == unit);
        let last = match at {
            Some(0) => return true,
            Some(at) => at,
            None => match set.iter().position(|u| *u == EMPTY) {
                Some(free) => free,
                None if self.by_chance => chance.below(self.ways as u64) as usize,
                None => self.ways - 1,
            },
        };
        set.copy_within(..last, 1);
        set[0] = unit;
        at.is_some()
    }
}

#[derive(Clone, Debug)]
pub struct Cache {
    pub store: Store,
    pub hit_ns: f64,
    /// Pages lie in it as the system happened to place them.
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
    frames: Vec<u64>,
    chance: Chance,
    known: HashMap<Stimulus, f64>,
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
            let by_chance = level > 0 && chance.below(3) == 0;
            let physical = level > 0 && chance.below(2) == 0;
            caches.push(Cache { store: Store::new(sets, ways as usize, by_chance), hit_ns, physical });
            bytes = size * chance.between(2.0, 4.0).exp2();
            hit_ns *= chance.between(2.5, 5.0);
        }
        let last = caches.last().map_or(65536.0, |c| c.bytes(line));
        let most_bytes = ((last * 6.0).log2().ceil().exp2() as u64).max(32 * page);
        let mut frames: Vec<u64> = (0..4 * (1 << 24) / page).collect();
        chance.shuffle(&mut frames);
        // A translation for at least four lines of the first cache is what is built.
        let most = caches[0].store.sets * caches[0].store.ways as u64 / 4;
        let entries = chance.one_of(&[16, 32, 48, 64, 96, 128]).min(most.max(16));
        let sets = chance.one_of(&[1, 1, if entries.is_multiple_of(64) { 16 } else { 4 }]);
        let translation = Store::new(sets, (entries / sets) as usize, false);
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
            frames,
            chance,
            known: HashMap::new(),
        }
    }

    /// The mean of a walk's loads, undisturbed.
    fn mean_ns(&mut self, walk: &[u64]) -> f64 {
        self.caches.iter_mut().for_each(|c| c.store.units.fill(EMPTY));
        self.translation.units.fill(EMPTY);
        // Where chance replaces, the state of one lap is not yet that of all.
        let (warm, counted) = if self.caches.iter().any(|c| c.store.by_chance) { (3, 2) } else { (2, 1) };
        let mut sum = 0.0;
        for lap in 0..warm + counted {
            let mut ns = 0.0;
            for &address in walk {
                ns += self.load_ns(address);
            }
            if lap >= warm {
                sum += ns;
            }
        }
        sum / (counted * walk.len()) as f64
    }

    pub fn load_ns(&mut self, address: u64) -> f64 {
        let page = address / self.page;
        let mut ns = if self.translation.load(page, &mut self.chance) { 0.0 } else { self.translation_ns };
        let physical = self.frames[page as usize % self.frames.len()] * self.page + address % self.page;
        for cache in &mut self.caches {
            let at = if cache.physical { physical } else { address };
            if cache.store.load(at / self.line, &mut self.chance) {
                return ns + cache.hit_ns;
            }
        }
        ns += self.memory_ns;
        ns
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
    pub fn bytes(&self, line: u64) -> f64 {
        (self.store.sets * self.store.ways as u64 * line) as f64
    }
}

impl Runner for Machine {
    fn threads(&self) -> usize {
        1
    }

    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, limit: Duration) -> Result<Samples, Failure> {
        if stimulus.kernel() == Kernel::Conflicts {
            return super::conflicts::run(self, stimulus, repetitions, limit.as_secs_f64() * 1e9);
        }
        if stimulus.kernel() != Kernel::Chase || stimulus.chosen("pages") == Some("huge") {
            return Err(Failure::Impossible(Reason::Operation, format!("this machine knows no `{stimulus}`")));
        }
        let mean = match self.known.get(stimulus) {
            Some(mean) => *mean,
            None => {
                let mean = self.mean_ns(&Self::walk(stimulus));
                self.known.insert(stimulus.clone(), mean);
                mean
            }
        };
        let burst = if self.chance.below(50) == 0 { self.chance.between(1.0, 2.0) } else { 1.0 };
        let (noise, interrupted) = (self.noise, self.interrupted);
        let sample = |chance: &mut Chance| {
            let late = if chance.between(0.0, 1.0) < interrupted { chance.between(1.0, 4.0) } else { 1.0 };
            mean * burst * late * (1.0 + noise * chance.deviation())
        };
        let ns = (0..repetitions).map(|_| sample(&mut self.chance)).collect();
        Ok(Samples { ns, ..Samples::default() })
    }
}
