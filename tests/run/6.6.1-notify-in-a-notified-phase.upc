// expect-exit: nonzero
// expect-stderr: notify
// threads: 1 2
/* 6.6.1p3, p10: `{ upc_notify; upc_barrier; upc_wait; }` is a run-time error. */
#include <upc.h>

int main(void) {
    upc_notify;
    upc_barrier;
    upc_wait;
    return 0;
}
