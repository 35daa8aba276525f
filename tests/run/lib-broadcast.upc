// threads: 1 2 3 4 7
/* 7.4.2.1: upc_all_broadcast, from every thread, from inside an array, small and large. */
#include "check.h"
#include <upc_collective.h>

#define N 10
#define LARGE 50000
shared [N] int a[N * THREADS], b[N * THREADS];
shared int one[THREADS], other[THREADS];
shared [LARGE] char la[LARGE * THREADS], lb[LARGE * THREADS];

int main(void) {
    for (int i = 0; i < N; i++) a[MYTHREAD * N + i] = MYTHREAD * 100 + i;
    one[MYTHREAD] = MYTHREAD + 7;
    for (int root = 0; root < THREADS; root++) {
        upc_all_broadcast(b, &a[root * N], sizeof(int) * N, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        for (int i = 0; i < N * THREADS; i++) CHECK_EQ(root * 100 + i % N, b[i]);
        /* Example 3: from the middle of a block, to the first elements of every block. */
        upc_all_broadcast(b, &a[root * N + 3], sizeof(int) * 2, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        for (int t = 0; t < THREADS; t++) {
            CHECK_EQ(root * 100 + 3, b[t * N]);
            CHECK_EQ(root * 100 + 4, b[t * N + 1]);
            CHECK_EQ(root * 100 + 2, b[t * N + 2]);
        }
        /* Example 1: cyclic arrays. */
        upc_barrier;
        upc_all_broadcast(other, &one[root], sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
        upc_barrier;
        for (int t = 0; t < THREADS; t++) CHECK_EQ(root + 7, other[t]);
        upc_barrier;
    }
    /* dst counts as phase 0 whatever its own (p7). */
    upc_all_broadcast(&b[4], &a[0], sizeof(int), 0);
    for (int t = 0; t < THREADS; t++) CHECK_EQ(0, b[t * N + 4]);

    char *mine = (char *)&la[MYTHREAD * (long)LARGE];
    for (int i = 0; i < LARGE; i++) mine[i] = (char)(i * 13 + MYTHREAD);
    upc_all_broadcast(lb, &la[(THREADS - 1) * (long)LARGE], LARGE, 0);
    char *got = (char *)&lb[MYTHREAD * (long)LARGE];
    for (int i = 0; i < LARGE; i++) CHECK(got[i] == (char)(i * 13 + THREADS - 1));
    return 0;
}
