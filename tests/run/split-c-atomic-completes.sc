// threads: 1 2 3 4 5
/* docs/split-c.md, library: functions that atomic() has sent have run after sync(), barrier() or all_store_sync() of the
 * processor that sent them. */
#include "check-split-c.h"

#define CALLS 300
#define BUCKETS 37

int buckets[BUCKETS]::;
int mine, theirs;

static void bump(int *where, int by) { *where += by; }

static int sum(void) {
    int i, s = 0;
    for (i = 0; i < BUCKETS; i++) s += buckets[i];
    return s;
}

splitc_main() {
    int i, round, right = (MYPROC + 1) % PROCS;
    for (round = 1; round <= 5; round++) {
        for (i = 0; i < CALLS; i++) atomic(bump, buckets + (i * 7 + MYPROC) % BUCKETS, 1);
        if (round % 2)
            barrier();
        else
            all_store_sync();
        CHECK_EQ(round * CALLS * PROCS, sum());
        barrier();
    }
    /* One processor waits for its own alone. */
    for (i = 0; i < CALLS; i++) atomic(bump, toglobal(right, &mine), 2);
    sync();
    CHECK_EQ(2 * CALLS, *toglobal(right, &mine));
    atomic(bump, toglobal(right, &theirs), 1);
    while (!is_sync()) splitc_poll();
    CHECK_EQ(1, *toglobal(right, &theirs));
    return 0;
}
