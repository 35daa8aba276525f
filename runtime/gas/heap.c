/* The shared heap: allocation in one thread's segment, and at the same offset in all.
 *
 * Every segment holds, above the static data, a local heap that grows upward. The space at the top of all segments
 * together is one symmetric heap that grows downward, whose headers stand in thread 0's segment. Where the two meet,
 * memory is exhausted. All heaps are in shared memory under a lock each, so that any thread may free memory that any
 * other has allocated. Together they stay within core_memory.budget_bytes; see core/memory.c for the reason.
 *
 * Threads that are not near each other cannot see each other's heaps. The threads near a local heap then serve it, and
 * those near thread 0 serve the symmetric one, for others by messages; and each heap has a part of the segments of its
 * own (core_memory.middle). A handler takes the locks as other code does: the holder of a lock never delivers messages,
 * so a handler never waits for the POSIX thread that it runs in.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "gas/blocks.h"
#include "gas/calls.h"
#include "gas/collective.h"
#include "gas/extent.h"

#define OLD_MS 100
enum { MOST_ALIGN = 2 << 20 };
#define ASK_FROM (16ul << 20) /* from this growth on it pays to ask the kernel for the memory that is left */

struct heaps {               /* of the near threads */
    struct mutex edges;      /* held while any heap's edge moves */
    size_t reserved;         /* bytes that all heaps have grown to, over all near threads */
    size_t available;        /* what the kernel had left when it was asked, less what the heaps have grown since */
    long asked_ms;           /* when that was */
    struct blocks symmetric; /* used near thread 0 only */
    struct blocks local[];   /* by near thread */
};
static struct heaps *heaps;

static struct blocks *local_heap(int thread) {
    if (__builtin_expect(!heaps, 0)) core_before_start();
    return &heaps->local[thread - conduit_near.first];
}

static size_t in_use(int t) {
    if (!core_is_near(t)) return 0;
    return local_heap(t)->high - local_heap(t)->low + heaps->symmetric.high - heaps->symmetric.low;
}

void gas_heap_prepare(void) {
    heaps = core_shared(sizeof *heaps + (size_t)conduit_near.count * sizeof heaps->local[0]);
    core_heap_in_use = in_use;
}

/* The edges lock is held: does the kernel have this much left? It is asked again when the answer is old, or is no. */
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

/* The memory of the computer that these threads may use; they share it with others where not all threads on it are
 * near. */
static size_t budget(void) {
    if (core_memory.budget_bytes == SIZE_MAX) return SIZE_MAX;
    return core_memory.budget_bytes / (size_t)conduit_threads_here() * (size_t)conduit_near.count;
}

/* The offset up to which a local heap, or down to which the symmetric one, may reach. */
static size_t limit_of(const struct blocks *h) {
    if (core_memory.middle) return core_memory.middle;
    if (!h->down) return fathom_offset_of(heaps->symmetric.low);
    size_t most = 0;
    for (int i = 0; i < conduit_near.count; i++)
        if (fathom_offset_of(heaps->local[i].high) > most) most = fathom_offset_of(heaps->local[i].high);
    return most;
}

/* The edges lock is held: is there room, in the segments and in the budget, for `bytes` more in heap `h`? */
static bool room_for(const struct blocks *h, size_t bytes) {
    size_t limit = limit_of(h);
    if (bytes > (h->down ? fathom_offset_of(h->low) - limit : limit - fathom_offset_of(h->high))) return false;
    size_t all = h->down ? bytes * (size_t)conduit_near.count : bytes, most = budget();
    if (most == SIZE_MAX) return true;
    if (all > most || heaps->reserved > most - all) return false;
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
        heaps->reserved += (uint64_t)bytes * (h->down ? (uint64_t)conduit_near.count : 1);
    }
    mutex_unlock(&heaps->edges);
    return room;
}

/* For symmetric blocks, releases the pages that are near; other nodes keep their part of a freed block until the block
 * is used again. */
void blocks_release(const struct blocks *h, uint64_t from, uint64_t to) {
    if (core_memory.huge) return;
    from = (from + BLOCK_PAGE - 1) & ~(BLOCK_PAGE - 1);
    to &= ~(BLOCK_PAGE - 1);
    if (to <= from) return;
    for (int t = 0; t < (h->down ? conduit_near.count : 1); t++)
        madvise((char *)from + ((uint64_t)t << FATHOM_SEG_BITS), to - from, MADV_REMOVE);
}

/* ---- here -------------------------------------------------------------------------------------------------------- */

static fathom_ptr take_aligned(struct blocks *h, size_t n, size_t align) {
    if (n == 0 || n > FATHOM_STEP) return 0;
    mutex_lock(&h->lock);
    void *p = blocks_take(h, n, align);
    mutex_unlock(&h->lock);
    return p ? fathom_word(p) : 0;
}

static fathom_ptr take(struct blocks *h, size_t n) { return take_aligned(h, n, 1); }

/* Who knows the extent of a block: nobody, 0; one thread, its number and 1 more; or: */
enum { MANY_KNOW = INT32_MAX - 1, BEING_FREED };
/* The other answers are BY_THREAD and a thread's number, and MANY: these are to drop it first, and the block is given back in a second call. */
enum fault { NONE, FREED_BEFORE, NO_START, MANY, BY_THREAD };

/* `is_dropped`: by all who know. */
static uint64_t give(struct blocks *h, fathom_ptr p, bool is_dropped) {
    bool freed;
    uint64_t fault = NONE;
    mutex_lock(&h->lock);
    struct block *b = blocks_find(h, fathom_local(p), &freed);
    if (!b) {
        fault = freed ? FREED_BEFORE : NO_START;
    } else if (is_dropped || b->known == 0) {
        blocks_give(h, b);
    } else if (b->known == BEING_FREED) {
        fault = FREED_BEFORE;
    } else {
        fault = b->known == MANY_KNOW ? MANY : BY_THREAD + (uint64_t)b->known - 1;
        b->known = BEING_FREED;
    }
    mutex_unlock(&h->lock);
    return fault;
}

/* Is the offset in the symmetric heap? Where that has a part of its own, every thread can tell. */
static bool is_symmetric(uint64_t offset) {
    if (core_memory.middle) return offset >= core_memory.middle;
    return offset >= fathom_offset_of(__atomic_load_n(&heaps->symmetric.low, __ATOMIC_RELAXED));
}

/* The one that has the place, whose headers are near. */
static struct blocks *heap_of(fathom_ptr p) {
    return is_symmetric(fathom_offset_of(p)) ? &heaps->symmetric : local_heap((int)fathom_thread_of(p));
}

/* ---- by messages ------------------------------------------------------------------------------------------------- */

struct answer {
    uint64_t value, more;
    bool has_come;
};

static void on_answer(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)payload, (void)bytes;
    struct answer *a = (struct answer *)(uintptr_t)args[0];
    a->value = args[1];
    a->more = nargs > 2 ? args[2] : 0;
    a->has_come = true;
}

static void on_alloc(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    core_reply(token, GAS_SYNC_ANSWER, NULL, 0, (uint64_t[]){args[0], take(&heaps->symmetric, args[1])}, 2);
}

static void on_free(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    fathom_ptr p = args[1];
    core_reply(token, GAS_SYNC_ANSWER, NULL, 0, (uint64_t[]){args[0], give(heap_of(p), p, args[2] != 0)}, 2);
}

static struct answer ask(int thread, int handler, uint64_t value, int more) {
    CORE_GATE;
    struct answer a = {0};
    core_request(thread, handler, NULL, 0, (uint64_t[]){(uintptr_t)&a, value, (uint64_t)more}, 3);
    for (unsigned round = 0; !a.has_come;) core_wait_answer(&round);
    return a;
}

/* ---- extents ----------------------------------------------------------------------------------------------------- */

/* The allocation in which the place is; notes that `asker` knows, who is told when it is given back. */
static bool find_extent(fathom_ptr p, int asker, struct gas_extent *e) {
    bool all = is_symmetric(fathom_offset_of(p));
    struct blocks *h = heap_of(p);
    mutex_lock(&h->lock);
    struct block *b = blocks_find_around(h, fathom_local(all ? fathom_make(0, fathom_offset_of(p)) : p));
    if (b && b->known == BEING_FREED) b = NULL;
    if (b) {
        b->known = b->known == 0 || b->known == asker + 1 ? asker + 1 : MANY_KNOW;
        fathom_ptr start = fathom_word((char *)b + BLOCK_HEADER);
        e->thread = all ? -1 : fathom_thread_of(p);
        e->low = (long)fathom_offset_of(start);
        e->high = e->low + (long)b->size;
    }
    mutex_unlock(&h->lock);
    return b;
}

static void on_extent(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)nargs, (void)payload, (void)bytes;
    struct gas_extent e = {0};
    find_extent(args[1], (int)args[2], &e);
    core_reply(token, GAS_SYNC_ANSWER, NULL, 0, (uint64_t[]){args[0], (uint64_t)e.low, (uint64_t)e.high}, 3);
}

bool gas_heap_extent_there(fathom_ptr p, struct gas_extent *e) {
    bool all = is_symmetric(fathom_offset_of(p));
    int thread = all ? 0 : (int)fathom_thread_of(p);
    if (core_is_near(thread)) return find_extent(p, fathom_mythread, e);
    struct answer a = ask(thread, GAS_SYNC_EXTENT, p, fathom_mythread);
    *e = (struct gas_extent){all ? -1 : thread, (long)a.value, (long)a.more};
    return a.more != 0;
}

void gas_heap_start(void) {
    core_service(GAS_SYNC_ALLOC, on_alloc);
    core_service(GAS_SYNC_FREE, on_free);
    core_service(GAS_SYNC_EXTENT, on_extent);
    gas_extent_start();
    core_handler(GAS_SYNC_ANSWER, on_answer);
    if (fathom_mythread == 0)
        blocks_start(&heaps->symmetric, fathom_local(fathom_make(0, core_memory.segment_bytes)), true);
    blocks_start(local_heap(fathom_mythread), fathom_local(fathom_make(fathom_mythread, core_memory.static_bytes)),
                 false);
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

fathom_ptr gas_alloc(size_t n) { return take(local_heap(fathom_mythread), n); }

static void check_align(const char *function, size_t align) {
    if (align == 0 || (align & (align - 1)) || align > MOST_ALIGN)
        gas_fatal("%s: an alignment of %zu bytes; it must be a power of two up to %d", function, align, MOST_ALIGN);
}

fathom_ptr gas_alloc_aligned(size_t n, size_t align) {
    check_align("gas_alloc_aligned", align);
    return take_aligned(local_heap(fathom_mythread), n, align);
}

fathom_ptr gas_alloc_zeroed(size_t n) {
    fathom_ptr p = gas_alloc(n);
    if (p) memset(fathom_local(p), 0, n);
    return p;
}

/* The header of the used block at `p`, in a heap that is near. */
static struct block *near_block(const char *function, fathom_ptr p, struct blocks **heap) {
    long t = fathom_thread_of(p);
    uint64_t offset = fathom_offset_of(p);
    if (t < 0 || t >= fathom_threads || offset >= core_memory.segment_bytes || offset < core_memory.static_bytes)
        gas_fatal("%s of 0x%lx, which is not the start of an allocation", function, p);
    bool freed, all = is_symmetric(offset);
    if (all && core_is_near((int)t) && !core_is_near(0))
        gas_fatal("%s of 0x%lx, which all threads have: only threads near thread 0 can tell its size", function, p);
    if (!core_is_near((int)t)) gas_fatal("%s of 0x%lx, which is on thread %ld, not near this one", function, p, t);
    if (all) p = fathom_make(0, offset); /* where the headers are */
    *heap = heap_of(p);
    mutex_lock(&(*heap)->lock);
    struct block *b = blocks_find(*heap, fathom_local(p), &freed);
    mutex_unlock(&(*heap)->lock);
    if (!b)
        gas_fatal("%s of 0x%lx, which %s", function, p,
                  freed ? "has been freed already" : "is not the start of an allocation");
    return b;
}

size_t gas_alloc_bytes(fathom_ptr p) {
    struct blocks *heap;
    return p ? near_block("gas_alloc_bytes", p, &heap)->asked : 0;
}

fathom_ptr gas_realloc(fathom_ptr p, size_t n) {
    if (!p) return gas_alloc(n);
    struct blocks *heap;
    struct block *b = near_block("gas_realloc", p, &heap);
    if (heap != local_heap(fathom_mythread))
        gas_fatal("gas_realloc of 0x%lx, which is not in the heap of this thread alone", p);
    if (n == 0) {
        gas_free(p);
        return 0;
    }
    if (n <= b->size && n > b->size / 2) {
        b->asked = n;
        return p;
    }
    size_t old = b->asked;
    fathom_ptr q = gas_alloc(n);
    if (!q) return 0;
    memcpy(fathom_local(q), fathom_local(p), n < old ? n : old);
    gas_free(p);
    return q;
}

fathom_ptr gas_global_alloc(size_t n) {
    return core_is_near(0) ? take(&heaps->symmetric, n) : ask(0, GAS_SYNC_ALLOC, n, 0).value;
}

/* Gives all threads what one has, once all are in the same call. */
static void tell_all(void *data, size_t n, int thread) {
    GAS_TEAM_CALL(gas_world());
    gas_barrier(); /* finds threads that are in another call */
    gas_call(gas_world(), GAS_CALL_ALLOCATION, -1, 0);
    gas_inside_broadcast(gas_world(), data, data, n, thread, GAS_IN_NOSYNC | GAS_OUT_NOSYNC);
}

fathom_ptr gas_from_thread(int thread, fathom_ptr (*make)(void)) {
    fathom_ptr p = fathom_mythread == thread ? make() : 0;
    tell_all(&p, sizeof p, thread);
    return p;
}

/* What thread 0 has taken, on all threads. One that asks for more than thread 0 would write behind its part; less is
 * wrong, too (UPC 1.3, 7.2.2.2: the arguments are single-valued), but does no harm. */
static fathom_ptr all_have(fathom_ptr p, size_t n) {
    struct {
        fathom_ptr at;
        size_t bytes;
    } of_first = {p, n};
    tell_all(&of_first, sizeof of_first, 0);
    if (__builtin_expect(of_first.bytes < n, 0))
        gas_fatal(
            "an allocation by all threads (upc_all_alloc, fathom_alloc_all): this thread asks for %zu bytes of each "
            "thread, and thread 0 for %zu: all ask for the same number",
            n, of_first.bytes);
    return of_first.at;
}

fathom_ptr gas_all_alloc(size_t n) { return all_have(fathom_mythread == 0 ? gas_global_alloc(n) : 0, n); }

fathom_ptr gas_all_alloc_aligned(size_t n, size_t align) {
    check_align("gas_all_alloc_aligned", align);
    return all_have(fathom_mythread == 0 ? take_aligned(&heaps->symmetric, n, align) : 0, n);
}

static uint64_t give_there(fathom_ptr p, bool is_dropped) {
    int t = (int)fathom_thread_of(p);
    return core_is_near(t) ? give(heap_of(p), p, is_dropped) : ask(t, GAS_SYNC_FREE, p, is_dropped).value;
}

void gas_free(fathom_ptr p) {
    if (!p) return;
    long t = fathom_thread_of(p);
    uint64_t offset = fathom_offset_of(p);
    if (t < 0 || t >= fathom_threads || offset >= core_memory.segment_bytes)
        gas_fatal("cannot free 0x%lx: it is not a pointer to shared memory of this job", p);
    if (offset < core_memory.static_bytes)
        gas_fatal("cannot free 0x%lx: it is in a static shared object of the program", p);
    bool all = is_symmetric(offset);
    if (all && t != 0)
        gas_fatal("cannot free 0x%lx: it is inside a global allocation (on thread %ld), not its start", p, t);
    if (!gas_all_near()) fathom_fence(); /* this thread's writes there must not arrive when the memory is another's */
    uint64_t fault = give_there(p, false);
    if (fault >= MANY) {
        gas_extent_drop(p, all, fault == MANY ? -1 : (int)(fault - BY_THREAD));
        fault = give_there(p, true);
    }
    if (fault == FREED_BEFORE) gas_fatal("cannot free 0x%lx: it has been freed already", p);
    if (fault == NO_START)
        gas_fatal("cannot free 0x%lx: it is not the start of an allocation (or the bytes before it were overwritten)",
                  p);
}
