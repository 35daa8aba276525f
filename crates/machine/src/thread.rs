//! A thread on a processor: its operations, one after the other, and the time at which it is.

use crate::access::{Access, Data, Kind, Reply};
use crate::build::Machine;
use crate::parts::shell::{split, Read, Segment};
use crate::Time;

/// A thread on a processor of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Thread {
    /// The processor's number.
    pub me: usize,
    pub now: Time,
}

impl Thread {
    pub fn new(me: usize) -> Self {
        Thread { me, now: 0 }
    }
}

impl<D: Data> Machine<D> {
    fn access(&mut self, t: &Thread, access: Access<D>) -> Reply<D> {
        if D::IS_CARRIED {
            self.settle(t.now);
        }
        self.nodes[t.me].memory.access(t.now, &access)
    }

    /// A load of a word, whose value is waited for only if it is not in the cache. By a segment register that reads
    /// uncached, it goes past the cache.
    pub fn load(&mut self, t: &mut Thread, at: u64) -> D {
        let shell = self.nodes[t.me].shell.as_ref();
        let is_uncached = split(at).0 != 0 && shell.is_some_and(|s| s.borrow().segment(at).read == Read::Uncached);
        let kind = if is_uncached { Kind::Uncached } else { Kind::Load };
        let reply = self.access(t, Access { kind, ..Access::load(at, 8) });
        t.now = reply.free;
        reply.data
    }

    pub fn store(&mut self, t: &mut Thread, at: u64, data: D) {
        let reply = self.access(t, Access::store(at, 8, data));
        t.now = reply.free.max(t.now + self.nodes[t.me].processor.store);
    }

    /// A memory barrier: what was stored and prefetched has left the write buffer.
    pub fn barrier(&mut self, t: &mut Thread) {
        let node = &mut self.nodes[t.me];
        t.now = node.memory.drain(t.now).max(t.now + node.processor.barrier);
    }

    /// Sets a segment register. Without a shell, this and the following do nothing.
    pub fn set_segment(&mut self, t: &mut Thread, index: usize, processor: u32, read: Read) {
        if let Some(shell) = &self.nodes[t.me].shell {
            t.now = shell.borrow_mut().set(t.now, index, Segment { processor, read });
        }
    }

    pub fn prefetch(&mut self, t: &mut Thread, at: u64) {
        let Some(shell) = self.nodes[t.me].shell.clone() else { return };
        let reply = self.access(t, Access { kind: Kind::Prefetch, ..Access::load(at, 8) });
        t.now = reply.free.max(t.now + shell.borrow().prefetch());
    }

    /// Takes the oldest prefetched word. None if it has not left the write buffer.
    pub fn pop(&mut self, t: &mut Thread) -> Option<D> {
        let (data, now) = self.nodes[t.me].shell.as_ref()?.borrow_mut().pop(t.now)?;
        t.now = now;
        Some(data)
    }

    /// Reads the status bit until it is clear; how often that was.
    pub fn wait_for_writes(&mut self, t: &mut Thread) -> u32 {
        let Some(shell) = &self.nodes[t.me].shell else { return 0 };
        let mut asked = 0;
        loop {
            let (is_busy, now) = shell.borrow_mut().is_busy(t.now);
            (t.now, asked) = (now, asked + 1);
            if !is_busy {
                return asked;
            }
        }
    }

    /// Adds 1 to a register of a processor, and waits for its old value.
    pub fn fetch_and_increment(&mut self, t: &mut Thread, processor: u32) {
        if let Some(shell) = &self.nodes[t.me].shell {
            t.now = shell.borrow_mut().fetch_and_increment(t.now, processor);
        }
    }

    /// Drops the line at the place of an address from the cache.
    pub fn flush(&mut self, t: &mut Thread, at: u64) {
        self.nodes[t.me].memory.forget(at);
        if let Some(shell) = &self.nodes[t.me].shell {
            t.now += shell.borrow().flush();
        }
    }
}
