// threads: 1 2 3 4 7
/* 7.4.2.5: upc_all_exchange transposes blocks between threads. */
#include "check.h"
#include <upc_collective.h>

#define N 10

int main(void) {
    shared int *a = upc_all_alloc((size_t)THREADS * THREADS, N * sizeof(int));
    shared int *b = upc_all_alloc((size_t)THREADS * THREADS, N * sizeof(int));
    shared [] int *mine = (shared [] int *)&a[MYTHREAD], *got = (shared [] int *)&b[MYTHREAD];
    for (int i = 0; i < N * THREADS; i++) mine[i] = MYTHREAD * 1000 + i;
    upc_all_exchange(b, a, N * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    /* Block j of what I got is block MYTHREAD of thread j's. */
    for (int j = 0; j < THREADS; j++)
        for (int i = 0; i < N; i++) CHECK_EQ(j * 1000 + MYTHREAD * N + i, got[j * N + i]);
    upc_barrier;
    upc_all_exchange(a, b, N * sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++) CHECK_EQ(MYTHREAD * 1000 + i, mine[i]);
    return 0;
}
