// expect-exit: nonzero
// expect-stderr: barrier
// threads: 2 3 4
/* 6.6.1p7: values given to upc_barrier that have no consensus interrupt the program. */
#include <upc.h>

int main(void) {
    upc_barrier;
    upc_barrier MYTHREAD == THREADS - 1 ? 4 : 3;
    for (;;) upc_barrier;
}
