// threads: 2 3 4
/* B examples 11 and 12: upc_notify implies a strict write: relaxed write, notify, relaxed read of what another thread wrote before
 * its notify: of two threads at least one sees the other's write; after the wait both do. */
#include "litmus.h"

shared int x[THREADS];
shared int seen[THREADS];
strict shared int ready[THREADS];

int main(void) {
    int rounds = THREADS > 2 ? 3000 : 20000, next = (MYTHREAD + 1) % THREADS;
    for (int i = 1; i <= rounds; i++) {
        for (int k = (i * (MYTHREAD + 3)) % 17; k > 0; k--) ready[MYTHREAD] = i;
        x[MYTHREAD] = i;
        upc_notify i;
        int early = x[next];
        upc_wait i;
        for (int t = 0; t < THREADS; t++) CHECK(x[t] == i);
        seen[MYTHREAD] = early;
        upc_barrier;
        if (THREADS == 2) CHECK(seen[0] == i || seen[1] == i);
        /* In a ring of any size, not all can have missed the next one's write. */
        int hits = 0;
        for (int t = 0; t < THREADS; t++) hits += seen[t] == i;
        CHECK(hits > 0);
        upc_barrier;
    }
    return 0;
}
