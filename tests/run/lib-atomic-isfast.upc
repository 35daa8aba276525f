// threads: 1 2 4
/* 7.6.3.4: upc_atomic_isfast answers for a type, operations and an address; something must be fast. */
#include "check.h"
#include <upc_atomic.h>

shared long cell[THREADS];
shared void *shared p;

int main(void) {
    CHECK(upc_atomic_isfast(UPC_LONG, UPC_GET | UPC_SET, &cell[MYTHREAD]) != 0);
    CHECK(upc_atomic_isfast(UPC_LONG, UPC_ADD, &cell[MYTHREAD]) != 0);
    /* A pointer with phase takes a lock. */
    CHECK(upc_atomic_isfast(UPC_PTS, UPC_CSWAP, &p) == 0);
    CHECK(upc_atomic_isfast(UPC_DOUBLE, UPC_MULT, &cell[MYTHREAD]) == 0);
    /* Misaligned. */
    shared [] char *bytes = (shared [] char *)&cell[MYTHREAD];
    CHECK(upc_atomic_isfast(UPC_LONG, UPC_ADD, bytes + 1) == 0);
    return 0;
}
