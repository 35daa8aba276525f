// threads: 1 2 3 4 7
/* 7.4.2.6: upc_all_permute sends block i to thread perm[i]: rotations and a reversal. */
#include "check.h"
#include <upc_collective.h>

#define N 10
shared [N] int a[N * THREADS], b[N * THREADS];
shared int perm[THREADS];

static void check_permutation(void) {
    upc_all_permute(b, a, perm, sizeof(int) * N, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < N; i++) CHECK_EQ(t * N + i, b[perm[t] * N + i]);
    upc_barrier;
}

int main(void) {
    for (int i = 0; i < N; i++) a[MYTHREAD * N + i] = MYTHREAD * N + i;
    for (int shift = 0; shift < THREADS; shift++) {
        perm[MYTHREAD] = (MYTHREAD + shift) % THREADS;
        check_permutation();
    }
    perm[MYTHREAD] = THREADS - 1 - MYTHREAD;
    check_permutation();
    upc_all_permute(b, &a[8], perm, sizeof(int) * 2, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
    CHECK_EQ((THREADS - 1 - MYTHREAD) * N + 8, b[MYTHREAD * N]);
    CHECK_EQ((THREADS - 1 - MYTHREAD) * N + 9, b[MYTHREAD * N + 1]);
    return 0;
}
