//! Threads that poll their own memory: again and again they do the same, until another thread has written there or they
//! serve a message ([`Stop::Again`]).
//!
//! What such a thread does needs none of its turns. The engine performs it, with the times that it would have; and where
//! nothing of it depends on others, the thread *rests*: it has no next event, and what it would have done is added up when
//! something comes to it. What others write they write in their turns, so a thread that is touched in another's turn has done
//! the same until then, and has its own turn at its first poll behind it in the order of events.

use super::{Engine, Failure, State, Thread};
use crate::program::accounts::Part;
use crate::program::stops::{Done, Record, Stop, Stopped, Touched};
use fathom_machine::{Due, Time};

/// What a thread does between two polls.
pub(super) struct Again {
    stopped: Stopped,
    /// How often it has done so without a turn.
    times: u64,
    /// It has no next event.
    pub(super) rests: bool,
}

#[derive(Default)]
pub(super) struct Polling {
    /// The threads that do something again and again.
    pub(super) count: usize,
    /// What such threads have done so since it was last looked whether anybody does anything else.
    polls: usize,
}

impl Engine<'_> {
    /// A thread has stopped, and will do the same again.
    pub(super) fn begin_again(&mut self, t: u32, stopped: &Stopped) {
        let is_own = |record: &Record| matches!(record.what, Done::Settle | Done::Accesses(_));
        let has_again = self.thread(t).again.is_some();
        if !has_again && stopped.records.iter().all(is_own) {
            let again = Again { stopped: stopped.clone(), times: 0, rests: false };
            self.thread(t).again = Some(Box::new(again));
            self.polling.count += 1;
        }
    }

    /// It may do something else at its next poll, which is its turn.
    pub(super) fn end_again(&mut self, t: u32) {
        self.wake_up(t);
        let thread = self.thread(t);
        let Some(again) = thread.again.take() else { return };
        thread.stop = Stop::Order;
        self.polling.count -= 1;
        self.job.repeated(t, again.times);
    }

    /// Those that poll, and into whose memory thread `t` has written in its turn, see that at their next polls.
    pub(super) fn stir(&mut self, t: u32) {
        if self.polling.count == 0 {
            return;
        }
        let touched = match self.job.touched(t) {
            Touched::These(threads) => threads,
            Touched::Any => (0..self.threads.len() as u32).collect(),
        };
        touched.into_iter().filter(|other| *other != t).for_each(|other| self.end_again(other));
    }

    /// A thread does the same again, at its clock, instead of a turn.
    pub(super) fn goes_on_again(&mut self, t: u32) -> Result<(), Failure> {
        self.calm = 0;
        self.pass_barriers(t);
        let thread = &mut self.threads[t as usize];
        (thread.has_news, thread.state) = (false, State::Active);
        let Some(again) = &mut thread.again else { return Ok(()) };
        again.times += 1;
        let stopped = again.stopped.clone();
        self.stopped(t, stopped)?;
        if self.may_rest(t) {
            if let Some(again) = &mut self.thread(t).again {
                again.rests = true;
            }
            return Ok(());
        }
        self.schedule(t);
        self.polling.polls += 1;
        if self.polling.polls > 2 * self.threads.len() {
            self.polling.polls = 0;
            let is_idle = |thread: &Thread| match thread.state {
                State::Active => thread.again.is_some(),
                State::Waiting => thread.stop == Stop::Wait(0),
                State::Blocked(_) | State::Ended => true,
                State::Arriving(_) => false,
            };
            if self.events.is_empty() && self.threads.iter().all(is_idle) {
                return Err(Failure::Deadlock(self.who_waits()));
            }
        }
        Ok(())
    }

    /// Whether nothing of what a thread does again and again depends on when it does so, or is seen by anybody.
    fn may_rest(&self, t: u32) -> bool {
        let thread = &self.threads[t as usize];
        let Some(again) = &thread.again else { return false };
        let settles = |record: &Record| record.what == Done::Settle;
        self.machine.look().is_some()
            && self.accounts.history.is_none()
            && again.stopped.records.iter().all(settles)
            && thread.unsettled == 0
            && thread.settled == Due::default()
            && thread.inbox.is_empty()
            && thread.unserved.is_empty()
            && thread.notified == thread.told.0
    }

    /// A thread that rests has its next poll behind the event that is performed: what it has done before is added up.
    pub(super) fn wake_up(&mut self, t: u32) {
        let (at, who) = self.event;
        let look = self.machine.look().unwrap_or(0);
        let thread = &mut self.threads[t as usize];
        let Some(again) = thread.again.as_mut().filter(|again| again.rests) else { return };
        again.rests = false;
        let stopped = &again.stopped;
        let works: Vec<(u32, Time)> = stopped.records.iter().map(|record| (record.place, record.work)).collect();
        let work: Time = works.iter().map(|(_, work)| work).sum::<Time>() + stopped.work;
        let (first, cycle, place) = (thread.clock + work, work + look, stopped.place);
        let last_work = stopped.work;
        // Of events at one time, what is under way comes first, then threads by their numbers.
        let is_before = if who.is_some_and(|who| t < who) { first <= at } else { first < at };
        let times = match is_before {
            true if who.is_some_and(|who| t < who) => (at - first) / cycle + 1,
            true => (at - 1 - first) / cycle + 1,
            false => 0,
        };
        again.times += times;
        let mut now = thread.clock;
        // A picture has each in its place.
        let (rounds, each) = if self.accounts.pictures.is_some() { (times, 1) } else { (times.min(1), times) };
        for _ in 0..rounds {
            for (place, work) in works.iter().copied().chain([(place, last_work)]) {
                self.threads[t as usize].place = place;
                self.spend(t, Part::Work, now, now + each * work);
                now += each * work;
            }
            self.spend(t, Part::Overhead, now, now + each * look);
            now += each * look;
        }
        self.thread(t).clock = now;
        self.schedule(t);
    }
}
