//! The stimuli of the area: mechanisms, sizes, and what is measured of each.

use crate::passes::Case;
use crate::{Effort, Kernel, Stimulus};

/// What is measured, with the curves for queues that several threads may use, and that one thread uses.
pub struct Measure {
    pub word: &'static str,
    pub many: &'static str,
    pub one: &'static str,
}

pub const SEND: Measure = Measure { word: "send", many: "queues.many.send", one: "queues.one.send" };
pub const RECEIVE: Measure = Measure { word: "receive", many: "queues.many.receive", one: "queues.one.receive" };
pub const LATENCY: Measure = Measure { word: "latency", many: "queues.many.latency", one: "queues.one.latency" };
pub const GAP: Measure = Measure { word: "gap", many: "queues.many.gap", one: "queues.one.gap" };

/// How many threads may use a queue: several, or one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    Many,
    One,
}

impl Threads {
    pub fn word(self) -> &'static str {
        match self {
            Threads::Many => "many",
            Threads::One => "one",
        }
    }
}

impl Measure {
    pub fn curve(&self, threads: Threads) -> &'static str {
        match threads {
            Threads::Many => self.many,
            Threads::One => self.one,
        }
    }
}

pub const EXPRESS: &str = "Express";
pub const TAG_ON: &str = "Tag-On";
pub const IN_PLACE: &str = "Tag-On, in place";
pub const BASIC: &str = "Basic";
pub const COPY: &str = "msg_send, copied";
pub const TAG_ON_FLUSHED: &str = "Tag-On, flushed";
pub const BASIC_FLUSHED: &str = "Basic, flushed";

/// Large blocks have a curve of their own.
pub const BULK: &str = "queues.bulk";
pub const BULK_SERIES: [&str; 3] = ["Bulk, gap", "Tag-On, gap", "Bulk, latency"];
const BULK_BYTES: [u64; 5] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];

/// A series: a mechanism, whether software flushes, and the words of its messages.
struct Way {
    series: &'static str,
    mechanism: &'static str,
    is_flushed: bool,
    words: &'static [u64],
    /// Only few sizes are measured in a hurry, and only what the statements need.
    brief: &'static [u64],
}

const fn way(series: &'static str, mechanism: &'static str, words: &'static [u64], brief: &'static [u64]) -> Way {
    Way { series, mechanism, is_flushed: false, words, brief }
}

const WAYS: [Way; 7] = [
    way(EXPRESS, "express", &[1, 2, 3, 4, 8], &[1, 2, 3, 4]),
    way(TAG_ON, "tag_on", &[2, 3, 4, 8, 20, 64, 512], &[2, 3, 4, 20]),
    way(IN_PLACE, "in_place", &[2, 4, 8, 20, 64, 128], &[]),
    way(BASIC, "basic", &[1, 2, 3, 4, 8, 20, 64, 512], &[1, 2, 3, 4, 20]),
    way(COPY, "copy", &[1, 2, 4, 8, 20, 64, 128], &[]),
    Way { is_flushed: true, ..way(TAG_ON_FLUSHED, "tag_on", &[2, 8, 20], &[]) },
    Way { is_flushed: true, ..way(BASIC_FLUSHED, "basic", &[2, 8, 20], &[]) },
];

/// The largest message of the study's curves, in words; on a simulated machine there are no longer ones.
const MOST_SIMULATED: u64 = 20;

/// All cases, for words of so many bytes.
pub fn cases(word: u64, effort: Effort, is_exact: bool) -> Vec<Case> {
    let mut cases = vec![];
    for threads in [Threads::Many, Threads::One] {
        for way in &WAYS {
            // What only the library has is the same for one thread, nearly; and no other machine has it.
            let is_extra = way.mechanism == "copy" && (threads == Threads::One || is_exact);
            let words = if effort == Effort::Quick && !is_exact { way.brief } else { way.words };
            for &words in words.iter().filter(|w| !is_extra && (!is_exact || **w <= MOST_SIMULATED)) {
                for measure in [SEND, RECEIVE, LATENCY, GAP] {
                    cases.push(case(way, &measure, threads, words * word));
                }
            }
        }
    }
    if effort != Effort::Quick || is_exact {
        for bytes in BULK_BYTES {
            let of = |mechanism, measure: &Measure| stimulus(mechanism, measure, Threads::Many, bytes);
            let mut add = |series, stimulus| cases.push(Case { curve: BULK, series, x: bytes as f64, stimulus });
            add(BULK_SERIES[0], of("bulk", &GAP));
            if !is_exact && bytes <= LONGEST_TAG_ON {
                add(BULK_SERIES[1], of("tag_on", &GAP));
            }
            add(BULK_SERIES[2], of("bulk", &LATENCY));
        }
    }
    cases
}

/// What the kernel has memory for.
const LONGEST_TAG_ON: u64 = 64 << 10;

fn stimulus(mechanism: &'static str, measure: &Measure, threads: Threads, bytes: u64) -> Stimulus {
    let stimulus = Stimulus::new(Kernel::Queue).word("measure", measure.word).word("mechanism", mechanism);
    stimulus.with("bytes", bytes).word("threads", threads.word())
}

fn case(way: &Way, measure: &Measure, threads: Threads, bytes: u64) -> Case {
    let mut stimulus = stimulus(way.mechanism, measure, threads, bytes);
    if way.is_flushed {
        stimulus = stimulus.with("flush", 1);
    }
    Case { curve: measure.curve(threads), series: way.series, x: bytes as f64, stimulus }
}
