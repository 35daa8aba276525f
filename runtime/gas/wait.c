/* Waiting for another thread: on a flag in shared memory, or for anything at all. */
#include <sched.h>
#include <time.h>

#include "gas/gas_internal.h"

#define LOOK_UP_MS 100

int gas_is_local(int thread) { return thread >= 0 && thread < fathom_threads; }

void gas_poll(void) { sched_yield(); }

/* Called now and then by who waits for another thread: when all others have terminated, nothing will come any more. */
static void look_for_deadlock(void) {
    if (conduit_done_count() == fathom_threads - 1 && !conduit_is_ending())
        gas_fatal("waits for another thread, but all others have terminated: it would wait for ever");
}

void gas_wait_hint(unsigned *round) {
    unsigned r = (*round)++;
    if (r < gas_spins()) {
        conduit_pause();
    } else if (r < gas_spins() + 200) {
        sched_yield();
    } else { /* 50 us, longer and longer, up to 1 ms */
        unsigned longer = (r - gas_spins() - 200) / 16;
        long us = 50l << (longer > 4 ? 5 : longer);
        struct timespec nap = {0, (us > 1000 ? 1000 : us) * 1000};
        nanosleep(&nap, NULL);
        if (longer >= 8) look_for_deadlock();
    }
}

void gas_flag_wait(fathom_ptr flag, uint32_t old) {
    const uint32_t *word = fathom_local(flag);
    for (unsigned i = 0; i < gas_spins(); i++) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != old) return;
        conduit_pause();
    }
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == old) {
        conduit_sleep(word, old, ~0u, LOOK_UP_MS);
        /* Whoever terminated last may have changed it before. */
        if (conduit_done_count() && __atomic_load_n(word, __ATOMIC_ACQUIRE) == old) look_for_deadlock();
    }
}

void gas_flag_wake(fathom_ptr flag) { conduit_wake(fathom_local(flag), fathom_threads, ~0u); }
