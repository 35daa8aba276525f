// A thread spins on its own memory through a C pointer, as bale's exstack2 does, and so makes no call of the runtime. On
// networks that write memory by themselves the others get on; elsewhere the progress thread has to see to it. On a simulated
// machine no time passes in such a loop.
// conduits: smp reference template mpi
#include <time.h>
#include <upc_atomic.h>

#include <bupc_extensions.h>
#include "check.h"

enum { N = 1000, ROUNDS = 5 };

shared long flag[THREADS];
shared [N] int data[THREADS * N];
shared long counter[THREADS];
upc_lock_t *shared locks[THREADS];
bupc_sem_t *shared full[THREADS];

static void compute_until(long value) {
    volatile long *own = (volatile long *)&flag[MYTHREAD];
    while (*own != value) {}
}

/* What everybody else does with the memory of `target`, which computes. */
static void use(int target, int round, upc_atomicdomain_t *domain) {
    static int mine[N], back[N];
    long one = 1, seen;
    upc_lock(locks[target]);
    for (int i = 0; i < N; i++) mine[i] = 1000 * round + i + MYTHREAD;
    upc_memput(&data[target * N], mine, sizeof mine);
    upc_memget(back, &data[target * N], sizeof back);
    CHECK(memcmp(mine, back, sizeof mine) == 0);
    data[target * N + 3] = -1;
    CHECK_EQ(-1, data[target * N + 3]);
    upc_memset(&data[target * N], 0, sizeof mine);
    CHECK_EQ(0, data[target * N + N - 1]);
    upc_unlock(locks[target]);
    upc_atomic_relaxed(domain, &seen, UPC_ADD, &counter[target], &one, NULL);
    bupc_sem_post(full[target]);
    upc_atomic_relaxed(domain, NULL, UPC_ADD, &flag[target], &one, NULL);
}

int main(void) {
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET | UPC_SET, 0);
    locks[MYTHREAD] = upc_global_lock_alloc();
    full[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_MPRODUCER | BUPC_SEM_SCONSUMER);
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
        for (int target = 0; target < THREADS; target++) {
            if (MYTHREAD == target) {
                compute_until((long)(round + 1) * (THREADS - 1));
            } else {
                nanosleep(&(struct timespec){0, 1000000}, NULL); /* it computes by now */
                use(target, round, domain);
            }
            upc_barrier;
        }
    }
    CHECK_EQ(ROUNDS * (THREADS - 1), counter[MYTHREAD]);
    for (int i = 0; i < ROUNDS * (THREADS - 1); i++) CHECK(bupc_sem_try(full[MYTHREAD]));
    CHECK(!bupc_sem_try(full[MYTHREAD]));
    /* A thread computes between notify and wait until all others have been through the barrier. */
    upc_barrier;
    flag[MYTHREAD] = 0;
    upc_barrier;
    for (int slow = 0; slow < THREADS; slow++) {
        upc_notify;
        if (MYTHREAD == slow) compute_until(THREADS - 1);
        upc_wait;
        long one = 1;
        if (MYTHREAD != slow) upc_atomic_relaxed(domain, NULL, UPC_ADD, &flag[slow], &one, NULL);
    }
    upc_barrier;
    bupc_sem_free(full[MYTHREAD]);
    upc_all_atomicdomain_free(domain);
    return 0;
}
