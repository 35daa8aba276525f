//! Rules by which a full set replaces a line; each is performed on a sequence of visits to count the misses, lap after
//! lap.
//!
//! The family `Recent` ranges from the line that was not used for longest (as many groups as ways) to a tree of bits,
//! each of which points away from the last use (one group). Between them the groups are kept in order of use and each
//! has a tree; caches with 12 or 24 ways are built like this.

/// The random numbers of `runtime/probe/memory_visits.c`: our own generator, because both must make the same sequence.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as usize % n
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The group that was not used for longest, and in it the line to which a tree of bits points.
    Recent { groups: usize },
    /// The line that came first.
    Arrival,
    /// A line that was not used since all others were (a bit for each line).
    Bits,
    /// Any line.
    Any,
}

impl Policy {
    /// The policies that a set with this many ways can have, without duplicates.
    pub fn all(ways: usize) -> Vec<Policy> {
        let trees = (1..=ways).filter(|g| ways.is_multiple_of(*g) && (ways / g).is_power_of_two());
        // Two groups in order of use equal the root of one tree, and with two ways a tree equals the order.
        let like_others = |g: usize| if ways > 2 { g == 2 && ways.is_power_of_two() } else { g == 1 };
        let mut all: Vec<Policy> = trees.filter(|g| !like_others(*g)).map(|groups| Policy::Recent { groups }).collect();
        all.extend([Policy::Arrival, Policy::Any]);
        if ways > 2 {
            all.push(Policy::Bits);
        }
        all
    }

    pub fn in_words(self, ways: usize) -> String {
        match self {
            Policy::Recent { groups } if groups == ways => "the line unused for longest (LRU)".into(),
            Policy::Recent { groups: 1 } => "the line that a tree of bits points to (tree-PLRU)".into(),
            Policy::Recent { groups } => {
                format!(
                    "of {groups} groups the one unused for longest, in it by a tree of bits among {} (tree-PLRU)",
                    ways / groups
                )
            }
            Policy::Arrival => "the line that came first (FIFO)".into(),
            Policy::Bits => "a line unused since all others were used (a bit each)".into(),
            Policy::Any => "any line, by chance".into(),
        }
    }
}

/// The line of an empty way.
const NOBODY: usize = usize::MAX;

/// A set, empty at first, with random bits.
struct Set<'a> {
    policy: Policy,
    lines: Vec<usize>,
    /// Groups in order of use, the youngest first.
    order: Vec<usize>,
    /// The tree of each group, or the bit of each way.
    bits: Vec<Vec<bool>>,
    next: usize,
    chance: &'a mut Chance,
}

impl Set<'_> {
    fn new(policy: Policy, ways: usize, chance: &mut Chance) -> Set<'_> {
        let groups = if let Policy::Recent { groups } = policy { groups } else { 1 };
        let bits = (0..groups).map(|_| (0..ways.max(2)).map(|_| chance.below(2) == 1).collect()).collect();
        Set { policy, lines: vec![NOBODY; ways], order: (0..groups).collect(), bits, next: 0, chance }
    }

    /// Whether the visit misses.
    fn visit(&mut self, line: usize) -> bool {
        let (way, missed) = match self.lines.iter().position(|l| *l == line) {
            Some(way) => (way, false),
            None => (self.lines.iter().position(|l| *l == NOBODY).unwrap_or_else(|| self.victim()), true),
        };
        self.lines[way] = line;
        self.used(way);
        missed
    }

    fn victim(&mut self) -> usize {
        let ways = self.lines.len();
        match self.policy {
            Policy::Recent { groups } => {
                let (group, leaves) = (self.order[groups - 1], ways / groups);
                let (mut node, mut n, mut way) = (1, leaves, 0);
                while n > 1 {
                    n /= 2;
                    let right = self.bits[group][node];
                    way += if right { n } else { 0 };
                    node = 2 * node + usize::from(right);
                }
                group * leaves + way
            }
            Policy::Arrival => {
                let first = self.next;
                self.next = (first + 1) % ways;
                first
            }
            Policy::Bits => self.bits[0][..ways].iter().position(|used| !used).unwrap_or(0),
            Policy::Any => self.chance.below(ways),
        }
    }

    fn used(&mut self, way: usize) {
        let ways = self.lines.len();
        match self.policy {
            Policy::Recent { groups } => {
                let leaves = ways / groups;
                let (group, leaf) = (way / leaves, way % leaves);
                self.order.retain(|g| *g != group);
                self.order.insert(0, group);
                let (mut node, mut n, mut first) = (1, leaves, 0);
                while n > 1 {
                    n /= 2;
                    let right = leaf >= first + n;
                    self.bits[group][node] = !right;
                    first += if right { n } else { 0 };
                    node = 2 * node + usize::from(right);
                }
            }
            Policy::Bits => {
                self.bits[0][way] = true;
                if self.bits[0][..ways].iter().all(|used| *used) {
                    self.bits[0].fill(false);
                    self.bits[0][way] = true;
                }
            }
            Policy::Arrival | Policy::Any => {}
        }
    }
}

/// The order of visits of a lap, as `runtime/probe/memory_visits.c` makes it.
pub fn visits(lines: usize, times: usize, seed: u64) -> Vec<usize> {
    let mut visit: Vec<usize> = (0..lines * times).map(|i| i / times).collect();
    let mut chance = Chance(seed);
    for i in (2..=visit.len()).rev() {
        visit.swap(i - 1, chance.below(i));
    }
    visit
}

/// The share of visits that miss after several laps, over several starts.
pub fn missed(policy: Policy, ways: usize, visits: &[usize]) -> f64 {
    const BEFORE: usize = 12;
    let (beginnings, counted) = if policy == Policy::Any { (3, 40) } else { (4, 6) };
    let mut chance = Chance(1);
    let mut misses = 0;
    for _ in 0..beginnings {
        let mut set = Set::new(policy, ways, &mut chance);
        for lap in 0..BEFORE + counted {
            let now = visits.iter().filter(|line| set.visit(**line)).count();
            misses += if lap >= BEFORE { now } else { 0 };
        }
    }
    misses as f64 / (beginnings * counted * visits.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_fit_are_never_missed_and_laps_of_one_more_always_where_the_oldest_goes() {
        for policy in Policy::all(8) {
            assert_eq!(missed(policy, 8, &visits(8, 4, 3)), 0.0, "{policy:?}");
        }
        let round: Vec<usize> = (0..9).collect();
        assert_eq!(missed(Policy::Recent { groups: 8 }, 8, &round), 1.0);
        assert_eq!(missed(Policy::Arrival, 8, &round), 1.0);
        assert!(missed(Policy::Any, 8, &round) < 0.8);
    }

    #[test]
    fn every_line_is_visited_as_often() {
        let lap = visits(14, 4, 7);
        assert!((0..14).all(|line| lap.iter().filter(|l| **l == line).count() == 4));
        assert_ne!(lap, visits(14, 4, 8));
    }
}
