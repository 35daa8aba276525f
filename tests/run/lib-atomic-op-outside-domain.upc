// expect-exit: nonzero
// expect-stderr: UPC_ADD
// threads: 1 2
/* 7.6.3.3p2: the operation shall be one that the domain was made for. */
#include <upc.h>
#include <upc_atomic.h>

shared int x;

int main(void) {
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_GET | UPC_SET, 0);
    int one = 1;
    upc_atomic_relaxed(d, NULL, UPC_ADD, &x, &one, NULL);
    return 0;
}
