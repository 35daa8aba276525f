//! Puts and gets where the other thread's processor takes part: each is a message that this processor receives, serves
//! and answers, as in a library of active messages on a network that moves no data by itself.
//!
//! When a transfer is complete is known only when it has been served, so a thread that waits for one is *blocked* and
//! has no next event until the answer comes. A processor does one thing at a time: it serves requests and takes
//! answers one after the other, and its thread's work and sending are later by what that takes. A thread that waits
//! loses nothing by it.
//!
//! A put is answered by an acknowledgement of [`REQUEST`] bytes, a get is a request of as many and answered by the
//! data.

use super::{Engine, Failure, State, Transfer, What};
use crate::program::accounts::{Part, SERVING};
use crate::program::charges::{How, REQUEST};
use fathom_machine::{Due, Time};
use std::collections::VecDeque;

/// What a blocked thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// The blocking transfer that it has just begun.
    This,
    /// The transfer that was begun under this number.
    Begun(u64),
    /// All relaxed puts.
    Puts,
}

/// How the thread takes part in a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Blocking,
    Relaxed,
    Begun(u64),
    /// Blocking, and the thread has its turn when the transfer is served: its result depends on what others have done
    /// by then.
    Ordered,
}

impl Kind {
    fn how(self) -> How {
        match self {
            Kind::Blocking | Kind::Ordered => How::Blocking,
            Kind::Relaxed => How::Relaxed,
            Kind::Begun(_) => How::Begun,
        }
    }
}

/// A transfer under way.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The thread that has begun it.
    from: u32,
    what: Transfer,
    kind: Kind,
    /// The other processor has served it: the answer is on its way.
    is_answered: bool,
    /// How much of its way so far is waiting for others.
    late: Time,
}

/// What a processor has to take.
#[derive(Clone, Copy, Debug)]
pub enum Letter {
    /// The request of a transfer, or its answer: a number in `requests`.
    Transfer(u64),
    /// A message of the program or of the runtime: a number in `flights`.
    Message(u64),
}

/// What a processor has to take, in the order in which it came.
#[derive(Debug, Default)]
pub struct Inbox {
    /// With the time at which each came.
    letters: VecDeque<(Letter, Time)>,
    /// Until when the thread has the processor, if it is at work.
    pause: Time,
    /// When the next event is that looks whether the processor is free.
    opens: Option<Time>,
}

impl Inbox {
    /// Whether nothing is there.
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// Leaves the processor to its thread until then.
    pub fn pause(&mut self, until: Time) {
        self.pause = until;
    }
}

impl Engine<'_> {
    /// Sends the request of a transfer that thread `t` begins at its clock.
    pub(super) fn request(&mut self, t: u32, what: &Transfer, kind: Kind) {
        let now = self.thread(t).clock;
        let bytes = if what.is_put { what.bytes } else { REQUEST };
        let times = self.machine.message(now, t, what.with, bytes);
        self.wait_for(t, Part::Overhead, now, times.free);
        self.count(t, what);
        let thread = self.thread(t);
        thread.clock = times.free.at;
        self.goes_on(t, what, kind);
        self.sent += 1;
        let request = Request { from: t, what: *what, kind, is_answered: false, late: times.arrives.late };
        self.requests.insert(self.sent, request);
        self.push(times.arrives.at, what.with, What::Request(self.sent));
    }

    /// Thread `t` begins a transfer at its clock whose answer takes its turn at the ports when it sets out, if this is such
    /// a machine's: no processor takes part.
    pub(super) fn sets_out(&mut self, t: u32, what: &Transfer, kind: Kind) -> bool {
        let now = self.thread(t).clock;
        let Some(times) = self.machine.begins(now, t, what, kind.how()) else { return false };
        self.wait_for(t, Part::Overhead, now, times.free);
        self.count(t, what);
        self.thread(t).clock = times.free.at;
        self.goes_on(t, what, kind);
        self.sent += 1;
        let request = Request { from: t, what: *what, kind, is_answered: false, late: times.arrives.late };
        self.requests.insert(self.sent, request);
        self.push(times.arrives.at, what.with, What::Answer(self.sent));
        true
    }

    /// Thread `t` has sent a request, and waits for the answer or goes on.
    fn goes_on(&mut self, t: u32, what: &Transfer, kind: Kind) {
        match kind {
            Kind::Blocking | Kind::Ordered => self.block(t, Awaited::This),
            Kind::Relaxed => self.thread(t).unsettled += 1,
            Kind::Begun(id) => self.thread(t).begun.insert(id, what.is_put, what.bytes, UNKNOWN),
        }
    }

    /// The answer to such a transfer sets out: when it is complete is known now.
    pub(super) fn answer(&mut self, now: Time, number: u64) {
        let Some(Request { from: t, what, kind, late, .. }) = self.requests.remove(&number) else { return };
        self.idle = 0;
        let complete = self.machine.answered(now, t, &what, kind.how());
        let complete = Due { late: complete.late + late, ..complete };
        self.latest = self.latest.max(complete.at);
        let thread = self.thread(t);
        let waits = std::mem::replace(&mut thread.state, State::Active);
        match (kind, waits) {
            (Kind::Blocking | Kind::Ordered, _) => {
                let since = thread.clock;
                self.wait_until(t, since, complete);
                if !what.piece.has_more {
                    self.tell(|history, _| history.complete(t));
                }
                return self.schedule(t);
            }
            (Kind::Begun(id), _) => thread.begun.insert(id, what.is_put, what.bytes, complete),
            (Kind::Relaxed, _) => {
                thread.unsettled -= 1;
                thread.settled = thread.settled.max(complete);
            }
        }
        match (kind, waits) {
            (Kind::Begun(id), State::Blocked(Awaited::Begun(awaited))) if id == awaited => self.finish(t, id),
            (Kind::Relaxed, State::Blocked(Awaited::Puts)) if self.thread(t).unsettled == 0 => self.settle(t),
            _ => {
                self.thread(t).state = waits;
                return;
            }
        }
        self.schedule(t);
    }

    /// Whether thread `t` has to wait for this: it is then blocked.
    pub(super) fn awaits(&mut self, t: u32, what: Awaited) -> bool {
        let thread = self.thread(t);
        let is_under_way = match what {
            Awaited::This => true,
            Awaited::Begun(id) => thread.begun.get(id).is_some_and(|it| it.complete == UNKNOWN),
            Awaited::Puts => thread.unsettled > 0,
        };
        if is_under_way {
            self.block(t, what);
        }
        is_under_way
    }

    /// Thread `t` waits for a transfer.
    fn block(&mut self, t: u32, what: Awaited) {
        self.thread(t).state = State::Blocked(what);
        self.leave_processor(t);
    }

    /// Thread `t` waits, or looks for messages: it leaves the processor to what is in the inbox.
    pub(super) fn leave_processor(&mut self, t: u32) {
        if std::mem::take(&mut self.thread(t).inbox.pause) > self.now {
            self.open_when_free(t);
        }
    }

    /// When the processor of thread `t` can take something: not while it takes something else, nor while its thread
    /// has it.
    fn free(&mut self, t: u32) -> Time {
        let thread = self.thread(t);
        // A thread that is blocked has first sent its request. One at work is interrupted.
        let sends = if thread.is_blocked() { thread.clock } else { 0 };
        thread.busy.max(thread.inbox.pause).max(sends)
    }

    /// Enters the event at which the processor takes the next of its inbox: not before now, when it may have been free for
    /// long.
    fn open_when_free(&mut self, t: u32) {
        let free = self.free(t).max(self.now);
        let inbox = &mut self.thread(t).inbox;
        if !inbox.letters.is_empty() && inbox.opens.is_none_or(|opens| free < opens) {
            inbox.opens = Some(free);
            self.push(free, t, What::Free);
        }
    }

    /// Something has come to thread `t`.
    pub(super) fn letter(&mut self, now: Time, t: u32, letter: Letter) -> Result<(), Failure> {
        self.idle = 0;
        self.thread(t).inbox.letters.push_back((letter, now));
        match self.thread(t).inbox.letters.len() {
            1 => self.take_first(now, t),
            _ => Ok(()),
        }
    }

    /// The event at which the processor of thread `t` may be free for its inbox.
    pub(super) fn open(&mut self, now: Time, t: u32) -> Result<(), Failure> {
        let opens = &mut self.thread(t).inbox.opens;
        if *opens != Some(now) {
            return Ok(());
        }
        *opens = None;
        self.take_first(now, t)
    }

    /// The processor of thread `t` takes the first of its inbox, if it is free.
    fn take_first(&mut self, now: Time, t: u32) -> Result<(), Failure> {
        if now < self.free(t) {
            self.open_when_free(t);
            return Ok(());
        }
        let Some((letter, came)) = self.thread(t).inbox.letters.pop_front() else { return Ok(()) };
        match letter {
            Letter::Message(number) => self.arrival(now, t, number, now - came)?,
            Letter::Transfer(number) => {
                if let Some(mut request) = self.requests.remove(&number) {
                    request.late += now - came;
                    match request.is_answered {
                        false => self.serve_request(now, t, number, request),
                        true => self.take_answer(now, t, &request),
                    }
                }
            }
        }
        self.open_when_free(t);
        Ok(())
    }

    /// The processor serves a request: it receives it, and sends the answer.
    fn serve_request(&mut self, now: Time, t: u32, number: u64, mut request: Request) {
        let Request { from, what, .. } = request;
        let (there, back) = if what.is_put { (what.bytes, REQUEST) } else { (REQUEST, what.bytes) };
        let received = self.machine.receive(now, t, from, there);
        let answer = self.machine.answer(received, t, from, back);
        request.late += answer.arrives.late;
        self.occupy(t, now, answer.free.at, received - now);
        if request.kind == Kind::Ordered {
            // The thread has its turn now; its own processor does nothing else until the answer is there.
            let complete = self.machine.receive(answer.arrives.at, from, t, back);
            let since = self.thread(from).clock;
            self.thread(from).state = State::Arriving(complete);
            self.wait_for(from, Part::Transfers, since, Due { at: complete, late: request.late });
            return self.schedule_at(now.max(since), from);
        }
        request.is_answered = true;
        self.requests.insert(number, request);
        self.push(answer.arrives.at, from, What::Request(number));
    }

    /// The transfer is complete when the processor has taken the answer.
    fn take_answer(&mut self, now: Time, t: u32, request: &Request) {
        let Request { what, kind, late, .. } = *request;
        let after = self.machine.receive(now, t, what.with, if what.is_put { REQUEST } else { what.bytes });
        let complete = Due { at: after, late };
        let thread = self.thread(t);
        match kind {
            Kind::Relaxed => {
                thread.unsettled -= 1;
                thread.settled = thread.settled.max(complete);
            }
            Kind::Begun(id) => thread.begun.insert(id, what.is_put, what.bytes, complete),
            Kind::Blocking | Kind::Ordered => {}
        }
        let ends = match (thread.state, kind) {
            (State::Blocked(Awaited::This), Kind::Blocking) => true,
            (State::Blocked(Awaited::Begun(awaited)), Kind::Begun(id)) => awaited == id,
            (State::Blocked(Awaited::Puts), Kind::Relaxed) => thread.unsettled == 0,
            _ => false,
        };
        if !ends {
            return self.occupy(t, now, after, after - now);
        }
        thread.busy = after;
        thread.state = State::Active;
        let until = match kind {
            Kind::Begun(id) => thread.begun.remove(id).map_or(complete, |it| it.complete),
            Kind::Relaxed => std::mem::take(&mut thread.settled),
            Kind::Blocking | Kind::Ordered => complete,
        };
        let since = thread.clock;
        self.wait_until(t, since, until);
        self.schedule(t);
    }

    /// The processor of thread `t` takes part in a transfer of another thread, or takes an answer that its thread does
    /// not wait for. A thread that is at work loses that time, and then has the processor for `pause`: without that,
    /// many requests would keep it from going on.
    fn occupy(&mut self, t: u32, from: Time, to: Time, pause: Time) {
        let thread = self.thread(t);
        thread.busy = to;
        if thread.state == State::Active {
            thread.clock += to - from;
            thread.inbox.pause = to + pause;
            let place = std::mem::replace(&mut thread.place, SERVING);
            self.spend(t, Part::Overhead, from, to);
            self.thread(t).place = place;
        }
    }
}

/// When a transfer is complete that has not been answered.
const UNKNOWN: Due = Due { at: Time::MAX, late: 0 };
