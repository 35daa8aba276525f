// threads: 1 2 3 4 7 8
/* 6.3.1p1, 6.3.2p1: THREADS and MYTHREAD have integral values; MYTHREAD is unique, in 0..THREADS-1. They can stand
 * wherever an expression can, and convert as integers do. */
#include "check.h"

shared int taken[THREADS];

#define ID(x) x

static double half(double d) { return d / 2; }

int main(void) {
    CHECK(MYTHREAD >= 0 && MYTHREAD < THREADS);
    CHECK(THREADS >= 1);
    taken[MYTHREAD] += 1;
    upc_barrier;
    for (int i = 0; i < THREADS; i++) CHECK_EQ(1, taken[i]);
    int a[] = {MYTHREAD, THREADS, -MYTHREAD, ~MYTHREAD, !MYTHREAD, (MYTHREAD), ID(MYTHREAD)};
    CHECK_EQ(MYTHREAD, a[0]);
    CHECK_EQ(THREADS, a[1]);
    CHECK_EQ(0, a[0] + a[2]);
    CHECK_EQ(-1, a[0] + a[3]);
    CHECK_EQ(MYTHREAD == 0, a[4]);
    CHECK_EQ(a[5], a[6]);
    double d = MYTHREAD;
    CHECK(half(MYTHREAD) * 2 == d);
    CHECK(half(THREADS) == THREADS / 2.0);
    CHECK_EQ(MYTHREAD % 2 ? 1 : 0, MYTHREAD & 1);
    /* Signed division of a negative expression: THREADS is not unsigned. */
    CHECK(-1 - MYTHREAD < 0);
    CHECK(MYTHREAD - THREADS < 0);
    int vla[THREADS];
    CHECK_EQ(THREADS * sizeof(int), sizeof vla);
    return 0;
}
