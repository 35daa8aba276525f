//! A cache: set-associative, write-through or write-back, with or without allocation by stores.
//!
//! A hit costs `hit`; a miss costs what the part behind takes for a line, after `lookup`. A dirty line that has to leave is
//! written after the line that displaces it has come, or before that is asked for (`evicts_first`), and the asker does
//! not wait for it.

use crate::access::{Access, Data, Kind, Reply, Serves, WINDOW};
use crate::description::Wanted;
use crate::parts::Next;
use crate::{prefetch, prefetch_all, Time};

pub struct Cache<D> {
    line: u64,
    line_shift: u32,
    sets: u64,
    ways: usize,
    hit: Time,
    /// The time from which a value that hit can be used, after `hit`.
    usable: Time,
    lookup: Time,
    writes_back: bool,
    allocates: bool,
    /// Whether a dirty line leaves before the one that displaces it is asked for.
    evicts_first: bool,
    /// The tags of all sets, the most recently used first; [`EMPTY`] for none.
    tags: Vec<u64>,
    /// For each tag; empty if the cache writes through.
    dirty: Vec<bool>,
    /// For each tag; empty if no data are carried.
    lines: Vec<D>,
    next: Next<D>,
}

const EMPTY: u64 = u64::MAX;

impl<D: Data> Cache<D> {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted, next: Next<D>) -> Result<Self, String> {
        let line = figures.power_of_two("line", figures.bytes("line")?)?;
        if line > WINDOW {
            return Err(format!("a line has at most {WINDOW} bytes here"));
        }
        let ways = figures.places("ways")? as u64;
        let sets = figures.cache_bytes("size", line)? / (line * ways);
        if sets == 0 {
            return Err("the size is less than one set of lines".into());
        }
        let units = (sets * ways) as usize;
        let writes_back = figures.word("write", &["through", "back"])? == 1;
        Ok(Cache {
            line,
            line_shift: line.trailing_zeros(),
            sets: figures.power_of_two("sets", sets)?,
            ways: ways as usize,
            hit: figures.time("hit")?,
            usable: figures.time_or_zero("usable")?,
            lookup: figures.time_or_zero("lookup")?,
            writes_back,
            allocates: figures.word("allocate", &["read", "read-and-write"])? == 1,
            evicts_first: figures.has("evicts_first") && figures.switch("evicts_first")?,
            tags: vec![EMPTY; units],
            dirty: if writes_back { vec![false; units] } else { vec![] },
            lines: if D::IS_CARRIED { vec![D::default(); units] } else { vec![] },
            next,
        })
    }

    fn set_of(&self, at: u64) -> (u64, usize) {
        let unit = at >> self.line_shift;
        (unit, (unit & (self.sets - 1)) as usize * self.ways)
    }

    /// Finds the line and makes it the most recently used; the index of its tag.
    #[inline]
    fn find(&mut self, at: u64) -> Option<usize> {
        let (unit, first) = self.set_of(at);
        if self.tags[first] == unit {
            return Some(first);
        }
        let way = self.tags[first + 1..first + self.ways].iter().position(|t| *t == unit)? + 1;
        self.rotate(first, way);
        Some(first)
    }

    /// Moves the tag at this way to the front of its set.
    fn rotate(&mut self, first: usize, way: usize) {
        self.tags[first..=first + way].rotate_right(1);
        if self.writes_back {
            self.dirty[first..=first + way].rotate_right(1);
        }
        if D::IS_CARRIED {
            self.lines[first..=first + way].rotate_right(1);
        }
    }

    /// Gets a line from behind; the reply with all of its words. A displaced line that is dirty is written after it.
    fn fill(&mut self, now: Time, at: u64) -> Reply<D> {
        let base = at & !(self.line - 1);
        let (unit, first) = self.set_of(at);
        let last = self.ways - 1;
        let (victim, place) = (self.tags[first + last], first + last);
        let is_dirty = self.writes_back && victim != EMPTY && self.dirty[place];
        let leaving = Access::store(
            victim.checked_shl(self.line_shift).unwrap_or(0),
            self.line as u32,
            self.lines.get(place).copied().unwrap_or_default(),
        );
        if is_dirty && self.evicts_first {
            self.next.access(now + self.lookup, &leaving);
        }
        let reply = self.next.access(now + self.lookup, &Access::load(base, self.line as u32));
        if is_dirty && !self.evicts_first {
            self.next.access(reply.done, &leaving);
        }
        self.rotate(first, last);
        self.tags[first] = unit;
        if self.writes_back {
            self.dirty[first] = false;
        }
        if D::IS_CARRIED {
            self.lines[first] = reply.data;
        }
        reply
    }

    fn take_words(&mut self, place: usize, access: &Access<D>) {
        if D::IS_CARRIED && access.kind == Kind::Store {
            self.lines[place].take(&access.data, access.at, access.bytes);
        }
    }
}

impl<D: Data> Serves<D> for Cache<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        if matches!(access.kind, Kind::Uncached | Kind::Prefetch) {
            return self.next.access(now, access);
        }
        match (access.kind, self.find(access.at)) {
            (Kind::Load, Some(place)) => {
                let data = if D::IS_CARRIED { self.lines[place] } else { D::default() };
                let free = now + self.hit;
                Reply { free, done: free + self.usable, data }
            }
            (Kind::Load, None) => {
                let reply = self.fill(now, access.at);
                // The asker waits for the line: one miss at a time.
                Reply { free: reply.done, ..reply }
            }
            (_, found) if self.writes_back => {
                let (place, free) = match found {
                    Some(place) => (place, now + self.hit),
                    None if self.allocates => {
                        let done = self.fill(now, access.at).done;
                        (self.set_of(access.at).1, done)
                    }
                    None => return self.next.access(now + self.lookup, access),
                };
                self.dirty[place] = true;
                self.take_words(place, access);
                Reply { free, done: free, data: D::default() }
            }
            (_, found) => {
                if let Some(place) = found {
                    self.take_words(place, access);
                } else if self.allocates {
                    self.fill(now, access.at);
                    self.take_words(self.set_of(access.at).1, access);
                }
                self.next.access(now, access)
            }
        }
    }

    fn drain(&mut self, now: Time) -> Time {
        self.next.drain(now)
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        if let Some(place) = self.find(at) {
            self.take_words(place, &Access::store(at, bytes, *data));
        }
        self.next.place(at, bytes, data);
    }

    fn settle(&mut self, now: Time) {
        self.next.settle(now);
    }

    /// The words of a dirty line are lost: this is for caches that write through.
    fn forget(&mut self, at: u64) {
        let (_, first) = self.set_of(at);
        self.tags[first..first + self.ways].fill(EMPTY);
        self.next.forget(at);
    }

    fn expect(&self) {
        prefetch_all(&*self.next);
    }

    fn expect_at(&self, at: u64) {
        prefetch(&self.tags[self.set_of(at).1]);
    }

    fn forget_all(&mut self) {
        self.tags.fill(EMPTY);
        self.next.forget_all();
    }
}
