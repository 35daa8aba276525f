/* What the programs of this folder share: the clock, samples and their summary, the count of errors, and whether
 * threads have to share processors.
 *
 * The programs follow the experiments by which G. Abandah and E. Davidson characterised the Convex SPP-1000
 * (University of Michigan, 1996): what one thread pays for data that another thread has written or read, and for
 * meeting others. All of them check the data that they move. A figure is the median of its samples; the range in
 * brackets is that of the middle 80 % of them, since a thread that loses its processor for some milliseconds makes a
 * few samples very large.
 */
#ifndef COHERENCE_H
#define COHERENCE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* Argument `at`, a positive number, or `otherwise` where there are fewer; 0 if it is none. */
static inline double argument(int argc, char **argv, int at, double otherwise) {
    char *end;
    if (at >= argc) return otherwise;
    double value = strtod(argv[at], &end);
    return *argv[at] && !*end && value > 0 && value < 1e9 ? value : 0;
}

/* Called by all threads: thread 0 says how the program is to be called. */
static inline int usage(const char *text) {
    if (MYTHREAD == 0) fprintf(stderr, "%s\n", text);
    return 2;
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

static inline double now_ns(void) { return (double)upc_ticks_to_ns(upc_ticks_now()); }

/* In loops that wait for another thread: serves messages, and gives the processor away from time to time, since that
 * thread may need it. */
static inline void wait_a_little(long *waited) {
    upc_poll();
    if (++*waited % 256 == 0) sched_yield();
}

/* The samples of one figure, in nanoseconds; when there are more than fit, they replace the oldest. */
enum { SAMPLES = 1001 };
struct samples {
    long count;
    double ns[SAMPLES];
};
static inline void add_sample(struct samples *s, double ns) { s->ns[s->count++ % SAMPLES] = ns; }

static inline int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
/* The median; puts the samples in order. */
static inline double median(struct samples *s) {
    long n = s->count < SAMPLES ? s->count : SAMPLES;
    qsort(s->ns, n, sizeof *s->ns, ascending);
    return n % 2 ? s->ns[n / 2] : (s->ns[n / 2 - 1] + s->ns[n / 2]) / 2;
}
/* The median and the range of the middle 80 %; a dash if there are no samples. */
static inline void print_samples(struct samples *s) {
    char text[64] = "-";
    if (s->count > 0) {
        long n = s->count < SAMPLES ? s->count : SAMPLES;
        double middle = median(s);
        snprintf(text, sizeof text, middle < 1000 ? "%.2f (%.2f to %.2f)" : "%.0f (%.0f to %.0f)", middle,
                 s->ns[n / 10], s->ns[n - 1 - n / 10]);
    }
    printf("  %-28s", text);
}

/* Called by all threads before each repetition of a measurement: is there to be another one? Thread 0 decides, by the
 * time since `start`, its own clock at the beginning. There are at least three repetitions, and at most SAMPLES. */
static shared int decision;
static inline int again(int repetition, double start, double seconds) {
    if (MYTHREAD == 0) decision = repetition < 3 || (repetition < SAMPLES && now_ns() - start < seconds * 1e9);
    upc_barrier;
    int result = decision;
    upc_barrier;
    return result;
}

/* 1, 2, 3, 4, 6, 9 ... up to `last`: the numbers of threads for which something is measured. */
static inline int next_count(int count, int last) {
    int next = count < 4 ? count + 1 : count * 3 / 2;
    return next < last || count >= last ? next : last;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

/* The word that belongs at a place in a round: no other round has it there. */
static inline uint64_t word(uint64_t round, uint64_t place) { return (round << 32) + place; }

/* The sum of such words at places 0, stride, 2 stride ... */
static inline uint64_t sum_of_words(uint64_t round, uint64_t count, uint64_t stride) {
    return count * (round << 32) + stride * (count * (count - 1) / 2);
}

static inline void put_words(shared[] uint64_t *a, uint64_t words, uint64_t stride, uint64_t round) {
    for (uint64_t i = 0; i < words; i += stride) a[i] = word(round, i);
}
static inline uint64_t add_words(const shared[] uint64_t *a, uint64_t words, uint64_t stride) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < words; i += stride) sum += a[i];
    return sum;
}

static long errors; /* of this thread */
static shared long all_errors[THREADS];

static inline void expect(int condition) { errors += !condition; }
static inline void expect_words(const shared[] uint64_t *a, uint64_t words, uint64_t stride, uint64_t round) {
    for (uint64_t i = 0; i < words; i += stride) expect(a[i] == word(round, i));
}

/* Called by all threads at the end: the last line, and the program's status. */
static inline int finish(void) {
    long sum = 0;
    all_errors[MYTHREAD] = errors;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) sum += all_errors[t];
    if (MYTHREAD == 0) sum ? printf("%ld checks FAILED\n", sum) : printf("all data and all orders were right\n");
    fflush(stdout);
    return sum != 0;
}

/* ---- processors -------------------------------------------------------------------------------------------------- */

struct place {
    uint64_t computer;
    cpu_set_t processors; /* on which the thread may run */
};
static shared struct place places[THREADS];

/* Gives the thread the processor with this number of those in the set, from the first again after the last. */
static inline void bind_to(int number, const cpu_set_t *set) {
    number %= CPU_COUNT(set);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, set) || number-- > 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one); /* if it is not allowed, the thread stays where it is */
        return;
    }
}

/* Called by all threads: threads of one computer get a processor each, in turn, because threads that wait for each
 * other end up on the same one otherwise. If there are more threads than processors, thread 0 says so, for then figures
 * contain the time in which threads wait for one. */
static inline void take_processors(void) {
    struct place mine = {14695981039346656037u};
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    for (const char *c = name; *c; c++) mine.computer = (mine.computer ^ (unsigned char)*c) * 1099511628211u;
    sched_getaffinity(0, sizeof mine.processors, &mine.processors);
    places[MYTHREAD] = mine;
    upc_barrier;

    int threads = 0, before = 0;
    static shared double threads_per_processor[THREADS];
    for (int t = 0; t < THREADS; t++) {
        struct place other = places[t];
        if (other.computer != mine.computer) continue;
        CPU_OR(&mine.processors, &mine.processors, &other.processors);
        threads++;
        before += t < MYTHREAD;
    }
    threads_per_processor[MYTHREAD] = (double)threads / CPU_COUNT(&mine.processors);
    upc_barrier; /* nobody reads the processors of before any more */
    bind_to(before, &mine.processors);
    sched_getaffinity(0, sizeof mine.processors, &mine.processors);
    places[MYTHREAD] = mine;
    upc_barrier;
    if (MYTHREAD == 0) {
        double most = 0;
        for (int t = 0; t < THREADS; t++)
            if (threads_per_processor[t] > most) most = threads_per_processor[t];
        if (most > 1) printf("note: %.3g threads share a processor, so that figures contain waits for it\n", most);
    }
}

/* Do two threads share their only processor, and its caches? */
static inline int share_a_processor(int t, int u) {
    struct place a = places[t], b = places[u];
    return a.computer == b.computer && CPU_COUNT(&a.processors) == 1 && CPU_EQUAL(&a.processors, &b.processors);
}

#endif
