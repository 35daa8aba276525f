/* Arrays of any block size, as the library's functions see them at run time.
 *
 * A `shared [block] T a[n]` seen through a pointer to its element 0, which may have a phase and any affinity. Two
 * questions are answered: which elements a thread holds (always one contiguous run of its memory, because consecutive
 * blocks of a thread are adjacent), and where the element of an index is and how many follow it without a gap. Blocks
 * of 0 elements are the indefinite layout: everything lies on the pointer's thread. Sizes are in bytes where the name
 * says so, in elements elsewhere.
 */
#ifndef FATHOM_BLOCKED_H
#define FATHOM_BLOCKED_H

#include "gas.h"

struct blocked {
    fathom_ptr row;  /* where the block that the pointer points into begins, had it been on thread 0 */
    size_t start;    /* elements from there to the element pointed to, in layout order */
    size_t block;    /* elements in a block; 0: indefinite */
    size_t elem_bytes;
};

static inline struct blocked blocked_at(fathom_pptr p, size_t block, size_t elem_bytes) {
    struct blocked a = {p.addr, 0, block, elem_bytes};
    if (block) {
        size_t thread = (size_t)fathom_thread_of(p.addr);
        a.row = fathom_make(0, fathom_offset_of(p.addr)) - p.phase * elem_bytes;
        a.start = thread * block + p.phase;
    }
    return a;
}

/* Of the first x elements in layout order, counted from a row's begin: how many are `thread`'s. */
static inline size_t blocked_prefix(size_t x, size_t block, size_t thread) {
    size_t row = block * (size_t)gas_count(), rest = x % row, before = thread * block;
    size_t part = rest <= before ? 0 : rest - before;
    return x / row * block + (part < block ? part : block);
}

/* The run of the first n elements that `thread` holds: its address, and its length in *count. */
static inline fathom_ptr blocked_part(const struct blocked *a, size_t n, size_t thread, size_t *count) {
    if (a->block == 0) {
        *count = (size_t)fathom_thread_of(a->row) == thread ? n : 0;
        return a->row;
    }
    size_t first = blocked_prefix(a->start, a->block, thread);
    *count = blocked_prefix(a->start + n, a->block, thread) - first;
    return a->row + ((fathom_ptr)thread << FATHOM_SEG_BITS) + first * a->elem_bytes;
}

/* Element i, and in *run how many elements from it on are adjacent, at most `limit`. */
static inline fathom_ptr blocked_run(const struct blocked *a, size_t i, size_t limit, size_t *run) {
    *run = limit;
    if (a->block == 0) return a->row + i * a->elem_bytes;
    size_t threads = (size_t)gas_count(), at = a->start + i, block = at / a->block, phase = at % a->block;
    if (threads > 1 && a->block - phase < limit) *run = a->block - phase;
    return a->row + ((fathom_ptr)(block % threads) << FATHOM_SEG_BITS) +
           (block / threads * a->block + phase) * a->elem_bytes;
}

#endif
