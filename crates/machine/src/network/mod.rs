//! Networks: what carries a message from one node to another, and when it arrives.
//!
//! A network is asked once for each message and answers with times ([`Carries`]). There are two sorts. A [`fabric`] has
//! ports and links, each of which one message at a time holds; a topology ([`routes`]: torus, mesh, ring, fat tree,
//! dragonfly, crossbar) says which links a message takes. [`loggp`] has the parameters of LogGP, by the size of a message,
//! and no links: contention is at the ends only.
//!
//! Messages advance by virtual cut-through: the first byte leaves a link `hop` after it came, the link is held for as long
//! as the message takes at its rate, and a message that has to wait is held by the router in front. So a message that
//! waits blocks no other link, as one would with wormhole routing.
//!
//! Threads on one node share its memory ([`near`]) and its ports.
//!
//! A machine with several networks, such as the four rings of the SPP-1000, has one of these for each, and chooses.

mod description;
pub mod fabric;
pub mod loggp;
pub mod near;
pub mod routes;

pub use description::{build, KINDS};

use crate::contention::Due;
use crate::Time;

/// Bytes of a request for data, and of the acknowledgement of a put.
pub const REQUEST: u64 = 8;

/// What carries messages between nodes.
///
/// Results are exact if messages come to each port and link in the order of the calls. Calls in the order of `now` come
/// near to it, since only messages whose flights overlap can overtake each other: see [`Server`](crate::Server).
/// tests/reference.rs has the size of the error.
pub trait Carries {
    /// The number of nodes; they are numbered from 0.
    fn nodes(&self) -> u32;

    /// Carries `bytes` bytes that node `from` gives to its network interface at `now`.
    ///
    /// # Panics
    /// A node's number is not less than [`nodes`](Self::nodes).
    fn carry(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Flight;

    /// The same for a reply: node `to` has asked for it, so that it is one of this node's messages.
    fn carry_back(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Flight {
        self.carry(now, from, to, bytes)
    }

    /// What a message's time consists of if nothing else is under way: the time of each step, in their order.
    fn steps(&self, from: u32, to: u32, bytes: u64) -> Vec<(String, Time)>;

    /// The time for which a message occupies the processor that sends it (LogGP's o). It belongs to the caller: a message
    /// is given to the network at its end.
    fn send_overhead(&self, bytes: u64) -> Time;

    /// The time for which a message occupies the processor that receives it, from its last byte on.
    fn receive_overhead(&self, bytes: u64) -> Time;

    /// What transfers cost that are begun one after the other and waited for later, where that is not what as many messages
    /// cost. None: it is.
    fn stream(&self, _of: Streamed) -> Option<Stream> {
        None
    }

    /// Whether the answers to puts and gets ask for their ports when they set out, beside what others send meanwhile:
    /// where any stream has [`back`](Stream::back). Otherwise a port is reserved for them in advance.
    fn answers_take_turns(&self) -> bool {
        Streamed::ALL.into_iter().any(|of| self.stream(of).is_some_and(|stream| stream.back > 0))
    }

    /// Carries the data of such a put or get: of a put those of node `from`, of a get those that node `to` has asked
    /// for.
    fn carry_streamed(&mut self, now: Time, from: u32, to: u32, bytes: u64, of: Streamed) -> Flight {
        match of.is_put() {
            true => self.carry(now, from, to, bytes),
            false => self.carry_back(now, from, to, bytes),
        }
    }

    /// Carries what goes the other way, where that takes its turn at ports ([`Stream::back`]): the request of such a get
    /// or the acknowledgement of such a put, which is one of node `to`'s messages.
    fn carry_against(&mut self, now: Time, from: u32, to: u32, of: Streamed) -> Flight {
        match of.is_put() {
            true => self.carry_back(now, from, to, REQUEST),
            false => self.carry(now, from, to, REQUEST),
        }
    }

    /// The time of a message that nothing is in the way of, and that is in nobody's way, from its sender's interface to
    /// its last byte at the receiver. Only asked where there is a [`stream`](Self::stream).
    fn time_alone(&self, _bytes: u64) -> Time {
        0
    }
}

/// Which transfers follow each other without waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streamed {
    /// Gets that are begun.
    Get,
    /// Puts that are begun.
    Put,
    /// Relaxed puts, each of which has left its thread's memory when the thread goes on: of single words, as a rule.
    Relaxed,
}

impl Streamed {
    /// In the order of their numbers.
    pub const ALL: [Streamed; 3] = [Streamed::Get, Streamed::Put, Streamed::Relaxed];

    pub fn is_put(self) -> bool {
        self != Streamed::Get
    }
}

/// Puts or gets that are under way together. Software that carries them over messages puts several into one, and one
/// answer is for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Beginning one occupies its processor.
    pub overhead: Time,
    /// From the last byte of one to the first of the next at a port.
    pub gap: Time,
    /// For how long what goes the other way, a get's request or a put's acknowledgement, holds a port. 0: it is in nobody's
    /// way.
    pub back: Time,
}

/// The three moments of a message, and what of the last is others' doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// The last byte has left the sender: its buffer can be used again, and but for a gap its port is free.
    pub sent: Time,
    /// The first byte is at the receiver.
    pub head: Time,
    /// The last byte is at the receiver.
    pub tail: Time,
    /// How much earlier that would be if there were no messages but those of the same node.
    pub late: Time,
}

impl Flight {
    /// When the last byte is at the receiver.
    pub fn arrival(&self) -> Due {
        Due { at: self.tail, late: self.late }
    }
}
