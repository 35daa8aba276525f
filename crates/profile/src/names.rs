//! The names of areas, and of the values and curves that are read outside of the module that infers them.
//!
//! A value's name is `area.what.unit`. Names that a model, a report or another area reads stand here; a name that only
//! its own area uses stands there.

/// The areas, in the order in which they are measured and shown.
pub const AREAS: [&str; 9] =
    [MEMORY, SURFACE, TRANSFERS, COMMUNICATION, SHARING, SYNCHRONISATION, SCHEDULING, QUEUES, MECHANISMS];

pub const MEMORY: &str = "memory";
pub const SURFACE: &str = "surface";
pub const TRANSFERS: &str = "transfers";
pub const COMMUNICATION: &str = "communication";
pub const SHARING: &str = "sharing";
pub const SYNCHRONISATION: &str = "synchronisation";
pub const SCHEDULING: &str = "scheduling";
pub const QUEUES: &str = "queues";
pub const MECHANISMS: &str = "mechanisms";

/// The area with which a name, or a missing measurement, begins.
pub fn area_of(name: &str) -> Option<&'static str> {
    let first = name.split(['.', ':', ',', ' ']).next().unwrap_or(name);
    AREAS.into_iter().find(|a| *a == first)
}

/// The name without its area.
pub fn within_area(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, rest)| rest)
}

// ---- memory ---------------------------------------------------------------------------------------------------------

pub const PAGE_BYTES: &str = "memory.page.bytes";
pub const LINE_BYTES: &str = "memory.line.bytes";
pub const RANDOM_NS: &str = "memory.random.ns";
pub const DRAM_NS: &str = "memory.dram.ns";
pub const ANOTHER_PAGE_NS: &str = "memory.another_page.ns";
pub const IDLE_LATENCY_NS: &str = "memory.latency.idle.ns";
pub const LOADED_LATENCY_NS: &str = "memory.latency.loaded.ns";

/// A cache's own part of a name: `l1d`, `l2`, … The first level is 0; it is of data only on every machine that has two
/// first-level caches.
pub fn cache(level: usize) -> String {
    if level == 0 {
        "l1d".into()
    } else {
        format!("l{}", level + 1)
    }
}

/// What is built, as the system or the geometry has it: `memory.l1d.bytes`, `memory.l2.ways`. `what` is bytes or ways.
pub fn built(level: usize, what: &str) -> String {
    format!("{MEMORY}.{}.{what}", cache(level))
}

/// What this program can use of it, beside its neighbours: `memory.l1d.usable.bytes`, `memory.l2.usable.ways`.
pub fn usable(level: usize, what: &str) -> String {
    format!("{MEMORY}.{}.usable.{what}", cache(level))
}

/// The name of what can be used of what is built, for a name of [`built`]; None for other names.
pub fn usable_of(built: &str) -> Option<String> {
    let (start, what) = built.rsplit_once('.')?;
    let level = start.strip_prefix("memory.l")?;
    let is_level = !level.contains('.') && level.starts_with(|c: char| c.is_ascii_digit());
    (is_level && matches!(what, "bytes" | "ways")).then(|| format!("{start}.usable.{what}"))
}

/// The name of a system's claim about a cache: `memory.l2.bytes`.
pub fn claim_of_cache(level: u32, what: &str) -> String {
    format!("memory.l{level}.{what}")
}

/// The names under which a claim of a cache may have been measured: the first level may be named for its data
/// (`l1d`), and the line that is measured is the first level's and called the line.
pub fn measured_as(claim: &str) -> [String; 3] {
    [claim.to_string(), claim.replacen(".l1.", ".l1d.", 1), claim.replacen(".l1.line.", ".line.", 1)]
}

// ---- what threads do together ---------------------------------------------------------------------------------------

/// Curves by size: transfers that are waited for, beside those that are not.
pub const PUT: &str = "communication.put";
pub const GET: &str = "communication.get";
/// The series of these curves that is waited for.
pub const BLOCKING: &str = "blocking";
pub const PARTNER: &str = "communication.partner";
/// By how much a thread that has waited goes on late, in the mean.
pub const LATE_NS: &str = "communication.late.ns";
pub const FETCH_ADD_NEAR_NS: &str = "communication.fetch_add.near.ns";
pub const FETCH_ADD_FAR_NS: &str = "communication.fetch_add.far.ns";

/// The curve of passing cached data between threads on one socket, by stride in elements of 8 bytes, and its series.
pub const NEAR_CACHED: &str = "sharing.near.cached";
pub const READ_AFTER_WRITE: &str = "raw";
pub const WRITE_AFTER_READ: &str = "war";
pub const WRITE_AFTER_WRITE: &str = "waw";
pub const NEAR_CACHED_READ_NS: &str = "sharing.near.cached.read.ns";
pub const NEAR_CACHED_LATENCY_NS: &str = "sharing.near.cached.latency.ns";
pub const SHARING_UNIT_BYTES: &str = "sharing.unit.bytes";

pub const BARRIER_NS: &str = "synchronisation.barrier.ns";
pub const LOCK_NS: &str = "synchronisation.lock.ns";
pub const UPC_LOCK_NS: &str = "synchronisation.upc_lock.ns";
pub const LOCK_HANDOVER_NS: &str = "synchronisation.lock_handover.ns";

pub const SPAWN_NS: &str = "scheduling.spawn.ns";
pub const PTHREAD_NS: &str = "scheduling.pthread.ns";
pub const WAKE_NS: &str = "scheduling.wake.ns";
pub const BREAK_EVEN_NS: &str = "scheduling.break_even.ns";

// ---- message queues -------------------------------------------------------------------------------------------------

/// A word by Express, from the begin of sending to the end of receiving.
pub const EXPRESS_LATENCY_NS: &str = "queues.express.latency.ns";
/// With these words begin the names of values that say whether a statement of the StarT-Voyager study holds; the rule is
/// the answer.
pub const STATEMENT: &str = "queues.V";

// ---- mechanisms -----------------------------------------------------------------------------------------------------

/// The number of polls of a waiting thread before it yields: the tuning table's number.
pub const SPINS: &str = "mechanisms.spins";

/// The curve of a mechanism that can serve a decision: `mechanisms.gather.prefetch`.
pub fn mechanism_curve(decision: &str, mechanism: &str) -> String {
    format!("{MECHANISMS}.{decision}.{mechanism}")
}

/// Decision and mechanism of such a curve's name.
pub fn of_mechanism_curve(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix(MECHANISMS)?.strip_prefix('.')?.split_once('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_begins_with_its_area() {
        assert_eq!(area_of("memory: random from 64 on"), Some(MEMORY));
        assert_eq!(area_of("mechanisms, finer"), Some(MECHANISMS));
        assert_eq!(area_of("memories.x"), None);
        let all = [PAGE_BYTES, PARTNER, NEAR_CACHED, BARRIER_NS, WAKE_NS, SPINS];
        assert!(all.iter().all(|name| area_of(name).is_some_and(|a| name.starts_with(a))));
    }

    #[test]
    fn what_is_built_and_what_can_be_used_are_named_alike() {
        assert_eq!((built(0, "bytes"), built(2, "ways")), ("memory.l1d.bytes".into(), "memory.l3.ways".into()));
        for (level, what) in [(0, "bytes"), (1, "ways")] {
            assert_eq!(usable_of(&built(level, what)), Some(usable(level, what)));
        }
        assert_eq!([usable_of("memory.line.bytes"), usable_of("memory.l1d.usable.bytes")], [None, None]);
    }

    #[test]
    fn a_mechanism_s_curve_is_read_as_it_was_written() {
        assert_eq!(of_mechanism_curve(&mechanism_curve("put-indexed", "loop")), Some(("put-indexed", "loop")));
        assert_eq!([of_mechanism_curve("memory.chase"), of_mechanism_curve(SPINS)], [None, None]);
    }
}
