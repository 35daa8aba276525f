/* Sleeping and being woken by near threads (futex): what conduit.h says of waiting.
 *
 * Every thread has a bell. Who is about to rest arms it, looks once more whether there is a reason not to, and then sleeps
 * on it; who has done something that a thread may be waiting for looks whether that thread's bell is armed, and only then
 * makes a system call. Between the doing and the looking there is no fence, which every message would pay for: within some
 * ten nanoseconds the two can miss each other, and then the sleep lasts its time, which is short. Messages of far threads ring no
 * bell: where there are any, whoever sleeps looks up soon.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/queue/queue.h"
#include "lang/prelude.h"

static struct bell {
    _Alignas(128) uint32_t armed; /* somebody sleeps, or is about to */
    uint32_t rings;
    const uint32_t *word; /* where: rings, or a word of gas's */
} *bells; /* of the near threads */
static int first;
static long longest_nap; /* microseconds */

bool bells_start(int first_near, int count, int longest_nap_us) {
    first = first_near;
    longest_nap = longest_nap_us;
    bells = conduit_shared((size_t)count * sizeof *bells);
    return bells;
}

static void sleep_on(const uint32_t *word, uint32_t old, uint32_t mask, long us) {
    if (us > longest_nap) us = longest_nap;
    /* FUTEX_WAIT_BITSET takes a point in time, FUTEX_WAIT a duration. */
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += us % 1000000 * 1000;
    until.tv_sec += us / 1000000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET, old, &until, NULL, mask);
}

void conduit_wake(const uint32_t *word, int count, uint32_t mask) {
    syscall(SYS_futex, word, FUTEX_WAKE_BITSET, count, NULL, NULL, mask);
}

void conduit_sleep(const uint32_t *word, uint32_t old, uint32_t mask, int ms) {
    struct bell *b = &bells[fathom_mythread - first];
    __atomic_store_n(&b->word, word, __ATOMIC_RELAXED);
    __atomic_exchange_n(&b->armed, 1, __ATOMIC_SEQ_CST);
    if (!queue_has_messages()) sleep_on(word, old, mask, ms * 1000L);
    __atomic_store_n(&b->armed, 0, __ATOMIC_RELAXED);
}

/* The first call arms the bell, so that the caller looks once more; the second sleeps. */
void conduit_rest(int us) {
    static bool armed;
    static uint32_t heard;
    struct bell *b = &bells[fathom_mythread - first];
    if (!armed) {
        heard = __atomic_load_n(&b->rings, __ATOMIC_RELAXED);
        __atomic_store_n(&b->word, &b->rings, __ATOMIC_RELAXED);
        __atomic_exchange_n(&b->armed, 1, __ATOMIC_SEQ_CST);
    } else {
        sleep_on(&b->rings, heard, ~0u, us);
        __atomic_store_n(&b->armed, 0, __ATOMIC_RELAXED);
    }
    armed = !armed;
}

static void wake(struct bell *b) {
    if (!__atomic_exchange_n(&b->armed, 0, __ATOMIC_SEQ_CST)) return;
    __atomic_fetch_add(&b->rings, 1, __ATOMIC_SEQ_CST);
    conduit_wake(__atomic_load_n(&b->word, __ATOMIC_RELAXED), 1, ~0u);
}

static inline void ring(struct bell *b) {
    if (__builtin_expect(__atomic_load_n(&b->armed, __ATOMIC_RELAXED), 0)) wake(b);
}

void conduit_ring(int thread) { ring(&bells[thread - first]); }

void bells_ring_all(int count) {
    for (int t = 0; t < count; t++) ring(&bells[t]);
}
