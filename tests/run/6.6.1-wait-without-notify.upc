// expect-exit: nonzero
// expect-stderr: wait
// threads: 1 2
/* 6.6.1p3: notify and wait alternate, starting with a notify. */
#include <upc.h>

int main(void) {
    upc_wait;
    return 0;
}
