// expect-exit: 9
// threads: 1 2 4
/* 5.1.2.2p1, 7.2.1p2: upc_global_exit terminates threads that never call the runtime. */
#include <upc.h>

int main(void) {
    volatile unsigned long spin = 0;
    if (MYTHREAD == 0) upc_global_exit(9);
    for (;;) spin++;
}
