//! The controller in front of a memory, with its read-ahead logic: a program chooses when it is loaded whether the
//! logic is on (copy-transfer study, section 3.5.1). Off, this part does nothing.
//!
//! After each line that is read, the controller reads the next one, for which the memory takes `busy`. A load of that
//! line takes `hit`. Everything else waits until the controller has finished: so read-ahead that nobody needs delays
//! the next access. A store keeps the memory for `store`. A change of the page keeps it, too; its time is that of the
//! memory behind.

use crate::access::{Access, Data, Kind, Reply, Serves};
use crate::description::Wanted;
use crate::parts::Next;
use crate::Time;

pub struct ReadAhead<D> {
    is_on: bool,
    line: u64,
    hit: Time,
    busy: Time,
    store: Time,
    /// What an access takes that finds its page open.
    on_page: Time,
    /// The line that was read ahead, and when it is there.
    ahead: Option<(u64, Time, D)>,
    /// When the controller began to read it.
    began: Time,
    /// From when on the memory is idle.
    idle: Time,
    next: Next<D>,
}

impl<D: Data> ReadAhead<D> {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted, next: Next<D>) -> Result<Self, String> {
        Ok(ReadAhead {
            is_on: figures.switch("on")?,
            line: figures.power_of_two("line", figures.bytes("line")?)?,
            hit: figures.time("hit")?,
            busy: figures.time("busy")?,
            store: figures.time("store")?,
            on_page: figures.time("on_page")?,
            ahead: None,
            began: 0,
            idle: 0,
            next,
        })
    }

    /// A memory with this in front, or as it is if the logic is off: asking it costs less then.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn in_front(figures: &Wanted, next: Next<D>) -> Result<Next<D>, String> {
        let controller = Self::new(figures, next)?;
        Ok(if controller.is_on { Box::new(controller) } else { controller.next })
    }

    /// An access of the memory behind, and what it takes more than one that finds its page open.
    fn ask(&mut self, at: Time, access: &Access<D>) -> (Reply<D>, Time) {
        let reply = self.next.access(at, access);
        (reply, (reply.done - at).saturating_sub(self.on_page))
    }

    /// Reads a line ahead from `at` on.
    fn read_ahead(&mut self, at: Time, line: u64) {
        let (reply, more) = self.ask(at, &Access::load(line, self.line as u32));
        self.began = at;
        self.idle = at + self.busy + more;
        self.ahead = Some((line, self.idle, reply.data));
    }

    fn load(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let line = access.at & !(self.line - 1);
        if let Some((_, ready, data)) = self.ahead.filter(|(ahead, ..)| *ahead == line) {
            let done = now.max(ready) + self.hit;
            self.read_ahead(now.max(self.idle), line + self.line);
            return Reply { free: done, done, data };
        }
        let (reply, _) = self.ask(now.max(self.idle), access);
        self.read_ahead(reply.done, line + self.line);
        reply
    }

    fn store(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        // Who waits already comes before what nobody has asked for.
        if self.ahead.take().is_some() && now <= self.began {
            self.idle = self.began;
        }
        let begin = now.max(self.idle);
        let (reply, more) = self.ask(begin, access);
        self.idle = begin + self.store + more;
        reply
    }
}

impl<D: Data> Serves<D> for ReadAhead<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        match access.kind {
            _ if !self.is_on => self.next.access(now, access),
            Kind::Load => self.load(now, access),
            Kind::Uncached | Kind::Prefetch => self.next.access(now.max(self.idle), access),
            Kind::Store | Kind::Reserve => self.store(now, access),
        }
    }

    fn drain(&mut self, now: Time) -> Time {
        self.next.drain(now)
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        let line = at & !(self.line - 1);
        self.ahead = self.ahead.filter(|(ahead, ..)| *ahead != line);
        self.next.place(at, bytes, data);
    }

    fn settle(&mut self, now: Time) {
        self.next.settle(now);
    }

    fn forget(&mut self, at: u64) {
        self.next.forget(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::recorder::Recorder;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// A memory whose accesses take 100 and open no page.
    fn controller(is_on: bool) -> (ReadAhead<()>, Rc<RefCell<Recorder>>) {
        let memory = Recorder::new(100);
        let next = Box::new(memory.clone());
        let (line, ahead, began, idle) = (32, None, 0, 0);
        (ReadAhead { is_on, line, hit: 40, busy: 50, store: 30, on_page: 100, ahead, began, idle, next }, memory)
    }

    fn asked(memory: &Rc<RefCell<Recorder>>) -> Vec<(Time, u64)> {
        memory.borrow().asked.iter().map(|(now, _, at, _)| (*now, *at)).collect()
    }

    #[test]
    fn off_it_does_nothing() {
        let (mut controller, memory) = controller(false);
        assert_eq!(controller.access(7, &Access::load(64, 32)).done, 107);
        assert_eq!(controller.access(8, &Access::store(96, 8, ())).done, 108);
        assert_eq!(asked(&memory), [(7, 64), (8, 96)]);
    }

    #[test]
    fn the_next_line_is_there_and_another_one_waits_for_it() {
        let (mut controller, memory) = controller(true);
        let mut load = |now, at| controller.access(now, &Access::load(at, 32)).done;
        assert_eq!(load(0, 64), 100);
        // It is read from 100 to 150; the one after it from then on.
        assert_eq!([load(160, 96), load(200, 128)], [200, 250]);
        assert_eq!(load(300, 4096), 400);
        // Nobody asks for what follows it.
        assert_eq!(load(420, 8192), 550);
        assert_eq!(
            asked(&memory),
            [(0, 64), (100, 96), (160, 128), (210, 160), (300, 4096), (400, 4128), (450, 8192), (550, 8224)]
        );
    }

    #[test]
    fn a_store_comes_before_reading_ahead_only_if_it_waits_already() {
        let store = |at| Access::store(at, 8, ());
        let (mut one, _) = controller(true);
        one.access(0, &Access::load(64, 32));
        assert_eq!(one.access(90, &store(4096)).done, 200, "from 100 on");
        assert_eq!(one.access(200, &Access::load(96, 32)).done, 300, "what would follow was not read");
        let (mut one, _) = controller(true);
        one.access(0, &Access::load(64, 32));
        assert_eq!(one.access(110, &store(4096)).done, 250, "from 150 on");
        assert_eq!(one.access(160, &store(8192)).done, 280, "the memory was busy until 180");
    }
}
