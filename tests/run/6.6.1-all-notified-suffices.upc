// threads: 1 2 3 4 5 8
// cores: 1 16
/* 6.6.1p4: a thread's upc_wait completes once all threads have executed their upc_notify. What one of them does between its
 * notify and its wait holds nobody up: here it waits for a thread, or for all, that have completed theirs. */
#include <sched.h>
#include "check.h"

strict shared int done[THREADS];

int main(void) {
    for (int slow = 0; slow < THREADS; slow++) {
        upc_notify;
        for (int t = 0; t < THREADS && MYTHREAD == slow; t++)
            while (t != slow && done[t] != slow + 1) sched_yield();
        upc_wait;
        done[MYTHREAD] = slow + 1;
        upc_barrier;
    }
    upc_notify;
    if (MYTHREAD == 0 && THREADS > 1)
        while (done[1] != -1) sched_yield();
    upc_wait;
    if (MYTHREAD == 1) done[1] = -1;
    upc_barrier;
    return 0;
}
