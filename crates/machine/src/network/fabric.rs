//! Ports and links, each held by one message at a time, and the time for which a message holds them.
//!
//! A message goes through its sender's port, the links of its route, and its receiver's port. Several nodes may share a
//! port, as the two processors of a T3D node do. Links are of at most two kinds ([`Routes`] says which is of which), each
//! with its own rate and hop time.
//!
//! On a wire a message is packets of at most `packet` bytes, each with a header, and words with control bits: the rate of
//! a wire is not that of its payload. The packets of one message follow each other without a gap.

use super::routes::Routes;
use super::{Carries, Flight};
use crate::contention::Ports;
use crate::Time;

/// How the bytes of a message are packed.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The greatest payload of a packet.
    pub packet: u64,
    /// What a packet has besides, in bytes on the wire. Control bits need not be whole bytes.
    pub header: f64,
    /// The unit that is sent whole.
    pub word: u64,
    /// What a word has besides.
    pub word_control: f64,
}

impl Format {
    /// No packets and no control bits.
    pub const BARE: Format = Format { packet: u64::MAX, header: 0.0, word: 1, word_control: 0.0 };

    /// The packets, at least one, and the words of a message.
    fn counts(&self, bytes: u64) -> (u64, u64) {
        (
            if bytes <= self.packet { 1 } else { bytes.div_ceil(self.packet) },
            if self.word == 1 { bytes } else { bytes.div_ceil(self.word) },
        )
    }
}

/// Times are computed in 2^-20 picoseconds and rounded once for each message.
const FRACTION: u32 = 20;

fn fine(ps: f64) -> u64 {
    (ps * f64::from(1 << FRACTION)).round() as u64
}

/// A kind of link or port.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    /// The time from a byte's arrival at this link to its arrival at the next.
    hop: Time,
    packet: u64,
    word: u64,
}

impl Wire {
    /// `rate` is in bytes per picosecond, on the wire.
    pub fn new(format: &Format, rate: f64, hop: Time) -> Self {
        Wire { hop, packet: fine(format.header / rate), word: fine((format.word as f64 + format.word_control) / rate) }
    }

    /// How long a message holds the wire.
    fn holds(&self, (packets, words): (u64, u64)) -> Time {
        let total = u128::from(packets) * u128::from(self.packet) + u128::from(words) * u128::from(self.word);
        ((total + (1 << (FRACTION - 1))) >> FRACTION) as Time
    }
}

/// The figures of a fabric.
#[derive(Clone, Debug)]
pub struct Figures {
    pub format: Format,
    /// The kinds of links, as [`Routes::route`] numbers them. Its `hop` has no meaning for a port.
    pub links: [Wire; 2],
    pub port: Wire,
    /// The number of nodes that share a port.
    pub share: u32,
    /// For how long a message holds a port besides its bytes: the next one begins later by this.
    pub gap: Time,
    /// From a byte's leaving its sender to its arrival at the first link.
    pub enter: Time,
    /// From the last router to the receiver.
    pub leave: Time,
    pub o_send: Time,
    pub o_recv: Time,
}

/// The links from a port to another one.
#[derive(Clone, Debug)]
struct Way {
    from: u32,
    to: u32,
    /// Of each link its number, which is at most 2^24, and in the last bit its kind.
    links: Vec<u32>,
}

impl Way {
    /// The links that a message of these ports takes. Where it goes is known before when it comes there: so the processor
    /// reads all at once.
    #[inline]
    fn find(&mut self, routes: &impl Routes, links: &Ports, from: u32, to: u32) {
        (self.from, self.to) = (from, to);
        self.links.clear();
        routes.route(from, to, |link, kind| {
            links.expect(link);
            self.links.push(2 * link + kind as u32);
        });
    }
}

/// No port.
const NOWHERE: u32 = u32::MAX;

/// A network of links.
#[derive(Clone, Debug)]
pub struct Fabric<R> {
    routes: R,
    figures: Figures,
    links: Ports,
    out: Ports,
    into: Ports,
    /// For each node its sender's and its receiver's port, if there were no messages but its own.
    alone: [Ports; 2],
    /// The way of the present message, and that of the answer to the last one that was no answer.
    way: Way,
    back: Way,
    /// The last message that was no answer has been answered: so will be the next one, as a rule.
    is_answered: bool,
    /// For how long messages of this number of bytes hold the wires: most messages are as long as the one before.
    held: (u64, Held),
}

impl<R: Routes> Fabric<R> {
    pub fn new(routes: R, figures: Figures) -> Self {
        let links = Ports::new(routes.links() as usize);
        // New ones and no copies: the system gives memory for those that are used.
        let [out, into] = [(); 2].map(|()| Ports::new(routes.ports() as usize));
        let alone = [(); 2].map(|()| Ports::new((routes.ports() * figures.share) as usize));
        let held = (0, Held::new(&figures, 0));
        let [way, back] = [(); 2].map(|()| Way { from: NOWHERE, to: NOWHERE, links: vec![] });
        Fabric { routes, figures, links, out, into, alone, way, back, is_answered: false, held }
    }
}

impl<R: Routes> Fabric<R> {
    /// Carries a message of node `from`, or a reply to node `to`. Beside its times it computes those that it would
    /// have if there were no messages but this node's: they wait for each other at the port where they enter, or
    /// where they come back, for as long as the slowest wire on the way holds them.
    fn fly(&mut self, now: Time, from: u32, to: u32, bytes: u64, is_reply: bool) -> Flight {
        if self.held.0 != bytes {
            self.held = (bytes, Held::new(&self.figures, bytes));
        }
        let held = self.held.1;
        let Figures { links: kinds, share, enter, leave, .. } = &self.figures;
        let alone = if is_reply { to } else { from };
        let (from, to) = (from / share, to / share);

        let links = &mut self.links;
        if is_reply && (self.back.from, self.back.to) == (from, to) {
            std::mem::swap(&mut self.way, &mut self.back);
        } else {
            self.way.find(&self.routes, links, from, to);
        }
        self.into.expect(to);
        self.alone[usize::from(is_reply)].expect(alone);
        self.back.to = NOWHERE;
        if std::mem::replace(&mut self.is_answered, is_reply) && !is_reply {
            self.back.find(&self.routes, links, to, from);
            self.out.expect(to);
            self.into.expect(from);
        }

        let begin = self.out.take(from, now, held.port_and_gap);
        let sent = begin + held.port;
        let (mut head, mut tail) = (begin + enter, sent + enter);
        let mut hops = [0; 2];
        for &link in &self.way.links {
            let (link, kind) = (link / 2, if R::HAS_LONG_LINKS { link as usize % 2 } else { 0 });
            let begin = links.take(link, head, held.links[kind]);
            // A slower link before this one may deliver the last byte later than this one could pass it on.
            tail = tail.max(begin + held.links[kind]) + kinds[kind].hop;
            head = begin + kinds[kind].hop;
            hops[kind] += 1;
        }
        let begin = self.into.take(to, head, held.port_and_gap);
        let tail = tail.max(begin + held.port) + leave;
        let idle = IdleFlight::new(&self.figures, &held, hops);
        let reaches = if is_reply { now + idle.head } else { now };
        let waits = self.alone[usize::from(is_reply)].take(alone, reaches, idle.slowest) - reaches;
        let alone = now + waits + idle.tail + leave;
        Flight { sent, head: begin + leave, tail, late: tail.saturating_sub(alone) }
    }
}

/// For how long a message holds each wire.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// By its bytes: then its last one has left, or come.
    port: Time,
    /// Until the port takes the next message.
    port_and_gap: Time,
    links: [Time; 2],
}

impl Held {
    fn new(figures: &Figures, bytes: u64) -> Held {
        let counts = figures.format.counts(bytes);
        let port = figures.port.holds(counts);
        Held { port, port_and_gap: port + figures.gap, links: figures.links.map(|link| link.holds(counts)) }
    }
}

/// A message on idle wires: when its first and its last byte have passed this number of hops of each kind, from its begin
/// on. Between the two lies the time for which the slowest wire holds it, so that the order of the hops does not matter.
struct IdleFlight {
    head: Time,
    tail: Time,
    /// How long the slowest wire, or a port with its gap, holds it.
    slowest: Time,
}

impl IdleFlight {
    fn new(figures: &Figures, held: &Held, hops: [u32; 2]) -> IdleFlight {
        let (mut head, mut slowest_link) = (figures.enter, 0);
        for (kind, count) in hops.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            head += Time::from(count) * figures.links[kind].hop;
            slowest_link = held.links[kind].max(slowest_link);
        }
        let slowest = held.port_and_gap.max(slowest_link);
        IdleFlight { head, tail: head + held.port.max(slowest_link), slowest }
    }
}

impl<R: Routes> Carries for Fabric<R> {
    fn nodes(&self) -> u32 {
        self.routes.ports() * self.figures.share
    }

    fn carry(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Flight {
        self.fly(now, from, to, bytes, false)
    }

    fn carry_back(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Flight {
        self.fly(now, from, to, bytes, true)
    }

    fn steps(&self, from: u32, to: u32, bytes: u64) -> Vec<(String, Time)> {
        let held = Held::new(&self.figures, bytes);
        let Figures { links: kinds, share, enter, leave, .. } = &self.figures;
        let mut hops = [0; 2];
        self.routes.route(from / share, to / share, |_, kind| hops[kind] += 1);
        let idle = IdleFlight::new(&self.figures, &held, hops);
        let mut steps = vec![("from the processor into the network".to_string(), *enter)];
        for (kind, what) in [(0, "hops"), (1, "hops over the other kind of link")] {
            if hops[kind] > 0 {
                steps.push((what.to_string(), Time::from(hops[kind]) * kinds[kind].hop));
            }
        }
        let wire = if idle.slowest > held.port { "the slowest link" } else { "the port" };
        steps.push((format!("its bytes, at the rate of {wire}"), idle.tail - idle.head));
        steps.push(("from the network to the processor".to_string(), *leave));
        steps.retain(|(_, time)| *time > 0);
        steps
    }

    fn send_overhead(&self, _: u64) -> Time {
        self.figures.o_send
    }

    fn receive_overhead(&self, _: u64) -> Time {
        self.figures.o_recv
    }
}
