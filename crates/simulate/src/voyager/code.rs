//! What threads of an application processor do to send and receive messages, as steps: one operation of the bus or of
//! the cache, or instructions between them. Threads may take turns after each step (StarT-Voyager study, sections 2.2,
//! 2.3, 5).
//!
//! Stores to cached memory and the store past the caches that commits a message are ordered by a SYNC, as the PowerPC
//! architecture asks for. Without Reclaim software flushes each line that it has written or read.

use super::{receive_buffer, transmit_buffer, At, Voyager, LINE, SLOT};
use fathom_machine::parts::memory_bus::SRAM;
use fathom_machine::parts::nes::format::{Arrived, Tag, EMPTY};
use fathom_machine::Time;
use std::collections::VecDeque;

/// Steps of a thread after which it is said to wait in vain.
const PATIENCE: usize = 100_000;

/// A step of a thread.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Instructions.
    Work(Time),
    /// Takes the lock of a transmit (true) or receive queue; again, if another thread has it.
    Lock(bool, u32),
    Unlock(bool, u32),
    /// Finds the next slot of a Basic queue; again, if there is no room.
    Room(u32),
    /// Finds a slot for Tag-On data of this thread; again, as long as the endpoint needs it.
    TagRoom(u32),
    /// A word of 4 bytes into the slot that was found.
    Put(u32, u64, u32),
    /// Flushes lines of the slot: this many bytes.
    Flush(u32, u64),
    Sync,
    /// The producer pointer of a Basic queue goes behind the slot.
    Commit(u32),
    /// Threads of this site know it, too.
    Next(u32),
    /// The store that sends an Express message, or a Tag-On one with the slot's data.
    Express {
        queue: u32,
        destination: u32,
        payload: u64,
        tag: Option<(TagAt, bool)>,
    },
    /// Its first half, on a machine that needs two stores.
    ExpressHalf {
        queue: u32,
        destination: u32,
        payload: u64,
    },
    /// Reads an Express queue until there is a message.
    Poll(u32),
    /// A second load of 32 bits.
    PollAgain(u32),
    /// Reads a Basic queue's producer pointer until there is a message.
    Producer(u32),
    /// A word of 4 bytes of the message.
    Get(u32, u64),
    FlushReceived(u32, u64),
    /// Gives the Tag-On slot back.
    Free(u32),
    /// The consumer pointer of a Basic queue goes behind the message.
    Consume(u32),
}

/// Where Tag-On data lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagAt {
    /// In the slot that was found.
    Slot,
    /// In the first slot, where they were before.
    First,
}

/// What a thread does, and where it is.
#[derive(Clone, Debug, Default)]
pub struct Thread {
    pub site: usize,
    /// Threads of a site have buffers of their own.
    pub number: u32,
    pub now: Time,
    pub steps: VecDeque<Step>,
    /// The address of its slot, and for a Basic message its number in the queue.
    slot: u64,
    place: u64,
    /// The word of the last Express message.
    word: u64,
    /// Tag-On messages sent since the endpoint was known to have taken all.
    tags: u64,
    /// Words of messages, in the order in which they were read.
    pub got: Vec<u32>,
    /// Express words, in the order in which they were read.
    pub words: Vec<u64>,
}

/// How messages are sent and received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism {
    Express,
    TagOn,
    /// Tag-On data that lie in the endpoint's memory already.
    TagOnInPlace,
    Basic,
}

impl Thread {
    pub fn new(site: usize, number: u32, now: Time) -> Self {
        Thread { site, number, now, ..Thread::default() }
    }

    /// Performs what it has to do, alone.
    ///
    /// # Errors
    /// It waits in vain.
    pub fn run(&mut self, machine: &mut Voyager) -> Result<(), String> {
        for _ in 0..PATIENCE {
            if !machine.step(self) {
                return Ok(());
            }
        }
        Err(format!("site {}: a thread waits in vain", self.site))
    }

    /// The last Express message that it read.
    pub fn arrived(&self, machine: &Voyager) -> Option<Arrived> {
        machine.figures.format.of_word(self.word)
    }
}

/// The words beside the header of a Basic message.
fn basic_bytes(words: u64) -> u64 {
    8 + 4 * words.next_multiple_of(2)
}

impl Voyager {
    // ---- what is to be done
    // -------------------------------------------------------------------------------------------

    /// Sends words of 4 bytes; `locks` if other threads use the queue, too. Only Basic messages need locks.
    pub fn to_send(&self, how: Mechanism, locks: bool, queue: u32, destination: u32, words: &[u32]) -> Vec<Step> {
        match how {
            Mechanism::Express => {
                words.iter().flat_map(|word| self.to_send_express(queue, destination, u64::from(*word))).collect()
            }
            Mechanism::TagOn | Mechanism::TagOnInPlace => {
                let in_place = how == Mechanism::TagOnInPlace;
                let bytes = 4 * (words.len() as u64 - 1);
                let mut steps = vec![];
                if !in_place {
                    steps.push(Step::TagRoom(queue));
                    steps.extend(words[1..].iter().enumerate().map(|(i, word)| Step::Put(queue, i as u64, *word)));
                    if !self.reclaims {
                        steps.push(Step::Flush(queue, bytes));
                    }
                    steps.push(Step::Sync);
                }
                let at = if in_place { TagAt::First } else { TagAt::Slot };
                let is_long = bytes > self.figures.tag_bytes(false);
                steps.push(Step::Work(self.code.pack));
                let payload = u64::from(words[0]);
                steps.push(Step::Express { queue, destination, payload, tag: Some((at, is_long)) });
                steps
            }
            Mechanism::Basic => {
                let mut steps = vec![];
                steps.extend(locks.then_some(Step::Lock(true, queue)));
                steps.push(Step::Room(queue));
                let head = (words.len() as u32).div_ceil(2) | destination << 8;
                steps.push(Step::Put(queue, 0, head));
                steps.push(Step::Put(queue, 1, words.len() as u32));
                steps.extend(words.iter().enumerate().map(|(i, word)| Step::Put(queue, 2 + i as u64, *word)));
                if !self.reclaims {
                    steps.push(Step::Flush(queue, basic_bytes(words.len() as u64)));
                }
                steps.extend([Step::Sync, Step::Commit(queue), Step::Next(queue)]);
                steps.extend(locks.then_some(Step::Unlock(true, queue)));
                steps
            }
        }
    }

    fn to_send_express(&self, queue: u32, destination: u32, payload: u64) -> Vec<Step> {
        let mut steps = vec![Step::Work(self.code.pack)];
        if !self.figures.one_access() {
            steps.push(Step::ExpressHalf { queue, destination, payload });
        }
        steps.push(Step::Express { queue, destination, payload, tag: None });
        steps
    }

    /// Receives a message of so many words.
    pub fn to_receive(&self, how: Mechanism, locks: bool, queue: u32, words: u64) -> Vec<Step> {
        match how {
            Mechanism::Express => (0..words).flat_map(|_| self.to_receive_express(queue)).collect(),
            Mechanism::TagOn | Mechanism::TagOnInPlace => {
                let mut steps = self.to_receive_express(queue);
                steps.extend((0..words - 1).map(|i| Step::Get(queue, i)));
                if !self.reclaims {
                    steps.push(Step::FlushReceived(queue, 4 * (words - 1)));
                }
                steps.push(Step::Free(queue));
                steps
            }
            Mechanism::Basic => {
                let mut steps = vec![];
                steps.extend(locks.then_some(Step::Lock(false, queue)));
                steps.push(Step::Producer(queue));
                steps.extend((0..words + 2).map(|i| Step::Get(queue, i)));
                steps.push(Step::Work(self.code.dispatch));
                if !self.reclaims {
                    steps.push(Step::FlushReceived(queue, basic_bytes(words)));
                }
                steps.push(Step::Consume(queue));
                steps.extend(locks.then_some(Step::Unlock(false, queue)));
                steps
            }
        }
    }

    fn to_receive_express(&self, queue: u32) -> Vec<Step> {
        match self.code.two_loads {
            true => vec![Step::Poll(queue), Step::PollAgain(queue), Step::Work(self.code.dispatch)],
            false => vec![Step::Poll(queue), Step::Work(self.code.moves), Step::Work(self.code.dispatch)],
        }
    }

    // ---- doing it
    // -----------------------------------------------------------------------------------------------------

    /// Performs a thread's next step. Returns whether it has another one.
    pub fn step(&mut self, t: &mut Thread) -> bool {
        let Some(step) = t.steps.pop_front() else { return false };
        if !self.perform(t, &step) {
            t.steps.push_front(step);
        }
        !t.steps.is_empty()
    }

    /// Where a thread's Tag-On data are.
    fn tag_buffer(&self, t: &Thread, queue: u32, slot: u64) -> u64 {
        // Threads share a queue's buffer among them: so many slots each.
        transmit_buffer(queue) + SLOT * (slot + self.slots() * u64::from(t.number))
    }

    /// The slots of Tag-On data that a thread has.
    fn slots(&self) -> u64 {
        (self.figures.depth / 4).max(1)
    }

    /// Returns whether the step is done.
    fn perform(&mut self, t: &mut Thread, step: &Step) -> bool {
        let site = t.site;
        match step {
            Step::Work(time) => t.now += time,
            Step::Lock(sends, queue) => {
                let lock = &mut self.sites[site].shared.entry((*sends, *queue)).or_default().is_locked;
                if std::mem::replace(lock, true) && self.code.locks {
                    t.now += self.code.reserve;
                    return false;
                }
                t.now += self.code.lock;
            }
            Step::Unlock(sends, queue) => {
                self.sites[site].shared.entry((*sends, *queue)).or_default().is_locked = false;
                t.now = self.sync(t.now, site).max(t.now + self.code.unlock);
            }
            Step::Room(queue) => return self.find_slot(t, *queue),
            Step::TagRoom(queue) => {
                t.now += self.code.cycle;
                if t.tags >= self.slots() {
                    let (left, now) = self.load(t.now, site, At::TransmitConsumer(*queue));
                    t.now = now;
                    if left < self.sites[site].nes.transmit(*queue).producer {
                        return false;
                    }
                    t.tags = 0;
                }
                t.slot = self.tag_buffer(t, *queue, t.tags);
                t.tags += 1;
            }
            Step::Put(_, word, value) => t.now = self.store_cached(t.now, site, t.slot + 4 * word, *value),
            Step::Flush(_, bytes) => {
                for line in (0..*bytes).step_by(LINE as usize) {
                    t.now = self.flush(t.now, site, t.slot + line);
                }
            }
            Step::Sync => t.now = self.sync(t.now, site),
            Step::Commit(queue) => {
                let number = t.place;
                t.now = self.store(t.now, site, At::TransmitProducer(*queue), number + 1);
            }
            Step::Next(queue) => {
                let number = t.place;
                self.sites[site].shared.entry((true, *queue)).or_default().next = number + 1;
                t.now += self.code.store;
            }
            Step::Express { queue, destination, payload, tag } => {
                let tag = tag.map(|(at, is_long)| {
                    let at = if at == TagAt::Slot { t.slot } else { self.tag_buffer(t, *queue, 0) };
                    Tag { place: ((at - SRAM) / LINE) as u32, is_long }
                });
                let (at, data) = self.figures.format.store(*queue, *destination, tag, *payload);
                t.now = self.store(t.now, site, At::Send(at), u64::from(data));
            }
            Step::ExpressHalf { queue, destination, payload } => {
                let (at, _) = self.figures.format.store(*queue, *destination, None, *payload);
                t.now = self.store(t.now, site, At::SendHalf(at), 0);
            }
            Step::Poll(queue) => {
                let (word, now) = self.load(t.now, site, At::Receive(*queue));
                (t.word, t.now) = (word, now);
                if word == EMPTY {
                    return false;
                }
                t.words.push(word);
            }
            Step::PollAgain(queue) => {
                // The other half of the same message: the endpoint's memory holds it, so that only time passes.
                t.now = self.load(t.now, site, At::ReceiveProducer(*queue)).1;
            }
            Step::Producer(queue) => {
                let (producer, now) = self.load(t.now, site, At::ReceiveProducer(*queue));
                t.now = now;
                let next = self.sites[site].shared.entry((false, *queue)).or_default().next;
                t.slot = receive_buffer(*queue) + SLOT * (next % self.figures.depth);
                return producer > next;
            }
            Step::Get(queue, word) => {
                let from = match self.figures.format.of_word(t.word).and_then(|arrived| arrived.tag) {
                    Some(tag) if self.is_express(site, *queue) => receive_buffer(*queue) + SLOT * u64::from(tag.place),
                    _ => t.slot,
                };
                let (value, now) = self.load_cached(t.now, site, from + 4 * word);
                (t.slot, t.now) = (from, now);
                t.got.push(value);
            }
            Step::FlushReceived(_, bytes) => {
                for line in (0..*bytes).step_by(LINE as usize) {
                    t.now = self.flush(t.now, site, t.slot + line);
                }
            }
            Step::Free(queue) => {
                let tag = self.figures.format.of_word(t.word).and_then(|arrived| arrived.tag);
                let slot = tag.map_or(0, |tag| u64::from(tag.place));
                t.now = self.store(t.now, site, At::FreeSlot(*queue), slot);
            }
            Step::Consume(queue) => {
                let next = self.sites[site].shared.entry((false, *queue)).or_default().next + 1;
                t.now = self.store(t.now, site, At::ReceiveConsumer(*queue), next);
                self.sites[site].shared.entry((false, *queue)).or_default().next = next;
            }
        }
        true
    }

    fn is_express(&self, site: usize, queue: u32) -> bool {
        self.sites[site].nes.receive(queue).class == fathom_machine::parts::nes::queue::Class::Express
    }

    fn find_slot(&mut self, t: &mut Thread, queue: u32) -> bool {
        let site = t.site;
        t.now += self.code.cycle;
        let shared = self.sites[site].shared.entry((true, queue)).or_default();
        let next = shared.next;
        let seems_full = next >= shared.seen.saturating_add(self.figures.depth);
        if seems_full || !self.code.shadows {
            let (seen, now) = self.load(t.now, site, At::TransmitConsumer(queue));
            t.now = now;
            self.sites[site].shared.entry((true, queue)).or_default().seen = seen;
            if next >= seen.saturating_add(self.figures.depth) {
                return false;
            }
        }
        t.slot = transmit_buffer(queue) + SLOT * (next % self.figures.depth);
        t.place = next;
        true
    }
}
