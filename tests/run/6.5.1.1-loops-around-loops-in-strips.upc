// flags: -fcomm-opt
// comm: strips strips=1,force strips=3,force strips=64,force
// threads: 1 2 3 4
// A loop in strips may have loops in it that read nothing else of shared memory.
#include "check.h"

enum { N = 200 };
struct body {
    double at[3];
    int kind;
};
shared [N] struct body bodies[N * THREADS];
shared [N] int marks[N * THREADS];
shared [N] int sums[N * THREADS];
shared int cyclic[N * THREADS];

static double distances(int from, int n, const double *to) {
    double sum = 0;
    for (int i = from; i < from + n; i++) {
        double square = 0;
        for (int d = 0; d < 3; d++) {
            double x = bodies[i].at[d] - to[d];
            square += x * x;
        }
        sum += square * bodies[i].kind;
    }
    return sum;
}

/* The places by which a private pointer writes are those that the loop reads next: it must see them. */
static int chain(int *own, const shared [N] int *all, int n) {
    for (int i = 1; i < n; i++) {
        int value = 1;
        for (int k = 0; k < 2; k++) value += all[i - 1];
        own[i] = value % 1000;
    }
    return own[n - 1];
}

int main(void) {
    for (int i = 0; i < N; i++) {
        struct body b = {{i, 2 * i, MYTHREAD}, 1 + i % 3};
        bodies[N * MYTHREAD + i] = b;
        marks[N * MYTHREAD + i] = i == 0;
        cyclic[N * MYTHREAD + i] = N * MYTHREAD + i;
    }
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    double to[3] = {1, 2, 3}, expected = 0;
    for (int i = 10; i < 190; i++)
        expected += ((i - 1.0) * (i - 1) + (2 * i - 2.0) * (2 * i - 2) + (next - 3.0) * (next - 3)) * (1 + i % 3);
    CHECK(distances(N * next + 10, 180, to) == expected);

    /* Other threads' elements are read in all the inner loop's rounds, and it is left, and the loop around goes on. */
    long found = 0, wanted = 0;
    for (int i = 0; i < N * THREADS; i++) {
        for (int k = 1;; k++) {
            if (k > 5 || cyclic[i] % k == 3) break;
            found += cyclic[i] * k;
        }
        if (cyclic[i] == N * THREADS - 7) break;
    }
    for (int i = 0; i <= N * THREADS - 7; i++)
        for (int k = 1; k <= 5 && i % k != 3; k++) wanted += i * k;
    CHECK_EQ(wanted, found);

    int last = chain((int *)&marks[N * MYTHREAD], &marks[N * MYTHREAD], N), value = 1;
    for (int i = 1; i < N; i++) value = (1 + 2 * value) % 1000;
    CHECK_EQ(value, last);

    /* What the loops inside write. */
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++) sums[N * next + i] = cyclic[N * next + i] + k;
    upc_barrier;
    for (int i = 0; i < N; i++) CHECK_EQ(N * MYTHREAD + i + 2, sums[N * MYTHREAD + i]);
    return 0;
}
