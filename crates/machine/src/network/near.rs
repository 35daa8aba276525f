//! What threads of one node do to each other's memory: they copy, by their own processors, and the node's memory serves
//! one after the other.
//!
//! A transfer of n bytes takes its thread `put` (or `get`) and n bytes at the rate at which one thread copies. Meanwhile
//! it holds the node's memory for n bytes at `memory_rate`: k threads that copy at once are done when the slowest of two
//! limits is, their own rate or the memory's. A message is a copy into memory of the receiver, between the overheads of
//! both processors, and is seen `notice` later. At a barrier the threads of a node gather in a binary tree, whose steps
//! take `notice`, and are let go in the same way.
//!
//! Not modelled: caches, and processors of a node that are nearer to each other than to others.

use crate::contention::{Due, Ports};
use crate::description::{Description, Wanted};
use crate::Time;

/// The memory that threads of a node share, of all nodes.
#[derive(Clone, Debug)]
pub struct Near {
    put: Copying,
    get: Copying,
    /// Picoseconds for which a byte holds the memory.
    memory: f64,
    notice: Time,
    o_send: Time,
    o_recv: Time,
    /// By node.
    memories: Ports,
}

/// How one thread copies.
#[derive(Clone, Copy, Debug)]
struct Copying {
    base: Time,
    /// Picoseconds.
    per_byte: f64,
}

impl Copying {
    fn of(figures: &Wanted, name: &str) -> Result<Self, String> {
        Ok(Copying { base: figures.time(name)?, per_byte: per_byte(figures, &format!("{name}_rate"))? })
    }

    fn takes(&self, bytes: u64) -> Time {
        self.base + (bytes as f64 * self.per_byte).round() as Time
    }
}

fn per_byte(figures: &Wanted, name: &str) -> Result<f64, String> {
    figures.rate(name).map(|rate| 1.0 / rate)
}

impl Near {
    /// The memories of this number of nodes.
    ///
    /// # Errors
    /// A figure is missing, wrong or unknown.
    pub fn new(description: &Description, nodes: u32) -> Result<Self, String> {
        let figures = description.of_near();
        // Of the description itself: they say what is built.
        let _ = (figures.has("threads"), figures.has("nics"));
        let near = Near {
            put: Copying::of(&figures, "put")?,
            get: Copying::of(&figures, "get")?,
            memory: per_byte(&figures, "memory_rate")?,
            notice: figures.time("notice")?,
            o_send: figures.time("o_send")?,
            o_recv: figures.time("o_recv")?,
            memories: Ports::new(nodes as usize),
        };
        figures.finish()?;
        Ok(near)
    }

    /// A thread of this node puts, or gets, this number of bytes from `now` on: when it is done.
    pub fn transfer(&mut self, now: Time, node: u32, is_put: bool, bytes: u64) -> Due {
        let own = if is_put { self.put } else { self.get }.takes(bytes);
        let shared = (bytes as f64 * self.memory).round() as Time;
        let begin = self.memories.take(node, now, shared);
        let at = (now + own).max(begin + shared);
        // Its own copies are over before it begins the next one: what is late is due to others.
        Due { at, late: at - now - own.max(shared) }
    }

    /// A thread of this node sends a message to another one of the same: when its processor is free, and when the other
    /// one can see the message.
    pub fn message(&mut self, now: Time, node: u32, bytes: u64) -> (Due, Due) {
        let free = self.transfer(now + self.o_send, node, true, bytes);
        (free, free.after(self.notice))
    }

    /// The time for which a message occupies the processor that takes it.
    pub fn receive_overhead(&self) -> Time {
        self.o_recv
    }

    /// From when the last of this number of threads has come until one knows that all have; and from when one knows
    /// something until all do.
    pub fn meeting(&self, threads: u32) -> Time {
        self.notice * Time::from(threads.next_power_of_two().trailing_zeros())
    }

    /// What the time of a transfer consists of if nothing else is under way.
    pub fn transfer_steps(&self, is_put: bool, bytes: u64) -> Vec<(String, Time)> {
        let how = if is_put { self.put } else { self.get };
        let own = how.takes(bytes);
        let shared = (bytes as f64 * self.memory).round() as Time;
        vec![
            ("begins to copy within the node".to_string(), how.base),
            ("copies its bytes".to_string(), own - how.base),
            ("its bytes, at the rate of the node's memory".to_string(), shared.saturating_sub(own)),
        ]
    }

    /// What the time of a message consists of, until it can be seen, if nothing else is under way; first the sender's
    /// overhead.
    pub fn message_steps(&self, bytes: u64) -> Vec<(String, Time)> {
        let mut steps = vec![("the processor sends".to_string(), self.o_send)];
        steps.extend(self.transfer_steps(true, bytes));
        steps.push(("until the other processor sees it".to_string(), self.notice));
        steps.retain(|(_, time)| *time > 0);
        steps
    }
}
