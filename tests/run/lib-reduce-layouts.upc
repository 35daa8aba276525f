// threads: 1 2 3 4 7
/* 7.4.3.1 p8 .. p13: reductions of arrays of every layout, from elements of any phase and thread, of any length, the
 * result on any thread. */
#include "check.h"
#include <upc_collective.h>

#define MAX 300

/* Compares with a loop over p[0 .. n-1]; `block` is that of the type of p. */
#define CHECK_LAYOUT(p, q, n, block)                                                              \
    do {                                                                                          \
        int root = (n) % THREADS;                                                                 \
        upc_all_reduceL(&result[root], p, UPC_ADD, (size_t)(n), block, NULL, 0);                  \
        upc_all_prefix_reduceL(q, p, UPC_ADD, (size_t)(n), block, NULL, 0);                       \
        long sum = 0;                                                                             \
        for (int i = 0; i < (n); i++) {                                                           \
            sum += (p)[i];                                                                        \
            CHECK_EQ(sum, (q)[i]);                                                                \
        }                                                                                         \
        CHECK_EQ(sum, result[root]);                                                              \
        upc_barrier;                                                                              \
    } while (0)

shared long result[THREADS];
shared long c1[MAX * THREADS], d1[MAX * THREADS];
shared [2] long c2[MAX * THREADS], d2[MAX * THREADS];
shared [7] long c7[MAX * THREADS], d7[MAX * THREADS];
shared [100] long c100[MAX * THREADS], d100[MAX * THREADS];

static int lengths[] = {1, 2, 3, 8, 13, 50, 257};
#define EACH_LENGTH(n) for (int k = 0, n; k < 7 && (n = lengths[k], 1); k++)

int main(void) {
    if (MYTHREAD == 0)
        for (int i = 0; i < MAX * THREADS; i++) c1[i] = c2[i] = c7[i] = c100[i] = (i * 7919l) % 1000 - 400;
    upc_barrier;
    EACH_LENGTH(n) for (int from = 0; from < 3 * THREADS + 10; from += 1 + from / 3) {
        if (from + n > MAX * THREADS) continue;
        CHECK_LAYOUT(c1 + from, d1 + from, n, 1);
        CHECK_LAYOUT(c2 + from, d2 + from, n, 2);
        CHECK_LAYOUT(c7 + from, d7 + from, n, 7);
        CHECK_LAYOUT(c100 + from, d100 + from, n, 100);
    }
    /* Indefinite, on every thread. */
    shared long *all = upc_all_alloc((size_t)THREADS, MAX * sizeof(long));
    shared long *sums = upc_all_alloc((size_t)THREADS, MAX * sizeof(long));
    for (int t = 0; t < THREADS; t++) {
        shared [] long *p = (shared [] long *)&all[t], *q = (shared [] long *)&sums[t];
        if (MYTHREAD == t)
            for (int i = 0; i < MAX; i++) p[i] = i * i - 100 * t;
        EACH_LENGTH(n) CHECK_LAYOUT(p, q, n, 0);
        EACH_LENGTH(n) if (n + 3 <= MAX) CHECK_LAYOUT(p + 3, q + 3, n, 0);
    }
    return 0;
}
