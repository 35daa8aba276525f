// threads: 1 2 5
/* A program may wait by looking: by strict reads, fences, atomic reads, or attempts to take a lock. More threads than processors are
 * normal, so now and then a look lets others go first. The C library's sched_yield, which does that, is counted here. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include <upc_atomic.h>

#include "check.h"

static long yields;
int sched_yield(void) {
    yields++;
    return (int)syscall(SYS_sched_yield);
}

typedef struct { long a, b, c; } triple;
strict shared int flag;
strict shared [] int *strict shared pointer;
strict shared [3] int *strict shared phased;
strict shared triple record;
shared int data[THREADS];
upc_lock_t *lock;

enum { LOOKS = 5000 };

int main(void) {
    long sum = 0;
#define YIELDS(LOOK)                                    \
    do {                                                \
        long before = yields;                           \
        for (int i = 0; i < LOOKS; i++) { LOOK; }       \
        CHECK(yields > before);                         \
    } while (0)
    YIELDS(sum += flag);
    YIELDS(sum += record.b);
    YIELDS(triple t = record; sum += t.c);
    YIELDS(sum += pointer != 0);
    YIELDS(sum += phased != 0);
    YIELDS(sum += data[MYTHREAD]; upc_fence);
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_GET, 0);
    YIELDS(int value; upc_atomic_relaxed(domain, &value, UPC_GET, &data[MYTHREAD], 0, 0); sum += value);
    CHECK_EQ(0, sum);

    lock = upc_all_lock_alloc();
    upc_barrier;
    if (MYTHREAD == 0) upc_lock(lock);
    upc_barrier;
    if (MYTHREAD != 0) YIELDS(CHECK(!upc_lock_attempt(lock)));
    upc_barrier;
    if (MYTHREAD == 0) upc_unlock(lock);
    upc_barrier;

    /* Handed on from thread to thread: the others look meanwhile. */
    for (int i = 0; i < 100; i++) {
        while (flag % THREADS != MYTHREAD) { }
        flag++;
    }
    upc_barrier;
    CHECK_EQ(100 * THREADS, flag);
    return 0;
}
