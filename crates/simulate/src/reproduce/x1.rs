//! The study of global address space languages on the Cray X1, on the simulated machine. It prints ratios and orders; no
//! absolute figure of it is given here. What it says of a compiler and a runtime, and not of the machine, [`super::shown`]
//! shows by ours.

use super::remembered::{figures, Remembered};
use super::{claim, Claim, Expected, Results, Study};
use crate::x1::layers::{away, Layer};
use crate::x1::loops::{multigrid, of_ecache, sharers, sweeps};
use crate::x1::pointers::Pointer;
use crate::x1::X1;
use fathom_machine::{Description, Time};
use Expected::{Between, Holds, Near};

pub const STUDY: Study = Study {
    id: "x1",
    machine: "x1",
    name: "Global address space languages on the Cray X1",
    claims: CLAIMS,
    measure,
    predictions: None,
    differs: &[
        (
            "X09.2",
            "the size follows from what a call and the start of a vector instruction take, against scalar references: none \
             of these is printed",
        ),
        (
            "X16",
            "here the vector units' references limit one SSP and four alike; with half of the rate between memory and \
             E-cache the ratio is 3.2, and what else the four share is not printed",
        ),
    ],
    added: &[],
    readings: &[&["X09", "X09.2"]],
    left_out: &[
        (
            &["X05"],
            "kernel 8, a tenth faster as UPC: Cray's compiler finds common parts of three addresses in what the translator writes; here \
             private C reaches the compiler token for token",
        ),
        (
            &["X18"],
            "IS at 1 % of the peak rests on how many scalar misses are under way at once, which is not printed; UPC \
             beside MPI needs both programs",
        ),
    ],
};

#[rustfmt::skip]
const CLAIMS: &[Claim] = &[
    claim("X03a", "a cyclic pointer's overhead by one with phase", Between(0.4, 0.6, "of it"), "section 5"),
    claim("X03b", "an indefinite pointer's arithmetic by a private one's", Between(0.9, 1.3, "times"), "section 5"),
    claim("X03c", "a pointer without phase needs no translation", Holds(Some("code.global_pointers")), "section 5.1"),
    claim("X07a", "a small get by shmem, more than by GASNet", Near(2000.0, "ns", 0.1), "section 4.2.2"),
    claim("X07b", "a small message by MPI, by shmem's put", Between(1.2, 100.0, "times"), "section 4.2.2"),
    claim("X08", "a put of a byte is slower than one of a word", Holds(Some("processor.words_only")), "section 4.2.2"),
    claim("X09", "GASNet calls the system's copy from, by times alone", Near(80.0, "bytes", 0.0), "section 4.2.2"),
    claim("X09.2", "the copy is the faster one here from", Near(80.0, "bytes", 0.1), "section 4.2.2"),
    claim("X10", "a put that is waited for, by one that is not", Between(2.0, 1000.0, "times"), "section 5.3"),
    claim("X13", "UPC's accesses by GASNet's", Between(1.0, 1.1, "times"), "section 5.3"),
    claim("X14", "arithmetic with phase by cyclic arithmetic", Between(0.9, 1.3, "times"), "section 5.3"),
    claim("X16", "MG: an MSP by an SSP", Between(2.5, 3.5, "times"), "section 8"),
    claim("X17a", "MG: efficiency with 8 threads by that with 4", Between(0.0, 0.8, "of it"), "section 8"),
    claim("X17b", "the same in an E-cache of four ways", Between(0.95, 1.05, "of it"), "section 8"),
    claim("X17c", "the same with staggered allocation", Between(0.95, 1.05, "of it"), "section 8"),
];

fn measure(description: &Description) -> Result<Results, String> {
    let mut found = Results::new();
    layers(description, &mut found)?;
    pointers(description, &mut found)?;
    found.extend(LOOPS.of(figures(description, &is_apart), || vector_loops(description))?);
    Ok(found)
}

/// The vector loops take most of the time, and many figures are none of theirs.
static LOOPS: Remembered<Results> = Remembered::new();

/// Whether a figure has no part in vector loops in a node's own memory.
fn is_apart(name: &str) -> bool {
    ["code.", "network.", "global."].iter().any(|apart| name.starts_with(apart)) && name != "code.streams"
}

fn vector_loops(description: &Description) -> Result<Results, String> {
    let mut found = Results::new();
    found.insert("X16", multigrid(description, 1)? as f64 / multigrid(description, 4)? as f64);
    shared_cache(description, &mut found)?;
    Ok(found)
}

/// How often an operation is repeated.
const TIMES: u64 = 64;

/// Mean ns of an operation on words of another node.
fn mean(description: &Description, operation: &dyn Fn(&mut X1, Time, u64) -> Time) -> Result<f64, String> {
    let mut x1 = X1::new(description)?;
    let end = (0..TIMES).fold(0, |now, i| operation(&mut x1, now, away(64 * i)));
    Ok(end as f64 / 1000.0 / TIMES as f64)
}

fn layers(description: &Description, found: &mut Results) -> Result<(), String> {
    let get = |layer| mean(description, &move |x1, now, at| x1.get(now, layer, at));
    let put = |layer| mean(description, &move |x1, now, at| x1.put(now, layer, at));
    let latency = |layer| mean(description, &move |x1, now, at| x1.put_latency(now, layer, at));
    found.insert("X07a", get(Layer::Shmem)? - get(Layer::GasNet)?);
    let message = mean(description, &|x1, now, at| x1.message(now, at))?;
    found.insert("X07b", message / latency(Layer::Shmem)?);
    let byte = mean(description, &|x1, now, at| x1.put_byte(now, at))?;
    let word = put(Layer::GasNet)?;
    found.insert("X08", f64::from(u8::from(byte > 1.05 * word)));
    let bytes = |from: Option<u64>| from.map_or(f64::NAN, |bytes| bytes as f64);
    found.insert("X09", bytes(X1::new(description)?.block_is_copied_from(4096)));
    found.insert("X09.2", bytes(X1::new(description)?.copy_is_faster_from(4096)));
    let blocking = mean(description, &|x1, now, at| x1.blocking_put(now, Layer::Upc, at))?;
    found.insert("X10", blocking / put(Layer::Upc)?);
    // The greatest of the three kinds of access.
    let gasnet_blocking = mean(description, &|x1, now, at| x1.blocking_put(now, Layer::GasNet, at))?;
    let ratios = [
        get(Layer::Upc)? / get(Layer::GasNet)?,
        latency(Layer::Upc)? / latency(Layer::GasNet)?,
        blocking / gasnet_blocking,
    ];
    found.insert("X13", ratios.into_iter().fold(0.0, f64::max));
    Ok(())
}

fn pointers(description: &Description, found: &mut Results) -> Result<(), String> {
    let x1 = X1::new(description)?;
    let time = |pointer| x1.add(pointer) as f64;
    let private = time(Pointer::Private);
    let overhead = |pointer| time(pointer) - private;
    // The earlier measurements to which the study refers: a block size that is no power of two, or not known.
    found.insert("X03a", overhead(Pointer::Cyclic) / overhead(Pointer::Generic { is_power: false }));
    found.insert("X03b", time(Pointer::Indefinite) / private);
    found.insert("X03c", f64::from(u8::from(x1.count(Pointer::Indefinite) == x1.count(Pointer::Private))));
    found.insert("X14", time(x1.generic()) / time(Pointer::Cyclic));
    Ok(())
}

/// Threads evenly over two nodes, so that two SSPs share an E-cache and then four.
fn shared_cache(description: &Description, found: &mut Results) -> Result<(), String> {
    let ratio = |description: &Description, stagger: u64| -> Result<f64, String> {
        let alone = sweeps(description, 1, stagger)? as f64;
        let efficiency = |threads| Ok::<f64, String>(alone / sweeps(description, sharers(threads), stagger)? as f64);
        Ok(efficiency(8)? / efficiency(4)?)
    };
    found.insert("X17a", ratio(description, 0)?);
    found.insert("X17b", ratio(&description.with_factor("ecache.ways", 2.0)?, 0)?);
    found.insert("X17c", ratio(description, of_ecache(description)? / 8)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::described;

    #[test]
    fn vector_loops_depend_on_nothing_that_stands_apart() {
        let description = described("x1");
        let (mut changed, mut count) = (description.clone(), 0);
        for (name, _) in description.figures().filter(|(name, _)| is_apart(name)) {
            // Not all can be doubled: the shape of a network cannot.
            if let Ok(more) = changed.with_factor(&name, 2.0) {
                (changed, count) = (more, count + 1);
            }
        }
        assert!(count > 10, "{count} figures stand apart");
        assert_eq!(vector_loops(&changed).unwrap(), vector_loops(&description).unwrap());
        let slower = description.with_factor("code.streams", 2.0).unwrap();
        assert!(vector_loops(&slower).unwrap()["X16"] < vector_loops(&description).unwrap()["X16"]);
    }
}
