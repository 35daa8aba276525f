// expect-exit: nonzero
// threads: 1 2 4
/* A thread that aborts ends the whole job with a failure; the others wait in vain in a barrier. */
#include <stdlib.h>
#include <upc.h>

int main(void) {
    if (MYTHREAD == THREADS / 2) abort();
    for (;;) upc_barrier;
}
