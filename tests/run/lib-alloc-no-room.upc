// threads: 1 2
/* 7.2.2p1: if the space cannot be allocated, the result is a null pointer-to-shared. */
#include "check.h"

int main(void) {
    CHECK(upc_alloc((size_t)1 << 60) == NULL);
    CHECK(upc_global_alloc((size_t)1 << 40, (size_t)1 << 40) == NULL);
    CHECK(upc_all_alloc((size_t)THREADS, (size_t)1 << 60) == NULL);
    shared [] char *p = upc_alloc(100); /* and goes on */
    CHECK(p != NULL);
    upc_free(p);
    return 0;
}
