/* How the first threads of the sets meet in a barrier (conduit/cluster/barrier.c): each round has a receive of its own, from
 * the one thread that it comes from. By messages, which are received from anybody in the order of posting, a barrier of two
 * threads over Open MPI took 520 ns instead of 400.
 *
 * Receives are posted once the first message is on its way, which takes longer than that; what arrives before, from a fast
 * thread perhaps a barrier ahead, waits in MPI for the next receive from there, which is always the one it is meant for: the
 * sender tells the round, as 2^k < n. A ballot without values, as nearly all are, is an empty message: its tag says what
 * there is to say.
 */
#include <time.h>

#include "conduit/mpi/ranks.h"

enum { MOST_TRIES = 16, TRIES_NS = 400 };
enum { WITH_VALUES = 0, MOST_KINDS = 1 << 14 }; /* tags: this one, or the kinds; MPI promises tags up to 2^15 - 1 */

static MPI_Comm comm;
static struct round {
    MPI_Request arriving, leaving;
    struct conduit_ballot in, out;
    int from; /* thread */
} rounds[CLUSTER_ROUNDS];
static int round_count;
static int tries_in_a_row = 1;

static void receive(struct round *r) {
    MPI_Irecv(&r->in, sizeof r->in, MPI_BYTE, r->from, MPI_ANY_TAG, comm, &r->arriving);
}

static void tell(int round, int thread, const struct conduit_ballot *mine) {
    struct round *r = &rounds[round];
    if (r->leaving != MPI_REQUEST_NULL) MPI_Wait(&r->leaving, MPI_STATUS_IGNORE); /* of the barrier before: long gone */
    if (!mine->first && !mine->other && mine->kinds && mine->kinds < MOST_KINDS) {
        MPI_Isend(NULL, 0, MPI_BYTE, thread, (int)mine->kinds, comm, &r->leaving);
    } else {
        r->out = *mine;
        MPI_Isend(&r->out, sizeof r->out, MPI_BYTE, thread, WITH_VALUES, comm, &r->leaving);
    }
    if (round > 0) return;
    for (int k = 0; k < round_count; k++) receive(&rounds[k]);
    int gone;
    MPI_Test(&r->leaving, &gone, MPI_STATUS_IGNORE);
}

static bool hear(int round, bool waits, struct conduit_ballot *heard) {
    struct round *r = &rounds[round];
    int arrived = 0;
    MPI_Status status;
    for (int i = 0, tries = waits ? tries_in_a_row : 1; i < tries && !arrived; i++)
        MPI_Test(&r->arriving, &arrived, &status);
    if (!arrived) return false;
    if (status.MPI_TAG == WITH_VALUES)
        conduit_ballot_merge(heard, &r->in);
    else
        heard->kinds |= (uint64_t)status.MPI_TAG;
    return true;
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

/* To look whether something has come is a load for one MPI, and a system call or two for another. A thread that waits looks
 * some times in a row, no longer than a message may wait. */
static void find_tries(void) {
    long least = 0;
    for (int i = 0; i < 8; i++) {
        struct timespec before, after;
        int is_there;
        clock_gettime(CLOCK_MONOTONIC, &before);
        for (int k = 0; k < MOST_TRIES; k++) MPI_Iprobe(cluster.me, 0, comm, &is_there, MPI_STATUS_IGNORE);
        clock_gettime(CLOCK_MONOTONIC, &after);
        long ns = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
        if (i == 0 || ns < least) least = ns;
    }
    long tries = TRIES_NS * MOST_TRIES / (least + 1);
    tries_in_a_row = tries < 1 ? 1 : tries > MOST_TRIES ? MOST_TRIES : (int)tries;
}

void ranks_rounds_start(void) {
    static const struct cluster_rounds own = {tell, hear};
    if (cluster.groups == 1) return;
    MPI_Comm_dup(ranks.all, &comm);
    cluster_rounds = &own;
    if (cluster.me != cluster.first) return;
    if (ranks.here <= ranks.cores) find_tries();
    for (int n = cluster.groups; 1 << round_count < n; round_count++) {
        struct round *r = &rounds[round_count];
        r->from = cluster.leader[(cluster.group + n - (1 << round_count)) % n];
        r->arriving = r->leaving = MPI_REQUEST_NULL;
    }
}

void ranks_rounds_stop(void) {
    if (cluster.groups == 1) return;
    for (int k = 0; k < round_count; k++) {
        if (rounds[k].arriving != MPI_REQUEST_NULL) MPI_Cancel(&rounds[k].arriving);
        MPI_Wait(&rounds[k].arriving, MPI_STATUS_IGNORE);
        MPI_Wait(&rounds[k].leaving, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
}
