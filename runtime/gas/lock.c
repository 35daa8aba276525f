/* Locks of gas.h. Where all threads are near each other: tickets, so that threads get the lock in the order in which
 * they asked. The next waiter spins briefly; the others, and all where threads outnumber cores, sleep on the number
 * being served. A release wakes by the ticket's bit, so that of 32 sleepers only the one whose turn it is gets up.
 *
 * The holder is recorded, which costs nothing beside the ticket's atomic. So misuse ends with a message: taking a lock
 * that the thread holds, releasing one that it does not hold, waiting for a thread that has terminated.
 *
 * A model checks this exhaustively: tests/protocols/lock_tickets.pml.
 *
 * Where some threads are far: a queue (lock_queue.c), in which no thread waits on another's memory.
 */
#include "gas/calls.h"
#include "gas/lock_queue.h"
#include "gas/sync.h"

struct ticket_lock {  /* of the 48 bytes that gas.h grants */
    uint32_t next;    /* the ticket that the next to come gets */
    uint32_t serving; /* the ticket that holds the lock, or may take it */
    uint32_t holder;  /* self(); 0: free, or just handed on */
    uint32_t sleepers;
};

static struct ticket_lock *at(fathom_ptr lock) { return fathom_local(lock); }
static uint32_t bit(uint32_t ticket) { return 1u << (ticket & 31); }
/* Thread + 1, and above it the number of the POSIX thread, where several of a process call. */
enum { THREAD_BITS = 20 };
_Static_assert(CONDUIT_MAX_NEAR < 1 << THREAD_BITS && CORE_MOST_PTHREADS <= 1 << (32 - THREAD_BITS), "both fit");
static uint32_t self(void) { return (uint32_t)fathom_mythread + 1 + (core_pthread() << THREAD_BITS); }
static uint32_t thread_of(uint32_t holder) { return (holder & ((1u << THREAD_BITS) - 1)) - 1; }

static void wait_for_turn(struct ticket_lock *l, uint32_t ticket) {
    uint32_t serving = __atomic_load_n(&l->serving, __ATOMIC_ACQUIRE);
    unsigned round = ticket - serving <= 2 ? 0 : CORE_SPUN;
    __atomic_fetch_add(&l->sleepers, 1, __ATOMIC_SEQ_CST);
    while ((serving = __atomic_load_n(&l->serving, __ATOMIC_SEQ_CST)) != ticket) {
        if (!core_wait_word(&round, &l->serving, serving, bit(ticket))) continue;
        uint32_t holder = __atomic_load_n(&l->holder, __ATOMIC_RELAXED);
        if (!holder || thread_of(holder) >= (uint32_t)fathom_threads) continue;
        const char *why = gas_calls_in_vain((int)thread_of(holder));
        /* It releases nothing any more: so the lock is looked at again after that check. */
        if (why && __atomic_load_n(&l->holder, __ATOMIC_RELAXED) == holder)
            gas_fatal("waits for a lock that thread %u holds, %s: it would wait forever", thread_of(holder), why);
    }
    __atomic_fetch_sub(&l->sleepers, 1, __ATOMIC_RELAXED);
}

void gas_lock(fathom_ptr lock) {
    if (!gas_all_near()) {
        gas_queue_lock(lock);
        return;
    }
    struct ticket_lock *l = at(lock);
    if (__builtin_expect(__atomic_load_n(&l->holder, __ATOMIC_RELAXED) == self(), 0))
        gas_fatal("cannot take a lock that this thread already holds");
    uint32_t ticket = __atomic_fetch_add(&l->next, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&l->serving, __ATOMIC_ACQUIRE) != ticket) wait_for_turn(l, ticket);
    __atomic_store_n(&l->holder, self(), __ATOMIC_RELAXED);
}

static int try_ticket(fathom_ptr lock) {
    struct ticket_lock *l = at(lock);
    if (__builtin_expect(__atomic_load_n(&l->holder, __ATOMIC_RELAXED) == self(), 0))
        gas_fatal("cannot take a lock that this thread already holds");
    uint32_t ticket = __atomic_load_n(&l->serving, __ATOMIC_ACQUIRE);
    /* `next` equals it only if no thread holds the lock and none waits. */
    if (!__atomic_compare_exchange_n(&l->next, &(uint32_t){ticket}, ticket + 1, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_RELAXED))
        return 0;
    __atomic_store_n(&l->holder, self(), __ATOMIC_RELAXED);
    return 1;
}

int gas_trylock(fathom_ptr lock) {
    int taken = gas_all_near() ? try_ticket(lock) : gas_queue_trylock(lock);
    if (!taken) fathom_look(); /* the program may try again at once */
    return taken;
}

void gas_unlock(fathom_ptr lock) {
    if (!gas_all_near()) {
        gas_queue_unlock(lock);
        return;
    }
    struct ticket_lock *l = at(lock);
    uint32_t holder = __atomic_load_n(&l->holder, __ATOMIC_RELAXED);
    if (__builtin_expect(holder != self(), 0)) {
        if (!holder) gas_fatal("cannot release a lock that nobody holds");
        gas_fatal("cannot release a lock that thread %u holds%s", thread_of(holder),
                  thread_of(holder) == (uint32_t)fathom_mythread ? ", by another of its POSIX threads" : "");
    }
    __atomic_store_n(&l->holder, 0, __ATOMIC_RELAXED);
    /* The exchange orders it before the look at `sleepers`, and is the null strict access of 7.2.4.8. */
    uint32_t turn = l->serving + 1;
    __atomic_exchange_n(&l->serving, turn, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&l->sleepers, __ATOMIC_SEQ_CST)) conduit_wake(&l->serving, fathom_threads, bit(turn));
}
