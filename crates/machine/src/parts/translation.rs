//! A translation of addresses: it remembers the pages used last, and a page that it does not know costs `miss` before the
//! access itself.

use crate::access::{Access, Data, Reply, Serves};
use crate::description::Wanted;
use crate::parts::Next;
use crate::Time;

pub struct Translation<D> {
    page_shift: u32,
    entries: usize,
    miss: Time,
    /// The pages, the one used last first.
    pages: Vec<u64>,
    next: Next<D>,
}

impl<D: Data> Translation<D> {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted, next: Next<D>) -> Result<Self, String> {
        let entries = figures.places("entries")?;
        Ok(Translation {
            page_shift: figures.page()?.trailing_zeros(),
            entries,
            miss: figures.time("miss")?,
            pages: Vec::with_capacity(entries),
            next,
        })
    }

    /// Whether the page was known; it is afterwards.
    fn knows(&mut self, page: u64) -> bool {
        if self.pages.first() == Some(&page) {
            return true;
        }
        let found = self.pages.iter().position(|p| *p == page);
        match found {
            Some(at) => self.pages[..=at].rotate_right(1),
            None if self.pages.len() < self.entries => self.pages.insert(0, page),
            None => {
                self.pages.rotate_right(1);
                self.pages[0] = page;
            }
        }
        found.is_some()
    }
}

impl<D: Data> Serves<D> for Translation<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let known = self.knows(access.at >> self.page_shift);
        self.next.access(if known { now } else { now + self.miss }, access)
    }

    fn drain(&mut self, now: Time) -> Time {
        self.next.drain(now)
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        self.next.place(at, bytes, data);
    }

    fn settle(&mut self, now: Time) {
        self.next.settle(now);
    }

    fn forget(&mut self, at: u64) {
        self.next.forget(at);
    }
}
