// expect-exit: nonzero
// expect-stderr: upc_all_atomicdomain_alloc
// threads: 1 2
/* 7.6.3.1p5: no bitwise operations on floating-point types. */
#include <upc.h>
#include <upc_atomic.h>

int main(void) {
    upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_GET | UPC_AND, 0);
    return 0;
}
