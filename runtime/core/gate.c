/* The gate of gate.h: a lock that may be barged but starves nobody, the numbers of POSIX threads, and how several of them
 * sleep.
 *
 * Sleeping. A process has one bell, on which one of its POSIX threads rests; the others sleep on the word `news`. Whoever
 * returns from the bell, or delivers a message, changes that word and wakes them, and all look again at what they wait for.
 * The rule that nobody misses anything is the one of conduit_rest: look after the bell has been armed, then sleep. The
 * bell's state is shared, so each remembers when it looked last: `epoch` counts the times that the bell was armed, or
 * somebody rested on it. Who has looked in this epoch, and finds the bell still armed, may rest; or sleep on `news` while
 * another rests, because whatever would have ended its own rest ends that one's. The model is tests/protocols/gate.pml.
 *
 * The lock. To hand it to whoever has waited longest would cost a switch between threads for each call, as soon as two of
 * them call (a convoy). So whoever comes may take it, until somebody has waited for PATIENCE_MS: then those that have not
 * stand back.
 */
#define _GNU_SOURCE
#include "core/gate.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/progress.h"
#include "core/core.h"
#include "core/mutex.h"

enum { SPINS = 100, PATIENCE_MS = 2, SHORT_US = 1000, PATIENT_US = 20000000 };

bool core_gate_is_on;
bool conduit_has_pthreads, conduit_may_open;
static enum gas_thread_level level;
__thread bool core_gate_is_first;
static __thread unsigned depth;  /* how often the calling thread has entered; 0: it is not inside */
static __thread unsigned number; /* + 1; 0: has none yet */

static struct mutex gate;
static uint32_t starving; /* who have waited too long; a futex */
static uint32_t busy;     /* level serialized: somebody is inside */

/* Of sleeping; used inside. */
static bool is_resting;       /* one is on the bell */
static __thread bool rests;   /* this one is, or soon will be */
static uint32_t sleepers;     /* that have not been woken, on: */
static uint32_t news;         /* a futex */
static bool has_news;         /* since the gate was open last */
static uint32_t epoch_of_all; /* from 1 on */
static bool patient;          /* for tests, as in conduit/queue/bell.c: a lost wake-up is a hang */

static void futex_wait(const uint32_t *word, uint32_t old, long us) {
    int before = errno;
    struct timespec t = {us / 1000000, us % 1000000 * 1000};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, old, &t, NULL, 0);
    errno = before;
}

static void futex_wake_all(const uint32_t *word) {
    int before = errno;
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    errno = before;
}

/* ---- the lock ---------------------------------------------------------------------------------------------------- */

static uint32_t are_starving(void) { return __atomic_load_n(&starving, __ATOMIC_RELAXED); }

/* Whoever is inside leaves soon, unless it has lost its processor. */
static bool spin(void) {
    for (int left = SPINS; left && !are_starving(); left--) {
        if (!__atomic_load_n(&gate.word, __ATOMIC_RELAXED) && mutex_try(&gate)) return true;
        conduit_pause();
    }
    return false;
}

static __attribute__((noinline)) void lock_slowly(void) {
    if (spin()) return;
    bool starves = false;
    for (int tries = 0;; tries++) {
        uint32_t hungry = are_starving();
        if (hungry && !starves && tries == 0) {
            futex_wait(&starving, hungry, PATIENCE_MS * 1000);
        } else if (mutex_lock_within(&gate, PATIENCE_MS)) {
            break;
        } else if (!starves) {
            starves = true;
            __atomic_fetch_add(&starving, 1, __ATOMIC_RELAXED);
        }
    }
    if (starves && __atomic_sub_fetch(&starving, 1, __ATOMIC_RELAXED) == 0) futex_wake_all(&starving);
}

static inline void lock(void) {
    if (__builtin_expect(are_starving() || !mutex_try(&gate), 0)) lock_slowly();
}

/* Those who sleep are woken when the gate is open, or they would find it closed. */
static inline void unlock(void) {
    bool wakes = has_news && sleepers;
    if (__builtin_expect(has_news, 0)) {
        has_news = false;
        if (is_resting && !rests) conduit_nudge(); /* its own bell would wake it at once, again and again */
        if (wakes) {
            sleepers = 0;
            __atomic_fetch_add(&news, 1, __ATOMIC_RELAXED);
        }
    }
    mutex_unlock(&gate);
    if (__builtin_expect(wakes, 0)) futex_wake_all(&news);
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

enum gas_thread_level core_gate_grants(enum gas_thread_level required) {
    if ((unsigned)required > GAS_THREAD_MULTIPLE)
        core_fatal("no such level of threads (%d): FATHOM_THREAD_SINGLE to FATHOM_THREAD_MULTIPLE", (int)required);
    enum gas_thread_level most = conduit_takes_turns() ? GAS_THREAD_MULTIPLE : GAS_THREAD_SINGLE;
    struct core_comm comm = core_comm_wanted(); /* if it is no list, it goes off: gas_far_shared */
    /* What FATHOM_COMM holds back or keeps belongs to the process, without an owner among its threads. */
    if (most == GAS_THREAD_MULTIPLE && comm.is_list && (comm.outbox || comm.updates || comm.lines || comm.strips))
        most = GAS_THREAD_SERIALIZED;
    return required < most ? required : most;
}

/* Libraries of a program ask as well: what one of them has been given the others do not take away. */
enum gas_thread_level core_gate_raise(enum gas_thread_level required) {
    if (!core_gate_is_first)
        core_fatal(
            "fathom_init_thread is called again, by a POSIX thread other than the one that started the job: only "
            "that one may raise the level");
    if (core_in_handler()) core_fatal("fathom_init_thread from a handler: call it outside of handlers");
    enum gas_thread_level granted = core_gate_grants(required);
    return granted > level ? core_gate_start(required) : level;
}

enum gas_thread_level core_gate_start(enum gas_thread_level required) {
    level = core_gate_grants(required);
    core_gate_is_first = true;
    number = 1;
    const char *test = getenv("FATHOM_BELL");
    patient = test && strstr(test, "patient");
    core_gate_is_on = level != GAS_THREAD_SINGLE;
    conduit_has_pthreads = level == GAS_THREAD_MULTIPLE;
    return level;
}

void core_gate_not_single(void) {
    if (!core_has_started) core_before_start();
    core_fatal("a POSIX thread other than the one that started the job calls, at level single: ask fathom_init_thread "
               "for FATHOM_THREAD_SERIALIZED or FATHOM_THREAD_MULTIPLE");
}

enum gas_thread_level core_gate_level(void) { return level; }

void core_gate_end(void) {
    if (level != GAS_THREAD_MULTIPLE) core_gate_is_on = false;
    core_gate_is_first = true;
}

bool core_gate_enter_slow(void) {
    if (conduit_is_beside()) return false;
    if (level == GAS_THREAD_FUNNELED) {
        if (!core_gate_is_first)
            core_fatal("a POSIX thread other than the one that started the job calls, at level funneled: ask "
                       "fathom_init_thread for FATHOM_THREAD_SERIALIZED or FATHOM_THREAD_MULTIPLE");
        return false;
    }
    if (depth++ > 0) return true;
    if (level == GAS_THREAD_MULTIPLE)
        lock();
    else if (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
        core_fatal("two POSIX threads of this process call at the same time, at level serialized: ask "
                   "fathom_init_thread for FATHOM_THREAD_MULTIPLE, or let them take turns");
    return true;
}

void core_gate_leave_slow(void) {
    if (--depth > 0) return;
    if (level == GAS_THREAD_MULTIPLE)
        unlock();
    else
        __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static struct mutex numbers;
static uint64_t taken[CORE_MOST_PTHREADS / 64] = {1};
static pthread_key_t at_end;
static pthread_once_t key_made = PTHREAD_ONCE_INIT;

static void give_back(void *of_thread) {
    unsigned n = (unsigned)(uintptr_t)of_thread - 1;
    mutex_lock(&numbers);
    taken[n / 64] &= ~(1ull << n % 64);
    mutex_unlock(&numbers);
    number = 0; /* another key's destructor that calls takes one anew */
}

static void make_key(void) {
    if (pthread_key_create(&at_end, give_back) != 0) core_fatal("no key for POSIX threads (pthread_key_create)");
}

static unsigned take_number(void) {
    unsigned n = 0;
    mutex_lock(&numbers);
    while (n < CORE_MOST_PTHREADS && taken[n / 64] >> n % 64 & 1) n++;
    if (n < CORE_MOST_PTHREADS) taken[n / 64] |= 1ull << n % 64;
    mutex_unlock(&numbers);
    if (n == CORE_MOST_PTHREADS) core_fatal("more than %d POSIX threads of this process call", CORE_MOST_PTHREADS);
    return n;
}

unsigned core_pthread_slow(void) {
    if (level != GAS_THREAD_MULTIPLE) return 0;
    if (__builtin_expect(!number, 0)) {
        pthread_once(&key_made, make_key);
        number = take_number() + 1;
        pthread_setspecific(at_end, (void *)(uintptr_t)number);
    }
    return number - 1;
}

/* ---- opening it -------------------------------------------------------------------------------------------------- */

unsigned core_gate_open(void) {
    unsigned entered = depth;
    depth = 0;
    unlock();
    return entered;
}

void core_gate_close(unsigned entered) {
    lock();
    depth = entered;
}

void core_gate_let_in(void) {
    bool has_somebody = has_news && (sleepers || is_resting);
    if (__atomic_load_n(&gate.word, __ATOMIC_RELAXED) < 2 && !are_starving() && !has_somebody) return;
    unsigned entered = core_gate_open();
    sched_yield();
    core_gate_close(entered);
}

/* ---- sleeping ---------------------------------------------------------------------------------------------------- */

static __thread unsigned entered_before;

void conduit_open(void) {
    conduit_may_open = false;
    entered_before = core_gate_open();
}
void conduit_close(void) { core_gate_close(entered_before); }

void core_gate_news(void) { has_news = true; }

bool core_gate_is_busy(void) { return depth == 0 && __atomic_load_n(&gate.word, __ATOMIC_RELAXED) != 0; }

static void rest(int us) {
    is_resting = rests = true;
    conduit_may_open = true;
    conduit_rest(us);
    conduit_may_open = false;
    is_resting = rests = false;
    epoch_of_all++;
    core_gate_news();
}

static void wait_for_news(int us) {
    uint32_t old = news;
    if (patient && us > SHORT_US) us = PATIENT_US;
    sleepers++;
    unsigned entered = core_gate_open();
    futex_wait(&news, old, us);
    core_gate_close(entered);
    if (news == old) sleepers--; /* nobody has woken it */
}

/* May the caller sleep? It has looked since the bell was armed, or since another has rested on it, who will have news. */
static bool has_looked(uint32_t *epoch, const uint32_t *word, uint32_t old) {
    if (!is_resting && !conduit_is_armed()) {
        conduit_rest(0); /* arms it */
        epoch_of_all++;
    }
    if (word) return !core_poll() && __atomic_load_n(word, __ATOMIC_ACQUIRE) == old;
    bool looked = *epoch == epoch_of_all;
    *epoch = epoch_of_all;
    return looked;
}

void core_gate_sleep(uint32_t *epoch, const uint32_t *word, uint32_t old, int us) {
    if (!epoch_of_all) epoch_of_all = 1;
    if (word) conduit_watch(word);
    if (has_looked(epoch, word, old)) {
        if (is_resting)
            wait_for_news(us);
        else
            rest(us);
    }
    if (word) conduit_unwatch(word);
}
