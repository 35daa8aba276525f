/* The ring of messages (conduit/queue/ring.h) by itself, with POSIX threads as senders and one as the taker: every message is
 * taken once, whole, and in its sender's order, whatever number the first place has; and a sender that has stopped between
 * claiming and publishing stops nobody. Built with -fsanitize=thread, it shows whether the ring's own orders suffice.
 *
 *     ring SENDERS MESSAGES      so many in all, with speed and waits; tests/protocols/ring.pml is the model
 *
 * Who finds no room sleeps on a futex as queue.c does on bells, with fences of its own on both sides.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/queue/ring.h"

enum { MOST_SENDERS = 16, SPINS = 100 };
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "ring.c:%d: not true: %s\n", __LINE__, #condition);                                        \
            _exit(99);                                                                                                 \
        }                                                                                                              \
    } while (0)

static struct ring ring;
static uint64_t first, each; /* the first place's number, messages of a sender */
static int senders;
static bool stops; /* sender 0 claims a place and never publishes it */
static uint32_t armed[MOST_SENDERS];
static uint64_t sleeps;

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1 /* as gcc does */
#endif
#endif

/* ThreadSanitizer knows no fences; an atomic operation on one word for all orders as much. */
static void fence(void) {
#ifdef __SANITIZE_THREAD__
    static uint64_t all;
    __atomic_fetch_add(&all, 1, __ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 27;
}

/* ---- senders --------------------------------------------------------------------------------------------------- */

static void claim(unsigned me, uint64_t *seen, uint64_t *place) {
    for (unsigned round = 0; !ring_claim(&ring, seen, place); round++) {
        if (round < SPINS) {
            sched_yield();
            continue;
        }
        __atomic_store_n(&armed[me], 1, __ATOMIC_RELAXED);
        ring_await(&ring, me);
        fence();
        if (ring_claim(&ring, seen, place)) return;
        __atomic_fetch_add(&sleeps, 1, __ATOMIC_RELAXED);
        syscall(SYS_futex, &armed[me], FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0); /* no time ends it */
        round = 0;
    }
}

static void *send(void *number) {
    unsigned me = (unsigned)(uintptr_t)number;
    uint64_t seen = first, place;
    if (stops && me == 0) {
        claim(me, &seen, &place);
        return NULL;
    }
    for (uint64_t i = 0; i < each; i++) {
        claim(me, &seen, &place);
        struct ring_line *l = ring_line(&ring, place);
        for (unsigned k = 0; k < RING_WORDS; k++)
            l->word[k] = k ? mixed(i * RING_WORDS + k + me) : i; /* plain stores */
        ring_publish(l, place, me);
    }
    return NULL;
}

/* ---- the taker ------------------------------------------------------------------------------------------------- */

static void wake_senders(struct ring_taker *t) {
    fence();
    if (!ring_is_awaited(t)) return;
    ring_begin_waking(t);
    for (uint64_t set = ring_awaiting(t, 0); set; set &= set - 1) {
        uint32_t *bell = &armed[__builtin_ctzll(set)];
        if (__atomic_exchange_n(bell, 0, __ATOMIC_SEQ_CST))
            syscall(SYS_futex, bell, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

static void take_all(void) {
    uint64_t came[MOST_SENDERS] = {0}, left = each * (uint64_t)(senders - stops);
    struct ring_taker t = {.ring = &ring, .next = first};
    for (unsigned vain = 0; left;) {
        uint64_t place = t.next, control = ring_look(&t, place);
        if (!control && vain++ % 16 == 15 && ring_seek_ahead(&t, &place)) control = ring_look(&t, place);
        if (!control) {
            if (vain % 64 == 0) sched_yield();
            continue;
        }
        ring_take(&t, place);
        unsigned from = control & (((uint64_t)1 << RING_REST_BITS) - 1);
        CHECK(from < (unsigned)senders);
        const struct ring_line *l = ring_line(&ring, place);
        uint64_t i = came[from]++;
        CHECK(l->word[0] == i);
        for (unsigned k = 1; k < RING_WORDS; k++) CHECK(l->word[k] == mixed(i * RING_WORDS + k + from));
        left--;
        ring_free(&t);
        if (left % 8 == 0 || left < 2 * RING_PLACES) wake_senders(&t);
    }
    CHECK(stops || (t.ahead == 0 && t.next == first + each * (uint64_t)senders));
}

static double pass(void) {
    memset(&ring, 0, sizeof ring);
    memset(armed, 0, sizeof armed);
    ring.tail = ring.head = first;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    pthread_t thread[MOST_SENDERS];
    for (int s = 0; s < senders; s++) {
        CHECK(pthread_create(&thread[s], NULL, send, (void *)(uintptr_t)s) == 0);
        if (s == 0 && stops) pthread_join(thread[0], NULL);
    }
    take_all();
    for (int s = stops; s < senders; s++) pthread_join(thread[s], NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    return (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    senders = atoi(argv[1]);
    CHECK(senders > 0 && senders <= MOST_SENDERS);
    uint64_t all = strtoull(argv[2], NULL, 10);
    /* Where the number in a control word, 32 bits, and the count itself wrap. */
    uint64_t starts[] = {(1ull << 15) - 70, (1ull << 32) - 70, -70ull};
    for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++) {
        first = starts[i], each = 1000;
        pass();
    }
    if (senders > 1) { /* as many as have room behind the place that stays empty */
        first = (1ull << 15) - 10, each = (uint64_t)(RING_PLACES - 1) / (uint64_t)(senders - 1), stops = true;
        pass();
        stops = false;
    }
    first = 0, each = all / (uint64_t)senders, sleeps = 0;
    double took = pass();
    if (all >= 10000000) printf("%.1f ns a message, %lu sleeps\n", took / (double)all * 1e9, (unsigned long)sleeps);
    printf("good\n");
    return 0;
}
