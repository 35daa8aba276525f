//! Where shared memory lies, as the front end needs it. The runtime says it in `runtime/lang/prelude.h`,
//! `runtime/conduit/conduit.h` and `runtime/include/fathom_predefined.h`; `crates/fathom/tests/architecture.rs`
//! compares.

/// `FATHOM_SEG_BITS`: a thread's segment has 2^37 bytes of address space.
pub const SEGMENT_BITS: u32 = 37;
/// `FATHOM_FIRST`: the number in the word of a pointer to thread 0.
pub const FIRST_SEGMENT: u64 = 256;
/// What one thread can hold of a static shared object: its segment.
pub const SEGMENT_BYTES: u64 = 1 << SEGMENT_BITS;
/// `FATHOM_BASE`: the address of the first segment.
pub const BASE: u64 = FIRST_SEGMENT << SEGMENT_BITS;
/// `UPC_MAX_BLOCK_SIZE`: half of what a segment can hold of elements of one byte.
pub const MAX_BLOCK_SIZE: u64 = SEGMENT_BYTES / 2;
/// `CORE_LINE`: a cache line.
pub const LINE_BYTES: u64 = 64;
