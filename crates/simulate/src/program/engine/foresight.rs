//! Turns that are known before their time.
//!
//! A thread that stops to read its clock, or goes on from a barrier, needs nothing from the engine but its own state. If
//! several such stops are the next events, the threads are told the order of their turns, and hand them on among
//! themselves ([`Threads::foresee`]). They stop doing so where one of them has an event earlier than the next turn, so
//! the order and the times are those of turns that are given one by one. The engine then asks for the same turns as
//! ever, and finds that they have been taken.

use super::{Engine, State, CLOCK};
use crate::program::stops::{Ballot, Foreseen, Stop, Turn};
use fathom_machine::Time;
use std::collections::VecDeque;

/// How far ahead turns are foreseen.
pub(super) struct Foresight {
    /// The threads whose turns have been told and not taken, in their order.
    told: VecDeque<u32>,
    /// The most turns that are told: more after all of the last ones have come, fewer after they have not.
    reach: usize,
}

const LEAST: usize = 2;
const MOST: usize = 4096;

impl Default for Foresight {
    fn default() -> Self {
        Foresight { told: VecDeque::new(), reach: LEAST }
    }
}

impl Foresight {
    /// What was told has not come: something else happens.
    pub(super) fn fails(&mut self) {
        if !self.told.is_empty() {
            self.told.clear();
            self.reach = (self.reach / 2).max(LEAST);
        }
    }

    /// Whether this turn has been told.
    fn has_told(&mut self, t: u32) -> bool {
        if self.told.front() != Some(&t) {
            self.fails();
            return false;
        }
        self.told.pop_front();
        if self.told.is_empty() {
            self.reach = (self.reach * 2).min(MOST);
        }
        true
    }
}

impl Engine<'_> {
    /// Before thread `t` has its turn: tells the job which turns follow, unless it knows.
    pub(super) fn foresee(&mut self, t: u32) {
        if self.foresight.has_told(t) || !self.threads[t as usize].unserved.is_empty() {
            return;
        }
        let before = self.events.peek().map_or(Time::MAX, |event| event.0.at);
        let mut turns = vec![];
        self.turns.end();
        for (at, next) in self.turns.in_order().take(self.foresight.reach) {
            // Of things at one time, what is under way comes first.
            let Some((clock, answer)) = self.goes_on_by_itself(next, at).filter(|_| at < before) else { break };
            let turn = Turn::Run { now: clock, answer, barriers: self.will_know(next, clock) };
            turns.push(Foreseen { thread: next, at, turn });
        }
        if !turns.is_empty() {
            self.foresight.told = turns.iter().map(|turn| turn.thread).collect();
            self.job.foresee(turns);
        }
    }

    /// The clock and the answer with which a thread will go on at its next event, if that is a turn that depends on
    /// nothing but its own state.
    fn goes_on_by_itself(&self, t: u32, at: Time) -> Option<(Time, u64)> {
        let thread = &self.threads[t as usize];
        // These are served when it stops, whatever else happens at that time.
        if thread.is_ahead || !thread.unserved.is_empty() {
            return None;
        }
        match thread.state {
            State::Arriving(complete) => return Some((complete, 0)),
            State::Active if thread.records.is_empty() && thread.due() == at => {}
            _ => return None,
        }
        match thread.stop {
            Stop::Start | Stop::Full | Stop::Served => Some((at, 0)),
            Stop::Order if thread.inbox.is_empty() => Some((at + self.machine.look()?, 0)),
            Stop::Clock => Some((at + CLOCK, at + CLOCK)),
            Stop::Wait(_) if thread.has_news => Some((at, 0)),
            _ => None,
        }
    }

    /// The barriers that are complete for a thread at its clock, and what was said at the last.
    fn will_know(&self, t: u32, clock: Time) -> (u32, Ballot) {
        let thread = &self.threads[t as usize];
        let over = thread.complete.iter().take_while(|(_, at, _)| *at <= clock);
        over.last().map_or(thread.told, |(number, _, ballot)| (*number, *ballot))
    }
}
