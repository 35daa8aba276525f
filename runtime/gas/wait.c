/* Waiting for another thread: on a flag in shared memory, or for anything at all. */
#include "gas/gas_internal.h"

#define LOOK_UP_MS 100

int gas_is_local(int thread) { return core_is_near(thread); }

int gas_near(int *count) {
    *count = conduit_near.count;
    return conduit_near.first;
}

const char *gas_conduit(void) { return conduit_name; }

void gas_wait_hint(unsigned *round) { core_wait(round); }

/* Whoever terminated last may have changed the flag before. */
static void look_for_deadlock(const uint32_t *word, uint32_t old) {
    if (core_done_count() == fathom_threads - 1 && __atomic_load_n(word, __ATOMIC_ACQUIRE) == old &&
        !conduit_is_ending())
        gas_fatal("waits for another thread, but all others have terminated: it would wait for ever");
}

void gas_flag_wait(fathom_ptr flag, uint32_t old) {
    const uint32_t *word = fathom_local(flag);
    for (unsigned i = 0; i < gas_spins(); i++) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != old) return;
        gas_poll();
        conduit_pause();
    }
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == old) {
        conduit_sleep(word, old, ~0u, LOOK_UP_MS);
        gas_poll();
        look_for_deadlock(word, old);
    }
}

void gas_flag_wake(fathom_ptr flag) { conduit_wake(fathom_local(flag), fathom_threads, ~0u); }
