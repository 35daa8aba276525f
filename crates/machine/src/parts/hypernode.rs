//! Hypernodes: processors that share a memory, several of which are joined by rings (SPP-1000 study, section 1). This
//! is the one part of a machine that all of its processors share: a [`Port`] is what one of them asks.
//!
//! Within a hypernode, memory knows which processors may have a line and whether one of them owns it. A clean line
//! leaves a cache silently, so that memory may believe in copies that are gone; a line that is written back is known
//! to be nowhere. While a line changes hands, others that ask for it wait. What an access takes is a sum:
//!
//! | the line | to read | to own |
//! |---|---|---|
//! | in memory, or in the interconnect cache | `load` | `store` |
//! | others may have copies | the same | + `invalidate` |
//! | another processor owns it | + `pass_on` + `update` | + `pass_on` |
//! | it is in another hypernode, or others have copies | + the trips of [`sci`](super::sci) | + the trips |
//! | and a processor there owns it | + `pass_on` + `update` for each line that a trip brings | the same |

use crate::access::{Access, Data, Kind, Reply, Serves, WINDOW};
use crate::description::Description;
use crate::parts::coherent;
use crate::parts::interconnect::{InterconnectCache, Sizes};
use crate::parts::sci::{steps, Asker, Rings, State, Trips};
use crate::Time;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// The kinds of parts of which a system consists, in their order.
pub const KINDS: [&str; 3] = ["hypernode", "interconnect-cache", "sci-rings"];

/// The bits of an address within a hypernode's memory; those above name the hypernode.
pub const HOME_BITS: u32 = 32;

/// The address of an offset in a hypernode's memory.
pub fn in_memory_of(hypernode: u32, offset: u64) -> u64 {
    u64::from(hypernode) << HOME_BITS | offset
}

/// The memory of a machine: all hypernodes, and the rings.
pub struct System<D> {
    /// Processors of a hypernode.
    processors: u32,
    line: u64,
    /// What rings carry and an interconnect cache keeps.
    block: u64,
    times: Times,
    caches: Vec<Rc<RefCell<coherent::Lines<D>>>>,
    /// By hypernode; None if the machine has none.
    interconnect: Option<Vec<InterconnectCache>>,
    rings: Option<Rings>,
    /// What a hypernode knows of a line, by hypernode and line.
    lines: Lines,
    /// What a line's home knows of other hypernodes; nothing if they have no copy.
    blocks: HashMap<u64, Block, Hashed>,
    /// The words in a memory or interconnect cache, by hypernode.
    words: HashMap<u64, D, Hashed>,
}

#[derive(Clone, Copy, Debug)]
struct Times {
    load: Time,
    store: Time,
    invalidate: Time,
    pass_on: Time,
    update: Time,
}

/// The processors of a hypernode that may have a line, one bit each, and whether the only one owns it.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    holders: u32,
    is_owned: bool,
    /// Known at home only: until then the line changes hands, and others that ask for it wait.
    busy: Time,
}

/// Lines by their keys: neighbours stand together, since most programs ask for one after the other.
struct Lines {
    shift: u32,
    pages: HashMap<u64, Box<[Line; PAGE as usize]>, Hashed>,
}

const PAGE: u64 = 128;

impl Lines {
    fn get(&self, key: u64) -> Option<&Line> {
        let line = key >> self.shift;
        Some(&self.pages.get(&(line / PAGE))?[(line % PAGE) as usize])
    }

    fn get_mut(&mut self, key: u64) -> Option<&mut Line> {
        let line = key >> self.shift;
        Some(&mut self.pages.get_mut(&(line / PAGE))?[(line % PAGE) as usize])
    }

    fn at(&mut self, key: u64) -> &mut Line {
        let line = key >> self.shift;
        let page = self.pages.entry(line / PAGE).or_insert_with(|| Box::new([Line::default(); PAGE as usize]));
        &mut page[(line % PAGE) as usize]
    }
}

#[derive(Clone, Debug, Default)]
struct Block {
    state: State,
    /// The other hypernodes with copies, the newest first.
    list: Vec<u32>,
}

/// Keys are addresses: one multiplication spreads them.
#[derive(Default)]
struct Spread(u64);
type Hashed = BuildHasherDefault<Spread>;

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u64(u64::from(*b)));
    }
    fn write_u64(&mut self, key: u64) {
        let spread = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = spread ^ spread >> 32;
    }
}

impl<D: Data> System<D> {
    /// `parts` are the names of the parts, of [`KINDS`] and in that order.
    ///
    /// # Errors
    /// A part or a figure is missing or wrong.
    pub fn new(description: &Description, parts: &[&str], processors: u32) -> Result<Self, String> {
        let of = |kind: &str| {
            parts.iter().find(|name| description.parts.get(**name).is_some_and(|p| p.kind == kind)).copied()
        };
        if let Some(other) = parts.iter().find(|name| !KINDS.iter().any(|kind| of(kind) == Some(**name))) {
            return Err(format!("part `{other}` cannot be behind a hypernode"));
        }
        let name = of(KINDS[0]).ok_or("there is no hypernode")?;
        let build = |name: &str| -> Result<_, String> {
            let figures = description.of_part(name);
            figures.bytes("size")?; // what programs may use: crate `simulate` asks for it
            let line = figures.power_of_two("line", figures.bytes("line")?)?;
            let times = Times {
                load: figures.time("load")?,
                store: figures.time("store")?,
                invalidate: figures.time("invalidate")?,
                pass_on: figures.time("pass_on")?,
                update: figures.time("update")?,
            };
            let each = u32::try_from(figures.count("processors")?).ok().filter(|n| *n <= 32);
            let each = each.ok_or("figure `processors` must be at most 32")?;
            figures.finish()?;
            Ok((line, times, each))
        };
        let (line, times, each) = build(name).map_err(|why| format!("part `{name}`: {why}"))?;
        let sizes = match of(KINDS[1]) {
            None => None,
            Some(name) => {
                let figures = description.of_part(name);
                let sizes = Sizes::new(&figures).and_then(|sizes| figures.finish().map(|()| sizes));
                Some(sizes.map_err(|why| format!("part `{name}`: {why}"))?)
            }
        };
        let block = sizes.map_or(line, |sizes| sizes.line.max(line));
        let rings = match of(KINDS[2]) {
            None => None,
            Some(name) => {
                let figures = description.of_part(name);
                let rings = Rings::new(description, &figures, block).and_then(|r| figures.finish().map(|()| r));
                Some(rings.map_err(|why| format!("part `{name}`: {why}"))?)
            }
        };
        let (used, joined) = (processors.div_ceil(each), rings.as_ref().map_or(1, Rings::hypernodes));
        if used > joined {
            return Err(format!(
                "the machine has {joined} hypernodes of {each} processors, not {processors} processors"
            ));
        }
        Ok(System {
            processors: each,
            line,
            block,
            times,
            caches: vec![],
            interconnect: sizes.map(|sizes| (0..used).map(|_| InterconnectCache::new(sizes)).collect()),
            rings,
            lines: Lines { shift: line.trailing_zeros(), pages: HashMap::default() },
            blocks: HashMap::default(),
            words: HashMap::default(),
        })
    }

    /// The cache of the next processor.
    ///
    /// # Errors
    /// Its lines are not those of the hypernode.
    pub fn join(&mut self, cache: Rc<RefCell<coherent::Lines<D>>>, line: u64) -> Result<(), String> {
        if line != self.line {
            return Err(format!("its lines have {line} bytes, those of the hypernode {}", self.line));
        }
        self.caches.push(cache);
        Ok(())
    }

    fn home(&self, at: u64) -> u32 {
        let hypernodes = self.rings.as_ref().map_or(1, Rings::hypernodes);
        (at >> HOME_BITS) as u32 % hypernodes
    }

    /// The key of a line, a block or a window of words in a hypernode.
    fn key(hypernode: u32, at: u64) -> u64 {
        u64::from(hypernode) << 52 | at
    }

    fn word_at(&self, hypernode: u32, at: u64) -> D {
        let key = Self::key(hypernode, at & !(WINDOW - 1));
        if D::IS_CARRIED {
            self.words.get(&key).copied().unwrap_or_default()
        } else {
            D::default()
        }
    }

    fn write(&mut self, hypernode: u32, at: u64, bytes: u64, data: &D) {
        if D::IS_CARRIED {
            let key = Self::key(hypernode, at & !(WINDOW - 1));
            self.words.entry(key).or_default().take(data, at, bytes as u32);
        }
    }

    fn copy(&mut self, from: u32, to: u32, at: u64) {
        if D::IS_CARRIED && from != to {
            let data = self.word_at(from, at);
            self.write(to, at, self.block, &data);
        }
    }

    /// Takes a line from the processors of a hypernode that have it, or only the right to write it if they keep it;
    /// whether one owned it, and whether any was believed to have it. `but` is not asked.
    fn recall(&mut self, hypernode: u32, at: u64, keeps: bool, but: u32) -> (bool, bool) {
        let Some(line) = self.lines.get_mut(Self::key(hypernode, at)) else { return (false, false) };
        let others = line.holders & !but;
        if others == 0 || (keeps && !line.is_owned) {
            return (false, false);
        }
        let was_owned = std::mem::replace(&mut line.is_owned, false);
        if !keeps {
            line.holders &= but;
        }
        for i in (0..self.processors).filter(|i| others >> i & 1 == 1) {
            let cache = self.caches.get((hypernode * self.processors + i) as usize).cloned();
            let given = cache.and_then(|cache| cache.borrow_mut().give(at, keeps));
            if let Some(data) = given {
                self.write(hypernode, at, self.line, &data);
            }
        }
        (was_owned, true)
    }

    /// Takes all lines of a block from a hypernode's processors; the time.
    fn recall_block(&mut self, hypernode: u32, block: u64, keeps: bool) -> Time {
        let mut takes = 0;
        let mut had_copies = false;
        for at in (block..block + self.block).step_by(self.line as usize) {
            let (was_owned, had) = self.recall(hypernode, at, keeps, 0);
            if was_owned {
                takes += self.times.pass_on + self.times.update;
            }
            had_copies |= had && !was_owned;
        }
        takes + if had_copies { self.times.invalidate } else { 0 }
    }

    /// A hypernode loses its copy of a block whose home is elsewhere.
    fn lose(&mut self, hypernode: u32, block: u64) {
        self.recall_block(hypernode, block, false);
        if let Some(cache) = self.interconnect.as_mut().and_then(|all| all.get_mut(hypernode as usize)) {
            cache.drop_line(block);
        }
    }

    /// An interconnect cache has displaced a block: its home hears of it.
    fn displaced(&mut self, hypernode: u32, block: u64) {
        self.lose(hypernode, block);
        let home = self.home(block);
        let Some(known) = self.blocks.get_mut(&block) else { return };
        known.list.retain(|h| *h != hypernode);
        let was_gone = known.state == State::Gone;
        if known.list.is_empty() {
            self.blocks.remove(&block);
        }
        if was_gone {
            self.copy(hypernode, home, block);
        }
    }

    /// Makes a block present in the asker's hypernode; when the access goes on.
    fn obtain(&mut self, now: Time, at: u64, hypernode: u32, owns: bool) -> Time {
        let (block, home) = (at & !(self.block - 1), self.home(at));
        let is_home = hypernode == home;
        let mut known = match self.blocks.get(&block) {
            None if is_home => return now,
            known => known.cloned().unwrap_or_default(),
        };
        let listed = known.list.contains(&hypernode);
        let asker = match (is_home, listed) {
            (true, _) => Asker::Home,
            (_, true) => Asker::Listed,
            _ => Asker::Other,
        };
        let mut steps = steps(known.state, asker, owns);
        let has = is_home
            || self.interconnect.as_ref().is_some_and(|all| all.get(hypernode as usize).is_some_and(|c| c.has(block)));
        // Without an interconnect cache, a line is fetched each time.
        steps.fetches = steps.fetches.max(u32::from(!has));
        if steps.fetches == 0 && !steps.purges {
            return now;
        }
        let owner = known.list.first().copied().filter(|owner| known.state == State::Gone && *owner != hypernode);
        let mut takes = 0;
        if let Some(owner) = owner {
            takes += self.recall_block(owner, block, !owns);
            self.copy(owner, home, block);
            if owns {
                self.lose(owner, block);
                known.list.clear();
            }
        } else if !is_home && !listed {
            takes += self.recall_block(home, block, !owns);
        } else if !is_home && owns {
            takes += self.recall_block(home, block, false);
        }
        let purged: Vec<u32> =
            if steps.purges { known.list.iter().copied().filter(|h| *h != hypernode).collect() } else { vec![] };
        purged.iter().for_each(|h| self.lose(*h, block));
        let to = if is_home { owner.unwrap_or(home) } else { home };
        let trips = Trips { from: hypernode, to, fetches: steps.fetches, purged: &purged, owns };
        let done = match &mut self.rings {
            Some(rings) => rings.trips(now + takes, block, &trips),
            None => now + takes,
        };
        if owns {
            known.list.clear();
        }
        if !is_home {
            if !(listed && known.state == State::Gone) {
                self.copy(home, hypernode, block);
            }
            known.list.retain(|h| *h != hypernode);
            known.list.insert(0, hypernode);
            let displaced = self.interconnect.as_mut().and_then(|all| all.get_mut(hypernode as usize)?.put(block));
            if let Some(other) = displaced {
                self.displaced(hypernode, other);
            }
        }
        known.state = steps.state;
        match known.state {
            State::Home => _ = self.blocks.remove(&block),
            _ => _ = self.blocks.insert(block, known),
        }
        done
    }

    fn ask(&mut self, me: u32, now: Time, at: u64, owns: bool) -> Reply<D> {
        let at = at & !(self.line - 1);
        let hypernode = me / self.processors;
        let bit = 1 << (me % self.processors);
        let begin = match &mut self.rings {
            Some(rings) => rings.begin(now, hypernode, at),
            None => now,
        };
        let times = self.times;
        let mut takes = if owns { times.store } else { times.load };
        let (own, home) = (Self::key(hypernode, at), Self::key(self.home(at), at));
        // A processor alone has nobody to know of.
        let is_shared = self.caches.len() > 1;
        let at_home = self.home(at) == hypernode && !self.blocks.contains_key(&(at & !(self.block - 1)));
        if is_shared && at_home {
            // The usual case, told by one look: nobody else has it.
            let line = self.lines.at(own);
            let begin = begin.max(line.busy);
            if line.holders & !bit == 0 {
                *line = Line { holders: bit, is_owned: owns, busy: if owns { begin + takes } else { line.busy } };
                return Reply { free: begin + takes, done: begin + takes, data: self.word_at(hypernode, at) };
            }
        }
        let begin = match self.lines.get(home) {
            Some(line) if is_shared => begin.max(line.busy),
            _ => begin,
        };
        match self.recall(hypernode, at, !owns, bit) {
            (true, _) => takes += times.pass_on + if owns { 0 } else { times.update },
            (false, true) => takes += times.invalidate,
            (false, false) => {}
        }
        let done = self.obtain(begin + takes, at, hypernode, owns);
        if is_shared {
            let line = self.lines.at(own);
            match owns {
                true => (line.holders, line.is_owned) = (bit, true),
                false => line.holders |= bit,
            }
            if owns || done > begin + times.load {
                self.lines.at(home).busy = done;
            }
        }
        Reply { free: done, done, data: self.word_at(hypernode, at) }
    }

    fn write_back(&mut self, me: u32, access: &Access<D>) {
        let hypernode = me / self.processors;
        self.write(hypernode, access.at, u64::from(access.bytes), &access.data);
        if let Some(line) = self.lines.get_mut(Self::key(hypernode, access.at)) {
            (line.holders, line.is_owned) = (0, false);
        }
    }
}

/// What a processor asks.
pub struct Port<D> {
    me: u32,
    system: Rc<RefCell<System<D>>>,
}

impl<D: Data> Port<D> {
    pub fn new(me: u32, system: &Rc<RefCell<System<D>>>) -> Self {
        Port { me, system: system.clone() }
    }
}

impl<D: Data> Serves<D> for Port<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let mut system = self.system.borrow_mut();
        match access.kind {
            Kind::Load | Kind::Uncached | Kind::Prefetch => system.ask(self.me, now, access.at, false),
            Kind::Reserve => system.ask(self.me, now, access.at, true),
            // Without a cache in front, stores come word by word.
            Kind::Store if u64::from(access.bytes) < system.line => {
                let reply = system.ask(self.me, now, access.at, true);
                system.write_back(self.me, access);
                reply
            }
            Kind::Store => {
                system.write_back(self.me, access);
                Reply { free: now, done: now, data: D::default() }
            }
        }
    }

    fn drain(&mut self, now: Time) -> Time {
        now
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        let mut system = self.system.borrow_mut();
        let hypernode = self.me / system.processors;
        system.write(hypernode, at, u64::from(bytes), data);
    }

    fn settle(&mut self, _: Time) {}
}
