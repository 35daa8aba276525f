//! An access to memory, and the trait of what answers it.

use crate::Time;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Debug;
use std::rc::Rc;

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Load,
    Store,
    /// The time of a store whose words follow later, by [`Serves::place`].
    Reserve,
    /// A load past the caches.
    Uncached,
    /// The request of a word that arrives in a queue. It passes through the write buffer, as a store does.
    Prefetch,
}

/// An access of `bytes` bytes from address `at` on, which do not cross a boundary of [`WINDOW`] bytes.
///
/// The address is the one that leaves the processor. Two addresses may mean one word of memory: such synonyms differ
/// for every part that compares addresses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Access<D> {
    pub kind: Kind,
    pub at: u64,
    pub bytes: u32,
    pub data: D,
}

impl<D: Data> Access<D> {
    pub fn load(at: u64, bytes: u32) -> Self {
        Access { kind: Kind::Load, at, bytes, data: D::default() }
    }

    pub fn store(at: u64, bytes: u32, data: D) -> Self {
        Access { kind: Kind::Store, at, bytes, data }
    }
}

/// The times of an access, and what a load has read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reply<D> {
    /// The asker may begin its next access.
    pub free: Time,
    /// The value of a load is there; a store has taken effect.
    pub done: Time,
    pub data: D,
}

/// A part of the memory system: it answers an access with times.
///
/// Each asker calls in the order of `now`. A part never blocks: who has to wait is told until when.
pub trait Serves<D: Data> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D>;

    /// The time at which everything accepted until `now` has taken effect: a memory barrier.
    fn drain(&mut self, now: Time) -> Time;

    /// Puts words where they belong, without taking time: the effect of a store whose time was computed before. Parts
    /// that hold copies take the words, too.
    fn place(&mut self, at: u64, bytes: u32, data: &D);

    /// Lets everything take effect that is due at `now`. Needed only where another processor may look.
    fn settle(&mut self, now: Time);

    /// Drops the line at the place of this address, whatever line that is. Parts that keep no lines pass it on.
    fn forget(&mut self, _at: u64) {}

    /// Drops all lines. Parts that keep no lines pass it on.
    fn forget_all(&mut self) {}

    /// An access comes soon: of the part behind, this computer's processor begins to read what that needs.
    fn expect(&self) {}

    /// An access to this address comes soon: the processor begins to read what this part needs for it.
    fn expect_at(&self, _at: u64) {}
}

impl<D: Data, T: Serves<D> + ?Sized> Serves<D> for Box<T> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        (**self).access(now, access)
    }
    fn drain(&mut self, now: Time) -> Time {
        (**self).drain(now)
    }
    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        (**self).place(at, bytes, data);
    }
    fn settle(&mut self, now: Time) {
        (**self).settle(now);
    }
    fn forget(&mut self, at: u64) {
        (**self).forget(at);
    }
    fn forget_all(&mut self) {
        (**self).forget_all();
    }
    fn expect(&self) {
        (**self).expect();
    }
    fn expect_at(&self, at: u64) {
        (**self).expect_at(at);
    }
}

/// A part that several others use.
impl<D: Data, T: Serves<D> + ?Sized> Serves<D> for Rc<RefCell<T>> {
    fn access(&mut self, now: Time, access: &Access<D>) -> Reply<D> {
        self.borrow_mut().access(now, access)
    }
    fn drain(&mut self, now: Time) -> Time {
        self.borrow_mut().drain(now)
    }
    fn place(&mut self, at: u64, bytes: u32, data: &D) {
        self.borrow_mut().place(at, bytes, data);
    }
    fn settle(&mut self, now: Time) {
        self.borrow_mut().settle(now);
    }
    fn forget(&mut self, at: u64) {
        self.borrow_mut().forget(at);
    }
    fn forget_all(&mut self) {
        self.borrow_mut().forget_all();
    }
}

/// What an access carries: nothing, or words.
pub trait Data: Copy + Default + PartialEq + Debug + 'static {
    /// Whether there is anything to carry: parts keep contents only then.
    const IS_CARRIED: bool;

    /// Takes over `bytes` bytes from address `at` on: whole words, or a part of one.
    fn take(&mut self, from: &Self, at: u64, bytes: u32);

    /// The word at address `from`, as it is carried when it goes to address `to`.
    fn moved(&self, from: u64, to: u64) -> Self;
}

impl Data for () {
    const IS_CARRIED: bool = false;
    fn take(&mut self, _: &Self, _: u64, _: u32) {}
    fn moved(&self, _: u64, _: u64) -> Self {}
}

/// What a memory holds, by windows of [`WINDOW`] bytes; nothing where no values are carried.
#[derive(Default)]
pub struct Contents<D>(HashMap<u64, D>);

impl<D: Data> Contents<D> {
    /// The window in which an address lies.
    pub fn window(&self, at: u64) -> D {
        self.0.get(&(at / WINDOW)).copied().unwrap_or_default()
    }

    /// Takes over `bytes` bytes from address `at` on.
    pub fn take(&mut self, data: &D, at: u64, bytes: u32) {
        if D::IS_CARRIED {
            self.0.entry(at / WINDOW).or_default().take(data, at, bytes);
        }
    }
}

/// The longest line of a cache.
pub const WINDOW: u64 = 128;
const WORD: u64 = 8;

/// The words of one aligned window of memory. A word keeps its place in the window, so that lines of every size, and
/// single words, are the same thing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Words([u64; (WINDOW / WORD) as usize]);

impl Words {
    /// One word, for a store to address `at`.
    pub fn one(at: u64, word: u64) -> Self {
        let mut words = Words::default();
        words.0[Self::place(at)] = word;
        words
    }

    /// The word at address `at`.
    pub fn at(&self, at: u64) -> u64 {
        self.0[Self::place(at)]
    }

    fn place(at: u64) -> usize {
        (at % WINDOW / WORD) as usize
    }
}

impl Data for Words {
    const IS_CARRIED: bool = true;
    fn take(&mut self, from: &Self, at: u64, bytes: u32) {
        let first = Self::place(at);
        if u64::from(bytes) < WORD {
            let mask = ((1 << (8 * bytes)) - 1) << (8 * (at % WORD));
            self.0[first] = self.0[first] & !mask | from.0[first] & mask;
            return;
        }
        let last = first + (u64::from(bytes).div_ceil(WORD) as usize).max(1);
        self.0[first..last].copy_from_slice(&from.0[first..last]);
    }
    fn moved(&self, from: u64, to: u64) -> Self {
        Words::one(to, self.at(from))
    }
}
