/* Waiting for another thread: on a flag in shared memory, or for anything at all. */
#include "gas/sync.h"
#include "gas_tuning.h"

#define LOOK_UP_MS 100

int gas_is_local(int thread) { return core_is_near(thread); }

int gas_near(int *count) {
    *count = conduit_near.count;
    return conduit_near.first;
}

int gas_on_this_computer(int thread) {
    return core_is_near(thread) || (core_overrides.is_here && core_overrides.is_here(thread));
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
    if (!fathom_is_near(flag))
        gas_fatal("gas_flag_wait: the flag at 0x%lx is on thread %ld, which is not near", flag, fathom_thread_of(flag));
    const uint32_t *word = fathom_local(flag);
    for (unsigned i = 0; i < gas_spins(); i++) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != old) return;
        core_poll();
        conduit_pause();
    }
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == old) {
        conduit_sleep(word, old, ~0u, LOOK_UP_MS);
        core_poll();
        look_for_deadlock(word, old);
    }
}

/* The message's arrival wakes its receiver by itself; this wakes the threads near that. */
static void on_wake(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    conduit_wake(fathom_local(args[0]), fathom_threads, ~0u);
}

void gas_flag_wake(fathom_ptr flag) {
    if (fathom_is_near(flag))
        conduit_wake(fathom_local(flag), fathom_threads, ~0u);
    else
        core_request((int)fathom_thread_of(flag), GAS_SYNC_WAKE, NULL, 0, &flag, 1);
}

void gas_wait_start(void) { core_handler(GAS_SYNC_WAKE, on_wake); }
