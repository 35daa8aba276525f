// threads: 1 2 3 4 8
/* 6.6.2p8: with `continue` or no affinity every thread performs every body; missing clauses are those of `for`. */
#include "forall.h"

int main(void) {
    int i;
    upc_forall (i = 0; i < 10; i++; continue) note(&got_log, i);
    for (i = 0; i < 10; i++) note(&want_log, i);
    compare_logs(__FILE__, __LINE__);
    upc_forall (i = 0; i < 10; i++;) note(&got_log, i);
    for (i = 0; i < 10; i++) note(&want_log, i);
    compare_logs(__FILE__, __LINE__);
    upc_forall (int k = 9; k; k -= 3; continue) {
        note(&got_log, k);
    }
    for (int k = 9; k; k -= 3) note(&want_log, k);
    compare_logs(__FILE__, __LINE__);

    /* Init and step missing, the step taken in the condition. */
    i = -1;
    upc_forall (; ++i < 20;; i) note(&got_log, i);
    CHECK_EQ(20, i);
    i = -1;
    for (; ++i < 20;)
        if (i % THREADS == MYTHREAD) note(&want_log, i);
    compare_logs(__FILE__, __LINE__);
    i = 5;
    upc_forall (; i < 9; i++; continue) note(&got_log, i);
    for (i = 5; i < 9; i++) note(&want_log, i);
    compare_logs(__FILE__, __LINE__);
    /* Collective operations are not allowed in it, but threads may do different things. */
    int mine = 0;
    upc_forall (i = 0; i < 100; i++;) {
        if (i % THREADS != MYTHREAD) continue;
        mine++;
    }
    int model = 0;
    for (i = 0; i < 100; i++) model += i % THREADS == MYTHREAD;
    CHECK_EQ(model, mine);
    return 0;
}
