//! The cache of a processor that shares its memory with others: it writes back, allocates on loads and stores, and
//! writes to a line only if it owns it. Part `hypernode` behind it knows which caches hold a line, and looks into them
//! ([`Lines`]).
//!
//! One miss at a time: a miss that follows another one begins when that one has ended. A load waits for its word. The
//! words of a line come one after the other, `word` apart, the one that missed first; a load of a word that has not
//! come waits (SPP-1000 study, section 3). A store waits for nothing: stores to a line that is under way go into it,
//! so that a row of stores takes the misses' time only (section 3: a quarter of it by strides of a word).

use crate::access::{Access, Data, Kind, Reply, Serves, WINDOW};
use crate::description::Wanted;
use crate::parts::Next;
use crate::Time;
use std::cell::RefCell;
use std::rc::Rc;

/// The lines of a cache, which others look into.
#[derive(Debug)]
pub struct Lines<D> {
    shift: u32,
    sets: u64,
    ways: usize,
    /// The tags of all sets, the most recently used first: the line's number and 1, or 0 for none.
    tags: Vec<u64>,
    /// Whether the cache owns the line: it may be written, and memory may be old.
    owned: Vec<bool>,
    /// Empty if no data are carried.
    data: Vec<D>,
}

impl<D: Data> Lines<D> {
    fn set(&self, at: u64) -> (u64, usize) {
        let line = at >> self.shift;
        (line + 1, (line & (self.sets - 1)) as usize * self.ways)
    }

    /// Where the line of an address is.
    #[inline]
    fn find(&self, at: u64) -> Option<usize> {
        let (tag, first) = self.set(at);
        (first..first + self.ways).find(|place| self.tags[*place] == tag)
    }

    /// Makes a line the most recently used of its set; its place then.
    fn use_now(&mut self, at: u64, place: usize) -> usize {
        let (_, first) = self.set(at);
        if place > first {
            self.tags[first..=place].rotate_right(1);
            self.owned[first..=place].rotate_right(1);
            if D::IS_CARRIED {
                self.data[first..=place].rotate_right(1);
            }
        }
        first
    }

    /// Puts a line in the first place of its set. The line that it displaces, if that one is owned.
    fn put(&mut self, at: u64, data: D) -> Option<(u64, D)> {
        let (tag, first) = self.set(at);
        let last = first + self.ways - 1;
        let displaced = (self.tags[last] != 0 && self.owned[last])
            .then(|| ((self.tags[last] - 1) << self.shift, self.data.get(last).copied().unwrap_or_default()));
        self.use_now(at, last);
        (self.tags[first], self.owned[first]) = (tag, false);
        if D::IS_CARRIED {
            self.data[first] = data;
        }
        displaced
    }

    /// The words of the line, if the cache owns it; afterwards it does not, and keeps the line if `keeps`.
    pub fn give(&mut self, at: u64, keeps: bool) -> Option<D> {
        let place = self.find(at)?;
        let is_owned = std::mem::replace(&mut self.owned[place], false);
        if !keeps {
            self.tags[place] = 0;
        }
        is_owned.then(|| self.data.get(place).copied().unwrap_or_default())
    }
}

pub struct CoherentCache<D> {
    lines: Rc<RefCell<Lines<D>>>,
    line: u64,
    hit: Time,
    /// The time between two words of a line that comes.
    word: Time,
    /// The line that came last: its number and 1, when its first word came, and which one that was.
    coming: (u64, Time, u64),
    /// When the last miss ends.
    ends: Time,
    next: Next<D>,
}

const WORD: u64 = 8;

impl<D: Data> CoherentCache<D> {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted, next: Next<D>) -> Result<Self, String> {
        let line = figures.power_of_two("line", figures.bytes("line")?)?;
        if !(WORD..=WINDOW).contains(&line) {
            return Err(format!("a line has {WORD} to {WINDOW} bytes here"));
        }
        let ways = figures.places("ways")? as u64;
        let sets = figures.power_of_two("sets", figures.cache_bytes("size", line)? / (line * ways))?;
        let places = (sets * ways) as usize;
        let lines = Lines {
            shift: line.trailing_zeros(),
            sets,
            ways: ways as usize,
            tags: vec![0; places],
            owned: vec![false; places],
            data: if D::IS_CARRIED { vec![D::default(); places] } else { vec![] },
        };
        Ok(CoherentCache {
            lines: Rc::new(RefCell::new(lines)),
            line,
            hit: figures.time("hit")?,
            word: figures.time_or_zero("word")?,
            coming: (0, 0, 0),
            ends: 0,
            next,
        })
    }

    /// The same cache with this time between two words of a line that comes.
    pub fn coming_by(self, word: Time) -> Self {
        CoherentCache { word, ..self }
    }

    /// What others look into.
    pub fn lines(&self) -> Rc<RefCell<Lines<D>>> {
        self.lines.clone()
    }

    pub fn line(&self) -> u64 {
        self.line
    }

    /// Asks for a line: to read it, or to own it.
    fn ask(&mut self, now: Time, kind: Kind, at: u64) -> Reply<D> {
        let base = at & !(self.line - 1);
        let asked = Access { kind, at: base, bytes: self.line as u32, data: D::default() };
        // A line that it has already keeps its place; what came meanwhile cannot have displaced it.
        let had = self.lines.borrow().find(at).is_some();
        let reply = self.next.access(now.max(self.ends), &asked);
        let mut lines = self.lines.borrow_mut();
        let displaced = match lines.find(at) {
            Some(place) if had => {
                let place = lines.use_now(at, place);
                if D::IS_CARRIED {
                    lines.data[place] = reply.data;
                }
                None
            }
            _ => lines.put(at, reply.data),
        };
        drop(lines);
        if let Some((victim, data)) = displaced {
            self.next.access(reply.done, &Access::store(victim, self.line as u32, data));
        }
        self.ends = reply.done;
        self.coming = ((at / self.line) + 1, reply.done, at % self.line / WORD);
        reply
    }

    /// When the word of a line that hits is there.
    #[inline]
    fn comes(&self, at: u64) -> Time {
        let (tag, first_at, first) = self.coming;
        if tag != at / self.line + 1 {
            return 0;
        }
        let words = self.line / WORD;
        first_at + (at % self.line / WORD + words - first) % words * self.word
    }
}

impl<D: Data> Serves<D> for CoherentCache<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let at = access.at;
        let found = self.lines.borrow().find(at);
        match (access.kind, found) {
            (Kind::Load, Some(place)) => {
                let free = (now + self.hit).max(self.comes(at));
                let mut lines = self.lines.borrow_mut();
                let place = lines.use_now(at, place);
                Reply { free, done: free, data: lines.data.get(place).copied().unwrap_or_default() }
            }
            (Kind::Load, None) => {
                let reply = self.ask(now, Kind::Load, at);
                Reply { free: reply.done, ..reply }
            }
            (Kind::Store | Kind::Reserve, found) => {
                let mut free = now;
                if !found.is_some_and(|place| self.lines.borrow().owned[place]) {
                    // The processor goes on when the line is asked for, which one miss before it may delay.
                    free = now.max(self.ends);
                    self.ask(now, Kind::Reserve, at);
                }
                let mut lines = self.lines.borrow_mut();
                if let Some(place) = lines.find(at) {
                    let place = lines.use_now(at, place);
                    lines.owned[place] = true;
                    if D::IS_CARRIED {
                        lines.data[place].take(&access.data, at, access.bytes);
                    }
                }
                Reply { free, done: free.max(self.comes(at)), data: D::default() }
            }
            (Kind::Uncached | Kind::Prefetch, _) => self.next.access(now, access),
        }
    }

    fn drain(&mut self, now: Time) -> Time {
        self.next.drain(now.max(self.ends))
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        let mut lines = self.lines.borrow_mut();
        if let (true, Some(place)) = (D::IS_CARRIED, lines.find(at)) {
            lines.data[place].take(data, at, bytes);
        }
        drop(lines);
        self.next.place(at, bytes, data);
    }

    fn settle(&mut self, now: Time) {
        self.next.settle(now);
    }

    /// A line that the cache owns is written back first.
    fn forget(&mut self, at: u64) {
        let base = at & !(self.line - 1);
        let given = self.lines.borrow_mut().give(at, false);
        if let Some(data) = given {
            self.next.access(self.ends, &Access::store(base, self.line as u32, data));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::Description;
    use crate::parts::recorder::Recorder;

    /// A cache of 1 KB with lines of 32 bytes before a memory that takes 500 ns.
    fn cache(ways: u32) -> (CoherentCache<()>, Rc<RefCell<Recorder>>) {
        let recorder = Recorder::new(500_000);
        let text = format!(
            "[simulated]\nabout = \"\"\nmemory = \"cache\"\n[simulated.processor]\nclock = {{ value = \"100 MHz\", printed = \"x\" }}\n\
             [simulated.parts.cache]\nkind = \"coherent-cache\"\nsize = {{ value = \"1 KB\", printed = \"x\" }}\n\
             line = {{ value = \"32 B\", printed = \"x\" }}\nways = {{ value = {ways}, printed = \"x\" }}\n\
             hit = {{ value = \"10 ns\", printed = \"x\" }}\nword = {{ value = \"20 ns\", printed = \"x\" }}\n"
        );
        let description = Description::of_file(&text).unwrap().unwrap();
        let figures = description.of_part("cache");
        (CoherentCache::new(&figures, Box::new(recorder.clone())).unwrap(), recorder)
    }

    #[test]
    fn words_of_a_line_come_one_after_the_other() {
        let (mut cache, recorder) = cache(1);
        let mut now = 0;
        let mut load = |at| {
            now = cache.access(now, &Access::load(at, 8)).free;
            now
        };
        assert_eq!([load(0), load(8), load(16), load(24), load(0)], [500_000, 520_000, 540_000, 560_000, 570_000]);
        // From the word that missed, around the line.
        assert_eq!([load(48), load(40)], [1_070_000, 1_130_000]);
        assert_eq!(recorder.borrow().asked, [(0, Kind::Load, 0, 32), (570_000, Kind::Load, 32, 32)]);
    }

    #[test]
    fn stores_go_into_a_line_that_is_under_way_and_the_next_miss_waits() {
        let (mut cache, recorder) = cache(1);
        let mut store = |now, at| cache.access(now, &Access::store(at, 8, ())).free;
        assert_eq!(
            [store(0, 0), store(20_000, 8), store(40_000, 32), store(520_000, 40)],
            [0, 20_000, 500_000, 520_000]
        );
        assert_eq!(cache.drain(520_000), 1_000_000);
        assert_eq!(recorder.borrow().asked, [(0, Kind::Reserve, 0, 32), (500_000, Kind::Reserve, 32, 32)]);
    }

    #[test]
    fn a_line_that_was_read_is_asked_for_again_before_it_is_written() {
        let (mut cache, recorder) = cache(1);
        for (now, access) in [(0, Access::load(0, 8)), (1_000_000, Access::store(0, 8, ()))] {
            cache.access(now, &access);
        }
        cache.access(2_000_000, &Access::store(8, 8, ()));
        let kinds: Vec<Kind> = recorder.borrow().asked.iter().map(|a| a.1).collect();
        assert_eq!(kinds, [Kind::Load, Kind::Reserve]);
    }

    #[test]
    fn owned_lines_are_written_when_they_are_displaced_flushed_or_asked_for() {
        let (mut cache, recorder) = cache(2);
        let asked = |recorder: &Rc<RefCell<Recorder>>| {
            recorder.borrow_mut().asked.drain(..).map(|a| (a.1, a.2)).collect::<Vec<_>>()
        };
        let mut now = 0;
        let mut access = |cache: &mut CoherentCache<()>, a: Access<()>| {
            now += 1_000_000;
            cache.access(now, &a);
        };
        access(&mut cache, Access::store(0, 8, ()));
        access(&mut cache, Access::load(512, 8));
        access(&mut cache, Access::load(0, 8)); // now 512 is the one that was used least recently
        access(&mut cache, Access::load(1024, 8));
        assert_eq!(asked(&recorder), [(Kind::Reserve, 0), (Kind::Load, 512), (Kind::Load, 1024)]);
        access(&mut cache, Access::load(1536, 8));
        assert_eq!(asked(&recorder), [(Kind::Load, 1536), (Kind::Store, 0)]);
        access(&mut cache, Access::store(64, 8, ()));
        cache.forget(64);
        cache.forget(1536);
        assert_eq!(asked(&recorder), [(Kind::Reserve, 64), (Kind::Store, 64)]);
        access(&mut cache, Access::store(96, 8, ()));
        let lines = cache.lines();
        let given = [(); 2].map(|()| lines.borrow_mut().give(96, true));
        assert_eq!(given, [Some(()), None]);
        access(&mut cache, Access::load(96, 8));
        assert_eq!(asked(&recorder), [(Kind::Reserve, 96)]);
    }
}
