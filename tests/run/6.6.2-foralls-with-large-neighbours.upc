// flags: -fcomm-opt
// comm: strips,foresee strips=3,foresee on on,force
// What blocks read of their neighbours (runtime/gas/halo.c), where it is large, or lies at the end of what a thread has: short pieces of one thread around a long one,
// an object shorter than a block, and rows that are read again until another thread has written them.
#include <upc_relaxed.h>
#include "check.h"

enum { B = 160, WIDE = 512, SHORT = 40, M = 64 };
struct large { double v, pad[15]; };
struct larger { double v; char pad[1016]; };
shared [B] struct large a[B * 2 * THREADS], b[B * 2 * THREADS], c[B * 2 * THREADS];
shared [B] double y[B * 2 * THREADS];
shared [WIDE] double results[2 * WIDE * THREADS];
shared [M] double rows[4 * THREADS][M], copies[4 * THREADS][M];
strict shared int is_read;

static void around_a_long_one(void) {
    int n = B * THREADS;
    upc_forall (int i = 0; i < 2 * n; i++; &a[i]) a[i].v = i + 0.25, b[i].v = i * 3 + 0.5, c[i].v = i * 7 + 0.125;
    upc_barrier;
    upc_forall (int i = 1; i < n; i++; &y[i]) y[i] = a[i - 1].v + b[i + B].v + c[i - 1].v;
    upc_forall (int i = 1; i < n; i++; &y[i]) CHECK(y[i] == (i - 1 + 0.25) + ((i + B) * 3 + 0.5) + ((i - 1) * 7 + 0.125));
    upc_barrier;
}

/* The last object of the heap: what the block's other iterations would read is not there. */
static void at_the_end(void) {
    shared [WIDE] struct larger *x = upc_all_alloc(1, SHORT * sizeof(struct larger));
    if (MYTHREAD == 0)
        for (int i = 0; i < SHORT; i++) x[i].v = i + 1;
    upc_barrier;
    upc_forall (int i = 0; i < SHORT; i++; &results[i + WIDE]) results[i + WIDE] = x[i].v;
    upc_barrier;
    for (int i = 0; i < SHORT; i++) CHECK(results[i + WIDE] == i + 1);
    upc_barrier;
    if (MYTHREAD == 0) upc_free(x);
}

/* No value is kept for ever without a fence: whoever waits for one sees it. */
static void again(void) {
    if (MYTHREAD == 1) {
        while (!is_read) continue;
        for (int j = 0; j < M; j++) rows[1][j] = rows[THREADS + 1][j] = j + 1;
        upc_fence;
    } else if (MYTHREAD == 0 && THREADS > 1) {
        is_read = 1;
        upc_forall (int i = 0; i < 2 * THREADS; i++; &copies[i][0])
            for (int j = 0; j < M; j++) copies[i][j] = rows[i + 1][j];
        double seen = 0;
        for (long run = 0; seen == 0; run++) {
            double sum = 0;
            int r = run & 1 ? 1 : THREADS + 1;
            for (int j = 0; j < M; j++) sum += rows[r][j];
            seen = sum;
        }
    }
    upc_barrier;
}

int main(void) {
    around_a_long_one();
    at_the_end();
    again();
    return 0;
}
