/* Starts the participants of a contender and measures its rows: round trips, streams, bulk, many senders to one queue, polls
 * of queues without messages, and the wake of a receiver that sleeps. Clock, batches and lines of result are those of
 * bench/comm (comm/side.h). Participant 0 receives; it has the clock.
 *
 * Usage: PROGRAM BATCHES BATCH_US [ROW...]. The time of `round trip` is that of both ways.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <fcntl.h>

#include "../comm/side.h"
#include "contender.h"

extern const struct contender CONTENDER;
static const struct contender *const c = &CONTENDER;

enum { MOST_PARTICIPANTS = 9, WAKES = 300, WAKE_PAUSE_NS = 200 * 1000, MOST_SECONDS = 100, CROWD_LONGER = 30 };

int crowded;

/* Shared by all participants. */
struct page {
    _Alignas(128) int arrived;
    _Alignas(128) int round;
    _Alignas(128) long agreed;
    _Alignas(128) long taken;
    double sent;
};
static struct page *page;
static int participants;
static _Thread_local int me;
static _Thread_local size_t size;
static _Thread_local int wrong, round_seen;

static void barrier(void) {
    int round = ++round_seen, tries = 0;
    if (__atomic_add_fetch(&page->arrived, 1, __ATOMIC_ACQ_REL) == participants) {
        page->arrived = 0;
        __atomic_store_n(&page->round, round, __ATOMIC_RELEASE);
    }
    while (__atomic_load_n(&page->round, __ATOMIC_ACQUIRE) < round) idle(&tries);
}

static long agree(long mine) {
    if (me == 0) page->agreed = mine;
    barrier();
    long all = page->agreed;
    barrier();
    return all;
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

static void prepare(const struct side_row *row) {
    size = row->bytes;
    if (c->prepare) c->prepare(size);
}
static int right(void) { return !wrong; }

static void expect(uint64_t got, uint64_t want) { wrong |= got != want; }

static void round_trip(long n) { expect(me == 0 ? c->ping(n, size) : c->pong(n, size), sum_of((uint64_t)n, size)); }
static void stream(long n) {
    if (me == 0)
        expect(c->in(n, size), sum_of((uint64_t)n, size));
    else
        c->out(n, size);
}
static void batches(long n) {
    if (me == 0)
        expect(c->batch_in(n, size), sum_of((uint64_t)n, size));
    else
        c->batch_out(n, size);
}
static void bulk(long n) {
    if (me == 0)
        expect(c->bulk_in(n, size), sum_of_bulk((uint64_t)n, size));
    else
        c->bulk_out(n, size);
}
/* The time is that of a message, whoever has sent it. */
static void senders(long n) {
    long count = participants - 1, each = n / count + 1;
    if (me == 0)
        expect(c->in(each * count, size), (uint64_t)count * sum_of((uint64_t)each, size));
    else
        c->out(each, size);
}
static void together(long n) {
    c->together(n / participants + 1);
    barrier(); /* the time is that of the last */
}
static void poll_all(long n) { wrong |= c->poll(n) != 0; }
static void poll_one(const struct side_row *row) { (void)row, c->poll_open(1); }
static void poll_many(const struct side_row *row) { (void)row, c->poll_open(512); }

/* The rows that are being listed, and their names. */
struct list {
    int count;
    struct side_row row[64];
    char name[64][40];
};

static struct side_row *add_row(struct list *l, const char *name, int amount, void (*work)(long), size_t bytes) {
    int k = l->count++;
    snprintf(l->name[k], sizeof l->name[k], name, amount);
    l->row[k] = (struct side_row){l->name[k], c->name, work, SIDE_BOTH, bytes, prepare, right, 0};
    return &l->row[k];
}

static void add_polls(struct list *l, int queues, void (*open)(const struct side_row *)) {
    struct side_row *row = add_row(l, "poll %d", queues, poll_all, 0);
    row->who = SIDE_FIRST, row->prepare = open;
}

static void list_rows(struct list *l, int crowd) {
    static const int sizes[] = {8, 64, 96, 160, 1024, 4096, 64 << 10, 256 << 10, 1 << 20, 4 << 20};
    if (crowd) {
        if (c->together) add_row(l, c->together_row, crowd, together, 0)->prepare = NULL;
        if (c->rows & SENDERS) add_row(l, "senders %d", crowd, senders, 8);
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t bytes = (size_t)sizes[i];
        if (bytes < c->least || (c->most && bytes > c->most)) continue;
        if (c->rows & ROUND_TRIPS) add_row(l, "round trip %d", sizes[i], round_trip, bytes);
        if (c->rows & BULK && bytes >= 64 << 10) add_row(l, "bulk %d", sizes[i], bulk, bytes);
    }
    if (c->rows & STREAM) add_row(l, "stream %d", 8, stream, 8);
    if (c->rows & BATCHES) add_row(l, "batches %d", 8, batches, 8);
    if (c->poll) add_polls(l, 1, poll_one), add_polls(l, 512, poll_many);
}

static double *in_order(double *t, int n) {
    qsort(t, (size_t)n, sizeof *t, side_ascending);
    return t;
}

/* A message to a receiver that has had time to fall asleep; from before its sending to the receiver's look at the clock. */
static void wake(void) {
    static double t[WAKES];
    for (long i = 0; i < WAKES; i++) {
        if (me == 0) {
            c->wake_in();
            t[i] = side_now() - page->sent;
            __atomic_store_n(&page->taken, i + 1, __ATOMIC_RELEASE);
        } else {
            nanosleep(&(struct timespec){0, WAKE_PAUSE_NS}, NULL);
            page->sent = side_now();
            c->wake_out();
            while (__atomic_load_n(&page->taken, __ATOMIC_ACQUIRE) != i + 1) {}
        }
    }
    if (me != 0) return;
    in_order(t, WAKES);
    printf("comm\t%s\twake\t0\t%.3f\t%.3f\t%.3f\n", c->name, t[WAKES / 2], t[0], t[WAKES - 1]);
    fflush(stdout);
}

/* ---- participants ------------------------------------------------------------------------------------------------- */

struct part {
    int me, crowd, argc;
    char **argv;
};

static void *take_part(void *arg) {
    struct part *p = arg;
    alarm(MOST_SECONDS); /* a message that is lost is waited for without end */
    me = p->me;
    struct side side = {.me = me, .barrier = barrier, .agree = agree, .unbound = crowded || c->unbound};
    if (!side.unbound) side_pin(me);
    if (c->open) c->open(me, participants);
    barrier();
    struct list list = {0};
    list_rows(&list, p->crowd);
    side_main(&side, list.row, list.count, p->argc, p->argv);
    barrier();
    if (!p->crowd && c->wake_in && side_wanted("wake", p->argc, p->argv)) wake();
    barrier();
    if (c->close) c->close();
    return NULL;
}

/* Participants of a kind that this process starts, until all have ended. */
static void start(int count, int crowd, int argc, char **argv) {
    /* Where processors are shared, a batch has to be longer than a turn on one. */
    static char longer[32];
    if (crowd) {
        if (argc > 2 && argv[2] != longer) {
            snprintf(longer, sizeof longer, "%f", CROWD_LONGER * atof(argv[2]));
            argv[2] = longer;
        }
    }
    participants = count;
    cpu_set_t all;
    crowded = !sched_getaffinity(0, sizeof all, &all) && CPU_COUNT(&all) < count;
    page = shared(sizeof *page);
    if (c->create) c->create(count);
    struct part part[MOST_PARTICIPANTS];
    for (int k = 0; k < count; k++) part[k] = (struct part){k, crowd, argc, argv};
    fflush(stdout);
    if (c->kind == THREADS) {
        pthread_t thread[MOST_PARTICIPANTS];
        for (int k = 0; k < count; k++)
            if (pthread_create(&thread[k], NULL, take_part, &part[k])) die("pthread_create");
        for (int k = 0; k < count; k++) pthread_join(thread[k], NULL);
        return;
    }
    pid_t pid[MOST_PARTICIPANTS];
    for (int k = 0; k < count; k++) {
        if ((pid[k] = fork()) < 0) die("fork");
        if (pid[k] == 0) {
            take_part(&part[k]);
            fflush(stdout);
            _exit(0);
        }
    }
    /* If one fails, the others would wait for it. */
    for (int k = 0, status; k < count; k++) {
        if (wait(&status) < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) continue;
        if (WIFSIGNALED(status)) fprintf(stderr, "%s: a process ended by signal %d\n", c->name, WTERMSIG(status));
        for (int j = 0; j < count; j++) kill(pid[j], SIGKILL);
        exit(1);
    }
}

/* Processes that Open MPI has started: the page is a file that both know. */
static void launched(int argc, char **argv) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *count = getenv("OMPI_COMM_WORLD_SIZE");
    if (!rank || !count) errno = EINVAL, die("start this program by mpirun");
    char name[64];
    snprintf(name, sizeof name, "/fathom-bench-queues-%d", (int)getppid());
    participants = atoi(count);
    int fd = shm_open(name, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *page)) die(name);
    page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) die(name);
    if (c->create) c->create(participants);
    struct part part = {atoi(rank), 0, argc, argv};
    if (c->close == NULL) errno = EINVAL, die("a launched contender has to close");
    take_part(&part);
    shm_unlink(name);
}

int main(int argc, char **argv) {
    if (c->kind == LAUNCHED) {
        launched(argc, argv);
        return 0;
    }
    if (c->rows & ~SENDERS || c->wake_in || c->poll) start(2, 0, argc, argv);
    for (int k = 1; k <= 8; k *= 2) {
        if (c->together) start(k, k, argc, argv);
        if (c->rows & SENDERS && k > 1) start(k + 1, k, argc, argv);
    }
    return 0;
}
