//! The memory bus of a StarT-Voyager site: the application processor, the service processor and the network endpoint
//! share it with memory (StarT-Voyager study, sections 2.1 and 3; the bus is the 60X bus of the PowerPC 604).
//!
//! An operation holds the bus for its address, `tenure`, and for its words, `beat` each; if the master before was
//! another one, `arbitration` comes first. Time until the first word comes is not held. Every cache looks at every
//! address (it *snoops*): one that owns the line writes it to memory first, which is an operation of its own.
//!
//! Addresses from [`SRAM`] on are the network endpoint's own memory, which has a second port: what the endpoint does
//! there takes no time of the bus.

use crate::access::{Access, Contents, Data, Kind, Reply, Serves};
use crate::contention::Server;
use crate::description::Wanted;
use crate::parts::coherent::Lines;
use crate::parts::Next;
use crate::Time;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Where the memory of the network endpoint begins.
pub const SRAM: u64 = 1 << 40;

/// What a master does on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Words of at most a line are read.
    Read,
    /// They are written; copies in other caches are dropped.
    Write,
    /// A word is read that no cache keeps.
    ReadUncached,
    /// A word is written that no cache keeps.
    WriteUncached,
    /// An address alone: other caches drop their copies, and write nothing.
    Kill,
    /// An address alone: a cache that owns the line writes it to memory, and all drop it.
    Flush,
    /// What a cache writes because another master asks for its line.
    Push,
}

const OPERATIONS: usize = 7;

/// The time figures of the bus.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    pub tenure: Time,
    pub beat: Time,
    pub arbitration: Time,
}

type Cache<D> = Rc<RefCell<Lines<D>>>;

pub struct MemoryBus<D> {
    figures: Figures,
    line: u64,
    works: Server,
    /// Who had it last.
    master: usize,
    /// The caches that look, each with its master.
    caches: Vec<(usize, Cache<D>)>,
    memory: Next<D>,
    sram: Rc<RefCell<Sram<D>>>,
    /// How often each master did what.
    counts: HashMap<usize, [u64; OPERATIONS]>,
}

impl<D: Data> MemoryBus<D> {
    pub fn new(figures: Figures, line: u64, memory: Next<D>, sram: Rc<RefCell<Sram<D>>>) -> Self {
        MemoryBus {
            figures,
            line,
            works: Server::default(),
            master: 0,
            caches: vec![],
            memory,
            sram,
            counts: HashMap::new(),
        }
    }

    /// A cache that looks at what others ask.
    pub fn join(&mut self, master: usize, cache: Cache<D>) {
        self.caches.push((master, cache));
    }

    /// How often a master has done this.
    pub fn count(&self, master: usize, operation: Operation) -> u64 {
        self.counts.get(&master).map_or(0, |of| of[operation as usize])
    }

    /// Gives the bus to a master for an address and so many bytes; when its address begins.
    pub fn give(&mut self, now: Time, master: usize, operation: Operation, bytes: u64) -> Time {
        let Figures { tenure, beat, arbitration } = self.figures;
        self.counts.entry(master).or_default()[operation as usize] += 1;
        let handed = if std::mem::replace(&mut self.master, master) == master { 0 } else { arbitration };
        self.works.take(now, handed + tenure + bytes.div_ceil(8) * beat) + handed
    }

    fn home(&mut self, at: u64) -> &mut dyn Serves<D> {
        if at >= SRAM {
            &mut self.sram
        } else {
            &mut self.memory
        }
    }

    /// Lets a cache that owns the line write it; when the bus is free again for who asked.
    fn snoop(&mut self, now: Time, master: usize, at: u64, keeps: bool) -> Time {
        let base = at & !(self.line - 1);
        let others: Vec<(usize, Cache<D>)> = self.caches.iter().filter(|(m, _)| *m != master).cloned().collect();
        for (owner, cache) in others {
            let given = cache.borrow_mut().give(base, keeps);
            if let Some(data) = given {
                let begin = self.give(now, owner, Operation::Push, self.line);
                let line = self.line as u32;
                self.home(base).place(base, line, &data);
                return begin + self.figures.tenure + self.line / 8 * self.figures.beat;
            }
        }
        now
    }

    /// Reads a line, or a part of it. A copy that another cache owns is written first, and kept if `keeps`.
    pub fn read(&mut self, now: Time, master: usize, at: u64, bytes: u32, keeps: bool) -> Reply<D> {
        let address = self.give(now, master, Operation::Read, u64::from(bytes));
        let from = self.snoop(address + self.figures.tenure, master, at, keeps);
        // Whoever was told to try again asks again.
        let begin = if from > address + self.figures.tenure {
            self.give(from, master, Operation::Read, u64::from(bytes))
        } else {
            address
        };
        self.home(at).access(begin, &Access::load(at, bytes))
    }

    /// Writes; copies in other caches are dropped. When the bus is free of it.
    pub fn write(&mut self, now: Time, master: usize, at: u64, bytes: u32, data: &D) -> Time {
        let begin = self.give(now, master, Operation::Write, u64::from(bytes));
        // Of a line that is written as a whole nothing is needed that a cache has.
        let from = if u64::from(bytes) < self.line {
            self.snoop(begin, master, at, false)
        } else {
            self.drop_copies(master, at);
            begin
        };
        self.home(at).place(at, bytes, data);
        from + self.figures.tenure + u64::from(bytes).div_ceil(8) * self.figures.beat
    }

    /// Other caches drop their copies, and write nothing.
    pub fn kill(&mut self, now: Time, master: usize, at: u64) -> Time {
        let begin = self.give(now, master, Operation::Kill, 0);
        self.drop_copies(master, at);
        begin + self.figures.tenure
    }

    /// Other caches write the line if they own it, and drop it.
    pub fn flush(&mut self, now: Time, master: usize, at: u64) -> Time {
        let address = self.give(now, master, Operation::Flush, 0) + self.figures.tenure;
        self.snoop(address, master, at, false)
    }

    fn drop_copies(&mut self, master: usize, at: u64) {
        let base = at & !(self.line - 1);
        for (owner, cache) in &self.caches {
            if *owner != master {
                cache.borrow_mut().give(base, false);
            }
        }
    }
}

/// A cache's side of the bus.
pub struct Port<D> {
    bus: Rc<RefCell<MemoryBus<D>>>,
    master: usize,
}

impl<D: Data> Port<D> {
    pub fn new(bus: &Rc<RefCell<MemoryBus<D>>>, master: usize) -> Self {
        Port { bus: bus.clone(), master }
    }
}

impl<D: Data> Serves<D> for Port<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let mut bus = self.bus.borrow_mut();
        match access.kind {
            Kind::Store => {
                let done = bus.write(now, self.master, access.at, access.bytes, &access.data);
                Reply { free: done, done, data: D::default() }
            }
            Kind::Reserve => bus.read(now, self.master, access.at, access.bytes, false),
            _ => bus.read(now, self.master, access.at, access.bytes, true),
        }
    }

    fn drain(&mut self, now: Time) -> Time {
        now
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        self.bus.borrow_mut().home(at).place(at, bytes, data);
    }

    fn settle(&mut self, _: Time) {}
}

/// The endpoint's memory, as caches read it: a line's words come after `fill`, and what it holds is where it was put.
pub struct Sram<D> {
    fill: Time,
    contents: Contents<D>,
}

impl<D: Data> Sram<D> {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted) -> Result<Self, String> {
        Ok(Sram { fill: figures.time("fill")?, contents: Contents::default() })
    }

    /// The words of the window that an address is in.
    pub fn window(&self, at: u64) -> D {
        self.contents.window(at)
    }
}

impl<D: Data> Serves<D> for Sram<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        match access.kind {
            Kind::Store => self.place(access.at, access.bytes, &access.data),
            _ => return Reply { free: now + self.fill, done: now + self.fill, data: self.window(access.at) },
        }
        Reply { free: now, done: now, data: D::default() }
    }

    fn drain(&mut self, now: Time) -> Time {
        now
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        self.contents.take(data, at, bytes);
    }

    fn settle(&mut self, _: Time) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Words;
    use crate::parts::coherent::CoherentCache;
    use crate::parts::recorder::{figures, Recorder};
    use Operation::*;

    const FIGURES: Figures = Figures { tenure: 40, beat: 20, arbitration: 7 };

    fn sram<D: Data>() -> Rc<RefCell<Sram<D>>> {
        let built = figures("fill = { value = '150 ps', other = 'a test' }", |f| Sram::new(f)).unwrap();
        Rc::new(RefCell::new(built))
    }

    fn bus<D: Data>(memory: &Rc<RefCell<Recorder>>) -> Rc<RefCell<MemoryBus<D>>> {
        Rc::new(RefCell::new(MemoryBus::new(FIGURES, 32, Box::new(memory.clone()), sram())))
    }

    fn cache<D: Data>(bus: &Rc<RefCell<MemoryBus<D>>>, master: usize) -> CoherentCache<D> {
        let text = "size = { value = '1 KB', other = 'x' }\nline = { value = '32 B', other = 'x' }\n\
                    ways = { value = 2, other = 'x' }\nhit = { value = '5 ps', other = 'x' }";
        let cache = figures(text, |f| CoherentCache::new(f, Box::new(Port::new(bus, master)))).unwrap();
        bus.borrow_mut().join(master, cache.lines());
        cache
    }

    #[test]
    fn operations_hold_the_bus_for_address_and_words_and_a_change_of_master_costs() {
        let memory = Recorder::new(200);
        let bus = bus::<()>(&memory);
        let mut bus = bus.borrow_mut();
        assert_eq!(bus.read(0, 0, 0, 32, true).done, 200);
        assert_eq!(bus.read(0, 0, 64, 8, true).done, 320, "an address and four beats later");
        assert_eq!(bus.read(0, 1, 128, 32, true).done, 120 + 60 + 7 + 200);
        assert_eq!(bus.kill(1000, 1, 0), 1040);
        assert_eq!(bus.write(2000, 1, 0, 32, &()), 2120);
        assert_eq!(bus.read(3000, 1, SRAM, 8, true).done, 3150, "the endpoint's memory answers");
        assert_eq!(memory.borrow().asked.iter().map(|a| a.0).collect::<Vec<_>>(), [0, 120, 187]);
        assert_eq!([Read, Kill, Write, Push].map(|o| bus.count(1, o)), [2, 1, 1, 0]);
    }

    #[test]
    fn a_line_that_a_cache_owns_is_written_before_another_master_reads_it() {
        let memory = Recorder::new(200);
        let bus = bus::<Words>(&memory);
        let mut cache = cache(&bus, 0);
        let at = SRAM + 64;
        cache.access(0, &Access::store(at, 8, Words::one(at, 42)));
        assert_eq!(bus.borrow().sram.borrow().window(at).at(at), 0, "only the cache has it");
        let reply = bus.borrow_mut().read(1000, 2, at, 32, true);
        // Arbitration and address; the push by the other master; the address again by this one.
        assert_eq!((reply.data.at(at), reply.done), (42, 1007 + 80 + 40 + 7 + 120 + 7 + 150));
        assert_eq!(bus.borrow().count(0, Push), 1);
        let again = bus.borrow_mut().read(5000, 2, at, 32, true);
        assert_eq!((again.done, again.data.at(at)), (5150, 42), "nobody owns it now");
    }

    #[test]
    fn a_killed_line_is_read_anew_and_a_cached_one_is_not() {
        let memory = Recorder::new(200);
        let bus = bus::<Words>(&memory);
        let mut cache = cache(&bus, 0);
        let at = SRAM;
        let put = |word| bus.borrow().sram.borrow_mut().place(at, 8, &Words::one(at, word));
        put(1);
        let mut load = |now| cache.access(now, &Access::load(at, 8)).data.at(at);
        assert_eq!(load(0), 1);
        put(2);
        assert_eq!(load(1000), 1, "the endpoint's port tells no cache");
        bus.borrow_mut().kill(2000, 2, at);
        assert_eq!(load(3000), 2);
    }

    #[test]
    fn a_flush_takes_a_line_from_its_owner_and_costs_an_address_otherwise() {
        let memory = Recorder::new(200);
        let bus = bus::<Words>(&memory);
        let mut cache = cache(&bus, 0);
        let at = SRAM + 96;
        cache.access(0, &Access::store(at, 8, Words::one(at, 7)));
        assert_eq!(bus.borrow_mut().flush(1000, 0, at), 1040, "its own line it keeps");
        assert_eq!(bus.borrow_mut().flush(2000, 2, at), 2007 + 40 + 7 + 120);
        assert_eq!(bus.borrow().sram.borrow().window(at).at(at), 7);
        assert_eq!(bus.borrow_mut().flush(3000, 2, at), 3007 + 40);
    }
}
