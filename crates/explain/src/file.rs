//! The trace of one thread: `struct trace_header` and the data after it (runtime/lang/explain_trace.h), read from
//! bytes. A file may belong to a thread that was killed, or be truncated: the existing part is read, and a missing part
//! is an error with a sentence.

use crate::site::About;

const VERSION: u64 = 6;
const MOST_SAMPLES: u64 = 1 << 16;
const LOCKS: usize = 256;
const CHOICES: usize = 8;
const CHOICE_BYTES: usize = 16 + 16 + 6 * 8 + 96;

/// A thread's trace. Times are ticks; [`Clock`] converts them to nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub thread: usize,
    pub threads: usize,
    /// The threads that share memory with it.
    pub near: std::ops::Range<usize>,
    /// The thread ended normally; otherwise it was killed, crashed, or still runs.
    pub ended: bool,
    pub clock: Clock,
    pub started_unix_ns: u64,
    pub conduit: String,
    pub host: String,
    pub boot: String,
    pub program: String,
    /// The processors of the thread's computer that it could use.
    pub processors: usize,
    /// The time of a full fence.
    pub fence_ticks: u64,
    /// The time for which it had a processor.
    pub processor_ns: u64,
    /// The tuning table that the thread read; empty if the built-in defaults were used.
    pub table: String,
    pub sites: Vec<Record>,
    pub locks: Vec<Lock>,
    pub objects: Vec<Object>,
    pub objects_lost: u64,
    pub events: Vec<Event>,
    /// Events that are not in the list because they were too short, and the sum of their times.
    pub events_lost: u64,
    pub events_lost_ticks: u64,
}

/// Two instants by the processor's counter and by the system's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    pub start_ticks: u64,
    pub start_ns: u64,
    pub last_ticks: u64,
    pub last_ns: u64,
}

impl Clock {
    /// Nanoseconds per tick; None if the thread ended too early.
    pub fn rate(&self) -> Option<f64> {
        let (ticks, ns) = (self.last_ticks.checked_sub(self.start_ticks)?, self.last_ns.checked_sub(self.start_ns)?);
        (ns > 1000 && ticks > 0).then(|| ns as f64 / ticks as f64)
    }
}

/// The counts of one thread at a site.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub about: About,
    /// Accesses, by the thread to which the object has affinity.
    pub hits: Vec<u64>,
    /// Bytes that calls moved, by the same threads.
    pub moved: Vec<u64>,
    pub calls: u64,
    /// Far accesses that the runtime served by a mechanism, and the messages that they began.
    pub served: Served,
    /// Calls that were timed, and represent only themselves.
    pub timed: u64,
    pub ticks: u64,
    /// Calls that were timed, and also represent calls that were not.
    pub sampled: u64,
    pub sampled_ticks: u64,
    pub sampled_longest: u64,
    /// The begin of the call that had not returned at the end of the trace.
    pub began: u64,
    pub own_loads: u64,
    pub own_ticks: u64,
    pub near_loads: u64,
    pub near_ticks: u64,
    pub samples: Vec<Sample>,
    pub choices: Vec<Choice>,
    /// Offset of the static object in a segment.
    pub object: u64,
    /// Bytes of an access.
    pub bytes: u64,
}

/// As `enum gas_service` of runtime/gas/gas_internal.h; strips and gathers are forms of a site.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Served {
    pub messages: u64,
    pub by_outbox: u64,
    pub by_owner: u64,
    pub by_line: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    pub thread: usize,
    /// In that thread's segment.
    pub offset: u64,
    /// The number of the access among those to that thread, from 0.
    pub number: u64,
    pub weight: u32,
    /// Barriers that the accessing thread had passed.
    pub epoch: u32,
}

/// The mechanism that the runtime chose for timed calls, in the words of the tuning table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    pub decision: String,
    pub mechanism: String,
    /// The parameters of the decision: an element, threads, or a computer; and a stride.
    pub first: u64,
    pub stride: u64,
    /// Bytes of a call.
    pub least: u64,
    pub most: u64,
    pub calls: u64,
    /// The decision is the built-in default.
    pub built_in: bool,
    /// The decision's ranges for the shape.
    pub ranges: String,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Lock {
    pub address: u64,
    pub taken: u64,
    pub waited: u64,
    /// Over the observed times.
    pub held: u64,
    pub held_timed: u64,
    pub longest: u64,
    pub shortest: u64,
    /// The site that took it last.
    pub site: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Object {
    pub thread: usize,
    pub offset: u64,
    /// 0: all on one thread.
    pub nblocks: u64,
    pub nbytes: u64,
    pub site: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Event {
    pub begin: u64,
    pub end: u64,
    pub site: usize,
    /// The thread whose memory was accessed.
    pub other: Option<usize>,
    /// The number of the barrier at its site, from 0.
    pub barrier: Option<u64>,
}

/// `FATHOM_SEG_BITS` and `FATHOM_FIRST` of runtime/lang/prelude.h; a test compares them.
pub const SEGMENT_BITS: u32 = 37;
pub const FIRST_SEGMENT: usize = 256;

/// The thread and the offset of a pointer-to-shared.
fn pointer(word: u64) -> (usize, u64) {
    (((word >> SEGMENT_BITS) as usize).wrapping_sub(FIRST_SEGMENT), word & ((1 << SEGMENT_BITS) - 1))
}

struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn at(&self, byte: u64) -> Result<u64, String> {
        let from = usize::try_from(byte).map_err(|e| e.to_string())?;
        let bytes = from.checked_add(8).and_then(|to| self.0.get(from..to)).ok_or("it is cut off")?;
        Ok(u64::from_le_bytes(bytes.try_into().map_err(|_| "it is cut off")?))
    }
    fn text(&self, from: usize, len: usize) -> String {
        let bytes = self.0.get(from..from + len).unwrap_or(&[]);
        let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..end]).into_owned()
    }
    /// `n` rows of `width` words from `byte` on.
    fn rows(&self, byte: u64, n: usize, width: usize) -> Result<Vec<Vec<u64>>, String> {
        (0..n).map(|i| (0..width).map(|k| self.at(byte.saturating_add(8 * (i * width + k) as u64))).collect()).collect()
    }
}

impl Trace {
    /// Reads a trace; the error describes the fault.
    pub fn parse(bytes: &[u8]) -> Result<Trace, String> {
        if bytes.get(..8) != Some(b"FATHOMX\n") {
            return Err("it is not a trace of fathom".into());
        }
        let w = Words(bytes);
        let field = |i: u64| w.at(8 + 8 * i);
        if field(0)? != VERSION {
            return Err(format!(
                "another version of fathom wrote it ({}, this one reads {VERSION}): run the program again",
                field(0)?
            ));
        }
        let [thread, threads, near_first, near_count, sites, state] =
            [field(2)?, field(3)?, field(4)?, field(5)?, field(6)?, field(7)?];
        let clock = Clock { start_ticks: field(8)?, start_ns: field(9)?, last_ticks: field(10)?, last_ns: field(11)? };
        let [text_at, text_bytes, stats_at, hits_at, moved_at, samples_at, locks_at, objects_at, events_at] =
            std::array::from_fn(|i| field(14 + i as u64).unwrap_or(u64::MAX));
        let (words, choices_at, served_at) = (8 + 8 * 38, field(34)?, field(37)?);
        let room = field(36)?.min(MOST_SAMPLES) as usize;
        let (threads_n, sites_n) = (threads as usize, sites as usize);
        if threads == 0 || threads > 1 << 16 || thread >= threads || sites > 1 << 24 {
            return Err("its header is not valid".into());
        }
        let text_range = usize::try_from(text_at).ok().zip(usize::try_from(text_at.saturating_add(text_bytes)).ok());
        let text = text_range.and_then(|(a, b)| bytes.get(a..b)).ok_or("it is cut off")?;
        let text = String::from_utf8_lossy(text);
        let mut records = vec![];
        let mut lines = text.split('\n');
        let stats = w.rows(stats_at, sites_n, 14)?;
        let samples = |i: usize, used: u64| {
            let n = usize::try_from(used).unwrap_or(0).min(room);
            w.rows(samples_at + (i * room * 24) as u64, n, 3)
        };
        let choice = |at: usize| -> Result<Option<Choice>, String> {
            let number = |k: u64| w.at((at + 32) as u64 + 8 * k);
            Ok((number(4)? > 0).then_some(Choice {
                decision: w.text(at, 16),
                mechanism: w.text(at + 16, 16),
                first: number(0)?,
                stride: number(1)?,
                least: number(2)?,
                most: number(3)?,
                calls: number(4)?,
                built_in: number(5)? == 1,
                ranges: w.text(at + 80, 96),
            }))
        };
        let choices = |i: usize| -> Result<Vec<Choice>, String> {
            let start = usize::try_from(choices_at).ok().and_then(|a| a.checked_add(i * CHOICES * CHOICE_BYTES));
            let start = start.filter(|a| *a < bytes.len()).ok_or("it is cut off")?;
            let all: Result<Vec<_>, _> = (0..CHOICES).map(|k| choice(start + k * CHOICE_BYTES)).collect();
            Ok(all?.into_iter().flatten().collect())
        };
        for (i, s) in stats.iter().enumerate() {
            let about = lines.next().and_then(About::parse).ok_or("the names of its sites are damaged")?;
            let table = |at: u64| w.rows(at + (8 * i * threads_n) as u64, 1, threads_n).map(|mut v| v.remove(0));
            records.push(Record {
                about,
                hits: table(hits_at)?,
                moved: table(moved_at)?,
                calls: s[0],
                served: w.rows(served_at + (8 * 4 * i) as u64, 1, 4)?.first().map_or(Served::default(), |n| Served {
                    messages: n[0],
                    by_outbox: n[1],
                    by_owner: n[2],
                    by_line: n[3],
                }),
                timed: s[1],
                ticks: s[2],
                sampled: s[3],
                sampled_ticks: s[4],
                sampled_longest: s[5],
                began: s[6],
                own_loads: s[7],
                own_ticks: s[8],
                near_loads: s[9],
                near_ticks: s[10],
                samples: samples(i, s[11])?
                    .iter()
                    .map(|r| {
                        let (thread, offset) = pointer(r[0]);
                        Sample { thread, offset, number: r[1], weight: r[2] as u32, epoch: (r[2] >> 32) as u32 }
                    })
                    .filter(|s| s.thread < threads_n)
                    .collect(),
                choices: choices(i)?,
                object: s[12],
                bytes: s[13],
            });
        }
        let objects_n = usize::try_from(field(25)?).unwrap_or(0).min(1 << 20);
        let events_n = usize::try_from(field(27)?).unwrap_or(0).min(1 << 20);
        let objects = w.rows(objects_at, objects_n, 4)?;
        let events = w.rows(events_at, events_n, 4)?;
        let locks = w.rows(locks_at, LOCKS, 9)?;
        Ok(Trace {
            thread: thread as usize,
            threads: threads_n,
            near: near_first as usize..near_first.saturating_add(near_count) as usize,
            ended: state == 1,
            clock,
            started_unix_ns: field(12)?,
            conduit: w.text(words, 16),
            host: w.text(words + 16, 64),
            boot: w.text(words + 80, 40),
            program: w.text(words + 120, 512),
            table: w.text(words + 632, 256),
            processors: field(32)? as usize,
            fence_ticks: field(33)?,
            processor_ns: field(35)?,
            sites: records,
            locks: locks
                .iter()
                .filter(|l| l[0] != 0)
                .map(|l| Lock {
                    address: l[0],
                    taken: l[1],
                    waited: l[2],
                    held: l[3],
                    longest: l[4],
                    held_timed: l[5],
                    shortest: l[6],
                    site: l[8] as usize,
                })
                .collect(),
            objects: objects
                .iter()
                .map(|o| {
                    let (thread, offset) = pointer(o[0]);
                    Object { thread, offset, nblocks: o[1], nbytes: o[2], site: o[3] as usize }
                })
                .collect(),
            objects_lost: field(26)?,
            events: events
                .iter()
                .filter(|e| e[2] < sites && e[1] >= e[0])
                .map(|e| Event {
                    begin: e[0],
                    end: e[1],
                    site: e[2] as usize,
                    other: usize::try_from(e[3]).ok().filter(|t| *t < threads_n),
                    barrier: (e[3] >> 63 == 1 && e[3] != u64::MAX).then_some(e[3] & !(1 << 63)),
                })
                .collect(),
            events_lost: field(29)?,
            events_lost_ticks: field(30)?,
        })
    }
}
