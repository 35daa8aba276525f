/* Which way data takes to far threads, and atomic operations do: MPI's one-sided operations, or messages.
 *
 * Where hardware or the kernel moves data by itself, one-sided operations win, and by far; only where each of them is a
 * system call, on one computer, several words under way together are quicker as messages. Where MPI makes one-sided
 * operations of messages of its own, as over TCP, a transfer alone is quicker as one that the runtime answers: it needs fewer
 * of them, and the other side, if it waits, sleeps longer and longer when MPI's own messages alone arrive (a put of 8 bytes
 * between two network namespaces took 155 us instead of 10). But transfers that are under way together MPI puts into
 * common messages, and wins again, as long as the other side is awake: MPI's gets alone, of 64 bytes, took 240 us or more when that had
 * waited for a while, where a message takes 13. So one get now and then is a message.
 *
 * MPI cannot be asked which it is. So thread 0 finds out when the job starts, for a far thread of its own computer and
 * one of another, if there are any; all threads then do as it says. A one-sided get from a thread that naps shows it,
 * however busy the computer is, where comparing times would not. The rest follows by the table below, from measurements
 * with Open MPI and MPICH, over TCP and in shared memory. With more threads than processors one-sided operations are
 * taken. It takes some 5 milliseconds.
 *
 * Short gets from a thread of the same computer have a third way, the kernel's copy (kernel.c). It needs nobody's help,
 * whatever MPI does. Its time is compared with that of MPI's operations, the least of several each, so that a processor
 * that was busy with other work decides nothing; with more threads than processors the kernel is taken.
 *
 * Atomic operations are tried apart: where the kernel moves data, or one side of a common memory does, MPI may still ask
 * the other side for an addition. That side then has to call MPI, and a thread that waits does so ever less often, for
 * it knows of the messages that arrive and not of MPI's own: a hundred times as long as a message takes, or a thousand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conduit/mpi/ranks.h"
#include "core/constants.h"
#include "gas.h"
#include "lang/prelude.h"

/* A transfer of n bytes goes by message if from <= n <= to. */
struct range {
    size_t from, to;
};
#define NEVER                                                                                                          \
    { 1, 0 }

enum kind { PUT, GET, PUT_TOGETHER, GET_TOGETHER, KINDS };
struct road {
    struct range by_message[KINDS];
};

static const struct road one_sided = {{NEVER, NEVER, NEVER, NEVER}};
static const struct road one_sided_here = {{NEVER, NEVER, [PUT_TOGETHER] = {1, 64}, [GET_TOGETHER] = {1, 64}}};
#define EMULATED(longest)                                                                                              \
    {                                                                                                                  \
        { [PUT] = {1, longest}, [GET] = {1, longest}, [PUT_TOGETHER] = {4096, 16384}, [GET_TOGETHER] = NEVER }         \
    }

/* A get of so many bytes from a thread that naps so long; asked for so long before; so often. */
enum { TRY_BYTES = 4096, NAP_US = 1500, BEFORE_US = 300, NAPS = 2 };

/* Between computers Open MPI (4.1.4) took up to twice as long as our messages do for 1 MB, on an idle computer and on busy ones; at 4 MB
 * and more neither was ahead. MPICH's own messages within a computer are as quick as ours, and need no handler's copy. */
#ifdef MPICH_VERSION
static const struct road emulated = EMULATED(131072), emulated_here = {{NEVER, NEVER, NEVER, NEVER}};
#else
static const struct road emulated = EMULATED(1048576), emulated_here = EMULATED(131072);
#endif

enum { HERE, ELSEWHERE, ROADS }; /* to threads of this computer, and of others */
static struct {
    struct road road[ROADS];
    bool atomics;                       /* by MPI */
    bool kernel_alone, kernel_together; /* short gets from a thread HERE */
} chosen;
static unsigned char *road_to; /* by thread */

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

bool ranks_gets_by_kernel(bool alone, int thread, size_t n) {
    return n <= RANKS_KERNEL_BYTES && (alone ? chosen.kernel_alone : chosen.kernel_together) &&
           ranks_kernel_reaches(thread);
}

/* Few puts to each of several threads count as alone. MPI may send what is put only in the flush, and flushes are for one
 * thread after the other, or for all in the order of their ranks, so that all senders begin with the same one; messages leave at
 * once. How many go to a thread shows only later: as many as before. */
enum { FEW = 8 };
static struct {
    int thread;
    unsigned puts, before; /* one after the other to that thread, and to the one before it */
} run = {-1, 0, FEW + 1};

static bool are_few(int thread) {
    if (thread != run.thread) {
        if (run.thread >= 0) run.before = run.puts;
        run.thread = thread;
        run.puts = 0;
    }
    if (run.puts <= FEW) run.puts++;
    return run.puts <= FEW && run.before <= FEW;
}

/* Of the gets of one thread from another, one now and then goes as a message, where a get alone does: a message wakes a thread that
 * naps, and MPI's own do not. It spins for longer than this before it naps again. */
enum { SILENCE_NS = 50000 };
static long long *spoken; /* by thread: when a get last went there as a message */

static bool is_silent(int thread) {
    long long t = now();
    if (t - spoken[thread] < SILENCE_NS) return false;
    spoken[thread] = t;
    return true;
}

static bool goes_by_message(const struct road *road, enum kind kind, size_t n) {
    return road->by_message[kind].from <= n && n <= road->by_message[kind].to;
}

bool ranks_is_better(bool is_put, bool alone, int thread, size_t n) {
    if (!is_put && ranks_gets_by_kernel(alone, thread, n)) return true;
    if (is_put && !alone) alone = are_few(thread);
    enum kind kind = alone ? (is_put ? PUT : GET) : is_put ? PUT_TOGETHER : GET_TOGETHER;
    const struct road *road = &chosen.road[road_to[thread]];
    if (kind == GET_TOGETHER && goes_by_message(road, GET, n) && is_silent(thread)) return false;
    return !goes_by_message(road, kind, n);
}

/* A transfer alone goes as one of ours where MPI makes messages, too, and these are not as quick. */
bool ranks_are_messages(int thread) { return goes_by_message(&chosen.road[road_to[thread]], GET, 1); }

bool ranks_is_here(int thread) { return road_to[thread] == HERE; }
bool ranks_atomic_is_better(void) { return chosen.atomics; }

/* ---- the trial --------------------------------------------------------------------------------------------------- */

static void get(int thread, char *data) { ranks_overrides.get(data, fathom_make(thread, 0), TRY_BYTES); }

/* Adds nothing: what is there stays. */
static void add(int thread, char *data) {
    uint64_t nothing = 0;
    ranks_atomic(data, fathom_make(thread, 0), GAS_U64, GAS_ADD, &nothing, NULL);
}

/* Is an operation with a thread complete without it? */
static bool goes_by_itself(void (*operation)(int thread, char *data), int thread, char *data) {
    long long least = 0;
    for (int i = 0; i < NAPS; i++) {
        cluster_nap(thread, NAP_US);
        nanosleep(&(struct timespec){0, BEFORE_US * 1000l}, NULL);
        long long before = now();
        operation(thread, data);
        long long took = now() - before;
        if (i == 0 || took < least) least = took;
    }
    return least < (NAP_US - BEFORE_US) * 1000ll / 2;
}

/* ---- the kernel's gets, or MPI's --------------------------------------------------------------------------------- */

/* `several` words at a time, apart from each other, so often. */
enum { SEVERAL = 16, WORD = 8, APART = 64, OFTEN = 8 };
_Static_assert(SEVERAL *APART <= TRY_BYTES, "within what is tried");

static void by_mpi(int thread, char *data, int several) {
    struct conduit_op *ops[SEVERAL];
    for (int i = 0; i < several; i++)
        ops[i] = ranks_overrides.get_begin(data + i * APART, fathom_make(thread, (unsigned long)(i * APART)), WORD);
    for (int i = 0; i < several; i++)
        while (ops[i] && !ranks_overrides.op_test(ops[i])) continue;
}

static void by_kernel(int thread, char *data, int several) {
    for (int i = 0; i < several; i++)
        ranks_kernel_begin(data + i * APART, fathom_make(thread, (unsigned long)(i * APART)), WORD);
    ranks_kernel_carry_out();
}

static long long least_time(void (*gets)(int thread, char *data, int several), int thread, char *data, int several) {
    long long least = 0;
    for (int i = 0; i < OFTEN; i++) {
        long long before = now();
        gets(thread, data, several);
        long long took = now() - before;
        if (i == 0 || took < least) least = took;
    }
    return least;
}

static bool is_kernel_faster(int thread, char *data, int several) {
    return least_time(by_kernel, thread, data, several) < least_time(by_mpi, thread, data, several);
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

void ranks_find_roads(void) {
    int *node = malloc((size_t)cluster.threads * sizeof *node), mine = cluster.me;
    road_to = malloc((size_t)cluster.threads);
    spoken = calloc((size_t)cluster.threads, sizeof *spoken);
    if (!node || !road_to || !spoken) cluster_refuse("no memory for a table of %d threads\n", cluster.threads);
    MPI_Bcast(&mine, 1, MPI_INT, 0, ranks.node);
    MPI_Allgather(&mine, 1, MPI_INT, node, 1, MPI_INT, ranks.all);
    for (int t = 0; t < cluster.threads; t++) road_to[t] = node[t] == mine ? HERE : ELSEWHERE;
    free(node);
}

static void choose(void) {
    const char *wish = getenv("FATHOM_MPI_RMA");
    bool never = wish && strcmp(wish, "never") == 0, always = wish && strcmp(wish, "always") == 0;
    if (wish && *wish && !never && !always)
        fprintf(stderr, "fathom: FATHOM_MPI_RMA=%s: expected always or never\n", wish);
    for (int road = 0; road < ROADS; road++) {
        chosen.road[road] = one_sided;
        for (int kind = 0; never && kind < KINDS; kind++)
            chosen.road[road].by_message[kind] = (struct range){1, SIZE_MAX};
    }
    bool can_add = ranks_atomic_is_possible(GAS_U64, 1ul << GAS_ADD);
    chosen.atomics = always;
    if (never || always) return;
    char *data = ranks.here <= ranks.cores ? malloc(TRY_BYTES) : NULL;
    if (!data) {
        chosen.kernel_alone = chosen.kernel_together = true;
        return;
    }
    chosen.atomics = can_add;
    for (int road = 0; road < ROADS; road++) {
        int thread = cluster.count;
        while (thread < cluster.threads && road_to[thread] != road) thread++;
        if (thread == cluster.threads) continue;
        if (goes_by_itself(get, thread, data))
            chosen.road[road] = road == HERE ? one_sided_here : one_sided;
        else
            chosen.road[road] = road == HERE ? emulated_here : emulated;
        if (road == HERE && ranks_kernel_reaches(thread)) {
            bool together = is_kernel_faster(thread, data, SEVERAL), alone = is_kernel_faster(thread, data, 1);
            chosen.kernel_together = together;
            chosen.kernel_alone = alone;
        }
        chosen.atomics = chosen.atomics && goes_by_itself(add, thread, data);
    }
    free(data);
}

/* The others serve thread 0 meanwhile. Called when messages can be sent, and before anybody sends any of the core's. */
void ranks_choose(void) {
    core_set_constants(cluster.me, fathom_threads, fathom_static_delta); /* whoever polls must know who he is */
    if (cluster.me == 0) choose();
    MPI_Request told;
    int done = 0;
    MPI_Ibcast(&chosen, sizeof chosen, MPI_BYTE, 0, ranks.all, &told);
    while (!done) {
        cluster_poll(false);
        MPI_Test(&told, &done, MPI_STATUS_IGNORE);
    }
}
