/* Two functions that do the same work, timed in turn on this processor, in this process: the median of the ratios of
 * neighbouring batches, and their range. What disturbs the computer for longer than a batch disturbs both sides.
 *
 * A line of result has fields parted by tabs: row, speed|cost, median, lowest, highest, target, ns of ours, ns of the
 * other. `speed` is the other side's time divided by ours, `cost` ours divided by the other's.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <split-c/split-c.h>

#ifndef PAIRS
#define PAIRS 31
#endif
#define BATCH_NS 3e6

typedef void (*work)(void);

/* Where processors work together the clock on the wall counts, else the processor's time. */
static clockid_t pairs_clock = CLOCK_THREAD_CPUTIME_ID;

static double pairs_now(void) {
    struct timespec t;
    clock_gettime(pairs_clock, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}
static double pairs_batch(work f, long passes) {
    double start = pairs_now();
    for (long i = 0; i < passes; i++) f();
    return (pairs_now() - start) / (double)passes;
}
static int pairs_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double pairs_median(double *list) {
    qsort(list, PAIRS, sizeof *list, pairs_compare);
    return list[PAIRS / 2];
}

static void pairs_measure(const char *row, int is_speed, double target, work ours, work other) {
    double ratio[PAIRS], here[PAIRS], there[PAIRS];
    long passes = 1;
    while (pairs_batch(ours, passes) * (double)passes < BATCH_NS) passes *= 2;
    for (int i = 0; i < PAIRS; i++) {
        /* Now one is first, now the other. */
        if (i & 1) there[i] = pairs_batch(other, passes);
        here[i] = pairs_batch(ours, passes);
        if (!(i & 1)) there[i] = pairs_batch(other, passes);
        ratio[i] = is_speed ? there[i] / here[i] : here[i] / there[i];
    }
    double median = pairs_median(ratio);
    printf("%s\t%s\t%.3f\t%.3f\t%.3f\t%.2f\t%.4g\t%.4g\n", row, is_speed ? "speed" : "cost", median, ratio[0],
           ratio[PAIRS - 1], target, pairs_median(here), pairs_median(there));
    fflush(stdout);
}

static void pairs_check(int is_right, const char *row) {
    if (is_right) return;
    fprintf(stderr, "%s: the results are wrong\n", row);
    splitc_exit(1);
}

#endif
