//! Simulated machines: parts that answer an access with times, wired by a description.
//!
//! A memory access is a chain of calls, each of which returns times ([`access::Serves`]). A resource is a server with
//! the time at which it is next free ([`contention`]). Nothing is an event but what acts by itself, such as a
//! processor. Time is whole picoseconds, there is no randomness that a description does not seed, and nothing here
//! reads or writes a file; so a run gives the same times everywhere.
//!
//! Every part works with two kinds of data: `()`, which costs nothing and gives times only, and [`access::Words`],
//! which carries the words themselves. The code is the same, so that a stale read is seen and not asserted.
//!
//! Sources: the parts' own files name them; the design follows zsim (calls that return times), Sniper (servers with
//! gaps) and gem5 (data move with the timing).

pub mod access;
pub mod build;
pub mod contention;
pub mod description;
pub mod network;
pub mod nodes;
pub mod parts;
pub mod processor;
pub mod quantity;
pub mod similar;
pub mod thread;

pub use access::{Access, Data, Kind, Reply, Serves, Words};
pub use build::{check, machine, node, Devices, Machine, Node};
pub use contention::{Due, Places, Server};
pub use description::{Description, Figure, Status};
pub use network::{Carries, Flight};
pub use nodes::{Nodes, Placement};
pub use processor::Processor;
pub use thread::Thread;

/// Picoseconds, whole numbers: 2^64 ps are 213 days.
pub type Time = u64;

/// The processor begins to read a place that will be needed soon, and does not wait for it: large machines do not fit into
/// its caches.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint; the place exists.
    unsafe {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The same of what lies behind a place, in an array.
#[inline]
pub fn prefetch_behind<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which may be about any address.
    unsafe {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).wrapping_add(1).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The same of all of a place.
#[inline]
pub fn prefetch_all<T: ?Sized>(place: &T) {
    let first = std::ptr::from_ref(place).cast::<std::mem::MaybeUninit<u8>>();
    let size = std::mem::size_of_val(place);
    for line in (0..size).step_by(64) {
        // SAFETY: inside of the place.
        prefetch(unsafe { &*first.add(line) });
    }
    // It need not begin where a line begins.
    if size > 0 {
        // SAFETY: inside of the place.
        prefetch(unsafe { &*first.add(size - 1) });
    }
}
