//! A thread's turn: its next record is performed, or it has come to its stop and goes on.

use super::served;
use super::{Engine, Failure, Noted, State, Thread, CLOCK};
use crate::program::accounts::Part;
use crate::program::charges::How;
use crate::program::stops::{Ballot, Ended, Stop, Stopped, Turn};
use fathom_machine::{prefetch_all, Due, Time};

/// Waits with a limit after which each thread is taken to wait for ever.
const IDLE: u64 = 2000;

impl Engine<'_> {
    pub(super) fn turn(&mut self, now: Time, t: u32) -> Result<(), Failure> {
        let is_served = self.is_served();
        let thread = &mut self.threads[t as usize];
        if let State::Arriving(complete) = thread.state {
            thread.clock = complete;
            return self.go_on(t, 0);
        }
        if thread.state == State::Waiting {
            return self.waited(now, t);
        }
        if now < thread.due() {
            // It has served a message since.
            self.schedule(t);
            return Ok(());
        }
        if let Some(record) = thread.records.pop_front() {
            match thread.records.front() {
                Some(next) => prefetch_all(next),
                None => self.job.more(t, &mut thread.records),
            }
            (thread.clock, thread.place) = (now, record.place);
            self.idle = 0;
            self.spend(t, Part::Work, now - record.work, now);
            let mut what = record.what;
            self.tell(|history, _| history.begin(t, &what));
            self.take_piece(t, &mut what);
            self.perform(t, what);
            self.stays_calm();
            if !self.thread(t).is_blocked() {
                self.schedule(t);
            }
            return Ok(());
        }
        let work = std::mem::take(&mut thread.work);
        (thread.clock, thread.place) = (now, thread.stops_at);
        self.spend(t, Part::Work, now - work, now);
        let thread = self.thread(t);
        match thread.stop {
            Stop::Start | Stop::Full | Stop::Served => self.go_on(t, 0),
            Stop::Order | Stop::Again => {
                // Who looks for messages takes those that are there.
                self.leave_processor(t);
                self.look(t);
                self.go_on(t, 0)
            }
            Stop::Clock => {
                let clock = now + CLOCK;
                self.thread(t).clock = clock;
                self.spend(t, Part::Overhead, now, clock);
                self.go_on(t, clock)
            }
            Stop::Sleep(time) => {
                // Messages that it serves meanwhile do not make it longer.
                let end = now.saturating_add(time);
                thread.state = State::Arriving(end);
                self.spend(t, Part::Waiting, now, end);
                self.schedule_at(end, t);
                Ok(())
            }
            Stop::Test(id) => {
                let is_complete = thread.begun.get(id).is_none_or(|it| it.complete.at <= now);
                if is_complete {
                    self.finish(t, id);
                } else {
                    self.tell(|history, _| history.tested(t, id));
                }
                self.look(t);
                self.go_on(t, u64::from(is_complete))
            }
            Stop::Arrival(transfer) if is_served => {
                self.request(t, &transfer, served::Kind::Ordered);
                Ok(())
            }
            Stop::Arrival(transfer) => {
                self.tell(|history, _| history.transfer(t, &transfer, None));
                let mut times = self.transfer(t, &transfer, How::Blocking);
                times.complete.at += self.thread(t).lateness.draw();
                self.thread(t).state = State::Arriving(times.complete.at);
                self.wait_for(t, Part::Transfers, times.free.at, times.complete);
                self.tell(|history, _| history.complete(t));
                self.schedule_at(times.arrives.at, t);
                Ok(())
            }
            Stop::Wait(_) if thread.has_news => self.go_on(t, 0),
            Stop::Wait(limit) => {
                thread.state = State::Waiting;
                self.leave_processor(t);
                self.complete_barriers(t);
                if limit > 0 && self.thread(t).state == State::Waiting {
                    self.schedule_at(now + limit, t);
                }
                Ok(())
            }
            Stop::End => {
                self.foresight.fails();
                let stopped = self.job.go_on(t, &Turn::Run { now, answer: 0, barriers: (0, Ballot::default()) })?;
                if stopped.stop != Stop::End {
                    // In a replay: it has yet to serve others.
                    self.stopped(t, stopped)?;
                    self.schedule(t);
                    return Ok(());
                }
                let thread = self.thread(t);
                thread.state = State::Ended;
                thread.spent.end = now;
                Ok(())
            }
        }
    }

    /// The limit of a thread's wait has come.
    fn waited(&mut self, now: Time, t: u32) -> Result<(), Failure> {
        let most = IDLE * self.threads.len() as u64;
        self.idle += 1;
        if self.idle > most && self.flights.is_empty() && self.threads.iter().all(Thread::waits) {
            return Err(Failure::Deadlock(self.who_waits()));
        }
        let since = std::mem::replace(&mut self.thread(t).clock, now);
        self.spend(t, Part::Waiting, since, now);
        self.go_on(t, 0)
    }

    /// Gives a thread its turn at its clock.
    fn go_on(&mut self, t: u32, answer: u64) -> Result<(), Failure> {
        if self.thread(t).again.is_some() {
            return self.goes_on_again(t);
        }
        let is_ahead = std::mem::take(&mut self.thread(t).is_ahead);
        if is_ahead {
            self.foresight.fails();
        } else {
            self.calm = 0;
            self.foresee(t);
        }
        self.pass_barriers(t);
        let thread = &mut self.threads[t as usize];
        // One that is ahead has not seen what has come since it began.
        thread.has_news &= is_ahead;
        thread.state = State::Active;
        let turn = Turn::Run { now: thread.clock, answer, barriers: thread.told };
        let stopped = self.job.go_on(t, &turn)?;
        self.outcome.turns += 1;
        self.stir(t);
        self.stopped(t, stopped)?;
        self.begin(t);
        self.schedule(t);
        Ok(())
    }

    /// Barriers that are complete at a thread's clock are over for it.
    pub(super) fn pass_barriers(&mut self, t: u32) {
        let thread = &mut self.threads[t as usize];
        while let Some(&(number, at, ballot)) = thread.complete.front() {
            if at > thread.clock {
                break;
            }
            thread.complete.pop_front();
            thread.told = (number, ballot);
            if let Some(history) = &mut self.accounts.history {
                history.note(t, Noted::Passed);
            }
        }
    }

    /// Has a thread begin its next turn if that depends on nothing but its own state, so that it runs while its records are
    /// performed. What others do until the engine comes to that turn cannot matter to it in a program without data races.
    /// A turn of another thread has to wait until it has ended: so it begins when there has been none for some time.
    fn begin(&mut self, t: u32) {
        let thread = &mut self.threads[t as usize];
        if thread.stop == Stop::Full && !std::mem::replace(&mut thread.is_ready, true) {
            self.ready.push(t);
        }
        if self.calm >= self.calm_enough() {
            self.begin_ready();
        }
    }

    fn calm_enough(&self) -> u64 {
        (16 * self.threads.len() as u64).min(1000)
    }

    /// Has the threads begin that may, in the order in which they have stopped.
    fn begin_ready(&mut self) {
        for t in std::mem::take(&mut self.ready) {
            let thread = &mut self.threads[t as usize];
            thread.is_ready = false;
            let may_begin = thread.stop == Stop::Full && !thread.is_ahead && thread.unserved.is_empty();
            if may_begin && self.flights.is_empty() {
                let turn = Turn::Run { now: thread.clock, answer: 0, barriers: thread.told };
                thread.is_ahead = self.job.begin(t, &turn);
                thread.has_news &= !thread.is_ahead;
            }
        }
    }

    /// A record has been performed, and no thread has had a turn.
    fn stays_calm(&mut self) {
        // What others write ahead of their time, those that poll would not see at the right one.
        if self.polling.count == 0 {
            self.calm += 1;
        }
        if self.calm == self.calm_enough() {
            self.begin_ready();
        }
    }

    /// Whether a message can be served where a thread stands.
    pub(super) fn may_serve(&mut self, t: u32) -> Result<bool, Ended> {
        match self.thread(t).is_ahead {
            true => self.job.may_serve(t),
            false => Ok(self.thread(t).may_serve),
        }
    }

    pub(super) fn stopped(&mut self, t: u32, stopped: Stopped) -> Result<(), Failure> {
        if stopped.stop == Stop::Again {
            self.begin_again(t, &stopped);
        }
        let thread = self.thread(t);
        thread.records = stopped.records.into();
        (thread.stop, thread.work, thread.may_serve) = (stopped.stop, stopped.work, stopped.may_serve);
        thread.stops_at = stopped.place;
        while self.thread(t).may_serve {
            let Some((came, from, message)) = self.thread(t).unserved.pop_front() else { break };
            let now = Due { at: came.at.max(self.now), late: came.late };
            self.serve(now, t, from, &message)?;
        }
        Ok(())
    }

    /// Enters the turn of a thread that has waited; it comes in the order of time.
    pub(super) fn wake(&mut self, t: u32) {
        let thread = self.thread(t);
        (thread.state, thread.stop, thread.work) = (State::Active, Stop::Full, 0);
        self.schedule(t);
    }
}
