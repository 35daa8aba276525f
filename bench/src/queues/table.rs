//! What is compared: the targets of the project, each a ratio of ours to a yardstick or a peer in neighbouring runs.

use crate::comm::Samples;
use crate::result::Target;

/// One line of the targets' table.
pub struct Goal {
    pub what: String,
    /// (side, row) of ours, and of what it stands beside; none: the figure itself is judged.
    pub ours: (&'static str, String),
    pub theirs: Option<(&'static str, String)>,
    pub measure: Measure,
    pub target: Target,
    pub found: Option<Found>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Measure {
    /// Half of a round trip, or the time of one thing.
    OneWay,
    Time,
    /// Messages in a time; the ratio is of rates.
    Messages,
    /// Bytes in a time.
    Bytes,
}

/// Nanoseconds of both sides, and the ratio: median, lowest, highest of the repetitions.
pub struct Found {
    pub ours_ns: f64,
    pub theirs_ns: Option<f64>,
    pub bytes: f64,
    pub median: f64,
    pub lowest: f64,
    pub highest: f64,
}

impl Goal {
    /// None where there is no figure or no target. A ratio is judged by its first two places, like its target.
    pub fn met(&self) -> Option<bool> {
        let value = (self.found.as_ref()?.median * 100.0).round() / 100.0;
        match self.target {
            Target::AtLeast(t) => Some(value >= t),
            Target::AtMost(t) => Some(value <= t),
            Target::None => None,
        }
    }
}

struct List<'a> {
    samples: &'a Samples,
    goals: Vec<Goal>,
}

impl List<'_> {
    /// Ours over theirs.
    fn ratio(
        &mut self,
        what: &str,
        ours: (&'static str, &str),
        theirs: (&'static str, &str),
        measure: Measure,
        target: Target,
    ) {
        let pair = self.samples.get(ours.0, ours.1).zip(self.samples.get(theirs.0, theirs.1));
        let found = pair.and_then(|(a, b)| {
            let (median, lowest, highest) = a.over(b)?;
            let (median, lowest, highest) = match measure {
                Measure::OneWay | Measure::Time => (median, lowest, highest),
                Measure::Messages | Measure::Bytes => (1.0 / median, 1.0 / highest, 1.0 / lowest),
            };
            let (ours_ns, theirs_ns) = (a.median_ns(), Some(b.median_ns()));
            Some(Found { ours_ns, theirs_ns, bytes: a.bytes, median, lowest, highest })
        });
        let (ours, theirs) = ((ours.0, ours.1.to_string()), Some((theirs.0, theirs.1.to_string())));
        self.goals.push(Goal { what: what.into(), ours, theirs, measure, target, found });
    }

    /// Millions of messages a second.
    fn rate(&mut self, what: &str, ours: (&'static str, &str), target: Target) {
        let found = self.samples.get(ours.0, ours.1).map(|s| {
            let mut rates: Vec<f64> = s.ns.iter().map(|&(_, ns)| 1e3 / ns).collect();
            rates.sort_by(f64::total_cmp);
            let (lowest, highest) = (rates[0], rates[rates.len() - 1]);
            Found { ours_ns: s.median_ns(), theirs_ns: None, bytes: 0.0, median: 1e3 / s.median_ns(), lowest, highest }
        });
        let ours = (ours.0, ours.1.to_string());
        self.goals.push(Goal { what: what.into(), ours, theirs: None, measure: Measure::Messages, target, found });
    }
}

const LONG: &str = "Express, 65536 slots";
const READ: &str = "compare-and-swap, read";
const ONE_THREAD: [&str; 2] = ["Express", "Express, one thread"];

pub fn targets(samples: &Samples) -> Vec<Goal> {
    use Measure::*;
    use Target::*;
    let mut l = List { samples, goals: Vec::new() };
    for side in ONE_THREAD {
        l.ratio("Express one way", (side, "round trip 8"), ("cache line", "round trip 8"), OneWay, AtMost(1.2));
    }
    for n in [2, 4, 8] {
        let (row, swap) = (format!("senders {n}"), format!("compare-and-swap {n}"));
        for side in ["Express", "Express, one row"] {
            let what = format!("Express, {n} senders to one queue");
            l.ratio(&what, (side, &row), ("compare-and-swap", &swap), Messages, AtLeast(0.7));
            let add = format!("fetch-and-add {n}");
            l.ratio(&what, (side, &row), ("fetch-and-add", &add), Messages, None);
        }
        // What is like with like, for orientation: room as in Basic, and a yardstick that is received from.
        for (side, beside, of) in [(LONG, "compare-and-swap", &swap), ("Express", READ, &row), (LONG, READ, &row)] {
            l.ratio(&format!("Express, {n} senders to one queue"), (side, &row), (beside, of), Messages, None);
        }
    }
    for (side, row) in [
        ("Express", "batches 8"),
        ("Express, one thread", "batches 8"),
        ("Basic, one thread", "batches 8"),
        ("Express, one thread", "stream 8"),
    ] {
        let (what, target) = match row {
            "stream 8" => ("one by one", None),
            _ => ("batched", AtLeast(100.0)),
        };
        l.rate(&format!("8 bytes, {what}, M/s"), (side, row), target);
        l.ratio(&format!("8 bytes, {what}"), (side, row), ("iceoryx2", "stream 8"), Messages, AtLeast(3.0));
    }
    for bytes in [64, 96, 160] {
        let row = format!("round trip {bytes}");
        for side in ["Tag-On", "Tag-On, one thread"] {
            l.ratio(&format!("Tag-On {bytes} one way"), (side, &row), ("iceoryx2", &row), OneWay, AtMost(0.5));
        }
    }
    for bytes in [64, 96, 160, 1024, 4096, 65536, 262144] {
        let row = format!("round trip {bytes}");
        l.ratio(&format!("Tag-On {bytes}, many threads"), ("Tag-On", &row), ("Basic", &row), OneWay, AtMost(0.99));
    }
    for bytes in [65536, 262144, 1048576, 4194304] {
        let row = format!("bulk {bytes}");
        l.ratio(&format!("Bulk {} KiB", bytes >> 10), ("Bulk", &row), ("memcpy", &row), Bytes, AtLeast(0.95));
    }
    let poll = "Express by OnePoll";
    l.ratio("OnePoll, 512 empty queues over 1", (poll, "poll 512"), (poll, "poll 1"), Time, AtMost(2.0));
    l.ratio("wake of a sleeping receiver", ("Express", "wake"), ("futex", "wake"), Time, AtMost(1.3));
    l.goals
}

/// The rows of the table of all contenders, with their titles and what their figures are.
pub fn rows() -> Vec<(String, Vec<String>, Measure)> {
    let of = |what: &str, list: &[&str]| list.iter().map(|x| format!("{what} {x}")).collect::<Vec<_>>();
    vec![
        ("One way, short".into(), of("round trip", &["8", "64", "96", "160", "1024", "4096"]), Measure::OneWay),
        ("One way, long".into(), of("round trip", &["65536", "262144", "1048576", "4194304"]), Measure::OneWay),
        ("Copied, in one direction".into(), of("bulk", &["65536", "262144", "1048576", "4194304"]), Measure::Bytes),
        (
            "8 bytes, in one direction".into(),
            of("", &["stream 8", "batches 8"]).iter().map(|s| s.trim().into()).collect(),
            Measure::Messages,
        ),
        ("Senders to one queue".into(), of("senders", &["2", "4", "8"]), Measure::Messages),
        (
            "Empty queues, and a sleeping receiver".into(),
            vec!["poll 1".into(), "poll 512".into(), "wake".into()],
            Measure::Time,
        ),
    ]
}

/// The contenders in the order of the tables.
pub const SIDES: &[&str] = &[
    "cache line",
    "one cache line",
    "memcpy",
    "futex",
    READ,
    "Express",
    "Express, one thread",
    "Express, one row",
    LONG,
    "Express by OnePoll",
    "Bulk",
    "Tag-On",
    "Tag-On, one thread",
    "Basic",
    "Basic, one thread",
    "msg_send",
    "iceoryx2",
    "iceoryx2, bare queue",
    "Aeron",
    "disruptor",
    "disruptor, many producers",
    "MPI",
    "pipe",
    "Unix socket, stream",
    "Unix socket, packets",
    "POSIX message queue",
    "ZeroMQ",
    "nng",
];
