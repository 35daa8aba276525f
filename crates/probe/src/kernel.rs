//! The kernels: what a machine is asked to perform, and the facts that it says beside its samples.
//!
//! A [`Runner`](crate::Runner) is complete if it performs these as they are described here. On this computer they are
//! C functions (`runtime/probe`, whose files say the arguments in full); a simulated machine implements the same
//! list. A sample is the mean time of one operation in nanoseconds, without what the loop around it costs.

use std::fmt;

macro_rules! kernels {
    ($($(#[$meta:meta])* $name:ident = $word:literal,)*) => {
        /// What is performed; arguments are named as in requests, sizes are in bytes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kernel {
            $($(#[$meta])* $name,)*
        }

        impl Kernel {
            pub const ALL: &[Kernel] = &[$(Kernel::$name,)*];

            /// As a request has it.
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
    /// Additions each of which needs the one before: a sample is a cycle of the processor. `sample_us`: how long each
    /// sample is.
    Frequency = "frequency",

    /// Loads each of which names the next one's place: places at 0, `stride`, … below `bytes`, in an `order`
    /// (`random`, `up`, `down`, `local`, `pages`, `runs`) within pieces of `within`, on `pages=normal|huge`, from
    /// `skip` bytes on.
    Chase = "chase",
    /// Independent loads or stores (`op`) by `stride` over `bytes`. Fact: `Accesses`.
    Strides = "strides",
    /// Stores behind a load that misses; `lines`: to one line or to many.
    Stores = "stores",
    /// Single loads, each timed by itself; no samples but one, and the facts of a distribution.
    Moments = "moments",
    /// Smallest groups of lines, `stride` apart, that do not fit into a cache together: a sample is a group's number
    /// of lines less one. Facts: `Fresh`, `Congruent`, `InnerFresh`, `InnerCongruent`.
    Conflicts = "conflicts",
    /// A few lines of one set, visited in given orders.
    Visits = "visits",
    /// Lines that are filled word by word, so many in turn.
    Turns = "turns",
    /// Pairs of lines, flushed and loaded in turn: whether they lie in one row of a memory bank.
    Rows = "rows",
    /// What the system says of memory. Facts: `FreeBytes`, `PageBytes`, `HugePageBytes`.
    MemorySystem = "memory_system",

    /// A pass over arrays of `bytes` together by one thread: `op=load|store|copy|scale|add|triad|…`. Facts: `Bytes`,
    /// `MovedBytes`, `WidthBytes`.
    Stream = "stream",
    /// The same by all threads at once, each with arrays of its own.
    StreamAll = "stream-all",
    /// A chase while the other threads stream. Fact: `LoadMbS`.
    Loaded = "loaded",
    /// Passes of loads or stores over arrays around the size of a cache. Fact: `Accesses`.
    Sweep = "sweep",
    /// Fact: `AvailableBytes`, what may be taken without pushing others out of memory.
    Room = "room",

    /// The basic transfer xCy of a block of `bytes` on thread 0: `from`, `to` are patterns. Fact: `Bytes` of payload.
    Copy = "copy",
    /// xS0: thread 0 fills the port that thread 1 has just read.
    Send = "send",
    /// 0Ry: thread 1 empties the port that thread 0 has just filled.
    Receive = "receive",
    /// Nd: reading what the other thread has just written.
    Cross = "cross",
    /// 0Dy: storing straight into memory that the other thread has just read.
    Deposit = "deposit",
    /// A whole put between threads that share no memory.
    Far = "far",
    /// A whole transfer, which basic transfers are to predict: `how=direct|packing|messages|alone`.
    Whole = "whole",

    /// A put of `bytes` to thread `with`: `way=blocking|value|explicit|implicit`, `group` under way at once, places
    /// `stride` apart.
    Put = "put",
    /// A get, with the same arguments.
    Get = "get",
    /// A block put by `way=whole|pieces|long|medium`, complete before the next begins.
    BlockPut = "block_put",
    /// A block fetched, with the same arguments.
    BlockGet = "block_get",
    /// Elements put `stride` apart: `way=strided|elements|packed`.
    Scatter = "scatter",
    /// A request and its reply of the same `kind=short|medium|long` and `bytes`.
    RoundTrip = "round_trip",
    /// Requests without replies, as fast as they go.
    Flood = "flood",
    /// Messages that arrive at thread 0 while so many `senders` send.
    Funnel = "funnel",
    /// Issuing a message of a `burst`, when the burst before has been taken.
    SendOverhead = "send_overhead",
    /// The poll that takes a reply, `delay_ns` after its request. Fact: `Late`, the share of replies that were not
    /// there.
    ReceiveOverhead = "receive_overhead",
    /// Fetch-and-add of a word on thread `with`, while so many `others` add to it, too.
    FetchAdd = "fetch_add",
    /// Where thread `with` is. Facts: `Near`, `MaxMedium`, `Cores`, `Core`, `Packages`.
    Place = "place",

    /// A pass over an array that another thread has just passed over: `what=war|raw|waw|chain`, by `stride`.
    Pass = "pass",
    /// Writing what so many others have read, or reading as the n-th.
    Sharers = "sharers",
    /// A word that two threads write in turn, there and back; `lines=2`: a line for each direction.
    PingPong = "ping_pong",
    /// Adding to a counter `distance_bytes` from the one that another thread adds to.
    FalseSharing = "false_sharing",

    /// A barrier at which all arrive together: `kind=world|split|team|messages|dissemination|central|posix`. Fact:
    /// `Processors`.
    Barrier = "barrier",
    /// From one thread's write to another's having seen it: `wait=gas` or looking.
    Flag = "flag",
    /// Taking and releasing a lock that nobody else wants: `kind=gas|upc|posix|spin`, of thread `owner`.
    LockAlone = "lock_alone",
    /// From one entry to the next of a lock that all want, held for `hold_ns`. Facts: `Jain`, `LeastShare`, `HoldNs`.
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
    /// From the write of a futex to the sleeper's running again, `idle_us` asleep. Fact: `CallNs`.
    Wake = "wake",
    /// A parallel loop of `iterations` of `work_ns` each. Fact: `Processors`.
    Forall = "forall",
    /// The same loop by one thread.
    Serial = "serial",
    /// The same by OpenMP.
    Openmp = "openmp",

    /// A movement of data by the mechanism that is named: `decision`, `take`, `element`, `stride`, `bytes`,
    /// `direction`. Fact: `Bytes`.
    Mechanism = "mechanism",
    /// A collective of `members` threads by the way that is named.
    Collective = "collective",
    /// A transfer between threads that are not near, by the way that is named. Fact: `ThisComputer`.
    FarTransfer = "far_transfer",
    /// A turn of the runtime's waiting before it first yields. Facts: `Crowded`, `Spins`.
    Look = "look",
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.word())
    }
}

macro_rules! facts {
    ($($(#[$meta:meta])* $name:ident = $word:literal,)*) => {
        /// What a machine says beside its samples.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Fact {
            $($(#[$meta])* $name,)*
            /// The first processor of the core of this number.
            Core(u32),
            /// Other lines that were tried with groups of so many ways, and
            Fresh(u32),
            /// those of them that took the place of a member.
            Congruent(u32),
        }

        /// The facts that have one name each.
        const NAMED: &[(&str, Fact)] = &[$(($word, Fact::$name),)*];
    };
}

facts! {
    /// Accesses of an operation.
    Accesses = "accesses",
    /// What each of a pair takes alone, of `rows`.
    AloneNs = "alone_ns",
    /// Bytes that programs may still take.
    AvailableBytes = "available_bytes",
    /// Bytes of payload of an operation.
    Bytes = "bytes",
    /// The time of a waker's call.
    CallNs = "call_ns",
    /// What reading the clock costs, and has been subtracted.
    ClockNs = "clock_ns",
    /// Cores that can be chosen from.
    Cores = "cores",
    /// 1: there are more threads than processors.
    Crowded = "crowded",
    FreeBytes = "free_bytes",
    /// How long a lock was held.
    HoldNs = "hold_ns",
    HugePageBytes = "huge_page_bytes",
    /// As `Congruent`, of the cache before.
    InnerCongruent = "inner_congruent",
    /// As `Fresh`, of the cache before.
    InnerFresh = "inner_fresh",
    /// Jain's index of how often each thread entered.
    Jain = "jain",
    /// The share of replies that were not there when they were looked for.
    Late = "late",
    /// Entries of the thread that entered least often, over a fair share.
    LeastShare = "least_share",
    /// What the other threads loaded meanwhile.
    LoadMbS = "load_mb_s",
    /// The longest medium message.
    MaxMedium = "max_medium",
    /// Bytes that cross to memory, with lines that are read because they are to be written.
    MovedBytes = "moved_bytes",
    /// 1: the other thread's memory is within reach of loads and stores.
    Near = "near",
    /// Operations of a sample.
    Operations = "operations",
    /// What has been subtracted from each operation.
    OverheadNs = "overhead_ns",
    /// Sockets of the processors that can be used.
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
    /// How often the thread lost its processor.
    Switches = "switches",
    /// 1: the other thread is on this computer.
    ThisComputer = "this_computer",
    TickNs = "tick_ns",
    /// Loads that were timed.
    Timed = "timed",
    /// The width of the vectors that were taken.
    WidthBytes = "width_bytes",
    /// So many of a hundred (of a thousand) loads take no longer.
    P01 = "p01_ns",
    P10 = "p10_ns",
    P50 = "p50_ns",
    P90 = "p90_ns",
    P99 = "p99_ns",
    P999 = "p999_ns",
    /// The longest.
    Worst = "worst_ns",
}

impl Fact {
    /// The fact of this name in an answer; None if there is none.
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

    /// The prober's sources, one after the other.
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
        // The quantiles of `moments` are a list.
        let list = source.split("asked[] = {").nth(1).and_then(|rest| rest.split(';').next()).unwrap();
        let said: BTreeSet<&str> = said.chain(list.split('"').skip(1).step_by(2)).collect();
        let named: BTreeSet<&str> = NAMED.iter().map(|(word, _)| *word).collect();
        assert_eq!(said, named);
        assert_eq!(Fact::named("fresh_16"), Some(Fact::Fresh(16)));
        assert_eq!([Fact::named("core"), Fact::named("x")], [None, None]);
    }
}
