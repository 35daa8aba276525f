/* The progress thread: a second POSIX thread of each process, which serves other threads while the process's own thread
 * computes, spins on its memory or sleeps. conduit/progress.h has the lock between the two; this file has the slow half
 * of the lock, the thread itself, and the copies of messages that only the process's own thread may handle.
 *
 * Which handlers run here: those that core_service has entered. They touch shared memory by atomics and copies, and
 * send at most a reply; none of them runs code of the program. All other messages, including replies, wait for the
 * process's own thread in the order in which they came. The guarantees: services of a pair run in the order of sending,
 * all other messages of a pair too, and a service may overtake other messages.
 *
 * When to look. A thread that polls by itself needs no help: its polls are counted, and if the number has changed since
 * the last look, the progress thread goes back to sleep, each time for twice as long, because waking up takes the
 * processor from the thread for a moment. Otherwise it serves the messages that have arrived and sleeps in the conduit,
 * which wakes it when a message comes, as far as the conduit can tell. For messages that the conduit cannot tell (an
 * MPI rings no bell) the progress thread looks at intervals. A look costs a few us on one computer and 20 on another (a
 * virtual one, whose timers trap), so the interval follows from the processor time that looks take: a fixed share of
 * the thread's time, more of a processor that is idle.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/progress.h"
#include "core/core.h"

struct conduit_engine conduit_engine;
__thread bool conduit_beside;
bool core_is_holding = true; /* until the start: a poll before it is noticed by core_let_go */
bool (*core_let_go_beside)(void);

#ifdef FATHOM_CONDUIT_DISTRIBUTED

enum {
    SPINS = 200,   /* of the thread that waits for the progress thread to leave, before it sleeps */
    LEAST_US = 50, /* between looks */
    MOST_US = 2000,
    FIRST_US = 200,
    LOOKS = 32,        /* the interval is found anew after this number of looks */
    PART = 70,         /* looks take at most 1/70 of the time */
    PART_SPARE = 20,   /* the same where threads have processors to spare */
    MANY = 8,          /* threads on a processor */
    WOKEN_US = 100000, /* longest sleep where the conduit wakes for every message */
    STOP_MS = 2000,
    STACK = 1 << 20,
    KEPT_BYTES = 16 << 20
};

static pthread_t progress_thread;
static bool is_running;
static uint32_t stopping; /* a futex */

static void futex_wait(const uint32_t *word, uint32_t old, long us) {
    struct timespec t = {us / 1000000, us % 1000000 * 1000};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, old, us < 0 ? NULL : &t, NULL, 0);
}

static void futex_wake(const uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

static int membarrier(int command) { return (int)syscall(SYS_membarrier, command, 0, 0); }

/* ---- the lock ---------------------------------------------------------------------------------------------------- */

/* The thread has set `inside`, and it does not own the engine. */
void conduit_wait_to_enter(void) {
    uint32_t *owner = &conduit_engine.owner;
    int before = errno; /* an assignment to a shared object comes here */
    for (unsigned i = 0;; i++) {
        uint32_t now = __atomic_load_n(owner, __ATOMIC_ACQUIRE);
        if (now == CONDUIT_THREAD) break; /* the progress thread has withdrawn */
        if (now == CONDUIT_FREE) {
            if (__atomic_compare_exchange_n(owner, &now, CONDUIT_THREAD, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
                break;
        } else if (now == CONDUIT_BESIDE) { /* at once: see take */
            __atomic_compare_exchange_n(owner, &now, CONDUIT_AWAITED, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
        } else if (i < SPINS) {
            conduit_pause();
        } else if (now == CONDUIT_ASLEEP || __atomic_compare_exchange_n(owner, &now, CONDUIT_ASLEEP, false,
                                                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
            futex_wait(owner, CONDUIT_ASLEEP, -1);
        }
    }
    errno = before;
}

static void give(enum conduit_owner to) {
    if (__atomic_exchange_n(&conduit_engine.owner, to, __ATOMIC_RELEASE) == CONDUIT_ASLEEP)
        futex_wake(&conduit_engine.owner);
}

/* For the progress thread: false if the thread is inside. A thread that only waits to get in has said so: otherwise a
 * thread that goes in and out faster than the kernel runs the fence would be found there each time, and no message
 * would ever be served. */
static bool take(void) {
    struct conduit_engine *e = &conduit_engine;
    uint32_t former = CONDUIT_FREE;
    if (__atomic_compare_exchange_n(&e->owner, &former, CONDUIT_BESIDE, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return true;
    __atomic_store_n(&e->owner, CONDUIT_BESIDE, __ATOMIC_SEQ_CST); /* it was the thread's, who alone leaves it so */
    if (e->fences)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    else
        membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    if (!__atomic_load_n(&e->inside, __ATOMIC_ACQUIRE)) return true;
    if (__atomic_load_n(&e->owner, __ATOMIC_ACQUIRE) != CONDUIT_BESIDE) return true;
    give(CONDUIT_THREAD);
    return false;
}

/* ---- messages kept for the thread -------------------------------------------------------------------------------- */

struct kept {
    struct kept *next;
    struct conduit_message message;
    uint64_t args[CONDUIT_MAX_ARGS];
    _Alignas(8) char payload[];
};
static struct {
    struct kept *first;
    struct kept **last;
} kept[2]; /* requests, replies */
static size_t kept_bytes;

void core_keep(const struct conduit_message *m) {
    struct kept *k = malloc(sizeof *k + m->bytes);
    if (!k) core_fatal("no memory to keep a message of thread %d until this thread polls", m->thread);
    k->next = NULL;
    k->message = *m;
    k->message.args = memcpy(k->args, m->args, m->nargs * sizeof *m->args);
    k->message.payload = m->bytes ? memcpy(k->payload, m->payload, m->bytes) : NULL;
    if (!kept[m->reply].first) kept[m->reply].last = &kept[m->reply].first;
    *kept[m->reply].last = k;
    kept[m->reply].last = &k->next;
    if (!m->reply) kept_bytes += sizeof *k + m->bytes;
}

static int deliver_first(bool reply, int most) {
    int n = 0;
    for (struct kept *k; n < most && (k = kept[reply].first); n++) {
        kept[reply].first = k->next;
        if (!reply) kept_bytes -= sizeof *k + k->message.bytes;
        core_deliver(&k->message);
        free(k);
    }
    return n;
}

int conduit_deliver_kept(bool *replies_only) {
    enum { ENOUGH = 32 };
    if (conduit_beside || (!kept[true].first && !kept[false].first)) return 0;
    int n = deliver_first(true, INT_MAX);
    if (!*replies_only) n += deliver_first(false, ENOUGH);
    if (kept[false].first) *replies_only = true;
    return n;
}

void conduit_deliver_beside(const struct conduit_message *m) {
    conduit_beside = true;
    conduit_deliver(m);
    if (core_news) core_pass_on();
    conduit_engine.served++;
    conduit_beside = false;
}

bool conduit_kept_enough(void) { return kept_bytes >= KEPT_BYTES; }

/* ---- the progress thread ----------------------------------------------------------------------------------------- */

static bool is_resting(void) { return __atomic_load_n(&conduit_engine.resting, __ATOMIC_ACQUIRE); }
static uint32_t polls(void) { return __atomic_load_n(&conduit_engine.polls, __ATOMIC_RELAXED); }

/* Serves the messages that have arrived, and sends what the thread holds back; returns the number of messages that it has taken.
 * *has_more: something is still held back, for which there was no room. */
static int serve(bool *has_more) {
    *has_more = false;
    if (!take()) return 0;
    int n = 0;
    if (!is_resting()) { /* asked again: it may have gone to rest since, and must find its messages */
        n = conduit_progress();
        if (core_pump) core_pump();
        if (core_news) core_pass_on();
        if (core_let_go_beside) *has_more = core_let_go_beside();
        conduit_engine.served += (uint32_t)n;
    }
    give(CONDUIT_FREE);
    return n;
}

/* For a thread that polls, in loops that may wait for what others do when they see what it holds back. */
static void let_go(void) {
    if (!core_let_go_beside || !take()) return;
    if (!is_resting()) core_let_go_beside();
    give(CONDUIT_FREE);
}

static long processor_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000l + t.tv_nsec;
}

/* 1, or more where many threads share a processor: the looks of all threads take their share of it. */
static long crowd(void) { return 1 + conduit_threads_here() / (conduit_cores() * MANY); }

/* Microseconds between looks, computed from the time of the last looks, if they found nothing. */
static long interval(long now_us, bool was_idle) {
    static long since;
    long ns = processor_ns(),
         us = (ns - since) / LOOKS * (conduit_threads_here() < conduit_cores() ? PART_SPARE : PART) / 1000;
    since = ns;
    if (!was_idle) return now_us;
    return (us < LEAST_US ? LEAST_US : us > MOST_US ? MOST_US : us) * crowd();
}

static void *progress(void *nothing) {
    conduit_beside = true;
    prctl(PR_SET_NAME, "fathom-progress");
    prctl(PR_SET_TIMERSLACK, 1);
    uint32_t seen = polls() - 1;
    bool was_idle = true;
    long us = FIRST_US * crowd(), longer = us;
    for (unsigned looks = 1; !__atomic_load_n(&stopping, __ATOMIC_ACQUIRE); looks++) {
        if (looks % LOOKS == 0) {
            us = interval(us, was_idle);
            was_idle = true;
        }
        if (polls() != seen || is_resting()) { /* the thread serves others by itself */
            seen = polls();
            if (!is_resting() && __atomic_load_n(&core_is_holding, __ATOMIC_RELAXED)) let_go();
            futex_wait(&stopping, 0, longer);
            longer = 2 * longer < MOST_US * crowd() ? 2 * longer : MOST_US * crowd();
            continue;
        }
        longer = us;
        bool has_more;
        int n = serve(&has_more);
        was_idle = was_idle && n == 0;
        if (n)
            conduit_rest_beside(us / 4);
        else
            conduit_rest_beside(conduit_wakes_beside() && !has_more ? WOKEN_US : us);
    }
    return nothing;
}

/* ---- start and end ----------------------------------------------------------------------------------------------- */

/* A child that the program forks has one POSIX thread, whatever the other one was doing. */
static void in_child(void) {
    is_running = false;
    conduit_engine.owner = CONDUIT_THREAD;
}

/* Signals go to the program's thread, except those that report a fault of this thread. */
static int start_thread(void) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    sigset_t others, before;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&others, own[i]);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    int why = pthread_create(&progress_thread, &attributes, progress, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return why;
}

void core_progress_start(void) {
    enum core_progress wanted = core_progress_wanted();
    const char *obstacle = NULL;
    if (wanted == CORE_PROGRESS_POLL || fathom_threads == 1 || !conduit_needs_progress(&obstacle)) return;
    if (obstacle) {
        if (wanted == CORE_PROGRESS_THREAD && fathom_mythread == 0)
            fprintf(stderr,
                    "fathom: FATHOM_PROGRESS=thread is not possible: %s; threads serve others inside their "
                    "own calls only\n",
                    obstacle);
        return;
    }
    conduit_engine.fences = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0;
    pthread_atfork(NULL, NULL, in_child);
    int why = start_thread();
    if (why)
        core_say("cannot start a progress thread (%s): this thread serves others inside its own calls only",
                 strerror(why));
    is_running = !why;
}

void core_progress_stop(void) {
    if (!is_running || conduit_beside) return;
    is_running = false;
    __atomic_store_n(&stopping, 1, __ATOMIC_RELEASE);
    futex_wake(&stopping);
    conduit_stir();
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += STOP_MS / 1000;
    pthread_timedjoin_np(progress_thread, NULL, &until);
}

#else

void core_progress_start(void) { core_progress_wanted(); }
void core_progress_stop(void) {}
void core_keep(const struct conduit_message *m) { (void)m; }

#endif
