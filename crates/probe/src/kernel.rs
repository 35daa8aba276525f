//! The kernels: the operations that a machine performs, and the facts that it reports with its samples.
//!
//! A [`Runner`](crate::Runner) is complete if it performs these kernels as described here. On this computer they are C
//! functions (`runtime/probe`, whose files describe the arguments in full); a simulated machine implements the same
//! list. A sample is the mean time of one operation in nanoseconds, without the cost of the loop around it.

use std::fmt;

macro_rules! kernels {
    ($($(#[$meta:meta])* $name:ident = $word:literal,)*) => {
        /// The operation to perform; arguments are named as in requests, sizes are in bytes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kernel {
            $($(#[$meta])* $name,)*
        }

        impl Kernel {
            pub const ALL: &[Kernel] = &[$(Kernel::$name,)*];

            /// Its word in a request.
            pub fn word(self) -> &'static str {
                match self {
                    $(Kernel::$name => $word,)*
                }
            }
        }
    };
}

kernels! {
    /// Reads the clock. Fact: `Resolution`.
    Clock = "clock",
    /// Dependent additions, each of which needs the one before: a sample is a cycle of the processor. `sample_us`: the
    /// length of each sample.
    Frequency = "frequency",

    /// Dependent loads, each of which reads the address of the next: places at 0, `stride`, … below `bytes`, in an
    /// `order` (`random`, `up`, `down`, `local`, `pages`, `runs`) within pieces of `within`, on `pages=normal|huge`,
    /// from byte `skip` on.
    Chase = "chase",
    /// Independent loads or stores (`op`) by `stride` over `bytes`. Fact: `Accesses`.
    Strides = "strides",
    /// Stores behind a load that misses; `lines`: to one line or to many.
    Stores = "stores",
    /// Single loads, each timed by itself; one sample only, and the facts of a distribution.
    Moments = "moments",
    /// Smallest groups of lines, `stride` apart, that do not fit into a cache together: a sample is a group's number of
    /// lines minus one. Facts: `Fresh`, `Congruent`, `InnerFresh`, `InnerCongruent`.
    Conflicts = "conflicts",
    /// A few lines of one set, visited in given orders.
    Visits = "visits",
    /// Stores that fill lines word by word, several lines in turn.
    Turns = "turns",
    /// Pairs of lines, flushed and loaded in turn: shows whether they lie in one row of a memory bank.
    Rows = "rows",
    /// The system's figures of memory. Facts: `FreeBytes`, `PageBytes`, `HugePageBytes`.
    MemorySystem = "memory_system",

    /// One thread passes over arrays of `bytes` in total: `op=load|store|copy|scale|add|triad|…`. Facts: `Bytes`,
    /// `MovedBytes`, `WidthBytes`.
    Stream = "stream",
    /// The same by all threads at once, each on its own arrays.
    StreamAll = "stream-all",
    /// A chase while the other threads stream. Fact: `LoadMbS`.
    Loaded = "loaded",
    /// Passes of loads or stores over arrays of about the size of a cache. Fact: `Accesses`.
    Sweep = "sweep",
    /// Fact: `AvailableBytes`, the memory that may be allocated without displacing other processes.
    Room = "room",

    /// The basic transfer xCy of a block of `bytes` on thread 0: `from` and `to` are patterns. Fact: `Bytes` of
    /// payload.
    Copy = "copy",
    /// xS0: thread 0 fills the port that thread 1 has just read.
    Send = "send",
    /// 0Ry: thread 1 empties the port that thread 0 has just filled.
    Receive = "receive",
    /// Nd: reading the other thread's latest writes.
    Cross = "cross",
    /// 0Dy: storing directly into memory that the other thread has just read.
    Deposit = "deposit",
    /// A whole put between threads that share no memory.
    Far = "far",
    /// A whole transfer, which basic transfers must predict: `how=direct|packing|messages|alone`.
    Whole = "whole",

    /// A put of `bytes` to thread `with`: `way=blocking|value|explicit|implicit|relaxed`, `group` under way at
    /// once, places `stride` apart.
    Put = "put",
    /// A get, with the same arguments. No get is `relaxed`.
    Get = "get",
    /// A block put by `way=whole|pieces|long|medium`, complete before the next begins.
    BlockPut = "block_put",
    /// A get of a block, with the same arguments.
    BlockGet = "block_get",
    /// Puts of elements `stride` apart: `way=strided|elements|packed`.
    Scatter = "scatter",
    /// A request and its reply of the same `kind=short|medium|long` and `bytes`. With `pause_ns`, as for all that is sampled alone, a
    /// sample is one operation, with that pause before it.
    RoundTrip = "round_trip",
    /// Requests without replies, issued as fast as possible.
    Flood = "flood",
    /// Messages that arrive at thread 0 from the given number of `senders`.
    Funnel = "funnel",
    /// Issuing a message of a `burst` after the previous burst has been received.
    SendOverhead = "send_overhead",
    /// The poll that receives a reply, `delay_ns` after its request. Fact: `Late`, the share of replies that had not
    /// arrived.
    ReceiveOverhead = "receive_overhead",
    /// Fetch-and-add of a word on thread `with`, while the given number of `others` also add to it.
    FetchAdd = "fetch_add",
    /// The location of thread `with`. Facts: `Near`, `MaxMedium`, `Cores`, `Core`, `Packages`.
    Place = "place",

    /// A pass over an array that another thread has just accessed: `what=war|raw|waw|chain`, by `stride`.
    Pass = "pass",
    /// Writing a line that the given number of others have read, or reading it as the n-th.
    Sharers = "sharers",
    /// A word that two threads write alternately; `lines=2`: one line for each direction.
    PingPong = "ping_pong",
    /// Adding to a counter that lies `distance_bytes` from another thread's counter.
    FalseSharing = "false_sharing",

    /// A barrier at which all arrive together: `kind=world|split|team|messages|dissemination|central|posix`. Fact:
    /// `Processors`.
    Barrier = "barrier",
    /// The time from one thread's write until another has seen it: `wait=gas` or looking.
    Flag = "flag",
    /// Taking and releasing a lock without contention: `kind=gas|upc|posix|spin`, of thread `owner`.
    LockAlone = "lock_alone",
    /// The time from one entry to the next of a lock that all threads want, held for `hold_ns`. Facts: `Jain`,
    /// `LeastShare`, `HoldNs`.
    Lock = "lock",

    /// Starting and awaiting `count` processes: `how=fork|exec|vfork|spawn`.
    Process = "process",
    /// Starting and awaiting a job of `count` threads that do nothing.
    Job = "job",
    /// Starting and joining `count` POSIX threads.
    Thread = "thread",
    /// A switch between two processes.
    Switch = "switch",
    /// A yield of the processor, alone or beside another process.
    Yield = "yield",
    /// The time from the write of a futex until the sleeper runs again, after `idle_us` asleep. Fact: `CallNs`.
    Wake = "wake",
    /// A parallel loop of `iterations` of `work_ns` each. Fact: `Processors`.
    Forall = "forall",
    /// The same loop by one thread.
    Serial = "serial",
    /// The same by OpenMP.
    Openmp = "openmp",

    /// A message of `bytes` between threads 0 and 1 by message queues: `measure=send|receive|latency|gap`,
    /// `mechanism=express|tag_on|in_place|basic|copy|bulk`, `threads=many|one` may use a queue, `flush=1`: software
    /// keeps the caches coherent. Fact: `Bytes` that an Express message carries.
    Queue = "queue",

    /// A movement of data by the given mechanism: `decision`, `take`, `element`, `stride`, `bytes`, `direction`. Fact:
    /// `Bytes`.
    Mechanism = "mechanism",
    /// A collective of `members` threads by the given mechanism.
    Collective = "collective",
    /// A transfer between threads that are not near, by the given mechanism. Fact: `ThisComputer`.
    FarTransfer = "far_transfer",
    /// One turn of the runtime's wait loop before it first yields. Facts: `Crowded`, `Spins`.
    Look = "look",
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.word())
    }
}

macro_rules! facts {
    ($($(#[$meta:meta])* $name:ident = $word:literal,)*) => {
        /// A figure that a machine reports with its samples.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Fact {
            $($(#[$meta])* $name,)*
            /// The first processor of the core of this number.
            Core(u32),
            /// Other lines that were tried with groups of this many ways, and
            Fresh(u32),
            /// those among them that could replace a member.
            Congruent(u32),
        }

        /// The facts without a number in their name.
        const NAMED: &[(&str, Fact)] = &[$(($word, Fact::$name),)*];
    };
}

facts! {
    /// Accesses of an operation.
    Accesses = "accesses",
    /// The time of each line of a pair alone, in `rows`.
    AloneNs = "alone_ns",
    /// Bytes that programs may still allocate.
    AvailableBytes = "available_bytes",
    /// Bytes of payload of an operation.
    Bytes = "bytes",
    /// The time of the waker's call.
    CallNs = "call_ns",
    /// The cost of reading the clock, which has been subtracted.
    ClockNs = "clock_ns",
    /// The number of cores to choose from.
    Cores = "cores",
    /// 1: there are more threads than processors.
    Crowded = "crowded",
    FreeBytes = "free_bytes",
    /// The time a lock was held.
    HoldNs = "hold_ns",
    HugePageBytes = "huge_page_bytes",
    /// As `Congruent`, for the cache before.
    InnerCongruent = "inner_congruent",
    /// As `Fresh`, for the cache before.
    InnerFresh = "inner_fresh",
    /// Jain's fairness index of the threads' numbers of entries.
    Jain = "jain",
    /// The share of replies that had not arrived at the poll.
    Late = "late",
    /// Entries of the thread that entered least often, divided by a fair share.
    LeastShare = "least_share",
    /// The rate of the other threads' loads at that time.
    LoadMbS = "load_mb_s",
    /// The size of the longest medium message.
    MaxMedium = "max_medium",
    /// Bytes moved to and from memory, including lines that are read because they are to be written.
    MovedBytes = "moved_bytes",
    /// 1: loads and stores reach the other thread's memory.
    Near = "near",
    /// Operations of a sample.
    Operations = "operations",
    /// The time subtracted from each operation.
    OverheadNs = "overhead_ns",
    /// The number of sockets of the usable processors.
    Packages = "packages",
    PageBytes = "page_bytes",
    Pairs = "pairs",
    Passes = "passes",
    PieceBytes = "piece_bytes",
    Places = "places",
    /// Logical processors of the machine.
    Processors = "processors",
    /// The least step of the clock.
    Resolution = "resolution_ns",
    Spins = "spins",
    /// The number of times the thread lost its processor.
    Switches = "switches",
    /// 1: the other thread is on this computer.
    ThisComputer = "this_computer",
    TickNs = "tick_ns",
    /// The number of timed loads.
    Timed = "timed",
    /// The width of the vectors in use.
    WidthBytes = "width_bytes",
    /// The time that this many of a hundred (or of a thousand) loads do not exceed.
    P01 = "p01_ns",
    P10 = "p10_ns",
    P50 = "p50_ns",
    P90 = "p90_ns",
    P99 = "p99_ns",
    P999 = "p999_ns",
    /// The longest load.
    Worst = "worst_ns",
}

impl Fact {
    /// The fact with this name in an answer; None if there is none.
    pub fn named(name: &str) -> Option<Fact> {
        let numbered = |stem: &str| name.strip_prefix(stem).and_then(|n| n.parse().ok());
        let one = NAMED.iter().find(|(word, _)| *word == name).map(|(_, fact)| *fact);
        one.or_else(|| numbered("core").map(Fact::Core))
            .or_else(|| numbered("fresh_").map(Fact::Fresh))
            .or_else(|| numbered("congruent_").map(Fact::Congruent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The prober's sources, concatenated.
    fn prober() -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtime/probe");
        let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
        files.filter(|p| p.extension().is_some_and(|e| e == "c")).map(|p| std::fs::read_to_string(p).unwrap()).collect()
    }

    #[test]
    fn the_prober_has_these_kernels_and_no_others() {
        let source = prober();
        let lists = source.split("const struct kernel kernels_").skip(1).filter_map(|rest| rest.split("};").next());
        let there: BTreeSet<&str> = lists.flat_map(|list| list.split('"').skip(1).step_by(2)).collect();
        let named: BTreeSet<&str> = Kernel::ALL.iter().map(|k| k.word()).collect();
        assert_eq!(there, named);
    }

    #[test]
    fn the_prober_says_these_facts_and_no_others() {
        let source = prober();
        let said = source.split("reply_fact(reply, \"").skip(1).filter_map(|rest| rest.split('"').next());
        // The quantiles of `moments` stand in a list.
        let list = source.split("asked[] = {").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
        let said: BTreeSet<&str> = said.chain(list.split('"').skip(1).step_by(2)).collect();
        let named: BTreeSet<&str> = NAMED.iter().map(|(word, _)| *word).collect();
        assert_eq!(said, named);
        assert_eq!(Fact::named("fresh_16"), Some(Fact::Fresh(16)));
        assert_eq!([Fact::named("core"), Fact::named("x")], [None, None]);
    }
}
