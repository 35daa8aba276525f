// threads: 1 2 3 4 7 8
/* 6.6.2p6 with pointers that start anywhere: mid-block, on another thread, phase reset, allocated memory, parameters that
 * may alias, one array seen through two layouts. The model computes each address by 6.4.2p4. */
#include "check.h"
#include "layout.h"

#define K 30
shared [4] int a[K * THREADS];
shared int cyc[K * THREADS];

/* Element i from p, in blocks of 4, belongs to (thread + (phase + i) div 4) mod THREADS. */
static void sweep(shared [4] int *p, long lo, long hi, int add) {
    long thread = upc_threadof(p), phase = upc_phaseof(p), mine = 0, model = 0;
    long i;
    upc_forall (i = lo; i < hi; i++; &p[i]) {
        p[i] += add;
        mine++;
    }
    for (i = lo; i < hi; i++) model += mod_floor(thread + div_floor(phase + i, 4), THREADS) == MYTHREAD;
    CHECK_EQ(model, mine);
}
static void sum3(shared [4] int *to, shared [4] int *from, int n) {
    int i;
    upc_forall (i = 1; i < n - 1; i++; &to[i]) to[i] = from[i - 1] + from[i] + from[i + 1];
}

int main(void) {
    int n = K * THREADS;
    static int m[K * MAX_THREADS], r[K * MAX_THREADS];
    for (int start = 0; start < 11; start++) {
        long len = n - 11;
        upc_forall (int i = 0; i < n; i++; &a[i]) a[i] = i;
        upc_barrier;
        sweep(&a[start], 0, len, 1000);
        upc_barrier;
        for (int i = 0; i < n; i++) CHECK_EQ(i + (i >= start && i < start + len ? 1000 : 0), a[i]);
        upc_barrier;
        sweep(&a[start + 5], -5, 3, 500);
        upc_barrier;
        for (int i = 0; i < n; i++)
            CHECK_EQ(i + (i >= start && i < start + len ? 1000 : 0) + (i >= start && i < start + 8 ? 500 : 0), a[i]);
        upc_barrier;
    }
    /* A stencil between pieces of one array, and with a piece that begins in the middle of a block. */
    if (THREADS * K >= 30) {
        int half = n / 2;
        for (int i = 0; i < n; i++) m[i] = r[i] = i * 5 % 37;
        upc_forall (int i = 0; i < n; i++; &a[i]) a[i] = i * 5 % 37;
        upc_barrier;
        sum3(a + half, a + 1, half - 2);
        for (int i = 1; i < half - 3; i++) r[half + i] = m[i] + m[1 + i] + m[2 + i];
        upc_barrier;
        for (int i = 0; i < n; i++) CHECK_EQ(r[i], a[i]);
        upc_barrier;
    }
    /* Phase zero on any thread: an array of single elements seen in blocks of 4 from element t. */
    for (int t = 0; t < THREADS; t++) {
        shared [4] int *p = (shared [4] int *)&cyc[8 * THREADS + t];
        sweep(p, 0, 4 * THREADS, 0);
        sweep(p, -7, 13, 0);
        sweep((shared [4] int *)upc_resetphase(&a[9]), 0, n / 2, 0);
    }
    upc_barrier;
    /* Allocated in blocks. */
    shared [4] double *d = (shared [4] double *)upc_all_alloc(5 * THREADS, 4 * sizeof(double));
    upc_forall (int i = 0; i < 20 * THREADS; i++; &d[i]) d[i] = i;
    upc_barrier;
    shared [4] double *mid = d + 6;
    double sum = 0, model = 0;
    upc_forall (int i = -6; i < 20 * THREADS - 7; i++; mid + i) sum += mid[i] * mid[i + 1];
    for (int i = 0; i < 20 * THREADS - 1; i++)
        if (owner_of(i, 4, THREADS) == MYTHREAD) model += (double)i * (i + 1);
    CHECK(sum == model);
    /* A thread's own memory: the indefinite pointer's thread executes all. */
    shared [] int *own = NULL;
    static shared [] int *shared everyone[THREADS];
    everyone[MYTHREAD] = (shared [] int *)upc_alloc(10 * sizeof(int));
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        own = everyone[t];
        int count = 0;
        upc_forall (int i = 0; i < 10; i++; &own[i]) own[i] = t * 10 + i, count++;
        CHECK_EQ(t == MYTHREAD ? 10 : 0, count);
    }
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < 10; i++) CHECK_EQ(t * 10 + i, everyone[t][i]);
    return 0;
}
