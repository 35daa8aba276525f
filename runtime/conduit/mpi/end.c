/* How a job of conduit mpi ends.
 *
 * The launcher (mpirun, srun) ends the other ranks when one leaves before MPI_Finalize; it sends SIGTERM, on which a
 * thread saves its output, and then SIGKILL. Some do not ask before they kill, some do nothing, and a connection to a
 * launcher may be lost with it, so the threads do not rely on it alone: who ends the job tells the others of its computer
 * by a signal, the first of them tells the other computers (relay.c), and each process has a watchman that finds out
 * what nobody says (watch.c).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/clock.h"
#include "conduit/mpi/ranks.h"

#define TOGETHER_MS 50
#define SLURM_TOGETHER_MS 250 /* across computers; Slurm passes on that a process has gone by way of its controller */
#define FINALIZE_MS 5000      /* what MPICH's launcher has to answer */

static const int asked[] = {SIGTERM, SIGINT, SIGHUP}; /* how a launcher, or a user, asks a process to end */
static pid_t my_pid;
static bool ended_here;
static bool is_of_srun;

/* ---- normal end -------------------------------------------------------------------------------------------------- */

bool ranks_is_thread(void) { return my_pid == getpid(); }

void ranks_done(void) {
    __atomic_store_n(&ranks.block->is_done[cluster.me - cluster.first], 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&ranks.block->done, 1, __ATOMIC_SEQ_CST);
}

bool ranks_is_done(int thread) {
    unsigned place = (unsigned)(thread - cluster.first);
    return place < (unsigned)cluster.count && __atomic_load_n(&ranks.block->is_done[place], __ATOMIC_SEQ_CST) != 0;
}
int ranks_done_count(void) { return ranks.block ? (int)__atomic_load_n(&ranks.block->done, __ATOMIC_SEQ_CST) : 0; }

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
    long long end = now_ms() + FINALIZE_MS;
    if (!bounded_write_until(fd, bye, sizeof bye - 1, end)) return false;
    /* A process that goes before the answer comes is a failed one; a program's timer must not let it go. */
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    char answer[64];
    for (long long left; (left = end - now_ms()) > 0;) {
        if (poll(&wait, 1, (int)left) == 1 && read(fd, answer, sizeof answer) >= 0) return true;
        if (errno != EINTR && errno != EAGAIN) return false;
    }
    return true;
#endif
}

bool cluster_sum(struct cluster_traffic mine, struct cluster_traffic *sum) {
    MPI_Request added;
    MPI_Iallreduce(&mine, sum, sizeof mine / sizeof mine.sent, MPI_INT64_T, MPI_SUM, ranks.all, &added);
    for (int done = 0; !done; cluster_poll(false)) MPI_Test(&added, &done, MPI_STATUS_IGNORE);
    return true;
}

/* A rank that takes leave of Open MPI's launcher, in MPI_Finalize, waits 2 seconds for the answer, and then goes without
 * it. The launcher hears of processes that have ended before it reads what they said, and takes those for failed ones that
 * it has not read of: it did so with 384 ranks on two processors, in a program that called nothing but MPI. So where ranks
 * have no processor each, those of a computer end when all have been through MPI_Finalize; the watchman sees to it that they
 * end in any case. */
static void leave_together(void) {
#ifdef OPEN_MPI
    long crowd = ranks_crowd();
    __atomic_add_fetch(&ranks.block->left, 1, __ATOMIC_RELAXED);
    while (crowd > 1 && __atomic_load_n(&ranks.block->left, __ATOMIC_RELAXED) < (uint32_t)cluster.count)
        poll(NULL, 0, (int)crowd);
#endif
}

void ranks_finish(int status) {
    cluster_deliver_all();
    ranks_watch_stop(status);
    ranks_relay_bye();
    ranks_rounds_stop();
    ranks_wire_stop();
    ranks_window_stop();
    if (leave_without_finalize()) return;
    ranks_sleep_long();
    MPI_Finalize();
    leave_together();
}

/* ---- any other end ----------------------------------------------------------------------------------------------- */

bool ranks_claim_report(void) {
    return !ranks.block || !__atomic_exchange_n(&ranks.block->reported, 1, __ATOMIC_SEQ_CST);
}

bool ranks_is_ending(void) { return ranks.block && __atomic_load_n(&ranks.block->end, __ATOMIC_RELAXED) != 0; }

/* `fathom run` wants to know how a job was ended: launchers do not always say (crates/toolchain/src/job.rs). The file is
 * there; where it is not, this is another computer, on which somebody else may have one of that name. May be called in a
 * handler of signals. */
static char *status_file;

static void leave_status(int status) {
    int fd = status_file ? open(status_file, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    struct stat s;
    if (fd < 0) return;
    if (fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid()) {
        ssize_t ignored = write(fd, &(unsigned char){(unsigned char)status}, 1);
        (void)ignored;
    }
    close(fd);
}

/* True for the first of the near threads. */
static bool mark_ending(uint32_t end) {
    uint32_t none = 0;
    return __atomic_compare_exchange_n(&ranks.block->end, &none, end, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static int told;
bool ranks_end_is_told(void) { return __atomic_load_n(&told, __ATOMIC_SEQ_CST); }

/* Tells the others of this computer, once: they tell those whom this process does not know, and the first of them tells
 * the other computers. */
static void tell(uint32_t end) {
    if (__atomic_exchange_n(&told, 1, __ATOMIC_SEQ_CST)) return;
    ranks_tell_neighbours(RANKS_END_SIGNAL, (int)end);
    ranks_relay_end((int)(end & 0xff));
}

bool ranks_end(int status) {
    if (!ranks.block) return true;
    uint32_t end = NEAR_END | (uint32_t)(status & 0xff);
    if (!mark_ending(end)) return false;
    ended_here = true;
    leave_status(status);
    tell(end);
    return true;
}

/* Waits a little; close to the moment, awake: who wakes late is killed by the launcher, which has seen another leave. */
static void wait_for(long long moment) {
    if (moment - now_ms() > 2)
        poll(NULL, 0, 1);
    else
        sched_yield();
}

static void leave_with_others(int ms, int status) {
    long long moment = now_ms() + ms;
    __atomic_store_n(&ranks.block->leave_at, moment, __ATOMIC_SEQ_CST);
    while (now_ms() < moment) wait_for(moment);
    _exit(status);
}

/* Registered first, so that it runs after all else that exit does: until here this process could save its files. The
 * launcher of MPICH makes the job's status of those of all processes, and kills the others when it sees one go: for the
 * status to be the one that was given, the threads of a computer leave at the same moment. So do those of all computers
 * under Slurm: with PMIx its daemons kill at once when a process leaves or calls MPI_Abort, and with PMI-2 MPI_Abort says
 * nothing to it. */
static void last_of_exit(int status, void *nothing) {
    (void)nothing;
    if (!ended_here || ranks_watch_is_stopped() || !ranks_is_thread()) return;
    if (is_of_srun) leave_with_others(SLURM_TOGETHER_MS, status);
#ifndef OPEN_MPI
    if (cluster.groups == 1) leave_with_others(TOGETHER_MS, status);
#endif
    MPI_Abort(ranks.all, status);
}

void ranks_end_elsewhere(int status) {
    if (!ranks_end(status)) return;
    if (is_of_srun) __atomic_store_n(&ranks.block->leave_at, now_ms() + SLURM_TOGETHER_MS, __ATOMIC_SEQ_CST);
    ranks_watch_interrupt((int)__atomic_load_n(&ranks.block->end, __ATOMIC_SEQ_CST));
}

/* Once, whatever asks for it. A launcher that asks meanwhile has to wait. */
static void save(void) {
    static volatile sig_atomic_t saved;
    sigset_t asking, before;
    sigemptyset(&asking);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) sigaddset(&asking, asked[i]);
    pthread_sigmask(SIG_BLOCK, &asking, &before);
    if (!saved) {
        saved = 1;
        if (conduit_hooks.ending) conduit_hooks.ending();
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static _Noreturn void leave(int status) {
    save();
    _exit(status);
}

/* Another thread has ended the job, in this way. */
static _Noreturn void await_end(int end) {
    save();
    for (long long last = now_ms() + RANKS_LAUNCHER_MS; now_ms() < last;) {
        long long moment = __atomic_load_n(&ranks.block->leave_at, __ATOMIC_SEQ_CST);
        if (moment && now_ms() >= moment) break;
        wait_for(moment ? moment : last);
    }
    _exit(end & 0xff);
}

/* Another thread ends the job. Some launchers kill all others when the first one leaves, and take their status for the
 * job's: that one is to go first, and the launcher then to end this one. */
static void on_end_signal(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    if (!ranks_is_thread()) _exit(1);
    if (ended_here && info->si_pid != my_pid) return; /* neighbours pass on to this process what it has told them */
    mark_ending((uint32_t)info->si_value.sival_int);
    tell((uint32_t)info->si_value.sival_int);
    await_end(info->si_value.sival_int);
}

/* The launcher, or a user, ends this process. */
static void on_termination(int signal) {
    if (ranks_is_thread()) save();
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    raise(signal); /* on return from here */
}

/* The peer of a connection of MPI's is gone, or nobody reads this program's output any more. The first is for MPI to
 * meet: it gets EPIPE, and the process whose end it is has told its status. */
static void on_broken_pipe(int signal) {
    int saved_errno = errno;
    struct pollfd output[] = {{.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO}};
    bool is_output = poll(output, 2, 0) > 0 && ((output[0].revents | output[1].revents) & (POLLERR | POLLHUP));
    if (is_output) on_termination(signal);
    errno = saved_errno;
}

_Noreturn void ranks_give_up(const char *text, size_t bytes) {
    if (bounded_may_say(ranks_claim_report, ranks_is_ending)) bounded_say(text, bytes);
    if (!ranks_end(1)) await_end((int)ranks.block->end);
    leave(1);
}

_Noreturn void ranks_mpi_error(const char *object, int code) {
    char text[MPI_MAX_ERROR_STRING], line[MPI_MAX_ERROR_STRING + 256];
    int n = 0;
    if (MPI_Error_string(code, text, &n) != MPI_SUCCESS) n = snprintf(text, sizeof text, "error %d", code);
    n = snprintf(line, sizeof line, "fathom: thread %d: MPI reports of %s: %s\n", cluster.me, object, text);
    ranks_give_up(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

static void on_comm_error(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    ranks_mpi_error("a message", *code);
}

bool ranks_is_of_srun(void) { return is_of_srun; }

/* ---- start ------------------------------------------------------------------------------------------------------- */

void ranks_end_prepare(void) {
    my_pid = getpid();
    pid_t parent = getppid();
    ranks_watch_prepare();
    ranks_connections_prepare();
    const char *file = getenv("FATHOM_STATUS_FILE");
    status_file = file && *file ? strdup(file) : NULL;
    unsetenv("FATHOM_STATUS_FILE"); /* jobs that the program starts are others */
    on_exit(last_of_exit, NULL);
    /* Each mpirun says which process of its computer this is. */
    const char *mpirun = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
    if (!mpirun) mpirun = getenv("MPI_LOCALRANKID");
    is_of_srun = !mpirun && getenv("SLURM_STEP_ID");
    /* slurmstepd starts processes from threads of its own, which end while the process is to go on. */
    if (!is_of_srun && (mpirun || getenv("PMI_RANK"))) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(128 + SIGKILL);
    }
}

/* Is it one of those that MPI's libraries install? */
static bool is_of_mpi(const struct sigaction *action) {
    Dl_info from;
    if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN) return false;
    if (!dladdr((void *)(uintptr_t)action->sa_handler, &from) || !from.dli_fname) return false;
    return strstr(from.dli_fname, "libucs") || strstr(from.dli_fname, "libopen-pal");
}

/* MPI's libraries say where a crash was in words of their own; core/crash.c knows more. And UCX takes SIGHUP for a call to
 * its debugger, so that a hang-up would not end the job. A program's or a sanitizer's handlers stay. */
static void take_signals_back(void) {
    static const int ours[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGHUP};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        struct sigaction now;
        if (sigaction(ours[i], NULL, &now) == 0 && is_of_mpi(&now)) signal(ours[i], SIG_DFL);
    }
}

void ranks_end_start(void) {
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(on_comm_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(ranks.all, handler);
    struct sigaction end = {.sa_sigaction = on_end_signal, .sa_flags = SA_SIGINFO};
    sigaction(RANKS_END_SIGNAL, &end, NULL);
    take_signals_back();
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct sigaction now, ours = {.sa_handler = on_termination};
        sigfillset(&ours.sa_mask);
        if (sigaction(asked[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) sigaction(asked[i], &ours, NULL);
    }
    struct sigaction now, broken = {.sa_handler = on_broken_pipe, .sa_flags = SA_RESTART};
    if (sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler == SIG_DFL) sigaction(SIGPIPE, &broken, NULL);
    ranks_watch_start();
}
