// Blocks so long that the runtime is called between them: their ends, whose neighbours other threads hold; loops that begin
// and end inside a block; a loop that is not controlling, whose iterations every thread runs; pointers that are not aligned.
#include "check.h"

enum { B = 8192 };
shared[B] int a[3 * B * THREADS], b[3 * B * THREADS];

static void smooth(int from, int to) {
    upc_forall (int i = from; i < to; i++; &a[i]) a[i] = b[i - 1] + b[i] + b[i + 1];
}

static void shifted(shared[B] int *p, int from, int to) {
    upc_forall (int i = from; i < to; i++; &a[i]) a[i] = p[i] - b[i];
}

// How many of this thread's elements are not what they should be, outside of the range -1.
static long wrong(int from, int to, int factor, int plus) {
    long wrong = 0;
    for (int block = MYTHREAD; block < 3 * THREADS; block += THREADS)
        for (int i = block * B; i < (block + 1) * B; i++)
            wrong += *(int *)&a[i] != (i >= from && i < to ? factor * i + plus : -1);
    return wrong;
}

static void fresh(void) {
    upc_barrier;
    upc_forall (int i = 0; i < 3 * B * THREADS; i++; &a[i]) a[i] = -1;
    upc_barrier;
}

int main(void) {
    const int n = 3 * B * THREADS;
    upc_forall (int i = 0; i < n; i++; &b[i]) b[i] = 7 * i;
    const int from[] = {1, 1, B - 1, B, 5}, to[] = {n - 1, 2, B + 1, B + 1, 2 * B + 5};
    for (int k = 0; k < 5; k++) {
        fresh();
        smooth(from[k], to[k]);
        upc_barrier;
        CHECK(wrong(from[k], to[k], 21, 0) == 0);
    }
    fresh();
    // Each thread runs all of the inner loop's iterations, for the one of the outer that it owns.
    upc_forall (int t = 0; t < 1; t++; 0) smooth(1, n - 1);
    upc_barrier;
    CHECK(wrong(1, n - 1, 21, 0) == 0);
    fresh();
    shifted(b + 1, 0, n - 1);
    upc_barrier;
    CHECK(wrong(0, n - 1, 0, 7) == 0);
    return 0;
}
