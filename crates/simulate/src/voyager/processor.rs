//! The operations of an application processor: accesses past the caches, which the endpoint answers, and accesses by
//! the cache.

use super::agents::Event;
use super::{receive_buffer, At, Transfer, Voyager, APPLICATION, LINE, SLOT};
use fathom_machine::parts::memory_bus::Operation;
use fathom_machine::parts::nes::format::Sent;
use fathom_machine::{Access, Places, Serves, Time, Words};

impl Voyager {
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
    pub(super) fn served(&mut self, now: Time, site: usize, queue: u32) -> Time {
        if self.sites[site].nes.is_resident(queue) {
            return now;
        }
        let service = self.figures.service;
        self.sites[site].serves.take(now, service) + service
    }

    /// There may be room in a queue for what the service processor keeps.
    pub(super) fn room(&mut self, now: Time, site: usize, queue: u32) {
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
