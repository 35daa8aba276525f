// expect-exit: nonzero
// expect-stderr: barrier|notify|wait
// threads: 1 2 4
/* 6.6.1p7: a value at upc_wait that is not the consensus of the upc_notify interrupts the program. */
#include <upc.h>

int main(void) {
    upc_barrier;
    upc_notify 6;
    if (MYTHREAD == THREADS - 1)
        upc_wait 7;
    else
        upc_wait;
    for (;;) upc_barrier;
}
