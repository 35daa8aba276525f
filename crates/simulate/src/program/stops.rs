//! What a thread tells the engine: what it has done since it last stopped, and why it has stopped.
//!
//! The numbers are those of runtime/conduit/sim/engine.h.

use fathom_machine::Time;
use std::collections::VecDeque;

/// An operation that a thread has performed, and the work before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The time of the work since the last record.
    pub work: Time,
    pub what: Done,
    /// In the program's text: the number of one of [`Done::Places`], from 1; 0 if it is not known.
    pub place: u32,
}

/// A transfer between the thread and another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub is_put: bool,
    /// The other thread.
    pub with: u32,
    pub bytes: u64,
    /// Where in the other's segment.
    pub offset: u64,
    pub piece: Piece,
}

/// What of a transfer this is: machines take long ones in pieces, between which others have their turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Others went before.
    pub is_rest: bool,
    /// Others follow.
    pub has_more: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Done {
    /// Waited for at once.
    Blocking(Transfer),
    /// A put that [`Done::Settle`] waits for.
    Relaxed(Transfer),
    /// Begun; [`Done::Await`] waits for it.
    Begun(Transfer, u64),
    Await(u64),
    Settle,
    Sent(Message),
    Notified(Ballot),
    /// By the thread to its own memory; the engine takes them one by one.
    Accesses(VecDeque<Access>),
    /// The next places of the program's text: a line `file:line` for each.
    Places(String),
    /// Counted work of the thread by place, so far.
    Worked(Vec<(u32, Time)>),
    /// What messages before or after it mean.
    Noted(Note),
}

impl Done {
    /// The other thread of a transfer.
    pub fn with(&self) -> Option<u32> {
        match self {
            Done::Begun(transfer, _) | Done::Blocking(transfer) | Done::Relaxed(transfer) => Some(transfer.with),
            _ => None,
        }
    }
}

/// A lock or an atomic operation, which consists of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// One of [`NOTES`].
    pub what: u8,
    /// The thread whose memory it is.
    pub with: u32,
    pub bytes: u64,
    /// Where in its segment.
    pub offset: u64,
}

/// The notes, by their numbers: `enum conduit_note` of runtime/conduit/conduit.h.
pub const NOTES: [&str; 8] = [
    "LOCK_ASKED",
    "LOCK_TAKEN",
    "LOCK_FREED",
    "ATOMIC_UPDATE",
    "ATOMIC_SWAP",
    "ATOMIC_COMPARE",
    "ATOMIC_FETCH",
    "ATOMIC_DONE",
];

/// An access to the thread's own memory, and the work before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub work: Time,
    /// The address of the word; None: there is work alone.
    pub at: Option<u64>,
    pub is_write: bool,
}

impl Access {
    /// An entry of the list in runtime/conduit/sim/accesses.c.
    pub fn of(entry: u64) -> Access {
        let at = entry & ((1 << 48) - 1);
        Access { work: (entry >> 49) * 16, at: (at != 0).then_some(at), is_write: entry >> 48 & 1 != 0 }
    }
}

/// An active message: its header and its contents, as they lie in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub to: u32,
    pub is_reply: bool,
    /// Of arguments and payload.
    pub bytes: u64,
    /// For those who tell threads' messages apart ([`trace`](crate::trace)).
    pub tag: u64,
    pub image: Vec<u8>,
}

/// What a thread says at a barrier; see conduit.h.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ballot {
    pub kinds: u64,
    pub first: u64,
    pub other: u64,
}

impl Ballot {
    /// As conduit_ballot_merge does it.
    pub fn merge(&mut self, from: &Ballot) {
        self.kinds |= from.kinds;
        if self.first == 0 {
            self.first = from.first;
        } else if from.first != 0 && from.first as u32 != self.first as u32 && self.other == 0 {
            self.other = from.first;
        }
        if self.other == 0 {
            self.other = from.other;
        }
    }
}

/// Why a thread has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Start,
    Full,
    Served,
    Order,
    /// As `Order`, and then it does what it did last, up to this stop, unless another thread writes into its memory or it
    /// serves a message.
    Again,
    /// For a message or a barrier, for so long; 0: for ever.
    Wait(Time),
    Test(u64),
    Clock,
    /// For this time.
    Sleep(Time),
    /// Goes on when the transfer arrives, at the time when it is complete.
    Arrival(Transfer),
    End,
}

/// A thread that has stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    pub records: Vec<Record>,
    pub stop: Stop,
    /// Since the last record.
    pub work: Time,
    /// Messages can be served here.
    pub may_serve: bool,
    /// In the program's text, as of a record.
    pub place: u32,
}

/// How a thread goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn<'a> {
    Run {
        now: Time,
        /// For [`Stop::Test`] and [`Stop::Clock`].
        answer: u64,
        /// Complete for this thread, and what all said at the last.
        barriers: (u32, Ballot),
    },
    /// Serves the message of this thread.
    Serve(u32, &'a Message),
}

/// The threads of a job. One at a time runs.
pub trait Threads {
    /// Lets a thread go on until it stops again. It may return only the first records of what it has done then; all of them
    /// if it has served a message.
    ///
    /// # Errors
    /// The job has ended: the message says nothing that the job has not said.
    fn go_on(&mut self, thread: u32, turn: &Turn) -> Result<Stopped, Ended>;

    /// Appends records that come after those that [`go_on`](Self::go_on) has returned; none if there are no more. All are
    /// asked for before the thread goes on, but for what it does when it serves a message.
    fn more(&mut self, _thread: u32, _to: &mut VecDeque<Record>) {}

    /// A thread whose room for records is full has this turn, which changes in nothing but its time until it is asked for:
    /// then the thread has had it, after those that were begun before it and before the next one that is not begun.
    /// Whether it will; if not, nothing has been done.
    fn begin(&mut self, _thread: u32, _turn: &Turn) -> bool {
        false
    }

    /// Whether a thread that has begun a turn can serve a message after it.
    ///
    /// # Errors
    /// As of [`go_on`](Self::go_on).
    fn may_serve(&mut self, _thread: u32) -> Result<bool, Ended> {
        Ok(true)
    }

    /// The threads that stand at [`Stop::Again`], and into whose memory this thread has written in its last turn.
    fn touched(&mut self, _thread: u32) -> Touched {
        Touched::These(vec![])
    }

    /// A thread that stands at [`Stop::Again`] has done the same so many times besides, as far as its time and its counted
    /// work go: before it goes on.
    fn repeated(&mut self, _thread: u32, _times: u64) {}

    /// The turns that come after the next call of [`go_on`](Self::go_on), in the order of time, unless a thread that has
    /// one of them, or the one before, has its next event earlier: then the rest is void. A hint: these threads may go
    /// on before they are asked to.
    fn foresee(&mut self, _turns: Vec<Foreseen>) {}
}

/// Threads that others have written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Touched {
    These(Vec<u32>),
    /// Perhaps all: there was no room to tell which.
    Any,
}

/// A turn that a thread will have, if nothing earlier happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreseen {
    pub thread: u32,
    /// When it has its turn, in the order of events; the clock with which it goes on may be later.
    pub at: Time,
    pub turn: Turn<'static>,
}

/// The job has ended before its threads have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended;
