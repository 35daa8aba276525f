/* Writes and atomic operations at random places of all threads, a few of them between two barriers: what waits for several threads of a
 * computer is one message with FATHOM_COMM=bundles. Nanoseconds for each round of all threads, the median of nine repetitions; the
 * results are checked.
 *
 *     PROGRAM=scattered EACH=4 few.sh 5 libfabric outbox bundles */
#include <stdio.h>
#include <stdlib.h>
#include <upc_atomic.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

enum { SIZE = 4096, MOST = 1024, REPETITIONS = 9, ROUNDS = 20 };

shared long words[SIZE * THREADS], counts[SIZE * THREADS];
static shared long sums[THREADS];
static upc_atomicdomain_t *domain;
static long place[MOST], value, made;

/* Places on any thread that this thread alone writes. */
static void write_some(int n) {
    value++;
    for (int k = 0; k < n; k++) words[place[k]] = value;
}
static void count_some(int n) {
    long one = 1;
    for (int k = 0; k < n; k++) upc_atomic_relaxed(domain, NULL, UPC_ADD, &counts[place[k]], &one, NULL);
    made += n;
}

static int less(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void row(const char *name, int n, void (*round)(int)) {
    double ns[REPETITIONS];
    for (int i = -1; i < REPETITIONS; i++) { /* the first one does not count */
        upc_barrier;
        upc_tick_t begin = upc_ticks_now();
        for (int r = 0; r < ROUNDS; r++) {
            round(n);
            upc_barrier;
        }
        if (i >= 0) ns[i] = (double)upc_ticks_to_ns(upc_ticks_now() - begin) / ROUNDS;
    }
    qsort(ns, REPETITIONS, sizeof *ns, less);
    if (MYTHREAD == 0) printf("%d %s %.0f ns\n", n, name, ns[REPETITIONS / 2]);
    fflush(stdout);
}

int main(void) {
    domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    srand(MYTHREAD + 1);
    for (int k = 0; k < MOST; k++) {
        long block = rand() % (SIZE / THREADS) * THREADS + MYTHREAD;
        place[k] = block * THREADS + rand() % THREADS;
    }
    static const int sizes[] = {4, 16, 64, 256, 1024};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++) {
        row("writes", sizes[s], write_some);
        row("atomic operations", sizes[s], count_some);
    }
    for (int k = 0; k < MOST; k++)
        if (words[place[k]] != value) {
            fprintf(stderr, "scattered: word %ld is %ld instead of %ld\n", place[k], words[place[k]], value);
            upc_global_exit(1);
        }
    for (int k = 0; k < SIZE; k++) made -= counts[k * THREADS + MYTHREAD];
    sums[MYTHREAD] = made;
    upc_barrier;
    for (int t = 1; t < THREADS && MYTHREAD == 0; t++) made += sums[t];
    if (MYTHREAD == 0 && made != 0) {
        fprintf(stderr, "scattered: %ld operations are lost\n", made);
        upc_global_exit(1);
    }
    return 0;
}
