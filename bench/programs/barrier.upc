/* upc_barrier against a sense-reversing barrier between the same processes, written by hand in C over shared memory. */
/* Batches shorter than a time slice, and many of them: most see both threads running. */
#define BENCH_BATCH_NS 1e5
#define BENCH_PAIRS 301
#include "bench.h"

void barrier_c(void); /* barrier_c.c */
void barrier_c_join(int threads);

static __attribute__((noinline)) void barrier_upc(void) { upc_barrier; }
static __attribute__((noinline)) void split_upc(void) {
    upc_notify;
    upc_wait;
}

int main(void) {
    barrier_c_join(THREADS);
    upc_barrier;
    bench_compare("barrier", "upc_barrier", BENCH_COST, BENCH_TOGETHER, barrier_upc, barrier_c, 1, "ns");
    bench_compare("barrier", "upc_notify; upc_wait", BENCH_COST, BENCH_TOGETHER, split_upc, barrier_c, 1, "ns");
    return 0;
}
