// threads: 1 2 3 4
/* 6.4.2p8: pts2 - pts1 is the x for which pts1 + x == pts2 with equal phases; between two pointers whose phases were both
 * reset, on whatever threads, x is a multiple of the block size. */
#include "check.h"

#define B 5
shared [B] double a[B * 8 * THREADS];

int main(void) {
    for (int k = 0; k < 8 * THREADS; k++)
        for (int l = 0; l < 8 * THREADS; l++) {
            shared [B] double *p = (shared [B] double *)upc_resetphase(&a[k * B + 2]);
            shared [B] double *q = (shared [B] double *)upc_resetphase(&a[l * B + 2]);
            CHECK_EQ((l - k) * B, q - p);
            CHECK(p + (q - p) == q);
            CHECK_EQ(upc_phaseof(q), upc_phaseof(p + (q - p)));
            CHECK((q > p) == (l > k));
        }
    return 0;
}
