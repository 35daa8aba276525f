// threads: 1 2 3 4 8
// cores: 16
/* 6.6.1p3-4: between notify and wait a thread goes on with work of its own; values of expressions follow C's
 * conversions to int; the expression is evaluated once. */
#include "check.h"

shared int slot[2][THREADS];
static int evaluated;
static int value(int v) {
    evaluated++;
    return v;
}

int main(void) {
    long sum = 0;
    for (int r = 0; r < 100; r++) {
        slot[r % 2][MYTHREAD] = r + MYTHREAD;
        upc_notify;
        for (int k = 0; k < 10 * MYTHREAD; k++) sum += k * r;
        upc_wait;
        for (int t = 0; t < THREADS; t++) CHECK_EQ(r + t, slot[r % 2][t]);
    }
    upc_notify value(3);
    upc_wait value(3);
    CHECK_EQ(2, evaluated);
    upc_barrier value(-1);
    CHECK_EQ(3, evaluated);
    upc_barrier 2.75;
    upc_barrier 'x';
    upc_barrier 1 ? 4 : 5;
    upc_barrier (1, 2);
    upc_barrier (unsigned char)300;
    upc_barrier THREADS;
    upc_barrier 0x7fffffff;
    upc_barrier -0x7fffffff - 1;
    upc_notify 5L;
    upc_wait 5u;
    upc_notify 1;
    upc_wait 1.5;
    if (sum >= 0)
        upc_barrier;
    else
        upc_barrier 1;
    { upc_notify; }
    { upc_wait; }
    for (int i = 0; i < 3; i++) upc_barrier i;
    switch (THREADS > 0) {
    case 1:
        upc_barrier 9;
        break;
    default:
        upc_barrier 10;
    }
    return 0;
}
