// threads: 1 2 3 4 8
/* 7.2.4: mutual exclusion, attempts, locks of both kinds, freeing them in any state. */
#include "check.h"

#define ROUNDS 1000
shared long counter, other;
upc_lock_t *shared global_lock;

int main(void) {
    upc_lock_t *all = upc_all_lock_alloc(), *again = upc_all_lock_alloc();
    CHECK(all != NULL && again != NULL && all != again);
    static upc_lock_t *shared seen;
    if (MYTHREAD == 0) {
        seen = all;
        global_lock = upc_global_lock_alloc();
    }
    upc_barrier;
    CHECK(seen == all);
    upc_lock_t *g = global_lock;
    for (int i = 0; i < ROUNDS; i++) {
        upc_lock(all);
        counter = counter + 1;
        upc_unlock(all);
        while (!upc_lock_attempt(g)) upc_poll();
        other = other + 2;
        upc_unlock(g);
    }
    upc_barrier;
    CHECK_EQ((long)ROUNDS * THREADS, counter);
    CHECK_EQ(2l * ROUNDS * THREADS, other);

    /* An attempt fails while another thread has the lock (7.2.4.7p4). */
    if (MYTHREAD == 0) CHECK_EQ(1, upc_lock_attempt(all));
    upc_barrier;
    if (MYTHREAD != 0) CHECK_EQ(0, upc_lock_attempt(all));
    upc_barrier;
    if (MYTHREAD == 0) upc_unlock(all);
    upc_barrier;
    /* Locks of one's own are distinct; a locked one may be freed (7.2.4.4p3), by any thread. */
    upc_lock_t *mine = upc_global_lock_alloc();
    CHECK(mine != all && mine != g);
    upc_barrier;
    upc_lock(mine);
    upc_lock_free(mine);
    upc_lock_free(NULL);
    if (MYTHREAD == THREADS - 1) upc_lock_free(g);
    upc_all_lock_free(all);
    upc_all_lock_free(again);
    upc_all_lock_free(NULL);
    return 0;
}
