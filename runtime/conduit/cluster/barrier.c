/* A barrier. Near threads gather in shared memory. Where there are no others, the last one to arrive tells the rest what all
 * have said. Else the first one of each set meets the first ones of the other sets, and tells its own set then. If it
 * computes meanwhile, its progress thread does both for it, so that notifying is all that a thread has to do for the
 * others.
 *
 * Those first ones meet by dissemination: in round k one tells the one 2^k further what it has heard, and after log2(n)
 * rounds each has heard of all. A fast one may be a barrier ahead, but not two: so what comes has two places. Where threads of
 * several sets share queues, these places are in shared memory, too, and one writes the other's. Over the wire, a ballot without
 * values, as nearly all are, is a message without data, whose tag says all; it is passed on at once, by whoever receives it. A
 * wire that has a faster way than these messages supplies it (cluster_rounds): then what has come is found by the next look, in a
 * try, in a poll, or by the progress thread.
 */
#include "conduit/cluster/cluster.h"
#include "conduit/progress.h"
#include "conduit/queue/queue.h"

enum { ROUNDS = CLUSTER_ROUNDS };

bool cluster_barrier_pending;
const struct cluster_rounds *cluster_rounds;

static struct near_barrier {
    _Alignas(64) uint32_t count; /* arrivals, in all barriers */
    _Alignas(64) uint32_t generation;
    struct conduit_ballot all; /* of the generation: the next one cannot end before everybody has begun it */
    struct {
        _Alignas(64) struct conduit_ballot ballot;
    } said[];
} * near;

static uint32_t phase; /* barriers begun */
static enum { GATHERING, MEETING } stage;
static struct meeting {
    _Alignas(64) struct place {
        uint32_t has_come;
        struct conduit_ballot ballot;
    } of[2][ROUNDS];      /* by the lowest bit of the phase */
} alone, *own, *meetings; /* this thread's; those of all that share queues, or null */
static int round_count, current;
static bool is_quiet; /* polls have found nothing since the last try */
static bool has_told; /* in the current round */
static struct conduit_ballot heard;

static int near_rank(void) { return cluster.me - cluster.first; }

static void publish(const struct conduit_ballot *all) {
    near->all = *all;
    __atomic_store_n(&near->generation, phase, __ATOMIC_RELEASE);
    bells_ring_all();
}

/* Those of all near threads, which have arrived. */
static struct conduit_ballot gathered(void) {
    struct conduit_ballot all = near->said[0].ballot;
    for (int i = 1; i < cluster.count; i++) conduit_ballot_merge(&all, &near->said[i].ballot);
    return all;
}

/* Returns whether this thread is the last. */
static bool arrive(const struct conduit_ballot *mine) {
    near->said[near_rank()].ballot = *mine;
    return __atomic_add_fetch(&near->count, 1, __ATOMIC_ACQ_REL) == phase * (uint32_t)cluster.count;
}

/* Of a tag: the phase's lowest bit, the round, and the kinds, if there is nothing else to say. */
enum { ROUND_SHIFT = 1, KINDS_SHIFT = 6, MOST_KINDS = 1 << (15 - KINDS_SHIFT), WORDS = 3 };
_Static_assert(ROUNDS <= 1 << (KINDS_SHIFT - ROUND_SHIFT), "the round has room");

static void tell_place(struct meeting *m, unsigned which, unsigned k, const struct conduit_ballot *ballot) {
    m->of[which][k].ballot = *ballot;
    __atomic_store_n(&m->of[which][k].has_come, 1, __ATOMIC_RELEASE);
}

static bool tell(void) {
    int to = cluster.leader[(cluster.group + (1 << current)) % cluster.groups];
    if (meetings && cluster_is_queued(to)) {
        tell_place(&meetings[to - cluster.queued_first], phase & 1, (unsigned)current, &heard);
        bells_ring(to);
        return true;
    }
    if (cluster_rounds) {
        cluster_rounds->tell(current, to, &heard);
        return true;
    }
    unsigned tag = (phase & 1) | (unsigned)current << ROUND_SHIFT;
    if (!heard.first && !heard.other && heard.kinds < MOST_KINDS)
        return cluster_tell(to, tag | (unsigned)heard.kinds << KINDS_SHIFT, NULL, 0);
    return cluster_tell(to, tag, (uint64_t[WORDS]){heard.kinds, heard.first, heard.other}, WORDS);
}

static bool hear(bool waits) {
    if (cluster_rounds) return cluster_rounds->hear(current, waits, &heard);
    struct place *p = &own->of[phase & 1][current];
    if (!__atomic_load_n(&p->has_come, __ATOMIC_ACQUIRE)) return false;
    __atomic_store_n(&p->has_come, 0, __ATOMIC_RELAXED);
    conduit_ballot_merge(&heard, &p->ballot);
    return true;
}

void cluster_told(int thread, unsigned tag, const uint64_t *words, int count) {
    (void)thread;
    unsigned which = tag & 1, k = (tag >> ROUND_SHIFT) % (1 << (KINDS_SHIFT - ROUND_SHIFT));
    struct conduit_ballot ballot = count == WORDS ? (struct conduit_ballot){words[0], words[1], words[2]}
                                                  : (struct conduit_ballot){.kinds = tag >> KINDS_SHIFT};
    tell_place(own, which, k, &ballot);
    if (cluster_barrier_pending) cluster_barrier_step();
}

/* Goes as far as what has arrived allows. */
static bool meet(bool waits) {
    for (; current < round_count; current++, has_told = false) {
        if (!has_told && !(has_told = tell())) return false;
        if (!hear(waits)) return false;
    }
    return true;
}

/* The first thread of near ones: as far as possible. */
static void step(bool waits) {
    if (stage == GATHERING) {
        if (__atomic_load_n(&near->count, __ATOMIC_ACQUIRE) != phase * (uint32_t)cluster.count) return;
        heard = gathered();
        stage = MEETING;
        current = 0;
        has_told = false;
    }
    if (!meet(waits)) return;
    publish(&heard);
    cluster_barrier_pending = false;
}

void cluster_barrier_step(void) {
    is_quiet = true;
    step(false);
}

void cluster_barrier_notify(const struct conduit_ballot *mine) {
    bool entered = conduit_enter();
    phase++;
    bool last = arrive(mine);
    if (cluster.groups == 1) {
        if (last) {
            struct conduit_ballot all = gathered();
            publish(&all);
        }
    } else if (near_rank() != 0) {
        if (last) bells_ring(cluster.first);
    } else {
        cluster_barrier_pending = true;
        stage = GATHERING;
        cluster_barrier_step();
    }
    conduit_leave(entered);
}

bool cluster_barrier_try(struct conduit_ballot *all) {
    if (cluster_barrier_pending) {
        bool entered = conduit_enter();
        if (cluster_barrier_pending) {
            bool waits = is_quiet;
            is_quiet = false;
            step(waits);
        }
        conduit_leave(entered);
    }
    if (__atomic_load_n(&near->generation, __ATOMIC_ACQUIRE) != phase) return false;
    *all = near->all;
    return true;
}

void cluster_barrier_start(void) {
    near = conduit_built.shared_memory(sizeof *near + (size_t)cluster.count * sizeof near->said[0]);
    if (cluster_is_wide()) meetings = cluster_shared((size_t)cluster.queued_count * sizeof *meetings);
    own = meetings ? &meetings[cluster.me - cluster.queued_first] : &alone;
    if (!near || (cluster_is_wide() && !meetings)) cluster_refuse("no memory for the barrier\n");
    while (1 << round_count < cluster.groups) round_count++;
}
