/* Sleeping and being woken by near threads (conduit/queue/bell.c), of conduit smp by itself: no wake-up is lost, whatever the
 * sleeper sleeps for. Sleeps here last PATIENCE_MS unless they are ended, so a lost wake-up is one that ends by its
 * time: it is counted, and no other time decides anything. Everybody sleeps at once, without looking first, so that sleeps
 * and what ends them meet in every way.
 *
 *     bell THREADS ROUNDS            the test
 *     bell 2 ROUNDS time             how long a wake-up takes, beside that of a bare futex in the same run
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "conduit/conduit.h"
#include "conduit/queue/queue.h"
#include "conduit_alone.h"
#include "core/constants.h"
#include "lang/prelude.h"
#include "lang/random.h"

enum { PING, PONG, NEWS, KINDS };
#define PATIENCE_MS 20000

static int me, threads;
static long got[KINDS]; /* messages */

static _Noreturn void fail(int line, const char *what) {
    fprintf(stderr, "bell.c:%d: thread %d: %s\n", line, me, what);
    conduit_end(99);
    _exit(99);
}
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) fail(__LINE__, "not true: " #condition);                                                     \
    } while (0)
#define AWAKE(sleep)                                                                                                   \
    do {                                                                                                               \
        if (!(sleep)) fail(__LINE__, "a wake-up was lost: " #sleep);                                                   \
    } while (0)

static void deliver(const struct conduit_message *m) {
    got[m->handler]++;
    if (m->handler == PING)
        conduit_send(&(struct conduit_message){.thread = m->thread, .handler = PONG, .reply = true});
}
void (*conduit_deliver)(const struct conduit_message *m) = deliver;

static void send(int to, int what) { conduit_send(&(struct conduit_message){.thread = to, .handler = (uint16_t)what}); }

/* Words that all threads see, each in a line of its own. */
static uint32_t *word(int i) { return fathom_local(fathom_make(0, (1 << 20) + 128 * (unsigned long)i)); }
static uint32_t load(int i) { return __atomic_load_n(word(i), __ATOMIC_ACQUIRE); }

static void rest_until_pong(long n) {
    while (got[PONG] < n)
        if (!conduit_poll(false)) AWAKE(conduit_rest(PATIENCE_MS * 1000));
}

/* Mostly for less than a microsecond, in which the other thread is about to sleep, sometimes until it is asleep. */
static void dawdle(uint64_t *random) {
    unsigned r = (unsigned)(fathom_random(random) >> 33);
    for (unsigned n = r % 16 ? r / 16 % 40 : r / 16 % 1000; n > 0; n--) conduit_pause();
}

static void meet(void) {
    static uint32_t generation;
    uint32_t now = generation++;
    if (__atomic_add_fetch(word(0), 1, __ATOMIC_SEQ_CST) == (uint32_t)threads) {
        __atomic_store_n(word(0), 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(word(1), generation, __ATOMIC_SEQ_CST);
        conduit_wake(word(1), threads, ~0u);
    }
    while (load(1) == now) conduit_sleep(word(1), now, ~0u, 100); /* for as long as the others take */
}

/* All but thread 0 sleep on one word, which does not change; thread 0 sends messages to one after the other. */
static void messages_to_sleepers(long rounds) {
    uint64_t random = 1;
    meet();
    if (me == 0) {
        for (long i = 0; i < rounds; i++) {
            send(1 + (int)(i % (threads - 1)), PING);
            rest_until_pong(got[PONG] + 1);
            dawdle(&random);
        }
        __atomic_store_n(word(2), 1, __ATOMIC_SEQ_CST);
        conduit_wake(word(2), threads, ~0u);
    } else {
        /* Two sleeps without anything to do between them would be a wake-up in vain; that is no mistake. */
        while (load(2) == 0) {
            conduit_poll(false);
            AWAKE(conduit_sleep(word(2), 0, ~0u, PATIENCE_MS));
        }
    }
    meet();
    if (me == 0) *word(2) = 0;
    meet();
}

/* A number goes round: each waits for its own turn, and wakes by mask, as the lock of tickets does. */
static void turns(long rounds) {
    meet();
    for (long i = 0; i < rounds; i++) {
        uint32_t mine = (uint32_t)(i * threads + me);
        for (uint32_t now; (now = load(3)) != mine;) AWAKE(conduit_sleep(word(3), now, 1u << me % 32, PATIENCE_MS));
        __atomic_store_n(word(3), mine + 1, __ATOMIC_SEQ_CST);
        conduit_wake(word(3), threads, 1u << (me + 1) % threads % 32);
    }
    meet();
    if (me == 0) *word(3) = 0;
    meet();
}

/* A count that all take from and thread 0 adds to, one at a time, waking one: each is worth one sleeper. */
static void posts(long rounds) {
    uint64_t random = 2;
    meet();
    long all = rounds * (threads - 1);
    if (me == 0) {
        for (long i = 0; i < all; i++) {
            __atomic_add_fetch(word(4), 1, __ATOMIC_SEQ_CST);
            conduit_wake(word(4), 1, ~0u);
            dawdle(&random);
        }
    } else {
        for (long i = 0; i < rounds; i++)
            for (;;) {
                uint32_t now = load(4);
                if (now &&
                    __atomic_compare_exchange_n(word(4), &now, now - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
                    break;
                if (!now) AWAKE(conduit_sleep(word(4), 0, ~0u, PATIENCE_MS));
            }
    }
    meet();
    CHECK(load(4) == 0);
}

/* A condition that only the sleeper knows: plain stores, and a ring. Threads 0 and 1. */
static void rings(long rounds) {
    uint64_t random = 3;
    meet();
    for (long i = 1; me < 2 && i <= rounds; i++) {
        int here = 5 + me, there = 6 - me;
        if (me == 0) {
            __atomic_store_n(word(there), (uint32_t)i, __ATOMIC_RELEASE);
            conduit_ring(1 - me);
        }
        while (load(here) != (uint32_t)i) AWAKE(conduit_rest(PATIENCE_MS * 1000));
        if (me == 1) {
            __atomic_store_n(word(there), (uint32_t)i, __ATOMIC_RELEASE);
            conduit_ring(0);
        }
        dawdle(&random);
    }
    meet();
}

/* ---- time ------------------------------------------------------------------------------------------------------ */

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum how { FUTEX, REST, SLEEP, HOWS };
static const char *const names[] = {"bare futex", "message to a thread that rests",
                                    "message to a thread that sleeps on a word"};

/* Thread 1 sleeps; thread 0 looks at the clock and wakes it; thread 1 looks at the clock. */
static double *instant(void) { return fathom_local(fathom_make(0, (1 << 20) + 8192)); }

static void wait_in(enum how how, uint32_t i) {
    long n = got[NEWS];
    switch (how) {
    case FUTEX:
        while (load(7) != i) syscall(SYS_futex, word(7), FUTEX_WAIT, i - 1, NULL, NULL, 0);
        break;
    case REST:
        while (got[NEWS] == n)
            if (!conduit_poll(false)) conduit_rest(PATIENCE_MS * 1000);
        break;
    default:
        while (got[NEWS] == n)
            if (!conduit_poll(false)) conduit_sleep(word(8), 0, ~0u, PATIENCE_MS);
    }
}

static void end_wait(enum how how, uint32_t i) {
    if (how == FUTEX) {
        __atomic_store_n(word(7), i, __ATOMIC_SEQ_CST);
        syscall(SYS_futex, word(7), FUTEX_WAKE, 1, NULL, NULL, 0);
    } else {
        send(1, NEWS);
    }
}

static void times(long rounds) {
    double *took[HOWS];
    for (int h = 0; h < HOWS; h++) took[h] = calloc((size_t)rounds, sizeof(double));
    uint32_t futex = 0;
    for (long i = 0; i < rounds; i++)
        for (int h = 0; h < HOWS; h++) {
            meet();
            futex += h == FUTEX;
            if (me == 0) {
                usleep(200);
                *instant() = now_ns();
                end_wait((enum how)h, futex);
            } else {
                wait_in((enum how)h, futex);
                took[h][i] = now_ns() - *instant();
            }
        }
    for (int h = 0; me == 1 && h < HOWS; h++) {
        qsort(took[h], (size_t)rounds, sizeof(double), by_value);
        printf("%-45s median %7.1f us, 99 of 100 %7.1f us, worst %8.1f us\n", names[h], took[h][rounds / 2] / 1e3,
               took[h][rounds * 99 / 100] / 1e3, took[h][rounds - 1] / 1e3);
    }
    meet();
}

int main(int argc, char **argv) {
    long rounds = argc > 2 ? atol(argv[2]) : 1000;
    threads = conduit_start(argc > 1 ? atoi(argv[1]) : 2, &argc, &argv);
    const char *what;
    CHECK(conduit_segments(threads, 4ul << 20, false, &what) == 0);
    me = conduit_spawn(threads);
    core_set_constants(me, threads, 0);
    if (argc > 3) {
        times(rounds);
    } else {
        messages_to_sleepers(rounds);
        turns(rounds / 4);
        posts(rounds / 4);
        rings(rounds);
        /* It was asleep: else nothing has been shown. */
        struct rusage used;
        getrusage(RUSAGE_SELF, &used);
        CHECK(used.ru_nvcsw > rounds / 20);
        /* FATHOM_BELL=switch: and all have gone from membarrier to fences. */
        const char *test = getenv("FATHOM_BELL");
        if (test && strstr(test, "switch")) CHECK(*bells_way == 2);
        if (me == 0) printf("good\n");
    }
    fflush(stdout);
    conduit_done();
    conduit_finish(0);
    _exit(0);
}
