//! What a thread has done itself since its last stop: transfers, waits for them, accesses; and where its time goes.

use super::{served, Engine, State};
use crate::program::accounts::Part;
use crate::program::charges::{How, Times};
use crate::program::stops::{Access, Done, Record, Transfer};
use fathom_machine::{Due, Time};
use std::cmp::Reverse;
use std::collections::VecDeque;

/// A request is on its way to another memory for longer than this.
const AHEAD: Time = 200_000;

impl Engine<'_> {
    /// Looks for messages, in vain.
    pub(super) fn look(&mut self, t: u32) {
        let now = self.thread(t).clock;
        let after = self.machine.poll(now, t);
        self.thread(t).clock = after;
        self.spend(t, Part::Overhead, now, after);
    }

    /// Waits for a transfer that was begun.
    pub(super) fn finish(&mut self, t: u32, id: u64) {
        let now = self.thread(t).clock;
        if self.awaits(t, served::Awaited::Begun(id)) {
            return;
        }
        let Some(what) = self.thread(t).begun.remove(id) else { return };
        let after = self.machine.finish(now, t, &what);
        self.wait_until(t, now, after);
        self.tell(|history, _| history.awaited(t, id));
    }

    /// Waits for a transfer that was begun. As long as that takes no time, it goes on with the one of its next record: most are
    /// complete when the first one is. The thread's next event would be at this time again, and the earliest, since it has
    /// been that before and no other thread's event has changed.
    fn finish_each(&mut self, t: u32, mut id: u64) {
        let now = self.thread(t).clock;
        let comes_next =
            self.accounts.history.is_none() && self.events.peek().is_none_or(|Reverse(event)| now < event.at);
        loop {
            self.finish(t, id);
            let thread = &mut self.threads[t as usize];
            if !comes_next || thread.clock != now || thread.state != State::Active {
                return;
            }
            let next = thread.records.front();
            let Some(&Record { work: 0, what: Done::Await(more), place }) = next else { return };
            (id, thread.place) = (more, place);
            thread.records.pop_front();
            if thread.records.is_empty() {
                self.job.more(t, &mut thread.records);
            }
            self.outcome.events += 1;
        }
    }

    pub(super) fn transfer(&mut self, t: u32, what: &Transfer, how: How) -> Times {
        let now = self.thread(t).clock;
        let times = self.machine.transfer(now, t, what, how);
        self.latest = self.latest.max(times.complete.at);
        self.wait_for(t, Part::Overhead, now, times.free);
        self.count(t, what);
        times
    }

    /// Counts a transfer that begins, or goes on.
    pub(super) fn count(&mut self, t: u32, what: &Transfer) {
        self.accounts.operate(self.threads[t as usize].place, !what.piece.is_rest, what.bytes);
        if let Some(pictures) = &mut self.accounts.pictures {
            pictures.operate(t, what.with, !what.is_put, !what.piece.is_rest, what.bytes);
        }
        let spent = &mut self.thread(t).spent;
        spent.bytes += what.bytes;
        if !what.piece.is_rest {
            *(if what.is_put { &mut spent.puts } else { &mut spent.gets }) += 1;
        }
    }

    /// Takes the next piece of what a thread has done; the rest stays its next record.
    pub(super) fn take_piece(&mut self, t: u32, what: &mut Done) {
        let (transfer, how) = match what {
            Done::Blocking(transfer) => (transfer, How::Blocking),
            Done::Relaxed(transfer) => (transfer, How::Relaxed),
            Done::Begun(transfer, _) => (transfer, How::Begun),
            _ => return,
        };
        let most = self.machine.piece(transfer, how);
        if transfer.bytes <= most {
            return;
        }
        let mut rest = *transfer;
        (rest.bytes, rest.offset) = (transfer.bytes - most, transfer.offset + most);
        rest.piece.is_rest = true;
        (transfer.bytes, transfer.piece.has_more) = (most, true);
        let rest = match what {
            Done::Blocking(_) => Done::Blocking(rest),
            Done::Begun(_, id) => Done::Begun(rest, *id),
            _ => Done::Relaxed(rest),
        };
        let place = self.thread(t).place;
        self.thread(t).records.push_front(Record { work: 0, what: rest, place });
    }

    /// Performs what a thread has done at its clock.
    pub(super) fn perform(&mut self, t: u32, what: Done) {
        match what {
            Done::Blocking(transfer) if self.is_served() => self.request(t, &transfer, served::Kind::Blocking),
            Done::Relaxed(transfer) if self.is_served() => self.request(t, &transfer, served::Kind::Relaxed),
            Done::Begun(transfer, id) if self.is_served() => {
                self.request(t, &transfer, served::Kind::Begun(id));
            }
            Done::Blocking(transfer) if self.sets_out(t, &transfer, served::Kind::Blocking) => {}
            Done::Blocking(transfer) => {
                let times = self.transfer(t, &transfer, How::Blocking);
                self.wait_until(t, times.free.at, times.complete);
                if !transfer.piece.has_more {
                    self.tell(|history, _| history.complete(t));
                }
            }
            Done::Relaxed(transfer) if self.sets_out(t, &transfer, served::Kind::Relaxed) => {
                if !transfer.piece.has_more {
                    self.tell(|history, _| history.handed_over(t));
                }
            }
            Done::Relaxed(transfer) => {
                let times = self.transfer(t, &transfer, How::Relaxed);
                let thread = self.thread(t);
                thread.clock = times.free.at;
                thread.settled = thread.settled.max(times.complete);
                if !transfer.piece.has_more {
                    self.tell(|history, _| history.handed_over(t));
                }
            }
            Done::Begun(transfer, id) if self.sets_out(t, &transfer, served::Kind::Begun(id)) => {}
            Done::Begun(transfer, id) => {
                let times = self.transfer(t, &transfer, How::Begun);
                let thread = self.thread(t);
                thread.clock = times.free.at;
                thread.begun.insert(id, transfer.is_put, transfer.bytes, times.complete);
            }
            Done::Await(id) => self.finish_each(t, id),
            Done::Settle if self.awaits(t, served::Awaited::Puts) => {}
            Done::Settle => self.settle(t),
            Done::Sent(message) => {
                let now = self.thread(t).clock;
                let free = self.send(now, t, message, 0);
                self.thread(t).clock = free.at;
                self.wait_for(t, Part::Overhead, now, free);
            }
            Done::Accesses(list) => self.access(t, list),
            Done::Places(text) => self.accounts.name(&text),
            Done::Worked(list) => self.accounts.worked(&list),
            Done::Noted(note) => {
                self.lock(t, &note);
                self.tell(|history, _| history.noted(t, &note));
            }
            Done::Notified(ballot) => self.notified(t, &ballot),
        }
    }

    /// Accesses of a thread to its own memory, as far as no other thread comes before; the rest stays its next record. Another
    /// processor's request may be at this memory then: it must not wait for accesses that are later than it.
    fn access(&mut self, t: u32, mut list: VecDeque<Access>) {
        let next = self.events.peek().map_or(Time::MAX, |Reverse(event)| event.at);
        let until = next.min(self.turns.next_beside(t)).saturating_add(AHEAD);
        let began = self.thread(t).clock;
        let (mut now, mut work) = (began, 0);
        while let Some(access) = list.front_mut() {
            let this = std::mem::take(&mut access.work);
            (now, work) = (now + this, work + this);
            if now > until {
                break;
            }
            if let Some(at) = access.at {
                now = self.machine.access(now, t, at, access.is_write);
            }
            list.pop_front();
        }
        let thread = self.thread(t);
        thread.clock = now;
        if !list.is_empty() {
            let place = thread.place;
            thread.records.push_front(Record { work: 0, what: Done::Accesses(list), place });
        }
        self.spend(t, Part::Work, began, began + work);
        self.spend(t, Part::Memory, began + work, now);
    }

    /// Waits until relaxed puts are known to be complete.
    pub(super) fn settle(&mut self, t: u32) {
        let thread = self.thread(t);
        let (now, settled) = (thread.clock, std::mem::take(&mut thread.settled));
        let after = self.machine.settle(now, t, settled);
        self.wait_until(t, now, after);
        self.tell(|history, _| history.settled(t));
    }

    /// For a transfer.
    pub(super) fn wait_until(&mut self, t: u32, now: Time, mut complete: Due) {
        if complete.at > now {
            complete.at += self.thread(t).lateness.draw();
        }
        self.thread(t).clock = now.max(complete.at);
        self.wait_for(t, Part::Transfers, now, complete);
    }

    /// A thread spends the time from `now` until a moment on a part, and on waiting for what others do.
    pub(super) fn wait_for(&mut self, t: u32, part: Part, now: Time, until: Due) {
        let late = until.late_after(now);
        self.spend(t, Part::Contention, now, now + late);
        self.spend(t, part, now + late, until.at.max(now));
    }

    #[inline]
    pub(super) fn spend(&mut self, t: u32, part: Part, from: Time, to: Time) {
        if from == to && self.accounts.history.is_none() {
            return;
        }
        let thread = &mut self.threads[t as usize];
        *thread.spent.part_mut(part) += to - from;
        self.accounts.spend(t, thread.place, part, from, to);
    }
}
