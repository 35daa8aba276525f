// threads: 1 2 3 4 7 8
/* 6.4.2p9: p < q is (p - q) < 0: the order of the array, not that of addresses: element 1 (on the next thread) comes
 * after element 0, and before element THREADS (above element 0 in memory). */
#include "check.h"

shared long c[6 * THREADS];
shared [3] short b[9 * THREADS];

static int sign(long x) { return (x > 0) - (x < 0); }

int main(void) {
    for (int i = 0; i < 6 * THREADS; i++)
        for (int j = 0; j < 6 * THREADS; j++) {
            CHECK_EQ(i < j, &c[i] < &c[j]);
            CHECK_EQ(i > j, &c[i] > &c[j]);
            CHECK_EQ(i <= j, &c[i] <= &c[j]);
            CHECK_EQ(i >= j, &c[i] >= &c[j]);
            CHECK_EQ(sign(i - j), sign(&c[i] - &c[j]));
        }
    for (int i = 0; i < 9 * THREADS; i++)
        for (int j = 0; j < 9 * THREADS; j++) {
            shared [3] short *p = b + i, *q = b + j;
            CHECK_EQ(i < j, p < q);
            CHECK_EQ(i > j, p > q);
            CHECK_EQ(i <= j, p <= q);
            CHECK_EQ(i >= j, p >= q);
            CHECK_EQ(i == j, p == q);
        }
    /* As the condition of a loop. */
    long n = 0;
    for (shared [3] short *p = b; p < b + 9 * THREADS; ++p) n++;
    CHECK_EQ(9 * THREADS, n);
    for (shared long *p = c + 6 * THREADS - 1; p > c; p -= 1) n--;
    CHECK_EQ(3 * THREADS + 1, n);
    return 0;
}
