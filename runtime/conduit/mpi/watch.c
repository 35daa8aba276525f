/* The watchman: a POSIX thread of each process that sleeps, makes no call of MPI, and finds out what MPI and its
 * launcher are slow to find, or do not find at all: that another process of this computer has died, that the launcher
 * has, or that a computer is out of reach (connections.c).
 *
 * It has a descriptor (pidfd) of some of the processes of its computer, which is ready to be read once the process has
 * ended, also while nobody has asked for its status: a zombie is dead, and a number that has been given to another
 * process does not mislead. These neighbours are those at distances of 1, 2, 4, ... on either side, so that each
 * process has two that look at it closely, and the descriptors of all grow as n log n. Who ends the job tells its
 * neighbours by a signal, and they tell theirs. Where the kernel has no such descriptors (before 5.3), numbers serve,
 * with the time when the process was started, and are looked up four times a second.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/clock.h"
#include "conduit/family.h"
#include "conduit/mpi/ranks.h"

#define WATCH_MS 250        /* where numbers must serve */
#define CONNECTIONS_MS 1000 /* how often connections are looked at */
/* What MPI_Finalize has, when all has been said, before a process goes without it: 512 ranks on two processors need 8 s. */
#define FINALIZE_MS (5000 + 200 * ranks_crowd())

enum { MOST_NEIGHBOURS = 2 * 20 };

static struct {
    pid_t pid;
    int thread;
    int fd; /* -1: by number */
    unsigned long long started;
} neighbour[MOST_NEIGHBOURS];
static int neighbours;
static bool by_number; /* some are */

static pid_t parent;
static int parent_fd = -1, stop_fd = -1;
static pthread_t main_thread;
static volatile bool finished; /* others' normal end is not to be taken for a loss */
static volatile int final_status;

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

/* Is it the process that it was? */
static bool is_alive(int i) {
    struct family_member m;
    return family_look(neighbour[i].pid, &m) && m.started == neighbour[i].started && m.state != 'Z';
}

void ranks_tell_neighbours(int signal, int value) {
    siginfo_t info = {.si_signo = signal, .si_code = SI_QUEUE, .si_pid = getpid(), .si_uid = getuid()};
    info.si_value.sival_int = value;
    for (int i = 0; i < neighbours; i++) {
        if (neighbour[i].fd >= 0) {
            family_send(neighbour[i].fd, signal, &info);
            family_send(neighbour[i].fd, SIGCONT, NULL); /* if it is stopped */
        } else if (is_alive(i)) {
            sigqueue(neighbour[i].pid, signal, info.si_value);
            kill(neighbour[i].pid, SIGCONT);
        }
    }
}

/* Is there one that has gone without a word? Its thread, or -1. */
static int missing_neighbour(void) {
    for (int i = 0; i < neighbours; i++) {
        struct pollfd ended = {.fd = neighbour[i].fd, .events = POLLIN};
        if (neighbour[i].fd >= 0 ? poll(&ended, 1, 0) == 1 : !is_alive(i)) return neighbour[i].thread;
    }
    return -1;
}

struct peer {
    unsigned long space; /* of process numbers; 0: unknown */
    unsigned long long started;
    int pid, thread;
};

static void add_neighbour(const struct peer *p, const struct peer *mine) {
    for (int i = 0; i < neighbours; i++)
        if (neighbour[i].pid == p->pid) return;
    if (p->pid == mine->pid || p->space != mine->space || !mine->space || neighbours == MOST_NEIGHBOURS) return;
    int i = neighbours++;
    neighbour[i].pid = p->pid;
    neighbour[i].thread = p->thread;
    neighbour[i].started = p->started;
    neighbour[i].fd = family_open(p->pid);
    if (neighbour[i].fd >= 0 &&
        !is_alive(i)) { /* it has died since, and its number is another's: by number, it is missing */
        close(neighbour[i].fd);
        neighbour[i].fd = -1;
    }
    by_number = by_number || neighbour[i].fd < 0;
}

static void find_neighbours(void) {
    struct stat s;
    struct family_member self = {0};
    struct peer mine = {.pid = getpid(), .thread = cluster.me}, *all;
    if (family_look(mine.pid, &self) && stat("/proc/self/ns/pid", &s) == 0) {
        mine.space = s.st_ino;
        mine.started = self.started;
    }
    int n, me;
    MPI_Comm_size(ranks.node, &n);
    MPI_Comm_rank(ranks.node, &me);
    all = calloc((size_t)n, sizeof *all);
    if (!all) cluster_refuse("no memory\n");
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, ranks.node);
    for (int distance = 1; distance < n; distance *= 2) {
        add_neighbour(&all[(me + distance) % n], &mine);
        add_neighbour(&all[(me - distance + n) % n], &mine);
    }
    free(all);
}

/* ---- the watchman ------------------------------------------------------------------------------------------------ */

void ranks_watch_interrupt(int end) {
    pthread_sigqueue(main_thread, RANKS_END_SIGNAL, (union sigval){.sival_int = end});
}

/* If the job is ending already, but nobody has told this process, who should have has been killed over it. Without a
 * format, another computer reports it. */
static void end_for(const char *format, int number) {
    if (ranks_end_is_told()) return;
    if (format && !ranks_is_ending() && bounded_may_say(ranks_claim_report, ranks_is_ending)) {
        char text[256];
        int n = snprintf(text, sizeof text, "fathom: thread %d: ", cluster.me);
        n += snprintf(text + n, sizeof text - (size_t)n, format, number);
        bounded_say(text, (size_t)n);
    }
    ranks_end(1);
    ranks_watch_interrupt((int)__atomic_load_n(&ranks.block->end, __ATOMIC_SEQ_CST));
}

/* Sleeps until there is something to look at. */
static void sleep_until_news(long long missed) {
    struct pollfd fds[MOST_NEIGHBOURS + RANKS_RELAY_EDGES + 2] = {{.fd = stop_fd, .events = POLLIN},
                                                                  {.fd = missed ? -1 : parent_fd, .events = POLLIN}};
    for (int i = 0; i < neighbours; i++) /* what is known to have ended does not wake it again */
        fds[2 + i] = (struct pollfd){.fd = missed ? -1 : neighbour[i].fd, .events = POLLIN};
    int others = ranks_relay_poll(fds + 2 + neighbours);
    bool looks = missed || by_number || stop_fd < 0 || parent_fd < 0;
    poll(fds, (nfds_t)(2 + neighbours + others), looks ? WATCH_MS : ranks.here < cluster.threads ? CONNECTIONS_MS : -1);
}

/* What other computers have told; an end that one of them has told is passed on here. */
static enum ranks_relay_news listen_to_others(int *lost) {
    int value;
    enum ranks_relay_news news = ranks_relay_look(&value);
    if (news == RELAY_LOST || news == RELAY_LOST_TOLD) *lost = value;
    if (news == RELAY_END) ranks_end_elsewhere(value);
    return news;
}

static void *watch(void *nothing) {
    static const char thread_has_ended[] = "thread %d has ended; the job ends\n";
    long long missed = 0, connections_at = now_ms();
    int lost = -1; /* the first thread of another computer, which has gone */
    bool lost_is_told = false;
    while (!finished) {
        sleep_until_news(missed);
        if (finished) break;
        enum ranks_relay_news news = listen_to_others(&lost);
        lost_is_told = lost_is_told || news == RELAY_LOST_TOLD;
        bool cut = (now_ms() >= connections_at && ranks_connections_lost()) || news == RELAY_CUT;
        if (now_ms() >= connections_at) connections_at = now_ms() + CONNECTIONS_MS;
        int missing = missing_neighbour();
        if (missing < 0 && getppid() == parent && !cut && lost < 0) {
            missed = 0;
            continue;
        }
        /* The launcher knows more, and may be about to end the job. */
        if (!missed) missed = now_ms();
        if (cut)
            end_for("a computer of the job is out of reach; the job ends\n", 0);
        else if (now_ms() - missed < RANKS_LAUNCHER_MS)
            continue;
        else if (missing >= 0)
            end_for(ranks_relay_reports(missing) ? NULL : thread_has_ended, missing);
        else if (lost >= 0)
            end_for(lost_is_told ? NULL : thread_has_ended, lost);
        else
            end_for("the launcher (process %d) has ended; the job ends\n", (int)parent);
    }
    poll(NULL, 0, (int)FINALIZE_MS);
    _exit(final_status); /* everything is done and written: nothing is to hang now */
    return nothing;
}

void ranks_watch_prepare(void) {
    parent = getppid();
    parent_fd = parent > 0 ? family_open(parent) : -1;
    if (getppid() != parent && parent_fd >= 0) { /* it has died meanwhile, and the number may be another's */
        close(parent_fd);
        parent_fd = -1;
    }
}

void ranks_watch_start(void) {
    find_neighbours();
    stop_fd = eventfd(0, EFD_CLOEXEC);
    sigset_t all, before;
    sigfillset(&all);
    main_thread = pthread_self();
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t watchman;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&small, 128 << 10);
    pthread_create(&watchman, &small, watch, NULL); /* without one the launcher has to do */
    pthread_attr_destroy(&small);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void ranks_watch_stop(int status) {
    final_status = status;
    finished = true;
    ssize_t ignored = write(stop_fd, &(uint64_t){1}, sizeof(uint64_t));
    (void)ignored;
}

bool ranks_watch_is_stopped(void) { return finished; }
