//! The memory through which a job's threads and the engine take turns. runtime/conduit/sim/engine.h is the other side; a
//! test compares the numbers.

use crate::program::stops::{
    Access, Ballot, Done, Ended, Foreseen, Message, Note, Piece, Record, Stop, Stopped, Threads, Transfer, Turn,
};
use fathom_machine::description::WORK;
use fathom_machine::Time;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicU32, Ordering};

pub const VERSION: u32 = 8;
const HEAD: usize = 4096;
const BATON: usize = 16;
const BLOCK: usize = 131_072;
const OUT: usize = 256;
const OUT_BYTES: usize = 61_440;
const IN: usize = 65_536;
const IN_BYTES: usize = 65_536;
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
}

const RUN: u32 = 1;
const SERVE: u32 = 2;

/// The names of the numbers in the header, and their values here: for the test that compares them.
pub const NUMBERS: [(&str, usize); 8] = [
    ("SIM_VERSION", VERSION as usize),
    ("SIM_HEAD", HEAD),
    ("SIM_BATON", BATON),
    ("SIM_BLOCK", BLOCK),
    ("SIM_OUT", OUT),
    ("SIM_OUT_BYTES", OUT_BYTES),
    ("SIM_IN", IN),
    ("SIM_IN_BYTES", IN_BYTES),
];

/// The stops and the records by their numbers in the header.
pub const STOPS: [&str; 10] = ["START", "FULL", "SERVED", "ORDER", "WAIT", "TEST", "CLOCK", "SLEEP", "ARRIVAL", "END"];
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
    file: File,
    base: *mut u8,
    length: usize,
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

/// The line of the program, `file:line`, among the calls that led somewhere, the innermost first: addresses in the
/// executable.
pub type Lines = dyn Fn(&[u64]) -> Option<String>;

impl Job {
    /// Makes the memory for a job of this number of threads.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(threads: u32, work: &Work) -> io::Result<Job> {
        // SAFETY: a name without a zero byte inside, and flags.
        let fd = unsafe { libc::memfd_create(c"fathom-sim".as_ptr(), 0) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: a new descriptor that nobody else owns.
        let file = unsafe { File::from_raw_fd(fd) };
        let length = blocks(threads as usize) + threads as usize * BLOCK;
        file.set_len(length as u64)?;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping of a file that is as long.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), length, protection, libc::MAP_SHARED, fd, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let has_ended = vec![false; threads as usize];
        let job = Job {
            file,
            base: base.cast(),
            length,
            program: None,
            status: None,
            has_ended,
            unread: vec![(0, 0); threads as usize],
            kept: HashMap::new(),
            foreseen: VecDeque::new(),
            begins: false,
            lines: None,
            files: BTreeSet::new(),
        };
        let simulates_accesses = matches!(work, Work::Accesses(_));
        job.word(head::ACCESSES).store(u32::from(simulates_accesses), Ordering::Relaxed);
        if let Work::Measured(ratio, _) = work {
            job.set_long(head::PER_NS, (ratio * 1000.0).round() as u64);
        }
        if let Work::Counted(costs) | Work::Accesses(costs) | Work::Measured(_, Some(costs)) = work {
            for ((class, cost), name) in costs.iter().enumerate().zip(WORK) {
                let thousandths = (cost * 1000.0).round() as u64;
                let is_access = matches!(name, "load" | "store");
                if !(is_access && simulates_accesses) {
                    job.set_long(head::COSTS + 8 * class, thousandths);
                }
                match name {
                    "float" => job.set_long(head::DECLARED, thousandths),
                    "load" => job.set_long(head::DECLARED + 8, thousandths),
                    _ => {}
                }
            }
        }
        job.word(head::VERSION).store(VERSION, Ordering::Relaxed);
        job.word(head::THREADS).store(threads, Ordering::Release);
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
        self.file.as_raw_fd()
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
            let of = |at| job.word(at).load(Ordering::Acquire);
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
        let of = |t: u32| (self.long(self.block(t) + thread::COUNTED), self.long(self.block(t) + thread::DECLARED));
        threads.map(of).fold((0, 0), |sum, (c, d)| (sum.0.saturating_add(c), sum.1.saturating_add(d)))
    }

    /// Whether the program says where it accesses memory.
    pub fn has_accesses(&self) -> bool {
        self.word(head::HAS_ACCESSES).load(Ordering::Relaxed) != 0
    }

    fn word(&self, at: usize) -> &AtomicU32 {
        debug_assert!(at + 4 <= self.length && at.is_multiple_of(4));
        // SAFETY: inside the mapping, aligned; both sides use atomic accesses for these words.
        unsafe { &*self.base.add(at).cast::<AtomicU32>() }
    }

    fn block(&self, t: u32) -> usize {
        blocks(self.has_ended.len()) + t as usize * BLOCK
    }

    fn baton(&self, t: u32) -> usize {
        HEAD + t as usize * BATON
    }

    fn long(&self, at: usize) -> u64 {
        debug_assert!(at + 8 <= self.length);
        // SAFETY: inside the mapping; the thread that writes it is stopped.
        unsafe { self.base.add(at).cast::<u64>().read_unaligned() }
    }

    fn set_long(&self, at: usize, value: u64) {
        debug_assert!(at + 8 <= self.length);
        // SAFETY: inside the mapping; the thread that reads it is stopped.
        unsafe { self.base.add(at).cast::<u64>().write_unaligned(value) };
    }

    fn bytes(&self, at: usize, count: usize) -> Vec<u8> {
        debug_assert!(at + count <= self.length);
        // SAFETY: inside the mapping; the thread that writes them is stopped.
        unsafe { std::slice::from_raw_parts(self.base.add(at), count) }.to_vec()
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
            let limit = libc::timespec { tv_sec: 0, tv_nsec: look_ms * 1_000_000 };
            let word = self.word(head::ENGINE).as_ptr();
            // SAFETY: a word of the mapping, and a time limit on the stack.
            unsafe { libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAIT, 0, &raw const limit) };
            if self.word(head::ENGINE).load(Ordering::Acquire) == 0 {
                if running(self).is_some_and(|t| self.is_gone(t)) {
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

    /// Whether the process of a thread has ended, without a word.
    fn is_gone(&self, t: u32) -> bool {
        let process = self.word(self.block(t) + thread::PROCESS).load(Ordering::Relaxed) as i32;
        // SAFETY: signal 0 only asks.
        process > 0 && unsafe { libc::kill(process, 0) } != 0
    }

    fn wake(&self, at: usize, value: u32) {
        self.word(at).store(value, Ordering::Release);
        // SAFETY: a word of the mapping.
        unsafe { libc::syscall(libc::SYS_futex, self.word(at).as_ptr(), libc::FUTEX_WAKE, 1) };
    }

    /// What a stopped thread says, without its records.
    fn read(&mut self, t: u32) -> Stopped {
        let block = self.block(t);
        let of = |at: usize| self.word(block + at).load(Ordering::Acquire);
        let args = |i: usize| self.long(block + thread::ARGS + 8 * i);
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
            _ => Stop::End,
        };
        let length = (of(thread::OUT_BYTES) as usize).min(OUT_BYTES);
        let (place, work) = (of(thread::PLACE), self.long(block + thread::WORK));
        let may_serve = of(thread::MAY_SERVE) != 0;
        self.unread[t as usize] = (block + OUT, block + OUT + length);
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
        let word = |offset: usize| self.word(at + offset).load(Ordering::Relaxed);
        let long = |offset: usize| self.long(at + offset);
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
                let nargs = (self.word(rest + 4).load(Ordering::Relaxed) >> 16) & 0xff;
                let is_reply = self.word(rest + 4).load(Ordering::Relaxed) >> 24 != 0;
                let payload = self.long(rest + 8) as usize;
                let length = 16 + 8 * nargs as usize + payload.next_multiple_of(8);
                next = rest + length;
                Done::Sent(Message { to: with, is_reply, bytes, tag: 0, image: self.bytes(rest, length) })
            }
            9 => {
                next = rest + bytes as usize;
                Done::Accesses((rest..next).step_by(8).map(|at| Access::of(self.long(at))).collect())
            }
            10 => {
                next = rest + (bytes as usize).next_multiple_of(8);
                Done::Places(String::from_utf8_lossy(&self.bytes(rest, bytes as usize)).into_owned())
            }
            11 => {
                next = rest + bytes as usize;
                Done::Worked((rest..next).step_by(16).map(|at| (self.long(at) as u32, self.long(at + 8))).collect())
            }
            12 => Done::Noted(Note { what: id as u8, with, bytes, offset }),
            _ => {
                next = rest + 24;
                Done::Notified(Ballot {
                    kinds: self.long(rest),
                    first: self.long(rest + 8),
                    other: self.long(rest + 16),
                })
            }
        };
        (Record { work, what, place }, next)
    }
}

impl Job {
    fn has_stopped(&self, t: u32) -> bool {
        self.word(self.block(t) + thread::HAS_STOPPED).load(Ordering::Acquire) != 0
    }

    /// Writes what a thread finds when it goes on, and who goes on after it.
    fn prepare(&self, t: u32, turn: &Turn, at: Time, next: Option<u32>) -> u32 {
        let (block, baton) = (self.block(t), self.baton(t));
        self.word(block + thread::HAS_STOPPED).store(0, Ordering::Relaxed);
        self.word(baton + baton::NEXT).store(next.map_or(0, |next| next + 1), Ordering::Relaxed);
        self.set_long(baton + baton::AT, at);
        match turn {
            Turn::Run { now, answer, barriers: (count, ballot) } => {
                self.set_long(block + thread::NOW, *now);
                self.set_long(block + thread::ANSWER, *answer);
                self.word(block + thread::BARRIERS).store(*count, Ordering::Relaxed);
                for (i, part) in [ballot.kinds, ballot.first, ballot.other].into_iter().enumerate() {
                    self.set_long(block + thread::BALLOT + 8 * i, part);
                }
                RUN
            }
            Turn::Serve(from, message) => {
                let room = block + IN;
                let length = message.image.len().min(IN_BYTES);
                // SAFETY: inside the mapping; the thread that reads it is stopped.
                unsafe { std::ptr::copy_nonoverlapping(message.image.as_ptr(), self.base.add(room), length) };
                self.word(room).store(*from, Ordering::Relaxed);
                self.word(block + thread::IN_BYTES).store(length as u32, Ordering::Relaxed);
                SERVE
            }
        }
    }

    /// What a thread says that has had its turn: nothing more, if its process has ended instead.
    fn said(&mut self, t: u32) -> Stopped {
        if !self.has_stopped(t) {
            self.has_ended[t as usize] = true;
            return ENDED;
        }
        self.read(t)
    }

    /// Whether the thread has had this turn ahead. If not, what was foreseen has not come.
    fn has_run_ahead(&mut self, t: u32, turn: &Turn) -> bool {
        let Some(next) = self.foreseen.front() else { return false };
        let has_run = self.has_stopped(next.thread);
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
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        if self.unread[t as usize].0 < self.unread[t as usize].1 {
            let mut kept = self.kept.remove(&t).unwrap_or_default();
            self.read_records(t, usize::MAX, |record| kept.push_back(record));
            self.kept.insert(t, kept);
        }
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

    fn foresee(&mut self, turns: Vec<Foreseen>) {
        (self.foreseen, self.begins) = (turns.into(), true);
    }
}

impl Job {
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
        let was_end = self.word(self.block(t) + thread::STOP).load(Ordering::Acquire) == END;
        self.set_long(head::SOONEST_AT, Time::MAX);
        self.word(head::SOONEST).store(u32::MAX, Ordering::Relaxed);
        let next = self.foreseen.front().map(|next| next.thread);
        let how = self.prepare(t, turn, 0, next);
        for i in 0..self.foreseen.len() {
            let Foreseen { thread, at, turn } = &self.foreseen[i];
            self.prepare(*thread, turn, *at, self.foreseen.get(i + 1).map(|next| next.thread));
        }
        self.word(head::ENGINE).store(0, Ordering::Relaxed);
        self.wake(self.baton(t) + baton::TURN, how);
        if was_end && how == RUN {
            self.has_ended[t as usize] = true;
            return Ok(ENDED);
        }
        let running = |job: &Self| {
            let all = std::iter::once(t).chain(job.foreseen.iter().map(|next| next.thread));
            all.into_iter().find(|t| !job.has_stopped(*t))
        };
        self.wait_until(|job| job.word(head::ENGINE).load(Ordering::Acquire) != 0, running)?;
        Ok(self.said(t))
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        let _ = self.stop();
        // SAFETY: the mapping that was made in `new`.
        unsafe { libc::munmap(self.base.cast(), self.length) };
    }
}
