// threads: 1 2 3 4 8
/* 6.4.2p7: pointers-to-shared that point to the same object are equal, whether or not their phases match. */
#include "check.h"

shared [4] int a[12 * THREADS];
shared int *shared kept;

int main(void) {
    for (int i = 0; i < 12 * THREADS; i++) {
        shared [4] int *p = &a[i];
        shared [4] int *q = (shared [4] int *)upc_resetphase(p);
        CHECK_EQ(i % 4, upc_phaseof(p));
        CHECK_EQ(0, upc_phaseof(q));
        CHECK(p == q);
        CHECK(!(p != q));
        CHECK(q == p);
        shared void *v = p, *w = q;
        CHECK(v == w);
        CHECK(!(v != w));
        CHECK(v == p && p == v && q == v && w == p);
        CHECK((shared void *)p == (shared void *)q);
        CHECK((shared [] int *)p == (shared [] int *)q);
        if (i > 0) CHECK(p != &a[i - 1] && q != &a[i - 1] && v != (shared void *)&a[i - 1]);
        *q = i + 1;
        CHECK_EQ(i + 1, *p);
    }
    return 0;
}
