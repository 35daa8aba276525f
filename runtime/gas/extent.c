/* The extents of allocations that this thread has asked for; see extent.h.
 *
 * Their headers are near one thread of each heap (heap.c). What it has answered is kept here, so that a loop asks once for each allocation. It may be kept as long as
 * the allocation lasts: its header notes who has asked, and whoever frees it tells these threads before its memory can be taken again.
 *
 * An answer may be on its way while that happens, if the pointer leads nowhere and is not followed: so nothing is kept of an answer if anything has been dropped since the question. */
#include "gas/extent.h"

#include "conduit/progress.h"
#include "gas/sync.h"
#include "gas/transfer.h"

enum { KEPT = 64, REFUSED = 16, TIMES = 256 };

/* Touched inside the engine (conduit/progress.h) only: the progress thread drops, too. */
static struct {
    struct gas_extent extents[KEPT];
    int count, next; /* next: to be replaced */
    unsigned long dropped;
    /* Places of which nothing is known: they are asked about again after so many times. */
    struct {
        fathom_ptr at;
        int left;
    } refused[REFUSED];
} kept;
/* Where threads that compute serve nobody, whoever gives back what they know would wait for them. */
static bool may_keep;

static bool holds(const struct gas_extent *e, long thread, long offset) {
    return (e->thread < 0 || e->thread == thread) && e->low <= offset && offset < e->high;
}

static bool find(long thread, long offset, struct gas_extent *e) {
    for (int i = 0; i < kept.count; i++)
        if (holds(&kept.extents[i], thread, offset)) {
            *e = kept.extents[i];
            return true;
        }
    return false;
}

static void keep(const struct gas_extent *e) {
    if (kept.count < KEPT) {
        kept.extents[kept.count++] = *e;
        return;
    }
    kept.extents[kept.next] = *e;
    kept.next = (kept.next + 1) % KEPT;
}

static bool is_refused(fathom_ptr p) {
    for (int i = 0; i < REFUSED; i++)
        if (kept.refused[i].at == p && kept.refused[i].left > 0) return kept.refused[i].left--;
    return false;
}

static void refuse(fathom_ptr p) {
    int least = 0;
    for (int i = 1; i < REFUSED; i++)
        if (kept.refused[i].left < kept.refused[least].left) least = i;
    kept.refused[least].at = p;
    kept.refused[least].left = TIMES;
}

bool gas_extent_of(fathom_ptr p, struct gas_extent *e) {
    long thread = fathom_thread_of(p), offset = (long)fathom_offset_of(p);
    if ((unsigned long)thread >= (unsigned long)fathom_threads || offset >= (long)core_memory.segment_bytes)
        return false;
    if (offset < (long)core_memory.static_bytes) {
        *e = (struct gas_extent){-1, 0, (long)core_memory.static_bytes};
        return true;
    }
    if (!may_keep) return false;
    CORE_GATE;
    bool entered = conduit_enter(), is_kept = find(thread, offset, e), is_known = is_kept || !is_refused(p);
    unsigned long dropped = kept.dropped;
    conduit_leave(entered);
    if (is_kept || !is_known) return is_kept;
    is_known = gas_heap_extent_there(p, e);
    entered = conduit_enter();
    if (dropped != kept.dropped)
        is_known = false;
    else if (is_known)
        keep(e);
    else
        refuse(p);
    conduit_leave(entered);
    return is_known;
}

/* ---- allocations that are given back ----------------------------------------------------------------------------- */

static void drop(long thread, long offset) {
    kept.dropped++;
    for (int i = kept.count; i-- > 0;)
        if (holds(&kept.extents[i], thread, offset)) kept.extents[i] = kept.extents[--kept.count];
    if (kept.next >= kept.count) kept.next = 0;
}

static void drop_here(fathom_ptr p, bool all_have) {
    bool entered = conduit_enter();
    drop(all_have ? -1 : fathom_thread_of(p), (long)fathom_offset_of(p));
    conduit_leave(entered);
}

/* (transfer, p, all have it) */
static void on_drop(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    drop_here(args[1], args[2] != 0);
    core_reply(token, GAS_DATA_ANSWER, NULL, 0, args, 1);
}

void gas_extent_drop(fathom_ptr p, bool all_have, int thread) {
    CORE_GATE;
    struct gas_transfer t = {0};
    int first = thread < 0 ? 0 : thread, end = thread < 0 ? fathom_threads : thread + 1;
    for (int to = first; to < end; to++) {
        if (to == fathom_mythread) {
            drop_here(p, all_have);
            continue;
        }
        t.answers++;
        core_request(to, GAS_SYNC_EXTENT_DROP, NULL, 0, (uint64_t[]){(uintptr_t)&t, p, all_have}, 3);
    }
    gas_transfer_wait(&t);
}

void gas_extent_start(void) {
    core_service(GAS_SYNC_EXTENT_DROP, on_drop);
    const char *obstacle = NULL;
    may_keep = gas_all_near() || !conduit_needs_progress(&obstacle) ||
               (core_progress_wanted() != CORE_PROGRESS_POLL && !obstacle);
}
