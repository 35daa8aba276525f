// threads: 1 2 3 4 8 20
// cores: 1 64
/* 6.6.1p7: the values given must agree; threads that give none disagree with nobody; a value at the wait counts only when
 * some thread gave one to the notify; no value at any notify: no interruption, whatever the waits say. */
#include "check.h"

int main(void) {
    if (MYTHREAD == 0)
        upc_barrier 17;
    else
        upc_barrier;
    if (MYTHREAD % 2)
        upc_notify 5;
    else
        upc_notify;
    if (MYTHREAD == THREADS - 1) {
        if (THREADS > 1)
            upc_wait 5;
        else
            upc_wait;
    } else
        upc_wait;
    upc_notify;
    upc_wait MYTHREAD + 1;
    upc_notify 8;
    upc_wait;
    /* Each phase has its own consensus. */
    for (int r = 0; r < 50; r++) {
        if ((r + MYTHREAD) % THREADS == 0)
            upc_barrier r;
        else
            upc_barrier;
    }
    return 0;
}
