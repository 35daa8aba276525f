// threads: 1 3
// flags: -O2
/* The variable of a loop is `unsigned int`, and begins near 2^32 where nothing says so before the loop runs: `i + 16` starts anew at 0. The places of
 * elements were computed as `long`, so that blocks and strips 2^32 elements further on were read. */
#include "check.h"
#include <upc_relaxed.h>

enum { N = 64, TIMES = 12 };
shared int a[N * THREADS];
shared [N] int b[N * THREADS];
shared [] int *c;
static volatile unsigned begin = 0xfffffff0u;

static int sum_of(int from, int to) { return (to * (to - 1) - from * (from - 1)) / 2; }

int main(void) {
    c = upc_all_alloc(1, N * sizeof *c);
    if (MYTHREAD == 0) {
        for (int i = 0; i < N * THREADS; i++) a[i] = b[i] = i;
        for (int i = 0; i < N; i++) c[i] = i;
    }
    upc_barrier;
    unsigned lo = begin, hi = lo + TIMES, zero = lo - 0xfffffff0u;
    int s, there[N];
    for (int i = 0; i < N; i++) there[i] = i * 7 % N;

    s = 0;
    for (unsigned i = lo; i < hi; i++) s += a[i - lo];
    CHECK_EQ(sum_of(0, TIMES), s);
    s = 0;
    for (unsigned i = lo; i < hi; i++) s += a[i + 16];
    CHECK_EQ(sum_of(0, TIMES), s);
    s = 0;
    for (unsigned i = lo; i < hi; i++) s += b[i + 16];
    CHECK_EQ(sum_of(0, TIMES), s);
    s = 0;
    for (unsigned i = lo; i < hi; i++) s += c[i + 16];
    CHECK_EQ(sum_of(0, TIMES), s);
    s = 0;
    for (unsigned i = lo; i <= hi; i++) s += b[i + 20];
    CHECK_EQ(sum_of(4, TIMES + 5), s);
    s = 0;
    for (unsigned i = lo; i != 16u; i++) s += b[i + 16u];
    CHECK_EQ(sum_of(0, 32), s);

    /* It passes 0 on the way. */
    s = 0;
    for (unsigned i = lo + 8; i < 0xffffffffu; i++) s += a[i + 16];
    CHECK_EQ(sum_of(8, 15), s);
    s = 0;
    for (unsigned i = lo + 8; i < 0xffffffffu; i++) s += b[i + 12];
    CHECK_EQ(sum_of(4, 11), s);
    s = 0;
    for (unsigned i = lo; i <= 0xffffffffu; i++) {
        if (i == 3) break;
        s += b[i + 16];
    }
    CHECK_EQ(sum_of(0, 19), s);

    /* Other steps, and places that are computed. */
    s = 0;
    for (unsigned i = lo; i < hi - 4; i += 2) s += b[i + 16];
    CHECK_EQ(0 + 2 + 4 + 6, s);
    s = 0;
    for (unsigned i = hi; i > lo; i -= 3) s += a[i + 16];
    CHECK_EQ(12 + 9 + 6 + 3, s);
    s = 0;
    for (unsigned i = lo; i < hi; i++) s += a[there[i + 16]] + a[there[i - lo]];
    int expected = 0;
    for (int i = 0; i < TIMES; i++) expected += 2 * there[i];
    CHECK_EQ(expected, s);

    /* Below. */
    s = 0;
    for (unsigned i = zero; i < 10; i++)
        if (i > 0) s += b[i - 1];
    CHECK_EQ(sum_of(0, 9), s);
    upc_barrier;

    if (MYTHREAD == THREADS - 1) {
        for (unsigned i = lo; i < hi; i++) a[i + 16] = 100 + (int)(i - lo);
        for (unsigned i = lo; i < hi; i++) b[i + 16] = a[i + 16] + a[i + 17];
    }
    upc_barrier;
    for (int i = 0; i < TIMES; i++) CHECK_EQ(100 + i, a[i]);
    for (int i = 0; i < TIMES - 1; i++) CHECK_EQ(201 + 2 * i, b[i]);
    upc_barrier;
    upc_forall (unsigned i = lo; i < hi; i++; &a[i + 16]) a[i + 16] = (int)(i - lo) * 3;
    upc_barrier;
    for (int i = 0; i < TIMES; i++) CHECK_EQ(3 * i, a[i]);
    upc_forall (unsigned i = lo; i < hi; i++; &b[i + 16]) b[i + 16] = a[i + 16] + a[i + 17];
    upc_barrier;
    for (int i = 0; i < TIMES - 1; i++) CHECK_EQ(6 * i + 3, b[i]);
    return 0;
}
