// expect-exit: 42
// expect-stdout: thread 0 was here
// threads: 1 2 4
/* 7.2.1: upc_global_exit by one thread ends all, with its status, while others wait; output is flushed. */
#include <stdio.h>
#include <upc.h>

int main(void) {
    if (MYTHREAD == 0) printf("thread %d was here", MYTHREAD);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) upc_global_exit(42);
    upc_barrier;
    for (;;) upc_poll();
}
