//! Messages of a few words to a user-level queue (T3D study, sections 1.2 and 7.3). The sender injects a message as a
//! whole. At the receiver it interrupts the processor, which puts it into a queue in memory, and may then switch to a
//! handler.

use crate::description::Wanted;
use crate::network::Carries;
use crate::Time;
use std::collections::VecDeque;

/// The words of a message.
pub const WORDS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    pub from: u32,
    pub words: [u64; WORDS],
}

pub struct Messages {
    inject: Time,
    interrupt: Time,
    handler: Time,
    /// For each processor, the messages that have not interrupted it yet, in the order of arrival.
    arriving: Vec<VecDeque<(Time, Message)>>,
    /// How many these are.
    under_way: usize,
    /// For each processor, those in its queue.
    queued: Vec<VecDeque<Message>>,
}

impl Messages {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted, processors: u32) -> Result<Self, String> {
        Ok(Messages {
            inject: figures.time("inject")?,
            interrupt: figures.time("interrupt")?,
            handler: figures.time("handler")?,
            arriving: vec![VecDeque::new(); processors as usize],
            under_way: 0,
            queued: vec![VecDeque::new(); processors as usize],
        })
    }

    /// Sends a message; the time from which the sender goes on.
    pub fn send(&mut self, network: &mut dyn Carries, now: Time, me: u32, to: u32, words: [u64; WORDS]) -> Time {
        let free = now + self.inject;
        let at = network.carry(free, me, to, 8 * WORDS as u64).tail;
        let arriving = &mut self.arriving[to as usize];
        let place = arriving.iter().take_while(|(other, _)| *other <= at).count();
        arriving.insert(place, (at, Message { from: me, words }));
        self.under_way += 1;
        free
    }

    /// Lets the messages that have arrived interrupt this processor; the time from which it goes on. Messages that
    /// arrive during an interrupt follow at once.
    #[inline]
    pub fn interrupts(&mut self, now: Time, me: usize) -> Time {
        if self.under_way == 0 {
            return now;
        }
        self.let_interrupt(now, me)
    }

    fn let_interrupt(&mut self, mut now: Time, me: usize) -> Time {
        while let Some(&(_, message)) = self.arriving[me].front().filter(|(at, _)| *at <= now) {
            self.arriving[me].pop_front();
            self.under_way -= 1;
            now += self.interrupt;
            self.queued[me].push_back(message);
        }
        now
    }

    /// Takes the oldest message of the queue.
    pub fn take(&mut self, me: usize) -> Option<Message> {
        self.queued[me].pop_front()
    }

    /// The cost of switching to a handler.
    pub fn handler(&self) -> Time {
        self.handler
    }

    /// When the next message arrives that has not interrupted this processor.
    pub fn next_arrival(&self, me: usize) -> Option<Time> {
        self.arriving[me].front().map(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::recorder::{figures, Wire};
    use super::*;

    fn messages() -> Messages {
        let text = "inject = { value = '800 ns', printed = 'x' }
            interrupt = { value = '25 us', printed = 'x' }
            handler = { value = '33 us', printed = 'x' }";
        figures(text, |f| Messages::new(f, 3)).unwrap()
    }

    #[test]
    fn a_message_interrupts_the_receiver_and_lies_in_its_queue() {
        let (mut messages, mut wire) = (messages(), Wire::new(100_000));
        assert_eq!(messages.send(&mut wire, 0, 0, 2, [1, 2, 3, 4]), 800_000);
        assert_eq!(wire.carried, [(0, 2, 32)]);
        assert_eq!((messages.interrupts(899_999, 2), messages.take(2)), (899_999, None), "still on its way");
        assert_eq!(messages.interrupts(900_000, 2), 25_900_000);
        assert_eq!(messages.take(2), Some(Message { from: 0, words: [1, 2, 3, 4] }));
        assert_eq!((messages.take(2), messages.handler()), (None, 33_000_000));
    }

    #[test]
    fn messages_come_in_the_order_of_arrival() {
        let (mut messages, mut wire) = (messages(), Wire::new(100_000));
        for (now, me) in [(20_000_000, 0), (0, 1), (500_000, 0)] {
            messages.send(&mut wire, now, me, 2, [now, 0, 0, 0]);
        }
        assert_eq!(messages.next_arrival(2), Some(900_000));
        // The third arrives during the first two interrupts.
        assert_eq!(messages.interrupts(2_000_000, 2), 77_000_000);
        let order: Vec<u64> = std::iter::from_fn(|| messages.take(2)).map(|m| m.words[0]).collect();
        assert_eq!(order, [0, 500_000, 20_000_000]);
    }
}
