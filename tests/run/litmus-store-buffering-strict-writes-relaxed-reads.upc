// threads: 2 4 8
/* 5.1.2.3p4, B.2: store buffering with relaxed reads. A pair of accesses of one thread is in AllStrict where one of them is strict, so
 * a strict write stays before the relaxed read that follows it; and all threads agree on the order of the two strict writes.
 * Thus the read of the thread whose write comes second follows both, and returns 1. (Example 12 of B is the same with
 * upc_notify, which implies a strict write, in place of the strict write.) Every other outcome is allowed. */
#include "litmus.h"

relaxed shared int x[BATCH * THREADS], y[BATCH * THREADS];
#define STRICTLY(object) (*(strict shared int *)&(object))

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
                STRICTLY(x[AT(i, 0)]) = 1;
                r0[i] = y[AT(i, 1)];
            }
        if (role == 1)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                STRICTLY(y[AT(i, 1)]) = 1;
                r0[i] = x[AT(i, 0)];
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
