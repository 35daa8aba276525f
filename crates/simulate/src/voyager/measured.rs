//! What messages cost, as the StarT-Voyager study measures it (section 6): overheads, latency from end to end, both
//! overheads and one switch included, and the gap, which is the longest of both overheads and of what the endpoint and
//! the network need for a message. Sizes are in words of 4 bytes.

use super::code::{Mechanism, Step, Thread};
use super::{transmit_buffer, At, Voyager, APPLICATION, SLOT};
use fathom_machine::parts::memory_bus::{Operation, SRAM};
use fathom_machine::parts::nes::format::{Sent, Tag};
use fathom_machine::parts::nes::table::Entry;
use fathom_machine::{Description, Time};

/// A mechanism, and what software does around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    pub how: Mechanism,
    pub reclaims: bool,
    /// Whether other threads of the processor use the same queues.
    pub threads: bool,
}

/// Nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub send: f64,
    pub receive: f64,
    pub latency: f64,
}

/// The most words that a message carries.
pub const MOST: u64 = 20;

/// Messages before the one whose latency counts: so few that no pointer has to be read again for it.
const WARM: u64 = 1;
/// Between two messages everything is over.
const PAUSE: Time = 100_000_000;

impl Way {
    /// The least number of words for which there is such a message.
    pub fn least(self) -> u64 {
        match self.how {
            Mechanism::Express | Mechanism::Basic => 1,
            Mechanism::TagOn | Mechanism::TagOnInPlace => 2,
        }
    }

    fn queue(self, machine: &Voyager) -> u32 {
        match self.how {
            Mechanism::Basic => machine.figures.resident[0],
            _ => 0,
        }
    }
}

/// The machine on which the study measured the overheads of its Figures 4 to 7 (section 6): the endpoint was not built, so
/// its code ran on a machine of the same processor with two clocks in one of the bus, and hits in the second cache stood
/// for accesses to the endpoint's memory. Figure 8 is of the machine as designed, of 150 MHz.
///
/// # Errors
/// The description has a mistake.
pub fn as_measured(description: &Description) -> Result<Description, String> {
    if !description.of_code().switch("imitated")? {
        return Ok(description.clone());
    }
    description
        .with_value("processor.clock", "code.imitated_clocks / nes.beat")?
        .with_value("nes.read", "code.imitated_word")?
        .with_value("nes.fill", "code.imitated_line")
}

fn machine(description: &Description, way: Way) -> Result<(Voyager, u32), String> {
    let mut machine = Voyager::new(description, 2)?;
    machine.reclaims = way.reclaims;
    let queue = way.queue(&machine);
    let entry = Entry { site: 1, queue, source: 0 };
    machine.sites[0].nes.table.set(queue, 1, Some(entry));
    Ok((machine, queue))
}

fn ns(time: Time) -> f64 {
    time as f64 / 1000.0
}

/// The overheads and the latency of messages of so many words between two sites of one switch.
///
/// # Errors
/// The description has a mistake. This holds for all functions here.
pub fn times(description: &Description, way: Way, words: u64) -> Result<Times, String> {
    let (mut machine, queue) = machine(description, way)?;
    let [mut sender, mut receiver] = [0, 1].map(|site| Thread::new(site, 0, 0));
    let (mut send, mut receive) = (0, 0);
    // As many as the queue has places before those that count, and as many of these: a pointer that is read once for
    // each round of the queue counts as that.
    let rounds = machine.figures.depth;
    for round in 0..2 * rounds {
        let data: Vec<u32> = (0..words).map(|i| (100 * round + i) as u32).collect();
        let begin = PAUSE * (round + 1);
        (sender.now, sender.steps) = (begin, machine.to_send(way.how, way.threads, queue, 1, &data).into());
        sender.run(&mut machine)?;
        let arrived = machine.settle().max(sender.now);
        (receiver.now, receiver.steps) = (arrived, machine.to_receive(way.how, way.threads, queue, words).into());
        receiver.run(&mut machine)?;
        if round >= rounds {
            send += sender.now - begin;
            receive += receiver.now - arrived;
        }
    }
    let latency = latency(description, way, words)?;
    Ok(Times { send: ns(send) / rounds as f64, receive: ns(receive) / rounds as f64, latency })
}

/// From the begin of sending to the end of receiving, where the receiver begins when the first message is there.
fn latency(description: &Description, way: Way, words: u64) -> Result<f64, String> {
    // The first machine tells when that is.
    let mut first = None;
    for _ in 0..2 {
        let (mut machine, queue) = machine(description, way)?;
        let [mut sender, mut receiver] = [0, 1].map(|site| Thread::new(site, 0, 0));
        for round in 0..WARM {
            let data: Vec<u32> = (0..words).map(|i| (100 * round + i) as u32).collect();
            (sender.now, sender.steps) =
                (PAUSE * (round + 1), machine.to_send(way.how, way.threads, queue, 1, &data).into());
            sender.run(&mut machine)?;
            let arrived = machine.settle().max(sender.now);
            (receiver.now, receiver.steps) = (arrived, machine.to_receive(way.how, way.threads, queue, words).into());
            receiver.run(&mut machine)?;
        }
        let begin = PAUSE * (WARM + 1);
        machine.arrivals.clear();
        let data: Vec<u32> = (0..words).map(|i| i as u32).collect();
        (sender.now, sender.steps) = (begin, machine.to_send(way.how, way.threads, queue, 1, &data).into());
        match first {
            None => {
                sender.run(&mut machine)?;
                machine.settle();
                first = Some(machine.arrivals.first().ok_or("a message did not arrive")?.1);
            }
            Some(first) => {
                (receiver.now, receiver.steps) = (first, machine.to_receive(way.how, way.threads, queue, words).into());
                together(&mut machine, &mut [&mut sender, &mut receiver]);
                return Ok(ns(receiver.now - begin));
            }
        }
    }
    unreachable!("the second machine returns")
}

/// Threads take their steps in the order of time.
pub fn together(machine: &mut Voyager, threads: &mut [&mut Thread]) {
    while let Some(next) = threads.iter_mut().filter(|t| !t.steps.is_empty()).min_by_key(|t| t.now) {
        machine.step(next);
    }
}

/// Nanoseconds that the endpoints and the network need for a message, if processors needed none.
pub fn gap(description: &Description, way: Way, words: u64) -> Result<f64, String> {
    let (mut machine, queue) = machine(description, way)?;
    machine.sinks = true;
    let depth = machine.figures.depth;
    let mut now = 0;
    for slot in 0..depth {
        let at = transmit_buffer(queue) + SLOT * slot;
        for word in 0..words + 2 {
            // In the cache, if the endpoint fetches it from there.
            let value = if word == 0 { (words as u32).div_ceil(2) | 1 << 8 } else { word as u32 };
            now = machine.store_cached(now, 0, at + 4 * word, value);
        }
        if !way.reclaims || way.how == Mechanism::TagOnInPlace {
            (0..SLOT).step_by(32).for_each(|line| now = machine.flush(now, 0, at + line));
        }
    }
    now = machine.sync(now, 0) + PAUSE;
    machine.arrivals.clear();
    match way.how {
        Mechanism::Basic => machine.send_basic(now, 0, queue, depth),
        how => {
            for slot in 0..depth {
                let at = transmit_buffer(queue) + SLOT * slot;
                let is_long = 4 * (words - 1) > machine.figures.tag_bytes(false);
                let tag = Tag { place: ((at - SRAM) / 32) as u32, is_long };
                let tag = (how != Mechanism::Express).then_some(tag);
                machine.send(now, 0, Sent { queue, destination: 1, tag, bits: 0 }, 7);
            }
        }
    }
    machine.settle();
    let times: Vec<Time> = machine.arrivals.iter().map(|(_, time)| *time).collect();
    let half = times.len() / 2;
    match (times.get(half), times.last()) {
        (Some(from), Some(to)) if times.len() == depth as usize => {
            let each = if how_many(way, words) > 1 { how_many(way, words) } else { 1 };
            Ok(ns(to - from) / (times.len() - 1 - half) as f64 * each as f64)
        }
        _ => Err(format!("of {depth} messages {} arrived", times.len())),
    }
}

/// Express messages carry a word each.
fn how_many(way: Way, words: u64) -> u64 {
    if way.how == Mechanism::Express {
        words
    } else {
        1
    }
}

/// MB/s of messages of so many bytes, which have so many words: the study's size over its gap, which is that of endpoint
/// and network, or the longer overhead [as the study measured it](as_measured).
pub fn bandwidth(description: &Description, way: Way, words: u64, bytes: u64) -> Result<f64, String> {
    let Times { send, receive, .. } = times(&as_measured(description)?, way, words)?;
    let gap = gap(description, way, words)?.max(send).max(receive);
    Ok(bytes as f64 / gap * 1000.0)
}

/// MB/s of a block transfer of so many bytes, from the store that starts it to its last word in the other memory; and
/// whether what came is what was there, with words of it in the caches of both sides.
pub fn transfer(description: &Description, bytes: u64) -> Result<(f64, bool), String> {
    let mut machine = Voyager::new(description, 2)?;
    machine.sites[0].nes.table.set(0, 1, Some(Entry { site: 1, queue: 0, source: 0 }));
    let (from, to) = (1 << 20, 1 << 21);
    let mut now = 0;
    // A small part is changed in the sender's cache, and old in the receiver's.
    let cached = 1024.min(bytes);
    for at in (0..cached).step_by(4) {
        now = machine.store_cached(now, 0, from + at, at as u32 + 1);
        now = machine.load_cached(now, 1, to + at).1;
    }
    let begin = now + PAUSE;
    let mut start = begin;
    for (register, value) in [from, to | 1 << 48, bytes].into_iter().enumerate() {
        start = machine.store(start, 0, At::Transfer(register), value);
    }
    machine.settle();
    let end = machine.arrivals.iter().map(|(_, time)| *time).max().ok_or("no packet arrived")?;
    let mut is_right = true;
    now = end + PAUSE;
    for at in (0..cached).step_by(4) {
        let (value, after) = machine.load_cached(now, 1, to + at);
        is_right &= value == at as u32 + 1;
        now = after;
    }
    Ok((bytes as f64 / ns(end - begin) * 1000.0, is_right))
}

/// What the processor does on the bus to send one Tag-On message to so many destinations, whose data lie in the
/// endpoint's memory: stores past the caches, and everything else.
pub fn multicast(description: &Description, destinations: u32) -> Result<(u64, u64), String> {
    let mut machine = Voyager::new(description, destinations as usize + 1)?;
    let mut steps = vec![];
    for to in 1..=destinations {
        machine.sites[0].nes.table.set(0, to, Some(Entry { site: to, queue: 0, source: 0 }));
        let mut send = machine.to_send(Mechanism::TagOnInPlace, true, 0, to, &[to; 12]);
        if !machine.figures.one_access() {
            let half = Step::ExpressHalf { queue: 0, destination: to, payload: u64::from(to) };
            send.insert(send.len() - 1, half);
        }
        steps.extend(send);
    }
    let mut thread = Thread::new(0, 0, PAUSE);
    thread.steps = steps.into();
    thread.run(&mut machine)?;
    machine.settle();
    let bus = machine.sites[0].bus.borrow();
    let count = |operation| bus.count(APPLICATION, operation);
    let others = [Operation::Read, Operation::Write, Operation::ReadUncached, Operation::Push];
    let reached = machine.arrivals.len() as u32 == destinations;
    if !reached {
        return Err("a destination was not reached".into());
    }
    Ok((count(Operation::WriteUncached), others.map(count).iter().sum()))
}
