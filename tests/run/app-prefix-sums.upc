// threads: 1 2 3 4 8
/* Prefix sums two ways: doubling strides over a cyclic array, with a barrier a step; and blocks with carried totals. */
#include "check.h"

#define N 37

shared long cyclic[2][N * THREADS];
shared [N] long blocked[N * THREADS];
shared long carry[THREADS];

int main(void) {
    int i, now = 0;
    upc_forall (i = 0; i < N * THREADS; i++; &cyclic[0][i]) cyclic[0][i] = i * i + 1;
    upc_forall (i = 0; i < N * THREADS; i++; &blocked[i]) blocked[i] = i * i + 1;
    upc_barrier;

    for (int stride = 1; stride < N * THREADS; stride *= 2, now = !now) {
        upc_forall (i = 0; i < N * THREADS; i++; &cyclic[!now][i])
            cyclic[!now][i] = cyclic[now][i] + (i >= stride ? cyclic[now][i - stride] : 0);
        upc_barrier;
    }

    long *mine = (long *)&blocked[MYTHREAD * N], before = 0;
    for (i = 1; i < N; i++) mine[i] += mine[i - 1];
    carry[MYTHREAD] = mine[N - 1];
    upc_notify;
    for (i = 0; i < N; i++) CHECK(mine[i] > 0); /* work between notify and wait */
    upc_wait;
    for (int t = 0; t < MYTHREAD; t++) before += carry[t];
    for (i = 0; i < N; i++) mine[i] += before;
    upc_barrier;

    long sum = 0;
    for (i = 0; i < N * THREADS; i++) {
        sum += i * i + 1;
        CHECK_EQ(sum, cyclic[now][i]);
        CHECK_EQ(sum, blocked[i]);
    }
    return 0;
}
