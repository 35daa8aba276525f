/* What every benchmark program needs: two functions that do the same work, timed in turn, and a line of result.
 *
 * One side is UPC, the other plain C from a file of its own, compiled by the C compiler alone. Both run in this program,
 * on the same threads, one after the other, many times; a ratio is taken of each pair of neighbours, and the median of
 * the ratios is what counts. What disturbs the computer for longer than one batch disturbs both sides. Time is the
 * processor time of the thread that used most of it, so that other programs' use of a core is not measured; only where
 * waiting for each other is the work (BENCH_TOGETHER) it is what the clock shows.
 *
 * A line of result has fields parted by tabs:
 *     bench  row  variant  threads  speed|cost  median  lowest  highest  note
 * `speed` is UPC's speed over C's (1 is as fast, more is faster), `cost` is UPC's time over C's.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <upc_relaxed.h>

#ifndef BENCH_PAIRS
#define BENCH_PAIRS 15
#endif
#ifndef BENCH_BATCH_NS
#define BENCH_BATCH_NS 3e6
#endif

typedef void (*bench_work)(void);

/* How the two sides are measured: by all threads at once, each its own share; by all threads, waiting for each other; or
 * by the last thread while the others wait. The last thread, so that with two of them thread 0's data are another's. */
enum bench_who { BENCH_ALL, BENCH_TOGETHER, BENCH_LAST };
enum bench_kind { BENCH_SPEED, BENCH_COST };

static shared double bench_ns[THREADS]; /* what each thread measured */
static shared long bench_passes;        /* what thread 0 decided */

/* Keeps the compiler from moving memory accesses across this point. */
#define BENCH_KEEP() __asm__ volatile("" ::: "memory")

static double bench_now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Nanoseconds for `passes` calls of `work`; all threads call this and get the same answer. */
static double bench_batch(bench_work work, long passes, enum bench_who who) {
    clockid_t clock = who == BENCH_TOGETHER ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    double ns = 0;
    upc_barrier;
    if (who != BENCH_LAST || MYTHREAD == THREADS - 1) {
        double start = bench_now(clock);
        for (long i = 0; i < passes; i++) work();
        ns = bench_now(clock) - start;
    }
    bench_ns[MYTHREAD] = ns;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        if (bench_ns[t] > ns) ns = bench_ns[t];
    upc_barrier;
    return ns;
}

static int bench_ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Measures and prints. `amount` is what one pass does, counted in `unit`s ("GB/s": amount in bytes; "ns": in operations). */
static void bench_compare(const char *row, const char *variant, enum bench_kind kind, enum bench_who who,
                          bench_work upc, bench_work c, double amount, const char *unit) {
    long passes = 1;
    double ns;
    upc();
    while ((ns = bench_batch(c, passes, who)) < BENCH_BATCH_NS / 4) passes *= 2;
    if (MYTHREAD == 0) bench_passes = 1 + (long)((double)passes * BENCH_BATCH_NS / ns);
    upc_barrier;
    passes = bench_passes;

    double ratio[BENCH_PAIRS], best_upc = 1e30, best_c = 1e30;
    for (int r = 0; r < BENCH_PAIRS; r++) {
        double u, p;
        if (r % 2) {
            u = bench_batch(upc, passes, who);
            p = bench_batch(c, passes, who);
        } else {
            p = bench_batch(c, passes, who);
            u = bench_batch(upc, passes, who);
        }
        ratio[r] = kind == BENCH_SPEED ? p / u : u / p;
        if (u < best_upc) best_upc = u;
        if (p < best_c) best_c = p;
    }
    qsort(ratio, BENCH_PAIRS, sizeof *ratio, bench_ascending);
    if (MYTHREAD == 0) {
        double all = amount * (double)passes;
        double a = strcmp(unit, "ns") ? all / best_upc : best_upc / all,
               b = strcmp(unit, "ns") ? all / best_c : best_c / all;
        printf("bench\t%s\t%s\t%d\t%s\t%.4f\t%.4f\t%.4f\t%.4g %s, C %.4g %s\n", row, variant, THREADS,
               kind == BENCH_SPEED ? "speed" : "cost", ratio[BENCH_PAIRS / 2], ratio[0], ratio[BENCH_PAIRS - 1], a,
               unit, b, unit);
        fflush(stdout);
    }
}

/* A benchmark whose two sides disagree measures nothing. */
static __attribute__((unused)) void bench_require(int ok, const char *what) {
    if (ok) return;
    fprintf(stderr, "thread %d: %s: wrong result\n", MYTHREAD, what);
    upc_global_exit(1);
}

#endif
