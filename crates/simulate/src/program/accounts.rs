//! Where the time of threads goes: parts, which add up to a thread's time, and lines of the program, which add up to
//! that of all threads.

use crate::program::history::History;
use crate::program::pictures::Pictures;
use fathom_machine::Time;
use std::collections::BTreeMap;

/// What a thread does with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Work,
    /// Its own memory's answers, where accesses are simulated.
    Memory,
    /// Beginning transfers, sending and receiving messages.
    Overhead,
    /// Waiting for transfers, as long as they take on an idle machine.
    Transfers,
    /// Waiting for barriers and for messages.
    Waiting,
    /// Waiting because ports, links and other resources were busy with what other threads do.
    Contention,
}

pub const PARTS: [Part; 6] =
    [Part::Work, Part::Memory, Part::Overhead, Part::Transfers, Part::Waiting, Part::Contention];

/// Where the time of a thread went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// When it ended.
    pub end: Time,
    pub work: Time,
    pub memory: Time,
    pub overhead: Time,
    pub transfers: Time,
    pub waiting: Time,
    pub contention: Time,
    pub puts: u64,
    pub gets: u64,
    pub messages: u64,
    /// Of puts, gets and messages.
    pub bytes: u64,
    pub barriers: u64,
}

impl Spent {
    /// The time of a part.
    pub fn part(&self, part: Part) -> Time {
        match part {
            Part::Work => self.work,
            Part::Memory => self.memory,
            Part::Overhead => self.overhead,
            Part::Transfers => self.transfers,
            Part::Waiting => self.waiting,
            Part::Contention => self.contention,
        }
    }

    pub(crate) fn part_mut(&mut self, part: Part) -> &mut Time {
        match part {
            Part::Work => &mut self.work,
            Part::Memory => &mut self.memory,
            Part::Overhead => &mut self.overhead,
            Part::Transfers => &mut self.transfers,
            Part::Waiting => &mut self.waiting,
            Part::Contention => &mut self.contention,
        }
    }

    /// All parts together: the end, if nothing was lost.
    pub fn sum(&self) -> Time {
        self.work + self.memory + self.overhead + self.transfers + self.waiting + self.contention
    }
}

/// What threads spend at one line of the program, all together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub at: At,
    /// Transfers, messages and barriers that were begun.
    pub operations: u64,
    /// Of transfers and messages.
    pub bytes: u64,
    /// Of all threads, which may be more than fits into a [`Time`].
    parts: [u128; PARTS.len()],
}

/// A line of the program, or what has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    Line(String, u32),
    /// Serving other threads' messages, wherever the thread is.
    Serving,
    /// The runtime's start and end, and code that our front end has not seen.
    #[default]
    Elsewhere,
}

impl Line {
    pub fn part(&self, part: Part) -> u128 {
        self.parts[part as usize]
    }

    pub fn sum(&self) -> u128 {
        self.parts.iter().sum()
    }

    fn add(&mut self, other: &Line) {
        self.operations += other.operations;
        self.bytes += other.bytes;
        self.parts.iter_mut().zip(other.parts).for_each(|(a, b)| *a += b);
    }
}

/// A number of no place, for what a thread does when it serves messages.
pub const SERVING: u32 = u32::MAX;

/// The greatest number of a place: SIM_MOST_PLACES in runtime/conduit/sim/engine.h.
const MOST_PLACES: usize = 0xff_ffff;

/// The accounts of all threads together.
#[derive(Debug, Default)]
pub struct Accounts {
    /// By the number of the place.
    places: Vec<Line>,
    serving: Line,
    /// The places' names, a line each.
    names: String,
    /// Counted work by place, as far as the program tells it.
    worked: BTreeMap<u32, u128>,
    /// If somebody draws them.
    pub pictures: Option<Pictures>,
    /// If somebody wants to know.
    pub history: Option<History>,
}

impl Accounts {
    pub fn new(pictures: Option<Pictures>) -> Self {
        Accounts { pictures, ..Accounts::default() }
    }

    pub fn with(self, history: Option<History>) -> Self {
        Accounts { history, ..self }
    }

    #[inline]
    fn at(&mut self, place: u32) -> &mut Line {
        if place == SERVING {
            return &mut self.serving;
        }
        let place = place as usize;
        if place >= self.places.len() {
            self.places.resize_with(place + 1, Line::default);
        }
        &mut self.places[place]
    }

    #[inline]
    pub fn spend(&mut self, t: u32, place: u32, part: Part, from: Time, to: Time) {
        self.at(place).parts[part as usize] += u128::from(to - from);
        if let Some(pictures) = &mut self.pictures {
            pictures.spend(t, part, from, to);
        }
        if let Some(history) = &mut self.history {
            history.spend(t, place, part, from, to);
        }
    }

    /// An operation begins, or goes on with more bytes.
    #[inline]
    pub fn operate(&mut self, place: u32, begins: bool, bytes: u64) {
        let line = self.at(place);
        line.operations += u64::from(begins);
        line.bytes += bytes;
    }

    pub fn name(&mut self, text: &str) {
        self.names.push_str(text);
    }

    /// The places' names, in the order of their numbers, which begin with 1.
    pub fn names(&self) -> Vec<At> {
        let named = |text: &str| {
            let (file, line) = text.rsplit_once(':')?;
            Some(At::Line(file.to_owned(), line.parse().ok()?))
        };
        let mut names = vec![];
        for text in self.names.lines() {
            // A program in C has numbered them itself.
            let own = text.strip_prefix('#').map(|text| text.split_once(' ').unwrap_or((text, "")));
            let own = own.and_then(|(number, name)| Some((number.parse::<usize>().ok()?.checked_sub(1)?, name)));
            let (at, name) = own.filter(|(at, _)| *at < MOST_PLACES).unwrap_or((names.len(), text));
            if names.len() <= at {
                names.resize_with(at + 1, At::default);
            }
            names[at] = named(name).unwrap_or_default();
        }
        names
    }

    pub fn worked(&mut self, list: &[(u32, Time)]) {
        for &(place, work) in list {
            *self.worked.entry(place).or_insert(0) += u128::from(work);
        }
    }

    /// The lines, the most expensive first. Work that was counted by place is told there; without that, it stands
    /// where the thread communicated next.
    pub fn lines(mut self) -> Vec<Line> {
        let work = Part::Work as usize;
        let (all, counted): (u128, u128) =
            (self.places.iter().map(|line| line.parts[work]).sum(), self.worked.values().sum());
        if counted > 0 && counted <= all {
            self.places.iter_mut().for_each(|line| line.parts[work] = 0);
            for (place, time) in std::mem::take(&mut self.worked) {
                self.at(place).parts[work] += time;
            }
            self.at(0).parts[work] += all - counted;
        }
        let mut lines: BTreeMap<At, Line> = BTreeMap::new();
        let names = self.names();
        let serving = (At::Serving, std::mem::take(&mut self.serving));
        let places = self.places.into_iter().enumerate().map(|(number, line)| {
            let name = number.checked_sub(1).and_then(|i| names.get(i).cloned());
            (name.unwrap_or_default(), line)
        });
        for (at, line) in places.chain([serving]) {
            lines.entry(at).or_default().add(&line);
        }
        let mut lines: Vec<Line> = lines.into_iter().map(|(at, line)| Line { at, ..line }).collect();
        lines.retain(|line| line.sum() > 0 || line.operations > 0);
        lines.sort_by(|a, b| b.sum().cmp(&a.sum()).then_with(|| a.at.cmp(&b.at)));
        lines
    }
}
