//! A simulated machine behind the interface through which the probes measure.

use crate::{conflicts, kernels, queues, walk};
use fathom_machine::access::Serves;
use fathom_machine::{node, Description, Node};
use fathom_probe::{Clock, Fact, Failure, Kernel, Runner, Samples, Stimulus};
use fathom_profile::Reason;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A simulated machine under the probes.
///
/// Each stimulus meets the machine in its first state, as if nothing had run before it; so its samples do not depend
/// on the order of measurement.
pub struct Simulated {
    description: Description,
    /// The bytes of memory of one processor.
    memory_bytes: u64,
    began: Instant,
    spent: Duration,
}

/// A memory that is measured with the time at which it is.
pub struct At {
    pub node: Node<()>,
    /// Picoseconds.
    pub now: u64,
}

impl At {
    /// A load of which nothing depends.
    pub fn load(&mut self, address: u64) {
        self.now = self.node.processor.load(&mut self.node.memory, self.now, address).free;
    }

    /// A load whose value the next operation needs.
    pub fn dependent_load(&mut self, address: u64) {
        self.now = self.node.processor.load(&mut self.node.memory, self.now, address).done;
    }

    /// Drops the line of an address from all caches.
    pub fn flush(&mut self, address: u64) {
        self.node.memory.forget(address);
    }

    pub fn store(&mut self, address: u64) {
        self.now = self.node.processor.store(&mut self.node.memory, self.now, address, ());
    }
}

impl Simulated {
    /// # Errors
    /// The description does not describe a node.
    pub fn new(description: Description) -> Result<Self, String> {
        node::<()>(&description)?;
        let memory_bytes = description.memory_bytes()?;
        Ok(Simulated { description, memory_bytes, began: Instant::now(), spent: Duration::ZERO })
    }

    /// The bytes of memory of one processor.
    pub fn memory_bytes(&self) -> u64 {
        self.memory_bytes
    }

    fn fresh(&self) -> Result<At, Failure> {
        node(&self.description).map(|node| At { node, now: 0 }).map_err(Failure::Broken)
    }

    /// The samples of a stimulus, and the machine's time in picoseconds.
    fn perform(&self, stimulus: &Stimulus, repetitions: usize) -> Result<(Samples, u64), Failure> {
        let number = |name, other| stimulus.number(name).unwrap_or(other);
        let bytes = number("bytes", 0);
        if number("skip", 0) + bytes > self.memory_bytes {
            let why = format!("this machine has {} bytes of memory for a processor", self.memory_bytes);
            return Err(Failure::Impossible(Reason::Memory, why));
        }
        if stimulus.chosen("pages") == Some("huge") {
            return Err(Failure::Impossible(Reason::Memory, "this machine has pages of one size".into()));
        }
        let mut at = self.fresh()?;
        let cycle_ns = at.node.processor.cycle as f64 / 1000.0;
        let one = |ns: f64, facts: &[(Fact, f64)]| Samples {
            ns: vec![ns],
            facts: facts.iter().copied().collect::<BTreeMap<Fact, f64>>(),
            ..Samples::default()
        };
        let samples = match stimulus.kernel() {
            Kernel::Clock => one(cycle_ns, &[(Fact::Resolution, cycle_ns)]),
            Kernel::Frequency => one(cycle_ns, &[]),
            Kernel::MemorySystem => one(0.0, &self.system()),
            Kernel::Room => one(0.0, &[(Fact::AvailableBytes, self.memory_bytes as f64)]),
            Kernel::Chase => one(chase(&mut at, stimulus), &[]),
            Kernel::Strides => strides(&mut at, stimulus)?,
            Kernel::Stream => stream(&mut at, stimulus)?,
            Kernel::Moments => kernels::moments(&mut at, stimulus),
            Kernel::Stores => one(kernels::stores(&mut at, stimulus)?, &[]),
            Kernel::Turns => one(kernels::turns(&mut at, stimulus)?, &[]),
            Kernel::Visits => one(kernels::visits(&mut at, stimulus)?, &[]),
            Kernel::Rows => kernels::rows(&mut at, stimulus, repetitions)?,
            Kernel::Conflicts => conflicts::groups(&mut at, stimulus, repetitions)?,
            Kernel::Queue => queues::message(&self.description, stimulus)?,
            other => {
                let why = format!("simulated machines do not perform `{other}` yet");
                return Err(Failure::Impossible(Reason::Operation, why));
            }
        };
        Ok((samples, at.now))
    }

    fn system(&self) -> Vec<(Fact, f64)> {
        let mut facts = vec![(Fact::FreeBytes, self.memory_bytes as f64)];
        let translation = self.description.parts.iter().find(|(_, part)| part.kind == "translation");
        if let Some(page) = translation.and_then(|(name, _)| self.description.of_part(name).page().ok()) {
            facts.push((Fact::PageBytes, page as f64));
        }
        facts
    }
}

impl Runner for Simulated {
    fn threads(&self) -> usize {
        1
    }

    fn clock(&self) -> Clock {
        Clock::Virtual(self.began + self.spent)
    }

    fn run(&mut self, stimulus: &Stimulus, repetitions: usize, _: Duration) -> Result<Samples, Failure> {
        let (mut samples, ps) = self.perform(stimulus, repetitions.max(1))?;
        self.spent += Duration::from_nanos(ps / 1000);
        // Groups of lines are found one by one; everything else is the same each time.
        if samples.ns.len() == 1 && stimulus.kernel() != Kernel::Conflicts {
            samples.ns = vec![samples.ns[0]; repetitions.max(1)];
        }
        Ok(samples)
    }
}

/// ns per load of one lap, after another lap.
fn chase(at: &mut At, stimulus: &Stimulus) -> f64 {
    let walk = walk::of(stimulus);
    let updates = stimulus.chosen("op") == Some("update");
    let chains = stimulus.number("chains").unwrap_or(1).max(1) as usize;
    let mut ready = vec![0; chains];
    let mut began = 0;
    for lap in 0..2 {
        if lap == 1 {
            began = at.now;
        }
        for (i, &address) in walk.iter().enumerate() {
            let chain = i % chains;
            let start = at.now.max(ready[chain]);
            let reply = at.node.processor.load(&mut at.node.memory, start, address);
            (at.now, ready[chain]) = (reply.free, reply.done);
            if updates {
                at.now = at.now.max(reply.done);
                at.store(address);
            }
        }
        at.now = ready.iter().copied().fold(at.now, u64::max);
    }
    (at.now - began) as f64 / 1000.0 / walk.len() as f64
}

/// Independent accesses by a stride, again and again.
fn strides(at: &mut At, stimulus: &Stimulus) -> Result<Samples, Failure> {
    let number = |name, other| stimulus.number(name).unwrap_or(other);
    let (bytes, stride) = (number("bytes", 0), number("stride", 8));
    if bytes < 8 || stride < 8 || !stride.is_multiple_of(8) {
        return Err(Failure::Broken(format!("`{stimulus}` is not possible")));
    }
    let is_store = stimulus.chosen("op") == Some("write");
    let accesses = bytes.div_ceil(stride);
    // Short sweeps are repeated, because a write buffer's content at the end of one belongs to the next.
    let (warm, counted) = (1 + 64 / accesses, 1 + 1024 / accesses);
    let mut began = 0;
    for pass in 0..warm + counted {
        if pass == warm {
            began = at.now;
        }
        for address in (0..accesses).map(|i| i * stride) {
            if is_store {
                at.store(address);
            } else {
                at.load(address);
            }
        }
    }
    let ns = (at.now - began) as f64 / 1000.0 / (counted * accesses) as f64;
    let facts = BTreeMap::from([(Fact::Accesses, accesses as f64)]);
    Ok(Samples { ns: vec![ns], facts, ..Samples::default() })
}

/// The streams of STREAM over arrays of `bytes` in total: an operation is a pass.
fn stream(at: &mut At, stimulus: &Stimulus) -> Result<Samples, Failure> {
    let op = stimulus.chosen("op").unwrap_or("load");
    // The arrays that are read, the one that is written.
    let (reads, write): (&[u64], Option<u64>) = match op {
        "load" => (&[0], None),
        "store" => (&[], Some(0)),
        "copy" | "scale" => (&[0], Some(1)),
        "add" | "triad" => (&[0, 1], Some(2)),
        _ => return Err(Failure::Impossible(Reason::Operation, format!("this machine has no stores for `{op}`"))),
    };
    let arrays = (reads.len() + usize::from(write.is_some())) as u64;
    let words = (stimulus.number("bytes").unwrap_or(0) / arrays / 8).max(1);
    let mut began = 0;
    for pass in 0..2 {
        if pass == 1 {
            began = at.now;
        }
        for word in 0..words {
            let place = |array: u64| (array * words + word) * 8;
            reads.iter().for_each(|&array| at.load(place(array)));
            if let Some(array) = write {
                at.store(place(array));
            }
        }
    }
    let bytes = (words * arrays * 8) as f64;
    let facts = BTreeMap::from([(Fact::Bytes, bytes), (Fact::MovedBytes, bytes), (Fact::WidthBytes, 8.0)]);
    Ok(Samples { ns: vec![(at.now - began) as f64 / 1000.0], facts, ..Samples::default() })
}
