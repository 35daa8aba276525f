// threads: 1 2 3 4
/* 6.6.2p10-11: the loop is a `for` on each thread: what the body does to objects that the head uses (the bound, a pointer, the array's
 * elements through a pointer-to-local) is seen by the head, provided that all threads see the same. */
#include "check.h"
#include "layout.h"

#define K 24
shared [4] int a[K * THREADS];
shared [4] int b[K * THREADS];
static int bound;
static int step = 1;
static void touch(int *p) { *p += 0; }

int main(void) {
    int n = K * THREADS, i;
    /* The bound is a global that a called function could change. */
    bound = n;
    upc_forall (i = 0; i < bound; i++; &a[i]) {
        touch(&bound);
        a[i] = i;
    }
    CHECK_EQ(n, i);
    /* The step is a variable. */
    step = 3;
    upc_forall (i = 0; i < n; i += step; &a[i]) {
        touch(&step);
        a[i] += 100;
    }
    upc_barrier;
    for (int k = 0; k < n; k++) CHECK_EQ(k + (k % 3 ? 0 : 100), a[k]);
    upc_barrier;
    /* The bound shrinks and the step grows in the head itself, the same on all threads. */
    int hi = n, seen = 0, model = 0;
    upc_forall (i = 0; i < hi; i++, hi--; &a[i]) seen++;
    CHECK_EQ(n / 2, i);
    for (int k = 0; k < n / 2; k++) model += owner_of(k, 4, THREADS) == MYTHREAD;
    CHECK_EQ(model, seen);
    /* Local pointers alias the shared elements. */
    int *mine = (int *)&a[4 * MYTHREAD];
    upc_forall (i = 4 * MYTHREAD * 0; i < n; i++; &a[i]) {
        a[i] = 1;
        if (i / 4 == MYTHREAD) {
            mine[i % 4] += 1;
            CHECK_EQ(2, a[i]);
            a[i] *= 5;
            CHECK_EQ(10, mine[i % 4]);
        }
    }
    upc_barrier;
    for (int k = 0; k < n; k++) CHECK_EQ(k / 4 < THREADS ? 10 : 1, a[k]);
    upc_barrier;
    /* The pointer that gives affinity is advanced in the body of every thread's loop by continue affinity; here by head. */
    shared [4] int *p = a;
    upc_forall (i = 0; i < n; i++, p += 1; p) b[i] = *p + p[0] + i;
    upc_barrier;
    for (int k = 0; k < n; k++) CHECK_EQ(2 * (k / 4 < THREADS ? 10 : 1) + k, b[k]);
    upc_barrier;
    /* The address of the index is taken. */
    upc_forall (i = 0; i < n; i++; &b[i]) {
        int *q = &i;
        b[*q] = *q * 2;
    }
    upc_barrier;
    for (int k = 0; k < n; k++) CHECK_EQ(2 * k, b[k]);
    upc_barrier;
    /* The body changes the index and restores it. */
    upc_forall (i = 0; i < n; i++; &b[i]) {
        i += 10;
        int saved = i;
        i = saved - 10;
        b[i] = saved;
    }
    upc_barrier;
    for (int k = 0; k < n; k++) CHECK_EQ(k + 10, b[k]);
    /* An inner scope hides the array's name, or the index. */
    upc_forall (i = 0; i < n; i++; &b[i]) {
        int a[4] = {i, i, i, i};
        {
            int i = 2;
            a[i] = -1;
        }
        CHECK_EQ(i, a[1]);
        CHECK_EQ(-1, a[2]);
    }
    return 0;
}
