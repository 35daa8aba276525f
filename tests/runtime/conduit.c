/* A conduit by itself, with none of the layers above it: what conduit.h promises of messages, waiting and memory, so that
 * a conduit can be tried before anything else works. This program stands in for core: it supplies conduit_deliver and
 * calls the rest in the order of a start. It is linked with a conduit's objects only.
 *
 *     conduit THREADS ROUNDS
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "conduit/check/check.h"
#include "conduit/progress.h"
#include "conduit_alone.h"
#include "core/constants.h"
#include "lang/prelude.h"

/* What else core defines for conduits. There is no progress thread here. */
struct conduit_engine conduit_engine;
__thread bool conduit_beside;
void conduit_wait_to_enter(void) {}
int conduit_deliver_kept(bool *replies_only) { return (void)replies_only, 0; }
bool conduit_kept_enough(void) { return false; }

static int me, threads;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "conduit.c:%d: thread %d: not true: %s\n", __LINE__, me, #condition);                      \
            conduit_end(99);                                                                                           \
            _exit(99);                                                                                                 \
        }                                                                                                              \
    } while (0)

static uint64_t mixed(uint64_t x) { /* a number that looks random, from one that does not */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

enum { FLOOD = 1, ANSWER, ARRIVED, TURN, LAST = (1 << CONDUIT_HANDLER_BITS) - 1 };

static char *scratch;                                                  /* a payload to send */
static uint64_t requests[CONDUIT_MAX_NEAR], replies[CONDUIT_MAX_NEAR]; /* seen so far, by sender */
static int arrived, turns, delivering;

/* The shape of message i from a to b follows from the three numbers, so that both sides know it. */
static void shape(int a, int b, uint64_t i, int *nargs, size_t *bytes) {
    uint64_t r = mixed((uint64_t)a << 48 ^ (uint64_t)b << 32 ^ i);
    *nargs = 1 + (int)(r % CONDUIT_MAX_ARGS);
    *bytes = r >> 8 & 3 ? 0 : (r >> 10) % (r >> 60 ? 1000 : conduit_max_medium() + 1);
}
static uint64_t argument(int a, int b, uint64_t i, int k) { return k == 0 ? i : mixed(i * 64 + (uint64_t)(a * b + k)); }

static void send(int to, bool reply, uint64_t i) {
    uint64_t args[CONDUIT_MAX_ARGS];
    int nargs;
    size_t bytes;
    shape(me, to, i, &nargs, &bytes);
    for (int k = 0; k < nargs; k++) args[k] = argument(me, to, i, k);
    /* A window of the same random bytes for all; offset by the message's number. */
    const char *payload = scratch + i % 64;
    struct conduit_message m = {to, reply ? ANSWER : i % 2 ? FLOOD : LAST, (uint8_t)nargs, reply, args, payload, bytes};
    conduit_send(&m);
    memset(args, 0xee, sizeof args); /* they may be changed now */
}

static void deliver(const struct conduit_message *m) {
    CHECK(m->thread >= 0 && m->thread < threads && m->thread != me);
    CHECK(delivering == 0 || (delivering == 1 && m->reply)); /* inside the handler of a request: replies only */
    CHECK(!m->bytes || ((uintptr_t)m->payload & 7) == 0);
    delivering++;
    if (m->handler == ARRIVED || m->handler == TURN) {
        CHECK(m->nargs == 0 && m->bytes == 0);
        ++*(m->handler == ARRIVED ? &arrived : &turns);
    } else {
        CHECK(m->reply ? m->handler == ANSWER : m->handler == FLOOD || m->handler == LAST);
        uint64_t i = (m->reply ? replies : requests)[m->thread]++;
        int nargs;
        size_t bytes;
        shape(m->thread, me, i, &nargs, &bytes);
        CHECK(m->nargs == nargs && m->bytes == bytes); /* lost, twice, or out of order: the shapes differ */
        for (int k = 0; k < nargs; k++) CHECK(m->args[k] == argument(m->thread, me, i, k));
        CHECK(!bytes || memcmp(m->payload, scratch + i % 64, bytes) == 0);
        if (!m->reply) send(m->thread, true, i);
        for (int k = 0; k < nargs; k++) CHECK(m->args[k] == argument(m->thread, me, i, k)); /* still there */
        CHECK(!bytes || memcmp(m->payload, scratch + i % 64, bytes) == 0);
    }
    delivering--;
}
void (*conduit_deliver)(const struct conduit_message *m) = deliver;

/* Everybody has said that it is here. */
static void meet(void) {
    static int meetings;
    for (int t = 0; t < threads; t++)
        if (t != me) conduit_send(&(struct conduit_message){.thread = t, .handler = ARRIVED});
    for (meetings++; arrived < meetings * (threads - 1);)
        if (conduit_poll(false) == 0) conduit_rest(100000);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sigjmp_buf back;
static void on_fault(int signal) {
    (void)signal;
    siglongjmp(back, 1);
}

/* Near memory is there, zeroed, one segment after the other; before and behind them nothing is. */
static void memory(void) {
    struct sigaction ours = {.sa_handler = on_fault}, before[2];
    sigaction(SIGSEGV, &ours, &before[0]);
    sigaction(SIGBUS, &ours, &before[1]);
    CHECK(me >= conduit_near.first && me < conduit_near.first + conduit_near.count);
    for (int t = 0; t < threads; t++) {
        volatile long *at = (long *)(FATHOM_BASE + FATHOM_STEP * (unsigned long)(t - conduit_near.first) + (1 << 20));
        volatile bool there = false;
        if (sigsetjmp(back, 1) == 0) {
            CHECK(at[me] == 0);
            at[me] = me + 1;
            there = true;
        }
        CHECK(there == (t >= conduit_near.first && t < conduit_near.first + conduit_near.count));
    }
    sigaction(SIGSEGV, &before[0], NULL);
    sigaction(SIGBUS, &before[1], NULL);
}

static void rest(void) {
    double start = seconds();
    /* Rests that no message ended; some of them return early, to have the caller look once more. */
    int idle = 0;
    for (bool rested = false; seconds() - start < 0.05;) {
        if (conduit_poll(false)) {
            rested = false;
        } else {
            idle += rested;
            conduit_rest(10000);
            rested = true;
        }
    }
    CHECK(idle < 30 + threads);
    meet(); /* whoever goes on ends the others' rests */
    uint32_t word = 1;
    conduit_sleep(&word, 2, ~0u, 60000); /* it is another already */
    CHECK(seconds() - start < 30);
}

/* Everybody sends to everybody, and nobody looks what has arrived unless the conduit does while it waits for room. */
static void flood(uint64_t rounds) {
    for (uint64_t i = 0; i < rounds; i++)
        for (int k = 1; k < threads; k++) send((me + k) % threads, false, i);
    for (int k = 1; k < threads; k++) {
        int t = (me + k) % threads;
        while (replies[t] < rounds || requests[t] < rounds)
            if (conduit_poll(false) == 0) conduit_rest(1000);
        CHECK(replies[t] == rounds && requests[t] == rounds);
    }
    meet();
}

/* Once round for every turn. Rests end with a message, not with their time: else this takes longer than anybody waits. */
static void ring(int rounds) {
    for (int i = 0; i < rounds; i++) {
        if (me == 0) conduit_send(&(struct conduit_message){.thread = 1, .handler = TURN});
        while (turns == i)
            if (conduit_poll(false) == 0) conduit_rest(60000000);
        if (me != 0) conduit_send(&(struct conduit_message){.thread = (me + 1) % threads, .handler = TURN});
    }
}

int main(int argc, char **argv) {
    uint64_t rounds = argc > 2 ? (uint64_t)atol(argv[2]) : 100;
    check_start();
    threads = conduit_start(argc > 1 ? atoi(argv[1]) : 2, &argc, &argv);
    CHECK(conduit_threads_here() >= 1);
    CHECK(conduit_cores() >= 1);
    CHECK(conduit_max_medium() >= 4096);
    const char *what;
    CHECK(conduit_segments(threads, 4ul << 20, false, &what) == 0);
    me = conduit_spawn(threads);
    CHECK(me >= 0 && me < threads);
    core_set_constants(me, threads, 0);
    CHECK(conduit_is_thread() && !conduit_is_ending());
    scratch = malloc(conduit_max_medium() + 64);
    for (size_t i = 0; i < conduit_max_medium() + 64; i++) scratch[i] = (char)mixed(i);
    memory();
    meet();
    rest();
    flood(rounds);
    if (threads > 1) ring(20);
    meet();
    if (me == 0) printf("good\n");
    fflush(stdout);
    conduit_done();
    while (conduit_done_count() < threads)
        if (!conduit_poll(false)) conduit_rest(1000);
    conduit_finish(0);
    _exit(0);
}
