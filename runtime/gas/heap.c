/* The shared heap: allocation in one thread's segment, and at the same offset in all.
 *
 * Every segment holds, above the static data, a local heap that grows upward; and the space at the top of all
 * segments together is one symmetric heap that grows downward, whose headers stand in thread 0's segment. Where the
 * two meet memory is exhausted. All heaps are in shared memory under a lock each, so that any thread may free what
 * any other has allocated. Together they stay within core_memory.budget_bytes; see core/memory.c for why.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <time.h>

#include "gas/blocks.h"
#include "gas/gas_internal.h"

#define OLD_MS 100
#define ASK_FROM (16ul << 20) /* growth from which on it is worth asking the kernel what is left */

static struct heaps {
    struct mutex edges;   /* held while any heap's edge moves */
    size_t reserved;      /* bytes that all heaps have grown to, over all threads */
    size_t available;     /* what the kernel had left when it was asked, less what the heaps have grown since */
    long asked_ms;        /* when that was */
    fathom_ptr result[2]; /* of collective allocations, by turns */
    struct blocks symmetric;
    struct blocks local[];
} *heaps;
static unsigned turn;

void gas_mutex_wait(struct mutex *m) {
    unsigned spins = gas_spins() / 20;
    for (unsigned i = 0; i < spins; i++) {
        uint32_t c = 0;
        if (!__atomic_load_n(&m->word, __ATOMIC_RELAXED) &&
            __atomic_compare_exchange_n(&m->word, &c, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        conduit_pause();
    }
    while (__atomic_exchange_n(&m->word, 2, __ATOMIC_ACQUIRE) != 0) conduit_sleep(&m->word, 2, ~0u, 1000);
}

static size_t in_use(int t) {
    return heaps->local[t].high - heaps->local[t].low + heaps->symmetric.high - heaps->symmetric.low;
}

void gas_heap_prepare(void) {
    heaps = core_shared(sizeof *heaps + (size_t)fathom_threads * sizeof heaps->local[0]);
    core_heap_in_use = in_use;
}

void gas_heap_start(void) {
    if (fathom_mythread == 0) blocks_start(&heaps->symmetric, fathom_make(0, core_memory.segment_bytes), true);
    blocks_start(&heaps->local[fathom_mythread], fathom_make(fathom_mythread, core_memory.static_bytes), false);
}

/* The edges lock is held: has the kernel that much left? It is asked again when the answer is old, or is no. */
static bool affordable(size_t bytes) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    long ms = now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (heaps->available < bytes || ms - heaps->asked_ms >= OLD_MS) {
        heaps->available = core_memory_available();
        heaps->asked_ms = ms;
    }
    if (heaps->available < bytes) return false;
    if (heaps->available != SIZE_MAX) heaps->available -= bytes;
    return true;
}

/* The edges lock is held: is there room, in the segments and in the budget, for `bytes` more of heap `h`? */
static bool room_for(const struct blocks *h, size_t bytes) {
    size_t top = fathom_offset_of(heaps->symmetric.low);
    if (h->down) {
        if (bytes > top) return false;
        for (int t = 0; t < fathom_threads; t++)
            if (fathom_offset_of(heaps->local[t].high) > top - bytes) return false;
    } else if (bytes > top - fathom_offset_of(h->high)) {
        return false;
    }
    size_t all = h->down ? bytes * (size_t)fathom_threads : bytes;
    if (core_memory.budget_bytes == SIZE_MAX) return true;
    if (all > core_memory.budget_bytes || heaps->reserved > core_memory.budget_bytes - all) return false;
    return all < ASK_FROM || affordable(all);
}

bool blocks_move_edge(struct blocks *h, int64_t bytes) {
    mutex_lock(&heaps->edges);
    bool room = bytes <= 0 || room_for(h, (size_t)bytes);
    if (room) {
        if (h->down)
            h->low -= (uint64_t)bytes;
        else
            h->high += (uint64_t)bytes;
        heaps->reserved += (uint64_t)bytes * (h->down ? (uint64_t)fathom_threads : 1);
    }
    mutex_unlock(&heaps->edges);
    return room;
}

void blocks_release(const struct blocks *h, uint64_t from, uint64_t to) {
    if (core_memory.huge) return;
    from = (from + BLOCK_PAGE - 1) & ~(BLOCK_PAGE - 1);
    to &= ~(BLOCK_PAGE - 1);
    if (to <= from) return;
    for (int t = 0; t < (h->down ? fathom_threads : 1); t++)
        madvise((char *)from + ((uint64_t)t << FATHOM_SEG_BITS), to - from, MADV_REMOVE);
}

static fathom_ptr take(struct blocks *h, size_t n) {
    if (n == 0 || n > FATHOM_STEP) return 0;
    mutex_lock(&h->lock);
    void *p = blocks_take(h, n);
    mutex_unlock(&h->lock);
    return (fathom_ptr)p;
}

fathom_ptr gas_alloc(size_t n) { return take(&heaps->local[fathom_mythread], n); }

fathom_ptr gas_global_alloc(size_t n) { return take(&heaps->symmetric, n); }

fathom_ptr gas_from_thread(int thread, fathom_ptr (*make)(void)) {
    /* The place is written again two turns later: after the next barrier, before which all have read it. */
    fathom_ptr *result = &heaps->result[turn++ & 1];
    if (fathom_mythread == thread) *result = make();
    gas_barrier();
    return *result;
}

fathom_ptr gas_all_alloc(size_t n) {
    fathom_ptr *result = &heaps->result[turn++ & 1];
    if (fathom_mythread == 0) *result = gas_global_alloc(n);
    gas_barrier();
    return *result;
}

void gas_free(fathom_ptr p) {
    if (!p) return;
    long t = fathom_thread_of(p);
    uint64_t offset = fathom_offset_of(p);
    if (t < 0 || t >= fathom_threads || offset >= core_memory.segment_bytes)
        gas_fatal("upc_free of 0x%lx, which is no pointer to shared memory of this job", p);
    if (offset < core_memory.static_bytes)
        gas_fatal("upc_free of 0x%lx, which is in a static shared object of the program", p);
    bool all = offset >= fathom_offset_of(__atomic_load_n(&heaps->symmetric.low, __ATOMIC_RELAXED));
    if (all && t != 0)
        gas_fatal("upc_free of 0x%lx, which is inside a global allocation (on thread %ld), not its start", p, t);
    struct blocks *h = all ? &heaps->symmetric : &heaps->local[t];
    mutex_lock(&h->lock);
    blocks_give(h, blocks_check(h, p));
    mutex_unlock(&h->lock);
}
