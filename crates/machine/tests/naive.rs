//! A node by single steps of a nanosecond, to compare with: tables that are searched from one end to the other, a memory with
//! a queue of requests, and no time that is computed ahead. It has a translation, a cache and a memory; each of its accesses
//! must be free and done in the same nanosecond as that of the parts that compute times.
//!
//! There is no write buffer in it: the parts' buffer settles the order of the pages of lines under way when it sends
//! them, not when it opens them, which no machine that goes step by step can do.

use fathom_machine::access::{Access, Serves};
use fathom_machine::{node, Description};
use proptest::prelude::*;

const NS: u64 = 1000;

#[derive(Clone, Debug)]
struct Figures {
    page: u64,
    entries: usize,
    walk: u64,
    line: u64,
    sets: u64,
    ways: usize,
    hit: u64,
    usable: u64,
    lookup: u64,
    back: bool,
    allocates: bool,
    on_page: u64,
    off_page: u64,
    busy: u64,
    dram_page: u64,
    banks: u64,
    interval: u64,
}

/// A request to memory: a line, or a word of a store.
struct Request {
    arrives: u64,
    at: u64,
    begun: Option<(u64, u64)>,
}

struct Line {
    unit: u64,
    used: u64,
    is_dirty: bool,
}

/// What the processor's access waits for.
enum Stage {
    /// The translation; then the cache is asked.
    Walk(u64),
    /// The cache has it: free, done.
    Hit(u64, u64),
    /// A request, by its number; whether a line comes, and whether it becomes dirty.
    Memory(usize, bool, bool),
}

struct Naive<'a> {
    f: &'a Figures,
    now: u64,
    steps: u64,
    pages: Vec<(u64, u64)>,
    lines: Vec<Line>,
    requests: Vec<Request>,
    last_begin: Option<u64>,
    open: Option<u64>,
}

impl Naive<'_> {
    /// One nanosecond in the memory: the oldest request that has arrived may begin, and without an interval the others
    /// after it, too.
    fn step_memory(&mut self) {
        while self.last_begin.is_none_or(|last| self.now >= last + self.f.interval) {
            let Some(first) = self.requests.iter().position(|r| r.begun.is_none() && r.arrives <= self.now) else {
                return;
            };
            let page = self.requests[first].at / self.f.dram_page;
            let takes = match self.open.replace(page) {
                Some(before) if before == page => self.f.on_page,
                Some(before) if before % self.f.banks == page % self.f.banks => {
                    self.f.on_page + self.f.off_page + self.f.busy
                }
                Some(_) => self.f.on_page + self.f.off_page,
                None => self.f.on_page,
            };
            self.requests[first].begun = Some((self.now, takes));
            self.last_begin = Some(self.now);
        }
    }

    fn request(&mut self, arrives: u64, at: u64) -> usize {
        self.requests.push(Request { arrives, at, begun: None });
        self.requests.len() - 1
    }

    fn is_served(&self, request: usize) -> bool {
        self.requests[request].begun.is_some_and(|(begun, takes)| self.now == begun + takes)
    }

    fn find(&mut self, at: u64) -> Option<&mut Line> {
        let unit = at / self.f.line;
        self.lines.iter_mut().find(|line| line.unit == unit)
    }

    fn ask_cache(&mut self, at: u64, is_store: bool) -> Stage {
        self.steps += 1;
        let (steps, now, back, hit, usable) = (self.steps, self.now, self.f.back, self.f.hit, self.f.usable);
        if let Some(line) = self.find(at) {
            line.used = steps;
            if !is_store {
                return Stage::Hit(now + hit, now + hit + usable);
            }
            if back {
                line.is_dirty = true;
                return Stage::Hit(now + hit, now + hit);
            }
            return Stage::Memory(self.request(now, at), false, false);
        }
        let lookup = self.f.lookup;
        match (is_store, back, self.f.allocates) {
            (false, ..) | (true, true, true) => {
                let base = at / self.f.line * self.f.line;
                Stage::Memory(self.request(now + lookup, base), true, is_store)
            }
            (true, true, false) => Stage::Memory(self.request(now + lookup, at), false, false),
            (true, false, _) => Stage::Memory(self.request(now, at), false, false),
        }
    }

    /// A line has come: another one of its set may have to leave, and is written if it is dirty.
    fn fill(&mut self, at: u64, is_dirty: bool) {
        let (unit, sets) = (at / self.f.line, self.f.sets);
        let of_set = |l: &&Line| l.unit % sets == unit % sets;
        if self.lines.iter().filter(of_set).count() == self.f.ways {
            let oldest = self.lines.iter().filter(of_set).map(|l| l.used).min().unwrap();
            let place = self.lines.iter().position(|l| l.used == oldest).unwrap();
            let victim = self.lines.remove(place);
            if victim.is_dirty {
                self.request(self.now, victim.unit * self.f.line);
            }
        }
        self.steps += 1;
        self.lines.push(Line { unit, used: self.steps, is_dirty });
    }

    /// One access: when the next may begin, and when it is done.
    fn access(&mut self, at: u64, is_store: bool) -> (u64, u64) {
        self.steps += 1;
        let (steps, page) = (self.steps, at / self.f.page);
        let mut stage = match self.pages.iter_mut().find(|(p, _)| *p == page) {
            Some(known) => {
                known.1 = steps;
                Stage::Walk(self.now)
            }
            None => {
                if self.pages.len() == self.f.entries {
                    let oldest = self.pages.iter().map(|(_, used)| *used).min().unwrap();
                    self.pages.retain(|(_, used)| *used != oldest);
                }
                self.pages.push((page, steps));
                Stage::Walk(self.now + self.f.walk)
            }
        };
        loop {
            if let Stage::Walk(until) = stage {
                if self.now == until {
                    stage = self.ask_cache(at, is_store);
                }
            }
            self.step_memory();
            match stage {
                Stage::Hit(free, done) if self.now == free => return (free, done),
                Stage::Memory(i, is_line, is_dirty) if self.is_served(i) => {
                    if is_line {
                        self.fill(at, is_dirty);
                    }
                    return (self.now, self.now);
                }
                _ => {}
            }
            self.now += 1;
        }
    }
}

fn described(f: &Figures) -> Description {
    let figure = |name: &str, value: String| format!("{name} = {{ value = '{value}', other = 'a test' }}\n");
    let ns = |name: &str, value: u64| figure(name, format!("{value} ns"));
    let bytes = |name: &str, value: u64| figure(name, format!("{value} B"));
    let number = |name: &str, value: u64| format!("{name} = {{ value = {value}, other = 'a test' }}\n");
    let text = [
        "[simulated]\nabout = 'a test'\nmemory = 'pages'\n[simulated.processor]\n".to_string(),
        figure("clock", "1 GHz".into()) + &ns("store", 0),
        "[simulated.parts.pages]\nkind = 'translation'\nnext = 'cache'\n".into(),
        bytes("page", f.page) + &number("entries", f.entries as u64) + &ns("miss", f.walk),
        "[simulated.parts.cache]\nkind = 'cache'\nnext = 'memory'\n".into(),
        bytes("size", f.line * f.sets * f.ways as u64) + &bytes("line", f.line) + &number("ways", f.ways as u64),
        ns("hit", f.hit) + &ns("usable", f.usable) + &ns("lookup", f.lookup),
        figure("write", if f.back { "back" } else { "through" }.into()),
        figure("allocate", if f.allocates { "read-and-write" } else { "read" }.into()),
        "[simulated.parts.memory]\nkind = 'dram'\n".into(),
        bytes("size", 1 << 20) + &ns("on_page", f.on_page) + &ns("off_page", f.off_page) + &ns("busy", f.busy),
        bytes("page", f.dram_page) + &number("banks", f.banks) + &ns("interval", f.interval),
    ];
    Description::of_file(&text.concat()).unwrap().unwrap()
}

prop_compose! {
    fn figures()(
        page in 6..10u32, entries in 1..9usize, walk in 0..40u64,
        line in 3..7u32, sets in 0..5u32, ways in 1..5usize, (hit, usable, lookup) in (1..4u64, 0..3u64, 0..5u64),
        back: bool, allocates: bool,
        (on_page, off_page, busy) in (20..80u64, 0..40u64, 0..40u64), dram_page in 6..11u32, banks in 0..4u32,
        interval in 0..60u64,
    ) -> Figures {
        Figures {
            page: 1 << page, entries, walk, line: 1 << line, sets: 1 << sets, ways, hit, usable, lookup, back,
            // A cache that writes through and allocates asks for the line and the word at once: not modelled here.
            allocates: allocates && back,
            on_page, off_page, busy, dram_page: 1 << dram_page, banks: 1 << banks, interval,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn parts_that_compute_times_agree_with_single_steps(
        f in figures(),
        stream in prop::collection::vec((0..4096u64, any::<bool>(), 0..3u64), 1..200),
    ) {
        let mut fast = node::<()>(&described(&f)).unwrap();
        let mut slow = Naive {
            f: &f, now: 0, steps: 0, pages: vec![], lines: vec![], requests: vec![], last_begin: None, open: None,
        };
        let mut now = 0;
        for (i, &(word, is_store, pause)) in stream.iter().enumerate() {
            let at = word * 8;
            for _ in 0..pause {
                slow.step_memory();
                slow.now += 1;
            }
            now += pause * NS;
            let access = if is_store { Access::store(at, 8, ()) } else { Access::load(at, 8) };
            let reply = fast.memory.access(now, &access);
            let (free, done) = slow.access(at, is_store);
            prop_assert_eq!((reply.free, reply.done), (free * NS, done * NS), "access {} of {:?}", i, access);
            now = reply.free;
        }
    }
}
