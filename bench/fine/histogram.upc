/* Fine-grained updates across computers: the plain loop, the same by atomic operations, and what an expert writes by hand, all in
 * one program, so that FATHOM_COMM decides alone. Nanoseconds for each update, the median of nine repetitions.
 *
 *     fathom cc --conduit mpi -O2 -fcomm-opt -o histogram histogram.upc
 *     FATHOM_NODE_MAX=1 FATHOM_COMM=updates fathom run -n 2 histogram
 *
 * Each thread has counters of its own on every thread, so that there is no race, and the counts are checked. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include <upc_tick.h>

enum { COUNTERS = 1 << 14, UPDATES = 1 << 15, REPETITIONS = 9, MOST = 16, PUTS = 2000 };

shared [COUNTERS] long counts[MOST * COUNTERS * THREADS]; /* block MYTHREAD * THREADS + t lies on thread t */
shared [] long *shared inbox[THREADS];                    /* for each sender a number and so many indices */
shared [8] long data[8 * THREADS];
strict shared long flag[THREADS];

static int targets[UPDATES]; /* thread * COUNTERS + counter */
static upc_atomicdomain_t *domain;

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void plain(void) {
    for (int k = 0; k < UPDATES; k++) counts[(long)MYTHREAD * THREADS * COUNTERS + targets[k]]++;
}

static void atomic(void) {
    long one = 1;
    for (int k = 0; k < UPDATES; k++)
        upc_atomic_relaxed(domain, NULL, UPC_ADD, &counts[(long)MYTHREAD * THREADS * COUNTERS + targets[k]], &one, NULL);
}

/* Sorted by owner, sent at once, and added up by the owners. */
static void by_hand(void) {
    static long sorted[UPDATES];
    int first[MOST + 1] = {0}, next[MOST];
    for (int k = 0; k < UPDATES; k++) first[targets[k] / COUNTERS + 1]++;
    for (int t = 0; t < THREADS; t++) first[t + 1] += first[t], next[t] = first[t];
    for (int k = 0; k < UPDATES; k++) sorted[next[targets[k] / COUNTERS]++] = targets[k] % COUNTERS;
    for (int i = 0; i < THREADS; i++) {
        int t = (MYTHREAD + i) % THREADS;
        long n = first[t + 1] - first[t];
        shared [] long *box = inbox[t] + (long)MYTHREAD * (UPDATES + 1);
        upc_memput(box + 1, sorted + first[t], (size_t)n * sizeof n);
        upc_memput(box, &n, sizeof n);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        const long *box = (const long *)inbox[MYTHREAD] + (long)t * (UPDATES + 1);
        long *mine = (long *)&counts[((long)t * THREADS + MYTHREAD) * COUNTERS];
        for (long k = 1; k <= box[0]; k++) mine[box[k]]++;
    }
}

static void put_and_flag(void) {
    if (MYTHREAD == 0 && THREADS > 1)
        for (int k = 0; k < PUTS; k++) {
            for (int i = 0; i < 8; i++) data[8 + i] = k;
            flag[1] = k;
        }
}

static void measure(const char *name, void (*what)(void), int times) {
    double ns[REPETITIONS];
    for (int r = 0; r < REPETITIONS; r++) {
        upc_barrier;
        upc_tick_t from = upc_ticks_now();
        what();
        upc_barrier;
        ns[r] = (double)upc_ticks_to_ns(upc_ticks_now() - from) / times;
    }
    qsort(ns, REPETITIONS, sizeof *ns, by_value);
    if (MYTHREAD == 0) printf("%-22s %9.1f ns\n", name, ns[REPETITIONS / 2]);
}

int main(void) {
    if (THREADS > MOST) {
        if (MYTHREAD == 0) fprintf(stderr, "histogram: at most %d threads\n", MOST);
        return 1;
    }
    srand(17u + (unsigned)MYTHREAD);
    for (int k = 0; k < UPDATES; k++) targets[k] = (int)((long)rand() % ((long)THREADS * COUNTERS));
    inbox[MYTHREAD] = upc_alloc((size_t)THREADS * (UPDATES + 1) * sizeof(long));
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    upc_barrier;
    measure("counts[i]++", plain, UPDATES);
    measure("upc_atomic_relaxed", atomic, UPDATES);
    measure("by hand", by_hand, UPDATES);
    measure("8 puts, strict flag", put_and_flag, PUTS);
    long sum = 0;
    for (int t = 0; t < THREADS; t++) {
        const long *mine = (const long *)&counts[((long)t * THREADS + MYTHREAD) * COUNTERS];
        for (int i = 0; i < COUNTERS; i++) sum += mine[i];
    }
    static shared long sums[THREADS];
    sums[MYTHREAD] = sum;
    upc_barrier;
    for (int t = 1; MYTHREAD == 0 && t < THREADS; t++) sum += sums[t];
    if (MYTHREAD == 0 && sum != 3L * REPETITIONS * UPDATES * THREADS) {
        fprintf(stderr, "histogram: %ld counted, %ld made\n", sum, 3L * REPETITIONS * UPDATES * THREADS);
        return 1;
    }
    return 0;
}
