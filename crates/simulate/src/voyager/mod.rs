//! Sites of a StarT-Voyager with their network: what acts by itself, and the operations of application processors.
//!
//! A site has an application processor with its cache, a service processor, memory and the network endpoint, which
//! share a bus. Processors' operations are calls that return times; the endpoint's units, the service processor and
//! what is in the network are agents, which act by events in the order of time. Messages carry their words, and so do
//! caches, so that a message that is lost, mixed or stale is seen and not asserted.
//!
//! [`agents`] has what acts by itself, [`processor`] the operations; [`code`] has the sequences of operations that send
//! and receive; [`measured`] their overheads, latencies and gaps; [`explored`] random schedules of threads.
//!
//! The buffers of a queue keep their addresses when it becomes resident or stops being so: pages are mapped anew. So
//! what they hold stands here by these addresses, whichever memory is behind them.

mod agents;
pub mod code;
pub mod explored;
pub mod measured;
mod processor;

use agents::Event;
use fathom_machine::parts::coherent::{CoherentCache, Lines};
use fathom_machine::parts::memory_bus::{MemoryBus, Port, Sram, SRAM};
use fathom_machine::parts::nes::table::Entry;
use fathom_machine::parts::nes::{Figures, Nes, Packet, KIND};
use fathom_machine::parts::{self};
use fathom_machine::{network, Carries, Description, Places, Server, Time, Words};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// The masters of a site's bus.
pub const APPLICATION: usize = 0;
pub const SERVICE: usize = 1;
pub const ENDPOINT: usize = 2;

/// Bytes of a line of the bus.
pub const LINE: u64 = 32;
/// Bytes between the slots of a Basic queue, or of Tag-On data.
const SLOT: u64 = 96;

/// What an access past the caches is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The region in which a store sends an Express or Tag-On message; the address says the rest.
    Send(u64),
    /// The first of two stores, on a machine that needs two.
    SendHalf(u64),
    /// The head of an Express queue.
    Receive(u32),
    /// A phantom queue, for OnePoll.
    Poll(usize),
    TransmitProducer(u32),
    TransmitConsumer(u32),
    ReceiveProducer(u32),
    ReceiveConsumer(u32),
    /// Frees a slot of Tag-On data of this queue.
    FreeSlot(u32),
    /// A register of the endpoint's block transfers; the third one starts it.
    Transfer(usize),
}

/// What instructions take.
#[derive(Clone, Debug)]
pub struct Code {
    cycle: Time,
    store: Time,
    pack: Time,
    moves: Time,
    dispatch: Time,
    sync: Time,
    flush: Time,
    reserve: Time,
    lock: Time,
    unlock: Time,
    /// Whether the locks that threads take exclude each other.
    locks: bool,
    shadows: bool,
    two_loads: bool,
}

impl Code {
    fn of(description: &Description) -> Result<Self, String> {
        let figures = description.of_code();
        let time = |name: &str| figures.time(name);
        let code = Code {
            cycle: (1.0 / description.of_processor().frequency("clock")?).round() as Time,
            store: description.of_processor().time("store")?,
            pack: time("pack")?,
            moves: time("move")?,
            dispatch: time("dispatch")?,
            sync: time("sync")?,
            flush: time("flush")?,
            reserve: time("reserve")?,
            lock: time("lock")?,
            unlock: time("unlock")?,
            locks: figures.switch("locks")?,
            shadows: figures.switch("shadows")?,
            two_loads: figures.switch("two_loads")?,
        };
        // `measured::as_measured` makes another machine of these.
        figures.switch("imitated")?;
        figures.count("imitated_clocks")?;
        ["imitated_word", "imitated_line"].iter().try_for_each(|name| time(name).map(drop))?;
        figures.finish()?;
        Ok(code)
    }
}

/// What software of a site shares among its threads about a queue; it lies in the cache.
#[derive(Clone, Copy, Debug, Default)]
struct Shared {
    is_locked: bool,
    /// The next slot to fill, or to read.
    next: u64,
    /// The consumer pointer when it was last read.
    seen: u64,
}

/// A block transfer under way.
#[derive(Clone, Debug)]
struct Transfer {
    from: u64,
    to: u64,
    left: u64,
    entry: Entry,
}

pub struct Site {
    cache: CoherentCache<Words>,
    lines: Rc<RefCell<Lines<Words>>>,
    pub bus: Rc<RefCell<MemoryBus<Words>>>,
    sram: Rc<RefCell<Sram<Words>>>,
    pub nes: Nes,
    ibus: Server,
    transmits: Server,
    receives: Server,
    serves: Server,
    /// When the last packet has left the site.
    sent: Time,
    /// When what was flushed has left the processor.
    flushed: Time,
    /// Messages that the miss queue has no place for.
    waiting: VecDeque<Packet>,
    /// Queues that the service processor has been asked to look after, since there is room.
    refills: HashSet<u32>,
    /// The places of each transmit queue, and when its messages left.
    places: HashMap<u32, Places>,
    left: HashMap<u32, Vec<Time>>,
    shared: HashMap<(bool, u32), Shared>,
    registers: [u64; 3],
    /// Messages that were lost, and sends that the destination table refused; messages that the service processor took
    /// from the miss queue.
    pub lost: u64,
    pub refused: u64,
    pub missed: u64,
}

/// Sites and their network.
pub struct Voyager {
    pub sites: Vec<Site>,
    network: Box<dyn Carries>,
    pub figures: Figures,
    pub code: Code,
    /// Whether the endpoint fetches what is sent from caches and drops what was received from them; else software
    /// flushes.
    pub reclaims: bool,
    events: BTreeMap<(Time, u64), (usize, Event)>,
    number: u64,
    /// When messages came into their queues, and deposits into memory: site and time.
    pub arrivals: Vec<(usize, Time)>,
    /// Messages leave their queues as they come, without a processor: to see what the endpoint and the network do
    /// alone.
    pub sinks: bool,
}

impl Voyager {
    /// A machine with this many sites.
    ///
    /// # Errors
    /// The description has a mistake.
    pub fn new(description: &Description, sites: usize) -> Result<Self, String> {
        let figures = Figures::of(description)?;
        let network = network::build(description)?;
        if (network.nodes() as usize) < sites {
            return Err(format!("the network joins {} sites, not {sites}", network.nodes()));
        }
        let all = (0..sites).map(|_| site(description, &figures)).collect::<Result<_, String>>()?;
        Ok(Voyager {
            sites: all,
            network,
            code: Code::of(description)?,
            figures,
            reclaims: true,
            events: BTreeMap::new(),
            number: 0,
            arrivals: vec![],
            sinks: false,
        })
    }

    /// Every site reaches receive queue `q` of site `d` from each transmit queue `q` as destination `d`, and the
    /// receiver answers in the same way.
    pub fn connect_all(&mut self) {
        let sites = self.sites.len() as u32;
        for from in 0..sites {
            for queue in 0..self.figures.queues {
                for to in 0..sites {
                    let entry = Entry { site: to, queue, source: from };
                    self.sites[from as usize].nes.table.set(queue, to, Some(entry));
                }
            }
        }
    }
}

/// A site as described.
fn site(description: &Description, figures: &Figures) -> Result<Site, String> {
    let engine = description.engine(KIND).ok_or("the machine has no network endpoint")?;
    let sram = Rc::new(RefCell::new(Sram::new(&description.of_part(engine))?));
    let memory = parts::build("dram", description.of_part("memory"), None)?;
    let bus = Rc::new(RefCell::new(MemoryBus::new(figures.bus, LINE, memory, sram.clone())));
    let cache = CoherentCache::new(&description.of_part("cache"), Box::new(Port::new(&bus, APPLICATION)))?;
    if cache.line() != LINE {
        return Err(format!("lines have {LINE} bytes on this bus, not {}", cache.line()));
    }
    let cache = cache.coming_by(figures.bus.beat);
    let lines = cache.lines();
    bus.borrow_mut().join(APPLICATION, lines.clone());
    Ok(Site {
        cache,
        lines,
        bus,
        sram,
        nes: Nes::new(figures),
        ibus: Server::default(),
        transmits: Server::default(),
        receives: Server::default(),
        serves: Server::default(),
        sent: 0,
        flushed: 0,
        waiting: VecDeque::new(),
        refills: HashSet::new(),
        places: HashMap::new(),
        left: HashMap::new(),
        shared: HashMap::new(),
        registers: [0; 3],
        lost: 0,
        refused: 0,
        missed: 0,
    })
}

/// Where the slots of a queue's messages, or of its Tag-On data, are.
pub fn transmit_buffer(queue: u32) -> u64 {
    SRAM + u64::from(queue) * 0x4000
}

pub fn receive_buffer(queue: u32) -> u64 {
    transmit_buffer(queue) + 0x2000
}
