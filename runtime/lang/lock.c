/* upc_lock_t (UPC 1.3, 7.2.4): the lock of gas that promises no order, which orders accesses as the clauses ask, with a
 * mark that tells a lock from other memory. A lock lies on the thread that allocated it; those of upc_all_lock_alloc on
 * each thread in turn, so that many locks do not meet on thread 0.
 *
 * The mark of a far lock is not looked at, which would cost a round trip; but no lock of gas has the words that a lock
 * has after it was freed, so that gas complains.
 */
#include "gas/gas_internal.h"
#include "gas/lock_barging.h"
#include "lang/library.h"

#define MARK 0x75706c6f636b2174ul

struct lock {
    uint64_t gas[6]; /* gas_barging_lock's */
    uint64_t mark;
    uint64_t unused;
};
_Static_assert(sizeof(struct lock) == 64, "a lock is a cache line");

/* The thread itself may hold the lock's memory, and changes it without a message. */
static void in_order(void) {
    if (core_overrides.in_order) core_overrides.in_order(false);
}

static void check(fathom_ptr lock, const char *what) {
    if (__builtin_expect(!lock, 0)) gas_fatal("%s of a null pointer", what);
    if (__builtin_expect(fathom_is_near(lock) && ((struct lock *)fathom_local(lock))->mark != MARK, 0))
        gas_fatal("%s of 0x%lx, which is not a lock, or one that has been freed", what, lock);
}

static fathom_ptr initialised(fathom_ptr lock) {
    if (!lock) gas_fatal("no shared memory left for a lock; FATHOM_HEAP sets the size of each thread's heap");
    struct lock fresh = {.mark = MARK};
    gas_put(lock, &fresh, sizeof fresh);
    fathom_fence();
    return lock;
}

fathom_ptr upc_global_lock_alloc(void) { return initialised(gas_alloc(sizeof(struct lock))); }

fathom_ptr upc_all_lock_alloc(void) {
    static unsigned turn;
    return gas_from_thread((int)(turn++ % (unsigned)fathom_threads), upc_global_lock_alloc);
}

/* Succeeds whether the lock is locked or not (7.2.4.4 p3). */
void upc_lock_free(fathom_ptr lock) {
    if (!lock) return;
    check(lock, "upc_lock_free");
    struct lock freed = {.gas = {~0ul, ~0ul, ~0ul, ~0ul, ~0ul, ~0ul}};
    gas_put(lock, &freed, sizeof freed);
    gas_free(lock);
}

void upc_all_lock_free(fathom_ptr lock) {
    gas_barrier();
    if (fathom_mythread == 0) upc_lock_free(lock);
}

/* Before UPC 1.2: a lock object that the program declared or allocated, made an unlocked lock. */
void upc_lock_init(fathom_ptr lock) {
    if (!lock) gas_fatal("upc_lock_init of a null pointer");
    initialised(lock);
}

/* Taking a lock and releasing it are null strict accesses (7.2.4.6 to 7.2.4.8): plain accesses that follow stay behind. */
void upc_lock(fathom_ptr lock) {
    check(lock, "upc_lock");
    in_order();
    gas_barging_lock(lock);
    fathom_fence_after_atomic();
}

int upc_lock_attempt(fathom_ptr lock) {
    check(lock, "upc_lock_attempt");
    in_order();
    int taken = gas_barging_trylock(lock);
    if (!taken) fathom_look(); /* the program may try again at once */
    fathom_fence_after_atomic();
    return taken;
}

void upc_unlock(fathom_ptr lock) {
    check(lock, "upc_unlock");
    in_order();
    gas_barging_unlock(lock);
    fathom_fence_after_atomic();
}
