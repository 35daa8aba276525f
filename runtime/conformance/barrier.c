/* Barriers: nobody leaves before all have come, what was written before is seen after, in every mixture of the whole
 * and the split forms. */
#include <sched.h>
#include <unistd.h>

#include "suite.h"

CASE(barriers_let_nobody_leave_before_all_have_come) {
    fathom_ptr came = everywhere(8 * (size_t)count());
    volatile uint64_t *seen = here(came);
    gas_barrier();
    long rounds = suite_rounds(100);
    for (long i = 1; i <= rounds; i++) {
        for (int t = 0; t < count(); t++) gas_put_value(on(t, came) + 8 * (fathom_ptr)me(), (uint64_t)i, 8);
        gas_barrier();
        for (int t = 0; t < count(); t++)
            ASSERT(seen[t] == (uint64_t)i || seen[t] == (uint64_t)i + 1, "thread %d: %" PRIu64, t, seen[t]);
    }
    free_everywhere(came);
}

/* After the first barrier of a round nobody may write before the second: now the numbers must be equal. */
CASE(barriers_whole_and_split_mixed_at_random) {
    fathom_ptr came = everywhere(8);
    gas_barrier();
    long rounds = suite_rounds(150);
    for (long i = 1; i <= rounds; i++) {
        *(volatile uint64_t *)here(came) = (uint64_t)i;
        for (int half = 0; half < 2; half++) {
            switch (random_below(&mine, 3)) {
            case 0: gas_barrier(); break;
            case 1:
                gas_barrier_notify();
                gas_barrier_wait();
                break;
            default: gas_barrier_notify(); WAIT_UNTIL(gas_barrier_try());
            }
            if (half == 0) EQUAL(i, gas_get_value(on((int)random_below(&mine, (uint64_t)count()), came), 8));
        }
    }
    free_everywhere(came);
}

CASE(barriers_split_let_data_move_between_their_halves) {
    fathom_ptr box = everywhere(8 * (size_t)count());
    gas_barrier();
    for (int i = 1; i <= 20; i++) {
        gas_barrier_notify();
        for (int d = 0; d < count(); d++)
            gas_put_value(on(neighbour(d), box) + 8 * (fathom_ptr)me(), (uint64_t)(i * 1000 + me()), 8);
        gas_barrier_wait();
        gas_barrier();
        for (int t = 0; t < count(); t++) EQUAL(i * 1000 + t, ((uint64_t *)here(box))[t]);
        gas_barrier();
    }
    free_everywhere(box);
}

CASE(barriers_complete_only_when_the_last_has_come) {
    if (count() == 1) return;
    for (int last = 0; last < count(); last++) {
        fathom_ptr word = everywhere(8);
        *(uint64_t *)here(word) = 0;
        gas_barrier();
        if (me() == last) {
            for (int t = 0; t < count(); t++) EQUAL(0, gas_get_value(on(t, word), 8)); /* nobody has got past it yet */
            for (volatile int spin = 0; spin < 100000; spin++) {}
            for (int t = 0; t < count(); t++) EQUAL(0, gas_get_value(on(t, word), 8));
            gas_barrier();
        } else {
            gas_barrier();
            *(volatile uint64_t *)here(word) = 1;
        }
        free_everywhere(word);
    }
}

/* UPC 1.3, 6.6.1: once all threads have notified, everybody's wait completes, whatever a thread does between its notify
 * and its wait. Here it waits for words that all others write after their waits, and calls nothing meanwhile. Through
 * memory: progress_computing.c has the same over messages. */
CASE(barriers_split_complete_once_all_have_notified) {
    for (int t = 0; t < count(); t++)
        if (!fathom_is_near(fathom_make(t, 0))) return;
    if (strcmp(gas_conduit(), "smp") != 0) return;
    fathom_ptr words = everywhere(64);
    uint64_t *word = here(words);
    *word = 0;
    gas_barrier();
    for (long i = 1, rounds = suite_rounds(2) * count(); i <= rounds; i++) {
        int slow = (int)(i % count());
        gas_barrier_notify();
        for (int t = 0; t < count() && me() == slow; t++) {
            uint64_t *other = fathom_local(on(t, words));
            while (t != slow && __atomic_load_n(other, __ATOMIC_ACQUIRE) != (uint64_t)i) sched_yield();
        }
        gas_barrier_wait();
        __atomic_store_n(word, (uint64_t)i, __ATOMIC_RELEASE);
    }
    free_everywhere(words);
}

ENDS(barrier_that_one_thread_never_reaches, 2, 1,
     "fathom: thread [0-9]+: waits at a barrier, but thread 1 has already terminated.*\\|") {
    if (me() == 1) exit(0);
    gas_barrier();
}
ENDS(barrier_tested_that_one_thread_never_reaches, 2, 1,
     "fathom: thread [0-9]+: waits at a barrier, but thread 1 has already terminated.*\\|") {
    if (me() == 1) exit(0);
    gas_barrier_notify();
    while (!gas_barrier_try()) {}
}
ENDS(barrier_waited_for_without_notice, 1, 1, "fathom: thread [0-9]+: .*gas_barrier_wait.*\\|") { gas_barrier_wait(); }
/* Resting in it is not waiting for one who has terminated. */
ENDS(barrier_that_the_last_reaches_late_and_leaves_at_once, 2, 0, "") {
    if (me() == 0) usleep(700000);
    gas_barrier();
    exit(0);
}
