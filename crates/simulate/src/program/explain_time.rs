//! What the time of one operation consists of, on a machine where nothing else happens.
//!
//! The operation is performed by the [`engine`](super::engine), so its time is that of a program. What a network does
//! is told by its [`steps`](fathom_machine::Carries::steps), what a processor with a shell does by its journal. The
//! steps add up to the time.

use crate::program::charges::{charges, Charges, How, Times, RECEIVES, REQUEST};
use crate::program::stops::{Ballot, Done, Ended, Message, Piece, Record, Stop, Stopped, Threads, Transfer, Turn};
use crate::program::{simulate, Failure, TOO_LONG};
use fathom_machine::description::Serves;
use fathom_machine::network;
use fathom_machine::parts::shell::Step;
use fathom_machine::{Description, Due, Nodes, Time};
use std::collections::{HashSet, VecDeque};

/// An operation of thread 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Get(u64),
    Put(u64),
    /// Until the other thread has taken it.
    Message(u64),
    Barrier,
}

impl Operation {
    /// `get 8`, `put 1024`, `message 64`, `barrier`. None: it is something else.
    pub fn parse(text: &str) -> Option<Operation> {
        let mut words = text.split_whitespace();
        let name = words.next()?;
        let bytes = words.next().map(|n| n.parse::<u64>().ok().filter(|n| (1..=1 << 30).contains(n)));
        if words.next().is_some() {
            return None;
        }
        match (name, bytes) {
            ("barrier", None) => Some(Operation::Barrier),
            ("get", Some(bytes)) => Some(Operation::Get(bytes?)),
            ("put", Some(bytes)) => Some(Operation::Put(bytes?)),
            ("message", Some(bytes)) => Some(Operation::Message(bytes?)),
            _ => None,
        }
    }
}

/// The time of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    pub total: Time,
    /// What it consists of, in the order in which it comes first; what comes several times is put together.
    pub steps: Vec<(String, Time)>,
}

impl Explained {
    fn new(total: Time, list: impl IntoIterator<Item = (String, Time)>) -> Self {
        let mut steps: Vec<(String, Time)> = vec![];
        let mut known = 0;
        for (what, time) in list.into_iter().filter(|(_, time)| *time > 0) {
            known += time;
            match steps.iter_mut().find(|(other, _)| *other == what) {
                Some((_, sum)) => *sum += time,
                None => steps.push((what, time)),
            }
        }
        if total > known {
            steps.push(("instructions".into(), total - known));
        }
        Explained { total, steps }
    }
}

/// Explains an operation between thread 0 and another one, among this number of threads.
///
/// # Errors
/// What the machine lacks.
pub fn explain_time(machine: &Description, threads: u32, what: Operation, with: u32) -> Result<Explained, String> {
    match what {
        Operation::Get(bytes) => transfer(machine, threads, with, false, bytes),
        Operation::Put(bytes) => transfer(machine, threads, with, true, bytes),
        Operation::Message(bytes) => message(machine, threads, with, bytes),
        Operation::Barrier => barrier(machine, threads),
    }
}

/// The threads other than 0 to which an operation takes the least and the most time; of several the one with the least
/// number.
///
/// All threads are compared: where nothing else happens, an operation's time depends on the other thread by its way
/// through the network alone, and of the ways there are few different ones. One thread of each kind is asked.
///
/// # Errors
/// As [`explain_time`].
pub fn near_and_far(machine: &Description, threads: u32, what: Operation) -> Result<(u32, u32), String> {
    let mut all = vec![];
    for with in ways(machine, threads, what)? {
        all.push((explain_time(machine, threads, what, with)?.total, with));
    }
    let near = all.iter().min().ok_or("an operation between threads needs two of them")?.1;
    let most = all.iter().map(|(time, _)| *time).max().unwrap_or(0);
    Ok((near, all.iter().find(|(time, _)| *time == most).map_or(near, |(_, with)| *with)))
}

/// For each way from thread 0 through the network and back, or within the node, the thread with the least number to which it
/// leads.
fn ways(description: &Description, threads: u32, what: Operation) -> Result<Vec<u32>, String> {
    let machine = charges(description, threads)?;
    let (is_put, there, back) = match what {
        Operation::Get(bytes) => (false, REQUEST, bytes),
        Operation::Put(bytes) | Operation::Message(bytes) => (true, bytes, REQUEST),
        Operation::Barrier => (true, REQUEST, REQUEST),
    };
    let nodes = machine.nodes(threads);
    // Where processors have a journal, the network has to say it.
    let network = match machine.message_steps(0, 0, REQUEST).is_empty() {
        true => Some(network::build(description)?),
        false => None,
    };
    let way = |from, to, bytes| -> Vec<Time> {
        let steps = match &network {
            Some(network) => network.steps(from, to, bytes),
            None => machine.message_steps(from, to, bytes),
        };
        steps.into_iter().map(|(_, time)| time).collect()
    };
    let mut seen = HashSet::new();
    let mut is_new = |with: &u32| {
        let transfer = Transfer { is_put, with: *with, bytes: there.max(back), offset: 0, piece: Piece::default() };
        let within: Option<Vec<Time>> =
            machine.steps_within_node(0, &transfer).map(|steps| steps.into_iter().map(|(_, time)| time).collect());
        let is_here = nodes.node_of(0) == nodes.node_of(*with);
        seen.insert((is_here, within, way(0, *with, there), way(*with, 0, back)))
    };
    Ok((1..threads).filter(|with| is_new(with)).collect())
}

fn transfer(machine: &Description, threads: u32, with: u32, is_put: bool, bytes: u64) -> Result<Explained, String> {
    let mut machine = charges(machine, threads)?;
    machine.begin_journal(0);
    let transfer = Transfer { is_put, with, bytes, offset: 0, piece: Piece::default() };
    let ends = perform(&mut *machine, threads, |t| (t == 0).then_some((Done::Blocking(transfer), Stop::End)))?;
    let total = ends[0];
    if let Some(journal) = machine.journal(0) {
        return Ok(Explained::new(total, flat(&journal, 0, total)));
    }
    if let Some(steps) = machine.steps_within_node(0, &transfer) {
        return Ok(Explained::new(total, steps));
    }
    let (there, back) = if is_put { (bytes, REQUEST) } else { (REQUEST, bytes) };
    let mut steps: Vec<_> = named("request", machine.message_steps(0, with, there)).collect();
    if machine.serves() == Serves::Processor {
        let answer: Time = machine.message_steps(with, 0, back).iter().take(1).map(|(_, time)| time).sum();
        steps.push(("the other processor receives".into(), machine.receive(0, with, 0, there)));
        steps.push(("the other processor answers".into(), answer));
    }
    if let Serves::Beside(time) = machine.serves() {
        steps.push(("the other side answers".into(), time));
    }
    // The rest of the answer is the network's own.
    steps.extend(named("answer", machine.message_steps(with, 0, back)).skip(1));
    let known: Time = steps.iter().map(|(_, time)| time).sum();
    steps.push((RECEIVES.into(), total.saturating_sub(known)));
    Ok(Explained::new(total, steps))
}

/// A message's steps; those of its network with its name.
fn named(name: &str, steps: Vec<(String, Time)>) -> impl Iterator<Item = (String, Time)> {
    let name = name.to_owned();
    let own = move |i: usize, what: String| if i == 0 { what } else { format!("{name}: {what}") };
    steps.into_iter().enumerate().map(move |(i, (what, time))| (own(i, what), time))
}

fn message(machine: &Description, threads: u32, with: u32, bytes: u64) -> Result<Explained, String> {
    let mut machine = charges(machine, threads)?;
    let journals = [0, with];
    journals.into_iter().for_each(|t| machine.begin_journal(t));
    let message = Message { to: with, is_reply: false, bytes, tag: 0, image: vec![] };
    let ends = perform(&mut *machine, threads, |t| match t {
        0 => Some((Done::Sent(message.clone()), Stop::End)),
        t if t == with => Some((Done::Settle, Stop::Wait(0))),
        _ => None,
    })?;
    let total = ends[with as usize];
    let told: Vec<Vec<Step>> = journals.into_iter().filter_map(|t| machine.journal(t)).collect();
    if let [sender, receiver] = &told[..] {
        let sent = ends[0];
        let mut steps = flat(sender, 0, sent);
        steps.extend(flat(receiver, sent, total).into_iter().map(|(what, time)| (format!("receiver: {what}"), time)));
        return Ok(Explained::new(total, steps));
    }
    let mut steps = machine.message_steps(0, with, bytes);
    let known: Time = steps.iter().map(|(_, time)| time).sum();
    steps.push((RECEIVES.into(), total.saturating_sub(known)));
    Ok(Explained::new(total, steps))
}

fn barrier(machine: &Description, threads: u32) -> Result<Explained, String> {
    let mut witness = Witness { machine: charges(machine, threads)?, sent: vec![], received: vec![], announced: None };
    let ends = perform(&mut witness, threads, |_| Some((Done::Notified(Ballot::default()), Stop::Wait(0))))?;
    let total = ends.iter().copied().max().unwrap_or(0);
    if let Some(after) = witness.announced {
        let wires = ("the barrier's wires, until the last thread knows".to_string(), total.saturating_sub(after));
        return Ok(Explained::new(total, [("announces that it has come".to_string(), after), wires]));
    }
    // From the end back: what was received last, the message that brought it, and what its sender had received before.
    let nodes = witness.nodes(threads);
    let last = ends.iter().position(|end| *end == total).unwrap_or(0) as u32;
    let mut me = nodes.leader(nodes.node_of(last));
    let lets_go = witness.meeting(nodes.size(nodes.node_of(last)));
    let mut at = total - lets_go;
    let mut steps = vec![(LETS_GO.to_string(), lets_go)];
    while let Some((_, came, after)) = witness.received.iter().find(|r| r.0 == me && r.2 == at) {
        let Some(sent) = witness.sent.iter().find(|s| s.to == me && s.arrives == *came) else { break };
        steps.push((RECEIVES.to_string(), after - came));
        let idle = witness.machine.message_steps(sent.from, me, sent.bytes);
        let known: Time = idle.iter().map(|(_, time)| time).sum();
        steps.extend(idle);
        steps.push(("contention".into(), (came - sent.now).saturating_sub(known)));
        (at, me) = (sent.now, sent.from);
    }
    steps.push((GATHER.to_string(), witness.meeting(nodes.size(nodes.node_of(me)))));
    Ok(Explained::new(total, steps))
}

/// The steps of a barrier within a node.
const GATHER: &str = "the threads of a node gather";
const LETS_GO: &str = "the threads of a node let each other go";

/// Which step of a journal the time goes to, from moment to moment: what is inside of a wait counts rather than the
/// wait, and of several requests that are under way the last one.
fn flat(journal: &[Step], from: Time, to: Time) -> Vec<(String, Time)> {
    let mut moments: Vec<Time> = journal.iter().flat_map(|s| [s.from, s.to]).chain([from, to]).collect();
    moments.retain(|at| (from..=to).contains(at));
    moments.sort_unstable();
    moments.dedup();
    let waits =
        |step: &Step| step.what.starts_with("waits") || step.what.contains("queue") || step.what.contains("status");
    let mut steps = vec![];
    for pair in moments.windows(2) {
        let covers = |s: &&Step| s.from <= pair[0] && pair[1] <= s.to;
        let own = journal.iter().filter(covers).rfind(|s| s.request == 0);
        let inner = journal.iter().filter(covers).filter(|s| s.request > 0).max_by_key(|s| s.request);
        let step = match own {
            Some(own) if waits(own) => inner.or(Some(own)),
            own => own,
        };
        let what = step.map_or_else(|| "instructions".to_string(), |s| s.what.clone());
        steps.push((what, pair[1] - pair[0]));
    }
    steps
}

/// The ends of threads that each perform at most one operation.
fn perform(
    machine: &mut dyn Charges,
    threads: u32,
    what: impl Fn(u32) -> Option<(Done, Stop)>,
) -> Result<Vec<Time>, String> {
    let of = |t: u32| {
        let (done, stop) = what(t)?;
        Some(Stopped {
            records: vec![Record { work: 0, what: done, place: 0 }],
            stop,
            work: 0,
            may_serve: true,
            place: 0,
        })
    };
    let mut job = Once((0..threads).map(|t| of(t).into_iter().collect()).collect());
    let failed = |why: Failure| match why {
        Failure::Ended => "the operation has no end".to_string(),
        Failure::Deadlock(who) => who,
        Failure::TooLong => TOO_LONG.into(),
    };
    let outcome = simulate(&mut job, machine, threads).map_err(failed)?;
    Ok(outcome.threads.iter().map(|t| t.end).collect())
}

struct Once(Vec<VecDeque<Stopped>>);

impl Threads for Once {
    fn go_on(&mut self, t: u32, turn: &Turn) -> Result<Stopped, Ended> {
        let nothing = |stop| Stopped { records: vec![], stop, work: 0, may_serve: true, place: 0 };
        Ok(match turn {
            Turn::Run { .. } => self.0[t as usize].pop_front().unwrap_or_else(|| nothing(Stop::End)),
            Turn::Serve(..) => nothing(Stop::Served),
        })
    }
}

/// A machine whose messages are noted.
struct Witness {
    machine: Box<dyn Charges>,
    sent: Vec<Sent>,
    /// By whom, when it came, and when it was taken.
    received: Vec<(u32, Time, Time)>,
    announced: Option<Time>,
}

struct Sent {
    now: Time,
    from: u32,
    to: u32,
    bytes: u64,
    arrives: Time,
}

impl Charges for Witness {
    fn transfer(&mut self, now: Time, me: u32, what: &Transfer, how: How) -> Times {
        self.machine.transfer(now, me, what, how)
    }
    fn settle(&mut self, now: Time, me: u32, complete: Due) -> Due {
        self.machine.settle(now, me, complete)
    }
    fn message(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Times {
        let times = self.machine.message(now, from, to, bytes);
        self.sent.push(Sent { now, from, to, bytes, arrives: times.arrives.at });
        times
    }
    fn receive(&mut self, now: Time, me: u32, from: u32, bytes: u64) -> Time {
        let after = self.machine.receive(now, me, from, bytes);
        self.received.push((me, now, after));
        after
    }
    fn poll(&mut self, now: Time, me: u32) -> Time {
        self.machine.poll(now, me)
    }
    fn prepare_memory(&mut self, description: &Description, threads: u32) -> Result<(), String> {
        self.machine.prepare_memory(description, threads)
    }
    fn access(&mut self, now: Time, me: u32, at: u64, is_write: bool) -> Time {
        self.machine.access(now, me, at, is_write)
    }
    fn nodes(&self, threads: u32) -> Nodes {
        self.machine.nodes(threads)
    }
    fn meeting(&self, threads: u32) -> Time {
        self.machine.meeting(threads)
    }
    fn announce(&mut self, now: Time, me: u32) -> Option<Time> {
        self.announced = self.machine.announce(now, me);
        self.announced
    }
    fn leave(&mut self, me: u32) -> Option<Time> {
        self.machine.leave(me)
    }
}
