// expect-exit: nonzero
// expect-stderr: barrier|notify|wait
// threads: 2 3 6
// cores: 16
/* 6.6.1p7: the consensus binds the upc_wait of threads that gave no value themselves. */
#include <upc.h>

int main(void) {
    upc_barrier;
    if (MYTHREAD == 0)
        upc_notify 6;
    else
        upc_notify;
    if (MYTHREAD == 1)
        upc_wait 5;
    else
        upc_wait;
    for (;;) upc_barrier;
}
