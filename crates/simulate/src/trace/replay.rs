//! Performing a trace, on the machine of the run or on another.
//!
//! On the machine of the run, each thread does again what it did, and the times are the same. On another machine a thread
//! may come to a wait earlier or later, beside what it waits for. So a wait is not over when something has come, but when
//! the messages and the barrier that ended it in the run have come; if they are there already, it is left out. These are
//! orders that the run kept, so that no replay waits for ever. What the program chose by the time, it chooses again
//! ([`Choices`]).

use super::format::{Choices, Context, Head, Segment, Served, BLOCK, END, MAGIC, SEGMENT, SERVED, VERSION};
use super::wire::{Check, Reader};
use crate::program::stops::{Done, Ended, Record, Stop, Stopped, Threads, Turn};
use std::collections::{HashMap, VecDeque};

/// A message by its sender and its number among the sender's.
type Name = (u32, u64);

/// What one thread did.
#[derive(Clone, Debug, Default)]
struct Stream {
    bytes: Vec<u8>,
    /// The messages that it served, in their order: where in `bytes`, and the messages that it had sent before.
    served: Vec<(usize, u64)>,
    order: HashMap<Name, usize>,
}

/// A run that can be performed again.
#[derive(Clone, Debug)]
pub struct Trace {
    pub head: Head,
    pub choices: Choices,
    threads: Vec<Stream>,
    has_accesses: bool,
}

/// The most threads of a trace.
const MOST_THREADS: u32 = 1 << 20;

impl Trace {
    /// Reads a trace and checks that it is whole: one of a run that did not come to its end is not.
    ///
    /// # Errors
    /// The end of a sentence that begins with the file's name: what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Trace, String> {
        let cut = || String::from("is cut off or damaged: record it again by `fathom simulate --trace`");
        // A run that was interrupted before it wrote anything leaves an empty file.
        if MAGIC.starts_with(bytes) {
            return Err(cut());
        }
        if !bytes.starts_with(MAGIC) {
            return Err("is not a trace of a simulated run: `fathom simulate --trace FILE` writes one".into());
        }
        let mut r = Reader::new(bytes, MAGIC.len());
        let version = r.number().ok_or_else(cut)?;
        if version != VERSION {
            return Err(format!(
                "was written by another version of Fathom (format {version}, this one reads {VERSION}): record it again"
            ));
        }
        let end = bytes.len().checked_sub(8).ok_or_else(cut)?;
        let mut check = Check::default();
        check.add(&bytes[..end]);
        if check.0.to_le_bytes() != bytes[end..] {
            return Err(cut());
        }
        r.bytes = &bytes[..end];
        Self::body(&mut r).ok_or_else(cut)
    }

    /// Whether the threads say where they access their own memory.
    pub fn has_accesses(&self) -> bool {
        self.has_accesses
    }

    /// What a thread did, in its order.
    pub(super) fn entries(&self, t: u32) -> Entries<'_> {
        Entries { r: Reader::new(&self.threads[t as usize].bytes, 0), context: Context::default(), barriers: 0 }
    }

    fn body(r: &mut Reader) -> Option<Trace> {
        let head = Head::read(r)?;
        if head.threads == 0 || head.threads > MOST_THREADS {
            return None;
        }
        let mut threads = vec![Stream::default(); head.threads as usize];
        loop {
            match r.byte()? {
                BLOCK => {
                    let t = r.small()?;
                    threads.get_mut(t as usize)?.bytes.extend_from_slice(r.slice()?);
                }
                END => break,
                _ => return None,
            }
        }
        let choices = Choices::read(r)?;
        let mut has_accesses = false;
        for stream in &mut threads {
            has_accesses |= stream.index(head.threads)?;
        }
        r.is_at_end().then_some(Trace { head, choices, threads, has_accesses })
    }
}

impl Stream {
    /// Reads all that the thread did, and notes where it served messages. Whether it has accesses to its own memory.
    fn index(&mut self, threads: u32) -> Option<bool> {
        let bytes = std::mem::take(&mut self.bytes);
        let mut r = Reader::new(&bytes, 0);
        let (mut context, mut barriers, mut last) = (Context::default(), 0, None);
        let mut has_accesses = false;
        while !r.is_at_end() {
            let (at, sent) = (r.at, context.sent);
            let records = match r.byte()? {
                SEGMENT => {
                    let segment = Segment::read(&mut r, barriers, &mut context)?;
                    barriers = segment.barriers;
                    let is_known = |stop: &Stop| !matches!(stop, Stop::Arrival(t) if t.with >= threads);
                    last = Some(segment.stop).filter(is_known);
                    last?;
                    segment.records
                }
                SERVED => {
                    let served = Served::read(&mut r, &mut context)?;
                    self.order.insert((served.from, served.tag), self.served.len());
                    self.served.push((at + 1, sent));
                    served.records
                }
                _ => return None,
            };
            let is_known = |record: &Record| match &record.what {
                Done::Blocking(t) | Done::Relaxed(t) | Done::Begun(t, _) => t.with < threads,
                Done::Sent(m) => m.to < threads,
                Done::Noted(n) => n.with < threads,
                _ => true,
            };
            if !records.iter().all(is_known) {
                return None;
            }
            has_accesses |= records.iter().any(|r| matches!(r.what, Done::Accesses(_)));
        }
        self.bytes = bytes;
        (last == Some(Stop::End)).then_some(has_accesses)
    }
}

/// What a thread did next.
pub(super) enum Entry {
    Turn(Segment),
    Served(Served),
}

/// A stream that has been found to be whole.
pub(super) struct Entries<'a> {
    r: Reader<'a>,
    context: Context,
    barriers: u32,
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        if self.r.byte()? == SEGMENT {
            let segment = Segment::read(&mut self.r, self.barriers, &mut self.context)?;
            self.barriers = segment.barriers;
            return Some(Entry::Turn(segment));
        }
        Served::read(&mut self.r, &mut self.context).map(Entry::Served)
    }
}

/// Waits in a row, with nothing between them, and what ended them.
#[derive(Debug)]
pub(super) struct Wait {
    pub stops: Vec<(Stop, bool, u32)>,
    /// The next of them.
    at: usize,
    /// From this one on it was over, and the thread only looked once more.
    pub over: usize,
    /// The messages served meanwhile, by their numbers in the order of the thread's.
    pub messages: std::ops::Range<usize>,
    /// Complete at its end.
    pub barriers: u32,
}

/// Where a thread is.
#[derive(Debug, Default)]
struct Position {
    at: usize,
    context: Context,
    /// At the last segment that was read: complete barriers.
    barriers: u32,
    /// Messages served before it.
    served: usize,
    /// Segments that have been read ahead, with the number of messages served before each.
    ahead: VecDeque<(Segment, usize)>,
    wait: Option<Wait>,
    /// Which of the messages have been served in the replay.
    has_served: Vec<bool>,
    /// Barriers that it has notified.
    notified: u32,
    stop: Option<Stop>,
    /// It has come to its end.
    is_done: bool,
}

/// The threads of a trace.
pub struct Replay<'a> {
    trace: &'a Trace,
    at: Vec<Position>,
}

impl<'a> Replay<'a> {
    pub fn new(trace: &'a Trace) -> Self {
        let fresh = |s: &Stream| Position { has_served: vec![false; s.served.len()], ..Position::default() };
        Replay { trace, at: trace.threads.iter().map(fresh).collect() }
    }

    /// The thread's turn with this number from the next one on.
    fn segment(&mut self, t: u32, ahead: usize) -> Option<&(Segment, usize)> {
        let (stream, p) = (&self.trace.threads[t as usize], &mut self.at[t as usize]);
        while p.ahead.len() <= ahead {
            let mut r = Reader::new(&stream.bytes, p.at);
            match r.byte()? {
                SEGMENT => {
                    let segment = Segment::read(&mut r, p.barriers, &mut p.context)?;
                    p.barriers = segment.barriers;
                    p.ahead.push_back((segment, p.served));
                }
                _ => {
                    Served::read(&mut r, &mut p.context)?;
                    p.served += 1;
                }
            }
            p.at = r.at;
        }
        p.ahead.get(ahead)
    }

    /// The waits that begin with the stop of the next segment.
    fn wait(&mut self, t: u32) -> Option<Wait> {
        let (first, served) = self.segment(t, 0)?;
        let (from, mut stops) = (*served, vec![(first.stop, first.may_serve, first.place)]);
        let mut states = vec![(*served, first.barriers)];
        let is_part = |stop: Stop| matches!(stop, Stop::Wait(_) | Stop::Order);
        if !is_part(first.stop) {
            return None;
        }
        loop {
            let (next, served) = self.segment(t, stops.len())?;
            states.push((*served, next.barriers));
            if !next.records.is_empty() || next.work > 0 || !is_part(next.stop) {
                break;
            }
            stops.push((next.stop, next.may_serve, next.place));
        }
        if !stops.iter().any(|(stop, ..)| matches!(stop, Stop::Wait(_))) {
            return None;
        }
        let end = *states.last()?;
        let over = states.iter().position(|state| *state == end)?;
        Some(Wait { stops, at: 0, over, messages: from..end.0, barriers: end.1 })
    }

    /// The thread's next turn, with the wait that it ends in; the turns of that wait are taken with it.
    pub(super) fn take(&mut self, t: u32) -> Option<(Segment, Option<Wait>)> {
        let wait = self.wait(t);
        let waits = wait.as_ref().map(|w| w.stops.len()).unwrap_or(1);
        let p = &mut self.at[t as usize];
        let (segment, _) = p.ahead.pop_front()?;
        p.ahead.drain(..waits - 1);
        Some((segment, wait))
    }

    /// The answer to the stop of the thread's last turn.
    pub(super) fn answer(&mut self, t: u32) -> Option<bool> {
        Some(self.segment(t, 0)?.0.answer)
    }

    /// The next stop of the thread's wait, if it is not over.
    fn waiting(&mut self, t: u32, barriers: u32) -> Option<Stopped> {
        let p = &mut self.at[t as usize];
        let wait = p.wait.as_mut()?;
        let is_over = barriers >= wait.barriers && wait.messages.clone().all(|i| p.has_served[i]);
        if is_over {
            wait.at = wait.at.max(wait.over);
        } else if wait.at >= wait.over {
            // Longer than in the run.
            let place = wait.stops.first().map_or(0, |s| s.2);
            return Some(Stopped { records: vec![], stop: Stop::Wait(0), work: 0, may_serve: true, place });
        }
        let Some(&(stop, may_serve, place)) = wait.stops.get(wait.at) else {
            p.wait = None;
            return None;
        };
        wait.at += 1;
        Some(Stopped { records: vec![], stop, work: 0, may_serve, place })
    }

    fn run(&mut self, t: u32, answer: u64, barriers: u32) -> Option<Stopped> {
        let stop = self.at[t as usize].stop;
        if self.at[t as usize].is_done {
            // Not before it has served all that it served in the run: others wait for its answers.
            let is_over = self.at[t as usize].has_served.iter().all(|served| *served);
            let stop = if is_over { Stop::End } else { Stop::Wait(0) };
            return Some(Stopped { records: vec![], stop, work: 0, may_serve: !is_over, place: 0 });
        }
        if let Some(stopped) = self.waiting(t, barriers) {
            return Some(stopped);
        }
        let (next, _) = self.segment(t, 0)?;
        if let (Some(Stop::Test(id)), 0, true) = (stop, answer, next.answer) {
            // In the run it was complete by now.
            let (may_serve, place) = (next.may_serve, next.place);
            let records = vec![Record { work: 0, what: Done::Await(id), place }];
            return Some(Stopped { records, stop: Stop::Full, work: 0, may_serve, place });
        }
        let place = next.place;
        let notifies = next.records.iter().any(|r| matches!(r.what, Done::Notified(_)));
        if notifies && barriers < self.at[t as usize].notified {
            // In the run the barrier before was complete when the thread came to its end.
            return Some(Stopped { records: vec![], stop: Stop::Wait(0), work: 0, may_serve: true, place });
        }
        let (segment, wait) = self.take(t)?;
        let p = &mut self.at[t as usize];
        p.wait = wait;
        p.notified += u32::from(notifies);
        let Segment { may_serve, records, work, stop, place, .. } = segment;
        if self.at[t as usize].wait.is_none() {
            return Some(Stopped { records, stop, work, may_serve, place });
        }
        let nothing = || Stopped { records: vec![], stop: Stop::Full, work: 0, may_serve: true, place };
        let first = self.waiting(t, barriers).unwrap_or_else(nothing);
        Some(Stopped { records, work, ..first })
    }

    /// What the thread did when it served a message.
    fn serve(&mut self, t: u32, name: Name) -> Option<Vec<Record>> {
        let stream = &self.trace.threads[t as usize];
        let number = *stream.order.get(&name)?;
        let &(at, sent) = stream.served.get(number)?;
        self.at[t as usize].has_served[number] = true;
        let mut context = Context::after(sent);
        Some(Served::read(&mut Reader::new(&stream.bytes, at), &mut context)?.records)
    }
}

impl Threads for Replay<'_> {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        match turn {
            Turn::Run { answer, barriers, .. } => {
                let stopped = self.run(t, *answer, barriers.0).ok_or(Ended)?;
                let p = &mut self.at[t as usize];
                p.stop = Some(stopped.stop);
                p.is_done |= stopped.stop == Stop::End;
                Ok(stopped)
            }
            Turn::Serve(from, message) => {
                // A message that came too late in the run is served in vain.
                let records = self.serve(t, (*from, message.tag)).unwrap_or_default();
                Ok(Stopped { records, stop: Stop::Served, work: 0, may_serve: true, place: 0 })
            }
        }
    }
}
