// threads: 1 2 4
/* barrier, barrier_notify, barrier_wait, fence and forall: macros of <upc.h> in UPC 1.0, since then names like any
 * other. Where nothing declares them they are still those statements. */
#include "check.h"

shared int cell[THREADS];

static void old(void) {
    int visits = 0, i;
    forall(i = 0; i < 4 * THREADS; i++; i) visits++;
    CHECK_EQ(4, visits);
    forall(int k = 0; k < THREADS; k++; &cell[k]) cell[k] = k + 1;
    barrier;
    CHECK_EQ((MYTHREAD + 1) % THREADS + 1, cell[(MYTHREAD + 1) % THREADS]);
    if (visits) barrier;
    cell[MYTHREAD] = -1;
    fence;
    barrier_notify;
    barrier_wait;
    CHECK_EQ(-1, cell[THREADS - 1]);
}

static int forall(int x) { return 2 * x; }

static void renewed(int fence) {
    struct { int barrier; } s = {3};
    int barrier = s.barrier;
    fence;
    barrier;
    CHECK_EQ(6, forall(barrier));
    CHECK_EQ(5, fence);
    forall(1);
}

int main(void) {
    old();
    if (MYTHREAD == 0) renewed(5);
    upc_barrier;
    return 0;
}
