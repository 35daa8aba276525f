//! The basic transfers of the copy-transfer study as streams of accesses on simulated nodes, over blocks that no cache
//! holds.
//!
//! The programs are ours; the study prints none. Loops that copy are unrolled by [`UNROLLED`]: loads first, then
//! stores. Loops that send do so with each word that is loaded. An index is an integer of the machine. Indices are a
//! random permutation in pieces of [`PIECE`] words, as in a mesh whose neighbours have numbers close to theirs.

use fathom_machine::parts::bus::Master;
use fathom_machine::parts::deposit::Deposit;
use fathom_machine::parts::shell::Shared;
use fathom_machine::parts::Next;
use fathom_machine::processor::Issue;
use fathom_machine::{machine, Access, Description, Machine, Node, Places, Processor, Reply, Server, Serves, Time};
use fathom_model::copy_transfer::Pattern;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Words that are moved; those before [`WARM`] do not count.
const WORDS: u64 = 6144;
const WARM: u64 = 2048;
const UNROLLED: u64 = 8;
const PIECE: usize = 2048;
const WORD: u64 = 8;

/// Arrays start in different pages and banks, and not at the same place of a cache.
const SOURCE: u64 = 0;
const TARGET: u64 = (8 << 20) + (32 << 10);
const INDEX: u64 = (16 << 20) + (84 << 10);

/// An array as it is accessed.
struct Array {
    base: u64,
    pattern: Pattern,
    permuted: Vec<u64>,
    index_bytes: u64,
}

impl Array {
    fn new(base: u64, pattern: Pattern, index_bytes: u64) -> Self {
        let mut permuted: Vec<u64> = vec![];
        if pattern == Pattern::Indexed {
            permuted = (0..WORDS).collect();
            let mut random = fastrand::Rng::with_seed(11);
            permuted.chunks_mut(PIECE).for_each(|piece| random.shuffle(piece));
        }
        Array { base, pattern, permuted, index_bytes }
    }

    /// The address of a word.
    fn at(&self, i: u64) -> u64 {
        let place = match self.pattern {
            Pattern::Fixed => 0,
            Pattern::Contiguous => i,
            Pattern::Strided(n) => u64::from(n) * i,
            Pattern::Indexed => self.permuted[(i % WORDS) as usize],
        };
        self.base + WORD * place
    }

    /// The address of the index that has to be read before.
    fn index(&self, i: u64) -> Option<u64> {
        (self.pattern == Pattern::Indexed).then(|| INDEX + self.index_bytes * i)
    }
}

/// A node's program, which accesses its own memory.
struct Program<'a> {
    node: &'a mut Node<()>,
    issue: Issue,
}

impl Program<'_> {
    /// An index is loaded through the cache.
    fn index(&mut self, now: Time, at: Option<u64>) -> Time {
        match at {
            Some(at) => self.node.processor.load(&mut self.node.memory, now, at).free,
            None => now,
        }
    }

    fn load(&mut self, now: Time, array: &Array, i: u64) -> Reply<()> {
        let now = self.index(now, array.index(i));
        self.issue.load(&self.node.processor, &mut self.node.memory, now, array.at(i))
    }

    fn store(&mut self, now: Time, array: &Array, i: u64) -> Time {
        let now = self.index(now, array.index(i));
        self.node.processor.store(&mut self.node.memory, now, array.at(i), ())
    }
}

/// MB/s of this many words in this many picoseconds.
fn mb_s(words: u64, ps: Time) -> f64 {
    (words * WORD) as f64 / ps as f64 * 1e6
}

/// The bytes of an index: an integer of the machine.
pub type IndexBytes = u64;

/// `C`: a copy from memory to memory.
///
/// # Errors
/// The description has a mistake. This holds for all of these functions.
pub fn copy(description: &Description, from: Pattern, to: Pattern, index: IndexBytes) -> Result<f64, String> {
    let mut node = fathom_machine::node(description)?;
    let (source, target) = (Array::new(SOURCE, from, index), Array::new(TARGET, to, index));
    let mut program = Program { node: &mut node, issue: Issue::default() };
    let (mut now, mut began) = (0, 0);
    for first in (0..WORDS).step_by(UNROLLED as usize) {
        if first == WARM {
            began = now;
        }
        let mut ready = [0; UNROLLED as usize];
        for (i, ready) in (first..).zip(&mut ready) {
            let reply = program.load(now, &source, i);
            (now, *ready) = (reply.free, reply.done);
        }
        for (i, ready) in (first..).zip(ready) {
            now = program.store(now.max(ready), &target, i);
        }
    }
    Ok(mb_s(WORDS - WARM, now - began))
}

/// Loads alone, whose values nobody uses.
///
/// # Errors
/// As of [`copy`].
pub fn load(description: &Description, from: Pattern) -> Result<f64, String> {
    let mut node = fathom_machine::node(description)?;
    let source = Array::new(SOURCE, from, WORD);
    let mut program = Program { node: &mut node, issue: Issue::default() };
    let (mut now, mut began) = (0, 0);
    for i in 0..WORDS {
        if i == WARM {
            began = now;
        }
        now = program.load(now, &source, i).free;
    }
    Ok(mb_s(WORDS - WARM, now - began))
}

/// What is sent, and how.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    pub from: Pattern,
    pub to: Pattern,
    pub index: IndexBytes,
    /// Whether each word travels with its address. Without, they travel in packets.
    pub has_addresses: bool,
    /// What the address adds to a word in the network, if it is no part of the packet's header.
    pub address_bytes: u64,
}

/// The stages that take part: the others take no time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stages {
    pub loads: bool,
    pub port: bool,
    pub network: bool,
    pub deposit: bool,
}

impl Stages {
    pub const ALL: Stages = Stages { loads: true, port: true, network: true, deposit: true };
}

/// Stores that wait for the port: those of the write buffer.
const WAITING: usize = 4;
/// How many packets of a sender may be on the way: what buffers there are is finite.
const WINDOW: u32 = 8;

/// In the order of time, so that servers are asked in this order, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A packet, by the number of its first word, is there.
    Arrive(u64),
    /// The sender knows that a packet has arrived.
    Acknowledged,
    /// The sender goes on with this word.
    Load(u64),
    Send(u64),
}

/// MB/s of each way while all ways send: words go from a processor's memory to its port, over the network, and into the
/// memory of another processor.
///
/// # Errors
/// As of [`copy`].
pub fn send(description: &Description, ways: &[(u32, u32)], sent: Sent, stages: Stages) -> Result<f64, String> {
    let processors = ways.iter().map(|&(a, b)| a.max(b) + 1).max().unwrap_or(1);
    let mut machine: Machine<()> = machine(description, processors.max(2))?;
    let mut network = fathom_machine::network::build(description)?;
    let port = Port::of(description)?;
    let packet = if sent.has_addresses { 1 } else { 4 };
    let port_bytes = if sent.has_addresses { 2 * WORD } else { packet * WORD };
    let issue = if stages.port { port.takes(port_bytes) } else { 0 };
    let source = Array::new(SOURCE, sent.from, sent.index);
    let target = Array::new(TARGET, sent.to, sent.index);
    let mut receivers = vec![];
    for &(_, to) in ways {
        receivers.push(Receiver::of(description, &machine, to as usize, &port)?);
    }
    let mut senders: Vec<Sender> = ways.iter().map(|_| Sender::default()).collect();
    let mut received = vec![(0, 0); ways.len()];
    let mut events: BinaryHeap<_> = (0..ways.len()).map(|way| Reverse((0, way, Event::Load(0)))).collect();
    while let Some(Reverse((now, way, event))) = events.pop() {
        let (from, to) = ways[way];
        let sender = &mut senders[way];
        match event {
            Event::Load(i) => {
                let node = &mut machine.nodes[from as usize];
                let mut program = Program { node, issue: std::mem::take(&mut sender.issue) };
                let then = if stages.loads { program.load(now, &source, i).done } else { now };
                sender.issue = program.issue;
                events.push(Reverse((then, way, Event::Send(i))));
            }
            Event::Send(i) if sender.under_way == WINDOW => sender.waits = Some((now, i)),
            Event::Acknowledged => {
                sender.under_way -= 1;
                if let Some((could, i)) = sender.waits.take() {
                    events.push(Reverse((now.max(could), way, Event::Send(i))));
                }
            }
            Event::Send(i) => {
                let node = &mut machine.nodes[from as usize];
                let issued = if stages.port { port.write(node, now) } else { now };
                let mut then = issued;
                if (i + 1) % packet == 0 {
                    let enters = sender.waiting.enter(issued);
                    let left = sender.port.take(enters, issue) + issue;
                    let bytes = packet * WORD + if sent.has_addresses { sent.address_bytes } else { 0 };
                    let (leaves, arrives) = match stages.network {
                        true => {
                            let flight = network.carry(left, from, to, bytes);
                            // The port sends the next packet while the network takes this one.
                            (flight.sent.saturating_sub(issue).max(left), flight.tail)
                        }
                        false => (left, left),
                    };
                    sender.waiting.leave(leaves);
                    sender.under_way += 1;
                    events.push(Reverse((arrives, way, Event::Arrive(i + 1 - packet))));
                    then = enters;
                }
                if i + 1 < WORDS {
                    events.push(Reverse((then, way, Event::Load(i + 1))));
                }
            }
            Event::Arrive(i) => {
                let mut done = now;
                if stages.deposit {
                    done = receivers[way].write(&target, now, i, packet);
                }
                let told = if stages.network { network.carry(done, to, from, 0).tail } else { done };
                events.push(Reverse((told, way, Event::Acknowledged)));
                received[way].1 = received[way].1.max(done);
                if i + packet == WARM {
                    received[way].0 = done;
                }
            }
        }
    }
    // Until the last way ends: those that end earlier leave the links to the others.
    let (began, end) = received.iter().fold((0, 0), |(sum, last), &(began, end)| (sum + began, last.max(end)));
    Ok(mb_s(WORDS - WARM, end - began / ways.len() as Time))
}

struct Sender {
    issue: Issue,
    waiting: Places,
    port: Server,
    under_way: u32,
    /// Since when it waits to send this word.
    waits: Option<(Time, u64)>,
}

impl Default for Sender {
    fn default() -> Self {
        let (issue, port) = (Issue::default(), Server::default());
        Sender { issue, waiting: Places::new(WAITING), port, under_way: 0, waits: None }
    }
}

/// What is between a processor and the network.
#[derive(Clone, Copy, Debug, Default)]
struct Port {
    /// Bytes per picosecond, if the port has a limit of its own.
    rate: Option<f64>,
    /// What a word of its queues takes, over the bus.
    read: Time,
    write: Time,
}

impl Port {
    fn of(description: &Description) -> Result<Self, String> {
        let figures = description.of_part(description.engine("port").ok_or("the machine has no port")?);
        let rate = if figures.has("rate") { Some(figures.rate("rate")?) } else { None };
        let port = Port { rate, read: figures.time_or_zero("read")?, write: figures.time_or_zero("write")? };
        figures.finish()?;
        Ok(port)
    }

    fn takes(&self, bytes: u64) -> Time {
        self.rate.map_or(0, |rate| (bytes as f64 / rate).round() as Time)
    }

    /// A processor gives a word to the port: over the bus, or by a store.
    fn write(&self, node: &Node<()>, now: Time) -> Time {
        let issued = now + node.processor.store;
        match &node.bus {
            Some(bus) => Master::new(bus.clone(), 0).pass(issued) + self.write,
            None => issued,
        }
    }
}

/// What writes arriving words to memory.
enum Receiver {
    Engine(Deposit, Shared<()>),
    /// A second processor of the node: its memory, its bus, and the time from which it is idle.
    Processor {
        memory: Next<()>,
        own: Processor,
        bus: Master<()>,
        port: Port,
        idle: Time,
    },
}

impl Receiver {
    fn of(description: &Description, machine: &Machine<()>, to: usize, port: &Port) -> Result<Self, String> {
        let node = &machine.nodes[to];
        let Some(bus) = &node.bus else {
            let memory = machine.memory(to).ok_or("the machine has no memory that others reach")?;
            return Ok(Receiver::Engine(Deposit::of(description)?, memory));
        };
        let (memory, bus) = (node.beside(description, SECOND)?, Master::new(bus.clone(), SECOND));
        Ok(Receiver::Processor { memory, own: node.processor.clone(), bus, port: *port, idle: 0 })
    }

    /// Writes a packet; the time at which the next one can be written.
    fn write(&mut self, target: &Array, now: Time, i: u64, words: u64) -> Time {
        match self {
            Receiver::Engine(engine, memory) => engine.write(memory, now, target.at(i), (words * WORD) as u32, ()),
            Receiver::Processor { memory, own, bus, port, idle } => {
                for i in i..i + words {
                    let mut then = now.max(*idle);
                    if let Some(index) = target.index(i) {
                        then = own.load(memory, then, index).free;
                    }
                    then = bus.pass(then) + port.read;
                    *idle = own.store(memory, then, target.at(i), ());
                }
                *idle
            }
        }
    }
}

/// The second processor, and the DMA, among the masters of a bus.
const SECOND: usize = 1;
const DMA: usize = 2;

/// `F` and `D` by DMA: contiguous lines from memory to the network, or back. A processor restarts it at each page.
///
/// # Errors
/// As of [`copy`].
pub fn by_dma(description: &Description, is_deposit: bool) -> Result<f64, String> {
    let figures = description.of_part(description.engine("dma").ok_or("the machine has no DMA")?);
    let (line, page, kick) = (figures.bytes("line")?, figures.bytes("page")?, figures.time("kick")?);
    let under_way = figures.count("under_way")? as usize;
    figures.finish()?;
    let node = fathom_machine::node::<()>(description)?;
    let mut memory = Master::new(node.bus.clone().ok_or("the node has no bus")?, DMA);
    let mut lines = Places::new(under_way);
    let (mut now, mut began) = (0, 0);
    for at in (0..WORDS * WORD).step_by(line as usize) {
        if at % page == 0 {
            now = now.max(lines.empty_from()) + kick;
        }
        if at == WARM * WORD {
            began = now - kick;
        }
        now = lines.enter(now);
        let access = if is_deposit { Access::store(at, line as u32, ()) } else { Access::load(at, line as u32) };
        lines.leave(memory.access(now, &access).done);
    }
    Ok(mb_s(WORDS - WARM, now.max(lines.empty_from()) - began))
}
