/* Threads as processes, forked by the one that was started, which stays behind as their supervisor.
 *
 * What the processes share for this is one small block: which threads have terminated, and whether the job is to end.
 * Whom the supervisor may signal is not in it: a wild store in a thread must not choose a process to be killed.
 * The supervisor owns the job's end. It forwards signals, reaps, and when a thread dies, leaves with a non-zero
 * status or ends the job (launch_end), it asks the others to save their output, kills them a moment later, and exits
 * with the job's status. Should the supervisor be killed itself, the kernel kills its children (PR_SET_PDEATHSIG). So
 * there is no way to end any of the processes that leaves another. One thread needs no supervisor: the process is the
 * thread.
 *
 * What the threads themselves have started ends with a job that fails, and is left alone by one that ends normally, as
 * a shell leaves its background jobs (docs/decisions/0004). The supervisor finds it because it is the one that the
 * kernel gives orphans to (PR_SET_CHILD_SUBREAPER). Only where the supervisor itself is killed can it live on.
 *
 * Where the job has other computers (launch_elsewhere), each has a supervisor of its own, even for one thread. The block
 * has an entry for each thread of the job, and what is in it of other computers the supervisor has been told. A thread
 * wakes its supervisor by END_SIGNAL.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conduit/bounded.h"
#include "conduit/conduit.h"
#include "conduit/family.h"
#include "conduit/launch/launch.h"

/* Asks a thread to save its output and leave; a signal that programs hardly use. */
#define END_SIGNAL (SIGRTMAX - 3)
#define END_CLAIMED 0x10000u /* in job->end, beside the status */
#define GRACE_MS 250         /* for threads that do not answer END_SIGNAL, and for what they have started */
#define KILLED_MS 10000      /* what was killed and does not end by then is the kernel's: it waits for a device */
#define ANSWER_MS 5000       /* what another computer has to answer */
#define LOOK_MS 1000         /* how often a supervisor looks at other computers, if nothing wakes it */

struct job {
    uint32_t end;      /* END_CLAIMED | status once the job is to end now */
    uint32_t done;     /* threads that have terminated normally */
    uint32_t reported; /* somebody has said why it ends */
    uint32_t question; /* enum question: may somebody here? */
    uint32_t lost;     /* a thread that has left without a word, + 1 */
    struct {
        uint32_t done, gone; /* has terminated normally; its process has ended */
    } thread[];
};

enum question { NOT_ASKED, ASKED, PASSED_ON, MAY, MAY_NOT };

const struct launch_elsewhere *launch_elsewhere;
static struct job *job;
static pid_t supervisor;
static int me = -1; /* -1: the supervisor */
static pid_t my_pid;
static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

/* ---- in a thread ------------------------------------------------------------------------------------------------- */

static void on_end_signal(int signal) {
    (void)signal;
    if (getpid() == my_pid && conduit_hooks.ending) conduit_hooks.ending();
    _exit(0);
}

static void become_thread(int t, const sigset_t *mask) {
    me = t;
    my_pid = getpid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) _exit(128 + SIGKILL); /* it died before the line above */
    if (launch_elsewhere) launch_elsewhere->forked();
    struct sigaction end = {.sa_handler = on_end_signal};
    sigfillset(&end.sa_mask);
    sigaction(END_SIGNAL, &end, NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    if (t > 0) {
        int null = open("/dev/null", O_RDONLY);
        if (null >= 0) {
            dup2(null, 0);
            if (null != 0) close(null);
        }
    }
}

bool launch_is_thread(void) { return me >= 0 && getpid() == my_pid; }

static void mark_done(int t) {
    if (__atomic_exchange_n(&job->thread[t].done, 1, __ATOMIC_SEQ_CST)) return;
    __atomic_add_fetch(&job->done, 1, __ATOMIC_SEQ_CST);
}

void launch_done(void) { mark_done(me); }

bool launch_is_done(int thread) { return __atomic_load_n(&job->thread[thread].done, __ATOMIC_SEQ_CST) != 0; }
bool launch_is_gone(int thread) { return __atomic_load_n(&job->thread[thread].gone, __ATOMIC_SEQ_CST) != 0; }
int launch_lost(void) { return (int)__atomic_load_n(&job->lost, __ATOMIC_SEQ_CST) - 1; }
int launch_done_count(void) { return job ? (int)__atomic_load_n(&job->done, __ATOMIC_SEQ_CST) : 0; }

void launch_tell_supervisor(void) { kill(supervisor, END_SIGNAL); }

/* Another computer may have begun to say it. Where nobody answers, nobody does. */
static bool ask_elsewhere(void) {
    if (me < 0) return launch_elsewhere->ask();
    __atomic_store_n(&job->question, ASKED, __ATOMIC_SEQ_CST);
    launch_tell_supervisor();
    for (int i = 0; i < ANSWER_MS; i++) {
        uint32_t answer = __atomic_load_n(&job->question, __ATOMIC_SEQ_CST);
        if (answer == MAY || answer == MAY_NOT) return answer == MAY;
        poll(NULL, 0, 1);
    }
    return true;
}

bool launch_claim_report(void) {
    if (!job) return true;
    if (__atomic_exchange_n(&job->reported, 1, __ATOMIC_SEQ_CST)) return false;
    return !launch_elsewhere || launch_elsewhere->decides || ask_elsewhere();
}

bool launch_end(int status) {
    if (!job) return true;
    uint32_t none = 0;
    return __atomic_compare_exchange_n(&job->end, &none, END_CLAIMED | (uint32_t)(status & 0xff), false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

bool launch_is_ending(void) { return job && __atomic_load_n(&job->end, __ATOMIC_RELAXED) != 0; }

/* ---- in the supervisor ------------------------------------------------------------------------------------------- */

static int threads, first; /* of this computer */
static pid_t *pids;        /* by thread, from the first one; 0: has been reaped */
static int *statuses;

static int index_of(pid_t pid) {
    for (int t = 0; t < threads; t++)
        if (pids[t] == pid) return t;
    return -1;
}

static void signal_all(int signal) {
    for (int t = 0; t < threads; t++)
        if (pids[t] > 0) kill(pids[t], signal);
}

static bool are_threads_gone(void) {
    for (int t = 0; t < threads; t++)
        if (pids[t] > 0) return false;
    return true;
}

/* Children of any kind, those that others have left to this process among them. */
static bool are_children_gone(void) {
    siginfo_t info;
    return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD;
}

/* Reaps until it is so, at most `ms` milliseconds. */
static bool wait_until(bool (*is_so)(void), int ms) {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    struct timespec now, until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000L;
    for (;;) {
        int wait_status;
        for (pid_t pid; (pid = waitpid(-1, &wait_status, WNOHANG)) > 0;) {
            int t = index_of(pid);
            if (t >= 0) pids[t] = 0;
            if (t < 0 && launch_elsewhere) launch_elsewhere->reaped(pid, wait_status);
        }
        if (is_so()) return true;
        clock_gettime(CLOCK_MONOTONIC, &now);
        long long left = (until.tv_sec - now.tv_sec) * 1000000000ll + until.tv_nsec - now.tv_nsec;
        if (left <= 0) return false;
        sigtimedwait(&child, NULL, &(struct timespec){left / 1000000000, left % 1000000000});
    }
}

/* Ends what the threads have started. A filter at the end of a pipe sees the pipe's end, and ends by itself. */
static void end_family(void) {
    if (wait_until(are_children_gone, GRACE_MS)) return;
    family_signal(SIGTERM);
    family_signal(SIGCONT);
    for (int waited = 0; !wait_until(are_children_gone, GRACE_MS) && waited < KILLED_MS; waited += GRACE_MS)
        family_signal(SIGKILL); /* again: it may have forked meanwhile */
}

/* Ends every thread that is left: politely, then for certain; and what threads have started. Returns the job's status. */
static int end_all(int status, int signal) {
    if (launch_elsewhere) launch_elsewhere->ends(status, signal);
    signal_all(END_SIGNAL);
    signal_all(SIGCONT); /* a stopped thread must not sit out the grace */
    if (!wait_until(are_threads_gone, GRACE_MS)) {
        signal_all(SIGKILL);
        wait_until(are_threads_gone, KILLED_MS);
    }
    if (launch_elsewhere) status = launch_elsewhere->leave(status, true);
    end_family();
    return status;
}

static _Noreturn void die_of(int signal) {
    end_all(128 + signal, signal);
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    _exit(128 + signal);
}

static _Noreturn void end_with(int status) { _exit(end_all(status, 0)); }

/* A thread's process has ended; remembers its status, or ends the job. */
static void reaped(int t, int wait_status) {
    pids[t - first] = 0;
    __atomic_store_n(&job->thread[t].gone, 1, __ATOMIC_SEQ_CST);
    uint32_t end = __atomic_load_n(&job->end, __ATOMIC_SEQ_CST);
    if (end) end_with((int)(end & 0xff));
    if (WIFSIGNALED(wait_status)) {
        int signal = WTERMSIG(wait_status);
        bool asked = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGPIPE;
        launch_end(128 + signal);
        if (!asked && conduit_hooks.killed) conduit_hooks.killed(t, signal);
        if (asked) die_of(signal);
        end_with(128 + signal);
    }
    int status = WEXITSTATUS(wait_status);
    statuses[t - first] = status;
    if (launch_is_done(t)) return;
    if (status != 0) { /* _exit */
        launch_end(status);
        end_with(status);
    }
    launch_heard_lost(t);
    if (launch_elsewhere) launch_elsewhere->lost(t);
}

static void on_signal(int signal, int code) {
    if (signal == SIGCHLD) {
        int wait_status;
        for (pid_t pid; (pid = waitpid(-1, &wait_status, WNOHANG)) > 0;) {
            int t = index_of(pid);
            if (t >= 0)
                reaped(first + t, wait_status);
            else if (launch_elsewhere)
                launch_elsewhere->reaped(pid, wait_status);
        }
    } else if (signal > 0 && signal != END_SIGNAL) {
        if (code != SI_KERNEL) signal_all(signal); /* what the terminal sends reaches the threads here by itself */
        if (launch_elsewhere) launch_elsewhere->signal(signal);
    }
}

static int own_status(void) {
    int status = 0;
    for (int t = threads - 1; t >= 0; t--)
        if (statuses[t]) status = statuses[t];
    return status;
}

static _Noreturn void supervise_with_others(const sigset_t *watched) {
    struct pollfd *fds = calloc((size_t)launch_elsewhere->most_fds + 1, sizeof *fds);
    int signals = signalfd(-1, watched, SFD_CLOEXEC | SFD_NONBLOCK);
    if (!fds || signals < 0) {
        static const char text[] = "fathom: no memory for watching the job's other computers\n";
        bounded_say(text, sizeof text - 1);
        launch_end(1);
        end_with(1);
    }
    while (!are_threads_gone() || !launch_elsewhere->all_ended()) {
        struct signalfd_siginfo info;
        fds[0] = (struct pollfd){.fd = signals, .events = POLLIN};
        poll(fds, 1 + (nfds_t)launch_elsewhere->poll(fds + 1), LOOK_MS);
        launch_elsewhere->look(); /* first: one that has been told why another ends may end because of that */
        while (read(signals, &info, sizeof info) == sizeof info) on_signal((int)info.ssi_signo, info.ssi_code);
        launch_elsewhere->look();
    }
    _exit(launch_elsewhere->leave(own_status(), false));
}

static _Noreturn void supervise(const sigset_t *watched) {
    signal(SIGPIPE, SIG_IGN); /* where nobody reads its message any more, it must still end what threads have started */
    if (launch_elsewhere) supervise_with_others(watched);
    while (!are_threads_gone()) {
        siginfo_t info;
        int signal = sigwaitinfo(watched, &info);
        if (signal > 0) on_signal(signal, info.si_code);
    }
    _exit(own_status());
}

/* ---- news from elsewhere, for the supervisor --------------------------------------------------------------------- */

void launch_heard_end(int status, int signal) {
    launch_end(status);
    if (signal) die_of(signal);
    end_with((int)(__atomic_load_n(&job->end, __ATOMIC_SEQ_CST) & 0xff));
}

void launch_heard_lost(int thread) {
    __atomic_store_n(&job->thread[thread].gone, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&job->lost, (uint32_t)thread + 1, __ATOMIC_SEQ_CST);
    mark_done(thread);
}

void launch_heard_done(int thread) { mark_done(thread); }
void launch_heard_signal(int signal) { signal_all(signal); }

bool launch_has_question(void) {
    uint32_t asked = ASKED;
    return __atomic_compare_exchange_n(&job->question, &asked, PASSED_ON, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

void launch_answer(bool may) { __atomic_store_n(&job->question, may ? MAY : MAY_NOT, __ATOMIC_SEQ_CST); }

/* ---- start ------------------------------------------------------------------------------------------------------- */

int launch_threads(int wanted) {
    int all = launch_elsewhere ? launch_elsewhere->threads : wanted;
    threads = wanted;
    first = launch_elsewhere ? launch_elsewhere->first : 0;
    size_t bytes = sizeof *job + (size_t)all * sizeof job->thread[0];
    job = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    /* The threads do not have these: else each of thousands would keep what the supervisor has changed since. */
    size_t own = (size_t)threads * (sizeof *pids + sizeof *statuses);
    pids = mmap(NULL, own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (job == MAP_FAILED || pids == MAP_FAILED || madvise(pids, own, MADV_DONTFORK) != 0) {
        fprintf(stderr, "fathom: no memory for the job's control block: %s\n", strerror(errno));
        exit(1);
    }
    statuses = (int *)(pids + threads);
    if (threads == 1 && !launch_elsewhere) {
        me = 0;
        my_pid = getpid();
        return 0;
    }

    fflush(NULL);
    sigset_t watched, before;
    sigemptyset(&watched);
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++) {
        struct sigaction now; /* what nohup and its like ignore stays ignored */
        if (sigaction(forwarded[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&watched, forwarded[i]);
    }
    sigaddset(&watched, SIGCHLD);
    if (launch_elsewhere) sigaddset(&watched, END_SIGNAL);
    signal(SIGCHLD, SIG_DFL); /* inherited as ignored, it would hide the threads' statuses */
    sigprocmask(SIG_BLOCK, &watched, &before);
    sigdelset(&before, SIGCHLD);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    supervisor = getpid();
    for (int t = 0; t < threads; t++) {
        pid_t pid = fork();
        if (pid == 0) {
            become_thread(first + t, &before);
            return first + t;
        }
        if (pid < 0) {
            char text[256];
            int n =
                snprintf(text, sizeof text, "fathom: cannot start thread %d of %d: fork: %s%s\n", first + t, all,
                         strerror(errno),
                         errno == EAGAIN ? " (the limit on processes, ulimit -u or the control group's pids.max)" : "");
            bounded_say(text, (size_t)n);
            launch_end(1);
            end_with(1);
        }
        pids[t] = pid;
    }
    supervise(&watched);
}

int launch_cores(void) {
    static int cores; /* asked once: the answer is wanted in waiting loops */
    if (!cores) {
        cpu_set_t set;
        const char *said = getenv("FATHOM_CORES"); /* for tests of what depends on it */
        if (said && atoi(said) > 0) {
            cores = atoi(said);
        } else if (sched_getaffinity(0, sizeof set, &set) == 0) {
            cores = CPU_COUNT(&set);
        } else { /* more processors than a cpu_set_t holds */
            long n = sysconf(_SC_NPROCESSORS_ONLN);
            cores = n > 0 ? (int)n : 1;
        }
    }
    return cores;
}
