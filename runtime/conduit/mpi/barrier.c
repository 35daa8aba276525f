/* The barrier of conduit mpi. Near threads gather in shared memory. Where there are no others, the last one to arrive
 * tells the rest what all have said. Else their first one meets the first ones of the other computers, and tells them
 * then. If it computes meanwhile, its progress thread does both for it, so that notifying is all that a thread has to do
 * for the others.
 *
 * Those first ones meet by dissemination: in round k one sends to the one 2^k further what it has heard, and after log2(n)
 * rounds each has heard of all. The sender tells the round, as 2^k < n. Receives are posted once the first message is on
 * its way, which takes longer than that; what arrives before, from a fast one perhaps a barrier ahead, waits in MPI for
 * the next receive from there, which is always the one it is meant for. A ballot without values, as nearly all are, is
 * an empty message: its tag says what there is to say.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "conduit/mpi/ranks.h"
#include "conduit/progress.h"
#include "conduit/queue/queue.h"

enum { ROUNDS = 20, MOST_TRIES = 16, TRIES_NS = 400 };
_Static_assert(CONDUIT_MAX_FAR <= 1 << ROUNDS, "enough rounds");

bool ranks_barrier_pending;

static MPI_Comm comm;
static struct round {
    MPI_Request arriving, leaving;
    struct conduit_ballot in, out;
    int to, from; /* threads */
} rounds[ROUNDS];
static int round_count, current;
static struct conduit_ballot heard;

/* ---- among near threads ------------------------------------------------------------------------------------------ */

struct near_barrier {
    _Alignas(64) uint32_t count; /* arrivals, in all barriers */
    _Alignas(64) uint32_t generation;
    struct conduit_ballot all; /* of the generation: the next one cannot end before everybody has begun it */
    struct {
        _Alignas(64) struct conduit_ballot ballot;
    } said[];
};
static struct near_barrier *near;
static uint32_t phase; /* barriers begun */
static enum { GATHERING, MEETING } stage;

static int near_rank(void) { return ranks.me - ranks.first; }

static void publish(const struct conduit_ballot *all) {
    near->all = *all;
    __atomic_store_n(&near->generation, phase, __ATOMIC_RELEASE);
    bells_ring_all(ranks.count);
}

/* Those of all near threads, which have arrived. */
static struct conduit_ballot gathered(void) {
    struct conduit_ballot all = near->said[0].ballot;
    for (int i = 1; i < ranks.count; i++) conduit_ballot_merge(&all, &near->said[i].ballot);
    return all;
}

/* Returns whether this thread is the last. */
static bool arrive(const struct conduit_ballot *mine) {
    near->said[near_rank()].ballot = *mine;
    return __atomic_add_fetch(&near->count, 1, __ATOMIC_ACQ_REL) == phase * (uint32_t)ranks.count;
}

/* ---- among the first ones ---------------------------------------------------------------------------------------- */

enum { WITH_VALUES = 0, MOST_KINDS = 1 << 14 }; /* tags: this one, or the kinds; MPI promises tags up to 2^15 - 1 */

static void receive(struct round *r) {
    MPI_Irecv(&r->in, sizeof r->in, MPI_BYTE, r->from, MPI_ANY_TAG, comm, &r->arriving);
}

static void take(const struct round *r, int tag) {
    if (tag == WITH_VALUES)
        conduit_ballot_merge(&heard, &r->in);
    else
        heard.kinds |= (uint64_t)tag;
}

static void tell(void) {
    if (current == round_count) return;
    struct round *r = &rounds[current];
    if (r->leaving != MPI_REQUEST_NULL) MPI_Wait(&r->leaving, MPI_STATUS_IGNORE); /* of the barrier before: long gone */
    if (!heard.first && !heard.other && heard.kinds && heard.kinds < MOST_KINDS) {
        MPI_Isend(NULL, 0, MPI_BYTE, r->to, (int)heard.kinds, comm, &r->leaving);
    } else {
        r->out = heard;
        MPI_Isend(&r->out, sizeof r->out, MPI_BYTE, r->to, WITH_VALUES, comm, &r->leaving);
    }
}

/* Goes as far as what has arrived allows. */
static bool meet(int tries) {
    while (current < round_count) {
        struct round *r = &rounds[current];
        int arrived = 0;
        MPI_Status status;
        for (int i = 0; i < tries && !arrived; i++) MPI_Test(&r->arriving, &arrived, &status);
        if (!arrived) return false;
        take(r, status.MPI_TAG);
        current++;
        tell();
    }
    return true;
}

static void begin_meeting(void) {
    stage = MEETING;
    current = 0;
    tell();
    for (int k = 0; k < round_count; k++) receive(&rounds[k]);
    int gone;
    if (round_count) MPI_Test(&rounds[0].leaving, &gone, MPI_STATUS_IGNORE);
}

/* ---- the barrier ------------------------------------------------------------------------------------------------- */

/* The first thread of near ones: as far as possible. */
static bool lead(int tries) {
    if (stage == GATHERING) {
        if (__atomic_load_n(&near->count, __ATOMIC_ACQUIRE) != phase * (uint32_t)ranks.count) return false;
        heard = gathered();
        begin_meeting();
    }
    return meet(tries);
}

/* Who waits at the barrier tries some times in a row, which is quicker, unless there are messages to deliver; no longer
 * than a message may wait. */
static bool is_quiet;
static int tries_in_a_row = 1;

static bool step(int tries) {
    if (!lead(tries)) return false;
    if (ranks.count > 1) publish(&heard);
    ranks_barrier_pending = false;
    return true;
}

void ranks_barrier_step(void) {
    is_quiet = true;
    step(1);
}

void ranks_barrier_notify(const struct conduit_ballot *mine) {
    bool entered = conduit_enter();
    phase++;
    bool last = arrive(mine);
    if (ranks.groups == 1) {
        if (last) {
            struct conduit_ballot all = gathered();
            publish(&all);
        }
    } else if (near_rank() != 0) {
        if (last) conduit_ring(ranks.first);
    } else {
        heard = *mine;
        ranks_barrier_pending = is_quiet = true;
        stage = GATHERING;
        if (ranks.count == 1) begin_meeting();
    }
    conduit_leave(entered);
}

bool ranks_barrier_try(struct conduit_ballot *all) {
    if (ranks.groups == 1 || near_rank() != 0) {
        if (__atomic_load_n(&near->generation, __ATOMIC_ACQUIRE) != phase) return false;
        *all = near->all;
        return true;
    }
    bool entered = conduit_enter();
    if (ranks_barrier_pending) {
        int tries = is_quiet ? tries_in_a_row : 1;
        is_quiet = false;
        step(tries);
    }
    bool complete = !ranks_barrier_pending;
    *all = heard;
    conduit_leave(entered);
    return complete;
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

void ranks_barrier_prepare(void) {
    near = conduit_shared(sizeof *near + (size_t)ranks.count * sizeof near->said[0]);
    if (!near) ranks_refuse("no memory for the barrier\n");
}

/* To look whether something has come is a load for one MPI, and a system call or two for another. */
static void find_tries(void) {
    long least = 0;
    for (int i = 0; i < 8; i++) {
        struct timespec before, after;
        int is_there;
        clock_gettime(CLOCK_MONOTONIC, &before);
        for (int k = 0; k < MOST_TRIES; k++) MPI_Iprobe(ranks.me, 0, comm, &is_there, MPI_STATUS_IGNORE);
        clock_gettime(CLOCK_MONOTONIC, &after);
        long ns = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
        if (i == 0 || ns < least) least = ns;
    }
    long tries = TRIES_NS * MOST_TRIES / (least + 1);
    tries_in_a_row = tries < 1 ? 1 : tries > MOST_TRIES ? MOST_TRIES : (int)tries;
}

void ranks_barrier_start(void) {
    MPI_Comm_dup(ranks.all, &comm);
    if (near_rank() != 0) return;
    if (ranks.here <= ranks.cores) find_tries();
    for (; 1 << round_count < ranks.groups; round_count++) {
        struct round *r = &rounds[round_count];
        int step = 1 << round_count, n = ranks.groups;
        r->to = ranks.leader[(ranks.group + step) % n];
        r->from = ranks.leader[(ranks.group + n - step) % n];
        r->arriving = r->leaving = MPI_REQUEST_NULL;
    }
}

void ranks_barrier_stop(void) {
    for (int k = 0; k < round_count; k++) {
        if (rounds[k].arriving != MPI_REQUEST_NULL) MPI_Cancel(&rounds[k].arriving);
        MPI_Wait(&rounds[k].arriving, MPI_STATUS_IGNORE);
        MPI_Wait(&rounds[k].leaving, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
}
