// threads: 1 2 3 4 7
/* 7.2.2: what each allocation function gives: layout, phase, affinity, alignment, distinct objects; freeing by any thread. */
#include "check.h"
#include "layout.h"

shared [] int *shared from_each[THREADS];
shared void *shared global_of[THREADS];

static void check_start(shared void *p) {
    CHECK(p != NULL);
    CHECK_EQ(0, upc_phaseof(p));
    CHECK_EQ(0, upc_addrfield(p) % _Alignof(max_align_t));
}

int main(void) {
    /* upc_all_alloc: one object, the same on all threads (7.2.2.2p3). */
    for (size_t block = 1; block < 9; block += 3) {
        size_t blocks = 3 * (size_t)THREADS + 1;
        shared char *p = upc_all_alloc(blocks, block);
        check_start(p);
        CHECK_EQ(0, upc_threadof(p));
        shared void *as_void = p;
        if (MYTHREAD == 0) global_of[0] = as_void;
        upc_barrier;
        CHECK(global_of[0] == as_void);
        for (size_t i = 0; i < blocks * block; i++) {
            shared void *e = bupc_ptradd(p, block, 1, (ptrdiff_t)i);
            CHECK_EQ(owner_of((long)i, (long)block, THREADS), upc_threadof(e));
            if ((int)upc_threadof(e) == MYTHREAD) *(shared char *)e = (char)(i * 3 + block);
        }
        upc_barrier;
        for (size_t i = 0; i < blocks * block; i++)
            CHECK_EQ((char)(i * 3 + block), *(shared char *)bupc_ptradd(p, block, 1, (ptrdiff_t)i));
        upc_all_free(p);
    }
    /* upc_global_alloc: every caller its own (7.2.2.1p3). */
    shared [4] int *g = upc_global_alloc((size_t)THREADS * 2, 4 * sizeof(int));
    check_start(g);
    CHECK_EQ(0, upc_threadof(g));
    for (int i = 0; i < 8 * THREADS; i++) g[i] = i + 1000 * MYTHREAD;
    global_of[MYTHREAD] = g;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        shared [4] int *his = global_of[t];
        CHECK((his == g) == (t == MYTHREAD));
        for (int i = 0; i < 8 * THREADS; i++) CHECK_EQ(i + 1000 * t, his[i]);
    }
    upc_barrier;
    upc_free(global_of[(MYTHREAD + 1) % THREADS]);

    /* upc_alloc: on the caller (7.2.2.3). */
    shared [] int *mine = upc_alloc(50 * sizeof(int));
    check_start(mine);
    CHECK_EQ(MYTHREAD, upc_threadof(mine));
    for (int i = 0; i < 50; i++) mine[i] = i * MYTHREAD;
    CHECK_EQ(49 * MYTHREAD, ((int *)mine)[49]);
    from_each[MYTHREAD] = mine;
    upc_barrier;
    int right = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < 50; i++) CHECK_EQ(i * right, from_each[right][i]);
    upc_barrier;
    upc_free(from_each[right]);

    shared [] int *old = upc_local_alloc(10, sizeof(int));
    CHECK_EQ(MYTHREAD, upc_threadof(old));
    old[9] = 5;
    upc_free(old);

    /* Nothing asked, nothing given; freeing nothing. */
    CHECK(upc_alloc(0) == NULL);
    CHECK(upc_global_alloc(0, 8) == NULL && upc_global_alloc(8, 0) == NULL);
    CHECK(upc_all_alloc(0, 8) == NULL && upc_all_alloc(8, 0) == NULL);
    upc_free(NULL);
    upc_all_free(NULL);
    return 0;
}
