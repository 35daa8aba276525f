// threads: 2 4
/* 5.1.2.3p5, B.3.2.1p3: the data are a structure assigned and a block sent by upc_memput; the strict flag is of another type each time. */
#include "litmus.h"

struct packet {
    int head, body[5], tail;
};
shared struct packet x[BATCH * THREADS];
shared [] int *shared block[THREADS];
strict shared char y[BATCH * THREADS];
strict shared double w[BATCH * THREADS];
static int r0[BATCH], r1[BATCH];
shared [BATCH] int a0[BATCH * THREADS], a1[BATCH * THREADS];

int main(void) {
    litmus_begin(2);
    for (int batch = 0; batch < BATCHES; batch++) {
        if (role >= 0)
            for (int i = 0; i < BATCH; i++) {
                if (!block[MYTHREAD]) block[MYTHREAD] = (shared [] int *)upc_alloc(BATCH * 4 * sizeof(int));
                x[AT(i, role)] = (struct packet){0};
                y[AT(i, role)] = 0;
                w[AT(i, role)] = 0;
                for (int k = 0; k < 4; k++) block[MYTHREAD][4 * i + k] = 0;
            }
        litmus_batch();
        if (role == 0)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                struct packet p = {1, {1, 1, 1, 1, 1}, 1};
                int four[4] = {1, 1, 1, 1};
                x[AT(i, 1)] = p;
                y[AT(i, 0)] = 1;
                upc_memput(&block[MYTHREAD + 1][4 * i], four, sizeof four);
                upc_fence;
                w[AT(i, 1)] = 1;
            }
        if (role == 1)
            for (int i = 0; i < BATCH; i++) {
                litmus_meet(i);
                int late = w[AT(i, 1)] == 1, early = y[AT(i, 0)];
                struct packet p = x[AT(i, 1)];
                int sum = p.head + p.tail;
                for (int k = 0; k < 5; k++) sum += p.body[k];
                r0[i] = !early || sum == 7;
                sum = 0;
                for (int k = 0; k < 4; k++) sum += block[MYTHREAD][4 * i + k];
                r1[i] = !late || sum == 4;
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
                CHECK(q0 && q1);
            }
        upc_barrier;
    }
    return 0;
}
