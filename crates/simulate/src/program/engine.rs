//! The order of time: which thread goes on, and when.
//!
//! Every thread that is not waiting has one next event: its next record, or its stop. Messages under way are events, too.
//! The earliest event is performed; of events at one time, messages come first, then threads by their numbers. A thread
//! gets its turn only when its stop is the earliest event: then nothing can happen any more that is earlier.
//!
//! Here is the order of events. A thread has [`turns`]; what it has [`done`] in one is performed; [`messages`] come to
//! processors, as do transfers that those answer ([`served`]); [`barriers`] have agents; by [`foresight`] threads hand on
//! their turns among themselves; those that [poll](polls) have turns only if they would do something else than before;
//! [`lateness`] is what a thread is late by after a wait. A run may end in a [`failure`].

mod barriers;
mod done;
mod failure;
mod foresight;
mod lateness;
mod messages;
mod polls;
mod served;
mod turns;

use crate::program::accounts::{Accounts, Line, Spent};
use crate::program::charges::Charges;
use crate::program::history::{Event as Noted, History};
use crate::program::pictures::Pictures;
use crate::program::queue::{Begun, Turns};
use crate::program::stops::{Ballot, Message, Record, Stop, Threads, Transfer, Turn};
use barriers::Agent;
pub(crate) use barriers::BALLOT;
use failure::LONGEST;
pub use failure::{Failure, TOO_LONG};
use fathom_machine::description::Serves;
use fathom_machine::{prefetch_all, Due, Nodes, Time};
use served::Letter;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

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
    /// The lock that it has asked for and has not taken: of which thread, and where in its segment.
    asks: Option<Lock>,
    lateness: lateness::Lateness,
    /// What it does again and again.
    again: Option<Box<polls::Again>>,
    spent: Spent,
}

/// The thread whose memory a lock is, and where in its segment.
type Lock = (u32, u64);

impl Thread {
    fn waits(&self) -> bool {
        matches!(self.state, State::Waiting | State::Ended) || self.again.as_ref().is_some_and(|again| again.rests)
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
    /// The answer to a transfer sets out, which no processor has to do with: a number in `requests`.
    Answer(u64),
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
    /// Who has a lock.
    holders: HashMap<Lock, u32>,
    now: Time,
    /// The event that is performed: its time, and the thread whose turn it is, if it is one.
    event: (Time, Option<u32>),
    polling: polls::Polling,
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
    let late = machine.lateness();
    let fresh = |t| Thread {
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
        asks: None,
        lateness: lateness::Lateness::new(t, late),
        again: None,
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
        holders: HashMap::new(),
        now: 0,
        event: (0, None),
        polling: polls::Polling::default(),
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
    #[inline]
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
    #[inline]
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
                    self.event = (at, None);
                    if !matches!(event.what, What::News(..)) {
                        self.wake_up(event.thread);
                    }
                    match event.what {
                        What::Arrival(number) => self.letter(at, event.thread, Letter::Message(number))?,
                        What::Request(number) => self.letter(at, event.thread, Letter::Transfer(number))?,
                        What::Free => self.open(at, event.thread)?,
                        What::Answer(number) => self.answer(at, number),
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
                    self.event = (due, Some(t));
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
}

/// What it takes to read the clock, so that no two times are the same.
pub(crate) const CLOCK: Time = 1000;
