// threads: 1 2 3
// flags: -DBUPC_USE_UPC_NAMESPACE
/* BUPC_USE_UPC_NAMESPACE: the extensions by names that begin with upc_, beside the handles of <upc_nb.h>. */
#include "check.h"
#include <bupc_collectivev.h>
#include <upc_nb.h>

shared [4] int blocks[4 * THREADS];

int main(void) {
    int mine[4], got[4], next = (MYTHREAD + 1) % THREADS, before = (MYTHREAD + THREADS - 1) % THREADS;
    for (int i = 0; i < 4; i++) mine[i] = 10 * MYTHREAD + i;
    upc_handle_t h = upc_memput_async(&blocks[4 * next], mine, sizeof mine);
    upc_waitsync(h);
    upc_barrier;
    h = UPC_COMPLETE_HANDLE;
    CHECK(upc_sync_attempt(h));
    h = upc_memget_nb(got, &blocks[4 * MYTHREAD], sizeof got);
    upc_sync(h);
    CHECK_EQ(10 * before + 3, got[3]);

    int ends[2];
    upc_smemvec_t from[] = {{&blocks[4 * MYTHREAD], sizeof(int)}, {&blocks[4 * MYTHREAD + 3], sizeof(int)}};
    upc_pmemvec_t to[] = {{ends, sizeof ends}};
    upc_waitsync(upc_memget_vlist_async(1, to, 2, from));
    CHECK_EQ(10 * before, ends[0]);
    CHECK_EQ(10 * before + 3, ends[1]);

    upc_sem_t *s = upc_sem_alloc(UPC_SEM_INTEGER | UPC_SEM_MPRODUCER);
    upc_sem_postN(s, 2);
    CHECK_EQ(1, upc_sem_try(s));
    upc_sem_wait(s);
    CHECK_EQ(0, upc_sem_try(s));
    upc_sem_free(s);
    CHECK_EQ(THREADS, upc_allv_reduce_all(int, 1, UPC_ADD));
    CHECK_EQ(UPC_THREADS_SAME, upc_thread_distance(MYTHREAD, MYTHREAD));
    bupc_trace_setmask("PG");
    bupc_trace_settracelocal(1);
    CHECK_EQ(0, bupc_trace_getmask()[0]);
    return 0;
}
