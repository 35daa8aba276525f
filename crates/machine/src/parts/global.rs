//! Memory of all processors behind one address: the X1's global pointers (X1 study, sections 2 and 4.2, Figure 6).
//!
//! The high bits of an address name a processor, the others are an address of its memory: what hardware that is called a
//! memory centrifuge makes of one pointer. Loads and stores to other processors pass no cache. A load waits for its word;
//! others may be begun meanwhile. A store goes on when the network has taken it, and no single one of them can be waited
//! for: only [`Serves::drain`], the machine's `gsync`, tells that all that were stored before have taken effect.
//!
//! The words of other processors are remembered as this processor left them.

use crate::access::{Access, Contents, Data, Kind, Reply, Serves};
use crate::contention::Server;
use crate::description::Wanted;
use crate::parts::Next;
use crate::Time;

/// The bits of an address within a processor's memory.
pub const OFFSET_BITS: u32 = 48;

/// The processor that an address names, 0 for the own one, and the address in its memory.
pub fn split(at: u64) -> (u64, u64) {
    (at >> OFFSET_BITS, at & ((1 << OFFSET_BITS) - 1))
}

/// The address of a place in the memory of another processor.
pub fn join(processor: u64, at: u64) -> u64 {
    processor << OFFSET_BITS | at
}

pub struct Global<D> {
    /// From the begin of a load to its value.
    load: Time,
    /// From the begin of a store to the moment at which this processor can know that it has taken effect.
    store: Time,
    /// A word's time at the port to the network.
    word: Time,
    port: Server,
    /// When the last store takes effect.
    stored: Time,
    contents: Contents<D>,
    next: Next<D>,
}

const WORD: u64 = 8;

impl<D: Data> Global<D> {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted, next: Next<D>) -> Result<Self, String> {
        Ok(Global {
            load: figures.time("load")?,
            store: figures.time("store")?,
            word: figures.time("word")?,
            port: Server::default(),
            stored: 0,
            contents: Contents::default(),
            next,
        })
    }
}

impl<D: Data> Serves<D> for Global<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        if split(access.at).0 == 0 {
            return self.next.access(now, access);
        }
        let needs = u64::from(access.bytes).div_ceil(WORD).max(1) * self.word;
        let left = self.port.take(now, needs) + needs;
        match access.kind {
            Kind::Store | Kind::Reserve => {
                self.stored = self.stored.max(left + self.store);
                if access.kind == Kind::Store {
                    self.place(access.at, access.bytes, &access.data);
                }
                Reply { free: left, done: left + self.store, data: D::default() }
            }
            Kind::Load | Kind::Uncached | Kind::Prefetch => {
                let data = self.contents.window(access.at);
                Reply { free: left, done: left + self.load, data }
            }
        }
    }

    fn drain(&mut self, now: Time) -> Time {
        self.next.drain(now.max(self.stored))
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        if split(at).0 == 0 {
            self.next.place(at, bytes, data);
        } else {
            self.contents.take(data, at, bytes);
        }
    }

    fn settle(&mut self, now: Time) {
        self.next.settle(now);
    }

    fn forget(&mut self, at: u64) {
        if split(at).0 == 0 {
            self.next.forget(at);
        }
    }

    fn forget_all(&mut self) {
        self.next.forget_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Words;
    use crate::parts::recorder::{figures, Recorder};

    const FIGURES: &str =
        "load = { value = '900 ps', other = 'a test' }\nstore = { value = '700 ps', other = 'a test' }\n\
                           word = { value = '20 ps', other = 'a test' }";

    #[test]
    fn what_goes_elsewhere_passes_no_cache_and_is_waited_for_together() {
        let memory = Recorder::new(100);
        let mut global: Global<()> = figures(FIGURES, |f| Global::new(f, Box::new(memory.clone()))).unwrap();
        let mut load = |now, at| global.access(now, &Access::load(at, 8));
        let (near, far) = (load(0, 64), load(0, join(3, 64)));
        assert_eq!((near.done, far.free, far.done), (100, 20, 920));
        assert_eq!(load(0, join(3, 72)).done, 940, "one after the other through the port");
        let mut store = |now, bytes| global.access(now, &Access::store(join(1, 0), bytes, ()));
        assert_eq!((store(1000, 8).free, store(1000, 32).free), (1020, 1100));
        assert_eq!(global.drain(1100), 1800, "the last of them");
        assert_eq!(global.drain(5000), 5000);
        assert_eq!(memory.borrow().asked, [(0, Kind::Load, 64, 8)]);
    }

    #[test]
    fn words_come_back_from_the_processor_to_which_they_went() {
        let mut global: Global<Words> = figures(FIGURES, |f| Global::new(f, Box::new(Recorder::new(100)))).unwrap();
        for processor in [1, 2] {
            let at = join(processor, 4096);
            global.access(0, &Access::store(at, 8, Words::one(at, 10 * processor)));
        }
        let mut at = |processor| {
            let at = join(processor, 4096);
            global.access(9000, &Access::load(at, 8)).data.at(at)
        };
        assert_eq!([at(1), at(2), at(3)], [10, 20, 0]);
        assert_eq!(split(join(7, 4096)), (7, 4096));
    }
}
