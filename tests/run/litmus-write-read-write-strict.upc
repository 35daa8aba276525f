// threads: 2 4
/* 5.1.2.3p4: S: x=2; y=1 against read y; x=1: x ends as 2 with y read as 1 is forbidden. */
#include "litmus.h"

strict shared int x[BATCH * THREADS], y[BATCH * THREADS];
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
                x[AT(i, 0)] = 2;
                y[AT(i, 1)] = 1;
            }
        if (role == 1)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                r0[i] = y[AT(i, 1)];
                x[AT(i, 0)] = 1;
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
                CHECK(!(x[AT(i, 0)] == 2 && q0 == 1));
            }
        upc_barrier;
    }
    return 0;
}
