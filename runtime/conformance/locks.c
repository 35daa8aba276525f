/* Locks: one holder at a time, in the order of coming, and everything written under it is seen by the next. */
#include "suite.h"

static fathom_ptr locks_begin(void) {
    fathom_ptr lock = everywhere(64);
    memset(here(lock), 0, 64);
    gas_barrier();
    return lock;
}

/* Increments that are not atomic, on a thread that is not always the lock's. */
static void increment_under(fathom_ptr lock, fathom_ptr counter, long rounds, bool by_trying) {
    for (long i = 0; i < rounds; i++) {
        if (by_trying) WAIT_UNTIL(gas_trylock(lock));
        else gas_lock(lock);
        gas_put_value(counter, gas_get_value(counter, 8) + 1, 8);
        gas_unlock(lock);
    }
}

static void exclude(bool by_trying) {
    fathom_ptr locks = locks_begin();
    fathom_ptr counters = everywhere(8);
    *(uint64_t *)here(counters) = 0;
    gas_barrier();
    long rounds = suite_rounds(60);
    for (int t = 0; t < count() && t < 3; t++) {
        fathom_ptr counter = on((t + 1) % count(), counters);
        increment_under(on(t, locks), counter, rounds, by_trying);
        gas_barrier();
        EQUAL(rounds * count(), gas_get_value(counter, 8));
        gas_barrier();
    }
    free_everywhere(counters);
    free_everywhere(locks);
}
CASE(locks_exclude_each_other) { exclude(false); }
CASE(locks_taken_by_trying_exclude_each_other) { exclude(true); }

CASE(locks_tried_are_taken_or_not_but_never_waited_for) {
    fathom_ptr locks = locks_begin(), lock = on(count() - 1, locks);
    if (me() == 0) EQUAL(1, gas_trylock(lock));
    gas_barrier();
    if (me() != 0) EQUAL(0, gas_trylock(lock));
    gas_barrier();
    if (me() == 0) gas_unlock(lock);
    gas_barrier();
    if (me() == count() - 1) {
        EQUAL(1, gas_trylock(lock));
        gas_unlock(lock);
    }
    free_everywhere(locks);
}

static volatile bool may_ask;
static int on_ask;
static void let_ask(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    may_ask = true;
}

/* Thread 0 holds the lock and lets the others ask one after the other; they get it in that order. That one has come
 * shows in the lock itself, whatever its form: its words change. */
CASE(locks_are_given_in_the_order_of_coming) {
    if (!on_ask) on_ask = gas_register(let_ask);
    fathom_ptr lock = locks_begin(), order = everywhere(8 + 8 * (size_t)count());
    *(uint64_t *)here(order) = 0;
    may_ask = false;
    gas_barrier();
    if (me() == 0) {
        gas_lock(lock);
        for (int t = count() - 1; t > 0; t--) {
            uint64_t before[6], now[6];
            gas_get(before, lock, sizeof before);
            gas_request_short(t, on_ask, NULL, 0);
            WAIT_UNTIL((gas_get(now, lock, sizeof now), memcmp(before, now, sizeof now) != 0));
        }
        gas_unlock(lock);
    } else {
        WAIT_UNTIL(may_ask);
        gas_lock(lock);
        uint64_t place = gas_get_value(on(0, order), 8);
        gas_put_value(on(0, order), place + 1, 8);
        gas_put_value(on(0, order) + 8 + 8 * place, (uint64_t)me(), 8);
        gas_unlock(lock);
    }
    gas_barrier();
    if (me() == 0)
        for (int t = 1; t < count(); t++) EQUAL(count() - t, ((uint64_t *)here(order))[t]);
    free_everywhere(order);
    free_everywhere(lock);
}

CASE(locks_many_at_random) {
    fathom_ptr locks = locks_begin(), counters = everywhere(8);
    *(uint64_t *)here(counters) = 0;
    gas_barrier();
    uint64_t sum = 0, all = 0, added = 0;
    for (long i = suite_rounds(80); i-- > 0;) {
        int t = (int)random_below(&mine, (uint64_t)count()), u = (int)random_below(&mine, (uint64_t)count());
        if (t > u) { int swap = t; t = u, u = swap; }
        gas_lock(on(t, locks));
        if (u != t) gas_lock(on(u, locks));
        gas_put_value(on(t, counters), gas_get_value(on(t, counters), 8) + 1, 8), added++;
        if (u != t) gas_put_value(on(u, counters), gas_get_value(on(u, counters), 8) + 1, 8), added++;
        if (u != t) gas_unlock(on(u, locks));
        gas_unlock(on(t, locks));
    }
    gas_barrier();
    gas_all_reduce(gas_world(), &all, &added, 1, GAS_U64, GAS_ADD, 0);
    gas_all_reduce(gas_world(), &sum, (uint64_t *)here(counters), 1, GAS_U64, GAS_ADD, 0);
    EQUAL(all, sum);
    free_everywhere(counters);
    free_everywhere(locks);
}

ENDS(lock_taken_twice, 1, 1, "fathom: thread [0-9]+: .*already holds.*\\|") {
    fathom_ptr lock = locks_begin();
    if (me() == count() - 1) gas_lock(lock), gas_lock(lock);
    gas_barrier();
}
ENDS(lock_released_that_is_free, 1, 1, "fathom: thread [0-9]+: .*not locked.*\\|") {
    fathom_ptr lock = locks_begin();
    if (me() == count() - 1) gas_unlock(lock);
    gas_barrier();
}
ENDS(lock_released_that_another_holds, 2, 1, "fathom: thread [0-9]+: .*\\|") {
    fathom_ptr lock = locks_begin();
    if (me() == 0) gas_lock(lock);
    gas_barrier();
    if (me() == 1) gas_unlock(lock);
    gas_barrier();
    gas_barrier();
}
ENDS(lock_held_by_a_thread_that_has_terminated, 2, 1, "fathom: thread [0-9]+: .*has (already )?terminated.*\\|") {
    fathom_ptr lock = locks_begin();
    if (me() == 1) gas_lock(lock);
    gas_barrier();
    if (me() == 1) exit(0);
    gas_lock(lock);
    gas_barrier();
}
