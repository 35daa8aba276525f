// expect-exit: nonzero
// expect-stderr: UPC_GET
// threads: 1 2
/* 7.6.3.3p6: UPC_GET needs somewhere to put the value. */
#include <upc.h>
#include <upc_atomic.h>

shared int x;

int main(void) {
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_GET, 0);
    upc_atomic_relaxed(d, NULL, UPC_GET, &x, NULL, NULL);
    return 0;
}
