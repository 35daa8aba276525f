//! Memory of banks that work at the same time: neighbouring lines lie in neighbouring banks, each with its own open
//! page.
//!
//! An access of the open page takes `on_page` and keeps its bank for `word`. Any other takes `off_page` more, and the
//! bank opens no further page for `cycle`. So accesses that overlap are fast if they fall into different banks, and a
//! stride that is a multiple of all banks finds one of them. A store that opens a page takes `write` more.

use crate::access::{Access, Contents, Data, Kind, Reply, Serves};
use crate::description::Wanted;
use crate::Time;

pub struct Banks<D> {
    on_page: Time,
    off_page: Time,
    word: Time,
    cycle: Time,
    /// What a store takes more that opens a page.
    write: Time,
    page_shift: u32,
    line_shift: u32,
    banks: Vec<Bank>,
    last_done: Time,
    contents: Contents<D>,
}

#[derive(Clone, Default)]
struct Bank {
    open: Option<u64>,
    /// From when on the bank can be asked for the open page, and for another one.
    same: Time,
    other: Time,
}

impl<D: Data> Banks<D> {
    /// # Errors
    /// A figure is missing or wrong.
    pub fn new(figures: &Wanted) -> Result<Self, String> {
        figures.bytes("size")?; // what programs may use: crate `simulate` asks for it
        let shift = |name: &str| Ok::<u32, String>(figures.power_of_two(name, figures.bytes(name)?)?.trailing_zeros());
        Ok(Banks {
            on_page: figures.time("on_page")?,
            off_page: figures.time("off_page")?,
            word: figures.time("word")?,
            cycle: figures.time("cycle")?,
            write: figures.time_or_zero("write")?,
            page_shift: shift("page")?,
            line_shift: shift("line")?,
            banks: vec![Bank::default(); figures.power_of_two("banks", figures.places("banks")? as u64)? as usize],
            last_done: 0,
            contents: Contents::default(),
        })
    }
}

impl<D: Data> Serves<D> for Banks<D> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        let page = access.at >> self.page_shift;
        let number = (access.at >> self.line_shift) as usize & (self.banks.len() - 1);
        let bank = &mut self.banks[number];
        let is_open = bank.open.replace(page) == Some(page);
        let more = u64::from(access.bytes).div_ceil(8).saturating_sub(1) * self.word;
        let write = if matches!(access.kind, Kind::Store | Kind::Reserve) { self.write } else { 0 };
        let (begin, open) = match is_open {
            true => (now.max(bank.same), 0),
            false => (now.max(bank.same).max(bank.other), self.off_page + write),
        };
        bank.same = begin + open + self.word + more;
        bank.other = if is_open { bank.other } else { begin + self.cycle + write }.max(bank.same);
        let done = begin + open + self.on_page + more;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_banks_work_at_the_same_time_and_an_open_page_is_faster() {
        let banks = vec![Bank::default(); 4];
        let (on_page, off_page, word, cycle, write) = (100, 50, 20, 200, 30);
        let (page_shift, line_shift, contents) = (12, 5, Contents::default());
        let mut memory: Banks<()> =
            Banks { on_page, off_page, word, cycle, write, page_shift, line_shift, banks, last_done: 0, contents };
        let mut load = |now, at, bytes| memory.access(now, &Access::load(at, bytes)).done;
        assert_eq!([load(0, 0, 8), load(0, 32, 8)], [150, 150], "two banks");
        assert_eq!([load(300, 8, 8), load(300, 16, 8)], [400, 420], "the open page of one");
        assert_eq!([load(1000, 128 + 4096, 8), load(1000, 256 + 8192, 8)], [1150, 1350], "its cycle");
        assert_eq!(load(2000, 256 + 8192, 32), 2160, "a line");
        // The page of a bank is wider than what it has of a line.
        let mut store = |now, at| memory.access(now, &Access::store(at, 8, ())).done;
        assert_eq!([store(3000, 0), store(3000, 8), store(3000, 16)], [3180, 3200, 3220]);
    }
}
