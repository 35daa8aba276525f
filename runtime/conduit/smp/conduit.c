/* Conduit smp: its functions, and what it does better than the versions over messages. Data needs no entry there: every
 * thread is near. */
#include "conduit/launch/launch.h"
#include "conduit/queue/queue.h"
#include "conduit/smp/smp.h"
#include "lang/prelude.h"

static void *prepare(int thread, size_t n, int nargs) {
    (void)thread;
    return queue_prepare(&queue_own, n, nargs);
}
static bool send_prepared(const struct conduit_message *m) { return queue_send_prepared(&queue_own, m); }
static bool takes_turns(void) { return true; }

static const struct conduit_overrides overrides = {
    .barrier_notify = smp_barrier_notify,
    .barrier_try = smp_barrier_try,
    .prepare = prepare,
    .send_prepared = send_prepared,
};

const struct conduit conduit_built = {
    .name = "smp",
#ifndef FATHOM_CONDUIT_DISTRIBUTED
    .max_threads = CONDUIT_MAX_NEAR,
#else
    .max_threads = RING_SENDERS, /* each maps its own segment only */
#endif
    .max_medium = QUEUE_MAX_MEDIUM,
    .start = smp_start,
    .threads_here = smp_threads_here,
    .least = smp_least,
    .segments = smp_segments,
    .shared_memory = smp_shared,
    .spawn = smp_spawn,

    .send = smp_send,
    .try_send = smp_try_send,
    .poll = smp_poll,

    .rest = bells_rest,
    .sleep = bells_sleep,
    .ring = bells_ring,
    .wake = bells_wake,
    .is_armed = bells_is_armed,
    .nudge = bells_nudge,
    .watch = bells_watch,
    .unwatch = bells_unwatch,
    .cores = launch_cores,
    .takes_turns = takes_turns,

#ifdef FATHOM_CONDUIT_DISTRIBUTED
    .needs_progress = smp_needs_progress,
    .progress = smp_progress,
    .rest_beside = smp_rest_beside,
#endif

    .done = launch_done,
    .is_done = launch_is_done,
    .done_count = launch_done_count,
    .lost = launch_lost,
    .claim_report = launch_claim_report,
    .end = launch_end,
    .is_ending = launch_is_ending,
    .is_thread = launch_is_thread,

    .overrides = &overrides,
};
