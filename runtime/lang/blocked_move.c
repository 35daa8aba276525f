/* Ranges of a blocked array, to and from one piece of memory of this thread.
 *
 * The blocks of a range that lie on one thread are contiguous there, and equally far apart in the piece: for each thread
 * one strided transfer moves them all, however short they are, and all transfers are under way together. The ends of a
 * range, which may be parts of blocks, go by themselves. A range goes in parts that caches hold, or where memory is far,
 * in parts of which each thread's share is worth a message.
 */
#include "blocked.h"

enum { UNDER_WAY = 16, NEAR_PART_BYTES = 1 << 16, FAR_SHARE_BYTES = 1 << 14 };

/* What is under way, each transfer with a handle. */
struct transfers {
    gas_handle handle[UNDER_WAY];
    unsigned next;
    int is_put;
};

/* `count` runs of n bytes, one after the other at `there`, `apart` bytes from each other at `here`. */
static void begin(struct transfers *t, fathom_ptr there, char *here, size_t n, size_t count, size_t apart) {
    gas_handle *h = &t->handle[t->next++ % UNDER_WAY];
    gas_wait(h);
    ptrdiff_t far = (ptrdiff_t)n, near = (ptrdiff_t)apart;
    if (count == 1 && t->is_put)
        *h = gas_put_nb(there, here, n);
    else if (count == 1)
        *h = gas_get_nb(here, there, n);
    else if (t->is_put)
        *h = gas_put_strided_nb(there, &far, here, &near, n, &count, 1);
    else
        *h = gas_get_strided_nb(here, &near, there, &far, n, &count, 1);
}

/* Whole blocks, from place `first` of the layout on. */
static void begin_blocks(struct transfers *t, const struct blocked *a, size_t first, size_t count, char *piece) {
    size_t threads = (size_t)gas_count(), bytes = a->block * a->elem_bytes;
    for (size_t i = 0; i < threads && i < count; i++) {
        size_t number = first + i;
        fathom_ptr there = fathom_threads_on(a->row, (long)(number % threads)) + number / threads * bytes;
        begin(t, there, piece + i * bytes, bytes, (count - i - 1) / threads + 1, threads * bytes);
    }
}

static void move_part(const struct blocked *a, size_t from, size_t to, char *piece, int is_put) {
    struct transfers t = {.is_put = is_put};
    size_t block = a->block, place = a->start + from, n = to - from;
    size_t head = (block - place % block) % block;
    if (head > n) head = n;
    struct blocked_walk w = blocked_walk_from(a, from);
    if (head) begin(&t, w.at, piece, head * a->elem_bytes, 1, 0);
    size_t blocks = (n - head) / block, rest = n - head - blocks * block;
    begin_blocks(&t, a, (place + head) / block, blocks, piece + head * a->elem_bytes);
    if (rest) {
        w = blocked_walk_from(a, to - rest);
        begin(&t, w.at, piece + (n - rest) * a->elem_bytes, rest * a->elem_bytes, 1, 0);
    }
    gas_wait_all(t.handle, UNDER_WAY);
}

static void move(const struct blocked *a, size_t from, size_t to, char *piece, int is_put) {
    if (from >= to) return;
    if (a->block == 0 || gas_count() == 1) {
        fathom_ptr there = a->row + (a->start + from) * a->elem_bytes;
        if (is_put)
            gas_put(there, piece, (to - from) * a->elem_bytes);
        else
            gas_get(piece, there, (to - from) * a->elem_bytes);
        return;
    }
    int near;
    gas_near(&near);
    size_t bytes = near == gas_count() ? NEAR_PART_BYTES : FAR_SHARE_BYTES * (size_t)gas_count();
    size_t part = bytes / a->elem_bytes + 1;
    for (size_t n; from < to; from += n, piece += n * a->elem_bytes) {
        n = to - from < part ? to - from : part;
        move_part(a, from, from + n, piece, is_put);
    }
}

void blocked_get(void *piece, const struct blocked *a, size_t from, size_t to) { move(a, from, to, piece, 0); }
void blocked_put(const struct blocked *a, size_t from, size_t to, const void *piece) {
    move(a, from, to, (char *)(uintptr_t)piece, 1);
}
