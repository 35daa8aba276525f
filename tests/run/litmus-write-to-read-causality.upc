// threads: 3 4 8
/* 5.1.2.3p4-5: causality through a third thread (WRC): one writes x, the second sees it and writes y, the third sees y: then it sees x;
 * with all strict, and with x relaxed data around the strict flags. */
#include "litmus.h"

strict shared int x[BATCH * THREADS], y[BATCH * THREADS];
shared int data[BATCH * THREADS];
shared int saw_x[BATCH * THREADS], saw_y[BATCH * THREADS], then_x[BATCH * THREADS], then_data[BATCH * THREADS];

int main(void) {
    litmus_begin(3);
    for (int batch = 0; batch < BATCHES; batch++) {
        if (role >= 0)
            for (int i = 0; i < BATCH; i++) x[AT(i, role)] = y[AT(i, role)] = data[AT(i, role)] = 0;
        litmus_batch();
        for (int i = 0; role >= 0 && i < BATCH; i++) {
            litmus_meet(i);
            if (role == 0) {
                data[AT(i, 2)] = 5;
                x[AT(i, 0)] = 1;
            } else if (role == 1) {
                int r = x[AT(i, 0)];
                y[AT(i, 1)] = 1 + r;
                saw_x[AT(i, 0)] = r;
            } else {
                int s = y[AT(i, 1)];
                then_x[AT(i, 0)] = x[AT(i, 0)];
                then_data[AT(i, 0)] = data[AT(i, 2)];
                saw_y[AT(i, 0)] = s;
            }
        }
        upc_barrier;
        if (role == 2)
            for (int i = 0; i < BATCH; i++) {
                if (saw_y[AT(i, 0)] == 2) CHECK(saw_x[AT(i, 0)] == 1 && then_x[AT(i, 0)] == 1 && then_data[AT(i, 0)] == 5);
                if (then_x[AT(i, 0)] == 1) CHECK_EQ(5, then_data[AT(i, 0)]);
            }
    }
    return 0;
}
