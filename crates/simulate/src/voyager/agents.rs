//! What acts by itself: the endpoint's units, its block transfers, the service processor, and what is in the network.

use super::{receive_buffer, transmit_buffer, Transfer, Voyager, ENDPOINT, LINE, SERVICE, SLOT};
use fathom_machine::parts::memory_bus::SRAM;
use fathom_machine::parts::nes::format::Sent;
use fathom_machine::parts::nes::queue::Class;
use fathom_machine::parts::nes::table::Entry;
use fathom_machine::parts::nes::{Body, Packet, Placed};
use fathom_machine::{Data, Serves, Time, Words};

#[derive(Clone, Debug)]
pub enum Event {
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

impl Voyager {
    pub(super) fn at(&mut self, when: Time, site: usize, event: Event) {
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
    pub(super) fn serve(&mut self, now: Time, site: usize, event: Event) {
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
    pub(super) fn transmit(&mut self, now: Time, site: usize, to: u32, packet: Packet) -> Time {
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
    pub(super) fn fetch(&mut self, now: Time, site: usize, at: u64, bytes: u64) -> (Vec<u64>, Time) {
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
    pub(super) fn drop_lines(&mut self, now: Time, site: usize, at: u64, bytes: u64) {
        if self.reclaims {
            lines_of(at, bytes).for_each(|line| _ = self.sites[site].bus.borrow_mut().kill(now, ENDPOINT, line));
        }
    }

    /// Sends an Express or Tag-On message from its queue; when it has left the queue.
    pub(super) fn send(&mut self, now: Time, site: usize, sent: Sent, data: u32) -> Time {
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

    /// A message leaves its queue: by the unit, or, if the queue is not resident, by the service processor at `now`,
    /// which may be later than what the unit does next.
    fn leave(&mut self, now: Time, site: usize, (queue, to): (u32, u32), packet: Packet) -> Time {
        if self.sites[site].nes.is_resident(queue) {
            return self.transmit(now, site, to, packet);
        }
        self.at(now, site, Event::Leaves(to, packet));
        now
    }

    pub(super) fn translated(&mut self, site: usize, queue: u32, destination: u32) -> Option<Entry> {
        let entry = self.sites[site].nes.translate(queue, destination);
        let entry = entry.filter(|entry| (entry.site as usize) < self.sites.len());
        if entry.is_none() {
            self.sites[site].refused += 1;
        }
        entry
    }

    /// The producer pointer of a Basic queue says that messages are ready.
    pub(super) fn send_basic(&mut self, now: Time, site: usize, queue: u32, producer: u64) {
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

    // ---- block transfers
    // ----------------------------------------------------------------------------------------------

    /// A packet of a block transfer is read over the bus, whoever has its lines, and sent.
    pub(super) fn transfer(&mut self, now: Time, site: usize, transfer: Transfer) {
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
    pub(super) fn write(&mut self, now: Time, site: usize, master: usize, at: u64, data: &[u64]) -> Time {
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
}

fn lines_of(at: u64, bytes: u64) -> impl Iterator<Item = u64> {
    let first = at & !(LINE - 1);
    (first..at + bytes).step_by(LINE as usize)
}
