/* The lock that upc_lock is made of: one holder at a time, no order, but nobody starves (gas/lock_barging.h). */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gas/lock_barging.h"
#include "gas/sync.h"
#include "locks.h"

static const struct lock_kind barging = {gas_barging_lock, gas_barging_trylock, gas_barging_unlock};

CASE(barging_locks_exclude_each_other) { locks_exclude(&barging, false); }
CASE(barging_locks_taken_by_trying_exclude_each_other) { locks_exclude(&barging, true); }
CASE(barging_locks_tried_are_taken_or_not_but_never_waited_for) { locks_try(&barging); }
CASE(barging_locks_many_at_random) { locks_at_random(&barging); }
CASE(barging_locks_whose_holders_wait_and_go_on) { locks_hold_and_go_on(&barging); }
ENDS(barging_lock_whose_holder_is_at_a_barrier, 2, 1, LOCKS_IN_VAIN("at a barrier")) {
    locks_hold_in(&barging, gas_barrier);
}
ENDS(barging_lock_whose_holder_is_in_a_collective, 2, 1, LOCKS_IN_VAIN("in a reduction for all")) {
    locks_hold_in(&barging, locks_sum);
}
ENDS(barging_lock_whose_holder_waits_for_a_handle, 2, 1, LOCKS_IN_VAIN("for the handle of a reduction for all")) {
    locks_hold_in(&barging, locks_sum_begun);
}

/* Thread 0 has the lock nearly always, until each other thread has had it several times. */
CASE(barging_locks_are_got_although_another_takes_them_all_the_time) {
    fathom_ptr lock = locks_begin(), ended = everywhere(8);
    *(uint64_t *)here(ended) = 0;
    gas_barrier();
    if (me() == 0) {
        while (gas_get_value(on(0, ended), 8) != (uint64_t)count() - 1) {
            for (int i = 0; i < 1000; i++) {
                gas_barging_lock(lock);
                gas_barging_unlock(lock);
            }
            gas_poll();
        }
    } else {
        for (long i = suite_rounds(5); i-- > 0;) {
            gas_barging_lock(lock);
            gas_barging_unlock(lock);
        }
        gas_barging_lock(lock);
        gas_put_value(on(0, ended), gas_get_value(on(0, ended), 8) + 1, 8);
        gas_barging_unlock(lock);
    }
    free_everywhere(ended);
    free_everywhere(lock);
}

static volatile uint64_t *is_stopped, *may_go;
static void stop_for_a_while(int signal) {
    (void)signal;
    *is_stopped = 1;
    while (!*may_go) usleep(100);
}

/* Thread 1 waits for the lock and is then kept from running. So it cannot take the lock, but thread 0 may not have it
 * for ever either. */
CASE(barging_locks_are_left_free_for_a_waiter_that_has_been_overtaken_often) {
    if (!gas_all_near() || count() < 2) return;
    fathom_ptr lock = locks_begin(), words = everywhere(24);
    volatile uint64_t *process = (uint64_t *)fathom_local(on(1, words));
    is_stopped = process + 1, may_go = process + 2;
    if (me() == 1) {
        *process = (uint64_t)getpid(), *is_stopped = *may_go = 0;
        signal(SIGUSR1, stop_for_a_while);
    }
    if (me() == 0) gas_barging_lock(lock);
    gas_barrier();
    if (me() == 0) {
        WAIT_UNTIL(gas_get_value(lock, 4) & GAS_BARGING_AWAITED);
        syscall(SYS_tgkill, (pid_t)*process, (pid_t)*process, SIGUSR1);
        WAIT_UNTIL(*is_stopped);
        gas_barging_unlock(lock);
        long n = 0;
        for (; n <= GAS_BARGING_MOST_PASSED && gas_barging_trylock(lock); n++) gas_barging_unlock(lock);
        ASSERT(n <= GAS_BARGING_MOST_PASSED, "the waiter is overtaken more than %d times", GAS_BARGING_MOST_PASSED);
        EQUAL(0, gas_barging_trylock(lock));
        *may_go = 1;
    } else if (me() == 1) {
        gas_barging_lock(lock);
        EQUAL(1, *may_go);
        gas_barging_unlock(lock);
        signal(SIGUSR1, SIG_DFL);
    }
    free_everywhere(words);
    free_everywhere(lock);
}

ENDS(barging_lock_taken_twice, 1, 1, "fathom: thread [0-9]+: .*already holds.*\\|") {
    fathom_ptr lock = locks_begin();
    if (me() == count() - 1) gas_barging_lock(lock), gas_barging_lock(lock);
    gas_barrier();
}
ENDS(barging_lock_released_that_is_free, 1, 1, "fathom: thread [0-9]+: .*nobody holds.*\\|") {
    fathom_ptr lock = locks_begin();
    if (me() == count() - 1) gas_barging_unlock(lock);
    gas_barrier();
}
ENDS(barging_lock_released_that_another_holds, 2, 1, "fathom: thread [0-9]+: .*\\|") {
    fathom_ptr lock = locks_begin();
    if (me() == 0) gas_barging_lock(lock);
    gas_barrier();
    if (me() == 1) gas_barging_unlock(lock);
    gas_barrier();
    gas_barrier();
}
ENDS(barging_lock_held_by_a_thread_that_has_terminated, 2, 1,
     "fathom: thread [0-9]+: .*has (already )?terminated.*\\|") {
    fathom_ptr lock = locks_begin();
    if (me() == 1) gas_barging_lock(lock);
    gas_barrier();
    if (me() == 1) exit(0);
    gas_barging_lock(lock);
    gas_barrier();
}
