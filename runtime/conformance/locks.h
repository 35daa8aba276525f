/* What holds of every kind of lock: those of gas.h, in order (locks.c), and those that upc_lock is made of
 * (locks_barging.c). */
#ifndef CONFORMANCE_LOCKS_H
#define CONFORMANCE_LOCKS_H

#include <unistd.h>

#include "suite.h"

struct lock_kind {
    void (*lock)(fathom_ptr lock);
    int (*trylock)(fathom_ptr lock);
    void (*unlock)(fathom_ptr lock);
};

static inline fathom_ptr locks_begin(void) {
    fathom_ptr lock = everywhere(64);
    memset(here(lock), 0, 64);
    gas_barrier();
    return lock;
}

/* Increments that are not atomic, on a thread that is not always the lock's. */
static inline void locks_increment_under(const struct lock_kind *k, fathom_ptr lock, fathom_ptr counter, long rounds,
                                         bool by_trying) {
    for (long i = 0; i < rounds; i++) {
        if (by_trying)
            WAIT_UNTIL(k->trylock(lock));
        else
            k->lock(lock);
        gas_put_value(counter, gas_get_value(counter, 8) + 1, 8);
        k->unlock(lock);
    }
}

static inline void locks_exclude(const struct lock_kind *k, bool by_trying) {
    fathom_ptr locks = locks_begin();
    fathom_ptr counters = everywhere(8);
    *(uint64_t *)here(counters) = 0;
    gas_barrier();
    long rounds = suite_rounds(60);
    for (int t = 0; t < count() && t < 3; t++) {
        fathom_ptr counter = on((t + 1) % count(), counters);
        locks_increment_under(k, on(t, locks), counter, rounds, by_trying);
        gas_barrier();
        EQUAL(rounds * count(), gas_get_value(counter, 8));
        gas_barrier();
    }
    free_everywhere(counters);
    free_everywhere(locks);
}

static inline void locks_try(const struct lock_kind *k) {
    fathom_ptr locks = locks_begin(), lock = on(count() - 1, locks);
    if (me() == 0) EQUAL(1, k->trylock(lock));
    gas_barrier();
    if (me() != 0) EQUAL(0, k->trylock(lock));
    gas_barrier();
    if (me() == 0) k->unlock(lock);
    gas_barrier();
    if (me() == count() - 1) {
        EQUAL(1, k->trylock(lock));
        k->unlock(lock);
    }
    free_everywhere(locks);
}

/* All want all of the locks, some hold two. */
static inline void locks_at_random(const struct lock_kind *k) {
    fathom_ptr locks = locks_begin(), counters = everywhere(8);
    *(uint64_t *)here(counters) = 0;
    gas_barrier();
    uint64_t sum = 0, all = 0, added = 0;
    for (long i = suite_rounds(80); i-- > 0;) {
        int t = (int)random_below(&mine, (uint64_t)count()), u = (int)random_below(&mine, (uint64_t)count());
        if (t > u) {
            int swap = t;
            t = u, u = swap;
        }
        k->lock(on(t, locks));
        if (u != t) k->lock(on(u, locks));
        gas_put_value(on(t, counters), gas_get_value(on(t, counters), 8) + 1, 8), added++;
        if (u != t) gas_put_value(on(u, counters), gas_get_value(on(u, counters), 8) + 1, 8), added++;
        if (u != t) k->unlock(on(u, locks));
        k->unlock(on(t, locks));
    }
    gas_barrier();
    gas_all_reduce(gas_world(), &all, &added, 1, GAS_U64, GAS_ADD, 0);
    gas_all_reduce(gas_world(), &sum, (uint64_t *)here(counters), 1, GAS_U64, GAS_ADD, 0);
    EQUAL(all, sum);
    free_everywhere(counters);
    free_everywhere(locks);
}

/* ---- a holder that waits ------------------------------------------------------------------------------------------ */

enum { LOCKS_LATE_US = 350000 }; /* longer than a thread waits until it looks what the holder does, three times */
#define LOCKS_IN_VAIN(where)                                                                                           \
    "fathom: thread [0-9]+: waits for a lock that thread 0 holds, which waits for this one " where                     \
    ": it would wait forever( in .*)?\\|"

/* Thread 0 holds it, and calls what the others call later. */
static inline void locks_hold_in(const struct lock_kind *k, void (*call)(void)) {
    fathom_ptr lock = locks_begin();
    if (me() == 0) k->lock(lock);
    gas_barrier();
    if (me() == 0) call();
    k->lock(lock);
    call();
    WAIT_UNTIL(false);
}
static inline void locks_sum(void) {
    int64_t one = 1, sum;
    gas_all_reduce(gas_world(), &sum, &one, 1, GAS_I64, GAS_ADD, 0);
    EQUAL(count(), sum);
}
static inline void locks_sum_begun(void) {
    int64_t one = 1, sum;
    gas_handle h = gas_all_reduce_nb(gas_world(), &sum, &one, 1, GAS_I64, GAS_ADD);
    gas_wait(&h);
    EQUAL(count(), sum);
}

/* Holders that go on: one that asks whether the barrier is over, one that waits at a barrier which the others have begun, and one in a
 * call in which it waits for a thread that does not want the lock. */
static inline void locks_hold_and_go_on(const struct lock_kind *k) {
    fathom_ptr lock = locks_begin();
    int last = count() - 1;
    gas_team pair = gas_team_split(gas_world(), me() == 0 || me() == last ? 0 : -1, 0);
    for (int i = 0; i < 3; i++) {
        if (me() == 0) k->lock(lock);
        gas_barrier();
        if (i == 0) {
            if (me() == 0) {
                gas_barrier_notify();
                for (int j = 0; count() > 1 && j < 100; j++) {
                    ASSERT(!gas_barrier_try(), "the others have not come");
                    usleep(LOCKS_LATE_US / 100);
                }
                k->unlock(lock);
                gas_barrier_wait();
            } else {
                k->lock(lock);
                k->unlock(lock);
                gas_barrier();
            }
        } else if (i == 1) {
            if (me() == last) usleep(LOCKS_LATE_US);
            gas_barrier_notify();
            if (me() == 0) gas_barrier_wait();
            if (me() != 0) k->lock(lock);
            k->unlock(lock);
            if (me() != 0) gas_barrier_wait();
        } else {
            if (me() == last) usleep(LOCKS_LATE_US);
            if (pair) gas_team_barrier(pair);
            if (me() != 0) k->lock(lock);
            k->unlock(lock);
        }
        gas_barrier(); /* thread 0 does not take it again before the others */
    }
    gas_team_free(pair);
    free_everywhere(lock);
}

#endif
