//! A processor that begins its accesses in the order of the program, one after the other.

use crate::access::{Access, Data, Kind, Reply, Serves};
use crate::description::Wanted;
use crate::Time;
use std::collections::VecDeque;

/// What an operation costs the processor itself.
#[derive(Clone, Debug)]
pub struct Processor {
    /// The length of a cycle.
    pub cycle: Time,
    /// Issuing a store.
    pub store: Time,
    /// A memory barrier that finds nothing to wait for.
    pub barrier: Time,
    /// How many loads past the caches may be under way at once; 0 if the processor has no such loads.
    pub pipeline: usize,
    /// Issuing one of them.
    pub piped: Time,
    /// Whether instructions that do not need a loaded value go on while it is awaited.
    pub goes_on: bool,
    /// Whether it stores whole words only: a byte is then stored by reading, changing, and storing its word.
    pub words_only: bool,
}

/// The loads of a program that are under way.
#[derive(Clone, Debug, Default)]
pub struct Issue {
    under_way: VecDeque<Time>,
}

impl Issue {
    /// A load of a stream: past the caches, with others under way, if the processor can, else an ordinary one. The
    /// processor may go on at `free`.
    pub fn load<D: Data>(&mut self, processor: &Processor, memory: &mut dyn Serves<D>, now: Time, at: u64) -> Reply<D> {
        if processor.pipeline == 0 {
            return processor.load(memory, now, at);
        }
        let full = self.under_way.len() == processor.pipeline;
        let begin = if full { self.under_way.pop_front().unwrap_or(now).max(now) } else { now };
        let access = Access { kind: Kind::Uncached, ..Access::load(at, 8) };
        let reply = memory.access(begin, &access);
        self.under_way.push_back(reply.done);
        Reply { free: begin + processor.piped, ..reply }
    }
}

impl Processor {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted) -> Result<Self, String> {
        let hertz = figures.frequency("clock")?;
        let pipeline = if figures.has("pipeline") { figures.count("pipeline")? as usize } else { 0 };
        Ok(Processor {
            cycle: (1.0 / hertz).round() as Time,
            store: figures.time("store")?,
            barrier: figures.time_or_zero("barrier")?,
            pipeline: if figures.has("pipelined") && figures.switch("pipelined")? { pipeline } else { 0 },
            piped: figures.time_or_zero("piped")?,
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
