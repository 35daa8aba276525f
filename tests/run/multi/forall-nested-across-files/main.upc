// threads: 1 2 3 4
/* 6.6.2p9: the nesting of upc_forall is dynamic also across files. */
#include "../../check.h"

int inner(int n);

int main(void) {
    int n = 5 * THREADS;
    CHECK_EQ(5, inner(n));
    upc_forall (int i = 0; i < n; i++; i) CHECK_EQ(n, inner(n));
    upc_forall (int i = 0; i < 2; i++; continue) CHECK_EQ(5, inner(n));
    CHECK_EQ(5, inner(n));
    return 0;
}
