// threads: 2 4
/* B.1p2: a read returns a value that was written: a strict pointer with a phase may be two words in memory, but its readers see one
 * of the two values that are written, never the thread of one with the phase of the other. */
#include "litmus.h"

shared [7] int target[35 * THREADS];
shared [7] int *strict shared ptr[THREADS];
static int r0[BATCH], r1[BATCH];
shared [BATCH] int a0[BATCH * THREADS], a1[BATCH * THREADS];

int main(void) {
    litmus_begin(2);
    for (int batch = 0; batch < BATCHES; batch++) {
        if (role >= 0)
            for (int i = 0; i < BATCH; i++) {
                if (i == 0) ptr[MYTHREAD] = &target[0];
            }
        litmus_batch();
        if (role == 0)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                ptr[MYTHREAD] = i & 1 ? &target[0] : &target[7 * THREADS - 1];
            }
        if (role == 1)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                shared [7] int *p = ptr[MYTHREAD - 1];
                r1[i] = upc_phaseof(p) == 0 ? p == &target[0] : upc_phaseof(p) == 6 && p == &target[7 * THREADS - 1];
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
                CHECK(q1);
            }
        upc_barrier;
    }
    return 0;
}
