//! The shell of a T3D processor: what makes memory of other processors reachable by loads and stores (T3D study, sections
//! 1.2 and 3 to 5).
//!
//! Five bits of an address choose one of 32 segment registers (the annex). A register names a processor and how its memory
//! is read: uncached, one word past the cache, or cached, a line. Register 0 always means this processor, whose memory is
//! behind the shell. Stores come from the write buffer; a status bit tells whether some that have *left the buffer* are
//! not yet acknowledged. A prefetch goes through the write buffer, too; its word arrives in a queue, from which a load of
//! the processor takes it.
//!
//! The times that the study prints are whole trips at a distance of one hop. What of such a trip is neither the network's
//! nor the memory's is the shell's own, the same at every distance.

use crate::access::{Access, Data, Kind, Reply, Serves};
use crate::contention::{Due, Server};
use crate::description::Wanted;
use crate::network::Carries;
use crate::parts::Next;
use crate::{prefetch, prefetch_all, prefetch_behind, Time};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// A memory that its own processor and others use.
pub type Shared<D> = Rc<RefCell<Next<D>>>;

/// What an operation of a processor spends a time on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub what: String,
    pub from: Time,
    pub to: Time,
    /// The request that it is part of, counted from 1; 0: what the processor does itself.
    pub request: usize,
}

/// What lies around the shells of a machine.
pub struct Around<D> {
    pub network: Box<dyn Carries>,
    /// The memory behind each shell.
    pub memories: Vec<Shared<D>>,
    /// The lines that writes of others have driven out of each processor's cache, and when.
    pub driven_out: Vec<Vec<(Time, u64)>>,
}

/// How a segment register reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Read {
    /// One word, which no cache keeps.
    #[default]
    Uncached,
    /// A line, which the cache keeps.
    Cached,
}

/// A segment register.
#[derive(Clone, Copy, Debug, Default)]
pub struct Segment {
    pub processor: u32,
    pub read: Read,
}

/// Bits of an offset within a segment: 27, so that a segment has 128 MB (section 3.2).
pub const OFFSET_BITS: u32 = 27;
/// The number of segment registers.
pub const SEGMENTS: usize = 32;

/// The segment register that an address chooses, and the offset.
pub fn split(at: u64) -> (usize, u64) {
    ((at >> OFFSET_BITS) as usize % SEGMENTS, at & ((1 << OFFSET_BITS) - 1))
}

/// The address of an offset by a segment register.
pub fn join(segment: usize, offset: u64) -> u64 {
    (segment as u64) << OFFSET_BITS | offset
}

pub struct Shell<D> {
    me: u32,
    local: Shared<D>,
    around: Rc<RefCell<Around<D>>>,
    segments: [Segment; SEGMENTS],
    own: Rc<Own>,
    /// The processor's bus: stores leave the write buffer one after the other, and loads from memory may need it, too.
    exit: Server,
    /// When the last word of the prefetch queue that was asked for has come over the bus.
    popped: Time,
    writes: VecDeque<Write<D>>,
    fetches: VecDeque<Fetch<D>>,
    /// Each of them departs no earlier than the one before it.
    in_order: bool,
    /// How much of the present operation of the processor has been waiting for others' use of the network, and of those
    /// before: a moment that an operation waits for may be late by what an earlier part of the same operation was.
    late: Time,
    late_before: Time,
    /// What the processor's operations spend their time on, if somebody asks.
    pub journal: Option<Vec<Step>>,
}

/// The shell's own share of each operation, at every distance: the same for all shells of a machine.
#[derive(Clone, Debug)]
pub struct Own {
    uncached: Time,
    cached: Time,
    write: Time,
    fetch: Time,
    swap: Time,
    /// A store leaves the write buffer in this time, and at this rate if it has more bytes.
    inject: Time,
    rate: f64,
    /// What an access to another page takes more if it comes from another processor.
    off_page: Time,
    on_page: Time,
    set: Time,
    poll: Time,
    pop: Time,
    flush: Time,
    flush_all: Time,
    prefetch: Time,
    fetches: usize,
    /// Whether loads from memory hold the bus that stores to other processors need.
    shares_bus: bool,
    /// Whether a segment register is set only after all stores before have left.
    set_waits: bool,
    /// Whether writes of others drive lines out of the cache.
    invalidates: bool,
}

struct Write<D> {
    line: u64,
    left: Time,
    arrives: Time,
    acknowledged: Time,
    late: Lateness,
    /// The words that have yet to arrive: offset, bytes.
    words: Vec<(u64, u32, D)>,
    processor: u32,
}

struct Fetch<D> {
    departs: Time,
    ready: Time,
    late: Lateness,
    data: D,
}

/// How late an answer is by others' use of the network, and how late the processor was, in all, when it asked.
#[derive(Clone, Copy)]
struct Lateness {
    flight: Time,
    asked: Time,
}

/// Bytes of a request for a word or a line, and of an acknowledgement.
const REQUEST: u64 = 8;
const WORD: u64 = 8;

impl Own {
    /// `trip` tells how long a request of so many bytes and a reply of so many take over one hop of an idle network.
    ///
    /// # Errors
    /// A figure is missing or wrong, or a trip is longer than what the study prints for all.
    pub fn new(figures: &Wanted, trip: &mut dyn FnMut(u64, u64) -> Time) -> Result<Self, String> {
        let on_page = figures.time("on_page")?;
        let mut rest = |name: &str, there: u64, back: u64, memory: Time| {
            let whole = figures.time(name)?;
            let others = trip(there, back) + memory;
            whole
                .checked_sub(others)
                .ok_or_else(|| format!("figure `{name}` is less than what network and memory take"))
        };
        let line = figures.bytes("line")?;
        Ok(Own {
            uncached: rest("uncached_read", REQUEST, WORD, on_page)?,
            cached: rest("cached_read", REQUEST, line, on_page)?,
            write: rest("write", WORD, REQUEST, on_page)?,
            fetch: rest("fetch", REQUEST, WORD, on_page)?,
            swap: rest("swap", WORD, WORD, on_page)?,
            inject: figures.time("inject")?,
            rate: figures.rate("rate")?,
            off_page: figures.time("off_page")?,
            on_page,
            set: figures.time("set")?,
            poll: figures.time("poll")?,
            pop: figures.time("pop")?,
            flush: figures.time("flush")?,
            flush_all: figures.time("flush_all")?,
            prefetch: figures.time("prefetch")?,
            fetches: figures.places("fetches")?,
            shares_bus: figures.switch("shares_bus")?,
            set_waits: figures.switch("set_waits")?,
            invalidates: figures.switch("invalidates")?,
        })
    }
}

impl<D: Data> Shell<D> {
    pub fn new(own: Rc<Own>, me: u32, local: Shared<D>, around: Rc<RefCell<Around<D>>>) -> Self {
        let segments = [Segment { processor: me, read: Read::Cached }; SEGMENTS];
        Shell {
            me,
            local,
            around,
            segments,
            own,
            exit: Server::default(),
            popped: 0,
            writes: VecDeque::new(),
            fetches: VecDeque::new(),
            in_order: true,
            late: 0,
            late_before: 0,
            journal: None,
        }
    }

    /// Sets a segment register; the time after it. Register 0 stays.
    pub fn set(&mut self, now: Time, index: usize, segment: Segment) -> Time {
        if !index.is_multiple_of(SEGMENTS) {
            self.segments[index % SEGMENTS] = segment;
        }
        now + self.own.set
    }

    pub fn segment(&self, at: u64) -> Segment {
        self.segments[split(at).0]
    }

    /// Reads the status bit: whether stores that had left the write buffer at `now` are still under way; and the time
    /// after it.
    pub fn is_busy(&mut self, now: Time) -> (bool, Time) {
        self.writes.retain(|w| w.acknowledged > now || !w.words.is_empty());
        (self.writes.iter().any(|w| w.left <= now && now < w.acknowledged), now + self.own.poll)
    }

    /// Asks for the oldest prefetched word: the word, when the request is out, and when the word is here. None if the
    /// queue is empty, or its oldest prefetch has not left the write buffer.
    pub fn pop(&mut self, now: Time) -> Option<(D, Time, Time)> {
        let now = now.max(self.popped);
        let oldest = self.fetches.front().filter(|f| f.departs <= now)?;
        let (data, ready, late) = (oldest.data, oldest.ready, oldest.late);
        self.fetches.pop_front();
        self.wait(now, self.due(ready, late));
        self.popped = now.max(ready) + self.own.pop;
        Some((data, now, self.popped))
    }

    #[inline]
    pub(crate) fn note(&mut self, what: &str, from: Time, to: Time) {
        if self.journal.is_some() {
            self.enter(what, from, to);
        }
    }

    #[cold]
    fn enter(&mut self, what: &str, from: Time, to: Time) {
        if let Some(journal) = self.journal.as_mut().filter(|_| from < to) {
            journal.push(Step { what: what.into(), from, to, request: 0 });
        }
    }

    /// Notes the way of a request and its answer: the times at which it is out, at the other memory, back in the
    /// network, and over.
    #[inline]
    fn note_way(&mut self, with: u32, bytes: (u64, u64), times: [Time; 5]) {
        if self.journal.is_some() {
            self.enter_way(with, bytes, times);
        }
    }

    #[cold]
    fn enter_way(&mut self, with: u32, (there, back): (u64, u64), times: [Time; 5]) {
        let Some(journal) = &mut self.journal else { return };
        let [began, out, arrived, answered, over] = times;
        let request = 1 + journal.iter().map(|step| step.request).max().unwrap_or(0);
        let mut step = |what: String, from: &mut Time, takes: Time| {
            journal.push(Step { what, from: *from, to: *from + takes, request });
            *from += takes;
        };
        let network = &self.around.borrow().network;
        let mut at = began;
        step("the shell, on the way out".into(), &mut at, out - began);
        for (what, takes) in network.steps(self.me, with, there) {
            step(format!("request: {what}"), &mut at, takes);
        }
        let stores = arrived.saturating_sub(at);
        step("stores that went before".into(), &mut at, stores);
        at = arrived;
        step("the other processor's memory".into(), &mut at, answered - arrived);
        for (what, takes) in network.steps(with, self.me, back) {
            step(format!("answer: {what}"), &mut at, takes);
        }
        let in_shell = over.saturating_sub(at);
        step("the shell, on the way in".into(), &mut at, in_shell);
    }

    /// Begins an operation of the processor: [`late`](Self::late) is that of its parts.
    pub fn begin_operation(&mut self) {
        self.late_before += std::mem::take(&mut self.late);
    }

    /// How much of the operation was waiting for others' use of resources.
    pub fn late(&self) -> Time {
        self.late
    }

    /// A part of the operation that waits is late by this.
    pub(crate) fn add_late(&mut self, late: Time) {
        self.late += late;
    }

    /// The operation waits from `now` until a moment.
    pub(crate) fn wait(&mut self, now: Time, until: Due) {
        self.late = Due { at: now, late: self.late.min(now) }.max(until).late;
    }

    fn due(&self, at: Time, late: Lateness) -> Due {
        Due { at, late: late.flight + late.asked.saturating_sub(self.late_before) }
    }

    /// When all stores that had left the write buffer at `now` are acknowledged.
    pub(crate) fn acknowledged(&self, now: Time) -> Due {
        let left = self.writes.iter().filter(|w| w.left <= now);
        left.map(|w| self.due(w.acknowledged, w.late)).fold(Due::default(), Due::max)
    }

    /// An operation comes soon: this computer's processor begins to read the queues.
    pub(crate) fn expect(&self) {
        if let (Some(first), Some(last)) = (self.fetches.front(), self.fetches.back()) {
            prefetch(first);
            prefetch_behind(last);
        }
    }

    /// When the bus is free of words of the prefetch queue.
    pub fn popped(&self) -> Time {
        self.popped
    }

    /// When the last store that left is in the other memory.
    pub fn last_arrival(&self) -> Option<Time> {
        self.writes.iter().map(|w| w.arrives).max()
    }

    /// Whether a segment register is set only after all stores before have left the write buffer.
    pub fn set_waits(&self) -> bool {
        self.own.set_waits
    }

    /// Puts a word into memory and takes the one that is there; the time at which it is here.
    pub fn swap(&mut self, now: Time, at: u64, word: D) -> (D, Time) {
        let (index, offset) = split(at);
        let segment = self.segments[index];
        let out = now + self.own.swap / 2;
        let there = self.around.borrow_mut().network.carry(out, self.me, segment.processor, WORD);
        let before = self.writes.iter().filter(|w| w.processor == segment.processor && w.left <= now);
        let at_home = before.map(|w| w.arrives).fold(there.tail, Time::max);
        self.deliver(at_home);
        let (done, old) = self.memory(at_home, segment.processor, &Access::load(offset, WORD as u32));
        let mut around = self.around.borrow_mut();
        around.memories[segment.processor as usize].borrow_mut().place(offset, WORD as u32, &word);
        if D::IS_CARRIED && self.own.invalidates {
            around.driven_out[segment.processor as usize].push((done, offset));
        }
        let back = around.network.carry_back(done, segment.processor, self.me, WORD);
        self.late += there.late + back.late;
        (old, back.tail + self.own.swap - self.own.swap / 2)
    }

    /// The cost of dropping a line from the cache.
    pub fn flush(&self) -> Time {
        self.own.flush
    }

    /// The cost of dropping all lines.
    pub fn flush_all(&self) -> Time {
        self.own.flush_all
    }

    /// The cost of issuing a prefetch.
    pub fn prefetch(&self) -> Time {
        self.own.prefetch
    }

    /// The time at which the memory of a processor has answered an access that arrives at `at`, and what it has read.
    fn memory(&self, at: Time, processor: u32, access: &Access<D>) -> (Time, D) {
        let reply = self.around.borrow().memories[processor as usize].access_shared(at, access);
        // It takes at least half of what another page takes more, whatever the memory itself prints for a page.
        let is_off_page = reply.done - at > self.own.on_page + self.own.off_page / 2;
        (reply.done + if is_off_page { self.own.off_page } else { 0 }, reply.data)
    }

    fn read(&mut self, now: Time, segment: Segment, access: &Access<D>, own: Time) -> (Due, D) {
        let out = now + own / 2;
        let there = {
            let around = &mut *self.around.borrow_mut();
            prefetch_all(&**around.memories[segment.processor as usize].borrow());
            around.network.carry(out, self.me, segment.processor, REQUEST)
        };
        // A request does not overtake the stores to the same processor that went before it.
        let before = self.writes.iter().filter(|w| w.processor == segment.processor && w.left <= now);
        let at = before.map(|w| w.arrives).fold(there.tail, Time::max);
        self.deliver(at);
        let (done, data) = self.memory(at, segment.processor, access);
        let bytes = u64::from(access.bytes);
        let back = self.around.borrow_mut().network.carry_back(done, segment.processor, self.me, bytes);
        let due = Due { at: back.tail + own - own / 2, late: there.late + back.late };
        self.note_way(segment.processor, (REQUEST, bytes), [now, out, at, done, due.at]);
        (due, data)
    }

    fn write(&mut self, now: Time, segment: Segment, access: &Access<D>, offset: u64) -> Reply<D> {
        let needs = self.own.inject.max((f64::from(access.bytes) / self.own.rate).round() as Time);
        let left = self.exit.take(now, needs) + needs;
        let bytes = u64::from(access.bytes);
        let there =
            self.around.borrow_mut().network.carry(left + self.own.write / 2, self.me, segment.processor, bytes);
        let (written, _) =
            self.memory(there.tail, segment.processor, &Access { kind: Kind::Reserve, at: offset, ..*access });
        let mut around = self.around.borrow_mut();
        if D::IS_CARRIED && self.own.invalidates && segment.processor != self.me {
            around.driven_out[segment.processor as usize].push((written, offset));
        }
        let back = around.network.carry_back(written, segment.processor, self.me, REQUEST);
        let late = Lateness { flight: there.late + back.late, asked: self.late_before + self.late };
        let acknowledged = back.tail + self.own.write - self.own.write / 2;
        drop(around);
        let leaves = left + self.own.write / 2;
        self.note_way(segment.processor, (bytes, REQUEST), [left, leaves, there.tail, written, acknowledged]);
        if self.writes.len() > 64 {
            self.writes.retain(|w| w.acknowledged > now || !w.words.is_empty());
        }
        let line = access.at & !31;
        let processor = segment.processor;
        // Without a write buffer in front, the words come with the store.
        let words = match access.kind {
            Kind::Store if D::IS_CARRIED => vec![(offset, access.bytes, access.data)],
            _ => vec![],
        };
        self.writes.push_back(Write { line, left, arrives: written, acknowledged, late, words, processor });
        Reply { free: left, done: left, data: D::default() }
    }
}

/// Calls of a memory that several use, without a mutable handle.
trait AccessShared<D> {
    fn access_shared(&self, now: Time, access: &Access<D>) -> Reply<D>;
}

impl<D: Data> AccessShared<D> for Shared<D> {
    fn access_shared(&self, now: Time, access: &Access<D>) -> Reply<D> {
        self.borrow_mut().access(now, access)
    }
}

impl<D: Data> Shell<D> {
    /// Puts the words of the stores that have arrived into the memories to which they went.
    fn deliver(&mut self, now: Time) {
        if !D::IS_CARRIED {
            return;
        }
        let around = self.around.borrow();
        for write in self.writes.iter_mut().filter(|w| w.arrives <= now) {
            for (offset, bytes, data) in write.words.drain(..) {
                around.memories[write.processor as usize].borrow_mut().place(offset, bytes, &data);
            }
        }
    }
}

impl<D: Data> Serves<D> for Shell<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let (index, offset) = split(access.at);
        let inner = Access { at: offset, ..*access };
        if index == 0 {
            let is_load = matches!(access.kind, Kind::Load | Kind::Uncached);
            if !(is_load && self.own.shares_bus) {
                return self.local.access_shared(now, &inner);
            }
            // It holds the bus until the memory has answered.
            let begin = self.exit.take(now, 0);
            let reply = self.local.access_shared(begin, &inner);
            let late = self.exit.take(begin, reply.done - begin) - begin;
            return Reply { free: reply.free + late, done: reply.done + late, ..reply };
        }
        let segment = self.segments[index];
        let (done, data) = match access.kind {
            Kind::Store | Kind::Reserve => return self.write(now, segment, access, offset),
            Kind::Prefetch => {
                let inner = Access { kind: Kind::Load, ..inner };
                let (ready, data) = self.read(now, segment, &inner, self.own.fetch);
                let late = Lateness { flight: ready.late, asked: self.late_before + self.late };
                if self.fetches.len() == self.own.fetches {
                    self.fetches.pop_front(); // lost, as in a queue without a check
                }
                let last = self.fetches.back().map(|last| last.departs);
                self.in_order = last.is_none_or(|last| self.in_order && last <= now);
                self.fetches.push_back(Fetch { departs: now, ready: ready.at, late, data });
                return Reply { free: now, done: now, data: D::default() };
            }
            Kind::Uncached => {
                self.read(now.max(self.popped), segment, &Access { kind: Kind::Load, ..inner }, self.own.uncached)
            }
            Kind::Load => self.read(now.max(self.popped), segment, &inner, self.own.cached),
        };
        self.late += done.late;
        Reply { free: done.at, done: done.at, data }
    }

    /// A barrier waits until everything has left the write buffer, and not for acknowledgements.
    fn drain(&mut self, now: Time) -> Time {
        let last = match self.in_order {
            true => self.fetches.back().map(|f| f.departs),
            false => self.fetches.iter().map(|f| f.departs).max(),
        };
        now.max(last.unwrap_or(now))
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        let (index, offset) = split(at);
        if index == 0 {
            return self.local.borrow_mut().place(offset, bytes, data);
        }
        let line = at & !31;
        if let Some(write) = self.writes.iter_mut().rev().find(|w| w.line == line) {
            write.words.push((offset, bytes, *data));
        }
    }

    fn settle(&mut self, now: Time) {
        self.deliver(now);
        self.local.borrow_mut().settle(now);
    }
}
