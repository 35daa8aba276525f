/* 6.3.3p1, 6.7.2p1: UPC_MAX_BLOCK_SIZE is an integer constant fit for #if and for a layout qualifier. */
#include "check.h"

#if !defined(UPC_MAX_BLOCK_SIZE) || UPC_MAX_BLOCK_SIZE < 1
#error "UPC_MAX_BLOCK_SIZE"
#endif
#if UPC_MAX_BLOCK_SIZE < 65535
#error "smaller than every implementation before"
#endif

shared [UPC_MAX_BLOCK_SIZE] char *p;
shared [65535] char big[65535 * THREADS];

int main(void) {
    CHECK_EQ((long long)UPC_MAX_BLOCK_SIZE, upc_blocksizeof(*p));
    CHECK(p == NULL);
    CHECK_EQ(65535, upc_blocksizeof(big));
    CHECK_EQ(65534, upc_phaseof(&big[65534]));
    CHECK_EQ(THREADS - 1, upc_threadof(&big[65535L * THREADS - 1]));
    p = (shared [UPC_MAX_BLOCK_SIZE] char *)&big[0];
    p += 60000;
    CHECK_EQ(60000, upc_phaseof(p));
    CHECK_EQ(0, upc_threadof(p));
    return 0;
}
