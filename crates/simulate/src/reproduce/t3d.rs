//! The T3D Split-C study. Here are sections 2 to 5, the node and the shell; [`split_c`] has the rest.

mod drawings;
mod split_c;

pub use drawings::drawings;

use super::remembered::{figures, Remembered};
use super::{claim, workstation, Claim, Expected, Results, Study};
use crate::Simulated;
use fathom_machine::parts::shell::{join, Read};
use fathom_machine::{machine, Data, Description, Machine, Thread, Words};
use fathom_probe::{surface, Effort, Session};
use std::collections::BTreeMap;
use std::time::Duration;
use Expected::{Between, Holds, Near};

pub const STUDY: Study = Study {
    id: "t3d",
    machine: "t3d",
    name: "Split-C on the CRAY T3D",
    claims: CLAIMS,
    measure,
    predictions: None,
    differs: &[
        (
            "T35",
            "setting the segment register takes 23 cycles (T19), and a store that is waited for 880 ns (T33): 1,033 ns \
             alone, more than 5 % above what is printed, and nothing of the one overlaps with the other here",
        ),
        (
            "T64b",
            "the sequence counted here has two misses, a barrier, and 36 cycles of instructions; the study does not \
             say what else its figure holds, and instruction fetch is not modelled",
        ),
    ],
    added: &[
        ("no second cache", with_second_cache),
        ("no translation", with_translation),
        ("one way", with_second_way),
        ("pages of memory", with_one_page),
        ("one drop of the whole cache", with_drops_of_lines),
        ("a queue of 16 prefetches", with_longer_queue),
    ],
    readings: &[],
    left_out: &[],
};

#[rustfmt::skip]
const CLAIMS: &[Claim] = &[
    claim("T01", "a load that hits", Near(6.67, "ns", 0.02), "section 2.2"),
    claim("T02", "the first cache's size, inferred", Near(8192.0, "bytes", 0.0), "section 2.2"),
    claim("T03", "its line, inferred", Near(32.0, "bytes", 0.0), "section 2.2"),
    claim("T04", "it is direct-mapped: no drop at the longest stride", Holds(Some("one way")), "section 2.2"),
    claim("T05", "a load from memory", Near(145.0, "ns", 0.03), "section 2.2"),
    claim("T06", "more if it is off-page", Near(60.0, "ns", 0.1), "section 2.2"),
    claim("T07", "a load from the same bank", Near(264.0, "ns", 0.05), "section 2.2"),
    claim("T08", "no second cache is found", Holds(Some("no second cache")), "section 2.2"),
    claim("T09", "no translation is found", Holds(Some("no translation")), "section 2.2"),
    claim("T10", "streaming loads", Near(220.0, "MB/s", 0.03), "section 2.2"),
    claim("T14", "a store by small strides", Near(20.0, "ns", 0.05), "section 2.3"),
    claim("T15", "a store to a line of its own", Near(35.0, "ns", 0.05), "section 2.3"),
    claim("T16", "the write buffer's depth, inferred", Near(4.0, "", 0.0), "section 2.3"),
    claim("T17", "stores merge within a line", Holds(Some("buffer.merges")), "section 2.3"),
    claim("T18", "stores become slower again at a stride of 16 KB", Holds(Some("pages of memory")), "section 2.3"),
    claim("T19", "setting a segment register", Near(23.0, "cycles", 0.02), "section 3.2"),
    claim("T23", "a synonym in the write buffer reads the old word", Holds(Some("buffer")), "section 3.4"),
    claim("T24", "synonyms in the cache drive each other out", Holds(Some("cache")), "section 3.4"),
    claim("T25", "an uncached remote load", Near(610.0, "ns", 0.03), "section 4.2"),
    claim("T26", "a cached remote load", Near(765.0, "ns", 0.03), "section 4.2"),
    claim("T27", "the same by strides of a word", Near(196.0, "ns", 0.03), "section 4.2"),
    claim("T28", "more if it is off-page there", Near(100.0, "ns", 0.1), "section 4.2"),
    claim("T29", "a hop", Between(13.0, 20.0, "ns"), "section 4.2"),
    claim("T30", "remote by local loads", Between(2.9, 4.3, ""), "section 4.2"),
    claim("T32", "Split-C's read", Near(850.0, "ns", 0.05), "section 4.4"),
    claim("T33", "a remote store that is waited for", Near(880.0, "ns", 0.04), "section 4.3"),
    claim("T34", "the status bit is clear too early", Holds(Some("buffer")), "section 4.3"),
    claim("T35", "Split-C's write", Near(981.0, "ns", 0.05), "section 4.4"),
    claim("T36", "dropping a line", Near(23.0, "cycles", 0.05), "section 4.4"),
    claim("T37", "a cached remote line stays old", Holds(Some("cache")), "section 4.4"),
    claim("T38", "a remote store drives out another line", Holds(Some("shell.invalidates")), "section 4.4"),
    claim("T39", "two bytes of a word, written at once: one is lost", Holds(Some("processor.words_only")), "section 4.5"),
    claim("T40", "loads pass local stores", Holds(Some("buffer")), "section 4.5"),
    claim("T41", "one prefetch more than a load", Between(7.0, 23.0, "cycles"), "section 5.2"),
    claim("T42", "four prefetches by four loads", Between(0.0, 0.7, ""), "section 5.2"),
    claim("T43", "one of sixteen prefetches", Near(31.0, "cycles", 0.05), "section 5.2"),
    claim("T44", "taking a prefetched word that is there", Near(23.0, "cycles", 0.02), "section 5.2"),
    claim("T45", "the share of a prefetch that overlaps", Between(0.737, 0.777, ""), "section 5.2"),
    claim("T46", "fewer than four prefetches need a barrier, four do not", Holds(Some("buffer")), "section 5.2"),
    claim("T47", "one of sixteen gets from one processor", Near(250.0, "ns", 0.2), "section 9"),
    claim("T48", "the table of gets, for each", Near(10.0, "cycles", 0.05), "section 5.4"),
    claim("T49", "a remote store that is not waited for", Near(115.0, "ns", 0.05), "section 5.3"),
    claim("T50", "it costs less by smaller strides", Holds(Some("buffer.merges")), "section 5.3"),
    claim("T51", "Split-C's put", Near(300.0, "ns", 0.07), "section 5.4"),
    claim("T52", "17 gets at once lose a word, 64 puts lose none", Holds(Some("a queue of 16 prefetches")), "section 5.3"),
    claim("T53", "the engine's rate", Near(140.0, "MB/s", 0.03), "section 6.2"),
    claim("T54", "starting the engine", Near(180_000.0, "ns", 0.03), "section 6.3"),
    claim("T55", "the fastest bulk read: 8 B uncached, to 64 B cached, to 16 KB prefetches, then the engine", Holds(Some("engine")), "section 6.2"),
    claim("T56", "bulk writes by stores", Near(90.0, "MB/s", 0.05), "section 6.2"),
    claim("T57", "bulk reads by the cache get faster at 8 KB", Holds(Some("one drop of the whole cache")), "section 6.2, note 3"),
    claim("T58", "what prefetches move while the engine starts", Near(7900.0, "bytes", 0.05), "section 6.3"),
    claim("T59", "what stores move while the engine starts", Near(16900.0, "bytes", 0.1), "section 6.3"),
    claim("T60", "the engine overtakes prefetches between", Between(8192.0, 16384.0, "bytes"), "section 6.3"),
    claim("T61", "injecting a message", Near(813.0, "ns", 0.03), "section 7.3"),
    claim("T62a", "the interrupt of a message", Near(25_000.0, "ns", 0.03), "section 7.3"),
    claim("T62b", "its handler", Near(33_000.0, "ns", 0.03), "section 7.3"),
    claim("T63", "fetch-and-increment", Near(1000.0, "ns", 0.1), "section 7.4"),
    claim("T64a", "a message until it is in the queue", Near(2900.0, "ns", 0.1), "section 7.4"),
    claim("T64b", "taking a message from the queue", Near(1500.0, "ns", 0.1), "section 7.4"),
    claim("T65", "a message to a processor in the barrier is handled", Holds(Some("barrier.fuzzy")), "section 7.5"),
    claim("T66", "a store by a put", Between(1.0, 100.0, ""), "section 7.5"),
];

/// The T3D with the second-level cache of its workstation, an eighth as large, so that the surfaces go beyond it.
fn with_second_cache(description: &Description) -> Result<Description, String> {
    let (mut changed, mut second) = (description.clone(), workstation::part("second")?);
    second.figures.insert("size".into(), workstation::figure("64 KB"));
    for part in changed.parts.values_mut().filter(|p| p.kind == "write-buffer") {
        second.next = part.next.replace("second".into());
    }
    changed.parts.insert("second".into(), second);
    Ok(changed)
}

/// The T3D with the translation of its workstation, of as many pages as the surfaces exceed.
fn with_translation(description: &Description) -> Result<Description, String> {
    let (mut changed, mut translation) = (description.clone(), workstation::part("translation")?);
    translation.figures.insert("entries".into(), workstation::figure("4"));
    translation.figures.insert("miss".into(), workstation::figure("230 ns"));
    translation.next = Some(std::mem::replace(&mut changed.memory, "translation".into()));
    changed.parts.insert("translation".into(), translation);
    Ok(changed)
}

/// The T3D with a cache of two ways.
fn with_second_way(description: &Description) -> Result<Description, String> {
    description.with_factor("cache.ways", 2.0)
}

/// The T3D with a memory that is one page.
fn with_one_page(description: &Description) -> Result<Description, String> {
    let [page, all] = [description.quantity("dram.page")?, description.quantity("dram.size")?];
    description.with_factor("dram.page", all.value / page.value)
}

/// The T3D where dropping the whole cache takes as long as dropping each of its lines.
fn with_drops_of_lines(description: &Description) -> Result<Description, String> {
    let [size, line, each, all] =
        ["cache.size", "cache.line", "shell.flush", "shell.flush_all"].map(|name| description.quantity(name));
    description.with_factor("shell.flush_all", size?.value / line?.value * each?.value / all?.value)
}

/// The T3D with room for four times as many prefetches.
fn with_longer_queue(description: &Description) -> Result<Description, String> {
    description.with_factor("shell.fetches", 4.0)
}

/// Processors 0 and 1 share a port; 2 is one hop away from both.
const AWAY: u32 = 2;

fn start<D: Data>(description: &Description) -> Result<(Machine<D>, Thread), String> {
    Ok((machine(description, AWAY + 1)?, Thread::new(0)))
}

fn measure(description: &Description) -> Result<Results, String> {
    let mut found = Results::new();
    inferred(description, &mut found)?;
    let cycle_ns = start::<()>(description)?.0.nodes[0].processor.cycle as f64 / 1000.0;
    let cycle = |ns: f64| ns / cycle_ns;
    remote(description, &cycle, &mut found)?;
    prefetches(description, &cycle, &mut found)?;
    hazards(description, &mut found)?;
    split_c::measure(description, &mut found)?;
    Ok(found)
}

/// The surfaces take most of the time, and many figures are none of theirs.
static SURFACES: Remembered<Results> = Remembered::new();

/// What stands apart from a processor's way to its own memory.
const APART: [&str; 7] = ["network.", "code.", "registers.", "engine.", "messages.", "barrier.", "shell."];
/// Of the shell these do not.
const SHELLS: [&str; 2] = ["shell.on_page", "shell.shares_bus"];

/// Whether a figure stands apart from a processor's way to its own memory.
pub fn is_apart(name: &str) -> bool {
    APART.iter().any(|apart| name.starts_with(apart)) && !SHELLS.contains(&name)
}

fn inferred(description: &Description, found: &mut Results) -> Result<(), String> {
    // What a machine without a shell lacks first is that.
    description.of_part("shell").switch("shares_bus")?;
    found.extend(SURFACES.of(figures(description, &is_apart), || surfaces(description))?);
    Ok(())
}

/// The bytes of memory that the surfaces span: larger ones have the same plateaus.
const SPAN: f64 = 262_144.0;

/// What the surfaces of loads and stores tell.
fn surfaces(description: &Description) -> Result<Results, String> {
    let mut found = Results::new();
    let all = description.quantity("dram.size")?.value;
    let values = values_of_surfaces(&description.with_factor("dram.size", (SPAN / all).min(1.0))?)?;
    let value = |name: &str| values.get(name).copied();
    let number = |name: &str| value(name).unwrap_or(f64::NAN);
    let holds = |is: bool| f64::from(u8::from(is));
    found.insert("T01", number("hit.ns"));
    found.insert("T02", number("l1.bytes"));
    found.insert("T03", number("line.bytes"));
    found.insert("T04", holds(value("l1.ways") == Some(1.0)));
    found.insert("T05", number("memory.ns"));
    found.insert("T06", number("another_page.ns") - number("memory.ns"));
    found.insert("T07", number("same_bank.ns"));
    found.insert("T08", holds(value("l2.bytes").is_none()));
    found.insert("T09", holds(value("translation.page.bytes").is_none()));
    found.insert("T10", number("streaming.mb_s"));
    found.insert("T14", number("store.ns"));
    found.insert("T15", number("store.line.ns"));
    found.insert("T16", number("write_buffer.entries"));
    found.insert("T17", holds(value("merging.bytes") == value("line.bytes") && value("merging.bytes").is_some()));
    found.insert("T18", holds(value("store.page.bytes") == Some(16384.0)));
    Ok(found)
}

/// What the area `surface` infers of a machine, by name.
pub fn values_of_surfaces(description: &Description) -> Result<BTreeMap<String, f64>, String> {
    let mut runner = Simulated::new(description.clone())?;
    let mut session = Session::new(&mut runner, Effort::Quick, Duration::from_secs(3600));
    let values = surface::probe(&mut session).map_err(|e| e.to_string())?.values;
    let named = |v: fathom_profile::Value| Some((v.name.strip_prefix("surface.")?.to_string(), v.value?));
    Ok(values.into_iter().filter_map(named).collect())
}

type Operation<'a> = &'a mut dyn FnMut(&mut Machine<()>, &mut Thread, u64);

/// Mean ns of an operation on words of another processor by `stride` over `bytes`.
fn sawtooth(
    description: &Description,
    (bytes, stride): (u64, u64),
    read: Read,
    operation: Operation,
) -> Result<f64, String> {
    let (mut machine, mut t) = start::<()>(description)?;
    machine.set_segment(&mut t, 1, AWAY, read);
    let mut began = 0;
    for pass in 0..3 {
        if pass == 1 {
            began = t.now;
        }
        (0..bytes).step_by(stride as usize).for_each(|at| operation(&mut machine, &mut t, join(1, at)));
    }
    Ok((t.now - began) as f64 / 1000.0 / (2 * (bytes / stride)) as f64)
}

fn remote(description: &Description, cycle: &dyn Fn(f64) -> f64, found: &mut Results) -> Result<(), String> {
    let load: Operation = &mut |m, t, at| m.load(t, at);
    let mut read = |grid, read| sawtooth(description, grid, read, load);
    let uncached = read((1 << 16, 32), Read::Uncached)?;
    found.insert("T25", uncached);
    found.insert("T26", read((1 << 16, 32), Read::Cached)?);
    found.insert("T27", read((1 << 16, 8), Read::Cached)?);
    found.insert("T28", read((1 << 20, 1 << 14), Read::Uncached)? - uncached);
    found.insert("T30", uncached / found["T05"]);
    let (mut machine, mut t) = start::<()>(description)?;
    machine.set_segment(&mut t, 1, AWAY, Read::Uncached);
    found.insert("T19", cycle(t.now as f64 / 1000.0));
    let before = t.now;
    machine.flush(&mut t, join(1, 0));
    found.insert("T36", cycle((t.now - before) as f64 / 1000.0));
    let far = |processor: u32| -> Result<f64, String> {
        let mut machine: Machine<()> = fathom_machine::machine(description, processor + 1)?;
        let mut t = Thread::new(0);
        machine.set_segment(&mut t, 1, processor, Read::Uncached);
        let began = t.now;
        machine.load(&mut t, join(1, 64));
        Ok((t.now - began) as f64 / 1000.0)
    };
    // Five hops and one, there and back.
    found.insert("T29", (far(10)? - far(2)?) / 8.0);
    let blocking: Operation = &mut |m, t, at| {
        m.store(t, at, ());
        m.barrier(t);
        m.wait_for_writes(t);
    };
    found.insert("T33", sawtooth(description, (1 << 16, 32), Read::Uncached, blocking)?);
    let store: Operation = &mut |m, t, at| m.store(t, at, ());
    let mut by = |stride| sawtooth(description, (1 << 16, stride), Read::Uncached, store);
    let (word, line) = (by(8)?, by(32)?);
    found.insert("T49", line);
    found.insert("T50", f64::from(u8::from(word < 0.95 * line)));
    Ok(())
}

fn prefetches(description: &Description, cycle: &dyn Fn(f64) -> f64, found: &mut Results) -> Result<(), String> {
    // Cycles of a group: each word is taken and stored.
    let group = |n: u64| -> Result<f64, String> {
        let (mut machine, mut t) = start::<()>(description)?;
        machine.set_segment(&mut t, 1, AWAY, Read::Uncached);
        machine.load(&mut t, join(1, 4096)); // opens the page
        let began = t.now;
        (0..n).for_each(|i| machine.prefetch(&mut t, join(1, 8 * i)));
        machine.barrier(&mut t);
        for i in 0..n {
            machine.pop(&mut t);
            machine.store(&mut t, 8 * i, ());
        }
        Ok(cycle((t.now - began) as f64 / 1000.0))
    };
    let load = cycle(found["T25"]);
    found.insert("T41", group(1)? - load);
    found.insert("T42", group(4)? / 4.0 / load);
    found.insert("T43", group(16)? / 16.0);
    // A word that has been there for long.
    let (mut machine, mut t) = start::<()>(description)?;
    machine.set_segment(&mut t, 1, AWAY, Read::Uncached);
    let began = t.now;
    machine.prefetch(&mut t, join(1, 0));
    let issued = t.now;
    machine.barrier(&mut t);
    let mut waits = t;
    machine.pop(&mut waits);
    let whole = waits.now - began;
    machine.prefetch(&mut t, join(1, 0));
    machine.barrier(&mut t);
    t.now += 10_000_000;
    let before = t.now;
    machine.pop(&mut t);
    let pop = t.now - before;
    found.insert("T44", cycle(pop as f64 / 1000.0));
    // What is neither issuing nor taking can overlap with other work.
    found.insert("T45", (whole - (issued - began) - pop) as f64 / whole as f64);
    Ok(())
}

/// Statements about words: each program says whether the hazard was seen.
fn hazards(description: &Description, found: &mut Results) -> Result<(), String> {
    let mut holds = |id, is: bool| _ = found.insert(id, f64::from(u8::from(is)));
    let word = |value| Words::one(64, value);
    let setup = |segments: &[(usize, Read)]| -> Result<(Machine<Words>, Thread), String> {
        let (mut machine, mut t) = start::<Words>(description)?;
        segments.iter().for_each(|(index, read)| machine.set_segment(&mut t, *index, AWAY, *read));
        Ok((machine, t))
    };
    let both = [(1, Read::Uncached), (2, Read::Uncached)];
    let (mut m, mut t) = setup(&both)?;
    m.store(&mut t, join(1, 64), word(7));
    holds("T23", m.load(&mut t, join(2, 64)).at(64) == 0);

    let (mut m, mut t) = setup(&[(1, Read::Cached), (2, Read::Cached)])?;
    let mut hits = |index| {
        let before = t.now;
        m.load(&mut t, join(index, 64));
        t.now - before < 100_000
    };
    holds("T24", [hits(1), hits(1), hits(2), hits(1)] == [false, true, false, false]);

    let (mut m, mut t) = setup(&both)?;
    m.store(&mut t, join(1, 64), word(7));
    m.wait_for_writes(&mut t);
    let mut owner = Thread { me: AWAY as usize, now: t.now };
    holds("T34", m.load(&mut owner, 64).at(64) == 0);

    let (mut m, mut t) = setup(&[(1, Read::Cached)])?;
    m.load(&mut t, join(1, 64));
    let mut owner = Thread { me: AWAY as usize, now: 10_000_000 };
    m.store(&mut owner, 64, word(7));
    m.barrier(&mut owner);
    t.now = 20_000_000;
    let old = m.load(&mut t, join(1, 64)).at(64);
    m.flush(&mut t, join(1, 64));
    holds("T37", old == 0 && m.load(&mut t, join(1, 64)).at(64) == 7);

    let (mut m, mut t) = setup(&both)?;
    let mut owner = Thread::new(AWAY as usize);
    [(); 2].iter().for_each(|()| _ = m.load(&mut owner, 64));
    t.now = 1_000_000;
    m.store(&mut t, join(1, 64 + 8192), Words::one(64 + 8192, 7));
    m.barrier(&mut t);
    m.wait_for_writes(&mut t);
    owner.now = 10_000_000;
    m.load(&mut owner, 64);
    holds("T38", owner.now > 10_100_000);

    holds("T39", lost_byte(description)?);

    let (mut m, _) = setup(&[])?;
    let mut all = [Thread::new(0), Thread::new(1)];
    m.set_segment(&mut all[0], 1, 1, Read::Uncached);
    m.set_segment(&mut all[1], 1, 0, Read::Uncached);
    for t in &mut all {
        t.now = 1_000_000;
        m.store(t, 64, word(1));
    }
    let seen = all.each_mut().map(|t| m.load(t, join(1, 64)).at(64));
    holds("T40", seen == [0, 0]);

    let mut can_take = vec![];
    for n in 1..=8 {
        let (mut m, mut t) = setup(&both)?;
        (0..n).for_each(|i| m.prefetch(&mut t, join(1, 8 * i)));
        can_take.push(m.pop(&mut t).is_some());
    }
    holds("T46", can_take.iter().position(|can| *can) == Some(3) && can_take[3..].iter().all(|can| *can));
    Ok(())
}

/// Two processors change different bytes of a word: both read it before either writes. Whether one byte is lost, and is
/// not if they do it one after the other.
fn lost_byte(description: &Description) -> Result<bool, String> {
    let mut results = vec![];
    for at_once in [true, false] {
        let mut m: Machine<Words> = machine(description, 4)?;
        let mut all = [Thread::new(0), Thread::new(1)];
        all.iter_mut().for_each(|t| m.set_segment(t, 1, AWAY, Read::Uncached));
        let words_only = m.nodes[0].processor.words_only;
        let early = m.load(&mut all[1], join(1, 64)).at(64);
        for (i, byte, value) in [(0, 0, 0xAA), (1, 1, 0xBB00)] {
            if words_only {
                let old = if i == 1 && at_once { early } else { m.load(&mut all[i], join(1, 64)).at(64) };
                m.store(&mut all[i], join(1, 64), Words::one(64, old | value));
            } else {
                m.store_bytes(&mut all[i], join(1, 64) + byte, 1, Words::one(64, value));
            }
            m.barrier(&mut all[i]);
            m.wait_for_writes(&mut all[i]);
            all[1].now = all[1].now.max(all[0].now);
        }
        let mut owner = Thread { me: AWAY as usize, now: all[1].now + 1_000_000 };
        results.push(m.load(&mut owner, 64).at(64));
    }
    Ok(results == [0xBB00, 0xBBAA])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::described;

    #[test]
    fn surfaces_depend_on_nothing_that_stands_apart() {
        let description = described("t3d");
        let (mut changed, mut count) = (description.clone(), 0);
        for (name, _) in description.figures().filter(|(name, _)| is_apart(name)) {
            if description.quantity(&name).is_ok_and(|q| q.unit == fathom_machine::quantity::TIME) {
                changed = changed.with_factor(&name, 1.05).unwrap();
                count += 1;
            }
        }
        assert!(count > 20, "{count} figures stand apart");
        assert_eq!(surfaces(&changed).unwrap(), surfaces(&description).unwrap());
    }
}
