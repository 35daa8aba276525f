//! What operations of a program cost on a machine.

use crate::program::near::Clustered;
use crate::program::pages;
use crate::program::queue::Outstanding;
use crate::program::stops::{Piece, Transfer};
use crate::split_c::{Bulk, Global, SplitC};
use fathom_machine::build::{machine, Machine, SHELL};
use fathom_machine::contention::Ports;
use fathom_machine::description::Serves;
pub(crate) use fathom_machine::network::REQUEST;
use fathom_machine::network::{self, Carries, Stream, Streamed};
use fathom_machine::parts::shell::Step;
use fathom_machine::{Description, Due, Nodes, Thread, Time};

/// The times of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The thread may go on, if it does not wait.
    pub free: Due,
    /// The data are read, or written, at the other thread.
    pub arrives: Due,
    /// The thread can know that the operation is complete.
    pub complete: Due,
}

/// How long the thread takes part in a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Until it is complete.
    Blocking,
    /// A put that [`Charges::settle`] waits for.
    Relaxed,
    /// [`Charges::finish`] waits for it.
    Begun,
}

/// A machine, as a program's operations meet it. Calls come nearly in the order of `now`: see
/// [`Carries`](fathom_machine::network::Carries).
pub trait Charges {
    /// A transfer that thread `me` begins. If it is blocking, `free` is the end of what it does itself.
    fn transfer(&mut self, now: Time, me: u32, what: &Transfer, how: How) -> Times;

    /// Thread `me` begins a put or get whose answer takes its turn at the network's ports beside what others send meanwhile:
    /// only its way to the other thread, with `arrives` the time at which it is there to be answered;
    /// [`answered`](Self::answered) says the rest then. None: there is no such answer, and [`transfer`](Self::transfer)
    /// says all.
    fn begins(&mut self, _now: Time, _me: u32, _what: &Transfer, _how: How) -> Option<Times> {
        None
    }

    /// A transfer of thread `me` that [`begins`](Self::begins) has begun is answered: when that is complete.
    fn answered(&mut self, now: Time, _me: u32, _what: &Transfer, _how: How) -> Due {
        Due::on_time(now)
    }

    /// Thread `me` begins an operation soon: what that needs, this computer's processor begins to read.
    fn expect(&self, _me: u32) {}

    /// The same a little later, when that has been read: the operation is with this thread.
    fn expect_with(&self, _me: u32, _with: u32) {}

    /// The most bytes of a transfer that are begun at one time.
    fn piece(&self, _what: &Transfer, _how: How) -> u64 {
        u64::MAX
    }

    /// Waits until relaxed puts, which are complete at `complete`, are known to be: the time after it, which may be
    /// before `now`.
    fn settle(&mut self, _now: Time, _me: u32, complete: Due) -> Due {
        complete
    }

    /// Waits for a transfer that was begun: the time after it, as of `settle`.
    fn finish(&mut self, _now: Time, _me: u32, what: &Outstanding) -> Due {
        what.complete
    }

    /// Who answers puts and gets, where journals do not say it. If the other thread's processor does, the engine performs
    /// them by [`message`](Self::message), [`answer`](Self::answer) and [`receive`](Self::receive) instead of
    /// [`transfer`](Self::transfer).
    fn serves(&self) -> Serves {
        Serves::Network
    }

    /// By how much a thread that has waited goes on late, in the mean: other programs, or the system, have its processor.
    fn lateness(&self) -> Time {
        0
    }

    /// The answer of thread `from` to a request of thread `to`: a message that is counted among those of `to`.
    fn answer(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Times {
        self.message(now, from, to, bytes)
    }

    /// A message; [`Times::complete`] has no meaning.
    fn message(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Times;

    /// Thread `me` takes a message of thread `from`: the time after it.
    fn receive(&mut self, now: Time, me: u32, from: u32, bytes: u64) -> Time;

    /// A look at messages that finds none: the time after it.
    fn poll(&mut self, now: Time, me: u32) -> Time;

    /// What each such look takes; None: that depends on what has happened before.
    fn look(&self) -> Option<Time> {
        None
    }

    /// Gets ready for accesses of the threads to their own memory.
    ///
    /// # Errors
    /// What the machine lacks.
    fn prepare_memory(&mut self, description: &Description, threads: u32) -> Result<(), String>;

    /// An access of thread `me` to a word of its own memory: the time after it.
    fn access(&mut self, now: Time, me: u32, at: u64, is_write: bool) -> Time;

    /// Has an operation of thread `me` noted, from now on: [`Charges::journal`] gives what its time consists of, as
    /// far as the machine has processors that say so.
    fn begin_journal(&mut self, _me: u32) {}

    fn journal(&mut self, _me: u32) -> Option<Vec<Step>> {
        None
    }

    /// What the time of a message consists of from the beginning of its sending to its arrival, on an idle network;
    /// nothing if the processors' journals say it.
    fn message_steps(&self, _from: u32, _to: u32, _bytes: u64) -> Vec<(String, Time)> {
        vec![]
    }

    /// What the time of a transfer between threads on one node consists of, on an idle node; None: they are not on one.
    fn steps_within_node(&self, _me: u32, _what: &Transfer) -> Option<Vec<(String, Time)>> {
        None
    }

    /// Which of this number of threads are on one node: at a barrier they meet there, and one speaks for all with other
    /// nodes'.
    fn nodes(&self, threads: u32) -> Nodes {
        Nodes::single(threads)
    }

    /// From when the last of this number of threads of one node has come to a barrier until one knows that all have;
    /// and from when that one knows something until all do.
    fn meeting(&self, _threads: u32) -> Time {
        0
    }

    /// Announces to a barrier in hardware that `me` has come: the time after it. None: there is no such barrier.
    fn announce(&mut self, _now: Time, _me: u32) -> Option<Time> {
        None
    }

    /// When `me` leaves the barrier in hardware, if all have come.
    fn leave(&mut self, _me: u32) -> Option<Time> {
        None
    }
}

/// Threads one to a node of a network: a put is a message and its acknowledgement, a get a request and the data. Who
/// answers stands in the machine file ([`Serves`]).
///
/// Where the network has a [`Stream`](fathom_machine::network::Stream) of puts, gets or relaxed puts, those that are begun
/// and waited for later follow each other at its gap, which was measured with all that such a transfer takes at both ends.
/// What goes the other way, acknowledgements and requests, is then together, too. If the stream has `back`, it holds its
/// ports for so long. Without `back` it is in nobody's way: it takes its time, and no port's.
///
/// If any stream has `back`, every answer asks for its port only when it sets out
/// ([`Carries::answers_take_turns`](fathom_machine::network::Carries::answers_take_turns)), those to blocking transfers
/// as well. A port that is reserved in advance would be idle between the requests that it has to send meanwhile; and a
/// thread that is a little later than its neighbour would wait for the acknowledgement of the neighbour's put, where in
/// truth the acknowledgement waits for what the thread has sent.
pub(crate) struct OneSided {
    network: Box<dyn Carries>,
    serves: Serves,
    late: Time,
    /// By thread: what answers beside it.
    answers: Ports,
    memory: Option<Memory>,
}

impl OneSided {
    pub(crate) fn new(network: Box<dyn Carries>, serves: Serves) -> Self {
        OneSided { answers: Ports::new(network.nodes() as usize), network, serves, late: 0, memory: None }
    }

    /// The mean of [`Charges::lateness`].
    pub(crate) fn with_lateness(self, late: Time) -> Self {
        OneSided { late, ..self }
    }
}

impl OneSided {
    /// The stream of which the transfer is one.
    fn stream(&self, what: &Transfer, how: How) -> Option<(Streamed, Stream)> {
        let of = match (how, what.is_put) {
            (How::Blocking, _) => return None,
            (How::Begun, false) => Streamed::Get,
            (How::Begun, true) => Streamed::Put,
            (How::Relaxed, _) => Streamed::Relaxed,
        };
        self.network.stream(of).map(|stream| (of, stream))
    }

    /// A put or get that is under way with others.
    fn streamed(&mut self, now: Time, me: u32, what: &Transfer, (of, stream): (Streamed, Stream)) -> Times {
        let serve = self.serve();
        let network = &mut self.network;
        let free = now + stream.overhead;
        let (arrives, complete) = match what.is_put {
            true => {
                let arrives = network.carry_streamed(free, me, what.with, what.bytes, of).arrival();
                (arrives, arrives.after(serve + network.time_alone(REQUEST)))
            }
            false => {
                let asked = Due::on_time(free + network.time_alone(REQUEST));
                (asked, network.carry_streamed(asked.at + serve, what.with, me, what.bytes, of).arrival())
            }
        };
        let back = if what.is_put { REQUEST } else { what.bytes };
        Times { free: Due::on_time(free), arrives, complete: complete.after(network.receive_overhead(back)) }
    }

    /// When a request has been served that is at thread `with` then: one after the other.
    fn served(&mut self, arrives: Due, with: u32) -> Due {
        let Serves::Beside(serve) = self.serves else { return arrives };
        let begin = self.answers.take(with, arrives.at, serve);
        Due { at: begin + serve, late: arrives.late + (begin - arrives.at) }
    }

    fn serve(&self) -> Time {
        if let Serves::Beside(serve) = self.serves {
            serve
        } else {
            0
        }
    }
}

/// The processors' own memories, where accesses are simulated.
struct Memory {
    machine: Machine<()>,
    bytes: u64,
}

impl Memory {
    fn access(&mut self, now: Time, me: u32, at: u64, is_write: bool) -> Time {
        let mut t = Thread { me: me as usize, now };
        let at = at % self.bytes;
        match is_write {
            true => self.machine.store(&mut t, at, ()),
            false => self.machine.load(&mut t, at),
        }
        t.now
    }
}

/// What the processor does that begins a message, and the one that takes it.
pub(crate) const SENDS: &str = "the processor sends";
pub(crate) const RECEIVES: &str = "the processor receives";
/// The time of a look at memory or a device: it keeps time from standing still.
pub(crate) const LOOK: Time = 100_000;

impl Charges for OneSided {
    fn serves(&self) -> Serves {
        self.serves
    }

    fn lateness(&self) -> Time {
        self.late
    }

    fn begins(&mut self, now: Time, me: u32, what: &Transfer, how: How) -> Option<Times> {
        if !self.network.answers_take_turns() {
            return None;
        }
        let stream = self.stream(what, how);
        if stream.is_some_and(|(_, stream)| stream.back == 0) {
            return None;
        }
        let there = if what.is_put { what.bytes } else { REQUEST };
        let free = now + stream.map_or(self.network.send_overhead(there), |(_, stream)| stream.overhead);
        let flight = match (stream, what.is_put) {
            (None, _) => self.network.carry(free, me, what.with, there),
            (Some((of, _)), true) => self.network.carry_streamed(free, me, what.with, there, of),
            (Some((of, _)), false) => self.network.carry_against(free, me, what.with, of),
        };
        let arrives = flight.arrival();
        Some(Times { free: Due::on_time(free), arrives, complete: arrives })
    }

    fn answered(&mut self, now: Time, me: u32, what: &Transfer, how: How) -> Due {
        let bytes = if what.is_put { REQUEST } else { what.bytes };
        let (waited, back) = match (self.stream(what, how), what.is_put) {
            (None, _) => {
                let served = self.served(Due::on_time(now), what.with);
                (served.late, self.network.carry_back(served.at, what.with, me, bytes))
            }
            (Some((of, _)), true) => (0, self.network.carry_against(now + self.serve(), what.with, me, of)),
            (Some((of, _)), false) => (0, self.network.carry_streamed(now + self.serve(), what.with, me, bytes, of)),
        };
        let back = back.arrival().after(self.network.receive_overhead(bytes));
        Due { late: back.late + waited, ..back }
    }

    fn answer(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Times {
        let free = now + self.network.send_overhead(bytes);
        let arrives = self.network.carry_back(free, from, to, bytes).arrival();
        Times { free: Due::on_time(free), arrives, complete: arrives }
    }

    fn transfer(&mut self, now: Time, me: u32, what: &Transfer, how: How) -> Times {
        if let Some(stream) = self.stream(what, how) {
            return self.streamed(now, me, what, stream);
        }
        let (there, back) = if what.is_put { (what.bytes, REQUEST) } else { (REQUEST, what.bytes) };
        let free = now + self.network.send_overhead(there);
        let arrives = self.network.carry(free, me, what.with, there).arrival();
        let served = self.served(arrives, what.with);
        let back_at = self.network.carry_back(served.at, what.with, me, back).arrival();
        let complete = Due { late: served.late + back_at.late, ..back_at.after(self.network.receive_overhead(back)) };
        Times { free: Due::on_time(free), arrives, complete }
    }

    fn message(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Times {
        let free = now + self.network.send_overhead(bytes);
        let arrives = self.network.carry(free, from, to, bytes).arrival();
        Times { free: Due::on_time(free), arrives, complete: arrives }
    }

    fn receive(&mut self, now: Time, _: u32, _: u32, bytes: u64) -> Time {
        now + self.network.receive_overhead(bytes)
    }

    fn poll(&mut self, now: Time, _: u32) -> Time {
        now + LOOK
    }

    fn look(&self) -> Option<Time> {
        Some(LOOK)
    }

    fn message_steps(&self, from: u32, to: u32, bytes: u64) -> Vec<(String, Time)> {
        let mut steps = vec![(SENDS.to_string(), self.network.send_overhead(bytes))];
        steps.extend(self.network.steps(from, to, bytes));
        steps
    }

    fn prepare_memory(&mut self, description: &Description, threads: u32) -> Result<(), String> {
        description.check_node()?;
        let bytes = description.memory_bytes()?;
        self.memory = Some(Memory { machine: machine(description, threads)?, bytes });
        Ok(())
    }

    fn access(&mut self, now: Time, me: u32, at: u64, is_write: bool) -> Time {
        self.memory.as_mut().map_or(now, |memory| memory.access(now, me, at, is_write))
    }
}

/// The T3D: operations are the sequences of Split-C's compiler and library ([`SplitC`]).
struct Shells {
    split: SplitC<()>,
    /// By thread: it has stored since it last waited for its stores.
    has_stored: Vec<bool>,
    operations: u64,
}

/// From this size on a block is read by the engine; and, where it need not be waited for, from these (T3D study, section
/// 6.3).
const BY_ENGINE: u64 = 16 << 10;
const GET_BY_ENGINE: u64 = 7900;
const PUT_BY_ENGINE: u64 = 16_900;
const WORD: u64 = 8;
/// Bytes that are stored, or fetched, before another processor has its turn.
const PIECE: u64 = 64;
const PIECE_OF_GET: u64 = 256;
/// The part of a segment's offset that is an address of the node's memory.
const OFFSETS: u64 = (1 << 26) - 1;

impl Shells {
    fn thread(&mut self, now: Time, me: u32) -> Thread {
        // What has been driven out of caches is remembered until then.
        self.operations += 1;
        if self.operations.is_multiple_of(1 << 14) {
            self.split.machine.settle(now);
        }
        if let Some(shell) = &self.split.machine.nodes[me as usize].shell {
            shell.borrow_mut().begin_operation();
        }
        Thread { me: me as usize, now }
    }

    /// The end of an operation that [`thread`](Self::thread) began.
    fn end(&self, t: &Thread) -> Due {
        let shell = self.split.machine.nodes[t.me].shell.as_ref();
        Due { at: t.now, late: shell.map_or(0, |shell| shell.borrow().late()) }
    }
}

impl Shells {
    /// One wait serves all stores before it.
    fn wait_for_puts(&mut self, t: &mut Thread) {
        if std::mem::take(&mut self.has_stored[t.me]) {
            self.split.wait_for_puts(t);
        }
    }
}

impl Charges for Shells {
    fn expect(&self, me: u32) {
        self.split.expect(me as usize);
    }

    fn expect_with(&self, me: u32, with: u32) {
        self.split.expect_with(me as usize, with);
    }

    fn piece(&self, what: &Transfer, how: How) -> u64 {
        match (what.is_put, how) {
            (true, How::Begun | How::Relaxed) if what.bytes >= PUT_BY_ENGINE && !what.piece.is_rest => u64::MAX,
            (true, _) => PIECE,
            (false, How::Blocking) if what.bytes >= BY_ENGINE && !what.piece.is_rest => u64::MAX,
            (false, How::Begun | How::Relaxed) if what.bytes >= GET_BY_ENGINE && !what.piece.is_rest => u64::MAX,
            (false, _) => PIECE_OF_GET,
        }
    }

    fn transfer(&mut self, now: Time, me: u32, what: &Transfer, how: How) -> Times {
        let mut t = self.thread(now, me);
        let there = Global::new(what.with, what.offset & OFFSETS & !(WORD - 1));
        let bytes = what.bytes.next_multiple_of(WORD);
        let here = there.at();
        let is_word = bytes == WORD && what.piece == Piece::default();
        self.has_stored[t.me] |= what.is_put && how != How::Blocking;
        let split = &mut self.split;
        match (what.is_put, how) {
            (false, How::Blocking) if is_word => split.read(&mut t, there),
            (false, How::Blocking) => {
                let by = if bytes < BY_ENGINE { Bulk::Prefetch } else { Bulk::Engine };
                split.bulk_read(&mut t, by, here, there, bytes, Time::MAX);
            }
            (false, _) if is_word => split.get(&mut t, here, there),
            (false, _) if bytes < GET_BY_ENGINE => {
                split.take_gets(&mut t);
                split.bulk_read(&mut t, Bulk::Prefetch, here, there, bytes, Time::MAX);
            }
            (true, How::Blocking) if is_word => split.write(&mut t, there, ()),
            (true, _) if is_word => split.put(&mut t, there, ()),
            (true, _) if bytes < PUT_BY_ENGINE || how == How::Blocking => {
                match what.piece.is_rest {
                    false => split.bulk_put(&mut t, there, here, bytes),
                    true => split.bulk_put_more(&mut t, there, here, bytes),
                }
                if how == How::Blocking && !what.piece.has_more {
                    split.wait_for_puts(&mut t);
                }
            }
            _ => _ = split.begin_engine(&mut t, there, what.is_put, bytes),
        }
        let complete = self.end(&t);
        let arrives = Due::on_time(now + (t.now - now) / 2);
        match how {
            How::Blocking => Times { free: Due::on_time(now), arrives, complete },
            _ => Times { free: complete, arrives, complete },
        }
    }

    fn settle(&mut self, now: Time, me: u32, _: Due) -> Due {
        let mut t = self.thread(now, me);
        self.wait_for_puts(&mut t);
        self.end(&t)
    }

    fn finish(&mut self, now: Time, me: u32, what: &Outstanding) -> Due {
        let mut t = self.thread(now, me);
        let by_engine = if what.is_put { PUT_BY_ENGINE } else { GET_BY_ENGINE };
        match what.is_put {
            _ if what.bytes >= by_engine => self.split.wait_for_engine(&mut t),
            true => self.wait_for_puts(&mut t),
            false => self.split.take_gets(&mut t),
        }
        self.end(&t)
    }

    fn message(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Times {
        let mut t = self.thread(now, from);
        self.split.deposit(&mut t, to, bytes);
        let end = self.end(&t);
        Times { free: end, arrives: Due::on_time(t.now), complete: end }
    }

    fn receive(&mut self, now: Time, me: u32, _: u32, _: u64) -> Time {
        let mut t = self.thread(now, me);
        self.split.dispatch(&mut t);
        t.now
    }

    fn poll(&mut self, now: Time, me: u32) -> Time {
        let mut t = self.thread(now, me);
        self.split.look(&mut t);
        t.now
    }

    fn begin_journal(&mut self, me: u32) {
        if let Some(shell) = &self.split.machine.nodes[me as usize].shell {
            shell.borrow_mut().journal = Some(vec![]);
        }
    }

    fn journal(&mut self, me: u32) -> Option<Vec<Step>> {
        self.split.machine.nodes[me as usize].shell.as_ref()?.borrow_mut().journal.take()
    }

    fn prepare_memory(&mut self, _: &Description, _: u32) -> Result<(), String> {
        Ok(())
    }

    fn access(&mut self, now: Time, me: u32, at: u64, is_write: bool) -> Time {
        let mut t = self.thread(now, me);
        let at = at & OFFSETS;
        match is_write {
            true => self.split.machine.store(&mut t, at, ()),
            false => self.split.machine.load(&mut t, at),
        }
        t.now
    }

    fn announce(&mut self, now: Time, me: u32) -> Option<Time> {
        self.split.machine.devices.barrier.as_mut().map(|b| b.announce(now, me as usize))
    }

    fn leave(&mut self, me: u32) -> Option<Time> {
        let barrier = self.split.machine.devices.barrier.as_mut()?;
        let over = barrier.over_from(me as usize)?;
        Some(barrier.end(over, me as usize))
    }
}

/// The machine that is described, with this number of threads.
///
/// # Errors
/// A sentence that says what the machine lacks.
pub fn charges(description: &Description, threads: u32) -> Result<Box<dyn Charges>, String> {
    pages::prefer_large(threads);
    let serves = description.serves()?;
    let cannot_serve = |why: &str| Err(format!("`network.serve` has no meaning with {why}: leave the figure out"));
    if description.parts.values().any(|part| part.kind == SHELL) {
        if serves != Serves::Network {
            return cannot_serve("a shell, which answers puts and gets itself");
        }
        if description.lateness()? > 0 {
            return Err("`network.late` has no meaning with a shell: leave the figure out".into());
        }
        return Ok(Box::new(Shells {
            split: SplitC::new(description, threads)?,
            has_stored: vec![false; threads as usize],
            operations: 0,
        }));
    }
    let nodes = description.nodes(threads);
    let is_one_node = description.network.is_none() && !description.near.is_empty();
    if nodes.per_node() > 1 || is_one_node {
        if serves == Serves::Processor {
            return cannot_serve(
                "several threads on a node if it is true, since then each processor answers for its own",
            );
        }
        return Ok(Box::new(Clustered::new(description, nodes)?));
    }
    let network = network::build(description)?;
    if network.nodes() < threads {
        return Err(format!("it has {} nodes, one for a thread, and {threads} are asked for", network.nodes()));
    }
    Ok(Box::new(OneSided::new(network, serves).with_lateness(description.lateness()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(more: &str) -> Box<dyn Charges> {
        let figure = |name: &str, value: &str| format!("{name} = {{ value = \"{value}\", other = \"a test\" }}\n");
        let figures: String = [("L", "100 ns"), ("o_send", "3 ns"), ("o_recv", "5 ns"), ("G", "1 ns / 1 B")]
            .map(|(name, value)| figure(name, value))
            .concat();
        let text = format!(
            "name = \"a test's\"\n[simulated]\nabout = \"a test's\"\n[simulated.network]\nkind = \"loggp\"\n\
             ports = {{ value = 4, other = \"a test\" }}\n{figures}{more}"
        );
        charges(&Description::of_file(&text).unwrap().unwrap(), 4).unwrap()
    }

    fn get(with: u32) -> Transfer {
        Transfer { is_put: false, with, bytes: 101, offset: 0, piece: Piece::default() }
    }

    #[test]
    fn a_processor_that_answers_does_so_one_request_after_the_other() {
        const SERVE: &str = "serve = { value = \"40 ns\", other = \"a test\" }\n";
        // There with 8 bytes, back with 101.
        let by_hardware = 3 + (100 + 7) + (100 + 100) + 5;
        let mut idle = network("");
        assert_eq!(idle.transfer(0, 0, &get(1), How::Blocking).complete.at, by_hardware * 1000);
        let mut serving = network(SERVE);
        let first = serving.transfer(0, 0, &get(3), How::Blocking);
        assert_eq!(first.complete.at, (by_hardware + 40) * 1000);
        // Behind the first request's 7 ns at the port the second one waits for the rest of the first answer; its data then
        // follow the first ones, for 100 ns, out of the same port.
        let second = serving.transfer(0, 1, &get(3), How::Blocking);
        assert_eq!(second.complete.at, (by_hardware + 40 + 100) * 1000);
        // Another processor answers at once.
        let other = serving.transfer(0, 2, &get(1), How::Blocking);
        assert_eq!(other.complete.at, (by_hardware + 40) * 1000);
    }

    #[test]
    fn puts_under_way_together_follow_each_other_at_their_own_gap() {
        const STREAM: &str = "o_put = { value = \"1 ns\", other = \"a test\" }\n\
                              g_put = { value = \"20 ns\", other = \"a test\" }\n";
        let put = Transfer { is_put: true, with: 1, bytes: 101, offset: 0, piece: Piece::default() };
        let times = |network: &mut Box<dyn Charges>, how| {
            let mut now = 0;
            let mut next = || {
                let times = network.transfer(now, 0, &put, how);
                now = times.free.at;
                (times.free.at / 1000, times.complete.at / 1000)
            };
            [next(), next(), next()]
        };
        // 1 ns each for the processor; 100 ns of bytes and a gap of 20 at the port; there, back with 8 bytes, and
        // received.
        let alone = 1 + (100 + 100) + (100 + 7) + 5;
        let of = |k: u64| (k + 1, alone + k * 120);
        assert_eq!(times(&mut network(STREAM), How::Begun), [of(0), of(1), of(2)]);
        // Those that are waited for at once are messages: their overhead is 3 ns.
        let blocking = times(&mut network(STREAM), How::Blocking);
        assert_eq!(blocking[0], (3, alone + 2));
        assert_eq!(blocking, times(&mut network(""), How::Blocking));
        // Answers do not keep the other thread's own puts waiting.
        let mut both = network(STREAM);
        let there = both.transfer(0, 0, &put, How::Begun);
        let back = both.transfer(there.arrives.at, 1, &Transfer { with: 0, ..put }, How::Begun);
        assert_eq!(back.complete.at - there.arrives.at, alone * 1000);
    }

    #[test]
    fn relaxed_puts_follow_each_other_at_their_own_gap() {
        const STREAM: &str = "o_relaxed = { value = \"1 ns\", other = \"a test\" }\n\
                              g_relaxed = { value = \"70 ns\", other = \"a test\" }\n\
                              o_put = { value = \"2 ns\", other = \"a test\" }\n\
                              g_put = { value = \"20 ns\", other = \"a test\" }\n";
        let put = Transfer { is_put: true, with: 1, bytes: 8, offset: 0, piece: Piece::default() };
        let complete = |how| {
            let mut machine = network(STREAM);
            [0, 1, 2].map(|now| machine.transfer(now * 1000, 0, &put, how).complete.at / 1000)
        };
        // 7 ns of bytes and the gap; there, back with 8 bytes, and received.
        let alone = (100 + 7) + (100 + 7) + 5;
        assert_eq!(complete(How::Relaxed), [0, 1, 2].map(|k| 1 + alone + k * 77));
        assert_eq!(complete(How::Begun), [0, 1, 2].map(|k| 2 + alone + k * 27));
        assert_eq!(complete(How::Blocking), [0, 1, 2].map(|k| 3 + alone + k * 7), "a message's gap is 0");
    }

    #[test]
    fn gets_under_way_together_take_the_port_of_their_data_alone() {
        const STREAM: &str = "o_get = { value = \"2 ns\", other = \"a test\" }\n\
                              g_get = { value = \"30 ns\", other = \"a test\" }\n";
        let mut machine = network(STREAM);
        let alone = 2 + (100 + 7) + (100 + 100) + 5;
        let mut now = 0;
        for k in 0..3 {
            let times = machine.transfer(now, 0, &get(1), How::Begun);
            // The next request is 2 ns later, the next data 100 ns of bytes and a gap.
            assert_eq!(times.complete.at / 1000, alone + k * 130);
            now = times.free.at;
        }
    }

    #[test]
    fn a_stream_needs_both_its_figures() {
        let text = "name = \"it\"\n[simulated]\nabout = \"it\"\n[simulated.network]\nkind = \"loggp\"\n\
                    ports = { value = 4, other = \"a test\" }\nL = { value = \"1 ns\", other = \"a test\" }\n\
                    g_put = { value = \"1 ns\", other = \"a test\" }\n";
        let why = charges(&Description::of_file(text).unwrap().unwrap(), 4).err().unwrap();
        assert!(why.contains("`network.o_put` and `network.g_put` come together"), "{why}");
    }
}
