// comm: off on on,force
// Affinities and subscripts that are computed in unsigned arithmetic wrap around: `i - 1` of 0 is a large number, and
// `i + 0xffffffffu` is the element before i.
#include "check.h"

enum { N = 40, B = 1024 };
shared int cyclic[N * THREADS];
shared[B] int blocked[2 * B * THREADS];

static int runs[N];

#define CHECK_RUNS(value) \
    for (int k = 0; k < N; k++) { \
        CHECK(runs[k] == ((value) % (unsigned long)THREADS == (unsigned long)MYTHREAD)); \
        runs[k] = 0; \
    }

int main(void) {
    unsigned i;
    upc_forall (i = 0; i < N; i++; i - 1) runs[i]++;
    CHECK_RUNS((unsigned)k - 1);
    upc_forall (i = 0; i < N; i++; 2 * i - 1) runs[i]++;
    CHECK_RUNS(2 * (unsigned)k - 1);
    upc_forall (i = 1; i < N; i++; i - 1) runs[i - 1]++;
    runs[N - 1] = (N - 1) % THREADS == MYTHREAD;
    CHECK_RUNS((unsigned)k);
    unsigned long l;
    upc_forall (l = 0; l < N; l++; l - 1) runs[l]++;
    CHECK_RUNS((unsigned long)k - 1);
    upc_forall (l = 0; l < N; l++; l * 3 - 4) runs[l]++;
    CHECK_RUNS(3 * (unsigned long)k - 4);
    int j;
    upc_forall (j = -5; j < N - 5; j++; j + 1u) runs[j + 5]++;
    CHECK_RUNS((unsigned)k - 4);
    upc_forall (j = -5; j < N - 5; j++; j - 1) runs[j + 5]++;
    CHECK_RUNS(k - 6 < 0 ? (unsigned long)(k - 6 + 6 * THREADS) : (unsigned long)(k - 6));

    upc_forall (i = 1; i < N * THREADS; i++; &cyclic[i + 0xffffffffu]) {
        CHECK(upc_threadof(&cyclic[i - 1]) == MYTHREAD);
        cyclic[i + 0xffffffffu] = (int)i;
    }
    upc_forall (i = 1; i < 2 * B * THREADS; i++; &blocked[i + 0xffffffffu]) {
        CHECK(upc_threadof(&blocked[i - 1]) == MYTHREAD);
        blocked[i + 0xffffffffu] = (int)i;
    }
    upc_barrier;
    for (int k = 1; k < N * THREADS; k++) CHECK(cyclic[k - 1] == k);
    for (int k = 1; k < 2 * B * THREADS; k++) CHECK(blocked[k - 1] == k);
    upc_barrier;
    /* The sum starts anew for a variable near the largest value. */
    upc_forall (i = 0xffffffe0u; i < 0xffffffffu; i++; &cyclic[i + 32]) cyclic[i + 32] = -7;
    upc_forall (i = -32; i < 0xffffffffu; i++; &blocked[i + 32]) blocked[i + 32] = -7;
    upc_barrier;
    static int copies[31], sum;
    for (i = 0xffffffe0u; i < 0xffffffffu; i++) copies[i + 32] = cyclic[i + 32];
    for (i = 0xffffffe0u; i < 0xffffffffu; i++) sum += blocked[i + 32];
    for (int k = 0; k < 31; k++) CHECK(copies[k] == -7 && cyclic[k] == -7 && blocked[k] == -7);
    CHECK(sum == -7 * 31 && cyclic[31] == 32 && blocked[31] == 32);
    return 0;
}
