/* The barrier: split-phase. The threads' ballots are merged into one, by the conduit if it can (an override), otherwise
 * over messages.
 *
 * The version over messages is a dissemination barrier: in round k a thread tells the thread 2^k further on what it has
 * heard, and after log2(n) rounds it has heard from every thread. A fast thread may be one barrier ahead, never two, so
 * there are two sets of places for arriving messages. Ballots may be counted twice on the way, which merging allows. A
 * thread must pass news on after its notify, too. It does so in every poll, whatever it waits for (core_news); while it
 * computes and makes no call, its progress thread does it. So all of this state is used inside the engine only
 * (conduit/progress.h).
 *
 * A thread that has terminated before a barrier that another thread waits at never arrives: that ends the job with a
 * message. The number of barriers that a thread has begun is in memory that near threads share; for far threads the
 * smallest number is sent (done.c).
 */
#include "conduit/progress.h"
#include "core/core.h"
#include "gas.h"

enum { ROUNDS = 20 };
_Static_assert(CONDUIT_MAX_FAR <= 1 << ROUNDS, "enough rounds");

static uint32_t phase; /* barriers that this thread has begun */
struct begun {
    _Alignas(64) uint32_t phase;
    uint32_t awaited;
    bool blocks; /* inside core_barrier_wait: the thread makes no other call */
};
static struct begun *begun; /* by near thread */

/* ---- over messages ----------------------------------------------------------------------------------------------- */

static struct {
    bool arrived;
    struct conduit_ballot ballot;
} told[2][ROUNDS];
static struct conduit_ballot heard;
static int current; /* round */

static void on_told(gas_token token, const uint64_t *args, int nargs, void *payload, size_t bytes) {
    (void)token, (void)nargs, (void)payload, (void)bytes;
    struct conduit_ballot b = {args[1], args[2], args[3]};
    told[args[0] >> 8 & 1][args[0] & 0xff].ballot = b;
    told[args[0] >> 8 & 1][args[0] & 0xff].arrived = true;
    core_news |= CORE_NEWS_BARRIER;
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
    core_news |= CORE_NEWS_BARRIER; /* some may have come already */
    tell();
}

static bool advance(void) {
    core_news &= (unsigned char)~CORE_NEWS_BARRIER;
    for (; 1 << current < fathom_threads; tell()) {
        if (!told[phase & 1][current].arrived) return false;
        told[phase & 1][current].arrived = false;
        conduit_ballot_merge(&heard, &told[phase & 1][current].ballot);
        current++;
    }
    return true;
}

void core_barrier_advance(void) {
    bool entered = conduit_enter();
    advance();
    conduit_leave(entered);
}

static bool try_by_messages(struct conduit_ballot *all) {
    bool entered = conduit_enter(), complete = advance();
    *all = heard;
    conduit_leave(entered);
    return complete;
}

/* ---- the barrier ------------------------------------------------------------------------------------------------- */

void core_barrier_prepare(void) { begun = core_shared((size_t)conduit_near.count * sizeof *begun); }

void core_barrier_start(void) { core_service(CORE_BARRIER, on_told); }

uint32_t core_barriers_begun(void) { return phase; }

void conduit_ballot_merge(struct conduit_ballot *into, const struct conduit_ballot *from) {
    into->kinds |= from->kinds;
    if (!into->first) into->first = from->first;
    /* The values are in the lower halves. */
    else if (from->first && (uint32_t)from->first != (uint32_t)into->first && !into->other)
        into->other = from->first;
    if (!into->other) into->other = from->other;
}

void core_barrier_notify(const struct conduit_ballot *mine) {
    core_gate_check();
    if (__builtin_expect(core_in_handler(), 0)) core_wait_in_handler(); /* the call would count for the thread itself */
    bool entered = conduit_enter();
    phase++;
    __atomic_store_n(&begun[fathom_mythread - conduit_near.first].phase, phase, __ATOMIC_RELEASE);
    (core_overrides.barrier_notify ? core_overrides.barrier_notify : notify_by_messages)(mine);
    conduit_leave(entered);
}

bool core_barrier_try(struct conduit_ballot *all) {
    return (core_overrides.barrier_try ? core_overrides.barrier_try : try_by_messages)(all);
}

/* A near thread that has terminated and will not come; or -1. */
static int missing_near(void) {
    for (int i = 0; i < conduit_near.count; i++)
        if (core_is_done(conduit_near.first + i) &&
            (int32_t)(__atomic_load_n(&begun[i].phase, __ATOMIC_ACQUIRE) - phase) < 0)
            return conduit_near.first + i;
    return -1;
}

static void look_for_deadlock(void) {
    if (!core_done_count()) return;
    int t = missing_near();
    if (t < 0) t = core_done_before(phase);
    if (t >= 0) core_fatal("waits at a barrier, but thread %d has already terminated: it would wait forever", t);
}

static void set_awaited(uint32_t barrier) {
    __atomic_store_n(&begun[fathom_mythread - conduit_near.first].awaited, barrier, __ATOMIC_RELEASE);
}

uint32_t core_barrier_awaited(int thread) {
    return __atomic_load_n(&begun[thread - conduit_near.first].awaited, __ATOMIC_ACQUIRE);
}

bool core_barrier_blocks(int thread) {
    return __atomic_load_n(&begun[thread - conduit_near.first].blocks, __ATOMIC_ACQUIRE);
}

static void set_blocks(bool blocks) {
    __atomic_store_n(&begun[fathom_mythread - conduit_near.first].blocks, blocks, __ATOMIC_RELEASE);
}

void core_barrier_tried(void) {
    look_for_deadlock();
    if (!conduit_has_pthreads) set_awaited(phase);
}

void core_barrier_left(void) { set_awaited(0); }

/* A wait that has lasted: that this thread waits is written down for gas/calls.h. */
static __attribute__((noinline)) void wait_long(struct conduit_ballot *all, unsigned *round) {
    look_for_deadlock();
    if (!conduit_has_pthreads) {
        set_awaited(phase);
        set_blocks(true);
    }
    while (!core_barrier_try(all))
        if (core_wait_rung(round)) look_for_deadlock();
    set_blocks(false);
    set_awaited(0);
}

void core_barrier_wait(struct conduit_ballot *all) {
    unsigned round = 0;
    while (!core_barrier_try(all)) {
        if (!core_wait_rung(&round)) continue;
        wait_long(all, &round);
        return;
    }
}
