//! Several threads on each node: what they do within it goes through its memory, everything else over the network, whose
//! ports the threads of a node share.

use super::charges::{Charges, How, OneSided, Times};
use super::stops::Transfer;
use fathom_machine::description::Serves;
use fathom_machine::network::loggp::{LogGp, Piece};
use fathom_machine::network::near::Near;
use fathom_machine::network::{self, Carries};
use fathom_machine::{Description, Due, Nodes, Time};

pub(super) struct Clustered {
    nodes: Nodes,
    near: Near,
    far: OneSided,
    /// The number of the network's own nodes from the first thread of one of ours to the first of the next.
    stride: u32,
}

impl Clustered {
    /// # Errors
    /// What the machine lacks for these nodes.
    pub fn new(description: &Description, nodes: Nodes) -> Result<Self, String> {
        if description.network.is_none() {
            description.check_cores(nodes.per_node())?;
        }
        let near = Near::new(description, nodes.count())?;
        let (_, stride) = description.sharing()?;
        let network = match &description.network {
            Some(_) => network::build(description)?,
            // One node, whose threads never come to it.
            None => nowhere(nodes.per_node())?,
        };
        let has = if description.network.is_some() { network.nodes() / stride } else { 1 };
        if has < nodes.count() {
            let of = |n: u32| if n == 1 { "1 node".to_string() } else { format!("{n} nodes") };
            let (asked, each) = (nodes.count(), nodes.per_node());
            return Err(format!("it has {}, and {asked} are asked for, with {each} threads on each", of(has)));
        }
        Ok(Clustered {
            nodes,
            near,
            far: OneSided::new(network, description.serves()?).with_lateness(description.lateness()?),
            stride,
        })
    }

    /// The thread's number on the network.
    fn place(&self, thread: u32) -> u32 {
        self.nodes.node_of(thread) * self.stride + self.nodes.index_of(thread)
    }
}

fn nowhere(threads: u32) -> Result<Box<dyn Carries>, String> {
    let piece = Piece { from: 0, latency: 0, o_send: 0, o_recv: 0, gap: 0, gap_per_byte: 0.0 };
    Ok(Box::new(LogGp::new(vec![piece], 1, threads)?))
}

impl Charges for Clustered {
    fn serves(&self) -> Serves {
        self.far.serves()
    }

    fn lateness(&self) -> Time {
        self.far.lateness()
    }

    fn transfer(&mut self, now: Time, me: u32, what: &Transfer, how: How) -> Times {
        if !self.nodes.are_near(me, what.with) {
            let what = Transfer { with: self.place(what.with), ..*what };
            return self.far.transfer(now, self.place(me), &what, how);
        }
        // The thread's own processor copies, whether it waits for that or not.
        let end = self.near.transfer(now, self.nodes.node_of(me), what.is_put, what.bytes);
        let free = if how == How::Blocking { Due::on_time(now) } else { end };
        Times { free, arrives: end, complete: end }
    }

    fn begins(&mut self, now: Time, me: u32, what: &Transfer, how: How) -> Option<Times> {
        if self.nodes.are_near(me, what.with) {
            return None;
        }
        let what = Transfer { with: self.place(what.with), ..*what };
        self.far.begins(now, self.place(me), &what, how)
    }

    fn answered(&mut self, now: Time, me: u32, what: &Transfer, how: How) -> Due {
        let what = Transfer { with: self.place(what.with), ..*what };
        self.far.answered(now, self.place(me), &what, how)
    }

    fn message(&mut self, now: Time, from: u32, to: u32, bytes: u64) -> Times {
        if !self.nodes.are_near(from, to) {
            return self.far.message(now, self.place(from), self.place(to), bytes);
        }
        let (free, arrives) = self.near.message(now, self.nodes.node_of(from), bytes);
        Times { free, arrives, complete: arrives }
    }

    fn receive(&mut self, now: Time, me: u32, from: u32, bytes: u64) -> Time {
        match self.nodes.are_near(me, from) {
            true => now + self.near.receive_overhead(),
            false => self.far.receive(now, self.place(me), self.place(from), bytes),
        }
    }

    fn poll(&mut self, now: Time, me: u32) -> Time {
        self.far.poll(now, self.place(me))
    }

    fn look(&self) -> Option<Time> {
        self.far.look()
    }

    fn message_steps(&self, from: u32, to: u32, bytes: u64) -> Vec<(String, Time)> {
        match self.nodes.are_near(from, to) {
            true => self.near.message_steps(bytes),
            false => self.far.message_steps(self.place(from), self.place(to), bytes),
        }
    }

    fn steps_within_node(&self, me: u32, what: &Transfer) -> Option<Vec<(String, Time)>> {
        self.nodes.are_near(me, what.with).then(|| self.near.transfer_steps(what.is_put, what.bytes))
    }

    fn nodes(&self, _: u32) -> Nodes {
        self.nodes
    }

    fn meeting(&self, threads: u32) -> Time {
        self.near.meeting(threads)
    }

    fn prepare_memory(&mut self, _: &Description, _: u32) -> Result<(), String> {
        Err("caches are simulated where each thread has a processor of its own, not for several threads on a node"
            .into())
    }

    fn access(&mut self, now: Time, _: u32, _: u64, _: bool) -> Time {
        now
    }
}
