//! Why a program's time could not be computed, and which thread waits for what.

use super::{Engine, State, Thread};
use crate::program::stops::{Ended, Note, NOTES};
use fathom_machine::Time;
use std::collections::BTreeSet;

/// Why a program's time could not be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The job has ended before its threads have; it has said why.
    Ended,
    /// All threads wait, and nothing is under way. The sentence says what they wait for.
    Deadlock(String),
    /// The machine's clock, which counts 53 days, is at its end.
    TooLong,
}

/// Picoseconds: what the machine's clock counts, 53 days, as that of a thread does (`SIM_LONGEST` in conduit `sim`).
pub(super) const LONGEST: Time = 1 << 62;

/// What is wrong with a run that [`Failure::TooLong`] ends.
pub const TOO_LONG: &str =
    "the run takes more than the 53 days that the machine's clock counts: does the program sleep \
                            that long, is a figure of the machine file too large, or a rate too small?";

impl From<Ended> for Failure {
    fn from(_: Ended) -> Self {
        Failure::Ended
    }
}

impl Engine<'_> {
    /// Who asks for a lock, and who has it: nothing depends on it but the sentence of [`Engine::who_waits`].
    pub(super) fn lock(&mut self, t: u32, note: &Note) {
        let lock = (note.with, note.offset);
        match NOTES[usize::from(note.what)] {
            "LOCK_ASKED" => self.thread(t).asks = Some(lock),
            "LOCK_TAKEN" => {
                self.thread(t).asks = None;
                self.holders.insert(lock, t);
            }
            "LOCK_FREED" => _ = self.holders.remove(&lock),
            _ => {}
        }
    }

    /// Who waits for what, if nothing is under way.
    pub(super) fn who_waits(&self) -> String {
        let numbers = |which: &dyn Fn(&Thread) -> bool| -> Vec<usize> {
            (0..self.threads.len()).filter(|t| which(&self.threads[*t])).collect()
        };
        let list = |of: Vec<usize>| {
            let some: Vec<String> = of.iter().take(5).map(usize::to_string).collect();
            let more = if of.len() > 5 { format!(" and {} more", of.len() - 5) } else { String::new() };
            format!("{} {}{more}", if of.len() == 1 { "thread" } else { "threads" }, some.join(", "))
        };
        let waits = numbers(&|t| t.state == State::Waiting && t.told.0 == t.notified && t.asks.is_none());
        let locks = numbers(&|t| t.state == State::Waiting && t.told.0 == t.notified && t.asks.is_some());
        let barrier = numbers(&|t| t.state == State::Waiting && t.told.0 != t.notified);
        let polls = numbers(&|t| t.again.is_some());
        let ended = numbers(&|t| t.state == State::Ended);
        let blocked = numbers(&Thread::is_blocked);
        let mut parts = vec![];
        if !locks.is_empty() {
            let asked = locks.iter().filter_map(|t| self.threads[*t].asks);
            let holders: BTreeSet<usize> = asked.filter_map(|lock| Some(*self.holders.get(&lock)? as usize)).collect();
            let verb = if locks.len() == 1 { "waits" } else { "wait" };
            let held = match holders.len() {
                0 => "a lock".into(),
                1 => format!("a lock that {} holds", list(holders.into_iter().collect())),
                _ => format!("locks that {} hold", list(holders.into_iter().collect())),
            };
            parts.push(format!("{} {verb} for {held}", list(locks)));
        }
        let changes = "for a change of shared objects that nobody changes";
        for (which, what) in
            [(barrier, "at a barrier"), (waits, "for a message"), (blocked, "for a transfer"), (polls, changes)]
        {
            if !which.is_empty() {
                let verb = if which.len() == 1 { "waits" } else { "wait" };
                parts.push(format!("{} {verb} {what}", list(which)));
            }
        }
        if !ended.is_empty() {
            let verb = if ended.len() == 1 { "has" } else { "have" };
            parts.push(format!("{} {verb} terminated", list(ended)));
        }
        parts.join(", ")
    }
}
