//! A write buffer: it accepts stores at once, merges stores to its newest line, and writes lines behind the processor's
//! back. Loads pass the stores that wait, unless they ask for the same line.
//!
//! A place is taken from the store that opens it until its line is written. The lines under way overlap: each has its
//! own time in the memory behind, and a line that takes long does not keep the others. (A depth of n therefore shows as the memory's time divided by the time of a store in
//! a long row: T3D study, section 2.3, infers a depth of four this way.) The newest line goes to memory when it can take no
//! more stores: when another line follows, `merge` after it was opened, when a load asks for it, or at a barrier.
//!
//! Lines are compared by the addresses that leave the processor. Of two addresses that mean one word, a load by one
//! passes a store by the other and reads the old word: T3D study, section 3.4.

use crate::access::{Access, Data, Kind, Reply, Serves, WINDOW};
use crate::description::Wanted;
use crate::parts::Next;
use crate::{prefetch_all, Time};

pub struct WriteBuffer<D> {
    depth: usize,
    line: u64,
    merges: bool,
    /// How long a line takes further stores.
    merge: Time,
    /// How long a prefetch takes to pass through.
    pass: Time,
    /// In the order in which they were opened.
    entries: Vec<Entry<D>>,
    next: Next<D>,
}

struct Entry<D> {
    line: u64,
    opened: Time,
    /// The first byte that was stored, and the number of bytes from it to the last.
    from: u64,
    bytes: u32,
    /// When it is written; None while it may still merge.
    done: Option<Time>,
    data: D,
    /// The bytes that were stored, one bit each, counted from the line's begin.
    stored: u128,
}

impl<D: Data> WriteBuffer<D> {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted, next: Next<D>) -> Result<Self, String> {
        let depth = figures.places("depth")?;
        if figures.bytes("line")? > WINDOW {
            return Err(format!("a line has at most {WINDOW} bytes here"));
        }
        Ok(WriteBuffer {
            depth,
            line: figures.power_of_two("line", figures.bytes("line")?)?,
            merges: figures.switch("merges")?,
            merge: figures.time("merge")?,
            pass: figures.time_or_zero("pass")?,
            entries: Vec::with_capacity(depth + 1),
            next,
        })
    }

    /// Sends the newest line to memory, if it has not gone.
    fn send_newest(&mut self) {
        let Some(newest) = self.entries.last_mut() else { return };
        if newest.done.is_none() {
            let access = Access { kind: Kind::Reserve, at: newest.from, bytes: newest.bytes, data: D::default() };
            newest.done = Some(self.next.access(newest.opened, &access).done);
        }
    }

    /// Removes the lines that are written at `now`.
    fn retire(&mut self, now: Time) {
        if self.entries.last().is_some_and(|e| e.done.is_none() && now >= e.opened + self.merge) {
            self.send_newest();
        }
        while let Some((i, _)) = self.first_done().filter(|(_, done)| *done <= now) {
            self.remove(i);
        }
    }

    /// The line that is written first, and when. The newest has to be sent before.
    fn first_done(&self) -> Option<(usize, Time)> {
        let all = self.entries.iter().enumerate();
        all.filter_map(|(i, e)| Some((i, e.done?))).min_by_key(|(_, done)| *done)
    }

    fn remove(&mut self, i: usize) {
        let entry = self.entries.remove(i);
        // Prefetches, which have no address here, store nothing.
        if D::IS_CARRIED && entry.stored != 0 {
            for word in (0..self.line).step_by(8) {
                let at = entry.line + word;
                match (entry.stored >> word) as u8 {
                    0xFF => self.next.place(at, 8, &entry.data),
                    bytes => {
                        (0..8).filter(|b| bytes >> b & 1 == 1).for_each(|b| self.next.place(at + b, 1, &entry.data))
                    }
                }
            }
        }
    }

    /// The time from which there is a place for one more line.
    fn place_from(&mut self, now: Time) -> Time {
        let mut free = now;
        while self.entries.len() >= self.depth {
            let Some((i, done)) = self.first_done() else { break };
            free = free.max(done);
            self.remove(i);
        }
        free
    }

    fn store(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let line = access.at & !(self.line - 1);
        let newest = self.entries.last_mut().filter(|e| self.merges && e.line == line && e.done.is_none());
        if let Some(newest) = newest {
            let end = (newest.from + u64::from(newest.bytes)).max(access.at + u64::from(access.bytes));
            newest.from = newest.from.min(access.at);
            newest.bytes = (end - newest.from) as u32;
            newest.data.take(&access.data, access.at, access.bytes);
            newest.stored |= stored(access, line);
            return Reply { free: now, done: now, data: D::default() };
        }
        self.send_newest();
        let free = self.place_from(now);
        self.entries.push(Entry {
            line,
            opened: free,
            from: access.at,
            bytes: access.bytes,
            done: None,
            data: access.data,
            stored: stored(access, line),
        });
        Reply { free, done: free, data: D::default() }
    }

    /// A prefetch takes a place until it has left, and merges with nothing.
    fn pass(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        self.send_newest();
        let free = self.place_from(now);
        let done = self.next.access(free + self.pass, access).done;
        let (line, from) = (u64::MAX, access.at);
        self.entries.push(Entry { line, opened: free, from, bytes: 0, done: Some(done), data: access.data, stored: 0 });
        Reply { free, done, data: D::default() }
    }

    fn load(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let (from, to, size) = (access.at, access.at + u64::from(access.bytes), self.line);
        let is_same = |e: &Entry<D>| e.stored != 0 && e.line < to && from < e.line + size;
        if !self.entries.iter().any(is_same) {
            return self.next.access(now, access);
        }
        // Everything up to that line is written first.
        self.send_newest();
        let last = self.entries.iter().rposition(is_same).unwrap_or(0);
        let mut at = now;
        for _ in 0..=last {
            at = at.max(self.entries.first().and_then(|e| e.done).unwrap_or(now));
            self.remove(0);
        }
        self.next.access(at, access)
    }
}

/// The bytes of an access, one bit each.
fn stored<D>(access: &Access<D>, line: u64) -> u128 {
    (u128::MAX >> (128 - access.bytes.clamp(1, 128))) << (access.at - line)
}

impl<D: Data> Serves<D> for WriteBuffer<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        self.retire(now);
        match access.kind {
            Kind::Store | Kind::Reserve => self.store(now, access),
            Kind::Load | Kind::Uncached => self.load(now, access),
            Kind::Prefetch => self.pass(now, access),
        }
    }

    fn drain(&mut self, now: Time) -> Time {
        self.send_newest();
        let mut done = now;
        if D::IS_CARRIED {
            while let Some((i, at)) = self.first_done() {
                done = done.max(at);
                self.remove(i);
            }
        } else {
            done = self.entries.drain(..).filter_map(|e| e.done).fold(done, Time::max);
        }
        self.next.drain(done)
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        self.next.place(at, bytes, data);
    }

    fn settle(&mut self, now: Time) {
        self.retire(now);
        self.next.settle(now);
    }

    fn forget(&mut self, at: u64) {
        self.next.forget(at);
    }

    fn expect(&self) {
        prefetch_all(self.entries.as_slice());
        prefetch_all(&*self.next);
    }

    fn forget_all(&mut self) {
        self.next.forget_all();
    }
}
