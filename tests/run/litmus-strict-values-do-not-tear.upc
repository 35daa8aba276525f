// threads: 2 4
/* B.1p2: a read returns a value that was written: strict objects of 8 bytes, half and half of two values never. */
#include "litmus.h"

strict shared long x[BATCH * THREADS];
strict shared double y[BATCH * THREADS];

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
                x[AT(i, 1)] = -1;
                y[AT(i, 0)] = -1.0 / 3;
            }
        if (role == 1)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                long l = x[AT(i, 1)];
                double d = y[AT(i, 0)];
                r0[i] = (l == 0 || l == -1) && (d == 0 || d == -1.0 / 3);
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
                CHECK(q0);
            }
        upc_barrier;
    }
    return 0;
}
