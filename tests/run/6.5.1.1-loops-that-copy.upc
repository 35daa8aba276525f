// flags: -fcomm-opt
// comm: strips strips,force strips=5 on
// Loops that only copy shared elements to private ones are bulk gets where that is much (docs/decisions/0012): what they copy, what their variable is
// afterwards, what they leave alone, and loops that look alike.
#include <upc_relaxed.h>
#include "check.h"

enum { N = 12000 };
struct cell { short n; double v; };
shared [N] double own[N * THREADS];
shared [1000] long blocks[N * THREADS];
shared [7] int short_blocks[N * THREADS];
shared [] struct cell *cells;
shared [] char *bytes;
static double mine[N + 10];
static long longs[N];
static int ints[N];
static float floats[N];
static struct cell copies[N];
static char chars[4 * N];

static double at(long i) { return i * 0.5 + 3; }

static void copy(int n) {
    shared [N] double *p = own + (MYTHREAD + 1) % THREADS * N;
    long base = (MYTHREAD + 1) % THREADS * N;
    int i;
    for (i = 0; i < n; i++) mine[i + 2] = p[i];
    CHECK_EQ(n > 0 ? n : 0, i);
    for (int k = 0; k < N + 10; k++) CHECK(mine[k] == (k >= 2 && k < n + 2 ? at(base + k - 2) : -1)), mine[k] = -1;
    double *q = mine;
    for (i = 3; i <= n - 6; i++) { q[i] = p[i + 5 - 5]; }
    CHECK_EQ(n - 6 >= 3 ? n - 5 : 3, i);
    for (int k = 0; k < N + 10; k++) CHECK(mine[k] == (k >= 3 && k <= n - 6 ? at(base + k) : -1)), mine[k] = -1;
    /* Over blocks of several threads; of records; of bytes. */
    for (long k = 5; k < 5 + n; k++) longs[k - 5] = blocks[k];
    for (int k = 0; k < n; k++) CHECK_EQ(3L * (k + 5), longs[k]);
    for (int k = 0; k < n; k++) ints[k] = short_blocks[k + 1];
    for (int k = 0; k < n; k++) CHECK_EQ(2 * (k + 1), ints[k]);
    for (int k = 0; k < n; k++) copies[k] = cells[k];
    for (int k = 0; k < n; k++) CHECK(copies[k].n == (short)k && copies[k].v == at(k));
    for (unsigned k = 0; k < 4u * n; k++) chars[k] = bytes[k];
    for (int k = 0; k < 4 * n; k++) CHECK_EQ((char)k, chars[k]);
    /* Conversions, conditions and members are no copies. */
    for (int k = 0; k < n; k++) floats[k] = own[k];
    for (int k = 0; k < n; k++) CHECK(floats[k] == (float)at(k));
    for (int k = 0; k < n; k++)
        if (k % 3) ints[k] = short_blocks[k];
    for (int k = 0; k < n; k++) CHECK_EQ(k % 3 ? 2 * k : 2 * (k + 1), ints[k]);
    for (int k = 0; k < n; k++) longs[k] = cells[k].n;
    for (int k = 0; k < n; k++) CHECK_EQ((short)k, (int)longs[k]);
}

int main(void) {
    cells = upc_all_alloc(1, N * sizeof(struct cell));
    bytes = (shared [] char *)upc_all_alloc(1, 4 * N);
    for (int i = 0; i < N + 10; i++) mine[i] = -1;
    for (long i = 0; i < N * THREADS; i++) {
        if (upc_threadof(&own[i]) == MYTHREAD) own[i] = at(i);
        if (upc_threadof(&blocks[i]) == MYTHREAD) blocks[i] = 3 * i;
        if (upc_threadof(&short_blocks[i]) == MYTHREAD) short_blocks[i] = 2 * i;
    }
    if (MYTHREAD == 0)
        for (int i = 0; i < N; i++) cells[i].n = (short)i, cells[i].v = at(i);
    if (MYTHREAD == THREADS - 1)
        for (int i = 0; i < 4 * N; i++) bytes[i] = (char)i;
    upc_barrier;
    copy(N - 20);
    copy(5000);
    copy(300);
    copy(5);
    copy(0);
    /* Into this thread's part of the array that is read: elements that are copied twice. */
    upc_barrier;
    shared [N] double *p = own + MYTHREAD * N;
    double *q = (double *)(own + MYTHREAD * N);
    for (int i = 0; i < N - 20; i++) q[i + 7] = p[i];
    for (int i = 0; i < N - 13; i++) CHECK(q[i] == at(MYTHREAD * N + i % 7));
    upc_barrier;
    return 0;
}
