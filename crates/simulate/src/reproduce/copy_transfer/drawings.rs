//! The figures of the copy-transfer study: local copies by stride, and transfers between processors by the stride of
//! their loads or of their stores, packed and chained.

use super::super::drawing::{Curve, Curves, Drawing, Picture, Scale};
use super::super::parallel;
use super::{in_turn, PARAGON_INDEX, T3D_INDEX, TWO};
use crate::transfers::{by_dma, copy, send, Sent, Stages};
use fathom_machine::Description;
use fathom_model::copy_transfer::Pattern::{self, Contiguous, Strided};

const STRIDE: Scale = Scale::log("stride in words", "");
const RATE: Scale = Scale { label: "rate", unit: "MB/s", is_log: false };

fn strides() -> Vec<u32> {
    (0..=10).map(|power| 1 << power).collect()
}

/// A stride of 1 is none.
fn pattern(stride: u32) -> Pattern {
    if stride == 1 {
        Contiguous
    } else {
        Strided(stride)
    }
}

fn by_stride(name: &str, rate: impl Fn(Pattern) -> Result<f64, String> + Sync) -> Result<Curve, String> {
    let point = |stride: &u32| Ok((f64::from(*stride), rate(pattern(*stride))?));
    Ok(Curve::ours(name, parallel::map(&strides(), point).into_iter().collect::<Result<_, String>>()?))
}

fn drawing(of: &str, title: &str, note: &str, curves: Vec<Curve>) -> Drawing {
    let picture = Picture::Curves(Curves { x: STRIDE, y: RATE, curves, levels: vec![], is_ordered: false });
    Drawing { of: of.into(), title: title.into(), note: note.into(), picture }
}

/// Local copies, by the stride of loads or of stores. `printed` are those of Table 1: 1C1, 64C1, 1C64.
fn copies(d: &Description, index: u64, printed: [f64; 3]) -> Result<Drawing, String> {
    let curves = vec![
        by_stride("strided stores, 1Cs", |s| copy(d, Contiguous, s, index))?,
        by_stride("strided loads, sC1", |s| copy(d, s, Contiguous, index))?,
        Curve::printed("printed: strided stores", vec![(1.0, printed[0]), (64.0, printed[2])]),
        Curve::printed("printed: strided loads", vec![(1.0, printed[0]), (64.0, printed[1])]),
    ];
    Ok(drawing("Figure 4", "Local copies", "The other side is contiguous.", curves))
}

pub fn drawings_t3d(d: &Description) -> Result<Vec<Drawing>, String> {
    let sent = |from, to| Sent {
        from,
        to,
        index: T3D_INDEX,
        has_addresses: (from, to) != (Contiguous, Contiguous),
        address_bytes: 0,
    };
    let chained = |x, y| send(d, TWO, sent(x, y), Stages::ALL);
    let blocks = chained(Contiguous, Contiguous)?;
    let packed = |x, y| Ok(in_turn([copy(d, x, Contiguous, T3D_INDEX)?, blocks, copy(d, Contiguous, y, T3D_INDEX)?]));
    let [ours, loads, stores] = [
        [
            by_stride("packing, strided stores", |s| packed(Contiguous, s))?,
            by_stride("packing, strided loads", |s| packed(s, Contiguous))?,
        ],
        [
            by_stride("chained, strided stores", |s| chained(Contiguous, s))?,
            by_stride("chained, strided loads", |s| chained(s, Contiguous))?,
        ],
        [
            Curve::printed(
                "printed: packing, strided stores",
                vec![(1.0, 26.2), (16.0, 20.8), (64.0, 20.0), (1024.0, 20.0)],
            ),
            Curve::printed("printed: packing, strided loads", vec![(1.0, 26.2), (16.0, 14.3)]),
        ],
    ];
    let mut both: Vec<Curve> = ours.into_iter().chain(stores).collect();
    let left = drawing("Figure 7, left", "Transfers, packed", NOTE, std::mem::take(&mut both));
    let printed = [
        Curve::printed("printed: chained, strided stores", vec![(1.0, 68.1), (16.0, 31.3), (64.0, 29.5)]),
        Curve::printed("printed: chained, strided loads", vec![(1.0, 68.1), (16.0, 27.4)]),
    ];
    let right = drawing("Figure 7, right", "Transfers, chained", NOTE, loads.into_iter().chain(printed).collect());
    Ok(vec![copies(d, T3D_INDEX, [93.0, 33.3, 67.9])?, left, right])
}

const NOTE: &str = "With congestion 2, as in the study's schedules.";

pub fn drawings_paragon(d: &Description) -> Result<Vec<Drawing>, String> {
    let plain = d.without("processor.pipelined")?;
    let sent = |from, to| Sent {
        from,
        to,
        index: PARAGON_INDEX,
        has_addresses: (from, to) != (Contiguous, Contiguous),
        address_bytes: 8,
    };
    let engine = by_dma(d, false)?.min(by_dma(d, true)?);
    let network = Stages { network: true, ..Stages::default() };
    let blocks = engine.min(send(d, &[(0, 4), (1, 5)], sent(Contiguous, Contiguous), network)?);
    let packed =
        |x, y| Ok(in_turn([copy(d, x, Contiguous, PARAGON_INDEX)?, blocks, copy(d, Contiguous, y, PARAGON_INDEX)?]));
    let chained = |x, y| send(&plain, &[(0, 2), (1, 3), (2, 0), (3, 1)], sent(x, y), Stages::ALL);
    let left = vec![
        by_stride("packing, strided stores", |s| packed(Contiguous, s))?,
        by_stride("packing, strided loads", |s| packed(s, Contiguous))?,
        Curve::printed("printed: packing, strided stores", vec![(16.0, 20.7)]),
        Curve::printed("printed: packing, strided loads", vec![(16.0, 24.2)]),
    ];
    let right = vec![
        by_stride("chained, strided stores", |s| chained(Contiguous, s))?,
        by_stride("chained, strided loads", |s| chained(s, Contiguous))?,
        Curve::printed("printed: chained, strided stores", vec![(16.0, 29.7)]),
        Curve::printed("printed: chained, strided loads", vec![(16.0, 39.2)]),
    ];
    Ok(vec![
        copies(d, PARAGON_INDEX, [67.6, 31.1, 27.6])?,
        drawing("Figure 8, left", "Transfers, packed", NOTE, left),
        drawing("Figure 8, right", "Transfers, chained", NOTE, right),
    ])
}
