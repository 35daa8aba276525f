//! Writing a trace beside a run.

use super::format::{Choices, Context, Head, Segment, Served, BLOCK, END, MAGIC, VERSION};
use super::wire::{put, Check};
use crate::program::stops::{Done, Ended, Foreseen, Record, Stop, Stopped, Threads, Turn};
use std::collections::VecDeque;
use std::io::{self, Write};

/// Bytes of a thread's stream that are written together.
const AT_ONCE: usize = 16 << 10;

#[derive(Default)]
struct Stream {
    bytes: Vec<u8>,
    context: Context,
    barriers: u32,
    /// Where the thread stands.
    stop: Option<Stop>,
    /// Messages that it has served since its last turn.
    served: u64,
    /// Whose request it served last.
    last: Option<u32>,
}

/// The threads of a job, of which a trace is written.
pub struct Recorder<'a, T, W> {
    job: &'a mut T,
    to: W,
    check: Check,
    threads: Vec<Stream>,
    choices: Choices,
    /// The first error in writing; nothing is written after it.
    failed: Option<io::Error>,
}

impl<'a, T: Threads, W: Write> Recorder<'a, T, W> {
    pub fn new(job: &'a mut T, to: W, head: &Head) -> Self {
        let threads = (0..head.threads).map(|_| Stream::default()).collect();
        let (check, choices) = (Check::default(), Choices::default());
        let mut recorder = Recorder { job, to, check, threads, choices, failed: None };
        let mut bytes = MAGIC.to_vec();
        put(&mut bytes, VERSION);
        head.write(&mut bytes);
        recorder.write(&bytes);
        recorder
    }

    /// Writes what is left, after a run that has ended; `declared` asks the job for the work that was declared.
    ///
    /// # Errors
    /// The first error in writing.
    pub fn finish(mut self, declared: impl FnOnce(&T) -> u64) -> io::Result<()> {
        self.choices.declared = declared(self.job);
        (0..self.threads.len()).for_each(|t| self.flush(t));
        let mut bytes = vec![END];
        self.choices.write(&mut bytes);
        self.write(&bytes);
        let check = self.check.0.to_le_bytes();
        self.write(&check);
        let flushed = self.to.flush();
        self.failed.map_or(flushed, Err)
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.check.add(bytes);
            self.failed = self.to.write_all(bytes).err();
        }
    }

    fn flush(&mut self, t: usize) {
        let stream = std::mem::take(&mut self.threads[t].bytes);
        let mut head = vec![BLOCK];
        put(&mut head, t as u64);
        put(&mut head, stream.len() as u64);
        self.write(&head);
        self.write(&stream);
    }

    /// Counts what depended on time in the turn that begins.
    fn choose(&mut self, t: u32, barriers: u32) {
        let stream = &self.threads[t as usize];
        match stream.stop {
            Some(Stop::Clock) => self.choices.clocks += 1,
            Some(Stop::Test(_)) => self.choices.tests += 1,
            Some(Stop::Wait(limit)) if limit > 0 && stream.served == 0 && stream.barriers == barriers => {
                self.choices.limits += 1;
            }
            Some(Stop::Arrival(transfer)) if !transfer.is_put => self.choices.strict += 1,
            _ => {}
        }
    }
}

/// Gives messages their numbers.
fn number(records: &mut [Record], mut next: u64) {
    for record in records {
        if let Done::Sent(message) = &mut record.what {
            message.tag = next;
            next += 1;
        }
    }
}

impl<T: Threads, W: Write> Threads for Recorder<'_, T, W> {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        let mut stopped = self.job.go_on(t, turn)?;
        let mut more = VecDeque::new();
        loop {
            self.job.more(t, &mut more);
            if more.is_empty() {
                break;
            }
            stopped.records.extend(more.drain(..));
        }
        if stopped.stop == Stop::Again {
            // The trace has all its turns.
            stopped.stop = Stop::Order;
        }
        if let Turn::Run { barriers, .. } = turn {
            self.choose(t, barriers.0);
        }
        let stream = &mut self.threads[t as usize];
        let has_ended = stream.stop == Some(Stop::End);
        number(&mut stopped.records, stream.context.sent);
        match turn {
            _ if has_ended => {}
            Turn::Run { answer, barriers: (barriers, _), .. } => {
                let segment = Segment {
                    answer: *answer != 0,
                    barriers: *barriers,
                    may_serve: stopped.may_serve,
                    records: std::mem::take(&mut stopped.records),
                    work: stopped.work,
                    stop: stopped.stop,
                    place: stopped.place,
                };
                segment.write(&mut stream.bytes, stream.barriers, &mut stream.context);
                stopped.records = segment.records;
                (stream.stop, stream.barriers, stream.served) = (Some(stopped.stop), *barriers, 0);
            }
            Turn::Serve(from, message) => {
                let records = std::mem::take(&mut stopped.records);
                let served = Served { from: *from, tag: message.tag, records };
                served.write(&mut stream.bytes, &mut stream.context);
                stopped.records = served.records;
                stream.served += 1;
                if !message.is_reply {
                    let last = stream.last.replace(*from);
                    self.choices.rivals += u64::from(last.is_some_and(|last| last != *from));
                }
            }
        }
        if stream.bytes.len() >= AT_ONCE {
            self.flush(t as usize);
        }
        Ok(stopped)
    }

    fn begin(&mut self, t: u32, turn: &Turn) -> bool {
        self.job.begin(t, turn)
    }

    fn may_serve(&mut self, t: u32) -> Result<bool, Ended> {
        self.job.may_serve(t)
    }

    fn foresee(&mut self, turns: Vec<Foreseen>) {
        self.job.foresee(turns);
    }
}
