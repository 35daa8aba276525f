// threads: 2 4
/* 6.5.1.1p10: the class of an access is that of the referenced type: pointers to strict, into objects declared relaxed. */
#include "litmus.h"

shared int x[BATCH * THREADS], y[BATCH * THREADS];
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
                strict shared int *px = (strict shared int *)&x[AT(i, 0)], *py = (strict shared int *)&y[AT(i, 1)];
                *px = 1;
                r0[i] = *py;
            }
        if (role == 1)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                strict shared [] int *py = (strict shared [] int *)&y[AT(i, 1)];
                py[0]++;
                r0[i] = *(strict shared int *)&x[AT(i, 0)];
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
