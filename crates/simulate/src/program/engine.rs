//! The order of time: which thread goes on, and when.
//!
//! Every thread that is not waiting has one next event: its next record, or its stop. Messages under way are events, too.
//! The earliest event is performed; of events at one time, messages come first, then threads by their numbers. A thread
//! gets its turn only when its stop is the earliest event: then nothing can happen any more that is earlier.
//!
//! Here is the order of events, and what a thread does itself. [`messages`] come to processors, as do transfers that those
//! answer ([`served`]); [`barriers`] have agents; by [`foresight`] threads hand on their turns among themselves.

mod barriers;
mod foresight;
mod messages;
mod served;

use crate::program::accounts::{Accounts, Line, Part, Spent};
use crate::program::charges::{Charges, How, Times};
use crate::program::history::{Event as Noted, History};
use crate::program::pictures::Pictures;
use crate::program::queue::{Begun, Turns};
use crate::program::stops::{Ballot, Done, Ended, Message, Record, Stop, Stopped, Threads, Transfer, Turn};
use barriers::Agent;
pub(crate) use barriers::BALLOT;
use fathom_machine::description::Serves;
use fathom_machine::{prefetch_all, Due, Nodes, Time};
use served::Letter;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

/// Why a program's time could not be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The job has ended before its threads have; it has said why.
    Ended,
    /// All threads wait, and nothing is under way. The sentence says what they wait for.
    Deadlock(String),
    /// The machine's clock, which counts 53 days, is at its end.
    TooLong,
}

/// Picoseconds: what the machine's clock counts, 53 days, as that of a thread does (`SIM_LONGEST` in conduit `sim`).
const LONGEST: Time = 1 << 62;

/// What is wrong with a run that [`Failure::TooLong`] ends.
pub const TOO_LONG: &str =
    "the run takes more than the 53 days that the machine's clock counts: does the program sleep \
                            that long, is a figure of the machine file too large, or a rate too small?";

impl From<Ended> for Failure {
    fn from(_: Ended) -> Self {
        Failure::Ended
    }
}

/// A simulated run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub threads: Vec<Spent>,
    /// What all threads spent at the lines of the program, the most expensive first.
    pub lines: Vec<Line>,
    /// As far as they were asked for.
    pub pictures: Option<Pictures>,
    pub history: Option<History>,
    /// Turns of threads: a measure of the simulation's own effort.
    pub turns: u64,
    pub events: u64,
}

impl Outcome {
    /// When the last thread ended.
    pub fn time(&self) -> Time {
        self.threads.iter().map(|t| t.end).max().unwrap_or(0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Its next event is in the heap.
    Active,
    /// At an arrival: goes on there with this clock.
    Arriving(Time),
    /// Waits, since when.
    Waiting,
    /// For a transfer whose answer is not there: see [`served`].
    Blocked(served::Awaited),
    Ended,
}

struct Thread {
    clock: Time,
    records: VecDeque<Record>,
    stop: Stop,
    work: Time,
    may_serve: bool,
    /// It is in `ready`.
    is_ready: bool,
    /// It has begun its next turn: see [`begin`](Engine::begin).
    is_ahead: bool,
    state: State,
    /// The thread with which its next record communicates, when that was last looked at.
    with: Option<u32>,
    /// In the program's text: of its last record or stop, and of the stop to come.
    place: u32,
    stops_at: u32,
    /// Until when its processor serves a message.
    busy: Time,
    /// A message has been served since its last turn.
    has_news: bool,
    /// That could not be served where it stands.
    unserved: VecDeque<(Due, u32, Message)>,
    /// Transfers that were begun, and when they are complete.
    begun: Begun,
    /// When all relaxed puts are complete; 0: there are none since the last fence.
    settled: Due,
    /// Relaxed puts whose acknowledgements are not there.
    unsettled: u32,
    /// Messages, requests and answers that its processor has to take.
    inbox: served::Inbox,
    /// The barrier that it notified last, and when each of the last two was complete.
    notified: u32,
    complete: VecDeque<(u32, Time, Ballot)>,
    told: (u32, Ballot),
    spent: Spent,
}

/// Waits with a limit after which each thread is taken to wait for ever.
const IDLE: u64 = 2000;

impl Thread {
    fn waits(&self) -> bool {
        matches!(self.state, State::Waiting | State::Ended)
    }

    fn is_blocked(&self) -> bool {
        matches!(self.state, State::Blocked(_))
    }

    /// The time of its next event.
    fn due(&self) -> Time {
        self.clock + self.records.front().map_or(self.work, |r| r.work)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// A number in `flights`.
    Arrival(u64),
    /// A request for a transfer, or its answer: a number in `requests`.
    Request(u64),
    /// A processor may be free for its inbox.
    Free,
    /// News of a barrier for the agent of this node: barrier, round, and what was heard.
    News(u32, u32, Ballot),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    at: Time,
    /// Or a node, as `what` says.
    thread: u32,
    what: What,
}

struct Engine<'a> {
    job: &'a mut dyn Threads,
    machine: &'a mut dyn Charges,
    nodes: Nodes,
    threads: Vec<Thread>,
    /// When each thread has its next event, if it has one.
    turns: Turns,
    foresight: foresight::Foresight,
    /// What is under way.
    events: BinaryHeap<Reverse<Event>>,
    /// The sender, the message, and how much of its way is waiting for others.
    flights: HashMap<u64, (u32, Message, Time)>,
    /// Transfers that are served by messages, until they are complete.
    requests: HashMap<u64, served::Request>,
    sent: u64,
    /// The last arrival of a pair's requests, and of its replies.
    last: HashMap<(u32, u32, bool), Time>,
    /// The agents of the barriers that are not complete everywhere, by the barrier's number.
    agents: HashMap<u32, Vec<Agent>>,
    /// The agents of each of these barriers that are not done.
    left: HashMap<u32, usize>,
    /// What has been said at barriers in hardware that are not complete.
    heard: HashMap<u32, Ballot>,
    now: Time,
    /// When the last transfer that has begun is complete.
    latest: Time,
    /// Threads that perhaps may begin their next turns, and records performed since a thread had a turn that it had not begun.
    ready: Vec<u32>,
    calm: u64,
    /// Waits in a row that have ended by their limit, while nothing else happened.
    idle: u64,
    accounts: Accounts,
    outcome: Outcome,
}

/// Runs a job on a machine.
///
/// # Errors
/// The job ends early, or never.
pub fn simulate(job: &mut dyn Threads, machine: &mut dyn Charges, threads: u32) -> Result<Outcome, Failure> {
    simulate_drawn(job, machine, threads, None)
}

/// The same, with what is to be drawn of it.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_drawn(
    job: &mut dyn Threads,
    machine: &mut dyn Charges,
    threads: u32,
    pictures: Option<Pictures>,
) -> Result<Outcome, Failure> {
    simulate_told(job, machine, threads, pictures, None)
}

/// The same, with what each thread did when.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_told(
    job: &mut dyn Threads,
    machine: &mut dyn Charges,
    threads: u32,
    pictures: Option<Pictures>,
    history: Option<History>,
) -> Result<Outcome, Failure> {
    let fresh = |_| Thread {
        clock: 0,
        records: VecDeque::new(),
        stop: Stop::Start,
        work: 0,
        may_serve: true,
        is_ready: false,
        is_ahead: false,
        state: State::Active,
        with: None,
        place: 0,
        stops_at: 0,
        busy: 0,
        has_news: false,
        unserved: VecDeque::new(),
        begun: Begun::default(),
        settled: Due::default(),
        unsettled: 0,
        inbox: served::Inbox::default(),
        notified: 0,
        complete: VecDeque::new(),
        told: (0, Ballot::default()),
        spent: Spent::default(),
    };
    let mut engine = Engine {
        job,
        nodes: machine.nodes(threads.max(1)),
        machine,
        threads: (0..threads).map(fresh).collect(),
        turns: Turns::new(threads as usize),
        foresight: foresight::Foresight::default(),
        events: BinaryHeap::new(),
        flights: HashMap::new(),
        requests: HashMap::new(),
        sent: 0,
        last: HashMap::new(),
        agents: HashMap::new(),
        left: HashMap::new(),
        heard: HashMap::new(),
        now: 0,
        latest: 0,
        ready: vec![],
        calm: 0,
        idle: 0,
        accounts: Accounts::new(pictures).with(history),
        outcome: Outcome { threads: vec![], lines: vec![], pictures: None, history: None, turns: 0, events: 0 },
    };
    for t in 0..threads {
        engine.schedule(t);
    }
    engine.run()?;
    engine.outcome.threads = engine.threads.iter().map(|t| t.spent).collect();
    engine.outcome.pictures = engine.accounts.pictures.take();
    engine.outcome.history = engine.accounts.history.take();
    if let Some(history) = &mut engine.outcome.history {
        history.finish(&engine.accounts);
    }
    engine.outcome.lines = engine.accounts.lines();
    Ok(engine.outcome)
}

impl Engine<'_> {
    fn thread(&mut self, t: u32) -> &mut Thread {
        &mut self.threads[t as usize]
    }

    /// Whether processors answer puts and gets.
    fn is_served(&self) -> bool {
        self.machine.serves() == Serves::Processor
    }

    /// Has something noted, if somebody wants to know.
    fn tell(&mut self, what: impl FnOnce(&mut History, Time)) {
        if let Some(history) = &mut self.accounts.history {
            what(history, self.now);
        }
    }

    fn push(&mut self, at: Time, thread: u32, what: What) {
        self.events.push(Reverse(Event { at, thread, what }));
    }

    /// Enters a thread's next event.
    fn schedule(&mut self, t: u32) {
        let thread = self.thread(t);
        thread.with = thread.records.front().and_then(|record| record.what.with());
        let due = thread.due();
        self.schedule_at(due, t);
    }

    fn schedule_at(&mut self, at: Time, t: u32) {
        self.turns.set(t, at);
    }

    fn run(&mut self) -> Result<(), Failure> {
        loop {
            let turn = self.turns.first();
            let at = self.events.peek().map(|Reverse(event)| event.at);
            match (turn, at) {
                (turn, Some(at)) if turn.is_none_or(|(due, _)| at <= due) => {
                    let Some(Reverse(event)) = self.events.pop() else { break };
                    self.now = self.now.max(at);
                    match event.what {
                        What::Arrival(number) => self.letter(at, event.thread, Letter::Message(number))?,
                        What::Request(number) => self.letter(at, event.thread, Letter::Transfer(number))?,
                        What::Free => self.open(at, event.thread)?,
                        What::News(barrier, round, heard) => {
                            self.agent(barrier, event.thread).news[round as usize] = Some((at, heard));
                            self.advance(barrier, event.thread);
                        }
                    }
                }
                (Some((due, t)), _) => {
                    let next = self.turns.begin(t);
                    self.expect(next);
                    self.now = self.now.max(due);
                    self.turn(due, t)?;
                    self.turns.end();
                    self.expect_record(next);
                }
                (None, _) => break,
            }
            if self.now.max(self.latest) > LONGEST {
                return Err(Failure::TooLong);
            }
            self.outcome.events += 1;
            self.tell(|history, now| history.advance(now));
        }
        match self.threads.iter().all(|t| t.state == State::Ended) {
            true => Ok(()),
            false => Err(Failure::Deadlock(self.who_waits())),
        }
    }

    /// This thread has the next turn, as a rule: what that needs is read meanwhile. Thousands of threads do not fit into
    /// the processor's caches.
    fn expect(&self, t: Option<u32>) {
        if let Some(t) = t {
            prefetch_all(&self.threads[t as usize]);
            self.machine.expect(t);
        }
    }

    /// The same of its record, and of what that needs, once the thread itself has been read.
    fn expect_record(&self, t: Option<u32>) {
        let Some(t) = t else { return };
        let thread = &self.threads[t as usize];
        if let Some(record) = thread.records.front() {
            prefetch_all(record);
        }
        if let Some(with) = thread.with {
            thread.begun.expect();
            self.machine.expect_with(t, with);
        }
    }

    fn who_waits(&self) -> String {
        let numbers = |which: &dyn Fn(&Thread) -> bool| -> Vec<usize> {
            (0..self.threads.len()).filter(|t| which(&self.threads[*t])).collect()
        };
        let list = |of: Vec<usize>| {
            let some: Vec<String> = of.iter().take(5).map(usize::to_string).collect();
            let more = if of.len() > 5 { format!(" and {} more", of.len() - 5) } else { String::new() };
            format!("{} {}{more}", if of.len() == 1 { "thread" } else { "threads" }, some.join(", "))
        };
        let waits = numbers(&|t| t.state == State::Waiting && t.told.0 == t.notified);
        let barrier = numbers(&|t| t.state == State::Waiting && t.told.0 != t.notified);
        let ended = numbers(&|t| t.state == State::Ended);
        let blocked = numbers(&Thread::is_blocked);
        let mut parts = vec![];
        for (which, what) in [(barrier, "at a barrier"), (waits, "for a message"), (blocked, "for a transfer")] {
            if !which.is_empty() {
                let verb = if which.len() == 1 { "waits" } else { "wait" };
                parts.push(format!("{} {verb} {what}", list(which)));
            }
        }
        if !ended.is_empty() {
            let verb = if ended.len() == 1 { "has" } else { "have" };
            parts.push(format!("{} {verb} terminated", list(ended)));
        }
        parts.join(", ")
    }

    // ---- threads ----------------------------------------------------------------------------------------------------

    fn turn(&mut self, now: Time, t: u32) -> Result<(), Failure> {
        let is_served = self.is_served();
        let thread = &mut self.threads[t as usize];
        if let State::Arriving(complete) = thread.state {
            thread.clock = complete;
            return self.go_on(t, 0);
        }
        if thread.state == State::Waiting {
            return self.waited(now, t);
        }
        if now < thread.due() {
            // It has served a message since.
            self.schedule(t);
            return Ok(());
        }
        if let Some(record) = thread.records.pop_front() {
            match thread.records.front() {
                Some(next) => prefetch_all(next),
                None => self.job.more(t, &mut thread.records),
            }
            (thread.clock, thread.place) = (now, record.place);
            self.idle = 0;
            self.spend(t, Part::Work, now - record.work, now);
            let mut what = record.what;
            self.tell(|history, _| history.begin(t, &what));
            self.take_piece(t, &mut what);
            self.perform(t, what);
            self.stays_calm();
            if !self.thread(t).is_blocked() {
                self.schedule(t);
            }
            return Ok(());
        }
        let work = std::mem::take(&mut thread.work);
        (thread.clock, thread.place) = (now, thread.stops_at);
        self.spend(t, Part::Work, now - work, now);
        let thread = self.thread(t);
        match thread.stop {
            Stop::Start | Stop::Full | Stop::Served => self.go_on(t, 0),
            Stop::Order => {
                // Who looks for messages takes those that are there.
                self.leave_processor(t);
                self.look(t);
                self.go_on(t, 0)
            }
            Stop::Clock => {
                let clock = now + CLOCK;
                self.thread(t).clock = clock;
                self.spend(t, Part::Overhead, now, clock);
                self.go_on(t, clock)
            }
            Stop::Sleep(time) => {
                // Messages that it serves meanwhile do not make it longer.
                let end = now.saturating_add(time);
                thread.state = State::Arriving(end);
                self.spend(t, Part::Waiting, now, end);
                self.schedule_at(end, t);
                Ok(())
            }
            Stop::Test(id) => {
                let is_complete = thread.begun.get(id).is_none_or(|it| it.complete.at <= now);
                if is_complete {
                    self.finish(t, id);
                } else {
                    self.tell(|history, _| history.tested(t, id));
                }
                self.look(t);
                self.go_on(t, u64::from(is_complete))
            }
            Stop::Arrival(transfer) if is_served => {
                self.request(t, &transfer, served::Kind::Ordered);
                Ok(())
            }
            Stop::Arrival(transfer) => {
                self.tell(|history, _| history.transfer(t, &transfer, None));
                let times = self.transfer(t, &transfer, How::Blocking);
                self.thread(t).state = State::Arriving(times.complete.at);
                self.wait_for(t, Part::Transfers, times.free.at, times.complete);
                self.tell(|history, _| history.complete(t));
                self.schedule_at(times.arrives.at, t);
                Ok(())
            }
            Stop::Wait(_) if thread.has_news => self.go_on(t, 0),
            Stop::Wait(limit) => {
                thread.state = State::Waiting;
                self.leave_processor(t);
                self.complete_barriers(t);
                if limit > 0 && self.thread(t).state == State::Waiting {
                    self.schedule_at(now + limit, t);
                }
                Ok(())
            }
            Stop::End => {
                self.foresight.fails();
                let stopped = self.job.go_on(t, &Turn::Run { now, answer: 0, barriers: (0, Ballot::default()) })?;
                if stopped.stop != Stop::End {
                    // In a replay: it has yet to serve others.
                    self.stopped(t, stopped)?;
                    self.schedule(t);
                    return Ok(());
                }
                let thread = self.thread(t);
                thread.state = State::Ended;
                thread.spent.end = now;
                Ok(())
            }
        }
    }

    /// The limit of a thread's wait has come.
    fn waited(&mut self, now: Time, t: u32) -> Result<(), Failure> {
        let most = IDLE * self.threads.len() as u64;
        self.idle += 1;
        if self.idle > most && self.flights.is_empty() && self.threads.iter().all(Thread::waits) {
            return Err(Failure::Deadlock(self.who_waits()));
        }
        let since = std::mem::replace(&mut self.thread(t).clock, now);
        self.spend(t, Part::Waiting, since, now);
        self.go_on(t, 0)
    }

    /// Gives a thread its turn at its clock.
    fn go_on(&mut self, t: u32, answer: u64) -> Result<(), Failure> {
        let is_ahead = std::mem::take(&mut self.thread(t).is_ahead);
        if is_ahead {
            self.foresight.fails();
        } else {
            self.calm = 0;
            self.foresee(t);
        }
        let thread = &mut self.threads[t as usize];
        while let Some(&(number, at, ballot)) = thread.complete.front() {
            if at > thread.clock {
                break;
            }
            thread.complete.pop_front();
            thread.told = (number, ballot);
            if let Some(history) = &mut self.accounts.history {
                history.note(t, Noted::Passed);
            }
        }
        // One that is ahead has not seen what has come since it began.
        thread.has_news &= is_ahead;
        thread.state = State::Active;
        let turn = Turn::Run { now: thread.clock, answer, barriers: thread.told };
        let stopped = self.job.go_on(t, &turn)?;
        self.outcome.turns += 1;
        self.stopped(t, stopped)?;
        self.begin(t);
        self.schedule(t);
        Ok(())
    }

    /// Has a thread begin its next turn if that depends on nothing but its own state, so that it runs while its records are
    /// performed. What others do until the engine comes to that turn cannot matter to it in a program without data races.
    /// A turn of another thread has to wait until it has ended: so it begins when there has been none for some time.
    fn begin(&mut self, t: u32) {
        let thread = &mut self.threads[t as usize];
        if thread.stop == Stop::Full && !std::mem::replace(&mut thread.is_ready, true) {
            self.ready.push(t);
        }
        if self.calm >= self.calm_enough() {
            self.begin_ready();
        }
    }

    fn calm_enough(&self) -> u64 {
        (16 * self.threads.len() as u64).min(1000)
    }

    /// Has the threads begin that may, in the order in which they have stopped.
    fn begin_ready(&mut self) {
        for t in std::mem::take(&mut self.ready) {
            let thread = &mut self.threads[t as usize];
            thread.is_ready = false;
            let may_begin = thread.stop == Stop::Full && !thread.is_ahead && thread.unserved.is_empty();
            if may_begin && self.flights.is_empty() {
                let turn = Turn::Run { now: thread.clock, answer: 0, barriers: thread.told };
                thread.is_ahead = self.job.begin(t, &turn);
                thread.has_news &= !thread.is_ahead;
            }
        }
    }

    /// A record has been performed, and no thread has had a turn.
    fn stays_calm(&mut self) {
        self.calm += 1;
        if self.calm == self.calm_enough() {
            self.begin_ready();
        }
    }

    /// Whether a message can be served where a thread stands.
    fn may_serve(&mut self, t: u32) -> Result<bool, Ended> {
        match self.thread(t).is_ahead {
            true => self.job.may_serve(t),
            false => Ok(self.thread(t).may_serve),
        }
    }

    fn stopped(&mut self, t: u32, stopped: Stopped) -> Result<(), Failure> {
        let thread = self.thread(t);
        thread.records = stopped.records.into();
        (thread.stop, thread.work, thread.may_serve) = (stopped.stop, stopped.work, stopped.may_serve);
        thread.stops_at = stopped.place;
        while self.thread(t).may_serve {
            let Some((came, from, message)) = self.thread(t).unserved.pop_front() else { break };
            let now = Due { at: came.at.max(self.now), late: came.late };
            self.serve(now, t, from, &message)?;
        }
        Ok(())
    }

    /// Looks for messages, in vain.
    fn look(&mut self, t: u32) {
        let now = self.thread(t).clock;
        let after = self.machine.poll(now, t);
        self.thread(t).clock = after;
        self.spend(t, Part::Overhead, now, after);
    }

    /// Waits for a transfer that was begun.
    fn finish(&mut self, t: u32, id: u64) {
        let now = self.thread(t).clock;
        if self.awaits(t, served::Awaited::Begun(id)) {
            return;
        }
        let Some(what) = self.thread(t).begun.remove(id) else { return };
        let after = self.machine.finish(now, t, &what);
        self.wait_until(t, now, after);
        self.tell(|history, _| history.awaited(t, id));
    }

    /// Waits for a transfer that was begun. As long as that takes no time, it goes on with the one of its next record: most are
    /// complete when the first one is. The thread's next event would be at this time again, and the earliest, since it has
    /// been that before and no other thread's event has changed.
    fn finish_each(&mut self, t: u32, mut id: u64) {
        let now = self.thread(t).clock;
        let comes_next =
            self.accounts.history.is_none() && self.events.peek().is_none_or(|Reverse(event)| now < event.at);
        loop {
            self.finish(t, id);
            let thread = &mut self.threads[t as usize];
            if !comes_next || thread.clock != now || thread.state != State::Active {
                return;
            }
            let next = thread.records.front();
            let Some(&Record { work: 0, what: Done::Await(more), place }) = next else { return };
            (id, thread.place) = (more, place);
            thread.records.pop_front();
            if thread.records.is_empty() {
                self.job.more(t, &mut thread.records);
            }
            self.outcome.events += 1;
        }
    }

    fn transfer(&mut self, t: u32, what: &Transfer, how: How) -> Times {
        let now = self.thread(t).clock;
        let times = self.machine.transfer(now, t, what, how);
        self.latest = self.latest.max(times.complete.at);
        self.wait_for(t, Part::Overhead, now, times.free);
        self.count(t, what);
        times
    }

    /// Counts a transfer that begins, or goes on.
    fn count(&mut self, t: u32, what: &Transfer) {
        self.accounts.operate(self.threads[t as usize].place, !what.piece.is_rest, what.bytes);
        if let Some(pictures) = &mut self.accounts.pictures {
            pictures.operate(t, what.with, !what.is_put, !what.piece.is_rest, what.bytes);
        }
        let spent = &mut self.thread(t).spent;
        spent.bytes += what.bytes;
        if !what.piece.is_rest {
            *(if what.is_put { &mut spent.puts } else { &mut spent.gets }) += 1;
        }
    }

    /// Takes the next piece of what a thread has done; the rest stays its next record.
    fn take_piece(&mut self, t: u32, what: &mut Done) {
        let (transfer, how) = match what {
            Done::Blocking(transfer) => (transfer, How::Blocking),
            Done::Relaxed(transfer) => (transfer, How::Relaxed),
            Done::Begun(transfer, _) => (transfer, How::Begun),
            _ => return,
        };
        let most = self.machine.piece(transfer, how);
        if transfer.bytes <= most {
            return;
        }
        let mut rest = *transfer;
        (rest.bytes, rest.offset) = (transfer.bytes - most, transfer.offset + most);
        rest.piece.is_rest = true;
        (transfer.bytes, transfer.piece.has_more) = (most, true);
        let rest = match what {
            Done::Blocking(_) => Done::Blocking(rest),
            Done::Begun(_, id) => Done::Begun(rest, *id),
            _ => Done::Relaxed(rest),
        };
        let place = self.thread(t).place;
        self.thread(t).records.push_front(Record { work: 0, what: rest, place });
    }

    /// Performs what a thread has done at its clock.
    fn perform(&mut self, t: u32, what: Done) {
        match what {
            Done::Blocking(transfer) if self.is_served() => self.request(t, &transfer, served::Kind::Blocking),
            Done::Relaxed(transfer) if self.is_served() => self.request(t, &transfer, served::Kind::Relaxed),
            Done::Begun(transfer, id) if self.is_served() => {
                self.request(t, &transfer, served::Kind::Begun(id));
            }
            Done::Blocking(transfer) => {
                let times = self.transfer(t, &transfer, How::Blocking);
                self.wait_until(t, times.free.at, times.complete);
                if !transfer.piece.has_more {
                    self.tell(|history, _| history.complete(t));
                }
            }
            Done::Relaxed(transfer) => {
                let times = self.transfer(t, &transfer, How::Relaxed);
                let thread = self.thread(t);
                thread.clock = times.free.at;
                thread.settled = thread.settled.max(times.complete);
                if !transfer.piece.has_more {
                    self.tell(|history, _| history.handed_over(t));
                }
            }
            Done::Begun(transfer, id) => {
                let times = self.transfer(t, &transfer, How::Begun);
                let thread = self.thread(t);
                thread.clock = times.free.at;
                thread.begun.insert(id, transfer.is_put, transfer.bytes, times.complete);
            }
            Done::Await(id) => self.finish_each(t, id),
            Done::Settle if self.awaits(t, served::Awaited::Puts) => {}
            Done::Settle => {
                let thread = self.thread(t);
                let (now, settled) = (thread.clock, std::mem::take(&mut thread.settled));
                let after = self.machine.settle(now, t, settled);
                self.wait_until(t, now, after);
                self.tell(|history, _| history.settled(t));
            }
            Done::Sent(message) => {
                let now = self.thread(t).clock;
                let free = self.send(now, t, message, 0);
                self.thread(t).clock = free.at;
                self.wait_for(t, Part::Overhead, now, free);
            }
            Done::Accesses(list) => {
                let mut now = self.thread(t).clock;
                let began = now;
                let mut work = 0;
                for access in list {
                    (now, work) = (now + access.work, work + access.work);
                    if let Some(at) = access.at {
                        now = self.machine.access(now, t, at, access.is_write);
                    }
                }
                self.thread(t).clock = now;
                self.spend(t, Part::Work, began, began + work);
                self.spend(t, Part::Memory, began + work, now);
            }
            Done::Places(text) => self.accounts.name(&text),
            Done::Worked(list) => self.accounts.worked(&list),
            Done::Noted(note) => self.tell(|history, _| history.noted(t, &note)),
            Done::Notified(ballot) => self.notified(t, &ballot),
        }
    }

    /// For a transfer.
    fn wait_until(&mut self, t: u32, now: Time, complete: Due) {
        self.thread(t).clock = now.max(complete.at);
        self.wait_for(t, Part::Transfers, now, complete);
    }

    /// A thread spends the time from `now` until a moment on a part, and on waiting for what others do.
    fn wait_for(&mut self, t: u32, part: Part, now: Time, until: Due) {
        let late = until.late_after(now);
        self.spend(t, Part::Contention, now, now + late);
        self.spend(t, part, now + late, until.at.max(now));
    }

    #[inline]
    fn spend(&mut self, t: u32, part: Part, from: Time, to: Time) {
        if from == to && self.accounts.history.is_none() {
            return;
        }
        let thread = &mut self.threads[t as usize];
        *thread.spent.part_mut(part) += to - from;
        self.accounts.spend(t, thread.place, part, from, to);
    }

    /// Enters the turn of a thread that has waited; it comes in the order of time.
    fn wake(&mut self, t: u32) {
        let thread = self.thread(t);
        (thread.state, thread.stop, thread.work) = (State::Active, Stop::Full, 0);
        self.schedule(t);
    }
}

/// What it takes to read the clock, so that no two times are the same.
pub(crate) const CLOCK: Time = 1000;
