// threads: 1 2 3 4 7
/* 7.2.3: upc_threadof, upc_phaseof, upc_resetphase, upc_addrfield; called by name and through a pointer. */
#include "check.h"

struct triple {
    char c[3];
};
shared [4] struct triple a[12 * THREADS];
shared int scalar;
shared int cyclic[8 * THREADS];

static size_t (*volatile threadof)(shared const void *) = upc_threadof;
static size_t (*volatile phaseof)(shared const void *) = upc_phaseof;
static size_t (*volatile addrfield)(shared const void *) = upc_addrfield;
static shared void *(*volatile resetphase)(shared const void *) = upc_resetphase;

int main(void) {
    for (int i = 0; i < 12 * THREADS; i++) {
        size_t place = (size_t)(i / 4 / THREADS * 4 + i % 4) * sizeof(struct triple);
        CHECK_EQ(i / 4 % THREADS, upc_threadof(&a[i]));
        CHECK_EQ(i % 4, upc_phaseof(&a[i]));
        CHECK_EQ(place, upc_addrfield(&a[i]) - upc_addrfield(&a[i / 4 % THREADS * 4]));
        CHECK_EQ(i / 4 % THREADS, threadof(&a[i]));
        CHECK_EQ(i % 4, phaseof(&a[i]));
        CHECK_EQ(upc_addrfield(&a[i]), addrfield(&a[i]));
        CHECK(resetphase(&a[i]) == (shared void *)&a[i]);
        CHECK_EQ(0, upc_phaseof(resetphase(&a[i])));
    }
    CHECK_EQ(0, upc_threadof(&scalar));
    CHECK_EQ(0, upc_phaseof(&scalar));
    for (int i = 0; i < 8 * THREADS; i++) {
        CHECK_EQ(i % THREADS, upc_threadof(&cyclic[i]));
        CHECK_EQ(0, upc_phaseof(&cyclic[i]));
    }
    /* 7.2.3.4p3: local addresses differ as address fields do. */
    int *first = (int *)&cyclic[MYTHREAD], *last = (int *)&cyclic[7 * THREADS + MYTHREAD];
    CHECK_EQ((last - first) * (long)sizeof(int),
             (long)upc_addrfield(&cyclic[7 * THREADS + MYTHREAD]) - (long)upc_addrfield(&cyclic[MYTHREAD]));
    /* 7.2.3.1p3, 7.2.3.2p3: null. */
    CHECK_EQ(0, upc_threadof(NULL));
    CHECK_EQ(0, upc_phaseof(NULL));
    CHECK_EQ(0, threadof(NULL));
    CHECK_EQ(0, phaseof(NULL));
    return 0;
}
