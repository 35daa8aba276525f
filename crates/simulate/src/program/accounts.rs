//! Where the time of threads goes. A thread's parts add up to its time.

use fathom_machine::Time;

/// What a thread does with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Work,
    /// Its own memory's answers, where accesses are simulated.
    Memory,
    /// Beginning transfers, sending and receiving messages.
    Overhead,
    /// Waiting for transfers, as long as they take on an idle machine.
    Transfers,
    /// Waiting for barriers and for messages.
    Waiting,
    /// Waiting because ports, links and other resources were busy with what other threads do.
    Contention,
}

/// Where the time of a thread went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// When it ended.
    pub end: Time,
    pub work: Time,
    pub memory: Time,
    pub overhead: Time,
    pub transfers: Time,
    pub waiting: Time,
    pub contention: Time,
    pub puts: u64,
    pub gets: u64,
    pub messages: u64,
    /// Of puts, gets and messages.
    pub bytes: u64,
    pub barriers: u64,
}

impl Spent {
    /// The time of a part.
    pub fn part(&self, part: Part) -> Time {
        match part {
            Part::Work => self.work,
            Part::Memory => self.memory,
            Part::Overhead => self.overhead,
            Part::Transfers => self.transfers,
            Part::Waiting => self.waiting,
            Part::Contention => self.contention,
        }
    }

    pub(crate) fn part_mut(&mut self, part: Part) -> &mut Time {
        match part {
            Part::Work => &mut self.work,
            Part::Memory => &mut self.memory,
            Part::Overhead => &mut self.overhead,
            Part::Transfers => &mut self.transfers,
            Part::Waiting => &mut self.waiting,
            Part::Contention => &mut self.contention,
        }
    }

    /// All parts together: the end, if nothing was lost.
    pub fn sum(&self) -> Time {
        self.work + self.memory + self.overhead + self.transfers + self.waiting + self.contention
    }
}
