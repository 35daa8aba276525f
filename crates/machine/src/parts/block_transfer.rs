//! A block-transfer engine: it copies contiguous memory of one processor to that of another by itself (T3D study,
//! sections 1.2 and 6). Only the operating system can start it, which takes long; then it moves a line at a time, at
//! its rate, and competes with the processors for both memories. The processors that share a port share an engine.
//!
//! The engine acts by itself: [`BlockTransfer::advance`] lets it do all that is due, so call it before an access of any
//! processor, in the order of time.

use crate::access::{Access, Data, Kind, Serves};
use crate::contention::Due;
use crate::description::Wanted;
use crate::parts::shell::Around;
use crate::Time;

pub struct BlockTransfer {
    start: Time,
    /// Bytes per picosecond.
    rate: f64,
    line: u64,
    /// How many processors share an engine.
    share: usize,
    engines: Vec<Engine>,
    /// Those at work, in the order of their numbers.
    active: Vec<usize>,
}

#[derive(Clone, Default)]
struct Engine {
    /// When it can begin the next transfer.
    free: Time,
    /// When it would be free without others' use of the network.
    free_alone: Time,
    under_way: Option<Transfer>,
}

#[derive(Clone)]
struct Transfer {
    from: Place,
    to: Place,
    bytes: u64,
    moved: u64,
    begins: Time,
    /// The next line is not read before.
    next: Time,
    /// When the last line that was moved is in memory.
    written: Time,
    written_alone: Time,
    /// The processor that has begun it.
    me: usize,
}

/// An address in the memory of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub processor: u32,
    pub at: u64,
}

impl BlockTransfer {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted, processors: u32, share: u32) -> Result<Self, String> {
        let engines = processors.div_ceil(share) as usize;
        Ok(BlockTransfer {
            start: figures.time("start")?,
            rate: figures.rate("rate")?,
            line: figures.power_of_two("line", figures.bytes("line")?)?,
            share: share as usize,
            engines: vec![Engine::default(); engines],
            active: vec![],
        })
    }

    /// How long the operating system takes to start a transfer.
    pub fn start(&self) -> Time {
        self.start
    }

    /// Starts a transfer; the time from which processor `me` goes on. It waits first for the engine's last transfer.
    /// Addresses and size are multiples of a word.
    pub fn begin<D: Data>(
        &mut self,
        around: &mut Around<D>,
        now: Time,
        me: usize,
        from: Place,
        to: Place,
        bytes: u64,
    ) -> Time {
        let now = self.finish(around, now, me);
        let begins = now + self.start;
        let transfer =
            Transfer { from, to, bytes, moved: 0, begins, next: begins, written: begins, written_alone: begins, me };
        let engine = me / self.share;
        self.engines[engine].under_way = Some(transfer);
        if let Err(i) = self.active.binary_search(&engine) {
            self.active.insert(i, engine);
        }
        begins
    }

    /// Moves all lines that are due at `now`.
    pub fn advance<D: Data>(&mut self, around: &mut Around<D>, now: Time) {
        let (rate, line) = (self.rate, self.line);
        let engines = &mut self.engines;
        self.active.retain(|i| {
            let engine = &mut engines[*i];
            let Some(transfer) = &mut engine.under_way else { return false };
            while transfer.moved < transfer.bytes && transfer.next <= now {
                transfer.step(around, rate, line);
            }
            if transfer.moved == transfer.bytes {
                engine.free = transfer.written;
                engine.free_alone = transfer.written_alone;
                engine.under_way = None;
            }
            engine.under_way.is_some()
        });
    }

    /// Waits for the transfer of this processor's engine; the time at which all of it is in memory.
    pub fn finish<D: Data>(&mut self, around: &mut Around<D>, now: Time, me: usize) -> Time {
        while let Some(next) = self.engines[me / self.share].under_way.as_ref().map(|t| t.next) {
            self.advance(around, next);
        }
        now.max(self.engines[me / self.share].free)
    }

    /// When the engine of a processor is free, if nothing is under way.
    pub fn free(&self, me: usize) -> Due {
        let engine = &self.engines[me / self.share];
        Due { at: engine.free, late: engine.free - engine.free_alone }
    }

    /// Whether the engine of a processor works for the other one that has it.
    pub fn is_taken(&self, me: usize) -> bool {
        self.engines[me / self.share].under_way.as_ref().is_some_and(|t| t.me != me)
    }

    /// Whether an engine is at work.
    pub fn is_active(&self) -> bool {
        !self.active.is_empty()
    }
}

impl Transfer {
    /// Moves the next line.
    fn step<D: Data>(&mut self, around: &mut Around<D>, rate: f64, line: u64) {
        let (from, to) = (self.from.at + self.moved, self.to.at + self.moved);
        // Neither side crosses a line.
        let bytes = (self.bytes - self.moved).min(line - from % line).min(line - to % line);
        let memory = |of: &Place, around: &Around<D>| around.memories[of.processor as usize].clone();
        let read = memory(&self.from, around).access(self.next, &Access::load(from, bytes as u32));
        let (from_there, to_there) = (self.from.processor, self.to.processor);
        let there = match to_there as usize == self.me {
            true => around.network.carry_back(read.done, from_there, to_there, bytes),
            false => around.network.carry(read.done, from_there, to_there, bytes),
        };
        let mut target = memory(&self.to, around);
        let reserve = Access { kind: Kind::Reserve, ..Access::load(to, bytes as u32) };
        let done = target.access(there.tail, &reserve).done;
        self.written = self.written.max(done);
        self.written_alone = self.written_alone.max(done - there.late);
        if D::IS_CARRIED {
            for word in (0..bytes).step_by(8) {
                target.place(to + word, 8, &read.data.moved(from + word, to + word));
            }
            around.driven_out[self.to.processor as usize].push((self.written, to));
        }
        self.moved += bytes;
        // At its rate, and no line before the last one has been read.
        let due = self.begins + (self.moved as f64 / rate).round() as Time;
        self.next = due.max(self.next + 1);
        self.written = self.written.max(self.next);
        self.written_alone = self.written_alone.max(self.next);
    }
}

#[cfg(test)]
mod tests {
    use super::super::recorder::{figures, Recorder, Wire};
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// 1 us to start, 32 bytes each 200 ns; memories that take 100 ns.
    fn setup() -> (BlockTransfer, Around<()>, Vec<Rc<RefCell<Recorder>>>) {
        let text = "start = { value = '1 us', printed = 'x' }
            rate = { value = '160 MB/s', printed = 'x' }
            line = { value = '32 B', printed = 'x' }";
        let engine = figures(text, |f| BlockTransfer::new(f, 4, 2)).unwrap();
        let recorders: Vec<_> = (0..4).map(|_| Recorder::new(100_000)).collect();
        let memories = recorders.iter().map(|r| Rc::new(RefCell::new(Box::new(r.clone()) as _))).collect();
        let around = Around { network: Box::new(Wire::new(50_000)), memories, driven_out: vec![vec![]; 4] };
        (engine, around, recorders)
    }

    fn place(processor: u32, at: u64) -> Place {
        Place { processor, at }
    }

    #[test]
    fn a_transfer_takes_its_start_and_then_its_rate() {
        let (mut engine, mut around, _) = setup();
        assert_eq!(engine.begin(&mut around, 0, 0, place(2, 0), place(0, 4096), 1024), 1_000_000);
        // The last of 32 lines is read, carried and written.
        assert_eq!(engine.finish(&mut around, 0, 0), 1_000_000 + 31 * 200_000 + 250_000);
        assert!(!engine.is_active());
    }

    #[test]
    fn it_does_only_what_is_due() {
        let (mut engine, mut around, recorders) = setup();
        engine.begin(&mut around, 0, 0, place(2, 0), place(0, 4096), 1024);
        let asked = |of: usize| recorders[of].borrow().asked.clone();
        engine.advance(&mut around, 999_999);
        assert_eq!(asked(2), []);
        engine.advance(&mut around, 1_200_000);
        assert_eq!(asked(2), [(1_000_000, Kind::Load, 0, 32), (1_200_000, Kind::Load, 32, 32)]);
        assert_eq!(asked(0), [(1_150_000, Kind::Reserve, 4096, 32), (1_350_000, Kind::Reserve, 4128, 32)]);
        engine.finish(&mut around, 0, 0);
        assert_eq!((asked(2).len(), asked(0).len(), asked(1).len()), (32, 32, 0));
    }

    #[test]
    fn two_processors_share_an_engine_and_others_have_their_own() {
        let (mut engine, mut around, _) = setup();
        engine.begin(&mut around, 0, 0, place(2, 0), place(0, 0), 320);
        assert_eq!(engine.begin(&mut around, 0, 2, place(0, 0), place(2, 8192), 320), 1_000_000);
        // The first transfer ends at 3.05 us; then the second is started.
        assert_eq!(engine.begin(&mut around, 0, 1, place(2, 0), place(1, 0), 320), 4_050_000);
        assert_eq!(engine.finish(&mut around, 0, 1), 6_100_000);
    }

    #[test]
    fn lines_are_not_crossed() {
        let (mut engine, mut around, recorders) = setup();
        engine.begin(&mut around, 0, 0, place(2, 24), place(0, 16), 64);
        engine.finish(&mut around, 0, 0);
        let pieces: Vec<(u64, u32)> = recorders[2].borrow().asked.iter().map(|a| (a.2, a.3)).collect();
        assert_eq!(pieces, [(24, 8), (32, 8), (40, 24), (64, 8), (72, 16)]);
    }
}
