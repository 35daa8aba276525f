// flags: -fcomm-opt
// comm: updates outbox=128,updates
// The iterations of a upc_forall that are a thread's own update computed places together. Each thread counts at places that no other thread
// changes, near and far ones, and compares with what its iterations make of a copy.
#include <stdlib.h>
#include <upc_relaxed.h>
#include <upc_atomic.h>
#include "check.h"

enum { ROWS = 64, EACH = 700 };
/* Element (row * THREADS + t) * THREADS + u is thread t's to change, and lies with thread u. */
#define COUNTS (ROWS * THREADS * THREADS)
static shared int *counts;
static shared double *sums;
static shared long total[THREADS];
static int *copy;
static double *copy_of_sums;

static shared int cyclic[EACH * THREADS];
static shared [7] int short_blocks[7 * 100 * THREADS];
static shared [EACH] int long_blocks[EACH * THREADS];
static shared [16] struct { char c; int at; } records[16 * 40 * THREADS];

#define PLACE(v) (((v) % ROWS * THREADS + MYTHREAD) * THREADS + (v) / ROWS % THREADS)

static void by_cyclic(shared int *p, int n) {
    int i;
    upc_forall (i = 0; i < n; i++; &cyclic[i]) counts[PLACE(cyclic[i])]++;
    for (i = 0; i < n; i++)
        if (i % THREADS == MYTHREAD) copy[PLACE(cyclic[i])]++;
    CHECK(i == n);
    upc_forall (i = 0; i < n; ++i; i) {
        int v = p[i];
        if (v & 1) sums[PLACE(v)] += 0.25;
    }
    for (i = 0; i < n; i++)
        if (i % THREADS == MYTHREAD && (p[i] & 1)) copy_of_sums[PLACE(p[i])] += 0.25;
    /* The affinity of the next element. */
    upc_forall (i = 1; i <= n - 1; i++; i + 1) counts[PLACE(i * 13)] -= n;
    for (i = 1; i <= n - 1; i++)
        if ((i + 1) % THREADS == MYTHREAD) copy[PLACE(i * 13)] -= n;
}

static void by_blocks(int n) {
    upc_forall (int i = 3; i < n; i++; &short_blocks[i]) counts[PLACE(short_blocks[i])] ^= 6;
    for (int i = 3; i < n; i++)
        if (i / 7 % THREADS == MYTHREAD) copy[PLACE(short_blocks[i])] ^= 6;
    upc_forall (int i = 0; i < EACH * THREADS; i++; &long_blocks[i]) counts[PLACE(long_blocks[i])] += 5;
    for (int i = 0; i < EACH * THREADS; i++)
        if (i / EACH == MYTHREAD) copy[PLACE(long_blocks[i])] += 5;
    upc_forall (int i = 1; i < 16 * 40 * THREADS; i++; &records[i]) counts[PLACE(records[i].at + i)] += 2;
    for (int i = 1; i < 16 * 40 * THREADS; i++)
        if (i / 16 % THREADS == MYTHREAD) copy[PLACE(records[i].at + i)] += 2;
}

/* An element that is updated says where a later iteration updates. */
static void by_itself(void) {
    int at[EACH];
    for (int k = 0; k < EACH; k++) at[k] = cyclic[k * THREADS + MYTHREAD] = (k + 3) % EACH;
    upc_barrier;
    upc_forall (int i = 0; i < EACH * THREADS; i++; &cyclic[i]) cyclic[cyclic[i] % EACH * THREADS + MYTHREAD] += 5;
    for (int k = 0; k < EACH; k++) at[at[k] % EACH] += 5;
    for (int k = 0; k < EACH; k++) CHECK(cyclic[k * THREADS + MYTHREAD] == at[k]);
    upc_barrier;
}

static void atomically(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD, 0);
    long three = 3;
    upc_forall (int i = 0; i < EACH * THREADS; i++; &cyclic[i])
        upc_atomic_relaxed(domain, NULL, UPC_ADD, &total[cyclic[i] % THREADS], &three, NULL);
    upc_barrier;
    long sum = 0;
    for (int t = 0; t < THREADS; t++) sum += total[t];
    CHECK(sum == 3l * EACH * THREADS);
}

int main(void) {
    copy = calloc((size_t)COUNTS, sizeof *copy), copy_of_sums = calloc((size_t)COUNTS, sizeof *copy_of_sums);
    CHECK(copy && copy_of_sums);
    counts = upc_all_alloc((size_t)COUNTS, sizeof *counts), sums = upc_all_alloc((size_t)COUNTS, sizeof *sums);
    upc_forall (int i = 0; i < COUNTS; i++; i) counts[i] = 0, sums[i] = 0;
    upc_forall (int i = 0; i < EACH * THREADS; i++; &cyclic[i]) cyclic[i] = i * 79193 % 10007;
    upc_forall (int i = 0; i < 7 * 100 * THREADS; i++; &short_blocks[i]) short_blocks[i] = i * 7919 % 10007;
    upc_forall (int i = 0; i < EACH * THREADS; i++; &long_blocks[i]) long_blocks[i] = i * 104729 % 10007;
    upc_forall (int i = 0; i < 16 * 40 * THREADS; i++; &records[i]) records[i].at = i * 31 % 1009;
    upc_barrier;
    const int sizes[] = {1, 16, 17, 40, EACH};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        by_cyclic(cyclic, sizes[s] * THREADS - (int)s);
        by_blocks(sizes[s] * THREADS);
        upc_barrier;
        for (int i = 0; i < COUNTS; i++)
            if (i / THREADS % THREADS == MYTHREAD) CHECK(counts[i] == copy[i] && sums[i] == copy_of_sums[i]);
        upc_barrier;
    }
    atomically();
    by_itself();
    return 0;
}
