//! Small puts and gets between nodes, through the layers that the X1 study compares (sections 4.2 and 5.2).
//!
//! GASNet's are the machine's own stores and loads: the symmetric heap has the same addresses everywhere, so that nothing
//! is translated and nothing is called. Shmem's are a call and what that does (`code.shmem`), then the same accesses. An MPI
//! message is its envelope, its words and a flag, put by shmem in this order with a `gsync` before the flag; the receiver
//! finds the flag in its own memory, finds the envelope, and copies the words. UPC's accesses take the address out of the
//! pointer, and are GASNet's.

use super::X1;
use fathom_machine::parts::global::join;
use fathom_machine::parts::vector::{Loop, Stream};
use fathom_machine::Time;

/// Who performs a put or a get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    GasNet,
    Shmem,
    /// A shared access of UPC by a pointer with phase, which has its address beside the phase.
    Upc,
}

/// A place in another node's memory.
pub fn away(at: u64) -> u64 {
    join(1, at)
}

const WORD: u64 = 8;
/// A place in the own memory that nothing else uses.
const OWN: u64 = 1 << 30;

impl X1 {
    /// What a layer does before its access.
    fn enter(&self, layer: Layer) -> Time {
        match layer {
            Layer::GasNet => 0,
            Layer::Shmem => self.code.shmem,
            Layer::Upc => self.code.simple,
        }
    }

    /// A get of a word, until its value can be used.
    pub fn get(&mut self, now: Time, layer: Layer, at: u64) -> Time {
        let now = now + self.enter(layer);
        self.load(now, at)
    }

    /// A put of a word that is not waited for: when the processor goes on.
    pub fn put(&mut self, now: Time, layer: Layer, at: u64) -> Time {
        let now = now + self.enter(layer);
        self.store(now, at)
    }

    /// A put that has taken effect when it returns: nothing less than `gsync` tells.
    pub fn blocking_put(&mut self, now: Time, layer: Layer, at: u64) -> Time {
        let now = self.put(now, layer, at);
        self.gsync(now)
    }

    /// A put of a byte. A processor that stores words only loads the word, inserts the byte, and stores it.
    pub fn put_byte(&mut self, now: Time, at: u64) -> Time {
        if !self.node.processor.words_only {
            return self.store(now, at);
        }
        let now = self.load(now, at & !(WORD - 1));
        self.store(now + 2 * self.code.simple, at & !(WORD - 1))
    }

    /// A put of a word until it has taken effect, without anybody who asks.
    pub fn put_latency(&mut self, now: Time, layer: Layer, at: u64) -> Time {
        let now = self.put(now, layer, at);
        self.node.memory.drain(now)
    }

    /// A message of one word by MPI, until the receiver has it.
    pub fn message(&mut self, now: Time, at: u64) -> Time {
        let mut now = now + self.code.call + self.code.matching;
        for place in [at, at + WORD] {
            now = self.put(now, Layer::Shmem, place);
        }
        now = self.gsync(now);
        now = self.put_latency(now, Layer::Shmem, at + 2 * WORD);
        // The receiver has called before, and looks at the flag in its own memory.
        now = self.load(now, OWN) + self.code.matching;
        now = self.load(now, OWN + WORD);
        self.store(now, OWN + 2 * WORD) + self.code.call
    }

    /// Copies whole words to another node by loads and stores, one after the other: when the processor goes on.
    pub fn put_by_stores(&mut self, now: Time, to: u64, from: u64, bytes: u64) -> Time {
        let mut now = now;
        for i in (0..bytes).step_by(WORD as usize) {
            // Of loads and stores that follow each other, only the loads are waited for, and those by their places.
            let value = self.node.processor.load(&mut self.node.memory, now, from + i);
            now = value.free.max(self.store(value.free, to + i));
            now += self.code.simple;
        }
        now
    }

    /// The same by the library's copy, a call and a vector loop: when the processor goes on.
    pub fn put_by_copy(&mut self, now: Time, to: u64, from: u64, bytes: u64) -> Time {
        let streams = vec![Stream::load(from), Stream::store(to)];
        let mut copy = self.vector.at(now + self.code.call);
        copy.then(Loop { streams, iterations: bytes / WORD, operations: 0 });
        while copy.step(&mut self.node.memory) {}
        copy.now()
    }

    /// A put of whole words by GASNet, which has a size from which on it calls the system's copy (section 4.2.2): when the
    /// processor goes on.
    pub fn put_block(&mut self, now: Time, to: u64, from: u64, bytes: u64) -> Time {
        match bytes < self.code.copies_from {
            true => self.put_by_stores(now, to, from, bytes),
            false => self.put_by_copy(now, to, from, bytes),
        }
    }

    /// The least number of bytes, of whole words, from which a put of a block takes another time than stores do; none up
    /// to `most`.
    pub fn block_is_copied_from(&mut self, most: u64) -> Option<u64> {
        self.least(most, |block, stores, _| block != stores)
    }

    /// The least number of bytes, of whole words, from which the library's copy is faster; none up to `most`.
    pub fn copy_is_faster_from(&mut self, most: u64) -> Option<u64> {
        self.least(most, |_, stores, copy| copy < stores)
    }

    /// The least number of bytes of which this is true by the times of a put of a block, of stores, and of a copy.
    fn least(&mut self, most: u64, is: fn(Time, Time, Time) -> bool) -> Option<u64> {
        let from = 1 << 20;
        // What is copied is in the E-cache.
        (from..from + most).step_by(WORD as usize).for_each(|at| _ = self.load(0, at));
        let mut now = 1_000_000_000;
        (WORD..=most).step_by(WORD as usize).find(|bytes| {
            let mut takes = |by: fn(&mut X1, Time, u64, u64, u64) -> Time| {
                now += 1_000_000_000; // everything before is over
                by(self, now, away(0), from, *bytes) - now
            };
            is(takes(X1::put_block), takes(X1::put_by_stores), takes(X1::put_by_copy))
        })
    }
}
