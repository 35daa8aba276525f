//! The figures of the SPP-1000 study: times by size and stride, sharing by distance and by number, barriers.

use super::super::drawing::{Curve, Curves, Drawing, Picture, Scale};
use super::super::parallel;
use super::{again, barrier, in_turn, measure, Op, Sweep, World, MB, STRIDES, TABLE_3, TABLE_5, WORD};
use fathom_machine::parts::hypernode::in_memory_of;
use fathom_machine::Description;

const STRIDE: Scale = Scale::log("stride in words", "");
const CYCLES: Scale = Scale::linear("time of an access", "cycles");
const PROCESSORS: Scale = Scale::linear("processors", "");

pub fn drawings(description: &Description) -> Result<Vec<Drawing>, String> {
    let mut all = vec![
        by_size(description, "Loads of local memory", Op::Load, &[(1.0, "hit"), (55.4, "miss")])?,
        by_size(description, "Stores to local memory", Op::Store, &[(2.0, "hit"), (63.3, "miss")])?,
        interconnect(description)?,
    ];
    all.extend(sharing(description)?);
    all.extend([invalidations(description)?, readers(description)?, barriers(description)?]);
    Ok(all)
}

fn drawing(of: &str, title: &str, note: &str, picture: Picture) -> Drawing {
    Drawing { of: of.into(), title: title.into(), note: note.into(), picture }
}

fn words(n: u64) -> String {
    if n == 1 {
        "1 word".into()
    } else {
        format!("{n} words")
    }
}

fn printed(levels: &[(f64, &str)]) -> Vec<(f64, String)> {
    levels.iter().map(|(at, name)| (*at, format!("printed: {name}"))).collect()
}

/// A curve for each stride.
fn family(
    strides: &[u64],
    xs: &[u64],
    time: impl Fn(u64, u64) -> Result<f64, String> + Sync,
) -> Result<Vec<Curve>, String> {
    let curve = |stride: &u64| -> Result<Curve, String> {
        let points = xs.iter().map(|x| Ok((*x as f64, time(*x, *stride)?)));
        Ok(Curve::ours(words(*stride), points.collect::<Result<_, String>>()?))
    };
    parallel::map(strides, curve).into_iter().collect()
}

fn by_size(description: &Description, title: &str, op: Op, levels: &[(f64, &str)]) -> Result<Drawing, String> {
    let sizes: Vec<u64> = (1..=24).map(|eighths| eighths * MB / 8).collect();
    let curves = family(&[1, 2, 4], &sizes, |bytes, stride| again(description, op, (bytes, bytes), stride * WORD))?;
    let x = Scale::linear("array", "bytes");
    let picture = Picture::Curves(Curves { x, y: CYCLES, curves, levels: printed(levels), is_ordered: true });
    Ok(drawing(
        "Figure 6",
        title,
        "A curve for each stride. Between the cache's size and twice as much, a part of an array hits.",
        picture,
    ))
}

/// Of each MB of an array, what is swept: the sizes matter, not each line.
const PART: u64 = 4 << 10;

fn interconnect(description: &Description) -> Result<Drawing, String> {
    let sizes: Vec<u64> = (1..=12).map(|n| n * 32 * MB).collect();
    let curves = family(&STRIDES, &sizes, |bytes, stride| {
        let mut world = World::new(description, 9)?;
        let parts: Vec<u64> = (0..bytes).step_by(MB as usize).map(|at| in_memory_of(1, at)).collect();
        let (mut sum, mut pass) = (0.0, 0);
        while pass < 2 {
            sum = 0.0;
            for from in &parts {
                // A part is larger than nothing that the cache still has from the part before.
                sum += world.sweep(0, Op::Load, Sweep { from: *from, bytes: PART, stride: stride * WORD });
            }
            pass += 1;
        }
        Ok(sum / parts.len() as f64)
    })?;
    let levels = printed(&[(410.0, "a miss with few rings")]);
    let x = Scale::linear("array in the memory of another hypernode", "bytes");
    let note =
        "A curve for each stride: the second sweep over 4 KB of each MB. From 128 MB on the interconnect cache no \
                longer holds the array; with strides of 8 words and more, fewer rings are used.";
    let picture = Picture::Curves(Curves { x, y: CYCLES, curves, levels, is_ordered: true });
    Ok(drawing("Figure 8", "Loads from another hypernode", note, picture))
}

/// Tables of producers and consumers, by stride.
fn sharing(description: &Description) -> Result<Vec<Drawing>, String> {
    let found = measure(description)?;
    let mut all = vec![];
    for (figure, kind, title) in [
        ("Figure 9", "war", "Writes after the other processor's reads"),
        ("Figure 10", "raw", "Reads after the other processor's writes"),
        ("Figure 11", "waw", "Writes after the other processor's writes"),
    ] {
        let mut curves = vec![];
        for (row, name) in [
            ("near n", "near, not cached"),
            ("near y", "near, cached"),
            ("far n", "far, not cached"),
            ("far y", "far, cached"),
        ] {
            let prefix = format!("P16 {kind} {row} ");
            let of_row = || {
                let row = TABLE_3.iter().filter_map(|(id, v)| Some((*id, id.strip_prefix(&prefix)?.parse().ok()?, *v)));
                row.collect::<Vec<(&str, f64, f64)>>()
            };
            curves.push(Curve::ours(name, of_row().iter().map(|(id, stride, _)| (*stride, found[id])).collect()));
            let points = of_row().iter().map(|(_, stride, value)| (*stride, *value)).collect();
            curves.push(Curve::printed(format!("printed: {name}"), points));
        }
        let picture = Picture::Curves(Curves { x: STRIDE, y: CYCLES, curves, levels: vec![], is_ordered: false });
        all.push(drawing(figure, title, "Two processors in turn, of one hypernode (near) or of two (far).", picture));
    }
    Ok(all)
}

fn invalidations(description: &Description) -> Result<Drawing, String> {
    let numbers: Vec<u64> = (2..=24).collect();
    let curves = family(&[1, 4, 8, 32], &numbers, |processors, stride| {
        Ok(in_turn(&mut World::new(description, 24)?, processors as usize, stride)[0])
    })?;
    let mut curves = curves;
    curves.push(Curve::printed("printed: 8 words", vec![(8.0, 74.0), (9.0, 575.0)]));
    let picture = Picture::Curves(Curves { x: PROCESSORS, y: CYCLES, curves, levels: vec![], is_ordered: false });
    let note = "One processor writes what all others have read: a curve for each stride.";
    Ok(drawing("Figure 12", "Invalidation by the number of readers", note, picture))
}

fn readers(description: &Description) -> Result<Drawing, String> {
    let mut world = World::new(description, 24)?;
    let mut curves = vec![];
    for stride in [1, 2, 4, 8] {
        let times = in_turn(&mut world, 24, stride);
        curves
            .push(Curve::ours(words(stride), times.iter().enumerate().skip(1).map(|(n, t)| (n as f64, *t)).collect()));
    }
    let stride_8 = TABLE_5.iter().filter_map(|(id, v)| Some((id.strip_prefix("P18 ")?.strip_suffix(" 8")?, *v)));
    let levels = stride_8.map(|(who, v)| (v, format!("printed: {who}, 8 words"))).collect();
    let x = Scale::linear("reader", "");
    let picture = Picture::Curves(Curves { x, y: CYCLES, curves, levels, is_ordered: true });
    let note =
        "The processors read in turn what the first one wrote: the first, then those of its hypernode, then the \
                first of each other one.";
    Ok(drawing("Figure 13", "Reads by many, in turn", note, picture))
}

fn barriers(description: &Description) -> Result<Drawing, String> {
    let numbers: Vec<usize> = (2..=32).collect();
    let times = parallel::map(&numbers, |n| barrier(description, *n));
    let ours = numbers.iter().zip(times).map(|(n, t)| Ok((*n as f64, t?))).collect::<Result<_, String>>()?;
    let law = (9..=32).map(|p| (f64::from(p), 7.1 * f64::from(p * p))).collect();
    let curves = vec![Curve::ours("a counter under a lock", ours), Curve::printed("printed: 7.1 p² from 9 on", law)];
    let y = Scale::log("time", "us");
    let picture = Picture::Curves(Curves { x: PROCESSORS, y, curves, levels: vec![], is_ordered: false });
    let note =
        "The library's own algorithm is not printed, so the level is not comparable; its growth is. The printed spike \
                of more than 1,500 us at 8 processors has no printed cause, and does not appear.";
    Ok(drawing("Figure 14", "Barriers", note, picture))
}
