// threads: 1 2 3 4 8
/* 6.4.2p3-4: arithmetic is of width ptrdiff_t: offsets beyond 2^32 elements, there and back. Nothing is accessed. */
#include "check.h"
#include "layout.h"

shared char c[THREADS];
shared [1000] char b[1000 * THREADS];

int main(void) {
    long far[] = {0x7fffffffl, 0x80000000l, 0xffffffffl, 0x100000000l, 0x100000001l, 12345678901l};
    for (unsigned k = 0; k < sizeof far / sizeof *far; k++) {
        long n = far[k];
        shared char *p = c;
        p += n;
        CHECK_EQ(mod_floor(n, THREADS), upc_threadof(p));
        CHECK_EQ(n, p - c);
        CHECK(p > c);
        CHECK_EQ(div_floor(n, THREADS), (long)(upc_addrfield(p) - upc_addrfield(c)));
        p -= n;
        CHECK(p == c);
        shared [1000] char *q = b + n;
        CHECK_EQ(mod_floor(div_floor(n, 1000), THREADS), upc_threadof(q));
        CHECK_EQ(mod_floor(n, 1000), upc_phaseof(q));
        CHECK_EQ(n, q - b);
        CHECK_EQ(-n, b - q);
        CHECK(q - n == b);
    }
    return 0;
}
