//! A thread on a processor: its operations, one after the other, and the time at which it is.

use crate::access::{Access, Data, Kind, Reply};
use crate::build::Machine;
use crate::parts::block_transfer::Place;
use crate::parts::messages::{self, Message};
use crate::parts::shell::{split, Read, Segment};
use crate::{prefetch, prefetch_all, Time};

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

/// What a processor does while it takes words of the prefetch queue, and while it asks for acknowledgements: what these
/// come from is noted beside.
const POPS: &str = "takes words of the prefetch queue";
const ASKS: &str = "reads the status bit";

impl<D: Data> Machine<D> {
    /// A thread of this processor begins an operation soon: what that needs, this computer's processor begins to read.
    pub fn expect(&self, me: usize) {
        let node = &self.nodes[me];
        prefetch_all(&*node.memory);
        if let Some(shell) = &node.shell {
            prefetch_all(&**shell);
        }
    }

    /// The same a little later, when that has been read: what it leads to, and the memory of the processor with which the
    /// operation is.
    pub fn expect_with(&self, me: usize, with: u32) {
        self.nodes[me].memory.expect();
        if let Some(shell) = &self.nodes[me].shell {
            shell.borrow().expect();
        }
        if let Some(around) = &self.around {
            if let Some(memory) = around.borrow().memories.get(with as usize) {
                prefetch(&**memory);
            }
        }
    }

    /// Processor `me` soon accesses its own memory at this address.
    pub fn expect_at(&self, me: usize, at: u64) {
        self.nodes[me].memory.expect_at(at);
    }

    /// Notes what a thread has done since `began`.
    fn note(&self, t: &Thread, what: &str, began: Time) {
        if let Some(shell) = &self.nodes[t.me].shell {
            shell.borrow_mut().note(what, began, t.now);
        }
    }

    /// Lets what acts by itself do what is due: messages interrupt this processor, block transfers move lines.
    fn catch_up(&mut self, t: &mut Thread) {
        if let Some(messages) = &mut self.devices.messages {
            t.now = messages.interrupts(t.now, t.me);
        }
        if let (Some(transfers), Some(around)) = (&mut self.devices.transfers, &self.around) {
            if transfers.is_active() {
                transfers.advance(&mut around.borrow_mut(), t.now);
            }
        }
    }

    fn access(&mut self, t: &mut Thread, access: Access<D>) -> Reply<D> {
        self.catch_up(t);
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
        let began = t.now;
        let reply = self.access(t, Access { kind, ..Access::load(at, 8) });
        t.now = reply.free;
        let is_remote = split(at).0 != 0;
        self.note(t, if is_remote { "waits for a load of the other memory" } else { "loads of its own memory" }, began);
        reply.data
    }

    pub fn store(&mut self, t: &mut Thread, at: u64, data: D) {
        self.store_bytes(t, at, 8, data);
    }

    /// A store of part of a word, of processors that have such stores.
    pub fn store_bytes(&mut self, t: &mut Thread, at: u64, bytes: u32, data: D) {
        let began = t.now;
        let reply = self.access(t, Access::store(at, bytes, data));
        t.now = reply.free.max(t.now + self.nodes[t.me].processor.store);
        let is_remote = split(at).0 != 0;
        self.note(t, if is_remote { "issues stores to the other memory" } else { "stores to its own memory" }, began);
    }

    /// A memory barrier: what was stored and prefetched has left the write buffer.
    pub fn barrier(&mut self, t: &mut Thread) {
        let node = &mut self.nodes[t.me];
        let began = t.now;
        t.now = node.memory.drain(t.now).max(t.now + node.processor.barrier);
        self.note(t, "memory barriers: the write buffer drains", began);
    }

    /// Sets a segment register. Without a shell, this and the following do nothing. A register is set by a store, which
    /// leaves the processor after those before it: stores that wait go to the processors that the registers named when
    /// they were made.
    pub fn set_segment(&mut self, t: &mut Thread, index: usize, processor: u32, read: Read) {
        let Some(shell) = self.nodes[t.me].shell.clone() else { return };
        let began = t.now;
        if shell.borrow().set_waits() {
            t.now = self.nodes[t.me].memory.drain(t.now);
        }
        let mut shell = shell.borrow_mut();
        let now = t.now.max(shell.popped());
        t.now = shell.set(now, index, Segment { processor, read });
        shell.note("sets the segment register", began, t.now);
    }

    pub fn prefetch(&mut self, t: &mut Thread, at: u64) {
        let Some(shell) = self.nodes[t.me].shell.clone() else { return };
        let began = t.now;
        t.now = t.now.max(shell.borrow().popped());
        let reply = self.access(t, Access { kind: Kind::Prefetch, ..Access::load(at, 8) });
        t.now = reply.free.max(t.now + shell.borrow().prefetch());
        shell.borrow_mut().note("issues prefetches", began, t.now);
    }

    /// Takes the oldest prefetched word. None if it has not left the write buffer.
    pub fn pop(&mut self, t: &mut Thread) -> Option<D> {
        let (data, there) = self.pop_ahead(t)?;
        let began = t.now;
        t.now = t.now.max(there);
        self.note(t, POPS, began);
        Some(data)
    }

    /// The same, with the time at which the word is there. The processor goes on, if it can, until it needs it; the
    /// next operation of the shell begins after it.
    pub fn pop_ahead(&mut self, t: &mut Thread) -> Option<(D, Time)> {
        let processor = &self.nodes[t.me].processor;
        let (data, out, there) = self.nodes[t.me].shell.as_ref()?.borrow_mut().pop(t.now)?;
        let began = t.now;
        t.now = if processor.goes_on { (out + processor.cycle).min(there) } else { there };
        self.note(t, POPS, began);
        Some((data, there))
    }

    /// Reads the status bit until it is clear; how often that was.
    pub fn wait_for_writes(&mut self, t: &mut Thread) -> u32 {
        let Some(shell) = &self.nodes[t.me].shell else { return 0 };
        let mut asked = 0;
        t.now = t.now.max(shell.borrow().popped());
        let (began, acknowledged) = (t.now, shell.borrow().acknowledged(t.now));
        loop {
            let (is_busy, now) = shell.borrow_mut().is_busy(t.now);
            (t.now, asked) = (now, asked + 1);
            if !is_busy {
                let mut shell = shell.borrow_mut();
                shell.wait(began, acknowledged);
                shell.note(ASKS, began, t.now);
                return asked;
            }
        }
    }

    /// Adds 1 to a register of a processor, and waits for the value before. None if the machine has no such registers.
    pub fn fetch_and_increment(&mut self, t: &mut Thread, processor: u32, index: usize) -> Option<u64> {
        let began = t.now;
        self.catch_up(t);
        let (registers, around) = (self.devices.registers.as_mut()?, self.around.as_ref()?);
        let network = &mut *around.borrow_mut().network;
        let (before, now) = registers.fetch_and_increment(network, t.now, t.me as u32, (processor, index));
        t.now = now;
        if let Some(shell) = &self.nodes[t.me].shell {
            let mut shell = shell.borrow_mut();
            shell.add_late(registers.late());
            shell.note("fetch-and-increment at the other processor, there and back", began, t.now);
        }
        Some(before)
    }

    /// Puts a word into memory and waits for the one that was there, as one operation.
    pub fn swap(&mut self, t: &mut Thread, at: u64, word: D) -> D {
        let Some(shell) = self.nodes[t.me].shell.clone() else { return D::default() };
        self.barrier(t); // stores of its own come before
        self.catch_up(t);
        if D::IS_CARRIED {
            self.settle(t.now);
        }
        let (old, now) = shell.borrow_mut().swap(t.now, at, word);
        t.now = now;
        old
    }

    /// Drops the line at the place of an address from the cache.
    pub fn flush(&mut self, t: &mut Thread, at: u64) {
        self.nodes[t.me].memory.forget(at);
        if let Some(shell) = &self.nodes[t.me].shell {
            t.now += shell.borrow().flush();
        }
    }

    /// Drops all lines from the cache.
    pub fn flush_all(&mut self, t: &mut Thread) {
        self.nodes[t.me].memory.forget_all();
        if let Some(shell) = &self.nodes[t.me].shell {
            t.now += shell.borrow().flush_all();
        }
    }

    /// Starts a block transfer. Returns whether the machine has an engine.
    pub fn begin_transfer(&mut self, t: &mut Thread, from: Place, to: Place, bytes: u64) -> bool {
        self.barrier(t); // the engine reads memory, not write buffers
        self.catch_up(t);
        if D::IS_CARRIED {
            self.settle(t.now);
        }
        let (Some(transfers), Some(around)) = (&mut self.devices.transfers, &self.around) else { return false };
        let (began, is_taken) = (t.now, transfers.is_taken(t.me));
        t.now = transfers.begin(&mut around.borrow_mut(), t.now, t.me, from, to, bytes);
        if let (Some(shell), true) = (&self.nodes[t.me].shell, is_taken) {
            shell.borrow_mut().add_late((t.now - began).saturating_sub(transfers.start()));
        }
        self.note(t, "starts the block-transfer engine", began);
        true
    }

    /// Waits for the last block transfer.
    pub fn wait_for_transfer(&mut self, t: &mut Thread) {
        if let (Some(transfers), Some(around)) = (&mut self.devices.transfers, &self.around) {
            let began = t.now;
            t.now = transfers.finish(&mut around.borrow_mut(), t.now, t.me);
            if let Some(shell) = &self.nodes[t.me].shell {
                let mut shell = shell.borrow_mut();
                shell.wait(began, transfers.free(t.me));
                shell.note("waits for the block-transfer engine", began, t.now);
            }
        }
    }

    /// Sends a message to the user-level queue of a processor. Returns whether the machine has such queues.
    pub fn send(&mut self, t: &mut Thread, to: u32, words: [u64; messages::WORDS]) -> bool {
        self.catch_up(t);
        let (Some(queues), Some(around)) = (&mut self.devices.messages, &self.around) else { return false };
        t.now = queues.send(&mut *around.borrow_mut().network, t.now, t.me as u32, to, words);
        true
    }

    /// Takes the oldest message that has arrived, by a handler if it is switched to.
    pub fn receive(&mut self, t: &mut Thread, by_handler: bool) -> Option<Message> {
        self.catch_up(t);
        let queues = self.devices.messages.as_mut()?;
        let message = queues.take(t.me)?;
        if by_handler {
            t.now += queues.handler();
        }
        Some(message)
    }
}
