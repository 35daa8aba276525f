// threads: 1 2 3 4
/* 6.6.2p9 speaks of the loop body: a upc_forall reached from the condition, the step or the affinity clause of another
 * is not in that one's body, so its own affinity divides its iterations. */
#include "check.h"

static int inner(int n) {
    int executed = 0;
    upc_forall (int i = 0; i < n; i++; i) executed++;
    return executed;
}

int main(void) {
    int i, n = 9 * THREADS;
    upc_forall (i = inner(n) - 9; i < n && inner(n) == 9; i += inner(n) - 8; (inner(n) == 9 ? i : 0)) {
        CHECK_EQ(i % THREADS, MYTHREAD);
        CHECK_EQ(n, inner(n));
    }
    CHECK_EQ(n, i);
    return 0;
}
