//! The areas of a profile. An area measures with a session, infers values, and returns its findings.

use crate::{Failure, Findings, Session};
use fathom_profile::names;

/// An area of a profile.
pub struct Area {
    /// The word for `--only`.
    pub name: &'static str,
    /// A description of its findings, for people.
    pub what: &'static str,
    /// Its part of the total time, in shares.
    pub share: u32,
    /// The number of threads that its runner needs; 1 if it measures a single processor.
    pub threads: fn(processors: usize) -> usize,
    /// The number of rounds, unless the probe is quick. Each round takes part of the area's time, and other areas run
    /// between rounds. The profile keeps the findings of the last round, whose points combine all rounds; so each round
    /// must produce complete findings.
    pub rounds: usize,
    /// Whether it measures simulated machines only.
    pub needs_exact_clock: bool,
    pub probe: fn(&mut Session) -> Result<Findings, Failure>,
}

/// All areas, in the order of measurement.
pub const AREAS: &[Area] = &[
    Area {
        name: names::MEMORY,
        what: "caches, translation, memory: sizes, times, bandwidths",
        share: 30,
        threads: |_| 1,
        rounds: 1,
        needs_exact_clock: false,
        probe: crate::memory::probe,
    },
    Area {
        name: names::SURFACE,
        what: "loads and stores by every size and stride (simulated machines only)",
        share: 10,
        threads: |_| 1,
        rounds: 1,
        needs_exact_clock: true,
        probe: crate::surface::probe,
    },
    Area {
        name: names::TRANSFERS,
        what: "basic transfers of the copy-transfer model",
        share: 20,
        threads: |p| p.max(2),
        rounds: 3,
        needs_exact_clock: false,
        probe: crate::transfers::probe,
    },
    Area {
        name: names::COMMUNICATION,
        what: "put, get, messages, LogGP",
        share: 20,
        threads: |p| p.max(2),
        rounds: 1,
        needs_exact_clock: false,
        probe: crate::communication::probe,
    },
    Area {
        name: names::SHARING,
        what: "coherence: passing data, invalidation, false sharing",
        share: 12,
        threads: |p| p.max(2),
        rounds: 3,
        needs_exact_clock: false,
        probe: crate::sharing::probe,
    },
    Area {
        name: names::SYNCHRONISATION,
        what: "barriers and locks",
        share: 8,
        threads: |p| p.max(2),
        rounds: 5,
        needs_exact_clock: false,
        probe: crate::synchronisation::probe,
    },
    Area {
        name: names::SCHEDULING,
        what: "start of processes, threads and jobs; parallel loops",
        share: 15,
        threads: |p| p.max(2),
        rounds: 5,
        needs_exact_clock: false,
        probe: crate::scheduling::probe,
    },
    Area {
        name: names::QUEUES,
        what: "message queues: Express, Tag-On, Basic, Bulk",
        share: 20,
        threads: |p| p.max(2),
        rounds: 3,
        needs_exact_clock: false,
        probe: crate::queues::probe,
    },
    Area {
        name: names::MECHANISMS,
        what: "each way to move data, for the tuning table",
        share: 25,
        threads: |p| p.max(2),
        rounds: 1,
        needs_exact_clock: false,
        probe: crate::mechanisms::probe,
    },
];
