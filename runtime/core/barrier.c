/* The barrier: split-phase, with what the threads say merged into one ballot, by the conduit if it can (an override), else
 * over messages.
 *
 * The version over messages is a dissemination barrier: in round k a thread tells the one 2^k further what it has heard,
 * and when it has been told log2(n) times it has heard of everybody. A fast thread may be one barrier ahead, never two, so
 * there are two sets of places for what arrives. Ballots may be counted twice on the way, which merging allows.
 *
 * A thread that has terminated before a barrier that another waits at never comes: that ends the job with a message. How
 * many barriers a thread has begun is in memory that near threads share, and far ones say it when they terminate.
 */
#include "core/core.h"
#include "gas.h"

enum { ROUNDS = 10 };
_Static_assert(CONDUIT_MAX_THREADS <= 1 << ROUNDS, "enough rounds");

static uint32_t phase; /* barriers that this thread has begun */
static struct {
    _Alignas(64) uint32_t phase;
} *begun; /* by near thread */

/* ---- over messages --------------------------------------------------------------------------------------------- */

static struct {
    bool arrived;
    struct conduit_ballot ballot;
} told[2][ROUNDS];
static struct conduit_ballot heard;
static int current; /* round */
bool core_barrier_news;

static void on_told(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    struct conduit_ballot b = {args[1], args[2], args[3]};
    told[args[0] >> 8 & 1][args[0] & 0xff].ballot = b;
    told[args[0] >> 8 & 1][args[0] & 0xff].arrived = true;
    core_barrier_news = true;
}

static void tell(void) {
    if (1 << current >= fathom_threads) return;
    int to = (fathom_mythread + (1 << current)) % fathom_threads;
    uint64_t args[] = {(uint64_t)(phase & 1) << 8 | (uint64_t)current, heard.kinds, heard.first, heard.other};
    core_request(to, CORE_BARRIER, NULL, 0, args, 4);
}

static void notify_by_messages(const struct conduit_ballot *mine) {
    heard = *mine;
    current = 0;
    core_barrier_news = true; /* some may have come already */
    tell();
}

void core_barrier_advance(void) {
    core_barrier_news = false;
    for (; 1 << current < fathom_threads; tell()) {
        if (!told[phase & 1][current].arrived) return;
        told[phase & 1][current].arrived = false;
        conduit_ballot_merge(&heard, &told[phase & 1][current].ballot);
        current++;
    }
}

static bool try_by_messages(struct conduit_ballot *all) {
    core_barrier_advance();
    if (1 << current < fathom_threads) return false;
    *all = heard;
    return true;
}

/* ---- the barrier ----------------------------------------------------------------------------------------------- */

void core_barrier_prepare(void) { begun = core_shared((size_t)fathom_threads * sizeof *begun); }

void core_barrier_start(void) { core_handler(CORE_BARRIER, on_told); }

uint32_t core_barriers_begun(void) { return phase; }

void conduit_ballot_merge(struct conduit_ballot *into, const struct conduit_ballot *from) {
    into->kinds |= from->kinds;
    if (!into->first) into->first = from->first;
    /* The values are in the lower halves. */
    else if (from->first && (uint32_t)from->first != (uint32_t)into->first && !into->other) into->other = from->first;
    if (!into->other) into->other = from->other;
}

void core_barrier_notify(const struct conduit_ballot *mine) {
    phase++;
    __atomic_store_n(&begun[fathom_mythread - conduit_near.first].phase, phase, __ATOMIC_RELEASE);
    (core_overrides.barrier_notify ? core_overrides.barrier_notify : notify_by_messages)(mine);
}

bool core_barrier_try(struct conduit_ballot *all) {
    return (core_overrides.barrier_try ? core_overrides.barrier_try : try_by_messages)(all);
}

static void look_for_deadlock(void) {
    if (!core_done_count()) return;
    for (int t = 0; t < fathom_threads; t++) {
        if (!core_is_done(t)) continue;
        uint32_t his = core_is_near(t) ? __atomic_load_n(&begun[t - conduit_near.first].phase, __ATOMIC_ACQUIRE)
                                       : core_done_phase(t);
        if ((int32_t)(his - phase) < 0)
            core_fatal("waits at a barrier, but thread %d has already terminated: it would wait for ever", t);
    }
}

void core_barrier_wait(struct conduit_ballot *all) {
    unsigned round = 0;
    while (!core_barrier_try(all)) {
        core_wait(&round);
        if (round > core_spins() && round % 64 == 0) look_for_deadlock();
    }
}
