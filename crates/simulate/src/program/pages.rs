//! Pages of this computer's memory.
//!
//! The engine goes from thread to thread, and so from place to place in hundreds of megabytes. With pages of 4 KB, of which
//! a processor knows the places of some thousands, it would look up most of them in tables each time, in a virtual
//! machine in two of them.

use std::sync::Once;

/// Has what is allocated later lie in large pages, as far as the system has them: room for this number of threads. It
/// costs no memory, and changes nothing else.
pub fn prefer_large(threads: u32) {
    static ONCE: Once = Once::new();
    if threads >= WORTHWHILE {
        ONCE.call_once(|| reserve((threads as usize * EACH).min(MOST)));
    }
}

/// What fewer threads need, a processor has in its caches.
const WORTHWHILE: u32 = 512;
/// Bytes of a thread: thousands of transfers under way at once.
const EACH: usize = 256 << 10;
const MOST: usize = 1 << 30;

/// Objects of this size and more stay apart, and are zeroed only where they are used.
#[cfg(target_env = "gnu")]
const APART: i32 = 32 << 20;

#[cfg(target_env = "gnu")]
fn reserve(bytes: usize) {
    const LARGE: usize = 2 << 20;
    // SAFETY: settings of the allocator, an allocation that is given back, and advice about the pages inside of it. What is
    // given back stays the allocator's, which takes its next objects from there.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, APART);
        libc::mallopt(libc::M_TRIM_THRESHOLD, i32::MAX);
        libc::mallopt(libc::M_MMAP_MAX, 0);
        let room = libc::malloc(bytes);
        libc::mallopt(libc::M_MMAP_MAX, 1 << 16);
        if room.is_null() {
            return;
        }
        let from = (room as usize).next_multiple_of(LARGE);
        let length = (room as usize + bytes).saturating_sub(from) / LARGE * LARGE;
        libc::madvise(room.cast::<u8>().add(from - room as usize).cast(), length, libc::MADV_HUGEPAGE);
        libc::free(room);
    }
}

#[cfg(not(target_env = "gnu"))]
fn reserve(_: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_all_sizes_can_be_allocated_and_given_back_afterwards() {
        prefer_large(WORTHWHILE);
        for size in [8, 1 << 10, 1 << 17, 1 << 22, 1 << 26] {
            let (first, mut second) = (vec![1u8; size], vec![0u8; size]);
            second.extend_from_slice(&first);
            assert_eq!(second.iter().map(|byte| u64::from(*byte)).sum::<u64>(), size as u64);
        }
    }
}
