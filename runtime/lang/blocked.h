/* Arrays of any block size, as the library's functions see them at run time.
 *
 * A `shared [block] T a[n]` seen through a pointer to its element 0, which may have a phase and any affinity. Two
 * questions are answered: which elements a thread holds (always one contiguous run of its memory, because consecutive
 * blocks of a thread are adjacent), and, walking along the array, where the next elements are and how many of them are
 * adjacent. Blocks of 0 elements are the indefinite layout: everything lies on the pointer's thread. Sizes are in bytes
 * where the name says so, in elements elsewhere.
 */
#ifndef FATHOM_BLOCKED_H
#define FATHOM_BLOCKED_H

#include "gas.h"

struct blocked {
    fathom_ptr row; /* where the block that the pointer points into would begin, were it on thread 0 */
    size_t start;   /* elements from there to the element pointed to, in layout order */
    size_t block;   /* elements in a block; 0: indefinite */
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

/* ---- by thread --------------------------------------------------------------------------------------------------- */

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
    return fathom_threads_on(a->row, (long)thread) + first * a->elem_bytes;
}

/* Is the order of the first n elements that of the threads that hold them: one block of each at most, from thread 0 on? */
static inline int blocked_is_one_row(const struct blocked *a, size_t n) {
    return a->block && n <= a->block * (size_t)gas_count() && a->start + n <= a->block * (size_t)gas_count();
}

/* ---- by index ---------------------------------------------------------------------------------------------------- */

/* A place in the array: `at` is where the next element is, `left` how many from it on are adjacent. */
struct blocked_walk {
    fathom_ptr at, begin; /* begin: of the block */
    size_t left, thread, block, elem_bytes;
};

static inline struct blocked_walk blocked_walk_from(const struct blocked *a, size_t i) {
    struct blocked_walk w = {.block = a->block, .elem_bytes = a->elem_bytes};
    size_t threads = (size_t)gas_count(), place = a->start + i;
    if (a->block == 0 || threads == 1) { /* no gaps */
        w.at = w.begin = a->row + place * a->elem_bytes;
        w.left = (size_t)-1;
        return w;
    }
    size_t block = place / a->block, phase = place % a->block;
    w.thread = block % threads;
    w.begin = fathom_threads_on(a->row, (long)w.thread) + block / threads * a->block * a->elem_bytes;
    w.at = w.begin + phase * a->elem_bytes;
    w.left = a->block - phase;
    return w;
}

/* Goes n elements on, n being at most `left`. */
static inline void blocked_walk_on(struct blocked_walk *w, size_t n) {
    w->at += n * w->elem_bytes;
    w->left -= n;
    if (w->left) return;
    if (++w->thread == (size_t)gas_count()) {
        w->thread = 0;
        w->begin += w->block * w->elem_bytes - (((fathom_ptr)gas_count() - 1) << FATHOM_SEG_BITS);
    } else {
        w->begin += FATHOM_STEP;
    }
    w->at = w->begin;
    w->left = w->block;
}

/* Elements [from, to), one after the other, to or from a piece of this thread's memory (blocked_move.c). */
void blocked_get(void *piece, const struct blocked *a, size_t from, size_t to);
void blocked_put(const struct blocked *a, size_t from, size_t to, const void *piece);

/* The part of n pieces of work that falls to `who` of `count`: [*from, *to). */
static inline void blocked_share(size_t n, size_t who, size_t count, size_t *from, size_t *to) {
    size_t each = n / count, more = n % count;
    *from = who * each + (who < more ? who : more);
    *to = *from + each + (who < more);
}

#endif
