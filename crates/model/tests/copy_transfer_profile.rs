//! What a measured machine has and a published one lacks: figures by size, many strides, and starts.

use fathom_model::copy_transfer::{
    evaluate, parse, rank, Composition, Found, Machine, Pattern, SizePoint, SizedFigures, Start, Transfer,
};

fn by_size(transfer: &str, points: &[(f64, f64)]) -> SizedFigures {
    let points = points.iter().map(|&(bytes, mb_s)| SizePoint { bytes, mb_s }).collect();
    SizedFigures { transfer: transfer.into(), points, source: "measured".into() }
}

/// A cache of 64 KiB with lines of 64 bytes; strides from a line on move 1000 MB/s in it and 100 outside.
fn machine() -> Machine {
    let mut machine: Machine = toml::from_str(
        "congestion = 1.0
         processors = \"each\"
         network = [{ transfer = \"Nd\", points = [{ congestion = 1.0, mb_s = 9000.0 }], source = \"measured\" }]",
    )
    .unwrap();
    let sizes = [1024.0, 2048.0, 4096.0, 8192.0, 16384.0, 32768.0, 65536.0];
    let strided = |n: f64| -> Vec<(f64, f64)> {
        // A stride of 64 words is 8 lines: it uses one set in 8.
        let shared = if n == 64.0 { 8.0 } else { 1.0 };
        sizes.iter().map(|b| (*b, if b * 8.0 * shared <= 65536.0 { 1000.0 } else { 100.0 })).collect()
    };
    machine.by_size = vec![
        by_size("1C1", &[(1024.0, 8000.0), (1_048_576.0, 8000.0)]),
        by_size("1S0", &[(1024.0, 4000.0), (1_048_576.0, 4000.0)]),
        by_size("0R1", &[(1024.0, 4000.0), (1_048_576.0, 4000.0)]),
        by_size("1C8", &strided(8.0)),
        by_size("1C64", &strided(64.0)),
        by_size("1C72", &strided(72.0)),
    ];
    machine.check().unwrap();
    machine
}

fn figure(machine: &Machine, text: &str, bytes: f64) -> Found {
    let Ok(Composition::Basic(t)) = parse(text) else { panic!("{text}") };
    Machine { block_bytes: Some(bytes), ..machine.clone() }.throughput(t, 1.0).unwrap()
}

#[test]
fn a_stride_between_two_uses_the_sets_that_they_use() {
    let m = machine();
    // 24 words are three lines, an odd number: as 8 and 72, and not as 64, whose block of 8 KiB is outside of the cache.
    let found = figure(&m, "1C24", 8192.0);
    assert!((found.mb_s - 1000.0).abs() < 1e-6, "{found:?}");
    assert!(found.stand_in.as_ref().unwrap().contains("between 1C8 and 1C72"), "{found:?}");
    assert_eq!(figure(&m, "1C64", 8192.0).mb_s, 100.0);
    // The same share of the sets: the figure of 64 stands in for 192.
    assert_eq!(figure(&m, "1C192", 8192.0).mb_s, 100.0);
    // Twice the share at twice the block.
    assert_eq!(figure(&m, "1C32", 2048.0).mb_s, 1000.0);
    assert_eq!(figure(&m, "1C32", 4096.0).mb_s, 100.0);
    // Far beyond all: rather a large stride of another share than a small one of the same.
    assert!(figure(&m, "1C9984", 1024.0).stand_in.unwrap().contains("1C64 stands in"));
    assert!(figure(&m, "1C9992", 1024.0).stand_in.unwrap().contains("1C72 stands in"));
    // Of other lines, other sets: of 512 bytes 64 words are one line.
    let wide = Machine { line_bytes: Some(512.0), ..m };
    assert!(figure(&wide, "1C24", 8192.0).stand_in.unwrap().contains("between 1C8 and 1C64"));
}

#[test]
fn without_a_size_the_largest_block_is_meant() {
    let found = machine().throughput(transfer("1C8"), 1.0).unwrap();
    assert_eq!(found.mb_s, 100.0);
    assert!(found.source.contains("65536 bytes, the largest"), "{found:?}");
}

fn transfer(text: &str) -> Transfer {
    let Ok(Composition::Basic(t)) = parse(text) else { panic!("{text}") };
    t
}

#[test]
fn a_block_takes_its_start_and_then_its_bytes() {
    let mut m = machine();
    m.starts.push(Start { kind: "R".into(), ns: 500.0, source: "measured".into() });
    m.check().unwrap();
    let message = parse("(1C1 o 1S0) || Nd || 0R1").unwrap();
    let rate = 1.0 / (1.0 / 8000.0 + 1.0 / 4000.0);
    // No block, no start; and the reader is told.
    let large = evaluate(&message, &m, 1.0).unwrap();
    assert!((large.mb_s - rate).abs() < 1e-9);
    assert!(large.all_notes().iter().any(|n| n.0.contains("a start of 500 ns is not included")), "{large:?}");
    m.block_bytes = Some(1024.0);
    let small = evaluate(&message, &m, 1.0).unwrap();
    assert!((1024.0 * 1000.0 / small.mb_s - (500.0 + 1024.0 * 1000.0 / rate)).abs() < 1e-6, "{small:?}");
    assert!(small.steps().last().unwrap().how.contains("a start of 0.5 us"), "{:?}", small.steps());
    // What has no receiver has no start.
    let copy = evaluate(&parse("1C1").unwrap(), &m, 1.0).unwrap();
    assert_eq!((copy.mb_s, copy.start_ns), (8000.0, 0.0));
    // The ways to move a block are ranked with their starts.
    assert!(rank(Pattern::Contiguous, Pattern::Contiguous, &m, 1.0).iter().all(|w| w.derivation.mb_s < 1400.0));
}

#[test]
fn a_start_can_be_set_and_must_make_sense() {
    let mut m = machine();
    assert_eq!(m.set("R.start", 500.0), Ok(None));
    assert_eq!(m.set("R.start", 700.0), Ok(Some(500.0)));
    assert!(m.list().iter().any(|l| l.what == "R.start" && l.value == "700 ns"));
    assert!(m.set("X.start", 700.0).is_err() && m.set("R.start", -1.0).is_err());
    let bad = |kind: &str| Start { kind: kind.into(), ns: 1.0, source: String::new() };
    m.starts.push(bad("R"));
    assert!(m.check().unwrap_err().contains("twice"));
    m.starts = vec![bad("x")];
    assert!(m.check().unwrap_err().contains("`x`"));
}
