/* How threads that share queues sleep and are woken: what conduit.h says of waiting.
 *
 * Every thread has a bell, a futex that is 1 while the thread sleeps or is about to. Everything that ends a sleep rings it:
 * a message, bells_ring, bells_wake. A thread that sleeps until a word changes is on a list of that word (a bit in a
 * set chosen by the word's address), so that a thread which has changed the word finds whom to wake, and needs no system
 * call if that is nobody. So there is one thing to sleep on, whatever a thread waits for, and the thread that is meant is
 * the one that wakes; with a futex for each word a ring would have to wake a thread that sleeps elsewhere. (futex_waitv
 * can sleep on two words, but only from Linux 5.16 on.)
 *
 * The order of things. The sleeper arms its bell, then looks at what it waits for, then sleeps. The other side changes what
 * the sleeper waits for, then looks at the bell. Between the two steps of each side there must be a fence, or both may see
 * the old state (store buffering) and the wake-up is lost. Messages are sent far more often than a thread falls asleep, so
 * the sleeper pays for both fences: membarrier(2) makes every processor that runs a thread of the job execute one, as
 * liburcu does for its readers. The other side then needs only the compiler to keep the order. Where the kernel (before
 * 4.16) or a seccomp filter does not allow that, both sides use fences of their own. The way is the same for all that have bells.
 *
 * membarrier returns when every processor that runs a thread of the job has answered an interrupt. That takes about a
 * microsecond, but longer where processors are many, and much longer where they are virtual ones that their host does not
 * run. So each sleeper times its calls, and the first that finds too many of them slow switches all threads to fences:
 * it tells the other side to execute fences, then calls membarrier once more, so that everybody has been told, and then
 * tells sleepers that their own fence suffices. There is no way back.
 *
 * The protocol and the switch are checked exhaustively by a model: tests/protocols/bell.pml.
 *
 * For tests, FATHOM_BELL=fence starts with fences, =switch counts every membarrier as slow; =patient makes every sleep that
 * should be ended by somebody last PATIENT_US, so that a lost wake-up is a hang, and bells_missed counts it. Several may be
 * given.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/progress.h"
#include "conduit/queue/queue.h"
#include "lang/prelude.h"

enum { LISTS = 64, SHORT_US = 1000, PATIENT_US = 20000000 };

/* A membarrier of SLOW_NS costs as much as the fences of some 3,000 messages. As soon as SLOW_CALLS more calls of a thread
 * have been slow than not, slow ones are the rule: one that a neighbour has delayed now and then changes nothing. */
enum { SLOW_NS = 25000, SLOW_CALLS = 16 };

/* Ways of ordering: bells_way. */
enum { MEMBARRIER, SWITCHING, FENCES };

struct bell {
    _Alignas(128) uint32_t armed; /* the futex */
    uint32_t mask;                /* of bells_sleep */
    const uint32_t *word;
};
static struct bell *bells;      /* of all that share queues */
static struct bell *near_bells; /* of them those of the near threads */
static uint64_t *lists;         /* LISTS sets of near threads, each in cache lines of its own */
static size_t list_words;
static struct bells_of who;
static long longest_nap_us;
static bool patient, all_are_slow;
static uint32_t watched[LISTS];      /* by list: words of it that POSIX threads of this process watch */
static uint32_t way_of_one = FENCES; /* before the start */
uint32_t *bells_way = &way_of_one;
unsigned long bells_missed;

/* ---- start ------------------------------------------------------------------------------------------------------- */

/* The registration is inherited by fork, and so holds for all threads where it comes before that. */
static bool membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }
static bool register_for_membarrier(void) {
    return membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) && membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

size_t bells_bytes(int count) { return (size_t)count * sizeof *bells + 128; }

bool bells_start(void *memory, struct bells_of of, int longest_us) {
    const char *test = getenv("FATHOM_BELL");
    if (!test) test = "";
    patient = strstr(test, "patient");
    all_are_slow = strstr(test, "switch");
    bool fences = !conduit_built.least(!strstr(test, "fence") && register_for_membarrier());
    who = of;
    longest_nap_us = longest_us;
    list_words = ((size_t)of.near_count + 1023) / 1024 * 16; /* whole pairs of lines */
    lists = conduit_built.shared_memory(LISTS * list_words * sizeof *lists);
    if (!memory || !lists) return false;
    bells = memory;
    near_bells = bells + (of.near_first - of.first);
    bells_way = (uint32_t *)(bells + of.count); /* a pair of lines of its own */
    if (fences) __atomic_store_n(bells_way, FENCES, __ATOMIC_RELEASE);
    return true;
}

/* ---- waking ------------------------------------------------------------------------------------------------------ */

/* Out of the way of a message to a thread that does not sleep. */
static __attribute__((noinline, cold)) bool wake(struct bell *b) {
    int before = errno; /* the program's: an assignment to a shared object may send a message */
    bool slept = __atomic_exchange_n(&b->armed, 0, __ATOMIC_SEQ_CST);
    if (slept) syscall(SYS_futex, &b->armed, FUTEX_WAKE, 1, NULL, NULL, 0);
    errno = before;
    return slept;
}

static inline void ring(struct bell *b) {
    if (__builtin_expect(__atomic_load_n(&b->armed, __ATOMIC_RELAXED), 0)) wake(b);
}

void bells_ring(int thread) {
    bells_change_before_look();
    ring(&bells[thread - who.first]);
}

void bells_ring_all(void) {
    bells_change_before_look();
    for (int t = 0; t < who.near_count; t++) ring(&near_bells[t]);
}

static unsigned list_number(const uint32_t *word) {
    return (unsigned)(((uintptr_t)word >> 2) * 0x9e3779b97f4a7c15u >> 58) % LISTS;
}
static int near_me(void) { return fathom_mythread - who.near_first; }
static uint64_t *list_of(const uint32_t *word) { return lists + list_number(word) * list_words; }

/* Wakes those of a set of 64 threads that wait for the word; returns how many more may be woken. One that watches several
 * words (its word is null) may be waiting for another, and so does not count. */
static int wake_some(uint64_t set, int base, const uint32_t *word, int count, uint32_t mask) {
    for (; set && count > 0; set &= set - 1) {
        struct bell *b = &near_bells[base + __builtin_ctzll(set)];
        const uint32_t *its = __atomic_load_n(&b->word, __ATOMIC_RELAXED);
        if (its && (its != word || !(__atomic_load_n(&b->mask, __ATOMIC_RELAXED) & mask))) continue;
        if (__atomic_load_n(&b->armed, __ATOMIC_RELAXED) && wake(b) && its) count--;
    }
    return count;
}

/* One that wakes a few begins behind itself, so that they take turns. */
void bells_wake(const uint32_t *word, int count, uint32_t mask) {
    const uint64_t *list = list_of(word);
    int words = (who.near_count + 63) / 64, me = near_me(), begin = me / 64;
    bells_change_before_look();
    for (int i = 0; i <= words && count > 0; i++) {
        int k = (begin + i) % words;
        uint64_t set = __atomic_load_n(&list[k], __ATOMIC_ACQUIRE), behind = ~0ull << me % 64;
        if (i == 0) set &= behind;
        if (i == words) set &= ~behind;
        if (set) count = wake_some(set, 64 * k, word, count, mask);
    }
}

/* ---- sleeping ---------------------------------------------------------------------------------------------------- */

static struct bell *own_bell(void) { return &bells[fathom_mythread - who.first]; }

void bell_arm(void) { __atomic_store_n(&own_bell()->armed, 1, __ATOMIC_RELAXED); }

static long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

static __attribute__((noinline)) void fence_of_all(void) {
    static int slow; /* calls of this thread: slow ones less the others, if more */
    int before = errno;
    long begun = now_ns();
    membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
    if (now_ns() - begun >= SLOW_NS || all_are_slow)
        slow++;
    else if (slow)
        slow--;
    uint32_t way = MEMBARRIER;
    if (slow >= SLOW_CALLS &&
        __atomic_compare_exchange_n(bells_way, &way, SWITCHING, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
        membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
        __atomic_store_n(bells_way, FENCES, __ATOMIC_RELEASE);
    }
    errno = before;
}

void bell_fence(void) {
    if (__atomic_load_n(bells_way, __ATOMIC_ACQUIRE) == FENCES)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    else
        fence_of_all();
}

static void arm(void) {
    bell_arm();
    bell_fence();
}

/* Until the bell is rung; false if only the time has ended it. The bell is armed, and is not afterwards. */
static bool doze(struct bell *b, long us) {
    if (patient && us > SHORT_US) us = PATIENT_US;
    if (us > longest_nap_us) us = longest_nap_us;
    /* FUTEX_WAIT_BITSET takes a point in time, FUTEX_WAIT a duration. */
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += us % 1000000 * 1000;
    until.tv_sec += us / 1000000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    bool opens = conduit_may_open;
    if (opens) conduit_open();
    bool late = syscall(SYS_futex, &b->armed, FUTEX_WAIT_BITSET, 1, &until, NULL, FUTEX_BITSET_MATCH_ANY) != 0 &&
                errno == ETIMEDOUT;
    if (opens) conduit_close();
    late = late && __atomic_load_n(&b->armed, __ATOMIC_RELAXED);
    __atomic_store_n(&b->armed, 0, __ATOMIC_RELAXED);
    if (late && queue_can_poll(&queue_own)) bells_missed++;
    return !late;
}

bool bells_rest(int us) {
    struct bell *b = own_bell();
    int before = errno;
    bool rung = true;
    if (__atomic_load_n(&b->armed, __ATOMIC_RELAXED)) {
        if (conduit_rest_begin())
            rung = doze(b, us);
        else
            __atomic_store_n(&b->armed, 0, __ATOMIC_RELAXED);
        conduit_rest_end();
    } else {
        arm();
        bool entered = conduit_enter();
        queue_can_poll(&queue_own); /* the caller's next poll finds all that was sent before the bell was armed */
        conduit_leave(entered);
    }
    errno = before;
    return rung;
}

bool bells_is_armed(void) { return __atomic_load_n(&own_bell()->armed, __ATOMIC_RELAXED); }

void bells_nudge(void) { ring(own_bell()); }

/* The order of bells_sleep: on the list, then the fence, then the caller looks at the word. The first of several POSIX
 * threads does that for all; the bell itself is armed before its bells_rest. */
void bells_watch(const uint32_t *word) {
    int me = near_me();
    if (watched[list_number(word)]++) return;
    __atomic_store_n(&own_bell()->word, NULL, __ATOMIC_RELAXED);
    __atomic_fetch_or(list_of(word) + me / 64, 1ull << me % 64, __ATOMIC_RELEASE);
    bell_fence();
}

void bells_unwatch(const uint32_t *word) {
    int me = near_me();
    if (--watched[list_number(word)]) return;
    __atomic_fetch_and(list_of(word) + me / 64, ~(1ull << me % 64), __ATOMIC_RELAXED);
}

bool bells_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms) {
    struct bell *b = own_bell();
    int before = errno, me = near_me();
    bool rung = true;
    uint64_t *mine = list_of(word) + me / 64, bit = 1ull << me % 64;
    __atomic_store_n(&b->word, word, __ATOMIC_RELAXED);
    __atomic_store_n(&b->mask, mask, __ATOMIC_RELAXED);
    __atomic_fetch_or(mine, bit, __ATOMIC_RELEASE);
    arm();
    /* Inside first: until then the progress thread may still take messages, and change the word. */
    if (conduit_rest_begin() && __atomic_load_n(word, __ATOMIC_ACQUIRE) == old && !queue_can_poll(&queue_own))
        rung = doze(b, ms * 1000L);
    conduit_rest_end();
    __atomic_store_n(&b->armed, 0, __ATOMIC_RELAXED);
    __atomic_fetch_and(mine, ~bit, __ATOMIC_RELAXED);
    if (!rung && __atomic_load_n(word, __ATOMIC_ACQUIRE) != old) bells_missed++;
    errno = before;
    return rung;
}
