//! Split-C's operations on a simulated T3D, as a compiler and a library would write them: accesses, operations of the
//! shell, and between them instructions, whose cycles are figures `code` of the machine file. No cost of an operation
//! as a whole is put in; each is the sum of its sequence, with what overlaps.
//!
//! One segment register ([`REGISTER`]) serves all accesses to other processors, and register 0 those to this one, so
//! that no two registers name one processor (T3D study, sections 3.4 and 3.5). A pointer to this processor is found by
//! comparing its number.

use fathom_machine::parts::block_transfer::Place;
use fathom_machine::parts::shell::{join, split, Read};
use fathom_machine::{machine, prefetch, prefetch_behind, Data, Description, Machine, Thread, Time, Words};
use std::collections::VecDeque;

/// The segment register of all remote accesses.
pub const REGISTER: usize = 1;
/// How many gets may be outstanding: the prefetch queue has as many places.
pub const GETS: usize = 16;
const WORD: u64 = 8;
const LINE: u64 = 32;

/// What instructions take between the accesses.
#[derive(Clone, Debug)]
struct Code {
    /// Takes the processor's number out of a pointer and makes the contents of a segment register of it.
    segment: Time,
    /// Asks whether that is this processor.
    check: Time,
    /// Clears the number in the pointer and inserts that of the register.
    address: Time,
    /// Advances a pointer, counts, and branches.
    repeat: Time,
    /// Enters a get into the table of targets, and looks it up later: half of it each.
    table: Time,
    /// Calls a function and returns.
    call: Time,
    /// Makes an address of the number of a slot.
    slot: Time,
    /// Finds a handler and jumps to it.
    dispatch: Time,
}

/// A pointer that every processor understands: a word of 48 bits of a processor's address and 16 bits of its number, so
/// that to add to it is to add integers (section 3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global(u64);

/// The bits of an address in a global pointer.
const ADDRESS_BITS: u32 = 48;

impl Global {
    /// # Panics
    /// The address has more than 48 bits, or the number more than 16: no T3D has either.
    pub fn new(processor: u32, at: u64) -> Self {
        assert!(at >> ADDRESS_BITS == 0 && processor >> 16 == 0, "{processor}: {at:#x} is not an address of a T3D");
        Global(u64::from(processor) << ADDRESS_BITS | at)
    }

    pub fn processor(self) -> u32 {
        (self.0 >> ADDRESS_BITS) as u32
    }

    /// The address at that processor.
    pub fn at(self) -> u64 {
        self.0 & ((1 << ADDRESS_BITS) - 1)
    }

    /// The word.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The pointer so many bytes further on the same processor.
    pub fn plus(self, bytes: u64) -> Self {
        Global(self.0 + bytes)
    }
}

/// How a block is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bulk {
    Uncached,
    Cached,
    Prefetch,
    Engine,
}

/// A machine whose processors run Split-C.
pub struct SplitC<D> {
    pub machine: Machine<D>,
    code: Code,
    /// The bytes of the cache, from which on a block drives out everything else; none without a cache.
    cache: Option<u64>,
    /// For each processor, where the outstanding gets come from and go to.
    gets: Vec<VecDeque<(u64, u64)>>,
    queues: Vec<Queue>,
}

impl<D: Data> SplitC<D> {
    /// # Errors
    /// The description has a mistake.
    pub fn new(description: &Description, processors: u32) -> Result<Self, String> {
        let figures = description.of_code();
        let time = |name: &str| figures.time(name);
        let code = Code {
            segment: time("segment")?,
            check: time("check")?,
            address: time("address")?,
            repeat: time("repeat")?,
            table: time("table")?,
            call: time("call")?,
            slot: time("slot")?,
            dispatch: time("dispatch")?,
        };
        figures.finish()?;
        let cache = match description.parts.contains_key("cache") {
            true => Some(description.of_part("cache").bytes("size")?),
            false => None,
        };
        Ok(SplitC {
            machine: machine(description, processors)?,
            code,
            cache,
            gets: vec![VecDeque::new(); processors as usize],
            // Without contents nobody asks who has taken how many messages.
            queues: vec![Queue::new(if D::IS_CARRIED { processors } else { 0 }); processors as usize],
        })
    }

    /// Processor `me` begins an operation soon.
    pub fn expect(&self, me: usize) {
        prefetch(&self.gets[me]);
        self.machine.expect(me);
    }

    /// A little later: the operation is with processor `with`.
    pub fn expect_with(&self, me: usize, with: u32) {
        if let Some(last) = self.gets[me].back() {
            prefetch_behind(last);
        }
        self.machine.expect_with(me, with);
    }

    /// Makes a pointer usable: the address by which an access reaches it. Segment, compare, set, address.
    fn point(&mut self, t: &mut Thread, p: Global, read: Read) -> u64 {
        t.now += self.code.segment + self.code.check;
        if p.processor() as usize == t.me {
            return p.at();
        }
        self.machine.set_segment(t, REGISTER, p.processor(), read);
        t.now += self.code.address;
        join(REGISTER, p.at())
    }

    /// `x = *p`: an uncached load, since nobody tells a cache of changes (section 4.4).
    pub fn read(&mut self, t: &mut Thread, p: Global) -> D {
        let at = self.point(t, p, Read::Uncached);
        self.machine.load(t, at)
    }

    /// `*p = x`: a store, a barrier so that it leaves the write buffer, and the status bit until it is clear
    /// (section 4.3).
    pub fn write(&mut self, t: &mut Thread, p: Global, x: D) {
        self.put(t, p, x);
        self.wait_for_stores(t);
    }

    /// `*p := x`: a store. [`sync`](Self::sync) waits for it.
    pub fn put(&mut self, t: &mut Thread, p: Global, x: D) {
        let at = self.point(t, p, Read::Uncached);
        self.machine.store(t, at, x);
    }

    fn wait_for_stores(&mut self, t: &mut Thread) {
        self.machine.barrier(t);
        self.machine.wait_for_writes(t);
    }

    /// `x := *p`: a prefetch, and the target's address in a table.
    pub fn get(&mut self, t: &mut Thread, to: u64, p: Global) {
        let at = self.point(t, p, Read::Uncached);
        self.get_by(t, to, at);
    }

    /// The same where the compiler knows that the last access went to the same processor.
    pub fn get_again(&mut self, t: &mut Thread, to: u64, p: Global) {
        let at = if p.processor() as usize == t.me { p.at() } else { join(REGISTER, p.at()) };
        self.get_by(t, to, at);
    }

    fn get_by(&mut self, t: &mut Thread, to: u64, at: u64) {
        if split(at).0 == 0 {
            let x = self.machine.load(t, at);
            return self.machine.store(t, to, x.moved(at, to));
        }
        if self.gets[t.me].len() == GETS {
            self.take_gets(t);
        }
        self.machine.prefetch(t, at);
        t.now += self.code.table / 2;
        self.gets[t.me].push_back((at, to));
    }

    /// `sync`: takes all outstanding gets, and waits for puts.
    pub fn sync(&mut self, t: &mut Thread) {
        self.take_gets(t);
        self.wait_for_stores(t);
    }

    /// The first half of `sync`: takes all outstanding gets. A barrier comes first: with fewer than four prefetches,
    /// they may still wait in the write buffer (section 5.2).
    pub fn take_gets(&mut self, t: &mut Thread) {
        if self.gets[t.me].is_empty() {
            return;
        }
        // Where the words go is spread over the cache.
        self.gets[t.me].iter().for_each(|(_, to)| self.machine.expect_at(t.me, *to));
        self.machine.barrier(t);
        while let Some((from, to)) = self.gets[t.me].pop_front() {
            t.now += self.code.table - self.code.table / 2;
            if let Some(x) = self.machine.pop(t) {
                self.machine.store(t, to, x.moved(from, to));
            }
        }
    }

    /// Copies `bytes` bytes, whole words, from another processor to this one's address `to`. Stops when `limit` has
    /// come: the bytes that are copied. The engine does not stop. None if the machine cannot do it this way.
    pub fn bulk_read(&mut self, t: &mut Thread, how: Bulk, to: u64, p: Global, bytes: u64, limit: Time) -> Option<u64> {
        Some(match how {
            Bulk::Uncached => self.bulk_uncached(t, to, p, bytes, limit),
            Bulk::Cached => self.bulk_cached(t, to, p, bytes, limit),
            Bulk::Prefetch => self.bulk_prefetch(t, to, p, bytes, limit),
            Bulk::Engine => {
                let (from, to) = (place(p), Place { processor: t.me as u32, at: to });
                if !self.machine.begin_transfer(t, from, to, bytes) {
                    return None;
                }
                self.machine.wait_for_transfer(t);
                bytes
            }
        })
    }

    /// Load, store, repeat.
    fn bulk_uncached(&mut self, t: &mut Thread, to: u64, p: Global, bytes: u64, limit: Time) -> u64 {
        let from = self.point(t, p, Read::Uncached);
        for i in (0..bytes).step_by(WORD as usize) {
            if t.now >= limit {
                return i;
            }
            let x = self.machine.load(t, from + i);
            self.machine.store(t, to + i, x.moved(from + i, to + i));
            t.now += self.code.repeat;
        }
        bytes
    }

    /// For each line: load its words, store them, drop the line, repeat. A block that fills the cache drives out all
    /// else, so that one operation may drop everything (section 6.2, note 3).
    fn bulk_cached(&mut self, t: &mut Thread, to: u64, p: Global, bytes: u64, limit: Time) -> u64 {
        let from = self.point(t, p, Read::Cached);
        let drops_each = self.cache.is_none_or(|size| bytes < size);
        for line in (0..bytes).step_by(LINE as usize) {
            if t.now >= limit {
                return line;
            }
            self.copy_line(t, to + line, from + line, LINE.min(bytes - line));
            if drops_each {
                self.machine.flush(t, from + line);
            }
            t.now += self.code.repeat;
        }
        if !drops_each {
            self.machine.flush_all(t);
        }
        bytes
    }

    /// Loads the words of a line and stores them.
    fn copy_line(&mut self, t: &mut Thread, to: u64, from: u64, bytes: u64) {
        let words = || (0..bytes).step_by(WORD as usize);
        let mut line = [D::default(); (LINE / WORD) as usize];
        for (x, i) in line.iter_mut().zip(words()) {
            *x = self.machine.load(t, from + i);
        }
        for (x, i) in line.iter().zip(words()) {
            self.machine.store(t, to + i, x.moved(from + i, to + i));
        }
    }

    /// Fewer words than the queue has places: a loop of prefetches, a barrier if there are fewer than four, and a loop
    /// that takes and stores. More: unrolled; sixteen prefetches, and then for each word that is taken, the one before
    /// is stored while this one comes, and the next prefetch is issued.
    fn bulk_prefetch(&mut self, t: &mut Thread, to: u64, p: Global, bytes: u64, limit: Time) -> u64 {
        let from = self.point(t, p, Read::Uncached);
        let words = bytes / WORD;
        if words < GETS as u64 {
            for i in 0..words {
                self.machine.prefetch(t, from + i * WORD);
                t.now += self.code.repeat;
            }
            if words < 4 {
                self.machine.barrier(t);
            }
            for i in 0..words {
                if let Some(x) = self.machine.pop(t) {
                    self.machine.store(t, to + i * WORD, x.moved(from + i * WORD, to + i * WORD));
                }
                t.now += self.code.repeat;
            }
            return bytes;
        }
        (0..GETS as u64).for_each(|i| self.machine.prefetch(t, from + i * WORD));
        let mut before: Option<(D, Time, u64)> = None;
        for i in 0..words {
            if t.now >= limit {
                return i * WORD;
            }
            let at = i * WORD;
            let next = self.machine.pop_ahead(t).map(|(x, there)| (x.moved(from + at, to + at), there, to + at));
            self.store_when_there(t, before.take());
            before = next;
            if i + (GETS as u64) < words {
                self.machine.prefetch(t, from + at + GETS as u64 * WORD);
            }
        }
        self.store_when_there(t, before);
        bytes
    }

    fn store_when_there(&mut self, t: &mut Thread, word: Option<(D, Time, u64)>) {
        if let Some((x, there, to)) = word {
            t.now = t.now.max(there);
            self.machine.store(t, to, x);
        }
    }

    /// Copies `bytes` bytes, whole words, from this processor's address `from` to another's, by stores: for each line,
    /// load its words, store them, repeat. [`sync`](Self::sync) waits for them.
    pub fn bulk_put(&mut self, t: &mut Thread, p: Global, from: u64, bytes: u64) {
        let to = self.point(t, p, Read::Uncached);
        self.bulk_put_by(t, to, from, bytes);
    }

    /// The next piece of a block whose first piece [`bulk_put`](Self::bulk_put) has copied.
    pub fn bulk_put_more(&mut self, t: &mut Thread, p: Global, from: u64, bytes: u64) {
        let to = if p.processor() as usize == t.me { p.at() } else { join(REGISTER, p.at()) };
        self.bulk_put_by(t, to, from, bytes);
    }

    /// A line is one of those that are stored: else each would take two places of the write buffer.
    fn bulk_put_by(&mut self, t: &mut Thread, to: u64, from: u64, bytes: u64) {
        let mut copied = 0;
        while copied < bytes {
            let room = LINE - (to + copied) % LINE;
            let line = room.min(bytes - copied);
            self.copy_line(t, to + copied, from + copied, line);
            copied += line;
            t.now += self.code.repeat;
        }
    }
}

fn place(p: Global) -> Place {
    Place { processor: p.processor(), at: p.at() }
}

// ---- the queue from many to one -------------------------------------------------------------------------------------

/// Slots of a processor's queue. Neither their number nor how a sender learns that there is room is printed: here each
/// sender may have an equal share of the slots on its way, and reads how many of its messages were taken when it has
/// used them up.
pub const SLOTS: u64 = 64;
/// A slot has a line of data, and the control word in the next one.
const SLOT: u64 = 64;
const QUEUE: u64 = 1 << 16;
/// Words of the owner: the next slot, how many messages of each sender it has taken, bytes that stores have brought.
const HEAD: u64 = QUEUE + SLOTS * SLOT;
const TAKEN: u64 = HEAD + 64;
const EMPTY: u64 = 0;
/// The register that counts the slots of this queue.
const TAIL: usize = 0;

/// What a processor keeps in registers and in its own memory about the queue.
#[derive(Clone)]
struct Queue {
    /// How many messages it has sent to each, and how many of them it knows to be taken.
    sent: Vec<u64>,
    known: Vec<u64>,
    /// How many it has taken, of each sender.
    taken: Vec<u64>,
    head: u64,
    /// Bytes that stores have brought.
    stored: u64,
}

impl Queue {
    fn new(processors: u32) -> Self {
        let none = vec![0; processors as usize];
        Queue { sent: none.clone(), known: none.clone(), taken: none, head: 0, stored: 0 }
    }
}

/// A message: what the receiver does, and four words for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    pub from: u32,
    pub what: What,
    pub words: [u64; 4],
}

/// What a message asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Nothing that the library does.
    User,
    /// Store word 1 at address word 0, and count its bytes.
    Store,
    /// Set byte word 1 of the word at address word 0 to word 2.
    Byte,
}

impl SplitC<Words> {
    /// Puts a message into a processor's queue. Returns false, and has done nothing, if this sender's share of the
    /// slots is full.
    ///
    /// The sequence: the slot from a fetch-and-increment register of the receiver; the four data words; a barrier and
    /// the status bit, so that they are there before the control word; the control word, and a barrier so that it
    /// leaves. The network does not promise to keep two stores in order.
    pub fn send(&mut self, t: &mut Thread, to: u32, what: What, words: [u64; 4]) -> bool {
        t.now += self.code.call + self.code.check;
        let share = (SLOTS / self.queues.len() as u64).max(1);
        let mine = &self.queues[t.me];
        if mine.sent[to as usize] - mine.known[to as usize] >= share {
            let at = TAKEN + WORD * t.me as u64;
            let taken = self.read(t, Global::new(to, at)).at(at);
            self.queues[t.me].known[to as usize] = taken;
            if self.queues[t.me].sent[to as usize] - taken >= share {
                return false;
            }
        }
        t.now += self.code.segment;
        let Some(slot) = self.machine.fetch_and_increment(t, to, TAIL) else { return false };
        self.queues[t.me].sent[to as usize] += 1;
        t.now += self.code.slot;
        let at = QUEUE + slot % SLOTS * SLOT;
        let by = self.point(t, Global::new(to, at), Read::Uncached);
        for (i, word) in (0..).zip(words) {
            self.machine.store(t, by + i * WORD, Words::one(by + i * WORD, word));
        }
        self.wait_for_stores(t);
        let control = 1 + what as u64 + 4 * t.me as u64;
        self.machine.store(t, by + LINE, Words::one(by + LINE, control));
        self.machine.barrier(t);
        true
    }

    /// Takes the next message out of this processor's queue, and does what it asks for.
    ///
    /// The sequence: the next slot's number, its control word; if there is one, the data words, the handler; then the
    /// slot is marked empty, a barrier so that this is in memory before a sender may use the slot again, and the count
    /// of messages taken from the sender and the next slot's number are stored.
    pub fn poll(&mut self, t: &mut Thread) -> Option<Message> {
        t.now += self.code.call;
        self.machine.load(t, HEAD);
        t.now += self.code.slot;
        let at = QUEUE + self.queues[t.me].head % SLOTS * SLOT;
        let control = self.machine.load(t, at + LINE).at(at + LINE);
        t.now += self.code.check;
        let control = control.checked_sub(1 + EMPTY)?;
        let what = [What::User, What::Store, What::Byte][(control % 4) as usize];
        let from = (control / 4) as u32;
        let words = [0, 1, 2, 3].map(|i| self.machine.load(t, at + i * WORD).at(at + i * WORD));
        t.now += self.code.dispatch;
        self.handle(t, what, words);
        self.machine.store(t, at + LINE, Words::one(at + LINE, EMPTY));
        self.machine.barrier(t);
        let mine = &mut self.queues[t.me];
        mine.head += 1;
        mine.taken[from as usize] += 1;
        let (head, taken, of) = (mine.head, mine.taken[from as usize], TAKEN + WORD * u64::from(from));
        self.machine.store(t, of, Words::one(of, taken));
        self.machine.store(t, HEAD, Words::one(HEAD, head));
        Some(Message { from, what, words })
    }

    fn handle(&mut self, t: &mut Thread, what: What, [at, value, byte, _]: [u64; 4]) {
        t.now += self.code.call;
        match what {
            What::User => {}
            What::Store => {
                self.machine.store(t, at, Words::one(at, value));
                self.queues[t.me].stored += WORD;
            }
            What::Byte => {
                let old = self.machine.load(t, at).at(at);
                let (shift, keeps) = (8 * value, !(0xFF << (8 * value)));
                t.now += self.code.address;
                self.machine.store(t, at, Words::one(at, old & keeps | (byte & 0xFF) << shift));
            }
        }
    }

    /// `*p :- x`: the receiver has to learn of it, and only the queue tells it.
    pub fn store(&mut self, t: &mut Thread, p: Global, x: u64) -> bool {
        self.send(t, p.processor(), What::Store, [p.at(), x, 0, 0])
    }

    /// A byte of a word, number `byte` from its least significant one: its owner changes the word, one request after
    /// the other (sections 4.5 and 7.4).
    pub fn byte_write(&mut self, t: &mut Thread, p: Global, byte: u64, x: u8) -> bool {
        self.send(t, p.processor(), What::Byte, [p.at(), byte, u64::from(x), 0])
    }

    /// How many bytes stores have brought to this processor: `store_sync` polls until they are as many as it waits for.
    pub fn stored(&self, me: usize) -> u64 {
        self.queues[me].stored
    }

    /// The first half of `barrier()`: waits for stores of its own and announces that it has arrived. Returns whether
    /// the machine has a barrier.
    pub fn begin_barrier(&mut self, t: &mut Thread) -> bool {
        self.wait_for_stores(t);
        let Some(barrier) = &mut self.machine.devices.barrier else { return false };
        t.now = barrier.announce(t.now, t.me);
        true
    }

    /// One turn of the second half: polls the queue, if the barrier leaves the processor free to do so, and ends the
    /// barrier if all have arrived. Whether it has, and the message that was taken.
    pub fn try_barrier(&mut self, t: &mut Thread) -> (bool, Option<Message>) {
        let is_fuzzy = self.machine.devices.barrier.as_ref().is_some_and(|b| b.is_fuzzy());
        let message = if is_fuzzy { self.poll(t) } else { None };
        let Some(barrier) = &mut self.machine.devices.barrier else { return (false, message) };
        let (is_over, now) = barrier.test(t.now, t.me);
        // The end is asked for at the time of the test.
        let end = is_over.then(|| barrier.end(t.now, t.me));
        t.now = end.unwrap_or(now);
        (is_over, message)
    }
}

// ---- without contents -----------------------------------------------------------------------------------------------

impl<D: Data> SplitC<D> {
    /// The times of a message to a processor whose contents are elsewhere: the sequence of [`send`](SplitC::send),
    /// after the stores of what does not fit into its words.
    pub fn deposit(&mut self, t: &mut Thread, to: u32, bytes: u64) {
        t.now += self.code.call + self.code.check + self.code.segment;
        let slot = self.machine.fetch_and_increment(t, to, TAIL).unwrap_or_default();
        t.now += self.code.slot;
        let at = QUEUE + slot % SLOTS * SLOT;
        if bytes > LINE {
            self.bulk_put(t, Global::new(to, QUEUE), QUEUE, (bytes - LINE).next_multiple_of(WORD));
        }
        let by = self.point(t, Global::new(to, at), Read::Uncached);
        (0..LINE / WORD).for_each(|i| self.machine.store(t, by + i * WORD, D::default()));
        self.wait_for_stores(t);
        self.machine.store(t, by + LINE, D::default());
        self.machine.barrier(t);
    }

    /// The times of taking such a message: the sequence of [`poll`](SplitC::poll).
    pub fn dispatch(&mut self, t: &mut Thread) {
        t.now += self.code.call;
        self.machine.load(t, HEAD);
        t.now += self.code.slot + self.code.check;
        let at = QUEUE + self.queues[t.me].head % SLOTS * SLOT;
        self.queues[t.me].head += 1;
        // The sender's stores have driven the slot out of the cache.
        for line in [at, at + LINE] {
            self.machine.nodes[t.me].memory.forget(line);
        }
        self.machine.load(t, at + LINE);
        (0..LINE / WORD).for_each(|i| _ = self.machine.load(t, at + i * WORD));
        t.now += self.code.dispatch;
        self.machine.store(t, at + LINE, D::default());
        self.machine.barrier(t);
        self.machine.store(t, TAKEN, D::default());
        self.machine.store(t, HEAD, D::default());
    }

    /// A look at the queue that finds nothing.
    pub fn look(&mut self, t: &mut Thread) {
        t.now += self.code.call;
        self.machine.load(t, HEAD);
        t.now += self.code.slot + self.code.check;
        self.machine.load(t, QUEUE + self.queues[t.me].head % SLOTS * SLOT + LINE);
    }

    /// Copies `bytes` bytes by the engine without waiting. False if the machine has none.
    pub fn begin_engine(&mut self, t: &mut Thread, p: Global, is_put: bool, bytes: u64) -> bool {
        let here = Place { processor: t.me as u32, at: QUEUE };
        let (from, to) = if is_put { (here, place(p)) } else { (place(p), here) };
        self.machine.begin_transfer(t, from, to, bytes)
    }

    pub fn wait_for_engine(&mut self, t: &mut Thread) {
        self.machine.wait_for_transfer(t);
    }

    /// `sync` for puts alone.
    pub fn wait_for_puts(&mut self, t: &mut Thread) {
        self.wait_for_stores(t);
    }
}
