/* Sleeping and being woken (futex).
 *
 * Every thread has a bell. Who is about to rest arms it, looks once more whether there is a reason not to, and then sleeps
 * on it; who has done something that a thread may be waiting for looks whether that thread's bell is armed, and only then
 * makes a system call. Between the doing and the looking there is no fence, which every message would pay for: within some
 * ten nanoseconds the two can miss each other, and then the sleep lasts its time, which is short.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/smp/smp.h"
#include "lang/prelude.h"

static struct bell {
    _Alignas(128) uint32_t armed; /* somebody sleeps, or is about to */
    uint32_t rings;
    const uint32_t *word; /* where: rings, or a word of gas's */
} *bells;

void smp_wait_prepare(int threads) {
    bells = conduit_shared((size_t)threads * sizeof *bells);
    if (!bells) {
        fprintf(stderr, "fathom: no memory for %d bells: %s\n", threads, strerror(errno));
        exit(1);
    }
}

static void sleep_on(const uint32_t *word, uint32_t old, uint32_t mask, long us) {
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
    struct bell *b = &bells[fathom_mythread];
    __atomic_store_n(&b->word, word, __ATOMIC_RELAXED);
    __atomic_exchange_n(&b->armed, 1, __ATOMIC_SEQ_CST);
    if (!smp_has_messages()) sleep_on(word, old, mask, ms * 1000L);
    __atomic_store_n(&b->armed, 0, __ATOMIC_RELAXED);
}

/* The first call arms the bell, so that the caller looks once more; the second sleeps. */
void conduit_rest(int us) {
    static bool armed;
    static uint32_t heard;
    struct bell *b = &bells[fathom_mythread];
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

void smp_ring(int thread) {
    struct bell *b = &bells[thread];
    if (!__atomic_exchange_n(&b->armed, 0, __ATOMIC_SEQ_CST)) return;
    __atomic_fetch_add(&b->rings, 1, __ATOMIC_SEQ_CST);
    conduit_wake(__atomic_load_n(&b->word, __ATOMIC_RELAXED), 1, ~0u);
}

static inline void ring(int thread) {
    if (__builtin_expect(__atomic_load_n(&bells[thread].armed, __ATOMIC_RELAXED), 0)) smp_ring(thread);
}

void conduit_ring(int thread) { ring(thread); }

void smp_ring_all(int threads) {
    for (int t = 0; t < threads; t++) ring(t);
}

void smp_relax(unsigned round) {
    if (round < 64)
        conduit_pause();
    else
        sched_yield();
}
