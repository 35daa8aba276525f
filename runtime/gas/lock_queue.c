/* Locks between threads some of which are far: a queue, after Mellor-Crummey and Scott.
 *
 * The lock is one word, the last place in the queue. A thread that wants the lock puts a place of its own there by an
 * atomic exchange. If there was one before, the thread tells that one who comes next, and waits on its own place, in
 * its own memory, until it receives its turn. So asking is one round trip, waiting costs the others nothing, handing on
 * is one message, and turns come in the order of the exchanges. A model checks this exhaustively:
 * tests/protocols/lock_queue.pml.
 *
 * A place says which place it waits for, so that a message to a thread that misuses a lock can name the holder. A
 * private table, keyed by lock, finds the places of the locks that this thread holds. An entry can be out of date if
 * the lock has been freed meanwhile, so that before a complaint the queue itself is looked at.
 */
#include "gas/lock_queue.h"

#include <stdlib.h>

#include "gas/calls.h"
#include "gas/sync.h"

enum { PLACES = 64, FIRST_TABLE = 64 };
enum { LOOKS = 8 }; /* releases of own locks between which this thread looks for messages while it does not hold them */
#define UNKNOWN 1ul /* in `before`: it has just joined */

/* Accessed by others: `next` and `granted` are written, all are read. */
struct place {
    _Alignas(64) uint64_t granted;
    uint64_t next;   /* the place that waits for this one */
    uint64_t before; /* the place that this one waits for; 0: it holds the lock, or has held it */
    uint64_t lock;   /* that it holds; 0: none */
    struct place *next_free;
    unsigned pthread; /* of the owner, where several of its POSIX threads call; its own business */
};
#define NEXT offsetof(struct place, next)
#define BEFORE offsetof(struct place, before)
#define LOCK offsetof(struct place, lock)

static struct place *free_places;

static struct place *new_place(void) {
    if (!free_places) {
        fathom_ptr more = gas_alloc(PLACES * sizeof(struct place));
        struct place *p = fathom_local(more);
        if (!more) gas_fatal("no shared memory left for locks; FATHOM_HEAP sets the size of each thread's heap");
        for (int i = 0; i < PLACES; i++) {
            p[i].next_free = free_places;
            free_places = &p[i];
        }
    }
    struct place *p = free_places;
    free_places = p->next_free;
    p->granted = p->next = 0;
    p->before = UNKNOWN;
    p->pthread = core_pthread();
    return p;
}

static void release(struct place *p) {
    __atomic_store_n(&p->lock, 0, __ATOMIC_RELEASE);
    p->next_free = free_places;
    free_places = p;
}

/* The name by which others know an own place. */
static fathom_ptr name_of(const struct place *p) { return fathom_word(p); }

/* Stores a word in another thread's place, and wakes that thread. */
static void store(fathom_ptr at, uint64_t value) {
    int thread = (int)fathom_thread_of(at);
    if (!core_is_near(thread)) {
        core_request(thread, GAS_SYNC_STORE, NULL, 0, (uint64_t[]){at, value}, 2);
        return;
    }
    __atomic_store_n((uint64_t *)fathom_local(at), value, __ATOMIC_SEQ_CST);
    conduit_ring(thread);
}

static void on_store(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    __atomic_store_n((uint64_t *)fathom_local(args[0]), args[1], __ATOMIC_SEQ_CST);
}

void gas_lock_start(void) { core_service(GAS_SYNC_STORE, on_store); }

/* ---- what this thread holds -------------------------------------------------------------------------------------- */

/* Open addressing; a power of two, at most half full. */
struct held {
    fathom_ptr lock;
    struct place *place;
};
static struct held *table;
static size_t table_size, table_used;

static size_t slot_of(fathom_ptr lock) { return (lock >> 3) * 0x9e3779b97f4a7c15ul >> 32 & (table_size - 1); }

/* The lock's entry, or the empty one where it would be. */
static struct held *find(fathom_ptr lock) {
    size_t i = slot_of(lock);
    while (table[i].lock && table[i].lock != lock) i = (i + 1) & (table_size - 1);
    return &table[i];
}

static void hold(fathom_ptr lock, struct place *p) {
    if (2 * (table_used + 1) > table_size) {
        struct held *old = table;
        size_t n = table_size;
        table_size = n ? 2 * n : FIRST_TABLE;
        table = calloc(table_size, sizeof *table);
        if (!table) gas_fatal("no memory for the table of %zu locks that this thread holds", table_used);
        for (size_t i = 0; i < n; i++)
            if (old[i].lock) *find(old[i].lock) = old[i];
        free(old);
    }
    *find(lock) = (struct held){lock, p};
    table_used++;
    __atomic_store_n(&p->lock, lock, __ATOMIC_RELAXED);
}

static struct place *held(fathom_ptr lock) { return table_size ? find(lock)->place : NULL; }

static void forget(fathom_ptr lock) {
    struct held *gap = find(lock);
    *gap = (struct held){0, NULL};
    table_used--;
    /* Moves up the entries that had to go further because of the entry that is gone. */
    for (size_t i = (size_t)(gap - table + 1) & (table_size - 1); table[i].lock; i = (i + 1) & (table_size - 1)) {
        struct held moved = table[i];
        table[i] = (struct held){0, NULL};
        *find(moved.lock) = moved;
    }
}

/* ---- looking at a queue ------------------------------------------------------------------------------------------ */

static bool is_place(fathom_ptr p) {
    long t = fathom_thread_of(p);
    uint64_t offset = fathom_offset_of(p);
    return p % _Alignof(struct place) == 0 && t >= 0 && t < fathom_threads && offset >= core_memory.static_bytes &&
           offset < core_memory.segment_bytes;
}

/* The place at the queue's head, 0 if the lock is free; or `mine`, if that is in the queue. Only for messages and for
 * the question whether an entry of the table is out of date: the others' places change meanwhile. */
static fathom_ptr head_of(fathom_ptr lock, fathom_ptr mine) {
    fathom_ptr p = gas_get_value(lock, 8);
    for (int i = 0; i < fathom_threads && p != mine && is_place(p); i++) {
        fathom_ptr before = gas_get_value(p + BEFORE, 8);
        if (!is_place(before)) break;
        p = before;
    }
    return p;
}

/* Does this thread hold the lock? */
static bool is_mine(fathom_ptr lock) {
    struct place *p = held(lock);
    if (__builtin_expect(!p || p->pthread != core_pthread(), 1)) return false;
    if (head_of(lock, name_of(p)) == name_of(p)) return true;
    forget(lock); /* the lock was freed while this thread held it, and another is in its place */
    release(p);
    return false;
}

/* ---- the lock ---------------------------------------------------------------------------------------------------- */

static uint64_t granted(const struct place *p) { return __atomic_load_n(&p->granted, __ATOMIC_SEQ_CST); }

static void wait_for_turn(struct place *p, fathom_ptr former, fathom_ptr lock) {
    int thread = (int)fathom_thread_of(former);
    for (unsigned round = 0; !granted(p);) {
        const char *why = core_wait(&round) ? gas_calls_in_vain(thread) : NULL;
        /* It does nothing further: so it has the lock, unless it has handed that on; it does not get it again before this thread. */
        if (why && gas_get_value(former + LOCK, 8) == lock && !granted(p))
            gas_fatal("waits for a lock that thread %d holds, %s: it would wait forever", thread, why);
    }
}

static void note(enum conduit_note what, fathom_ptr lock) {
    if (core_overrides.note) core_overrides.note(what, lock, sizeof(uint64_t));
}

void gas_queue_lock(fathom_ptr lock) {
    CORE_GATE;
    if (__builtin_expect(is_mine(lock), 0)) gas_fatal("cannot take a lock that this thread already holds");
    note(CONDUIT_LOCK_ASKED, lock);
    struct place *p = new_place();
    uint64_t name = name_of(p), former;
    gas_atomic(&former, lock, GAS_U64, GAS_SWAP, &name, NULL);
    if (former) {
        if (!is_place(former)) gas_fatal("cannot take 0x%lx: it is not a lock, or one that has been freed", lock);
        __atomic_store_n(&p->before, former, __ATOMIC_RELAXED);
        store(former + NEXT, name);
        wait_for_turn(p, former, lock);
    }
    __atomic_store_n(&p->before, 0, __ATOMIC_RELAXED);
    hold(lock, p);
    fathom_fence();
    note(CONDUIT_LOCK_TAKEN, lock);
}

int gas_queue_trylock(fathom_ptr lock) {
    CORE_GATE;
    if (__builtin_expect(is_mine(lock), 0)) gas_fatal("cannot take a lock that this thread already holds");
    struct place *p = new_place();
    uint64_t none = 0, name = name_of(p), former;
    p->before = 0;
    gas_atomic(&former, lock, GAS_U64, GAS_CSWAP, &none, &name);
    if (former) {
        release(p);
        return 0;
    }
    hold(lock, p);
    fathom_fence();
    note(CONDUIT_LOCK_TAKEN, lock);
    return 1;
}

static _Noreturn void not_mine(fathom_ptr lock) {
    fathom_ptr p = head_of(lock, 0);
    if (!p) gas_fatal("cannot release a lock that nobody holds");
    if (!is_place(p)) gas_fatal("cannot release 0x%lx: it is not a lock, or one that has been freed", lock);
    gas_fatal("cannot release a lock that thread %ld holds", fathom_thread_of(p));
}

void gas_queue_unlock(fathom_ptr lock) {
    CORE_GATE;
    struct place *p = held(lock);
    if (__builtin_expect(!p, 0)) not_mine(lock);
    if (__builtin_expect(p->pthread != core_pthread(), 0))
        gas_fatal("cannot release a lock that another POSIX thread of this process holds");
    forget(lock);
    fathom_fence();
    note(CONDUIT_LOCK_FREED, lock);
    uint64_t next = __atomic_load_n(&p->next, __ATOMIC_ACQUIRE);
    if (!next) {
        uint64_t name = name_of(p), none = 0, last;
        gas_atomic(&last, lock, GAS_U64, GAS_CSWAP, &name, &none);
        if (last == name) {
            release(p);
            /* The fences look for messages, too, but while the lock is held: others' attempts would never find it free. */
            static unsigned released;
            if (fathom_thread_of(lock) == fathom_mythread && ++released % LOOKS == 0) core_poll();
            return;
        }
        /* A thread has joined and is about to say so. */
        for (unsigned round = 0; !(next = __atomic_load_n(&p->next, __ATOMIC_ACQUIRE));) core_wait(&round);
    }
    release(p);
    store(next + offsetof(struct place, granted), 1);
}
