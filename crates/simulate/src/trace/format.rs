//! What the writer and the reader of a trace agree on.

use super::wire::{put, put_step, put_text, Reader};
use crate::program::stops::{Access, Ballot, Done, Message, Note, Piece, Record, Stop, Transfer};
use fathom_machine::Time;

pub const MAGIC: &[u8; 8] = b"FATHOMS\n";
pub const VERSION: u64 = 4;

/// What comes next in a file.
pub const BLOCK: u8 = 1;
pub const END: u8 = 2;

/// What comes next in a thread's stream.
pub const SEGMENT: u8 = 1;
pub const SERVED: u8 = 2;

/// What was run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// As the report names it.
    pub program: String,
    pub threads: u32,
    /// The machine on which it was recorded: a name, or a path.
    pub machine: String,
    /// The [`fingerprint`](super::fingerprint) of the machine's file.
    pub file: u64,
    /// The sentence of the report about the work that is charged.
    pub basis: String,
}

impl Head {
    pub fn write(&self, to: &mut Vec<u8>) {
        put_text(to, &self.program);
        put(to, self.threads.into());
        put_text(to, &self.machine);
        put(to, self.file);
        put_text(to, &self.basis);
    }

    pub fn read(r: &mut Reader) -> Option<Head> {
        Some(Head { program: r.text()?, threads: r.small()?, machine: r.text()?, file: r.number()?, basis: r.text()? })
    }
}

/// How often the program saw the time, or an order that depends on it, so that it may do something else on another machine.
/// A replay has it do the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Clocks that it read.
    pub clocks: u64,
    /// Tests whether a transfer is complete.
    pub tests: u64,
    /// Waits that ended by their limit.
    pub limits: u64,
    /// Strict reads, whose values may be those of before or after another thread's write.
    pub strict: u64,
    /// Requests that a thread served after those of another thread: locks and atomic operations.
    pub rivals: u64,
    /// Picoseconds of work that the program has declared: no choice, but known only at the end, too.
    pub declared: u64,
}

impl Choices {
    pub fn write(&self, to: &mut Vec<u8>) {
        [self.clocks, self.tests, self.limits, self.strict, self.rivals, self.declared]
            .into_iter()
            .for_each(|n| put(to, n));
    }

    pub fn read(r: &mut Reader) -> Option<Choices> {
        let mut next = || r.number();
        Some(Choices {
            clocks: next()?,
            tests: next()?,
            limits: next()?,
            strict: next()?,
            rivals: next()?,
            declared: next()?,
        })
    }
}

/// What records are written relative to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    with: u64,
    bytes: u64,
    offset: u64,
    id: u64,
    /// The last access to the thread's own memory.
    access: u64,
    place: u64,
    /// Messages that the thread has sent before.
    pub sent: u64,
}

impl Context {
    /// Relative to nothing, after this number of messages.
    pub fn after(sent: u64) -> Self {
        Context { sent, ..Context::default() }
    }
}

const HAS_WORK: u8 = 16;
const SAME_THREAD: u8 = 32;
const SAME_BYTES: u8 = 64;
const SAME_PLACE: u8 = 128;

/// The number of records, and these.
fn put_records(to: &mut Vec<u8>, records: &[Record], context: &mut Context) {
    put(to, records.len() as u64);
    for record in records {
        put_record(to, record, context);
    }
}

fn put_record(to: &mut Vec<u8>, record: &Record, context: &mut Context) {
    let (kind, with, bytes) = match &record.what {
        Done::Blocking(t) => (u8::from(!t.is_put), Some(t.with), t.bytes),
        Done::Relaxed(t) => (2, Some(t.with), t.bytes),
        Done::Begun(t, _) => (3 + u8::from(!t.is_put), Some(t.with), t.bytes),
        Done::Await(_) => (5, None, 0),
        Done::Settle => (6, None, 0),
        Done::Sent(m) => (7 + u8::from(m.is_reply), Some(m.to), m.bytes),
        Done::Notified(_) => (9, None, 0),
        Done::Accesses(_) => (10, None, 0),
        Done::Places(_) => (11, None, 0),
        Done::Worked(_) => (12, None, 0),
        Done::Noted(n) => (13, Some(n.with), n.bytes),
    };
    let mut flags = kind | if record.work > 0 { HAS_WORK } else { 0 };
    if let Some(with) = with {
        flags |= if u64::from(with) == context.with { SAME_THREAD } else { 0 };
        flags |= if bytes == context.bytes { SAME_BYTES } else { 0 };
    }
    flags |= if u64::from(record.place) == context.place { SAME_PLACE } else { 0 };
    to.push(flags);
    if flags & SAME_PLACE == 0 {
        put_step(to, context.place, record.place.into());
        context.place = record.place.into();
    }
    if record.work > 0 {
        put(to, record.work);
    }
    if let Some(with) = with {
        if flags & SAME_THREAD == 0 {
            put_step(to, context.with, with.into());
        }
        if flags & SAME_BYTES == 0 {
            put(to, bytes);
        }
        (context.with, context.bytes) = (with.into(), bytes);
    }
    match &record.what {
        Done::Blocking(t) | Done::Relaxed(t) | Done::Begun(t, _) => {
            put_step(to, context.offset, t.offset);
            context.offset = t.offset;
        }
        _ => {}
    }
    let id = match &record.what {
        Done::Begun(_, id) | Done::Await(id) => Some(*id),
        _ => None,
    };
    if let Some(id) = id {
        put_step(to, context.id, id);
        context.id = id;
    }
    match &record.what {
        Done::Notified(ballot) => [ballot.kinds, ballot.first, ballot.other].into_iter().for_each(|n| put(to, n)),
        Done::Sent(_) => context.sent += 1,
        Done::Accesses(list) => {
            put(to, list.len() as u64);
            list.iter().for_each(|access| put_access(to, access, context));
        }
        Done::Noted(n) => {
            put(to, n.what.into());
            put(to, n.offset);
        }
        Done::Places(text) => put_text(to, text),
        Done::Worked(list) => {
            put(to, list.len() as u64);
            for (place, work) in list {
                put(to, (*place).into());
                put(to, *work);
            }
        }
        _ => {}
    }
}

const WRITES: u64 = 1;
const HAS_PLACE: u64 = 2;
const AFTER_WORK: u64 = 4;

fn put_access(to: &mut Vec<u8>, access: &Access, context: &mut Context) {
    let flag = |is_so: bool, flag: u64| if is_so { flag } else { 0 };
    let flags =
        flag(access.is_write, WRITES) | flag(access.at.is_some(), HAS_PLACE) | flag(access.work > 0, AFTER_WORK);
    to.push(flags as u8);
    if access.work > 0 {
        put(to, access.work);
    }
    if let Some(at) = access.at {
        put_step(to, context.access, at);
        context.access = at;
    }
}

fn access(r: &mut Reader, context: &mut Context) -> Option<Access> {
    let flags = u64::from(r.byte()?);
    let work = if flags & AFTER_WORK > 0 { r.number()? } else { 0 };
    let at = match flags & HAS_PLACE > 0 {
        true => Some(r.step(context.access)?),
        false => None,
    };
    context.access = at.unwrap_or(context.access);
    Some(Access { work, at, is_write: flags & WRITES > 0 })
}

pub fn record(r: &mut Reader, context: &mut Context) -> Option<Record> {
    let flags = r.byte()?;
    let kind = flags & 15;
    context.place = if flags & SAME_PLACE > 0 { context.place } else { r.step(context.place)? };
    let place = u32::try_from(context.place).ok()?;
    let work = if flags & HAS_WORK > 0 { r.number()? } else { 0 };
    if matches!(kind, 0..=4 | 7 | 8 | 13) {
        context.with = if flags & SAME_THREAD > 0 { context.with } else { r.step(context.with)? };
        context.bytes = if flags & SAME_BYTES > 0 { context.bytes } else { r.number()? };
    }
    let with = u32::try_from(context.with).ok()?;
    let bytes = context.bytes;
    let mut transfer = |is_put| {
        context.offset = r.step(context.offset)?;
        Some(Transfer { is_put, with, bytes, offset: context.offset, piece: Piece::default() })
    };
    let what = match kind {
        0 | 1 => Done::Blocking(transfer(kind == 0)?),
        2 => Done::Relaxed(transfer(true)?),
        3 | 4 => {
            let transfer = transfer(kind == 3)?;
            context.id = r.step(context.id)?;
            Done::Begun(transfer, context.id)
        }
        5 => {
            context.id = r.step(context.id)?;
            Done::Await(context.id)
        }
        6 => Done::Settle,
        7 | 8 => {
            let tag = context.sent;
            context.sent += 1;
            Done::Sent(Message { to: with, is_reply: kind == 8, bytes, tag, image: vec![] })
        }
        9 => Done::Notified(Ballot { kinds: r.number()?, first: r.number()?, other: r.number()? }),
        10 => {
            let count = r.number()?;
            Done::Accesses((0..count).map(|_| access(r, context)).collect::<Option<_>>()?)
        }
        11 => Done::Places(r.text()?),
        12 => {
            let count = r.number()?;
            Done::Worked((0..count).map(|_| Some((r.small()?, r.number()?))).collect::<Option<_>>()?)
        }
        13 => Done::Noted(Note { what: r.number()?.try_into().ok()?, with, bytes, offset: r.number()? }),
        _ => return None,
    };
    Some(Record { work, what, place })
}

pub fn put_stop(to: &mut Vec<u8>, stop: &Stop) {
    let mut with = |kind: u8, args: &[u64]| {
        to.push(kind);
        args.iter().for_each(|n| put(to, *n));
    };
    match stop {
        Stop::Start => with(0, &[]),
        Stop::Full => with(1, &[]),
        Stop::Served => with(2, &[]),
        Stop::Order | Stop::Again => with(3, &[]),
        Stop::Wait(limit) => with(4, &[*limit]),
        Stop::Test(id) => with(5, &[*id]),
        Stop::Clock => with(6, &[]),
        Stop::Sleep(time) => with(7, &[*time]),
        Stop::Arrival(t) => with(8, &[u64::from(t.is_put), t.with.into(), t.bytes, t.offset]),
        Stop::End => with(9, &[]),
    }
}

pub fn stop(r: &mut Reader) -> Option<Stop> {
    Some(match r.byte()? {
        0 => Stop::Start,
        1 => Stop::Full,
        2 => Stop::Served,
        3 => Stop::Order,
        4 => Stop::Wait(r.number()?),
        5 => Stop::Test(r.number()?),
        6 => Stop::Clock,
        7 => Stop::Sleep(r.number()?),
        8 => Stop::Arrival(Transfer {
            is_put: r.number()? != 0,
            with: r.small()?,
            bytes: r.number()?,
            offset: r.number()?,
            piece: Piece::default(),
        }),
        9 => Stop::End,
        _ => return None,
    })
}

/// A turn of a thread, as the trace has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// What the thread was told when its turn began: the answer to its last stop, and the barriers that are complete.
    pub answer: bool,
    pub barriers: u32,
    pub may_serve: bool,
    pub records: Vec<Record>,
    /// After the last record.
    pub work: Time,
    pub stop: Stop,
    pub place: u32,
}

const ANSWER: u8 = 1;
const MAY_SERVE: u8 = 2;

impl Segment {
    /// `barriers`: complete at the segment before.
    pub fn write(&self, to: &mut Vec<u8>, barriers: u32, context: &mut Context) {
        to.push(SEGMENT);
        to.push(if self.answer { ANSWER } else { 0 } | if self.may_serve { MAY_SERVE } else { 0 });
        put_step(to, barriers.into(), self.barriers.into());
        put_records(to, &self.records, context);
        put(to, self.work);
        put_stop(to, &self.stop);
        put_step(to, context.place, self.place.into());
        context.place = self.place.into();
    }

    /// After [`SEGMENT`].
    pub fn read(r: &mut Reader, barriers: u32, context: &mut Context) -> Option<Segment> {
        let flags = r.byte()?;
        let barriers = r.step(barriers.into())?.try_into().ok()?;
        let count = r.number()?;
        let records = (0..count).map(|_| record(r, context)).collect::<Option<_>>()?;
        let (work, stop) = (r.number()?, stop(r)?);
        context.place = r.step(context.place)?;
        let place = u32::try_from(context.place).ok()?;
        let (answer, may_serve) = (flags & ANSWER > 0, flags & MAY_SERVE > 0);
        Some(Segment { answer, barriers, may_serve, records, work, stop, place })
    }
}

/// A message that a thread served, and what it sent then.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    pub from: u32,
    /// The number of the message among those of its sender.
    pub tag: u64,
    pub records: Vec<Record>,
}

impl Served {
    pub fn write(&self, to: &mut Vec<u8>, context: &mut Context) {
        to.push(SERVED);
        put(to, self.from.into());
        put(to, self.tag);
        // It can be read without those before it.
        let mut own = Context::after(context.sent);
        put_records(to, &self.records, &mut own);
        context.sent = own.sent;
    }

    /// After [`SERVED`].
    pub fn read(r: &mut Reader, context: &mut Context) -> Option<Served> {
        let (from, tag, count) = (r.small()?, r.number()?, r.number()?);
        let mut own = Context::after(context.sent);
        let records = (0..count).map(|_| record(r, &mut own)).collect::<Option<_>>()?;
        context.sent = own.sent;
        Some(Served { from, tag, records })
    }
}
