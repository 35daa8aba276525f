/* The other kernels of local memory: sweeps of independent loads or stores, how many stores wait in the buffer, how the time of
 * single loads is distributed, and what the system says of itself.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probe/memory.h"

/* ---- sweep ------------------------------------------------------------------------------------------------------- */

/* strides op=read|write bytes=B stride=S: 8-byte words at 0, S, 2S, … below B, again and again, each access independent of the
 * others. Samples are ns per access.
 */
struct sweep {
    char *memory;
    size_t bytes, stride, at;
};

/* Each sweep is cut where the array ends, so that the inner loop has one addition and one comparison for four accesses. */
static inline __attribute__((always_inline)) void sweep_with(struct sweep *s, long n, void (*access)(char *)) {
    const size_t stride = s->stride;
    while (n > 0) {
        size_t room = (s->bytes - s->at + stride - 1) / stride;
        long now = (size_t)n < room ? n : (long)room;
        char *p = s->memory + s->at;
        n -= now;
        s->at += (size_t)now * stride;
        for (; now >= 4; now -= 4, p += 4 * stride)
            access(p), access(p + stride), access(p + 2 * stride), access(p + 3 * stride);
        for (; now > 0; now--, p += stride) access(p);
        if (s->at >= s->bytes) s->at = 0;
    }
}

static inline __attribute__((always_inline)) void read_word(char *p) { (void)*(volatile uint64_t *)(void *)p; }
static inline __attribute__((always_inline)) void write_word(char *p) { *(volatile uint64_t *)(void *)p = 1; }
static inline __attribute__((always_inline)) void no_word(char *p) { USED(p); }

static void sweep_read(void *sweep, long n) { sweep_with(sweep, n, read_word); }
static void sweep_write(void *sweep, long n) { sweep_with(sweep, n, write_word); }
static void sweep_nothing(void *sweep, long n) {
    struct sweep copy = *(struct sweep *)sweep;
    sweep_with(&copy, n, no_word);
}

void run_sweep(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    struct sweep s = {.bytes = (size_t)request_number(request, "bytes", 0),
                      .stride = (size_t)request_number(request, "stride", 8)};
    if (s.bytes < 8 || s.stride < 8 || s.stride % 8)
        return reply_error(reply, "a sweep with bytes=%zu stride=%zu is not possible", s.bytes, s.stride);
    s.bytes -= s.bytes % 8;
    s.memory = keep_memory(request, reply, s.bytes);
    if (!s.memory) return;
    bool write = strcmp(request_word(request, "op", "read"), "write") == 0;
    sample(request, reply, write ? sweep_write : sweep_read, sweep_nothing, &s);
}

/* ---- stores ------------------------------------------------------------------------------------------------------ */

/* stores count=N bytes=B lines=one|many: two loads that miss, N stores that hit between them, and again. While the stores between fit into the
 * buffer, the second load starts beside the first; from N + 1 on it waits until a store has left, which is after the first load
 * is done. The stores go to one line or, in turn, to eight: if stores that wait are merged, more of those to one line fit.
 * Samples are ns per pair of loads with its stores. Source of the idea: how the depth of a reorder buffer is measured by two misses
 * and instructions between.
 */
enum { MOST_STORES = 256, WORDS_APART = 16 /* no line is longer than so many words */ };
struct stores {
    struct chains chains;
    volatile uint64_t *line;
    int count;
};

/* Exactly `count` stores, without a loop: a jump into a row of them. */
/* clang-format off */
#define STORE_8(l, apart, n)                                                                                           \
    case (n) + 8: l[7 * (apart)] = 1; __attribute__((fallthrough));                                                    \
    case (n) + 7: l[6 * (apart)] = 1; __attribute__((fallthrough));                                                    \
    case (n) + 6: l[5 * (apart)] = 1; __attribute__((fallthrough));                                                    \
    case (n) + 5: l[4 * (apart)] = 1; __attribute__((fallthrough));                                                    \
    case (n) + 4: l[3 * (apart)] = 1; __attribute__((fallthrough));                                                    \
    case (n) + 3: l[2 * (apart)] = 1; __attribute__((fallthrough));                                                    \
    case (n) + 2: l[1 * (apart)] = 1; __attribute__((fallthrough));                                                    \
    case (n) + 1: l[0] = 1; __attribute__((fallthrough));
#define STORE_64(l, apart, n)                                                                                          \
    STORE_8(l, apart, (n) + 56) STORE_8(l, apart, (n) + 48) STORE_8(l, apart, (n) + 40) STORE_8(l, apart, (n) + 32)    \
    STORE_8(l, apart, (n) + 24) STORE_8(l, apart, (n) + 16) STORE_8(l, apart, (n) + 8) STORE_8(l, apart, n)

static inline __attribute__((always_inline)) void store_some(volatile uint64_t *l, int count, const int apart) {
    switch (count) {
        STORE_64(l, apart, 192) STORE_64(l, apart, 128) STORE_64(l, apart, 64) STORE_64(l, apart, 0)
    default: break;
    }
}
/* clang-format on */

static inline __attribute__((always_inline)) void stores_apart(struct stores *s, long n, const int apart) {
    void **a = s->chains.start[0], **b = s->chains.start[1];
    volatile uint64_t *line = s->line;
    const int count = s->count;
    for (; n > 0; n--) {
        a = *a;
        USED(a);
        store_some(line, count, apart);
        b = *b;
        USED(b);
        store_some(line, count, apart);
    }
    s->chains.start[0] = a, s->chains.start[1] = b;
}

static void stores_to_one(void *stores, long n) { stores_apart(stores, n, 1); }
static void stores_to_many(void *stores, long n) { stores_apart(stores, n, WORDS_APART); }

void run_stores(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    static uint64_t line[8 * WORDS_APART] __attribute__((aligned(128)));
    bool many = strcmp(request_word(request, "lines", "one"), "many") == 0;
    struct stores s = {.line = line, .count = (int)request_number(request, "count", 0)};
    if (s.count < 0 || s.count > MOST_STORES) return reply_error(reply, "no more than %d stores", (int)MOST_STORES);
    if (!lay_chains(request, reply, &s.chains)) return;
    if (s.chains.count != 2) return reply_error(reply, "stores stand between the loads of chains=2");
    sample(request, reply, many ? stores_to_many : stores_to_one, NULL, &s);
}

/* ---- moments ----------------------------------------------------------------------------------------------------- */

/* moments together=1|4: as chase, but the loads are timed one by one or four by four, and the samples are these short times, per
 * load, the clock's own time subtracted. Their quantiles are the facts: what the mean of a chase cannot show.
 */
enum { MOST_MOMENTS = 1 << 16 };

static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double quantile_of(const float *sorted, long n, double q) { return sorted[(long)(q * (double)(n - 1) + 0.5)]; }

void run_moments(const struct request *request, struct reply *reply) {
    if (gas_me() != 0) return;
    static float ticks[MOST_MOMENTS], none[1024];
    const double begin = now_ns(), limit = request_limit_s(request) * 1e9;
    const int together = (int)request_number(request, "together", 4);
    if (together != 1 && together != 4) return reply_error(reply, "moments times 1 or 4 loads at once");
    struct chains c;
    if (!lay_chains(request, reply, &c)) return;
    void **p = c.start[0];
    long most = c.length * 2, n = 0;
    for (long i = 0; i < most && now_ns() - begin < limit / 4; i += 64)
        for (int k = 0; k < 64; k++) {
            p = *p;
            USED(p);
        }
    const double started = now_ns();
    const uint64_t first = tick();
    for (int i = 0; i < 1024; i++) {
        uint64_t before = tick(), after = tick();
        none[i] = (float)(after - before);
    }
    while (n < MOST_MOMENTS && (n == 0 || n % 256 || now_ns() - begin < limit * 0.8)) {
        uint64_t before = tick();
        p = *p;
        if (together == 4) p = *p, p = *p, p = *p;
        USED(p);
        ticks[n++] = (float)(tick() - before);
    }
    const double tick_ns = (now_ns() - started) / (double)(tick() - first);
    qsort(none, 1024, sizeof *none, by_value);
    const double clock = quantile_of(none, 1024, 0.5);
    /* A few of the samples in the order of time, so that an answer stays short; the quantiles are of all. */
    for (long i = 0; i < n; i += n / 200 + 1) reply_sample(reply, (ticks[i] - clock) * tick_ns / together);
    qsort(ticks, (size_t)n, sizeof *ticks, by_value);
    static const struct {
        const char *name;
        double q;
    } asked[] = {{"p01_ns", 0.01}, {"p10_ns", 0.1},    {"p50_ns", 0.5}, {"p90_ns", 0.9},
                 {"p99_ns", 0.99}, {"p999_ns", 0.999}, {"worst_ns", 1}};
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
        reply_fact(reply, asked[k].name, (quantile_of(ticks, n, asked[k].q) - clock) * tick_ns / together);
    reply_fact(reply, "timed", (double)n);
    reply_fact(reply, "clock_ns", clock * tick_ns);
    reply_fact(reply, "tick_ns", tick_ns);
}

/* ---- the system -------------------------------------------------------------------------------------------------- */

/* memory_system: what the system says of memory, as facts; its one sample is a page's size. */
void run_system(const struct request *request, struct reply *reply) {
    (void)request;
    if (gas_me() != 0) return;
    double page = (double)sysconf(_SC_PAGESIZE), free_pages = (double)sysconf(_SC_AVPHYS_PAGES);
    reply_sample(reply, page);
    reply_fact(reply, "page_bytes", page);
    reply_fact(reply, "free_bytes", page * free_pages);
    FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "r");
    double huge = 0;
    if (f) {
        if (fscanf(f, "%lf", &huge) != 1) huge = 0;
        fclose(f);
    }
    reply_fact(reply, "huge_page_bytes", huge);
}
