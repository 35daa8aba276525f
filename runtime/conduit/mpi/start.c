/* The threads of conduit mpi: MPI's ranks, one process each, started by mpirun or srun.
 *
 * Ranks of one computer share memory, and get consecutive thread numbers for that: threads are numbered computer by
 * computer, in the order of each one's first rank (so that thread 0 is rank 0, which has the standard input). With
 * FATHOM_NODE_MAX=k at most k threads of a computer share memory; k = 1 makes a cluster of any computer, for tests and
 * comparisons. Where the system does not let processes share, nothing is shared either.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/mpi/ranks.h"
#include "conduit/queue/queue.h"

enum { SLEEP_LONGER_NS = 200000 }; /* for each rank of a processor */

struct ranks ranks;
struct cluster cluster;

static bool may_differ; /* not all ranks refuse what one refuses */

/* A report of one rank, which ends the job; or of one for all, which exit. */
_Noreturn void cluster_refuse(const char *format, ...) {
    char text[512];
    int rank;
    va_list args;
    va_start(args, format);
    size_t length = bounded_text(text, sizeof text, format, args);
    va_end(args);
    if (may_differ) ranks_give_up(text, length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) bounded_say(text, length);
    MPI_Finalize();
    exit(1);
}

/* Processors in this process's affinity mask. */
static void own_cores(unsigned long *mask, size_t words) {
    memset(mask, 0, words * sizeof *mask);
    if (sched_getaffinity(0, words * sizeof *mask, (cpu_set_t *)mask) == 0) return;
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    for (long i = 0; i < n && i < (long)words * 64; i++) mask[i / 64] |= 1ul << i % 64;
}

/* mpirun may bind each rank to a processor of its own: together they have more. */
static int node_cores(void) {
    enum { WORDS = 128 };
    unsigned long mask[WORDS], all[WORDS];
    own_cores(mask, WORDS);
    MPI_Allreduce(mask, all, WORDS, MPI_UNSIGNED_LONG, MPI_BOR, ranks.node);
    int n = 0;
    for (int i = 0; i < WORDS; i++) n += __builtin_popcountl(all[i]);
    return n;
}

/* MPI's launchers say before MPI_Init how many ranks there are. */
static long said_here(void) {
    const char *text = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (!text) text = getenv("MPI_LOCALNRANKS");
    if (!text) text = getenv("SLURM_STEP_TASKS_PER_NODE"); /* "4(x3),2": that of the first, which has the most */
    return text ? atol(text) : 1;
}

long ranks_crowd(void) {
    long here = ranks.here ? ranks.here : said_here();
    long cores = ranks.cores ? ranks.cores : sysconf(_SC_NPROCESSORS_ONLN);
    return here <= cores ? 1 : (here + cores - 1) / cores;
}

/* MPI's own waiting loops (in its collective calls, and in a flush) are to yield where ranks have no core each. */
static void yield_when_crowded(void) {
    if (ranks_crowd() == 1) return;
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    setenv("MPIR_CVAR_POLLS_BEFORE_YIELD", "10", 0);
}

/* Open MPI's MPI_Init and MPI_Finalize wait for the last rank by usleep(100) in a loop. Of many ranks on few processors,
 * those that wait take the processors from those that are waited for, and from the launcher: 384 ranks on two took 176 s
 * to start, and a third of that with this. A thread's timer slack makes its short sleeps long. The threads that MPI starts
 * meanwhile keep it, but wait for events. Returns what the slack was. */
unsigned long ranks_sleep_long(void) {
    int before = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
    if (ranks_crowd() > 1) prctl(PR_SET_TIMERSLACK, SLEEP_LONGER_NS * (unsigned long)ranks_crowd(), 0, 0, 0);
    return before > 0 ? (unsigned long)before : 0;
}

/* The least of all ranks, if they differ. */
static int node_max(void) {
    int most = cluster_node_max(), least;
    MPI_Allreduce(&most, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (least == 0) cluster_refuse_node_max();
    return least;
}

static void drop(MPI_Comm *comm) {
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
}

/* The block that near threads share, or null everywhere if that is not possible. */
static struct near_block *share_block(void) {
    int why, count;
    const char *what;
    MPI_Comm_size(ranks.near, &count);
    size_t bytes = sizeof(struct near_block) + (size_t)count * sizeof(uint32_t);
    int fd = ranks_share(bytes, 0, &why, &what);
    if (fd < 0) return NULL;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    int mapped = p != MAP_FAILED, all;
    MPI_Allreduce(&mapped, &all, 1, MPI_INT, MPI_MIN, ranks.near);
    if (all) return p;
    if (mapped) munmap(p, bytes);
    return NULL;
}

static void find_near(void) {
    int on_node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &ranks.node);
    MPI_Comm_rank(ranks.node, &on_node);
    int most = node_max();
    for (may_differ = true;; most = 1) {
        MPI_Comm_split(ranks.node, on_node / most, on_node, &ranks.near);
        ranks.block = share_block();
        if (ranks.block) break;
        if (most == 1) cluster_refuse("no memory for the job's control block\n");
        drop(&ranks.near);
    }
}

/* Threads: one set of near ranks after the other. */
static void number_threads(void) {
    int world, leader, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    leader = world;
    MPI_Bcast(&leader, 1, MPI_INT, 0, ranks.near);
    MPI_Comm_split(MPI_COMM_WORLD, 0, leader, &ranks.all);
    MPI_Comm_rank(ranks.all, &cluster.me);
    MPI_Comm_rank(ranks.near, &rank);
    MPI_Comm_size(ranks.near, &cluster.count);
    cluster.first = cluster.queued_first = cluster.me - rank;
    cluster.queued_count = cluster.count;
    conduit_near.count = cluster.count;

    int *first = malloc((size_t)cluster.threads * sizeof *first);
    if (!first) cluster_refuse("no memory for a table of %d threads\n", cluster.threads);
    MPI_Allgather(&cluster.first, 1, MPI_INT, first, 1, MPI_INT, ranks.all);
    for (int t = 0; t < cluster.threads; t++) {
        if (first[t] != t) continue;
        if (t == cluster.first) cluster.group = cluster.groups;
        first[cluster.groups++] = t; /* in place: no set comes before its first thread */
    }
    cluster.leader = first;
}

/* Where srun speaks another PMI than MPI does, MPI takes each process for a job, and the work is done as many times. */
static void check_srun(void) {
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS"), *which = getenv("SLURM_PROCID");
    if (cluster.threads > 1 || !ranks_is_of_srun() || !tasks || atoi(tasks) < 2) return;
    if (which && strcmp(which, "0") != 0) {
        MPI_Finalize();
        exit(1);
    }
    cluster_refuse("srun has started %s processes, but MPI treats each as a job of its own, because srun and MPI use "
                   "different PMIs; choose it with srun --mpi=pmi2 or --mpi=pmix (srun --mpi=list shows the choices)\n",
                   tasks);
}

/* Under another MPI's launcher each process is a job of one thread, and the work is done as many times. */
static void check_launcher(void) {
    static const char *const launchers[][3] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI's"},
                                               {"PMI_SIZE", "PMI_RANK", "MPICH's"}};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const char *count = getenv(launchers[i][0]), *which = getenv(launchers[i][1]);
        if (cluster.threads > 1 || !count || atoi(count) < 2) continue;
        if (which && strcmp(which, "0") != 0) {
            MPI_Finalize();
            exit(0); /* a failure would end the first one before it has said why */
        }
        cluster_refuse("%s mpirun has started %s processes, but this program was built for another MPI, which treats "
                       "each as a job "
                       "of its own; start it with fathom run -n %s, or with the mpirun of its MPI\n",
                       launchers[i][2], count, count);
    }
}

static void check_number(int wanted) {
    if (cluster.threads > CONDUIT_MAX_FAR)
        cluster_refuse("%d ranks, but a job has at most %d threads\n", cluster.threads, CONDUIT_MAX_FAR);
    /* FATHOM_THREADS may be set for some ranks only. */
    int own = wanted == cluster.threads ? 0 : wanted;
    MPI_Allreduce(&own, &wanted, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (!wanted) return;
    if (cluster.threads == 1)
        cluster_refuse(
            "%d threads are wanted (-T or FATHOM_THREADS), but this program was started as one process; start "
            "it with mpirun -n %d, or with fathom run -n %d\n",
            wanted, wanted, wanted);
    cluster_refuse(
        "%d threads are wanted (-T or FATHOM_THREADS), but mpirun has started %d; start it with mpirun -n %d\n", wanted,
        cluster.threads, wanted);
}

static bool is_serialized; /* MPI takes calls of several POSIX threads, one at a time */

static bool ranks_takes_turns(void) { return is_serialized; }

static int ranks_start(int wanted, int *argc, char ***argv) {
    ranks_end_prepare();
    yield_when_crowded();
    int level; /* the progress thread and the thread itself take turns */
    unsigned long slack = ranks_sleep_long();
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &level);
    is_serialized = level >= MPI_THREAD_SERIALIZED;
    prctl(PR_SET_TIMERSLACK, slack, 0, 0, 0);
    MPI_Comm_size(MPI_COMM_WORLD, &cluster.threads);
    if (wanted != 1) {
        check_srun();
        check_launcher();
    }
    check_number(wanted);
    find_near();
    number_threads();
    MPI_Comm_size(ranks.node, &ranks.here);
    ranks.cores = node_cores();
    ranks_relay_start();
    ranks_end_start();
    if (cluster.me > 0) {
        int null = open("/dev/null", O_RDONLY);
        if (null >= 0) {
            dup2(null, 0);
            if (null != 0) close(null);
        }
    }
    return cluster.threads;
}

static int ranks_threads_here(void) { return ranks.here; }

static size_t ranks_least(size_t mine) {
    unsigned long all, own = mine;
    MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED_LONG, MPI_MIN, ranks.all);
    return all;
}

static int ranks_cores(void) { return ranks.cores; }

void *cluster_shared(size_t bytes) { return ranks_shared(bytes); }

static int ranks_spawn(int threads) {
    (void)threads;
    cluster.has_wire = cluster.groups > 1;
    conduit_near.first = cluster.first;
    cluster_start();
    ranks_wire_start();
    ranks_rounds_start();
    ranks_window_start();
    ranks_connections_start();
    if (cluster.groups > 1) ranks_find_roads();
    if (ranks_overrides.put) {
        ranks_kernel_start();
        ranks_choose();
    }
    MPI_Barrier(ranks.all);
    return cluster.me;
}

const struct conduit conduit_built = {
    .name = "mpi",
    .max_threads = CONDUIT_MAX_FAR,
    .max_medium = CLUSTER_MAX_MEDIUM,
    .start = ranks_start,
    .threads_here = ranks_threads_here,
    .least = ranks_least,
    .segments = ranks_segments,
    .shared_memory = ranks_shared,
    .spawn = ranks_spawn,

    .send = cluster_send,
    .try_send = cluster_try_send,
    .poll = cluster_poll,
    .needs_progress = cluster_needs_progress,
    .progress = cluster_progress,
    .rest_beside = cluster_rest_beside,

    .rest = bells_rest,
    .sleep = bells_sleep,
    .ring = bells_ring,
    .wake = bells_wake,
    .is_armed = bells_is_armed,
    .nudge = bells_nudge,
    .watch = bells_watch,
    .unwatch = bells_unwatch,
    .cores = ranks_cores,
    .takes_turns = ranks_takes_turns,

    .done = ranks_done,
    .is_done = ranks_is_done,
    .done_count = ranks_done_count,
    .finish = ranks_finish,
    .claim_report = ranks_claim_report,
    .end = ranks_end,
    .is_ending = ranks_is_ending,
    .is_thread = ranks_is_thread,

    .overrides = &ranks_overrides,
};
