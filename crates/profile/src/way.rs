//! Operations of several threads, and the mechanisms for each: collectives between near and between far threads, far
//! transfers, pieces, atomics. A tuning table has a line for each decision (runtime/core/tuning.c).

/// A decision and its mechanisms, with their names in the tuning table (runtime/core/tuning.c).
pub struct Decision {
    pub name: &'static str,
    pub ways: &'static [&'static str],
    /// The defaults without a table, each with the number of threads from which it holds.
    pub defaults: &'static [(u64, Default)],
    pub asks: Asks,
    /// Between threads that are not near.
    pub is_far: bool,
    /// The least number of threads: with two the mechanisms are the same.
    pub least_threads: u64,
}

/// Mechanisms, each below a number of bytes, the last for the rest.
pub type Default = &'static [(&'static str, Option<u64>)];

/// The parameter of a decision beside the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    Threads,
    /// Is the other thread on this computer?
    Computer,
    Nothing,
}

const fn near(name: &'static str, ways: &'static [&'static str], defaults: &'static [(u64, Default)]) -> Decision {
    Decision { name, ways, defaults, asks: Asks::Threads, is_far: false, least_threads: 2 }
}

const fn far(
    name: &'static str,
    ways: &'static [&'static str],
    defaults: &'static [(u64, Default)],
    least_threads: u64,
) -> Decision {
    Decision { name, ways, defaults, asks: Asks::Threads, is_far: true, least_threads }
}

const fn transfer(name: &'static str, asks: Asks) -> Decision {
    let (ways, defaults): (&[&str], &[(u64, Default)]) = (&["auto", "direct", "message"], &[(1, &[("auto", None)])]);
    Decision { name, ways, defaults, asks, is_far: true, least_threads: 2 }
}

const fn pieces(name: &'static str) -> Decision {
    let defaults: &[(u64, Default)] = &[(1, &[("pack", Some(2048)), ("auto", None)])];
    Decision { name, ways: &["auto", "pack", "each"], defaults, asks: Asks::Nothing, is_far: true, least_threads: 2 }
}

/// In the order of their importance.
pub const DECISIONS: &[Decision] = &[
    transfer("put", Asks::Computer),
    transfer("get", Asks::Computer),
    transfer("put-together", Asks::Computer),
    transfer("get-together", Asks::Computer),
    pieces("put-pieces"),
    pieces("get-pieces"),
    near(
        "broadcast",
        &["read", "help", "tree"],
        &[(1, &[("read", Some(8192)), ("help", None)]), (32, &[("tree", None)])],
    ),
    near("all-reduce", &["whole", "slices", "tree"], NEAR_REDUCTIONS),
    near("near-exchange", &["read", "write", "pieces"], &[(1, &[("read", None)])]),
    near("near-gather-all", &["read", "write", "pieces"], &[(1, &[("read", None)])]),
    near("reduce", &["whole", "slices", "tree"], NEAR_REDUCTIONS),
    near("near-gather", &["read", "write"], &[(1, &[("read", None)]), (4, &[("read", Some(16384)), ("write", None)])]),
    near("scan", &["whole", "doubling"], &[(1, &[("whole", None)]), (32, &[("doubling", None)])]),
    Decision {
        name: "stream",
        ways: &["auto", "direct", "message"],
        defaults: &[(1, &[("message", Some(8192)), ("auto", None)])],
        asks: Asks::Computer,
        is_far: true,
        least_threads: 2,
    },
    far(
        "far-all-reduce",
        &["tree", "slices"],
        &[(1, &[("tree", None)]), (4, &[("tree", Some(65536)), ("slices", None)])],
        2,
    ),
    far(
        "far-reduce",
        &["tree", "slices"],
        &[(1, &[("tree", None)]), (8, &[("tree", Some(131_072)), ("slices", None)])],
        2,
    ),
    far(
        "far-broadcast",
        &["tree", "spread"],
        &[(1, &[("tree", None)]), (8, &[("tree", Some(262_144)), ("spread", None)])],
        3,
    ),
    far(
        "far-gather-all",
        &["doubling", "ring"],
        &[
            (1, &[("doubling", Some(32769)), ("ring", None)]),
            (16, &[("doubling", Some(262_144)), ("ring", None)]),
            (64, &[("doubling", Some(1_048_576)), ("ring", None)]),
        ],
        3,
    ),
    far(
        "far-exchange",
        &["pairs", "doubling"],
        &[
            (1, &[("pairs", None)]),
            (8, &[("doubling", Some(2048)), ("pairs", None)]),
            (32, &[("doubling", Some(16384)), ("pairs", None)]),
            (128, &[("doubling", Some(65536)), ("pairs", None)]),
        ],
        4,
    ),
    far("far-gather", &["flat", "tree"], FAR_PARTS, 3),
    far("far-scatter", &["flat", "tree"], FAR_PARTS, 3),
    Decision {
        name: "atomic",
        ways: &["auto", "direct", "message"],
        defaults: &[(1, &[("auto", None)])],
        asks: Asks::Nothing,
        is_far: true,
        least_threads: 2,
    },
];

const NEAR_REDUCTIONS: &[(u64, Default)] = &[
    (1, &[("whole", None)]),
    (4, &[("whole", Some(32768)), ("slices", None)]),
    (32, &[("tree", Some(8192)), ("slices", None)]),
];
const FAR_PARTS: &[(u64, Default)] = &[(1, &[("flat", None)]), (8, &[("tree", Some(65536)), ("flat", None)])];

pub fn decision(name: &str) -> Option<&'static Decision> {
    DECISIONS.iter().find(|d| d.name == name)
}

impl Decision {
    /// The default for this number of threads.
    pub fn default_for(&self, threads: u64) -> Default {
        let all = self.defaults.iter();
        all.rev().find(|d| d.0 <= threads).map_or(self.defaults[0].1, |d| d.1)
    }

    /// Do all threads of a team take part?
    pub fn is_collective(&self) -> bool {
        self.asks == Asks::Threads || self.name == "stream"
    }
}
