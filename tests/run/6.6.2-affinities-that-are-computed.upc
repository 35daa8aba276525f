// flags: -fcomm-opt
// comm: gathers gathers=1,force gathers=7,force on
// A upc_forall whose affinity is computed lists this thread's iterations ahead, and gathers what they read (docs/decisions/0014). Which iterations a thread
// runs, and in which order, is compared with the affinity itself (6.6.2 p11).
#include <upc_relaxed.h>
#include "check.h"

enum { N = 200 };
shared int a[N * THREADS];
shared [5] int b[N * THREADS];
shared [N] int rows[THREADS][N];
shared [3] struct pair { int x, y; } pairs[N * THREADS];
shared [4] int *moved;
static int ran[N * 64], runs, sum, calls;

static int owner(int i) { return i * i % 7; }
static int counted(int i) { return calls++, i; }

static void noted(int i, int value) {
    ran[runs++] = i;
    sum = sum * 17 + value;
}

/* What has run, and what should have: iterations 0 to n - 1 of which `mine` says so. */
#define CHECKED(MINE, VALUE)                                                                                           \
    do {                                                                                                               \
        int at = 0, wanted = 0;                                                                                        \
        for (int i = 0; i < n; i++)                                                                                    \
            if (MINE) {                                                                                                \
                CHECK(at < runs && ran[at] == i);                                                                      \
                at++;                                                                                                  \
                wanted = wanted * 17 + (VALUE);                                                                        \
            }                                                                                                          \
        CHECK_EQ(at, runs);                                                                                            \
        CHECK_EQ(wanted, sum);                                                                                         \
        runs = sum = 0;                                                                                                \
    } while (0)
#define OF_A(I) ((I) * 3 + 1)
#define MOD(X) ((((X) % THREADS) + THREADS) % THREADS == MYTHREAD)

static void loops(int n, int m) {
    int i;
    upc_forall (i = 0; i < n; i++; i * THREADS / n) noted(i, a[(i * 7) % n]);
    CHECK_EQ(n, i);
    CHECKED(MOD(i * THREADS / n), OF_A(i * 7 % n));
    upc_forall (int i = 0; i < n; i++; i / 5) { int x = a[n - 1 - i]; noted(i, x); }
    CHECKED(MOD(i / 5), OF_A(n - 1 - i));
    upc_forall (int i = 0; i < n; i++; m - i) noted(i, a[(i * 3 + m) % n]);
    CHECKED(MOD(m - i), OF_A((i * 3 + m) % n));
    upc_forall (int i = 0; i < n; i++; owner(i)) noted(i, a[(i * 11) % n]);
    CHECKED(MOD(owner(i)), OF_A(i * 11 % n));
    upc_forall (int i = 0; i < n; i++; &b[(i * 3) % n]) noted(i, a[(i * 11) % n] + b[(i * 3) % n]);
    CHECKED((i * 3) % n / 5 % THREADS == MYTHREAD, OF_A(i * 11 % n) + i * 3 % n);
    upc_forall (int i = 0; i < n; i++; b + n - 1 - i) noted(i, b[i]);
    CHECKED((n - 1 - i) / 5 % THREADS == MYTHREAD, i);
    upc_forall (int i = 0; i < n; i++; moved + i / 2) noted(i, a[(i + 5) % n]);
    CHECKED((i / 2 + 2) / 4 % THREADS == MYTHREAD, OF_A((i + 5) % n));
    upc_forall (int i = 0; i < n; i++; &rows[i % THREADS][i / THREADS]) noted(i, rows[(i + 1) % THREADS][i / THREADS]);
    CHECKED(i % THREADS == MYTHREAD, (i + 1) % THREADS * N + i / THREADS);
    upc_forall (int i = 0; i < n; i++; rows[i * 3 % THREADS]) noted(i, a[i]);
    CHECKED(i * 3 % THREADS == MYTHREAD, OF_A(i));
    upc_forall (int i = 0; i < n; i++; &pairs[i / 2].y) noted(i, a[(i + 9) % n]);
    CHECKED(i / 2 / 3 % THREADS == MYTHREAD, OF_A((i + 9) % n));
    /* The affinity is evaluated once for each iteration; reads memory that the loop writes; changes its variable. */
    calls = 0;
    upc_forall (int i = 0; i < n; i++; counted(i)) noted(i, a[(i * 7) % n]);
    CHECK_EQ(n, calls);
    CHECKED(MOD(i), OF_A(i * 7 % n));
    int by = 1;
    upc_forall (int i = 0; i < n; i++; i * by) noted(i, a[(i * 7) % n]);
    CHECKED(MOD(i), OF_A(i * 7 % n));
    static int whose[N * 64], should[N * 64];
    for (int i = 0; i < n; i++) whose[i] = should[i] = i / 3;
    upc_forall (int i = 0; i < n; i++; whose[i]) {
        noted(i, a[(i * 7) % n]);
        if (i + 1 < n) whose[i + 1] = should[i + 1] = MYTHREAD;
    }
    CHECKED(MOD(should[i]), OF_A(i * 7 % n));
    upc_forall (long i = 0; i < n; i++; (unsigned)(i - 7)) noted(i, a[(i * 7) % n]);
    CHECKED((unsigned)(i - 7) % (unsigned)THREADS == (unsigned)MYTHREAD, OF_A(i * 7 % n));
    upc_forall (int i = 0; i < n; i += 3; i / 2) noted(i, a[(i * 7) % n]);
    CHECKED(i % 3 == 0 && MOD(i / 2), OF_A(i * 7 % n));
    /* Inside another one every thread runs all of it. */
    upc_forall (int k = 0; k < THREADS; k++; k)
        upc_forall (int i = 0; i < n; i++; i / 5) noted(i, a[(i * 7) % n]);
    CHECKED(1, OF_A(i * 7 % n));
    upc_forall (int i = n; i < n; i++; i / 5) noted(i, a[i]);
    CHECK_EQ(0, runs);
    /* The bound is compared as an unsigned number. */
    unsigned u, last = 0;
    int below = -1;
    upc_forall (u = 4294967200u; u < below; u++; u / 3) last = u;
    CHECK_EQ(4294967295u, u);
    upc_forall (u = 4294967200u; u < below; u++; u) noted(u - 4294967200u, a[(u + 1) % n]);
    CHECK_EQ(4294967295u, u);
    CHECKED(i < 95 && (4294967200u + i) % (unsigned)THREADS == (unsigned)MYTHREAD, OF_A((4294967201u + i) % n));
    CHECK(last >= 4294967200u);
    unsigned long j;
    upc_forall (j = -100ul; j < -5ul; j++; j) noted((int)(j + 100), a[(j + 1) % n]);
    CHECKED(i < 95 && (i - 100ul) % (unsigned long)THREADS == (unsigned long)MYTHREAD, OF_A((i - 99ul) % n));
    /* An affinity by pointers in memory that the loop sets. */
    shared int *there[N + 1] = {a};
    if (THREADS == 1) {
        upc_forall (int i = 0; i < n; i++; &there[i][i]) {
            noted(i, a[(i * 7) % n]);
            there[i + 1] = a;
        }
        CHECKED(1, OF_A(i * 7 % n));
    }
}

static void called(int n) {
    upc_forall (int i = 0; i < n; i++; i / 5) noted(i, a[(i * 7) % n]);
}

int main(void) {
    for (int i = MYTHREAD; i < N * THREADS; i += THREADS) {
        a[i] = OF_A(i), b[i] = i;
        rows[i / N][i % N] = i;
    }
    moved = (shared [4] int *)upc_all_alloc(N, 4 * THREADS * sizeof(int)) + 2;
    upc_barrier;
    for (int n = N - 5; n <= N; n++) loops(n, n / 2 - 50);
    int n = N;
    upc_forall (int k = 0; k < THREADS; k++; k) called(n); /* through a call, too (6.6.2 p10) */
    CHECKED(1, OF_A(i * 7 % n));
    upc_barrier;
    return 0;
}
