/* Locks: one holder at a time, in the order of coming, and everything written under it is seen by the next. */
#include "locks.h"

static const struct lock_kind in_order = {gas_lock, gas_trylock, gas_unlock};

CASE(locks_exclude_each_other) { locks_exclude(&in_order, false); }
CASE(locks_taken_by_trying_exclude_each_other) { locks_exclude(&in_order, true); }

CASE(locks_tried_are_taken_or_not_but_never_waited_for) { locks_try(&in_order); }

static volatile bool may_ask;
static int on_ask;
static void let_ask(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    may_ask = true;
}

/* Thread 0 holds the lock and lets the others ask one after the other; they get it in that order. That one has come
 * shows in the lock's first word, which holds the next ticket or the last place of the queue. The other words may
 * change later, when one that has come before goes to sleep. */
CASE(locks_are_given_in_the_order_of_coming) {
    if (!on_ask) on_ask = gas_register(let_ask);
    fathom_ptr lock = locks_begin(), order = everywhere(8 + 8 * (size_t)count());
    *(uint64_t *)here(order) = 0;
    may_ask = false;
    gas_barrier();
    if (me() == 0) {
        gas_lock(lock);
        for (int t = count() - 1; t > 0; t--) {
            uint64_t before = gas_get_value(lock, 8);
            gas_request_short(t, on_ask, NULL, 0);
            WAIT_UNTIL(gas_get_value(lock, 8) != before);
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

CASE(locks_many_at_random) { locks_at_random(&in_order); }
CASE(locks_whose_holders_wait_and_go_on) { locks_hold_and_go_on(&in_order); }
ENDS(lock_whose_holder_is_at_a_barrier, 2, 1, LOCKS_IN_VAIN("at a barrier")) { locks_hold_in(&in_order, gas_barrier); }
ENDS(lock_whose_holder_is_in_a_collective, 2, 1, LOCKS_IN_VAIN("in a reduction for all")) {
    locks_hold_in(&in_order, locks_sum);
}
ENDS(lock_whose_holder_waits_for_a_handle, 2, 1, LOCKS_IN_VAIN("for the handle of a reduction for all")) {
    locks_hold_in(&in_order, locks_sum_begun);
}

ENDS(lock_taken_twice, 1, 1, "fathom: thread [0-9]+: .*already holds.*\\|") {
    fathom_ptr lock = locks_begin();
    if (me() == count() - 1) gas_lock(lock), gas_lock(lock);
    gas_barrier();
}
ENDS(lock_released_that_is_free, 1, 1, "fathom: thread [0-9]+: .*nobody holds.*\\|") {
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
