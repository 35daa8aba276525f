//! The copy-transfer study: basic transfers of the T3D and the Paragon, and what its model makes of the figures that it
//! measured.

mod drawings;

pub use drawings::{drawings_paragon, drawings_t3d};

use super::remembered::{figures as figures_of, Remembered};
use super::{claim, t3d, Claim, Expected, Inputs, Predictions, Results, Study};
use crate::transfers::{self, by_dma, load, IndexBytes, Sent, Stages};
use fathom_machine::Description;
use fathom_model::copy_transfer::Pattern::{self, Contiguous, Indexed, Strided};
use fathom_model::copy_transfer::{evaluate, parse, Figure, Machine};
use fathom_model::MachineFile;
use Expected::{Between, Holds, Near};

const fn mb_s(id: &'static str, what: &'static str, value: f64, tolerance: f64, source: &'static str) -> Claim {
    claim(id, what, Near(value, "MB/s", tolerance), source)
}

pub const T3D: Study = Study {
    id: "copy-transfer",
    machine: "t3d",
    name: "The copy-transfer model, CRAY T3D",
    claims: T3D_CLAIMS,
    measure: measure_t3d,
    predictions: Some(Predictions {
        figures: || figures(T3D_FILE),
        predict: |inputs| predict_t3d(&with_figures(T3D_FILE, inputs)?),
    }),
    differs: &[
        (
            "C05",
            "the label is doubtful: the figure fits (64,64), and best (16,64) if 16C1 is the 34.1 that Table 5 implies",
        ),
        (
            "C09.4",
            "the second figure printed for (1,64), read as (64,1): it requires a 16S0 of 38, which is not printed",
        ),
        ("C14.4", "it requires a 16S0 of 38, which is not printed: the figure for stride 64 stands in"),
        ("C16.2", "as optimistic as the study's own model, which gives 18.4"),
        ("C16.3", "nothing here keeps the network from its own limit"),
        ("C18", "as optimistic as the study's own model, which gives 25.2"),
        ("C18.4", "nothing here keeps the network from its own limit; the study moves blocks of two words"),
        ("C21.64C1", "stores that wait for reading ahead: the controller's rule is our assumption"),
        ("C21.1Cw", "the indices of the study's program are not printed"),
        ("C21.wC1", "the indices of the study's program are not printed"),
    ],
    added: &[],
    readings: &[&["C05", "C05.2", "C05.3"], &["C09.4", "C09.5"]],
    left_out: &[(&["C27"], "the overhead of PVM is not printed")],
};

#[rustfmt::skip]
const T3D_CLAIMS: &[Claim] = &[
    mb_s("C01", "1C1 o (1S0 || Nd || 0D1): times add", 39.61, 0.001, "section 3.3"),
    mb_s("C02", "1S0 || Nd || 0D1: the slowest decides", 69.0, 0.0, "section 3.3"),
    mb_s("C03", "model: packing (1,1)", 27.9, 0.01, "section 5.1.1"),
    mb_s("C04", "model: packing (1,64)", 25.2, 0.01, "section 5.1.1"),
    mb_s("C05", "model: packing (64,1), as printed", 17.1, 0.02, "section 5.1.1"),
    mb_s("C05.2", "the same read as (64,64)", 17.1, 0.02, "section 5.1.1"),
    mb_s("C05.3", "the same read as (16,64), 16C1 from Table 5", 17.1, 0.02, "section 5.1.1"),
    mb_s("C06", "model: packing (w,w)", 14.2, 0.01, "section 5.1.1"),
    mb_s("C07", "model: packing (1,1024)", 25.0, 0.01, "section 3.4.1"),
    mb_s("C08", "packing (1,1024)", 20.0, 0.25, "section 3.4.1"),
    mb_s("C09", "model: chained (1,1)", 70.0, 0.02, "section 5.1.2"),
    mb_s("C09.2", "model: chained (1,64)", 38.0, 0.02, "section 5.1.2"),
    mb_s("C09.3", "model: chained (w,w)", 32.0, 0.02, "section 5.1.2"),
    mb_s("C09.4", "model: chained (64,1)", 38.0, 0.02, "section 5.1.2"),
    mb_s("C09.5", "the same read as (16,64), 16S0 from Table 5", 38.0, 0.02, "section 5.1.2"),
    mb_s("C14", "model: packing (1,16)", 25.4, 0.02, "Table 5"),
    mb_s("C14.2", "model: packing (16,1)", 18.4, 0.02, "Table 5"),
    mb_s("C14.3", "model: chained (1,16)", 38.0, 0.02, "Table 5"),
    mb_s("C14.4", "model: chained (16,1)", 38.0, 0.02, "Table 5"),
    mb_s("C16", "packing (1,16)", 20.8, 0.2, "Table 5"),
    mb_s("C16.2", "packing (16,1)", 14.3, 0.2, "Table 5"),
    mb_s("C16.3", "chained (1,16)", 31.3, 0.2, "Table 5"),
    mb_s("C16.4", "chained (16,1)", 27.4, 0.2, "Table 5"),
    mb_s("C18", "packing: transposition, as (1,64)", 20.0, 0.2, "Table 6, headings shifted"),
    mb_s("C18.2", "packing: FEM, as (w,w)", 12.2, 0.2, "Table 6, headings shifted"),
    mb_s("C18.3", "packing: SOR, as (1,1)", 26.2, 0.2, "Table 6, headings shifted"),
    mb_s("C18.4", "chained: transposition, as (1,64)", 29.5, 0.2, "Table 6, headings shifted"),
    mb_s("C18.5", "chained: FEM, as (w,w)", 20.2, 0.2, "Table 6, headings shifted"),
    mb_s("C18.6", "chained: SOR, as (1,1)", 68.1, 0.2, "Table 6, headings shifted"),
    claim("C19.1", "chained by packing, (1,64)", Between(1.25, 1.7, ""), "section 7"),
    claim("C19.2", "chained by packing, (w,w)", Between(1.25, 1.7, ""), "section 7"),
    claim("C20", "packing: stores should have the stride", Holds(Some("cache")), "section 5.2"),
    mb_s("C21.1C1", "1C1: a copy", 93.0, 0.05, "Table 1"),
    mb_s("C21.1C64", "1C64", 67.9, 0.05, "Table 1"),
    mb_s("C21.64C1", "64C1", 33.3, 0.05, "Table 1"),
    mb_s("C21.1Cw", "1Cw", 38.5, 0.05, "Table 1"),
    mb_s("C21.wC1", "wC1", 32.9, 0.05, "Table 1"),
    mb_s("C21.1S0", "1S0: from memory to the port", 126.0, 0.05, "Table 2"),
    mb_s("C21.64S0", "64S0", 35.0, 0.05, "Table 2"),
    mb_s("C21.wS0", "wS0", 32.0, 0.05, "Table 2"),
    mb_s("C21.0D1", "0D1: deposit", 142.0, 0.05, "Table 3"),
    mb_s("C21.0D64", "0D64", 52.0, 0.05, "Table 3"),
    mb_s("C21.0Dw", "0Dw", 52.0, 0.05, "Table 3"),
    claim("C22", "1C64 is faster than 64C1", Holds(Some("cache")), "Table 1"),
    mb_s("C23.1", "the network, blocks, congestion 1", 142.0, 0.05, "Table 4"),
    mb_s("C23.2", "congestion 2", 69.0, 0.05, "Table 4"),
    mb_s("C23.3", "congestion 4", 35.0, 0.05, "Table 4"),
    mb_s("C23.4", "the network, words with addresses, congestion 1", 62.0, 0.05, "Table 4"),
    mb_s("C23.5", "congestion 2", 38.0, 0.05, "Table 4"),
    mb_s("C23.6", "congestion 4", 20.0, 0.05, "Table 4"),
    claim("C24", "contiguous loads, with by without read-ahead", Between(1.5, 1.7, ""), "section 3.5.1"),
    mb_s("C25", "loads of single words", 55.0, 0.05, "section 3.5.1"),
    mb_s("C25.2", "contiguous loads with read-ahead", 320.0, 0.05, "section 3.5.1"),
    mb_s("C26", "from a processor to its port", 125.0, 0.05, "section 3.5.1"),
    mb_s("C26.2", "many to one", 160.0, 0.05, "section 3.5.1"),
    claim("C28", "twice the whole is at most the stores' bandwidth", Holds(None), "section 3.4.1"),
];

/// The bytes of an index: an integer of the T3D.
const T3D_INDEX: u64 = 8;

/// Ways between processors of which so many want each link, in both directions: one processor of a node, both, and both
/// of two neighbours in one row. The study's schedules for 64 processors have congestion 2, so that four stand for all.
const ONE: &[(u32, u32)] = &[(0, 6), (6, 0)];
const TWO: &[(u32, u32)] = &[(0, 6), (6, 0), (1, 7), (7, 1)];
const FOUR: &[(u32, u32)] = &[(0, 4), (4, 0), (1, 5), (5, 1), (2, 6), (6, 2), (3, 7), (7, 3)];

fn holds(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// The throughput of stages one after the other.
fn in_turn<const N: usize>(stages: [f64; N]) -> f64 {
    1.0 / stages.iter().map(|rate| 1.0 / rate).sum::<f64>()
}

/// Throughputs by what they rest on. Several results share transfers, and many figures have no part in one.
static RATES: Remembered<f64> = Remembered::new();

/// Whether a figure has no part in copies of a processor's own memory.
fn is_apart_of_copies(name: &str) -> bool {
    t3d::is_apart(name) || ["port.", "deposit.", "dma."].iter().any(|apart| name.starts_with(apart))
}

fn copy(d: &Description, from: Pattern, to: Pattern, index: IndexBytes) -> Result<f64, String> {
    let mut rests_on = figures_of(d, &is_apart_of_copies);
    rests_on.push(format!("copy {from:?} {to:?} {index}"));
    RATES.of(rests_on, || transfers::copy(d, from, to, index))
}

/// What no transfer between processors uses, and what one does not that neither loads what it sends nor stores it.
const DEVICES: [&str; 5] = ["code.", "registers.", "engine.", "messages.", "barrier."];
const OWN_MEMORY: [&str; 6] = ["cache.", "buffer.", "shell.", "read_ahead.", "dram.", "memory."];

fn is_apart_of_sends(stages: Stages, name: &str) -> bool {
    let uses_memory = stages.loads || stages.deposit;
    let is_of = |parts: &[&str]| parts.iter().any(|apart| name.starts_with(apart));
    is_of(&DEVICES) || !uses_memory && is_of(&OWN_MEMORY)
}

fn send(d: &Description, ways: &[(u32, u32)], sent: Sent, stages: Stages) -> Result<f64, String> {
    let mut rests_on = figures_of(d, &|name| is_apart_of_sends(stages, name));
    rests_on.push(format!("send {ways:?} {sent:?} {stages:?}"));
    RATES.of(rests_on, || transfers::send(d, ways, sent, stages))
}

fn measure_t3d(description: &Description) -> Result<Results, String> {
    const READ_AHEAD: &str = "read_ahead.on";
    let (d, off) = match description.with(READ_AHEAD) {
        Ok(d) => (d, description.without(READ_AHEAD)?),
        // Without the part.
        Err(_) => (description.clone(), description.clone()),
    };
    let stride = Strided(64);
    let mut found = Results::new();
    let c = |x: Pattern, y: Pattern| copy(&d, x, y, T3D_INDEX);
    let sent = |from, to| {
        let has_addresses = (from, to) != (Contiguous, Contiguous);
        Sent { from, to, index: T3D_INDEX, has_addresses, address_bytes: 0 }
    };
    for (id, x, y) in [
        ("C21.1C1", Contiguous, Contiguous),
        ("C21.1C64", Contiguous, stride),
        ("C21.64C1", stride, Contiguous),
        ("C21.1Cw", Contiguous, Indexed),
        ("C21.wC1", Indexed, Contiguous),
    ] {
        found.insert(id, c(x, y)?);
    }
    let stages = Stages { loads: true, port: true, ..Stages::default() };
    for (id, x) in [("C21.1S0", Contiguous), ("C21.64S0", stride), ("C21.wS0", Indexed)] {
        found.insert(id, send(&d, &ONE[..1], sent(x, Contiguous), stages)?);
    }
    let stages = Stages { deposit: true, ..Stages::default() };
    for (id, y) in [("C21.0D1", Contiguous), ("C21.0D64", stride), ("C21.0Dw", Indexed)] {
        found.insert(id, send(&d, &ONE[..1], sent(Contiguous, y), stages)?);
    }
    let network = Stages { network: true, ..Stages::default() };
    let port = Stages { port: true, ..network };
    for (blocks, words, ways) in [("C23.1", "C23.4", ONE), ("C23.2", "C23.5", TWO), ("C23.3", "C23.6", FOUR)] {
        found.insert(blocks, send(&d, ways, sent(Contiguous, Contiguous), network)?);
        found.insert(words, send(&d, ways, sent(Contiguous, stride), port)?);
    }
    found.insert("C24", load(&d, Contiguous)? / load(&off, Contiguous)?);
    found.insert("C25", load(&off, stride)?);
    found.insert("C25.2", load(&d, Contiguous)?);
    let port = Stages { port: true, ..Stages::default() };
    found.insert("C26", send(&d, &ONE[..1], sent(Contiguous, Contiguous), port)?);
    let many: Vec<(u32, u32)> = (1..9).map(|n| (4 * n, 0)).collect();
    found.insert("C26.2", send(&d, &many, sent(Contiguous, Contiguous), network)? * many.len() as f64);

    let chained = |x, y| send(&d, TWO, sent(x, y), Stages::ALL);
    let blocks = chained(Contiguous, Contiguous)?;
    let packed = |x, y| Ok::<f64, String>(in_turn([c(x, Contiguous)?, blocks, c(Contiguous, y)?]));
    for (id, x, y) in [
        ("C08", Contiguous, Strided(1024)),
        ("C16", Contiguous, Strided(16)),
        ("C16.2", Strided(16), Contiguous),
        ("C18", Contiguous, stride),
        ("C18.2", Indexed, Indexed),
        ("C18.3", Contiguous, Contiguous),
    ] {
        found.insert(id, packed(x, y)?);
    }
    for (id, x, y) in [
        ("C16.3", Contiguous, Strided(16)),
        ("C16.4", Strided(16), Contiguous),
        ("C18.4", Contiguous, stride),
        ("C18.5", Indexed, Indexed),
    ] {
        found.insert(id, chained(x, y)?);
    }
    found.insert("C18.6", blocks);
    found.insert("C19.1", found["C18.4"] / found["C18"]);
    found.insert("C19.2", found["C18.5"] / found["C18.2"]);
    found.insert("C20", holds(found["C18"] > packed(stride, Contiguous)?));
    found.insert("C22", holds(found["C21.1C64"] > found["C21.64C1"]));
    Ok(found)
}

const T3D_FILE: &str = include_str!("../../../../machines/t3d.toml");
const PARAGON_FILE: &str = include_str!("../../../../machines/paragon.toml");

fn parsed(file: &str) -> Result<MachineFile, String> {
    toml::from_str(file).map_err(|e| e.to_string())
}

/// The file's model with these figures.
fn with_figures(file: &str, inputs: &Inputs) -> Result<MachineFile, String> {
    let mut file = parsed(file)?;
    for (name, mb_s) in inputs {
        file.set(name, *mb_s)?;
    }
    Ok(file)
}

/// The figures of the tables, by the names that a machine file knows them by.
fn figures(file: &str) -> Result<Inputs, String> {
    let tables = parsed(file)?.copy_transfer.ok_or("the machine file has no tables")?;
    let network = tables
        .network
        .iter()
        .flat_map(|n| n.points.iter().map(move |p| (format!("{}@{}", n.transfer, p.congestion), p.mb_s)));
    Ok(tables.figures.iter().map(|f| (f.transfer.clone(), f.mb_s)).chain(network).collect())
}

/// The model of a machine whose tables lack a figure that another table implies.
fn with(tables: &Machine, transfer: &str, mb_s: f64) -> Machine {
    let mut tables = tables.clone();
    tables.figures.push(Figure { transfer: transfer.into(), mb_s, source: "inferred from Table 5".into() });
    tables
}

fn value(tables: &Machine, composition: &str) -> Result<f64, String> {
    let parsed = parse(composition).map_err(|e| e.to_string())?;
    evaluate(&parsed, tables, tables.congestion).map(|d| d.mb_s).map_err(|e| e.to_string())
}

fn predict_t3d(file: &MachineFile) -> Result<Results, String> {
    let tables = file.copy_transfer.as_ref().ok_or("the machine file has no tables")?;
    let packed = |tables: &Machine, x: &str, y: &str| value(tables, &format!("{x}C1 o (1S0 || Nd || 0D1) o 1C{y}"));
    let mut found = Results::new();
    found.insert("C01", value(tables, "1C1 o (1S0 || Nd || 0D1)")?);
    found.insert("C02", value(tables, "1S0 || Nd || 0D1")?);
    for (id, x, y) in [
        ("C03", "1", "1"),
        ("C04", "1", "64"),
        ("C05", "64", "1"),
        ("C05.2", "64", "64"),
        ("C06", "w", "w"),
        ("C07", "1", "1024"),
        ("C14", "1", "16"),
        ("C14.2", "16", "1"),
    ] {
        found.insert(id, packed(tables, x, y)?);
    }
    found.insert("C05.3", packed(&with(tables, "16C1", 34.1), "16", "64")?);
    found.insert("C09", found["C02"]);
    for (id, x, y) in
        [("C09.2", "1", "64"), ("C09.3", "w", "w"), ("C09.4", "64", "1"), ("C14.3", "1", "16"), ("C14.4", "16", "1")]
    {
        found.insert(id, value(tables, &format!("{x}S0 || Nadp || 0D{y}"))?);
    }
    // Table 5 has 38 for chained (16,1), whose other stages are no slower than that.
    found.insert("C09.5", value(&with(tables, "16S0", 38.0), "16S0 || Nadp || 0D64")?);
    let mut limited = file.clone();
    let free = found["C03"];
    limited.set("2Q", free)?;
    let tables = limited.copy_transfer.as_ref().ok_or("no tables")?;
    found.insert("C28", holds((packed(tables, "1", "1")? / (free / 2.0) - 1.0).abs() < 1e-9));
    Ok(found)
}

/// The reason of the Paragon's differences that rest on one path.
const MEMORY: &str = "the times of the memory are not printed: whole bus cycles near Table 1 leave this";
const ALONE: &str =
    "a loop that only sends or receives is faster by large strides than one that copies; nothing here makes it so";

pub const PARAGON: Study = Study {
    id: "copy-transfer",
    machine: "paragon",
    name: "The copy-transfer model, Intel Paragon",
    claims: PARAGON_CLAIMS,
    measure: measure_paragon,
    predictions: Some(Predictions {
        figures: || figures(PARAGON_FILE),
        predict: |inputs| predict_paragon(&with_figures(PARAGON_FILE, inputs)?),
    }),
    differs: &[
        ("C11", "the DMA gives more: the figure fits if the processor sends"),
        ("C15", "no figure for stride 16 is printed; with the indexed one it fits"),
        ("C15.3", "no figure for stride 16 is printed; with the indexed one it fits"),
        ("C15.5", "it requires a 0R16 of 32, which is less than the printed 0R64"),
        ("C17.3", ALONE),
        ("C17.4", ALONE),
        ("C21.1C1", MEMORY),
        ("C21.1S0", MEMORY),
        ("C21.64S0", ALONE),
        ("C21.wS0", ALONE),
        ("C21.0R1", MEMORY),
        ("C21.0R64", ALONE),
        ("C21.0Rw", MEMORY),
        ("C21.1F0", "the cost of a restart at a page is not printed"),
        ("C30", MEMORY),
    ],
    added: &[],
    readings: &[&["C11", "C11.2"], &["C15", "C15.2"], &["C15.3", "C15.4"]],
    left_out: &[],
};

#[rustfmt::skip]
const PARAGON_CLAIMS: &[Claim] = &[
    mb_s("C10", "model: packing (1,64)", 16.1, 0.01, "section 5.1.3"),
    mb_s("C10.2", "model: packing (w,w)", 16.2, 0.01, "section 5.1.3"),
    mb_s("C11", "model: packing (1,1), by DMA", 20.7, 0.02, "section 5.1.3"),
    mb_s("C11.2", "the same, sent by the processor", 20.7, 0.02, "section 5.1.3"),
    mb_s("C12", "model: packing (16,64), 16C1 from Table 5", 14.9, 0.04, "section 5.1.3"),
    mb_s("C13", "model: chained (1,1)", 52.0, 0.001, "section 5.1.4"),
    mb_s("C13.2", "model: chained (1,64)", 38.0, 0.001, "section 5.1.4"),
    mb_s("C13.3", "model: chained (16,64)", 38.0, 0.001, "section 5.1.4"),
    mb_s("C13.4", "model: chained (w,w)", 36.0, 0.001, "section 5.1.4"),
    mb_s("C15", "model: packing (1,16), with stride 64", 18.3, 0.01, "Table 5"),
    mb_s("C15.2", "the same with the indexed figure", 18.3, 0.01, "Table 5"),
    mb_s("C15.3", "model: packing (16,1), with stride 64", 20.7, 0.01, "Table 5"),
    mb_s("C15.4", "the same with the indexed figure", 20.7, 0.01, "Table 5"),
    mb_s("C15.5", "model: chained (1,16)", 32.0, 0.01, "Table 5"),
    mb_s("C15.6", "model: chained (16,1)", 42.0, 0.001, "Table 5"),
    mb_s("C17", "packing (1,16)", 20.7, 0.2, "Table 5"),
    mb_s("C17.2", "packing (16,1)", 24.2, 0.2, "Table 5"),
    mb_s("C17.3", "chained (1,16)", 29.7, 0.2, "Table 5"),
    mb_s("C17.4", "chained (16,1)", 39.2, 0.2, "Table 5"),
    claim("C20", "packing: loads should have the stride", Holds(Some("processor.pipelined")), "section 5.2"),
    mb_s("C21.1C1", "1C1: a copy", 67.6, 0.05, "Table 1"),
    mb_s("C21.1C64", "1C64", 27.6, 0.05, "Table 1"),
    mb_s("C21.64C1", "64C1", 31.1, 0.05, "Table 1"),
    mb_s("C21.1Cw", "1Cw", 35.2, 0.05, "Table 1"),
    mb_s("C21.wC1", "wC1", 45.1, 0.05, "Table 1"),
    mb_s("C21.1S0", "1S0: from memory to the port", 52.0, 0.05, "Table 2"),
    mb_s("C21.1F0", "1F0: the same by DMA", 160.0, 0.05, "Table 2"),
    mb_s("C21.64S0", "64S0", 42.0, 0.05, "Table 2"),
    mb_s("C21.wS0", "wS0", 36.0, 0.05, "Table 2"),
    mb_s("C21.0R1", "0R1: from the port to memory", 82.0, 0.05, "Table 3"),
    mb_s("C21.0D1", "0D1: the same by DMA", 160.0, 0.05, "Table 3"),
    mb_s("C21.0R64", "0R64", 38.0, 0.05, "Table 3"),
    mb_s("C21.0Rw", "0Rw", 42.0, 0.05, "Table 3"),
    claim("C22", "64C1 is faster than 1C64", Holds(Some("processor.pipelined")), "Table 1"),
    mb_s("C23.1", "the network, blocks, congestion 1", 176.0, 0.05, "Table 4"),
    mb_s("C23.2", "congestion 2", 90.0, 0.05, "Table 4"),
    mb_s("C23.3", "congestion 4", 44.0, 0.05, "Table 4"),
    mb_s("C23.4", "the network, words with addresses, congestion 1", 88.0, 0.05, "Table 4"),
    mb_s("C23.5", "congestion 2", 45.0, 0.05, "Table 4"),
    mb_s("C23.6", "congestion 4", 22.0, 0.05, "Table 4"),
    claim("C29", "the share that both processors lose on one bus", Between(0.0, 0.5, ""), "section 5.1.4"),
    claim("C30", "the share that a copy loses without pipelined loads", Between(0.3, 0.4, ""), "section 5.1.4"),
];

/// The bytes of an index: an integer of the Paragon.
const PARAGON_INDEX: u64 = 4;

fn measure_paragon(d: &Description) -> Result<Results, String> {
    let stride = Strided(64);
    let mut found = Results::new();
    let c = |x: Pattern, y: Pattern| copy(d, x, y, PARAGON_INDEX);
    // A fault of the network interface forbids pipelined loads while sending (section 5.1.4).
    let plain = d.without("processor.pipelined")?;
    let sent = |from, to| {
        let has_addresses = (from, to) != (Contiguous, Contiguous);
        Sent { from, to, index: PARAGON_INDEX, has_addresses, address_bytes: 8 }
    };
    for (id, x, y) in [
        ("C21.1C1", Contiguous, Contiguous),
        ("C21.1C64", Contiguous, stride),
        ("C21.64C1", stride, Contiguous),
        ("C21.1Cw", Contiguous, Indexed),
        ("C21.wC1", Indexed, Contiguous),
    ] {
        found.insert(id, c(x, y)?);
    }
    let stages = Stages { loads: true, port: true, ..Stages::default() };
    for (id, x) in [("C21.1S0", Contiguous), ("C21.64S0", stride), ("C21.wS0", Indexed)] {
        found.insert(id, send(&plain, &[(0, 4)], sent(x, Contiguous), stages)?);
    }
    let stages = Stages { deposit: true, ..Stages::default() };
    for (id, y) in [("C21.0R1", Contiguous), ("C21.0R64", stride), ("C21.0Rw", Indexed)] {
        found.insert(id, send(d, &[(0, 4)], sent(Contiguous, y), stages)?);
    }
    found.insert("C21.1F0", by_dma(d, false)?);
    found.insert("C21.0D1", by_dma(d, true)?);
    let network = Stages { network: true, ..Stages::default() };
    for (blocks, words, congestion) in [("C23.1", "C23.4", 1), ("C23.2", "C23.5", 2), ("C23.3", "C23.6", 4)] {
        let ways: Vec<(u32, u32)> = (0..congestion).map(|i| (i, i + 4)).collect();
        found.insert(blocks, send(d, &ways, sent(Contiguous, Contiguous), network)?);
        found.insert(words, send(d, &ways, sent(Contiguous, stride), network)?);
    }
    let by_dma = found["C21.1F0"].min(found["C21.0D1"]).min(found["C23.2"]);
    let packed = |x, y| Ok::<f64, String>(in_turn([c(x, Contiguous)?, by_dma, c(Contiguous, y)?]));
    found.insert("C17", packed(Contiguous, Strided(16))?);
    found.insert("C17.2", packed(Strided(16), Contiguous)?);
    let chained = |x, y| send(&plain, &[(0, 2), (1, 3), (2, 0), (3, 1)], sent(x, y), Stages::ALL);
    found.insert("C17.3", chained(Contiguous, Strided(16))?);
    found.insert("C17.4", chained(Strided(16), Contiguous)?);
    found.insert("C20", holds(packed(stride, Contiguous)? > packed(Contiguous, stride)?));
    found.insert("C22", holds(found["C21.64C1"] > found["C21.1C64"]));
    let alone = found["C21.1S0"].min(found["C21.0R1"]).min(found["C23.2"]);
    found.insert("C29", 1.0 - chained(Contiguous, Contiguous)? / alone);
    found.insert("C30", 1.0 - copy(&plain, Contiguous, Contiguous, PARAGON_INDEX)? / found["C21.1C1"]);
    Ok(found)
}

fn predict_paragon(file: &MachineFile) -> Result<Results, String> {
    let tables = file.copy_transfer.as_ref().ok_or("the machine file has no tables")?;
    let packed = |tables: &Machine, x: &str, y: &str| value(tables, &format!("{x}C1 o (1F0 || Nd || 0D1) o 1C{y}"));
    let chained = |x: &str, y: &str| value(tables, &format!("{x}S0 || Nadp || 0R{y}"));
    let mut found = Results::new();
    for (id, x, y) in [
        ("C10", "1", "64"),
        ("C10.2", "w", "w"),
        ("C11", "1", "1"),
        ("C15", "1", "16"),
        ("C15.2", "1", "w"),
        ("C15.3", "16", "1"),
        ("C15.4", "w", "1"),
    ] {
        found.insert(id, packed(tables, x, y)?);
    }
    found.insert("C11.2", value(tables, "1C1 o (1S0 || Nd || 0D1) o 1C1")?);
    found.insert("C12", packed(&with(tables, "16C1", 44.6), "16", "64")?);
    found.insert("C13", value(tables, "1S0 || Nd || 0R1")?);
    for (id, x, y) in
        [("C13.2", "1", "64"), ("C13.3", "16", "64"), ("C13.4", "w", "w"), ("C15.5", "1", "16"), ("C15.6", "16", "1")]
    {
        found.insert(id, chained(x, y)?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The machine with every time and rate changed that stands apart.
    fn changed(description: &Description, is_apart: &dyn Fn(&str) -> bool) -> (Description, usize) {
        let (mut changed, mut count) = (description.clone(), 0);
        for (name, _) in description.figures().filter(|(name, _)| is_apart(name)) {
            let unit = description.quantity(&name).map(|q| q.unit);
            if unit.is_ok_and(|unit| [fathom_machine::quantity::TIME, fathom_machine::quantity::RATE].contains(&unit)) {
                changed = changed.with_factor(&name, 1.05).unwrap();
                count += 1;
            }
        }
        (changed, count)
    }

    #[test]
    fn transfers_depend_on_nothing_that_stands_apart() {
        let of = |file| Description::of_file(file).unwrap().unwrap();
        for (description, ways) in [(of(T3D_FILE), TWO), (of(PARAGON_FILE), &[(0, 2), (2, 0)][..])] {
            let (other, count) = changed(&description, &is_apart_of_copies);
            assert!(count > 3, "{count} figures stand apart from copies");
            for (x, y) in [(Contiguous, Strided(16)), (Indexed, Contiguous)] {
                let copied = |d| transfers::copy(d, x, y, 4).unwrap();
                assert_eq!(copied(&other), copied(&description), "{x:?} {y:?}");
            }
            let none = Stages::default();
            let network = Stages { network: true, ..none };
            for stages in [Stages::ALL, network, Stages { port: true, ..network }, Stages { deposit: true, ..none }] {
                let (other, count) = changed(&description, &|name| is_apart_of_sends(stages, name));
                assert!(count > 3 || stages.deposit, "{count} figures stand apart from {stages:?}");
                let sent = Sent { from: Contiguous, to: Indexed, index: 4, has_addresses: true, address_bytes: 0 };
                let rate = |d| transfers::send(d, ways, sent, stages).unwrap();
                assert_eq!(rate(&other), rate(&description), "{stages:?}");
            }
        }
    }
}
