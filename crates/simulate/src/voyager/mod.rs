//! Sites of a StarT-Voyager with their network: what acts by itself, and the operations of application processors.
//!
//! A site has an application processor with its cache, a service processor, memory and the network endpoint, which share
//! a bus. Processors' operations are calls that return times; the endpoint's units, the service processor and what is in the
//! network are agents, which act by events in the order of time. Messages carry their words, and so do caches, so that a
//! message that is lost, mixed or stale is seen and not asserted.
//!
//! [`code`] has the sequences of operations that send and receive; [`measured`] their overheads, latencies and gaps;
//! [`explored`] random schedules of threads.
//!
//! The buffers of a queue keep their addresses when it becomes resident or stops being so: pages are mapped anew. So what they
//! hold stands here by these addresses, whichever memory is behind them.

pub mod code;
pub mod explored;
pub mod measured;

use fathom_machine::parts::coherent::{CoherentCache, Lines};
use fathom_machine::parts::memory_bus::{MemoryBus, Operation, Port, Sram, SRAM};
use fathom_machine::parts::nes::format::Sent;
use fathom_machine::parts::nes::queue::Class;
use fathom_machine::parts::nes::table::Entry;
use fathom_machine::parts::nes::{Body, Figures, Nes, Packet, Placed, KIND};
use fathom_machine::parts::{self};
use fathom_machine::{network, Access, Carries, Data, Description, Places, Server, Serves, Time, Words};
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

#[derive(Clone, Debug)]
enum Event {
    /// A message's last byte is at the site.
    Comes(Packet),
    /// The receiving unit has done with it.
    Received(Packet),
    /// The service processor gives a message for a site to the transmitting unit.
    Leaves(u32, Packet),
    /// The service processor has taken a message from the miss queue.
    Missed,
    /// It puts what it keeps of a queue into the queue.
    Refill(u32),
    /// It makes a queue resident, or not.
    Migrate(u32, bool),
    /// The next packet of a block transfer.
    Transfer(Transfer),
}

/// Sites and their network.
pub struct Voyager {
    pub sites: Vec<Site>,
    network: Box<dyn Carries>,
    pub figures: Figures,
    pub code: Code,
    /// Whether the endpoint fetches what is sent from caches and drops what was received from them; else software flushes.
    pub reclaims: bool,
    events: BTreeMap<(Time, u64), (usize, Event)>,
    number: u64,
    /// When messages came into their queues, and deposits into memory: site and time.
    pub arrivals: Vec<(usize, Time)>,
    /// Messages leave their queues as they come, without a processor: to see what the endpoint and the network do alone.
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

    /// Every site reaches receive queue `q` of site `d` from each transmit queue `q` as destination `d`, and the receiver
    /// answers in the same way.
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

    // ---- agents -------------------------------------------------------------------------------------------------------

    fn at(&mut self, when: Time, site: usize, event: Event) {
        self.number += 1;
        self.events.insert((when, self.number), (site, event));
    }

    /// Lets everything act that acts until `now`.
    pub fn advance(&mut self, now: Time) {
        while let Some(entry) = self.events.first_entry() {
            let (when, _) = *entry.key();
            if when > now {
                return;
            }
            let (site, event) = entry.remove();
            self.act(when, site, event);
        }
    }

    /// Lets everything come to rest; when that is.
    pub fn settle(&mut self) -> Time {
        let mut last = 0;
        while let Some((&(when, _), _)) = self.events.first_key_value() {
            self.advance(when);
            last = when;
        }
        last
    }

    /// When the next event is.
    pub fn next_event(&self) -> Option<Time> {
        self.events.first_key_value().map(|((when, _), _)| *when)
    }

    fn act(&mut self, now: Time, site: usize, event: Event) {
        match event {
            Event::Comes(packet) => {
                // Words may cross the endpoint's bus as they come, the last one now: that bus is faster than a link.
                let crosses = self.on_ibus(packet.body.bytes());
                let from = if self.figures.streams() { now.saturating_sub(crosses) } else { now };
                let here = &mut self.sites[site];
                let over = here.ibus.take(from, crosses) + crosses;
                let receive = self.figures.receive;
                let done = here.receives.take(over.max(now), receive) + receive;
                self.at(done, site, Event::Received(packet));
            }
            Event::Received(packet) => {
                if self.sites[site].waiting.is_empty() {
                    self.arrive(now, site, packet);
                } else {
                    self.sites[site].waiting.push_back(packet);
                }
            }
            Event::Leaves(to, packet) => _ = self.transmit(now, site, to, packet),
            Event::Missed => {
                let Some(queue) = self.sites[site].nes.serve_miss() else { return };
                self.sites[site].missed += 1;
                self.refill(now, site, queue);
                let waiting = std::mem::take(&mut self.sites[site].waiting);
                for packet in waiting {
                    if self.sites[site].waiting.is_empty() {
                        self.arrive(now, site, packet);
                    } else {
                        self.sites[site].waiting.push_back(packet);
                    }
                }
            }
            Event::Refill(queue) => {
                self.sites[site].refills.remove(&queue);
                self.refill(now, site, queue);
            }
            Event::Migrate(queue, is_resident) => {
                // Without a free place the service processor leaves it as it is.
                if self.sites[site].nes.set_resident(queue, is_resident).is_ok() {
                    self.refill(now, site, queue);
                }
            }
            Event::Transfer(transfer) => self.transfer(now, site, transfer),
        }
    }

    /// A received message goes to its queue or elsewhere.
    fn arrive(&mut self, now: Time, site: usize, packet: Packet) {
        if let Body::Deposit { at, data } = &packet.body {
            let (at, data) = (*at, data.clone());
            let done = self.write(now, site, ENDPOINT, at, &data);
            self.arrivals.push((site, done));
            return;
        }
        if packet.queue >= self.figures.queues {
            self.sites[site].lost += 1;
            return;
        }
        let kept = packet.clone();
        match self.sites[site].nes.arrive(packet) {
            Placed::In { slot } => self.place(now, site, slot, &kept, None),
            Placed::Missed => self.serve(now, site, Event::Missed),
            Placed::Blocked(packet) => self.sites[site].waiting.push_back(packet),
            Placed::Lost => self.sites[site].lost += 1,
        }
    }

    /// The service processor does something, after what it does already.
    fn serve(&mut self, now: Time, site: usize, event: Event) {
        let service = self.figures.service;
        let done = self.sites[site].serves.take(now, service) + service;
        self.at(done, site, event);
    }

    /// Asks the service processor to make a pair of queues resident, or not.
    pub fn migrate(&mut self, now: Time, site: usize, queue: u32, is_resident: bool) {
        self.serve(now, site, Event::Migrate(queue, is_resident));
    }

    fn refill(&mut self, now: Time, site: usize, queue: u32) {
        for (slot, packet) in self.sites[site].nes.refill(queue) {
            self.place(now, site, slot, &packet, Some(SERVICE));
        }
    }

    /// The data of a message that is in its queue are put into its slot: by the endpoint, or over the bus by `master`.
    fn place(&mut self, now: Time, site: usize, slot: u64, packet: &Packet, master: Option<usize>) {
        let at = receive_buffer(packet.queue) + SLOT * slot;
        let mut words: Vec<u64> = vec![];
        match &packet.body {
            Body::Express { .. } | Body::Deposit { .. } => {}
            Body::TagOn { data, .. } => words.extend(data),
            Body::Basic { data } => words.extend(data),
        }
        match master {
            Some(master) => _ = self.write(now, site, master, at, &words),
            None => {
                let mut sram = self.sites[site].sram.borrow_mut();
                for (word, at) in words.iter().zip((at..).step_by(8)) {
                    sram.place(at, 8, &Words::one(at, *word));
                }
            }
        }
        let here = &mut self.sites[site];
        self.arrivals.push((site, now));
        if self.sinks {
            match here.nes.receive(packet.queue).class {
                Class::Express => {
                    here.nes.pop(packet.queue);
                    here.nes.free_slot(packet.queue, slot as u32);
                }
                Class::Basic => {
                    let producer = here.nes.receive(packet.queue).producer();
                    here.nes.consume(packet.queue, producer);
                }
            }
        }
    }

    fn on_ibus(&self, bytes: u64) -> Time {
        (bytes as f64 * self.figures.ibus).round() as Time
    }

    /// A message leaves its queue at `now` for the transmitting unit and the network; when the unit has taken it.
    fn transmit(&mut self, now: Time, site: usize, to: u32, packet: Packet) -> Time {
        let bytes = packet.body.bytes();
        // Words may leave as they cross the endpoint's bus.
        let crosses = self.on_ibus(bytes);
        let from = self.sites[site].ibus.take(now, crosses) + if self.figures.streams() { 0 } else { crosses };
        // The unit prepares one packet while the one before it leaves.
        let transmit = self.figures.transmit;
        let ready = from.max(self.sites[site].sent.saturating_sub(transmit));
        let begin = self.sites[site].transmits.take(ready, transmit);
        let flight = self.network.carry(begin + transmit, site as u32, to, bytes);
        self.sites[site].sent = flight.sent;
        self.at(flight.tail, to as usize, Event::Comes(packet));
        begin
    }

    /// The data of a Tag-On or Basic message, which the endpoint reads in its own memory; with Reclaim, after it has
    /// fetched what the cache has of it. And when that is done.
    fn fetch(&mut self, now: Time, site: usize, at: u64, bytes: u64) -> (Vec<u64>, Time) {
        let here = &mut self.sites[site];
        let mut now = now;
        if self.reclaims {
            for line in lines_of(at, bytes) {
                now = here.bus.borrow_mut().flush(now, ENDPOINT, line);
            }
        }
        let sram = here.sram.borrow();
        ((0..bytes / 8).map(|i| sram.window(at + 8 * i).at(at + 8 * i)).collect(), now)
    }

    /// With Reclaim the endpoint drops lines that were received from the cache.
    fn drop_lines(&mut self, now: Time, site: usize, at: u64, bytes: u64) {
        if self.reclaims {
            lines_of(at, bytes).for_each(|line| _ = self.sites[site].bus.borrow_mut().kill(now, ENDPOINT, line));
        }
    }

    /// Sends an Express or Tag-On message from its queue; when it has left the queue.
    fn send(&mut self, now: Time, site: usize, sent: Sent, data: u32) -> Time {
        if sent.queue >= self.figures.queues {
            self.sites[site].refused += 1;
            return now;
        }
        let Some(entry) = self.translated(site, sent.queue, sent.destination) else { return now };
        let payload = self.figures.format.payload(&sent, data);
        let (body, now) = match sent.tag {
            None => (Body::Express { payload }, now),
            Some(tag) => {
                let at = SRAM + LINE * u64::from(tag.place);
                let (data, now) = self.fetch(now, site, at, self.figures.tag_bytes(tag.is_long));
                (Body::TagOn { payload, is_long: tag.is_long, data }, now)
            }
        };
        let packet = Packet { queue: entry.queue, source: entry.source, body };
        self.leave(now, site, (sent.queue, entry.site), packet)
    }

    /// A message leaves its queue: by the unit, or, if the queue is not resident, by the service processor at `now`, which
    /// may be later than what the unit does next.
    fn leave(&mut self, now: Time, site: usize, (queue, to): (u32, u32), packet: Packet) -> Time {
        if self.sites[site].nes.is_resident(queue) {
            return self.transmit(now, site, to, packet);
        }
        self.at(now, site, Event::Leaves(to, packet));
        now
    }

    fn translated(&mut self, site: usize, queue: u32, destination: u32) -> Option<Entry> {
        let entry = self.sites[site].nes.translate(queue, destination);
        let entry = entry.filter(|entry| (entry.site as usize) < self.sites.len());
        if entry.is_none() {
            self.sites[site].refused += 1;
        }
        entry
    }

    /// The producer pointer of a Basic queue says that messages are ready.
    fn send_basic(&mut self, now: Time, site: usize, queue: u32, producer: u64) {
        let before = self.sites[site].nes.transmit(queue).producer;
        if producer <= before || producer - before > self.figures.depth {
            return; // a pointer that says nothing new
        }
        self.sites[site].nes.transmit(queue).producer = producer;
        let mut now = now;
        for number in before..producer {
            let at = transmit_buffer(queue) + SLOT * (number % self.figures.depth);
            // The header says how long the message is, and to whom it goes.
            let (head, mut fetched) = self.fetch(now, site, at, 8);
            let (words, destination) = ((head[0] & 0xff).min(10), (head[0] >> 8 & 0xff) as u32);
            let bytes = 8 + 8 * words;
            if bytes > LINE {
                fetched = self.fetch(fetched, site, at + LINE, bytes - LINE).1;
            }
            let data = self.words(site, at, 1 + words);
            now = fetched;
            let taken = match self.translated(site, queue, destination) {
                Some(entry) => {
                    let mut data = data;
                    data[0] = words | u64::from(entry.source) << 8 | data[0] & !0xffff;
                    let packet = Packet { queue: entry.queue, source: entry.source, body: Body::Basic { data } };
                    self.leave(now, site, (queue, entry.site), packet)
                }
                None => now,
            };
            self.sites[site].left.entry(queue).or_default().push(taken);
        }
    }

    fn words(&self, site: usize, at: u64, count: u64) -> Vec<u64> {
        let sram = self.sites[site].sram.borrow();
        (0..count).map(|i| sram.window(at + 8 * i).at(at + 8 * i)).collect()
    }

    // ---- block transfers ----------------------------------------------------------------------------------------------

    /// A packet of a block transfer is read over the bus, whoever has its lines, and sent.
    fn transfer(&mut self, now: Time, site: usize, transfer: Transfer) {
        let most = self.figures.packet - 8;
        let bytes = most.min(transfer.left);
        let mut read = now;
        let mut data = vec![];
        let bus = self.sites[site].bus.clone();
        let mut at = transfer.from;
        while at < transfer.from + bytes {
            let end = (at / LINE + 1) * LINE;
            let part = end.min(transfer.from + bytes) - at;
            let reply = bus.borrow_mut().read(now, ENDPOINT, at, part as u32, true);
            data.extend((0..part / 8).map(|i| reply.data.at(at + 8 * i)));
            read = read.max(reply.done);
            at += part;
        }
        let body = Body::Deposit { at: transfer.to, data };
        let taken = self.transmit(read, site, transfer.entry.site, Packet { queue: 0, source: 0, body });
        if transfer.left > bytes {
            let next = Transfer {
                from: transfer.from + bytes,
                to: transfer.to + bytes,
                left: transfer.left - bytes,
                entry: transfer.entry,
            };
            // One packet is read while the one before is sent.
            let again = taken.saturating_sub(read - now).max(now + self.figures.bus.tenure);
            self.at(again, site, Event::Transfer(next));
        }
    }

    /// A master of the bus writes words, line by line; when the last one is written.
    fn write(&mut self, now: Time, site: usize, master: usize, at: u64, data: &[u64]) -> Time {
        let bus = self.sites[site].bus.clone();
        let mut now = now;
        let end = at + 8 * data.len() as u64;
        let mut from = at;
        while from < end {
            let to = ((from / LINE + 1) * LINE).min(end);
            let mut words = Words::default();
            for word in (from..to).step_by(8) {
                words.take(&Words::one(word, data[((word - at) / 8) as usize]), word, 8);
            }
            now = bus.borrow_mut().write(now, master, from, (to - from) as u32, &words);
            from = to;
        }
        now
    }

    // ---- operations of an application processor -----------------------------------------------------------------------

    /// A store past the caches; the time after it. The endpoint holds it back while a transmit queue is full.
    pub fn store(&mut self, now: Time, site: usize, at: At, value: u64) -> Time {
        self.advance(now);
        let begin = self.sites[site].bus.borrow_mut().give(now, APPLICATION, Operation::WriteUncached, 8);
        let free = begin + self.figures.write;
        match at {
            At::Send(at) => {
                let mut sent = self.figures.format.of_address(at);
                if let Some(half) = self.sites[site].nes.take_half(sent.queue % self.figures.queues) {
                    sent = self.figures.format.of_address(half);
                }
                return self.send_in_turn(free, site, sent, value as u32);
            }
            At::SendHalf(at) => {
                let queue = self.figures.format.of_address(at).queue % self.figures.queues;
                self.sites[site].nes.half(queue, at);
            }
            At::TransmitProducer(queue) => {
                let ready = self.served(free, site, queue);
                self.send_basic(ready, site, queue, value);
            }
            At::ReceiveConsumer(queue) => {
                let before = self.sites[site].nes.receive(queue).consumer();
                let done = self.served(free, site, queue);
                self.sites[site].nes.consume(queue, value);
                for number in before..self.sites[site].nes.receive(queue).consumer() {
                    let at = receive_buffer(queue) + SLOT * (number % self.figures.depth);
                    self.drop_lines(done, site, at, SLOT);
                }
                self.room(done, site, queue);
            }
            At::FreeSlot(queue) => {
                let done = self.served(free, site, queue);
                self.sites[site].nes.free_slot(queue, value as u32);
                self.drop_lines(done, site, receive_buffer(queue) + SLOT * value, self.figures.tag_bytes(true));
                self.room(done, site, queue);
            }
            At::Transfer(register) => self.start_transfer(free, site, register, value),
            At::Receive(_) | At::Poll(_) | At::TransmitConsumer(_) | At::ReceiveProducer(_) => {}
        }
        free
    }

    fn start_transfer(&mut self, now: Time, site: usize, register: usize, value: u64) {
        self.sites[site].registers[register] = value;
        let [from, to, bytes] = self.sites[site].registers;
        if register < 2 {
            return;
        }
        // The upper bits of the destination's address name it, by the row of queue 0.
        if let Some(entry) = self.translated(site, 0, (to >> 48) as u32) {
            let transfer = Transfer { from, to: to & ((1 << 48) - 1), left: bytes, entry };
            self.at(now, site, Event::Transfer(transfer));
        }
    }

    /// When an access to a queue takes effect: at once if it is resident, else after the service processor.
    fn served(&mut self, now: Time, site: usize, queue: u32) -> Time {
        if self.sites[site].nes.is_resident(queue) {
            return now;
        }
        let service = self.figures.service;
        self.sites[site].serves.take(now, service) + service
    }

    /// There may be room in a queue for what the service processor keeps.
    fn room(&mut self, now: Time, site: usize, queue: u32) {
        let here = &mut self.sites[site];
        if !here.nes.receive(queue).kept.is_empty() && here.refills.insert(queue) {
            self.serve(now, site, Event::Refill(queue));
        }
    }

    fn send_in_turn(&mut self, now: Time, site: usize, sent: Sent, data: u32) -> Time {
        let depth = self.figures.depth as usize;
        let places = self.sites[site].places.entry(sent.queue).or_insert_with(|| Places::new(depth));
        let entered = places.enter(now);
        let ready = if sent.queue < self.figures.queues { self.served(entered, site, sent.queue) } else { entered };
        let left = self.send(ready, site, sent, data);
        let here = &mut self.sites[site];
        if let Some(places) = here.places.get_mut(&sent.queue) {
            places.leave(left);
        }
        here.left.entry(sent.queue).or_default().push(left);
        if sent.queue < self.figures.queues {
            here.nes.transmit(sent.queue).producer += 1;
        }
        entered
    }

    /// A load past the caches: its value, and the time at which it is there.
    pub fn load(&mut self, now: Time, site: usize, at: At) -> (u64, Time) {
        self.advance(now);
        let begin = self.sites[site].bus.borrow_mut().give(now, APPLICATION, Operation::ReadUncached, 8);
        let mut done = begin + self.figures.read;
        if let At::Receive(queue) | At::ReceiveProducer(queue) | At::TransmitConsumer(queue) = at {
            let nes = &self.sites[site].nes;
            if queue >= self.figures.queues {
                return (nes.empty, done);
            }
            if !nes.is_resident(queue) && !nes.serves() {
                return (nes.empty, done);
            }
            done = self.served(done, site, queue);
        }
        // The endpoint looks when the word leaves it.
        self.advance(done);
        let value = match at {
            At::Receive(queue) => {
                let word = self.sites[site].nes.pop(queue);
                self.room(done, site, queue);
                word
            }
            At::Poll(phantom) => self.sites[site].nes.poll(phantom),
            At::ReceiveProducer(queue) => self.sites[site].nes.receive(queue).producer(),
            At::TransmitConsumer(queue) => {
                let left = self.sites[site].left.get(&queue).map_or(&[][..], Vec::as_slice);
                left.iter().filter(|when| **when <= done).count() as u64
            }
            _ => 0,
        };
        (value, done)
    }

    /// A load of 4 bytes by the cache: its value, and the time at which it is there.
    pub fn load_cached(&mut self, now: Time, site: usize, at: u64) -> (u32, Time) {
        self.advance(now);
        let reply = self.sites[site].cache.access(now, &Access::load(at, 4));
        ((reply.data.at(at & !7) >> (8 * (at % 8))) as u32, reply.done)
    }

    /// A store of 4 bytes by the cache; the time after it.
    pub fn store_cached(&mut self, now: Time, site: usize, at: u64, value: u32) -> Time {
        self.advance(now);
        let words = Words::one(at, u64::from(value) << (8 * (at % 8)));
        let reply = self.sites[site].cache.access(now, &Access::store(at, 4, words));
        // Until the line is there, what follows goes on.
        self.sites[site].flushed = self.sites[site].flushed.max(reply.done);
        reply.free.max(now + self.code.store)
    }

    /// Writes the line of an address to memory if it was changed, and drops it; the time after the instruction.
    pub fn flush(&mut self, now: Time, site: usize, at: u64) -> Time {
        self.advance(now);
        let base = at & !(LINE - 1);
        let here = &mut self.sites[site];
        let begin = now.max(here.cache.drain(now));
        let given = here.lines.borrow_mut().give(base, false);
        if let Some(data) = given {
            let done = here.bus.borrow_mut().write(begin, APPLICATION, base, LINE as u32, &data);
            here.flushed = here.flushed.max(done);
        }
        now + self.code.flush
    }

    /// A memory barrier: what was stored and flushed has taken effect.
    pub fn sync(&mut self, now: Time, site: usize) -> Time {
        let here = &mut self.sites[site];
        (now + self.code.sync).max(here.flushed).max(here.cache.drain(now))
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

fn lines_of(at: u64, bytes: u64) -> impl Iterator<Item = u64> {
    let first = at & !(LINE - 1);
    (first..at + bytes).step_by(LINE as usize)
}

/// Where the slots of a queue's messages, or of its Tag-On data, are.
pub fn transmit_buffer(queue: u32) -> u64 {
    SRAM + u64::from(queue) * 0x4000
}

pub fn receive_buffer(queue: u32) -> u64 {
    transmit_buffer(queue) + 0x2000
}
