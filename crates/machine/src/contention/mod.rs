//! The two primitives of contention: a resource that serves one at a time, and a queue with a number of places.

mod server;

pub use server::{Ports, Server};

use crate::Time;
use std::collections::VecDeque;

/// A moment that may come later because others use the same resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    pub at: Time,
    /// How much earlier it would come if its thread had the resources for itself.
    pub late: Time,
}

impl Due {
    /// A moment that does not depend on others.
    pub fn on_time(at: Time) -> Self {
        Due { at, late: 0 }
    }

    /// The later of two, and when it would come without others.
    pub fn max(self, other: Due) -> Due {
        let at = self.at.max(other.at);
        Due { at, late: at - (self.at - self.late).max(other.at - other.late) }
    }

    /// After a time that does not depend on others.
    pub fn after(self, time: Time) -> Due {
        Due { at: self.at + time, late: self.late }
    }

    /// What of the time from `now` until then is waiting for others' use of resources.
    pub fn late_after(self, now: Time) -> Time {
        self.late.min(self.at.saturating_sub(now))
    }
}

/// A queue of `depth` places in front of a resource. A request that finds all places taken waits until one is left.
#[derive(Clone, Debug)]
pub struct Places {
    left: VecDeque<Time>,
    depth: usize,
}

impl Places {
    pub fn new(depth: usize) -> Self {
        Places { left: VecDeque::with_capacity(depth), depth: depth.max(1) }
    }

    /// The time at which a request that arrives at `at` has a place. Its [`leave`](Self::leave) must follow before the
    /// next one enters.
    pub fn enter(&mut self, at: Time) -> Time {
        if self.left.len() == self.depth {
            return at.max(self.left.pop_front().unwrap_or(at));
        }
        at
    }

    /// The request leaves its place at `at`.
    pub fn leave(&mut self, at: Time) {
        self.left.push_back(at);
    }

    /// The time at which all places are empty.
    pub fn empty_from(&self) -> Time {
        self.left.iter().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_of_two_moments_is_late_by_what_both_would_be_earlier() {
        let (a, b) = (Due { at: 100, late: 30 }, Due { at: 90, late: 5 });
        assert_eq!(a.max(b), Due { at: 100, late: 15 }, "alone, they would come at 70 and 85");
        assert_eq!((a.max(b), a.after(7)), (b.max(a), Due { at: 107, late: 30 }));
        assert_eq!([a.late_after(0), a.late_after(80), a.late_after(120)], [30, 20, 0]);
    }

    #[test]
    fn the_request_after_a_full_queue_waits_for_the_first_to_leave() {
        let mut places = Places::new(2);
        for (at, gets, leaves) in [(0, 0, 30), (1, 1, 40), (2, 30, 60), (35, 40, 70), (65, 65, 90)] {
            assert_eq!(places.enter(at), gets);
            places.leave(leaves);
        }
        assert_eq!(places.empty_from(), 90);
    }
}
