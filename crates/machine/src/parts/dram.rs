//! Memory: one controller with one open page, and banks that are busy after an access.
//!
//! An access takes `on_page`. It takes `off_page` more if its page is not the one that the controller accessed last,
//! and `busy` more if that other page lies in the bank of the last access. One open page for the whole controller, and
//! not one for each bank, is what the T3D shows: two addresses 16 KB apart, in two banks, cost the full `off_page`
//! (T3D study, section 2.2). Accesses may overlap; two begin at least `interval` apart.

use crate::access::{Access, Contents, Data, Kind, Reply, Serves};
use crate::contention::Server;
use crate::description::Wanted;
use crate::Time;

pub struct Dram<D> {
    on_page: Time,
    off_page: Time,
    busy: Time,
    page_shift: u32,
    banks: u64,
    interval: Time,
    open: Option<u64>,
    begins: Server,
    last_done: Time,
    contents: Contents<D>,
}

impl<D: Data> Dram<D> {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted) -> Result<Self, String> {
        figures.bytes("size")?; // what programs may use: crate `simulate` asks for it
        Ok(Dram {
            on_page: figures.time("on_page")?,
            off_page: figures.time_or_zero("off_page")?,
            busy: figures.time_or_zero("busy")?,
            page_shift: figures.power_of_two("page", figures.bytes("page")?)?.trailing_zeros(),
            banks: figures.power_of_two("banks", figures.count("banks")?)?,
            interval: figures.time_or_zero("interval")?,
            open: None,
            begins: Server::default(),
            last_done: 0,
            contents: Contents::default(),
        })
    }

    /// The time that an access takes, which changes the open page.
    fn takes(&mut self, at: u64) -> Time {
        let page = at >> self.page_shift;
        let before = self.open.replace(page);
        match before {
            Some(before) if before != page => {
                let is_same_bank = (before ^ page) & (self.banks - 1) == 0;
                self.on_page + self.off_page + if is_same_bank { self.busy } else { 0 }
            }
            _ => self.on_page,
        }
    }
}

impl<D: Data> Serves<D> for Dram<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let takes = self.takes(access.at);
        let begin = self.begins.take(now, self.interval);
        let done = begin + takes;
        self.last_done = self.last_done.max(done);
        let mut data = D::default();
        if D::IS_CARRIED {
            match access.kind {
                Kind::Store => self.place(access.at, access.bytes, &access.data),
                Kind::Reserve => {}
                Kind::Load | Kind::Uncached | Kind::Prefetch => data = self.contents.window(access.at),
            }
        }
        Reply { free: done, done, data }
    }

    fn drain(&mut self, now: Time) -> Time {
        now.max(self.last_done)
    }

    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        self.contents.take(data, at, bytes);
    }

    fn settle(&mut self, _: Time) {}
}
