//! The areas that a profile is made of. An area measures with a session, infers, and hands over its findings.

use crate::{Failure, Findings, Session};
use fathom_profile::names;

/// An area of a profile.
pub struct Area {
    /// The word for `--only`.
    pub name: &'static str,
    /// What it finds out, for people.
    pub what: &'static str,
    /// Its part of the whole time, in shares.
    pub share: u32,
    /// How many threads its runner needs; 1 for what a processor does alone.
    pub threads: fn(processors: usize) -> usize,
    /// How often it is gone through unless the probe is quick, each time for a part of its time and with the other areas between. What is
    /// found is of the last round, whose points are of all; what is found in such a part must be whole.
    pub rounds: usize,
    pub probe: fn(&mut Session) -> Result<Findings, Failure>,
}

/// All areas, in the order in which they are measured.
pub const AREAS: &[Area] = &[
    Area {
        name: names::MEMORY,
        what: "caches, translation, memory: sizes, times, bandwidths",
        share: 30,
        threads: |_| 1,
        rounds: 1,
        probe: crate::memory::probe,
    },
    Area {
        name: names::TRANSFERS,
        what: "basic transfers of the copy-transfer model",
        share: 20,
        threads: |p| p.max(2),
        rounds: 3,
        probe: crate::transfers::probe,
    },
    Area {
        name: names::COMMUNICATION,
        what: "put, get, messages, LogGP",
        share: 20,
        threads: |p| p.max(2),
        rounds: 1,
        probe: crate::communication::probe,
    },
    Area {
        name: names::SHARING,
        what: "coherence: passing data, invalidation, false sharing",
        share: 12,
        threads: |p| p.max(2),
        rounds: 3,
        probe: crate::sharing::probe,
    },
    Area {
        name: names::SYNCHRONISATION,
        what: "barriers and locks",
        share: 8,
        threads: |p| p.max(2),
        rounds: 5,
        probe: crate::synchronisation::probe,
    },
    Area {
        name: names::SCHEDULING,
        what: "start of processes, threads and jobs; parallel loops",
        share: 15,
        threads: |p| p.max(2),
        rounds: 5,
        probe: crate::scheduling::probe,
    },
    Area {
        name: names::MECHANISMS,
        what: "each way to move data, for the tuning table",
        share: 25,
        threads: |p| p.max(2),
        rounds: 1,
        probe: crate::mechanisms::probe,
    },
];
