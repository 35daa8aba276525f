//! The figures of the T3D study: times by stride and array size, prefetches by group, bulk transfers by size.

use super::super::drawing::{Curve, Curves, Drawing, Picture, Scale};
use super::super::parallel;
use super::{sawtooth, split_c, start, AWAY};
use crate::split_c::{Bulk, Global, SplitC, GETS};
use crate::Simulated;
use fathom_machine::parts::shell::{join, Read};
use fathom_machine::{Description, Machine, Thread, Time};
use fathom_probe::{Kernel, Runner, Stimulus};
use std::time::Duration;

const STRIDE: Scale = Scale::log("stride", "bytes");
const TIME: Scale = Scale::linear("time of one", "ns");
const RATE: Scale = Scale::log("rate", "MB/s");
const KB: u64 = 1 << 10;
const MB: u64 = 1 << 20;

/// The machine of the right half of the first two figures.
const WORKSTATION: &str = include_str!("../../../../../machines/alpha-workstation.toml");

pub fn drawings(description: &Description) -> Result<Vec<Drawing>, String> {
    let workstation = Description::of_file(WORKSTATION)?.ok_or("the workstation cannot be simulated")?;
    let own = |of: &str, title: &str, machine, op, levels| local(machine, op).map(|c| by_stride(of, title, c, levels));
    Ok(vec![
        own(
            "Figure 1, left",
            "Local loads",
            description,
            "read",
            &[(6.67, "hit"), (145.0, "memory"), (205.0, "off-page"), (264.0, "same bank")],
        )?,
        own("Figure 1, right", "Local loads of the workstation", &workstation, "read", &[(300.0, "memory")])?,
        own("Figure 2, left", "Local stores", description, "write", &[(20.0, "merged"), (35.0, "a line each")])?,
        own("Figure 2, right", "Local stores of the workstation", &workstation, "write", &[])?,
        far_loads(description, "Remote loads, uncached", Read::Uncached, &[(610.0, "uncached"), (710.0, "off-page")])?,
        far_loads(
            description,
            "Remote loads, cached",
            Read::Cached,
            &[(765.0, "cached"), (196.0, "cached, by words")],
        )?,
        operations(description)?,
        prefetches(description)?,
        bulk_reads(description)?,
        bulk_writes(description)?,
    ])
}

fn by_stride(of: &str, title: &str, curves: Vec<Curve>, levels: &[(f64, &str)]) -> Drawing {
    let levels = levels.iter().map(|(at, name)| (*at, format!("printed: {name}"))).collect();
    Drawing {
        of: of.into(),
        title: title.into(),
        note: "A curve for each array size.".into(),
        picture: Picture::Curves(Curves { x: STRIDE, y: TIME, curves, levels, is_ordered: true }),
    }
}

/// 4 KB to 8 MB, or as much memory as there is.
fn sizes(most: u64) -> Vec<u64> {
    (12..=23).map(|power| 1 << power).take_while(|bytes| *bytes <= most).collect()
}

/// Strides of a word to half of an array.
fn strides(bytes: u64) -> Vec<u64> {
    (3..).map(|power| 1 << power).take_while(|stride| 2 * stride <= bytes).collect()
}

fn text(bytes: u64) -> String {
    match bytes {
        _ if bytes >= MB => format!("{} MB", bytes / MB),
        _ => format!("{} KB", bytes / KB),
    }
}

/// A curve for each size: the time of an operation by stride.
fn family(sizes: Vec<u64>, time: impl Fn(u64, u64) -> Result<f64, String> + Sync) -> Result<Vec<Curve>, String> {
    let curve = |bytes: &u64| -> Result<Curve, String> {
        let points = strides(*bytes).into_iter().map(|s| Ok((s as f64, time(*bytes, s)?)));
        Ok(Curve::ours(text(*bytes), points.collect::<Result<_, String>>()?))
    };
    parallel::map(&sizes, curve).into_iter().collect()
}

fn local(description: &Description, op: &'static str) -> Result<Vec<Curve>, String> {
    let memory = Simulated::new(description.clone())?.memory_bytes();
    family(sizes(memory.min(8 * MB)), |bytes, stride| {
        let stimulus = Stimulus::new(Kernel::Strides).with("bytes", bytes).with("stride", stride).word("op", op);
        let samples = Simulated::new(description.clone())?.run(&stimulus, 1, Duration::ZERO);
        samples.map(|s| s.ns[0]).map_err(|e| e.to_string())
    })
}

fn far_loads(description: &Description, title: &str, read: Read, levels: &[(f64, &str)]) -> Result<Drawing, String> {
    let curves = family(sizes(MB), |bytes, stride| {
        sawtooth(description, (bytes, stride), read, &mut |m: &mut Machine<()>, t: &mut Thread, at| m.load(t, at))
    })?;
    Ok(by_stride("Figure 4", title, curves, levels))
}

/// Mean ns of an operation of Split-C by stride over 64 KB of another processor.
fn split_c_by(
    description: &Description,
    stride: u64,
    operation: fn(&mut SplitC<()>, &mut Thread, Global),
) -> Result<f64, String> {
    let (mut s, mut t) = (SplitC::new(description, AWAY + 1)?, Thread::new(0));
    let mut began = 0;
    for pass in 0..3 {
        if pass == 1 {
            began = t.now;
        }
        (0..SPAN).step_by(stride as usize).for_each(|at| operation(&mut s, &mut t, Global::new(AWAY, at)));
    }
    Ok((t.now - began) as f64 / 1000.0 / (2 * (SPAN / stride)) as f64)
}

/// The array of the operations on another processor's words.
const SPAN: u64 = 64 * KB;

fn operations(description: &Description) -> Result<Drawing, String> {
    let of_strides = |name: &str, time: &dyn Fn(u64) -> Result<f64, String>| -> Result<Curve, String> {
        let points = strides(SPAN).into_iter().map(|s| Ok((s as f64, time(s)?)));
        Ok(Curve::ours(name, points.collect::<Result<_, String>>()?))
    };
    let raw = |read, operation: fn(&mut Machine<()>, &mut Thread, u64)| {
        move |stride| sawtooth(description, (SPAN, stride), read, &mut |m, t, at| operation(m, t, at))
    };
    let waited = |m: &mut Machine<()>, t: &mut Thread, at| {
        m.store(t, at, ());
        m.barrier(t);
        m.wait_for_writes(t);
    };
    let curves = vec![
        of_strides("uncached load", &raw(Read::Uncached, |m, t, at| m.load(t, at)))?,
        of_strides("cached load", &raw(Read::Cached, |m, t, at| m.load(t, at)))?,
        of_strides("Split-C's read", &|stride| split_c_by(description, stride, |s, t, p| s.read(t, p)))?,
        of_strides("store that is waited for", &raw(Read::Uncached, waited))?,
        of_strides("Split-C's write", &|stride| split_c_by(description, stride, |s, t, p| s.write(t, p, ())))?,
        of_strides("store", &raw(Read::Uncached, |m, t, at| m.store(t, at, ())))?,
        of_strides("Split-C's put", &|stride| split_c_by(description, stride, |s, t, p| s.put(t, p, ())))?,
        Curve::printed("printed", [610.0, 765.0, 850.0, 880.0, 981.0, 115.0, 300.0].map(|ns| (32.0, ns)).to_vec()),
    ];
    Ok(Drawing {
        of: "Figures 4, 5 and 7".into(),
        title: "Operations on another processor's words".into(),
        note: "Arrays of 64 KB. The printed values are those of a stride of a line.".into(),
        picture: Picture::Curves(Curves { x: STRIDE, y: TIME, curves, levels: vec![], is_ordered: false }),
    })
}

fn prefetches(description: &Description) -> Result<Drawing, String> {
    let ns = |ps: Time, n: u64| ps as f64 / 1000.0 / n as f64;
    let mut raw = vec![];
    let mut gets = vec![];
    for n in 1..=GETS as u64 {
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
        raw.push((n as f64, ns(t.now - began, n)));
        let (mut s, mut t) = (SplitC::<()>::new(description, AWAY + 1)?, Thread::new(0));
        s.read(&mut t, Global::new(AWAY, 4096));
        let began = t.now;
        (0..n).for_each(|i| s.get(&mut t, 8192 + 8 * i, Global::new(AWAY, 8 * i)));
        s.sync(&mut t);
        gets.push((n as f64, ns(t.now - began, n)));
    }
    let cycle_ns = start::<()>(description)?.0.nodes[0].processor.cycle as f64 / 1000.0;
    // A load's 91 cycles and 15 more; 31 cycles.
    let printed = vec![(1.0, (91.0 + 15.0) * cycle_ns), (16.0, 31.0 * cycle_ns)];
    let curves = vec![
        Curve::ours("prefetches", raw),
        Curve::ours("Split-C's gets", gets),
        Curve::printed("printed: prefetches", printed),
        Curve::printed("printed: gets", vec![(16.0, 250.0)]),
    ];
    Ok(Drawing {
        of: "Figure 6".into(),
        title: "Prefetches by the size of a group".into(),
        note: "Each word is taken from the queue and stored.".into(),
        picture: Picture::Curves(Curves {
            x: Scale::linear("words of a group", ""),
            y: TIME,
            curves,
            levels: vec![],
            is_ordered: false,
        }),
    })
}

/// 8 B to 1 MB.
fn blocks() -> Vec<u64> {
    (3..=20).map(|power| 1 << power).collect()
}

/// MB/s by bytes, without the sizes at which the machine cannot do it.
fn rates(time: impl Fn(u64) -> Result<Option<Time>, String> + Sync) -> Result<Vec<(f64, f64)>, String> {
    let rate = |bytes: &u64| Ok(time(*bytes)?.map(|ps| (*bytes as f64, *bytes as f64 / ps as f64 * 1e6)));
    let all: Vec<Option<(f64, f64)>> = parallel::map(&blocks(), rate).into_iter().collect::<Result<_, String>>()?;
    Ok(all.into_iter().flatten().collect())
}

fn bulk_reads(description: &Description) -> Result<Drawing, String> {
    let mut curves = vec![];
    for (name, how) in [
        ("uncached loads", Bulk::Uncached),
        ("cached loads", Bulk::Cached),
        ("prefetches", Bulk::Prefetch),
        ("block-transfer engine", Bulk::Engine),
    ] {
        let points = rates(|bytes| split_c::bulk_read(description, how, bytes, Time::MAX))?;
        curves.push(Curve::ours(name, points));
    }
    Ok(Drawing {
        of: "Figure 8, left".into(),
        title: "Bulk reads".into(),
        note: "The study names the fastest way for each size: uncached loads for 8 B, cached ones for 32 and 64 B, \
               prefetches up to 16 KB, then the engine."
            .into(),
        picture: Picture::Curves(Curves {
            x: Scale::log("block", "bytes"),
            y: RATE,
            curves,
            levels: vec![(140.0, "printed: the engine".into())],
            is_ordered: false,
        }),
    })
}

fn bulk_writes(description: &Description) -> Result<Drawing, String> {
    let stores = rates(|bytes| {
        let (mut s, mut t) = (SplitC::<()>::new(description, AWAY + 1)?, Thread::new(0));
        s.bulk_put(&mut t, Global::new(AWAY, 0), 1 << 23, bytes);
        s.sync(&mut t);
        Ok(Some(t.now))
    })?;
    let engine = rates(|bytes| {
        let (mut s, mut t) = (SplitC::<()>::new(description, AWAY + 1)?, Thread::new(0));
        let begun = s.begin_engine(&mut t, Global::new(AWAY, 0), true, bytes);
        s.wait_for_engine(&mut t);
        Ok(begun.then_some(t.now))
    })?;
    let curves = vec![Curve::ours("stores", stores), Curve::ours("block-transfer engine", engine)];
    Ok(Drawing {
        of: "Figure 8, right".into(),
        title: "Bulk writes".into(),
        note: String::new(),
        picture: Picture::Curves(Curves {
            x: Scale::log("block", "bytes"),
            y: RATE,
            curves,
            levels: vec![(90.0, "printed: stores".into()), (140.0, "printed: the engine".into())],
            is_ordered: false,
        }),
    })
}
