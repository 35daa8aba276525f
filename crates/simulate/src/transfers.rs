//! The basic transfers of the copy-transfer study as streams of accesses on simulated nodes, over blocks that no cache
//! holds.
//!
//! The programs are ours; the study prints none. Loops that copy are unrolled by [`UNROLLED`]: loads first, then stores.
//! Loops that send do so with each word that is loaded. An index is an integer of the machine. Indices are a random
//! permutation in pieces of [`PIECE`] words, as in a mesh whose neighbours have numbers close to theirs.

use fathom_machine::parts::deposit::Deposit;
use fathom_machine::processor::Issue;
use fathom_machine::{machine, Description, Machine, Node, Places, Server, Time};
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

    fn load(&mut self, now: Time, array: &Array, i: u64) -> Time {
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
        for i in first..first + UNROLLED {
            now = program.load(now, &source, i);
        }
        now = program.issue.drain(now);
        for i in first..first + UNROLLED {
            now = program.store(now, &target, i);
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
        now = program.load(now, &source, i);
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
    let port_rate = port_rate(description)?;
    let packet = if sent.has_addresses { 1 } else { 4 };
    let port_bytes = if sent.has_addresses { 2 * WORD } else { packet * WORD };
    let issue = if stages.port { (port_bytes as f64 / port_rate).round() as Time } else { 0 };
    let source = Array::new(SOURCE, sent.from, sent.index);
    let target = Array::new(TARGET, sent.to, sent.index);
    let mut engines = vec![Deposit::of(description)?; ways.len()];
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
                let then = if stages.loads { program.load(now, &source, i) } else { now };
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
                let issued = now + if stages.port { node.processor.store } else { 0 };
                let mut then = issued;
                if (i + 1) % packet == 0 {
                    let enters = sender.waiting.enter(issued);
                    let left = sender.port.take(enters, issue) + issue;
                    let bytes = packet * WORD;
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
                    let memory = machine.memory(to as usize).ok_or("the machine has no memory for others")?;
                    let bytes = (packet * WORD) as u32;
                    done = engines[way].write(&mut memory.clone(), now, target.at(i), bytes, ());
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

/// Bytes per picosecond from a processor to its port.
fn port_rate(description: &Description) -> Result<f64, String> {
    let name = description.engine("port").ok_or("the machine has no port")?;
    description.of_part(name).rate("rate")
}
