// threads: 2 3
// 7.2.4.7: the thread that has the lock's memory takes it and releases it again and again, and does nothing else. Others, who only attempt to take it, get it
// all the same.
#include <upc_relaxed.h>
#include "check.h"

static shared int taken;

int main(void) {
    upc_lock_t *lock = upc_all_lock_alloc();
    CHECK(upc_threadof(lock) == 0);
    upc_barrier;
    for (int mine = 0; MYTHREAD > 0 && mine < 3;) {
        if (!upc_lock_attempt(lock)) continue;
        taken += 1;
        mine++;
        upc_unlock(lock);
    }
    for (int seen = 0; MYTHREAD == 0 && seen < 3 * (THREADS - 1);) {
        upc_lock(lock);
        seen = taken;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK(taken == 3 * (THREADS - 1));
    upc_barrier;
    if (MYTHREAD == 0) upc_lock_free(lock);
    return 0;
}
