// threads: 1 2 3 4 7
/* 7.4.2.3: upc_all_gather, to a row that lies on any thread. */
#include "check.h"
#include <upc_collective.h>

#define N 10
shared [N] int a[N * THREADS];

int main(void) {
    shared int *b = upc_all_alloc((size_t)THREADS, (size_t)THREADS * N * sizeof(int));
    for (int i = 0; i < N; i++) a[MYTHREAD * N + i] = MYTHREAD * N + i;
    for (int root = 0; root < THREADS; root++) {
        shared [] int *row = (shared [] int *)&b[root];
        upc_all_gather(row, a, sizeof(int) * N, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        for (int i = 0; i < N * THREADS; i++) CHECK_EQ(i, row[i]);
        upc_barrier;
        upc_all_gather(row, &a[2], sizeof(int) * 3, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
        upc_barrier;
        for (int i = 0; i < 3 * THREADS; i++) CHECK_EQ(i / 3 * N + 2 + i % 3, row[i]);
    }
    return 0;
}
