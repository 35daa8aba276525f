//! Active messages: they are sent, arrive, and are served by the receiver's processor, whatever its thread does.

use super::{Engine, Failure, Noted, State, Turn, What};
use crate::program::accounts::{Part, SERVING};
use crate::program::stops::{Done, Message};
use fathom_machine::{Due, Time};

impl Engine<'_> {
    /// Sends a message, whose sender is late by `late`; when the sender is free.
    pub(super) fn send(&mut self, now: Time, from: u32, message: Message, late: Time) -> Due {
        let times = self.machine.message(now, from, message.to, message.bytes);
        let place = self.threads[from as usize].place;
        self.accounts.operate(place, true, message.bytes);
        let sent = Noted::Sent { with: message.to, bytes: message.bytes, is_reply: message.is_reply };
        self.tell(|history, _| history.message(from, place, now, sent));
        if let Some(pictures) = &mut self.accounts.pictures {
            pictures.operate(from, message.to, false, true, message.bytes);
        }
        let last = self.last.entry((from, message.to, message.is_reply)).or_insert(0);
        let arrives = times.arrives.at.max(*last);
        *last = arrives;
        let spent = &mut self.thread(from).spent;
        spent.messages += 1;
        spent.bytes += message.bytes;
        self.sent += 1;
        self.push(arrives, message.to, What::Arrival(self.sent));
        self.flights.insert(self.sent, (from, message, late + times.arrives.late));
        times.free
    }

    /// A message has come, and has waited for others for so long.
    pub(super) fn arrival(&mut self, now: Time, t: u32, number: u64, waited: Time) -> Result<(), Failure> {
        let Some((from, message, late)) = self.flights.remove(&number) else { return Ok(()) };
        let now = Due { at: now, late: late + waited };
        if self.thread(t).state == State::Ended {
            return Ok(());
        }
        if !self.may_serve(t)? || !self.thread(t).unserved.is_empty() {
            self.thread(t).unserved.push_back((now, from, message));
            return Ok(());
        }
        self.serve(now, t, from, &message)
    }

    /// Has a thread's agent serve a message that has come at `now`. It serves one after the other, and leaves the
    /// processor to a thread that is at work for as long as it took to receive the message. A thread that waits goes on.
    pub(super) fn serve(&mut self, now: Due, t: u32, from: u32, message: &Message) -> Result<(), Failure> {
        self.idle = 0;
        self.end_again(t);
        let free = now.at.max(self.thread(t).busy);
        // A thread that waits serves it, and goes on, when it has its processor again.
        let thread = self.thread(t);
        let waits = !matches!(thread.state, State::Active | State::Ended) && thread.busy <= now.at;
        let begin = if waits { free + thread.lateness.draw() } else { free };
        // It has waited for those that were served before.
        let begins = Due { at: begin, late: now.late + (free - now.at) };
        self.foresight.fails();
        self.calm = 0;
        let stopped = self.job.go_on(t, &Turn::Serve(from, message))?;
        self.stir(t);
        let mut after = self.machine.receive(begin, t, from, message.bytes);
        let received = after;
        let served = Noted::Served { with: from, bytes: message.bytes, is_reply: message.is_reply };
        self.tell(|history, _| history.message(t, SERVING, received, served));
        let place = std::mem::replace(&mut self.thread(t).place, SERVING);
        for record in stopped.records {
            if let Done::Sent(reply) = record.what {
                after = self.send(after, t, reply, begins.late).at;
            }
        }
        let thread = self.thread(t);
        thread.place = place;
        thread.has_news = true;
        thread.busy = after;
        match thread.state {
            State::Waiting => {
                let since = thread.clock;
                thread.clock = since.max(after);
                self.wait_for(t, Part::Waiting, since, begins);
                self.serve_until(t, begin.max(since), after.max(since));
                self.wake(t);
            }
            State::Active => {
                thread.clock += after - begin;
                // Not for its waits: others would wait for them, and so on.
                thread.inbox.pause(after + (received - begin));
                self.serve_until(t, begin, after);
            }
            // While it waits anyway.
            State::Arriving(_) | State::Blocked(_) | State::Ended => {}
        }
        self.tell(|history, _| history.served(t));
        Ok(())
    }

    /// A thread spends time on serving messages.
    fn serve_until(&mut self, t: u32, from: Time, to: Time) {
        let place = std::mem::replace(&mut self.thread(t).place, SERVING);
        self.spend(t, Part::Overhead, from, to);
        self.thread(t).place = place;
    }
}
