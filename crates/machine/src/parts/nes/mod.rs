//! The network endpoint subsystem (NES) of a StarT-Voyager site: its queues and what decides where a message goes
//! (StarT-Voyager study, sections 3 to 5). Nothing here takes time: who calls does so at the right moment, and adds
//! what buses, units and the service processor take.
//!
//! A site has 512 pairs of a transmit and a receive queue, of which 16 are *resident* in hardware: 8 for Express and
//! Tag-On messages, 8 for Basic ones. The service processor keeps the others in memory, and the application cannot tell
//! them apart. A message for a queue that is not resident, or has no room, goes to the *miss queue*, from which the
//! service processor takes it.
//!
//! The study does not say how a queue that was full keeps its order when room appears while older messages are in the
//! miss queue. Here the first message that misses *diverts* its queue: those after it go to the miss queue, too, until
//! the service processor has put all of them into the queue.

pub mod format;
pub mod queue;
pub mod table;

use crate::description::{Description, Wanted};
use crate::parts::memory_bus;
use crate::Time;
use format::{Arrived, Format, Tag, EMPTY};
use queue::{Class, Receive, Transmit};
use std::collections::VecDeque;
use table::{Entry, Table};

/// The kind of this engine.
pub const KIND: &str = "nes";

/// The figures of the endpoint.
#[derive(Clone, Debug)]
pub struct Figures {
    pub bus: memory_bus::Figures,
    pub format: Format,
    pub queues: u32,
    /// How many queues of each class are resident.
    pub resident: [u32; 2],
    /// Messages of a queue.
    pub depth: u64,
    /// Messages of the miss queue.
    pub miss: usize,
    /// Data of a Tag-On message.
    pub tag: [u64; 2],
    /// Bytes of the words that a packet carries at most.
    pub packet: u64,
    /// From the begin of a read on the bus to its first word, and how long a store past the caches lasts.
    pub read: Time,
    /// From the begin of a cache line's read in the endpoint's memory until its words can be used.
    pub fill: Time,
    pub write: Time,
    /// A byte's time on the endpoint's own bus.
    pub ibus: f64,
    /// What a message takes in the units that send and receive it, besides its bytes.
    pub transmit: Time,
    pub receive: Time,
    /// What the service processor takes for a message or an access.
    pub service: Time,
    mechanisms: Mechanisms,
}

/// What can be left out.
#[derive(Clone, Copy, Debug)]
struct Mechanisms {
    miss_queue: bool,
    diverts: bool,
    translates: bool,
    by_priority: bool,
    serves: bool,
    one_access: bool,
    streams: bool,
}

impl Figures {
    /// The figures of the engine that is described.
    ///
    /// # Errors
    /// There is none, or a figure is missing or wrong.
    pub fn of(description: &Description) -> Result<Self, String> {
        let name = description.engine(KIND).ok_or("the machine has no network endpoint of the kind `nes`")?;
        let figures = description.of_part(name);
        let own = Self::new(&figures)?;
        figures.finish()?;
        Ok(own)
    }

    fn new(figures: &Wanted) -> Result<Self, String> {
        let small = |name: &str, most: u64| match figures.count(name)? {
            count if count <= most => Ok(count as u32),
            _ => Err(format!("figure `nes.{name}` must be at most {most}")),
        };
        let ibus = figures.rate("ibus")?;
        if ibus <= 0.0 {
            return Err("figure `nes.ibus` must be more than 0".into());
        }
        let queues = small("queues", 1 << format::QUEUE_BITS)?;
        let resident = [small("express", u64::from(queues))?, small("basic", u64::from(queues))?];
        if resident.iter().sum::<u32>() > queues {
            return Err("more queues are resident than there are".into());
        }
        let on = |name: &str| figures.switch(name);
        Ok(Figures {
            bus: memory_bus::Figures {
                tenure: figures.time("tenure")?,
                beat: figures.time("beat")?,
                arbitration: figures.time("arbitration")?,
            },
            format: Format::new(figures)?,
            queues,
            resident,
            depth: u64::from(small("depth", 64)?),
            miss: figures.places("miss_places")?,
            tag: [figures.bytes("tag_short")?, figures.bytes("tag_long")?],
            packet: figures.bytes("packet")?,
            read: figures.time("read")?,
            fill: figures.time("fill")?,
            write: figures.time("write")?,
            ibus: 1.0 / ibus,
            transmit: figures.time("transmit")?,
            receive: figures.time("receive")?,
            service: figures.time("service")?,
            mechanisms: Mechanisms {
                miss_queue: on("miss_queue")?,
                diverts: on("diverts")?,
                translates: on("translates")?,
                by_priority: on("by_priority")?,
                serves: on("serves")?,
                one_access: on("one_access")?,
                streams: on("streams")?,
            },
        })
    }

    /// Whether one store sends an Express message; else a store for the address's part and one for the data.
    pub fn one_access(&self) -> bool {
        self.mechanisms.one_access
    }

    /// Whether the units pass words on as they come; else a message crosses the endpoint's bus as a whole first.
    pub fn streams(&self) -> bool {
        self.mechanisms.streams
    }

    /// Bytes of the data of a Tag-On message.
    pub fn tag_bytes(&self, is_long: bool) -> u64 {
        self.tag[usize::from(is_long)]
    }
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Packet {
    /// The receive queue at its site.
    pub queue: u32,
    /// The sender, as a destination of the receiver's own queue.
    pub source: u32,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    Express {
        payload: u64,
    },
    /// An Express message, and 1.5 or 2.5 lines of data.
    TagOn {
        payload: u64,
        is_long: bool,
        data: Vec<u64>,
    },
    Basic {
        data: Vec<u64>,
    },
    /// Words for an address of the receiver's memory, past all queues.
    Deposit {
        at: u64,
        data: Vec<u64>,
    },
}

impl Body {
    /// Bytes of payload on the wire: a word of an Express message is one of 8 bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Body::Express { .. } => 8,
            Body::TagOn { data, .. } => 8 + 8 * data.len() as u64,
            Body::Basic { data } => 8 * data.len().max(1) as u64,
            Body::Deposit { data, .. } => 8 + 8 * data.len() as u64,
        }
    }
}

/// What became of a message that has arrived.
#[derive(Clone, Debug, PartialEq)]
pub enum Placed {
    /// It is in its queue; its data belong into this slot.
    In { slot: u64 },
    /// It is in the miss queue, and the service processor has to know.
    Missed,
    /// The miss queue is full: it stays in the network. The message is given back.
    Blocked(Packet),
    /// Without a miss queue there is no place for it.
    Lost,
}

/// The queues of a site.
pub struct Nes {
    figures: Figures,
    pub table: Table,
    transmit: Vec<Transmit>,
    receive: Vec<Receive>,
    /// What software lets an empty queue return.
    pub empty: u64,
    miss: VecDeque<Packet>,
    /// The receive queues of each phantom queue, the most important first.
    phantoms: Vec<Vec<u32>>,
    /// The parts of messages whose second store has not come, by queue: only without `one_access`.
    halves: Vec<Option<u64>>,
    /// In what order queues had arrivals: only without `by_priority`.
    arrivals: VecDeque<u32>,
}

impl Nes {
    /// Queues 0 to 7 are of the Express class and resident, the next 8 of the Basic class; of the others the lower half
    /// is of the Express class. Software may change all of this.
    pub fn new(figures: &Figures) -> Self {
        let [express, basic] = figures.resident;
        let of = |queue: u32| {
            let is_resident = queue < express + basic;
            let is_basic = if is_resident { queue >= express } else { queue >= figures.queues / 2 };
            (if is_basic { Class::Basic } else { Class::Express }, is_resident)
        };
        Nes {
            table: Table::new(1 << format::DESTINATION_BITS),
            transmit: (0..figures.queues).map(|q| Transmit::new(of(q).1)).collect(),
            receive: (0..figures.queues).map(|q| Receive::new(of(q).0, of(q).1, figures.depth)).collect(),
            empty: EMPTY,
            miss: VecDeque::new(),
            phantoms: vec![],
            halves: vec![None; figures.queues as usize],
            arrivals: VecDeque::new(),
            figures: figures.clone(),
        }
    }

    pub fn receive(&self, queue: u32) -> &Receive {
        &self.receive[queue as usize]
    }

    pub fn transmit(&mut self, queue: u32) -> &mut Transmit {
        &mut self.transmit[queue as usize]
    }

    pub fn is_resident(&self, queue: u32) -> bool {
        self.receive[queue as usize].is_resident
    }

    /// Whether the service processor answers for queues that are not resident.
    pub fn serves(&self) -> bool {
        self.figures.mechanisms.serves
    }

    // ---- sending
    // ------------------------------------------------------------------------------------------------------

    /// Where a destination of a transmit queue is; None if its row does not have it. Without translation every
    /// destination is the site of this number, and its queue of the sender's number.
    pub fn translate(&self, queue: u32, destination: u32) -> Option<Entry> {
        if !self.figures.mechanisms.translates {
            return Some(Entry { site: destination, queue, source: 0 });
        }
        self.table.entry(queue, destination)
    }

    /// The first store of an Express message that needs two; only without `one_access`.
    pub fn half(&mut self, queue: u32, at: u64) {
        self.halves[queue as usize] = Some(at);
    }

    /// What the first store left there.
    pub fn take_half(&mut self, queue: u32) -> Option<u64> {
        self.halves[queue as usize].take()
    }

    // ---- arriving
    // -----------------------------------------------------------------------------------------------------

    /// A message arrives (section 4.2): into its queue if that is resident and has room, else into the miss queue.
    pub fn arrive(&mut self, packet: Packet) -> Placed {
        if let Body::Deposit { .. } = packet.body {
            return Placed::In { slot: 0 };
        }
        let queue = &mut self.receive[packet.queue as usize];
        let waits = self.figures.mechanisms.diverts && queue.is_diverted();
        if queue.is_resident && !waits {
            if let Some(slot) = queue.put(&packet, self.figures.format) {
                self.arrivals.push_back(packet.queue);
                return Placed::In { slot };
            }
        }
        if !self.figures.mechanisms.miss_queue {
            return Placed::Lost;
        }
        if self.miss.len() >= self.figures.miss {
            return Placed::Blocked(packet);
        }
        queue.missed += 1;
        self.miss.push_back(packet);
        Placed::Missed
    }

    // ---- the service processor
    // ----------------------------------------------------------------------------------------

    /// Takes the oldest message of the miss queue to the others that its queue keeps in memory; the queue.
    pub fn serve_miss(&mut self) -> Option<u32> {
        let packet = self.miss.pop_front()?;
        let at = packet.queue;
        let queue = &mut self.receive[at as usize];
        queue.missed -= 1;
        queue.kept.push_back(packet);
        Some(at)
    }

    /// Puts what a queue keeps in memory into the queue, as far as there is room: each message with its slot.
    pub fn refill(&mut self, at: u32) -> Vec<(u64, Packet)> {
        let queue = &mut self.receive[at as usize];
        let mut placed = vec![];
        while let Some(packet) = queue.kept.pop_front() {
            let Some(slot) = queue.put(&packet, self.figures.format) else {
                queue.kept.push_front(packet);
                break;
            };
            self.arrivals.push_back(at);
            placed.push((slot, packet));
        }
        placed
    }

    /// Makes a pair of queues resident, or not. Its class has so many places; whoever wants one more must first free
    /// one.
    ///
    /// # Errors
    /// All places of its class are taken.
    pub fn set_resident(&mut self, at: u32, is_resident: bool) -> Result<(), String> {
        let class = self.receive[at as usize].class;
        let taken = self.receive.iter().filter(|q| q.class == class && q.is_resident).count();
        if is_resident && !self.is_resident(at) && taken >= self.figures.resident[class as usize] as usize {
            return Err(format!("all {taken} places of the class are taken"));
        }
        self.receive[at as usize].is_resident = is_resident;
        self.transmit[at as usize].is_resident = is_resident;
        Ok(())
    }

    // ---- receiving
    // ----------------------------------------------------------------------------------------------------

    /// The oldest message of an Express or Tag-On queue, which leaves it, or Empty.
    pub fn pop(&mut self, queue: u32) -> u64 {
        match self.receive[queue as usize].pop() {
            Some(word) => {
                self.forget_arrival(queue);
                word
            }
            None => self.empty,
        }
    }

    fn forget_arrival(&mut self, queue: u32) {
        if let Some(i) = self.arrivals.iter().position(|q| *q == queue) {
            self.arrivals.remove(i);
        }
    }

    /// Software has read a Basic queue's messages up to here.
    pub fn consume(&mut self, queue: u32, consumer: u64) {
        self.receive[queue as usize].consume(consumer);
    }

    /// Software no longer needs the data in a slot.
    pub fn free_slot(&mut self, queue: u32, slot: u32) {
        self.receive[queue as usize].free_slot(slot);
    }

    /// A phantom queue over these, the most important first; its number.
    pub fn phantom(&mut self, queues: Vec<u32>) -> usize {
        self.phantoms.push(queues);
        self.phantoms.len() - 1
    }

    /// Polls a phantom queue (section 4.3): the message of the most important queue that has one. A Basic queue's
    /// messages stay; the word tells its pointers.
    pub fn poll(&mut self, phantom: usize) -> u64 {
        let queues = &self.phantoms[phantom];
        let has = |q: &&u32| self.receive[**q as usize].is_waiting();
        let first = if self.figures.mechanisms.by_priority {
            queues.iter().find(has).copied()
        } else {
            // Whoever came first.
            self.arrivals.iter().find(|q| queues.contains(q) && has(q)).copied()
        };
        let Some(queue) = first else { return self.empty };
        let of = &self.receive[queue as usize];
        match of.class {
            Class::Express => self.pop(queue),
            Class::Basic => format::basic_word(queue, of.producer(), of.consumer()),
        }
    }

    /// Messages that are in queues, in the miss queue, or kept in memory.
    pub fn held(&self) -> usize {
        self.miss.len() + self.receive.iter().map(Receive::held).sum::<usize>()
    }
}

/// The word that tells the receiver of a message.
fn word_of(packet: &Packet, slot: u64, format: Format) -> u64 {
    let (payload, tag) = match packet.body {
        Body::Express { payload } => (payload, None),
        Body::TagOn { payload, is_long, .. } => (payload, Some(Tag { place: slot as u32, is_long })),
        Body::Basic { .. } | Body::Deposit { .. } => (0, None),
    };
    format.word(&Arrived { payload, source: packet.source, tag })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::recorder::figures;

    const FIGURES: &str = "
        beat = { value = '20 ns', other = 'x' }
        tenure = { value = '40 ns', other = 'x' }
        arbitration = { value = '20 ns', other = 'x' }
        address_bits = { value = 5, other = 'x' }
        data_bits = { value = 32, other = 'x' }
        queues = { value = 32, other = 'x' }
        express = { value = 2, other = 'x' }
        basic = { value = 2, other = 'x' }
        depth = { value = 3, other = 'x' }
        miss_places = { value = 4, other = 'x' }
        tag_short = { value = '48 B', other = 'x' }
        tag_long = { value = '80 B', other = 'x' }
        packet = { value = '88 B', other = 'x' }
        read = { value = '200 ns', other = 'x' }
        fill = { value = '200 ns', other = 'x' }
        write = { value = '100 ns', other = 'x' }
        ibus = { value = '400 MB/s', other = 'x' }
        transmit = { value = '80 ns', other = 'x' }
        receive = { value = '80 ns', other = 'x' }
        service = { value = '4 us', other = 'x' }
        miss_queue = { value = true, other = 'x' }
        diverts = { value = true, other = 'x' }
        translates = { value = true, other = 'x' }
        by_priority = { value = true, other = 'x' }
        serves = { value = true, other = 'x' }
        one_access = { value = true, other = 'x' }
        streams = { value = true, other = 'x' }";

    fn nes(changed: &str) -> Nes {
        let name = changed.split(' ').next().unwrap_or_default();
        let kept: Vec<&str> =
            FIGURES.lines().filter(|l| name.is_empty() || !l.trim().starts_with(&format!("{name} "))).collect();
        Nes::new(&figures(&format!("{}\n{changed}", kept.join("\n")), Figures::new).unwrap())
    }

    fn express(queue: u32, payload: u64) -> Packet {
        Packet { queue, source: 1, body: Body::Express { payload } }
    }

    fn payload(nes: &Nes, word: u64) -> Option<u64> {
        nes.figures.format.of_word(word).map(|arrived| arrived.payload)
    }

    #[test]
    fn a_message_goes_to_its_queue_or_else_to_the_miss_queue() {
        let mut nes = nes("");
        let placed: Vec<Placed> = (0..4).map(|i| nes.arrive(express(0, i))).collect();
        assert_eq!(placed[..3], [0, 1, 2].map(|_| Placed::In { slot: 0 }));
        assert_eq!(placed[3], Placed::Missed, "the queue is full");
        assert_eq!(nes.arrive(express(20, 9)), Placed::Missed, "the queue is not resident");
        assert_eq!([nes.arrive(express(20, 10)), nes.arrive(express(21, 11))], [Placed::Missed, Placed::Missed]);
        assert_eq!(nes.arrive(express(20, 12)), Placed::Blocked(express(20, 12)), "the miss queue is full");
        assert_eq!(nes.held(), 7);
    }

    #[test]
    fn room_that_appears_while_older_messages_are_elsewhere_is_not_for_younger_ones() {
        for (figure, order) in
            [("", vec![0, 1, 2, 3, 4]), ("diverts = { value = false, other = 'x' }", vec![0, 1, 2, 4, 3])]
        {
            let mut nes = nes(figure);
            (0..4).for_each(|i| _ = nes.arrive(express(0, i)));
            let mut seen = vec![nes.pop(0)];
            nes.arrive(express(0, 4));
            seen.extend([nes.pop(0), nes.pop(0)]);
            if !figure.is_empty() {
                seen.push(nes.pop(0)); // it has overtaken
            }
            while nes.serve_miss().is_some() {}
            nes.refill(0);
            let mut next = || Some(nes.pop(0)).filter(|word| *word != EMPTY);
            seen.extend(std::iter::from_fn(&mut next));
            assert_eq!(seen.iter().map(|w| payload(&nes, *w).unwrap()).collect::<Vec<_>>(), order, "{figure}");
        }
    }

    #[test]
    fn the_service_processor_keeps_messages_until_there_is_room() {
        let mut nes = nes("");
        (0..4).for_each(|i| _ = nes.arrive(express(0, i)));
        assert_eq!(nes.serve_miss(), Some(0));
        assert!(nes.refill(0).is_empty() && nes.receive(0).is_diverted(), "it is still full");
        nes.pop(0);
        assert_eq!(nes.refill(0), [(0, express(0, 3))]);
        assert!(!nes.receive(0).is_diverted());
        assert_eq!(nes.serve_miss(), None);
    }

    #[test]
    fn without_a_miss_queue_messages_are_lost() {
        let mut nes = nes("miss_queue = { value = false, other = 'x' }");
        assert_eq!(nes.arrive(express(20, 1)), Placed::Lost);
    }

    #[test]
    fn a_class_has_so_many_places() {
        let mut nes = nes("");
        assert!(nes.set_resident(4, true).is_err());
        nes.set_resident(0, false).unwrap();
        nes.set_resident(4, true).unwrap();
        assert!(nes.is_resident(4) && nes.transmit(4).is_resident && !nes.is_resident(0));
        assert!(nes.set_resident(20, true).is_err(), "a Basic queue takes no place of the others");
    }

    #[test]
    fn a_poll_answers_for_the_most_important_queue_that_has_a_message() {
        let mut nes = nes("");
        let phantom = nes.phantom(vec![1, 2, 0]);
        assert_eq!(nes.poll(phantom), EMPTY);
        nes.arrive(express(0, 7));
        nes.arrive(Packet { queue: 2, source: 0, body: Body::Basic { data: vec![5] } });
        nes.arrive(express(1, 8));
        let word = nes.poll(phantom);
        assert_eq!(payload(&nes, word), Some(8));
        assert_eq!(format::basic_ready(nes.poll(phantom)), Some((2, 1, 0)));
        assert_eq!(format::basic_ready(nes.poll(phantom)), Some((2, 1, 0)), "the poll does not take it");
        nes.consume(2, 1);
        let word = nes.poll(phantom);
        assert_eq!(payload(&nes, word), Some(7));
        nes.empty = 3;
        assert_eq!(nes.poll(phantom), 3, "software chooses what an empty queue returns");
    }

    #[test]
    fn data_of_tag_on_messages_have_slots_which_are_freed_in_any_order() {
        let mut nes = nes("");
        let tag =
            |payload| Packet { queue: 0, source: 0, body: Body::TagOn { payload, is_long: true, data: vec![0; 10] } };
        let slots: Vec<Placed> = (0..3).map(|i| nes.arrive(tag(i))).collect();
        assert_eq!(slots, [0, 1, 2].map(|slot| Placed::In { slot }));
        (0..3).for_each(|_| _ = nes.pop(0));
        nes.free_slot(0, 1);
        assert_eq!(nes.arrive(tag(3)), Placed::Missed, "slot 0 is next, and in use");
        nes.free_slot(0, 0);
        nes.serve_miss();
        assert_eq!(nes.refill(0)[0].0, 0);
    }

    #[test]
    fn only_destinations_of_a_row_can_be_named() {
        let mut nes = nes("");
        let there = Entry { site: 3, queue: 9, source: 4 };
        nes.table.set(5, 200, Some(there));
        assert_eq!([nes.translate(5, 200), nes.translate(5, 201), nes.translate(6, 200)], [Some(there), None, None]);
        nes.table.set(5, 200, None);
        assert_eq!(nes.translate(5, 200), None);
    }
}
