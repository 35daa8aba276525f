/* The lock of lock_barging.h. UPC does not say in which order threads get a lock (7.2.4.6), and an order is expensive
 * where threads outnumber processors: a lock that is handed to a sleeping thread is idle until that thread runs, some
 * microseconds later, even if running threads want it. So any thread that finds the lock free takes it ("barging"),
 * usually the thread that has just released it.
 *
 * The lock is one word with its holder. If no thread waits, taking it and releasing it are one atomic operation each,
 * which also detects a thread that misuses the lock. Waiting threads queue up by tickets, and only the first of them,
 * while the others sleep, tries to take the lock: so a release wakes at most one thread, and none that is awake.
 *
 * No thread starves. From the moment when the first waiter has marked the lock, each release counts. When the first
 * waiter has been overtaken MOST_PASSED times, or has itself tried MOST_VAIN times between sleeps or yields, the lock
 * is reserved: the next release leaves it to the first waiter, and any other thread that asks has to queue. So a thread
 * that waits behind n others is overtaken at most n * (MOST_PASSED + 1) + MOST_PASSED times after that moment.
 * MOST_PASSED short sections take several times as long as waking a thread; MOST_VAIN is for long ones.
 *
 * A model checks this exhaustively: tests/protocols/lock.pml.
 *
 * Where some threads are far, the lock is gas.h's lock, a queue (lock_queue.c): handing that on is one message, but
 * each attempt to take a far word is a round trip.
 */
#include "gas/lock_barging.h"

#include "gas/calls.h"
#include "gas/lock_queue.h"
#include "gas/sync.h"

#define FIRST GAS_BARGING_AWAITED /* in the word: a thread waits, and the releaser counts and wakes */
#define RESERVED (1u << 31)       /* only the first may take it */
#define HOLDER (FIRST - 1)        /* thread + 1; 0: free */
enum { MOST_PASSED = GAS_BARGING_MOST_PASSED, MOST_VAIN = 8 };

struct barging_lock {
    uint32_t word;
    uint32_t passed;  /* how often the first has been overtaken; the holder's */
    uint32_t next;    /* the ticket of the next thread that has to wait */
    uint32_t serving; /* the ticket of the first waiter */
    bool to_wake;     /* the holder must wake it, which may sleep until its turn */
};
_Static_assert(sizeof(struct barging_lock) <= 48, "what gas.h grants");

static uint32_t self(void) { return (uint32_t)fathom_mythread + 1; }
static uint32_t bit(uint32_t ticket) { return 1u << (ticket & 31); }
static uint32_t look(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }

static bool swap(uint32_t *word, uint32_t old, uint32_t new) {
    return __atomic_compare_exchange_n(word, &old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* Takes the lock if it is free, even if a thread waits. */
static bool barge(uint32_t *word) {
    for (uint32_t now;;) {
        now = look(word);
        if (__builtin_expect((now & HOLDER) == self(), 0))
            gas_fatal("cannot take a lock that this thread already holds");
        if (now & (HOLDER | RESERVED)) return false;
        if (swap(word, now, now | self())) return true;
    }
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

/* A holder that is stuck releases nothing any more: so the lock is looked at again after that check. */
static void look_for_holder(struct barging_lock *l, fathom_ptr lock) {
    uint32_t holder = look(&l->word) & HOLDER;
    if (holder > (uint32_t)fathom_threads) gas_fatal("waits for lock 0x%lx, which has been freed meanwhile", lock);
    const char *why = holder ? gas_calls_in_vain((int)holder - 1) : NULL;
    if (why && (look(&l->word) & HOLDER) == holder)
        gas_fatal("waits for a lock that thread %u holds, %s: it would wait forever", holder - 1, why);
}

static void become_first(struct barging_lock *l, uint32_t ticket, fathom_ptr lock) {
    uint32_t serving;
    for (unsigned round = CORE_DROWSY; (serving = look(&l->serving)) != ticket;)
        if (core_wait_word(&round, &l->serving, serving, bit(ticket))) look_for_holder(l, lock);
}

/* The first waiter: takes the lock when it is free, reserved or not. */
static void take_as_first(struct barging_lock *l, uint32_t ticket, fathom_ptr lock) {
    uint32_t now;
    int vain = 0;
    for (unsigned round = 0;;) {
        now = look(&l->word);
        if (!(now & HOLDER)) {
            /* The threads behind this one are still waiting for their turn; one of them will be the first. */
            uint32_t others = look(&l->next) != ticket + 1 ? FIRST : 0;
            if (swap(&l->word, now, self() | others)) return;
            continue;
        }
        uint32_t wanted = now | FIRST | (vain >= MOST_VAIN ? RESERVED : 0);
        if (wanted != now && !swap(&l->word, now, wanted)) continue;
        if (core_wait_word(&round, &l->word, wanted, 1)) look_for_holder(l, lock);
        if (round > CORE_SPUN) vain++;
    }
}

static __attribute__((noinline)) void wait_for(struct barging_lock *l, fathom_ptr lock) {
    uint32_t ticket = __atomic_fetch_add(&l->next, 1, __ATOMIC_SEQ_CST);
    become_first(l, ticket, lock);
    take_as_first(l, ticket, lock);
    l->passed = 0;
    __atomic_store_n(&l->serving, ticket + 1, __ATOMIC_SEQ_CST);
    l->to_wake = look(&l->next) != ticket + 1;
    if (l->to_wake && !(look(&l->word) & FIRST)) __atomic_fetch_or(&l->word, FIRST, __ATOMIC_SEQ_CST);
}

/* ---- the lock ---------------------------------------------------------------------------------------------------- */

void gas_barging_lock(fathom_ptr lock) {
    if (!gas_all_near()) {
        gas_queue_lock(lock);
        return;
    }
    struct barging_lock *l = fathom_local(lock);
    if (__builtin_expect(swap(&l->word, 0, self()), 1)) return;
    if (!barge(&l->word)) wait_for(l, lock);
}

int gas_barging_trylock(fathom_ptr lock) {
    if (!gas_all_near()) return gas_queue_trylock(lock);
    struct barging_lock *l = fathom_local(lock);
    return barge(&l->word);
}

/* A thread waits, and waits until this thread has released the lock. */
static __attribute__((noinline)) void release_to_others(struct barging_lock *l) {
    uint32_t reserved = ++l->passed > MOST_PASSED ? RESERVED : 0, now, first = l->serving;
    bool to_wake = l->to_wake;
    l->to_wake = false;
    do now = look(&l->word);
    while (!swap(&l->word, now, (now & ~HOLDER) | reserved));
    if (to_wake) conduit_wake(&l->serving, fathom_threads, bit(first));
    conduit_wake(&l->word, 1, 1);
}

void gas_barging_unlock(fathom_ptr lock) {
    if (!gas_all_near()) {
        gas_queue_unlock(lock);
        return;
    }
    struct barging_lock *l = fathom_local(lock);
    uint32_t now = __atomic_load_n(&l->word, __ATOMIC_RELAXED);
    if (__builtin_expect((now & HOLDER) != self(), 0)) {
        if (!(now & HOLDER)) gas_fatal("cannot release a lock that nobody holds");
        gas_fatal("cannot release a lock that thread %u holds", (now & HOLDER) - 1);
    }
    if (__builtin_expect(now != self() || !swap(&l->word, now, 0), 0)) release_to_others(l);
}
