// expect-exit: nonzero
// expect-stderr: barrier|notify|wait
// threads: 2 4 7 20
// cores: 64
/* 6.6.1p7: two different values at upc_notify, none elsewhere: some thread's upc_wait interrupts the program. */
#include <upc.h>

int main(void) {
    upc_barrier;
    if (MYTHREAD == 0)
        upc_notify 1;
    else if (MYTHREAD == 1)
        upc_notify 2;
    else
        upc_notify;
    upc_wait;
    for (;;) upc_barrier;
}
