//! A processor that begins its accesses in the order of the program, one after the other.

use crate::access::{Access, Data, Reply, Serves};
use crate::description::Wanted;
use crate::Time;

/// What an operation costs the processor itself.
#[derive(Clone, Debug)]
pub struct Processor {
    /// The length of a cycle.
    pub cycle: Time,
    /// Issuing a store.
    pub store: Time,
    /// A memory barrier that finds nothing to wait for.
    pub barrier: Time,
    /// Whether instructions that do not need a loaded value go on while it is awaited.
    pub goes_on: bool,
    /// Whether it stores whole words only: a byte is then stored by reading, changing, and storing its word.
    pub words_only: bool,
}

impl Processor {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted) -> Result<Self, String> {
        let hertz = figures.frequency("clock")?;
        Ok(Processor {
            cycle: (1.0 / hertz).round() as Time,
            store: figures.time("store")?,
            barrier: figures.time_or_zero("barrier")?,
            goes_on: figures.has("goes_on") && figures.switch("goes_on")?,
            words_only: figures.has("words_only") && figures.switch("words_only")?,
        })
    }

    /// A load whose value is not used at once: the time after it.
    #[inline]
    pub fn load<D: Data>(&self, memory: &mut dyn Serves<D>, now: Time, at: u64) -> Reply<D> {
        memory.access(now, &Access::load(at, 8))
    }

    /// A store; the time at which the next operation can begin.
    #[inline]
    pub fn store<D: Data>(&self, memory: &mut dyn Serves<D>, now: Time, at: u64, data: D) -> Time {
        memory.access(now, &Access::store(at, 8, data)).free.max(now + self.store)
    }

    /// A memory barrier.
    pub fn barrier<D: Data>(&self, memory: &mut dyn Serves<D>, now: Time) -> Time {
        memory.drain(now).max(now + self.barrier)
    }
}
