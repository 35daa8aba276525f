// threads: 1 2 3 4 8
/* 6.6.2p11-12: in the body, continue ends that execution, inner loops have their own break and continue, switches, labels and gotos that
 * stay inside, declarations, calls, recursion: all as in a `for`; side effects on the same thread carry over. */
#include "check.h"
#include "layout.h"

shared [4] int a[24 * THREADS];
shared int c[24 * THREADS];

static int sum_to(int n) { return n <= 0 ? 0 : n + sum_to(n - 1); }

int main(void) {
    int n = 24 * THREADS, i;
    long sum = 0, model = 0;

    upc_forall (i = 0; i < n; i++; &a[i]) {
        if (i % 3 == 0) continue;
        a[i] = i;
    }
    upc_barrier;
    for (i = 0; i < n; i++) CHECK_EQ(i % 3 == 0 ? 0 : i, a[i]);
    upc_barrier;

    upc_forall (i = 0; i < n; i++; i) {
        int found = -1;
        for (int j = 0; j < 100; j++) {
            if (j % 2) continue;
            if (j * j > i) {
                found = j;
                break;
            }
        }
        c[i] = found;
    }
    upc_barrier;
    for (i = 0; i < n; i++) {
        int j = 0;
        while (j * j <= i) j += 2;
        CHECK_EQ(j, c[i]);
    }
    upc_barrier;

    upc_forall (i = 0; i < n; i++; &c[i]) {
        switch (i % 4) {
        case 0:
            c[i] = 100;
            break;
        case 1:
            c[i] = 200; /* falls through */
        case 2:
            c[i] += 1;
            break;
        default:
            continue;
        }
        c[i] *= 2;
    }
    upc_barrier;
    for (i = 0; i < n; i++) {
        int j = 0;
        while (j * j <= i) j += 2;
        int want = i % 4 == 0 ? 200 : i % 4 == 1 ? 402 : i % 4 == 2 ? 2 * (j + 1) : j;
        CHECK_EQ(want, c[i]);
    }
    upc_barrier;

    upc_forall (i = 0; i < n; i++; &a[i]) {
        int k = 0;
    again:
        k++;
        if (k < i % 5) goto again;
        while (1) {
            if (k > 50) goto out;
            k += 10;
        }
    out:
        a[i] = k;
    }
    upc_barrier;
    for (i = 0; i < n; i++) {
        int k = i % 5 > 1 ? i % 5 : 1;
        while (k <= 50) k += 10;
        CHECK_EQ(k, a[i]);
    }
    upc_barrier;

    upc_forall (i = 0; i < n; i++; &a[i]) a[i] = sum_to(i % 20);
    upc_barrier;
    upc_forall (i = 0; i < n; i++; &a[i]) sum += a[i];
    for (i = 0; i < n; i++)
        if (owner_of(i, 4, THREADS) == MYTHREAD) model += (i % 20) * (i % 20 + 1) / 2;
    CHECK_EQ(model, sum);

    /* No braces, empty bodies, if/else as the body, a forall as the branch of an if. */
    upc_forall (i = 0; i < n; i++; i);
    CHECK_EQ(n, i);
    sum = 0;
    if (n > 0)
        upc_forall (i = 0; i < n; i++; &c[i]) if (i & 1) sum++; else sum += 1000;
    else
        sum = -1;
    model = 0;
    for (i = MYTHREAD; i < n; i += THREADS) model += i & 1 ? 1 : 1000;
    CHECK_EQ(model, sum);
    /* Effects on one thread carry from one execution to its next. */
    int previous = -1, ascending = 0;
    upc_forall (i = 0; i < n; i++; &a[i]) {
        static int executions;
        executions++;
        ascending += i > previous;
        previous = i;
        if (i == n - 1 || previous == n - 1) CHECK_EQ(executions, ascending);
    }
    CHECK_EQ(24, ascending);
    return 0;
}
