// threads: 1 2 3 4
/* 6.4.3p2, 7.2.3.3p2: upc_resetphase gives the same pointer with phase zero, and what follows from it. */
#include "check.h"

shared [5] char a[20 * THREADS];

int main(void) {
    for (int i = 0; i < 20 * THREADS; i++) {
        shared void *v = upc_resetphase(&a[i]);
        CHECK_EQ(0, upc_phaseof(v));
        CHECK_EQ(i % 5, upc_phaseof(&a[i]));
        CHECK_EQ(i / 5 % THREADS, upc_threadof(v));
        CHECK_EQ(upc_addrfield(&a[i]), upc_addrfield(v));
        shared [5] char *p = v;
        CHECK_EQ(4, upc_phaseof(p + 4));
        CHECK_EQ(0, upc_phaseof(p + 5));
        CHECK_EQ((i / 5 + 1) % THREADS, upc_threadof(p + 5));
    }
    CHECK_EQ(0, upc_phaseof(upc_resetphase(NULL)));
    CHECK(upc_resetphase(NULL) == NULL);
    return 0;
}
