// threads: 1 2 4
/* 7.4.3.1: long arrays, whose elements a thread folds several at a time, and one that lies on a single thread. */
#include "check.h"
#include <upc_collective.h>

#define N 40001
shared [N] int blocked[N * THREADS];
shared double cyclic[N * THREADS];
shared int si[THREADS];
shared double sd[THREADS];

int main(void) {
    long want = 0;
    int least = 0;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < N; i++) {
            int v = (i * 31 + t * 7) % 1009 - 500;
            want += v;
            if (v < least) least = v;
            if (t == MYTHREAD) blocked[t * N + i] = v, cyclic[i * THREADS + t] = v;
        }
    upc_all_reduceI(si, blocked, UPC_ADD, (size_t)N * THREADS, N, NULL, 0);
    CHECK_EQ(want, si[0]);
    upc_all_reduceD(sd, cyclic, UPC_ADD, (size_t)N * THREADS, 1, NULL, 0);
    CHECK(sd[0] == (double)want);
    upc_barrier;
    upc_all_reduceI(si, blocked, UPC_MIN, (size_t)N * THREADS, N, NULL, 0);
    CHECK_EQ(least, si[0]);
    upc_all_reduceD(sd, cyclic, UPC_MIN, (size_t)N * THREADS, 1, NULL, 0);
    CHECK(sd[0] == least);
    upc_barrier;

    shared [] int *one = (shared [] int *)&blocked[(THREADS - 1) * (long)N];
    upc_all_reduceI(si, one, UPC_MAX, N, 0, NULL, 0);
    int most = -1000;
    for (int i = 0; i < N; i++)
        if (one[i] > most) most = one[i];
    CHECK_EQ(most, si[0]);
    return 0;
}
