//! A replayed run as commands for the program that writes archives of OTF2 (`runtime/otf2`, which has the format).
//!
//! Each thread is a location. It is always inside of the region of the whole program, and inside of one region of what it
//! spends its time on at a line; these two levels are all. Transfers, messages and barriers are events between them.

use super::wire::{put, put_text};
use crate::program::history::{Atomic, Event, History, Kind, State};
use crate::program::At;
use fathom_machine::Time;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// What an archive says about itself.
#[derive(Clone, Debug)]
pub struct About<'a> {
    pub creator: &'a str,
    pub description: &'a str,
    pub program: &'a str,
    pub machine: &'a str,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub locations: u32,
    pub regions: usize,
    pub events: u64,
}

/// Roles of regions, as OTF2_Definitions.h numbers them.
const FUNCTION: u64 = 1;
const CODE: u64 = 4;
const BARRIER: u64 = 15;
const POINT_TO_POINT: u64 = 28;
const RMA: u64 = 29;
const ARTIFICIAL: u64 = 31;

/// Types of atomic operations, as OTF2_Events.h numbers them.
fn atomic(what: Atomic) -> u64 {
    match what {
        Atomic::Update => 0,
        Atomic::Compare => 3,
        Atomic::Swap => 4,
        Atomic::Fetch => 7,
    }
}

/// The region of the whole program.
const PROGRAM: u64 = 0;

/// The tags of messages that ask, and of those that answer: the two do not wait for each other.
const REQUEST: u64 = 0;
const REPLY: u64 = 1;

/// Writes the commands.
///
/// # Errors
/// Those of `to`.
pub fn write(history: &History, about: &About, to: &mut dyn Write) -> io::Result<Written> {
    let regions = regions(history);
    let length = (0..history.threads()).filter_map(|t| history.of(t).last()).map(|(at, _)| at).max().unwrap_or(0);
    let mut head = vec![];
    put(&mut head, history.threads().into());
    put(&mut head, length);
    [about.creator, about.description, about.machine].iter().for_each(|text| put_text(&mut head, &clean(text)));
    region(&mut head, about.program, about.program, FUNCTION, None);
    for (kind, at) in &regions.list {
        let at = if let At::Line(file, line) = at { Some((file.as_str(), *line)) } else { None };
        let (what, role) = named(*kind);
        let name = match at {
            Some((file, line)) => format!("{what} ({}:{line})", file.rsplit('/').next().unwrap_or(file)),
            None => what.to_string(),
        };
        region(&mut head, &name, what, role, at);
    }
    to.write_all(&head)?;
    let mut events = 0;
    for t in 0..history.threads() {
        let mut location = Location { to: &mut *to, last: 0, events: 0, inside: None };
        let mut start = vec![b'L'];
        put(&mut start, t.into());
        location.to.write_all(&start)?;
        location.event(0, b'(', &[PROGRAM])?;
        location.event(0, b'W', &[])?;
        for (at, event) in history.of(t) {
            location.take(at, event, &regions.of)?;
        }
        location.to.write_all(b"E")?;
        events += location.events;
    }
    to.write_all(b"Z")?;
    Ok(Written { locations: history.threads(), regions: regions.list.len() + 1, events })
}

/// The regions that occur, with their numbers. Places of one line are one.
fn regions(history: &History) -> Regions {
    let mut regions = Regions::default();
    for t in 0..history.threads() {
        for (_, event) in history.of(t) {
            let Event::Now((kind, place)) = event else { continue };
            regions.of.entry((kind, place)).or_insert_with(|| {
                let at = place.checked_sub(1).and_then(|i| history.places.get(i as usize));
                let at = (kind, at.cloned().unwrap_or_default());
                let number = regions.list.iter().position(|other| *other == at).unwrap_or(regions.list.len());
                if number == regions.list.len() {
                    regions.list.push(at);
                }
                number as u64 + PROGRAM + 1
            });
        }
    }
    regions
}

#[derive(Default)]
struct Regions {
    list: Vec<(Kind, At)>,
    of: BTreeMap<State, u64>,
}

fn named(kind: Kind) -> (&'static str, u64) {
    match kind {
        Kind::Work => ("work", CODE),
        Kind::Memory => ("memory", CODE),
        Kind::Overhead => ("overhead", RMA),
        Kind::Transfers => ("waiting for transfers", RMA),
        Kind::Barrier => ("barrier", BARRIER),
        Kind::Waiting => ("waiting for others", POINT_TO_POINT),
        Kind::Contention => ("contention", RMA),
        Kind::Serving => ("serving", ARTIFICIAL),
    }
}

/// A text of OTF2 ends at a zero.
fn clean(text: &str) -> String {
    text.replace('\0', " ")
}

fn region(to: &mut Vec<u8>, name: &str, canonical: &str, role: u64, at: Option<(&str, u32)>) {
    to.push(b'R');
    put_text(to, &clean(name));
    put_text(to, &clean(canonical));
    put(to, role);
    put_text(to, &clean(at.map_or("", |(file, _)| file)));
    put(to, at.map_or(0, |(_, line)| line.into()));
}

struct Location<'a> {
    to: &'a mut dyn Write,
    last: Time,
    events: u64,
    /// The region besides the program's.
    inside: Option<u64>,
}

impl Location<'_> {
    fn event(&mut self, at: Time, kind: u8, numbers: &[u64]) -> io::Result<()> {
        let mut bytes = vec![kind];
        put(&mut bytes, at.saturating_sub(self.last));
        self.last = self.last.max(at);
        numbers.iter().for_each(|n| put(&mut bytes, *n));
        self.events += 1;
        self.to.write_all(&bytes)
    }

    fn go_to(&mut self, at: Time, region: Option<u64>) -> io::Result<()> {
        if let Some(before) = self.inside.take() {
            self.event(at, b')', &[before])?;
        }
        self.inside = region;
        region.map_or(Ok(()), |region| self.event(at, b'(', &[region]))
    }

    fn take(&mut self, at: Time, event: Event, regions: &BTreeMap<State, u64>) -> io::Result<()> {
        let tag = |is_reply| if is_reply { REPLY } else { REQUEST };
        match event {
            Event::Now(state) => self.go_to(at, regions.get(&state).copied()),
            Event::Put { with, bytes, number } => self.event(at, b'p', &[with.into(), bytes, number]),
            Event::Get { with, bytes, number } => self.event(at, b'g', &[with.into(), bytes, number]),
            Event::Complete { number, is_blocking: true } => self.event(at, b'b', &[number]),
            Event::Complete { number, is_blocking: false } => self.event(at, b'n', &[number]),
            Event::Arrived { number } => self.event(at, b'r', &[number]),
            Event::Tested { number } => self.event(at, b't', &[number]),
            Event::Sent { with, bytes, is_reply } => self.event(at, b's', &[with.into(), tag(is_reply), bytes]),
            Event::Served { with, bytes, is_reply } => self.event(at, b'v', &[with.into(), tag(is_reply), bytes]),
            Event::Asked { with, lock } => self.event(at, b'?', &[with.into(), lock]),
            Event::Taken { with, lock } => self.event(at, b'!', &[with.into(), lock]),
            Event::Freed { with, lock } => self.event(at, b'/', &[with.into(), lock]),
            Event::Atomic { with, what, bytes, number } => {
                // The bytes that come back: the value before.
                let back = if what == Atomic::Update { 0 } else { bytes };
                self.event(at, b'a', &[with.into(), atomic(what), bytes, back, number])
            }
            Event::Notified => self.event(at, b'[', &[]),
            Event::Passed => self.event(at, b']', &[]),
            Event::End => {
                self.go_to(at, None)?;
                self.event(at, b'w', &[])?;
                self.event(at, b')', &[PROGRAM])
            }
        }
    }
}
