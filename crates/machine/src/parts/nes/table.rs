//! The destination table (StarT-Voyager study, section 4.1, Figure 2): a row for each transmit queue, a column for each
//! destination. Only system software writes it.

use std::collections::HashMap;

/// What a name of a row stands for: a site, a receive queue there, and the name of the sender at the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub site: u32,
    pub queue: u32,
    pub source: u32,
}

#[derive(Clone, Debug)]
pub struct Table {
    destinations: u32,
    entries: HashMap<(u32, u32), Entry>,
}

impl Table {
    pub fn new(destinations: u32) -> Self {
        Table { destinations, entries: HashMap::new() }
    }

    /// # Panics
    /// There is no such column.
    pub fn set(&mut self, queue: u32, destination: u32, entry: Option<Entry>) {
        assert!(destination < self.destinations, "a row has {} destinations", self.destinations);
        match entry {
            Some(entry) => _ = self.entries.insert((queue, destination), entry),
            None => _ = self.entries.remove(&(queue, destination)),
        }
    }

    pub fn entry(&self, queue: u32, destination: u32) -> Option<Entry> {
        self.entries.get(&(queue, destination)).copied()
    }
}
