// threads: 1 2 3 4 7 8
/* 6.6.2p10: after the loop the index has, on all threads, the value that `for` would leave: also with steps that do not
 * meet the bound, descending, unsigned, empty ranges, indexes declared outside, in memory, volatile. */
#include "check.h"

shared [3] int b[30 * THREADS];
shared int c[30 * THREADS];
static int global;

#define FINAL(type, init, cond, step, affinity)              \
    do {                                                     \
        type i;                                              \
        upc_forall (init; cond; step; affinity) touched++;   \
        type got = i;                                        \
        for (init; cond; step) continue;                     \
        CHECK_EQ(i, got);                                    \
    } while (0)

int main(void) {
    int n = 30 * THREADS, touched = 0;
    FINAL(int, i = 0, i < n, i++, i);
    FINAL(int, i = 0, i < n, i++, &b[i]);
    FINAL(int, i = 0, i < n, i++, &c[i]);
    FINAL(int, i = 0, i <= n - 1, i += 4, &b[i]);
    FINAL(int, i = 2, i < n, i += 7, i);
    FINAL(int, i = 2, i < n, i += 7, &b[i]);
    FINAL(int, i = n - 1, i >= 0, i--, &b[i]);
    FINAL(int, i = n - 1, i > 0, i -= 5, &c[i]);
    FINAL(int, i = 7, i < 7, i++, i);
    FINAL(int, i = 9, i < 7, i++, &b[i]);
    FINAL(long, i = 0, i < n, i += 3, &b[i]);
    FINAL(unsigned, i = 0, i < (unsigned)n, i++, &b[i]);
    FINAL(unsigned, i = 5, i > 0, i--, i);
    FINAL(unsigned char, i = 250, i >= 250, i++, i);
    FINAL(short, i = 0, i < n, i += 2, &c[i]);
    FINAL(volatile int, i = 0, i < n, i++, &b[i]);

    upc_forall (global = 0; global < n; global++; &b[global]) touched++;
    CHECK_EQ(n, global);
    int *p = &global;
    upc_forall (*p = 0; *p < n; ++*p; *p) touched++;
    CHECK_EQ(n, global);
    struct {
        int i;
    } s;
    upc_forall (s.i = 0; s.i < n; s.i++; &c[s.i]) touched++;
    CHECK_EQ(n, s.i);
    int i = -1;
    upc_forall (int i = 0; i < n; i++; i) touched++;
    CHECK_EQ(-1, i);
    CHECK(touched > 0);
    return 0;
}
