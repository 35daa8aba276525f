//! What the engine keeps in order: the threads by their next events, and the transfers that a thread has begun.

use fathom_machine::{prefetch_behind, Due, Time};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// When each thread has its next event; the earliest is at hand, of threads at one time the one with the least number.
///
/// A tournament: each place of the tree has the better of the two below it, the leaves are the threads. A change plays the
/// matches above one leaf.
///
/// A thread that [has its turn](Self::begin) has no next event at first, and gets one in most turns. So the matches above it
/// are played once, at the end of its turn or before.
pub struct Turns {
    /// Node n has the children 2 n and 2 n + 1; the root is 1.
    best: Vec<(Time, u32)>,
    leaves: usize,
    /// The thread that has its turn, if the matches above it have yet to be played.
    has_turn: Option<u32>,
}

const NEVER: Time = Time::MAX;

impl Turns {
    pub fn new(threads: usize) -> Turns {
        let leaves = threads.next_power_of_two();
        let mut best = vec![(NEVER, 0); 2 * leaves];
        for i in 0..leaves {
            best[leaves + i].1 = i as u32;
        }
        for i in (1..leaves).rev() {
            best[i] = best[2 * i];
        }
        Turns { best, leaves, has_turn: None }
    }

    /// The thread of the earliest event has its turn: its event is over. Returns whose event comes next, if that of no thread
    /// changes. Until the [end](Self::end) of the turn, [`first`](Self::first) and
    /// [`in_order`](Self::in_order) have no meaning.
    pub fn begin(&mut self, thread: u32) -> Option<u32> {
        let mut i = self.leaves + thread as usize;
        self.best[i].0 = NEVER;
        self.has_turn = Some(thread);
        let mut next = (NEVER, 0);
        while i > 1 {
            next = next.min(self.best[i ^ 1]);
            i /= 2;
        }
        (next.0 < NEVER).then_some(next.1)
    }

    /// When the earliest event of the threads beside this one is, in its turn.
    pub fn next_beside(&self, thread: u32) -> Time {
        let mut i = self.leaves + thread as usize;
        let mut next = NEVER;
        while i > 1 {
            next = next.min(self.best[i ^ 1].0);
            i /= 2;
        }
        next
    }

    /// The turn is over, or all events must be known.
    pub fn end(&mut self) {
        if let Some(thread) = self.has_turn {
            self.clear(thread);
        }
    }

    /// The next event of a thread is at this time, and no longer at another one.
    pub fn set(&mut self, thread: u32, at: Time) {
        if self.has_turn == Some(thread) {
            self.has_turn = None;
        }
        let mut i = self.leaves + thread as usize;
        self.best[i].0 = at;
        while i > 1 {
            // The left one has the lesser numbers.
            let (left, right) = (self.best[i & !1], self.best[i | 1]);
            let better = if right.0 < left.0 { right } else { left };
            i /= 2;
            if self.best[i] == better {
                return;
            }
            self.best[i] = better;
        }
    }

    /// A thread has no next event.
    pub fn clear(&mut self, thread: u32) {
        self.set(thread, NEVER);
    }

    /// The earliest event, and whose it is.
    pub fn first(&self) -> Option<(Time, u32)> {
        let first = self.best[1];
        (first.0 < NEVER).then_some(first)
    }

    /// All next events, the earliest first. Each takes time for the height of the tree.
    pub fn in_order(&self) -> impl Iterator<Item = (Time, u32)> + '_ {
        // Trees whose winners are known, of which none is in another one.
        let mut trees = BinaryHeap::from([Reverse((self.best[1], 1))]);
        std::iter::from_fn(move || {
            let Reverse((best, mut node)) = trees.pop().filter(|Reverse((best, _))| best.0 < NEVER)?;
            while node < self.leaves {
                let (left, right) = (2 * node, 2 * node + 1);
                let (winner, other) = if self.best[left] == best { (left, right) } else { (right, left) };
                if self.best[other].0 < NEVER {
                    trees.push(Reverse((self.best[other], other)));
                }
                node = winner;
            }
            Some(best)
        })
    }
}

/// What the end of a transfer that was begun depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outstanding {
    pub is_put: bool,
    pub bytes: u64,
    /// When it is complete.
    pub complete: Due,
}

/// Transfers that were begun, by their numbers. Numbers grow, and what was begun first, or last, is waited for first, as a
/// rule: `upc_synci` begins with the last.
///
/// Thousands of threads may have thousands of them each, so an entry is half of a line of the processor's caches.
#[derive(Default)]
pub struct Begun {
    /// In the order of their numbers.
    list: VecDeque<Entry>,
}

struct Entry {
    id: u64,
    complete: Due,
    /// Twice its bytes, and 1 of a put.
    what: u64,
}

/// The `what` of one that has been waited for.
const GONE: u64 = u64::MAX;

impl Entry {
    fn outstanding(&self) -> Option<Outstanding> {
        let Entry { complete, what, .. } = *self;
        (what != GONE).then_some(Outstanding { is_put: what & 1 != 0, bytes: what >> 1, complete })
    }
}

impl Begun {
    fn place(&self, id: u64) -> Result<usize, usize> {
        match (self.list.front(), self.list.back()) {
            (Some(front), _) if front.id == id => Ok(0),
            (_, Some(back)) if back.id == id => Ok(self.list.len() - 1),
            _ => self.list.binary_search_by_key(&id, |entry| entry.id),
        }
    }

    /// A transfer, or a further piece of it.
    pub fn insert(&mut self, id: u64, is_put: bool, bytes: u64, complete: Due) {
        let entry = Entry { id, complete, what: bytes.min(GONE >> 2) << 1 | u64::from(is_put) };
        if self.list.back().is_none_or(|back| back.id < id) {
            return self.list.push_back(entry);
        }
        match self.place(id) {
            Ok(i) => self.list[i] = entry,
            Err(i) => self.list.insert(i, entry),
        }
    }

    /// One will be inserted: the processor begins to read the place.
    pub fn expect(&self) {
        if let Some(back) = self.list.back() {
            // Mostly the place behind it, which is in the same line or the next one.
            prefetch_behind(back);
        }
    }

    pub fn get(&self, id: u64) -> Option<Outstanding> {
        self.place(id).ok().and_then(|i| self.list[i].outstanding())
    }

    pub fn remove(&mut self, id: u64) -> Option<Outstanding> {
        let i = self.place(id).ok()?;
        let was = self.list[i].outstanding();
        self.list[i].what = GONE;
        while self.list.front().is_some_and(|front| front.what == GONE) {
            self.list.pop_front();
        }
        while self.list.back().is_some_and(|back| back.what == GONE) {
            self.list.pop_back();
        }
        was
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn the_first_turn_is_the_least_time_of_the_least_thread(
            threads in 1..40usize,
            changes in prop::collection::vec(
                (any::<prop::sample::Index>(), prop::option::of(0..20u64), any::<bool>()),
                0..200,
            ),
        ) {
            let mut turns = Turns::new(threads);
            let mut truth: Vec<Option<Time>> = vec![None; threads];
            for (which, at, begins) in changes {
                let t = which.index(threads);
                let earliest = (0..threads).filter_map(|t| truth[t].map(|at| (at, t as u32))).min();
                let has_turn = earliest.filter(|_| begins).map(|(_, thread)| thread);
                if let Some(thread) = has_turn {
                    truth[thread as usize] = None;
                    let least = (0..threads).filter_map(|t| truth[t].map(|at| (at, t as u32))).min();
                    prop_assert_eq!(turns.begin(thread), least.map(|(_, thread)| thread));
                }
                truth[t] = at;
                match at {
                    Some(at) => turns.set(t as u32, at),
                    None => turns.clear(t as u32),
                }
                turns.end();
                let least = (0..threads).filter_map(|t| truth[t].map(|at| (at, t as u32))).min();
                prop_assert_eq!(turns.first(), least);
                let mut all: Vec<(Time, u32)> =
                    (0..threads).filter_map(|t| truth[t].map(|at| (at, t as u32))).collect();
                all.sort_unstable();
                prop_assert_eq!(turns.in_order().collect::<Vec<_>>(), all);
            }
        }

        #[test]
        fn what_was_begun_is_found_by_its_number(
            steps in prop::collection::vec((0..30u64, any::<bool>()), 0..200),
        ) {
            let mut begun = Begun::default();
            let mut truth = BTreeMap::new();
            for (complete, (id, is_begun)) in (0..).map(Due::on_time).zip(steps) {
                if is_begun {
                    let (is_put, bytes) = (id % 2 == 1, 3 * id);
                    begun.insert(id, is_put, bytes, complete);
                    truth.insert(id, Outstanding { is_put, bytes, complete });
                } else {
                    prop_assert_eq!(begun.get(id), truth.get(&id).copied());
                    prop_assert_eq!(begun.remove(id), truth.remove(&id));
                }
            }
        }
    }
}
