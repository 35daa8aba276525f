//! "Characterizing Shared Memory and Communication Performance: A Case Study of the Convex SPP-1000" on the simulated
//! machine. Figures of the study that are means over sweeps are computed as means over sweeps.

mod drawings;
mod loops;

pub use drawings::drawings;

use super::{claim, Claim, Expected, Inputs, Predictions, Results, Study};
use fathom_machine::parts::hypernode::in_memory_of;
use fathom_machine::{machine, Description, Machine, Thread};
use Expected::{Between, Holds, Most, Near};

pub const STUDY: Study = Study {
    id: "spp1000",
    machine: "spp1000",
    name: "Shared memory and communication of the Convex SPP-1000",
    claims: CLAIMS,
    measure,
    predictions: Some(Predictions { figures: table_3, predict: table_4 }),
    differs: &[(
    "P17.2",
    "far writes after reads at a stride of one word take 83 cycles here and 105 as printed, for which the study has no cause",
)],
    added: &[("one hypernode of 32", one_hypernode)],
    readings: &[&["P17", "P17.2"]],
    left_out: &[
        (&["P02"], "the factor depends on the library's way to start a loop, which is not printed"),
        (
            &["P01"],
            "the time to start a program is that of an operating system that nobody has: it would be put in and found again",
        ),
        (
            &["P14", "P25"],
            "stores: 38 cycles each, where Table 3 has 78 for a far write after a write: no state of a line tells one \
             from the other",
        ),
        (&["P22"], "the study gives no cause for 1,500 us at 8 processors: a mechanism would be an invention"),
        (
            &["P23"],
            "the factor: it depends on the library's algorithm, which is not printed; the program here has one of its own",
        ),
    ],
};

const MB: u64 = 1 << 20;

// P16 counts as reproduced if 56 of its 72 figures are within 10 %. This was decided before the first run: what the
// study explains should give as many. P17 is a definition: all of its 8 figures follow from the printed Table 3. The same
// of our Table 3 is a result beside it, which has to meet all 8, too. Of P18 all 12 have to be.
#[rustfmt::skip]
const CLAIMS: &[Claim] = &[
    claim("P03", "a loop's start jumps at processors 9, 17, 25", Holds(Some("one hypernode of 32")), "section 2"),
    claim("P05a", "a load that hits", Near(10.0, "ns", 0.02), "Table 2"),
    claim("P05b", "a store that hits", Near(20.0, "ns", 0.02), "Table 2"),
    claim("P06", "a load that misses", Near(55.4, "cycles", 0.03), "Table 2"),
    claim("P07", "a store that misses", Near(63.3, "cycles", 0.03), "Table 2"),
    claim("P08a", "loads of all words", Near(52.0, "MB/s", 0.03), "Table 2"),
    claim("P08b", "stores of all words", Near(50.0, "MB/s", 0.03), "Table 2"),
    claim("P09", "loads of every second word", Near(29.7, "cycles", 0.03), "section 3"),
    claim("P10a", "between hits and misses, by the law for one way", Near(1.0, "of it", 0.03), "section 3"),
    claim("P10b", "the same for two ways", Near(1.0, "of it", 0.03), "section 3"),
    claim("P11", "the width of this region", Near((1 << 20) as f64, "bytes", 0.0), "section 3"),
    claim("P12a", "the interconnect cache's size, inferred", Near((128 << 20) as f64, "bytes", 0.0), "section 4.1"),
    claim("P12b", "it is direct-mapped: the region's width", Near((128 << 20) as f64, "bytes", 0.0), "section 4.1"),
    claim("P13a", "a load that misses there", Near(410.0, "cycles", 0.03), "section 6"),
    claim("P13b", "the same by a local miss", Near(7.4, "local", 0.03), "section 6"),
    claim("P14", "remote loads of all words", Near(15.0, "MB/s", 0.05), "section 4.1"),
    claim("P15", "strides: slower up to 32 words, with fewer rings", Holds(Some("rings.interleaved")), "section 4.1"),
    claim("P16", "producer and consumer", Most(56, TABLE_3, "cycles", 0.1), "Table 3"),
    claim("P17", "latencies and rates, by their definition from the printed Table 3", Most(8, TABLE_4, "", 0.02), "Table 4"),
    claim("P17.2", "the same from our Table 3", Most(8, TABLE_4_OURS, "", 0.1), "Table 4"),
    claim("P18", "reads by many, in turn", Most(12, TABLE_5, "cycles", 0.1), "Table 5"),
    claim("P19a", "writes that invalidate 7 near copies", Near(74.0, "cycles", 0.1), "section 4.3"),
    claim("P19b", "the same with one more, far", Near(575.0, "cycles", 0.1), "section 4.3"),
    claim("P20", "invalidation: steps, but the third at a stride of 8", Holds(Some("rings.early")), "section 4.3"),
    claim("P21", "readers: first, six local, far, seven local, …", Holds(Some("interconnect")), "section 4.3"),
    claim("P23", "a barrier's time by processors: the exponent", Between(1.8, 2.2, ""), "section 5"),
    claim("P24a", "far by near, the least", Between(2.0, 10.0, "times"), "section 4.2"),
    claim("P24b", "far by near, the greatest", Between(2.0, 10.0, "times"), "section 4.2"),
];

/// Access, distance, whether it is cached (n, y), stride in words.
#[rustfmt::skip]
const TABLE_3: &[(&str, f64)] = &[
    ("P16 war near n 1", 18.0), ("P16 war near n 2", 35.0), ("P16 war near n 4", 70.0), ("P16 war near n 8", 70.0), ("P16 war near n 16", 70.0), ("P16 war near n 32", 70.0),
    ("P16 war near y 1", 18.0), ("P16 war near y 2", 35.0), ("P16 war near y 4", 70.0), ("P16 war near y 8", 70.0), ("P16 war near y 16", 70.0), ("P16 war near y 32", 69.0),
    ("P16 war far n 1", 105.0), ("P16 war far n 2", 199.0), ("P16 war far n 4", 332.0), ("P16 war far n 8", 539.0), ("P16 war far n 16", 580.0), ("P16 war far n 32", 667.0),
    ("P16 war far y 1", 105.0), ("P16 war far y 2", 199.0), ("P16 war far y 4", 333.0), ("P16 war far y 8", 539.0), ("P16 war far y 16", 580.0), ("P16 war far y 32", 667.0),
    ("P16 raw near n 1", 16.0), ("P16 raw near n 2", 29.0), ("P16 raw near n 4", 60.0), ("P16 raw near n 8", 60.0), ("P16 raw near n 16", 61.0), ("P16 raw near n 32", 61.0),
    ("P16 raw near y 1", 34.0), ("P16 raw near y 2", 67.0), ("P16 raw near y 4", 132.0), ("P16 raw near y 8", 132.0), ("P16 raw near y 16", 134.0), ("P16 raw near y 32", 138.0),
    ("P16 raw far n 1", 55.0), ("P16 raw far n 2", 118.0), ("P16 raw far n 4", 234.0), ("P16 raw far n 8", 369.0), ("P16 raw far n 16", 404.0), ("P16 raw far n 32", 406.0),
    ("P16 raw far y 1", 70.0), ("P16 raw far y 2", 148.0), ("P16 raw far y 4", 300.0), ("P16 raw far y 8", 457.0), ("P16 raw far y 16", 494.0), ("P16 raw far y 32", 493.0),
    ("P16 waw near n 1", 17.0), ("P16 waw near n 2", 31.0), ("P16 waw near n 4", 61.0), ("P16 waw near n 8", 61.0), ("P16 waw near n 16", 61.0), ("P16 waw near n 32", 62.0),
    ("P16 waw near y 1", 31.0), ("P16 waw near y 2", 61.0), ("P16 waw near y 4", 116.0), ("P16 waw near y 8", 115.0), ("P16 waw near y 16", 115.0), ("P16 waw near y 32", 122.0),
    ("P16 waw far n 1", 78.0), ("P16 waw far n 2", 146.0), ("P16 waw far n 4", 249.0), ("P16 waw far n 8", 408.0), ("P16 waw far n 16", 420.0), ("P16 waw far n 32", 467.0),
    ("P16 waw far y 1", 93.0), ("P16 waw far y 2", 177.0), ("P16 waw far y 4", 309.0), ("P16 waw far y 8", 497.0), ("P16 waw far y 16", 505.0), ("P16 waw far y 32", 557.0),
];

/// Microseconds, and MB/s.
#[rustfmt::skip]
const TABLE_4: &[(&str, f64)] = &[
    ("P17 near n us", 1.3), ("P17 near y us", 2.0), ("P17 far n us", 9.1), ("P17 far y us", 10.0),
    ("P17 near n MB/s", 23.5), ("P17 near y MB/s", 15.4), ("P17 far n MB/s", 5.0), ("P17 far y MB/s", 4.6),
];

#[rustfmt::skip]
const TABLE_4_OURS: &[(&str, f64)] = &[
    ("P17.2 near n us", 1.3), ("P17.2 near y us", 2.0), ("P17.2 far n us", 9.1), ("P17.2 far y us", 10.0),
    ("P17.2 near n MB/s", 23.5), ("P17.2 near y MB/s", 15.4), ("P17.2 far n MB/s", 5.0), ("P17.2 far y MB/s", 4.6),
];

/// Reader, stride in words.
#[rustfmt::skip]
const TABLE_5: &[(&str, f64)] = &[
    ("P18 first 1", 34.0), ("P18 first 2", 67.0), ("P18 first 4", 133.0), ("P18 first 8", 134.0),
    ("P18 local 1", 15.0), ("P18 local 2", 29.0), ("P18 local 4", 55.0), ("P18 local 8", 55.0),
    ("P18 far 1", 56.0), ("P18 far 2", 111.0), ("P18 far 4", 220.0), ("P18 far 8", 377.0),
];

const STRIDES: [u64; 6] = [1, 2, 4, 8, 16, 32];
const WORD: u64 = 8;

fn measure(description: &Description) -> Result<Results, String> {
    let mut found = Results::new();
    local(description, &mut found)?;
    remote(description, &mut found)?;
    producer_and_consumer(description, &mut found)?;
    sharers(description, &mut found)?;
    found.insert("P23", barrier_exponent(description)?);
    found.insert("P03", f64::from(u8::from(loops::jumps(description)?)));
    Ok(found)
}

/// All processors share one memory.
fn one_hypernode(description: &Description) -> Result<Description, String> {
    description.with_factor("hypernode.processors", 4.0)
}

#[derive(Clone, Copy, PartialEq)]
enum Op {
    Load,
    Store,
}

/// A machine, and threads that act one after the other.
struct World {
    machine: Machine<()>,
    now: u64,
    cycle: f64,
    /// Where the next array begins.
    free: u64,
}

/// An array, and how it is swept.
#[derive(Clone, Copy)]
struct Sweep {
    from: u64,
    bytes: u64,
    /// In bytes.
    stride: u64,
}

impl World {
    fn new(description: &Description, processors: u32) -> Result<Self, String> {
        let machine: Machine<()> = machine(description, processors)?;
        let cycle = machine.nodes[0].processor.cycle as f64;
        Ok(World { machine, now: 0, cycle, free: 0 })
    }

    /// An array that nobody has used, in the memory of the first hypernode.
    fn array(&mut self, bytes: u64, words: u64) -> Sweep {
        let from = self.free;
        self.free += bytes;
        Sweep { from, bytes, stride: words * WORD }
    }

    /// Cycles per access of a processor's sweep, long after whatever was before.
    fn sweep(&mut self, me: usize, op: Op, sweep: Sweep) -> f64 {
        let began = self.now + 1_000_000_000;
        let mut t = Thread { me, now: began };
        let Sweep { from, bytes, stride } = sweep;
        for at in (from..from + bytes).step_by(stride as usize) {
            match op {
                Op::Load => self.machine.load(&mut t, at),
                Op::Store => self.machine.store(&mut t, at, ()),
            }
        }
        self.machine.barrier(&mut t);
        self.now = t.now;
        (t.now - began) as f64 / self.cycle / (bytes / stride) as f64
    }

    fn flush(&mut self, me: usize, sweep: Sweep) {
        let mut t = Thread { me, now: self.now };
        let lines = (sweep.from..sweep.from + sweep.bytes).step_by(32);
        lines.for_each(|at| self.machine.flush(&mut t, at));
    }
}

/// Cycles per access of the second sweep on a new machine, of which `counted` bytes are measured.
fn again(description: &Description, op: Op, (bytes, counted): (u64, u64), stride: u64) -> Result<f64, String> {
    let mut world = World::new(description, 1)?;
    let sweep = Sweep { from: 0, bytes, stride };
    world.sweep(0, op, Sweep { stride: stride.max(32), ..sweep });
    Ok(world.sweep(0, op, Sweep { bytes: counted, ..sweep }))
}

fn local(description: &Description, found: &mut Results) -> Result<(), String> {
    let cycle_ns = World::new(description, 1)?.cycle / 1000.0;
    let [load, store] =
        [Op::Load, Op::Store].map(|op| move |bytes, words| again(description, op, (bytes, MB / 8), words * WORD));
    found.insert("P05a", load(MB / 8, 4)? * cycle_ns);
    found.insert("P05b", store(MB / 8, 4)? * cycle_ns);
    found.insert("P06", load(3 * MB, 4)?);
    found.insert("P07", store(3 * MB, 4)?);
    let rate = |cycles: f64| WORD as f64 / (cycles * cycle_ns) * 1000.0;
    found.insert("P08a", rate(load(3 * MB, 1)?));
    found.insert("P08b", rate(store(3 * MB, 1)?));
    found.insert("P09", load(3 * MB, 2)?);
    // T(W) = (hit * (C - A (W - C)) + miss * (A + 1) (W - C)) / W for arrays of W bytes, from C to C (1 + 1 / A).
    let (hit, miss, c) = (1.0, 55.4, MB as f64);
    for (id, ways, eighths) in [("P10a", 1.0, [10, 12, 14]), ("P10b", 2.0, [9, 10, 11])] {
        let changed = description.with_factor("cache.ways", ways)?;
        let mut worst = 1.0f64;
        for bytes in eighths.map(|e| e * MB / 8) {
            let w = bytes as f64;
            let law = (hit * (c - ways * (w - c)) + miss * (ways + 1.0) * (w - c)) / w;
            let ours = again(&changed, Op::Load, (bytes, bytes), 64)? / law;
            if (ours - 1.0).abs() > (worst - 1.0).abs() {
                worst = ours;
            }
        }
        found.insert(id, worst);
    }
    let sizes: Vec<u64> = (1..=16).map(|e| e * MB / 4).collect();
    let times =
        sizes.iter().map(|b| again(description, Op::Load, (*b, *b), 256)).collect::<Result<Vec<f64>, String>>()?;
    found.insert("P11", width(&sizes, &times).1);
    Ok(())
}

/// The largest size whose time is the first one, and how much larger the first is whose time is the last one.
fn width(sizes: &[u64], times: &[f64]) -> (f64, f64) {
    let is_same = |a: f64, b: f64| (a / b - 1.0).abs() < 0.005;
    let fits = times.iter().take_while(|t| is_same(**t, times[0])).count();
    let misses = times.iter().rev().take_while(|t| is_same(**t, times[times.len() - 1])).count();
    if fits == 0 || fits == times.len() {
        return (f64::NAN, f64::NAN);
    }
    let (hit, miss) = (sizes[fits - 1] as f64, sizes[sizes.len() - misses] as f64);
    (hit, miss - hit)
}

/// Processor 0 sweeps the memory of another hypernode.
fn remote(description: &Description, found: &mut Results) -> Result<(), String> {
    let from = in_memory_of(1, 0);
    // One address of many lines: the size matters, not each line.
    let sizes: Vec<u64> = (1..=10).map(|n| n * 64 * MB).collect();
    let mut times = vec![];
    for bytes in &sizes {
        let mut world = World::new(description, 9)?;
        let sweep = Sweep { from, bytes: *bytes, stride: MB };
        world.sweep(0, Op::Load, sweep);
        times.push(world.sweep(0, Op::Load, sweep));
    }
    let (size, width) = width(&sizes, &times);
    found.insert("P12a", size);
    found.insert("P12b", width);
    // The first sweep over an array finds nothing in the interconnect cache, as any does over one of twice its size.
    let first = |words: u64| -> Result<f64, String> {
        let sweep = Sweep { from, bytes: 128 << 10, stride: words * WORD };
        Ok(World::new(description, 9)?.sweep(0, Op::Load, sweep))
    };
    let by_stride = [1, 2, 4, 8, 16, 32, 64].map(first).into_iter().collect::<Result<Vec<f64>, String>>()?;
    found.insert("P13a", by_stride[5]);
    found.insert("P13b", by_stride[5] / found["P06"]);
    let cycle_ns = World::new(description, 1)?.cycle / 1000.0;
    found.insert("P14", WORD as f64 / (by_stride[0] * cycle_ns) * 1000.0);
    let rises = by_stride[..5].windows(2).all(|two| two[1] > 1.02 * two[0]);
    let stays = (by_stride[6] / by_stride[5] - 1.0).abs() < 0.02 && by_stride[5] > 0.98 * by_stride[4];
    found.insert("P15", f64::from(u8::from(rises && stays)));
    Ok(())
}

/// The second processor, by distance.
const NEAR: usize = 2;
const FAR: usize = 8;

fn producer_and_consumer(description: &Description, found: &mut Results) -> Result<(), String> {
    let mut values = TABLE_3.iter();
    let mut world = World::new(description, 9)?;
    let mut all = vec![];
    for second in [Op::Load, Op::Store] {
        for other in [NEAR, FAR] {
            for is_cached in [false, true] {
                all.push(STRIDES.map(|words| turns(&mut world, second, other, is_cached, words)));
            }
        }
    }
    // The table has the producer's writes, the consumer's reads, and the consumer's writes.
    let rows = all[..4].iter().map(|row| (row, 0)).chain(all.iter().map(|row| (row, 1)));
    let cycles: Vec<f64> = rows.flat_map(|(row, who)| row.iter().map(move |both| both[who])).collect();
    for (value, (id, _)) in cycles.iter().zip(&mut values) {
        found.insert(id, *value);
    }
    // Near and far rows of a kind follow each other: six strides, not cached and cached.
    let ratios: Vec<f64> = (0..36).map(|i| i / 12 * 24 + i % 12).map(|i| cycles[i + 12] / cycles[i]).collect();
    found.insert("P24a", ratios.iter().copied().fold(f64::INFINITY, f64::min));
    found.insert("P24b", ratios.iter().copied().fold(0.0, f64::max));
    let cycle_ns = World::new(description, 1)?.cycle / 1000.0;
    let sum = |row: usize, stride: usize| cycle_ns * (cycles[6 * row + stride] + cycles[6 * (row + 4) + stride]);
    for row in 0..4 {
        found.insert(TABLE_4_OURS[row].0, latency(sum(row, 3)));
        found.insert(TABLE_4_OURS[row + 4].0, rate(sum(row, 0)));
    }
    Ok(())
}

/// Table 4's latency, in us, of the ns of a write and a read at a stride of eight words.
fn latency(both: f64) -> f64 {
    both / 1000.0
}

/// Its transfer rate, in MB/s, of the ns of a write and a read of each word.
fn rate(both: f64) -> f64 {
    WORD as f64 / both * 1000.0
}

/// Table 3 as printed.
fn table_3() -> Result<Inputs, String> {
    Ok(TABLE_3.iter().map(|(id, cycles)| (id.to_string(), *cycles)).collect())
}

/// The cycle of the machine that was measured (Table 1: 100 MHz).
const CYCLE_NS: f64 = 10.0;

/// Table 4 from a Table 3, by its definition.
fn table_4(table_3: &Inputs) -> Result<Results, String> {
    let mut found = Results::new();
    for (row, place) in ["near n", "near y", "far n", "far y"].into_iter().enumerate() {
        let cycles = |access: &str, stride: u64| -> Result<f64, String> {
            let name = format!("P16 {access} {place} {stride}");
            table_3.get(&name).copied().ok_or_else(|| format!("Table 3 has no figure `{name}`"))
        };
        let both = |stride| Ok::<f64, String>(CYCLE_NS * (cycles("war", stride)? + cycles("raw", stride)?));
        found.insert(TABLE_4[row].0, latency(both(8)?));
        found.insert(TABLE_4[row + 4].0, rate(both(1)?));
    }
    Ok(found)
}

/// Processor 0 writes, the other one reads or writes, again and again: cycles per access of both. If the array is not
/// cached, each flushes its cache after its turn.
fn turns(world: &mut World, op: Op, other: usize, is_cached: bool, words: u64) -> [f64; 2] {
    let sweep = world.array(32 << 10, words);
    let mut times = [0.0; 2];
    for _ in 0..3 {
        for (i, (who, op)) in [(0, Op::Store), (other, op)].into_iter().enumerate() {
            times[i] = world.sweep(who, op, sweep);
            if !is_cached {
                world.flush(who, sweep);
            }
        }
    }
    times
}

/// Processor 0 writes, all others read in turn, again and again: cycles per access of each.
fn in_turn(world: &mut World, processors: usize, words: u64) -> Vec<f64> {
    let sweep = world.array(8 << 10, words);
    let op = |who| if who == 0 { Op::Store } else { Op::Load };
    let mut times = vec![];
    for _ in 0..3 {
        times = (0..processors).map(|who| world.sweep(who, op(who), sweep)).collect();
    }
    times
}

fn sharers(description: &Description, found: &mut Results) -> Result<(), String> {
    let mut world = World::new(description, 24)?;
    for (i, words) in STRIDES[..4].iter().enumerate() {
        let times = in_turn(&mut world, 24, *words);
        // The first reader, the second, and the first of another hypernode.
        for (row, reader) in [1, 2, 8].into_iter().enumerate() {
            found.insert(TABLE_5[4 * row + i].0, times[reader]);
        }
    }
    let times = in_turn(&mut world, 24, 8);
    let kind = |t: f64| [times[1], times[2], times[8]].iter().position(|k| (t / k - 1.0).abs() < 0.1);
    let expected = |reader: usize| match reader {
        1 => 0,
        8 | 16 => 2,
        _ => 1,
    };
    let differ = times[1] > 1.5 * times[2] && times[8] > 1.5 * times[1];
    let is_order = (1..24).all(|reader| kind(times[reader]) == Some(expected(reader)));
    found.insert("P21", f64::from(u8::from(differ && is_order)));
    let mut invalidation = |processors: usize, words: u64| in_turn(&mut world, processors, words)[0];
    found.insert("P19a", invalidation(8, 8));
    found.insert("P19b", invalidation(9, 8));
    // Flat within a hypernode; higher with the second; higher with the third, but not at a stride of 8.
    let mut holds = true;
    for words in [1, 4, 8, 32] {
        let times = [2, 8, 9, 16, 17, 24].map(|n| invalidation(n, words));
        let is_same = |a: f64, b: f64| (a / b - 1.0).abs() < 0.05;
        holds &= times.chunks(2).all(|two| is_same(two[0], two[1])) && times[2] > 1.5 * times[1];
        holds &= if words == 8 { is_same(times[4], times[3]) } else { times[4] > 1.05 * times[3] };
    }
    found.insert("P20", f64::from(u8::from(holds)));
    Ok(())
}

/// What a thread at a barrier does next.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    /// Looks whether the lock is free.
    Look,
    /// Tries to take it.
    Take,
    Count,
    Release,
    /// Waits until the lock's line changes.
    AwaitLock,
    AwaitAll,
    Leaves,
}

/// Microseconds of a barrier with a counter under a lock: test and test-and-set, the last to come sets a flag. Waiting
/// threads read their own copies until a store removes them.
fn barrier(description: &Description, processors: usize) -> Result<f64, String> {
    let (lock, counter, flag) = (0, 64, 128);
    let mut world = World::new(description, processors as u32)?;
    let mut began = 0;
    let mut end = 0;
    for _ in 0..3 {
        let mut threads: Vec<(Thread, Step)> =
            (0..processors).map(|me| (Thread { me, now: end }, Step::Look)).collect();
        began = end;
        let (mut is_taken, mut count) = (false, 0);
        while let Some(i) = (0..processors)
            .filter(|i| !matches!(threads[*i].1, Step::AwaitLock | Step::AwaitAll | Step::Leaves))
            .min_by_key(|i| (threads[*i].0.now, *i))
        {
            let (t, step) = &mut threads[i];
            let m = &mut world.machine;
            let mut woken = None;
            *step = match *step {
                Step::Look => {
                    m.load(t, lock);
                    if is_taken {
                        Step::AwaitLock
                    } else {
                        Step::Take
                    }
                }
                Step::Take => {
                    m.store(t, lock, ());
                    m.barrier(t);
                    if std::mem::replace(&mut is_taken, true) {
                        Step::Look
                    } else {
                        Step::Count
                    }
                }
                Step::Count => {
                    m.load(t, counter);
                    m.store(t, counter, ());
                    m.barrier(t);
                    count += 1;
                    Step::Release
                }
                _ => {
                    m.store(t, lock, ());
                    m.barrier(t);
                    is_taken = false;
                    woken = Some(Step::AwaitLock);
                    if count == processors {
                        m.store(t, flag, ());
                        m.barrier(t);
                        woken = Some(Step::AwaitAll);
                        Step::Leaves
                    } else {
                        m.load(t, flag);
                        Step::AwaitAll
                    }
                }
            };
            let now = t.now;
            end = end.max(now);
            for (t, step) in threads.iter_mut().filter(|(_, step)| Some(*step) == woken) {
                t.now = t.now.max(now);
                *step = if *step == Step::AwaitLock { Step::Look } else { Step::Leaves };
                if *step == Step::Leaves {
                    world.machine.load(t, flag);
                    end = end.max(t.now);
                }
            }
        }
    }
    Ok((end - began) as f64 / 1e6)
}

/// The exponent of a barrier's time from 9 to 32 processors.
fn barrier_exponent(description: &Description) -> Result<f64, String> {
    let (few, many) = (barrier(description, 9)?, barrier(description, 32)?);
    Ok((many / few).ln() / (32.0f64 / 9.0).ln())
}
