/* What memory's chips add where two lines get into each other's way: rows and banks.
 *
 *     rows bytes=B apart=D passes=P
 *
 * A sample is a pair of lines: any line of B bytes and the one whose address differs in the bits D, or any two if D is 0. Both are
 * flushed from all caches and loaded, the second by the address that the first holds; and each is flushed and loaded by itself, each time
 * after it was so once untimed, which leaves the memory's row open for it where rows are left open. The sample is by how much a load of
 * the pair takes longer than those by themselves: near 0 for lines of one row or of two banks, what closing one row and opening
 * the other takes for two rows of a bank. Where a line lies, on which channel and how far away, takes part in both and drops out.
 * Disturbance comes in bursts that are longer than a look at a pair: so all pairs are looked at P times, one after the other, and the
 * first half of the passes gives a median for each pair, and the second another. Samples are the pairs' medians of the first half, and then,
 * in the same order, of the second: what belongs to a pair comes back, what disturbed does not. Facts: `alone_ns`, the median of
 * a load by itself; `pairs`, `passes`.
 */
#include <stdlib.h>

#include "probe/memory.h"

#if defined(__x86_64__)
#include <emmintrin.h>
static const bool can_flush = true;
static inline void flush(const void *line) { _mm_clflush(line); }
static inline void flushed(void) { _mm_mfence(); }
#elif defined(__aarch64__)
static const bool can_flush = true;
static inline void flush(const void *line) { __asm__ volatile("dc civac, %0" : : "r"(line) : "memory"); }
static inline void flushed(void) { __asm__ volatile("dsb sy" : : : "memory"); }
#else
static const bool can_flush = false;
static inline void flush(const void *line) { (void)line; }
static inline void flushed(void) {}
#endif

enum { ROUNDS = 3, MOST_PASSES = 64, LINE = 64 };

/* Ticks of loading a line that is in no cache, and then, where it holds an address, what lies there. */
static double load_flushed(char *one, char *other) {
    flush(one);
    if (other) flush(other);
    flushed();
    uint64_t before = tick();
    char *next = *(char *volatile *)(void *)one;
    if (other) next = *(char *volatile *)(void *)next;
    USED(next);
    return (double)(tick() - before);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n) {
    qsort(values, (size_t)n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* By how many ticks a load of the pair takes longer than a load of one of them alone; *alone is what that takes. */
static double added_ticks(char *one, char *other, double clock, float *alone) {
    double pair[ROUNDS], first[ROUNDS], second[ROUNDS];
    *(char *volatile *)(void *)one = other;
    *(char *volatile *)(void *)other = one;
    for (int i = 0; i < ROUNDS; i++) {
        load_flushed(one, other);
        pair[i] = load_flushed(one, other);
        load_flushed(one, NULL);
        first[i] = load_flushed(one, NULL);
        load_flushed(other, NULL);
        second[i] = load_flushed(other, NULL);
    }
    double each = (median(first, ROUNDS) + median(second, ROUNDS)) / 2 - clock;
    *alone = (float)each;
    return (median(pair, ROUNDS) - clock) / 2 - each;
}

static double clock_ticks(void) {
    double none[MOST_PASSES];
    for (int i = 0; i < MOST_PASSES; i++) {
        uint64_t before = tick();
        none[i] = (double)(tick() - before);
    }
    return median(none, MOST_PASSES);
}

struct pair {
    char *one, *other;
    float added[MOST_PASSES], alone[MOST_PASSES];
};

static double median_of(const float *values, int n) {
    double copy[MOST_PASSES];
    for (int i = 0; i < n; i++) copy[i] = (double)values[i];
    return median(copy, n);
}

void run_rows(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    const size_t bytes = (size_t)request_number(request, "bytes", 0),
                 apart = (size_t)request_number(request, "apart", 0);
    const int passes = (int)request_number(request, "passes", 12), pairs = request_samples(request);
    if (bytes < 4 * LINE || apart >= bytes / 2 || apart % LINE || passes < 2 || passes > MOST_PASSES)
        return reply_error(reply, "pairs of lines %zu bytes apart in %zu, %d passes, are not possible", apart, bytes,
                           passes);
    if (!can_flush)
        return reply_impossible(reply, REASON_OPERATION, "this processor has no instruction that flushes a line");
    char *memory = keep_memory(request, reply, bytes);
    if (!memory) return;
    struct pair *all = malloc((size_t)pairs * sizeof *all);
    if (!all) return reply_impossible(reply, REASON_MEMORY, "there is no memory for %d pairs", pairs);
    const double begin = now_ns(), limit = request_limit_s(request) * 1e9, clock = clock_ticks();
    const uint64_t first = tick();
    /* The second line must lie within the array whichever bits differ. */
    size_t whole = LINE;
    while (2 * whole <= bytes) whole *= 2;
    int n = 0, done = 0;
    for (; done < passes && (done < 2 || now_ns() - begin < limit * (done + 0.5) / (done + 1)); done++)
        /* As many pairs as leave time for all passes. */
        for (int i = 0; i < (done ? n : pairs) && (done || i == 0 || now_ns() - begin < limit * 0.9 / passes); i++) {
            struct pair *p = &all[i];
            if (done == 0) {
                size_t at = random_below(whole / LINE),
                       with = at ^ (apart ? apart / LINE : 1 + random_below(whole / LINE - 1));
                *p = (struct pair){.one = memory + at * LINE, .other = memory + with * LINE};
                n++;
            }
            p->added[done] = (float)added_ticks(p->one, p->other, clock, &p->alone[done]);
        }
    const double tick_ns = (now_ns() - begin) / (double)(tick() - first);
    const int half = done / 2;
    for (int second = 0; second < 2; second++)
        for (int i = 0; i < n; i++) reply_sample(reply, median_of(all[i].added + second * half, half) * tick_ns);
    double *alone = malloc((size_t)n * sizeof *alone);
    for (int i = 0; alone && i < n; i++) alone[i] = median_of(all[i].alone, done);
    if (alone) reply_fact(reply, "alone_ns", median(alone, n) * tick_ns);
    reply_fact(reply, "pairs", n);
    reply_fact(reply, "passes", 2 * half);
    free(alone);
    free(all);
}
