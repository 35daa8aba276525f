/* The frame of the conformance suite: what a conduit, and the versions over messages, must do, written once against
 * gas.h. A case is a function that every thread of a job calls at the same time; a file of this folder holds the cases
 * of one subject, and adding a case is writing one: nothing lists them. run.sh builds the suite for a conduit and runs
 * it.
 *
 *     CASE(messages_to_oneself_run_at_once) { ... ASSERT(x == 1, "x is %d", x); ... }
 *
 * Cases work with any number of threads. One that proves how a job ends is an ENDS: it is run as a job of its own,
 * whose status and message are then compared.
 */
#ifndef SUITE_H
#define SUITE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gas.h"
#include "lang/random.h"

struct suite_case {
    const char *name, *file;
    int line;
    void (*run)(void);
    /* Of an ENDS: the job's status, its least threads, and what stderr must match in whole (an extended regular
     * expression, where | stands for the end of a line). */
    const char *ends;
    int status, threads;
    struct suite_case *next;
};
void suite_enter(struct suite_case *c);

#define SUITE_ENTER(name, ...)                                                                                         \
    static void name(void);                                                                                            \
    __attribute__((constructor)) static void name##_enter(void) {                                                      \
        static struct suite_case c = {#name, __FILE__, __LINE__, name, __VA_ARGS__, NULL};                             \
        suite_enter(&c);                                                                                               \
    }                                                                                                                  \
    static void name(void)
#define CASE(name) SUITE_ENTER(name, NULL, 0, 0)
#define ENDS(name, threads, status, message) SUITE_ENTER(name, message, status, threads)

/* Ends the job unless it holds: says where, in which case, and with which seed. */
#define ASSERT(condition, ...)                                                                                         \
    do {                                                                                                               \
        if (__builtin_expect(!(condition), 0)) suite_fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                \
    } while (0)
#define EQUAL(expected, actual)                                                                                        \
    do {                                                                                                               \
        long long suite_e = (long long)(expected), suite_a = (long long)(actual);                                      \
        if (__builtin_expect(suite_e != suite_a, 0))                                                                   \
            suite_fail(__FILE__, __LINE__, #actual, "is %lld, not %lld", suite_a, suite_e);                            \
    } while (0)
void suite_fail(const char *file, int line, const char *what, const char *format, ...)
    __attribute__((noreturn, format(printf, 4, 5)));

/* How much work a case that repeats itself should do: 1 ordinarily, more with --times. */
extern double suite_times;
static inline long suite_rounds(long n) { return (long)((double)n * suite_times) ?: 1; }
extern uint64_t suite_seed;

/* ---- random numbers ---------------------------------------------------------------------------------------------- */

/* `together`: the same sequence on every thread; `mine`: another on each. Both start afresh with each case, from the
 * seed that was printed and the case's name. */
struct suite_random {
    uint64_t state;
};
extern struct suite_random together, mine;

static inline uint64_t random_word(struct suite_random *r) { return fathom_random(&r->state); }
/* 0 ... n - 1. */
static inline uint64_t random_below(struct suite_random *r, uint64_t n) { return n ? random_word(r) % n : 0; }
/* low ... high. */
static inline int64_t random_between(struct suite_random *r, int64_t low, int64_t high) {
    return low + (int64_t)random_below(r, (uint64_t)(high - low) + 1);
}
/* A size up to `max`, every order of magnitude alike. */
static inline size_t random_size(struct suite_random *r, size_t max) {
    size_t limit = (size_t)1 << random_below(r, 64 - (unsigned)__builtin_clzl(max | 1) + 1);
    return random_below(r, (limit < max ? limit : max) + 1);
}

/* ---- small things ------------------------------------------------------------------------------------------------ */

static inline int me(void) { return gas_me(); }
static inline int count(void) { return gas_count(); }
static inline int neighbour(int distance) { return (me() + distance % count() + count()) % count(); }

/* Waits as a program would: serving messages. */
#define WAIT_UNTIL(condition)                                                                                          \
    do {                                                                                                               \
        unsigned suite_round = 0;                                                                                      \
        while (!(condition)) gas_wait_hint(&suite_round);                                                              \
    } while (0)

/* Thread t's part of memory that gas_all_alloc gave. */
static inline fathom_ptr on(int thread, fathom_ptr all) {
    return all + ((fathom_ptr)(thread - fathom_thread_of(all)) << FATHOM_SEG_BITS);
}
static inline void *here(fathom_ptr all) { return fathom_local(on(me(), all)); }
/* Memory on every thread for this case; all threads free it together, after a barrier. */
static inline fathom_ptr everywhere(size_t n) {
    fathom_ptr p = gas_all_alloc(n);
    ASSERT(p != 0, "no room for %zu bytes on each thread", n);
    return p;
}
static inline void free_everywhere(fathom_ptr p) {
    gas_barrier();
    if (me() == 0) gas_free(p);
    gas_barrier();
}

/* Byte i of a pattern: what is moved, and afterwards recognised. */
static inline uint8_t pattern(uint64_t key, size_t i) {
    uint64_t z = (key * 0x9e3779b97f4a7c15 + i / 8) * 0xbf58476d1ce4e5b9;
    return (uint8_t)((z ^ z >> 29) >> (i % 8 * 8));
}
static inline void fill_pattern(void *at, size_t n, uint64_t key) {
    for (size_t i = 0; i < n; i++) ((uint8_t *)at)[i] = pattern(key, i);
}
/* The first byte that is not the pattern's, or n. */
static inline size_t pattern_end(const void *at, size_t n, uint64_t key) {
    size_t i = 0;
    while (i < n && ((const uint8_t *)at)[i] == pattern(key, i)) i++;
    return i;
}
#define PATTERN(at, n, key)                                                                                            \
    do {                                                                                                               \
        size_t suite_n = (n), suite_i = pattern_end(at, suite_n, key);                                                 \
        ASSERT(suite_i == suite_n, "byte %zu of %zu differs", suite_i, suite_n);                                       \
    } while (0)

#endif
