// expect-exit: 3
/* 5.1.2.2p2: a thread is terminated by a call to exit. All threads call it; the job's status is theirs. */
#include <stdlib.h>
#include <upc.h>

static void leave(int depth) {
    if (depth == 0) exit(3);
    leave(depth - 1);
}

int main(void) {
    upc_barrier;
    leave(4);
    return 0;
}
