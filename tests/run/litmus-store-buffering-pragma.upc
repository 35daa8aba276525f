// threads: 2 4
/* 6.7.1p2: store buffering with plain accesses made strict by the pragma, in one thread by scope of the file, in the other by that of a block. */
#include "litmus.h"

shared int x[BATCH * THREADS], y[BATCH * THREADS];
#pragma upc strict
static int left(int i) {
    int seen;
    x[AT(i, 0)] = 1;
    seen = y[AT(i, 1)];
    return seen;
}
#pragma upc relaxed
static int r0[BATCH], r1[BATCH];
shared [BATCH] int a0[BATCH * THREADS], a1[BATCH * THREADS];

int main(void) {
    litmus_begin(2);
    for (int batch = 0; batch < BATCHES; batch++) {
        if (role >= 0)
            for (int i = 0; i < BATCH; i++) {
                x[AT(i, role)] = 0;
                y[AT(i, role)] = 0;
            }
        litmus_batch();
        if (role == 0)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                r0[i] = left(i);
            }
        if (role == 1)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                {
#pragma upc strict
                    y[AT(i, 1)] = 1;
                    r0[i] = x[AT(i, 0)];
                }
            }
        upc_barrier;
        for (int i = 0; i < BATCH; i++) {
            a0[BATCH * MYTHREAD + i] = r0[i];
            a1[BATCH * MYTHREAD + i] = r1[i];
        }
        upc_barrier;
        if (role == 0)
            for (int i = 0; i < BATCH; i++) {
                int p0 = r0[i], p1 = r1[i], q0 = a0[BATCH * (MYTHREAD + 1) + i], q1 = a1[BATCH * (MYTHREAD + 1) + i];
                (void)p0, (void)p1, (void)q0, (void)q1;
                CHECK(!(p0 == 0 && q0 == 0));
            }
        upc_barrier;
    }
    return 0;
}
