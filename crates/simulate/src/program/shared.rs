//! The memory through which a job's threads and the engine take turns. runtime/conduit/sim/engine.h is the other side; a
//! test compares the numbers.

mod ahead;
mod memory;

use crate::program::stops::{
    Access, Ballot, Done, Ended, Foreseen, Message, Note, Piece, Record, Stop, Stopped, Threads, Touched, Transfer,
    Turn,
};
use ahead::Ahead;
pub use ahead::Places;
use fathom_machine::description::WORK;
use fathom_machine::Time;
use memory::Memory;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::atomic::Ordering;
use std::sync::Arc;

pub const VERSION: u32 = 10;
const HEAD: usize = 4096;
const BATON: usize = 24;
const MOST_TOUCHED: usize = 256;
const BLOCK: usize = 196_608;
const OUT: usize = 256;
const OUT_BYTES: usize = 61_440;
const FIRST_BYTES: usize = 3840;
const IN: usize = 65_536;
const IN_BYTES: usize = 65_536;
const OTHER_OUT: usize = 131_072;
const FETCH: usize = 192_512;
const MOST_FETCHES: usize = 512;
/// Bytes of a `struct sim_op`.
const RECORD: usize = 40;
/// So many records of a thread are read at once: all records of thousands of threads do not fit into this computer's caches.
const AT_ONCE: usize = 16;

/// The offsets of the words of `struct sim_head`.
mod head {
    pub const VERSION: usize = 0;
    pub const THREADS: usize = 4;
    pub const ENGINE: usize = 8;
    pub const STARTED: usize = 12;
    pub const PER_NS: usize = 16;
    pub const ACCESSES: usize = 24;
    pub const HAS_ACCESSES: usize = 28;
    pub const COSTS: usize = 32;
    pub const DECLARED: usize = COSTS + 8 * 16;
    pub const SOONEST_AT: usize = DECLARED + 8 * 2;
    pub const SOONEST: usize = SOONEST_AT + 8;
    pub const FETCHER: usize = SOONEST + 4;
    pub const SEGMENTS: usize = FETCHER + 4;
    pub const SEGMENTS_OF: usize = SEGMENTS + 4;
    pub const SEGMENTS_BYTES: usize = SEGMENTS_OF + 4;
    pub const CANNOT_FETCH: usize = SEGMENTS_BYTES + 8;
    pub const TOUCHER: usize = CANNOT_FETCH + 4;
    pub const TOUCHED_COUNT: usize = TOUCHER + 4;
    pub const TOUCHED: usize = TOUCHED_COUNT + 4;
}

/// The offsets of the members of `struct sim_baton`.
mod baton {
    pub const TURN: usize = 0;
    pub const NEXT: usize = 4;
    pub const AT: usize = 8;
}

/// The offsets of the members of `struct sim_thread`.
mod thread {
    pub const HAS_STOPPED: usize = 0;
    pub const STOP: usize = 4;
    pub const MAY_SERVE: usize = 8;
    pub const OUT_BYTES: usize = 12;
    pub const IN_BYTES: usize = 16;
    pub const BARRIERS: usize = 20;
    pub const WORK: usize = 24;
    pub const ARGS: usize = 32;
    pub const ANSWER: usize = 64;
    pub const BALLOT: usize = 72;
    pub const NOW: usize = 96;
    pub const PROCESS: usize = 104;
    pub const COUNTED: usize = 112;
    pub const DECLARED: usize = 120;
    pub const PLACE: usize = 128;
    pub const NOTIFIED: usize = 132;
    pub const OUT_AT: usize = 136;
    pub const FETCHES: usize = 140;
    pub const OUT_MOST: usize = 144;
    pub const REPEATED: usize = 152;
    pub const MEMORY: usize = 160;
}

const RUN: u32 = 1;
const SERVE: u32 = 2;

/// The names of the numbers in the header, and their values here: for the test that compares them.
pub const NUMBERS: [(&str, usize); 13] = [
    ("SIM_VERSION", VERSION as usize),
    ("SIM_HEAD", HEAD),
    ("SIM_BATON", BATON),
    ("SIM_MOST_TOUCHED", MOST_TOUCHED),
    ("SIM_BLOCK", BLOCK),
    ("SIM_OUT", OUT),
    ("SIM_OUT_BYTES", OUT_BYTES),
    ("SIM_FIRST_BYTES", FIRST_BYTES),
    ("SIM_IN", IN),
    ("SIM_IN_BYTES", IN_BYTES),
    ("SIM_OTHER_OUT", OTHER_OUT),
    ("SIM_FETCH", FETCH),
    ("SIM_MOST_FETCHES", MOST_FETCHES),
];

/// The stops and the records by their numbers in the header.
pub const STOPS: [&str; 11] =
    ["START", "FULL", "SERVED", "ORDER", "WAIT", "TEST", "CLOCK", "SLEEP", "ARRIVAL", "END", "AGAIN"];
const FULL: u32 = 1;
const END: u32 = 9;
pub const RECORDS: [&str; 13] = [
    "PUT",
    "GET",
    "PUT_RELAXED",
    "PUT_BEGIN",
    "GET_BEGIN",
    "AWAIT",
    "SETTLE",
    "MESSAGE",
    "NOTIFY",
    "ACCESSES",
    "PLACES",
    "WORKED",
    "NOTE",
];

/// What a program's own work costs.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// Nothing.
    Free,
    /// Its operations, of each class so many picoseconds.
    Counted([f64; WORK.len()]),
    /// The same, but loads and stores, which the machine's caches answer.
    Accesses([f64; WORK.len()]),
    /// A nanosecond of work on this computer is worth so many on the simulated machine; operations are counted besides, if
    /// their costs are known, and not charged.
    Measured(f64, Option<[f64; WORK.len()]>),
}

/// Bytes before the first thread's block.
fn blocks(threads: usize) -> usize {
    HEAD + (threads * BATON).next_multiple_of(4096)
}

/// A job of processes that take turns with this one.
pub struct Job {
    memory: Arc<Memory>,
    ahead: Ahead,
    /// The turns of threads that were begun and that nobody has asked for since.
    begun: HashMap<u32, Begun>,
    program: Option<Child>,
    status: Option<ExitStatus>,
    /// Threads whose last stop was their end.
    has_ended: Vec<bool>,
    /// Of each thread, what it has written and nobody has read: from where, to where.
    unread: Vec<(usize, usize)>,
    /// Records of threads that were read because the thread was about to write others.
    kept: HashMap<u32, VecDeque<Record>>,
    /// Turns that the engine has foreseen and not yet asked for; the first ones may have been taken.
    foreseen: VecDeque<Foreseen>,
    /// They follow the turn that is asked for next.
    begins: bool,
    lines: Option<Box<Lines>>,
    /// The files with places: those that our front end has compiled.
    files: BTreeSet<String>,
}

/// A turn that a thread has ahead.
enum Begun {
    /// Its number.
    Asked(u64),
    /// What it has led to: it was read because the thread was to serve a message after it.
    Had(Stopped),
}

/// The line of the program, `file:line`, among the calls that led somewhere, the innermost first: addresses in the
/// executable.
pub type Lines = dyn Fn(&[u64]) -> Option<String>;

impl Job {
    /// Makes the memory for a job of this number of threads. With `places`, the calling thread is on the threads'
    /// processor, and moves between the two.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(threads: u32, work: &Work, places: Option<Places>) -> io::Result<Job> {
        let memory = Arc::new(Memory::new(threads)?);
        let job = Job {
            ahead: Ahead::new(&memory, places),
            begun: HashMap::new(),
            memory,
            program: None,
            status: None,
            has_ended: vec![false; threads as usize],
            unread: vec![(0, 0); threads as usize],
            kept: HashMap::new(),
            foreseen: VecDeque::new(),
            begins: false,
            lines: None,
            files: BTreeSet::new(),
        };
        let simulates_accesses = matches!(work, Work::Accesses(_));
        job.memory.word(head::ACCESSES).store(u32::from(simulates_accesses), Ordering::Relaxed);
        if let Work::Measured(ratio, _) = work {
            job.memory.set_long(head::PER_NS, (ratio * 1000.0).round() as u64);
        }
        if let Work::Counted(costs) | Work::Accesses(costs) | Work::Measured(_, Some(costs)) = work {
            for ((class, cost), name) in costs.iter().enumerate().zip(WORK) {
                let thousandths = (cost * 1000.0).round() as u64;
                let is_access = matches!(name, "load" | "store");
                if !(is_access && simulates_accesses) {
                    job.memory.set_long(head::COSTS + 8 * class, thousandths);
                }
                match name {
                    "float" => job.memory.set_long(head::DECLARED, thousandths),
                    "load" => job.memory.set_long(head::DECLARED + 8, thousandths),
                    _ => {}
                }
            }
        }
        job.memory.word(head::SEGMENTS).store(u32::MAX, Ordering::Relaxed);
        job.memory.word(head::VERSION).store(VERSION, Ordering::Relaxed);
        job.memory.word(head::THREADS).store(threads, Ordering::Release);
        Ok(job)
    }

    /// How lines are found in a program that our front end has not seen.
    pub fn find_lines(&mut self, lines: Box<Lines>) {
        self.lines = Some(lines);
    }

    /// The files of the program whose operations are counted.
    pub fn files(&self) -> &BTreeSet<String> {
        &self.files
    }

    /// The text of places with a line for each list of calls, as far as it is found.
    fn named(&mut self, text: &str) -> String {
        let named = |line: &str| {
            let (number, calls) = line.strip_prefix('#')?.split_once(' ')?;
            let calls: Vec<u64> = calls.split(' ').filter_map(|call| u64::from_str_radix(call, 16).ok()).collect();
            let found = self.lines.as_ref().and_then(|lines| lines(&calls)).unwrap_or_default();
            Some(format!("#{number} {found}"))
        };
        let own = text.lines().filter(|line| !line.starts_with('#'));
        self.files.extend(own.filter_map(|line| Some(line.rsplit_once(':')?.0.to_string())));
        text.lines().map(|line| named(line).unwrap_or_else(|| line.to_string()) + "\n").collect()
    }

    /// The descriptor that the program inherits, whose number it finds in FATHOM_SIM.
    pub fn descriptor(&self) -> i32 {
        self.memory.descriptor()
    }

    /// Waits until all threads of the program have come to their first stop.
    ///
    /// # Errors
    /// The program has ended.
    pub fn begin(&mut self, program: Child) -> Result<(), Ended> {
        self.program = Some(program);
        let threads = self.has_ended.len() as u32;
        // The last one gives this process the baton, which nobody else does later.
        let is_so = |job: &Self| {
            let of = |at| job.memory.word(at).load(Ordering::Acquire);
            of(head::STARTED) == threads && of(head::ENGINE) != 0
        };
        self.wait_until(is_so, |_| None).map(|_| ())
    }

    /// Waits for the program's end.
    ///
    /// # Errors
    /// The system does not say how it ended.
    pub fn end(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() {
            if let Some(program) = &mut self.program {
                self.status = Some(program.wait()?);
            }
        }
        Ok(self.status)
    }

    /// Ends the program: it asks its threads to save their output.
    ///
    /// # Errors
    /// As [`end`](Self::end).
    pub fn stop(&mut self) -> io::Result<()> {
        if let (Some(program), None) = (&self.program, self.status) {
            // SAFETY: a child that has not been waited for.
            unsafe { libc::kill(program.id() as i32, libc::SIGTERM) };
        }
        self.end().map(|_| ())
    }

    /// The counted work of all threads so far, and what of it the program has declared.
    pub fn counted(&self) -> (Time, Time) {
        let threads = 0..self.has_ended.len() as u32;
        let of = |t: u32| {
            (
                self.memory.long(self.memory.block(t) + thread::COUNTED),
                self.memory.long(self.memory.block(t) + thread::DECLARED),
            )
        };
        threads.map(of).fold((0, 0), |sum, (c, d)| (sum.0.saturating_add(c), sum.1.saturating_add(d)))
    }

    /// The bytes of memory that the thread with most of it had when it ended, and that thread.
    pub fn memory(&self) -> (u64, u32) {
        let of = |t: u32| (self.memory.long(self.memory.block(t) + thread::MEMORY), t);
        (0..self.has_ended.len() as u32).map(of).max_by_key(|(bytes, t)| (*bytes, u32::MAX - t)).unwrap_or_default()
    }

    /// Whether the program says where it accesses memory.
    pub fn has_accesses(&self) -> bool {
        self.memory.word(head::HAS_ACCESSES).load(Ordering::Relaxed) != 0
    }

    /// Waits until `is_so`, for which the program wakes this process; or until the process of a thread that is `running`
    /// has ended. Whether it is so.
    ///
    /// # Errors
    /// The program has ended.
    fn wait_until(
        &mut self,
        is_so: impl Fn(&Self) -> bool,
        running: impl Fn(&Self) -> Option<u32>,
    ) -> Result<bool, Ended> {
        // Processes that end without a word end soon.
        let mut look_ms = 2;
        while !is_so(self) {
            if !self.memory.wait_for_baton(look_ms) {
                if running(self).is_some_and(|t| self.memory.is_gone(t)) {
                    return Ok(false);
                }
                if self.has_program_ended() {
                    return Err(Ended);
                }
                look_ms = 100;
            }
        }
        Ok(true)
    }

    fn has_program_ended(&mut self) -> bool {
        if let (Some(program), None) = (&mut self.program, self.status) {
            self.status = program.try_wait().ok().flatten();
        }
        self.status.is_some()
    }

    /// Gives a program that ends the time to do so by itself. Whether it has.
    pub fn ends_by_itself(&mut self) -> bool {
        const PATIENCE_MS: u64 = 1000;
        for _ in 0..PATIENCE_MS / 10 {
            if self.has_program_ended() {
                return true;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        false
    }

    /// What a stopped thread says, without its records.
    fn read(&mut self, t: u32) -> Stopped {
        let block = self.memory.block(t);
        let of = |at: usize| self.memory.word(block + at).load(Ordering::Acquire);
        let args = |i: usize| self.memory.long(block + thread::ARGS + 8 * i);
        let stop = match of(thread::STOP) {
            0 => Stop::Start,
            1 => Stop::Full,
            2 => Stop::Served,
            3 => Stop::Order,
            4 => Stop::Wait(args(0)),
            5 => Stop::Test(args(0)),
            6 => Stop::Clock,
            7 => Stop::Sleep(args(0)),
            8 => Stop::Arrival(Transfer {
                is_put: args(0) == 0,
                with: args(1) as u32,
                bytes: args(2),
                offset: args(3),
                piece: Piece::default(),
            }),
            10 => Stop::Again,
            _ => Stop::End,
        };
        let length = (of(thread::OUT_BYTES) as usize).min(OUT_BYTES);
        let (place, work) = (of(thread::PLACE), self.memory.long(block + thread::WORK));
        let may_serve = of(thread::MAY_SERVE) != 0;
        let out = block + of(thread::OUT_AT) as usize;
        self.unread[t as usize] = (out, out + length);
        Stopped { records: vec![], stop, work, may_serve, place }
    }

    /// Reads the next records of a thread, at most so many.
    fn read_records(&mut self, t: u32, most: usize, mut to: impl FnMut(Record)) {
        let (mut at, end) = self.unread[t as usize];
        let mut count = 0;
        while at < end && count < most {
            let (mut record, next) = self.record(at);
            if let Done::Places(text) = &mut record.what {
                *text = self.named(text);
            }
            to(record);
            (at, count) = (next, count + 1);
        }
        self.unread[t as usize].0 = at;
    }

    /// The record at a place, and the place of the next.
    fn record(&self, at: usize) -> (Record, usize) {
        let word = |offset: usize| self.memory.word(at + offset).load(Ordering::Relaxed);
        let long = |offset: usize| self.memory.long(at + offset);
        let (kind, place) = (word(0) & 0xff, word(0) >> 8);
        let (with, work, bytes, offset, id) = (word(4), long(8), long(16), long(24), long(32));
        let rest = at + RECORD;
        let mut next = rest;
        let transfer = |is_put| Transfer { is_put, with, bytes, offset, piece: Piece::default() };
        let what = match kind {
            0 | 1 => Done::Blocking(transfer(kind == 0)),
            2 => Done::Relaxed(transfer(true)),
            3 | 4 => Done::Begun(transfer(kind == 3), id),
            5 => Done::Await(id),
            6 => Done::Settle,
            7 => {
                let nargs = (self.memory.word(rest + 4).load(Ordering::Relaxed) >> 16) & 0xff;
                let is_reply = self.memory.word(rest + 4).load(Ordering::Relaxed) >> 24 != 0;
                let payload = self.memory.long(rest + 8) as usize;
                let length = 16 + 8 * nargs as usize + payload.next_multiple_of(8);
                next = rest + length;
                Done::Sent(Message { to: with, is_reply, bytes, tag: 0, image: self.memory.bytes(rest, length) })
            }
            9 => {
                next = rest + bytes as usize;
                Done::Accesses((rest..next).step_by(8).map(|at| Access::of(self.memory.long(at))).collect())
            }
            10 => {
                next = rest + (bytes as usize).next_multiple_of(8);
                Done::Places(String::from_utf8_lossy(&self.memory.bytes(rest, bytes as usize)).into_owned())
            }
            11 => {
                next = rest + bytes as usize;
                Done::Worked(
                    (rest..next)
                        .step_by(16)
                        .map(|at| (self.memory.long(at) as u32, self.memory.long(at + 8)))
                        .collect(),
                )
            }
            12 => Done::Noted(Note { what: id as u8, with, bytes, offset }),
            _ => {
                next = rest + 24;
                Done::Notified(Ballot {
                    kinds: self.memory.long(rest),
                    first: self.memory.long(rest + 8),
                    other: self.memory.long(rest + 16),
                })
            }
        };
        (Record { work, what, place }, next)
    }
}

impl Job {
    /// What a thread says that has had its turn: nothing more, if its process has ended instead.
    fn said(&mut self, t: u32) -> Stopped {
        if !self.memory.has_stopped(t) {
            self.has_ended[t as usize] = true;
            return ENDED;
        }
        self.read(t)
    }

    /// Whether the thread has had this turn ahead. If not, what was foreseen has not come.
    fn has_run_ahead(&mut self, t: u32, turn: &Turn) -> bool {
        let Some(next) = self.foreseen.front() else { return false };
        let has_run = self.memory.has_stopped(next.thread);
        if has_run {
            assert!(
                next.thread == t && next.turn == *turn,
                "thread {} has had a turn that was thread {t}'s: {:?} for {turn:?}",
                next.thread,
                next.turn
            );
            self.foreseen.pop_front();
        } else {
            self.foreseen.clear();
        }
        has_run
    }
}

const ENDED: Stopped = Stopped { records: vec![], stop: Stop::End, work: 0, may_serve: false, place: 0 };

impl Threads for Job {
    fn begin(&mut self, t: u32, turn: &Turn) -> bool {
        let block = self.memory.block(t);
        let of = |at: usize| self.memory.word(block + at).load(Ordering::Relaxed);
        // What it knows of a barrier under way depends on when it goes on. Nor is the work of a thread measured that runs
        // beside the engine.
        let is_measured = self.memory.long(head::PER_NS) != 0;
        let is_full = of(thread::STOP) == FULL && !self.has_ended[t as usize];
        if !is_full || of(thread::NOTIFIED) != of(thread::BARRIERS) || is_measured {
            return false;
        }
        // Twice as much as before: so the first ones are soon there, and there are few of them.
        let most = (2 * of(thread::OUT_MOST)).min(OUT_BYTES as u32);
        let other = if of(thread::OUT_AT) as usize == OUT { OTHER_OUT } else { OUT };
        self.memory.prepare(t, turn, 0, None);
        self.memory.word(block + thread::OUT_AT).store(other as u32, Ordering::Relaxed);
        self.memory.word(block + thread::OUT_MOST).store(most, Ordering::Relaxed);
        let Some(number) = self.ahead.ask(t) else { return false };
        self.begun.insert(t, Begun::Asked(number));
        true
    }

    fn may_serve(&mut self, t: u32) -> Result<bool, Ended> {
        match self.begun.get(&t) {
            Some(Begun::Had(stopped)) => return Ok(stopped.may_serve),
            Some(&Begun::Asked(number)) => self.wait_for(number)?,
            None => {}
        }
        Ok(self.memory.word(self.memory.block(t) + thread::MAY_SERVE).load(Ordering::Acquire) != 0)
    }

    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        match (self.begun.remove(&t), turn) {
            (Some(begun), Turn::Run { now, .. }) => return self.has_begun(t, begun, *now),
            (Some(Begun::Asked(number)), Turn::Serve(..)) => {
                let stopped = self.all_of(t, number)?;
                self.begun.insert(t, Begun::Had(stopped));
            }
            (Some(had), Turn::Serve(..)) => drop(self.begun.insert(t, had)),
            (None, _) => {}
        }
        self.wait_for_all()?;
        self.keep(t);
        let mut stopped = self.turn(t, turn)?;
        let most = if matches!(turn, Turn::Serve(..)) { usize::MAX } else { AT_ONCE };
        self.read_records(t, most, |record| stopped.records.push(record));
        Ok(stopped)
    }

    fn more(&mut self, t: u32, to: &mut VecDeque<Record>) {
        match self.kept.remove(&t) {
            Some(kept) => to.extend(kept),
            None => self.read_records(t, AT_ONCE, |record| to.push_back(record)),
        }
    }

    fn touched(&mut self, t: u32) -> Touched {
        let of = |at: usize| self.memory.word(at).load(Ordering::Relaxed);
        let count = of(head::TOUCHED_COUNT) as usize;
        if count == 0 || of(head::TOUCHER) != t {
            return Touched::These(vec![]);
        }
        let these = (0..count.min(MOST_TOUCHED)).map(|i| of(head::TOUCHED + 4 * i)).collect();
        self.memory.word(head::TOUCHED_COUNT).store(0, Ordering::Relaxed);
        if count > MOST_TOUCHED {
            Touched::Any
        } else {
            Touched::These(these)
        }
    }

    fn repeated(&mut self, t: u32, times: u64) {
        let at = self.memory.block(t) + thread::REPEATED;
        self.memory.set_long(at, self.memory.long(at) + times);
    }

    fn foresee(&mut self, turns: Vec<Foreseen>) {
        (self.foreseen, self.begins) = (turns.into(), true);
    }
}

impl Job {
    /// Waits for a turn ahead.
    fn wait_for(&mut self, number: u64) -> Result<(), Ended> {
        while !self.ahead.wait_for(number) {
            if self.has_program_ended() {
                return Err(Ended);
            }
        }
        Ok(())
    }

    /// Waits for all turns ahead.
    fn wait_for_all(&mut self) -> Result<(), Ended> {
        let Some(last) = self.ahead.last() else { return Ok(()) };
        self.wait_for(last)?;
        self.ahead.rest();
        Ok(())
    }

    /// What a thread has done in its turn ahead, which the engine has come to now.
    fn has_begun(&mut self, t: u32, begun: Begun, now: Time) -> Result<Stopped, Ended> {
        if let Begun::Asked(number) = begun {
            self.wait_for(number)?;
        }
        self.memory.set_long(self.memory.block(t) + thread::NOW, now);
        let mut stopped = match begun {
            Begun::Had(stopped) => return Ok(stopped),
            Begun::Asked(_) => self.said(t),
        };
        self.read_records(t, AT_ONCE, |record| stopped.records.push(record));
        Ok(stopped)
    }

    /// What a thread has done in its turn ahead, as a whole; what it has done before is kept.
    fn all_of(&mut self, t: u32, number: u64) -> Result<Stopped, Ended> {
        self.wait_for(number)?;
        self.keep(t);
        let mut stopped = self.said(t);
        self.read_records(t, usize::MAX, |record| stopped.records.push(record));
        Ok(stopped)
    }

    /// Keeps what a thread has written before it writes over it.
    fn keep(&mut self, t: u32) {
        if self.unread[t as usize].0 < self.unread[t as usize].1 {
            let mut kept = self.kept.remove(&t).unwrap_or_default();
            self.read_records(t, usize::MAX, |record| kept.push_back(record));
            self.kept.insert(t, kept);
        }
    }

    /// Gives a thread its turn, and waits until it has stopped.
    fn turn(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        if self.has_ended[t as usize] {
            self.foreseen.clear();
            return Ok(ENDED);
        }
        let begins = std::mem::take(&mut self.begins);
        if !begins && self.has_run_ahead(t, turn) {
            return Ok(self.said(t));
        }
        let was_end = self.memory.word(self.memory.block(t) + thread::STOP).load(Ordering::Acquire) == END;
        self.memory.set_long(head::SOONEST_AT, Time::MAX);
        // An engine that does not ask who was touched has no threads that poll.
        self.memory.word(head::TOUCHED_COUNT).store(0, Ordering::Relaxed);
        self.memory.word(head::SOONEST).store(u32::MAX, Ordering::Relaxed);
        let next = self.foreseen.front().map(|next| next.thread);
        let how = self.memory.prepare(t, turn, 0, next);
        for i in 0..self.foreseen.len() {
            let Foreseen { thread, at, turn } = &self.foreseen[i];
            self.memory.prepare(*thread, turn, *at, self.foreseen.get(i + 1).map(|next| next.thread));
        }
        self.memory.word(head::ENGINE).store(0, Ordering::Relaxed);
        self.memory.wake(self.memory.baton(t) + baton::TURN, how);
        if was_end && how == RUN {
            self.has_ended[t as usize] = true;
            return Ok(ENDED);
        }
        let running = |job: &Self| {
            let all = std::iter::once(t).chain(job.foreseen.iter().map(|next| next.thread));
            all.into_iter().find(|t| !job.memory.has_stopped(*t))
        };
        let has_baton = |job: &Self| job.memory.word(head::ENGINE).load(Ordering::Acquire) != 0;
        while self.wait_until(has_baton, running)? && self.memory.fetch() {}
        Ok(self.said(t))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}
