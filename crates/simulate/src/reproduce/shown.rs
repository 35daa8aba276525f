//! Claims that no part of a simulated machine shows, but something that runs: whole programs on the simulated machine, or
//! a test of this repository. They are counted apart from results of parts: no figure is changed to see what they rest on.
//!
//! Crate `fathom` runs the programs ([`By::Programs`]); nothing here does. A claim about a compiler or a runtime is shown
//! by ours, which is not the study's.

use super::{passes, Claim, Expected, Results};
use Expected::{Between, Holds, Near};

/// A claim, and what shows it.
pub struct Shown {
    pub claim: Claim,
    pub by: By,
}

/// What shows a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Programs on the study's machine: their files.
    Programs(&'static str),
    /// A test: a file of this repository, and after `::` the test in it.
    Test(&'static str),
}

/// The claims of a study that are shown in this way.
pub fn shown(study: &str) -> &'static [Shown] {
    match study {
        "t3d" => T3D,
        "spp1000" => SPP1000,
        "x1" => X1,
        "now" => NOW,
        _ => &[],
    }
}

impl Shown {
    /// What was changed so that what programs give is no longer as printed, if they ran with that change.
    pub fn rests_on(&self, found: &Results) -> Option<&'static str> {
        let without = WITHOUT.iter().find(|without| without.id == self.claim.id)?;
        let is_broken = found.get(without.result).is_some_and(|ours| !passes(self.claim.expected, *ours));
        is_broken.then_some(without.changed.name())
    }

    /// Whether what the programs gave is as printed; None if they did not run, or if a test shows it.
    pub fn passes(&self, found: &Results) -> Option<bool> {
        found.get(self.claim.id).map(|ours| passes(self.claim.expected, *ours))
    }
}

/// Why programs differ from what is printed, as far as we know.
pub fn why_programs_differ(id: &str) -> Option<&'static str> {
    DIFFERS.iter().find(|(of, _)| *of == id).map(|(_, why)| *why)
}

const DIFFERS: &[(&str, &str)] = &[
    (
    "T67",
    "it rests on where the graph lies, which is not printed: the example has arrays of values, weights and indices, \
         which miss less often than structures and pointers do",
    ),
    (
        "N12",
        "a message costs each processor 2.9 us, so a program of nothing else becomes 103 / 2.9 = 36 times as slow; for 60, \
         processors have to wait for each other's overheads in turn, which our programs do little: the abstract does not \
         say which program it is",
    ),
    (
        "N25",
        "a blocking read waits while the other processor serves others, which the model leaves out; where each processor \
         is read by one other, the slope is the model's (N01)",
    ),
    (
        "N33",
        "the busiest processor receives more than it sends, and the model counts what it sends: processor 0 takes all \
         samples, and the fullest processor an eighth more keys than the mean",
    ),
    ("N35", "as N25: a read waits for the gaps between other answers of the same processor"),
];

/// What must break that which programs show.
pub struct Without {
    /// The claim.
    pub id: &'static str,
    pub changed: Changed,
    /// The name of the result with that change.
    pub result: &'static str,
}

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Changed {
    /// A figure of the machine, multiplied by this.
    Figure(&'static str, f64),
    /// The program's graph, which has one edge for each node, to any processor.
    Degree,
}

impl Changed {
    pub fn name(self) -> &'static str {
        match self {
            Changed::Figure(name, _) => name,
            Changed::Degree => "the graph's degree",
        }
    }
}

const fn changed(id: &'static str, changed: Changed, result: &'static str) -> Without {
    Without { id, changed, result }
}

/// The study says that gets hide the time of loads: they would not if taking a word took ten times as long, and then the
/// versions do not come in their order. Puts have less overhead than gets: not if taking a word cost next to nothing. Simple
/// reads values more than once since several edges lead to one value.
pub const WITHOUT: &[Without] = &[
    changed("T68a", Changed::Figure("shell.pop", 10.0), "T68a with another shell.pop"),
    changed("T68b", Changed::Figure("shell.pop", 10.0), "T68b with another shell.pop"),
    changed("T69", Changed::Degree, "T69 with degree 1"),
    changed("T70a", Changed::Figure("shell.pop", 10.0), "T70a with another shell.pop"),
    changed("T70b", Changed::Figure("shell.pop", 0.01), "T70b with another shell.pop"),
];

/// The claims about slopes: a slope by what the paper's model says of it.
const SLOPE: Expected = Between(0.8, 1.2, "of it");
const O: &str = "its model r + 2 m o";
const G: &str = "its model r + m g";
const ABSTRACT: &str = "the abstract";

const fn by(by: By, id: &'static str, what: &'static str, expected: Expected, source: &'static str) -> Shown {
    Shown { claim: Claim { id, what, expected, source }, by }
}

/// 500 nodes of degree 20 on each of 32 processors at 4 x 2 x 2 routers, with work and misses.
const EM3D: By = By::Programs("examples/em3d/em3d.sc");
/// Class S on 8 threads, without work.
const CG: By = By::Programs("examples/nas/cg_bulk.upc, cg_fine.upc");

#[rustfmt::skip]
const T3D: &[Shown] = &[
    by(By::Test("crates/machine/tests/t3d.rs::addresses_are_two_five_and_twenty_seven_bits"), "T20", "32 segment registers, the first for this processor", Holds(None), "section 3.2"),
    by(By::Test("crates/machine/tests/t3d.rs::addresses_are_two_five_and_twenty_seven_bits"), "T21", "segments of 128 MB", Holds(None), "section 3.2"),
    by(By::Test("crates/simulate/tests/split_c.rs::a_global_pointer_is_a_word_of_16_and_48_bits_to_which_integers_are_added"), "T22", "a global pointer: 16 bits of a processor, 48 of an address", Holds(None), "section 3.3"),
    by(EM3D, "T67", "EM3D without remote edges, Unroll: an edge", Near(370.0, "ns", 0.05), "section 8"),
    by(EM3D, "T68a", "EM3D at 20 % remote: Simple, Bundle, Unroll, Get, Put, Bulk", Holds(None), "section 8, Figure 9"),
    by(EM3D, "T68b", "the same at 50 %", Holds(None), "section 8, Figure 9"),
    by(EM3D, "T69", "Simple reads a value more than once: reads by values", Between(1.01, 20.0, "times"), "section 8"),
    by(EM3D, "T70a", "EM3D at 20 % remote: Get by Bundle", Between(0.0, 0.99, "times"), "section 8, Figure 9"),
    by(EM3D, "T70b", "the same: Put by Get", Between(0.0, 0.99, "times"), "section 8, Figure 9"),
];

#[rustfmt::skip]
const SPP1000: &[Shown] = &[
    by(By::Test("crates/model/tests/laws.rs::p04_break_even"), "P04", "loops that are worth it: a formula", Holds(None), "section 6"),
];

#[rustfmt::skip]
const X1: &[Shown] = &[
    by(By::Test("tests/run/6.5.1.1-block-sizes-in-all-declarators.upc"), "X01", "placement of `shared [2] int`", Holds(None), "section 3"),
    by(By::Test("tests/run/6.5.2.1-layout-of-int.upc"), "X02", "blocks of 1 by default; `[]` on one thread", Holds(None), "section 3"),
    by(By::Test("crates/fathom/tests/livermore.rs::the_loops_have_the_machine_code_of_c"), "X05", "Livermore loops: UPC's code is C's, each within 5 %", Holds(None), "section 6.2"),
    by(By::Test("crates/fathom/tests/livermore.rs::the_loops_have_the_machine_code_of_c"), "X06", "the same in the mean, within 2 %", Holds(None), "section 6.2, Table 1"),
    by(By::Test("crates/lower/tests/far.rs::direct_memory_needs_no_calls"), "X04", "no operation translates a pointer without phase", Holds(None), "section 5.1"),
    by(By::Test("crates/lower/tests/far.rs::a_relaxed_put_is_a_store_and_a_strict_one_is_not"), "X11", "relaxed puts without a fence, strict ones with one", Holds(None), "section 5.2"),
    by(By::Test("crates/fathom/tests/livermore.rs::a_loop_that_calls_a_function_for_each_element_is_not_vectorised"), "X12", "a call for each element keeps a loop from being vectorised", Holds(None), "section 4.2.1"),
    by(CG, "X15", "CG: coarse-grained by fine-grained", Between(0.0, 0.99, "times"), "section 7.1"),
    by(By::Test("crates/fathom/tests/conformance.rs::reference"), "X19", "active messages suffice for everything", Holds(None), "section 4.1"),
    by(By::Test("tests/run/lib-alloc.upc"), "X20", "one thread alone allocates shared memory", Holds(None), "section 3.1"),
    by(By::Test("crates/fathom/tests/conformance.rs::reference"), "X21", "native operations keep the meaning of those over messages", Holds(None), "section 4.1"),
];

/// Six programs in Split-C, with work, on 16 processors or 32: crates/fathom/src/reproduce/now.rs has their sizes.
const SUITE: By = By::Programs("examples/sorts, em3d, connect");

#[rustfmt::skip]
const NOW: &[Shown] = &[
    by(SUITE, "N11", "100 us more overhead, 16 processors: the most that a program slows down", Near(30.0, "times", 0.2), "abstract of a talk on it (Culler)"),
    by(SUITE, "N12", "overhead from 3 to 103 us, 32 processors: the same", Near(60.0, "times", 0.2), ABSTRACT),
    by(SUITE, "N13", "overhead: of most programs, half of it costs half, within 5 %", Holds(None), ABSTRACT),
    by(SUITE, "N14", "gap: the same", Holds(None), ABSTRACT),
    by(SUITE, "N15", "latency costs most programs less than half of what overhead does", Holds(None), ABSTRACT),
    by(SUITE, "N16", "a tenth of the bandwidth costs most programs less than a fifth", Holds(None), ABSTRACT),
    by(SUITE, "N21", "Radix: slope by overhead, by the model's", SLOPE, O),
    by(SUITE, "N22", "Radb: the same", SLOPE, O),
    by(SUITE, "N23", "Sample: the same", SLOPE, O),
    by(SUITE, "N24", "EM3D(write): the same", SLOPE, O),
    by(SUITE, "N25", "EM3D(read): the same", SLOPE, O),
    by(SUITE, "N26", "Connect: the same", SLOPE, O),
    by(SUITE, "N31", "Radix: slope by gap, by the model's", SLOPE, G),
    by(SUITE, "N32", "Radb: the same", SLOPE, G),
    by(SUITE, "N33", "Sample: the same", SLOPE, G),
    by(SUITE, "N34", "EM3D(write): the same", SLOPE, G),
    by(SUITE, "N35", "EM3D(read): the same", SLOPE, G),
    by(SUITE, "N36", "Connect: the same", SLOPE, G),
];
