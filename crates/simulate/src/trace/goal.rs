//! Writing a trace as a schedule of GOAL, the text that LogGOPSim and tools after it read.
//!
//! A schedule has ranks, each with operations (`calc`, `send`, `recv`) and an order of them (`requires`): Hoefler, Siebert
//! and Lumsdaine, Group Operation Assembly Language (ICPP 2009); Hoefler, Schneider and Lumsdaine, LogGOPSim (HPDC 2010).
//! A rank is a thread. What a thread does itself is a chain; what is done beside it (requests that it serves, rounds of a
//! barrier, answers on their way) hangs on that chain only where the thread waits for it.
//!
//! GOAL has no operations that leave the other processor alone, and its simulator charges o at both ends of every
//! message. So the overheads of the machine's processors are written as work, where this simulator charges them, and the
//! schedule is for o = 0. A simulated processor of GOAL cannot be interrupted, so that a request would wait for the end
//! of the work that it meets. Therefore work is written in pieces. docs/simulating.md says what is kept and what is lost.

use super::format::{Segment, Served};
use super::replay::{Entry, Replay, Wait};
use super::Trace;
use crate::program::charges::{LOOK, REQUEST};
use crate::program::engine::{BALLOT, CLOCK};
use crate::program::stops::{Done, Message, Stop, Transfer};
use fathom_machine::build::SHELL;
use fathom_machine::description::Serves;
use fathom_machine::network::{self, Carries};
use fathom_machine::{Description, Time};
use std::collections::HashMap;
use std::io::{self, Write};

/// The longest piece of work, in picoseconds, if a thread has at most [`MOST_PIECES`] of it.
const PIECE: Time = 100_000;
const MOST_PIECES: u64 = 1 << 17;

/// An operation of a rank, by its number there.
type Label = u64;

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub ranks: u32,
    pub operations: u64,
}

/// Why a trace cannot be written as a schedule.
#[derive(Debug)]
pub enum Failure {
    /// The end of a sentence that begins with the machine's name.
    Machine(String),
    /// The end of a sentence that begins with the trace's name.
    Trace(&'static str),
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Io(error)
    }
}

/// Writes a trace as a schedule. `about` are lines of a comment at its head; `machine` is whose processors' overheads are
/// in it.
///
/// # Errors
/// The machine has other communication than that of a network; the trace has accesses to memory, or too many transfers
/// for the tags of GOAL; or `to` cannot be written.
pub fn write(trace: &Trace, machine: &Description, about: &str, to: &mut dyn Write) -> Result<Written, Failure> {
    if trace.has_accesses() {
        return Err(Failure::Trace(
            "has accesses to memory, and GOAL has no caches: record it without `--work accesses`",
        ));
    }
    if machine.parts.values().any(|part| part.kind == SHELL) {
        return Err(Failure::Machine(
            "has ways to communicate that GOAL lacks: give a machine that is described by its network alone".into(),
        ));
    }
    if machine.serves().map_err(Failure::Machine)? == Serves::Processor {
        return Err(Failure::Machine(
            "has processors that serve puts and gets (`network.serve`), which the schedule has not: give it without"
                .into(),
        ));
    }
    let threads = trace.head.threads;
    if machine.nodes(threads).per_node() > 1 {
        return Err(Failure::Machine(
            "has several threads on a node, and GOAL has no shared memory: give each thread its own".into(),
        ));
    }
    let network = network::build(machine).map_err(Failure::Machine)?;
    let all = Asked::of(trace)?;
    for line in about.lines() {
        writeln!(to, "// {line}")?;
    }
    writeln!(to, "num_ranks {threads}")?;
    let mut replay = Replay::new(trace);
    let mut written = Written { ranks: threads, operations: 0 };
    for me in 0..threads {
        writeln!(to, "\nrank {me} {{")?;
        let mut rank = Rank::new(me, threads, &*network, to, all.piece(trace, me));
        rank.serve(&all)?;
        rank.messages(trace, &all)?;
        while let Some((turn, wait)) = replay.take(me) {
            let ends = turn.stop == Stop::End;
            rank.turn(turn, wait, &mut replay)?;
            if ends {
                break;
            }
        }
        rank.flush()?;
        written.operations += rank.labels;
        writeln!(to, "}}")?;
    }
    to.flush()?;
    Ok(written)
}

/// What threads ask of each other.
struct Asked {
    /// By the thread that is asked: transfers, with the asking thread and the transfer's number there.
    transfers: Vec<Vec<(u32, u64, Transfer)>>,
    /// By the receiving thread: messages by their sender and number, with their size.
    messages: Vec<HashMap<(u32, u64), u64>>,
}

/// Tags: four for each number of a thread's transfers, messages, and rounds of barriers.
const THERE: u64 = 0;
const BACK: u64 = 1;
const MESSAGE: u64 = 2;
const ROUND: u64 = 3;
/// The most transfers, messages or rounds of a thread. LogGOPSim keeps tags in 32 bits, of which all ones is any tag.
const MOST: u64 = (1 << 30) - 1;
/// Rounds of a barrier of the most threads that a trace can have.
const ROUNDS: u64 = 20;

fn tag(number: u64, kind: u64) -> u64 {
    4 * number + kind
}

/// The transfer that a thread begins with this.
fn begun(what: &Done) -> Option<&Transfer> {
    match what {
        Done::Blocking(t) | Done::Relaxed(t) | Done::Begun(t, _) => Some(t),
        _ => None,
    }
}

impl Asked {
    fn of(trace: &Trace) -> Result<Self, Failure> {
        let threads = trace.head.threads as usize;
        let mut all = Asked { transfers: vec![vec![]; threads], messages: vec![HashMap::new(); threads] };
        for t in 0..trace.head.threads {
            let (mut transfers, mut barriers, mut messages) = (0, 0, 0);
            let mut ask = |transfer: &Transfer| {
                all.transfers[transfer.with as usize].push((t, transfers, *transfer));
                transfers += 1;
            };
            for entry in trace.entries(t) {
                let records = match &entry {
                    Entry::Turn(turn) => &turn.records,
                    Entry::Served(served) => &served.records,
                };
                for record in records {
                    match &record.what {
                        Done::Sent(m) => {
                            all.messages[m.to as usize].insert((t, m.tag), m.bytes);
                            messages += 1;
                        }
                        Done::Notified(_) => barriers += 1,
                        what => begun(what).into_iter().for_each(&mut ask),
                    }
                }
                if let Entry::Turn(Segment { stop: Stop::Arrival(transfer), .. }) = entry {
                    ask(&transfer);
                }
            }
            if transfers.max(messages).max(barriers * ROUNDS) > MOST {
                return Err(Failure::Trace("has more transfers of a thread than GOAL has tags (2^30)"));
            }
        }
        Ok(all)
    }

    /// The longest piece of a thread's work. Nobody asks a thread that serves nothing.
    fn piece(&self, trace: &Trace, me: u32) -> Time {
        let work: Time = trace
            .entries(me)
            .map(|entry| match entry {
                Entry::Turn(turn) => turn.work + turn.records.iter().map(|r| r.work).sum::<Time>(),
                Entry::Served(_) => 0,
            })
            .sum();
        PIECE.max(work / MOST_PIECES)
    }
}

/// What is waited for: operations after which it has come, and how long its reception takes then.
struct Awaited {
    after: Label,
    then: Time,
}

struct Rank<'a> {
    me: u32,
    threads: u32,
    network: &'a dyn Carries,
    to: &'a mut dyn Write,
    piece: Time,
    labels: Label,
    /// What the thread's next operation requires.
    after: Vec<Label>,
    /// Work that is not yet written.
    work: Time,
    /// Before it: the reception of what was waited for. Of several that are waited for in a row it is that of the last.
    reception: Time,
    /// Its last send, which the next one follows.
    sent: Option<Label>,
    transfers: u64,
    relaxed: Vec<Label>,
    begun: HashMap<u64, Awaited>,
    /// After which operations each barrier is complete.
    barriers: Vec<Vec<Label>>,
    /// Barriers that the thread has waited for.
    known: usize,
    /// After which operation each of its messages is served, in their order.
    served: Vec<Label>,
}

impl<'a> Rank<'a> {
    fn new(me: u32, threads: u32, network: &'a dyn Carries, to: &'a mut dyn Write, piece: Time) -> Self {
        Rank {
            me,
            threads,
            network,
            to,
            piece,
            labels: 0,
            after: vec![],
            work: 0,
            reception: 0,
            sent: None,
            transfers: 0,
            relaxed: vec![],
            begun: HashMap::new(),
            barriers: vec![],
            known: 0,
            served: vec![],
        }
    }

    // ---- operations -------------------------------------------------------------------------------------------------

    fn operation(&mut self, what: std::fmt::Arguments, after: &[Label]) -> io::Result<Label> {
        self.labels += 1;
        let label = self.labels;
        writeln!(self.to, "l{label}: {what}")?;
        for one in after {
            writeln!(self.to, "l{label} requires l{one}")?;
        }
        Ok(label)
    }

    fn send(&mut self, to: u32, bytes: u64, tag: u64, after: &[Label]) -> io::Result<Label> {
        // LogGOPSim computes with size - 1.
        self.operation(format_args!("send {}b to {to} tag {tag}", bytes.max(1)), after)
    }

    fn receive(&mut self, from: u32, bytes: u64, tag: u64, after: &[Label]) -> io::Result<Label> {
        self.operation(format_args!("recv {}b from {from} tag {tag}", bytes.max(1)), after)
    }

    /// Work in one piece after an operation, if there is any.
    fn then(&mut self, work: Time, after: Label) -> io::Result<Label> {
        match work {
            0 => Ok(after),
            _ => self.operation(format_args!("calc {work}"), &[after]),
        }
    }

    // ---- what the thread is asked -----------------------------------------------------------------------------------

    /// Answers transfers of other threads: the data of a get, or that a put has arrived.
    fn serve(&mut self, all: &Asked) -> io::Result<()> {
        let mut last = HashMap::new();
        for &(from, number, Transfer { is_put, bytes, .. }) in &all.transfers[self.me as usize] {
            let (there, back) = ways(is_put, bytes);
            // One after the other is looked for, so that the lists of what is looked for stay short.
            let after: Vec<Label> = last.get(&from).copied().into_iter().collect();
            let came = self.receive(from, there, tag(number, THERE), &after)?;
            last.insert(from, came);
            self.send(from, back, tag(number, BACK), &[came])?;
        }
        Ok(())
    }

    /// Serves messages.
    fn messages(&mut self, trace: &Trace, all: &Asked) -> io::Result<()> {
        let mut left = all.messages[self.me as usize].clone();
        let mut last = HashMap::new();
        for entry in trace.entries(self.me) {
            let Entry::Served(Served { from, tag: number, records }) = entry else { continue };
            let bytes = left.remove(&(from, number)).unwrap_or(0);
            let after: Vec<Label> = last.get(&from).copied().into_iter().collect();
            let came = self.receive(from, bytes, tag(number, MESSAGE), &after)?;
            last.insert(from, came);
            let mut at = self.then(self.network.receive_overhead(bytes), came)?;
            for record in records {
                if let Done::Sent(Message { to, bytes, tag: number, .. }) = record.what {
                    at = self.then(self.network.send_overhead(bytes), at)?;
                    self.send(to, bytes, tag(number, MESSAGE), &[at])?;
                }
            }
            self.served.push(at);
        }
        // Those that came after the thread's end.
        let mut left: Vec<_> = left.into_iter().collect();
        left.sort_unstable();
        for ((from, number), bytes) in left {
            self.receive(from, bytes, tag(number, MESSAGE), &[])?;
        }
        Ok(())
    }

    // ---- what the thread does ---------------------------------------------------------------------------------------

    /// Writes the work so far: the thread is where it is then.
    fn flush(&mut self) -> io::Result<()> {
        self.work += std::mem::take(&mut self.reception);
        while self.work > 0 {
            let piece = self.work.min(self.piece);
            self.work -= piece;
            let after = std::mem::take(&mut self.after);
            let label = self.operation(format_args!("calc {piece}"), &after)?;
            self.after.push(label);
        }
        Ok(())
    }

    /// The thread goes on after these operations.
    fn wait(&mut self, labels: impl IntoIterator<Item = Label>) -> io::Result<()> {
        self.flush()?;
        self.require(labels)
    }

    fn require(&mut self, labels: impl IntoIterator<Item = Label>) -> io::Result<()> {
        self.after.extend(labels);
        if self.after.len() > 4 {
            let after = std::mem::take(&mut self.after);
            let label = self.operation(format_args!("calc 0"), &after)?;
            self.after.push(label);
        }
        Ok(())
    }

    fn wait_for(&mut self, what: Awaited) -> io::Result<()> {
        if self.work > 0 {
            self.flush()?;
        }
        self.reception = self.reception.max(what.then);
        self.require([what.after])
    }

    /// Sends, after the overhead for it.
    fn begin(&mut self, to: u32, bytes: u64, tag: u64) -> io::Result<()> {
        self.work += self.network.send_overhead(bytes);
        self.flush()?;
        let mut after = self.after.clone();
        after.extend(self.sent);
        self.sent = Some(self.send(to, bytes, tag, &after)?);
        Ok(())
    }

    fn transfer(&mut self, Transfer { is_put, with, bytes, .. }: Transfer) -> io::Result<Awaited> {
        let (there, back) = ways(is_put, bytes);
        let number = self.transfers;
        self.transfers += 1;
        self.begin(with, there, tag(number, THERE))?;
        let after = self.after.clone();
        let after = self.receive(with, back, tag(number, BACK), &after)?;
        Ok(Awaited { after, then: self.network.receive_overhead(back) })
    }

    /// The rounds of a dissemination barrier, as the engine has them.
    fn notify(&mut self) -> io::Result<()> {
        self.flush()?;
        let number = self.barriers.len() as u64;
        let rounds = self.threads.next_power_of_two().trailing_zeros();
        let mut ready = self.after.clone();
        for round in 0..rounds {
            let step = 1 << round;
            let to = (self.me + step) % self.threads;
            let from = (self.me + self.threads - step) % self.threads;
            let tag = tag(number * ROUNDS + u64::from(round), ROUND);
            let overhead = self.network.send_overhead(BALLOT);
            let sends = match overhead {
                0 => ready.clone(),
                _ => vec![self.operation(format_args!("calc {overhead}"), &ready)?],
            };
            self.send(to, BALLOT, tag, &sends)?;
            let came = self.receive(from, BALLOT, tag, &self.after.clone())?;
            let received = self.then(self.network.receive_overhead(BALLOT), came)?;
            ready.push(received);
            if ready.len() > 1 && round + 1 < rounds {
                ready = vec![self.operation(format_args!("calc 0"), &ready)?];
            }
        }
        self.barriers.push(ready);
        Ok(())
    }

    /// Waits for the barriers up to this number of them.
    fn wait_for_barriers(&mut self, complete: usize) -> io::Result<()> {
        if complete > self.known {
            self.known = complete;
            if let Some(after) = self.barriers.get(complete - 1).cloned() {
                self.wait(after)?;
            }
        }
        Ok(())
    }

    fn perform(&mut self, what: Done) -> io::Result<()> {
        match what {
            Done::Blocking(transfer) => {
                let awaited = self.transfer(transfer)?;
                self.wait_for(awaited)
            }
            Done::Relaxed(transfer) => {
                let awaited = self.transfer(transfer)?;
                self.relaxed.push(awaited.after);
                Ok(())
            }
            Done::Begun(transfer, id) => {
                let awaited = self.transfer(transfer)?;
                self.begun.insert(id, awaited);
                Ok(())
            }
            Done::Await(id) => self.finish(id),
            Done::Settle if self.relaxed.is_empty() => Ok(()),
            Done::Settle => {
                let relaxed = std::mem::take(&mut self.relaxed);
                self.wait(relaxed)?;
                self.reception = self.network.receive_overhead(REQUEST);
                Ok(())
            }
            Done::Sent(m) => self.begin(m.to, m.bytes, tag(m.tag, MESSAGE)),
            Done::Notified(_) => {
                self.wait_for_barriers(self.barriers.len())?;
                self.notify()
            }
            Done::Accesses(_) | Done::Places(..) | Done::Worked(..) | Done::Noted(_) => Ok(()),
        }
    }

    /// Waits for a transfer that was begun.
    fn finish(&mut self, id: u64) -> io::Result<()> {
        self.begun.remove(&id).map_or(Ok(()), |awaited| self.wait_for(awaited))
    }

    fn turn(&mut self, turn: Segment, wait: Option<Wait>, replay: &mut Replay) -> io::Result<()> {
        for record in turn.records {
            self.work += record.work;
            self.perform(record.what)?;
        }
        self.work += turn.work;
        let stops = match wait {
            None => vec![turn.stop],
            Some(wait) => {
                let served = self.served.get(wait.messages).unwrap_or_default().to_vec();
                if !served.is_empty() {
                    self.wait(served)?;
                }
                self.wait_for_barriers(wait.barriers as usize)?;
                wait.stops[wait.over..].iter().map(|(stop, ..)| *stop).collect()
            }
        };
        for stop in stops {
            match stop {
                Stop::Order | Stop::Again => self.work += LOOK,
                Stop::Wait(time) | Stop::Sleep(time) => self.work += time,
                Stop::Clock => self.work += CLOCK,
                Stop::Test(id) => {
                    if replay.answer(self.me) == Some(true) {
                        self.finish(id)?;
                    }
                    self.work += LOOK;
                }
                Stop::Arrival(transfer) => {
                    let awaited = self.transfer(transfer)?;
                    self.wait_for(awaited)?;
                }
                Stop::Start | Stop::Full | Stop::Served | Stop::End => {}
            }
        }
        Ok(())
    }
}

/// Bytes of a transfer's way there and back.
fn ways(is_put: bool, bytes: u64) -> (u64, u64) {
    match is_put {
        true => (bytes, REQUEST),
        false => (REQUEST, bytes),
    }
}
