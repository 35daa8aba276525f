// threads: 2 4
/* B example 7: RR(x,2); RW(x,3); RR(x,1) is forbidden beside RW(x,1); SW(y,1); RW(x,2): the last read cannot return 1 when the first saw 2. */
#include "litmus.h"

shared int x[BATCH * THREADS];
strict shared int y[BATCH * THREADS];
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
                x[AT(i, 0)] = 1;
                y[AT(i, 0)] = 1;
                x[AT(i, 0)] = 2;
            }
        if (role == 1)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                r0[i] = x[AT(i, 0)];
                x[AT(i, 0)] = 3;
                r1[i] = x[AT(i, 0)];
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
                CHECK(!(q0 == 2 && q1 != 3));
                CHECK(q1 == 3 || q1 == 1 || q1 == 2);
            }
        upc_barrier;
    }
    return 0;
}
