//! `fathom probe --as-machine`: the measured network as a machine file, on which `fathom simulate` runs programs.
//!
//! The simulator charges a put of n bytes o_send + F(n) + serve + F(8) + o_recv, a get the same, and a message o_send +
//! F(n) + o_recv, where F(n) = L + (n - 1) G (`Charges` of `fathom-simulate`, `network::loggp` of `fathom-machine`). So
//! F follows from each measured size in three ways, whose median is taken; the least and the greatest are its range. G
//! comes from the largest sizes, and L is what remains, piece by piece: a new piece begins where the one before misses
//! the measured time.
//!
//! Puts that are begun one after the other and waited for later follow each other at an interval of their own, the time
//! that another one adds to many: `g_put` is that less the time of its bytes, and `o_put` is `o_send`, or the interval
//! if that is shorter. So are `g_get` and `o_get`. Where both threads do that with each other at one time, each direction
//! carries the requests (or acknowledgements) of the one beside the data of the other: what another transfer of each adds
//! then, less the interval one way, is `back_get` (or `back_put`), the time for which a request holds a port. One way alone
//! shows the longer of the two times, and so that is taken for the data's. The words that a program writes without waiting have
//! figures of their own, `g_relaxed` and so on: a runtime may send each as a message, and answer it.
//!
//! `serve` is what a put and a get of 8 bytes take longer than a message and its reply without their overheads at the
//! other side: over TCP the other processor answers, and where hardware does, nothing is left. It counts if all of its
//! interval is above a thousandth of a message's way.
//!
//! `late` is by how much a thread that has waited goes on late at random, if the profile is sure of it. The simulator adds
//! that to every wait, so what was measured is taken without it: a put or get has one wait, a round trip two. A sample of
//! which k operations are the mean lies, in the median, (waits - 1 / 3k) times the mean lateness above what it would be.

use super::{near_machine, output};
use crate::simulate::calibrate::Costs;
use fathom_machine::description::WORK;
use fathom_profile::statistics::quantile;
use fathom_profile::{names, Profile, Reading, Value};
use fathom_toolchain::{Failure, Result};
use std::fmt::Write;
use std::path::Path;

/// What the user wants written.
pub struct Wanted<'a> {
    pub path: &'a Path,
    /// The nodes of the machine.
    pub ports: u32,
    /// What operations cost, if it is known.
    pub costs: Option<Costs>,
}

/// The bytes of a request for data and of an acknowledgement in the simulator.
const REQUEST: f64 = 8.0;
/// The bytes of the arguments that the prober sends with a short message.
const SHORT: f64 = 16.0;
/// The bytes of a short message there and back, in the mean: the reply has no arguments, and takes the time of one byte.
const TRIP: f64 = (SHORT + 1.0) / 2.0;
/// The least part of a message's way that a time to answer is told by: what the overheads were read by is no better.
const LEAST_OF_A_WAY: f64 = 1e-3;
/// How long the prober's samples are, or one operation if that is longer (`SAMPLE_US`, runtime/probe/sample.c).
const SAMPLE_NS: f64 = 5e5;
/// The least confidence with which a lateness counts.
const SURE_OF_LATE: f64 = 0.5;
/// A piece holds for a size if it misses its time by at most this share.
const TOLERANCE: f64 = 0.02;
/// Overheads that are a greater part of half a round trip were disturbed; a little more than all of it can be, because those
/// of the two sides overlap.
const MOST_OF_A_WAY: f64 = 1.25;
/// The curve of the round trips of messages from which LogGP's parameters come, and its series.
const TRIPS: (&str, &str) = ("communication.loggp.round_trip", "measured");
/// The curve of transfers by how many are under way.
const GROUPS: &str = "communication.group";
/// Its series of transfers of [`REQUEST`] bytes, and what the machine file calls them.
const STREAMS: [(&str, &str); 3] =
    [("put", "put of 8 bytes"), ("get", "get of 8 bytes"), ("relaxed", "relaxed put of 8 bytes")];
/// What the names of its series end with where both threads have so many under way.
const BOTH_WAYS: &str = ", both ways";

/// Puts, or gets, that are under way together.
#[derive(Clone, Copy, Debug)]
struct Stream {
    overhead: Measured,
    gap: Measured,
    /// What goes the other way holds a port for so long; None: it is in nobody's way.
    back: Option<Measured>,
}

/// A value, and the least and greatest that it may have, in ns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Measured {
    pub fn new(value: f64, low: Option<f64>, high: Option<f64>) -> Self {
        Measured { value, low: low.unwrap_or(value).min(value), high: high.unwrap_or(value).max(value) }
    }

    fn of(reading: &Reading) -> Self {
        Measured::new(reading.y, Some(reading.low), Some(reading.high))
    }

    /// The sum of `self` and `factor` times the other.
    fn plus(self, factor: f64, other: Measured) -> Self {
        let (low, high) = if factor < 0.0 { (other.high, other.low) } else { (other.low, other.high) };
        let sum = |a: f64, b: f64| a + factor * b;
        Measured { value: sum(self.value, other.value), low: sum(self.low, low), high: sum(self.high, high) }
    }

    pub fn times(self, factor: f64) -> Self {
        Measured { value: self.value * factor, low: self.low * factor, high: self.high * factor }
    }

    fn not_negative(self) -> Self {
        Measured { value: self.value.max(0.0), low: self.low.max(0.0), high: self.high.max(0.0) }
    }

    /// The median of several, between the least and the greatest of all.
    fn median(all: &[Measured]) -> Option<Self> {
        let mut values: Vec<f64> = all.iter().map(|m| m.value).collect();
        values.sort_by(f64::total_cmp);
        let low = all.iter().map(|m| m.low).reduce(f64::min)?;
        let high = all.iter().map(|m| m.high).reduce(f64::max)?;
        Some(Measured { value: quantile(&values, 0.5), low, high })
    }
}

/// L for messages from this size on.
#[derive(Clone, Copy, Debug)]
struct Piece {
    from: u64,
    latency: Measured,
    gap_per_byte: Measured,
}

struct Network {
    late: std::result::Result<Measured, String>,
    o_send: Measured,
    o_recv: Measured,
    gap: Measured,
    /// Of a put or get at the other side; None: its processor takes no part.
    serve: Option<Measured>,
    /// As [`STREAMS`].
    streams: [Option<Stream>; 3],
    pieces: Vec<Piece>,
}

impl Wanted<'_> {
    /// Writes the machine file: the network from the profile whose threads do not share memory, what threads on one node
    /// share from the one whose threads do.
    ///
    /// # Errors
    /// A profile lacks what is needed, there are two of a sort, or the file cannot be written.
    pub fn write(&self, profiles: &[Profile]) -> Result<()> {
        let cannot = |why: String| Failure::new(format!("{} cannot be written: {why}", self.path.display()));
        let (near, far): (Vec<&Profile>, Vec<&Profile>) = profiles.iter().partition(|p| near_machine::is_near(p));
        if near.len() > 1 || far.len() > 1 {
            let what = if near.len() > 1 { "share memory" } else { "do not share memory" };
            return Err(cannot(format!("the threads of two profiles {what}"))
                .hint("give one profile of threads that share memory, and one of threads that do not"));
        }
        let mut text = self.head(far.first().or(near.first()).copied(), far.is_empty());
        if let Some(profile) = far.first() {
            let network = Network::of(profile).map_err(|why| {
                cannot(why).hint(
                    "measure two threads that do not share memory, on a quiet computer: \
                     `fathom probe --conduit mpi -n 2 --only communication --as-machine FILE` with hosts of the launcher's, or \
                     with FATHOM_NODE_MAX=1 on one computer; where round trips take 100 us and more a probe may find no time \
                     for all of it",
                )
            })?;
            text += &self.network(profile, &network);
        }
        if let Some(profile) = near.first() {
            text += &near_machine::table(profile).map_err(|why| {
                cannot(why).hint(
                    "measure threads that share memory, all of a node's, and not --quick: \
                     `fathom probe --only memory,communication,synchronisation --as-machine FILE`",
                )
            })?;
        }
        text += &self.work(profiles);
        output::write(self.path, text.as_bytes())
    }

    /// What stands before the tables. `profile` is the one that the machine has its name from.
    fn head(&self, profile: Option<&Profile>, is_one_node: bool) -> String {
        let (machine, when) =
            profile.map_or((String::new(), String::new()), |p| (p.about.machine.clone(), date(p.about.taken_unix_s)));
        let (what, about) = match is_one_node {
            true => (
                "a node",
                "One node, whose threads share memory, as its threads measured it. There is no network. Not modelled: caches, \
                 and processors that are nearer to each other than to others.",
            ),
            false => (
                "the network",
                "A network as two threads measured it: latency by size, overheads, gap, time per byte. Contention is at \
                 the ends only: links that several pairs of nodes share are not modelled.",
            ),
        };
        format!(
            "# Written by `fathom probe --as-machine`. Run a program on it: `fathom simulate --machine FILE -n N PROGRAM`.\n\n\
             name = {}\n\n[simulated]\nabout = {}\n",
            quoted(&format!("{what} of {machine}, {when}")),
            quoted(about)
        )
    }

    /// The costs of operations, if they are known.
    fn work(&self, profiles: &[Profile]) -> String {
        let Some(costs) = &self.costs else { return String::new() };
        let when = profiles.first().map_or(String::new(), |p| date(p.about.taken_unix_s));
        let mut text = "\n# Of `fathom simulate --calibrate`.\n[simulated.work]\n".to_string();
        for (class, ps) in WORK.iter().zip(costs) {
            let how = format!("{when}: fitted to a program's whole work by `fathom simulate --calibrate`");
            let _ = writeln!(text, "{class} = {{ value = \"{} ps\", measured = {} }}", number(*ps), quoted(&how));
        }
        text
    }

    fn network(&self, profile: &Profile, network: &Network) -> String {
        let about = &profile.about;
        let source = format!("{}, {}, conduit {}", date(about.taken_unix_s), about.machine, about.conduit);
        let mut text = format!(
            "\n[simulated.network]\nkind = \"loggp\"\n\
             ports = {{ value = {}, assumed = \"the number that was asked for\", range = [{}, {}] }}\n",
            self.ports,
            self.ports.min(2),
            self.ports,
        );
        match &network.late {
            Ok(late) => {
                let how =
                    "round trips of short messages, one by one: the mean less the fastest tenth, for each of two waits";
                let _ = writeln!(text, "{}", figure("late", *late, " ns", &format!("{source}: {how}")));
            }
            Err(why) => text += &format!("# No `late`: {why}.\n"),
        }
        let mut ns = |name: &str, what: Measured, how: &str| {
            let _ = writeln!(text, "{}", figure(name, what, " ns", &format!("{source}: {how}")));
        };
        ns("o_send", network.o_send, "short messages in bursts");
        ns("o_recv", network.o_recv, "the poll that takes a reply which is there");
        ns("g", network.gap, "interval of short messages in a flood, less the time of their bytes");
        if let Some(serve) = network.serve {
            let how = "a put and a get of 8 bytes, less the way of a message there and back, and less its overheads at one side";
            ns("serve", serve, how);
        }
        for ((of, series), stream) in STREAMS.iter().zip(network.streams) {
            let Some(Stream { overhead, gap, back }) = stream else { continue };
            let how =
                format!("{} under way together: what another one adds to many", series.replacen(" of", "s of", 1));
            ns(&format!("o_{of}"), overhead, &format!("{how}, at most o_send"));
            ns(&format!("g_{of}"), gap, &format!("{how}, less the time of its bytes"));
            if let Some(back) = back {
                let how = format!("{how} where both threads have as many, less what it adds one way");
                ns(&format!("back_{of}"), back, &how);
            }
        }
        for (i, piece) in network.pieces.iter().enumerate() {
            let suffix = if i == 0 { String::new() } else { format!("_{}", i + 1) };
            if i > 0 {
                let how = "from here on the latency of the smaller sizes misses the measured times";
                let _ = writeln!(
                    text,
                    "from{suffix} = {{ value = \"{} B\", measured = {} }}",
                    piece.from,
                    quoted(&format!("{source}: {how}"))
                );
            }
            let how = "blocking puts, gets and round trips: the median; the range has all three";
            let _ =
                writeln!(text, "{}", figure(&format!("L{suffix}"), piece.latency, " ns", &format!("{source}: {how}")));
            let is_new = i == 0 || piece.gap_per_byte != network.pieces[i - 1].gap_per_byte;
            if is_new {
                let how = "what a byte adds at the largest sizes";
                let name = format!("G{suffix}");
                let _ =
                    writeln!(text, "{}", figure(&name, piece.gap_per_byte, " ns / 1 B", &format!("{source}: {how}")));
            }
        }
        text
    }
}

impl Network {
    fn of(profile: &Profile) -> std::result::Result<Self, String> {
        let (o_send, o_recv) = (parameter(profile, "o_send.ns")?, parameter(profile, "o_recv.ns")?);
        let interval = parameter(profile, "g.ns")?;
        let trip = profile.value("communication.round_trip.ns").and_then(known);
        if let Some(trip) = trip.filter(|trip| o_send.value + o_recv.value > MOST_OF_A_WAY * trip.value / 2.0) {
            return Err(format!(
                "sending and receiving a message took {:.0} ns, more than half of a round trip of {:.0} ns: something else was \
                 going on",
                o_send.value + o_recv.value,
                trip.value
            ));
        }
        let late = late(profile);
        let waits = |readings: Vec<Reading>, waits: f64| match &late {
            Ok(late) => readings.iter().map(|r| punctual(r, waits, *late)).collect(),
            Err(_) => readings,
        };
        let [puts, gets] =
            [names::PUT, names::GET].map(|curve| points(profile, curve, names::BLOCKING).map(|all| waits(all, 1.0)));
        let (puts, gets, trips) = (puts?, gets?, waits(points(profile, TRIPS.0, TRIPS.1)?, 2.0));
        let both = o_send.plus(1.0, o_recv);
        let at = |points: &[Reading], bytes: f64| points.iter().find(|p| p.x == bytes).map(Measured::of);
        // Without the overheads; of a put and a get, both ways.
        let small = [at(&puts, REQUEST), at(&gets, REQUEST)].into_iter().flatten();
        let small: Vec<Measured> = small.map(|t| t.plus(-1.0, both).times(0.5)).collect();
        let one_sided = Measured::median(&small).ok_or("no put and no get of 8 bytes was measured")?.not_negative();
        let ways_with = |request: Measured, serve: Measured| {
            let mut ways: Vec<(f64, Measured)> = vec![(REQUEST, request)];
            for p in &puts {
                let mut all: Vec<Measured> = [Some(Measured::of(p)), at(&gets, p.x)]
                    .into_iter()
                    .flatten()
                    .map(|t| t.plus(-1.0, both).plus(-1.0, request).plus(-1.0, serve))
                    .collect();
                all.extend(at(&trips, p.x).map(|t| t.times(0.5).plus(-1.0, both)));
                if let Some(way) = Measured::median(&all).filter(|_| p.x > REQUEST) {
                    ways.push((p.x, way.not_negative()));
                }
            }
            ways
        };
        let nothing = Measured { value: 0.0, low: 0.0, high: 0.0 };
        let mut ways = ways_with(one_sided, nothing);
        if ways.len() < 4 {
            return Err(format!("puts and gets of {} sizes were measured, and four are needed", ways.len()));
        }
        let per_byte = per_byte(&ways)?;
        let trip = trip.map(|trip| match &late {
            Ok(late) => trip.plus(-excess(trip.value, 2.0), *late),
            Err(_) => trip,
        });
        let serve = trip.and_then(|trip| serve(trip, both, per_byte, &small));
        if let Some((request, serve)) = serve {
            ways = ways_with(request, serve);
        }
        let pieces = pieces(&ways, per_byte);
        let gap = interval.plus(-(SHORT - 1.0), pieces[0].gap_per_byte).not_negative();
        let adds = |series: &str| points(profile, GROUPS, series).ok().and_then(|points| another(&points));
        let stream = |series| {
            let another = adds(series)?;
            let overhead = if another.value < o_send.value { another } else { o_send };
            let gap = another.plus(-REQUEST, pieces[0].gap_per_byte).not_negative();
            let both = adds(&format!("{series}{BOTH_WAYS}"));
            let back = both.map(|both| both.plus(-1.0, another)).filter(|back| back.low > 0.0);
            Some(Stream { overhead, gap, back })
        };
        let streams = STREAMS.map(|(_, series)| stream(series));
        Ok(Network { late, o_send, o_recv, gap, serve: serve.map(|s| s.1), streams, pieces })
    }
}

/// A value with its interval.
fn known(value: &Value) -> Option<Measured> {
    value.value.map(|middle| Measured::new(middle, value.low, value.high))
}

/// A parameter of LogGP.
pub(super) fn parameter(profile: &Profile, name: &str) -> std::result::Result<Measured, String> {
    let name = format!("communication.loggp.{name}");
    profile.value(&name).and_then(known).ok_or_else(|| format!("the profile has no `{name}`"))
}

/// The figure `late`, or why there is none.
fn late(profile: &Profile) -> std::result::Result<Measured, String> {
    let value = profile.value(names::LATE_NS).ok_or("the profile has no `communication.late.ns`")?;
    let late = known(value).ok_or_else(|| value.rule.clone())?;
    match value.confidence >= SURE_OF_LATE {
        true => Ok(late),
        false => Err(format!("{:.0} ns, with a confidence of {:.1}: {}", late.value, value.confidence, value.rule)),
    }
}

/// How many times the mean lateness the median of samples lies above what it would be without, where each is the mean of
/// operations of so many ns with so many waits. The median of a gamma distribution of shape a is about a - 1/3.
fn excess(ns: f64, waits: f64) -> f64 {
    let operations = (SAMPLE_NS / ns).max(1.0);
    waits - 1.0 / (3.0 * operations)
}

/// A reading as it would be if nobody were late.
fn punctual(reading: &Reading, waits: f64, late: Measured) -> Reading {
    let without = Measured::of(reading).plus(-excess(reading.y, waits), late).not_negative();
    Reading { y: without.value, low: without.low, high: without.high, ..*reading }
}

/// The way of a message of 8 bytes, and the time that the other processor takes to answer a put or get of as many, if it
/// does. `small`: the ways of such puts and gets if nobody took time to answer.
fn serve(trip: Measured, both: Measured, per_byte: Measured, small: &[Measured]) -> Option<(Measured, Measured)> {
    let way = trip.times(0.5).plus(-1.0, both).plus(REQUEST - TRIP, per_byte).not_negative();
    let longer: Vec<Measured> = small.iter().map(|s| s.plus(-1.0, way).times(2.0)).collect();
    Measured::median(&longer).filter(|serve| serve.low > LEAST_OF_A_WAY * way.value).map(|serve| (way, serve))
}

/// By how much longer the largest group takes than one of half as many or fewer, for each transfer that it has more.
/// `points`: the time of a transfer by how many are under way. None: there are too few, or a larger group took no
/// longer.
fn another(points: &[Reading]) -> Option<Measured> {
    let last = points.last()?;
    let before = points.iter().rev().find(|p| p.x <= last.x / 2.0)?;
    let whole = |p: &Reading| Measured::of(p).times(p.x);
    let more = whole(last).plus(-1.0, whole(before)).times(1.0 / (last.x - before.x));
    (more.value > 0.0).then(|| more.not_negative())
}

fn points(profile: &Profile, curve: &str, series: &str) -> std::result::Result<Vec<Reading>, String> {
    let found = profile.curve(curve).and_then(|c| c.series(series)).map(|s| s.points.clone());
    found.filter(|points| !points.is_empty()).ok_or_else(|| format!("the profile has no points of `{curve}`, {series}"))
}

/// The time of a byte, from the largest size and the least that has a quarter of its bytes or more.
fn per_byte(ways: &[(f64, Measured)]) -> std::result::Result<Measured, String> {
    let (last, before) = match ways {
        [.., last] => (last, ways.iter().find(|w| w.0 >= last.0 / 4.0 && w.0 < last.0)),
        [] => return Err("nothing was measured by size".into()),
    };
    let before = before.or_else(|| ways.iter().rev().nth(1)).ok_or("one size was measured")?;
    let slope = last.1.plus(-1.0, before.1).times(1.0 / (last.0 - before.0));
    match slope.value > 0.0 {
        true => Ok(slope.not_negative()),
        false => {
            Err(format!("{} bytes took no longer than {}: measure again, with less going on besides", last.0, before.0))
        }
    }
}

/// The fewest pieces that hold for all sizes.
fn pieces(ways: &[(f64, Measured)], per_byte: Measured) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = vec![];
    let mut before = 0.0;
    for (bytes, way) in ways {
        let rest = bytes - 1.0;
        let holds = pieces.last().is_some_and(|p| {
            let time = p.latency.value + rest * p.gap_per_byte.value;
            (way.low..=way.high).contains(&time) || (time / way.value - 1.0).abs() <= TOLERANCE
        });
        if !holds {
            // The bytes cannot take longer than the whole.
            let least = Measured { value: way.value / rest, low: way.low / rest, high: way.high / rest };
            let gap_per_byte = if per_byte.value < least.value { per_byte } else { least };
            let latency = Measured {
                value: way.value - rest * gap_per_byte.value,
                low: way.low - rest * gap_per_byte.value,
                high: way.high - rest * gap_per_byte.value,
            };
            // Between the two sizes that were measured.
            let from = if before == 0.0 { 0 } else { f64::sqrt(before * bytes).ceil() as u64 };
            pieces.push(Piece { from, latency: latency.not_negative(), gap_per_byte });
        }
        before = *bytes;
    }
    pieces
}

pub(super) fn figure(name: &str, what: Measured, unit: &str, source: &str) -> String {
    let [value, low, high] = [what.value, what.low, what.high].map(|n| format!("\"{}{unit}\"", number(n)));
    format!("{name} = {{ value = {value}, measured = {}, range = [{low}, {high}] }}", quoted(source))
}

/// With the digits that a picosecond needs.
pub(super) fn number(n: f64) -> String {
    let text = format!("{n:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.into()).to_string()
}

/// A day as 2026-01-31. (Howard Hinnant, days_from_civil.)
pub(super) fn date(unix_s: u64) -> String {
    let z = (unix_s / 86_400) as i64 + 719_468;
    let (era, doe) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    format!("{}-{month:02}-{:02}", yoe + era * 400 + i64::from(month <= 2), doy - (153 * mp + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_its_name() {
        assert_eq!([0, 951_782_400, 1_735_689_599].map(date), ["1970-01-01", "2000-02-29", "2024-12-31"]);
    }

    #[test]
    fn a_processor_answers_if_puts_take_longer_than_messages_without_its_overheads() {
        let about = |value: f64| Measured { value, low: value * 0.99, high: value * 1.01 };
        let (both, per_byte) = (about(12.0), about(0.0));
        // A message takes 100 + 12; a put is two, and its ends at the other side are the answer.
        let small = |put: f64| [about(put).plus(-1.0, both).times(0.5)];
        let (way, answer) = serve(about(224.0), both, per_byte, &small(224.0 + 20.0)).unwrap();
        assert!((way.value - 100.0).abs() < 1e-9 && (answer.value - 32.0).abs() < 1e-9, "{way:?} {answer:?}");
        // Hardware answers: nothing is left.
        assert!(serve(about(224.0), both, per_byte, &small(212.0)).is_none());
        // Within the interval of what was measured there is no telling.
        assert!(serve(about(224.0), both, per_byte, &small(214.0)).is_none());
    }

    #[test]
    fn what_another_transfer_adds_is_free_of_the_latency() {
        let point = |n: f64, whole: f64| Reading {
            x: n,
            y: whole / n,
            low: whole / n,
            high: whole / n,
            samples: 9,
            outliers: 0,
        };
        let points = [1.0, 16.0, 32.0, 64.0].map(|n| point(n, 1000.0 + 30.0 * n));
        assert!((another(&points).unwrap().value - 30.0).abs() < 1e-9);
        assert!(another(&points[..1]).is_none());
        // A larger group that took less time was disturbed.
        assert!(another(&[point(32.0, 2000.0), point(64.0, 1900.0)]).is_none());
    }

    #[test]
    fn a_step_of_latency_begins_a_piece_between_the_sizes() {
        let exactly = |value: f64| Measured { value, low: value, high: value };
        let ways: Vec<(f64, Measured)> = (3..=20)
            .map(|k| f64::from(1 << k))
            .map(|n| (n, exactly(if n < 65536.0 { 1000.0 } else { 9000.0 } + (n - 1.0) * 0.5)))
            .collect();
        let pieces = pieces(&ways, per_byte(&ways).unwrap());
        let found: Vec<(u64, f64)> = pieces.iter().map(|p| (p.from, p.latency.value.round())).collect();
        assert_eq!(found, [(0, 1000.0), (46341, 9000.0)]);
        assert!(pieces.iter().all(|p| (p.gap_per_byte.value - 0.5).abs() < 1e-9));
    }
}
