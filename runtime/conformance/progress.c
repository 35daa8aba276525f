/* Progress: messages are delivered inside every call that waits, and a signal cannot get lost between looking and
 * sleeping. */
#include "suite.h"

static int on_knock, on_knock_back;
static volatile uint64_t knocked, answered;

static void knock(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)payload, (void)bytes;
    knocked++;
    gas_reply_short(token, on_knock_back, args, nargs);
}
static void knock_back(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)args, (void)nargs, (void)payload, (void)bytes;
    answered++;
}
static void begin(void) {
    if (!on_knock) on_knock = gas_register(knock), on_knock_back = gas_register(knock_back);
    knocked = answered = 0;
    gas_barrier();
}
static void knock_all_and_wait(void) {
    for (int t = 0; t < count(); t++)
        if (t != me()) gas_request_short(t, on_knock, NULL, 0);
    WAIT_UNTIL(answered == (uint64_t)count() - 1);
}

CASE(progress_inside_a_barrier) {
    begin();
    for (int busy = 0; busy < count(); busy++) {
        answered = 0;
        if (me() == busy) knock_all_and_wait(); /* all others are in the barrier */
        gas_barrier();
    }
    EQUAL(count() - 1, knocked);
}
CASE(progress_inside_a_split_barrier) {
    begin();
    for (int busy = 0; busy < count(); busy++) {
        answered = 0;
        if (me() == busy) knock_all_and_wait();
        gas_barrier_notify();
        if (me() % 2)
            WAIT_UNTIL(gas_barrier_try());
        else
            gas_barrier_wait();
    }
    EQUAL(count() - 1, knocked);
}
CASE(progress_while_waiting_for_a_lock) {
    begin();
    fathom_ptr lock = everywhere(64);
    memset(here(lock), 0, 64);
    gas_barrier();
    if (me() == 0) {
        gas_lock(lock);
        gas_barrier();
        knock_all_and_wait();
        gas_unlock(lock);
    } else {
        gas_barrier();
        gas_lock(lock);
        gas_unlock(lock);
    }
    free_everywhere(lock);
}
CASE(progress_while_waiting_for_a_counter) {
    begin();
    fathom_ptr box = everywhere(64);
    memset(here(box), 0, 64);
    gas_barrier();
    if (me() == 0) {
        knock_all_and_wait();
        for (int t = 1; t < count(); t++) gas_put_signal(on(t, box) + 8, &(uint64_t){42}, 8, on(t, box), 1);
    } else {
        gas_wait_counter(on(me(), box), 1);
        EQUAL(42, ((uint64_t *)here(box))[1]);
    }
    free_everywhere(box);
}
/* What is waited for is stored or put, which tells nobody; gas_wake does. */
CASE(progress_of_a_put_that_is_waited_for) {
    begin();
    fathom_ptr box = everywhere(64);
    memset(here(box), 0, 64);
    gas_barrier();
    for (uint64_t round = 1; round <= 20; round++) {
        if (me() == 0)
            knock_all_and_wait(), answered = 0;
        else
            WAIT_UNTIL(__atomic_load_n((uint64_t *)here(box), __ATOMIC_ACQUIRE) == round);
        gas_put_value(on(neighbour(1), box), round, 8);
        gas_wake(neighbour(1));
        if (me() == 0) WAIT_UNTIL(__atomic_load_n((uint64_t *)here(box), __ATOMIC_ACQUIRE) == round);
    }
    free_everywhere(box);
}
CASE(progress_inside_polls) {
    begin();
    if (me() == 0)
        knock_all_and_wait();
    else
        while (!knocked) gas_poll();
}
CASE(progress_inside_a_collective) {
    begin();
    int64_t all = 0;
    if (me() == 0) knock_all_and_wait();
    gas_all_reduce(gas_world(), &all, &(int64_t){me()}, 1, GAS_I64, GAS_ADD, 0);
    EQUAL(count() * (count() - 1) / 2, all);
}

/* A thread that waits for nothing but a message wakes soon enough: many hand-overs in a ring. */
static volatile uint64_t token_round;
static int on_pass;
static void pass(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    token_round = args[0];
}
CASE(progress_of_a_token_in_a_ring) {
    on_pass = gas_register(pass);
    token_round = 0;
    gas_barrier();
    for (uint64_t round = 1; round <= 100; round++) {
        if (me() != 0) WAIT_UNTIL(token_round == round);
        gas_request_short(neighbour(1), on_pass, &round, 1);
        if (me() == 0) WAIT_UNTIL(token_round == round);
    }
}

/* The flag of a waiting thread is changed by a near thread that wakes it, or by a far one with an atomic. */
CASE(progress_of_a_flag_that_another_changes) {
    if (count() == 1) return;
    fathom_ptr flag = everywhere(64);
    memset(here(flag), 0, 64);
    gas_barrier();
    for (uint32_t round = 0; round < 30; round++) {
        if (me() != 0) gas_flag_wait(on(me(), flag), round);
        EQUAL(me() == 0 ? round : round + 1, *(volatile uint32_t *)here(flag));
        int t = neighbour(1);
        gas_atomic(NULL, on(t, flag), GAS_U32, GAS_INC, NULL, NULL);
        gas_flag_wake(on(t, flag));
        if (me() == 0) gas_flag_wait(on(0, flag), round);
    }
    free_everywhere(flag);
}

/* A thread that has announced itself at a barrier, and waits for something else before it completes it, holds nobody
 * up. */
CASE(progress_of_a_barrier_for_others_while_one_has_not_completed_it) {
    begin();
    for (int slow = 0; slow < count(); slow++) {
        knocked = 0;
        gas_barrier();
        gas_barrier_notify();
        if (me() == slow) {
            WAIT_UNTIL(knocked == (uint64_t)count() - 1);
            gas_barrier_wait();
        } else {
            gas_barrier_wait();
            gas_request_short(slow, on_knock, NULL, 0);
        }
        gas_barrier();
    }
}
