//! Fetch-and-increment registers: each processor has a few, and every processor adds 1 to them and gets the value
//! before (T3D study, sections 1.2 and 7.4). A register serves one request at a time, in the order of arrival.

use crate::contention::Server;
use crate::description::Wanted;
use crate::network::Carries;
use crate::Time;

pub struct Registers {
    /// What an operation takes besides network and register, at every distance.
    own: Time,
    /// How long a request occupies its register.
    service: Time,
    /// The registers of one processor after those of the other.
    all: Vec<Register>,
    each: usize,
    /// How much of the last operation was waiting for others.
    late: Time,
}

#[derive(Clone, Default)]
struct Register {
    value: u64,
    busy: Server,
}

/// Bytes of a request, and of the value.
const REQUEST: u64 = 8;
const WORD: u64 = 8;

impl Registers {
    /// `trip` tells how long a request of so many bytes and a reply of so many take over one hop of an idle network.
    ///
    /// # Errors
    /// A figure is missing or wrong, or the whole operation takes less than its parts.
    pub fn new(figures: &Wanted, processors: u32, trip: &mut dyn FnMut(u64, u64) -> Time) -> Result<Self, String> {
        let service = figures.time("service")?;
        let own = (figures.time("fetch_and_increment")?)
            .checked_sub(trip(REQUEST, WORD) + service)
            .ok_or("figure `fetch_and_increment` is less than what network and register take")?;
        let each = figures.places("each")?;
        Ok(Registers { own, service, all: vec![Register::default(); each * processors as usize], each, late: 0 })
    }

    /// Adds 1 to a register of processor `home`: the value before, and the time at which processor `me` has it.
    pub fn fetch_and_increment(
        &mut self,
        network: &mut dyn Carries,
        now: Time,
        me: u32,
        (home, index): (u32, usize),
    ) -> (u64, Time) {
        let there = network.carry(now + self.own / 2, me, home, REQUEST);
        let register = &mut self.all[home as usize * self.each + index % self.each];
        let begin = register.busy.take(there.tail, self.service);
        let done = begin + self.service;
        let before = register.value;
        register.value += 1;
        let back = network.carry_back(done, home, me, WORD);
        self.late = there.late + (begin - there.tail) + back.late;
        (before, back.tail + self.own - self.own / 2)
    }

    /// How much of the last operation was waiting for others.
    pub fn late(&self) -> Time {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::super::recorder::{figures, Wire};
    use super::*;

    const FIGURES: &str = "fetch_and_increment = { value = '1000 ns', printed = 'x' }
        service = { value = '50 ns', printed = 'x' }
        each = { value = 2, printed = 'x' }";

    fn registers() -> Registers {
        figures(FIGURES, |f| Registers::new(f, 4, &mut |_, _| 2 * 100_000)).unwrap()
    }

    #[test]
    fn the_whole_takes_what_is_printed_and_each_register_counts_for_itself() {
        let (mut registers, mut wire) = (registers(), Wire::new(100_000));
        for (home, index, before) in [(1, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0, 0), (1, 0, 2)] {
            let (old, after) = registers.fetch_and_increment(&mut wire, 10_000_000, 0, (home, index));
            assert_eq!((old, after >= 11_000_000), (before, true), "register {index} of {home}");
        }
        let (_, after) = registers.fetch_and_increment(&mut wire, 50_000_000, 3, (0, 1));
        assert_eq!(after, 51_000_000);
        assert_eq!(wire.carried.last(), Some(&(0, 3, WORD)));
    }

    #[test]
    fn requests_at_once_are_served_one_after_the_other() {
        let (mut registers, mut wire) = (registers(), Wire::new(100_000));
        let after: Vec<Time> = (1..4).map(|me| registers.fetch_and_increment(&mut wire, 0, me, (0, 0)).1).collect();
        assert_eq!(after, [1_000_000, 1_050_000, 1_100_000]);
    }

    #[test]
    fn a_whole_that_is_less_than_its_parts_is_refused() {
        let built = figures(FIGURES, |f| Registers::new(f, 4, &mut |_, _| 2_000_000).map(drop));
        assert!(built.unwrap_err().contains("less than"));
    }
}
