//! Barriers are messages between the engine's own agents: a dissemination barrier (Hensgen, Finkel and Manber 1988), as
//! `core/barrier.c` has it, by agents that pass news on as soon as they come. Where a node has several threads, they
//! gather there first, the node has one agent, and it lets them go, as conduit mpi does it. Some machines have barriers
//! in hardware.

use super::{Engine, Noted, State, What};
use crate::program::accounts::Part;
use crate::program::stops::Ballot;
use fathom_machine::Time;

/// Bytes of a message of a barrier.
pub(crate) const BALLOT: u64 = 8;

/// A node's agent at a barrier.
#[derive(Clone, Debug, Default)]
pub(super) struct Agent {
    /// The threads that have come.
    here: u32,
    /// Since when it can send the next round's news; None before all threads of the node have notified. Before that, in
    /// `came`, when the last came.
    ready: Option<Time>,
    came: Time,
    round: u32,
    heard: Ballot,
    pub(super) news: Vec<Option<(Time, Ballot)>>,
}

impl Engine<'_> {
    /// Thread `t` notifies its next barrier.
    pub(super) fn notified(&mut self, t: u32, ballot: &Ballot) {
        self.accounts.operate(self.threads[t as usize].place, true, 0);
        let thread = self.thread(t);
        thread.notified += 1;
        thread.spent.barriers += 1;
        let (number, now) = (thread.notified, thread.clock);
        self.tell(|history, _| history.note(t, Noted::Notified));
        if let Some(after) = self.machine.announce(now, t) {
            self.thread(t).clock = after;
            self.spend(t, Part::Overhead, now, after);
            return self.announced(number, t, ballot);
        }
        let node = self.nodes.node_of(t);
        let size = self.nodes.size(node);
        let meeting = self.machine.meeting(size);
        let agent = self.agent(number, node);
        agent.heard.merge(ballot);
        agent.here += 1;
        agent.came = agent.came.max(now);
        if agent.here == size {
            agent.ready = Some(agent.came + meeting);
            self.begin_round(number, node);
            self.advance(number, node);
        }
    }

    fn rounds(&self) -> u32 {
        self.nodes.count().next_power_of_two().trailing_zeros()
    }

    pub(super) fn agent(&mut self, barrier: u32, node: u32) -> &mut Agent {
        let (nodes, rounds) = (self.nodes.count() as usize, self.rounds() as usize);
        let fresh = Agent { news: vec![None; rounds], ..Agent::default() };
        &mut self.agents.entry(barrier).or_insert_with(|| vec![fresh; nodes])[node as usize]
    }

    /// Sends what the agent has heard to the agent of this round.
    fn begin_round(&mut self, barrier: u32, node: u32) {
        let (rounds, nodes) = (self.rounds(), self.nodes);
        let Agent { ready: Some(ready), round, heard, .. } = *self.agent(barrier, node) else { return };
        if round == rounds {
            return;
        }
        let to = (node + (1 << round)) % nodes.count();
        let times = self.machine.message(ready, nodes.leader(node), nodes.leader(to), BALLOT);
        self.push(times.arrives.at, to, What::News(barrier, round, heard));
    }

    pub(super) fn advance(&mut self, barrier: u32, node: u32) {
        let (rounds, nodes) = (self.rounds(), self.nodes);
        loop {
            let agent = self.agent(barrier, node);
            let (Some(ready), round) = (agent.ready, agent.round) else { return };
            if round == rounds {
                let ballot = agent.heard;
                agent.ready = None;
                let left = self.left.entry(barrier).or_insert(nodes.count() as usize);
                *left -= 1;
                if *left == 0 {
                    self.left.remove(&barrier);
                    self.agents.remove(&barrier);
                }
                let free = ready + self.machine.meeting(nodes.size(node));
                for t in nodes.members(node) {
                    self.thread(t).complete.push_back((barrier, free, ballot));
                    self.complete_barriers(t);
                }
                return;
            }
            let Some((came, ballot)) = agent.news[round as usize] else { return };
            agent.heard.merge(&ballot);
            agent.round += 1;
            let from = (node + nodes.count() - (1 << round)) % nodes.count();
            let received = self.machine.receive(came, nodes.leader(node), nodes.leader(from), BALLOT);
            self.agent(barrier, node).ready = Some(ready.max(received));
            self.begin_round(barrier, node);
        }
    }

    /// At a barrier in hardware: the last that comes lets all go on.
    fn announced(&mut self, barrier: u32, t: u32, ballot: &Ballot) {
        let heard = self.heard.entry(barrier).or_default();
        heard.merge(ballot);
        let heard = *heard;
        let Some(over) = self.machine.leave(t) else { return };
        self.heard.remove(&barrier);
        for other in 0..self.threads.len() as u32 {
            let at = if other == t { over } else { self.machine.leave(other).unwrap_or(over) };
            self.thread(other).complete.push_back((barrier, at, heard));
        }
        (0..self.threads.len() as u32).for_each(|other| self.complete_barriers(other));
    }

    /// Lets a thread go on that waits for a barrier which is complete.
    pub(super) fn complete_barriers(&mut self, t: u32) {
        let thread = self.thread(t);
        let Some(&(_, at, _)) = thread.complete.front() else { return };
        if thread.state != State::Waiting {
            return;
        }
        let since = thread.clock;
        let mut until = since.max(at);
        if until > since {
            until += thread.lateness.draw();
        }
        thread.clock = until;
        self.spend(t, Part::Waiting, since, until);
        self.wake(t);
    }
}
