// threads: 4 8
/* 5.1.2.3p4: independent reads of independent writes: two writers, two readers that read in opposite orders: strict writes have one
 * order for all, so the readers cannot disagree. */
#ifndef ITERATIONS
#define ITERATIONS 100000
#endif
#include "litmus.h"

strict shared int x[BATCH * THREADS], y[BATCH * THREADS];
shared int first[BATCH * THREADS], second[BATCH * THREADS];

int main(void) {
    litmus_begin(4);
    patience = 100;
    for (int batch = 0; batch < BATCHES; batch++) {
        if (role >= 0)
            for (int i = 0; i < BATCH; i++) x[AT(i, role)] = y[AT(i, role)] = 0;
        litmus_batch();
        if (role >= 0)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                switch (role) {
                case 0:
                    x[AT(i, 2)] = 1;
                    break;
                case 1:
                    y[AT(i, 3)] = 1;
                    break;
                case 2:
                    first[AT(i, 2)] = x[AT(i, 2)];
                    second[AT(i, 2)] = y[AT(i, 3)];
                    break;
                case 3:
                    first[AT(i, 3)] = y[AT(i, 3)];
                    second[AT(i, 3)] = x[AT(i, 2)];
                }
            }
        upc_barrier;
        if (role == 0)
            for (int i = 0; i < BATCH; i++)
                CHECK(!(first[AT(i, 2)] == 1 && second[AT(i, 2)] == 0 && first[AT(i, 3)] == 1 && second[AT(i, 3)] == 0));
    }
    return 0;
}
