/* Waiting for another thread: on a flag in shared memory, or for any event. */
#include "gas/lines.h"
#include "gas/sync.h"
#include "fathom_work.h"
#include "gas_tuning.h"

int gas_is_local(int thread) { return core_is_near(thread); }

int gas_near(int *count) {
    *count = conduit_near.count;
    return conduit_near.first;
}

int gas_on_this_computer(int thread) {
    return core_is_near(thread) || (core_overrides.is_here && core_overrides.is_here(thread));
}

const char *gas_conduit(void) { return conduit_name(); }

void gas_declare_work(double operations, double bytes) {
    if (core_overrides.declare) core_overrides.declare(operations, bytes);
}

void gas_wait_hint(unsigned *round) { core_pause(round); }

void gas_flag_wait(fathom_ptr flag, uint32_t old) {
    if (!fathom_is_near(flag))
        gas_fatal("gas_flag_wait: the flag at 0x%lx is on thread %ld, which is not near", flag, fathom_thread_of(flag));
    gas_lines_forget();
    const uint32_t *word = fathom_local(flag);
    for (unsigned round = 0; __atomic_load_n(word, __ATOMIC_ACQUIRE) == old;) core_wait_word(&round, word, old, ~0u);
}

void gas_wake(int thread) {
    if (__builtin_expect((unsigned)thread >= (unsigned)fathom_threads, 0))
        core_fatal("gas_wake: thread %d of %d", thread, fathom_threads);
    if (core_is_near(thread)) {
        conduit_ring(thread);
        return;
    }
    CORE_GATE;
    if (core_in_handler())
        core_fatal("gas_wake of thread %d, which is not near, from a handler: a handler may only reply", thread);
    core_request(thread, GAS_SYNC_WAKE, NULL, 0, NULL, 0);
}

/* The message's arrival itself wakes its receiver; this wakes the near threads that sleep on a flag. */
static void on_wake(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)payload, (void)bytes;
    if (nargs) conduit_wake(fathom_local(args[0]), fathom_threads, ~0u);
}

void gas_flag_wake(fathom_ptr flag) {
    if (fathom_is_near(flag))
        conduit_wake(fathom_local(flag), fathom_threads, ~0u);
    else
        core_request((int)fathom_thread_of(flag), GAS_SYNC_WAKE, NULL, 0, &flag, 1);
}

void gas_wait_start(void) { core_service(GAS_SYNC_WAKE, on_wake); }
