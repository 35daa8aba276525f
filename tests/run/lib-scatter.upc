// threads: 1 2 3 4 7
/* 7.4.2.2: upc_all_scatter, from a row that lies on any thread. */
#include "check.h"
#include <upc_collective.h>

#define N 10
shared [N] int b[N * THREADS];

int main(void) {
    shared int *a = upc_all_alloc((size_t)THREADS, (size_t)THREADS * N * sizeof(int));
    shared [] int *mine = (shared [] int *)&a[MYTHREAD];
    for (int i = 0; i < N * THREADS; i++) mine[i] = i + N * THREADS * MYTHREAD;
    for (int root = 0; root < THREADS; root++) {
        shared [] int *row = (shared [] int *)&a[root];
        upc_all_scatter(b, row, sizeof(int) * N, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        for (int i = 0; i < N * THREADS; i++) CHECK_EQ(i + N * THREADS * root, b[i]);
        upc_barrier;
        upc_all_scatter(b, row + 1, sizeof(int) * (N - 1), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
        upc_barrier;
        for (int t = 0; t < THREADS; t++) {
            for (int i = 0; i < N - 1; i++) CHECK_EQ(1 + t * (N - 1) + i + N * THREADS * root, b[t * N + i]);
            CHECK_EQ(t * N + N - 1 + N * THREADS * root, b[t * N + N - 1]);
        }
    }
    return 0;
}
