// expect-exit: 5
// threads: 1 2 4 8
/* 5.1.2.2p1, 7.2.1p2: upc_global_exit terminates all active threads, here waiting in a barrier. */
#include <upc.h>

int main(void) {
    if (MYTHREAD == THREADS - 1) upc_global_exit(5);
    upc_barrier;
    for (;;) upc_barrier;
}
