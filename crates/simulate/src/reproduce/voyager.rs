//! The study of StarT-Voyager's message passing, on the simulated machine. All its figures are predictions of the
//! designers' own simulator; those of Figure 8 are no input here. Sizes are in words of 4 bytes.
//!
//! What holds of every schedule of threads is looked for in some, of fixed seeds ([`explored`]): that finds a
//! counterexample or none, and proves nothing.

mod drawings;

use super::{claim, Claim, Expected, Results, Study};
use crate::voyager::code::Mechanism;
use crate::voyager::explored::{self, Residency};
use crate::voyager::measured::{as_measured, bandwidth, multicast, times, transfer, Times, Way, MOST};
use crate::voyager::{At, Voyager};
use fathom_machine::network;
use fathom_machine::parts::nes::format::{Sent, EMPTY};
use fathom_machine::parts::nes::table::Entry;
use fathom_machine::{Description, Time};
use Expected::{Between, Holds, Near};

pub use drawings::drawings;

pub const STUDY: Study = Study {
    id: "voyager",
    machine: "voyager",
    name: "StarT-Voyager's message passing",
    claims: CLAIMS,
    measure,
    predictions: None,
    differs: &[
        ("V01", "it lacks what V03 lacks"),
        (
            "V03",
            "one load past the caches is 200 ns by the study's own 10 clocks of the bus, and moving and dispatching \
             the message 93; the study names another way to receive, two loads of 32 bits, and does not say which one \
             its figure is of",
        ),
        (
            "V10b",
            "Express messages follow each other through the network, while a Tag-On message has 1.5 lines on the link \
             however few words it carries",
        ),
    ],
    added: &[],
    readings: &[&["V01", "V01.2"], &["V03", "V03.2"]],
    left_out: &[],
};

#[rustfmt::skip]
const CLAIMS: &[Claim] = &[
    claim("V01", "an active message from end to end", Near(1250.0, "ns", 0.1), "Figure 8"),
    claim("V01.2", "the same, received by two loads of 32 bits", Near(1250.0, "ns", 0.1), "Figure 8"),
    claim("V02", "overhead of sending it", Near(130.0, "ns", 0.15), "Figure 8"),
    claim("V03", "overhead of receiving it", Near(510.0, "ns", 0.15), "Figure 8"),
    claim("V03.2", "the same by two loads of 32 bits", Near(510.0, "ns", 0.15), "Figure 8"),
    claim("V04", "peak, by block transfer", Near(140.0, "MB/s", 0.1), "Figure 8"),
    claim("V05", "messages of 88 bytes", Between(100.0, 160.0, "MB/s"), "section 6.2"),
    claim("V06a", "the least latency", Between(1000.0, 5000.0, "ns"), "section 6.2"),
    claim("V06b", "the greatest latency", Between(1000.0, 5000.0, "ns"), "section 6.2"),
    claim("V07", "Tag-On by Basic with threads, at most", Between(0.0, 1.0, "times"), "section 6.1, Figure 4"),
    claim("V08", "Basic's overhead by Tag-On's with threads", Between(2.0, 10.0, "times"), "section 6.1"),
    claim("V09a", "overhead with Reclaim by that without, at most", Between(0.0, 0.999, "times"), "section 6.1"),
    claim("V09b", "latency with Reclaim by that without, at most", Between(0.0, 0.999, "times"), "section 6.1"),
    claim("V10a", "Tag-On has less overhead than Express from", Between(1.0, 3.0, "words"), "section 6.1, Figure 4"),
    claim("V10b", "Tag-On has less latency than Express from", Between(1.0, 3.0, "words"), "section 6.1, Figure 4"),
    claim("V11a", "alone: Basic's overhead by Tag-On's", Between(0.85, 1.15, "times"), "section 6.2, Figure 6"),
    claim("V11b", "the same where it is least", Between(0.85, 0.999, "times"), "section 6.2, Figure 6"),
    claim("V12", "alone, one word: Express by the best other", Between(0.0, 0.999, "times"), "section 6.2, Figure 6"),
    claim("V13", "bits of an Express message", Near(37.0, "bits", 0.0), "section 5.1"),
    claim("V14a", "data of a short Tag-On message", Near(48.0, "bytes", 0.0), "section 5.2"),
    claim("V14b", "data of a long one", Near(80.0, "bytes", 0.0), "section 5.2"),
    claim("V15a", "pairs of queues", Near(512.0, "", 0.0), "section 4.1"),
    claim("V15b", "resident ones, by times alone", Near(16.0, "", 0.0), "section 4.2"),
    claim("V16", "an empty queue returns the Empty message", Holds(None), "section 5.1"),
    claim("V17a", "queues overflow or are not resident: none lost", Holds(Some("nes.miss_queue")), "section 4.2"),
    claim("V17b", "the same: no queue loses its order", Holds(Some("nes.diverts")), "section 4.2"),
    claim("V18", "a program reads the same, resident or not", Holds(Some("nes.serves")), "section 4.2"),
    claim("V19", "only destinations of a queue's row are reached", Holds(Some("nes.translates")), "section 4.1"),
    claim("V20", "Express without locks: each message whole", Holds(Some("nes.one_access")), "section 5.1"),
    claim("V21a", "Basic without a lock: a message is lost or mixed", Holds(None), "section 2.2"),
    claim("V21b", "Basic with locks: each message whole", Holds(Some("code.locks")), "section 2.2"),
    claim("V22", "OnePoll: first queue with a message, or Empty", Holds(Some("nes.by_priority")), "sections 4.3, 5.3"),
    claim("V23", "one store for each further destination", Holds(Some("nes.one_access")), "section 5.2"),
    claim("V24a", "a link, one way", Near(160.0, "MB/s", 0.01), "section 3"),
    claim("V24b", "a site's links, both ways", Near(320.0, "MB/s", 0.01), "section 3"),
    claim("V24c", "between the halves of 32 sites", Between(5000.0, 6000.0, "MB/s"), "section 3"),
    claim("V25", "messages arrive while a process is away", Holds(Some("nes.miss_queue")), "section 4.1"),
];

/// A mechanism with Reclaim or without, of a queue that several threads use or one.
const fn way(how: Mechanism, reclaims: bool, threads: bool) -> Way {
    Way { how, reclaims, threads }
}

/// The sizes of the study's curves.
const SIZES: [u64; 9] = [2, 3, 4, 5, 6, 8, 12, 16, MOST];
/// So many Express messages find room in a queue.
const MOST_EXPRESS: u64 = 8;

fn measure(description: &Description) -> Result<Results, String> {
    let mut found = Results::new();
    active_message(description, &mut found)?;
    curves(&as_measured(description)?, &mut found)?;
    definitions(description, &mut found)?;
    schedules(description, &mut found)?;
    links(description, &mut found)?;
    Ok(found)
}

fn holds(is: bool) -> f64 {
    f64::from(u8::from(is))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn active_message(description: &Description, found: &mut Results) -> Result<(), String> {
    let Times { send, receive, latency } = times(description, way(Mechanism::Express, true, true), 1)?;
    found.insert("V01", latency);
    found.insert("V02", send);
    found.insert("V03", receive);
    let two = times(&description.with("code.two_loads")?, way(Mechanism::Express, true, true), 1)?;
    found.insert("V01.2", two.latency);
    found.insert("V03.2", two.receive);
    found.insert("V04", transfer(description, 64 << 10)?.0);
    // An Express word of 8 bytes, and 2.5 lines.
    found.insert("V05", bandwidth(description, way(Mechanism::TagOn, true, true), MOST + 1, 88)?);
    Ok(())
}

/// Overhead and latency of one mechanism by size.
fn family(description: &Description, way: Way) -> Result<Vec<(u64, Times)>, String> {
    let most = if way.how == Mechanism::Express { MOST_EXPRESS } else { MOST };
    SIZES.iter().filter(|words| **words <= most).map(|words| Ok((*words, times(description, way, *words)?))).collect()
}

fn overhead(times: &Times) -> f64 {
    times.send + times.receive
}

fn curves(description: &Description, found: &mut Results) -> Result<(), String> {
    let of = |how, reclaims, threads| family(description, way(how, reclaims, threads));
    let (tag, tag_flush) = (of(Mechanism::TagOn, true, true)?, of(Mechanism::TagOn, false, true)?);
    let (basic, basic_flush) = (of(Mechanism::Basic, true, true)?, of(Mechanism::Basic, false, true)?);
    let express = of(Mechanism::Express, true, true)?;
    let (alone, alone_tag) = (of(Mechanism::Basic, true, false)?, of(Mechanism::TagOn, true, false)?);

    // Several Express messages are several messages: their latency is not one of a mechanism.
    let single = times(description, way(Mechanism::Express, true, true), 1)?;
    let latencies = [&tag, &tag_flush, &basic, &basic_flush].into_iter().flatten().map(|(_, t)| t.latency);
    let latencies: Vec<f64> = latencies.chain([single.latency]).collect();
    found.insert("V06a", latencies.iter().copied().fold(f64::INFINITY, f64::min));
    found.insert("V06b", latencies.iter().copied().fold(0.0, f64::max));

    let ratios = |one: &[(u64, Times)], by: &[(u64, Times)], value: fn(&Times) -> f64| -> Vec<f64> {
        one.iter().zip(by).map(|((_, a), (_, b))| value(a) / value(b)).collect()
    };
    let latency: fn(&Times) -> f64 = |t| t.latency;
    let most = |all: Vec<f64>| all.into_iter().fold(0.0, f64::max);
    let both =
        |one: &[(u64, Times)], by: &[(u64, Times)]| most(ratios(one, by, overhead)).max(most(ratios(one, by, latency)));
    found.insert("V07", both(&tag, &basic).max(both(&tag_flush, &basic_flush)));
    let by_tag = ratios(&basic, &tag, overhead);
    found.insert("V08", mean(&by_tag));
    for (id, value) in [("V09a", overhead as fn(&Times) -> f64), ("V09b", latency)] {
        let all = [ratios(&tag, &tag_flush, value), ratios(&basic, &basic_flush, value)].concat();
        found.insert(id, most(all));
    }
    for (id, value) in [("V10a", overhead as fn(&Times) -> f64), ("V10b", latency)] {
        let first = tag.iter().zip(&express).find(|((_, t), (_, e))| value(t) < value(e));
        found.insert(id, first.map_or(f64::NAN, |((words, _), _)| *words as f64));
    }
    let by_tag = ratios(&alone, &alone_tag, overhead);
    found.insert("V11a", mean(&by_tag));
    found.insert("V11b", by_tag.into_iter().fold(f64::INFINITY, f64::min));
    // A word beside an Express word: the smallest Tag-On message carries two.
    let one = overhead(&times(description, way(Mechanism::Express, true, false), 1)?);
    let basic_one = overhead(&times(description, way(Mechanism::Basic, true, false), 1)?);
    found.insert("V12", one / basic_one.min(overhead(&alone_tag[0].1)));
    Ok(())
}

/// Messages with a pause between them arrive one by one.
const PAUSE: Time = 50_000_000;

fn definitions(description: &Description, found: &mut Results) -> Result<(), String> {
    let machine = || Voyager::new(description, 2);
    let to = |queue| Some(Entry { site: 1, queue, source: 0 });

    // Each bit of a word by itself: does it come back?
    let mut bits = 0;
    for bit in 0..64 {
        let mut machine = machine()?;
        machine.sites[0].nes.table.set(0, 1, to(0));
        let format = machine.figures.format;
        let (at, data) = format.store(0, 1, None, 1 << bit);
        machine.store(0, 0, At::Send(at), u64::from(data));
        let now = machine.settle();
        let (word, _) = machine.load(now, 1, At::Receive(0));
        bits += u32::from(format.of_word(word).is_some_and(|arrived| arrived.payload == 1 << bit));
    }
    found.insert("V13", f64::from(bits));

    for (id, is_long) in [("V14a", false), ("V14b", true)] {
        found.insert(id, tag_bytes(machine()?, is_long) as f64);
    }

    // Each queue that has a name: does a message for it arrive? And how long does a look take?
    let mut machine = machine()?;
    let (mut pairs, mut fast) = (0, 0);
    for queue in 0..1024 {
        machine.sites[0].nes.table.set(0, 1, to(queue));
        let lost = machine.sites[1].lost;
        let (at, data) = machine.figures.format.store(0, 1, None, 1);
        let now = machine.settle() + PAUSE * u64::from(queue + 1);
        machine.store(now, 0, At::Send(at), u64::from(data));
        let now = machine.settle();
        if machine.sites[1].lost > lost {
            continue;
        }
        pairs += 1;
        let (_, after) = machine.load(now, 1, At::ReceiveProducer(queue));
        fast += u32::from(after - now < 1_000_000);
    }
    found.insert("V15a", f64::from(pairs));
    found.insert("V15b", f64::from(fast));

    let mut machine = Voyager::new(description, 2)?;
    let first = machine.load(0, 1, At::Receive(0)).0;
    machine.sites[1].nes.empty = 77;
    let chosen = machine.load(PAUSE, 1, At::Receive(0)).0;
    found.insert("V16", holds(first == EMPTY && chosen == 77));

    let (one, other) = (multicast(description, 3)?, multicast(description, 4)?);
    found.insert("V23", holds(other.0 - one.0 == 1 && one.1 == 0 && other.1 == 0));
    Ok(())
}

/// How many bytes of a line after line of data arrive with a Tag-On message.
fn tag_bytes(mut machine: Voyager, is_long: bool) -> u64 {
    use crate::voyager::{receive_buffer, transmit_buffer, LINE};
    use fathom_machine::parts::memory_bus::SRAM;
    use fathom_machine::parts::nes::format::Tag;
    machine.sites[0].nes.table.set(0, 1, Some(Entry { site: 1, queue: 0, source: 0 }));
    let (from, to) = (transmit_buffer(0), receive_buffer(0));
    let mut now = 0;
    for at in (0..6 * LINE).step_by(4) {
        now = machine.store_cached(now, 0, from + at, 1000 + at as u32);
    }
    let tag = Some(Tag { place: ((from - SRAM) / LINE) as u32, is_long });
    let at = machine.figures.format.address(&Sent { queue: 0, destination: 1, tag, bits: 0 });
    machine.store(now + PAUSE, 0, At::Send(at), 0);
    let mut now = machine.settle();
    let mut bytes = 0;
    while bytes < 6 * LINE {
        let (value, after) = machine.load_cached(now, 1, to + bytes);
        if value != 1000 + bytes as u32 {
            break;
        }
        (now, bytes) = (after, bytes + 4);
    }
    bytes
}

/// Schedules of each kind.
const SEEDS: std::ops::Range<u64> = 0..6;

fn schedules(description: &Description, found: &mut Results) -> Result<(), String> {
    let all = |of: &dyn Fn(u64) -> Result<bool, String>| -> Result<f64, String> {
        let each = SEEDS.map(of).collect::<Result<Vec<bool>, String>>()?;
        Ok(holds(each.into_iter().all(|is| is)))
    };
    let (mut complete, mut ordered, mut missed) = (true, true, 0);
    for seed in SEEDS {
        let outcome = explored::stress(description, 2, Residency::Changing, seed)?;
        complete &= outcome.is_complete;
        ordered &= outcome.is_in_order;
        missed += outcome.missed;
    }
    // Without messages that missed, nothing would have been shown.
    found.insert("V17a", holds(complete && missed > 0));
    found.insert("V17b", holds(ordered));
    found.insert(
        "V18",
        all(&|seed| {
            let run = |residency| explored::stress(description, 1, residency, seed);
            let [always, never, changing] = [Residency::Always, Residency::Never, Residency::Changing].map(run);
            let (always, never, changing) = (always?, never?, changing?);
            Ok(always.is_complete && never.missed > 0 && always.read == never.read && always.read == changing.read)
        })?,
    );
    found.insert("V19", all(&|seed| explored::is_protected(description, seed))?);
    found.insert("V20", all(&|seed| explored::express_is_whole(description, seed))?);
    let unlocked = SEEDS.map(|seed| explored::basic_is_whole(description, false, seed));
    found.insert("V21a", holds(unlocked.collect::<Result<Vec<_>, _>>()?.contains(&false)));
    found.insert("V21b", all(&|seed| explored::basic_is_whole(description, true, seed))?);
    found.insert("V22", all(&|seed| explored::polls_by_priority(description, seed))?);
    found.insert(
        "V25",
        all(&|seed| {
            let (is_right, came) = explored::swapped_out(description, seed)?;
            Ok(is_right && came > 0)
        })?,
    );
    Ok(())
}

/// Payload alone, without headers: what the links carry.
fn links(description: &Description, found: &mut Results) -> Result<(), String> {
    let bytes = 88;
    let count = 400;
    let rate = |ways: &[(u32, u32)]| -> Result<f64, String> {
        let mut network = network::build(&description.with_factor("network.header", 0.0)?)?;
        // The last of them, and one from which on all are under way.
        let (mut first, mut last) = (0, 0);
        for i in 0..count {
            for (from, to) in ways {
                let flight = network.carry(0, *from, *to, bytes);
                if i == count / 4 {
                    first = first.max(flight.tail);
                }
                last = last.max(flight.tail);
            }
        }
        let moved = (count - 1 - count / 4) * bytes * ways.len() as u64;
        Ok(moved as f64 / (last - first) as f64 * 1e6)
    };
    found.insert("V24a", rate(&[(0, 1)])?);
    found.insert("V24b", rate(&[(0, 1), (1, 0)])?);
    let halves: Vec<(u32, u32)> = (0..32).map(|site| (site, (site + 16) % 32)).collect();
    found.insert("V24c", rate(&halves)?);
    Ok(())
}
