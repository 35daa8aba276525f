/* The barrier of conduit mpi. Near threads gather in shared memory; their first one then meets the first ones of the other
 * computers, and tells the near ones what all have said.
 *
 * Those first ones meet by dissemination: in round k one sends to the one 2^k further what it has heard, and after log2(n)
 * rounds each has heard of all. A receive is posted for every round beforehand; a fast one may be a barrier ahead, and
 * its message then waits in MPI for the next receive, which is always the one it is meant for.
 */
#include <stdio.h>
#include <stdlib.h>

#include "conduit/mpi/ranks.h"
#include "conduit/queue/queue.h"

enum { ROUNDS = 10, TRIES = 16 };
_Static_assert(CONDUIT_MAX_THREADS <= 1 << ROUNDS, "enough rounds");

bool ranks_barrier_pending;

static MPI_Comm comm;
static struct round {
    MPI_Request arriving, leaving;
    struct conduit_ballot in, out;
    int to, from; /* threads */
} rounds[ROUNDS];
static int round_count, current;
static struct conduit_ballot heard;

/* ---- among near threads ---------------------------------------------------------------------------------------- */

static struct near_barrier {
    _Alignas(64) uint32_t count;
    _Alignas(64) uint32_t generation;
    struct conduit_ballot all; /* of the generation: the next one cannot end before everybody has begun it */
    struct {
        _Alignas(64) struct conduit_ballot ballot;
    } said[];
} *near;
static uint32_t phase; /* barriers begun */
static enum { GATHERING, MEETING } stage;

static int near_rank(void) { return ranks.me - ranks.first; }

static void publish(void) {
    near->all = heard;
    __atomic_store_n(&near->generation, phase, __ATOMIC_RELEASE);
    bells_ring_all(ranks.count);
}

/* ---- among the first ones -------------------------------------------------------------------------------------- */

static void receive(int k) {
    MPI_Irecv(&rounds[k].in, sizeof rounds[k].in, MPI_BYTE, rounds[k].from, k, comm, &rounds[k].arriving);
}

static void tell(void) {
    if (current == round_count) return;
    struct round *r = &rounds[current];
    MPI_Wait(&r->leaving, MPI_STATUS_IGNORE); /* of the barrier before: long gone */
    r->out = heard;
    MPI_Isend(&r->out, sizeof r->out, MPI_BYTE, r->to, current, comm, &r->leaving);
}

/* Goes as far as what has arrived allows. */
static bool meet(int tries) {
    while (current < round_count) {
        struct round *r = &rounds[current];
        int arrived = 0;
        for (int i = 0; i < tries && !arrived; i++) MPI_Test(&r->arriving, &arrived, MPI_STATUS_IGNORE);
        if (!arrived) return false;
        conduit_ballot_merge(&heard, &r->in);
        receive(current++);
        tell();
    }
    return true;
}

static void begin_meeting(void) {
    stage = MEETING;
    current = 0;
    tell();
}

/* ---- the barrier ----------------------------------------------------------------------------------------------- */

/* The first thread of near ones: as far as possible. */
static bool lead(int tries) {
    if (stage == GATHERING) {
        if (__atomic_load_n(&near->count, __ATOMIC_ACQUIRE) != (uint32_t)ranks.count - 1) return false;
        __atomic_store_n(&near->count, 0, __ATOMIC_RELAXED);
        for (int i = 1; i < ranks.count; i++) conduit_ballot_merge(&heard, &near->said[i].ballot);
        begin_meeting();
    }
    return meet(tries);
}

void ranks_barrier_step(void) {
    if (near_rank() != 0 || !lead(1)) return;
    if (ranks.count > 1) publish();
    ranks_barrier_pending = false;
}

void ranks_barrier_notify(const struct conduit_ballot *mine) {
    phase++;
    if (near_rank() != 0) {
        near->said[near_rank()].ballot = *mine;
        __atomic_add_fetch(&near->count, 1, __ATOMIC_ACQ_REL);
        conduit_ring(ranks.first);
        return;
    }
    heard = *mine;
    ranks_barrier_pending = true;
    if (ranks.count == 1) begin_meeting();
    else stage = GATHERING;
}

bool ranks_barrier_try(struct conduit_ballot *all) {
    if (near_rank() != 0) {
        if (__atomic_load_n(&near->generation, __ATOMIC_ACQUIRE) != phase) return false;
        *all = near->all;
        return true;
    }
    if (ranks_barrier_pending) {
        if (!lead(ranks.here <= ranks.cores ? TRIES : 1)) return false;
        if (ranks.count > 1) publish();
        ranks_barrier_pending = false;
    }
    *all = heard;
    return true;
}

/* ---- start and end --------------------------------------------------------------------------------------------- */

void ranks_barrier_prepare(void) {
    near = conduit_shared(sizeof *near + (size_t)ranks.count * sizeof near->said[0]);
    if (!near) ranks_refuse("no memory for the barrier\n");
}

void ranks_barrier_start(void) {
    MPI_Comm_dup(ranks.all, &comm);
    if (near_rank() != 0) return;
    for (; 1 << round_count < ranks.groups; round_count++) {
        struct round *r = &rounds[round_count];
        int step = 1 << round_count, n = ranks.groups;
        r->to = ranks.leader[(ranks.group + step) % n];
        r->from = ranks.leader[(ranks.group + n - step) % n];
        r->leaving = MPI_REQUEST_NULL;
        receive(round_count);
    }
}

void ranks_barrier_stop(void) {
    for (int k = 0; k < round_count; k++) {
        MPI_Cancel(&rounds[k].arriving);
        MPI_Wait(&rounds[k].arriving, MPI_STATUS_IGNORE);
        MPI_Wait(&rounds[k].leaving, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
}
