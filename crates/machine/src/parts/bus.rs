//! A bus that several processors and DMA controllers share: one access at a time.
//!
//! An access keeps the bus for the time of its words. If the master before was another one, the bus is given over
//! first: `arbitration`. What the memory behind takes overlaps with other accesses.

use crate::access::{Access, Data, Reply, Serves};
use crate::contention::Server;
use crate::description::Wanted;
use crate::parts::Next;
use crate::Time;
use std::cell::RefCell;
use std::rc::Rc;

pub struct Bus<D> {
    /// The time of a word.
    word: Time,
    arbitration: Time,
    /// Who had it last.
    master: usize,
    works: Server,
    next: Next<D>,
}

impl<D: Data> Bus<D> {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted, next: Next<D>) -> Result<Self, String> {
        let word = match figures.rate("rate")? {
            0.0 => return Err("the rate must be more than 0".into()),
            rate => (8.0 / rate).round() as Time,
        };
        Ok(Bus { word, arbitration: figures.time("arbitration")?, master: 0, works: Server::default(), next })
    }

    /// The time at which the words of a master begin to move.
    fn give(&mut self, now: Time, words: u64, master: usize) -> Time {
        let given = if std::mem::replace(&mut self.master, master) == master { 0 } else { self.arbitration };
        self.works.take(now, given + words * self.word) + given
    }
}

/// One of those that share a bus.
pub struct Master<D> {
    bus: Rc<RefCell<Bus<D>>>,
    number: usize,
}

impl<D: Data> Master<D> {
    pub fn new(bus: Rc<RefCell<Bus<D>>>, number: usize) -> Self {
        Master { bus, number }
    }

    /// A word that goes elsewhere than to memory: the time at which it has passed the bus.
    pub fn pass(&mut self, now: Time) -> Time {
        let mut bus = self.bus.borrow_mut();
        bus.give(now, 1, self.number) + bus.word
    }
}

impl<D: Data> Serves<D> for Master<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let mut bus = self.bus.borrow_mut();
        let words = u64::from(access.bytes).div_ceil(8).max(1);
        let begin = bus.give(now, words, self.number);
        bus.next.access(begin, access)
    }

    fn drain(&mut self, now: Time) -> Time {
        self.bus.borrow_mut().next.drain(now)
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        self.bus.borrow_mut().next.place(at, bytes, data);
    }

    fn settle(&mut self, now: Time) {
        self.bus.borrow_mut().next.settle(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Kind;
    use crate::parts::recorder::Recorder;

    #[test]
    fn masters_take_turns_and_a_change_costs() {
        let memory = Recorder::new(100);
        let next = Box::new(memory.clone());
        let bus: Bus<()> = Bus { word: 20, arbitration: 7, master: 0, works: Server::default(), next };
        let bus = Rc::new(RefCell::new(bus));
        let [mut one, mut other] = [0, 1].map(|number| Master::new(bus.clone(), number));
        assert_eq!([one.access(0, &Access::load(0, 8)).done, one.access(0, &Access::load(8, 32)).done], [100, 120]);
        assert_eq!(other.access(50, &Access::store(64, 8, ())).done, 207);
        assert_eq!(one.access(300, &Access::load(0, 8)).done, 407);
        assert_eq!([one.pass(300), one.pass(400)], [347, 420]);
        let times: Vec<_> = memory.borrow().asked.iter().map(|(now, kind, ..)| (*now, *kind)).collect();
        assert_eq!(times, [(0, Kind::Load), (20, Kind::Load), (107, Kind::Store), (307, Kind::Load)]);
    }
}
