//! A barrier in hardware whose begin and end are two operations, a fuzzy barrier (T3D study, sections 1.2 and 7.5): a
//! processor announces that it has arrived, may do other work, and tests or waits until all have arrived.

use crate::description::Wanted;
use crate::Time;
use std::collections::VecDeque;

pub struct Barrier {
    /// From the last announcement until every processor can see it.
    latency: Time,
    /// An announcement, a test, and clearing it.
    access: Time,
    /// Whether other work is possible between announcement and end.
    fuzzy: bool,
    /// For each processor, the number of barriers that it has ended.
    ended: Vec<usize>,
    /// For each processor, the number of barriers that it has announced.
    announced: Vec<usize>,
    /// The barriers that not all have ended: how many have announced it, and the time of the last.
    rounds: VecDeque<(usize, Time)>,
    /// The number of the first of these.
    first: usize,
}

impl Barrier {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted, processors: u32) -> Result<Self, String> {
        let processors = processors as usize;
        Ok(Barrier {
            latency: figures.time("latency")?,
            access: figures.time("access")?,
            fuzzy: figures.switch("fuzzy")?,
            ended: vec![0; processors],
            announced: vec![0; processors],
            rounds: VecDeque::new(),
            first: 0,
        })
    }

    pub fn is_fuzzy(&self) -> bool {
        self.fuzzy
    }

    /// Announces that this processor has arrived; the time after it.
    ///
    /// # Panics
    /// The processor has not ended the barrier that it announced before.
    pub fn announce(&mut self, now: Time, me: usize) -> Time {
        assert!(self.announced[me] == self.ended[me], "processor {me} announces a barrier within a barrier");
        let round = self.announced[me] - self.first;
        if round == self.rounds.len() {
            self.rounds.push_back((0, 0));
        }
        let (count, last) = &mut self.rounds[round];
        (*count, *last) = (*count + 1, (*last).max(now + self.access));
        self.announced[me] += 1;
        now + self.access
    }

    /// When processor `me` can see that all have arrived; None if not all have announced it yet.
    pub fn over_from(&self, me: usize) -> Option<Time> {
        let (count, last) = self.rounds.get(self.ended[me] - self.first)?;
        (*count == self.ended.len()).then_some(last + self.latency)
    }

    /// Tests whether all have arrived, and the time after the test.
    pub fn test(&self, now: Time, me: usize) -> (bool, Time) {
        (self.over_from(me).is_some_and(|over| over <= now), now + self.access)
    }

    /// Ends the barrier, so that it can be used again; the time after it.
    ///
    /// # Panics
    /// Not all have arrived.
    pub fn end(&mut self, now: Time, me: usize) -> Time {
        assert!(self.test(now, me).0, "processor {me} ends a barrier that is not over");
        self.ended[me] += 1;
        if self.ended.iter().all(|ended| *ended > self.first) {
            self.rounds.pop_front();
            self.first += 1;
        }
        now + self.access
    }
}

#[cfg(test)]
mod tests {
    use super::super::recorder::figures;
    use super::*;

    fn barrier() -> Barrier {
        let text = "latency = { value = '1 us', printed = 'x' }
            access = { value = '100 ns', printed = 'x' }
            fuzzy = { value = true, printed = 'x' }";
        figures(text, |f| Barrier::new(f, 3)).unwrap()
    }

    #[test]
    fn it_is_over_after_the_last_announcement() {
        let mut barrier = barrier();
        assert_eq!(barrier.announce(0, 0), 100_000);
        barrier.announce(5_000_000, 2);
        assert_eq!((barrier.over_from(0), barrier.test(9_000_000, 0)), (None, (false, 9_100_000)));
        barrier.announce(3_000_000, 1);
        assert_eq!(barrier.over_from(1), Some(6_100_000));
        assert_eq!([barrier.test(6_099_999, 1).0, barrier.test(6_100_000, 1).0], [false, true]);
    }

    #[test]
    fn a_processor_may_begin_the_next_before_others_have_ended_this_one() {
        let mut barrier = barrier();
        (0..3).for_each(|me| _ = barrier.announce(0, me));
        barrier.end(2_000_000, 0);
        barrier.announce(2_100_000, 0);
        assert_eq!(barrier.over_from(0), None, "of the second");
        (1..3).for_each(|me| _ = barrier.end(3_000_000, me));
        (1..3).for_each(|me| _ = barrier.announce(3_100_000, me));
        assert_eq!(barrier.over_from(0), Some(4_200_000));
        (0..3).for_each(|me| _ = barrier.end(5_000_000, me));
        assert_eq!((barrier.rounds.len(), barrier.first), (0, 2));
    }

    #[test]
    #[should_panic(expected = "not over")]
    fn it_cannot_be_ended_before_all_have_arrived() {
        let mut barrier = barrier();
        barrier.announce(0, 0);
        barrier.end(9_000_000, 0);
    }
}
