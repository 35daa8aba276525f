/* How a job of conduit mpi ends.
 *
 * The launcher (mpirun, srun) ends the other ranks when one leaves before MPI_Finalize; it sends SIGTERM, on which a
 * thread saves its output, and then SIGKILL. Some do not ask before they kill, and a connection to a launcher may be lost
 * with it, so the threads of a computer do not rely on it alone: who ends the job tells the others there by a signal, and
 * each process has a watchman, a POSIX thread that sleeps, wakes now and then, and makes no call of MPI. It looks whether
 * the others of its computer, and its own parent, are still there, and whether computers are within reach: TCP's
 * keep-alive, which it switches on for MPI's connections, finds that out however long a thread computes or waits in MPI.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "conduit/mpi/ranks.h"

#define END_SIGNAL (SIGRTMAX - 3) /* a signal that programs hardly use */
#define WATCH_MS 250
#define KEEP_ALIVE_MS 1000
#define OUT_OF_REACH_MS 6000
#define TOGETHER_MS 50
#define FINALIZE_MS 5000 /* what MPI_Finalize has, when all has been said, before a process goes without it */
#define LAUNCHER_MS 1500 /* what the launcher, and who ends the job, have to end it before we do */

struct conduit_hooks conduit_hooks;
static pid_t my_pid, parent;
static struct {
    pid_t pid;
    int thread;
} *neighbours; /* on this computer, near or not; null where process numbers mean nothing to each other */
static int neighbour_count;
static bool ended_here;
static volatile bool finished; /* the watchman is not to take others' normal end for a loss */
static volatile int final_status;

static long long now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

/* ---- normal end ------------------------------------------------------------------------------------------------ */

bool conduit_is_thread(void) { return my_pid == getpid(); }

void conduit_done(void) {
    __atomic_store_n(&ranks.block->thread[ranks.me].done, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&ranks.block->done, 1, __ATOMIC_SEQ_CST);
}

bool conduit_is_done(int thread) { return __atomic_load_n(&ranks.block->thread[thread].done, __ATOMIC_SEQ_CST) != 0; }
int conduit_done_count(void) { return ranks.block ? (int)__atomic_load_n(&ranks.block->done, __ATOMIC_SEQ_CST) : 0; }

/* Takes leave of MPICH's launcher in MPI's place; false if that is not possible.
 *
 * MPI_Finalize of MPICH over UCX closes a rank's connections and waits until they are closed, for which it may need another
 * rank that is past that already and does not answer any more: then it never ends (seen in one run of three, 4.0.2 over
 * TCP with more ranks than processors). All that the job had to say has been said when we come here, so what is left is to
 * tell the launcher that this process's end is a normal one: a line of its protocol (PMI-1), and its answer. */
static bool leave_without_finalize(void) {
#ifdef OPEN_MPI
    return false;
#else
    const char *text = getenv("PMI_FD");
    if (!text || !dlsym(RTLD_DEFAULT, "ucp_worker_progress")) return false;
    int fd = atoi(text);
    static const char bye[] = "cmd=finalize\n";
    if (write(fd, bye, sizeof bye - 1) != (ssize_t)sizeof bye - 1) return false;
    char answer[64];
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    if (poll(&wait, 1, FINALIZE_MS) == 1 && read(fd, answer, sizeof answer) < 0) return false;
    return true;
#endif
}

void conduit_finish(int status) {
    /* Nobody waits for a message any more; those on their way are let in. */
    MPI_Request all_here;
    MPI_Ibarrier(ranks.all, &all_here);
    for (int done = 0; !done; conduit_poll(false)) MPI_Test(&all_here, &done, MPI_STATUS_IGNORE);
    final_status = status;
    finished = true;
    ranks_barrier_stop();
    ranks_messages_stop();
    ranks_window_stop();
    if (!leave_without_finalize()) MPI_Finalize();
}

/* ---- any other end --------------------------------------------------------------------------------------------- */

bool conduit_claim_report(void) { return !ranks.block || !__atomic_exchange_n(&ranks.block->reported, 1, __ATOMIC_SEQ_CST); }

bool conduit_is_ending(void) { return ranks.block && __atomic_load_n(&ranks.block->end, __ATOMIC_RELAXED) != 0; }

/* `fathom run` wants to know how a job was ended: launchers do not always say (crates/toolchain/src/job.rs). The file is
 * there; where it is not, this is another computer. May be called in a handler of signals. */
static char *status_file;

static void leave_status(int status) {
    int fd = status_file ? open(status_file, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (fd < 0) return;
    ssize_t ignored = write(fd, &(unsigned char){(unsigned char)status}, 1);
    (void)ignored;
    close(fd);
}

bool conduit_end(int status) {
    if (!ranks.block) return true;
    uint32_t none = 0, end = NEAR_END | (uint32_t)(status & 0xff);
    if (!__atomic_compare_exchange_n(&ranks.block->end, &none, end, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return false;
    ended_here = true;
    leave_status(status);
    for (int i = 0; i < neighbour_count; i++) {
        if (neighbours[i].pid == my_pid) continue;
        sigqueue(neighbours[i].pid, END_SIGNAL, (union sigval){.sival_int = (int)end});
        kill(neighbours[i].pid, SIGCONT); /* if it is stopped */
    }
    return true;
}

/* Waits a little; close to the moment, awake: who wakes late is killed by the launcher, which has seen another leave. */
static void wait_for(long long moment) {
    if (moment - now_ms() > 2)
        poll(NULL, 0, 1);
    else
        sched_yield();
}

/* Registered first, so that it runs after all else that exit does: until here this process could save its files. The
 * launcher of MPICH makes the job's status of those of all processes, and kills the others when it sees one go: for the
 * status to be the one that was given, the threads of a computer leave at the same moment. */
static void last_of_exit(int status, void *nothing) {
    (void)nothing;
    if (!ended_here || finished || !conduit_is_thread()) return;
#ifndef OPEN_MPI
    if (ranks.groups == 1 && !getenv("SLURM_JOB_ID")) {
        long long moment = now_ms() + TOGETHER_MS;
        __atomic_store_n(&ranks.block->leave_at, moment, __ATOMIC_SEQ_CST);
        while (now_ms() < moment) wait_for(moment);
        _exit(status);
    }
#endif
    MPI_Abort(ranks.all, status);
}

/* Once, whatever asks for it. */
static void save(void) {
    static volatile sig_atomic_t saved;
    if (saved) return;
    saved = 1;
    if (conduit_hooks.ending) conduit_hooks.ending();
}

static _Noreturn void leave(int status) {
    save();
    _exit(status);
}

/* Another thread ends the job. Some launchers kill all others when the first one leaves, and take their status for the
 * job's: that one is to go first, and the launcher then to end this one. */
static void on_end_signal(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    if (!conduit_is_thread()) _exit(1);
    __atomic_store_n(&ranks.block->end, (uint32_t)info->si_value.sival_int, __ATOMIC_SEQ_CST);
    save();
    for (long long last = now_ms() + LAUNCHER_MS; now_ms() < last;) {
        long long moment = __atomic_load_n(&ranks.block->leave_at, __ATOMIC_SEQ_CST);
        if (moment && now_ms() >= moment) break;
        wait_for(moment ? moment : last);
    }
    _exit(info->si_value.sival_int & 0xff);
}

/* The launcher, or a user, ends this process. */
static void on_termination(int signal) {
    if (conduit_is_thread()) save();
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    raise(signal); /* on return from here */
}

_Noreturn void ranks_mpi_error(const char *object, int code) {
    char text[MPI_MAX_ERROR_STRING];
    int n = 0;
    if (MPI_Error_string(code, text, &n) != MPI_SUCCESS) n = snprintf(text, sizeof text, "error %d", code);
    if (conduit_claim_report()) fprintf(stderr, "fathom: thread %d: MPI reports of %s: %s\n", ranks.me, object, text);
    conduit_end(1);
    leave(1);
}

static void on_comm_error(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    ranks_mpi_error("a message", *code);
}

/* ---- the watchman ---------------------------------------------------------------------------------------------- */

static pthread_t main_thread;

/* Is what a connection has sent not acknowledged any more? */
static bool is_out_of_reach(int fd) {
    struct tcp_info now;
    socklen_t n = sizeof now;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &now, &n) != 0 || n < sizeof now) return false;
    return now.tcpi_probes + now.tcpi_retransmits + now.tcpi_backoff >= 2 && now.tcpi_last_ack_recv > OUT_OF_REACH_MS;
}

/* Looks after this process's TCP connections. They come into being when they are first used: again and again. */
static bool keep_alive(void) {
    struct rlimit most;
    if (getrlimit(RLIMIT_NOFILE, &most) != 0 || most.rlim_cur > 4096) most.rlim_cur = 4096;
    bool lost = false;
    for (int fd = 3; fd < (int)most.rlim_cur; fd++) {
        int type, family;
        socklen_t n = sizeof type;
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) != 0 || type != SOCK_STREAM) continue;
        n = sizeof family;
        if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &n) != 0 || (family != AF_INET && family != AF_INET6)) continue;
        int one = 1, idle_s = 3, interval_s = 1, probes = 6, unsent_ms = OUT_OF_REACH_MS + 3000;
        setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
        setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
        setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
        setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
        setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unsent_ms, sizeof unsent_ms);
        lost = lost || is_out_of_reach(fd);
    }
    return lost;
}

static void end_for(const char *format, int number) {
    if (conduit_is_ending()) return;
    if (conduit_claim_report()) {
        char text[256];
        int n = snprintf(text, sizeof text, "fathom: thread %d: ", ranks.me);
        n += snprintf(text + n, sizeof text - (size_t)n, format, number);
        ssize_t ignored = write(2, text, (size_t)n);
        (void)ignored;
    }
    conduit_end(1);
    pthread_sigqueue(main_thread, END_SIGNAL, (union sigval){.sival_int = NEAR_END | 1});
}

/* Is there a process of this computer that has gone without a word? Its thread, or -1. */
static int missing_neighbour(void) {
    for (int i = 0; i < neighbour_count; i++)
        if (kill(neighbours[i].pid, 0) != 0 && errno == ESRCH) return neighbours[i].thread;
    return -1;
}

static void *watch(void *nothing) {
    long long missed = 0;
    for (unsigned turn = 0; !finished; turn++) {
        poll(NULL, 0, WATCH_MS);
        if (finished) break;
        bool cut = turn % (KEEP_ALIVE_MS / WATCH_MS) == 0 && keep_alive();
        int missing = missing_neighbour();
        if (missing < 0 && getppid() == parent && !cut) {
            missed = 0;
            continue;
        }
        /* The launcher knows more, and may be about to end the job. */
        if (!cut && !missed) missed = now_ms();
        else if (cut) end_for("a computer of the job is out of reach; the job ends\n", 0);
        else if (now_ms() - missed < LAUNCHER_MS) continue;
        else if (missing >= 0) end_for("thread %d has ended; the job ends\n", missing);
        else end_for("the launcher (process %d) has ended; the job ends\n", (int)parent);
    }
    poll(NULL, 0, FINALIZE_MS);
    _exit(final_status); /* everything is done and written: nothing is to hang now */
    return nothing;
}

static void start_watchman(void) {
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

/* ---- start ----------------------------------------------------------------------------------------------------- */

void ranks_end_prepare(void) {
    my_pid = getpid();
    parent = getppid();
    const char *file = getenv("FATHOM_STATUS_FILE");
    status_file = file && *file ? strdup(file) : NULL;
    unsetenv("FATHOM_STATUS_FILE"); /* jobs that the program starts are others */
    on_exit(last_of_exit, NULL);
    /* slurmstepd starts processes from threads of its own, which end while the process is to go on. */
    if (getenv("OMPI_COMM_WORLD_RANK") || (getenv("PMI_RANK") && !getenv("SLURM_JOB_ID"))) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(128 + SIGKILL);
    }
}

static void find_neighbours(void) {
    struct {
        unsigned long space;
        pid_t pid;
        int thread;
    } mine = {0, my_pid, ranks.me}, *all;
    struct stat s;
    if (stat("/proc/self/ns/pid", &s) == 0) mine.space = s.st_ino;
    int n;
    MPI_Comm_size(ranks.node, &n);
    all = calloc((size_t)n, sizeof *all);
    neighbours = calloc((size_t)n, sizeof *neighbours);
    if (!all || !neighbours) ranks_refuse("no memory\n");
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, ranks.node);
    for (int i = 0; i < n; i++) {
        if (all[i].space != mine.space || !mine.space) continue;
        neighbours[neighbour_count].pid = all[i].pid;
        neighbours[neighbour_count++].thread = all[i].thread;
    }
    free(all);
}

/* MPI's libraries say where a crash was in words of their own; core/crash.c knows more. A program's or a sanitizer's
 * handlers stay. */
static void leave_crashes_to_us(void) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        struct sigaction now;
        Dl_info from;
        if (sigaction(crashes[i], NULL, &now) != 0 || now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) continue;
        if (!dladdr((void *)(uintptr_t)now.sa_handler, &from) || !from.dli_fname) continue;
        if (strstr(from.dli_fname, "libucs") || strstr(from.dli_fname, "libopen-pal")) signal(crashes[i], SIG_DFL);
    }
}

void ranks_end_start(void) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(on_comm_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(ranks.all, handler);
    find_neighbours();
    struct sigaction end = {.sa_sigaction = on_end_signal, .sa_flags = SA_SIGINFO};
    sigaction(END_SIGNAL, &end, NULL);
    leave_crashes_to_us();
    static const int asked[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct sigaction now, ours = {.sa_handler = on_termination};
        sigfillset(&ours.sa_mask);
        if (sigaction(asked[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) sigaction(asked[i], &ours, NULL);
    }
    start_watchman();
}
