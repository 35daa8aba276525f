//! The deposit engine of a node: it takes packets from the network and writes their words to memory, without the
//! processor (copy-transfer study, sections 3.2 and 3.5.1).
//!
//! It writes one packet after the other: an access of the memory for its first word, `word` more for each further one,
//! and `handover` until the next. The memory's parts decide what an access takes and who waits for whom.

use crate::access::{Access, Data, Serves};
use crate::description::{Description, Wanted};
use crate::Time;

/// The kind of this engine.
pub const KIND: &str = "deposit";

#[derive(Clone, Debug)]
pub struct Deposit {
    handover: Time,
    word: Time,
    idle: Time,
}

impl Deposit {
    /// The engine that is described.
    ///
    /// # Errors
    /// There is none, or a figure is missing or wrong.
    pub fn of(description: &Description) -> Result<Self, String> {
        let name = description.engine(KIND).ok_or("the machine has no deposit engine")?;
        let figures = description.of_part(name);
        let engine = Self::new(&figures)?;
        figures.finish()?;
        Ok(engine)
    }

    fn new(figures: &Wanted) -> Result<Self, String> {
        Ok(Deposit { handover: figures.time("handover")?, word: figures.time("word")?, idle: 0 })
    }

    /// Writes a packet that has arrived at `now`; the time at which the engine takes the next one.
    pub fn write<D: Data>(&mut self, memory: &mut dyn Serves<D>, now: Time, at: u64, bytes: u32, data: D) -> Time {
        let begin = now.max(self.idle);
        let written = memory.access(begin, &Access::store(at, bytes, data)).done;
        self.idle = written + u64::from(bytes).div_ceil(8).saturating_sub(1) * self.word + self.handover;
        self.idle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Kind;
    use crate::parts::recorder::Recorder;

    #[test]
    fn packets_are_written_one_after_the_other() {
        let memory = Recorder::new(100);
        let mut engine = Deposit { handover: 5, word: 20, idle: 0 };
        let mut write = |now, at, bytes| engine.write::<()>(&mut memory.clone(), now, at, bytes, ());
        assert_eq!([write(0, 64, 8), write(10, 128, 32), write(500, 8, 8)], [105, 270, 605]);
        let asked = [(0, Kind::Store, 64, 8), (105, Kind::Store, 128, 32), (500, Kind::Store, 8, 8)];
        assert_eq!(memory.borrow().asked, asked);
    }
}
