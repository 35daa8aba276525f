// flags: -fcomm-opt
// comm: strips strips=100 strips=1000,force
// threads: 1 2 3 4
// A loop that is left while its next strip is on the way: the rooms serve the next loop, whose values are right, also if
// the other thread has written in between; and a program may end so.
#include "check.h"

enum { N = 40000 };
shared [N] long a[N * THREADS];
shared [16] double b[N * THREADS];
shared int c[2 * N * THREADS];

static long until(const shared [N] long *p, long value) {
    long s = 0;
    for (long i = 0; i < N; i++) {
        if (p[i] == value) return s;
        s += p[i];
    }
    return s;
}

int main(void) {
    for (int round = 1; round < 4; round++) {
        for (long i = 0; i < N; i++) a[(long)N * MYTHREAD + i] = round * i;
        upc_forall(long i = 0; i < N * THREADS; i++; &b[i]) b[i] = (double)(round + i);
        upc_forall(long i = 0; i < 2 * N * THREADS; i++; &c[i]) c[i] = round * 3 + (int)i % 7;
        upc_barrier;
        int next = (MYTHREAD + 1) % THREADS;
        for (long k = 900; k < N; k += 7919) CHECK_EQ(round * (k * (k - 1) / 2), until(&a[(long)N * next], round * k));
        double s = 0;
        for (long i = 0; i < N; i++) s += b[i];
        CHECK(s == (double)round * N + (double)N * (N - 1) / 2);
        CHECK_EQ(round * 2000l * 1999 / 2, until(&a[(long)N * next], round * 2000l));
        long at = -1, sum = 0;
        for (int i = 0; i < 2 * N * THREADS; i++) {
            sum += c[i];
            if (i == 9000) {
                at = sum;
                break;
            }
        }
        long expected = 0;
        for (int i = 0; i <= 9000; i++) expected += round * 3 + i % 7;
        CHECK_EQ(expected, at);
        upc_barrier;
    }
    CHECK_EQ(3l * 3000 * 2999 / 2, until(&a[(long)N * ((MYTHREAD + 1) % THREADS)], 3 * 3000));
    return 0;
}
