//! The project's list of what the five studies claim: 171 claims, each with a number, its kind, and a phrase of our own. It
//! says nothing of what becomes of them: [`super::verdicts`] finds that in the studies' own lists.
//!
//! Numbers begin with T for the T3D, C for copy-transfer, V for StarT-Voyager, P for the SPP-1000, X for the X1. The results of
//! a claim have its number, perhaps with an end: `T64a` and `T64b` are two results of T64.

/// A claim of the list.
pub struct Listed {
    pub id: &'static str,
    pub kind: Kind,
    /// Whether the list expects it to follow from other figures; the list says so of the T3D's claims alone.
    pub should_emerge: bool,
    pub what: &'static str,
}

/// How a study comes to a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Measured on the machine.
    Measured,
    /// Predicted by a model or a simulator of the study.
    Predicted,
    /// A shape, an order, or something that happens or does not.
    Quality,
    /// A definition, or what must hold exactly.
    Definition,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Measured => "measured",
            Predicted => "predicted",
            Quality => "quality",
            Definition => "definition",
        }
    }
}

use Kind::{Definition, Measured, Predicted, Quality};

/// The claim of the list to which a result belongs: a letter and two digits.
pub fn claim_of(result: &str) -> &str {
    result.get(..3).unwrap_or(result)
}

/// The letter with which the numbers of a study's claims begin.
pub fn letter(study: &str) -> char {
    match study {
        "copy-transfer" => 'C',
        "voyager" => 'V',
        "spp1000" => 'P',
        "x1" => 'X',
        _ => 'T',
    }
}

const fn one(id: &'static str, kind: Kind, what: &'static str) -> Listed {
    Listed { id, kind, should_emerge: false, what }
}

const fn emerges(id: &'static str, kind: Kind, what: &'static str) -> Listed {
    Listed { id, kind, should_emerge: true, what }
}

#[rustfmt::skip]
pub const LISTED: &[Listed] = &[
    one("T01", Measured, "a load that hits"),
    emerges("T02", Measured, "size of the first cache"),
    emerges("T03", Measured, "its line"),
    emerges("T04", Quality, "it is direct-mapped"),
    one("T05", Measured, "a load from memory"),
    one("T06", Measured, "what a load from another page takes more"),
    one("T07", Measured, "a load from the same bank"),
    emerges("T08", Quality, "there is no second cache"),
    emerges("T09", Quality, "translation takes no time"),
    emerges("T10", Measured, "rate of contiguous loads"),
    one("T11", Measured, "the workstation's caches and memory"),
    emerges("T12", Measured, "the workstation's page"),
    emerges("T13", Measured, "the workstation's rate"),
    one("T14", Measured, "a local store by small strides"),
    one("T15", Measured, "a local store by a line or more"),
    emerges("T16", Measured, "depth of the write buffer"),
    emerges("T17", Quality, "stores to a line merge"),
    emerges("T18", Quality, "stores get slower at a stride"),
    one("T19", Measured, "setting a segment register"),
    one("T20", Definition, "number of segment registers, the first for this processor"),
    one("T21", Definition, "parts of a physical address"),
    one("T22", Definition, "parts of a global pointer; adding to it"),
    emerges("T23", Quality, "two names of a word in the write buffer: an old value is read"),
    emerges("T24", Quality, "two names of a word in the cache do no harm"),
    one("T25", Measured, "an uncached remote load"),
    one("T26", Measured, "a cached remote load"),
    emerges("T27", Quality, "the same by strides below a line"),
    one("T28", Measured, "what a remote load from another page takes more"),
    one("T29", Measured, "a hop"),
    emerges("T30", Measured, "remote by local loads"),
    one("T31", Measured, "a remote load by the workstation's slowest local one"),
    emerges("T32", Measured, "Split-C's read"),
    one("T33", Measured, "a remote store that is waited for"),
    emerges("T34", Quality, "the status bit is clear too early"),
    emerges("T35", Measured, "Split-C's write"),
    one("T36", Measured, "dropping a line"),
    emerges("T37", Quality, "a cached remote line stays old"),
    emerges("T38", Quality, "a remote store drives out another line"),
    emerges("T39", Quality, "two bytes of a word are written: one is lost"),
    emerges("T40", Quality, "loads pass local stores"),
    emerges("T41", Measured, "one prefetch by one load"),
    emerges("T42", Quality, "four prefetches by four loads"),
    emerges("T43", Measured, "a word of sixteen prefetches"),
    one("T44", Measured, "parts of a prefetch"),
    emerges("T45", Measured, "share of a prefetch that overlaps"),
    emerges("T46", Quality, "fewer than four prefetches need a barrier"),
    emerges("T47", Measured, "a get among others"),
    one("T48", Measured, "table of the gets"),
    one("T49", Measured, "a remote store that is not waited for"),
    emerges("T50", Quality, "remote stores merge"),
    emerges("T51", Measured, "Split-C's put"),
    emerges("T52", Quality, "gets have a limit, puts have none"),
    one("T53", Measured, "rate of the block-transfer engine"),
    one("T54", Measured, "starting the engine"),
    emerges("T55", Quality, "which bulk read is fastest, by size"),
    one("T56", Measured, "rate of bulk writes by stores"),
    emerges("T57", Quality, "cached bulk reads get faster at a size"),
    emerges("T58", Predicted, "bytes from which a bulk get should use the engine"),
    emerges("T59", Predicted, "bytes from which a bulk put should"),
    one("T60", Definition, "bytes from which a bulk read does"),
    one("T61", Measured, "injecting a message"),
    one("T62", Measured, "the interrupt of a message, and its handler"),
    one("T63", Measured, "fetch-and-increment"),
    emerges("T64", Measured, "a message by a queue in memory: sending, taking"),
    emerges("T65", Quality, "messages are handled within a barrier"),
    emerges("T66", Quality, "a store is slower than a put"),
    one("T67", Measured, "EM3D without remote edges"),
    emerges("T68", Quality, "order of EM3D's six versions"),
    emerges("T69", Quality, "EM3D, Simple: values are read more than once"),
    emerges("T70", Quality, "EM3D: Put before Get before Bundle"),

    one("C01", Definition, "stages in turn: times add"),
    one("C02", Definition, "stages at once: the slowest decides"),
    one("C03", Predicted, "T3D, packing (1,1)"),
    one("C04", Predicted, "T3D, packing (1,64)"),
    one("C05", Predicted, "T3D, packing (64,1)"),
    one("C06", Predicted, "T3D, packing (w,w)"),
    one("C07", Predicted, "T3D, packing (1,1024)"),
    one("C08", Measured, "the same on the machine"),
    one("C09", Predicted, "T3D, chained, four patterns"),
    one("C10", Predicted, "Paragon, packing (1,64), (w,w)"),
    one("C11", Predicted, "Paragon, packing (1,1)"),
    one("C12", Predicted, "Paragon, packing (16,64)"),
    one("C13", Predicted, "Paragon, chained, four patterns"),
    one("C14", Predicted, "Table 5, the T3D's model"),
    one("C15", Predicted, "Table 5, the Paragon's model"),
    one("C16", Measured, "Table 5, the T3D"),
    one("C17", Measured, "Table 5, the Paragon"),
    one("C18", Measured, "Table 6: transposition, FEM, SOR"),
    one("C19", Measured, "gain of chaining"),
    one("C20", Quality, "which side should have the stride, on both machines"),
    one("C21", Measured, "Tables 1 to 3: copies, sends, receives, deposits"),
    one("C22", Quality, "strided stores or loads: which copy is faster"),
    one("C23", Measured, "Table 4: the network by congestion"),
    one("C24", Measured, "T3D: gain of read-ahead"),
    one("C25", Measured, "T3D: loads of words, and contiguous ones"),
    one("C26", Measured, "T3D: the port; many senders to one"),
    one("C27", Measured, "PVM's rates in three applications"),
    one("C28", Definition, "a limit on the whole transfer"),
    one("C29", Measured, "Paragon: two processors on one bus"),
    one("C30", Measured, "Paragon: loss without pipelined loads"),

    one("V01", Predicted, "latency of an active message"),
    one("V02", Predicted, "overhead of sending"),
    one("V03", Predicted, "overhead of receiving"),
    one("V04", Predicted, "peak rate"),
    one("V05", Predicted, "rate of messages of 88 bytes"),
    one("V06", Predicted, "span of latencies"),
    one("V07", Quality, "with threads: Tag-On before Basic everywhere"),
    one("V08", Predicted, "with threads: overhead of Basic by Tag-On"),
    one("V09", Quality, "Reclaim is better than flushing"),
    one("V10", Quality, "with threads: where Tag-On passes Express"),
    one("V11", Quality, "alone: Basic is like Tag-On"),
    one("V12", Quality, "alone: Express is best for a word"),
    one("V13", Definition, "payload of Express"),
    one("V14", Definition, "data of Tag-On"),
    one("V15", Definition, "pairs of queues, resident ones"),
    one("V16", Definition, "the Empty message"),
    one("V17", Quality, "the miss path loses and reorders nothing"),
    one("V18", Quality, "residence does not show in a program's results"),
    one("V19", Definition, "protection of destinations"),
    one("V20", Quality, "Express needs no locks"),
    one("V21", Quality, "Basic needs locks"),
    one("V22", Definition, "OnePoll"),
    one("V23", Quality, "a store for each further destination"),
    one("V24", Definition, "rates of links"),
    one("V25", Quality, "messages arrive for a process that is away"),

    one("P01", Measured, "starting a program, by processors"),
    one("P02", Measured, "starting a loop, by processors"),
    one("P03", Quality, "the latter jumps at each hypernode"),
    one("P04", Definition, "loops that are worth it"),
    one("P05", Measured, "hits"),
    one("P06", Measured, "a load that misses"),
    one("P07", Measured, "a store that misses"),
    one("P08", Measured, "local rates"),
    one("P09", Definition, "loads of every second word"),
    one("P10", Definition, "law between hits and misses"),
    one("P11", Quality, "width of that region"),
    one("P12", Quality, "size and ways of the interconnect cache"),
    one("P13", Measured, "a load that misses there"),
    one("P14", Measured, "remote rates"),
    one("P15", Quality, "strides and the number of rings"),
    one("P16", Measured, "Table 3: producer and consumer"),
    one("P17", Definition, "Table 4: latencies and rates of it"),
    one("P18", Measured, "Table 5: many readers"),
    one("P19", Measured, "invalidating near copies, and a far one"),
    one("P20", Quality, "steps of invalidation"),
    one("P21", Quality, "order of readers"),
    one("P22", Measured, "a barrier of 8"),
    one("P23", Measured, "a barrier from 9 on"),
    one("P24", Measured, "far by near"),
    one("P25", Quality, "remote stores before remote loads"),

    one("X01", Definition, "placement of an array"),
    one("X02", Definition, "block sizes by default"),
    one("X03", Measured, "arithmetic on pointers without phase"),
    one("X04", Quality, "such a pointer is the machine's own"),
    one("X05", Measured, "Livermore loops, UPC by C, each"),
    one("X06", Measured, "the same in the mean"),
    one("X07", Measured, "latency: GASNet, shmem, MPI"),
    one("X08", Quality, "bytes are slower than words"),
    one("X09", Definition, "where the library's copy is used"),
    one("X10", Quality, "a put that is waited for, by one that is not"),
    one("X11", Definition, "fences of relaxed and strict puts"),
    one("X12", Quality, "a call keeps a loop from being vectorised"),
    one("X13", Quality, "UPC's accesses by GASNet's"),
    one("X14", Quality, "arithmetic with phase by cyclic arithmetic"),
    one("X15", Quality, "CG: coarse-grained before fine-grained"),
    one("X16", Measured, "MG: an MSP by an SSP"),
    one("X17", Quality, "MG: four SSPs in one cache"),
    one("X18", Measured, "IS: share of the peak; UPC by MPI"),
    one("X19", Definition, "messages suffice for everything"),
    one("X20", Definition, "one thread alone allocates"),
    one("X21", Definition, "native operations mean the same"),
];
