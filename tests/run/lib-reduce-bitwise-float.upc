// expect-exit: nonzero
// expect-stderr: upc_all_reduceD: a bitwise operation
// threads: 1 2
/* 7.4.3p2: bitwise operations shall not be specified for floating-point types. */
#include <upc.h>
#include <upc_collective.h>

shared double a[THREADS], b;

int main(void) {
    upc_all_reduceD(&b, a, UPC_XOR, (size_t)THREADS, 1, NULL, 0);
    return 0;
}
