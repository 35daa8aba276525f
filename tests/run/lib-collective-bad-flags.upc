// expect-exit: nonzero
// expect-stderr: upc_all_broadcast
// threads: 1 2
/* 7.3.3.1p1: two UPC_IN_ flags are no flags argument. */
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS], b[THREADS];

int main(void) {
    upc_all_broadcast(b, a, sizeof(int), UPC_IN_NOSYNC | UPC_IN_ALLSYNC);
    return 0;
}
