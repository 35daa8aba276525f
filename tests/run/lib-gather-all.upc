// threads: 1 2 3 4 7
/* 7.4.2.4: upc_all_gather_all gives every thread every block. */
#include "check.h"
#include <upc_collective.h>

#define N 10
shared [N] int a[N * THREADS];

int main(void) {
    shared int *b = upc_all_alloc((size_t)THREADS * THREADS, N * sizeof(int));
    for (int i = 0; i < N; i++) a[MYTHREAD * N + i] = MYTHREAD * N + i;
    upc_all_gather_all(b, a, sizeof(int) * N, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (int t = 0; t < THREADS; t++) {
        shared [] int *row = (shared [] int *)&b[t];
        for (int i = 0; i < N * THREADS; i++) CHECK_EQ(i, row[i]);
    }
    upc_barrier;
    upc_all_gather_all(b, &a[5], sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    shared [] int *mine = (shared [] int *)&b[MYTHREAD];
    for (int t = 0; t < THREADS; t++) CHECK_EQ(t * N + 5, mine[t]);
    return 0;
}
