// threads: 1 2 3 4 7
/* 7.7: upc_cast and upc_thread_info, on every kind of shared object. */
#include "check.h"
#include <upc_castable.h>

#if (UPC_CASTABLE_ALL & UPC_CASTABLE_ALL_ALLOC) == 0 || (UPC_CASTABLE_ALL & UPC_CASTABLE_STATIC) == 0
#error "UPC_CASTABLE_ALL is not the union of the regions"
#endif
#if (UPC_CASTABLE_ALL_ALLOC & UPC_CASTABLE_GLOBAL_ALLOC) || (UPC_CASTABLE_ALLOC & UPC_CASTABLE_STATIC)
#error "regions share bits"
#endif

shared [2] int a[2 * THREADS];

static void check_cast(shared [2] int *p, int region) {
    for (int t = 0; t < THREADS; t++) {
        if (MYTHREAD == 0) p[2 * t + 1] = 100 * region + t;
        upc_barrier;
        int *local = upc_cast(&p[2 * t + 1]);
        int info = upc_thread_info((size_t)t).guaranteedCastable;
        if (t == MYTHREAD) CHECK(local == (int *)&p[2 * t + 1]);
        if (info & region) CHECK(local != NULL);
        if (local) CHECK_EQ(100 * region + t, *local);
        upc_barrier;
        /* What is written through it is in the shared object. */
        if (local && MYTHREAD == (t + 1) % THREADS) {
            *local = -t;
            upc_fence;
            CHECK_EQ(-t, p[2 * t + 1]);
        }
        upc_barrier;
    }
}

int main(void) {
    CHECK(upc_cast(NULL) == NULL);
    for (int t = 0; t < THREADS; t++) {
        upc_thread_info_t info = upc_thread_info((size_t)t);
        CHECK((info.guaranteedCastable & ~UPC_CASTABLE_ALL) == 0);
        CHECK((info.guaranteedCastable & ~info.probablyCastable) == 0);
        if (t == MYTHREAD) CHECK_EQ(UPC_CASTABLE_ALL, info.guaranteedCastable);
    }
    check_cast(a, UPC_CASTABLE_STATIC);
    shared [2] int *p = upc_all_alloc((size_t)THREADS, 2 * sizeof(int));
    check_cast(p, UPC_CASTABLE_ALL_ALLOC);
    return 0;
}
